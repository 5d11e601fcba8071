/* `auto [a, b]`: names that stand for parts of a copy, or of something that others have as well. */
#include "loops.h"
#include <tuple>
#include <utility>
#include <vector>
static int a[N], b[N];
KERNEL(copied)
{
    auto [x, y] = std::make_pair(1, 2);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = x + y;
        x = b[i];
    }
}
KERNEL(by_reference)
{
    std::pair<int, int> p(1, 2);
    auto &[x, y] = p;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = x + y;
        x = b[i];
    }
    keep(p.first);
}
struct two {
    int x, y;
};
KERNEL(of_struct)
{
    two p{n, 2};
    auto &[x, y] = p;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = x + y;
        y = b[i] * 3;
    }
    keep(p.y);
}
KERNEL(of_array)
{
    int p[2] = {n, 2};
    auto &[x, y] = p;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = x + y;
        x = b[i] * 3;
    }
    keep(p[0]);
}
KERNEL(sum)
{
    auto [s, t] = std::make_pair(0, 1);
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += b[i] * t;
    keep(s);
}
KERNEL(looked)
{
    auto [s, t] = std::make_pair(n, 1);
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = b[i] * s + t;
}
KERNEL(set_besides)
{
    two p{n, 2};
    auto &[x, y] = p;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = x + y;
        p.x = b[i] * 3;
    }
    keep(p.x);
}
KERNEL(bound_inside)
{
    two p{n, 2};
    for (int i = 0; i < n; i++) { /* loop: no */
        auto &[x, y] = p;
        a[i] = x + y;
        x = b[i] * 3;
    }
    keep(p.x);
}
static two pairs[N];
KERNEL(ranged)
{
    for (auto &[x, y] : pairs) { /* loop: parallel */
        x += n;
        y = x * 2;
    }
}
KERNEL(copied_inside)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        auto [x, y] = pairs[i];
        x += y;
        a[i] = x;
    }
}
static std::vector<int> v(N), w(N);
KERNEL(tied)
{
    int x = 0;
    auto [last, other] = std::tie(w[n - 1], x);
    for (int i = 0; i < n; i++) { /* loop: no */
        last = i;
        w[i] = v[i] + other;
    }
}
int main(int argc, char **)
{
    for (int i = 0; i < N; i++)
        b[i] = i * 7 % 31;
    int n = N - argc;
    copied(n), keep(a[5]), by_reference(n), keep(a[6]), of_struct(n), keep(a[7]), of_array(n), keep(a[8]), tied(n);
    digest(w.data(), N * sizeof w[0]), sum(n), looked(n);
    set_besides(n), keep(a[9]), bound_inside(n), keep(a[10]), ranged(n), copied_inside(n), digest(pairs, sizeof pairs);
    digest(a, sizeof a);
    return finish();
}
