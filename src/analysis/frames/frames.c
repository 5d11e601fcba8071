#include "frames.h"

/* --- run lengths --- */

static int by_length(const void *a, const void *b)
{
    const struct cc_rec_frame_part *x = *(const struct cc_rec_frame_part *const *)a,
                                   *y = *(const struct cc_rec_frame_part *const *)b;
    if (x->frame != y->frame)
        return x->frame < y->frame ? -1 : 1;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

static int by_instructions(const void *a, const void *b)
{
    const struct cc_frame_region *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions > y->instructions ? -1 : 1;
    return x->region < y->region ? -1 : x->region > y->region;
}

static void add_parts(struct cc_frames *f, const struct cc_profile *p)
{
    f->parts = cc_arena_alloc(&f->arena, (p->nframe_parts + 1) * sizeof *f->parts);
    f->first = cc_arena_alloc(&f->arena, (p->nframes + 1) * sizeof *f->first);
    f->regions = cc_arena_alloc(&f->arena, (p->nregions + 1) * sizeof *f->regions);
    for (size_t i = 0; i < p->nregions; i++)
        f->regions[i] = (struct cc_frame_region){.region = (uint32_t)i, .name = f->region_names[i]};
    for (size_t i = 0; i < p->nframe_parts; i++) {
        const struct cc_rec_frame_part *part = &p->frame_parts[i];
        f->parts[i] = part;
        f->first[part->frame + 1]++;
        f->regions[part->region].instructions += part->instructions;
    }
    for (size_t i = 0; i < p->nframes; i++)
        f->first[i + 1] += f->first[i];
    qsort(f->parts, p->nframe_parts, sizeof *f->parts, by_length);
    qsort(f->regions, p->nregions, sizeof *f->regions, by_instructions);
    for (f->nregions = p->nregions; f->nregions && !f->regions[f->nregions - 1].instructions;)
        f->nregions--;
}

/* --- streams --- */

static int by_stream(const void *a, const void *b)
{
    const struct cc_rec_flow *x = a, *y = b;
    const uint32_t keys[][2] = {{x->producer, y->producer},
                                {x->consumer, y->consumer},
                                {x->consumer_frame, y->consumer_frame},
                                {x->producer_frame, y->producer_frame}};
    for (size_t i = 0; i < CC_COUNT(keys); i++)
        if (keys[i][0] != keys[i][1])
            return keys[i][0] < keys[i][1] ? -1 : 1;
    return 0;
}

static int by_bytes(const void *a, const void *b)
{
    const struct cc_frame_stream *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return by_stream(x->entries, y->entries);
}

static int by_frame(const void *a, const void *b)
{
    const struct cc_frame_use *x = a, *y = b;
    return x->frame < y->frame ? -1 : x->frame > y->frame;
}

static const char *end_name(const struct cc_profile *p, enum cc_level by, uint32_t id, const char **names)
{
    uint32_t at;
    enum cc_node_kind kind = cc_profile_end(p, by, id, &at);
    return kind == CC_NODE_CONTEXT ? names[at] : cc_special_name(kind);
}

/* An entry concerns two frames, or one. */
static void add_uses(struct cc_frames *f, struct cc_frame_stream *s)
{
    struct cc_frame_use *uses = s->uses = cc_arena_alloc(&f->arena, (2 * s->nentries + 1) * sizeof *uses);
    size_t n = 0;
    for (size_t i = 0; i < s->nentries; i++) {
        const struct cc_rec_flow *e = &s->entries[i];
        if (e->producer_frame == e->consumer_frame) {
            uses[n++] = (struct cc_frame_use){.frame = e->consumer_frame, .intra = e->bytes};
            continue;
        }
        uses[n++] = (struct cc_frame_use){.frame = e->consumer_frame, .earlier = e->bytes};
        uses[n++] = (struct cc_frame_use){.frame = e->producer_frame, .later = e->bytes};
    }
    qsort(uses, n, sizeof *uses, by_frame);
    for (size_t i = 0; i < n; i++) {
        struct cc_frame_use *u = s->nuses ? &uses[s->nuses - 1] : NULL;
        if (!u || u->frame != uses[i].frame) {
            uses[s->nuses++] = uses[i];
            continue;
        }
        u->intra += uses[i].intra;
        u->earlier += uses[i].earlier;
        u->later += uses[i].later;
    }
    for (size_t i = 0; i < s->nuses; i++) {
        uint64_t read = uses[i].intra + uses[i].earlier;
        s->intra += uses[i].intra;
        if (read > s->peak_bytes) {
            s->peak_bytes = read;
            s->peak = uses[i].frame;
        }
    }
}

static void choose(struct cc_frames *f, struct cc_frame_stream *all, size_t n, const bool *match,
                   const struct cc_filter *filter)
{
    f->streams = cc_arena_alloc(&f->arena, (n + 1) * sizeof *f->streams);
    for (size_t i = 0; i < n; i++) {
        if (match && !match[i])
            continue;
        if ((double)all[i].bytes < filter->min_share * (double)f->between ||
            (filter->top && f->nstreams >= filter->top)) {
            f->hidden++;
            f->hidden_bytes += all[i].bytes;
            continue;
        }
        add_uses(f, &all[i]);
        f->streams[f->nstreams++] = all[i];
    }
}

static int focus_on(struct cc_frame_stream *all, size_t n, const char *focus, bool *keep, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) const char **names = cc_alloc_array(2 * n + 1, sizeof *names);
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(2 * n + 1, sizeof *match);
    for (size_t i = 0; i < n; i++) {
        names[2 * i] = all[i].from;
        names[2 * i + 1] = all[i].to;
    }
    int rc = cc_names_focus(focus, names, 2 * n, match, err);
    for (size_t i = 0; i < n; i++)
        keep[i] = match[2 * i] || match[2 * i + 1];
    return rc;
}

