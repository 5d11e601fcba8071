/* Every metric against values worked out by hand; the reasoning stands beside the source. */
#include "cli/area/sources.h"
#include "test_measure.h"
#include "tap.h"

static bool covered[CC_METRIC_COUNT]; /* checked with a value that is not 0 */

struct expected {
    enum cc_metric metric;
    double value;
};

static void check(const struct cc_source_function *f, const struct expected *e, size_t n)
{
    if (!OK(f && !f->refused, "the function is measured"))
        return;
    for (size_t i = 0; i < n; i++) {
        OK_NEAR(f->m[e[i].metric], e[i].value, 1e-9 * fabs(e[i].value), "%s: %s is %g", f->name,
                cc_metric_info[e[i].metric].key, e[i].value);
        covered[e[i].metric] |= e[i].value != 0;
    }
}

/* Numbers at the right are those of the statements. */
static const char sat_source[] = "int g;\n"
                                 "int sat(const short *p, int n, float k)\n"
                                 "{\n"
                                 "    int s = 0;\n" /* 1 */
                                 "    static int calls;\n"
                                 "    int t[4] = {1, 2};\n"          /* 2 */
                                 "    for (int i = 0; i < 8; i++)\n" /* 3, 4 for i = 0 */
                                 "        s += p[i] * t[i & 3];\n"   /* 5 */
                                 "    if (s > n && n != 0)\n"        /* 6 */
                                 "        s = n;\n"                  /* 7 */
                                 "    g = s;\n"                      /* 8 */
                                 "    return (int)(s * k);\n"        /* 9 */
                                 "}\n";

static const struct expected sat_expected[] = {
    {CC_M_lines, 12},
    {CC_M_statements, 9},
    {CC_M_declarations, 4}, /* s calls t i */
    /* { 5 4 12 14 14 10 4 4 10 } */
    {CC_M_tokens, 1 + 5 + 4 + 12 + 14 + 14 + 10 + 4 + 4 + 10 + 1},
    /* s 0 | calls | t 4 1 2 | i 0 i 8 i | s p i t i 3 | s n n 0 | s n | g s | s k */
    {CC_M_operands, 2 + 1 + 4 + 5 + 6 + 4 + 2 + 2 + 2},
    {CC_M_operators, 79 - 28 - 9}, /* 9 closing brackets */
    {CC_M_unique_operands, 14},    /* s 0 calls t 4 1 2 i 8 p 3 n g k */
    {CC_M_unique_operators, 19},   /* { int = ; static [ , for ( < ++ += * & if > && != return */
    {CC_M_halstead_length, 70},
    {CC_M_halstead_vocabulary, 33},
    {CC_M_halstead_difficulty, 19. / 2 * 28 / 14},
    {CC_M_cyclomatic, 4}, /* for, if, && */
    {CC_M_essential, 1},
    {CC_M_npath, 2 * 3}, /* the loop 2, the if with its && 3 */
    {CC_M_ifs, 1},
    {CC_M_logical_ops, 1},
    {CC_M_loops, 1},
    {CC_M_loops_constant, 1},
    {CC_M_loop_depth, 1},
    {CC_M_nesting, 1},
    /* start; i < 8; body; i++; s > n; n != 0; the branch; s = n; the end */
    {CC_M_basic_blocks, 9},
    {CC_M_cfg_edges, 12},
    {CC_M_returns, 1},
    {CC_M_parameters, 3},
    {CC_M_parameter_bits, 64 + 32 + 32},
    {CC_M_pointer_parameters, 1},
    {CC_M_locals, 3},
    {CC_M_locals_32, 3},
    {CC_M_local_bits, 96},
    {CC_M_local_arrays, 1},
    {CC_M_array_elements, 4},
    {CC_M_array_bits, 128},
    {CC_M_globals_read, 0},
    {CC_M_globals_written, 1},
    {CC_M_literals, 6}, /* 0 4 1 2 8 3 */
    {CC_M_live_max, 5}, /* p n k s i in the loop */
    /* i<8: 2; body: p 1, i 2, i 2, s 2; i++: 2; s>n: s 2, n 1; n!=0: 1; s=n: 1; g=s: 3; return: s 3, k 1
     */
    {CC_M_def_use_pairs, 2 + 1 + 2 + 2 + 2 + 2 + 2 + 1 + 1 + 1 + 3 + 3 + 1},
    {CC_M_dataflow_distance, 1 + 5 + 3 + 3 + 4 + 1 + 6 + 6 + 6 + 7 + 11 + 14 + 9},
    {CC_M_dataflow_distance_mean, 76. / 23},
    {CC_M_oviedo, 2 + 5 + 2 + 3 + 1 + 1 + 4},
    {CC_M_add_32, 2}, /* i++ s+= */
    {CC_M_mul_32, 1}, /* 16 by 32 bits */
    {CC_M_compare, 3},
    {CC_M_logic, 1},
    {CC_M_convert_int, 1},   /* p[i] */
    {CC_M_convert_float, 2}, /* s to float, back to int */
    {CC_M_fmul_32, 1},
    {CC_M_address_ops, 2},
    {CC_M_operations, 12},
    {CC_M_unit_blocks, 3 + 3}, /* an integer and a floating multiplier */
    {CC_M_unshared_blocks, 3 + 3},
    {CC_M_has_mul, 1},
    {CC_M_has_float_32, 1},
    {CC_M_has_div, 0},
    {CC_M_has_math, 0},
    {CC_M_int_add, 2},
    {CC_M_int_mul, 1},
    {CC_M_float_mul, 1},
    {CC_M_float_32, 1},
    {CC_M_float_operations, 3}, /* the product, two conversions */
    {CC_M_operation_bits, 7 * 32},
    {CC_M_weighted_operations, 2 + 8 * (1 + 7 + 1) + 6},
    {CC_M_loads, 2},
    {CC_M_stores, 3},       /* two initial values of t, g */
    {CC_M_memories, 3},     /* t p g */
    {CC_M_memory_ports, 2}, /* t's initial values */
    {CC_M_region_accesses, 2},
    {CC_M_critical_path, 5},     /* & address load * + */
    {CC_M_critical_latency, 12}, /* convert 4, * 4, convert 4 */
    {CC_M_parallelism, 17. / 5},
};

