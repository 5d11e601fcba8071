#!/bin/sh
# corecast report on a profile with known figures (tests/fixture.h) and on a recording of a real program.
. "$(dirname "$0")/lib.sh"
"$MAKE_CAST" p.cast; is $? 0 "a profile with known figures"

# --- JSON, as the contract has it
cc report p.cast --json; is "$RC $(json .schema) $(json .version)" "0 corecast.summary 1" "the summary is the default view"
is "$(json '[.program,.engine,.isa,.complete,.exit.code,.exit.signal,.instructions,.threads,.functions]|tostring')" \
    '["./fixture","valgrind","aarch64",true,0,null,380100,2,7]' "its facts"
is "$(json '.arguments|tostring')" '["in.dat","--fast"]' "the program's arguments"
is "$(json '[.reads,.writes,.bytes_read,.bytes_written]|tostring')" '[17152,2560,68608,10240]' "accesses"
is "$(json 'has("reason")')" false "no reason in a complete profile"
cc report p.cast --view functions --json
is "$(json .schema)" corecast.functions "functions"
is "$(json '.functions[0]|[.name,.calls,.inclusive,.exclusive]|tostring')" '["filter",1,150000,130000]' "the hottest first"
is "$(json '[.functions[].exclusive]|add')" 380100 "exclusive instructions add up"
is "$(json '.functions[]|select(.name=="img::helper(int)")|.symbol')" _ZN3img6helperEi "C++ names"
is "$(json '.functions[]|select(.name=="<runtime>")|[.file,.line,.object]|tostring')" '[null,null,null]' "unknown is null"
is "$(json '.functions[0].file|endswith("fixture.c")')" true "source files"
cc report p.cast --view calltree --json
is "$(json '[.schema,(.threads|length),.threads[0].tid,.threads[1].tid]|tostring')" '["corecast.calltree",2,100,101]' "call trees"
is "$(json 'def ok: .inclusive == .exclusive + ([.children[].inclusive]|add // 0) and ([.children[]|ok]|all); [.threads[].root|ok]|all')" true \
    "inclusive = exclusive + children everywhere"
is "$(json '.threads[0].root.children[0].children|map(.name)|tostring')" '["filter","produce","consume","dive"]' "children by weight"
cc report p.cast --view comm --json
is "$(json '[.schema,.by]|tostring')" '["corecast.comm","function"]' "the communication graph"
is "$(json '.edges[]|select(.from=="produce" and .to=="filter")|[.bytes,.unma,.reads,.fresh]|tostring')" '[16384,4096,4096,4096]' "a stream"
is "$(json '.edges[]|select(.from=="<input>")|.sources|tostring')" '[{"call":"read","file":"in.dat","bytes":4096}]' "sources of input"
is "$(json '[.nodes[].kind]|unique|tostring')" '["function","input","output","static"]' "kinds of nodes"
is "$(json '. as $d|[.edges[]|.from,.to]|unique - [$d.nodes[].name]|length')" 0 "edges name listed nodes only"
is "$(json '.critical_path|tostring')" '["<static>","filter","consume","<output>"]' "the critical data path"
is "$(json '.critical_path_fresh|tostring')" '["<input>","produce","filter","consume","<output>"]' "that of first reads: along the data, not the table"
is "$(json '[.edges[]|select(.critical_fresh)|.from+">"+.to]|sort|join(" ")')" "<input>>produce consume><output> filter>consume produce>filter" "its streams are marked"
cc report p.cast --view comm --by thread --json
is "$(json '.edges[]|select(.from=="thread 1" and .to=="thread 2")|.bytes')" 1024 "by thread"
cc report p.cast --view comm --by context --json
is "$(json '.edges[]|select(.to=="run_program/consume")|.from')" run_program/filter "by context"
cc report p.cast --view amdahl --json --top 2
is "$(json '[.schema,(.functions|length),(.functions[1].cumulative*1000|round)]|tostring')" '["corecast.amdahl",2,2235]' "Amdahl's limits"
"$CORECAST" report p.cast --view comm --json >a; "$CORECAST" report p.cast --view comm --json >b; cmp -s a b; ok $? "output repeats to the byte"

# --- filters
cc report p.cast --view comm --json --focus consume; is "$(json '.edges|length')" 2 "--focus"
cc report p.cast --view comm --json --top 1; is "$(json '.edges|length')" 1 "--top"
cc report p.cast --view functions --json --min-share 20; is "$(json '[.functions[].name]|tostring')" '["filter","worker"]' "--min-share"
cc report p.cast --view functions --json --min-share 20%; is "$(json '.functions|length')" 2 "with a percent sign"
cc report p.cast --view calltree --json --focus img::helper; is "$(json '[.threads[].root|..|.name?]|map(select(.))|tostring')" \
    '["<runtime>","run_program","filter","img::helper(int)"]' "--focus in the call tree"
cc report p.cast --view calltree --json --focus "img::helper(…)"; is "$(json "[.threads[].root|..|.name?]|map(select(.))|.[-1]")" "img::helper(int)" "--focus of a name as a table shortens it"

