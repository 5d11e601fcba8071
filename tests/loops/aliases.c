/* What leads to one thing by two ways: members, unions, bit-fields, lists, copies that overlap, casts. */
#include "loops.h"

#include <stdint.h>

#define ALONE __attribute__((noinline))

enum { COUNT = 300 };
struct node {
    int v;
    struct node *next;
    int *where;
};
union both {
    int i[4];
    short s[8];
    char c[16];
    float f[4];
};
struct flags {
    unsigned a : 3, b : 5, c : 24;
};
struct flex {
    int n;
    int v[];
};
static int ga[2 * COUNT + 8], gb[COUNT + 8], gc[COUNT + 8];
static struct node nodes[COUNT];
static union both unions[COUNT];
static struct flags bits[COUNT];
static char chars[COUNT + 16];
struct two {
    int *p, *q;
} pair;

ALONE static void members(struct two *t, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        t->p[i] = t->q[i] + 1;  /* q = p - 1 */
}
ALONE static void members_apart(struct two *t, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        t->p[i] = t->q[i] + 1;
}
ALONE static void union_read(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        unions[0].s[i % 8] = unions[0].i[(i + 1) % 4] + i;
}
ALONE static int union_own(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) { /* loop: reduction */
        union both u;
        u.i[0] = i;
        u.i[1] = 3 * i;
        sum += u.s[0] + u.s[2];
    }
    return sum;
}
ALONE static void union_each(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        unions[i].i[1] = i * 7;
        unions[i].f[2] = unions[i].s[2];
    }
}
ALONE static void bit_fields(struct flags *x, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (i & 1)
            x->a = i;
        else
            x->b = i;
}
ALONE static void bit_each(int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        bits[i].a = i;
        bits[i].c = i * 5;
    }
}
ALONE static void bit_prev(int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        bits[i].b = bits[i - 1].b + bits[i].a;
}
ALONE static void chars_set(unsigned char *set, int n)
{
    for (int i = 0; i < n; i++)
        set[i >> 3] |= 1u << (i & 7);
}
ALONE static void chars_clear(unsigned char *set, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        if (!(set[i >> 3] & 4))
            set[(i * 3 >> 3) & 15] ^= 1u << (i & 7);
}
ALONE static void pp(int **a, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        **a += i, *a = &ga[i % 5];
}
ALONE static void pp2(int **a, int n)
{
    for (int i = 1; i < n; i++)    /* loop: no */
        *a[i] = *a[i - 1] * 3 + i; /* a[i] are pointers into ga */
}
ALONE static void pp_dup(int **a, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *a[i] = *a[i] * 3 + i;  /* last pointers repeat the first */
}
ALONE static void overlap_memcpy(char *c, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        memcpy(c + 2 * i + 3, c + 2 * i, 3);
}
ALONE static void overlap_memmove(char *c, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        memmove(c + i + 1, c + i, 8);
}
ALONE static void set_rows(char (*c)[16], int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        memset(c[i], i, 16);
}
ALONE static void set_overlap(char *c, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        memset(c + 4 * i, i, 6);
}
ALONE static int list_sum(struct node *l)
{
    int s = 0;
    for (struct node *p = l; p; p = p->next)
        s += p->v;
    return s;
}
ALONE static void list_prefix(struct node *l)
{
    for (struct node *p = l; p->next; p = p->next) /* loop: no */
        p->next->v += p->v;
}
ALONE static struct node *list_reverse(struct node *l)
{
    struct node *r = NULL;
    while (l) { /* loop: no */
        struct node *n = l->next;
        l->next = r;
        r = l;
        l = n;
    }
    return r;
}
ALONE static void list_push(struct node **head, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        nodes[i].v = i;
        nodes[i].next = *head;
        *head = &nodes[i];
    }
}
ALONE static void list_where(struct node *l)
{
    for (; l; l = l->next) /* loop: no */
        *l->where += l->v * *l->where;
}
ALONE static void flexible(struct flex *f, int n)
{
    for (int i = 0; i < n; i++) /* loop: parallel */
        f->v[i] = i * 3;
    for (int i = 0; i < n; i++) /* loop: no */
        f->v[f->n++] = i;
    for (int i = 0; i + 2 < f->n; i++) /* loop: no */
        f->v[i + 2] = f->v[i] + f->v[i + 1];
}
ALONE static void vla(int n, int m, int a[n][m])
{
    for (int i = 0; i < n; i++)     /* loop: parallel */
        for (int j = 0; j < m; j++) /* loop: parallel */
            a[i][j] = i * j;
    for (int i = 1; i < n; i++)     /* loop: no */
        for (int j = 0; j < m; j++) /* loop: parallel */
            a[i][j] += a[i - 1][j];
    for (int i = 0; i < n; i++)          /* loop: no */
        for (int j = 0; j + 1 <= m; j++) /* loop: no */
            a[i][j] = a[i][j + 1 - m * (i > 0)] + 1;
}
ALONE static void alias_local(int n)
{
    int *p = ga, *q = ga + 1;
    for (int i = 0; i < n; i++) /* loop: no */
        q[i] = p[i] + 1;
    int *r = gb;
    for (int i = 0; i < n; i++) /* loop: parallel */
        r[i] = p[i] + 1;
}
ALONE static void by_int(uintptr_t at, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        *(int *)(at + 4 * i) = *(int *)(at + 4 * i - 4) ^ i;
}
ALONE static void cast_type(float *f, int n)
{
    for (int i = 1; i < n; i++) /* loop: no */
        ((int *)f)[i] = ((unsigned *)f)[i - 1] + 5;
}
ALONE static void half(short *s, int *w, int n)
{
    for (int i = 0; i < n; i++)  /* loop: no */
        s[i] = w[i / 2 + 1] + i; /* same array */
}
/* what is promised is not so: q = p - 1 */
ALONE static void promised(double *restrict p, double *restrict q, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        p[i] = q[i] + 1;
}
/* no place was taken in this run */
ALONE static void taken(int *keys, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        unsigned h = (unsigned)i * 2654435761u >> 22;
        while (keys[h])
            h = (h + 1) & 1023;
        keys[h] = i;
    }
}
int main(int argc, char **argv)
{
    int n = COUNT * argc;
    for (int i = 0; i < COUNT; i++)
        ga[i] = i, nodes[i].v = i % 7, nodes[i].next = i + 1 < COUNT ? &nodes[i + 1] : 0,
        nodes[i].where = &gb[i % 10];
    struct two t = {ga + 1, ga}, u = {gb, gc};
    members(&t, n - 1), members_apart(&u, n), union_read(n);
    ga[0] += union_own(n);
    union_each(n), bit_fields(bits, n), bit_each(n), bit_prev(n);
    static unsigned char set[64];
    chars_set(set, n), chars_clear(set, 100);
    int *one = ga;
    pp(&one, n);
    static int *a[COUNT];
    for (int i = 0; i < COUNT; i++)
        a[i] = &ga[(i * 7) % COUNT];
    pp2(a, n);
    for (int i = 0; i < COUNT; i++)
        a[i] = &ga[i < COUNT - 5 ? i : i - (COUNT - 5)];
    pp_dup(a, n), overlap_memcpy(chars, 40), overlap_memmove(chars, 100);
    static char rows[COUNT][16];
    set_rows(rows, n), set_overlap(chars, 40);
    ga[1] += list_sum(nodes);
    list_prefix(nodes), list_where(nodes);
    struct node *h = list_reverse(nodes);
    ga[2] += h->v;
    h = 0;
    list_push(&h, n);
    ga[3] += list_sum(h);
    struct flex *f = calloc(1, sizeof *f + 4 * 4 * COUNT);
    flexible(f, n), digest(f->v, 4 * COUNT);
    static int v[20][30];
    vla(20, 29 + argc, v), digest(v, sizeof v), alias_local(n), by_int((uintptr_t)gb, n);
    static float fl[COUNT];
    cast_type(fl, n), digest(fl, sizeof fl);
    int *w = calloc(COUNT, 4);
    half((short *)w, w, n), digest(w, 4 * COUNT), digest(ga, sizeof ga), digest(gb, sizeof gb);
    digest(gc, sizeof gc), digest(unions, sizeof unions), digest(bits, sizeof bits), digest(set, sizeof set);
    static double kept[COUNT + 1];
    static int keys[1024];
    promised(kept + 1, kept, n), taken(keys, n), digest(kept, sizeof kept), digest(keys, sizeof keys);
    digest(chars, sizeof chars), digest(rows, sizeof rows);
    return finish();
}
