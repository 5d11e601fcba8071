#include "analysis/scenario/scenario.h"
#include "analysis/scenario/expr.h"
#include "tap.h"

static struct cc_err err;

static struct cc_scenario *parse(const char *text)
{
    struct cc_scenario *s = NULL;
    err = (struct cc_err){0};
    cc_scenario_parse("d/s.omp", text, strlen(text), &s, &err);
    return s;
}

static bool refused(const char *text, unsigned line, const char *message)
{
    struct cc_scenario *s = parse(text);
    bool ok = !s && err.code == CC_EINPUT && err.line == line && strstr(err.msg, message);
    if (!ok)
        printf("# %s:%u: %s\n", err.file, err.line, err.msg);
    cc_scenario_free(s);
    return ok;
}

static int64_t value(const char *text)
{
    char why[128];
    int64_t v = -999;
    if (!cc_expr_eval(text, &(struct cc_clause_names){8, -1, -1}, &v, why))
        printf("# %s: %s\n", text, why);
    return v;
}

/* As a compiler sees it: comments and _Pragma. */
static void test_spelling(void)
{
    static const char *const same[] = {
        "f = #pragma omp parallel for schedule(dynamic, 4)\n",
        "f = _Pragma(\"omp parallel for schedule(dynamic, 4)\")\n",
        "f =  _Pragma ( \"omp parallel for schedule(dynamic, 4)\" ) // as macros need it\n",
        "f = #pragma omp parallel for schedule(dynamic, 4) // a comment, with = # in it\n",
        "f = #pragma omp parallel /* all of them */ for/**/schedule(dynamic, /* lines */ 4)\n",
        "f = #  pragma omp \\\n parallel for, schedule(dynamic,4),\n",
        "f = __pragma(omp parallel for schedule(dynamic, 4))\n",
        "f = [[omp::directive(parallel for, schedule(dynamic, 4))]]\n",
        "f = [[ omp :: directive ( parallel for schedule(dynamic, 4) ) ]] // C++\n",
        "f = [[using omp: directive(parallel for schedule(dynamic, 4))]]\n",
        "f = [[omp::sequence(directive(parallel), omp::directive(for schedule(dynamic, 4)))]]\n",
        "f = !$omp parallel do schedule(dynamic, 4)\n",
        "f = C$OMP PARALLEL DO SCHEDULE(DYNAMIC, 4) ! a comment\n",
        "f = *$omp Parallel Do &\n!$OMP& Schedule(Dynamic, &\n !$omp 4)\n",
        "f = #pragma omp parallel for schedule(dynamic, 4) \\\n",
        "f = !$omp parallel do schedule(dynamic, 4) &\n",
        "## pragma omp parallel\n! a comment\nf = #pragma omp parallel for schedule(dynamic, 4)\n",
    };
    for (size_t i = 0; i < CC_COUNT(same); i++) {
        struct cc_scenario *s = parse(same[i]);
        OK(s && s->n == 1 && strcmp(s->directives[0].text, "parallel for schedule(dynamic, 4)") == 0 &&
               strcmp(s->directives[0].task, "f") == 0,
           "a spelling of the same: %s", s ? s->directives[0].text : err.msg);
        cc_scenario_free(s);
    }
    struct cc_scenario *s = parse("f = !$OMP PARALLEL DO SCHEDULE(DYNAMIC, CHUNK)\nf = #define CHUNK 4\n");
    OK(s && strcmp(s->directives[0].text, "parallel for schedule(dynamic, (4))") == 0,
       "Fortran's words in any letters, the program's names as they are");
    cc_scenario_free(s);
}

