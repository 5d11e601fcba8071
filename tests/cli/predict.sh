#!/bin/sh
. "$(dirname "$0")/lib.sh"
cat >t.csv <<'END'
# clock = cycles
name,start,end
crt0,0,5600
main,20,5581
vAdd,110,5481
vAdd.parallel0,135,5460
END
awk 'BEGIN { for (i = 0; i < 100; i++) print "vAdd.for0," 140 + 53 * i "," 190 + 53 * i }' >>t.csv
printf 'vAdd = #define NUM_THREADS 8\nvAdd = #define CHUNK_SIZE 1\nvAdd.parallel0 = #pragma omp parallel num_threads(NUM_THREADS)\nvAdd.for0 = #pragma omp for schedule(static, CHUNK_SIZE)\n' >s.omp
P="--platform stxp70-asmp --scenario s.omp"

cc predict t.csv $P --cores 1..16 --json; is "$RC $(json .schema) $(json .clock)" "0 corecast.predict cycles" "the example of the listing, as JSON"
is "$(json '.scenarios[0].schedules|length')" 16 "a schedule for every number of processors"
is "$(json '.scenarios[0].sequential_time')" 5600 "sequential time"
is "$(json '[.scenarios[].schedules[] | (([.stack[]]|add) - .time) | fabs | . < 1e-6] | all')" true "stacks add up to the time"
is "$(json '[.scenarios[].schedules[].regions[] | (([.stack[]]|add) - .time) | fabs | . < 1e-6] | all')" true "regions' stacks too"
is "$(json '.scenarios[0].schedules[0] | .time == .stack.sequential + .stack.processing + .stack.overhead')" true "one processor: sequential + processing + overhead"
# par_open launch_master prologue epilogue free_master par_close of parallel; for_prologue, 100 next_chunk, for_epilogue of static
is "$(json '.scenarios[0].schedules[0].stack.overhead')" $((1091 + 32 + 56 + 297 + 11 + 364 + 367 + 100 * 371 + 689)) "its overhead, cost by cost"
is "$(json '.scenarios[0].schedules[15].regions[0].threads')" 8 "num_threads from the #define"
is "$(json '.scenarios[0].schedules[15].stack.limited > 0')" true "processors without a thread: limited"
is "$(json '.scenarios[0].schedules[3].regions[1].path')" "crt0 > main > vAdd > vAdd.parallel0 > vAdd.for0" "a region's path"
is "$(json '[.scenarios[0].schedules[] | has("time_low") and has("time_high") and has("amdahl") and has("efficiency")] | all')" true "the fields of the contract"
cp out first.json
cc predict t.csv $P --cores 1..16 --json -j 3; is "$(cmp out first.json && echo same)" same "several threads give the same bytes"

grep -q 'one iteration' err; is $? 1 "a loop that is shared out needs no word"
echo 'vAdd = #pragma omp parallel for' >lone.omp
cc predict t.csv --platform stxp70-asmp --scenario lone.omp --cores 2,4
is "$RC $(grep -c "lone.omp:1: 'parallel for' for 'vAdd' had one iteration each time" err)" "0 1" "a loop of which the whole was marked, and not its iterations, is told"
printf '// rows\nvAdd.for0 = #pragma omp parallel for\n' >slashes.omp
cc predict t.csv --platform stxp70-asmp --scenario slashes.omp --cores 2
is "$RC $(grep -c "a comment is a line that begins with '#'" err)" "3 1" "how comments are written is told where one begins as in C"

