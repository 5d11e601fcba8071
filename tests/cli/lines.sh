#!/bin/sh
# corecast report --view lines: figures by line of source, against what a disassembly says; a source with its figures.
. "$(dirname "$0")/lib.sh"
N=1000
cp "$SOURCE/tests/cli/programs/lines.c" prog.c

# expected PROG: "line instructions" of `kernel`, whose one loop is executed N times, by objdump
expected() {
    objdump -dl --no-show-raw-insn "$1" | awk -v n=$N '
/^[0-9a-f]+ <kernel>:$/ { inside = 1; next }
/^[0-9a-f]+ </ { inside = 0 }
inside && /prog\.c:[0-9]+/ { line = $0; sub(/.*prog\.c:/, "", line); sub(/[^0-9].*/, "", line) }
inside && returned && /nop|xchg +%ax,%ax|int3/ { next } # fills up to the next function
inside && /^ +[0-9a-f]+:\t/ {
    returned = $2 == "ret"; k++; at = $1; sub(/:/, "", at); address[k] = at; of[k] = line; index_of[at] = k
    if (match($0, /[0-9a-f]+ <kernel\+0x[0-9a-f]+>/)) { to = substr($0, RSTART, RLENGTH); sub(/ .*/, "", to); if (to in index_of) { first = index_of[to]; last = k } }
}
END { for (i = 1; i <= k; i++) count[of[i]] += i >= first && i <= last ? n : 1; for (l in count) print l, count[l] }' | sort -n
}
run_total() { "$CORECAST" report p.cast --json | jq -c '[.instructions,.bytes_read,.bytes_written]'; }

check() { # check NAME PROG
    cc report p.cast --view lines --json
    is "$RC $(json '[.schema,.version]|tostring')" '0 ["corecast.lines",1]' "$1: schema"
    is "$(json '[.files[].lines[].instructions]|add')" "$(run_total | jq '.[0]')" "$1: lines and what has none add up to the run"
    # what depends on a condition may be counted too often
    is "$(json ".total|[.bytes_read,.bytes_written]|add-($(run_total | jq '.[1]+.[2]'))|.>=0" | grep -c true)" 1 "$1: no byte is lost"
    is "$(json ".total|(.bytes_read+.bytes_written-.bytes_conditional)<=$(run_total | jq '.[1]+.[2]')")" true "$1: none is there twice"
    is "$(json '[.lines[].instructions]|add')" "$(json '.total.instructions')" "$1: the flat list has the same"
    cc report p.cast --view lines --focus kernel --json
    is "$(json '.files[]|select(.file//""|endswith("/prog.c"))|.lines[]|"\(.line) \(.instructions)"')" "$(expected "$2")" "$1: each line as the disassembly says"
    is "$(json '[.files[].lines[].instructions]|add')" \
        "$("$CORECAST" report p.cast --view functions --json | jq '.functions[]|select(.name=="kernel").exclusive')" "$1: they add up to the function's own"
    is "$(json '[.files[].lines[].bytes_written]|add>=8*1000')" true "$1: its writes"
}

returned=0 # bytes that a return reads
[ "$(uname -m)" = x86_64 ] && returned=8
for flags in "-O0" "-O2"; do
    gcc $flags -g -o prog "$PWD/prog.c" 2>err || { skip "$flags" "no gcc"; continue; }
    for engine in valgrind qemu; do
        cc record -q --engine $engine -o p.cast -- ./prog
        check "gcc $flags, $engine" prog
        [ "$flags" = -O2 ] && is "$(json '[.total|.bytes_read,.bytes_written]|tostring')" "[$((8000 + returned)),8000]" "gcc $flags, $engine: bytes of the loop"
    done
