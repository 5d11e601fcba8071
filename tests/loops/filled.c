/* Elements that a test has read before the body does, minima by macros, and arrays that memset fills: free
 * loops by these, and others that look like them. */
#include "loops.h"
#include <string.h>
#define ALONE static __attribute__((noinline))
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#define MAX(a, b) ((a) > (b) ? (a) : (b))
enum { NN = 60 };
static int a[4 * NN], b[4 * NN], c[4 * NN], t[NN];
static int m[NN][16];
ALONE void tested_one_line(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        if (c[i] > 0 && a[i - 1] > 3)
            a[i] = a[i - 1] + 1;
}
ALONE void tested(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        if (c[i] > 0 && a[i - 1] > 3)
            a[i] = a[i - 1] + 1;
}
ALONE void tested_two_lines(int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        if (c[i] > 0 && a[i - 1] > 3)
            a[i] = a[i - 1] + b[i];
    }
}
ALONE void tested_moves(int n)
{
    int k = 0;
    for (int i = 1; i < n; i++) {       /* loop: no */
        while (k < n - 1 && a[k] < 5) { /* loop: no */
            k++;
            b[i] += a[k];
        }
        a[i] = b[i] & 7;
    }
}
ALONE void tested_stored(int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        if (c[i] != 100 && a[i] < 50) {
            a[i + 1] = c[i];
            b[i] = a[i] + 1;
        }
    }
}
ALONE void while_row(int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        int k = 15;
        while (k >= 0 && m[i - 1][k] > 2) { /* loop: no */
            m[i][k] = m[i - 1][k] - 1;
            k--;
        }
    }
}
ALONE void while_across(int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        int k = i - 1, key = a[i];
        while (k >= 0 && a[k] > key) { /* loop: no */
            a[k + 1] = a[k];
            k--;
        }
        a[k + 1] = key;
    }
}
ALONE void last_of(int n)
{
    int last = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (i > 0 && b[i] > 10)
            last = b[i];
        c[i] = last;
    }
}
ALONE int min_used(int n)
{
    int best = 1000;
    for (int i = 0; i < n; i++) { /* loop: no */
        best = MIN(best, b[i]);
        c[i] = best;
    }
    return best;
}
ALONE int min_of_other(int n)
{
    int best = 1000, other = 7;
    for (int i = 0; i < n; i++) /* loop: no */
        best = MIN((other), best + b[i] % 3);
    return best;
}
ALONE int min_swapped(int n)
{
    int best = 1000;
    for (int i = 0; i < n; i++) /* loop: no */
        best = ((best) < (b[i]) ? (best) : (b[i] + 1));
    return best;
}
ALONE int min_then_max(int n)
{
    int best = 20;
    for (int i = 0; i < n; i++) /* loop: no */
        best = MAX(MIN(best, b[i]), c[i] - 40);
    return best;
}
ALONE int clamp_down(int n)
{
    int best = 1000;
    for (int i = 0; i < n; i++) { /* loop: no */
        best = MIN(best, b[i]);
        best = MAX(best, c[i]);
    }
    return best;
}
ALONE void returned(int n)
{
    char buffer[64], *p = buffer;
    memset(buffer, 0, sizeof buffer);
    for (int i = 0; i < n; i++) { /* loop: no */
        p = (char *)memset(p, i, 4) + (i & 3);
        if (p > buffer + 50)
            p = buffer;
        c[i] = *p;
    }
}
ALONE void copied_on(int n)
{
    int *p = a;
    for (int i = 0; i < n; i++) { /* loop: no */
        p = memcpy(p, b + i, 8);
        p[2] += p[0];
        p = p + (b[i] & 1);
        if (p > a + 100)
            p = a;
    }
}
ALONE void keeps_place(int n)
{
    int tmp[16];
    for (int i = 0; i < n; i++) { /* loop: parallel */
        memset(tmp, 0, sizeof tmp);
        for (int k = 0; k < 64; k++) /* loop: reduction */
            tmp[b[(i + k) & 63] & 15]++;
        int best = 0;
        for (int k = 1; k < 16; k++) /* loop: no */
            if (tmp[k] > tmp[best])
                best = k;
        c[i] = best;
    }
}
ALONE void keeps_some(int n)
{
    int tmp[16];
    memset(tmp, 0, sizeof tmp);
    for (int i = 0; i < n; i++) { /* loop: no */
        memset(tmp + 1, 0, sizeof tmp - sizeof *tmp);
        for (int k = 0; k < 8; k++)
            tmp[b[(i + k) & 63] & 15]++;
        c[i] = tmp[0] + tmp[3];
    }
}
ALONE void one_buffer(int n)
{
    static int tmp[16];
    for (int i = 0; i < n; i++) { /* loop: no */
        if (i % 4 == 0)
            memset(tmp, 0, sizeof tmp);
        tmp[b[i] & 15]++;
        c[i] = tmp[b[i] & 15];
    }
}
ALONE void filled_late(int n)
{
    int tmp[16];
    memset(tmp, 0, sizeof tmp);
    for (int i = 0; i < n; i++) { /* loop: no */
        c[i] = tmp[b[i] & 15];
        memset(tmp, i, sizeof tmp);
    }
}
ALONE void filled_sometimes(int n)
{
    int tmp[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        if (c[i] > 9)
            memset(tmp, 0, sizeof tmp);
        tmp[i & 15] += b[i];
        a[i] = tmp[(i + 1) & 15];
    }
}
ALONE void filled_inside(int n)
{
    int tmp[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        for (int k = 0; k < c[i] % 2; k++)
            memset(tmp, 0, sizeof tmp);
        tmp[b[i] & 15]++;
        a[i] = tmp[b[i] & 15];
    }
}
ALONE void filled_in_part(int n)
{
    int tmp[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        memset(tmp, 0, 15 * sizeof *tmp);
        tmp[b[i] & 15]++;
        a[i] = tmp[15];
    }
}
ALONE void filled_by_pointer(int *tmp, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        memset(tmp, 0, sizeof tmp);
        tmp[b[i] & 15]++;
        a[i] = tmp[5];
    }
}
ALONE void filled_after_jump(int n)
{
    int tmp[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        switch (c[i] & 1) {
        case 0:
            memset(tmp, 0, sizeof tmp);
            break;
        default:
            break;
        }
        tmp[b[i] & 15]++;
        a[i] = tmp[b[i] & 15];
    }
}
ALONE int filled_and_kept(int n)
{
    int tmp[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: private */
        memset(tmp, 0, sizeof tmp);
        for (int k = 0; k < 8; k++)
            tmp[b[i + k] & 15] = i;
        c[i] = tmp[3];
    }
    return tmp[4] + tmp[5];
}
ALONE void filled_copy(int n)
{
    int row[16];
    for (int i = 0; i < n; i++) { /* loop: private */
        memcpy(row, m[i], sizeof row);
        for (int k = 1; k < 16; k++)
            row[k] += row[k - 1];
        c[i] = row[15];
    }
}
ALONE double macro_min(const int *v, int n)
{
    int best = v[0];
    for (int i = 1; i < n; i++) /* loop: reduction */
        best = MIN(best, v[i]);
    return best;
}
ALONE int macro_both(const int *v, int n)
{
    int least = v[0], most = v[0];
    for (int i = 1; i < n; i++) { /* loop: reduction */
        least = MIN(v[i], least);
        most = MAX(most, v[i]);
    }
    return most - least;
}
ALONE void sorted_rows(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        for (int k = 1; k < 16; k++) {
            int key = m[i][k], at = k - 1;
            while (at >= 0 && m[i][at] > key) {
                m[i][at + 1] = m[i][at];
                at--;
            }
            m[i][at + 1] = key;
        }
}
/* Two elements that a function sets are read by one load, in the first of two lines. */
static double pair[2], first[NN + 2], second[NN + 2], scratch[NN + 2];
ALONE void set_both(double *r, int i)
{
    r[0] = i * 2.5;
    r[1] = i + 3.0;
}
ALONE void set_some(double *r, int i)
{
    r[0] = i * 1.5;
    if (i % 4 == 0)
        r[1] = i;
}
ALONE void set_row(double *r, int i)
{
    for (int k = 0; k < NN; k++) /* loop: parallel */
        r[k] = i + k * 0.5;
}
ALONE void pair_filled(int n)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        set_both(pair, i);
        first[i] = pair[0];
        second[i] = pair[1];
    }
}
ALONE void pair_late(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        first[i] = pair[0];
        second[i] = pair[1];
        set_both(pair, i);
    }
}
ALONE void pair_in_part(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        set_some(pair, i);
        first[i] = pair[0];
        second[i] = pair[1];
    }
}
ALONE void pair_sometimes(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (i & 3)
            set_both(pair, i);
        first[i] = pair[0];
        second[i] = pair[1];
    }
}
ALONE void row_filled(int n)
{
    for (int i = 0; i < n; i++) { /* loop: private */
        double sum = 0;
        set_row(scratch + 1, i);
        for (int k = 0; k < NN / 2; k++) { /* loop: reduction */
            double x = scratch[2 * k + 1];
            double y = scratch[2 * k + 2];
            sum += x * x + y;
        }
        first[i] = sum;
    }
}
/* scratch that both ways set, or memset on one */
ALONE int either_way(int n)
{
    int u[8], s = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        if (b[i] & 1)
            memset(u, 0, sizeof u);
        else {
            for (int k = 0; k < 8; k++)
                u[k] = b[i] - k;
        }
        for (int k = 0; k < 8; k++)
            s += u[k] * u[7 - k] + i;
    }
    return s;
}
ALONE int one_way(int n)
{
    int u[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (b[i] & 1)
            for (int k = 0; k < 8; k++)
                u[k] = b[i] - k;
        for (int k = 0; k < 8; k++)
            s += u[k] * u[7 - k];
    }
    return s;
}
ALONE int less_one_way(int n)
{
    int u[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (b[i] & 1)
            for (int k = 0; k < 8; k++)
                u[k] = b[i] + k;
        else
            for (int k = 0; k < 7; k++)
                u[k] = b[i] - k;
        for (int k = 0; k < 8; k++)
            s += u[k] * u[7 - k];
    }
    return s;
}
ALONE int shifted_one_way(int n)
{
    int u[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (b[i] & 1)
            for (int k = 0; k < 7; k++)
                u[k + 1] = b[i] + k;
        else
            for (int k = 0; k < 7; k++)
                u[k] = b[i] - k;
        for (int k = 0; k < 7; k++)
            s += u[k] * 3;
    }
    return s;
}
ALONE int left_one_way(int n)
{
    int u[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (b[i] & 1)
            for (int k = 0; k < 8; k++) {
                if (b[i] + k == 31)
                    break;
                u[k] = b[i] + k;
            }
        else
            for (int k = 0; k < 8; k++)
                u[k] = b[i] - k;
        for (int k = 0; k < 8; k++)
            s += u[k] * u[7 - k];
    }
    return s;
}
ALONE int third_way(int n)
{
    int u[8] = {0}, s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (b[i] & 1)
            memset(u, 0, sizeof u);
        else if (b[i] & 2)
            for (int k = 0; k < 8; k++)
                u[k] = b[i] - k;
        for (int k = 0; k < 8; k++)
            s += u[k] * u[7 - k] + i;
    }
    return s;
}
/* a row that memcpy fills, in part, too late, or that somebody has kept */
ALONE void half_copy(int n)
{
    int row[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        memcpy(row, m[i], sizeof row / 2);
        for (int k = 1; k < 16; k++)
            row[k] += row[k - 1];
        c[i] = row[15];
    }
}
ALONE void late_copy(int n)
{
    int row[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        c[i] = row[15];
        memcpy(row, m[i], sizeof row);
        row[15] += row[2];
    }
}
static const int *kept_row;
static int keeps_row(const int *row)
{
    int before = kept_row ? kept_row[3] : 0;
    kept_row = row;
    return before;
}
ALONE void kept_copy(int n)
{
    int row[16] = {0};
    for (int i = 0; i < n; i++) { /* loop: no */
        int before = keeps_row(row);
        memcpy(row, m[i], sizeof row);
        for (int k = 1; k < 16; k++)
            row[k] += row[k - 1];
        c[i] = row[15] + before;
    }
    kept_row = NULL;
}

