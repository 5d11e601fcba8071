/* Explicit tasks: made by whoever meets them, run by whoever waits, in the order they became ready. */
#include "replay.h"

#include <math.h>

/* Whoever has looked for a task for too long sleeps. */
static bool asleep(const struct engine *e, const struct strand *w, cc_ticks now)
{
    return e->m->sleep_after > 0 && now - w->looks > e->m->sleep_after;
}

/* Threads at a barrier or a join, which come for every task that is made, but for those that sleep; whoever
 * waits at a taskwait sleeps. */
static unsigned idle_threads(const struct engine *e, const struct team *t, cc_ticks now)
{
    unsigned n = 0;
    for (size_t i = 0; i < t->waiting.n; i++)
        n += t->waiting.v[i]->at_barrier && !asleep(e, t->waiting.v[i], now);
    return n;
}

/* A task is ready: all that look come for it, and those that get none look anew for as long. One of those
 * that sleep is woken, and comes behind them. */
static void call_idle(const struct engine *e, const struct team *t, cc_ticks now)
{
    struct strand *woken = NULL;
    size_t n = 0;
    for (size_t i = 0; i < t->waiting.n; i++) {
        struct strand *w = t->waiting.v[i];
        bool sleeps = w->at_barrier && asleep(e, w, now);
        if (w->at_barrier && (!sleeps || !woken))
            w->looks = CC_MAX(w->looks, now);
        if (sleeps && !woken)
            woken = w;
        else
            t->waiting.v[n++] = w;
    }
    if (woken)
        t->waiting.v[n] = woken;
}

/* The queue is one for all threads of the team, one at a time: of what somebody does there, `hold` keeps the
 * others out, and as much of the rest comes before as after. */
static void be_at_queue(struct engine *e, struct strand *s, cc_ticks hold, cc_ticks all)
{
    cc_ticks rest = CC_MAX(all - hold, 0);
    cc_eng_advance(e, s, rest / 2, CC_PART_OVERHEAD, UINT32_MAX);
    cc_eng_advance(e, s, CC_MAX(s->team->queue_free - s->time, 0), CC_PART_OVERHEAD, UINT32_MAX);
    s->team->queue_free = s->time + hold;
    cc_eng_advance(e, s, hold + rest - rest / 2, CC_PART_OVERHEAD, UINT32_MAX);
}

/* What making a task takes in a team. gcc's library asks the system to wake a thread unless all of them have
 * tasks; whoever makes one outside of any task has that for its own. `task_make` was measured with the others
 * busy with no task, so from two threads on it has the asking in it. */
static cc_ticks making(const struct engine *e, const struct strand *s)
{
    unsigned have = s->team->running + (s->running == 0);
    return cc_eng_crowd(e, CROWD_TASK_MAKE, have < s->team->n ? s->team->n : 1, 0);
}

/* Making a task: threads that wait for one all come for it, if it is ready, and keep its maker out meanwhile.
 * That was measured with its taking. */
static void make_at_queue(struct engine *e, struct strand *s, cc_ticks less, bool ready)
{
    const struct team *t = s->team;
    unsigned idle = ready ? idle_threads(e, t, s->time) : 0;
    cc_ticks make = CC_MAX(making(e, s) - less, 0);
    cc_ticks hold = CC_MIN(make, cc_eng_crowd(e, CROWD_TASK_MAKERS, t->n, make));
    cc_ticks with =
        cc_eng_crowd(e, CROWD_TASK_IDLE, idle + 1, make) - cc_eng_crowd(e, CROWD_TASK_DRAIN, idle + 1, 0);
    cc_ticks kept = idle ? CC_MAX(with - make, 0) : 0;
    be_at_queue(e, s, hold + kept, make + kept);
}

/* Code and memory that nobody needed before, or not this thread. */
static void charge_first(struct engine *e, struct strand *s)
{
    if (!e->had_task)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FIRST);
    if (!s->had_task && s != e->strands)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FIRST_THREAD);
    e->had_task = s->had_task = true;
}

/* true: it has paid. Whoever runs its first task without having made one needs memory of its own when it
 * gives back the task's: before it lets others go, if there are any that wait, which keeps all from the
 * queue; else once it has the next. */
