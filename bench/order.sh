#!/bin/sh
# Programs that no constant of the order was chosen on: cycles against the strictest order (--bound 0), and how many of the trace's hits an
# independent replay of the caches disagrees with: bench/order.sh CORECAST SOURCE REPLAY [PROGRAM…]
set -eu
corecast=$1 source=$2 replay=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
[ $# -gt 0 ] || set -- $(cd "$source/bench/order" && ls *.c | sed 's/\.c$//')
printf '%-10s %-16s %5s %10s %10s %7s %9s %10s %8s\n' program platform cores strictest default error hand-overs accesses disagree
for program; do
    gcc -O2 -g -pthread "$source/bench/order/$program.c" -o "$program"
    for p in cortex-a53-quad:4 mips-smp:4 manycore:16 mesh4x4:16; do
        for bound in 0 100; do
            "$corecast" simulate -p "${p%:*}" -n "${p#*:}" --bound $bound --trace t --json -o $bound.json -- "./$program" "${p#*:}" >out.$bound 2>err
        done
        cmp -s out.0 out.100 || echo "$program: other output than in the strictest order" >&2
        "$replay" t >replayed
        jq -rn --slurpfile a 0.json --slurpfile b 100.json '"\($a[0].cycles) \($b[0].cycles) \($b[0].handovers)"' | paste -d' ' - replayed |
            awk -v n="$program" -v p="${p%:*}" -v c="${p#*:}" '{printf "%-10s %-16s %5d %10d %10d %+6.2f%% %9d %10d %7.3f%%\n", n, p, c, $1, $2, ($2 / $1 - 1) * 100, $3, $4, $5 * 100 / $4}'
    done
done
