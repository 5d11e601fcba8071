#!/bin/sh
# corecast record --engine native: a marked program, run as it is.
. "$(dirname "$0")/lib.sh"
mkdir t
export TMPDIR="$WORK/t"
cat >p.c <<'END'
#include <corecast/mark.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int main(int argc, char **argv)
{
    volatile unsigned x = 0;
    CC_REGION_BEGIN("work");
    for (int i = 0; i < 1000; i++) {
        CC_TASK_BEGIN("step");
        for (int k = 0; k < 200; k++)
            x += (unsigned)k;
        CC_TASK_END("step");
    }
    CC_REGION_END("work");
    if (argc > 1 && strcmp(argv[1], "abort") == 0)
        abort();
    if (argc > 1 && strcmp(argv[1], "leave") == 0)
        _exit(3);
    printf("%s\n", argc > 1 ? argv[1] : "done");
    return argc > 1 ? atoi(argv[1]) : 0;
}
END
gcc -O1 -DCORECAST_NATIVE -I"$SOURCE/include" p.c "$SOURCE/engines/native/native.c" -o p -lpthread 2>err && gcc -O1 -I"$SOURCE/include" p.c -o plain 2>>err
ok $? "marked programs compile"
is "$(./p)" done "without CORECAST_NATIVE_TRACE it runs as ever"
cc record --engine native -o a.cast -- ./p; is "$RC $(cat out)" "0 done" "records; the program's output passes through"
[ -s a.cast ]; ok $? "leaves a profile"
cc record --engine native -o b.cast -- ./p 7; is $RC 7 "the program's status comes back"
cc record --engine native -o c.cast -- ./p abort; is $RC 134 "128 + signal of one that dies"
[ -s c.cast ]; ok $? "which leaves a profile too"
grep -q "incomplete" err; ok $? "said to be incomplete"
cc record --engine native -o d.cast -- ./p leave; is $RC 3 "so does one that leaves by _exit"
cc record --engine native --repeat 3 -o e.cast -- ./p; is "$RC $(wc -l <out)" "0 1" "repeats print once"
cc record --engine native -o f.cast -- ./plain; fails 125 "left no native trace" "a program without the library"
grep -q "CORECAST_NATIVE" err; ok $? "with a hint"
[ ! -e f.cast ]; ok $? "and no profile"
cc record --engine native --corun 0 -o g.cast -- ./p; fails 125 "corun" "a co-run of 0"
cc record --engine native --corun 1024 -o g.cast -- ./p; fails 125 "needs as many CPUs" "a co-run of more than there are CPUs"
cc record --repeat 2 -o g.cast -- ./p; fails 125 "goes with --engine native" "--repeat needs the native engine"
if [ "$(nproc)" -ge 2 ]; then cc record --engine native --corun 2 -o h.cast -- ./p; is $RC 0 "co-run of two"; else skip "co-run" "one CPU"; fi
CORECAST_NATIVE_TRACE=$WORK/left ./p >out; cc record --import left -o i.cast; is "$RC $([ -s i.cast ] && echo yes)" "0 yes" "a trace left elsewhere is imported"
CORECAST_NATIVE_TRACE=$WORK/left ./p >out; is "$(cat out)" done "an existing trace is not written over, the program runs"
cc record --import /dev/null -o j.cast; fails 125 "not a usable native trace" "what is no trace is refused"
cc record --import nowhere -o j.cast; fails 125 "cannot open" "so is an absent one"
cc record --import left -o j.cast -- ./p; fails 125 "runs no program" "and one with a program"
if command -v arm-linux-gnueabihf-gcc >/dev/null && command -v qemu-arm >/dev/null; then
    arm-linux-gnueabihf-gcc -O1 -static -DCORECAST_NATIVE -I"$SOURCE/include" p.c "$SOURCE/engines/native/native.c" -o parm -lpthread 2>err &&
        CORECAST_NATIVE_TRACE=$WORK/arm qemu-arm ./parm >out && cc record --import arm -o k.cast && [ "$RC" = 0 ]
    ok $? "a 32-bit machine's trace too"
else skip "a 32-bit machine's trace too" "no compiler or emulator"; fi
is "$(ls "$TMPDIR" | wc -l)" 0 "nothing is left behind in the temporary folder"
done_testing
