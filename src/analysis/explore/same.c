#include "same.h"

#include <ctype.h>
#include <math.h>

static bool next_line(struct cc_same_text *t, struct cc_same_text *ret)
{
    if (!t->n)
        return false;
    const char *newline = memchr(t->s, '\n', t->n);
    size_t n = newline ? (size_t)(newline - t->s) + 1 : t->n;
    *ret = (struct cc_same_text){t->s, n};
    t->s += n;
    t->n -= n;
    return true;
}

static bool equal(struct cc_same_text a, struct cc_same_text b)
{
    return a.n == b.n && memcmp(a.s, b.s, a.n) == 0;
}

bool cc_same_varying(struct cc_same_text a, struct cc_same_text b, bool **ret, size_t *ret_n)
{
    CC_VEC(bool) lines = {0};
    struct cc_same_text x, y;
    bool more = next_line(&a, &x), other = next_line(&b, &y);
    while (more && other) {
        CC_VEC_PUSH(&lines, !equal(x, y));
        more = next_line(&a, &x);
        other = next_line(&b, &y);
    }
    *ret = lines.v;
    *ret_n = lines.n;
    return !more && !other;
}

struct number {
    double v;
    double unit; /* what one more in its last digit is worth; 0: an integer */
};

static double unit_of(const char *text, const char *end)
{
    const char *point = memchr(text, '.', (size_t)(end - text)), *e = point;
    if (!point)
        return 0;
    while (++e < end && isdigit((unsigned char)*e))
        ;
    double power = e < end ? strtod(e + 1, NULL) : 0;
    return pow(10, power - (double)(e - point - 1));
}

/* The number that begins at `at`; how many bytes it has, 0: none does. */
static size_t number(struct cc_same_text t, size_t at, struct number *ret)
{
    char text[64];
    size_t n = CC_MIN(t.n - at, sizeof text - 1);
    bool inside = at && (isalnum((unsigned char)t.s[at - 1]) || t.s[at - 1] == '_' || t.s[at - 1] == '.');
    unsigned char c = (unsigned char)t.s[at];
    if (inside || !(isdigit(c) || c == '-' || c == '+' || c == '.'))
        return 0;
    memcpy(text, t.s + at, n);
    text[n] = '\0';
    char *end;
    ret->v = strtod(text, &end);
    ret->unit = unit_of(text, end);
    return isfinite(ret->v) ? (size_t)(end - text) : 0;
}

/* A sum in another order may also be rounded to the other side when it is printed. */
static bool close_to(struct number a, struct number b, double tolerance)
{
    double most = fmax(fmax(fabs(a.v), fabs(b.v)), 1e-9);
    return fabs(a.v - b.v) <= fmax(tolerance * most, 1.01 * fmin(a.unit, b.unit));
}

/* Number by number; all else has to be the same. */
static bool near(struct cc_same_text a, struct cc_same_text b, double tolerance)
{
    size_t i = 0, k = 0;
    while (i < a.n && k < b.n) {
        struct number x, y;
        size_t m = number(a, i, &x), n = number(b, k, &y);
        if (m && n) {
            if (!close_to(x, y, tolerance))
                return false;
            i += m;
            k += n;
        } else if (a.s[i] == b.s[k]) {
            i++;
            k++;
        } else if (a.s[i] == ' ' || b.s[k] == ' ') { /* a column that is one digit wider */
            i += a.s[i] == ' ';
            k += b.s[k] == ' ';
        } else {
            return false;
        }
    }
    return i == a.n && k == b.n;
}

static const char *differ(struct cc_same_text want, struct cc_same_text got, size_t line,
                          struct cc_arena *arena)
{
    enum { SHOWN = 60 };
    while (want.n && isspace((unsigned char)want.s[want.n - 1]))
        want.n--;
    while (got.n && isspace((unsigned char)got.s[got.n - 1]))
        got.n--;
    char *text =
        cc_asprintf("line %zu of its output is '%.*s', not '%.*s'", line, (int)CC_MIN(got.n, (size_t)SHOWN),
                    got.s, (int)CC_MIN(want.n, (size_t)SHOWN), want.s);
    const char *kept = cc_arena_strdup(arena, text);
    free(text);
    return kept;
}

const char *cc_same(struct cc_same_text want, struct cc_same_text got, const bool *varying, size_t n,
                    double tolerance, struct cc_arena *arena)
{
    struct cc_same_text x, y;
    for (size_t line = 0;; line++) {
        bool more = next_line(&want, &x), other = next_line(&got, &y);
        if (!more && !other)
            return NULL;
        if (more != other)
            return more ? "its output ends too early" : "it writes more than the sequential program";
        bool skip = line < n && varying[line];
        if (!skip && !equal(x, y) && !(tolerance > 0 && near(x, y, tolerance)))
            return differ(x, y, line + 1, arena);
    }
}