# --- text
for view in summary functions calltree comm amdahl intensity; do
    cc report p.cast --view $view; is $RC 0 "$view as text"
    grep -q filter out; ok $? "$view names the hottest function"
done
cc report p.cast; grep -q 'what to look at next' out; ok $? "the summary says what to do next"
sh -c "$(sed -n 's/^  corecast report \(.*comm --focus .*\)$/"$CORECAST" report \1/p' out)" >next; is $? 0 "and that runs as written"
cc report p.cast -o text.txt; is "$RC $(wc -c <out) $(grep -c filter text.txt | sed 's/[1-9].*/some/')" "0 0 some" "-o"

# --- CSV
cc report p.cast --view functions --csv
is "$RC $(head -n 2 out | tail -n 1 | cut -d, -f 1-4)" "0 130000,150000,1,filter" "--csv: the table of the text, with all rows"
is "$(wc -l <out)" "$("$CORECAST" report p.cast --view functions --json | jq '.functions|length + 1')" "a line a function, and the heading"
is "$(head -n 1 out | tr , '\n' | sort | tr '\n' ' ')" "$("$CORECAST" report p.cast --view functions --json | jq -r '.functions[0]|keys|join(" ")') " "its names are the keys of JSON"
cc report p.cast --view comm --csv=nodes; is "$RC $(sed -n 1p out)" "0 name,kind,instructions,size,peak" "--csv=TABLE"
cc report p.cast --view comm --csv=edges.sources; is "$(sed -n 2p out)" "<input>,produce,4096,4096,1024,4096,false,true,read,in.dat,4096" "a table in rows, with the row"
cc report p.cast --csv; is "$RC $(grep -c '^instructions,380100$' out)" "0 1" "a view without a table: its fields"
cc report p.cast --view comm --csv=absent; fails 2 "has no table 'absent'" "a table that is not there"
grep -q "nodes, edges, edges.sources" err; ok $? "those there are named"
cc report p.cast --csv --json; fails 2 "exclude each other" "--csv and --json"
cc report p.cast --view functions --csv -o f.csv --svg x.svg; is "$RC $(wc -l <f.csv | sed 's/[1-9].*/some/')" "0 some" "a drawing and CSV"

# --- drawings
for what in "functions" "calltree" "comm" "comm --by context" "comm --by thread" "comm --by region" "comm --by region --style graph" "comm --by region --frame 2" "frames" "intensity" "comm --style timeline" "amdahl" "lines"; do
    # shellcheck disable=SC2086
    cc report p.cast --view $what --svg x.svg; is "$RC $(wc -c <out)" "0 0" "draw $what"
    xmllint --noout x.svg 2>err; ok $? "$what: well-formed"
done
cc report p.cast --view comm --svg - ; head -c 5 out | grep -q '<?xml'; ok $? "--svg - writes to standard output"
cc report p.cast --view comm --svg x.svg; is "$(grep -c '>16.0 KiB / 4.10 k<' x.svg)" 1 "arrows carry bytes and UnMA"
grep -q '#cc3311' x.svg; ok $? "the critical path is marked"
cc report p.cast --view comm --json; hidden=$(printf %.1f "$(json '([.edges[]|select(.from!=.to).bytes]|sort|reverse|.[2:]|add)/.bytes_between*100')")
cc report p.cast --view comm --top 2 --svg x.svg; grep -q "not drawn: [0-9]* streams with [0-9.]* KiB, $hidden % of what flows" x.svg; ok $? "a drawing says what it leaves out"
cc report p.cast --svg x.svg; fails 2 "no drawing" "the summary has no drawing"
cc report p.cast --view comm --svg /nonexistent/x.svg; fails 3 "cannot write" "an unwritable drawing"

# --- faults
cc report; fails 2 "expected one profile" "no profile"
cc report a.cast b.cast; fails 2 "expected one profile" "two profiles"
cc report absent.cast; fails 3 "cannot open" "an absent profile"
cc report p.cast --view commm; fails 2 "one of: summary, functions" "an unknown view"
cc report p.cast --view functions --min-share 101; fails 2 "percentage" "a share beyond 100"
cc report p.cast --view functions --min-share x; fails 2 "percentage" "no share at all"
cc report p.cast --view functions --top 0; fails 2 "outside" "--top 0"
# options of other views: --traffic and --stack are bandwidth's, --from and --to the channel's
for options in "functions --traffic reads" "functions --traffic all" "calltree --stack only" "comm --from filter" "objects --to filter" "functions --frame 1" \
    "frames --style graph" "functions --by function" "summary --top 3" "summary --focus filter" "channel --min-share 1"; do
    # shellcheck disable=SC2086
    cc report p.cast --view $options; fails 2 "it belongs to 'report --view (comm|functions|bandwidth|channel)'" "another view's: $options"
done
cc report p.cast --view classes --by thread; fails 2 "'--by thread' is not for the view 'classes'" "a level the view does not have"
cc report p.cast --view frames --by object; fails 2 "'--by object' is not for the view 'frames'" "nor this one"
cc report p.cast --view comm --focus fliter; fails 3 "nothing in the profile is called 'fliter'" "an unknown function"
grep -q "did you mean 'filter'" err; ok $? "the nearest is offered"
head -c 5000 p.cast >cut.cast; cc report cut.cast; fails 3 "damaged|cut short" "a cut profile"
echo hello >text.cast; cc report text.cast; fails 3 "not a corecast profile" "a text file"
cc report .; fails 3 "" "a folder"
"$CORECAST" report p.cast --view comm >/dev/full 2>err; is $? 3 "a full disk"

