#include "../src/base/err.h"
#include "../tests/tap.h"
#include "lane.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zstd.h>

static char path[TAP_FOLDER], error[CC_TRACE_ERR];

static struct cc_trace_reader *open_trace(const char *from)
{
    struct cc_trace_reader *r;
    struct cc_err err = {0};
    cc_trace_open(from, &r, &err);
    snprintf(error, sizeof error, "%.*s", CC_TRACE_ERR - 1, err.msg);
    return r;
}

static uint64_t seed = 1;
static uint64_t rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* A stream as a simulator writes it: every instruction fetched, a third of them loads and stores of rows of
 * an array. */
static void like_a_program(struct cc_trace_event *v, size_t n, unsigned cpus)
{
    uint64_t clock[64] = {0}, step[64] = {0};
    for (size_t i = 0; i < n; i++) {
        unsigned cpu = 0;
        for (unsigned c = 1; c < cpus; c++)
            if (clock[c] < clock[cpu])
                cpu = c;
        uint64_t k = step[cpu]++, in_loop = k % 12;
        struct cc_trace_event e = {
            .cycle = clock[cpu], .cpu = (uint16_t)cpu, .node = CC_TRACE_NO_NODE, .size = 4};
        e.pc = 0x400000 + in_loop * 4;
        e.latency = 1;
        e.flags = CC_TRACE_HIT;
        e.addr = e.pc;
        if (in_loop % 3 == 2) {
            e.kind = in_loop == 2 ? CC_TRACE_STORE : CC_TRACE_LOAD;
            e.addr = 0x10000000 + (k / 12) * 8 + in_loop * 0x10000 + cpu * 0x1000000;
            if (k / 12 % 4 == 0) {
                e.flags = 0;
                e.latency = 20 + (uint32_t)(rnd() % 16);
                e.node = 5;
                e.hops = 3;
            }
        }
        clock[cpu] += e.latency;
        v[i] = e;
    }
}

static void anything(struct cc_trace_event *v, size_t n, unsigned cpus)
{
    uint64_t clock[64] = {0};
    for (size_t i = 0; i < n; i++) {
        unsigned cpu = (unsigned)(rnd() % cpus);
        clock[cpu] += rnd() % 8 ? rnd() % 50 : rnd() % 1000000;
        v[i] = (struct cc_trace_event){.cycle = clock[cpu],
                                       .pc = rnd(),
                                       .addr = rnd(),
                                       .latency = (uint32_t)rnd(),
                                       .cpu = (uint16_t)cpu,
                                       .node = (uint16_t)rnd(),
                                       .kind = (uint8_t)(rnd() % CC_TRACE_KINDS),
                                       .flags = (uint8_t)(rnd() % 4),
                                       .hops = (uint8_t)(rnd() % 9),
                                       .size = (uint8_t)(1 << rnd() % 4),
                                       .context = rnd() % 16 ? 7 : (uint32_t)rnd()};
        for (unsigned k = 0; k < CC_TRACE_CAUSES; k++)
            v[i].lost[k] = rnd() % 32 ? 0 : (uint32_t)rnd();
    }
}

static bool same(const struct cc_trace_event *a, const struct cc_trace_event *b)
{
    return a->cycle == b->cycle && a->pc == b->pc && a->addr == b->addr && a->latency == b->latency &&
           a->cpu == b->cpu && a->node == b->node && a->kind == b->kind && a->flags == b->flags &&
           a->hops == b->hops && a->size == b->size && a->context == b->context &&
           memcmp(a->lost, b->lost, sizeof a->lost) == 0;
}

static void write_trace(const struct cc_trace_event *v, size_t n)
{
    struct cc_trace_writer *w = cc_trace_writer_open(path, error);
    for (size_t i = 0; i < n; i++)
        if (cc_trace_writer_add(w, &v[i]) < 0)
            abort();
    cc_trace_writer_fact(w, "cores", "4");
    if (cc_trace_writer_close(w, error) < 0)
        abort();
}