/* What is written in another way, and not as it has to be. */
static void test_misspelt(void)
{
    OK(refused("f = [[omp::directive(parallel for)]\n", 1, "directive"), "an attribute that does not end");
    OK(refused("f = [[omp::directive]]\n", 1, "directive"), "an attribute that says nothing");
    OK(refused("f = [[likely]]\n", 1, "directive"), "another attribute");
    OK(refused("f = __pragma(omp parallel\n", 1, "expected"), "__pragma that does not end");
    OK(refused("f = !$omp parallel workshare\n", 1, "workshare"), "a directive that only Fortran has");
    OK(refused("f = !$omp end parallel do\n", 1, "end"), "the end of one");
    OK(refused("f = #pragma omp task\n\n#pragma omp taskwait\n", 3, "without a task"),
       "a directive without a task is no comment");
    OK(refused("f = #pragma omp task\n !$OMP TASKWAIT\n", 2, "without a task"), "nor is Fortran's");
}

static bool no_value(const char *text, const char *message)
{
    char why[128];
    int64_t v;
    return !cc_expr_eval(text, &(struct cc_clause_names){8, -1, -1}, &v, why) && strstr(why, message);
}

static void expressions(void)
{
    OK(value("1+2*3") == 7 && value("(1+2)*3") == 9 && value("7/2-1") == 2 && value("-3 % 2") == -1,
       "arithmetic");
    OK(value("1<2 && 3>=3 || 0") == 1 && value("!5") == 0 && value("2 != 2") == 0 && value("~0") == -1,
       "logic");
    OK(value("0x10 | 1") == 17 && value("1<<4") == 16 && value("6 & 3 ^ 1") == 3 && value("16>>2") == 4,
       "bits");
    OK(value("omp_get_num_procs() > 4 ? omp_get_num_procs()/2 : 1") == 4, "the number of processors");
    OK(value("0 && 1/0") == 0 && value("1 ? 2 : 1/0") == 2 && value("1 || 1/0") == 1,
       "the side not taken does not count");
    OK(no_value("1/0", "zero") && no_value("1+", "early") && no_value("(1", ")") && no_value("N", "'N'") &&
           no_value("1 2", "left over") && no_value("", "early"),
       "faults");
    OK(no_value("9223372036854775807+1", "large") && no_value("1<<70", "shift") &&
           no_value("99999999999999999999", "large") && no_value("1.5", "whole"),
       "too large");
    char deep[4001];
    memset(deep, '(', 4000);
    deep[4000] = 0;
    OK(no_value(deep, "deep"), "4000 parentheses");
}

/* From 1 to 100, on two processors. */
static int value_of(const struct cc_scenario *s, const struct cc_directive *d, const char *text, int64_t *ret)
{
    const struct cc_clause c = {"clause", text, 1, 100};
    return cc_scenario_eval(s, d, &c, &(struct cc_clause_names){2, -1, -1}, ret, &err);
}

static void grammar(void)
{
    struct cc_scenario *s = parse(
        "# a comment\n\nvAdd = #define NUM_THREADS 8\nvAdd = #define CHUNK (NUM_THREADS/4)\n"
        "vAdd.parallel0 = #pragma omp parallel num_threads(NUM_THREADS) private(a,b) if (1)\n"
        "vAdd.for0 = #pragma omp for schedule(dynamic, CHUNK) \\\n  nowait reduction(+:sum,h[:CHUNK*2])\n"
        "operator== = #pragma omp critical (lock)\nx=#pragma omp parallel\nx=#pragma omp for "
        "schedule(guided)\n");
    OK(s && s->n == 4, "four tasks have a directive");
    OK_STR(s->name, "s", "the scenario's name");
    int64_t v = 0;
    const struct cc_directive *d = &s->directives[1];
    OK(value_of(s, &s->directives[0], s->directives[0].num_threads, &v) == 0 && v == 8, "num_threads");
    OK(d->kind == CC_OMP_FOR && d->schedule == CC_OMP_DYNAMIC && d->nowait && d->line == 6,
       "for, dynamic, nowait over two lines");
    OK(value_of(s, d, d->chunk, &v) == 0 && v == 2, "the chunk's #define uses another");
    OK(d->nreductions == 2 && value_of(s, d, d->reductions[1], &v) == 0 && v == 4,
       "reduction of a variable and a section");
    OK_STR(s->directives[2].task, "operator==", "a name with '='");
    OK_STR(s->directives[2].critical, "lock", "critical's name");
    OK(s->directives[3].kind == CC_OMP_PARALLEL_FOR && s->directives[3].schedule == CC_OMP_GUIDED,
       "parallel and for in two lines are one");
    const char *names[] = {"vAdd.parallel0", "vAdd.for0", "operator==", "x"};
    OK(cc_scenario_check_names(s, names, 4, &err) == 0, "all names are there; vAdd only as a scope");
    names[1] = "vAdd.for1";
    OK(cc_scenario_check_names(s, names, 4, &err) < 0 && err.line == 6 && strstr(err.hint, "vAdd.for1"),
       "a task that is not there, with the near one");
    cc_scenario_free(s);
}

