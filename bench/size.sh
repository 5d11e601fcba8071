#!/bin/sh
# How much memory large inputs take: an access trace and a profile of so many megabytes, and the most that each command had in memory at a time.
# usage: size.sh BUILD [MEGABYTES of trace (10000)] [MEGABYTES of profile (2000)]     files go to TMPDIR and are removed
set -eu
build=$(cd "$1" && pwd) trace=${2:-10000} profile=${3:-2000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
size() { stat -c %s "$1"; }
"$build/tests/make-trace" t.trace 8 2000000 noisy
"$build/tests/make-trace" t.trace 8 $((trace * 1000000 / ($(size t.trace) / 100000) * 20)) noisy
echo "trace: $(($(size t.trace) / 1000000)) MB"
try() { # try LIMIT_MB COMMAND…: most memory, user time
    limit=$1; shift
    /usr/bin/time -f '%M %U %e' -o cost "$build/corecast" "$@" >out 2>err || { echo "not ok: $*"; head -3 err; exit 1; }
    read -r kib user wall <cost
    echo "$((kib / 1024)) MiB, $user s of CPU, $wall s: corecast $*"
    [ $((kib / 1024)) -le "$limit" ] || { echo "not ok: more than $limit MiB"; exit 1; }
}
try 256 trace info --check t.trace
try 256 trace filter --cpu 0 --limit 1000000 t.trace -o f.trace
try 256 trace cat --time 0..1000 t.trace
try 1024 mine contention t.trace
rm -f t.trace f.trace
"$build/tests/make-tasks" p.cast 2000000
"$build/tests/make-tasks" p.cast $((profile * 1000000 / ($(size p.cast) / 100000) * 20))
echo "profile: $(($(size p.cast) / 1000000)) MB"
try 256 report p.cast
# tasks that all differ are more than predict keeps in memory: it says so
/usr/bin/time -f %M -o cost "$build/corecast" predict p.cast --tasks >out 2>err && grep -q . out || grep -q 'tasks that differ' err || { echo "not ok: predict p.cast --tasks"; head -3 err; exit 1; }
kib=$(tail -1 cost)
echo "$((kib / 1024)) MiB: corecast predict p.cast --tasks: $(tail -1 err | cut -c1-100)"
[ $((kib / 1024)) -le 4096 ] || { echo "not ok: more than 4096 MiB"; exit 1; }
