/* Functions by name, in this very program. */
#include "binary/symbols.h"
#include "binary/called.h"
#include "binary/demangle.h"
#include "binary/segments.h"
#include "binary/statics.h"
#include "tap.h"

#define BODY(n) __asm__ volatile("" ::"r"(n))
void alpha_one(void);
void alpha_two(void);
void helper_int(void) __asm__("_ZN3img6helperEi");
void helper_char(void) __asm__("_ZN3img6helperEc");
void inside(void) __asm__("_ZZN3img6helperEiENKUlvE_clEv");
void copied(void);
void copied_clone(void) __asm__("copied.constprop.0");
void copied_cold(void) __asm__("copied.cold");

void alpha_one(void)
{
    BODY(1);
}
void alpha_two(void)
{
    BODY(2);
}
void helper_int(void)
{
    BODY(3);
}
void helper_char(void)
{
    BODY(4);
}
void inside(void)
{
    BODY(8);
}
void copied(void)
{
    BODY(5);
}
void copied_clone(void)
{
    BODY(6);
}
void copied_cold(void)
{
    BODY(7);
}

/* Several names of one function each. */
void stash_strong(void) __asm__("__stash");
void stash_file(void) __asm__("_IO_stash");
void compare_them(void);
static void convert_it(void);
void box_complete(void) __asm__("_ZN3img3BoxC1Ev");

void stash_strong(void)
{
    BODY(9);
}
void compare_them(void)
{
    BODY(10);
}
__attribute__((used)) static void convert_it(void)
{
    BODY(11);
}
void box_complete(void)
{
    BODY(13);
}
#define ALIAS(to) __attribute__((alias(to)))
void stash(void) ALIAS("__stash") __attribute__((weak));
static void aside(void) ALIAS("__stash") __attribute__((used));
void stash_file(void) ALIAS("__stash");
void cmp_them(void) ALIAS("compare_them") __attribute__((weak));
void convimax(void) ALIAS("convert_it") __attribute__((weak));
void convert(void) ALIAS("convert_it") __attribute__((weak));
void box_base(void) __asm__("_ZN3img3BoxC2Ev") ALIAS("_ZN3img3BoxC1Ev");

static void test_aliases(struct cc_symbols *s)
{
    static const char *const names[] = {"stash",    "__stash", "aside",    "compare_them",
                                        "cmp_them", "convert", "convimax", "_ZN3img3BoxC2Ev"};
    static const char *const people_use[] = {"stash",        "stash",   "stash",   "compare_them",
                                             "compare_them", "convert", "convert", "img::Box::Box()"};
    for (size_t i = 0; i < CC_COUNT(names); i++) {
        uint64_t *at = NULL;
        size_t n = 0;
        struct cc_err err;
        struct cc_symbol_info info = {0};
        if (cc_symbols_named(s, "/proc/self/exe", names[i], &at, &n, &err) == 0)
            cc_symbols_find(s, "/proc/self/exe", *at, &info);
        OK_STR(info.name ? info.name : "none", people_use[i], "%s", names[i]);
        free(at);
    }
}

/* Names as the C library has them. */
static void test_versions(void)
{
    static const struct {
        const char *name;
        unsigned binding;
    } seek[] = {{"__lseek", STB_GLOBAL}, {"llseek@GLIBC_2.2.5", STB_GLOBAL},
                {"lseek64", STB_WEAK},   {"__GI___lseek", STB_LOCAL},
                {"lseek", STB_WEAK},     {"seek_here", STB_LOCAL}};
    struct cc_strmap old = {0};
    struct cc_called best = {NULL, UINT32_MAX};
    for (size_t i = 0; i < CC_COUNT(seek); i++) {
        GElf_Sym sym = {.st_info = GELF_ST_INFO(seek[i].binding, STT_FUNC)};
        struct cc_called a = cc_called_of(&old, &sym, 0, seek[i].name);
        if (!best.name || cc_called_compare(&a, &best) < 0)
            best = a;
    }
    OK_STR(best.name, "lseek", "a name of today that is offered, without underscores, the shortest");
    GElf_Sym label = {.st_info = GELF_ST_INFO(STB_GLOBAL, STT_NOTYPE)};
    OK(cc_called_of(&old, &label, 0, "x").rank >= CC_CALLED_LABEL && best.rank < CC_CALLED_LABEL,
       "what is not known to be a function comes last");
}