static void every_directive(void)
{
    static const char *const all[] = {"parallel",
                                      "for",
                                      "parallel for",
                                      "sections",
                                      "parallel sections",
                                      "section",
                                      "single",
                                      "single nowait",
                                      "master",
                                      "critical",
                                      "barrier",
                                      "ordered",
                                      "for ordered",
                                      "task",
                                      "task untied",
                                      "taskwait",
                                      "taskloop",
                                      "taskloop grainsize(4) nogroup",
                                      "taskloop num_tasks(3)",
                                      "for collapse(2)",
                                      "for schedule(monotonic:dynamic)",
                                      "parallel default(none) shared(a) firstprivate(b)",
                                      "for schedule(auto)",
                                      "task if(0)"};
    unsigned good = 0;
    for (size_t i = 0; i < CC_COUNT(all); i++) {
        char *text = cc_asprintf("f = #pragma omp %s\n", all[i]);
        struct cc_scenario *s = parse(text);
        good += s != NULL;
        if (!s)
            printf("# %s: %s\n", all[i], err.msg);
        cc_scenario_free(s);
        free(text);
    }
    OK_U64(good, CC_COUNT(all), "every directive of the grammar");
}

static unsigned parsed(const char *const *all, size_t n)
{
    unsigned good = 0;
    for (size_t i = 0; i < n; i++) {
        char *text = cc_asprintf("* = #define sizeof_a sizeof(float)\nf = #pragma omp %s\n", all[i]);
        struct cc_scenario *s = parse(text);
        good += s != NULL;
        if (!s)
            printf("# %s: %s\n", all[i], err.msg);
        cc_scenario_free(s);
        free(text);
    }
    return good;
}

/* What people write today: OpenMP 5.2 without Fortran. */
static void openmp5(void)
{
    static const char *const all[] = {
        "loop bind(parallel) order(concurrent)",
        "parallel loop",
        "for order(reproducible:concurrent)",
        "parallel for if(parallel: 8 > 3) proc_bind(spread) copyin(x)",
        "parallel masked",
        "parallel masked filter(1)",
        "parallel masked taskloop simd grainsize(strict: 4)",
        "parallel master taskloop num_tasks(8)",
        "masked taskloop",
        "masked filter(2)",
        "scope nowait reduction(task, +: x)",
        "taskgroup task_reduction(+: x)",
        "task depend(in: x, y[3]) depend(out: z[TASK][DEPTH]) final(DEPTH > 3) mergeable priority(2) if(TASK "
        "< 9)",
        "task depend(mutexinoutset: x) in_reduction(+: y) affinity(a)",
        "taskwait",
        "taskwait depend(in: x)",
        "taskwait end",
        "barrier end",
        "taskloop reduction(+: s) final(0) untied",
        "atomic",
        "atomic update seq_cst",
        "atomic capture hint(omp_sync_hint_uncontended)",
        "atomic compare fail(relaxed)",
        "critical (a) hint(omp_sync_hint_contended)",
        "ordered threads",
        "for simd safelen(8) nontemporal(a)",
        "for schedule(simd, nonmonotonic: dynamic, 4)",
        "target map(to: a[0:100]) map(from: a[:10][2:5]) device(gpu) nowait",
        "target teams distribute parallel for simd map(always, tofrom: a[0:8]) num_teams(4) thread_limit(64) "
        "dist_schedule(static)",
        "target parallel for reduction(+: s) map(a)",
        "target teams loop",
        "target data map(to: a[0:4]) use_device_ptr(a)",
        "target enter data map(to: a[0:4])",
        "target exit data map(release: a)",
        "target update to(a[0:4]) from(a)",
        "teams distribute parallel for",
        "distribute simd",
        "flush (a)",
        "flush acq_rel",
        "taskyield",
        "cancellation point for",
        "nothing",
        "assume no_openmp",
        "threadprivate(x)",
        "declare target",
        "declare reduction(m : int : omp_out += omp_in)",
    };
    OK_U64(parsed(all, CC_COUNT(all)), CC_COUNT(all), "directives and clauses of OpenMP 5.2");
}

