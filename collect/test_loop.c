/* Random nests of loops and recursive calls, against a model that keeps every invocation and iteration. */
#include "../tests/collect.h"
#include "../collect/data.h"
#include "../collect/loop.h"
#include "base/rng.h"

enum { LOOPS = 5, LEAF = 4, FUNCTIONS = 3, DEEPEST = 5 };

/* Loops 0, 1 and 4 (both inside it) are function 1's, 2 and 3 side by side function 2's. */
static struct cc_loop loops[LOOPS];
static struct cc_loop_here here[LOOPS][3];
static struct cc_loop_point points[LOOPS][3]; /* by kind */

static struct model {
    uint64_t invocations, iterations, instructions, trips_min, trips_max, cost_min, cost_max;
    uint64_t active, since;
} model[LOOPS];

struct play {
    struct cc_thread *t;
    struct cc_rng rng;
    uint64_t now, budget;
    unsigned depth;
    bool quick;
    uint64_t shortcuts, taken;
    struct cc_loop_memo memos[LOOPS];
    struct cc_loop_leaf leaf;
};

static struct cc_rec_loop got[LOOPS];

static void take(void *self, uint32_t tag, const void *body, size_t size, const char *text, size_t text_size)
{
    (void)self, (void)text, (void)text_size;
    const struct cc_rec_loop *r = body;
    if (tag == CC_REC_LOOP && size == sizeof *r && r->header < LOOPS)
        got[r->header] = *r;
}

static uint64_t some(struct play *p, uint64_t n)
{
    return cc_rng_next(&p->rng) % n;
}

/* As an engine does that asks for the short way first. */
static bool arrive_same(struct play *p, unsigned loop, enum cc_loop_event_kind kind)
{
    struct cc_loop_entry *top = cc_loop_innermost(p->t);
    bool innermost = top->loop == &loops[loop];
    if (kind == CC_LOOP_EXIT)
        return cc_loop_leave_same(p->t, top, p->now, &loops[loop]);
    if (kind == CC_LOOP_HEADER)
        return !innermost && cc_loop_enter_same(p->t, top, p->now, &p->memos[loop], 0);
    if (innermost)
        cc_loop_again(top, p->now);
    return innermost;
}

/* As an engine does that keeps a leaf to itself. */
static void arrive_leaf(struct play *p, enum cc_loop_event_kind kind)
{
    struct cc_loop *l = &loops[LEAF];
    struct cc_loop_leaf *x = &p->leaf;
    bool begun = l->at.flags & CC_LOOP_BEGUN, same = x->loop == l;
    if (kind == CC_LOOP_HEADER && !same) {
        *x = (struct cc_loop_leaf){l, p->now, p->now, begun};
    } else if (kind == (begun ? CC_LOOP_HEADER : CC_LOOP_TICK)) {
        cc_loop_leaf_again(x, p->now);
    } else if (kind == CC_LOOP_EXIT) {
        if (!cc_loop_leaf_leave(p->t, cc_loop_innermost(p->t), p->now, &p->memos[LEAF], x)) {
            cc_loop_leaf_settle(p->t, x);
            cc_loop_enter_learn(p->t, &p->memos[LEAF]);
            cc_loop_arrive(p->t, p->now, &points[LEAF][kind], 0);
        }
        x->loop = NULL;
    }
    p->shortcuts++;
}

/* Something happens that the collector has to know of it for, and goes by, or not. */
static void interrupt(struct play *p)
{
    if (!p->quick || !p->leaf.loop || some(p, 3))
        return;
    cc_loop_leaf_settle(p->t, &p->leaf);
    p->leaf.loop = NULL;
    if (cc_loop_innermost(p->t)->loop == &loops[LEAF] && cc_loop_leaf_take(p->t, &p->leaf))
        p->taken++;
}

static void arrive(struct play *p, unsigned loop, enum cc_loop_event_kind kind)
{
    p->memos[loop].loop = &loops[loop];
    if (p->quick && loop == LEAF) {
        arrive_leaf(p, kind);
        return;
    }
    if (p->quick && arrive_same(p, loop, kind)) {
        p->shortcuts++;
        return;
    }
    cc_loop_arrive(p->t, p->now, &points[loop][kind], 0);
    if (kind == CC_LOOP_HEADER)
        cc_loop_enter_learn(p->t, &p->memos[loop]);
}

