#!/bin/sh
# Six kernels of other kinds (bench/truth) on this machine's CPU: recorded with --locality, their intervals from its measured figures, and the least time of many runs.
# Usage: bench/units-kernels.sh CORECAST PLATFORM.ini
corecast=$1 platform=$2
here=$(cd "$(dirname "$0")" && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
inside=0 n=0
echo "| kernel | predicted, us | measured | inside |"
echo "|---|---|---|---|"
for k in random fractal bodies product triad words; do
    ${CC:-cc} -O2 -w -fno-tree-vectorize -I"$here/../include" "$here/truth/$k.c" -o "$dir/$k" -lm || exit 1
    ${CC:-cc} -O2 -w -fno-tree-vectorize -DCORECAST_OFF -I"$here/../include" "$here/truth/$k.c" -o "$dir/$k-plain" -lm || exit 1
    "$corecast" record -q --locality -o "$dir/$k.cast" -- "$dir/$k" >/dev/null 2>&1 || exit 1
    least=$(i=0; while [ $i -lt "${RUNS:-100}" ]; do "$dir/$k-plain" 2>&1 >/dev/null; i=$((i + 1)); done | awk '/^kernel/ { if (!m || $2 < m) m = $2 } END { print m }')
    "$corecast" units -q "$dir/$k.cast" --platform "$platform" --unit cpu --json >"$dir/out" || exit 1
    row=$(jq -r --arg k "$k" --argjson ns "$least" '.chains[0] | (1e6 / .clock_hz) as $us |
        "\(if $ns / 1000 >= .low * $us and $ns / 1000 <= .high * $us then "yes" else "no" end) | \($k) | \(.low * $us * 10 | round / 10) to \(.high * $us * 10 | round / 10) | \($ns / 100 | round / 10)"' "$dir/out") || exit 1
    n=$((n + 1))
    case $row in yes*) inside=$((inside + 1)) ;; esac
    echo "|${row#* |} | ${row%% *} |"
done
echo
echo "$inside of $n kernels are inside"
