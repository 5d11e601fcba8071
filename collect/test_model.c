/* The collector under random accesses, against a model that keeps everything in the plainest way. */
#include "../tests/collect.h"

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
    uint64_t stack_writes, writes; /* the lower half is on the stacks of both threads */
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
        cc_return(t, ++*now, t->room.activations[t->depth - 1].ret, 0);
    cc_call(t, ++*now, 10 + (uint32_t)path, 1000, 0);
    cc_call(t, ++*now, 1 + (uint32_t)function, 2000, 0);
}

/* A run of random accesses and the model that follows it. */
struct random_run {
    struct cc_collect *c;
    struct model *m;
    struct cc_thread *threads[THREADS];
    uint64_t now[THREADS];
    uint32_t node_ids[NODES], function_ids[NODES], thread_ids[NODES];
    struct cc_mark_site begin[REGIONS], end[REGIONS], frame;
};

static struct random_run *run_new(uint64_t base, uint32_t least)
{
    static const char *const names[REGIONS] = {"", "one", "two"};
    struct random_run *x = calloc(1, sizeof *x);
    struct model *m = x->m = calloc(1, sizeof *m);
    x->c = plain();
    x->c->states.least = x->c->states.sweep_due = least;
    m->by_context = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    m->by_function = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    m->by_thread = calloc((NODES + 1) * NODES, sizeof *m->by_context);
    m->by_region = calloc((NODES + 1) * NODES, sizeof *m->by_region);
    x->frame = (struct cc_mark_site){.what = CC_MARK_SITE_FRAME, .name = ""};
    for (int i = 1; i < REGIONS; i++) {
        x->begin[i] = (struct cc_mark_site){.what = CC_MARK_SITE_REGION_BEGIN, .name = names[i]};
        x->end[i] = (struct cc_mark_site){.what = CC_MARK_SITE_REGION_END, .name = names[i]};
    }
    for (int i = 0; i < SPACE; i++)
        m->bytes[i].writer = -1;
    for (uint32_t t = 0; t < THREADS; t++) {
        x->threads[t] = cc_thread_new(x->c, t, 0);
        cc_thread_stack(x->threads[t], base, SPACE / 2);
    }
    for (int n = 0; n < NODES; n++) {
        m->function[n] = n % FUNCTIONS;
        m->thread[n] = n / (FUNCTIONS * 2) % THREADS;
        x->function_ids[n] = 1 + (uint32_t)n;
        x->thread_ids[n] = (uint32_t)n;
    }
    return x;
}

static void run_free(struct random_run *x)
{
    free(x->m->by_context);
    free(x->m->by_function);
    free(x->m->by_thread);
    free(x->m->by_region);
    free(x->m);
    free(x);
}

static void random_access(struct model *m, struct cc_thread *t, uint64_t base, uint32_t node)
{
    static const uint32_t sizes[] = {1, 1, 2, 2, 4, 4, 4, 8, 8, 16, 3, 7, 32, 64, 10};
    uint32_t size = sizes[random_below(sizeof sizes / sizeof *sizes)];
    uint32_t at = random_below(SPACE - 64), span = random_below(4) ? 200 : SPACE - 64;
    at = random_below(3) ? at % span & ~(size - 1) : at % span;
    bool write = random_below(5) < 2;
    uint32_t times = (size == 4 || size == 8) && random_below(3) == 0 ? 2 : 1;
    if (at < SPACE / 2 && at + size >= SPACE / 2)
        times = 1; /* stacks end with a page, so that no instruction's accesses lie on both sides */
    if (times == 2)
        access_pair(t, base + at, size, write);
    else if (write)
        store(t, base + at, size);
    else
        load(t, base + at, size);
    for (uint32_t k = 0; write && k < times; k++)
        m->stack_writes += at + k * size < SPACE / 2;
    m->writes += write ? times : 0;
    for (uint32_t b = 0; write && b < size * times; b++)
        m->bytes[at + b] = (struct model_byte){.writer = (int)node, .region = m->region, .frame = m->frame};
    for (uint32_t k = 0; !write && k < times; k++)
        model_read(m, (int)(at + k * size), (int)size, (int)node);
}

