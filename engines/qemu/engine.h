/* The QEMU engine's own: its state, and what its files offer each other.
 *
 * Guest threads run at once, each in its own cc_thread; what the collector shares between them it takes under
 * a lock. QEMU tells neither of call nor of return, so each block remembers how its last instruction leaves,
 * and the start of the thread's next block tells where it went. */
#ifndef CC_ENGINES_QEMU_ENGINE_H
#define CC_ENGINES_QEMU_ENGINE_H

#include "plugin.h"
#include "decode.h"
#include "registers.h"
#include "../../collect/boat.h"
#include "../../collect/collect.h"
#include "../../collect/quick.h"
#include "../../collect/locality.h"
#include "../../collect/loop.h"
#include "../../collect/data.h"
#include "../../collect/depend.h"
#include "../../collect/sibling.h"
#include "../../collect/transfer.h"

#include <pthread.h>
#include <sys/types.h>
#include <time.h>

enum { MAX_VCPUS = 8192, MAX_HANDLERS = 128, MAX_INSNS = 512 };
/* cc_rec_insn.seen: 0, 1 + the vCPU that executes the instruction for the first time, or this. */
enum { CC_INSN_LEARNED = UINT16_MAX };

struct block {                                 /* one line of the cache */
    _Alignas(CC_LINE) uint64_t address, after; /* after: what follows it, where a call returns to */
    struct cc_place place;
    uint32_t instructions;
    uint32_t id; /* of its code, up to the first mark in it */
    struct cc_block_slot slot;
    uint32_t stays;             /* what that of the vCPU is after it */
    bool called;                /* has been the target of a call */
    bool moved;                 /* nobody's, but a part of a function: see cc_code_is_moved */
    bool outside : 1, stub : 1; /* for dependences: charged to its caller; on the way to a function */
    bool asks : 1;              /* what is called when it begins may ask for registers */
    uint64_t call;              /* address of its last instruction that may call */
    enum cc_flow flow;
    enum cc_alloc_kind allocator; /* a function of an allocator begins here */
};

struct instruction;

/* What is known of a load or store, while the program has one thread. */
struct cc_record {
    struct instruction *x; /* that it is of */
    uint8_t class;         /* of two side by side that are taken as one: of both together */
    bool twice;            /* it is two */
    bool update;           /* the instruction loads from and then stores to the same place */
    bool known;            /* what the instruction accesses is learned */
};

typedef void cc_qemu_lane(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct instruction *x);

struct instruction { /* of the program's code; one line of the cache */
    /* who takes its loads and its stores: all accesses that are `like` its first are taken in a hurry */
    _Alignas(CC_LINE) cc_qemu_lane *lane[2];
    union {
        qemu_plugin_meminfo_t like[2];
        struct {         /* where lines are told: there all accesses are taken at leisure */
            uint32_t at; /* in its block */
            enum cc_atomic atomic;
        };
    };
    struct cc_rec_insn *what; /* it accesses */
    /* records of its first two accesses, which are of one size; NULL: none yet */
    union {
        struct cc_record *loads[2];
        struct cc_record *both_stores; /* of one that stores a pair: it loads nothing */
    };
    union {
        struct cc_record *stores[2];
        struct cc_record *both_loads;
    };
};

/* A mark in a block. */
struct loop_point { /* an address that means something for loops */
    const struct cc_loop_point *point;
    uint32_t left; /* instructions of the block from there on */
};

struct block_access { /* by an instruction that accesses memory without QEMU's telling */
    struct instruction *what;
    struct cc_block_op op; /* .to alone for one that zeroes */
};

struct part_access { /* by an instruction that reads less than QEMU loads */
    struct instruction *what;
    uint8_t bytes;
};

struct depend_access { /* of an instruction, where dependences are followed */
    struct instruction *what;
    struct cc_depend_site site;
    bool exclusive; /* a store-exclusive */
    uint8_t rw;     /* of its accesses, what is followed: loads 1, stores 2 */
    uint8_t part;   /* bytes it reads, as cc_part_read says */
};

struct mark {
    struct cc_mark_site *site;
    uint32_t left;              /* instructions of the block from the mark on */
    uint32_t id;                /* of the code from the mark on, up to the next */
    const struct block *block;  /* it is in */
    struct instruction *access; /* as cc_qemu_on_access gets it */
};

