/* What the C library and lists of arguments keep where no access of memory shows it, or this run has no
 * reason to: how floats are rounded, conversions of characters that are in the middle of something, errno,
 * va_list. */
#define _GNU_SOURCE
#include "loops.h"
#include <errno.h>
#include <fenv.h>
#include <locale.h>
#include <math.h>
#include <stdarg.h>
#include <wchar.h>

#define ALONE static __attribute__((noinline))
enum { M = 208 };
static int ia[M], ib[M];
static double da[M], db[M];
static char names[M][16], bytes[M][8];
static wchar_t wide[M];

ALONE void conversion(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = (int)wcrtomb(bytes[i], 0x20 + i * 7, NULL);
}
ALONE void conversion_zero(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = (int)mbrtowc(&wide[i], "xy", 2, 0);
}
ALONE void conversion_of_old(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = mbtowc(&wide[i], "x", 1);
}
ALONE void conversion_back(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = wctomb(bytes[i], 0x20 + i);
}
static int put(char *to, wchar_t c)
{
    return (int)wcrtomb(to, c, NULL);
}
ALONE void conversion_called(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = put(bytes[i], 0x20 + i * 7);
}
ALONE void conversion_own(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        mbstate_t s = {0};
        ia[i] = (int)wcrtomb(bytes[i], 0x20 + i * 7, &s);
    }
}

ALONE void error_kept(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ia[i] = (int)strtol(names[i], NULL, 10);
        ib[i] = errno;
    }
}
ALONE int error_asked(int n)
{
    int bad = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        da[i] = sqrt(db[i]);
        if (errno == EDOM)
            bad++;
    }
    return bad;
}
ALONE int parse(const char *s)
{
    int v = (int)strtol(s, NULL, 10);
    return errno == ERANGE ? -1 : v;
}
ALONE void error_called(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = parse(names[i]);
}
ALONE void error_cleared(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        errno = 0;
        ia[i] = (int)strtol(names[i], NULL, 10);
        ib[i] = errno;
    }
}

ALONE void rounded(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        da[i] = nearbyint(db[i] + 0.3);
        fesetround(i % 3 ? FE_UPWARD : FE_DOWNWARD);
    }
    fesetround(FE_TONEAREST);
}
ALONE void raised(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        da[i] = 1.0 / db[i];
        ia[i] = fetestexcept(FE_INEXACT) != 0;
    }
}
ALONE void same_rounding(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        da[i] = nearbyint(db[i] * 1.7);
}

ALONE void arguments(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = va_arg(ap, int);
    va_end(ap);
}
ALONE double arguments_sum(int n, ...)
{
    va_list ap;
    double s = 0;
    va_start(ap, n);
    for (int i = 0; i < n; i++) /* loop: no */
        s += va_arg(ap, double);
    va_end(ap);
    return s;
}
ALONE void arguments_handed(int n, va_list ap)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = va_arg(ap, int);
}
ALONE void arguments_hand(int n, ...)
{
    va_list ap;
    va_start(ap, n);
    arguments_handed(n, ap);
    va_end(ap);
}

int main(int argc, char **argv)
{
    int n = 150 + argc;
    (void)argv;
    setlocale(LC_ALL, "C.UTF-8");
    for (int i = 0; i < M; i++) {
        snprintf(names[i], sizeof names[i], "%d", i * 37 % 41);
        db[i] = i * 0.37 + 1;
    }
    conversion(n), conversion_zero(n), conversion_of_old(n), conversion_back(n), conversion_called(n);
    digest(ia, sizeof ia);
    conversion_own(n);
    error_kept(n);
    keep(error_asked(n));
    error_called(n);
    error_cleared(n);
    digest(ia, sizeof ia), digest(ib, sizeof ib), digest(da, sizeof da);
    rounded(n);
    digest(da, sizeof da);
    raised(n);
    digest(ia, sizeof ia), digest(da, sizeof da);
    same_rounding(n);
    arguments(14, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    digest(ia, sizeof ia);
    arguments_hand(14, 3, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14);
    keep(arguments_sum(9, 1., 2., 3., 4., 5., 6., 7., 8., 9.));
    digest(ia, sizeof ia), digest(ib, sizeof ib), digest(da, sizeof da), digest(bytes, sizeof bytes),
        digest(wide, sizeof wide);
    return finish();
}
