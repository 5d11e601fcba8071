#include "../../../tests/tap.h"
#include "internal.h"
#include "../../base/rng.h"
#include "../../base/text.h"

/* Two heavy functions a and d, and c that weighs little and talks much to d: the best balance puts c with a.
 */
static const char figure8[] = "[nodes]\na = 38\nb = 8\nc = 4\nd = 50\n"
                              "[edges]\na -> b = 6\nb -> a = 5\na -> c = 3\nc -> d = 18\na -> d = 4\n";

static void both(const struct cc_graph *g, const struct cc_partition_options *o, struct cc_partition *balance,
                 struct cc_partition *cut)
{
    struct cc_err err = {0};
    if (cc_partition_balance(g, o, balance, &err) < 0 || cc_partition_cut(g, o, balance, cut, &err) < 0)
        printf("# %s\n", err.msg);
}

static void test_figure8(void)
{
    struct cc_graph g;
    OK(cc_graph_parse("g.ini", figure8, sizeof figure8 - 1, &g, NULL) == 0, "the graph of figure 8 loads");
    struct cc_partition_options o = {.parts = 2, .tolerance = 0.1};
    struct cc_partition balance, cut;
    both(&g, &o, &balance, &cut);
    OK_U64(balance.cut, 22, "the best balance cuts 22");
    OK_U64(balance.max_load, 50, "at a load of 50");
    OK_U64(cut.cut, 7, "within 10 %% of balance 7 is possible");
    OK_U64(cut.max_load, 54, "at a load of 54");
    OK(balance.proven && cut.proven, "both proven");
    cc_partition_fini(&balance);
    cc_partition_fini(&cut);
    o.tolerance = 0;
    both(&g, &o, &balance, &cut);
    OK_U64(cut.cut, 22, "with no tolerance there is no way but 22");
    cc_partition_fini(&balance);
    cc_partition_fini(&cut);
    size_t pin[] = {CC_PARTITION_FREE, CC_PARTITION_FREE, 0, 1};
    o = (struct cc_partition_options){.parts = 2, .tolerance = 0.1, .pin = pin};
    both(&g, &o, &balance, &cut);
    OK(cut.part[2] == 0 && cut.part[3] == 1 && cut.cut == 22, "pins hold");
    cc_partition_fini(&balance);
    cc_partition_fini(&cut);
    size_t group[] = {0, 0, 2, 2}, of[4];
    struct cc_graph merged;
    cc_graph_merge(&g, group, &merged, of);
    OK(merged.nodes.n == 2 && merged.nodes.v[1].weight == 54 && of[3] == 1,
       "merged nodes carry both weights");
    OK_STR(merged.nodes.v[0].name, "a+b", "and both names");
    cc_graph_fini(&merged);
    cc_graph_fini(&g);
}

struct brute {
    const struct cc_graph *g;
    const size_t *pin;
    size_t parts, part[12];
    uint64_t limit, best_load, best_cut;
};

/* Every assignment; with limit 0 the best balance is sought, else the best cut within the limit. */
static void brute_step(struct brute *b, size_t depth)
{
    if (depth < b->g->nodes.n) {
        for (size_t p = 0; p < b->parts; p++) {
            if (b->pin[depth] != CC_PARTITION_FREE && b->pin[depth] != p)
                continue;
            b->part[depth] = p;
            brute_step(b, depth + 1);
        }
        return;
    }
    uint64_t load[12] = {0}, max_load = 0, cut = 0;
    for (size_t i = 0; i < b->g->nodes.n; i++)
        load[b->part[i]] += b->g->nodes.v[i].weight;
    for (size_t p = 0; p < b->parts; p++)
        max_load = CC_MAX(max_load, load[p]);
    for (size_t i = 0; i < b->g->edges.n; i++)
        if (b->part[b->g->edges.v[i].from] != b->part[b->g->edges.v[i].to])
            cut += b->g->edges.v[i].bytes;
    b->best_load = CC_MIN(b->best_load, max_load);
    if (max_load <= b->limit)
        b->best_cut = CC_MIN(b->best_cut, cut);
}

static void random_graph(struct cc_rng *rng, size_t n, size_t parts, struct cc_graph *g, size_t *pin)
{
    *g = (struct cc_graph){0};
    for (size_t i = 0; i < n; i++) {
        char name[8];
        snprintf(name, sizeof name, "n%zu", i);
        cc_graph_add_node(g, name, cc_rng_below(rng, 8) ? cc_rng_below(rng, 100) : 0);
        pin[i] = cc_rng_below(rng, 6) ? CC_PARTITION_FREE : cc_rng_below(rng, parts);
    }
    size_t edges = cc_rng_below(rng, 3 * n + 1);
    for (size_t i = 0; i < edges; i++)
        cc_graph_add_edge(g, cc_rng_below(rng, n), cc_rng_below(rng, n), cc_rng_below(rng, 50));
}

