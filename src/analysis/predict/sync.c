#include "replay.h"

/* --- locks --- */

enum { ARRIVE, BODY };

static void release_lock(struct engine *e, struct lock *l, cc_ticks t)
{
    l->holder = NULL;
    l->free_at = t;
    if (l->head < l->queue.n) {
        struct strand *next = l->queue.v[l->head++];
        if (l->head == l->queue.n)
            l->head = l->queue.n = 0;
        l->holder = next;
        cc_eng_wake(e, next, t);
    }
}

/* What taking it costs: a line that moves between cores, where there is another core; or the runtime's lock,
 * which `wanted` threads are at. */
static void lock_cost(struct engine *e, struct strand *s, const struct bound *b, unsigned wanted)
{
    if (b->d->kind == CC_OMP_CRITICAL) {
        bool named = b->d->critical[0] && e->m->crowd[CROWD_CRITICAL_NAMED];
        cc_ticks cost = cc_eng_crowd(e, named ? CROWD_CRITICAL_NAMED : CROWD_CRITICAL, wanted,
                                     e->cost[COL_PARALLEL][COST_CRITICAL_OVH]);
        cc_eng_advance(e, s, cost, CC_PART_OVERHEAD, UINT32_MAX);
    } else if (s->team->n > 1) {
        cc_eng_advance(e, s, e->m->atomic, CC_PART_OVERHEAD, UINT32_MAX);
    }
}

/* Threads that do not meet need no lock. */
void cc_eng_uncontended(struct engine *e, struct strand *s, const struct frame *f)
{
    lock_cost(e, s, f->b, 1);
    cc_eng_body(e, s, f->node, f->path);
}

enum step cc_eng_critical(struct engine *e, struct strand *s, struct frame *f)
{
    struct lock *l = &e->locks[f->b->lock];
    if (f->state == BODY)
        cc_eng_drain(e, s);
    if (cc_eng_yield(e, s))
        return STOP;
    if (f->state == BODY) {
        s->closely--;
        s->frames.n--;
        cc_eng_publish(e, s);
        release_lock(e, l, s->time);
        return ON;
    }
    if (l->holder == s) { /* handed over while it waited, or taken before: then it would wait for itself */
        for (size_t i = 0; i + 1 < s->frames.n; i++)
            if (s->frames.v[i].kind == F_CRITICAL && s->frames.v[i].b->lock == f->b->lock) {
                cc_eng_fail(e, f->b,
                            "'%s' is inside a critical section of the same name: it would wait for itself",
                            f->b->d->task);
                return STOP;
            }
    } else if (l->holder) {
        CC_VEC_PUSH(&l->queue, s);
        s->wait = CC_PART_IMBALANCE;
        cc_eng_block(e, s);
        return STOP;
    }
    /* who waited got it from one that may be at it again, and those behind are at it all the time */
    unsigned wanted = l->holder == s ? (unsigned)(l->queue.n - l->head) + 2 : 1;
    l->holder = s;
    lock_cost(e, s, f->b, wanted);
    if (f->b->d->kind == CC_OMP_CRITICAL)
        cc_eng_visit(s, VISIT_LOCK, s->team->n);
    f->state = BODY;
    s->closely++;
    cc_eng_body(e, s, f->node, f->path);
    return ON;
}

/* What adding up the values of one thread takes: one value is an atomic update, several are added up under
 * the runtime's lock. < 0: too much. */
static cc_ticks reduction_cost(const struct engine *e, const struct strand *s, const struct bound *b)
{
    cc_ticks one = e->cost[b->column][COST_REDUCTION_OVH], each = e->cost[b->column][COST_REDUCTION_VALUE],
             lock = 0;
    if (b->reduction_values > 1 && each)
        lock = cc_eng_crowd(e, CROWD_CRITICAL, s->team->n, e->cost[COL_PARALLEL][COST_CRITICAL_OVH]);
    else
        each = one;
    return each > (INT64_C(1) << 60) / b->reduction_values ? -1 : lock + each * b->reduction_values;
}

/* The values of one thread are combined under a lock of their own. */
enum step cc_eng_reduce(struct engine *e, struct strand *s, const struct bound *b)
{
    cc_ticks cost = b->reduction_values ? reduction_cost(e, s, b) : 0;
    if (cost < 0)
        cc_eng_fail(e, b, "absurd cost of the reduction of '%s'", b->d->task);
    if (cost <= 0)
        return ON;
    if (cc_eng_yield(e, s))
        return STOP;
    struct lock *l = &e->locks[e->p->nlocks];
    cc_eng_wait_until(e, s, l->free_at, CC_PART_IMBALANCE);
    cc_eng_advance(e, s, cost, CC_PART_OVERHEAD, UINT32_MAX);
    l->free_at = s->time;
    return ON;
}

/* --- single, master --- */

static struct share *single_share(struct engine *e, struct strand *s, const struct bound *b)
{
    struct team *t = s->team;
    size_t at = s->seq++ - t->first;
    if (at == t->shares.n)
        CC_VEC_PUSH(&t->shares, cc_share_none(e, b));
    return t->shares.v[at];
}

enum { S_ARRIVE, S_BODY, S_COPY, S_WAIT, S_LEAVE };

/* The first of its barriers, with all that it takes beyond the second. */
static void push_copies(struct engine *e, struct strand *s, const struct frame *f)
{
    cc_eng_push_barrier(e, s, f);
    struct frame *bar = &s->frames.v[s->frames.n - 1];
    cc_ticks both = cc_eng_crowd(e, CROWD_COPIES, s->team->n, 2 * bar->u.barrier.cost);
    bar->u.barrier.cost = CC_MAX(both - bar->u.barrier.cost, 0);
}

