/* A piece of code beside a loop that goes round nowhere and does, line by line, what the loop does: for each
 * of its stores it has in each line as many loads and stores as the loop has for each of its own, or more.
 * Compilers make such code of the last iteration of an odd number where they put two into one. It becomes a
 * loop of one iteration, of the line of that loop, so that what it needs of the others is followed as between
 * two loops of one statement. Code that lacks a load which the loop has is none: a compiler that takes an
 * iteration out of a loop may know what it would find. */
#include "rests.h"

#define NO_LOOP UINT32_MAX

enum {
    KEY_CODE, /* an instruction lies in the line; with CC_LOOP_READS and CC_LOOP_WRITES it does so as well */
    KEY_BITS = 2,
    MOST = 64, /* blocks of a rest */
};

struct keys { /* lines with what is done in them, once for each instruction: sorted */
    CC_VEC(uint32_t) v;
    bool known;
};

struct rests {
    struct cc_loop_map *m;
    const struct cc_codegraph *g;
    const struct cc_loop_source *source;
    uint32_t *loop;
    struct keys *does;   /* each block */
    uint32_t *ins, *own; /* ways that lead to each block, and how many of them from the present rest */
    uint32_t blocks[MOST], n;
};

static int by_number(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static void settle(struct keys *k)
{
    if (k->v.n)
        qsort(k->v.v, k->v.n, sizeof *k->v.v, by_number);
    k->known = true;
}

static size_t count(const struct keys *k, uint32_t key)
{
    size_t from, to;
    CC_FIRST(from, k->v.n, k->v.v[from] >= key);
    CC_FIRST(to, k->v.n, k->v.v[to] > key);
    return to - from;
}

/* How many of its instructions do that. */
static size_t all_that(const struct keys *k, uint32_t what)
{
    size_t n = 0;
    for (size_t i = 0; i < k->v.n; i++)
        n += (k->v.v[i] & ((1 << KEY_BITS) - 1)) == what;
    return n;
}

static const struct keys *of_block(struct rests *r, uint32_t b)
{
    const struct cc_codegraph_block *block = &r->g->blocks.v[b];
    struct keys *k = &r->does[b];
    unsigned size = 1;
    for (uint64_t at = block->from; !k->known && at < block->to; at += size) {
        uint32_t line = r->source->line(r->source->self, at) << KEY_BITS;
        unsigned what = r->source->accesses(r->source->self, at, block->to - at, &size);
        if (line)
            CC_VEC_PUSH(&k->v, line | KEY_CODE);
        if (what & CC_LOOP_READS)
            CC_VEC_PUSH(&k->v, line | CC_LOOP_READS);
        if (what & CC_LOOP_WRITES)
            CC_VEC_PUSH(&k->v, line | CC_LOOP_WRITES);
    }
    if (!k->known)
        settle(k);
    return k;
}

static void add_all(struct keys *to, const struct keys *from)
{
    for (size_t i = 0; i < from->v.n; i++)
        CC_VEC_PUSH(&to->v, from->v.v[i]);
}

/* Whether nothing is done there that the loop does not do as well. */
static bool is_part(const struct keys *k, const struct keys *of)
{
    bool part = true;
    for (size_t i = 0; i < k->v.n && part; i++)
        part = count(of, k->v.v[i]) != 0;
    return part;
}

/* Whether it also does all that the loop does in memory, for as many stores, and stores in some line other
 * than that of the loop's head: what a head does is done once, too. A loop that loads nothing has no rest: a
 * compiler leaves stores that the next iteration overwrites for when the loop is over, and what these store
 * is known. */
static bool is_alike(const struct keys *k, const struct keys *of, uint32_t head)
{
    size_t mine = all_that(k, CC_LOOP_WRITES), all = all_that(of, CC_LOOP_WRITES);
    bool body = false, alike = mine && all_that(of, CC_LOOP_READS) && is_part(k, of);
    for (size_t i = 0; i < of->v.n && alike; i++) {
        uint32_t key = of->v.v[i], what = key & ((1 << KEY_BITS) - 1);
        alike = what == KEY_CODE || count(k, key) * all >= count(of, key) * mine;
        body = body || (what == CC_LOOP_WRITES && key >> KEY_BITS != head);
    }
    return alike && body;
}

static bool may_belong(struct rests *r, uint32_t b, uint32_t around, const struct keys *of)
{
    const struct cc_codegraph_block *block = &r->g->blocks.v[b];
    return r->loop[b] == around && !block->calls && !block->twice && b != r->g->entry &&
           is_part(of_block(r, b), of);
}

static void take(struct rests *r, uint32_t b)
{
    const struct cc_codegraph_block *block = &r->g->blocks.v[b];
    r->blocks[r->n++] = b;
    for (uint32_t i = 0; i < block->count; i++)
        r->own[r->g->edges.v[block->first + i]]++;
}

/* All that begins with a block and that no other way leads into. */
static void grow(struct rests *r, uint32_t start, uint32_t around, const struct keys *of)
{
    r->n = 0;
    take(r, start);
    for (uint32_t i = 0; i < r->n; i++) {
        const struct cc_codegraph_block *block = &r->g->blocks.v[r->blocks[i]];
        for (uint32_t k = 0; k < block->count && r->n < MOST; k++) {
            uint32_t to = r->g->edges.v[block->first + k];
            bool taken = to == start;
            for (uint32_t j = 0; j < r->n && !taken; j++)
                taken = r->blocks[j] == to;
            if (!taken && r->own[to] == r->ins[to] && may_belong(r, to, around, of))
                take(r, to);
        }
    }
}

static void let_go(struct rests *r)
{
    for (uint32_t i = 0; i < r->n; i++) {
        const struct cc_codegraph_block *block = &r->g->blocks.v[r->blocks[i]];
        for (uint32_t k = 0; k < block->count; k++)
            r->own[r->g->edges.v[block->first + k]] = 0;
    }
}

static bool is_mine(const struct rests *r, uint32_t b)
{
    bool mine = false;
    for (uint32_t i = 0; i < r->n && !mine; i++)
        mine = r->blocks[i] == b;
    return mine;
}

static bool lies_in(const struct rests *r, uint32_t loop, uint32_t in)
{
    while (loop != NO_LOOP && loop != in)
        loop = r->m->loops.v[loop].outer;
    return loop == in;
}

/* Whether it leads on to what is around it, and not straight into a loop: where that begins, each of its
 * iterations would be asked whether it ends the rest. */
static bool goes_on(const struct rests *r, uint32_t around)
{
    bool on = true;
    for (uint32_t i = 0; i < r->n && on; i++) {
        const struct cc_codegraph_block *block = &r->g->blocks.v[r->blocks[i]];
        for (uint32_t k = 0; k < block->count && on; k++) {
            uint32_t to = r->g->edges.v[block->first + k];
            on = is_mine(r, to) || lies_in(r, around, r->loop[to]) || r->loop[to] == NO_LOOP;
        }
    }
    return on;
}

static void add_event(struct rests *r, uint32_t block, uint32_t loop, enum cc_loop_event_kind kind)
{
    uint64_t at = r->g->blocks.v[block].from;
    for (size_t i = r->m->events.n; i-- > 0 && r->m->events.v[i].loop == loop;)
        if (r->m->events.v[i].address == at && r->m->events.v[i].kind == (uint32_t)kind)
            return;
    CC_VEC_PUSH(&r->m->events, ((struct cc_loop_event){at, loop, kind}));
}

static void add_rest(struct rests *r, uint32_t of)
{
    const struct cc_loop_static *l = &r->m->loops.v[of];
    uint32_t id = (uint32_t)r->m->loops.n;
    uint64_t from = r->g->blocks.v[r->blocks[0]].from;
    struct cc_loop_static rest = {.outer = l->outer,
                                  .flags =
                                      (l->flags & CC_LOOP_INDIRECT) | CC_LOOP_TICK_AT_HEADER | CC_LOOP_BEGUN,
                                  .header = from,
                                  .tick = from,
                                  .test = l->test,
                                  .line = l->line};
    CC_VEC_PUSH(&r->m->functions, r->m->functions.v[of]);
    CC_VEC_PUSH(&r->m->loops, rest);
    add_event(r, r->blocks[0], id, CC_LOOP_HEADER);
    for (uint32_t i = 0; i < r->n; i++) {
        const struct cc_codegraph_block *block = &r->g->blocks.v[r->blocks[i]];
        for (uint32_t k = 0; k < block->count; k++)
            if (!is_mine(r, r->g->edges.v[block->first + k]))
                add_event(r, r->g->edges.v[block->first + k], id, CC_LOOP_EXIT);
    }
    for (uint32_t i = 0; i < r->n; i++)
        r->loop[r->blocks[i]] = id;
}

static bool is_innermost(const struct rests *r, uint32_t loop, uint32_t end)
{
    bool innermost = true;
    for (uint32_t i = loop + 1; i < end && innermost; i++)
        innermost = r->m->loops.v[i].outer != loop;
    return innermost;
}

static void of_loop(struct rests *r, uint32_t loop)
{
    uint32_t around = r->m->loops.v[loop].outer, line = r->m->loops.v[loop].line;
    struct keys all = {0};
    for (uint32_t b = 0; b < r->g->blocks.n; b++)
        if (r->loop[b] == loop)
            add_all(&all, of_block(r, b));
    settle(&all);
    for (uint32_t b = 0; b < r->g->blocks.n && is_alike(&all, &all, line); b++) {
        if (!r->g->blocks.v[b].touches || !may_belong(r, b, around, &all))
            continue;
        struct keys here = {0};
        grow(r, b, around, &all);
        for (uint32_t i = 0; i < r->n; i++)
            add_all(&here, of_block(r, r->blocks[i]));
        settle(&here);
        if (is_alike(&here, &all, line) && goes_on(r, around))
            add_rest(r, loop);
        let_go(r);
        CC_VEC_FINI(&here.v);
    }
    CC_VEC_FINI(&all.v);
}

void cc_loop_rests_add(struct cc_loop_map *m, const struct cc_codegraph *g,
                       const struct cc_loop_source *source, uint32_t first, uint32_t *loop)
{
    struct rests r = {.m = m, .g = g, .source = source, .loop = loop};
    uint32_t end = (uint32_t)m->loops.n;
    if (first == end || !source || !source->accesses)
        return;
    r.does = cc_alloc_array(g->blocks.n, sizeof *r.does);
    r.ins = cc_alloc_array(g->blocks.n, sizeof *r.ins);
    r.own = cc_alloc_array(g->blocks.n, sizeof *r.own);
    for (size_t i = 0; i < g->edges.n; i++)
        r.ins[g->edges.v[i]]++;
    for (uint32_t i = first; i < end; i++) {
        uint32_t around = m->loops.v[i].outer;
        bool same = around != NO_LOOP && m->loops.v[around].line == m->loops.v[i].line;
        if (m->loops.v[i].line && !same && !(m->loops.v[i].flags & CC_LOOP_IRREDUCIBLE) &&
            is_innermost(&r, i, end))
            of_loop(&r, i);
    }
    for (uint32_t b = 0; b < g->blocks.n; b++)
        CC_VEC_FINI(&r.does[b].v);
    free(r.does);
    free(r.ins);
    free(r.own);
}
