/* Lambdas and records that hand a value on where neither has a line of code left: `std::exchange`, `std::swap`, pairs that are made anew of their halves. */
#include "loops.h"

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#define ALONE static __attribute__((noinline))
enum { M = 120 };
static std::vector<int> v(M), w(M), u(M);
static int glob;

ALONE void static_in_lambda()
{
    auto f = [](int x) { static int last; return std::exchange(last, x); };
    for (int i = 0; i < M; i++) /* loop: no */
        w[i] += f(v[i]);
}
ALONE void static_by_hand()
{
    auto f = [](int x) { static int last; int r = last; last = x; return r; };
    for (int i = 0; i < M; i++) /* loop: no */
        w[i] += f(v[i]);
}
static int kept(int x)
{
    static int last;
    return std::exchange(last, x);
}
ALONE void static_in_function()
{
    for (int i = 0; i < M; i++) /* loop: no */
        w[i] += kept(v[i]);
}
ALONE void of_file()
{
    for (int i = 0; i < M; i++) /* loop: no */
        w[i] += std::exchange(glob, v[i]);
}
ALONE void of_file_by_lambda()
{
    auto f = [](int x) { return std::exchange(glob, x); };
    for (int i = 0; i < M; i++) /* loop: no */
        w[i] += f(v[i]);
}
ALONE void captured()
{
    int own = 3;
    auto f = [&own](int x) { return std::exchange(own, x); };
    for (int i = 0; i < M; i++) /* loop: no */
        w[i] += f(v[i]);
    w[0] += own;
}
ALONE void captured_all()
{
    int own = 3;
    auto f = [&](int i) {
        int x = v[i];
        std::swap(own, x);
        w[i] += x;
    };
    for (int i = 0; i < M; i++) /* loop: no */
        f(i);
    w[0] += own;
}
ALONE void captured_anew()
{
    auto f = [own = 3](int x) mutable { return std::exchange(own, x); };
    for (int i = 0; i < M; i++) /* loop: no */
        w[i] += f(v[i]);
}
ALONE void exchanged_within()
{
    for (int i = 0; i < M; i++) { /* loop: parallel */
        auto f = [](int x) { int own = x; return std::exchange(own, 1) + own; };
        w[i] += f(v[i]);
    }
}
ALONE void exchanged_own()
{
    auto f = [](int x) { int own = x; return std::exchange(own, 1) + own; };
    for (int i = 0; i < M; i++) /* loop: parallel */
        w[i] += f(v[i]);
}
ALONE void exchanged_elements()
{
    auto f = [](int i) { return std::exchange(u[i], v[i]); };
    for (int i = 0; i < M; i++) /* loop: parallel */
        w[i] += f(i);
}
ALONE void minimum_by_lambda()
{
    int least = 1000;
    auto f = [&](int x) { least = std::min(least, x); };
    for (int i = 0; i < M; i++) /* loop: reduction */
        f(v[i]);
    w[0] += least;
}
ALONE void sum_by_lambda()
{
    int sum = 0;
    auto f = [&](int x) { sum += std::max(x, 3); };
    for (int i = 0; i < M; i++) /* loop: reduction */
        f(v[i]);
    w[0] += sum;
}
ALONE void optional_captured()
{
    std::optional<int> o;
    auto f = [&](int x) {
        auto r = o.value_or(1);
        o = x;
        return r;
    };
    for (int i = 0; i < M; i++) /* loop: no */
        u[i] += f(v[i]);
}
ALONE void optional_captured_in_a_line()
{
    std::optional<int> o;
    auto f = [&](int x) { auto r = o.value_or(1); o = x; return r; };
    for (int i = 0; i < M; i++) /* loop: no */
        u[i] += f(v[i]);
}
ALONE void optional_static()
{
    auto f = [](int x) { static std::optional<int> o; auto r = o.value_or(1); o = x; return r; };
    for (int i = 0; i < M; i++) /* loop: no */
        u[i] += f(v[i]);
}
ALONE void optional_anew()
{
    auto f = [o = std::optional<int>()](int x) mutable { auto r = o.value_or(1); o = x; return r; };
    for (int i = 0; i < M; i++) /* loop: no */
        u[i] += f(v[i]);
}
ALONE void optional_of_the_iteration()
{
    auto f = [](int x) { std::optional<int> o; if (x & 1) o = x; return o.value_or(1); };
    for (int i = 0; i < M; i++) /* loop: parallel */
        u[i] += f(v[i]);
}
ALONE void pair_captured()
{
    std::pair<int, int> p{1, 2};
    auto f = [&](int x) { int r = p.first; p = {p.second, x}; return r; };
    for (int i = 0; i < M; i++) /* loop: no */
        u[i] += f(v[i]);
}
ALONE void pair_swapped()
{
    std::pair<int, int> p{1, 2}, q{3, 4};
    auto f = [&](int x) { p.swap(q); q.first += x; return p.first; };
    for (int i = 0; i < M; i++) /* loop: no */
        u[i] += f(v[i]);
}
ALONE void vector_captured()
{
    auto f = [&](int i) { u[i] += v[i]; };
    for (int i = 0; i < M; i++) /* loop: parallel */
        f(i);
}
ALONE void halves()
{
    std::pair<int, int> p{0, 0};
    for (int i = 0; i < M; i++) { /* loop: no */
        auto [x, y] = p;
        p = {y + 1, x + v[i]};
    }
    w[1] += p.first + 2 * p.second;
}
ALONE void halves_by_name()
{
    std::pair<int, int> p{0, 0};
    for (int i = 0; i < M; i++) { /* loop: no */
        int x = p.first;
        p.first = p.second + 1;
        p.second = x + v[i];
    }
    w[1] += p.first + 2 * p.second;
}
ALONE void turns()
{
    int a = 0, b = 0;
    for (int i = 0; i < M; i++) { /* loop: no */
        int x = a;
        a = b + 1;
        b = x + v[i];
    }
    w[2] += a + 2 * b;
}
ALONE void three_by_tie()
{
    int a = 0, b = 1, c = 2;
    for (int i = 0; i < M; i++) /* loop: no */
        std::tie(a, b, c) = std::tuple(b + v[i], c + 1, a);
    w[3] += a + 2 * b + 3 * c;
}
ALONE void sums_of_a_pair()
{
    std::pair<int, int> p{0, 0};
    for (int i = 0; i < M; i++) { /* loop: reduction */
        p.first += v[i];
        p.second += 2 * v[i];
    }
    w[4] += p.first + 2 * p.second;
}

int main()
{
    for (int i = 0; i < M; i++) /* loop: parallel */
        v[i] = i * 29 % 61;
    static_in_lambda(), static_by_hand(), static_in_function(), of_file(), of_file_by_lambda(), captured(), captured_all(), captured_anew();
    exchanged_within(), exchanged_own(), exchanged_elements(), minimum_by_lambda(), sum_by_lambda();
    optional_captured(), optional_captured_in_a_line(), optional_static(), optional_anew(), optional_of_the_iteration(), pair_captured();
    pair_swapped(), vector_captured();
    halves(), halves_by_name(), turns(), three_by_tie(), sums_of_a_pair();
    digest(w.data(), M * sizeof(int)), digest(u.data(), M * sizeof(int));
    return finish();
}
