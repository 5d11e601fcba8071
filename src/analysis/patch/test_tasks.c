/* Calls of one expression: which are found, and what they are rewritten to. */
#include "tasks.h"
#include "../metrics/source.h"
#include "../../../tests/tap.h"

static struct cc_patch_facts *facts_of(const char *text)
{
    CC_CLEANUP(cc_free_ptr) char *marked = cc_asprintf("# 1 \"t.c\"\n%s", text);
    struct cc_source_unit unit = {.path = "t.c", .text = marked, .size = strlen(marked)};
    char *told = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&told, &size);
    cc_patch_facts_write(&unit, out);
    fclose(out);
    struct cc_patch_facts *f = cc_patch_facts_new();
    cc_patch_facts_add(f, told, size);
    free(told);
    return f;
}

static const struct cc_patch_calls *expression(const struct cc_patch_facts *f)
{
    for (size_t i = 0; i < f->calls.v.n; i++)
        if (f->calls.v.v[i].v.n && f->calls.v.v[i].v.v[0].inner)
            return &f->calls.v.v[i];
    return NULL;
}

static char *source(const char *body)
{
    return cc_asprintf("long g(int n); long k(long a, long b); int z;\nlong f(int n)\n{\n    %s\n}\n", body);
}

static void test_found(void)
{
    static const struct {
        const char *body, *inner;
        unsigned together;
    } cases[] = {
        {"return f(n - 1) + f(n - 2);", "f(n - 1)|f(n - 2)", 2},
        {"return k(f(n - 1), f(n - 2));", "f(n - 1)|f(n - 2)", 3},
        {"return g(n) + f(n - 1) + f(n - 2);", "f(n - 1)|f(n - 2)", 3},
        {"return (z ? g(n) : 0) + f(n - 1) + f(n - 2);", "f(n - 1)|f(n - 2)", 3},
        {"return g(1) + g(2) + f(n - 1);", "f(n - 1)", 0}, /* one alone has nobody to run beside */
        {"return g(1) + g(2);", "g(1)|g(2)", 2},
        {"long s = f(n - 1) * f(n - 2); return s;", "f(n - 1)|f(n - 2)", 2},
        {"z = f(n - 1) > f(n - 2); return z;", "f(n - 1)|f(n - 2)", 2},
        {"return n ? f(n - 1) + f(n - 2) : 0;", "", 0}, /* may not be made at all */
        {"return f(n - 1) && f(n - 2);", "", 0},
        {"return f(n--) + f(n);", "", 0}, /* changes something between them */
        {"return f((z = n)) + f(n);", "", 0},
        {"return f((int)f(n - 1));", "", 0}, /* one needs the other */
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        CC_CLEANUP(cc_free_ptr) char *text = source(cases[i].body);
        struct cc_patch_facts *f = facts_of(text);
        const struct cc_patch_calls *c = expression(f);
        struct cc_buf b = {0};
        cc_buf_puts(&b, "");
        for (size_t k = 0; c && k < c->v.n; k++)
            cc_buf_printf(&b, "%s%s", k ? "|" : "", c->v.v[k].inner);
        OK_STR(b.s, cases[i].together ? cases[i].inner : "", "%s", cases[i].body);
        OK_U64(c ? c->v.v[0].together : 0, cases[i].together, "  of so many calls");
        cc_buf_fini(&b);
        cc_patch_facts_free(f);
    }
}

static void check(const char *body, unsigned depth, const char *want)
{
    CC_CLEANUP(cc_free_ptr) char *text = source(body);
    struct cc_patch_facts *f = facts_of(text);
    const struct cc_patch_calls *c = expression(f);
    struct cc_patch_text *t = cc_patch_text_new(text, strlen(text));
    struct cc_arena arena = {0};
    const char *why = c ? cc_patch_refuses_calls(t, c, 0, c->v.n, &arena) : "nothing was found";
    struct cc_patch_tasks x = {.calls = c, .to = c ? c->v.n : 0, .depth = depth};
    OK_STR(why ? why : cc_patch_tasks(t, &x, &arena), want, "%s", body);
    cc_arena_fini(&arena);
    cc_patch_text_free(t);
    cc_patch_facts_free(f);
}

#define TASK(n, call)                                       \
    "            #pragma omp task shared(corecast_" n ")\n" \
    "            {\n"                                       \
    "                corecast_depth = corecast_level;\n"    \
    "                corecast_" n " = " call ";\n"          \
    "                corecast_depth = 0;\n"                 \
    "            }\n"

