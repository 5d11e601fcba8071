/* What one iteration of a loop needs from another, followed as the program runs.
 *
 * Time is a stamp that goes up at each entry of a loop and at each new iteration. For each piece of memory a
 * cell holds the stamp and site of its last write, and of the reads since then that still matter; for each
 * piece of a register, of its last write. An access at present that meets stamp s is carried by the one loop
 * of the thread's stack that has begun at s or before, and whose present iteration has begun after s.
 *
 * It knows nothing of how loops are found (loop.h) or of who runs the program: it is told of entries,
 * iterations and exits, of accesses, calls and returns. README.md says what is left out on purpose. */
#ifndef CC_COLLECT_DEPEND_H
#define CC_COLLECT_DEPEND_H

#include "host.h"
#include "loop_record.h"

#include <stdbool.h>

struct cc_depend;

/* An instruction. In code that is charged to its caller the site is the call that led there. */
struct cc_depend_site {
    uint64_t address;
    uint32_t id;   /* 0: not yet known */
    uint32_t call; /* the same where calls are followed (cc_depend_options) */
    bool outside;
};

enum { CC_DEPEND_RING = 16, CC_DEPEND_GRANULES = 128, CC_DEPEND_KEPT = 24 };

struct cc_depend_loop { /* a loop that is under way */
    uint32_t loop;
    uint32_t same;                  /* 1 + the level around it where the same loop is under way; 0: none */
    uint32_t path;                  /* of the loops around it and itself: which they are, */
    uint32_t chain;                 /* and the same in their order */
    uint32_t invocation, iteration; /* stamps at which they began */
    uint32_t calm;                  /* see cc_depend_thread.calm: outside it */
    uint64_t number;                /* of the iteration, from 0 */
    uint64_t sp;                    /* when the iteration began */
    uint64_t low;                   /* the least of those of the loops around it and its own; 0: not known */
    uint64_t dead;                  /* see cc_depend_thread.dead: as it was when a loop inside was entered, */
    size_t dead_call;               /* and that call's number */
    uint64_t began;                 /* the thread's count of instructions then, */
    uint64_t entered;               /* and when it was entered */
    uint32_t whole;                /* the stamp from which on iterations were followed from their beginning */
    uint32_t followed;             /* iterations in a row, up to the present one */
    bool known;                    /* enough of it was followed before it was entered */
    bool entire;                   /* all of the invocation was followed so far */
    bool strange;                  /* it was entered with a sign of its own, so all of it is to be followed */
    uint64_t statement;            /* the same for loops that may be one of the source; 0: not known */
    uint32_t before, before_end;   /* stamps between which such a loop ran; 0: none */
    bool before_plain;             /* each of its iterations had one stamp */
    uint32_t ring[CC_DEPEND_RING]; /* stamps of the last iterations, by number */
    uint64_t tag;                  /* where calls are followed: the call that is under way; 0: none */
    bool calls;                    /* its function makes some, so nothing of it lies in a red zone */
};

/* Where calls are followed: what an activation did lately, by number; longer than the ring of loops, for a
 * call that became a jump makes one activation of many. */
enum { CC_DEPEND_SEGMENTS = 1024 };
struct cc_depend_again { /* what was found last between two of them, */
    uint64_t first, second;
    uint32_t loop, row; /* and its number; 0: nothing yet */
};
enum { CC_DEPEND_AGAIN = 3 }; /* of reads behind writes, and so on */
struct cc_depend_segments {
    uint32_t cap; /* a power of two */
    uint32_t *stamps;
    uint64_t *tags; /* the call; 0: code between calls */
    struct cc_depend_again again[CC_DEPEND_AGAIN];
};

struct cc_depend_left { /* a loop that is over, and nothing but plain code has run since */
    uint64_t statement; /* 0: none */
    uint32_t loop;
    uint32_t began, end, around; /* stamps: also of the iteration around it */
    bool plain;
};

struct cc_depend_register { /* one piece of the guest's registers */
    uint32_t stamp;         /* of its last write; 0: before everything */
    uint16_t site;
    bool inherited; /* it is kept for the caller, and not yet written in this call */
    bool apart; /* of the first piece of a register: the others are not the same (cc_depend_machine.parts) */
};

struct cc_depend_outside { /* a call into code that is charged to its caller */
    uint64_t call, callee; /* callee 0: not yet there */
    uint32_t id;           /* of the site; 0: not yet known */
};

