#include "lines.h"
#include "../../base/map.h"

struct work {
    const struct cc_profile *p;
    const struct cc_line_request *rq;
    struct cc_map places; /* file and line -> 1 + id */
    struct cc_map parts;  /* part and place -> 1 + id */
    struct cc_map sums;   /* function and place -> 1 + index of `all` */
    uint32_t *place;      /* of each of p->lines */
    size_t *first;        /* of each block, and one more: its first of p->lines */
    CC_VEC(struct cc_line_sum) all;
    struct cc_line_counts total;
};

static uint32_t part_of(const struct work *w, uint32_t block)
{
    return w->rq->part ? w->rq->part[block] : CC_NONE;
}

/* Lines are by block. */
static void index_lines(struct work *w)
{
    const struct cc_profile *p = w->p;
    size_t at = 0;
    w->first = cc_alloc_array(p->nblocks + 1, sizeof *w->first);
    w->place = cc_alloc_array(p->nlines + 1, sizeof *w->place);
    for (size_t b = 0; b <= p->nblocks; b++) {
        while (at < p->nlines && p->lines[at].block < b)
            at++;
        w->first[b] = at;
    }
    for (size_t i = 0; i < p->nlines; i++) {
        const struct cc_rec_line *l = &p->lines[i];
        bool fresh;
        uint64_t *id = cc_map_put(
            &w->places, (uint64_t)l->file << 32 | (l->file == CC_NONE ? l->binary : l->line), &fresh);
        if (fresh)
            *id = w->places.n;
        id = cc_map_put(&w->parts, (uint64_t)part_of(w, l->block) << 32 | *id, &fresh);
        if (fresh)
            *id = w->parts.n;
        w->place[i] = (uint32_t)*id;
    }
}

static bool add(uint64_t *sum, uint64_t times, uint64_t each)
{
    uint64_t product;
    return !__builtin_mul_overflow(times, each, &product) && !__builtin_add_overflow(*sum, product, sum) &&
           *sum <= INT64_MAX;
}

static bool add_line(struct cc_line_counts *to, const struct cc_rec_line *l, uint64_t times)
{
    return add(&to->instructions, times, l->instructions) && add(&to->read, times, l->read) &&
           add(&to->written, times, l->written) && add(&to->conditional, times, l->conditional);
}

static bool add_exec(struct work *w, const struct cc_rec_exec *e)
{
    uint32_t function = w->rq->by_function ? e->function : CC_NONE;
    bool fine = true;
    for (size_t i = w->first[e->block]; fine && i < w->first[e->block + 1]; i++) {
        const struct cc_rec_line *l = &w->p->lines[i];
        bool fresh;
        uint64_t *slot = cc_map_put(&w->sums, (uint64_t)function << 32 | w->place[i], &fresh);
        if (fresh) {
            CC_VEC_PUSH(&w->all, ((struct cc_line_sum){.function = function,
                                                       .file = l->file,
                                                       .line = l->line,
                                                       .binary = l->binary,
                                                       .part = part_of(w, e->block)}));
            *slot = w->all.n;
        }
        fine = add_line(&w->all.v[*slot - 1].counts, l, e->count) && add_line(&w->total, l, e->count);
    }
    return fine;
}

static int by_place(const void *a, const void *b)
{
    const struct cc_line_sum *x = a, *y = b;
    if (x->function != y->function)
        return x->function < y->function ? -1 : 1;
    if (x->part != y->part)
        return x->part < y->part ? -1 : 1;
    if (x->file != y->file)
        return x->file < y->file ? -1 : 1;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    return (x->binary > y->binary) - (x->binary < y->binary);
}

static bool sum_up(struct work *w)
{
    index_lines(w);
    bool fine = true;
    for (size_t i = 0; fine && i < w->p->nexecs; i++)
        if (!w->rq->match || w->rq->match[w->p->execs[i].function])
            fine = add_exec(w, &w->p->execs[i]);
    if (w->all.n)
        qsort(w->all.v, w->all.n, sizeof *w->all.v, by_place);
    free(w->first);
    free(w->place);
    cc_map_fini(&w->places);
    cc_map_fini(&w->parts);
    cc_map_fini(&w->sums);
    return fine;
}

int cc_line_sums(const struct cc_profile *p, const struct cc_line_request *rq, struct cc_line_sums **ret,
                 struct cc_err *err)
{
    if (p->nlines == 0) {
        int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "it was recorded without the code that ran");
        cc_err_hint(err,
                    "record the program again, with the valgrind or the qemu engine and without --plain");
        return rc;
    }
    struct work w = {.p = p, .rq = rq};
    if (!sum_up(&w)) {
        CC_VEC_FINI(&w.all);
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the counts of executed code are out of range");
    }
    struct cc_line_sums *s = cc_alloc(sizeof *s);
    *s = (struct cc_line_sums){w.all.v, w.all.n, w.total};
    *ret = s;
    return 0;
}

void cc_line_sums_free(struct cc_line_sums *s)
{
    if (!s)
        return;
    free(s->v);
    free(s);
}
