#!/bin/sh
# Predicted against measured: the gradient chain on this machine's CPU, and on its NVIDIA GPU when nvcc is there.
# Usage: bench/units.sh [CORECAST]
corecast=${1:-build/corecast}
here=$(dirname "$0")
kernels=$here/../examples/units/gradient-host.ini
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
"$corecast" characterize --units -q -o "$dir/here.ini" || exit 1
sed -n '/^\[unit\.cpu\]/,$p' "$dir/here.ini"
${CC:-cc} -O2 -fno-tree-vectorize -pthread "$here/gradient.c" -o "$dir/gradient" || exit 1
row() { # row WHAT UNIT CORES WIDTH HEIGHT NANOSECONDS
    "$corecast" units -q "$kernels" --platform "$dir/here.ini" --unit "$2" --cores "$3" --image "$4x$5" --confidence 70 --json >"$dir/out" || exit 1
    jq -r --arg what "$1" --argjson ns "$6" '.chains[0] | ($ns * .clock_hz / 1e9) as $m | ((.low + .high) / 2) as $mid |
        "| \($what) | \(.low*1e4|round/1e4) to \(.high*1e4|round/1e4) | \(.intervals[0].low*1e4|round/1e4) to \(.intervals[0].high*1e4|round/1e4) | \($m*1e4|round/1e4) | \(if $m >= .low and $m <= .high then "yes" else "no" end) | \(($m/$mid-1)*1000|round/10) % |"' "$dir/out"
}
echo
echo "| gradient | predicted, ticks/pixel | with 70 % | measured | inside | from the middle |"
echo "|---|---|---|---|---|---|"
for n in 1 2 4; do
    [ "$n" -le "$(nproc)" ] || continue
    row "CPU, $n thread(s), 1280x720" cpu "$n" 1280 720 "$("$dir/gradient" "$n" | cut -d' ' -f1)"
done
if command -v nvcc >/dev/null && grep -q '^\[unit.gpu\]' "$dir/here.ini"; then
    nvcc -O3 -arch=native "$here/gradient.cu" -o "$dir/gpu" || exit 1
    cores=$(sed -n '/^\[unit\.gpu\]/,/^$/s/^cores = //p' "$dir/here.ini")
    for size in "1280 720" "1920 1080" "7680 4320"; do
        row "GPU, $(echo "$size" | tr ' ' x)" gpu "$cores" ${size% *} ${size#* } "$("$dir/gpu" $size)"
    done
fi
echo
"$here/units-kernels.sh" "$corecast" "$dir/here.ini"
