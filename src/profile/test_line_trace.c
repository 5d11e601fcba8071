/* The trace of lines: what is written comes back, from any time on, and damaged bytes are refused. */
#include "line_trace.h"
#include "base/rng.h"
#include "tap.h"

#include <unistd.h>

enum { EVENTS = 20000 };
static struct cc_line_event wanted[2][EVENTS];
static char path[TAP_FOLDER + 32];

static size_t put_number(unsigned char *to, uint64_t v)
{
    size_t n = 0;
    for (; v >= 128; v >>= 7)
        to[n++] = (unsigned char)(v | 128);
    to[n++] = (unsigned char)v;
    return n;
}

/* Entry `i` of its pattern. */
static uint32_t pattern_of(const struct cc_line_event *e, uint32_t i)
{
    uint32_t v = (uint32_t)(e->time * 7 + e->first + i) * 2654435761u;
    return (v >> v % 25) / 4 << 2 | v % CC_LINE_KINDS;
}

static size_t put_counts(unsigned char *to, struct cc_line_event *e, struct cc_rng *r)
{
    uint32_t all = 0;
    size_t n = 0;
    for (unsigned k = 0; k < CC_LINE_KINDS; k++) {
        all += e->count[k] = (uint32_t)cc_rng_below(r, cc_rng_below(r, 2) ? 10 : 1 << 20);
        n += put_number(to + n, e->count[k]);
    }
    e->last = e->time - cc_rng_below(r, e->time + 1);
    e->first = e->last - cc_rng_below(r, e->last + 1);
    n += put_number(to + n, e->time - e->last);
    n += put_number(to + n, e->last - e->first);
    for (uint32_t i = 0; i < all && i < CC_LINES_PATTERN; i++)
        n += put_number(to + n, pattern_of(e, i));
    return n;
}

static int write_thread(struct cc_line_writer *w, uint32_t thread, struct cc_rng *r)
{
    static unsigned char bytes[EVENTS * 240];
    uint64_t time = 0, grain = 0;
    size_t n = 0;
    int rc = 0;
    for (size_t i = 0; i < EVENTS && rc == 0; i++) {
        uint64_t ticks = cc_rng_below(r, 4) ? cc_rng_below(r, 300) : 0, next = cc_rng_next(r) >> 9;
        uint32_t flags = (uint32_t)cc_rng_below(r, CC_LINES_FLAGS + 1);
        n += put_number(bytes + n, ticks);
        n += put_number(bytes + n, cc_lines_pair((int64_t)(next - grain), flags));
        time += ticks;
        grain = next;
        wanted[thread][i] = (struct cc_line_event){time, grain * CC_LOCALITY_GRAIN, flags};
        if (flags & CC_LINES_COUNT)
            n += put_counts(bytes + n, &wanted[thread][i], r);
        if (i + 1 == EVENTS || cc_rng_below(r, 500) == 0) {
            rc = cc_line_writer_add(w, thread, bytes, n, NULL);
            n = 0;
        }
    }
    return rc;
}

static struct cc_store *stored(const void *bytes, size_t size)
{
    struct cc_store *s = NULL;
    struct cc_rng r = {.state = 3};
    if (cc_store_create(path, &s, NULL) < 0)
        return NULL;
    cc_store_skip_sync(s);
    struct cc_line_writer *w = cc_line_writer_new(s);
    int rc = bytes ? cc_line_writer_add(w, 0, bytes, size, NULL) : write_thread(w, 0, &r);
    rc = rc < 0 || bytes ? rc : write_thread(w, 1, &r);
    int written = cc_line_writer_finish(w, NULL);
    rc = rc < 0 ? rc : written;
    int committed = cc_store_commit(s, NULL);
    return rc == 0 && committed == 0 && cc_store_open(path, &s, NULL) == 0 ? s : NULL;
}

static bool same(struct cc_line_event a, struct cc_line_event b)
{
    bool alike = a.time == b.time && a.address == b.address && a.flags == b.flags && a.first == b.first &&
                 a.last == b.last;
    uint32_t all = 0;
    for (unsigned k = 0; k < CC_LINE_KINDS; k++) {
        alike = alike && a.count[k] == b.count[k];
        all += a.count[k];
    }
    for (uint32_t i = 0; alike && i < all && i < CC_LINES_PATTERN; i++)
        alike = cc_line_pattern(&a.pattern) == pattern_of(&b, i);
    return alike;
}

