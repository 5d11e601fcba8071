#!/bin/sh
# Programs as people write them whose plan was once missed: searches with a board of their own, pairs of things, blocks of an array.
. "$(dirname "$0")/lib.sh"

# part FILE LINE: the directive of that line in the best plan
part() { jq -r --argjson line "$2" '.plans[0].directives[]? | select(.line == $line) | .pragma' "$1.json"; }
plan() {
    "$CORECAST" explore -q --platform cortex-a53-quad --contention off --cores 4 --json --patch "$1.diff" -- "./$1" 2>"$WORK/err" >"$1.json"
}
has() { # has TEXT PART WHAT
    case $1 in *"$2"*) ok 0 "$3" ;; *) ok 1 "$3: $1" ;; esac
}
# holds FILE: what its patch makes of it says the same with 1 to 3 threads
holds() {
    mkdir -p patched && cp "$1.c" patched && "./$1" >want
    (cd patched && patch -s -p1 <"../$1.diff" && gcc -O2 -Wall -Werror -fopenmp -o "$1" "$1.c" -lm)
    ok $? "$1: the patch applies and compiles without a warning"
    is "$(for n in 1 2 3; do OMP_NUM_THREADS=$n "patched/$1"; done | sort -u)" "$(cat want)" "$1: the same result"
}

# a board for each first move, copied in the loop; memcpy reads the other one
cat >board.c <<'C'
#include <stdio.h>
#include <string.h>
#define N 6
static int fits(int b[N][N], int r, int c, int v)
{
    for (int i = 0; i < N; i++)
        if (b[r][i] == v || b[i][c] == v)
            return 0;
    return 1;
}
static long fill(int b[N][N], int at)
{
    long found = 0;
    while (at < 20 && b[at / N][at % N])
        at++;
    if (at >= 20)
        return 1;
    for (int v = 1; v <= N; v++)
        if (fits(b, at / N, at % N, v)) {
            b[at / N][at % N] = v;
            found += fill(b, at + 1);
            b[at / N][at % N] = 0;
        }
    return found;
}
int main(void)
{
    int given[N][N] = {{0}};
    long count[N + 1] = {0}, total = 0;
    for (int i = 1; i < 12; i++)
        given[i / N][i % N] = (i * 2 + i / N) % N + 1;
    memset(given[1] + 2, 0, 4 * sizeof(int));
    for (int v = 1; v <= N; v++) {
        int b[N][N];
        memcpy(b, given, sizeof b);
        b[0][0] = v;
        count[v] = fill(b, 1);
    }
    for (int v = 1; v <= N; v++)
        total += count[v];
    printf("%ld\n", total);
    return 0;
}
C
gcc -O2 -g -o board board.c || exit 99
plan board
has "$(part board 33)" "parallel for schedule" "a search for each first move, on a board that is declared in the loop"
holds board

# a sum of what a recursion returns, in a register that the compiler knows to be left alone
cat >bits.c <<'C'
#include <stdio.h>
static unsigned all;
static long place(unsigned columns, unsigned left, unsigned right)
{
    long count = 0;
    unsigned free = all & ~(columns | left | right);
    if (columns == all)
        return 1;
    while (free) {
        unsigned bit = free & -free;
        free ^= bit;
        count += place(columns | bit, (left | bit) << 1, (right | bit) >> 1);
    }
    return count;
}
int main(void)
{
    long total = 0;
    int n = 8;
    all = (1u << n) - 1;
    for (int i = 0; i < n; i++)
        total += place(1u << i, 2u << i, 1u << i >> 1);
    printf("%ld\n", total);
    return 0;
}
C
gcc -O2 -g -o bits bits.c || exit 99
plan bits
has "$(part bits 21)" "reduction(+:total)" "a sum of what a function returns that calls itself"
holds bits

# the best of all pairs, with a function put into the loop that keeps variables of its own in the frame
cat >pairs.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int least(int a, int b, int c) { int m = a < b ? a : b; return m < c ? m : c; }
static int distance(const char *s, const char *t)
{
    int n = strlen(s), m = strlen(t), i, j, d;
    int *row = malloc((m + 1) * sizeof *row);
    for (j = 0; j <= m; j++)
        row[j] = j;
    for (i = 1; i <= n; i++) {
        int before = row[0];
        row[0] = i;
        for (j = 1; j <= m; j++) {
            int old = row[j];
            row[j] = least(row[j] + 1, row[j - 1] + 1, before + (s[i - 1] != t[j - 1]));
            before = old;
        }
    }
    d = row[m];
    free(row);
    return d;
}
int main(int argc, char **argv)
{
    int words = argc > 1 ? atoi(argv[1]) : 24, i, j, best = 1 << 30, one = -1, other = -1;
    char **word = malloc(words * sizeof *word);
    unsigned s = 2;
    for (i = 0; i < words; i++) {
        word[i] = calloc(12, 1);
        for (j = 0; j < 10; j++)
            word[i][j] = "abcdef"[(s = s * 1103515245u + 12345u) >> 16 & 3];
    }
    for (i = 0; i < words; i++)
        for (j = i + 1; j < words; j++) {
            int d = distance(word[i], word[j]);
            if (d < best) {
                best = d;
                one = i;
                other = j;
            }
        }
    printf("%d %d %d\n", best, one, other);
    return 0;
}
C
gcc -O2 -g -o pairs pairs.c || exit 99
plan pairs
has "$(part pairs 34)" "private(j)" "the nearest of all pairs"
holds pairs

