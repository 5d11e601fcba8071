#include "../../../tests/tap.h"
#include "place.h"
#include "../../base/rng.h"

static struct cc_topology *make(enum cc_topology_kind kind, size_t w, size_t h)
{
    struct cc_topology *t = NULL;
    cc_topology_new(kind, w, h, NULL, 0, &t, NULL);
    return t;
}

static size_t absdiff(size_t a, size_t b)
{
    return a > b ? a - b : b - a;
}

/* Hop counts of every pair against their closed forms. */
static void test_hops(void)
{
    static const struct {
        size_t w, h;
    } sizes[] = {{1, 1}, {2, 1}, {5, 1}, {2, 2}, {3, 3}, {4, 3}, {5, 4}, {8, 8}};
    size_t wrong[6] = {0};
    for (size_t s = 0; s < CC_COUNT(sizes); s++) {
        size_t w = sizes[s].w, h = sizes[s].h, n = w * h;
        for (int k = CC_TOPOLOGY_MESH; k <= CC_TOPOLOGY_BUS; k++) {
            struct cc_topology *t = k == CC_TOPOLOGY_RING ? make(k, n, 1) : make(k, w, h);
            for (size_t a = 0; a < n; a++) {
                for (size_t b = 0; b < n; b++) {
                    size_t dx = absdiff(a % w, b % w), dy = absdiff(a / w, b / w), d = absdiff(a, b);
                    size_t want = k == CC_TOPOLOGY_MESH    ? dx + dy
                                  : k == CC_TOPOLOGY_TORUS ? CC_MIN(dx, w - dx) + CC_MIN(dy, h - dy)
                                  : k == CC_TOPOLOGY_RING  ? CC_MIN(d, n - d)
                                  : a == b                 ? 0
                                  : k == CC_TOPOLOGY_STAR  ? 2
                                                           : 1;
                    wrong[k] += cc_topology_hops(t, a, b) != want;
                }
            }
            cc_topology_free(t);
        }
    }
    for (int k = CC_TOPOLOGY_MESH; k <= CC_TOPOLOGY_BUS; k++)
        OK_U64(wrong[k], 0, "%s: hops of every pair equal the closed form", cc_topology_kind_name(k));
}

static void test_xy(void)
{
    struct cc_topology *t = make(CC_TOPOLOGY_MESH, 3, 3);
    struct cc_traffic one = {0, 8, 10};
    struct cc_traffic_result r;
    cc_topology_route_all(t, &one, 1, NULL, true, &r);
    bool x_first = true;
    for (size_t l = 0; l < cc_topology_links(t); l++) {
        struct cc_topology_link link = cc_topology_link(t, l);
        bool on_way = (link.from == 0 && link.to == 1) || (link.from == 1 && link.to == 2) ||
                      (link.from == 2 && link.to == 5) || (link.from == 5 && link.to == 8);
        x_first = x_first && r.link_bytes[l] == (on_way ? 10 : 0);
    }
    OK(x_first, "mesh: along x first, then along y");
    OK_U64(r.hop_bytes, 40, "four hops of ten bytes");
    free(r.link_bytes);
    struct cc_traffic both[] = {{0, 2, 5}, {1, 2, 7}, {2, 1, 100}};
    cc_topology_route_all(t, both, 3, NULL, false, &r);
    OK_U64(r.max_link, 100, "the two directions of a wire are two links");
    cc_topology_free(t);
    t = make(CC_TOPOLOGY_BUS, 4, 1);
    cc_topology_route_all(t, both, 3, NULL, false, &r);
    OK_U64(r.max_link, 112, "a bus carries everything over one link");
    cc_topology_free(t);
    t = make(CC_TOPOLOGY_CROSSBAR, 4, 1);
    cc_topology_route_all(t, both, 3, NULL, false, &r);
    OK_U64(r.max_link, 100, "a crossbar is as full as its fullest output port");
    cc_topology_free(t);
}