static void test_sat(void)
{
    struct cc_sources *s = measure("sat.c", sat_source);
    const double volume = 70 * log2(33);
    const struct expected e[] = {
        {CC_M_halstead_volume, volume},
        {CC_M_halstead_effort, 19 * volume},
    };
    check(function(s, "sat"), sat_expected, CC_COUNT(sat_expected));
    check(function(s, "sat"), e, CC_COUNT(e));
    cc_sources_free(s);
}

static const char walk_source[] = "typedef unsigned char u8;\n"
                                  "double h(double);\n"
                                  "static int leaf(u8 a, u8 b) { return a + b; }\n"
                                  "long walk(long *q, int m, int (*cb)(int), double d)\n"
                                  "{\n"
                                  "    short w = 3;\n"
                                  "    u8 c = 7;\n"
                                  "    long x = m;\n"
                                  "    float e;\n"
                                  "    double y = d;\n"
                                  "    int *r = &m;\n"
                                  "    do {\n"
                                  "        if (x % 3 == 0)\n"
                                  "            break;\n"
                                  "        x = x / 5 - x * x;\n"
                                  "        c = c * c;\n"
                                  "        w = w * w;\n"
                                  "    } while (x > 0);\n"
                                  "    switch (m) {\n"
                                  "    case 0:\n"
                                  "    case 1:\n"
                                  "        x = x << m;\n"
                                  "        break;\n"
                                  "    case 2:\n"
                                  "        x = x >> 2;\n"
                                  "    default:\n"
                                  "        x = -x;\n"
                                  "    }\n"
                                  "again:\n"
                                  "    y = y * d + y / 2.0;\n"
                                  "    e = (float)y;\n"
                                  "    e = e * e + e / e;\n"
                                  "    if (y > 1.0 || !m)\n"
                                  "        goto again;\n"
                                  "    x += cb(m) + leaf(c, c);\n"
                                  "    x = e < 0.5f ? x : ~x;\n"
                                  "    x += w;\n"
                                  "    for (;;) {\n"
                                  "        if (x > 9)\n"
                                  "            continue;\n"
                                  "        break;\n"
                                  "    }\n"
                                  "    return x + (long)h(y) + *q + *r;\n"
                                  "}\n";