/* Uses the loop's frame: a single is a loop of one iteration whose first comer gets it. With copyprivate
 * there are two barriers: nobody copies before there is something to copy, and nobody goes on while others
 * do. */
enum step cc_eng_single(struct engine *e, struct strand *s, struct frame *f)
{
    switch (f->state) {
    case S_ARRIVE:
        if (cc_eng_yield(e, s))
            return STOP;
        f->u.loop.share = single_share(e, s, f->b);
        f->u.loop.since = s->time;
        memcpy(f->u.loop.snap, s->part, sizeof s->part);
        f->u.loop.worked = !f->u.loop.share->taken;
        f->u.loop.share->taken = true;
        f->state = f->u.loop.worked ? S_BODY : S_COPY;
        if (f->u.loop.worked) {
            s->closely++;
            cc_eng_body(e, s, f->node, f->path);
        }
        return ON;
    case S_BODY:
        s->closely--;
        f->state = S_COPY;
        return ON;
    case S_COPY:
        s->wait = f->u.loop.worked ? CC_PART_IMBALANCE : CC_PART_LIMITED;
        f->state = S_WAIT;
        if (f->b->d->copies)
            push_copies(e, s, f);
        return ON;
    case S_WAIT:
        s->wait = f->u.loop.worked ? CC_PART_IMBALANCE : CC_PART_LIMITED;
        f->state = S_LEAVE;
        if (!f->b->d->nowait)
            cc_eng_push_barrier(e, s, f);
        return ON;
    default:
        f->kind = F_LOOP; /* its last state does the accounts */
        f->state = 99;
        f->u.loop.combined = false;
        return ON;
    }
}

enum step cc_eng_master(struct engine *e, struct strand *s, struct frame *f)
{
    if (f->state == ARRIVE && s->tid == f->b->filter) {
        f->state = BODY;
        s->closely++;
        cc_eng_body(e, s, f->node, f->path);
        return ON;
    }
    if (f->state == BODY)
        s->closely--;
    s->frames.n--;
    return ON;
}

/* --- scope --- */

enum { SC_BODY, SC_REDUCE, SC_WAIT, SC_LEAVE };

enum step cc_eng_scope(struct engine *e, struct strand *s, struct frame *f)
{
    switch (f->state) {
    case SC_BODY:
        f->state = SC_REDUCE;
        cc_eng_body(e, s, f->node, f->path);
        return ON;
    case SC_REDUCE:
        if (cc_eng_reduce(e, s, f->b) == STOP)
            return STOP;
        f->state = SC_WAIT;
        return ON;
    case SC_WAIT:
        f->state = SC_LEAVE;
        s->wait = CC_PART_IMBALANCE;
        if (!f->b->d->nowait)
            cc_eng_push_barrier(e, s, f);
        return ON;
    default:
        s->frames.n--;
        return ON;
    }
}

/* --- barriers --- */

void cc_eng_push_barrier(struct engine *e, struct strand *s, const struct frame *f)
{
    struct frame *bar = cc_eng_push(s, F_BARRIER, f->node, f->path, f->b);
    bar->u.barrier.cost = cc_eng_crowd(e, CROWD_BARRIER, s->team->n,
                                       e->cost[COL_PARALLEL][COST_BARRIER_OVH] +
                                           e->cost[COL_PARALLEL][COST_BARRIER_THREAD] * (s->team->n - 1));
}

void cc_eng_stop_waiting(struct team *t, struct strand *s)
{
    for (size_t i = 0; i < t->waiting.n; i++)
        if (t->waiting.v[i] == s) {
            memmove(&t->waiting.v[i], &t->waiting.v[i + 1], (t->waiting.n - i - 1) * sizeof *t->waiting.v);
            t->waiting.n--;
            break;
        }
    if (s->at_barrier)
        t->arrived--;
    s->at_barrier = s->listed = false;
}

void cc_eng_start_waiting(struct engine *e, struct strand *s, bool barrier)
{
    CC_VEC_PUSH(&s->team->waiting, s);
    s->looks = s->time;
    s->listed = true;
    s->at_barrier = barrier;
    s->team->arrived += barrier;
    cc_eng_block(e, s);
}

enum { B_ARRIVE, B_PASS };

enum step cc_eng_barrier(struct engine *e, struct strand *s, struct frame *f)
{
    struct team *t = s->team;
    if (f->state == B_PASS) {
        cc_eng_advance(e, s, f->u.barrier.cost, CC_PART_OVERHEAD, UINT32_MAX);
        cc_eng_visit(s, VISIT_BARRIER, t->n);
        cc_eng_fresh_buffers(s);
        s->frames.n--;
        return ON;
    }
    cc_eng_drain(e, s);
    if (cc_eng_yield(e, s))
        return STOP;
    if (cc_eng_take_job(e, s))
        return ON;
    if (t->arrived + 1 < t->n) {
        cc_eng_start_waiting(e, s, true);
        return STOP;
    }
    f->state = B_PASS;
    cc_eng_wait_until(e, s, t->until, s->wait); /* what units were given without waiting */
    cc_eng_shuffle(e, t->waiting.v, t->waiting.n);
    while (t->waiting.n) { /* all of them are at this barrier */
        struct strand *w = t->waiting.v[0];
        cc_eng_stop_waiting(t, w);
        struct frame *bar = &w->frames.v[w->frames.n - 1];
        bar->state = B_PASS;
        bar->u.barrier.cost -= CC_MIN(bar->u.barrier.cost, e->m->barrier_call); /* that is the last one's */
        w->looked = true;
        cc_eng_wake(e, w, s->time);
    }
    s->looked = false;
    return ON;
}