static void openmp5_refused(void)
{
    static const char *const none[] = {"cancel for", "scan inclusive(x)",
                                       "depobj(o)",  "interop",
                                       "dispatch",   "metadirective when(user: nothing)",
                                       "error",      "tile sizes(4)",
                                       "unroll",     "declare variant(f)"};
    unsigned told = 0;
    for (size_t i = 0; i < CC_COUNT(none); i++) {
        CC_CLEANUP(cc_free_ptr) char *text = cc_asprintf("\n\nf = #pragma omp %s\n", none[i]);
        told += refused(text, 3, "is not modelled: ");
    }
    OK_U64(told, CC_COUNT(none), "what is not modelled is refused with its line and why");
    OK(refused("f = #pragma omp for ordered(2)\n", 1, "doacross") &&
           refused("f = #pragma omp for reduction(inscan, +: x)\n", 1, "scan") &&
           refused("f = #pragma omp task depend(inoutset: x)\n", 1, "depend(inoutset)") &&
           refused("f = #pragma omp task depend(iterator(i=0:4), in: x[i])\n", 1, "not modelled"),
       "so are clauses");
    OK(refused("f = #pragma omp target map(to: q[0:9])\n", 1, "how many bytes 'q' has") &&
           strstr(err.hint, "sizeof_q"),
       "map needs to know how large an element is");
    OK(refused("f = #pragma omp taskwait\nf = #pragma omp taskwait\n", 2, "contradicts"), "taskwait twice");
}

/* Clauses without effect are read all the same. */
static void impossible_values(void)
{
    static const char *const none[][2] = {
        {"parallel for order(sideways)", "unknown order 'sideways': concurrent"},
        {"parallel for order()", "unknown order ''"},
        {"loop bind(core)", "unknown bind 'core': teams, parallel, thread"},
        {"parallel default(all)", "unknown default 'all': shared, none"},
        {"task priority()", "'priority' has nothing in its '()'"},
        {"parallel private( )", "'private' has nothing in its '()'"},
        {"for simd simdlen(0)", "simdlen of 'f' is 0, less than 1"},
        {"simd safelen(-4)", "safelen of 'f' is -4, less than 1"},
        {"parallel for reduction(?: a)", "'?' is no operator"},
        {"parallel for reduction(9: a)", "'9' is no operator"},
        {"parallel for if(task: 1)", "there is no 'task' in 'parallel for'"},
        {"target if(parallel: 1)", "there is no 'parallel' in 'target'"},
    };
    unsigned told = 0;
    for (size_t i = 0; i < CC_COUNT(none); i++) {
        CC_CLEANUP(cc_free_ptr) char *text = cc_asprintf("\nf = #pragma omp %s\n", none[i][0]);
        told += refused(text, 2, none[i][1]);
    }
    OK_U64(told, CC_COUNT(none), "impossible values are told with their line");
    struct cc_scenario *s =
        parse("a = #pragma omp parallel for order(reproducible : concurrent) default(none) if(parallel: 1)\n"
              "b = #pragma omp parallel for simd simdlen(8) reduction(&&: x) reduction(merge_two: y)\n"
              "c = #pragma omp target teams distribute parallel for if(target: 1) order(concurrent)\n"
              "d = #pragma omp loop bind( parallel )\n");
    OK(s && s->n == 4, "and possible ones are read");
    cc_scenario_free(s);
}

