#!/bin/sh
# How well predictions meet reality on this machine: characterise it, record the serial programs of examples/predict,
# predict every scenario, run the OpenMP programs, and print the errors of the speed-ups as a table (Markdown).
# Environment: CORES (default: 1, 2, 4 … all), REPEAT (default 7), COPIES (of co-runs: auto, forked, separate),
# KEEP=FOLDER to keep the files there.
SOURCE=$(cd "$(dirname "$0")/.." && pwd)
CORECAST=${CORECAST:-${BUILD:-$SOURCE/build}/corecast}
REPEAT=${REPEAT:-7}
if [ -n "${KEEP:-}" ]; then WORK=$KEEP; mkdir -p "$WORK"; else WORK=$(mktemp -d); trap 'rm -rf "$WORK"' EXIT; fi
cd "$WORK" || exit 1
# A real-time priority, where it is allowed, keeps the other work of the machine out of all measurements alike.
quiet=""
chrt -f 1 true 2>/dev/null && quiet="chrt -f 1"
n=$(nproc)
cores=${CORES:-}
if [ -z "$cores" ]; then
    k=1
    while [ $k -lt "$n" ]; do cores="$cores$k,"; k=$((k * 2)); done
    cores=$cores$n
fi
corun=$(echo "$cores" | tr , '\n' | awk '$1 > 1' | paste -sd,)
flags="-O2 -Wno-unknown-pragmas -I$SOURCE/include"
serial() { # serial PROGRAM NAME FLAGS…
    p=$1 s=$2
    shift 2
    gcc $flags -DCORECAST_NATIVE "$@" "$SOURCE/examples/predict/$p.c" "$SOURCE/engines/native/native.c" -o "$s-serial" -lpthread -lm || exit 1
}
omp() { # omp PROGRAM SCENARIO FLAGS…
    p=$1 s=$2
    shift 2
    gcc $flags -fopenmp -DCORECAST_OFF "$@" "$SOURCE/examples/predict/$p.c" -o "$s-omp" -lm || exit 1
}
for p in fast edge isort matmul mandel stencil triangle; do serial $p $p; done
serial matmul matmulshared -DN=384
omp fast fast-outer-static -DSCHEDULE=static
omp fast fast-outer-dynamic -DSCHEDULE=dynamic
omp fast fast-inner-static -DINNER -DSCHEDULE=static
omp fast fast-inner-dynamic -DINNER -DSCHEDULE=dynamic
omp edge edge
omp isort isort
omp matmul matmul
omp matmul matmulshared -DN=384
omp mandel mandel-static -DSCHEDULE=static
omp mandel mandel-dynamic -DSCHEDULE=dynamic
omp stencil stencil
omp triangle triangle-blocks -DSCHEDULE=static
omp triangle triangle-cyclic -DSCHEDULE=static,1
omp triangle triangle-guided -DSCHEDULE=guided
$quiet "$CORECAST" characterize -o here.ini || exit 1
echo "machine: $(uname -m), $n CPUs, $(sed -n 's/^clock_mhz = \([0-9]*\).*/\1/p' here.ini) MHz; $(gcc --version | head -1); $(date -u +%Y-%m-%d); least of $REPEAT runs${quiet:+ at real-time priority}"
echo
echo "| scenario | processors | predicted | measured | error |"
echo "|---|---|---|---|---|"
: >all.json
for p in fast edge isort matmul matmulshared mandel stencil triangle; do
    $quiet "$CORECAST" record --engine native --repeat "$REPEAT" ${corun:+--corun "$corun" --copies "${COPIES:-auto}"} -o $p.cast -- ./$p-serial >/dev/null || exit 1
    for s in "$SOURCE"/examples/predict/$p.omp "$SOURCE"/examples/predict/$p-*.omp; do
        [ -e "$s" ] || continue
        name=$(basename "$s" .omp)
        $quiet "$CORECAST" validate $p.cast --platform here.ini --scenario "$s" --cores "$cores" --repeat "$REPEAT" \
            --serial "./$p-serial" --run "OMP_NUM_THREADS={n} ./{scenario}-omp" --json >"$name.json" || exit 1
        jq -r '.points[]|"| \(.scenario) | \(.processors) | \(.predicted*100|round/100) | \(.measured*100|round/100) | \(.error*1000|round/10) % |"' "$name.json"
        cat "$name.json" >>all.json
    done
done
echo
jq -rs '[.[].points[]|select(.processors>1)|.error|fabs]|"points with more than one processor: \(length), mean error \(add/length*1000|round/10) %, worst \(max*1000|round/10) %"' all.json
