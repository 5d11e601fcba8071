#!/bin/sh
# The labelled loops, compiled by each compiler at each level, recorded and judged. COMPILERS and LEVELS choose; the
# defaults are a quick part, `make bench-loops` takes all.
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/loops/lib.sh"
: "${COMPILERS:=gcc}" "${LEVELS:=0 2}" "${HARD_LEVELS:=2}"

# judge: reads "line label verdict trips rests", prints counts: sequential called free, free ones found, free ones there, ordered missed.
# A loop of which the compiler left no way back, or none that was ever taken (trips: 1), is not there. One that another
# input may change (label: input) may be called free if its sentence says so, without a pragma (rests). Of one that may
# be called free or not (label: either) nothing is asked; it stands beside the loop that is meant.
judge() {
    awk '{ free = $3 == "parallel" || $3 == "private" || $3 == "reduction"; is_free = $2 == "parallel" || $2 == "private" || $2 == "reduction" }
$3 == "absent" { absent++; next }
!free && $4 < 2 { once++; next }
$2 == "input" && $5 == "true" { next }
$2 == "either" { next }
!is_free && free { wrong++; print "# WRONG line " $1 ": " $2 " is called " $3 > "/dev/stderr" }
is_free { there++; if (free) found++; else print "# missed line " $1 ": " $2 " is called " $3 > "/dev/stderr" }
is_free && free && $2 != $3 { other++; print "# other line " $1 ": " $2 " is called " $3 > "/dev/stderr" }
$2 == "ordered" && $3 != "ordered" { disorder++; print "# line " $1 ": ordered is called " $3 > "/dev/stderr" }
END { print wrong + 0, found + 0, there + 0, disorder + 0, absent + 0, once + 0, other + 0 }'
}

trial() { # trial FILE COMPILER LEVEL [OPTION]
    name="$1 $2 -O$3 ${4:-}"
    # shellcheck disable=SC2086
    "$2" -g "-O$3" ${4:-} -w -o prog "$SOURCE/tests/loops/$1" -lm 2>err || { ok 1 "$name: it compiles"; return; }
    cc record --loops dependences -o p.cast -- ./prog
    is "$RC" 0 "$name: it is recorded"
    cc report p.cast --view loops --json
    is "$RC" 0 "$name: it is judged"
    jq -r --arg f "$1" '.loops[]|select((.file // "")|endswith($f))|(.line, "\(.line):\(.column)") as $at|"\($at) \(.verdict) \(.trips.max) \((.sentence|test("with this input")) and .pragma == null)"' out | sort -n -u >verdicts
    is "$(jq -r '.loops[]|.line as $at|.clauses|(.private + .lastprivate) as $own|.reduction[]|.variable|select(. as $v|$own|index($v))|"\($at): \(.)"' out)" "" "$name: no variable stands in two clauses"
    labels "$SOURCE/tests/loops/$1" | awk 'NR == FNR { v[$1] = $2 " " $3 " " $4; next } { print $0, $1 in v ? v[$1] : "absent" }' verdicts - | judge >counts 2>told
    read -r wrong found there disorder absent once other <counts
    cat told
    echo "# $name: $found of $there free loops found ($other of them as another kind), $wrong called free wrongly, $absent not in the binary, $once never went round there"
    is "$wrong" 0 "$name: no loop that needs an order is called free"
    is "$disorder" 0 "$name: what is only ordered is called so"
}

# plus COMPILER: the same for C++
plus() { [ "$1" = gcc ] && echo g++ || echo "$1++"; }

# counted: the free ones of the last trial are of those that have to be found
counted() { FOUND=$((FOUND + found)) THERE=$((THERE + there)); }

# permuted COMPILER LEVEL: after a trial, the loops that were called free give the same in any order
permuted() {
    name="$1 -O$2"
    cp "$SOURCE/tests/loops/loops.h" .
    "$1" "-O$2" -ffp-contract=off -o straight "$SOURCE/tests/loops/independent.c" 2>err && ./straight >want
    for order in reversed shuffled; do
        sh "$SOURCE/tools/permute-loops.sh" "$order" "$SOURCE/tests/loops/independent.c" <out >permuted.c &&
            "$1" "-O$2" -ffp-contract=off -o permuted permuted.c 2>err && ./permuted >got
        is "$(cat got)" "$(cat want)" "$name: $(grep -c cc_t permuted.c) loops $order"
    done
    [ "$(grep -c cc_t permuted.c)" -ge 30 ]
    ok $? "$name: and these are not few"
}

