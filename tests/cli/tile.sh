#!/bin/sh
. "$(dirname "$0")/lib.sh"
cat >p.ini <<E
[platform]
name = test chip
source = test
clock_mhz = 500
cores = 8
[dma]
i0 = 400
i1 = 20
alpha = 0.25
E
qvga="--platform p.ini --image 320x240 --kernel 5x5 --time 157 --memory 512k"

cc tile $qvga --json
is "$RC $(json .schema) $(json .proven) $(json .model)" "0 corecast.tile true corrected" "JSON"
is "$(json '[.best.x,.best.y,.best.time,.best.fps,.best.bytes,.best.memory,.best.bound,.evaluated,.simulated_time]|map(type)|unique|join(",")')" \
    "number,string" "the fields of the contract are there"
is "$(json '(.best.time == .simulated_time) and (.best.fps*.best.time == 500e6)')" true "time is the simulation's; fps at the clock"
is "$(json '(([.stack[]]|add) - .simulated_time)|fabs < 1e-6')" true "the stack adds up"
is "$(json '.pareto|length > 10 and (.[0].time <= (map(.time)|min))')" true "fronts, fastest first"
cp out first
cc tile $qvga --json; cmp -s out first; ok $? "the same command gives the same bytes"
cc tile $qvga --model simulate --json; is "$(json '.best|[.x,.y,.time]|tostring')" "$(jq -r '.best|[.x,.y,.time]|tostring' first)" "simulate finds the same optimum"
cc tile $qvga --model closed --json; is "$(json '(.best.time == .closed_time)')" true "closed: its own time is minimised"

# One core, the whole image in one tile: R + C + W by hand.
cc tile --platform p.ini --image 20x10 --kernel 3x3 --time 10 --cores 1 --memory 1M --min 18x8 --json
is "$(json .best.time)" "$(awk 'BEGIN{print (400+20*10+0.25*200)+10*144+(400+20*8+0.25*144)}')" "one tile by hand"

cc tile $qvga --aspect 4:3 --json; is "$(json '(.best.x*3/4 - .best.y)|fabs <= 0.5')" true "aspect"
cc tile $qvga --align 16 --json; is "$(json '.best.x%16==0 or .best.x==316')" true "align"
cc tile $qvga --double-buffer --json; is "$(json ".best.time < $(jq .best.time first)")" true "two buffers are faster here"
cc tile $qvga --assignment dynamic --writes blocking --planes 3 --pixel 2:1 --overhead 100:20:50 --json; is $RC 0 "other settings"
cc tile $qvga --what-if-cores 1..8 --what-if-time 20,157 --json
is "$(json '.what_if|length')" 16 "what-if over cores and times"
is "$(json '[.what_if[]|select(.kernel_time==157)|.time]|. == (sort|reverse)')" true "more cores are never slower here"
cc tile $qvga --time '157 ± 40' --json; is "$(json '.spread.low < .spread.mean and .spread.mean < .spread.high')" true "times that vary"
printf '100\n200 # two\n\n171\n' >s.txt
cc tile $qvga --time-samples s.txt; is $RC 0 "times from a file"; grep -q 'kernel times that vary' out; ok $? "shown"

cc tile $qvga --csv=pareto; is "$RC $(sed -n 1p out) $(($(wc -l <out) - 1))" "0 x,y,time,bytes,memory,front $(jq '.pareto|length' first)" "all of the fronts as CSV"
cc tile $qvga --memory 4k --cores 2 --what-if-cores 1,1000 --json; is "$(json '[.what_if[]|[.fits,has("x")]]|tostring')" "[[true,true],[false,false]]" "a tile that does not fit has no size"
cc tile $qvga --memory 4k --cores 2 --what-if-cores 1,1000; grep -q '^1 000 .*does not fit' out; ok $? "and says so"

printf '[tile]\nimage = 320x240\nkernel = 5x5\ntime = 157\nmemory = 512k\n' >t.ini
cc tile --platform p.ini t.ini --json; cmp -s out first; ok $? "a file gives what options give"
cc tile --platform p.ini t.ini --time 20 --json; is "$(json '.best.time')" "$("$CORECAST" tile $qvga --time 20 --json | jq .best.time)" "options win over the file"

cc tile $qvga --roofline r.svg --heat h.svg --pareto-bytes b.svg --pareto-memory m.svg
is $RC 0 "text output with charts"
for f in r h b m; do xmllint --noout $f.svg; ok $? "$f.svg is well-formed"; done
grep -q 'memory roof' r.svg; ok $? "the roofline has its memory roof"

# a measured grid
for w in 1 2 4 8 16 32 64 128 256 512; do for h in 1 2 4 8 16 32 64 128 256; do
    [ $((w * h)) -le 8192 ] && echo "$w $h $((300 + 9 * h + w * h / 4))"; done; done >grid.txt
