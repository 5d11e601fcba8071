#include "same.h"
#include "../../../tests/tap.h"

static struct cc_same_text text(const char *s)
{
    return (struct cc_same_text){s, strlen(s)};
}

static void test_same(void)
{
    static const struct {
        const char *want, *got;
        double tolerance;
        bool same;
    } cases[] = {
        {"a 1\n", "a 1\n", 0, true},
        {"a 1\n", "a 2\n", 0, false},
        {"a 1\n", "a 1\nb\n", 0, false},
        {"a 1\nb\n", "a 1\n", 0, false},
        {"", "", 0, true},
        {"", "x", 0, false},
        {"1.0000001\n", "1.0000002\n", 0, false},
        {"1.0000001\n", "1.0000002\n", 1e-6, true},
        {"1.00001\n", "1.00009\n", 1e-6, false},
        {"sum 0.123\n", "sum 0.124\n", 1e-6, true}, /* rounded to the other side */
        {"sum 0.123\n", "sum 0.125\n", 1e-6, false},
        {"x 9.99e+05 y\n", "x 1.00e+06 y\n", 1e-6, true},
        {"5 items\n", "6 items\n", 1e-6, false}, /* integers are exact */
        {"v1 2\n", "v2 2\n", 1e-6, false},       /* a name is no number */
        {"-1.5e-12\n", "2.5e-12\n", 1e-6, false},
        {"1000000001\n", "1000000000\n", 1e-6, true},
        {"a  9.99\n", "a 10.00\n", 1e-6, true},
        {"nan\n", "nan\n", 1e-6, true},
        {"nan\n", "1\n", 1e-6, false},
    };
    struct cc_arena arena = {0};
    for (size_t i = 0; i < CC_COUNT(cases); i++) {
        const char *why =
            cc_same(text(cases[i].want), text(cases[i].got), NULL, 0, cases[i].tolerance, &arena);
        OK(!why == cases[i].same, "pair %zu with %g: %s", i, cases[i].tolerance, why ? why : "the same");
    }
    cc_arena_fini(&arena);
}

static void test_varying(void)
{
    struct cc_arena arena = {0};
    bool *varying;
    size_t n;
    OK(cc_same_varying(text("a\ntook 3 s\nb"), text("a\ntook 4 s\nb"), &varying, &n) && n == 3 &&
           !varying[0] && varying[1] && !varying[2],
       "a line with a time varies by itself");
    OK(!cc_same(text("a\ntook 3 s\nb"), text("a\ntook 9 s\nb"), varying, n, 0, &arena),
       "and is not compared");
    OK(cc_same(text("a\ntook 3 s\nb"), text("a\ntook 3 s\nc"), varying, n, 0, &arena) != NULL, "others are");
    free(varying);
    OK(!cc_same_varying(text("a\n"), text("a\nb\n"), &varying, &n),
       "different numbers of lines cannot be compared");
    free(varying);
    cc_arena_fini(&arena);
}

int main(void)
{
    test_same();
    test_varying();
    return TAP_DONE();
}