/* What OpenMP does not let stand beside each other; compilers refuse nearly all of these, too. */
static const char *const clashing[][2] = {
    {"for ordered schedule(nonmonotonic: dynamic)", "'ordered' and schedule(nonmonotonic: …) exclude"},
    {"for schedule(nonmonotonic, simd: dynamic, 4) ordered", "'ordered' and schedule(nonmonotonic: …)"},
    {"for schedule(monotonic, nonmonotonic: dynamic)", "'monotonic' and 'nonmonotonic' exclude"},
    {"for order(concurrent) ordered", "'ordered' and 'order' exclude each other"},
    {"for collapse(2) collapse(2)", "'collapse' is given twice"},
    {"parallel num_threads(2) num_threads(4)", "'num_threads' is given twice"},
    {"parallel default(none) default(shared)", "'default' is given twice"},
    {"parallel proc_bind(close) proc_bind(spread)", "'proc_bind' is given twice"},
    {"for ordered ordered", "'ordered' is given twice"},
    {"loop bind(parallel) bind(thread)", "'bind' is given twice"},
    {"task untied priority(1) priority(2)", "'priority' is given twice"},
    {"task if(1) if(task: 0)", "'if' is given twice"},
    {"taskloop nogroup reduction(+: s)", "'nogroup' and 'reduction' exclude each other"},
    {"taskloop num_tasks(2) grainsize(1)", "'grainsize' and 'num_tasks' exclude each other"},
    {"single copyprivate(s) nowait", "'copyprivate' and 'nowait' exclude each other"},
    {"atomic read write", "'read' and 'write' exclude each other"},
    {"atomic write capture", "'write' and 'capture' exclude each other"},
    {"atomic seq_cst relaxed", "'seq_cst' and 'relaxed' exclude each other"},
    {"atomic read release", "'read' and 'release' exclude each other"},
    {"atomic fail(relaxed)", "'fail' goes only with 'compare'"},
    {"critical hint(omp_sync_hint_contended)", "'hint' of 'critical' needs a name"},
    {"for simd simdlen(16) safelen(8)", "simdlen is 16, more than safelen with 8"},
    {"parallel for reduction(+: s) private(s)", "'s' stands in 'reduction' and in 'private'"},
    {"parallel for private(a, s, b) reduction(max: v[0:9], s[1:4])", "'s' stands in 'private' and in"},
    {"parallel for shared(s) firstprivate( s )", "'s' stands in 'shared' and in 'firstprivate'"},
    {"parallel private(s, t, s)", "'s' stands in 'private' twice"},
    {"for reduction(+: s) reduction(max: s)", "'s' stands in 'reduction' twice"},
    {"for linear(s: 2) lastprivate(conditional: s)", "'s' stands in 'linear' and in 'lastprivate'"},
    {"for linear(ref(s), t: 2) private(s)", "'s' stands in 'linear' and in 'private'"},
    {"parallel private(n::s) shared(t, n::s)", "'n::s' stands in 'private' and in 'shared'"},
    {"target map(to: a[0:4]) map(from: b, a[0:4])", "'a[0:4]' is moved twice"},
    {"target enter data map(from: a)", "'target enter data' does not map 'a' from"},
    {"target exit data map(to: a)", "'target exit data' does not map 'a' to"},
    {"target data device(0)", "'target data' needs map(…), use_device_ptr(…)"},
    {"for shared(s)", "'shared' does not go with 'for'"},
    {"parallel lastprivate(s)", "'lastprivate' does not go with 'parallel'"},
    {"parallel for copyprivate(s)", "'copyprivate' does not go with 'parallel for'"},
    {"task linear(s)", "'linear' does not go with 'task'"},
    {"target use_device_ptr(p)", "'use_device_ptr' does not go with 'target'"},
    {"distribute parallel for ordered", "'ordered' does not go with 'distribute parallel for'"},
    {"parallel for simd if(simd: 0)", "only what holds for 'parallel'"},
    {"target parallel for if(parallel: 0)", "only what holds for 'target'"},
};