static const struct expected walk_expected[] = {
    {CC_M_cyclomatic, 1 + 2 + 3 + 2 + 1 + 1}, /* do if, cases, if ||, ?:, if; the for has no condition */
    {CC_M_essential, 1 + 2 + 3 + 1 + 1}, /* do and if by break; fall-through; if by goto; if by continue */
    {CC_M_npath, 3 * 3 * 3 * 2 * 3},
    {CC_M_ifs, 3},
    {CC_M_switches, 1},
    {CC_M_switch_arms, 4},
    {CC_M_logical_ops, 1},
    {CC_M_loops, 2},
    {CC_M_loops_constant, 0},
    {CC_M_nesting, 2},
    {CC_M_gotos, 1},
    {CC_M_breaks, 4},
    {CC_M_calls, 3},
    {CC_M_indirect_calls, 1},
    {CC_M_fan_out, 2},
    {CC_M_fan_in, 0},
    {CC_M_locals_8, 1},
    {CC_M_locals_16, 1},
    {CC_M_locals_64, 1},
    {CC_M_locals_float, 1},
    {CC_M_locals_double, 1},
    {CC_M_locals_pointer, 1},
    {CC_M_local_bits, 16 + 8 + 64 + 32 + 64 + 64},
    {CC_M_add_64, 7}, /* - ; -x ; += ; += ; three in the return */
    {CC_M_add_32, 1}, /* cb() + leaf() */
    {CC_M_mul_8, 1},
    {CC_M_mul_16, 1},
    {CC_M_mul_64, 1},
    {CC_M_div_64, 2},
    {CC_M_div_32, 0},
    {CC_M_shift_var, 1},
    {CC_M_shift_const, 1},
    {CC_M_logic, 1},
    {CC_M_compare, 4},
    {CC_M_compare_float, 2},
    {CC_M_select, 1},
    {CC_M_convert_int, 10}, /* x = m; c*c 3; w*w 3; the sum of the calls; w; *r */
    {CC_M_convert_float, 2},
    {CC_M_fadd_32, 1},
    {CC_M_fmul_32, 1},
    {CC_M_fdiv_32, 1},
    {CC_M_has_float_64, 1},
    {CC_M_has_float_div, 1},
    {CC_M_fadd_64, 1},
    {CC_M_fmul_64, 1},
    {CC_M_fdiv_64, 1},
    {CC_M_float_add, 2},
    {CC_M_float_div, 2},
    {CC_M_float_64, 2}, /* + and * of doubles */
    {CC_M_loads, 2},
    {CC_M_stores, 0},
    {CC_M_memories, 2},
};

static void test_walk(void)
{
    struct cc_sources *s = measure("walk.c", walk_source);
    const struct expected leaf[] = {
        {CC_M_add_8, 1}, {CC_M_convert_int, 2}, {CC_M_operation_bits, 8}, {CC_M_fan_in, 1}, {CC_M_lines, 1},
    };
    check(function(s, "leaf"), leaf, CC_COUNT(leaf));
    const struct cc_source_function *f = function(s, "walk");
    check(f, walk_expected, CC_COUNT(walk_expected));
    OK(f->m[CC_M_cfg_edges] - f->m[CC_M_basic_blocks] + 1 == 10,
       "edges - blocks + 1 is the cyclomatic complexity");
    OK(f->nunfit == 2 && f->unfit[0].kind == CC_UNFIT_INDIRECT_CALL && f->unfit[0].line == 35,
       "the indirect call with its line");
    OK(f->nunfit == 2 && f->unfit[1].kind == CC_UNFIT_EXTERNAL && strcmp(f->unfit[1].detail, "h") == 0,
       "a call of a function that is not given");
    cc_sources_free(s);
}

static void test_calls(void)
{
    struct cc_sources *s = measure("calls.c", "#include <math.h>\n"
                                              "extern int limit;\n"
                                              "static short tiny(short a, short b) { return a - b; }\n"
                                              "int mid(int v)\n"
                                              "{\n"
                                              "    return tiny(v, limit) / 7;\n"
                                              "}\n"
                                              "double top(int v) { return sqrt(mid(v) + mid(v + 1)); }\n");
    const struct expected tiny[] = {{CC_M_add_16, 1}, {CC_M_fan_in, 1}, {CC_M_convert_int, 3}};
    const struct expected mid[] = {{CC_M_fan_in, 1},       {CC_M_fan_out, 1}, {CC_M_information_flow, 4},
                                   {CC_M_globals_read, 1}, {CC_M_loads, 1},   {CC_M_div_32, 1},
                                   {CC_M_has_div, 1}};
    const struct expected top[] = {
        {CC_M_math_calls, 1}, {CC_M_calls, 3}, {CC_M_fan_out, 2}, {CC_M_add_32, 2}};
    check(function(s, "tiny"), tiny, CC_COUNT(tiny));
    check(function(s, "mid"), mid, CC_COUNT(mid));
    check(function(s, "top"), top, CC_COUNT(top));
    OK(function(s, "top")->nunfit == 0, "the mathematical library is no obstacle");
    cc_sources_free(s);
}

static bool unfit_at(const struct cc_source_function *f, enum cc_unfit kind, unsigned line)
{
    for (size_t i = 0; f && i < f->nunfit; i++)
        if (f->unfit[i].kind == kind && f->unfit[i].line == line)
            return true;
    return false;
}

