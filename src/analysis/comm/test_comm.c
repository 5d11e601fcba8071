#include "analysis/comm/comm.h"
#include "base/map.h"
#include "fixture.h"
#include "tap.h"

static const struct cc_comm_edge *edge(const struct cc_comm *c, const char *from, const char *to)
{
    static const struct cc_comm_edge none;
    for (size_t i = 0; i < c->nedges; i++)
        if (strcmp(c->nodes[c->edges[i].from].name, from) == 0 &&
            strcmp(c->nodes[c->edges[i].to].name, to) == 0)
            return &c->edges[i];
    return &none;
}

static const struct cc_comm_node *node(const struct cc_comm *c, const char *name)
{
    static const struct cc_comm_node none;
    for (size_t i = 0; i < c->nnodes; i++)
        if (strcmp(c->nodes[i].name, name) == 0)
            return &c->nodes[i];
    return &none;
}

static void test_levels(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_filter all = {0};
    struct cc_comm *c;
    uint64_t total[CC_LEVELS];
    for (int by = 0; by < CC_LEVELS; by++) {
        if (!OK(cc_comm_build(p, (enum cc_level)by, &all, &c, &err) == 0, "by %s", cc_level_names[by]))
            return;
        total[by] = c->total;
        uint64_t in = 0, self = 0, sum = 0;
        for (size_t i = 0; i < c->nnodes; i++) {
            in += c->nodes[i].bytes_in;
            self += c->nodes[i].bytes_self;
        }
        for (size_t i = 0; i < c->nedges; i++)
            sum += c->edges[i].bytes;
        OK(in == c->between && in + self == c->total && sum == c->total, "bytes are conserved");
        cc_comm_free(c);
    }
    OK(total[0] == total[1] && total[1] == total[2] && total[2] == total[3],
       "every level has the same bytes");
}

/* See fixture.h: produce is "making", filter is "inner" inside "filtering". */
static void test_regions(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_comm *c;
    cc_comm_build(p, CC_LEVEL_REGION, &(struct cc_filter){0}, &c, &err);
    const struct cc_comm_edge *e = edge(c, "making", "inner");
    OK(e->bytes == 16384 && e->unma == 4096 && e->reads == 4096 && e->fresh == 4096 && e->has_reads,
       "a stream between regions");
    OK(edge(c, "inner", "<outside>")->bytes == 2048 && edge(c, "<outside>", "<output>")->bytes == 2048 &&
           edge(c, "making", "<outside>")->bytes == 1024,
       "what is in no region is one node");
    OK(!c->has_sources, "where a region's input came from is not known");
    OK(node(c, "inner")->kind == CC_COMM_REGION && node(c, "<outside>")->kind == CC_COMM_REGION &&
           node(c, "making")->instructions == 50200 && node(c, "inner")->instructions == 150300,
       "their nodes");
    cc_comm_free(c);
    cc_comm_build(p, CC_LEVEL_REGION, &(struct cc_filter){.one_frame = true, .frame = 1}, &c, &err);
    OK(c->nedges == 2 && edge(c, "<input>", "making")->bytes == 4096 &&
           !edge(c, "<input>", "making")->has_reads && !edge(c, "<input>", "making")->has_unma,
       "the first frame");
    OK(c->instructions == p->frames[1].length && node(c, "making")->instructions == 50200,
       "its instructions");
    cc_comm_free(c);
    cc_comm_build(p, CC_LEVEL_FUNCTION, &(struct cc_filter){.one_frame = true, .frame = 2}, &c, &err);
    OK(edge(c, "produce", "filter")->bytes == 16384 && edge(c, "<input>", "produce")->bytes == 0,
       "the second, by function");
    OK(!c->has_instructions, "whose instructions are not known by frame");
    cc_comm_free(c);
    OK(cc_comm_build(p, CC_LEVEL_REGION, &(struct cc_filter){.one_frame = true, .frame = 3}, &c, &err) < 0 &&
           strstr(err.msg, "no frame 3"),
       "there is no third");
    err = (struct cc_err){0};
    OK(cc_comm_build(p, CC_LEVEL_THREAD, &(struct cc_filter){.one_frame = true, .frame = 1}, &c, &err) < 0,
       "by thread no frame is known");
}

