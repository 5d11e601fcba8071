/* The collector without any engine: closed forms, and random accesses against a model that keeps everything
 * in the plainest way. */
#include "internal.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/mman.h>

/* --- a host --- */

static void *host_map(void *self, size_t size)
{
    (void)self;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        abort();
    return p;
}

static void host_unmap(void *self, void *p, size_t size)
{
    (void)self;
    munmap(p, size);
}

static long host_read(void *self, const char *path, void *to, size_t size, uint64_t offset)
{
    (void)self, (void)path, (void)to, (void)size, (void)offset;
    return -1;
}

static struct cc_collect *fresh_collect(const struct cc_options *options, uint32_t functions)
{
    struct cc_host host = {.map = host_map, .unmap = host_unmap, .read_file = host_read};
    struct cc_collect *c = cc_collect_new(&host, options);
    for (uint32_t i = 0; i < functions; i++) {
        struct cc_function *f = cc_grow_add(c, &c->functions);
        f->object = CC_NONE;
    }
    return c;
}

static struct cc_collect *plain(void)
{
    return fresh_collect(&(struct cc_options){.max_calls = 1000}, 64);
}

/* --- what a snapshot says --- */

struct result {
    struct cc_rec_edge edges[20000];
    size_t nedges;
    struct cc_rec_function functions[256];
    struct cc_rec_context contexts[4096];
    size_t ncontexts;
    struct cc_rec_node nodes[8192];
    size_t nnodes;
    struct cc_rec_run run;
    uint64_t calls_on_line;
    bool whole;
};

struct memory {
    uint8_t *data;
    size_t n;
};

static int memory_write(void *self, const void *data, size_t size)
{
    struct memory *m = self;
    m->data = realloc(m->data, m->n + size);
    memcpy(m->data + m->n, data, size);
    m->n += size;
    return 0;
}

static struct result *snapshot_of(struct cc_collect *c)
{
    struct memory m = {0};
    struct cc_sink sink = {&m, memory_write};
    struct result *r = calloc(1, sizeof *r);
    cc_snapshot(c, &sink, 1, CC_RUN_FINAL);
    uint64_t records = 0;
    for (size_t at = 8; at < m.n;) {
        struct cc_rec_head h;
        memcpy(&h, m.data + at, sizeof h);
        const uint8_t *body = m.data + at + sizeof h;
        at += sizeof h + h.size;
        if (h.tag == CC_REC_EDGE && r->nedges < 20000)
            memcpy(&r->edges[r->nedges++], body, sizeof *r->edges);
        else if (h.tag == CC_REC_FUNCTION) {
            struct cc_rec_function f;
            memcpy(&f, body, sizeof f);
            r->functions[f.id] = f;
        } else if (h.tag == CC_REC_CONTEXT)
            memcpy(&r->contexts[r->ncontexts++], body, sizeof *r->contexts);
        else if (h.tag == CC_REC_NODE)
            memcpy(&r->nodes[r->nnodes++], body, sizeof *r->nodes);
        else if (h.tag == CC_REC_RUN)
            memcpy(&r->run, body, sizeof r->run);
        else if (h.tag == CC_REC_CALL)
            r->calls_on_line++;
        else if (h.tag == CC_REC_END) {
            struct cc_rec_end end;
            memcpy(&end, body, sizeof end);
            r->whole = end.records == records && at == m.n;
        }
        records++;
    }
    free(m.data);
    return r;
}

static const struct cc_rec_edge *edge(const struct result *r, uint32_t level, uint32_t producer,
                                      uint32_t consumer)
{
    static const struct cc_rec_edge none;
    for (size_t i = 0; i < r->nedges; i++)
        if (r->edges[i].level == level && r->edges[i].producer == producer &&
            r->edges[i].consumer == consumer)
            return &r->edges[i];
    return &none;
}

/* --- accesses as an engine makes them --- */

