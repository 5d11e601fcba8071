#include "loops.h"
#include "rests.h"

#define NO_BLOCK UINT32_MAX
#define NO_LOOP UINT32_MAX

enum { MAX_DEPTH = 200 }; /* of loops inside loops; what is deeper counts to the last */

/* Loops are the strongly connected parts of the graph; those inside a loop are the ones that remain without
 * its first block. */
struct search {
    struct cc_loop_map *m;
    const struct cc_codegraph *g;
    const struct cc_loop_source *source;
    uint32_t *region; /* of each block: the loop it is looked at for, plus one; NO_BLOCK: none */
    uint32_t *loop;   /* innermost loop found so far */
    uint32_t *entry;  /* innermost loop found so far that can be entered there */
    uint32_t *number, *low;
    bool *open;
    CC_VEC(uint32_t) stack, path, next; /* next: how many edges of each of `path` have been taken */
    uint32_t counter;
    uint32_t *mark, marks; /* the present mark is `marks` */
    CC_VEC(uint32_t) steps;
    CC_VEC(uint32_t) twice;         /* blocks where longjmp may go */
    uint32_t *first_in, *ins;       /* predecessors: of block b ins[first_in[b]] … */
    CC_VEC(uint32_t) members, ends; /* of loops to be looked into: their blocks, where each one's end, */
    CC_VEC(uint32_t) owners;        /* whose they are, */
    CC_VEC(uint32_t) depths;        /* how deep */
};

static void find_predecessors(struct search *s)
{
    const struct cc_codegraph *g = s->g;
    s->first_in = cc_alloc_array(g->blocks.n + 1, sizeof *s->first_in);
    s->ins = cc_alloc_array(g->edges.n + 1, sizeof *s->ins);
    for (size_t i = 0; i < g->edges.n; i++)
        s->first_in[g->edges.v[i] + 1]++;
    for (size_t i = 0; i < g->blocks.n; i++)
        s->first_in[i + 1] += s->first_in[i];
    uint32_t *at = cc_alloc_array(g->blocks.n + 1, sizeof *at);
    for (uint32_t b = 0; b < g->blocks.n; b++)
        for (uint32_t i = 0; i < g->blocks.v[b].count; i++) {
            uint32_t to = g->edges.v[g->blocks.v[b].first + i];
            s->ins[s->first_in[to] + at[to]++] = b;
        }
    free(at);
}

static uint32_t successors(const struct search *s, uint32_t b, const uint32_t **ret)
{
    const struct cc_codegraph_block *block = &s->g->blocks.v[b];
    *ret = block->count ? s->g->edges.v + block->first : NULL;
    return block->count;
}

static uint32_t predecessors(const struct search *s, uint32_t b, const uint32_t **ret)
{
    *ret = s->ins + s->first_in[b];
    return s->first_in[b + 1] - s->first_in[b];
}

static bool goes_to(const struct search *s, uint32_t from, uint32_t to)
{
    const uint32_t *v;
    uint32_t n = successors(s, from, &v);
    for (uint32_t i = 0; i < n; i++)
        if (v[i] == to)
            return true;
    return false;
}

/* --- one loop --- */

struct found {
    struct search *s;
    const uint32_t *blocks; /* all of it, in order of address */
    uint32_t n;
    uint32_t id, header;
    uint32_t cut; /* without this block what remains connected are the loops inside */
};

static bool is_inside(const struct found *f, uint32_t b)
{
    return f->s->loop[b] == f->id; /* what lies deeper is found later */
}

static bool is_exiting(const struct found *f, uint32_t b)
{
    const uint32_t *v;
    uint32_t n = successors(f->s, b, &v);
    for (uint32_t i = 0; i < n; i++)
        if (!is_inside(f, v[i]))
            return true;
    return false;
}

static bool is_entry(const struct found *f, uint32_t b)
{
    const uint32_t *v;
    uint32_t n = predecessors(f->s, b, &v);
    for (uint32_t i = 0; i < n; i++)
        if (!is_inside(f, v[i]))
            return true;
    return b == f->s->g->entry;
}

