#include "analysis/mapping/recording.h"
#include "base/rng.h"
#include "tap.h"

/* add x0,x0,x1; mul x0,x0,x1; ldr x1,[x0]: one s_int, one m_int, one memory */
static const uint8_t code[] = {0x00, 0x00, 0x01, 0x8b, 0x00, 0x7c, 0x01, 0x9b, 0x01, 0x00, 0x40, 0xf9};
static const char chip[] =
    "[platform]\nname = test\nclock_mhz = 1000\n"
    "[unit.a]\nclock_mhz = 1000\ncores = 4\nsuperscalar = no\ns_int = 1\nm_int = 1\nload_store = 1\n"
    "[unit.b]\nclock_mhz = 500\ncores = 1\nsuperscalar = yes\ns_int = 4\nm_int = 2\nload_store = 4\n"
    "[link.a.b]\nlatency = 1e-6\nbandwidth = 1e9\n";

enum { FUNCTIONS = 7, MAX_EDGES = FUNCTIONS * FUNCTIONS };

static struct cc_pfunction functions[FUNCTIONS] = {{.name = "<runtime>"}, {.name = "f1"}, {.name = "f2"},
                                                   {.name = "f3"},        {.name = "f4"}, {.name = "f5"},
                                                   {.name = "f6"}};
static struct cc_pblock blocks[] = {{0x1000, 1, 3, sizeof code, 0, code}};
static struct cc_rec_exec execs[FUNCTIONS];
static struct cc_pedge edges[MAX_EDGES];

/* Function i runs the code 1000 * (FUNCTIONS - i) times. */
static struct cc_profile profile(size_t nedges)
{
    struct cc_profile p = {.path = "test.cast",
                           .isa = "aarch64",
                           .functions = functions,
                           .nfunctions = FUNCTIONS,
                           .blocks = blocks,
                           .nblocks = 1,
                           .execs = execs,
                           .nexecs = FUNCTIONS};
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        execs[i] = (struct cc_rec_exec){.function = i, .count = 1000 * (FUNCTIONS - i)};
    p.edges[CC_LEVEL_FUNCTION] = edges;
    p.nedges[CC_LEVEL_FUNCTION] = nedges;
    return p;
}

static struct cc_pedge edge(uint32_t from, uint32_t to, uint64_t fresh)
{
    return (struct cc_pedge){.producer = from,
                             .consumer = to,
                             .bytes = 3 * fresh,
                             .fresh = fresh,
                             .unma = fresh / 2,
                             .has_unma = true};
}

static struct cc_platform *platform(void)
{
    struct cc_platform *p = NULL;
    struct cc_err err = {0};
    if (cc_platform_parse("chip.ini", chip, sizeof chip - 1, &p, &err) < 0)
        printf("# %s\n", err.msg);
    return p;
}

static const struct cc_map_edge *find(const struct cc_map_problem *p, const char *from, const char *to)
{
    static const struct cc_map_edge none;
    for (size_t i = 0; i < p->edges.n; i++)
        if (strcmp(p->tasks.v[p->edges.v[i].from].name, from) == 0 &&
            strcmp(p->tasks.v[p->edges.v[i].to].name, to) == 0)
            return &p->edges.v[i];
    return &none;
}

static void test_times(const struct cc_platform *chips)
{
    struct cc_map_recording how = {CC_LEVEL_FUNCTION, 20, 0.01, false, false};
    struct cc_map_recorded facts;
    struct cc_map_problem *p;
    struct cc_err err = {0};
    edges[0] = edge(1, 2, 4000);
    edges[1] = edge(2, 3, 1000);
    edges[2] = edge(CC_SPECIAL_ID(CC_NODE_INPUT), 1, 500);
    struct cc_profile profile_ = profile(3);
    if (!OK(cc_map_problem_from_profile(&profile_, chips, &how, &p, &facts, &err) == 0, "a pipeline"))
        return;
    OK(p->tasks.n == 7 && strcmp(p->tasks.v[0].name, "f1") == 0 &&
           strcmp(p->tasks.v[6].name, "<rest>") == 0 && facts.rest == 1,
       "a task for each function, what lies outside all is the rest");
    /* f1: 6000 of each class. On a: add and multiply one after the other, 12 us. On b: multiplications alone
     * take 3000 of its ticks, both 4500. */
    const struct cc_map_option *o = p->tasks.v[0].options.v;
    OK(p->tasks.v[0].options.n == 2 && o[0].unit == 0 && o[0].cores == 1, "one way for each unit");
    OK_NEAR(o[0].low, 12e-6, 1e-15, "scalar: the sum of the classes");
    OK_NEAR(o[0].high, 12e-6, 1e-15, "at both ends");
    OK_NEAR(o[1].low, 6e-6, 1e-15, "superscalar: the slowest class");
    OK_NEAR(o[1].high, 9e-6, 1e-15, "to the sum");
    OK(p->edges.n == 2 && find(p, "f1", "f2")->bytes == 4000 && find(p, "f2", "f3")->bytes == 1000 &&
           facts.merged == 0 && facts.dropped == 0,
       "dependencies carry first reads; input is no task");
    cc_map_problem_free(p);
    how.unma = true;
    how.parallel = true;
    how.tasks = 2;
    OK(cc_map_problem_from_profile(&profile_, chips, &how, &p, &facts, &err) == 0 && p->tasks.n == 3 &&
           facts.rest == 5 && p->edges.n == 1 && find(p, "f1", "f2")->bytes == 2000,
       "two tasks and the rest, distinct addresses");
    OK_NEAR(facts.rest_share, (7 + 4 + 3 + 2 + 1) / 28.0, 1e-12, "what the rest is of the run");
    o = p->tasks.v[0].options.v;
    OK(p->tasks.v[0].options.n == 4 && o[1].cores == 2 && o[2].cores == 4 && fabs(o[2].low - 3e-6) < 1e-15,
       "on 1, 2 and 4 cores");
    cc_map_problem_free(p);
}

