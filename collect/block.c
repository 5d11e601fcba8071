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
    uint32_t *slot = &c->block_hash[cc_mix(address) & (HASH - 1)], i = *slot;
    while (i && !is_same(&c->blocks[i], address, hash, size))
        i = c->blocks[i].next;
    if (!i && c->nblocks < c->opt.max_blocks) {
        i = c->nblocks++;
        uint8_t *copy = cc_pool(c, size + 1);
        __builtin_memcpy(copy, code, size);
        c->blocks[i] = (struct cc_block_entry){.address = address,
                                               .hash = hash,
                                               .code = copy,
                                               .size = size,
                                               .instructions = instructions,
                                               .function = function,
                                               .next = *slot,
                                               .thumb = thumb};
        *slot = i;
    }
    c->blocks_cut |= !i;
    cc_unlock(c);
    return i;
}

static uint64_t *table_new(struct cc_collect *c)
{
    if (!c->slab_left) {
        c->slab = c->host.map(c->host.self, (size_t)SLAB * c->opt.max_blocks * sizeof *c->slab);
        c->slab_left = SLAB;
    }
    return c->slab + (size_t)--c->slab_left * c->opt.max_blocks;
}

void cc_blocks_init(struct cc_collect *c)
{
    c->blocks = c->host.map(c->host.self, (size_t)c->opt.max_blocks * sizeof *c->blocks);
    c->block_hash = c->host.map(c->host.self, HASH * sizeof *c->block_hash);
    c->tables = c->host.map(c->host.self, SLOTS * sizeof *c->tables);
    c->scratch = table_new(c);
    c->nblocks = 1; /* 0 is what nobody wants */
}

uint64_t *cc_block_counts(struct cc_collect *c, uint32_t function, uint32_t scope)
{
    if (scope == CC_SCOPE_OFF)
        return c->scratch;
    uint32_t i = (uint32_t)cc_mix((uint64_t)function << 32 | scope) & (SLOTS - 1);
    for (; c->tables[i].counts; i = (i + 1) & (SLOTS - 1))
        if (c->tables[i].function == function && c->tables[i].scope == scope)
            return c->tables[i].counts;
    if (c->ntables == MAX_TABLES) {
        c->blocks_cut = true;
        return c->scratch;
    }
    c->ntables++;
    c->tables[i] = (struct cc_block_table){function, scope, table_new(c)};
    return c->tables[i].counts;
}
