/* Loops of C++ in the manner of race benchmarks: what iterations share by way of the library's classes. */
#include "loops.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <deque>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <sstream>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <valarray>
#include <vector>

#define ALONE static __attribute__((noinline))
using ints = std::vector<int>;
struct rec {
    int a, b;
};
enum { COUNT = 150 };

ALONE void bools(std::vector<bool> &b, const ints &v)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        b[i] = v[i] & 1;
}
ALONE void bytes_instead(std::vector<char> &b, const ints &v)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        b[i] = v[i] & 1;
}
ALONE void counted_in_map(std::map<int, int> &m, const ints &v)
{
    for (int x : v) /* loop: no */
        m[x]++;
}
ALONE void counted_in_hash(std::unordered_map<int, int> &m, const ints &v)
{
    for (int x : v) /* loop: no */
        m[x % 17] += x;
}
ALONE void found_in_map(const std::map<int, int> &m, const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: parallel */
        auto it = m.find(v[i]);
        w[i] = it == m.end() ? 0 : it->second;
    }
}
ALONE int distinct(const ints &v)
{
    std::set<int> s;
    int n = 0;
    for (int x : v) /* loop: no */
        n += s.insert(x).second;
    return n;
}
ALONE void firsts(std::unordered_set<int> &s, const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = s.insert(v[i]).second;
}
ALONE std::string appended(const ints &v)
{
    std::string s;
    for (int x : v) /* loop: no */
        s += (char)('a' + x % 26);
    return s;
}
ALONE std::string joined(const std::vector<std::string> &v)
{
    std::string s;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        if (i)
            s.append(",");
        s.append(v[i]);
    }
    return s;
}
ALONE void own_strings(const ints &v, std::vector<std::string> &w)
{
    for (std::size_t i = 0; i < w.size(); i++) /* loop: no */
        w[i] = std::to_string(v[i]) + w[i ? i - 1 : 0].substr(0, 2);
}
ALONE void streamed(const ints &v, std::ostringstream &out)
{
    for (int x : v) /* loop: no */
        out << x << ' ';
}
ALONE int lines_of(std::istringstream &in)
{
    std::string line;
    int n = 0;
    while (std::getline(in, line)) /* loop: no */
        n += (int)line.size();
    return n;
}
ALONE void pushed(std::deque<int> &d, const ints &v)
{
    for (int x : v) { /* loop: no */
        d.push_back(x);
        if (d.size() > 5)
            d.pop_front();
    }
}
ALONE void heap_of(std::vector<int> &h, const ints &v)
{
    for (int x : v) { /* loop: no */
        h.push_back(x);
        std::push_heap(h.begin(), h.end());
    }
}
ALONE void sliding(const ints &v, ints &w)
{
    int sum = 0;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        sum += v[i];
        if (i >= 4)
            sum -= v[i - 4];
        w[i] = sum;
    }
}
ALONE void sliding_free(const ints &v, ints &w)
{
    for (std::size_t i = 4; i < v.size(); i++) /* loop: parallel */
        w[i] = std::accumulate(v.begin() + (long)i - 4, v.begin() + (long)i, 0);
}
ALONE void by_iterators(ints &v)
{
    for (auto it = v.begin() + 1; it != v.end(); ++it) /* loop: no */
        *it += *(it - 1);
}
ALONE void two_iterators(ints &v)
{
    auto b = v.begin();
    for (auto it = v.begin() + 2; it != v.end(); ++it, ++b) /* loop: no */
        *it += *b;
}
ALONE void reversed(ints &v)
{
    for (auto it = v.rbegin() + 1; it != v.rend(); ++it) /* loop: no */
        *it += *(it - 1);
}
ALONE void spliced(std::list<int> &l)
{
    for (auto it = l.begin(); it != l.end();) /* loop: no */
        it = *it % 3 ? std::next(it) : l.erase(it);
}
ALONE int nearest(const ints &v, int to)
{
    std::pair<int, int> best = {1 << 30, -1};
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        best = std::min(best, std::make_pair(std::abs(v[i] - to), (int)i));
    return best.second;
}
ALONE int optional_last(const ints &v)
{
    std::pair<bool, int> last = {false, 0};
    for (int x : v) /* loop: no */
        if (x % 5 == 0)
            last = {true, x};
    return last.first ? last.second : 0;
}
ALONE int text_last(const ints &v)
{
    std::string last;
    for (int x : v) /* loop: no */
        if (x % 5 == 0)
            last = std::to_string(x);
    return last.size();
}
ALONE int rec_last(const ints &v)
{
    rec last = {0,0};
    for (int x : v) /* loop: no */
        if (x % 5 == 0)
            last = {x, 1};
    return last.a + last.b;
}
ALONE void rec_kept(const ints &v, ints &w)
{
    rec last = {0,0};
    for (size_t i = 0; i < v.size(); i++) { /* loop: no */
        if (v[i] % 5 == 0)
            last = {v[i], 1};
        w[i] = last.a + last.b;
    }
}
ALONE void rec_skips(const ints &v, ints &w, rec &out)
{
    rec last = {0,0};
    for (size_t i = 0; i < v.size(); i++) { /* loop: no */
        if (v[i] % 5 == 0)
            continue;
        last = {v[i], 1};
        w[i] = last.a + last.b;
    }
    out = last;
}
ALONE void rec_each(const ints &v, ints &w)
{
    rec last = {0,0};
    for (size_t i = 0; i < v.size(); i++) { /* loop: private */
        last = {v[i], 1};
        w[i] = last.a + last.b;
    }
}
ALONE void pair_each(const ints &v, ints &w)
{
    std::pair<int, int> last;
    for (size_t i = 0; i < v.size(); i++) { /* loop: private */
        last = {v[i], 1};
        w[i] = last.first + last.second;
    }
}
ALONE void pair_other(const ints &v, ints &w)
{
    std::pair<int, int> last = {0, 0}, before = last;
    for (size_t i = 0; i < v.size(); i++) { /* loop: no */
        w[i] = before.first + v[i];
        last = {v[i], 1};
        before = last;
    }
}
/* cut off on the way: no sum, and no maximum */
ALONE int cut_total(const ints &v)
{
    int s = 5;
    for (int x : v) /* loop: no */
        s = static_cast<signed char>(s + x * 9);
    return s;
}
ALONE int cut_most(const ints &v)
{
    int s = -1000;
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        if (static_cast<signed char>(v[i]) > s)
            s = v[i];
    return s;
}
ALONE int cut_function(const ints &v)
{
    int s = 5;
    for (int x : v) /* loop: no */
        s = short(s * (x + 7));
    return s;
}
ALONE bool toggled(const ints &v)
{
    bool s = false;
    for (int x : v) /* loop: no */
        s ^= x;
    return s;
}
ALONE void shared_pointers(std::vector<std::shared_ptr<int>> &p, const ints &v)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        *p[i] += v[i] * *p[i / 2];
}
ALONE void unique_pointers(std::vector<std::unique_ptr<int>> &p, const ints &v)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: parallel */
        *p[i] = v[i];
}
ALONE void functions(const std::vector<std::function<int(int)>> &f, const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = f[i % f.size()](v[i]);
}
struct counter_of {
    static int made;
    int id;
    counter_of() : id(made++) {}
};
int counter_of::made;
ALONE void numbered(ints &w)
{
    for (std::size_t i = 0; i < w.size(); i++) { /* loop: no */
        counter_of c;
        w[i] = c.id;
    }
}
struct matrix {
    std::vector<double> v;
    int n;
    double &operator()(int i, int j) { return v[(std::size_t)(i * n + j)]; }
    double operator()(int i, int j) const { return v[(std::size_t)(i * n + j)]; }
};
ALONE void relaxed(matrix &m)
{
    for (int i = 1; i < m.n; i++)     /* loop: no */
        for (int j = 1; j < m.n; j++) /* loop: no */
            m(i, j) = 0.5 * (m(i - 1, j) + m(i, j - 1));
}
ALONE void product(const matrix &a, const matrix &b, matrix &c)
{
    for (int i = 0; i < a.n; i++)       /* loop: parallel */
        for (int j = 0; j < a.n; j++) { /* loop: parallel */
            double s = 0;
            for (int k = 0; k < a.n; k++) /* loop: reduction */
                s += a(i, k) * b(k, j);
            c(i, j) = s;
        }
}
ALONE void transposed_in_place(matrix &m)
{
    for (int i = 0; i < m.n; i++)         /* loop: parallel */
        for (int j = i + 1; j < m.n; j++) /* loop: parallel */
            std::swap(m(i, j), m(j, i));
}
ALONE void slices(std::valarray<double> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        v[i] = v[i] - v[i - 1] * 0.5;
}
ALONE void arrays(std::array<int, COUNT> &a, const ints &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        a[i] = a[i - 1] ^ v[i];
}
ALONE void tied(const ints &v, ints &w)
{
    int a = 0, b = 1;
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        std::tie(a, b) = std::make_tuple(b, (a + b) % 97);
        w[i] = a + v[i];
    }
}
ALONE void atomics(std::atomic<int> &n, const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        if (v[i] & 1)
            w[(std::size_t)n++] = v[i];
}
ALONE void dead_looks(ints &v, const ints &w)
{
    int s = 0;
    for (std::size_t i = 0; i + 3 < v.size(); i++) { /* loop: no */
        s += v[i + 3];
        v[i] = w[i];
    }
    (void)s;
}
ALONE void dead_after_store(ints &v, ints &w)
{
    for (std::size_t i = 0; i + 3 < v.size(); i++) { /* loop: no */
        w[i] = v[i + 3];
        v[i] = (int)i;
        w[i] = 5;
    }
}
ALONE void kept_over(ints &v, ints &w, const ints &x)
{
    for (std::size_t i = 1; i < v.size(); i++) { /* loop: no */
        v[i] = x[i] * 3;
        w[i] = v[i - 1] + x[i];
    }
}
ALONE int caught(const std::vector<std::string> &v)
{
    int bad = 0;
    for (const auto &s : v) { /* loop: reduction */
        try {
            (void)std::stoi(s);
        } catch (const std::exception &) {
            bad++;
        }
    }
    return bad;
}
ALONE int thrown(const ints &v, ints &w)
{
    try {
        for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
            w[i] = v[i];
            if (v[i] == 29)
                throw 7;
        }
    } catch (int x) {
        return x;
    }
    return 0;
}
struct cache {
    mutable int last_key = -1, last = 0;
    int get(int k) const
    {
        if (k != last_key)
            last_key = k, last = k * k % 101;
        return last;
    }
};
ALONE void cached(const cache &c, const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = c.get(v[i] / 3);
}
template <typename T> struct accumulates {
    T total{};
    void add(T x) { total += x; }
};
ALONE void accumulated(accumulates<double> &a, const ints &v, std::vector<double> &w)
{
    for (std::size_t i = 0; i < v.size(); i++) { /* loop: no */
        a.add(v[i]);
        w[i] = a.total;
    }
}
struct base {
    virtual ~base() = default;
    virtual int step(int x) = 0;
};
struct forgets : base {
    int step(int x) override { return x * 2; }
};
struct remembers : base {
    int before = 0;
    int step(int x) override { return before += x; }
};
ALONE void virtuals(base &b, const ints &v, ints &w)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        w[i] = b.step(v[i]);
}
ALONE void indirect(const ints &at, ints &v)
{
    for (std::size_t i = 0; i < at.size(); i++) /* loop: no */
        v[(std::size_t)at[i]] = (int)i;
}
ALONE void in_references(ints &v)
{
    int &first = v[0];
    for (int &x : v) /* loop: no */
        x += first;
}
ALONE void algorithm_inside(std::vector<ints> &rows)
{
    for (auto &r : rows) /* loop: parallel */
        std::sort(r.begin(), r.end());
}
ALONE void sums_rows(const std::vector<ints> &rows, ints &out)
{
    for (std::size_t i = 0; i < rows.size(); i++) { /* loop: parallel */
        int s = 0;
        for (int x : rows[i]) /* loop: reduction */
            s += x;
        out[i] = s;
    }
}

