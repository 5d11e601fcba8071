#include "internal.h"
#include "data.h"
#include "depend.h"
#include "loop.h"

enum { MAX_NODES = 1 << 18 };

struct cc_loop_node { /* a loop inside a loop, through calls or not */
    uint32_t parent, loop;
};

/* --- the tree of loops inside loops --- */

/* It is entered for the first time in this run. Lock held. */
static void number(struct cc_collect *c, struct cc_loop *l)
{
    if (l->id != CC_NONE)
        return;
    if (l->outer)
        number(c, l->outer);
    struct cc_loop **to = cc_grow_add(c, &c->loops.all);
    *to = l;
    l->id = c->loops.all.n - 1;
}

static struct cc_loop_node *node_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->loops.nodes, i);
}

/* A loop that is on the way already folds onto that, as recursive calls do. CC_NONE: it is not. */
static uint32_t node_above(const struct cc_collect *c, uint32_t node, uint32_t id)
{
    while (node != CC_NONE && node_at(c, node)->loop != id)
        node = node_at(c, node)->parent;
    return node;
}

/* Beyond the bound everything lies at the top. Lock held. */
static uint32_t node_find(struct cc_collect *c, uint32_t parent, uint32_t id)
{
    struct cc_index *x = &c->loops.children;
    uint64_t key = ((uint64_t)(parent + 1) << 32 | id) + 1;
    size_t slot = cc_index_slot(c, x, key);
    if (x->keys[slot])
        return x->values[slot];
    uint32_t node = node_above(c, parent, id);
    bool full = c->loops.nodes.n >= MAX_NODES;
    if (full && node != CC_NONE)
        return node;
    if (full && parent != CC_NONE)
        return node_find(c, CC_NONE, id);
    if (node == CC_NONE) {
        struct cc_loop_node *n = cc_grow_add(c, &c->loops.nodes);
        *n = (struct cc_loop_node){parent, id};
        node = c->loops.nodes.n - 1;
    }
    x->keys[slot] = key;
    x->values[slot] = node;
    x->n++;
    return node;
}

static struct cc_loop_memo *memo_of(struct cc_loop_thread *x, const struct cc_loop_count *parent,
                                    const struct cc_loop *l)
{
    uintptr_t hash = (uintptr_t)parent / sizeof *parent * 31 + (uintptr_t)l / sizeof *l;
    return &x->memos[hash & (CC_LOOP_MEMOS - 1)];
}

static struct cc_loop_count new_count(struct cc_loop *l, uint32_t node, uint32_t *active)
{
    return (struct cc_loop_count){
        .loop = l, .node = node, .active = active, .costs.min = UINT64_MAX, .trips_min = UINT64_MAX};
}

static struct cc_loop_count *count_at(struct cc_thread *t, uint32_t node, struct cc_loop *l)
{
    struct cc_loop_thread *x = t->loops;
    x->counts = cc_extend(t->owner, x->counts, &x->counts_cap, node + 1, sizeof *x->counts);
    x->active = cc_extend(t->owner, x->active, &x->active_cap, l->id + 1, sizeof *x->active);
    if (!x->active[l->id])
        x->active[l->id] = cc_thread_pool(t, sizeof **x->active);
    if (!x->counts[node]) {
        x->counts[node] = cc_thread_pool(t, sizeof **x->counts);
        *x->counts[node] = new_count(l, node, x->active[l->id]);
    }
    return x->counts[node];
}

/* Of the loop as it is entered now. */
static struct cc_loop_count *count_for(struct cc_thread *t, struct cc_loop *l)
{
    struct cc_loop_thread *x = t->loops;
    const struct cc_loop_count *parent = t->loop_top->k;
    struct cc_loop_memo *m = memo_of(x, parent, l);
    if (m->loop == l && m->parent == parent)
        return m->k;
    struct cc_collect *c = t->owner;
    uint32_t function = cc_place_of(c, l->at.header + c->code.binaries[l->binary].bias, false).function;
    cc_lock(c);
    l->function = function;
    number(c, l);
    uint32_t node = node_find(c, x->n ? parent->node : CC_NONE, l->id);
    cc_unlock(c);
    *m = (struct cc_loop_memo){l, parent, count_at(t, node, l)};
    return m->k;
}

/* --- running --- */

typedef unsigned __int128 wide;

static inline wide wide_of(const uint64_t v[2])
{
    return (wide)v[1] << 64 | v[0];
}