# annotated FILE: after a trial, the source has beside each loop's line what the view of loops says of it
annotated() {
    jq -r --arg f "$1" '.loops[]|select((.file // "")|endswith($f))|"\(.line) \(.verdict)"' out | sort -n -u >said
    cc report p.cast --view lines --annotate "$1"
    awk '{ for (i = 1; i < NF; i++) if ($i ~ /^(parallel|private|reduction|ordered|sequential|unknown)$/ && $(i + 1) ~ /^[0-9]+$/) { print $(i + 1), $i; next } }' out | sort -n >shown
    is "$(cat shown)" "$(cat said)" "$1: its source with the verdicts beside it"
    cc report p.cast --view lines --annotate "$1" --json
    is "$(jq -r '.loops[]|"\(.line) \(.verdict)"' out | sort -n -u)" "$(cat said)" "$1: as JSON"
}

# offered FILE: after a trial, each free loop has its pragma, and is not told to rest on this input
offered() {
    labels "$1" | awk '$2 ~ /^(parallel|private|reduction)$/ { print $1 }' | sort >free
    jq -r --arg f "$1" '.loops[]|select(((.file // "")|endswith($f)) and .pragma)|.line' out | sort -u >written
    is "$(comm -23 free written)" "" "$1: every free loop has its pragma"
}

# worded FILE: after a trial, each pragma has the clauses that stand behind its loop
worded() {
    awk '{ i = index($0, "// omp"); if (i) { s = substr($0, i + 6); sub(/^ /, "", s); print FNR "|" s } }' "$1" >want
    jq -r --arg f "$(basename "$1")" '.loops[]|select((.file // "")|endswith($f))|"\(.line)|\(.pragma // "none" | sub("#pragma omp parallel for ?"; ""))"' out | sort -n -u >said
    is "$(awk -F'|' 'NR == FNR { v[$1] = $2; next } $1 in v && v[$1] != $2 { print $1, v[$1] }' said want)" "" "$1: clauses are as written there"
}

# owned FILE: after a trial, no pragma leaves out what each thread has to have for itself (own: NAME behind its loop)
owned() {
    awk 'match($0, /own: [a-z]+/) { print FNR, substr($0, RSTART + 5, RLENGTH - 5) }' "$SOURCE/tests/loops/$1" >own
    jq -r --arg f "$1" '.loops[]|select(((.file // "")|endswith($f)) and .pragma and .depth == 0)|"\(.line) \(.pragma)"' out >written
    is "$(awk 'NR == FNR { own[$1] = $2; next } $1 in own && $0 !~ "[(, ]" own[$1] "[,)]"' own written)" "" "$1: what is a thread's own has its clause"
}

