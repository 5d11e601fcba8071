/* What leads.c has, by references. */
#include "loops.h"

#include <memory>
#include <utility>

static double a[N], b[N];

KERNEL(set)
{
    double k = 1, &r = k;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k;
        r = b[i] + 1;
    }
    keep(k);
}
KERNEL(read)
{
    double k = 1, *p = &k, &r = *p;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = r;
        k = b[i] + 1;
    }
    keep(k);
}
KERNEL(told)
{
    double k = 1, *p = std::addressof(k);
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k;
        *p = b[i] + 1;
    }
    keep(k);
}
KERNEL(field)
{
    std::pair<double, double> k{1, 2};
    double &s = k.second;
    for (int i = 0; i < n; i++) { /* loop: no */
        a[i] = k.second;
        s = b[i] + 1;
    }
    keep(k.second);
}
/* What a reference is bound to may have no name. */
struct kept {
    double last, least;
    kept() : last(0), least(1e9) {}
    __attribute__((noinline)) void take(double x) { last = x; }
    void put(double x) { last = x; }
};
KERNEL(nameless)
{
    kept &&k = kept();
    for (int i = 0; i < n; i++) /* loop: no */
        k.take(b[i] + 1);
    keep(k.last);
}
KERNEL(nameless_here)
{
    auto &&k = kept();
    for (int i = 0; i < n; i++) /* loop: no */
        k.put(b[i] * 2);
    keep(k.last);
}
KERNEL(anew)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        kept &&k = kept();
        k.take(b[i] + 1);
        a[i] = k.last;
    }
}
KERNEL(looked)
{
    double k = n;
    const double &r = k;
    for (int i = 0; i < n; i++) /* loop: parallel */
        a[i] = r * b[i];
}

int main(int argc, char **argv)
{
    int n = N * argc;
    for (int i = 0; i < n; i++)
        b[i] = i % 13 * 0.5;
    set(n), digest(a, sizeof a), read(n), digest(a, sizeof a), told(n), digest(a, sizeof a);
    field(n), digest(a, sizeof a), nameless(n), nameless_here(n), anew(n), digest(a, sizeof a), looked(n),
        digest(a, sizeof a);
    (void)argv;
    return finish();
}