static void work(struct play *p)
{
    p->now += 1 + some(p, 9);
}

static void call_function(struct play *p, uint32_t function);

/* What an iteration does: nothing, the loop inside, a call, which may come back here. */
static void body(struct play *p, unsigned loop);

static void run_loop(struct play *p, unsigned loop)
{
    struct model *m = &model[loop];
    bool begun = loops[loop].at.flags & CC_LOOP_BEGUN;
    uint64_t trips = some(p, 5) + begun, done = 0, entered = p->now, start = entered;
    if (m->active++ == 0)
        m->since = p->now;
    for (; done < trips; done++) {
        if (begun) { /* the test is at the end: tick and header are one */
            arrive(p, loop, CC_LOOP_TICK);
            arrive(p, loop, CC_LOOP_HEADER);
        } else {
            arrive(p, loop, CC_LOOP_HEADER);
            work(p);
            arrive(p, loop, CC_LOOP_TICK);
        }
        if (done) {
            uint64_t cost = p->now - start;
            m->cost_min = cost < m->cost_min ? cost : m->cost_min;
            m->cost_max = cost > m->cost_max ? cost : m->cost_max;
            start = p->now;
        }
        body(p, loop);
    }
    if (!begun) {
        arrive(p, loop, CC_LOOP_HEADER); /* the test that fails */
        work(p);
    }
    if (trips) {
        uint64_t cost = p->now - start;
        m->cost_min = cost < m->cost_min ? cost : m->cost_min;
        m->cost_max = cost > m->cost_max ? cost : m->cost_max;
    }
    m->invocations++;
    m->iterations += trips;
    m->trips_min = trips < m->trips_min ? trips : m->trips_min;
    m->trips_max = trips > m->trips_max ? trips : m->trips_max;
    if (--m->active == 0)
        m->instructions += p->now - m->since;
    if (loop == 1 || loop == LEAF || some(p, 4)) /* else the function returns from within, right away */
        arrive(p, loop, CC_LOOP_EXIT);
}

static void body(struct play *p, unsigned loop)
{
    work(p);
    if (loop == LEAF)
        interrupt(p);
    if (p->budget == 0 || loop == LEAF)
        return;
    p->budget--;
    if (loop == 0 && some(p, 2))
        run_loop(p, 1);
    if (loop == 0 && some(p, 2))
        run_loop(p, LEAF);
    if (some(p, 4) == 0 && p->depth < DEEPEST)
        call_function(p, 1 + (uint32_t)some(p, 2));
    work(p);
}

/* Every loop is left before the next begins, or the return leaves it. */
static void call_function(struct play *p, uint32_t function)
{
    uint64_t ret = 0x1000 + p->depth;
    p->depth++;
    cc_call(p->t, p->now, function, ret, 0);
    run_loop(p, function == 1 ? 0 : 2 + (unsigned)some(p, 2));
    cc_return(p->t, p->now, ret, 0);
    p->depth--;
}

static void make_loops(bool begun)
{
    const uint32_t flags[LOOPS] = {0, CC_LOOP_BEGUN, CC_LOOP_BEGUN, 0,
                                   CC_LOOP_LEAF | (begun ? CC_LOOP_BEGUN | CC_LOOP_TICK_AT_HEADER : 0)};
    for (unsigned i = 0; i < LOOPS; i++) {
        loops[i] = (struct cc_loop){.at = {.header = i, .flags = flags[i], .outer = CC_NONE}, .id = CC_NONE};
        for (unsigned kind = 0; kind < 3; kind++) {
            here[i][kind] = (struct cc_loop_here){&loops[i], kind};
            points[i][kind] = (struct cc_loop_point){0, 1, &here[i][kind]};
        }
        model[i] = (struct model){.trips_min = UINT64_MAX, .cost_min = UINT64_MAX};
        got[i] = (struct cc_rec_loop){0};
    }
    loops[1].outer = loops[LEAF].outer = &loops[0];
}

static bool is_right(unsigned i)
{
    const struct model *m = &model[i];
    const struct cc_rec_loop *r = &got[i];
    if (!m->invocations)
        return r->invocations == 0 && r->iterations == 0;
    return r->invocations == m->invocations && r->iterations == m->iterations &&
           r->instructions == m->instructions && r->trips_min == m->trips_min &&
           r->trips_max == m->trips_max &&
           (!m->iterations || (r->cost_min == m->cost_min && r->cost_max == m->cost_max));
}

