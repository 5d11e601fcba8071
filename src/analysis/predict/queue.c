/* The queue of tasks that a team has: one lock for whoever makes a task, looks for one or ends one, as gcc's
 * library has it. */
#include "replay.h"

#include <math.h>

/* Of what making a task takes one thread alone, and of what it takes to end one and take the next, so much is
 * done with the lock: 125 of 560 and 105 of 275 cycles, counted in traces of gcc's library on simulated
 * cores.
 */
static const double make_inside = 0.22, take_inside = 0.38;

static bool is_measured(const struct engine *e)
{
    return e->m->crowd[CROWD_TASK_MAKE] && e->m->crowd[CROWD_TASK_DRAIN];
}

/* Threads that are at it: one has the lock, another just had it. */
static unsigned at_it(const struct team *t)
{
    return (unsigned)CC_MIN((size_t)t->n, t->at_queue.n + 2);
}

/* --- what it costs --- */

/* A line of memory that another thread has just written. */
static cc_ticks line(const struct engine *e, const struct team *t)
{
    return t->n > 1 ? cc_eng_crowd(e, CROWD_CRITICAL, at_it(t), 0) : 0;
}

/* One look that finds nothing, and until the next has the lock, as far as the time of a task tells. With one
 * maker of empty tasks all others look for each (task_idle): while it makes the next, that is taken and
 * ended, and then it comes among n - 2 that still want to look, and is let in behind half of them. All that
 * is left between three others that follow each other is handing on. */
static cc_ticks one_look(const struct engine *e, const struct team *t)
{
    if (!e->m->crowd[CROWD_TASK_IDLE] || t->n < 3)
        return 0;
    cc_ticks idle = cc_eng_crowd(e, CROWD_TASK_IDLE, t->n, 0),
             make = cc_eng_crowd(e, CROWD_TASK_MAKERS, t->n, 0);
    cc_ticks rest = idle - make - cc_eng_crowd(e, CROWD_TASK_DRAIN, t->n, 0);
    return CC_MIN(CC_MAX(6 * rest / (3 * (t->n - 2) + 4), 0), make);
}

/* Two thirds of such a look is from one thread that lets the lock go to one that wants it: it has next to
 * nothing to do with it. Where fewer want it, less, as with any other lock; at least what that takes, and no
 * more than the dearer of two locks in other places: where a task takes longer it is not for the lock, which
 * its maker then finds free after what else it has to do. */
static cc_ticks handing_on(const struct engine *e, const struct team *t)
{
    if (!is_measured(e) || t->n < 2)
        return 0;
    cc_ticks all = cc_eng_crowd(e, CROWD_CRITICAL, t->n, 0), some = line(e, t);
    cc_ticks most = CC_MAX(cc_eng_crowd(e, CROWD_CRITICAL_NAMED, at_it(t), some), some);
    cc_ticks look = one_look(e, t) * 2 / 3;
    return all > 0 && look > all ? CC_MIN(llround((double)look * (double)some / (double)all), most) : some;
}

/* Asking the system to wake a thread: `task_make` was measured with the others busy with no task, so from two
 * threads on it has that in it. */
static cc_ticks asking(const struct engine *e, const struct team *t)
{
    if (!e->m->crowd[CROWD_TASK_MAKE])
        return 0;
    return CC_MAX(cc_eng_crowd(e, CROWD_TASK_MAKE, t->n, 0) - cc_eng_crowd(e, CROWD_TASK_MAKE, 1, 0), 0);
}

/* Where all make tasks at once, each has the lock for so long, and then another gets it. But where they come
 * about as often as they would if nobody had to wait, that says nothing of the lock: each has it for no
 * longer than alone, but for what they take more. */
static cc_ticks all_making(const struct engine *e, const struct team *t, cc_ticks alone)
{
    cc_ticks each = cc_eng_crowd(e, CROWD_TASK_MAKERS, t->n, 0);
    cc_ticks path = cc_eng_crowd(e, CROWD_TASK_MAKERS, 1, 0) + asking(e, t);
    return CC_MIN(each, alone + CC_MAX(each * t->n - path, 0));
}