/* The block where control goes that stays after the test in b; the header where other ways lead there too. */
static uint32_t stays_at(const struct found *f, uint32_t b)
{
    const uint32_t *v, *in;
    uint32_t n = successors(f->s, b, &v), stay = NO_BLOCK;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_inside(f, v[i]))
            continue;
        if (stay != NO_BLOCK)
            return f->header;
        stay = v[i];
    }
    return stay != NO_BLOCK && predecessors(f->s, stay, &in) == 1 ? stay : f->header;
}

static bool is_marked(struct search *s, uint32_t b) /* and marks it */
{
    bool was = s->mark[b] == s->marks;
    s->mark[b] = s->marks;
    return was;
}

/* The line of the branch by which a block may leave the loop; 0: it does not, or unknown. */
static unsigned exit_line(const struct found *f, uint32_t b)
{
    const struct cc_loop_source *source = f->s->source;
    const struct cc_codegraph_block *block = &f->s->g->blocks.v[b];
    return source && block->branches && is_exiting(f, b) ? source->line(source->self, block->last) : 0;
}

/* Whether every way from the header round to it leads through b, or through an exit of the line. */
static bool on_every_round(const struct found *f, uint32_t b, unsigned line)
{
    struct search *s = f->s;
    if (b == f->header)
        return true;
    s->marks++;
    s->steps.n = 0;
    CC_VEC_PUSH(&s->steps, f->header);
    while (s->steps.n) {
        const uint32_t *v;
        uint32_t n = successors(s, s->steps.v[--s->steps.n], &v);
        for (uint32_t i = 0; i < n; i++) {
            if (v[i] == f->header)
                return false;
            bool ends = v[i] == b || (line && exit_line(f, v[i]) == line);
            if (is_inside(f, v[i]) && !ends && !is_marked(s, v[i]))
                CC_VEC_PUSH(&s->steps, v[i]);
        }
    }
    return true;
}

/* Compilers copy a test to the end of each way round: the last copy of one whose copies every round passes.
 */
static uint32_t copied_test(const struct found *f)
{
    enum { TRIED = 32 };
    uint32_t tried = 0;
    for (uint32_t i = f->n; i-- > 0 && tried < TRIED;) {
        unsigned line = exit_line(f, f->blocks[i]);
        if (!line)
            continue;
        tried++;
        if (on_every_round(f, f->blocks[i], line))
            return f->blocks[i];
    }
    return NO_BLOCK;
}

/* The exit nearest to the header that every round passes. */
static uint32_t first_exit_of_all_rounds(const struct found *f)
{
    enum { TRIED = 32 };
    struct search *s = f->s;
    uint32_t *order = cc_alloc_array(f->n, sizeof *order), n = 0, tried = 0, result = NO_BLOCK;
    s->marks++;
    is_marked(s, f->header);
    order[n++] = f->header;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t *v;
        uint32_t k = successors(s, order[i], &v);
        for (uint32_t e = 0; e < k; e++)
            if (is_inside(f, v[e]) && !is_marked(s, v[e]))
                order[n++] = v[e];
    }
    for (uint32_t i = 0; i < n && result == NO_BLOCK && tried < TRIED; i++) {
        if (!is_exiting(f, order[i]) || !s->g->blocks.v[order[i]].branches)
            continue;
        tried++;
        if (on_every_round(f, order[i], 0))
            result = order[i];
    }
    free(order);
    return result;
}

/* Whether control goes straight from the header to b. */
static bool is_straight_to(const struct found *f, uint32_t b)
{
    uint32_t at = f->header;
    for (uint32_t steps = 0; at != b && steps < f->n; steps++) {
        const uint32_t *v;
        uint32_t n = successors(f->s, at, &v), next = NO_BLOCK, inside = 0;
        for (uint32_t i = 0; i < n; i++)
            if (is_inside(f, v[i])) {
                next = v[i];
                inside++;
            }
        if (inside != 1)
            return false;
        at = next;
    }
    return at == b;
}

struct share { /* of a loop's code: up to its test, or behind it */
    uint32_t blocks, instructions;
    bool touches, lines; /* lines: other than that of the test */
};

