/* Calls that follow each other, from recordings made by hand: what forbids that they run side by side, and
 * when nobody has to wait for them. */
#include "side.h"
#include "../../base/text.h"
#include "../../../tests/tap.h"

enum { SORT, MAIN, HELP, FUNCTIONS, STATEMENTS = 3 };

struct world {
    struct cc_profile p;
    struct cc_pfunction functions[FUNCTIONS];
    struct cc_psibling siblings[STATEMENTS + 2];
    struct cc_pcontext contexts[4];
    struct cc_patch_call statements[STATEMENTS];
    struct cc_patch_calls of;
};

/* Three statements in lines 10 to 12 of sort, which all call sort and were followed. */
static void make(struct world *w)
{
    *w = (struct world){.functions = {{.name = "sort", .file = "t.c", .inclusive = 900},
                                      {.name = "main", .file = "t.c", .inclusive = 1000},
                                      {.name = "help", .file = "t.c", .inclusive = 100}},
                        .contexts = {{.parent = CC_NONE, .function = MAIN, .calls = 1},
                                     {.parent = 0, .function = SORT, .calls = 60}},
                        .of = {.function = "sort", .file = "t.c", .first_line = 5, .last_line = 14}};
    for (unsigned i = 0; i < STATEMENTS; i++) {
        w->statements[i] = (struct cc_patch_call){
            .line = 10 + i, .last_line = 10 + i, .callee = "sort", .task = true, .last = i + 1 == STATEMENTS};
        w->siblings[i] = (struct cc_psibling){.kind = CC_DEPENDENCE_READS,
                                              .function = SORT,
                                              .second = i + 1,
                                              .second_file = "t.c",
                                              .second_line = 10 + i,
                                              .count = 10};
    }
    w->of.v.v = w->statements;
    w->of.v.n = STATEMENTS;
    w->p = (struct cc_profile){.functions = w->functions,
                               .nfunctions = FUNCTIONS,
                               .contexts = w->contexts,
                               .ncontexts = 2,
                               .siblings = w->siblings,
                               .nsiblings = STATEMENTS,
                               .instructions = 1000};
}

static struct cc_psibling row(enum cc_dependence_kind kind, unsigned from, unsigned to)
{
    return (struct cc_psibling){.kind = kind,
                                .function = SORT,
                                .flags = CC_DEPENDENCE_FIRST_CALL | CC_DEPENDENCE_SECOND_CALL,
                                .first = from,
                                .second = to,
                                .first_file = "t.c",
                                .second_file = "t.c",
                                .first_line = from,
                                .second_line = to,
                                .from_line = 7,
                                .to_line = 6,
                                .variable = "v",
                                .distance_min = to - from,
                                .count = 1};
}

static void check(const struct world *w, bool moved, const char *want, const char *what)
{
    struct cc_arena arena = {0};
    struct cc_explore_spans spans = {0};
    struct cc_buf b = {0};
    struct cc_explore_block block = {&w->p, &w->of, moved};
    cc_explore_side_by_side(&block, &arena, &spans);
    cc_buf_puts(&b, "");
    for (size_t i = 0; i < spans.n; i++) {
        const struct cc_explore_span *s = &spans.v[i];
        cc_buf_printf(&b, "%s%zu-%zu%s%s%s%s%s", i ? "; " : "", s->from, s->to, s->hidden ? " hidden" : "",
                      s->recursive ? " recursive" : "", s->loose ? " loose" : "",
                      s->refused ? s->known ? " needed: " : " unknown: " : "", s->refused ? s->refused : "");
    }
    OK_STR(b.s, want, "%s", what);
    cc_buf_fini(&b);
    CC_VEC_FINI(&spans);
    cc_arena_fini(&arena);
}

