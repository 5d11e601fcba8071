/* A watched pair without any engine: closed forms, and random traffic against a model that keeps the whole
 * history and asks every question of it afresh. */
#include "channel.h"
#include "base/rng.h"
#include "../tests/host.h"
#include "tap.h"

#include <stdlib.h>

static struct cc_channel *start(struct cc_channel_limits limits)
{
    struct cc_host host = {.map = cc_test_map, .unmap = cc_test_unmap};
    return cc_channel_new(&host, &limits);
}

static struct cc_rec_channel *finish(struct cc_channel *ch)
{
    static struct cc_rec_channel r;
    cc_channel_result(ch, &r);
    cc_channel_free(ch);
    return &r;
}

static void get(struct cc_channel *ch, uint64_t a, uint32_t size)
{
    cc_channel_consume(ch, (struct cc_channel_reader){0, 0}, a, size,
                       size == 64 ? ~UINT64_C(0) : (UINT64_C(1) << size) - 1);
}

static uint64_t stride(const struct cc_rec_channel *r, int64_t s)
{
    for (uint32_t i = 0; i < r->nstrides; i++)
        if (r->strides[i].stride == s)
            return r->strides[i].count;
    return 0;
}

enum { BASE = 0x10000 };

/* Blocks of k elements through a buffer, each read once in order. */
static void test_fifo(void)
{
    enum { BLOCK = 7, BLOCKS = 50 };
    struct cc_channel *ch = start((struct cc_channel_limits){0});
    for (int b = 0; b < BLOCKS; b++) {
        for (int i = 0; i < BLOCK; i++) {
            cc_channel_produce(ch, BASE + 4 * (uint64_t)i, 4);
            cc_channel_produce(ch, 0x90000, 8); /* the producer's own counter: no part of the channel */
        }
        for (int i = 0; i < BLOCK; i++)
            get(ch, BASE + 4 * (uint64_t)i, 4);
    }
    const struct cc_rec_channel *r = finish(ch);
    OK_U64(r->bytes, BLOCK * BLOCKS * 4, "a FIFO: bytes");
    OK(r->fresh == r->bytes && r->ordered == r->bytes, "all fresh, all in order");
    OK(r->unma == BLOCK * 4 && r->elements == BLOCK * BLOCKS, "addresses, elements");
    OK(r->depth == BLOCK && r->depth_bytes == BLOCK * 4 && r->live == BLOCK * 4, "as deep as a block");
    OK_U64(r->window, 0, "never back");
    OK(r->production_bursts == BLOCKS && r->consumption_bursts == BLOCKS && r->longest_production == BLOCK &&
           r->longest_consumption == BLOCK,
       "bursts");
    OK(r->unit == (BLOCK - 1) * BLOCKS && stride(r, 4) == (BLOCK - 1) * BLOCKS &&
           stride(r, -4 * (BLOCK - 1)) == BLOCKS - 1,
       "strides");
    OK(r->behind[0] == r->bytes && r->flags == 0, "of the present block only");
    OK_U64(r->occupancy[0], BLOCK * 4, "occupancy");
}

static void test_transposed(void)
{
    enum { ROWS = 12, COLUMNS = 20 };
    struct cc_channel *ch = start((struct cc_channel_limits){0});
    for (uint64_t i = 0; i < ROWS * COLUMNS; i++) {
        cc_channel_produce(ch, BASE + 8 * i, 8);
        cc_channel_produce(ch, 0x90000, 8);
    }
    for (uint64_t x = 0; x < COLUMNS; x++)
        for (uint64_t y = 0; y < ROWS; y++)
            get(ch, BASE + 8 * (y * COLUMNS + x), 8);
    const struct cc_rec_channel *r = finish(ch);
    OK_U64(r->window, ((ROWS - 1) * COLUMNS - 1) * 8, "transposed: all but a row back");
    OK_U64(r->ordered, (ROWS + COLUMNS - 1) * 8, "in order: the first column, the last row");
    OK(r->depth == ROWS * COLUMNS && r->production_bursts == 1 && r->consumption_bursts == 1, "one burst");
    OK_U64(stride(r, 8 * COLUMNS), (ROWS - 1) * COLUMNS, "strides of a row");
    OK(r->constant >= (ROWS - 2) * COLUMNS && r->unit == 0, "which are constant");
}

