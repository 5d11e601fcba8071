#!/bin/sh
# Speed of `corecast simulate` and what its ways to order cores cost in accuracy: bench/simulate.sh CORECAST SOURCE
# Simulated cores, caches and mesh on, no trace. Millions of simulated instructions a second of processor time (user + system, all
# threads, QEMU's start included) and of the wall; the best of several runs, since other work on the machine only ever adds. Cycles against the strictest order.
set -eu
corecast=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source"/examples/threaded/*.[ch] "$source"/examples/threaded/Makefile "$work"
cd "$work"
make -s CFLAGS='-O1 -g -static' >/dev/null

measure() { # measure "MODES" PROGRAM ARGUMENTS; a mode: bound=N, ahead=N
    modes=$1
    shift
    name=$* exact=
    for mode in $modes; do
        best=0 best_wall=0 runs=3 option=--look-ahead
        [ "$mode" != bound=0 ] || runs=1
        [ "${mode%=*}" != bound ] || option=--bound
        for i in $(seq $runs); do
            bash -c 'TIMEFORMAT="%R %U %S"; time "$@" 2>err.log' _ "$corecast" simulate -p mesh4x4 -n "$2" $option "${mode#*=}" --json -o r.json -- ./$name \
                >/dev/null 2>time.log
            n=$(jq '[.cores[].instructions] | add' r.json)
            read -r wall user system <time.log
            best=$(echo "$n $user $system $best" | awk '{v = $1 / 1e6 / ($2 + $3); print (v > $4 ? v : $4)}')
            best_wall=$(echo "$n $wall $best_wall" | awk '{v = $1 / 1e6 / $2; print (v > $3 ? v : $3)}')
        done
        cycles=$(jq .cycles r.json)
        [ "$mode" != bound=0 ] || exact=$cycles
        echo "$name|$mode|$cycles|$exact|$best|$best_wall|$(jq .handovers r.json)" |
            awk -F'|' '{e = $4 ? sprintf("%+.1f%%", ($3 / $4 - 1) * 100) : "-"; printf "%-26s %10s %12d %8s %10d %14.1f %9.1f\n", $1, $2, $3, e, $7, $5, $6}'
    done
}

printf '%-26s %10s %12s %8s %10s %14s %9s\n' program order cycles error hand-overs M/s-processor M/s-wall
for p in "matmul-fixed 4 96" "radix-fixed 4 32768" "lu-fixed 4 72 1" "stencil-fixed 4 96 12" "mandelbrot 4 32" "decoder-fixed 4 1024" "fft-fixed 4 4096" "matmul 4 48" "radix 4 8192"; do
    measure "bound=0 bound=100 ahead=100 ahead=1000" $p
done
echo "16 cores:"
for p in "matmul-fixed 16 96" "lu-fixed 16 72 1" "stencil-fixed 16 96 12" "fft-fixed 16 4096"; do
    measure "bound=100 ahead=100 ahead=1000" $p
done
echo "one core:"
for p in "matmul-fixed 1 96" "lu-fixed 1 72 1"; do measure "bound=100" $p; done
echo "longer runs, where the start weighs less:"
for p in "matmul-fixed 4 128" "radix 4 65536" "radix-fixed 4 65536" "lu-fixed 4 120 1" "stencil-fixed 4 128 40" "mandelbrot 4 64"; do
    measure "bound=100 ahead=100 ahead=1000" $p
done
