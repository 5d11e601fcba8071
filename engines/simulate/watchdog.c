/* Two things only a bystander can do. A vCPU that waits in a callback counts as running for QEMU, so a
 * section QEMU wants for itself (fork, an atomic it cannot do otherwise, a full code buffer) waits for ever:
 * the watchdog lets the waiting vCPUs out, one at a time, each until its next block. And a token holder
 * asleep in a system call nobody expected to block is taken out of the race. It acts only when every vCPU
 * sleeps and none has been scheduled for several samples: time alone would misfire on a loaded machine. */
#include "race.h"

#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLE_US = 10000, FORK_US = 1000, CALM_SAMPLES = 4, COPY_EVERY = 10 };

static void pause_us(long us)
{
    struct timespec t = {0, us * 1000};
    nanosleep(&t, NULL);
}

/* Times the thread has been switched; -1 if it is not asleep. */
static long switches_if_asleep(pid_t tid)
{
    char path[64], text[4096];
    snprintf(path, sizeof path, "/proc/self/task/%d/status", (int)tid);
    FILE *f = fopen(path, "r");
    if (!f)
        return -1;
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    const char *state = strstr(text, "\nState:"), *sw = strstr(text, "\nvoluntary_ctxt_switches:");
    if (!state || !sw || !strchr("S", state[strspn(state + 7, " \t") + 7]))
        return -1;
    unsigned long long v = 0;
    sscanf(sw + 25, "%llu", &v);
    return (long)(v & 0x7fffffff);
}

static bool is_runnable(const char *tid)
{
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/self/task/%.20s/stat", tid);
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = 0;
    const char *name = strrchr(text, ')'); /* "TID (NAME) STATE …" */
    return name && strncmp(name, ") R", 3) == 0;
}

bool others_want_to_run(void)
{
    DIR *tasks = opendir("/proc/self/task");
    pid_t own = (pid_t)syscall(SYS_gettid);
    bool any = false;
    for (struct dirent *d; tasks && !any && (d = readdir(tasks));)
        any = d->d_name[0] != '.' && atoi(d->d_name) != own && is_runnable(d->d_name);
    if (tasks)
        closedir(tasks);
    return any;
}

/* One number that stays the same as long as every vCPU sleeps undisturbed; -1 when one does not. */
static long calm(void)
{
    long sum = 0;
    bool any = false;
    pthread_mutex_lock(&world.lock);
    for (unsigned i = 0; i < world.top && sum >= 0; i++) {
        struct thread *t = world.thread[i];
        if (!t || t->state == GONE)
            continue;
        any |= t == world.holder;
        long s = t->tid ? switches_if_asleep(t->tid) : -1;
        sum = s < 0 ? -1 : sum + s * (long)(i + 1);
    }
    pthread_mutex_unlock(&world.lock);
    return any ? sum : -1;
}

/* With the lock: does the holder sleep in a section of QEMU's that it wants for itself, and waits for the
 * others to leave their code? Before that one of them would run further than to the end of its block, as long
 * as the host does not get round to the holder; after it, it would run while it is not its turn. */
static bool holder_waits(void)
{
    const struct thread *t = world.holder;
    return t && (t->forking || t->flushing) && switches_if_asleep(t->tid) >= 0;
}

/* One after the other, so that what they do is in the same order in every run: until it has left its code, or
 * come to its next block. */
static void await_relieved(pid_t tid)
{
    enum { PAUSE_US = 50, MOST = 20000 };
    pause_us(PAUSE_US);
    for (int i = 0; i < MOST && switches_if_asleep(tid) < 0; i++)
        pause_us(PAUSE_US);
}

static void relieve_all(bool expected)
{
    unsigned let_out = 0;
    for (unsigned i = 0; i < world.top; i++) {
        pthread_mutex_lock(&world.lock);
        struct thread *t = world.thread[i];
        bool waits = t && t != world.holder && atomic_load(&t->in_gate) && (!expected || holder_waits());
        pid_t tid = waits ? t->tid : 0;
        if (waits)
            gate_relieve(t);
        pthread_mutex_unlock(&world.lock);
        if (waits) {
            let_out++;
            await_relieved(tid);
        }
    }
    if (let_out) {
        world.shared->reliefs++;
        world.shared->unexpected += !expected;
    }
}

static void act(void)
{
    pthread_mutex_lock(&world.lock);
    struct thread *t = world.holder;
    bool asleep_in_call = t && !world.system && atomic_load(&t->in_syscall) && !t->forking;
    if (asleep_in_call)
        sched_leave(t, OUTSIDE);
    pthread_mutex_unlock(&world.lock);
    if (!asleep_in_call)
        relieve_all(false);
}

static double seconds(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* All vCPU threads keep to one host CPU; when others want that too, they follow the watchdog, which the
 * kernel wakes where there is room. */
static void find_room(void)
{
    static double last_wall, last_used;
    const double crowded = 0.7;
    double wall = seconds(CLOCK_MONOTONIC), used = seconds(CLOCK_PROCESS_CPUTIME_ID);
    int here = sched_getcpu(), there = atomic_load(&world.shared->host_cpu);
    bool room = used - last_used > crowded * (wall - last_wall);
    last_wall = wall;
    last_used = used;
    if (!room && there >= 0 && here >= 0 && here != there)
        host_cpu_move(here);
}

static void *watch(void *unused)
{
    (void)unused;
    long last = -1;
    uint64_t handovers = 0;
    unsigned same = 0, ticks = 0;
    while (!atomic_load(&world.off)) {
        bool forking = atomic_load(&world.exclusive) > 0;
        pause_us(forking ? FORK_US : SAMPLE_US);
        if (atomic_load(&world.off))
            break;
        if (forking) {
            relieve_all(true);
            continue;
        }
        if (++ticks % COPY_EVERY == 0) {
            if (world.sim) /* so that a killed run leaves its figures; races only with counters that grow */
                cc_sim_finish(world.sim);
            if (world.shared->programs == 1)
                find_room();
        }
        uint64_t h = __atomic_load_n(&world.shared->handovers, __ATOMIC_RELAXED);
        long now = h == handovers ? calm() : -1;
        same = now >= 0 && now == last && h == handovers ? same + 1 : 0;
        last = now;
        handovers = h;
        if (same >= CALM_SAMPLES) {
            same = 0;
            act();
        }
    }
    return NULL;
}

bool helper_start(void *(*run)(void *), void *data)
{
    sigset_t all, old;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &old);
    pthread_t thread;
    pthread_attr_t attr;
    pthread_attr_init(&attr);
    pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED);
    bool started = pthread_create(&thread, &attr, run, data) == 0;
    pthread_attr_destroy(&attr);
    pthread_sigmask(SIG_SETMASK, &old, NULL);
    return started;
}

void watchdog_start(void)
{
    helper_start(watch, NULL);
}
