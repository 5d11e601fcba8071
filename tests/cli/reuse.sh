#!/bin/sh
# Lines and distances of a product of matrices, by closed forms, from either engine; and what predict makes of them.
. "$(dirname "$0")/lib.sh"
cat >mat.c <<'C'
enum { N = 64 };
double a[N][N] __attribute__((aligned(64))), b[N][N] __attribute__((aligned(64))), c[N][N] __attribute__((aligned(64)));
__attribute__((noinline)) void multiply(void)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double s = 0;
            for (int k = 0; k < N; k++) s += a[i][k] * b[k][j];
            c[i][j] = s;
        }
}
int main(void) { multiply(); return c[3][4] != 0; }
C
gcc -g -O1 -o mat mat.c || exit 99
echo 'mat.c:5 = #pragma omp parallel for schedule(static)' >rows.omp
# Two loads for each of N^3 products and N^2 stores; three matrices of N^2 / 8 lines. A row of a and all of b are used again before a is: with less than
# N lines nearly every access to b misses, with room for all three only first touches do.
# Where a call lays the address to return to on the stack, the return touches one line more (which others touched first).
case $(uname -m) in x86_64 | i?86) returns=1 ;; *) returns=0 ;; esac
touches=$((528384 + returns)) lines=$((1536 + returns))
of_multiply='.functions[] | select(.name == "multiply")'
for engine in valgrind qemu; do
    cc record -q --engine $engine --locality --tasks loops -o $engine.cast -- ./mat
    if [ "$RC" -eq 125 ]; then
        skip "lines of a product under $engine" "there is no such engine"
        continue
    fi
    cc report $engine.cast --view locality --min-share 0 --json
    is "$RC $(json ".sampled, ($of_multiply | .touches, .lines_touched)" | paste -sd ' ')" "0 1 $touches $lines" "$engine: every access, and the lines of three matrices"
    is "$(json "$of_multiply | .misses | [.[-1].misses == 1536, (.[] | select(.size == 64) | .misses == $touches), (.[] | select(.size == 2048) | .misses >= 262144)] | all")" true \
        "$engine: all miss in one line, those down a column in 32, first touches however many there are"
    is "$(json "$of_multiply | [.misses[].misses] | . == (sort | reverse)")" true "$engine: never more misses in a larger cache"
    cc predict $engine.cast -p cortex-a53-quad -s rows.omp -n 1,4 --json
    is "$RC $(json '.scenarios[0] | .contention_model, (.schedules[1].speedup > 2.5)' | paste -sd ' ')" "0 locality true" "$engine: predict finds the trace of lines"
    json '.scenarios[0].schedules[0].regions[0].time' >$engine.time
done
if [ -s valgrind.time ] && [ -s qemu.time ]; then
    paste valgrind.time qemu.time | awk '{ d = $1 / $2 - 1; exit !($1 > 0 && d < 0.02 && d > -0.02) }'
    ok $? "both engines' lines take the same time: $(cat valgrind.time qemu.time | paste -sd " ")"
fi
# Data that just fit into a cache of 16 KiB: a runtime between two sweeps drives some of them out, also on one processor.
cat >fit.c <<'C'
enum { N = 16000 / 8 };
double v[N] __attribute__((aligned(64)));
__attribute__((noinline)) void sweep(void)
{
    for (int i = 0; i < N; i++) v[i] += 1;
}
__attribute__((noinline)) void sweeps(void)
{
    for (int t = 0; t < 40; t++)
        sweep();
}
int main(void) { sweeps(); return v[3] != 40; }
C
gcc -g -O1 -o fit fit.c || exit 99
echo 'fit.c:9 = #pragma omp parallel for schedule(dynamic)' >chunks.omp
cc record -q --locality --tasks loops -o fit.cast -- ./fit
cc predict -q --force fit.cast -p manycore -s chunks.omp -n 1 --json
is "$RC $(json '.scenarios[0].schedules[0].stack.contention > 0')" "0 true" "on one processor, too, the runtime drives lines out"
done_testing
