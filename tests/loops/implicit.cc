/* What no statement of a loop says: constructors, destructors, members that begin with something, methods of class
 * templates, lambdas that are handed to templates, iterators of one's own. */
#include <algorithm>
#include <array>
#include <functional>
#include <iterator>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "loops.h"

#define ALONE __attribute__((noinline))

struct Numbered {
    static int made, live;
    int id;
    Numbered() : id(made++) { live++; }
    ~Numbered() { live--; }
};
int Numbered::made, Numbered::live;

ALONE static void numbered(int *n, int size)
{
    for (int i = 0; i < size; i++) { /* loop: no */
        Numbered o;
        n[i] = o.id;
    }
    for (int i = 0; i < size; i++) { /* loop: no */
        Numbered o;
        n[i] += Numbered::made;
    }
}

static int begun;
struct Begins {
    int id = begun++;
    int twice() const { return 2 * id; }
};
struct Around {
    Begins inner;
    int more = 1;
};

ALONE static void begins(int *n, int size)
{
    for (int i = 0; i < size; i++) { /* loop: no */
        Begins b;
        n[i] = b.twice();
    }
    for (int i = 0; i < size; i++) { /* loop: no */
        Around a;
        n[i] += a.inner.id + a.more;
    }
}

static int ended;
struct Ends {
    int x;
    explicit Ends(int y) : x(y) {}
    ~Ends() { ended = ended * 3 + x; }
};

ALONE static void ends(int *n, int size)
{
    for (int i = 0; i < size; i++) { /* loop: no */
        Ends e(i);
        n[i] = ended;
    }
    for (int i = 0; i < size; i++) /* loop: no */
        n[i] += Ends(i).x;
}

struct Plain {
    int x, y;
    explicit Plain(int z) : x(z), y(2 * z) {}
    ~Plain() {}
    int sum() const { return x + y; }
};

ALONE static void plain(int *n, int size)
{
    for (int i = 0; i < size; i++) { /* loop: parallel */
        Plain p(i);
        n[i] = p.sum();
    }
}

template <class T> struct Counter {
    T at = 0;
    T next() { return at++; }
    T look(int i) const { return at + i; }
};

ALONE static void class_template(int *n, int size, Counter<int> &c)
{
    for (int i = 0; i < size; i++) /* loop: no */
        n[i] = c.next();
    for (int i = 0; i < size; i++) /* loop: parallel */
        n[i] += c.look(i);
}

template <class T> static T bump()
{
    static T kept;
    return kept += 2;
}

ALONE static void function_template(int *n, int size)
{
    for (int i = 0; i < size; i++) /* loop: no */
        n[i] = bump<int>();
}

template <class F> static void each(int n, F f)
{
    for (int i = 0; i < n; i++) /* loop: no */
        f(i);
}

ALONE static int by_lambda(const std::vector<int> &a, std::vector<int> &b)
{
    int held = 0, steps = 0;
    each(int(a.size()), [&](int i) {
        b[i] = held;
        held = a[i];
    });
    each(int(a.size()), [&](int i) { b[i] += steps, steps += 3; });
    each(int(a.size()) - 1, [&](int i) { b[i + 1] = b[i] + 1; });
    return held + steps;
}

/* Moves on by as much as it is told, not by one. */
struct Strange {
    int *p;
    int step;
    int &operator*() { return *p; }
    Strange &operator++()
    {
        p += step;
        step = step ? 0 : 1;
        return *this;
    }
    bool operator!=(const Strange &o) const { return p < o.p; }
};

ALONE static void strange_iterator(int *a, int n)
{
    for (Strange s{a, 1}, e{a + n, 0}; s != e; ++s) /* loop: no */
        *s = *s * 3 + 1;
}

struct Log {
    std::string text;
    Log &operator<<(int x)
    {
        text += char('a' + x % 26);
        return *this;
    }
};

ALONE static std::size_t shifted_in(Log &l, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        l << i << i + 1;
    return l.text.size();
}

struct Fibonacci {
    int a = 0, b = 1;
    int operator()()
    {
        int c = a;
        a = b, b = (c + b) & 0xffff;
        return c;
    }
};

ALONE static void generated(std::vector<int> &v)
{
    Fibonacci f;
    for (auto &x : v) /* loop: no */
        x = f();
}

