#include "lane.h"

_Static_assert((int)LANE_SHAPE == (int)CC_TRACE_CHUNK_EVENTS, "a byte for each event's shape");

static const struct {
    size_t at;
    uint32_t bytes, most; /* of one event */
} columns[COLUMNS] = {
    {offsetof(struct cc_trace_lane, shape), LANE_SHAPE, 1},
    {offsetof(struct cc_trace_lane, cycle), LANE_CYCLE, VARINT},
    {offsetof(struct cc_trace_lane, latency), LANE_LATENCY, VARINT},
    {offsetof(struct cc_trace_lane, pc_step), LANE_PC, VARINT},
    {offsetof(struct cc_trace_lane, addr_step), LANE_ADDR, VARINT},
    {offsetof(struct cc_trace_lane, context_step), LANE_CONTEXT, VARINT},
    {offsetof(struct cc_trace_lane, lost), LANE_LOST, VARINT *CC_TRACE_CAUSES},
};

void cc_trace_lane_clear(struct cc_trace_lane *l)
{
    l->count = l->room = l->nshapes = l->npcs = l->context = 0;
    l->pc = 0;
    memset(l->more, 0, sizeof l->more);
    memset(l->slots, 0, sizeof l->slots);
    memset(l->places, 0, sizeof l->places);
    for (unsigned i = 0; i < PREDICTORS; i++)
        l->places[i].key = UINT64_MAX; /* no event's: there are not so many kinds */
}

static uint32_t length_of(const struct cc_trace_lane *l, unsigned i)
{
    return l->more[i] + (i < FULL_COLUMNS ? l->count : 0);
}

bool cc_trace_lane_room(struct cc_trace_lane *l)
{
    uint32_t count = l->count, room = CC_TRACE_CHUNK_EVENTS - count;
    for (unsigned i = 1; i < COLUMNS; i++) {
        uint32_t here = (columns[i].bytes - length_of(l, i)) / columns[i].most;
        room = here < room ? here : room;
    }
    room = LANE_PCS - l->npcs < room ? LANE_PCS - l->npcs : room;
    l->room = count + room;
    return room > 0;
}

int cc_trace_lane_shape(struct cc_trace_lane *l, uint64_t key)
{
    unsigned slot = (unsigned)((key * 0x9e3779b97f4a7c15u) >> 55);
    for (; l->slots[slot]; slot = (slot + 1) % SHAPE_SLOTS)
        if (l->shapes[l->slots[slot] - 1] == key)
            return l->slots[slot] - 1;
    if (l->nshapes == MAX_SHAPES)
        return -1;
    l->shapes[l->nshapes++] = key;
    l->slots[slot] = (uint16_t)l->nshapes;
    return (int)l->nshapes - 1;
}

/* Is the last event a load that lost nothing, so many cycles after one at the same place? Its time is a byte.
 */
static bool repeats(const struct cc_trace_lane *l, uint64_t cycles)
{
    const struct lane_place *p = &l->places[place_of(l->pc)];
    uint64_t step = zigzag(cycles - (l->expected - l->last_cycle));
    return l->count > 1 && p->predictor.pc == l->pc && !p->predictor.step &&
           (p->key & 0xff) == CC_TRACE_LOAD && !(p->key >> 48) && step < 0x80 &&
           l->expected - l->last_cycle < 0x80 && l->cycle[l->count - 1 + l->more[1]] == step;
}

uint64_t cc_trace_lane_repeat(struct cc_trace_lane *l, uint64_t n, uint64_t cycles)
{
    uint64_t done = 0;
    if (!repeats(l, cycles))
        return 0;
    while (done < n && (l->count < l->room || cc_trace_lane_room(l))) {
        uint32_t count = l->count, left = l->room - count,
                 more = n - done < left ? (uint32_t)(n - done) : left;
        memset(l->shape + count, (int)l->places[place_of(l->pc)].shape, more);
        memset(l->cycle + count + l->more[1], l->cycle[count - 1 + l->more[1]], more);
        memset(l->latency + count + l->more[2], (int)(l->expected - l->last_cycle), more);
        memset(l->pc_step + count + l->more[3], 0, more);
        memset(l->addr_step + count + l->more[4], 0, more);
        l->last_cycle += more * cycles;
        l->expected += more * cycles;
        atomic_signal_fence(memory_order_release); /* as in cc_trace_lane_add */
        atomic_store_explicit(&l->count, count + more, memory_order_relaxed);
        done += more;
    }
    return done;
}

/* Where n numbers end. */
static uint32_t end_of(const uint8_t *p, uint32_t bytes, uint64_t n)
{
    uint32_t at = 0;
    for (; n && at < bytes; at++)
        n -= p[at] < 0x80;
    return at;
}

void cc_trace_lane_trim(struct cc_trace_lane *l)
{
    uint32_t count = l->count <= CC_TRACE_CHUNK_EVENTS ? l->count : 0;
    uint64_t numbers[COLUMNS] = {count, count, count, count, count, 0, 0};
    for (uint32_t i = 0; i < count; i++) {
        uint64_t key = l->shapes[l->shape[i] % MAX_SHAPES];
        numbers[5] += key >> 56;
        numbers[6] += (uint64_t)__builtin_popcountll(key >> 48 & 0xff);
    }
    l->count = count;
    l->nshapes = l->nshapes <= MAX_SHAPES ? l->nshapes : MAX_SHAPES;
    l->npcs = l->npcs <= LANE_PCS ? l->npcs : LANE_PCS;
    for (unsigned i = 1; i < COLUMNS; i++)
        l->more[i] = end_of((const uint8_t *)l + columns[i].at, columns[i].bytes, numbers[i]) -
                     (i < FULL_COLUMNS ? count : 0);
}

size_t cc_trace_lane_plain(const struct cc_trace_lane *l, uint8_t out[static LANE_PLAIN])
{
    size_t n = lane_varint(out, l->nshapes);
    for (unsigned i = 0; i < l->nshapes; i++, n += SHAPE)
        put_le(out + n, l->shapes[i], SHAPE);
    for (unsigned i = 0; i < COLUMNS; i++)
        n += lane_varint(out + n, length_of(l, i));
    for (unsigned i = 0; i < COLUMNS; i++) {
        uint32_t bytes = length_of(l, i);
        memcpy(out + n, (const uint8_t *)l + columns[i].at, bytes);
        n += bytes;
    }
    return n;
}
