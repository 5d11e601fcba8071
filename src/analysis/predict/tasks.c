/* Explicit tasks: made by whoever meets them, run by whoever waits, in the order they became ready. */
#include "replay.h"

void cc_eng_own_memory(struct engine *e, struct strand *s)
{
    if (!s->had_task && s != e->strands)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FIRST_THREAD);
    s->had_task = true;
}

/* Code and memory that nobody needed before, or not this thread. */
static void charge_first(struct engine *e, struct strand *s)
{
    if (!e->had_task)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FIRST);
    cc_eng_own_memory(e, s);
    e->had_task = true;
}

/* Whoever runs its first task without having made one needs memory of its own when it gives back the task's:
 * before it lets others go, if there are any that wait, which keeps all from the queue; else once it has the
 * next. */
static void end_first(struct engine *e, struct strand *s, bool lets_go)
{
    if (s->had_task || s == e->strands)
        return;
    s->had_task = true;
    s->owes_first = !lets_go;
    if (lets_go)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FIRST_THREAD);
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

/* There are so many tasks now that are not done. true: more than ever before. */
static bool charge_memory(struct engine *e, struct strand *s, uint64_t tasks)
{
    bool more = e->most_tasks < tasks;
    for (; e->most_tasks < tasks && !e->failed; e->most_tasks++)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FRESH);
    return more;
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

/* A task that is run at once. */
static void charge_inline(struct engine *e, struct strand *s)
{
    if (runs_inline(e, true))
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_INLINE);
    else
        cc_eng_advance(e, s, cc_queue_making(e, s).before, CC_PART_OVERHEAD, UINT32_MAX);
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
    if (parent && --parent->children == 0 && parent->waiter && parent->waiter->listed) {
        cc_queue_tell(e, s, parent->waiter);
        parent->waiter = NULL;
    }
    cc_context_unref(e, c);
}

/* Frames of two kinds: T_MAKE, T_QUEUE and T_PUT make a task, the others run one. */
enum { T_MAKE, T_START, T_ITERATION, T_AFTER, T_END, T_DONE, T_HOLD, T_QUEUE, T_PUT };

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

void cc_eng_begin_job(struct engine *e, struct strand *s, struct job *job)
{
    job->running = !s->only_of && !s->only_in;
    s->running += job->running;
    s->team->running += job->running;
    s->only_of = NULL;
    s->only_in = NULL;
    cc_eng_wait_until(e, s, job->ready, s->wait);
    job->queued = true;
    start_job(s, job, T_START);
    cc_eng_advance(e, s, cc_queue_taking(e, s, job).after + cc_code_visit(e, s, CODE_TAKE), CC_PART_OVERHEAD,
                   UINT32_MAX);
    cc_eng_visit(s, VISIT_TASK, s->team->n);
    pay_first(e, s); /* not while it keeps others from the queue */
}

/* --- dependences --- */

/* true: into the queue. */
static bool let_go(struct engine *e, struct strand *s, struct job *job)
{
    struct strand *w = job->waiter;
    if (!job->undeferred && !job->on_unit) {
        cc_queue_put(e, s, job);
        return true;
    }
    if (!job->undeferred) {
        CC_VEC_PUSH(&e->launches, job);
    } else if (w && w->listed) {
        job->waiter = NULL;
        cc_eng_stop_waiting(s->team, w);
        cc_eng_wake(e, w, s->time);
    }
    return false;
}

/* It is done, or will be by then: what waited for it may be ready, in the order it was made. All of it is let
 * go at once, and whoever does it and may take any takes the first itself: for one alone nobody comes. */
static void release(struct engine *e, struct strand *s, struct job *job, cc_ticks at)
{
    enum frame_kind next = s->frames.n ? s->frames.v[s->frames.n - 1].kind : F_WALK;
    unsigned put = 0, own = job->queued && (next == F_BARRIER || next == F_REGION);
    job->done = true;
    job->done_at = at;
    for (struct job_list *l = cc_depend_after(job); l; l = l->next) {
        l->job->not_before = CC_MAX(l->job->not_before, at);
        if (--l->job->waits == 0)
            put += let_go(e, s, l->job);
    }
    cc_depend_forget(e, job);
    if (put > own)
        cc_queue_call(e, s, put > 1 ? CC_MIN(put, s->team->n - s->team->running) : 0);
}

