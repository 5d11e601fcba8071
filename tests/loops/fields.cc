// Fields of numbers behind a class of the program's: what such a loop stores is computed from what it loads, so a load that a
// compiler made one of two, or took from another line, is no dependence; what comes from the iteration before shows.
#include "loops.h"
#include <algorithm>
#include <cmath>
#include <vector>

#define ALONE __attribute__((noinline))
enum { W = 60 };

struct Field {
    int wide;
    double *data;
    explicit Field(int n) : wide(n), data(new double[n * n]()) {}
    double &operator()(int i, int j) { return data[j * wide + i]; }
    const double &operator()(int i, int j) const { return data[j * wide + i]; }
};
struct Line {
    double *data;
    int *counts;
    explicit Line(int n) : data(new double[n]()), counts(new int[n]()) {}
    double &operator[](int i) { return data[i]; }
    const double &operator[](int i) const { return data[i]; }
    int &at(int i) { return counts[i]; }
};
struct Watched {
    double *data;
    double last;
    explicit Watched(int n) : data(new double[n]()), last(0) {}
    double &operator[](int i) { return data[i]; }
    double &operator()(int i)
    {
        data[0] = data[0] * 0.5 + i;
        return data[i];
    }
};

ALONE static void gas(int lo, int hi, const Field &density, const Field &energy, Field &pressure, Field &sound)
{
    for (int j = lo; j < hi; j++)       /* loop: parallel */
        for (int i = lo; i < hi; i++) { /* loop: parallel */
            double v = 1.0 / density(i, j);
            pressure(i, j) = 0.4 * density(i, j) * energy(i, j);
            double pe = 0.4 * density(i, j), pv = -density(i, j) * pressure(i, j) * v;
            sound(i, j) = std::sqrt(std::fabs(v * v * (pressure(i, j) * pe - pv)));
        }
}
ALONE static void limited(int lo, int hi, const Field &vel, const Field &density, Field &flux)
{
    for (int j = lo; j < hi; j++)       /* loop: parallel */
        for (int i = lo; i < hi; i++) { /* loop: parallel */
            int up, dn, dif;
            if (vel(i, j) > 0) {
                up = i - 2;
                dn = i;
                dif = i - 1;
            } else {
                up = std::min(i + 1, hi);
                dn = i - 1;
                dif = i;
            }
            double l = 0, a = density(dif, j) - density(up, j), b = density(dn, j) - density(dif, j);
            if (a * b > 0)
                l = std::min(std::fabs(a), std::fabs(b));
            flux(i, j) = vel(i, j) * (density(dif, j) + l);
        }
}
ALONE static void columns(int lo, int hi, Field &d)
{
    for (int j = lo; j < hi; j++)     /* loop: parallel */
        for (int i = lo; i < hi; i++) /* loop: no */
            d(i, j) = d(i, j) - 0.1 * (d(i, j) - d(i - 1, j));
}
ALONE static void mirrored(Line &v, int n)
{
    for (int i = 1; i < n / 2; i++) { /* loop: parallel */
        v[i] = v[n - i] * 0.5;
        v[n - i] = v[i] + v[0];
    }
}
// with one thing different
ALONE static void gas_before(int lo, int hi, const Field &density, const Field &energy, Field &pressure, Field &sound)
{
    for (int j = lo; j < hi; j++)       /* loop: parallel */
        for (int i = lo; i < hi; i++) { /* loop: no */
            double v = 1.0 / density(i, j);
            pressure(i, j) = 0.4 * density(i, j) * energy(i, j);
            double pe = 0.4 * density(i, j), pv = -density(i, j) * pressure(i - 1, j) * v;
            sound(i, j) = std::sqrt(std::fabs(v * v * (pressure(i, j) * pe - pv)));
        }
}
ALONE static void rows_before(int lo, int hi, const Field &density, Field &pressure, Field &sound)
{
    for (int j = lo; j < hi; j++)       /* loop: no */
        for (int i = lo; i < hi; i++) { /* loop: parallel */
            pressure(i, j) = 0.4 * density(i, j);
            sound(i, j) = pressure(i, j - 1) + density(i, j);
        }
}
ALONE static void copied_on(Line &to, const Line &from, Line &next, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        to[i] = from[i];
        next[i] = to[i - 1];
    }
}
ALONE static void from_counter(Line &to, Line &next, int n)
{
    to[0] = 0;
    for (int i = 1; i < n; i++) { /* loop: no */
        to[i] = i;
        next[i] = to[i - 1];
    }
}
ALONE static void counted(Line &to, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = to[i - 1] + 1.0;
}
ALONE static void counted_beside(Line &to, const Line &from, Line &next, int n)
{
    to[0] = 0;
    for (int i = 1; i < n; i++) { /* loop: no */
        next[i] = from[i] + to[i - 1];
        to[i] = 3;
    }
}
ALONE static void whole(Line &to, Line &next, int n)
{
    to.at(0) = 0;
    for (int i = 1; i < n; i++) { /* loop: no */
        to.at(i) = i;
        next.at(i) = to.at(i - 1);
    }
}
ALONE static void pairs(Line &v, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        v[i] = v[i ^ 1] * 0.5;
}
ALONE static void unused(Line &v, const Line &from, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        double before = v[i - 1];
        before = from[i] + 1;
        v[i] = from[i] * before;
    }
}
ALONE static void nobody_wants(Line &v, const Line &from, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        double before = v[i - 1];
        v[i] = from[i] * 2;
    }
}
ALONE static void in_one_line(Line &v, const Line &from, Line &to, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        to[i] = v[i - 1]; to[i] = from[i] + 1;
        v[i] = from[i] * 2;
    }
}
ALONE static void over_again(Line &v, const Line &from, Line &to, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        to[i] = v[i - 1];
        to[i] = from[i] + 1;
        v[i] = from[i] * 2;
    }
}
ALONE static void watched(Watched &w, Line &to, const Line &from, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        to[i] = from[i] + w(i);
}
ALONE static void same_element(Line &v, const Line &from, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        v[i] = from[i] + v[0];
        v[0] = from[i] * 2;
    }
}
ALONE static void by_choice(Line &v, const Line &from, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        double t = 1;
        if (from[i] > 1)
            t = v[i - 1];
        v[i] = from[i] * t;
    }
}
ALONE static void four_back(Line &v, const Line &from, int n)
{
    for (int i = 4; i < n; i++) /* loop: no */
        v[i] = from[i] + v[i - 4];
}

