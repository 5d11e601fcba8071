/* What functions of the library keep for a loop, and what objects do. */
#include "loops.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <random>
#include <utility>
#include <vector>

#define ALONE static __attribute__((noinline))
enum { COUNT = 300 };
using ints = std::vector<int>;
struct state {
    int before, count;
};
struct keeper {
    int before = 0;
    int step(int x)
    {
        int d = x - before;
        before = x;
        return d;
    }
    int operator()(int x) { return std::exchange(before, x); }
};

ALONE void exchanged(const ints &v, ints &w)
{
    int before = 0;
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = std::exchange(before, v[i]);
}
ALONE void exchanged_member(const ints &v, ints &w)
{
    state s = {0, 0};
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = std::exchange(s.before, v[i]);
}
ALONE void exchanged_behind(const ints &v, ints &w, state *s)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = std::exchange(s->before, v[i]);
}
ALONE void swapped(const ints &v, ints &w)
{
    int before = 0;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        int x = v[i];
        std::swap(x, before);
        w[i] = x;
    }
}
ALONE void swapped_member(const ints &v, ints &w)
{
    state s = {0, 0};
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        int x = v[i];
        std::swap(x, s.before);
        w[i] = x;
    }
}
ALONE void swapped_pair(const ints &v, ints &w)
{
    std::pair<int, int> p(0, 0);
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        p.first = v[i];
        w[i] = p.second;
        std::swap(p.first, p.second);
    }
}
ALONE void stepping(const ints &v, ints &w)
{
    keeper k;
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = k.step(v[i]);
}
ALONE void called(const ints &v, ints &w)
{
    keeper k;
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = k(v[i]);
}
ALONE void own_keeper(const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: parallel */
        keeper k;
        w[i] = k.step(v[i]) + k.step(7);
    }
}
template <class F> static void apply(const ints &v, ints &w, F f)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = f(v[i]);
}
ALONE void applied(const ints &v, ints &w)
{
    apply(v, w, keeper());
}
ALONE void back_element(const ints &v, ints &w)
{
    ints one(1);
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        w[i] = one.back();
        one.back() = v[i];
    }
}
ALONE void random_numbers(ints &w)
{
    std::minstd_rand r(7);
    for (std::size_t i = 0; i < w.size(); i++) /* loop: no */
        w[i] = (int)r();
}
ALONE void fields(std::vector<state> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        v[i].count = v[i - 1].count + 1;
}
ALONE void fields_apart(std::vector<state> &v)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        v[i].count = v[i].before + 1;
}
ALONE void fields_whole(std::vector<state> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        v[i] = {v[i - 1].before, v[i - 1].count + 1};
}
ALONE void rows_ragged(std::vector<ints> &g)
{
    for (std::size_t i = 0; i < g.size(); i++)        /* loop: parallel */
        for (std::size_t j = 0; j < g[i].size(); j++) /* loop: parallel */
            g[i][j] = g[i][j] * 2 + (int)g[i].size();
}
ALONE void rows_resized(std::vector<ints> &g)
{
    for (std::size_t i = 1; i < g.size(); i++) /* loop: no */
        g[i].resize(g[i - 1].size() + 1);
}
ALONE void rows_copied(std::vector<ints> &g)
{
    for (std::size_t i = 1; i < g.size(); i++) /* loop: no */
        g[i] = g[i - 1];
}
ALONE void rows_swapped(std::vector<ints> &g, std::vector<ints> &h)
{
    for (std::size_t i = 0; i < g.size(); i++) /* loop: parallel */
        g[i].swap(h[i]);
}

static inline void add(int *to, int x)
{
    *to += x;
}
static inline void add_to(int &to, int x)
{
    to += x;
}
template <class F> static inline int apply(F f, int x)
{
    return f(x);
}
ALONE void summed(const ints &v, ints &w)
{
    int s = 0;
    for (std::size_t i = 0; i < v.size(); i++) /* loop: reduction */
        add(&s, v[i]);
    w[0] = s;
}
ALONE void summed_to(const ints &v, ints &w)
{
    int s = 0;
    for (std::size_t i = 0; i < v.size(); i++) /* loop: reduction */
        add_to(s, v[i] * 3);
    w[1] = s;
}
ALONE void summed_seen(const ints &v, ints &w)
{
    int s = 0;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        add(&s, v[i]);
        w[i] = s;
    }
}
ALONE void summed_bounded(const ints &v, ints &w)
{
    int s = 0;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        add(&s, v[i]);
        if (s > 100)
            s = 0;
    }
    w[2] = s;
}
ALONE void summed_hidden(const ints &v, ints &w)
{
    int s = 0, t = 0;
    auto put = [&](int x) {
        add(&t, x);
        return t;
    };
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        add(&s, v[i]);
        w[i] = apply(put, v[i]);
    }
    w[3] = s;
}

static __attribute__((noinline)) void add_far(int *to, int x)
{
    *to += x;
}
static int across[COUNT];
static ints table(COUNT);
ALONE void summed_across(const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size() / 50; i++)     /* loop: no */
        for (std::size_t j = 0; j < v.size() / 50; j++) /* loop: no */
            add_far(&across[j], across[3 + 6 * i + j]);
    w[0] = across[2];
}
ALONE void summed_and_set(const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size() / 4; i++) { /* loop: no */
        table[3 + 3 * i] = 7;
        add_far(&table[4], v[i]);
    }
    w[0] = table[4] + table[6];
}
ALONE void multiplied_and_summed(const ints &v,
                                 ints &w) /* copies of the table would have to begin with 1, and with 0 */
{
    for (std::size_t i = 0; i < v.size() / 4; i++) { /* loop: no */
        table[1] *= v[i] | 1;
        add_far(&table[4 + 2 * i], v[i]);
    }
    w[0] = table[1] + table[4];
}

int main(int argc, char **argv)
{
    std::size_t n = COUNT - 1 + (std::size_t)argc;
    ints v(n), w(n);
    std::vector<ints> g(20, ints(20, 3)), h(20, ints(10, 3));
    std::vector<state> s(n);
    state one = {0, 0};
    for (std::size_t i = 0; i < n; i++) /* loop: parallel */
        v[i] = (int)(i * 37 % 101);
    void (*const all[])(const ints &, ints &) = {
        exchanged,   exchanged_member, swapped,       swapped_member, swapped_pair,   stepping,
        called,      own_keeper,       applied,       back_element,   summed,         summed_to,
        summed_seen, summed_bounded,   summed_hidden, summed_across,  summed_and_set, multiplied_and_summed};
    for (auto f : all) {
        f(v, w);
        for (int x : w)
            keep(x);
    }
    exchanged_behind(v, w, &one);
    for (int x : w)
        keep(x);
    random_numbers(w);
    fields(s);
    fields_apart(s);
    fields_whole(s);
    rows_ragged(g);
    rows_resized(g);
    rows_swapped(g, h);
    rows_copied(g);
    for (std::size_t i = 0; i < 20; i++)
        keep(std::accumulate(g[i].begin(), g[i].end(), (int)h[i].size()));
    for (std::size_t i = 0; i < n; i++)
        keep(w[i] + s[i].count);
    return finish();
}