static bool end_first(struct engine *e, struct strand *s, bool lets_go)
{
    if (s->had_task || s == e->strands)
        return false;
    s->had_task = true;
    s->owes_first = !lets_go;
    cc_ticks cost = e->cost[COL_PARALLEL][COST_TASK_FIRST_THREAD];
    if (lets_go)
        be_at_queue(e, s, cost, cost);
    return lets_go;
}

/* false: it owes nothing. */
static bool pay_first(struct engine *e, struct strand *s)
{
    bool owes = s->owes_first;
    s->owes_first = false;
    if (owes)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FIRST_THREAD);
    return owes;
}

/* There are so many tasks now that are not done. */
static void charge_memory(struct engine *e, struct strand *s, uint64_t tasks)
{
    for (; e->most_tasks < tasks && !e->failed; e->most_tasks++)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FRESH);
}

/* What making a task takes less, where its maker has the memory of one that it ran; which it takes. */
static cc_ticks take_spare(struct engine *e, struct strand *s)
{
    if (!s->spares)
        return 0;
    s->spares--;
    return e->cost[COL_PARALLEL][COST_TASK_NEAR];
}

static bool runs_inline(const struct engine *e, bool at_once)
{
    return at_once && e->cost[COL_PARALLEL][COST_TASK_INLINE];
}

static void charge_creation(struct engine *e, struct strand *s, bool at_once, bool ready)
{
    struct team *t = s->team;
    if (runs_inline(e, at_once)) {
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_INLINE);
        return;
    }
    cc_eng_visit(s, VISIT_TASK, t->n);
    cc_ticks less = take_spare(e, s);
    if (e->m->crowd[CROWD_TASK_MAKE]) {
        make_at_queue(e, s, less, ready);
    } else {
        cc_ticks make =
            e->cost[COL_PARALLEL][COST_TASK_CREATE] + e->cost[COL_PARALLEL][COST_TASK_THREAD] * (t->n - 1);
        cc_eng_advance(e, s, CC_MAX(make - less, 0), CC_PART_OVERHEAD, UINT32_MAX);
    }
    charge_memory(e, s, t->pending);
}

/* Taking one; behind another task, the end of that belongs to it. Those that wait for the queue and those
 * that wait for a task are at it all. */
static void charge_taking(struct engine *e, struct strand *s, bool waited)
{
    struct team *t = s->team;
    if (!e->m->crowd[CROWD_TASK_DRAIN]) {
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_START);
        return;
    }
    unsigned idle = idle_threads(e, t, s->time), busy = t->n > t->arrived ? t->n - t->arrived : 1;
    cc_ticks take = cc_eng_crowd(e, CROWD_TASK_TAKE, busy, e->cost[COL_PARALLEL][COST_TASK_START]);
    /* for others: whoever was the last of them had to let it go, which nobody else may do meanwhile; in a
     * chain one thread is at work at a time, so taking is what it is for one */
    cc_ticks one = cc_eng_crowd(e, CROWD_TASK_TAKE, 1, e->cost[COL_PARALLEL][COST_TASK_START]);
    cc_ticks let_go = waited ? CC_MAX(cc_eng_crowd(e, CROWD_TASK_CHAIN, idle + 1, 0) - one, 0) : 0;
    cc_ticks alone = cc_eng_crowd(e, CROWD_TASK_DRAIN, CC_MIN(t->n, 2u), 0);
    cc_ticks queued = alone > 0 ? CC_MAX(t->queue_free - s->time, 0) / alone : 0;
    unsigned at_it = (unsigned)CC_MIN((cc_ticks)t->n, queued + idle + 1);
    cc_ticks hold = at_it > 1 ? cc_eng_crowd(e, CROWD_TASK_DRAIN, at_it, 0) : CC_MIN(alone, take) / 2;
    be_at_queue(e, s, hold + let_go, take + let_go);
}

struct context *cc_eng_own_context(struct engine *e, struct strand *s)
{
    if (!s->context) {
        s->context = cc_eng_alloc(e, 1, sizeof *s->context);
        s->context->refs = 1;
    }
    return s->context;
}

void cc_context_unref(struct engine *e, struct context *c)
{
    while (c && --c->refs == 0) {
        struct context *parent = c->parent;
        for (struct made *m = c->made, *next; m; m = next) {
            next = m->next;
            cc_eng_free(e, m);
        }
        cc_eng_free(e, c);
        c = parent;
    }
}

