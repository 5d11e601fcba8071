/* System calls under simulated time: futexes and sleeps are emulated, clocks show simulated time, calls that
 * would block leave the race. */
#include "deeds.h"
#include "../../src/isa/syscalls.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Simulated time starts in the past, so that an absolute time the program computes from it is over for the
 * real kernel. */
static const uint64_t first_second = 946684800; /* 2000-01-01 */

static const struct cc_syscall *call_of(int64_t number)
{
    static const struct cc_syscall other = {.race = CC_RACE_HOLD};
    const struct cc_syscall *s = cc_syscall(world.isa, (uint64_t)number);
    return s ? s : &other;
}

/* ---- time ---- */

static uint64_t to_ns(uint64_t cycles)
{
    return (uint64_t)((double)cycles * 1000 / world.shared->config.clock_mhz);
}

static uint64_t to_cycles(uint64_t ns)
{
    double c = (double)ns * world.shared->config.clock_mhz / 1000;
    return c > 1e18 ? (uint64_t)1e18 : (uint64_t)c;
}

static bool read_time(uint64_t addr, bool wide, uint64_t *ns)
{
    int64_t v[2];
    int32_t w[2];
    if (wide ? !guest_read_numbers(addr, v, 8, 2) : !guest_read_numbers(addr, w, 4, 2))
        return false;
    int64_t s = wide ? v[0] : w[0], n = wide ? v[1] : w[1];
    if (s < 0 || n < 0 || n > 999999999)
        return false;
    *ns = s > 1000000000000 ? UINT64_MAX / 2 : (uint64_t)s * 1000000000 + (uint64_t)n;
    return true;
}

static uint64_t clock_base(uint64_t clock)
{
    return (clock == 0 || clock == 5 ? first_second : 1) *
           1000000000; /* CLOCK_REALTIME(_COARSE), or any other */
}

/* A moment on the program's clock, as a cycle. */
static uint64_t deadline(uint64_t ns, uint64_t clock)
{
    uint64_t base = clock_base(clock);
    return ns > base ? to_cycles(ns - base) : 0;
}

static void write_time(uint64_t addr, bool wide, uint64_t ns, uint64_t unit)
{
    uint64_t v[2] = {ns / 1000000000, ns % 1000000000 / unit};
    uint32_t w[2] = {(uint32_t)v[0], (uint32_t)v[1]};
    if (addr)
        wide ? guest_write_numbers(addr, v, 8, 2) : guest_write_numbers(addr, w, 4, 2);
}

/* ---- changing the program's memory for the time of a call ---- */

static void patch(struct thread *t, uint64_t addr, const void *data, size_t n)
{
    if (guest_read(addr, t->patch_bytes, n) && guest_write(addr, data, n)) {
        t->patch_addr = addr;
        t->patch_size = n;
    }
}

static void unpatch(struct thread *t)
{
    if (t->patch_size)
        guest_write(t->patch_addr, t->patch_bytes, t->patch_size);
    t->patch_size = 0;
}

/* ---- blocking ---- */

static void record_wait(struct thread *t, uint64_t since, uint64_t addr)
{
    if (!world.shared->events || !t->core)
        return;
    static const uint8_t how[] = {
        [WAIT_OTHERS] = CC_TRACE_ON_FUTEX, [WAIT_JOIN] = CC_TRACE_ON_JOIN, [WAIT_OUTSIDE] = CC_TRACE_ON_IO};
    struct core *c = t->core;
    uint64_t now = c->stats->cycles, latency = t->woken > since ? t->woken - since : 0;
    struct cc_trace_event e = {.cycle = now > c->last_event ? now : c->last_event,
                               .pc = t->pc,
                               .addr = addr,
                               .latency = latency > UINT32_MAX ? UINT32_MAX : (uint32_t)latency,
                               .cpu = (uint16_t)c->number,
                               .node = t->waker < 0 ? CC_TRACE_NO_NODE : (uint16_t)t->waker,
                               .kind = CC_TRACE_WAIT,
                               .size = t->timed_out ? CC_TRACE_ON_TIME : how[t->wait],
                               .context = context_now(t)};
    if (t->wait != WAIT_OUTSIDE)
        e.lost[0] = t->charged > UINT32_MAX ? UINT32_MAX : (uint32_t)t->charged;
    if (addr)
        e.lost[1] = world.shared->config.syscall_cost;
    event_put(c, &e);
}

