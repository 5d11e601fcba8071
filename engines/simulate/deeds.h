/* What the program's code does, as the model is told of it: at once where the core's turn allows, later where
 * only its time can matter (deeds.c). */
#ifndef CC_ENGINES_SIMULATE_DEEDS_H
#define CC_ENGINES_SIMULATE_DEEDS_H

#include "../qemu/decode.h"
#include "race.h"

struct block;

struct insn {
    uint64_t pc;
    uint32_t after;   /* cycles of the block that come after this instruction */
    uint8_t access;   /* enum cc_sim_kind */
    bool compares;    /* can fail */
    bool adds;        /* only, at once, and nobody looks at what comes out */
    uint8_t base;     /* of an atomic: 1 + the register that has its address since the block began */
    uint8_t result;   /* it adds, and leaves this register (1 + its number), */
    uint8_t also;     /* and this one, which those who come then may not look at, */
    bool returns;     /* from its caller on, not from what follows */
    bool pair;        /* load-linked and store-conditional that only add */
    uint8_t foretold; /* so many more executions are taken to meet a contended line, */
    uint8_t talks;    /* or one that threads talk by, */
    uint16_t spare;   /* and whose thread may owe so many cycles then */
    struct cc_block_op op;
    struct block *retry; /* of the store of a pair: what is executed when it fails */
};

struct block {
    uint64_t pc, last; /* addresses of the first and the last byte */
    uint32_t n, cycles;
    uint64_t site; /* of a call at its end */
    uint8_t flow;  /* enum cc_flow of its end */
    uint8_t call;  /* enum cc_alloc_kind: an allocator's function begins here */
    bool program;  /* the program's own code */
    bool plain;    /* integers, branches and memory only */
    struct insn insn[];
};

enum deed_kind {
    DEED_BLOCK = CC_SIM_KINDS, /* below: accesses, enum cc_sim_kind */
    DEED_FENCE,
    DEED_BEGINS, /* a block of the heap */
    DEED_ENDS,
};

struct deed {
    void *what; /* struct block, struct insn; of the heap: where the allocator returned to */
    uint64_t addr, size;
    uint32_t context; /* 0: the thread's, now */
    uint8_t kind;
    uint8_t outcome; /* CC_TRACE_VAIN, CC_TRACE_FAILED; of the heap: enum cc_alloc_kind */
    bool io;
    bool adds;             /* in whichever order */
    bool judged, foretold; /* what follows is known; so is whether it is contended */
    bool alone;            /* no other thread has a part in what it touches: only its time matters; */
    uint16_t spare;        /* as long as the thread owes no more cycles than this (SPARE_ANY: any) */
    bool looks;            /* of a lap that is done for its thread: the word it waits for */
};
enum { DEEDS = 1024, MAX_PUT_OFF = 256, FORETELL = 8, SPARE_ANY = UINT16_MAX };

/* By the thread itself, with the token or relieved of it. */
void deed_do(struct thread *t, struct deed *x);
/* The thread has the token again: what it did while relieved. */
void deeds_resume(struct thread *t);
/* All it owes is done and it has the token; false: relieved, or the program is ending. in_code: see
 * sched_yield_token. */
bool deeds_settle(struct thread *t, bool in_code);
/* Until the thread owes nothing and has its turn for what is foretold of the instruction. */
void deeds_await(struct thread *t, struct insn *i);
/* With the lock, for the thread world.holder: as far as its core's turn allows. */
void deeds_pay(struct thread *t);
bool deeds_private(const struct thread *t); /* is all it owes served by its own caches? */
uint64_t deeds_lag(const struct thread *t); /* of the first, or of what comes then */
void deed_owe(struct thread *t, struct deed *x);

/* places.c: before an atomic executes. */
/* Of aarch64: n words of the block's code, up to three beyond the atomic. */
void place_insn(struct block *b, size_t at, const uint32_t *words, size_t n);
void place_pairs(struct block *b); /* the block is whole */
/* What is foretold of the instruction is that of the place it will use now; false: not known. */
bool place_foretell(struct thread *t, struct insn *i);
bool place_adds(const struct thread *t, const struct insn *i); /* without the token */
void places_forget(void);                                      /* code was mapped, or is gone */

/* laps.c: of a thread that has looked at one word LOOKS_IN_A_ROW times in a row. */
enum { LOOKS_IN_A_ROW = 8 };
void lap_note(struct thread *t, const struct deed *x);
void lap_end(struct thread *t);                               /* it does something else */
bool lap_waits(const struct thread *t, const struct insn *i); /* is this where its lap looks? */
/* With the lock, of a thread that owes nothing: it now owes another lap; false: it has to run itself. */
bool lap_again(struct thread *t);
/* With the lock: it has just done one, alone in its caches, and does more of them that end before `until`. */
void lap_repeat(struct thread *t, const struct cc_sim_core_stats *before, uint64_t until);
/* Up to when it will not do anything else, 0: not known. */
uint64_t lap_until(const struct thread *t);

/* lines.c; the caller holds the token. How many cycles the thread may owe when it uses this: none if another
 * has a part in it; UINT64_MAX: any number. What is said is kept for the future too. */
uint64_t lines_spare(const struct thread *t, const struct deed *x);
uint64_t lines_would_spare(const struct thread *t, const struct deed *x); /* and is not; of one line */
void lines_owe(const struct deed *x, bool more); /* one that adds: it is owed, or has been paid */

#endif
