#!/bin/sh
# Nothing is lost: a tool that is killed, signals while a profile is made, outputs that are inputs, a disk that is full.
. "$(dirname "$0")/lib.sh"
# `step` takes about 2 ms by the clock whatever the engine, so that calls tell how much of the run is there.
gcc -O1 -g -o steps -x c - <<'C' || exit 99
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
static double now(void) { struct timespec t; clock_gettime(CLOCK_MONOTONIC, &t); return t.tv_sec + t.tv_nsec * 1e-9; }
static volatile long sink;
__attribute__((noinline)) void step(double until) { do for (int i = 0; i < 100; i++) sink += i; while (now() < until); }
int main(int argc, char **argv)
{
    double begin = now();
    int n = argc > 1 && atoi(argv[1]) ? atoi(argv[1]) : 10000, forked = argc > 2 && !fork();
    for (int i = 1; i <= n; i++) {
        step(begin + i * 0.002);
        if (argc <= 2) { printf("%d\n", i); fflush(stdout); }
    }
    return forked ? 0 : 7;
}
C
facts() { "$CORECAST" report "${1:-p.cast}" --json 2>"$WORK/err" | jq -c '[.complete,.reason,.exit.code]'; }
calls() { "$CORECAST" report "${1:-p.cast}" --view functions --min-share 0 --json | jq '[.functions[]|select(.name=="step")|.calls]|first'; }
children() { ps -o pid= --ppid "$1"; }
until_ended() { # the program is over, its profile not yet there
    while kill -0 $tool 2>/dev/null; do grep -q '^0' q.cast.??????/status 2>/dev/null && break; done
}
gone() { # gone PID: within ten seconds
    for i in $(seq 100); do grep -q "^State:[[:space:]]*[^ZX]" "/proc/$1/status" 2>/dev/null || return 0; sleep 0.1; done
    sed 's/^/# /' "/proc/$1/status" | head -6
    return 1
}
# Snapshots are written in turn to two files. Past 500 steps: a turn, before which there were at least `floor` steps, and another one, so that the first is whole
next_snapshots() {
    before=$steps
    steps=$(tail -n 1 steps.out 2>/dev/null)
    last=$newest
    newest=$(ls -t p.cast.??????/rec.? | head -n 1)
    [ "${before:-0}" -gt 500 ] && [ "$newest" != "$last" ] || return 1
    turns=$((turns + 1))
    [ $turns -gt 1 ] || floor=$before
    [ $turns -ge 2 ]
}
for engine in valgrind qemu; do
    rm -f p.cast steps.out # of the engine before
    "$CORECAST" record --engine $engine -o p.cast -- ./steps 'with "quotes", and
more' >steps.out 2>/dev/null &
    tool=$!
    steps=0 newest= turns=0 floor=0
    until_true next_snapshots
    engine_pid=$(children $tool)
    cc salvage p.cast.??????; fails 3 "still being recorded" "$engine: a recording that goes on is left alone"
    kill -KILL $tool
    wait $tool 2>/dev/null
    [ -n "$engine_pid" ] && gone $engine_pid; ok $? "$engine: the engine dies with its parent"
    is "$(ls -d p.cast* | wc -l)" 1 "$engine: only a folder is left"
    "$CORECAST" record --engine $engine -o p.cast -- ./steps 1 >/dev/null 2>"$WORK/err"
    RC=$?; fails 7 "corecast salvage p.cast" "$engine: the next recording tells of it"
    cc salvage p.cast.??????; fails 3 "there already" "$engine: an existing profile is not replaced"
    cc salvage p.cast.?????? -o s.cast; is "$RC $(facts s.cast)" '0 [false,"salvaged: corecast was killed while the program ran",null]' "$engine: what was left becomes an incomplete profile"
    done_steps=$(tail -1 steps.out)
    kept=$(calls s.cast)
    [ "$kept" -ge "$floor" ] && [ "$kept" -le $((done_steps + 1)) ]; ok $? "$engine: $kept of $done_steps calls are there, at least $floor"
    is "$("$CORECAST" report s.cast --json | jq -r '.arguments[0]' 2>/dev/null)" 'with "quotes", and
more' "$engine: with the program's arguments"
    is "$(ls -d p.cast.* 2>/dev/null)" "" "$engine: and the folder is gone"
done

