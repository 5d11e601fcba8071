#!/bin/sh
. "$(dirname "$0")/lib.sh"
gcc -O1 -g -pthread "$SOURCE/tests/data/simulate/cases.c" -o cases || exit 99
simulate() { cc simulate --platform mips-smp --cores 4 "$@"; }

# what the program prints and how it ends is its own business
while read -r name status text; do
    "$CORECAST" simulate --platform mips-smp --cores 4 --json -o r.json -- ./cases "$name" >out 2>err
    is "$? $(cat out)" "$status $text" "$name: runs to its end, same output and status"
done <<END
fork 0 child 7
spawn 0 system 5
exec-missing 0 exec errno 1
exec 0 
exit 9 leaving
churn 0 churn 6000 6000
maps 0 maps
spins 0 spins 600
waits 0 waits 90
timeouts 0 timeouts 1 1
sleep 0 slept 60
pipes 0 pipes 1940
answers 0 answers 9700
signals 0 signals 1
close 0 closed 600
crash 139 
detached 0 detached 1600
many 0 many 8000
END
simulate --json -- ./cases exec
is "$(json '[.complete, .reason] | tostring')" '[false,"the program replaced itself by another (exec)"]' "exec ends the simulation, and it says so"
simulate --json -- ./cases crash
is "$(json '[.complete, .exit.signal] | tostring')" '[false,11]' "a crash still leaves figures"

# the same binary and input: the same trace, bit for bit, whatever else the machine does
for name in waits spins churn many timeouts answers signals; do
    for i in 1 2 3; do
        "$CORECAST" simulate --platform mips-smp --cores 4 --trace "t$i" -q -- ./cases $name >/dev/null 2>err &
    done
    wait
    cmp -s t1 t2 && cmp -s t1 t3; ok $? "$name: three runs side by side write the same trace"
done
cat >omp.c <<'END'
#include <stdio.h>
int main(void)
{
    static double a[4096];
    double sum = 0;
    for (int r = 0; r < 5; r++) {
#pragma omp parallel for schedule(dynamic, 64)
        for (int i = 0; i < 4096; i++)
            a[i] += i * 0.5;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < 4096; i++)
            sum += a[i];
    }
    printf("%.1f\n", sum);
}
END
gcc -O1 -g -fopenmp omp.c -o omp || exit 99
for policy in active passive; do
    for i in 1 2; do OMP_WAIT_POLICY=$policy "$CORECAST" simulate --platform cortex-a53-quad --trace t --json -o "j$i" -- ./omp >out$i 2>err; mv t t$i; done
    cmp -s t1 t2 && cmp -s j1 j2; ok $? "OpenMP, $policy waiting: the same trace and figures twice"
    is "$(cat out1)" 62899200.0 "OpenMP, $policy waiting: the right result"
done
is "$(jq '[.cores[] | select(.instructions > 10000)] | length' j1)" 4 "OpenMP uses the simulated cores, not the host's"

# threads do not bind a library's functions while others run, unless that is wanted
cat >bound.c <<'END'
#include <stdio.h>
#include <stdlib.h>
int main(void) { puts(getenv("LD_BIND_NOW") ? getenv("LD_BIND_NOW") : "none"); }
END
gcc -o bound bound.c || exit 99
is "$("$CORECAST" simulate -q -p mips-smp -o j -- ./bound)-$(LD_BIND_NOW= "$CORECAST" simulate -q -p mips-smp -o j -- ./bound)" 1- "functions are bound before main, unless LD_BIND_NOW is set"

