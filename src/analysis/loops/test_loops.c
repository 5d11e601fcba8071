/* From facts to verdicts, on a profile whose facts are put in by hand. */
#include "loops.h"
#include "sentence.h"
#include "flow/test_flow_code.h"
#include "../../../tests/fixture.h"
#include "../../../tests/tap.h"

enum { LOOP = 0 };

/* One loop with these dependences, judged without and with a source. */
struct trial {
    const char *what;
    struct cc_pdependence v[4];
    size_t n;
    enum cc_verdict want;
    enum cc_reason_kind reason; /* the first, if there is one */
};

#define FROM(k, one, two, ...)                                                                       \
    {                                                                                                \
        .loop = LOOP, .space = CC_SPACE_MEMORY, .kind = CC_DEPENDENCE_##k, .count = 5, .first = one, \
        .second = two, .area = CC_AREA_IMAGE, .variable = "x", __VA_ARGS__                           \
    }
#define MEMORY(k, ...) FROM(k, 0x10, 0x20, __VA_ARGS__)
/* What sprintf writes in each iteration, on the heap. */
#define BY_LIBRARY(block)                                                                             \
    {                                                                                                 \
        .loop = LOOP, .space = CC_SPACE_MEMORY, .kind = CC_DEPENDENCE_WAW, .count = 5, .first = 0x10, \
        .second = 0x20, .first_call = "sprintf", .second_call = "sprintf", .area = CC_AREA_HEAP,      \
        .variable = block, .distance_min = 1                                                          \
    }

/* What one call of a library's function leaves in x0 and so on, and the next reads. */
#define LEFT(x) LEFT_TO(x, "f", "f")
#define LEFT_TO(x, by, to)                                                                              \
    {                                                                                                   \
        .loop = LOOP, .space = CC_SPACE_REGISTER, .kind = CC_DEPENDENCE_RAW, .count = 5, .first = 0x10, \
        .second = 0x10, .first_call = (by), .second_call = (to), .place = CC_GUEST_ARM64_X0 + 8 * (x),  \
        .distance_min = 1                                                                               \
    }
/* A place of the frame that is overwritten, by a function of a library; what it wrote elsewhere is read. */
#define IN_FRAME(k, a, ...)                                                                           \
    {                                                                                                 \
        .loop = LOOP, .space = CC_SPACE_MEMORY, .kind = CC_DEPENDENCE_##k, .count = 5, .first = 0x20, \
        .second = 0x20, .first_call = "f", .area = CC_AREA_##a, .size = 8, __VA_ARGS__                \
    }