/* A window of three over a stream: each element three times. */
static void test_stencil(void)
{
    enum { N = 1000 };
    struct cc_channel *ch = start((struct cc_channel_limits){0});
    for (uint64_t i = 0; i < N; i++) {
        cc_channel_produce(ch, BASE + 2 * i, 2);
        for (uint64_t k = i - 2; i >= 2 && k <= i; k++)
            get(ch, BASE + 2 * k, 2);
    }
    const struct cc_rec_channel *r = finish(ch);
    OK(r->bytes == 3 * (N - 2) * 2 && r->fresh == N * 2 && r->ordered == r->fresh,
       "a stencil: in order, re-read");
    OK_U64(r->window, 2, "one element back from the newest that was read");
    OK(r->live == 6 && r->depth == 3, "three elements are live; the first three wait together");
    OK(r->reuse[1] == (N - 2) * 2 && r->reuse[0] == 4, "most are read three times, four bytes once or twice");
    OK_U64(r->distance[1], (2 * (N - 2) - 2) * 2, "again after two reads");
}

static void test_rereader(void)
{
    enum { N = 64, TIMES = 10 };
    struct cc_channel *ch = start((struct cc_channel_limits){0});
    for (uint64_t i = 0; i < N; i++)
        cc_channel_produce(ch, BASE + 4 * i, 4);
    for (int k = 0; k < TIMES; k++)
        for (uint64_t i = 0; i < N; i++)
            get(ch, BASE + 4 * i, 4);
    const struct cc_rec_channel *r = finish(ch);
    OK(r->reuse[3] == N * 4 && r->bytes == TIMES * N * 4, "each value ten times");
    OK_U64(r->distance[6], (TIMES - 1) * N * 4, "64 reads apart");
    OK_U64(r->window, (N - 1) * 4, "back to the first");
}

/* While one buffer is filled the other is read, backwards. */
static void test_double_buffer(void)
{
    enum { N = 32, FRAMES = 20 };
    struct cc_channel *ch = start((struct cc_channel_limits){0});
    for (uint64_t f = 0; f <= FRAMES; f++) {
        for (uint64_t i = 0; f < FRAMES && i < N; i++)
            cc_channel_produce(ch, BASE + (f & 1) * 4096 + 4 * i, 4);
        for (uint64_t i = N; f > 0 && i-- > 0;)
            get(ch, BASE + ((f - 1) & 1) * 4096 + 4 * i, 4);
    }
    const struct cc_rec_channel *r = finish(ch);
    OK(r->behind[2] == 0 && r->behind[1] == (FRAMES - 2) * N * 4,
       "double buffer: no more than a frame behind");
    OK(r->depth == 2 * N && r->largest_production == 2 * N * 4, "the first two frames in a burst");
    OK(r->ordered == FRAMES * 4 && r->fresh == r->bytes, "only the first read of a frame is in order");
}

/* What is read in other sizes than it was written. */
static void test_sizes(void)
{
    struct cc_channel *ch = start((struct cc_channel_limits){0});
    for (uint64_t i = 0; i < 100; i++)
        cc_channel_produce(ch, BASE + 250 + 8 * i, 8); /* across pages */
    for (uint64_t i = 0; i < 200; i++)
        get(ch, BASE + 250 + 4 * i, 4);
    const struct cc_rec_channel *r = finish(ch);
    OK(r->fresh == 800 && r->ordered == 800 && r->reuse[0] == 800, "halves: each byte once, in order");
    OK(r->elements == 100 && r->depth == 100 && r->depth_bytes == 800, "elements are as written");
    ch = start((struct cc_channel_limits){0});
    for (uint64_t i = 0; i < 64; i++)
        cc_channel_produce(ch, BASE + 63 - i, 1);
    for (uint64_t i = 4; i-- > 0;)
        get(ch, BASE + 16 * i, 16);
    r = finish(ch);
    OK(r->ordered == 64 && r->reads == 4, "bytes of one read are read at once");
}

/* --- random traffic against the whole history --- */

enum { SPAN = 600, EVENTS = 300, CONSUMED = 20000 };

struct event {
    char what; /* p, c, or o: somebody else writes */
    uint64_t a, own, position;
    uint32_t size, thread;
};

struct use { /* one byte of one production, and its read */
    int produced, read;
    uint64_t a;
};

struct model {
    struct event events[EVENTS];
    int n;
    struct use uses[CONSUMED];
    int nuses;
    bool relevant[EVENTS];
    int touched[EVENTS]; /* event that first read any of it */
    struct cc_rec_channel r;
    uint64_t strides_seen;
};

static int log2_of(uint64_t v)
{
    int k = 0;
    while (v >>= 1)
        k++;
    return k;
}