/* A futex call that does not wait costs its time, which a lock nobody wants does not. */
static void record_call(struct thread *t, uint64_t addr)
{
    t->wait = WAIT_OTHERS;
    t->waker = NEVER_CORE;
    t->charged = 0;
    t->timed_out = false;
    t->woken = 0;
    record_wait(t, now_of(t), addr);
}

static void sleep_for_ever(void)
{
    for (;;)
        pause();
}

/* Is this the word that is cleared when some thread ends? */
static bool ends_thread(uint64_t addr)
{
    for (unsigned i = 0; i < world.top; i++)
        if (world.thread[i] && world.thread[i]->child_tid == addr)
            return true;
    return false;
}

/* In simulated time: until another thread or the timer wakes it. A signal gets it out as well, so that QEMU
 * can deliver it. */
static void block(struct thread *t, uint64_t futex, uint32_t bitset, uint64_t timer)
{
    uint64_t since = now_of(t);
    pthread_mutex_lock(&world.lock);
    t->futex = futex;
    t->bitset = bitset;
    t->timer = timer;
    world.timers += timer != NEVER;
    t->timed_out = t->interrupted = false;
    t->wait = !futex               ? (t->waits_fd ? WAIT_OTHERS : WAIT_OUTSIDE)
              : ends_thread(futex) ? WAIT_JOIN
                                   : WAIT_OTHERS;
    t->next_waiter = NULL;
    if (futex) {
        struct thread **p = &world.waiters;
        while (*p)
            p = &(*p)->next_waiter;
        *p = t;
    }
    sched_leave(t, BLOCKED);
    pthread_mutex_unlock(&world.lock);
    while (!gate_wait(t, false, true)) {
        if (atomic_load(&world.ending))
            sleep_for_ever();
        if (t->outside)
            return;
        pthread_mutex_lock(&world.lock);
        if (t->state == BLOCKED) {
            t->interrupted = true;
            thread_wake(t, now_of_all());
            sched_next();
            sched_update_limit();
        }
        pthread_mutex_unlock(&world.lock);
    }
    t->futex = 0;
    record_wait(t, since, futex);
}

static void leave(struct thread *t)
{
    pthread_mutex_lock(&world.lock);
    t->holder = false;
    sched_leave(t, OUTSIDE);
    pthread_mutex_unlock(&world.lock);
}

static void come_back(struct thread *t)
{
    pthread_mutex_lock(&world.lock);
    bool outside = t->state == OUTSIDE;
    uint64_t since = t->blocked_at;
    if (outside) {
        thread_wake(t, now_of_all());
        sched_next();
        sched_update_limit();
    }
    pthread_mutex_unlock(&world.lock);
    if (!outside)
        return;
    while (!gate_wait(t, false, false))
        if (atomic_load(&world.ending))
            sleep_for_ever();
    record_wait(t, since, 0);
}

static bool would_block(uint64_t fd, short what)
{
    struct pollfd p = {(int)fd, what, 0};
    return poll(&p, 1, 0) == 0;
}

/* ---- pipes ---- */

static bool is_waiting_pipe(int fd)
{
    struct stat st;
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && !(flags & O_NONBLOCK) && fstat(fd, &st) == 0 && S_ISFIFO(st.st_mode);
}

void fd_wake_ready(uint64_t when)
{
    for (unsigned i = 0; i < world.top && world.fd_waiters; i++) {
        struct thread *t = world.thread[i];
        if (t && t->state == BLOCKED && t->waits_fd && !would_block((uint64_t)t->fd, t->fd_events))
            thread_wake(t, when);
    }
}

/* The other end is mostly another thread's: the wait is over in simulated time when that has written, read or
 * closed. */
