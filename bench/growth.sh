#!/bin/bash
# How the cost of recording grows: user seconds of the valgrind engine over memcheck's, beside each other, minimum of ROUNDS.
# Run length 1, 2 and 4 times (the ratio to memcheck should stay), number of functions at the same number of calls, number of threads at the same work.
#   make bench-growth [ROUNDS=3] [SCALE=1]
set -eu
build=$(realpath "${1:-build}")
source=$(realpath "$(dirname "$0")/..")
rounds=${ROUNDS:-3} scale=${SCALE:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
seconds() { # user seconds of a command
    /usr/bin/time -f %U -o timing "$@" >/dev/null 2>/dev/null
    cat timing
}
least() { awk -v a="$1" -v b="$2" 'BEGIN { print a < b ? a : b }'; }
row() { # row WHAT COMMAND…
    local what=$1 i memcheck=1e9 ours=1e9
    shift
    for ((i = 0; i < rounds; i++)); do
        memcheck=$(least "$memcheck" "$(seconds valgrind --tool=memcheck --leak-check=no "$@")")
        ours=$(least "$ours" "$(seconds "$build/corecast" record --engine valgrind -o p.cast "$@")")
    done
    awk -v w="$what" -v m="$memcheck" -v o="$ours" 'BEGIN { printf "| %s | %s | %s | %.2f |\n", w, m, o, o / (m > 0 ? m : 0.01) }'
}
for program in sort compress bytecode threads; do
    gcc -O2 -g -pthread -o $program "$source/bench/programs/$program.c" -lm
done
for n in 80 600 5000; do
    "$source/bench/programs/make-many.sh" $n >many.c && gcc -O1 -g1 -o many$n many.c
done
echo "| what | memcheck s | valgrind engine s | / memcheck |"
echo "|---|---|---|---|"
for times in 1 2 4; do
    row "sort x$times" ./sort $((1500000 * scale * times))
    row "compress x$times" ./compress $((800000 * scale * times))
    row "bytecode x$times" ./bytecode $((4000 * scale * times))
done
for n in 80 600 5000; do
    row "$n functions, the same number of calls" ./many$n $((100000 * scale / n))
done
for n in 1 8; do
    row "$n threads" ./threads $n $((60 * scale))
done