static int by_time(const void *va, const void *vb)
{
    const struct cc_trace_event *a = *(struct cc_trace_event *const *)va,
                                *b = *(struct cc_trace_event *const *)vb;
    if (a->cycle != b->cycle)
        return a->cycle < b->cycle ? -1 : 1;
    if (a->cpu != b->cpu)
        return a->cpu < b->cpu ? -1 : 1;
    return a < b ? -1 : a > b;
}

static bool passes(const struct cc_trace_event *e, const struct cc_trace_filter *f)
{
    return e->cycle >= f->from && e->cycle <= f->to &&
           (!f->cpus || (f->cpus[e->cpu / 8] >> e->cpu % 8 & 1)) &&
           (!f->kinds || (f->kinds >> e->kind & 1)) &&
           (!f->addr_to || (e->addr >= f->addr_from && e->addr <= f->addr_to)) &&
           (!f->pc_to || (e->pc >= f->pc_from && e->pc <= f->pc_to));
}

/* Reads with the filter and compares with the plain list sorted by time and CPU. */
static bool reads_back(struct cc_trace_reader *r, const struct cc_trace_event *v, size_t n,
                       const struct cc_trace_filter *f)
{
    const struct cc_trace_event **sorted = malloc((n + 1) * sizeof(void *));
    size_t kept = 0, i = 0;
    for (size_t k = 0; k < n; k++)
        if (passes(&v[k], f))
            sorted[kept++] = &v[k];
    qsort(sorted, kept, sizeof(void *), by_time);
    struct cc_trace_event e;
    bool ok = cc_trace_select(r, f) == 0;
    for (; ok && cc_trace_next(r, &e); i++)
        ok = i < kept && same(&e, sorted[i]);
    free(sorted);
    return ok && i == kept;
}

static void test_round_trips(void)
{
    enum { N = 200000 };
    struct cc_trace_event *v = malloc(N * sizeof *v);
    struct cc_trace_summary s;
    for (int kind = 0; kind < 2; kind++) {
        (kind ? anything : like_a_program)(v, N, 4);
        write_trace(v, N);
        struct cc_trace_reader *r = open_trace(path);
        OK(r, "%s trace opens", kind ? "a random" : "a program's");
        struct cc_trace_filter all = {.to = UINT64_MAX};
        OK(reads_back(r, v, N, &all), "all events come back, in order");
        OK(reads_back(r, v, N, &all), "and a second time");
        cc_trace_summary(r, &s);
        OK(s.events == N && s.indexed && s.cpus == 4 && s.damaged == 0, "summary");
        printf("# %.2f bytes an event\n", (double)s.bytes / N);
        OK((double)s.bytes / N <= (kind ? 40 : 4), "few bytes an event");
        uint8_t cpus[CC_TRACE_MAX_CPUS / 8] = {6};
        int good = 0;
        for (int i = 0; i < 20; i++) {
            uint64_t at = rnd() % (s.last + 1);
            struct cc_trace_filter f = {.from = at,
                                        .to = at + s.last / 50,
                                        .cpus = i % 2 ? cpus : NULL,
                                        .kinds = i % 3 ? 0 : 6,
                                        .addr_from = i % 5 ? 0 : 0x10000000,
                                        .addr_to = i % 5 ? 0 : 0x11ffffff,
                                        .pc_from = i % 7 ? 0 : 0x400008,
                                        .pc_to = i % 7 ? 0 : 0x400010};
            good += reads_back(r, v, N, &f);
        }
        OK(good == 20, "filters by time, CPU, kind and address agree with a plain search");
        cc_trace_close(r);
    }
    free(v);
}

