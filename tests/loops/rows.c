/* Pointers to where an iteration's own elements begin, and what only looks like these. Labels as in
 * dependent.c and independent.c; input: this input alone allows it. */
#include "loops.h"

#define ALONE __attribute__((noinline))

enum { MANY = 200, WIDE = 16 };

static unsigned char image[4 * MANY + 8];
static double flat[MANY * WIDE], matrix[MANY][WIDE];
static int chosen[MANY];
static struct table {
    int backward;
    struct entry {
        float re, im;
    } * behind, in[MANY + 1];
} table;
static struct entry entries[MANY];

ALONE static void pixels(unsigned char *rgb, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        unsigned char *p = rgb + i * 3;
        p[0] = (unsigned char)(i + 1);
        p[1] = (unsigned char)(i * 2);
        p[2] = (unsigned char)(i * 3);
    }
}
ALONE static void pixels_swapped(unsigned char *rgba, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        unsigned char *p = &rgba[4 * i];
        unsigned char red = p[0];
        p[0] = p[2];
        p[2] = red;
    }
}
ALONE static void pixels_over(unsigned char *rgb, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned char *p = rgb + i * 2;
        p[0] = (unsigned char)(i + 1);
        p[1] = (unsigned char)(p[0] + i);
        p[2] = (unsigned char)(p[1] + i);
    }
}
ALONE static void pixels_before(unsigned char *rgb, int n)
{
    for (int i = 1; i < n; i++) { /* loop: no */
        unsigned char *p = &rgb[3 * i];
        p[0] = (unsigned char)(p[-3] + i);
    }
}
ALONE static void pixels_of_input(unsigned char *rgb, int n, int step)
{
    for (int i = 0; i < n; i++) { /* loop: input */
        unsigned char *p = rgb + i * step;
        p[0] = (unsigned char)(i + 1);
        p[1] = (unsigned char)(i * 2);
        p[2] = (unsigned char)(i * 3);
    }
}
/* wider than they begin apart */
ALONE static void over_bytes(unsigned char *bytes, int n)
{
    for (int i = 0; i < n; i++) /* loop: no */
        *(unsigned *)(bytes + i * 2) = (unsigned)i * 77777;
}
ALONE static void over_bytes_by_name(unsigned char *bytes, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        unsigned *p = (unsigned *)(bytes + i * 2);
        p[0] = (unsigned)i * 77777;
    }
}
ALONE static void begins(double *a, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double *row = &a[i * WIDE];
        row[0] = i;
        row[1] = i * 2;
    }
}
ALONE static void begins_and_goes_on(double *a, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        double *row = a + i * WIDE;
        row[0] = i;
        for (int k = 1; k < WIDE; k++)
            row[k] = row[k - 1] + 1;
    }
}
ALONE static void declared_before(double *a, int n)
{
    const double *from;
    double *to;
    for (int i = 0; i < n; i++) { /* loop: private */
        from = &a[i * WIDE];
        to = &a[i * WIDE + WIDE / 2];
        to[0] = from[1] + from[2];
        to[1] = from[3] * 2;
    }
}
ALONE static void left_by_the_last(double *a, int n)
{
    double *to = a;
    for (int i = 0; i < n; i++) { /* loop: no */
        to[0] = to[2] + i;
        to = &a[i * WIDE];
        to[1] = i;
    }
}
ALONE static void turned_round(unsigned char *p, int n, int wide)
{
    for (int i = 0; i < n; i++) { /* loop: input */
        unsigned char *left = p + i * wide, *right = left + wide - 1;
        while (left < right) { /* loop: no */
            unsigned char kept = *left;
            *left++ = *right;
            *right-- = kept;
        }
    }
}
ALONE static void goes_into_the_next(int n)
{
    for (int i = 0; i < n - 1; i++) { /* loop: no */
        double *row = &matrix[i][0];
        row[WIDE] = row[0] + 1;
    }
}
ALONE static void in_a_struct(struct table *t, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        struct entry *e = t->in + i;
        e->re = (float)i;
        e->im = (float)(i * 2);
    }
}
ALONE static void behind_a_struct(struct table *t, int n)
{
    for (int i = 0; i < n; i++) { /* loop: parallel */
        struct entry *e = t->behind + i;
        e->re = (float)i;
        e->im = (float)(i * 2);
    }
}
ALONE static void in_a_struct_and_before(struct table *t, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        struct entry *e = t->in + i;
        e[1].re = e->re + 1;
        e->im = (float)(i * 2);
    }
}
ALONE static void chosen_ones(struct table *t, int n)
{
    for (int i = 0; i < n; i++) { /* loop: input */
        struct entry *e = t->in + chosen[i];
        e->re = (float)i;
        e->im = (float)(i * 2);
    }
}
/* what is behind the pointers of a struct, as wide as the struct says */
static struct grid {
    int wide, high;
    double *now, *next;
} grid;
ALONE static void stencil(struct grid *g)
{
    for (int i = 1; i < g->high - 1; i++)     /* loop: parallel */
        for (int j = 1; j < g->wide - 1; j++) /* loop: parallel */
            g->next[i * g->wide + j] = g->now[(i - 1) * g->wide + j] + g->now[i * g->wide + j + 1];
}
#define AT(g, i, j) ((i) * (g)->wide + (j))
ALONE static void stencil_by_macro(struct grid *g)
{
    for (int i = 1; i < g->high - 1; i++)     /* loop: parallel */
        for (int j = 1; j < g->wide - 1; j++) /* loop: parallel */
            g->next[AT(g, i, j)] = g->now[AT(g, i - 1, j)] + g->now[AT(g, i, j + 1)];
}
ALONE static void stencil_in_place(struct grid *g)
{
    for (int i = 1; i < g->high - 1; i++)     /* loop: no */
        for (int j = 1; j < g->wide - 1; j++) /* loop: parallel */
            g->now[i * g->wide + j] = g->now[(i - 1) * g->wide + j] + 1;
}
ALONE static void wider(struct grid *g, int wide)
{
    for (int i = 1; i < g->high - 1; i++) /* loop: input */
        for (int j = 1; j < wide; j++)
            g->next[i * g->wide + j] = g->now[i * g->wide + j] + 1;
}
ALONE static void grows(struct grid *g, int n)
{
    for (int i = 0; i < n; i++) { /* loop: no */
        g->next[i * g->wide] = i;
        g->wide += i & 1;
    }
}
/* j is another number where the pointer is made than where it is used */
ALONE static void made_elsewhere(double *a, int n)
{
    int j;
    for (int i = 0; i < n; i++) { /* loop: no */
        double sum = 0;
        for (j = 0; j < 4; j++)
            sum += a[i * WIDE + j];
        double *row = a + (i + j - 3) * WIDE;
        for (j = 0; j < 4; j++)
            row[j] = sum;
    }
}

