/* Functions as kernels: trips from a recording, loops as directives would make them. */
#include "cli/area/sources.h"
#include "test_measure.h"
#include "tap.h"

/* Trips that the text does not tell: those of a recording, by file and line; a guess of 10 otherwise. */
static void test_recorded_trips(void)
{
    static const char text[] =
        "int f(int n, int m, const int *p)\n"
        "{\n"
        "    int s = 0;\n"
        "    for (int i = 0; i < n; i++)\n"
        "        for (int j = 0;\n"
        "             j < m; j++)\n"
        "            s += p[j];\n"
        "    return s;\n"
        "}\n"
        "int g(int n) { return f(n, n, &n); }\n"
        "int h(int n) { do n--; while (n > 9); for (int i = 0; i < 4; i++) n++; return n; }\n";
    static const struct cc_source_trip recorded[] = {
        {"some/where/trips.c", 4, 75}, {"trips.c", 6, 8}, {"other.c", 4, 1000}, {"trips.c", 11, 5.5}};
    struct cc_sources *s = measure("trips.c", text);
    OK(function(s, "f")->m[CC_M_weighted_operations] == 10 * 2 + 100 * 5 && function(s, "f")->untold == 2,
       "nothing is told: ten times each, and said to be a guess");
    cc_sources_join_trees(s);
    OK(function(s, "g")->untold == 2, "... in a kernel that calls it too");
    cc_sources_free(s);
    s = measure_how("trips.c", text, &(struct cc_source_options){.trips = {recorded, CC_COUNT(recorded)}});
    OK(function(s, "f")->m[CC_M_weighted_operations] == 75 * 2 + 75 * 8 * 5 && function(s, "f")->untold == 0,
       "as recorded: the loop's line, or that of its test (%g)",
       function(s, "f")->m[CC_M_weighted_operations]);
    OK(function(s, "f")->m[CC_M_loops_constant] == 0, "... which does not make the bounds constant");
    OK(function(s, "h")->m[CC_M_weighted_operations] == 5.5 * 2 + 4 * 3,
       "a constant goes before what was recorded");
    cc_sources_free(s);
    static const struct cc_source_trip nested[] = {
        {"line.c", 1, 6, 0}, {"line.c", 1, 7, 1}, {"line.c", 1, 9, 2}};
    s = measure_how(
        "line.c",
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) s += j; "
        "while (s > n) s--; return s; }\n",
        &(struct cc_source_options){.trips = {nested, CC_COUNT(nested)}});
    OK(function(s, "f")->m[CC_M_weighted_operations] == 6 * 2 + 6 * 7 * 3 + 6 * 2,
       "loops on one line by how deep they stand (%g)", function(s, "f")->m[CC_M_weighted_operations]);
    cc_sources_free(s);
}

/* What directives would make of the loops, and what an earlier set of metrics would have counted. */
static void test_transforms(void)
{
    struct cc_sources *s = measure("tree.c", "static int helper(int a) { return a + 1; }\n"
                                             "static int twice(int a) { return helper(a) + helper(a); }\n"
                                             "int top(double a[8][4], float b[], const int *p)\n"
                                             "{\n"
                                             "    int s = 0;\n"
                                             "    for (int i = 0; i < 100; i++)\n"
                                             "        for (int j = 0; j < 4; j++)\n"
                                             "            s += p[j];\n"
                                             "    return twice(s);\n"
                                             "}\n");
    cc_sources_join_trees(s);
    double m[CC_METRIC_COUNT];
    memcpy(m, function(s, "top")->m, sizeof m);
    cc_metrics_unroll(m, 4);
    OK(m[CC_M_operations] == 32 && m[CC_M_int_add] == 20 && m[CC_M_loops] == 2 && m[CC_M_parameters] == 3 &&
           m[CC_M_weighted_operations] == function(s, "top")->m[CC_M_weighted_operations],
       "unrolled 4 times: operations times 4, as many of them executed");
    memcpy(m, function(s, "helper")->m, sizeof m);
    cc_metrics_unroll(m, 4);
    OK(m[CC_M_operations] == 1, "... but not where there is no loop");
    memcpy(m, function(s, "top")->m, sizeof m);
    double work = m[CC_M_parallelism] * m[CC_M_critical_path];
    cc_metrics_pipeline(m);
    OK(m[CC_M_memory_ports] == 1 && m[CC_M_critical_latency] == 1 && m[CC_M_critical_path] == 1 &&
           m[CC_M_parallelism] == work && m[CC_M_operations] == 8,
       "pipelined, one access a memory: an iteration a cycle with all its operations");
    memcpy(m, function(s, "top")->m, sizeof m);
    m[CC_M_memory_ports] = 5;
    m[CC_M_critical_latency] = 40;
    m[CC_M_critical_path] = 9;
    cc_metrics_pipeline(m);
    OK(m[CC_M_critical_latency] == 3 && m[CC_M_critical_path] == 3,
       "... five accesses on two ports: one in three cycles");
    memcpy(m, function(s, "top")->m, sizeof m);
    cc_metrics_as_set(m, 1);
    OK(m[CC_M_pointer_parameters] == 1 && m[CC_M_parameter_bits] == 64 + 8 * 4 * 64,
       "as set 1 counted arrays");
    cc_sources_free(s);
}

