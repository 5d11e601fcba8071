#!/bin/sh
# Programs as others write them: two loops in a line, loops by macro, and what compilers make of them at -O2. Every plan is proven.
. "$(dirname "$0")/lib.sh"
cat >grid.h <<'C'
#define IDX(g, i, j) ((i) * (g)->ny + (j))
#define U(i, j) g->u[IDX(g, i, j)]
#define P(i, j) g->p[IDX(g, i, j)]
typedef struct { int nx, ny; double *u, *v, *p; } grid;
void pressure(grid *g, double *tmp, int iters);
C
cat >step.c <<'C'
#include <string.h>
#include "grid.h"
void pressure(grid *g, double *tmp, int iters)
{
    const int nx = g->nx, ny = g->ny; int it, i, j;
    for (it = 0; it < iters; it++) {
        for (i = 1; i < nx - 1; i++) for (j = 1; j < ny - 1; j++)
            tmp[IDX(g,i,j)] = 0.25 * (P(i+1,j) + P(i-1,j) + P(i,j+1) + P(i,j-1) - U(i,j) + g->v[IDX(g,i,j)]);
        double *t = g->p;
        g->p = tmp; tmp = t;
    }
    if (iters & 1) { memcpy(tmp, g->p, sizeof(double) * nx * ny); double *t = g->p; g->p = tmp; tmp = t; }
}
C
cat >flow.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include "grid.h"
#define FOR_ALL(i, n) for (int i = 0; i < (n); i++)
#define DECLARED(n) int k; for (k = 0; k < (n); k++)
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 60;
    double *tmp = calloc(n * n, sizeof *tmp), s = 0;
    grid own = {n, n, malloc(n * n * sizeof(double)), malloc(n * n * sizeof(double)), calloc(n * n, sizeof(double))}, *g = &own;
    FOR_ALL(i, n)
        FOR_ALL(j, n)
            U(i, j) = g->v[IDX(g, i, j)] = (i * 7 + j * 3) % 11 / (1.0 + (i & j) + (i * j) % 13);
    for (int k = 0; k < 3; k++)
        pressure(g, tmp, 6);
    {
        DECLARED(n * n) s += g->p[k];
    }
    printf("%.10f\n", s);
    return 0;
}
C
cat >near.cc <<'C'
#include <cmath>
#include <cstdio>
#include <vector>
struct Point { double c[4]; int label; };
class Classifier {
    std::vector<Point> train_;
public:
    explicit Classifier(int n) : train_(n)
    {
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < 4; k++) train_[i].c[k] = std::sin(i * (k + 1) * 0.37);
            train_[i].label = i % 5;
        }
    }
    int classify(const Point &q) const {
        double best = 1e30;
        int label = -1;
        for (std::size_t i = 0; i < train_.size(); ++i) {
            double d = 0;
            for (int k = 0; k < 4; ++k) { double t = train_[i].c[k] - q.c[k]; d += t * t; }
            if (d < best) { best = d; label = train_[i].label; }
        }
        return label;
    }
};
int main()
{
    Classifier c(300);
    std::vector<int> got(60);
    for (int i = 0; i < 60; i++) {
        Point p;
        for (int k = 0; k < 4; ++k) p.c[k] = std::cos(i * (k + 2) * 0.11);
        p.label = 0;
        got[i] = c.classify(p);
    }
    int h[5] = {0};
    for (int g : got) h[g]++;
    std::printf("%d %d %d %d %d\n", h[0], h[1], h[2], h[3], h[4]);
}
C
gcc -O2 -g -o flow flow.c step.c && g++ -O2 -g -o near near.cc || exit 99
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o flow.cast ./flow >/dev/null 2>err || { skip "programs" "there is no valgrind engine"; done_testing; exit; }
cc explore flow.cast -p cortex-a53-quad -n 1,2,4 --min-gain 0 --min-share 0 --json --patch flow.diff
is "$RC $(json '[.plans[].directives[].loop]|unique|any(. == "step.c:7:9")')" "0 true" "the outer of two loops in a line, of which the compiler took an iteration out"
is "$(json '[.plans[].directives[].loop]|unique|any(. == "flow.c:11")')" true "a loop that a macro has written, the first thing in its line"
is "$(json '.rejected[]|select(.loop == "flow.c:17").reason|test("macro")')" true "not one of which the macro declares something in front"
cc explore flow.cast -p cortex-a53-quad -n 1,2 --not calls --verify --repeat 2 --build 'gcc -O2 -g -Wall -Wextra -Werror -fopenmp -o flow flow.c step.c' --run ./flow
is "$RC $(tr -s ' \n' ' ' <out | grep -c 'plan 1 holds')" "0 1" "the plan is proven"
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o near.cast ./near >/dev/null 2>err
cc explore near.cast -p cortex-a53-quad -n 1,2 --only near.cc:18 --min-gain 0 --verify --repeat 2 --build 'g++ -O2 -g -fopenmp -o near near.cc' --run ./near
is "$RC $(tr -s ' \n' ' ' <out | grep -c 'plan 1 holds')" "0 1" "the nearest element of a vector"
# --- what is not known ---
cat >unknown.c <<'C'
#include <stdio.h>
#define N 20000
static double b[N], c[N];
static volatile double gain = 2;
int main(void)
{
    double s = 0;
    for (int i = 0; i < N; i++)
        b[i] = i % 97;
    for (int i = 0; i < N; i++) {
        double t = b[i] / (b[i] + 3);
        c[i] = t * gain + 1 / (t + 5);
    }
    for (int i = 0; i < N; i++)
        s += c[i];
    printf("%.6f\n", s);
    return 0;
}
C
gcc -O2 -g -o unknown unknown.c
"$CORECAST" record -q --engine valgrind --loops dependences --tasks loops -o unknown.cast ./unknown >/dev/null 2>err
cc explore unknown.cast -p cortex-a53-quad -n 1,2 --json
is "$(json '[.plans[].directives[].loop]|any(. == "unknown.c:10")')" false "a loop of which it is not known whether iterations are independent is in no plan"
cc explore unknown.cast -p cortex-a53-quad -n 1,2 --only unknown.c:10 --min-gain 0 --force --json
is "$(json '.plans[0]|[.risk_level, (.risk|test("not known to be independent: unknown.c:10")), (.patch|test("not known .--force"))]|tostring')" '["high",true,true]' "unless --force is given, and says so"

# the preprocessor writes such a name as "n\303\244me \"1\"", and the source is found nevertheless
mkdir 'fö "1"'
echo 'int f(int *a) { int s = 0; for (int i = 0; i < 999; i++) s += a[i]; return s; } int main(void) { static int a[999]; return f(a); }' >'fö "1"/näme.c'
gcc -g -O1 -o sum 'fö "1"/näme.c' && cc record --loops dependences -o sum.cast ./sum
cc report sum.cast --view loops --json
is "$(jq -r '[.loops[]|select(.function == "f")|.verdict][0]' out)" reduction "the source of a loop is read from a folder with quotes and letters beyond ASCII"
done_testing
