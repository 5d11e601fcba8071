#!/bin/sh
# Debug data in files of its own beside each object file (-gsplit-dwarf): the same names, lines, variables and loops as without.
. "$(dirname "$0")/lib.sh"
cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct grid { double *u; int n; };
static double table[1000];
double weigh(double x, const struct grid *g);
static inline double mean(const double *v, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += v[i];
    return sum / n;
}
__attribute__((noinline)) static double sweep(struct grid *g)
{
    static double last[8];
    double local[64] = {0};
    for (int i = 1; i < g->n; i++) {
        g->u[i] = g->u[i] * 0.5 + table[i % 1000];
        local[i % 64] += weigh(g->u[i], g);
    }
    for (int i = 1; i < 1000; i++)
        table[i] += table[i - 1];
    last[g->n % 8] = mean(local, 64);
    return last[g->n % 8];
}
int main(void)
{
    struct grid g = {calloc(4000, sizeof(double)), 4000};
    for (int i = 0; i < 1000; i++)
        table[i] = i;
    printf("%g\n", sweep(&g));
    return 0;
}
END
cat >more.c <<'END'
struct grid { double *u; int n; };
static double factors[4] = {1, 2, 3, 4};
double weigh(double x, const struct grid *g) { factors[0] += g->n; return x * factors[3]; }
END
# facts: what is told by names, types and lines; figures may differ by how the stack is aligned
facts() {
    "$CORECAST" record -q --objects --loops dependences -o p.cast -- ./prog >printed 2>"$WORK/err" || echo "failed $?"
    "$CORECAST" report p.cast --view objects --min-share 0 --json | jq -r '.objects[]|"\(.name)|\(.type)|\(.file // "" | split("/") | last)|\(.line)"' | grep -E '^(main|sweep|weigh|table|factors|last|.* in main)' | sort
    "$CORECAST" report p.cast --view functions --min-share 0 --json | jq -r '.functions[]|select((.object // "") | endswith("/prog"))|"\(.name) \(.file // "" | split("/") | last):\(.line)"' | sort
    "$CORECAST" report p.cast --view loops --min-share 0 --json | jq -r '.loops[]|"\(.function) \(.inlined) \(.line) \(.verdict) \(.sentence)"' | sort
}
build() { # build COMPILER VERSION [OPTION]
    rm -f prog *.o *.dwo
    $1 -O2 -fno-vectorize -g -gdwarf-"$2" $3 -c prog.c more.c 2>/dev/null || $1 -O2 -g -gdwarf-"$2" $3 -c prog.c more.c && $1 prog.o more.o -o prog
}
for compiler in gcc clang; do
    command -v $compiler >/dev/null || { skip "-gsplit-dwarf by $compiler" "no $compiler here"; continue; }
    for version in 4 5; do
        build $compiler $version "" && facts >want
        build $compiler $version -gsplit-dwarf && facts >got
        [ "$(ls *.dwo | wc -l)" -eq 2 ] && cmp -s want got && [ "$(grep -c '|' want)" -ge 6 ]
        ok $? "$compiler, DWARF $version: nothing is lost in files of its own ($(wc -l <want) facts)"
        cmp -s want got || diff want got | sed 's/^/# /' | head -8
        rm more.dwo && facts >part
        is "$(grep -c '^failed' part) $(grep -cF 'table|double[1000]' part) $(grep -c '^weigh ' part)" "0 1 1" "$compiler, DWARF $version: one of which is missing"
    done
done
done_testing