static inline void wide_add(uint64_t to[2], wide v)
{
    v += wide_of(to);
    to[0] = (uint64_t)v;
    to[1] = (uint64_t)(v >> 64);
}

static inline bool is_straight(const struct cc_loop_count *k)
{
    return k->loop->at.flags & CC_LOOP_STRAIGHT;
}

static inline void add_costs(struct cc_loop_spread *s, uint64_t cost, uint64_t times)
{
    s->min = cost < s->min ? cost : s->min;
    s->max = cost > s->max ? cost : s->max;
    wide_add(s->squares, (wide)cost * cost * times);
}

static inline void end_iteration(struct cc_loop_count *k, uint64_t cost)
{
    struct cc_loop_costs *costs = k->loop->costs;
    if (costs && cost < CC_LOOP_COSTS)
        costs->of[cost]++;
    else
        add_costs(&k->costs, cost, 1);
}

/* The invocation is over, or a snapshot wants to know what it would give now. The last iteration ends with
 * it, which is for the caller; false: there was none. */
static inline bool account(struct cc_loop_count *k, const struct cc_loop_entry *e, uint64_t now)
{
    uint64_t trips = e->trips, whole = now - e->start;
    k->iterations += trips;
    *(e->outermost ? &k->instructions : &k->more) += whole;
    if (!e->part) {
        k->trips_min = trips < k->trips_min ? trips : k->trips_min;
        k->trips_max = trips > k->trips_max ? trips : k->trips_max;
    }
    if (!trips)
        k->less += whole;
    return trips && !is_straight(k);
}

static inline void show_top(struct cc_thread *t)
{
    struct cc_loop_thread *x = t->loops;
    t->loop_top = x->v + x->n - 1;
    t->loop_depth = t->loop_top->depth;
}

/* Room for one more: one stays in front of all. */
static void make_room(struct cc_thread *t)
{
    struct cc_loop_thread *x = t->loops;
    struct cc_loop_entry *first = x->v ? x->v - 1 : NULL;
    size_t cap = first ? x->cap + 1 : 0;
    if (first && x->n < x->cap)
        return;
    first = cc_extend(t->owner, first, &cap, x->n + 2, sizeof *first);
    first->k = &x->nothing;
    x->v = first + 1;
    x->cap = cap - 1;
    show_top(t);
}

static inline void push_entry(struct cc_thread *t, uint64_t now, struct cc_loop_count *k)
{
    struct cc_loop_entry *e = ++t->loop_top;
    t->loops->n++;
    e->loop = k->loop; /* what tasks need cc_loop_task_enter sets */
    e->iteration_start = e->start = now;
    e->trips = (k->loop->at.flags & CC_LOOP_BEGUN) && !t->off;
    e->k = k;
    e->depth = (uint32_t)t->depth;
    e->part = t->off;
    e->outermost = (*k->active)++ == 0;
    k->invocations += !t->off;
    t->loop_depth = t->depth;
}

static inline struct cc_loop_entry *pop_entry(struct cc_thread *t, uint64_t now)
{
    struct cc_loop_entry *e = t->loop_top--;
    t->loops->n--;
    t->loop_depth = e[-1].depth;
    --*e->k->active;
    if (account(e->k, e, now))
        end_iteration(e->k, now - e->iteration_start);
    return e;
}

static void pop(struct cc_thread *t, uint64_t now)
{
    struct cc_loop_entry *e = pop_entry(t, now);
    if (t->landing)
        e->k->loop->at.flags |= CC_LOOP_THROWN;
    if (t->loops->tasks)
        cc_loop_task_leave(t, now, e);
    if (t->depend)
        cc_depend_leave(t->depend, t->loops->n, now);
}

/* The same for loops that may be one statement of the source; 0: not known. */
static uint64_t statement_of(const struct cc_loop *l)
{
    uint64_t around = (uint64_t)l->binary << 32 | l->at.outer;
    return l->at.line ? (around * 31 + l->at.line) * UINT64_C(0x9e3779b97f4a7c15) | 1 : 0;
}

static void push(struct cc_thread *t, uint64_t now, struct cc_loop *l)
{
    struct cc_loop_count *k = count_for(t, l);
    make_room(t);
    push_entry(t, now, k);
    if (t->loops->tasks)
        cc_loop_task_enter(t, now, t->loop_top);
}

