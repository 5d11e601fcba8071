/* Patches are applied by a second, simple reader of differences and have to give the text that was promised.
 */
#include "clauses.h"
#include "patch.h"
#include "../metrics/source.h"
#include "../../base/rng.h"
#include "../../../tests/tap.h"

/* --- facts --- */

static struct cc_patch_facts *told_of(const struct cc_source_unit *unit)
{
    char *told = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&told, &size);
    cc_patch_facts_write(unit, out);
    fclose(out);
    struct cc_patch_facts *f = cc_patch_facts_new();
    cc_patch_facts_add(f, told, size);
    free(told);
    return f;
}

static struct cc_patch_facts *facts_of(const char *body)
{
    CC_CLEANUP(cc_free_ptr)
    char *text =
        cc_asprintf("# 1 \"t.c\"\nint g; double a[100], b[100][100]; double helper(int), other(int);\n"
                    "double helper(int k) { return a[k] + g; }\n"
                    "double plain(int k) { return k * 2.0; }\n"
                    "void test(int n, double *p)\n{\n%s\n}\n",
                    body);
    struct cc_source_unit unit = {.path = "t.c", .text = text, .size = strlen(text)};
    return told_of(&unit);
}

struct head {
    const char *body;
    bool fits, after, rectangular;
};

static const struct head heads[] = {
    {"for (int i = 0; i < n; i++) a[i] = 1;", true, false, false},
    {"int i; for (i = 0; i < n; i++) a[i] = 1;", true, false, false},
    {"int i; for (i = 0; i < n; i++) a[i] = 1; a[0] = i;", true, true, false},
    {"int i; for (i = 0; i < n; i++) a[i] = 1; for (i = 0; i < n; i++) p[i] = 2;", true, false, false},
    {"int i = 0; for (; i < n; i++) a[i] = 1;", false, false, false},
    {"int i, k; for (i = 0, k = 1; i < n; i++) a[i] = k;", false, false, false},
    {"for (double x = 0; x < n; x += 1) a[(int)x] = 1;", false, false, false},
    {"enum e { A, B }; for (enum e x = A; x < B; x++) a[x] = 1;", false, false, false},
    {"for (int i = 0; i != n; i++) a[i] = 1;", true, false, false},
    {"for (int i = 0; i != n; i += 2) a[i] = 1;", false, false, false},
    {"for (double *q = p; q < p + n; q++) *q = 1;", true, false, false},
    {"unsigned long m = n; for (unsigned i = 0; i < m; i += 2) a[i] = 1;", false, false, false},
    {"unsigned long m = n; for (unsigned i = 0; i < m; i++) a[i] = 1;", true, false, false},
    {"unsigned m = n; for (unsigned i = 0; i < m; i += 2) a[i] = 1;", true, false, false},
    {"for (int i = 0; i < n - i; i++) a[i] = 1;", false, false, false},
    {"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) b[i][j] = 1;", true, false, true},
    {"for (int i = 0; i < n; i++) { for (int j = 0; j < n; j++) { b[i][j] = 1; } }", true, false, true},
    {"for (int i = 0; i < n; i++) for (int j = 0; j < i; j++) b[i][j] = 1;", true, false, false},
    {"for (int i = 0; i < n; i++) { a[i] = 0; for (int j = 0; j < n; j++) b[i][j] = 1; }", true, false,
     false},
};

static void test_heads(void)
{
    for (size_t i = 0; i < CC_COUNT(heads); i++) {
        struct cc_patch_facts *f = facts_of(heads[i].body);
        const struct cc_patch_loop *l = f->v.n ? &f->v.v[0] : NULL;
        OK(l && !l->malformed == heads[i].fits, "%s%s", heads[i].body, heads[i].fits ? "" : " is refused");
        OK(l && (!heads[i].fits || l->counter_after == heads[i].after),
           "  whether its counter is read afterwards");
        OK(l && l->rectangular == heads[i].rectangular, "  whether it can be collapsed");
        cc_patch_facts_free(f);
    }
}

