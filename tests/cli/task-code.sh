#!/bin/sh
# Code of the runtime and of tasks drive each other out of a small cache of the first level: by how much code the tasks have, and not where both fit.
. "$(dirname "$0")/lib.sh"
cat >code.c <<'C'
#include <corecast/mark.h>
static volatile unsigned sum;
#define MORE sum += (sum >> 3) ^ 0x55555;
#define MORE8 MORE MORE MORE MORE MORE MORE MORE MORE
__attribute__((noinline)) static void work(void)
{
    CC_TASK_BEGIN("work");
    BODY
    CC_TASK_END("work");
}
int main(void)
{
    CC_TASK_BEGIN("all");
    CC_TASK_BEGIN("one");
    for (int i = 0; i < 50; i++) work();
    CC_TASK_END("one");
    CC_TASK_END("all");
    return 0;
}
C
printf 'all = #pragma omp parallel\none = #pragma omp single\nwork = #pragma omp task\n' >code.omp
for size in small large; do
    body=MORE
    [ $size = large ] && body='MORE8 MORE8 MORE8 MORE8'
    sed "s/BODY/$body/" code.c >$size.c
    gcc -g -O1 -I "$SOURCE/include" -o $size $size.c || exit 99
    cc record -q --engine valgrind --locality -o $size.cast -- ./$size
    [ "$RC" -eq 125 ] && skip "code of tasks" "there is no Valgrind" && done_testing && exit
    for platform in mips-smp cortex-a53-quad; do
        for cost in 0 2000; do
            cc predict $size.cast -p $platform -s code.omp -n 1 --set openmp.parallel.task_code=$cost --json
            eval "${size}_$(echo $platform | cut -c1-4)_$cost=\$(jq '.scenarios[0].schedules[0].time' out)"
        done
    done
done
# 50 tasks, all made before one is taken, so half of the 2000 cycles for each as far as their code, 2 and 24 of 128 lines, drives the runtime's out
between() { awk -v a="$2" -v b="$3" -v low="$4" -v high="$5" 'BEGIN { d = a - b; exit !(d >= low && d <= high) }'; ok $? "$1: $2 beside $3"; }
between "little code drives little out" "$small_mips_2000" "$small_mips_0" 100 2500
between "much code most of it" "$large_mips_2000" "$large_mips_0" 5000 20000
between "nothing where both fit" "$large_cort_2000" "$large_cort_0" 0 1000
done_testing
