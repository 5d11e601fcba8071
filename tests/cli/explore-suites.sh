#!/bin/sh
# Programs as task and loop suites have them, at -O2, where functions end by a jump into a library and loops share their tests.
. "$(dirname "$0")/lib.sh"

# plan FILE [ARGS]: the loops and calls of the best plan
plan() {
    file=$1
    shift
    "$CORECAST" explore -q --platform cortex-a53-quad --contention off --cores 4 --json "$@" 2>"$WORK/err" >"$file.json"
    jq -r '.plans[0].directives | map("\(.file|split("/")|last):\(.line)") | sort | join(" ")' "$file.json"
}
why() { jq -r --arg line "$2" '.rejected[] | select((.line|tostring) == $line) | .reason' "$1.json"; }

cat >lu.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static void lu(double **a, int n)
{
    int i, j, k;
    for (k = 0; k < n; k++) {
        for (i = k + 1; i < n; i++) {
            a[i][k] /= a[k][k];
            for (j = k + 1; j < n; j++)
                a[i][j] -= a[i][k] * a[k][j];
        }
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 90;
    double **a = malloc(n * sizeof *a), s = 0;
    for (int i = 0; i < n; i++)
        a[i] = malloc(n * sizeof **a);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = 1.0 / (i + j + 1) + (i == j ? n : 0);
    lu(a, n);
    for (int i = 0; i < n; i++)
        s += a[i][i];
    printf("%.6f\n", s);
    return 0;
}
END
gcc -O2 -g -o lu lu.c || exit 99
is "$(plan lu --only lu.c:7 -- ./lu)" lu.c:7 "lu: the test of the loop around shares its line, and it can be entered in several places"

cat >msort.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void merge(int *x, int n, int *tmp)
{
    int i = 0, j = n / 2, at = 0;
    while (i < n / 2 && j < n)
        tmp[at++] = x[i] < x[j] ? x[i++] : x[j++];
    while (i < n / 2)
        tmp[at++] = x[i++];
    while (j < n)
        tmp[at++] = x[j++];
    memcpy(x, tmp, n * sizeof(int));
}
static void sort(int *x, int n, int *tmp)
{
    if (n < 2)
        return;
    sort(x, n / 2, tmp);
    sort(x + n / 2, n - n / 2, tmp + OTHER);
    merge(x, n, tmp);
}
int main(void)
{
    static int v[3000], t[3000];
    unsigned s = 1, bad = 0;
    for (int i = 0; i < 3000; i++)
        v[i] = (s = s * 1664525u + 1013904223u) >> 1;
    sort(v, 3000, t);
    for (int i = 1; i < 3000; i++)
        bad += v[i] < v[i - 1];
    printf("%u %d\n", bad, v[1500]);
    return bad != 0;
}
END
gcc -O2 -g -DOTHER='n / 2' -o msort msort.c || exit 99
gcc -O2 -g -DOTHER=0 -o shared msort.c || exit 99
objdump -d msort | grep -qE '(jmp|b)[[:space:]].*<memcpy@plt>'
ok $? "msort: it ends by a jump"
for engine in valgrind qemu; do
    "$CORECAST" record -q --engine $engine --loops dependences --tasks all -o m.cast -- ./msort >prog.out 2>"$WORK/err"
    is "$(plan msort --only calls --cflags '-DOTHER=n/2' m.cast)" msort.c:19 "$engine: halves sorted by a function that ends by a jump into a library are tasks"
    "$CORECAST" record -q --engine $engine --loops dependences --tasks all -o s.cast -- ./shared >prog.out 2>"$WORK/err"
    is "$(plan shared --only calls --cflags -DOTHER=0 s.cast)" "" "$engine: halves that share their space are not"
    why shared 19 | grep -q ' t[.0-9]* at line'
    ok $? "$engine: and the variable is told"
done

cat >blocks.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static void mul(int n, const double *a, int la, const double *b, int lb, double *c, int lc, int add)
{
    if (n <= 8) {
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) {
                double s = add ? c[i * lc + j] : 0;
                for (int k = 0; k < n; k++)
                    s += a[i * la + k] * b[k * lb + j];
                c[i * lc + j] = s;
            }
        return;
    }
    int h = n / 2;
    double *t = calloc((size_t)n * n, sizeof *t);
    mul(h, a, la, b, lb, c, lc, add);
    mul(h, a, la, b + h, lb, c + h, lc, add);
    mul(h, a + h * la, la, b, lb, c + h * lc, lc, add);
    mul(h, a + h * la, la, b + h, lb, c + h * lc + h, lc, add);
    mul(h, a + h, la, b + h * lb, lb, t, n, 0);
    mul(h, a + h, la, b + h * lb + h, lb, t + h, n, 0);
    mul(h, a + h * la + h, la, b + h * lb, lb, t + h * n, n, 0);
    mul(h, a + h * la + h, la, b + h * lb + h, lb, t + h * n + h, n, 0);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            c[i * lc + j] += t[i * n + j];
    free(t);
}
int main(void)
{
    static double a[4096], b[4096], c[4096];
    double s = 0;
    for (int i = 0; i < 4096; i++) {
        a[i] = i % 7 - 3;
        b[i] = i % 5 - 2;
    }
    mul(64, a, 64, b, 64, c, 64, 0);
    for (int i = 0; i < 4096; i++)
        s += c[i] * (i % 3);
    printf("%.1f\n", s);
    return 0;
}
END
gcc -O2 -g -o blocks blocks.c || exit 99
is "$(plan blocks --only calls --patch blocks.diff -- ./blocks)" blocks.c:17 "eight products with arguments on the stack are tasks"
./blocks >want
patch -s -p1 <blocks.diff
for compiler in gcc clang; do
    $compiler -O2 -Wall -Wextra -Werror -fopenmp -o tasks blocks.c
    ok $? "$compiler: compiles without a warning"
    is "$(for n in 1 2 3; do OMP_NUM_THREADS=$n ./tasks; done | sort -u)" "$(cat want)" "$compiler: the same result"
