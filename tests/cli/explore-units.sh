#!/bin/sh
# Plans that use other units of a chip: what goes there, what that gives by closed forms, why the rest stays.
. "$(dirname "$0")/lib.sh"
cat >chain.c <<'XX'
#include <stdio.h>
#include <stdlib.h>
enum { N = 4000 };
static int in[N], mid[N], out[N];
static unsigned deep(unsigned n)
{
    return n < 2 ? n : deep(n - 1) + deep(n - 2);
}
static void scale(void)
{
    for (int i = 0; i < N; i++)
        mid[i] = in[i] * 7 + (in[i] >> 3) * (in[i] & 31) - (in[i] ^ 12345);
}
static void walk(void)
{
    int s = 1;
    for (int i = 0; i < N; i++) {
        s = s * 5 + mid[i];
        out[i] = s ^ (s >> 7);
    }
}
int main(void)
{
    for (int i = 0; i < N; i++)
        in[i] = (int)((unsigned)i * 2654435761u >> 8);
    for (int k = 0; k < 20; k++) {
        scale();
        walk();
    }
    printf("%d %u\n", out[N - 1], deep(19));
    return 0;
}
XX
cat >two.ini <<'XX'
[platform]
name = two
inherits = cortex-a53-quad
clock_mhz = 1000
[unit.acc]
kind = dsp
clock_mhz = 500
cores = 1
superscalar = no
s_int = 10
m_int = 10
float = 10
specific = 10
branch = 10
address = 10
load_store = 10
[link.cpu.acc]
latency = 1e-6
bandwidth = 1e9
XX
gcc -O1 -fno-inline -g -o chain chain.c || exit 99
"$CORECAST" record -q --loops dependences --tasks all -o c.cast -- ./chain >/dev/null || exit 99
jq -n 1 >/dev/null || exit 99
two() { cc explore -q c.cast -p ./two.ini --contention off --json "$@"; }

two --only scale
is "$(json '[.plans[]|select(.moves != [])|.moves|map("\(.name) \(.unit) \(.calls)")]|unique|flatten|join(" ")')" "scale acc 20" "a function goes to the unit that --only leaves"
computing=$("$CORECAST" report c.cast --view classes --json | jq '.functions[]|select(.name == "scale")|.intensity * .memory')
is "$(json "[.plans[]|select(.moves != [])][0].moves[0].seconds * 5e9 / $computing | . > 0.999 and . < 1.001")" true "its instructions that compute, ten a cycle of 2 ns"
is "$(json '. as $x|[.plans[]|select(.moves != [])][0].moves[0]|.saves - (.share - (.seconds + .bytes / 1e9 + .calls * 2e-6) / ($x.sequential_time * $x.tick_seconds))|fabs < 1e-9')" true "it saves what it took less what it takes, its bytes and its calls"
is "$(json '[.plans[]|select(.moves != [] and .directives == [])][0]|(.speedup[0].speedup - 1 / (1 - .moves[0].saves))|fabs < 1e-9')" true "the speed-up is what is left"
is "$(json '[.plans[]|select(.moves != [])|.patch]|unique|tostring') $(json '[.plans[]|select(.moves == [])|.patch|type]|unique|join(" ")')" "[null] string" "which is no patch; plans of loops still are"
two
is "$(json '.plans[0].moves[0].name') $(json '.plans[0].moves[0].calls')" "main:26 1" "a loop around both calls saves the way between them"
is "$(json '[.left[]|select(.name == "deep")|.reason]|join("")')" "recursion at line 7 (calls itself)" "what calls itself stays, and why"
is "$(json '[.plans[].speedup[-1].speedup]|. == (sort|reverse) or ([range(1;length) as $i|.[$i] <= .[$i-1] * 1.006]|all)')" true "ranked among the plans of loops"
is "$(json '.proven')" true "and proven over all of them"
two --budget lines=2
is "$(json '[.plans[].lines]|max <= 2')" true "lines that move count as lines"
two --not main --not scale --not walk
is "$(json '[.plans[]|select(.moves != [])]|length') $(json '[.left[]|select(.reason == "left out by --not")]|length > 0')" "0 true" "--not"
cc explore -q c.cast -p ./two.ini --contention off; ok "$(grep -q 'what goes to acc' out; echo $?)" "told in words"
cc explore -q c.cast -p ./two.ini --contention off --patch p.diff; is "$RC $(grep '^+.*pragma omp' p.diff | wc -l)" "0 2" "--patch writes the best plan that is only directives"
ok "$(patch -p1 --dry-run -s <p.diff; echo $?)" "... and it applies"
cc explore -q c.cast -p ./two.ini --contention off --patch p.diff --plan 1; fails 2 "plan 1 cannot be written: it moves code to acc" "not one that moves code"
sed '/link.cpu.acc/,$d' two.ini >far.ini; cc explore -q c.cast -p ./far.ini --contention off; ok "$(grep -q 'nothing goes to acc: no figure: the platform has no \[link.cpu.acc\]' out; echo $?)" "a unit without a link"
grep -v float two.ini >less.ini; cc explore -q c.cast -p ./less.ini --contention off --json; is "$(json '[.plans[]|select(.moves != [])]|length > 0')" true "a class that is not needed needs no figure"
grep -v branch two.ini >less.ini; cc explore -q c.cast -p ./less.ini --contention off --json
is "$(json '[.plans[]|select(.moves != [])]|length') $(json '[.left[]|select(.reason|test("no figure for it: .*branch"))]|length > 0')" "0 true" "one that is needed and not there: unknown, not a guess"
sed 's/kind = dsp/kind = gpu/' two.ini >gpu.ini; cc explore -q c.cast -p ./gpu.ini --contention off --json
is "$(json '[.plans[].moves[].name]|map(select(. == "walk" or . == "walk:17"))|length') $(json '[.left[]|select(.name == "walk:17")|.reason]|join("")')" "0 its iterations are not seen to be independent: it would run on one lane" "a GPU takes only loops whose iterations are independent"
mkdir aside; mv chain.c aside; cc explore -q c.cast -p ./two.ini --contention off; ok "$(grep -q "other units: the program's source was not found" out; echo $?)" "without source nothing is moved, and that is said"
mv aside/chain.c .

# programmable logic
logic() { cc explore -q c.cast -p zynq-ultrascale --contention off --json "$@"; }
logic
is "$(json '[.plans[]|select(.area != [])|.area|map(.measure)|join(" ")]|unique|join(";")')" "lut ff dsp bram" "blocks of logic have areas"
is "$(json '[.plans[].area[]|.low <= .value and .value <= .high]|all') $(json '[.plans[]|select(.area != [])|.speedup[-1]|.low <= .speedup and .speedup <= .high]|all')" "true true" "with intervals"
logic --budget lut=1; is "$(json '[.plans[].area[]|select(.measure == "lut")]|length') $(json '[.left[]|select(.reason|test("does not fit"))]|length > 0')" "0 true" "a budget below the smallest leaves none, and says what did not fit"
logic --budget lut=50%,dsp=10; is "$RC $(json '[.plans[].area[]|select(.measure == "dsp")|.value <= 10]|all')" "0 true" "--budget in per cent and in blocks"
logic --objective area; is "$RC $(json '[.plans[]|.area != []]|. == (sort|reverse)')" "0 true" "--objective area: what takes logic first"
logic --budget lut=x; fails 2 "MEASURE=AMOUNT" "a budget that is no number"
logic --budget wishes=3; fails 2 "no such measure" "one of something else"
cc explore -q c.cast -p cortex-a53-quad --objective area; fails 2 "no programmable logic" "--objective area without logic"
done_testing
