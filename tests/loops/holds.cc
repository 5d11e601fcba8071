/* What objects hold of variables around them: references, pointers, by way of other objects. */
#include "loops.h"
#include <functional>
#include <memory>
#include <tuple>
#include <utility>
#include <vector>

static int a[N], b[N];
struct look {
    int &k;
    int get() const { return k; }
};
struct look_const {
    const int &k;
    operator int() const { return k; }
};
struct put {
    int &k;
    void set(int v) const { k = v; }
};
struct look_by {
    const int *p;
    int operator()() const { return *p; }
};
struct outer {
    look &of;
    int get() const { return of.get() + 1; }
};
struct made {
    made(int &k) : at(&k) {}
    int get() const { return *at; }

  private:
    int *at;
};
struct late {
    int *at = nullptr;
    void bind(int &k) { at = &k; }
    int get() const { return *at; }
};
struct value {
    int k;
    int get() const { return k; }
};
template <class T> struct any_look {
    T &k;
    T get() const { return k; }
};

KERNEL(reference)
{
    int k = 1;
    look f{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f.get();
        k = b[i];
    }
}
KERNEL(reference_alone)
{
    int k = n;
    look f{k};
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = f.get() + b[i];
}
KERNEL(by_value)
{
    int k = 1;
    value f{k};
    for (int i = 0; i < n; i++) { /* loop: private */
        k = b[i] * 3;
        a[i] = k + f.get();
    }
}
KERNEL(to_const)
{
    int k = 1;
    look_const f{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f + 2;
        k = b[i];
    }
}
KERNEL(pointer)
{
    int k = 1;
    look_by f{&k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f();
        k = b[i];
    }
}
KERNEL(pointer_to_another)
{
    int k = 1, other = n;
    look_by f{&other};
    for (int i = 0; i < n; i++) { /* loop: private */
        k = b[i] * 5;
        a[i] = f() + k;
    }
}
KERNEL(assigned)
{
    int k = 1, other = 2;
    look_by f{&other};
    f = look_by{&k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f();
        k = b[i];
    }
}
KERNEL(field_assigned)
{
    int k = 1;
    look_by f;
    f.p = &k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f();
        k = b[i];
    }
}
KERNEL(by_another)
{
    int k = 1;
    look f{k};
    outer g{f};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = g.get();
        k = b[i];
    }
}
KERNEL(built)
{
    int k = 1;
    made f(k);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f.get();
        k = b[i];
    }
}
KERNEL(bound_late)
{
    int k = 1;
    late f;
    f.bind(k);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f.get();
        k = b[i];
    }
}
KERNEL(wrapped)
{
    int k = 1;
    auto f = std::ref(k);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f.get();
        k = b[i];
    }
}
KERNEL(wrapped_const)
{
    int k = 1;
    std::reference_wrapper<const int> f = k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f + 1;
        k = b[i];
    }
}
KERNEL(tuple)
{
    int k = 1, m = 2;
    auto f = std::tie(k, m);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = std::get<0>(f);
        k = b[i];
    }
    keep(m);
}
KERNEL(pair_of_values)
{
    int k = 1;
    auto f = std::make_pair(k, n);
    for (int i = 0; i < n; i++) { /* loop: private */
        k = b[i] * 3;
        a[i] = k + f.first;
    }
}
KERNEL(templated)
{
    double k = 1;
    any_look<double> f{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = (int)f.get();
        k = b[i];
    }
}
template <class T> static __attribute__((noinline)) void of_type(T k, int n)
{
    any_look<T> f{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = (int)f.get();
        k = b[i];
    }
}
KERNEL(two_objects)
{
    int k = 1;
    look f{k};
    put g{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f.get();
        g.set(b[i]);
    }
}
KERNEL(two_objects_apart)
{
    int k = 1, m = n;
    look f{m};
    put g{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        g.set(b[i]);
        a[i] = f.get();
    }
    keep(k);
}
KERNEL(set_by_object)
{
    int k = 1;
    put f{k};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k;
        f.set(b[i]);
    }
}
KERNEL(captured_place)
{
    int k = 1;
    auto f = [p = &k] { return *p; };
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f();
        k = b[i];
    }
}
KERNEL(function)
{
    int k = 1;
    std::function<int()> f = [&k] { return k; };
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f();
        k = b[i];
    }
}
KERNEL(in_vector)
{
    int k = 1;
    std::vector<look> v{look{k}};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = v[0].get();
        k = b[i];
    }
}
KERNEL(in_array)
{
    int k = 1;
    look v[2] = {{k}, {k}};
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = v[i & 1].get();
        k = b[i];
    }
}
static look make_look(int &k)
{
    return {k};
}
KERNEL(by_function)
{
    int k = 1;
    look f = make_look(k);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = f.get();
        k = b[i];
    }
}
static int *where;
static void tell(int &k)
{
    where = &k;
}
static int told()
{
    return *where;
}
KERNEL(by_global)
{
    int k = 1;
    tell(k);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = told();
        k = b[i];
    }
}
static int gk = 1;
static look gf{gk};
KERNEL(both_global)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = gf.get();
        gk = b[i];
    }
}
struct whole {
    int k = 1;
    look f{k};
    __attribute__((noinline)) void run(int n)
    {
        for (int i = 0; i < n; i++) { /* loop: no */
            a[i] = f.get();
            k = b[i];
        }
    }
};
KERNEL(member)
{
    whole w;
    w.run(n);
    keep(w.k);
}
KERNEL(member_here)
{
    whole w;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = w.f.get();
        w.k = b[i];
    }
}
struct range_of {
    int *from, *to;
    int *begin() const { return from; }
    int *end() const { return to; }
};
KERNEL(view)
{
    range_of r{a, a + n - 1};
    for (int i = 0; i < n - 1; i++) /* loop: no */
        r.from[i] = a[i + 1] * 2;
}
KERNEL(unique)
{
    auto p = std::make_unique<int>(3);
    int *q = p.get();
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = *p;
        *q = b[i];
    }
}
struct restore {
    int &to, was;
    restore(int &t, int v) : to(t), was(t) { to = v; }
    ~restore() { to = was; }
};
KERNEL(restored)
{
    int mode = 2;
    for (int i = 0; i < n; i++) { /* loop: no */
        restore r(mode, b[i]);
        a[i] = mode;
    }
    keep(mode);
}
KERNEL(restored_own)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int mode = 2;
        restore r(mode, b[i]);
        a[i] = mode;
    }
}
int main(int argc, char **argv)
{
    int n = N - 1 + argc;
    (void)argv;
    for (int i = 0; i < N; i++)
        b[i] = i * 37 % 101;
    void (*const all[])(int) = {
        reference,     reference_alone, by_value,       to_const,    pointer,     pointer_to_another,
        assigned,      field_assigned,  by_another,     built,       bound_late,  wrapped,
        wrapped_const, tuple,           pair_of_values, templated,   two_objects, two_objects_apart,
        set_by_object, captured_place,  function,       in_vector,   in_array,    by_function,
        by_global,     both_global,     member,         member_here, view,        unique,
        restored,      restored_own};
    for (auto f : all)
        f(n), digest(a, sizeof a);
    of_type(1.5, n), digest(a, sizeof a), of_type(2, n), digest(a, sizeof a);
    return finish();
}
