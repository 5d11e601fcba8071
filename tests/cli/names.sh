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

# Functions that hand on what they allocate, inlined or not, two of them in a line, one with several lines that allocate.
cat >handed.c <<'END'
#include <stdio.h>
#include <stdlib.h>
struct pair { double *x, *y; };
static void *must_have(size_t n) { void *p = malloc(n); if (!p) exit(1); return p; }
static double *row(int n) { return must_have(n * sizeof(double)); }
static struct pair *make(int n)
{
    struct pair *d = must_have(sizeof *d);
    d->x = row(n);
    d->y = row(n);
    return d;
}
static double sweep(double *v, int n)
{
    v[0] = 1;
    for (int i = 1; i < n; i++) v[i] = v[i - 1] * 0.5 + 1;
    return v[n - 1];
}
int main(void)
{
    int n = 1000;
    struct pair *a = make(n);
    struct pair *b = make(n);
    double *p = row(n), *q = row(n);
    double s = sweep(a->x, n) + sweep(b->x, n);
    for (int i = 1; i < n; i++) { p[i] = i; q[i] = i; }
    for (int i = 1; i < n; i++) p[i] = p[i - 1] * 0.5 + p[i];
    for (int i = 1; i < n; i++) q[i] = q[i - 1] * 0.5 + q[i];
    for (int i = 1; i < n; i++) b->y[i] = a->y[i] = i;
    for (int i = 1; i < n; i++) b->y[i] = b->y[i - 1] * 0.5 + b->y[i];
    printf("%g %g %g %g\n", s, p[n - 1], q[n - 1], b->y[n - 1] + a->y[n / 2]);
    return 0;
}
END
names() { jq -r '[.loops[] | select(.line == '"$1"') | .reasons[].variable // empty | select(startswith("block"))] | unique | join(", ")' "$WORK/out"; }
blocks() { jq -r '[.objects[] | select(.kind == "heap" and .size == 8000) | .name | sub(".*\\("; "") | sub("\\).*"; "")] | sort | join(", ")' "$WORK/out"; }
for built in "gcc -O0" "gcc -O2" "clang -O0" "clang -O2"; do
    command -v "${built% *}" >/dev/null || continue
    $built -g handed.c -o handed || exit 99
    cc record -q --loops dependences -o p.cast -- ./handed
    cc report --view loops --json p.cast
    case $built in
    *-O0) # -O2 hands the value on in a register
        is "$(names 16)" "block allocated at handed.c:9 for handed.c:22" "$built: a line that allocates for two callers"
        is "$(names 27)" "block allocated at handed.c:24:17" "$built: two blocks asked for in one line, the first"
        is "$(names 28)" "block allocated at handed.c:24:30" "$built: and the second"
        is "$(names 30)" "block allocated at handed.c:10 for handed.c:23" "$built: two lines of one function"
        ;;
    esac
    for engine in valgrind qemu; do
        cc record -q --engine $engine --objects -o p.cast -- ./handed
        [ "$RC" = 0 ] || continue
        cc report --view objects --json p.cast
        is "$(blocks)" "handed.c:10 for handed.c:22, handed.c:10 for handed.c:23, handed.c:24:17, handed.c:24:30, handed.c:9 for handed.c:22, handed.c:9 for handed.c:23" "$built, $engine: objects have the same names"
    done
done

if command -v g++ >/dev/null; then
    cat >constructed.cc <<'END'
#include <cstdio>
#include <vector>
struct Grid {
    double *v;
    std::vector<double> w;
    Grid(int n) : v(new double[n]), w(n) { v[0] = 1; }
};
int main()
{
    Grid a(1000);
    Grid b(1000);
    std::vector<double> p(1000), q(1000);
    for (int i = 1; i < 1000; i++) { b.v[i] = i; q[i] = p[i - 1] + a.w[i]; }
    for (int i = 1; i < 1000; i++) b.v[i] += b.v[i - 1];
    std::printf("%g %g %g\n", a.v[0] + b.v[999], q[9], b.w[3]);
}
END
    for level in 0 2; do
        g++ -O$level -g constructed.cc -o constructed || exit 99
        cc record -q --objects -o p.cast -- ./constructed
        cc report --view objects --json p.cast
        is "$(blocks)" "constructed.cc:12:31, constructed.cc:12:40, constructed.cc:6:33 for constructed.cc:10, constructed.cc:6:33 for constructed.cc:11, constructed.cc:6:37 for constructed.cc:10, constructed.cc:6:37 for constructed.cc:11" "-O$level: what constructors allocate"
    done
fi

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
