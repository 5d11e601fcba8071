/* Data objects: which variable, heap block or stack slot each access touches (`record --objects`).
 *
 * Objects are groups: all blocks of one allocation site, one global symbol, one name given by a mark, one
 * mapped file, the stack of a thread. Per (function, group) the thread counts accesses and distinct
 * addresses. Stack memory is counted apart, per (function, owner of the stack frame, distance below its
 * top): what is a variable there is known only after the run, from DWARF.
 *
 * The map from addresses to groups: a directory of 4 MiB chunks, each with 64 pages of 64 KiB; a page is
 * either all of one group, or a table of 16-byte granules; a granule that several groups share has a quad of
 * words, and a word that several symbols share is looked up in the sorted list of symbols.
 *
 * The hot path needs none of that: a cache of 256-byte lines, per thread and function, holds for each word
 * whether it is of the line's group with all four bytes counted before. Taking memory away from a group drops
 * the lines concerned. */
#ifndef CC_COLLECT_DATA_H
#define CC_COLLECT_DATA_H

#include "alloc.h"
#include "cell.h"
#include "record.h"

#include <stdbool.h>
#include <stddef.h>

struct cc_collect;
struct cc_thread;
struct cc_data_thread;

enum { CC_DATA_CLASSES = 5 }; /* 1, 2, 4, 8, 16 bytes; all else is odd */

/* Accesses of one function to one group, in one thread. */
struct cc_pair {
    uint64_t n[2][CC_DATA_CLASSES]; /* [read, write] */
    uint64_t odd[2], odd_bytes[2];
    uint64_t first, last;       /* the thread's instructions */
    uint64_t unma, distinct[2]; /* addresses: all of them, [read, written] */
    uint32_t function, group, number;
};

struct cc_line {   /* of reads or of writes */
    uint64_t key;  /* line | function << CC_LINE_KEY; 0: empty */
    uint64_t seen; /* bit per word: of this group, and all four bytes counted as distinct */
    struct cc_pair *pair;
    uint64_t *bits; /* of the line: which bytes were counted, if all of it is the group's; else NULL */
};

enum {
    CC_LINE_BITS = 8,
    CC_LINE_KEY =
        CC_ADDRESS_BITS - CC_LINE_BITS, /* above the line: 23 bits of function, 1 "in an allocator" */
    CC_LINE_SETS = 131072, /* 32 MiB of addresses: pointers that jump about in less still find their line */
    CC_LINE_WAYS = 4,
    CC_NEAR = 4096, /* bytes of a stack frame with counters found by index */
};

/* Accesses at one place of a stack frame, all of one size. */
struct cc_slot {
    uint64_t n[2], first, last;
};

/* What one function does to the stack frames of another (or its own). */
struct cc_stack_view {
    uint32_t function, owner;
    struct cc_slot *near[CC_DATA_CLASSES]; /* by class and (distance >> class) - 1; NULL until used */
};

struct cc_data_hot { /* the first part of struct cc_data_thread */
    uint64_t key;    /* of the current function, shifted */
    uint64_t way;
    uint64_t cfa;                   /* top of the running function's stack frame; 0: not known */
    uint64_t stack_low, stack_size; /* of the thread's stack */
    struct cc_stack_view *own;      /* of the running function, of itself; NULL: not made yet */
    const uint64_t *clock;          /* the thread's count of instructions */
    struct cc_line lines[2][CC_LINE_WAYS][CC_LINE_SETS]; /* [read, write] */
};

/* Every access that the hot path does not take. */
void cc_data_access(struct cc_data_thread *d, uint64_t a, uint32_t size, bool write);

/* Some of it lies in the line's group and was counted before, though not all of its words were. */
static inline __attribute__((always_inline)) bool cc_data_line_knows(const struct cc_line *l, uint64_t a,
                                                                     uint64_t size)
{
    uint64_t all = (UINT64_C(1) << size) - 1;
    return l->bits && (l->bits[(a >> 6) & 3] >> (a & 63) & all) == all;
}

static inline __attribute__((always_inline)) struct cc_line *cc_data_line(struct cc_data_hot *d,
                                                                          uint64_t line, bool write)
{
    return &d->lines[write][d->way][line & (CC_LINE_SETS - 1)];
}