static void enter(struct cc_thread *t, uint64_t now, struct cc_loop *l, uint64_t sp)
{
    push(t, now, l);
    if (!t->depend)
        return;
    cc_loop_find_sign(t, l, t->loop_top->k);
    cc_depend_enter(t->depend, l->id, sp, now, statement_of(l));
}

/* The active entry of a loop in the present activation; those above it are over. NULL: it is not active. */
static struct cc_loop_entry *find(struct cc_thread *t, uint64_t now, const struct cc_loop *l)
{
    struct cc_loop_thread *x = t->loops;
    for (size_t i = x->n; i-- > 0 && x->v[i].depth == t->depth;) {
        if (x->v[i].loop != l)
            continue;
        while (x->n > i + 1)
            pop(t, now);
        return &x->v[i];
    }
    return NULL;
}

static bool is_active(const struct cc_thread *t, const struct cc_loop *l)
{
    const struct cc_loop_thread *x = t->loops;
    for (size_t i = x->n; i-- > 0 && x->v[i].depth == t->depth;)
        if (x->v[i].loop == l)
            return true;
    return false;
}

/* Its first iteration has begun with the enter where the tick is not at the header: what the test did belongs
 * to it. */
static inline bool iterate_entry(struct cc_loop_entry *e, uint64_t now)
{
    if (e->trips++ == 0)
        return false;
    if (!is_straight(e->k))
        end_iteration(e->k, now - e->iteration_start);
    e->iteration_start = now;
    return true;
}

static void iterate(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e, uint64_t sp)
{
    if (t->off || !iterate_entry(e, now))
        return;
    if (t->loops->tasks)
        cc_loop_task_iterate(t, now, e);
    if (t->depend)
        cc_depend_iterate(t->depend, (size_t)(e - t->loops->v), sp, now);
}

/* A loop that can be entered in several places may be where one inside it begins: who goes round there has
 * not left that one. Where it is left, an event says so. */
static void one(struct cc_thread *t, uint64_t now, const struct cc_loop_here *h, uint64_t sp)
{
    if (h->kind == CC_LOOP_HEADER) {
        if (!is_active(t, h->loop))
            enter(t, now, h->loop, sp);
        return;
    }
    struct cc_loop_entry *e = find(t, now, h->loop);
    if (h->kind == CC_LOOP_EXIT) {
        if (e)
            pop(t, now);
    } else if (e) {
        iterate(t, now, e, sp);
    }
}

/* The innermost loop does no more than begin an iteration there. */
static bool goes_on(const struct cc_loop_entry *top, const struct cc_loop_point *p)
{
    const struct cc_loop_here *v = p->v;
    return v->loop == top->loop && v->kind == CC_LOOP_TICK &&
           (p->n == 1 || (p->n == 2 && v[1].loop == v->loop && v[1].kind == CC_LOOP_HEADER));
}

void cc_loop_arrive(struct cc_thread *t, uint64_t raw, const struct cc_loop_point *p, uint64_t sp)
{
    uint64_t now = cc_now(t, raw);
    if (t->loop_depth == t->depth && goes_on(t->loop_top, p)) {
        iterate(t, now, t->loop_top, sp);
        return;
    }
    if (t->loop_depth > t->depth)
        cc_loops_unwind(t, now);
    for (uint32_t i = 0; i < p->n; i++)
        one(t, now, &p->v[i], sp);
}

/* Of a loop that is entered as it was before, as m remembers or the thread does; NULL: neither. */
static inline struct cc_loop_count *count_again(const struct cc_thread *t, const struct cc_loop_memo *m)
{
    const struct cc_loop_entry *around = t->loop_top;
    if (m->parent == around->k)
        return m->k;
    const struct cc_loop_memo *other = memo_of(t->loops, around->k, m->loop);
    bool leaf = around->loop && around->loop->at.flags & CC_LOOP_LEAF; /* that a signal has interrupted */
    return m->parent && other->loop == m->loop && other->parent == around->k && !leaf ? other->k : NULL;
}

bool cc_loop_enter_same(struct cc_thread *t, const struct cc_loop_entry *top, uint64_t now,
                        const struct cc_loop_memo *m, uint64_t sp)
{
    struct cc_loop_count *k = count_again(t, m);
    if (top->loop != m->loop->outer || !k || t->loops->n >= t->loops->cap)
        return false; /* others may be over */
    push_entry(t, now, k);
    if (!t->depend)
        return true;
    cc_loop_find_sign(t, k->loop, k);
    cc_depend_enter(t->depend, m->loop->id, sp, now, statement_of(m->loop));
    return true;
}

