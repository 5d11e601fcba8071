#!/bin/sh
# Speed of `corecast simulate` and what the look-ahead costs in accuracy: bench/simulate.sh CORECAST SOURCE
# Four simulated cores, caches and mesh on, no trace. Millions of simulated instructions a second of processor time (user + system, all
# threads, QEMU's start included) and of the wall; the best of several runs, since other work on the machine only ever adds. Cycles against look-ahead 0.
set -eu
corecast=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source"/examples/threaded/*.[ch] "$source"/examples/threaded/Makefile "$work"
cd "$work"
make -s CFLAGS='-O1 -g -static' >/dev/null

measure() { # measure "LOOK-AHEADS" PROGRAM ARGUMENTS
    aheads=$1
    shift
    name=$* exact=
    for ahead in $aheads; do
        best=0 best_wall=0 runs=3
        [ "$ahead" != 0 ] || runs=1
        for i in $(seq $runs); do
            bash -c 'TIMEFORMAT="%R %U %S"; time "$@" 2>err.log' _ "$corecast" simulate -p mesh4x4 -n 4 --look-ahead "$ahead" --json -o r.json -- ./$name \
                >/dev/null 2>time.log
            n=$(jq '[.cores[].instructions] | add' r.json)
            read -r wall user system <time.log
            best=$(echo "$n $user $system $best" | awk '{v = $1 / 1e6 / ($2 + $3); print (v > $4 ? v : $4)}')
            best_wall=$(echo "$n $wall $best_wall" | awk '{v = $1 / 1e6 / $2; print (v > $3 ? v : $3)}')
        done
        cycles=$(jq .cycles r.json)
        [ "$ahead" != 0 ] || exact=$cycles
        echo "$name|$ahead|$cycles|$exact|$best|$best_wall" |
            awk -F'|' '{e = $4 ? sprintf("%+.1f%%", ($3 / $4 - 1) * 100) : "-"; printf "%-26s %10d %12d %8s %14.1f %9.1f\n", $1, $2, $3, e, $5, $6}'
    done
}

printf '%-26s %10s %12s %8s %14s %9s\n' program look-ahead cycles error M/s-processor M/s-wall
for p in "matmul-fixed 4 96" "radix-fixed 4 32768" "lu-fixed 4 72 1" "stencil-fixed 4 96 12" "mandelbrot 4 32" "decoder-fixed 4 1024" "matmul 4 48" "radix 4 8192"; do
    measure "0 100 1000" $p
done
echo "longer runs, where the start weighs less:"
for p in "matmul-fixed 4 128" "radix 4 65536" "radix-fixed 4 65536" "lu-fixed 4 120 1" "stencil-fixed 4 128 40" "mandelbrot 4 64"; do
    measure "100 1000" $p
done
