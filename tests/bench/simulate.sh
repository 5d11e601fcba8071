#!/bin/sh
# Speed of `corecast simulate` and what the look-ahead costs in accuracy: bench/simulate.sh CORECAST SOURCE
# Four simulated cores, caches and mesh on, no trace. Millions of simulated instructions a second of processor time (user + system, all
# threads) and of the wall; the best of several runs, since other work on the machine only ever adds. Cycles against look-ahead 0.
set -eu
corecast=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$source"/examples/threaded/*.[ch] "$source"/examples/threaded/Makefile "$work"
cd "$work"
make -s CFLAGS='-O1 -g -static' >/dev/null
printf '%-24s %9s %12s %9s %14s %10s\n' program look-ahead cycles error M/s-processor M/s-wall
while read -r program arguments; do
    exact=
    for ahead in 0 100 1000; do
        best=0 best_wall=0
        runs=3
        [ $ahead = 0 ] && runs=1
        for i in $(seq $runs); do
            # shellcheck disable=SC2086
            /usr/bin/env bash -c 'TIMEFORMAT="%R %U %S"; time "$@" 2>err.log' _ "$corecast" simulate -p mesh4x4 -n 4 --look-ahead $ahead --json -o r.json -- \
                ./$program $arguments >/dev/null 2>time.log
            set -- $(tail -1 time.log)
            n=$(jq '[.cores[].instructions] | add' r.json)
            best=$(echo "$n $2 $3 $best" | awk '{v = $1 / 1e6 / ($2 + $3); print (v > $4 ? v : $4)}')
            best_wall=$(echo "$n $1 $best_wall" | awk '{v = $1 / 1e6 / $2; print (v > $3 ? v : $3)}')
        done
        cycles=$(jq .cycles r.json)
        exact=${exact:-$cycles}
        echo "$program $arguments|$ahead|$cycles|$exact|$best|$best_wall" |
            awk -F'|' '{printf "%-24s %9d %12d %+8.1f%% %14.1f %10.1f\n", $1, $2, $3, ($3 / $4 - 1) * 100, $5, $6}'
    done
done <<END
matmul-fixed 4 96
radix-fixed 4 32768
lu-fixed 4 72
stencil-fixed 4 96 12
mandelbrot 4 32
decoder-fixed 4 1024
matmul 4 48
radix 4 8192
END
