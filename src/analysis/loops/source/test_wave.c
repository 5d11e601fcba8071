/* Nests whose iterations need rows before them: how far to the right they reach, by reading, and, for random
 * ones, by making every access. */
#include "test_told.h"
#include "../../metrics/tree.h"
#include "../../../../tests/tap.h"

/* Of the nest, the loop in line 2; -1: nothing is said. */
static int reach_of(const char *text)
{
    struct cc_source_loops *told = told_of(text);
    int reach = -1;
    for (size_t i = 0; i < told->v.n; i++)
        if (told->v.v[i].line == 2 && told->v.v[i].wave_line) {
            reach = (int)told->v.v[i].wave_reach;
            OK(told->v.v[i].wave_rows == (strstr(text, "rows[") != NULL), "rows behind pointers are told");
        }
    cc_source_loops_free(told);
    return reach;
}

static void test_cases(void)
{
    static const struct {
        const char *head, *inner, *body;
        int reach;
    } cases[] = {
        {"i = 1; i < n; i++", "j = 1; j < m; j++", "a[i][j] = a[i - 1][j] + a[i][j - 1];", 0},
        {"i = 1; i < n; i++", "j = 1; j < m; j++", "a[i][j] = a[i - 1][j + 1] + a[i][j - 1];", 1},
        {"i = 1; i < n; i++", "j = 1; j < m; j++",
         "a[i][j] += a[i - 1][j] + a[i + 1][j] + a[i][j + 1] + a[i][j - 1];", 0},
        {"i = 1; i < n; i++", "j = 1; j < m; j++", "a[i][j] += a[i + 1][j - 1];", 1},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "a[i][j] = a[i - 1][m - 1 - j];", -1},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "a[i][j] = a[i - 1][h[j]];", -1},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "p[i * m + j] = p[(i - 1) * m + j] + q[i * m + j];", 0},
        {"i = 1; i <= n; i++", "j = 1; j <= m; j++",
         "p[i * (m + 1) + j] = p[(i - 1) * (m + 1) + j - 1] + p[i * (m + 1) + j - 1];", 0},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "p[i * m + j] = q[(i - 1) * m + m - j];",
         -1}, /* one, perhaps */
        {"i = 1; i < n; i++", "j = 0; j <= m; j++", "p[i * m + j] = p[(i - 1) * m + j];",
         -1}, /* rows overlap */
        {"i = 1; i < n; i++", "j = 0; j < i; j++", "a[i][j] = a[i - 1][j];", -1},
        {"i = 1; i < n; i += 2", "j = 0; j < m; j++", "a[i][j] = a[i - 1][j];", -1},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "{ if (a[i - 1][j] > 9) break; a[i][j] = a[i - 1][j]; }",
         -1},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "{ fill(p); a[i][j] = a[i - 1][j]; }",
         0}, /* p is not what it changes */
        {"i = 1; i < n; i++", "j = 1; j <= width; j++",
         "wide[i * (width + 1) + j] = wide[(i - 1) * (width + 1) + j - 1];", 0},
        {"i = 1; i < n; i++", "j = 1; j <= width; j++",
         "{ wide[i * (width + 1) + j] = wide[(i - 1) * (width + 1) + j]; width--; }", -1},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "p[j] = p[j] + 1;", 0},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "p[i] = p[i - 1] + 1;", -1},
        {"u = 1; u < n; u++", "v = 1; v <= w; v++", "a[u][v] = a[u - 1][v - 1] + a[u - 1][v] + a[u][v - 1];",
         0},
        {"u = 1; u < n; u++", "v = 1; v < w; v++", "a[u][v] = a[u - 1][v + 1];", 1},
        {"u = 1; u < n; u++", "v = 0; v < w; v++", "a[u][v] = a[u - 1][w - 1 - v];", -1},
        {"u = 1; u < n; u++", "v = 0; v < w; v++", "p[u * w + v] = p[(u - 1) * w + v];", 0},
        {"u = 1; u < n; u++", "v = 0; v <= w; v++", "p[u * w + v] = p[(u - 1) * w + v];", -1},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "rows[i][j] = rows[i - 1][j + 1];", 1},
        {"i = 1; i < n; i++", "j = 0; j < m; j++", "{ rows[i][j] = rows[i - 1][j]; others[j] = p; }",
         -1}, /* which may be rows */
    };
    for (size_t k = 0; k < CC_COUNT(cases); k++) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf(
            "# 1 \"t.c\"\nint a[99][99], h[99], *wide, width; void fill(int *); void f(int n, int m, "
            "int *p, int *q, int **rows, int **others, unsigned long w) { int i, j; unsigned u; unsigned "
            "long v;\n"
            "for (%s)\nfor (%s)\n%s\n}\n",
            cases[k].head, cases[k].inner, cases[k].body);
        int reach = reach_of(text);
        OK(reach == cases[k].reach, "%s: reaches %d, not %d", cases[k].body, cases[k].reach, reach);
    }
}