struct vcpu {
    _Alignas(CC_LINE) struct cc_thread *thread;
    const struct block *last; /* block run before, to tell how control came here */
    uint64_t count;
    uint64_t wake; /* count at which something is due */
    /* the function of which a block, if it comes next, means neither call nor return nor anything else;
     * CC_NONE: none. While the program has one thread. */
    uint32_t stays;
    uint64_t stored;         /* end of the last store, for block-zero instructions */
    const void *instruction; /* that accessed memory last, */
    uint64_t at;             /* the count then, */
    unsigned accesses;       /* and how often */
    uint64_t first;          /* where its first access was */
    const void *waits;       /* instruction of two accesses, of which the first is told of with the second */
    unsigned looks;          /* for the stack, still to do */
    struct cc_call call;     /* that it is in */
    uint64_t attached;       /* bytes of the shared memory that it gives back */
    uint64_t sp;             /* where dependences are followed: when the block began; 0: not known */
    struct cc_registers registers;
    uint64_t alloc_ret; /* where the allocator that is running returns to; 0: none is */
};

/* Whether the instruction has accessed memory before, this time. */
static inline bool cc_qemu_accessed(const struct vcpu *v, const void *x)
{
    return v->instruction == x && v->at == v->count;
}

/* When lines are told, the time of an instruction: the count is that of the block's end. */
static inline uint64_t cc_qemu_line_time(const struct vcpu *v, const struct instruction *x)
{
    return v->last ? v->count - v->last->instructions + x->at : v->count;
}

/* Of the run. QEMU passes no pointer to all of its callbacks. */
struct engine {
    struct cc_collect *collect;
    pthread_mutex_t lock;
    bool threaded;         /* more than one guest thread has ever run */
    bool depends;          /* dependences are asked for */
    bool quick;            /* those accesses whose shadow is found by adding are in a hurry */
    uint64_t reach;        /* addresses up to here are in a hurry; 0 with threads */
    bool follows;          /* registers are known, so that dependences are followed */
    pthread_mutex_t order; /* taken for a turn */
    unsigned alive;
    unsigned coming; /* threads that are being made, and have not begun */
    struct cc_register_map registers;
    unsigned registers_size;     /* bytes of one */
    unsigned size_at;            /* cc_plugin_size_at */
    struct cc_options options;   /* as the run file has them */
    const char *out;             /* the options' own, or that of a forked child */
    bool silent, forked, loaded; /* silent: a child that is not followed; forked: has such children */
    uint64_t brk;                /* where the heap ends; 0: not asked for yet */
    bool no_files;               /* the program's limit on the size of files is ours too */
    bool has_tasks;              /* their file is there */
    struct cc_boat boats[2];     /* where snapshots go once the program restricts itself */
    const struct cc_isa *isa;
    uint64_t base; /* guest address 0 in this process */
    uint64_t zero_block;
    pid_t pid;
    unsigned turn;      /* of the next snapshot */
    uint64_t next_look; /* count at which the clock is looked at */
    time_t next_snapshot;
    struct handler { /* of signals */
        uint64_t address;
        bool wants_all; /* SA_SIGINFO, the last time */
    } handlers[MAX_HANDLERS];
    unsigned nhandlers;
    unsigned kills;                    /* signals it sent */
    struct instruction **instructions; /* by block, kept when QEMU throws code away */
    size_t instructions_cap;
    struct vcpu vcpus[MAX_VCPUS];
};
/* hidden: so that it is reached without the table of the shared object */
extern struct engine engine __attribute__((visibility("hidden")));

/* main.c */
void cc_qemu_share(
    void); /* there will be two threads: before the second begins, while the first stands still */
bool cc_qemu_alone(void); /* one thread runs, and no other is about to */
void cc_qemu_came(void);  /* one that was coming has begun, or does not come */

/* Where dependences are followed guest threads take turns, a callback each: what is followed is one state of
 * all threads. Whether there was something to be taken; lock order: a turn before engine.lock. */
bool cc_qemu_turn(void);
void cc_qemu_turn_over(bool taken);

