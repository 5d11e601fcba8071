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
# has_ranks: whether Open MPI is there; it may then run more processes than there are processors
has_ranks() {
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
    command -v mpirun >/dev/null && ldconfig -p | grep -q 'libmpi\.so\.40'
}
# kill_rank ARGS: two processes of `corecast ARGS`, the second of which is killed as soon as it runs, wherever it is then
kill_rank() {
    cat >"$WORK/killed.sh" <<'XX'
"$CORECAST" "$@" &
while kill -0 $! && ! grep -q libmpi /proc/$!/maps; do :; done
kill -KILL $!
kill -KILL $$
XX
    timeout 60 mpirun -n 1 "$CORECAST" "$@" : -n 1 sh "$WORK/killed.sh" "$@" >"$WORK/out" 2>"$WORK/err"
    RC=$?
}
# rank_is_missed FILE WHAT: after kill_rank, it is told (by the signal or, where mpirun finds both ended at once, by the
# status), and of the file nothing is there
rank_is_missed() {
    is "$([ $RC -ne 0 ] && [ $RC -ne 124 ] && echo fails) $(ls "$1"* 2>/dev/null) $(grep -q -e 'rank 1 with PID' -e '1 process returned' "$WORK/err" && echo told)" "fails  told" "$2: one that is killed ends all: it is told, and nothing is half-written"
}
json() { jq -r "$1" "$WORK/out"; } # json FILTER: from the last cc's output
done_testing() {
    echo "1..$TAP_N"
    [ "$TAP_FAILED" -eq 0 ]
}
