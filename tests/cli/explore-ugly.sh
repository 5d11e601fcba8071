#!/bin/sh
# What people write: several calls in an expression, structs that are added up, flags, enumerations, K&R, two loops in a line, labels, blanks in paths.
. "$(dirname "$0")/lib.sh"
mkdir "a dir"
cat >"a dir/ug ly.c" <<'XX'
#include <stdio.h>
enum color { RED, GREEN, BLUE, COLORS };
struct acc { double sum; int n, h[4]; } g;
static struct cell { int n; double sum; } cells[16];
static int v[600], shade[COLORS * 40];
static int work(x) int x; { int k; for (k = 0; k < 200; k++) x = x * 5 + 3; return x & 1023; }
static long fib(int n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}
static void add(struct acc *a, int n)
{
    for (int i = 0; i < n; i++) {
        int x = work(i);
        a->n++;
        a->h[i & 3] += 2;
        a->sum += x;
    }
}
int main(void)
{
    struct acc l = {0, 0, {0}};
    int found = 0, odd = 7, i, j;
    long r;
    add(&l, 600);
    for (i = 0; i < 600; i++) {
        g.sum += work(i);
        g.n += 1;
    }
    for (i = 0; i < 600; i++) {
        struct cell *c = &cells[work(i) & 15]; c->n++; }
    for (i = 0; i < 600; i++)
        if (work(i) == 511)
            found = 1;
    for (i = 0; i < 600; i++)
        if (work(i) == 5000)
            odd = 1;
    for (enum color c = RED; c < COLORS; c++)
        for (int k = 0; k < 40; k++)
            shade[c * 40 + k] = work(k + c);
again: for (i = 0; i < 600; i++) v[i] = work(i);
    if (v[0] < 0) goto again;
    for (i = 0; i < 600; i++) v[i] += work(v[i]); for (j = 0; j < 600; j++) v[j] ^= work(j);
    r = fib(17);
    printf("%ld %.0f %d %.0f %d %d %d %d %d %d\n", r, l.sum, l.n + l.h[1], g.sum, g.n, cells[3].n, found, odd, v[77], shade[50]);
    return 0;
}
XX
gcc -O1 -fno-inline -w -g -o ugly "a dir/ug ly.c" || exit 99
"$CORECAST" explore -q -p cortex-a53-quad --contention off --keep u.cast -o first.txt -- ./ugly >/dev/null 2>"$WORK/err"
./ugly >seq
cc explore u.cast -p cortex-a53-quad --contention off --min-gain 0.0001 --json --patch u.diff
is "$RC" 0 "a plan, and its patch"
reason() { json "[.rejected[]|select(.loop|test(\"$1\"))|.reason][0]"; }
line() { grep -n "$1" "a dir/ug ly.c" | head -1 | cut -d: -f1; }
directive() { json "[.plans[0].directives[]|select(.line == $(line "$1"))|.pragma][0]"; }
is "$(directive 'return fib')" "#pragma omp task, taskwait: $(json '.plans[0].directives[].pragma' | sed -n 's/.*taskwait: \([0-9]*\) deep.*/\1/p') deep; parallel, single around the call" "calls of one expression become tasks"
is "$(json '.plans[0].directives[]|select(.pragma == "#pragma omp atomic")|.line' | sort -n | tr '\n' ' ')" "$(line 'a->n++') $(line 'a->h') $(line 'a->sum') $(line 'g.sum +=') $(line 'g.n +=') $(line 'struct cell \*c') " "members are combined one at a time"
is "$(sed -n '/^+ *struct cell \*c/,/c->n++/p' u.diff | tr -d ' \n')" "+structcell*c=&cells[work(i)&15];+#pragmaompatomic+c->n++;}" "if they do not stand in lines of their own, these are parted"
is "$(json "[.plans[0].directives[].pragma|select(test(\"found\"))][0]|test(\"reduction[(][|][|]:found[)]\")")" true "a flag that is only set is combined by ||"
is "$(reason ":$(($(line '== 5000') - 1))" | cut -d: -f1)" "iterations only set odd to 1, which is reduction(||" "one that may have held something else is not"
is "$(reason ":$(line 'enum color c')")" "OpenMP does not take it: its counter is an enumeration: let an int count" "enumerations do not count"
is "$(reason ":$(line 'v\[j\]')" | cut -d, -f1)" "another loop has the same line" "two loops in a line are told"
mkdir p; cp -r "a dir" p; (cd p; patch -s -p1 <../u.diff)
is "$?" 0 "the patch applies"
for c in gcc clang; do
    command -v $c >/dev/null || continue
    $c -O2 -g -fopenmp -Wall -Wextra -Wno-unknown-warning-option -Wno-misleading-indentation -Wno-deprecated-non-prototype -Werror -o par "p/a dir/ug ly.c" 2>"$WORK/err"
    rc=$?
    if [ $rc != 0 ] && grep -q 'omp' "$WORK/err" && ! echo 'int main(void){return 0;}' | $c -fopenmp -x c -o none - 2>/dev/null; then skip "$c" "no OpenMP here"; continue; fi
    is "$rc $(for i in 1 2 3; do OMP_NUM_THREADS=$i ./par; done | sort -u)" "0 $(cat seq)" "$c takes it without a warning, and the result stays"
done
done_testing
