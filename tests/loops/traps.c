/* Loops whose order is needed in ways that are easily overlooked, and their harmless likes. */
#include "loops.h"

#include <math.h>
#include <stdint.h>

#define ALONE static __attribute__((noinline))
enum { COUNT = 400 };

struct point {
    int x, y, *last;
};
struct ring {
    unsigned head;
    int slot[8];
};
struct tiny {
    unsigned low : 4, high : 4;
};
union word {
    uint32_t w;
    uint8_t b[4];
};
static int ia[2 * COUNT + 16], ib[2 * COUNT + 16], ic[COUNT + 16], at[COUNT + 16];
static double da[COUNT + 16], db[COUNT + 16], dc[COUNT + 16];
static struct point points[COUNT + 16];
static struct tiny tinies[COUNT + 16];
static union word words[COUNT + 16];
static unsigned char bytes[2 * COUNT + 16];
static int *grown;
static unsigned used;

/* the member of one leads to the next */
ALONE void behind_member(struct point *p, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *p[i].last = p[i].x + i;
}
ALONE void behind_member_apart(struct point *p, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        *p[i].last = p[i].x - i;
}
/* set only sometimes, read always */
ALONE int sometimes(int n)
{
    int last = 7;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ia[i] > 100000)
            last = i;
        ib[i] = last;
    }
    return last;
}
ALONE void toggles(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = s ? ia[i] : -ia[i];
        s = !s;
    }
}
ALONE void parity(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int s = i & 1;
        ib[i] = s ? ia[i] : -ia[i];
    }
}
static int numbered(int x)
{
    static int calls;
    return x + calls++ / 1000000;
}
ALONE void callee_static(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[i] = numbered(ia[i]);
}
static inline int remembers(int x)
{
    static int before;
    int d = x - before;
    before = x;
    return d;
}
ALONE void callee_before(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[i] = remembers(ia[i]);
}
/* grows as it goes */
ALONE void grows(int n)
{
    unsigned room = 4;
    grown = malloc(room * sizeof *grown);
    used = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        if (used == room)
            grown = realloc(grown, (room *= 2) * sizeof *grown);
        grown[used++] = ia[i];
    }
}
ALONE void moves_along(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        memmove(bytes + i + 1, bytes + i, 4);
}
ALONE void copies_apart(int n)
{
    for (int i = 0; i < n / 4; i++) /* loop: parallel */
        memcpy(bytes + COUNT + 4 * i, bytes + 4 * i, 4);
}
/* bit-fields share a byte with their neighbour */
ALONE void bit_parts(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        tinies[i].low = tinies[i - 1].low + 1;
}
ALONE void bit_single(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (i & 1)
            tinies[i >> 1].low = i;
        else
            tinies[i >> 1].high = i;
}
ALONE void bit_own(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        tinies[i].low = i;
        tinies[i].high = i >> 2;
    }
}
ALONE void union_carry(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        words[i / 4].b[i % 4] = (uint8_t)(words[i / 4].w >> 3) + i;
}
ALONE void union_apart(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        words[i].w = (uint32_t)i * 2654435761u;
        bytes[i] = words[i].b[1];
    }
}
ALONE void a_volatile(int n)
{
    volatile int *v = ib;
    for (int i = 0; i < n; i++) /* loop: no */
        v[3] = ia[i];
}
/* ends where the data say */
ALONE int ends_at(int n)
{
    int i;
    for (i = 0; i < n && da[i] < 1e9; i++) /* loop: no */
        db[i] = da[i] * 2;
    return i;
}
ALONE int ends_rounded(int n)
{
    double sum = 0;
    int i = 0;
    for (; i < n; i++) { /* loop: no */
        sum += fabs(da[i]);
        if (sum > 1e12)
            break;
        db[i] = da[i];
    }
    return i;
}
ALONE void by_product(int n)
{
    unsigned k = 3;
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = (int)(k % 1000);
        k = k * 1664525u + 1013904223u;
    }
}
ALONE void by_doubling(int n)
{
    for (int k = 1; k < n; k *= 2) /* loop: no */
        ia[2 * k] = ia[k] + 1;
}
ALONE void wraps(int n)
{
    for (unsigned char k = 0; k < 250; k++) { /* loop: no */
        unsigned char next = (unsigned char)(k + 200);
        ia[next] = ia[k] + n;
    }
}
ALONE void ring(struct ring *r, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        r->slot[r->head++ & 7] = ia[i];
}
/* the numbers in at[] are all different: for this input */
ALONE void scatter(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ia[at[i]] = ib[i];
}
ALONE void gather_scatter(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[at[i]] = ia[i] + 1;
}
ALONE void gather(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ic[i] = ib[at[i]] + 1;
}
/* a distance as long as the vector's */
ALONE void far_four(int n)
{
    for (int i = 4; i < n; i++) /* loop: no */
        ia[i] = ia[i - 4] + ib[i];
}
ALONE void far_sixteen(int n)
{
    for (int i = 16; i < n; i++) /* loop: no */
        ia[i] = ia[i - 16] + ib[i];
}
ALONE void far_all(int n)
{
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        ia[i] = ia[i + n / 2] + ib[i];
}
ALONE void anti(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        da[i] = da[i + 1] * 0.5;
}
ALONE void crossing(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        da[i] = da[n - 1 - i] * 0.5;
}
ALONE void half_crossing(int n)
{
    for (int i = 0; i < n / 2; i++) /* loop: parallel */
        da[i] = da[n - 1 - i] * 0.5;
}
/* two pointers into one array */
ALONE void shifted(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        to[i] = from[i] * 1.5;
}
ALONE void not_shifted(double *to, const double *from, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        to[i] = from[i] * 1.25;
}
ALONE void limit_inside(int n)
{
    for (int i = 0; i < ic[3] && i < n; i++) /* loop: no */
        ic[i] = ia[i] & 1 ? COUNT : COUNT + 1;
}
ALONE double sum_seen(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += da[i];
        db[i] = s;
    }
    return s;
}
ALONE double sum_tested(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (s < 1e30)
            s += da[i];
    return s;
}
ALONE double sum_plain(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* loop: reduction */
        s += da[i] * db[i];
    return s;
}
ALONE double sum_and_product(int n)
{
    double s = 1;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += da[i];
        s *= 0.99;
    }
    return s;
}
ALONE unsigned saturates(int n)
{
    unsigned s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += (unsigned)ia[i] & 15;
        s = s > 500 ? 500 : s;
        s -= s > 10;
    }
    return s;
}
ALONE int nearest(int n)
{
    int best = 0;
    for (int i = 1; i < n; i++) /* loop: no */
        if (fabs(da[i] - 3) < fabs(da[best] - 3))
            best = i;
    return best;
}
ALONE int largest(int n)
{
    int best = ia[0];
    for (int i = 1; i < n; i++) /* loop: reduction */
        best = ia[i] > best ? ia[i] : best;
    return best;
}
ALONE void histogram(int n)
{
    for (int i = 0; i < n; i++) /* loop: reduction */
        ic[bytes[i] & 63]++;
}
ALONE void histogram_looked(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ib[i] = ic[bytes[i] & 63]++;
}
ALONE void prefix_rows(int n)
{
    for (int i = 1; i < n / 20; i++) /* loop: no */
        for (int j = 0; j < 20; j++) /* loop: parallel */
            ia[20 * i + j] += ia[20 * (i - 1) + j];
}
ALONE void diagonals(int n)
{
    for (int i = 1; i < n / 20; i++) /* loop: no */
        for (int j = 1; j < 20; j++) /* loop: no */
            ia[20 * i + j] = ia[20 * (i - 1) + j] + ia[20 * i + j - 1];
}
ALONE void scratch_kept(int n)
{
    int row[20] = {0};
    for (int i = 0; i < n / 20; i++) { /* loop: no */
        for (int j = 0; j < 19; j++)   /* loop: parallel */
            row[j] = ia[20 * i + j];
        for (int j = 0; j < 20; j++) /* loop: parallel */
            ib[20 * i + j] = row[j] + row[19];
        row[19] = row[3];
    }
}
ALONE void scratch_own(int n)
{
    int row[20];
    for (int i = 0; i < n / 20; i++) { /* loop: private */
        for (int j = 0; j < 20; j++)   /* loop: parallel */
            row[j] = ia[20 * i + j] ^ 3;
        for (int j = 0; j < 20; j++) /* loop: parallel */
            ib[20 * i + j] = row[19 - j];
    }
}
ALONE void row_shorter(int n)
{
    int row[20] = {0};
    for (int i = 0; i < n / 20; i++) { /* loop: no */
        for (int j = 0; j < 20 - i % 3; j++)
            row[j] = ia[20 * i + j];
        for (int j = 0; j < 20; j++) /* loop: parallel */
            ib[20 * i + j] = row[j];
    }
}
ALONE void other_grid(double g[2][COUNT], int n)
{
    int s = 0;
    for (int t = 0; t < 6; t++) {       /* loop: no */
        for (int i = 1; i < n - 1; i++) /* loop: parallel */
            g[1 - s][i] = 0.5 * (g[s][i - 1] + g[s][i + 1]);
        s = 1 - s;
    }
}
ALONE void same_grid(double g[2][COUNT], int n, int s, int r)
{
    for (int i = 1; i < n - 1; i++) /* loop: no */
        g[r][i] = 0.5 * (g[s][i - 1] + g[s][i + 1]);
}
ALONE void last_one(int n)
{
    int k = 0;
    for (int i = 0; i < n; i++) /* loop: no */
        if (ia[i] % 3 == 0)
            ib[k++] = i;
    ib[k] = -1;
}
ALONE void even_ones(int n)
{
    for (int i = 0, k = 0; i < n; i++, k += 2) /* loop: no */
        ib[k / 4] = ia[i];
}
ALONE void through_local(int n)
{
    int prev = ia[0];
    for (int i = 1; i < n; i++) { /* loop: no */
        int now = ia[i];
        ib[i] = now ^ prev;
        prev = now;
    }
}
ALONE void own_swap(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        int t = ia[i];
        ia[i] = ib[i];
        ib[i] = t;
    }
}
ALONE void chain_swap(int n)
{
    for (int i = 0; i + 1 < n; i++) { /* loop: no */
        int t = ia[i];
        ia[i] = ia[i + 1];
        ia[i + 1] = t;
    }
}