static const struct trial trials[] = {
    {"nothing is carried", {{0}}, 0, CC_VERDICT_PARALLEL, CC_REASONS},
    {"a value flows to the next iteration",
     {MEMORY(RAW, .distance_min = 1)},
     1,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_RAW},
    {"over four iterations", {MEMORY(RAW, .distance_min = 4)}, 1, CC_VERDICT_ORDERED, CC_REASON_RAW},
    {"over four, and another over one",
     {MEMORY(RAW, .distance_min = 4), FROM(RAW, 0x30, 0x20, .distance_min = 1)},
     2,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_RAW},
    {"it is only overwritten", {MEMORY(WAW, .distance_min = 1)}, 1, CC_VERDICT_PRIVATE, CC_REASONS},
    {"a block of the program is overwritten by a library",
     {BY_LIBRARY("block")},
     1,
     CC_VERDICT_PRIVATE,
     CC_REASONS},
    {"a library overwrites something of its own", {BY_LIBRARY(NULL)}, 1, CC_VERDICT_PARALLEL, CC_REASONS},
    {"overwritten, and read before it is",
     {MEMORY(WAW, .distance_min = 1), MEMORY(WAR, .distance_min = 1)},
     2,
     CC_VERDICT_PRIVATE,
     CC_REASONS},
    {"overwritten after it was read from before the loop",
     {MEMORY(WAR, .distance_min = 1), FROM(EXPOSED, 0x40, 0x10, .size = 8)},
     2,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_WAR},
    {"overwritten, and read afterwards",
     {MEMORY(WAW, .distance_min = 1), FROM(LIVE_OUT, 0x20, 0x50, .size = 8)},
     2,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_WAW},
    {"overwritten, and nobody saw who reads it",
     {MEMORY(WAW, .distance_min = 1, .flags = CC_DEPENDENCE_CUT)},
     1,
     CC_VERDICT_UNKNOWN,
     CC_REASONS},
    {"a library keeps something",
     {MEMORY(RAW, .distance_min = 1, .first_call = "rand", .second_call = "rand")},
     1,
     CC_VERDICT_ORDERED,
     CC_REASON_CALL},
    {"a library keeps something for a while",
     {MEMORY(WAW, .distance_min = 1, .first_call = "strtok", .second_call = "strtok")},
     1,
     CC_VERDICT_ORDERED,
     CC_REASON_CALL},
    {"exceptions under way",
     {MEMORY(RAW, .distance_min = 1, .first_call = "__cxa_begin_catch", .second_call = "__cxa_throw"),
      MEMORY(WAW, .distance_min = 1, .first_call = "__cxa_throw", .second_call = "__cxa_throw")},
     2,
     CC_VERDICT_PARALLEL,
     CC_REASONS},
    {"who asks how many",
     {MEMORY(RAW, .distance_min = 1, .first_call = "__cxa_throw",
             .second_call = "std::uncaught_exceptions()")},
     1,
     CC_VERDICT_ORDERED,
     CC_REASON_CALL},
    {"what a library leaves in a register", {LEFT(9)}, 1, CC_VERDICT_PARALLEL, CC_REASONS},
    {"where its result comes", {LEFT(0)}, 1, CC_VERDICT_ORDERED, CC_REASON_CALL},
    {"or in one that is kept", {LEFT(19)}, 1, CC_VERDICT_ORDERED, CC_REASON_CALL},
    {"where a second result would come", {LEFT(1)}, 1, CC_VERDICT_ORDERED, CC_REASON_CALL},
    {"of a function that has but one", {LEFT_TO(1, "strtol", "f")}, 1, CC_VERDICT_PARALLEL, CC_REASONS},
    {"to one that takes no integers", {LEFT_TO(0, "f", "fmod")}, 1, CC_VERDICT_PARALLEL, CC_REASONS},
    {"to one that takes one", {LEFT_TO(0, "f", "ldexp")}, 1, CC_VERDICT_ORDERED, CC_REASON_CALL},
    {"to one that takes as many as there are",
     {LEFT_TO(0, "f", "printf")},
     1,
     CC_VERDICT_ORDERED,
     CC_REASON_CALL},
    {"kept for whoever comes", {LEFT_TO(19, "f", "fmod")}, 1, CC_VERDICT_ORDERED, CC_REASON_CALL},
    {"of what a library writes, a block is read afterwards, and not the frame",
     {IN_FRAME(WAW, STACK, .distance_min = 1), IN_FRAME(LIVE_OUT, HEAP, .variable = "block")},
     2,
     CC_VERDICT_PRIVATE,
     CC_REASONS},
    {"the frame is",
     {IN_FRAME(WAW, STACK, .distance_min = 1), IN_FRAME(LIVE_OUT, STACK, .distance_min = 0)},
     2,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_WAW},
    {"a variable's place in it is, perhaps",
     {IN_FRAME(WAW, STACK, .distance_min = 1, .variable = "t"), IN_FRAME(LIVE_OUT, HEAP, .distance_min = 0)},
     2,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_WAW},
    {"a library moves the program's data",
     {MEMORY(RAW, .distance_min = 1, .first_call = "__memcpy_generic", .second_call = "memmove")},
     1,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_RAW},
    {"a system call", {MEMORY(SYSTEM, .place = 64)}, 1, CC_VERDICT_ORDERED, CC_REASON_IO},
    {"memory from the system", {MEMORY(SYSTEM, .place = 222)}, 1, CC_VERDICT_PARALLEL, CC_REASONS},
    {"output and a dependence",
     {MEMORY(SYSTEM, .place = 64), MEMORY(RAW, .distance_min = 1)},
     2,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_RAW},
};