static struct context *child_context(struct engine *e, struct context *parent)
{
    struct context *c = cc_eng_alloc(e, 1, sizeof *c);
    c->refs = 1;
    c->parent = parent;
    c->depth = parent->depth + 1;
    parent->refs++;
    parent->children++;
    return c;
}

/* A child is done: whoever waits for the last one goes on. */
static void child_done(struct engine *e, struct strand *s, struct context *c)
{
    struct context *parent = c->parent;
    if (parent && --parent->children == 0 && parent->waiter && parent->waiter->blocked) {
        struct strand *w = parent->waiter;
        parent->waiter = NULL;
        cc_eng_stop_waiting(s->team, w);
        cc_eng_wake(e, w, s->time);
    }
    cc_context_unref(e, c);
}

static bool may_take(const struct strand *s, const struct job *job)
{
    if (s->only_of)
        return job->context->parent == s->only_of;
    return !s->only_in || job->group == s->only_in;
}

/* Frames of two kinds: T_MAKE and T_QUEUE make a task, the others run one. */
enum { T_MAKE, T_START, T_ITERATION, T_AFTER, T_END, T_HOLD, T_QUEUE };

static void start_job(struct strand *s, struct job *job, int state)
{
    struct frame *f = cc_eng_push(s, F_TASK, job->node, job->path, job->b);
    f->u.task.job = job;
    f->u.task.outer = s->context;
    f->u.task.group = s->group;
    f->u.task.final = s->final;
    f->u.task.cur = job->lo;
    f->state = state;
    s->context = job->context;
    s->context->refs++;
    s->group = job->group;
    s->final = job->final;
    s->closely++;
}

static void begin_job(struct engine *e, struct strand *s, struct job *job)
{
    job->running = !s->only_of && !s->only_in;
    s->running += job->running;
    s->team->running += job->running;
    s->only_of = NULL;
    s->only_in = NULL;
    cc_eng_wait_until(e, s, job->ready, s->wait);
    start_job(s, job, T_START);
    charge_taking(e, s, job->waited);
    cc_eng_visit(s, VISIT_TASK, s->team->n);
    pay_first(e, s); /* not while it keeps others from the queue */
}

/* The first that came and still looks for work; those that have looked for too long sleep, and are behind. */
static struct strand *who_waits(const struct engine *e, const struct team *t, const struct job *job)
{
    struct strand *sleeper = NULL;
    for (size_t i = 0; i < t->waiting.n; i++) {
        struct strand *w = t->waiting.v[i];
        if (!may_take(w, job))
            continue;
        if (!asleep(e, w, job->ready))
            return w;
        sleeper = sleeper ? sleeper : w;
    }
    return sleeper;
}

/* Whether it is there before its maker is at the queue again is a matter of cycles. In a draw it may come
 * later, up to twice what making a task takes, and finds what is there then. */
static bool comes_late(struct engine *e, struct strand *w, const struct job *job)
{
    struct team *t = w->team;
    if (!e->draw || cc_rng_unit(&e->chance) >= e->draw->late)
        return false;
    cc_ticks make = cc_eng_crowd(e, CROWD_TASK_MAKE, t->n, e->cost[COL_PARALLEL][COST_TASK_CREATE]);
    cc_ticks by = llround(2 * cc_rng_unit(&e->chance) * (double)make);
    cc_eng_stop_waiting(t, w);
    cc_eng_wake(e, w, CC_MAX(w->time, job->ready + by));
    return true;
}

/* A ready task goes to a thread that waits for one, which is there before its maker comes to a taskwait; else
 * into the queue. */
static void enqueue(struct engine *e, struct strand *s, struct job *job)
{
    struct team *t = s->team;
    job->ready = CC_MAX(s->time, job->not_before);
    struct strand *w = who_waits(e, t, job);
    if (!w || comes_late(e, w, job)) {
        CC_VEC_PUSH(&t->queue, job);
        return;
    }
    cc_eng_stop_waiting(t, w);
    call_idle(e, t, job->ready);
    begin_job(e, w, job);
    cc_eng_wake(e, w, w->time);
}

/* --- dependences --- */

static void let_go(struct engine *e, struct strand *s, struct job *job, bool keep)
{
    struct strand *w = job->waiter;
    if (job->on_unit && !job->undeferred) {
        CC_VEC_PUSH(&e->launches, job);
    } else if (keep && !job->undeferred) {
        job->ready = CC_MAX(s->time, job->not_before);
        CC_VEC_PUSH(&s->team->queue, job);
    } else if (!job->undeferred) {
        enqueue(e, s, job);
    } else if (w && w->blocked) {
        job->waiter = NULL;
        cc_eng_stop_waiting(s->team, w);
        cc_eng_wake(e, w, s->time);
    }
}