static void test_brute(void)
{
    enum { CASES = 2000 };
    struct cc_rng rng = {5};
    size_t bad_balance = 0, bad_cut = 0, bad_pin = 0, unproven = 0, over = 0, heuristic_worse = 0;
    for (int round = 0; round < CASES; round++) {
        size_t n = 1 + cc_rng_below(&rng, 8), parts = 1 + cc_rng_below(&rng, 3);
        struct cc_graph g;
        size_t pin[12];
        random_graph(&rng, n, parts, &g, pin);
        struct cc_partition_options o = {
            .parts = parts, .tolerance = (double)cc_rng_below(&rng, 30) / 100, .pin = pin};
        struct cc_partition balance, cut;
        both(&g, &o, &balance, &cut);
        struct brute b = {
            .g = &g, .pin = pin, .parts = parts, .best_load = UINT64_MAX, .best_cut = UINT64_MAX};
        b.limit = cut.limit;
        brute_step(&b, 0);
        bad_balance += balance.max_load != b.best_load;
        bad_cut += cut.cut != b.best_cut;
        unproven += !cut.proven || !balance.proven;
        over += cut.max_load > cut.limit;
        for (size_t i = 0; i < n; i++)
            bad_pin += pin[i] != CC_PARTITION_FREE && (cut.part[i] != pin[i] || balance.part[i] != pin[i]);
        cc_partition_fini(&cut);
        o.budget = 1; /* no exact search: how good are Scotch and the moves alone? */
        cc_partition_cut(&g, &o, &balance, &cut, NULL);
        heuristic_worse += cut.cut != b.best_cut;
        cc_partition_fini(&cut);
        cc_partition_fini(&balance);
        cc_graph_fini(&g);
    }
    OK_U64(bad_balance, 0, "%d random graphs: the best balance equals brute force", CASES);
    OK_U64(bad_cut, 0, "%d random graphs: the best cut equals brute force", CASES);
    OK_U64(bad_pin + over, 0, "pins and limits hold");
    OK_U64(unproven, 0, "all proven");
    printf("# without the exact search %zu of %d cuts were not the best\n", heuristic_worse, CASES);
    OK(heuristic_worse < CASES / 20, "Scotch and moves alone find the best cut in at least 95 %% of them");
}

/* k rings joined by single thin edges: the planted cut is known. */
static void test_planted(size_t clusters, size_t each)
{
    struct cc_graph g = {0};
    for (size_t i = 0; i < clusters * each; i++)
        cc_graph_add_node(&g, "n", 10);
    for (size_t c = 0; c < clusters; c++) {
        for (size_t i = 0; i < each; i++) {
            cc_graph_add_edge(&g, c * each + i, c * each + (i + 1) % each, 100);
            cc_graph_add_edge(&g, c * each + i, c * each + (i + 5) % each, 100);
        }
        cc_graph_add_edge(&g, c * each, ((c + 1) % clusters) * each, 1);
    }
    struct cc_partition_options o = {.parts = clusters, .tolerance = 0.05};
    struct cc_partition balance, cut;
    both(&g, &o, &balance, &cut);
    OK_U64(cut.cut, clusters, "%zu clusters of %zu nodes are found again", clusters, each);
    OK(balance.cut > cut.cut, "the load-only partition cuts more");
    struct cc_partition again;
    cc_partition_cut(&g, &o, &balance, &again, NULL);
    OK(memcmp(again.part, cut.part, g.nodes.n * sizeof *cut.part) == 0, "the same result a second time");
    cc_partition_fini(&again);
    cc_partition_fini(&balance);
    cc_partition_fini(&cut);
    cc_graph_fini(&g);
}

static void test_edges(void)
{
    struct cc_graph g = {0};
    struct cc_err err = {0};
    struct cc_partition balance, cut;
    cc_graph_add_node(&g, "only", 0);
    cc_graph_add_edge(&g, 0, 0, 99);
    struct cc_partition_options o = {.parts = 5};
    both(&g, &o, &balance, &cut);
    OK(cut.cut == 0 && cut.max_load == 0 && cut.proven,
       "one weightless node on five parts; its self edge is not cut");
    cc_partition_fini(&balance);
    cc_partition_fini(&cut);
    o.parts = 0;
    OK(cc_partition_balance(&g, &o, &balance, &err) < 0, "no parts is refused");
    size_t pin[] = {7};
    o = (struct cc_partition_options){.parts = 2, .pin = pin};
    err = (struct cc_err){0};
    OK(cc_partition_balance(&g, &o, &balance, &err) < 0 && strstr(err.msg, "only"),
       "a pin beyond the parts is refused");
    cc_graph_fini(&g);
}

