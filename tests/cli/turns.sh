#!/bin/sh
# Loops of which a part has to keep its order: that part waits for its turn (omp ordered), the rest is shared out, if that pays.
. "$(dirname "$0")/lib.sh"
cat >turns.c <<'C'
#include <stdio.h>
#define N 600
static int found[N];
static double w[N], chain[N + 1], part[N];
static double slow(double x)
{
    int k;
    for (k = 0; k < 150; k++)
        x = x * 0.5 + 1.0 / (x + k + 1);
    return x;
}
static double recurrence(void)
{
    double run = 0;
    for (int i = 0; i < N; i++) {
        double v = slow(i);
        run = run * 0.9 + v;
        w[i] = run;
    }
    return run;
}
static int append(void)
{
    int n = 0, i;
    for (i = N; i > 0; i -= 2)
    {
        double v = slow(i);
        if (v > 1.9)
            continue;
        part[i - 1] = v;
        if (i % 3)
            found[n++] = i; /* in order */
        else {
            n += 0;
        }
    }
    return n;
}
static void links(void)
{
    for (int i = 1; i <= N; i++) {
        double v = slow(i + 3), u = slow(v);
        chain[i] = chain[i - 1] * 0.5 + u;
        part[i - 1] += slow(chain[i]) + v;
    }
}
static double everywhere(void)
{
    double last = 1;
    for (int i = 0; i < N; i++) {
        double v = slow(i + last);
        w[i] += v;
        last = v;
    }
    return last;
}
static int leaves(void)
{
    int n = 0;
    for (int i = 0; i < N; i++) {
        double v = slow(i * 0.5);
        n = n * 3 % 1001 + i;
        if (v < 0)
            break;
    }
    return n;
}
int main(void)
{
    double a = recurrence();
    int n = append();
    links();
    double s = 0, e = everywhere();
    for (int i = 0; i < N; i++)
        s += w[i] + part[i] + chain[i] + (i < n ? found[i] * i : 0);
    printf("%.12g %d %.12g %.12g %d\n", a, n, e, s, leaves());
    return 0;
}
C
gcc -O1 -g -Wall -Wextra -o turns turns.c || exit 99
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o turns.cast ./turns >want 2>err || { skip "turns" "there is no valgrind engine"; done_testing; exit; }
cc explore turns.cast -p cortex-a53-quad --json --patch turns.diff --scenario turns.omp
is "$RC $(json '[.plans[0].directives[]|select(.pragma == "#pragma omp ordered")|"\(.loop) \(.line)"]|sort|join(", ")')" "0 turns.c:15 17, turns.c:25 31, turns.c:41 43" "loops of which a part waits for its turn, and that part"
is "$(json '[.plans[0].directives[]|select(.loop == "turns.c:15")][0].pragma|test("parallel for ordered schedule\\((static|monotonic: dynamic), 1\\)")')" true "one iteration at a time"
is "$(json '[.rejected[]|select(.loop == "turns.c:51" or .loop == "turns.c:61")|.reason|test("iteration|leave")]|all')" true "what needs the one before it from its first statement on, or is left early, is told"
is "$(json '.plans[0].speedup|map(.speedup)|.[0] < 1.01 and .[3] > 1.5 and .[3] < 4')" true "which pays on four cores"
is "$(grep -c ordered turns.omp)" 3 "the scenario names them"
mkdir tree && cp turns.c tree && (cd tree && patch -s -p1 <../turns.diff); ok $? "patch -p1 takes it"
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { skip "$compiler" "there is none"; continue; }
    $compiler -O1 -Wall -Wextra -Wshadow -Werror -fopenmp -o tree/t tree/turns.c 2>err
    rc=$?
    if grep -q "omp.h\|cannot find -lomp\|libomp" err; then skip "$compiler" "it has no OpenMP"; continue; fi
    ok $rc "$compiler compiles it without a warning"
    is "$(for n in 1 2 3 5; do OMP_NUM_THREADS=$n tree/t; done | sort -u)" "$(cat want)" "the same result"
done
cc explore turns.cast -p cortex-a53-quad -n 1,2 --verify --repeat 1 --build 'gcc -O1 -g -fopenmp -o turns turns.c' --run ./turns
is "$RC $(tr -s ' \n' ' ' <out | grep -c 'plan 1 holds')" "0 1" "it is proven, without races"
done_testing
