/* Loops whose variables are known by reading them. */
#include "test_told.h"
#include "../../metrics/tree.h"
#include "../../../../tests/tap.h"

struct expectation {
    const char *body;    /* of a function, with one outermost loop */
    const char *counter; /* of it */
    bool leaves;
    const char *variables; /* NAME=CLASS[OPERATOR], in alphabetical order */
    const char *arrays;    /* NAME[OPERATOR], with ! where accesses differ; only those that are written */
};

static const char prefix[] =
    "# 1 \"t.c\"\n"
    "int g; double a[100], b[100]; int h[16], m[99][4], cube[9][9][9]; struct pair { int x, y; } pairs[9];\n"
    "struct node { struct node *next, *back; int v; } *head;\n"
    "double fmax(double, double); int f(int); void fill(int *);\n";

static const struct expectation cases[] = {
    {"int i; for (i = 0; i < n; i++) a[i] = b[i];", "i", false, "i=counter", "a"},
    {"for (int i = n; i > 0; i -= 2) a[i] = 1;", "i", false, "i=counter", "a"},
    {"for (int i = 0; i < n; i++) { if (b[i] < 0) break; a[i] = 1; }", "i", true, "i=counter", "a"},
    {"for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) if (b[j] < 0) break; a[i] = 1; }", "i", false,
     "i=counter", "a"},
    {"for (int i = 0; i < n; i++) { if (b[i] < 0) continue; a[i] = 1; }", "i", false, "i=counter", "a"},
    {"for (int i = 0; i < n; i++) { if (b[i] < 0) return; a[i] = 1; }", "i", true, "i=counter", "a"},
    {"double t; for (int i = 0; i < n; i++) { t = b[i]; a[i] = t * t; }", "i", false, "i=counter t=private",
     "a"},
    {"double t; for (int i = 0; i < n; i++) { t = b[i]; a[i] = t * t; } a[0] = t;", "i", false,
     "i=counter t=last", "a"},
    {"double t = 0; for (int i = 0; i < n; i++) { a[i] = t; t = b[i]; }", "i", false, "i=counter t=carried",
     "a"},
    {"double t; for (int i = 0; i < n; i++) { if (b[i] > 0) t = b[i]; a[i] = t; }", "i", false,
     "i=counter t=carried", "a"},
    {"double t; for (int i = 0; i < n; i++) { if (b[i] > 0) t = b[i]; else t = 1; a[i] = t; }", "i", false,
     "i=counter t=private", "a"},
    {"double t; for (int i = 0; i < n; i++) { if (b[i] > 0) continue; else t = 1; a[i] = t; }", "i", false,
     "i=counter t=private", "a"},
    {"double t; for (int i = 0; i < n; i++) { switch (n) { case 1: t = 1; break; default: t = 2; } a[i] = t; "
     "}",
     "i", false, "i=counter t=carried", "a"},
    /* what is declared in the loop, but not set on every way, may have what an earlier iteration left there
     */
    {"for (int i = 0; i < n; i++) { double t; if (b[i] > 0) t = b[i]; a[i] = t; }", "i", false,
     "i=counter t=left", "a"},
    {"for (int i = 0; i < n; i++) { double t; if (b[i] > 0) t = b[i]; else t = 1; a[i] = t; }", "i", false,
     "i=counter", "a"},
    {"for (int i = 0; i < n; i++) { double t = 2; if (b[i] > 0) t = b[i]; a[i] = t; }", "i", false,
     "i=counter", "a"},
    {"for (int i = 0; i < n; i++) { int t; for (int j = 0; j < i; j++) t = j; a[i] = t; }", "i", false,
     "i=counter t=left", "a"},
    {"for (int i = 0; i < n; i++) { struct pair t; t.x = i; if (b[i] > 0) t.y = i; a[i] = t.x + t.y; }", "i",
     false, "i=counter t=left", "a"},
    {"for (int i = 0; i < n; i++) { struct pair t; t.x = i; t.y = 2 * i; a[i] = t.x + t.y; }", "i", false,
     "i=counter", "a"},
    {"int j; for (int i = 0; i < n; i++) for (j = 0; j < n; j++) a[i] += b[j];", "i", false,
     "i=counter j=private", "a+"},
    {"double s = 0; for (int i = 0; i < n; i++) s += b[i]; a[0] = s;", "i", false, "i=counter s=reduction+",
     ""},
    {"double s = 0; for (int i = 0; i < n; i++) s = s - b[i]; a[0] = s;", "i", false,
     "i=counter s=reduction+", ""},
    {"double s = 0; for (int i = 0; i < n; i++) s = b[i] - s; a[0] = s;", "i", false, "i=counter s=carried",
     ""},
    {"double s = 0; for (int i = 0; i < n; i++) s = b[i] + s + 1; a[0] = s;", "i", false,
     "i=counter s=reduction+", ""},
    {"double s = 1; for (int i = 0; i < n; i++) if (b[i] > 0) s *= b[i]; a[0] = s;", "i", false,
     "i=counter s=reduction*", ""},
    {"double s = 0; for (int i = 0; i < n; i++) { s += b[i]; a[i] = s; }", "i", false, "i=counter s=carried",
     "a"},
    {"double s = 0; for (int i = 0; i < n; i++) { s += b[i]; s *= 2; }", "i", false, "i=counter s=carried",
     ""},
    {"double s = 0; for (int i = 0; i < n; i++) s += s * b[i];", "i", false, "i=counter s=carried", ""},
    {"double m = b[0]; for (int i = 1; i < n; i++) if (b[i] > m) m = b[i]; a[0] = m;", "i", false,
     "i=counter m=reductionmax", ""},
    {"double m = b[0]; for (int i = 1; i < n; i++) { if (m > b[i]) { m = b[i]; } } a[0] = m;", "i", false,
     "i=counter m=reductionmin", ""},
    {"double m = b[0]; for (int i = 1; i < n; i++) m = b[i] > m ? b[i] : m; a[0] = m;", "i", false,
     "i=counter m=reductionmax", ""},
    {"double m = b[0]; for (int i = 1; i < n; i++) m = fmax(m, b[i]); a[0] = m;", "i", false,
     "i=counter m=reductionmax", ""},
    {"double m = b[0]; int k = 0; for (int i = 1; i < n; i++) if (b[i] > m) { m = b[i]; k = i; } a[0] = m + "
     "k;",
     "i", false, "i=counter k=carried m=carried", ""},
    {"int k = 0; for (int i = 0; i < n; i++) { a[k] = b[i]; k += 2; }", "i", false, "i=counter k=step", "a!"},
    {"int k = 0; for (int i = 0; i < n; i++) if (b[i] > 0) k++; a[0] = k;", "i", false,
     "i=counter k=reduction+", ""},
    {"int k = 0; for (int i = 0; i < n; i++) if (b[i] > 0) a[k++] = b[i];", "i", false, "i=counter k=carried",
     "a!"},
    {"for (struct node *p = head; p; p = p->next) p->v = 1;", "", false, "p=carriedp->next", "p"},
    {"struct node *p = head; while (p) { p->v = 1; p = p -> next; }", "", false, "p=carriedp->next", "p"},
    {"for (struct node *p = head; p; p = n ? p->next : p->back) p->v = 1;", "", false, "p=carried", "p"},
    {"struct node *p = head; while (p) { p->v = 1; p = p->next; if (n) p = p->back; }", "", false,
     "p=carried", "p"},
    {"for (int i = 0; i < n; i++) g = i;", "i", false, "g=last i=counter", ""},
    {"for (int i = 0; i < n; i++) if (b[i] > 0) g = i;", "i", false, "g=carried i=counter", ""},
    {"int t; for (int i = 0; i < n; i++) { fill(&t); a[i] = t; }", "i", false, "i=counter t=address", "a"},
    {"int t; for (int i = 0; i < n; i++) { fill(&t); if (t < 0) t = 0; a[i] = t; }", "i", false,
     "i=counter t=address", "a"},
    {"int t = 0; for (int i = 0; i < n; i++) { if (b[i] > 0) t = i; fill(&t); }", "i", false,
     "i=counter t=carried", ""},
    {"int t = 0; for (int i = 0; i < n; i++) { for (int j = 0; j < i; j++) t = j; fill(&t); }", "i", false,
     "i=counter t=carried", ""},
    {"int t = 0; for (int i = 0; i < n; i++) { a[i] = t; t = i; fill(&t); }", "i", false,
     "i=counter t=carried", "a"},
    {"int t = 0; for (int i = 0; i < n; i++) { t = i; fill(&t); } a[0] = t;", "i", false,
     "i=counter t=address-last", ""},
    {"int t = 0; for (int i = 0; i < n; i++) if (b[i] > 0) { t = i; fill(&t); } a[0] = t;", "i", false,
     "i=counter t=carried", ""},
    {"for (int i = 1; i < n; i++) a[i] = a[i - 1];", "i", false, "i=counter", "a!"},
    {"for (int i = 1; i < n; i++) { struct pair *x = &pairs[i]; x->x = x->y; x->y = 3; }", "i", false,
     "i=counter", "pairs pairs"},
    {"for (int i = 1; i < n; i++) { struct pair *x = pairs + i; x->x = 1; }", "i", false, "i=counter",
     "pairs"},
    {"for (int i = 1; i < n; i++) { struct pair *x = pairs + i / 2; x->x = 1; }", "i", false, "i=counter",
     "pairs!"},
    {"for (int i = 1; i < n; i++) { struct pair *x = &pairs[i]; x->x = pairs[i - 1].x; }", "i", false,
     "i=counter", "pairs!"},
    {"for (int i = 1; i < n; i++) { double *x = &a[4 * i]; for (int k = 0; k < n; k++) x[k] = 1; }", "i",
     false, "i=counter", "a!"},
    {"for (int i = 1; i < n; i++) { double *x = a + i; x[0] = 1; x++; *x = 2; }", "i", false, "i=counter",
     "x!"},
    {"for (int i = 1; i < n; i++) a[i] = a[ i ] * 2;", "i", false, "i=counter", "a*"},
    {"for (int i = 0; i < n; i++) h[f(i)]++;", "i", false, "i=counter", "h+!"},
    {"for (int i = 0; i < n; i++) { h[f(i)]++; a[i] = h[0]; }", "i", false, "i=counter", "h! a"},
    {"for (int i = 0; i < n; i++) pairs[i].x = pairs[i].y;", "i", false, "i=counter", "pairs"},
    {"for (int i = 1; i < n; i++) pairs[i].x = pairs[i - 1].x;", "i", false, "i=counter", "pairs!"},
    {"for (int i = 1; i < n; i++) { pairs[i].x = 1; pairs[0] = pairs[i]; }", "i", false, "i=counter",
     "pairs! pairs!"},
    {"int i = 0; while (i < n) { a[i] = b[i]; i++; }", "i", false, "i=counter", "a"},
    {"double *p = a; for (int i = 0; i < n; i++) *p++ = b[i];", "i", false, "i=counter p=carried", "p!"},
    {"for (int i = 0; i < n; i++) { a[i] = 1; i++; }", "", false, "i=step", "a"},
    {"for (int i = 0; i + 1 < n; i += 2) a[i] = a[i + 1];", "i", false, "i=counter", "a!"},
    {"for (int i = 0; i < n && i < 9; i++) a[i] = 1;", "i", false, "i=counter", "a"},
    {"for (int i = 0; b[i] > 0; i++) a[i] = 1;", "", false, "i=step", "a"},
    {"for (int i = 0; i < n; i++) { static int k; a[i] = k++; }", "i", false, "i=counter k=carried", "a"},
    {"for (int i = 0; i < n; i++) a[f(i)] = i; b[0] = a[1];", "i", false, "i=counter", "a!"},
    {"for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) a[i * 3 + j] = i;", "i", false, "i=counter",
     "a!"},
    {"for (int i = 0; i < n; i++) for (int j = 0; j < 4; j++) m[2 * i + 1][j] = i;", "i", false, "i=counter",
     "m"},
    {"for (int i = 0; i < n; i++) a[h[i]] = a[h[i]] * 2;", "i", false, "i=counter", "a*!"},
    {"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) a[i * n + j] = 1;", "i", false, "i=counter",
     "a"},
    {"for (int i = 0; i < n; i++) for (int j = 0; j < 9; j++) a[i * n + j] = 1;", "i", false, "i=counter",
     "a!"},
    {"for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i * n + j] = 1;", "i", false, "i=counter",
     "a!"},
    {"int k; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { k = n * i + j; a[k] = a[k] + b[k]; "
     "a[k] "
     "= a[k] / 2; }",
     "i", false, "i=counter k=private", "a"},
    {"int k; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { k = i * n + j; a[k] = 1; k++; }", "i",
     false, "i=counter k=private", "a!"},
    {"int k = 0; for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { if (j) k = i * n + j; a[k] = 1; }",
     "i", false, "i=counter k=carried", "a!"},
    {"for (int i = 0; i < n; i++) cube[i][0][n] = 1;", "i", false, "i=counter", "cube"},
    {"int k = 0; for (int i = 0; i < n; i++) if (b[i] > 0) k = 1; a[0] = k;", "i", false,
     "i=counter k=reduction||", ""},
    {"int k = 1; for (int i = 0; i < n; i++) { if (b[i] > 0) { k = 0; } if (a[i] > 0) k = 0; } a[0] = k;",
     "i", false, "i=counter k=reduction&&", ""},
    {"int k = 1; for (int i = 0; i < n; i++) { if (b[i] > 0) k = 0; else k = 1; } a[0] = k;", "i", false,
     "i=counter k=last", ""},
    {"int k = 1; for (int i = 0; i < n; i++) { if (b[i] > 0) k = 0; a[i] = k; }", "i", false,
     "i=counter k=carried", "a"},
    {"for (int i = 0; i < n; i++) { int *t = malloc(8); t[0] = i; t[1] = t[0]; free(t); }", "i", false,
     "i=counter", ""},
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct cc_source_variable *)a)->name, ((const struct cc_source_variable *)b)->name);
}

