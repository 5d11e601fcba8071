#!/bin/sh
. "$(dirname "$0")/lib.sh"
example=$SOURCE/examples/area
same() { # same GOT WANT WHAT: what a jq expression should call true
    is "$(json "$1")" "$2" "$3"
}

# --- metrics ---
cat >a.c <<'C'
#include "inc.h"
static int twice(int a) { return a * FACTOR; }
int main(int argc, char **argv) { return twice(argc); }
C
mkdir inc && echo '#define FACTOR 2
static inline int helper(int a) { return a + 1; }' >inc/inc.h
cc area metrics a.c -- -Iinc; is $RC 0 "metrics as text"
ok "$(grep -q 'twice' out && grep -q 'helper *inc/inc.h' out; echo $?)" "functions of the file and of its header are listed"
cc area metrics a.c --json -- -Iinc; is "$RC $(json .schema)" "0 corecast.area.metrics" "metrics as JSON"
same '.functions | map(select(.name == "twice"))[0].metrics.mul_32' 1 "a macro's value is seen"
same '[.functions[0].metrics | keys | length >= 58] | .[0]' true "at least 58 metrics"
cc area metrics a.c --csv --columns lines,mul_32 -- -Iinc
is "$(sed -n 1p out)" "function,file,line,lines,mul_32" "metrics as CSV, chosen columns"
cc area metrics a.c --columns all --function twice -- -Iinc
is "$(grep -c '^twice' out)$(grep -c '^helper' out)" "10" "one function, all metrics"
cc area metrics a.c --tree --json -- -Iinc
same '.functions | map(select(.name == "main"))[0].metrics | "\(.mul_32) \(.tree_functions)"' "1 2" "with what it calls"
cc area metrics a.c --csv -- -Iinc
is "$(sed -n 1p out | cut -d, -f1-5),$(sed -n 2p out | cut -d, -f4)" "function,file,line,metric_set,lines,2" "the table says which set of metrics it is"
cc area metrics a.c; is $RC 0 "a missing include is no failure of the whole"
ok "$(grep -q "a.c:1: 'inc.h' file not found" err && grep -q 'undeclared identifier' out && grep -q '^main' out; echo $?)" \
    "... the message has the line, the function that needs it the reason, the others come out"
cc area metrics --define; is "$RC $(grep -c . out)" "0 $(($(grep -c "^CC_METRIC(" "$SOURCE/src/analysis/metrics/metrics.def") + 1))" "definitions"
printf '[{"directory":"%s","command":"gcc -Iinc -fno-var-tracking -O2 -c -o a.o a.c","file":"a.c"}]' "$WORK" >compile_commands.json
cc area metrics a.c --compile-commands . --json
same '.functions | map(.name) | join(" ")' "helper twice main" "flags from a compile_commands.json"
same '.functions[1].file' "a.c" "... and the file as it was named"
mkdir gone && printf '[{"directory":"%s/gone/away","command":"gcc -c a.c","file":"%s/a.c"}]' "$WORK" "$WORK" >gone/compile_commands.json
cc area metrics a.c --compile-commands gone; fails 3 "the folder of its command, .*gone/away', is not there" "a compile_commands.json whose folder is gone"
cc area metrics a.c --compile-commands nowhere; is "$RC" 3 "no compile_commands.json there"
cc area metrics absent.c; fails 3 "absent.c: cannot open" "an absent file"
cc area metrics .; fails 3 "not a regular file" "a folder"
cc area metrics a.c absent.c -- -Iinc; is "$RC" 0 "one of two files is absent"
for i in 1 2 3 4 5 6 7 8; do echo "int many$i(int a) { return a + $i; }" >many$i.c; done
cc area metrics many8.c many1.c absent.c many7.c many2.c many6.c many3.c many5.c many4.c --json
same '.functions | map(.name) | join(" ")' "many8 many1 many7 many2 many6 many3 many5 many4" "functions of many files stand in the order of the files"
cc area metrics; fails 2 "no source file" "no file"
cc area metrics a.c --columns lods; fails 2 "did you mean 'loads'" "an unknown metric"
cc area metrics a.c --function absent -- -Iinc; fails 3 "no function 'absent'" "an unknown function"
cc area metrics a.c --csv --json; fails 2 "exclude" "CSV and JSON"
cc area metrics a.c -- --no-such-flag; fails 3 "none of the files" "a flag the preprocessor refuses"
ok "$(grep -q 'no-such-flag' err; echo $?)" "... its words are shown"
CORECAST_CPP=no-such-program cc area metrics a.c; fails 2 "cannot find the preprocessor" "no preprocessor"
CORECAST_CPP=./no/such-program cc area metrics a.c; fails 2 "cannot find the preprocessor './no/such-program'" "... nor one by its path"

# --- hostile source: a message and no crash ---
awk 'BEGIN { print "int deep(int a) {"; for (i = 0; i < 1000; i++) printf "if (a > %d) { ", i; print "a++;"
    for (i = 0; i < 1000; i++) printf "}"; print "return a; }" }' >deep.c
