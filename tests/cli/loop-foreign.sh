#!/bin/sh
# Dependences under QEMU: what goes through memory is told, with its variable and lines; nothing is ever called free.
. "$(dirname "$0")/lib.sh"
PROGRAM=$SOURCE/tests/cli/programs/foreign-loops.c
line_of() { grep -n "/\* $1 \*/" "$PROGRAM" | cut -d: -f1; }
READ=$(line_of READ) WRITE=$(line_of WRITE)
# wanted: "line verdict pattern" of each labelled loop
sed -n "s/READ that/$READ that/; s/line WRITE/line $WRITE/; /wants: /=; s,.*/\* wants: \(.*\) \*/,\1,p" "$PROGRAM" | paste -d ' ' - - | grep -v ' any$' >wanted
# judged WHAT: the last recording against the labels; a loop that did not run is not asked
judged() {
    cc report p.cast --view loops --json
    is "$RC" 0 "$1: it is judged"
    jq -r '.loops[]|select((.file // "")|endswith("/foreign-loops.c"))|"\(.line) \(.verdict) \(.sentence)"' out | sort >said
    is "$(grep -c -E '^[0-9]+ (parallel|private|reduction) ' said)" 0 "$1: nothing is called free"
    while read -r line verdict pattern; do
        got=$(grep "^$line " said) || continue
        TOLD=$((TOLD + 1))
        printf '%s\n' "$got" | grep -v -E -- "^$line $verdict .*$pattern" | sed "s/^/# wanted '$verdict $pattern': /"
    done <wanted >wrong
    cat wrong
    is "$(wc -l <wrong)" 0 "$1: what goes through memory"
}
# trial MACHINE LEVEL [ARGUMENT]
trial() {
    what="$1 -O$2${3:+, threads}"
    if ! "$1-gcc" -g "-O$2" -w -static -pthread -o foreign "$PROGRAM" 2>/dev/null || ! "$CORECAST" record --engine qemu --plain -o try.cast ./foreign >/dev/null 2>&1; then
        skip "$what" "there is no compiler or no QEMU for it"
        return 1
    fi
    cc record --engine qemu --loops dependences -o p.cast ./foreign ${3:-}
    ok $RC "$what: recorded"
    TOLD=0
    judged "$what"
    is "$TOLD" "${WANT:-$([ $# -gt 2 ] && grep -c . wanted || echo $(($(grep -c . wanted) - 4)))}" "$what: each loop is there"
}
trial aarch64-linux-gnu 0 threads
trial aarch64-linux-gnu 1
trial riscv64-linux-gnu 1 threads
trial arm-linux-gnueabihf 1 threads
trial mips-linux-gnu 1 threads
trial mipsel-linux-gnu 1 threads
if trial x86_64-linux-gnu 1 threads; then
    cp said first
    cc record --engine qemu --loops dependences -o p.cast ./foreign threads
    judged "a second run"
    is "$(cat said)" "$(cat first)" "and says the same, with threads as well"
    cc record --engine qemu --loops dependences --exact -o p.cast ./foreign
    judged "all iterations"
    cc report p.cast --view loops --json && cp out first
    cc record --engine qemu --loops dependences --exact -o p.cast ./foreign
    cc report p.cast --view loops --json
    is "$(jq -c .loops out)" "$(jq -c .loops first)" "two runs of one thread are the same, to the last count"
    cc record --engine qemu --loops count -o n.cast ./foreign
    cc report n.cast --view loops --json
    is "$(jq -c '[.loops[]|[.id, .invocations, .iterations, .instructions]]' out)" "$(jq -c '[.loops[]|[.id, .invocations, .iterations, .instructions]]' first)" "and counts as without dependences"
fi
done_testing
