#!/bin/sh
# Random loop nests (generate.c), judged by brute force and by the tool. COUNT nests in files of 50, from SEED on, by each of COMPILERS at
# each of LEVELS; the defaults are a quick part, `make bench-loops` takes all.
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/loops/lib.sh"
: "${COMPILERS:=gcc}" "${LEVELS:=0 2}" "${COUNT:=50}" "${SEED:=1}" "${EACH:=50}"
GENERATE=${GENERATE:-$WORK/generate}
[ -x "$GENERATE" ] || gcc -O1 -o "$GENERATE" "$SOURCE/tests/loops/generate.c"
cp "$SOURCE/tests/loops/loops.h" .

# verdicts FILE COMPILER LEVEL: "line label verdict" of each loop that is in the binary. As in labels.sh, one whose way back was never taken
# (trips: 1, a vector loop of few iterations) is not there, unless it is called free.
verdicts() {
    "$2" -g "-O$3" -w -o prog "$1" && "$CORECAST" record -q --loops dependences -o p.cast -- ./prog >run 2>&1 &&
        "$CORECAST" report p.cast --view loops --json >out 2>err || return 1
    jq -r --arg f "/$1" '.loops[]|select((.file // "")|endswith($f))|select(.trips.max > 1 or .verdict != "unknown")|"\(.line) \(.verdict)"' out | sort -n -u >judged
    labels "$1" | awk 'NR == FNR { v[$1] = $2; next } $1 in v { print $0, v[$1] }' judged -
}

for compiler in $COMPILERS; do
    for level in $LEVELS; do
        : >all
        seed=$SEED
        while [ "$(((seed - SEED) * EACH))" -lt "$COUNT" ]; do
            "$GENERATE" "$seed" "$EACH" >"random$seed.c"
            verdicts "random$seed.c" "$compiler" "$level" >some || { ok 1 "$compiler -O$level, seed $seed: recorded and judged"; break; }
            sed "s/^/$seed:/" some >>all
            rm -f "random$seed.c"
            seed=$((seed + 1))
        done
        awk '{ free = $3 == "parallel" || $3 == "private" || $3 == "reduction" }
$2 == "either" { next }
$2 == "no" { bad += free; if (free) print "# WRONG " $0; next }
{ there++; found += free; if (!free) print "# missed " $0 }
END { print bad + 0, found + 0, there + 0 > "counts" }' all
        read -r wrong found there <counts
        echo "# $compiler -O$level: $(wc -l <all) loops, $wrong called free wrongly, $found of $there free ones found"
        is "$wrong" 0 "$compiler -O$level: no loop that needs an order is called free"
        # compilers take apart what these nests do with single elements: there "unknown" is the answer more often
        least=$([ "$level" = 0 ] && echo 95 || echo 85)
        [ $((found * 100)) -ge $((there * least)) ]
        ok $? "$compiler -O$level: $least % of the free ones are found"
    done
done
done_testing
