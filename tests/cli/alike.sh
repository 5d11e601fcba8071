#!/bin/sh
# A program and its like, with a statement written as two or an instruction that does nothing more: the speed-up that is predicted of one lies within the other's interval,
# also where threads change words of one line, where a cycle more or less decides who is first, and whatever the size of the environment.
. "$(dirname "$0")/lib.sh"
cat >count.c <<'C'
enum { N = 512, EACH = 96 };
unsigned counter[16] __attribute__((aligned(64)));
__attribute__((noinline)) static void part(int b)
{
    unsigned x = b * 2654435761u;
    for (int i = 0; i < EACH; i++) {
        x = x * 1664525 + 1013904223;
        if (x >> 30 != 3) {
            CHANGE
        }
    }
}
__attribute__((noinline)) static void all(void)
{
    for (int b = 0; b < N; b++) part(b);
}
int main(void) { all(); return counter[3] == 0; }
C
whole='counter[b % 16] += x >> 24 \& 3;'
split='unsigned t = counter[b % 16]; __asm__("" : "+r"(t)); t += x >> 24 \& 3; counter[b % 16] = t;'
longer='counter[b % 16] += x >> 24 \& 3; __asm__ volatile("nop");'
echo 'count.c:15 = #pragma omp parallel for schedule(static, 1)' >count.omp
# each in environments of several sizes: the stack comes to lie elsewhere in the caches
places="0 1 2 3"
for kind in whole split longer; do
    mkdir $kind
    eval "change=\$$kind"
    sed "s/CHANGE/$change/" count.c >$kind/count.c
    (cd $kind && gcc -g -O1 -o count count.c) || exit 99
    for place in $places; do
        PLACE=$(printf "%0$((place * 1088 + 1))d" 0)
        export PLACE
        cc record -q --engine valgrind --locality --tasks loops -o $kind.$place.cast -- $kind/count
        [ "$RC" -eq 125 ] && skip "programs and their like" "there is no Valgrind" && done_testing && exit
    done
done
code() { objdump -d --no-show-raw-insn "$1/count" | sed -n '/<part>:/,/ret/p' | sed '1d; s/^[^\t]*\t//'; }
[ "$(code whole)" != "$(code longer)" ]
ok $? "programs of different instructions" # on machines that change memory by loads and stores only, split is the same as whole
for platform in cortex-a53-quad mips-smp manycore; do
    for kind in whole split longer; do
        for place in $places; do
            cc predict $kind.$place.cast -p $platform -s count.omp -n 2,4 --json
            json '.scenarios[0] | .sequential_time as $t | .schedules[] | [.processors, $t / .time, $t / .time_high, $t / .time_low] | map(. * 1000 | round / 1000 | tostring) | join(" ")' |
                sed "s/^/$kind.$place /"
        done
    done >all.$platform
    awk '{ name[NR] = $1; n[NR] = $2; time[NR] = $3; low[NR] = $4; high[NR] = $5 }
        END {
            for (a = 1; a <= NR; a++)
                for (b = 1; b <= NR; b++)
                    if (n[a] == n[b] && (time[a] < low[b] || time[a] > high[b]))
                        print name[a], "on", n[a] ":", time[a], "is not in that of", name[b] ":", low[b], "to", high[b]
            if (NR != 24) print NR " predictions of 24"
        }' all.$platform >outside
    [ ! -s outside ]
    ok $? "each within the intervals of all others on $platform $(paste -sd ';' outside)"
done
done_testing