/* It is done, or will be by then: what waited for it may be ready, in the order it was made. All of it is let
 * go at once, and whoever does it and may take any is at the queue for the first. */
static void release(struct engine *e, struct strand *s, struct job *job, cc_ticks at)
{
    enum frame_kind next = s->frames.n ? s->frames.v[s->frames.n - 1].kind : F_WALK;
    bool keep = next == F_BARRIER || next == F_REGION, first = true;
    job->done = true;
    job->done_at = at;
    for (struct job_list *l = cc_depend_after(job); l; l = l->next) {
        l->job->not_before = CC_MAX(l->job->not_before, at);
        if (--l->job->waits)
            continue;
        l->job->waited = first;
        let_go(e, s, l->job, first && keep);
        first = false;
    }
    cc_depend_forget(e, job);
}

static void group_done(struct engine *e, struct strand *s, struct group *g)
{
    if (!g || --g->pending || !g->waiter || !g->waiter->blocked)
        return;
    struct strand *w = g->waiter;
    g->waiter = NULL;
    cc_eng_stop_waiting(s->team, w);
    cc_eng_wake(e, w, s->time);
}

static void job_over(struct engine *e, struct strand *s, struct job *job)
{
    if (job->counted)
        s->team->pending--;
    s->spares += job->counted && s->spares < e->m->task_spares;
    child_done(e, s, job->context);
    group_done(e, s, job->group);
    cc_share_unref(e, job->share);
    cc_job_unref(e, job);
}

/* What units do by themselves is known as soon as it is given to them. */
static void launch_all(struct engine *e, struct strand *s)
{
    for (size_t i = 0; i < e->launches.n; i++) {
        struct job *job = e->launches.v[i];
        release(e, s, job, cc_eng_launch(e, s, job, CC_MAX(s->time, job->not_before)));
        job_over(e, s, job);
    }
    e->launches.n = 0;
}

/* --- running --- */

/* Whoever has nothing else to do takes the task that became ready first; whoever waits for certain tasks
 * takes of those the one that was made last, whose data are still near. */
static struct job *next_job(struct team *t, const struct strand *s)
{
    struct job *job = NULL;
    if (!s->only_of && !s->only_in) {
        job = t->queue_head < t->queue.n ? t->queue.v[t->queue_head++] : NULL;
    } else {
        size_t i = t->queue.n;
        while (i > t->queue_head && !(t->queue.v[i - 1] && may_take(s, t->queue.v[i - 1])))
            i--;
        if (i > t->queue_head) {
            job = t->queue.v[i - 1];
            t->queue.v[i - 1] = NULL;
        }
    }
    while (t->queue_head < t->queue.n && !t->queue.v[t->queue_head])
        t->queue_head++;
    while (t->queue_head < t->queue.n && !t->queue.v[t->queue.n - 1])
        t->queue.n--;
    if (t->queue_head == t->queue.n)
        t->queue_head = t->queue.n = 0;
    return job;
}

bool cc_eng_take_job(struct engine *e, struct strand *s)
{
    struct job *job = next_job(s->team, s);
    if (!job)
        return pay_first(e, s);
    begin_job(e, s, job);
    return true;
}

/* The how-many-th task of this name that the strand's task makes. */
static int64_t number_of(struct engine *e, struct strand *s, const struct bound *b)
{
    struct context *c = cc_eng_own_context(e, s);
    struct made *m = c->made;
    while (m && m->b != b)
        m = m->next;
    if (!m) {
        m = cc_eng_alloc(e, 1, sizeof *m);
        *m = (struct made){b, 0, c->made};
        c->made = m;
    }
    return m->n++;
}

/* The value of `if` or `final` for the task that is being made. */
static bool holds(struct engine *e, const struct bound *b, const char *name, const char *text, int64_t fixed,
                  const struct cc_clause_names *names)
{
    const struct cc_clause c = {name, text, INT64_MIN, INT64_MAX};
    int64_t v = fixed;
    if (text && cc_clause_varies(text) && !e->failed &&
        cc_scenario_eval(e->p->s, b->d, &c, names, &v, e->err) < 0)
        e->failed = true;
    return v != 0;
}