static void check(const struct expectation *e)
{
    static const char *const classes[] = {"counter", "private", "last",    "reduction",
                                          "step",    "address", "carried", "address-last"};
    CC_CLEANUP(cc_free_ptr) char *text = cc_asprintf("%svoid test(int n)\n{\n%s\n}\n", prefix, e->body);
    struct cc_source_loops *s = told_of(text);
    struct cc_buf variables = {0}, arrays = {0};
    struct cc_source_loop *l = s->v.n ? &s->v.v[s->v.n - 1] : NULL; /* the outermost */
    cc_buf_puts(&variables, "");
    cc_buf_puts(&arrays, "");
    if (l && l->variables.n)
        qsort(l->variables.v, l->variables.n, sizeof *l->variables.v, by_name);
    for (size_t i = 0; l && i < l->variables.n; i++)
        cc_buf_printf(&variables, "%s%s=%s%s", i ? " " : "", l->variables.v[i].name,
                      classes[l->variables.v[i].class], l->variables.v[i].op ? l->variables.v[i].op : "");
    for (size_t i = 0; l && i < l->left.n; i++)
        cc_buf_printf(&variables, " %s=left", l->left.v[i]);
    for (size_t i = 0; l && i < l->arrays.n; i++) {
        const struct cc_source_array *a = &l->arrays.v[i];
        if (a->write_line)
            cc_buf_printf(&arrays, "%s%s%s%s", arrays.n ? " " : "", a->name, a->op ? a->op : "",
                          a->alike ? "" : "!");
    }
    OK(l && l->kind == (strstr(e->body, "while") ? CC_SOURCE_WHILE : CC_SOURCE_FOR), "%s", e->body);
    OK_STR(l && l->counter ? l->counter : "", e->counter, "  its counter");
    OK(l && (l->exit_line != 0) == e->leaves, "  whether it is left early");
    OK_STR(variables.s, e->variables, "  its variables");
    OK_STR(arrays.s, e->arrays, "  its arrays");
    cc_buf_fini(&variables);
    cc_buf_fini(&arrays);
    cc_source_loops_free(s);
}

