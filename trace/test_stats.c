/* Quantiles of latencies. */
#include "stats.h"
#include "../src/base/rng.h"
#include "../tests/tap.h"

static void test_histogram(void)
{
    struct cc_latency_histogram h = {0};
    OK_U64(cc_latency_quantile(&h, 0.75), 0, "empty histogram");
    for (uint32_t i = 1; i <= 1000; i++)
        cc_latency_add(&h, i);
    OK(cc_latency_quantile(&h, 0.75) == 750 && cc_latency_quantile(&h, 0.5) == 500 &&
           cc_latency_quantile(&h, 1) == 1000,
       "quantiles are exact");
    cc_latency_fini(&h);
    struct cc_rng rng = {.state = 3};
    int good_bins = 0;
    for (int i = 0; i < 1000; i++) {
        uint32_t v = (uint32_t)(cc_rng_next(&rng) >> 32) >> (cc_rng_next(&rng) % 16);
        cc_latency_add(&h, v);
        uint32_t got = cc_latency_quantile(&h, 1);
        good_bins += got <= v && (double)(v - got) <= (double)v / 4096 && (v >= 65536 || got == v);
        cc_latency_fini(&h);
    }
    OK(good_bins == 1000, "and within 1/4096 for the largest values");
}

int main(void)
{
    test_histogram();
    return TAP_DONE();
}