cc area metrics deep.c --json; same '.functions[0].metrics.nesting' 1000 "1000 levels of statements"
awk 'BEGIN { printf "int deep(int a) { return "; for (i = 0; i < 1000; i++) printf "(a + "; printf "1"
    for (i = 0; i < 1000; i++) printf ")"; print "; }" }' >paren.c
cc area metrics paren.c --json; same '.functions[0].metrics.add_32' 1000 "1000 levels of parentheses"
awk 'BEGIN { printf "int f(int a) { return a; } int deep(int a) { "; for (i = 0; i < 100000; i++) printf "{"; print "" }' >brace.c
cc area metrics brace.c; is "$RC $(grep -c '^f ' out)" "0 1" "100 000 open braces: the function before comes out"
awk 'BEGIN { printf "int wide(int a) { "; for (i = 0; i < 150000; i++) printf "a += %d;", i % 7; print "return a; }" }' >wide.c
ok "$([ "$(wc -c <wide.c)" -gt 1000000 ]; echo $?)" "a line of 1 MB"
cc area metrics wide.c --json; same '.functions[0].metrics.add_32' 150000 "... is measured"
sh "$SOURCE/bench/area-lines.sh" 500 >lines.c
spent=$(bash -c 'TIMEFORMAT=%U; time "$1" area metrics lines.c --csv >out 2>err' - "$CORECAST" 2>&1)
ok "$(awk "BEGIN { exit !($spent < 5) }"; echo $?)" "10 000 lines in under 5 s of processor time ($spent s)"
is "$(wc -l <lines.c) $(wc -l <out)" "10003 501" "... all of them"
awk 'BEGIN { for (i = 0; i < 10000; i++) printf "int f%d(int a) { return a + %d; }\n", i, i }' >many.c
cc area metrics many.c --csv; is "$RC $(wc -l <out)" "0 10001" "10 000 functions"
printf 'int a(int x) { return x +; }\nint b(int x) { return x; }\n}}}} ((( int c(\n' >syntax.c
cc area metrics syntax.c; is "$RC $(grep -c 'expected expression' out) $(grep -c '^b ' out)" "0 1 1" "syntax errors"
awk 'BEGIN { srand(1); for (i = 0; i < 20000; i++) printf "%c", 1 + int(rand() * 126) }' >noise.c
cc area metrics noise.c; ok "$([ $RC -eq 0 ] || [ $RC -eq 3 ]; echo $?)" "bytes that are no source (status $RC)"
awk 'BEGIN { for (i = 0; i < 400; i++) s = s "0123456789"; print "#define F \"" s "\""
    for (c = 69; c >= 65; c--) { printf "#define %c", c; for (i = 0; i < 10; i++) printf " %c", c + 1; print "" }
    print "const char *bomb(void) { return A; }" }' >bomb.c
