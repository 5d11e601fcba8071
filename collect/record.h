/* What an engine leaves behind: a file of records, written whole at each snapshot. The only format that
 * engines and src/ share.
 *
 * File: CC_RECORD_MAGIC (8 bytes), then records. Record: struct cc_rec_head, then `size` bytes of payload:
 * one fixed struct below, with any strings after it (their lengths are in the struct). Byte order is the
 * host's. A snapshot is whole if and only if its last record is CC_REC_END and carries the number of records
 * before it. A record refers only to ids of earlier records. */
#ifndef CC_COLLECT_RECORD_H
#define CC_COLLECT_RECORD_H

#include "channel_record.h"
#include "locality_record.h"
#include "loop_code.h"
#include "loop_record.h"

#include <stdint.h>

#define CC_RECORD_MAGIC "CCREC004"
#define CC_NONE UINT32_MAX

enum cc_node_kind {
    CC_NODE_CONTEXT,
    CC_NODE_INPUT,   /* memory filled by a system call or a mapped file */
    CC_NODE_STATIC,  /* data of the binaries as loaded */
    CC_NODE_UNKNOWN, /* never written: fresh anonymous memory, the initial stack */
    CC_NODE_OUTPUT,  /* bytes that leave through write(2) and friends */
    CC_NODE_KINDS,
};
/* Ids from here on stand for what is no function (at function level) or no thread (at thread level). */
#define CC_SPECIAL 0xfffffff0u
#define CC_SPECIAL_ID(kind) (CC_SPECIAL + (uint32_t)(kind))

/* Views of the same streams: each node belongs to one group per level. At context level a group is the first
 * node of its calling context, at region level the nearest enclosing region, by name. */
enum cc_level { CC_LEVEL_CONTEXT, CC_LEVEL_FUNCTION, CC_LEVEL_THREAD, CC_LEVEL_REGION, CC_LEVELS };

/* Regions and tasks as marks nest them. */
enum cc_scope_kind { CC_SCOPE_OUTSIDE, CC_SCOPE_REGION, CC_SCOPE_TASK, CC_SCOPE_KINDS };

/* What can be wrong with marks. */
enum cc_problem {
    CC_PROBLEM_NOT_BEGUN, /* an end without its begin */
    CC_PROBLEM_CROSSES,   /* it ends while `other`, begun inside it, is still open */
    CC_PROBLEM_NOT_ENDED, /* open when its thread ended */
    CC_PROBLEM_DAMAGED,   /* a mark whose record in memory makes no sense */
    CC_PROBLEM_TOO_MANY,  /* more names than the collector keeps: this one counts as its surroundings */
    CC_PROBLEMS,
};

enum cc_rec_tag {
    CC_REC_RUN = 1,
    CC_REC_BINARY,
    CC_REC_FUNCTION,
    CC_REC_THREAD,
    CC_REC_CONTEXT,
    CC_REC_SOURCE,
    CC_REC_NODE,
    CC_REC_EDGE,
    CC_REC_CALL, /* one entry of the time line */
    CC_REC_REGION,
    CC_REC_SCOPE,
    CC_REC_SPAN, /* one time in a region */
    CC_REC_FRAME,
    CC_REC_FRAME_PART,
    CC_REC_FLOW,
    CC_REC_PROBLEM,
    CC_REC_SLICE,
    CC_REC_BLOCK,
    CC_REC_EXEC,
    CC_REC_CHANNEL,
    CC_REC_OBJECT,        /* a group of data objects, */
    CC_REC_OBJECT_SITE,   /* one entry of the call stack of its allocation site, */
    CC_REC_OBJECT_ACCESS, /* what a function did to it, */
    CC_REC_OBJECT_SLOT,   /* what a function did to a place in a function's stack frames */
    CC_REC_LOOP,
    CC_REC_LOOP_NODE,
    CC_REC_LOOP_BLOCK,
    CC_REC_DEPENDENCE,
    CC_REC_LOOP_CODE,
    CC_REC_LOCALITY,   /* what a function touched, */
    CC_REC_REUSE,      /* and how far apart */
    CC_REC_SIBLING,    /* what a call needs from another of the same activation: loop_record.h */
    CC_REC_ALLOCATION, /* where blocks of dependences come from: loop_record.h */
    CC_REC_END,
    /* no engine writes it: */
    CC_REC_LINE,
};