# killed while the profile is made: all of the run is there, and how it ended
"$CORECAST" record -o q.cast -- ./steps 150 x >/dev/null 2>&1 &
tool=$!
until_ended
kill -KILL $tool 2>/dev/null
wait $tool 2>/dev/null
if [ -e q.cast ]; then skip "killed while the profile was made" "it was quicker"; else
    cc salvage q.cast.??????/; is "$RC $(facts q.cast) $(calls q.cast)" '0 [true,null,7] 150' "killed while the profile was made: nothing is lost"
fi
rm -rf q.cast*

# signals while the profile is made
lost=0 wrong=0
for i in 1 2 3; do
    for signal in TERM HUP INT; do
        rm -rf q.cast*
        env --default-signal=INT "$CORECAST" record -o q.cast -- ./steps 20 x >/dev/null 2>&1 &
        tool=$!
        until_ended
        kill -$signal $tool 2>/dev/null
        wait $tool
        [ $? -eq 7 ] || wrong=$((wrong + 1))
        [ "$(facts q.cast)" = '[true,null,7]' ] && [ "$(ls -d q.cast*)" = q.cast ] || lost=$((lost + 1))
    done
done
is "$lost $wrong" "0 0" "9 signals while the profile is made: it is finished, the status is the program's"

# folders that are none
mkdir empty; cc salvage empty; fails 3 "not a folder that" "an empty folder"
cc salvage nowhere; fails 3 "cannot open" "an absent folder"
cc salvage steps; fails 3 "not a folder that" "a file"
cc salvage; fails 2 "expected one folder" "no folder"
mkdir odd; printf 'x=1\n' >odd/run; cc salvage odd; fails 3 "run file" "a run file of nobody"
printf 'out=/a\nprogram=/bin/true\nengine=qemu\noutput=/nowhere/x.cast\n' >odd/run; cc salvage odd; fails 3 "cannot open" "no records"
head -c 100000 /dev/urandom >odd/rec.0; cc salvage odd -o odd.cast; fails 3 "not a record file" "records that are noise"
[ -d odd ] && [ ! -e odd.cast ]; ok $? "which stay where they are"
rm odd/run; mkfifo odd/run; cc salvage odd; fails 3 "" "a pipe for a run file"

# an output that is an input
cp steps prog
for engine in valgrind qemu native; do cc record --engine $engine -o prog ./prog 1; fails 125 "also an input" "$engine: record -o PROGRAM"; done
ln prog link; cc record -o link ./prog 1; fails 125 "also an input" "by another name"
mkdir bin; cp steps bin/in-path
RC=0; PATH=$PWD/bin:$PATH "$CORECAST" record -o bin/in-path in-path 2>err || RC=$?; fails 125 "also an input" "a program found in PATH"
cmp -s prog steps; ok $? "the program is as it was"
echo data >was.txt; cp was.txt in.txt
for engine in valgrind qemu native; do cc record --engine $engine -o in.txt ./steps 1 x in.txt; fails 125 "input of the program" "$engine: record -o ARGUMENT"; done
cc record -o ./in.txt ./steps 1 --in=in.txt; fails 125 "input of the program" "a file within an argument"
RC=0; "$CORECAST" record -o in.txt ./steps 1 <in.txt 2>err || RC=$?; fails 125 "input of the program" "the program's standard input"
cp in.txt steps.cast; cc record ./steps 1 steps.cast; fails 125 "input of the program" "where the recording goes when nothing else is said"
cc simulate -o in.txt ./steps 1 in.txt; fails 125 "input of the program" "simulate -o ARGUMENT"
cc simulate --trace in.txt ./steps 1 in.txt; fails 125 "input of the program" "simulate --trace ARGUMENT"
printf 'SQLite format 3\0%084d' 0 >db; cp db db2; cc record -o db ./steps 1 db; fails 125 "input of the program" "a database that is no recording"
cmp -s in.txt was.txt && cmp -s steps.cast was.txt && cmp -s db db2; ok $? "they are as they were"
cc record -o again.cast ./steps 1; cc record -o again.cast ./steps 1 again.cast; is $RC 7 "a recording may be replaced"
cc record -o new.cast ./steps 1 new.cast; is $RC 7 "and a file that is not there yet, made"
rm steps.cast
"$CORECAST" record -o r.cast ./steps 1 >/dev/null
cp r.cast copy
cc report r.cast -o r.cast; fails 2 "also an input" "report a.cast -o a.cast"
mkdir set; for i in 1 2 3 4; do cp r.cast set/$i.cast; done; printf '# corecast set: ./prog {n}\nfile,status,n\n1.cast,ok,1\n2.cast,ok,2\n3.cast,ok,3\n4.cast,ok,4\n' >set/manifest.csv
for f in manifest.csv 2.cast; do cc compare --model set -o ./set/$f; fails 2 "also an input" "compare --model SET -o SET/$f"; done
cc compare --model set -o set/laws.txt; [ $RC -ne 2 ]; ok $? "another file in its folder may be written"
cc report r.cast --view comm --svg r.cast; fails 2 "'--svg'.*also an input" "report --svg a.cast"
cc export r.cast --to csv -o ./r.cast; fails 2 "also an input" "export"
printf 'cycle,cpu,pc,latency\n1,0,16,1\n' >e.csv
cc trace import e.csv -o e.csv; fails 2 "also an input" "trace import a.csv -o a.csv"
cc trace import e.csv -o e.trace; cc trace filter e.trace -o e.trace; fails 2 "also an input" "trace filter"
printf '[platform]\nname = t\ncores = 4\nclock_mhz = 1000\n' >p.ini
cc map r.cast --platform ./p.ini -o p.ini; fails 2 "also an input" "an input that an option names"
cmp -s r.cast copy; ok $? "the profile is as it was"

