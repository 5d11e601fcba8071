#include "../../../tests/tap.h"
#include "scaling.h"

#include <unistd.h>

static uint64_t seed = 5;
static uint64_t rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static char why[CC_TRACE_ERR];

struct build {
    struct cc_trace_writer *w;
    char path[TAP_FOLDER];
    uint64_t cycle;
};

static void begin(struct build *b, unsigned cores)
{
    char text[16];
    tap_file(b->path);
    b->w = cc_trace_writer_open(b->path, why);
    b->cycle = 0;
    snprintf(text, sizeof text, "%u", cores);
    cc_trace_writer_fact(b->w, "cores", text);
}

static void touch(struct build *b, unsigned kind, uint64_t pc, uint64_t addr, uint32_t latency,
                  unsigned times)
{
    for (unsigned i = 0; i < times; i++)
        cc_trace_writer_add(b->w, &(struct cc_trace_event){.cycle = b->cycle++,
                                                           .kind = (uint8_t)kind,
                                                           .pc = pc,
                                                           .addr = addr,
                                                           .latency = latency,
                                                           .node = CC_TRACE_NO_NODE});
}

static struct cc_trace_reader *finish(struct build *b)
{
    cc_trace_writer_close(b->w, why);
    struct cc_trace_reader *r;
    struct cc_err err = {0};
    cc_trace_open(b->path, &r, &err);
    unlink(b->path);
    return r;
}

/* The toy example of the thesis: hot sets {01,02,03,09,10}, {11,12,13,19,20}, {31,32,33,19,20}. */
static void test_toy(void)
{
    static const uint64_t hot[3][5] = {
        {0x01, 0x02, 0x03, 0x09, 0x10}, {0x11, 0x12, 0x13, 0x19, 0x20}, {0x31, 0x32, 0x33, 0x19, 0x20}};
    struct cc_trace_reader *t[3];
    for (int p = 0; p < 3; p++) {
        struct build b;
        begin(&b, 1u << p);
        for (uint64_t a = 0x1000; a < 0x1100; a++)
            touch(&b, CC_TRACE_FETCH, a, a, 1, 1);
        for (int i = 0; i < 5; i++)
            touch(&b, CC_TRACE_FETCH, hot[p][i], hot[p][i], 10, 100 + 10 * (unsigned)p * (i > 2));
        t[p] = finish(&b);
    }
    struct cc_scaling *s;
    struct cc_err err = {0};
    struct cc_scaling_options o = {.support = 0.5, .top = 10};
    OK(cc_scaling_mine(t, 3, &o, &s, &err) == 0, "the toy example is mined");
    OK_U64(s->min_platforms, 2, "half of three platforms is two");
    OK(s->platforms[0].hot == 5 && s->platforms[1].hot == 5 && s->platforms[2].hot == 5 &&
           s->platforms[0].normal == 256,
       "five hot addresses each");
    OK_U64(s->nhotspots, 1, "one hot spot");
    const struct cc_scaling_hotspot *h = &s->hotspots[0];
    OK(h->support == 2 && h->platforms[0] == 1 && h->platforms[1] == 2, "in platforms 2 and 3");
    OK(h->nitems == 2 && h->items[0].from == 0x19 && h->items[1].from == 0x20, "addresses 19 and 20");
    OK_NEAR(h->time[2], 2 * 1200.0 / (256 + 3 * 1000 + 2 * 1200), 1e-12, "their share of the time");
    OK(isinf(h->growth), "from nothing");
    OK_NEAR(s->platforms[0].growth, 1, 1e-12, "growth is measured from one core");
    cc_scaling_free(s);
    o.support = 1;
    cc_scaling_mine(t, 3, &o, &s, &err);
    OK_U64(s->nhotspots, 0, "none is hot on all three");
    cc_scaling_free(s);
    for (int p = 0; p < 3; p++)
        cc_trace_close(t[p]);
}

/* A lock whose share rises, a kernel whose share falls; data and code lie elsewhere in each run. */
static struct cc_trace_reader *locked_run(int p, unsigned cores)
{
    struct build b;
    uint64_t code = 0x1000 * (uint64_t)(p + 1), data = 0x100000 * (uint64_t)(p + 1);
    begin(&b, cores);
    cc_trace_writer_symbol(
        b.w, &(struct cc_trace_symbol){
                 .from = code, .to = code + 0x40, .name = "lock_acquire", .file = "lock.c", .line = 5});
    cc_trace_writer_symbol(
        b.w, &(struct cc_trace_symbol){
                 .from = code + 0x40, .to = code + 0x80, .name = "kernel", .file = "k.c", .line = 50});
    cc_trace_writer_line(b.w, &(struct cc_trace_line){.addr = code, .file = "lock.c", .line = 7});
    cc_trace_writer_line(b.w, &(struct cc_trace_line){.addr = code + 0x40, .file = "k.c", .line = 52});
    cc_trace_writer_object(b.w, &(struct cc_trace_object){.from = data,
                                                          .to = data + 64,
                                                          .until = UINT64_MAX,
                                                          .function = "make_lock",
                                                          .file = "lock.c",
                                                          .line = 3,
                                                          .storage = CC_TRACE_HEAP});
    for (uint64_t a = 0; a < 500; a++)
        touch(&b, CC_TRACE_LOAD, code + 0x44, 0x900000 + 8 * a, 2, 1);
    touch(&b, CC_TRACE_FETCH, code + 0x48, code + 0x48, 1, 6000);
    touch(&b, CC_TRACE_FETCH, code + 4, code + 4, 1, 3000 * cores);
    touch(&b, CC_TRACE_FETCH, code + 8, code + 8, 1, 3000 * cores);
    touch(&b, CC_TRACE_ATOMIC, code + 4, data + 8, 3, 1000 * cores);
    return finish(&b);
}