static inline uint64_t cc_data_line_of(uint64_t a)
{
    return (a & ((UINT64_C(1) << CC_ADDRESS_BITS) - 1)) >> CC_LINE_BITS;
}

static inline __attribute__((always_inline)) void cc_data_slot(struct cc_slot *s, uint64_t now, bool write)
{
    s->n[write]++;
    s->last = now;
    if (__builtin_expect(s->first == 0, 0))
        s->first = now + 1; /* 0 is "never", so that it is one more */
}

/* One access; `class` is log2 of its size, at most 4. False: nothing was done, it is for cc_data_access. */
static inline __attribute__((always_inline)) bool cc_data_same(struct cc_data_thread *thread, uint64_t a,
                                                               uint32_t class, bool write)
{
    struct cc_data_hot *d = (struct cc_data_hot *)thread;
    uint64_t size = UINT64_C(1) << class, below = d->cfa - a;
    if (below - size < CC_NEAR && (below & (size - 1)) == 0) { /* cfa 0: never true for a user's address */
        struct cc_slot *near = d->own ? d->own->near[class] : NULL;
        if (__builtin_expect(!near, 0))
            return false;
        cc_data_slot(&near[(below >> class) - 1], *d->clock, write);
        return true;
    }
    if (a - d->stack_low < d->stack_size) /* nothing of it is in a line */
        return false;
    uint64_t line = cc_data_line_of(a);
    const struct cc_line *l = cc_data_line(d, line, write);
    uint64_t words = class <= 2 ? 1 : class == 3 ? 3 : 15;
    uint64_t unseen = ~l->seen & words << ((a >> 2) & 63);
    if (class < 2 && __builtin_expect((l->key ^ (line | d->key)) | (a & (size - 1)), 0))
        return false;
    if (class < 2 && unseen && !cc_data_line_knows(l, a, size)) /* tags: the rest of the word is not used */
        return false;
    if (class >= 2 && __builtin_expect((l->key ^ (line | d->key)) | unseen | (a & (size - 1)), 0))
        return false;
    struct cc_pair *p = l->pair;
    p->n[write][class]++;
    p->last = *d->clock;
    return true;
}

/* Two side by side; `class` is that of one, 2 or 3. */
static inline __attribute__((always_inline)) bool cc_data_same_two(struct cc_data_thread *thread, uint64_t a,
                                                                   uint32_t class, bool write)
{
    struct cc_data_hot *d = (struct cc_data_hot *)thread;
    uint64_t size = UINT64_C(1) << class, below = d->cfa - a;
    if (below - 2 * size < CC_NEAR - size && (below & (size - 1)) == 0) {
        struct cc_slot *near = d->own ? d->own->near[class] : NULL;
        if (__builtin_expect(!near, 0))
            return false;
        uint64_t now = *d->clock;
        struct cc_slot *s = &near[(below >> class) - 1];
        cc_data_slot(s, now, write);
        cc_data_slot(s - 1, now, write);
        return true;
    }
    if (a - d->stack_low < d->stack_size || below - 1 < CC_NEAR)
        return false;
    uint64_t line = cc_data_line_of(a), words = class == 2 ? 3 : 15;
    const struct cc_line *l = cc_data_line(d, line, write);
    uint64_t outside = (a & ((1u << CC_LINE_BITS) - 1)) > (1u << CC_LINE_BITS) - 2 * size;
    if ((l->key ^ (line | d->key)) | (~l->seen & words << ((a >> 2) & 63)) | (a & (size - 1)) | outside)
        return false;
    struct cc_pair *p = l->pair;
    p->n[write][class] += 2;
    p->last = *d->clock;
    return true;
}

static inline __attribute__((always_inline)) void cc_data_count(struct cc_data_thread *thread, uint64_t a,
                                                                uint32_t class, bool write)
{
    if (__builtin_expect(!cc_data_same(thread, a, class, write), 0))
        cc_data_access(thread, a, 1u << class, write);
}

