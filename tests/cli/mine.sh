#!/bin/sh
. "$(dirname "$0")/lib.sh"
# --- itemsets ---
printf '1 2 3\n1 2\n2 3\n\n1 2 3 4\n' >t.dat
cc mine itemsets t.dat --support 2 --json; is "$RC $(json '[.schema,.transactions,.items,.minimum_support,.closed]|join(" ")')" "0 corecast.itemsets 4 4 2 4" "closed sets of a small file"
cc mine itemsets t.dat --support 2 --list --json; is "$(json '[.itemsets[]|(.items|join(","))+":"+(.support|tostring)]|sort|join(" ")')" "1,2,3:2 1,2:3 2,3:3 2:4" "the sets themselves"
cc mine itemsets t.dat --support 50%; is "$(grep -c '4 closed' out)" 1 "support as a share"
cc mine itemsets t.dat --support 2 --list; is "$(wc -l <out)" 4 "the list as text"
cc mine itemsets t.dat --support 2 --csv; is "$RC $(grep -cx 'closed,4' out)" "0 1" "the count as CSV"
cc mine itemsets t.dat --support 2 --list --csv; is "$(sort out | tr '\n' ' ')" "2,1;2;3 3,1;2 3,2;3 4,2 support,items " "the list as CSV"
a=$("$CORECAST" mine itemsets t.dat --support 1 --json --part 1/2 | jq .closed); b=$("$CORECAST" mine itemsets t.dat --support 1 --json --part 2/2 | jq .closed)
cc mine itemsets t.dat --support 1 --json; is "$(json .closed)" $((a + b)) "parts add up"
"$CORECAST" mine itemsets - --support 2 --json <t.dat >out; is "$(json .closed)" 4 "from standard input"
cc mine itemsets t.dat; fails 2 "--support" "support is required"
cc mine itemsets t.dat --support 0; fails 2 "above 0" "support 0"
cc mine itemsets t.dat --support 101%; fails 2 "up to 100" "support above 100 %"
cc mine itemsets t.dat --support 1 --part 3/2; fails 2 "K/N" "part beyond the parts"
printf '1 2\n1 b\n' >b.dat; cc mine itemsets b.dat --support 1; fails 3 "b.dat:2:" "a word in the file"
cc mine itemsets /nonexistent --support 1; fails 3 "cannot open" "absent file"
cc mine frob x; fails 2 "one of .contention" "unknown verb"
cc mine; fails 2 "expected" "no verb"
# --- contention and scaling, on a made-up program whose faults are known ---
make_trace=$(dirname "$CORECAST")/tests/make-trace
for n in 1 2 4 8; do "$make_trace" t$n.trace $n 150000 || exit 99; done
"$make_trace" quiet.trace 4 150000 quiet
cc mine contention t4.trace --json --svg c.svg
is "$RC $(json '[.schema,.method,.q3,.window]|join(" ")')" "0 corecast.contention latency 68 200" "contention as JSON"
is "$(json '.patterns[0].items|map(.function+":"+(.line|tostring)+" "+.kind+" "+.object)|sort|join(", ")')" "exchange:40 load queue, exchange:52 store queue" "the pattern names function, line, kind and data"
is "$(json '.patterns[0].cpus|join(",")')" "0,1,2,3" "on all CPUs"
is "$(json '(.patterns[0].share > 0.9) and (.patterns[0].share <= 1) and (.coverage > 0.1) and (.coverage < 0.9)')" true "it explains nearly all contention"
is "$(json '[.waits[0].how,.waits[0].function,.waits[0].line,.waits[0].object]|join(" ")')" "spinning barrier_wait 12 gate" "the spin loop is waiting, apart from the work"
is "$(json '[.patterns[].items[]|select(.function=="work")]|length')" 0 "the work itself is no part of it"
xmllint --noout c.svg; ok $? "the picture is well-formed"
cc mine contention quiet.trace --json; is "$RC $(json '.patterns|length')" "0 0" "without the fault no pattern"
cc mine contention t4.trace; grep -q 'exchange.c:40' out && grep -q barrier_wait out; ok $? "the text names the same"
cc mine contention t4.trace --csv=patterns.items; is "$RC $(sed -n 1p out | grep -c '^patterns.support,.*,function,file,line,') $(grep -c ',exchange,exchange.c,40,40;40,load,queue,' out)" "0 1 1" "items as CSV, with their pattern in front"
cc mine contention t4.trace --csv=waits; is "$(sed -n 2p out | cut -d, -f1-4)" "spinning,barrier_wait,barrier.c,12" "waits as CSV"
cc mine contention t4.trace --csv=frob; fails 2 "no table 'frob'" "a table that is not there"
cc mine contention t4.trace --method windows --support 30 --json; is "$(json '[.method,.patterns[0].items[0].function]|join(" ")')" "windows exchange" "fixed windows"
is "$(json '.patterns[0].saturated > 50')" true "that are saturated"
cc mine contention t4.trace --window 1000 --item function --bins --hits --quantile 90 --latency-bin 20 --latency-max 200 --min-lost 0 --top 3 --json; is "$RC $(json '.window, (.patterns|length <= 3)' | tr '\n' ' ')" "0 1000 true " "every threshold is an option"
a=$("$CORECAST" mine contention t8.trace --json -j1 | cksum); b=$("$CORECAST" mine contention t8.trace --json -j2 | cksum); is "$a" "$b" "the same from one thread and two"
# --- single instructions and CPUs ---
{ echo "cycle,cpu,kind,pc,address,latency,function"; for i in $(seq 0 199); do for c in 0 1; do
    echo "$((i * 50)),$c,store,0x1000,$((4096 + i * 8)),20,fill"; [ $((i % 2)) = 1 ] || echo "$((i * 50 + 25)),$c,load,0x2000,64,$((5 + 100 * (i > 99))),sum"; done; done; } >steps.csv