done

cat >fib.c <<'END'
#include <stdio.h>
static long fib(int n)
{
    if (n < 2)
        return n;
    return fib(n - 1) + fib(n - 2);
}
int main(void)
{
    printf("%ld\n", fib(21));
    return 0;
}
END
gcc -O2 -g -o fib fib.c || exit 99
plan fib -- ./fib >/dev/null
if jq -e '.rejected[] | select(.function == "fib" and (.loop | startswith("calls") | not))' fib.json >/dev/null; then
    jq -r '.rejected[] | select(.function == "fib" and (.loop | startswith("calls") | not)) | .reason' fib.json | grep -vq '^the source has no loop there'
    is $? 1 "loops that a compiler makes of recursion are told to be that"
else
    skip "loops that a compiler makes of recursion" "this one makes none"
fi

# A search that calls itself in a loop: regions inside regions, of which the outermost has all threads.
cat >queens.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int fits(int n, const char *a)
{
    for (int i = 0; i < n; i++)
        for (int j = i + 1; j < n; j++)
            if (a[i] == a[j] || abs(a[i] - a[j]) == j - i)
                return 0;
    return 1;
}
static void queens(int n, int row, const char *a, int *found)
{
    if (row == n) {
        *found = 1;
        return;
    }
    *found = 0;
    int *each = calloc(n, sizeof(int));
    for (int i = 0; i < n; i++) {
        char *b = malloc(n);
        memcpy(b, a, row);
        b[row] = i;
        if (fits(row + 1, b))
            queens(n, row + 1, b, KEPT ? each : &each[i]);
        free(b);
    }
    for (int i = 0; i < n; i++)
        *found += each[i];
    free(each);
}
int main(int argc, char **argv)
{
    char none[1] = "";
    int found;
    queens(argc > 1 ? atoi(argv[1]) : 7, 0, none, &found);
    printf("%d\n", found);
    return 0;
}
END
gcc -O2 -g -DKEPT=0 -o queens queens.c || exit 99
is "$(plan queens --cflags -DKEPT=0 --verify --repeat 1 --build 'gcc -O2 -g -DKEPT=0 -fopenmp -o queens queens.c' --run './queens 5' -- ./queens)" queens.c:20 "queens: the loop in which it calls itself"
"$CORECAST" explore --platform cortex-a53-quad --contention off --cores 2 --cflags -DKEPT=0 --verify --repeat 1 --build 'gcc -O2 -g -DKEPT=0 -fopenmp -o queens queens.c' --run './queens 5' -o verified -- ./queens >out 2>notes
is "$(sed -n 's/^corecast: //p' notes | sed -n '/^building/,$p' | cut -d' ' -f1,2 | tr '\n' ';')" "building and;trying plan;running it;looking for;recording the;recording the;" "the proof tells what it does"
is "$(jq -r '.plans[0] | "\(.verified.ok), races: \(.verified.race)"' queens.json)" "true, races: none seen by helgrind with 3 threads" "a queen at a time, which holds"
gcc -O2 -g -DKEPT=1 -o queens queens.c || exit 99
is "$(plan kept --cflags -DKEPT=1 -- ./queens)" "" "not if all searches leave their result in one place"

