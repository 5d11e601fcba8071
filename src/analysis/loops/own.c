#include "own.h"
#include "group.h"
#include "../../base/map.h"

/* --- the loop each piece of code is in --- */

struct range { /* as executed */
    uint64_t start, end;
    uint32_t loop;
};

static int by_start(const void *a, const void *b)
{
    const struct range *x = a, *y = b;
    return (x->start > y->start) - (x->start < y->start);
}

static struct range *ranges(const struct cc_profile *p)
{
    struct range *all = cc_alloc_array(p->nloop_blocks + 1, sizeof *all);
    for (size_t i = 0; i < p->nloop_blocks; i++) {
        const struct cc_rec_loop_block *b = &p->loop_blocks[i];
        uint64_t bias = p->binaries[p->loops[b->loop].binary].bias;
        all[i] = (struct range){b->start + bias, b->end + bias, b->loop};
    }
    qsort(all, p->nloop_blocks, sizeof *all, by_start);
    return all;
}

static uint32_t loop_at(const struct range *all, size_t n, uint64_t address)
{
    size_t lo;
    CC_FIRST(lo, n, all[lo].start > address);
    return lo && address < all[lo - 1].end ? all[lo - 1].loop : CC_NONE;
}

/* --- paths --- */

static uint32_t path_of(struct cc_loop_own *o, struct cc_map *known, uint32_t parent, uint32_t group)
{
    bool fresh;
    uint64_t *at = cc_map_put(known, (uint64_t)parent << 32 | group, &fresh);
    if (fresh) {
        *at = o->paths.n;
        CC_VEC_PUSH(&o->paths, ((struct cc_loop_path){.parent = parent, .group = group}));
    }
    return (uint32_t)*at;
}

/* The path of each of the profile's loops. An outer loop comes first; one that the compiler made from the
 * same statement as the loop around it, or that is none, is that. */
static uint32_t *find_paths(struct cc_loop_own *o, const struct cc_profile *p, const struct groups *g)
{
    uint32_t *of = cc_alloc_array(p->nloops + 1, sizeof *of);
    struct cc_map known = {0};
    for (size_t i = 0; i < p->nloops; i++) {
        uint32_t outer = p->loops[i].outer == CC_NONE ? CC_NONE : of[p->loops[i].outer];
        bool same = g->of[i] == CC_NONE || (outer != CC_NONE && o->paths.v[outer].group == g->of[i]);
        of[i] = same ? outer : path_of(o, &known, outer, g->of[i]);
    }
    cc_map_fini(&known);
    return of;
}

static void name_paths(struct cc_loop_own *o, const struct groups *g)
{
    struct cc_loop *named = cc_alloc_array(g->v.n + 1, sizeof *named);
    for (size_t i = 0; i < g->v.n; i++)
        cc_loop_sum(g, i, &named[i], &o->arena);
    for (size_t i = 0; i < o->paths.n; i++) {
        struct cc_loop_path *x = &o->paths.v[i];
        const struct cc_loop *l = &named[x->group];
        x->id = l->id;
        x->file = l->file;
        x->line = l->line;
        x->times = l->invocations;
    }
    free(named);
}

/* By block of code. One that runs on into a loop, as qemu's do, is where it begins. */
static uint32_t *block_paths(struct cc_loop_own *o, const struct cc_profile *p,
                             const struct cc_source_loops *sources)
{
    struct groups g;
    cc_loop_groups(p, sources, &g);
    CC_CLEANUP(cc_free_ptr) uint32_t *of_loop = find_paths(o, p, &g);
    CC_CLEANUP(cc_free_ptr) struct range *code = ranges(p);
    uint32_t *of = cc_alloc_array(p->nblocks + 1, sizeof *of);
    for (size_t i = 0; i < p->nblocks; i++) {
        uint32_t loop = loop_at(code, p->nloop_blocks, p->blocks[i].address);
        of[i] = loop == CC_NONE ? CC_NONE : of_loop[loop];
    }
    name_paths(o, &g);
    cc_loop_groups_fini(&g);
    return of;
}

/* --- shares of contexts --- */

struct portion { /* of a function */
    uint32_t function, path;
    uint64_t left, given;
    bool more; /* rounded down */
};

struct sharing {
    CC_VEC(struct portion) v; /* by function; what is in no loop is the last of each */
    size_t *first;            /* by function, and one more */
    uint64_t *left;           /* by function: own instructions of contexts to come */
    uint32_t *contexts;       /* by function: how many have own instructions */
};