cc area metrics bomb.c; fails 3 "larger than 64 MiB when preprocessed" "a macro that grows without end"

# --- calibrate and model ---
cc area calibrate "$example/metrics.csv" "$example/hardware.csv" -o m.model --json
is "$RC $(json .schema)" "0 corecast.area.calibration" "calibrate"
same '.measures | map(.measure) | join(" ")' "lut ff dsp bram cycles power" "a model a measure"
same '[.terms[] | select(.measure == "lut" and .metric != "(constant)")] | map(.metric) | sort | join(" ")' "add_32 div_32 logic" \
    "the metrics the table was made of are found"
same '[.terms[] | {"lut add_32": 34, "lut div_32": 210, "lut logic": 45, "ff stores": 25, "ff loads": 18}["\(.measure) \(.metric)"] as $true
    | select($true) | .low <= $true and $true <= .high] | "\(length) \(all)"' "5 true" "their coefficients are in the intervals"
same '[.notes[] | select(test("optimised away"))] | length' 1 "the kernel that was optimised away is told"
cp m.model first.model
cc area calibrate "$example/metrics.csv" "$example/hardware.csv" -o m.model; is $RC 0 "calibrate as text"
ok "$(cmp -s m.model first.model; echo $?)" "the same table gives the same model"
cc area calibrate "$example/metrics.csv" "$example/hardware.csv" --group domain --target lut,dsp --transform log -o g.model --json
same '.measures | map("\(.measure) \(.groups) \(.scale)") | join(", ")' "lut 4 log, dsp 4 log1p" "groups, targets and the scale"
cc area model show m.model --json; is "$RC $(json .schema) $(json '.measures | length')" "0 corecast.area.model 6" "model show"
cc area model show m.model --csv; is "$RC $(cut -d, -f1 out | tr '\n' ' ')" "0 measure lut ff dsp bram cycles power " "a model's measures as CSV"
cc area model show m.model --csv=terms; is "$(grep -c '^lut,div_32,' out)" 1 "... and its terms"
cc area model show m.model; ok "$(grep -q 'fmul_32' out && grep -q 'left out by kernel' out; echo $?)" "model show as text says how it was made"
cc area model show vitis-hls-u280 --json; same '[.measures[].family] | unique | join(" ")' forest "model show of one that ships, by its name"
section() { awk '/^\[/ { on = $0 == "[measure.bram]" } on && NF' "$1"; }
shipped=$SOURCE/models/vitis-hls-u280
cc area calibrate "$shipped.csv" --target bram --family forest --group family -o again.model
section "$shipped.model" >want; section again.model >got
ok "$([ -s want ] && cmp -s want got; echo $?)" "... is what its table gives (make model)"
is "$(grep -E '^(checksum|options|metric_set)' again.model)" "$(grep -E '^(checksum|options|metric_set)' "$shipped.model")" "... and says of it what is true now"
head -8 "$example/hardware.csv" >few.csv
cc area calibrate "$example/metrics.csv" few.csv -o few.model; fails 3 "usable kernels, at least 10" "too few kernels"
ok "$([ ! -e few.model ]; echo $?)" "... and no model"
cc area calibrate "$example/metrics.csv" "$example/hardware.csv" --target lutt -o x; fails 3 "no measure 'lutt'" "an unknown target"
cc area calibrate "$example/metrics.csv" "$example/hardware.csv"; fails 2 "needs '-o MODEL'" "no output"
cc area calibrate "$example/metrics.csv" "$example/hardware.csv" --model m.model -o x; fails 2 "'area calibrate' has no option '--model'" \
    "an option of another subcommand"
cc area model show "$example/edge.c"; fails 3 "" "a model that is none"