/* What may happen to t behind `for (i …) { t = b[i]; a[i] = t; }`; `for (k …)` is another. */
static void test_live(void)
{
    static const struct {
        const char *before, *after;
        bool live;
    } ways[] = {
        {"", "", false},
        {"", "a[0] = t;", true},
        {"", "t = 1; a[0] = t;", false},
        {"", "t += 1;", true},
        {"", "if (n) t = 1; a[0] = t;", true},
        {"", "if (n) t = 1; else { b[0] = 2; t = 3; } a[0] = t;", false},
        {"", "if (n > 3 && (t = 1) > 0) a[1] = 1; a[0] = t;", true},
        {"", "if ((t = n) > 3) a[1] = 1; a[0] = t;", false},
        {"", "switch (n) { case 1: t = 1; break; case 2: a[0] = t; }", true},
        {"", "switch (n) { case 1: t = 1; break; default: t = 2; } a[0] = 1;", false},
        {"", "while (n--) { t = 2; a[0] = t; }", false},
        {"", "while (n--) { a[0] = t; t = 2; }", true},
        {"", "while (n--) { if (n == 2) break; t = 2; } a[0] = t;", true},
        {"", "while (1) { t = 2; if (n--) break; } a[0] = t;", true}, /* that 1 is true is not looked at */
        {"", "do { if (n) continue; t = 2; } while (t > 1);", true},
        {"", "do { t = 2; } while (t > n--);", false},
        {"", "for (t = 0; t < 3; t++) a[0] = t;", false},
        {"", "for (k = 0; k < 3; k++) for (t = 0; t < 3; t++) a[k] = t;", false},
        {"", "return;", false},
        {"", "{ double t = 3; a[0] = t; }", false},
        {"", "if (n) goto out; t = 1; out: a[0] = t;", true},
        {"double *p = &t;", "t = 1; a[0] = t + *p;", true},
        {"for (k = 0; k < n; k++) { a[k] = 1;", "}", false},
        {"for (k = 0; k < n; k++) { a[k] = t;", "}", true},
        {"for (k = 0; k < n; k++) { t = 4; a[k] = t;", "}", false},
        {"for (k = 0; k < n; k++) { if (k) a[k] = t;", "if (k) { t = 7; continue; } t = 8; }", false},
        {"for (k = 0; k < n; k++) { if (k) a[k] = t;", "if (k) { continue; } t = 8; }", true},
        {"for (k = 0; k < n; k++) { switch (k) { case 1:", "break; case 2: a[0] = t; } t = 1; }", false},
        {"for (k = 0; k < n; k++) { switch (k) { case 1:", "case 2: a[0] = t; } t = 1; }", true},
    };
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text =
            cc_asprintf("%svoid test(int n)\n{\ndouble t = 0;\nint k = n;\n%s\nfor (int i = 0; i < n; "
                        "i++) { t = b[i]; a[i] = t; }\n%s\n}\n",
                        prefix, ways[i].before, ways[i].after);
        struct cc_source_loops *s = told_of(text);
        const char *found = "no such loop";
        for (size_t l = 0; l < s->v.n; l++)
            for (size_t v = 0;
                 s->v.v[l].counter && strcmp(s->v.v[l].counter, "i") == 0 && v < s->v.v[l].variables.n; v++)
                if (strcmp(s->v.v[l].variables.v[v].name, "t") == 0)
                    found = s->v.v[l].variables.v[v].class == CC_SOURCE_PRIVATE ? "private"
                            : s->v.v[l].variables.v[v].class == CC_SOURCE_LAST  ? "last"
                                                                                : "another class";
        bool addressed = strchr(ways[i].before, '&') != NULL;
        OK_STR(found, ways[i].live || addressed ? "last" : "private", "%s … %s", ways[i].before,
               ways[i].after);
        cc_source_loops_free(s);
    }
}

