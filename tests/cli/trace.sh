#!/bin/sh
. "$(dirname "$0")/lib.sh"
{
    echo '# cores = 2'
    echo '# clock_mhz = 100'
    echo 'cycle,cpu,kind,pc,address,latency,flags,function,file,line,object'
    i=0
    while [ $i -lt 300 ]; do
        echo "$((i * 10)),$((i % 2)),load,0x$((1000 + i % 3 * 4)),$((4096 + i * 8)),$((5 + i % 20)),,work,w.c,$((10 + i % 3)),table"
        echo "$((i * 10 + 5)),$((i % 2)),fetch,0x1010,0x1010,1,hit,\"odd,name\",w.c,20,"
        i=$((i + 1))
    done
} >in.csv
cc trace import in.csv -o t.trace; is $RC 0 "import"
cc trace info t.trace; is $RC 0 "info"
is "$(grep -c 'CPU [01] *300 events' out)" 2 "events of each CPU"
cc trace info --check --json t.trace
is "$(json '[.schema,.events,.cpus,.kinds.load,.hits,.memory_latency.q3,.complete]|join(" ")')" "corecast.trace 600 2 300 300 19 true" "info as JSON"
cc trace info --csv t.trace; is "$RC $(sed -n 1p out) $(grep -cx 'events,600\|cpus,2\|facts.cores,2' out)" "0 field,value 3" "info as CSV"
# names of what has only addresses, from the program's file: where it lies, and elsewhere
cat >named.c <<'END'
long total[64];
void add(int i)
{
    total[i & 63] += i; /* HERE */
}
int main(void)
{
    for (int i = 0; i < 100; i++)
        add(i);
    return 0;
}
END
gcc -O1 -g -fno-inline -no-pie named.c -o named || exit 99
at=0x$(nm named | awk '$3 == "add" {print $1}') data=0x$(nm named | awk '$3 == "total" {print $1}')
printf 'cycle,cpu,latency,pc,address,function,object\n1,0,9,%s,%s,other,thing\n2,1,9,0x77777000,0x88888000,other,thing\n' $at $data >bare.csv
cc trace import bare.csv --program named -o n.trace; is $RC 0 "import with a program's names"
cc trace cat n.trace
is "$(awk '$4 == "load" || $3 == "load"' out | grep -c " add .*named.c:$(grep -n 'void add' named.c | cut -d: -f1 | awk '{print "[" $1 $1+1 $1+2 "]"}').*total")" 1 "function, line and variable"
is "$(grep -c ' other .*thing' out)" 1 "outside the file, the CSV's names"
low=$(readelf -lW named | awk '$1 == "LOAD" {print $3; exit}')
printf 'cycle,cpu,latency,pc,address\n1,0,9,%#x,%#x\n' $((at - low + 0x5500000000)) $((data - low + 0x5500000000)) >moved.csv
cc trace import moved.csv --program named --base 0x5500000000 -o n.trace
cc trace cat n.trace; is "$RC $(grep -c ' add .*named.c:.*total' out)" "0 1" "a program that was loaded elsewhere"
cc trace import bare.csv --program bare.csv -o n.trace; fails 3 "bare.csv: no program" "names from what is no program"
cc trace import bare.csv --base 5 -o n.trace; fails 2 "--program" "a base of nothing"
cc trace import bare.csv --program named --base x -o n.trace; fails 2 "'x'" "a base that is no address"