/* Members that nothing but such statements mentions, of whichever object. */
static void test_parts(void)
{
    static const char *const before =
        "struct dom { double *f, *g, s; int h[8]; } d; union { int u; float v; } w; ";
    static const struct {
        const char *body, *parts;
    } cases[] = {
        {"d.f[i] += p[i] * d.s;", "d.f[i] += p[i] * d.s"},
        {"d.f[i] += d.g[i];", "d.f[i] += d.g[i]"},
        {"d.f[i] += d.f[i + 1];", ""},
        {"d.f[i] += 1; d.f[i + 1] -= 2;", "d.f[i] += 1|d.f[i + 1] -= 2"},
        {"d.f[i] += 1; struct dom *e = &d; p[i] = e->f[0];", ""},
        {"struct dom *e = &d; d.f[i] += 1; e->f[0] += 2;", "d.f[i] += 1|e->f[0] += 2"},
        {"d.f[i] = d.f[i] * 2;", "d.f[i] = d.f[i] * 2"},
        {"d.f[i] = d.f[i + 1] * 2;", ""},
        {"d.s += p[i]; d.h[i & 7]++;", "d.s += p[i]|d.h[i & 7]++"},
        {"p[i] = d.h[i & 7]++;", ""},
        {"*d.f -= p[i];", "*d.f -= p[i]"},
        {"d.f[(int)d.f[0]] += 1;", ""},
        {"w.u += i; p[i] = w.v;", ""},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *body = cc_asprintf("%sfor (int i = 0; i < n; i++) { %s }", before, cases[i].body);
        struct cc_patch_facts *f = facts_of(body);
        const struct cc_patch_loop *l = f->v.n ? &f->v.v[0] : NULL;
        struct cc_buf parts = {0};
        cc_buf_puts(&parts, "");
        for (size_t k = 0; l && k < l->parts.n; k++)
            cc_buf_printf(&parts, "%s%s", k ? "|" : "", l->parts.v[k].text);
        OK_STR(parts.s, cases[i].parts, "%s: members", cases[i].body);
        cc_buf_fini(&parts);
        cc_patch_facts_free(f);
    }
}

/* Parameters that are as many numbers as they are declared to be, wherever the loop meets them. */
static void test_lengths(void)
{
    static const struct {
        const char *parameter, *body, *lengths;
    } cases[] = {
        {"int h[256]", "for (int i = 0; i < n; i++) h[i & 255]++;", "h 256 of 1024 bytes"},
        {"double h[static 8]", "for (int i = 0; i < n; i++) h[i & 7] += i;", "h 8 of 64 bytes"},
        {"int *h", "for (int i = 0; i < n; i++) h[i & 255]++;", ""},
        {"int h[]", "for (int i = 0; i < n; i++) h[i & 255]++;", ""},
        {"int h[n]", "for (int i = 0; i < n; i++) h[i]++;", ""},
        {"int h[8][8]", "for (int i = 0; i < n; i++) h[i & 7][3]++;", ""},
        {"int h[256]", "h += 256; for (int i = 0; i < n; i++) h[i & 255]++;", ""},
        {"int h[256]", "int **p = &h; for (int i = 0; i < n; i++) h[i & 255] += **p;", ""},
        {"struct s { int k; } h[9]", "for (int i = 0; i < n; i++) h[i & 7].k++;", ""},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *text =
            cc_asprintf("# 1 \"t.c\"\nvoid test(int n, %s)\n{\n%s\n}\n", cases[i].parameter, cases[i].body);
        struct cc_patch_facts *f =
            told_of(&(struct cc_source_unit){.path = "t.c", .text = text, .size = strlen(text)});
        const struct cc_patch_loop *l = f->v.n ? &f->v.v[0] : NULL;
        struct cc_buf lengths = {0};
        cc_buf_puts(&lengths, l ? "" : "no loop");
        for (size_t k = 0; l && k < l->lengths.n; k++)
            cc_buf_printf(&lengths, "%s %llu of %llu bytes", l->lengths.v[k].name,
                          (unsigned long long)l->lengths.v[k].elements,
                          (unsigned long long)l->lengths.v[k].bytes);
        OK_STR(lengths.s, cases[i].lengths, "%s: %s", cases[i].parameter, cases[i].body);
        cc_buf_fini(&lengths);
        cc_patch_facts_free(f);
    }
}