void cc_loop_enter_learn(struct cc_thread *t, struct cc_loop_memo *m)
{
    const struct cc_loop *around = t->loop_top[-1].loop;
    if (t->loop_top->loop != m->loop || (around && around->at.flags & CC_LOOP_LEAF))
        return; /* a signal has interrupted that one: it has to be taken up again */
    m->parent = t->loop_top[-1].k;
    m->k = t->loop_top->k;
}

bool cc_loop_leave_same(struct cc_thread *t, struct cc_loop_entry *top, uint64_t now, const struct cc_loop *l)
{
    if (top->loop != l)
        return false;
    pop_entry(t, now);
    if (t->depend)
        cc_depend_leave(t->depend, t->loops->n, now);
    return true;
}

void cc_loop_again(struct cc_loop_entry *top, uint64_t now)
{
    iterate_entry(top, now);
}

/* Nothing was called meanwhile: the loop cannot have been active before. */
bool cc_loop_leaf_leave(struct cc_thread *t, const struct cc_loop_entry *top, uint64_t now,
                        const struct cc_loop_memo *m, const struct cc_loop_leaf *x)
{
    struct cc_loop_count *k = count_again(t, m);
    if (top->loop != m->loop->outer || !k)
        return false;
    const struct cc_loop_entry e = {.start = x->start, .trips = x->trips, .outermost = true};
    k->invocations++;
    if (account(k, &e, now))
        end_iteration(k, now - x->iteration_start);
    return true;
}

bool cc_loop_leaf_enter(struct cc_thread *t, const struct cc_loop_entry *top, const struct cc_loop_memo *m)
{
    uint64_t sign;
    const struct cc_loop_count *k = count_again(t, m);
    if (top->loop != m->loop->outer || !k)
        return false; /* others may be over */
    return cc_loop_sign_again(t, m->loop, k, &sign) && cc_depend_enter_known(t->depend, m->loop->id, sign);
}

void cc_loop_tell(struct cc_collect *c, struct cc_loop *l)
{
    if (l->quiet)
        cc_depend_not_entered(c->depend, l->id, l->quiet - 1);
    l->quiet = 0;
}

void cc_loops_tell(struct cc_collect *c)
{
    for (uint32_t i = 0; i < c->loops.all.n; i++)
        cc_loop_tell(c, *(struct cc_loop **)cc_grow_at(&c->loops.all, i));
}

void cc_loop_leaf_again(struct cc_loop_leaf *x, uint64_t now)
{
    if (x->trips++ == 0)
        return;
    if (x->loop->costs)
        add_costs(&x->loop->costs->more, now - x->iteration_start, 1);
    x->iteration_start = now;
}

void cc_loop_leaf_settle(struct cc_thread *t, const struct cc_loop_leaf *x)
{
    uint64_t start = cc_now(t, x->start), latest = cc_now(t, x->iteration_start);
    if (t->loop_depth > t->depth)
        cc_loops_unwind(t, start);
    struct cc_loop_entry *e = find(t, start, x->loop);
    if (!e) {
        push(t, start, x->loop);
        e = t->loop_top;
        e->trips = 0;
        if (t->depend)
            cc_depend_borrow(t->depend, x->loop->id, start);
    } else if (e->trips && x->trips && !is_straight(e->k)) {
        end_iteration(e->k, start - e->iteration_start);
    }
    if (t->off || !x->trips)
        return;
    e->trips += x->trips;
    e->iteration_start = latest;
}

bool cc_loop_leaf_take(struct cc_thread *t, struct cc_loop_leaf *x)
{
    const struct cc_loop_entry *e = t->loop_top;
    if (t->loop_depth != t->depth || t->off || t->skipped || e->part || !e->outermost)
        return false;
    if (t->depend && !cc_depend_lend(t->depend, t->loops->n))
        return false;
    if (t->depend && !e->k->loop->quiet && !cc_loop_may_have_sign(t->owner, e->k->loop))
        e->k->loop->quiet = cc_depend_quiet(t->depend, e->k->loop->id);
    *x = (struct cc_loop_leaf){e->k->loop, e->start, e->iteration_start, e->trips};
    e->k->invocations--;
    --*e->k->active;
    t->loops->n--;
    show_top(t);
    return true;
}