static struct cc_loop_list *judge(struct cc_profile *p, const struct trial *t,
                                  const struct cc_source_loops *sources)
{
    struct cc_loop_list *l = NULL;
    struct cc_err err = {0};
    p->dependences = (struct cc_pdependence *)(uintptr_t)t->v;
    p->ndependences = t->n;
    OK(cc_loops_analyse(p, sources, &l, &err) == 0, "%s", t->what);
    return l;
}

static void test_facts(struct cc_profile *p)
{
    for (size_t i = 0; i < CC_COUNT(trials); i++) {
        const struct trial *t = &trials[i];
        struct cc_loop_list *l = judge(p, t, NULL);
        const struct cc_loop *x = &l->v.v[0];
        OK_STR(cc_verdict_names[x->verdict], cc_verdict_names[t->want], "  its verdict: %s", x->sentence);
        OK(x->reasons.n ? x->reasons.v[0].kind == t->reason : t->reason == CC_REASONS, "  its reason");
        OK(!x->pragma, "  no pragma without the source");
        cc_loops_free(l);
    }
}

/* Of a loop that was followed in part. */
static const struct trial distances[] = {
    {"a sample met it at one distance",
     {MEMORY(RAW, .distance_min = 3, .distance_max = 3)},
     1,
     CC_VERDICT_ORDERED,
     CC_REASON_RAW},
    {"at two, and may have missed a third",
     {MEMORY(RAW, .distance_min = 3, .distance_max = 9)},
     1,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_RAW},
    {"at some beyond those that are kept",
     {MEMORY(RAW, .distance_min = 3, .distance_max = 3, .flags = CC_DEPENDENCE_FAR)},
     1,
     CC_VERDICT_SEQUENTIAL,
     CC_REASON_RAW},
};

static void test_distances(struct cc_profile *p)
{
    struct cc_ploop was = p->loops[0];
    for (size_t i = 0; i < CC_COUNT(distances); i++) {
        for (int whole = 0; whole < 2; whole++) {
            p->loops[0].iterations = whole ? was.iterations : 10 * was.iterations;
            struct cc_loop_list *l = judge(p, &distances[i], NULL);
            const struct cc_loop *x = &l->v.v[0];
            enum cc_verdict want = whole ? CC_VERDICT_ORDERED : distances[i].want;
            OK_STR(cc_verdict_names[x->verdict], cc_verdict_names[want], "  %s: %s",
                   whole ? "all of it" : "a part", x->sentence);
            cc_loops_free(l);
        }
    }
    p->loops[0] = was;
}

/* --- the source has a say --- */

static struct cc_source_loops *source(const char *rest)
{
    struct cc_source_loops *s = cc_source_loops_new();
    CC_CLEANUP(cc_free_ptr) char *text = cc_asprintf("L\t0\t10\t5\t20\t10\t5\t10\t%s", rest);
    cc_source_loops_add(s, text, strlen(text));
    return s;
}

static void check_source(struct cc_profile *p, const char *what, const struct trial *t, const char *rest,
                         enum cc_verdict want, const char *pragma)
{
    struct cc_source_loops *s = source(rest);
    struct cc_loop_list *l = judge(p, t, s);
    const struct cc_loop *x = &l->v.v[0];
    OK(s->v.n == 1 && x->sourced, "%s", what);
    OK_STR(cc_verdict_names[x->verdict], cc_verdict_names[want], "  its verdict: %s", x->sentence);
    OK_STR(x->pragma ? x->pragma : "none", pragma, "  its pragma");
    cc_loops_free(l);
    cc_source_loops_free(s);
}

