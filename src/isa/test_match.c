/* Patterns of mnemonics, against the C library's. */
#include "isa/match.h"
#include "base/base.h"
#include "base/rng.h"
#include "tap.h"

#include <fnmatch.h>

static void test_random(void)
{
    struct cc_rng rng = {.state = 11};
    unsigned wrong = 0, fit = 0;
    for (int i = 0; i < 200000; i++) {
        char pattern[8] = "", name[10] = "";
        size_t n = cc_rng_next(&rng) % sizeof pattern, m = cc_rng_next(&rng) % sizeof name;
        for (size_t k = 0; k < n; k++)
            pattern[k] = "aab.*?*"[cc_rng_next(&rng) % 7];
        for (size_t k = 0; k < m; k++)
            name[k] = "aab."[cc_rng_next(&rng) % 4];
        bool is = pattern[0] && fnmatch(pattern, name, 0) == 0;
        fit += is;
        if (cc_names_fit(pattern, name) != is && !wrong++)
            printf("# '%s' and '%s': %d expected\n", pattern, name, is);
    }
    OK(wrong == 0 && fit > 1000, "%u of 200000 patterns fit, %u wrongly judged", fit, wrong);
}

int main(void)
{
    OK(cc_names_fit("add sub", "add") && cc_names_fit("add sub", "sub") && !cc_names_fit("add sub", "ad") &&
           !cc_names_fit("add sub", "add sub") && !cc_names_fit("add", "adds"),
       "a list of names");
    OK(cc_names_fit("ld* *sd ?q", "ld") && cc_names_fit("ld* *sd ?q", "addsd") &&
           cc_names_fit("ld* *sd ?q", "cq") && !cc_names_fit("ld* *sd ?q", "q"),
       "a list of patterns");
    OK(!cc_names_fit("", "") && !cc_names_fit("", "a") && cc_names_fit("a  b", "b"),
       "nothing, and two spaces");
    test_random();
    return TAP_DONE();
}
