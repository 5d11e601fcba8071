#!/bin/sh
# Marks with known effects (programs/regions.c): streams between regions, frames, record on and off, intensity, marks that do not pair up; in both engines.
. "$(dirname "$0")/lib.sh"
PROGRAM=$SOURCE/tests/cli/programs/regions.c
cp "$PROGRAM" regions.c
gcc -O1 -g -fno-tree-vectorize -I "$SOURCE/include" -o regions regions.c -lpthread || exit 99

# record ENGINE PART…: into p.cast
record() {
    e=$1
    shift
    "$CORECAST" record --engine "$e" -o p.cast -- ./regions "$@" >prog.out 2>"$WORK/err"
}
# stream FROM TO: "bytes unma fresh" by region, of the last recording
stream() {
    "$CORECAST" report p.cast --view comm --by region --json | jq -r --arg f "$1" --arg t "$2" '[.edges[]|select(.from==$f and .to==$t)|"\(.bytes) \(.unma) \(.fresh)"]|join(";")'
}
flow() { "$CORECAST" report p.cast --view comm --json | jq -r --arg f "$1" --arg t "$2" '[.edges[]|select(.from==$f and .to==$t)|.bytes]|add // 0'; }
# matrix FROM TO: "written>read:bytes" of every entry
matrix() {
    "$CORECAST" report p.cast --view frames --by region --json |
        jq -r --arg f "$1" --arg t "$2" '[.streams[]|select(.from==$f and .to==$t)|"\(.producer_frame)>\(.consumer_frame):\(.bytes)"]|join(" ")'
}
# own_regions: name and instructions of the regions that call no library
own_regions() { "$CORECAST" report p.cast --view comm --by region --json | jq -r '.nodes[]|select(.kind=="region" and .name!="<outside>")|"\(.name) \(.instructions)"' | sort; }
# Figures are rounded where x86 differs: its returns read the stack.
figure() { "$CORECAST" report p.cast --view intensity --json | jq -r --arg f "$1" ".functions[]|select(.name==\$f)|[$2]|tostring"; }