static void test_unfit(void)
{
    struct cc_sources *s =
        measure("unfit.c", "#include <stdio.h>\n#include <stdlib.h>\n#include <setjmp.h>\n"
                           "#include <stdarg.h>\n"
                           "int even(int n);\n"
                           "int odd(int n) { return n ? even(n - 1) : 0; }\n"
                           "int even(int n)\n{\n    return n ? odd(n - 1) : 1;\n}\n"
                           "int fact(int n) { return n < 2 ? 1 : n * fact(n - 1); }\n"
                           "void *box(int n)\n{\n    int v[n];\n    printf(\"%d\", v[0]);\n"
                           "    return malloc(n);\n}\n"
                           "int sum(int n, ...)\n{\n    va_list a;\n    va_start(a, n);\n"
                           "    int x = va_arg(a, int);\n    va_end(a);\n    return x;\n}\n"
                           "jmp_buf b;\n"
                           "void leave(void)\n{\n    __asm__ volatile(\"\");\n    longjmp(b, 1);\n}\n"
                           "int read(int a) { return a; }\n"
                           "int reads(int a) { exit(1); return read(a); }\n"
                           "int fine(int a) { return a; }\n");
    OK(unfit_at(function(s, "odd"), CC_UNFIT_RECURSION, 6), "mutual recursion");
    OK(unfit_at(function(s, "even"), CC_UNFIT_RECURSION, 9), "mutual recursion, the other");
    OK(unfit_at(function(s, "fact"), CC_UNFIT_RECURSION, 11), "recursion");
    OK(unfit_at(function(s, "box"), CC_UNFIT_ALLOCATION, 14), "an array of variable size");
    OK(unfit_at(function(s, "box"), CC_UNFIT_IO, 15), "input and output");
    OK(unfit_at(function(s, "box"), CC_UNFIT_ALLOCATION, 16), "allocation");
    OK(unfit_at(function(s, "sum"), CC_UNFIT_VARARGS, 18), "variable arguments");
    OK(unfit_at(function(s, "leave"), CC_UNFIT_ASM, 29), "inline assembly");
    OK(unfit_at(function(s, "leave"), CC_UNFIT_JUMP, 30), "longjmp");
    const struct cc_source_function *reads = function(s, "reads");
    OK(unfit_at(reads, CC_UNFIT_SYSTEM, 33) && reads->nunfit == 1,
       "a function of the program named like one of the library");
    OK(function(s, "fine") && function(s, "fine")->nunfit == 0, "a plain function");
    cc_sources_free(s);
}

/* Structure that must come out the same however it is spelled. */
static const char language_source[] =
    "#define SQUARE(x) ((x) * (x))\n#define SUM(a, b) a + b\n"
    "enum { N = 4 };\n"
    "struct s { int x; unsigned f : 3; int *p; int a[4]; };\n"
    "int macro(int a) { return SUM(SQUARE(a + 1), SQUARE(a)); }\n"
    "int gnu(int a) { int b = ({ int t = a; t * 2; }); return b ?: a; }\n"
    "int ranges(int a) { switch (a) { case 1 ... 5: return 1; default: return 0; } }\n"
    "int generic(int a) { return _Generic(a, float: a * 2.0f, int: a + 1); }\n"
    "int member(struct s *q, struct s v) { q->x += v.x; return q->p[1] + v.f + q->a[v.x]; }\n"
    "int bound(int *a) { int s = 0; for (int i = N - 1; i >= 0; i -= 2) s += a[i]; return s; }\n"
    "int empty(void) { return sizeof(struct s) + (1 << 3); }\n"
    "void nothing(void) {}\n"
    "int forms(int n) { for (; n > 3;) n--; for (n = 9;;) { if (n) break; } for (;; n++) if (n) return "
    "n; }\n"
    "int compound(void) { return ((struct s){.x = 3}).x; }\n"
    "int goto_table(int a) { void *t[] = {&&x, &&y}; goto *t[a]; x: return 1; y: return 2; }\n"
    "_Complex double cplx(_Complex double a) { return a * a; }\n"
    "typedef float v4 __attribute__((vector_size(16)));\n"
    "v4 vec(v4 a, v4 b) { return a + b; }\n"
    "int old(a, b) int a; long b; { return a + b; }\n"
    "_Noreturn void spin(void) { for (;;) ; }\n"
    "inline __attribute__((always_inline)) int inl(int a) { return -a; }\n"
    "int bits(unsigned long long a) { return __builtin_popcountll(a) + (a > 3 ? 0x10u : 0b11); }\n";