static void clashes(void)
{
    unsigned told = 0;
    for (size_t i = 0; i < CC_COUNT(clashing); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf("* = #define sizeof_a 4\n* = #define sizeof_b 4\nf = #pragma omp %s\n",
                                 clashing[i][0]);
        told += refused(text, 3, clashing[i][1]);
    }
    OK_U64(told, CC_COUNT(clashing), "clauses that clash are told with their line");
    static const char *const all[] = {
        "for schedule(monotonic: dynamic) ordered",
        "for schedule(nonmonotonic: dynamic) order(concurrent)",
        "parallel for firstprivate(s) lastprivate(s) reduction(+: t) private(u) shared(s2)",
        "parallel for private(s) private(t) default(none) allocate(s)",
        "for linear(val(i): 2) private(j)",
        "taskloop nogroup in_reduction(+: s)",
        "single copyprivate(s) private(t)",
        "atomic update capture acq_rel",
        "atomic compare capture weak fail(acquire) seq_cst",
        "critical hint(omp_sync_hint_none)",
        "for simd simdlen(8) safelen(8)",
        "for simd if(simd: 8 > 3)",
        "taskloop simd order(concurrent) if(taskloop: 1)",
        "parallel masked taskloop if(parallel: 1) num_tasks(4)",
        "target map(to: a[0:4]) map(from: a[4:4]) thread_limit(4) in_reduction(+: s)",
        "target data use_device_ptr(p)",
        "target enter data map(a)",
    };
    OK_U64(parsed(all, CC_COUNT(all)), CC_COUNT(all), "and what may stand beside each other is read");
}

static void openmp5_values(void)
{
    struct cc_scenario *s = parse(
        "* = #define OMP_SCHEDULE dynamic, K*2\n* = #define K 3\n* = #define sizeof_a sizeof(unsigned "
        "short)\n"
        "f = #pragma omp for schedule(runtime)\nt = #pragma omp task\nt = #pragma omp taskwait\n"
        "t = #pragma omp flush\ng = #pragma omp target map(to: a[0:K*5][4])\nw = #pragma omp taskwait\n");
    int64_t v = 0;
    OK(s && s->n == 6, "a task, a taskwait in it and a flush stand beside each other");
    OK(s->directives[0].schedule == CC_OMP_DYNAMIC &&
           value_of(s, &s->directives[0], s->directives[0].chunk, &v) == 0 && v == 6,
       "schedule(runtime) is what OMP_SCHEDULE says");
    OK(s->directives[2].end && !s->directives[5].end, "a taskwait of a task is inside it, another in front");
    OK(value_of(s, &s->directives[4], s->directives[4].maps[0].bytes, &v) == 0 && v == 30,
       "bytes of a section: 15 x 1 of unsigned short");
    cc_scenario_free(s);
    s = parse("f = #pragma corecast tile(auto) image(320, 240) kernel(3) pixel(1, 2) buffers(2)\n");
    OK(s && s->directives[0].kind == CC_OMP_TILE && !s->directives[0].tile[0] &&
           value_of(s, &s->directives[0], s->directives[0].kernel[1], &v) == 0 && v == 3,
       "tile(auto); one number is both sides of the kernel");
    cc_scenario_free(s);
    OK(refused("f = #pragma corecast tile(auto)\n", 1, "image"), "tiles of what?");
    OK(value("sizeof(long double)+sizeof(char*)+sizeof(const unsigned char)") == 25 &&
           no_value("sizeof(struct x)", "basic types") && no_value("TASK", "only in if"),
       "sizeof of C's types; TASK has no value of its own");
}