static void reset_costs(struct cc_loop_costs *costs)
{
    *costs = (struct cc_loop_costs){.more.min = UINT64_MAX};
}

void cc_loop_count_costs(struct cc_collect *c, struct cc_loop *l)
{
    if (l->costs || l->at.flags & CC_LOOP_STRAIGHT)
        return;
    l->costs = cc_pool(c, sizeof *l->costs);
    reset_costs(l->costs);
}

void cc_loops_unwind(struct cc_thread *t, uint64_t now)
{
    while (t->loop_depth > t->depth)
        pop(t, now);
}

void cc_loops_land(struct cc_thread *t, uint64_t now, uint64_t address)
{
    const struct cc_loop *around = t->loop_depth == t->depth ? cc_loop_around(t->owner, address) : NULL;
    while (t->loop_depth == t->depth && t->loop_depth) {
        const struct cc_loop *l = around;
        while (l && l != t->loop_top->loop)
            l = l->outer;
        if (l)
            return;
        pop(t, now);
    }
}

void cc_loops_thrown(struct cc_thread *t, uint32_t function, uint64_t ret)
{
    enum { NEAR = 256 }; /* bytes: what a compiler puts aside for it is short */
    if (!t->loops || !ret || cc_loop_around(t->owner, ret - 1))
        return; /* the loop is still under way */
    const struct cc_loop_point *p = cc_loop_point_before(t->owner, ret - 1, NEAR - 1);
    for (uint32_t i = 0; p && i < p->n; i++)
        if (p->v[i].kind == CC_LOOP_EXIT && p->v[i].loop->function == function)
            p->v[i].loop->at.flags |= CC_LOOP_THROWN;
}

void cc_loops_leave_activation(struct cc_thread *t, uint64_t now)
{
    while (t->loop_depth >= t->depth && t->loop_depth)
        pop(t, now);
}

void cc_loops_thread_init(struct cc_thread *t)
{
    if (!t->owner->loops.file)
        return;
    if (t->owner->depend)
        cc_loops_tell(t->owner); /* what one thread does may now be of use to another */
    t->loops = t->owner->host.map(t->owner->host.self, sizeof *t->loops);
    t->loops->unsure.loop = CC_LOOP_UNSURE;
    make_room(t);
    t->loops->tasks = t->owner->opt.tasks >= CC_TASKS_LOOPS;
    t->loops->countable = !t->loops->tasks;
}

void cc_loops_init(struct cc_collect *c)
{
    c->loops.all.item = sizeof(struct cc_loop *);
    c->loops.nodes.item = sizeof(struct cc_loop_node);
}

static void forget_costs(struct cc_collect *c)
{
    for (uint32_t i = 0; i < c->loops.all.n; i++) {
        struct cc_loop *l = *(struct cc_loop **)cc_grow_at(&c->loops.all, i);
        l->quiet = 0;
        if (l->costs)
            reset_costs(l->costs);
    }
}

void cc_loops_forget(struct cc_collect *c)
{
    forget_costs(c);
    for (uint32_t n = 0; n < c->threads.n; n++) {
        struct cc_loop_thread *x = c->threads.v[n]->loops;
        uint64_t since = c->threads.v[n]->since;
        for (size_t i = 0; x && i < x->counts_cap; i++) {
            struct cc_loop_count *k = x->counts[i];
            if (k)
                *k = new_count(k->loop, k->node, k->active);
        }
        for (size_t i = 0; x && i < x->n; i++) {
            struct cc_loop_entry *e = &x->v[i];
            e->start = e->iteration_start = since;
            e->trips = 0;
            e->part = true;
        }
    }
}

/* --- results --- */

/* Instructions of all iterations. */
static uint64_t cost_sum(const struct cc_loop_count *k)
{
    return k->instructions + k->more - k->less;
}

static void join_spread(struct cc_loop_spread *to, const struct cc_loop_spread *s)
{
    to->min = s->min < to->min ? s->min : to->min;
    to->max = s->max > to->max ? s->max : to->max;
    wide_add(to->squares, wide_of(s->squares));
}

