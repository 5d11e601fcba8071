#include "group.h"
#include "copies.h"
#include "../../base/text.h"

#include <math.h>

/* --- which loop of the source --- */

bool cc_loop_same_statement(const struct cc_source_loop *a, const struct cc_source_loop *b)
{
    return a == b || (a->line == b->line && a->column && a->column == b->column &&
                      strcmp(a->file, b->file) == 0 && strcmp(a->function, b->function) == 0);
}

bool cc_loop_named(const char *place, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = place; at; at = strstr(at, " / ")) {
        at += at == place ? 0 : 3;
        if (strncmp(at, name, n) == 0 && (!at[n] || strncmp(at + n, " / ", 3) == 0))
            return true;
    }
    return false;
}

char *cc_loop_next_name(char **rest)
{
    char *one = *rest, *end = one ? strstr(one, " / ") : NULL;
    *rest = end ? end + 3 : NULL;
    if (end)
        *end = '\0';
    return one;
}

unsigned cc_loop_level(const struct cc_profile *p, uint32_t loop)
{
    const struct cc_ploop *l = &p->loops[loop];
    unsigned level = 0;
    for (uint32_t o = l->outer; o != CC_NONE; o = p->loops[o].outer)
        level += l->file && p->loops[o].file && p->loops[o].line == l->line &&
                 strcmp(p->loops[o].file, l->file) == 0;
    return level;
}

bool cc_loop_inside(const struct cc_source_loop *a, const struct cc_source_loop *b)
{
    /* of those that begin in one line, the text tells */
    bool apart = a->line == b->line && a->end && b->end && (a->begin < b->begin || a->end > b->end);
    return a != b && !apart && a->line >= b->line && a->last_line <= b->last_line;
}

struct span {             /* of lines */
    unsigned first, last; /* last 0: none */
};

static bool holds(const struct cc_source_loop *x, unsigned line)
{
    return line >= x->line && line <= x->last_line;
}

static bool holds_all(const struct cc_source_loop *x, const struct span *code)
{
    return !code->last || (holds(x, code->first) && holds(x, code->last));
}

/* The innermost statement that holds the line and all of the code, of those that the loop around leaves. */
static const struct cc_source_loop *innermost(const struct cc_source_loops *s, const struct cc_ploop *l,
                                              const struct span *code, const struct cc_source_loop *around)
{
    const struct cc_source_loop *best = NULL;
    for (size_t i = s->v.n; i-- > 0;) { /* the outer ones come last */
        const struct cc_source_loop *x = &s->v.v[i];
        if (x != around && holds(x, l->line) && holds_all(x, code) && cc_text_same_file(x->file, l->file) &&
            (!best || cc_loop_inside(x, best)))
            best = x;
    }
    return best;
}

static bool is_tested_at(const struct cc_source_loop *x, unsigned line)
{
    return line >= x->test_line && line <= x->test_last_line;
}

/* How many loops of the binary that are of one line lie in each other here. */
static unsigned height(const struct cc_profile *p, uint32_t loop)
{
    unsigned most = 0;
    for (uint32_t i = loop; i < p->nloops; i++) { /* the inner ones come last */
        uint32_t up = i;
        while (up != CC_NONE && up != loop)
            up = p->loops[up].outer;
        if (up == loop && p->loops[i].line == p->loops[loop].line)
            most = CC_MAX(most, cc_loop_level(p, i) + 1);
    }
    return most;
}

/* Whether it is not known which statement a loop is: several have their tests in its line, and neither
 * columns tell them apart (macros have none for what they are replaced by) nor that each lies in the one
 * before, and the binary has as many. */
static bool is_crowded(const struct cc_profile *p, uint32_t loop, const struct cc_source_loops *s)
{
    const struct cc_ploop *l = &p->loops[loop];
    const struct cc_source_loop *last = NULL;
    bool known = (l->flags >> CC_LOOP_COLUMN & CC_LOOP_COLUMN_MOST) != 0, nested = true;
    unsigned n = 0;
    for (size_t i = 0; i < s->v.n; i++) {
        const struct cc_source_loop *x = &s->v.v[i];
        if (!is_tested_at(x, l->line) || !cc_text_same_file(x->file, l->file))
            continue;
        /* a function that was read twice (a header) has each of its loops twice */
        bool again = last && last->line == x->line && last->column == x->column;
        known = known && x->test_column;
        nested = nested && (!last || again || cc_loop_inside(last, x) || cc_loop_inside(x, last));
        n += !again;
        last = x;
    }
    return n > 1 && !known && !(nested && height(p, loop) == n);
}

