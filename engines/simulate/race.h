/* Who runs: simulated cores, the program's threads on them, and the token that lets exactly one thread
 * execute at a time: the one whose core is furthest behind in simulated time. */
#ifndef CC_ENGINES_SIMULATE_RACE_H
#define CC_ENGINES_SIMULATE_RACE_H

#include "../../sim/shared.h"
#include "../../src/isa/isa.h"
#include "../qemu/registers.h"

#include <pthread.h>
#include <string.h>
#include <sys/types.h>

enum { MAX_THREADS = 4096, NEVER_CORE = -1 };
/* With write-through caches every store leaves the core: where it cannot be owed it may be so many cycles
 * early, as long as it changes nobody's cache. */
enum { WRITE_THROUGH_SLACK = 10 };
#define NEVER UINT64_MAX

enum thread_state {
    WAITING, /* could run, but no core is free */
    RUNNING, /* has a core */
    BLOCKED, /* until another thread wakes it, or its timer */
    OUTSIDE, /* in a system call that blocks for real: not in the race */
    GONE,
};

/* Who can end a wait. */
enum wait_kind {
    WAIT_OTHERS,  /* another thread */
    WAIT_JOIN,    /* another thread's end */
    WAIT_OUTSIDE, /* time, or the world */
    WAITS
};

struct frame {
    uint64_t back; /* address it returns to */
    uint32_t context;
    bool in_program;
};

/* Of an allocator, under way. */
struct call {
    uint64_t back; /* where it returns to */
    uint64_t args[3], sp;
    uint32_t context;
    uint8_t kind; /* enum cc_alloc_kind; 0: none is */
};

struct core;
struct block;

struct deed;
struct lap;

struct thread {
    unsigned vcpu, number;
    pid_t tid; /* on the host; 0 until it first ran */
    enum thread_state state;
    struct core *core, *last_core;
    struct thread *next; /* of those waiting for a core */
    uint64_t ready;      /* earliest time it may run */

    uint64_t lag;      /* waiting for its turn: what it is about to do lies this much before its clock */
    uint64_t last_lag; /* the same of what comes when it owes nothing any more */

    _Atomic int gate;     /* GATE_* bits; the thread sleeps on it */
    bool holder;          /* holds the token: set on leaving the gate */
    bool relieved;        /* let out of the gate without the token until its next block */
    _Atomic bool in_gate; /* sleeping in a callback that QEMU takes for running code */

    /* blocked */
    uint64_t blocked_at, timer;
    uint64_t futex; /* address waited on, 0: none */
    uint32_t bitset;
    struct thread *next_waiter;
    bool timed_out, interrupted;
    bool waits_fd; /* blocked until a pipe can be read or written */
    bool outside;  /* nobody else can make that happen: it must wait for real */
    int fd;
    short fd_events;

    /* in a system call */
    _Atomic bool in_syscall;
    bool forking;
    bool flushing; /* the first clone: QEMU throws away its code before the next block */
    int64_t number_called;
    uint64_t args[6];
    uint64_t patch_addr, patch_size; /* guest bytes changed for the time of the call */
    uint8_t patch_bytes[16];

    /* account.c */
    enum wait_kind wait;
    uint64_t charge_from, charged, counted;
    int64_t waker;  /* number of the thread that ended its wait, NEVER_CORE: none */
    uint64_t woken; /* when */

    /* context.c */
    uint32_t context, root;
    uint64_t program_pc; /* where it was last in the program's own code */
    bool in_program;     /* some caller is */
    struct frame *frames;
    unsigned nframes, cap_frames;
    const struct block *block; /* the one it is in, or has just left */
    uint64_t seen_at, seen;    /* what its last atomic left, and where */
    struct before {
        uint64_t at, value;
    } before[2];        /* what was at the likeliest places before an exchange that can fail */
    uint64_t last_load; /* address */

    struct cc_registers registers;
    struct call call;