# the order of what other cores see: as in the strictest one, and as an independent replay of the caches has it
gcc -O1 -g -pthread "$SOURCE/tests/data/simulate/sharing.c" -o sharing || exit 99
for p in mips-smp cortex-a53-quad mesh4x4; do
    for mode in beside counter mutex private; do
        for bound in 0 100; do "$CORECAST" simulate -p $p -n 4 --bound $bound --trace t --json -o b$bound.json -- ./sharing $mode >out 2>err; done
        # who gets a mutex depends on a few cycles: two rhythms 20 % apart, whatever the order
        [ $mode = mutex ] || is "$(jq -n --slurpfile a b0.json --slurpfile b b100.json '($b[0].cycles / $a[0].cycles - 1) | fabs < 0.02')" true \
            "$p, $mode: within 2 % of the strictest order ($(jq .cycles b0.json), $(jq .cycles b100.json))"
        # what nobody else has a part in is done without the token changing hands
        [ $mode != private ] || is "$(jq '.handovers < 20000' b100.json)" true "$p: private data need few hand-overs ($(jq .handovers b100.json))"
        "$REPLAY" t >replayed
        awk '{exit !($1 > 5000 && $2 <= $1 / 100)}' replayed; ok $? "$p, $mode: hits as a replay of the caches has them ($(cat replayed))"
    done
done
# functions that compilers put atomics into serve locks, counters and flags; a load may have seen what another core wrote later
gcc -O2 -g -pthread "$SOURCE/bench/order/phases.c" -o phases || exit 99
for p in mips-smp:4 mips-smp:8 cortex-a53-quad:4; do # also more threads than cores
    for bound in 0 100; do "$CORECAST" simulate -p ${p%:*} -n 4 --bound $bound --json -o b$bound.json -- ./phases ${p#*:} >out 2>err; done
    is "$(jq -n --slurpfile a b0.json --slurpfile b b100.json '($b[0].cycles / $a[0].cycles - 1) | fabs < 0.005')" true \
        "$p threads that meet, sleep and count: as in the strictest order ($(jq .cycles b0.json), $(jq .cycles b100.json))"
done
# additions whose result nobody looks at need no order, however the compiler makes them
ways=default
case $(gcc -dumpmachine) in aarch64*) ways="moutline-atomics mno-outline-atomics" ;; esac # a function with ldadd; load-linked and store-conditional
for way in $ways; do
    gcc -O1 -g -pthread $([ $way = default ] || echo -$way) "$SOURCE/examples/threaded/radix.c" -o radix || exit 99
    for bound in 0 100; do "$CORECAST" simulate -p mesh4x4 -n 4 --bound $bound --trace t --json -o b$bound.json -- ./radix 4 2048 >out 2>err; done
    is "$(jq -n --slurpfile a b0.json --slurpfile b b100.json '(($b[0].cycles / $a[0].cycles - 1) | fabs < 0.01) and $b[0].handovers * 5 < $a[0].handovers')" true \
        "sums ($way) need few hand-overs ($(jq .handovers b0.json), $(jq .handovers b100.json)) and take the time of the strictest order ($(jq .cycles b0.json), $(jq .cycles b100.json))"
    "$REPLAY" t >replayed
    awk '{exit !($1 > 5000 && $2 <= $1 / 100)}' replayed; ok $? "sums ($way): hits as a replay of the caches has them ($(cat replayed))"