static void add_share(const struct found *f, struct share *x, uint32_t b, unsigned line)
{
    enum { STEP = 2 }; /* no instruction of ours that has a line of its own is shorter, but on x86 */
    const struct cc_codegraph_block *block = &f->s->g->blocks.v[b];
    const struct cc_loop_source *source = f->s->source;
    x->blocks++;
    x->instructions += block->instructions;
    x->touches |= block->touches;
    for (uint64_t at = block->from; line && !x->lines && at < block->to; at += STEP) {
        unsigned here = source->line(source->self, at);
        x->lines = here && here != line;
    }
}

/* What stands before a test that control goes straight to from the header; it is marked. */
static struct share share_before(const struct found *f, uint32_t test)
{
    const struct cc_loop_source *source = f->s->source;
    unsigned line = source ? source->line(source->self, f->s->g->blocks.v[test].last) : 0;
    struct share before = {0};
    f->s->marks++;
    for (uint32_t at = f->header;;) {
        const uint32_t *v;
        uint32_t n = successors(f->s, at, &v), next = at;
        is_marked(f->s, at);
        add_share(f, &before, at, line);
        for (uint32_t i = 0; i < n; i++)
            next = is_inside(f, v[i]) ? v[i] : next;
        if (at == test)
            return before;
        at = next;
    }
}

/* A test that stands before all else asks whether there is an iteration at all: compilers put it behind the
 * rest and jump there, or it is alone on its line. But where only a few moves between registers stand behind
 * it, for the sake of the next round, it is the end of one. */
static bool asks_first(const struct found *f, uint32_t test)
{
    struct share after = {0};
    if (!is_straight_to(f, test))
        return false;
    struct share before = share_before(f, test);
    for (uint32_t i = 0; i < f->n; i++)
        if (!is_marked(f->s, f->blocks[i]))
            add_share(f, &after, f->blocks[i], 0);
    if (f->header != f->blocks[0]) /* or a load for the next round stands there */
        return !before.lines || before.instructions <= after.instructions;
    bool moves = after.blocks == 1 && !after.touches && before.instructions > 2 * after.instructions;
    return !moves && !before.lines;
}

/* Where an iteration begins: behind the test that decides whether the loop goes on, at the bottom or the top,
 * for compilers move what belongs to an iteration past the header. */
static void find_test(const struct found *f, struct cc_loop_static *l)
{
    const struct cc_codegraph *g = f->s->g;
    const uint32_t *v;
    uint32_t n = predecessors(f->s, f->header, &v), latches = 0, exiting = 0, last = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (!is_inside(f, v[i]))
            continue;
        latches++;
        if (!is_exiting(f, v[i]) || !g->blocks.v[v[i]].branches)
            continue;
        exiting++;
        last = v[i];
    }
    uint32_t test = NO_BLOCK, tick = f->header;
    bool at_end = latches == exiting, top = is_exiting(f, f->header) && g->blocks.v[f->header].branches;
    if (at_end)
        test = last;
    else
        test = top ? f->header : first_exit_of_all_rounds(f);
    if (!at_end && test != NO_BLOCK)
        tick = stays_at(f, test);
    if (test == NO_BLOCK)
        test = exiting ? last : copied_test(f);
    l->tick = g->blocks.v[tick].from;
    l->test = test == NO_BLOCK ? l->header : g->blocks.v[test].last;
    if (tick == f->header)
        l->flags |= CC_LOOP_TICK_AT_HEADER | CC_LOOP_BEGUN;
    else if (!asks_first(f, test))
        l->flags |= CC_LOOP_BEGUN;
}

/* Whether b can be reached from itself without passing `cut`. */
static bool goes_round(const struct found *f, uint32_t b, uint32_t cut)
{
    struct search *s = f->s;
    s->marks++;
    s->steps.n = 0;
    CC_VEC_PUSH(&s->steps, b);
    while (s->steps.n) {
        const uint32_t *v;
        uint32_t n = successors(s, s->steps.v[--s->steps.n], &v);
        for (uint32_t i = 0; i < n; i++) {
            if (v[i] == b)
                return true;
            if (v[i] != cut && is_inside(f, v[i]) && !is_marked(s, v[i]))
                CC_VEC_PUSH(&s->steps, v[i]);
        }
    }
    return false;
}

/* Whether what goes on behind the test in `test`, at `cut`, begins every round: what goes round without it
 * never leaves the loop, so is one inside it, and no way in leads to the test with nothing of an iteration
 * before. */
