#include "internal.h"
#include "data.h"
#include "depend.h"
#include "loop.h"

enum { MAX_FILE = 1 << 30, MAX_NODES = 1 << 18 };

struct cc_loop_node { /* a loop inside a loop, through calls or not */
    uint32_t parent, loop;
};

/* --- the file that tells where loops are --- */

struct piece { /* of that file: of one ELF file */
    const char *path;
    size_t path_size;
    const struct cc_loop_static *loops;
    const struct cc_loop_block *blocks;
    const struct cc_loop_event *events;
    struct cc_loop_file n;
};

/* Takes `size` bytes, rounded up to 8, off the front; NULL: there are not so many. */
static const void *take(const uint8_t **at, size_t *left, uint64_t size)
{
    const uint8_t *p = *at;
    size = (size + 7) & ~UINT64_C(7);
    if (size > *left)
        return NULL;
    *at += size;
    *left -= size;
    return p;
}

static bool next_piece(const uint8_t **at, size_t *left, struct piece *ret)
{
    const struct cc_loop_file *n = take(at, left, sizeof *n);
    if (!n)
        return false;
    *ret = (struct piece){.n = *n, .path_size = n->path_size};
    ret->path = take(at, left, n->path_size);
    ret->loops = ret->path ? take(at, left, (uint64_t)n->loops * sizeof *ret->loops) : NULL;
    ret->blocks = ret->loops ? take(at, left, (uint64_t)n->blocks * sizeof *ret->blocks) : NULL;
    ret->events = ret->blocks ? take(at, left, (uint64_t)n->events * sizeof *ret->events) : NULL;
    return ret->events != NULL;
}

static bool makes_sense(const struct piece *p)
{
    for (uint32_t i = 0; i < p->n.loops; i++)
        if (p->loops[i].outer != CC_NONE && p->loops[i].outer >= i)
            return false;
    for (uint32_t i = 0; i < p->n.blocks; i++)
        if (p->blocks[i].loop >= p->n.loops || (i && p->blocks[i].start < p->blocks[i - 1].end))
            return false;
    for (uint32_t i = 0; i < p->n.events; i++)
        if (p->events[i].loop >= p->n.loops || p->events[i].kind >= CC_LOOP_EVENTS ||
            (i && p->events[i].address < p->events[i - 1].address))
            return false;
    return true;
}

bool cc_loops_read(struct cc_collect *c)
{
    const struct cc_host *h = &c->host;
    const char *path = c->opt.loops_file;
    if (!path || c->opt.loops == CC_LOOPS_NONE)
        return true;
    uint8_t head[8];
    for (size_t size = 1 << 20; size <= MAX_FILE; size *= 8) {
        uint8_t *all = h->map(h->self, size);
        long n = h->read_file(h->self, path, all, size, 0);
        if (n >= (long)sizeof head && (size_t)n < size) {
            c->loops.file = all + sizeof head;
            c->loops.size = (size_t)n - sizeof head;
            return cc_same_bytes(all, CC_LOOP_MAGIC, sizeof head);
        }
        h->unmap(h->self, all, size);
        if (n < (long)sizeof head)
            break;
    }
    return false;
}

/* --- the loops of a file that is mapped --- */

static bool is_path(const struct piece *p, const char *path)
{
    return cc_length(path) == p->path_size && cc_same_bytes(p->path, path, p->path_size);
}

static void make_points(struct cc_collect *c, struct cc_loop_binary *b, const struct piece *p)
{
    struct cc_loop_here *here = cc_pool(c, p->n.events * sizeof *here + 1);
    b->points = cc_pool(c, p->n.events * sizeof *b->points + 1);
    for (uint32_t i = 0; i < p->n.events; i++) {
        const struct cc_loop_event *e = &p->events[i];
        here[i] = (struct cc_loop_here){&b->loops[e->loop], e->kind};
        if (!b->npoints || b->points[b->npoints - 1].address != e->address)
            b->points[b->npoints++] = (struct cc_loop_point){e->address, 0, &here[i]};
        b->points[b->npoints - 1].n++;
    }
}

static void load(struct cc_collect *c, struct cc_loop_binary *b, const struct piece *p, uint32_t binary)
{
    b->loops = cc_pool(c, p->n.loops * sizeof *b->loops + 1);
    for (uint32_t i = 0; i < p->n.loops; i++)
        b->loops[i] =
            (struct cc_loop){.at = p->loops[i],
                             .outer = p->loops[i].outer == CC_NONE ? NULL : &b->loops[p->loops[i].outer],
                             .id = CC_NONE,
                             .binary = binary};
    b->nloops = p->n.loops;
    b->blocks = p->blocks;
    b->nblocks = p->n.blocks;
    make_points(c, b, p);
}

