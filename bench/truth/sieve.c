/* Primes in segments: all strike out multiples of the same small primes, each in a segment of its own. */
#include "truth.h"
enum { SMALL = SIZE(180, 4000), SEGMENT = SIZE(1000, 50000), SEGMENTS = SIZE(32, 320) };
static int prime[SMALL], primes, count[SEGMENTS];
static unsigned char out[SEGMENTS][SEGMENT];
static int strike(int s)
{
    int first = s * SEGMENT, n = 0;
    unsigned char *v = out[s];
    for (int k = 0; k < primes; k++) {
        int p = prime[k], at = (first + p - 1) / p * p;
        at = at < p * p ? p * p : at;
        for (; at < first + SEGMENT; at += p)
            v[at - first] = 1;
    }
    for (int i = 0; i < SEGMENT; i++)
        n += !v[i];
    return n;
}
int main(void)
{
    CC_RECORD_OFF();
    for (int i = 2; i < SMALL; i++) {
        int k = 0;
        while (k < primes && i % prime[k])
            k++;
        if (k == primes)
            prime[primes++] = i;
    }
    TOUCH(out);
    int all = 0;
    KERNEL_BEGIN();
    BEGIN("sieve.all");
#pragma omp parallel for schedule(dynamic) reduction(+ : all)
    for (int s = 0; s < SEGMENTS; s++) {
        BEGIN("sieve.segment");
        count[s] = strike(s);
        all += count[s];
        END("sieve.segment");
    }
    END("sieve.all");
    KERNEL_END(all);
}
