/* What only one arm of a line does and never did in the run; partners of one pair; what lies behind two
 * pointers into one array. Labels as in dependent.c. */
#include "loops.h"

#define ALONE __attribute__((noinline))

enum { COUNT = 203, PAIRS = 100 };
static int v[4 * PAIRS + COUNT], w[COUNT + 1], flag[COUNT];
static double d[2 * COUNT];

/* the message would have its order, though it stands in one line with the condition */
ALONE static void message(int n)
{
    for (int i = 0; i < n; i++) { /* loop: input */
        w[i] ^= 1;
        (void)(w[i] == 1000 && printf("element %d\n", i));
    }
}
/* the load of what is added to is none of the other arm's */
ALONE static void arm(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: input */
        v[i] = v[i] + (flag[i] == k ? v[i - 1] : 1);
}
ALONE static void arm_of_sum(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: input */
        v[i] += flag[i] == k ? v[i - 1] : 1;
}
ALONE static void right_of_and(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: input */
        v[i] += flag[i] == k && v[i - 1] > 2;
}
/* the arm that did run */
ALONE static void other_arm(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: parallel */
        v[i] = v[i] + (flag[i] == k ? w[i - 1] : 1);
}
ALONE static void element_of_arm(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: input */
        v[i] = v[flag[i] == k ? i - 1 : i] + 1;
}
ALONE static void store_in_arm(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: input */
        v[i] = w[i], flag[i] == k && (v[i + 1] = 3);
}
ALONE static void far_too_much(int n)
{
    for (int i = 1; i < n; i++) /* loop: input */
        d[i] = d[i] > 1e9 ? d[i - 1] : d[i] + 1;
}
ALONE static void clipped(int n)
{
    for (int i = 1; i < n; i++) /* loop: parallel */
        d[i] = d[i] > 1e9 ? 1e9 : d[i] + 1;
}
/* functions that were never called */
static void set(int i, int x)
{
    v[i] = x;
}
ALONE static void set_in_arm(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: input */
        v[i] += 2, flag[i] == k ? set(i - 1, 4) : (void)0;
}
ALONE static void copied_from_either(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: input */
        memcpy(&v[i], flag[i] == k ? &v[i - 1] : &w[i], sizeof v[i]);
}
/* where a pointer leads */
ALONE static void either(int n, int k)
{
    for (int i = 1; i < n; i++) { /* loop: input */
        const int *from = flag[i] == k ? &v[i - 1] : &w[i];
        v[i] += *from;
    }
}
static int *anywhere = w;
ALONE static void anything(int n, int k)
{
    for (int i = 1; i < n; i++) /* loop: input */
        v[i] = w[i] + (flag[i] == k ? *anywhere : 1);
}
ALONE static void both(int n, const int *a, const int *b, int *to)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        to[i] = flag[i] & 1 ? a[i] : b[i];
}
/* the second of a pair sees what the first has set, which unrolled code has in a register */
ALONE static void partner(int n)
{
    for (int i = 0; i < n * 4; i++) /* loop: no */
        v[i] = v[i ^ 1] + 1;
}
ALONE static void to_partner(int n)
{
    for (int i = 0; i < n * 4; i++) /* loop: no */
        v[i ^ 1] = v[i] * 3;
}
ALONE static void partners(void)
{
    for (int i = 0; i < 128; i++) /* loop: no */
        v[i ^ 1] = v[i] * 5;
}
/* in vectors each pair is one piece */
ALONE static void exchange(int n)
{
    for (int i = 0; i < n * 2; i++) { /* loop: no */
        int x = v[i];
        v[i] = v[i ^ 1];
        v[i ^ 1] = x + 1;
    }
}
ALONE static void exchange_in_line(int n)
{
    for (int i = 0; i < n * 2; i++) /* loop: no */
        v[i] ^= v[i ^ 1], v[i ^ 1] += v[i], v[i] -= 3;
}
/* clang-format off */
ALONE static void exchange_at_once(void)
{
    for (int i = 0; i < 128; i++) { int x = v[i]; v[i] = v[i ^ 1]; v[i ^ 1] = x + 1; } /* loop: no */
}
/* clang-format on */
/* one of each pair is left alone */
ALONE static void to_other(int n)
{
    for (int i = 0; i < n * 4; i += 2) /* loop: parallel */
        v[i ^ 1] = v[i] * 3;
}
struct pair {
    double *to, *from;
    int n;
};
/* the last element that is read is the first that is written: in front of the unrolled loop */
static void ends_meet(struct pair *p)
{
    for (int i = 0; i < p->n; i++) /* loop: no */
        p->to[i] = p->from[i] + 0.5;
}
static void ends_apart(struct pair *p)
{
    for (int i = 0; i < p->n; i++) /* loop: parallel */
        p->to[i] = p->from[i] + 0.5;
}
/* scratch that unrolled code has in registers, in a line that also stores to something else */
static int rows[COUNT][8];
/* clang-format off */
static int turned(int n)
{
    int t[8];
    for (int i = 0; i < n; i++) { for (int k = 0; k < 8; k++) t[k] = rows[i][7 - k]; for (int k = 0; k < 8; k++) rows[i][k] = t[k]; } /* own: t */
    return t[0];
}
static int turned_in_block(int n)
{
    int *t = malloc(8 * sizeof *t);
    for (int i = 0; i < n; i++) { for (int k = 0; k < 8; k++) t[k] = rows[i][7 - k]; for (int k = 0; k < 8; k++) rows[i][k] = t[k] + k; } /* own: t */
    int first = t[0];
    free(t);
    return first;
}
/* clang-format on */
int main(int argc, char **argv)
{
    int n = COUNT - 3 * (argc > 3);
    (void)argv;
    for (int i = 0; i < COUNT; i++) {
        d[i] = i % 13;
        w[i] = i * 7 % 61;
        flag[i] = i * 5 % 43;
    }
    for (int i = 0; i < 4 * PAIRS + COUNT; i++)
        v[i] = i * 37 % 101;
    message(n);
    arm(n, 1000);
    arm_of_sum(n, 1000);
    right_of_and(n, 1000);
    other_arm(n, 3);
    element_of_arm(n, 1000);
    store_in_arm(n, 1000);
    far_too_much(n);
    clipped(n);
    set_in_arm(n, 1000);
    copied_from_either(n, 1000);
    either(n, 1000);
    anything(n, 1000);
    both(n, w, &w[1], v);
    anywhere = argc > 4 ? v : w;
    partner(PAIRS);
    to_partner(PAIRS);
    partners();
    exchange(PAIRS);
    exchange_in_line(PAIRS);
    exchange_at_once();
    to_other(PAIRS);
    struct pair meet = {d + 98, d + 1, 98};
    ends_meet(&meet);
    static double other[2 * COUNT];
    struct pair apart = {other, d, 98};
    ends_apart(&apart);
    for (int i = 0; i < COUNT; i++)
        for (int k = 0; k < 8; k++)
            rows[i][k] = i * k % 31;
    double h = turned(n) + turned_in_block(n);
    for (int i = 0; i < COUNT; i++)
        h = h * 0.9 + d[i] + v[i] + w[i] + other[i] + rows[i][3];
    printf("%g\n", h);
    return 0;
}