done
# a file by any of its names
mkdir -p beside && ln -s "$PWD" beside/link
cc report p.cast --view lines --annotate "$PWD/prog.c" && cp out annotated
for name in prog.c ./prog.c ././prog.c beside/../prog.c beside/link/prog.c "../${PWD##*/}/prog.c"; do
    cc report p.cast --view lines --annotate "$name"
    cmp -s out annotated; ok $? "--annotate $(echo "$name" | sed "s/${PWD##*/}/HERE/")"
done
cp prog.c beside/other.c
cc report p.cast --view lines --annotate beside/other.c; fails 3 "no code of 'beside/other.c'" "a file like it is another"
if command -v clang >/dev/null && clang -O1 -g -o clanged "$PWD/prog.c" 2>err; then
    cc record -q -o p.cast -- ./clanged # which has no .debug_aranges
    check "clang -O1" clanged
else
    skip "clang" "no clang here"
fi
for target in arm-linux-gnueabihf "arm-linux-gnueabihf -marm" riscv64-linux-gnu x86_64-linux-gnu aarch64-linux-gnu mipsel-linux-gnu; do
    compiler=${target%% *}-gcc
    # shellcheck disable=SC2086
    if ! command -v "$compiler" >/dev/null || ! $compiler ${target#"${target%% *}"} -O1 -g -static -o crossed "$PWD/prog.c" 2>err; then
        skip "$target" "no compiler here"
        continue
    fi
    cc record -q --engine qemu -o c.cast -- ./crossed
    [ "$RC" -eq 0 ] || { skip "$target" "does not run here"; continue; }
    cc report c.cast --view lines --focus kernel --json
    is "$(json '[.total|.bytes_written>=8000,.bytes_read>=8000,.bytes_written<9000]|all')" true "$target: bytes of the loop"
    is "$(json '.total.instructions')" "$("$CORECAST" report c.cast --view functions --json | jq '.functions[]|select(.name=="kernel").exclusive')" "$target: instructions"
done

# --- for KCachegrind and callgrind_annotate
commas() { awk '{ s = $1; while (match(s, /[0-9][0-9][0-9][0-9]($|,)/)) s = substr(s, 1, RSTART) "," substr(s, RSTART + 1); print s }'; }
for flags in "-O0" "-O2"; do
    gcc $flags -g -o prog "$PWD/prog.c" 2>err || continue
    cc record -q -o p.cast -- ./prog
    cc report p.cast --view lines --json
    totals=$(json '.total|"\(.instructions) \(.bytes_read) \(.bytes_written)"')
    cc export p.cast --to callgrind -o callgrind.out.1
    is "$RC $(awk '/^calls=/ { getline; next } /^[0-9]/ { a += $2; b += $3; c += $4 } END { printf "%d %d %d", a, b, c }' callgrind.out.1)" "0 $totals" \
        "callgrind $flags: costs of lines add up to the run"
    is "$(sed -n 's/^summary: //p' callgrind.out.1)" "$totals" "callgrind $flags: which the summary says"
    command -v callgrind_annotate >/dev/null || { skip "callgrind_annotate $flags" "not here"; continue; }
    callgrind_annotate --auto=yes --threshold=100 --show=Ir callgrind.out.1 >note 2>err
    is "$? $(awk '/PROGRAM TOTALS/ { print $1 }' note)" "0 $(echo "$totals" | commas)" "callgrind_annotate $flags: the total"
    for line in 9 16 17 18 19; do # in the loop; what is optimized away has no cost
        want=$(expected prog | awk -v l=$line '$1 == l { print $2 }' | commas)
        is "$(sed -n "/Auto-annotated source: .*prog.c/,/Auto-annotated/p" note | grep -F "$(sed -n "${line}p" prog.c)" | awk '{ print $1 }')" "${want:-.}" \
            "callgrind_annotate $flags: line $line"
    done
done

# --- the source and its figures
gcc -O0 -g -o prog "$PWD/prog.c" 2>err
cc record -q -o p.cast -- ./prog
cc report p.cast --view lines
grep -q 's = mix(s, x\[i\]);' out
ok $? "the heaviest lines with their source"
cc report p.cast --view lines --annotate prog.c
is "$RC $(grep -c '^ *\. ' out) $(tail -1 out | awk '{print $NF}')" "0 $(($(wc -l <prog.c) - $(expected prog | wc -l) - 3)) }" "a file with its figures, dots where nothing ran"
cc report p.cast --view lines --annotate prog.c --json
is "$(json '[.files[].file]|map(endswith("prog.c"))|tostring')" "[true]" "as JSON: only that file"
cc report p.cast --view lines --annotate prog.x
fails 3 "prog.x.*was executed" "a file that has no code"
cc report p.cast --view functions --annotate prog.c
fails 2 "annotate" "an option of this view only"
touch -d '+1 hour' prog.c
cc report p.cast --view lines --annotate prog.c
is "$RC $(grep -c 'changed after the recording' out)" "0 0" "a source that is only newer is the same"
cp prog.c kept.c && echo >>prog.c
cc report p.cast --view lines --annotate prog.c
grep -q "changed after the recording" out
ok $? "a source that was changed is said"
cc report p.cast --view lines
grep -q "prog.c' was changed after the recording" out
ok $? "in the list as well"
mkdir -p away/deep && mv kept.c away/deep/prog.c && rm prog.c
cc report p.cast --view lines --annotate prog.c
grep -q "cannot be read" out && grep -q " $(expected prog | head -1 | cut -d' ' -f1) *$" out
ok $? "a source that is missing is said, its figures are shown"
cc report p.cast --view lines --annotate prog.c --source away/deep
is "$RC $(grep -c 'mix(s, x' out)" "0 1" "a source that lies elsewhere"
cp away/deep/prog.c prog.c && mkdir -p build && (cd build && gcc -O0 -g -o ../relative ../prog.c) 2>err
cc record -q -o q.cast -- ./relative
cc report q.cast --view lines --annotate prog.c
is "$RC $(grep -c 'mix(s, x' out)" "0 1" "a source whose path starts from where the compiler ran"
line='template<class T> T total(const std::vector<T> &v) { T s = 0; for (std::size_t i = 0; i < v.size(); i++) s += v[i]; return s; }'
printf '#include <vector>\n%s\nint main() { std::vector<int> v(10, 1); return total(v) - 10; }\n' "$line" >wide.cc
g++ -O1 -g -o wide wide.cc && cc record -q -o q.cast -- ./wide
cc report q.cast --view lines --annotate wide.cc
is "$RC $(grep -cF "$line" out)" "0 1" "a line of C++ is shown whole"
cc report p.cast --view lines --csv
is "$(head -1 out)" "instructions,bytes_read,bytes_written,file,line" "CSV"
cc report p.cast --view lines --svg l.svg
is "$RC $(grep -c 'prog.c:' l.svg | awk '{print ($1 > 0)}')" "0 1" "a drawing"
cc record -q --plain -o p.cast -- ./prog
cc report p.cast --view lines
fails 3 "without the code" "a plain recording has none"
done_testing
