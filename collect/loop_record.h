/* What the collector leaves of loops and of what one iteration needs from another, and the file that tells it
 * where loops are. The figures are defined in src/analysis/loops/README.md. Part of record.h. */
#ifndef CC_COLLECT_LOOP_RECORD_H
#define CC_COLLECT_LOOP_RECORD_H

#include <stdint.h>

/* --- where loops are: written by src/run, read by the collector ---
 *
 * File: CC_LOOP_MAGIC (8 bytes); then for each file of code a struct cc_loop_file, its path, padded with 0 to
 * 8 bytes, its loops, blocks and events. Addresses are virtual ones of that file. A loop's outer one comes
 * before it. */

#define CC_LOOP_MAGIC "CCLOOP02"

struct cc_loop_file {
    uint32_t path_size, loops, blocks, events;
};

enum {
    CC_LOOP_IRREDUCIBLE = 1, /* it can be entered in several places */
    CC_LOOP_TICK_AT_HEADER = 2,
    CC_LOOP_INDIRECT = 4, /* an indirect jump was taken to go everywhere */
    /* who enters has begun the first iteration: the test is at its end, or there is none */
    CC_LOOP_BEGUN = 8,
    CC_LOOP_STRAIGHT = 16, /* one block without a call: its iterations all cost the same */
    /* of profiles, by the debug information: what its function returns is in no register of that kind */
    CC_LOOP_NO_INTEGER = 32,
    CC_LOOP_NO_FLOAT = 64,
    CC_LOOP_WHOLE = 128, /* all of an invocation with the most iterations was followed for dependences */
    CC_LOOP_COLUMN = 8,  /* of profiles: from this bit on, the column of the test in its line; 0: unknown */
    CC_LOOP_COLUMN_MOST = 0xffff,
    CC_LOOP_LATE = 1 << 24,   /* code that it ran was never followed for dependences */
    CC_LOOP_LEAF = 1 << 25,   /* one way in, no loop in it, no call: nothing else runs before it is left */
    CC_LOOP_THROWN = 1 << 26, /* some function that it called has left it: an exception, longjmp */
    CC_LOOP_TWICE = 1 << 27, /* of all loops: some file lies at two addresses, and memory is known by these */
    /* it was entered with other distances between what it accesses than where it was followed */
    CC_LOOP_STRANGE = 1 << 28,
};

struct cc_loop_static {
    uint32_t outer; /* index of the loop around it in the same function; CC_NONE: none */
    uint32_t flags;
    uint64_t header, tick; /* first instructions of blocks */
    uint64_t test;         /* the branch that decides whether it goes on */
    uint32_t line, pad;    /* of that in the source; 0: unknown */
};

/* Code of a loop and of no loop inside it. */
struct cc_loop_block {
    uint32_t loop, pad;
    uint64_t start, end;
};

/* At one address in this order: EXIT from the inside out, TICK, HEADER from the outside in. */
enum cc_loop_event_kind { CC_LOOP_EXIT, CC_LOOP_TICK, CC_LOOP_HEADER, CC_LOOP_EVENTS };

struct cc_loop_event { /* sorted by address */
    uint64_t address;
    uint32_t loop, kind;
};

/* The id of an iteration, or of an invocation as a whole, in the file of task events. */
#define CC_TASK_LOOPS (UINT64_C(1) << 40)
#define CC_TASK_LEAST 1000 /* instructions: shorter iterations are joined to one task */
#define CC_TASK_LOOP(loop, iteration) (CC_TASK_LOOPS + (uint64_t)(loop)*2 + (iteration))
/* The id of a call: this, and the address that it returns to, as executed. */
#define CC_TASK_CALLS (UINT64_C(1) << 61)

/* --- what became of them --- */

struct cc_rec_loop {
    uint32_t id, outer; /* outer: of the same function, a lower id; CC_NONE: none */
    uint32_t binary, function;
    uint32_t flags, pad; /* CC_LOOP_* */
    uint64_t header, tick, test;
    uint64_t invocations, iterations;
    uint64_t instructions;              /* with all that is called; a recursion counts once */
    uint64_t bytes_read, bytes_written; /* by its own code and that of loops inside it, calls left out */
    uint64_t trips_min, trips_max;
    uint64_t cost_min, cost_max, cost_deviation;      /* instructions of an iteration */
    uint64_t sampled_invocations, sampled_iterations; /* in which dependences were followed */
};

struct cc_rec_loop_node {           /* a loop inside a loop, through calls or not */
    uint32_t id, parent, loop, pad; /* parent: a lower id; CC_NONE: none */
    uint64_t invocations, iterations, instructions;
};