    uint64_t child_tid;    /* address QEMU clears when the thread ends */
    uint64_t pc;           /* of its current block */
    uint64_t last_store;   /* for block-zero instructions */
    bool stack_noted;      /* of a program's first thread */
    bool called;           /* firmware: may just have started another core */
    uint32_t context_here; /* context_now() of its block, 0: not asked for yet */
    bool adds;             /* its next atomic is an addition whose result nobody looks at (places.c) */
    uint32_t linked;       /* additions to the word of its load-linked up to then */
    uint64_t polled;       /* where its last access was, */
    unsigned polls;        /* how often it has loaded that since */
    struct lap *lap;       /* of a loop that only looks (laps.c) */
    bool laps;             /* it waits for its turn in one */
    struct deed *deeds;    /* owed to the model, a ring (deeds.h) */
    unsigned first_deed, ndeeds;
    uint64_t owed;        /* cycles of the blocks among them, without what they wait */
    struct deed *put_off; /* what it did while relieved */
    unsigned nput_off;
};

struct core {
    unsigned number;
    struct thread *thread;
    int64_t last_thread; /* number of the thread it ran before, -1: none */
    uint64_t slice_end;
    uint64_t last_event;             /* cycle of the newest event in the trace */
    uint64_t last_atomic;            /* cycle of its newest atomic or load-linked */
    struct cc_trace_lane *lane;      /* its events for the trace, NULL: none yet */
    struct cc_sim_core_stats *stats; /* .cycles is the clock */
};

/* How far the holder's clock may go with what it is about to do. */
enum turn {
    TURN_RUN,    /* with what others do not see */
    TURN_SLACK,  /* with what changes nobody else's cache */
    TURN_GLOBAL, /* with what others see */
    TURN_ATOMIC, /* look-ahead only: with one of many atomics */
    TURNS
};

struct world {
    struct cc_sim_shared *shared;
    unsigned number;                /* of the program, on this chip */
    struct cc_sim_program *program; /* what is shared of it */
    uint64_t tag;                   /* added to its addresses */
    unsigned threads, most_threads; /* ever, at once */
    struct cc_sim *sim;
    const struct cc_isa *isa;
    bool big;             /* its memory and code are big-endian */
    pthread_mutex_t lock; /* guards what changes when the token moves */
    struct core core[CC_SIM_MAX_CORES];
    struct thread *thread[MAX_THREADS]; /* by vCPU */
    unsigned top;                       /* beyond the highest vCPU seen */
    struct thread *holder;
    struct thread *queue, *queue_end; /* WAITING */
    struct thread *waiters;           /* BLOCKED on a futex, oldest first */
    unsigned fd_waiters;              /* BLOCKED on a pipe */
    unsigned timers;                  /* threads that have one */
    uint64_t turn[TURNS];             /* the holder's clock may go up to this, */
    _Atomic uint64_t limit[TURNS];    /* and has to look there, or sooner */
    uint64_t slack;                   /* cycles of TURN_SLACK */
    bool owes;                        /* threads may run on and owe what they did */
    bool gates; /* code is translated with callbacks before accesses: there is more than one thread */
    uint32_t live;
    _Atomic bool off;    /* nothing is simulated any more: the program is ending, or this is a forked child */
    _Atomic bool ending; /* exit_group: other threads must not get through another system call */
    _Atomic uint32_t exclusive; /* calls under way that make QEMU stop all vCPUs (fork) */
    struct thread *cloner;      /* the thread whose new child is being set up */
    pthread_cond_t born;        /* it is, or another of the firmware's cores */
    unsigned cores_told;        /* of firmware: how many QEMU will start */
    unsigned running;           /* firmware: cores in the race when last looked at */
    bool system;                /* qemu-system: no system calls, cores that halt */
    pid_t pid;
};

extern struct world world;

void cores_begin(void); /* nobody runs there yet */

