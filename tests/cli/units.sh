#!/bin/sh
. "$(dirname "$0")/lib.sh"
K=$SOURCE/examples/units/gradient.ini
cc units "$K" --platform tegra-k1 --confidence 70 --between 14:17 --json
is "$RC $(json .schema)" "0 corecast.units" "JSON"
of() { json ".kernels[]|select(.name==\"$1\" and .unit==\"$2\")|\"\(.low) \(.high) \(.bound)\""; }
is "$(of gray arm)" "4 8 compute" "gray on ARM"
is "$(of sobel-1 arm)" "3 4 compute" "first Sobel on ARM"
is "$(of sobel-2 arm)" "5 7 compute" "second Sobel on ARM"
is "$(json '.kernels[]|select(.name=="gray" and .unit=="gpu")|[.low,.high]|map(.*1e5|round)|tostring')" "[20000,29375]" "gray on GPU (the paper slips: 0.29275)"
is "$(json '.kernels[]|select(.name=="sobel")|[.low,.high]|map(.*1e5|round)|tostring')" "[18125,43125]" "Sobel on GPU"
arm='.chains[]|select(.unit=="arm")'; gpu='.chains[]|select(.unit=="gpu")'
is "$(json "$arm|[.low,.high,.mode_low,.mode_high]|tostring")" "[12,19,15,16]" "gradient on ARM: [12, 19], most probable [15, 16]"
is "$(json "$arm|.between.confidence*1e4|round")" 708333 "Pr[14, 17] = 17/24, printed as 70 %"
is "$(json "$arm|.density|length")" 7 "equation 14 has seven pieces"
is "$(json "$arm|.density[0]|[.from,.to,(.coefficients[2]*16*1e9|round)]|tostring")" "[12,13,1000000000]" "(p - 12)^2 / 16"
is "$(json "$arm|.density[3].coefficients[0]*1e12|round")" 250000000000 "plateau 0.25"
is "$(json "$arm|.intervals[0]|(.confidence==70) and .low>14 and .low<14.1 and (.low+.high-31|fabs)<1e-9")" true "the 70 % interval"
is "$(json "$gpu|[.low,.high,.mode_low,.mode_high]|map(.*1e5|round)|tostring")" "[38125,72500,47500,63125]" "gradient on GPU"
is "$(json '[.chains[].density[]|select(.from>=.to)]|length')" 0 "pieces follow each other"

cc units "$K" --platform tegra-k1 --unit arm --cores 4 --image 1280x720 --json
is "$(json '.chains|length') $(json '.chains[0]|[.low,.high]|map(.*1e3|round)|tostring')" "1 [3017,4776]" "four cores, 4 blocks of 1280 x 181"
is "$(json '.chains[0].seconds_high*1e6|round')" "$(awk 'BEGIN{printf "%.0f", 19*181/720*1280*720/1500}')" "seconds of an image"

cc units "$K" --platform tegra-k1 --density d.svg --image 1280x720; is $RC 0 "text and density"
xmllint --noout d.svg; ok $? "the density is well-formed"
grep -q '15.5 ± 22.6 %' out; ok $? "15.5 ± 22.6 %"

cc units "$K" --platform tegra-k1 --csv; is "$RC $(sed -n 1p out) $(grep -cx 'gray,arm,4,8,compute,s_int,' out)" "0 name,unit,low,high,bound,slowest,intensity 1" "kernels as CSV"
cc units "$K" --platform tegra-k1 --confidence 70 --csv=chains.intervals; is "$RC $(cut -d, -f1,12 out | tr '\n' ' ')" "0 chains.unit,confidence arm,70 gpu,70 " "intervals as CSV, with their unit"

printf '[platform]\nname = t\nsource = test\n[unit.a]\nclock_mhz = 1000\ncores = 8\ns_int = 2\nm_int = 1\nload_store = 1\nbandwidth = 4000000000\ncore_bandwidth = 2000000000\n[unit.b]\nclock_mhz = 500\nsuperscalar = no\ns_int = 1\nm_int = 1\nload_store = 1\n[link.a.b]\nlatency = 0.001\nbandwidth = 1000000\n' >t.ini
printf '[kernel.k]\ns_int = 4\nm_int = 1\nmemory = 3\nbytes = 16\n' >k.ini
cc units k.ini --platform t.ini --json
is "$(of k a)" "8 11 memory" "memory bound"
is "$(json '.chains[]|select(.unit=="b")|"\(.low) \(.high) \(.density|length)"')" "5 5 0" "a scalar unit: low = high, no density"
cc units k.ini --platform t.ini --from a --transfer 2 --image 100x100 --json
is "$(json '.chains[]|select(.unit=="b")|.transfer*1e6|round')" "$(awk 'BEGIN{printf "%.0f", (0.001+20000/1e6)*500e6/10000*1e6}')" "a transfer comes first"

