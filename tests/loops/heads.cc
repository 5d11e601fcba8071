/* What the head of a loop inside asks for is asked in every iteration, and numbers in vectors beside arrays
 * of the library. */
#include <array>
#include <cstdio>
#include <vector>

#ifdef __clang__
#define ALONE __attribute__((noinline))
#else
#define ALONE __attribute__((noinline, noclone))
#endif

typedef std::vector<int> ints;
typedef std::vector<double> reals;

ALONE void rows(const ints &first, const ints &column, const reals &v, const reals &x, reals &y)
{
    for (std::size_t i = 0; i + 1 < first.size(); i++) { /* loop: parallel */
        double s = 0;
        for (int k = first[i]; k < first[i + 1]; k++) /* loop: reduction */
            s += v[k] * x[column[k]];
        y[i] = s;
    }
}
ALONE void rows_while(const ints &first, const reals &v, reals &y)
{
    for (std::size_t i = 0; i + 1 < first.size(); i++) { /* loop: parallel */
        double s = 0;
        int k = first[i];
        while (k < first[i + 1])
            s += v[k++];
        y[i] = s;
    }
}
// where the next row begins is found here
ALONE void rows_found(ints &first, const ints &length)
{
    for (std::size_t i = 0; i + 1 < first.size(); i++) { /* loop: no */
        int n = 0;
        for (int k = first[i]; k < first[i] + length[i]; k++)
            n += k % 3 + 1;
        first[i + 1] = first[i] + n % 5;
    }
}
ALONE void rows_solved(const ints &first, const ints &column, const reals &v, reals &y)
{
    for (std::size_t i = 0; i + 1 < first.size(); i++) { /* loop: no */
        double s = 0;
        for (int k = first[i]; k < first[i + 1]; k++)
            s += v[k] * y[column[k]];
        y[i] = s;
    }
}
struct source {
    int at = 0;
    int next() { return ++at % 4; }
};
ALONE void rows_drawn(source &from, reals &y)
{
    for (std::size_t i = 0; i < y.size(); i++) { /* loop: no */
        double s = 0;
        for (int k = 0, n = from.next(); k < n; k++)
            s += k + i;
        y[i] = s;
    }
}
ALONE void histogram(const ints &v, std::array<int, 16> &h)
{
    for (int x : v) /* loop: reduction */
        h[x & 15]++;
}
ALONE void histograms(const std::vector<ints> &in, std::vector<std::array<int, 8>> &out)
{
    for (std::size_t i = 0; i < in.size(); i++) { /* loop: parallel */
        std::array<int, 8> h{};
        for (int x : in[i]) /* loop: reduction */
            h[x & 7]++;
        out[i] = h;
    }
}
struct cell {
    int n, seen[4];
};
ALONE void cells(const std::vector<std::array<int, 8>> &from, std::vector<cell> &to)
{
    for (std::size_t i = 0; i < from.size(); i++) { /* loop: parallel */
        cell c{};
        for (int k = 0; k < 8; k++)
            c.seen[from[i][k] & 3] += from[i][k];
        c.n = (int)i;
        to[i] = c;
    }
}
// of one size, and one vector
ALONE void cells_before(const std::vector<cell> &from, std::vector<cell> &to)
{
    for (std::size_t i = 1; i < from.size(); i++) { /* loop: no */
        cell c{};
        for (int k = 0; k < 4; k++)
            c.seen[k] = from[i - 1].seen[k ^ 1] + 1;
        c.n = from[i - 1].n;
        to[i] = c;
    }
}
// the array itself is gone through
ALONE void histogram_of_itself(std::array<int, 16> &v, std::array<int, 16> &h)
{
    for (int x : v) /* loop: no */
        h[x & 15]++;
}
// the vector's are
ALONE void histogram_in_vector(const ints &v, ints &h)
{
    for (int x : v) /* loop: no */
        h[x & 15]++;
}
ALONE void histogram_in_array(const std::vector<std::array<int, 4>> &v, std::array<int, 4> &h)
{
    for (const auto &x : v) /* loop: no */
        h[x[1] & 3]++;
}
ALONE int seen_on_the_way(const ints &v, std::array<int, 16> &h)
{
    int s = 0;
    for (int x : v) { /* loop: no */
        h[x & 15]++;
        s += h[x & 7];
    }
    return s;
}

