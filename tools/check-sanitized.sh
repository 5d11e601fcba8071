#!/bin/sh
# Builds everything with clang, warnings as errors, under ASan and UBSan, and runs the unit tests there: with a tenth of their random rounds, which the first
# pass has judged; what is left is that they touch no memory that is not theirs.   CC_TEST_ROUNDS=100 tools/check-sanitized.sh BUILD: with all of them
# What goes wrong ends the test, and lines are all that is told of places: so it is built in half the time.
build=${1:-build}-clang
compiler="$(command -v ccache || true) clang"
[ -f "$build/build.ninja" ] ||
    CC=${compiler# } meson setup "$build" "$(dirname "$0")/.." -Dwerror=true -Db_sanitize=address,undefined -Db_lundef=false -Dbuildtype=plain -Doptimization=1 \
        '-Dc_args=-gline-tables-only -fno-sanitize-recover=all' -Dc_link_args=--rtlib=compiler-rt >/dev/null || exit 1
ninja -C "$build" >"$build/build.log" 2>&1 || { grep -E 'error:|FAILED' "$build/build.log" | head -20; echo "the clang build failed"; exit 1; }
CC_TEST_ROUNDS=${CC_TEST_ROUNDS:-10} ASAN_OPTIONS=detect_leaks=0 UBSAN_OPTIONS=print_stacktrace=1 \
    meson test -C "$build" --no-rebuild --suite unit --timeout-multiplier 4 --print-errorlogs
