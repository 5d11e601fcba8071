#!/bin/bash
# Cost of recording: three programs natively, under callgrind, memcheck and both engines, alternating; user time as ratios (minimum of
# ROUNDS), and peak memory per byte the program touches. Then what the parts of a recording cost over `record --plain` (calls and streams only):
# the default (stack or not, slices, classes), a region for every call of a function that is called often, and data objects.   make bench [ROUNDS=3] [SCALE=1] [PROGRAMS="image sort tree"]
set -eu
build=$(realpath "${1:-build}")
source=$(realpath "$(dirname "$0")/..")
rounds=${ROUNDS:-3} scale=${SCALE:-1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
gcc -O2 -g -o image "$source/examples/canny/canny.c" -lm
gcc -O2 -g -o sort "$source/bench/programs/sort.c"
gcc -O2 -g -o tree "$source/bench/programs/tree.c"
declare -A args=([image]="$((5600 * scale))x4200" [sort]=$((12000000 * scale)) [tree]=$((400000 * scale)))
declare -A often=([image]=follow_edges [sort]=quicksort [tree]=total) # functions the compiler leaves as they are

# user seconds and peak KiB of a command
measure() {
    /usr/bin/time -f '%U %M' -o timing "$@" >/dev/null 2>/dev/null
    cat timing
}
run() { # run TOOL PROGRAM
    case $1 in
    native) measure "./$2" ${args[$2]} ;;
    memcheck) measure valgrind --tool=memcheck --leak-check=no "./$2" ${args[$2]} ;;
    callgrind) measure valgrind --tool=callgrind --callgrind-out-file=/dev/null "./$2" ${args[$2]} ;;
    plain) measure "$build/corecast" record --engine valgrind --plain -o p.cast "./$2" ${args[$2]} ;;
    region) measure "$build/corecast" record --engine valgrind --tasks none --region "often=${often[$2]}" -o p.cast "./$2" ${args[$2]} ;;
    objects) measure "$build/corecast" record --engine valgrind --objects -o p.cast "./$2" ${args[$2]} ;;
    *) measure "$build/corecast" record --engine "$1" -o p.cast "./$2" ${args[$2]} ;;
    esac
}
ratio() { awk -v a="$1" -v b="$2" 'BEGIN { printf "%.2f", a / b }'; }
echo "| program | native s | callgrind x | memcheck x | valgrind engine x | qemu engine x | valgrind / callgrind | valgrind / memcheck | qemu / callgrind | valgrind memory, bytes a byte | qemu memory |"
echo "|---|---|---|---|---|---|---|---|---|---|---|"
sum=0 parts=
for program in ${PROGRAMS:-image sort tree}; do
    declare -A best=() peak=()
    for ((i = 0; i < rounds; i++)); do
        for tool in native callgrind memcheck valgrind qemu plain region objects; do
            read -r seconds kib < <(run $tool $program)
            best[$tool]=$(awk -v a="$seconds" -v b="${best[$tool]:-1e9}" 'BEGIN { print a < b ? a : b }')
            peak[$tool]=$kib
        done
    done
    v=$(ratio "${best[valgrind]}" "${best[memcheck]}")
    sum=$(awk -v a="$sum" -v b="$v" 'BEGIN { print a + b }')
    per_byte() { awk -v p="${peak[$1]}" -v n="${peak[native]}" 'BEGIN { printf "%.1f", (p - 131072 > 0 ? p - 131072 : 0) / n }'; }
    echo "| $program | ${best[native]} | $(ratio "${best[callgrind]}" "${best[native]}") | $(ratio "${best[memcheck]}" "${best[native]}") | $(ratio "${best[valgrind]}" "${best[native]}") | $(ratio "${best[qemu]}" "${best[native]}") | $(ratio "${best[valgrind]}" "${best[callgrind]}") | $v | $(ratio "${best[qemu]}" "${best[callgrind]}") | $(per_byte valgrind) | $(per_byte qemu) |"
    parts+="| $program | ${best[plain]} | $(ratio "${best[valgrind]}" "${best[plain]}") | $(ratio "${best[region]}" "${best[plain]}") | $(ratio "${best[objects]}" "${best[plain]}") | $(ratio "${best[plain]}" "${best[callgrind]}") | $(ratio "${best[plain]}" "${best[memcheck]}") |"$'\n'
done
awk -v s="$sum" -v n="$(echo ${PROGRAMS:-image sort tree} | wc -w)" 'BEGIN { printf "mean of valgrind / memcheck: %.2f\n", s / n }'
echo
echo "| program | plain s | default / plain | with a region / plain | with objects / plain | plain / callgrind | plain / memcheck |"
echo "|---|---|---|---|---|---|---|"
echo "$parts"
echo "memory: (peak - 128 MiB) over the program's own peak; user time includes writing the profile"