awk -F, -v OFS=, 'NR == 1 { print $0, "unroll" } NR > 1 { print $0, NR == 4 ? "lots" : 2 ^ (NR % 4) }' "$example/metrics.csv" >inputs.csv
cc area calibrate inputs.csv "$example/hardware.csv" --input unroll --target lut --family penalised -o in.model; is $RC 0 "a column as an input"
ok "$(grep -q "inputs.csv:4: 'lots' is no value of 'unroll'" err; echo $?)" "... a bad cell of it is named"
cc area calibrate inputs.csv "$example/hardware.csv" --family linear -o x.model; ok "$(grep -q "'unroll' is taken as a measure" err && ! grep -q "'lut' is taken" err; echo $?)" "... one that nobody names as such is a measure, and said to be"
cc area model show in.model --json; same '.inputs[0] | "\(.name) \(.value) \(.least) \(.most)"' "unroll 4 1 8" "... kept with its median and range"
for set in 1 2 9; do awk -F, -v OFS=, -v s=$set 'NR == 1 { print $0, "metric_set" } NR > 1 { print $0, s }' "$example/metrics.csv" >set$set.csv
    cc area calibrate set$set.csv "$example/hardware.csv" --target lut --family penalised -o set$set.model; done
ok "$(grep -q "metrics are of set 9, this corecast knows sets up to 2" err; echo $?)" "a table of a later set of metrics is told"
cc area calibrate set1.csv "$example/hardware.csv" --target lut --family penalised -o set1.model; ok "$(grep -q "are of set 1, this corecast measures set 2.*area metrics --tree --csv" err; echo $?)" \
    "... and one of an earlier set, with what gives a new one"
cc area estimate "$example/edge.c" --model set2.model; ok "$(! grep -q 'metric set' out; echo $?)" "... and estimates of the same set say nothing of it"
cc area estimate "$example/edge.c" --model set9.model; ok "$(grep -q 'calibrated with metric set 9' out; echo $?)" "... of another they do"
cc area estimate "$example/edge.c" --model in.model --input unroll=2; ok "$(grep -q '^unroll: 2$' out; echo $?)" "... set by name"
cc area estimate "$example/edge.c" --model in.model --unroll 8; ok "$(grep -q '^unroll: 8$' out && ! grep -q 'unrolled 8' out; echo $?)" "... or by the directive of its name, which is no extrapolation then"
cc area estimate "$example/edge.c" --model in.model --input roll=2; fails 2 "no input 'roll'" "an unknown input"
cc area estimate "$example/edge.c" --model in.model --input unroll; fails 2 "is not NAME=NUMBER" "an input without a value"
cc area estimate "$example/edge.c" --input unroll=2; fails 2 "the model has no inputs" "a model without inputs"
cc area calibrate inputs.csv "$example/hardware.csv" --input lines -o x; fails 2 "is a metric" "a metric as an input"

# --- estimate ---
printf 'name,share\nsmooth,70.59\nderivative,2.49\nmagnitude,5.14\nsuppress,14.36\nhysteresis,2.68\n' >shares.csv
set -- "$example/edge.c" --alone --model m.model --device "$example/virtex5-fx130t.ini" --shares shares.csv
cc area estimate "$@" --order source --json; is "$RC $(json .schema)" "0 corecast.area.estimate" "estimate"
same '[.functions[] | select(.share) | (.cumulative_speedup * 100 | round / 100)] | tostring' "[3.4,3.71,4.59,13.48,21.1]" \
    "cumulative speed-ups of the published edge detector"
same '[.functions[] | .estimates[] | select(.low > .value or .value > .high)] | length' 0 "every estimate is in its interval"
same '.functions | map(select(.name == "follow"))[0].unfit[0] | "\(.kind) \(.line)"' "recursion 88" "recursion is flagged with the line"
same '.functions | map(select(.name == "report"))[0].unfit[0] | "\(.kind) \(.detail)"' "input/output printf" "output is flagged"
same '.functions | map(select(.name == "hysteresis"))[0].estimates | map(select(.measure == "bram"))[0] | "\(.extrapolated) \(.outside_metric)"' \
    "true array_bits" "extrapolation is flagged with the metric"
