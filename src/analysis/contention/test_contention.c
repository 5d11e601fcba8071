#include "../../../tests/tap.h"
#include "contention.h"
#include "internal.h"

#include <unistd.h>

static uint64_t seed = 11;
static uint64_t rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static char path[TAP_FOLDER], why[CC_TRACE_ERR];

static int by_cycle(const void *a, const void *b)
{
    const struct cc_trace_event *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return (x->cpu > y->cpu) - (x->cpu < y->cpu);
}

/* Code at 0x1000 + 0x100 k is function names[k] of a.c, line 10 (k + 1) + i for its i-th instruction. */
static const char *const names[] = {"idct", "memcpy", "quiet", "spin_wait", "release", "helper"};

static struct cc_trace_reader *make(struct cc_trace_event *v, size_t n)
{
    struct cc_trace_writer *w = cc_trace_writer_open(path, why);
    qsort(v, n, sizeof *v, by_cycle);
    for (size_t i = 0; i < n; i++)
        if (cc_trace_writer_add(w, &v[i]) < 0)
            abort();
    for (uint64_t k = 0; k < CC_COUNT(names); k++) {
        uint64_t from = 0x1000 + 0x100 * k;
        cc_trace_writer_symbol(w, &(struct cc_trace_symbol){.from = from,
                                                            .to = from + 0x100,
                                                            .name = names[k],
                                                            .file = "a.c",
                                                            .line = (uint32_t)(10 * (k + 1))});
        for (uint64_t i = 0; i < 10; i++)
            cc_trace_writer_line(w, &(struct cc_trace_line){.addr = from + 4 * i,
                                                            .file = "a.c",
                                                            .line = (uint32_t)(10 * (k + 1) + i)});
    }
    cc_trace_writer_object(
        w, &(struct cc_trace_object){.from = 0x10000, .to = 0x20000, .until = UINT64_MAX, .name = "table"});
    cc_trace_writer_object(
        w, &(struct cc_trace_object){.from = 0x30000, .to = 0x30008, .until = UINT64_MAX, .name = "flag"});
    cc_trace_writer_close(w, why);
    struct cc_trace_reader *r;
    struct cc_err err = {0};
    cc_trace_open(path, &r, &err);
    return r;
}

static struct cc_trace_event event(uint64_t cycle, unsigned cpu, unsigned kind, unsigned function,
                                   unsigned line, uint64_t addr, uint32_t latency)
{
    return (struct cc_trace_event){.cycle = cycle,
                                   .cpu = (uint16_t)cpu,
                                   .kind = (uint8_t)kind,
                                   .pc = 0x1000 + 0x100 * function + 4 * line,
                                   .addr = addr,
                                   .latency = latency,
                                   .node = CC_TRACE_NO_NODE,
                                   .size = 4};
}

/* Bursts in which idct line 13 loads the table on every CPU while memcpy line 25 stores on CPU 0 and 1;
 * between them CPUs run `quiet` with memory to themselves. */
static size_t bursts(struct cc_trace_event *v, unsigned cpus, unsigned n)
{
    size_t k = 0;
    for (unsigned b = 0; b < n; b++) {
        uint64_t at = (uint64_t)b * 5000;
        for (unsigned cpu = 0; cpu < cpus; cpu++) {
            for (unsigned i = 0; i < 3; i++)
                v[k++] = event(at + 10 * cpu + 40 * i, cpu, CC_TRACE_LOAD, 0, 3, 0x10000 + rnd() % 0x8000,
                               50 + (uint32_t)(rnd() % 30));
            if (cpu < 2)
                v[k++] = event(at + 20 + cpu, cpu, CC_TRACE_STORE, 1, 5, 0x40000 + rnd() % 0x8000,
                               60 + (uint32_t)(rnd() % 10));
            for (unsigned i = 0; i < 14; i++)
                v[k++] = event(at + 1000 + 250 * i + 60 * cpu, cpu, CC_TRACE_LOAD, 2, i % 3,
                               0x50000 + 64 * rnd() % 4096, 20);
        }
    }
    return k;
}

static const struct cc_contention_item *find(const struct cc_contention_pattern *p, const char *function)
{
    for (size_t i = 0; i < p->nitems; i++)
        if (p->items[i].function && strcmp(p->items[i].function, function) == 0)
            return &p->items[i];
    return NULL;
}