static void bad(void)
{
    OK(refused("f = #pragma omp paralel\n", 1, "unknown directive 'paralel'"), "unknown directive");
    OK(refused("\nf = #pragma omp for scedule(static)\n", 2, "unknown clause 'scedule'") &&
           strstr(err.hint, "schedule"),
       "unknown clause, with the near one");
    OK(refused("f = #pragma omp for schedule(static) schedule(dynamic)\n", 1, "twice"), "a clause twice");
    OK(refused("f = #pragma omp parallel for nowait\n", 1, "does not go with"), "nowait on parallel for");
    OK(refused("f = #pragma omp parallel schedule(static)\n", 1, "does not go with"), "schedule on parallel");
    OK(refused("f = #pragma omp for\nf = #pragma omp single\n", 2, "contradicts 'for' of line 1"),
       "two directives that contradict");
    OK(refused("f = #pragma omp parallel\nf = #pragma omp for nowait\n", 2, "nowait"), "nowait by two lines");
    OK(refused("f = #pragma omp for schedule(runtime)\n", 1, "runtime"), "schedule(runtime)");
    OK(refused("f = #pragma omp for schedule(auto, 3)\n", 1, "chunk"), "schedule(auto, 3)");
    OK(refused("f = #pragma omp for schedule(weird)\n", 1, "weird"), "unknown schedule");
    OK(refused("f = #pragma omp taskloop grainsize(1) num_tasks(2)\n", 1, "exclude"),
       "grainsize with num_tasks");
    OK(refused("f = #define A B\nf = #define B A\nf = #pragma omp parallel num_threads(A)\n", 1, "by itself"),
       "cyclic #defines");
    OK(refused("f = #define A A\nf = #pragma omp parallel num_threads(A)\n", 1, "by itself"),
       "a #define of itself");
    OK(refused("f = #define A 1\nf = #define A 2\n", 2, "contradicts line 1"), "a #define twice");
    OK(refused("g = #define A 1\nf = #pragma omp parallel num_threads(A)\n", 2, "'A' is neither"),
       "a #define out of reach");
    OK(refused("f = #define F(x) x\n", 1, "arguments"), "a #define with arguments");
    OK(refused("f : #pragma omp for\n", 1, "expected"), "no '='");
    OK(refused("f = #pragma omp critical()\n", 1, "empty name"), "critical()");
    OK(refused("f = #pragma omp parallel num_threads(\n", 1, "(…)"), "an open parenthesis");
    OK(!refused("f = #pragma omp for reduction(+:a[n[0]:8],b[0:4][0:2])\n", 1, ""),
       "a bracket inside the section's brackets");
    OK(refused("f = #pragma omp for reduction(+)\n", 1, "reduction"), "reduction without variables");
    OK(refused("f = #pragma once\n", 1, "neither"), "another pragma");
    OK(refused("f = #PRAGMA OMP PARALLEL\n", 1, "neither") && strstr(err.hint, "small letters"),
       "large letters");
    OK(refused("f = #pragma omp Parallel\n", 1, "unknown directive 'Parallel'") &&
           strstr(err.hint, "'parallel'"),
       "a large letter: the near one is told");
    OK(refused("f = #pragma omp parallel do\n", 1, "Fortran"), "a loop of Fortran");
    OK(refused("f = #pragma omp task detach(event)\n", 1, "not modelled"), "detach");
    OK(refused("f = #pragma omp ordered doacross(source:)\n", 1, "not modelled"), "doacross");
    OK(refused("f = #pragma omp ordered simd\n", 1, "not modelled"), "ordered simd");
    OK(refused("f = #pragma omp ordered depend(sink: i-1)\n", 1, "not modelled"), "ordered depend");
    OK(refused("f = #pragma omp taskwait depend(in: a) nowait\n", 1, "not modelled"), "taskwait nowait");
    OK(refused("f = _Pragma(omp parallel)\n", 1, "_Pragma"), "_Pragma without quotes");
    OK(refused("f = _Pragma(\"once\")\n", 1, "neither"), "another pragma by _Pragma");
    OK(refused("# nothing\n", 0, "no directive"), "an empty scenario");
    struct cc_scenario *s = parse("f = #pragma omp for schedule(dynamic, 0)\n");
    int64_t v;
    OK(s && value_of(s, &s->directives[0], s->directives[0].chunk, &v) < 0 && err.line == 1,
       "chunk 0 has no place");
    cc_scenario_free(s);
    s = parse("f = #define A B B\nf = #define B C C\nf = #define C D D\nf = #define D E E\nf = #define E F "
              "F\nf = #define F G G\nf = #define G H H\nf = #define H I I\n"
              "f = #define I J J\nf = #define J K K\nf = #define K 1111111111 + 11111111111\nf = #pragma omp "
              "parallel num_threads(A)\n");
    OK(!s && strstr(err.msg, "longer than"), "a #define that explodes");
    cc_scenario_free(s);
}