int main(int argc, char **argv)
{
    (void)argv;
    int n = NN + argc - 1;
    for (int i = 0; i < 4 * NN; i++)
        a[i] = i * 7 % 23, b[i] = i * 5 % 61, c[i] = i * 3 % 17 + 1;
    for (int i = 0; i < NN; i++)
        for (int k = 0; k < 16; k++)
            m[i][k] = (i * 3 + k * 5) % 29;
    tested_one_line(n), tested(n), tested_two_lines(n), tested_moves(n), tested_stored(n), while_row(n - 1),
        while_across(n), last_of(n);
    keep(min_used(n)), keep(min_of_other(n)), keep(min_swapped(n)), keep(min_then_max(n)),
        keep(clamp_down(n)), returned(n), copied_on(n), keeps_place(n), keeps_some(n), one_buffer(n);
    static int block[16];
    filled_late(n), filled_sometimes(n), filled_inside(n), filled_in_part(n), filled_by_pointer(block, n),
        filled_after_jump(n), keep(filled_and_kept(n)), filled_copy(n);
    keep((int)macro_min(b, n)), keep(macro_both(b, n)), sorted_rows(n);
    pair_filled(n), pair_late(n), pair_in_part(n), pair_sometimes(n), row_filled(n);
    keep(either_way(n)), keep(one_way(n)), keep(less_one_way(n)), keep(shifted_one_way(n));
    keep(left_one_way(n)), keep(third_way(n)), half_copy(n), late_copy(n), kept_copy(n);
    digest(first, sizeof first), digest(second, sizeof second);
    digest(a, sizeof a), digest(b, sizeof b), digest(c, sizeof c), digest(m, sizeof m), digest(t, sizeof t);
    return finish();
}