/* Lines whose loads of `a` the binary has to have, with how many; and whether far iterations may meet there.
 */
static void test_asked(void)
{
    static const struct {
        const char *body, *asked;
        bool far;
    } ways[] = {
        {"if (a[i] > a[i + 1]) {\ndouble t = a[i];\na[i] = a[i + 1];\na[i + 1] = t; }", "101 101", false},
        {"if (b[i] > a[i + 1]) {\ndouble t = a[i];\na[i] = a[i + 1];\na[i + 1] = t; }", "101 102", false},
        {"b[i] = a[i] + a[2 * i];\na[h[i]] = 1;\nb[i] += a[i];", "101 101 103", true},
        {"b[i] = a[i] + a[2 * i];\na[i + 1] = 1;\nb[i] += a[i];", "101 101", true},
        {"b[i] = a[i];\nf(i);\na[i + 1] = a[i];", "101 103", false},
        {"b[i] = a[i];\ng = 1;\na[i + 1] = a[i];", "101 103", false},
        {"int k = i;\nb[i] = a[k];\nk++;\na[i + 1] = a[k];", "102 104", true},
        {"if (n) b[i] = a[i];\na[i + 1] = a[i];", "101 102", false},
        {"for (int k = 0; k < n; k++) b[k] = a[i];\na[i + 1] = a[i];", "101 102", false},
        {"for (int k = 0; k < n; k++) {\nb[k] += a[i];\na[i + k] = a[i]; }", "102", true},
        {"b[i] = a[i];\n{ double *p = b;\n*p = 1; }\na[i + 1] = a[i];", "101 104", false},
        {"a[i] = a[i + n / 2];", "101", true},
        {"a[i * n] = a[i * n + n / 2];", "101", true},
        {"a[2 * i] = 1;\na[n - i] = 2;", "", true},
        {"a[i] = a[i + 4];", "101", true},
        {"a[i] = a[i - 3];", "101", false},
        {"for (int k = 0; k < n; k++) a[k] = b[i] * k;\nfor (int k = 0; k < n; k++) b[i] += a[n - k];", "102",
         false},
    };
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text =
            cc_asprintf("%svoid test(int n)\n{\n# 100 \"t.c\"\nfor (int i = 0; i < n; i++) {\n%s\n}\n}\n",
                        prefix, ways[i].body);
        struct cc_source_loops *s = told_of(text);
        const struct cc_source_loop *l = s->v.n ? &s->v.v[s->v.n - 1] : NULL;
        struct cc_buf asked = {0};
        bool far = false;
        cc_buf_puts(&asked, "");
        for (size_t k = 0; l && k < l->arrays.n; k++)
            for (int m = 0; strcmp(l->arrays.v[k].name, "a") == 0 && m < CC_SOURCE_READS; m++) {
                far = l->arrays.v[k].far;
                if (l->arrays.v[k].reads[m])
                    cc_buf_printf(&asked, "%s%u", asked.n ? " " : "", l->arrays.v[k].reads[m]);
            }
        OK_STR(asked.s, ways[i].asked, "lines with loads, way %zu", i);
        OK(far == ways[i].far, "  whether far iterations may meet");
        cc_buf_fini(&asked);
        cc_source_loops_free(s);
    }
}

/* Rows of a matrix: what another row has to do with it is far, other elements of the same are not. */
static void test_rows(void)
{
    static const struct {
        const char *body;
        bool far;
    } ways[] = {{"m[i][0] = m[i][n] + m[i][n / 2];", false},
                {"m[i][0] = m[n][i];", true},
                {"m[0][i] = m[n][i];", false},
                {"m[i][h[i]] = 1;", false},
                {"m[h[i]][0] = 1;", true},
                {"m[i][0] = m[i / 2][0];", true},
                {"rows[i][0] = rows[i][n / 2];", false}, /* rows are taken for different ones */
                {"rows[i][0] = 1;", false},
                {"*rows[i] = 1;", true},
                {"int k = i + 1; m[k][0] = 1;", false},
                {"int k = (float)i; m[k][0] = 1;", true},
                {"unsigned short k = i; m[k][0] = 1;", true},
                {"cube[i][0][n] = cube[i][n][0];", false}};
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text =
            cc_asprintf("%sdouble *rows[9];\nvoid test(int n)\n{\nfor (int i = 0; i < n; i++) {\n%s\n}\n}\n",
                        prefix, ways[i].body);
        struct cc_source_loops *s = told_of(text);
        const struct cc_source_loop *l = s->v.n ? &s->v.v[s->v.n - 1] : NULL;
        bool far = false;
        for (size_t k = 0; l && k < l->arrays.n; k++)
            far = far || (l->arrays.v[k].write_line && l->arrays.v[k].far);
        OK(l && far == ways[i].far, "%s", ways[i].body);
        cc_source_loops_free(s);
    }
}