static struct cc_collect *make_collect(bool begun)
{
    struct cc_collect *c = fresh_collect(&(struct cc_options){.max_calls = 1000}, 8);
    c->code.binaries = calloc(1, sizeof *c->code.binaries);
    c->loops.file = (const uint8_t *)""; /* loops are asked for */
    c->opt.loops = CC_LOOPS_COUNT;
    make_loops(begun);
    return c;
}

/* A loop that can be entered where one inside it begins: who goes round the inner one stays in it. */
static void test_entry_inside(void)
{
    enum { ROUNDS = 2, TURNS = 6 };
    struct cc_collect *c = make_collect(false);
    struct cc_thread *t = cc_thread_new(c, 1, 0);
    const struct cc_loop_here all[] = {
        {&loops[1], CC_LOOP_TICK}, {&loops[0], CC_LOOP_HEADER}, {&loops[1], CC_LOOP_HEADER}};
    const struct cc_loop_point both = {0, 3, all};
    uint64_t now = 0;
    cc_call(t, now, 1, 0x1000, 0);
    for (int round = 0; round < ROUNDS; round++) {
        for (int turn = 0; turn < TURNS; turn++)
            cc_loop_arrive(t, now += 5, &both, 0);
        cc_loop_arrive(t, now += 5, &points[1][CC_LOOP_EXIT], 0);
        cc_loop_arrive(t, now, &points[0][CC_LOOP_TICK], 0);
    }
    cc_loop_arrive(t, now += 5, &points[0][CC_LOOP_EXIT], 0);
    cc_return(t, now, 0x1000, 0);
    cc_thread_end(t, now);
    cc_loops_write(c, &(struct cc_data_writer){NULL, take});
    OK_U64(got[1].invocations, ROUNDS, "a loop inside that begins where the outer one is entered goes on");
    OK_U64(got[1].iterations, ROUNDS * TURNS, "  with all its iterations");
    OK_U64(got[0].invocations, 1, "  and the outer one is entered once");
    OK_U64(got[0].iterations, ROUNDS, "  and goes round as often as it does");
}

static unsigned play(uint64_t number, bool quick, uint64_t *shortcuts)
{
    struct cc_collect *c = make_collect(number & 1);
    if (quick)
        cc_loop_count_costs(c, &loops[LEAF]);
    struct play p = {.t = cc_thread_new(c, 1, 0), .budget = 200, .depth = 1, .quick = quick};
    p.rng.state = number;
    for (int i = 0; i < 4; i++)
        call_function(&p, 1 + (uint32_t)some(&p, 2));
    cc_thread_end(p.t, p.now);
    cc_loops_write(c, &(struct cc_data_writer){NULL, take});
    shortcuts[0] += p.shortcuts;
    shortcuts[1] += p.taken;
    unsigned wrong = 0;
    for (unsigned i = 0; i < LOOPS; i++) {
        if (is_right(i))
            continue;
        if (!wrong++)
            printf("# seed %llu loop %u: %llu %llu %llu, want %llu %llu %llu\n", (unsigned long long)number,
                   i, (unsigned long long)got[i].invocations, (unsigned long long)got[i].iterations,
                   (unsigned long long)got[i].instructions, (unsigned long long)model[i].invocations,
                   (unsigned long long)model[i].iterations, (unsigned long long)model[i].instructions);
    }
    return wrong;
}

int main(void)
{
    unsigned wrong = 0;
    uint64_t iterations = 0, shortcuts[2] = {0};
    for (uint64_t number = 1; number <= 200; number++) {
        wrong += play(number / 2 + 1, number % 2, shortcuts);
        for (unsigned i = 0; i < LOOPS; i++)
            iterations += model[i].iterations;
    }
    OK_U64(wrong, 0, "loops, iterations and costs of random nests and recursions are those of the model");
    OK(shortcuts[0] > 3000, "%llu times by the short way", (unsigned long long)shortcuts[0]);
    OK(shortcuts[1] > 300, "leaves were entries for a while %llu times", (unsigned long long)shortcuts[1]);
    OK(iterations > 5000, "%llu iterations", (unsigned long long)iterations);
    test_entry_inside();
    return TAP_DONE();
}