/* The statement with its test in this line; of several in one line, the one as deep as asked. */
static const struct cc_source_loop *tested(const struct cc_source_loops *s, const struct cc_ploop *l,
                                           unsigned level)
{
    const struct cc_source_loop *best = NULL, *nearest = NULL;
    unsigned here = 0, column = l->flags >> CC_LOOP_COLUMN & CC_LOOP_COLUMN_MOST;
    for (size_t i = s->v.n; i-- > 0;) {
        const struct cc_source_loop *x = &s->v.v[i];
        if (l->line < x->test_line || l->line > x->test_last_line || !cc_text_same_file(x->file, l->file))
            continue;
        if (!best || here++ < level)
            best = x;
        /* of several in the line, the last that begins before the test */
        bool before = l->line > x->test_line || (x->test_column && x->test_column <= column);
        if (before && (!nearest || x->test_line > nearest->test_line ||
                       (x->test_line == nearest->test_line && x->test_column > nearest->test_column)))
            nearest = x;
    }
    return nearest && column ? nearest : best;
}

/* Compilers give a test the line of another loop at times: a statement has to hold the code as well. Else the
 * innermost that does. */
static const struct cc_source_loop *find(const struct cc_source_loops *s, const struct cc_ploop *l,
                                         unsigned level, const struct span *code)
{
    const struct cc_source_loop *best = tested(s, l, level);
    return best && holds_all(best, code) ? best : innermost(s, l, code, NULL);
}

/* The innermost statement around one. */
static const struct cc_source_loop *parent_of(const struct cc_source_loops *s, const struct cc_source_loop *x)
{
    const struct cc_source_loop *best = NULL;
    for (size_t i = 0; i < s->v.n; i++) {
        const struct cc_source_loop *y = &s->v.v[i];
        if (cc_loop_inside(x, y) && strcmp(x->file, y->file) == 0 && strcmp(x->function, y->function) == 0 &&
            (!best || cc_loop_inside(y, best)))
            best = y;
    }
    return best;
}

/* Whether a loop around this one is of the statement by its line. */
static bool is_taken_above(const struct cc_profile *p, uint32_t loop, const struct cc_source_loop *x)
{
    for (uint32_t o = p->loops[loop].outer; o != CC_NONE; o = p->loops[o].outer)
        if (p->loops[o].line >= x->test_line && p->loops[o].line <= x->test_last_line)
            return true;
    return false;
}

/* A statement that both a loop and one inside it seem to be is the inner one's, if another is left for the
 * outer one. */
static void pass_over(const struct cc_profile *p, const struct cc_source_loops *s, const struct span *code,
                      const struct cc_source_loop **of)
{
    for (uint32_t i = (uint32_t)p->nloops; i-- > 0;) { /* the inner ones come last */
        uint32_t outer = p->loops[i].outer;
        if (outer == CC_NONE || !of[i] || of[i] != of[outer])
            continue;
        /* where a loop can be entered in several places, its line is none of a test */
        bool tangled = p->loops[outer].flags & CC_LOOP_IRREDUCIBLE && is_tested_at(of[i], p->loops[i].line);
        if (p->loops[i].line != p->loops[outer].line && !tangled)
            continue;
        const struct cc_source_loop *up = parent_of(s, of[i]);
        if (up && holds_all(up, &code[outer]) && !is_taken_above(p, outer, up))
            of[outer] = up;
        else if (p->loops[outer].trips_max < 2) /* the iterations are the inner one's */
            of[outer] = NULL;
    }
}

/* The lines that each loop's code accesses memory in, as far as they are of the same outermost statement:
 * what is inlined is not. */
