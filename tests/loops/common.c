/* What a loop has in common with functions that a compiler puts into it: variables of the file. */
#include "loops.h"
#define ALONE static __attribute__((noinline))
enum { COUNT = 200 };
static int ia[2 * COUNT], ib[2 * COUNT], ic[2 * COUNT];
static int shared, flag;
static struct {
    int last, n;
} st;
static inline int reads_shared(void)
{
    return shared;
}
static inline int before(int i)
{
    return ia[i - 1];
}
static inline int after(int i)
{
    return ia[i + 1];
}
static inline int reads_field(void)
{
    return st.last;
}
static inline int deep(void)
{
    return reads_shared() + 1;
}
static inline void sets_shared(int x)
{
    shared = x;
}
static inline void sets_at(int i, int x)
{
    ia[i + 1] = x;
}
static inline int *where(void)
{
    return &shared;
}
ALONE void scalar(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = reads_shared();
        shared = ib[i];
    }
}
ALONE void scalar_deep(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = deep();
        shared = ib[i];
    }
}
ALONE void scalar_set_there(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = shared;
        sets_shared(ib[i]);
    }
}
ALONE void both_there(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = reads_shared();
        sets_shared(ib[i]);
    }
}
ALONE void element(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        ia[i] = before(i) + ib[i];
}
ALONE void element_set_there(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = ia[i];
        sets_at(i, ib[i]);
    }
}
ALONE void element_after(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = after(i) * 0 + ib[i];
}
ALONE void field(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = reads_field();
        st.last = ib[i];
    }
}
ALONE void by_place(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = *where();
        shared = ib[i];
    }
}
/* no clause gives a called function its own */
ALONE void set_first(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        shared = ib[i];
        ic[i] = reads_shared();
    }
}
static __attribute__((noinline)) int looks_at_shared(void)
{
    return shared * 2;
}
ALONE void set_first_for_call(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        shared = ib[i];
        ic[i] = looks_at_shared();
    }
}
static int scratch[4];
static __attribute__((noinline)) int looks_at_scratch(void)
{
    return scratch[1] * 2;
}
ALONE void filled_for_call(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        scratch[0] = ib[i], scratch[1] = i;
        ic[i] = looks_at_scratch();
    }
}
static __attribute__((noinline)) int looks_at(const int *t)
{
    return t[0] + t[1] * 2;
}
ALONE void filled_and_handed_over(int n)
{
    int scratch[4], shared;
    for (int i = 0; i < n; i++) { /* loop: private */
        shared = ib[i];
        scratch[0] = shared, scratch[1] = shared + i;
        ic[i] = looks_at(scratch) + shared;
    }
}
ALONE void once(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (!flag)
            ic[i] = reads_shared();
        flag = ib[i] & 1;
        shared = i;
    }
}
int main(int argc, char **argv)
{
    int n = COUNT + argc - 1;
    for (int i = 0; i < 2 * COUNT; i++)
        ia[i] = i, ib[i] = i * 7 % 31, ic[i] = i;
    scalar(n), scalar_deep(n), scalar_set_there(n), both_there(n), element(n), element_set_there(n),
        element_after(n), field(n), by_place(n), set_first(n), once(n), set_first_for_call(n),
        filled_for_call(n), filled_and_handed_over(n);
    digest(ia, sizeof ia), digest(ic, sizeof ic), keep(shared + st.last + flag);
    return finish();
}