/* A loop as if it were a function of what it takes from around it. */
static void test_loops(void)
{
    static const char text[] = "int g(int x) { return x * 3; }\n"
                               "int f(const short *p, int n)\n"
                               "{\n"
                               "    int s = 0, t[16] = {0};\n"
                               "    s += n / 7;\n"
                               "    for (int i = 0; i < 8; i++) {\n"
                               "        int u = p[i];\n"
                               "        while (u > n)\n"
                               "            u -= g(t[i]);\n"
                               "        s += u;\n"
                               "    }\n"
                               "    do { if (s < 0) return 1; s--; } while (s);\n"
                               "    return s / 3;\n"
                               "}\n";
    struct cc_sources *s = measure_how("loops.c", text, &(struct cc_source_options){.loops = true});
    const struct cc_source_function *outer = function(s, "f:6"), *inner = function(s, "f:8"),
                                    *last = function(s, "f:12");
    if (!OK(s && s->functions.n == 5 && outer && inner && last, "two functions, three loops"))
        return;
    OK(outer->of && strcmp(outer->of, function(s, "f")->usr) == 0 && outer->line == 6 &&
           outer->last_line == 10,
       "where it stands");
    OK(outer->m[CC_M_parameters] == 4 && outer->m[CC_M_pointer_parameters] == 2 &&
           outer->m[CC_M_array_parameter_bits] == 16 * 32,
       "p n s t come from outside: %g", outer->m[CC_M_parameters]);
    OK(inner->m[CC_M_parameters] == 4, "u n t i of the inner one: %g", inner->m[CC_M_parameters]);
    OK(outer->m[CC_M_loops] == 2 && inner->m[CC_M_loops] == 1 && outer->m[CC_M_div_32] == 0 &&
           function(s, "f")->m[CC_M_div_32] == 2,
       "divisions around the loop are not its");
    OK(outer->m[CC_M_loads] == 2 && inner->m[CC_M_loads] == 1, "its own loads");
    OK(outer->m[CC_M_calls] == 1 && outer->nunfit == 0 && last->nunfit == 1 &&
           last->unfit[0].kind == CC_UNFIT_JUMP,
       "a loop that returns from its function is none");
    OK(function(s, "g")->m[CC_M_fan_in] == 1, "loops do not call: their functions do");
    cc_sources_join_trees(s);
    OK(function(s, "f:8")->m[CC_M_mul_32] == 1, "... but what they call is part of them");
    cc_sources_free(s);
}

/* Static functions of one name in two files, one of which allocates, and one of a header that both include.
 */
static void test_static(void)
{
    static const char *const text[] = {
        "static inline int shared(int x) { return x ^ 1; }\n",
        "#include \"s.h\"\nstatic int helper(int x) { return x * x; }\n"
        "int one(int a) { return helper(a) + shared(a); }\n",
        "#include \"s.h\"\nvoid *malloc(unsigned long);\n"
        "static int helper(int x) { int *p = malloc(4); *p = x; return *p / 3; }\n"
        "int two(int a) { return helper(a) + shared(a); }\n"};
    static const char *const names[] = {"s.h", "one.c", "two.c"};
    char *paths[3];
    for (int i = 0; i < 3; i++) {
        paths[i] = cc_asprintf("%s/%s", folder, names[i]);
        FILE *f = fopen(paths[i], "w");
        fputs(text[i], f);
        fclose(f);
    }
    struct cc_strs files = {(const char **)paths + 1, 2, 0};
    struct cc_sources *s = NULL;
    struct cc_err err = {0};
    OK(cc_area_measure(&files, &(struct cc_source_options){0}, &s, &err) == 0 && s->functions.n == 5,
       "two files and a header of five functions");
    cc_sources_join_trees(s);
    const struct cc_source_function *one = function(s, "one"), *two = function(s, "two");
    OK(one->m[CC_M_mul_32] == 1 && one->m[CC_M_div_32] == 0 && one->nunfit == 0,
       "each file calls its own static function: no allocation in the first");
    OK(two->m[CC_M_mul_32] == 0 && two->m[CC_M_div_32] == 1 && two->nunfit == 1, "... one in the second");
    OK(one->m[CC_M_logic] == 1 && two->m[CC_M_logic] == 1 && function(s, "shared")->m[CC_M_fan_in] == 2,
       "a header's is the same in both");
    cc_sources_free(s);
    for (int i = 0; i < 3; i++) {
        unlink(paths[i]);
        free(paths[i]);
    }
}

int main(void)
{
    tap_folder(folder);
    test_recorded_trips();
    test_transforms();
    test_loops();
    test_static();
    rmdir(folder);
    return TAP_DONE();
}
