/* So few iterations that a vector loop runs but once, and a few are left for the rest. */
#include "loops.h"

#define ALONE static __attribute__((noinline))
enum { ROOM = 128 };
static int ia[ROOM], ib[ROOM];
static double da[ROOM], db[ROOM];
static unsigned char ca[ROOM], cb[ROOM], flags[ROOM];

ALONE void next_int(int *restrict a, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        a[i] = a[i + 1] + 1;
}
ALONE void next_char(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ca[i] = ca[i + 1] + 1;
}
ALONE void next_double(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        da[i] = da[i + 1] * 2;
}
ALONE void third_int(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = ia[i + 3] + 2;
}
ALONE void fifth_char(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ca[i] = ca[i + 5] ^ 3;
}
ALONE void ninth_back(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i + 9] = ia[i] + 3;
}
ALONE void seventeenth_back(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ca[i + 17] = ca[i] + 3;
}
ALONE void never_back(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ia[i + 64] = ia[i] - 3;
}
ALONE void twice(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = ia[2 * i] + 4;
}
ALONE void from_the_end(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = ia[n - 1 - i] + 5;
}
ALONE void below_flag(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (flags[i])
            ia[i] = ia[i + 1] + 6;
}
ALONE void one_behind(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        db[i] = db[i - 1] + da[i];
}
ALONE void written_next(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = ia[i] + 7;
        ib[i + 1] = ia[i] - 7;
    }
}
ALONE void apart_int(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ib[i] = ia[i] * 3;
}
ALONE void apart_char(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        cb[i] = ca[i] * 3;
}
ALONE void apart_double(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        to[i] = from[i] * 3;
}
ALONE int sum(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += ia[i];
    return s;
}

int main(int argc, char **argv)
{
    for (int i = 0; i < ROOM; i++) { /* loop: parallel */
        ia[i] = i * 37 % 101;
        ca[i] = (unsigned char)(i * 7);
        da[i] = i % 17 * 0.25;
        flags[i] = i % 3 != 0;
    }
    int few = 9 + argc, more = 18 + argc;
    next_int(ia, few);
    next_char(more);
    next_double(5 + argc);
    third_int(few);
    fifth_char(more);
    ninth_back(10 + argc);
    seventeenth_back(more);
    never_back(few);
    twice(few);
    from_the_end(few);
    below_flag(few);
    one_behind(5 + argc);
    written_next(few);
    digest(ib, sizeof ib);
    apart_int(few);
    apart_char(more);
    apart_double(db, da, 5 + argc);
    keep(sum(few));
    digest(ia, sizeof ia), digest(ib, sizeof ib), digest(ca, sizeof ca), digest(cb, sizeof cb);
    digest(da, sizeof da), digest(db, sizeof db);
    return finish();
}
