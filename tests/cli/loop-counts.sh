#!/bin/sh
# Loops in closed form: how often each was entered and went round, whatever compiler and level made of it.
. "$(dirname "$0")/lib.sh"
PROGRAM=$SOURCE/tests/cli/programs/loops.c
if ! "$CORECAST" record --engine valgrind -o try.cast true 2>/dev/null; then
    skip "loops under valgrind" "there is no valgrind engine"
    done_testing
    exit
fi
# count LABEL COLUMNS: sums over the loops whose line has this comment
count() {
    line=$(grep -n -e "/\* $1 \*/" -e "// $1\$" "$PROGRAM" | cut -d: -f1)
    sqlite3 $cast "select $2 from loop where line between $line and $line + ${span:-0} and file like '%/loops.c%'"
}
want() { # want LABEL INVOCATIONS ITERATIONS LEAST MOST [INVOCATIONS LEAST]: the latter if those without any iteration never get to the loop
    got=$(count "$1" 'sum(invocations), sum(iterations), min(trips_min), max(trips_max)')
    if [ $# -gt 5 ] && [ "$got" = "$6|$3|$7|$5" ]; then ok 0 "$what: $1"; else is "$got" "$2|$3|$4|$5" "$what: $1"; fi
}
all() { # what both engines see
    want until 1 20 20 20
    want outer 1 20 20 20
    want inner 20 190 0 19 19 1
    want recursion 326 325 0 5 206 1
    want threads 3 120 20 60
    want cases 1 20 20 20
    want plain 3 60 0 40 2 20
    want backwards 1 20 20 20
    want skips 1 8 8 8
    want copied 1 20 20 20
    span=2 # the one test that is left may be that of the break
    want breaks 5 22 2 6
    span=0
}
n=20 cast=p.cast
for compiler in gcc clang; do
    for level in 0 1 2 3 s; do
        what="$compiler -O$level"
        if ! command -v $compiler >/dev/null; then
            skip "$what" "there is no $compiler"
            continue
        fi
        $compiler -g -O$level -pthread -o loops "$PROGRAM" || exit 99
        cc record --engine valgrind --loops count -o p.cast ./loops $n
        ok $RC "$what: recorded"
        all
        want jumps 1 20 20 20
        want jumped 20 120 6 6
        case $(count deep 'sum(invocations), sum(iterations)') in # where the code is moved, the last one ends before the test
        '20|400' | '20|420') ok 0 "$what: deep" ;;
        *) is "$(count deep '*')" '' "$what: deep" ;;
        esac
    done
done
for compiler in gcc clang; do # stubs are one piece of code: who ends in a jump to one of them has its loops all the same
    command -v $compiler >/dev/null || continue
    $compiler -g -O2 -fno-unroll-loops -fno-tree-vectorize -o last "$SOURCE/tests/cli/programs/last_calls.c" || exit 99
    cc record --engine valgrind --loops count -o l.cast ./last
    lines=$(grep -n '/\* 99 \*/' "$SOURCE/tests/cli/programs/last_calls.c" | cut -d: -f1 | paste -s -d,)
    is "$(sqlite3 l.cast "select group_concat(iterations) from loop where line in ($lines) and file like '%/last_calls.c%'")" 99,99,99 "$compiler: loops of functions that end in a call of a library"
done
gcc -g -O0 -o tangle "$SOURCE/tests/cli/programs/tangle.c" || exit 99
for kind in count dependences; do
    cc record --engine valgrind --loops $kind -o t.cast ./tangle
    line=$(grep -n "busy \*/" "$SOURCE/tests/cli/programs/tangle.c" | cut -d: -f1)
    is "$(sqlite3 t.cast "select invocations, iterations, trips_min, trips_max from loop where line between $line and $line + 3 and file like '%/tangle.c%'")" \
        '7|42|6|6' "$kind: a loop that begins where the one around it is entered"
done
cast=f.cast
for machine in x86_64-linux-gnu aarch64-linux-gnu riscv64-linux-gnu arm-linux-gnueabihf; do
    what="qemu, $machine"
    if ! $machine-gcc -g -O1 -static -pthread -o foreign "$PROGRAM" 2>/dev/null || ! "$CORECAST" record --engine qemu -o try.cast ./foreign 2>/dev/null; then
        skip "$what" "there is no compiler or no QEMU for it"
        continue
    fi
    cc record --engine qemu --loops count -o f.cast ./foreign $n
    all
done
cat >bytes.c <<'END'
#include <stdlib.h>
static inline long add(const long *a, int n)
{
    long s = 0;
    for (int i = 0; i < n; i++) { long v = a[i]; __asm__ volatile("" : "+r"(v)); s += v; }
    return s;
}
int main(void)
{
    int n = 100;
    long *a = calloc(n, 8), s = 0;
    __asm__ volatile("" : "+r"(n)::"memory");
    for (int k = 0; k < 7; k++) { a[k] = s; s += add(a, n); __asm__ volatile("" : "+r"(k)::"memory"); }
    return s == 5;
}
END
gcc -g -O2 -o bytes bytes.c || exit 99
cc record --engine valgrind --loops count -o b.cast ./bytes
is "$(sqlite3 b.cast "select coalesce(inlined, 'main'), line, bytes_read, bytes_written, iterations from loop order by id" | tr '\n' ' ')" \
    'main|13|5600|56|7 add:13|5|5600|0|700 ' 'bytes of a loop and of the loops inside it; a loop of a function that was inlined'