# blocks of an array whose elements are updated; numbers from a generator that each block sets before it hands it on
cat >blocked.c <<'C'
#include <stdio.h>
#include <stdlib.h>
#define B 64
static double next(double *s)
{
    *s = *s * 16807 - 2147483647.0 * (long)(*s * 16807 / 2147483647.0);
    return *s / 2147483647.0;
}
int main(int argc, char **argv)
{
    int blocks = argc > 1 ? atoi(argv[1]) : 150, n = blocks * B, b, i;
    long *y = malloc(n * sizeof *y), *part = malloc((blocks + 1) * sizeof *part), sum = 0;
    double s;
    for (b = 0; b < blocks; b++) {
        s = 271.0 * b + 1;
        for (i = b * B; i < (b + 1) * B; i++)
            y[i] = (long)(1000 * next(&s));
    }
    part[0] = 0;
    for (b = 1; b <= blocks; b++)
        part[b] = part[b - 1] + y[b * B - 1];
    for (b = 0; b < blocks; b++)
        for (i = b * B; i < (b + 1) * B; i++)
            y[i] += part[b];
    for (i = 0; i < n; i++)
        sum ^= y[i] * (i + 1);
    printf("%ld\n", sum);
    return 0;
}
C
gcc -O2 -g -o blocked blocked.c || exit 99
plan blocked
has "$(part blocked 14)" "private(i, s)" "a variable that each iteration sets, then passes to a function"
has "$(part blocked 22)" "parallel for private(i) schedule" "elements that are updated block by block are no reduction"
holds blocked

# rows behind pointers, with a bound that is a variable of the file: the compiler loads it anew in the loop inside
cat >paths.c <<'C'
#include <stdio.h>
#include <stdlib.h>
int **d, n;
int main(int argc, char **argv)
{
    int i, j, k;
    long sum = 0;
    n = argc > 1 ? atoi(argv[1]) : 40;
    d = malloc(n * sizeof *d);
    for (i = 0; i < n; i++) {
        d[i] = malloc(n * sizeof **d);
        for (j = 0; j < n; j++)
            d[i][j] = i == j ? 0 : (i * 17 + j * 31) % 7 == 0 ? (i + j) % 23 + 1 : 1000000;
    }
    for (k = 0; k < n; k++)
        for (i = 0; i < n; i++)
            for (j = 0; j < n; j++)
                if (d[i][k] + d[k][j] < d[i][j])
                    d[i][j] = d[i][k] + d[k][j];
    for (i = 0; i < n; i++)
        for (j = 0; j < n; j++)
            sum += d[i][j];
    printf("%ld\n", sum);
    return 0;
}
C
gcc -O2 -g -o paths paths.c || exit 99
plan paths
has "$(part paths 16)" "private(j)" "shortest paths: rows behind pointers, a bound that is a variable of the file"
holds paths

# a product of a template's objects, in a function that also calls another operator of theirs
cat >matrix.cc <<'C'
#include <cstdio>
#include <vector>
template <class T> class Matrix {
    int rows_, cols_;
    std::vector<T> data_;

public:
    Matrix(int r, int c) : rows_(r), cols_(c), data_(r * c) {}
    T &operator()(int i, int j) { return data_[i * cols_ + j]; }
    const T &operator()(int i, int j) const { return data_[i * cols_ + j]; }
    int rows() const { return rows_; }
    int cols() const { return cols_; }
    Matrix &operator+=(const Matrix &o)
    {
        for (int i = 0; i < rows_; i++)
            for (int j = 0; j < cols_; j++)
                (*this)(i, j) += o(i, j);
        return *this;
    }
};
template <class T> Matrix<T> operator*(const Matrix<T> &a, const Matrix<T> &b)
{
    Matrix<T> c(a.rows(), b.cols());
    for (int i = 0; i < a.rows(); i++)
        for (int j = 0; j < b.cols(); j++) {
            T s = 0;
            for (int k = 0; k < a.cols(); k++)
                s += a(i, k) * b(k, j);
            c(i, j) = s;
        }
    return c;
}
int main()
{
    int n = 40;
    Matrix<double> a(n, n), b(n, n), sum(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            a(i, j) = i + 0.5 * j;
            b(i, j) = i == j ? 1.0 : 0.01 * (i - j);
        }
    for (int t = 0; t < 3; t++)
        sum += a * b;
    std::printf("%.6f\n", sum(3, 5));
    return 0;
}
C
g++ -O2 -g -o matrix matrix.cc || exit 99
plan matrix
has "$(part matrix 24)" "parallel for schedule" "a product of matrices of a template"

