/* Variables as this test's own file describes them, compared with where they are. */
#include "variables.h"
#include "tap.h"

#include <link.h>
#include <unistd.h>

#ifdef __clang__
#define PLAIN __attribute__((noinline, optnone, no_sanitize("address", "undefined")))
#else
#define PLAIN __attribute__((noinline, optimize("O0"), no_sanitize("address", "undefined")))
#endif

struct point {
    double x, y;
};
union value {
    int i;
    float f;
};
typedef unsigned char byte;

struct point corner = {1, 2};
const char *const words[3] = {"a", "b", "c"};
byte table[4][5] = {{1}};
static volatile int hidden = 3;
int (*callback)(int);

static struct {
    int64_t kernel, where, i, values, aside;
    int *counter;
    const void *in_block;
} seen;

static int64_t below(const volatile void *p, const char *cfa)
{
    return (const volatile char *)p - cfa;
}

#ifdef __aarch64__
static const char *called_with; /* the stack pointer */
#endif

PLAIN static int probe(int n)
{
    static int counter = 5;
    volatile float kernel[11];
    struct point where = {n, n};
    struct point *first = &where;
    union value values[3] = {{n}};
    volatile char i = (char)n;
    kernel[0] = (float)i;
#ifdef __aarch64__ /* clang's __builtin_dwarf_cfa is wrong there */
    const char *cfa = called_with;
#else
    const char *cfa = __builtin_dwarf_cfa();
#endif
    seen.kernel = below(kernel, cfa);
    seen.where = below(first, cfa);
    seen.values = below(values, cfa);
    seen.i = below(&i, cfa);
    seen.counter = &counter;
    if (n > 0) {
        volatile char aside[24];
        aside[0] = i;
    inside:
        seen.aside = below(aside, cfa);
        seen.in_block = &&inside;
    }
    return (int)kernel[0] + values[0].i + (int)where.x + counter++;
}

PLAIN static void call_probe(void)
{
#ifdef __aarch64__
    __asm__ volatile("mov %0, sp" : "=r"(called_with));
#endif
    probe(3);
}

static struct cc_variables *v;
static uint64_t bias; /* of this program in memory */
static const char *self;

static struct cc_variable at(const volatile void *p)
{
    struct cc_variable found;
    cc_variables_at(v, self, (uint64_t)(uintptr_t)p - bias, &found);
    return found;
}

static const struct cc_variable *in(const struct cc_variable *list, size_t n, const char *name)
{
    static const struct cc_variable none = {.name = "", .type = ""};
    for (size_t i = 0; i < n; i++)
        if (strcmp(list[i].name, name) == 0)
            return &list[i];
    return &none;
}

static void test_globals(void)
{
    struct cc_variable g = at(&corner);
    OK_STR(g.name, "corner", "a structure");
    OK_STR(g.type, "struct point", "its type");
    OK_U64(g.size, 16, "its size");
    OK(g.file && strstr(g.file, "test_variables.c") && g.line > 0, "where it is defined");
    g = at(words);
    OK_STR(g.type, "const char *const[3]", "an array of pointers");
    g = at(table);
    OK_STR(g.type, "byte[4][5]", "two dimensions of a typedef");
    OK_U64(g.size, 20, "and their size");
    g = at(&hidden);
    OK(strcmp(g.name, "hidden") == 0 && strcmp(g.type, "volatile int") == 0, "one of this file alone");
    OK_STR(at(&callback).type, "function *", "a pointer to a function");
    g = at(seen.counter);
    OK_STR(g.name, "probe::counter", "one that is static in a function");
    g = at((const char *)&corner + 3);
    OK(strstr(g.name, "+0x") && !g.type, "an address in the middle of nothing");
}