cc trace export t.trace -o back.csv; cc trace import back.csv -o u.trace; cc trace export u.trace -o again.csv
cmp -s back.csv again.csv; ok $? "CSV out, in and out again is the same"
is "$(grep -c load back.csv)" 300 "every load is there"
cc trace cat --limit 5 t.trace; is "$(wc -l <out)" 6 "cat stops after --limit"
cc trace cat --cpu 1 --kind load --time 100..199 t.trace; is "$(tail -n +2 out | wc -l)" 5 "cat chooses by CPU, kind and time"
cc trace cat --function 'odd,name' t.trace; is "$(tail -n +2 out | wc -l)" 300 "and by function"
cc trace cat --csv --limit 3 t.trace; is "$(sed -n 2,\$p out | head -1 | cut -c1-6) $(grep -c ',load,' out)" "$(sed -n 2p back.csv | cut -c1-6) 2" "events as CSV, as export writes them"
cc trace cat --json t.trace; fails 2 "'trace cat' writes no JSON" "events are no JSON"
cc trace filter --csv t.trace -o l.trace; fails 2 "writes no table" "a new trace is no CSV"
cc trace cat --function nobody t.trace; fails 3 "no function" "a function that is not there"
cc trace cat --address 4096..4103 t.trace; is "$(tail -n +2 out | grep -c load)" 1 "and by address"
cc trace filter --kind load t.trace -o l.trace; cc trace info l.trace --json; is "$(json .events)" 300 "filter"
cc trace export --to chrome t.trace -o c.json; is "$(jq '[.traceEvents[]|select(.ph=="X")]|length' c.json)" 300 "chrome JSON without hits"
is "$(jq '.traceEvents[]|select(.args.cycle==10)|.ts' c.json)" 0.1 "its clock is in microseconds"
# as Perfetto wants it: threads from 1, nothing of a thread overlaps, names for the tracks
printf 'cycle,cpu,kind,pc,address,latency\n10,0,load,0x100,0x1000,50\n20,0,store,0x104,0x2000,5\n20,0,load,0x108,0x2000,7\n25,1,load,0x100,0x3000,9\n' >over.csv
cc trace import -o over.trace over.csv
cc trace export --to chrome over.trace -o c.json
is "$(jq -c '[.traceEvents[] | select(.ph == "X") | [.tid, .ts, .dur, .args.latency]] | sort' c.json)" '[[1,10,10,50],[1,20,0,5],[1,20,7,7],[2,25,9,9]]' "accesses that overlap are drawn up to the next"
is "$(jq -c '[.traceEvents[] | select(.ph == "M") | [.name, .pid, .tid, .args.name]]' c.json)" '[["process_name",1,1,"trace"],["thread_name",1,1,"CPU 0"],["thread_name",1,2,"CPU 1"]]' "tracks have names"
cc trace export --to chrome --hits t.trace -o c.json; is "$(jq '[.traceEvents[]|select(.ph=="X")]|length' c.json)" 600 "and with them"
command -v python3 >/dev/null && { python3 "$SOURCE/tests/cli/trace-events.py" c.json >err; ok $? "nothing in it that Perfetto would drop"; }
"$CORECAST" trace info - --json <t.trace >out; is "$(json .events)" 600 "a trace from a file as standard input"
cat t.trace | "$CORECAST" trace info - --json >out; is "$(json .events)" 600 "and from a pipe"
size=$(wc -c <t.trace)
head -c $((size - 20)) t.trace >cut.trace; cc trace info cut.trace --json; is "$RC $(json '.complete')" "0 false" "a trace without its index is read and said to be unfinished"
cp t.trace bad.trace; printf '\377\377\377\377' | dd of=bad.trace bs=1 seek=100 conv=notrunc 2>/dev/null
cc trace cat bad.trace; is $RC 0 "a damaged trace is read"; grep -q 'partial: [0-9]* of [0-9]* chunks' err; ok $? "and said to be partial"
echo hello >x; cc trace info x; fails 3 "not an access trace" "foreign file"
: >e; cc trace info e; fails 3 "empty" "empty file"
cc trace info /nonexistent; fails 3 "cannot open" "absent file"
cc trace info .; fails 3 "." "a folder"
cc trace frob t.trace; fails 2 "one of .info" "unknown verb"
cc trace cat --kind jump t.trace; fails 2 "kind 'jump'" "unknown kind"
cc trace cat --time 9..3 t.trace; fails 2 "wants A..B" "a range the wrong way round"
esc=$(printf '\033')
cc trace info t.trace --color always; grep -q "$esc\[1mevents$esc\[0m" out; ok $? "info has colours"
cc trace cat t.trace --color always; [ "$(grep -c "$esc\[1m" out)" -eq 1 ]; ok $? "so has cat"
cc trace import in.csv; fails 2 "-o" "import without a name"
printf 'cycle,cpu,latency,pc\n5,0,1,2\n4,0,1,2\n' >b.csv; cc trace import b.csv -o t.trace; fails 3 "b.csv:3: .*backwards|b.csv:3: cycle 4" "time going backwards"
cc trace info t.trace --json; is "$(json .events)" 600 "a refused import leaves the old trace alone"
printf 'cycle,cpu,latency,pc\n5,65536,1,2\n' >b.csv; cc trace import b.csv -o b.trace; fails 3 "b.csv:2: cpu is larger" "CPU 65536"
"$CORECAST" trace cat t.trace 2>/dev/null | head -1 >/dev/null; ok $? "a reader that goes away"
done_testing