static void test_functions(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_filter all = {0};
    struct cc_comm *c;
    cc_comm_build(p, CC_LEVEL_FUNCTION, &all, &c, &err);
    const struct cc_comm_edge *e = edge(c, "produce", "filter");
    OK(e->bytes == 16384 && e->unma == 4096 && e->has_unma && e->reads == 4096 && e->fresh == 4096,
       "the figures of a stream");
    e = edge(c, "<input>", "produce");
    OK(e->nsources == 1 && strcmp(e->sources[0].call, "read") == 0 &&
           strcmp(e->sources[0].file, "in.dat") == 0 && e->sources[0].bytes == 4096,
       "where input came from");
    OK(edge(c, "produce", "filter")->nsources == 0, "other streams have no sources");
    OK(node(c, "<input>")->kind == CC_COMM_INPUT && node(c, "<static>")->kind == CC_COMM_STATIC &&
           node(c, "<output>")->kind == CC_COMM_OUTPUT && node(c, "filter")->kind == CC_COMM_FUNCTION,
       "kinds");
    OK_U64(node(c, "filter")->instructions, 130000, "instructions of a node");
    const struct cc_comm_path *way = &c->reread_path;
    OK(way->n == 4 && strcmp(way->names[0], "<static>") == 0 && strcmp(way->names[1], "filter") == 0 &&
           strcmp(way->names[2], "consume") == 0 && strcmp(way->names[3], "<output>") == 0,
       "the critical data path of all reads");
    OK(way->bytes[0] == 45056 && edge(c, "<static>", "filter")->critical &&
           !edge(c, "produce", "filter")->critical,
       "is marked");
    way = &c->fresh_path;
    OK(way->n == 5 && strcmp(way->names[0], "<input>") == 0 && strcmp(way->names[1], "produce") == 0 &&
           strcmp(way->names[2], "filter") == 0 && strcmp(way->names[4], "<output>") == 0 &&
           way->bytes[1] == 4096,
       "that of first reads goes along the data, not through a table read again and again");
    OK(edge(c, "produce", "filter")->critical_fresh && !edge(c, "<static>", "filter")->critical_fresh,
       "is marked too");
    cc_comm_free(c);
}

static void test_contexts(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_filter all = {0};
    struct cc_comm *c;
    cc_comm_build(p, CC_LEVEL_CONTEXT, &all, &c, &err);
    OK_U64(edge(c, "run_program/produce", "run_program/filter")->bytes, 16384,
           "contexts are named by their path");
    OK_U64(edge(c, "run_program/produce", "worker@2")->bytes, 1024, "and by their thread");
    OK_U64(edge(c, "<input>", "run_program/produce")->sources[0].bytes, 4096, "with sources");
    cc_comm_free(c);
    cc_comm_build(p, CC_LEVEL_THREAD, &all, &c, &err);
    const struct cc_comm_edge *e = edge(c, "thread 1", "thread 2");
    OK(e->bytes == 1024 && node(c, "thread 2")->kind == CC_COMM_THREAD, "threads");
    OK_U64(edge(c, "<input>", "thread 1")->sources[0].bytes, 4096, "with sources too");
    cc_comm_free(c);
}

/* Four nodes: 0 and 1, 2 and 3 have heavy streams; hidden are a light one between 1 and 2, a lighter one
 * between 0 and 3, one to a node that is not shown, and one of a node to itself. Then 4 and 5 as well, which
 * nothing joins. */
static void test_ties(void)
{
    struct cc_comm_edge edges[] = {{.from = 0, .to = 1, .bytes = 100},
                                   {.from = 2, .to = 3, .bytes = 90},
                                   {.from = 4, .to = 5, .bytes = 80}};
    struct cc_comm_edge hidden[] = {{.from = 6, .to = 2, .bytes = 9},
                                    {.from = 2, .to = 2, .bytes = 8},
                                    {.from = 2, .to = 1, .bytes = 7},
                                    {.from = 0, .to = 3, .bytes = 6}};
    struct cc_comm c = {.edges = edges, .nedges = 2};
    cc_comm_tie(&c, hidden, 4, 7);
    OK(c.nties == 1 && c.ties[0].from == 2 && c.ties[0].to == 1 && c.pieces == 1,
       "the heaviest hidden stream between two pieces joins them");
    cc_arena_fini(&c.arena);
    c = (struct cc_comm){.edges = edges, .nedges = 3};
    cc_comm_tie(&c, hidden, 4, 7);
    OK(c.nties == 1 && c.pieces == 2, "what nothing joins is counted");
    cc_arena_fini(&c.arena);
}

static void test_filter(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_comm *all, *c;
    cc_comm_build(p, CC_LEVEL_FUNCTION, &(struct cc_filter){0}, &all, &err);
    cc_comm_build(p, CC_LEVEL_FUNCTION, &(struct cc_filter){.top = 2}, &c, &err);
    OK(c->nedges == 2 && c->edges[0].bytes == 45056 && c->edges[1].bytes == 16384, "the heaviest two");
    OK(c->hidden == all->nedges - 2 && c->hidden_bytes == c->total - 45056 - 16384, "the rest is counted");
    OK_U64(c->nnodes, 3, "only their nodes");
    cc_comm_free(c);
    cc_comm_build(p, CC_LEVEL_FUNCTION, &(struct cc_filter){.min_share = 0.1}, &c, &err);
    bool above = true;
    for (size_t i = 0; i < c->nedges; i++)
        above &= (double)c->edges[i].bytes >= 0.1 * (double)c->between;
    OK(above && c->nedges == 2, "a share of what flows between nodes");
    cc_comm_free(c);
    cc_comm_build(p, CC_LEVEL_FUNCTION, &(struct cc_filter){.focus = "consume"}, &c, &err);
    OK(c->nedges == 2 && edge(c, "filter", "consume")->bytes == 2048 &&
           edge(c, "consume", "<output>")->bytes == 2048,
       "a focus keeps the streams of one function");
    cc_comm_free(c);
    cc_comm_build(p, CC_LEVEL_CONTEXT, &(struct cc_filter){.focus = "consume"}, &c, &err);
    OK_U64(c->nedges, 2, "at context level by the function's name");
    cc_comm_free(c);
    OK(cc_comm_build(p, CC_LEVEL_FUNCTION, &(struct cc_filter){.focus = "nobody"}, &c, &err) < 0, "unknown");
    cc_comm_free(all);
}