int main()
{
    Field a(W), b(W), c(W), d(W);
    for (int i = 0; i < W * W; i++) /* loop: parallel */
        a.data[i] = 1 + i % 7, b.data[i] = 2 + i % 5, c.data[i] = i % 3 - 1;
    gas(2, W - 2, a, b, c, d);
    limited(2, W - 2, c, a, d);
    columns(2, W - 2, d);
    gas_before(2, W - 2, a, b, c, d);
    rows_before(2, W - 2, a, c, d);
    Line x(N), y(N), z(N);
    for (int i = 0; i < N; i++) /* loop: parallel */
        x.data[i] = i % 9, y.data[i] = i % 4 + 1, z.counts[i] = i;
    mirrored(x, N);
    copied_on(x, y, z, N);
    from_counter(x, z, N);
    counted(x, N);
    counted_beside(x, y, z, N);
    whole(x, z, N);
    pairs(x, N);
    unused(x, y, N);
    nobody_wants(x, y, N);
    in_one_line(x, y, z, N);
    over_again(x, y, z, N);
    Watched w(N);
    watched(w, z, y, N);
    same_element(x, y, N);
    by_choice(x, y, N);
    four_back(x, y, N);
    double s = w.data[0];
    for (int i = 0; i < N; i++) /* loop: reduction */
        s += x.data[i] + z.data[i] + x.counts[i] + z.counts[i];
    for (int i = 0; i < W * W; i++) /* loop: reduction */
        s += a.data[i] + c.data[i] + d.data[i];
    return s > 1e300;
}
