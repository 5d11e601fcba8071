#!/bin/sh
# Six kernels of other kinds (bench/truth) on this machine's CPU: recorded with --locality, their intervals from its measured figures, and the least time of many runs.
# Usage: bench/units-kernels.sh CORECAST PLATFORM.ini; KERNELS="…" of FOLDER instead, RUNS=N
corecast=$1 platform=$2
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
inside=0 n=0

# build and record NAME
recorded() {
    ${CC:-cc} -O2 -w -fno-tree-vectorize -I"$here/../include" "${FOLDER:-$here/truth}/$1.c" -o "$dir/$1" -lm || exit 1
    "$corecast" record -q --locality -o "$dir/$1.cast" -- "$dir/$1" >/dev/null 2>&1 || exit 1
    "$corecast" units -q "$dir/$1.cast" --platform "$platform" --unit cpu --json >"$dir/$1.json" || exit 1
}

# What a program does beside its kernel is in the recording and not in the time: that of one without a kernel.
(FOLDER=$here/truth; recorded empty) || exit 1
echo "| kernel | predicted, us | measured | inside |"
echo "|---|---|---|---|"
for k in ${KERNELS:-random fractal bodies product triad words}; do
    recorded "$k"
    ${CC:-cc} -O2 -w -fno-tree-vectorize -DCORECAST_OFF -I"$here/../include" "${FOLDER:-$here/truth}/$k.c" -o "$dir/$k-plain" -lm || exit 1
    least=$(i=0; while [ $i -lt "${RUNS:-100}" ]; do "$dir/$k-plain" 2>&1 >/dev/null; i=$((i + 1)); done | awk '/^kernel/ { if (!m || $2 < m) m = $2 } END { print m }')
    row=$(jq -r --arg k "$k" --argjson ns "$least" --slurpfile empty "$dir/empty.json" '.chains[0] | (1e6 / .clock_hz) as $us |
        ((.low - $empty[0].chains[0].low) * $us) as $low | ((.high - $empty[0].chains[0].high) * $us) as $high |
        "\(if $ns / 1000 >= $low and $ns / 1000 <= $high then "yes" else "no" end) | \($k) | \($low * 10 | round / 10) to \($high * 10 | round / 10) | \($ns / 100 | round / 10)"' "$dir/$k.json") || exit 1
    n=$((n + 1))
    case $row in yes*) inside=$((inside + 1)) ;; esac
    echo "|${row#* |} | ${row%% *} |"
done
echo
echo "$inside of $n kernels are inside"