static void group_done(struct engine *e, struct strand *s, struct group *g)
{
    if (!g || --g->pending || !g->waiter || !g->waiter->listed)
        return;
    cc_queue_tell(e, s, g->waiter);
    g->waiter = NULL;
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

bool cc_eng_take_job(struct engine *e, struct strand *s)
{
    return cc_queue_look(e, s) || pay_first(e, s);
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

/* A recursion asks for the same few depths again and again. */
static bool is_final(struct engine *e, const struct bound *b, const struct cc_clause_names *names)
{
    const char *text = b->d->final;
    bool by_depth = text && names->depth >= 0 && names->depth < CC_PLAN_DEPTHS && !strstr(text, "TASK");
    uint8_t *known = by_depth ? &e->bounds[b->index].final_at[names->depth] : NULL;
    if (known && *known)
        return *known - 1;
    bool v = holds(e, b, "final", text, b->final, names);
    if (known && !e->failed)
        *known = (uint8_t)(1 + v);
    return v;
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
                        .maker = s,
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

/* What it takes of its maker before it comes to the queue. */
static void charge_before(struct engine *e, struct strand *s, struct job *job, bool at_once)
{
    if (runs_inline(e, at_once))
        return;
    charge_first(e, s);
    if (at_once)
        return;
    cc_eng_visit(s, VISIT_TASK, s->team->n);
    if (!s->made_task && s != e->strands)
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_FIRST_MAKE);
    s->made_task = true;
    job->fresh = charge_memory(e, s, s->team->pending + 1);
    cc_ticks takes = cc_queue_making(e, s).before;
    takes -= take_spare(e, s);
    cc_eng_advance(e, s, CC_MAX(takes, 0) + cc_code_visit(e, s, CODE_MAKE), CC_PART_OVERHEAD, UINT32_MAX);
}

/* What the variables of its depends cost, when it is made and when it ends: each is put into the table of its
 * maker and taken out again. Half of it, as traces of gcc's library show (2008 and 1354 cycles for four). */
static cc_ticks naming(const struct engine *e, const struct job *job)
{
    const cc_ticks *cost = e->cost[COL_PARALLEL];
    cc_ticks names = (cc_ticks)job->b->d->ndepends, each = cost[COST_TASK_DEPEND];
    return names ? cc_queue_named(e) + (names - 1) * each + (job->far ? cost[COST_TASK_FAR] : 0) : 0;
}

static cc_ticks naming_ends(const struct engine *e, const struct job *job)
{
    return naming(e, job) / 2;
}

/* Where a task is in memory that was not used yet, so is what it keeps of each variable, which is written
 * with the lock: 40 bytes, and 216 of its own (gcc's library for 64 bits). */
static cc_ticks fresh_names(const struct engine *e, const struct job *job)
{
    return job->fresh ? e->cost[COL_PARALLEL][COST_TASK_FRESH] * (cc_ticks)job->b->d->ndepends * 40 / 216 : 0;
}

/* Code and memory that a thread needs when it first makes, or ends, a task that names variables. */
static cc_ticks first_depend(const struct engine *e, const struct job *job, bool *done)
{
    bool is_first = job->b->d->ndepends && !*done;
    *done = *done || is_first;
    return is_first ? e->cost[COL_PARALLEL][COST_TASK_FIRST_TABLE] / 2 : 0;
}

/* What making it takes of a thread of a team, which has the lock unless it is run at once. */
static void charge_task(struct engine *e, struct strand *s, struct job *job)
{
    if (job->empty || !s->team)
        return;
    struct cc_making making = cc_queue_making(e, s);
    count_job(s, job);
    job->far = s->team->pending > e->m->task_spares;
    const cc_ticks *cost = e->cost[COL_PARALLEL];
    cc_ticks depend = naming(e, job) + cost[COST_TASK_BEHIND] * (cc_ticks)job->behind +
                      cost[COST_TASK_PASS] * (cc_ticks)job->passed;
    if (job->undeferred) {
        charge_inline(e, s);
    } else {
        struct context *maker = job->context->parent;
        depend = depend - naming_ends(e, job) + making.hold + cost[COST_TASK_PLACE] * (cc_ticks)job->places;
        if (job->b->d->ndepends && !maker->table)
            depend += cost[COST_TASK_TABLE];
        maker->table = maker->table || job->b->d->ndepends;
        depend += first_depend(e, job, &s->made_depend) + fresh_names(e, job) +
                  (cc_ticks)job->b->d->ndepends * cc_queue_line(e, s);
    }
    cc_eng_advance(e, s, depend, CC_PART_OVERHEAD, UINT32_MAX);
}

static bool on_unit(const struct frame *f)
{
    return f->b->d->kind == CC_OMP_TARGET || f->b->d->kind == CC_OMP_TARGET_LOOP;
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
    job->final = job->final || is_final(e, b, &names);
    f->u.task.cur = (uint64_t)names.task;
    f->state = T_QUEUE;
    if (on_unit(f))
        describe_target(f, job);
    f->u.task.job = job;
    if (s->team && !job->empty && !on_unit(f))
        charge_before(e, s, job, job->undeferred || full(e, s->team, 1));
    return ON;
}

static enum step task_queue(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    if (cc_eng_yield(e, s))
        return STOP;
    struct cc_clause_names names = {e->nprocs, (int64_t)f->u.task.cur, job->context->depth - 1};
    bool at_once = job->undeferred || full(e, s->team, 1);
    if (!at_once && !on_unit(f) && !cc_queue_enter(e, s))
        return STOP;
    cc_depend_take(e, job, &names, !at_once);
    if (!on_unit(f)) {
        job->undeferred = at_once;
        charge_task(e, s, job);
    }
    f->state = T_PUT;
    return ON;
}

static enum step task_put(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    bool given = on_unit(f);
    if (cc_eng_yield(e, s))
        return STOP;
    s->frames.n--;
    if (job->undeferred) { /* at once, here */
        cc_queue_leave(e, s);
        start_job(s, job, T_HOLD);
        return ON;
    }
    if (given) {
        if (!job->waits) {
            CC_VEC_PUSH(&e->launches, job);
            launch_all(e, s);
        }
        return ON;
    }
    struct cc_making making = cc_queue_making(e, s);
    if (!job->waits) {
        cc_queue_put(e, s, job);
        cc_queue_call(e, s, making.asks);
    }
    cc_queue_leave(e, s);
    cc_eng_advance(e, s, making.after, CC_PART_OVERHEAD, UINT32_MAX);
    return ON;
}

/* An undeferred task that others must come before: the thread works off the queue meanwhile. */
static enum step hold(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    if (!job->waits) {
        cc_queue_leave(e, s);
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

/* Whoever ends a task tells each that came behind it; letting the first go is part of its taking. */
static cc_ticks telling(const struct engine *e, const struct job *job)
{
    uint64_t behind = cc_depend_ahead(e, job);
    cc_ticks cost = e->cost[COL_PARALLEL][COST_TASK_AHEAD] * (cc_ticks)CC_MIN(behind, UINT32_MAX);
    return behind > 1 ? cost - cost / (cc_ticks)behind : 0;
}

/* Whether any may begin that waited for it; one may wait for it by several variables. */
static bool lets_go(const struct job *job)
{
    bool any = false;
    for (const struct job_list *l = job->after; l; l = l->next)
        l->job->waits--;
    for (const struct job_list *l = job->after; l; l = l->next)
        any = any || l->job->waits == 0;
    for (const struct job_list *l = job->after; l; l = l->next)
        l->job->waits++;
    return any;
}

static enum step task_end(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    cc_eng_drain(e, s);
    if (cc_eng_yield(e, s) || (job->queued && !cc_queue_enter(e, s)))
        return STOP;
    struct cc_taking taking = cc_queue_taking(e, s, job);
    cc_ticks hold = (job->queued ? taking.end + naming_ends(e, job) + cc_queue_first(e, s, &s->ended_task) +
                                       first_depend(e, job, &s->ended_depend)
                                 : 0) +
                    telling(e, job) + (lets_go(job) ? taking.let_go : 0);
    cc_eng_advance(e, s, hold, CC_PART_OVERHEAD, UINT32_MAX);
    end_first(e, s, job->after != NULL);
    f->state = T_DONE;
    return ON;
}

static enum step task_done(struct engine *e, struct strand *s, struct frame *f)
{
    struct job *job = f->u.task.job;
    if (cc_eng_yield(e, s))
        return STOP;
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
    case T_PUT:
        return task_put(e, s, f);
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
    case T_END:
        return task_end(e, s, f);
    default:
        return task_done(e, s, f);
    }
}

/* --- waiting for tasks --- */

/* The way into the wait and out of it, a half each, once, whatever happens in between; nothing where all are
 * done. What is left is only known at the queue. */
static void half_a_wait(struct engine *e, struct strand *s)
{
    cc_eng_advance(e, s, e->cost[COL_PARALLEL][COST_TASK_WAIT] / 2, CC_PART_OVERHEAD, UINT32_MAX);
}

static void begin_waiting(struct engine *e, struct strand *s, struct frame *f, unsigned tasks)
{
    if (!tasks || !s->team)
        return;
    half_a_wait(e, s);
    s->called = f->waited = true;
}

/* All of them are done, or the strand works on them meanwhile, or it waits. Tasks are tied: a thread that
 * waits in one may begin only what that one waits for. */
static enum step wait_until_none(struct engine *e, struct strand *s, unsigned left, struct strand **waiter,
                                 const struct group *group)
{
    *waiter = NULL;
    s->only_of = NULL;
    s->only_in = NULL;
    if (left == 0 && !s->called) {
        cc_queue_leave(e, s); /* of the last that it ran itself */
        if (s->frames.v[s->frames.n - 1].waited)
            half_a_wait(e, s);
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
    if (!s->context) {
        s->frames.n--;
        return ON;
    }
    if (f->state == 0) {
        begin_waiting(e, s, f, s->context->children);
        f->state = 1;
    }
    if (cc_eng_yield(e, s))
        return STOP;
    enum step next = wait_until_none(e, s, s->context->children, &s->context->waiter, NULL);
    if (next == ON && s->context->children == 0)
        cc_eng_await(e, s, s->context->until, CC_PART_IMBALANCE);
    return next;
}

static struct group *group_new(struct engine *e)
{
    return cc_eng_alloc(e, 1, sizeof(struct group));
}

enum { G_OPEN, G_BODY, G_WAIT };

enum step cc_eng_taskgroup(struct engine *e, struct strand *s, struct frame *f)
{
    if (f->state == G_OPEN) {
        if (s->team)
            cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_GROUP);
        f->u.group.outer = s->group;
        s->group = f->u.group.own = group_new(e);
        f->state = G_BODY;
        cc_eng_body(e, s, f->node, f->path);
        return ON;
    }
    if (f->state == G_BODY) {
        begin_waiting(e, s, f, f->u.group.own->pending);
        f->state = G_WAIT;
    }
    if (cc_eng_yield(e, s))
        return STOP;
    struct group *own = f->u.group.own, *outer = f->u.group.outer;
    bool over = own->pending == 0 && !s->called;
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
    if (!f->b->d->nogroup) {
        cc_eng_cost(e, s, COL_PARALLEL, COST_TASK_GROUP);
        s->group = group_new(e);
    }
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

/* The next task of a taskloop: its part of the iterations. */
static void make_task(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.taskloop.share;
    bool at_once = f->u.taskloop.at_once;
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
        cc_queue_put(e, s, job);
}

/* One after the other, each for whoever looks for one. */
static void make_one(struct engine *e, struct strand *s, struct frame *f)
{
    struct cc_making making = cc_queue_making(e, s);
    bool at_once = f->u.taskloop.at_once;
    if (at_once)
        charge_inline(e, s);
    else
        cc_eng_advance(e, s, making.before + making.hold + making.after, CC_PART_OVERHEAD, UINT32_MAX);
    make_task(e, s, f);
    if (!at_once)
        cc_queue_call(e, s, making.asks);
}

/* Or all of them at once: whoever sleeps is woken, as far as there are tasks. */
static bool make_all(struct engine *e, struct strand *s, struct frame *f)
{
    if (!cc_queue_enter(e, s))
        return false;
    while (f->u.taskloop.made < f->u.taskloop.ntasks)
        make_task(e, s, f);
    cc_queue_call(e, s, (unsigned)CC_MIN(f->u.taskloop.ntasks, s->team->n));
    cc_queue_leave(e, s);
    return true;
}

enum step cc_eng_taskloop(struct engine *e, struct strand *s, struct frame *f)
{
    struct share *sh = f->u.taskloop.share;
    if (f->state == L_START) {
        start_taskloop(e, s, f);
        return ON;
    }
    if (f->state != L_WAIT && f->u.taskloop.made < f->u.taskloop.ntasks) {
        if (cc_eng_yield(e, s) || (f->state == L_PUT_OFF && !make_all(e, s, f)))
            return STOP;
        if (f->state == L_MAKE)
            make_one(e, s, f);
        return ON;
    }
    if (f->b->d->nogroup) {
        s->frames.n--;
        cc_share_unref(e, sh);
        return ON;
    }
    if (f->state != L_WAIT)
        begin_waiting(e, s, f, f->u.taskloop.own->pending);
    f->state = L_WAIT;
    if (cc_eng_yield(e, s))
        return STOP;
    struct group *own = f->u.taskloop.own, *outer = f->u.taskloop.outer;
    bool over = own->pending == 0 && !s->called;
    enum step next = wait_until_none(e, s, own->pending, &own->waiter, own);
    if (over) {
        s->group = outer;
        cc_eng_free(e, own);
        cc_share_unref(e, sh);
    }
    return next;
}