static struct job *job_new(struct engine *e, struct strand *s, const struct frame *f)
{
    struct job *job = cc_eng_alloc(e, 1, sizeof *job);
    *job = (struct job){.node = f->node,
                        .path = f->path,
                        .b = f->b,
                        .refs = 1,
                        .group = s->group,
                        .final = s->final,
                        .context = child_context(e, cc_eng_own_context(e, s))};
    if (job->group)
        job->group->pending++;
    return job;
}

/* A target with dependences is a task that its unit does; on the host if `if` is 0. */
static void describe_target(const struct frame *f, struct job *job)
{
    job->on_unit = f->b->condition;
    job->undeferred = !f->b->condition || !f->b->d->nowait;
    job->share = f->u.task.share;
    job->hi = job->share ? job->share->n : 0;
}

/* Runtimes put off so many and no more. */
static bool full(const struct engine *e, const struct team *t, uint64_t more)
{
    return t && e->m->task_limit > 0 && (double)t->pending + (double)more > e->m->task_limit * t->n;
}

/* One more that is not done. */
static void count_job(struct strand *s, struct job *job)
{
    job->counted = true;
    s->team->pending++;
}

/* What making it takes of a thread of a team. */
static void charge_task(struct engine *e, struct strand *s, struct job *job)
{
    if (job->empty || !s->team)
        return;
    count_job(s, job);
    job->undeferred = job->undeferred || full(e, s->team, 0);
    charge_creation(e, s, job->undeferred, !job->waits);
    cc_ticks depend = e->cost[COL_PARALLEL][COST_TASK_DEPEND] * (cc_ticks)job->b->d->ndepends +
                      e->cost[COL_PARALLEL][COST_TASK_BEHIND] * (cc_ticks)job->behind;
    if (depend) /* others may not make or end tasks that could be the same variables' */
        be_at_queue(e, s, depend, depend);
}

static enum step task_make(struct engine *e, struct strand *s, struct frame *f)
{
    const struct bound *b = f->b;
    if (cc_eng_yield(e, s))
        return STOP;
    struct job *job = job_new(e, s, f);
    struct cc_clause_names names = {e->nprocs, b->varies ? number_of(e, s, b) : 0, job->context->depth - 1};
    job->empty = b->d->kind == CC_OMP_TASKWAIT;
    job->undeferred = job->empty || !s->team || !holds(e, b, "if", b->d->condition, b->condition, &names);
    job->final = job->final || holds(e, b, "final", b->d->final, b->final, &names);
    f->u.task.cur = (uint64_t)names.task;
    f->state = T_QUEUE;
    bool on_unit = b->d->kind == CC_OMP_TARGET || b->d->kind == CC_OMP_TARGET_LOOP;
    if (on_unit)
        describe_target(f, job);
    f->u.task.job = job;
    if (s->team && !job->empty && !on_unit && !runs_inline(e, job->undeferred))
        charge_first(e, s); /* before it comes to the queue, where others may be meanwhile */
    return ON;
}

static enum step task_queue(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    if (cc_eng_yield(e, s))
        return STOP;
    struct cc_clause_names names = {e->nprocs, (int64_t)f->u.task.cur, job->context->depth - 1};
    bool at_once = job->undeferred || full(e, s->team, 1);
    cc_depend_take(e, job, &names, !at_once);
    if (f->b->d->kind != CC_OMP_TARGET && f->b->d->kind != CC_OMP_TARGET_LOOP)
        charge_task(e, s, job);
    s->frames.n--;
    if (job->undeferred) { /* at once, here */
        start_job(s, job, T_HOLD);
    } else if (!job->waits && job->on_unit) {
        CC_VEC_PUSH(&e->launches, job);
        launch_all(e, s);
    } else if (!job->waits) {
        enqueue(e, s, job);
    }
    return ON;
}

/* An undeferred task that others must come before: the thread works off the queue meanwhile. */
static enum step hold(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    if (!job->waits) {
        cc_eng_await(e, s, job->not_before, CC_PART_IMBALANCE);
        f->state = T_START;
        return ON;
    }
    if (cc_eng_yield(e, s))
        return STOP;
    s->wait = CC_PART_IMBALANCE;
    job->waiter = NULL;
    if (cc_eng_take_job(e, s))
        return ON;
    job->waiter = s;
    cc_eng_start_waiting(e, s, false);
    return STOP;
}

