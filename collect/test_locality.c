/* Reuse distances against a stack that is searched line by line; the trace of lines against caches that see
 * every access. */
#include "locality.h"
#include "reuse.h"
#include "base/rng.h"
#include "../tests/host.h"
#include "tap.h"

#include <stdlib.h>
#include <string.h>

static unsigned char file[1 << 22];
static size_t written;

static void host_put(void *self, const void *data, size_t size)
{
    (void)self;
    if (size > sizeof file - written)
        abort();
    memcpy(file + written, data, size);
    written += size;
}

static const struct cc_host host = {.map = cc_test_map, .unmap = cc_test_unmap, .put_tasks = host_put};

/* --- distances --- */

struct stack {
    uint64_t v[1 << 14];
    size_t n;
};

/* Its depth, SIZE_MAX for a new one; it is on top afterwards. */
static size_t search(struct stack *s, uint64_t line)
{
    size_t i = 0;
    while (i < s->n && s->v[i] != line)
        i++;
    size_t found = i < s->n ? i : SIZE_MAX;
    s->n += found == SIZE_MAX;
    memmove(s->v + 1, s->v, i * sizeof *s->v);
    s->v[0] = line;
    return found;
}

static uint32_t class_of(size_t distance)
{
    uint32_t j = 0;
    while (distance != SIZE_MAX && j < CC_REUSE_CLASSES && distance >= cc_reuse_bound(j))
        j++;
    return distance == SIZE_MAX ? CC_REUSE_COLD : j;
}

/* Near lines mostly, and now and then far ones or a walk through all. */
static uint64_t pick(struct cc_rng *r, uint64_t lines, uint64_t i)
{
    switch (cc_rng_below(r, 4)) {
    case 0:
        return i % lines;
    case 1:
        return cc_rng_below(r, lines);
    default:
        return cc_rng_below(r, 1 + lines / 16) + i / 64 % lines;
    }
}

static void test_distances(void)
{
    static struct stack model;
    struct cc_rng rng = {.state = 15};
    unsigned wrong = 0, touches = 0;
    for (unsigned round = 0; round < 60; round++) {
        uint64_t lines = 1 + cc_rng_below(&rng, round < 40 ? 70 : 3000);
        struct cc_reuse *r = cc_reuse_new(&host, 1 << 13);
        model.n = 0;
        for (uint64_t i = 0; i < 4000; i++, touches++) {
            uint64_t line = pick(&rng, lines, i);
            struct cc_reuse_found f = cc_reuse_touch(r, line, 7);
            uint32_t class = class_of(search(&model, line));
            wrong += f.class != class || f.weight != 1 || f.fresh != (class == CC_REUSE_COLD);
        }
        cc_reuse_free(r);
    }
    OK(touches == 240000 && wrong == 0, "distances are those of a stack that is searched (%u wrong)", wrong);
    OK(cc_test_mapped == 0, "all memory is given back");
}

static void test_names(void)
{
    struct cc_reuse *r = cc_reuse_new(&host, 64);
    unsigned fresh = 0;
    for (unsigned i = 0; i < 100; i++)
        for (uint32_t who = 0; who < 3; who++)
            fresh += cc_reuse_touch(r, i % 10, who).fresh;
    OK(fresh == 30, "three who share ten lines have ten each (%u)", fresh);
    cc_reuse_free(r);
}

/* A walk over more lines than are kept: all touches are colder than the last class that is full, and counts
 * are right within what one line in 2^shift tells. */
static void test_sample(void)
{
    enum { KEPT = 1 << 10, LINES = 20000, ROUNDS = 10 };
    struct cc_reuse *r = cc_reuse_new(&host, KEPT);
    double cold = 0, near = 0, far = 0;
    for (unsigned k = 0; k < ROUNDS; k++)
        for (uint64_t i = 0; i < LINES; i++) {
            struct cc_reuse_found f = cc_reuse_touch(r, i * 3, 0);
            if (f.class == CC_REUSE_COLD)
                cold += f.weight;
            else if (f.weight && cc_reuse_bound(f.class) < LINES * 3 / 4)
                near += f.weight;
            else
                far += f.weight;
        }
    OK(cc_reuse_shift(r) >= 4 && cc_reuse_shift(r) <= 6, "one line in %u is looked at",
       1u << cc_reuse_shift(r));
    OK(cold > 0.85 * LINES && cold < 1.15 * LINES, "first touches are estimated (%.0f of %d)", cold, LINES);
    OK(near < 0.02 * far && far > 0.85 * LINES * (ROUNDS - 1) && far < 1.15 * LINES * (ROUNDS - 1),
       "so are distances (%.0f near, %.0f far)", near, far);
    cc_reuse_free(r);
}