cc area estimate "$@"; is "$(awk '/^function/ { getline; print $1; exit }' out)" smooth "hottest first"
ok "$(grep -q '95.3 %' err; echo $?)" "how much of the run was found"
cc area estimate "$@" --csv; is "$(sed -n '2,$p' out | wc -l)" "$((8 * 6))" "estimate as CSV"
cc area estimate "$@" --confidence 99 --json; is "$(json .confidence)" 0.99 "another confidence"
cc area estimate "$example/edge.c" --json; is "$RC $(json '.measures | map(.name) | join(" ")')" "0 lut ff dsp bram cycles" "the model that ships"
same '[.functions[] | .estimates[] | select((.measure == "dsp") != (.zero_probability != null) and .measure != "bram")] | length' 0 \
    "... how likely none is, where none is a value"
ok "$(json .scope | grep -q 'Vitis HLS.*xcu280.*10 ns.*no directives.*not after implementation'; echo $?)" "... says what its figures are of"
same '[.functions[] | .estimates[] | select(.low > .value or .value > .high)] | length' 0 "... every estimate is in its interval"
cc area estimate "$example/edge.c"; ok "$(grep -q '^Scope: Vitis HLS' out && grep -q 'median [0-9]* %, factor' out; echo $?)" "... in text too"
ok "$(grep -q 'metric set 1, .* set 2' out; echo $?)" "... and that its metrics are of another set"
cc area estimate "$example/edge.c" --device u280 --json; same .device "Alveo U280 (xcu280)" "a device that ships, by its name"
sed "s/^name = Alveo.*/name = mine/" "$SOURCE/models/u280.ini" >u280.ini; cc area estimate "$example/edge.c" --device u280.ini --json; same .device mine "with its suffix it is the file that is there"
cc area estimate "$example/edge.c" --device u280 --json; same .device "Alveo U280 (xcu280)" "a plain name is what ships"; rm u280.ini
cc area estimate "$example/edge.c" --alone --json; same '.functions | map(select(.name == "hysteresis"))[0].unfit | length' 0 "a function alone"
cc area estimate "$example/edge.c" --json; same '.functions | map(select(.name == "hysteresis"))[0].unfit[0] | "\(.kind) \(.detail)"' \
    "recursion in follow: calls itself" "... and with what it calls"
lut='[.functions[] | select(.name == "smooth") | .estimates[] | select(.measure == "lut") | .value] | .[0]'
once=$(json "$lut"); cc area estimate "$example/edge.c" --unroll 8 --json
ok "$(awk "BEGIN { exit !($(json "$lut") > $once) }"; echo $?)" "an unrolled loop takes more"
same '[.functions[] | select(.name == "smooth") | .estimates[].extrapolated] | all' true "... and is marked as extrapolated"
cc area estimate "$example/edge.c" --pipeline --json; same '[.functions[] | select(.name == "smooth") | .estimates[].extrapolated] | all' true "a pipelined loop too"
cc area estimate "$example/edge.c" --model no-such; fails 3 "no-such" "a model that is none"
cc area metrics "$example/edge.c" --csv -o edge.csv; cc area estimate edge.csv --json
same '.functions | length' "$(($(wc -l <edge.csv) - 1))" "a table of metrics in place of sources"
cc area estimate edge.csv --function smooth --json; same '.functions | map(.name) | join(" ")' smooth "... one function of it"
cc area estimate edge.csv --function absent; fails 3 "no function 'absent'" "... one that it does not have"
cc area estimate edge.csv edge.csv; fails 2 "one table of metrics, or source files" "... two of them"
awk -F, -v OFS=, 'NR == 3 { $4 = 1 } 1' edge.csv >mixed.csv; cc area estimate mixed.csv; fails 3 "mixed.csv:3: metric set 1 after rows of set 2" "... of two sets of metrics"
cut -d, -f1-20 edge.csv >narrow.csv; cc area estimate narrow.csv; fails 3 "needs the metric '.*', which the table lacks" "... that lacks some"
cc area estimate "$@" --profile x.cast; fails 2 "exclude each other" "shares and a profile"
cc area estimate "$example/edge.c" --model m.model --profile absent.cast; fails 3 "absent.cast" "an absent profile"
cc area estimate "$example/edge.c" --model m.model --device shares.csv; fails 3 "shares.csv" "a device that is none"
cat >prog.c <<'C'
static int heavy(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i * i ^ s >> 3;
    return s;
}
int main(void) { return heavy(200000) & 1; }
C
if gcc -O0 -g prog.c -o prog && "$CORECAST" record -o run.cast -- ./prog >out 2>err || [ -s run.cast ]; then
    cc area estimate prog.c --model m.model --profile run.cast --json
    same '.functions[0] | "\(.name) \(.share > 0.9 and .share <= 1)"' "heavy true" "shares from a recording"
