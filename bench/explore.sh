#!/bin/sh
# Plans that explore finds for examples/programs, beside those written by hand, their proof, and predicted beside measured.
#     bench/explore.sh BUILD [PLATFORM]      REPEAT=N runs each (5); PLANS=0 leaves the plans out, PROVE=0 their proof, MEASURE=0 the measurement; ONLY='lud nw': of these;
#     HERE=/path/FILE.ini: what characterize wrote of this machine; WORK=/path/FOLDER: where it is done and stays, recordings that are there are taken as they are;
#     RECORD=1: nothing is measured, programs are only recorded there (which needs no idle machine)
# A line a program: loops of the plan, predicted speed-up on the largest number of cores by explore and by hand, how much longer the plan takes
# than the hand-written one, which compilers take its patch without a warning (after patch -p1), which plan was proven, and what the recorder saw of it.
# Then this machine is characterised, each program is recorded with what it is measured with (about 0.1 s; all of them first, as many at a time as there are CPUs), and speed-ups on 2 threads are predicted for
# this machine and measured: the best of 15 runs (proof and recordings of it have a small input). LIMIT=N: seconds after which nothing more is measured (420). That needs an idle machine, or it is noise: `spread` is how far
# the slowest run on one and on two threads was from the best, `load` what else wanted a processor then; a line is in if predicted and measured are within
# 10 %, noise if they are not but the spread is larger than that.
build=$(realpath "${1:-build}")
platform=${2:-cortex-a53-quad}
source=$(dirname "$(dirname "$(realpath "$0")")")
if [ "$WORK" ]; then
    work=$WORK && mkdir -p "$work"
else
    work=$(mktemp -d)
    trap 'cd /; rm -rf "$work"' EXIT
