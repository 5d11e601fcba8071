#!/bin/sh
# Builds everything with clang, warnings as errors, under ASan and UBSan, and runs the unit tests there: with a tenth of their random rounds, which the first
# pass has judged; what is left is that they touch no memory that is not theirs.   CC_TEST_ROUNDS=100 tools/check-sanitized.sh BUILD: with all of them
#   tools/check-sanitized.sh BUILD --setup: only the build folder, which make fuzz uses as well
build=${1:-build}-clang
[ -f "$build/build.ninja" ] ||
    CC=clang meson setup "$build" "$(dirname "$0")/.." -Dwerror=true -Dfuzz=true -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=debug -Doptimization=1 >/dev/null || exit 1
[ "${2:-}" != --setup ] || exit 0
ninja -C "$build" >"$build/build.log" 2>&1 || { grep -E 'error:|FAILED' "$build/build.log" | head -20; echo "the clang build failed"; exit 1; }
CC_TEST_ROUNDS=${CC_TEST_ROUNDS:-10} ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
    meson test -C "$build" --no-rebuild --suite unit --timeout-multiplier 4 --print-errorlogs