static bool begins_rounds(const struct found *f, uint32_t test, uint32_t cut)
{
    enum { TRIED = 32 };
    uint32_t exits = 0;
    for (uint32_t i = 0; i < f->n; i++) {
        struct found from = *f;
        from.header = f->blocks[i];
        if (is_exiting(f, f->blocks[i]) && (++exits > TRIED || goes_round(f, f->blocks[i], cut)))
            return false;
        if (is_entry(f, f->blocks[i]) && is_straight_to(&from, test) && !share_before(&from, test).lines)
            return false;
    }
    return true;
}

/* A loop of several entries whose rounds one test divides: compilers make such of one whose body begins with
 * choices, which they also make in front of it for the first iteration. That has begun wherever it is
 * entered. If there are two such tests, which of them is the loop's own is not known. */
static bool divide_rounds(struct found *f, struct cc_loop_static *l)
{
    const struct cc_codegraph *g = f->s->g;
    uint32_t found = NO_BLOCK, cut = NO_BLOCK;
    for (uint32_t i = 0; i < f->n; i++) {
        uint32_t b = f->blocks[i];
        if (!is_exiting(f, b) || !g->blocks.v[b].branches)
            continue;
        const uint32_t *in;
        uint32_t stay = stays_at(f, b);
        bool own = goes_to(f->s, b, stay) && predecessors(f->s, stay, &in) == 1;
        if (!own || !begins_rounds(f, b, stay))
            continue;
        if (found != NO_BLOCK)
            return false;
        found = b;
        cut = stay;
    }
    if (found == NO_BLOCK)
        return false;
    f->cut = cut;
    l->tick = g->blocks.v[cut].from;
    l->test = g->blocks.v[found].last;
    l->flags |= CC_LOOP_BEGUN;
    return true;
}

/* Whether control that comes to b from outside only asks whether there is an iteration: a test and nothing
 * else, which leaves the loop or goes to where one begins. */
static bool only_asks(const struct found *f, uint32_t b, uint32_t header)
{
    enum { FEW = 4 };
    const struct cc_codegraph_block *block = &f->s->g->blocks.v[b];
    struct share share = {0};
    if (!block->branches || block->touches || block->instructions > FEW || !is_exiting(f, b) ||
        !goes_to(f->s, b, header))
        return false;
    add_share(f, &share, b, exit_line(f, b));
    return !share.lines;
}

/* The only way in but for those that lead to a test at the end: what comes out of a vector loop may be asked
 * there whether anything is left. An iteration begins behind that test, so who comes this way has entered
 * only then. NO_BLOCK: there is no such one. */
static uint32_t only_entry(const struct found *f)
{
    uint32_t header = NO_BLOCK;
    for (uint32_t i = 0; i < f->n; i++) {
        bool asks = false;
        for (uint32_t k = 0; k < f->n && is_entry(f, f->blocks[i]) && !asks; k++)
            asks = f->blocks[k] != f->blocks[i] && is_entry(f, f->blocks[k]) &&
                   only_asks(f, f->blocks[i], f->blocks[k]);
        if (!is_entry(f, f->blocks[i]) || asks)
            continue;
        if (header != NO_BLOCK)
            return NO_BLOCK;
        header = f->blocks[i];
    }
    return header;
}

/* Takes such a loop for one that is entered where an iteration begins. */
static bool enter_once(struct found *f, struct cc_loop_static *l)
{
    uint32_t header = only_entry(f);
    const uint32_t *v = NULL;
    uint32_t n = header == NO_BLOCK ? 0 : predecessors(f->s, header, &v);
    for (uint32_t i = 0; i < n; i++)
        if (is_inside(f, v[i]) && !only_asks(f, v[i], header)) /* a loop inside begins there */
            return false;
    if (header == NO_BLOCK)
        return false;
    f->cut = f->header = header;
    l->header = f->s->g->blocks.v[header].from;
    find_test(f, l);
    return true;
}

static void add_event(struct cc_loop_map *m, uint64_t address, uint32_t loop, enum cc_loop_event_kind kind)
{
    CC_VEC_PUSH(&m->events, (struct cc_loop_event){address, loop, kind});
}