static void test_conservation(void)
{
    struct cc_rng rng = {7};
    size_t wrong = 0;
    for (int round = 0; round < 600; round++) {
        int kind = round % 6;
        struct cc_topology *t = make(kind, 1 + cc_rng_below(&rng, 6), 1 + cc_rng_below(&rng, 6));
        struct cc_traffic list[20];
        uint64_t want = 0, carried = 0;
        for (size_t i = 0; i < CC_COUNT(list); i++) {
            list[i] = (struct cc_traffic){cc_rng_below(&rng, cc_topology_nodes(t)),
                                          cc_rng_below(&rng, cc_topology_nodes(t)), cc_rng_below(&rng, 1000)};
            want += list[i].bytes * cc_topology_hops(t, list[i].from, list[i].to);
        }
        struct cc_traffic_result r;
        cc_topology_route_all(t, list, CC_COUNT(list), NULL, true, &r);
        for (size_t l = 0; l < cc_topology_links(t); l++)
            carried += r.link_bytes[l];
        wrong += carried != want || r.hop_bytes != want;
        free(r.link_bytes);
        cc_topology_free(t);
    }
    OK_U64(wrong, 0, "600 random cases: what links carry adds up to bytes x hops");
}

static void test_missing(void)
{
    struct cc_topology *t = NULL;
    struct cc_err err = {0};
    size_t gap[] = {0, 1};
    OK(cc_topology_new(CC_TOPOLOGY_MESH, 2, 2, gap, 1, &t, &err) == 0, "a mesh with a missing link");
    OK_U64(cc_topology_hops(t, 0, 1), 3, "messages go round the gap");
    cc_topology_free(t);
    size_t cut[] = {0, 1, 0, 2};
    OK(cc_topology_new(CC_TOPOLOGY_MESH, 2, 2, cut, 2, &t, &err) < 0 && strstr(err.msg, "disconnected"),
       "a mesh that falls apart is refused");
    err = (struct cc_err){0};
    size_t none[] = {0, 3};
    OK(cc_topology_new(CC_TOPOLOGY_MESH, 2, 2, none, 1, &t, &err) < 0,
       "a link that never was cannot be missing");
    err = (struct cc_err){0};
    OK(cc_topology_new(CC_TOPOLOGY_BUS, 4, 1, gap, 1, &t, &err) < 0, "a bus has no link to miss");
    err = (struct cc_err){0};
    OK(cc_topology_new(CC_TOPOLOGY_MESH, 1000, 1000, NULL, 0, &t, &err) < 0, "too many nodes are refused");
}

static void test_platform(void)
{
    static const struct {
        const char *section, *want;
    } bad[] = {
        {"kind = mesh\nsize = 4y4\n", "must be '4x4'"},
        {"kind = mesh\nsize = -4x4\n", "must be '4x4'"},
        {"kind = mesh\nsize = 0x4\n", "1 to 1024"},
        {"kind = mesh\nsize = 99999999999x4\n", "must be '4x4'"},
        {"kind = mesh\nsize = 2x2\nmissing = 0-1, 0-2\n", "disconnected"},
        {"kind = mesh\nsize = 2x2\nmissing = nonsense\n", "is a list like"},
        {"kind = ring\nsize = 5\nmissing = 0-3\n", "no link between"},
    };
    for (size_t i = 0; i < CC_COUNT(bad); i++) {
        char text[256];
        int n = snprintf(text, sizeof text, "[platform]\nname = t\nsource = test\n[topology]\n%s",
                         bad[i].section);
        struct cc_platform *p = NULL;
        struct cc_topology *t = NULL;
        struct cc_err err = {0};
        int rc = cc_platform_parse("p.ini", text, (size_t)n, &p, &err);
        if (rc == 0)
            rc = cc_topology_from_platform(p, &t, &err);
        OK(rc < 0 && strstr(err.msg, bad[i].want) && err.line >= 5, "bad topology with its line: %s",
           err.msg);
        cc_topology_free(t);
        cc_platform_free(p);
    }
}

static uint64_t brute(const struct cc_topology *t, const uint64_t *bytes, size_t parts, size_t *node,
                      size_t depth)
{
    if (depth == parts) {
        uint64_t sum = 0;
        for (size_t a = 0; a < parts; a++)
            for (size_t b = 0; b < parts; b++)
                sum += bytes[a * parts + b] * cc_topology_hops(t, node[a], node[b]);
        return sum;
    }
    uint64_t best = UINT64_MAX;
    for (size_t n = 0; n < cc_topology_nodes(t); n++) {
        bool used = false;
        for (size_t k = 0; k < depth; k++)
            used = used || node[k] == n;
        if (used)
            continue;
        node[depth] = n;
        uint64_t sub = brute(t, bytes, parts, node, depth + 1);
        best = CC_MIN(best, sub);
    }
    return best;
}