fi
cd "$work" || exit 1
cp -u "$source"/examples/programs/*.c "$source"/examples/programs/*.omp .

# Whether ONLY, if it is given, names the program.
wanted() {
    case " ${ONLY:-$1} " in *" $1 "*) return 0 ;; esac
    return 1
}

# The compilers that take the patch of the first plan without a warning.
takes() {
    jq -e '.plans[0].patch' plan.json >/dev/null || { echo -; return; }
    rm -rf patched && mkdir patched && cp "$1.c" patched && jq -r '.plans[0].patch' plan.json | patch -s -p1 -d patched || { echo "does not apply"; return; }
    for compiler in gcc clang; do
        $compiler -O2 -Wall -Wextra -Werror -fopenmp -c -o patched/o "patched/$1.c" >/dev/null 2>&1 && printf '%s ' $compiler
    done
}

# name, arguments that are recorded, that are proven, that races are looked for in
programs() {
    cat <<'LIST'
matmul 160 300 24
cholesky 220 400 40
triangle 1200 4000 80
jacobi 200,20 600,100 40,2
seidel 200,20 600,100 60,2
histogram 1 60 1
prefix 1 60 1
bfs 60 1500 1
nbody 400,4 2000,10 40,2
mandelbrot 128 800 16
quicksort 200 4000 2
treewalk 64,9 64,14 8,4
image 400,300 3000,2000 40,40
frames 3 40 1
lud 120 300 24
hotspot 128,10 512,40 32,2
pathfinder 4000,40 20000,100 200,6
kmeans 4000 40000 200
srad 96,4 400,20 24,1
nw 300 1200 40
LIST
}

# name, arguments that are measured, that are proven
measured() {
    cat <<'LIST'
matmul 360 24
cholesky 700 40
triangle 10000 80
jacobi 1000,30 40,2
seidel 1000,14 60,2
histogram 50 1
prefix 25 1
bfs 500 1
nbody 2500,3 40,2
mandelbrot 420 16
quicksort 700 2
treewalk 64,13 8,4
image 2000,1500 40,40
frames 13 1
lud 550 24
hotspot 1000,10 32,2
pathfinder 100000,150 200,6
kmeans 150000 200
srad 600,7 24,1
nw 2000 40
LIST
}

plan() {
    name=$1 small=$2 large=$3 tiny=$4 prove=
    gcc -O2 -g -o "$name" "$name.c" -lm || exit 1
    "$build/corecast" record -q --loops dependences --tasks all -o "$name.cast" -- "./$name" $(words "$small") >/dev/null 2>&1 || true
    [ "${PROVE:-1}" = 1 ] && prove=1
    "$build/corecast" explore -q "$name.cast" --platform "$platform" --json ${prove:+--verify --repeat "${REPEAT:-5}" --build "gcc -O2 -g -fopenmp -o $name $name.c -lm" --run "./$name $(words "$large")" \
        --race-run "./$name $(words "$tiny")"} >plan.all.json || [ $? = 1 ] || exit 1 # 1: none was proven
    jq '.plans |= map(select(.unwritten | not))' plan.all.json >plan.json # by hand are directives, too
    if grep -q '^[^#]' "$name.omp"; then
        "$build/corecast" predict -q "$name.cast" --platform "$platform" --scenario "$name.omp" --force --json >hand.json 2>/dev/null || exit 1
    else
        echo '{"scenarios":[{"schedules":[{"speedup":1,"gain":1}]}]}' >hand.json
    fi
    jq -r --slurpfile hand hand.json --arg name "$name" --arg takes "$(takes "$name")" '
        def r2: . * 100 | round / 100;
        (.plans[0].speedup[-1].speedup // 1) as $ours | ($hand[0].scenarios[0].schedules[-1] | .gain // .speedup) as $theirs |
        ([.plans[] | select(.verified.ok)][0]) as $proven |
        [$name, ([.plans[0].directives[]?.loop | sub("^[^:]*:"; "")] | join(",")), ($ours | r2), ($theirs | r2), (($theirs / $ours - 1) * 100 | r2 | tostring + "%"),
         $takes, (if (.plans | length) == 0 then "-" elif $proven then "plan " + ($proven.rank | tostring) elif .plans[0].verified then "no" else "" end),
         ($proven.verified.recorded // "")] | @tsv' plan.json |
        awk -F '\t' '{printf "%-11s %-22s %8s %8s %7s  %-10s %-6s  %s\n", $1, $2, $3, $4, $5, $6, $7, $8}'
}

# A line: predicted on 2 threads with its interval, how many times as long two copies of the sequential program took at once, what is expected with that, measured, how far the slowest runs on 1 and 2 threads were from the best,
# per cent of the processors' time that the host of a virtual machine kept, other load, how far predicted and expected are off, in or not: by prediction alone, with the copies.
measure() {
    name=$1 arguments=$(words "$2") tiny=$(words "$3")
    [ $(($(date +%s) - began)) -le "${LIMIT:-420}" ] || { printf '%-11s no time left\n' "$name"; return; }
    [ -s "$name.cast" ] || { printf '%-11s could not be recorded\n' "$name"; return; }
    read -r load _ </proc/loadavg
    "$build/corecast" explore -q "$name.cast" --platform here.ini -n 1,2 --json --verify --race none --repeat "${REPEAT:-15}" --build "gcc -O2 -g -fopenmp -o $name $name.c -lm" \
        --run "./$name $arguments" --race-run "./$name $tiny" >m.json || [ $? = 1 ] || exit 1
    jq -r --arg name "$name" --arg arguments "$arguments" --arg load "$load" '
        def r2: . * 100 | round / 100;
        def spread: ((.slowest / .seconds) - 1) * 100 | r2;
        [.plans[] | select(.verified.ok)][0] as $p | (($p.verified.measured // [])[] | select(.processors == 1)) as $one |
        ($p.speedup[] | select(.processors == 2)) as $said | ($p.verified.measured[] | select(.processors == 2)) as $was |
        [$name, $arguments, ($said.speedup | r2), ($said.low | r2), ($said.high | r2), ($was.slowdown // 1 | r2), ($was.expected // $said.speedup | r2), ($was.speedup | r2), ($one | spread), ($was | spread),
         (100 * $p.verified.stolen | r2), $load, (($said.speedup / $was.speedup - 1) * 100 | r2), ((($was.expected // $said.speedup) / $was.speedup - 1) * 100 | r2)] | @tsv' m.json |
        awk -F '\t' -v name="$name" '
            function judge(off) {return off <= 10 && off >= -10 ? "in" : s > 10 ? "noise" : "OFF"}
            {s = $9 > $10 ? $9 : $10
             printf "%-11s %-14s %7s %6s %6s %6s %7s %7s %7.1f%% %7.1f%% %5.1f%% %6s %6.1f%% %6.1f%%  %-5s %s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, judge($13), judge($14); n++}
            END {if (!n) printf "%-11s no plan was proven\n", name}'
}

words() {
    echo "$1" | tr , ' '
}

if [ "${PLANS:-1}" = 1 ]; then
    printf '%-11s %-22s %8s %8s %7s  %-10s %-6s  %s\n' program loops explore 'by hand' longer patch holds recorded
    programs | while read -r name small large tiny; do
        wanted "$name" && plan "$name" "$small" "$large" "$tiny" </dev/null
    done
fi
if [ "${MEASURE:-1}" = 1 ]; then
    began=$(date +%s)
    measured | while read -r name arguments tiny; do
        wanted "$name" && echo "$name $(words "$arguments")"
    done | xargs -P "$(nproc)" -I{} sh -c "set -- {}; name=\$1; shift; [ -s \$name.cast ] && exit; gcc -O2 -g -o \$name \$name.c -lm &&
        '$build/corecast' record -q --loops dependences --tasks all -o \$name.cast -- ./\$name \$* >/dev/null 2>&1"
    [ "${RECORD:-0}" = 0 ] || exit 0
    { [ "$HERE" ] && cp "$HERE" here.ini; } || "$build/corecast" characterize -q -o here.ini || exit 1
    printf '\n%-11s %-14s %7s %6s %6s %6s %7s %7s %8s %8s %6s %6s %7s %7s\n' program arguments 'pred. 2' from to copies expect. 'meas. 2' 'spread 1' 'spread 2' stolen load off 'exp. off'
    measured | while read -r name arguments tiny; do
        wanted "$name" && measure "$name" "$arguments" "$tiny" </dev/null
    done | tee measured.txt
    awk 'function abs(x) {return x < 0 ? -x : x}
         $NF ~ /^(in|noise|OFF)$/ {n++; c[$(NF - 1)]++; e[$NF]++; sum += abs($(NF - 3)); with += abs($(NF - 2)); s = $(NF - 7) + 0; t = $(NF - 6) + 0; spread += s > t ? s : t
             held += $(NF - 8) >= $(NF - 12) && $(NF - 8) <= $(NF - 11)}
         END {if (n) printf "%d of %d within 10 %%, %d others vary by more than that from run to run; mean error %.1f %%; with the copies %d within 10 %%, mean error %.1f %%; slowest runs %.1f %% from the best; intervals hold %.0f %%\n", c["in"], n, c["noise"], sum / n, e["in"], with / n, spread / n, 100 * held / n}' measured.txt
fi