/* how long a row is lies beside the pointer to it, and no double is stored there */
struct block {
    union {
        double *flat, *square;
    } of;
    int kind, size;
};
struct blocks {
    int n;
    struct block *v;
};
ALONE static void blocks_set(struct blocks m, int b)
{
    int i, j;
    for (j = 0; j < m.v[b].size; j++) /* loop: input */
        for (i = 0; i < m.v[b].size; i++)
            m.v[b].of.square[j * m.v[b].size + i] = b + i * 0.5;
}
/* which element is written, data tell */
ALONE static void blocks_filled(struct blocks m, int b)
{
    for (int j = 0; j < m.v[b].size; j++) { /* loop: no */
        int i = 0;
        while (m.v[b].of.flat[i] > 0)
            i++;
        m.v[b].of.flat[i] = j + 1;
    }
}

int main(int argc, char **argv)
{
    int n = MANY - argc + 1;
    (void)argv;
    table.behind = entries;
    for (int i = 0; i < MANY; i++)
        chosen[i] = i * 7 % MANY;
    pixels(image, n), digest(image, sizeof image), pixels_swapped(image, n), digest(image, sizeof image);
    pixels_over(image, n), digest(image, sizeof image), pixels_before(image, n), digest(image, sizeof image);
    pixels_of_input(image, n, 2 + argc), digest(image, sizeof image);
    over_bytes(image, n), digest(image, sizeof image), over_bytes_by_name(image, n);
    digest(image, sizeof image);
    turned_round(image, n / 4, 15 + argc), digest(image, sizeof image);
    begins(flat, n), digest(flat, sizeof flat), begins_and_goes_on(flat, n), digest(flat, sizeof flat);
    declared_before(flat, n), digest(flat, sizeof flat);
    left_by_the_last(flat, n), digest(flat, sizeof flat), goes_into_the_next(n),
        digest(matrix, sizeof matrix);
    in_a_struct(&table, n), behind_a_struct(&table, n), digest(entries, sizeof entries);
    digest(table.in, sizeof table.in), in_a_struct_and_before(&table, n), digest(table.in, sizeof table.in);
    chosen_ones(&table, n), digest(table.in, sizeof table.in);
    grid = (struct grid){WIDE, MANY, flat, &matrix[0][0]};
    stencil(&grid), stencil_by_macro(&grid), digest(matrix, sizeof matrix), stencil_in_place(&grid),
        digest(flat, sizeof flat);
    wider(&grid, WIDE - 2 + argc), digest(matrix, sizeof matrix), grid.wide = 1, grows(&grid, 20);
    digest(matrix, sizeof matrix);
    made_elsewhere(flat, n - 1), digest(flat, sizeof flat);
    struct block two[2] = {{{flat}, 0, WIDE}, {{&matrix[0][0]}, 1, WIDE - 1}};
    blocks_set((struct blocks){2, two}, argc), blocks_set((struct blocks){2, two}, 0);
    memset(matrix, 0, sizeof matrix), blocks_filled((struct blocks){2, two}, argc);
    digest(flat, sizeof flat), digest(matrix, sizeof matrix);
    return finish();
}
