#!/bin/sh
# What programs rarely do (programs/odd.c), in closed form and in both engines: who reads whose bytes, at how many addresses, how many of them new; and calls.
. "$(dirname "$0")/lib.sh"
gcc -O1 -pthread -o odd "$SOURCE/tests/cli/programs/odd.c" || exit 99

stream() { "$CORECAST" report p.cast --view comm --min-share 0 --json | jq -r --arg f "$1" --arg t "$2" '.edges[]|select(.from==$f and .to==$t)|"\(.bytes) \(.unma) \(.fresh)"'; }
calls() { "$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r --arg f "$1" '.functions[]|select(.name==$f)|.calls'; }

for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o p.cast ./odd >/dev/null 2>"$WORK/err"; ok $? "$engine: it runs as it does alone"
    is "$(stream before_vfork after_vfork)" "12000 4000 12000" "$engine: a child that borrows our memory"
    is "$(stream before_fork after_fork)" "12000 4000 12000" "$engine: one that has a copy"
    is "$(stream in_child after_fork)" "" "$engine: and writes none of ours"
    is "$(stream fill_map sum_map)" "24576 16384 16384" "$engine: memory that moves, shrinks and is mapped anew"
    is "$(stream '<input>' sum_moved | cut -d ' ' -f 1,2); $(stream fill_moved sum_moved); $(stream fill_moved sum_whole)" "12288 12288; 4096 4096 4096; 16384 16384 16384" \
        "$engine: a file's page that moves onto other memory and grows, and a length of less than a page"
    is "$(stream fill_back sum_back); $(stream '<unknown>' sum_back)" "4096 4096 4096; 8192 8192 8192" "$engine: memory that is given back and still there"
    is "$(stream fill_kept sum_kept)" "4096 4096 4096" "$engine: what is shared is kept"
    is "$(stream fill_far sum_far)" "5500 1000 5500" "$engine: frames of megabytes"
    is "$(stream fill_words run_code) $(calls run_code)" "1280 128 128 160" "$engine: code that is written anew at the same place"
    is "$(stream before_faults mend) $(calls mend) $(calls poke)" "64000 4000 4000 16 16" "$engine: a handler of faults, on a stack of its own"
    is "$(stream poke peek)" "16 16 16" "$engine: what is stored after it"
    is "$(stream fill_short copy_short | cut -d ' ' -f 2-)" "64 2080" "$engine: short copies by the C library"
    is "$(stream copy_short sum_short)" "2080 64 2080" "$engine: and who reads them"
    is "$(stream before_threads copy) $(calls copy)" "40000 4000 16000 10" "$engine: threads, by function, one call of which was made before there were any"
    is "$(stream copy after_threads)" "36000 12000 36000" "$engine: that return, exit or leave by a call of the kernel"
done

# a handler that has to know where it was, for code that ran before it was there
gcc -O1 -no-pie -o mended "$SOURCE/tests/cli/programs/mended.c" || exit 99
for engine in valgrind qemu; do
    is "$("$CORECAST" record --engine $engine -o p.cast ./mended 2>"$WORK/err") $(calls touch) $(calls on_fault)" "5 0 105 5" "$engine: a handler is told which instruction faulted"
done

# a stack grows as far as the limit allows, no further, and where there is none
gcc -O1 -fno-optimize-sibling-calls -o deep "$SOURCE/tests/cli/programs/deep.c" || exit 99
under() { limit=$1; shift; (ulimit -S -s "$limit" && "$CORECAST" record -o p.cast --engine "$@") 2>"$WORK/err"; } # under LIMIT ENGINE WORDS…
if [ "$(ulimit -H -s)" = unlimited ]; then
    for engine in valgrind qemu; do
        is "$(under 65536 $engine ./deep 50000) $(calls deep)" "50000 50001" "$engine: a stack of 50 MiB under a limit of 64"
        is "$(under unlimited $engine ./deep 50000) $(calls deep)" "50000 50001" "$engine: and without any"
        is "$(under 8192 $engine ./deep 50000; echo $?)" 139 "$engine: it ends at one of 8"
    done
    is "$(under 8192 valgrind ./deep 50000 64) $(calls deep)" "50000 50001" "a program that allows itself more"
    is "$(under 65536 valgrind ./deep 50000 8; echo $?)" 139 "and one that allows itself less"
    stack() { under "$1" $engine --objects ./deep "$2" >/dev/null && "$CORECAST" report p.cast --view objects --min-share 0 --json | jq -r '[.objects[]|select(.kind=="stack")|select(.name=="frame of deep" or (.name|startswith("<stack")))]|sort_by(.size)|map("\(.count) \(.size)")|join(" ")'; }
    for engine in valgrind qemu; do
        is "$(stack 65536 50000 | sed "s/ [0-9]* 1 / 1 /")" "50001 1 67108864" "$engine: its frames are stack, and it is as large as it may get"
    done
    engine=valgrind
    is "$(stack unlimited 100 | sed 's/.* //')" 16777216 "without a limit as large as it is"
    is "$(stack unlimited 50000 | sed 's/ [0-9]* 1 / /')" "50001 67108864" "and grows"
else
    skip "a large stack" "there is a hard limit"
fi

# addresses that V8 and others choose by themselves, far beyond what is given out
gcc -O1 -o far "$SOURCE/tests/cli/programs/far.c" || exit 99
for engine in valgrind qemu; do
    "$CORECAST" record --engine $engine -o p.cast ./far 2>"$WORK/err"; RC=$?
    if [ $RC = 77 ]; then skip "$engine: addresses alike in their lower bits" "they cannot be had"; continue; fi
    is "$RC;$(stream fill_near read_near);$(stream fill_far read_far);$(stream fill_far read_near)" "0;8000 8000 8000;8000 8000 8000;" "$engine: addresses alike in their lower bits"
done

# blocks that one instruction clears, of which plugins are told nothing: kinds of CPU differ in how large they are
cat >zero.c <<'END'
static volatile unsigned char a[16384] __attribute__((aligned(4096)));
__attribute__((noinline)) static void fill(void) { for (int i = 0; i < 16384; i++) a[i] = 3; }
__attribute__((noinline)) static void zero(void)
{
    unsigned long id;
    __asm__("mrs %0, dczid_el0" : "=r"(id));
    *(volatile long *)(a + 4096 - 8) = 0;
    for (volatile unsigned char *p = a + 4096; p < a + 6144; p += 4ul << (id & 15))
        __asm__ volatile("dc zva, %0" : : "r"(p) : "memory");
}
__attribute__((noinline)) static int sum(void) { int s = 0; for (int i = 0; i < 16384; i++) s += a[i]; return s; }
int main(void) { fill(); zero(); return sum() != 3 * (16384 - 2056); }
END
if aarch64-linux-gnu-gcc -O1 -o zero zero.c 2>"$WORK/err"; then
    [ "$(uname -m)" = aarch64 ] || export QEMU_LD_PREFIX=/usr/aarch64-linux-gnu
    for cpu in '' max,sve=off,sme=off cortex-a72 a64fx,sve=off; do
        ( [ -z "$cpu" ] || export QEMU_CPU="$cpu"; "$CORECAST" record --engine qemu -o p.cast ./zero 2>"$WORK/err" )
        is "$? $(stream fill sum);$(stream zero sum)" "0 14328 14328 14328;2056 2056 2056" "qemu${cpu:+ as $cpu}: blocks that one instruction clears"
    done
else
    skip "blocks that one instruction clears" "no aarch64-linux-gnu-gcc"
fi
done_testing