/* --- the trace --- */

struct cache {
    uint64_t line[1024]; /* by set, the latest first; 1 + line */
    unsigned size, sets, ways;
    uint64_t misses;
};

static void access_cache(struct cache *c, uint64_t address)
{
    uint64_t line = address / c->size + 1, *set = c->line + (line - 1) % c->sets * c->ways;
    unsigned w = 0;
    while (w < c->ways - 1 && set[w] != line)
        w++;
    c->misses += set[w] != line;
    memmove(set + 1, set, w * sizeof *set);
    set[0] = line;
}

static bool number(size_t *at, size_t end, uint64_t *ret)
{
    *ret = 0;
    for (unsigned shift = 0; *at < end; shift += 7) {
        unsigned char byte = file[(*at)++];
        *ret |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static const struct cache shapes[] = {{.size = 32, .sets = 128, .ways = 1},
                                      {.size = 64, .sets = 64, .ways = 4},
                                      {.size = 64, .sets = 128, .ways = 2},
                                      {.size = 64, .sets = 64, .ways = 1}};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct {
    uint64_t loads, stores, atomics;
    uint32_t pattern[4 * CC_LINES_PATTERN]; /* of all, one behind the other */
    unsigned entries;
    unsigned wrong; /* first, last and the pair are not in this order */
} left_out;

static void take_counts(size_t *at, size_t end, uint64_t time)
{
    uint64_t v[5] = {0}, one = 0, span = 0;
    for (unsigned i = 0; i < 5; i++)
        left_out.wrong += !number(at, end, &v[i]);
    uint64_t all = v[0] + v[1] + v[2];
    left_out.loads += v[0];
    left_out.stores += v[1];
    left_out.atomics += v[2];
    left_out.wrong += v[3] > time || v[4] > time - v[3] || all == 0;
    for (unsigned i = 0; i < all && i < CC_LINES_PATTERN; i++) {
        left_out.wrong += !number(at, end, &one) || (one & 3) >= CC_LINE_KINDS;
        span += i ? one >> 2 : 0;
        if (left_out.entries < sizeof left_out.pattern / sizeof *left_out.pattern)
            left_out.pattern[left_out.entries++] = (uint32_t)one;
    }
    left_out.wrong += all <= CC_LINES_PATTERN ? span != v[4] : span > v[4];
}

/* Feeds what was written to caches; also how many pairs there are and the last time. */
static uint64_t replay(struct cache *caches, uint64_t *last)
{
    uint64_t pairs = 0, grain = 0;
    *last = 0;
    for (size_t at = 0; at + 8 <= written;) {
        uint32_t head[2];
        memcpy(head, file + at, sizeof head);
        size_t end = (at += sizeof head) + head[1];
        if (!(head[0] & CC_LINES_OF_THREAD)) {
            at = end;
            continue;
        }
        for (uint64_t ticks, pair; number(&at, end, &ticks) && number(&at, end, &pair);) {
            *last += ticks;
            grain += (uint64_t)cc_lines_step(pair);
            if (pair & CC_LINES_COUNT) {
                take_counts(&at, end, *last);
                continue;
            }
            pairs++;
            for (unsigned k = 0; k < SHAPES; k++)
                access_cache(&caches[k], grain * CC_LOCALITY_GRAIN);
        }
        at = end;
    }
    return pairs;
}

static void test_trace(void)
{
    struct cc_options o = {.locality = true, .program = "", .machine = 183};
    struct cc_collect *c = cc_collect_new(&host, &o);
    struct cc_thread *t = cc_thread_new(c, 1, 0);
    static struct cache all[SHAPES], few[SHAPES];
    memcpy(all, shapes, sizeof all);
    memcpy(few, shapes, sizeof few);
    struct cc_rng rng = {.state = 4};
    uint64_t now = 0, base = 0x10000000, accesses = 300000;
    for (uint64_t i = 0; i < accesses; i++) {
        if (cc_rng_below(&rng, 5000) == 0)
            base += 4096 * cc_rng_below(&rng, 9);
        uint64_t a = base + (cc_rng_below(&rng, 3) ? i * 4 % 20000 : cc_rng_below(&rng, 40000) / 4 * 4);
        cc_locality_access(t, now += 3, a, 4, cc_rng_below(&rng, 4) == 0);
        for (unsigned k = 0; k < SHAPES; k++)
            access_cache(&all[k], a);
    }
    cc_thread_end(t, now);
    uint64_t last, pairs = replay(few, &last);
    bool same = true;
    for (unsigned k = 0; k < SHAPES; k++)
        same = same && all[k].misses == few[k].misses && all[k].misses > 1000;
    OK(same, "caches miss as often with the trace as with all accesses");
    OK(pairs < accesses && pairs > all[3].misses, "%llu of %llu accesses are in it",
       (unsigned long long)pairs, (unsigned long long)accesses);
    OK(last <= now && last + 100 > now, "it goes on to the end");
    OK(pairs + left_out.loads + left_out.stores == accesses && left_out.wrong == 0,
       "what is not in it is counted, %llu loads and %llu stores", (unsigned long long)left_out.loads,
       (unsigned long long)left_out.stores);
}

/* A task's first touch of each line is there, though the task before touched it last. */
static void test_boundary(void)
{
    struct cc_options o = {.locality = true, .program = "", .machine = 183};
    struct cc_collect *c = cc_collect_new(&host, &o);
    struct cc_thread *t = cc_thread_new(c, 1, 0);
    static struct cache caches[SHAPES];
    memcpy(caches, shapes, sizeof caches);
    uint64_t last;
    written = 0;
    for (unsigned k = 0; k < 10; k++) {
        for (unsigned i = 0; i < 100; i++) {
            cc_locality_access(t, k * 100 + i, 0x1000 + i % 8 * 8, 8, false);
            if (i > 50)
                cc_locality_access(t, k * 100 + i, 0x1008, 8, true);
        }
        cc_locality_boundary(t);
    }
    cc_thread_end(t, 1000);
    left_out.loads = left_out.stores = 0;
    OK(replay(caches, &last) == 10 * 3, "two grains and a first write in each of ten tasks");
    OK(left_out.loads == 10 * 98 && left_out.stores == 10 * 48 && !left_out.wrong, "all others are counted");
}

/* What is left out is told one by one, up to a number: how long after the access before, and its kind. */
static void test_pattern(void)
{
    struct cc_options o = {.locality = true, .program = "", .machine = 183};
    struct cc_thread *t = cc_thread_new(cc_collect_new(&host, &o), 1, 0);
    static struct cache caches[SHAPES];
    memcpy(caches, shapes, sizeof caches);
    struct cc_rng rng = {.state = 8};
    uint32_t wanted[100];
    uint64_t last, now = 10, at_last = 0;
    written = 0;
    memset(&left_out, 0, sizeof left_out);
    cc_locality_access(t, now, 0x2000, 8, CC_LINE_STORE);
    cc_locality_access(t, now, 0x2008, 8, CC_LINE_LOAD); /* some caches do not have what was written only */
    for (unsigned i = 0; i < 100; i++) {
        uint32_t ticks = (uint32_t)cc_rng_below(&rng, 40), kind = (uint32_t)cc_rng_below(&rng, CC_LINE_KINDS);
        cc_locality_access(t, now += ticks, 0x2000 + i % 4 * 8, 8, (enum cc_line_kind)kind);
        wanted[i] = ticks << 2 | kind;
        at_last = now;
    }
    cc_locality_access(t, 7, 0x2000, 8, CC_LINE_LOAD); /* as if it were later */
    cc_thread_end(t, 10000);
    uint64_t pairs = replay(caches, &last);
    OK(pairs == 2 && left_out.wrong == 0 && last == at_last &&
           left_out.loads + left_out.stores + left_out.atomics == 101,
       "the first store, the first load and what was left out behind them");
    OK(left_out.entries == CC_LINES_PATTERN &&
           memcmp(left_out.pattern, wanted, sizeof *wanted * CC_LINES_PATTERN) == 0,
       "the first %d of them as they were", CC_LINES_PATTERN);
}

/* Instructions that load and store with nobody between are one access, the first of theirs. */
static void test_atomic_kinds(void)
{
    OK(cc_line_kind(CC_ATOMIC_NONE, false) == CC_LINE_LOAD &&
           cc_line_kind(CC_ATOMIC_NONE, true) == CC_LINE_STORE,
       "loads and stores are loads and stores");
    OK(cc_line_kind(CC_ATOMIC_UPDATE, false) == CC_LINE_ATOMIC &&
           cc_line_kind(CC_ATOMIC_UPDATE, true) == CC_LINE_KINDS,
       "an update is told once");
    OK(cc_line_kind(CC_ATOMIC_STORE, false) == CC_LINE_LOAD &&
           cc_line_kind(CC_ATOMIC_STORE, true) == CC_LINE_ATOMIC,
       "a store-exclusive is one alone");
}

int main(void)
{
    test_distances();
    test_names();
    test_sample();
    test_trace();
    test_boundary();
    test_pattern();
    test_atomic_kinds();
    return TAP_DONE();
}
