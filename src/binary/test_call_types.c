/* What functions of libraries take. */
#include "call_types.h"
#include "code.h"
#include "tap.h"

static void test_types(void)
{
    static const struct {
        const char *name;
        unsigned integers, floats;
    } known[] = {
        {"sqrt", 0, 1},  {"sqrtf", 0, 1},    {"pow", 0, 2},     {"powf", 0, 2},   {"fmax", 0, 2},
        {"fma", 0, 3},   {"fmaf", 0, 3},     {"ldexp", 1, 1},   {"malloc", 1, 0}, {"memcpy@GLIBC_2.17", 3, 0},
        {"rand", 0, 0},  {"erf", 0, 1},      {"bsearch", 5, 0}, {"_Znwm", 1, 0},  {"sincos", 2, 1},
        {"modff", 1, 1}, {"vsnprintf", 4, 0}};
    static const char *const others[] = {"",      "f",    "div", "mallocf",  "sqr", "sqrtff",
                                         "fabsl", "main", " ",   "erf erfc", "@"};
    struct cc_call_type t;
    for (size_t i = 0; i < CC_COUNT(known); i++)
        OK(cc_call_type(known[i].name, &t) && t.integers == known[i].integers && t.floats == known[i].floats,
           "%s takes %u and %u", known[i].name, known[i].integers, known[i].floats);
    OK(cc_call_type("memset", &t) && t.hands_back && cc_call_type("strcpy@GLIBC_2.17", &t) && t.hands_back,
       "memset and strcpy return where they wrote to");
    OK(cc_call_type("mempcpy", &t) && !t.hands_back && cc_call_type("malloc", &t) && !t.hands_back,
       "mempcpy and malloc do not return what they get");
    OK(cc_call_type("printf", &t) && t.counted && cc_call_type("__fprintf_chk", &t) && t.counted &&
           cc_call_type("puts", &t) && !t.counted,
       "printf takes as many as it is given");
    for (size_t i = 0; i < CC_COUNT(others); i++)
        OK(!cc_call_type(others[i], &t), "of '%s' nothing is known", others[i]);
}

int main(void)
{
    test_types();
    return TAP_DONE();
}
