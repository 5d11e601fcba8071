/* What C++ can write that C cannot, in loops that look as C would. */
#include "loops.h"

#include <utility>

#define ALONE static __attribute__((noinline))
enum { COUNT = 200 };
static int ia[2 * COUNT], ib[2 * COUNT], ic[2 * COUNT];
static int global_count, other;
using ref = int &;

static int with_default(int x, int y = global_count++) { return x + y; }
ALONE void default_argument(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = with_default(ib[i]);
}
ALONE void typedef_reference(int n)
{
    ref r = ia[3];
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = ia[i];
        r = i;
    }
}
ALONE int or_equal(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s or_eq ib[i] & 12;
        ic[i] = s;
    }
    return s;
}
ALONE void xor_equal(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        ia[i] xor_eq ia[i - 1];
}
ALONE int words(int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ib[i] > 3 and not bad or ib[i] == 7)
            bad = ib[i];
    }
    return bad;
}
ALONE int chosen_place(int n)
{
    int s = 0, t = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = s - t;
        (ib[i] & 1 ? s : t) = ib[i];
    }
    return s + t;
}
ALONE void chosen_element(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        (ib[i] & 1 ? ia[i] : ic[i]) = ia[i - 1] + 1;
}
ALONE int place_of_assignment(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = s;
        (s = ib[i]) += 3;
    }
    return s;
}
ALONE int twice(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        ic[++ ++k] = i, k -= ib[i] & 1;
    return k;
}
ALONE int cast_place(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = s;
        (int &)s = ib[i];
    }
    return s;
}
ALONE int const_cast_place(int n)
{
    int s = 0;
    const int &c = s;
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = s;
        const_cast<int &>(c) = ib[i];
    }
    return s;
}
ALONE int bindings(int n)
{
    std::pair<int, int> p(0, 0);
    auto &first = p.first;
    auto &second = p.second;
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = first;
        first = ib[i] + second;
    }
    return p.first;
}
ALONE void in_union(int n)
{
    static union {
        int whole;
        short half;
    };
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = whole;
        half = (short)ib[i];
    }
}
static int &place(int *p, int i) { return p[i / 2]; }
ALONE void place_of_call(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        place(ia, i) += ib[i] * ia[i];
}
ALONE int declared_in_test(int n)
{
    int left = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (int k = ib[i] - left)
            left = k;
    return left;
}
ALONE void pointer_reference(int *&p, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *p++ = ib[i];
}
ALONE void index_reference(int n)
{
    int k = 0;
    int &r = k;
    for (int i = 0; i < n; i++) { /* loop: no */
        ia[k] = ib[i];
        r += ib[i] & 1;
    }
}
namespace {
int shared;
}
static inline int reads_shared() { return shared; }
ALONE void shared_by_name(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = reads_shared();
        shared = ib[i];
    }
}
ALONE void member_pointer(int n)
{
    struct two { int a, b; } t = {0, 0};
    int two::*p = n > 3 ? &two::a : &two::b;
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = t.a;
        t.*p = ib[i];
    }
}
ALONE void row_reference(int (*m)[8], int n)
{
    int (&row)[8] = m[0];
    for (int i = 0; i < n; i++)       /* loop: no */
        for (int j = 0; j < 8; j++) /* loop: parallel */
            m[i][j] = row[j] + i;
}
ALONE int shadows(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        int t = s;
        {
            int s = ib[i];
            t += s;
        }
        s = t & 15;
    }
    return s;
}
ALONE void lambda_once(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i] = [&] { return k += ib[i]; }();
}
template <int STEP> ALONE void by_template(int n)
{
    for (int i = STEP; i < n; i++) /* loop: no */
        ia[i] = ia[i - STEP] + 1;
}
ALONE void unsigned_down(int n)
{
    for (unsigned i = (unsigned)n; i-- > 0;) /* loop: no */
        ia[i] = ia[i + 1] + 1;
}
int main(int argc, char **)
{
    int n = COUNT + argc - 1;
    static int m[40][8];
    for (int i = 0; i < 2 * COUNT; i++)
        ia[i] = i, ib[i] = i * 7 % 31, ic[i] = i;
    default_argument(n), typedef_reference(n), keep(or_equal(n)), xor_equal(n), keep(words(n)), keep(chosen_place(n)), chosen_element(n);
    keep(place_of_assignment(n)), keep(twice(n)), keep(cast_place(n)), keep(const_cast_place(n)), keep(bindings(n)), in_union(n);
    place_of_call(n), keep(declared_in_test(n));
    int *p = ic;
    pointer_reference(p, n), index_reference(n), shared_by_name(n), member_pointer(n), row_reference(m, 40), keep(shadows(n)), lambda_once(n);
    by_template<1>(n), unsigned_down(n);
    digest(ia, sizeof ia), digest(ib, sizeof ib), digest(ic, sizeof ic), digest(m, sizeof m), keep(global_count + shared);
    return finish();
}