static void test_language(void)
{
    struct cc_sources *s = measure("lang.c", language_source);
    const struct cc_source_function *f = function(s, "macro");
    OK(f && f->m[CC_M_add_32] == 3 && f->m[CC_M_mul_32] == 2, "operators inside macros are seen");
    f = function(s, "gnu");
    OK(f && f->m[CC_M_select] == 1 && f->m[CC_M_mul_32] == 1 && f->m[CC_M_cyclomatic] == 2, "?: and ({ })");
    f = function(s, "ranges");
    OK(f && f->m[CC_M_switch_arms] == 2 && f->m[CC_M_cyclomatic] == 2, "case ranges");
    f = function(s, "generic");
    OK(f && f->m[CC_M_add_32] == 1 && f->m[CC_M_fmul_32] == 0, "only the chosen association counts");
    f = function(s, "member");
    OK(f && f->m[CC_M_loads] == 4 && f->m[CC_M_stores] == 1 && f->m[CC_M_memories] == 1,
       "members: a struct in memory, one in registers");
    f = function(s, "bound");
    OK(f && f->m[CC_M_loops_constant] == 1 && f->m[CC_M_weighted_operations] == 2 * (1 + 3 + 1),
       "trips of a loop downwards");
    f = function(s, "empty");
    OK(f && f->m[CC_M_loads] == 0 && f->m[CC_M_shift_const] == 0, "sizeof and constants compute nothing");
    f = function(s, "nothing");
    OK(f && f->m[CC_M_basic_blocks] == 0 && f->m[CC_M_cyclomatic] == 1 && f->m[CC_M_tokens] == 2,
       "an empty body");
    f = function(s, "forms");
    OK(f && f->m[CC_M_loops] == 3 && f->m[CC_M_cyclomatic] == 4, "for with missing parts");
    static const char *const others[] = {"compound", "goto_table", "cplx", "vec",
                                         "old",      "spin",       "inl",  "bits"};
    for (size_t i = 0; i < CC_COUNT(others); i++) {
        f = function(s, others[i]);
        OK(f && !f->refused, "'%s' is measured%s%s", others[i], f && f->refused ? ": " : "",
           f && f->refused ? f->refused : "");
    }
    f = function(s, "goto_table");
    OK(unfit_at(f, CC_UNFIT_JUMP, 15), "a computed goto");
    OK(function(s, "vec")->m[CC_M_fadd_32] == 1, "a vector operation counts once");
    cc_sources_free(s);
}

static void test_cplusplus(void)
{
    struct cc_sources *s =
        measure("plain.cc",
                "namespace n { struct c { int v; int get() const { return v + 1; } c() : v(0) {} }; }\n"
                "template <class T> T twice(T a) { return a + a; }\n"
                "int plain(int &a, bool b) { int *p = new int(3); if (int k = a) b = !b; int y[2] = {1, 2}; "
                "for (int x : y) a += x;"
                " auto l = [](int z) { return z; }; return a; }\n"
                "extern \"C\" int cfun(int a) { return a * 2; }\n"
                "int use(int a) { if (int k = a * 3) return k; return twice(a); }\n"
                "namespace n { namespace { int hidden(int a) { return a + use(a); } } }\n");
    const struct cc_source_function *f = function(s, "n::c::get");
    OK(f && f->m[CC_M_add_32] == 1 && f->m[CC_M_loads] == 1, "a C++ method");
    OK(function(s, "n::(anonymous namespace)::hidden"), "in a namespace without a name, as it is demangled");
    OK(function(s, "cfun") && function(s, "cfun")->m[CC_M_mul_32] == 1, "extern \"C\"");
    f = function(s, "use");
    OK(f && !f->refused && f->m[CC_M_mul_32] == 1 && f->m[CC_M_ifs] == 1, "a declaration as condition");
    f = function(s, "plain");
    OK(f && f->refused && strstr(f->refused, "lambda"), "a lambda is refused");
    f = function(s, "twice");
    OK(f && f->refused && strstr(f->refused, "template"), "a template is refused");
    cc_sources_free(s);
}

/* McCabe's number from the decisions must agree with that from the graph, whatever the structure. */
static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static void random_statement(FILE *f, uint64_t *seed, int depth)
{
    unsigned kind = (unsigned)(next_random(seed) >> 33) % (depth > 4 ? 2 : 8);
    const char *condition =
        (const char *[]){"a > b", "a && b", "a || b > 2", "!a"}[next_random(seed) >> 40 & 3];
    switch (kind) {
    case 0:
        fprintf(f, "a += b;");
        break;
    case 1:
        fprintf(f, "b = a ? b : a * 3;");
        break;
    case 2:
    case 3:
        fprintf(f, "if (%s) {", condition);
        random_statement(f, seed, depth + 1);
        fprintf(f, "}");
        if (kind == 3) {
            fprintf(f, " else {");
            random_statement(f, seed, depth + 1);
            fprintf(f, "}");
        }
        break;
    case 4:
        fprintf(f, "while (%s) { if (b) break; ", condition);
        random_statement(f, seed, depth + 1);
        fprintf(f, " if (a) continue; a--; }");
        break;
    case 5:
        fprintf(f, "do { ");
        random_statement(f, seed, depth + 1);
        fprintf(f, " } while (%s);", condition);
        break;
    case 6:
        fprintf(f, "switch (a) { case 1: ");
        random_statement(f, seed, depth + 1);
        fprintf(f, " case 2: case 3: b++; break; case 4: ");
        random_statement(f, seed, depth + 1);
        fprintf(f, "%s}", next_random(seed) >> 40 & 1 ? " break; default: a = 2; " : "");
        break;
    default:
        fprintf(f, "for (int i = 0; %s; i++) { ", condition);
        random_statement(f, seed, depth + 1);
        fprintf(f, " } ");
        random_statement(f, seed, depth + 1);
    }
}

