#include "group.h"
#include "../../base/text.h"

#include <math.h>

/* --- which loop of the source --- */

bool cc_loop_same_file(const char *a, const char *b)
{
    if (!a || !b || strcmp(cc_text_base(a), cc_text_base(b)) != 0)
        return false;
    while (strncmp(a, "./", 2) == 0)
        a += 2;
    while (strncmp(b, "./", 2) == 0)
        b += 2;
    size_t m = strlen(a), n = strlen(b);
    return m < n ? strcmp(b + n - m, a) == 0 : strcmp(a + m - n, b) == 0;
}

/* Loops around this one, in its function, that are of the same line. */
static unsigned level_of(const struct cc_profile *p, uint32_t loop)
{
    const struct cc_ploop *l = &p->loops[loop];
    unsigned level = 0;
    for (uint32_t o = l->outer; o != CC_NONE; o = p->loops[o].outer)
        level += l->file && p->loops[o].file && p->loops[o].line == l->line &&
                 strcmp(p->loops[o].file, l->file) == 0;
    return level;
}

static bool inside(const struct cc_source_loop *a, const struct cc_source_loop *b)
{
    return a != b && a->line >= b->line && a->last_line <= b->last_line;
}

/* The statement with its test in this line; of several in one line, the one as deep as asked. Else the
 * innermost that holds the line and is not taken by a loop inside. */
static const struct cc_source_loop *find(const struct cc_source_loops *s, const struct cc_ploop *l,
                                         unsigned level, const struct cc_source_loop *around)
{
    const struct cc_source_loop *best = NULL, *holds = NULL;
    unsigned here = 0;
    for (size_t i = s->v.n; i-- > 0;) { /* the outer ones come last */
        const struct cc_source_loop *x = &s->v.v[i];
        if (!cc_loop_same_file(x->file, l->file))
            continue;
        if (l->line >= x->test_line && l->line <= x->test_last_line && (!best || here++ < level))
            best = x;
        bool fits = l->line >= x->line && l->line <= x->last_line && x != around;
        if (fits && (!holds || inside(x, holds)))
            holds = x;
    }
    return best ? best : holds;
}

/* --- groups --- */

static struct group *group_of(struct groups *g, const struct cc_ploop *l, unsigned level,
                              const struct cc_source_loop *source)
{
    for (size_t i = 0; l->file && i < g->v.n; i++) {
        struct group *x = &g->v.v[i];
        bool same = source ? x->source == source
                           : !x->source && x->line == l->line && x->level == level && x->file &&
                                 strcmp(x->file, l->file) == 0;
        if (same)
            return x;
    }
    CC_VEC_PUSH(
        &g->v, (struct group){.p = g->p, .source = source, .file = l->file, .line = l->line, .level = level});
    return &g->v.v[g->v.n - 1];
}

/* A tangle of jumps that never went round is nobody's loop. */
static bool is_loop(const struct cc_ploop *l)
{
    return !(l->flags & CC_LOOP_IRREDUCIBLE) || l->iterations > l->invocations;
}

/* --- the tree --- */

struct vote { /* a group ran inside another for so many instructions */
    uint32_t group, parent;
    uint64_t instructions;
};

static int by_pair(const void *a, const void *b)
{
    const struct vote *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    return (x->parent > y->parent) - (x->parent < y->parent);
}

static struct vote vote_of(const struct groups *g, const struct cc_ploop_node *n)
{
    uint32_t group = g->of[n->loop], up = n->parent;
    while (up != CC_NONE &&
           (g->of[g->p->loop_nodes[up].loop] == group || g->of[g->p->loop_nodes[up].loop] == CC_NONE))
        up = g->p->loop_nodes[up].parent;
    return (struct vote){group, up == CC_NONE ? CC_NONE : g->of[g->p->loop_nodes[up].loop],
                         n->instructions + 1};
}

/* Functions that call each other may put each loop into the other: the cycle is cut at what came first. */
static void cut_cycles(struct groups *g)
{
    for (uint32_t i = 0; i < g->v.n; i++) {
        uint32_t up = g->parent[i], least = i;
        for (size_t steps = 0; up != CC_NONE && up != i && steps < g->v.n; steps++) {
            least = CC_MIN(least, up);
            up = g->parent[up];
        }
        if (up == i && least == i)
            g->parent[i] = CC_NONE;
    }
}

/* The parent is the group it ran inside for the most instructions. */
static void find_parents(struct groups *g)
{
    size_t n = g->p->nloop_nodes;
    struct vote *votes = cc_alloc_array(n + 1, sizeof *votes);
    uint64_t *most = cc_alloc_array(g->v.n + 1, sizeof *most);
    g->parent = cc_alloc_array(g->v.n + 1, sizeof *g->parent);
    for (size_t i = 0; i < g->v.n; i++)
        g->parent[i] = CC_NONE;
    size_t cast = 0;
    for (size_t i = 0; i < n; i++)
        if (is_loop(&g->p->loops[g->p->loop_nodes[i].loop]))
            votes[cast++] = vote_of(g, &g->p->loop_nodes[i]);
    n = cast;
    qsort(votes, n, sizeof *votes, by_pair);
    for (size_t i = 0, k; i < n; i = k) {
        uint64_t sum = 0;
        for (k = i; k < n && by_pair(&votes[i], &votes[k]) == 0; k++)
            sum += votes[k].instructions;
        if (sum > most[votes[i].group]) {
            most[votes[i].group] = sum;
            g->parent[votes[i].group] = votes[i].parent;
        }
    }
    cut_cycles(g);
    free(votes);
    free(most);
}

