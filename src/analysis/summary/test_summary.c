#include "analysis/amdahl/amdahl.h"
#include "analysis/summary/summary.h"
#include "fixture.h"
#include "tap.h"

static void test_functions(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_functions *f;
    OK(cc_functions_list(p, &(struct cc_filter){0}, &f, &err) == 0 && f->n == p->nfunctions, "all functions");
    OK_STR(p->functions[f->ids[0]].name, "filter", "the hottest first");
    OK_STR(p->functions[f->ids[1]].name, "worker", "then the next");
    cc_functions_free(f);
    cc_functions_list(p, &(struct cc_filter){.min_share = 0.2}, &f, &err);
    OK(f->n == 2 && f->hidden == p->nfunctions - 2 && f->hidden_exclusive == p->instructions - 210000,
       "a share of the instructions");
    cc_functions_free(f);
    cc_functions_list(p, &(struct cc_filter){.focus = "img::helper"}, &f, &err);
    OK(f->n == 1 && p->functions[f->ids[0]].calls == 10, "a focus");
    cc_functions_free(f);
}

static void test_amdahl(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_amdahl *a;
    OK(cc_amdahl_table(p, &(struct cc_filter){.top = 2}, &a, &err) == 0 && a->n == 2, "two kernels");
    double total = FIXTURE_INSTRUCTIONS;
    OK_NEAR(a->rows[0].share, 130000 / total, 1e-12, "share");
    OK_NEAR(a->rows[0].limit, 1 / (1 - 130000 / total), 1e-9, "limit alone");
    OK_NEAR(a->rows[1].limit, 1 / (1 - 80000 / total), 1e-9, "of the second");
    OK_NEAR(a->rows[1].cumulative, 1 / (1 - 210000 / total), 1e-9, "and of both");
    cc_amdahl_free(a);
    struct cc_pfunction all[] = {{.name = "<runtime>"}, {.name = "f", .exclusive = 10}};
    struct cc_profile one = {.functions = all, .nfunctions = 2, .instructions = 10};
    cc_amdahl_table(&one, &(struct cc_filter){0}, &a, &err);
    OK(a->n == 1 && isinf(a->rows[0].limit), "all of the run: no limit");
    cc_amdahl_free(a);
    struct cc_profile none = {.path = "x"};
    OK(cc_amdahl_table(&none, &(struct cc_filter){0}, &a, &err) < 0, "a profile without instructions");
}

static void test_summary(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_summary *s;
    if (!OK(cc_summary_build(p, &s, &err) == 0, "a summary"))
        return;
    /* produce 4096, filter 16384 + 45056, consume 2048, worker 1024 */
    OK_U64(s->bytes_read, 4096 + 16384 + 45056 + 2048 + 1024, "bytes read by instructions");
    OK_U64(s->reads, s->bytes_read / 4, "in words");
    OK_U64(s->bytes_written, 4096 + 4096 + 2048,
           "bytes written: what system calls fill is not the program's");
    OK(s->threads == 2 && s->functions == 7, "threads and functions");
    OK(s->regions == 3 && s->frames == 2, "regions and frames");
    OK_U64(s->edges, p->nedges[CC_LEVEL_FUNCTION], "streams");
    OK(s->nmain == 5 && s->streams->edges[s->main_streams[0]].bytes == 45056, "the main streams");
    double between = (double)s->streams->between, fresh = 4096 * 2 + 44 + 2048 * 2 + 1024;
    OK_NEAR(s->reread, 1 - fresh / between, 1e-12, "what a perfect cache saves");
    cc_summary_free(s);
    struct cc_profile none = {.path = "x"};
    OK(cc_summary_build(&none, &s, &err) == 0 && !s->streams && s->nmain == 0, "a profile of marks alone");
    cc_summary_free(s);
}

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    if (OK(p, "the fixture")) {
        test_functions(p);
        test_amdahl(p);
        test_summary(p);
    }
    cc_profile_free(p);
    return TAP_DONE();
}