static void test_latency_method(void)
{
    struct cc_trace_event *v = cc_alloc_array(100000, sizeof *v);
    size_t n = bursts(v, 4, 300);
    struct cc_trace_reader *r = make(v, n);
    struct cc_contention_options o;
    struct cc_contention *c;
    struct cc_err err = {0};
    cc_contention_defaults(&o, CC_CONTENTION_LATENCY);
    OK(cc_contention_mine(r, &o, &c, &err) == 0, "mines (%s)", err.msg);
    OK(c->windows >= 300 && c->windows <= 600, "a window or two a burst (%llu of %llu cycles)",
       (unsigned long long)c->windows, (unsigned long long)c->options.window);
    OK(c->options.window >= 50 && c->options.window <= 400, "a window about as long as a burst");
    OK(c->npatterns >= 1, "a pattern");
    const struct cc_contention_pattern *p = &c->patterns[0];
    const struct cc_contention_item *idct = find(p, "idct"), *copy = find(p, "memcpy");
    OK(idct && idct->line == 13 && idct->kind == CC_TRACE_LOAD && idct->object &&
           strcmp(idct->object, "table") == 0,
       "names idct, its line and its data");
    OK(copy && copy->line == 25 && copy->kind == CC_TRACE_STORE, "and memcpy");
    OK(idct && idct->ncpus == 4 && p->ncpus == 4, "on all CPUs");
    OK(copy && copy->ncpus == 2, "memcpy on two");
    OK(idct && idct->latency_from >= 50 && idct->latency_to <= 80, "latencies %u to %u",
       idct ? idct->latency_from : 0, idct ? idct->latency_to : 0);
    OK(p->support > 0.65 && p->share > 0.8 && p->share <= 1.0001, "explains most of it (%.2f)", p->share);
    for (size_t i = 0; i < c->npatterns; i++)
        if (find(&c->patterns[i], "quiet"))
            OK(0, "quiet has no part in it");
    cc_contention_free(c);
    o.min_lost = 0.9;
    cc_contention_mine(r, &o, &c, &err);
    OK_U64(c->npatterns, 0, "patterns cheaper than --min-lost are left out");
    cc_contention_free(c);
    cc_trace_close(r);
    /* the same without bursts: nothing to report */
    for (size_t i = 0; i < n; i++)
        v[i].latency = 20;
    r = make(v, n);
    o.min_lost = 0.005;
    cc_contention_mine(r, &o, &c, &err);
    OK(c->npatterns == 0 && c->contention == 0, "no contention, no pattern");
    cc_contention_free(c);
    cc_trace_close(r);
    free(v);
}

/* Windows that take too much room: the patterns of a sample are those of all, by both methods. */
static void test_sampled(void)
{
    struct cc_trace_event *v = cc_alloc_array(100000, sizeof *v);
    struct cc_trace_reader *r = make(v, bursts(v, 4, 800));
    for (int m = 0; m < 2; m++) {
        struct cc_contention_options o;
        struct cc_contention *all, *some;
        cc_contention_defaults(&o, m ? CC_CONTENTION_WINDOWS : CC_CONTENTION_LATENCY);
        if (m) {
            o.window = 500;
            o.support = 0.1;
        }
        cc_contention_mine(r, &o, &all, NULL);
        o.most_bytes = 3000;
        cc_contention_mine(r, &o, &some, NULL);
        OK(all->every == 1 && some->every > 1, "every %llu th of %llu windows is kept",
           (unsigned long long)some->every, (unsigned long long)some->windows);
        OK_U64(some->windows, all->windows, "as many are told");
        OK(all->npatterns && some->npatterns, "patterns of both: %zu, %zu", (size_t)all->npatterns,
           (size_t)some->npatterns);
        const struct cc_contention_pattern *p = &all->patterns[0], *q = &some->patterns[0];
        const struct cc_contention_item *x = find(p, "idct"), *y = find(q, "idct");
        OK_NEAR(q->support, p->support, 0.15, "support");
        OK_NEAR(q->share, p->share, 0.1, "share of the contention");
        OK_NEAR((double)q->windows / (double)some->windows, q->support, 0.1, "windows are told as of all");
        OK(x && y && y->line == x->line && y->ncpus == x->ncpus, "the same item");
        OK_NEAR(y && x ? (double)y->events / (double)x->events : 0, 1, 0.3, "its events are told as of all");
        cc_contention_free(all);
        cc_contention_free(some);
    }
    cc_trace_close(r);
    free(v);
}

