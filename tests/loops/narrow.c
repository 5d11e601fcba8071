/* Sums and minima of numbers that are cut off, change their sign or are rounded on the way: which ones are
 * the same in any order. */
#include "loops.h"

#define ALONE static __attribute__((noinline))
enum { COUNT = 200, ROOM = 256 };

struct bits {
    unsigned m : 4;
    int t : 6;
};
static struct bits st;
static int ia[ROOM], ints[ROOM];
static double da[ROOM];
static short sa[ROOM];
static unsigned char ua[ROOM];
static signed char ca[ROOM];
static unsigned short us[ROOM];

ALONE short min_short(int n)
{
    short s = 32000;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        short v = sa[i] + sa[i + 1];
        if (v < s)
            s = v;
    }
    return s;
}
ALONE unsigned char min_uchar(int n)
{
    unsigned char s = 255;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (ua[i] < s)
            s = ua[i];
    return s;
}
ALONE unsigned char max_uchar(int n)
{
    unsigned char s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s = ua[i] > s ? ua[i] : s;
    return s;
}
ALONE signed char max_char(int n)
{
    signed char s = -100;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (ca[i] > s)
            s = ca[i];
    return s;
}
ALONE unsigned short max_ushort(const unsigned short *p, int n)
{
    unsigned short s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (p[i] > s)
            s = p[i];
    return s;
}
ALONE unsigned char sum_uchar(int n)
{
    unsigned char s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += ua[i];
    return s;
}
ALONE short product_short(int n)
{
    short s = 1;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s *= sa[i] + i;
    return s;
}
ALONE signed char cut_max(int n)
{
    signed char s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (sa[i] > s)
            s = sa[i];
    return s;
}
ALONE short cut_sum(int n)
{
    short s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s += ua[i] * 0.3;
    return s;
}
ALONE unsigned char halved(int n)
{
    unsigned char s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = (s + ua[i]) / 2;
    return s;
}
ALONE unsigned short cut_sign(const short *p, int n)
{
    unsigned short s = 9;
    for (int i = 0; i < n; i++) /* loop: no */
        if (p[i] < s)
            s = p[i];
    return s;
}
ALONE int toggled(int n)
{
    _Bool s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s ^= sa[i];
    return s;
}
ALONE int added_truth(int n)
{
    _Bool s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s += sa[i];
    return s;
}
ALONE int any_bit(int n)
{
    _Bool s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s |= sa[i];
    return s;
}
ALONE unsigned wide_unsigned(const int *p, int n)
{
    unsigned s = 9;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (p[i] < s)
            s = p[i];
    return s;
}
ALONE int sign_gained(const unsigned *p, int n)
{
    int s = 9;
    for (int i = 0; i < n; i++) /* loop: no */
        if (p[i] > s)
            s = p[i];
    return s;
}
ALONE void field_max(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (ia[i] > (int)st.m)
            st.m = (unsigned)ia[i];
}
ALONE void field_max_plain(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (ia[i] > st.t)
            st.t = ia[i];
}
ALONE int cut_compared(int n)
{
    int s = -1000;
    for (int i = 0; i < n; i++) /* loop: no */
        if ((signed char)ia[i] > s)
            s = ia[i];
    return s;
}
ALONE int as_unsigned(int n)
{
    int s = 5;
    for (int i = 0; i < n; i++) /* loop: no */
        if ((unsigned)ia[i] > (unsigned)s)
            s = ia[i];
    return s;
}
ALONE int cut_total(int n)
{
    int s = 5;
    for (int i = 0; i < n; i++) /* loop: no */
        s = (signed char)(s + ia[i]);
    return s;
}
ALONE int cut_product(int n)
{
    int s = 5;
    for (int i = 0; i < n; i++) /* loop: no */
        s = (unsigned short)(s * ia[i]);
    return s;
}
ALONE double rounded_sum(int n)
{
    double s = 5;
    for (int i = 0; i < n; i++) /* loop: no */
        s = (int)(s + da[i]);
    return s;
}
ALONE double rounded_max(int n)
{
    double s = -5;
    for (int i = 0; i < n; i++) /* loop: no */
        if (da[i] > (int)s)
            s = da[i];
    return s;
}
ALONE int magnitude(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (abs(ia[i]) > abs(s))
            s = ia[i];
    return s;
}
ALONE int near(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (ia[i] > s + 3)
            s = ia[i];
    return s;
}
ALONE int neighbour(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (ia[i] > s)
            s = ia[i + 1];
    return s;
}
ALONE int odd_one(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (ia[i] != s)
            s = ia[i];
    return s;
}
ALONE int max_then_min(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ia[i] > s)
            s = ia[i];
        if (sa[i] < s)
            s = sa[i];
    }
    return s;
}
ALONE int averaged(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = s + (ia[i] - s) / 8;
    return s;
}
ALONE unsigned shifted(int n)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = s << 1 ^ (unsigned)ia[i];
    return s;
}
ALONE int clamped(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += ia[i];
        if (s < 0)
            s = 0;
    }
    return s;
}
ALONE float narrow_float(int n)
{
    float s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (da[i] > s)
            s = da[i];
    return s;
}
ALONE int minus_from(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = ia[i] - s;
    return s;
}
ALONE int divides(int n)
{
    int s = 1 << 30;
    for (int i = 0; i < n; i++) /* loop: no */
        s /= (ia[i] & 1) + 1;
    return s;
}
ALONE int side_effect(int n)
{
    int s = 0, k = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s += ia[k++ & 127] + k;
    return s;
}
ALONE long widened(int n)
{
    long s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = (int)s + ia[i];
    return s;
}
int main(int argc, char **argv)
{
    (void)argv;
    int n = COUNT + argc - 1;
    for (int i = 0; i < ROOM; i++) {
        sa[i] = i * 37 % 101 - 3, ua[i] = i * 7, ca[i] = i * 5, us[i] = i * 771;
        ints[i] = (i * 37 % 101 - 50) * 40000000, ia[i] = (i * 37 % 101 - 50) * 9, da[i] = ia[i] * 0.37;
    }
    keep(min_short(n)), keep(min_uchar(n)), keep(max_uchar(n)), keep(max_char(n)), keep(max_ushort(us, n)),
        keep(sum_uchar(n)), keep(product_short(n)), keep(cut_max(n)), keep(cut_sum(n)), keep(halved(n)),
        keep(cut_sign(sa, n)), keep(toggled(n)), keep(added_truth(n)), keep(any_bit(n)),
        keep(wide_unsigned(ints, n)), keep(sign_gained((unsigned *)ints, n));
    field_max(n), field_max_plain(n), keep(cut_compared(n)), keep(as_unsigned(n)), keep(cut_total(n)),
        keep(cut_product(n)), keep(rounded_sum(n)), keep(rounded_max(n)), keep(magnitude(n)), keep(near(n)),
        keep(neighbour(n)), keep(odd_one(n)), keep(max_then_min(n)), keep(averaged(n)), keep(shifted(n)),
        keep(clamped(n)), keep(narrow_float(n)), keep(minus_from(n)), keep(divides(n)), keep(side_effect(n)),
        keep(widened(n));
    keep(st.m + st.t);
    return finish();
}