else
    skip "shares from a recording" "nothing could be recorded"
fi
printf 'int bad(int a) { return a +; }\n' >broken.c
echo 'int table[4];' >data.c; cc area estimate data.c
is "$RC $(grep -c interval out) $(grep -c 'no function could be measured' err)" "1 0 1" "a source without functions: status 1, and no empty tables"
cc area estimate broken.c; is "$RC $(grep -c '^bad .*expected expression' out)" "1 1" "nothing could be measured: status 1, and why"
printf 'int turns(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n' >turns.c
if "$CORECAST" record --loops count -o turns.cast -- ./prog >out 2>err || [ -s turns.cast ]; then
    cc area estimate prog.c --profile run.cast; ok "$(grep -q 'trip counts unknown' out && grep -q 'record --loops count' err; echo $?)" "a recording without loops tells no trips, and what would"
    cc area estimate prog.c --profile turns.cast --json; same '.functions | map(select(.name == "heavy"))[0].trips_unknown' 0 "trips from a recording with loops"
    cycles='.functions | map(select(.name == "heavy"))[0].estimates | map(select(.measure == "cycles"))[0].value'
    told=$(json "$cycles"); cc area estimate prog.c --json
    ok "$(awk "BEGIN { exit !($told > 5 * $(json "$cycles")) }"; echo $?)" "... 200000 of them take more cycles than the guess"
else
    skip "trips from a recording" "nothing could be recorded"
fi
cc area estimate turns.c; is "$(grep -c 'trip counts unknown' out)" 1 "trip counts that the text does not give are said, of cycles"

