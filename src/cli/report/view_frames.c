/* The run frame by frame. */
#include "view.h"
#include "frames_chart.h"

enum { MOST_FRAMES = 40, MOST_REGIONS = 5, SPARKS = 32 };

/* A bar of at most `width` blocks, with eighths. */
static const char *bar(double part, size_t width, char *out, size_t size)
{
    if (part > 1) {
        snprintf(out, size, "…");
        return out;
    }
    static const char *const eighths[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
    size_t steps = (size_t)(part * 8 * (double)width + 0.5), n = 0;
    for (size_t i = 0; i < steps / 8 && n + 8 < size; i++)
        n += (size_t)snprintf(out + n, size - n, "█");
    snprintf(out + n, size - n, "%s", eighths[steps % 8]);
    return out;
}

/* One sign for a frame from the first mark on, or for as many as needed to keep it short: their mean, over
 * the largest. */
static const char *spark(const struct cc_frames *f, const struct cc_frame_stream *s, char *out, size_t size)
{
    static const char *const signs[] = {"▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"};
    double sums[SPARKS] = {0}, most = 0;
    size_t frames = f->nframes - 1, per = CC_MAX((frames + SPARKS - 1) / SPARKS, (size_t)1),
           count = (frames + per - 1) / per, n = 0;
    for (size_t i = 0; i < s->nuses; i++)
        if (s->uses[i].frame)
            sums[(s->uses[i].frame - 1) / per] += (double)s->uses[i].intra + (double)s->uses[i].earlier;
    for (size_t i = 0; i < count; i++) {
        sums[i] /= (double)(CC_MIN((i + 1) * per, frames) - i * per);
        most = CC_MAX(most, sums[i]);
    }
    out[0] = 0;
    for (size_t i = 0; i < count; i++)
        n += (size_t)snprintf(out + n, size - n, "%s",
                              sums[i] <= 0 ? "·" : signs[(size_t)(7 * sums[i] / most + 0.5)]);
    return out;
}

/* --- the frames --- */

static const struct cc_col part_cols[] = {{"name", NULL, CC_COL_STR}, {"instructions", NULL, CC_COL_INT}};

/* Text has columns for the first regions, which JSON has in a table of each frame. */
struct columns {
    struct cc_col cols[MOST_REGIONS + 6];
    char *titles[MOST_REGIONS];
    size_t n, regions;
    bool others;
};

/* Names of regions as titles, cut where they are too long for one. */
static void make_columns(const struct cc_frames *f, struct columns *c)
{
    c->regions = f->nregions > 1 ? CC_MIN(f->nregions, (size_t)MOST_REGIONS) : 0;
    c->others = c->regions && f->nregions > c->regions;
    c->cols[c->n++] = (struct cc_col){"index", "frame", CC_COL_INT};
    c->cols[c->n++] = (struct cc_col){"start", "start", CC_COL_COUNT, .unit = "instructions"};
    c->cols[c->n++] = (struct cc_col){"length", "length", CC_COL_COUNT, .unit = "instructions"};
    c->cols[c->n++] =
        (struct cc_col){"regions", NULL, CC_COL_TABLE, .sub = part_cols, .nsub = CC_COUNT(part_cols)};
    for (size_t i = 0; i < c->regions; i++) {
        char *name = c->titles[i] = cc_text_safe(f->regions[i].name);
        size_t at = 0;
        while (name[at] && at < 16)
            at += CC_MAX(cc_utf8_length(name + at), (size_t)1);
        name[at] = 0;
        c->cols[c->n++] = (struct cc_col){NULL, name, CC_COL_COUNT};
    }
    if (c->others)
        c->cols[c->n++] = (struct cc_col){NULL, "(others)", CC_COL_COUNT};
    c->cols[c->n++] = (struct cc_col){NULL, "", CC_COL_STR};
}

static void put_parts(struct cc_table *t, const struct cc_frames *f, size_t i)
{
    for (size_t k = f->first[i]; k < f->first[i + 1]; k++) {
        cc_table_row(t);
        cc_table_str(t, f->region_names[f->parts[k]->region]);
        cc_table_u64(t, f->parts[k]->instructions);
    }
}

static void frame_row(struct cc_table *t, const struct cc_frames *f, const struct columns *c, size_t i,
                      uint64_t longest)
{
    char text[160];
    uint64_t values[MOST_REGIONS + 1] = {0};
    for (size_t k = f->first[i]; k < f->first[i + 1]; k++) {
        size_t at = 0;
        while (at < c->regions && f->regions[at].region != f->parts[k]->region)
            at++;
        values[at] += f->parts[k]->instructions;
    }
    cc_table_row(t);
    cc_table_u64(t, i);
    cc_table_u64(t, f->frames[i].start);
    cc_table_u64(t, f->frames[i].length);
    put_parts(cc_table_sub(t), f, i);
    for (size_t k = 0; k < c->regions + c->others; k++)
        cc_table_u64(t, values[k]);
    cc_table_str(
        t, bar((double)f->frames[i].length / (double)CC_MAX(longest, UINT64_C(1)), 20, text, sizeof text));
}

static void text_row(struct cc_table *t, const char *index)
{
    cc_table_row(t);
    cc_table_row_only(t, CC_ROW_TEXT);
    cc_table_null(t);
    cc_table_show(t, "%s", index);
}

static void ellipsis_row(struct cc_table *t, const struct columns *c)
{
    text_row(t, "…");
    for (size_t k = 1; k < c->n; k++)
        cc_table_absent(t);
}

static void total_row(struct cc_table *t, const struct cc_frames *f, const struct columns *c)
{
    uint64_t length = 0, others = 0;
    for (size_t i = 0; i < f->nframes; i++)
        length += f->frames[i].length;
    text_row(t, "all");
    cc_table_null(t);
    cc_table_u64(t, length);
    cc_table_null(t);
    for (size_t k = 0; k < f->nregions; k++) {
        if (k < c->regions)
            cc_table_u64(t, f->regions[k].instructions);
        else
            others += f->regions[k].instructions;
    }
    if (c->others)
        cc_table_u64(t, others);
}

static void put_frames(const struct cc_frames *f, struct cc_result *r)
{
    struct columns c = {0};
    make_columns(f, &c);
    CC_CLEANUP(cc_free_ptr) bool *shown = cc_alloc_array(f->nframes + 1, sizeof *shown);
    size_t count = cc_frames_choose(f, MOST_FRAMES, shown);
    /* without what ran before the first mark, or after the last that was kept, which may dwarf them all */
    uint64_t longest = 0;
    for (size_t i = f->nframes > 1; i < f->nframes - (f->cut && f->nframes > 2); i++)
        longest = CC_MAX(longest, f->frames[i].length);
    struct cc_table *t = cc_result_table(r, "frames", c.cols, c.n);
    for (size_t i = 0; i < f->nframes; i++) {
        if (!shown[i] && shown[i - 1])
            ellipsis_row(t, &c);
        frame_row(t, f, &c, i, longest);
        cc_table_row_only(t, shown[i] ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
    }
    total_row(t, f, &c);
    if (count < f->nframes)
        cc_result_note(r,
                       "%zu frames between are not shown: these are the first, the last, the longest and the "
                       "shortest; --json lists all",
                       f->nframes - count);
    for (size_t i = 0; i < c.regions; i++)
        free(c.titles[i]);
}

/* --- the streams --- */

static void put_streams(const struct cc_frames *f, struct cc_result *r)
{
    static const struct cc_col cols[] = {{"from", NULL, CC_COL_STR},
                                         {"to", NULL, CC_COL_STR},
                                         {"producer_frame", NULL, CC_COL_INT},
                                         {"consumer_frame", NULL, CC_COL_INT},
                                         {"bytes", NULL, CC_COL_BYTES}};
    struct cc_table *t = cc_result_table(r, "streams", cols, CC_COUNT(cols));
    for (size_t i = 0; i < f->nstreams; i++) {
        const struct cc_frame_stream *s = &f->streams[i];
        for (size_t k = 0; k < s->nentries; k++) {
            cc_table_row(t);
            cc_table_str(t, s->from);
            cc_table_str(t, s->to);
            cc_table_u64(t, s->entries[k].producer_frame);
            cc_table_u64(t, s->entries[k].consumer_frame);
            cc_table_u64(t, s->entries[k].bytes);
        }
    }
}

static void put_totals(const struct cc_frames *f, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"from", "from", CC_COL_STR},
        {"to", "to", CC_COL_STR},
        {"bytes", "bytes", CC_COL_BYTES},
        {NULL, "share", CC_COL_PERCENT, 1},
        {"intra", "same frame", CC_COL_BYTES, .meaning = "written in the frame that reads it"},
        {NULL, "from earlier", CC_COL_BYTES},
        {"peak_bytes", "most", CC_COL_BYTES, .meaning = "that one frame read"},
        {"peak_frame", "in frame", CC_COL_INT},
        {NULL, "read per frame", CC_COL_STR},
    };
    struct cc_table *t = cc_result_table(r, "totals", cols, CC_COUNT(cols));
    for (size_t i = 0; i < f->nstreams; i++) {
        const struct cc_frame_stream *s = &f->streams[i];
        char text[SPARKS * 4 + 1];
        cc_table_row(t);
        cc_table_str(t, s->from);
        cc_table_str(t, s->to);
        cc_table_u64(t, s->bytes);
        if (s->self || !f->between)
            cc_table_null(t);
        else
            cc_table_num(t, (double)s->bytes / (double)f->between);
        cc_table_u64(t, s->intra);
        cc_table_u64(t, s->bytes - s->intra);
        cc_table_u64(t, s->peak_bytes);
        cc_table_u64(t, s->peak);
        cc_table_str(t, spark(f, s, text, sizeof text));
    }
}