struct cc_making cc_queue_making(const struct engine *e, const struct strand *s)
{
    const struct team *t = s->team;
    cc_ticks create =
        e->cost[COL_PARALLEL][COST_TASK_CREATE] + e->cost[COL_PARALLEL][COST_TASK_THREAD] * (t->n - 1);
    if (!e->m->crowd[CROWD_TASK_MAKE])
        return (struct cc_making){.before = create};
    /* gcc's library asks the system to wake a thread unless all of them have tasks; whoever makes one outside
     * of any task has that for its own. */
    unsigned have = t->running + (s->running == 0);
    cc_ticks alone = cc_eng_crowd(e, CROWD_TASK_MAKE, 1, 0);
    /* measured for many that are not done (task_make) and for a few (task_makers), whose memory is near; that
     * of one which its maker ran itself is nearer still, and told as less than for many */
    bool few = t->pending < e->m->task_spares;
    cc_ticks near = few ? CC_MIN(cc_eng_crowd(e, CROWD_TASK_MAKERS, 1, alone), alone) : alone;
    struct cc_making m = {.hold = llround(make_inside * (double)near), .asks = have < t->n};
    m.before = (s->spares ? alone : near) - m.hold;
    if (m.asks)
        m.after = asking(e, t);
    if (t->n > 1 && t->queue_last != s)
        m.hold = CC_MAX(m.hold, all_making(e, t, m.hold) - handing_on(e, t));
    return m;
}

cc_ticks cc_queue_named(const struct engine *e)
{
    const cc_ticks *cost = e->cost[COL_PARALLEL];
    return cost[COST_TASK_NAMED] ? cost[COST_TASK_NAMED] : cost[COST_TASK_DEPEND];
}

cc_ticks cc_queue_line(const struct engine *e, const struct strand *s)
{
    const struct strand *last = s->team->queue_last;
    return last && last != s ? handing_on(e, s->team) : 0;
}

/* Letting another task go: measured with tasks that name one variable, which is taken out of the table at the
 * same time and is charged by itself. */
static cc_ticks letting_go(const struct engine *e, cc_ticks taking)
{
    return CC_MAX(cc_eng_crowd(e, CROWD_TASK_CHAIN, 1, 0) - taking - cc_queue_named(e) / 2, 0);
}

struct cc_taking cc_queue_taking(const struct engine *e, const struct strand *s, const struct job *job)
{
    const struct team *t = s->team;
    if (!e->m->crowd[CROWD_TASK_DRAIN])
        return (struct cc_taking){.after = e->cost[COL_PARALLEL][COST_TASK_START]};
    /* what a thread made itself lies near it: only what counts the tasks comes from elsewhere. For others'
     * tasks it keeps the queue for as long as where all only take tasks and end them at once, so that each
     * does both before another gets the lock */
    cc_ticks start = e->cost[COL_PARALLEL][COST_TASK_START], one = cc_eng_crowd(e, CROWD_TASK_TAKE, 1, start);
    cc_ticks all = one, both = llround(take_inside * (double)one);
    if (job->maker == s && t->queue_last != s) {
        both += line(e, t);
        all += line(e, t);
    } else if (job->maker != s) {
        all = cc_eng_crowd(e, CROWD_TASK_TAKE, t->n > t->arrived ? t->n - t->arrived : 1, start);
        both = CC_MAX(both, cc_eng_crowd(e, CROWD_TASK_DRAIN, t->n, all) - handing_on(e, t));
    }
    both = CC_MIN(both, all);
    return (struct cc_taking){
        .take = both / 2, .end = both - both / 2, .after = all - both, .let_go = letting_go(e, one)};
}

cc_ticks cc_queue_first(const struct engine *e, const struct strand *s, bool *done)
{
    bool is_first = !*done && s != e->strands;
    *done = true;
    return is_first ? e->cost[COL_PARALLEL][COST_TASK_FIRST_TAKE] : 0;
}

/* --- the lock --- */

/* gcc's library marks the lock when somebody falls asleep at it, and whoever wants it from then on leaves the
 * mark there. As long as anybody waits for the lock it so stays marked, and each that lets it go calls the
 * system, whether anybody sleeps or not. Only who finds it free takes it without the mark, unless it has
 * slept there itself. */
bool cc_queue_enter(struct engine *e, struct strand *s)
{
    struct team *t = s->team;
    if (t->queue_holder && t->queue_holder != s) {
        CC_VEC_PUSH(&t->at_queue, s);
        t->queue_marked = t->queue_marked || s->dozes;
        s->dozes = false;
        cc_eng_block(e, s);
        return false;
    }
    if (!t->queue_holder) { /* it was let go, maybe a little later than now */
        cc_eng_advance(e, s, CC_MAX(t->queue_since - s->time, 0), CC_PART_OVERHEAD, UINT32_MAX);
        t->queue_since = s->time;
        t->queue_marked = s->dozes;
        s->dozes = false;
    }
    t->queue_holder = s;
    return true;
}