# --- partition ---
if gcc -O1 -g -fno-inline "$example/edge.c" "$example/run.c" -o edges && "$CORECAST" record -o edges.cast -- ./edges >out 2>err; then
    set -- "$example/edge.c" "$example/run.c" --profile edges.cast
    cc area partition "$@" --json; is "$RC $(json .schema)" "0 corecast.area.partition" "partition"
    same '"\(.hardware | index("smooth") != null) \(.proven) \(.speedup > 2)"' "true true true" "the hottest kernel becomes hardware, proven"
    same '[.left[] | select(.name == "hysteresis" or .name == "main" or .name == "report") | .reason] | unique | length' 2 "... what cannot be is told with the reason"
    same '[.area[] | select(.low > .value or .value > .high or .value > .budget)] | length' 0 "... its area has intervals and fits the budget"
    same '([.front[].speedup] | . == sort) and .front[-1].speedup == .speedup' true "... the front rises to it"
    same '.kernels[-1].cumulative_speedup == .speedup' true "... and so does the table"
    all=$(json .speedup)
    cc area partition "$@" --platform zynq-ultrascale --json
    same "\"\(.link) \(.speedup < $all) \(.seconds_with_hardware < .seconds)\"" "cpu.pl true true" "data over the platform's link is charged"
    cc area partition "$@" --platform zynq-ultrascale --gain 1 --json; same '.hardware | length' 0 "nothing is worth making where hardware is no faster"
    cc area partition "$@" --json; same '"\(.speedup_estimated) \(.speedup_low)"' "null null" "a speed-up of estimated cycles needs trip counts"
    if "$CORECAST" record --loops count -o turns.cast -- ./edges >out 2>err; then
        set -- "$example/edge.c" "$example/run.c" --profile turns.cast
        cc area partition "$@" --json
        same '.clock_ns == 10 and .speedup_low < .speedup_estimated and .speedup_estimated < .speedup_high and .speedup_high <= .speedup' true "... has an interval, at most what hardware without time would bring"
        same '[.kernels[] | .cumulative_speedup_low <= .cumulative_speedup_estimated and .cumulative_speedup_high <= .cumulative_speedup] | all' true "... and so has each row"
        cc area partition "$@" --clock 10 --json; same '(.speedup - .speedup_estimated | fabs) < 1e-9 and .proven' true "... and can be what is chosen by"
        best=$(json .speedup); cc area partition "$@" --clock 0.1 --json; ok "$(awk "BEGIN { exit !($(json .speedup) > $best) }"; echo $?)" "a faster clock brings more"
        cc area partition "$@" --loops --json; same '.proven and (.left | map(.name) | index("smooth:11") != null)' true "loops are candidates beside their functions"
        cat >inside.c <<'C'
static float a[4096], b[4096];
int main(int argc, char **argv)
{
    for (int i = 0; i < 4096; i++)
        a[i] = i * argc;
    for (int r = 0; r < 50; r++)
        for (int i = 1; i < 4095; i++)
            b[i] = a[i - 1] + 2 * a[i] + a[i + 1];
    return b[7] == 0 && argv;
}
C
        if gcc -O1 -g inside.c -o inside && "$CORECAST" record --loops count -o inside.cast -- ./inside >out 2>err; then
            cc area partition inside.c --profile inside.cast --json; same '"\(.hardware | length) \(.speedup)"' "0 1" "a program that is all main has no functions to choose among"
            cc area partition inside.c --profile inside.cast --loops --json
            same '(.hardware | index("main:6") != null) and ((.kernels[0] | 1 / (1 - .share)) - .kernels[0].speedup | fabs) < 1e-6' true "... but loops"
        fi
        cc area partition "$example/edge.c" --profile edges.cast --loops; fails 3 "has no loops" "loops of a recording without them"
        cc area partition "$@" --clock 10 --gain 2; fails 2 "exclude each other" "a clock and a gain"
    fi
    cc area partition "$@" --budget lut=0 --json; same '"\(.hardware | length) \(.speedup)"' "0 1" "nothing fits into nothing"
    cc area partition "$@" --budget lut=0.2%,dsp=50% --json; same '.area.lut.value <= .area.lut.budget and .area.dsp.budget == 4512' true "a budget in per cent"
    cc area partition "$@" --svg front.svg; ok "$(grep -q '^Speed-up' out && grep -q '<svg' front.svg; echo $?)" "as text, with its chart"
    cc area partition "$@" --budget luts=3; fails 2 "no measure 'luts'" "a budget of no measure"
    cc area partition "$@" --budget lut; fails 2 "is not MEASURE=AMOUNT" "a budget that is none"
    cc area partition "$@" --platform manycore; fails 3 "link" "a platform without such a link"
    cc area partition edge.csv --profile edges.cast; fails 2 "needs source files" "a table of metrics"
else
    skip "partition of a recording" "nothing could be recorded"
fi
cc area partition "$example/edge.c"; fails 2 "needs '--profile" "no recording"
cc area partition "$example/edge.c" --profile "$example/edge.c"; fails 3 "edge.c" "a recording that is none"

cc area; fails 2 "expected" "no subcommand"
cc area metrisc; fails 2 "did you mean 'metrics'" "a near subcommand"
done_testing