static void test_place(void)
{
    static const struct {
        enum cc_topology_kind kind;
        size_t w, h;
    } nets[] = {{CC_TOPOLOGY_MESH, 2, 3},
                {CC_TOPOLOGY_TORUS, 3, 2},
                {CC_TOPOLOGY_RING, 6, 1},
                {CC_TOPOLOGY_MESH, 5, 1},
                {CC_TOPOLOGY_STAR, 5, 1}};
    struct cc_rng rng = {11};
    size_t wrong = 0, unproven = 0, doubled = 0;
    enum { CASES = 400 };
    for (int round = 0; round < CASES; round++) {
        size_t k = cc_rng_below(&rng, CC_COUNT(nets));
        struct cc_topology *t = make(nets[k].kind, nets[k].w, nets[k].h);
        size_t parts = 1 + cc_rng_below(&rng, cc_topology_nodes(t));
        uint64_t bytes[36] = {0};
        for (size_t i = 0; i < parts * parts; i++)
            bytes[i] = cc_rng_below(&rng, 3) ? 0 : cc_rng_below(&rng, 100);
        for (size_t i = 0; i < parts; i++)
            bytes[i * parts + i] = 0;
        struct cc_placement p;
        size_t node[8];
        cc_topology_place(t, bytes, parts, NULL, &p, NULL);
        wrong += p.traffic.hop_bytes != brute(t, bytes, parts, node, 0);
        unproven += !p.proven;
        for (size_t a = 0; a < parts; a++)
            for (size_t b = 0; b < a; b++)
                doubled += p.node[a] == p.node[b];
        cc_placement_fini(&p);
        cc_topology_free(t);
    }
    OK_U64(wrong, 0, "%d random placements equal brute force", CASES);
    OK_U64(unproven, 0, "and are proven");
    OK_U64(doubled, 0, "and no two parts share a node");
}

/* A mesh of parts that talk to their neighbours, names shuffled: the optimum is one hop a message. */
static void test_place_large(void)
{
    enum { W = 6, N = W * W };
    struct cc_topology *t = make(CC_TOPOLOGY_MESH, W, W);
    size_t shuffled[N];
    uint64_t *bytes = cc_alloc_array(N * N, sizeof *bytes), total = 0;
    struct cc_rng rng = {3};
    for (size_t i = 0; i < N; i++)
        shuffled[i] = i;
    for (size_t i = N; i-- > 1;) {
        size_t j = cc_rng_below(&rng, i + 1), keep = shuffled[i];
        shuffled[i] = shuffled[j];
        shuffled[j] = keep;
    }
    for (size_t l = 0; l < cc_topology_links(t); l++) {
        struct cc_topology_link link = cc_topology_link(t, l);
        bytes[shuffled[link.from] * N + shuffled[link.to]] = 10;
        total += 10;
    }
    struct cc_placement p;
    cc_topology_place(t, bytes, N, NULL, &p, NULL);
    printf("# shuffled 6x6 mesh onto itself: %llu byte-hops, optimum %llu\n",
           (unsigned long long)p.traffic.hop_bytes, (unsigned long long)total);
    OK((double)p.traffic.hop_bytes <= 1.15 * (double)total,
       "a shuffled mesh comes back within 15 %% of itself");
    cc_placement_fini(&p);
    bool fixed[N] = {[5] = true, [17] = true};
    cc_topology_place(t, bytes, N, fixed, &p, NULL);
    OK(p.node[5] == 5 && p.node[17] == 17, "fixed parts stay");
    cc_placement_fini(&p);
    struct cc_err err = {0};
    struct cc_topology *small = make(CC_TOPOLOGY_RING, 4, 1);
    OK(cc_topology_place(small, bytes, N, NULL, &p, &err) < 0, "more parts than nodes are refused");
    cc_topology_free(small);
    free(bytes);
    cc_topology_free(t);
}

int main(void)
{
    test_hops();
    test_xy();
    test_conservation();
    test_missing();
    test_platform();
    test_place();
    test_place_large();
    return TAP_DONE();
}
