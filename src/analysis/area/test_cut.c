/* Choosing hardware: against every subset, and on a recording whose figures are known. */
#include "cut.h"
#include "cut_recording.h"
#include "recorded.h"
#include "../../base/rng.h"
#include "fixture.h"
#include "tap.h"

struct instance {
    struct cc_cut_problem p;
    double area[16 * 2], budget[2], seconds[16];
    struct cc_cut_node nodes[40];
    struct cc_cut_edge edges[60];
};

/* A call tree in which kernels call each other and may appear several times, with data between its places. */
static void random_instance(struct cc_rng *r, struct instance *x)
{
    size_t n = 1 + cc_rng_below(r, 16), nodes = n + 1 + cc_rng_below(r, 20), edges = cc_rng_below(r, 60);
    for (size_t i = 0; i < n; i++) {
        x->area[2 * i] = floor(100 * cc_rng_unit(r));
        x->area[2 * i + 1] = floor(20 * cc_rng_unit(r));
    }
    x->budget[0] = 100 * (double)n * 0.4 * cc_rng_unit(r);
    x->budget[1] = cc_rng_below(r, 3) ? 20 * (double)n * 0.4 * cc_rng_unit(r) : INFINITY;
    for (size_t i = 0; i < nodes; i++)
        x->nodes[i] = (struct cc_cut_node){i ? (uint32_t)cc_rng_below(r, i) : 0, (uint32_t)cc_rng_below(r, n),
                                           floor(50 * cc_rng_unit(r)), floor(5 * cc_rng_unit(r))};
    for (size_t i = 0; i < edges; i++)
        x->edges[i] = (struct cc_cut_edge){(uint32_t)cc_rng_below(r, nodes), (uint32_t)cc_rng_below(r, nodes),
                                           floor(30 * cc_rng_unit(r))};
    x->p = (struct cc_cut_problem){n,
                                   2,
                                   x->area,
                                   x->budget,
                                   x->nodes,
                                   nodes,
                                   x->edges,
                                   edges,
                                   cc_rng_unit(r),
                                   cc_rng_unit(r),
                                   cc_rng_below(r, 2) ? INFINITY : 4,
                                   NULL};
    for (size_t i = 0; i < n; i++)
        x->seconds[i] = 20 * cc_rng_unit(r);
    if (cc_rng_below(r, 2))
        x->p.kernel_seconds = x->seconds;
}

/* The definition once more, in another way: a place is in hardware if a kernel on its path is. */
static bool hardware(const struct cc_cut_problem *p, size_t node, uint64_t set)
{
    for (; node; node = p->nodes[node].parent)
        if (set >> p->nodes[node].kernel & 1)
            return true;
    return false;
}

static double plain_time(const struct cc_cut_problem *p, uint64_t set)
{
    double sum = 0;
    for (size_t i = 0; i < p->nnodes; i++) {
        bool hw = hardware(p, i, set);
        bool entered = hw && !hardware(p, p->nodes[i].parent, set);
        if (!hw)
            sum += p->nodes[i].time;
        else if (!p->kernel_seconds)
            sum += p->nodes[i].time / p->gain;
        else if (entered)
            sum += p->nodes[i].calls * p->kernel_seconds[p->nodes[i].kernel];
        if (entered)
            sum += p->nodes[i].calls * p->call_seconds;
    }
    for (size_t i = 0; i < p->nedges; i++)
        if (hardware(p, p->edges[i].from, set) != hardware(p, p->edges[i].to, set))
            sum += p->edges[i].bytes * p->byte_seconds;
    return sum;
}

static void test_brute_force(void)
{
    enum { INSTANCES = 200 };
    struct cc_rng rng = {17};
    size_t same = 0, fits = 0, proven = 0, some = 0;
    uint64_t judged = 0, all = 0;
    for (int i = 0; i < INSTANCES; i++) {
        struct instance x;
        random_instance(&rng, &x);
        struct cc_cut best = cc_cut_solve(&x.p, 0);
        double least = INFINITY;
        for (uint64_t set = 0; set < UINT64_C(1) << x.p.nkernels; set++)
            if (cc_cut_fits(&x.p, set))
                least = fmin(least, plain_time(&x.p, set));
        same += fabs(best.time - least) <= 1e-9 * least &&
                fabs(plain_time(&x.p, best.set) - least) <= 1e-9 * least;
        fits += cc_cut_fits(&x.p, best.set);
        proven += best.proven;
        some += best.set != 0;
        judged += best.judged;
        all += UINT64_C(1) << x.p.nkernels;
    }
    OK_U64(same, INSTANCES, "as fast as the fastest of all subsets");
    OK_U64(fits, INSTANCES, "within the budget");
    OK_U64(proven, INSTANCES, "proven");
    OK(some > INSTANCES / 2, "%zu instances have something worth making", some);
    OK(judged < all / 4, "%llu sets judged where there are %llu", (unsigned long long)judged,
       (unsigned long long)all);
    struct instance x;
    do
        random_instance(&rng, &x);
    while (x.p.nkernels < 14 || cc_cut_solve(&x.p, 0).judged < 10);
    struct cc_cut few = cc_cut_solve(&x.p, 3);
    OK(!few.proven && cc_cut_fits(&x.p, few.set), "a search cut short says so, and what it has fits");
}