printf '[platform]\nname = g\nsource = test\nclock_mhz = 500\ncores = 4\n[dma]\nmodel = mixed\ngrid = grid.txt\nlimit = 8192\n[memory.local]\nsize = 64k\n' >g.ini
cc tile --platform g.ini --image 640x480 --kernel 3x3 --time 10 --json; is "$RC $(json .proven)" "0 true" "a measured grid, memory from the platform"
is "$(json '(.best.x+2)*(.best.y+2) <= 8192')" true "the DMA's limit holds"

# --- the printed equation, teams, clusters
cc tile --platform p.ini --image 320x240 --kernel 5x5 --time 157 --cores 7 --memory 64k --model closed --literal --json; is "$RC $(json .model)" "0 closed" "the closed form as printed"
cc tile --platform p.ini --image 32x32 --kernel 5x5 --time 1 --memory 64k --literal; fails 2 "goes with '--model closed'" "only that form"
cc tile --platform sthorm --image 320x240 --kernel 20x20 --time 157 --json; strip=$(json .best.time); is "$(json '.clusters, .team' | tr '\n' ' ')" "4 1 " "the platform's clusters share the rows"
cc tile --platform sthorm --clusters 1 --image 320x75 --kernel 20x20 --time 157 --json; is "$(json .best.time)" "$strip" "as one cluster with the most of them"
cc tile --platform p.ini --image 100x64 --kernel 1x1 --time 10 --cores 8 --memory 1M --overhead none --transfers collaborative --min 100x64 --json
is "$RC $(json '.best.time, .team' | tr '\n' ' ')" "0 $(json '.classes[0] | .read + 10 * 100 * 8 + .write') 8 " "a team divides the rows of a tile"
cc tile --platform p.ini --image 100x64 --kernel 1x1 --time 10 --memory 1M --transfers both; fails 2 "'individual' or 'collaborative'" "no other way"
cc tile --platform p.ini --image 100x64 --kernel 1x1 --time '10 +- 2' --memory 1M --transfers collaborative --cores 4; fails 2 "one kernel time" "a team with a spread"

cc tile --platform p.ini --image 4x4 --kernel 5x5 --time 1 --memory 1k; fails 3 "kernel .5x5. is larger than the image .4x4." "kernel larger than image"
cc tile --platform p.ini --image 40x40 --kernel 5x5 --time 1 --memory 100; fails 3 "smallest needs 208 bytes" "memory too small: says how much"
cc tile --platform p.ini --image -4x4 --kernel 5x5 --time 1 --memory 1k; fails 2 "image.*WxH" "negative size"
cc tile --platform p.ini --image 4x4 --kernel 1x1 --time x --memory 1k; fails 2 "time" "time not a number"
cc tile --platform p.ini --image 40x40 --kernel 1x1 --memory 1M --task filter; fails 2 "go together" "a task needs its profile"
cc tile --platform p.ini --image 40x40 --kernel 1x1 --memory 1M --profile p.ini --task f --task-pixels 4; fails 3 "p.ini" "a profile that is none"
cc tile --image 4x4; fails 2 "platform" "no platform"
sed '/clock_mhz/d' p.ini >n.ini; printf '[openmp]\nunit = ns\n[openmp.parallel]\npar_open = 100\n' >>n.ini
cc tile --platform n.ini --image 40x40 --kernel 5x5 --time 1 --memory 1M; fails 3 "n.ini: the costs of \[openmp\] are in ns: \[platform\] needs 'clock_mhz'" "costs in ns without a clock"
cc tile --platform n.ini --image 40x40 --kernel 5x5 --time 1 --memory 1M --overhead none; is $RC 0 "unless they do not matter"
printf '[platform]\nname = n\nsource = test\n' >nodma.ini
cc tile --platform nodma.ini --image 4x4 --kernel 1x1 --time 1 --memory 1k; fails 3 "no \[dma\]" "platform without DMA"
printf '[tile]\nimage = 0x4\n' >bad.ini; cc tile --platform p.ini bad.ini; fails 3 "bad.ini:2: 'image'" "errors name file and line"
printf '[tile]\nimagee = 4x4\n' >bad.ini; cc tile --platform p.ini bad.ini; fails 3 "bad.ini:2: unknown key" "unknown key"
sed 's/^128 8 .*/128 8 nonsense/' grid.txt >grid2.txt; sed 's/grid.txt/grid2.txt/' g.ini >g2.ini
cc tile --platform g2.ini --image 640x480 --kernel 3x3 --time 10; fails 3 "grid2.txt:[0-9]+: expected" "a bad grid names its line"
done_testing
