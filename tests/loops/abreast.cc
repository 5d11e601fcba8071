// Vectors that a loop goes through side by side, and what leads to their elements by another way. clang for
// x86-64 unrolls these by two: the last iteration of an odd number runs outside the loop.
#include "loops.h"
#include <algorithm>
#include <cmath>
#include <vector>
#define ALONE __attribute__((noinline))

using reals = std::vector<double>;

ALONE static void scaled(reals &to, const reals &from)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: parallel */
        to[i] = from[i] * 2 + 1;
}
ALONE static void itself(reals &to, reals &same)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: parallel */
        to[i] = same[i] + to[i] * 0.5;
}
ALONE static void rows(std::vector<reals> &g)
{
    for (std::size_t k = 1; k < g.size(); k++) { /* loop: no */
        reals &up = g[k - 1], &here = g[k];
        for (std::size_t i = 0; i < here.size(); i++) /* loop: parallel */
            here[i] = up[i] * 0.5 + here[i];
    }
}
struct pair {
    reals x, y;
    ALONE void join()
    {
        for (std::size_t i = 0; i < x.size(); i++) /* loop: parallel */
            x[i] += y[i] * 0.25;
    }
};

using grid = std::vector<reals>;

ALONE static void joined(grid &to, const grid &a, const grid &b)
{
    for (std::size_t i = 0; i < to.size(); i++)        /* loop: parallel */
        for (std::size_t j = 0; j < to[i].size(); j++) /* loop: parallel */
            to[i][j] = a[i][j] * 2 + b[i][j];
}
ALONE static double largest(reals &to, const reals &from)
{
    double most = 0;
    for (std::size_t i = 0; i < to.size(); i++) { /* loop: reduction */
        double x = std::abs(from[i]);
        to[i] = x + to[i];
        most = std::max(most, x);
    }
    return most;
}
// the same grid, turned
ALONE static void turned_grid(grid &to, const grid &from)
{
    for (std::size_t i = 0; i < to.size(); i++)        /* loop: no */
        for (std::size_t j = 0; j < to[i].size(); j++) /* loop: parallel */
            to[i][j] = from[j][i] + 1;
}
// what `plane` has as its i-th row is the j-th of to[2]
ALONE static void plane_inside(std::vector<grid> &to, const grid &plane)
{
    for (std::size_t i = 0; i < to.size(); i++)               /* loop: no */
        for (std::size_t j = 0; j < to[i].size(); j++)        /* loop: no */
            for (std::size_t k = 0; k < to[i][j].size(); k++) /* loop: parallel */
                to[i][j][k] = plane[i][k] * 0.5 + 1;
}
ALONE static void rows_copied(grid &to, const grid &from)
{
    for (std::size_t i = 1; i < to.size(); i++) { /* loop: no */
        to[i] = from[i - 1];
        to[i][0] = from[i][0] + 1;
    }
}
// all of these need what the last iteration, which is of an odd number, finds or leaves
ALONE static void last_by_reference(reals &to, const reals &from, const double &last)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        to[i] = from[i] + last;
}
ALONE static void last_by_pointer(reals &to, const reals &from, const double *last)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        to[i] = from[i] + *last;
}
ALONE static void last_by_name(reals &to, const reals &from)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        to[i] = from[i] + to.back();
}
ALONE static void last_by_iterator(reals &to, const reals &from, reals::const_iterator last)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        to[i] = from[i] + *last;
}
ALONE static void last_by_lambda(reals &to, const reals &from)
{
    auto with = [&to](double x) { return x + to[to.size() - 1]; };
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        to[i] = with(from[i]);
}
ALONE static void last_by_number(reals &to, const reals &from)
{
    std::size_t k = to.size() - 1;
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        to[i] = from[i] + to[k];
}
ALONE static void last_of_other(reals &to, const reals &from, std::size_t k)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        to[i] = from[i] + from[k];
}
// of a class of the program's an element may be anything
struct ring {
    double *at;
    std::size_t n;
    std::size_t size() const { return n; }
    double &operator[](std::size_t i) { return at[i]; }
    const double &operator[](std::size_t i) const { return at[i + 1 == n ? 0 : i]; }
};
ALONE static void turned(ring &to, const ring &from)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        to[i] = from[i] * 0.5 + 1;
}
ALONE static void behind(std::vector<double *> &to, const reals &from)
{
    for (std::size_t i = 0; i < to.size(); i++) /* loop: no */
        *to[i] = from[i];
}

int main()
{
    reals a(75, 1), b(75, 2);
    std::vector<reals> g(6, reals(75, 3));
    pair p{reals(75, 1), reals(75, 3)};
    std::vector<double *> to;
    scaled(a, b);
    itself(a, b);
    itself(a, a);
    rows(g);
    p.join();
    grid h(6, reals(75, 2)), square(8, reals(8, 1.5));
    std::vector<grid> space(6, grid(6, reals(20, 1)));
    joined(g, h, g);
    keep(largest(a, b));
    turned_grid(square, square);
    plane_inside(space, space[2]);
    rows_copied(h, h);
    last_by_reference(a, b, a[74]);
    last_by_pointer(a, b, &a[74]);
    last_by_name(a, b);
    last_by_iterator(a, b, a.end() - 1);
    last_by_lambda(a, b);
    last_by_number(a, b);
    last_of_other(a, a, 74);
    ring r{b.data(), b.size()};
    turned(r, r);
    for (std::size_t i = 0; i < 74; i++)
        to.push_back(&g[0][i]);
    to.push_back(&g[0][0]);
    behind(to, a);
    digest(a.data(), 75 * sizeof a[0]);
    digest(b.data(), 75 * sizeof b[0]);
    for (const reals &row : g)
        digest(row.data(), 75 * sizeof row[0]);
    for (const reals &row : square)
        digest(row.data(), 8 * sizeof row[0]);
    digest(h[5].data(), 75 * sizeof h[5][0]);
    for (const grid &plane : space)
        for (const reals &row : plane)
            digest(row.data(), 20 * sizeof row[0]);
    digest(p.x.data(), 75 * sizeof p.x[0]);
    return finish();
}