void cc_loops_load(struct cc_collect *c, struct cc_binary *o)
{
    const uint8_t *at = c->loops.file;
    size_t left = c->loops.size;
    struct piece p;
    while (at && next_piece(&at, &left, &p)) {
        if (!is_path(&p, o->path) || !makes_sense(&p))
            continue;
        struct cc_loop_binary *b = cc_pool(c, sizeof *b);
        load(c, b, &p, (uint32_t)(o - c->code.binaries));
        o->loops = b;
        return;
    }
}

static const struct cc_loop_binary *loops_at(struct cc_collect *c, uint64_t address, uint64_t *ret_va)
{
    uint32_t i = c->loops.file ? cc_binary_of(c, address, ret_va) : CC_NONE;
    return i == CC_NONE ? NULL : c->code.binaries[i].loops;
}

const struct cc_loop_point *cc_loop_point(struct cc_collect *c, uint64_t address)
{
    uint64_t va;
    const struct cc_loop_binary *b = loops_at(c, address, &va);
    uint32_t lo = 0, hi = b ? b->npoints : 0;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (b->points[mid].address < va)
            lo = mid + 1;
        else
            hi = mid;
    }
    return b && lo < b->npoints && b->points[lo].address == va ? &b->points[lo] : NULL;
}

struct cc_loop *cc_loop_around(struct cc_collect *c, uint64_t address)
{
    uint64_t va;
    const struct cc_loop_binary *b = loops_at(c, address, &va);
    uint32_t lo = 0, hi = b ? b->nblocks : 0; /* the first beyond the address */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (b->blocks[mid].start > va)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo && va < b->blocks[lo - 1].end ? &b->loops[b->blocks[lo - 1].loop] : NULL;
}

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

/* A loop that is on the way already folds onto that, as recursive calls do. Beyond the bound everything lies
 * at the top. Lock held. */
static uint32_t node_find(struct cc_collect *c, uint32_t parent, uint32_t id)
{
    for (uint32_t up = parent; up != CC_NONE; up = node_at(c, up)->parent)
        if (node_at(c, up)->loop == id)
            return up;
    if (c->loops.nodes.n >= MAX_NODES)
        parent = CC_NONE;
    uint64_t key = ((uint64_t)(parent + 1) << 32 | id) + 1;
    size_t slot = cc_index_slot(c, &c->loops.children, key);
    if (!c->loops.children.keys[slot]) {
        struct cc_loop_node *n = cc_grow_add(c, &c->loops.nodes);
        *n = (struct cc_loop_node){parent, id};
        c->loops.children.keys[slot] = key;
        c->loops.children.values[slot] = c->loops.nodes.n - 1;
        c->loops.children.n++;
    }
    return c->loops.children.values[slot];
}

