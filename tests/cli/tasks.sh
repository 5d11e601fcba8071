#!/bin/sh
# Task traces with the counted clock: from marks and from calls, the same in both engines, and predict takes them.
. "$(dirname "$0")/lib.sh"
gcc -O1 -g -I"$SOURCE/include" -o tasks "$SOURCE/tests/cli/programs/tasks.c" || exit 99
profile() { # profile ENGINE RECORD-OPTIONS: the call tree of the tasks, names, calls and instructions without the start-up code's
    e=$1
    shift
    "$CORECAST" record --engine "$e" "$@" -o p.cast -- ./tasks >/dev/null 2>"$WORK/err"
    "$CORECAST" predict p.cast --tasks 2>>"$WORK/err" | sed 's/[└─├│ ]*//' | grep -E '^(main\.|work)' # main itself prints: the C library's way there differs
}

for engine in valgrind qemu; do
    profile $engine >$engine.marks
    profile $engine --tasks calls >$engine.calls
    profile $engine --region whole=work >/dev/null
    "$CORECAST" predict p.cast --tasks | grep -q "whole *4 " # the fifth call is while recording is off
    ok $? "$engine: --region makes a function's calls tasks; none while recording is off"
done
is "$(awk '$1 == "main.loop.step" { print $2 }' valgrind.marks)" 4 "four tasks"
# a step of n iterations has a + b n instructions: four steps have a known sum if b is whole
steps=$(sed -n 's/^main.loop.step  *4 *//p' valgrind.marks | sed 's/  .*//; s/ //g')
is "$((steps % 10000 < 200))" 1 "their instructions are a multiple of the iterations, and a little: $steps"
cmp -s valgrind.marks qemu.marks
ok $? "marks: both engines agree to the instruction"
cmp -s valgrind.calls qemu.calls && grep -q '^work  *4' valgrind.calls
ok $? "calls: both engines agree to the instruction"

echo 'main.loop.step = #pragma omp parallel for schedule(static, 1)' >s.omp
cc predict p.cast --platform "$SOURCE/platforms/cortex-a-quad.ini" --scenario s.omp --cores 1,2 --json
ok "$RC" "predict schedules them"
is "$(json '.clock')" instructions "on the counted clock"

cc record --tasks none -o n.cast -- ./tasks
cc predict n.cast --tasks
fails 3 "no task trace" "--tasks none leaves no trace"
cc record --region x=wrok -o n.cast -- ./tasks
fails 125 "did you mean 'work'" "--region with a function that does not exist"
cc record --region work -o n.cast -- ./tasks
fails 125 "NAME=FUNCTION" "--region without a name"
done_testing
