/* Curves of the fixture, whose touches are known. */
#include "locality.h"
#include "fixture.h"
#include "profile/profile.h"
#include "tap.h"

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    struct cc_locality_curves *c = NULL;
    struct cc_err err = {0};
    OK(cc_locality_curves(p, &(struct cc_filter){0}, &c, &err) == 0 && c->n == 1,
       "one function touched lines");
    const struct cc_locality_curve *r = &c->rows[0];
    OK_STR(p->functions[r->function].name, "produce", "it is the one that ran");
    OK(r->lines == 8 && r->touches == 24, "eight lines, each three times");
    OK(r->misses[0] == 16 && c->sizes[0] == 64, "a single line holds those touched twice in a row");
    OK(c->sizes[5] == 8 * 64 && r->misses[4] == 16 && r->misses[5] == 8,
       "eight lines hold all; six hold no line until it is touched again");
    OK(c->total.misses[5] == 8 && c->sampled == 1, "all functions together are that one");
    cc_locality_curves_free(c);
    OK(cc_locality_curves(p, &(struct cc_filter){.focus = "nobody"}, &c, &err) < 0,
       "a name that is not there");
    struct cc_profile none = {0};
    OK(cc_locality_curves(&none, &(struct cc_filter){0}, &c, &err) < 0, "nothing was recorded");
    cc_profile_free(p);
    return TAP_DONE();
}