struct grid {
    int w, h;
    reals d;
    grid(int w, int h) : w(w), h(h), d(w * h, 1.5) {}
    double &at(int x, int y) { return d[y * w + x]; }
    double at(int x, int y) const { return d[y * w + x]; }
};
ALONE void smooth(const grid &a, grid &b)
{
    for (int y = 1; y < a.h - 1; y++)     /* loop: parallel */
        for (int x = 1; x < a.w - 1; x++) /* loop: parallel */
            b.at(x, y) = (a.at(x - 1, y) + a.at(x, y) + a.at(x + 1, y) + a.at(x, y - 1) + a.at(x, y + 1)) / 5;
}
// one grid
ALONE void smooth_itself(const grid &a, grid &b)
{
    for (int y = 1; y < a.h - 1; y++)     /* loop: no */
        for (int x = 1; x < a.w - 1; x++) /* loop: no */
            b.at(x, y) = (a.at(x - 1, y) + a.at(x, y) + a.at(x + 1, y) + a.at(x, y - 1) + a.at(x, y + 1)) / 5;
}
// and the compiler knows
static inline void along(const grid &a, grid &b, int y)
{
    for (int x = 1; x < a.w - 1; x++) /* loop: no */
        b.at(x, y) = a.at(x - 1, y) * 0.5 + a.at(x, y);
}
ALONE void along_itself(grid &g)
{
    along(g, g, 3);
}
static inline void ahead(const grid &a, grid &b, int y)
{
    for (int x = 1; x < a.w - 1; x++) /* loop: no */
        b.at(x, y) = a.at(x + 1, y) * 0.5 + a.at(x, y + 1);
}
ALONE void ahead_itself(grid &g)
{
    ahead(g, g, 4);
}

int main()
{
    int n = 60;
    ints first, column, length;
    reals v, x(n), y(n), z(n);
    for (int i = 0; i <= n; i++)
        first.push_back(i * 14 - i % 3), length.push_back(i % 5);
    for (int k = 0; k < first[n] + 8; k++)
        column.push_back(k * 7 % n), v.push_back(k % 5 * 0.5);
    for (int i = 0; i < n; i++)
        x[i] = i % 9, z[i] = 1;
    rows(first, column, v, x, y);
    rows_while(first, v, z);
    ints other = first;
    rows_found(other, length);
    rows_solved(first, column, v, z);
    source from;
    rows_drawn(from, x);
    std::array<int, 16> h{}, own{};
    for (int i = 0; i < 16; i++)
        own[i] = i * 5 % 16;
    histogram(column, h);
    histogram_of_itself(own, own);
    ints counts(16);
    histogram_in_vector(column, counts);
    histogram_in_vector(counts, counts);
    std::vector<std::array<int, 4>> fours(30), out_of(1);
    for (int i = 0; i < 30; i++)
        fours[i] = {i, i * 3, i + 2, 1};
    std::array<int, 4> few{};
    histogram_in_array(fours, few);
    histogram_in_array(fours, fours[3]);
    int s = seen_on_the_way(column, h);
    std::vector<ints> in(20, ints(30));
    for (int i = 0; i < 20; i++)
        for (int k = 0; k < 30; k++)
            in[i][k] = i * k;
    std::vector<std::array<int, 8>> out(20);
    histograms(in, out);
    std::vector<cell> made(20);
    cells(out, made);
    cells_before(made, made);
    grid g(20, 12), to(20, 12);
    g.at(4, 4) = g.at(9, 7) = 3, g.at(2, 3) = 5;
    smooth(g, to), smooth_itself(g, g), along_itself(g), ahead_itself(to);
    double sum = s + g.at(7, 5) + g.at(18, 3) + to.at(5, 4) + few[1] + h[3] + own[2] + counts[5] +
                 fours[3][1] + made[7].seen[2] + made[19].n;
    for (int i = 0; i < n; i++)
        sum += y[i] + z[i] + x[i] + other[i];
    for (auto &o : out)
        sum += o[1] * 3 + o[7];
    std::printf("%g\n", sum);
    return 0;
}
