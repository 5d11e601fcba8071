#!/bin/sh
# Several programs on one chip, each with its cores.
. "$(dirname "$0")/lib.sh"
gcc -O1 -g -pthread "$SOURCE/tests/data/simulate/cases.c" -o cases || exit 99
cat >stream.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static volatile long table[1 << 15];
int main(int argc, char **argv)
{
    long sum = 0;
    for (int round = 0; round < atoi(argv[1]); round++)
        for (long i = 0; i < 1 << 15; i += 8)
            sum += table[i];
    printf("%s %ld\n", argc > 2 ? argv[2] : "sum", sum);
    return 0;
}
END
gcc -O1 -g stream.c -o stream && cp stream other || exit 99
chip() { cc simulate --platform mips-smp --cores 4 --json "$@"; }

chip -o r.json -- ./cases waits -- ./cases spins
is "$RC $(sort out | tr '\n' ' ')" "0 spins 600 waits 90 " "both run to their ends"
is "$(jq -c '.programs|map([.program,.cores,.exit])' r.json)" '[["./cases",[0,1],0],["./cases",[2,3],0]]' "on equal parts of the cores"
is "$(jq '[.thread_times[]|.running + .waiting + .ready == .ended - .born]|all' r.json)" true "each thread's life adds up"
is "$(jq '([.thread_times[].running]|add) == ([.cores[].cycles]|add)' r.json)" true "what threads ran is what cores were busy"
is "$(jq '.cycles == ([.programs[].cycles]|max)' r.json)" true "the chip is as long busy as the program that ends last"
for i in 1 2 3; do "$CORECAST" simulate -p mips-smp -n 4 --trace t$i -q -- ./cases many -- ./stream 4 -- ./cases timeouts >/dev/null 2>err & done; wait
cmp -s t1 t2 && cmp -s t1 t3; ok $? "three programs repeat, bit for bit"

# neighbours that stream slow each other down, and only while they are there
alone() { "$CORECAST" simulate -p mips-smp -n 4 --bind 0 --json -o a.json -- ./stream "$1" >/dev/null 2>&1; jq .cycles a.json; }
a=$(alone 8)
chip --bind 0 --bind 1 --bind 2 --bind 3 --trace t -o r.json -- ./stream 8 -- ./stream 8 -- ./other 8 -- ./stream 8
is "$(jq --argjson a "$a" '[.programs[].cycles > 1.02 * $a]|all' r.json)" true "four that stream at once take longer ($a, $(jq -c '[.programs[].cycles]' r.json))"
is "$(jq '([.cores[].lost.bank, .cores[].lost.link]|add) / ([.cores[].cycles]|add) > 0.02' r.json)" true "since they queue"
is "$(jq '[.cores[]|.lost.true_sharing + .lost.false_sharing + .lost.transfer]|add' r.json)" 0 "they share no data"
cc mine contention --json t
is "$(json '.findings[0]|"\(.cause) \(.object)"')" "bandwidth table" "the finding says so"
cc trace cat --cpu 2 --kind load t; is "$RC $(grep -c 'main.*stream.c:[0-9]*.*table' out | awk '{print ($1 > 1000)}')" "0 1" "the third program's instructions have names"
chip --bind 1 --bind 0,2 -o r.json -- ./stream 1 -- ./cases waits
is "$(jq -c '.programs|map(.cores)' r.json) $(jq -c '[.cores[].instructions > 0]' r.json)" "[[1],[0,2]] [true,true,true,false]" "--bind says which cores"
chip --bind 3,1 -o r.json -- ./stream 1; is "$(jq -c '[.cores[].instructions > 0]' r.json)" "[false,false,false,true]" "also of one program, in the order of the list"

# ends of all kinds: nobody waits for who is gone
timeout 60 "$CORECAST" simulate -p mips-smp -n 4 --json -o r.json -- ./cases crash -- ./cases waits >out 2>err
is "$? $(grep -v core out) $(jq -c '.programs|map(.exit)' r.json)" "139 waits 90 [139,0]" "the first crashes"
timeout 60 "$CORECAST" simulate -p mips-smp -n 4 --json -o r.json -- ./cases waits -- ./cases exit >out 2>err
is "$? $(sort out | tr '\n' ' ')$(jq -c '.programs|map(.exit)' r.json)" "9 leaving waits 90 [0,9]" "the second fails"
timeout 60 "$CORECAST" simulate -p mips-smp -n 4 --json -o r.json -- ./cases exec -- ./cases spins >out 2>err
is "$? $(tail -1 out) $(jq -r '.programs|map(.reason != null)|join(" ")' r.json)" "0 spins 600 true false" "one replaces itself by another program"
timeout 60 "$CORECAST" simulate -p mips-smp -n 4 --json -o r.json -- ./cases sleep -- ./cases fork >out 2>err
is "$? $(sort out | tr '\n' ' ')" "0 child 7 slept 60 " "one sleeps, one forks"
cp cases "hang.$$"
cp cases "ends.$$"
timeout --preserve-status -s INT 60 "$CORECAST" simulate -p mips-smp -n 4 --json -o r.json -- "./hang.$$" hang -- "./ends.$$" waits >out 2>err &
until grep -q waits out || ! kill -0 $! 2>err2; do sleep 0.2; done
until_true "! pgrep -f '^[^ ]*qemu-[^ ]* .*ends\.$$ waits' >err2"
kill -INT $!
wait $!
is "$? $(grep waits out) $(jq -c '.programs|map(.exit)' r.json)" "130 waits 90 [130,0]" "Ctrl-C ends the one that hangs"
pgrep -f "hang.$$ hang" >/dev/null && ok 1 "nothing is left running" || ok 0 "nothing is left running"
chip -- ./cases waits -- ./missing; is "$RC" 127 "a missing program: 127, and nothing runs"

chip -- ./stream 1 '\--'; grep -qx -- '-- 0' err; ok $? "a program's own -- is written \\--"
chip -- ./stream 1 --; fails 125 "missing beside '--'" "no program behind --"
chip --bind 0 -- ./stream 1 -- ./stream 1; fails 125 "given 1 times for 2 programs" "a list of cores for each program"
chip --bind 0-1 --bind 1-2 -- ./stream 1 -- ./stream 1; fails 125 "core 1 comes twice" "no core is of two programs"
chip --bind 0-4 -- ./stream 1; fails 125 "cores 0 to 3" "no core that is not there"
chip --bind x -- ./stream 1; fails 125 "no list of cores" "a word for cores"
cc simulate -p mips-smp -n 1 -- ./stream 1 -- ./stream 1; fails 125 "2 programs on 1 cores" "more programs than cores"
done_testing