/* true: time went on. Whoever ends a task tells each that came behind it; letting the first go is part of its
 * taking. */
static bool tell_behind(struct engine *e, struct strand *s, struct job *job)
{
    uint64_t behind = job->told ? 0 : cc_depend_ahead(e, job);
    cc_ticks cost = e->cost[COL_PARALLEL][COST_TASK_AHEAD] * (cc_ticks)CC_MIN(behind, UINT32_MAX);
    job->told = true;
    if (behind > 1)
        be_at_queue(e, s, cost - cost / (cc_ticks)behind, cost - cost / (cc_ticks)behind);
    return behind > 1 && cost;
}

static enum step task_end(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    cc_eng_drain(e, s);
    if (cc_eng_yield(e, s))
        return STOP;
    if (end_first(e, s, job->after != NULL) || tell_behind(e, s, job))
        return ON; /* time went on */
    cc_context_unref(e, s->context);
    s->context = f->u.task.outer;
    s->group = f->u.task.group;
    s->final = f->u.task.final;
    s->closely--;
    s->frames.n--;
    if (job->running) {
        s->running--;
        s->team->running--;
    }
    cc_eng_publish(e, s);
    release(e, s, job, s->time);
    launch_all(e, s);
    job_over(e, s, job);
    return ON;
}

enum step cc_eng_task(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    switch (f->state) {
    case T_MAKE:
        return task_make(e, s, f);
    case T_QUEUE:
        return task_queue(e, s, f);
    case T_START:
        f->state = job->share && !job->on_unit ? T_ITERATION : T_END;
        if (job->on_unit) {
            cc_eng_push(s, F_TARGET, job->node, job->path, job->b)->u.target.share = job->share;
            job->share = NULL; /* the target's now */
        } else if (!job->share && !job->empty)
            cc_eng_body(e, s, f->node, f->path);
        return ON;
    case T_ITERATION: {
        if (f->u.task.cur == job->hi) {
            f->state = T_END;
            return ON;
        }
        f->state = T_AFTER;
        size_t run = f->u.task.run, at = s->frames.n - 1;
        cc_share_iteration(e, s, job->share, f->u.task.cur, &run, f->path);
        s->frames.v[at].u.task.run = run;
        return ON;
    }
    case T_AFTER:
        cc_eng_work(e, s, (struct piece){cc_share_after(job->share, f->u.task.cur), 0, 0}, 1,
                    job->share->owner);
        f->u.task.cur++;
        f->state = T_ITERATION;
        return ON;
    case T_HOLD:
        return hold(e, s, f);
    default:
        return task_end(e, s, f);
    }
}

/* --- waiting for tasks --- */

/* All of them are done, or the strand works on them meanwhile, or it waits. Tasks are tied: a thread that
 * waits in one may begin only what that one waits for. */
static enum step wait_until_none(struct engine *e, struct strand *s, unsigned left, struct strand **waiter,
                                 const struct group *group)
{
    *waiter = NULL;
    s->only_of = NULL;
    s->only_in = NULL;
    if (left == 0) {
        s->frames.n--;
        return ON;
    }
    s->wait = CC_PART_IMBALANCE;
    s->only_in = group;
    s->only_of = group ? NULL : s->context;
    if (cc_eng_take_job(e, s))
        return ON;
    *waiter = s;
    cc_eng_start_waiting(e, s, false);
    return STOP;
}

enum step cc_eng_taskwait(struct engine *e, struct strand *s, struct frame *f)
{
    (void)f;
    if (cc_eng_yield(e, s))
        return STOP;
    if (!s->context) {
        s->frames.n--;
        return ON;
    }
    enum step next = wait_until_none(e, s, s->context->children, &s->context->waiter, NULL);
    if (next == ON && s->context->children == 0)
        cc_eng_await(e, s, s->context->until, CC_PART_IMBALANCE);
    return next;
}

static struct group *group_new(struct engine *e)
{
    return cc_eng_alloc(e, 1, sizeof(struct group));
}

enum { G_OPEN, G_WAIT };

