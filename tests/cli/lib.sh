# Sourced by the command-line tests. They get the tool as $CORECAST, run in an empty folder and speak TAP.
set -u
CORECAST=${CORECAST:?path of the corecast program}
SOURCE=${SOURCE:?top of the source tree}
TAP_N=0
TAP_FAILED=0
WORK=$(mktemp -d)
trap 'cd /; rm -rf "$WORK"' EXIT
cd "$WORK" || exit 99
export LC_ALL=C.UTF-8
unset MALLOC_PERTURB_ # of the test runner, at random: recorded and simulated programs would fill what they allocate

ok() { # ok STATUS WHAT
    TAP_N=$((TAP_N + 1))
    if [ "$1" -eq 0 ]; then echo "ok $TAP_N - $2"; else
        echo "not ok $TAP_N - $2"
        TAP_FAILED=$((TAP_FAILED + 1))
        [ -s "$WORK/err" ] && sed 's/^/# /' "$WORK/err" | head -5
    fi
}
skip() { # skip WHAT WHY
    TAP_N=$((TAP_N + 1))
    echo "ok $TAP_N - $1 # SKIP $2"
}
is() { # is GOT WANT WHAT
    if [ "$1" = "$2" ]; then ok 0 "$3"; else
        echo "# got '$1', want '$2'"
        ok 1 "$3"
    fi
}
# cc ARGS: runs the tool; output in ./out and ./err, status in $RC. What it wrote as JSON is kept for tools/check-schema.py where make check wants that.
cc() {
    "$CORECAST" "$@" >"$WORK/out" 2>"$WORK/err"
    RC=$?
    case ${CC_KEEP_JSON:+" $* "} in
    *" --json "*) KEPT=$((${KEPT:-0} + 1)); [ "$RC" != 0 ] || cp "$WORK/out" "$CC_KEEP_JSON/$(basename "$0" .sh).$KEPT.$$.json" ;;
    esac
}
# fails STATUS PATTERN WHAT: the last cc ended so and its message matches
fails() {
    if [ "$RC" -eq "$1" ] && grep -qE -- "$2" "$WORK/err"; then ok 0 "$3"; else
        echo "# status $RC, want $1; message wanted: $2"
        ok 1 "$3"
    fi
}
# until_true COMMAND: waits until it succeeds, a minute at most: a busy machine takes its time
until_true() {
    for _ in $(seq 600); do eval "$1" 2>/dev/null && return 0; sleep 0.1; done
    return 1
}
same_machine() { [ "$("$1" -dumpmachine 2>/dev/null)" = "$(gcc -dumpmachine)" ]; } # same_machine COMPILER: what it makes is not foreign here
json() { jq -r "$1" "$WORK/out"; } # json FILTER: from the last cc's output
done_testing() {
    echo "1..$TAP_N"
    [ "$TAP_FAILED" -eq 0 ]
}