static void load(struct cc_thread *t, uint64_t a, uint32_t size)
{
    switch (size) {
    case 1:
        cc_read(t, a, 0);
        break;
    case 2:
        cc_read(t, a, 1);
        break;
    case 4:
        cc_read(t, a, 2);
        break;
    case 8:
        cc_read(t, a, 3);
        break;
    case 16:
        cc_read(t, a, 4);
        break;
    default:
        cc_read_any(t, a, size);
    }
}

static void store(struct cc_thread *t, uint64_t a, uint32_t size)
{
    switch (size) {
    case 1:
        cc_write(t, a, 0);
        break;
    case 2:
        cc_write(t, a, 1);
        break;
    case 4:
        cc_write(t, a, 2);
        break;
    case 8:
        cc_write(t, a, 3);
        break;
    case 16:
        cc_write(t, a, 4);
        break;
    default:
        cc_write_any(t, a, size);
    }
}

/* --- the model: one entry per byte, sets as bit masks, streams in a flat array --- */

enum { SPACE = 3000, NODES = 24, FUNCTIONS = 5, THREADS = 2 };

struct model_byte {
    int writer;    /* context number; -1: nobody */
    uint32_t seen; /* contexts that read this value */
};

struct model_stream {
    uint64_t bytes, reads, fresh, unma;
    uint8_t touched[SPACE];
};

struct model {
    struct model_byte bytes[SPACE];
    int function[NODES], thread[NODES];
    struct model_stream *by_context, *by_function, *by_thread; /* [producer + 1][consumer] */
};

static uint64_t seed = 12345;
static uint32_t random_below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

static void model_byte_read(struct model *m, int at, int reader)
{
    struct model_byte *b = &m->bytes[at];
    int w = b->writer;
    bool new_context = !(b->seen >> reader & 1), new_function = true, new_thread = true;
    for (int n = 0; n < NODES; n++) {
        if (!(b->seen >> n & 1))
            continue;
        new_function &= m->function[n] != m->function[reader];
        new_thread &= m->thread[n] != m->thread[reader];
    }
    struct model_stream *s[3] = {
        &m->by_context[(w + 1) * NODES + reader],
        &m->by_function[((w < 0 ? -1 : m->function[w]) + 1) * NODES + m->function[reader]],
        &m->by_thread[((w < 0 ? -1 : m->thread[w]) + 1) * NODES + m->thread[reader]]};
    bool is_new[3] = {new_context, new_function, new_thread};
    for (int level = 0; level < 3; level++) {
        s[level]->bytes++;
        s[level]->fresh += is_new[level];
        s[level]->unma += !s[level]->touched[at];
        s[level]->touched[at] = 1;
    }
    b->seen |= 1u << reader;
}

/* An operation counts once on every stream between contexts it draws on. */
static void model_read(struct model *m, int at, int size, int reader)
{
    for (int i = 0; i < size; i++) {
        bool first = true;
        for (int k = 0; k < i; k++)
            first &= m->bytes[at + k].writer != m->bytes[at + i].writer;
        int w = m->bytes[at + i].writer;
        if (!first)
            continue;
        m->by_context[(w + 1) * NODES + reader].reads++;
        m->by_function[((w < 0 ? -1 : m->function[w]) + 1) * NODES + m->function[reader]].reads++;
        m->by_thread[((w < 0 ? -1 : m->thread[w]) + 1) * NODES + m->thread[reader]].reads++;
    }
    for (int i = 0; i < size; i++)
        model_byte_read(m, at + i, reader);
}

