/* Stages of a loop over frames, from a recording made by hand: closed forms of one that only hands on, and of
 * one that hands something back. */
#include "stages.h"
#include "../../../tests/tap.h"

enum { FRAMES = 20, ITEMS = 3 };

static const char platform_text[] = "[platform]\nname = t\nsource = made up\nclock_mhz = 1000\ncores = 4\n"
                                    "cpi = 1\n[openmp.parallel]\nsource = made up\ncritical_ovh = 0\n";
static const uint64_t ticks[ITEMS] = {400, 1000, 700}; /* of lines 12, 13, 14 */

struct world {
    struct cc_profile p;
    struct cc_ploop ploop;
    struct cc_pfunction function;
    struct cc_psibling siblings[ITEMS + 1];
    struct cc_loop_list loops;
    struct cc_explore_input input;
    struct cc_source_loop source;
    struct cc_htg *h;
    struct cc_platform *platform;
};

static bool make(struct world *w, bool back, struct cc_err *err)
{
    struct cc_buf b = {0};
    struct cc_htg_options any = {.any_thread = true};
    uint64_t at = 100;
    *w = (struct world){.function = {.name = "main"},
                        .source = {.file = "t.c", .line = 10, .last_line = 15},
                        .ploop = {.outer = CC_NONE, .file = "t.c", .line = 10, .iterations = FRAMES}};
    cc_buf_puts(&b, "name,start,end\n");
    for (int f = 0; f < FRAMES; f++) {
        uint64_t begin = at;
        for (int i = 0; i < ITEMS; at += ticks[i++])
            cc_buf_printf(&b, "call t.c:%d,%llu,%llu\n", 12 + i, (unsigned long long)at,
                          (unsigned long long)(at + ticks[i]));
        cc_buf_printf(&b, "t.c:10,%llu,%llu\n", (unsigned long long)begin, (unsigned long long)at);
    }
    for (unsigned i = 0; i < ITEMS; i++)
        w->siblings[i] = (struct cc_psibling){.kind = CC_DEPENDENCE_READS,
                                              .second = i + 1,
                                              .second_file = "t.c",
                                              .second_line = 12 + i,
                                              .count = FRAMES};
    if (back) /* line 13 of a frame leaves something to line 12 of the next */
        w->siblings[ITEMS] = (struct cc_psibling){.kind = CC_DEPENDENCE_RAW,
                                                  .flags = CC_DEPENDENCE_SECOND_CALL,
                                                  .first = 2,
                                                  .second = 1,
                                                  .first_file = "t.c",
                                                  .second_file = "t.c",
                                                  .first_line = 13,
                                                  .second_line = 12,
                                                  .from_line = 3,
                                                  .to_line = 4,
                                                  .variable = "state",
                                                  .distance_min = 4,
                                                  .count = FRAMES - 1};
    w->p = (struct cc_profile){.loops = &w->ploop,
                               .nloops = 1,
                               .functions = &w->function,
                               .nfunctions = 1,
                               .nthreads = 1,
                               .siblings = w->siblings,
                               .nsiblings = back ? ITEMS + 1 : ITEMS};
    struct cc_loop l = {.id = "t.c:10",
                        .parent = CC_NONE,
                        .function = "main",
                        .file = "t.c",
                        .line = 10,
                        .iterations = FRAMES,
                        .share = 1};
    CC_VEC_PUSH(&w->loops.v, l);
    w->input = (struct cc_explore_input){
        .refused = "it needs its order", .lines = 1, .clauses = "", .source = &w->source};
    bool made = cc_htg_parse_csv("t.csv", b.s, b.n, &any, &w->h, err) == 0 &&
                cc_platform_parse("t.ini", platform_text, sizeof platform_text - 1, &w->platform, err) == 0;
    cc_buf_fini(&b);
    return made;
}

/* Ticks of the loop on 1, 2, 3 cores. */
static void check(bool back, const double want[3], const char *what)
{
    static const int64_t cores[] = {1, 2, 3};
    struct world w;
    struct cc_err err = {0};
    struct cc_explore_result r = {0};
    struct cc_stages s = {.loop = CC_NONE};
    bool made = make(&w, back, &err);
    struct cc_explore_request rq = {.p = &w.p,
                                    .loops = &w.loops,
                                    .inputs = &w.input,
                                    .h = w.h,
                                    .platform = w.platform,
                                    .cores = cores,
                                    .ncores = 3,
                                    .min_gain = 0.005,
                                    .jobs = 1};
    int rc = made ? cc_explore_run(&rq, &r, &err) : -1;
    if (rc == 0)
        rc = cc_stages_find(&rq, NULL, &r, &s, &err);
    OK(rc == 0 && s.loop == 0 && !s.why, "%s: found (%s%s)", what, err.msg, s.why ? s.why : "");
    double tick = rc == 0 && s.all > 0 ? s.all / (FRAMES * 2100.0) : 0;
    for (size_t c = 0; c < 3; c++)
        OK(tick > 0 && s.seconds[c] / tick > want[c] - 1e-6 &&
                   s.seconds[c] / tick<want[c] + 1e-6, "  %lld cores: %g", (long long)cores[c], tick> 0
               ? s.seconds[c] / tick
               : 0);
    OK_U64(s.waits.n, back, "  what waits for a frame before");
    if (back)
        OK_STR(s.waits.n ? s.waits.v[0].why : "",
               "line 12 reads state at line 4, which line 13 wrote at line 3 in a frame before", "  and why");
    OK_U64(r.plans.n, 1, "  one plan");
    OK(r.plans.n && r.plans.v[0].unwritten, "  which no directive says");
    cc_stages_fini(&s);
    cc_explore_fini(&r);
    cc_htg_free(w.h);
    cc_platform_free(w.platform);
    CC_VEC_FINI(&w.loops.v);
}

int main(void)
{
    /* one frame through all stages, then the slowest for each: 1400 | 700 on two; 400 | 1000 | 700 on three
     */
    check(false, (const double[]){FRAMES * 2100.0, FRAMES * 1400.0 + 700, 2100 + (FRAMES - 1) * 1000.0},
          "frames that only hand on");
    /* lines 12 and 13 take turns: a third core has nothing to do */
    check(true, (const double[]){FRAMES * 2100.0, FRAMES * 1400.0 + 700, FRAMES * 1400.0 + 700},
          "a frame that leaves something to the next");
    return TAP_DONE();
}