static void add_exits(const struct found *f)
{
    struct search *s = f->s;
    const struct cc_codegraph *g = s->g;
    s->marks++;
    for (uint32_t i = 0; i < f->n; i++) {
        const uint32_t *v;
        uint32_t n = successors(s, f->blocks[i], &v);
        for (uint32_t k = 0; k < n; k++)
            if (!is_inside(f, v[k]) && !is_marked(s, v[k]) && !g->blocks.v[v[k]].back_to_setjmp)
                add_event(s->m, g->blocks.v[v[k]].from, f->id, CC_LOOP_EXIT);
    }
    for (size_t i = 0; i < s->twice.n; i++)
        if (!is_inside(f, s->twice.v[i]) && !is_marked(s, s->twice.v[i]))
            add_event(s->m, g->blocks.v[s->twice.v[i]].from, f->id, CC_LOOP_EXIT);
}

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

/* A loop inside it, if there is one, is found later. */
static bool is_leaf(const struct found *f, const struct cc_loop_static *l)
{
    for (uint32_t i = 0; i < f->n; i++)
        if (f->s->g->blocks.v[f->blocks[i]].calls)
            return false;
    return !(l->flags & (CC_LOOP_IRREDUCIBLE | CC_LOOP_INDIRECT)) &&
           !(l->flags & CC_LOOP_BEGUN) == !(l->flags & CC_LOOP_TICK_AT_HEADER);
}

/* What is inside goes on the list of what is to be looked into. */
static void look_later(const struct found *f, uint32_t owner, uint32_t depth)
{
    struct search *s = f->s;
    if (depth >= MAX_DEPTH || f->n == 1)
        return;
    for (uint32_t i = 0; i < f->n; i++)
        if (f->blocks[i] != f->cut)
            CC_VEC_PUSH(&s->members, f->blocks[i]);
    CC_VEC_PUSH(&s->ends, (uint32_t)s->members.n);
    CC_VEC_PUSH(&s->owners, owner);
    CC_VEC_PUSH(&s->depths, depth);
}

/* The block that ends in a loop's test; NO_BLOCK: it is not in this part. */
static uint32_t block_of_test(const struct found *f, const struct cc_loop_static *l)
{
    uint32_t i = 0;
    while (i < f->n && f->s->g->blocks.v[f->blocks[i]].last != l->test)
        i++;
    return i < f->n ? f->blocks[i] : NO_BLOCK;
}

static bool is_within(const struct search *s, uint32_t b, uint32_t loop)
{
    uint32_t at = s->loop[b];
    while (at != NO_LOOP && at != loop)
        at = s->m->loops.v[at].outer;
    return at == loop;
}

/* A loop of several entries remains connected without its first block, through another of them. That is the
 * same loop again, not one inside it, if it has its test too, and its own leads nowhere else in it but to
 * where another round begins. Compilers make such loops of one whose body begins with a choice, by copying
 * that to before the loop and to its end. */
static bool is_the_outer_again(const struct found *f, const struct cc_loop_static *l)
{
    const struct search *s = f->s;
    const struct cc_loop_static *outer = l->outer == NO_LOOP ? NULL : &s->m->loops.v[l->outer];
    bool enters = false;
    if (!outer || !(outer->flags & CC_LOOP_IRREDUCIBLE) || block_of_test(f, outer) == NO_BLOCK)
        return false;
    for (uint32_t i = 0; i < f->n; i++)
        enters |= s->entry[f->blocks[i]] == l->outer;
    uint32_t test = block_of_test(f, l), n = 0;
    const uint32_t *v = NULL;
    if (enters && test != NO_BLOCK)
        n = successors(s, test, &v);
    for (uint32_t i = 0; i < n; i++)
        enters &= is_inside(f, v[i]) || s->entry[v[i]] == l->outer || !is_within(s, v[i], l->outer);
    return enters && n;
}

static void give_to_outer(const struct found *f, uint32_t outer, uint32_t depth)
{
    for (uint32_t i = 0; i < f->n; i++)
        f->s->loop[f->blocks[i]] = outer;
    look_later(f, outer, depth);
}

