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
    s = measure_with("trips.c", text, (struct cc_source_trips){recorded, CC_COUNT(recorded)});
    OK(function(s, "f")->m[CC_M_weighted_operations] == 75 * 2 + 75 * 8 * 5 && function(s, "f")->untold == 0,
       "as recorded: the loop's line, or that of its test (%g)",
       function(s, "f")->m[CC_M_weighted_operations]);
    OK(function(s, "f")->m[CC_M_loops_constant] == 0, "... which does not make the bounds constant");
    OK(function(s, "h")->m[CC_M_weighted_operations] == 5.5 * 2 + 4 * 3,
       "a constant goes before what was recorded");
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

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    test_recorded_trips();
    test_transforms();
    rmdir(folder);
    return TAP_DONE();
}
