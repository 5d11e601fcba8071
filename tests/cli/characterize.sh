#!/bin/sh
. "$(dirname "$0")/lib.sh"
if [ ! -x "$(dirname "$CORECAST")/engines/characterize/corecast-bench-openmp" ]; then
    skip "measures this machine" "the compiler this was built with has no OpenMP"
else
cc characterize --time 0.05 -q -o here.ini; is $RC 0 "measures this machine"
cc platform show here.ini --json; is $RC 0 "the result is a platform file"
value() { json ".values[]|select(.section==\"$1\" and .key==\"$2\")|.value" | sed 's/ .*//'; }
for k in par_open par_close thr_create thr_launch thr_prologue thr_free barrier_ovh critical_ovh reduction_ovh task_create task_start; do
    [ -n "$(value openmp.parallel $k)" ]; ok $? "openmp.parallel has $k"
done
for s in static dynamic; do for k in for_prologue for_epilogue for_gap for_next_chunk; do
    [ -n "$(value openmp.$s $k)" ]; ok $? "openmp.$s has $k"
done; done
echo "$(value platform clock_mhz)" | awk '{exit !($1 > 50 && $1 < 10000)}'; ok $? "the clock is between 50 MHz and 10 GHz"
[ "$(wc -l <here.grid)" -gt 20 ]; ok $? "copy times lie beside it"
cc characterize --time 0.05 --json; is "$RC $(json .schema)" "0 corecast.characterize" "as JSON"
fi
printf 'corecast-bench 1 board\nvalue platform clock_mhz 600 1 9 stable\nvalue openmp.parallel par_open 9000 100 9 unstable\nend\n' >board.txt
cc characterize --import board.txt --name 'odd [name]; #1' -o board.ini; is $RC 0 "imports what a board printed"
fails 0 "1 of 2 figures did not settle" "and says that a figure is not stable"
cc platform show board.ini; is $RC 0 "the imported file loads"
printf 'corecast-bench 1 board\nvalue platform clock_mhz 600 1 9 stable\n' >cut.txt
cc characterize --import cut.txt -o cut.ini; fails 3 'cut.txt:2: .*not whole' "a run cut short is refused"
[ ! -e cut.ini ]; ok $? "and writes nothing"
printf 'corecast-bench 1 board\nvalue openmp.parallel nonsense 600 1 9 stable\nend\n' >odd.txt
cc characterize --import odd.txt; fails 3 "nonsense" "a key the format lacks is refused"
cc characterize --import nowhere.txt; fails 3 "cannot open" "absent file"
cc characterize extra; fails 2 "unexpected operand" "operands are refused"
gcc -O2 -fopenmp "$SOURCE/engines/characterize/openmp.c" -o b -lm 2>err && gcc -O2 -fopenmp "$SOURCE/engines/characterize/memory.c" -o b -lm 2>err && gcc -O2 -fopenmp "$SOURCE/engines/characterize/cores.c" -o b -lm 2>err
ok $? "each benchmark compiles alone"
done_testing