sed 's/^latency = 0.001/points = 10000:0.01 20000:0.02 40000:0.05/; /^bandwidth = 1000000$/d' t.ini >c.ini
cc units k.ini --platform c.ini --from a --transfer 3 --image 100x100 --json
is "$(json '.chains[]|select(.unit=="b")|.transfer*1e6|round')" 1750000000 "a measured transfer curve, interpolated"
sed 's/20000:0.02/2000:0.02/' c.ini >d.ini; cc units k.ini --platform d.ini --from a --image 100x100; fails 3 "d.ini:[0-9]+: the sizes of a curve must rise" "a bad curve"
cc characterize --units --json; fails 2 "not with '--json'" "characterize --units writes a platform file"

# --- a recording of known figures: filter does 1000 s_int, m_int, branch and memory, consume 300 of each
"$MAKE_CAST" f.cast
sed "s/^s_int = 2/s_int = 2\nbranch = 1/; s/^s_int = 1$/s_int = 1\nbranch = 1/; /bandwidth = 4/d; /core_bandwidth/d" t.ini >u.ini
cc units f.cast --platform u.ini --json
is "$RC $(of filter a);$(of consume a)" "0 1000 2500 compute;300 750 compute" "kernels from a recording"
is "$(of filter b)" "3000 3000 compute" "on a scalar unit"
is "$(json '.chains[]|select(.unit=="a")|"\(.low) \(.high) \(.seconds_low*1e9|round)"')" "1300 3250 1300" "the run as a chain"
cc units f.cast --platform u.ini --json --image 10x10; is "$(of filter a)" "10 25 compute" "per element of an image"
cc units f.cast --platform u.ini --json --top 1; is "$(of filter a);$(of '<rest>' a)" "1000 2500 compute;300 750 compute" "the lighter ones are one kernel"
cc units f.cast --platform u.ini --json --by region; is "$(of inner a);$(of '<outside>' a)" "1000 2500 compute;300 750 compute" "by region"
cc units f.cast --platform u.ini; grep -q "ms a run" out; is "$RC $?" "0 0" "as text"
cc units f.cast --platform t.ini; fails 3 "needs 'branch'" "no unit can do it"
sed "s/^s_int = 2/s_int = 2\nbranch = 1/" t.ini >v.ini; cc units f.cast --platform v.ini --json
is "$RC $(json '[.chains[].unit]|tostring') $(grep -c "unit 'b' is left out" err)" "0 [\"a\"] 1" "a unit that cannot is left out"
cc units f.cast --platform v.ini --unit b; fails 3 "unit 'b' has no throughput" "unless it was asked for"
# one command to the mapping: the same that 'map' finds
cc map f.cast --platform u.ini --units --tasks 12 --json; want=$(json '[.time, .lower_bound, .proven] | tostring'); where=$(json '[.assignment[] | .task + "=" + .unit] | join(" ")'); clock=$(json .clock)
cc units f.cast --platform u.ini --map --json
is "$RC $(json "[.mapping | (.seconds, .lower_bound) * $(case $clock in s) echo 1 ;; ms) echo 1e3 ;; us) echo 1e6 ;; ns) echo 1e9 ;; esac)] + [.mapping.proven] | tostring")" "0 $want" "--map: the time and proof of map"
is "$(json '[.mapping.assignment[] | .task + "=" + .unit] | join(" ")')" "$where" "and its assignment"
is "$(json '[.profiles[] | .s_int + .m_int + .float + .specific + .branch + .address | . > 0.999999 and . < 1.000001] | (length > 0) and all')" true "computing profiles add up"
cc units f.cast --platform u.ini --map; grep -q "^mapping: .* ms a run, no mapping is better" out; ok $? "as text"
cc units k.ini --platform t.ini --map; fails 2 "needs a recording" "kernel files tell no data"
cc units f.cast --platform u.ini --parallel; fails 2 "goes with '--map'" "only with it"
head -c 5000 f.cast >cut.cast; cc units cut.cast --platform u.ini; fails 3 "cut.cast" "a cut recording"

# --- atomics and reductions cost what the chip says, and nothing goes in silence
for c in 0 1 2; do printf '[kernel.k]\ns_int = 4\nclass = P%d\n' $c >p$c.ini; done
cost() { cc units p$1.ini --platform tegra-k1 --cores 4 --image 64x64 --json; of k "$2" | cut -d' ' -f1,2; }
is "$(cost 0 arm);$(cost 1 arm);$(cost 0 gpu);$(cost 1 gpu)" "0.5 0.5;15.5 60.5;0.025 0.025;$(awk 'BEGIN { printf "%.17g", 0.025 + 1 / 192 }' | sed 's/0*$//' | cut -c1-20) 1.025" "P1 costs its atomics"
is "$(cost 2 arm)" "$(awk 'BEGIN { t = sprintf("%.8f", 0.5 + (3000 + 2 * 60) / 4096); print t, t }')" "P2 costs its reduction"
cc units p1.ini --platform t.ini --cores 4; fails 3 "p1.ini:1: kernel 'k' of class P1 needs 'atomic', which \[unit.a\]" "atomics that nobody knows"
cc units p2.ini --platform tegra-k1 --cores 4; fails 3 "p2.ini:1: .*--image" "a reduction over nobody knows how many elements"