static void test_source(struct cc_profile *p)
{
    const struct trial *none = &trials[0], *over = &trials[4];
    p->loops[0].file = "/src/t.c";
    p->loops[0].line = 10;
    check_source(p, "it agrees", none, "0\t1\t0\ti\tf\tt.c\nV\t0\t\t0\t10\ti\n", CC_VERDICT_PARALLEL,
                 "#pragma omp parallel for");
    check_source(p, "a private scalar", none, "0\t1\t0\ti\tf\tt.c\nV\t1\t\t0\t11\tt\n", CC_VERDICT_PRIVATE,
                 "#pragma omp parallel for private(t)");
    check_source(p, "two and a last value", none,
                 "0\t1\t0\ti\tf\tt.c\nV\t1\t\t0\t11\tt\nV\t1\t\t0\t11\tu\nV\t2\t\t0\t12\tw\n",
                 CC_VERDICT_PRIVATE, "#pragma omp parallel for private(t, u) lastprivate(w)");
    check_source(p, "a reduction", none, "0\t1\t0\ti\tf\tt.c\nV\t3\tmax\t11\t11\ts\n", CC_VERDICT_REDUCTION,
                 "#pragma omp parallel for reduction(max:s)");
    check_source(p, "a carried variable", none, "0\t1\t0\ti\tf\tt.c\nV\t6\t\t11\t12\ts\n", CC_VERDICT_UNKNOWN,
                 "none");
    check_source(p, "a second counter", none, "0\t1\t0\ti\tf\tt.c\nV\t4\t\t11\t12\tk\n", CC_VERDICT_UNKNOWN,
                 "none");
    check_source(p, "it may leave early", none, "15\t1\t0\ti\tf\tt.c\nV\t0\t\t0\t10\ti\n", CC_VERDICT_UNKNOWN,
                 "none");
    check_source(p, "it does not count", none, "0\t0\t0\t\tf\tt.c\n", CC_VERDICT_PARALLEL, "none");
    check_source(p, "a load that is gone", none,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t11\t\t0\t11\t12\t0\t0\t0\t1\t0\t0\t0\t0\t0\t0\ta\n",
                 CC_VERDICT_UNKNOWN, "none");
    check_source(p, "the same element", none,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t11\t\t0\t11\t12\t1\t0\t0\t1\t0\t0\t0\t0\t0\t0\ta\n",
                 CC_VERDICT_PARALLEL, "#pragma omp parallel for");
    check_source(p, "an array of scratch", over,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t11\t\t0\t11\t12\t1\t0\t0\t1\t0\t0\t0\t0\t0\t0\tx\n",
                 CC_VERDICT_PRIVATE, "#pragma omp parallel for private(x)");
    check_source(p, "an element in a register", none,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t0\t\t0\t0\t12\t1\t0\t12\t1\t0\t0\t0\t0\t0\t0\ty\n",
                 CC_VERDICT_UNKNOWN, "none");
    check_source(p, "a sum in an element in a register", none,
                 "0\t1\t0\ti\tf\tt.c\nA\t+\t12\t\t0\t12\t12\t1\t0\t12\t1\t0\t0\t0\t0\t0\t0\ty\n",
                 CC_VERDICT_REDUCTION, "#pragma omp parallel for reduction(+:y)");
    check_source(p, "a sum in an element, and no load for a look at another", none,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t12\t+\t12\t12\t12\t0\t1\t12\t1\t0\t0\t0\t0\t0\t0\ty\n",
                 CC_VERDICT_UNKNOWN, "none");
    check_source(p, "scratch that is read first", over,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t11\t\t0\t11\t12\t1\t1\t0\t1\t0\t0\t0\t0\t0\t0\tx\n",
                 CC_VERDICT_UNKNOWN, "none");
    check_source(p, "scratch behind a pointer", over,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t11\t\t0\t11\t12\t1\t0\t0\t0\t0\t0\t0\t0\t0\t0\tx\n",
                 CC_VERDICT_PRIVATE, "none");
    check_source(p, "the binary forbids", &trials[1], "0\t1\t0\ti\tf\tt.c\nV\t0\t\t0\t10\ti\n",
                 CC_VERDICT_SEQUENTIAL, "none");
}

