/* What a loop looks at in vectors by its counter. Where all that may be written there is written by the counter
 * too, no other iteration's number is looked at, wherever the load stands. */
#include "loops.h"
#include <algorithm>
#include <map>
#include <numeric>
#include <vector>
#define ALONE static __attribute__((noinline))
using ints = std::vector<int>;
using rows = std::vector<ints>;

ALONE void found(const std::map<int, int> &m, const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: parallel */
        auto at = m.find(v[i]);
        w[i] = at == m.end() ? 0 : at->second;
    }
}
ALONE void placed(const ints &sorted, const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        w[i] = (int)(std::lower_bound(sorted.begin(), sorted.end(), v[i]) - sorted.begin());
}
ALONE void caught(const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        try {
            if (v[i] % 11 == 3)
                throw v[i];
            w[i] = v[i];
        } catch (int x) {
            w[i] = -x;
        }
}
ALONE void found_in_row(const std::map<int, int> &m, const rows &v, rows &w, std::size_t k)
{
    for (std::size_t i = 0; i < v[k].size(); i++) /* loop: parallel */
        w[k][i] = (int)m.count(v[k][i]);
}
/* the same, and something else of it */
ALONE void found_before(const std::map<int, int> &m, const ints &v, ints &w)
{
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: no */
        auto at = m.find(v[i]);
        w[i] = (at == m.end() ? 1 : at->second) + v[i - 1];
    }
}
ALONE void found_by_reference(const std::map<int, int> &m, const ints &v, ints &w)
{
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: no */
        const int &last = v[i - 1];
        auto at = m.find(v[i]);
        w[i] = (at == m.end() ? 1 : at->second) + last;
    }
}
ALONE void found_by_pointer(const std::map<int, int> &m, const ints &v, ints &w)
{
    const int *before = v.data();
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: no */
        auto at = m.find(v[i]);
        w[i] = (at == m.end() ? 1 : at->second) + before[i - 1];
    }
}
ALONE void found_and_set(const std::map<int, int> &m, ints &v, ints &w)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = (int)m.count(v[i]) + v[i];
        v[i + 1] = (int)i + 1;
    }
}
ALONE void found_and_swapped(const std::map<int, int> &m, ints &v, ints &w)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = (int)m.count(v[i]);
        std::swap(v[i], v[i + 1]);
    }
}
ALONE void found_turned(const std::map<int, int> &m, const rows &v, rows &w, std::size_t k)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[k][i] = (int)m.count(v[i][k]) + v[i][k + 1] + v[k][i / 2];
}
ALONE void summed(const ints &v, ints &w)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        w[i] = v[i] + std::accumulate(w.begin() + (long)i - 1, w.begin() + (long)i, 0);
}

/* What is set by a call for the next iteration, as the counter tells: a compiler knows it without a load. */
static int out[N];
static inline void set(ints &v, std::size_t i, int x)
{
    v[i] = x;
}
static inline void put(int *v, std::size_t i, int x)
{
    v[i] = x;
}
ALONE void set_by_function(ints &v)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        out[i] = v[i];
        set(v, i + 1, (int)i + 1);
    }
}
ALONE void set_by_function_too(ints &v, ints &w)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = v[i];
        set(v, i + 1, (int)i + 1);
    }
}
ALONE void filled_too(ints &v, ints &w)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = v[i];
        std::fill(v.begin() + i + 1, v.begin() + i + 2, (int)i + 1);
    }
}
ALONE void filled(ints &v)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        out[i] = v[i];
        std::fill(v.begin() + i + 1, v.begin() + i + 2, (int)i + 1);
    }
}
ALONE void set_by_lambda_too(ints &v, ints &w)
{
    auto s = [&v](std::size_t i, int x) { v[i] = x; };
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = v[i];
        s(i + 1, (int)i + 1);
    }
}
ALONE void set_by_lambda(ints &v)
{
    auto s = [&v](std::size_t i, int x) { v[i] = x; };
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        out[i] = v[i];
        s(i + 1, (int)i + 1);
    }
}
ALONE void set_by_pointer(ints &v, ints &w)
{
    int *p = v.data();
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = v[i];
        put(p, i + 1, (int)i + 1);
    }
}
ALONE void set_by_iterator(ints &v, ints &w)
{
    auto it = v.begin();
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = v[i];
        it[i + 1] = (int)i + 1;
    }
}
struct holder {
    ints &v;
    void set(std::size_t i, int x) { v[i] = x; }
};
ALONE void set_by_holder_too(ints &v, ints &w)
{
    holder h{v};
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = v[i];
        h.set(i + 1, (int)i + 1);
    }
}
ALONE void set_by_holder(ints &v)
{
    holder h{v};
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        out[i] = v[i];
        h.set(i + 1, (int)i + 1);
    }
}
static inline void fill_next(ints &v, std::size_t i)
{
    std::fill(v.begin() + (long)i + 1, v.begin() + (long)i + 2, (int)i + 1);
}
static inline void swap_next(ints &v, std::size_t i)
{
    std::swap(v[i], v[i + 1]);
}
ALONE void filled_by_function(ints &v, ints &w)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = v[i];
        fill_next(v, i);
    }
}
ALONE void filled_by_function_too(ints &v)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        out[i] = v[i];
        fill_next(v, i);
    }
}
ALONE void swapped_by_function(ints &v, ints &w)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) { /* loop: no */
        w[i] = v[i];
        swap_next(v, i);
    }
}
/* a function that writes something of another type, or nothing, does no harm */
static inline void note(std::vector<double> &v, std::size_t i, double x)
{
    v[i] = x;
}
ALONE void noted(const ints &v, std::vector<double> &notes)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: parallel */
        out[i] = v[i];
        note(notes, i, (int)i + 0.5);
    }
}