static void mutations(void)
{
    const char *base =
        "vAdd = #define N 8\nvAdd.p = #pragma omp parallel num_threads(N*2+1) if(N > 3 ? 1 : 0)\n"
        "vAdd.f = #pragma omp for schedule(guided, N) reduction(+:a[:3],b) ordered nowait\nc = #pragma omp "
        "critical(x)\nt=#pragma omp taskloop grainsize(3)\nt=#pragma corecast dma read(8*4, 2) write(8) "
        "buffers(3)\n* = #define sizeof_v 4\nk=#pragma omp task depend(in: v[TASK][2], w) final(DEPTH>2) "
        "if(task: 1)\n"
        "k=#pragma omp taskwait\ng=#pragma omp target teams loop map(to: v[0:9][1:2]) device(gpu) nowait\n"
        "i=#pragma corecast tile(auto) image(64, 48) kernel(3)\n";
    size_t n = strlen(base);
    uint64_t seed = 5;
    unsigned good = 0, told = 0;
    for (int round = 0; round < 20000; round++) {
        char *copy = cc_strdup(base);
        for (unsigned k = 0; k < 1 + (unsigned)(seed >> 60); k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            copy[(seed >> 33) % n] = seed >> 63 ? (char)(seed >> 20) : "()#=:,\\\n N+*?/0"[(seed >> 20) % 15];
        }
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        struct cc_scenario *s = NULL;
        struct cc_err e = {0};
        if (cc_scenario_parse("s", copy, seed >> 62 ? n : (seed >> 33) % n, &s, &e) == 0)
            good++;
        else
            told += e.code == CC_EINPUT && e.msg[0];
        cc_scenario_free(s);
        free(copy);
    }
    OK(good + told == 20000 && good > 100 && told > 1000,
       "20000 damaged scenarios: %u still parse, the rest have a message", good);
}

/* What is said to have a name is read with that name, and nothing else is. */
static void names_of_tasks(void)
{
    uint64_t seed = 7;
    unsigned named = 0, wrong = 0;
    enum { ROUNDS = 20000 };
    for (int round = 0; round < ROUNDS; round++) {
        char name[8] = "", line[64];
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        unsigned length = (seed >> 60) % sizeof name;
        for (unsigned k = 0; k < length; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            name[k] = "ab=#\n\t \"\\!;\r:/_*"[(seed >> 33) % 16];
        }
        int n = snprintf(line, sizeof line, "%s = #pragma omp parallel for", name);
        struct cc_scenario *s = NULL;
        struct cc_err e = {0};
        bool read = cc_scenario_parse("s", line, (size_t)n, &s, &e) == 0 && s->n == 1 &&
                    strcmp(s->directives[0].task, name) == 0;
        named += read;
        wrong += read != cc_scenario_can_name(name);
        cc_scenario_free(s);
    }
    OK(wrong == 0 && named > 1000 && named < ROUNDS - 1000, "%d names, of which %u can be said: %u wrong",
       ROUNDS, named, wrong);
}

int main(void)
{
    names_of_tasks();
    test_spelling();
    test_misspelt();
    expressions();
    grammar();
    every_directive();
    openmp5();
    openmp5_refused();
    impossible_values();
    clashes();
    openmp5_values();
    bad();
    mutations();
    return TAP_DONE();
}
