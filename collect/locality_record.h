/* What a run leaves behind of its locality (record.h), and the bytes of the trace of lines. */
#ifndef CC_COLLECT_LOCALITY_RECORD_H
#define CC_COLLECT_LOCALITY_RECORD_H

#include <stdint.h>

/* Classes of reuse distance: below 1, 2, 3, 4, 6, 8, 12, 16 … lines, two for each doubling. */
enum { CC_REUSE_CLASSES = 50, CC_REUSE_FAR = CC_REUSE_CLASSES, CC_REUSE_COLD, CC_REUSE_KINDS };
enum { CC_LOCALITY_LINE = 64, CC_LOCALITY_GRAIN = 32 };

/* Lines of the cache that just holds all distances of classes 0 to j. */
static inline uint64_t cc_reuse_bound(uint32_t j)
{
    return j == 0 ? 1 : j & 1 ? UINT64_C(2) << (j / 2) : UINT64_C(3) << (j / 2 - 1);
}

struct cc_rec_locality {      /* what a function touched, in lines of CC_LOCALITY_LINE bytes */
    uint32_t function, shift; /* one line in 2^shift was looked at; counts are scaled up */
    uint64_t lines, touches;
};

struct cc_rec_reuse {
    uint32_t function, distance; /* distance: a class, CC_REUSE_FAR: beyond them, CC_REUSE_COLD */
    uint64_t count;
};

/* The trace of lines lies between task events in their file: pieces whose thread has this bit. A piece is a
 * row of pairs of numbers (seven bits a byte, low bits first): instructions since the pair before; and the
 * difference to the grain of the pair before (zigzag) << 5 | what CC_LINES_ say. A grain is CC_LOCALITY_GRAIN
 * bytes. While recording is off, time stands still but lines are told.
 *
 * Left out is what no cache notices: an access to the line of 64 bytes that was last touched of those with
 * the same bits 6 to 11 of the address, unless it is the first load of a grain of it or the first write: some
 * caches have no line that was only written. So any cache of least recently used lines of 32 bytes or more,
 * whose ways have 4 KiB or more, misses as often with the trace as with all accesses. What is remembered for
 * that is forgotten when a task begins or ends, so that each task has all it touches.
 *
 * What is left out is counted: a pair with CC_LINES_COUNT stands behind the accesses to its line that were
 * left out since the line was told, names a grain that was touched (the first, if both were), and has five
 * more numbers: loads; stores; atomics; the time from the last access to that of the pair; and that from the
 * first to the last. Behind them the first of these accesses, CC_LINES_PATTERN at most, one by one: the time
 * since the line's access before << 2 | enum cc_line_kind. Words that threads change side by side wait for
 * each other with every access, and stores in bursts wait for the write buffer. */
enum {
    CC_LINES_OF_THREAD = 1u << 31,
    CC_LINES_COLOURS = 64,
};
enum {
    CC_LINES_WRITE = 1,
    CC_LINES_STACK = 2,
    CC_LINES_OFF = 4,
    CC_LINES_COUNT = 8,
    CC_LINES_ATOMIC = 16, /* besides WRITE */
    CC_LINES_FLAGS = 31
}; /* OFF: recording was */
enum { CC_LINES_PATTERN = 32, CC_LINES_VERSION = 2 };

/* An atomic instruction that loads and stores is one access. */
enum cc_line_kind { CC_LINE_LOAD, CC_LINE_STORE, CC_LINE_ATOMIC, CC_LINE_KINDS };

static inline uint64_t cc_lines_pair(int64_t step, uint32_t flags)
{
    return ((uint64_t)step << 1 ^ (uint64_t)(step >> 63)) << 5 | flags;
}

static inline int64_t cc_lines_step(uint64_t pair)
{
    return (int64_t)((pair >> 6) ^ -(pair >> 5 & 1));
}

/* A long trace keeps some colours only: those of rank below CC_LINES_COLOURS >> shift. */
static inline uint32_t cc_lines_rank(uint64_t grain)
{
    uint32_t colour = (uint32_t)(grain >> 1) % CC_LINES_COLOURS;
    colour = (colour * 29 + 7) % CC_LINES_COLOURS;
    return colour ^ colour >> 3;
}

#endif