done
# an atomic is one access also while there is one thread, where QEMU does it as a load and a store
cat >once.c <<'EOF'
#include <stdlib.h>
static int v[64];
int main(int argc, char **argv)
{
    for (int i = 0, n = atoi(argv[argc - 1]); i < n; i++) {
        int old = i;
        __atomic_fetch_add(&v[0], 1, __ATOMIC_SEQ_CST);
        __atomic_exchange_n(&v[16], i, __ATOMIC_SEQ_CST);
        __atomic_compare_exchange_n(&v[32], &old, i + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
    }
    return v[0] == v[32] ? 0 : 1;
}
EOF
for way in $ways; do
    gcc -O1 $([ $way = default ] || echo -$way) once.c -o once || exit 99
    for n in 1000 2000; do simulate -p mips-smp --json -- ./once $n; json '[.cores[].dcache.atomics] | add' >once.$n; done
    is "$RC $(($(cat once.2000) - $(cat once.1000)))" "0 3000" "atomics of one thread count once ($way)"
done
gcc -O2 -g -pthread "$SOURCE/examples/threaded/lu.c" -o lu || exit 99
# who only looks at a word need not run, also where others wait for its core
timeout 60 "$CORECAST" simulate -p cortex-a53-quad -n 4 --json -o r.json -- ./lu 8 24 >out 2>err
is "$? $(jq '.cycles > 10000000' r.json)" "0 true" "eight threads that spin on four cores come to an end ($(jq .cycles r.json) cycles)"
"$CORECAST" simulate -p cortex-a53-quad -n 4 --look-ahead 1000 --trace t --json -o r.json -- ./sharing beside >out 2>err
"$REPLAY" t >replayed
awk '{exit !($2 > $1 / 100)}' replayed; ok $? "look-ahead disagrees, so the replay can tell ($(cat replayed))"
is "$(jq -c '[.ordered, .look_ahead, .bound]' r.json)" '[false,1000,null]' "and the result says how it was run"
simulate --bound 10 --look-ahead 10 -- ./cases waits
fails 125 "'--bound' and '--look-ahead'" "one or the other"

# conservation: a thread's life, the cores' busy time, and nothing lost to others where there are none
for name in waits churn many timeouts; do
    simulate --json -- ./cases $name
    is "$(json '[.thread_times[] | .running + .waiting + .ready == .ended - .born] | all')" true "$name: running, waiting and ready are each thread's life"
    is "$(json '([.thread_times[].running] | add) == ([.cores[].cycles] | add)')" true "$name: what threads ran is what cores were busy"
    is "$(json '[.cores[] | ([.lost[]] | add) <= .fetch_stall + .load_stall + .store_stall] | all')" true "$name: no core loses more than it stalls"
done
simulate --cores 1 --json -- ./cases many
is "$(json '[.cores[].lost[]] | add')" 0 "one core loses nothing to others"

# figures
simulate --json -- ./cases waits
is "$RC $(json .schema) $(json '.cores | length')" "0 corecast.simulate 4" "JSON on standard output, the program's own on standard error"
grep -q 'waits 90' err; ok $? "the program's output is still there"
is "$(json '. as $d | [.cores[] | .cycles + .idle == $d.cycles] | all')" true "busy and idle add up to the run on every core"
is "$(json '[.memory.banks[].reads] | add == 0')" false "banks were read"
is "$(json '[.cores[].dcache.load_misses] | add > 0')" true "there are misses"
is "$(json '([.cores[] | .dcache.load_misses + .icache.misses] | add) == ([.memory.banks[].reads] | add)')" true "every miss is one read of a bank"
is "$(json '([.latency.load.histogram[].count] | add) == .latency.load.count')" true "the histogram counts every load"
simulate -- ./cases waits
grep -q 'cycles on 4 cores' out; ok $? "text report after the program's output"
simulate --cores 1 --json -- ./cases waits; one=$(json .cycles)
"$CORECAST" simulate --platform mips-smp --set cache.l1d.size=32k --set cache.l1i.size=32k --cores 1 --json -- ./cases waits >out 2>err
[ "$(json .cycles)" -lt "$one" ]; ok $? "--set: larger caches make it faster"
for p in mesh4x4 cortex-a53-quad manycore; do
    cc simulate --platform $p --json -- ./cases waits
    is "$RC $(json '.cores[0].instructions > 1000')" "0 true" "platform $p"
done

# names for data on the heap: marked objects, mappings, the rest
objects() { awk -v name="$1" '{n = $1; $1 = ""; sub(/^ /, "")} $0 == name {print n}' accesses; }
for static in "" -static; do
    gcc $static -O1 -g -pthread -I"$SOURCE/include" "$SOURCE/tests/data/simulate/objects.c" -o objects || exit 99
    simulate --platform mips-smp --cores 4 --trace o.trace -- ./objects again
    is "$RC $(grep -c '^16000 1$' out)" "0 1" "objects${static:+, static}: runs"
    "$CORECAST" trace export o.trace 2>/dev/null | sed 's/.*,//' | sort | uniq -c >accesses
    [ "$(objects work_queue)" -ge 8000 ] && [ "$(objects second_queue)" -ge 8000 ]
    ok $? "a marked object is known by its name, another at the same place later by its own ($(objects work_queue), $(objects second_queue) accesses)"
    [ "$(objects "malloc in main (objects.c:$(grep -n 'malloc(LARGE)' "$SOURCE/tests/data/simulate/objects.c" | cut -d: -f1))")" -gt 9000 ]
    ok $? "a block without a mark is known by who asked for it"
done
simulate --platform mips-smp --cores 4 --trace o.trace -- ./objects
cc mine contention --support 20 --json o.trace
is "$(jq -r '.patterns[0].items[0] | .object, .kind' out | tr '\n' ' ')" "work_queue atomic " "the miner names the marked object"

# blocks of the heap are known by who asked for them, in whatever way, also in foreign programs
for gcc in gcc x86_64-linux-gnu-gcc riscv64-linux-gnu-gcc arm-linux-gnueabihf-gcc; do
    [ $gcc = gcc ] || ! same_machine $gcc || continue
    $gcc -O1 -g -pthread "$SOURCE/tests/data/simulate/blocks.c" -o blocks 2>/dev/null || { skip "blocks by $gcc" "cannot build that"; continue; }
    cc simulate --platform cortex-a53-quad --trace o.trace --json -- ./blocks
    [ $RC = 0 ] || { skip "blocks by $gcc" "cannot run that"; continue; }
    is "$("$CORECAST" trace export o.trace 2>/dev/null | sed -n 's/.*,\([a-z_]* in main (blocks.c:[0-9]*)\)$/\1/p' | sort | uniq -c | awk '$1 > 100 {print $2}' | tr '\n' ' ')" \
        "calloc malloc malloc memalign memalign posix_memalign realloc reallocarray valloc " "blocks by $gcc: each way to ask"
done

# MIPS of both byte orders, without a C library of it
for machine in mipsel mips; do
    if command -v ld.lld >/dev/null && clang --target=$machine-linux-gnu -mips32r2 -ffreestanding -nostdlib -static -fuse-ld=lld -fno-pic -mno-abicalls -G0 -O1 -g \
        "$SOURCE/tests/data/simulate/bare.c" -o bare 2>/dev/null; then
        cc simulate --platform mips-smp --mine --json -o bare.1 -- ./bare
        is "$RC $(cat out)" "0 right" "$machine: threads, futexes, load-linked and store-conditional"
        for i in 2 3 4 5; do "$CORECAST" simulate --platform mips-smp --mine --json -o bare.$i -- ./bare >/dev/null 2>err & done
        wait
        is "$(jq -r '.findings[] | "\(.cause) \(.object) \(.function)"' bare.1 | tr '\n' ' ') $(jq -r .isa bare.1)" "true sharing total work false sharing side work  $machine" "$machine: what they share"
        for i in 2 3 4 5; do cmp -s bare.1 bare.$i; ok $? "$machine: four more runs side by side have the same figures ($i)"; done
        is "$(jq .cycles bare.1)" "${cycles:-$(jq .cycles bare.1)}" "$machine: takes as long as the other" # the same instructions
        cycles=$(jq .cycles bare.1)
    else
        skip $machine "cannot build that"
    fi
done

# C++ names as people write them, and found by these
if command -v g++ >/dev/null; then
    inline= # atomics in place, not in a helper that then shows up instead of the function that uses them
    case $(g++ -dumpmachine) in aarch64*) inline=-mno-outline-atomics ;; esac
    g++ -O1 -g $inline -pthread "$SOURCE/tests/data/simulate/names.cc" -o names || exit 99
    simulate --events all --trace n.trace -- ./names
    stores() { cc trace cat --kind store --function "$1" n.trace; echo "$RC $(tail -n +2 out | wc -l)"; }
    is "$(stores 'work::add(int)')" "0 4000" "a function is found by its name with parameters"
    is "$(stores 'work::add(double)')" "0 500" "and another of that name by its own"
    is "$(stores _ZN4work3addEi)" "0 4000" "and by the linker's name"
    cc trace cat --function work::take n.trace
    is "$RC" 0 "without parameters, if there is but one"
    cc trace cat --function work::add n.trace
    fails 3 "2 functions are called 'work::add'" "which may mean several"
    grep -q "'work::add(.*)'" err
    ok $? "the hint names one in full"
    is "$("$CORECAST" trace export n.trace 2>/dev/null | grep -cE ',store,.*,work::add\((int|double)\),.*,work::slots$')" 4500 "the trace shows functions and variables by these names"
    cc mine contention --json n.trace
    is "$(json '[.. | objects | select(.function == "work::take(int)" and .object == "work::turns")] | length > 0') $(grep -c _Z out)" "true 0" "and so does the miner"