/* Of a sample the source tells whether it is enough; what the run alone tells has no pragma. */
static void test_far(struct cc_profile *p)
{
    const struct trial *none = &trials[0];
    struct cc_ploop was = p->loops[0];
    const char *indirect = "0\t1\t0\ti\tf\tt.c\nA\t\t0\t\t0\t0\t12\t0\t0\t0\t1\t0\t1\t0\t0\t0\t0\ty\n";
    p->loops[0].trips_max = 400, p->loops[0].iterations = 40000, p->loops[0].invocations = 100,
    p->loops[0].cost_deviation = 0;
    p->loops[0].sampled_invocations = 1, p->loops[0].sampled_iterations = 400;
    check_source(p, "elements that may be anybody's, all followed", none, indirect, CC_VERDICT_PARALLEL,
                 "none");
    p->loops[0].sampled_iterations = 399;
    check_source(p, "one iteration was not", none, indirect, CC_VERDICT_UNKNOWN, "none");
    p->loops[0].flags |= CC_LOOP_WHOLE;
    check_source(p, "but all of another invocation", none, indirect, CC_VERDICT_PARALLEL, "none");
    p->loops[0].flags = was.flags;
    p->loops[0].sampled_invocations = 50, p->loops[0].sampled_iterations = 50 * 4 + 300;
    check_source(p, "a few of each invocation", none, indirect, CC_VERDICT_UNKNOWN, "none");
    p->loops[0].sampled_iterations = 49 * 4 + 400;
    check_source(p, "and all of one", none, indirect, CC_VERDICT_PARALLEL, "none");
    p->loops[0] = was;
}

/* What was not followed may do otherwise where a factor or a loop inside is another. */
static void test_alike(struct cc_profile *p)
{
    const struct trial *none = &trials[0];
    struct cc_ploop was = p->loops[0], inner = p->loops[1];
    const char *scaled = "0\t1\t0\ti\tf\tt.c\nA\t\t0\t\t0\t0\t12\t0\t0\t0\t1\t0\t16384\t0\t0\t0\t0\ty\n",
               *spread = "0\t1\t0\ti\tf\tt.c\nA\t\t0\t\t0\t0\t12\t0\t0\t0\t1\t0\t8192\t0\t0\t0\t0\ty\n";
    p->loops[0].trips_max = 400, p->loops[0].iterations = 40000, p->loops[0].invocations = 100,
    p->loops[0].cost_deviation = 0;
    p->loops[0].sampled_invocations = 99, p->loops[0].sampled_iterations = 99 * 4 + 400;
    check_source(p, "elements by a factor, and an invocation that was not followed", none, scaled,
                 CC_VERDICT_UNKNOWN, "none");
    p->loops[0].sampled_invocations = 100;
    check_source(p, "something of all", none, scaled, CC_VERDICT_PARALLEL, "none");
    p->loops[1].trips_min = 9, p->loops[1].trips_max = 10;
    check_source(p, "rows of which some are longer", none, spread, CC_VERDICT_UNKNOWN, "none");
    p->loops[1].trips_min = 10;
    check_source(p, "rows of one length", none, spread, CC_VERDICT_PARALLEL, "none");
    p->loops[1].trips_min = 9, p->loops[0].sampled_iterations = p->loops[0].iterations;
    check_source(p, "and all followed", none, spread, CC_VERDICT_PARALLEL, "none");
    p->loops[0] = was, p->loops[1] = inner;
}

/* Iterations that meet by the source, and the last one, where a compiler makes one of several. */
static void test_meets(struct cc_profile *p)
{
    const struct trial *none = &trials[0], *over = &trials[4];
    check_source(p, "one element for several iterations", none,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t0\t\t0\t0\t12\t0\t0\t0\t1\t0\t262144\t0\t0\t0\t0\ty\n",
                 CC_VERDICT_UNKNOWN, "none");
    check_source(p, "one for each", none,
                 "0\t1\t0\ti\tf\tt.c\nA\t\t0\t\t0\t0\t12\t0\t0\t0\t1\t0\t262152\t0\t0\t0\t0\ty\n",
                 CC_VERDICT_PARALLEL, "#pragma omp parallel for");
    check_source(
        p, "one element that some iterations set", over,
        "0\t1\t0\ti\tf\tt.c\nW\t12\t1\t1\nA\t\t0\t\t0\t0\t12\t0\t0\t12\t1\t0\t524292\t0\t0\t0\t0\tx\n",
        CC_VERDICT_UNKNOWN, "none");
    check_source(p, "that all do", over,
                 "0\t1\t0\ti\tf\tt.c\nW\t12\t1\t0\nA\t\t0\t\t0\t0\t12\t0\t0\t12\t1\t0\t4\t0\t0\t0\t0\tx\n",
                 CC_VERDICT_PRIVATE, "#pragma omp parallel for firstprivate(x) lastprivate(x)");
}

