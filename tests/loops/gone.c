/* Loops of whose source a compiler leaves something out: sums that nobody reads, loads that are the same in
 * each iteration of one of two versions, stores that a later one makes needless. */
#include "loops.h"

#define ALONE static __attribute__((noinline))
enum { COUNT = 200 };

struct three {
    int a, b, c;
};
struct pair {
    double x, y;
};
static struct three t3[COUNT + 16];
static struct pair prs[COUNT + 16];
static int ia[2 * COUNT + 16], ib[2 * COUNT + 16], ic[COUNT + 16], at[COUNT + 16];
static double da[COUNT + 16], db[COUNT + 16];
static unsigned char flags[COUNT + 16], ca[COUNT + 16], cb[COUNT + 16];

static unsigned char pa[512], pb[512], pc[512];
static const int steady[COUNT + 16] = {5, 3, 9, 1};
static const unsigned char often[COUNT + 16] = {1, 1, 1, 0, 1, 0, 0};

/* a sum that nobody reads, and with it the load of what a later iteration writes */
ALONE void dead_sum(int n)
{
    int s = n;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += t3[i + 3].b + t3[at[i]].c;
        t3[i].b *= t3[i].c;
    }
    (void)s;
}
/* several iterations in one: all loads bear the line of the sum */
ALONE void dead_sum_jammed(int n)
{
    int s = n;
    for (unsigned i = 0; i < (unsigned)n; i++) { /* loop: no */
        s += t3[5 + i].b + t3[steady[1 + i]].c;
        t3[2 + i].b *= t3[2 + i].c;
    }
    (void)s;
}
ALONE void dead_sum_before(int n)
{
    int s = n;
    for (int i = 3; i < n; i++) { /* loop: no */
        s += t3[i - 3].b;
        t3[i].b *= t3[i].c;
    }
    (void)s;
}
ALONE void dead_sum_field(int n)
{
    int s = n;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        s += t3[i + 3].a;
        t3[i].b *= t3[i].c;
    }
    (void)s;
}
ALONE void dead_sum_double(int n)
{
    double s = n;
    for (int i = 0; i < n; i++) { /* loop: no */
        s += prs[i + 1].x;
        prs[i].x = prs[i].y * 2;
    }
    (void)s;
}
ALONE void dead_value(int n)
{
    int x;
    for (int i = 0; i < n; i++) { /* loop: no */
        x = ia[i + 1];
        ia[i] = ib[i] + 1;
        (void)x;
    }
}
/* a store that the next line makes needless takes its load along */
ALONE void overwritten_at_once(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = ia[i + 2];
        ia[i] = ic[i];
        ib[i] = ic[i] * 2;
    }
}
/* the load is the same in each iteration of one version of the loop, and is not in the other */
ALONE void unswitched(unsigned char *p, unsigned char *q, int n, int m)
{
    for (int i = 0; i < n; i++)       /* loop: no */
        for (int j = 0; j < m; j++) { /* loop: no */
            if (flags[i])
                p[3] = q[2 * i + j];
            q[i + j] = p[3 + i];
        }
}
ALONE int unswitched_again(int n, int m, unsigned char *p, unsigned char *q, unsigned char *r)
{
    unsigned char s = 0;
    for (int i = 0; i < n; i += 3) {  /* loop: no */
        for (int j = 0; j < m; j++) { /* loop: no */
            if (often[i])
                p[3] = r[(2 * i + j) % 512] + q[(4 + j) % 512];
            q[(2 * i + j) % 512] = p[(3 + i) % 512];
        }
        s = p[(3 + i) % 512] + q[(4 + i) % 512];
    }
    return s;
}
ALONE void unswitched_sum(int *p, int n, int way)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (way)
            p[0] = ib[i];
        ic[i] = p[way ? 0 : 1] + p[0];
    }
}
/* times nothing: the compiler knows the product */
ALONE void times_zero(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        ia[i] = ia[i - 1] * 0 + ib[i];
}
ALONE void and_zero(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = (ia[i + 1] & 0) | ib[i];
}
ALONE void minus_itself(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        ia[i] = ia[i + 4] - ia[i + 4] + ib[i];
}
/* both ways the same */
ALONE void either_way(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (ia[i + 1] > 5)
            ia[i] = ib[i];
        else
            ia[i] = ib[i];
    }
}
/* a comparison that cannot fail */
ALONE void cannot_fail(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        if (flags[i + 1] < 256)
            flags[i] = (unsigned char)ib[i];
    }
}
/* the last value alone is needed */
ALONE int last_value(int n)
{
    int x = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        x = ia[i + 5];
        ia[i] = ib[i];
    }
    return x;
}
ALONE int last_value_free(int n)
{
    int x = 0;
    for (int i = 0; i < n; i++) { /* loop: private */
        x = ic[i];
        ia[i] = ib[i];
    }
    return x;
}
/* one load for two lines: whose is it? */
ALONE void shared_load(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = ia[i + 1] + 1;
        ia[i] = ia[i + 1] * 2;
    }
}
/* a value kept in a vector register from the round before */
ALONE void kept_in_lanes(int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        ia[i] = ib[i] * 3;
        ic[i] = ia[i - 1] + ib[i];
    }
}
ALONE void kept_in_lanes_two(int n)
{
    for (int i = 2; i < n; i++) { /* loop: no */
        da[i] = db[i] * 3;
        prs[i].x = da[i - 1] + da[i - 2];
    }
}
ALONE void kept_by_restrict(int *restrict p, int *restrict q, int n)
{
    int x = p[0];
    for (int i = 0; i < n; i++) { /* loop: no */
        int y = p[i + 1];
        q[i] = x + y;
        x = y;
    }
}
/* unrolled by hand, with a value that goes over */
ALONE void by_hand(int n)
{
    for (int i = 0; i + 1 < n; i += 2) { /* loop: no */
        ia[i + 1] = ia[i] + ib[i];
        ia[i + 2] = ia[i + 1] + ib[i + 1];
    }
}
ALONE void by_hand_free(int n)
{
    for (int i = 0; i + 1 < n; i += 2) { /* loop: parallel */
        ia[i] = ib[i] + 1;
        ia[i + 1] = ia[i] + ib[i + 1];
    }
}
/* nested: the row above is needed; a compiler may jam rows together */
ALONE void jammed(double (*g)[12], int n)
{
    for (int i = 1; i < n; i++)      /* loop: no */
        for (int j = 0; j < 12; j++) /* loop: parallel */
            g[i][j] = g[i - 1][j] * 0.5 + j;
}
ALONE void jammed_diagonal(double (*g)[12], int n)
{
    for (int i = 1; i < n; i++)      /* loop: no */
        for (int j = 0; j < 11; j++) /* loop: parallel */
            g[i][j] = g[i - 1][j + 1] * 0.5 + j;
}
/* the inner loop's only last pass stays */
ALONE void last_pass(int n)
{
    for (int i = 0; i < n; i++)     /* loop: no */
        for (int j = 0; j < 8; j++) /* loop: no */
            ia[i] = ia[i + 1] + j;
}
ALONE void characters(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        ca[i] = (unsigned char)(ca[i - 1] / 256 + cb[i]);
}
ALONE void sign_only(int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        flags[i] = flags[i + 2] >= 0;
}
ALONE void size_only(int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        ic[i] = (int)sizeof ic[i + 1] + i;
}
/* what an iteration reads was loaded three before, or in front of the loop, and is written soon after */
ALONE void loaded_ahead(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = ia[i + 2] + ia[i + 5];
        ia[i] = n + i;
    }
}
static inline void ahead_by_names(const int *from, int *to, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ib[i] = from[i + 2] + from[i + 5];
        to[i] = n - i;
    }
}
ALONE void loaded_ahead_by_names(int n)
{
    ahead_by_names(ia, ia, n);
}
ALONE void field_ahead(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        t3[i + 2].a *= t3[i + 2].c + t3[i + 5].c;
        t3[i].c = n + i;
    }
}
/* the line's load is of another field */
ALONE double last_of_fields(int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) { /* loop: no */
        s = prs[at[i]].y + prs[i + 1].x;
        prs[i + 4].x = db[4];
    }
    return s;
}