/* Whoever has looked for a task for too long sleeps; so does who wants the lock, if one thread has it for as
 * long. */
static bool asleep(const struct engine *e, cc_ticks since, cc_ticks now)
{
    return e->m->sleep_after > 0 && now - since > e->m->sleep_after;
}

static struct strand *first_at(const struct team *t)
{
    struct strand *first = NULL;
    for (size_t i = 0; i < t->at_queue.n; i++)
        first = !first || t->at_queue.v[i]->time < first->time ? t->at_queue.v[i] : first;
    return first;
}

/* One thread has had it until now. The first that falls asleep marks it, which the others see: they look for
 * as long again. */
static void fall_asleep(const struct engine *e, struct team *t, cc_ticks now)
{
    cc_ticks since = t->queue_since;
    struct strand *first = first_at(t);
    if (!is_measured(e) || !first || !asleep(e, CC_MAX(first->time, since), now))
        return;
    if (!t->queue_marked) {
        first->dozes = t->queue_marked = true;
        since = CC_MAX(first->time, since) + e->m->sleep_after;
    }
    for (size_t i = 0; i < t->at_queue.n; i++) {
        struct strand *w = t->at_queue.v[i];
        w->dozes = w->dozes || asleep(e, CC_MAX(w->time, since), now);
    }
}

/* Any of those that want it and do not sleep may be the next: whoever's cycle it is. Where nothing is known
 * of what that costs, the first that came. All of them: nobody may. */
static size_t who_is_next(struct engine *e, const struct team *t)
{
    size_t awake = 0, k = 0;
    for (size_t i = 0; i < t->at_queue.n; i++)
        awake += !t->at_queue.v[i]->dozes;
    if (!awake)
        return t->at_queue.n;
    for (size_t left = is_measured(e) ? cc_rng_below(&e->chance, awake) : 0;
         t->at_queue.v[k]->dozes || left--;)
        k++;
    return k;
}

static struct strand *take_out(struct team *t, size_t k)
{
    struct strand *w = t->at_queue.v[k];
    memmove(&t->at_queue.v[k], &t->at_queue.v[k + 1], (t->at_queue.n - k - 1) * sizeof *t->at_queue.v);
    t->at_queue.n--;
    return w;
}

/* The first of those that sleep comes again, like anybody else. */
static void wake_one(struct engine *e, struct team *t, cc_ticks now)
{
    for (size_t i = 0; i < t->at_queue.n; i++)
        if (t->at_queue.v[i]->dozes) {
            struct strand *w = take_out(t, i);
            cc_eng_wait_until(e, w, CC_MAX(now + e->m->sleep_wake, w->time), CC_PART_OVERHEAD);
            cc_eng_wake(e, w, w->time);
            return;
        }
}

static void hand_on(struct engine *e, struct team *t, cc_ticks now)
{
    struct strand *had = t->queue_holder;
    fall_asleep(e, t, now);
    t->queue_since = now;
    t->queue_last = had ? had : t->queue_last;
    t->queue_holder = NULL;
    size_t k = who_is_next(e, t);
    if (k < t->at_queue.n) {
        struct strand *w = take_out(t, k);
        t->queue_holder = w;
        t->queue_since = CC_MAX(now + handing_on(e, t), w->time);
        cc_eng_wait_until(e, w, t->queue_since, CC_PART_OVERHEAD);
        cc_eng_wake(e, w, w->time);
    }
    if (!t->queue_marked)
        return;
    wake_one(e, t, now);
    if (had)
        cc_eng_advance(e, had, asking(e, t), CC_PART_OVERHEAD, UINT32_MAX);
}

/* --- who comes --- */

static bool wants_any(const struct team *t, const struct strand *w)
{
    for (size_t i = t->queue_head; i < t->queue.n; i++)
        if (t->queue.v[i] && cc_queue_may_take(w, t->queue.v[i]))
            return true;
    return false;
}

/* It looks for a task among all that want to. */
static void come(struct engine *e, struct strand *w, cc_ticks now)
{
    struct team *t = w->team;
    const struct frame *f = &w->frames.v[w->frames.n - 1];
    cc_eng_stop_waiting(t, w);
    cc_eng_wait_until(e, w, CC_MAX(now, w->time), w->wait);
    cc_eng_push(w, F_LOOK, f->node, f->path, f->b);
    CC_VEC_PUSH(&t->at_queue, w);
}

