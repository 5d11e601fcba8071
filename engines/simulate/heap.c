/* Blocks of the heap, by the place that asked for them: calls of malloc and its family are followed by their
 * symbols. QEMU 7.2 shows a plugin no registers, but when a block of code begins all of them are in its CPU
 * state, and generated code calls us with a pointer to that in a host register it never gives up (FROM_CODE
 * in plugin.c). Where each register lies there is the start of a structure that has not moved in ten years;
 * every system call, whose arguments QEMU does tell, proves it again. One that does not agree ends it. */
#include "../../collect/alloc.h"
#include "race.h"
#include "symbols.h"

#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FUNCTIONS = 512, SLOTS = 2 * CC_SIM_BLOCKS, LOOK_UP = 64, PROOFS = 4, ON_STACK = 255 };

/* Where QEMU keeps a program's registers: that many bytes into its state, a word each. */
static const struct registers {
    enum cc_isa_id isa;
    uint16_t at;
    uint8_t bytes, arg[3], result;
    uint8_t sp, back; /* where a call returns to; ON_STACK: it is there */
    uint8_t call[4];  /* of a system call */
} known[] = {
    {CC_ISA_X86, 0, 8, {7, 6, 2}, 0, 4, ON_STACK, {7, 6, 2, 10}},
    {CC_ISA_AARCH64, 16 * 4, 8, {0, 1, 2}, 0, 31, 30, {0, 1, 2, 3}},
    {CC_ISA_ARM, 0, 4, {0, 1, 2}, 0, 13, 14, {0, 1, 2, 3}},
    {CC_ISA_RISCV, 0, 8, {10, 11, 12}, 10, 2, 1, {10, 11, 12, 13}},
    {CC_ISA_MIPS, 0, 4, {4, 5, 6}, 2, 29, 31, {4, 5, 6, 7}},
};

static struct {
    unsigned proofs; /* system calls that agreed */
    bool refuted;
    struct {
        uint64_t address;
        enum cc_alloc_kind kind;
    } function[FUNCTIONS];
    unsigned functions;
    uint32_t *slot; /* hash of an address -> 1 + the newest block that began there */
} heap;

/* ---- registers ---- */

static const struct registers *registers(void)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].isa == world.isa->id)
            return &known[i];
    return NULL;
}

static uint64_t register_at(const struct thread *t, const struct registers *r, unsigned number)
{
    const char *from = (const char *)t->cpu_state + r->at + (size_t)number * r->bytes;
    uint64_t wide = 0;
    uint32_t narrow;
    if (r->bytes == sizeof wide) {
        memcpy(&wide, from, sizeof wide);
        return wide;
    }
    memcpy(&narrow, from, sizeof narrow);
    return narrow;
}

void heap_prove(const struct thread *t, const uint64_t args[6])
{
    const struct registers *r = registers();
    uint64_t words[48] = {0}; /* read as a stranger's memory: it may be none */
    struct iovec here = {words, r ? r->at + 32u * r->bytes : 0}, there = {(void *)t->cpu_state, here.iov_len};
    if (!r || !t->cpu_state || heap.refuted)
        return;
    if (heap.proofs < PROOFS && process_vm_readv(getpid(), &here, 1, &there, 1, 0) != (ssize_t)here.iov_len) {
        heap.refuted = true;
        return;
    }
    uint64_t mask = r->bytes == 8 ? UINT64_MAX : UINT32_MAX;
    for (unsigned i = 0; i < 4; i++)
        heap.refuted |= ((register_at(t, r, r->call[i]) ^ args[i]) & mask) != 0;
    heap.proofs += heap.proofs < PROOFS;
}

/* ---- where the functions are ---- */

/* Thumb code is told by an odd address, and is at the even one. */
static uint64_t code_address(uint64_t a)
{
    return world.isa->id == CC_ISA_ARM ? a & ~(uint64_t)1 : a;
}

static void add_function(uint64_t address, const char *name)
{
    enum cc_alloc_kind kind = cc_alloc_kind_of(name);
    address = code_address(address);
    for (unsigned i = 0; i < heap.functions && kind; i++)
        if (heap.function[i].address == address)
            kind = CC_ALLOC_NONE;
    if (!kind || heap.functions == FUNCTIONS)
        return;
    heap.function[heap.functions].address = address;
    heap.function[heap.functions++].kind = kind;
}

