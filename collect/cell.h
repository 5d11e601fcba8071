/* The shadow of memory: for each byte, the interned state "who wrote it, and who has read that value since".
 *
 * A cell is a u32 for an aligned word of four bytes:
 *   0                   never written since it was mapped; resolved by address on the first read
 *   s, top bit clear    all four bytes are in state s
 *   CC_SPLIT            the bytes differ: each has a cell of its own in a second shadow
 * Most words of most programs are uniform, so one load tells about four bytes, and the shadow costs one byte
 * per byte (five where split). Both shadows come in chunks of 4 MiB of addresses, found through flat
 * directories; a chunk nobody touched is NULL there. */
#ifndef CC_COLLECT_CELL_H
#define CC_COLLECT_CELL_H

#include <stdint.h>

typedef uint32_t cc_cell;

#define CC_CHUNK_BITS 22 /* addresses a chunk covers, log2 */
#define CC_ADDRESS_BITS 48
#define CC_CHUNK_SIZE (UINT64_C(1) << CC_CHUNK_BITS)
#define CC_CHUNK_CELLS (CC_CHUNK_SIZE / 4)
#define CC_DIRECTORY (UINT64_C(1) << (CC_ADDRESS_BITS - CC_CHUNK_BITS))
#define CC_SPLIT 0x80000000u

/* Pages of which the first access is counted; it is looked for at one place in so many bytes. */
#define CC_PAGE 4096
#define CC_PAGE_PLACES 256
static inline int cc_may_be_fresh(uint64_t a, uint32_t size)
{
    return ((a + size - 1) & (CC_PAGE_PLACES - 1)) < size;
}

/* Of the host's cache, bytes: what is used together lies in one. */
#define CC_LINE 64

/* Addresses beyond 48 bits (tags, kernel space) wrap; nothing user programs touch is there. */
static inline uint64_t cc_chunk_of(uint64_t a)
{
    return (a >> CC_CHUNK_BITS) & (CC_DIRECTORY - 1);
}
static inline uint32_t cc_cell_of(uint64_t a)
{
    return (uint32_t)(a & (CC_CHUNK_SIZE - 1)) >> 2;
}
/* Of a byte, in a chunk of the second shadow. */
static inline uint32_t cc_byte_of(uint64_t a)
{
    return (uint32_t)(a & (CC_CHUNK_SIZE - 1));
}

#endif