# Templates in a header, and a result that is left behind a pointer.
cat >tiled.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#define B 16
static void factor(float *a, int n)
{
    for (int at = 0; at < n - B; at += B) {
        int rows = (n - at) / B - 1;
        for (int r = 0; r < rows; r++) {
            float temp[B * B];
            for (int i = 0; i < B * B; i++)
                temp[i] = a[(at + i / B) * n + at + i % B];
            for (int i = 0; i < B; i++)
                for (int k = 0; k < B; k++)
                    a[(at + i) * n + at + B * (r + 1) + k] -= 0.001f * temp[i * B + (i + k) % B];
        }
        for (int c = 0; c < rows * rows; c++) {
            float top[B * B], left[B * B];
            for (int i = 0; i < B; i++)
                for (int j = 0; j < B; j++) {
                    top[i * B + j] = a[(at + i) * n + at + B * (1 + c % rows) + j];
                    left[i * B + j] = a[(at + B * (1 + c / rows) + i) * n + at + j];
                }
            for (int i = 0; i < B; i++)
                for (int j = 0; j < B; j++) {
                    float s = 0;
                    for (int k = 0; k < B; k++)
                        s += left[i * B + k] * top[k * B + j];
                    a[(at + B * (1 + c / rows) + i) * n + at + B * (1 + c % rows) + j] -= 0.01f * s;
                }
        }
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 112;
    float *a = malloc(sizeof *a * n * n), s = 0;
    for (int i = 0; i < n * n; i++)
        a[i] = (i * 7 % 13) * 0.1f;
    factor(a, n);
    for (int i = 0; i < n * n; i++)
        s += a[i];
    printf("%.3f\n", s);
    return 0;
}
END
gcc -O2 -g -o tiled tiled.c || exit 99
is "$(plan tiled --only factor --patch tiled.diff -- ./tiled)" "tiled.c:16 tiled.c:8" "tiled: arrays of two loops that lie in one place are each loop's own"

cat >angles.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) void count(const double *x, int n, long *bins)
{
    for (int i = 0; i < n; i++) {
        double d = x[i];
        for (int k = 0; k < 120; k++)
            d = d * 0.999 + 1.0 / (1.0 + d * d);
        int at = (int)(d * 100) % 16;
        if (d > 1.5)
            bins[at] += 1;
        else if (d < 0.5)
            bins[at + 16] += 1;
        else
            bins[at + 32] += 1;
    }
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 3000;
    double *x = malloc(sizeof *x * n);
    long *bins = calloc(48, sizeof *bins), s = 0;
    for (int i = 0; i < n; i++)
        x[i] = i % 97 * 0.1;
    count(x, n, bins);
    for (int i = 0; i < 48; i++)
        s += bins[i] * (i + 1);
    printf("%ld\n", s);
    return 0;
}
END
clang -O2 -g -o angles angles.c || exit 99
is "$(plan angles --only count --patch angles.diff -- ./angles) $(grep -c '^+ *#pragma omp atomic' angles.diff)" "angles.c:11 angles.c:13 angles.c:15 angles.c:5 3" "angles: of three updates the compiler makes one store, whose line is none of theirs"
./angles >want
patch -s -p1 <angles.diff
for compiler in gcc clang; do
    $compiler -O2 -Wall -Wextra -Werror -fopenmp -o shared angles.c && OMP_NUM_THREADS=3 ./shared >got
    is "$(cat got)" "$(cat want)" "$compiler: the same result"
