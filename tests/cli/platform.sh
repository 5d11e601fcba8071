#!/bin/sh
. "$(dirname "$0")/lib.sh"
printf '[platform]\nname = t\nsource = test\nclock_mhz = 10\n' >t.ini
cc platform show t.ini --json; is "$RC $(json .schema)" "0 corecast.platform" "show as JSON"
is "$(json '.values[]|select(.key=="cores")|.origin')" default "defaults are listed as such"
cc platform show t.ini --csv; is "$RC $(sed -n 1p out) $(grep -cx 'platform,clock_mhz,10,file,"clock of the cores, MHz",test,false' out)" "0 section,key,value,origin,help,source,assumed 1" "as CSV"
cc platform show nowhere; fails 3 "cannot open 'nowhere': .*cortex-a53-quad, .*stxp70-asmp" "absent platform: what there is"
cc platform show tegra-k; fails 3 "tegra-k1" "a near name"; grep -q "did you mean 'tegra-k1'" err; ok $? "is offered"
mkdir -p own && cp t.ini own/manycore.ini && cp t.ini own/board.ini && cd own
cc platform show manycore.ini --json; is "$RC $(json '.values[]|select(.key=="clock_mhz")|.value')" "0 10" "a name with its suffix is the file that is there"
cc platform show manycore --json; is "$RC $(json '.values[]|select(.key=="clock_mhz")|.value')" "0 $(sed -n 's/^clock_mhz *= *//p' "$SOURCE/platforms/manycore.ini")" "a plain one is what ships"
cc platform show mips-smp.ini; is $RC 0 "with a suffix too, where there is no such file"
cc platform show board; fails 3 "cannot open 'board'" "a plain name of a file"; grep -q "there is a file 'board.ini'" "$WORK/err"; ok $? "is answered with the file"
printf '[platform]\nname = c\ninherits = manycore.ini\nsource = c\n' >heir.ini; cd ..
cc platform show own/heir.ini --json; is "$RC $(json '.values[]|select(.key=="clock_mhz")|.value')" "0 10" "the file beside the one that inherits"
cc platform show ./nowhere.ini; fails 3 "nowhere.ini: cannot open" "absent file"
for p in "$SOURCE"/platforms/*.ini; do
    [ -e "$p" ] || continue
    cc platform show "$p"; is $RC 0 "$(basename "$p") loads"
done

# --- where figures come from
printf '[platform]\nname = t\nsource = a book\nclock_mhz = 100\ncores = 2\n[dma]\nsource = Assumed: nobody knows\ni0 = 1\ni1 = 2\nalpha = 3\nalpha.source = page 7\n[memory.local]\nsize = 1k\n' >a.ini
cc platform show a.ini --json
of() { json ".values[] | select(.key == \"$1\") | \"\(.source) \(.assumed)\""; }
is "$(of i0)/$(of alpha)/$(of size)" "Assumed: nobody knows true/page 7 false/a book false" "of the section, of the key, of the file"
cc tile -p a.ini --image 8x8 --kernel 1x1 --time 5 --json
is "$RC $(json '[.assumed[] | .section + "." + .key + "=" + .value] | join(" ")')" "0 dma.i0=1 dma.i1=2" "a result names the assumed figures it rests on"
cc tile -p a.ini --image 8x8 --kernel 1x1 --time 5 --set dma.i0=4 --json; is "$(json '[.assumed[].key] | join(" ")')" i1 "not those that --set gives"
cc tile -p a.ini --image 8x8 --kernel 1x1 --time 5; grep -q 'rests on assumed figures: \[dma\] i0, i1;' out; ok $? "in text too"
cc predict -p a.ini; fails 2 "" "no trace"
printf '[platform]\nname = c\ninherits = a.ini\nsource = c\n[dma]\ni1 = 5\n' >c.ini
cc platform show c.ini --json; is "$(of i0)/$(of i1)" "Assumed: nobody knows true/c false" "a source holds for its own file only"
printf '[platform]\nname = t\nsource = s\n[dma]\ni0.source = x\n' >b.ini; cc platform show b.ini; fails 3 "b.ini:5: .*has no 'i0'" "the source of nothing"
printf '[platform]\nname = t\nsource = s\n[dma]\ni0 = 1\ni9.source = x\ni9 = 1\n' >b.ini; cc platform show b.ini; fails 3 "b.ini:7: unknown key 'i9'" "of an unknown key"

# the units' figures that a kernel needs, and no others
printf '[platform]\nname = u\nsource = s\n[unit.x]\nsource = assumed: all\nclock_mhz = 10\ns_int = 1\nfloat = 1\nload_store = 1\nbandwidth = 1e6\n' >u.ini
printf '[kernel.k]\ns_int = 3\n' >k.ini; cc units k.ini -p u.ini --json; is "$(json '[.assumed[].key] | join(" ")')" "clock_mhz s_int" "units: only what the kernels need"

# predict: what the scenario needs, and no other
printf '[platform]\nname = q\nsource = assumed: all\nclock_mhz = 10\n[openmp.parallel]\npar_open = 1\ntask_create = 1\nreduction_ovh = 1\ncritical_ovh = 1\n[openmp.static]\nfor_gap = 1\n[openmp.dynamic]\nfor_gap = 1\n[dma]\ni0 = 1\n' >q.ini
printf 'main,0,100\nmain.i,0,50\nmain.i,50,100\n' >q.csv
keys() { echo "$1" >q.omp; cc predict q.csv -p q.ini -s q.omp -n 2 --json -q; json '[.assumed[] | .section + "." + .key | ltrimstr("openmp.")] | join(" ")'; }
is "$(keys 'main.i = #pragma omp parallel for')" "platform.clock_mhz parallel.par_open static.for_gap" "predict: a static loop"
is "$(keys 'main.i = #pragma omp parallel for schedule(dynamic) reduction(+:s)')" "platform.clock_mhz parallel.par_open parallel.reduction_ovh dynamic.for_gap" "a dynamic one with a reduction"

# --- check
cc platform check a.ini --json; is "$RC $(json '[.answers[] | select(.answer) | .question] | join(" ")') $(json '.values, .assumed, .unsourced' | tr '\n' ' ')" "0 tile parts 6 2 1 " "what it can answer, and how well its figures are known"
is "$(json '.answers[] | select(.question == "simulate") | .why')" "no [core]" "and what it lacks"
cc platform check a.ini --set dma.model=grid --json; is "$RC $(json '[.answers[] | select(.broken) | .question] | join(" ")')" "1 tile" "what is there but wrong: status 1"
sed 's/^i0 = 1/i0 = 1\n[memory.l1]\nread = 9\n[memory.dram]\nread = 5\n[energy]\nbusy_cycle = 1e-9\nidle_cycle = 2e-9/; /^i1\|^alpha/d' a.ini >odd.ini
cc platform check odd.ini --json; is "$RC $(json '.odd | length')" "1 2" "figures that cannot be"
cc platform check t.ini x; fails 2 "expected one platform" "two operands"
printf '[platform]\nname = t\n[core]\nint = fast\n' >b.ini; cc platform check b.ini; fails 3 "b.ini:4: 'int'" "a damaged file"

# --- new: loads as it is, and with every key taken out of its comment
cc platform new -o n.ini; is $RC 0 "new"
cc platform check n.ini; is $RC 0 "it loads as it is"
cc platform new >/dev/null; sed '/^;\(\[\|[a-z_0-9]* = \)/s/^;//' out | sed -E 's/^([a-z_0-9]+ = )[[:space:]]*;/\11	;/; s/^source = $/source = x/' |
    sed '/^inherits/d; s/^\(curve\|points\|latency_curve\|compute\) = 1/\1 = 1:1/; s/^\(size\|interleave\|line\) = 1/\1 = 32/; s/^slice = 1$/slice = 100/; s/^grid = 1/grid = g/; s/^write_grid = 1/write_grid = g/' >all.ini
cc platform show all.ini --json; is "$RC" 0 "and with every key"
is "$(json '[.values[].key] | length')" "$(grep -c '^CC_KEY(' "$SOURCE/src/platform/schema.def" | awk '{ print $1 - 1 }')" "every key of the format is in it, 'inherits' beside"
cc platform new x; fails 2 "unexpected operand" "new takes no operand"
cc platform new --json; fails 2 "neither JSON nor CSV" "and has no JSON"
cc platform new -o /nonexistent/x.ini; fails 3 "/nonexistent" "unwritable output"
cc platform list x; fails 2 "unexpected operand" "list takes no operand"
cc platform list; is "$RC $(LC_ALL=C.UTF-8 wc -L <out | awk '{ print $1 <= 100 }')" "0 1" "list as text fits 100 columns"
done_testing
