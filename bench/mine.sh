#!/bin/sh
# Itemset mining against the figures of the reference data, a large transaction file, and a trace of 100 million events end to end.
# Reference data: CORECAST_DATA, or ../shared/data beside the checkout. Smallest CPU time of three runs; memory is the peak resident set.
build=${BUILD:-build}
tool=$build/corecast
data=${CORECAST_DATA:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# measure COMMAND…: smallest user + system seconds of three runs in $cpu, peak in KiB in $peak, wall seconds of the last in $wall
measure() {
    cpu=999999
    for run in 1 2 3; do
        /usr/bin/time -f '%U %S %M %e' -o "$work/time" "$@" >"$work/out" 2>"$work/err" || { cat "$work/err"; exit 1; }
        read -r user system peak wall <"$work/time"
        cpu=$(echo "$cpu $user $system" | awk '{ t = $2 + $3; print (t < $1 ? t : $1) }')
    done
}
judge() { # judge VALUE LIMIT
    if awk -v v="$1" -v l="$2" 'BEGIN { exit !(v <= l) }'; then echo ok; else echo OVER; : >"$work/over"; fi
}
measure "$tool" --version
start=$peak
echo "starting the tool takes $((start / 1024)) MiB and $cpu s; 'own' is what mining takes beyond that memory"
echo "file        support   closed  CPU s (best public)   own   MiB (best public)   two threads, wall s"
# the best public figures; 30 % is allowed for the machine, and times below the clock's grain count as 0.01 s
while read -r file support closed seconds megabytes; do
    [ -f "$data/$file.dat.gz" ] || { echo "$file: no reference data in $data"; continue; }
    gzip -dc "$data/$file.dat.gz" >"$work/t.dat"
    measure "$tool" mine itemsets "$work/t.dat" --support "$support" --json -j1
    got=$(jq .closed "$work/out") one=$cpu memory=$(awk -v k="$peak" 'BEGIN { printf "%.1f", k / 1024 }')
    own=$(awk -v k="$peak" -v s="$start" 'BEGIN { printf "%.1f", (k - s) / 1024 }')
    measure "$tool" mine itemsets "$work/t.dat" --support "$support" --json -j2
    [ "$got" = "$closed" ] || { echo "$file at $support: $got sets, want $closed"; failed=1; }
    printf '%-11s %7s %8s  %5s (%s) %-8s %5s %5s (%s) %-7s %s\n' "$file" "$support" "$got" "$one" "$seconds" \
        "$(judge "$one" "$(awk -v s="$seconds" 'BEGIN { print 1.3 * s }')")" "$own" "$memory" "$megabytes" \
        "$(judge "$memory" "$(awk -v m="$megabytes" 'BEGIN { print 1.3 * m }')")" "$wall"
done <<END
mushroom 813 4885 0.01 4.4
mushroom 82 51640 0.05 10
chess 2557 5084 0.01 2.9
chess 1598 369451 0.19 2.4
T10I4D100K 100 26807 0.17 19
T10I4D100K 10 283398 0.37 19
END

# dense, as a game's positions are: 67 557 rows of 43 items out of 129, one value of each attribute common; the same whichever awk makes it
awk 'function chance() { x = x * 16807 % 2147483647; return x / 2147483647 }
    BEGIN { x = 5; for (a = 0; a < 43; a++) p[a] = 1 - 0.4 * chance() ^ 4; for (t = 0; t < 67557; t++) { s = "";
    for (a = 0; a < 43; a++) s = s (3 * a + (chance() < p[a] ? 1 : chance() < 0.5 ? 2 : 3)) " "; print s } }' >"$work/dense.dat"
for support in 95% 90%; do
    measure "$tool" mine itemsets "$work/dense.dat" --support $support --json -j1
    echo "dense, 67 557 x 43 of 129, $support: $(jq .closed "$work/out") sets, $cpu s, $((peak / 1024)) MiB"
done

# two threads: shortest wall time of three, on files that take long enough to tell (0.1 s and more)
both() { # both NAME FILE SUPPORT
    for j in 1 2; do
        best=999999
        for run in 1 2 3; do
            /usr/bin/time -f %e -o "$work/time" "$tool" mine itemsets "$2" --support "$3" --json -j$j >"$work/out" || exit 1
            best=$(awk -v b="$best" '{ print ($1 < b ? $1 : b) }' "$work/time")
        done
        [ $j = 1 ] && single=$best
    done
    awk -v n="$1" -v s="$3" -v a="$single" -v b="$best" 'BEGIN { printf "two threads, %s at %s: %s and %s s of wall time, %.2f times as fast (1.7 on an idle machine)\n", n, s, a, b, a / (b > 0 ? b : 0.01) }'
}
both dense "$work/dense.dat" 88%
for set in "chess 1000" "T10I4D100K 10"; do
    [ -f "$data/${set% *}.dat.gz" ] || continue
    gzip -dc "$data/${set% *}.dat.gz" >"$work/t.dat"
    both "${set% *}" "$work/t.dat" "${set#* }"
done
rm "$work/dense.dat"

awk 'BEGIN { srand(1); for (t = 0; t < 1000000; t++) { n = 10 + int(rand() * 21); s = "";
    for (i = 0; i < n; i++) { u = rand(); s = s int(100000 * u * u * u) " " } print s } }' >"$work/large.dat"
/usr/bin/time -f '%U %S %M %e' -o "$work/time" "$tool" mine itemsets "$work/large.dat" --support 200 --json >"$work/out" || exit 1
read -r user system peak wall <"$work/time"
echo "1 000 000 transactions, $(jq .items "$work/out") items: $(jq .closed "$work/out") sets, $user s, $((peak / 1024)) MiB (limit 512) $(judge "$peak" 524288)"
rm "$work/large.dat"

"$build/tests/make-trace" "$work/t.trace" 8 100000000 || exit 1
/usr/bin/time -f '%U %S %M %e' -o "$work/time" "$tool" mine contention "$work/t.trace" --json >"$work/out" || exit 1
read -r user system peak wall <"$work/time"
echo "100 M events, $(($(wc -c <"$work/t.trace") / 1048576)) MiB of trace: $(jq .windows "$work/out") windows, $(jq '.patterns|length' "$work/out") pattern(s) in $wall s wall, $user s CPU (limit 60) $(judge "$wall" 60), $((peak / 1024)) MiB (limit 512) $(judge "$peak" 524288)"
[ "$failed" = 0 ] && [ ! -e "$work/over" ]