static void join(struct cc_loop_count *to, const struct cc_loop_count *k)
{
    if (k->invocations) {
        to->trips_min = !to->invocations || k->trips_min < to->trips_min ? k->trips_min : to->trips_min;
        to->trips_max = k->trips_max > to->trips_max ? k->trips_max : to->trips_max;
    }
    if (!to->iterations)
        to->costs.min = UINT64_MAX;
    if (k->iterations)
        join_spread(&to->costs, &k->costs);
    to->invocations += k->invocations;
    to->iterations += k->iterations;
    to->instructions += k->instructions;
    to->more += k->more;
    to->less += k->less;
}

/* What a thread has counted for a node, with what is active there. */
static struct cc_loop_count count_of(const struct cc_thread *t, uint32_t node)
{
    const struct cc_loop_thread *x = t->loops;
    if (!x->counts[node])
        return (struct cc_loop_count){0};
    struct cc_loop_count k = *x->counts[node];
    for (size_t i = x->n; i-- > 0;) {
        const struct cc_loop_entry *e = &x->v[i];
        if (e->k != x->counts[node])
            continue;
        if (account(&k, e, t->since))
            add_costs(&k.costs, t->since - e->iteration_start, 1);
    }
    if (is_straight(&k) && k.iterations) {
        add_costs(&k.costs, cost_sum(&k) / k.iterations, k.iterations);
    }
    return k;
}

static uint64_t root(wide v) /* rounded down */
{
    uint64_t r = 0;
    for (uint64_t bit = UINT64_C(1) << 63; bit; bit >>= 1)
        if ((wide)(r | bit) * (r | bit) <= v)
            r |= bit;
    return r;
}

/* n times the sum of squares minus the square of the sum, over n squared. */
static uint64_t deviation(const struct cc_loop_count *k)
{
    uint64_t n = k->iterations;
    if (!n)
        return 0;
    uint64_t mean = cost_sum(k) / n, rest = cost_sum(k) % n;
    /* with a sum of mean * n + rest: sum of squares / n - mean * mean - 2 * mean * rest / n - (rest / n)^2 */
    wide variance = wide_of(k->costs.squares) / n;
    wide less = (wide)mean * mean + (wide)mean * 2 * rest / n;
    return variance > less ? root(variance - less) : 0;
}

struct bytes {
    uint64_t read, written;
};

static uint32_t function_of(void *self, uint32_t loop)
{
    const struct cc_collect *c = self;
    return (*(struct cc_loop *const *)cc_grow_at(&c->loops.all, loop))->function;
}

static void add_bytes(struct cc_collect *c, const struct cc_block_entry *b, uint64_t times,
                      struct bytes *of_loop)
{
    uint64_t address = b->address;
    for (uint32_t k = 0; k < b->instructions; address += b->insns[k++].size) {
        const struct cc_rec_insn *insn = &b->insns[k];
        if (!insn->read && !insn->written)
            continue;
        for (const struct cc_loop *l = cc_loop_around(c, address); l; l = l->outer) {
            if (l->id == CC_NONE)
                continue;
            of_loop[l->id].read += times * insn->read;
            of_loop[l->id].written += times * insn->written;
            if (c->depend)
                cc_depend_ran(c->depend, address, l->id);
        }
    }
}

/* What each loop's own code, that of loops inside it included, has read and written. */
static void count_bytes(struct cc_collect *c, struct bytes *of_loop)
{
    size_t size = c->blocks.n * sizeof(uint64_t);
    uint64_t *times = c->host.map(c->host.self, size);
    for (uint32_t t = 0; t < CC_BLOCK_TABLES; t++) {
        const struct cc_block_table *table = &c->blocks.tables[t];
        bool own = table->function == CC_NONE;
        for (uint32_t i = 1; table->counts && i < (own ? c->blocks.n : c->blocks.nlent); i++)
            times[own ? i : c->blocks.lent[i]] += table->counts[i];
    }
    for (uint32_t i = 1; i < c->blocks.n; i++)
        if (times[i])
            add_bytes(c, &c->blocks.all[i], times[i], of_loop);
    c->host.unmap(c->host.self, times, size);
}

/* Of iterations that the engine has counted by itself. */
static void join_costs(struct cc_loop_count *to, const struct cc_loop *l)
{
    for (uint32_t cost = 1; l->costs && cost < CC_LOOP_COSTS; cost++)
        if (l->costs->of[cost])
            add_costs(&to->costs, cost, l->costs->of[cost]);
    if (l->costs)
        join_spread(&to->costs, &l->costs->more);
    if (!to->iterations)
        to->costs.min = 0;
}