static void test_refusals(void)
{
    struct cc_trace_writer *w = cc_trace_writer_open(path, error);
    struct cc_trace_event e = {.cycle = 10, .cpu = 65535};
    OK(cc_trace_writer_add(w, &e) == 0, "the last CPU");
    e.cycle = 9;
    OK(cc_trace_writer_add(w, &e) < 0 && strstr(cc_trace_writer_error(w), "cycle 9"),
       "time going backwards is refused");
    e.cycle = 10;
    e.kind = CC_TRACE_KINDS;
    OK(cc_trace_writer_add(w, &e) < 0, "an unknown kind is refused");
    e = (struct cc_trace_event){.cycle = UINT64_MAX, .latency = UINT32_MAX, .cpu = 65535};
    OK(cc_trace_writer_add(w, &e) == 0 && cc_trace_writer_add(w, &e) == 0, "the end of time");
    OK(cc_trace_writer_close(w, error) == 0, "close");
    struct cc_trace_reader *r = open_trace(path);
    size_t n = 0;
    while (cc_trace_next(r, &e))
        n++;
    OK(n == 3 && e.cycle == UINT64_MAX && e.latency == UINT32_MAX && cc_trace_cpu_events(r, 65535) == 3,
       "what was accepted is there");
    cc_trace_close(r);
    OK(!cc_trace_writer_open("/nonexistent/x", error) && error[0], "an unwritable path gives a reason");
    OK(!open_trace("/nonexistent/x") && strstr(error, "cannot open"), "so does an absent trace");
    w = cc_trace_writer_open("/dev/full", error);
    OK(!w || cc_trace_writer_close(w, error) < 0, "a full disk is an error");
}

static void test_metadata(void)
{
    struct cc_trace_writer *w = cc_trace_writer_open(path, error);
    struct cc_trace_event e = {.cycle = 5};
    cc_trace_writer_add(w, &e);
    cc_trace_writer_fact(w, "cores", "1");
    OK(cc_trace_writer_close(w, error) == 0, "first part");
    w = cc_trace_writer_append(path, error);
    OK(w, "append opens");
    e.cycle = 4;
    OK(cc_trace_writer_add(w, &e) < 0, "events before the first part's are refused");
    e.cycle = 6;
    OK(cc_trace_writer_add(w, &e) == 0, "later ones are not");
    cc_trace_writer_fact(w, "cores", "3");
    cc_trace_writer_fact(w, "program", "a\tb");
    cc_trace_writer_symbol(
        w, &(struct cc_trace_symbol){.from = 100, .to = 200, .name = "outer", .file = "a.c", .line = 7});
    cc_trace_writer_symbol(w, &(struct cc_trace_symbol){.from = 120, .to = 130, .name = "inner"});
    for (uint64_t i = 0; i < 20000; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%llu", (unsigned long long)i);
        cc_trace_writer_symbol(
            w, &(struct cc_trace_symbol){
                   .from = 1000 + 10 * i, .to = 1010 + 10 * i, .name = name, .object = "lib.so"});
    }
    cc_trace_writer_line(w, &(struct cc_trace_line){.addr = 100, .file = "a.c", .line = 8});
    cc_trace_writer_line(w, &(struct cc_trace_line){.addr = 104, .file = "a.c", .line = 9});
    cc_trace_writer_line(w, &(struct cc_trace_line){.addr = 200});
    cc_trace_writer_object(
        w, &(struct cc_trace_object){
               .from = 0x1000, .to = 0x1100, .until = 50, .name = "first", .storage = CC_TRACE_HEAP});
    cc_trace_writer_object(
        w, &(struct cc_trace_object){
               .from = 0x1080, .to = 0x1200, .since = 60, .until = UINT64_MAX, .name = "second"});
    OK(cc_trace_writer_close(w, error) == 0, "second part");
    struct cc_trace_reader *r = open_trace(path);
    OK_STR(cc_trace_fact(r, "cores"), "3", "the last fact holds");
    OK_STR(cc_trace_fact(r, "program"), "a\tb", "facts keep their text");
    OK_U64(cc_trace_facts(r), 2, "number of facts");
    OK_STR(cc_trace_find_symbol(r, 110)->name, "outer", "symbol");
    OK_STR(cc_trace_find_symbol(r, 125)->name, "inner", "nested symbol");
    OK_STR(cc_trace_find_symbol(r, 150)->name, "outer", "after the nested one");
    OK(!cc_trace_find_symbol(r, 200) && !cc_trace_find_symbol(r, 99), "outside there is none");
    OK_STR(cc_trace_find_symbol(r, 1000 + 10 * 19999 + 9)->name, "f19999", "last of many");
    OK(cc_trace_find_line(r, 103)->line == 8 && cc_trace_find_line(r, 199)->line == 9, "lines");
    OK(!cc_trace_find_line(r, 200) && !cc_trace_find_line(r, 99), "outside there is none");
    OK_STR(cc_trace_find_object(r, 0x1090, 20)->name, "first", "object by time");
    OK_STR(cc_trace_find_object(r, 0x1090, 70)->name, "second", "a later one at the same place");
    OK(!cc_trace_find_object(r, 0x1090, 55) && !cc_trace_find_object(r, 0x1000, 70), "neither in between");
    struct cc_trace_summary s;
    cc_trace_summary(r, &s);
    OK(s.events == 2 && s.indexed && s.cpus == 3, "summary after appending");
    cc_trace_close(r);
}

