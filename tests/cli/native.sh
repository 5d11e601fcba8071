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
    if (argc > 1 && strcmp(argv[1], "wait") == 0)
        puts("waits"), fflush(stdout), pause();
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
cp p "waits.$$"
"$CORECAST" record --engine native -o w.cast -- "./waits.$$" wait >out 2>err &
until_true 'grep -q waits out'
kill -TERM $!
wait $!
is "$? $([ -s w.cast ] && grep -c "killed by signal 15" err)" "143 1" "SIGTERM is passed on to the program, and what it did is kept"
pgrep -f "waits.$$ wait" >running; is "$(cat running)" "" "nothing is left running"
cc record --engine native --repeat 3 -o e.cast -- ./p; is "$RC $(wc -l <out)" "0 1" "repeats print once"
cc record --engine native -o f.cast -- ./plain; fails 125 "left no native trace" "a program without the library"
grep -q "CORECAST_NATIVE" err; ok $? "with a hint"
[ ! -e f.cast ]; ok $? "and no profile"
cc record --engine native --corun 0 -o g.cast -- ./p; fails 125 "corun" "a co-run of 0"
cc record --engine native --corun 1024 -o g.cast -- ./p; fails 125 "needs as many CPUs" "a co-run of more than there are CPUs"
cc record --repeat 2 -o g.cast -- ./p; fails 125 "belongs to 'record --engine native'" "--repeat needs the native engine"
cc record --engine native --objects -o g.cast -- ./p; fails 125 "belongs to 'record --engine valgrind.qemu'" "--objects needs another"
cc record --import a.cast --plain -o g.cast; fails 125 "'record --import' has no option '--plain'" "and --plain something to run"
cc record --engine native -o g.cast -- ./plain 7; fails 125 "left no native trace" "no profile is a failure of ours, whatever the program's status"
if [ "$(nproc)" -ge 2 ]; then cc record --engine native --corun 2 -o h.cast -- ./p; is $RC 0 "co-run of two"; else skip "co-run" "one CPU"; fi
cat >q.c <<'END'
/* Its copies must each read the whole file, own what they write, and meet what was set up before the first mark. */
#include <corecast/mark.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
static void *nap(void *p) { pause(); return p; }
int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "";
    FILE *f = fopen("input", "r");
    int fds[2], n = 0, line, pages = 500;
    pthread_t t;
    long *sum = calloc((size_t)pages, 4096);
    for (int i = 0; i < pages; i++)
        sum[i * 512] = i;
    if (strcmp(how, "thread") == 0)
        pthread_create(&t, NULL, nap, NULL);
    if (strcmp(how, "pipe") == 0 && pipe(fds) < 0)
        return 9;
    if (strcmp(how, "shared") == 0)
        mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (strcmp(how, "off") == 0)
        CC_RECORD_OFF();
    for (; fscanf(f, "%d", &line) == 1 && strcmp(how, "plain"); n++) {
        CC_TASK_BEGIN("line");
        for (int i = 0; i < pages; i++)
            sum[i * 512] += line;
        CC_TASK_END("line");
    }
    for (int i = 0; i < pages && strcmp(how, "plain"); i++)
        if (n != 20000 || sum[i * 512] != i + 199990000)
            return 5;
    puts("done");
    return 0;
}
END
seq 0 19999 >input
gcc -O1 -DCORECAST_NATIVE -I"$SOURCE/include" q.c "$SOURCE/engines/native/native.c" -o q -lpthread 2>err; ok $? "a program that reads a file between marks"
if [ "$(nproc)" -ge 2 ]; then
    cc record --engine native --corun 2 --copies forked -o l.cast -- ./q; is "$RC $(cat out) $(grep -c separate err)" "0 done 0" "forked copies each read all of an open file and own what they write"
    cc record --engine native --corun 2 --copies separate -o l.cast -- ./q; is "$RC $(cat out) $(grep -c separate err)" "0 done 0" "separate copies too"
    for how in thread:"several threads" pipe:"a pipe or a socket" shared:"other processes may write" plain:"no mark" off:"no mark"; do
        cc record --engine native --corun 2 -o l.cast -- ./q ${how%%:*}; is "$RC $(grep -c "separate copies: .*${how#*:}" err)" "0 1" "not forked, and said why: ${how#*:}"
    done
    cc record --engine native --corun 2 --copies forked -o m.cast -- ./q thread; fails 125 "cannot be forked for a co-run: it has several threads" "asked for forked copies that cannot be"
else skip "forked copies" "one CPU"; fi
cc record --engine native --copies some -o g.cast -- ./p; fails 125 "copies" "copies of no known kind"
CORECAST_NATIVE_TRACE=$WORK/left ./p >out; cc record --import left -o i.cast; is "$RC $([ -s i.cast ] && echo yes)" "0 yes" "a trace left elsewhere is imported"
CORECAST_NATIVE_TRACE=$WORK/left ./p >out; is "$(cat out)" done "an existing trace is not written over, the program runs"
cc record --import /dev/null -o j.cast; fails 125 "not a regular file" "a device is refused"
: >empty; cc record --import empty -o j.cast; fails 125 "not a usable native trace" "what is no trace is refused"
cc record --import nowhere -o j.cast; fails 125 "cannot open" "so is an absent one"
cc record --import left -o j.cast -- ./p; fails 125 "runs no program" "and one with a program"
if command -v arm-linux-gnueabihf-gcc >/dev/null && command -v qemu-arm >/dev/null; then
    arm-linux-gnueabihf-gcc -O1 -static -DCORECAST_NATIVE -I"$SOURCE/include" p.c "$SOURCE/engines/native/native.c" -o parm -lpthread 2>err &&
        CORECAST_NATIVE_TRACE=$WORK/arm qemu-arm ./parm >out && cc record --import arm -o k.cast && [ "$RC" = 0 ]
    ok $? "a 32-bit machine's trace too"
else skip "a 32-bit machine's trace too" "no compiler or emulator"; fi
is "$(ls "$TMPDIR" | wc -l)" 0 "nothing is left behind in the temporary folder"
done_testing