/* main calls f twice, f calls g once each time, main calls g five times. */
static void test_kernel_seconds(void)
{
    static const struct cc_cut_node nodes[] = {{0, 0, 10, 1}, {0, 0, 40, 2}, {1, 1, 20, 2}, {0, 1, 50, 5}};
    static const double area[] = {1, 1}, budget[] = {2}, seconds[] = {3, 4};
    struct cc_cut_problem p = {2, 1, area, budget, nodes, 4, NULL, 0, 0, 1, INFINITY, seconds};
    OK_NEAR(cc_cut_time(&p, 1), 10 + 2 * (3 + 1) + 50, 0, "f takes its own seconds, g inside it none");
    OK_NEAR(cc_cut_time(&p, 2), 10 + 40 + 7 * (4 + 1), 0, "g is called seven times from software");
    OK_NEAR(cc_cut_time(&p, 3), 10 + 2 * (3 + 1) + 5 * (4 + 1), 0, "both: five of them");
    OK(cc_cut_calls(&p, 3, 0) == 2 && cc_cut_calls(&p, 3, 1) == 5 && cc_cut_calls(&p, 2, 1) == 7 &&
           cc_cut_calls(&p, 1, 1) == 0,
       "calls over the bus");
}

/* Amdahl: nothing but time, no bus. */
static void test_amdahl(void)
{
    static const struct cc_cut_node nodes[] = {{0, 0, 5, 1}, {0, 0, 70, 1}, {0, 1, 15, 1}, {0, 2, 10, 1}};
    static const double area[] = {60, 30, 30}, budget[] = {90};
    struct cc_cut_problem p = {3, 1, area, budget, nodes, 4, NULL, 0, 0, 0, INFINITY};
    struct cc_cut c = cc_cut_solve(&p, 0);
    OK(c.set == 3 && c.time == 15 && c.proven, "70 + 15 of 100 fit: 6.7 times as fast");
    double third = 59;
    p.budget = &third;
    c = cc_cut_solve(&p, 0);
    OK(c.set == 2, "one of the small ones where the large does not fit");
    p.budget = (double[]){90};
    p.call_seconds = 80;
    c = cc_cut_solve(&p, 0);
    OK(c.set == 0 && c.time == 100, "nothing where the way there costs more");
}

/* tests/fixture.h: filter runs with its helper; produce writes the 4096 bytes it reads. */
static void test_recording(void)
{
    struct cc_profile *p = cc_fixture_profile();
    struct cc_source_function f[] = {{.name = "filter"}, {.name = "produce"}, {.name = "img::helper"},
                                     {.name = "main"},   {.name = "absent"},  {.name = "dive", .nunfit = 1}};
    struct cc_sources sources = {0};
    for (size_t i = 0; i < CC_COUNT(f); i++)
        CC_VEC_PUSH(&sources.functions, f[i]);
    struct cc_area_model model = {0};
    struct cc_cut_request rq = {p, &model, &sources, 0.9, 16, 1};
    struct cc_cut_input *in = NULL;
    struct cc_err err = {0};
    if (!OK(p && cc_cut_input_build(&rq, &in, &err) == 0, "a recording becomes a problem"))
        return;
    double sum = 0;
    for (size_t i = 0; i < in->nnodes; i++)
        sum += in->nodes[i].time;
    OK_NEAR(sum, FIXTURE_INSTRUCTIONS, 0, "all its time is somewhere");
    OK_U64(in->nkernels, 3, "three candidates");
    OK(in->nnodes == 4 && strcmp(in->kernels[0].f->name, "filter") == 0, "the one with most time first");
    OK_U64(in->nleft, 3, "and why the others are none");
    size_t helper = 0, filter = 0;
    for (size_t i = 1; i < in->nnodes; i++) {
        helper = strcmp(in->kernels[in->nodes[i].kernel].f->name, "img::helper") == 0 ? i : helper;
        filter = strcmp(in->kernels[in->nodes[i].kernel].f->name, "filter") == 0 ? i : filter;
    }
    OK(helper && in->nodes[helper].parent == filter && in->nodes[helper].calls == 10,
       "filter calls its helper ten times");
    double moved = 0;
    for (size_t i = 0; i < in->nedges; i++)
        moved += in->edges[i].to == filter || in->edges[i].from == filter ? in->edges[i].bytes : 0;
    OK(moved >= 4096 && moved <= 3 * 4096,
       "data to and from filter is moved once, however often it is read (%g bytes)", moved);
    rq.most = 1;
    cc_cut_input_free(in);
    cc_cut_input_build(&rq, &in, &err);
    OK(in->nkernels == 1 && in->nnodes == 2 && in->nleft == 5, "no more candidates than asked for");
    cc_cut_input_free(in);
    CC_VEC_FINI(&sources.functions);
    cc_profile_free(p);
}