else
    skip "C++ names" "no g++"
fi

# foreign programs
for t in arm-linux-gnueabihf:arm riscv64-linux-gnu:riscv64 x86_64-linux-gnu:x86_64 aarch64-linux-gnu:aarch64; do
    gcc=${t%:*}-gcc
    command -v "$gcc" >/dev/null || { skip "${t#*:}" "no $gcc"; continue; }
    ! same_machine "$gcc" || continue
    for static in "" -static; do
        "$gcc" $static -O1 -g -pthread "$SOURCE/tests/data/simulate/cases.c" -o foreign || continue
        simulate --json -- ./foreign waits
        is "$RC $(json .isa) $(grep -c 'waits 90' err)" "0 ${t#*:} 1" "${t#*:}${static:+, static}"
    done
    simulate --trace foreign.trace --json -- ./foreign waits # static: at the addresses of the file
    start=$(nm foreign | awk '$3 == "main" {print $1}')
    [ "${t#*:}" != arm ] || start=$(printf %x $((0x$start & ~1))) # Thumb: an nm that does not know the processor shows the bit for it
    start=0x$start
    "$CORECAST" trace cat --pc "$start..$start" foreign.trace >names 2>&1
    is "$(grep -c ' main ' names | sed 's/^[1-9].*/named/')" named "${t#*:}: a function is named from its first instruction on"
    simulate --json -- ./foreign exclusive
    is "$RC $(grep -c exclusive err)" "0 1" "${t#*:}: atomics QEMU stops everything for"
