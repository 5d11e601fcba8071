/* What lambdas, objects, iterators and operators keep from iteration to iteration. */
#include "loops.h"
#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>
#define ALONE static __attribute__((noinline))
enum { COUNT = 256 };
static int a[COUNT], b[COUNT], c[COUNT];

ALONE void init_capture(int n)
{
    auto f = [held = 5](int v) mutable {
        int r = held;
        held = v;
        return r;
    };
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = f(b[i]);
}
ALONE void init_capture_fixed(int n)
{
    auto f = [held = 5](int v) { return held * v; };
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = f(b[i]);
}
ALONE void init_capture_own(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        auto f = [held = 5](int v) mutable {
            int r = held;
            held = v;
            return r;
        };
        a[i] = f(b[i]) + f(3);
    }
}
ALONE void init_capture_count(int n)
{
    auto f = [k = 0]() mutable { return k++; };
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = f();
}
ALONE void copy_capture(int n, int held)
{
    auto f = [held](int v) mutable {
        held = held * 3 + v;
        return held;
    };
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = f(b[i]);
}
ALONE void generated(int n)
{
    int k = 0;
    std::generate(a, a + n, [k]() mutable { return k += 3; });
    for (int i = 0; i < n; i++) /* loop: parallel */
        c[i] = a[i];
}
ALONE void uses(int n)
{
    auto p = std::make_shared<int>(4);
    std::vector<std::shared_ptr<int>> v(n);
    for (int i = 0; i < n; i++) { /* loop: no */
        v[i] = p;
        a[i] = (int)p.use_count();
    }
}
ALONE void uses_only(int n)
{
    auto p = std::make_shared<int>(4);
    std::vector<std::shared_ptr<int>> v(n);
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = (int)(v[i] = p).use_count();
}
struct acc {
    int &k;
    int get() const { return k; }
};
ALONE void holds_reference(int n)
{
    int k = 1;
    acc f{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f.get();
        k = b[i];
    }
}
ALONE void holds_reference_fixed(int n)
{
    int k = n;
    acc f{k};
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = f.get() + b[i];
}
struct setter {
    int &k;
    void put(int v) const { k = v; }
};
ALONE void sets_reference(int n)
{
    int k = 1;
    setter f{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k;
        f.put(b[i]);
    }
}
struct holder {
    int *p;
    int operator()() const { return *p; }
};
ALONE void holds_pointer(int n)
{
    int k = 1;
    holder f{&k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f();
        k = b[i];
    }
}
ALONE void wraps_reference(int n)
{
    int k = 1;
    auto r = std::ref(k);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = r.get();
        k = b[i];
    }
}
ALONE void wraps_reference_implicit(int n)
{
    int k = 1;
    std::reference_wrapper<int> r = k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = r + 1;
        k = b[i];
    }
}
ALONE void tied(int n)
{
    int k = 1, m = 2;
    auto t = std::tie(k, m);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = std::get<0>(t);
        k = b[i];
    }
    keep(m);
}
ALONE void structured(int n)
{
    std::pair<int, int> p{1, 2};
    auto &[k, m] = p;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k;
        p.first = b[i];
    }
    keep(m);
}
ALONE void captured_reference(int n)
{
    int k = 1;
    auto get = [&k] { return k; };
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = get();
        k = b[i];
    }
}
ALONE void function_state(int n)
{
    std::function<int(int)> f = [k = 0](int v) mutable {
        k ^= v;
        return k;
    };
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = f(b[i]);
}
ALONE void function_plain(int n)
{
    std::function<int(int)> f = [](int v) { return v * 3; };
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = f(b[i]);
}
ALONE int static_local(int v)
{
    static int last = 3;
    int r = last;
    last = v;
    return r;
}
ALONE void with_static(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = static_local(b[i]);
}
static thread_local int mine = 2;
ALONE void with_thread_local(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = mine;
        mine = b[i];
    }
}
ALONE void with_iterator(int n)
{
    std::vector<int> v(n, 3);
    auto it = v.begin();
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = *it++ + b[i];
}
ALONE void with_map_iterator(int n)
{
    std::map<int, int> m;
    for (int i = 0; i < n; i++)
        m[i] = i;
    auto it = m.begin();
    for (int i = 0; i < n; i++, ++it) /* loop: no */
        a[i] = it->second;
}
struct counted_int {
    int v;
    static int copies;
    counted_int(int v = 0) : v(v) {}
    counted_int(const counted_int &o) : v(o.v + copies++) {}
    counted_int &operator=(const counted_int &o) = default;
};
int counted_int::copies = 0;
ALONE void copy_counts(int n)
{
    counted_int base(3);
    for (int i = 0; i < n; i++) { /* loop: no */
        counted_int t = base;
        a[i] = t.v;
    }
}
struct num {
    int v;
    static int ops;
};
int num::ops = 0;
static inline num operator*(num l, num r)
{
    num::ops++;
    return {l.v * r.v + num::ops};
}
ALONE void op_counts(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = (num{b[i]} * num{3}).v;
}
struct guard {
    static int depth, most;
    int at;
    guard() : at(depth)
    {
        depth += 1;
        if (depth > most)
            most = depth;
    }
    ~guard()
    {
        depth -= 1;
        c[depth] = at + most++;
    }
};
int guard::depth = 0, guard::most = 0;
ALONE void guarded(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        guard g;
        a[i] = guard::most;
    }
}
struct log_object {
    std::vector<int> &to;
    int v;
    ~log_object() { to.push_back(v); }
};
ALONE void logged(int n)
{
    std::vector<int> out;
    out.reserve(n);
    for (int i = 0; i < n; i++) /* loop: no */
        log_object{out, b[i]};
    for (int i = 0; i < n; i++)
        a[i] = out[i];
}
struct restore {
    int &to, was;
    restore(int &t, int v) : to(t), was(t) { to = v; }
    ~restore() { to = was; }
};
ALONE void restored(int n)
{
    int mode = 2;
    for (int i = 0; i < n; i++) { /* loop: no */
        restore r(mode, b[i]);
        a[i] = mode;
    }
    keep(mode);
}
ALONE void compare_state(int n)
{
    int calls = 0;
    auto less = [&calls](int l, int r) {
        calls++;
        return l < r;
    };
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = less(b[i], 7) ? calls : 0;
}
ALONE void moved_from(int n)
{
    std::vector<std::unique_ptr<int>> v(n);
    auto p = std::make_unique<int>(7);
    for (int i = 0; i < n; i++) { /* loop: no */
        v[i] = std::move(p);
        p = std::make_unique<int>(*v[i] + b[i]);
    }
    for (int i = 0; i < n; i++)
        a[i] = *v[i];
}
ALONE void moved_string(int n)
{
    std::string s = "start";
    std::vector<std::string> v(n);
    for (int i = 0; i < n; i++) { /* loop: no */
        v[i] = std::move(s);
        s = std::to_string(b[i]);
    }
    for (int i = 0; i < n; i++)
        a[i] = (int)v[i].size();
}
ALONE void unordered_order(int n)
{
    std::unordered_map<int, int> m;
    for (int i = 0; i < n; i++) /* loop: no */
        m.emplace(b[i], (int)m.size());
    for (auto &kv : m)
        a[kv.first % COUNT] = kv.second;
}
ALONE void addresses(int n)
{
    std::vector<std::unique_ptr<int>> v(n);
    for (int i = 0; i < n; i++) { /* loop: no */
        v[i] = std::make_unique<int>(b[i]);
        a[i] = i && v[i].get() > v[i - 1].get();
    }
}
struct rng {
    unsigned s;
    unsigned operator()() { return s = s * 1664525u + 1013904223u; }
};
ALONE void random_object(int n)
{
    rng r{7};
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = (int)(r() >> 20);
}
ALONE void random_own(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        rng r{(unsigned)i};
        a[i] = (int)(r() >> 20) + (int)(r() >> 20);
    }
}
int main(int argc, char **argv)
{
    int n = COUNT - 1 + argc;
    (void)argv;
    for (int i = 0; i < COUNT; i++)
        b[i] = i * 37 % 101;
    void (*const all[])(int) = {init_capture,
                                init_capture_fixed,
                                init_capture_own,
                                init_capture_count,
                                generated,
                                uses,
                                uses_only,
                                holds_reference,
                                holds_reference_fixed,
                                sets_reference,
                                holds_pointer,
                                wraps_reference,
                                wraps_reference_implicit,
                                tied,
                                structured,
                                captured_reference,
                                function_state,
                                function_plain,
                                with_static,
                                with_thread_local,
                                with_iterator,
                                with_map_iterator,
                                copy_counts,
                                op_counts,
                                guarded,
                                logged,
                                restored,
                                compare_state,
                                moved_from,
                                moved_string,
                                unordered_order,
                                addresses,
                                random_object,
                                random_own};
    for (auto f : all)
        f(n), digest(a, sizeof a), digest(c, sizeof c);
    copy_capture(n, argc), digest(a, sizeof a);
    return finish();
}