static void compare_level(const struct result *r, uint32_t level, const struct model_stream *model, int n,
                          const uint32_t *ids, size_t *wrong, size_t *compared)
{
    for (int p = -1; p < n; p++) {
        for (int c = 0; c < n; c++) {
            const struct model_stream *want = &model[(p + 1) * NODES + c];
            uint32_t producer =
                p < 0
                    ? (level == CC_LEVEL_CONTEXT ? 1 /* the unknown node */ : CC_SPECIAL_ID(CC_NODE_UNKNOWN))
                    : ids[p];
            const struct cc_rec_edge *got = edge(r, level, producer, ids[c]);
            if ((got->bytes != want->bytes || got->reads != want->reads || got->fresh != want->fresh ||
                 got->unma != want->unma) &&
                *wrong < 3)
                printf("# level %u %d -> %d: bytes %lu/%lu reads %lu/%lu fresh %lu/%lu unma %lu/%lu\n", level,
                       p, c, got->bytes, want->bytes, got->reads, want->reads, got->fresh, want->fresh,
                       got->unma, want->unma);
            *wrong += got->bytes != want->bytes || got->reads != want->reads || got->fresh != want->fresh ||
                      got->unma != want->unma;
            *compared += want->bytes > 0;
        }
    }
}

/* Contexts are main -> f(i): two threads, five functions each reached on two paths. */
static void enter(struct cc_thread *t, int path, int function, uint64_t *now)
{
    while (t->depth > 1)
        cc_return(t, ++*now, t->frames[t->depth - 1].ret, 0);
    cc_call(t, ++*now, 10 + (uint32_t)path, 1000, 0);
    cc_call(t, ++*now, 1 + (uint32_t)function, 2000, 0);
}

static void test_random(uint64_t base, int rounds)
{
    struct cc_collect *c = plain();
    struct model *m = calloc(1, sizeof *m);
    m->by_context = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    m->by_function = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    m->by_thread = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    for (int i = 0; i < SPACE; i++)
        m->bytes[i].writer = -1;
    struct cc_thread *threads[THREADS];
    uint32_t node_ids[NODES] = {0}, function_ids[NODES], thread_ids[NODES];
    uint64_t now[THREADS] = {0};
    for (uint32_t t = 0; t < THREADS; t++)
        threads[t] = cc_thread_new(c, t, 0);
    for (int n = 0; n < NODES; n++) {
        m->function[n] = n % FUNCTIONS;
        m->thread[n] = n / (FUNCTIONS * 2) % THREADS;
        function_ids[n] = 1 + (uint32_t)n;
        thread_ids[n] = (uint32_t)n;
    }
    static const uint32_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8, 8, 16, 3, 7, 32, 64, 10};
    for (int i = 0; i < rounds; i++) {
        uint32_t node = random_below(FUNCTIONS * 2 * THREADS);
        struct cc_thread *t = threads[m->thread[node]];
        enter(t, (int)(node / FUNCTIONS % 2), m->function[node], &now[t->id]);
        node_ids[node] = t->node;
        for (uint32_t k = random_below(30); k > 0; k--) {
            uint32_t size = sizes[random_below(sizeof sizes / sizeof *sizes)];
            uint32_t at = random_below(SPACE - 64), span = random_below(4) ? 200 : SPACE - 64;
            at = random_below(3) ? at % span & ~(size - 1) : at % span;
            if (random_below(5) < 2) {
                store(t, base + at, size);
                for (uint32_t b = 0; b < size; b++)
                    m->bytes[at + b] = (struct model_byte){(int)node, 0};
            } else {
                load(t, base + at, size);
                model_read(m, (int)at, (int)size, (int)node);
            }
        }
    }
    for (uint32_t t = 0; t < THREADS; t++)
        cc_thread_end(threads[t], now[t] + 1);
    struct result *r = snapshot_of(c);
    size_t wrong = 0, compared = 0;
    compare_level(r, CC_LEVEL_CONTEXT, m->by_context, FUNCTIONS * 2 * THREADS, node_ids, &wrong, &compared);
    OK(wrong == 0 && compared > 0, "random accesses, contexts: %zu streams as in the model", compared);
    /* reads at coarser levels: an operation that draws on two contexts of one function counts on both, which
     * the model above counts the same way; bytes, fresh and unma are exact */
    wrong = compared = 0;
    compare_level(r, CC_LEVEL_FUNCTION, m->by_function, FUNCTIONS, function_ids, &wrong, &compared);
    OK(wrong == 0 && compared > 0, "random accesses, functions: %zu streams as in the model", compared);
    wrong = compared = 0;
    compare_level(r, CC_LEVEL_THREAD, m->by_thread, THREADS, thread_ids, &wrong, &compared);
    OK(wrong == 0 && compared > 0, "random accesses, threads: %zu streams as in the model", compared);
    OK(r->whole && r->run.instructions == now[0] + now[1] + 2,
       "the snapshot is whole and counts every instruction");
    free(r);
    free(m->by_context);
    free(m->by_function);
    free(m->by_thread);
    free(m);
}