done

cat >bins.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static void count(const unsigned char *p, int n, unsigned bins[256])
{
    for (int i = 0; i < n; i++)
        bins[p[i]]++;
}
static void gather(const unsigned char *p, int n, unsigned *bins)
{
    for (int i = 0; i < n; i++)
        bins[p[i]]++;
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 60000;
    unsigned char *p = malloc(n);
    unsigned s = 0, *more = calloc(256, sizeof *more), bins[256] = {0};
    for (int i = 0; i < n; i++)
        p[i] = (i * 7 + i / 3) % 251;
    for (int k = 0; k < 3; k++) {
        count(p, n, bins);
        gather(p, n, more);
    }
    for (int i = 0; i < 256; i++)
        s = s * 31 + bins[i] + more[i];
    printf("%u\n", s);
    return 0;
}
END
for compiler in gcc clang; do
    $compiler -O2 -g -o bins bins.c || exit 99
    plan bins --only bins.c:5 --only bins.c:10 --patch bins.diff -- ./bins >/dev/null
    is "$(grep '^+ .*pragma' bins.diff | sed 's/^+ *//; s/ schedule.*//')" "#pragma omp parallel for reduction(+:bins[:256])" "$compiler: bins of a parameter with a length are a reduction, of one without none that pays"
    ./bins >want
    mkdir -p binned && cp bins.c binned && patch -s -p1 -d binned <bins.diff
    $compiler -O2 -Wall -Wextra -Werror -fopenmp -o shared binned/bins.c && OMP_NUM_THREADS=3 ./shared >got
    is "$(cat got)" "$(cat want)" "$compiler: the same result"
done

cat >threes.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static __attribute__((noinline)) void speed(int n, double (*v)[3], double (*a)[3], double (*b)[3])
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            v[i][j] = 0.5 / 0.0024 * (a[i][j] - b[i][j]);
}
int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 40000;
    double (*v)[3] = calloc(n, sizeof *v), (*a)[3] = calloc(n, sizeof *a), (*b)[3] = calloc(n, sizeof *b);
    a[n / 2][1] = 1;
    for (int k = 0; k < 4; k++)
        speed(n, v, a, b);
    printf("%g\n", v[n / 2][1]);
    return 0;
}
END
gcc -O3 -g -o threes threes.c || exit 99
plan threes -- ./threes >loops
ok "$(grep -c threes.c:6 loops)" "threes: an inner loop that gcc made one with the loop around it gets no region of its own"

