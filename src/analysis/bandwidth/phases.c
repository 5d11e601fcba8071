/* Phases: neighbouring slices whose traffic is shared alike among the functions. README.md has the rules. */
#include "bandwidth.h"

enum { MAX_KINDS = 64 }; /* beyond, phases are not compared any more: each is a kind of its own */
static const double alike = 0.5, related = 0.1, least_part = 0.01;

typedef CC_VEC(struct cc_phase_part) part_list;

struct vector { /* bytes of functions, by function */
    part_list parts;
    double sum;
};

struct segment {
    uint32_t first, last;
    struct vector v;
};

static void vector_add(struct vector *v, const struct cc_phase_part *parts, size_t n)
{
    part_list sum = {0};
    CC_VEC_RESERVE(&sum, v->parts.n + n);
    size_t i = 0, k = 0;
    while (i < v->parts.n || k < n) {
        struct cc_phase_part x;
        if (k == n || (i < v->parts.n && v->parts.v[i].function < parts[k].function)) {
            x = v->parts.v[i++];
        } else {
            x = parts[k];
            if (i < v->parts.n && v->parts.v[i].function == x.function)
                x.bytes += v->parts.v[i++].bytes;
            v->sum += (double)parts[k++].bytes;
        }
        CC_VEC_PUSH(&sum, x);
    }
    CC_VEC_FINI(&v->parts);
    v->parts = sum;
}

/* Shared shares over all shares, the sum of min over the sum of max (Ruzicka): 1 if the traffic is divided
 * the same way, 0 if no function is in both. Two without traffic are alike. */
static double similarity(const struct vector *a, const struct vector *b)
{
    if (a->sum <= 0 || b->sum <= 0)
        return a->sum <= 0 && b->sum <= 0;
    double common = 0;
    for (size_t i = 0, k = 0; i < a->parts.n && k < b->parts.n;) {
        const struct cc_phase_part *x = &a->parts.v[i], *y = &b->parts.v[k];
        if (x->function == y->function) {
            double s = (double)x->bytes / a->sum, t = (double)y->bytes / b->sum;
            common += CC_MIN(s, t);
        }
        i += x->function <= y->function;
        k += y->function <= x->function;
    }
    return common / (2 - common); /* shares sum to 1 on both sides, so min + max = 2 */
}

typedef CC_VEC(struct segment) segments;

static void join(struct segment *to, struct segment *from)
{
    to->first = CC_MIN(to->first, from->first);
    to->last = CC_MAX(to->last, from->last);
    vector_add(&to->v, from->v.parts.v, from->v.parts.n);
    CC_VEC_FINI(&from->v.parts);
}

/* A slice that is like what came before goes on with it. */
static void cut(const struct cc_rec_slice *items, size_t n, enum cc_traffic traffic, enum cc_stack_part stack,
                segments *out)
{
    for (size_t i = 0; i < n;) {
        struct segment s = {.first = items[i].slice, .last = items[i].slice};
        part_list parts = {0};
        for (; i < n && items[i].slice == s.first; i++) {
            uint64_t bytes = cc_bandwidth_bytes(&items[i], traffic, stack);
            if (bytes)
                CC_VEC_PUSH(&parts, (struct cc_phase_part){items[i].function, bytes});
        }
        vector_add(&s.v, parts.v, parts.n);
        CC_VEC_FINI(&parts);
        uint32_t next = out->n ? out->v[out->n - 1].last + 1 : 0;
        if (s.first > next) { /* slices without any traffic */
            struct segment idle = {.first = next, .last = s.first - 1};
            CC_VEC_PUSH(out, idle);
        }
        if (out->n && similarity(&out->v[out->n - 1].v, &s.v) >= alike)
            join(&out->v[out->n - 1], &s);
        else
            CC_VEC_PUSH(out, s);
    }
}

/* Neighbours that are alike after all. */
static void merge(segments *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        if (n && similarity(&s->v[n - 1].v, &s->v[i].v) >= alike)
            join(&s->v[n - 1], &s->v[i]);
        else
            s->v[n++] = s->v[i];
    }
    s->n = n;
}

/* A short stretch between two phases, where one fades into the other, goes to the one it is more like. */
static void absorb(segments *s, uint32_t nslices)
{
    uint32_t brief = CC_MAX(nslices / 100, 1u);
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++) {
        struct segment *x = &s->v[i];
        double before = n ? similarity(&s->v[n - 1].v, &x->v) : 0;
        double after = i + 1 < s->n ? similarity(&x->v, &s->v[i + 1].v) : 0;
        bool is_brief = x->last - x->first < brief;
        if (is_brief && before >= related && before >= after)
            join(&s->v[n - 1], x);
        else if (is_brief && after >= related)
            join(&s->v[i + 1], x);
        else
            s->v[n++] = *x;
    }
    s->n = n;
}

static int by_bytes(const void *a, const void *b)
{
    const struct cc_phase_part *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    return (x->function > y->function) - (x->function < y->function);
}

static void keep(struct cc_bandwidth *b, struct cc_phase *phase, const struct segment *s)
{
    *phase = (struct cc_phase){.first = s->first, .last = s->last, .kind = phase->kind};
    phase->parts = cc_arena_alloc(&b->arena, (s->v.parts.n + 1) * sizeof *phase->parts);
    for (size_t i = 0; i < s->v.parts.n; i++) {
        phase->bytes += s->v.parts.v[i].bytes;
        if ((double)s->v.parts.v[i].bytes >= least_part * s->v.sum)
            phase->parts[phase->nparts++] = s->v.parts.v[i];
    }
    qsort(phase->parts, phase->nparts, sizeof *phase->parts, by_bytes);
}

void cc_phases_find(struct cc_bandwidth *b, const struct cc_rec_slice *items, size_t n,
                    enum cc_traffic traffic, enum cc_stack_part stack)
{
    segments s = {0};
    cut(items, n, traffic, stack, &s);
    merge(&s);
    absorb(&s, b->nslices);
    merge(&s);
    struct vector kinds[MAX_KINDS] = {0};
    uint32_t compared = 0;
    b->phases = cc_arena_alloc(&b->arena, (s.n + 1) * sizeof *b->phases);
    b->nphases = s.n;
    for (size_t i = 0; i < s.n; i++) {
        uint32_t best = compared;
        double most = alike;
        for (uint32_t k = 0; k < compared; k++) {
            double like = similarity(&kinds[k], &s.v[i].v);
            if (like >= most && (like > most || best == compared)) {
                most = like;
                best = k;
            }
        }
        keep(b, &b->phases[i], &s.v[i]);
        if (best < compared) {
            b->phases[i].kind = best;
        } else {
            b->phases[i].kind = b->nkinds++;
            compared += compared < MAX_KINDS && b->phases[i].kind == compared;
        }
        if (b->phases[i].kind < MAX_KINDS)
            vector_add(&kinds[b->phases[i].kind], s.v[i].v.parts.v, s.v[i].v.parts.n);
        CC_VEC_FINI(&s.v[i].v.parts);
    }
    for (uint32_t k = 0; k < MAX_KINDS; k++)
        CC_VEC_FINI(&kinds[k].parts);
    CC_VEC_FINI(&s);
}
