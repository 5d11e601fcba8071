#!/bin/bash
# faults: the n-th malloc, write, read, open, fsync, rename or fork of every command fails; commands are killed and interrupted at random moments.
# Nothing may crash, hang, leave half a file under the output's name, lose the file that was there, or leave temporary files (but after SIGKILL).
# usage: run.sh CORECAST SOURCE [failures of each kind and command (default 12)] [kills and signals (default 300 each)]
set -u
corecast=$1 source=$2 most=${3:-12} trials=${4:-300}
work=$(mktemp -d)
trap '[ "$BASHPID" = $$ ] && cd / && rm -rf "$work"' EXIT # not in a process that is forked and killed
cd "$work" || exit 99
gcc -O1 -shared -fPIC -o fail.so "$source/tests/faults/fail.c" -ldl || exit 99
printf 'int main(int c, char **v) { volatile int n = 0; for (int i = 0; i < (c > 1 ? 3000000 : 2000); i++) n += i; return 5; }\n' >p.c
gcc -O0 -g -o p p.c
"$corecast" record -o in.cast ./p 2>/dev/null
printf 'cycle,cpu,pc,address,latency,function\n' >e.csv
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "%d,%d,%d,%d,%d,f%d\n", i * 10, i % 4, 16 * (i % 50), 64 * (i % 70), i % 90, i % 7 }' >>e.csv
"$corecast" trace import e.csv -o in.trace 2>/dev/null
"$corecast" trace filter --cpu 0,1 in.trace -o less.trace 2>/dev/null
printf 'loop,0,200000000\n' >t.csv
for i in 0 1 2 3; do echo "it,$((i * 50000000)),$(((i + 1) * 50000000))"; done >>t.csv
printf '[platform]\nname = t\nsource = x\ncores = 4\nclock_mhz = 1000\n[openmp]\nunit = ns\n[openmp.parallel]\npar_open = 0\n' >p.ini
echo 'it = #pragma omp parallel for schedule(static)' >s.omp
awk 'BEGIN { for (i = 0; i < 300; i++) print i % 7, 10 + i % 5, 20 + i % 3 }' >sets
printf '#include <stdlib.h>\nint v[4096];\nint main(int c, char **a)\n{\n    int n = c > 1 ? atoi(a[1]) : 64;\n    for (int i = 0; i < n; i++)\n        v[i] = i * 3;\n    return v[9] - 27;\n}\n' >l.c
gcc -O1 -g -o l l.c
"$corecast" record --loops dependences --tasks loops -o loops.cast ./l 3000 2>/dev/null
"$corecast" record -q --vary n=100,200,400,800 -o set ./l '{n}' >/dev/null 2>&1
printf 'kernel,loops,lut\n' >c.csv
awk 'BEGIN { for (i = 0; i < 12; i++) print "k" i "," i % 4 "," 100 + i * 35 }' >>c.csv
printf 'corecast-bench 1 one\ntext openmp unit ns\nvalue platform clock_mhz 2000 1 9 stable\nvalue openmp.parallel par_open 150.5 2 11 stable\nend\n' >facts
printf '#include <corecast/mark.h>\nint main(int c, char **v) { (void)v; volatile int n = 0; for (int k = 0; k < 4; k++) { CC_TASK_BEGIN("t"); for (int i = 0; i < (c > 1 ? 30000000 : 2000); i++) n += i; CC_TASK_END("t"); } return 5; }\n' >n.c
gcc -O0 -DCORECAST_NATIVE -I"$source/include" -o n n.c "$source/engines/native/native.c" -lpthread
# a recording whose tool was killed, for salvage
"$corecast" record --engine qemu -o k.cast ./p long 2>/dev/null &
for ((i = 0; i < 500; i++)); do [ -s k.cast.??????/rec.0 ] 2>/dev/null && break; sleep 0.02; done
kill -KILL $!; wait $! 2>/dev/null
mv k.cast.?????? lost.whole
# OUT stands for the output
commands=(
    'record -o OUT ./p' 'record --engine qemu -o OUT ./p' 'report in.cast -o OUT' 'report in.cast --view functions --json -o OUT' 'report in.cast --view comm --svg OUT'
    'export in.cast --to csv -o OUT' 'export in.cast --to callgrind -o OUT' 'trace import e.csv -o OUT' 'trace filter in.trace -o OUT' 'trace export in.trace -o OUT'
    'trace info in.trace --check -o OUT' 'platform show ./p.ini -o OUT' 'predict t.csv --platform ./p.ini --scenario s.omp --cores 1,2 -o OUT' 'map in.cast --parts 2 -o OUT'
    'mine itemsets --support 20 sets -o OUT' 'mine contention in.trace -o OUT' 'area metrics p.c --csv -o OUT' 'completion bash -o OUT'
    'area partition p.c --profile in.cast -o OUT' 'area calibrate c.csv --target lut -o OUT' 'area model show vitis-hls-u280 -o OUT' 'report in.cast --html OUT'
    'compare in.cast in.cast -o OUT' 'compare in.cast in.cast --fail-if new~function --sarif OUT' 'compare in.cast in.cast --fail-if new~function --junit OUT' 'compare --model set -o OUT'
    'explore loops.cast -p cortex-a53-quad -o OUT' 'explore loops.cast -p cortex-a53-quad --patch OUT' 'platform list -o OUT' 'platform new -o OUT' 'units in.cast -p manycore -o OUT'
    'tile -p manycore --image 64x64 --kernel 3x3 --time 20 -o OUT' 'simulate -p mips-smp --json -o OUT -- ./p' 'simulate -p mips-smp --trace OUT -- ./p'
    'export loops.cast --to callgrind --loops -o OUT' 'export loops.cast --to speedscope --loops -o OUT' 'report loops.cast --view loops --json -o OUT' 'compare in.cast loops.cast --html OUT'
    'explore loops.cast -p cortex-a53-quad --set cores=1..3 --json -o OUT' 'explore loops.cast -p cortex-a53-quad --scenario OUT' 'simulate -p mips-smp --trace OUT -- ./p -- ./p'
    'mine contention --item path in.trace -o OUT' 'mine scaling in.trace less.trace -o OUT' 'predict t.csv --platform ./p.ini --scenario s.omp --cores 2 --chrome OUT'
    'record --engine native -o OUT ./n' 'validate t.csv -p ./p.ini --scenario s.omp --cores 1 --run sleep~0.02 --repeat 1 -o OUT' 'characterize --import facts -o OUT' 'salvage lost -o OUT')