static void use_fd(struct thread *t, uint64_t fd, short what)
{
    t->outside = t->interrupted = false;
    while (would_block(fd, what)) {
        if (t->interrupted || !is_waiting_pipe((int)fd)) {
            leave(t);
            break;
        }
        pthread_mutex_lock(&world.lock);
        t->fd = (int)fd;
        t->fd_events = what;
        t->waits_fd = true;
        world.fd_waiters++;
        pthread_mutex_unlock(&world.lock);
        block(t, 0, 0, NEVER);
        if (t->outside)
            break;
    }
}

static void used_fd(struct thread *t)
{
    pthread_mutex_lock(&world.lock);
    if (world.fd_waiters) {
        fd_wake_ready(now_of(t) + world.shared->config.wake_cost);
        sched_update_limit();
    }
    pthread_mutex_unlock(&world.lock);
}

/* ---- futexes ---- */

static int wake(uint64_t addr, int n, uint32_t bitset, uint64_t when)
{
    int woken = 0;
    for (struct thread **p = &world.waiters; *p && woken < n;) {
        struct thread *w = *p;
        if (w->futex != addr || !(w->bitset & bitset)) {
            p = &w->next_waiter;
            continue;
        }
        thread_wake(w, when); /* takes it off the list: *p is the next one now */
        woken++;
    }
    return woken;
}

void futex_wake_all(uint64_t addr, uint64_t when)
{
    wake(addr, INT_MAX, UINT32_MAX, when);
}

static void requeue(uint64_t from, uint64_t to, int n)
{
    for (struct thread *w = world.waiters; w && n > 0; w = w->next_waiter)
        if (w->futex == from) {
            w->futex = to;
            n--;
        }
}

static void futex_wait(struct thread *t, bool wide, int command, uint64_t op)
{
    const uint64_t *a = t->args;
    uint32_t value, want = (uint32_t)a[2];
    if (!guest_read_numbers(a[0], &value, 4, 1) || value != want) {
        record_call(t, a[0]);
        return; /* the real call says EAGAIN or EFAULT */
    }
    uint64_t timer = NEVER, ns;
    if (a[3]) {
        if (!read_time(a[3], wide, &ns))
            return;
        bool absolute = command == FUTEX_WAIT_BITSET;
        timer = absolute ? deadline(ns, op & FUTEX_CLOCK_REALTIME ? 0 : 1) : now_of(t) + to_cycles(ns);
    }
    block(t, a[0], command == FUTEX_WAIT_BITSET ? (uint32_t)a[5] : UINT32_MAX, timer);
    static const uint64_t zeros[2];
    if (t->timed_out) {
        if (command == FUTEX_WAIT)
            patch(t, a[3], zeros, wide ? 16 : 8);
        return;
    }
    /* The real call must not sleep: it returns EAGAIN if the value is not the expected one, which callers
     * take as a wake-up. */
    if (guest_read_numbers(a[0], &value, 4, 1) && value == want && guest_read(a[0], &value, sizeof value)) {
        value = ~value; /* as it lies there */
        patch(t, a[0], &value, sizeof value);
    }
}

static bool wake_op_condition(uint32_t op, uint32_t old)
{
    int32_t with = (int32_t)(op << 20) >> 20, v = (int32_t)old;
    switch (op >> 24 & 15) {
    case FUTEX_OP_CMP_EQ:
        return v == with;
    case FUTEX_OP_CMP_NE:
        return v != with;
    case FUTEX_OP_CMP_LT:
        return v < with;
    case FUTEX_OP_CMP_LE:
        return v <= with;
    case FUTEX_OP_CMP_GT:
        return v > with;
    default:
        return v >= with;
    }
}