/* host.c */
extern struct cc_host cc_qemu_host;
/* The shadow of the guest's addresses below the limit lies in one piece, so that a cell is found by adding:
 * words at 64 TiB, bytes of split words at 80, outside what QEMU gives to programs. */
#define CC_PIECE_WORDS 0x400000000000ul
#define CC_PIECE_BYTES 0x500000000000ul
#define CC_PIECE_LIMIT (1ul << 40)
void cc_qemu_map_shadow(void); /* before the collector begins; where it fails there is no such piece */
void cc_qemu_board(void);      /* from now on snapshots need no file to be opened */
void cc_qemu_snapshot(uint32_t flags); /* CC_RUN_* */

/* maps.c */
/* Where the program is, and its initial data: an address of its code, and where that is in this process. */
void cc_qemu_look_for_program(uint64_t address, const void *here);
void cc_qemu_look_for_code(uint64_t address);
uint64_t cc_qemu_mapped_at(uint64_t address);            /* bytes of the mapping that begins there; 0: none */
void cc_qemu_look_for_stack(struct vcpu *v, uint64_t a); /* the thread accesses a */
bool cc_qemu_is_elf(const char *path);

/* events.c, access.c: what translated code calls */
void cc_qemu_on_block(unsigned vcpu, void *block);
/* In code that is thrown away before there are two threads. */
void cc_qemu_on_block_alone(unsigned vcpu, void *block);
void cc_qemu_on_block_within(unsigned vcpu, void *block);
void cc_qemu_on_mark(unsigned vcpu, void *mark);
void cc_qemu_on_loop(unsigned vcpu, void *point); /* a struct loop_point */
/* Of accesses the data is a struct instruction. */
void cc_qemu_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *instruction);
void cc_qemu_access_any(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct instruction *x);
void cc_qemu_on_store_exclusive(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *instruction);
/* The data is a struct part_access. */
void cc_qemu_on_part(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *part);
/* What is left of an access of an instruction that reads so many bytes; false: nothing is. */
bool cc_qemu_part_of(const struct vcpu *v, const struct instruction *x, unsigned bytes, uint64_t a,
                     qemu_plugin_meminfo_t *info);
/* Asks for its accesses where they are known from its code. False: nothing was done. */
bool cc_qemu_add_known(struct qemu_plugin_insn *insn, struct instruction *x, struct cc_access what);
void cc_qemu_on_mark_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *mark);
void cc_qemu_on_block_zero(unsigned vcpu, void *block_access);
void cc_qemu_on_block_op(unsigned vcpu, void *block_access);
void cc_qemu_kernel_from_code(unsigned vcpu, void *block_access);
struct handler *cc_qemu_handler(uint64_t address); /* NULL: it is none */

/* The same, with QEMU's state of the CPU: for runs that want registers. */
void cc_qemu_entry_from_code(unsigned vcpu, void *block); /* where nothing but signal handlers needs them */
void cc_qemu_block_from_code(unsigned vcpu, void *block);
void cc_qemu_block_alone_from_code(unsigned vcpu, void *block); /* as cc_qemu_on_block_alone */
void cc_qemu_block_known(unsigned vcpu, void *block);           /* that state is in vcpu.registers */

/* depend.c: the same where dependences are followed */
void cc_qemu_depend_begin(void);
void cc_qemu_depend_block(unsigned vcpu, void *block);
void cc_qemu_depend_loop(unsigned vcpu, void *point);
void cc_qemu_depend_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *depend_access);
void cc_qemu_depend_range(struct vcpu *v, uint64_t a, uint64_t size, bool write, uint64_t address);
void cc_qemu_depend_syscall(struct vcpu *v, uint64_t number);

/* allocators.c */
uint64_t cc_qemu_sp(const struct vcpu *v, bool entry); /* entry: as it was before the call. 0: not known */
void cc_qemu_allocated(struct vcpu *v);                /* back where it was called from */
void cc_qemu_allocates(struct vcpu *v, const struct block *b); /* at its first instruction */

/* translate.c */
void cc_qemu_on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb);

/* syscalls.c */
void cc_qemu_track_syscalls(qemu_plugin_id_t id);

#endif
