#!/bin/sh
# corecast report --view classes: a loop of known instructions on every instruction set, by both engines.
. "$(dirname "$0")/lib.sh"
N=3345 # turns of `kernel`, in two calls; `marked` makes 350, 50 of these in its task

# counts WHAT NAME: the classes of a row of the last report, in the contract's order
counts() { json ".$1[]|select(.name==\"$2\")|[.s_int,.m_int,.float,.specific,.branch,.address,.memory]|tostring"; }
check() { # check NAME: the counts of the program that was recorded last
    x86=$([ "$(json .isa)" = x86_64 ] && echo 1 || echo 0)
    is "$(counts functions kernel)" "[$((2 * N)),$N,$N,$N,$((N + 2)),$N,$((N + 2 * x86))]" "$1: a function of known instructions"
    is "$(json '.functions[]|select(.name=="kernel")|[.instructions,.other,.unknown,.combined]|tostring')" \
        "[$(((9 - x86) * N + 2)),$N,0,$((x86 * (N + 2)))]" "$1: instructions, and what counts twice"
    is "$(json '.functions[]|select(.name=="kernel")|.memory_operands')" "$((N + 2 * x86))" "$1: operands in memory"
    is "$(json '.functions[]|select(.name=="kernel")|(.intensity*1e6|floor)')" "$(((7 * N + 2) * 1000000 / (N + 2 * x86)))" "$1: intensity"
    is "$(json '.regions[]|select(.name=="hot")|[.m_int,.float,.specific]|tostring')" "[350,350,350]" "$1: a region"
    is "$(json '.tasks[]|select(.name=="piece")|[.m_int,.float,.specific,.memory]|tostring')" "[50,50,50,50]" "$1: a task"
    is "$(json '[.functions,.regions,.tasks]|map([.[].instructions]|add)|unique|length')" 1 "$1: functions, regions and tasks add up to the same"
    is "$(json '[.total,.functions[]]|map(.s_int+.m_int+.float+.specific+.branch+.address+.memory+.other+.unknown-.combined==.instructions)|all')" true "$1: nothing is lost"
    is "$(json '.total.instructions')" "$("$CORECAST" report p.cast --json | jq .instructions)" "$1: every instruction of the run is there"
    is "$(json '[.functions[]|select(.name=="kernel" or .name=="marked")|[.name,.memory]]|sort|tostring')" \
        "$("$CORECAST" report p.cast --view intensity --json | jq -r '[.functions[]|select(.name=="kernel" or .name=="marked")|[.name,.memory_instructions]]|sort|tostring')" \
        "$1: as many instructions that access memory as the engine saw accessing it"
    is "$(json '.total|.unknown*1000<.instructions')" true "$1: (almost) every instruction is known"
}

build() { $1 -O1 -g -fcf-protection=none -I "$SOURCE/include" -o prog "$SOURCE/tests/cli/programs/classes.c" 2>err ||
    $1 -O1 -g -I "$SOURCE/include" -o prog "$SOURCE/tests/cli/programs/classes.c" 2>err; }