/* A node is entered, perhaps in a new frame or a region, and accesses memory up to thirty times. */
static void random_round(struct random_run *x, uint64_t base, bool new_frame)
{
    struct model *m = x->m;
    uint32_t node = random_below(FUNCTIONS * 2 * THREADS);
    struct cc_thread *t = x->threads[m->thread[node]];
    uint64_t *now = &x->now[t->id];
    enter(t, (int)(node / FUNCTIONS % 2), m->function[node], now);
    if (new_frame && m->frame + 1 < FRAMES) {
        cc_mark(t, ++*now, &x->frame, 0);
        m->frame++;
    }
    m->region = (int)random_below(REGIONS);
    if (m->region)
        cc_mark(t, ++*now, &x->begin[m->region], 0);
    x->node_ids[node] = cc_context_at(x->c, t->context)->node;
    for (uint32_t k = random_below(30); k > 0; k--)
        random_access(m, t, base, node);
    if (m->region)
        cc_mark(t, ++*now, &x->end[m->region], 0);
}

static void same_streams(const struct result *r, uint32_t level, const struct model_stream *model, int n,
                         const uint32_t *ids, const char *what)
{
    size_t wrong = 0, compared = 0;
    compare_level(r, level, model, n, ids, &wrong, &compared);
    OK(wrong == 0 && compared > 0, "random accesses, %s: %zu streams as in the model", what, compared);
}

/* least: states that are made before those that nobody needs are thrown away */
static void test_random(uint64_t base, int rounds, bool frames, uint32_t least)
{
    struct random_run *x = run_new(base, least);
    const struct model *m = x->m;
    for (int i = 0; i < rounds; i++)
        random_round(x, base, frames && random_below((uint32_t)rounds) < FRAMES - 50);
    for (uint32_t t = 0; t < THREADS; t++)
        cc_thread_end(x->threads[t], x->now[t] + 1);
    struct result *r = snapshot_of(x->c);
    same_streams(r, CC_LEVEL_CONTEXT, m->by_context, FUNCTIONS * 2 * THREADS, x->node_ids, "contexts");
    /* reads at coarser levels: an operation that draws on two contexts of one function counts on both, which
     * the model above counts the same way; bytes, fresh and unma are exact */
    same_streams(r, CC_LEVEL_FUNCTION, m->by_function, FUNCTIONS, x->function_ids, "functions");
    same_streams(r, CC_LEVEL_THREAD, m->by_thread, THREADS, x->thread_ids, "threads");
    uint32_t region_ids[REGIONS] = {0, region(r, "one")->id, region(r, "two")->id};
    same_streams(r, CC_LEVEL_REGION, m->by_region, REGIONS, region_ids, "regions");
    if (frames)
        compare_flows(r, m);
    uint64_t writes = 0, stack_writes = 0;
    for (size_t i = 0; i < r->nnodes; i++) {
        writes += r->nodes[i].writes;
        stack_writes += r->nodes[i].stack_writes;
    }
    OK(writes == m->writes && stack_writes == m->stack_writes, "writes, and those on the stack");
    OK(r->whole && r->run.instructions == x->now[0] + x->now[1] + 2,
       "the snapshot is whole and counts every instruction");
    free(r);
    run_free(x);
}

static void test_all(void)
{
    int rounds = tap_percent() < 25 ? 5000 : tap_rounds(20000); /* fewer do not reach every stream */
    test_random(0x100000, rounds, true, CC_SWEEP_LEAST);
    test_random(0x7ffffffff800 - 1500, rounds, true, 300); /* across the end of a chunk, high up */
    test_random(UINT64_C(0x400000) * 77 - 1024, rounds, false, 5000);
}

int main(void)
{
    both_ways(test_all);
    return TAP_DONE();
}