static void test_names(void)
{
    static const struct {
        const char *symbol, *name;
        bool is;
    } cases[] = {
        {"f", "f", true},
        {"f", "g", false},
        {"fg", "f", false},
        {"f.constprop.0", "f", true},
        {"f.cold", "f", false},
        {"_ZN1a1bEi", "a::b", true},
        {"_ZN1a1bEi", "a::b(int)", true},
        {"_ZN1a1bEi", "a::b(char)", false},
        {"_ZN1a1bEi", "a", false},
        {"_ZN1a1bEi.constprop.0", "a::b", true},
        {"_ZN1a1bEi.cold", "a::b", false},
        {"a::b(int)", "a::b", true},
        {"a::b(int)", "a::b(int)", true},
        {"a::b(void (*)(int)) const", "a::b", true},
        {"a::b(int) [clone .constprop.0]", "a::b(int)", true},
        {"a::b(int) [clone .cold]", "a::b(int)", false},
        {"a::b(int)::{lambda()#1}::operator()() const", "a::b", false},
        {"a::b[abi:cxx11](int)", "a::b", true},
        {"__physics_MOD_push", "physics::push", true},
        {"__physics_MOD_push.constprop.0", "physics::push", true},
        {"_RINvCs1_2ug7genericdEB2_", "ug::generic", true},
        {"_RINvCs1_2ug7genericdEB2_", "ug::gene", false},
        {"_ZN2ug4fill17h0123456789abcdefE", "ug::fill", true},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++)
        OK(cc_function_is(cases[i].symbol, cases[i].name) == cases[i].is, "'%s' is %scalled '%s'",
           cases[i].symbol, cases[i].is ? "" : "not ", cases[i].name);
}

static void test_languages(void)
{
    static const struct {
        const char *symbol, *name; /* NULL: as it is */
    } cases[] = {
        {"_ZN1a1bEi", "a::b(int)"},
        {"plain", NULL},
        {"__physics_MOD_stencil", "physics::stencil"},
        {"__a_b_MOD___vtab_x_Y", "a_b::__vtab_x_Y"},
        {"__MOD_x", NULL},
        {"__x_MOD_", NULL},
        {"__Phys_MOD_x", NULL},
        {"_ZN4core3fmt5write17h0123456789abcdefE", "core::fmt::write"},
        {"_ZN66_$LT$alloc..vec..Vec$LT$T$GT$$u20$as$u20$core..ops..drop..Drop$GT$4drop17h0123456789abcdefE",
         "<alloc::vec::Vec<T> as core::ops::drop::Drop>::drop"},
        {"_RNvNtCs1234_7mycrate3foo3bar", "mycrate::foo::bar"},
        {"_RNvCs15kBYyAo9fc_7mycrate7example", "mycrate::example"},
        {"_RNvMCs15kBYyAo9fc_7mycrateNtB2_7Example3foo", "<mycrate::Example>::foo"},
        {"_RNvXCs15kBYyAo9fc_7mycrateNtB2_7ExampleNtB2_5Trait3foo",
         "<mycrate::Example as mycrate::Trait>::foo"},
        {"_RINvNtC3std3mem8align_ofdE", "std::mem::align_of::<f64>"},
        {"_RNCNvC4test4main0", "test::main::{closure#0}"},
        {"_RNCNvC4test4mains_0", "test::main::{closure#1}"},
        {"_RINvC1a1bAtj8_E", "a::b::<[u16; 8]>"},
        {"_RINvC1a1bRShTlmEFUKCtEuE", "a::b::<&[u8], (i32, u32), unsafe extern \"C\" fn(u16)>"},
        {"_RINvC1a1bDNtC4core4SendEL_E", "a::b::<dyn core::Send>"},
        {"_RINvC1a1bDINtC4core2FnTlEEp6OutputyEL_E", "a::b::<dyn core::Fn<(i32,), Output = u64>>"},
        {"_RNCNCNvC1a1b0s_0", "a::b::{closure#0}::{closure#1}"},
        {"_RINvC1a1bKj1f_E", "a::b::<31>"},
        {"_RINvC1a1bKb1_E", "a::b::<true>"},
        {"_RNvC1a9999999999b", NULL},
        {"_RNvB_1a", NULL},
        {"_RNvC1a", NULL},
        {"_D4main4fillFAdZv", "main.fill"},
        {"_Dmain", NULL},
        {"_D99x", NULL},
        {"_D4main__T3fooZQfFiZv", NULL},
    };
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        CC_CLEANUP(cc_free_ptr) char *name = cc_demangle(cases[i].symbol);
        OK(!name == !cases[i].name && (!name || strcmp(name, cases[i].name) == 0), "%s: %s", cases[i].symbol,
           name ? name : "as it is");
    }
    unsigned many = 0;
    for (size_t i = 0; i < CC_COUNT(cases); i++) { /* damaged ones: nothing is read beyond their end */
        for (unsigned round = 0; round < 2000; round++, many++) {
            CC_CLEANUP(cc_free_ptr) char *damaged = cc_strdup(cases[i].symbol);
            size_t n = strlen(damaged), at = round * 7 % n;
            damaged[at] = "BIMNXY_TRDEK09z"[round / 7 % 15];
            damaged[round % 3 ? n : 1 + round * 31 % n] = 0;
            CC_CLEANUP(cc_free_ptr) char *name = cc_demangle(damaged);
            many -= name && strlen(name) > 20000;
        }
    }
    OK_U64(many, 2000 * CC_COUNT(cases), "damaged names end too");
}