#define RECURSION(plain, replaced)                                                 \
    "    {\n"                                                                      \
    "        static int corecast_depth; /* of tasks in tasks */\n"                 \
    "        #pragma omp threadprivate(corecast_depth)\n"                          \
    "        if (corecast_depth >= 4) {\n"                                         \
    "            " plain "\n"                                                      \
    "        } else {\n"                                                           \
    "            const int corecast_level = corecast_depth + 1;\n"                 \
    "            __typeof__(f(n - 1)) corecast_1;\n"                               \
    "            __typeof__(f(n - 2)) corecast_2;\n" TASK("1", "f(n - 1)")         \
        TASK("2", "f(n - 2)") "            #pragma omp taskwait\n"                 \
                              "            corecast_depth = corecast_level - 1;\n" \
                              "            " replaced "\n"                         \
                              "        }\n"                                        \
                              "    }\n"

static void test_written(void)
{
    check("return f(n - 1) + 3 * f(n - 2);", 4,
          RECURSION("return f(n - 1) + 3 * f(n - 2);", "return corecast_1 + 3 * corecast_2;"));
    check("long s = k(f(n - 1), f( n-2 )); return s;", 4, "line 4 has more in it than the statement");
    check("z = f(n - 1) > f(n - 2);", 4,
          RECURSION("z = f(n - 1) > f(n - 2);", "z = corecast_1 > corecast_2;"));
    check("long ff = f(n - 1) + f(n - 2);", 4,
          "    long ff;\n" RECURSION("ff = f(n - 1) + f(n - 2);", "ff = corecast_1 + corecast_2;"));
    check("return g(1) - g(2);", 0,
          "    {\n"
          "        __typeof__(g(1)) corecast_1;\n"
          "        __typeof__(g(2)) corecast_2;\n"
          "        #pragma omp parallel sections\n"
          "        {\n"
          "            #pragma omp section\n"
          "            corecast_1 = g(1);\n"
          "            #pragma omp section\n"
          "            corecast_2 = g(2);\n"
          "        }\n"
          "        return corecast_1 - corecast_2;\n"
          "    }\n");
}

/* Which calls nobody has to wait for in their function. */
static void test_last(void)
{
    static const struct {
        const char *function;
        bool last;
    } cases[] = {
        {"void f(int *v, int n) { v[0]++; f(v, n / 2); f(v + n / 2, n / 2); }", true},
        {"void f(int *v, int n) { if (n > 1) { f(v, n / 2); f(v + n / 2, n / 2); } }", true},
        {"void f(int *v, int n) { g(&v[n]); f(v, n / 2); f(v + n / 2, n / 2); }", true},
        {"void f(int *v, int n) { f(v, n / 2); f(v + n / 2, n / 2); v[0]++; }", false},
        {"void f(int *v, int n) { while (n > 1) { f(v, n / 2); f(v + n / 2, n / 2); } }", false},
        {"void f(int *v, int n) { if (n) { f(v, 1); f(v + 1, 2); } v[0]++; }", false},
        {"void f(int *v, int n) { int own[4]; f(own, n / 2); f(v + n / 2, n / 2); }", false},
        {"void f(int *v, int n) { g(&n); f(v, n / 2); f(v + n / 2, n / 2); }", false},
        {"void f(int *v, int n) { f(v, 1); v[n] = v[0]; f(v, n / 2); f(v + n / 2, n / 2); }", false},
        {"void f(int *v, int n) { if (n > 9) { f(v, 1); v[n]++; } f(v, n / 2); f(v + n / 2, n / 2); }",
         false},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        CC_CLEANUP(cc_free_ptr) char *text = cc_asprintf("void g(int *x);\n%s\n", cases[i].function);
        struct cc_patch_facts *f = facts_of(text);
        const struct cc_patch_calls *c = NULL;
        for (size_t k = 0; k < f->calls.v.n; k++)
            c = f->calls.v.v[k].v.n >= 2 ? &f->calls.v.v[k] : c;
        OK(c && c->v.v[c->v.n - 1].last == cases[i].last, "%s", cases[i].function);
        cc_patch_facts_free(f);
    }
}

int main(void)
{
    test_found();
    test_written();
    test_last();
    return TAP_DONE();
}