/* What is stored three elements on is overwritten two iterations later: gcc -O3 makes that store in the last two iterations alone,
 * behind the loop. Elements that are set before they are looked at are results all the same. */
static double later[600], earlier[600], both[2][600];
__attribute__((noinline)) static void overwritten_later(int n, double *by, double *to)
{
    double first = n;
    for (int i = n - 1; i >= 0; i--) { /* loop: no */
        to[5 + i] = i + first;
        to[5 + i] += first + by[i];
        to[3 + i] = first + by[2];
    }
    for (int k = 0; k < 512; k++)
        keep(later[k]);
}
/* The same into two arrays. */
__attribute__((noinline)) static void kept_apart(int n, double *by)
{
    double first = n;
    for (int i = n - 1; i >= 0; i--) { /* loop: parallel */
        both[0][5 + i] = i + first;
        both[0][5 + i] += first + by[i];
        both[1][3 + i] = first + by[2];
    }
}

int main()
{
    ints v(COUNT), w(COUNT), x(COUNT), at(COUNT);
    for (int i = 0; i < COUNT; i++)
        v[i] = i * 7 % 31, x[i] = i * 3, at[i] = i * 5 % 47;
    std::vector<bool> b(COUNT);
    std::vector<char> c(COUNT);
    bools(b, v), bytes_instead(c, v);
    std::map<int, int> m;
    std::unordered_map<int, int> h;
    counted_in_map(m, v), counted_in_hash(h, v), found_in_map(m, v, w);
    std::unordered_set<int> us;
    keep(distinct(v)), firsts(us, v, w);
    keep((double)appended(v).size());
    std::vector<std::string> words;
    for (int i = 0; i < 60; i++)
        words.push_back(i % 4 ? std::to_string(i) : "x");
    keep((double)joined(words).size()), own_strings(x, words);
    for (auto &s : words)
        keep((double)s.size());
    std::ostringstream os;
    streamed(v, os);
    std::istringstream is("ab\ncd\nefg\nh\n");
    keep(lines_of(is)), keep((double)os.str().size());
    std::deque<int> d;
    ints heap;
    pushed(d, v), heap_of(heap, v), keep(d.front()), keep(heap[0]);
    sliding(v, w), sliding_free(v, w), by_iterators(w), two_iterators(w), reversed(x);
    std::list<int> l(v.begin(), v.end());
    spliced(l), keep((double)l.size()), keep(nearest(v, 12)), keep(optional_last(v));
    rec r;
    keep(text_last(v)), keep(rec_last(v)), rec_kept(v, w), rec_skips(v, w, r), rec_each(v, w), pair_each(v, w);
    pair_other(v, w), keep(r.a);
    keep(cut_total(v)), keep(cut_most(x)), keep(cut_function(v)), keep(toggled(v));
    std::vector<std::shared_ptr<int>> sp;
    std::vector<std::unique_ptr<int>> up;
    for (int i = 0; i < COUNT; i++)
        sp.push_back(std::make_shared<int>(i)), up.push_back(std::make_unique<int>(i));
    shared_pointers(sp, v), unique_pointers(up, v), keep(*sp[9] + *up[9]);
    int calls = 0;
    functions({[](int k) { return k; }, [&](int k) { return k + calls++; }}, v, w);
    numbered(w);
    matrix ma{std::vector<double>(400, 1.5), 20}, mb = ma, mc = ma;
    relaxed(ma), product(ma, mb, mc), transposed_in_place(mc), digest(mc.v.data(), 3200);
    std::valarray<double> va(1.5, COUNT);
    std::array<int, COUNT> ar = {1};
    slices(va), arrays(ar, v), tied(v, w), keep(va[9] + ar[9]);
    std::atomic<int> an{0};
    atomics(an, v, w), dead_looks(x, v), dead_after_store(x, w), kept_over(x, w, v);
    keep(caught(words)), keep(thrown(v, w));
    cache ca;
    cached(ca, v, w);
    accumulates<double> ac;
    std::vector<double> dw(COUNT);
    accumulated(ac, v, dw), keep(dw[20]);
    remembers re;
    forgets fo;
    virtuals(re, v, w), virtuals(fo, v, x), indirect(at, w), in_references(w);
    std::vector<ints> rows(20, v);
    ints out(20);
    algorithm_inside(rows), sums_rows(rows, out);
    digest(v.data(), COUNT * 4), digest(w.data(), COUNT * 4), digest(x.data(), COUNT * 4), digest(out.data(), 80), digest(c.data(), COUNT);
    for (int i = 0; i < 600; i++) /* loop: parallel */
        earlier[i] = i * 0.5;
    overwritten_later(20, earlier, later), kept_apart(20, earlier);
    digest(later, sizeof later), digest(both, sizeof both);
    return finish();
}
