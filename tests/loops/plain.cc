/* C++ that is as C would be: arrays, pointers and numbers, and what looks like that and is not. */
#include "loops.h"
#include <cmath>
#include <complex>
#include <utility>
#define ALONE static __attribute__((noinline))
enum { COUNT = 200 };
static double a[2 * COUNT], b[2 * COUNT], m[40][40];
static int ia[2 * COUNT];
static short sa[COUNT + 8];
struct vec { double x, y; vec &operator+=(const vec &o) { x += o.x; y += o.y; return *this; } };
static vec vs[COUNT + 8];
static std::complex<double> cs[COUNT + 8];
struct counted { static int n; int v; counted(int x) : v(x + n++ / 1000) {} operator int() const { return v; } };
int counted::n;
struct wraps { int i; wraps(int x) : i(x % 7) {} operator int() const { return i; } };

ALONE void before_fixed(int n)
{
    double s;
    for (int i = 0; i < n; i++) { /* loop: parallel */
        a[5 + i] = i;
        s = a[2] + i;
    }
    (void)s;
}
ALONE void before_met(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[2 + i] = i;
        s = a[5] + i;
    }
    (void)s;
}
ALONE short least(int n)
{
    short s = 30000;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        short v = (short)(sa[i] + sa[i + 1]);
        if (v < s)
            s = v;
    }
    return s;
}
ALONE void by_reference(int n, int &k)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ia[i + k] = i;
        k = ia[i + 1] & 1;
    }
}
ALONE void reference_to(int n)
{
    double &r = a[7];
    for (int i = 0; i < n; i++) { /* loop: no */
        r = i;
        b[i] = a[i] + 1;
    }
}
ALONE void two_references(double (&p)[2 * COUNT], double (&q)[2 * COUNT], int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        p[i + 1] = q[i] * 0.5;
}
ALONE void converts(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        wraps w = i;
        ia[w] = ia[i] + 1;
    }
}
ALONE void made(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        int k = counted(i);
        ia[i] = k;
    }
}
ALONE void sums_of_class(int n)
{
    vec s = {0, 0};
    for (int i = 0; i < n; i++) { /* loop: no */
        s += vs[i];
        a[i] = s.x;
    }
}
ALONE void complexes(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        cs[i] = cs[i - 1] * 0.5 + cs[i];
}
ALONE void complexes_free(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        cs[i] = cs[i] * 0.5 + 1.0;
}
ALONE void rows(int n)
{
    for (int i = 0; i < n; i++)         /* loop: parallel */
        for (int j = 0; j < n - 1; j++) /* loop: no */
            m[i][j + 1] = m[i][j] * 0.5 + j;
}
ALONE void swapped(int n)
{
    for (int i = 0; i + 1 < n; i++) /* loop: no */
        std::swap(a[i], a[i + 1]);
}
ALONE void pointer_moves(double *p, double *q, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        p[i] = q[i] + 1;
        std::swap(p, q);
    }
}
template <typename T> ALONE void generic(T *p, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        p[i] = p[i - 1] + p[i];
}
template <typename T> ALONE void generic_free(T *p, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        p[n + i] = p[i] + T(1);
    }
}
struct box {
    double *v;
    int n;
    __attribute__((noinline)) void shift() { for (int i = 1; i < n; i++) /* loop: no */
            v[i] = v[i - 1] + 1; }
    __attribute__((noinline)) void fill() { for (int i = 1; i < n; i++) /* loop: parallel */
            v[i] = i; }
};
static int next_of() { static int k; return k++; }
ALONE void called(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = next_of();
}
ALONE void roots(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        b[i] = std::sqrt(a[i] * a[i] + 1) + a[0];
}
ALONE void auto_reference(int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        auto &x = ia[i - 1];
        ia[i] = x + 1;
    }
}
ALONE void lambda(int n)
{
    int k = 0;
    auto next = [&] { return k++; };
    for (int i = 0; i < n; i++) /* loop: no */
        ia[next()] = i;
}
int main(int argc, char **)
{
    int n = COUNT + argc - 1, k = 0;
 for (int i = 0; i < COUNT + 8; i++) a[i] = i, b[i] = i, ia[i] = i * 7 % 31, sa[i] = i * 3, vs[i] = {1.0 * i, 2}, cs[i] = i;
 before_fixed(n), before_met(n), keep(least(n)), by_reference(n, k), reference_to(n), two_references(a, a, n), converts(n), made(n), sums_of_class(n), complexes(n), complexes_free(n), rows(40), swapped(n), pointer_moves(a, b, n), generic(a, n), generic_free(ia, n), called(n), roots(n), auto_reference(n), lambda(n);
 box x{a, n}; x.shift(), x.fill();
 digest(a, sizeof a), digest(b, sizeof b), digest(ia, sizeof ia), digest(m, sizeof m), digest(cs, sizeof cs); keep(k); return finish(); }