void heap_file(const char *path, uint64_t from, uint64_t offset)
{
    const char *base = strrchr(path, '/');
    if (!base || strncmp(base, "/ld", 3) != 0) /* a loader has an allocator of its own, for itself */
        symbols_read(path, from, offset, add_function);
}

uint8_t heap_call_at(uint64_t pc)
{
    for (unsigned i = 0; i < heap.functions; i++)
        if (heap.function[i].address == pc)
            return (uint8_t)heap.function[i].kind;
    return CC_ALLOC_NONE;
}

/* ---- blocks ---- */

/* The slot of blocks that begin there; NULL: no room. */
static uint32_t *slot_of(uint64_t from)
{
    if (!heap.slot && !(heap.slot = calloc(SLOTS, sizeof *heap.slot)))
        return NULL;
    uint64_t h = from * 0x9e3779b97f4a7c15u >> 32;
    for (unsigned i = 0; i < LOOK_UP; i++) {
        uint32_t *s = &heap.slot[(h + i) % SLOTS];
        if (!*s || world.shared->block[*s - 1].from == from)
            return s;
    }
    return NULL;
}

static void block_ends(uint64_t from, uint64_t now)
{
    uint32_t *s = from ? slot_of(from) : NULL;
    if (s && *s && world.shared->block[*s - 1].until == NEVER)
        world.shared->block[*s - 1].until = now;
}

/* A block that begins again where one of the same place has ended is that one: what a loop allocates and
 * frees in every round is one object. */
static void block_begins(uint64_t from, uint64_t size, const struct call *c, uint64_t now)
{
    struct cc_sim_shared *sh = world.shared;
    uint32_t *s = from && size ? slot_of(from) : NULL;
    if (!s)
        return;
    struct cc_sim_block *b = *s ? &sh->block[*s - 1] : NULL;
    if (b && b->context == c->context && b->to - b->from == size) {
        b->until = NEVER;
        return;
    }
    if (sh->blocks == CC_SIM_BLOCKS) {
        sh->objects_lost++;
        return;
    }
    sh->block[sh->blocks] = (struct cc_sim_block){.from = from,
                                                  .to = from + size,
                                                  .since = now,
                                                  .until = NEVER,
                                                  .back = c->back,
                                                  .context = c->context,
                                                  .kind = c->kind};
    *s = ++sh->blocks;
}

static uint64_t size_asked(const struct call *c)
{
    const uint64_t *a = c->args;
    switch ((enum cc_alloc_kind)c->kind) {
    case CC_ALLOC_CALLOC:
        return a[0] * a[1];
    case CC_ALLOC_REALLOCARRAY:
        return a[1] * a[2];
    case CC_ALLOC_REALLOC:
    case CC_ALLOC_MEMALIGN:
        return a[1];
    case CC_ALLOC_POSIX_MEMALIGN:
        return a[2];
    default:
        return a[0];
    }
}

void heap_enter(struct thread *t, uint8_t kind)
{
    const struct registers *r = registers();
    if (!r || heap.refuted || heap.proofs < PROOFS || !t->cpu_state)
        return;
    struct call c = {.kind = kind, .context = context_now(t), .sp = register_at(t, r, r->sp)};
    if (t->call.kind && c.sp <= t->call.sp)
        return; /* one that another calls: the outermost counts, unless it was left by a jump */
    for (unsigned i = 0; i < 3; i++)
        c.args[i] = register_at(t, r, r->arg[i]);
    if (r->back != ON_STACK)
        c.back = code_address(register_at(t, r, r->back));
    else if (!guest_read(c.sp, &c.back, r->bytes))
        return;
    if (kind == CC_ALLOC_FREE)
        block_ends(c.args[0], now_of(t));
    else
        t->call = c;
}

void heap_back(struct thread *t)
{
    const struct registers *r = registers();
    struct call c = t->call;
    uint64_t from = register_at(t, r, r->result), now = now_of(t);
    t->call.kind = CC_ALLOC_NONE;
    if (c.kind == CC_ALLOC_POSIX_MEMALIGN) {
        uint64_t failed = from;
        from = 0;
        if ((uint32_t)failed || !guest_read(c.args[0], &from, r->bytes))
            return;
    }
    if (from && (c.kind == CC_ALLOC_REALLOC || c.kind == CC_ALLOC_REALLOCARRAY))
        block_ends(c.args[0], now);
    block_begins(from, size_asked(&c), &c, now);
}