static void put_loop(struct cc_collect *c, const struct cc_data_writer *w, uint32_t id,
                     const struct cc_loop_count *k, const struct bytes *bytes)
{
    const struct cc_loop *l = *(struct cc_loop *const *)cc_grow_at(&c->loops.all, id);
    struct cc_rec_loop r = {.id = id,
                            .outer = l->outer ? l->outer->id : CC_NONE,
                            .binary = l->binary,
                            .function = l->function,
                            .flags = l->at.flags & ~(uint32_t)CC_LOOP_LEAF,
                            .header = l->at.header,
                            .tick = l->at.tick,
                            .test = l->at.test,
                            .invocations = k->invocations,
                            .iterations = k->iterations,
                            .instructions = k->instructions,
                            .bytes_read = bytes->read,
                            .bytes_written = bytes->written,
                            .trips_min = k->trips_min,
                            .trips_max = k->trips_max,
                            .cost_min = k->costs.min,
                            .cost_max = k->costs.max,
                            .cost_deviation = deviation(k)};
    if (c->depend) {
        struct cc_depend_counts sampled = cc_depend_sampled(c->depend, id);
        r.sampled_invocations = sampled.invocations;
        r.sampled_iterations = sampled.iterations;
        if (sampled.longest >= k->trips_max)
            r.flags |= CC_LOOP_WHOLE;
        if (cc_depend_is_late(c->depend, id))
            r.flags |= CC_LOOP_LATE;
        if (cc_depend_is_strange(c->depend, id))
            r.flags |= CC_LOOP_STRANGE;
        if (cc_depend_lies_twice(c->depend))
            r.flags |= CC_LOOP_TWICE;
    }
    w->put(w->self, CC_REC_LOOP, &r, sizeof r, NULL, 0);
}

/* A loop that was never entered is code of the one around it that did not run. */
static void put_blocks(struct cc_collect *c, const struct cc_data_writer *w)
{
    for (uint32_t i = 0; i < c->code.nbinaries; i++) {
        const struct cc_loop_binary *b = c->code.binaries[i].loops;
        for (uint32_t k = 0; b && k < b->nblocks; k++) {
            const struct cc_loop *l = &b->loops[b->blocks[k].loop];
            while (l->id == CC_NONE && l->outer)
                l = l->outer;
            struct cc_rec_loop_block r = {
                .loop = l->id, .start = b->blocks[k].start, .end = b->blocks[k].end};
            if (l->id != CC_NONE)
                w->put(w->self, CC_REC_LOOP_BLOCK, &r, sizeof r, NULL, 0);
        }
    }
}

void cc_loops_write(struct cc_collect *c, const struct cc_data_writer *w)
{
    uint32_t n = c->loops.nodes.n, loops = c->loops.all.n;
    if (!loops)
        return;
    size_t size = (n + loops) * sizeof(struct cc_loop_count) + loops * sizeof(struct bytes);
    struct cc_loop_count *of_node = c->host.map(c->host.self, size), *of_loop = of_node + n;
    struct bytes *bytes = (struct bytes *)(of_loop + loops);
    if (c->depend)
        cc_depend_find_late(c->depend, c, function_of);
    count_bytes(c, bytes);
    for (uint32_t k = 0; k < c->threads.n; k++)
        for (uint32_t i = 0; c->threads.v[k]->loops && i < n && i < c->threads.v[k]->loops->counts_cap; i++) {
            struct cc_loop_count count = count_of(c->threads.v[k], i);
            join(&of_node[i], &count);
        }
    for (uint32_t i = 0; i < n; i++)
        join(&of_loop[node_at(c, i)->loop], &of_node[i]);
    for (uint32_t i = 0; i < loops; i++) {
        join_costs(&of_loop[i], *(struct cc_loop **)cc_grow_at(&c->loops.all, i));
        put_loop(c, w, i, &of_loop[i], &bytes[i]);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct cc_loop_count *k = &of_node[i];
        struct cc_rec_loop_node r = {.id = i,
                                     .parent = node_at(c, i)->parent,
                                     .loop = node_at(c, i)->loop,
                                     .invocations = k->invocations,
                                     .iterations = k->iterations,
                                     .instructions = k->instructions};
        w->put(w->self, CC_REC_LOOP_NODE, &r, sizeof r, NULL, 0);
    }
    put_blocks(c, w);
    c->host.unmap(c->host.self, of_node, size);
}