static void test_cycles(const struct cc_platform *chips)
{
    struct cc_map_recording how = {CC_LEVEL_FUNCTION, 20, 0.01, false, false};
    struct cc_map_recorded facts;
    struct cc_map_problem *p;
    struct cc_err err = {0};
    edges[0] = edge(1, 2, 100000);
    edges[1] = edge(2, 3, 50000); /* 2 and 3 feed each other */
    edges[2] = edge(3, 2, 40000);
    edges[3] = edge(3, 4, 90000);
    edges[4] = edge(4, 1, 200); /* weak, against the stream */
    edges[5] = edge(5, 6, 100); /* weak, harmless */
    struct cc_profile profile_ = profile(6);
    if (!OK(cc_map_problem_from_profile(&profile_, chips, &how, &p, &facts, &err) == 0,
            "functions that feed each other"))
        return;
    OK(facts.merged == 2 && facts.groups == 1 && p->tasks.n == 6, "are one task");
    OK(find(p, "f1", "f2+f3")->bytes == 100000 && find(p, "f2+f3", "f4")->bytes == 90000 && p->edges.n == 3,
       "others depend on it");
    OK(facts.dropped == 1 && facts.dropped_bytes == 200 && find(p, "f5", "f6")->bytes == 100,
       "a weak stream that closes a cycle is dropped, another is not");
    cc_map_problem_free(p);
    how.strong = 0;
    OK(cc_map_problem_from_profile(&profile_, chips, &how, &p, &facts, &err) == 0 && facts.merged == 4 &&
           facts.dropped == 0 && strcmp(p->tasks.v[0].name, "f1+f2+f3+1") == 0,
       "with every stream kept, the whole cycle is one task");
    cc_map_problem_free(p);
}

static bool acyclic(const struct cc_map_problem *p)
{
    bool done[FUNCTIONS + 1] = {0};
    for (size_t round = 0; round <= p->tasks.n; round++)
        for (size_t i = 0; i < p->tasks.n; i++) {
            bool ready = true;
            for (size_t e = 0; e < p->edges.n; e++)
                ready &= p->edges.v[e].to != i || done[p->edges.v[e].from];
            done[i] |= ready;
        }
    for (size_t i = 0; i < p->tasks.n; i++)
        if (!done[i])
            return false;
    return true;
}

/* Any graph: no cycle is left, no byte gets lost, no work either. */
static void test_random(const struct cc_platform *chips)
{
    struct cc_rng rng = {7};
    size_t bad = 0, cyclic = 0;
    for (int round = 0; round < 2000; round++) {
        size_t n = 0;
        double all = 0, kept = 0, time = 0;
        for (uint32_t a = 1; a < FUNCTIONS; a++)
            for (uint32_t b = 1; b < FUNCTIONS; b++)
                if (a != b && cc_rng_below(&rng, 3) == 0) {
                    edges[n++] = edge(a, b, 1 + cc_rng_below(&rng, 10000));
                    all += (double)edges[n - 1].fresh;
                }
        struct cc_profile profile_ = profile(n);
        struct cc_map_recording how = {CC_LEVEL_FUNCTION, 6, cc_rng_unit(&rng) * 0.2, false, false};
        struct cc_map_recorded facts;
        struct cc_map_problem *p;
        struct cc_err err = {0};
        if (cc_map_problem_from_profile(&profile_, chips, &how, &p, &facts, &err) < 0) {
            bad++;
            continue;
        }
        for (size_t e = 0; e < p->edges.n; e++)
            kept += p->edges.v[e].bytes;
        for (size_t i = 0; i < p->tasks.n; i++)
            time += p->tasks.v[i].options.v[0].low;
        bool whole = kept + facts.dropped_bytes <= all &&
                     (facts.merged || kept + facts.dropped_bytes == all) &&
                     p->tasks.n == 7 - facts.merged + facts.groups;
        bad += !acyclic(p) || !whole || fabs(time - 56e-6) > 1e-12;
        cyclic += facts.merged > 0 || facts.dropped > 0;
        cc_map_problem_free(p);
    }
    OK(bad == 0 && cyclic > 500, "2000 random graphs, %zu with cycles: %zu bad", cyclic, bad);
}

static void test_errors(void)
{
    static const char weak[] = "[platform]\nname = test\nclock_mhz = 1000\n[unit.a]\ns_int = 1\n";
    struct cc_platform *p = NULL;
    struct cc_err err = {0};
    struct cc_map_recording how = {CC_LEVEL_FUNCTION, 6, 0.01, false, false};
    struct cc_map_recorded facts;
    struct cc_map_problem *problem;
    cc_platform_parse("weak.ini", weak, sizeof weak - 1, &p, &err);
    struct cc_profile profile_ = profile(0);
    OK(cc_map_problem_from_profile(&profile_, p, &how, &problem, &facts, &err) < 0 &&
           strstr(err.msg, "'m_int'"),
       "no unit can do what the program does");
    err = (struct cc_err){0};
    profile_.nexecs = 0;
    OK(cc_map_problem_from_profile(&profile_, p, &how, &problem, &facts, &err) < 0 &&
           strstr(err.msg, "without the code"),
       "a profile without code");
    cc_platform_free(p);
}

int main(void)
{
    struct cc_platform *p = platform();
    if (OK(p, "a chip")) {
        test_times(p);
        test_cycles(p);
        test_random(p);
    }
    test_errors();
    cc_platform_free(p);
    return TAP_DONE();
}