static const struct cc_pcontext *context_of(const struct cc_profile *p, const char *name)
{
    for (size_t c = 0; c < p->ncontexts; c++)
        if (strcmp(p->functions[p->contexts[c].function].name, name) == 0)
            return &p->contexts[c];
    return NULL;
}

static uint32_t node_of(const struct cc_cut_input *in, const char *name)
{
    for (uint32_t i = 1; i < in->nnodes; i++)
        if (strcmp(in->kernels[in->nodes[i].kernel].f->name, name) == 0)
            return i;
    return 0;
}

/* Bytes that the node reads of what nodes before the loops' wrote: the loops' function and they themselves
 * are the last. */
static double bytes_into(const struct cc_cut_input *in, uint32_t to, uint32_t filter)
{
    double sum = 0;
    for (size_t i = 0; i < in->nedges; i++)
        sum += in->edges[i].to == to && in->edges[i].from < filter ? in->edges[i].bytes : 0;
    return sum;
}

static void check_loops(const struct cc_cut_input *in, const struct cc_pcontext *filter)
{
    uint32_t whole = node_of(in, "filter"), outer = node_of(in, "filter:10"),
             inner = node_of(in, "filter:12");
    OK(in->nodes[outer].parent == whole && in->nodes[inner].parent == outer,
       "inside their function, and each other");
    OK(in->nodes[node_of(in, "img::helper")].parent == outer, "what only the loop calls is inside it");
    OK_NEAR(in->nodes[outer].time, 600, 1e-9, "a loop's own time: without calls and loops inside");
    OK_NEAR(in->nodes[inner].time, 400, 1e-9, "... and the inner one's");
    OK_NEAR(in->nodes[whole].time, (double)filter->exclusive - 1000, 1e-6,
            "... which its function has no more");
    OK(in->nodes[outer].calls == 2 && in->nodes[inner].calls == 8, "calls are invocations");
    double sum = 0, into[] = {bytes_into(in, outer, whole), bytes_into(in, inner, whole),
                              bytes_into(in, whole, whole)};
    for (size_t i = 0; i < in->nnodes; i++)
        sum += in->nodes[i].time;
    OK_NEAR(sum, FIXTURE_INSTRUCTIONS, 1e-6, "all its time is somewhere");
    double all = into[0] + into[1] + into[2];
    OK(all >= 4096, "what filter reads (%g bytes)", all);
    OK_NEAR(into[0] / all, 60. / 400, 1e-9, "... is read in the loops as they read");
    OK_NEAR(into[1] / all, 40. / 400, 1e-9, "... the inner one's not twice");
}

/* filter of the fixture with two loops, one inside the other, that call its helper, and one that the source
 * does not have: 100, 40 of those and 300 of 400 bytes are read in them. */
