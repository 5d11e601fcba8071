#!/bin/sh
# How predict scales: a million tasks on 16 numbers of cores under four scenarios, and 20 million tasks in 2 GiB.
# predict-scale.sh BUILD [N_LARGE]; needs /usr/bin/time (Debian: time).
build=$(cd "${1:-build}" && pwd) || exit 2
large=${2:-20000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
for s in static dynamic guided static,1; do
    echo "work.item = #pragma omp parallel for schedule($s)" >"$s.omp"
done
# A real-time priority, where it is allowed, keeps the other work of the machine out of the wall time.
quiet=""
chrt -f 1 true 2>/dev/null && quiet="chrt -f 1"
measure() { # measure WHAT ARGS
    what=$1
    shift
    $quiet /usr/bin/time -f '%e %U %M' -o usage "$build/corecast" predict "$@" --platform stxp70-asmp --json -o out.json || exit 1
    read -r wall user kib <usage
    echo "$what: $wall s, $user s of user time, $((kib / 1024)) MiB at most"
}
"$build/tests/make-tasks" m.cast 1000000 || exit 1
measure "1 M tasks, 4 scenarios x 16 core counts" m.cast --scenario static.omp --scenario dynamic.omp --scenario guided.omp --scenario static,1.omp --cores 1..16
echo "  $((kib * 1024 / 1000000)) bytes a task with everything else in the process"
"$build/tests/make-tasks" l.cast "$large" || exit 1
echo "$large tasks take $(($(stat -c %s l.cast) / 1048576)) MiB on disk"
(ulimit -v 2097152; measure "$large tasks, dynamic, 4 cores, address space limited to 2 GiB" l.cast --scenario dynamic.omp --cores 4 -j 1) || exit 1
# The same many lines of CSV, in the order tasks begin
awk -v n="$large" 'BEGIN { t = 100; printf "main,0,%.0f\n", 100 + n * 210; for (i = 0; i < n; i++) { l = 50 + (i * 7919) % 150; printf "work.item,%.0f,%.0f\n", t, t + l; t += l + 3 } }' >l.csv
measure "$large tasks of a CSV file of $(($(stat -c %s l.csv) / 1048576)) MiB, dynamic, 4 cores" l.csv --scenario dynamic.omp --cores 4 -j 1