"$CORECAST" trace import -q -o steps.trace steps.csv
cc mine contention steps.trace --json --svg-instructions i.svg --svg-cpus u.svg --svg-period p.svg
is "$RC $(json '.instructions|map([.pc,.kind,.events,.period,.regular,.latency]|join(" "))|join(", ")')" "0 0x1000 store 400 50 1 20, 0x2000 load 200 100 1 55" "how regularly instructions are executed"
is "$(json '.functions|map(.function+" "+(.by_cpu|map(tostring)|join("+")))|join(", ")')" "fill 7450+7450, sum 2500+2500" "what CPUs spend their time in"
is "$(json '[.windows > 10, (.windows as $n|.instructions|all(.windows == $n))]|join(" ")')" "true true" "every window holds both instructions"
xmllint --noout i.svg u.svg p.svg; ok $? "the three pictures are well-formed"
grep -q '0x2000 in sum' p.svg || grep -q '0x1000 in fill' p.svg; ok $? "the period is that of the slowest instruction"
cc mine contention steps.trace --svg-period p.svg --pc 0x1000; is "$RC $(grep -o '0x1000 in fill: cycles from one store to the next' p.svg | sort -u | wc -l)" "0 1" "or of the one asked for"
cc mine contention steps.trace --svg-period p.svg --pc 0x3000; fails 3 "0x3000" "an instruction that is not there"
cc mine contention steps.trace --svg-period p.svg --pc x; fails 2 "no address" "a word for an address"
cc mine contention t4.trace --window 1; fails 2 "--window" "a window of one cycle"
cc mine contention t4.trace --support 0; fails 2 "--support" "no support"
cc mine contention t4.trace --min-lost x; fails 2 "--min-lost" "a word for a number"
cc mine contention; fails 2 "expected 'mine contention TRACE'" "no trace"
cc mine contention t.dat; fails 3 "not an access trace" "a foreign file"
head -c $(($(wc -c <t4.trace) * 2 / 3)) t4.trace >cut.trace; cc mine contention cut.trace --json; is "$RC $(json '.partial|startswith("partial:")')" "0 true" "a cut trace is mined as far as it goes"
grep -q 'partial: [0-9]* of [0-9]* chunks' err; ok $? "and said to be partial"
cc mine scaling t8.trace t1.trace t4.trace t2.trace --json --svg s.svg --svg-growth g.svg
is "$RC $(json '[.schema,(.platforms|map(.cores)|join(","))]|join(" ")')" "0 corecast.scaling 1,2,4,8" "platforms in order of cores"
is "$(json '[.hotspots[0].items[]|.object // .function]|sort|join(" ")')" "barrier_wait gate" "the hot spot is the barrier and its variable"
is "$(json '[.hotspots[0].items[]|.function]|unique|join(" ")')" "barrier_wait" "which barrier_wait asks for"
is "$(json '.hotspots[0].time|(.[0] < .[1]) and (.[1] < .[2]) and (.[2] < .[3])')" true "whose share rises with the cores"
is "$(json '.platforms[0].growth')" 1 "growth starts at one"
xmllint --noout s.svg g.svg; ok $? "both pictures are well-formed"
cc mine scaling t8.trace t1.trace t4.trace t2.trace; grep -q 'barrier.c:12' out; ok $? "the text names function and line"
cc mine scaling t8.trace t1.trace t4.trace t2.trace --csv; is "$(cut -d, -f1 out | tr '\n' ' ')" "cores 1 2 4 8 " "platforms as CSV"
if has_ranks; then
    cc mine scaling t8.trace t1.trace t4.trace t2.trace --json
    mpirun -n 3 "$CORECAST" mine scaling t8.trace t1.trace t4.trace t2.trace --json -o ranks.json 2>err
    is "$? $(cmp out ranks.json 2>&1)" "0 " "three processes of mpirun say the same, bit for bit"
    mpirun -n 2 "$CORECAST" mine scaling t1.trace t.dat -o ranks.txt >out 2>err
    is "$? $(ls ranks.txt 2>/dev/null) $(grep -o 'not an access trace' err | sort -u)" "3  not an access trace" "a foreign file is told, and nothing is written"
    kill_rank mine scaling t8.trace t1.trace t4.trace t2.trace --json -o killed.json
    rank_is_missed killed.json mine
else
    skip "several processes" "there is no Open MPI"
fi
cc mine scaling t1.trace; fails 2 "2 to 64 traces" "one trace is no comparison"
cc mine scaling t1.trace t.dat; fails 3 "t.dat: not an access trace" "a foreign file among them"
data=${CORECAST_DATA:-$SOURCE/../shared/data}
reference() { # reference FILE SUPPORT CLOSED
    if [ -f "$data/$1.dat.gz" ]; then
        gzip -dc "$data/$1.dat.gz" >"$1.dat"
        cc mine itemsets "$1.dat" --support "$2" --json; is "$(json .closed)" "$3" "$1 at $2"
    else skip "$1 at $2" "no reference data (set CORECAST_DATA)"; fi
}
reference mushroom 813 4885
reference mushroom 82 51640
reference chess 2557 5084
reference chess 1598 369451
reference T10I4D100K 100 26807
reference T10I4D100K 10 283398
done_testing