/* --- closed forms --- */

enum { A = 0x10000, F = 1, G = 2, H = 3, MAIN = 10 };

static struct cc_thread *start(struct cc_collect **c)
{
    *c = plain();
    struct cc_thread *t = cc_thread_new(*c, 1, 0);
    cc_call(t, 0, MAIN, 1, 0);
    return t;
}

static void call(struct cc_thread *t, uint32_t f, uint64_t now)
{
    cc_call(t, now, f, 100 + now, 0);
}
static void leave(struct cc_thread *t, uint64_t now)
{
    cc_return(t, now, t->frames[t->depth - 1].ret, 0);
}

static void test_streams(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    call(t, F, 10);
    for (int i = 0; i < 1000; i++)
        store(t, A + (uint64_t)i * 4, 4);
    leave(t, 20);
    call(t, G, 30);
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 1000; i++)
            load(t, A + (uint64_t)i * 4, 4);
    for (int i = 0; i < 250; i++)
        load(t, A + (uint64_t)i * 16, 16);
    leave(t, 40);
    call(t, H, 50);
    for (int i = 0; i < 4000; i++)
        load(t, A + (uint64_t)i, 1);
    load(t, A + 3998, 8); /* two bytes of F's, six of nobody's */
    leave(t, 60);
    cc_thread_end(t, 70);
    struct result *r = snapshot_of(c);
    const struct cc_rec_edge *fg = edge(r, CC_LEVEL_FUNCTION, F, G), *fh = edge(r, CC_LEVEL_FUNCTION, F, H);
    OK(fg->bytes == 16000 && fg->unma == 4000 && fg->reads == 3250 && fg->fresh == 4000,
       "written once, read four times");
    OK(fh->bytes == 4002 && fh->unma == 4000 && fh->reads == 4001 && fh->fresh == 4000,
       "read by bytes, and across the end");
    const struct cc_rec_edge *uh = edge(r, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_UNKNOWN), H);
    OK(uh->bytes == 6 && uh->unma == 6 && uh->reads == 1, "the rest of that access is unknown");
    uint64_t reads = 0;
    for (size_t i = 0; i < r->nnodes; i++)
        reads += r->nodes[i].reads;
    OK_U64(reads, 3250 + 4001, "an operation on two streams is one operation of its node");
    free(r);
}

static void test_system_calls(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_map_range(c, 0x40000, 8192, CC_NODE_STATIC, 0);
    uint32_t file = cc_source(c, "read", "a.dat");
    OK_U64(cc_source(c, "read", "a.dat"), file, "sources are interned");
    cc_input(t, A + 1, 99, file);
    load(t, A, 8);
    load(t, 0x40ffe, 4);
    store(t, A + 50, 4);
    cc_output(t, A, 200);
    cc_unmap_range(c, A, 4096);
    load(t, A + 40, 4);
    cc_thread_end(t, 10);
    struct result *r = snapshot_of(c);
    uint32_t in = CC_SPECIAL_ID(CC_NODE_INPUT), out = CC_SPECIAL_ID(CC_NODE_OUTPUT),
             un = CC_SPECIAL_ID(CC_NODE_UNKNOWN);
    OK_U64(edge(r, CC_LEVEL_FUNCTION, in, MAIN)->bytes, 7, "bytes a system call filled");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_STATIC), MAIN)->bytes, 4, "bytes of the binary");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, in, out)->bytes, 95, "input that goes out again");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, MAIN, out)->bytes, 4, "written bytes that go out");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, un, MAIN)->bytes, 1 + 4, "unmapped memory is nobody's again");
    free(r);
}

