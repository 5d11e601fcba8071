#!/bin/sh
# corecast export: every format in the tool it is meant for, on a profile with known figures and on a real recording.
. "$(dirname "$0")/lib.sh"
"$MAKE_CAST" p.cast; is $? 0 "a profile with known figures"

# --- callgrind
cc export p.cast --to callgrind -o callgrind.out.1; is $RC 0 "callgrind"
callgrind_annotate --inclusive=no --threshold=100 --auto=no callgrind.out.1 >note 2>err; is $? 0 "callgrind_annotate reads it"
grep -qE '380,100 .*PROGRAM TOTALS' note; ok $? "with the same total"
grep -qE '130,000 .*fixture.c:filter' note; ok $? "and the functions' own cost"
callgrind_annotate --inclusive=yes --threshold=100 --auto=no callgrind.out.1 >note 2>err
grep -qE '298,900 .*:run_program' note; ok $? "and the inclusive cost from calls"
callgrind_annotate --tree=both --inclusive=yes --threshold=100 --auto=no callgrind.out.1 2>err | grep -qE '20,000 .*> .*img::helper\(int\) \(10x\)'; ok $? "and the number of calls"

# --- dot
cc export p.cast --to dot; is $RC 0 "dot"
dot -Tplain out >plain 2>err; is $? 0 "dot reads it"
is "$(grep -c '^edge' plain) $(grep -c '^node' plain)" "6 7" "every stream and node is there"
grep -q 'bytes=16384, unma=4096, reads=4096, fresh=4096' out; ok $? "with its figures"
cc export p.cast --to dot --by context; dot -Tplain out >plain 2>err; grep -q 'run_program/filter' plain; ok $? "by context"

# --- graphml
cc export p.cast --to graphml; xmllint --noout out 2>err; is "$RC $?" "0 0" "graphml is well-formed"
x() { xmllint --xpath "$1" out; }
is "$(x 'count(//*[local-name()="edge"])')" 6 "every stream is there"
is "$(x 'count(//*[local-name()="edge"][not(@source=//*[local-name()="node"]/@id)])')" 0 "edges go between nodes"
is "$(x 'count(//*[local-name()="data"][not(@key=//*[local-name()="key"]/@id)])')" 0 "every key is declared"
is "$(x 'string(//*[local-name()="edge"]/*[@key="bytes"])')" 45056 "bytes of the heaviest"

# --- csv
cc export p.cast --to csv; is "$(sed -n 1,2p out | tr '\n' ' ')" "from,to,bytes,unma,reads,fresh <static>,filter,45056,44,11264,44 " "csv of the streams"
cc export p.cast --to csv --table functions; is "$(grep -c . out)" 9 "of the functions"
cc export p.cast --to csv --table contexts; is "$(cut -d, -f1 out | tail -1)" 8 "of the contexts"
cc export p.cast --to csv --table calls; is "$(sed -n 2p out)" "100,0,300000,0,<runtime>" "of the time line"

# --- collapsed
cc export p.cast --to collapsed; is "$(grep -vcE '^[^;]+(;[^;]+)* [0-9]+$' out)" 0 "collapsed stacks"
is "$(awk '{s+=$NF} END {print s}' out)" 380100 "add up to the run"
grep -q '^thread 1;<runtime>;run_program;filter;img::helper(int) 20000$' out; ok $? "a stack"

# --- speedscope
cc export p.cast --to speedscope; is "$(json '."$schema"')" https://www.speedscope.app/file-format-schema.json "speedscope"
is "$(json '[.profiles[].type]|tostring')" '["sampled","sampled","evented","evented"]' "trees and time lines"
is "$(json '[.profiles[]|select(.type=="sampled")|(.samples|length)==(.weights|length) and (.weights|add)==.endValue]|all')" true "weights fit"
is "$(json '. as $d|[.profiles[]|(.samples//[]|.[][]),(.events//[]|.[].frame)]|max < ($d.shared.frames|length)')" true "frames exist"
is "$(json '[.profiles[]|select(.type=="evented")|[.events[].at] as $a|($a == ($a|sort)) and $a[-1] <= .endValue]|all')" true "events are in order"
is "$(json '[.profiles[]|select(.type=="evented")|reduce .events[] as $e ({s:[],ok:true};
    if $e.type=="O" then .s += [$e.frame] else (if .s[-1]==$e.frame then .s |= .[:-1] else .ok=false end) end)|.ok and .s==[]]|all')" true "and nest"

# --- chrome
cc export p.cast --to chrome; is "$(json '[.traceEvents[]|select(.ph=="X")]|length')" 12 "chrome: the calls"
events() { if command -v python3 >/dev/null; then python3 "$SOURCE/tests/cli/trace-events.py" "$@" >err; else :; fi; }
cp out calls.json && events calls.json; ok $? "chrome: nothing that Perfetto would drop"
echo '{"traceEvents":[{"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"t"}},{"ph":"X","name":"a","pid":1,"tid":1,"ts":0,"dur":5},{"ph":"X","name":"b","pid":1,"tid":1,"ts":3,"dur":5}]}' >bad.json
if command -v python3 >/dev/null; then ! events bad.json && grep -q overlaps err; ok $? "and what it would drop is seen"; fi
is "$(json '[.traceEvents[]|has("name") and has("ph") and has("pid") and has("tid") and (.ph=="M" or (has("ts") and has("dur")))]|all')" true "with what the format asks for"
is "$(json '.traceEvents[]|select(.name=="filter")|[.ts,.dur,.tid]|tostring')" '[52000,150000,1]' "at their place"

