#!/bin/sh
# How long measuring and calibrating takes. Usage: bench/area.sh CORECAST SOURCE-TREE   (user seconds)
corecast=${1:-build/corecast}
source=${2:-.}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
seconds() { bash -c 'TIMEFORMAT=%U; time "$@" >/dev/null 2>&1' - "$@" 2>&1; }
sh "$source/bench/area-lines.sh" 500 >"$dir/lines.c"
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "int f%d(int a) { return a + %d; }\n", i, i }' >"$dir/many.c"
awk 'BEGIN { printf "int wide(int a) { "; for (i = 0; i < 150000; i++) printf "a += %d;", i % 7; print "return a; }" }' >"$dir/wide.c"
awk 'BEGIN { print "int deep(int a) {"; for (i = 0; i < 1000; i++) printf "if (a > %d) { ", i; print "a++;"
    for (i = 0; i < 1000; i++) printf "}"; print "return a; }" }' >"$dir/deep.c"
awk 'BEGIN { srand(3); printf "kernel,lut"; n = split("add_32 mul_32 div_32 loads stores logic loops live_max compare select calls ifs", m, " ")
    for (j = 1; j <= n; j++) printf ",%s", m[j]; print ""
    for (i = 0; i < 178; i++) { line = ""; y = 100
        for (j = 1; j <= n; j++) { x = int(rand() * 40); line = line "," x; y += x * j }
        printf "k%d,%d%s\n", i, y + 50 * rand(), line } }' >"$dir/table.csv"
printf '%-46s %8s s   (target: under 5 s)\n' "metrics of $(wc -l <"$dir/lines.c") lines, 500 functions" "$(seconds "$corecast" area metrics "$dir/lines.c" --csv)"
# by the wall clock, all processors: files are measured beside each other
rate() { bash -c 'TIMEFORMAT=%R; time "$@" >/dev/null 2>&1' - "$corecast" area metrics "$@" --csv 2>&1 | awk -v n="$(cat "$@" | wc -l)" '{ printf "%.0f", n / $1 }'; }
mkdir "$dir/large" "$dir/small"
for i in 1 2 3 4 5 6 7 8; do sed "s/(/_$i(/" "$dir/lines.c" >"$dir/large/$i.c"; done
for i in $(seq 567); do { printf '#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n'; sh "$source/bench/area-lines.sh" 4; } >"$dir/small/$i.c"; done
printf '%-46s %8s lines a second   (target: 100 000)\n' "8 files of 10 000 lines, no headers" "$(rate "$dir"/large/*.c)"
printf '%-46s %8s lines a second\n' "one of them" "$(rate "$dir"/large/1.c)"
printf '%-46s %8s lines a second\n' "567 files of 84 lines and four headers" "$(rate "$dir"/small/*.c)"
printf '%-46s %8s s\n' "metrics of 10 000 functions" "$(seconds "$corecast" area metrics "$dir/many.c" --csv)"
printf '%-46s %8s s\n' "metrics of a line of 1 MB, 150 000 statements" "$(seconds "$corecast" area metrics "$dir/wide.c")"
printf '%-46s %8s s\n' "metrics of 1000 levels" "$(seconds "$corecast" area metrics "$dir/deep.c")"
printf '%-46s %8s s\n' "calibrate 178 kernels, 12 metrics" "$(seconds "$corecast" area calibrate "$dir/table.csv" -o "$dir/m")"
printf '%-46s %8s s\n' "calibrate the example, 6 measures" \
    "$(seconds "$corecast" area calibrate "$source/examples/area/metrics.csv" "$source/examples/area/hardware.csv" -o "$dir/m")"