/* Numbers of lines: each line has one, and keeps it. */
static bool numbers(const struct cc_line_trace *t)
{
    uint32_t n = cc_line_trace_lines(t);
    uint64_t *line = cc_alloc_array((size_t)n + 1, sizeof *line), seen = 0;
    bool right = true;
    struct cc_line_cursor c, alone[2];
    struct cc_line_event e, other;
    cc_line_seek(t, 0, &c);
    alone[0] = alone[1] = c;
    while (right && cc_line_next(&c, UINT64_MAX, &e)) {
        bool count = e.flags & CC_LINES_COUNT;
        right = (count ? cc_line_find_count : cc_line_next_access)(&alone[count], UINT64_MAX, &other) &&
                other.line == e.line && other.address == e.address && (!count || other.kinds == e.kinds) &&
                e.line < n;
        if (right && !line[e.line]) {
            line[e.line] = e.address / CC_LOCALITY_LINE + 1;
            seen++;
        }
        right = right && line[e.line] == e.address / CC_LOCALITY_LINE + 1;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < i && k < 100; k++)
            right = right && line[i] != line[k];
    free(line);
    return right && seen == n;
}

/* From `time` up to `until`, against a look at all events: one after the other, and each kind alone. */
static bool reads(const struct cc_line_trace *t, uint32_t thread, unsigned shift, uint64_t time,
                  uint64_t until)
{
    struct cc_line_cursor c, alone[2];
    struct cc_line_event e;
    cc_line_seek(t, time, &c);
    alone[0] = alone[1] = c;
    for (size_t i = 0; i < EVENTS; i++) {
        struct cc_line_event w = wanted[thread][i];
        if (w.time < time || w.time >= until ||
            cc_lines_rank(w.address / CC_LOCALITY_GRAIN) >= (unsigned)CC_LINES_COLOURS >> shift)
            continue;
        if (!cc_line_next(&c, until, &e) || !same(e, w))
            return false;
        e = (struct cc_line_event){0};
        bool counts = w.flags & CC_LINES_COUNT;
        if (!(counts ? cc_line_next_count : cc_line_next_access)(&alone[counts], until, &e) || !same(e, w))
            return false;
    }
    return !cc_line_next(&c, until, &e) && !cc_line_next(&c, until, &e) &&
           !cc_line_next_access(&alone[0], until, &e) && !cc_line_next_count(&alone[1], until, &e);
}

static void test_round_trip(void)
{
    struct cc_store *s = stored(NULL, 0);
    struct cc_rng r = {.state = 9};
    unsigned right = 0, numbered = 0;
    for (uint32_t thread = 0; s && thread < 2; thread++)
        for (unsigned shift = 0; shift < 4; shift += 3) {
            struct cc_line_trace *t = NULL;
            if (cc_line_trace_load(s, thread, shift, &t, NULL) < 0 || !t)
                continue;
            uint64_t last = wanted[thread][EVENTS - 1].time;
            numbered += numbers(t);
            right += reads(t, thread, shift, 0, last + 1);
            for (unsigned i = 0; i < 20; i++) {
                uint64_t from = cc_rng_below(&r, last), to = from + cc_rng_below(&r, 3000);
                right += reads(t, thread, shift, from, to);
            }
            cc_line_trace_free(t);
        }
    OK(right == 4 * 21, "what is written is read, of each thread and from any time (%u)", right);
    OK(numbered == 4, "lines have numbers of their own (%u)", numbered);
    struct cc_line_trace *none = NULL;
    OK(s && cc_line_trace_load(s, 2, 0, &none, NULL) == 0 && !none, "a thread without any has none");
    cc_store_free(s);
}

static void test_damage(void)
{
    static const unsigned char open[] = {1, 4, 200},
                               endless[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 1},
                               late[] = {255, 255, 255, 255, 255, 255, 255, 255, 255, 1, 4, 1, 4},
                               few[] = {9, 8, 1, 1, 0, 0, 0, 4}, before[] = {9, 8, 1, 0, 0, 4, 6, 0},
                               kind[] = {9, 8, 1, 0, 0, 0, 0, 3};
    const struct {
        const unsigned char *v;
        size_t n;
    } cases[] = {{open, sizeof open}, {endless, sizeof endless}, {late, sizeof late},
                 {few, sizeof few},   {before, sizeof before},   {kind, sizeof kind}};
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        struct cc_store *s = stored(cases[i].v, cases[i].n);
        struct cc_line_trace *t = NULL;
        OK(s && cc_line_trace_load(s, 0, 0, &t, NULL) < 0 && !t, "damaged bytes are refused (%zu)", i);
        cc_store_free(s);
    }
}

int main(void)
{
    char folder[TAP_FOLDER];
    tap_folder(folder);
    snprintf(path, sizeof path, "%s/lines.cast", folder);
    test_round_trip();
    test_damage();
    unlink(path);
    rmdir(folder);
    return TAP_DONE();
}
