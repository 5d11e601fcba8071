#!/bin/sh
# A program and its like, with a statement written as two or an instruction that does nothing more: the speed-up that is predicted of one lies within the other's interval,
# also where threads change words of one line, where a cycle more or less decides who is first.
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
for kind in whole split longer; do
    mkdir $kind
    eval "change=\$$kind"
    sed "s/CHANGE/$change/" count.c >$kind/count.c
    (cd $kind && gcc -g -O1 -o count count.c) || exit 99
    cc record -q --engine valgrind --locality --tasks loops -o $kind.cast -- $kind/count
    [ "$RC" -eq 125 ] && skip "programs and their like" "there is no Valgrind" && done_testing && exit
done
code() { objdump -d --no-show-raw-insn "$1/count" | sed -n '/<part>:/,/ret/p' | sed '1d; s/^[^\t]*\t//'; }
[ "$(code whole)" != "$(code longer)" ]
ok $? "programs of different instructions" # on machines that change memory by loads and stores only, split is the same as whole
for platform in cortex-a53-quad mips-smp manycore; do
    for kind in whole split longer; do
        cc predict $kind.cast -p $platform -s count.omp -n 2,4 --json
        json '.scenarios[0] | .sequential_time as $t | .schedules[] | [.processors, $t / .time, $t / .time_high, $t / .time_low] | map(. * 1000 | round / 1000 | tostring) | join(" ")' >$kind.$platform
    done
    for kind in split longer; do
        paste -d ' ' whole.$platform $kind.$platform | awk '{ n++; bad += !($2 >= $7 && $2 <= $8) || !($6 >= $3 && $6 <= $4) } END { exit !(n == 2 && !bad) }'
        ok $? "$kind on $platform: $(paste -sd ';' whole.$platform) and $(paste -sd ';' $kind.$platform)"
    done
done
done_testing
