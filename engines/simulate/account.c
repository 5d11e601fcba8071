/* Where the cores' and the threads' time goes. Idle cores, of those the program has had threads for, are
 * charged to the threads that wait for another one to act, in equal parts: as long as one waits, another
 * thread would wait as well. Without such threads they are charged to those that join others; what nobody
 * waits for is told as idle, with what the running thread is at. */
#include "race.h"

enum { FINE = 1024, /* parts of a cycle */ ENOUGH = 2048 /* cycles of cores, to be worth an event */ };

static struct {
    uint64_t at;           /* the time up to which all is accounted for */
    uint64_t share[WAITS]; /* cycles a wait of this kind has cost since the start, in 1 / FINE */
    unsigned waiting[WAITS];
    uint64_t idle, idle_since; /* of cores with nobody to run, not yet told */
} account;

static unsigned running(void)
{
    unsigned n = 0;
    for (unsigned i = 0; i < world.shared->config.cores; i++)
        n += world.core[i].thread != NULL;
    return n;
}

/* Before there are threads, all cores could have some; afterwards as many as there were at once. */
static unsigned usable_cores(void)
{
    unsigned cores = world.program->cores, most = world.most_threads;
    return most > 1 && most < cores ? most : cores;
}

void account_upto(uint64_t now)
{
    if (now <= account.at)
        return;
    uint64_t dt = now - account.at;
    unsigned busy = running(), n = account.waiting[WAIT_OTHERS], usable = usable_cores();
    unsigned idle = usable > busy ? usable - busy : 0, outside = account.waiting[WAIT_OUTSIDE];
    account.at = now;
    idle -= idle < outside ? idle : outside;
    if (n)
        account.share[WAIT_OTHERS] += dt * FINE * idle / n;
    else if (account.waiting[WAIT_JOIN])
        account.share[WAIT_JOIN] += dt * FINE * idle / account.waiting[WAIT_JOIN];
    else
        account.idle += dt * idle;
}

void account_wait(struct thread *t, enum wait_kind kind)
{
    account_upto(now_of(t));
    t->wait = kind;
    account.waiting[kind]++;
    t->charge_from = account.share[kind];
}

void account_waited(struct thread *t, uint64_t when)
{
    account_upto(when);
    account.waiting[t->wait]--;
    t->charged = (account.share[t->wait] - t->charge_from) / FINE;
    t->waker = world.holder && world.holder != t ? (int64_t)world.holder->number : NEVER_CORE;
}

void account_tell_idle(struct thread *t)
{
    if (!t->core || !world.program->started)
        return;
    account_upto(now_of(t));
    struct core *c = t->core;
    uint64_t now = c->stats->cycles > c->last_event ? c->stats->cycles : c->last_event;
    uint64_t length = account.at - account.idle_since;
    if (account.idle >= ENOUGH && world.shared->events) {
        struct cc_trace_event e = {.cycle = now,
                                   .pc = t->pc,
                                   .latency = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length,
                                   .cpu = (uint16_t)c->number,
                                   .node = CC_TRACE_NO_NODE,
                                   .kind = CC_TRACE_IDLE,
                                   .hops = (uint8_t)(running() < 255 ? running() : 255),
                                   .size = (uint8_t)(world.live < 255 ? world.live : 255),
                                   .flags = world.live < world.threads ? CC_TRACE_ENDED : 0,
                                   .context = context_now(t),
                                   .lost = {account.idle > UINT32_MAX ? UINT32_MAX : (uint32_t)account.idle}};
        event_put(c, &e);
    }
    if (account.idle >= ENOUGH) {
        account.idle = 0;
        account.idle_since = account.at;
    }
}

void account_tell_begin(struct thread *t)
{
    struct core *c = t->core;
    if (!world.shared->events || !c || world.system || t->number == world.number)
        return;
    uint64_t now = c->stats->cycles > c->last_event ? c->stats->cycles : c->last_event;
    struct cc_trace_event e = {.cycle = now,
                               .pc = t->pc,
                               .cpu = (uint16_t)c->number,
                               .node = CC_TRACE_NO_NODE,
                               .kind = CC_TRACE_IDLE,
                               .size = (uint8_t)(world.live < 255 ? world.live : 255),
                               .flags = CC_TRACE_BEGINS,
                               .context = t->root};
    event_put(c, &e);
}

/* ---- the threads' own time ---- */

static struct cc_sim_thread *times(const struct thread *t)
{
    static struct cc_sim_thread rest; /* of threads beyond those that are told */
    return t->number < CC_SIM_THREADS ? &world.shared->thread[t->number] : &rest;
}

void thread_time_born(struct thread *t, uint64_t now)
{
    *times(t) = (struct cc_sim_thread){.born = now, .program = world.number};
    t->counted = now;
}

void thread_time(struct thread *t, enum thread_state was, uint64_t now)
{
    struct cc_sim_thread *x = times(t);
    uint64_t dt = now > t->counted ? now - t->counted : 0;
    *(was == RUNNING ? &x->running : was == WAITING ? &x->ready : &x->waiting) += dt;
    t->counted += dt;
    x->ended = t->counted;
}

void thread_times_end(void)
{
    uint64_t end = 0;
    for (unsigned i = 0; i < world.shared->config.cores; i++)
        end = world.core[i].stats->cycles > end ? world.core[i].stats->cycles : end;
    for (unsigned i = 0; i < world.top; i++) {
        struct thread *t = world.thread[i];
        if (t && t->state != GONE)
            thread_time(t, t->state, t->core ? t->core->stats->cycles : end);
    }
}