/* ---- damage ---- */

static uint8_t *slurp(size_t *n)
{
    int fd = open(path, O_RDONLY);
    *n = (size_t)lseek(fd, 0, SEEK_END);
    uint8_t *data = malloc(*n + 1);
    if (!cc_trace_read_at(fd, data, *n, 0))
        abort();
    close(fd);
    return data;
}

static void dump(const uint8_t *data, size_t n)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (write(fd, data, n) != (ssize_t)n)
        abort();
    close(fd);
}

/* Reads whatever there is; false if the reader breaks its promises (order, kinds, counts). Looks symbols up
 * as well. */
static bool harmless(size_t *ret_events)
{
    struct cc_trace_reader *r = open_trace(path);
    *ret_events = 0;
    if (!r)
        return error[0] != 0;
    struct cc_trace_event e;
    uint64_t last = 0;
    bool ok = true;
    while (ok && cc_trace_next(r, &e)) {
        ok = e.cycle >= last && e.kind < CC_TRACE_KINDS;
        last = e.cycle;
        ++*ret_events;
        const struct cc_trace_symbol *s = cc_trace_find_symbol(r, e.pc);
        const struct cc_trace_object *o = cc_trace_find_object(r, e.addr, e.cycle);
        ok = ok && (!s || s->name[0]) && (!o || o->to > e.addr);
    }
    struct cc_trace_summary s;
    cc_trace_summary(r, &s);
    ok = ok && s.damaged <= s.chunks + 1000;
    cc_trace_close(r);
    return ok;
}

static void small_trace(size_t n, unsigned cpus)
{
    struct cc_trace_event *v = malloc(n * sizeof *v);
    like_a_program(v, n, cpus);
    struct cc_trace_writer *w = cc_trace_writer_open(path, error);
    cc_trace_writer_symbol(w,
                           &(struct cc_trace_symbol){
                               .from = 0x400000, .to = 0x401000, .name = "loop", .file = "a.c", .line = 1});
    cc_trace_writer_object(w,
                           &(struct cc_trace_object){
                               .from = 0x10000000, .to = 0x20000000, .until = UINT64_MAX, .name = "array"});
    for (size_t i = 0; i < n; i++) {
        cc_trace_writer_add(w, &v[i]);
        if (i % 500 == 499)
            cc_trace_writer_flush(w);
    }
    cc_trace_writer_close(w, error);
    free(v);
}

static void test_killed(void)
{
    enum { N = 400000 };
    pid_t child = fork();
    if (child == 0) {
        struct cc_trace_event *v = malloc(N * sizeof *v);
        like_a_program(v, N, 4);
        struct cc_trace_writer *w = cc_trace_writer_open(path, error);
        for (size_t i = 0; i < N; i++)
            cc_trace_writer_add(w, &v[i]);
        _exit(0); /* as if killed: nothing is flushed */
    }
    waitpid(child, NULL, 0);
    struct cc_trace_reader *r = open_trace(path);
    struct cc_trace_summary s;
    cc_trace_summary(r, &s);
    OK(!s.indexed && s.damaged == 0 && s.events >= N - 4 * CC_TRACE_CHUNK_EVENTS,
       "a killed run loses at most a chunk a CPU");
    cc_trace_close(r);
    size_t n, left, worst = SIZE_MAX;
    small_trace(5000, 3);
    uint8_t *data = slurp(&n);
    bool ok = true, monotone = true;
    for (size_t cut = n; cut-- > 0 && ok;) {
        if (tap_leaves((unsigned)cut))
            continue;
        dump(data, cut);
        ok = harmless(&left);
        monotone = monotone && left <= worst;
        worst = left;
    }
    OK(ok, "a trace cut at any byte is read up to its last whole chunk or refused");
    OK(monotone && worst == 0, "and the less there is, the less comes");
    free(data);
}