struct cc_rec_head {
    uint32_t tag, size;
};

enum {
    CC_RUN_FINAL = 1,         /* the program had ended; UnMA is known at every level */
    CC_RUN_APPROXIMATE = 2,   /* a bound of the collector was hit: `fresh` is a lower bound */
    CC_RUN_EXEC = 4,          /* taken just before the program replaced itself */
    CC_RUN_FRAMES = 8,        /* the program marked frames */
    CC_RUN_FRAMES_CUT = 16,   /* more than are kept: the last one stands for all that followed */
    CC_RUN_BLOCKS_CUT = 32,   /* more code than is kept: some of what ran is in no block */
    CC_RUN_TASKS = 64,        /* there is a file of task events */
    CC_RUN_PLAIN = 128,       /* without blocks, slices, and without telling the stack from other memory */
    CC_RUN_OBJECTS_CUT = 256, /* more allocation sites or names of objects than are kept */
    CC_RUN_LOOPS_EXACT = 512, /* dependences were followed all the time */
    CC_RUN_CODE_CUT = 1024,   /* more code of loops than is kept */
    CC_RUN_LINES_CUT = 2048,  /* the trace of lines ends before the run does */
    CC_RUN_REGISTERS = 4096,  /* the engine saw registers: heap blocks and frames are known */
    CC_RUN_FORKED = 8192,     /* it made processes, and they are not recorded */
};

struct cc_rec_run {
    uint32_t pid, flags;
    uint64_t instructions;
    uint64_t call_threshold; /* calls shorter than this are not on the time line */
    uint32_t machine;        /* ELF e_machine */
    uint32_t libs;           /* enum cc_libs */
    uint64_t slice_length;   /* instructions */
    uint32_t loops;          /* enum cc_loops */
    uint32_t lines_shift;    /* the trace of lines has one colour in 2^this (locality_record.h) */
};

struct cc_rec_binary {
    uint32_t id, is_program;
    uint64_t bias; /* run-time address minus the file's virtual address */
    uint32_t path_size, pad;
};

struct cc_rec_function {
    uint32_t id, binary; /* binary CC_NONE: none */
    uint64_t address;    /* virtual address in the file */
    uint32_t library, pad;
    uint64_t calls, inclusive; /* inclusive: time with at least one activation on a thread's stack */
};

struct cc_rec_thread {
    uint32_t id, tid;
    uint64_t start, instructions; /* start: instructions of all threads when it began */
};

struct cc_rec_context {
    uint32_t id, parent;       /* parent CC_NONE: a thread's root, */
    uint32_t function, thread; /* whose function is 0: code outside every function of the program */
    uint64_t calls, exclusive;
};

struct cc_rec_source {
    uint32_t id;
    uint32_t call_size, file_size, pad;
};

struct cc_rec_node {
    uint32_t id, kind, context, source; /* CC_NONE where it has none */
    uint32_t scope, pad;
    uint64_t reads, writes, bytes_read, bytes_written;
    uint64_t stack_reads, stack_writes, stack_bytes_read, stack_bytes_written; /* of those, on the stack */
    /* Instructions that access memory; those that touch the stack, and those that touch anything else: one
     * that does both counts in both. */
    uint64_t memory_instructions, stack_instructions, other_instructions;
};

struct cc_rec_edge {
    uint32_t level, producer, consumer, has_unma;
    uint64_t bytes, unma, reads, fresh;
};

struct cc_rec_call {
    uint32_t context, thread;
    uint64_t start, length;
};

struct cc_rec_region { /* 0: outside all */
    uint32_t id, name_size;
    uint64_t calls, exclusive, inclusive; /* inclusive: recursion counts once */
};

struct cc_rec_scope {                  /* 0: outside all */
    uint32_t id, parent, kind, region; /* parent CC_NONE: only of 0; else lower */
    uint32_t line, name_size, file_size, pad;
    uint64_t calls, exclusive;
};

struct cc_rec_span {
    uint32_t scope, thread, frame, pad;
    uint64_t start, length;
};

struct cc_rec_frame { /* 0: before the first mark */
    uint32_t id, pad;
    uint64_t start, length; /* instructions of all threads; start: the lengths before it */
};

struct cc_rec_frame_part {
    uint32_t frame, region;
    uint64_t instructions; /* without regions inside it; a frame's parts add up to its length */
};