/* two stores in a line, of which the next iteration overwrites one: it is made once, behind the loop */
ALONE void overwritten_in_a_line(int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        ic[i] = 3, ic[i + 1] = 4;
    }
    digest(ic, sizeof ic);
}
#define SET3(p, a, b, c) p[0] = a, p[1] = b, p[2] = c
ALONE void three_in_a_line(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        unsigned char *p = pa + 2 * i + i;
        SET3(p, cb[i], 7, ca[i]);
    }
    digest(pa, sizeof pa);
}
/* what a compiler has put aside in the frame is no element of an array: c and d, of the line where the value
 * of the iteration before stays in a register */
static double many[16];
static inline __attribute__((always_inline)) void next_of(double *p, const double *q, double c, double d,
                                                          int n)
{
    double k0 = many[0], k1 = many[1], k2 = many[2], k3 = many[3], k4 = many[4], k5 = many[5], k6 = many[6],
           k7 = many[7], k8 = many[8], k9 = many[9], ka = many[10], kb = many[11], kc = many[12],
           kd = many[13];
    for (int i = 1; i < n; i++) { /* loop: no */
        double x = db[i];
        x = k4 +
            x * (k5 + x * (k6 + x * (k7 + x * (k8 + x * (k9 + x * (ka + x * (kb + x * (kc + x * kd))))))));
        da[i] = k0 + x * (k1 + x * (k2 + x * (k3 + x)));
        p[i] = q[i - 1] * c + d;
    }
}
ALONE void put_aside(int n)
{
    static double p[COUNT + 16];
    double t[8];
    for (int i = 0; i < 16; i++)
        many[i] = i * .1;
    next_of(p, p, many[14], many[15], n);
    for (int i = 0; i < 8; i++)
        t[i] = da[i] * n;
    digest(t, sizeof t), digest(p, sizeof p);
}