enum step cc_eng_taskgroup(struct engine *e, struct strand *s, struct frame *f)
{
    if (f->state == G_OPEN) {
        f->u.group.outer = s->group;
        s->group = f->u.group.own = group_new(e);
        f->state = G_WAIT;
        cc_eng_body(e, s, f->node, f->path);
        return ON;
    }
    if (cc_eng_yield(e, s))
        return STOP;
    struct group *own = f->u.group.own, *outer = f->u.group.outer;
    bool over = own->pending == 0;
    enum step next = wait_until_none(e, s, own->pending, &own->waiter, own);
    if (over) {
        cc_eng_await(e, s, own->until, CC_PART_IMBALANCE);
        s->group = outer;
        cc_eng_free(e, own);
    }
    return next;
}

enum { L_START, L_MAKE, L_WAIT, L_PUT_OFF };

static void start_taskloop(struct engine *e, struct strand *s, struct frame *f)
{
    uint64_t n = f->u.taskloop.share->n, want = s->team->n;
    if (f->b->grainsize)
        want = CC_MAX(n / (uint64_t)f->b->grainsize, 1);
    else if (f->b->num_tasks)
        want = (uint64_t)f->b->num_tasks;
    f->u.taskloop.ntasks = CC_MIN(want, n);
    f->u.taskloop.outer = s->group;
    if (!f->b->d->nogroup)
        s->group = group_new(e);
    f->u.taskloop.own = s->group;
    f->u.taskloop.at_once = full(e, s->team, f->u.taskloop.ntasks);
    /* a runtime may make them all before anybody gets one */
    cc_ticks each = cc_eng_crowd(e, CROWD_TASKLOOP, s->team->n, -1);
    f->state = each < 0 || f->u.taskloop.at_once ? L_MAKE : L_PUT_OFF;
    if (!runs_inline(e, f->u.taskloop.at_once))
        charge_first(e, s);
    if (f->state == L_MAKE)
        return;
    charge_memory(e, s, s->team->pending + f->u.taskloop.ntasks);
    if (each > (INT64_C(1) << 60) / (cc_ticks)CC_MAX(f->u.taskloop.ntasks, 1))
        cc_eng_fail(e, f->b, "absurd cost of the tasks of '%s'", f->b->d->task);
    else
        cc_eng_advance(e, s, each * (cc_ticks)f->u.taskloop.ntasks, CC_PART_OVERHEAD, UINT32_MAX);
}

/* All tasks of a taskloop are there at once: whoever sleeps is woken, as far as there are tasks. */
static void wake_for(const struct team *t, uint64_t tasks, cc_ticks now)
{
    for (size_t i = 0; i < t->waiting.n && i < tasks; i++)
        t->waiting.v[i]->looks = CC_MAX(t->waiting.v[i]->looks, now);
}

/* The next task of a taskloop: its part of the iterations. */
static void make_task(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.taskloop.share;
    bool at_once = f->u.taskloop.at_once;
    if (f->state == L_MAKE)
        charge_creation(e, s, at_once, true);
    else if (f->u.taskloop.made == 0)
        wake_for(s->team, f->u.taskloop.ntasks, s->time);
    uint64_t q = sh->n / f->u.taskloop.ntasks, r = sh->n % f->u.taskloop.ntasks, i = f->u.taskloop.made++;
    struct job *job = job_new(e, s, f);
    count_job(s, job);
    job->share = sh;
    job->final = job->final || f->b->final;
    job->lo = i * q + CC_MIN(i, r);
    job->hi = job->lo + q + (i < r);
    sh->refs++;
    if (at_once)
        start_job(s, job, T_START);
    else
        enqueue(e, s, job);
}

enum step cc_eng_taskloop(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.taskloop.share;
    if (f->state == L_START) {
        start_taskloop(e, s, f);
        return ON;
    }
    if (f->state != L_WAIT && f->u.taskloop.made < f->u.taskloop.ntasks) {
        if (cc_eng_yield(e, s))
            return STOP;
        make_task(e, s, f);
        return ON;
    }
    if (f->b->d->nogroup) {
        s->frames.n--;
        cc_share_unref(e, sh);
        return ON;
    }
    f->state = L_WAIT;
    if (cc_eng_yield(e, s))
        return STOP;
    struct group *own = f->u.taskloop.own, *outer = f->u.taskloop.outer;
    bool over = own->pending == 0;
    enum step next = wait_until_none(e, s, own->pending, &own->waiter, own);
    if (over) {
        s->group = outer;
        cc_eng_free(e, own);
        cc_share_unref(e, sh);
    }
    return next;
}