/* --- random nests --- */

enum { NESTS = 200, ACCESSES = 3, LARGEST = 5 };

static uint64_t state = 84295670;
static int draw(int n)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (int)((state >> 33) % (unsigned)n);
}

struct access {
    int row, column; /* how far from i and j */
    bool across;     /* -j */
};

struct nest {
    bool flat;                 /* p[i * (m + more) + j] */
    int more;                  /* what a row has beyond m */
    int from, beyond;          /* j from `from` to below m + beyond */
    struct access v[ACCESSES]; /* the first is written */
};

static long place(const struct nest *t, const struct access *a, int i, int j, int m)
{
    long row = i + a->row, column = (a->across ? -j : j) + a->column;
    return t->flat ? row * (m + t->more) + column : (row + 50) * 1000 + column + 500;
}

/* The largest of j' - j where (i', j') and a later (i, j) meet; -1: they do not, or only to the left. */
static int brute(const struct nest *t)
{
    int most = 0;
    for (int n = 2; n <= LARGEST; n++)
        for (int m = 1; m <= LARGEST; m++)
            for (int x = 0; x < ACCESSES * ACCESSES; x++)
                for (int i = 2; i < n + 2; i++)
                    for (int before = 2; before < i; before++)
                        for (int j = t->from; j < m + t->beyond; j++)
                            for (int k = t->from; k < m + t->beyond; k++) {
                                int one = x / ACCESSES, two = x % ACCESSES;
                                if ((one == 0 || two == 0) &&
                                    place(t, &t->v[one], i, j, m) == place(t, &t->v[two], before, k, m) &&
                                    k - j > most)
                                    most = k - j;
                            }
    return most;
}

static void put_access(struct cc_buf *b, const struct nest *t, const struct access *a)
{
    const char *sign = a->across ? "-" : "+";
    if (t->flat)
        cc_buf_printf(b, "p[(i + %d) * (m + %d) %s j + %d]", a->row, t->more, sign, a->column);
    else
        cc_buf_printf(b, "a[i + %d][%d %s j]", a->row, a->column, sign);
}

static void test_random(void)
{
    unsigned told = 0, wrong = 0, flat = 0;
    for (int k = 0; k < NESTS; k++) {
        struct nest t = {.flat = draw(2), .more = draw(3), .from = draw(2), .beyond = draw(3) - 1};
        for (int i = 0; i < ACCESSES; i++)
            t.v[i] = (struct access){draw(4) - 2, draw(4) - 1, draw(12) == 0};
        struct cc_buf b = {0};
        cc_buf_printf(&b,
                      "# 1 \"t.c\"\nint a[99][99]; void f(int n, int m, int *p) { int i, j;\nfor (i = 2; i < "
                      "n + 2; i++)\n"
                      "for (j = %d; j < m + %d; j++)\n",
                      t.from, t.beyond);
        for (int i = 0; i < ACCESSES; i++) {
            cc_buf_puts(&b, i == 0 ? "" : i == 1 ? " = " : " + ");
            put_access(&b, &t, &t.v[i]);
        }
        cc_buf_puts(&b, ";\n}\n");
        int reach = reach_of(b.s);
        told += reach >= 0;
        flat += reach >= 0 && t.flat;
        if (reach >= 0 && brute(&t) > reach) {
            wrong++;
            printf("# said %d, is %d: %s\n", reach, brute(&t), strchr(b.s, 10) + 1);
        }
        cc_buf_fini(&b);
    }
    OK(wrong == 0, "%u of %d random nests reach as far as is said, or less", told - wrong, NESTS);
    OK(told > NESTS / 4 && flat > NESTS / 20, "something is said of %u, %u of them in rows of one array",
       told, flat);
}

int main(void)
{
    test_cases();
    test_random();
    return TAP_DONE();
}
