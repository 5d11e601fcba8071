/* Objects of the library that are told something and asked for it: atomics, optionals, references, views,
 * iterators, in the function and in the program's own classes. Compilers keep what they hold in registers. */
#include <any>
#include <atomic>
#include <bitset>
#include <chrono>
#include <complex>
#include <cstdio>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>
enum { N = 300 };
static std::vector<int> data(N);
static void by_optional(std::vector<int> &o)
{
    std::optional<int> last;
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = last.value_or(4);
        last = data[i];
    }
}
static void by_emplace(std::vector<int> &o)
{
    std::optional<int> last(3);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = *last;
        last.emplace(data[i]);
    }
}
static void by_complex(std::vector<int> &o)
{
    std::complex<double> z(1, 2);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = (int)z.real();
        z.real(data[i]);
    }
}
static void by_pair(std::vector<int> &o)
{
    std::pair<int, int> p(1, 2);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = p.first;
        p = std::make_pair(data[i], i);
    }
}
static void by_tuple(std::vector<int> &o)
{
    std::tuple<int, int> p(1, 2);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = std::get<0>(p);
        std::get<0>(p) = data[i];
    }
}
static void by_exchange(std::vector<int> &o)
{
    int prev = 4;
    for (int i = 0; i < N; i++) /* loop: no */
        o[i] = std::exchange(prev, data[i]);
}
static void by_swap(std::vector<int> &o)
{
    int prev = 4;
    for (int i = 0; i < N; i++) { /* loop: no */
        int x = data[i];
        std::swap(prev, x);
        o[i] = x;
    }
}
static void by_view(std::vector<int> &o, std::string_view s)
{
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = s.front();
        s.remove_prefix(1);
    }
}
static void by_ptr(std::vector<int> &o)
{
    const int *const base = data.data();
    std::unique_ptr<const int, void (*)(const int *)> at(base, [](const int *) {});
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = *at;
        at.reset(base + data[i]);
    }
}
static void by_ref(std::vector<int> &o)
{
    std::reference_wrapper<int> r(data[3]);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = r.get();
        r = data[(i * 3) % N];
    }
}
static void by_duration(std::vector<int> &o)
{
    std::chrono::milliseconds t(5);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = (int)t.count();
        t = std::chrono::milliseconds(data[i]);
    }
}
static void by_duration_sum(std::vector<int> &o)
{
    std::chrono::milliseconds t(5);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = (int)t.count();
        t += std::chrono::milliseconds(3);
    }
}
static void by_bitset(std::vector<int> &o)
{
    std::bitset<8> b;
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = (int)b.to_ulong();
        b = std::bitset<8>((unsigned)data[i]);
    }
}
static void by_bitset_set(std::vector<int> &o)
{
    std::bitset<8> b;
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = b.test(3);
        b.set(3, data[i] & 1);
    }
}
static void by_atomic(std::vector<int> &o)
{
    std::atomic<int> k{0};
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = k.load();
        k.store(data[i]);
    }
}
static void by_atomic_op(std::vector<int> &o)
{
    std::atomic<int> k{0};
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = k;
        k = data[i];
    }
}
static void by_flag(std::vector<int> &o)
{
    std::atomic<bool> f{false};
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = f.load(std::memory_order_relaxed) ? 1 : data[i];
        f.store(data[i] == 3, std::memory_order_relaxed);
    }
}
static void by_variant(std::vector<int> &o)
{
    std::variant<int, float> v(3);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = std::get<0>(v);
        v = data[i];
    }
}
static void by_ticks(std::vector<int> &o)
{
    std::atomic<int> k{0};
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = k.load(std::memory_order_relaxed);
        k.store(o[i] + 2, std::memory_order_relaxed);
    }
}
static void by_minmax(std::vector<int> &o)
{
    std::pair<int, int> mm(1000, 0);
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = mm.second;
        mm = std::minmax({data[i], i});
    }
}
static void by_tie(std::vector<int> &o)
{
    int a = 1, b = 1;
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = a;
        std::tie(a, b) = std::make_tuple(data[i], a & 7);
    }
}
static void by_array(std::vector<int> &o)
{
    std::array<int, 2> w{{1, 2}};
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = w.front();
        w.fill(data[i]);
    }
}
static void by_function(std::vector<int> &o)
{
    int (*f)(int) = [](int x) { return x + 1; };
    std::function<int(int)> g = f;
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = g(data[i]);
        if (data[i] & 1)
            g = [](int x) { return x * 2; };
        else
            g = [](int x) { return x - 2; };
    }
}
static void by_iterator(std::vector<int> &o)
{
    auto it = data.begin();
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = *it;
        it = data.begin() + data[i];
    }
}
static void by_advance(std::vector<int> &o)
{
    auto it = data.begin();
    for (int i = 0; i < N / 2; i++) { /* loop: no */
        o[i] = *it;
        std::advance(it, 2);
    }
}
static void by_wrap(std::vector<int> &o)
{
    struct Holder {
        std::atomic<int> last{0};
        int swap_in(int v)
        {
            int r = last.load(std::memory_order_relaxed);
            last.store(v, std::memory_order_relaxed);
            return r;
        }
    } h;
    for (int i = 0; i < N; i++) /* loop: no */
        o[i] = h.swap_in(data[i]);
}
static void by_free_store(std::vector<int> &o)
{
    std::atomic<int> k{0};
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = std::atomic_load_explicit(&k, std::memory_order_relaxed);
        std::atomic_store_explicit(&k, data[i], std::memory_order_relaxed);
    }
}
struct Meter {
    std::optional<int> last;
    int step(int v)
    {
        int r = last.value_or(1);
        last = v;
        return r;
    }
};
static void by_meter(std::vector<int> &o)
{
    Meter m;
    m.last = 2;
    for (int i = 0; i < N; i++) /* loop: no */
        o[i] = m.step(data[i]);
}
struct Cursor {
    std::vector<int>::iterator it;
    int take()
    {
        int r = *it;
        std::advance(it, 1);
        return r;
    }
};
static void by_cursor(std::vector<int> &o)
{
    Cursor c{data.begin()};
    for (int i = 0; i < N; i++) /* loop: no */
        o[i] = c.take() + i;
}
struct Pick {
    std::reference_wrapper<int> r;
    int now(int &next)
    {
        int v = r;
        r = next;
        return v;
    }
};
static void by_pick(std::vector<int> &o)
{
    Pick p{data[0]};
    for (int i = 0; i < N; i++) /* loop: no */
        o[i] = p.now(data[i]);
}
static void by_own_optional(std::vector<int> &o)
{
    std::optional<int> m;
    for (int i = 0; i < N; i++) { /* loop: private */
        m = data[i] * 2;
        o[i] = m.value_or(4) + *m;
    }
}
static void by_has_value(std::vector<int> &o)
{
    std::optional<int> first;
    for (int i = 0; i < N; i++) { /* loop: no */
        if (!first)
            first = data[i];
        o[i] = data[i] - *first;
    }
}
static void only_looks(std::vector<int> &o, const std::optional<int> &add, std::complex<double> z)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        o[i] = data[i] + add.value_or(3) + (int)z.real();
}
struct Box {
    std::optional<int> last;
    std::complex<double> z;
};
static void by_field(std::vector<int> &o)
{
    Box m;
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = m.last.value_or(1);
        m.last = data[i];
    }
}
static void by_complex_field(std::vector<int> &o)
{
    Box m;
    for (int i = 0; i < N; i++) { /* loop: no */
        o[i] = (int)m.z.imag();
        m.z = std::complex<double>(1, data[i]);
    }
}
static void fields_own(std::vector<Box> &o)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        o[i].z = std::complex<double>(1, data[i]);
    for (int i = 0; i < N; i++) /* loop: parallel */
        o[i].z *= 2.0;
}
static void complex_own(std::complex<double> *z, const std::complex<double> *w)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        z[i] = w[i] * std::complex<double>(0.5, 0.1);
    for (int i = 1; i < N; i++) /* loop: no */
        z[i] += z[i - 1];
}
struct Body {
    std::complex<double> z;
    std::optional<int> o;
    void set(double v)
    {
        z = v;
        o = (int)v;
    }
    void turn() { z *= std::complex<double>(0, 1); }
    void move() { z += std::complex<double>(0, 1); }
    double size() const { return z.real() * 2 + o.value_or(1); }
};
static void bodies(std::vector<Body> &b)
{
    for (int i = 0; i < N; i++) /* loop: parallel */
        b[i].set(i * 0.5);
    for (int i = 0; i < N; i++) /* loop: parallel */
        b[i].turn();
    for (int i = 0; i < N; i++) /* loop: parallel */
        b[i].move();
    double s = 0;
    for (int i = 0; i < N; i++) /* loop: reduction */
        s += b[i].size();
    printf("%g\n", s);
}
int main()
{
    std::vector<int> o(N);
    long s = 0;
    for (int i = 0; i < N; i++) /* loop: parallel */
        data[i] = i * 7 % 19;
    std::string text(N + 5, 'c');
#define RUN(f) f(o), s = s * 3 + o[9] + o[17]
    RUN(by_optional);
    RUN(by_emplace);
    RUN(by_complex);
    RUN(by_pair);
    RUN(by_tuple);
    RUN(by_exchange);
    RUN(by_swap);
    RUN(by_ptr);
    RUN(by_ref);
    RUN(by_duration);
    RUN(by_duration_sum);
    RUN(by_bitset);
    RUN(by_bitset_set);
    RUN(by_atomic);
    RUN(by_atomic_op);
    RUN(by_flag);
    RUN(by_variant);
    RUN(by_ticks);
    RUN(by_minmax);
    RUN(by_tie);
    RUN(by_array);
    RUN(by_function);
    RUN(by_iterator);
    RUN(by_advance);
    RUN(by_wrap);
    by_view(o, text);
    RUN(by_free_store);
    std::vector<Body> bd(N);
    bodies(bd);
    RUN(by_field);
    RUN(by_complex_field);
    std::vector<Box> bs(N);
    fields_own(bs);
    std::vector<std::complex<double>> zz(N), ww(N, 2.0);
    complex_own(&zz[0], &ww[0]);
    s += (int)(bs[3].z.imag() + zz[7].real());
    RUN(by_meter);
    RUN(by_cursor);
    RUN(by_pick);
    RUN(by_own_optional);
    RUN(by_has_value);
    only_looks(o, std::nullopt, 3.0);
    s += o[4];
    printf("%ld %d\n", s, o[3]);
}
