/* Loops of templates, whose types tell which functions are called, and what no text calls: functions that are
 * defined in a class and stand beside it, and those that make one type of another. */
#include "loops.h"
#include <cmath>
#include <vector>
#define APART __attribute__((noinline)) static void
static float from[N], to[N];

namespace part
{
static int made, used, built, grown_ups, roots, sums;
inline float size_of(float x)
{
    return x < 0 ? -x : x;
}
inline double size_of(double x)
{
    return x < 0 ? -x : x;
}
inline float numbered(float x)
{
    return x + (float)made++;
}
inline double numbered(double x)
{
    return x + made++;
}
struct meter {
    float v;
    operator float() const
    {
        used++;
        return v;
    }
};
struct inch {
    float v;
    inch(float x) : v(x) { built++; }
};
inline float length(const inch &a)
{
    return a.v * 2;
}
inline float length(const meter &a)
{
    return a.v;
}
struct thing {
    float v;
    friend inline float grown(const thing &t)
    {
        grown_ups++;
        return t.v + 1;
    }
};
inline float grown(float x)
{
    return x + 1;
}
inline float grown(double x)
{
    return (float)x + 1;
}
struct square {
    float v;
    friend inline float sqrt(const square &t)
    {
        roots += 3;
        return t.v + 1;
    }
};
struct sum {
    float v;
    friend inline sum operator+(sum a, sum b)
    {
        sums++;
        return sum{a.v + b.v};
    }
};
struct plain {
    float v;
    friend inline plain operator+(plain a, plain b) { return plain{a.v + b.v}; }
};
template <class T> struct row;
template <class A, class B> inline row<A> operator*(const A &, const row<B> &);
template <class A> inline row<A> operator*(const row<A> &);
template <class A> inline row<A> operator++(const row<A> &);
template <class T> struct row {
    const T *data;
    int n;
    void sizes(float *to) const
    {
        for (int i = 0; i < n; i++) /* loop: parallel */
            to[i] = size_of(data[i]);
    }
    void some_sizes(float *to) const
    {
        for (int i = 0; i < n; i++) /* loop: no */
            to[i] = size_of(data[i]);
    }
    void root_sizes(float *to) const
    {
        for (int i = 0; i < n; i++) { /* loop: parallel */
            const T *at = data + i;
            to[i] = std::sqrt(size_of(*at));
        }
    }
    void numbers(float *to) const
    {
        for (int i = 0; i < n; i++) { /* loop: no */
            const T *at = data + i;
            to[i] = numbered(*at);
        }
    }
    void lengths(float *to) const
    {
        for (int i = 0; i < n; i++) /* loop: no */
            to[i] = length(data[i]);
    }
    void grow(float *to) const
    {
        for (int i = 0; i < n; i++) /* loop: no */
            to[i] = grown(data[i]);
    }
    void root(float *to) const
    {
        for (int i = 0; i < n; i++) /* loop: no */
            to[i] = sqrt(data[i]);
    }
    void twice(float *to) const
    {
        for (int i = 0; i < n; i++) /* loop: no */
            to[i] = data[i] + data[i];
    }
};
} // namespace part

static int total;
static inline void note(int x)
{
    total += x;
    if (total > 1000)
        total -= 7;
}
APART free_ones(int n)
{
    part::row<float> r{from, n};
    note(n);
    r.sizes(to);
    side(total);
    note(n + 1);
    r.root_sizes(to);
}
APART some_sizes(const std::vector<part::meter> &v)
{
    part::row<part::meter>{v.data(), (int)v.size()}.some_sizes(to);
}
APART twice(const std::vector<part::meter> &v)
{
    part::row<part::meter>{v.data(), (int)v.size()}.twice(to);
}
APART numbers(int n)
{
    part::row<float>{from, n}.numbers(to);
}
APART lengths(int n)
{
    part::row<float>{from, n}.lengths(to);
}
APART grow(const std::vector<part::thing> &v)
{
    part::row<part::thing>{v.data(), (int)v.size()}.grow(to);
}
APART root(const std::vector<part::square> &v)
{
    part::row<part::square>{v.data(), (int)v.size()}.root(to);
}
APART add(std::vector<part::sum> &a, const std::vector<part::sum> &b)
{
    for (int i = 0; i < N; i++) /* loop: no */
        a[i] = b[i] + b[N - 1 - i];
}
APART add_plain(std::vector<part::plain> &a, const std::vector<part::plain> &b)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        a[i] = b[i] + b[N - 1 - i];
}
/* methods of what may be any type: their names say which they may be, unless something that is called lies in
 * a member of that name */
struct drawn {
    int k = 0;
    int draw(int v) { return v + k++; }
};
struct looked {
    std::vector<float> rows, row_at;
    float where(int i) const { return row_at[i]; }
};
template <class F> struct holding {
    F asked;
};
struct inner {
    drawn in;
    std::vector<int> rows;
};
struct odd_size {
    int asked_for = 0;
    int measure() { return ++asked_for; }
};
template <class M> void method_drawn(M &m)
{
    for (int i = 0; i < N; i++) /* loop: no */
        to[i] = m.draw(i);
}
template <class M> void method_inner(M &m)
{
    for (int i = 0; i < (int)m.rows.size(); i++) /* loop: no */
        to[i] = m.in.draw(m.rows[i]);
}
template <class M> void method_held(M &m)
{
    for (int i = 0; i < N; i++) /* loop: no */
        to[i] = m.asked(i);
}
template <class M> void method_measured(M &m)
{
    for (int i = 0; i < N; i++) /* loop: no */
        to[i] = m.measure();
}
template <class M> void method_looked(const M &m)
{
    for (size_t i = 0; i < m.rows.size(); i++) /* loop: parallel */
        to[i] = m.where(i) * 2 + m.rows[i];
}
template <class M> void method_before(M &m)
{
    for (size_t i = 1; i < m.rows.size(); i++) /* loop: no */
        m.rows[i] = m.where(i) + m.rows[i - 1];
}
static void methods()
{
    drawn d;
    method_drawn(d);
    keep(to[7] + d.k);
    int held = 3;
    auto f = [&held](int v) {
        int before = held;
        held = v;
        return before;
    };
    holding<decltype(f)> h{f};
    method_held(h);
    keep(to[7] + held);
    inner n;
    n.rows.resize(N);
    method_inner(n);
    keep(to[7] + n.in.k);
    odd_size o;
    method_measured(o);
    keep(to[7] + o.asked_for);
    looked l;
    l.rows.resize(N);
    l.row_at.resize(N);
    method_looked(l);
    keep(to[7]);
    method_before(l);
    keep(l.rows[7]);
}
int main()
{
    methods();
    std::vector<part::meter> meters(N);
    std::vector<part::thing> things(N);
    std::vector<part::square> squares(N);
    std::vector<part::sum> sums(N), summed(N);
    std::vector<part::plain> plains(N), added(N);
    for (int i = 0; i < N; i++)
        from[i] = meters[i].v = things[i].v = squares[i].v = sums[i].v = plains[i].v = (float)i - 1500;
    free_ones(N);
    keep(to[7]);
    some_sizes(meters);
    keep(to[7]);
    twice(meters);
    keep(to[7]);
    numbers(N);
    keep(to[7]);
    lengths(N);
    keep(to[7]);
    grow(things);
    keep(to[7]);
    root(squares);
    add(summed, sums);
    add_plain(added, plains);
    keep(to[7] + summed[7].v + added[7].v + part::made + part::used + part::built + part::grown_ups +
         part::roots + part::sums);
    return finish();
}
