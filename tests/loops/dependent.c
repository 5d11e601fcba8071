/* Loops whose iterations need each other, or have an order to keep: sequential, ordered or unknown are right,
 * everything else is wrong. "loop: ordered" has to be ordered; "loop: no" only must not be called free. */
#include "loops.h"

double a[N], b[N], c[N], m[R][R];
float fa[N];
int ia[N], ib[N], index_[N], heads[64];
unsigned char bytes[N];
struct list {
    struct list *next;
    int value;
} cells[N];
double table[N];
char text[N];

KERNEL(prefix)
{
    for (int i = 1; i < n; i++) /* loop: sequential */
        a[i] = a[i] + a[i - 1];
}

KERNEL(recurrence)
{
    double x = 0.5;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        x = 3.5 * x * (1 - x);
        a[i] = x;
    }
}

KERNEL(running_sum)
{
    double s = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s += b[i];
        a[i] = s;
    }
}

KERNEL(forwards)
{
    for (int i = 0; i < n - 1; i++) /* loop: no */
        a[i] = a[i + 1];
}

KERNEL(both_sides)
{
    for (int i = 1; i < n - 1; i++) /* loop: sequential */
        a[i] = (a[i - 1] + a[i] + a[i + 1]) / 3;
}

KERNEL(sweep)
{
    int r = side(n);
    for (int i = 1; i < r - 1; i++)     /* loop: sequential */
        for (int j = 1; j < r - 1; j++) /* loop: sequential */
            m[i][j] = 0.25 * (m[i - 1][j] + m[i + 1][j] + m[i][j - 1] + m[i][j + 1]);
}

KERNEL(time_steps)
{
    for (int t = 0; t < 8; t++) {       /* loop: sequential */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            b[i] = 0.5 * (a[i - 1] + a[i + 1]);
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            a[i] = b[i];
    }
}

KERNEL(factor)
{
    int r = side(n);
    for (int k = 0; k < r - 1; k++)       /* loop: sequential */
        for (int i = k + 1; i < r; i++) { /* loop: parallel */
            m[i][k] /= m[k][k] + 3;
            for (int j = k + 1; j < r; j++) /* loop: parallel */
                m[i][j] -= m[i][k] * m[k][j];
        }
}

KERNEL(solve)
{
    int r = side(n);
    for (int i = 0; i < r; i++) { /* loop: sequential */
        double s = b[i];
        for (int j = 0; j < i; j++) /* loop: reduction */
            s -= m[i][j] * c[j];
        c[i] = s / (m[i][i] + 2);
    }
}

KERNEL(distance_four)
{
    for (int i = 4; i < n; i++) /* loop: no */
        a[i] = a[i - 4] * 0.5 + b[i];
}

KERNEL(distance_two)
{
    for (int i = 2; i < n; i++) /* loop: no */
        ia[i] = ia[i - 2] + 1;
}

KERNEL(collisions)
{
    for (int i = 0; i < n; i++) /* loop: sequential */
        table[index_[i]] = table[index_[i]] * 0.5 + b[i];
}

KERNEL(last_writer)
{
    for (int i = 0; i < n; i++) /* loop: no */
        table[index_[i]] = b[i];
    keep(table[3] + table[5]);
}

KERNEL(compact)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: sequential */
        if (b[i] > 0.5)
            a[k++] = b[i];
    keep(k);
}

KERNEL(second_counter)
{
    int k = 0;
    for (int i = 0; i < n / 3; i++) { /* loop: no */
        a[k] = b[i];
        k += 2;
    }
    keep(k);
}

KERNEL(previous_value)
{
    double last = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        a[i] = b[i] - last;
        last = b[i];
    }
}

KERNEL(two_before)
{
    double x = 0, y = 1;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        double t = x + y;
        x = y;
        y = t * 0.5;
        a[i] = t;
    }
}

KERNEL(conditional_keep)
{
    double t = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        if (b[i] > 0.7)
            t = b[i];
        a[i] = t;
    }
}

KERNEL(position_of_largest)
{
    double s = b[0];
    int k = 0;
    for (int i = 1; i < n; i++) /* loop: no */
        if (b[i] > s) {
            s = b[i];
            k = i;
        }
    keep(k);
}

KERNEL(mixed_operators)
{
    double s = 1;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s += b[i];
        s *= 0.99;
    }
    keep(s);
}

KERNEL(sum_that_is_read)
{
    double s = 0;
    int count = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        s += b[i];
        if (s > 10)
            count++;
    }
    keep(count);
}

KERNEL(horner)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: sequential */
        s = s * 0.9 + b[i];
    keep(s);
}

KERNEL(generator)
{
    unsigned x = 12345;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        x = x * 1103515245u + 12345u;
        ia[i] = (int)(x >> 16);
    }
}

KERNEL(shift_register)
{
    unsigned x = 1;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        x ^= x << 13;
        x ^= x >> 17;
        x ^= x << 5;
        ia[i] = (int)x;
    }
}

KERNEL(library_random)
{
    for (int i = 0; i < n; i++) /* loop: ordered */
        ia[i] = rand();
}