static int add_streams(struct cc_frames *f, const struct cc_profile *p, const struct cc_filter *filter,
                       struct cc_err *err)
{
    const char **names = f->by == CC_LEVEL_FUNCTION ? cc_names_functions(p, &f->arena) : f->region_names;
    struct cc_rec_flow *flows = cc_arena_alloc(&f->arena, (p->nflows + 1) * sizeof *flows);
    CC_VEC(struct cc_frame_stream) all = {0};
    size_t n = 0;
    for (size_t i = 0; i < p->nflows; i++)
        if (p->flows[i].level == (uint32_t)f->by)
            flows[n++] = p->flows[i];
    qsort(flows, n, sizeof *flows, by_stream);
    for (size_t i = 0, end; i < n; i = end) {
        struct cc_frame_stream s = {.from = end_name(p, f->by, flows[i].producer, names),
                                    .to = end_name(p, f->by, flows[i].consumer, names),
                                    .self = flows[i].producer == flows[i].consumer,
                                    .entries = &flows[i]};
        for (end = i;
             end < n && flows[end].producer == flows[i].producer && flows[end].consumer == flows[i].consumer;
             end++)
            s.bytes += flows[end].bytes;
        s.nentries = end - i;
        f->between += s.self ? 0 : s.bytes;
        CC_VEC_PUSH(&all, s);
    }
    if (all.n)
        qsort(all.v, all.n, sizeof *all.v, by_bytes);
    CC_CLEANUP(cc_free_ptr) bool *keep = cc_alloc_array(all.n + 1, sizeof *keep);
    int rc = filter->focus ? focus_on(all.v, all.n, filter->focus, keep, err) : 0;
    if (rc == 0)
        choose(f, all.v, all.n, filter->focus ? keep : NULL, filter);
    CC_VEC_FINI(&all);
    return rc;
}

/* --- the whole --- */

int cc_frames_build(const struct cc_profile *p, enum cc_level by, const struct cc_filter *filter,
                    struct cc_frames **ret, struct cc_err *err)
{
    int rc = cc_names_frames(p, err);
    if (rc == 0 && by != CC_LEVEL_FUNCTION && by != CC_LEVEL_REGION)
        rc = cc_err_set(err, CC_EUSAGE, "frames are known by function and by region, not by %s",
                        cc_level_names[by]);
    if (rc < 0)
        return rc;
    struct cc_frames *f = cc_alloc(sizeof *f);
    f->by = by;
    f->frames = p->frames;
    f->nframes = p->nframes;
    f->cut = p->frames_cut;
    f->region_names = cc_names_regions(p, &f->arena);
    add_parts(f, p);
    rc = add_streams(f, p, filter, err);
    if (rc < 0) {
        cc_frames_free(f);
        return rc;
    }
    *ret = f;
    return 0;
}

void cc_frames_free(struct cc_frames *f)
{
    if (!f)
        return;
    cc_arena_fini(&f->arena);
    free(f);
}

static int longest_first(const void *a, const void *b)
{
    const struct cc_rec_frame *x = *(const struct cc_rec_frame *const *)a,
                              *y = *(const struct cc_rec_frame *const *)b;
    if (x->length != y->length)
        return x->length > y->length ? -1 : 1;
    return x->id < y->id ? -1 : x->id > y->id;
}

size_t cc_frames_choose(const struct cc_frames *f, size_t most, bool *shown)
{
    size_t n = f->nframes, count = 0;
    if (n <= most) {
        memset(shown, true, n * sizeof *shown);
        return n;
    }
    CC_CLEANUP(cc_free_ptr) const struct cc_rec_frame **order = cc_alloc_array(n, sizeof *order);
    for (size_t i = 0; i < n; i++)
        order[i] = &f->frames[i];
    qsort(order, n, sizeof *order, longest_first);
    size_t edge = most / 4;
    for (size_t i = 0; i < edge; i++)
        shown[i] = shown[n - 1 - i] = shown[order[i]->id] = shown[order[n - 1 - i]->id] = true;
    for (size_t i = 0; i < n; i++)
        count += shown[i];
    return count;
}
