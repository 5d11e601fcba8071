#!/bin/sh
# The report page: how large, how long it takes to write, to appear and to answer. A profile of 1000 functions and 20 000 streams, and the
# demo's.   bench/page.sh BUILD
build=$(realpath "${1:-build}")
source=$(dirname "$(dirname "$(realpath "$0")")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
awk 'BEGIN {
    print "volatile long cell[1000];"
    for (i = 0; i < 1000; i++) {
        printf "__attribute__((noinline)) void function_number_%d(void)\n{\n    long s = 0;\n", i
        for (k = 1; k <= 20; k++) printf "    s += cell[%d];\n", (i + k * k * 7 + k * 41) % 1000
        printf "    cell[%d] = s + 1;\n}\n", i
    }
    print "int main(void)\n{\n    for (int r = 0; r < 5; r++) {"
    for (i = 0; i < 1000; i++) printf "        function_number_%d();\n", i
    print "    }\n    return 0;\n}"
}' >large.c
gcc -g -O1 -o large large.c
gcc -O1 -g -fno-inline -o canny "$source/examples/canny/canny.c" -lm
"$build/corecast" record -q --loops dependences --tasks loops -o canny.cast -- ./canny >/dev/null
"$build/corecast" record -q --loops dependences --objects -o large.cast -- ./large
for p in canny large; do
    begin=$(date +%s%N)
    "$build/corecast" report -q $p.cast $([ $p = large ] || echo --platform cortex-a-quad) --html $p.html || exit 1
    end=$(date +%s%N)
    printf '%s: %d functions, %d streams; written in %d ms, %d KiB\n' $p $("$build/corecast" report $p.cast --json | sed -n 's/.*"functions": \([0-9]*\).*/\1/p; s/.*"edges": \([0-9]*\).*/\1/p') \
        $(((end - begin) / 1000000)) $(($(wc -c <$p.html) / 1024))
    node "$source/page/tests/speed.mjs" "$work/$p.html" || exit 1
done