argv() { words=(${1//OUT/$2}); words=("${words[@]//\~/ }"); } # of a command: blanks part words, ~ stands for one
renew() { case $command in salvage*) rm -rf lost; cp -r lost.whole lost ;; esac; }
tried=0 crashed=0 hung=0 wrong=0 lost=0
bad() { echo "$1: $2: ${command//OUT/$out}"; }
check() { # check STATUS WHAT: of a command that was to write $out, in which was 'old'
    if [ "$1" = 124 ]; then hung=$((hung + 1)); bad hung "$2"; fi
    if [ "$1" -ge 128 ] && [ "$1" -lt 200 ] && [ "${3:-}" != signal ]; then crashed=$((crashed + 1)); bad "status $1" "$2"; fi
    if [ ! -e "$out" ]; then lost=$((lost + 1)); bad lost "$2"
    elif ! cmp -s "$out" old && ! whole; then wrong=$((wrong + 1)); bad "half a file" "$2"; fi
}
whole() { # the output is what an undisturbed run writes, or a profile or trace that is accepted
    cmp -s "$out" "$reference" && return 0
    case $command in
    record* | salvage*) "$corecast" report "$out" >/dev/null 2>&1 ;;
    trace\ import* | trace\ filter*) "$corecast" trace info "$out" --check >/dev/null 2>&1 ;;
    simulate*--trace*) "$corecast" trace info "$out" --check >/dev/null 2>&1 ;; # of a program that was told to end
    simulate*--json*) jq -e .cycles "$out" >/dev/null 2>&1 ;;         # the preload is simulated too
    explore*-o*) grep -q 'judged by the binary alone' "$out" ;;     # the source could not be read, and it says so
    report*--view\ loops* | compare*--html*) grep -q 'in this binary' "$out" ;; # likewise
    validate*) [ "$(wc -l <"$out")" = "$(wc -l <"$reference")" ] ;; # times differ
    *) return 1 ;;
    esac
}
left() { for f in "$out".* ; do [ -e "$f" ] && { case $f in "$out".??????) [ -d "$f" ] && [ -e "$f/run" ] && rm -rf "$f" && continue ;; esac; echo "$f"; rm -rf "$f"; }; done; }
number=0
for command in "${commands[@]}"; do
    number=$((number + 1))
    out=out$number reference=ref$number
    echo old >old
    renew; argv "$command" $reference; timeout 60 "$corecast" "${words[@]}" >/dev/null 2>err
    status=$? # 5: of the program
    case $status in 0 | 5) [ -s $reference ] ;; *) false ;; esac || { wrong=$((wrong + 1)); bad "undisturbed, status $status: $(head -1 err)" nothing; }
    for what in malloc write read open fsync rename fork; do
        at=1 step=1
        for ((i = 0; i < most; i++)); do
            cp old "$out"; renew; argv "$command" $out
            LD_PRELOAD=$work/fail.so CC_FAULT=$what CC_FAULT_AT=$at timeout 60 "$corecast" "${words[@]}" >/dev/null 2>err
            status=$?
            tried=$((tried + 1))
            check $status "$what $at"
            if [ "$status" = 0 ] && cmp -s "$out" old; then wrong=$((wrong + 1)); bad "status 0 and no output" "$what $at"; fi
            l=$(left); [ -z "$l" ] || { wrong=$((wrong + 1)); bad "left behind $l" "$what $at"; }
            at=$((at + step)) step=$((step + step / 2 + 1))
        done
    done
