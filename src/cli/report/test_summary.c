#include "cli/report/summary.h"
#include "fixture.h"
#include "tap.h"

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
    OK(!s->approximate, "which is exact");
    cc_summary_free(s);
    struct cc_profile none = {.path = "x"};
    OK(cc_summary_build(&none, &s, &err) == 0 && !s->streams && s->nmain == 0, "a profile of marks alone");
    cc_summary_free(s);
}

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    if (OK(p, "the fixture")) {
        test_summary(p);
    }
    cc_profile_free(p);
    return TAP_DONE();
}