for engine in valgrind qemu; do
    record $engine frames
    is "$(stream write read);$(stream write use)" "28000 4000 28000;3344 432 544" "$engine: streams between regions"
    is "$(matrix write read)" "1>2:4000 2>3:4000 3>4:4000 4>5:4000 5>6:4000 6>7:4000 7>8:4000" "$engine: frame k reads what frame k - 1 wrote, and nothing else"
    is "$(matrix write use)" "1>1:404 1>2:400 2>2:8 1>3:400 3>3:12 1>4:400 4>4:16 1>5:400 5>5:20 1>6:400 6>6:24 1>7:400 7>7:28 1>8:400 8>8:32" \
        "$engine: what was written in the same frame, and in the first"
    cc report p.cast --view frames --json
    is "$(json '[.schema,.by,.cut,(.frames|length)]|tostring')" '["corecast.frames","region",false,9]' "$engine: eight frames and what was before"
    is "$(json '[.frames[]|.length == ([.regions[].instructions]|add)]|all')" true "$engine: regions add up to their frame"
    is "$(json '.frames as $f|[range(1;9)|$f[.].start == $f[.-1].start+$f[.-1].length]|all')" true "$engine: frames follow each other"
    is "$(json '.totals[]|select(.from=="write" and .to=="use")|[.bytes,.intra,.peak_frame]|tostring')" '[3344,544,8]' "$engine: the stream in all"
    is "$(json '[.frames[].length]|add')" "$("$CORECAST" report p.cast --json | jq .instructions)" "$engine: frames add up to the run"
    cc report p.cast --view comm --by region --frame 3 --json
    is "$(json '[.frame,(.edges[]|select(.from=="write" and .to!="write")|[.to,.bytes,.unma])]|tostring')" '[3,["read",4000,null],["use",412,null]]' "$engine: one frame"
    own_regions >"own.$engine"

    record $engine nested
    is "$(stream outer inner);$(stream inner outer | cut -d' ' -f1)" "4000 4000 4000;2004" "$engine: nested regions"
    own=$(stream recursive recursive | cut -d' ' -f1)
    is "$((own >= 40 && own <= 40 + 64 * 4))" 1 "$engine: a region that calls itself is one node, also inside another (with the registers it saves)"
    own_regions >>"own.$engine"

    record $engine threads
    is "$(stream first join);$(stream second join)" "4000 4000 4000;1200 1200 1200" "$engine: regions in two threads at once"
    own_regions >>"own.$engine"

    record $engine signals
    is "$(stream handler 'main part')" "1320 440 1320" "$engine: a mark in a signal handler"
    is "$("$CORECAST" report p.cast --json | jq '.problems|length')" 0 "$engine: which pairs up"

    record $engine names
    cc report p.cast --view comm --by region --json
    is "$(json '[.nodes[]|select(.kind=="region")|.name|if length>100 then length else . end][:9]|tostring')" \
        '["<outside>","\"quoted\" '"'single'"' \\","two\nlines\tand \u001b[31m","größe ∑ 帧","<b>&amp;%n%s","","<input> (region)","\\xff\\xfe",4096]' "$engine: odd names"
    is "$("$CORECAST" report p.cast --json | jq .regions)" 9 "$engine: all of them"
    for style in graph timeline; do
        cc report p.cast --view comm --by region --min-share 0 --style $style --svg x.svg
        xmllint --noout x.svg; ok $? "$engine: they are drawn ($style)"
    done
    cc report p.cast --view comm --by region; is "$RC $(grep -c "$(printf '\033')" out)" "0 0" "$engine: and printed without harm"

    record $engine wrong
    at() { grep -n "$1" regions.c | head -1 | cut -d: -f1; }
    is "$(cat err)" "corecast: regions.c:$(at 'END("never begun")'): 'never begun' ends here, but it was not begun
corecast: regions.c:$(at 'END("left")'): 'left' ends here while 'right', begun at regions.c:$(at 'BEGIN("right")'), is still open
corecast: regions.c:$(at 'TASK_END("no task")'): 'no task' ends here, but it was not begun (3 times)
corecast: regions.c:$(at 'BEGIN("never ended")'): 'never ended' begins here and never ends" "$engine: record tells what is wrong, and where"
    cc report p.cast --json
    is "$(json '[.problems[]|[.kind,.file,.count]]|tostring')" '[["not begun","regions.c",1],["crosses","regions.c",1],["not begun","regions.c",3],["not ended","regions.c",1]]' "$engine: so does the summary"
    is "$(stream right 'never ended' | cut -d' ' -f1)" 4000 "$engine: the one that was crossed goes on"
    cc report p.cast; is "$(grep -c '  warning: regions.c:' out)" 4 "$engine: in text as well"

    record $engine off
    is "$(flow put sum)" $((2800 + 2400)) "$engine: reads while recording is off count nowhere, who wrote then stays known"
    is "$(stream seen after | cut -d' ' -f1)" 2400 "$engine: data goes over a pause"
    is "$("$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r '[.functions[]|select(.name=="put" or .name=="sum")|"\(.name) \(.calls)"]|sort|join(" ")')" "put 1 sum 2" \
        "$engine: calls while it is off do not count"
    [ "$("$CORECAST" report p.cast --json | jq .instructions)" -lt 200000 ]; ok $? "$engine: nor do instructions"
    own_regions >>"own.$engine"

    record $engine intensity
    is "$(figure heap_reader '.flow_ratio,.nloc_flow_ratio,.stk_ratio,.bytewise_stk_ratio,(.mar-.nloc_mar),(.mor-.nloc_mor),.bytes_per_access|.*50|round/50')" '[1,1,0,0,0,0,4]' "$engine: a function that only reads the heap"
    is "$(figure heap_reader '.other_instructions,.reads-.stack_reads,.writes,.bytes_read-.stack_bytes_read')" '[1000,1000,0,4000]' "$engine: its accesses"
    is "$(figure stack_writer '(.flow_ratio*50|round/50),.nloc_flow_ratio,.stk_ratio,.bytewise_stk_ratio,.nloc_mar,.nloc_mor')" '[-1,null,1,1,0,0]' "$engine: one that only writes the stack"
    is "$(figure idle '(.mar*50|round/50),.nloc_mar,.nloc_flow_ratio')" '[0,0,null]' "$engine: one without accesses has nothing to divide by"
    cc report p.cast --view intensity --json
    is "$(json '[.schema,.total.time_share]|tostring')" '["corecast.intensity",1]' "$engine: the total"
    is "$(json '. as $d|[["memory_instructions","other_instructions","bytes_read","stack_bytes_written","operands"][]|. as $k|([$d.functions[][$k]]|add)==$d.total[$k]]|all')" true "$engine: functions add up to it"