/* What is told of the first loop: updates by line, arrays with others, exact ones, its first test and value.
 */
static void test_updates(void)
{
    static const struct {
        const char *body, *updates, *tangled, *integers, *runs, *begins;
    } cases[] = {
        {"int i, *h = 0; for (i = 0; i < n; i++) h[i]++;", "h[i]++", "", "h i n", "0 < n", "i = 0"},
        {"for (int i = n - 1; i >= 0; i--) p[i] += a[i];", "p[i] += a[i]", "", "i n", "(n - 1) >= 0", ""},
        {"int i; for (i = 0; n > i; i++) a[i] = a[i] * p[i];", "a[i] = a[i] * p[i]", "", "i n", "n > 0",
         "i = 0"},
        {"for (int i = 0; i < n; i++) a[i] = p[i] + a[i];", "a[i] = p[i] + a[i]", "", "i n", "0 < n", ""},
        {"for (int i = 0; i < n; i++) a[i] = p[i] - a[i];", "", "a", "i n", "0 < n", ""},
        {"for (int i = 0; i < n; i++) a[i] += a[i - 1];", "", "a", "i n", "0 < n", ""},
        {"for (int i = 0; i < n; i++) a[i] /= 2;", "", "a", "i n", "0 < n", ""},
        {"for (int i = 0; i < n; i++) p[i] = a[i]++;", "", "p a", "i n", "0 < n", ""},
        {"int i; if (n) for (i = 0; i < n; i++) a[i] += 1;", "a[i] += 1", "", "i n", "0 < n", ""},
        {"for (int i = plain(n); i < n; i++) if (a[i] > 0) a[i] += 1; else a[i] -= 1;", "a[i] += 1|a[i] -= 1",
         "", "i n", "", ""},
        {"int i; for (i = 0; i < 2 * 8; i++) a[i] += 1; n = i;", "a[i] += 1", "", "i", "always", "i = 0"},
        {"int i; for (i = 8; i < 4 + 4; i++) a[i] += 1; n = i;", "a[i] += 1", "", "i", "8 < (4 + 4)",
         "i = 8"},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        struct cc_patch_facts *f = facts_of(cases[i].body);
        const struct cc_patch_loop *l = f->v.n ? &f->v.v[0] : NULL;
        struct cc_buf updates = {0}, integers = {0}, tangled = {0};
        cc_buf_puts(&updates, "");
        cc_buf_puts(&integers, "");
        cc_buf_puts(&tangled, "");
        for (size_t k = 0; l && k < l->updates.n; k++)
            cc_buf_printf(&updates, "%s%s", k ? "|" : "", l->updates.v[k].text);
        for (size_t k = 0; l && k < l->tangled.n; k++)
            cc_buf_printf(&tangled, "%s%s", k ? " " : "", l->tangled.v[k]);
        for (const char *name = "hin"; l && *name; name++)
            for (size_t k = 0; k < l->integers.n; k++)
                if (l->integers.v[k][0] == *name && !l->integers.v[k][1]) {
                    cc_buf_printf(&integers, "%s%c", integers.n ? " " : "", *name);
                    break;
                }
        OK_STR(updates.s, cases[i].updates, "%s: updates", cases[i].body);
        OK_STR(tangled.s, cases[i].tangled, "  others");
        OK_STR(integers.s, cases[i].integers, "  what is exact");
        OK_STR(l && l->always ? "always"
               : l && l->runs ? l->runs
                              : "",
               cases[i].runs, "  whether it runs at all");
        OK_STR(l && l->begins ? l->begins : "", cases[i].begins, "  what it begins with");
        cc_buf_fini(&updates);
        cc_buf_fini(&integers);
        cc_buf_fini(&tangled);
        cc_patch_facts_free(f);
    }
}