/* Lambdas that only compute with numbers, and others. */
ALONE void computed(const ints &v, ints &w, int by)
{
    auto scaled = [by](int x) {
        int y = x * by;
        if (y > 900)
            y -= 900;
        return y;
    };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        w[i] = scaled(v[i]);
}
ALONE int counted(const ints &v, ints &w)
{
    int calls = 0;
    auto f = [&calls](int x) { return x + calls++; };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = f(v[i]);
    return calls;
}
ALONE void kept(const ints &v, ints &w)
{
    auto f = [k = 0](int x) mutable { return x + k++; };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = f(v[i]);
}
ALONE void kept_by_lambda(const ints &v, ints &w)
{
    auto f = [](int x) {
        static int before = 0;
        int y = x + before;
        before = x;
        return y;
    };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = f(v[i]);
}
ALONE void looked_back(const ints &v, ints &w)
{
    int last = 1;
    auto f = [&last](int x) { return x + last; };
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        w[i] = f(v[i]);
        last = v[i];
    }
}
ALONE void looked_at_first(const ints &v, ints &w)
{
    int &end = w[w.size() - 1];
    auto f = [&end](int x) { return x + end; };
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = f(v[i]);
}
ALONE int thrown(const ints &v, ints &w)
{
    auto f = [](int x) {
        if (x == 77)
            throw 3;
        return x * 2;
    };
    try {
        for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
            w[i] = f(v[i] % 77);
    } catch (int) {
        return 1;
    }
    return 0;
}

int main()
{
    ints v(500), w(500), sorted(500);
    std::map<int, int> m;
    std::vector<double> notes(500);
    for (int i = 0; i < 500; i++)
        v[i] = i * 37 % 101, sorted[i] = i / 3, m[3 * i] = i;
    rows g(20, v), h = g;
    found(m, v, w), keep(w[3]), placed(sorted, v, w), keep(w[4]), caught(v, w), keep(w[5]);
    found_in_row(m, g, h, 2), keep(h[2][6]);
    found_before(m, w, w), found_by_reference(m, w, w), found_by_pointer(m, w, w), found_and_set(m, v, w);
    found_and_swapped(m, v, w), found_turned(m, g, g, 3), summed(v, w);
    set_by_function(v), keep(out[7]), set_by_function_too(v, w), filled_too(v, w), filled(v), keep(out[8]);
    set_by_lambda_too(v, w), set_by_lambda(v), keep(out[9]), set_by_pointer(v, w), set_by_iterator(v, w);
    set_by_holder_too(v, w), set_by_holder(v), keep(out[10]), noted(v, notes), keep(notes[11]);
    computed(v, w, 7), keep(w[12]), keep(counted(v, w)), kept(v, w), kept_by_lambda(v, w), looked_back(v, w);
    looked_at_first(v, w), keep(thrown(v, w)), filled_by_function(v, w), filled_by_function_too(v);
    keep(out[13]), swapped_by_function(v, w);
    digest(v.data(), 2000), digest(w.data(), 2000), digest(out, sizeof out);
    for (const ints &row : g)
        digest(row.data(), 2000);
    return finish();
}
