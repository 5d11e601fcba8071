#!/bin/sh
# What judging loops is worth and costs. First the labelled loops and random nests, by two compilers at all levels (COUNT nests a level);
# then user time of recording with --loops count and dependences, sampled and exact, over --loops none, and memory, on the programs of bench/.
# The time part wants an idle machine: minimum of REPEAT runs. SIZES="1 4 16": so many times the default size each, which tells what is
# spent once from what grows with the run; MODES leaves some out ("count dependences": exact takes long).
set -eu
BUILD=${BUILD:-build} COUNT=${COUNT:-1700} REPEAT=${REPEAT:-3} SIZES=${SIZES:-1} MODES=${MODES:-count dependences exact}
CORECAST=$(cd "$BUILD" && pwd)/corecast SOURCE=$(cd "$(dirname "$0")/.." && pwd)
export CORECAST SOURCE
if [ "${1:-all}" != cost ]; then
    COMPILERS="gcc clang" LEVELS="0 1 2 3" HARD_LEVELS="0 1 2 3" sh "$SOURCE/tests/loops/labels.sh" | grep -E '^(# |not ok)' || true
    COMPILERS="gcc" LEVELS="0 1 2" COUNT=$COUNT sh "$SOURCE/tests/loops/random.sh" | grep -E '^(# |not ok)' || true
fi
[ "${1:-all}" != verdicts ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# arguments PROGRAM TIMES: of a run that is so many times as long as the default one
arguments() {
    case $1 in
    fft) echo 16 $((4 * $2)) ;;
    compress) echo $((1048576 * $2)) ;;
    json) echo $((20000 * $2)) ;;
    regex) echo $((4000 * $2)) ;;
    bytecode) echo $((3000 * $2)) ;;
    join) echo $((300000 * $2)) ;;
    tree) echo $((400000 * $2)) ;;
    sort) echo $((12000000 * $2)) ;;
    esac
}
# cost OPTION…: least user seconds of the program with its arguments, and the largest memory in MiB
cost() {
    best=""
    for _ in $(seq "$REPEAT"); do
        # shellcheck disable=SC2086
        /usr/bin/time -f '%U %M' -o "$work/t" "$CORECAST" record -q "$@" -o "$work/p.cast" -- "$work/$prog" $arguments >/dev/null
        read -r user memory <"$work/t"
        best=$(printf '%s\n%s' "$best" "$user" | grep . | sort -n | head -1)
    done
    echo "$best $((memory / 1024))"
}
# one MODE: its time over that of none, and its memory
one() {
    case " $MODES " in
    *" $1 "*) ;;
    *) echo "- 0" && return ;;
    esac
    case $1 in
    exact) cost --loops dependences --exact ;;
    *) cost --loops "$1" ;;
    esac | awk -v none="$none" '{ printf "%.2f %d\n", $1 / none, $2 }'
}
printf '%-12s %8s %8s %12s %8s %s\n' program 'none s' count dependences exact 'MiB: none dependences exact, bound (12 bytes a byte + 128)'
for prog in ${PROGRAMS:-sort tree fft compress bytecode join json regex}; do
    gcc -O2 -g -o "$work/$prog" "$SOURCE/bench/programs/$prog.c" -lm 2>/dev/null || continue
    for size in $SIZES; do
        arguments=$(arguments "$prog" "$size")
        # shellcheck disable=SC2046
        set -- $(cost --loops none)
        none=$1 memory=$2
        # shellcheck disable=SC2046
        set -- $(one count) $(one dependences) $(one exact)
        # shellcheck disable=SC2086
        own=$(/usr/bin/time -f %M "$work/$prog" $arguments 2>&1 >/dev/null | tail -1)
        awk -v p="$prog x$size" -v own="$own" -v a="$none" -v am="$memory" -v b="$1" -v c="$3" -v cm="$4" -v d="$5" -v dm="$6" 'BEGIN { bound = own / 1024 * 12 + 128; missed = (cm > bound || dm > bound) ? " MISSED" : ""; printf "%-12s %8.2f %8s %12s %8s %d %d %d, %d%s\n", p, a, b, c, d, am, cm, dm, bound, missed }'
    done
done
