/* Small objects of the library in which a lambda counts on: pairs, tuples, optional values, what pointers of
 * the library own. Compilers keep that in a register. */
#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <chrono>
#include <cstdio>
#include <functional>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
#define ALONE __attribute__((noinline))
enum { N = 2000, WIDE = 8 };
static std::vector<double> from(4 * N), to(4 * N);
static std::vector<int> out(4 * N);

ALONE static void pair_first(size_t n)
{
    std::pair<int, int> p{0, 1};
    auto next = [&] { return p.first++; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next();
}

ALONE static void pair_index(size_t n)
{
    std::pair<int, int> p{0, 1};
    auto next = [&] { return from[p.first++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next();
}

ALONE static void tuple_get(size_t n)
{
    std::tuple<int, double> t{0, 1};
    auto next = [&] { return from[std::get<0>(t)++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() + 1;
}

ALONE static void tuple_get_value(size_t n)
{
    std::tuple<int, double> t{0, 1};
    auto next = [&] { return ++std::get<0>(t); };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next() + 1;
}

ALONE static void tuple_plus(size_t n)
{
    std::tuple<int, double> t{0, 1};
    auto next = [&] { return std::get<0>(t) += 3; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next() + 1;
}

ALONE static void array_one(size_t n)
{
    std::array<int, 1> a{0};
    auto next = [&] { return from[a[0]++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() + 1;
}

ALONE static void array_front(size_t n)
{
    std::array<int, 1> a{0};
    auto next = [&] { return a.front()++; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next() + 1;
}

ALONE static void optional_star(size_t n)
{
    std::optional<int> o = 0;
    auto next = [&] { return from[(*o)++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() + 1;
}

ALONE static void optional_value(size_t n)
{
    std::optional<int> o = 0;
    auto next = [&] { return ++*o; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next() + 1;
}

ALONE static void unique(size_t n)
{
    auto p = std::make_unique<int>(0);
    auto next = [&] { return from[(*p)++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() + 1;
}

ALONE static void unique_moved(size_t n)
{
    auto p = std::make_unique<int>(0);
    auto next = [q = std::move(p)] { return ++*q; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next() + 1;
}

ALONE static void shared(size_t n)
{
    auto p = std::make_shared<int>(0);
    auto next = [p] { return from[(*p)++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() + 1;
}

ALONE static void wrapper(size_t n)
{
    int k = 0;
    std::reference_wrapper<int> r = k;
    auto next = [r] { return from[r.get()++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() + 1;
}

ALONE static void reffed(size_t n)
{
    int k = 0;
    auto next = [&k] { return from[k++]; };
    auto r = std::ref(next);
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = r() + 1;
}

ALONE static void functioned(size_t n)
{
    int k = 0;
    std::function<double()> next = [k]() mutable { return from[k++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next() + 1;
}
static int step_by(int &k, int by)
{
    return k += by;
}

ALONE static void bound_copy(size_t n)
{
    auto next = std::bind(step_by, 0, 1);
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = from[next()] + 1;
}

ALONE static void generic(size_t n)
{
    int k = 0;
    auto next = [](auto &x) { return from[x++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next(k) + 1;
}

ALONE static void invoked(size_t n)
{
    int k = 0;
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = [&] { return from[k++]; }() + 1;
}

ALONE static void invoked_it(size_t n)
{
    auto it = from.begin();
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = [&] { return *it++; }() + 1;
}

ALONE static void nested(size_t n)
{
    int k = 0;
    auto outer = [&] {
        auto inner = [&] { return k++; };
        return from[inner()] + from[inner()];
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = outer();
}

ALONE static void nested_it(size_t n)
{
    auto it = from.begin();
    auto outer = [&] {
        auto inner = [&] { return *it++; };
        return inner() + inner();
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = outer();
}

ALONE static void binding(size_t n)
{
    std::pair<int, int> p{0, 1};
    auto &[a, b] = p;
    for (size_t i = 0; i < n; i++) { /* loop: no */
        to[i] = from[a] + b;
        a += b;
    }
}

ALONE static void binding_copy(size_t n)
{
    auto [a, b] = std::pair<int, int>{0, 1};
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = a++ + b;
}

ALONE static void binding_it(size_t n)
{
    auto [a, b] = std::make_pair(from.begin(), 2);
    for (size_t i = 0; i < n; i++) /* loop: either */
        to[i] = *a++ + b;
}

ALONE static void chrono_sum(size_t n)
{
    std::chrono::milliseconds t{0};
    auto next = [&] { return t += std::chrono::milliseconds(3); };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = (int)next().count();
}

ALONE static void chrono_direct(size_t n)
{
    std::chrono::milliseconds t{0};
    for (size_t i = 0; i < n; i++) { /* loop: either */
        t += std::chrono::milliseconds(3);
        out[i] = (int)t.count();
    }
}

ALONE static void bits(size_t n)
{
    std::bitset<1> b;
    auto next = [&] {
        b.flip();
        return b[0];
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next() ? 3 : 4;
}

ALONE static void bits_shift(size_t n)
{
    std::bitset<32> b(1);
    auto next = [&] { return b <<= 1; };
    for (size_t i = 0; i < 32; i++) /* loop: no */
        out[i] = (int)next().to_ulong();
}

ALONE static void atomic_value(size_t n)
{
    std::atomic<int> k{0};
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = k++;
}

ALONE static void atomic_relaxed(size_t n)
{
    std::atomic<int> k{0};
    auto next = [&] {
        int v = k.load(std::memory_order_relaxed);
        k.store(v + 1, std::memory_order_relaxed);
        return v;
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next();
}

ALONE static void generated(size_t n)
{
    int k = 0;
    for (size_t i = 0; i < n / 8; i++) /* loop: no */
        std::generate(out.begin() + (long)i * 8, out.begin() + (long)i * 8 + 8, [&] { return k++; });
}

ALONE static void generated_n(size_t n)
{
    int k = 0;
    auto g = [&k]() mutable { return k += 2; };
    for (size_t i = 0; i < n / 8; i++) /* loop: no */
        std::generate_n(&out[i * 8], 8, g);
}

ALONE static void iotas(size_t n)
{
    int k = 0;
    for (size_t i = 0; i < n / 8; i++) { /* loop: either */
        std::iota(&out[i * 8], &out[i * 8] + 8, k);
        k += 8;
    }
}

ALONE static void transformed(size_t n)
{
    int k = 0;
    for (size_t i = 0; i < n / 8; i++) /* loop: no */
        std::transform(&from[i * 8], &from[i * 8] + 8, &to[i * 8], [&](double x) { return x + k++; });
}

ALONE static void exchanged(size_t n)
{
    int k = 0;
    auto next = [&] { return std::exchange(k, k + 1); };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next();
}

ALONE static void exchanged_pair(size_t n)
{
    std::pair<int, int> p{0, 1};
    auto next = [&] { return std::exchange(p.first, p.first + 1); };
    for (size_t i = 0; i < n; i++) /* loop: no */
        out[i] = next();
}

ALONE static void ring(size_t n)
{
    size_t k = 0;
    auto next = [&] {
        k = (k + 1) % n;
        return from[k];
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next();
}

ALONE static void ring_mask(size_t n)
{
    std::array<unsigned, 2> s{0, 7};
    auto next = [&] {
        s[0] = (s[0] + 1) & s[1];
        return from[s[0]];
    };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next();
}

ALONE static void output(size_t n)
{
    auto it = to.begin();
    auto put = [&](double x) { *it++ = x; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        put(from[i]);
}

ALONE static void output_pointer(size_t n)
{
    double *it = to.data();
    auto put = [&](double x) { *it++ = x; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        put(from[i]);
}

ALONE static void output_pair(size_t n)
{
    std::pair<double *, int> p{to.data(), 0};
    auto put = [&](double x) { *p.first++ = x; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        put(from[i]);
}

ALONE static void varianted(size_t n)
{
    std::variant<int, double> v = 0;
    auto next = [&] { return from[std::get<int>(v)++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next();
}

ALONE static void got_if(size_t n)
{
    std::variant<int, double> v = 0;
    auto next = [&] { return from[(*std::get_if<int>(&v))++]; };
    for (size_t i = 0; i < n; i++) /* loop: no */
        to[i] = next();
}

ALONE static void own_pair(size_t n)
{
    for (size_t i = 0; i < n; i++) { /* loop: parallel */
        std::pair<int, int> p{(int)i, 1};
        auto next = [&] { return from[p.first++]; };
        to[i] = next() + next();
    }
}

ALONE static void own_tuple(size_t n)
{
    for (size_t i = 0; i < n; i++) { /* loop: either */
        std::tuple<int, int> p{(int)i, 1};
        auto next = [&] { return from[std::get<0>(p)++]; };
        to[i] = next() + next();
    }
}
/* what the program's own operators move on, called by a lambda */
struct Pace {
    double *p;
    double operator*() const { return *p; }
    Pace &operator++()
    {
        ++p;
        return *this;
    }
    Pace operator++(int)
    {
        Pace before = *this;
        ++p;
        return before;
    }
};
static double paced_from[64], paced_to[64];
static __attribute__((noinline)) void paced_behind(int n)
{
    Pace c{paced_from};
    auto next = [&] { return *c++; };
    for (int i = 0; i < n; i++) /* loop: no */
        paced_to[i] = next();
}
static __attribute__((noinline)) void paced_before(int n)
{
    Pace c{paced_from};
    auto next = [&] { return *++c; };
    for (int i = 0; i < n; i++) /* loop: no */
        paced_to[i] = next();
}

int main()
{
    paced_behind(60), paced_before(60);
    for (int i = 0; i < 4 * N; i++)
        from[(size_t)i] = i * 0.25;
    size_t n = N - WIDE;
    pair_first(n), pair_index(n), tuple_get(n), tuple_get_value(n), tuple_plus(n), array_one(n),
        array_front(n), optional_star(n), optional_value(n);
    unique(n), unique_moved(n), shared(n), wrapper(n), reffed(n), functioned(n), bound_copy(n), generic(n),
        invoked(n), invoked_it(n);
    nested(n), nested_it(n), binding(n), binding_copy(n), binding_it(n), chrono_sum(n), chrono_direct(n),
        bits(n), bits_shift(n), atomic_value(n), atomic_relaxed(n);
    generated(n), generated_n(n), iotas(n), transformed(n), exchanged(n), exchanged_pair(n), ring(n),
        ring_mask(n);
    output(n), output_pointer(n), output_pair(n), varianted(n), got_if(n), own_pair(n), own_tuple(n);
    printf("%g %d\n", to[77], out[99]);
}
