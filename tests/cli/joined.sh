#!/bin/sh
# Loops whose iterations only keep the best they meet: each thread for itself, joined in a critical section; the first or last of what is as good stays.
. "$(dirname "$0")/lib.sh"
cat >best.c <<'C'
#include <stdio.h>
#define N 6000
static int v[N];
static double slow(double x)
{
    int k;
    for (k = 0; k < 9; k++)
        x = x * 0.5 + 1.0 / (x + k + 1);
    return x;
}
static int first(double *ret)
{
    double best = 1e9;
    int at = -1;
    for (int i = 0; i < N; i++) {
        double d = slow(v[i] % 97);
        if (d < best) {
            best = d;
            at = i;
        }
    }
    *ret = best;
    return at;
}
static int last_down(long *ret)
{
    long most = -1;
    int at = -1, i;
    for (i = N - 1; i >= 0; i--) { long d = (long)(slow(v[i] % 97) * 100); if (v[i] && most <= d) { at = i; most = d; } }
    *ret = most;
    return at;
}
static int pairs(int *ret)
{
    int low = 1 << 30, r = 0, c = 0, high = -1, at = 0;
    for (int i = 0; i < N / 20; i++)
        for (int j = 0; j < 20; j++) {
            int d = (int)(slow(v[20 * i + j] % 50) * 7);
            if (d < low)
            {
                low = d;
                r = i, c = j;
            }
            if (d > high) { high = d; at = i; }
        }
    *ret = low + high;
    return 1000 * at + 100 * r + c;
}
static int second(double *ret)
{
    double best = 1e9, next = 1e9;
    int at = -1;
    for (int i = 0; i < N; i++) {
        double d = slow(v[i] % 97);
        if (d < best) {
            next = best;
            best = d;
            at = i;
        }
    }
    *ret = next;
    return at;
}
int main(void)
{
    double d = 0, e = 0;
    long m = 0;
    int p = 0;
    for (int i = 0; i < N; i++)
        v[i] = (i * 7919 + i * i % 31) % 1009;
    int a = first(&d), b = last_down(&m), c = pairs(&p), s = second(&e);
    printf("%d %.9f %d %ld %d %d %d %.9f\n", a, d, b, m, c, p, s, e);
    return 0;
}
C
gcc -O1 -g -Wall -Wextra -o best best.c || exit 99
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o best.cast ./best >want 2>err || { skip "joining" "there is no valgrind engine"; done_testing; exit; }
cc explore best.cast -p cortex-a53-quad --json --patch best.diff --scenario best.omp
is "$RC $(json '[.plans[0].directives[]|select(.pragma|test("critical"))|.loop]|sort|join(" ")')" "0 best.c:15 best.c:29 best.c:36" "the best, first, last, and two of one loop"
# what needs its order may still pay, one iteration after another
is "$(json '[(.rejected[]|select(.loop == "best.c:53").reason|test("best")), (.plans[].directives[]|select(.loop == "best.c:53").pragma|test("ordered"))]|length > 0 and all')" true "one whose second best is kept as well needs its order"
mkdir tree && cp best.c tree && (cd tree && patch -s -p1 <../best.diff); ok $? "patch -p1 takes it"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
    for schedule in static "static, 1" "dynamic, 3"; do # ties are many: of 6000 values 97 are different
        sed "s/schedule(static[^)]*)/schedule(monotonic: $schedule)/; s/monotonic: static/static/" tree/best.c >tree/b.c
        $compiler -O1 -Wall -Wextra -Wshadow -Werror -fopenmp -o tree/b tree/b.c 2>err
        rc=$?
        if grep -q "omp.h\|cannot find -lomp\|libomp" err; then skip "$compiler" "it has no OpenMP"; continue; fi
        ok $rc "$compiler compiles it without a warning"
        is "$(for n in 1 2 3 4 7; do OMP_NUM_THREADS=$n tree/b; done | sort -u)" "$(cat want)" "the same best and the same place with $schedule"
    done
done
cc explore best.cast -p cortex-a53-quad -n 1,2 --verify --repeat 2 --build 'gcc -O1 -g -fopenmp -o best best.c' --run ./best
is "$RC $(tr -s ' \n' ' ' <out | grep -c 'plan 1 holds')" "0 1" "it is proven, without races"
cc predict best.cast -p cortex-a53-quad -s best.omp -n 4 --json
is "$(json '.scenarios[0].schedules[0].speedup > 1.5')" true "the scenario is predicted"
done_testing
