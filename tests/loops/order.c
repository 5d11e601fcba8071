/* Ways to leave early, last and first values, states, and operators in any order and in one alone. */
#include "loops.h"

#define ALONE __attribute__((noinline))

enum { COUNT = 300, M = 20 };
static int a[COUNT + 40], b[COUNT + 40], c[COUNT + 40], idx[COUNT + 40];
static double d[COUNT + 40], e[COUNT + 40];
static int m[M + 2][M + 2];
ALONE static int f_break(int n)
{
    int i;
    for (i = 0; i < n; i++) { /* loop: no */
        if (a[i] > 250)
            break;
        b[i] = a[i];
    }
    return i;
}
ALONE static int f_return(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (a[i] == 200)
            return i;
    return -1;
}
ALONE static int f_goto(int n)
{
    int x = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (a[i] == 211)
            goto out;
        b[i] = a[i] + 2;
    }
    x = 4;
out:
    return x;
}
ALONE static int f_found(int n)
{
    int found = 0;
    for (int i = 0; i < n && !found; i++) { /* loop: no */
        c[i] = i;
        if (a[i] == 190)
            found = 1;
    }
    return found;
}
ALONE static int f_any(int n)
{
    int found = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (a[i] == 190)
            found = 1;
    return found;
}
ALONE static int f_last(int n)
{
    int last = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (a[i] % 17 == 3)
            last = a[i];
    return last;
}
ALONE static int f_first(int n)
{
    int first = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (first < 0 && a[i] % 17 == 3)
            first = i;
    return first;
}
ALONE static void f_last_used(int n)
{
    int last = -1;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (a[i] % 17 == 3)
            last = i;
        b[i] = last;
    }
}
ALONE static int f_argmin(int n)
{
    int best = 1 << 30, at = -1;
    for (int i = 0; i < n; i++) /* loop: no */
        if (a[i] * 7 % 31 < best)
            best = a[i] * 7 % 31, at = i;
    return at * 100 + best;
}
ALONE static int f_min(int n)
{
    int best = 1 << 30;
    for (int i = 0; i < n; i++) /* loop: reduction */
        if (a[i] < best)
            best = a[i];
    return best;
}
ALONE static int f_min_count(int n)
{
    int best = 1 << 30, times = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (a[i] < best)
            best = a[i], times++;
    return times;
}
ALONE static int f_minmax(int n)
{
    int lo = 1 << 30, hi = -lo;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        if (a[i] < lo)
            lo = a[i];
        if (a[i] > hi)
            hi = a[i];
    }
    return lo + hi;
}
ALONE static int f_second(int n)
{
    int x = -1, y = -1;
    for (int i = 0; i < n; i++) { /* loop: no */
        int v = a[i] * 37 % 101;
        if (v > x) {
            y = x;
            x = v;
        } else if (v > y)
            y = v;
    }
    return x * 1000 + y;
}
ALONE static int f_sub(int n)
{
    int s = 1000000;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s -= a[i];
    return s;
}
ALONE static int f_rsub(int n)
{
    int s = 5;
    for (int i = 0; i < n; i++) /* loop: no */
        s = a[i] - s;
    return s;
}
ALONE static double f_div(int n)
{
    double s = 1e30;
    for (int i = 0; i < n; i++)
        s /= 1 + d[i];
    return s;
}
ALONE static double f_rdiv(int n)
{
    double s = 2;
    for (int i = 0; i < n; i++) /* loop: no */
        s = d[i] / s;
    return s;
}
ALONE static int f_shift(int n)
{
    unsigned s = 1;
    for (int i = 0; i < n; i++) /* loop: no */
        s = s << 1 ^ a[i];
    return s;
}
ALONE static int f_mod(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = (s * 31 + a[i]) % 1009;
    return s;
}
ALONE static int f_summod(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s = (s + a[i]) % 1009;
    return s;
}
ALONE static int f_sat(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += a[i] - 120;
        if (s < 0)
            s = 0;
        if (s > 3000)
            s = 3000;
    }
    return s;
}
ALONE static unsigned char f_sat8(int n)
{
    unsigned char s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        int t = s + (a[i] & 3);
        s = t > 255 ? 255 : t;
        if (a[i] % 50 == 0)
            s >>= 1;
    }
    return s;
}
ALONE static unsigned f_ops(int n)
{
    unsigned x = 0, y = ~0u, z = 0, p = 1;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        x ^= a[i];
        y &= a[i] | 64;
        z |= a[i] * 3;
        p *= a[i] | 1;
    }
    return x + y + z + p;
}
ALONE static int f_mixed(int n)
{
    int s = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (a[i] & 1)
            s += a[i];
        else
            s *= 3;
    }
    return s;
}
ALONE static int f_sumread(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += a[i];
        b[i] = s;
    }
    return s;
}
ALONE static int f_sumcond(int n)
{
    int s = 0, k = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += a[i];
        if (s > 5000) {
            k++;
        }
    }
    return k + s;
}
ALONE static int f_sumlast(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += a[i];
        if (i == n / 2)
            b[3] = s;
    }
    return s;
}
ALONE static double f_float(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (d[i] > s / (i + 1))
            s += d[i];
    return s;
}
ALONE static double f_ema(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = 0.9 * s + 0.1 * d[i];
    return s;
}
ALONE static double f_horner(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        s = s * 0.5 + d[i];
    return s;
}
ALONE static double f_power(int n)
{
    double x = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        e[i] = x;
        x *= 1.01;
    }
    return x;
}
ALONE static double f_xstep(int n)
{
    double x = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        e[i] = x * x;
        x += 0.1;
    }
    return x;
}
ALONE static void f_compact(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (a[i] & 1)
            b[k++] = a[i];
    c[0] = k;
}
ALONE static void f_toggle(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        t = !t;
        b[i] = t ? a[i] : -a[i];
    }
}
ALONE static void f_prev(int n)
{
    int p = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        b[i] = a[i] - p;
        p = a[i];
    }
}
ALONE static void f_switch(int n)
{
    int st = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        switch (st) {
        case 0:
            st = a[i] & 1 ? 1 : 0;
            break;
        case 1:
            st = a[i] & 2 ? 2 : 0;
            break;
        default:
            st = 0;
        }
        b[i] = st;
    }
}
ALONE static void f_continue(int n)
{
    int t = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (a[i] % 3 == 0)
            continue;
        b[i] = t;
        t = a[i];
    }
}
ALONE static int f_while(int n)
{
    int i = 0, s = 0;
    while (i < n) { /* loop: no */
        s += a[i];
        i += 1 + (a[i] & 1);
    }
    return s;
}
ALONE static int f_do(int n)
{
    int i = 0;
    do {
        b[i] = a[i] * 2;
    } while (++i < n && a[i] < 280); /* loop: no */
    return i;
}
ALONE static int f_two(int n)
{
    int j = n - 1, s = 0;
    for (int i = 0; i < j; i++, j--)
        s += a[i] * b[j];
    return s;
}
ALONE static void f_inplace(int n)
{
    for (int i = 0, j = n - 1; i < n; i++, j--) /* loop: no */
        a[i] = a[j] + 1;
}
ALONE static void f_swap(int n)
{
    for (int i = 0; i < n / 2; i++) {
        int t = b[i];
        b[i] = b[n - 1 - i];
        b[n - 1 - i] = t;
    }
}
ALONE static void f_bubble(int n)
{
    for (int i = 0; i + 1 < n; i++) /* loop: no */
        if (b[i] > b[i + 1]) {
            int t = b[i];
            b[i] = b[i + 1];
            b[i + 1] = t;
        }
}
ALONE static void f_oddeven(int n, int p)
{
    for (int i = p; i + 1 < n; i += 2) /* loop: parallel */
        if (b[i] > b[i + 1]) {
            int t = b[i];
            b[i] = b[i + 1];
            b[i + 1] = t;
        }
}
ALONE static int f_collatz(int n)
{
    int most = 0;
    for (int i = 1; i < n; i++) { /* loop: reduction */
        int steps = 0;
        long x = i;
        while (x != 1) {
            x = x & 1 ? 3 * x + 1 : x / 2;
            steps++;
        }
        if (steps > most)
            most = steps;
    }
    return most;
}
/* Elements are combined, and another line looks at some of them before a later iteration gets there. */
ALONE static void f_looked_ahead(int n, double *x)
{
    int i = 0;
    while (i < n) { /* loop: no */
        x[2 + i] *= i & 3;
        x[idx[30 + i % 7]] *= x[5 + i] + n;
        i++;
    }
}
/* One is summed up, beside others that are looked at before a later iteration overwrites them. */
ALONE static void f_summed_beside(int n, double *x, const double *w)
{
    for (long i = 0; i < n; i++) { /* loop: no */
        x[2 + i] += 0.5 + x[5 + i];
        x[1] += i + w[3 + 2 * i];
    }
}