static void test_loops(void)
{
    struct cc_profile *p = cc_fixture_profile();
    const struct cc_pcontext *filter = context_of(p, "filter"), *helper = context_of(p, "img::helper(int)");
    struct cc_source_call call = {.usr = "h", .name = "img::helper", .line = 11};
    struct cc_source_function f[] = {
        {.name = "filter", .usr = "f", .calls = &call, .ncalls = 1},
        {.name = "img::helper", .usr = "h"},
        {.name = "filter:10",
         .usr = "f@10",
         .of = "f",
         .file = "x.c",
         .line = 10,
         .test_line = 10,
         .calls = &call,
         .ncalls = 1},
        {.name = "filter:12", .usr = "f@12", .of = "f", .file = "x.c", .line = 12, .test_line = 13}};
    struct cc_sources sources = {0};
    for (size_t i = 0; i < CC_COUNT(f); i++)
        CC_VEC_PUSH(&sources.functions, f[i]);
    if (!OK(filter && helper, "the fixture has filter and its helper"))
        return;
    struct cc_ploop loops[] = {{.outer = CC_NONE,
                                .function = filter->function,
                                .file = "some/x.c",
                                .line = 10,
                                .invocations = 2,
                                .instructions = helper->inclusive + 1000,
                                .bytes_read = 100},
                               {.outer = 0,
                                .function = filter->function,
                                .file = "x.c",
                                .line = 13,
                                .invocations = 8,
                                .instructions = 400,
                                .bytes_read = 40},
                               {.outer = CC_NONE,
                                .function = filter->function,
                                .file = "x.c",
                                .line = 99,
                                .invocations = 1,
                                .instructions = 50,
                                .bytes_read = 300}};
    p->loops = loops;
    p->nloops = CC_COUNT(loops);
    struct cc_area_model model = {0};
    struct cc_cut_request rq = {p, &model, &sources, 0.9, 16, 1};
    struct cc_cut_input *in = NULL;
    struct cc_err err = {0};
    OK(cc_cut_input_build(&rq, &in, &err) == 0 && in->nkernels == 4, "loops are candidates");
    check_loops(in, filter);
    cc_cut_input_free(in);
    CC_VEC_FINI(&sources.functions);
    p->nloops = 0;
    cc_profile_free(p);
}

/* for (...) for (...) on one line, four times five rounds, and what the compiler made of one loop beside it.
 */
static void test_one_line(void)
{
    struct cc_profile *p = cc_fixture_profile();
    struct cc_source_function f[] = {
        {.name = "filter", .usr = "f"},
        {.name = "filter:10", .usr = "f@10", .of = "f", .file = "x.c", .line = 10, .test_line = 10}};
    struct cc_sources sources = {0};
    for (size_t i = 0; i < CC_COUNT(f); i++)
        CC_VEC_PUSH(&sources.functions, f[i]);
    const struct cc_pcontext *filter = context_of(p, "filter");
    struct cc_ploop loop = {.outer = CC_NONE, .file = "x.c", .line = 10}, loops[] = {loop, loop, loop};
    for (uint32_t i = 0; i < CC_COUNT(loops); i++)
        loops[i].function = filter->function;
    loops[0].invocations = 2, loops[0].iterations = 8, loops[0].instructions = 600;
    loops[1].invocations = 8, loops[1].iterations = 40, loops[1].instructions = 500, loops[1].outer = 0;
    loops[2].invocations = 2, loops[2].iterations = 4, loops[2].instructions = 30;
    p->loops = loops;
    p->nloops = CC_COUNT(loops);
    struct cc_source_trips trips;
    struct cc_arena arena = {0};
    cc_area_recorded_trips(p, &arena, &trips);
    OK(trips.n == 2 && trips.v[0].level == 0 && trips.v[1].level == 1, "nested loops of one line are two");
    OK(trips.v[0].trips == 3 && trips.v[1].trips == 5, "... each with its trips");
    struct cc_area_model model = {0};
    struct cc_cut_request rq = {p, &model, &sources, 0.9, 16, 1};
    struct cc_cut_input *in = NULL;
    struct cc_err err = {0};
    cc_cut_input_build(&rq, &in, &err);
    double own = 0;
    for (size_t i = 0; in && i < in->nnodes; i++)
        if (in->nodes[i].kernel < in->nkernels &&
            strcmp(in->kernels[in->nodes[i].kernel].f->name, "filter:10") == 0)
            own += in->nodes[i].time;
    OK_NEAR(own, 630, 1e-6, "time inside both is counted once");
    cc_cut_input_free(in);
    cc_arena_fini(&arena);
    CC_VEC_FINI(&sources.functions);
    p->nloops = 0;
    cc_profile_free(p);
}

int main(void)
{
    test_brute_force();
    test_kernel_seconds();
    test_amdahl();
    test_recording();
    test_loops();
    test_one_line();
    return TAP_DONE();
}