# --- a run with marks alone counts nothing, which is not the same as 0
cat >n.c <<'END'
#include <corecast/mark.h>
int main(void) { volatile int s = 0; CC_TASK_BEGIN("loop"); for (int k = 0; k < 1000; k++) s += k; CC_TASK_END("loop"); return 0; }
END
gcc -DCORECAST_NATIVE -I "$SOURCE/include" -I "$SOURCE/collect" n.c "$SOURCE/engines/native/native.c" -o n -pthread 2>err
cc record -q --engine native -o n.cast -- ./n; is $RC 0 "a recording of marks"
cc report n.cast --json; is "$RC $(json '[.engine,.instructions,.functions,.edges]|tostring')" '0 ["native",null,null,null]' "its counts are unknown"
cc report n.cast; grep -q "corecast predict" out; is "$RC $?" "0 0" "the text says what to do with it"
cc report n.cast --view calltree; fails 3 "no calls" "it has no call tree"
cc report n.cast --view comm; fails 3 "no communication data" "no streams"
cc report n.cast --view frames; fails 3 "recorded without frames" "no frames"
cc report n.cast --view intensity; fails 3 "no memory accesses" "no accesses"
cc report n.cast --view amdahl; fails 3 "no instructions" "no limits"
for format in callgrind dot graphml csv collapsed speedscope chrome; do
    cc export n.cast --to $format; fails 3 "the profile has no" "nothing to export to $format"
done

# --- a real program
cat >r.c <<'END'
#include <stdio.h>
#include <stdlib.h>
enum { N = 5000 };
__attribute__((noinline)) static void fill(int *a) { for (int i = 0; i < N; i++) a[i] = i; }
__attribute__((noinline)) static long sum(const int *a) { long s = 0; for (int k = 0; k < 3; k++) for (int i = 0; i < N; i++) s += a[i]; return s; }
int main(void) { int *a = malloc(N * sizeof *a); fill(a); printf("%ld\n", sum(a)); free(a); return 5; }
END
gcc -g -O1 -fno-tree-vectorize r.c -o r
cc record -q -o r.cast -- ./r
if [ "$RC" = 5 ]; then
    cc report r.cast --json; is "$(json '[.exit.code,.complete,.threads]|tostring')" '[5,true,1]' "a recorded program"
    cc report r.cast --view comm --json
    is "$(json '.edges[]|select(.from=="fill" and .to=="sum")|[.bytes,.unma,.fresh]|tostring')" '[60000,20000,20000]' "its stream, to the byte"
    cc report r.cast --view functions --json; is "$(json '.functions[]|select(.name=="sum")|[.calls,(.file|endswith("r.c")),.line]|tostring')" '[1,true,5]' "its place"
    cc report r.cast --view comm --svg r.svg; xmllint --noout r.svg; ok $? "its drawing"
else
    sed 's/^/# /' err | head -5; ok 1 "recording a program"
fi
# --- colours
"$MAKE_CAST" ci.cast
cc report ci.cast
! grep -q "$(printf '\033')" out; ok $? "no colours where no terminal is"
cc report ci.cast --color always
grep -q "$(printf '\033\[1m')" out && grep -q "$(printf '\033\[36m')  corecast report" out; ok $? "--color always: headings and commands stand out"
sed "s/$(printf '\033')\[[0-9;]*m//g" out >plain; cc report ci.cast; cmp -s plain out; ok $? "without them it is the same text"
NO_COLOR=1 "$CORECAST" report ci.cast --color always | grep -q "$(printf '\033')"; ok $? "what is asked for outranks NO_COLOR"
# --- conditions for CI
"$MAKE_CAST" ci.cast
cc report ci.cast --fail-if 'run instructions > 1M'
is $RC 0 "--fail-if: a condition that does not hold"
cc report ci.cast --fail-if 'run instructions > 380099' --fail-if 'function filter instructions > 1k'
fails 1 "function 'filter': function filter instructions > 1k" "one that does: status 1, and of what"
grep -q "run instructions > 380099" err; ok $? "every condition is looked at"
cc report ci.cast --fail-if 'run instructions > 380100'
is $RC 0 "the figure itself is compared"
cc report ci.cast --fail-if 'function instructions > +5%'
fails 2 "about a change, which takes two recordings" "a change needs two recordings"
cc report ci.cast --fail-if 'task time > 1'
fails 3 "does not have tasks" "what was not recorded is not passed over"
cc report ci.cast --fail-if 'function share > 90'
fails 2 "one of: instructions, inclusive, calls" "--fail-if: a figure that is none is told with those there are"
[ ! -s out ]
ok $? "before anything is shown"
cc report ci.cast --fail-if 'function instructions >'
fails 2 "condition" "a condition that is none"
done_testing