static bool has(const char *const *names, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Structs are told, so that no clause combines one; and what only ever holds 0 and 1. */
static void test_kinds(void)
{
    static const struct {
        const char *body, *record, *truth;
    } cases[] = {
        {"struct s { int n; } s = {0}; for (int i = 0; i < n; i++) s.n++;", "s", ""},
        {"static struct s { int n; } v[9]; for (int i = 0; i < n; i++) v[i % 9].n++;", "v", ""},
        {"static struct s { int n; } v[9]; for (int i = 0; i < n; i++) { struct s *q = &v[i]; q->n++; }", "v",
         ""},
        {"struct s { double *p; } s = {p}; for (int i = 0; i < n; i++) a[i] += 1;", "", ""},
        {"int x = 0; for (int i = 0; i < n; i++) if (a[i] > 1) x = 1; g = x;", "", "x"},
        {"_Bool x = n; for (int i = 0; i < n; i++) if (a[i] > 1) x = 1; g = x;", "", "x"},
        {"int x = 5; for (int i = 0; i < n; i++) if (a[i] > 1) x = 1; g = x;", "", ""},
        {"int x = 0; x++; for (int i = 0; i < n; i++) if (a[i] > 1) x = 1; g = x;", "", ""},
        {"for (int i = 0; i < n; i++) if (a[i] > 1) g = 1;", "", ""},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        struct cc_patch_facts *f = facts_of(cases[i].body);
        const struct cc_patch_loop *l = f->v.n ? &f->v.v[0] : NULL;
        const char *name = *cases[i].record ? cases[i].record : "s";
        OK(l && has(l->records.v, l->records.n, name) == (*cases[i].record != 0), "%s: a struct",
           cases[i].body);
        OK(l && has(l->truths.v, l->truths.n, "x") == (*cases[i].truth != 0), "  0 and 1 alone");
        cc_patch_facts_free(f);
    }
}

static void test_globals(void)
{
    static const struct {
        const char *body;
        bool used;
    } cases[] = {{"for (int i = 0; i < n; i++) g += (int)helper(i);", true},
                 {"for (int i = 0; i < n; i++) g += (int)plain(i);", false},
                 {"for (int i = 0; i < n; i++) g += (int)other(i);", true},
                 {"double (*q)(int) = plain; for (int i = 0; i < n; i++) g += (int)q(i);", true},
                 {"for (int i = 0; i < n; i++) g += i;", false}};
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        struct cc_patch_facts *f = facts_of(cases[i].body);
        OK(f->v.n == 1 && cc_patch_called_uses(f, &f->v.v[0], "g") == cases[i].used,
           "%s: what it calls %s use the global", cases[i].body, cases[i].used ? "may" : "does not");
        cc_patch_facts_free(f);
    }
}

/* Functions that change a number beyond them, however rarely. */
static void test_changes(void)
{
    static const struct {
        const char *text;
        const char *changed; /* "": nothing */
    } cases[] = {
        {"int e; int f(int x) { if (x > 9) e++; return x; }", "e"},
        {"int e; int f(int x) { if (x > 9) e = e + x; return x; }", "e"},
        {"int f(int x) { static int e; e += x; return x; }", "e"},
        {"int e; int h(int x) { return e -= x; } int f(int x) { return x > 9 ? h(x) : 0; }", "e"},
        {"int e; int f(int x) { if (x > 9) e = 1; return x + e; }", ""},
        {"int e[4]; int f(int x) { int k = 0; k += x; e[x] = k; return k; }", ""},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        CC_CLEANUP(cc_free_ptr)
        char *body = cc_asprintf(
            "# 1 \"t.c\"\n%s\nvoid r(int *v, int n) { for (int i = 0; i < n; i++) v[i] = f(i); }\n",
            cases[i].text);
        struct cc_source_unit unit = {.path = "t.c", .text = body, .size = strlen(body)};
        struct cc_patch_facts *f = told_of(&unit);
        const char *function;
        const struct cc_patch_update *c =
            f->v.n == 1 ? cc_patch_called_changes(f, &f->v.v[0], &function) : NULL;
        OK_STR(c ? c->name : "", cases[i].changed, "%s", cases[i].text);
        cc_patch_facts_free(f);
    }
}

/* --- clauses --- */

