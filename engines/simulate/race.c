#include "deeds.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* A core that runs alone for long looks around from time to time, so that calendars can forget what is over.
 */
enum { LOOK_EVERY = 4096 };
/* What comes through a pipe from outside is looked for every so many turns. */
enum { FD_EVERY = 64 };
/* Atomics that follow each other closely are contended where look-ahead shows first: a core that runs on
 * keeps lines that others would have taken. */
enum { ATOMIC_AHEAD = 200 };

/* Turns a thread yields the host's CPU before it sleeps: the token often comes back at once. */
enum { YIELDS = 2 };

enum { GATE_TOKEN = 1, GATE_RELIEF = 2, GATE_OPEN = 4, GATE_OUT = 8, GATE_ASLEEP = 16 };

struct world world = {.lock = PTHREAD_MUTEX_INITIALIZER, .born = PTHREAD_COND_INITIALIZER};

uint64_t now_of(const struct thread *t)
{
    return t->core ? t->core->stats->cycles : t->ready;
}

uint64_t now_of_all(void)
{
    return world.holder                 ? now_of(world.holder)
           : world.shared->programs > 1 ? atomic_load(&world.shared->now)
                                        : 0;
}

/* ---- gates ---- */

static void gate_set(struct thread *t, int bit)
{
    if (!(atomic_fetch_or(&t->gate, bit) & GATE_ASLEEP))
        return; /* it will look before it sleeps */
    atomic_fetch_and(&t->gate, ~GATE_ASLEEP);
    syscall(SYS_futex, &t->gate, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* False: a signal came. */
static bool gate_sleep(struct thread *t, unsigned *tries)
{
    if ((*tries)++ < YIELDS) {
        sched_yield();
        return true;
    }
    int open = 0;
    if (!atomic_compare_exchange_strong(&t->gate, &open, GATE_ASLEEP) && open != GATE_ASLEEP)
        return true;
    bool woken =
        syscall(SYS_futex, &t->gate, FUTEX_WAIT_PRIVATE, GATE_ASLEEP, NULL, NULL, 0) == 0 || errno != EINTR;
    atomic_fetch_and(&t->gate, ~GATE_ASLEEP);
    return woken;
}

bool gate_wait(struct thread *t, bool in_code, bool interruptible)
{
    t->holder = false;
    atomic_store(&t->in_gate, in_code);
    bool got = false;
    unsigned tries = 0;
    for (;;) {
        int v = atomic_load(&t->gate);
        if (v & GATE_OPEN)
            break;
        if (v & GATE_TOKEN) {
            atomic_fetch_and(&t->gate, ~(GATE_TOKEN | GATE_RELIEF));
            t->holder = got = true;
            break;
        }
        if (v & GATE_OUT) {
            atomic_fetch_and(&t->gate, ~GATE_OUT);
            break;
        }
        if (v & GATE_RELIEF) {
            atomic_fetch_and(&t->gate, ~GATE_RELIEF);
            if (in_code) {
                t->relieved = true;
                break;
            }
            continue;
        }
        if (!gate_sleep(t, &tries) && interruptible)
            break;
    }
    atomic_store(&t->in_gate, false);
    return got;
}

void gate_relieve(struct thread *t)
{
    gate_set(t, GATE_RELIEF);
}

void gate_open_all(void)
{
    for (unsigned i = 0; i < world.top; i++)
        if (world.thread[i])
            gate_set(world.thread[i], GATE_OPEN);
}

/* ---- the host's CPU ---- */

static void set_host_cpu(pid_t tid, int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = 0; i < CPU_SETSIZE; i++)
        if (cpu < 0 || i == cpu)
            CPU_SET(i, &set);
    sched_setaffinity(tid, sizeof set, &set); /* where it is not allowed, it is only slower */
}

void host_cpu_keep(void)
{
    int none = -1, here = sched_getcpu();
    atomic_compare_exchange_strong(&world.shared->host_cpu, &none, here);
    set_host_cpu(0, atomic_load(&world.shared->host_cpu));
}

void host_cpu_release(void)
{
    set_host_cpu(0, -1);
}

void host_cpu_move(int cpu)
{
    atomic_store(&world.shared->host_cpu, cpu);
    pthread_mutex_lock(&world.lock);
    for (unsigned i = 0; i < world.top; i++)
        if (world.thread[i] && world.thread[i]->tid)
            set_host_cpu(world.thread[i]->tid, cpu);
    pthread_mutex_unlock(&world.lock);
}

/* ---- cores ---- */

/* When each core will do what it waits for, NEVER: nobody runs there. A block's cycles are added at its
 * start, and its accesses lie before that. Of the thread that runs it is what it was when it got the token.
 * One small table, since it is looked through at every turn. */
static uint64_t wants[CC_SIM_MAX_CORES];

static void note_wants(const struct core *c)
{
    wants[c->number] = c->thread ? c->stats->cycles - (world.shared->ordered ? c->thread->lag : 0) : NEVER;
}

void cores_begin(void)
{
    for (unsigned i = 0; i < world.shared->config.cores; i++) {
        world.core[i] = (struct core){.number = i, .last_thread = -1, .stats = &world.shared->stats.core[i]};
        note_wants(&world.core[i]);
    }
}

static void assign(struct core *c, struct thread *t)
{
    struct cc_sim_core_stats *st = c->stats;
    if (t->ready > st->cycles) {
        st->idle += t->ready - st->cycles;
        st->cycles = t->ready;
    }
    account_upto(st->cycles);
    thread_time(t, WAITING, st->cycles);
    if (c->last_thread >= 0 && c->last_thread != t->number)
        st->cycles += world.shared->config.switch_cost;
    if (c->last_thread != t->number)
        st->threads++;
    c->thread = t;
    c->last_thread = t->number;
    c->slice_end = st->cycles + world.shared->config.slice;
    t->core = t->last_core = c;
    t->state = RUNNING;
    note_wants(c);
}

/* Who waits for a core takes none away at once: threads may be ahead of it by then. */
static void enqueue(struct thread *t)
{
    enum { NOTICE = 128 };
    for (unsigned i = 0; i < world.shared->config.cores; i++)
        if (world.core[i].slice_end < t->ready + NOTICE)
            world.core[i].slice_end = t->ready + NOTICE;
    t->state = WAITING;
    t->next = NULL;
    if (world.queue)
        world.queue_end->next = t;
    else
        world.queue = t;
    world.queue_end = t;
}

static bool better_place(const struct core *a, const struct core *b)
{
    bool fresh = a->last_thread < 0, other_fresh = b->last_thread < 0;
    return fresh != other_fresh ? fresh : !fresh && a->stats->cycles < b->stats->cycles;
}

/* The core it ran on before if that is free, else one that nobody used yet, else the free core that has been
 * idle longest (a core whose thread only sleeps for a moment is taken last), else the queue. */
static void place(struct thread *t)
{
    struct core *best = t->last_core && !t->last_core->thread ? t->last_core : NULL;
    for (unsigned i = 0; i < world.program->cores && (!best || best != t->last_core); i++) {
        struct core *c = &world.core[world.program->core[i]];
        if (!c->thread && (!best || better_place(c, best)))
            best = c;
    }
    if (best)
        assign(best, t);
    else
        enqueue(t);
}

static void free_core(struct thread *t)
{
    struct core *c = t->core;
    t->core = NULL;
    if (!c)
        return;
    t->ready = c->stats->cycles;
    account_upto(t->ready);
    thread_time(t, RUNNING, t->ready);
    c->thread = NULL;
    note_wants(c);
    struct thread *first = world.queue;
    if (first) {
        world.queue = first->next;
        first->next = NULL;
        assign(c, first);
    }
}

/* ---- the token ---- */

static struct thread *first_timer(void)
{
    struct thread *first = NULL;
    for (unsigned i = 0; world.timers && i < world.top; i++) {
        struct thread *t = world.thread[i];
        if (t && t->state == BLOCKED && t->timer != NEVER && (!first || t->timer < first->timer))
            first = t;
    }
    return first;
}

static struct core *furthest_behind(void)
{
    unsigned best = 0;
    for (unsigned i = 1; i < world.shared->config.cores; i++)
        best = wants[i] < wants[best] ? i : best;
    return world.core[best].thread ? &world.core[best] : NULL;
}

static uint64_t add_clipped(uint64_t a, uint64_t b)
{
    return a > NEVER - b ? NEVER : a + b;
}

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

/* The next time anybody but the holder wants something; and whether the holder goes first at that time (ties
 * by number, timers before all). */
static uint64_t next_other(bool *ret_first)
{
    unsigned own = world.holder->core->number, cores = world.shared->config.cores;
    uint64_t other = NEVER;
    *ret_first = true;
    for (unsigned i = 0; i < cores; i++)
        if (wants[i] < other && i != own) {
            other = wants[i];
            *ret_first = own < i;
        }
    struct thread *timer = first_timer();
    if (timer && timer->timer < other) {
        other = timer->timer;
        *ret_first = false;
    }
    unsigned program;
    uint64_t theirs = chip_others(&program);
    if (theirs <= other) {
        *ret_first = (theirs < other || *ret_first) && world.number < program;
        other = theirs;
    }
    return other;
}

void sched_update_limit(void)
{
    if (!world.holder || !world.holder->core)
        return;
    bool first_of_both;
    uint64_t other = next_other(&first_of_both), own = world.holder->core->stats->cycles;
    uint64_t look = add_clipped(own, LOOK_EVERY), run = add_clipped(other, world.shared->ahead);
    if (world.queue)
        run = least(run, world.holder->core->slice_end);
    uint64_t global = other == NEVER || first_of_both || !other ? other : other - 1;
    if (world.shared->ordered && !world.shared->ahead)
        run = least(run, global); /* ties by number here too */
    world.turn[TURN_RUN] = run;
    world.turn[TURN_ATOMIC] = least(run, add_clipped(other, ATOMIC_AHEAD));
    world.turn[TURN_GLOBAL] = world.shared->ordered ? least(global, run) : world.turn[TURN_ATOMIC];
    world.turn[TURN_SLACK] = !world.shared->ordered ? run
                             : world.slack          ? least(run, add_clipped(other, world.slack))
                                                    : world.turn[TURN_GLOBAL];
    for (unsigned i = 0; i < TURNS; i++)
        atomic_store_explicit(&world.limit[i], least(look, world.turn[i]), memory_order_relaxed);
    /* What is before everybody is over. */
    uint64_t first = least(other, own), longest = atomic_load(&world.shared->longest);
    atomic_store_explicit(&world.shared->now, own, memory_order_relaxed);
    cc_sim_horizon(world.sim, first > longest ? first - longest : 0);
}

/* Nobody runs who could fill or empty a pipe: what they wait for comes from outside. */
static void release_fd_waiters(void)
{
    for (unsigned i = 0; i < world.top && world.fd_waiters; i++) {
        struct thread *t = world.thread[i];
        if (!t || t->state != BLOCKED || !t->waits_fd)
            continue;
        t->state = OUTSIDE;
        t->outside = true;
        t->waits_fd = false;
        world.fd_waiters--;
        gate_set(t, GATE_OUT);
    }
}

/* Another program's turn? Then it has got it. */
static bool pass_on(const struct core *best)
{
    unsigned program;
    uint64_t theirs = chip_others(&program), ours = best ? wants[best->number] : NEVER;
    if (best && (theirs > ours || (theirs == ours && world.number < program)))
        return false;
    chip_pass(theirs == NEVER ? CC_SIM_PROGRAMS : program, ours);
    return true;
}

static void wake_timers(void)
{
    for (;;) {
        struct thread *timer = first_timer();
        const struct core *best = timer ? furthest_behind() : NULL;
        if (!timer || (best && wants[best->number] < timer->timer))
            return;
        timer->timed_out = true;
        thread_wake(timer, timer->timer);
    }
}

/* Its time is over, and others wait for a core. */
static void rotate(struct core *c)
{
    struct thread *t = c->thread, *first = world.queue;
    t->core = NULL;
    t->ready = c->stats->cycles;
    thread_time(t, RUNNING, t->ready);
    world.queue = first->next;
    enqueue(t);
    assign(c, first);
}

/* When somebody may do more than look at a word that stays what it is. As long as none of the program's code
 * runs, that can only be found to be later. */
static uint64_t next_change;

static void find_change(void)
{
    const struct thread *timer = first_timer();
    next_change = timer ? timer->timer : NEVER;
    for (unsigned i = 0; i < world.shared->config.cores; i++)
        if (wants[i] < next_change) {
            if (world.queue) /* another thread's turn on that core */
                next_change = least(next_change, world.core[i].slice_end);
            uint64_t looks = lap_until(world.core[i].thread);
            next_change = least(next_change, looks > wants[i] ? looks : wants[i]);
        }
}

/* Threads that only look at what they have in their caches need not take turns with each other. */
static void pay_laps(struct thread *t)
{
    if (now_of(t) - t->lag >= next_change) {
        note_wants(t->core);
        find_change();
    }
    for (unsigned i = 0; i < TURNS; i++)
        atomic_store_explicit(&world.limit[i], next_change - 1, memory_order_relaxed);
    while (!t->ndeeds && now_of(t) - t->lag < next_change && lap_again(t) && deeds_private(t)) {
        struct cc_sim_core_stats before = *t->core->stats;
        deeds_pay(t);
        if (!t->ndeeds && world.shared->events < CC_SIM_EVENTS_ALL)
            lap_repeat(t, &before, next_change);
    }
}

static void pay(struct thread *t)
{
    struct thread *holder = world.holder;
    world.holder = t;
    sched_update_limit();
    deeds_pay(t);
    if (t->laps && !t->ndeeds)
        pay_laps(t);
    note_wants(t->core);
    world.holder = holder;
}

/* Does it owe something, or will it if nobody gives it what it waits for? */
static bool is_due(struct thread *t)
{
    if (t->ndeeds)
        return true;
    bool again = lap_again(t);
    if (again)
        note_wants(t->core);
    return again;
}

void sched_next(void)
{
    if (world.holder || atomic_load(&world.off))
        return;
    next_change = 0;
    struct core *best = furthest_behind();
    struct thread *sleeper = first_timer();
    uint64_t wanted = best ? wants[best->number] : NEVER;
    if (!chip_is_ours(sleeper ? least(wanted, sleeper->timer) : wanted))
        return;
    for (;;) {
        wake_timers();
        best = furthest_behind();
        if (!best)
            release_fd_waiters();
        if ((world.shared->programs > 1 && pass_on(best)) || !best)
            return;
        if (!is_due(best->thread))
            break;
        if (world.queue && wants[best->number] > best->slice_end)
            rotate(best);
        else
            pay(best->thread);
    }
    world.holder = best->thread;
    sched_update_limit();
    world.shared->handovers++;
    gate_set(best->thread, GATE_TOKEN);
}

void thread_wake(struct thread *t, uint64_t when)
{
    if (t->futex)
        for (struct thread **p = &world.waiters; *p; p = &(*p)->next_waiter)
            if (*p == t) {
                *p = t->next_waiter;
                break;
            }
    if (t->waits_fd) {
        t->waits_fd = false;
        world.fd_waiters--;
    }
    world.timers -= t->timer != NEVER;
    t->timer = NEVER;
    t->ready = when > t->ready ? when : t->ready;
    t->woken = t->ready;
    account_waited(t, t->ready);
    thread_time(t, BLOCKED, t->ready);
    place(t);
}

void sched_leave(struct thread *t, enum thread_state state)
{
    t->blocked_at = now_of(t);
    account_tell_idle(t);
    if (state != GONE)
        account_wait(t, state == BLOCKED ? t->wait : WAIT_OUTSIDE);
    t->state = state;
    free_core(t);
    if (state == GONE)
        world.live--;
    if (world.holder == t)
        world.holder = NULL;
    sched_next();
}

static bool look_around(struct thread *t, uint64_t now, enum turn turn)
{
    static unsigned looks;
    if (world.fd_waiters && ++looks % FD_EVERY == 0)
        fd_wake_ready(now_of(t));
    if (t->ndeeds || now > world.turn[turn])
        return false;
    account_tell_idle(t);
    sched_update_limit();
    return true;
}

bool sched_catch_up(struct thread *t, uint64_t now, enum turn turn)
{
    pthread_mutex_lock(&world.lock);
    t->lag = now_of(t) - now;
    note_wants(t->core);
    next_change = 0;
    bool reached = look_around(t, now, turn);
    while (!reached) {
        struct core *first = furthest_behind();
        struct thread *timer = first_timer();
        if (first == t->core || !is_due(first->thread) || (timer && timer->timer <= wants[first->number]))
            break;
        unsigned owed = first->thread->ndeeds;
        uint64_t at = first->stats->cycles;
        pay(first->thread);
        sched_update_limit();
        reached = now <= world.turn[turn];
        if (first->thread->ndeeds == owed && first->stats->cycles == at)
            break; /* its time is over: others wait for its core */
    }
    pthread_mutex_unlock(&world.lock);
    return reached;
}

void sched_yield_token(struct thread *t, uint64_t now, enum turn turn, bool in_code)
{
    pthread_mutex_lock(&world.lock);
    bool laps = t->laps && lap_until(t); /* who only looks need not do it, and has nothing to tell */
    if (!laps && look_around(t, now, turn)) {
        pthread_mutex_unlock(&world.lock);
        return;
    }
    if (!t->ndeeds)
        t->last_lag = now_of(t) - now;
    t->lag = deeds_lag(t);
    note_wants(t->core);
    if (world.queue && now > t->core->slice_end)
        rotate(t->core);
    world.holder = NULL;
    sched_next();
    pthread_mutex_unlock(&world.lock);
    while (!gate_wait(t, in_code, false) && !in_code && !atomic_load(&world.ending) &&
           !atomic_load(&world.off))
        ;
    if (t->holder)
        t->lag = 0;
}

/* Threads are started one after the other, and the starter is the last to begin its own part. */
static void note_start(uint64_t ready)
{
    static uint64_t first, last;
    if (world.live == 1)
        first = last = ready; /* of this program */
    if (world.live) {
        world.shared->start_skew += (ready - first) + (ready - last);
        last = ready;
    }
}

bool wait_born(void)
{
    enum { SECONDS = 60 }; /* a busy machine is no reason to go on without it */
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += SECONDS;
    return pthread_cond_timedwait(&world.born, &world.lock, &until) == 0;
}

struct thread *thread_new(unsigned vcpu, uint64_t ready)
{
    if (vcpu >= MAX_THREADS)
        abort();
    struct thread *t = calloc(1, sizeof *t);
    if (!t)
        abort();
    t->vcpu = vcpu;
    t->number = world.threads++ ? world.shared->threads++ : world.number;
    t->ready = ready;
    t->timer = NEVER;
    t->context = t->root = world.threads == 1 ? world.number + 1 : context_new_thread(t->number);
    note_start(ready);
    thread_time_born(t, ready);
    world.thread[vcpu] = t;
    if (vcpu >= world.top)
        world.top = vcpu + 1;
    if (++world.live > world.most_threads)
        world.most_threads = world.live;
    place(t);
    return t;
}