static void test_reader(void)
{
    static const struct {
        const char *text, *want;
        unsigned line;
    } bad[] = {
        {"[nodes]\na = -1\n", "not negative", 2},
        {"[nodes]\na = 1\n[edges]\na -> b = 3\n", "no node", 4},
        {"[nodes]\na = 1\n[edges]\na = 3\n", "FROM -> TO", 4},
        {"[nodes]\na = 1\na = 2\n", "twice", 3},
        {"[knots]\na = 1\n", "unknown section", 1},
        {"", "no nodes", 0},
        {"kind,name,to,amount\nnode,a,,1\nnode,a,,2\n", "twice", 3},
        {"kind,name,to,amount\nnode,a,,1\nedge,a,b,3\n", "no node", 3},
        {"kind,name,to,amount\nnode,a,,1\nwhat,a,,1\n", "expected", 3},
        {"kind,name\nnode,a\n", "header of a graph", 1},
        {"kind,name,to,amount\nnode,\"a,,1\n", "quote", 2},
        {"kind,name,to,amount\nnode,a,,99999999999999999999999\n", "not negative", 2},
        {"kind,name,to,amount\nnode,a,,9007199254740992\n", "2^53", 0},
        {"kind,name,to,amount\nnode,a,,9007199254740990\nnode,b,,9007199254740990\n", "2^53", 0},
    };
    for (size_t i = 0; i < CC_COUNT(bad); i++) {
        struct cc_graph g;
        struct cc_err err = {0};
        int rc = cc_graph_parse("g", bad[i].text, strlen(bad[i].text), &g, &err);
        OK(rc < 0 && strstr(err.msg, bad[i].want) && err.line == bad[i].line, "bad graph: %s", err.msg);
    }
    struct cc_graph g;
    const char csv[] = "# "
                       "comment\nkind,name,to,amount\nnode,\"operator,\"\"x\"\"\",,4\nnode,b,,2k\n\nedge,b,"
                       "\"operator,\"\"x\"\"\",7\n";
    OK(cc_graph_parse("g.csv", csv, sizeof csv - 1, &g, NULL) == 0, "CSV with quotes");
    OK_STR(g.nodes.v[0].name, "operator,\"x\"", "quoted name");
    OK_U64(g.nodes.v[1].weight, 2048, "suffixes");
    cc_graph_fini(&g);
}

/* Thousands of mutations of good files: an error with a message or a graph, never anything else. */
static void test_fuzz(void)
{
    static const char csv[] = "kind,name,to,amount\nnode,a,,10\nnode,\"b\",,20\nedge,a,b,5\nedge,b,a,7\n";
    const char *seeds[] = {figure8, csv};
    struct cc_rng rng = {9};
    size_t good = 0, silent = 0;
    enum { CASES = 20000 };
    for (int i = 0; i < CASES; i++) {
        char text[256];
        size_t n = strlen(seeds[i % 2]);
        memcpy(text, seeds[i % 2], n + 1);
        for (size_t k = 1 + cc_rng_below(&rng, 4); k-- > 0;) {
            if (cc_rng_below(&rng, 8) == 0)
                n = cc_rng_below(&rng, n + 1);
            else if (n)
                text[cc_rng_below(&rng, n)] = cc_rng_below(&rng, 2) ? (char)cc_rng_below(&rng, 256)
                                                                    : "\n,=[]\"->9"[cc_rng_below(&rng, 9)];
            text[n] = 0;
        }
        struct cc_graph g;
        struct cc_err err = {0};
        if (cc_graph_parse("fuzz", text, n, &g, &err) == 0) {
            good++;
            cc_graph_fini(&g);
        } else {
            silent += !err.msg[0] || err.code != CC_EINPUT;
        }
    }
    OK(good > 100 && good < CASES - 100, "%d mutations: %zu still load", CASES, good);
    OK_U64(silent, 0, "all others say why");
}

int main(void)
{
    test_figure8();
    test_brute();
    test_planted(2, 12);
    test_planted(4, 40);
    test_planted(8, 250);
    test_edges();
    test_reader();
    test_fuzz();
    return TAP_DONE();
}
