/* What functions store to that they are given: as the source tells it, and as the run shows it. */
#include "store.h"
#include "handed.h"
#include "../source/test_told.h"
#include "../../../../tests/tap.h"

static struct cc_source_loops *loops_of(const char *text)
{
    CC_CLEANUP(cc_free_ptr) char *marked = cc_asprintf("# 1 \"t.c\"\n%s", text);
    return told_of(marked);
}

/* Line 1: `fill`; line 2: what passes on; line 3: a function with a loop. */
#define FILL "static void fill(double *p, int i) { for (int k = 0; k < 4; k++) p[k] = i; }\n"
#define PASS "static void pass(int i, double *q, int *r) { fill(q, i); if (i < 0) *r = i; }\n"
#define LOOP(body) \
    "void f(double *o, int n) { double t[4]; int r; for (int i = 0; i < n; i++) { " body " } }\n"

/* Whether the loop is refused, given what was seen to be written in line 1. */
static bool lost_at(const char *text, const struct cc_pdependence *seen, size_t n, unsigned at)
{
    struct cc_source_loops *s = loops_of(text);
    struct cc_arena arena = {0};
    const uint32_t member = 0;
    struct cc_ploop loop = {.function = 0};
    struct cc_profile p = {
        .loops = &loop, .nloops = 1, .dependences = (struct cc_pdependence *)seen, .ndependences = n};
    struct cc_witness *w = cc_witness_new(&p);
    struct gate_input in = {
        .p = &p, .sources = s, .members = &member, .nmembers = 1, .arena = &arena, .witness = w};
    for (size_t i = 0; i < s->v.n; i++)
        in.source = strcmp(s->v.v[i].function, "f") == 0 ? &s->v.v[i] : in.source;
    unsigned line = 0;
    const char *why = in.source ? cc_gate_store_lost(&in, &line) : "no loop";
    OK(!why || line == at, "  in the loop's line");
    cc_witness_free(w);
    cc_arena_fini(&arena);
    cc_source_loops_free(s);
    return why != NULL;
}

static bool lost(const char *text, const struct cc_pdependence *seen, size_t n)
{
    return lost_at(text, seen, n, 3);
}

static void test_source(void)
{
    static const struct {
        const char *text;
        bool lost;
    } cases[] = {
        {FILL PASS LOOP("fill(t, i); o[i] = t[0];"), true},
        {FILL PASS LOOP("fill(&t[1], i); o[i] = t[1];"), true},
        {FILL PASS LOOP("pass(i, t, &r); o[i] = t[0];"), true},
        {FILL PASS LOOP("double own[4]; fill(own, i); o[i] = own[0];"), false},
        {FILL "static double pass(const double *p, int i) { return p[i]; }\n" LOOP("o[i] = pass(t, i);"),
         false},
        {FILL "static void pass(double *p, double *own) { double *q = own; p = p + 1; *q = 1; }\n" LOOP(
             "double x; pass(t, &x); o[i] = x;"),
         true}, /* where q leads to is not told */
        {FILL
         "struct s { int a; double b; }; static void pass(struct s *s, int i) { s->a = i; s->b = s->a; }\n"
         "void f(struct s *s, int n) { for (int i = 0; i < n; i++) pass(s, i); }\n",
         true},
        {FILL "static void pass(int *r, int i) { if (i < 0) *r = i; }\n" LOOP("pass(&r, i); o[i] = i;"),
         false},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++)
        OK(lost(cases[i].text, NULL, 0) == cases[i].lost, "loop %zu", i);
}

static void test_seen(void)
{
    static const char text[] = FILL PASS LOOP("fill(t, i); o[i] = t[0];");
    struct cc_pdependence d = {.kind = CC_DEPENDENCE_WRITES, .first_file = "t.c", .first_line = 1};
    d.area = CC_AREA_HEAP;
    OK(!lost(text, &d, 1), "a store of that line was seen");
    d.area = CC_AREA_STACK;
    OK(lost(text, &d, 1), "a value was put aside");
    d.variable = "t";
    OK(!lost(text, &d, 1), "a variable was set");
    d.first_line = 2;
    OK(lost(text, &d, 1), "in another line");
    static const char fields[] =
        "struct s { int a; double b; };\n"
        "static void pass(struct s *s, int i) { s->a = i;\n"
        "s->b = i; }\nvoid f(struct s *s, int n) {\nfor (int i = 0; i < n; i++) pass(s, i); }\n";
    struct cc_pdependence both[] = {d, d};
    both[0].area = both[1].area = CC_AREA_HEAP;
    both[1].first_line = 3;
    OK(lost_at(fields, both, 1, 5), "one of two fields");
    OK(!lost_at(fields, both, 2, 5), "both");
}

/* Parameters of `fill` by which the loop may hand it what is not an iteration's own. */
static uint32_t handed(const char *text)
{
    struct cc_source_loops *s = loops_of(text);
    struct gate_input in = {.sources = s};
    for (size_t i = 0; i < s->v.n; i++)
        in.source = strcmp(s->v.v[i].function, "f") == 0 ? &s->v.v[i] : in.source;
    uint32_t *by = cc_handed_find(&in, NULL), got = 0;
    for (size_t i = 0; i < s->functions.n; i++)
        got = strcmp(s->functions.v[i].name, "fill") == 0 ? by[i] : got;
    free(by);
    cc_source_loops_free(s);
    return got;
}

static void test_handed(void)
{
#define VALUE "struct v { double *at; };\n"
    static const struct {
        const char *text;
        bool own;
    } cases[] = {
        {FILL LOOP("double own[4]; fill(own, i); o[i] = own[0];"), true},
        {FILL LOOP("fill(t, i); o[i] = t[0];"), false},
        {FILL PASS LOOP("double own[4]; int x; pass(i, own, &x); o[i] = own[0];"), true},
        {FILL PASS LOOP("int x; pass(i, t, &x); o[i] = t[0];"), false},
        {FILL PASS LOOP("double own[4]; pass(i, own, &r); o[i] = own[0]; fill(o, i);"), false},
        {FILL VALUE
         "static void pass(struct v v, int i) { fill(v.at, i); }\n" LOOP("struct v own = {o}; pass(own, i);"),
         false},
        {FILL "static void pass(double **v, int i) { fill(v[0], i); }\n" LOOP(
             "double *own[1] = {o}; pass(own, i);"),
         false},
        {FILL "static void pass(double *v, int i) { v = v + i; fill(v, i); }\n" LOOP(
             "double own[4]; pass(own, i);"),
         false},
        {FILL "static double *kept;\nstatic void pass(int i) { fill(kept, i); }\n" LOOP("pass(i);"), false},
        {FILL "static void pass(void (*g)(double *, int), double *p) { g(p, 1); }\n" LOOP(
             "double own[4]; pass(fill, own); fill(own, i);"),
         false},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++)
        OK(!(handed(cases[i].text) & 1) == cases[i].own, "own or not, %zu", i);
}

int main(void)
{
    test_handed();
    test_source();
    test_seen();
    return TAP_DONE();
}
