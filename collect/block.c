/* Straight pieces of code and how often each was executed, for every function and scope it is charged to. */
#include "internal.h"

enum { HASH = 1 << 15, SLAB = 64, MAX_TABLES = 16384, SLOTS = CC_BLOCK_TABLES };

static uint64_t code_hash(const uint8_t *code, uint32_t size)
{
    uint64_t h = size;
    for (uint32_t i = 0; i < size; i++)
        h = (h ^ code[i]) * UINT64_C(0x100000001b3);
    return cc_mix(h);
}

static bool is_same(const struct cc_block_entry *b, uint64_t address, uint64_t hash, uint32_t size)
{
    return b->address == address && b->hash == hash && b->size == size;
}

uint32_t cc_block(struct cc_collect *c, uint64_t address, const uint8_t *code, uint32_t size,
                  uint32_t instructions, bool thumb)
{
    uint64_t hash = code_hash(code, size);
    uint32_t function = cc_place_of(c, address, false).function;
    cc_lock(c);
    uint32_t *slot = &c->blocks.hash[cc_mix(address) & (HASH - 1)], i = *slot;
    while (i && !is_same(&c->blocks.all[i], address, hash, size))
        i = c->blocks.all[i].next;
    if (!i && c->blocks.n < c->opt.max_blocks) {
        i = c->blocks.n++;
        uint8_t *copy = cc_pool(c, size + 1);
        __builtin_memcpy(copy, code, size);
        struct cc_rec_insn *insns = cc_pool(c, instructions * sizeof *insns);
        c->blocks.all[i] = (struct cc_block_entry){.address = address,
                                                   .hash = hash,
                                                   .code = copy,
                                                   .insns = insns,
                                                   .size = size,
                                                   .instructions = instructions,
                                                   .function = function,
                                                   .next = *slot,
                                                   .thumb = thumb};
        *slot = i;
    }
    c->blocks.cut |= !i;
    cc_unlock(c);
    return i;
}

struct cc_block_slot cc_block_slot(struct cc_collect *c, uint32_t id, uint32_t function)
{
    struct cc_block_entry *b = &c->blocks.all[id];
    if (!id || (function != CC_OUTSIDE && b->function == function))
        return (struct cc_block_slot){id, true};
    cc_lock(c);
    if (!b->lent) {
        b->lent = c->blocks.nlent++;
        c->blocks.lent[b->lent] = id;
    }
    cc_unlock(c);
    return (struct cc_block_slot){b->lent, false};
}

struct cc_rec_insn *cc_block_insns(struct cc_collect *c, uint32_t id)
{
    return c->blocks.all[id].insns;
}

static uint64_t *table_new(struct cc_collect *c)
{
    if (!c->blocks.slab_left) {
        c->blocks.slab = c->host.map(c->host.self, (size_t)SLAB * c->opt.max_blocks * sizeof *c->blocks.slab);
        c->blocks.slab_left = SLAB;
    }
    return c->blocks.slab + (size_t)--c->blocks.slab_left * c->opt.max_blocks;
}

void cc_blocks_init(struct cc_collect *c)
{
    c->blocks.all = c->host.map(c->host.self, (size_t)c->opt.max_blocks * sizeof *c->blocks.all);
    c->blocks.lent = c->host.map(c->host.self, (size_t)c->opt.max_blocks * sizeof *c->blocks.lent);
    c->blocks.hash = c->host.map(c->host.self, HASH * sizeof *c->blocks.hash);
    c->blocks.tables = c->host.map(c->host.self, SLOTS * sizeof *c->blocks.tables);
    c->blocks.scratch = table_new(c);
    c->blocks.n = c->blocks.nlent = 1; /* 0 is what nobody wants */
}

uint64_t *cc_block_counts(struct cc_collect *c, uint32_t function, uint32_t scope)
{
    if (scope == CC_SCOPE_OFF)
        return c->blocks.scratch;
    uint32_t i = (uint32_t)cc_mix((uint64_t)function << 32 | scope) & (SLOTS - 1);
    for (; c->blocks.tables[i].counts; i = (i + 1) & (SLOTS - 1))
        if (c->blocks.tables[i].function == function && c->blocks.tables[i].scope == scope)
            return c->blocks.tables[i].counts;
    if (c->blocks.ntables == MAX_TABLES) {
        c->blocks.cut = true;
        return c->blocks.scratch;
    }
    c->blocks.ntables++;
    c->blocks.tables[i] = (struct cc_block_table){function, scope, table_new(c)};
    return c->blocks.tables[i].counts;
}
