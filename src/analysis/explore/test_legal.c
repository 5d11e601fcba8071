/* Loops that are free in another way, from recordings made by hand. */
#include "legal.h"
#include "../../../tests/tap.h"

static void test_free(void)
{
    struct cc_loop other = {.verdict = CC_VERDICT_PARALLEL, .directive = "#pragma omp task"};
    struct cc_loop l = {.verdict = CC_VERDICT_SEQUENTIAL};
    OK(!cc_explore_is_free(&l), "one that needs its order");
    l.turns = &other;
    OK(cc_explore_is_free(&l) && !cc_explore_could_walk(&l), "with turns");
    l.turns = NULL;
    l.walked = &other;
    OK(cc_explore_is_free(&l) && cc_explore_could_walk(&l), "as tasks");
    other.verdict = CC_VERDICT_ORDERED;
    OK(!cc_explore_is_free(&l) && !cc_explore_could_walk(&l), "tasks that need each other");
    other.verdict = CC_VERDICT_REDUCTION;
    CC_VEC_PUSH(&other.lastprivate, (const char *)"x");
    OK(!cc_explore_could_walk(&l), "tasks of which the last leaves something");
    CC_VEC_FINI(&other.lastprivate);
}

/* A nest in lines 10 to 12 of t.c of which rows read what rows before wrote. */
static bool is_wave(enum cc_reason_kind kind, const char *file, unsigned to, bool moved)
{
    struct cc_source_loop s = {
        .file = "t.c", .line = 10, .last_line = 12, .wave_line = 11, .wave_rows = true};
    struct cc_loop l = {.verdict = CC_VERDICT_SEQUENTIAL, .sourced = true, .coverage = 1};
    struct cc_loop_reason r = {
        .kind = kind, .first = {.file = file, .line = 12}, .second = {.file = file, .line = to}};
    CC_VEC_PUSH(&l.reasons, r);
    bool is = cc_explore_is_wave(&l, &s, moved);
    CC_VEC_FINI(&l.reasons);
    return is;
}

static void test_wave(void)
{
    OK(is_wave(CC_REASON_RAW, "t.c", 12, false), "rows that read what rows before wrote");
    OK(is_wave(CC_REASON_WAR, "t.c", 12, false), "rows that overwrite what rows before read");
    OK(!is_wave(CC_REASON_WAW, "t.c", 12, false), "rows that write the same");
    OK(!is_wave(CC_REASON_RAW, "t.c", 13, false), "something behind the nest");
    OK(!is_wave(CC_REASON_RAW, "u.c", 12, false), "something in another file");
    OK(!is_wave(CC_REASON_WAW + 1, "t.c", 12, false), "what is no dependence through memory");
    OK(!is_wave(CC_REASON_RAW, "/a/v.c", 12, true), "in another file, built in another folder");
    OK(is_wave(CC_REASON_RAW, "/a/t.c", 12, true), "in the same, built in another folder");
}

/* Line 12 of a loop in lines 10 to 13, whose function calls put() from line 12 and get() from line 13. */
static void test_turn(void)
{
    struct cc_pfunction functions[] = {{.name = "main"}, {.name = "put"}, {.name = "get"}};
    struct cc_pcontext contexts[] = {{.parent = CC_NONE, .function = 0},
                                     {.parent = 0, .function = 1, .inclusive = 200},
                                     {.parent = 0, .function = 2, .inclusive = 100}};
    struct cc_pfile files[] = {{.path = "t.c"}};
    struct cc_ploop loops[] = {{.function = 0}};
    struct cc_rec_line lines[] = {{.block = 0, .file = 0, .line = 11, .instructions = 50},
                                  {.block = 0, .file = 0, .line = 12, .instructions = 5},
                                  {.block = 0, .file = 0, .line = 13, .instructions = 15}};
    struct cc_rec_exec execs[] = {{.block = 0, .count = 6}, {.block = 0, .count = 4}};
    struct cc_pblock blocks[1] = {{0}};
    struct cc_profile p = {.functions = functions,
                           .nfunctions = 3,
                           .contexts = contexts,
                           .ncontexts = 3,
                           .files = files,
                           .nfiles = 1,
                           .loops = loops,
                           .nloops = 1,
                           .lines = lines,
                           .nlines = 3,
                           .execs = execs,
                           .nexecs = 2,
                           .blocks = blocks,
                           .nblocks = 1};
    struct cc_loop l = {.file = "t.c", .line = 10, .turn_line = 12, .turn_last = 12, .instructions = 1000};
    struct cc_source_loop s = {.file = "t.c", .line = 10, .last_line = 13};
    struct cc_loop_call put = {.symbol = "c:@F@put", .line = 12}, get = {.symbol = "c:@F@get", .line = 13};
    struct cc_explore_turn turn;
    CC_VEC_PUSH(&s.calls, put);
    CC_VEC_PUSH(&s.calls, get);
    OK(cc_explore_turn(&p, &l, &s, &turn), "a turn of one line");
    OK_NEAR(turn.share, (5 * 10 + 200) / 1000.0, 1e-12, "its instructions and those of what it calls");
    OK_NEAR(turn.before, 1 - turn.share - (15 * 10 + 100) / 1000.0, 1e-12, "what runs before");
    s.calls.v[0].symbol = "c:@F@gone";
    OK(!cc_explore_turn(&p, &l, &s, &turn), "a called function that left no trace");
    CC_VEC_FINI(&s.calls);
}

int main(void)
{
    test_free();
    test_wave();
    test_turn();
    return TAP_DONE();
}