static bool first_use(const struct model *m, int u)
{
    for (int i = 0; i < u; i++)
        if (m->uses[i].produced == m->uses[u].produced && m->uses[i].a == m->uses[u].a)
            return false;
    return true;
}

static int next_use(const struct model *m, int u) /* of the same byte's value; -1: none */
{
    for (int i = u + 1; i < m->nuses; i++)
        if (m->uses[i].produced == m->uses[u].produced && m->uses[i].a == m->uses[u].a)
            return i;
    return -1;
}

static uint64_t newest_before(const struct model *m, int event, bool *any)
{
    uint64_t newest = 0;
    *any = false;
    for (int i = 0; i < m->nuses && m->uses[i].read < event; i++) {
        uint64_t p = m->events[m->uses[i].produced].position;
        newest = !*any || p > newest ? p : newest;
        *any = true;
    }
    return newest;
}

static uint64_t relevant_between(const struct model *m, uint64_t from, uint64_t to)
{
    uint64_t sum = 0;
    for (int i = 0; i < m->n; i++)
        if (m->relevant[i] && m->events[i].position >= from && m->events[i].position < to)
            sum += m->events[i].size;
    return sum;
}

static void model_uses(struct model *m)
{
    struct cc_rec_channel *r = &m->r;
    for (int u = 0; u < m->nuses; u++) {
        const struct use *x = &m->uses[u];
        const struct event *p = &m->events[x->produced];
        bool any, first = first_use(m, u);
        uint64_t newest = newest_before(m, x->read, &any);
        r->bytes++;
        r->fresh += first;
        r->ordered += first && (!any || p->position >= newest);
        if (any && p->position < newest) {
            uint64_t back = relevant_between(m, p->position, newest);
            r->window = back > r->window ? back : r->window;
        }
        int next = next_use(m, u), reads = 1, between = 0;
        for (int k = next; first && k >= 0; k = next_use(m, k))
            reads++;
        if (first)
            r->reuse[log2_of((uint64_t)reads)]++;
        for (int e = x->read + 1; next >= 0 && e <= m->uses[next].read; e++)
            between += m->events[e].what == 'c';
        if (next >= 0)
            r->distance[log2_of((uint64_t)between)]++;
        int rounds = 0;
        for (int e = x->produced + 1; e <= x->read; e++) {
            int before = e - 1; /* a production after a consumption begins a round */
            while (before > 0 && m->events[before].what == 'o')
                before--;
            rounds += m->events[e].what == 'p' && m->events[before].what == 'c';
        }
        r->behind[rounds < 2 ? rounds : 2]++;
    }
    for (uint64_t a = 0; a < SPAN + 64; a++) {
        bool hit = false;
        for (int u = 0; u < m->nuses; u++)
            hit |= m->uses[u].a == BASE + a;
        r->unma += hit;
    }
}

/* After each event: what was made and is still to be read, for the first time or at all. */
static void model_time(struct model *m)
{
    struct cc_rec_channel *r = &m->r;
    for (int t = 0; t < m->n; t++) {
        uint64_t elements = 0, bytes = 0, live = 0;
        for (int e = 0; e <= t; e++)
            elements += m->relevant[e] && m->touched[e] > t;
        for (int u = 0; u < m->nuses; u++) {
            if (m->uses[u].produced > t)
                continue;
            bytes += first_use(m, u) && m->uses[u].read > t;
            live += next_use(m, u) < 0 && m->uses[u].read > t;
        }
        r->depth = elements > r->depth ? elements : r->depth;
        r->depth_bytes = bytes > r->depth_bytes ? bytes : r->depth_bytes;
        r->live = live > r->live ? live : r->live;
    }
}

static void model_bursts(struct model *m)
{
    struct cc_rec_channel *r = &m->r;
    uint64_t made = 0, reads = 0;
    for (int e = 0; e <= m->n; e++) {
        char what = e == m->n ? 'e' : m->events[e].what;
        if ((what == 'p' && !m->relevant[e]) || what == 'o')
            continue;
        if (what != 'p' && made) {
            r->production_bursts++;
            r->production[log2_of(made)]++;
            r->longest_production = made > r->longest_production ? made : r->longest_production;
            made = 0;
        }
        if (what != 'c' && reads) {
            r->consumption_bursts++;
            r->consumption[log2_of(reads)]++;
            r->longest_consumption = reads > r->longest_consumption ? reads : r->longest_consumption;
            reads = 0;
        }
        made += what == 'p';
        reads += what == 'c';
        r->elements += what == 'p';
        r->reads += what == 'c';
    }
}

