/* Tests speak TAP: OK(condition, "what"), SKIP("why"), and `return TAP_DONE();` at the end of main. */
#ifndef CC_TESTS_TAP_H
#define CC_TESTS_TAP_H

#include "place.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int tap_count, tap_failed;

/* How many of a test's random rounds this run does, in per cent: CC_TEST_ROUNDS. make check does 100 of them
 * and a tenth of that under sanitizers; make check-long does 1000. */
static inline int tap_percent(void)
{
    const char *percent = getenv("CC_TEST_ROUNDS");
    int n = percent ? (int)strtol(percent, NULL, 10) : 100;
    return n > 0 ? n : 100;
}

static inline int tap_rounds(int n)
{
    long long rounds = (long long)n * tap_percent() / 100;
    return rounds > 0 ? (int)rounds : 1;
}

/* Of a series that is gone through from end to end: whether this run leaves the i-th out. */
static inline int tap_leaves(unsigned i)
{
    return (i * 2654435761u >> 16) % 100 >= (unsigned)tap_percent();
}

#define OK(cond, ...) tap_ok(!!(cond), #cond, __FILE__, __LINE__, __VA_ARGS__)
#define OK_U64(got, want, ...) tap_u64((got), (want), __FILE__, __LINE__, __VA_ARGS__)
#define OK_NEAR(got, want, tolerance, ...) \
    tap_near((got), (want), (tolerance), __FILE__, __LINE__, __VA_ARGS__)
#define OK_STR(got, want, ...) tap_str((got), (want), __FILE__, __LINE__, __VA_ARGS__)
#define SKIP(...) (printf("ok %d # SKIP ", ++tap_count), printf(__VA_ARGS__), putchar('\n'))
#define TAP_DONE() (printf("1..%d\n", tap_count), tap_failed != 0)

__attribute__((unused, format(printf, 5, 6))) static int tap_ok(int ok, const char *cond, const char *file,
                                                                int line, const char *fmt, ...)
{
    char what[512];
    __builtin_va_list ap;
    __builtin_va_start(ap, fmt);
    vsnprintf(what, sizeof what, fmt, ap);
    __builtin_va_end(ap);
    printf("%sok %d - %s\n", ok ? "" : "not ", ++tap_count, what);
    if (!ok) {
        tap_failed++;
        printf("# %s:%d: %s\n", file, line, cond);
    }
    fflush(stdout);
    return ok;
}

#define TAP_FORMAT(what)                   \
    char what[512];                        \
    __builtin_va_list ap;                  \
    __builtin_va_start(ap, fmt);           \
    vsnprintf(what, sizeof what, fmt, ap); \
    __builtin_va_end(ap)

__attribute__((unused, format(printf, 5, 6))) static int
tap_u64(unsigned long long got, unsigned long long want, const char *file, int line, const char *fmt, ...)
{
    TAP_FORMAT(what);
    if (got != want)
        printf("# got %llu, want %llu\n", got, want);
    return tap_ok(got == want, "values differ", file, line, "%s", what);
}

__attribute__((unused, format(printf, 6, 7))) static int
tap_near(double got, double want, double tolerance, const char *file, int line, const char *fmt, ...)
{
    TAP_FORMAT(what);
    int ok = fabs(got - want) <= tolerance;
    if (!ok)
        printf("# got %.17g, want %.17g within %g\n", got, want, tolerance);
    return tap_ok(ok, "values differ", file, line, "%s", what);
}

__attribute__((unused, format(printf, 5, 6))) static int
tap_str(const char *got, const char *want, const char *file, int line, const char *fmt, ...)
{
    TAP_FORMAT(what);
    int ok = got && want && strcmp(got, want) == 0;
    if (!ok)
        printf("# got '%s', want '%s'\n", got ? got : "(null)", want ? want : "(null)");
    return tap_ok(ok, "texts differ", file, line, "%s", what);
}

#endif
