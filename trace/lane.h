/* One CPU's events since its last chunk, coded as the file has them (docs/format/trace.md). Without pointers
 * and of a fixed size, so that it may lie in memory shared with the process that makes the events: that one
 * codes, another writes (cc_trace_writer_lane). */
#ifndef CC_TRACE_LANE_H
#define CC_TRACE_LANE_H

#include "format.h"

#include <stdatomic.h>

enum { MAX_SHAPES = 255, SHAPE_SLOTS = 512, LANE_PCS = 4096, VARINT = 10 };

/* Bytes for the columns: what most events of most programs need, and 8 for the last event's to spare. A chunk
 * whose column is full is written with fewer events. */
enum {
    LANE_SHAPE = 32768,
    LANE_CYCLE = 64 << 10,
    LANE_LATENCY = 64 << 10,
    LANE_PC = 96 << 10,
    LANE_ADDR = 160 << 10,
    LANE_CONTEXT = 32 << 10,
    LANE_LOST = 64 << 10
};

/* What is known of an instruction, or of several that have one place. */
struct lane_place {
    struct predictor predictor;
    uint64_t told;  /* the address last put into pcs */
    uint64_t key;   /* of its last event's shape, */
    uint32_t shape; /* and the number */
};

struct cc_trace_lane {
    uint16_t cpu;
    bool any; /* the CPU has had an event (in this chunk or an earlier one) */
    uint64_t first, last_cycle;
    _Atomic uint32_t count; /* stored last of an event: what lies beyond is half of one */
    uint32_t room;          /* the columns have it for events up to this count */
    uint64_t expected, pc;  /* of the last event: when the core is expected again; the instruction */
    uint32_t context;
    uint32_t nshapes, npcs;
    uint32_t more[COLUMNS]; /* bytes of the column, of the full ones beyond one for each event */
    struct lane_place places[PREDICTORS]; /* near the start, as every event uses one */
    uint64_t shapes[MAX_SHAPES];
    uint16_t slots[SHAPE_SLOTS]; /* 1 + number of the shape */
    uint64_t pcs[LANE_PCS];      /* instructions seen, all of them, some more than once */
    uint8_t shape[LANE_SHAPE], cycle[LANE_CYCLE], latency[LANE_LATENCY], pc_step[LANE_PC],
        addr_step[LANE_ADDR], context_step[LANE_CONTEXT], lost[LANE_LOST];
};

/* Empty, for the next chunk of the same CPU; all zero is not. */
void cc_trace_lane_clear(struct cc_trace_lane *l);
/* The columns' room for more events, in l->room; false: the chunk is full. */
bool cc_trace_lane_room(struct cc_trace_lane *l);
/* Number of a shape in this chunk; -1 when the chunk has no room for another one. */
int cc_trace_lane_shape(struct cc_trace_lane *l, uint64_t key);
/* The last event again, up to n times, each so many cycles after the one before: what cc_trace_lane_add would
 * make of them, at once. How many it was: none unless the last one was such a repetition itself, a load that
 * lost nothing, and fewer than n where the chunk is full. */
uint64_t cc_trace_lane_repeat(struct cc_trace_lane *l, uint64_t n, uint64_t cycles);
/* Whoever coded was killed, perhaps in the middle of an event: leaves what is whole. */
void cc_trace_lane_trim(struct cc_trace_lane *l);
/* The chunk's contents, unpacked: at most LANE_PLAIN bytes. */
enum {
    LANE_PLAIN = 16 + 8 * MAX_SHAPES + VARINT * COLUMNS + LANE_SHAPE + LANE_CYCLE + LANE_LATENCY + LANE_PC +
                 LANE_ADDR + LANE_CONTEXT + LANE_LOST
};
size_t cc_trace_lane_plain(const struct cc_trace_lane *l, uint8_t out[static LANE_PLAIN]);

