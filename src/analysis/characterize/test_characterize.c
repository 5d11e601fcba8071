#include "characterize.h"
#include "../../platform/platform.h"
#include "tap.h"

static const char good[] =
    "corecast-bench 1 one\n# a note\ntext openmp unit ns\nvalue platform clock_mhz 2000 1 9 stable\n"
    "value openmp.parallel par_open 150.5 2 11 stable\nvalue openmp.static for_gap 0 0 1 unstable\n"
    "point memory.dram curve 1 1e10 0 9 stable\npoint memory.dram curve 2 1.5e10 1e8 9 stable\n"
    "grid 16 1 26\ngrid 64 1 74\ngrid 64 16 1109\ngrid 256 4 1049\ntext dma limit 4096\nend\n";

static int parse(const char *text, struct cc_facts *f, struct cc_err *err)
{
    *f = (struct cc_facts){0};
    *err = (struct cc_err){0};
    return cc_facts_parse(f, "m.txt", text, err);
}

static void test_good(void)
{
    struct cc_facts f;
    struct cc_err err;
    OK(parse(good, &f, &err) == 0, "measurements read: %s", err.msg);
    OK_U64(f.v.n, 7, "seven facts");
    OK_U64(cc_facts_unstable(&f), 1, "one of them not stable");
    struct cc_copy_fit fit;
    OK(cc_facts_fit(&f, &fit), "copies fitted");
    OK_NEAR(fit.i0, 5, 1e-6, "the grid is 5 + 5 lines + 1 byte: start");
    OK_NEAR(fit.i1, 5, 1e-6, "line");
    OK_NEAR(fit.alpha, 1, 1e-6, "byte");
    struct cc_buf out = {0};
    cc_facts_write(&f, "box", "test", "box.grid", &out);
    struct cc_platform *p;
    OK(cc_platform_parse("x.ini", out.s, out.n, &p, &err) == 0, "what is written is a platform file: %s",
       err.msg);
    struct cc_quantity q = {0};
    cc_platform_num(p, "openmp.parallel", CC_NUM_COST_PAR_OPEN, &q, &err);
    OK_NEAR(q.value, 150.5, 1e-9, "value");
    OK_NEAR(q.spread, 2, 1e-9, "spread");
    OK_STR(cc_platform_str_or(p, "memory.dram", CC_STR_MEMORY_CURVE, ""), "1:1e+10, 2:1.5e+10", "curve");
    OK_NEAR(cc_platform_num_or(p, NULL, CC_NUM_DMA_ALPHA, 0), 2, 1e-6, "copies in cycles of 2 GHz");
    cc_platform_free(p);
    cc_buf_fini(&out);
    cc_facts_fini(&f);
}

static void test_bad(void)
{
    static const struct {
        const char *text, *message;
        unsigned line;
    } cases[] = {
        {"", "no measurements", 0},
        {"hello\n", "expected 'corecast-bench", 1},
        {"corecast-bench 2 x\n", "expected 'corecast-bench", 1},
        {"corecast-bench 1 x\nvalue a b 1 1 1 stable\n", "did not end", 2},
        {"corecast-bench 1 x\nvalue a b 1 1 1 stable\ncorecast-bench 1 y\n", "did not end", 3},
        {"corecast-bench 1 x\nvalue a b 1 1 stable\nend\n", "wrong number of fields", 2},
        {"corecast-bench 1 x\nvalue a b one 1 1 stable\nend\n", "no number", 2},
        {"corecast-bench 1 x\nvalue a b nan 1 1 stable\nend\n", "no number", 2},
        {"corecast-bench 1 x\nvalue a b 1 -1 1 stable\nend\n", "no number", 2},
        {"corecast-bench 1 x\nvalue a b 1 1 0 stable\nend\n", "samples", 2},
        {"corecast-bench 1 x\nvalue a b 1 1 1 perhaps\nend\n", "stable", 2},
        {"corecast-bench 1 x\nvalue a] b 1 1 1 stable\nend\n", "odd section", 2},
        {"corecast-bench 1 x\ntext a b [x]\nend\n", "odd text", 2},
        {"corecast-bench 1 x\npoint a b 0 1 1 1 stable\nend\n", "number of cores", 2},
        {"corecast-bench 1 x\nvalue a b 1 1 1 stable\nvalue a b 2 1 1 stable\nend\n", "given twice", 3},
        {"corecast-bench 1 x\ngrid 1 2\nend\n", "grid", 2},
        {"corecast-bench 1 x\nwhat\nend\n", "unknown line", 2},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        struct cc_facts f;
        struct cc_err err;
        int rc = parse(cases[i].text, &f, &err);
        OK(rc == -CC_EINPUT && strstr(err.msg, cases[i].message) && err.line == cases[i].line,
           "refused, line %u: %s (got %u: %s)", cases[i].line, cases[i].message, err.line, err.msg);
        cc_facts_fini(&f);
    }
}