done
cmp -s own.valgrind own.qemu && [ "$(wc -l <own.qemu)" -ge 10 ]; ok $? "engines agree on the instructions of $(wc -l <own.qemu) regions"
cmp -s own.valgrind own.qemu || diff own.valgrind own.qemu | sed 's/^/# /'

record valgrind many 1000000
is "$("$CORECAST" report p.cast --view classes --json | jq '[.regions[]|select(.name=="many")|.instructions]|add > 1000000')" true "a million regions one after the other"
cc report p.cast --view comm --by region --svg x.svg; is "$RC $(xmllint --noout x.svg; echo $?)" "0 0" "are drawn, the longest of them"

# --- functions made regions that end by a jump into one that calls them again, and ends by a jump into the C library itself (tasks of OpenMP)
cat >halves.c <<'END'
#include <string.h>
static char a[64], b[64];
__attribute__((noinline)) void split(int depth);
__attribute__((noinline)) void left(int depth) { a[depth]++; split(depth - 1); }
__attribute__((noinline)) void right(int depth) { b[depth]++; split(depth - 1); }
void split(int depth)
{
    if (depth) {
        left(depth);
        right(depth);
    }
    memcpy(a + 32, b, (size_t)depth + 8);
}
int main(void)
{
    split(4);
    return 0;
}
END
gcc -O2 -g -o halves halves.c || exit 99
# scopes: "region in region calls", of the last recording: of 2^4 - 1 calls of each those below left are 8 and 7, those below right 7 and 8
scopes() { sqlite3 p.cast "select s.name, coalesce(p.name,''), s.calls from scope s left join scope p on p.id=s.parent where s.kind='region' order by 2,1" | tr '\n' ' '; }
for engine in valgrind qemu; do
    for more in "" --objects --plain; do
        "$CORECAST" record --engine $engine $more --region L=left --region R=right -o p.cast -- ./halves 2>err
        is "$(scopes)" "L|<outside>|8 R|<outside>|8 R|L|7 L|R|7 " "$engine $more: regions of functions that jump into one that calls them again"
    done
done

# --- functions made regions; a recording of calls, streams and marks alone
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine --region making=put --region reading=sum -o p.cast -- ./regions frames 2>err
    is "$(stream making reading)" "31344 4432 28544" "$engine: functions made regions, inside those the program marks"
    "$CORECAST" record --engine $engine --plain -o p.cast -- ./regions frames 2>err
    is "$(matrix write read | cut -d' ' -f1-2)" "1>2:4000 2>3:4000" "$engine: frames of a plain recording"
    cc report p.cast --view intensity; fails 3 "recorded with --plain" "$engine: which has no intensity"
done

# --- as many functions as there are, and names with everything in them
seq 300 | awk '{ print "void f" $1 "(void) { sink += " $1 "; }" } BEGIN { print "volatile long sink;" }
    END { print "int main(void) {"; for (i = 1; i <= 300; i++) print "f" i "();"; print "return 0; }" }' >many.c