static void futex(struct thread *t, bool wide)
{
    const uint64_t *a = t->args;
    int command = (int)(a[1] & FUTEX_CMD_MASK);
    uint64_t when = now_of(t) + world.shared->config.wake_cost;
    uint32_t old = 0;
    if (command == FUTEX_WAIT || command == FUTEX_WAIT_BITSET) {
        futex_wait(t, wide, command, a[1]);
        return;
    }
    if (command == FUTEX_LOCK_PI || command == FUTEX_LOCK_PI2 || command == FUTEX_WAIT_REQUEUE_PI) {
        leave(t); /* not emulated: sleeps for real */
        return;
    }
    pthread_mutex_lock(&world.lock);
    switch (command) {
    case FUTEX_WAKE:
        wake(a[0], (int)a[2], UINT32_MAX, when);
        break;
    case FUTEX_WAKE_BITSET:
        wake(a[0], (int)a[2], (uint32_t)a[5], when);
        break;
    case FUTEX_CMP_REQUEUE:
        if (!guest_read_numbers(a[0], &old, 4, 1) || old != (uint32_t)a[5])
            break;
        /* fall through */
    case FUTEX_REQUEUE:
        wake(a[0], (int)a[2], UINT32_MAX, when);
        requeue(a[0], a[4], (int)a[3]);
        break;
    case FUTEX_WAKE_OP:
        wake(a[0], (int)a[2], UINT32_MAX, when);
        if (guest_read_numbers(a[4], &old, 4, 1) && wake_op_condition((uint32_t)a[5], old))
            wake(a[4], (int)a[3], UINT32_MAX, when);
        break;
    default:
        break;
    }
    sched_update_limit();
    pthread_mutex_unlock(&world.lock);
    record_call(t, a[0]);
}

static void sleep_until(struct thread *t, uint64_t timer, uint64_t relative, bool wide)
{
    static const uint64_t zeros[2];
    block(t, 0, 0, timer);
    if (relative)
        patch(t, relative, zeros, wide ? 16 : 8);
}

/* ---- entry and return ---- */

enum { CLONE_VM_FLAG = 0x100, CLONE_VFORK_FLAG = 0x4000, CLONE_CLEAR_FLAG = 0x200000 };

static void fork_like(struct thread *t)
{
    t->forking = true;
    host_cpu_release();
    atomic_fetch_add(&world.exclusive, 1);
}

/* Those that may wait. */
static void wait_for_it(struct thread *t, const struct cc_syscall *s)
{
    const uint64_t *a = t->args;
    uint64_t ns;
    bool wide = world.isa->wide || s->wide_times;
    switch (s->race) {
    case CC_RACE_FUTEX:
        futex(t, wide);
        break;
    case CC_RACE_SLEEP:
        if (read_time(a[0], wide, &ns))
            sleep_until(t, now_of(t) + to_cycles(ns), a[0], wide);
        break;
    case CC_RACE_CLOCK_SLEEP:
        if (read_time(a[2], wide, &ns))
            sleep_until(t, a[1] & 1 ? deadline(ns, a[0]) : now_of(t) + to_cycles(ns), a[1] & 1 ? 0 : a[2],
                        wide);
        break;
    case CC_RACE_READ:
        use_fd(t, a[0], POLLIN);
        break;
    case CC_RACE_WRITE:
        use_fd(t, a[0], POLLOUT);
        break;
    case CC_RACE_READS:
        if (would_block(a[0], POLLIN))
            leave(t);
        break;
    case CC_RACE_WRITES:
        if (would_block(a[0], POLLOUT))
            leave(t);
        break;
    case CC_RACE_LOCKS:
        if (a[1] == 7 || a[1] == 14 || a[1] == 38)
            leave(t);
        break;
    case CC_RACE_LEAVE:
        leave(t);
        break;
    default:
        break;
    }
}

/* Before a signal is sent, until the host's threads sleep where they wait; after it, until the host has
 * delivered it: so a thread that sleeps in simulated time wakes, and one that waits for its turn sees it, at
 * the sender's time in every run. */
static void await_others(void)
{
    enum { CALM = 2, MOST = 50000 };
    for (int i = 0, calm = 0; i < MOST && calm < CALM; i++) {
        struct timespec pause = {0, 100000};
        nanosleep(&pause, NULL);
        calm = others_want_to_run() ? 0 : calm + 1;
    }
}

