#include "work.h"
#include "../../profile/names.h"

#include <math.h>

struct candidate {
    uint32_t id;
    uint64_t weight;
};

static int by_weight(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->id < y->id ? -1 : 1;
}

static void add_counts(struct cc_class_counts *to, const struct cc_class_counts *x)
{
    to->instructions += x->instructions;
    for (size_t k = 0; k < CC_CLASSES; k++)
        to->n[k] += x->n[k];
    to->other += x->other;
    to->unknown += x->unknown;
    to->combined += x->combined;
    to->operands += x->operands;
    to->memory_operands += x->memory_operands;
    to->chained += x->chained;
}

static const struct cc_class_counts *counts_of(const struct cc_classes *c, enum cc_level level, size_t i)
{
    return level == CC_LEVEL_FUNCTION ? &c->functions[i] : &c->regions[i].counts;
}

/* part_of[i]: the part of function or region i. */
static void choose(struct cc_work *w, const struct cc_classes *c, const struct cc_profile *p,
                   enum cc_level level, size_t top, size_t *part_of)
{
    bool functions = level == CC_LEVEL_FUNCTION;
    size_t n = functions ? c->nfunctions : c->nregions, kept = 0, candidates = 0;
    const char **names = functions ? cc_names_functions(p, &w->arena) : NULL;
    CC_CLEANUP(cc_free_ptr) struct candidate *all = cc_alloc_array(n + 1, sizeof *all);
    for (uint32_t i = 0; i < n; i++)
        if (!(functions && i == 0) && counts_of(c, level, i)->instructions)
            all[candidates++] = (struct candidate){i, counts_of(c, level, i)->instructions};
    qsort(all, candidates, sizeof *all, by_weight);
    kept = CC_MIN(CC_MIN(top, candidates), (size_t)CC_WORK_MAX_PARTS);
    w->parts = cc_arena_alloc(&w->arena, (kept + 1) * sizeof *w->parts);
    for (size_t i = 0; i < n; i++)
        part_of[i] = kept;
    for (size_t k = 0; k < kept; k++) {
        uint32_t id = all[k].id;
        part_of[id] = k;
        w->parts[k].name = functions ? names[id] : cc_arena_strdup(&w->arena, c->regions[id].name);
    }
    struct cc_work_part *rest = &w->parts[kept];
    for (size_t i = 0; i < n; i++) {
        struct cc_work_part *part = &w->parts[part_of[i]];
        if (counts_of(c, level, i)->instructions == 0)
            continue;
        add_counts(&part->counts, counts_of(c, level, i));
        part->members++;
    }
    rest->name = "<rest>";
    w->rest = rest->members ? kept : SIZE_MAX;
    w->nparts = kept + (rest->members > 0);
    w->total = c->total;
}

static int by_ends(const void *a, const void *b)
{
    const struct cc_work_stream *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static size_t end_part(const struct cc_profile *p, enum cc_level level, uint32_t end, const size_t *part_of)
{
    uint32_t id;
    return cc_profile_end(p, level, end, &id) == CC_NODE_CONTEXT ? part_of[id] : SIZE_MAX;
}

static void add_streams(struct cc_work *w, const struct cc_profile *p, enum cc_level level,
                        const size_t *part_of)
{
    size_t n = 0;
    struct cc_work_stream *s = cc_alloc_array(p->nedges[level] + 1, sizeof *s);
    for (size_t i = 0; i < p->nedges[level]; i++) {
        const struct cc_pedge *e = &p->edges[level][i];
        size_t from = end_part(p, level, e->producer, part_of), to = end_part(p, level, e->consumer, part_of);
        if (from == to)
            continue;
        if (from < w->nparts)
            w->parts[from].out += e->fresh;
        if (to < w->nparts)
            w->parts[to].in += e->fresh;
        if (from < w->nparts && to < w->nparts)
            s[n++] = (struct cc_work_stream){from, to, e->fresh, e->unma, e->has_unma};
    }
    qsort(s, n, sizeof *s, by_ends);
    w->streams = cc_arena_alloc(&w->arena, (n + 1) * sizeof *s);
    for (size_t i = 0; i < n; i++) {
        struct cc_work_stream *last = w->nstreams ? &w->streams[w->nstreams - 1] : NULL;
        if (!last || by_ends(last, &s[i]) != 0) {
            w->streams[w->nstreams++] = s[i];
            continue;
        }
        last->fresh += s[i].fresh; /* of the rest: its members' addresses may overlap, so this is a bound */
        last->unma += s[i].unma;
        last->has_unma &= s[i].has_unma;
    }
    free(s);
}

/* Reuse distances are known by function. */
static void add_reuse(struct cc_work *w, const struct cc_profile *p, const size_t *part_of)
{
    w->has_reuse = p->nreuse > 0;
    for (size_t i = 0; i < p->nreuse; i++) {
        size_t part = part_of[p->reuse[i].function];
        if (part < w->nparts)
            w->parts[part].reuse[p->reuse[i].distance] += p->reuse[i].count;
    }
}

int cc_work_build(const struct cc_profile *p, enum cc_level level, size_t top, struct cc_work **ret,
                  struct cc_err *err)
{
    struct cc_classes *c;
    int rc = cc_classes_build(p, &c, err);
    if (rc < 0)
        return rc;
    struct cc_work *w = cc_alloc(sizeof *w);
    size_t n = level == CC_LEVEL_FUNCTION ? c->nfunctions : c->nregions;
    CC_CLEANUP(cc_free_ptr) size_t *part_of = cc_alloc_array(n + 1, sizeof *part_of);
    choose(w, c, p, level, top, part_of);
    add_streams(w, p, level, part_of);
    if (level == CC_LEVEL_FUNCTION)
        add_reuse(w, p, part_of);
    cc_classes_free(c);
    *ret = w;
    return 0;
}

void cc_work_free(struct cc_work *w)
{
    if (!w)
        return;
    cc_arena_fini(&w->arena);
    free(w);
}

/* Lines that a cache of so many bytes does not hold when they are wanted. */
static double missed(const struct cc_work_part *part, double cache)
{
    double n = (double)part->reuse[CC_REUSE_FAR] + (double)part->reuse[CC_REUSE_COLD];
    for (uint32_t j = 0; j < CC_REUSE_CLASSES; j++)
        if ((double)cc_reuse_bound(j) * CC_LOCALITY_LINE > cache)
            n += (double)part->reuse[j];
    return n;
}

struct cc_kernels *cc_work_kernels(const struct cc_work *w, const char *path, double elements,
                                   const struct cc_work_caches *caches)
{
    struct cc_kernels *ks = cc_kernels_new(path);
    for (size_t i = 0; i < w->nparts; i++) {
        const struct cc_work_part *part = &w->parts[i];
        struct cc_kernel k = {.name = cc_arena_strdup(&ks->arena, part->name),
                              .bytes = ((double)part->in + (double)part->out) / elements,
                              .parallel = CC_P0,
                              .iterations = 1,
                              .inner = 1,
                              .file = ks->path};
        for (size_t c = 0; c < CC_CLASSES; c++)
            k.n[c] = (double)part->counts.n[c] / elements;
        k.chained = (double)part->counts.chained / elements;
        k.has_missed = w->has_reuse && caches->last > 0;
        k.missed = k.has_missed ? missed(part, caches->last) * CC_LOCALITY_LINE / elements : 0;
        k.missed_first = k.has_missed ? missed(part, caches->first) / elements : 0;
        CC_VEC_PUSH(&ks->v, k);
    }
    return ks;
}