/* Whether who is woken is there before the maker is at the queue again is a matter of cycles: in a draw it
 * takes up to twice as long, or no time. */
static cc_ticks waking(const struct engine *e)
{
    return e->draw ? llround(2 * e->draw->late * (double)e->m->sleep_wake) : e->m->sleep_wake;
}

/* Tasks are ready: all that look come, and of those that sleep at a barrier so many are woken, who come
 * later. Whoever waits for certain tasks only comes for those. */
static void call(struct engine *e, struct team *t, unsigned wake, cc_ticks now)
{
    size_t most = is_measured(e) ? t->n : t->queue.n - t->queue_head; /* more would only find nothing */
    for (size_t i = 0; i < t->waiting.n && most > 0;) {
        struct strand *w = t->waiting.v[i];
        bool sleeps = asleep(e, w->looks, now);
        if ((sleeps && w->at_barrier && !wake) || !wants_any(t, w)) {
            i++;
            continue;
        }
        most--;
        if (!sleeps) {
            come(e, w, now);
            continue;
        }
        wake -= w->at_barrier;
        w->called = true;
        cc_eng_stop_waiting(t, w);
        cc_eng_wake(e, w, CC_MAX(now + waking(e), w->time));
    }
}

void cc_queue_tell(struct engine *e, struct strand *s, struct strand *w)
{
    cc_ticks at = s->time;
    if (asleep(e, w->looks, at)) {
        cc_eng_advance(e, s, asking(e, s->team), CC_PART_OVERHEAD, UINT32_MAX);
        at += waking(e);
    }
    w->called = true;
    cc_eng_stop_waiting(s->team, w);
    cc_eng_wake(e, w, CC_MAX(at, w->time));
}

void cc_queue_put(struct engine *e, struct strand *s, struct job *job)
{
    job->ready = CC_MAX(s->time, job->not_before);
    CC_VEC_PUSH(&s->team->queue, job);
    (void)e;
}

void cc_queue_call(struct engine *e, struct strand *s, unsigned wake)
{
    struct team *t = s->team;
    call(e, t, wake, s->time);
    if (!t->queue_holder)
        hand_on(e, t, s->time);
}

void cc_queue_leave(struct engine *e, struct strand *s)
{
    if (s->team && s->team->queue_holder == s)
        hand_on(e, s->team, s->time);
}

/* --- looking --- */

bool cc_queue_may_take(const struct strand *s, const struct job *job)
{
    if (s->only_of)
        return job->context->parent == s->only_of;
    return !s->only_in || job->group == s->only_in;
}

/* Whoever has nothing else to do takes the task that became ready first; whoever waits for certain tasks
 * takes of those the one that was made last, whose data are still near. */
static struct job *next_job(struct team *t, const struct strand *s)
{
    struct job *job = NULL;
    if (!s->only_of && !s->only_in) {
        job = t->queue_head < t->queue.n ? t->queue.v[t->queue_head++] : NULL;
    } else {
        size_t i = t->queue.n;
        while (i > t->queue_head && !(t->queue.v[i - 1] && cc_queue_may_take(s, t->queue.v[i - 1])))
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

bool cc_queue_look(struct engine *e, struct strand *s)
{
    const struct frame *f = &s->frames.v[s->frames.n - 1];
    bool called = s->called;
    s->called = false;
    if (!called && !wants_any(s->team, s)) {
        cc_queue_leave(e, s); /* who has ended a task still has the lock */
        return false;
    }
    cc_eng_push(s, F_LOOK, f->node, f->path, f->b);
    return true;
}

enum { K_ENTER, K_LEAVE };

enum step cc_eng_look(struct engine *e, struct strand *s, struct frame *f)
{
    if (cc_eng_yield(e, s))
        return STOP;
    if (f->state == K_ENTER) {
        if (!cc_queue_enter(e, s))
            return STOP;
        f->u.look.job = next_job(s->team, s);
        cc_ticks hold = f->u.look.job
                            ? cc_queue_taking(e, s, f->u.look.job).take + cc_queue_first(e, s, &s->took_task)
                            : handing_on(e, s->team) / 2;
        f->state = K_LEAVE;
        cc_eng_advance(e, s, hold, CC_PART_OVERHEAD, UINT32_MAX);
        return ON;
    }
    struct job *job = f->u.look.job;
    s->frames.n--;
    cc_queue_leave(e, s);
    if (job)
        cc_eng_begin_job(e, s, job);
    return ON;
}