static void test_figures(struct cc_profile *p)
{
    struct cc_loop_list *l = judge(p, &trials[0], NULL);
    OK(l->v.n == 2 && l->v.v[0].parent == CC_NONE && l->v.v[1].parent == 0 && l->v.v[1].depth == 1,
       "the inner loop is in the outer");
    OK(l->v.v[0].iterations == 4 && l->v.v[1].iterations == 40, "iterations");
    OK_NEAR(l->v.v[0].cost_deviation, 8, 1e-9, "spread of an iteration");
    OK_NEAR(l->v.v[1].coverage, 1, 1e-9, "coverage");
    cc_loops_free(l);
    struct cc_ploop was = p->loops[0];
    p->loops[0].cost_deviation = 3 * was.instructions / was.iterations;
    l = judge(p, &trials[0], NULL);
    OK(l->v.v[0].verdict == CC_VERDICT_PARALLEL, "iterations that are unlike each other, all followed");
    cc_loops_free(l);
    p->loops[0].iterations = 10 * was.iterations;
    p->loops[0].instructions = 10 * was.instructions;
    l = judge(p, &trials[0], NULL);
    OK(l->v.v[0].verdict == CC_VERDICT_UNKNOWN, "a tenth of them followed");
    cc_loops_free(l);
    p->loops[0].cost_deviation = was.instructions / was.iterations;
    l = judge(p, &trials[0], NULL);
    OK(l->v.v[0].verdict == CC_VERDICT_PARALLEL, "a tenth of some that are more alike");
    cc_loops_free(l);
    p->loops[0] = was;
    uint64_t trips = p->loops[0].trips_max;
    p->loops[0].trips_max = 1;
    l = judge(p, &trials[0], NULL);
    OK(l->v.v[0].verdict == CC_VERDICT_UNKNOWN, "one iteration tells nothing: %s", l->v.v[0].sentence);
    cc_loops_free(l);
    p->loops[0].trips_max = trips;
}

/* An engine that sees no registers: the same facts, and a place that each iteration changes where it finds
 * it. */
static void test_unseen(struct cc_profile *p)
{
    static const struct trial update = {
        .what = "a place that goes on by itself",
        .v = {MEMORY(RAW, .distance_min = 1, .place = 8),
              FROM(WITHIN_WAR, 0x20, 0x10, .place = 8, .flags = CC_DEPENDENCE_BEFORE),
              FROM(RAW, 0x10, 0x30, .distance_min = 1, .place = 8),
              FROM(WAW, 0x10, 0x10, .distance_min = 1, .place = 8)},
        .n = 4};
    const char *engine = p->engine, *head = "0\t1\t0\ti\tf\tt.c\n";
    p->engine = "qemu";
    for (size_t i = 0; i < CC_COUNT(trials); i++) {
        struct cc_loop_list *l = judge(p, &trials[i], NULL);
        const struct cc_loop *x = &l->v.v[0];
        bool harmed = trials[i].want >= CC_VERDICT_ORDERED && trials[i].reason != CC_REASON_WAW;
        enum cc_verdict want = harmed ? trials[i].want : CC_VERDICT_UNKNOWN;
        OK_STR(cc_verdict_names[x->verdict], cc_verdict_names[want], "  without registers: %s", x->sentence);
        cc_loops_free(l);
    }
    struct cc_loop_list *l = judge(p, &update, NULL);
    OK(l->v.v[0].verdict == CC_VERDICT_UNKNOWN && strstr(l->v.v[0].sentence, "nothing but x, changed"),
       "  unknown: %s", l->v.v[0].sentence);
    cc_loops_free(l);
    p->loops[0].file = "/src/t.c";
    p->loops[0].line = 10;
    static const struct {
        const char *rest;
        enum cc_verdict want;
    } told[] = {{"V\t0\t\t0\t10\tx\n", CC_VERDICT_UNKNOWN},
                {"V\t3\t+\t11\t11\tx\n", CC_VERDICT_UNKNOWN},
                {"V\t6\t\t11\t12\tx\n", CC_VERDICT_SEQUENTIAL},
                {"A\t+\t12\t\t0\t12\t12\t1\t0\t12\t1\t0\t0\t0\t0\t0\t0\tx\n", CC_VERDICT_UNKNOWN},
                {"A\t\t12\t\t0\t12\t12\t1\t0\t12\t1\t0\t0\t0\t0\t0\t0\tx\n", CC_VERDICT_SEQUENTIAL}};
    for (size_t i = 0; i < CC_COUNT(told); i++) {
        CC_CLEANUP(cc_free_ptr) char *rest = cc_asprintf("%s%s", head, told[i].rest);
        check_source(p, "  what the source says of it", &update, rest, told[i].want, "none");
    }
    p->engine = engine;
}

