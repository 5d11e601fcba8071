#!/bin/sh
# The rooms that use threads, under ThreadSanitizer: a build of its own, and the unit tests that get there.   tools/check-threads.sh BUILD
build=${1:-build}-tsan
compiler="$(command -v ccache || true) clang"
[ -f "$build/build.ninja" ] ||
    CC=${compiler# } meson setup "$build" "$(dirname "$0")/.." -Db_sanitize=thread -Db_lundef=false -Dbuildtype=plain -Doptimization=1 -Dc_args=-gline-tables-only >/dev/null || exit 1
tests="parallel native $(cd "$(dirname "$0")/.." && grep -rlE 'cc_parallel|pthread_create' src/analysis --include='*.c' | grep -v /test_ | xargs -n 1 dirname | sort -u |
    while read -r room; do sed -n "s/.*room_tests += \[\['\([a-z-]*\)'.*/\1/p" "$room/meson.build"; done | sort -u | tr '\n' ' ')"
targets=""
for t in $tests; do targets="$targets tests/test-$t"; done
ninja -C "$build" $targets >"$build/build.log" 2>&1 || { grep -E 'error:|FAILED' "$build/build.log" | head; exit 1; }
echo "under ThreadSanitizer: $tests"
CC_TEST_ROUNDS=${CC_TEST_ROUNDS:-10} TSAN_OPTIONS=halt_on_error=1:second_deadlock_stack=1 meson test -C "$build" --no-rebuild --suite unit --timeout-multiplier 10 --print-errorlogs $tests