/* All with the lock held unless they say otherwise. */
struct thread *thread_new(unsigned vcpu, uint64_t ready);
void thread_wake(struct thread *t, uint64_t when); /* BLOCKED or OUTSIDE -> may run from `when` on */
/* Without the lock: the caller holds the token and is about to do something at `now`, beyond the limit. Gives
 * the token up, if that is beyond its turn, until it has it again. in_code: QEMU takes the thread for
 * running, so it may be relieved: then it is not the holder. */
void sched_yield_token(struct thread *t, uint64_t now, enum turn turn, bool in_code);
/* Without the lock, the same: pays what others owe up to `now`. False: it is another's turn to run. */
bool sched_catch_up(struct thread *t, uint64_t now, enum turn turn);
/* The thread stops running (state BLOCKED, OUTSIDE or GONE); the token goes on. */
void sched_leave(struct thread *t, enum thread_state state);
/* Chooses the next holder if there is none. */
void sched_next(void);
void sched_update_limit(void);
/* Without the lock: sleeps until the token comes. in_code: QEMU takes the thread for running. False:
 * relieved, or a signal came while `interruptible`. */
bool gate_wait(struct thread *t, bool in_code, bool interruptible);
/* With the lock: until a thread has started. False: none did for seconds. */
bool wait_born(void);
void gate_relieve(struct thread *t);
void gate_open_all(void);
/* Without the lock. Only one thread runs at a time: a switch on one host CPU is cheaper than a wake-up on
 * another. */
void host_cpu_keep(void);    /* this thread stays where the others are */
void host_cpu_release(void); /* before what runs unsimulated */
void host_cpu_move(int cpu); /* all of them */
uint64_t now_of(const struct thread *t);
uint64_t now_of_all(void); /* where the race has come to */

/* chip.c: several programs on one chip. The token is a program's until another one's core wants something
 * earlier; with one program it always is. All with the lock. */
bool chip_is_ours(uint64_t next); /* else it is told when we want something next, NEVER: not at all */
/* When another program wants something, and which; NEVER: none does. */
uint64_t chip_others(unsigned *ret_program);
void chip_pass(unsigned to, uint64_t next); /* CC_SIM_PROGRAMS: nobody wants it */
void chip_start(void);
void chip_leave(void); /* for good */

/* guest.c: the program's memory and what it has mapped. */
bool guest_read(uint64_t addr, void *data, size_t n);
bool guest_write(uint64_t addr, const void *data, size_t n);
/* Of up to eight bytes that are known to be there, as the host has them. */
static inline uint64_t guest_peek(uint64_t addr, unsigned size)
{
    uint64_t value = 0;
    memcpy(&value, (const void *)(uintptr_t)(addr + world.program->guest_base), size);
    return value;
}
/* n numbers of 4 or 8 bytes each, in the program's byte order. */
bool guest_read_numbers(uint64_t addr, void *data, size_t size, unsigned n);
bool guest_write_numbers(uint64_t addr, const void *data, size_t size, unsigned n);
void guest_note_host_maps(void); /* before the program is loaded */
void guest_note_program(void);   /* when it runs its first block */
void guest_note_mapping(uint64_t addr, uint64_t size, int fd, uint64_t offset);
void guest_note_stack_mapping(uint64_t addr, uint64_t size);
bool guest_is_program(uint64_t pc);                  /* the program's own file */
void guest_note_stack(uint64_t sp, unsigned thread); /* a new thread's */
void guest_note_first_stack(uint64_t addr);          /* the first thread stored here */

/* objects.c; the caller holds the token. */
bool object_mark_at(uint64_t pc);
void object_marked(struct thread *t, uint64_t record);
void object_mapped(struct thread *t, uint64_t addr, uint64_t size);
void object_unmapped(struct thread *t, uint64_t addr, uint64_t size);
void object_break(uint64_t addr);

/* heap.c; the caller holds the token. */
void heap_file(const char *path, uint64_t from, uint64_t offset); /* mapped there */
uint8_t heap_call_at(uint64_t pc);                                /* enum cc_alloc_kind, 0: none */
void heap_enter(struct thread *t, uint8_t kind); /* the first block of an allocator's function begins */
void heap_back(struct thread *t);                /* the block it returns to does */
void heap_changes(const struct thread *t, const struct deed *x);
void heap_begin(void);
void heap_thread(struct thread *t);                                         /* it starts, and runs this */
void heap_prove(const struct thread *t, const uint64_t args[6]);            /* of a system call */
bool heap_register(const struct thread *t, unsigned number, uint64_t *ret); /* of aarch64; false: not known */