static void test_clauses(void)
{
    struct cc_patch_facts *f = facts_of("for (int i = 0; i < n; i++) g += (int)plain(i);");
    struct cc_arena arena = {0};
    struct cc_patch_clauses_input in = {.facts = f, .fact = &f->v.v[0], .arena = &arena};
    struct cc_loop l = {.directive = "#pragma omp parallel for"};
    struct cc_patch_clauses c;
    CC_VEC_PUSH(&l.reductions, (struct cc_loop_reduction){"+", "g"});
    CC_VEC_PUSH(&l.private, "k");
    cc_patch_clauses(&l, &in, &c);
    OK(!c.refused && !c.rounds, "integers are exact in any order");
    OK_STR(c.data, " private(k) reduction(+:g)", "private and reduction");
    l.private.v[0] = "k) num_threads(system(\"x\")";
    cc_patch_clauses(&l, &in, &c);
    OK(c.refused && strstr(c.refused, "no clause can name"), "a name that is none gets into no patch");
    l.private.n = 0;
    l.reductions.v[0].op = "+:x) if(0";
    cc_patch_clauses(&l, &in, &c);
    OK(c.refused != NULL, "nor does an operator");
    CC_VEC_FINI(&l.reductions);
    CC_VEC_FINI(&l.private);
    cc_arena_fini(&arena);
    cc_patch_facts_free(f);
}

/* --- text --- */

static const char *refusal(const char *text, unsigned line, unsigned last, unsigned loops,
                           struct cc_arena *arena)
{
    struct cc_patch_text *t = cc_patch_text_new(text, strlen(text));
    struct cc_patch_loop l = {.line = line, .last_line = last};
    l.leads = strstr(text, "LEADS") != NULL;
    const char *why = cc_patch_refuses(t, &l, 0, loops, arena);
    cc_patch_text_free(t);
    return why;
}

static void test_refusals(void)
{
    static const struct {
        const char *text;
        unsigned line, last, loops;
        const char *why; /* NULL: none */
    } cases[] = {
        {"x;\nfor (;;)\n", 2, 2, 1, NULL},
        {"// for\n/* for\nfor */ for (;;)\n", 3, 3, 1, NULL},
        {"s = \"for\"; c = 'f'; for (;;) ;", 1, 1, 1, NULL},
        {"forward(); for_each(x);\n", 1, 1, 1, "macro"},
        {"EACH(i) x;\n", 1, 1, 1, "macro"},
        {"  LEADS (i) x;\n", 1, 1, 1, NULL},
        {"LEADS x;\n", 1, 1, 1, "macro"},
        {"  LEADS (i) for (;;) x;\n", 1, 1, 2, "macro"},
        {"#define EACH(i) \\\n for (;;)\nEACH(i)\n", 3, 3, 1, "macro"},
        {"#define EACH(i) for (;;)\n", 1, 1, 1, "preprocessor"},
        {"#pragma omp parallel for\nfor (;;)\n", 2, 2, 1, "already"},
        {"#  pragma   omp simd\n\n// why\nfor (;;)\n", 4, 4, 1, "already"},
        {"#pragma omp parallel for if (n > 9) \\\n    shared(a)\nfor (;;)\n", 3, 3, 1, "already"},
        {"#ifdef A\n#pragma omp parallel for\n#endif\nfor (;;)\n", 4, 4, 1, "already"},
        {"#ifdef A\nx = 1;\n#endif\nfor (;;)\n", 4, 4, 1, NULL},
        {"#pragma unroll\nfor (;;)\n", 2, 2, 1, "directly"},
        {"#pragma scop\nfor (;;)\n", 2, 2, 1, NULL},
        {"# pragma GCC diagnostic pop\nfor (;;)\n", 2, 2, 1, NULL},
        {"#pragma GCC unroll 4\nfor (;;)\n", 2, 2, 1, "directly"},
        {"_Pragma(\"GCC ivdep\")\nfor (;;)\n", 2, 2, 1, "directly"},
        {"for (;;) {\n#pragma omp atomic\nx++;\n}\n", 1, 4, 1, "already"},
        {"for (;;) \\\n x;\n", 1, 2, 1, "goes on"},
        {"x;\n", 7, 7, 1, "macro"},
    };
    struct cc_arena arena = {0};
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        const char *why = refusal(cases[i].text, cases[i].line, cases[i].last, cases[i].loops, &arena);
        OK(!why == !cases[i].why && (!why || strstr(why, cases[i].why)), "text %zu: %s", i,
           why ? why : "taken");
    }
    cc_arena_fini(&arena);
}

