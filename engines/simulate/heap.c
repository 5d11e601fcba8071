/* Blocks of the heap, by the place that asked for them: calls of malloc and its family are followed by their
 * symbols, where registers are known (engines/qemu/registers.h). */
#include "../../collect/alloc.h"
#include "deeds.h"
#include "symbols.h"

#include <stdlib.h>
#include <string.h>

enum { FUNCTIONS = 512, SLOTS = 2 * CC_SIM_BLOCKS, LOOK_UP = 64 };

static struct {
    struct cc_register_map registers;
    struct {
        uint64_t address;
        enum cc_alloc_kind kind;
    } function[FUNCTIONS];
    unsigned functions;
    uint32_t *slot; /* hash of an address -> 1 + the newest block that began there */
} heap;

/* ---- registers ---- */

void heap_begin(void)
{
    cc_register_map_init(&heap.registers, world.isa);
}

void heap_thread(struct thread *t)
{
    cc_registers_open(&heap.registers, &t->registers);
}

void heap_prove(const struct thread *t, const uint64_t args[6])
{
    cc_registers_prove(&heap.registers, &t->registers, args);
}

static uint64_t value_of(const struct thread *t, enum cc_register which)
{
    return cc_register_get(&heap.registers, &t->registers, which);
}

bool heap_register(const struct thread *t, unsigned number, uint64_t *ret)
{
    return cc_register_number(&heap.registers, &t->registers, number, ret);
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
static void block_begins(const struct deed *x, uint64_t now)
{
    uint64_t from = x->addr, size = x->size;
    struct cc_sim_shared *sh = world.shared;
    uint32_t *s = from && size ? slot_of(from) : NULL;
    if (!s)
        return;
    struct cc_sim_block *b = *s ? &sh->block[*s - 1] : NULL;
    if (b && b->context == x->context && b->to - b->from == size) {
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
                                                  .back = (uintptr_t)x->what,
                                                  .context = x->context,
                                                  .kind = x->outcome};
    *s = ++sh->blocks;
}

void heap_changes(const struct thread *t, const struct deed *x)
{
    if (x->kind == DEED_ENDS)
        block_ends(x->addr, now_of(t));
    else
        block_begins(x, now_of(t));
}

static void ends(struct thread *t, uint64_t from)
{
    deed_do(t, &(struct deed){.kind = DEED_ENDS, .addr = from});
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

static bool read_pointer(uint64_t at, uint64_t *ret)
{
    uint32_t narrow = 0;
    bool there = world.isa->wide ? guest_read_numbers(at, ret, 8, 1) : guest_read_numbers(at, &narrow, 4, 1);
    *ret = world.isa->wide ? *ret : narrow;
    return there;
}

void heap_enter(struct thread *t, uint8_t kind)
{
    if (!cc_registers_known(&heap.registers, &t->registers))
        return;
    struct call c = {.kind = kind, .context = context_now(t), .sp = value_of(t, CC_REG_SP)};
    if (t->call.kind && c.sp <= t->call.sp)
        return; /* one that another calls: the outermost counts, unless it was left by a jump */
    for (unsigned i = 0; i < 3; i++)
        c.args[i] = value_of(t, CC_REG_ARG + i);
    if (!cc_register_back_on_stack(&heap.registers))
        c.back = code_address(value_of(t, CC_REG_BACK));
    else if (!read_pointer(c.sp, &c.back))
        return;
    if (kind == CC_ALLOC_FREE)
        ends(t, c.args[0]);
    else
        t->call = c;
}

void heap_back(struct thread *t)
{
    struct call c = t->call;
    uint64_t from = value_of(t, CC_REG_RESULT);
    t->call.kind = CC_ALLOC_NONE;
    if (c.kind == CC_ALLOC_POSIX_MEMALIGN) {
        uint64_t failed = from;
        from = 0;
        if ((uint32_t)failed || !read_pointer(c.args[0], &from))
            return;
    }
    if (from && (c.kind == CC_ALLOC_REALLOC || c.kind == CC_ALLOC_REALLOCARRAY))
        ends(t, c.args[0]);
    deed_do(t, &(struct deed){.kind = DEED_BEGINS,
                              .addr = from,
                              .size = size_asked(&c),
                              .what = (void *)(uintptr_t)c.back,
                              .context = c.context,
                              .outcome = c.kind});
}