static void add_loop(struct search *s, uint32_t *blocks, uint32_t n, uint32_t outer, uint32_t depth)
{
    const struct cc_codegraph *g = s->g;
    struct found f = {.s = s, .blocks = blocks, .n = n, .id = (uint32_t)s->m->loops.n, .header = NO_BLOCK};
    uint32_t entries = 0;
    qsort(blocks, n, sizeof *blocks, by_number);
    for (uint32_t i = 0; i < n; i++)
        s->loop[blocks[i]] = f.id;
    for (uint32_t i = 0; i < n; i++)
        if (is_entry(&f, blocks[i])) {
            f.header = f.header == NO_BLOCK ? blocks[i] : f.header;
            entries++;
        }
    f.cut = f.header = f.header == NO_BLOCK ? blocks[0] : f.header;
    struct cc_loop_static l = {
        .outer = outer, .flags = g->indirect ? CC_LOOP_INDIRECT : 0, .header = g->blocks.v[f.header].from};
    bool once = entries > 1 && enter_once(&f, &l);
    if (!once && (entries < 2 || !divide_rounds(&f, &l))) {
        l.flags |= entries > 1 ? CC_LOOP_IRREDUCIBLE : 0;
        find_test(&f, &l);
    }
    if (is_the_outer_again(&f, &l)) {
        give_to_outer(&f, outer, depth);
        return;
    }
    l.line = s->source ? s->source->line(s->source->self, l.test) : 0;
    if (n == 1 && !g->blocks.v[f.header].calls && l.flags & CC_LOOP_BEGUN)
        l.flags |= CC_LOOP_STRAIGHT;
    if (is_leaf(&f, &l) && !once && s->entry[f.header] == NO_LOOP) /* else one around may begin there, too */
        l.flags |= CC_LOOP_LEAF;
    if (outer != NO_LOOP)
        s->m->loops.v[outer].flags &= ~(uint32_t)CC_LOOP_LEAF;
    CC_VEC_PUSH(&s->m->loops, l);
    CC_VEC_PUSH(&s->m->functions, g->blocks.v[g->entry].from);
    add_event(s->m, l.tick, f.id, CC_LOOP_TICK);
    for (uint32_t i = 0; i < n; i++)
        if (blocks[i] == f.header || (!once && is_entry(&f, blocks[i]))) {
            s->entry[blocks[i]] = f.id;
            add_event(s->m, g->blocks.v[blocks[i]].from, f.id, CC_LOOP_HEADER);
        }
    add_exits(&f);
    look_later(&f, f.id, depth + 1);
}

/* --- strongly connected parts, by Tarjan's algorithm, without recursion --- */

static void visit(struct search *s, uint32_t b)
{
    s->number[b] = s->low[b] = ++s->counter;
    s->open[b] = true;
    CC_VEC_PUSH(&s->stack, b);
    CC_VEC_PUSH(&s->path, b);
    CC_VEC_PUSH(&s->next, 0);
}

/* All of b's successors are done. */
static void close_block(struct search *s, uint32_t b, uint32_t outer, uint32_t depth)
{
    if (s->low[b] != s->number[b])
        return;
    size_t from = s->stack.n;
    do
        s->open[s->stack.v[--from]] = false;
    while (s->stack.v[from] != b);
    uint32_t n = (uint32_t)(s->stack.n - from);
    if (n > 1 || goes_to(s, b, b))
        add_loop(s, s->stack.v + from, n, outer, depth);
    s->stack.n = from;
}

static void connect_from(struct search *s, uint32_t start, uint32_t region, uint32_t outer, uint32_t depth)
{
    visit(s, start);
    while (s->path.n) {
        uint32_t b = s->path.v[s->path.n - 1], *i = &s->next.v[s->next.n - 1];
        const uint32_t *v;
        if (*i < successors(s, b, &v)) {
            uint32_t to = v[(*i)++];
            if (s->region[to] != region)
                continue;
            if (!s->number[to])
                visit(s, to);
            else if (s->open[to])
                s->low[b] = CC_MIN(s->low[b], s->number[to]);
            continue;
        }
        s->path.n--;
        s->next.n--;
        if (s->path.n) {
            uint32_t up = s->path.v[s->path.n - 1];
            s->low[up] = CC_MIN(s->low[up], s->low[b]);
        }
        close_block(s, b, outer, depth);
    }
}