static uint32_t node_of(struct cc_thread *t, struct cc_loop *l)
{
    struct cc_loop_thread *x = t->loops;
    uint32_t parent = x->n ? x->v[x->n - 1].node : CC_NONE;
    struct cc_loop_memo *m = &x->memos[(parent * 31 + l->id) & (CC_LOOP_MEMOS - 1)];
    if (l->id != CC_NONE && m->id == l->id + 1 && m->parent == parent)
        return m->node;
    struct cc_collect *c = t->owner;
    uint32_t function = cc_place_of(c, l->at.header + c->code.binaries[l->binary].bias, false).function;
    cc_lock(c);
    l->function = function;
    number(c, l);
    uint32_t node = node_find(c, parent, l->id);
    cc_unlock(c);
    m = &x->memos[(parent * 31 + l->id) & (CC_LOOP_MEMOS - 1)];
    *m = (struct cc_loop_memo){parent, l->id + 1, node};
    x->counts = cc_extend(c, x->counts, &x->counts_cap, node + 1, sizeof *x->counts);
    return node;
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

static inline void end_iteration(struct cc_loop_entry *e, uint64_t now)
{
    uint64_t cost = now - e->iteration_start;
    e->cost_min = cost < e->cost_min ? cost : e->cost_min;
    e->cost_max = cost > e->cost_max ? cost : e->cost_max;
    wide squares = ((wide)e->large << 64 | e->squares) + (wide)cost * cost;
    e->squares = (uint64_t)squares;
    e->large = (uint64_t)(squares >> 64);
}

/* The last iteration ends with the loop. */
static inline void account_costs(struct cc_loop_count *k, const struct cc_loop_entry *e, uint64_t now)
{
    bool straight = e->loop->at.flags & CC_LOOP_STRAIGHT;
    uint64_t whole = now - e->start, last = straight ? whole / e->trips : now - e->iteration_start;
    uint64_t least = straight || last < e->cost_min ? last : e->cost_min,
             most = straight || last > e->cost_max ? last : e->cost_max;
    wide squares = (wide)last * last;
    squares = straight ? squares * e->trips : squares + ((wide)e->large << 64 | e->squares);
    k->cost_min = !k->costs || least < k->cost_min ? least : k->cost_min;
    k->cost_max = most > k->cost_max ? most : k->cost_max;
    k->cost_sum += whole;
    k->costs += e->trips;
    wide_add(k->squares, squares);
}

/* The entry is over, or a snapshot wants to know what it would give now. */
static inline void account(struct cc_loop_count *k, const struct cc_loop_entry *e, uint64_t now)
{
    if (e->outermost)
        k->instructions += now - e->start;
    k->iterations += e->trips;
    if (!e->part) {
        k->trips_min = !k->whole || e->trips < k->trips_min ? e->trips : k->trips_min;
        k->trips_max = e->trips > k->trips_max ? e->trips : k->trips_max;
        k->whole++;
    }
    if (e->trips)
        account_costs(k, e, now);
}

static void show_top(struct cc_thread *t)
{
    struct cc_loop_thread *x = t->loops;
    t->loop_entry = x->n ? &x->v[x->n - 1] : NULL;
    t->loop_depth = x->n ? t->loop_entry->depth : 0;
}

static void pop(struct cc_thread *t, uint64_t now)
{
    struct cc_loop_thread *x = t->loops;
    struct cc_loop_entry *e = &x->v[--x->n];
    struct cc_loop_count *k = &x->counts[e->node];
    account(k, e, now);
    x->active[e->loop->id]--;
    if (x->tasks)
        cc_loop_task_leave(t, now, e);
    e->loop = NULL;
    show_top(t);
    if (t->depend)
        cc_depend_leave(t->depend, x->n, now);
}

/* The same for loops that may be one statement of the source; 0: not known. */
static uint64_t statement_of(const struct cc_loop *l)
{
    uint64_t around = (uint64_t)l->binary << 32 | l->at.outer;
    return l->at.line ? (around * 31 + l->at.line) * UINT64_C(0x9e3779b97f4a7c15) | 1 : 0;
}

static void enter(struct cc_thread *t, uint64_t now, struct cc_loop *l, uint64_t sp)
{
    struct cc_loop_thread *x = t->loops;
    uint32_t node = node_of(t, l);
    if (x->n == x->cap)
        x->v = cc_extend(t->owner, x->v, &x->cap, x->n + 1, sizeof *x->v);
    struct cc_loop_entry *e = &x->v[x->n++];
    e->loop = l; /* what tasks need cc_loop_task_enter sets */
    e->iteration_start = e->start = now;
    e->trips = (l->at.flags & CC_LOOP_BEGUN) && !t->off;
    e->cost_min = UINT64_MAX;
    e->cost_max = e->squares = e->large = 0;
    e->depth = (uint32_t)t->depth;
    e->node = node;
    e->sp = sp;
    e->part = t->off;
    show_top(t);
    x->counts[node].invocations += !t->off;
    if (l->id >= x->active_cap)
        x->active = cc_extend(t->owner, x->active, &x->active_cap, l->id + 1, sizeof *x->active);
    e->outermost = x->active[l->id]++ == 0;
    if (x->tasks)
        cc_loop_task_enter(t, now, e);
    if (t->depend)
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

/* Its first iteration has begun with the enter where the tick is not at the header: what the test did belongs
 * to it. */
static inline void iterate(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e, uint64_t sp)
{
    if (t->off || e->trips++ == 0)
        return;
    end_iteration(e, now);
    e->iteration_start = now;
    if (t->loops->tasks)
        cc_loop_task_iterate(t, now, e);
    if (t->depend)
        cc_depend_iterate(t->depend, (size_t)(e - t->loops->v), sp, now);
}

static void one(struct cc_thread *t, uint64_t now, const struct cc_loop_here *h, uint64_t sp)
{
    struct cc_loop_entry *e = find(t, now, h->loop);
    if (h->kind == CC_LOOP_EXIT) {
        if (e)
            pop(t, now);
    } else if (h->kind == CC_LOOP_HEADER) {
        if (!e)
            enter(t, now, h->loop, sp);
    } else if (e) {
        iterate(t, now, e, sp);
    }
}

void cc_loop_arrive(struct cc_thread *t, uint64_t raw, const struct cc_loop_point *p, uint64_t sp)
{
    uint64_t now = cc_now(t, raw);
    if (t->loop_depth > t->depth)
        cc_loops_unwind(t, now);
    for (uint32_t i = 0; i < p->n; i++)
        one(t, now, &p->v[i], sp);
}

void cc_loops_unwind(struct cc_thread *t, uint64_t now)
{
    while (t->loop_depth > t->depth)
        pop(t, now);
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
    t->loops = t->owner->host.map(t->owner->host.self, sizeof *t->loops);
    t->loops->unsure.loop = CC_LOOP_UNSURE;
    t->loops->tasks = t->owner->opt.tasks == CC_TASKS_LOOPS;
    t->loops->countable = t->owner->opt.loops == CC_LOOPS_COUNT && !t->loops->tasks;
}

void cc_loops_init(struct cc_collect *c)
{
    c->loops.all.item = sizeof(struct cc_loop *);
    c->loops.nodes.item = sizeof(struct cc_loop_node);
}

void cc_loops_forget(struct cc_collect *c)
{
    for (uint32_t k = 0; k < c->threads.n; k++) {
        struct cc_loop_thread *x = c->threads.v[k]->loops;
        for (size_t i = 0; x && i < x->counts_cap; i++)
            x->counts[i] = (struct cc_loop_count){0};
        for (size_t i = 0; x && i < x->n; i++) {
            struct cc_loop_entry *e = &x->v[i];
            e->start = e->iteration_start = c->threads.v[k]->since;
            e->trips = e->cost_max = e->squares = e->large = 0;
            e->cost_min = UINT64_MAX;
            e->part = true;
        }
    }
}

/* --- results --- */

static void join(struct cc_loop_count *to, const struct cc_loop_count *k)
{
    to->invocations += k->invocations;
    to->iterations += k->iterations;
    to->instructions += k->instructions;
    if (k->whole) {
        to->trips_min = !to->whole || k->trips_min < to->trips_min ? k->trips_min : to->trips_min;
        to->trips_max = k->trips_max > to->trips_max ? k->trips_max : to->trips_max;
        to->whole += k->whole;
    }
    if (!k->costs)
        return;
    to->cost_min = !to->costs || k->cost_min < to->cost_min ? k->cost_min : to->cost_min;
    to->cost_max = k->cost_max > to->cost_max ? k->cost_max : to->cost_max;
    to->cost_sum += k->cost_sum;
    to->costs += k->costs;
    wide_add(to->squares, wide_of(k->squares));
}

/* What a thread has counted for a node, with what is active there. */
static struct cc_loop_count count_of(const struct cc_thread *t, uint32_t node)
{
    const struct cc_loop_thread *x = t->loops;
    struct cc_loop_count k = x->counts[node];
    for (size_t i = 0; i < x->n; i++)
        if (x->v[i].node == node)
            account(&k, &x->v[i], t->since);
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
    if (!k->costs)
        return 0;
    uint64_t mean = k->cost_sum / k->costs, rest = k->cost_sum % k->costs;
    /* with a sum of mean * n + rest: sum of squares / n - mean * mean - 2 * mean * rest / n - (rest / n)^2 */
    wide variance = wide_of(k->squares) / k->costs;
    wide less = (wide)mean * mean + (wide)mean * 2 * rest / k->costs;
    return variance > less ? root(variance - less) : 0;
}

struct bytes {
    uint64_t read, written;
};

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

static void put_loop(struct cc_collect *c, const struct cc_data_writer *w, uint32_t id,
                     const struct cc_loop_count *k, const struct bytes *bytes)
{
    const struct cc_loop *l = *(struct cc_loop *const *)cc_grow_at(&c->loops.all, id);
    struct cc_rec_loop r = {.id = id,
                            .outer = l->outer ? l->outer->id : CC_NONE,
                            .binary = l->binary,
                            .function = l->function,
                            .flags = l->at.flags,
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
                            .cost_min = k->cost_min,
                            .cost_max = k->cost_max,
                            .cost_deviation = deviation(k)};
    if (c->depend) {
        struct cc_depend_counts sampled = cc_depend_sampled(c->depend, id);
        r.sampled_invocations = sampled.invocations;
        r.sampled_iterations = sampled.iterations;
    }
    w->put(w->self, CC_REC_LOOP, &r, sizeof r, NULL, 0);
}

static void put_blocks(struct cc_collect *c, const struct cc_data_writer *w)
{
    for (uint32_t i = 0; i < c->code.nbinaries; i++) {
        const struct cc_loop_binary *b = c->code.binaries[i].loops;
        for (uint32_t k = 0; b && k < b->nblocks; k++) {
            uint32_t id = b->loops[b->blocks[k].loop].id;
            struct cc_rec_loop_block r = {.loop = id, .start = b->blocks[k].start, .end = b->blocks[k].end};
            if (id != CC_NONE)
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
    count_bytes(c, bytes);
    for (uint32_t k = 0; k < c->threads.n; k++)
        for (uint32_t i = 0; c->threads.v[k]->loops && i < n && i < c->threads.v[k]->loops->counts_cap; i++) {
            struct cc_loop_count count = count_of(c->threads.v[k], i);
            join(&of_node[i], &count);
        }
    for (uint32_t i = 0; i < n; i++)
        join(&of_loop[node_at(c, i)->loop], &of_node[i]);
    for (uint32_t i = 0; i < loops; i++)
        put_loop(c, w, i, &of_loop[i], &bytes[i]);
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