struct cc_rec_flow { /* a stream's bytes, by the frames they were written and read in */
    uint32_t level, producer, consumer, producer_frame, consumer_frame, pad;
    uint64_t bytes;
};

struct cc_rec_problem {
    uint32_t kind, line, other_line, pad;
    uint32_t name_size, file_size, other_name_size, other_file_size;
    uint64_t count;
};

struct cc_rec_slice {
    uint32_t slice, function;
    uint64_t read, written, stack_read, stack_written; /* bytes */
};

struct cc_rec_block { /* a straight piece of code that was executed; its bytes follow, then its instructions
                       */
    uint32_t id, function, instructions, size;
    uint32_t mode, pad; /* 1: Thumb */
    uint64_t address;   /* as executed */
};

enum { CC_INSN_MAY_READ = 1, CC_INSN_MAY_WRITE = 2 }; /* not every execution does */

/* An instruction of a block, and the bytes each execution of it accesses, as the engine sees when it
 * translates it or when it is first executed. */
struct cc_rec_insn {
    uint16_t read, written; /* at most UINT16_MAX */
    uint16_t seen;          /* for the engine: who learns what it accesses, if it must be executed for that */
    uint8_t size, flags;    /* size: of its code */
};

struct cc_rec_exec {
    uint32_t block, function, scope, pad; /* function: whom it is charged to */
    uint64_t count;
};

struct cc_rec_line { /* what a line of source has in a block, for each execution; made when records are
                        imported */
    uint32_t block, file, line, instructions; /* file CC_NONE: code without a line */
    uint32_t read, written;                   /* bytes */
    uint32_t conditional;                     /* of both, those that not every execution accesses */
    uint32_t binary;                          /* of code without a line; CC_NONE: unknown, or it has a line */
};

enum cc_object_kind {
    CC_OBJECT_OTHER,  /* bytes that nobody knows */
    CC_OBJECT_HEAP,   /* of the allocator: its own accesses, and what is in no known block */
    CC_OBJECT_BLOCK,  /* heap blocks of one site */
    CC_OBJECT_MAPPED, /* anonymous memory mapped at one site */
    CC_OBJECT_GLOBAL, /* a symbol */
    CC_OBJECT_IMAGE,  /* what no symbol covers of a loaded ELF file */
    CC_OBJECT_FILE,   /* another mapped file */
    CC_OBJECT_NAMED,  /* objects of one name, given by marks */
    CC_OBJECT_STACK,  /* of a thread, where stack frames are not known */
    CC_OBJECT_ALIAS,  /* a symbol for bytes that another one has: of no use */
    CC_OBJECT_KINDS,
};

enum { CC_OBJECT_ALLOCS = 12 }; /* ways to allocate: enum cc_alloc_kind of data.h */

struct cc_rec_object {
    uint32_t id, kind;
    uint32_t alloc;  /* enum cc_alloc_kind of a site */
    uint32_t binary; /* ELF file of a symbol; CC_NONE */
    uint32_t thread; /* of a stack; CC_NONE */
    uint32_t name_size;
    uint64_t address, size;                   /* of a symbol, in its file */
    uint64_t count, freed, total, live, peak; /* blocks; bytes */
};

struct cc_rec_object_site {
    uint32_t object, level;    /* innermost 0 */
    uint32_t function, binary; /* binary CC_NONE: unknown */
    uint64_t address;          /* where the call returns to, in the file */
};

/* function: an id, or CC_SPECIAL_ID(CC_NODE_INPUT or _OUTPUT) for system calls. Times: instructions of the
 * thread, plus those of all threads when it began. */
struct cc_rec_object_access {
    uint32_t function, object, has_unma, pad;
    uint64_t reads, writes, bytes_read, bytes_written, first, last;
    uint64_t unma, unma_read, unma_written; /* distinct addresses: of both, and of each */
};

struct cc_rec_object_slot {
    uint32_t function, owner; /* who accesses; whose stack frame */
    uint32_t size, pad;       /* of each access; 0: of all sizes, anywhere in [distance, distance + 4096) */
    uint64_t distance;        /* from the stack frame's top (DWARF's CFA) down to the first byte */
    uint64_t reads, writes, bytes_read, bytes_written, first, last;
};

struct cc_rec_end {
    uint64_t records;
};

#endif