/* context.c; the caller holds the token. */
uint32_t context_new_thread(unsigned number);
/* Follows calls and returns from the end of the thread's last block to the start of this one. */
void context_enter(struct thread *t, const struct block *b);
/* The thread's own, or for code of a library that nobody in the program has called (a runtime's worker that
 * waits for more): as if called from where the thread was last in the program. */
uint32_t context_in_library(const struct thread *t);
static inline uint32_t context_now(const struct thread *t)
{
    return t->in_program ? t->context : context_in_library(t);
}

/* account.c; with the lock. */
void account_upto(uint64_t now);
void account_wait(struct thread *t, enum wait_kind kind); /* before it leaves its core */
void account_waited(struct thread *t, uint64_t when);     /* before it gets one */
void account_tell_idle(struct thread *t);
void account_tell_begin(struct thread *t); /* without the lock: its first block */
void thread_time_born(struct thread *t, uint64_t now);
void thread_times_end(void);
void thread_time(struct thread *t, enum thread_state was, uint64_t now); /* it was that up to now */

/* syscalls.c */
void syscall_enter(struct thread *t, int64_t number, const uint64_t args[6]);
void syscall_return(struct thread *t, int64_t number, int64_t result);
void futex_wake_all(uint64_t addr, uint64_t when); /* with the lock */
void fd_wake_ready(uint64_t when);                 /* with the lock: those whose pipe can be used now */

/* watchdog.c */
bool others_want_to_run(void); /* does a thread of this process wait for a processor of the host? */
void watchdog_start(void);
bool helper_start(void *(*run)(void *), void *data); /* a thread that signals leave alone */

/* classify.c: what an instruction is, from its disassembly. */
struct insn_kind {
    uint8_t cost;   /* enum cc_sim_class */
    uint8_t access; /* enum cc_sim_kind; CC_SIM_LOAD: load or store as it turns out */
    bool compares;  /* exchanges only what is expected: can fail */
    bool calls;     /* into the machine below (hvc, smc) or to other cores (sev): may start one */
    bool zeroes;    /* clears a block of memory without a memory callback */
    bool memory;    /* may access any */
};
/* Without the disassembly; false if it is needed. */
bool classify_quick(const void *code, size_t size, enum cc_isa_id isa, struct insn_kind *ret);
bool classify_x86(const uint8_t *code, size_t size, struct insn_kind *ret); /* the same, classify_x86.c */
struct insn_kind classify(const char *disassembly, const void *code, size_t size, enum cc_isa_id isa);

/* sums.c: the first of these instructions, which follow each other, only adds to memory, at once, and nobody
 * looks at what comes out. */
struct code {
    const uint8_t *bytes;
    size_t size;
};
bool sums_alone(enum cc_isa_id isa, const struct code *v, size_t n);

void world_finish(void);
/* events.c. Of the core c; addresses are the program's own. */
void event_put(struct core *c, struct cc_trace_event *e);
void event_lane_next(struct core *c); /* hands over what is coded of the core */
/* The core's last event again, every so many cycles, up to n times; how many it was. */
uint64_t event_repeat(struct core *c, uint64_t n, uint64_t cycles);
/* The same in place, for what comes often and is coded. */
static inline __attribute__((always_inline)) void event_code(struct core *c, struct cc_trace_event *e)
{
    c->last_event = e->cycle;
    if (__builtin_expect(world.tag != 0, 0)) { /* not the first program's */
        e->pc += world.tag;
        e->addr += e->addr ? world.tag : 0;
    }
    while (!c->lane || !cc_trace_lane_add(c->lane, e))
        event_lane_next(c);
}

#endif