static void model_strides(struct model *m)
{
    for (uint32_t thread = 0; thread < 3; thread++) {
        const struct event *last = NULL;
        for (int e = 0; e < m->n; e++) {
            const struct event *x = &m->events[e];
            if (x->what != 'c' || x->thread != thread)
                continue;
            uint64_t at = x->a + (uint64_t)__builtin_ctzll(x->own);
            if (last) {
                uint64_t end = last->a + 64 - (uint64_t)__builtin_clzll(last->own);
                m->r.unit += at == end;
                m->strides_seen++;
            }
            last = x;
        }
    }
}

/* Makes traffic, feeds it to the channel and to the model. */
static void traffic(struct model *m, struct cc_channel *ch, struct cc_rng *rng, uint64_t most_produced)
{
    int writer[SPAN + 64];
    uint64_t position = 0, cursor = 0;
    size_t span = 16 + cc_rng_below(rng, SPAN - 16);
    for (int i = 0; i < SPAN + 64; i++)
        writer[i] = -1;
    m->n = 0;
    while (m->n < EVENTS) {
        int kind = (int)cc_rng_below(rng, 10);
        struct event e = {.size = 1u << cc_rng_below(rng, 5), .thread = (uint32_t)cc_rng_below(rng, 3)};
        uint64_t at = cc_rng_below(rng, 3) ? cursor : cc_rng_below(rng, span);
        cursor = at + e.size < span ? at + e.size : 0;
        e.a = BASE + at;
        if (kind < 4 && position + e.size <= most_produced) {
            e.what = 'p';
            e.position = position;
            position += e.size;
            cc_channel_produce(ch, e.a, e.size);
            for (uint32_t i = 0; i < e.size; i++)
                writer[at + i] = m->n;
        } else if (kind == 9) {
            e.what = 'o';
            for (uint32_t i = 0; i < e.size; i++)
                writer[at + i] = -1;
        } else {
            e.what = 'c';
            for (uint32_t i = 0; i < e.size; i++)
                e.own |= (uint64_t)(writer[at + i] >= 0) << i;
            if (!e.own)
                e.what = 'o'; /* an access that is none of the channel's */
            else
                cc_channel_consume(ch, (struct cc_channel_reader){e.thread, 0}, e.a, e.size, e.own);
            for (uint32_t i = 0; i < e.size; i++) {
                if (writer[at + i] < 0)
                    continue;
                m->uses[m->nuses++] = (struct use){writer[at + i], m->n, e.a + i};
                if (!m->relevant[writer[at + i]])
                    m->touched[writer[at + i]] = m->n;
                m->relevant[writer[at + i]] = true;
            }
        }
        m->events[m->n++] = e;
    }
}

static bool alike(const struct cc_rec_channel *a, const struct cc_rec_channel *b)
{
    return a->reads == b->reads && a->bytes == b->bytes && a->unma == b->unma && a->fresh == b->fresh &&
           a->ordered == b->ordered && a->elements == b->elements && a->unit == b->unit &&
           memcmp(a->behind, b->behind, sizeof a->behind) == 0 &&
           memcmp(a->reuse, b->reuse, sizeof a->reuse) == 0 &&
           memcmp(a->distance, b->distance, sizeof a->distance) == 0;
}

static bool alike_in_time(const struct cc_rec_channel *a, const struct cc_rec_channel *b)
{
    return a->depth == b->depth && a->depth_bytes == b->depth_bytes && a->live == b->live &&
           a->production_bursts == b->production_bursts && a->consumption_bursts == b->consumption_bursts &&
           a->longest_production == b->longest_production &&
           a->longest_consumption == b->longest_consumption &&
           memcmp(a->production, b->production, sizeof a->production) == 0 &&
           memcmp(a->consumption, b->consumption, sizeof a->consumption) == 0;
}

