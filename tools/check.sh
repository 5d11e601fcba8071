#!/bin/sh
# Runs every test in BUILD, then the unit tests again in a clang build under ASan and UBSan, and ends with "N passed, N failed" counted over
# the TAP lines.   tools/check.sh BUILD [SUITE]: that suite only, nothing sanitized.
build=${1:-build}
kept=$(cd "$build" && pwd)/json # what the command-line tests had written as JSON
rm -rf "$kept"; mkdir "$kept"
CC_KEEP_JSON=$kept meson test -C "$build" --print-errorlogs --no-rebuild ${2:+--suite $2}
status=$?
logs=$build/meson-logs/testlog.txt
if ls "$kept"/*.json >/dev/null 2>&1; then
    find "$kept" -name '*.json' -print0 | xargs -0 "$(dirname "$0")/schema.py" fits "$(dirname "$0")/../docs/schema" >"$build/meson-logs/schemas.txt" || status=1
    logs="$logs $build/meson-logs/schemas.txt"
    grep -vE '^(ok|1\.\.)' "$build/meson-logs/schemas.txt"
fi
if [ -z "${2:-}" ]; then
    "$(dirname "$0")/check-sanitized.sh" "$build" || status=1
    logs="$logs $build-clang/meson-logs/testlog.txt"
fi
passed=$(cat $logs | grep -cE '^ok [0-9]+')
failed=$(cat $logs | grep -cE '^not ok [0-9]+')
skipped=$(cat $logs | grep -cE '^ok [0-9]+.*# SKIP')
[ "$status" -ne 0 ] && [ "$failed" -eq 0 ] && failed=1 # a test or a build that died without saying so
# What went wrong once more, so that the end of a long log tells it
awk 'FNR == 1 { test = FILENAME } /^test: / { test = $NF } /^result: / && !/exit status 0|SKIP/ { sub("^result: *", ""); print test ": " $0 }
    /^not ok [0-9]+/ { if (before ~ /^#/) print before; print test ": " $0; told = 5 } /^#/ && told-- > 0 { print } { before = $0 }' $logs
echo "$((passed - skipped)) passed, $failed failed, $skipped skipped"
exit $status