done
echo "failures of system calls: tried $tried, crashed $crashed, hung $hung, wrong $wrong, lost $lost"
total=$((crashed + hung + wrong + lost))
now() { date +%s%3N; }
took=() # milliseconds of each command when nothing disturbs it: the moments lie within
for ((i = 0; i < ${#commands[@]} && trials > 0; i++)); do
    command=${commands[$i]}
    case $command in record*) command="$command long" ;; esac
    renew; argv "$command" again; begun=$(now); timeout 60 "$corecast" "${words[@]}" >/dev/null 2>&1; took[$i]=$(($(now) - begun + 1))
    rm -rf again again.*
done
for how in kill signal; do
    tried=0 crashed=0 hung=0 wrong=0 lost=0 kept=0 hit=0
    for ((i = 0; i < trials; i++)); do
        which=$((RANDOM % ${#commands[@]}))
        command=${commands[$which]}
        case $command in record*) command="$command long" ;; esac
        out=k reference=none
        cp old $out
        signals=(TERM INT HUP)
        signal=KILL; [ $how = signal ] && signal=${signals[$((RANDOM % 3))]}
        renew; argv "$command" $out
        env --default-signal=INT,TERM,HUP "$corecast" "${words[@]}" >/dev/null 2>err &
        tool=$!
        moment=$((RANDOM * took[which] / 32768))
        sleep "$((moment / 1000)).$(printf '%03d' $((moment % 1000)))"
        kill -$signal $tool 2>/dev/null
        for ((w = 0; w < 3000; w++)); do kill -0 $tool 2>/dev/null || break; sleep 0.02; done
        late=; kill -KILL $tool 2>/dev/null && late=yes
        wait $tool 2>/dev/null; status=$?
        [ "$status" -gt 128 ] && hit=$((hit + 1))
        [ -z "$late" ] || { hung=$((hung + 1)); bad hung "$signal"; }
        tried=$((tried + 1))
        reference=again; renew; argv "$command" again; timeout 60 "$corecast" "${words[@]}" >/dev/null 2>&1 # what it writes undisturbed
        check $status "$signal" signal
        if [ $how = kill ]; then
            for folder in $out.??????; do [ -d "$folder" ] && "$corecast" salvage "$folder" -o s.cast >/dev/null 2>&1 && kept=$((kept + 1)); done
        else
            l=$(left); [ -z "$l" ] || { wrong=$((wrong + 1)); bad "left behind $l" "$signal"; }
        fi
        sleep 0.05
        pgrep -P 1 -f "$work" >/dev/null && { sleep 1; pgrep -P 1 -f "$work" >/dev/null && { wrong=$((wrong + 1)); bad "a process is left" "$signal"; pgrep -P 1 -f "$work" | xargs -r kill -KILL; }; }
        rm -rf k k.* again again.* s.cast
    done
    echo "$how at random moments: tried $tried, ended by it $hit, crashed $crashed, hung $hung, wrong $wrong, lost $lost$([ $how = kill ] && echo ", salvaged $kept")"
    total=$((total + crashed + hung + wrong + lost))
done
[ $total = 0 ]