/* What nothing in the loop can change: neither by its name nor by an address. */
static void test_spared(void)
{
    static char text[] = "# 1 \"t.c\"\ndouble a[9]; void f(int *);\n"
                         "void test(int n, int *p)\n{\n"
                         "    int plain = 3, set = 4, given = 5, list[3] = {0}, twice = 1;\n"
                         "    f(&given);\n    { int twice[2]; f(twice); }\n"
                         "    for (int i = 0; i < n; i++) { set = i; a[i] = set + *p; }\n"
                         "    a[0] = plain + set + given + list[0] + twice;\n"
                         "    int later[3] = {0}; f(later);\n}\n";
    struct cc_source_loops *s = told_of(text);
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (size_t i = 0; s->v.n && i < s->v.v[0].spared.n; i++)
        cc_buf_printf(&b, "%s%s", i ? " " : "", s->v.v[0].spared.v[i]);
    OK_STR(b.s, "n p plain later", "variables that a loop leaves alone, or that are not there yet");
    cc_buf_fini(&b);
    cc_source_loops_free(s);
}

/* Which reads the iteration need not have written itself: those the binary has to have a load for. */
static void test_covered(void)
{
    static const struct {
        const char *body;
        bool needed;
    } ways[] = {
        {"a[i] = 1; b[i] = a[i];", false},
        {"a[i] = 1; b[i] = a[i - 1];", true},
        {"a[i] = 1; b[i] = a[ i ];", false},
        {"b[i] = a[i]; a[i] = 1;", true},
        {"if (n) a[i] = 1; b[i] = a[i];", true},
        {"if (n) { a[i] = 1; b[i] = a[i]; }", false},
        {"n && (a[i] = 1); b[i] = a[i];", true},
        {"int k = i; a[k] = 1; k++; b[i] = a[k];", true},
        {"int k = i; a[k] = 1; b[i] = a[k];", false},
        {"int k = i; a[k] = 1; fill(&k); b[i] = a[k];", true},
        {"a[h[i]] = 1; h[i] = 2; b[i] = a[h[i]];", true},
        {"a[i] = 1; for (int j = 0; j < n; j++) b[j] += a[i];", false},
        {"int k = i; a[k] = 1; while (k < n) { b[i] = a[k]; k++; }", true},
        {"for (int j = 0; j < n; j++) a[i] = 1; b[i] = a[i];", true},
        {"switch (n) { case 1: a[i] = 1; default: b[i] = a[i]; }", true},
        {"a[i] = 1; again: b[i] = a[i]; if (n--) goto again;", true},
        {"a[g] = 1; f(i); b[i] = a[g];", true},
        {"m[i][0] = 1; b[i] = m[i][0];", false},
        {"m[i][0] = 1; b[i] = m[i][1];", true},
    };
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf("%svoid test(int n)\n{\nfor (int i = 0; i < n; i++) { %s }\n}\n", prefix,
                                 ways[i].body);
        struct cc_source_loops *s = told_of(text);
        const struct cc_source_loop *l = s->v.n ? &s->v.v[s->v.n - 1] : NULL;
        bool needed = false;
        for (size_t k = 0; l && k < l->arrays.n; k++) {
            const char *name = l->arrays.v[k].name;
            needed |= name && (*name == 'a' || *name == 'm') && l->arrays.v[k].reads[0];
        }
        OK(l && needed == ways[i].needed, "%s: %s", ways[i].body, needed ? "from elsewhere" : "its own");
        cc_source_loops_free(s);
    }
}

/* One element for several iterations, by a quotient of the counter. */
static void test_halves(void)
{
    static const struct {
        const char *step, *body;
        bool halves;
    } ways[] = {
        {"i++", "a[i / 2] = b[i];", true},
        {"i++", "a[i >> 1] = a[i >> 1] * 2 + 1;", true},
        {"i++", "int k = i / 2; a[k + 1] = b[i];", true},
        {"i++", "int k; k = i + 1; a[k / 4] = b[i];", true},
        {"i += 2", "a[i / 2] = b[i];", false},
        {"i += 8", "a[i >> 2] = b[i];", false},
        {"i += 2", "a[i / 4] = b[i];", true},
        {"i++", "a[i / 2 * 2 + i % 2] = b[i];", false},
        {"i++", "a[i] = b[i] / 2;", false},
        {"i++", "a[i + n / 2] = b[i / 2];", false},
        {"i++", "a[(int)b[i] / 2] = i;", false},
        {"i++", "a[i & ~1] = b[i];", true},
        {"i++", "a[i & -4] = b[i];", true},
        {"i++", "a[n + (i & ~(8 - 1))] = b[i];", true},
        {"i++", "a[i | 1] = b[i];", true},
        {"i++", "a[i - i % 4] = b[i];", true},
        {"i++", "int k = i - (i & 3); a[k] = b[i];", true},
        {"i++", "a[i & 1 ? i - 1 : i] = b[i];", true},
        {"i += 2", "a[i & ~2] = b[i];", true},
        {"i += 2", "a[i & ~1] = b[i];", false},
        {"i += 4", "a[i - i % 4] = b[i];", false},
        {"i += 4", "a[i | 3] = b[i];", false},
        {"i++", "a[i << 1 | 1] = b[i];", false},
        {"i++", "a[i & 127] = b[i];", false},
        {"i++", "a[(i & ~3) + 3 - (i & 3)] = b[i];", false},
        {"i++", "a[i - i % 4 + (i + 1) % 4] = b[i];", false},
        {"i++", "a[i ^ 1] = b[i];", false},
    };
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf("%svoid test(int n)\n{\nfor (int i = 0; i < n; %s) { %s }\n}\n", prefix,
                                 ways[i].step, ways[i].body);
        struct cc_source_loops *s = told_of(text);
        bool halves = false;
        for (size_t k = 0; s->v.n && k < s->v.v[s->v.n - 1].arrays.n; k++)
            halves = halves || (strcmp(s->v.v[s->v.n - 1].arrays.v[k].name, "a") == 0 &&
                                s->v.v[s->v.n - 1].arrays.v[k].halves);
        OK(s->v.n && halves == ways[i].halves, "%s: %s: %s", ways[i].step, ways[i].body,
           halves ? "one for several" : "one for each");
        cc_source_loops_free(s);
    }
}