cc predict t.csv --tasks; is "$RC $(grep -c 'vAdd.for0 *100 *5 000 *50.0 *5 000 *50.0' out)" "0 1" "the call-tree profile"
cc predict t.csv --tasks --json; is "$(json '[.rows[].self]|add')" 5600 "self times add up"
cc predict t.csv $P --cores 2; is "$RC $(grep -c 'regions on 2 cores' out)" "0 1" "text"
grep -q 'speed-up  amdahl  efficiency' out; ok $? "with its headings"
cc predict t.csv $P --cores 1,2 --csv; is "$RC $(sed -n 1p out | cut -d, -f1,2) $(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "processors") c = i; print $(c + 1) } { print $c }' out | tr '\n' ' ')" "0 scenarios.name,scenarios.sequential_time time processors 1 2 " "schedules as CSV"
cc predict t.csv $P --cores 2 --csv=scenarios.schedules.regions; is "$RC $(sed -n 1p out | grep -c ',path,directive,calls,threads,time,stack.sequential,') $(grep -c 'vAdd.for0' out)" "0 1 1" "regions as CSV"
cc predict t.csv --tasks --csv; is "$RC $(sed -n 1p out)" "0 name,id,parent,depth,calls,cumulative,average,self,average_self" "tasks as CSV"
cc predict t.csv $P --cores 2 --full; is "$(grep -c 'Parallel schedule with 2 processors' out)" 1 "text in full"
cc predict t.csv $P --cores 1,4 --speedup a.svg --stacks b.svg --gantt c.svg --chrome d.json --at 4
is "$RC" 0 "charts"
xmllint --noout a.svg b.svg c.svg; ok $? "the charts are XML"
is "$(jq -c '[.traceEvents[]|select(.ph=="X").tid]|unique' d.json)" "[1,2,3,4]" "the Chrome trace has four processors, none of them 0"
command -v python3 >/dev/null && { python3 "$SOURCE/tests/cli/trace-events.py" d.json >err; ok $? "nothing in it that Perfetto would drop"; }
is "$(jq -c '[.traceEvents[]|select(.ph=="M").tid]|unique' d.json)" "[1,2,3,4]" "and their names"
cc predict t.csv $P --cores 4 --set overhead_scale=0..2:1 --json
is "$(json '[.scenarios[].parameters["openmp.scale"]]|tostring')" "[0,1,2]" "a sweep"
is "$(json '[.scenarios[].schedules[0].time]|.[0] < .[1] and .[1] < .[2]')" true "costs grow with the scale"
cc predict t.csv $P; is "$RC $(grep -cE '^ +[0-9]+ ' out)" "0 16" "all cores of the platform by default"
for p in cortex-a-dual cortex-a-quad tegra-k1; do
    cc predict t.csv --platform $p --scenario s.omp --cores 2 --json; is "$RC" 0 "platform $p"
done

# the published example: FAST corners, rows shared out dynamically; its rows are not published, so 80 equal ones stand in
awk 'BEGIN { t = 6000; n = 80; len = int(18631661 / n); extra = 18631661 - n * len; print "crt0,0,18644418"
    for (i = 0; i < n; i++) { l = len + (i < extra); print "fast.row," t "," t + l; t += l } }' >fast.csv
echo 'fast.row = #pragma omp parallel for schedule(dynamic)' >fast.omp
cc predict fast.csv --platform stxp70-asmp --scenario fast.omp --cores 1..4 --json
is "$(json '.scenarios[0] | [.sequential_time, .schedules[0].stack.sequential, .schedules[0].stack.processing] | tostring')" "[18644418,12757,18631661]" "the published example's parts on one processor"
is "$(json '[.scenarios[0].schedules[].time] | [., [18689291, 9364866, 6259883, 4709628]] | transpose | map((.[0] / .[1] - 1 | fabs) < 0.01) | all')" true "its times on 1 to 4 processors within 1 %"

# the overhead in print tells the number of its rows: 90
awk 'BEGIN { t = 6000; n = 90; len = int(18631661 / n); extra = 18631661 - n * len; print "crt0,0,18644418"
    for (i = 0; i < n; i++) { l = len + (i < extra); print "fast.row," t "," t + l; t += l } }' >fast.csv
cc predict fast.csv --platform stxp70-asmp --scenario fast.omp --cores 1 --json
is "$(json '.scenarios[0].schedules[0].stack.overhead - 44873 | fabs < 60')" true "90 rows have the printed overhead within 60 cycles"