static void test_names(void)
{
    struct cc_trace_reader *t[4];
    static const unsigned cores[] = {8, 1, 4, 2}; /* in any order */
    for (int p = 0; p < 4; p++)
        t[p] = locked_run(p, cores[p]);
    struct cc_scaling *s;
    struct cc_err err = {0};
    struct cc_scaling_options o = {.support = 0.5, .top = 10};
    OK(cc_scaling_mine(t, 4, &o, &s, &err) == 0, "runs at different addresses");
    OK(s->platforms[0].cores == 1 && s->platforms[3].cores == 8 && s->order[0] == 1, "platforms by cores");
    OK(s->nhotspots >= 1, "a hot spot");
    const struct cc_scaling_hotspot *h = &s->hotspots[0];
    bool code = false, data = false, kernel = false;
    for (size_t i = 0; s->nhotspots && i < h->nitems; i++) {
        printf("# %d %s %s %u %llx %zu\n", h->items[i].class,
               h->items[i].function ? h->items[i].function : "", h->items[i].object ? h->items[i].object : "",
               h->items[i].line, (unsigned long long)h->items[i].from, h->items[i].addresses);
        code |= h->items[i].class == CC_SCALING_CODE && strcmp(h->items[i].function, "lock_acquire") == 0 &&
                h->items[i].line == 7 && h->items[i].addresses == 2;
        data |= h->items[i].class == CC_SCALING_DATA && strcmp(h->items[i].object, "make_lock") == 0 &&
                h->items[i].from == 0x100008;
        kernel |= h->items[i].function && strcmp(h->items[i].function, "kernel") == 0;
    }
    OK(code && data, "the lock's code and its data, matched by name");
    OK(!kernel, "the kernel, whose share falls, is none");
    OK(s->nhotspots && h->time[0] < h->time[1] && h->time[1] < h->time[2] && h->time[2] < h->time[3] &&
           h->growth > 1,
       "its share rises");
    cc_scaling_free(s);
    for (int p = 0; p < 4; p++)
        cc_trace_close(t[p]);
}

static void test_clusters(void)
{
    int settled = 0, found = 0, rounds = 300;
    for (int round = 0; round < rounds; round++) {
        enum { N = 200 };
        double x[N], y[N], c[4];
        bool hot[N];
        size_t n = 2 + rnd() % (N - 2), planted = 1 + rnd() % (n / 2), good = 0;
        for (size_t i = 0; i < n; i++) {
            double base = i < planted ? 10 : 0;
            x[i] = base + (double)(rnd() % 1000) / 1000;
            y[i] = base + (double)(rnd() % 1000) / 1000;
        }
        size_t got = cc_scaling_cluster(x, y, n, hot, c);
        for (size_t i = 0; i < n; i++)
            good += hot[i] == (i < planted);
        found += got == planted && good == n;
        for (size_t i = 0; i < n; i++) { /* anything at all: must come to rest */
            x[i] = (double)(rnd() % 1000);
            y[i] = (double)(rnd() % 1000);
        }
        got = cc_scaling_cluster(x, y, n, hot, c);
        double mean[4] = {0};
        bool near = c[2] + c[3] > c[0] + c[1];
        for (size_t i = 0; i < n; i++) {
            double cold = hypot(x[i] - c[0], y[i] - c[1]), warm = hypot(x[i] - c[2], y[i] - c[3]);
            near = near && (hot[i] ? warm <= cold + 1e-9 : cold <= warm + 1e-9);
            mean[2 * hot[i]] += x[i] / (double)(hot[i] ? got : n - got);
            mean[2 * hot[i] + 1] += y[i] / (double)(hot[i] ? got : n - got);
        }
        for (int k = 0; k < 4; k++)
            near = near && fabs(mean[k] - c[k]) < 1e-6;
        settled += near;
    }
    OK(found == rounds, "planted clusters are found (%d of %d)", found, rounds);
    OK(settled == rounds, "and every result is at rest: points next to their own mean (%d of %d)", settled,
       rounds);
    double x[3] = {1, 1, 1}, y[3] = {2, 2, 2}, c[4];
    bool hot[3];
    OK_U64(cc_scaling_cluster(x, y, 3, hot, c), 0, "points all alike: none is hot");
}

int main(void)
{
    test_toy();
    test_names();
    test_clusters();
    struct build b;
    struct cc_err err = {0};
    struct cc_scaling *s;
    begin(&b, 1);
    struct cc_trace_reader *t = finish(&b);
    struct cc_scaling_options o = {.support = 0.5};
    OK(cc_scaling_mine(&t, 1, &o, &s, &err) < 0 && strstr(err.msg, "no events"),
       "an empty trace is an error");
    cc_trace_close(t);
    return TAP_DONE();
}