/* Whether a loop inside looks at what is written for the place. */
static void test_probes(void)
{
    static const struct {
        const char *test, *to;
        bool probes;
    } ways[] = {{"m.v[b].f[i] > 0", "m.v[b].f[i]", true},  {"i < m.v[b].n", "m.v[b].f[i]", false},
                {"i < m.v[b].n", "m.v[b].k[i]", true},     {"i < m.v[b].u.n", "m.v[b].u.x[i]", true},
                {"i < m.v[b].n", "m.v[b].of.f[i]", false}, {"i < m.v[b].k[0]", "m.v[b].f[i]", false},
                {"i < m.v[b].n", "m.v[b].c[i]", true}};
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text =
            cc_asprintf("struct m { struct { int n, *k; double *f; char *c; union { double *f; } of;\n"
                        "union { int n; double x[4]; } u; } *v; };\n"
                        "void t(struct m m, int b, int n)\n{\nint i;\n"
                        "for (int j = 0; j < n; j++)\nfor (i = 0; %s; i++)\n%s = j;\n}\n",
                        ways[i].test, ways[i].to);
        struct cc_source_loops *s = told_of(text);
        bool probes = false;
        for (size_t l = 0; l < s->v.n; l++)
            for (size_t k = 0; k < s->v.v[l].arrays.n; k++)
                probes = probes || s->v.v[l].arrays.v[k].probes;
        OK(s->v.n == 2 && probes == ways[i].probes, "%s: %s is written", ways[i].test, ways[i].to);
        cc_source_loops_free(s);
    }
}

/* One element that every iteration writes, or none. */
static void test_settles(void)
{
    static const struct {
        const char *body;
        bool settles, chosen;
    } ways[] = {
        {"a[5] = b[i];", true, false},
        {"a[n] = b[i]; b[i] = a[n];", true, false},
        {"if (n > 3) a[5] = b[i];", true, false},
        {"if (b[i] > 3) a[5] = b[i];", false, true},
        {"if (b[i] > 3) continue; a[5] = b[i];", false, true},
        {"if (b[i] > 3) a[5] = b[i]; a[5] = 1;", true, false},
        {"b[i] = a[5]; a[5] = i;", false, false},
        {"a[5] += b[i];", false, false},
        {"a[5] = b[i]; a[6] = 1;", false, false},
        {"a[i] = b[i];", false, false},
        {"if (b[i] > 3) a[i] = b[i];", false, false},
        {"for (int j = 0; j < i; j++) a[5] = b[j];", false, true},
        {"n > 3 ? (a[5] = b[i]) : 0;", false, true},
    };
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf("%svoid test(int n)\n{\nfor (int i = 1; i < n; i++) { %s }\n}\n", prefix,
                                 ways[i].body);
        struct cc_source_loops *s = told_of(text);
        bool settles = false, chosen = false;
        for (size_t k = 0; s->v.n && k < s->v.v[s->v.n - 1].arrays.n; k++) {
            const struct cc_source_array *a = &s->v.v[s->v.n - 1].arrays.v[k];
            settles = settles || (strcmp(a->name, "a") == 0 && a->settles);
            chosen = chosen || (strcmp(a->name, "a") == 0 && a->chosen);
        }
        OK(chosen == ways[i].chosen, "%s: %s", ways[i].body, chosen ? "some do" : "each does");
        OK(s->v.n && settles == ways[i].settles, "%s: %s", ways[i].body, settles ? "settles" : "does not");
        cc_source_loops_free(s);
    }
}

/* Elements that are combined, and looked at in other places too. */
static void test_partly(void)
{
    static const struct {
        const char *body, *op;
        unsigned looks;
    } ways[] = {
        {"a[0] += a[i];", "+", 1},
        {"a[0] = a[0] + a[i] * a[i];", "+", 1},
        {"a[0] += a[i] + a[i + 1];", "+", 2},
        {"a[0] += a[i]; a[1] = 2;", "", 0},
        {"a[0] += b[i];", "", 0},
        {"if (a[i] > a[0]) a[0] = a[i];", "max", 1},
        {"a[0] *= a[i]; a[1] += 1;", "", 0},
        {"m[i][0] += m[0][i] * 2;", "+", 1},
    };
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf("%svoid test(int n)\n{\nfor (int i = 1; i < n; i++) { %s }\n}\n", prefix,
                                 ways[i].body);
        struct cc_source_loops *s = told_of(text);
        const struct cc_source_array *a = NULL;
        for (size_t k = 0; s->v.n && k < s->v.v[0].arrays.n; k++)
            if (s->v.v[0].arrays.v[k].write_line)
                a = &s->v.v[0].arrays.v[k];
        unsigned looks = 0;
        while (a && looks < CC_SOURCE_READS && a->looks[looks])
            looks++;
        OK_STR(a && a->partly ? a->partly : "", ways[i].op, "%s", ways[i].body);
        OK_U64(looks, ways[i].looks, "  and looks at it");
        cc_source_loops_free(s);
    }
}