struct cc_depend_theirs { /* registers that such a call wrote last, and that at the present stamp */
    uint32_t stamp;       /* 0: none */
    uint16_t site;
    uint64_t all[CC_DEPEND_GRANULES / 64]; /* a bit each */
};

struct cc_depend_call { /* that has not returned yet */
    uint64_t sp, ret;
    struct cc_depend_outside outside;
    struct cc_depend_register kept[CC_DEPEND_KEPT];
};

struct cc_depend_sign { /* entries of one sign are alike (apart.h) */
    uint64_t v;         /* 0: not known */
    uint64_t cost;      /* instructions of an invocation, about */
};

struct cc_depend_thread {
    struct cc_depend *owner;
    struct cc_depend_loop *loops; /* outermost first */
    size_t nloops, loops_cap;
    uint32_t *bounds; /* of each, when its invocation and its iteration began: they ascend */
    size_t bounds_cap;
    uint32_t *under; /* by loop: 1 + the innermost level at which it is under way; 0: it is not */
    size_t under_cap;
    uint64_t *way, *ways; /* a bit for each loop that is; for each word of these in which one is */
    size_t way_cap, ways_cap;
    uint64_t *fresh; /* as way: what is looked for (depend_inside.c) */
    size_t fresh_cap;
    size_t nbegun;     /* those below this level may have begun before it was switched on; */
    uint32_t wholes;   /* another whenever that, or which of them began an iteration, changes */
    size_t ncontinued; /* loops that go on with the iterations of another */
    struct cc_depend_segments *segments; /* by level */
    size_t segments_cap;
    uint64_t stack_start, stack_end;
    /* what lies below this on the stack is of functions that were called in the present iteration of the
     * innermost loop, and have not returned yet: it is gone when that is over; 0: nothing */
    uint64_t dead;
    uint32_t calm;              /* what happened from this stamp on no loop carries to now */
    uint64_t seen;              /* its count of instructions, as far as it is accounted for */
    struct cc_depend_sign sign; /* of the loop that is entered next */
    bool allocating;
    struct cc_depend_left left;
    struct cc_depend_outside outside;
    struct cc_depend_theirs theirs;
    struct cc_depend_register registers[CC_DEPEND_GRANULES];
    struct cc_depend_register stored[CC_DEPEND_GRANULES]; /* as the present piece of code found them */
    struct cc_depend_call *calls;
    size_t ncalls, calls_cap;
    struct cc_depend_register *saved; /* whole sets, of places that signals interrupted */
    size_t nsaved, saved_cap;
    struct cc_depend_thread *next;
};

/* The program's registers in pieces, as the engine counts them. */
struct cc_depend_machine {
    uint32_t red_zone; /* bytes below the stack pointer that are alive */
    uint32_t nkept;    /* granules that a function leaves as it found them */
    uint8_t kept[CC_DEPEND_KEPT];
    uint16_t offset[CC_DEPEND_GRANULES]; /* in the guest state */
    /* of the first piece of a register that is most often used as a whole: how many it is; else 0 */
    uint8_t parts[CC_DEPEND_GRANULES];
    uint16_t stack_at, frame_at; /* the same of the stack pointer, and of what may point to the frame */
};

struct cc_depend_options {
    struct cc_depend_machine machine;
    bool exact;      /* always on */
    uint64_t whole;  /* instructions at the start of the run of which all are followed */
    uint64_t always; /* instructions that may be followed anyhow; 0: 20 million */
    /* Activations of functions instead of loops, and in the place of iterations the calls that each makes and
     * the code between them: who needs whom (sibling.c). Only of memory, and only what goes from one to
     * another. */
    bool calls;
};

struct cc_depend *cc_depend_new(const struct cc_host *host, const struct cc_depend_options *o);
struct cc_depend_thread *cc_depend_thread_new(struct cc_depend *d, uint64_t now);
void cc_depend_thread_end(struct cc_depend_thread *x, uint64_t now);
void cc_depend_stack(struct cc_depend_thread *x, uint64_t start, uint64_t end);
/* Whether accesses, calls and returns are to be told of at all: looked at after each event of a loop. */
bool cc_depend_on(const struct cc_depend *d);