done

# firmware without an operating system
for t in gcc:$(uname -m) arm-linux-gnueabihf-gcc:arm riscv64-linux-gnu-gcc:riscv64 aarch64-linux-gnu-gcc:aarch64; do
    gcc=${t%:*} isa=${t#*:}
    [ "$isa" = x86_64 ] && continue
    command -v "$gcc" >/dev/null && command -v "qemu-system-$isa" >/dev/null || { skip "firmware for $isa" "no $gcc or qemu-system-$isa"; continue; }
    cp "$SOURCE"/examples/firmware/firmware.c "$SOURCE"/examples/firmware/link.ld "$SOURCE"/examples/firmware/Makefile . && make -s CC="$gcc" || exit 99
    for i in 1 2; do simulate --trace "t$i" --json --firmware firmware-"$isa" --machine virt; done
    is "$RC $(grep -c 'sum 800' err) $(json '[.cores[] | select(.dcache.atomics >= 200)] | length')" "0 1 4" "firmware for $isa: four cores take the lock 200 times each"
    cmp -s t1 t2; ok $? "firmware for $isa: twice the same trace"
done
simulate --machine virt -- ./cases waits; fails 125 "go with" "--machine is for firmware"
simulate --csv -- ./cases waits; is "$RC $(sed -n 1p out | cut -d, -f1-3) $(sed 1d out | cut -d, -f1 | tr '\n' ' ')" "0 id,instructions,cycles 0 1 2 3 " "cores as CSV, without the program's own output"
simulate --firmware ./cases-missing; is $RC 127 "missing firmware"

# Ctrl-C, and being killed
# signalled SIGNAL WHEN CASE ARGS: once WHEN holds, the tool gets the signal
signalled() {
    signal=$1 when=$2 case=$3
    shift 3
    cp cases "$case.$$"
    env --default-signal=INT "$CORECAST" simulate --platform mips-smp --cores 4 --trace t "$@" -- "./$case.$$" $case >out 2>err &
    until_true "$when"
    kill -$signal $!
    wait $!
}
seen='[ $(cat t.?????? | wc -c) -gt 60000 ]' # a part of the trace is on disk
signalled INT 'grep -q hanging out' hang --json -o r.json
is "$? $(jq -r .exit.signal r.json)" "130 2" "Ctrl-C ends the program, the report is written"
[ -s t ]; ok $? "and so is the trace"
signalled INT "$seen" busy --json -o r.json
is "$? $(jq -r '.exit.signal, ([.cores[].instructions] | add > 10000)' r.json | tr '\n' ' ')" "130 2 true " "Ctrl-C in the middle of code: the figures so far"
echo old >t
signalled KILL "$seen" busy
is $? 137 "killed outright"
cc trace info --json t.??????; is "$RC $(json '.events > 0')" "0 true" "the trace of a killed run can be read"
is "$(cat t)" old "and what was there before it is still there"
rm t.??????
signalled TERM "$seen" busy
cc trace info --json --check t; is "$RC $(json '.events > 0') $(ls t.?????? 2>/dev/null)" "0 true " "one that was told to end leaves a whole trace of what it saw"
until_true "! pgrep -f 'busy.$$ busy' >/dev/null"; ok $? "nothing is left running"

# programs that cannot be run
simulate -- ./missing; is "$RC" 127 "a missing program: 127"
simulate -- missing-program-in-path; is "$RC" 127 "not in PATH: 127"
echo 'int main' >text; simulate -- ./text; is "$RC" 126 "not a program: 126"
simulate -- ./; is "$RC" 126 "a folder: 126"
cp cases setuid; chmod 4755 setuid; simulate -- ./setuid; fails 126 "setuid" "set-user-id programs are refused"
cp cases plain; chmod 644 plain; simulate -- ./plain; is "$RC" 126 "not executable: 126"
head -c 30 cases >cut; chmod +x cut; simulate -- ./cut; [ $RC != 0 ]; ok $? "a cut program does not run"
cc simulate -- ./cases waits; fails 125 "no platform" "no platform"
cc simulate --platform nowhere -- ./cases waits; fails 125 "cannot open" "absent platform"
printf '[platform]\nname = n\nsource = test\n' >nocore.ini
cc simulate --platform nocore.ini -- ./cases waits; fails 125 "no \[core\] section" "a platform that is no machine to simulate"
simulate; fails 125 "no program" "no program"
simulate --trace /nonexistent/t -- ./cases waits; fails 125 "/nonexistent/t" "a trace that cannot be written"
echo old >t; simulate --trace t -- ./missing; is "$RC $(cat t)" "127 old" "a program that cannot be run leaves the old trace"
cc simulate --platform mips-smp --set interconnect.kind=mesh --set interconnect.size=1x2 --cores 4 -- ./cases waits
fails 125 "fewer nodes than cores" "an impossible machine"
simulate --look-ahead x -- ./cases waits; fails 125 "look-ahead" "look-ahead is a number"
done_testing