/* --- the path against brute force --- */

enum { ENDS = 7 };

static bool reach(bool to[ENDS][ENDS], int a, int b)
{
    if (a == b)
        return true;
    for (int k = 0; k < ENDS; k++)
        if (to[a][k] && reach(to, k, b)) /* acyclic, so it ends */
            return true;
    return false;
}

static double longest(bool to[ENDS][ENDS], double w[ENDS][ENDS], int a)
{
    double best = 0;
    for (int k = 0; k < ENDS; k++)
        if (to[a][k])
            best = fmax(best, w[a][k] + longest(to, w, k));
    return best;
}

static bool one_random(unsigned *seed)
{
    struct cc_comm_stream s[24];
    size_t n = 0, limit = 4 + *seed % 20;
    uint64_t bytes = 1000000;
    bool to[ENDS][ENDS] = {{0}}, used[ENDS][ENDS] = {{0}};
    double w[ENDS][ENDS] = {{0}};
    while (n < limit) {
        *seed = *seed * 1103515245 + 12345;
        uint32_t a = (*seed >> 8) % ENDS, b = (*seed >> 16) % ENDS;
        if (used[a][b])
            limit--;
        if (used[a][b])
            continue;
        used[a][b] = true;
        bytes -= (*seed >> 4) % 40000;
        s[n++] = (struct cc_comm_stream){.from = a, .to = b, .e = {.bytes = bytes}};
        if (a != b && !reach(to, (int)b, (int)a)) {
            to[a][b] = true;
            w[a][b] = (double)bytes;
        }
    }
    double want = 0, got = 0;
    for (int a = 0; a < ENDS; a++)
        want = fmax(want, longest(to, w, a));
    size_t *path;
    size_t length = cc_comm_path(s, n, ENDS, false, &path);
    bool joined = true;
    for (size_t i = 0; i < length; i++) {
        got += (double)s[path[i]].e.bytes;
        joined &= to[s[path[i]].from][s[path[i]].to] && (i == 0 || s[path[i - 1]].to == s[path[i]].from);
    }
    free(path);
    return joined && got == want;
}

static void test_path(void)
{
    unsigned seed = 3;
    size_t wrong = 0;
    for (int i = 0; i < 2000; i++)
        wrong += !one_random(&seed);
    OK_U64(wrong, 0, "2000 random graphs: the path is as heavy as brute force finds");
    size_t *path;
    OK_U64(cc_comm_path(NULL, 0, 4, false, &path), 0, "no streams, no path");
    free(path);
}

static void test_names(void)
{
    struct cc_pbinary binary = {.path = "/usr/lib/libx.so"};
    struct cc_pfunction f[] = {{.name = "a"},
                               {.name = "s", .file = "/src/one.c", .line = 3, .binary = 0},
                               {.name = "s", .file = "/src/two.c", .line = 9, .binary = 0},
                               {.name = "t", .binary = 0},
                               {.name = "t", .binary = 0}};
    struct cc_profile p = {.functions = f, .nfunctions = 5, .binaries = &binary, .nbinaries = 1};
    struct cc_arena arena = {0};
    const char **names = cc_names_functions(&p, &arena);
    OK_STR(names[0], "a", "a name of its own stays");
    OK_STR(names[1], "s (one.c:3)", "equal names get their place");
    OK_STR(names[4], "t (libx.so) #4", "or their number");
    cc_arena_fini(&arena);
}

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    if (OK(p, "the fixture")) {
        test_levels(p);
        test_regions(p);
        test_functions(p);
        test_contexts(p);
        test_filter(p);
        test_ties();
    }
    cc_profile_free(p);
    test_path();
    test_names();
    struct cc_profile none = {.path = "x"};
    struct cc_comm *c;
    struct cc_err err = {0};
    OK(cc_comm_build(&none, CC_LEVEL_FUNCTION, &(struct cc_filter){0}, &c, &err) < 0,
       "a profile without streams");
    return TAP_DONE();
}