static void enter(struct thread *t, const struct cc_syscall *s)
{
    const uint64_t *a = t->args;
    switch (s->race) {
    case CC_RACE_CLONE:
        if ((a[0] & CLONE_VM_FLAG) && !(a[0] & CLONE_VFORK_FLAG)) {
            world.cloner = t;
            world.gates = world.shared->ordered; /* QEMU throws away its code with the first */
        } else
            fork_like(t);
        break;
    case CC_RACE_FORK:
        fork_like(t);
        break;
    case CC_RACE_EXEC:
        world.program->executed++;
        host_cpu_release();
        cc_sim_finish(world.sim);
        if (world.shared->programs > 1) { /* the others must not wait for what comes now */
            world_finish();
            world.program->finished = 0;
        }
        break;
    case CC_RACE_KILL:
        await_others();
        break;
    case CC_RACE_EXIT_GROUP:
        world_finish();
        atomic_store(&world.ending, true);
        gate_open_all();
        break;
    case CC_RACE_YIELD:
        pthread_mutex_lock(&world.lock);
        t->core->slice_end = t->core->stats->cycles;
        sched_update_limit();
        pthread_mutex_unlock(&world.lock);
        break;
    default:
        wait_for_it(t, s);
    }
}

/* Memory may be gone after it: threads no longer look where they were. */
static void forget_places(const struct cc_syscall *s)
{
    bool harmless = s->race == CC_RACE_FUTEX || s->race == CC_RACE_YIELD || s->race == CC_RACE_SLEEP ||
                    s->race == CC_RACE_CLOCK_SLEEP || s->race == CC_RACE_CLOCK;
    for (unsigned i = 0; i < world.top && !harmless; i++)
        if (world.thread[i])
            world.thread[i]->seen_at = world.thread[i]->last_load = 0;
}

void syscall_enter(struct thread *t, int64_t number, const uint64_t args[6])
{
    if (atomic_load(&world.off)) {
        if (atomic_load(&world.ending))
            sleep_for_ever();
        return;
    }
    while (!t->holder || t->nput_off || t->ndeeds) {
        if (!t->holder && !gate_wait(t, false, false))
            return;
        t->relieved = false;
        deeds_resume(t);
        deeds_settle(t, false);
    }
    memcpy(t->args, args, sizeof t->args);
    t->number_called = number;
    t->core->stats->cycles += world.shared->config.syscall_cost;
    if (world.shared->ordered && now_of(t) > atomic_load(&world.limit[TURN_GLOBAL]))
        sched_yield_token(t, now_of(t), TURN_GLOBAL, false);
    if (!t->holder)
        return; /* the program is ending */
    atomic_store(&t->in_syscall, true);
    forget_places(call_of(number));
    enter(t, call_of(number));
}

/* A stream that looks random and is the same in every run. */
static void fill_random(uint64_t addr, uint64_t n)
{
    static uint64_t state;
    uint8_t bytes[256];
    if (!state)
        state = world.shared->seed * 0x9e3779b97f4a7c15u + 1;
    for (uint64_t done = 0; done < n;) {
        uint64_t part = n - done < sizeof bytes ? n - done : sizeof bytes;
        for (uint64_t i = 0; i < part; i++) {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            bytes[i] = (uint8_t)(state >> 24);
        }
        if (!guest_write(addr + done, bytes, part))
            return;
        done += part;
    }
}

static void show_cores(uint64_t addr, int64_t bytes)
{
    uint8_t mask[CC_SIM_MAX_CORES / 8 + 8] = {0};
    unsigned other_end = world.big ? (world.isa->wide ? 7 : 3) : 0; /* words of the program's */
    for (unsigned i = 0; i < world.program->cores; i++)
        mask[(world.program->core[i] / 8) ^ other_end] |= (uint8_t)(1u << world.program->core[i] % 8);
    guest_write(addr, mask, (size_t)bytes < sizeof mask ? (size_t)bytes : sizeof mask);
}