static bool sum_contexts(struct sharing *s, const struct cc_profile *p)
{
    bool fine = true;
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *x = &p->contexts[i];
        fine = fine && !__builtin_add_overflow(s->left[x->function], x->exclusive, &s->left[x->function]);
        s->contexts[x->function] += x->exclusive > 0;
    }
    return fine;
}

/* Loops get no more than the contexts have; what is left is in no loop. */
static void portion_out(struct sharing *s, const struct cc_profile *p, const struct cc_line_sums *lines)
{
    size_t at = 0;
    for (uint32_t f = 0; f < p->nfunctions; f++) {
        uint64_t left = s->left[f];
        s->first[f] = s->v.n;
        for (; at < lines->n && lines->v[at].function == f; at++) {
            const struct cc_line_sum *x = &lines->v[at];
            if (x->part == CC_NONE)
                continue;
            if (s->v.n == s->first[f] || s->v.v[s->v.n - 1].path != x->part)
                CC_VEC_PUSH(&s->v, ((struct portion){.function = f, .path = x->part}));
            uint64_t more = CC_MIN(left, x->counts.instructions);
            s->v.v[s->v.n - 1].left += more;
            left -= more;
        }
        CC_VEC_PUSH(&s->v, ((struct portion){.function = f, .path = CC_NONE, .left = left}));
    }
    s->first[p->nfunctions] = s->v.n;
}

/* In proportion to what is left, rounded so that nothing is lost: the last context gets the rest. */
static void share_context(struct sharing *s, struct cc_loop_own *o, uint32_t context,
                          const struct cc_pcontext *x)
{
    struct portion *first = &s->v.v[s->first[x->function]], *end = &s->v.v[s->first[x->function + 1]];
    uint64_t missing = x->exclusive;
    for (struct portion *k = first; k < end && x->exclusive; k++) {
        unsigned __int128 product = (unsigned __int128)k->left * x->exclusive;
        k->given = (uint64_t)(product / s->left[x->function]);
        k->more = product % s->left[x->function] != 0;
        missing -= k->given;
    }
    for (struct portion *k = first; k < end && x->exclusive; k++) {
        uint64_t one = k->more && missing ? 1 : 0;
        missing -= one;
        k->given += one;
        k->left -= k->given;
        if (k->given)
            CC_VEC_PUSH(&o->shares, ((struct cc_loop_share){context, k->path, k->given}));
    }
    s->left[x->function] -= x->exclusive;
}

static int share(struct cc_loop_own *o, const struct cc_profile *p, struct cc_err *err)
{
    struct sharing s = {.first = cc_alloc_array(p->nfunctions + 1, sizeof *s.first),
                        .left = cc_alloc_array(p->nfunctions + 1, sizeof *s.left),
                        .contexts = cc_alloc_array(p->nfunctions + 1, sizeof *s.contexts)};
    int rc = 0;
    if (sum_contexts(&s, p)) {
        portion_out(&s, p, o->lines);
        for (uint32_t f = 0; f < p->nfunctions; f++)
            o->estimated = o->estimated || (s.contexts[f] > 1 && s.first[f + 1] - s.first[f] > 1);
        for (uint32_t i = 0; i < p->ncontexts; i++)
            share_context(&s, o, i, &p->contexts[i]);
    } else {
        rc = cc_err_at(err, CC_EINPUT, p->path, 0, "the instructions of calls are out of range");
    }
    CC_VEC_FINI(&s.v);
    free(s.first);
    free(s.left);
    free(s.contexts);
    return rc;
}

int cc_loop_own(const struct cc_profile *p, const struct cc_source_loops *sources, struct cc_loop_own **ret,
                struct cc_err *err)
{
    if (!p->loops_known) {
        int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "no loops were recorded");
        cc_err_hint(err, "record the program again, with --loops count");
        return rc;
    }
    struct cc_loop_own *o = cc_alloc(sizeof *o);
    CC_CLEANUP(cc_free_ptr) uint32_t *part = block_paths(o, p, sources);
    int rc = cc_line_sums(p, &(struct cc_line_request){.by_function = true, .part = part}, &o->lines, err);
    if (rc == 0)
        rc = share(o, p, err);
    if (rc == 0)
        *ret = o;
    else
        cc_loop_own_free(o);
    return rc;
}

void cc_loop_own_free(struct cc_loop_own *o)
{
    if (!o)
        return;
    CC_VEC_FINI(&o->paths);
    CC_VEC_FINI(&o->shares);
    cc_line_sums_free(o->lines);
    cc_arena_fini(&o->arena);
    free(o);
}