# --- faults
cc export p.cast; fails 2 "give --to" "no format"
cc export p.cast --to callgrnd; fails 2 "no format 'callgrnd'" "an unknown format"
grep -q "did you mean 'callgrind'" err; ok $? "the nearest is offered"
cc export --to dot; fails 2 "expected one profile" "no profile"
cc export absent.cast --to dot; fails 3 "cannot open" "an absent profile"
cc export p.cast --to dot --json; fails 2 "report --json" "--json is refused"
cc export p.cast --to dot -o /nonexistent/x; fails 3 "cannot write" "an unwritable output"
echo old >keep; head -c 4000 p.cast >cut.cast; cc export cut.cast --to dot -o keep; fails 3 "damaged|cut short" "a cut profile"
is "$(cat keep)" old "and the old output stays"

# --- a real program, with names that need care
cat >r.cc <<'END'
#include <cstdio>
#include <map>
#include <string>
namespace odd { template <typename T> struct box { T v; __attribute__((noinline)) T operator()(T x) { return v = v * 2 + x; } }; }
__attribute__((noinline)) static int work(odd::box<int> &b) { int s = 0; for (int i = 0; i < 30000; i++) s += b(i); return s; }
int main() { odd::box<int> b = {1}; std::map<std::string, int> m; m["x"] = work(b); std::printf("%d\n", m["x"] & 1); return 0; }
END
g++ -g -O1 r.cc -o r
cc record -q -o r.cast -- ./r
is $RC 0 "recording a C++ program"
cc export r.cast --to callgrind -o callgrind.out.2; callgrind_annotate --auto=no --threshold=100 callgrind.out.2 2>err | grep -q 'odd::box<int>::operator()(int)'; ok $? "callgrind_annotate names templates"
cc export r.cast --to dot; dot -Tsvg out >x.svg 2>err; ok $? "dot takes the names"
cc export r.cast --to graphml; xmllint --noout out; ok $? "graphml escapes them"
for format in speedscope chrome; do cc export r.cast --to $format; jq -e . out >/dev/null; ok $? "$format is JSON"; done
cc report r.cast --json; total=$(json .instructions)
cc export r.cast --to collapsed; is "$(awk '{s+=$NF} END {printf "%d", s}' out)" "$total" "collapsed stacks add up"

# --- names are data: whatever a symbol table holds
cat >odd.c <<'END'
int odd(int n) __asm__("\"we<i>r&d;\\\"na me|{}%s\"");
__attribute__((noinline)) int odd(int n) { volatile int s = 0; for (int i = 0; i < n; i++) s += i; return s; }
int main(void) { return odd(20000) == 0; }
END
if gcc -O1 odd.c -o odd 2>err && cc record -q -o odd.cast -- ./odd && [ $RC = 0 ]; then
    cc report odd.cast --view functions --json; is "$(json '.functions[0].name')" 'we<i>r&d;"na me|{}%s' "an odd name in JSON"
    for format in callgrind dot graphml csv collapsed speedscope chrome; do cc export odd.cast --to $format -o odd.$format; done
    dot -Tplain odd.dot >plain 2>err; grep -q 'na me|{}%s' plain; ok $? "in dot"
    xmllint --noout odd.graphml 2>err && grep -q '>we&lt;i&gt;r&amp;d;&quot;na me|{}%s<' odd.graphml; ok $? "in GraphML"
    grep -q '"we<i>r&d;""na me|{}%s"' odd.csv; ok $? "in CSV"
    grep -q 'main;we<i>r&d:"na me|{}%s [0-9]*$' odd.collapsed; ok $? "in collapsed stacks"
    jq -e '[.shared.frames[].name]|index("we<i>r&d;\"na me|{}%s")' odd.speedscope >/dev/null; ok $? "in speedscope"
    callgrind_annotate --auto=no --threshold=100 odd.callgrind 2>err | grep -qF 'we<i>r&d;"na me|{}%s'; ok $? "in callgrind"
    for view in "functions" "calltree" "comm" "comm --by context" "amdahl"; do
        # shellcheck disable=SC2086
        cc report odd.cast --view $view --svg odd.svg; xmllint --noout odd.svg 2>err; ok $? "in the drawing of $view"
    done
else
    skip "odd names" "the assembler takes none"
