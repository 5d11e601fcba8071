#!/bin/bash
# A thousand loops, 16 numbers of cores, six schedules: processor time of explore, without and with lines of memory, and shared by two processes.
#   bench/explore-many.sh BUILD
build=$(realpath "${1:?folder of the build}")
work=$(mktemp -d)
trap 'cd /; rm -rf "$work"' EXIT
cd "$work" || exit 1
TIMEFORMAT='%R s, %U s of processor time'
awk 'BEGIN {
    print "#include <stdio.h>\nstatic double a[1200][64];"
    for (f = 0; f < 500; f++)
        printf "__attribute__((noinline)) static double f%d(void)\n{\n    double s = 0;\n    for (int i = 0; i < 24; i++)\n        for (int j = 0; j < 64; j++)\n            a[%d + i][j] = a[%d + i][j] * 0.5 + i * j;\n    for (int i = 0; i < 400; i++)\n        s += a[%d][i & 63];\n    return s;\n}\n", f, f, f, f
    print "int main(void)\n{\n    double t = 0;\n    for (int r = 0; r < 3; r++) {"
    for (f = 0; f < 500; f++) printf "        t += f%d();\n", f
    print "    }\n    printf(\"%g\\n\", t);\n    return 0;\n}" }' >many.c
gcc -O1 -g -o many many.c || exit 1
"$build/corecast" record -q --loops dependences --tasks all -o many.cast -- ./many >/dev/null 2>&1
"$build/corecast" record -q --loops dependences --tasks loops --locality -o lines.cast -- ./many >/dev/null 2>&1
explore() { "$build/corecast" explore -q --cores 1..16 --min-gain 0 --json "$@"; }
{ time explore many.cast -p manycore >many.json; } 2>time.txt
echo "$(jq -r '"\(.candidates) loops that may be shared out, 16 numbers of cores, \(.replays) replays"' many.json): $(tail -1 time.txt)"
{ time explore lines.cast -p cortex-a53-quad >lines.json; } 2>time.txt
echo "the same, three plans on the lines of memory: $(tail -1 time.txt)"
chips='explore -q many.cast -p manycore --cores 1..16 --min-gain 0 --set platform.clock_mhz=100..400:+20 -j1 --json'
{ time "$build/corecast" $chips -o one.json; } 2>time.txt
echo "16 chips, one process of one thread: $(tail -1 time.txt)"
command -v mpirun >/dev/null || exit 0
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
mpirun -n 2 bash -c "TIMEFORMAT='%R s, %U s of processor time'; time '$build/corecast' $chips -o two.json" 2>&1 | sed -n 's/.*processor time.*/... two: &/p'
cmp one.json two.json && echo '... the same, bit for bit'