KERNEL(output)
{
    for (int i = 0; i < 40 && i < n; i++) /* loop: ordered */
        fprintf(stderr, "%d\n", ia[i] & 1);
}

KERNEL(walk)
{
    int s = 0;
    for (struct list *p = cells; p; p = p->next) /* loop: no */
        s += p->value;
    keep(s);
}

KERNEL(update_list)
{
    struct list *p = cells;
    while (p) { /* loop: sequential */
        p->value *= 3;
        p = p->next;
    }
}

KERNEL(until_found)
{
    int i = 0;
    while (ia[i] != -1 && i < n - 1) { /* loop: no */
        ib[i] = ia[i] + 1;
        i++;
    }
    keep(i);
}

KERNEL(leaves_early)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (b[i] > 0.95)
            break;
        a[i] = 1;
    }
}

KERNEL(own_bound)
{
    int limit = n / 2;
    for (int i = 0; i < limit; i++) { /* loop: no */
        if (ia[i] == 3 && limit < n - 1)
            limit++;
        ib[i] = i;
    }
}

KERNEL(newton)
{
    double x = 2, old;
    do { /* loop: sequential */
        old = x;
        x = x - (x * x - n) / (2 * x);
    } while (x - old > 1e-9 || old - x > 1e-9);
    keep(x);
}

KERNEL(bubble)
{
    int r = side(n) * 2;
    for (int i = 0; i < r; i++)         /* loop: sequential */
        for (int j = 0; j + 1 < r; j++) /* loop: sequential */
            if (ia[j] > ia[j + 1]) {
                int t = ia[j];
                ia[j] = ia[j + 1];
                ia[j + 1] = t;
            }
}

KERNEL(insertion)
{
    int r = side(n) * 2;
    for (int i = 1; i < r; i++) { /* loop: sequential */
        int x = ib[i], j = i;
        while (j > 0 && ib[j - 1] > x) { /* loop: no */
            ib[j] = ib[j - 1];
            j--;
        }
        ib[j] = x;
    }
}

KERNEL(chains)
{
    for (int i = 0; i < n; i++) { /* loop: sequential */
        int h = ia[i] & 63;
        ib[i] = heads[h];
        heads[h] = i;
    }
}

static int counter;
static __attribute__((noinline)) int next_number(void)
{
    return ++counter;
}

KERNEL(hidden_state)
{
    for (int i = 0; i < n; i++) /* loop: sequential */
        ia[i] = next_number();
}

static __attribute__((noinline)) void step(double *x)
{
    *x = *x * 0.5 + 1;
}

KERNEL(through_a_pointer)
{
    double x = 1;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        step(&x);
        a[i] = x;
    }
}

KERNEL(byte_chain)
{
    for (int i = 1; i < n; i++) /* loop: sequential */
        bytes[i] = (unsigned char)(bytes[i] ^ bytes[i - 1]);
}

KERNEL(overlapping)
{
    unsigned char *p = bytes;
    for (int i = 0; i + 4 < n; i++) { /* loop: sequential */
        unsigned x;
        memcpy(&x, p + i, sizeof x);
        x = x * 3 + 1;
        memcpy(p + i, &x, sizeof x);
    }
}

KERNEL(floats)
{
    for (int i = 1; i < n; i++) /* loop: sequential */
        fa[i] = fa[i - 1] * 0.25f + fa[i];
}

KERNEL(reversed_recurrence)
{
    for (int i = n - 2; i >= 0; i--) /* loop: sequential */
        a[i] = a[i + 1] * 0.5 + b[i];
}

KERNEL(copied_with_memmove)
{
    for (int i = 0; i + 9 < n; i++) /* loop: sequential */
        memmove(text + i + 1, text + i, 8);
}

KERNEL(far)
{
    for (int i = 200; i < n; i++) /* loop: no */
        c[i] = c[i - 200] + 1;
}

KERNEL(fibonacci)
{
    long f[N] = {0, 1};
    for (int i = 2; i < n && i < 80; i++) /* loop: sequential */
        f[i] = f[i - 1] + f[i - 2];
    keep((double)f[40]);
}

KERNEL(knapsack)
{
    static int best[N];
    for (int i = 0; i < 12; i++)                /* loop: sequential */
        for (int wgt = n - 1; wgt > i; wgt--) { /* loop: no */
            int with = best[wgt - i - 1] + i * 3 + 1;
            if (with > best[wgt])
                best[wgt] = with;
        }
    keep(best[n - 1]);
}

KERNEL(edit_distance)
{
    static int d[R][R];
    int r = side(n);
    for (int i = 1; i < r; i++)       /* loop: sequential */
        for (int j = 1; j < r; j++) { /* loop: sequential */
            int x = d[i - 1][j] + 1, y = d[i][j - 1] + 1;
            d[i][j] = x < y ? x : y;
        }
    keep(d[3][3]);
}

KERNEL(scan_by_pointer)
{
    double *p = a + 1;
    while (p < a + n) { /* loop: sequential */
        *p = *p + p[-1];
        p++;
    }
}

