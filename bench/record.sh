#!/bin/bash
# Cost of recording: programs natively, under memcheck and both engines, alternating; user time as ratios (minimum of ROUNDS), and
# peak memory. Then, for three of them, what the parts of a recording cost over `record --plain` (calls and streams only): the default (stack or
# not, slices, classes), a region for every call of a function that is called often, data objects, and the trace of lines; callgrind beside it.
#   make bench [ROUNDS=3] [SCALE=1] [PROGRAMS="image sort tree fft compress bytecode join json regex many"] [PARTS="image sort tree"]
# RECORDERS="BUILD BUILD…" compares the valgrind engines of several builds in the first table instead of one.
set -eu
build=$(realpath "${1:-build}")
source=$(realpath "$(dirname "$0")/..")
rounds=${ROUNDS:-3} scale=${SCALE:-1}
programs=${PROGRAMS-image sort tree fft compress bytecode join json regex many} parts=${PARTS-image sort tree}
recorders=()
for b in ${RECORDERS:-$build}; do recorders+=("$(realpath "$b")"); done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
declare -A args=([image]="$((5600 * scale))x4200" [sort]=$((12000000 * scale)) [tree]=$((400000 * scale)) [fft]="17 $((3 * scale))"
    [compress]=$((2000000 * scale)) [bytecode]=$((15000 * scale)) [join]=$((400000 * scale)) [json]=$((60000 * scale)) [regex]=$((10000 * scale)) [many]=$((60 * scale)))
declare -A often=([image]=follow_edges [sort]=quicksort [tree]=total) # functions the compiler leaves as they are
for program in $programs $parts; do
    [ -x "$program" ] && continue
    case $program in
    image) gcc -O2 -g -o image "$source/examples/canny/canny.c" -lm ;;
    many) "$source/bench/programs/make-many.sh" >many.c && gcc -O1 -g1 -o many many.c ;;
    *) gcc -O2 -g -o "$program" "$source/bench/programs/$program.c" -lm ;;
    esac
done

# user seconds and peak KiB of a command
measure() {
    /usr/bin/time -f '%U %M' -o timing "$@" >/dev/null 2>/dev/null
    cat timing
}
run() { # run TOOL PROGRAM; a TOOL that is a folder is a build whose valgrind engine is used
    case $1 in
    native) measure "./$2" ${args[$2]} ;;
    memcheck) measure valgrind --tool=memcheck --leak-check=no "./$2" ${args[$2]} ;;
    callgrind) measure valgrind --tool=callgrind --callgrind-out-file=/dev/null "./$2" ${args[$2]} ;;
    qemu) measure "$build/corecast" record --engine qemu -o p.cast "./$2" ${args[$2]} ;;
    default) measure "$build/corecast" record --engine valgrind -o p.cast "./$2" ${args[$2]} ;;
    plain) measure "$build/corecast" record --engine valgrind --plain -o p.cast "./$2" ${args[$2]} ;;
    region) measure "$build/corecast" record --engine valgrind --tasks none --region "often=${often[$2]:-main}" -o p.cast "./$2" ${args[$2]} ;;
    objects) measure "$build/corecast" record --engine valgrind --objects -o p.cast "./$2" ${args[$2]} ;;
    locality) measure "$build/corecast" record --engine valgrind --locality -o p.cast "./$2" ${args[$2]} ;;
    *) measure "$1/corecast" record --engine valgrind -o p.cast "./$2" ${args[$2]} ;;
    esac
}
declare -A best peak
race() { # race PROGRAM TOOL…: best[TOOL], peak[TOOL]
    best=() peak=()
    local program=$1 i tool seconds kib
    shift
    for ((i = 0; i < rounds; i++)); do
        for tool; do
            read -r seconds kib < <(run "$tool" "$program")
            best[$tool]=$(awk -v a="$seconds" -v b="${best[$tool]:-1e9}" 'BEGIN { print a < b ? a : b }')
            peak[$tool]=$kib
        done
    done
}
ratio() { awk -v a="${best[$1]}" -v b="${best[$2]}" 'BEGIN { printf "%.2f", a / (b > 0 ? b : 0.01) }'; }
memory() { awk -v p="${peak[$1]}" -v n="${peak[native]}" 'BEGIN { printf "%.0f MiB, %.1f", p / 1024, (p - 131072 > 0 ? p - 131072 : 0) / n }'; }

row="| program | native s | memcheck x |" line="|---|---|---|"
for b in "${recorders[@]}"; do
    name=$([ ${#recorders[@]} = 1 ] && echo "valgrind engine" || echo "$b")
    row+=" $name x | / memcheck | memory, bytes a byte |" line+="---|---|---|"
done
[ -n "${programs// /}" ] && printf '%s\n' "$row qemu engine / valgrind engine |" "$line---|"
for program in $programs; do
    race $program native memcheck "${recorders[@]}" qemu
    row="| $program | ${best[native]} | $(ratio memcheck native) |"
    for b in "${recorders[@]}"; do
        row+=" $(ratio "$b" native) | $(ratio "$b" memcheck) | $(memory "$b") |"
    done
    echo "$row $(ratio qemu "${recorders[0]}") |"
done
[ -n "${parts// /}" ] || exit 0
echo
echo "| program | plain s | default / plain | with a region / plain | with objects / default | with locality / default | plain / callgrind | plain / memcheck |"
echo "|---|---|---|---|---|---|---|---|"
for program in $parts; do
    race $program native callgrind memcheck plain default region objects locality
    echo "| $program | ${best[plain]} | $(ratio default plain) | $(ratio region plain) | $(ratio objects default) | $(ratio locality default) | $(ratio plain callgrind) | $(ratio plain memcheck) |"
done
echo
echo "memory: peak, and (peak - 128 MiB) over the program's own peak; user time includes writing the profile"