# --- the paper's three kernels, compiled for its core and recorded: the time measured there (15.87) lies in the interval
if arm-linux-gnueabihf-gcc -O1 -g -mcpu=cortex-a15 -static "$SOURCE/examples/units/gradient.c" -o gradient 2>err && command -v qemu-arm >/dev/null; then
    cc record --engine qemu -o gradient.cast -- ./gradient; is $RC 0 "the gradient for Cortex-A15 is recorded"
    cc units gradient.cast --platform tegra-k1 --unit arm --image 320x240 --json
    three='[.kernels[]|select(.name|test("^(gray|sobel_1|sobel_2)$"))]'
    is "$(json "$three|length")" 3 "its kernels"
    is "$(json "$three|[([.[].low]|add) < 15.87, ([.[].high]|add) > 15.87, all(.low < .high)]|tostring")" "[true,true,true]" "the measured 15.87 lies between"
    is "$(json "$three|([.[].high]|add) < 19.1")" true "in an interval no wider than the paper's [12, 19]"
else
    skip "the gradient on a Cortex-A15" "no compiler or no QEMU for ARM"
fi

i=0; while [ $i -lt 3000 ]; do i=$((i + 1)); printf '[kernel.k%d]\ns_int = %d\nm_int = %d.%d\n' $i $((i % 17 + 1)) $((i % 5)) $((i % 89)); done >many.ini
(ulimit -t 10; "$CORECAST" units many.ini --platform t.ini --unit a --json >out 2>err); is "$? $(json '.kernels|length')" "0 3000" "3000 kernels in less than 10 s of CPU time"
cc units k.ini --platform tegra-k1 --json; printf '[kernel.x]\nspecific = 1\n' >s.ini
cc units s.ini --platform t.ini; fails 3 "s.ini:1: kernel 'x' needs 'specific', for which unit 'a'" "a unit without the throughput: with the line"
cc units s.ini --platform tegra-k1 --unit gpu; is $RC 0 "fine on the other unit"
printf '[kernel.x]\ns_int = -1\n' >b.ini; cc units b.ini --platform t.ini; fails 3 "b.ini:2: 's_int'" "a negative count"
printf '[kernel.x.c]\ns_int = 1\n' >b.ini; cc units b.ini --platform t.ini; fails 3 "b.ini:1: no unit 'c' on this platform" "a description for a unit that is not there, and none for the others"
cc units k.ini --platform t.ini --unit c; fails 2 "no unit 'c'" "an unknown --unit"
cc units k.ini --platform t.ini --image 0x3; fails 2 "image" "bad image"
cc units k.ini --platform t.ini --confidence 200; fails 2 "confidence" "bad confidence"
cc units k.ini --platform t.ini --between 5:1; fails 2 "ends before it begins" "a range the wrong way round"
printf '[kernel.k]\ns_int = 1\natomics = 2\n' >a.ini; printf '[kernel.k]\nclass = P1\ns_int = 1\natomics = 2\n' >b.ini
cc units a.ini -p tegra-k1 --cores 4 --json; is "$(json '.kernels[0] | [.low, .high]')" "$("$CORECAST" units b.ini -p tegra-k1 --cores 4 --json | jq '.kernels[0] | [.low, .high]')" "atomic updates make a kernel P1"
is "$(json '.kernels[0].high > 120')" true "... and cost"
printf '[kernel.k]\nclass = P2\ns_int = 1\natomics = 2\n' >c.ini; cc units c.ini -p tegra-k1; fails 3 "c.ini:4: .*class = P1" "atomic updates of another class"
printf '[platform]\nname = x\nsource = s\n[unit.a]\ns_int = 1\n' >m.ini; printf '[kernel.k]\ns_int = 1\nmemory = 2\n' >d.ini
cc units d.ini -p m.ini; fails 3 "d.ini:1: .*accesses memory, for which unit 'a'" "accesses that nobody knows the cost of"
cc units nowhere.ini --platform t.ini; fails 3 "nowhere.ini" "absent file"
cc units --platform t.ini; fails 2 "kernel description" "no file"
printf '[platform]\nname = x\n' >e.ini; cc units k.ini --platform e.ini; fails 3 "no \[unit" "a platform without units"
done_testing