static void test_graph(void)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size, agree = 0;
    FILE *f = open_memstream(&text, &size);
    uint64_t seed = 88172645463325252;
    for (int i = 0; i < 300; i++) {
        fprintf(f, "int f%d(int a, int b) { ", i);
        random_statement(f, &seed, 0);
        random_statement(f, &seed, 0);
        fprintf(f, " return a; }\n");
    }
    fclose(f);
    struct cc_sources *s = measure("random.c", text);
    OK_U64(s->functions.n, 300, "300 random functions are measured");
    for (size_t i = 0; i < s->functions.n; i++) {
        const double *m = s->functions.v[i].m;
        agree += m[CC_M_cfg_edges] - m[CC_M_basic_blocks] + 1 == m[CC_M_cyclomatic];
    }
    OK_U64(agree, 300, "edges - blocks + 1 is the cyclomatic complexity in all of them");
    cc_sources_free(s);
}

/* --- what a kernel calls, arrays as parameters, functions of math.h --- */

static const char tree_source[] = "void *malloc(unsigned long n);\n"
                                  "static int helper(int a) { return a + 1; }\n"
                                  "static int twice(int a) { return helper(a) + helper(a); }\n"
                                  "int top(double a[8][4], float b[], const int *p)\n"
                                  "{\n"
                                  "    int s = 0;\n"
                                  "    for (int i = 0; i < 100; i++)\n"
                                  "        for (int j = 0; j < 4; j++)\n"
                                  "            s += p[j];\n"
                                  "    return twice(s);\n"
                                  "}\n"
                                  "static void *keep(void) { return malloc(8); }\n"
                                  "void *outer(void) { return keep(); }\n"
                                  "static int ping(int n) { return n ? ping(n - 1) : 0; }\n";

static void test_trees(void)
{
    struct cc_sources *s = measure("tree.c", tree_source);
    static const struct expected helper[] = {
        {CC_M_tree_functions, 1}, {CC_M_tree_instances, 1}, {CC_M_inlined_operations, 1}};
    /* its own +, and two helpers */
    static const struct expected twice[] = {
        {CC_M_tree_functions, 2}, {CC_M_tree_instances, 3}, {CC_M_inlined_operations, 3}};
    static const struct expected top[] = {
        {CC_M_tree_functions, 3},
        {CC_M_tree_instances, 4},
        {CC_M_operations, 6}, /* two tests, two steps, the sum, the address */
        {CC_M_inlined_operations, 9},
        {CC_M_unrolled_operations, 2 + 4 * 5}, /* the inner loop's test, step, sum, address and load */
        {CC_M_weighted_operations, 100 * 2 + 400 * 5},
        {CC_M_array_parameters, 2},
        {CC_M_array_parameter_bits, 8 * 4 * 64}, /* b[] has no size */
        {CC_M_parameter_bits, 3 * 64},
        {CC_M_pointer_parameters, 3},
    };
    check(function(s, "helper"), helper, CC_COUNT(helper));
    check(function(s, "twice"), twice, CC_COUNT(twice));
    check(function(s, "top"), top, CC_COUNT(top));
    OK(function(s, "ping")->m[CC_M_tree_functions] == 1 && function(s, "ping")->m[CC_M_tree_instances] == 1,
       "recursion is one copy of itself");
    OK(function(s, "outer")->nunfit == 0, "a function alone is not judged by what it calls");
    cc_sources_join_trees(s);
    const struct cc_source_function *f = function(s, "top");
    OK(f->m[CC_M_operations] == 8 && f->m[CC_M_calls] == 3 && f->m[CC_M_int_add] == 5,
       "joined: counts of each function once");
    OK(f->m[CC_M_parameters] == 3 && f->m[CC_M_loop_depth] == 2 && f->m[CC_M_memory_ports] == 1,
       "... the signature of the top, the largest of what is of one place");
    OK(f->ntree == 3 && &s->functions.v[f->tree[0]] == f, "... and who is in it");
    f = function(s, "outer");
    OK(f->nunfit == 1 && f->unfit[0].kind == CC_UNFIT_ALLOCATION &&
           strcmp(f->unfit[0].detail, "in keep: malloc") == 0,
       "what keeps a callee out keeps the kernel out: %s", f->nunfit ? f->unfit[0].detail : "");
    cc_sources_free(s);
}