/* Who coded was killed before the last event was whole: all others are there. */
static void test_lane_cut(void)
{
    enum { N = 3000 };
    struct cc_trace_event *v = malloc((N + 1) * sizeof *v);
    struct cc_trace_lane *l = malloc(sizeof *l);
    bool ok = true;
    for (unsigned round = 0; round < 40 && ok; round++) {
        (round % 2 ? anything : like_a_program)(v, N + 1, 1);
        uint32_t want = 0, n = (uint32_t)(rnd() % (round % 2 ? 200 : N));
        cc_trace_lane_clear(l);
        l->cpu = 0;
        while (want <= n && cc_trace_lane_add(l, &v[want]))
            want++;
        want -= want > 0;
        l->count = want; /* as if the last store of the last event were missing */
        cc_trace_lane_trim(l);
        struct cc_trace_writer *w = cc_trace_writer_open(path, error);
        ok = cc_trace_writer_lane(w, l) == 0 && cc_trace_writer_events(w) == want &&
             cc_trace_writer_close(w, error) == 0 && l->count == 0;
        struct cc_trace_reader *r = open_trace(path);
        ok = ok && reads_back(r, v, want, &(struct cc_trace_filter){.to = UINT64_MAX});
        struct cc_trace_summary s;
        cc_trace_summary(r, &s);
        ok = ok && s.damaged == 0;
        cc_trace_close(r);
    }
    OK(ok, "what was coded of an event that never was whole is left out");
    free(l);
    free(v);
}

/* The event n times more, every so many cycles: one by one, and as many as possible at once. */
static uint64_t add_both(struct cc_trace_lane *one, struct cc_trace_lane *all, struct cc_trace_event *e,
                         uint64_t n, uint64_t cycles)
{
    uint64_t most = 0;
    for (uint64_t left = n; left;) {
        uint64_t done = cc_trace_lane_repeat(all, left, cycles);
        most = done > most ? done : most;
        for (uint64_t i = 0; i < (done ? done : 1); i++) {
            e->cycle += cycles;
            if (!cc_trace_lane_add(one, e) || (!done && !cc_trace_lane_add(all, e)))
                return most;
        }
        left -= done ? done : 1;
    }
    return most;
}

static bool same_lane(const struct cc_trace_lane *a, const struct cc_trace_lane *b)
{
    static uint8_t x[LANE_PLAIN], y[LANE_PLAIN];
    size_t n = cc_trace_lane_plain(a, x);
    return a->count == b->count && a->last_cycle == b->last_cycle && a->expected == b->expected &&
           cc_trace_lane_plain(b, y) == n && memcmp(x, y, n) == 0;
}

/* What a core that waits looks at again and again is coded at once, as if it were coded one by one. */
static void test_lane_repeat(void)
{
    enum { N = 500, ROUNDS = 300 };
    struct cc_trace_event *v = malloc(N * sizeof *v);
    struct cc_trace_lane *one = malloc(sizeof *one), *all = malloc(sizeof *all);
    uint64_t most = 0;
    bool ok = true;
    cc_trace_lane_clear(one);
    cc_trace_lane_clear(all);
    one->cpu = all->cpu = 0;
    one->any = all->any = false;
    for (unsigned round = 0; round < ROUNDS && ok; round++) {
        like_a_program(v, N, 1);
        struct cc_trace_event e = v[rnd() % N];
        e.cycle = one->last_cycle + rnd() % 1000;
        e.kind = round % 4 ? CC_TRACE_LOAD : e.kind;
        if (round % 4 != 1)
            memset(e.lost, 0, sizeof e.lost);
        bool full = !cc_trace_lane_add(one, &e) || !cc_trace_lane_add(all, &e);
        uint64_t n = rnd() % 3000, cycles = rnd() % (round % 5 ? 40 : 5000);
        n = full ? 0 : add_both(one, all, &e, n, cycles);
        most = n > most ? n : most;
        ok = same_lane(one, all);
        if (full || one->count == CC_TRACE_CHUNK_EVENTS) {
            cc_trace_lane_clear(one);
            cc_trace_lane_clear(all);
        }
    }
    OK(ok, "what is coded again at once is what is coded one by one");
    OK(most > 1000, "and it is most of it (%lu)", (unsigned long)most);
    free(v);
    free(one);
    free(all);
}