static void test_dependences(void)
{
    struct world w;
    make(&w);
    check(&w, false, "0-3 recursive loose", "three free calls");
    w.p.nsiblings = STATEMENTS + 1;
    w.siblings[STATEMENTS] = row(CC_DEPENDENCE_RAW, 10, 11);
    check(&w, false,
          "0-2 recursive needed: the call in line 11 reads v at line 6, which the one in line 10 wrote at "
          "line 7; 1-3 recursive",
          "the second reads what the first wrote: those behind it are not all of the function's");
    w.siblings[STATEMENTS] = row(CC_DEPENDENCE_WAR, 11, 12);
    check(&w, false, "0-2 recursive", "the third writes what the second read");
    w.siblings[STATEMENTS] = row(CC_DEPENDENCE_WAW, 10, 12);
    w.siblings[STATEMENTS].distance_min = 2 * STATEMENTS + 3;
    check(&w, false, "0-3 recursive loose", "of two passes through the block");
    w.siblings[STATEMENTS] = row(CC_DEPENDENCE_WAW, 10, 12);
    w.siblings[STATEMENTS].function = HELP;
    check(&w, false, "0-3 recursive loose", "of another function");
    w.siblings[STATEMENTS] = row(CC_DEPENDENCE_WAW, 10, 12);
    w.siblings[STATEMENTS].flags = CC_DEPENDENCE_FIRST_CALL;
    w.siblings[STATEMENTS].variable = NULL;
    w.siblings[STATEMENTS].area = CC_AREA_STACK;
    check(&w, false, "0-3 recursive loose", "arguments on the stack");
    w.p.nsiblings = STATEMENTS + 2;
    w.siblings[STATEMENTS] = row(CC_DEPENDENCE_SYSTEM, 10, 10);
    w.siblings[STATEMENTS + 1] = row(CC_DEPENDENCE_SYSTEM, 12, 12);
    check(&w, false, "0-2 recursive", "two make system calls");
}

static void test_unseen(void)
{
    struct world w;
    make(&w);
    w.siblings[2].second_line = 99;
    check(&w, false, "0-3 hidden recursive loose",
          "a last call that became a jump, and nothing that it could need");
    w.p.nsiblings = STATEMENTS + 1;
    w.siblings[STATEMENTS] = row(CC_DEPENDENCE_RAW, 10, 6);
    check(&w, false, "0-2 recursive", "a jump back to what reads the first call's");
    make(&w);
    w.siblings[1].second_line = 99;
    check(&w, true,
          "0-2 recursive unknown: the call in line 11 was not seen as a call: the compiler put it into its "
          "place, made a jump of it, or it took too long to be followed; record a build with -fno-inline "
          "-fno-optimize-sibling-calls, or with --exact; 1-3 recursive unknown: the call in line 11 was not "
          "seen as a call: the compiler put it into its place, made a jump of it, or it took too long to be "
          "followed; record a build with -fno-inline -fno-optimize-sibling-calls, or with --exact",
          "a call in the middle that was not seen");
    make(&w);
    w.siblings[0].flags = CC_DEPENDENCE_FOLDED;
    check(&w, false,
          "0-2 recursive unknown: where its calls end was not seen, for the compiler made jumps of some, or "
          "there are too many dependences: record a build with -fno-optimize-sibling-calls -fno-inline; 1-3 "
          "recursive unknown: where its calls end was not seen, for the compiler made jumps of some, or "
          "there are too many dependences: record a build with -fno-optimize-sibling-calls -fno-inline",
          "too much to tell apart");
}

static void test_loose(void)
{
    struct world w;
    make(&w);
    w.statements[2].last = false;
    check(&w, false, "0-3 recursive", "something follows in the function");
    make(&w);
    w.statements[0].callee = "help";
    check(&w, false, "0-3 recursive", "another function among them");
    for (unsigned i = 0; i < STATEMENTS; i++)
        w.statements[i].callee = "help";
    check(&w, false, "0-3", "no recursion at all");
    make(&w);
    w.contexts[2] = (struct cc_pcontext){.parent = 1, .function = HELP, .calls = 5};
    w.contexts[3] = (struct cc_pcontext){.parent = 1, .function = SORT, .calls = 5};
    w.p.ncontexts = 4;
    check(&w, false, "0-3 recursive loose", "a helper that calls nothing");
    w.contexts[3].parent = 2; /* main, sort, help, sort */
    check(&w, false, "0-3 recursive", "called again by a helper, which may need its end");
}

static void test_figures(void)
{
    struct world w;
    struct cc_arena arena = {0};
    struct cc_explore_spans spans = {0};
    make(&w);
    struct cc_explore_block block = {&w.p, &w.of, false};
    cc_explore_side_by_side(&block, &arena, &spans);
    OK(spans.n == 1 && spans.v[0].coverage == 0.5, "30 of 60 calls were followed");
    OK(spans.n == 1 && spans.v[0].share == 0.9, "the function's share of the run");
    CC_VEC_FINI(&spans);
    cc_arena_fini(&arena);
}

int main(void)
{
    test_dependences();
    test_unseen();
    test_loose();
    test_figures();
    return TAP_DONE();
}