static struct ring buffer;
static double g[2][COUNT];

static void names(int n)
{
    behind_member(points, n);
    for (int i = 0; i < COUNT; i++)
        points[i].last = &points[i].y;
    behind_member_apart(points, n);
    keep(sometimes(n));
    toggles(n);
    parity(n);
    callee_static(n);
    callee_before(n);
    grows(n);
    moves_along(n);
    copies_apart(n);
    bit_parts(n);
    bit_single(n);
    bit_own(n);
    union_carry(n);
    union_apart(n);
    a_volatile(n);
    limit_inside(n);
    keep(ends_at(n));
    keep(ends_rounded(n));
    by_product(n);
    by_doubling(n);
    wraps(n);
    ring(&buffer, n);
}
static void order(int n)
{
    scatter(n);
    gather_scatter(n);
    gather(n);
    far_four(n);
    far_sixteen(n);
    far_all(n);
    anti(n);
    crossing(n);
    half_crossing(n);
    shifted(da + 1, da, n);
    not_shifted(dc, da, n);
    keep(sum_seen(n));
    keep(sum_tested(n));
    keep(sum_plain(n));
    keep(sum_and_product(n));
    keep(saturates(n));
    keep(nearest(n));
    keep(largest(n));
    for (int i = 0; i < COUNT; i++)
        ic[i] = 0;
    histogram(n);
    histogram_looked(n);
    prefix_rows(n);
    diagonals(n);
    scratch_kept(n);
    scratch_own(n);
    row_shorter(n);
    other_grid(g, COUNT);
    same_grid(g, COUNT, 1, 1);
    last_one(n);
    even_ones(n);
    through_local(n);
    own_swap(n);
    chain_swap(n);
}

int main(int argc, char **argv)
{
    int n = COUNT - 3 + argc;
    for (int i = 0; i < 2 * COUNT; i++) { /* loop: parallel */
        ia[i] = i * 37 % 101;
        bytes[i] = (unsigned char)(i * 7);
    }
    for (int i = 0; i < COUNT; i++) { /* loop: parallel */
        at[i] = i * 7 % COUNT;
        da[i] = i % 17 * 0.25;
        db[i] = 1 + i % 3;
        ic[i] = COUNT;
        points[i].x = i;
        points[i].last = &points[i + 1].x;
        g[0][i] = i % 11;
    }
    names(n);
    order(n);
    digest(ia, sizeof ia), digest(ib, sizeof ib), digest(ic, sizeof ic), digest(da, sizeof da);
    digest(db, sizeof db), digest(dc, sizeof dc), digest(bytes, sizeof bytes), digest(tinies, sizeof tinies);
    digest(words, sizeof words), digest(g, sizeof g), digest(&buffer, sizeof buffer);
    for (int i = 0; i < COUNT; i++)
        keep(points[i].x + points[i].y);
    for (unsigned i = 0; i < used; i++)
        keep(grown[i]);
    return finish();
}