/* Three phases that alternate, each slow in a function of its own: none is in 65 % of the windows. */
static void test_phases(void)
{
    struct cc_trace_event *v = cc_alloc_array(100000, sizeof *v);
    size_t n = 0;
    for (unsigned b = 0; b < 300; b++)
        for (unsigned cpu = 0; cpu < 4; cpu++) {
            uint64_t at = (uint64_t)b * 5000 + 10 * cpu;
            for (unsigned i = 0; i < 3; i++)
                v[n++] = event(at + 40 * i, cpu, CC_TRACE_LOAD, b % 3, 3, 0x10000 + rnd() % 0x8000,
                               50 + (uint32_t)(rnd() % 30));
            for (unsigned i = 0; i < 14; i++)
                v[n++] =
                    event(at + 1000 + 250 * i, cpu, CC_TRACE_LOAD, 5, i % 3, 0x50000 + 64 * rnd() % 4096, 20);
        }
    struct cc_trace_reader *r = make(v, n);
    struct cc_contention_options o;
    struct cc_contention *c;
    struct cc_err err = {0};
    cc_contention_defaults(&o, CC_CONTENTION_LATENCY);
    cc_contention_mine(r, &o, &c, &err);
    bool found[3] = {false};
    for (size_t i = 0; i < c->npatterns; i++)
        for (unsigned k = 0; k < 3; k++)
            found[k] |= find(&c->patterns[i], names[k]) != NULL;
    OK(found[0] && found[1] && found[2] && c->support_lowered && c->options.support < 0.34,
       "phases that alternate are all named, at a support of %.2f", c->options.support);
    OK(c->explained > 0.9 && c->explained < 1.0001, "together they explain it (%.2f)", c->explained);
    cc_contention_free(c);
    o.explain = 0;
    cc_contention_mine(r, &o, &c, &err);
    OK(c->npatterns == 0 && !c->support_lowered && c->options.support == 0.65,
       "a support that is kept finds none");
    cc_contention_free(c);
    cc_trace_close(r);
    free(v);
}

static void test_windows_method(void)
{
    struct cc_trace_event *v = cc_alloc_array(100000, sizeof *v);
    struct cc_trace_reader *r = make(v, bursts(v, 4, 300));
    struct cc_contention_options o;
    struct cc_contention *c;
    struct cc_err err = {0};
    cc_contention_defaults(&o, CC_CONTENTION_WINDOWS);
    o.window = 500;
    o.support = 0.1; /* bursts fill one window in ten */
    OK(cc_contention_mine(r, &o, &c, &err) == 0 && c->npatterns >= 1, "fixed windows find a pattern");
    OK(c->npatterns && find(&c->patterns[0], "idct") && !find(&c->patterns[0], "memcpy"),
       "idct is on more than two CPUs, memcpy is not");
    OK(c->npatterns && c->patterns[0].saturated == 300, "it saturates every burst (%llu)",
       c->npatterns ? (unsigned long long)c->patterns[0].saturated : 0);
    cc_contention_free(c);
    o.min_cpus = 1;
    cc_contention_mine(r, &o, &c, &err);
    OK(c->npatterns && find(&c->patterns[0], "memcpy"), "with two CPUs enough memcpy is in");
    cc_contention_free(c);
    o.window = 100000; /* demand 4 * 3 * 65 in 100000 cycles, 20 times: far below the bound */
    cc_contention_mine(r, &o, &c, &err);
    OK_U64(c->npatterns, 0, "long windows are not saturated");
    cc_contention_free(c);
    cc_trace_close(r);
    OK_NEAR(cc_contention_bound(1), 1, 1e-12, "bound for one");
    OK_NEAR(cc_contention_bound(2), 0.8284271247461901, 1e-12, "for two");
    OK_NEAR(cc_contention_bound(1000000), 0.6931471805599453, 1e-6, "for many: ln 2");
    free(v);
}