static void test_math(void)
{
    struct cc_sources *s =
        measure("math.c", "#include <math.h>\n"
                          "double all(double x, float y)\n"
                          "{\n"
                          "    return sqrt(x) + exp(x) + log(x) + pow(x, x) + sin(x) + tanh(x) + fmax(x, x)\n"
                          "        + floor(x) + erf(x) + sinf(y) + lround(x);\n"
                          "}\n");
    static const struct expected all[] = {
        {CC_M_has_math, 1},   {CC_M_math_calls, 11},     {CC_M_math_root, 1},  {CC_M_math_exp, 1},
        {CC_M_math_log, 1},   {CC_M_math_pow, 1},        {CC_M_math_trig, 2},  {CC_M_math_minmax, 1},
        {CC_M_math_round, 2}, {CC_M_math_hyperbolic, 1}, {CC_M_math_other, 1}, {CC_M_math_32, 1},
        {CC_M_math_64, 10},
    };
    check(function(s, "all"), all, CC_COUNT(all));
    cc_sources_free(s);
    s = measure("tgmath.c", "#include <tgmath.h>\n"
                            "float one(float x, float y) { return sqrt(x) + pow(x, y); }\n"
                            "double two(double x) { return cos(x); }\n");
    static const struct expected one[] = {{CC_M_math_calls, 2}, {CC_M_math_root, 1}, {CC_M_math_pow, 1},
                                          {CC_M_math_32, 2},    {CC_M_fadd_32, 1},   {CC_M_operations, 3}};
    check(function(s, "one"), one, CC_COUNT(one));
    OK(function(s, "two")->m[CC_M_math_64] == 1 && function(s, "two")->nunfit == 0,
       "functions of tgmath.h are those of math.h");
    cc_sources_free(s);
}

/* --- what is no hardware, and loops that count --- */

static void is_metric(const struct cc_sources *s, const char *name, enum cc_metric metric, double value,
                      const char *why)
{
    const struct cc_source_function *f = function(s, name);
    OK(f && f->m[metric] == value, "%s: %s is %g (%g)", why, cc_metric_info[metric].key, value,
       f ? f->m[metric] : NAN);
}

static void test_folding(void)
{
    struct cc_sources *s = measure(
        "fold.c",
        "#include <string.h>\n"
        "enum { SIDE = 3 };\n"
        "static const int wide = SIDE * 4;\n"
        "void copy(double *d, const double *s) { memcpy(d, s, sizeof(double) * 116 * 124); }\n"
        "int local(void) { const int n = 5; int s = 0; for (int i = 0; i < n; i++) s += i; return s; }\n"
        "int global(void) { int s = 0; for (int i = 0; i < wide; i++) s += i; return s; }\n"
        "int count(void) { int i = 0, s = 0; while (i < 7) { s += i; i++; } return s; }\n"
        "int after(void) { int i, s = 0; i = 0; do { s += i; i += 2; } while (i < 7); return s; }\n"
        "int skips(void) { int i = 0, s = 0; while (i < 7) { if (s) continue; i++; } return s; }\n"
        "int twice(void) { int i = 0, s = 0; while (i < 7) { s += i; i++; i++; } return s; }\n"
        "int moved(int n) { int i = 0, s = 0; i = n; while (i < 7) { s += i; i++; } return s; }\n"
        "int block(int s) { do { s += 1; if (s > 9) break; s += 2; } while (0); return s; }\n"
        "int type(int *p) { return (__typeof__(p[0] + p[1]))p[2]; }\n"
        "int asks(int *p) { return __builtin_constant_p(p[0] * 2) ? 1 : p[1]; }\n"
        "int plain(int s)\n{\ns += 1;\nreturn s; }\n"
        "int hinted(int s)\n{\n#pragma HLS PIPELINE II = 1\ns += 1;\nreturn s; }\n");
    is_metric(s, "copy", CC_M_operations, 0, "constant expressions are no hardware");
    is_metric(s, "type", CC_M_operations, 0, "nor is what only names a type");
    is_metric(s, "type", CC_M_loads, 1, "... in reads");
    is_metric(s, "asks", CC_M_loads, 1, "nor what is asked of the compiler");
    is_metric(s, "local", CC_M_loops_constant, 1, "a constant variable counts like a literal");
    is_metric(s, "local", CC_M_weighted_operations, 5 * 3, "... in trips");
    is_metric(s, "global", CC_M_weighted_operations, 12 * 3, "... outside the function too");
    is_metric(s, "count", CC_M_loops_constant, 1, "a while loop that counts");
    is_metric(s, "count", CC_M_weighted_operations, 7 * 3, "... has trips");
    is_metric(s, "after", CC_M_weighted_operations, 4 * 3, "a do loop that counts: 0 2 4 6");
    is_metric(s, "skips", CC_M_loops_constant, 0, "a step that continue may skip");
    is_metric(s, "twice", CC_M_loops_constant, 0, "two steps");
    is_metric(s, "moved", CC_M_loops_constant, 0, "a start that is not constant any more");
    is_metric(s, "block", CC_M_loops, 0, "do … while (0) is no loop");
    is_metric(s, "block", CC_M_cyclomatic, 2, "... and decides nothing");
    is_metric(s, "block", CC_M_weighted_operations, 3, "... and runs once");
    is_metric(s, "block", CC_M_npath, 2, "... with the paths of its body");
    OK(function(s, "hinted")->m[CC_M_tokens] == function(s, "plain")->m[CC_M_tokens] &&
           function(s, "hinted")->m[CC_M_operators] == function(s, "plain")->m[CC_M_operators],
       "#pragma is no program text (%g tokens, %g without)", function(s, "hinted")->m[CC_M_tokens],
       function(s, "plain")->m[CC_M_tokens]);
    cc_sources_free(s);
}

