/* What the command and the simulator's plugin share: one mapping, made by the command, that outlives the
 * simulated program however it ends. The plugin never holds a file open in the program's descriptor table. */
#ifndef CC_SIM_SHARED_H
#define CC_SIM_SHARED_H

#include "../trace/lane.h"
#include "pool.h"
#include "sim.h"

#include <stdatomic.h>

enum {
    CC_SIM_MAGIC = 0x43535331,
    CC_SIM_RING = 1 << 16,  /* events under way from the plugin to whoever listens */
    CC_SIM_SPARE_LANES = 8, /* of coded events, which are being written; one a core beside these */
    CC_SIM_LANES = CC_SIM_MAX_CORES + CC_SIM_SPARE_LANES,
    CC_SIM_MODULES = 256,
    CC_SIM_PATH = 512,
    CC_SIM_MARKS = 1024,    /* marks of objects in the program's code */
    CC_SIM_OBJECTS = 16384, /* ever */
    CC_SIM_BLOCKS = 1 << 18,
    CC_SIM_THREADS = 4096, /* whose times are told */
    CC_SIM_CONTEXTS = 1 << 16,
    CC_SIM_PROGRAMS = 16, /* on one chip */
};

enum cc_sim_events {
    CC_SIM_EVENTS_NONE,
    CC_SIM_EVENTS_MISSES, /* what left the core's caches, and waits */
    CC_SIM_EVENTS_DATA,   /* every data access, and instruction fetches that missed */
    CC_SIM_EVENTS_ALL,    /* every line fetched as well */
};

/* With several programs each is a process that simulates its own cores on the one model. What they share lies
 * at this address in all of them, with so much memory for the model behind it. */
#define CC_SIM_SHARED_AT 0x3000000000
#define CC_SIM_POOL_BYTES (UINT64_C(16) << 30)
enum { CC_SIM_POOL_ALIGN = 4096 };

struct cc_sim_module { /* part of a file the program has mapped */
    uint64_t from, to, offset;
    uint32_t program;
    char path[CC_SIM_PATH];
};

struct cc_sim_stack {
    uint64_t from, to;
    uint32_t thread, program;
};

struct cc_sim_object {               /* a marked object, a mapping, the heap */
    uint64_t from, to, since, until; /* addresses, cycles */
    char name[64], file[192];        /* as the mark says; may be empty */
    uint32_t line, program;
    bool marked;
};

struct cc_sim_block { /* of the heap */
    uint64_t from, to, since, until;
    uint64_t back;    /* the instruction after the call that asked for it */
    uint32_t context; /* of that */
    uint8_t kind;     /* enum cc_alloc_kind */
};

struct cc_sim_thread { /* cycles; running + waiting + ready = ended - born */
    uint64_t born, ended, running, waiting, ready;
    uint32_t program;
};

struct cc_sim_program {
    /* written by the command before the run */
    char path[CC_SIM_PATH];             /* its file, links resolved */
    uint64_t guest_base;                /* host address of its address 0 */
    uint64_t code_offset, code_address; /* of its executable segment: in the file, as linked */
    uint32_t marks;
    uint64_t mark[CC_SIM_MARKS]; /* addresses of object marks, as linked */
    uint32_t cores;
    uint16_t core[CC_SIM_MAX_CORES]; /* its threads may run there; they take them in this order */

    /* written by the plugin */
    uint32_t started, finished; /* it began; it ended by its own will */
    uint32_t executed;          /* it called exec: the rest was not simulated */

    /* of the token between programs (chip.c) */
    _Atomic uint64_t next; /* when one of its cores wants something next; UINT64_MAX: nobody does */
    _Atomic uint32_t turn; /* counted up when it gets the token, and woken as a futex */
};

struct cc_sim_shared {
    /* written by the command before the run */
    uint32_t magic, size;
    struct cc_sim_config config;
    bool ordered;    /* what others see happens in the order of time */
    uint64_t ahead;  /* cycles the running core may be ahead of the next one; ordered: with
                        what only it can see */
    uint64_t seed;   /* of what the program believes to be random */
    uint32_t events; /* enum cc_sim_events */
    bool coded;      /* they are for a trace alone: in lanes, else in the ring */
    uint32_t programs;
    struct cc_sim_program program[CC_SIM_PROGRAMS];

    /* written by the plugin; core[i].cycles is the core's clock, .idle the gaps in it */
    struct cc_sim_stats stats;
    struct cc_sim *sim;       /* several programs: the model, made by the first */
    _Atomic uint32_t holder;  /* the program whose turn it is, CC_SIM_PROGRAMS: nobody's */
    _Atomic uint64_t now;     /* the time that has come to */
    _Atomic int host_cpu;     /* all vCPU threads run there, -1: anywhere */
    _Atomic uint32_t longest; /* cycles of the longest block: no access is further behind its core's clock */
    uint32_t threads;         /* ever; the first of each program have the first numbers and contexts */
    uint32_t reliefs,
        unexpected; /* times QEMU had to be helped over an exclusive section; those not expected */
    uint64_t handovers;
    uint64_t start_skew; /* cycles threads came later than the first of their kind, together */
    uint32_t modules, stacks, objects, objects_lost, blocks;
    struct cc_sim_module module[CC_SIM_MODULES];
    struct cc_sim_stack stack[CC_SIM_MAX_STACKS];
    struct cc_sim_object object[CC_SIM_OBJECTS];
    struct cc_sim_block block[CC_SIM_BLOCKS];
    struct cc_sim_thread thread[CC_SIM_THREADS];
    uint32_t contexts;
    struct cc_trace_context context[CC_SIM_CONTEXTS]; /* from 1 on */
    uint64_t own_cycles[CC_SIM_CONTEXTS]; /* of the instructions executed there, without waiting */

    /* one producer (whoever holds the token), one consumer (the command); of the ring, or of full lanes */
    _Atomic uint64_t head __attribute__((aligned(64)));
    _Atomic uint64_t tail __attribute__((aligned(64)));
    struct cc_trace_event ring[CC_SIM_RING] __attribute__((aligned(64))); /* an event is a line */
    uint16_t full[CC_SIM_LANES];                                          /* in the order they came */
    uint16_t lane_of[CC_SIM_MAX_CORES]; /* 1 + the lane that a core's events go to; 0: it has had none */
    _Atomic bool lane_used[CC_SIM_LANES];
    struct cc_trace_lane lane[CC_SIM_LANES];
};

static inline void *cc_sim_pool(struct cc_sim_shared *s)
{
    return (char *)s + (sizeof *s + CC_SIM_POOL_ALIGN - 1) / CC_SIM_POOL_ALIGN * CC_SIM_POOL_ALIGN;
}

_Static_assert((int)CC_SIM_PROGRAM_BIT == (int)CC_TRACE_PROGRAM_BIT, "the model and the trace agree");

/* Addresses of a program as the model and the trace see them. */
static inline uint64_t cc_sim_tag(unsigned program)
{
    return (uint64_t)program << CC_SIM_PROGRAM_BIT;
}

#endif