ALONE static void swapped(std::vector<int> &v)
{
    for (std::size_t i = 0; i + 1 < v.size(); i++) /* loop: no */
        if (v[i] > v[i + 1])
            std::swap(v[i], v[i + 1]);
}

ALONE static void pairs_swapped(std::vector<int> &v)
{
    for (std::size_t i = 0; i + 1 < v.size(); i += 2) /* loop: parallel */
        if (v[i] > v[i + 1])
            std::swap(v[i], v[i + 1]);
}

ALONE static int exchanged(std::vector<int> &v)
{
    int last = 0;
    for (auto &x : v) /* loop: no */
        x = std::exchange(last, x) + 1;
    return last;
}

ALONE static void tied(std::vector<int> &v)
{
    int a = 0, b = 1;
    for (auto &x : v) { /* loop: no */
        std::tie(a, b) = std::make_pair(b, (a + b) & 0xfff);
        x = a;
    }
}

struct Node {
    int value;
    std::unique_ptr<Node> next;
};

ALONE static int prepended(int n)
{
    std::unique_ptr<Node> head;
    for (int i = 0; i < n; i++) { /* loop: no */
        auto p = std::make_unique<Node>();
        p->value = i + (head ? head->value : 0);
        p->next = std::move(head);
        head = std::move(p);
    }
    int v = head->value;
    while (head)
        head = std::move(head->next);
    return v;
}

ALONE static void inserted(std::vector<int> &v, std::back_insert_iterator<std::vector<int>> to)
{
    for (std::size_t i = 0; i < v.size(); i++) /* loop: no */
        *to++ = v[i] + 1;
}

struct Memo {
    mutable int last = 0;
    int look(int x) const
    {
        int r = last + x;
        last = x;
        return r;
    }
};

ALONE static void by_mutable(const Memo &m, int *n, int size)
{
    for (int i = 0; i < size; i++) /* loop: no */
        n[i] = m.look(i);
}

struct Base {
    virtual ~Base() = default;
    virtual int step(int x) = 0;
};
struct Keeps final : Base {
    int kept = 0;
    int step(int x) override { return kept += x & 1; }
};

ALONE static void devirtualised(int *n, int size)
{
    Keeps k;
    Base &b = k;
    for (int i = 0; i < size; i++) /* loop: no */
        n[i] = b.step(1);
}

ALONE static void by_function_object(int *n, int size)
{
    int at = 0;
    std::function<int()> next = [&at] { return at += 2; };
    for (int i = 0; i < size; i++) /* loop: no */
        n[i] = next();
}

ALONE static void arrays_of_arrays(std::vector<std::array<int, 4>> &v)
{
    for (std::size_t i = 1; i < v.size(); i++) /* loop: no */
        v[i][2] = v[i - 1][2] + 1;
    for (std::size_t i = 1; i < v.size(); i++) /* loop: parallel */
        v[i][1] = v[i][2] + v[i - 1][3];
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? std::atoi(argv[1]) : 200;
    std::vector<int> n(size), a(size);
    std::iota(a.begin(), a.end(), 3);
    int *p = n.data();
    numbered(p, size), digest(p, size * sizeof *p), begins(p, size), digest(p, size * sizeof *p);
    ends(p, size), digest(p, size * sizeof *p), plain(p, size), digest(p, size * sizeof *p);
    Counter<int> c;
    class_template(p, size, c), digest(p, size * sizeof *p), function_template(p, size);
    keep(by_lambda(a, n)), digest(p, size * sizeof *p), strange_iterator(p, size), digest(p, size * sizeof *p);
    Log l;
    keep(double(shifted_in(l, size))), generated(n), digest(p, size * sizeof *p), swapped(n), pairs_swapped(n);
    digest(p, size * sizeof *p), keep(exchanged(n)), digest(p, size * sizeof *p), tied(n), keep(prepended(size));
    std::vector<int> more;
    inserted(n, std::back_inserter(more)), digest(more.data(), more.size() * sizeof more[0]);
    Memo m;
    by_mutable(m, p, size), digest(p, size * sizeof *p), devirtualised(p, size), digest(p, size * sizeof *p);
    by_function_object(p, size), digest(p, size * sizeof *p);
    std::vector<std::array<int, 4>> q(size);
    arrays_of_arrays(q), digest(q.data(), q.size() * sizeof q[0]);
    return finish();
}