/* The outer loop's code: it counts, and that decides when it ends. */
static void give_code(struct cc_profile *p, struct assembler *a)
{
    static struct cc_rec_loop_block all = {.loop = LOOP, .start = TICK, .end = TICK + 0x100};
    block(a, TICK);
    count(a, 1, 1);
    loop_until(a, 1, 2);
    after(a, NULL, 0);
    p->loop_blocks = &all;
    p->nloop_blocks = 1;
    p->loop_code = a->code.v;
    p->nloop_code = a->code.n;
    p->isa = "aarch64"; /* whose registers and system calls are meant */
    p->binaries[p->loops[LOOP].binary].bias = 0;
    p->loops[LOOP].header = p->loops[LOOP].tick = TICK;
}

/* `for (...) take(&a, x[i]);`: take has an update in line 3, and in line 4 something else. */
static void test_combined_in_calls(void)
{
    struct cc_source_state states[] = {{.line = 3, .always = true, .op = "+"}, {.line = 4, .always = true}};
    struct cc_loop_function take = {.name = "take", .file = "t.c", .line = 1, .last_line = 5};
    struct cc_source_loops all = {0};
    struct cc_source_loop loop = {.file = "t.c", .line = 8, .last_line = 9};
    struct cc_loop l = {.file = "t.c", .line = 8, .verdict = CC_VERDICT_SEQUENTIAL};
    struct cc_arena arena = {0};
    for (size_t i = 0; i < CC_COUNT(states); i++)
        CC_VEC_PUSH(&take.states, states[i]);
    CC_VEC_PUSH(&all.functions, take);
    CC_VEC_PUSH(&l.reasons,
                ((struct cc_loop_reason){.variable = "a", .first = {"t.c", 3}, .second = {"t.c", 3}}));
    l.reasons.v[0].kind = CC_REASON_RAW;
    const char *told = cc_loop_reason_sentence(&arena, &l, &loop, &all);
    OK(strstr(told, "take at line 3 only combines a with something (+)"), "updates in a call: %s", told);
    l.reasons.v[0].first.line = l.reasons.v[0].second.line = 4;
    told = cc_loop_reason_sentence(&arena, &l, &loop, &all);
    OK(!strstr(told, "only combines"), "what a call also does otherwise: %s", told);
    CC_VEC_FINI(&l.reasons);
    CC_VEC_FINI(&all.functions);
    CC_VEC_FINI(&take.states);
    cc_arena_fini(&arena);
}

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    if (!p)
        return 1;
    struct cc_pdependence *kept = p->dependences;
    const char *isa = p->isa;
    struct assembler a = {0};
    give_code(p, &a);
    test_figures(p);
    test_facts(p);
    test_distances(p);
    test_source(p);
    test_far(p);
    test_meets(p);
    test_alike(p);
    test_unseen(p);
    test_combined_in_calls();
    p->isa = isa;
    p->dependences = kept;
    p->ndependences = 0;
    cc_profile_free(p);
    CC_VEC_FINI(&a.code);
    return TAP_DONE();
}