cc record --engine valgrind --loops count --loops-for add -o b.cast ./bytes
fails 125 "no function 'add'" 'a function that was inlined everywhere has no loops of its own'
cc record --engine valgrind --loops count --loops-for plain,work -o q.cast ./loops $n
is "$(sqlite3 q.cast 'select count(*), sum(iterations) from loop')" '2|180' 'only loops of some functions'
cat >timer.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
static volatile long sum, seen;
static void handler(int s)
{
    (void)s;
    seen++;
    for (int k = 0; k < 10; k++) sum += k;
}
__attribute__((noinline)) static long first(const char *a, long n)
{
    long i = 0;
    while (i < n && !a[i]) i++;
    return i;
}
__attribute__((noinline)) static void fill(long *a, long n)
{
    for (long i = 0; i < n; i++) { a[i] = i; __asm__ volatile("" ::: "memory"); }
}
int main(void)
{
    long n = 20000, all = 0, *a = malloc(n * sizeof *a);
    char *zeros = calloc(n, 1);
    struct itimerval often = {{0, 500}, {0, 500}}, off = {{0, 0}, {0, 0}};
    signal(SIGALRM, handler);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int t = 0; t < 40 || (!seen && t < 4000); t++) { all += first(zeros, n); fill(a, n); }
    setitimer(ITIMER_REAL, &off, NULL);
    return all % n != 0 || !seen;
}
END
gcc -g -O2 -o timer timer.c || exit 99
cc record --engine valgrind --loops count -o t.cast ./timer
is "$RC|$(sqlite3 t.cast 'select iterations - 20000 * invocations, trips_min, trips_max from loop where line in (14, 19)' | tr '\n' ' ')" '0|0|20000|20000 0|20000|20000 ' \
    'signals amid loops without calls interrupt no invocation'
is "$(sqlite3 t.cast 'select invocations > 0, iterations - 10 * invocations from loop where line = 9')" '1|0' 'and the loops of their handlers are counted'
cat >library.c <<'END'
void inside(int n) { for (int i = 0; i < n; i++) __asm__ volatile("" : "+r"(i)); }
END
cat >user.c <<'END'
void inside(int n);
int main(void) { for (int k = 0; k < 3; k++) { __asm__ volatile("" : "+r"(k)); inside(10 + k); } return 0; }
END
mkdir -p lib && gcc -g -O1 -shared -fPIC -o lib/libinside.so library.c && gcc -g -O1 -o user user.c -Llib -linside '-Wl,-rpath,$ORIGIN/lib' || exit 99
cc record --engine valgrind --loops count -o l.cast ./user
is "$(sqlite3 l.cast "select l.iterations, p.iterations from loop_node n join loop l on l.id = n.loop join loop_node o on o.id = n.parent join loop p on p.id = o.loop where l.file like '%library.c'")" '33|3' \
    'a loop of a library inside one of the program'
strip lib/libinside.so
cc record --engine valgrind --loops count -o l.cast ./user
is "$(sqlite3 l.cast "select count(*), sum(iterations) from loop where file is null and invocations = 3")" '1|33' 'and without its symbols'
cast=pp.cast
for compiler in g++ clang++; do
    for level in 0 2; do
        what="$compiler -O$level"
        PROGRAM=$SOURCE/tests/cli/programs/loops.cpp
        if ! $compiler -g -O$level -o loopspp "$PROGRAM" 2>/dev/null; then
            skip "$what" "it does not compile here"
            continue
        fi
        cc record --engine valgrind --loops count -o pp.cast ./loopspp $n
        want stays 1 20 20 20
        want 'thrown out of' 20 80 4 4
        want left 3 18 6 6
        want 'passed on' 4 32 8 8
        want thrice 1 3 3 3
        want iterator 2 60 20 40
    done
done
is "$(sqlite3 p.cast 'select count(*) from loop')" 18 "and there are no others"
is "$(sqlite3 p.cast 'select count(*) from loop_node n join loop_node p on n.parent = p.id join loop l on l.id = p.loop where n.instructions > p.instructions')" 0 "no loop costs more than the one around it"
is "$(sqlite3 p.cast 'select count(*) from loop l where instructions <> (select sum(instructions) from loop_node n where n.loop = l.id)')" 0 "a loop is the sum of its places in the tree"
is "$(sqlite3 p.cast 'select count(*) from loop where cost_min > cost_max or trips_min > trips_max')" 0 "the least is no more than the most"
done_testing
