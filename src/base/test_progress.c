#include "base/progress.h"
#include "tap.h"

#include <math.h>

static const char *line_of(const char *unit, uint64_t done, uint64_t total, double seconds)
{
    static char line[200];
    struct cc_progress p = {.what = "timing", .unit = unit, .count = {.done = done, .total = total}};
    cc_progress_line(&p, seconds, NULL, line, sizeof line);
    return line;
}

int main(void)
{
    OK_STR(line_of("runs", 0, 30, 2), "corecast: timing: 0 of 30 runs, 2 s", "nothing done: no rate");
    OK_STR(line_of("runs", 10, 30, 4), "corecast: timing: 10 of 30 runs, 2.5 a second, 8 s left",
           "rate and time left");
    OK_STR(line_of("runs", 10, 700, 10), "corecast: timing: 10 of 700 runs, 1.0 a second, 11:30 min left",
           "minutes");
    OK_STR(line_of("runs", 1, 10001, 1), "corecast: timing: 1 of 10001 runs, 1.0 a second, 2.8 h left",
           "hours");
    OK_STR(line_of("runs", 30, 30, 4), "corecast: timing: 30 of 30 runs, 7.5 a second, 4 s",
           "done: how long it took");
    OK_STR(line_of("runs", 31, 30, 4), "corecast: timing: 30 of 30 runs, 7.8 a second, 4 s",
           "never more than all");
    OK_STR(line_of("tiles", 5000, 0, 4), "corecast: timing: 5000 tiles, 1250 a second, 4 s",
           "of nobody knows how many");
    OK_STR(line_of("events", 12345678, 0, 4), "corecast: timing: 12.3 M events, 3.09 M a second, 4 s",
           "many");
    OK_STR(line_of(NULL, 0, 0, 75), "corecast: timing: 1:15 min", "nothing to count");
    OK_STR(line_of("events", 30000000, 120000000, 10),
           "corecast: timing: 25 % of 120 M events, 3.00 M a second, 30 s left", "many are told as a share");
    struct cc_progress search = {.what = "mapping", .unit = "steps"};
    char line[200];
    cc_count_add(&search.count, 500);
    cc_count_phase(&search.count, 8000, true);
    cc_count_bounds(&search.count, 107, 100);
    cc_count_set(&search.count, 2000);
    search.phase_began = 6;
    cc_progress_line(&search, 10, NULL, line, sizeof line);
    OK_STR(
        line,
        "corecast: mapping: 25 % of at most 8000 steps, 500 a second, at most 12 s left, best at most 7.00 % "
        "above the optimum",
        "a search that may end earlier: the rate is that of its own phase");
    cc_count_bounds(&search.count, INFINITY, 100);
    OK_U64(search.count.above, 701, "a bound says nothing before something is known");
    cc_count_add(NULL, 1);
    cc_count_set(NULL, 1);
    cc_count_phase(NULL, 1, true);
    cc_count_bounds(NULL, 1, 1);
    char small[24];
    struct cc_progress p = {.what = "a name that is far too long for it"};
    cc_progress_line(&p, 3, &(struct cc_progress_used){1, 2e6}, small, sizeof small);
    OK(strlen(small) == 23, "a line that is too long is cut");
    struct cc_progress silent = {.what = "x", .unit = "y"};
    cc_progress_begin(&silent, false);
    cc_progress_add(&silent, 3);
    cc_progress_add(NULL, 3);
    cc_progress_end(&silent);
    OK_U64(silent.count.done, 3, "one that is not shown counts all the same");
    return TAP_DONE();
}
