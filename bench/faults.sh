#!/bin/sh
# The seeded faults of tests/data/faults on four platforms: what `corecast mine contention` names first, and how much faster the
# repaired program is than it says: bench/faults.sh CORECAST SOURCE [FAULT…]
set -eu
corecast=$1 source=$2
shift 2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
[ $# -gt 0 ] || set -- $(cd "$source/tests/data/faults" && ls *.c *.cc | sed 's/\.cc*$//')
build() { # build PROGRAM FAULT [OPTION]
    if [ -f "$source/tests/data/faults/$2.cc" ]; then
        g++ -std=c++17 -O1 -g -pthread ${3:+"$3"} "$source/tests/data/faults/$2.cc" -o "$1"
    else
        gcc -O1 -g -pthread -fopenmp ${3:+"$3"} "$source/tests/data/faults/$2.c" -o "$1"
    fi
}
printf '%-22s %-16s %5s  %-19s %-24s %-33s %6s %6s %6s  %s\n' fault platform cores cause line object share gain real repaired
for fault; do
    build fault "$fault"
    many=16
    [ "$fault" != bandwidth ] || many=64 # 16 cores do not fill its banks
    for p in cortex-a53-quad:4 mips-smp:4 manycore:$many mesh4x4:16; do
        cores=${p#*:} fix=-DFIXED
        # where one bank serves all data, none can be hot: what it is short of is bandwidth, and that has a repair of its own
        [ "$fault" != hot_bank ] || [ "${p%:*}" = manycore ] || fix=-DFIXED=2
        build repaired "$fault" $fix
        for v in fault repaired; do
            "$corecast" simulate -p "${p%:*}" -n "$cores" --trace "$v.trace" --json -o "$v.json" -- ./$v "$cores" >out 2>err
            "$corecast" mine contention --json "$v.trace" >"$v.mine"
        done
        jq -rn --arg f "$fault" --arg p "${p%:*}" --arg n "$cores" --slurpfile a fault.json --slurpfile b repaired.json --slurpfile m fault.mine --slurpfile r repaired.mine '
            def pct: . * 1000 | round / 10 | tostring + "%";
            ($m[0].findings[0] // {}) as $x | [$f, $p, $n, $x.cause // "none", "\($x.file // "" | split("/") | last):\($x.line // "")", $x.object // "-",
             ($x.share // 0 | pct), (($x.gain // 1) * 100 | round / 100 | tostring), ($a[0].cycles / $b[0].cycles * 100 | round / 100 | tostring),
             ($r[0].share | pct) + ($r[0].findings | map(" " + .cause + " " + (.share | pct)) | join(","))] | join("|")' |
            awk -F'|' '{printf "%-22s %-16s %5s  %-19s %-24s %-33s %6s %6s %6s  %s\n", $1, $2, $3, $4, $5, $6, $7, $8, $9, $10}'
    done
done
