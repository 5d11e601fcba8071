/* Functions by name, in this very program. */
#include "binary/symbols.h"
#include "tap.h"

#define BODY(n) __asm__ volatile("" ::"r"(n))
void alpha_one(void);
void alpha_two(void);
void helper_int(void) __asm__("_ZN3img6helperEi");
void helper_char(void) __asm__("_ZN3img6helperEc");
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
    cc_symbols_free(s);
    return TAP_DONE();
}
