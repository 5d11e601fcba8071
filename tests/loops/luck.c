/* Loops that were independent by this input's luck, by what a compiler made of them, or by a conversion: what
 * need not be set was, each time; bytes that two members share; a pointer to a function that is another later
 * on. Those beside them are free. */
#include "loops.h"

#define ALONE static __attribute__((noinline))
enum { M = 256 };
static int ia[4 * M], ib[4 * M], ic[4 * M], eight[M], scratch[16];
static double da[4 * M];

/* what an `if` sets that held in every iteration */
ALONE int set_below_if(int n)
{
    int t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ib[i] >= 0)
            for (int j = 0; j < 8; j++)
                t[j] = ib[i] + j;
        for (int j = 0; j < 8; j++)
            s += t[j] * j;
    }
    return s;
}
ALONE int set_below_if_of_file(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ib[i] >= 0)
            for (int j = 0; j < 16; j++)
                scratch[j] = ib[i] ^ j;
        for (int j = 0; j < 16; j++)
            s += scratch[j] * j;
    }
    return s;
}
ALONE int set_on_both_ways(int n)
{
    int t[8], s = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        if (ib[i] & 1)
            for (int j = 0; j < 8; j++)
                t[j] = ib[i] + j;
        else
            for (int j = 0; j < 8; j++)
                t[j] = ib[i] - j;
        for (int j = 0; j < 8; j++)
            s += t[j] * t[7 - j];
    }
    return s;
}
ALONE int asked_below_the_same(int n)
{
    int t[8], s = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        if (ib[i] & 1)
            for (int j = 0; j < 8; j++)
                t[j] = ib[i] + j;
        s += i;
        if (ib[i] & 1)
            for (int j = 0; j < 8; j++)
                s += t[j] * t[7 - j];
    }
    return s;
}
/* what is asked has the name of another variable there */
ALONE int asked_of_another(int n)
{
    int t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        int m = ib[i];
        if (m & 1)
            for (int j = 0; j < 8; j++)
                t[j] = ib[i] + j;
        {
            int m = ia[i];
            if (m & 1)
                for (int j = 0; j < 8; j++)
                    s += t[j] * t[7 - j];
        }
    }
    return s;
}
ALONE int asked_of_another_counter(int n)
{
    int t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (i & 1)
            for (int j = 0; j < 8; j++)
                t[j] = ib[i] + j;
        for (int i = 1; i < 3; i++)
            if (i & 1)
                for (int j = 0; j < 8; j++)
                    s += t[j] * t[7 - j];
    }
    return s;
}
/* what a loop sets that turned as often each time, and need not */
ALONE int set_by_while(int n)
{
    int t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        int j = 0;
        while (j < eight[i]) {
            t[j] = ib[i] + j;
            j++;
        }
        s += t[0] + t[1] * 2;
    }
    return s;
}
ALONE int set_as_far_as_read(int n)
{
    int t[8], s = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        int m = ia[i] & 7;
        for (int j = 0; j < m; j++)
            t[j] = ib[i] + j;
        for (int j = 0; j < m; j++)
            s += t[j] * t[m - 1 - j];
    }
    return s;
}
static void fill_some(int *t, int k, int x)
{
    for (int j = 0; j < k; j++) /* loop: parallel */
        t[j] = x + j;
}
ALONE int set_by_call(int n)
{
    int t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        fill_some(t, eight[i], ib[i]);
        for (int j = 0; j < 8; j++)
            s += t[j] * j;
    }
    return s;
}
__attribute__((noinline)) static void fill_called(int *t, int k, int x)
{
    for (int j = 0; j < k; j++) /* loop: parallel */
        t[j] = x + j;
}
ALONE int set_by_real_call(int n)
{
    int t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        fill_called(t, eight[i], ib[i]);
        for (int j = 0; j < 8; j++)
            s += t[j] * j;
    }
    return s;
}
ALONE int set_by_call_always(int n, int m)
{
    int t[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        fill_called(t, m, ib[i]);
        for (int j = 0; j < m; j++)
            s += t[j] * t[m - 1 - j];
    }
    return s;
}
/* conversions */
ALONE unsigned char narrow_most(int n)
{
    unsigned char m = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (ib[i] * 5 > m)
            m = (unsigned char)(ib[i] * 5);
    return m;
}
ALONE int whole_sum(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = (int)(s + da[i] * 0.7);
    return s;
}
/* bytes in common */
union pun {
    float f;
    unsigned u;
    unsigned char c[4];
};
ALONE void sum_seen_by_another_member(int n)
{
    union pun p;
    p.u = 7;
    for (int i = 0; i < n; i++) { /* loop: no */
        p.f += 1.5f;
        ia[i] = (int)(p.u >> 20);
    }
}
ALONE void own_by_another_member(int n)
{
    union pun p;
    for (int i = 0; i < n; i++) { /* loop: private */
        p.f = (float)da[i];
        ia[i] = (int)(p.u >> 20);
    }
}
static struct {
    unsigned even : 16, odd : 16;
} halves[M];
ALONE void bits_beside(int n)
{
    for (int i = 0; i + 1 < n; i++) { /* loop: no */
        halves[i].even = (unsigned)i & 0xffff;
        halves[i + 1].odd = (unsigned)i * 3 & 0xffff;
    }
}
ALONE void bits_of_one(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        halves[i].even = (unsigned)i & 0xffff;
        halves[i].odd = (unsigned)i * 3 & 0xffff;
    }
}
/* what functions have in common */
static char *text_of(int x)
{
    static char t[12];
    t[0] = (char)('0' + x % 10);
    t[1] = 0;
    return t;
}
ALONE void buffer_handed_out(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i] = text_of(i)[0] + ib[i];
}
static int (*chosen)(int);
static int later_time(int x)
{
    return x * 2;
}
static int first_time(int x)
{
    chosen = later_time;
    return -x;
}
ALONE void becomes_another(int n)
{
    chosen = first_time;
    for (int i = 0; i < n; i++) /* loop: no */
        ic[i] = chosen(i);
}

