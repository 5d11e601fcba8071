#!/bin/sh
# Runs every test in BUILD and ends with "N passed, N failed", counted over the TAP lines.
build=${1:-build}
suites=${2:+--suite $2}
meson test -C "$build" --print-errorlogs --no-rebuild $suites
status=$?
log=$build/meson-logs/testlog.txt
passed=$(grep -cE '^ok [0-9]+' "$log")
failed=$(grep -cE '^not ok [0-9]+' "$log")
skipped=$(grep -cE '^ok [0-9]+.*# SKIP' "$log")
[ "$status" -ne 0 ] && [ "$failed" -eq 0 ] && failed=1 # a test that died without saying so
echo "$((passed - skipped)) passed, $failed failed, $skipped skipped"
exit $status