gcc -O1 -g -fno-inline -o many many.c || exit 99
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine $(seq 300 | sed 's/.*/--region r&=f&/') -o p.cast -- ./many 2>err
    is "$("$CORECAST" report p.cast --view comm --by region --json | jq -c '[.nodes[]|select(.kind=="region" and .name!="<outside>")|.name]|[length,first,last]')" '[300,"r1","r300"]' "$engine: 300 functions made regions"
    "$CORECAST" record --engine $engine --region "a,b 'c'
\\n=f1" -o p.cast -- ./many 2>err
    is "$("$CORECAST" report p.cast --view comm --by region --json | jq -c '[.nodes[]|select(.kind=="region" and .name!="<outside>")|.name]')" '["a,b '"'c'"'\n\\n"]' "$engine: a name with commas, quotes, a line break and a backslash"
done

# --- no marks, no view
printf 'int main(void) { return 0; }\n' >plain.c && gcc -o plain plain.c
"$CORECAST" record -q -o plain.cast -- ./plain
cc report plain.cast --view frames; fails 3 "marked no frames" "frames of a program without"
grep -q CC_FRAME err; ok $? "with a hint"
cc report plain.cast --view comm --by region; fails 3 "marked no regions" "regions of a program without"
cc report plain.cast --view comm --frame 1; fails 3 "marked no frames" "one frame of none"
record valgrind frames
cc report p.cast --view comm --by region --frame 9; fails 3 "no frame 9: the last is 8" "a frame beyond the last"
cc report p.cast --view comm --by thread --frame 1; fails 2 "by function or by region" "one frame by thread"
cc report p.cast --view functions --frame 1; fails 2 "it belongs to 'report --view comm'" "one frame of another view"
cc report p.cast --view frames --by context; fails 2 "'--by context' is not for the view 'frames'" "frames by context"
cc report p.cast --view frames --by function --json; is "$(json '[.by,([.streams[]|select(.from=="put" and .to=="sum")|.bytes]|add)]|tostring')" '["function",31344]' "frames by function"
cc report p.cast --view frames; is "$RC $(grep -c '^ *[0-8]  ' out)" "0 9" "frames as text"
cc report p.cast --view frames --svg x.svg; xmllint --noout x.svg; ok $? "and drawn"
cc export p.cast --to csv --by region; grep -q '^write,read,28000,4000,7000,28000' out; ok $? "export by region"

# --- foreign programs
for isa in aarch64:aarch64-linux-gnu arm:arm-linux-gnueabihf riscv64:riscv64-linux-gnu x86_64:x86_64-linux-gnu mipsel:mipsel-linux-gnu; do
    name=${isa%%:*}
    compiler=${isa#*:}-gcc
    [ "$name" = "$(uname -m)" ] && compiler=gcc
    command -v "$compiler" >/dev/null || { skip "$name programs" "no $compiler here"; continue; }
    $compiler -O1 -g -static -fno-tree-vectorize -I "$SOURCE/include" -o regions regions.c -lpthread 2>/dev/null || { skip "$name" "does not link"; continue; }
    record qemu frames
    is "$(stream write read);$(matrix write read)" "28000 4000 28000;1>2:4000 2>3:4000 3>4:4000 4>5:4000 5>6:4000 6>7:4000 7>8:4000" "$name: regions and frames"
    record qemu names
    is "$("$CORECAST" report p.cast --json | jq -c '[.isa,.regions,(.problems|length)]')" "[\"$name\",9,0]" "$name: names in memory"
    record qemu intensity
    is "$(figure heap_reader '.flow_ratio,.other_instructions') $(figure stack_writer .nloc_flow_ratio,.stk_ratio,.stack_writes)" "[1,1000] [null,1,1000]" "$name: intensity"
done
done_testing