static void test_fuzz(void)
{
    uint64_t seed = 7;
    unsigned accepted = 0, invalid = 0;
    char text[sizeof good];
    for (int round = 0; round < 5000; round++) {
        memcpy(text, good, sizeof good);
        for (int k = 0; k < 1 + round % 3; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            text[(seed >> 33) % (sizeof good - 1)] = (char)(1 + (seed >> 25) % 255);
        }
        struct cc_facts f;
        struct cc_err err;
        if (parse(text, &f, &err) == 0) {
            accepted++;
            struct cc_buf out = {0};
            cc_facts_write(&f, "box", "test", NULL, &out);
            struct cc_platform *p;
            if (cc_platform_parse("x.ini", out.s, out.n, &p, &err) == 0)
                cc_platform_free(p);
            else
                invalid += err.line == 0; /* names a line: a key or value the format refuses */
            struct cc_result *r = cc_result_new("corecast.characterize", 1);
            cc_facts_show(&f, r);
            cc_result_free(r);
            cc_buf_fini(&out);
        } else {
            invalid += err.msg[0] == 0;
        }
        cc_facts_fini(&f);
    }
    OK(invalid == 0 && accepted > 100, "5000 damaged texts: read, or refused with a message (%u read)",
       accepted);
}

#define BENCH(lines) "corecast-bench 1 x\n" lines "end\n"

/* Three runs: a figure that one run got wrong, one that all agree on, one that nobody knows, pairs of CPUs.
 */
static void test_settle(void)
{
    static const char *const texts[] = {
        BENCH(
            "value openmp.parallel par_open 100 1 9 stable\nvalue openmp.parallel par_close 50 0.5 9 stable\n"
            "value openmp.parallel thr_free 10 1 9 stable\ntext contention siblings 0-1, 2-3\ntext openmp "
            "unit ns\n"),
        BENCH("value openmp.parallel par_open 180 60 9 unstable\nvalue openmp.parallel par_close 50 0.1 9 "
              "stable\n"
              "value openmp.parallel thr_free 20 1 9 stable\ntext contention siblings 0-1, 2-3\ntext openmp "
              "unit ns\n"),
        BENCH("value openmp.parallel par_open 101 2 9 stable\nvalue openmp.parallel par_close 50.2 0.5 9 "
              "stable\n"
              "value openmp.parallel thr_free 15 1 9 stable\ntext contention siblings 0-2, 1-3\ntext openmp "
              "unit ns\n"),
    };
    struct cc_facts runs[3], all = {0}, two = {0};
    struct cc_err err;
    for (int i = 0; i < 3; i++)
        OK(parse(texts[i], &runs[i], &err) == 0, "run %d: %s", i, err.msg);
    OK_U64(cc_facts_settle(runs, 3, &all), 1, "one figure is not the same in all runs");
    OK(all.v.v[0].value == 100 && all.v.v[0].stable && all.v.v[0].spread == 40,
       "the steadiest, spread as the runs");
    OK(all.v.v[1].value == 50 && all.v.v[1].stable, "what all agree on");
    OK_NEAR(all.v.v[1].spread, 0.1, 1e-9, "with its own spread where runs differ less");
    OK(all.v.v[2].spread == 5 && !all.v.v[2].stable, "what no run knows is not stable, whatever each said");
    OK(all.v.n == 4 && all.notes.n == 1 && strstr(all.notes.v[0], "float"), "siblings that change are none");
    cc_facts_settle(runs, 2, &two);
    OK(two.v.n == 5 && strcmp(two.v.v[3].text, "0-1, 2-3") == 0, "those that stay are");
    for (int i = 0; i < 3; i++)
        cc_facts_fini(&runs[i]);
    cc_facts_fini(&all);
    cc_facts_fini(&two);
}

int main(void)
{
    test_settle();
    test_good();
    test_bad();
    test_fuzz();
    return TAP_DONE();
}