/* --- a function --- */

static void look_into(struct search *s, size_t from, size_t to, uint32_t outer, uint32_t depth)
{
    uint32_t region = outer == NO_LOOP ? 0 : outer + 1;
    CC_VEC(uint32_t) blocks = {0};
    for (size_t i = from; i < to; i++) {
        uint32_t b = s->members.v[i];
        s->region[b] = region;
        s->number[b] = 0;
        CC_VEC_PUSH(&blocks, b);
    }
    s->members.n = from;
    for (size_t i = 0; i < blocks.n; i++)
        if (!s->number[blocks.v[i]])
            connect_from(s, blocks.v[i], region, outer, depth);
    CC_VEC_FINI(&blocks);
}

static void add_code(struct search *s)
{
    const struct cc_codegraph *g = s->g;
    struct cc_loop_block now = {.loop = NO_LOOP};
    for (uint32_t b = 0; b < g->blocks.n; b++) {
        if (now.loop != NO_LOOP && (s->loop[b] != now.loop || g->blocks.v[b].from != now.end)) {
            CC_VEC_PUSH(&s->m->blocks, now);
            now.loop = NO_LOOP;
        }
        if (s->loop[b] == NO_LOOP)
            continue;
        if (now.loop == NO_LOOP)
            now = (struct cc_loop_block){.loop = s->loop[b], .start = g->blocks.v[b].from};
        now.end = g->blocks.v[b].to;
    }
    if (now.loop != NO_LOOP)
        CC_VEC_PUSH(&s->m->blocks, now);
}

static void search_init(struct search *s, struct cc_loop_map *m, const struct cc_codegraph *g,
                        const struct cc_loop_source *source)
{
    *s = (struct search){.m = m, .g = g, .source = source};
    s->region = cc_alloc_array(g->blocks.n, sizeof *s->region);
    s->loop = cc_alloc_array(g->blocks.n, sizeof *s->loop);
    s->entry = cc_alloc_array(g->blocks.n, sizeof *s->entry);
    s->number = cc_alloc_array(g->blocks.n, sizeof *s->number);
    s->low = cc_alloc_array(g->blocks.n, sizeof *s->low);
    s->open = cc_alloc_array(g->blocks.n, sizeof *s->open);
    s->mark = cc_alloc_array(g->blocks.n, sizeof *s->mark);
    find_predecessors(s);
    for (uint32_t b = 0; b < g->blocks.n; b++) {
        s->region[b] = NO_BLOCK;
        s->loop[b] = s->entry[b] = NO_LOOP;
        CC_VEC_PUSH(&s->members, b);
        if (g->blocks.v[b].twice)
            CC_VEC_PUSH(&s->twice, b);
    }
}

static void search_fini(struct search *s)
{
    free(s->region);
    free(s->loop);
    free(s->entry);
    free(s->number);
    free(s->low);
    free(s->open);
    free(s->mark);
    CC_VEC_FINI(&s->steps);
    CC_VEC_FINI(&s->twice);
    free(s->first_in);
    free(s->ins);
    CC_VEC_FINI(&s->stack);
    CC_VEC_FINI(&s->path);
    CC_VEC_FINI(&s->next);
    CC_VEC_FINI(&s->members);
    CC_VEC_FINI(&s->ends);
    CC_VEC_FINI(&s->owners);
    CC_VEC_FINI(&s->depths);
}

void cc_loop_map_add(struct cc_loop_map *m, const struct cc_codegraph *g, const struct cc_loop_source *source)
{
    struct search s;
    if (!g->blocks.n || g->entry == NO_BLOCK)
        return;
    uint32_t first = (uint32_t)m->loops.n;
    search_init(&s, m, g, source);
    look_into(&s, 0, s.members.n, NO_LOOP, 0);
    while (s.ends.n) {
        uint32_t outer = s.owners.v[--s.owners.n], depth = s.depths.v[--s.depths.n];
        s.ends.n--;
        size_t from = s.ends.n ? s.ends.v[s.ends.n - 1] : 0;
        look_into(&s, from, s.members.n, outer, depth);
    }
    cc_loop_rests_add(m, g, source, first, s.loop);
    add_code(&s);
    search_fini(&s);
}