# bad input
cc predict t.csv; fails 2 "--platform" "no platform"
cc predict t.csv --platform stxp70-asmp; fails 2 "--scenario" "no scenario"
cc predict nothing.cast $P; fails 3 "cannot open" "no such profile"
cc predict t.csv $P --cores 0; fails 2 "cores" "0 processors"
cc predict t.csv $P --cores 1000000; fails 2 "cores" "10^6 processors"
cc predict t.csv $P --cores 2 --at 3; fails 2 "not among" "--at that is not there"
bad() { # bad SCENARIO MESSAGE WHAT
    printf "$1" >bad.omp
    cc predict t.csv --platform stxp70-asmp --scenario bad.omp --cores 2
    fails 3 "$2" "$3"
}
bad 'vAdd.fro0 = #pragma omp parallel for\n' "bad.omp:1: .*no task 'vAdd.fro0'" "a task that does not exist"
is "$(grep -c "did you mean 'vAdd.for0'" err)" 1 "the nearest name is offered"
bad '\nvAdd.for0 = #pragma omp parallel for schedule(dynamic, 0)\n' "bad.omp:2: .*chunk" "chunk 0"
bad 'vAdd.for0 = #pragma omp parallel for nowait\n' "bad.omp:1: " "clauses that contradict"
bad 'vAdd = #define A B\nvAdd = #define B A\nvAdd.for0 = #pragma omp parallel for num_threads(A)\n' "bad.omp:[12]: .*by itself" "cyclic #defines"
bad 'vAdd.for0 = #pragma omp parallel for num_threads(0)\n' "bad.omp:1: .*num_threads" "no threads"
printf 'a,0,100\nb,10,120\n' >over.csv; printf 'b = #pragma omp parallel\n' >b.omp
cc predict over.csv --platform stxp70-asmp --scenario b.omp --cores 2; fails 3 "over.csv:2: 'b' .*overruns 'a' of line 1" "a child that overruns its parent"
printf '[platform]\nname = x\n[openmp.parallel]\npar_open = -1\n' >neg.ini
cc predict t.csv --platform neg.ini --scenario s.omp --cores 2; fails 3 "neg.ini:4: " "a negative cost"
printf '[platform]\nname = x\n[openmp.static]\npar_opne = 1\n' >typo.ini
cc predict t.csv --platform typo.ini --scenario s.omp --cores 2; fails 3 "typo.ini:4: unknown key" "an unknown key"
printf 'name,start,end,l2.bytes,mem.read\nmain,0,100,800,3\nmain.i,0,50,400,1\nmain.i,50,100,400,2\n' >bytes.csv
echo 'main.i = #pragma omp parallel for' >i.omp
printf '[platform]\nname = x\n[openmp.parallel]\n[memory.l2]\nbandwidth = 1e9\n' >noclock.ini
cc predict bytes.csv --platform noclock.ini --scenario i.omp --cores 2; fails 3 "noclock.ini: \[memory.l2\] has bytes per second.*needs 'clock_mhz'" "a bandwidth without a clock"
cc predict bytes.csv --platform noclock.ini --set clock_mhz=100 --scenario i.omp --cores 2; is $RC 0 "and with one"
printf '[platform]\nname = x\nclock_mhz = 100\ndata_memory = l3\n[openmp.parallel]\n[memory.l2]\nread = 9\n' >nomem.ini
cc predict bytes.csv --platform nomem.ini --scenario i.omp --cores 2; fails 3 "nomem.ini:4: 'data_memory' is 'l3', but there is no \[memory.l3\]" "a data_memory that is not there"
cc predict bytes.csv --platform nomem.ini --set data_memory=l2 --scenario i.omp --cores 2 --contention model; is "$RC $(grep -c 'says nothing about contention' err)" "0 1" "contention asked for and not known"
printf 'SQLite format 3\000garbage' >broken.cast
cc predict broken.cast $P --cores 2; fails 3 "broken.cast" "a broken profile"
: >empty.cast; cc predict empty.cast $P --cores 2; fails 3 "empty" "an empty profile"
# recursion 100000 deep
awk 'BEGIN { n = 100000; for (i = 0; i < n; i++) print "f," i "," 2 * n + 10 - i }' >deep.csv
cc predict deep.csv --tasks; is "$RC $(grep -c 'left out' out)" "0 1" "a deep tree is cut in text"
echo 'f = #pragma omp parallel' >deep.omp
cc predict deep.csv --platform stxp70-asmp --scenario deep.omp --cores 2 -q; is "$RC $(grep -c '99900 more regions' out)" "0 1" "100000 nested regions"

# DMA and energy
cat >board.ini <<'END'
[platform]
name = board
source = test
clock_mhz = 100
cores = 4
[openmp.parallel]
[dma]
i0 = 10
alpha = 1
[energy]
busy_cycle = 1e-9
idle_cycle = 1e-10
END
awk 'BEGIN { for (i = 0; i < 8; i++) print "main.i," i * 100 "," i * 100 + 100; print "main,0,800" }' >eight.csv
printf 'main.i = #pragma omp parallel for\nmain.i = #pragma corecast dma read(40) write(20) buffers(2)\n' >dma.omp
cc predict eight.csv --platform board.ini --scenario dma.omp --cores 1,4 --json --gantt g.svg --chrome c.json --energy e.svg
is "$RC $(json '[.scenarios[0].schedules[] | .time, .dma.transfers, .dma.bytes] | map(tostring) | join(" ")')" "0 880 16 480 530 16 480" "transfers are scheduled on the DMA"
is "$(json '[.scenarios[0].schedules[] | ([.stack[]] | add) == .time] | all')" true "the stack adds up with its part 'transfer'"
is "$(json '[.scenarios[0].schedules[] | .energy | (.total - .fixed - .busy - .waiting - .accesses - .transfers) | fabs < 1e-18] | all')" true "so does the energy"
is "$(jq -r '[.traceEvents[] | select(.ph == "M") | .args.name] | join(",")' c.json)" "processor 0,processor 1,processor 2,processor 3,DMA read,DMA write" "the DMA has rows of its own"
grep -q "DMA write" g.svg && grep -q "cores waiting" e.svg; ok $? "in charts too"
cc predict eight.csv --platform board.ini --scenario dma.omp --cores 2; grep -q "energy nJ" out && grep -q "dma" out; ok $? "and in the table"
printf '[platform]\nname = bare\nsource = test\nclock_mhz = 500\ncores = 4\n[openmp.parallel]\npar_open = 10\n' >bare.ini
cc predict eight.csv --platform bare.ini --scenario dma.omp --cores 2; fails 3 "dma.omp:2: .*no .dma." "a platform without DMA"
echo 'main.i = #pragma omp parallel for' >plain.omp
cc predict eight.csv --platform bare.ini --scenario plain.omp --cores 2 --energy e.svg; fails 2 "tells no energy" "a platform without energy"
cc predict eight.csv --platform bare.ini --scenario plain.omp --cores 2 --json; is "$(json '.scenarios[0].schedules[0] | [.energy, .dma] | tostring')" "[null,null]" "unknown is null"