static void mapped(struct thread *t, uint64_t addr)
{
    enum { EXEC_BIT = 4, ANONYMOUS_FLAG = 0x20, STACK_FLAG = 0x20000 };
    enum { MIPS_ANONYMOUS = 0x800, MIPS_STACK = 0x40000, MIPS_OLD_MAP = 4090 };
    const uint64_t *a = t->args;
    bool mips = world.isa->id == CC_ISA_MIPS;
    if (a[3] & (mips ? MIPS_STACK : STACK_FLAG))
        guest_note_stack_mapping(addr, a[1]);
    else if (a[3] & (mips ? MIPS_ANONYMOUS : ANONYMOUS_FLAG))
        object_mapped(t, addr, a[1]);
    if (a[2] & EXEC_BIT)
        places_forget();
    bool pages = world.isa->id == CC_ISA_ARM || (mips && t->number_called != MIPS_OLD_MAP);
    if ((a[2] & EXEC_BIT) && (int32_t)a[4] >= 0)
        guest_note_mapping(addr, a[1], (int)a[4], pages ? a[5] * 4096 : a[5]);
}

static void finish(struct thread *t, const struct cc_syscall *s, int64_t result)
{
    const uint64_t *a = t->args;
    bool wide = world.isa->wide || s->wide_times;
    uint64_t ns = to_ns(now_of(t));
    if (result < 0)
        return;
    switch (s->race) {
    case CC_RACE_CLOCK:
        write_time(a[1], wide, clock_base(a[0]) + ns, 1);
        break;
    case CC_RACE_TIMEOFDAY:
        write_time(a[0], wide, clock_base(0) + ns, 1000);
        break;
    case CC_RACE_TIME:
        if (a[0]) {
            uint64_t seconds = first_second + ns / 1000000000;
            uint32_t narrow = (uint32_t)seconds;
            wide ? guest_write_numbers(a[0], &seconds, 8, 1) : guest_write_numbers(a[0], &narrow, 4, 1);
        }
        break;
    case CC_RACE_RANDOM:
        fill_random(a[0], (uint64_t)result);
        break;
    case CC_RACE_AFFINITY:
        show_cores(a[2], result);
        break;
    case CC_RACE_MAP:
        mapped(t, (uint64_t)result);
        break;
    case CC_RACE_UNMAP:
        places_forget();
        object_unmapped(t, a[0], a[1]);
        break;
    case CC_RACE_REMAP:
        object_unmapped(t, a[0], a[1]);
        object_mapped(t, (uint64_t)result, a[2]);
        break;
    case CC_RACE_BREAK:
        object_break((uint64_t)result);
        break;
    case CC_RACE_TID_ADDRESS:
        t->child_tid = a[0];
        break;
    case CC_RACE_KILL:
        await_others();
        break;
    default:
        break;
    }
}

/* Where the child tells of itself from its own thread, its parent does not go on before it has. */
static void await_child(const struct thread *t)
{
    pthread_mutex_lock(&world.lock);
    while (world.cloner == t && wait_born())
        ;
    pthread_mutex_unlock(&world.lock);
}

void syscall_return(struct thread *t, int64_t number, int64_t result)
{
    if (t->forking) {
        t->forking = false;
        if (getpid() != world.pid)
            atomic_store(&world.off, true); /* the child is not part of the machine */
        else
            atomic_fetch_sub(&world.exclusive, 1);
        if (!atomic_load(&world.off))
            host_cpu_keep();
    }
    if (atomic_load(&world.off))
        return;
    if (number != t->number_called || !atomic_load(&t->in_syscall))
        return;
    const struct cc_syscall *s = call_of(number);
    if (s->race == CC_RACE_CLONE && result > 0)
        await_child(t);
    atomic_store(&t->in_syscall, false);
    unpatch(t);
    come_back(t);
    world.cloner = NULL;
    if (s->race == CC_RACE_CLONE && result > 0 && world.threads == 2) {
        t->flushing = true;
        atomic_fetch_add(&world.exclusive, 1);
    }
    if (s->race == CC_RACE_EXEC) {
        world.program->executed--; /* it came back: it failed */
        host_cpu_keep();
    }
    finish(t, s, result);
    if (s->race == CC_RACE_READ || s->race == CC_RACE_WRITE || s->race == CC_RACE_READS ||
        s->race == CC_RACE_WRITES || s->race == CC_RACE_CLOSE)
        used_fd(t);
}