static void test_mutations(void)
{
    size_t n, left, most = 0;
    small_trace(5000, 3);
    uint8_t *data = slurp(&n), *copy = malloc(n);
    bool ok = true;
    int rounds = tap_rounds(2000);
    for (int i = 0; i < rounds && ok; i++) {
        memcpy(copy, data, n);
        for (uint64_t k = 0, times = 1 + rnd() % 4; k < times; k++)
            copy[rnd() % n] = (uint8_t)rnd();
        dump(copy, n);
        ok = harmless(&left);
        most = left > most ? left : most;
    }
    OK(ok, "%d damaged traces do no harm", rounds);
    OK(most >= 4500, "and one bad chunk costs only itself (%zu events)", most);
    free(copy);
    free(data);
}

/* A hostile writer gets the checksums right: unpack each chunk, change it, store it plain with correct sums.
 */
static void test_hostile(void)
{
    size_t n, left;
    small_trace(3000, 2);
    uint8_t *data = slurp(&n), *raw = malloc(RAW_LIMIT), *out = malloc(n * 30 + (4 << 20));
    bool ok = true;
    int rounds = tap_rounds(1500);
    for (int round = 0; round < rounds && ok; round++) {
        size_t at = FILE_HEADER, to = FILE_HEADER;
        memcpy(out, data, FILE_HEADER);
        struct chunk c;
        for (; at + CHUNK_HEADER <= n && cc_trace_chunk_decode(data + at, &c);
             at += CHUNK_HEADER + c.stored) {
            struct chunk h = c;
            if (c.type == CHUNK_INDEX)
                break;
            if (c.packed)
                ZSTD_decompress(raw, c.raw, data + at + CHUNK_HEADER, c.stored);
            else
                memcpy(raw, data + at + CHUNK_HEADER, c.raw);
            for (uint64_t k = rnd() % 3; k-- > 0;)
                raw[rnd() % (rnd() % 3    ? c.raw
                             : c.raw < 40 ? c.raw
                                          : 40)] = (uint8_t)(rnd() % 4 ? rnd() : 0xff);
            h.packed = 0;
            h.stored = h.raw;
            if (rnd() % 16 == 0)
                h.count = (uint32_t)(rnd() % 600);
            if (rnd() % 16 == 0)
                h.first = rnd();
            if (rnd() % 16 == 0)
                h.last = rnd();
            if (rnd() % 16 == 0)
                h.cpu = (uint16_t)rnd();
            if (rnd() % 32 == 0)
                h.type = (uint8_t)(rnd() % 5);
            if (rnd() % 32 == 0)
                h.raw = h.stored = (uint32_t)(rnd() % (h.raw + 1));
            h.sum = cc_trace_sum(raw, h.stored);
            cc_trace_chunk_encode(&h, out + to);
            memcpy(out + to + CHUNK_HEADER, raw, h.stored);
            to += CHUNK_HEADER + h.stored;
        }
        dump(out, to);
        ok = harmless(&left);
    }
    OK(ok, "%d forged traces with good checksums do no harm", rounds);
    memcpy(out, data, n);
    out[8] = 9;
    dump(out, n);
    OK(!open_trace(path) && strstr(error, "version 9"), "another version is refused by name");
    free(raw);
    free(out);
    free(data);
}

int main(void)
{
    tap_file(path);
    test_round_trips();
    test_refusals();
    test_metadata();
    test_killed();
    test_lane_cut();
    test_lane_repeat();
    test_mutations();
    test_hostile();
    unlink(path);
    return TAP_DONE();
}
