#!/bin/sh
# What sentences about loops name: a block by who asked for it, not by the function that allocates for all; and a sum
# that the source only hands to an operator which depends on a type is one all the same.
. "$(dirname "$0")/lib.sh"

cat >wrapped.c <<'END'
#include <stdio.h>
#include <stdlib.h>
__attribute__((noinline)) static void *must(void *p)
{
    if (!p)
        abort();
    return p;
}
__attribute__((noinline)) static void *core_alloc(size_t n)
{
    return must(calloc(n, 1));
}
__attribute__((noinline)) void *XMalloc(size_t n)
{
    void *p = core_alloc(n);
    return must(p);
}
__attribute__((noinline)) static double sweep(double *v, int n)
{
    for (int i = 1; i < n; i++)
        v[i] += v[i - 1] * 0.5;
    return v[n - 1];
}
int main(void)
{
    double *v = XMalloc(4000 * sizeof *v);
    v[0] = 1;
    printf("%g\n", sweep(v, 4000));
    free(v);
    return 0;
}
END
gcc -O1 -g wrapped.c -o wrapped || exit 99
cc record -q --loops dependences -o p.cast -- ./wrapped
cc report --view loops --json p.cast
is "$(json '.loops[] | select(.line == 20) | .reasons[0].variable')" "block allocated at wrapped.c:26" "a block is named by who asked for it"

if command -v g++ >/dev/null; then
    cat >units.cc <<'END'
#include <cstdio>
namespace units {
template <typename T> struct tagged { T v; };
template <typename T> tagged<T> &operator+=(tagged<T> &a, const tagged<T> &b) { a.v += b.v; return a; }
template <typename T> tagged<T> operator*(const tagged<T> &a, const tagged<T> &b) { return tagged<T>{a.v * b.v}; }
template <typename T> __attribute__((noinline)) T dot(const T *a, const T *b, int n)
{
    T sum = T(0);
    for (int k = 0; k < n; ++k)
        sum += a[k] * b[k];
    return sum;
}
}
static double a[4000], b[4000];
int main()
{
    for (int i = 0; i < 4000; i++)
        a[i] = i, b[i] = 1.0 / (i + 1);
    std::printf("%g\n", units::dot(a, b, 4000));
}
END
    for level in 1 2; do
        g++ -O$level -g units.cc -o units || exit 99
        cc record -q --loops dependences -o p.cast -- ./units
        cc report --view loops --json p.cast
        is "$(json '.loops[] | select(.line == 9) | .verdict')" reduction "-O$level: a sum by an operator that depends on a type"
    done
fi
done_testing