/* The sweep of the thesis, word for word on a list. */
static void naive_sweep(const struct cc_trace_event *v, size_t n, uint64_t w, uint32_t threshold,
                        uint64_t *windows, uint64_t *covered)
{
    uint64_t until = 0, done = 0;
    bool any = false;
    *windows = *covered = 0;
    for (size_t i = 0; i < n; i++) {
        if (v[i].latency < threshold || (any && v[i].cycle <= until))
            continue;
        uint64_t from = v[i].cycle > w / 2 ? v[i].cycle - w / 2 : 0;
        until = v[i].cycle + w / 2;
        any = true;
        ++*windows;
        for (uint64_t t = from; t <= until; t++)
            *covered += t >= done;
        done = until + 1;
    }
}

static void test_sweep(void)
{
    int good = 0, rounds = 150;
    for (int round = 0; round < rounds; round++) {
        struct cc_trace_event v[400];
        size_t n = 20 + rnd() % 380;
        uint64_t at = 0;
        for (size_t i = 0; i < n; i++) {
            at += rnd() % 60;
            v[i] = event(at, (unsigned)(rnd() % 3), CC_TRACE_LOAD, (unsigned)(rnd() % 3), 0, 0x10000,
                         (uint32_t)(10 + rnd() % 50));
        }
        struct cc_trace_reader *r = make(v, n);
        struct cc_contention_options o;
        struct cc_contention *c;
        cc_contention_defaults(&o, CC_CONTENTION_LATENCY);
        o.window = 20 + 2 * (rnd() % 150);
        cc_contention_mine(r, &o, &c, NULL);
        uint64_t windows, covered;
        naive_sweep(v, n, o.window, c->threshold, &windows, &covered);
        double share = (double)covered / (double)(c->last - c->first + 1);
        good += windows == c->windows && fabs(CC_MIN(share, 1.0) - c->coverage) < 1e-9;
        cc_contention_free(c);
        cc_trace_close(r);
    }
    OK(good == rounds, "windows and coverage of %d random traces equal a plain sweep (%d do)", rounds, good);
}

static size_t spinning(struct cc_trace_event *v, bool released)
{
    size_t k = 0;
    for (uint64_t t = 0; t < 1000; t++) { /* CPU 1 polls the flag, a load and two other instructions a turn */
        v[k++] = event(100 + 3 * t, 1, CC_TRACE_LOAD, 3, 1, 0x30000, 1);
        v[k - 1].flags = CC_TRACE_HIT;
        v[k++] = event(101 + 3 * t, 1, CC_TRACE_FETCH, 3, 2, 0x1308, 1);
        v[k - 1].flags = CC_TRACE_HIT;
    }
    for (uint64_t t = 0; t < 100; t++) /* CPU 0 works */
        v[k++] = event(100 + 30 * t, 0, CC_TRACE_LOAD, 5, (unsigned)(t % 5), 0x50000 + 64 * t, 20);
    if (released)
        v[k++] = event(3090, 0, CC_TRACE_STORE, 4, 0, 0x30000, 5);
    v[k++] = event(3101, 1, CC_TRACE_STORE, 5, 0, 0x60000, 5);
    v[k++] = event(3200, 2, CC_TRACE_WAIT, 4, 3, 0x30000, 500);
    return k;
}

static void test_waiting(void)
{
    struct cc_trace_event v[3000];
    struct cc_contention_options o;
    struct cc_contention *c;
    cc_contention_defaults(&o, CC_CONTENTION_LATENCY);
    struct cc_trace_reader *r = make(v, spinning(v, true));
    cc_contention_mine(r, &o, &c, NULL);
    OK_U64(c->nwaits, 2, "a spin loop and a blocked thread");
    OK(c->nwaits && c->waits[0].spinning && strcmp(c->waits[0].function, "spin_wait") == 0 &&
           c->waits[0].line == 41,
       "the loop by function and line");
    OK(c->nwaits && c->waits[0].object && strcmp(c->waits[0].object, "flag") == 0 &&
           c->waits[0].address == 0x30000,
       "what it waits for");
    OK(c->nwaits && c->waits[0].cycles == 2998 && c->waits[0].ncpus == 1 && c->waits[0].cpus[0] == 1,
       "how long and where");
    OK(c->nwaits == 2 && !c->waits[1].spinning && c->waits[1].cycles == 500 &&
           strcmp(c->waits[1].function, "release") == 0,
       "the blocked one");
    cc_contention_free(c);
    cc_trace_close(r);
    r = make(v, spinning(v, false));
    cc_contention_mine(r, &o, &c, NULL);
    OK(c->nwaits == 1 && !c->waits[0].spinning, "a loop over what nobody else writes is work");
    cc_contention_free(c);
    cc_trace_close(r);
}

