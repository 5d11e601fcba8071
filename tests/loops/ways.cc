/* One thing by two names of C++: iterators, references, pointers into containers. */
#include "loops.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#define ALONE static __attribute__((noinline))
enum { COUNT = 300 };
using ints = std::vector<int>;

ALONE void data_pointer(ints &v)
{
    int *p = v.data();
    for (std::size_t i = 0; i + 1 < v.size(); i++) /* loop: no */
        p[i + 1] = v[i] + 1;
}
ALONE void data_read(ints &v)
{
    const int *p = v.data();
    for (std::size_t i = 0; i + 1 < v.size(); i++) /* loop: no */
        v[i + 1] = p[i] + 1;
}
ALONE void element_reference(ints &v)
{
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: no */
        int &x = v[i];
        x = v[i - 1] + 1;
    }
}
ALONE void element_before(ints &v)
{
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: no */
        const int &x = v[i - 1];
        v[i] = x + 1;
    }
}
ALONE void iterator_and_index(ints &v)
{
    auto it = v.begin();
    for (std::size_t i = 1; i < v.size(); i++, ++it) /* loop: no */
        v[i] = *it + 1;
}
ALONE void two_iterators(ints &v)
{
    ints::iterator a = v.begin();
    for (ints::iterator b = v.begin() + 1; b != v.end(); ++b) { /* loop: no */
        *b = *a + 2;
        ++a;
    }
}
ALONE void iterator_offset(ints &v)
{
    for (auto it = v.begin(); it + 1 != v.end(); ++it) /* loop: no */
        it[1] = it[0] + 1;
}
ALONE void iterator_dereferenced(ints &v)
{
    for (auto it = v.begin(); it + 1 != v.end(); ++it) /* loop: no */
        *(it + 1) = *it + 3;
}
static void shifted(ints &to, const ints &from)
{
    for (std::size_t i = 0; i + 1 < to.size(); i++) /* loop: no */
        to[i + 1] = from[i] + 1;
}
ALONE void one_vector(ints &v)
{
    shifted(v, v);
}
ALONE void member_vector(ints &v)
{
    struct holder {
        ints *a, *b;
    } h = {&v, &v};
    for (std::size_t i = 0; i + 1 < h.a->size(); i++) /* loop: no */
        (*h.a)[i + 1] = (*h.b)[i] + 1;
}
struct cell {
    int now, before;
};
ALONE void cells(std::vector<cell> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: no */
        cell &c = v[i], &d = v[i - 1];
        c.now = d.now + 1;
    }
}
ALONE void cells_apart(std::vector<cell> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: parallel */
        cell &c = v[i], &d = v[i - 1];
        c.now = d.before + 1;
    }
}
ALONE void range_before(ints &v)
{
    int *last = &v[0];
    for (int &x : v) { /* loop: no */
        x = *last + 1;
        last = &x;
    }
}
ALONE void text(std::string &s)
{
    for (std::size_t i = 1; i < s.size(); i++) /* loop: no */
        s[i] = (char)(s[i - 1] + 1);
}
ALONE void text_apart(std::string &s, const std::string &t)
{
    for (std::size_t i = 1; i < s.size(); i++) /* loop: parallel */
        s[i] = (char)(t[i - 1] + 1);
}
ALONE void at_checked(ints &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        v.at(i) = v.at(i - 1) + 1;
}
ALONE void nested_vectors(std::vector<ints> &g)
{
    for (std::size_t i = 0; i < g.size(); i++)            /* loop: parallel */
        for (std::size_t j = 0; j + 1 < g[i].size(); j++) /* loop: no */
            g[i][j + 1] = g[i][j] + 1;
}
ALONE void nested_column(std::vector<ints> &g)
{
    for (std::size_t i = 0; i + 1 < g.size(); i++) /* loop: no */
        g[i + 1][3] = g[i][3] + 1;
}
ALONE void copies(ints &v)
{
    for (std::size_t i = 0; i + 8 < v.size(); i += 4) /* loop: no */
        std::copy(v.begin() + (long)i, v.begin() + (long)i + 4, v.begin() + (long)i + 4);
}
ALONE void fills(ints &v)
{
    for (std::size_t i = 0; i + 8 < v.size(); i += 4) /* loop: parallel */
        std::fill(v.begin() + (long)i, v.begin() + (long)i + 4, (int)i);
}
ALONE void sorts(std::vector<ints> &g)
{
    for (std::size_t i = 0; i < g.size(); i++) /* loop: parallel */
        std::sort(g[i].begin(), g[i].end());
}
ALONE int totals(const std::vector<ints> &g)
{
    int sum = 0;
    for (std::size_t i = 0; i < g.size(); i++) /* loop: reduction */
        sum += std::accumulate(g[i].begin(), g[i].end(), 0);
    return sum;
}
ALONE void pair_swap(ints &v)
{
    for (std::size_t i = 0; i + 2 < v.size(); i++) /* loop: no */
        std::iter_swap(v.begin() + (long)i, v.begin() + (long)i + 1);
}

ALONE void last_stays(const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: private */
        w[3] = v[i] + 1;
}
ALONE void last_of_some(const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        if (v[i] & 1)
            w[4] = v[i] + 1;
}
ALONE void last_looked_at(const ints &v, ints &w)
{
    auto it = w.begin() + 5;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        w[i + 6] = *it;
        w[5] = v[i];
    }
}
ALONE void last_by_turns(const ints &v, ints &w, std::size_t k)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        w[k] = v[i] + 1;
        k = 7 - k;
    }
}

int main(int argc, char **argv)
{
    std::size_t n = COUNT - 1 + (std::size_t)argc;
    ints v(n);
    std::vector<ints> g(20, ints(20, 3));
    std::vector<cell> c(n);
    std::string s(n, 'a'), t(n, 'b');
    void (*const all[])(ints &) = {data_pointer,
                                   data_read,
                                   element_reference,
                                   element_before,
                                   iterator_and_index,
                                   two_iterators,
                                   iterator_offset,
                                   iterator_dereferenced,
                                   one_vector,
                                   member_vector,
                                   range_before,
                                   at_checked,
                                   copies,
                                   fills,
                                   pair_swap};
    for (auto f : all) {
        for (std::size_t i = 0; i < n; i++) /* loop: parallel */
            v[i] = (int)(i * 37 % 101);
        f(v);
        for (int x : v)
            keep(x);
    }
    ints w(n + 8);
    last_stays(v, w);
    last_of_some(v, w);
    last_by_turns(v, w, 3);
    keep(w[3] + w[4]);
    last_looked_at(v, w);
    for (int x : w)
        keep(x);
    cells(c);
    cells_apart(c);
    text(s);
    text_apart(t, s);
    nested_vectors(g);
    nested_column(g);
    sorts(g);
    keep(totals(g));
    for (std::size_t i = 0; i < n; i++)
        keep(c[i].now + s[i] + t[i]);
    return finish();
}