FOUND=0 THERE=0
for compiler in $COMPILERS; do
    for level in $LEVELS; do
        trial independent.c "$compiler" "$level"
        counted
        permuted "$compiler" "$level"
        trial dependent.c "$compiler" "$level"
        counted
        [ "$level" != 0 ] || trial unset.c "$compiler" "$level"
        [ "$level" != 0 ] || trial narrow.c "$compiler" "$level"
        [ "$level" != 0 ] || trial arms.c "$compiler" "$level"
        [ "$level" != 0 ] || trial fresh.c "$compiler" "$level"
        [ "$level" != 0 ] || is "$found" "$there" "fresh.c: pointers that are declared above their loops are private"
        trial objects.cc "$(plus "$compiler")" "$level"
    done
    for level in $HARD_LEVELS; do
        for file in kernels applications solvers particles steps suites named outside alone structs hidden last; do
            trial "$file.c" "$compiler" "$level"
            counted
        done
        for file in aliases order sweeps traps handed short types gone odd narrow views common late filled copies moved tables luck again given records lend input peeks forwarded rows neighbours vanished spilled leads keeping scans lanes members rests fresh kept colours elsewhere texts arms patterns locks kits flows classes gradients states refilled bytes scattered columns; do
            trial "$file.c" "$compiler" "$level"
        done
        trial worded.c "$compiler" "$level"
        worded "$SOURCE/tests/loops/worded.c"
        trial races.c "$compiler" "$level"
        trial inlined.c "$compiler" "$level"
        trial ugly.c "$compiler" "$level"
        trial unrolled.c "$compiler" "$level"
        annotated unrolled.c
        trial unrolled.c "$compiler" "$level" -funroll-loops
        trial arms.c "$compiler" "$level" -funroll-loops
        owned arms.c
        for file in implicit traps ways keepers odd plain language elements copies moved luck around peeks abreast leads strings holds kept extremes heads fields thrown scattered; do
            trial "$file.cc" "$(plus "$compiler")" "$level"
        done
        for file in everyday hands iterators counts; do
            trial "$file.cc" "$(plus "$compiler")" "$level" -std=c++17
        done
        trial bindings.cc "$(plus "$compiler")" "$level" -std=c++17
        trial told.cc "$(plus "$compiler")" "$level" -std=c++17
        trial minis.cc "$(plus "$compiler")" "$level" -std=c++17
        trial looks.cc "$(plus "$compiler")" "$level"
        [ "$compiler $level" != "gcc 2" ] || is "$found" "$there" "looks.cc: what no other iteration writes need not be loaded"
        for file in containers idioms; do
            trial "$file.cc" "$(plus "$compiler")" "$level"
            [ "$compiler $level $(uname -m)" != "gcc 2 x86_64" ] || is "$found" "$there" "$file.cc: all of them are found"
        done
        trial aside.c "$compiler" "$level"
        [ "$compiler $level $(uname -m)" != "gcc 2 aarch64" ] || is "$found" "$there" "aside.c: registers put aside are no iterations"
        trial entries.c "$compiler" "$level"
        [ "$compiler $level $(uname -m)" != "gcc 2 aarch64" ] || is "$found" "$there" "entries.c: loops of several entries are known"
        trial users.cc "$(plus "$compiler")" "$level"
        # on x86-64 g++ keeps the sorted numbers of the last loop in registers
        [ "$level" != 2 ] || [ "$there" -le $((found + ($(uname -m | grep -c x86_64)))) ]
        ok $? "users.cc: all of them are found"
        trial references.cc "$(plus "$compiler")" "$level"
        [ "$compiler $level" != "gcc 2" ] || is "$found" "$there" "references.cc: who only looks at a counter does no harm"
        trial points.cc "$(plus "$compiler")" "$level"
        [ "$compiler $level" != "gcc 2" ] || is "$found" "$there" "points.cc: parts of a record are no copies"
        trial modern.cc "$(plus "$compiler")" "$level" -std=c++17
        # on x86-64 one is lost: the stencil by clang, whose grids are made in one line and have one name, the search in a map by g++
        [ "$level" != 2 ] || [ "$there" -le $((found + $(uname -m | grep -c x86_64))) ]
        ok $? "modern.cc: all of them are found"
        trial templates.cc "$(plus "$compiler")" "$level"
        [ "$level $(uname -m)" != "2 aarch64" ] || is "$found" "$there" "templates.cc: all of them are found"
        # gcc -O1 leaves no line of a conversion that counts
        [ "$level" != 2 ] || trial templates.cc "$(plus "$compiler")" 1
        # what gcc -O3 makes of rows, halves of vectors, and sums that do not all fit into registers
        for file in lanes solvers records lend; do
            [ "$compiler $level" = "gcc 2" ] || continue
            trial "$file.c" gcc 3
            [ "$(uname -m)" != x86_64 ] || is "$found" "$there" "$file.c: all of them are found at -O3"
        done
        trial wild.cc "$(plus "$compiler")" "$level"
        [ "$compiler $level" != "gcc 2" ] || is "$found" "$there" "wild.cc: all of them are found"
    done
done
# what clang unrolls, in the quick part too: nothing that needs its order may be called free
if [ "$COMPILERS" = gcc ] && command -v clang >/dev/null; then
    trial modern.cc clang++ 2 -std=c++17
    trial bindings.cc clang++ 2 -std=c++17
    trial told.cc clang++ 2 -std=c++17
    # all of it in one function: the report has to end
    trial gradients.c clang 2
    for file in solvers particles outside races unrolled handed short gone common copies moved tables luck again given records lend input peeks forwarded rows neighbours vanished spilled leads keeping scans lanes members rests fresh kept colours elsewhere texts arms; do
        trial "$file.c" clang 2
        case "$file $(uname -m)" in "given aarch64" | "records aarch64" | "lend aarch64" | "solvers aarch64" | "particles aarch64" | "rows aarch64" | "spilled x86_64") is "$found" "$there" "$file.c: all of them are found" ;; esac
        [ "$file" != rows ] || offered rows.c
        [ "$file" != arms ] || owned arms.c
        # what vectors make of pairs
        if [ "$file" = arms ] && grep -q avx2 /proc/cpuinfo; then trial arms.c clang 2 -march=haswell; fi
        [ "$file $(uname -m)" != "again aarch64" ] || is "$found" "$there" "again.c: a number that is set anew is the same number"
    done
    trial gone.c clang 1 # a register is put aside under its variable's name
    for file in objects ways keepers copies moved users wild luck templates peeks references points leads strings holds kept looks extremes heads; do
        trial "$file.cc" clang++ 2
        [ "$file $(uname -m)" != "moved aarch64" ] || is "$found" "$there" "moved.cc: clang's one load of two looks by a method counts"
    done
fi
echo "# $FOUND of $THERE free loops found"
[ $((FOUND * 100)) -ge $((THERE * 97)) ]
ok $? "97 % of the free ones are found"
done_testing
