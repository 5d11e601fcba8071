#!/bin/sh
# What judging loops is worth and costs. First the labelled loops and random nests, by two compilers at all levels (COUNT nests a level);
# then user time of recording with --loops count and dependences, sampled and exact, over --loops none, and memory, on the programs of bench/.
# The time part wants an idle machine: minimum of REPEAT runs.
set -eu
BUILD=${BUILD:-build} COUNT=${COUNT:-1700} REPEAT=${REPEAT:-3}
CORECAST=$(cd "$BUILD" && pwd)/corecast SOURCE=$(cd "$(dirname "$0")/.." && pwd)
export CORECAST SOURCE
if [ "${1:-all}" != cost ]; then
    COMPILERS="gcc clang" LEVELS="0 1 2 3" HARD_LEVELS="0 1 2 3" sh "$SOURCE/tests/loops/labels.sh" | grep -E '^(# |not ok)' || true
    COMPILERS="gcc" LEVELS="0 1 2" COUNT=$COUNT sh "$SOURCE/tests/loops/random.sh" | grep -E '^(# |not ok)' || true
fi
[ "${1:-all}" != verdicts ] || exit 0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# cost PROGRAM OPTION…: least user seconds, and the largest memory in MiB
cost() {
    prog=$1 best=""
    shift
    for _ in $(seq "$REPEAT"); do
        /usr/bin/time -f '%U %M' -o "$work/t" "$CORECAST" record -q "$@" -o "$work/p.cast" -- "$work/$prog" >/dev/null
        read -r user memory <"$work/t"
        best=$(printf '%s\n%s' "$best" "$user" | grep . | sort -n | head -1)
    done
    echo "$best $((memory / 1024))"
}
printf '%-10s %8s %8s %12s %8s %s\n' program 'none s' count dependences exact 'MiB: none dependences exact, bound (12 bytes a byte + 128)'
for p in ${PROGRAMS:-sort tree fft compress bytecode join json regex}; do
    gcc -O2 -g -o "$work/$p" "$SOURCE/bench/programs/$p.c" -lm 2>/dev/null || continue
    # shellcheck disable=SC2046
    set -- $(cost "$p" --loops none) $(cost "$p" --loops count) $(cost "$p" --loops dependences) $(cost "$p" --loops dependences --exact)
    own=$(/usr/bin/time -f %M "$work/$p" 2>&1 >/dev/null | tail -1)
    awk -v p="$p" -v own="$own" -v a="$1" -v am="$2" -v b="$3" -v c="$5" -v cm="$6" -v d="$7" -v dm="$8" 'BEGIN { bound = own / 1024 * 12 + 128; missed = (cm > bound || dm > bound) ? " MISSED" : ""; printf "%-10s %8.2f %8.2f %12.2f %8.2f %d %d %d, %d%s\n", p, a, b / a, c / a, d / a, am, cm, dm, bound, missed }'
done