static void test_odd_traces(void)
{
    struct cc_trace_event v[64];
    struct cc_contention_options o;
    struct cc_contention *c;
    struct cc_err err = {0};
    struct cc_trace_reader *r = make(v, 0);
    cc_contention_defaults(&o, CC_CONTENTION_LATENCY);
    OK(cc_contention_mine(r, &o, &c, &err) < 0 && strstr(err.msg, "no events"), "an empty trace is an error");
    cc_trace_close(r);
    v[0] = event(0, 65535, CC_TRACE_LOAD, 0, 0, 0, UINT32_MAX);
    v[1] = event(UINT64_MAX, 65535, CC_TRACE_LOAD, 0, 0, UINT64_MAX, UINT32_MAX);
    r = make(v, 2);
    for (int method = 0; method < 2; method++) {
        cc_contention_defaults(&o, method);
        int rc = cc_contention_mine(r, &o, &c, &err);
        OK(rc == 0 && c->coverage <= 1, "events at both ends of time, method %d", method);
        cc_contention_free(c);
    }
    cc_trace_close(r);
    int harmless = 0;
    for (int round = 0; round < 200; round++) {
        size_t n = 1 + rnd() % 60;
        for (size_t i = 0; i < n; i++) {
            v[i] =
                event(rnd() >> rnd() % 60, (unsigned)(rnd() % 5), (unsigned)(rnd() % CC_TRACE_KINDS),
                      (unsigned)(rnd() % 8), 0, rnd() >> rnd() % 60, (uint32_t)(rnd() >> 32 >> rnd() % 32));
            v[i].flags = (uint8_t)(rnd() % 2);
        }
        r = make(v, n);
        cc_contention_defaults(&o, round % 2);
        o.place = (enum cc_contention_place)(round % 4);
        o.bins_in_items = round % 3 == 0;
        o.hits = round % 5 == 0;
        o.support = 0.05 + (double)(rnd() % 90) / 100;
        harmless += cc_contention_mine(r, &o, &c, NULL) == 0 && c->coverage >= 0 && c->coverage <= 1;
        cc_contention_free(c);
        cc_trace_close(r);
    }
    OK(harmless == 200, "200 random traces with every option");
}

/* A CPU asks in vain and calls something in between, so that a return address goes by way of the stack: it is
 * looked at in what was called, or (`works`) by who has stored it. Does it spin? */
static bool calling(bool works)
{
    struct spin_cpu c = {0}, ended;
    bool spins = false;
    for (unsigned i = 0; i < 100; i++) {
        struct cc_trace_event asks = {.cycle = i * 100,
                                      .pc = 0x1000,
                                      .addr = 0x8000,
                                      .kind = CC_TRACE_ATOMIC,
                                      .flags = CC_TRACE_VAIN,
                                      .context = 2};
        struct cc_trace_event stores = {
            .cycle = i * 100 + 20, .pc = 0x1010, .addr = 0x9000, .kind = CC_TRACE_STORE, .context = 2};
        struct cc_trace_event looks = {.cycle = i * 100 + 90,
                                       .pc = 0x2000,
                                       .addr = 0x9000,
                                       .kind = CC_TRACE_LOAD,
                                       .context = works ? 2 : 3};
        spins = contention_spin_follow(&c, &asks, &ended);
        contention_spin_follow(&c, &stores, &ended);
        contention_spin_follow(&c, &looks, &ended);
    }
    return spins;
}

static void test_calling(void)
{
    OK(calling(false), "a return address on the stack is no store of a loop that waits");
    OK(!calling(true), "what is stored and looked at again is work");
}

int main(void)
{
    tap_file(path);
    test_calling();
    test_latency_method();
    test_sampled();
    test_phases();
    test_windows_method();
    test_sweep();
    test_waiting();
    test_odd_traces();
    unlink(path);
    return TAP_DONE();
}