# one of several ways sets an element, and the compiler has one store for all
cat >sack.c <<'C'
#include <stdio.h>
#define MAX(a, b) ((a) > (b) ? (a) : (b))
static int best[41][701], weight[40], worth[40];
int main(void)
{
    int i, w;
    for (i = 0; i < 40; i++)
        weight[i] = 3 + i * 7 % 50, worth[i] = 10 + i * 13 % 90;
    for (i = 0; i <= 40; i++)
        for (w = 0; w <= 700; w++) {
            if (i == 0 || w == 0)
                best[i][w] = 0;
            else if (weight[i - 1] <= w)
                best[i][w] = MAX(worth[i - 1] + best[i - 1][w - weight[i - 1]], best[i - 1][w]);
            else
                best[i][w] = best[i - 1][w];
        }
    printf("%d\n", best[40][700]);
    return 0;
}
C
gcc -O2 -g -o sack sack.c || exit 99
plan sack
has "$(part sack 10)" "parallel for schedule" "a table whose rows need the row before, by three ways to one store"
holds sack

# functions put into a loop that the compiler made a tangle of: theirs are not
cat >solve.c <<'C'
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
int n = 400, nz, *row, *col;
double *a, *x, *r, *p, *q;
static double dot(const double *u, const double *v)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += u[i] * v[i];
    return s;
}
static void product(const double *v, double *y)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int k = row[i]; k < row[i + 1]; k++)
            s += a[k] * v[col[k]];
        y[i] = s;
    }
}
static void add(double by, const double *v, double *y)
{
    for (int i = 0; i < n; i++)
        y[i] += by * v[i];
}
int main(void)
{
    row = malloc((n + 1) * sizeof *row), col = malloc(3 * n * sizeof *col), a = malloc(3 * n * sizeof *a);
    x = calloc(n, sizeof *x), r = malloc(n * sizeof *r), p = malloc(n * sizeof *p), q = malloc(n * sizeof *q);
    for (int i = 0; i < n; i++) {
        row[i] = nz;
        for (int j = i - 1; j <= i + 1; j++)
            if (j >= 0 && j < n)
                col[nz] = j, a[nz++] = j == i ? 3 : -1;
        r[i] = p[i] = 1 + i % 5;
    }
    row[n] = nz;
    double rho = dot(r, r), before;
    for (int step = 0; step < 10; step++) {
        product(p, q);
        double by = rho / dot(p, q);
        add(by, p, x);
        add(-by, q, r);
        before = rho, rho = dot(r, r);
        if (sqrt(rho) < 1e-9)
            break;
        for (int i = 0; i < n; i++)
            p[i] = r[i] + rho / before * p[i];
    }
    printf("%.6f\n", dot(x, x));
    return 0;
}
C
for compiler in gcc clang; do
    $compiler -O2 -g -o solve solve.c -lm || exit 99
    plan solve
    has "$(part solve 15)" "parallel for schedule" "$compiler: the product inside a solver's steps"
done

# a library's loop has no place for a directive
cat >each.cc <<'C'
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>
struct body { double x, e; };
int main()
{
    std::vector<body> all(300);
    for (size_t i = 0; i < all.size(); i++)
        all[i].x = 0.37 * i;
    std::for_each(all.begin(), all.end(), [](body &b) {
        double s = 0;
        for (int i = 0; i < 60; i++)
            s += std::sqrt(b.x * i + 1);
        b.e = s;
    });
    std::printf("%.6f\n", all[77].e);
    return 0;
}
C
g++ -O2 -g -o each each.cc || exit 99
plan each
has "$(jq -r '.rejected[] | select(.loop | startswith("stl_algo.h")) | .reason' each.json)" "which is not the program's own" "std::for_each is told to be the library's loop"

# what memcpy reads in one iteration and another call overwrites is from before: no copy for each thread has it
cat >kept.c <<'C'
#include <stdio.h>
#include <string.h>
int main(void)
{
    static int out[200][100];
    int from[100], to[100];
    for (int i = 0; i < 100; i++)
        from[i] = i, to[i] = 100 - i;
    for (int i = 0; i < 200; i++) {
        memcpy(out[i], to, sizeof to);
        if (i > 100)
            memcpy(to, from, sizeof to);
    }
    printf("%d %d\n", out[50][3], out[150][3]);
    return 0;
}
C
gcc -O2 -g -o kept kept.c || exit 99
plan kept
is "$(part kept 9)" "" "what is read from before the loop is not private"
done_testing