void cc_loop_groups(const struct cc_profile *p, const struct cc_source_loops *sources, struct groups *ret)
{
    *ret = (struct groups){.p = p, .of = cc_alloc_array(p->nloops + 1, sizeof *ret->of)};
    for (uint32_t i = 0; i < p->nloops; i++) { /* the outer ones come first */
        const struct cc_ploop *l = &p->loops[i];
        uint32_t outer = l->outer == CC_NONE ? CC_NONE : ret->of[l->outer];
        const struct cc_source_loop *around = outer == CC_NONE ? NULL : ret->v.v[outer].source;
        ret->of[i] = outer;
        if (!is_loop(l))
            continue;
        unsigned level = level_of(p, i);
        const struct cc_source_loop *source = sources && l->file ? find(sources, l, level, around) : NULL;
        if (source && source == around)
            source = NULL; /* one statement cannot be both: nothing is known of the inner one */
        struct group *x = group_of(ret, l, level, source);
        CC_VEC_PUSH(&x->members, i);
        ret->of[i] = (uint32_t)(x - ret->v.v);
    }
    find_parents(ret);
}

void cc_loop_groups_fini(struct groups *g)
{
    for (size_t i = 0; i < g->v.n; i++)
        CC_VEC_FINI(&g->v.v[i].members);
    CC_VEC_FINI(&g->v);
    free(g->of);
    free(g->parent);
}

/* --- figures --- */

/* A loop that was split (a vector part and the rest, say) is entered once for both. */
static bool split_before(const struct groups *g, const struct group *x, size_t member)
{
    const struct cc_ploop *l = &g->p->loops[x->members.v[member]];
    for (size_t i = 0; i < member; i++) {
        const struct cc_ploop *o = &g->p->loops[x->members.v[i]];
        if (o->function == l->function && o->outer == l->outer)
            return true;
    }
    return false;
}

static const char *name_of(const struct groups *g, const struct group *x, struct cc_loop *l,
                           struct cc_arena *arena)
{
    const struct cc_ploop *first = &g->p->loops[l->first];
    char *name = !l->file        ? cc_asprintf("%s+0x%llx", cc_text_base(g->p->binaries[first->binary].path),
                                               (unsigned long long)first->header)
                 : x->level == 0 ? cc_asprintf("%s:%u", cc_text_base(l->file), l->line)
                                 : cc_asprintf("%s:%u#%u", cc_text_base(l->file), l->line, x->level + 1);
    const char *kept = cc_arena_strdup(arena, name);
    free(name);
    return kept;
}

static void add_member(const struct groups *g, const struct group *x, size_t member, struct cc_loop *ret,
                       double *squares)
{
    const struct cc_ploop *l = &g->p->loops[x->members.v[member]];
    double mean = l->iterations ? (double)l->instructions / (double)l->iterations : 0;
    ret->invocations = split_before(g, x, member) ? CC_MAX(ret->invocations, l->invocations)
                                                  : ret->invocations + l->invocations;
    ret->iterations += l->iterations;
    ret->instructions += l->instructions;
    ret->bytes_read += l->bytes_read;
    ret->bytes_written += l->bytes_written;
    ret->trips_max = CC_MAX(ret->trips_max, l->trips_max);
    ret->cost_max = CC_MAX(ret->cost_max, l->cost_max);
    ret->trips_min = member ? CC_MIN(ret->trips_min, l->trips_min) : l->trips_min;
    ret->cost_min = member ? CC_MIN(ret->cost_min, l->cost_min) : l->cost_min;
    ret->coverage += (double)l->sampled_iterations;
    *squares += (double)l->iterations * (mean * mean + (double)l->cost_deviation * (double)l->cost_deviation);
}

void cc_loop_sum(const struct groups *g, size_t at, struct cc_loop *ret, struct cc_arena *arena)
{
    const struct group *x = &g->v.v[at];
    double squares = 0;
    *ret = (struct cc_loop){
        .first = x->members.v[0], .file = x->file, .line = x->source ? x->source->line : x->line};
    for (size_t i = 0; i < x->members.n; i++)
        add_member(g, x, i, ret, &squares);
    double n = (double)ret->iterations, mean = n > 0 ? (double)ret->instructions / n : 0;
    ret->cost_deviation = n > 0 ? sqrt(CC_MAX(squares / n - mean * mean, 0.0)) : 0;
    ret->coverage = n > 0 ? ret->coverage / n : 0;
    ret->share = g->p->instructions ? (double)ret->instructions / (double)g->p->instructions : 0;
    ret->function = x->source ? x->source->function : g->p->functions[g->p->loops[ret->first].function].name;
    ret->parent = g->parent[at];
    ret->id = name_of(g, x, ret, arena);
}