static void test_faults(void)
{
    struct cc_sources *s = measure("bad.c", "#include \"missing.h\"\n"
                                            "int good(int a) { return a; }\n"
                                            "int bad(int a) { return a + ; }\n"
                                            "unknown_t worse(int a) { return a; }\n"
                                            "int last(int a) { return a * 2; }\n");
    OK(s && s->messages.n >= 1 && s->messages.v[0].line == 1 && strstr(s->messages.v[0].text, "missing.h"),
       "a missing include is a message with its line");
    OK(function(s, "good") && !function(s, "good")->refused, "the function before is measured");
    OK(function(s, "bad") && function(s, "bad")->refused && function(s, "bad")->refused_line == 3,
       "the broken one is listed with the line");
    OK(function(s, "last") && function(s, "last")->m[CC_M_mul_32] == 1, "the function after is measured");
    cc_sources_free(s);
    s = measure("cut.c", "int f(int a) { if (a) {\n");
    OK(s && function(s, "f") && function(s, "f")->refused, "a file that ends too early");
    cc_sources_free(s);
    s = measure("empty.c", "");
    OK(s && s->functions.n == 0 && s->failed == 0, "an empty file");
    cc_sources_free(s);
    s = measure("binary.c", "\x7f\x45\x4c\x46\x01\xff\xfe garbage ((((( {{{ \" ' \\");
    OK(s && s->functions.n == 0, "bytes that are no source");
    cc_sources_free(s);
}

/* Source with bytes changed, cut and repeated must never bring the tool down. */
static void test_mutations(void)
{
    uint64_t seed = 4101842887655102017;
    char text[8192];
    size_t survived = 0, rounds = 60;
    for (size_t i = 0; i < rounds; i++) {
        size_t n = 0;
        for (int k = 0; k < 2; k++) { /* several functions a file: more for the same processes */
            const char *from = k ? walk_source : sat_source;
            size_t len = strlen(from);
            memcpy(text + n, from, len);
            n += len;
        }
        for (int k = 0; k < 1 + (int)(i % 8); k++) {
            size_t at = next_random(&seed) % n;
            static const char bytes[] = "(){}[];,:?*&|!<>=+-0a\"'#\\\n ";
            if (next_random(&seed) & 1)
                text[at] = bytes[next_random(&seed) % (sizeof bytes - 1)];
            else
                memmove(text + at, text + at + 1, n-- - at - 1);
        }
        text[n] = 0;
        struct cc_sources *s = measure("mutant.c", text);
        bool died = !s;
        for (size_t k = 0; s && k < s->messages.n; k++)
            died |= strstr(s->messages.v[k].text, "ended by signal") != NULL;
        survived += !died;
        cc_sources_free(s);
    }
    OK_U64(survived, rounds, "mutated source does not crash the parser or the metrics");
}

/* README.md repeats every definition for readers. */
static void test_readme(void)
{
    CC_CLEANUP(cc_free_ptr)
    char *path = cc_asprintf("%.*sREADME.md", (int)(strrchr(__FILE__, '/') + 1 - __FILE__), __FILE__);
    FILE *f = fopen(path, "rb");
    if (!f) {
        SKIP("the source tree is not here");
        return;
    }
    char *text = cc_alloc(1 << 20);
    text[fread(text, 1, (1 << 20) - 1, f)] = 0;
    fclose(f);
    size_t found = 0;
    for (int i = 0; i < CC_METRIC_COUNT; i++) {
        const struct cc_metric_info *m = &cc_metric_info[i];
        CC_CLEANUP(cc_free_ptr) char *row = cc_asprintf("| `%s` | %s | ", m->key, m->unit);
        if (strstr(text, row))
            found++;
        else
            printf("# README.md lacks %s\n", row);
    }
    OK_U64(found, CC_METRIC_COUNT, "README.md has every metric with its unit");
    free(text);
}

int main(void)
{
    tap_folder(folder);
    OK(CC_METRIC_COUNT >= 58, "%d metrics", CC_METRIC_COUNT);
    test_sat();
    test_walk();
    test_calls();
    test_trees();
    test_math();
    for (int i = 0; i < CC_METRIC_COUNT; i++)
        OK(covered[i], "'%s' has a value worked out by hand", cc_metric_info[i].key);
    test_folding();
    test_unfit();
    test_language();
    test_cplusplus();
    test_graph();
    test_faults();
    test_mutations();
    test_readme();
    rmdir(folder);
    return TAP_DONE();
}