for target in aarch64:aarch64-linux-gnu-gcc arm:arm-linux-gnueabihf-gcc "arm:arm-linux-gnueabihf-gcc -marm" riscv64:riscv64-linux-gnu-gcc x86_64:x86_64-linux-gnu-gcc; do
    name=${target%%:*}
    compiler=${target#*:}
    engines=qemu
    [ "$name" = "$(uname -m)" ] && { compiler=gcc; engines="valgrind qemu"; }
    command -v "${compiler%% *}" >/dev/null || { skip "$name" "no ${compiler%% *} here"; continue; }
    build "$compiler" || { skip "$name" "does not link"; continue; }
    for engine in $engines; do
        cc record -q --engine $engine -o p.cast -- ./prog
        cc report p.cast --view classes --json
        is "$RC $(json '[.schema,.version,.isa]|tostring')" "0 [\"corecast.classes\",1,\"$name\"]" "$name, $engine"
        check "$compiler, $engine"
        "$CORECAST" report p.cast --view classes --json | jq -c '.functions[]|select(.name=="kernel" or .name=="marked")' >facts.$engine
    done
    [ "$engines" = qemu ] || { cmp -s facts.valgrind facts.qemu; ok $? "$name: the engines agree to the count"; }
done

# --- the regions of the program that was recorded last, as kernels
printf '[platform]\nname = t\nsource = test\n[unit.u]\nclock_mhz = 1000\nsuperscalar = no\ns_int = 1e9\nm_int = 1\nfloat = 1e9\nspecific = 1e9\nbranch = 1e9\naddress = 1e9\nload_store = 1e9\n' >u.ini
cc units p.cast --by region --platform u.ini --json
is "$RC $(json '.kernels[]|select(.name=="hot")|(.low|round)')" "0 350" "a region as a kernel: its multiplications are all that cost"
cc map p.cast --by region --platform u.ini --json
is "$RC $(json '[.assignment[].task]|index("hot")!=null')" "0 true" "a region as a task"
cc map p.cast --by region --parts 2 --tolerance 1000 --json
is "$RC $(json '[.assignment[].task]|index("hot")!=null')" "0 true" "a region as a node"

# --- regions made of functions; the time of a task for tiles
if build gcc; then
    for engine in valgrind qemu; do
        cc record -q --engine $engine --region k=kernel -o p.cast -- ./prog
        cc report p.cast --view classes --json
        is "$(json '.regions[]|select(.name=="k")|del(.name)|tostring')" "$(json '.functions[]|select(.name=="kernel")|del(.name)|tostring')" \
            "$engine: a function as a region has the same counts"
    done
    n=$(json '.tasks[]|select(.name=="piece")|.instructions')
    printf '[platform]\nname = d\nsource = test\nclock_mhz = 500\ncores = 4\n[dma]\ni0 = 200\ni1 = 1\nalpha = 0.5\n' >d.ini
    tile="tile --platform d.ini --image 320x240 --kernel 3x3 --memory 64k --json"
    cc $tile --time "$(awk "BEGIN{print $n / 50}")"
    want=$(json .best.time)
    cc $tile --profile p.cast --task piece --task-pixels 50
    is "$RC $(json .best.time | awk -v w="$want" '{print ($1 > 0 && ($1 - w) ^ 2 < (1e-6 * w) ^ 2)}')" "0 1" "tile takes the time of a recorded task"
else
    skip "regions made of functions, tiles" "this machine has no classes"
fi

# --- our own program as objdump counts it: a function that is run once, straight through
cat >straight.c <<'END'
double straight(double a, double b, long c, long d) { return a * b + a / b + (double)(c * d + (c >> 3)); }
int main(int argc, char **argv) { (void)argv; return straight(argc, 2, 3, argc) > 100; }
END
gcc -O1 -fno-inline -fcf-protection=none straight.c -o straight 2>err || gcc -O1 -fno-inline straight.c -o straight
cc record -q -o p.cast -- ./straight
cc report p.cast --view classes --json
if command -v objdump >/dev/null; then
    is "$(json '.functions[]|select(.name=="straight")|.instructions')" "$(objdump -d --disassemble=straight straight | grep -cE '^ +[0-9a-f]+:')" \
        "as many instructions as objdump shows"
else
    skip "as many instructions as objdump shows" "no objdump here"
fi
is "$(json '.functions[]|select(.name=="straight")|[.m_int,.specific,.float>=4]|tostring')" '[1,1,true]' "what the source says: a product, a quotient, arithmetic on doubles"

# --- code of known figures without any engine
"$MAKE_CAST" fixture.cast; cc report fixture.cast --view classes --json
is "$(json '.functions[]|select(.name=="filter")|[.s_int,.m_int,.branch,.memory,.instructions,.operands,.intensity]|tostring')" "[1000,1000,1000,1000,4000,10000,3]" "a profile with known figures"

# --- text, drawing, filters
cc report p.cast --view classes --min-share 0; grep -q "straight" out && grep -q "intensity" out; is "$RC $?" "0 0" "as text"
cc report p.cast --view classes --focus straight --json; is "$(json '[.functions[].name]|tostring')" '["straight"]' "--focus"
cc report p.cast --view classes --top 1 --json; is "$(json '.functions|length')" 1 "--top"
cc report p.cast --view classes --focus nothing; fails 3 "nothing in the profile" "an unknown function"
cc report p.cast --view classes --svg c.svg; xmllint --noout c.svg; is "$RC $?" "0 0" "the drawing is well-formed"
"$CORECAST" report p.cast --view classes --json >a; "$CORECAST" report p.cast --view classes --json >b; cmp -s a b; ok $? "output repeats to the byte"

# --- profiles without code
cat >n.c <<'END'
#include <corecast/mark.h>
int main(void) { CC_TASK_BEGIN("t"); CC_TASK_END("t"); return 0; }
END
gcc -DCORECAST_NATIVE -I "$SOURCE/include" -I "$SOURCE/collect" n.c "$SOURCE/engines/native/native.c" -o n -pthread 2>err
cc record -q --engine native -o n.cast -- ./n
cc report n.cast --view classes; fails 3 "recorded without the code" "a profile without code"
grep -q "record the program again" err; ok $? "says what to do"
done_testing