/* It is off, and nobody need tell of iterations of the innermost loop. */
bool cc_depend_idle(const struct cc_depend_thread *x);
/* Whether signs of its entries are of use, and entries that could not be followed had one of their own. */
bool cc_depend_wants_sign(struct cc_depend *d, uint32_t loop);
bool cc_depend_is_strange(const struct cc_depend *d, uint32_t loop);
/* Where calls are followed: nothing that is found of this function holds. */
void cc_depend_unsure(struct cc_depend *d, uint32_t function);
const struct cc_depend_machine *cc_depend_machine_of(const struct cc_depend *d);
/* Off for good. */
void cc_depend_off(struct cc_depend *d);
/* Off until that is taken back: nobody can tell what is accessed. */
void cc_depend_wait(struct cc_depend *d, bool yes);

/* --- loops; `now` is the thread's count of instructions, `level` an index into its stack of loops --- */

void cc_depend_enter(struct cc_depend_thread *x, uint32_t loop, uint64_t sp, uint64_t now,
                     uint64_t statement);
void cc_depend_iterate(struct cc_depend_thread *x, size_t level, uint64_t sp, uint64_t now);
void cc_depend_leave(struct cc_depend_thread *x, size_t level, uint64_t now); /* and all inside it */
/* While nothing is followed, and the thread is the only one. The innermost loop, of so many, may be somebody
 * else's as long as nothing else runs; it becomes one that is known here again; a loop that was followed
 * before is entered, with that sign, and stays that somebody's: if there is something to be told, nothing is
 * done. */
bool cc_depend_lend(struct cc_depend_thread *x, size_t loops);
void cc_depend_borrow(struct cc_depend_thread *x, uint32_t loop, uint64_t now);
bool cc_depend_enter_known(struct cc_depend_thread *x, uint32_t loop, uint64_t sign);
/* How many invocations of it, with the present one, need not be told of: they count as if they had been; not
 * so many of them, after all. 0: none. */
uint64_t cc_depend_quiet(struct cc_depend_thread *x, uint32_t loop);
void cc_depend_not_entered(struct cc_depend *d, uint32_t loop, uint64_t times);
bool cc_depend_is_power(struct cc_depend *d, uint32_t loop); /* the number of the next */
/* Where calls are followed: the activation calls that address, or (0) is back in its own code. */
void cc_depend_segment(struct cc_depend_thread *x, size_t level, uint64_t tag, uint64_t sp, uint64_t now);

/* --- what code does, while it is on --- */

