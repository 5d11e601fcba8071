// The same of methods, references, vectors and lambdas.
#include "loops.h"
#include <tuple>
#include <vector>

enum { CELLS = 40 };
struct Cell {
    double x, y;
    int n;
    int next() const { return n + 1; }
    void set(int v) { n = v; }
};
static Cell cells[CELLS + 2], other[CELLS + 2];
static int ints[CELLS + 2], outs[CELLS + 2];
static std::vector<int> v(CELLS + 2, 1), w(CELLS + 2);
static std::vector<Cell> many(CELLS + 2), more(CELLS + 2);

template <class T> class Grid
{
    int cols;
    std::vector<T> data;

  public:
    Grid(int r, int c) : cols(c), data(r * c) {}
    T &operator()(int i, int j) { return data[i * cols + j]; }
    const T &get(int i, int j) const { return data[i * cols + j]; }
};
static Grid<double> filled(CELLS, CELLS);
static Grid<int> chained(CELLS + 2, 2);

static int of_vector(const std::vector<int> &x, int i)
{
    return x[i] + 1;
}
static int of_pointer(const int *p, int i)
{
    return p[i] + 1;
}

KERNEL(vectors)
{
    for (int i = 0; i < n; i++) /* loop: no */
        v[i + 1] = of_vector(v, i);
    for (int i = 0; i < n; i++) /* loop: parallel */
        w[i] = of_vector(v, i);
    for (int i = 0; i < n; i++) /* loop: no */
        v[i + 1] = of_pointer(v.data(), i);
}
KERNEL(methods)
{
    for (int i = 0; i < n; i++) /* loop: no */
        cells[i + 1].n = cells[i].next();
    for (int i = 0; i < n; i++) /* loop: parallel */
        other[i].n = cells[i].next();
    for (int i = 0; i < n; i++) /* loop: no */
        many[i + 1].n = many[i].next();
    for (int i = 0; i < n; i++) /* loop: no */
        many[i + 1].set(many[i].next());
    for (int i = 0; i < n; i++) /* loop: parallel */
        more[i].set(many[i].next());
}
/* What a function hands back by reference is looked at, or only assigned to. */
KERNEL(references)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        for (int j = 0; j < n; j++)
            filled(i, j) = i + 0.5 * j;
    for (int i = 0; i < n; i++) /* loop: no */
        chained(i + 1, 0) = chained(i, 0) + 1;
    for (int i = 0; i < n; i++) /* loop: no */
        chained(i + 1, 1) = chained.get(i, 1) + 1;
}
KERNEL(lambdas)
{
    auto get = [&](int i) { return ints[i] + 1; };
    auto look = [](const int *p) { return *p + 1; };
    for (int i = 0; i < n; i++) /* loop: no */
        ints[i + 1] = get(i);
    for (int i = 0; i < n; i++) /* loop: parallel */
        outs[i] = get(i);
    for (int i = 0; i < n; i++) /* loop: no */
        ints[i + 1] = look(ints + i);
}

// What every way through the iteration sets as a whole, and the next one looks at by way of a function.
struct Flag {
    bool on = false;
    int n = 0;
};
static bool is_on(const Flag &f)
{
    return f.on;
}
KERNEL(wholes)
{
    Flag f, g;
    for (int i = 0; i < n; i++) { /* loop: no */
        outs[i] = is_on(f);
        if (ints[i] & 1)
            f = Flag{true, 1};
        else
            f = Flag{};
    }
    for (int i = 0; i < n; i++) { /* loop: private */
        if (ints[i] & 1)
            g = Flag{true, 1};
        else
            g = Flag{};
        outs[i] += is_on(g);
    }
    digest(outs, sizeof outs);
}
KERNEL(tuples)
{
    std::tuple<int, bool> last(0, false);
    for (int i = 0; i < n; i++) { /* loop: no */
        outs[i] = std::get<1>(last) ? std::get<0>(last) : -1;
        if (ints[i] & 1)
            last = std::make_tuple(ints[i], true);
        else
            last = std::make_tuple(ints[i] * 2, false);
    }
    digest(outs, sizeof outs);
}
KERNEL(by_member)
{
    Flag f;
    int Flag::*member = &Flag::n;
    for (int i = 0; i < n; i++) { /* loop: no */
        outs[i] = f.n;
        f.*member = ints[i];
    }
    digest(outs, sizeof outs);
}

int main()
{
    for (int i = 0; i < CELLS; i++) {
        ints[i] = i * 7 % 31;
        cells[i].n = many[i].n = i;
    }
    vectors(CELLS);
    methods(CELLS);
    references(CELLS);
    lambdas(CELLS);
    wholes(CELLS);
    tuples(CELLS);
    by_member(CELLS);
    digest(ints, sizeof ints);
    digest(outs, sizeof outs);
    for (int i = 0; i < CELLS; i++)
        keep(chained.get(i, 0) + chained.get(i, 1) + filled.get(i, 3));
    for (int i = 0; i < CELLS; i++)
        keep(v[i] + w[i] + cells[i].n + other[i].n + many[i].n + more[i].n);
    return finish();
}