# a full disk: the status is the program's, the message says why, records that are whole are kept
if mkdir full && mount -t tmpfs -o size=48k tmpfs full 2>/dev/null; then
    cc record -o full/p.cast ./steps 3; fails 7 "could not be recorded: No space left" "a disk too full for records"
    is "$(ls full)" "" "and nothing is left there"
    kept=0 wrong=0
    for size in 150 250 350 500 700 1000; do # snapshots of a busy machine take room too
        rm -rf full/p.cast* later.cast
        mount -o remount,size=${size}k full
        cc record -o full/p.cast ./steps 3
        said="$RC $(cat err)"
        if [ $RC = 7 ] && grep -q 'corecast salvage' err; then
            kept=$((kept + 1))
            cc salvage full/p.cast.?????? -o later.cast
            said="$said; $RC $(facts later.cast) $(calls later.cast)"
            case "$RC $(facts later.cast) $(calls later.cast)" in # a slow machine may have had time for a snapshot before the last
            '0 [true,null,7] 3' | '0 [false,"the last snapshot could not be written'*',7]'*) true ;; *) false ;; esac
        else
            [ $RC = 7 ] && { [ -e full/p.cast ] || grep -q 'No space' err; }
        fi || { wrong=$((wrong + 1)); echo "# ${size}k: $said"; }
    done
    [ $kept -gt 0 ] && [ $wrong = 0 ]; ok $? "one too full for the profile: its records become one elsewhere ($kept of 6 sizes)"
    umount full
else
    skip "a full disk" "no right to mount"
fi

# a limit on the size of files is an error that is told, not an end by SIGXFSZ
echo old >kept.txt
(ulimit -f 1; "$CORECAST" report r.cast --view functions --json -o kept.txt >out 2>err; echo $? >rc); RC=$(cat rc)
fails 3 "File too large" "a limit on files: said"
is "$(cat kept.txt) $(ls kept.txt.* 2>/dev/null)" "old " "the old file stays, and no other"
(ulimit -f 4; "$CORECAST" record -o limit.cast ./steps 3 >out 2>err); grep -q "could not be recorded: File too large" err; ok $? "a recording that is too large for it says so"
is "$(ls -d limit.cast* 2>/dev/null)" "" "and leaves nothing"

# a signal at the very moment when the temporary file is made
printf '#define _GNU_SOURCE\n#include <signal.h>\n#include <stdlib.h>\n#undef mkstemp\nint mkstemp(char *t) { int fd = mkostemp(t, 0); raise(SIGHUP); return fd; }
int mkstemp64(char *t) { return mkstemp(t); }\n' >hup.c
gcc -shared -fPIC -o hup.so hup.c || exit 99
echo old >moment.txt
for command in "report r.cast -o moment.txt" "trace import none.csv -o moment.txt" "map r.cast --parts 2 -o moment.txt"; do
    printf 'cycle,cpu,pc,address,latency\n1,0,16,32,3\n' >none.csv
    env --default-signal=HUP LD_PRELOAD="$WORK/hup.so" "$CORECAST" $command >out 2>err; RC=$?
    is "$RC $(cat moment.txt) $(ls moment.txt.* 2>/dev/null)" "129 old " "a signal while its temporary file is made: ${command%% -o*}"
done
done_testing
