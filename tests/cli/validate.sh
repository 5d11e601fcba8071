#!/bin/sh
# corecast validate, with commands that take or tell a known time.
. "$(dirname "$0")/lib.sh"
# Four tasks of 50 ms in a loop, nothing else: 0.2 s serial, 0.1 s on two processors.
printf 'loop,0,200000000\n' >t.csv
for i in 0 1 2 3; do echo "it,$((i * 50000000)),$(((i + 1) * 50000000))"; done >>t.csv
echo 'it = #pragma omp parallel for schedule(static)' >s.omp
printf '[platform]\nname = t\ncores = 4\nclock_mhz = 1000\n[openmp]\nunit = ns\n[openmp.parallel]\npar_open = 0\n' >p.ini
v() { cc validate t.csv --platform p.ini --scenario s.omp --repeat 1 "$@"; }
# Programs that tell their time themselves, so that no load changes it
v --repeat 3 --cores 1,2 --serial 'echo kernel 200000000' --run 'echo kernel $((200000000 / {n}))' --timer kernel --json
is "$RC $(json .schema)" "0 corecast.validate" "runs and compares"
is "$(json '.points|length')" 2 "two points"
is "$(json '[.points[].processors]|join(",")')" "1,2" "one and two processors"
is "$(json '.points[1].predicted')" 2 "predicted speed-up of two is 2"
is "$(json '.points[1].measured')" 2 "measured the same"
is "$(json '[.max_abs_error, .mean_abs_error]|tostring')" "[0,0]" "no errors, summed up"
v --cores 2 --serial 'sleep 0.1' --run 'sleep 0.2' --json
is "$(json '.points[0].measured_time > 0.1')" true "the clock times a command that tells no time"
v --cores 2 --serial 'echo kernel 100' --run 'echo kernel 100' --timer kernel --json
is "$(json '.points[0].error')" 1 "a program that does not scale: the prediction was too good, error positive"
v --cores 2 --serial 'echo kernel 100' --run 'echo kernel 100' --timer kernel --max-error 10; is $RC 1 "--max-error makes it a failure"
v --cores 2 --serial 'sleep 0.1' --run 'test {scenario} = s && sleep 0.1'; is $RC 0 "{scenario} is the scenario's name"
grep -q 'mean error' out; ok $? "text ends with the mean error"
v --cores 2 --serial 'sleep 0.1' --run 'sleep 0.1' --csv; is "$RC $(sed -n 1p out | cut -d, -f1-4) $(sed -n 2p out | cut -d, -f1,2,5)" "0 scenario,processors,predicted_time,measured_time s,2,2" "points as CSV"
v --cores 2 --run 'exit 3'; fails 4 "ended with status 3" "a command that fails"
v --cores 2 --run 'kill -9 $$'; fails 4 "killed by signal 9" "a command that is killed"
v --cores 0 --run true; fails 2 "cores" "0 processors"
v --cores 2; fails 2 "are needed" "no command"
cc validate t.csv --platform p.ini --scenario no.omp --cores 1 --run true; fails 3 "no.omp" "absent scenario"
echo 'ti = #pragma omp parallel for' >bad.omp
cc validate t.csv --platform p.ini --scenario bad.omp --cores 1 --run true; fails 3 "bad.omp:1.*ti" "a directive on no task"
v --repeat 2 --cores 2 --serial 'echo kernel 100' --run 'echo kernel 9; echo kernel 50 >&2' --timer kernel --json
is "$RC $(json '[.points[0].measured,.points[0].spread]|map(tostring)|join(" ")')" "0 2 0" "--timer: the program's own last word counts, on either stream"
v --cores 2 --run 'echo kernels 50' --timer kernel; fails 4 "prints no line 'kernel NANOSECONDS'" "a program that tells no time"
v --cores 2 --run 'echo kernel -3' --timer kernel; fails 4 "prints no line" "nor one from 0 up"
n=0; printf 0 >count
slow='n=$(cat count); printf $((n + 1)) >count; echo kernel $((100 + 100 * (n % 3)))'
v --repeat 3 --cores 2 --serial 'echo kernel 400' --run "$slow" --timer kernel --json
is "$(json '[.points[0].measured,.points[0].spread]|map(tostring)|join(" ")')" "4 1" "the least of the runs counts, the middle one took twice as long"
v --repeat 3 --cores 2 --serial 'echo kernel 400' --run "$slow" --timer kernel --count middle --json
is "$(json '[.points[0].measured,.points[0].inside,.interval_held]|map(tostring)|join(" ")')" "2 yes 1" "--count middle; 2 is what was predicted"
v --cores 2 --serial 'echo kernel 300' --run "$slow" --timer kernel --json
is "$(json '[.points[0].inside,.interval_held,.points[0].low,.points[0].high]|map(tostring)|join(" ")')" "no 0 2 2" "3 lies in no interval of 2 to 2"
v --cores 2 --run true --coverage 100; fails 2 "coverage" "no interval holds all"
done_testing