fi
# only the heaviest streams
cc export p.cast --to csv -o all.csv
cc export p.cast --to csv --top 3 -o top.csv
is "$(wc -l <top.csv) $(sed 1d top.csv | sort)" "4 $(sed 1d all.csv | sort -t, -k3,3nr | head -3 | sort)" "--top: the heaviest streams of csv"
cc export p.cast --to dot --top 3 -o top.dot
is "$(grep -c -- '->' top.dot) $(grep -c 'kind=' top.dot | sed 's/[2-6]/few/')" "3 few" "--top: dot has them and the nodes they join"
cc export p.cast --to graphml --min-share 20
[ "$(grep -c '<edge' out)" -lt "$(sed 1d all.csv | wc -l)" ] && grep -q '<edge' out
ok $? "--min-share: graphml"
cc export p.cast --to callgrind --top 3
fails 2 "'--top' is of dot, graphml and the streams of csv" "--top is not of callgrind"
cc export p.cast --to csv --table calls --min-share 3
fails 2 "'--min-share' is of" "nor --min-share of another table"

# --- loops as frames: what loops without calls and without loops inside execute is also counted as they run
cat >l.c <<'END'
static int a[40][50], b[2000];
__attribute__((noinline)) static int leaf(int i) { return i * i % 7; }
__attribute__((noinline)) static void fill(int n)
{
    for (int i = 0; i < n; i++)
        b[i] = i ^ n;
}
__attribute__((noinline)) static void twice(void) { fill(700); fill(1100); }
int main(void)
{
    int s = 0;
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < 50; j++)
            a[i][j] = b[i] + j;
        s += leaf(i);
    }
    twice();
    fill(2000);
    return s == 1;
}
END
gcc -g -O1 -fno-inline l.c -o l && cc record -q --loops count -o l.cast -- ./l; is $RC 0 "recording loops"
cc report l.cast --view loops --min-share 0 --json
counted() { jq -r --arg id "$1" '.loops[]|select(.id==$id)|.instructions' loops.json; }
cp out loops.json
for format in callgrind collapsed speedscope; do cc export l.cast --to $format -q -o l.$format; cc export l.cast --to $format --loops -q -o ll.$format; done
stacks() { awk -v at="$2" '{n = $NF; sub(/ [0-9]+$/, ""); if ($0 ~ at) s += n} END {print s + 0}' "$1"; }
is "$(grep -c 'main;loop l.c:12;loop l.c:13 [0-9]*$' ll.collapsed)" 1 "collapsed: a loop is inside the loop around it"
is "$(stacks ll.collapsed 'loop l.c:13$')" "$(counted l.c:13)" "its own instructions are those that were counted"
is "$(stacks ll.collapsed 'loop l.c:5$')" "$(counted l.c:5)" "also of a function that is called in two ways"
grep -q ';main;leaf [0-9]*$' ll.collapsed; ok $? "a call stays below the function"
unlooped() { sed -E 's/(;loop [^; ]*)+ / /' "$1" | awk '{n = $NF; sub(/ [0-9]+$/, ""); s[$0] += n} END {for (x in s) print x, s[x]}' | sort; }
is "$(unlooped ll.collapsed)" "$(sort l.collapsed)" "every context adds up to its own instructions"
is "$(jq -c '[.profiles[]|select(.type=="sampled")|.endValue, (.weights|add)]' ll.speedscope)" "$(jq -c '[.profiles[]|select(.type=="sampled")|.endValue, (.weights|add)]' l.speedscope)" "speedscope: the same sums"
is "$(jq -r '.shared.frames as $f|.profiles[0]|[.samples, .weights]|transpose|.[]|([.[0][]|$f[.].name]|join(";")) + " " + (.[1]|tostring)' ll.speedscope | sort)" "$(sort ll.collapsed)" "and the stacks of collapsed"
is "$(jq -c '.shared.frames[]|select(.name=="loop l.c:13")|.line' ll.speedscope)" 13 "with the loop's place"
callgrind_annotate --inclusive=yes --threshold=100 --auto=no --show=Ir ll.callgrind >note 2>err; is $? 0 "callgrind_annotate reads loops"
inclusive() { awk -v at="$2" '$NF ~ at || $0 ~ at " \\[" {gsub(/,/, "", $1); if ($1 > m) m = $1} END {print m + 0}' "$1"; }
callgrind_annotate --inclusive=yes --threshold=100 --auto=no --show=Ir l.callgrind >plain-note 2>err
for f in main twice fill leaf; do is "$(inclusive note ":$f")" "$(inclusive plain-note ":$f")" "$f costs the same with what it calls"; done
is "$(inclusive note 'loop l.c:12')" "$(stacks ll.collapsed 'loop l.c:12')" "a loop has the loops inside it"
own() { awk '/^fn=/ {called = 0} /^calls=/ {called = 1; next} /^[0-9]/ {if (called) called = 0; else {i += $2; r += $3; w += $4}} END {print i, r, w}' "$1"; }
is "$(own ll.callgrind)" "$(own l.callgrind)" "instructions and bytes of all lines add up to the same"
cc export l.cast --to collapsed --loops -o x; grep -q 'in the same proportion' err; ok $? "what is not recorded is told"
cc export l.cast --to dot --loops; fails 2 "'--loops' is of callgrind, collapsed and speedscope, not of dot" "--loops is not of dot"
cc export r.cast --to collapsed --loops; fails 3 "no loops were recorded" "a recording without loops"
done_testing