struct found {
    unsigned functions, variables, mangled;
    uint64_t address;
};

static void note(const struct cc_symbol_range *r, void *data)
{
    struct found *f = data;
    f->functions += !r->data;
    f->variables += r->data;
    f->mangled += strncmp(r->name, "_Z", 2) == 0 || strchr(r->name, '@') != NULL || r->to <= r->from;
    if (strcmp(r->name, "img::helper(char)") == 0)
        f->address = r->from;
}

static void test_each(struct cc_symbols *s)
{
    struct found f = {0};
    struct cc_symbol_info info;
    cc_symbols_each(s, "/proc/self/exe", note, &f);
    cc_symbols_find(s, "/proc/self/exe", f.address, &info);
    OK(f.functions > 10 && f.variables > 0 && !f.mangled && f.address,
       "all symbols, by the names people use");
    OK_STR(info.symbol, "_ZN3img6helperEc", "an address leads back to the symbol");
    f = (struct found){0};
    cc_symbols_each(s, "/nowhere", note, &f);
    OK(!f.functions && !f.variables, "no file, no symbols");
}

/* As slow as can be. */
struct covering {
    uint64_t address;
    struct cc_symbol_range best;
};

static void cover(const struct cc_symbol_range *r, void *data)
{
    struct covering *c = data;
    bool inside = r->data && c->address >= r->from && c->address < r->to;
    if (inside && (!c->best.name || r->to - r->from < c->best.to - c->best.from))
        c->best = *r;
}

struct edges {
    CC_VEC(uint64_t) at;
};

static void collect_edges(const struct cc_symbol_range *r, void *data)
{
    struct edges *edges = data;
    if (r->data) {
        CC_VEC_PUSH(&edges->at, r->from);
        CC_VEC_PUSH(&edges->at, r->to);
    }
}

/* Variables that lie in others or have two names are there: those of the C library. */
static void test_statics(struct cc_symbols *s, const char *path)
{
    struct edges edges = {0};
    struct cc_statics *t = cc_statics_new(s);
    uint64_t from;
    size_t wrong = 0, found = 0;
    cc_symbols_each(s, path, collect_edges, &edges);
    for (size_t i = 0; i < edges.at.n; i++)
        for (int k = -1; k < 2; k++) {
            struct covering c = {.address = edges.at.v[i] + (uint64_t)k};
            cc_symbols_each(s, path, cover, &c);
            const char *name = cc_statics_find(t, path, c.address, &from);
            found += name != NULL;
            wrong += c.best.name ? !name || strcmp(name, c.best.name) != 0 : name != NULL;
        }
    OK(edges.at.n > 4 && found && !wrong, "variables by address: %zu looks, %zu found, %zu wrong",
       edges.at.n * 3, found, wrong);
    OK(!cc_statics_find(t, "/nowhere", 0, &from), "none of no file");
    cc_statics_free(t);
    CC_VEC_FINI(&edges.at);
}