/* Where `h[k]++` begins in a line: -1 if that is not known. */
static int column(const char *line)
{
    struct cc_patch_text *t = cc_patch_text_new(line, strlen(line));
    struct cc_patch_update u = {.line = 1, .name = "h", .text = "h[k]++"};
    unsigned at = 0;
    bool known = cc_patch_update_column(t, &u, &at);
    cc_patch_text_free(t);
    return known ? (int)at : -1;
}

static void test_columns(void)
{
    static const struct {
        const char *line;
        int column;
    } cases[] = {
        {"h[k]++;\n", 0},
        {"\t h [ k ] ++ ; // counted\n", 0},
        {"for (;;) h[k]++;\n", 9},
        {"  if (x) { h[k]++; } g++;", 11},
        {"x = 1; h[ k ]++;\r\n", 7},
        {"g.h[k]++;\n", -1},
        {"x = y + h[k]++;\n", -1},
        {"(void)0, h[k]++;\n", -1},
        {"case 3: h[k]++; /* { h[k]++; */\n", -1}, /* behind a label; and not in a comment */
        {"/* { */ h[k]++;\n", -1},
        {"puts(\"; h[k]++;\");\n", -1},
        {"if (x) h[k]++; else { h[k]++; }\n", -1}, /* one of two */
        {"for (;;) h[k]++\n;\n", -1},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++)
        OK(column(cases[i].line) == cases[i].column, "update %zu begins at %d", i, column(cases[i].line));
}

static void check_edit(const char *before, struct cc_patch_edit edit, const char *after, const char *what)
{
    struct cc_patch_text *t = cc_patch_text_new(before, strlen(before));
    struct cc_buf diff = {0}, text = {0};
    cc_patch_write(t, &edit, 1, "t.c", &diff, &text);
    OK_STR(text.s, after, "%s", what);
    cc_buf_fini(&diff);
    cc_buf_fini(&text);
    cc_patch_text_free(t);
}

/* Two loops and an update between them, all in a line. */
static void test_three(void)
{
    static const char line[] = "for (;;) h[k]++; for (;;) y;\n";
    struct cc_patch_text *t = cc_patch_text_new(line, strlen(line));
    struct cc_patch_edit edits[] = {
        {1, 1, "#B", NULL}, {.line = 1, .nth = -1, .directive = "#U", .column = 9}, {1, 0, "#A", NULL}};
    struct cc_buf diff = {0}, text = {0};
    cc_patch_write(t, edits, CC_COUNT(edits), "t.c", &diff, &text);
    OK_STR(text.s, "#A\nfor (;;)\n#U\nh[k]++;\n#B\nfor (;;) y;\n", "three edits of a line");
    OK_U64(cc_patch_original(t, edits, CC_COUNT(edits), 6), 1, "all of which is the first line");
    cc_buf_fini(&diff);
    cc_buf_fini(&text);
    cc_patch_text_free(t);
}

static void test_names(void)
{
    struct cc_patch_text *t = cc_patch_text_new("for (;;)\n", 9);
    struct cc_patch_edit edit = {1, 0, "#P", NULL};
    struct cc_buf diff = {0}, text = {0};
    cc_patch_write(t, &edit, 1, "of two words.c", &diff, &text);
    OK(strncmp(diff.s, "--- a/of two words.c\t\n+++ b/of two words.c\t\n", 44) == 0,
       "a name with blanks ends where it ends");
    cc_buf_fini(&diff);
    cc_buf_fini(&text);
    cc_patch_text_free(t);
}

