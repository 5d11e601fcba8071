#!/bin/sh
# What native marks cost, and how well their cost is taken out again: a loop of about 1 us tasks, unmarked, against
# the compensated total of the marked one. Least of several runs: other load on the machine only adds.
SOURCE=$(cd "$(dirname "$0")/.." && pwd)
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
cd "$WORK" || exit 1
cat >loop.c <<'END'
#include <corecast/mark.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec * 1e9 + t.tv_nsec; }
volatile unsigned sink;
/* Aligned, so that both builds run the very same loop. */
static __attribute__((noinline, aligned(256))) unsigned work(unsigned x, int w)
{
    for (int k = 0; k < w; k++)
        x = x * 1664525u + 1013904223u + (x >> 7);
    return x;
}
int main(int argc, char **argv)
{
    int n = 300000, w = argc > 1 ? atoi(argv[1]) : 630;
    unsigned x = 1;
    double t0 = now();
    CC_REGION_BEGIN("loop");
    for (int i = 0; i < n; i++) {
        CC_TASK_BEGIN("it");
        x = work(x, w);
        CC_TASK_END("it");
    }
    CC_REGION_END("loop");
    sink = x;
    printf("%.3f\n", (now() - t0) / n);
}
END
cat >total.c <<'END'
#include "profile/native.h"
int main(int argc, char **argv)
{
    struct cc_native_trace *t;
    struct cc_err err;
    struct cc_native_times times;
    if (argc < 2 || cc_native_trace_open(argv[1], &t, &err) < 0) return 1;
    cc_native_times_of(t, &times);
    double sum = 0;
    for (size_t i = 0; i < times.n; i++) sum += times.v[i].ns;
    printf("%.3f %.2f\n", sum / 300000, t->mark_ns);
}
END
gcc -O2 -DCORECAST_OFF -I"$SOURCE/include" loop.c -o unmarked &&
    gcc -O2 -DCORECAST_NATIVE -I"$SOURCE/include" loop.c "$SOURCE/engines/native/native.c" -o marked -lpthread &&
    gcc -O2 -D_GNU_SOURCE -I"$SOURCE/src" total.c "${BUILD:-$SOURCE/build}/libcorecast.a" -o total -lsqlite3 -lzstd -lxxhash -lsmartcols -ldw -lelf -lm || exit 1
least() { sort -g | head -1; }
for w in 0 60 630 6300; do
    : >u; : >m; : >c; : >k
    for i in 1 2 3 4 5; do
        ./unmarked $w >>u
        rm -f trace
        CORECAST_NATIVE_TRACE=trace ./marked $w >>m
        ./total trace | { read -r sum cost; echo "$sum" >>c; echo "$cost" >>k; }
    done
    u=$(least <u) m=$(least <m) c=$(least <c) k=$(least <k)
    echo "$u $m $c $k" | awk '{printf "task %9.1f ns: marked %9.1f ns (%.1f ns a mark), compensated %9.1f ns (%+.2f %%), own estimate %s ns a mark\n", $1, $2, ($2-$1)/2, $3, ($3/$1-1)*100, $4}'
done
