#!/bin/sh
# Plans that explore finds for examples/programs, beside those written by hand, their proof, and predicted beside measured.
#     bench/explore.sh BUILD [PLATFORM]      REPEAT=N runs each (5); PROVE=0 leaves the proof out; MEASURE=0 the measurement
# A line a program: loops of the plan, predicted speed-up on the largest number of cores by explore and by hand, how much longer the plan takes
# than the hand-written one, which compilers take its patch without a warning (after patch -p1), which plan was proven, and what the recorder saw of it.
# Then this machine is characterised, each program is recorded with what it is measured with (0.1 to 0.3 s), and speed-ups on 2 threads are predicted for
# this machine and measured: the best of 15 runs. That needs an idle machine, or it is noise.
build=$(realpath "${1:-build}")
platform=${2:-cortex-a53-quad}
source=$(dirname "$(dirname "$(realpath "$0")")")
work=$(mktemp -d)
trap 'cd /; rm -rf "$work"' EXIT
cd "$work" || exit 1
cp "$source"/examples/programs/*.c "$source"/examples/programs/*.omp .
printf '%-11s %-22s %8s %8s %7s  %-10s %-6s  %s\n' program loops explore 'by hand' longer patch holds recorded

# The compilers that take the patch of the first plan without a warning.
takes() {
    jq -e '.plans[0].patch' plan.json >/dev/null || { echo -; return; }
    rm -rf patched && mkdir patched && cp "$1.c" patched && jq -r '.plans[0].patch' plan.json | patch -s -p1 -d patched || { echo "does not apply"; return; }
    for compiler in gcc clang; do
        $compiler -O2 -Wall -Wextra -Werror -fopenmp -c -o patched/o "patched/$1.c" >/dev/null 2>&1 && printf '%s ' $compiler
    done
}

# name, arguments that are recorded, that are proven, that races are looked for in
while read -r name small large tiny; do
    gcc -O2 -g -o "$name" "$name.c" -lm || exit 1
    exact=
    [ "$name" = treewalk ] && exact=--exact # samples follow no iteration of its last loop
    "$build/corecast" record -q $exact --loops dependences --tasks all -o "$name.cast" -- "./$name" $(echo "$small" | tr , ' ') >/dev/null 2>&1 || true
    prove=
    [ "${PROVE:-1}" = 1 ] && prove=1
    "$build/corecast" explore -q "$name.cast" --platform "$platform" --json ${prove:+--verify --repeat "${REPEAT:-5}" --build "gcc -O2 -g -fopenmp -o $name $name.c -lm" --run "./$name $(echo "$large" | tr , ' ')" \
        --race-run "./$name $(echo "$tiny" | tr , ' ')"} >plan.all.json || exit 1
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
done <<'LIST'
matmul 160 300 24
cholesky 220 400 40
triangle 1200 4000 80
jacobi 200,20 600,100 40,2
seidel 200,20 600,100 40,2
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

# Predicted and measured, here.
if [ "${MEASURE:-1}" = 1 ]; then
    "$build/corecast" characterize -q -o here.ini || exit 1
    printf '\n%-11s %-14s %9s %6s %6s %9s %7s %7s\n' program arguments 'pred. 2' from to 'meas. 2' spread off
    while read -r name arguments; do
        gcc -O2 -g -o "$name" "$name.c" -lm || exit 1
        "$build/corecast" record -q --loops dependences --tasks all -o m.cast -- "./$name" $arguments >/dev/null 2>&1 || true
        "$build/corecast" explore -q m.cast --platform here.ini -n 1,2 --json --verify --race none --repeat "${REPEAT:-15}" --build "gcc -O2 -g -fopenmp -o $name $name.c -lm" --run "./$name $arguments" >m.json || exit 1
        jq -r --arg name "$name" --arg arguments "$arguments" '
            def r2: . * 100 | round / 100;
            [.plans[] | select(.verified.ok)][0] as $p | ($p.speedup[]? | select(.processors == 2)) as $said | ($p.verified.measured[]? | select(.processors == 2)) as $was |
            [$name, $arguments, ($said.speedup | r2), ($said.low | r2), ($said.high | r2), ($was.speedup | r2), ((($was.slowest / $was.seconds) - 1) * 100 | r2),
             (($said.speedup / $was.speedup - 1) * 100 | r2)] | @tsv' m.json |
            awk -F '\t' '{printf "%-11s %-14s %9s %6s %6s %9s %6.1f%% %6.1f%%\n", $1, $2, $3, $4, $5, $6, $7, $8}'
    done <<'LIST' | tee measured.txt
matmul 600
cholesky 1100
triangle 20000
jacobi 1000 200
histogram 250
prefix 100
bfs 1500
nbody 2500 10
mandelbrot 800
quicksort 3000
treewalk 64 15
image 4000 3000
frames 60
lud 900
hotspot 1000 40
pathfinder 100000 300
kmeans 150000
srad 1000 12
nw 4000
LIST
    awk '{o = $NF; sub("%", "", o); if (o < 0) o = -o; n++; in10 += o <= 10} END {printf "%d of %d within 10 %%\n", in10, n}' measured.txt
fi