int main(int argc, char **argv)
{
    (void)argv;
    static double g[40][12];
    int n = COUNT + argc - 1;
    for (int i = 0; i < COUNT + 16; i++) {
        t3[i] = (struct three){i, i * 3, i % 7};
        prs[i] = (struct pair){i, i * 0.5};
        ia[i] = i, ib[i] = i * 7 % 31, ic[i] = i, at[i] = i * 5 % COUNT, da[i] = i, db[i] = i % 9;
        flags[i] = i % 3 == 0, ca[i] = (unsigned char)i, cb[i] = (unsigned char)(i * 3);
    }
    dead_sum(n), dead_sum_before(n), dead_sum_field(n), dead_sum_double(n), dead_value(n);
    overwritten_at_once(n);
    unswitched(ca, cb, 20, 6), unswitched_sum(ia, n, n > 3), unswitched_sum(ia, n, n < 3);
    times_zero(n), and_zero(n), minus_itself(n), either_way(n), cannot_fail(n);
    keep(last_value(n)), keep(last_value_free(n));
    shared_load(n), kept_in_lanes(n), kept_in_lanes_two(n), kept_by_restrict(ia, ic, n), by_hand(n),
        by_hand_free(n);
    jammed(g, 40), digest(g, sizeof g), jammed_diagonal(g, 40), last_pass(n), characters(n), sign_only(n),
        size_only(n);
    dead_sum_jammed(argc + 12), keep(unswitched_again(argc + 11, argc + 1, pa, pb, pc)),
        digest(pa, sizeof pa), digest(pb, sizeof pb);
    loaded_ahead(argc + 4), digest(ib, sizeof ib), loaded_ahead_by_names(argc + 4), field_ahead(argc + 4),
        keep(last_of_fields(argc + 13));
    overwritten_in_a_line(n), three_in_a_line(argc + 150), put_aside(n);
    digest(t3, sizeof t3), digest(prs, sizeof prs), digest(ia, sizeof ia), digest(ib, sizeof ib),
        digest(ic, sizeof ic);
    digest(da, sizeof da), digest(g, sizeof g), digest(flags, sizeof flags), digest(ca, sizeof ca),
        digest(cb, sizeof cb);
    return finish();
}