static void build(const struct cc_profile *p, const struct cc_frames *f, struct cc_result *r)
{
    char bytes[24];
    cc_view_caveats(p, r);
    cc_result_str(r, "by", cc_level_names[f->by]);
    cc_result_bool(r, "cut", f->cut);
    if (f->cut)
        cc_result_note(r,
                       "note: more frames than the collector keeps: frame %zu stands for all that followed",
                       f->nframes - 1);
    cc_result_gap(r);
    cc_result_note(r, "%zu frames; frame 0 is what ran before the first mark; lengths in instructions%s",
                   f->nframes - 1, f->nregions > 1 ? ", in each region without those inside it" : "");
    put_frames(f, r);
    cc_result_gap(r);
    cc_result_note(r, "%s read from another %s; shares are of that",
                   cc_human_bytes((double)f->between, bytes), cc_level_names[f->by]);
    put_streams(f, r);
    put_totals(f, r);
    if (f->hidden)
        cc_result_note(r, "%zu more stream%s with %s; --min-share 0 shows all", f->hidden,
                       cc_view_plural(f->hidden), cc_human_bytes((double)f->hidden_bytes, bytes));
}

int cc_view_frames(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 20, 0.01);
    enum cc_level by = rq->by_given ? rq->by : rq->p->nregions > 1 ? CC_LEVEL_REGION : CC_LEVEL_FUNCTION;
    struct cc_frames *f;
    int rc = cc_frames_build(rq->p, by, &filter, &f, err);
    if (rc < 0)
        return rc;
    build(rq->p, f, r);
    if (rq->svg)
        cc_draw_frames(f, rq->svg);
    cc_frames_free(f);
    return 0;
}
