#include "replay.h"

#include "../../base/text.h"

/* Deep recursion makes long paths; only so many names nearest to the region are shown. */
enum { MAX_SHOWN = 64 };

uint32_t cc_eng_path(struct engine *e, uint32_t parent, uint32_t name)
{
    bool is_new;
    uint64_t *at = cc_map_put(&e->path_index, (uint64_t)parent << 32 | name, &is_new);
    if (is_new) {
        struct path p = {parent, name};
        *at = e->paths.n;
        CC_VEC_PUSH(&e->paths, p);
    }
    return (uint32_t)*at;
}

struct region *cc_eng_region(struct engine *e, uint32_t path, const struct bound *b)
{
    bool is_new;
    uint64_t *at = cc_map_put(&e->region_index, path, &is_new);
    if (is_new) {
        struct region r = {.path = path, .b = b, .depth = 0};
        uint32_t up = e->paths.v[path].parent;
        for (unsigned i = 0; i < MAX_SHOWN && up != UINT32_MAX; i++, up = e->paths.v[up].parent)
            r.depth += cc_map_get(&e->region_index, up) != NULL;
        *at = e->regions.n;
        CC_VEC_PUSH(&e->regions, r);
    }
    return &e->regions.v[*at];
}

static const char *path_text(struct engine *e, struct cc_arena *a, uint32_t path)
{
    CC_VEC(uint32_t) chain = {0};
    uint32_t at = path;
    for (; at != UINT32_MAX && at != 0 && chain.n < MAX_SHOWN; at = e->paths.v[at].parent)
        CC_VEC_PUSH(&chain, e->paths.v[at].name);
    struct cc_buf b = {0};
    if (at != UINT32_MAX && at != 0)
        cc_buf_puts(&b, "… > ");
    for (size_t i = chain.n; i-- > 0;) {
        cc_buf_puts(&b, e->h->names[chain.v[i]]);
        if (i)
            cc_buf_puts(&b, " > ");
    }
    const char *text = cc_arena_strdup(a, b.s ? b.s : "");
    cc_buf_fini(&b);
    CC_VEC_FINI(&chain);
    return text;
}

/* As the scenario has it; of tiles, the size that was found. */
static const char *directive_text(struct cc_arena *a, const struct bound *b)
{
    if (!b->tiled)
        return b->d->text;
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_asprintf("tile(%lld, %lld)", (long long)b->tiled->x, (long long)b->tiled->y);
    return cc_arena_strdup(a, text);
}

static void put_regions(struct engine *e, struct cc_predict_schedule *ret)
{
    ret->nregions = e->regions.n;
    ret->regions = cc_arena_alloc(ret->arena, (e->regions.n + 1) * sizeof *ret->regions);
    for (size_t i = 0; i < e->regions.n; i++) {
        const struct region *r = &e->regions.v[i];
        struct cc_predict_region *out = &ret->regions[i];
        out->path = path_text(e, ret->arena, r->path);
        out->directive = directive_text(ret->arena, r->b);
        out->depth = r->depth;
        out->calls = r->calls;
        out->processors = r->calls ? r->threads / (double)r->calls : 0;
        out->time = r->time;
        memcpy(out->stack, r->stack, sizeof out->stack);
    }
}

void cc_eng_results(struct engine *e, struct cc_predict_schedule *ret)
{
    ret->arena = cc_alloc(sizeof *ret->arena);
    ret->processors = e->nprocs;
    if (e->strands[0].context) { /* units may still be at what they were given without waiting */
        cc_ticks until = e->strands[0].context->until;
        e->offload.waited += CC_MAX(until - e->strands[0].time, 0);
        cc_eng_wait_until(e, &e->strands[0], until, CC_PART_SEQUENTIAL);
    }
    ret->time = e->strands[0].time;
    for (unsigned p = 0; p < e->nprocs; p++) {
        cc_eng_wait_until(e, &e->strands[p], ret->time, CC_PART_SEQUENTIAL);
        for (int i = 0; i < CC_PARTS; i++)
            ret->parts[i] += e->strands[p].part[i];
    }
    for (int i = 0; i < CC_PARTS; i++)
        ret->stack[i] = (double)ret->parts[i] / (1 << CC_TICK_BITS) / e->nprocs;
    /* of the processors' work: what hardware blocks save is a gain of its own */
    double sequential = CC_TICKS_TO_F64(e->m->sequential - e->saved), time = CC_TICKS_TO_F64(ret->time);
    double parallel = sequential - ret->stack[CC_PART_SEQUENTIAL];
    ret->speedup = time > 0 ? sequential / time : 1;
    ret->amdahl = sequential > 0 ? sequential / (ret->stack[CC_PART_SEQUENTIAL] + parallel / e->nprocs) : 1;
    ret->efficiency = ret->speedup / e->nprocs;
    ret->blocks = e->blocks;
    ret->gain = time > 0 ? CC_TICKS_TO_F64(e->m->sequential) / time : 1;
    put_regions(e, ret);
    /* at work: the sequential part on one processor, and in regions all but waiting; a processor that another
     * one's sequential part leaves alone, or that waits for a unit, rests */
    cc_wide_ticks busy = e->strands[0].part[CC_PART_SEQUENTIAL] + ret->parts[CC_PART_PROCESSING] +
                         ret->parts[CC_PART_OVERHEAD] + ret->parts[CC_PART_CONTENTION] - e->offload.waited;
    cc_wide_ticks all = (cc_wide_ticks)ret->time * e->nprocs;
    ret->energy = cc_model_energy(e->m, &(struct model_use){.busy = busy,
                                                            .waiting = all - busy,
                                                            .time = ret->time,
                                                            .accesses = e->joules,
                                                            .units = e->offload.joules,
                                                            .bytes = e->bytes + e->offload.bytes});
    ret->dma =
        (struct cc_predict_dma){.transfers = e->transfers, .bytes = e->bytes, .clusters = e->nclusters};
    for (unsigned c = 0; c < 2 * e->nclusters; c++)
        ret->dma.busy[c % 2] += CC_TICKS_TO_F64(e->channel[c].busy);
    ret->offload = e->offload;
    ret->orphans = cc_arena_alloc(ret->arena, (e->p->s->n + 1) * sizeof *ret->orphans);
    for (size_t i = 0; i < e->p->s->n; i++)
        if (e->orphan[i])
            ret->orphans[ret->norphans++] = &e->p->s->directives[i];
    ret->lone = cc_arena_alloc(ret->arena, (e->p->s->n + 1) * sizeof *ret->lone);
    for (size_t i = 0; i < e->p->s->n; i++)
        if (e->loops[i] == LOOP_MET)
            ret->lone[ret->nlone++] = &e->p->s->directives[i];
    ret->segments = e->segments.v;
    ret->nsegments = e->segments.n;
    ret->segments_cut = e->cut;
    e->segments.v = NULL;
}

void cc_predict_schedule_fini(struct cc_predict_schedule *s)
{
    if (s->arena)
        cc_arena_fini(s->arena);
    free(s->arena);
    free(s->segments);
    *s = (struct cc_predict_schedule){0};
}
