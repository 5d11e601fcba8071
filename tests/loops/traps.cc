/* Loops of C++ whose order is needed in ways that are easily overlooked, and their harmless likes. */
#include "loops.h"

#include <algorithm>
#include <array>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <stdexcept>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#define ALONE static __attribute__((noinline))
enum { COUNT = 300 };
using ints = std::vector<int>;
using reals = std::vector<double>;

ALONE void swaps(ints &v)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) /* loop: no */
        std::swap(v[i], v[i + 1]);
}
ALONE void swaps_apart(ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        std::swap(v[i], w[i]);
}
ALONE void swaps_pairs(ints &v)
{
    for (std::size_t i = 0; i + 1 < v.size(); i += 2) /* loop: parallel */
        std::swap(v[i], v[i + 1]);
}
ALONE void pushes(const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w.push_back(v[i] + 1);
}
ALONE void pushes_reserved(const ints &v, ints &w)
{
    w.reserve(2 * v.size() + w.size());
    for (int x : v) /* loop: no */
        w.push_back(x);
}
ALONE void pushes_rows(const ints &v, std::vector<ints> &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        w[i].push_back(v[i]);
}
ALONE void pushes_some_rows(const ints &v, std::vector<ints> &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i % 7].push_back(v[i]);
}
ALONE void map_counts(const ints &v, std::map<int, int> &m)
{
    for (int x : v) /* loop: no */
        m[x % 10]++;
}
ALONE void map_filled(const ints &v, std::unordered_map<int, int> &m)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        m[(int)i] = v[i];
}
ALONE int map_asked(const ints &v, const std::map<int, int> &m)
{
    int sum = 0;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: reduction */
        auto it = m.find(v[i] % 10);
        sum += it == m.end() ? 0 : it->second;
    }
    return sum;
}
ALONE int throws_inside(const ints &v, ints &w)
{
    int done = 0;
    try {
        for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
            if (v[i] > 1000000)
                throw std::runtime_error("much");
            w[i] = v[i];
            done++;
        }
    } catch (const std::exception &) {
        return -1;
    }
    return done;
}
ALONE void catches_inside(const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        try {
            if (v[i] % 97 == 96)
                throw v[i];
            w[i] = v[i];
        } catch (int x) {
            w[i] = -x;
        }
}
ALONE void captured(const ints &v, ints &w)
{
    int before = 0;
    auto step = [&](int x) {
        int d = x - before;
        before = x;
        return d;
    };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = step(v[i]);
}
ALONE void captured_number(const ints &v, ints &w)
{
    auto next = [k = 0]() mutable { return k++ / 2; };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = v[i] + next();
}
ALONE void captured_constant(const ints &v, ints &w, int by)
{
    auto scaled = [by](int x) { return x * by; };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        w[i] = scaled(v[i]);
}
ALONE double captured_sum(const reals &v)
{
    double sum = 0;
    auto add = [&sum](double x) { sum += x; }; /* of the one that all threads have, whatever the clause */
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        add(v[i]);
    return sum;
}
ALONE void through_function(const ints &v, ints &w, const std::function<int(int)> &f)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = f(v[i]);
}
ALONE void iterators_shifted(ints &v)
{
    for (auto a = v.begin(), b = v.begin() + 1; b != v.end(); ++a, ++b) /* loop: no */
        *b = *a + 1;
}
ALONE void iterators_apart(ints &v, const ints &w)
{
    for (auto it = v.begin(); it != v.end(); ++it) /* loop: parallel */
        *it += w[(std::size_t)(it - v.begin())];
}
ALONE void iterator_previous(ints &v)
{
    for (auto it = v.begin() + 1; it != v.end(); ++it) /* loop: no */
        *it ^= *(it - 1);
}
ALONE void list_links(std::list<int> &l)
{
    int carry = 0;
    for (int &x : l) { /* loop: no */
        x += carry;
        carry = x & 3;
    }
}
ALONE void rows(std::vector<reals> &g)
{
    for (std::size_t i = 1; i < g.size(); i++)        /* loop: no */
        for (std::size_t j = 0; j < g[i].size(); j++) /* loop: parallel */
            g[i][j] += g[i - 1][j];
}
ALONE void rows_apart(std::vector<reals> &g, const std::vector<reals> &h)
{
    for (std::size_t i = 0; i < g.size(); i++)            /* loop: parallel */
        for (std::size_t j = 1; j + 1 < g[i].size(); j++) /* loop: parallel */
            g[i][j] = 0.5 * (h[i][j - 1] + h[i][j + 1]);
}
ALONE void rows_columns(std::vector<reals> &g)
{
    for (std::size_t i = 0; i < g.size(); i++)        /* loop: parallel */
        for (std::size_t j = 1; j < g[i].size(); j++) /* loop: no */
            g[i][j] += g[i][j - 1];
}
ALONE void row_references(std::vector<reals> &g)
{
    for (std::size_t i = 1; i < g.size(); i++) { /* loop: no */
        reals &up = g[i - 1], &here = g[i];
        for (std::size_t j = 0; j < here.size(); j++) /* loop: parallel */
            here[j] = up[j] * 0.5;
    }
}
struct box {
    double v[4];
    double sum() const { return v[0] + v[1] + v[2] + v[3]; }
    box &operator+=(const box &o)
    {
        for (int k = 0; k < 4; k++)
            v[k] += o.v[k];
        return *this;
    }
};
ALONE box boxes_sum(const std::vector<box> &b)
{
    box all = {{0, 0, 0, 0}};
    for (std::size_t i = 0; i < b.size(); i++) /* loop: reduction */
        all += b[i];
    return all;
}
ALONE void boxes_chain(std::vector<box> &b)
{
    for (std::size_t i = 1; i < b.size(); i++) /* loop: no */
        b[i] += b[i - 1];
}
ALONE void boxes_apart(std::vector<box> &b, const std::vector<box> &c)
{
    for (std::size_t i = 0; i < b.size(); i++) /* loop: parallel */
        b[i] += c[i];
}
struct counter {
    static int made;
    int id;
    counter() : id(made++) {}
};
int counter::made;
ALONE void makes(ints &w)
{
    for (std::size_t i = 0; i < w.size(); i++) { /* loop: no */
        counter c;
        w[i] = c.id / 3;
    }
}
struct generator {
    unsigned s = 1;
    unsigned next() { return s = s * 1103515245u + 12345u; }
};
ALONE void draws(ints &w)
{
    generator g;
    for (std::size_t i = 0; i < w.size(); i++) /* loop: no */
        w[i] = (int)(g.next() >> 16);
}
ALONE void draws_own(ints &w)
{
    for (std::size_t i = 0; i < w.size(); i++) { /* loop: parallel */
        generator g;
        g.s = (unsigned)i;
        w[i] = (int)(g.next() >> 16);
    }
}
ALONE void strings_made(const ints &v, std::vector<std::string> &s)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        s[i] = std::string((std::size_t)(v[i] % 30), 'x');
}
ALONE std::string strings_joined(const std::vector<std::string> &s)
{
    std::string all;
    for (std::size_t i = 0; i < s.size(); i++) /* loop: no */
        all += s[i];
    return all;
}
ALONE void shared_kept(std::vector<std::shared_ptr<int>> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        *v[i] += *v[i - 1];
}
ALONE void bools(std::vector<bool> &b, const ints &v)
{
    for (std::size_t i = 0; i < b.size(); i++) /* loop: no */
        b[i] = v[i] & 1;
}
ALONE void erases(std::deque<int> &d, ints &w)
{
    for (std::size_t i = 0; !d.empty(); i++) { /* loop: no */
        w[i] = d.front();
        d.pop_front();
    }
}
ALONE int best_of(const ints &v)
{
    int best = v[0];
    for (std::size_t i = 1; i < v.size(); i++) /* loop: reduction */
        best = std::max(best, v[i]);
    return best;
}
template <class T> struct grid {
    int nx, ny;
    std::vector<T> data;
    grid(int x, int y) : nx(x), ny(y), data((std::size_t)x * (std::size_t)y) {}
    T &operator()(int i, int j) { return data[(std::size_t)i * (std::size_t)ny + (std::size_t)j]; }
};
ALONE void grid_apart(grid<double> &a, grid<double> &b)
{
    for (int i = 1; i < a.nx - 1; i++)     /* loop: parallel */
        for (int j = 1; j < a.ny - 1; j++) /* loop: parallel */
            b(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
}
ALONE void grid_in_place(grid<double> &a)
{
    for (int i = 1; i < a.nx - 1; i++)     /* loop: no */
        for (int j = 1; j < a.ny - 1; j++) /* loop: no */
            a(i, j) = 0.25 * (a(i - 1, j) + a(i + 1, j) + a(i, j - 1) + a(i, j + 1));
}

int main(int argc, char **argv)
{
    std::size_t n = COUNT - 1 + (std::size_t)argc;
    ints v(n), w(n), x;
    reals r(n);
    for (std::size_t i = 0; i < n; i++) { /* loop: parallel */
        v[i] = (int)(i * 37 % 101);
        r[i] = (double)(i % 17);
    }
    std::vector<ints> buckets(n);
    std::vector<reals> g(20, reals(20, 1.5)), h(20, reals(20, 2.5));
    std::vector<box> b(n), c(n);
    std::map<int, int> m;
    std::unordered_map<int, int> u;
    std::list<int> l(v.begin(), v.end());
    std::vector<std::string> s(n);
    std::vector<std::shared_ptr<int>> sp;
    std::vector<bool> bits(n);
    std::deque<int> d(v.begin(), v.end());
    grid<double> ga(20, 20), gb(20, 20);
    int calls = 0;
    for (std::size_t i = 0; i < n; i++) {
        sp.push_back(std::make_shared<int>((int)i));
        b[i].v[i % 4] = c[i].v[1] = (double)i;
        ga.data[i] = (double)(i % 9);
    }
    swaps(v);
    swaps_apart(v, w);
    swaps_pairs(v);
    pushes(v, x);
    pushes_reserved(v, x);
    pushes_rows(v, buckets);
    pushes_some_rows(v, buckets);
    map_counts(w, m);
    map_filled(w, u);
    keep(map_asked(w, m));
    keep(throws_inside(w, v));
    catches_inside(w, v);
    captured(w, v);
    captured_number(w, v);
    captured_constant(w, v, argc + 1);
    keep(captured_sum(r));
    through_function(w, v, [&calls](int y) { return y + calls++ % 3; });
    iterators_shifted(v);
    iterators_apart(v, w);
    iterator_previous(v);
    list_links(l);
    rows(g);
    rows_apart(g, h);
    rows_columns(g);
    row_references(g);
    keep(boxes_sum(b).sum());
    boxes_chain(b);
    boxes_apart(b, c);
    makes(w);
    draws(w);
    draws_own(v);
    strings_made(w, s);
    keep((double)strings_joined(s).size());
    shared_kept(sp);
    bools(bits, w);
    erases(d, w);
    keep(best_of(w));
    grid_apart(ga, gb);
    grid_in_place(gb);
    for (std::size_t i = 0; i < n; i++)
        keep(v[i] + w[i] + *sp[i] + bits[i] + b[i].sum() + (double)buckets[i].size() + (double)s[i].size());
    for (int y : x)
        keep(y);
    for (int y : l)
        keep(y);
    for (std::size_t i = 0; i < 20; i++)
        keep(std::accumulate(g[i].begin(), g[i].end(), gb(3, (int)i)));
    keep((double)u.size());
    return finish();
}