static inline __attribute__((always_inline)) void cc_data_count_two(struct cc_data_thread *thread, uint64_t a,
                                                                    uint32_t class, bool write)
{
    if (__builtin_expect(cc_data_same_two(thread, a, class, write), 1))
        return;
    cc_data_count(thread, a, class, write);
    cc_data_count(thread, a + (1u << class), class, write);
}

/* --- life; all of these do nothing in a run that does not ask for objects --- */

void cc_data_init(struct cc_collect *c);
void cc_data_thread_init(struct cc_thread *t);
/* The thread's context has changed, or recording was switched. */
void cc_data_enter(struct cc_thread *t);
void cc_data_enter_function(struct cc_thread *t, uint32_t function); /* the same: that of the context */
void cc_data_clock(struct cc_thread *t, const uint64_t *count);      /* where its instructions are counted */
void cc_data_forget(struct cc_collect *c);                           /* a forked child starts to count anew */

/* --- memory that is mapped --- */

/* The stack of a thread: [low, high). Where stack frames are not known, it is one object. */
void cc_data_stack(struct cc_thread *t, uint64_t low, uint64_t high);
/* A file is mapped: symbols of an ELF file stay what they are. */
void cc_data_file(struct cc_collect *c, const char *path, bool elf, uint64_t start, uint64_t size);
void cc_data_brk(struct cc_collect *c, uint64_t start, uint64_t size); /* memory of the allocator */
/* The program maps anonymous memory: an object by site unless an allocator does it. */
void cc_data_mmap(struct cc_thread *t, uint64_t start, uint64_t size);
void cc_data_unmap(struct cc_collect *c, uint64_t start, uint64_t size);
void cc_data_move(struct cc_collect *c, uint64_t from, uint64_t to, uint64_t old_size, uint64_t size);
/* A symbol of the ELF file that is c->code.binaries[binary]. Call cc_data_statics_done after the last. */
void cc_data_static(struct cc_collect *c, uint32_t binary, uint64_t bias, uint64_t address, uint64_t size);
void cc_data_statics_done(struct cc_collect *c);

/* --- allocators --- */

_Static_assert((int)CC_ALLOC_KINDS == (int)CC_OBJECT_ALLOCS, "record.h says how many there are");
/* What begins at an address of code; `near`: the address is in a file that has an allocator, so that calls
 * of it may return there (symbols.c). */
enum cc_alloc_kind cc_allocator_at(struct cc_collect *c, uint64_t address, bool *ret_near);

/* The first instruction of an allocator's function runs. `own` is its function id (CC_OUTSIDE if it has
 * none), ret where it returns to, sp the stack pointer it was called with. Returns the address whose arrival
 * ends the call, 0 if none is awaited. */
uint64_t cc_alloc_enter(struct cc_thread *t, enum cc_alloc_kind kind, const uint64_t args[3], uint32_t own,
                        uint64_t ret, uint64_t sp);
/* A return to that address, with the stack pointer as after it. `out` is what posix_memalign stored, else
 * `result` is the block. Returns the address awaited next. */
uint64_t cc_alloc_return(struct cc_thread *t, uint64_t result, uint64_t (*load)(uint64_t address),
                         uint64_t sp);
/* Control came to the program's code: a call that was left by longjmp or an exception is over. */
uint64_t cc_alloc_landed(struct cc_thread *t, uint64_t sp);
void cc_alloc_interrupted(struct cc_thread *t); /* a signal is delivered */

/* --- marks --- */

/* The bytes are an object of this type until they are freed, unmapped or named anew. The name may be any
 * bytes; what is beyond CC_DATA_NAME is cut. */
enum { CC_DATA_NAME = 4096 };
void cc_data_name(struct cc_thread *t, uint64_t start, uint64_t size, const char *name, size_t length);

/* --- system calls --- */

void cc_data_input(struct cc_thread *t, uint64_t a, uint64_t size);
void cc_data_output(struct cc_thread *t, uint64_t a, uint64_t size);

/* --- results --- */

bool cc_data_cut(const struct cc_collect *c); /* more sites or names than are kept */

struct cc_data_writer {
    void *self;
    void (*put)(void *self, uint32_t tag, const void *body, size_t size, const char *text, size_t text_size);
};
void cc_data_write(struct cc_collect *c, const struct cc_data_writer *w, bool final);

#endif
