#!/bin/sh
# Random loop nests against the model that runs them access by access (tests/loops/random.sh has a quick part): COUNT programs from
# SEED on, each at each of LEVELS by COMPILER, one process at low priority; MODE=rich or c++: nests of more kinds. What was judged is kept in OUT, so it goes on where it was
# stopped; the last lines are the counts of all that is there. Fails if one loop that needs its order is called free.
set -eu
BUILD=${BUILD:-build} COUNT=${COUNT:-5000} SEED=${SEED:-100000} EACH=${EACH:-50} COMPILER=${COMPILER:-gcc} LEVELS=${LEVELS:-0 1 2} MODE=${MODE:-}
CORECAST=$(cd "$BUILD" && pwd)/corecast SOURCE=$(cd "$(dirname "$0")/.." && pwd)
OUT=${OUT:-$BUILD/loops-random}
mkdir -p "$OUT"
OUT=$(cd "$OUT" && pwd)
. "$SOURCE/tests/loops/lib.sh"
renice -n 19 $$ >/dev/null 2>&1 || true
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$SOURCE/tests/loops/loops.h" "$work"
cd "$work"
gcc -O1 -o generate "$SOURCE/tests/loops/generate.c"

random=random.c by=$COMPILER kind=$COMPILER${MODE:+-$MODE}
if [ "$MODE" = c++ ]; then
    random=random.cc
    case $COMPILER in gcc) by=g++ ;; *) by=$COMPILER++ ;; esac
fi

# try SEED LEVEL: "line label verdict" of each loop of EACH programs that is in the binary
try() {
    # shellcheck disable=SC2086
    ./generate "$1" "$EACH" $MODE >"$random"
    "$by" -g "-O$2" -w -o prog "$random" && "$CORECAST" record -q --loops dependences -o p.cast -- ./prog >run 2>&1 &&
        "$CORECAST" report p.cast --view loops --json >out 2>err || return 1
    jq -r --arg f "/$random" '.loops[]|select((.file // "")|endswith($f))|select(.trips.max > 1 or .verdict != "unknown")|"\(.line) \(.verdict)"' out | sort -n -u >judged
    labels "$random" | awk 'NR == FNR { v[$1] = $2; next } $1 in v { print $0, v[$1] }' judged -
}

# counts LEVEL
counts() {
    find "$OUT" -name "$kind.$1.*.verdicts" | sort | xargs -r cat | awk -v level="$1" -v compiler="$kind" -v files="$(find "$OUT" -name "$kind.$1.*.verdicts" | wc -l)" -v each="$EACH" '
{ free = $3 == "parallel" || $3 == "private" || $3 == "reduction" }
$2 == "either" { next }
$2 == "no" { no++; bad += free; next }
{ there++; found += free }
END { printf "%s -O%s: %d programs, %d loops; %d that need their order, %d of them called free; %d of %d free ones found\n", compiler, level, files * each, no + there, no, bad, found, there; exit bad > 0 }'
}

seed=$SEED
while [ "$(((seed - SEED) * EACH))" -lt "$COUNT" ]; do
    for level in $LEVELS; do
        file=$OUT/$kind.$level.$seed.verdicts
        [ -e "$file" ] || { try "$seed" "$level" >some && mv some "$file"; } || { echo "$kind -O$level, seed $seed: not judged"; cat err run; exit 1; }
        awk -v at="$kind -O$level, seed $seed" '$2 == "no" && ($3 == "parallel" || $3 == "private" || $3 == "reduction") { print "WRONG " at ": line " $1 " is called " $3 }' "$file"
    done
    seed=$((seed + 1))
done
rc=0
for level in $LEVELS; do
    counts "$level" || rc=1
done
exit $rc