cat >sparse.hpp <<'END'
#pragma once
#include <vector>
template <typename S> struct Rows {
    std::vector<int> first, column;
    std::vector<S> value;
};
template <typename M, typename V> void product(const M &a, const V &x, V &y)
{
    const int n = (int)a.first.size() - 1;
    for (int row = 0; row < n; ++row) {
        double sum = 0;
        for (int i = a.first[row]; i < a.first[row + 1]; ++i)
            sum += a.value[i] * x[a.column[i]];
        y[row] = sum;
    }
}
template <typename V> double dot(const V &x, const V &y)
{
    double result = 0;
    for (int i = 0, n = (int)x.size(); i < n; ++i)
        result += x[i] * y[i];
    return result;
}
template <typename T> T total(const std::vector<T> &x)
{
    T s = T();
    for (int i = 0; i < (int)x.size(); ++i)
        for (int k = 0; k < 9; ++k)
            s += x[i] / T(k + 3);
    return s;
}
END
cat >sparse.cpp <<'END'
#include "sparse.hpp"
#include <cmath>
#include <cstdio>
__attribute__((noinline)) static void largest(const std::vector<double> &v, double *most)
{
    *most = 0;
    for (int i = 0; i < (int)v.size(); i++)
        if (std::fabs(v[i]) > *most)
            *most = std::fabs(v[i]);
}
int main()
{
    Rows<double> a;
    const int n = 1500;
    for (int i = 0; i < n; i++) {
        a.first.push_back((int)a.column.size());
        for (int k = 0; k < 9; k++) {
            a.column.push_back((i * 7 + k * 31) % n);
            a.value.push_back(k - 3.5);
        }
    }
    a.first.push_back((int)a.column.size());
    std::vector<double> x(n, 1), y(n);
    double most = 0, s = 0;
    for (int k = 0; k < 6; k++) {
        product(a, x, y);
        s += dot(x, y) + total(y);
        largest(y, &most);
        for (int i = 0; i < n; i++)
            x[i] = y[i] / (most + 1);
    }
    std::printf("%.6f\n", s);
    return 0;
}
END
g++ -O2 -g -o sparse sparse.cpp || exit 99
is "$(plan sparse --only sparse.hpp --patch sparse.diff -- ./sparse)" sparse.hpp:10 "templates in a header: the product"
is "$(why sparse 27)" "iterations combine s, whose type the template leaves open: no clause takes every type" "not a sum of any type"
"$CORECAST" explore -q --platform cortex-a53-quad --contention off --only largest --json --patch none.diff -- ./sparse >sparse.json 2>"$WORK/err"
is "$(jq '.plans | length' sparse.json) $(ls none.diff 2>/dev/null)" "0 " "nor what is left behind a pointer"
./sparse >want
patch -s -p1 <sparse.diff
for compiler in g++ clang++; do
    $compiler -O2 -Wall -Wextra -Werror -fopenmp -o shared sparse.cpp
    ok $? "$compiler: compiles without a warning"
    is "$(OMP_NUM_THREADS=3 ./shared)" "$(cat want)" "$compiler: the same result"
done

# Calls that are all too short for a task are no longer followed after a thousand; those that get long later are.
cat >late.c <<'END'
#include <stdio.h>
#include <stdlib.h>
static int cells[4][3000];
__attribute__((noinline)) static void work(int *to, const int *from, int n)
{
    for (int i = 0; i < n; i++)
        to[i] = to[i] * 3 + from[i];
}
__attribute__((noinline)) static void apart(int *a, int *b, const int *c, int n)
{
    work(a, c, n);
    work(b, c, n);
}
__attribute__((noinline)) static void joined(int *a, int *b, const int *c, int n)
{
    work(a, c, n);
    work(b, n > 10 ? a : c, n);
}
__attribute__((noinline)) static void once(int *a, int *b, const int *c, int n)
{
    work(a, c, n);
    work(b, n > 10 ? a : c, n);
}
int main(int argc, char **argv)
{
    (void)argv;
    int shorts = argc > 1 ? atoi(argv[1]) : 1000;
    for (int r = 0; r < shorts; r++) {
        apart(cells[0], cells[1], cells[3], 2);
        joined(cells[0], cells[1], cells[3], 2);
        once(cells[0], cells[1], cells[3], 2);
    }
    for (int r = 0; r < 40; r++) {
        apart(cells[0], cells[1], cells[3], 3000);
        joined(cells[0], cells[1], cells[3], 3000);
    }
    once(cells[0], cells[1], cells[3], 3000);
    printf("%d %d\n", cells[0][7], cells[1][9]);
    return 0;
}
END
gcc -O1 -g -fno-inline -o late late.c || exit 99
is "$(plan late --only calls --min-gain 0 -- ./late)" late.c:11 "late: calls that need each other are found when they get long after a thousand short ones, and unknown if that was but once"

done_testing
