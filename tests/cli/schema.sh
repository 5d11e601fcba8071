#!/bin/sh
# Every schema of docs/schema is that of a command: each is asked of the tool here, and what it writes has no field that the schema does not describe.
# make check does the same with all that the other tests wrote (CC_KEEP_JSON).
. "$(dirname "$0")/lib.sh"
mkdir kept
n=0
keep() { # keep ARGS: its JSON
    n=$((n + 1))
    "$CORECAST" "$@" --json >"kept/$n.json" 2>err || { ok 1 "$*"; cat err; }
}
"$MAKE_CAST" p.cast >/dev/null || exit 99
for view in $("$CORECAST" report -h | sed -n '/^Values of --view:/,$s/^  \([a-z]*\) .*/\1/p'); do
    case $view in channel) keep report p.cast --view channel --from produce --to filter ;; *) keep report p.cast --view "$view" ;; esac
done
for by in context thread region object; do keep report p.cast --view comm --by $by; done
keep platform list
keep platform show manycore
keep platform check "$SOURCE/platforms/manycore.ini"
keep compare p.cast p.cast
mkdir set && printf 'file,status,n\n' >set/manifest.csv
for i in 1 2 3 4; do cp p.cast set/$i.cast && echo "$i.cast,ok,$i" >>set/manifest.csv; done
keep compare --model set --at n=9 --check
keep map p.cast --parts 2
keep map p.cast --parts 2 -p mesh4x4 --rate 30
keep map "$SOURCE/examples/map/lane-detection.ini"
keep map "$SOURCE/examples/map/lane-detection.ini" --objective pareto
keep tile -p stxp70-asmp --image 64x48 --kernel 3x3 --time 20 --what-if-cores 1,2
keep units "$SOURCE/examples/units/gradient.ini" -p tegra-k1
awk 'BEGIN { for (i = 0; i < 20; i++) print "loop.it," i * 1000 "," i * 1000 + 900; print "loop,0,20000" }' >t.csv
echo 'loop.it = #pragma omp parallel for' >s.omp
keep predict t.csv -p stxp70-asmp -s s.omp -n 1,2
mkdir times && sed 's/.cast,/.csv,/' set/manifest.csv >times/manifest.csv
for i in 1 2 3 4; do cp t.csv times/$i.csv; done
keep predict times -p stxp70-asmp -s s.omp -n 1,2 --at n=9
keep predict t.csv --tasks
keep validate t.csv -p stxp70-asmp --scenario s.omp --cores 1,2 --repeat 1 --run 'sleep 0.05 # {n}'
{ echo cycle,cpu,pc,address,latency,function; awk 'BEGIN { for (i = 0; i < 300; i++) print i * 10 "," i % 4 "," 64 * (i % 9) "," 16 * (i % 30) "," i % 50 ",f" i % 3 }'; } >e.csv
"$CORECAST" trace import -q e.csv -o t.trace
awk -F, 'NR == 1 || $2 == 0' e.csv >one.csv; "$CORECAST" trace import -q one.csv -o t1.trace
keep trace info t.trace
keep mine contention t.trace
keep mine contention --method windows t.trace
keep mine scaling t1.trace t.trace
printf '1 2 3\n2 3\n1 3 7\n' >sets
keep mine itemsets sets --support 1 --list
c=$SOURCE/examples/area
keep area metrics "$c/edge.c"
keep area metrics --define
keep area estimate "$c/edge.c"
keep area calibrate "$c/metrics.csv" "$c/hardware.csv" -o made.model --family linear
keep area model show made.model
if command -v "qemu-$(uname -m)" >/dev/null; then
    printf 'int main(void) { return 0; }\n' >p.c && gcc -O1 -g -static p.c -o p
    keep simulate -p mips-smp -n 2 -q -- ./p
fi
[ -z "${CC_KEEP_JSON:-}" ] || for f in kept/*.json; do cp "$f" "$CC_KEEP_JSON/schema.$(basename "$f")"; done
python3 "$SOURCE/tools/schema.py" check "$SOURCE/docs/schema" kept/*.json >tap
grep '^#' tap
while IFS= read -r line; do
    case $line in
    "ok "*SKIP*) skip "schemas" "no python3-jsonschema" ;;
    "ok "*) ok 0 "${line#*- }" ;;
    "not ok "*) ok 1 "${line#*- }" ;;
    esac
done <tap
grep -q SKIP tap || for f in "$SOURCE"/docs/schema/*.json; do
    name=$(basename "$f" .json)
    case $name in corecast.characterize | corecast.area.partition | corecast.explore | corecast.simulate) continue ;; esac # take long here, or have tests of their own
    ok "$(grep -q -- "- $name: " tap; echo $?)" "$name was tried"
done
done_testing