int main(int argc, char **argv)
{
    int n = COUNT * argc;
    long s = 0;
    for (int i = 0; i < COUNT; i++)
        a[i] = i * 7 % 293, d[i] = i % 13 * 0.25, idx[i] = i * 11 % COUNT;
    s += f_break(n);
    s = s * 3 + f_return(n);
    s = s * 3 + f_goto(n);
    s = s * 3 + f_found(n);
    s = s * 3 + f_any(n);
    s = s * 3 + f_last(n);
    s = s * 3 + f_first(n);
    f_last_used(n);
    digest(b, sizeof b);
    s = s * 3 + f_argmin(n);
    s = s * 3 + f_min(n);
    s = s * 3 + f_min_count(n);
    s = s * 3 + f_minmax(n);
    s = s * 3 + f_second(n);
    s = s * 3 + f_sub(n);
    s = s * 3 + f_rsub(n);
    double q = f_div(n) + f_rdiv(n) + f_float(n) + f_ema(n) + f_horner(n) + f_power(n) + f_xstep(n);
    digest(e, sizeof e);
    s = s * 3 + f_shift(n) + f_mod(n) + f_summod(n) + f_sat(n) + f_sat8(n) + f_ops(n) + f_mixed(n) +
        f_sumread(n) + f_sumcond(n) + f_sumlast(n);
    digest(b, sizeof b);
    f_compact(n);
    digest(b, sizeof b);
    f_toggle(n);
    digest(b, sizeof b);
    f_prev(n);
    digest(b, sizeof b);
    f_switch(n);
    digest(b, sizeof b);
    f_continue(n);
    digest(b, sizeof b);
    s += f_while(n);
    s += f_do(n);
    digest(b, sizeof b);
    s += f_two(n);
    f_inplace(n);
    digest(a, sizeof a);
    f_swap(n);
    digest(b, sizeof b);
    f_bubble(n);
    digest(b, sizeof b);
    f_oddeven(n, 0);
    f_oddeven(n, 1);
    digest(b, sizeof b);
    s += f_collatz(n);
    f_looked_ahead(20, d);
    digest(d, sizeof d);
    f_summed_beside(30, d, e);
    digest(d, sizeof d);
    digest(&q, 8);
    digest(&s, 8);
    digest(c, sizeof c);
    return finish();
}