/* What iterations only keep the best of, and what belongs to it. */
static void test_choices(void)
{
    static const struct {
        const char *body, *choices;
    } ways[] = {
        {"double m = 9; int k = 0; for (int i = 0; i < n; i++) if (b[i] < m) { m = b[i]; k = i; } h[k] = m;",
         "<m,k"},
        {"double m = 9; int k = 0; for (int i = 0; i < n; i++) { if (n > 3 && m <= b[i]) { k = i; m = b[i]; "
         "} } "
         "h[k] = m;",
         ">=m,k"},
        {"double m = 9; for (int i = 0; i < n; i++) if (b[i] < m) { m = b[i]; } g = m;", ""}, /* a minimum */
        {"double m = 9; int k = 0; for (int i = 0; i < n; i++) if (b[i] < m) { m = b[i]; k = i; } else a[i] "
         "= 1; "
         "h[k] = m;",
         ""},
        {"double m = 9, s = 9; int k = 0; for (int i = 0; i < n; i++) if (b[i] < m) { s = m; m = b[i]; k = "
         "i; } "
         "h[k] = m + s;",
         ""},
        {"double m = 9; int k = 0; for (int i = 0; i < n; i++) { if (b[i] < m) { m = b[i]; k = i; } a[i] = "
         "k; }",
         ""},
        {"float m = 9; int k = 0; for (int i = 0; i < n; i++) if (b[i] < m) { m = b[i]; k = i; } h[k] = m;",
         ""}, /* what is kept is rounded */
        {"unsigned m = 9; int k = 0; for (int i = 0; i < n; i++) if (h[i] < m) { m = h[i]; k = i; } g = m + "
         "k;",
         ""}, /* compared without its sign */
        {"int m = 9, k = 0; for (int i = 0; i < n; i++) if (f(i) < m) { m = f(i); k = i; } g = m + k;", ""},
        {"int m = 9, k = 0; for (int i = 0; i < n; i++) if (h[i] < m) { m = h[i + 1]; k = i; } g = m + k;",
         ""},
        {"int m = 9, k = 0; for (int i = 0; i < n; i++) if (h[i] < m) { m = h[i]; k = f(i); } g = m + k;",
         ""},
        {"int m = 9, k = 0; for (int i = 0; i < n; i++) if (h[i] < m || h[i] > 7) { m = h[i]; k = i; } g = m "
         "+ k;",
         ""},
        {"int m = 9, k = 0; for (int i = 0; i < n; i++) if (h[i] < m) { m = h[i]; k = i; fill(&k); }", ""},
    };
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr) char *text = cc_asprintf("%svoid t(int n)\n{\n%s\n}\n", prefix, ways[i].body);
        struct cc_source_loops *s = told_of(text);
        struct cc_buf told = {0};
        cc_buf_puts(&told, "");
        for (size_t k = 0; s->v.n && k < s->v.v[0].choices.n; k++) {
            const struct cc_source_choice *c = &s->v.v[0].choices.v[k];
            for (size_t m = 0; m < c->names.n; m++)
                cc_buf_printf(&told, "%s%s", m ? "," : c->op, c->names.v[m]);
        }
        OK_STR(told.s, ways[i].choices, "%s", ways[i].body);
        cc_buf_fini(&told);
        cc_source_loops_free(s);
    }
}

/* What functions keep from call to call. */
static void test_functions(void)
{
    static char text[] = "int g;\n"
                         "int number(void)\n{\n    static int k;\n    return k++;\n}\n"
                         "void set(int *p, int x)\n{\n    *p = x;\n}\n"
                         "void add(int *p, int x)\n{\n    if (x)\n        *p += x;\n    number();\n}\n";
    struct cc_source_loops *s = told_of(text);
    const struct cc_loop_function *f = s->functions.v;
    OK(s->functions.n == 3 && strcmp(f[0].name, "number") == 0, "functions are told");
    OK(s->functions.n == 3 && f[0].states.n == 1 && f[0].states.v[0].line == 5 && f[0].states.v[0].always,
       "what a static variable keeps");
    OK(s->functions.n == 3 && f[1].states.n == 0, "what is only written is not kept");
    OK(s->functions.n == 3 && f[2].states.n == 1 && f[2].states.v[0].line == 14 && !f[2].states.v[0].always,
       "what is added to under a condition");
    OK(s->functions.n == 3 && f[2].states.n == 1 && f[2].states.v[0].op &&
           strcmp(f[2].states.v[0].op, "+") == 0 && !f[0].states.v[0].op,
       "and that it is only added to, where nobody gets its value");
    OK(s->functions.n == 3 && f[2].calls.n == 1 && strcmp(f[2].calls.v[0].symbol, f[0].symbol) == 0 &&
           f[2].calls.v[0].always,
       "and who is called");
    cc_source_loops_free(s);
}

/* And what they have anew in each call. */
static void test_own(void)
{
    static char text[] =
        "void *malloc(unsigned long); int *block;\n"
        "void add(int n, int *sum)\n{\n    int *t = malloc(64);\n    *sum = 0;\n"
        "    for (int i = 0; i < n; i++) {\n        t[i % 8] += i;\n        *sum += t[i % 8];\n    }\n}\n"
        "void late(int n, int *sum)\n{\n    int *t;\n    t = malloc(64);\n    t[0]++;\n    if (n)\n"
        "        *sum = 0;\n    *sum += t[0];\n}\n"
        "void old(int n)\n{\n    int *t = malloc(64);\n    if (n)\n        t = block;\n    t[0]++;\n}\n";
    struct cc_source_loops *s = told_of(text);
    const struct cc_loop_function *f = s->functions.v;
    OK(s->functions.n == 3 && f[0].states.n == 0,
       "blocks of a call's own, and what it sets first, are not kept");
    OK(s->functions.n == 3 && f[1].states.n == 1 && f[1].states.v[0].line == 18, "what it need not set is");
    OK(s->functions.n == 3 && f[2].states.n == 1 && f[2].states.v[0].line == 25, "and so is an old block");
    cc_source_loops_free(s);
}