static inline uint32_t lane_varint(uint8_t *p, uint64_t v)
{
    uint32_t n = 0;
    for (; v >= 0x80; v >>= 7)
        p[n++] = (uint8_t)(v | 0x80);
    p[n++] = (uint8_t)v;
    return n;
}

/* A number of column i, of a full one with so many events before it. */
static inline void lane_put(struct cc_trace_lane *l, uint8_t *column, unsigned i, uint32_t count, uint64_t v)
{
    bool full = i < FULL_COLUMNS;
    l->more[i] += lane_varint(column + (full ? count : 0) + l->more[i], v) - (full ? 1 : 0);
}

/* Of most events each number is a byte: they go where as many bytes are as there were events, and some. What
 * is read is read before: a byte that is written may be anything's. */
static inline void lane_numbers(struct cc_trace_lane *l, uint32_t count, uint64_t cycle, uint64_t latency,
                                uint64_t pc, uint64_t addr)
{
    if (__builtin_expect((cycle | latency | pc | addr) < 0x80, 1)) {
        uint32_t a = count + l->more[1], b = count + l->more[2], c = count + l->more[3],
                 d = count + l->more[4];
        l->cycle[a] = (uint8_t)cycle;
        l->latency[b] = (uint8_t)latency;
        l->pc_step[c] = (uint8_t)pc;
        l->addr_step[d] = (uint8_t)addr;
        return;
    }
    lane_put(l, l->cycle, 1, count, cycle);
    lane_put(l, l->latency, 2, count, latency);
    lane_put(l, l->pc_step, 3, count, pc);
    lane_put(l, l->addr_step, 4, count, addr);
}

/* False: the chunk is full, write and clear it. Events of a CPU come in order of time. */
static inline __attribute__((always_inline)) bool cc_trace_lane_add(struct cc_trace_lane *l,
                                                                    const struct cc_trace_event *e)
{
    uint32_t count = atomic_load_explicit(&l->count, memory_order_relaxed);
    if (__builtin_expect(count == l->room, 0) && !cc_trace_lane_room(l))
        return false;
    struct lane_place *p = &l->places[place_of(e->pc)];
    uint64_t lost = lost_causes(e), key = shape_key(e, lost, l->context);
    if (p->key != key) {
        int shape = cc_trace_lane_shape(l, key);
        if (shape < 0)
            return false;
        p->shape = (uint32_t)shape;
        p->key = key;
    }
    if (__builtin_expect(!count, 0)) { /* a chunk stands for itself: its header has the first cycle */
        l->first = l->expected = e->cycle;
        l->any = true;
    }
    uint64_t cycle = zigzag(e->cycle - l->expected), pc = zigzag(e->pc - l->pc), addr;
    if (__builtin_expect(p->predictor.pc == e->pc && e->kind != CC_TRACE_FETCH, 1)) {
        addr = zigzag(e->addr - p->predictor.addr - p->predictor.step); /* as predict and learn have it */
        p->predictor.step = e->addr - p->predictor.addr;
        p->predictor.addr = e->addr;
    } else {
        addr = zigzag(e->addr - predict(&p->predictor, e));
        learn(&p->predictor, e);
        if (p->told != e->pc)
            l->pcs[l->npcs++] = p->told = e->pc;
    }
    l->last_cycle = e->cycle;
    l->expected = expected_cycle(e);
    l->pc = e->pc;
    if (e->context != l->context) {
        lane_put(l, l->context_step, 5, count, zigzag((uint64_t)e->context - l->context));
        l->context = e->context;
    }
    for (unsigned i = 0; lost >> i; i++)
        if (e->lost[i])
            lane_put(l, l->lost, 6, count, e->lost[i]);
    l->shape[count] = (uint8_t)p->shape;
    lane_numbers(l, count, cycle, e->latency, pc, addr);
    /* whoever reads it has been handed it, or this process is dead */
    atomic_signal_fence(memory_order_release);
    atomic_store_explicit(&l->count, count + 1, memory_order_relaxed);
    return true;
}

#endif