static void test_moved(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    call(t, F, 1);
    for (int i = 0; i < 4096; i++)
        if (i % 5)
            store(t, A + (uint64_t)i, 1);
    leave(t, 2);
    cc_copy_range(c, A, A + 0x800000, 4096);
    cc_unmap_range(c, A, 4096);
    for (int i = 0; i < 4096; i += 4)
        load(t, A + 0x800000 + (uint64_t)i, 4);
    cc_thread_end(t, 10);
    struct result *r = snapshot_of(c);
    OK_U64(edge(r, CC_LEVEL_FUNCTION, F, MAIN)->bytes, 4096 - 820, "states move with mremap, byte by byte");
    free(r);
}

/* --- call stacks --- */

static void test_recursion(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    enum { DEEP = 1000000 };
    uint64_t now = 100;
    for (int i = 0; i < DEEP; i++)
        cc_call(t, now += 3, i % 2 ? F : G, 500, 0x7fff0000 - (uint64_t)i * 32);
    OK_U64(t->depth, DEEP + 2, "a million calls deep");
    OK_U64(c->contexts.n, 4, "folded on one context per function");
    for (int i = 0; i < DEEP; i++)
        cc_return(t, now += 3, 500, 0);
    OK_U64(t->depth, 2, "and all the way back");
    cc_thread_end(t, now + 1);
    struct result *r = snapshot_of(c);
    OK_U64(r->functions[F].calls, DEEP / 2, "calls are counted");
    OK_U64(r->functions[G].inclusive, now - 103, "time on the stack counts once, from the outermost call");
    uint64_t sum = 0;
    for (size_t i = 0; i < r->ncontexts; i++)
        sum += r->contexts[i].exclusive;
    OK_U64(sum, now + 1, "exclusive times add up to the run");
    free(r);
}

static void test_odd_returns(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_call(t, 10, F, 100, 900);
    cc_call(t, 20, G, 200, 800);
    cc_call(t, 30, H, 300, 700);
    cc_return(t, 40, 100, 0); /* straight to main, as longjmp through a return does */
    OK_U64(t->depth, 2, "a return to an outer caller leaves all between");
    cc_call(t, 50, F, 100, 900);
    cc_call(t, 60, G, 200, 800);
    cc_call(t, 65, CC_OUTSIDE, 250, 700);
    cc_arrive(t, 70, (struct cc_place){F, false}, 0x5555, 800); /* longjmp lands in F */
    OK(t->depth == 3 && t->function == F, "landing in the middle of a function unwinds to it");
    cc_arrive(t, 80, (struct cc_place){G, true}, 0x6000, 0); /* F jumps to G */
    OK(t->depth == 4 && t->function == G, "a jump to a function's start is a tail call");
    for (int i = 0; i < 1000; i++) {
        cc_arrive(t, 81, (struct cc_place){H, true}, 0x7000, 0);
        cc_arrive(t, 82, (struct cc_place){G, true}, 0x6000, 0);
    }
    OK(t->depth <= 5, "functions that jump to each other for ever need no stack");
    cc_return(t, 90, 100, 0);
    OK(t->depth == 2 && t->function == MAIN, "a return leaves the tail calls and their caller");
    struct result *r = snapshot_of(c);
    OK_U64(r->functions[F].calls, 2, "calls in all");
    free(r);
}

