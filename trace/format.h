/* The bytes of a trace file, for its reader, its writer and who codes events for that (lane.h). */
#ifndef CC_TRACE_FORMAT_H
#define CC_TRACE_FORMAT_H

#include "trace.h"

#include <string.h>

#define TRACE_MAGIC "CCTRACE1"
#define TRACE_END_MAGIC "CCTREND1"
#define CHUNK_MAGIC "\xc7TRCHNK\x1a"

enum {
    FILE_HEADER = 16, /* magic, version u32, 0 u32 */
    CHUNK_HEADER = 56,
    TRAILER = 16, /* offset of the index chunk u64, end magic */
    FORMAT_VERSION = 2,
    RAW_LIMIT = 4 << 20, /* no chunk is larger than this unpacked, except the index */
    INDEX_LIMIT = 1 << 30,
    INDEX_ENTRY = 40,
    META_FLUSH = 256 << 10,
    STRING_LIMIT = 64 << 10,
    PREDICTORS = 1024,
    COLUMNS = 7, /* shape, cycle, latency, pc, address; context and lost where the shape says so */
    FULL_COLUMNS = 5,
    SHAPE = 8, /* bytes */
};

enum chunk_type { CHUNK_EVENTS = 1, CHUNK_META = 2, CHUNK_INDEX = 3 };
enum meta_tag { META_FACT = 'F', META_SYMBOL = 'S', META_LINE = 'L', META_OBJECT = 'O', META_CONTEXT = 'C' };

struct chunk {
    uint64_t offset; /* of the chunk's header in the file */
    uint8_t type, packed;
    uint16_t cpu;
    uint32_t count, raw, stored;
    uint64_t first, last; /* cycles of the first and last event */
    uint64_t sum;         /* of the stored bytes */
};

static inline void put_le(uint8_t *p, uint64_t v, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        p[i] = (uint8_t)(v >> (8 * i));
}

static inline uint64_t get_le(const uint8_t *p, unsigned n)
{
    uint64_t v = 0;
    for (unsigned i = 0; i < n; i++)
        v |= (uint64_t)p[i] << (8 * i);
    return v;
}

static inline uint64_t zigzag(uint64_t delta)
{
    return (delta << 1) ^ (0 - (delta >> 63));
}

static inline uint64_t unzigzag(uint64_t v)
{
    return (v >> 1) ^ (0 - (v & 1));
}

/* What an event is apart from time, place and latency; each chunk lists the shapes it uses. */
struct shape {
    uint8_t kind, flags, hops, size;
    uint16_t node;
    uint8_t lost;    /* bit 1 << cause: so many numbers in the column */
    uint8_t context; /* 1: it differs from the event before */
};

/* Which causes have lost cycles. Most events have none: that is seen at once. */
static inline uint64_t lost_causes(const struct cc_trace_event *e)
{
    uint64_t lost = 0;
    if (!(e->lost[0] | e->lost[1] | e->lost[2] | e->lost[3] | e->lost[4] | e->lost[5]))
        return 0;
    for (unsigned i = 0; i < CC_TRACE_CAUSES; i++)
        lost |= (uint64_t)(e->lost[i] != 0) << i;
    return lost;
}
_Static_assert(CC_TRACE_CAUSES == 6, "all of them are looked at");

static inline uint64_t shape_key(const struct cc_trace_event *e, uint64_t lost, uint32_t context_before)
{
    return (uint64_t)e->kind | (uint64_t)e->flags << 8 | (uint64_t)e->hops << 16 | (uint64_t)e->size << 24 |
           (uint64_t)e->node << 32 | lost << 48 | (uint64_t)(e->context != context_before) << 56;
}

/* Addresses are foretold per instruction: where it went last plus its last step. Both sides keep the same
 * table, cleared at each chunk. */
struct predictor {
    uint64_t pc, addr, step;
};

static inline unsigned place_of(uint64_t pc)
{
    return (unsigned)((pc * 0x9e3779b97f4a7c15u) >> 54);
}

static inline uint64_t predict(const struct predictor *p, const struct cc_trace_event *e)
{
    if (e->kind == CC_TRACE_FETCH)
        return e->pc;
    return p->pc == e->pc ? p->addr + p->step : p->addr;
}

static inline void learn(struct predictor *p, const struct cc_trace_event *e)
{
    if (e->kind == CC_TRACE_FETCH)
        return;
    p->step = p->pc == e->pc ? e->addr - p->addr : 0;
    p->pc = e->pc;
    p->addr = e->addr;
}

/* When the core is expected to issue again: after what it waited for. */
static inline uint64_t expected_cycle(const struct cc_trace_event *last)
{
    return last->cycle + (last->kind < CC_TRACE_WAIT ? last->latency : 0);
}

struct trace_index {
    struct chunk *v; /* event and metadata chunks in file order */
    size_t n, cap;
    uint32_t lost;  /* places where a chunk must have been */
    bool indexed;   /* closed properly */
    uint64_t end;   /* where the next chunk would go */
    uint64_t bytes; /* of the file */
};

void cc_trace_chunk_encode(const struct chunk *c, uint8_t head[CHUNK_HEADER]);
bool cc_trace_chunk_decode(const uint8_t head[CHUNK_HEADER],
                           struct chunk *ret); /* false: not a chunk header */
uint64_t cc_trace_sum(const void *data, size_t n);
/* From the index at the end, or chunk by chunk when there is none (a killed run, a cut or damaged file). 0,
 * or -1 with a reason. */
int cc_trace_index_load(int fd, struct trace_index *ret, char *err);
void cc_trace_index_fini(struct trace_index *x);
bool cc_trace_read_at(int fd, void *data, size_t n, uint64_t offset);

#endif