static void test_random(struct cc_channel_limits limits, const char *what)
{
    int wrong = 0, wrong_time = 0, wrong_window = 0, wrong_strides = 0, lower = 0;
    const int rounds = tap_rounds(40);
    struct cc_rng rng = {7};
    for (int round = 0; round < rounds; round++) {
        struct model *m = calloc(1, sizeof *m);
        struct cc_channel *ch = start(limits);
        bool small = round & 1; /* so little that every reach is a candidate for the window */
        traffic(m, ch, &rng, small ? 250 : 100000);
        model_uses(m);
        model_time(m);
        model_bursts(m);
        model_strides(m);
        const struct cc_rec_channel *r = finish(ch);
        wrong += !alike(r, &m->r);
        wrong_window += small ? r->window != m->r.window : r->window > m->r.window;
        wrong_strides += r->unit + r->constant + r->irregular != m->strides_seen;
        if (limits.rounds) {
            wrong_time += r->depth < m->r.depth || r->depth_bytes < m->r.depth_bytes || r->live < m->r.live;
            lower += r->production_bursts > m->r.production_bursts;
        } else {
            wrong_time += !alike_in_time(r, &m->r);
        }
        free(m);
    }
    OK(wrong == 0, "%s: counts, order, reuse (%d of %d wrong)", what, wrong, rounds);
    OK(wrong_time == 0 && lower == 0, "%s: depth, live bytes, bursts (%d, %d wrong)", what, wrong_time,
       lower);
    OK(wrong_window == 0, "%s: window (%d wrong)", what, wrong_window);
    OK(wrong_strides == 0, "%s: strides add up (%d wrong)", what, wrong_strides);
}

/* --- bounds --- */

static void test_bounds(void)
{
    struct cc_channel *ch = start(
        (struct cc_channel_limits){.addresses = 4096, .values = 100, .rounds = 16, .produced = 1 << 16});
    for (uint64_t i = 0; i < 100000; i++) {
        cc_channel_produce(ch, BASE + 4 * i, 4);
        get(ch, BASE + 4 * i, 4);
        get(ch, BASE + 4 * (i / 2), 2);
    }
    const struct cc_rec_channel *r = finish(ch);
    OK(r->flags & CC_CHANNEL_LOST && r->unfollowed > 0, "more than is followed: it says so");
    OK(r->fresh <= 400 && r->fresh + r->unfollowed <= r->bytes, "and counts only what it knows");
    OK_U64(r->bytes, 600000, "bytes are counted all the same");
    OK(r->nstrides == CC_CHANNEL_STRIDES && r->other_strides > 0,
       "so many strides that some are not told apart");
    OK_U64(cc_test_mapped, 0, "all memory is given back");

    ch = start((struct cc_channel_limits){.rounds = 64});
    for (uint64_t i = 0; i < 10000; i++) { /* a ring of eight, and one value that waits for ever */
        if (i == 0)
            cc_channel_produce(ch, BASE + 4096, 4);
        cc_channel_produce(ch, BASE + 4 * (i % 8), 4);
        get(ch, BASE + 4 * (i % 8), 4);
    }
    get(ch, BASE + 4096, 4);
    r = finish(ch);
    OK(r->depth >= 2 && r->depth <= 3 && r->flags & CC_CHANNEL_UPPER, "a long wait: depth is an upper bound");
    OK_U64(r->production_bursts, 10000, "bursts are still counted");

    ch = start((struct cc_channel_limits){.produced = 1 << 10});
    for (uint64_t i = 0; i < 100000; i++)
        cc_channel_produce(ch, BASE + 4 * i, 4);
    for (uint64_t i = 100000; i-- > 0;)
        get(ch, BASE + 4 * i, 4);
    r = finish(ch);
    OK(r->flags & CC_CHANNEL_RAW && r->window == 99999 * 4, "the window counts everything beyond the bitmap");
}

/* Two arrays read in turns: as one they jump at every step, each alone goes on where it was. */
static void test_arrays(void)
{
    enum { N = 1000 };
    for (uint32_t told = 0; told < 2; told++) {
        struct cc_channel *ch = start((struct cc_channel_limits){0});
        for (uint64_t i = 0; i < 2 * N; i++)
            cc_channel_produce(ch, BASE + 4 * i, 4);
        for (uint64_t i = 0; i < N; i++)
            for (uint32_t k = 0; k < 2; k++)
                cc_channel_consume(ch, (struct cc_channel_reader){0, told * (k + 1)}, BASE + 4 * (i + k * N),
                                   4, 15);
        const struct cc_rec_channel *r = finish(ch);
        if (told)
            OK(r->unit == 2 * (N - 1) && r->irregular == 0 && stride(r, 4) == 2 * (N - 1),
               "arrays told apart: both in order");
        else
            OK(r->unit == 0 && r->irregular == 2 * N - 1,
               "arrays not told apart: no stride comes twice in a row");
    }
}

int main(void)
{
    test_fifo();
    test_arrays();
    test_transposed();
    test_stencil();
    test_rereader();
    test_double_buffer();
    test_sizes();
    test_random((struct cc_channel_limits){0}, "random");
    test_random((struct cc_channel_limits){.rounds = 16}, "random, few rounds kept");
    test_bounds();
    return TAP_DONE();
}