/* promises that are not kept, and stores that are made elsewhere */
ALONE void not_alone(double *restrict p, const double *restrict q, const double *restrict r, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        p[i] = q[i] + q[i + 1] + r[i];
}
ALONE void not_alone_in_two_lines(double *restrict p, const double *restrict q, const double *restrict r,
                                  int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        double a = q[i] + r[i];
        double b = q[i + 1] * r[i + 1];
        p[i] = a + b;
    }
}
ALONE void alone(double *restrict p, const double *restrict q, const double *restrict r, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        p[i] = q[i] + q[i + 1] + r[i];
}
ALONE void set_in_front(unsigned char *p, unsigned char *q, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        p[i] = 7;
        q[i] = (unsigned char)i;
    }
}

int main(int argc, char **argv)
{
    (void)argv;
    int n = 200 + argc - 1;
    for (int i = 0; i < 4 * M; i++)
        ia[i] = i * 37 % 101, ib[i] = i * 17 % 91, da[i] = i * .3;
    for (int i = 0; i < M; i++)
        eight[i] = 8;
    keep(set_below_if(n) + set_below_if_of_file(n) + set_on_both_ways(n) + asked_below_the_same(n));
    keep(asked_of_another(n) + asked_of_another_counter(n));
    keep(set_by_while(n) + set_as_far_as_read(n) + set_by_call(n) + set_by_real_call(n) +
         set_by_call_always(n, 8));
    keep(narrow_most(n) + whole_sum(n));
    sum_seen_by_another_member(n);
    digest(ia, sizeof ia);
    own_by_another_member(n);
    bits_beside(n);
    digest(halves, sizeof halves);
    bits_of_one(n);
    buffer_handed_out(n);
    digest(ic, sizeof ic);
    becomes_another(n);
    static double db[4 * M], dc[4 * M];
    static unsigned char bytes[4 * M];
    not_alone(da + 8, da + 7, db, n);
    digest(da, sizeof da);
    not_alone_in_two_lines(da + 8, da + 7, db, n);
    alone(dc, da, db, n);
    set_in_front(bytes + 1, bytes, n);
    digest(da, sizeof da), digest(dc, sizeof dc), digest(bytes, sizeof bytes);
    digest(ia, sizeof ia), digest(ic, sizeof ic), digest(halves, sizeof halves),
        digest(scratch, sizeof scratch);
    return finish();
}