static void test_damage(void)
{
    static const char *const texts[] = {"", "V\t1\t\t1\t1\tx\n", "L\t0\n",
                                        "L\t0\t1\t1\t1\t1\t1\t1\t0\t0\t0\t\tf\tt.c\nV\t199\t\t1\t1\tx\nA\t\n",
                                        "L\t0\t1\t1\t1\t1\t1\t1\t0\t0\t0\t\tf\tt.c"};
    static const size_t loops[] = {0, 0, 0, 1, 0};
    for (size_t i = 0; i < CC_COUNT(texts); i++) {
        struct cc_source_loops *s = cc_source_loops_new();
        cc_source_loops_add(s, texts[i], strlen(texts[i]));
        OK(s->v.n == loops[i] && (!s->v.n || !s->v.v[0].variables.n), "damaged answer %zu", i);
        cc_source_loops_free(s);
    }
}

/* What is told of elements that calls hand out: of an assignment, whether iterations that stand outside the
 * binary's loop have nothing to do with the others; of a look, whether the line itself loads it, always. */
static void test_given(void)
{
    static const struct {
        const char *body;
        bool apart, maybe, direct;
    } ways[] = {
        {"v[i] = w[i];", true, false, false},
        {"v[3 * i + 1] = v[3 * i + 1] + 2;", true, false, true},
        {"v[t[i]] = i;", false, false, false},
        {"v[t[i]] = i + v[2 + i];", false, false, true},
        {"v[i] = v[i + 1];", false, false, true},
        {"v[4] = s + v[5];", false, false, true},
        {"if (t[i]) s = v[i]; v[i + 1] = i;", false, true, true},
        {"s = g(v[i]); v[i + 1] = i;", false, false, false},
    };
    for (size_t i = 0; i < CC_COUNT(ways); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text = cc_asprintf("struct V { double *p; double &operator[](long i) { return p[i]; } };\n"
                                 "V v, w; int t[9]; double s, g(const double &);\n"
                                 "void f(int n) { for (long i = 0; i < n; i++) { %s } }\n",
                                 ways[i].body);
        struct cc_source_loops *s = told_of_unit(
            &(struct cc_source_unit){.path = "t.cc", .cplusplus = true, .text = text, .size = strlen(text)});
        const struct cc_source_loop *l = s->v.n ? &s->v.v[s->v.n - 1] : NULL;
        bool maybe = l && l->looks.n && l->looks.v[0].maybe, direct = l && l->looks.n && l->looks.v[0].direct;
        OK(l && l->given.n == 1 && l->given.v[0].apart == ways[i].apart, "%s: %s", ways[i].body,
           ways[i].apart ? "each its own" : "iterations may meet");
        OK(maybe == ways[i].maybe && direct == ways[i].direct, "%s: how it looks", ways[i].body);
        cc_source_loops_free(s);
    }
}

/* What a function hands on of the record that it was given. */
static void test_parts(void)
{
    static const struct {
        const char *argument;
        bool whole, lies;
    } hands[] = {
        {"d", true, false},        {"d->block", false, true},
        {"&d->n", false, true},    {"d->at", false, false}, /* what a pointer in it leads to */
        {"&d[1].n", false, false}, {"d + 1", false, false},
    };
    for (size_t i = 0; i < CC_COUNT(hands); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text =
            cc_asprintf("struct d { int n; int block[9]; int *at; }; void mix(void *);\n"
                        "void take(struct d *d) { mix(%s); }\n"
                        "void f(int n) { for (int i = 0; i < n; i++) { struct d d = {1}; take(&d); } }\n",
                        hands[i].argument);
        struct cc_source_loops *s =
            told_of_unit(&(struct cc_source_unit){.path = "t.c", .text = text, .size = strlen(text)});
        const struct cc_source_hand *h = NULL;
        for (size_t k = 0; k < s->functions.n; k++)
            if (strcmp(s->functions.v[k].name, "take") == 0 && s->functions.v[k].hands.n == 1)
                h = &s->functions.v[k].hands.v[0];
        OK(h && h->whole == hands[i].whole && h->lies == hands[i].lies, "mix(%s): %s", hands[i].argument,
           hands[i].whole  ? "all of it"
           : hands[i].lies ? "a part of it"
                           : "something else");
        cc_source_loops_free(s);
    }
}

/* Whether no function can be in a loop. */
static void test_bare(void)
{
    static const struct {
        const char *body;
        bool bare;
    } bodies[] = {
        {"for (int i = 0; i < n; i++) a[i] = b[i] * 2;", true},
        {"for (int i = 0; i < n; i++) { int k = i; while (k > 3) k--; o[k].x = i; }", true},
        {"for (int i = 0; i < n; i++) a[i] = twice(b[i]);", false},
        {"for (int i = 0; i < n; i++) o[i] = o[i + 1];", false}, /* which may have an operator of its own */
        {"for (int i = 0; i < n; i++) { kept k; a[i] = b[i]; }", false},
        {"for (int x : a) n += x;", false},
        {"for (int i = 0; i < n; i++) delete q[i];", false},
        {"auto f = [&] { return n; }; for (int i = 0; i < n; i++) a[i] = f();", false},
    };
    for (size_t i = 0; i < CC_COUNT(bodies); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text =
            cc_asprintf("int a[9], b[9]; struct pair { int x, y; } o[9]; struct kept { ~kept(); } *q[9];\n"
                        "int twice(int);\nvoid f(int n) { %s }\n",
                        bodies[i].body);
        struct cc_source_loops *s = told_of_unit(
            &(struct cc_source_unit){.path = "t.cc", .cplusplus = true, .text = text, .size = strlen(text)});
        OK(s->v.n && s->v.v[0].bare == bodies[i].bare, "%s: %s", bodies[i].body,
           bodies[i].bare ? "no function" : "a function may be in it");
        cc_source_loops_free(s);
    }
}

int main(void)
{
    for (size_t i = 0; i < CC_COUNT(cases); i++)
        check(&cases[i]);
    test_live();
    test_spared();
    test_asked();
    test_rows();
    test_covered();
    test_settles();
    test_probes();
    test_halves();
    test_partly();
    test_choices();
    test_functions();
    test_own();
    test_given();
    test_parts();
    test_bare();
    test_damage();
    return TAP_DONE();
}