struct cc_rec_loop_block {
    uint32_t loop, pad;
    uint64_t start, end; /* virtual addresses in the loop's file */
};

enum cc_dependence_kind {
    CC_DEPENDENCE_RAW,
    CC_DEPENDENCE_WAR,
    CC_DEPENDENCE_WAW,
    CC_DEPENDENCE_EXPOSED,  /* reads from before the loop what the loop writes elsewhere */
    CC_DEPENDENCE_LIVE_OUT, /* an iteration that was not the last wrote what is read after the loop */
    CC_DEPENDENCE_SYSTEM,   /* a system call: `place` is its number */
    CC_DEPENDENCE_READS,    /* none: an instruction that reads in some loop, and one place that it read */
    CC_DEPENDENCE_WRITES,   /* the same of one that writes, for each loop around it */
    /* Two instructions at one place in the same iteration of this loop, and of all around it. A compiler puts
     * several iterations of the source into one: then these depend on each other. In the order of RAW, WAR,
     * WAW. */
    CC_DEPENDENCE_WITHIN_RAW,
    CC_DEPENDENCE_WITHIN_WAR,
    CC_DEPENDENCE_WITHIN_WAW,
    /* The first was in another loop of the same line, which ended just before this one was entered: a
     * compiler makes several loops of one, of which each runs some of the iterations, or all of them but not
     * all of the body. Distances are between their numbers, each counted from its loop's first on. */
    CC_DEPENDENCE_ACROSS_RAW,
    CC_DEPENDENCE_ACROSS_WAR,
    CC_DEPENDENCE_ACROSS_WAW,
    CC_DEPENDENCE_KINDS,
};

enum cc_dependence_space { CC_SPACE_MEMORY, CC_SPACE_REGISTER, CC_SPACES };

enum cc_dependence_area { CC_AREA_UNKNOWN, CC_AREA_STACK, CC_AREA_HEAP, CC_AREA_IMAGE, CC_AREAS };

enum {
    CC_DEPENDENCE_FOLDED = 1,  /* stands for more pairs of sites than are kept */
    CC_DEPENDENCE_FAR = 2,     /* some distance was more than is kept */
    CC_DEPENDENCE_CUT = 4,     /* an earlier iteration's value was left, and who reads it was not followed */
    CC_DEPENDENCE_STORED = 8,  /* a register that the second instruction only puts onto the stack */
    CC_DEPENDENCE_PARTLY = 16, /* the last iteration did not write again all that others wrote there */
    CC_DEPENDENCE_BEFORE = 32, /* WITHIN_WAR, ACROSS_WAR: what was read is from before the loop */
    CC_DEPENDENCE_FRAME = 64,  /* of profiles: it lies in the frame of another function than the loop's */
    /* of siblings: the first, or the second, is a call and all that it does, and not an instruction */
    CC_DEPENDENCE_FIRST_CALL = 128,
    CC_DEPENDENCE_SECOND_CALL = 256,
};

/* Siblings (CC_REC_SIBLING): the same for the calls that one activation of a function makes, and its own code
 * between them, in the place of iterations. `loop` is the function; first and second are the addresses that
 * calls return to, or instructions, as the flags say, and `callee` the instruction that accessed memory.
 * first 0: longer ago than is kept. CC_DEPENDENCE_READS: no dependence, the second call was followed as a
 * whole, after the first in the same activation. */

/* Addresses of code are as executed. A site in code that is charged to its caller is the call in the program,
 * and `callee` the function that was called. */
struct cc_rec_dependence {
    uint32_t loop, space, kind, flags;
    uint64_t first, second;               /* instructions */
    uint64_t first_callee, second_callee; /* 0: none */
    uint64_t place;                       /* one address it went through; offset in the guest state */
    uint64_t base;        /* heap: the call that allocated it; stack: the frame's CFA; else 0 */
    uint32_t area, owner; /* owner: the function whose frame it is in; heap: the allocation; CC_NONE */
    uint32_t size, pad;   /* of the access */
    uint32_t distance_min, distance_max; /* iterations; 0: not known */
    uint64_t count;
};

/* Where the calls return to that led to an allocation: from the inside out, 0 behind the last. In front of
 * the dependences that refer to it. */
enum { CC_ALLOCATION_CALLS = 8 };
struct cc_rec_allocation {
    uint32_t id, pad; /* ascending */
    uint64_t returns[CC_ALLOCATION_CALLS];
};

#endif