void cc_depend_read(struct cc_depend_thread *x, uint64_t a, uint32_t size, struct cc_depend_site *site);
void cc_depend_write(struct cc_depend_thread *x, uint64_t a, uint32_t size, struct cc_depend_site *site);
/* The same of so many bytes. */
void cc_depend_read1(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_read2(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_read4(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_read8(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_read16(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_write1(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_write2(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_write4(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_write8(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_write16(struct cc_depend_thread *x, uint64_t a, struct cc_depend_site *site);
void cc_depend_clear(struct cc_depend *d, uint64_t start, uint64_t size); /* what was there is gone */
/* An allocator runs, or no longer: its accesses are left out. */
void cc_depend_allocating(struct cc_depend_thread *x, bool yes);
/* realloc: the old block's size may be 0, not known. */
void cc_depend_moved(struct cc_depend_thread *x, uint64_t from, uint64_t old_size, uint64_t to,
                     uint64_t size);
void cc_depend_system(struct cc_depend_thread *x, uint64_t a, uint64_t size, bool write); /* the kernel */

enum {
    CC_USE_WRITE = 1,  /* else it reads what was there before this piece of code */
    CC_USE_STORED = 2, /* a read that does nothing but put it onto the stack: see cc_depend_store */
};
struct cc_depend_put { /* a register that is written */
    uint8_t granule;   /* the first, */
    uint8_t more : 7;  /* and how many behind it are written together with it */
    uint8_t whole : 1; /* see below */
    uint16_t site;     /* as below */
};
struct cc_depend_use { /* one that is read */
    uint8_t granule, more;
    uint8_t flags;
    bool counts : 1; /* see below */
    bool whole : 1;  /* all of a register that has parts, or of one that has none */
    uint16_t site;   /* index; later the number of the site, where that is always the same */
    /* what a read found last, by that site, and how often that is not told of yet */
    uint16_t first, second;
    uint16_t seen_site;
    uint32_t loop, distance, times;
    /* the last that a read saw, if that was from before the invocation of the innermost loop that began at
     * `inside` (0: it was not); it counts where that is what it found, else nothing carries it */
    uint32_t seen, inside;
};
/* A stretch of code without an exit or an event inside it: reads, then writes. */
struct cc_depend_piece {
    uint64_t address, last; /* of its first and last instruction */
    uint32_t function;      /* whose code it is */
    bool outside, stub;     /* stub: on the way to a function */
    bool numbered;          /* its sites have their numbers */
    uint32_t path;          /* loops around it when it last ran; 0: none yet */
    uint64_t
        all[CC_DEPEND_GRANULES / 64]; /* a bit for each granule it reads or writes, once it is numbered */
    uint32_t nuses, nputs, nsites;
    struct cc_depend_use *uses;
    struct cc_depend_put *puts;
    struct cc_depend_site **sites;
    struct cc_depend_piece *next; /* of those that have run */
};
void cc_depend_registers(struct cc_depend_thread *x, struct cc_depend_piece *p);
/* It runs for the first time. */
void cc_depend_first(struct cc_depend_thread *x, const struct cc_depend_piece *p);
/* Where calls are followed: no more than which function of a library runs. */
void cc_depend_outside_here(struct cc_depend_thread *x, const struct cc_depend_piece *p);
/* A piece of code stores granules onto the stack that it does nothing else with, from the first on as they
 * follow each other in the guest state. Functions do that with what their callers left in registers, be it of
 * use or not: it counts once it is read from there. */
void cc_depend_store(struct cc_depend_thread *x, uint64_t a, uint32_t size, struct cc_depend_site *site,
                     uint32_t granule);
/* A granule that a piece of code was said to store alone is used as the piece found it. */
void cc_depend_left(struct cc_depend_thread *x, uint32_t granule, struct cc_depend_site *site);
/* A register that is chosen as the program runs. */
void cc_depend_register_use(struct cc_depend_thread *x, uint32_t granule, uint32_t flags,
                            struct cc_depend_site *site);

/* sp: as after the return */
void cc_depend_call(struct cc_depend_thread *x, uint64_t call, bool outside, uint64_t ret, uint64_t sp);
/* A function of the program ends by a jump into such code: what that does is done there. */
void cc_depend_jump(struct cc_depend_thread *x, uint64_t jump);
void cc_depend_return(struct cc_depend_thread *x, uint64_t target, uint64_t sp);
void cc_depend_signal(struct cc_depend_thread *x);  /* a handler begins */
void cc_depend_resumed(struct cc_depend_thread *x); /* and what it interrupted goes on */

/* Also while it is off. */
void cc_depend_syscall(struct cc_depend_thread *x, uint32_t number, uint64_t call);

/* --- results --- */

struct cc_depend_counts {
    uint64_t invocations, iterations; /* that were followed */
    uint64_t longest;                 /* iterations of an invocation that was followed as a whole */
};
struct cc_depend_counts cc_depend_sampled(const struct cc_depend *d, uint32_t loop);
/* Code that ran while a loop was under way, but never while dependences were followed: of functions that the
 * loops called, this finds out by itself; their own code has to be told of. function_of: whose a loop is. */
void cc_depend_find_late(struct cc_depend *d, void *self, uint32_t (*function_of)(void *self, uint32_t loop));
void cc_depend_ran(struct cc_depend *d, uint64_t address, uint32_t loop);
bool cc_depend_is_late(const struct cc_depend *d, uint32_t loop);
/* A file, or a piece of shared memory, that others may change is mapped: by two numbers that tell which.
 * Whether one was that was mapped before. */
void cc_depend_shared(struct cc_depend_thread *x, uint64_t device, uint64_t number);
bool cc_depend_lies_twice(const struct cc_depend *d);
void cc_depend_forget(struct cc_depend *d); /* a forked child starts anew */

struct cc_depend_writer {
    void *self;
    void (*put)(void *self, const struct cc_rec_dependence *r);
};
void cc_depend_results(struct cc_depend *d, const struct cc_depend_writer *w);

/* Where an address lies: fills area, base and owner, and returns a number of the object it is part of, not 0
 * unless nothing is known of it. */
void cc_depend_locate(struct cc_depend *d, void *self,
                      uint32_t (*locate)(void *self, uint64_t address, struct cc_rec_dependence *r));

#endif