static void test_frame(void)
{
    const struct cc_variable *list;
    size_t n = cc_variables_frame(v, self, (uint64_t)(uintptr_t)&probe - bias, &list);
    bool sorted = true;
    for (size_t i = 1; i < n; i++)
        sorted &= list[i].from >= list[i - 1].from + (int64_t)list[i - 1].size;
    OK(n >= 7 && sorted, "the frame's variables, in order, none over another");
    OK(in(list, n, "kernel")->from == seen.kernel && in(list, n, "kernel")->size == 44,
       "an array is where it says");
    OK_STR(in(list, n, "kernel")->type, "volatile float[11]", "and what");
    OK(in(list, n, "where")->from == seen.where && in(list, n, "where")->size == 16, "a structure");
    OK_STR(in(list, n, "first")->type, "struct point *", "a pointer to one");
    OK(in(list, n, "values")->from == seen.values &&
           strcmp(in(list, n, "values")->type, "union value[3]") == 0,
       "unions");
    OK(in(list, n, "i")->from == seen.i && in(list, n, "i")->size == 1, "a char");
    OK_U64(in(list, n, "n")->size, 4, "a parameter");
    OK_U64(cc_variables_frame(v, self, 12345, &list), 0, "no function there");
    uint64_t at = (uint64_t)(uintptr_t)&probe - bias;
    uint64_t block = (uint64_t)(uintptr_t)seen.in_block - bias;
    struct cc_variables_code first = {at, at + 8}, inside = {block, block + 4}, both = {at, block};
    const char *near = cc_variables_near(v, self, at, seen.kernel + 4, first);
    OK(near && strcmp(near, "kernel") == 0, "what has one place for all its life is there everywhere");
    OK(!cc_variables_near(v, self, at, -1000000, first) &&
           !cc_variables_near(v, self, 12345, seen.kernel, first),
       "where nothing is, nothing is found");
    const char *here = cc_variables_near(v, self, at, seen.aside, inside),
               *around = cc_variables_near(v, self, at, seen.aside, both);
    OK(here && strcmp(here, "aside") == 0 && around && strcmp(around, "aside") == 0,
       "a block's variable is where the block's code is");
    OK(!cc_variables_near(v, self, at, seen.aside, first), "and nowhere else");
}

/* A function for each way to return something. */
static __attribute__((noinline)) void gives_nothing(void)
{
    hidden++;
}
static __attribute__((noinline)) byte gives_number(void)
{
    return (byte)hidden;
}
static __attribute__((noinline)) double gives_real(void)
{
    return hidden;
}
static __attribute__((noinline)) struct point gives_point(void)
{
    return (struct point){.x = hidden};
}

static enum cc_result_kind result(const void *function)
{
    return cc_variables_result(v, self, (uint64_t)(uintptr_t)function - bias);
}

static void test_results(void)
{
    gives_nothing();
    hidden += gives_number() + (int)gives_real() + (int)gives_point().x;
    OK(result((const void *)(uintptr_t)gives_nothing) == CC_RESULT_NONE, "nothing is returned");
    OK(result((const void *)(uintptr_t)gives_number) == CC_RESULT_INTEGER, "a typedef of a number");
    OK(result((const void *)(uintptr_t)gives_real) == CC_RESULT_FLOAT, "a double");
    OK(result((const void *)(uintptr_t)gives_point) == CC_RESULT_UNKNOWN, "a struct");
    OK(result(self) == CC_RESULT_UNKNOWN, "no function there");
}

static int take_bias(struct dl_phdr_info *info, size_t size, void *arg)
{
    (void)size, (void)arg;
    bias = info->dlpi_addr; /* the program comes first */
    return 1;
}

int main(void)
{
    char path[4096] = "";
    self = path;
    if (readlink("/proc/self/exe", path, sizeof path - 1) <= 0)
        return 1;
    call_probe();
    struct cc_symbols *symbols = cc_symbols_new();
    v = cc_variables_new(symbols);
    dl_iterate_phdr(take_bias, NULL);
    struct cc_variable found;
    cc_variables_at(v, self, (uint64_t)(uintptr_t)&corner - bias, &found);
    if (!found.type) {
        OK(true, "no debugging information in this build # SKIP");
    } else {
        test_globals();
        test_frame();
        test_results();
    }
    cc_variables_at(v, "/does/not/exist", 0x1234, &found);
    OK_STR(found.name, "exist+0x1234", "a file that is not there");
    const struct cc_variable *list;
    OK_U64(cc_variables_frame(v, "/etc/passwd", 0, &list), 0, "a file that is no program");
    cc_variables_free(v);
    cc_symbols_free(symbols);
    return TAP_DONE();
}