static void test_edits(void)
{
    check_edit("\tfor (;;)\n", (struct cc_patch_edit){1, 0, "#P", NULL}, "\t#P\n\tfor (;;)\n", "tabs stay");
    check_edit("a;\r\n  for (;;)\r\n", (struct cc_patch_edit){2, 0, "#P", "/* c */"},
               "a;\r\n  /* c */\r\n  #P\r\n  for (;;)\r\n", "ends of lines stay");
    check_edit("  if (x) for (;;) y;\n", (struct cc_patch_edit){1, 0, "#P", NULL},
               "  if (x)\n  #P\n  for (;;) y;\n", "a line is divided");
    check_edit("for (;;) for (;;) y;", (struct cc_patch_edit){1, 1, "#P", NULL}, "for (;;)\n#P\nfor (;;) y;",
               "at its second loop, without a last newline");
    check_edit("  for (;;) h[k]++; // c\n",
               (struct cc_patch_edit){.line = 1, .nth = -1, .directive = "#P", .column = 11},
               "  for (;;)\n  #P\n  h[k]++; // c\n", "in front of what stands in the middle");
    check_edit("for (;;) {\n}\n", (struct cc_patch_edit){.line = 1, .splice = " x;", .column = 10},
               "for (;;) { x;\n}\n", "something is put into a line");
    check_edit("  for (;;)\n    y;", (struct cc_patch_edit){.line = 2, .behind = "{\n}", .like = 1},
               "  for (;;)\n    y;\n  {\n  }\n", "and behind the last, which has no end");
}

/* Where statements end, as far as the text tells. */
static void test_ends(void)
{
    static const struct {
        const char *text;
        unsigned line, ends;
    } loops[] = {
        {"for (;;) x;\n", 1, 1},
        {"for (;;) x; y;\n", 1, 0},
        {"for (;;)\n  if (a) { b; }\n  else c; // d\ne;\n", 1, 3},
        {"for (;;) {\n  s = \"}\"; c = '}'; /* } */\n}\nx;\n", 1, 3},
        {"for (int i = 0; i < f(1, (2)); i++)\n  for (;;)\n    do { x; } while (y);\n", 1, 3},
        {"for (;;) {\n x;\n} y;\n", 1, 0},
        {"for (;;) {\n x;\n", 1, 0},
    };
    for (size_t i = 0; i < CC_COUNT(loops); i++) {
        struct cc_patch_text *t = cc_patch_text_new(loops[i].text, strlen(loops[i].text));
        OK_U64(cc_patch_ends(t, loops[i].line, 0), loops[i].ends, "loop %zu ends there", i);
        cc_patch_text_free(t);
    }
    static const char text[] =
        "a = 1;\nif (x) {\n  y;\n} else z;\nif (p)\n{ q; }\nb; c;\nfor (;;) if (d) e;\n"
        "if (a) if (b) {\n}\n#if 1\nx;\n#endif\n";
    struct cc_patch_text *t = cc_patch_text_new(text, strlen(text));
    unsigned line, column;
    OK(cc_patch_brace(t, 2, &line, &column) && line == 2 && column == 8, "the brace of an if");
    OK(cc_patch_brace(t, 5, &line, &column) && line == 6 && column == 1, "in the next line");
    OK(!cc_patch_brace(t, 8, &line, &column) && !cc_patch_brace(t, 9, &line, &column) &&
           !cc_patch_brace(t, 1, &line, &column) && !cc_patch_brace(t, 99, &line, &column),
       "none, one of two, or no if");
    OK(cc_patch_statements(t, 1, 1) && cc_patch_statements(t, 1, 4) && cc_patch_statements(t, 2, 4) &&
           cc_patch_statements(t, 7, 7),
       "whole statements");
    OK(!cc_patch_statements(t, 1, 2) && !cc_patch_statements(t, 3, 4) && !cc_patch_statements(t, 11, 13) &&
           !cc_patch_statements(t, 5, 5) && !cc_patch_statements(t, 1, 99),
       "and what is none");
    cc_patch_text_free(t);
}

/* --- differences --- */