static void test_segments(void)
{
    struct cc_segment *v;
    size_t n = cc_segments_read("/proc/self/exe", &v), code = 0;
    uint64_t bias = 0, wrong = 0;
    for (size_t i = 0; i < n; i++) {
        code += v[i].code;
        uint64_t page = v[i].offset & 4095;
        wrong += !cc_segments_bias(v, n, v[i].address - page + 0x10000000, v[i].offset - page, &bias) ||
                 bias != 0x10000000;
    }
    OK(n >= 2 && code == 1 && !wrong, "one of %zu segments is code; a mapping of each gives the same bias",
       n);
    const struct cc_segment shared[] = {{.address = 0, .offset = 0, .bytes = 0x1924, .code = true},
                                        {.address = 0x11ed0, .offset = 0x1ed0, .bytes = 0x100}};
    OK(cc_segments_bias(shared, 2, 0x511000, 0x1000, &bias) && bias == 0x500000 &&
           cc_segments_bias(shared, 2, 0x500000, 0, &bias) && bias == 0x500000,
       "a page with the end of one segment and the beginning of another is the latter's");
    OK(!cc_segments_bias(v, n, 0, UINT64_MAX / 2, &bias), "beyond the file there is no segment");
    free(v);
    OK(cc_segments_read("/proc/self/maps", &v) == 0 && cc_segments_read("/nowhere", &v) == 0,
       "no ELF file, no segments");
}

static size_t count(struct cc_symbols *s, const char *name, struct cc_err *err)
{
    uint64_t *at = NULL;
    size_t n = 0;
    memset(err, 0, sizeof *err);
    int rc = cc_symbols_named(s, "/proc/self/exe", name, &at, &n, err);
    for (size_t i = 1; i < n; i++)
        if (at[i] <= at[i - 1])
            n = 0;
    free(at);
    return (rc == 0) == (n > 0) ? n : 1000;
}

int main(void)
{
    struct cc_symbols *s = cc_symbols_new();
    struct cc_err err;
    OK_U64(count(s, "alpha_one", &err), 1, "a C function");
    OK_U64(count(s, "_ZN3img6helperEi", &err), 1, "a mangled symbol");
    OK_U64(count(s, "img::helper(int)", &err), 1, "a demangled name");
    OK_U64(count(s, "img::helper", &err), 2, "without parameters: all that are called so");
    OK_U64(count(s, "img::helper(int)::{lambda()#1}::operator()", &err), 1, "a function inside another");
    OK_U64(count(s, "copied", &err), 2, "a copy, but no cold part");
    OK(count(s, "alpha_tree", &err) == 0 && strstr(err.msg, "no function 'alpha_tree'") &&
           strstr(err.hint, "'alpha_"),
       "an unknown name: near ones are offered");
    OK(count(s, "alpha", &err) == 0 && strstr(err.hint, "'alpha_one'") && strstr(err.hint, "'alpha_two'"),
       "part of a name: those that contain it");
    OK(count(s, "", &err) == 0, "no name");
    uint64_t *at;
    size_t n;
    OK(cc_symbols_named(s, "/nowhere", "f", &at, &n, &err) < 0, "no file");
    uint64_t *one = NULL;
    struct cc_symbol_info info;
    cc_symbols_named(s, "/proc/self/exe", "alpha_two", &one, &n, &err);
    cc_symbols_find(s, "/proc/self/exe", one ? *one : 0, &info);
    OK_STR(info.name, "alpha_two", "the address leads back to the name");
    free(one);
    test_each(s);
    test_aliases(s);
    test_versions();
    test_statics(s, "/proc/self/exe");
    cc_symbols_free(s);
    test_names();
    test_languages();
    test_segments();
    return TAP_DONE();
}
