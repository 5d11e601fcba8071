#include "analysis/functions/functions.h"
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

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    if (OK(p, "the fixture")) {
        test_functions(p);
        test_amdahl(p);
    }
    cc_profile_free(p);
    return TAP_DONE();
}
