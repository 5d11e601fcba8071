#!/bin/sh
# What instructions of x86-64 access, in closed form: atomics, strings, x87, SSE, AVX, bits, pushes; and both engines the same.
. "$(dirname "$0")/lib.sh"
x86=x86_64-linux-gnu-gcc
[ "$(uname -m)" != x86_64 ] || x86=gcc

# Instructions that begin in one page and end in the next: QEMU 7.2 begins to translate them with the block before and leaves them to the next.
if command -v $x86 >/dev/null; then
    $x86 -g -nostdlib -static -o pages "$SOURCE/tests/cli/programs/pages.S" || exit 99
    for engine in qemu $([ $x86 != gcc ] || echo valgrind); do
        cc record -q --engine "$engine" -o p.cast -- ./pages
        is "$RC $("$CORECAST" report p.cast --json | jq .instructions)" "0 8006" "$engine: instructions that lie in two pages are executed once"
        is "$("$CORECAST" report p.cast --view calltree --json | jq -c '[.threads[].root|.children[]|.name,.calls,.inclusive,(.children[]|.name,.calls,.inclusive)]')" '["_start",1,8006,"leaf",1000,1000]' "$engine: and called once"
    done
    cc simulate -q --platform cortex-a53-quad --json -- ./pages
    is "$RC $(jq -c '[.cores[].instructions]' out)" "0 [8006,0,0,0]" "simulate: as many"
else
    skip "instructions that lie in two pages" "no $x86 here"
fi
[ "$(uname -m)" = x86_64 ] || { skip "x86-64" "this machine is another"; done_testing; exit; }
gcc -O1 -g -mavx2 -mno-red-zone -o x86 "$SOURCE/tests/cli/programs/x86.c" || exit 99
grep -q ' fma .* avx2 ' /proc/cpuinfo || { skip "x86-64" "no AVX2 here"; done_testing; exit; }
./x86 table | sort >table

# bytes ENGINE: of each case, what its object was read and written, and all its function wrote, in bytes
bytes() {
    "$CORECAST" record -q --objects --engine "$1" -o p.cast -- ./x86 2>"$WORK/err" || { ok 1 "$1: the program runs"; return; }
    "$CORECAST" report p.cast --view objects --min-share 0 --json |
        jq -r '.objects[]|select(.name|endswith("_at"))|"\(.name|sub("_at$";"")) \(.bytes_read) \(.bytes_written)"' | sort >objects
    "$CORECAST" report p.cast --view bandwidth --json | jq -r '.functions[]|"\(.name) \(.written)"' | sort >functions
    join -a 1 -e 0 -o 0,2.2,2.3 table objects | join -a 1 -e 0 -o 0,1.2,1.3,2.2 - functions
}
bytes valgrind >valgrind
bytes qemu >qemu
is "$(wc -l <valgrind)" "$(wc -l <table)" "valgrind: every case"
awk '{ print $1, $2, $3 }' table >want
awk '{ print $1, $2, $3 }' valgrind >got
is "$(diff want got | head -8)" "" "valgrind: bytes read and written by each instruction"
awk '$4 { print $1, $2, $3 }' table >want
awk 'NR == FNR { both[$1] = $4; next } both[$1] { print $1, $2, $3 }' table qemu >got
is "$(diff want got | head -8)" "" "qemu: bytes read and written by each instruction"
for engine in valgrind qemu; do awk 'NR == FNR { both[$1] = $4; next } both[$1] { print $1, $4 }' table $engine >all.$engine; done
is "$(diff all.valgrind all.qemu | head -8)" "" "as much written by each function in both, the stack with it"
is "$(awk '$1 == "pushes" || $1 == "bt_registers" { print $4 }' valgrind | sort -n | tr '\n' ' ' | awk '{ print $2 - $1 }')" 3200 "pushes are writes, bits of registers are none"
# What Valgrind has no translation of: fbstp; the other engine runs it.
cat >bcd.c <<'END'
int main(void)
{
    unsigned char to[10];
    __asm__ volatile("fbstp %0" : "=m"(to) : "t"(69.0L) : "st");
    return to[0];
}
END
gcc -O1 -o bcd bcd.c || exit 99
"$CORECAST" record --engine valgrind -o p.cast -- ./bcd 2>said
is "$?" 132 "an instruction that Valgrind cannot translate is SIGILL"
grep -q 'Valgrind raised: it cannot translate the instruction at 0x[0-9a-f]*; try --engine qemu' said
ok $? "and record says whose fault it is"
"$CORECAST" report p.cast 2>&1 | grep -q 'incomplete: killed by SIGILL, which Valgrind raised'
ok $? "and so does the report"
"$CORECAST" record -q --engine qemu -o p.cast -- ./bcd
is "$?" 105 "the qemu engine runs it"
done_testing