static struct span *spans(const struct cc_profile *p, const struct cc_source_loops *s)
{
    struct span *of = cc_alloc_array(p->nloops + 1, sizeof *of);
    const struct cc_source_loop **top = cc_alloc_array(p->nloops + 1, sizeof *top);
    for (uint32_t i = 0; s && i < p->nloops; i++)
        for (size_t k = 0; p->loops[i].file && k < s->v.n; k++)
            if (holds(&s->v.v[k], p->loops[i].line) && cc_text_same_file(s->v.v[k].file, p->loops[i].file) &&
                (!top[i] || cc_loop_inside(top[i], &s->v.v[k])))
                top[i] = &s->v.v[k];
    for (size_t i = 0; s && i < p->nlines; i++) {
        const struct cc_rec_line *x = &p->lines[i];
        if ((!x->read && !x->written) || x->file == CC_NONE)
            continue;
        uint32_t l = cc_copies_loop(p, p->blocks[x->block].address);
        for (; l != CC_NONE; l = p->loops[l].outer)
            if (top[l] && holds(top[l], x->line) && cc_text_same_file(top[l]->file, p->files[x->file].path)) {
                of[l].first = of[l].last ? CC_MIN(of[l].first, x->line) : x->line;
                of[l].last = CC_MAX(of[l].last, x->line);
            }
    }
    free(top);
    return of;
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
    CC_CLEANUP(cc_free_ptr) struct span *code = spans(p, sources);
    const struct cc_source_loop **statement = cc_alloc_array(p->nloops + 1, sizeof *statement);
    for (uint32_t i = 0; sources && i < p->nloops; i++)
        if (p->loops[i].file && is_loop(&p->loops[i]))
            statement[i] = find(sources, &p->loops[i], cc_loop_level(p, i), &code[i]);
    if (sources)
        pass_over(p, sources, code, statement);
    for (uint32_t i = 0; i < p->nloops; i++) { /* the outer ones come first */
        const struct cc_ploop *l = &p->loops[i];
        uint32_t outer = l->outer == CC_NONE ? CC_NONE : ret->of[l->outer];
        const struct cc_source_loop *around = outer == CC_NONE ? NULL : ret->v.v[outer].source;
        ret->of[i] = outer;
        if (!is_loop(l))
            continue;
        unsigned level = cc_loop_level(p, i);
        const struct cc_source_loop *source = statement[i];
        bool lost = sources && l->file && is_crowded(p, i, sources);
        if (source && source == around) { /* one statement cannot be both */
            source = innermost(sources, l, &code[i], around);
            const struct cc_source_loop *by_test = source ? NULL : tested(sources, l, level);
            source = by_test && cc_loop_inside(by_test, around) ? by_test
                                                                : source; /* code of others was moved there */
            lost = lost || !source;
        }
        if (source && around && !cc_loop_inside(source, around) && !l->inlined)
            source = NULL; /* nothing is known of the inner one */
        struct group *x = group_of(ret, l, level, source);
        x->lost = x->lost || lost;
        CC_VEC_PUSH(&x->members, i);
        ret->of[i] = (uint32_t)(x - ret->v.v);
    }
    free(statement);
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

/* Whether another statement's line is the same. */
static bool shares_line(const struct groups *g, const struct group *x)
{
    for (size_t i = 0; x->source && i < g->v.n; i++) {
        const struct cc_source_loop *y = g->v.v[i].source;
        if (y && y != x->source && y->line == x->source->line && strcmp(y->file, x->source->file) == 0)
            return true;
    }
    return false;
}

static const char *name_of(const struct groups *g, const struct group *x, struct cc_loop *l,
                           struct cc_arena *arena)
{
    const struct cc_ploop *first = &g->p->loops[l->first];
    if (l->file && l->column && shares_line(g, x))
        return cc_arena_printf(arena, "%s:%u:%u", cc_text_base(l->file), l->line, l->column);
    char *name = !l->file ? cc_asprintf("%s+0x%llx", cc_text_base(g->p->binaries[first->binary].path),
                                        (unsigned long long)first->header)
                 : x->level == 0 || x->source
                     ? cc_asprintf("%s:%u", cc_text_base(l->file), l->line)
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
    *ret = (struct cc_loop){.first = x->members.v[0],
                            .file = x->file,
                            .line = x->source ? x->source->line : x->line,
                            .column = x->source ? x->source->column
                                                : g->p->loops[x->members.v[0]].flags >> CC_LOOP_COLUMN &
                                                      CC_LOOP_COLUMN_MOST};
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