# accesses in a CSV trace
printf 'name,start,end,l2.read\nmain,0,1000,30\nmain.i,0,500,10\nmain.i,500,1000,10\n' >reads.csv
cc predict reads.csv --platform stxp70-asmp --scenario plain.omp --cores 2 --set l2_rd=20..40:10 --set overhead_scale=0 --json
is "$RC $(json '[.scenarios[] | .sequential_time, .schedules[0].time] | map(tostring) | join(" ")')" "0 1600 900 1900 1100 2200 1300" "counted reads take the platform's latency, swept with --set l2_rd"

# profiles: whole, cut short, damaged
make_tasks=$(dirname "$CORECAST")/tests/make-tasks
"$make_tasks" m.cast 20000; ok $? "a profile with 20000 tasks"
echo 'work.item = #pragma omp parallel for schedule(guided)' >m.omp
cc predict m.cast --platform stxp70-asmp --scenario m.omp --cores 1,3 --json; is "$RC $(json .tasks)" "0 20001" "a profile is replayed"
head -c 20000 m.cast >cut.cast; cc predict cut.cast --platform stxp70-asmp --scenario m.omp --cores 2; fails 3 "cut.cast: .*(cut short|damaged)" "a profile cut short"
size=$(stat -c %s m.cast) crashed=0 told=0
for i in $(seq 1 25); do
    cp m.cast d.cast
    printf '\\%03o' $((i * 37 % 256)) | xargs -0 printf | dd of=d.cast bs=1 seek=$((i * 7919 % size)) conv=notrunc 2>/dev/null
    cc predict d.cast --platform stxp70-asmp --scenario m.omp --cores 2
    [ $RC -ne 0 ] && [ $RC -ne 3 ] && crashed=$((crashed + 1))
    [ $RC -eq 3 ] && grep -q d.cast err && told=$((told + 1))
done
is "$crashed" 0 "25 damaged profiles: none crashes, $told refused by name"

# a set: n iterations of 100 cycles and 400 before, without overheads 400 + 100 n / p
mkdir laws.set
echo file,status,n >laws.set/manifest.csv
for n in 8 16 24 32 48 64; do
    awk -v n=$n 'BEGIN { print "# clock = cycles\nname,start,end\nmain,0," 400 + 100 * n "\nloop,400," 400 + 100 * n; for (i = 0; i < n; i++) print "step," 400 + 100 * i "," 500 + 100 * i }' >laws.set/$n.csv
    echo $n.csv,ok,$n >>laws.set/manifest.csv
done
printf 'loop = #pragma omp parallel\nstep = #pragma omp for schedule(static)\n' >law.omp
L="--platform stxp70-asmp --scenario law.omp --cores 1,2,4 --set openmp.scale=0 --contention off"
cc predict laws.set $L --at n=1000 --json
is "$RC $(json .schema) $(json .runs) $(json '.scenarios[0].sequential_time|round')" "0 corecast.predict.set 6 100400" "an input that was never run"
is "$(json '[.scenarios[0].schedules[].time|round]|tostring')" "[100400,50400,25400]" "on 1, 2 and 4 processors, in closed form"
is "$(json '[.scenarios[0].schedules[]|.time_low<=.time and .time<=.time_high and .law_error<1e-6]|all')" true "within its interval"
is "$(json .beyond)" "n = 1000 (8 to 64)" "and said to be beyond what was recorded"
cc predict laws.set $L --at n=40 --json
is "$(json .beyond) $(json '.scenarios[0].schedules[2].time|round')" "null 1400" "between what was recorded"
cc predict laws.set $L; fails 2 "needs --at" "a set needs an input"
cc predict laws.set $L --at m=3; fails 2 "no variable 'm'" "of variables that it has"
cc predict laws.set $L --at n=40 --gantt g.svg; fails 2 "times only" "and has no schedule to draw"
cc predict t.csv $P --at n=3; fails 2 "number of processors" "a single trace has no inputs"
printf 'x' >laws.set/48.csv
cc predict laws.set $L --at n=40; fails 3 "48.csv" "a damaged run is named"
done_testing
