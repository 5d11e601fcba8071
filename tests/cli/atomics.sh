#!/bin/sh
# Atomic read-modify-write is one read and one write, in both engines, as one instruction and as a pair; what compilers call for it, and for
# wide arithmetic, is charged to its caller.
. "$(dirname "$0")/lib.sh"
PROGRAM=$SOURCE/tests/cli/programs/atomics.c
N=1000

# count ENGINE SIZES MISSED [MOST]: of every variable, "name reads writes", against N each; MISSED: writes of a compare-and-swap that fails;
# MOST: a pair of instructions may fail on real hardware and is run again, up to so many reads more
count() {
    "$CORECAST" record --objects --engine "$1" -o p.cast -- ./prog >prog.out 2>"$WORK/err" || { ok 1 "$name, $1: the program runs"; return; }
    for size in $2; do
        for what in add swap cas miss; do
            writes=$N
            [ $what = miss ] && writes=$3
            echo "${what}_${size}_at $N $((N * size)) $writes $((writes * size))"
        done
    done | sort >want
    cc report p.cast --view objects --min-share 0 --json
    json '.objects[]|select(.name|endswith("_at"))|"\(.name) \(.reads) \(.bytes_read) \(.writes) \(.bytes_written)"' | sort >got
    if [ $# -gt 3 ]; then # reads of a pair that was tried again
        awk -v n=$N -v most="$4" '{ size = $3 / $2; if ($2 > n && $2 <= n + most) { $2 = n; $3 = n * size } print }' got >less && mv less got
    fi
    cmp -s want got; ok $? "$name, $1: N reads and N writes of every variable"
    cmp -s want got || diff want got | sed 's/^/# /' | head -8
    # and what the streams are counted from: a library's or the compiler's own reads are the caller's, too
    cc report p.cast --view bandwidth --json
    json '.functions[]|select(.name|test("^(add|swap|cas|miss)_"))|"\(.name)_at \(.written-.stack_written)"' | sort >got
    awk '{ print $1, $5 }' want | cmp -s - got; ok $? "$name, $1: and as many bytes written by every function"
    "$CORECAST" report p.cast --view functions --min-share 0 --json >functions.json
    is "$(jq -r '[.functions[]|select(.library==false and .symbol!=null)|.name|select(test("^(add|swap|cas|miss|all)_|^main$|^nothing$|^once$|^__start$")|not)]|join(" ")' functions.json)" "" \
        "$name, $1: no function but the program's own"
}
# build NAME COMPILER ARGS…: into ./prog; skips
build() {
    name=$1
    shift
    command -v "$1" >/dev/null || { skip "$name" "no $1 here"; return 1; }
    "$@" -O1 -g -o prog "$PROGRAM" 2>"$WORK/err" || { skip "$name" "does not compile"; return 1; }
}

aarch64=aarch64-linux-gnu-gcc
engines=qemu
[ "$(uname -m)" = aarch64 ] && aarch64=gcc engines="valgrind qemu"
for engine in $engines; do
    build "aarch64, pairs" $aarch64 -DNARROW -march=armv8-a -mno-outline-atomics && count $engine "1 2 4 8" 0 $N
    # a plugin of QEMU's sees neither registers nor flags: a compare-and-swap that fails counts as a write there
    missed=0; [ $engine = qemu ] && missed=$N
    build "aarch64, single instructions" $aarch64 -DNARROW -march=armv8.1-a && count $engine "1 2 4 8" $missed
    build "aarch64, the compiler's functions" $aarch64 -DNARROW -moutline-atomics && count $engine "1 2 4 8" $missed
    build "aarch64, static" $aarch64 -DNARROW -static && count $engine "1 2 4 8" $missed
    build "aarch64, after a thread" $aarch64 -DNARROW -DTHREAD -march=armv8.1-a -pthread && count $engine "1 2 4 8" $missed
    build "aarch64, pairs after a thread" $aarch64 -DNARROW -DTHREAD -march=armv8-a -mno-outline-atomics -pthread && count $engine "1 2 4 8" 0 $N
done
x86=x86_64-linux-gnu-gcc
engines=qemu
[ "$(uname -m)" = x86_64 ] && x86=gcc engines="valgrind qemu"
for engine in $engines; do
    missed=0; [ $engine = qemu ] && missed=$N
    build x86_64 $x86 -DNARROW && count $engine "1 2 4 8" $missed
    build "x86_64, after a thread" $x86 -DNARROW -DTHREAD -pthread && count $engine "1 2 4 8" $missed
done
build "arm, Thumb" arm-linux-gnueabihf-gcc -DNARROW -mthumb && count qemu "1 2 4 8" 0
build arm arm-linux-gnueabihf-gcc -DNARROW -marm && count qemu "1 2 4 8" 0
build "arm, after a thread" arm-linux-gnueabihf-gcc -DNARROW -DTHREAD -pthread && count qemu "1 2 4 8" 0
build riscv64 riscv64-linux-gnu-gcc && count qemu "4 8" 0
build "riscv64, after a thread" riscv64-linux-gnu-gcc -DTHREAD -pthread && count qemu "4 8" 0
build "mipsel, with its C library" mipsel-linux-gnu-gcc -DWORDS && count qemu 4 0
build "mipsel, static, after a thread" mipsel-linux-gnu-gcc -DWORDS -DTHREAD -static -pthread && count qemu 4 0
if command -v ld.lld >/dev/null; then # no C library of mips is needed
    build mipsel clang --target=mipsel-linux-gnu -mips32r2 -ffreestanding -nostdlib -static -fuse-ld=lld -fno-pic -mno-abicalls -G0 -DWORDS -DBARE && count qemu 4 0
else
    skip mipsel "no ld.lld here"
fi

# what arm's kernel does for programs of processors that cannot do it, at fixed addresses: nothing there is code
cat >kernel.c <<'C'
#define OWN __attribute__((noipa))
typedef int four(int old, int new, volatile int *at);
typedef int eight(const long long *old, const long long *new, volatile long long *at);
static volatile int counter_at, missed_at;
static volatile long long wide_at;
OWN void count(void)
{
    for (int i = 0; i < 1000; i++)
        while (((four *)0xffff0fc0)(counter_at, i + 1, &counter_at)) {}
}
OWN int miss(void)
{
    int n = 0;
    for (int i = 0; i < 1000; i++)
        n += ((four *)0xffff0fc0)(5, i, &missed_at) != 0;
    return n;
}
OWN void count_wide(void)
{
    for (long long i = 0, next; i < 1000; i = next) {
        next = i + 1;
        ((eight *)0xffff0f60)(&i, &next, &wide_at);
    }
}
int main(void) { count(); count_wide(); return miss() + counter_at + wide_at != 3000; }
C
for how in -marm -mthumb -static; do
    arm-linux-gnueabihf-gcc -O1 -g $how -o kernel kernel.c 2>"$WORK/err" || { skip "arm's kernel, $how" "no arm-linux-gnueabihf-gcc here"; continue; }
    "$CORECAST" record --objects -o p.cast -- ./kernel 2>"$WORK/err"; RC=$?
    cc report p.cast --view objects --min-share 0 --json
    is "$RC $(json '[.objects[]|select(.name|endswith("_at"))|"\(.name) \(.reads) \(.bytes_read) \(.writes) \(.bytes_written)"]|sort|join(";")')" \
        "0 counter_at 2001 8004 1000 4000;missed_at 1000 4000 0 0;wide_at 1002 8008 1000 8000" "arm's kernel, $how: what its functions read and write"
    "$CORECAST" record -o p.cast -- ./kernel 2>"$WORK/err"
    cc report p.cast --view comm --min-share 0 --json
    is "$(json '[.edges[]|select(.from|test("^count"))|select(.to=="main")|"\(.from) \(.unma)"]|sort|join(";")')" "count 4;count_wide 8" "arm's kernel, $how: and whose it is"
done

# functions of the program's own whose names begin like those
cat >alike.c <<'C'
#define OWN __attribute__((noipa))
static volatile int x[100];
static OWN int __avx_dot(int n) { int s = 0; for (int i = 0; i < n; i++) s += x[i]; return s; }
OWN int __sse_fill(int n) { for (int i = 0; i < n; i++) x[i] = 1; return n; }
OWN int __atomic_counter(int n) { return x[1] += n; }
OWN int __gnu_divider(int n) { return x[2] + n; }
OWN int __sync_queue(int n) { return x[3] + n; }
OWN int __bid_price(int n) { return x[4] + n; }
int main(void) { return __sse_fill(100) - __avx_dot(100) + __atomic_counter(1) + __gnu_divider(1) + __sync_queue(1) + __bid_price(1) - 8; }
C
gcc -O1 -o alike alike.c || exit 99
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o p.cast -- ./alike; RC=$?
    cc report p.cast --view functions --min-share 0 --json
    is "$RC $(json '[.functions[]|select(.library==false and .symbol!=null)|"\(.name) \(.calls)"]|sort|join(" ")')" \
        "0 __atomic_counter 1 __avx_dot 1 __bid_price 1 __gnu_divider 1 __sse_fill 1 __sync_queue 1 main 1" "$engine: names that begin like the compiler's are the program's"
    cc report p.cast --view comm --min-share 0 --json
    is "$(json '.edges[]|select(.from == "__sse_fill" and .to == "__avx_dot")|"\(.bytes) \(.unma)"')" "400 400" "$engine: and their stream"
done

# other functions that compilers call
cat >wide.c <<'C'
#include <stdio.h>
__attribute__((noinline)) double divide(long long a, long long b) { return (double)(a / b) + (double)(a % b) + (float)(unsigned long long)a; }
#ifdef __SIZEOF_INT128__
__attribute__((noinline)) int wide(unsigned __int128 a, unsigned __int128 b) { return (int)(a / b) + (int)(a % b); }
#else
__attribute__((noinline)) int wide(unsigned long long a, unsigned long long b) { return (int)(a / b); }
#endif
int main(int n, char **v)
{
    (void)v;
    printf("%f %d\n", divide(1000000007LL * n, n + 2), wide(1000000007ull * n, n + 2));
    return 0;
}
C
for compiler in gcc "clang -rtlib=compiler-rt" arm-linux-gnueabihf-gcc riscv64-linux-gnu-gcc x86_64-linux-gnu-gcc; do
    $compiler -O1 -o wide wide.c 2>/dev/null || { skip "$compiler: wide arithmetic" "not here"; continue; }
    "$CORECAST" record -o p.cast -- ./wide >prog.out 2>"$WORK/err"
    cc report p.cast --view functions --min-share 0 --json
    is "$(json '[.functions[]|select(.library==false and .symbol!=null)|.name]|sort|join(" ")')" "divide main wide" "$compiler: what divides is charged to who asked for it"
    "$CORECAST" record --libs node -o p.cast -- ./wide >prog.out 2>"$WORK/err"
    cc report p.cast --view functions --min-share 0 --json
    [ "$(json '[.functions[]|select(.library==false)|.name|select(test("^__(udiv|umod|aeabi|div|float)"))]|length')" -gt 0 ]; ok $? "$compiler: --libs node shows it"
done
done_testing