static void test_outside(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_call(t, 10, CC_OUTSIDE, 111, 0); /* main calls qsort, which calls F back twice, then returns */
    OK(t->function == CC_OUTSIDE && t->depth == 2, "a call into a library pushes nothing");
    for (int i = 0; i < 2; i++) {
        cc_call(t, 20, F, 999, 0);
        OK(t->function == F && t->depth == 3, "a callback is called by the function that called the library");
        cc_return(t, 30, 999, 0);
        OK(t->function == CC_OUTSIDE, "and goes back to the library");
    }
    cc_arrive(t, 40, (struct cc_place){MAIN, false}, 111, 0);
    OK(t->function == MAIN && t->depth == 2, "back where the call out returns to");
    cc_call(t, 50, CC_OUTSIDE, 222, 0); /* a stub that jumps on to a function of ours */
    cc_arrive(t, 51, (struct cc_place){G, true}, 0x6000, 0);
    OK(t->function == G && t->depth == 3, "a call through a stub is a call");
    cc_return(t, 60, 222, 0);
    OK(t->function == MAIN && t->depth == 2, "which returns to its caller");
    cc_signal(t);
    cc_arrive(t, 70, (struct cc_place){H, true}, 0x7000, 0);
    OK(t->depth == 3 && t->function == H, "a signal handler is called by what it interrupts");
    cc_return(t, 80, 0xdead, 0);
    OK(t->depth == 2, "and leaves to nowhere known");
    cc_thread_end(t, 90);
}

static void test_bounds(void)
{
    struct cc_collect *c = fresh_collect(
        &(struct cc_options){.max_calls = 100, .max_states = 50, .max_contexts = 20, .call_threshold = 10},
        200);
    struct cc_thread *t = cc_thread_new(c, 1, 0);
    uint64_t now = 0;
    cc_call(t, now, MAIN, 1, 0);
    for (uint32_t i = 0; i < 5000; i++) {
        cc_call(t, ++now, 11 + i % 150, 5, 0);
        cc_call(t, ++now, 11 + i * 7 % 150, 6, 0);
        load(t, A, 4);
        store(t, A + 8 + i % 64 * 4, 4);
        load(t, A + 8 + (i + 1) % 64 * 4, 4);
        cc_return(t, now += i, 6, 0);
        cc_return(t, ++now, 5, 0);
    }
    cc_thread_end(t, now);
    struct result *r = snapshot_of(c);
    OK(r->run.flags & CC_RUN_APPROXIMATE, "more states than the bound: the run says so");
    OK(r->ncontexts <= 20 + 150 && r->ncontexts > 20, "contexts stay near their bound");
    OK(r->calls_on_line <= 100 && r->calls_on_line >= 1 && r->run.call_threshold > 10,
       "the time line keeps the longest calls");
    uint64_t sum = 0, bytes = 0;
    for (size_t i = 0; i < r->ncontexts; i++)
        sum += r->contexts[i].exclusive;
    for (size_t i = 0; i < r->nedges; i++)
        bytes += r->edges[i].level == CC_LEVEL_FUNCTION ? r->edges[i].bytes : 0;
    OK(sum == now && bytes == 5000 * 8, "nothing is lost: instructions and bytes add up");
    free(r);
}

static void test_forget(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    call(t, F, 10);
    store(t, A, 8);
    leave(t, 20);
    load(t, A, 8);
    cc_thread_sync(t, 100);
    cc_forget(c); /* the fork */
    load(t, A, 8);
    cc_thread_end(t, 150);
    struct result *r = snapshot_of(c);
    OK(r->run.instructions == 50 && r->functions[F].calls == 0,
       "a forked child counts its own instructions and calls");
    OK_U64(edge(r, CC_LEVEL_FUNCTION, F, MAIN)->bytes, 8, "and still knows who wrote what it reads");
    free(r);
}

int main(void)
{
    test_streams();
    test_system_calls();
    test_moved();
    test_recursion();
    test_odd_returns();
    test_outside();
    test_bounds();
    test_forget();
    test_random(0x100000, 20000);
    test_random(0x7ffffffff800 - 1500, 20000); /* across the end of a chunk, high up */
    test_random(UINT64_C(0x400000) * 77 - 1024, 20000);
    return TAP_DONE();
}
