/* The collector without any engine: closed forms, and random accesses against a model that keeps everything
 * in the plainest way. */
#include "internal.h"
#include "site.h"
#include "../tests/host.h"
#include "tap.h"

#include <stdlib.h>

/* Through few sites, any of which may do any access, so that they keep finding something else. */
enum { SITES = 5 };
static bool by_site;
static struct cc_load_site load_sites[5][SITES];
static struct cc_store_site store_sites[5][SITES];

static void sites_begin(void)
{
    memset(load_sites, 0, sizeof load_sites);
    memset(store_sites, 0, sizeof store_sites);
    for (uint8_t class = 0; class < 5; class ++)
        for (int i = 0; i < SITES; i++)
            load_sites[class][i].class = store_sites[class][i].class = class;
}

static struct cc_collect *fresh_collect(const struct cc_options *options, uint32_t functions)
{
    struct cc_collect *c = cc_collect_new(&cc_test_host, options);
    sites_begin();
    for (uint32_t i = 0; i < functions; i++) {
        struct cc_function *f = cc_grow_add(c, &c->functions);
        f->binary = CC_NONE;
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
    struct cc_rec_region regions[64];
    char region_names[64][32];
    size_t nregions;
    struct cc_rec_scope scopes[256];
    size_t nscopes;
    struct cc_rec_flow flows[200000];
    size_t nflows;
    struct cc_rec_frame frames[2000];
    size_t nframes;
    struct cc_rec_frame_part parts[8000];
    size_t nparts;
    struct cc_rec_slice slices[20000];
    size_t nslices;
    struct cc_rec_problem problems[16];
    size_t nproblems;
    struct cc_rec_exec execs[256];
    struct cc_rec_block blocks[64];
    size_t nexecs, nblocks, nspans;
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
        else if (h.tag == CC_REC_REGION) {
            struct cc_rec_region *g = &r->regions[r->nregions];
            memcpy(g, body, sizeof *g);
            memcpy(r->region_names[r->nregions++], body + sizeof *g, g->name_size < 31 ? g->name_size : 31);
        } else if (h.tag == CC_REC_SCOPE)
            memcpy(&r->scopes[r->nscopes++], body, sizeof *r->scopes);
        else if (h.tag == CC_REC_FLOW && r->nflows < 200000)
            memcpy(&r->flows[r->nflows++], body, sizeof *r->flows);
        else if (h.tag == CC_REC_FRAME)
            memcpy(&r->frames[r->nframes++], body, sizeof *r->frames);
        else if (h.tag == CC_REC_FRAME_PART)
            memcpy(&r->parts[r->nparts++], body, sizeof *r->parts);
        else if (h.tag == CC_REC_SLICE && r->nslices < 20000)
            memcpy(&r->slices[r->nslices++], body, sizeof *r->slices);
        else if (h.tag == CC_REC_PROBLEM)
            memcpy(&r->problems[r->nproblems++], body, sizeof *r->problems);
        else if (h.tag == CC_REC_BLOCK)
            memcpy(&r->blocks[r->nblocks++], body, sizeof *r->blocks);
        else if (h.tag == CC_REC_EXEC)
            memcpy(&r->execs[r->nexecs++], body, sizeof *r->execs);
        else if (h.tag == CC_REC_SPAN)
            r->nspans++;
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

static const struct cc_rec_region *region(const struct result *r, const char *name)
{
    static const struct cc_rec_region none;
    for (size_t i = 0; i < r->nregions; i++)
        if (strcmp(r->region_names[i], name) == 0)
            return &r->regions[i];
    return &none;
}

/* --- accesses as an engine makes them --- */

static uint64_t seed = 12345;
static uint32_t random_below(uint32_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return (uint32_t)((seed >> 33) % n);
}

static void site_load(struct cc_thread *t, uint64_t a, uint32_t class)
{
    struct cc_load_site *l = &load_sites[class][random_below(SITES)];
    cc_cell *chunk = t->directory[cc_chunk_of(a)];
    if (!chunk || cc_awkward(a, class))
        cc_site_read_other(t, a, l);
    else
        cc_site_read(t, a, l, class, chunk + cc_cell_of(a));
}

static void site_store(struct cc_thread *t, uint64_t a, uint32_t class)
{
    struct cc_store_site *l = &store_sites[class][random_below(SITES)];
    cc_cell *chunk = t->directory[cc_chunk_of(a)];
    if (!chunk || cc_awkward(a, class))
        cc_site_write_other(t, a, l);
    else
        cc_site_write(t, a, l, class, chunk + cc_cell_of(a));
}

static void load(struct cc_thread *t, uint64_t a, uint32_t size)
{
    uint32_t class = (uint32_t)__builtin_ctz(size);
    if (size > 16 || (size & (size - 1)))
        cc_read_any(t, a, size);
    else if (by_site)
        site_load(t, a, class);
    else
        cc_read(t, a, class);
}

static void store(struct cc_thread *t, uint64_t a, uint32_t size)
{
    uint32_t class = (uint32_t)__builtin_ctz(size);
    if (size > 16 || (size & (size - 1)))
        cc_write_any(t, a, size);
    else if (by_site)
        site_store(t, a, class);
    else
        cc_write(t, a, class);
}

/* --- the model: one entry per byte, sets as bit masks, streams in a flat array --- */

enum { SPACE = 3000, NODES = 24, FUNCTIONS = 5, THREADS = 2 };

enum { REGIONS = 3, FRAMES = 300 };

struct model_byte {
    int writer;    /* context number; -1: nobody */
    uint32_t seen; /* contexts that read this value */
    int region;    /* it was written in */
    uint32_t seen_regions;
    uint32_t frame;
};

struct model_stream {
    uint64_t bytes, reads, fresh, unma;
    uint8_t touched[SPACE];
};

struct model {
    struct model_byte bytes[SPACE];
    int function[NODES], thread[NODES];
    struct model_stream *by_context, *by_function, *by_thread, *by_region; /* [producer + 1][consumer] */
    int region;                                                            /* all are in */
    uint32_t frame;
    uint64_t flow[FRAMES][FRAMES];
};

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
    struct model_stream *s[4] = {
        &m->by_context[(w + 1) * NODES + reader],
        &m->by_function[((w < 0 ? -1 : m->function[w]) + 1) * NODES + m->function[reader]],
        &m->by_thread[((w < 0 ? -1 : m->thread[w]) + 1) * NODES + m->thread[reader]],
        &m->by_region[((w < 0 ? -1 : b->region) + 1) * NODES + m->region]};
    bool is_new[4] = {new_context, new_function, new_thread, !(b->seen_regions >> m->region & 1)};
    for (int level = 0; level < 4; level++) {
        s[level]->bytes++;
        s[level]->fresh += is_new[level];
        s[level]->unma += !s[level]->touched[at];
        s[level]->touched[at] = 1;
    }
    b->seen |= 1u << reader;
    b->seen_regions |= 1u << m->region;
    m->flow[w < 0 ? 0 : b->frame][m->frame]++;
}

/* An operation counts once on every stream it draws on between contexts, each in its region. */
static void model_read(struct model *m, int at, int size, int reader)
{
    for (int i = 0; i < size; i++) {
        bool first = true;
        for (int k = 0; k < i; k++)
            first &= m->bytes[at + k].writer != m->bytes[at + i].writer ||
                     m->bytes[at + k].region != m->bytes[at + i].region;
        int w = m->bytes[at + i].writer;
        if (!first)
            continue;
        m->by_context[(w + 1) * NODES + reader].reads++;
        m->by_function[((w < 0 ? -1 : m->function[w]) + 1) * NODES + m->function[reader]].reads++;
        m->by_thread[((w < 0 ? -1 : m->thread[w]) + 1) * NODES + m->thread[reader]].reads++;
        m->by_region[((w < 0 ? -1 : m->bytes[at + i].region) + 1) * NODES + m->region].reads++;
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

static void compare_flows(const struct result *r, const struct model *m)
{
    static uint64_t got[FRAMES][FRAMES];
    size_t wrong = 0, compared = 0;
    memset(got, 0, sizeof got);
    for (size_t i = 0; i < r->nflows; i++)
        if (r->flows[i].level == CC_LEVEL_REGION)
            got[r->flows[i].producer_frame][r->flows[i].consumer_frame] += r->flows[i].bytes;
    for (int p = 0; p < FRAMES; p++)
        for (int c = 0; c < FRAMES; c++) {
            wrong += got[p][c] != m->flow[p][c];
            compared += m->flow[p][c] > 0;
        }
    OK(wrong == 0 && compared > 100, "random accesses, frames: %zu pairs as in the model", compared);
}

/* Contexts are main -> f(i): two threads, five functions each reached on two paths. */
static void enter(struct cc_thread *t, int path, int function, uint64_t *now)
{
    while (t->depth > 1)
        cc_return(t, ++*now, t->activations[t->depth - 1].ret, 0);
    cc_call(t, ++*now, 10 + (uint32_t)path, 1000, 0);
    cc_call(t, ++*now, 1 + (uint32_t)function, 2000, 0);
}

static void test_random(uint64_t base, int rounds, bool frames)
{
    struct cc_collect *c = plain();
    struct model *m = calloc(1, sizeof *m);
    m->by_context = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    m->by_function = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    m->by_thread = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    m->by_region = calloc((NODES + 1) * NODES, sizeof *m->by_region);
    struct cc_mark_site begin[REGIONS] = {{0}}, end[REGIONS] = {{0}},
                        frame = {.what = CC_MARK_SITE_FRAME, .name = ""};
    static const char *const names[REGIONS] = {"", "one", "two"};
    for (int i = 1; i < REGIONS; i++) {
        begin[i] = (struct cc_mark_site){.what = CC_MARK_SITE_REGION_BEGIN, .name = names[i]};
        end[i] = (struct cc_mark_site){.what = CC_MARK_SITE_REGION_END, .name = names[i]};
    }
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
        if (frames && random_below((uint32_t)rounds) < FRAMES - 50 && m->frame + 1 < FRAMES) {
            cc_mark(t, ++now[t->id], &frame, 0);
            m->frame++;
        }
        m->region = (int)random_below(REGIONS);
        if (m->region)
            cc_mark(t, ++now[t->id], &begin[m->region], 0);
        node_ids[node] = cc_context_at(c, t->context)->node;
        for (uint32_t k = random_below(30); k > 0; k--) {
            uint32_t size = sizes[random_below(sizeof sizes / sizeof *sizes)];
            uint32_t at = random_below(SPACE - 64), span = random_below(4) ? 200 : SPACE - 64;
            at = random_below(3) ? at % span & ~(size - 1) : at % span;
            if (random_below(5) < 2) {
                store(t, base + at, size);
                for (uint32_t b = 0; b < size; b++)
                    m->bytes[at + b] =
                        (struct model_byte){.writer = (int)node, .region = m->region, .frame = m->frame};
            } else {
                load(t, base + at, size);
                model_read(m, (int)at, (int)size, (int)node);
            }
        }
        if (m->region)
            cc_mark(t, ++now[t->id], &end[m->region], 0);
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
    uint32_t region_ids[REGIONS] = {0, region(r, "one")->id, region(r, "two")->id};
    wrong = compared = 0;
    compare_level(r, CC_LEVEL_REGION, m->by_region, REGIONS, region_ids, &wrong, &compared);
    OK(wrong == 0 && compared > 0, "random accesses, regions: %zu streams as in the model", compared);
    if (frames)
        compare_flows(r, m);
    OK(r->whole && r->run.instructions == now[0] + now[1] + 2,
       "the snapshot is whole and counts every instruction");
    free(r);
    free(m->by_context);
    free(m->by_function);
    free(m->by_thread);
    free(m->by_region);
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
    cc_return(t, now, t->activations[t->depth - 1].ret, 0);
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

/* Who has read a place before says nothing about the place it is moved to. */
static void test_moved_readers(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    uint64_t now = 0, there = A + 0x800000;
    for (int round = 0; round < 3; round++) {
        call(t, F, ++now);
        store(t, A, 8);
        leave(t, ++now);
        load(t, A, 8);
    }
    cc_copy_range(c, A, there, 4096);
    cc_unmap_range(c, A, 4096);
    for (int round = 0; round < 3; round++) {
        call(t, F, ++now);
        store(t, there, 8);
        leave(t, ++now);
        load(t, there, 8);
    }
    cc_thread_end(t, ++now);
    struct result *r = snapshot_of(c);
    const struct cc_rec_edge *e = edge(r, CC_LEVEL_FUNCTION, F, MAIN);
    OK(e->bytes == 48 && e->fresh == 48 && e->unma == 16,
       "addresses count where they are read, before and after mremap");
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
    const struct cc_rec_edge *e = edge(r, CC_LEVEL_FUNCTION, F, MAIN);
    OK_U64(e->bytes, 8, "and still knows who wrote what it reads");
    OK(e->fresh == 8 && e->unma == 8, "which it reads for the first time");
    free(r);
}

/* --- marks --- */

static struct cc_mark_site site(enum cc_mark_what what, const char *name, uint32_t line)
{
    return (struct cc_mark_site){.what = what, .name = name, .file = "t.c", .line = line};
}

static void test_regions(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    struct cc_mark_site a0 = site(CC_MARK_SITE_REGION_BEGIN, "a", 1),
                        a1 = site(CC_MARK_SITE_REGION_END, "a", 2),
                        b0 = site(CC_MARK_SITE_REGION_BEGIN, "b", 3),
                        b1 = site(CC_MARK_SITE_REGION_END, "b", 4),
                        x0 = site(CC_MARK_SITE_TASK_BEGIN, "x", 5), x1 = site(CC_MARK_SITE_TASK_END, "x", 6);
    cc_mark(t, 10, &a0, 0);
    store(t, A, 8);
    call(t, F, 20);
    cc_mark(t, 30, &a0, 0); /* again, inside itself */
    store(t, A + 8, 8);
    cc_mark(t, 40, &a1, 0);
    leave(t, 50);
    cc_mark(t, 60, &a1, 0);
    cc_mark(t, 70, &b0, 0);
    for (uint64_t k = 0; k < 3; k++) {
        cc_mark(t, 80 + k * 10, &x0, 0);
        load(t, A, 8);
        load(t, A + 8, 8);
        cc_mark(t, 85 + k * 10, &x1, 0);
    }
    load(t, A, 8);
    cc_mark(t, 120, &b1, 0);
    load(t, A, 8);
    cc_thread_end(t, 130);
    struct result *r = snapshot_of(c);
    const struct cc_rec_region *a = region(r, "a"), *b = region(r, "b");
    OK(a->calls == 2 && a->inclusive == 50 && a->exclusive == 50, "a region inside itself counts once");
    OK(b->calls == 1 && b->inclusive == 50 && b->exclusive == 50, "a task's time is its region's");
    OK(r->nscopes == 4 && r->scopes[3].kind == CC_SCOPE_TASK && r->scopes[3].calls == 3 &&
           r->scopes[3].exclusive == 15 && r->scopes[2].exclusive == 35,
       "and its own");
    const struct cc_rec_edge *e = edge(r, CC_LEVEL_REGION, a->id, b->id);
    OK(e->bytes == 56 && e->unma == 16 && e->fresh == 16 && e->reads == 7, "streams between regions");
    OK_U64(edge(r, CC_LEVEL_REGION, a->id, 0)->bytes, 8, "and to what is outside");
    e = edge(r, CC_LEVEL_FUNCTION, MAIN, MAIN);
    OK(e->bytes == 40 && e->unma == 8 && e->fresh == 8, "functions do not care about regions");
    uint64_t sum = 0;
    for (size_t i = 0; i < r->nregions; i++)
        sum += r->regions[i].exclusive;
    OK(sum == 130 && r->nspans == 3 && r->nproblems == 0, "time adds up");
    free(r);
}

static void test_problems(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    struct cc_mark_site a0 = site(CC_MARK_SITE_REGION_BEGIN, "a", 1),
                        a1 = site(CC_MARK_SITE_REGION_END, "a", 2),
                        b0 = site(CC_MARK_SITE_REGION_BEGIN, "b", 3),
                        b1 = site(CC_MARK_SITE_REGION_END, "b", 4),
                        c0 = site(CC_MARK_SITE_REGION_BEGIN, "c", 5);
    cc_mark(t, 5, &b1, 0);
    cc_mark(t, 10, &a0, 0);
    cc_mark(t, 20, &b0, 0);
    cc_mark(t, 30, &a1, 0);
    cc_mark(t, 40, &b1, 0);
    cc_mark(t, 50, &c0, 0);
    cc_thread_end(t, 60);
    struct result *r = snapshot_of(c);
    OK(r->nproblems == 3 && r->problems[0].kind == CC_PROBLEM_NOT_BEGUN && r->problems[0].line == 4 &&
           r->problems[1].kind == CC_PROBLEM_CROSSES && r->problems[1].line == 2 &&
           r->problems[1].other_line == 3 && r->problems[2].kind == CC_PROBLEM_NOT_ENDED &&
           r->problems[2].line == 5,
       "marks that do not pair up are told, with their lines");
    OK(region(r, "a")->inclusive == 20 && region(r, "b")->inclusive == 20 &&
           region(r, "b")->exclusive == 20 && region(r, "c")->inclusive == 10,
       "and each region still has its time");
    free(r);
}

static const struct cc_rec_flow *flow(const struct result *r, uint32_t producer, uint32_t consumer,
                                      uint32_t pf, uint32_t cf)
{
    static const struct cc_rec_flow none;
    for (size_t i = 0; i < r->nflows; i++)
        if (r->flows[i].level == CC_LEVEL_FUNCTION && r->flows[i].producer == producer &&
            r->flows[i].consumer == consumer && r->flows[i].producer_frame == pf &&
            r->flows[i].consumer_frame == cf)
            return &r->flows[i];
    return &none;
}

/* Frame k writes one half of a buffer and reads the half that frame k - 1 wrote; a table from frame 0 is read
 * in each. */
static void test_frames(void)
{
    enum { COUNT = 1000, T = A + 4096 };
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    struct cc_mark_site frame = site(CC_MARK_SITE_FRAME, "", 1), a0 = site(CC_MARK_SITE_REGION_BEGIN, "a", 1),
                        a1 = site(CC_MARK_SITE_REGION_END, "a", 2);
    call(t, H, 0);
    store(t, T, 16);
    leave(t, 0);
    uint64_t now = 10;
    for (uint32_t k = 1; k <= COUNT; k++, now += 100) {
        cc_mark(t, now, &frame, 0);
        cc_mark(t, now + 10, &a0, 0);
        call(t, F, now + 20);
        for (uint64_t i = 0; i < 64; i += 8)
            store(t, A + (k & 1) * 64 + i, 8);
        leave(t, now + 30);
        call(t, G, now + 40);
        for (uint64_t i = 0; i < 64; i += 8)
            load(t, A + (~k & 1) * 64 + i, 8);
        load(t, T, 16);
        leave(t, now + 50);
        cc_mark(t, now + 60, &a1, 0);
    }
    cc_thread_end(t, now);
    struct result *r = snapshot_of(c);
    size_t wrong = 0;
    for (uint32_t k = 2; k <= COUNT; k++)
        wrong += flow(r, F, G, k - 1, k)->bytes != 64 || flow(r, H, G, 0, k)->bytes != 16;
    OK_U64(wrong, 0, "frame k reads what frame k - 1 wrote");
    size_t functions = 0;
    for (size_t i = 0; i < r->nflows; i++)
        functions += r->flows[i].level == CC_LEVEL_FUNCTION;
    OK_U64(functions, COUNT - 1 + COUNT + 1,
           "and nothing else is stored"); /* + 1: nobody's bytes in frame 1 */
    const struct cc_rec_edge *fg = edge(r, CC_LEVEL_FUNCTION, F, G), *hg = edge(r, CC_LEVEL_FUNCTION, H, G);
    OK(fg->bytes == 64 * (COUNT - 1) && fg->fresh == fg->bytes && fg->unma == 128,
       "a stream over all frames is what it was");
    OK(hg->bytes == 16 * COUNT && hg->fresh == 16 && hg->unma == 16, "a table is fresh once");
    OK(r->nframes == COUNT + 1 && r->frames[7].start == 10 + 600 && r->frames[7].length == 100,
       "frames in time");
    uint64_t in_a = 0, all = 0;
    for (size_t i = 0; i < r->nparts; i++) {
        in_a += r->parts[i].region ? r->parts[i].instructions : 0;
        all += r->parts[i].instructions;
    }
    OK(in_a == 50 * COUNT && all == now, "their parts add up");
    free(r);
}

static void test_off(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    struct cc_mark_site off = site(CC_MARK_SITE_RECORD_OFF, "", 1), on = site(CC_MARK_SITE_RECORD_ON, "", 2);
    call(t, F, 10);
    store(t, A, 8);
    leave(t, 20);
    cc_mark(t, 30, &off, 0);
    call(t, G, 40);
    load(t, A, 8);
    store(t, A + 8, 8);
    leave(t, 90);
    cc_mark(t, 100, &on, 0);
    load(t, A, 8);
    load(t, A + 8, 8);
    cc_thread_end(t, 110);
    struct result *r = snapshot_of(c);
    OK(r->run.instructions == 40 && r->functions[G].calls == 0 && r->functions[G].inclusive == 0,
       "nothing is counted while recording is off");
    OK(edge(r, CC_LEVEL_FUNCTION, F, G)->bytes == 0 && edge(r, CC_LEVEL_FUNCTION, F, MAIN)->bytes == 8 &&
           edge(r, CC_LEVEL_FUNCTION, G, MAIN)->bytes == 8,
       "but who wrote what stays known");
    uint64_t written = 0;
    for (size_t i = 0; i < r->nnodes; i++)
        written += r->nodes[i].bytes_written;
    OK_U64(written, 8, "writes too");
    free(r);
}

static void test_stack(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    cc_thread_stack(t, 0x70000, 0x10000);
    call(t, F, 10);
    store(t, 0x70010, 8);
    store(t, 0x6fff8, 8);
    load(t, 0x70010, 8);
    load(t, 0x70010, 4);
    load(t, 0x7ffe0, 16);
    load(t, 0x6fff8, 8);
    cc_again(t, 0x6fff8, 0x70010);
    load(t, 0x70010, 8);
    cc_again(t, 0x70010, 0x70010);
    leave(t, 30);
    cc_thread_end(t, 40);
    struct result *r = snapshot_of(c);
    struct cc_rec_node sum = {0};
    for (size_t i = 0; i < r->nnodes; i++) {
        sum.reads += r->nodes[i].reads;
        sum.stack_reads += r->nodes[i].stack_reads;
        sum.stack_bytes_read += r->nodes[i].stack_bytes_read;
        sum.stack_writes += r->nodes[i].stack_writes;
        sum.writes += r->nodes[i].writes;
        sum.memory_instructions += r->nodes[i].memory_instructions;
        sum.stack_instructions += r->nodes[i].stack_instructions;
        sum.other_instructions += r->nodes[i].other_instructions;
    }
    OK(sum.reads == 5 && sum.stack_reads == 4 && sum.stack_bytes_read == 8 + 4 + 16 + 8 && sum.writes == 2 &&
           sum.stack_writes == 1,
       "the stack and the rest");
    OK(sum.memory_instructions == 5 && sum.stack_instructions == 4 && sum.other_instructions == 2,
       "instructions are told from accesses");
    free(r);
}

static void test_time_and_code(void)
{
    struct cc_collect *c = fresh_collect(&(struct cc_options){.max_calls = 1000, .max_blocks = 8}, 64);
    struct cc_thread *t = cc_thread_new(c, 1, 0);
    cc_call(t, 0, MAIN, 1, 0);
    uint8_t code[4] = {1, 2, 3, 4};
    uint32_t one = cc_block(c, 0x1000, code, 4, 1, false), two = cc_block(c, 0x1004, code, 4, 1, true);
    OK(one && two && one != two && cc_block(c, 0x1000, code, 4, 1, false) == one,
       "a piece of code has one id");
    uint64_t now = 0;
    call(t, F, now);
    for (int i = 0; i < 40000; i++, now += 1000) { /* forty million instructions: slices double */
        store(t, A, 8);
        t->blocks[one]++;
        if (now >= t->tick_at)
            cc_tick(t, now);
    }
    leave(t, now);
    call(t, G, now);
    for (int i = 0; i < 10000; i++, now += 1000) {
        load(t, A, 8);
        t->blocks[two] += 2;
        if (now >= t->tick_at)
            cc_tick(t, now);
    }
    leave(t, now);
    cc_thread_end(t, now);
    for (uint64_t i = 0; i < 20; i++)
        cc_block(c, 0x2000 + i, code, 4, 1, false);
    struct result *r = snapshot_of(c);
    uint64_t written = 0, read = 0;
    uint32_t last_write = 0, first_read = UINT32_MAX, last = 0;
    bool sorted = true;
    for (size_t i = 0; i < r->nslices; i++) {
        const struct cc_rec_slice *s = &r->slices[i];
        written += s->function == F ? s->written : 0;
        read += s->function == G ? s->read : 0;
        if (s->function == F && s->slice > last_write)
            last_write = s->slice;
        if (s->function == G && s->slice < first_read)
            first_read = s->slice;
        sorted &= s->slice >= last;
        last = s->slice;
    }
    OK(written == 320000 && read == 80000, "the slices add up to the whole");
    OK(sorted && r->run.slice_length * 1024 > now && last < 1024 && last > 400,
       "there are enough, and not too many");
    OK(last_write * r->run.slice_length <= 40000000 &&
           (last_write + 1) * r->run.slice_length >= 40000000 - 2000 && first_read >= last_write,
       "traffic is where it happened");
    OK(r->nexecs == 2 && r->nblocks == 7 && (r->run.flags & CC_RUN_BLOCKS_CUT) && r->blocks[1].mode == 1,
       "code beyond the bound is told");
    OK(r->execs[0].function + r->execs[1].function == F + G && r->execs[0].count + r->execs[1].count == 60000,
       "executions are counted for whom they were");
    free(r);
}

/* Two channels in random traffic of all sizes: each carries exactly the bytes of its stream. */
static void test_channels(void)
{
    struct cc_collect *c;
    struct cc_thread *t = start(&c);
    static struct cc_rec_channel r[2];
    struct cc_collect *other = plain();
    OK(!cc_channels(other, "x", "") && !cc_channels(other, "x", "12") && !cc_channels(other, "x", "1:2,3") &&
           !cc_channels(other, "x", "1:"),
       "channels that make no sense");
    OK(cc_channels(c, "x", "1:2/4+5:6") && c->nchannels == 2, "and some that do");
    cc_function_at(c, F)->makes = 1;
    cc_function_at(c, G)->takes = 1;
    cc_function_at(c, G)->makes = cc_function_at(c, H)->takes = 2;
    uint64_t now = 10, state = 5;
    for (int i = 0; i < 30000; i++) {
        static const uint32_t sizes[] = {1, 2, 4, 8, 16, 3, 7, 64};
        state = state * UINT64_C(6364136223846793005) + 1442695040888963407u;
        uint32_t x = (uint32_t)(state >> 33), size = sizes[x & 7];
        uint64_t a = A + 512 + (x >> 3) % 600;
        if (i % 7 == 0) { /* F, G, H and once in a while main itself */
            if (t->depth > 2)
                leave(t, now += 3);
            if (x >> 20 & 7)
                call(t, 1 + (x >> 15) % 3, now += 2);
        }
        if (x >> 28 & 1)
            store(t, a, size);
        else
            load(t, a, size);
    }
    cc_thread_end(t, now + 10);
    struct result *s = snapshot_of(c);
    for (uint32_t k = 0; k < 2; k++) {
        const struct cc_rec_edge *e = edge(s, CC_LEVEL_FUNCTION, F + k, G + k);
        cc_watch_result(c, k, &r[k]);
        OK(r[k].bytes == e->bytes && r[k].unma == e->unma && r[k].fresh == e->fresh && e->bytes > 10000,
           "channel %u carries the bytes of its stream", k);
        OK(r[k].unfollowed == 0 && r[k].producer == F + k && r[k].consumer == G + k, "and loses none");
    }
    free(s);
}

static void test_all(void)
{
    test_streams();
    if (!by_site) /* which are not for channels */
        test_channels();
    test_system_calls();
    test_moved();
    test_moved_readers();
    test_recursion();
    test_odd_returns();
    test_outside();
    test_bounds();
    test_forget();
    test_regions();
    test_problems();
    test_frames();
    test_off();
    test_stack();
    test_time_and_code();
}

int main(void)
{
    for (int sites = 0; sites < 2; sites++) {
        by_site = sites;
        test_all();
        test_random(0x100000, 20000, true);
        test_random(0x7ffffffff800 - 1500, 20000, true); /* across the end of a chunk, high up */
        test_random(UINT64_C(0x400000) * 77 - 1024, 20000, false);
    }
    return TAP_DONE();
}