/* Applies a difference by its own rules; NULL: it does not fit. */
static char *apply(const char *text, const char *diff)
{
    struct cc_buf out = {0};
    const char *p = strchr(strchr(diff, '\n') + 1, '\n') + 1, *at = text;
    unsigned line = 1;
    bool fits = true, bare = false;
    while (*p && fits) {
        const char *end = strchr(p, '\n');
        size_t n = (size_t)(end - p);
        if (*p == '@') {
            unsigned from = (unsigned)strtoul(p + 4, NULL, 10);
            for (; line < from && *at; line++) {
                const char *next = strchr(at, '\n') + 1;
                cc_buf_add(&out, at, (size_t)(next - at));
                at = next;
            }
        } else if (*p == '\\') {
            bare = true; /* the line before has no end */
            if (out.n && out.s[out.n - 1] == '\n' && end[1] == '\0')
                out.s[--out.n] = '\0';
        } else {
            bool open = end[1] == '\\';
            size_t size = n - 1 + !open;
            if (*p != '+') {
                fits = strncmp(at, p + 1, n - 1) == 0 && (open ? at[n - 1] == '\0' : at[n - 1] == '\n');
                at += fits ? size : 0;
                line++;
            }
            if (*p != '-') {
                cc_buf_add(&out, p + 1, n - 1);
                cc_buf_puts(&out, "\n");
            }
        }
        p = end + 1;
    }
    (void)bare;
    cc_buf_puts(&out, at);
    if (!fits)
        cc_buf_fini(&out);
    return out.s;
}

static void test_random_diffs(void)
{
    static const char *const lines[] = {"x;", "  for (;;) y;", "\tfor (;;) for (;;) z;", "",
                                        "if (a) for (;;) b;"};
    struct cc_rng r = {5};
    int wrong = 0;
    for (int k = 0; k < 2000; k++) {
        struct cc_buf text = {0}, diff = {0}, made = {0};
        size_t n = 1 + cc_rng_below(&r, 40), nedits = 0;
        struct cc_patch_edit edits[160];
        for (unsigned i = 1; i <= n; i++) {
            size_t which = cc_rng_below(&r, CC_COUNT(lines));
            cc_buf_printf(&text, "%s%s", lines[which], i < n || cc_rng_below(&r, 2) ? "\n" : "");
            int fors = which == 2 ? 2 : which == 1 || which == 4;
            for (int nth = 0; nth < fors; nth++)
                if (cc_rng_below(&r, 3) == 0)
                    edits[nedits++] = (struct cc_patch_edit){i, nth, "#pragma omp parallel for",
                                                             cc_rng_below(&r, 2) ? "/* why */" : NULL};
            if (which != 3 && cc_rng_below(&r, 5) == 0) /* the last may not be a line */
                edits[nedits++] = (struct cc_patch_edit){.line = i, .behind = "{\n}", .like = i};
            if (which && which != 3 && cc_rng_below(&r, 5) == 0)
                edits[nedits++] = (struct cc_patch_edit){
                    .line = i, .splice = " x", .column = (unsigned)strlen(lines[which]) - 1};
        }
        struct cc_patch_text *t = cc_patch_text_new(text.s, text.n);
        cc_patch_write(t, edits, nedits, "t.c", &diff, &made);
        char *applied = nedits ? apply(text.s, diff.s) : NULL;
        wrong += nedits && (!applied || strcmp(applied, made.s) != 0);
        free(applied);
        cc_patch_text_free(t);
        cc_buf_fini(&text);
        cc_buf_fini(&diff);
        cc_buf_fini(&made);
    }
    OK_U64(wrong, 0, "differences give the text that was promised");
}

static void test_damage(void)
{
    static const char *const texts[] = {"",           "G\tx\n",  "L\t1\n", "D\tf\nU\t1\tx\ty\n",
                                        "D\tf\nG\tx", "D\tf\n\n"};
    for (size_t i = 0; i < CC_COUNT(texts); i++) {
        struct cc_patch_facts *f = cc_patch_facts_new();
        cc_patch_facts_add(f, texts[i], strlen(texts[i]));
        OK(f->v.n == 0, "damaged answer %zu", i);
        cc_patch_facts_free(f);
    }
}

int main(void)
{
    test_heads();
    test_parts();
    test_lengths();
    test_updates();
    test_kinds();
    test_globals();
    test_changes();
    test_clauses();
    test_refusals();
    test_edits();
    test_ends();
    test_names();
    test_columns();
    test_three();
    test_random_diffs();
    test_damage();
    return TAP_DONE();
}