KERNEL(union_find)
{
    static int up[N];
    for (int i = 0; i < n; i++)
        up[i] = i;
    for (int i = 0; i + 1 < n; i++) { /* loop: sequential */
        int x = index_[i], y = i;
        while (up[x] != x)
            x = up[x];
        while (up[y] != y)
            y = up[y];
        up[x] = y;
    }
}

KERNEL(flag)
{
    int done = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        if (!done)
            a[i] = b[i];
        if (b[i] > 0.9)
            done = 1;
    }
}

KERNEL(text_length)
{
    int k = 0;
    while (text[k]) /* loop: no */
        k++;
    keep(k);
}

KERNEL(checksum)
{
    unsigned x = 1, y = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        x = (x + bytes[i]) % 65521;
        y = (y + x) % 65521;
    }
    keep(x + y);
}

/* More pairs than are kept, and the last of them matters. */
#define ONE(k) x += m[i][k] * m[i][(k) + 1] - m[i][(k) + 2];
#define FOUR(k) ONE(k) ONE((k) + 1) ONE((k) + 2) ONE((k) + 3)
#define ALL FOUR(0) FOUR(4) FOUR(8) FOUR(12) FOUR(16)
KERNEL(long_body)
{
    int i;
    for (i = 1; i < R; i++) { /* loop: sequential */
        double x = 0;
        ALL;
        ALL;
        ALL;
        ALL;
        ALL;
        ALL;
        ALL;
        ALL;
        ALL;
        ALL;
        m[i][R - 1] = x + m[i - 1][R - 1];
    }
}

/* what is tested was set to a constant below another test: what either tells of it is asked of the other */
KERNEL(from_there_on)
{
    int found = 0;
    for (int i = 0; i < n; i++) { /* loop: sequential */
        if (ia[i] == 50)
            found = 1;
        if (found)
            ib[i] = ia[i];
    }
    keep(found);
}

/* memcpy of a number is an assignment: compilers make it one, and so may a reader */
KERNEL(copied_number)
{
    int last = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        memcpy(&ib[i], &last, sizeof last);
        memcpy(&last, &ia[i], sizeof last);
    }
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int here;
        memcpy(&here, &ia[i], sizeof here);
        ib[i] = here;
    }
}

/* what assembly sets */
KERNEL(assembly)
{
    int last = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = last;
        __asm__("" : "=r"(last) : "0"(ia[i]));
    }
    for (int i = 1; i < n; i++) /* loop: no */
        __asm__("" : [to] "=r"(ib[i]) : "0"(ib[i - 1]) : "cc");
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int own = ia[i];
        __asm__("" : "+r"(own));
        ib[i] = own * 3;
    }
}
/* rows that go on into the next, whatever the subscripts say */
KERNEL(rows_too_long)
{
    int w = n / 100, (*rows)[w] = (int(*)[w])ib;
    for (int i = 0; i < n / w - 1; i++) /* loop: no */
        for (int j = 0; j <= w; j++)    /* loop: parallel */
            rows[i][j] = i * 3 + j;
    for (int i = 0; i < n / w; i++) /* loop: parallel */
        for (int j = 0; j < w; j++) /* loop: parallel */
            rows[i][j] += i + j;
    digest(ib, sizeof ib);
}

static void prepare(int n)
{
    for (int i = 0; i < N; i++) {
        index_[i] = (i * 7919 + 3) % 37;
        ia[i] = (i * 7919) % 1000;
        ib[i] = (i * 104729) % 777;
        a[i] = i * 0.01;
        b[i] = (i * 31 % 100) / 100.0;
        c[i] = (i * 17 % 100) / 50.0;
        fa[i] = (float)i;
        bytes[i] = (unsigned char)(i * 5);
        text[i] = i + 1 < n ? 'x' : 0;
        cells[i] = (struct list){i + 1 < N ? &cells[i + 1] : NULL, i};
    }
    for (int i = 0; i < R; i++)
        for (int j = 0; j < R; j++)
            m[i][j] = (i * 13 + j * 7) % 11 * 1e-3;
}

int main(int argc, char **argv)
{
    int n = argc > 1 ? atoi(argv[1]) : 600;
    prepare(n);
    prefix(n), recurrence(n), running_sum(n), forwards(n), both_sides(n), sweep(n), time_steps(n), factor(n),
        solve(n);
    distance_four(n), distance_two(n), collisions(n), last_writer(n), compact(n), second_counter(n),
        previous_value(n);
    two_before(n), conditional_keep(n), position_of_largest(n), mixed_operators(n), sum_that_is_read(n),
        horner(n);
    generator(n), shift_register(n), library_random(n), output(n), walk(n), update_list(n), until_found(n),
        leaves_early(n);
    own_bound(n), newton(n), bubble(n), insertion(n), chains(n), hidden_state(n), through_a_pointer(n),
        byte_chain(n);
    overlapping(n), floats(n), reversed_recurrence(n), copied_with_memmove(n), far(n), fibonacci(n),
        knapsack(n);
    edit_distance(n), scan_by_pointer(n), union_find(n), flag(n), text_length(n), checksum(n), long_body(n);
    from_there_on(n), copied_number(n), assembly(n), rows_too_long(n);
    return finish();
}
