#include "base.h"
#include "ending.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>

static void *checked(void *p)
{
    if (p)
        return p;
    cc_ending_no_memory();
}

void *cc_alloc(size_t size)
{
    return checked(calloc(1, size ? size : 1));
}

void *cc_alloc_array(size_t n, size_t size)
{
    return checked(calloc(n ? n : 1, size ? size : 1));
}

void *cc_realloc_array(void *p, size_t n, size_t size)
{
    return checked(reallocarray(p, n ? n : 1, size ? size : 1));
}

char *cc_strdup(const char *s)
{
    return checked(strdup(s));
}

char *cc_strndup(const char *s, size_t n)
{
    return checked(strndup(s, n));
}

char *cc_asprintf(const char *fmt, ...)
{
    char *out = NULL;
    va_list ap;
    va_start(ap, fmt);
    int n = vasprintf(&out, fmt, ap);
    va_end(ap);
    return checked(n < 0 ? NULL : out);
}

void cc_free_ptr(void *pointer_to_pointer)
{
    void *p;
    memcpy(&p, pointer_to_pointer, sizeof p);
    free(p);
}

void cc_fclose_ptr(FILE **f)
{
    if (*f)
        fclose(*f);
}

bool cc_parse_i64(const char *s, int64_t *ret)
{
    char *end;
    errno = 0;
    long long v = strtoll(s, &end, 10);
    if (errno || end == s || *end)
        return false;
    *ret = v;
    return true;
}

bool cc_parse_u64(const char *s, uint64_t *ret)
{
    static const struct {
        char letter;
        unsigned shift;
    } suffixes[] = {{'k', 10}, {'K', 10}, {'M', 20}, {'G', 30}};

    while (*s == ' ')
        s++;
    if (*s < '0' || *s > '9')
        return false;
    char *end;
    errno = 0;
    unsigned long long v = strtoull(s, &end, s[0] == '0' && (s[1] == 'x' || s[1] == 'X') ? 16 : 10);
    if (errno || end == s)
        return false;
    for (size_t i = 0; i < CC_COUNT(suffixes); i++) {
        if (*end != suffixes[i].letter)
            continue;
        if (v > UINT64_MAX >> suffixes[i].shift)
            return false;
        v <<= suffixes[i].shift;
        end++;
        break;
    }
    if (*end)
        return false;
    *ret = v;
    return true;
}

bool cc_parse_f64(const char *s, double *ret)
{
    char *end;
    errno = 0;
    double v = strtod(s, &end);
    if (end == s || *end || !isfinite(v) || (errno == ERANGE && fabs(v) > 1))
        return false;
    *ret = v;
    return true;
}

bool cc_parse_percent(const char *s, double *ret)
{
    size_t n = strlen(s);
    if (n && s[n - 1] == '%')
        for (n--; n && s[n - 1] == ' ';)
            n--;
    CC_CLEANUP(cc_free_ptr) char *number = cc_strndup(s, n);
    double v;
    if (!cc_parse_f64(number, &v))
        return false;
    *ret = v / 100;
    return true;
}

static size_t edit_distance(const char *a, const char *b)
{
    size_t row[128];
    size_t m = strlen(b);
    if (m >= CC_COUNT(row))
        return SIZE_MAX;
    for (size_t j = 0; j <= m; j++)
        row[j] = j;
    for (size_t i = 1; a[i - 1]; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            size_t shifted = CC_MIN(row[j], row[j - 1]) + 1;
            row[j] = CC_MIN(replaced, shifted);
        }
    }
    return row[m];
}

const char *cc_nearest(const char *word, const char *const *names, size_t n)
{
    const char *best = NULL;
    size_t limit = strlen(word) / 3 + 1;
    if (limit > 40) /* nobody meant that, and comparing takes its time */
        return NULL;
    for (size_t i = 0; i < n; i++) {
        size_t d = edit_distance(word, names[i]);
        if (d <= limit && d < strlen(names[i])) {
            best = names[i];
            if (d == 0)
                break;
            limit = d - 1;
        }
    }
    return best;
}

static char *human(double v, double step, const char *const *units, size_t n, char out[static 24])
{
    size_t i = 0;
    while (fabs(v) >= step * 0.9995 && i + 1 < n) {
        v /= step;
        i++;
    }
    const char *gap = *units[i] ? " " : "";
    if (i == 0)
        snprintf(out, 24, "%.*f%s%s", v == floor(v) ? 0 : 1, v, gap, units[i]);
    else
        snprintf(out, 24, "%.*f%s%s", fabs(v) < 9.995 ? 2 : fabs(v) < 99.95 ? 1 : 0, v, gap, units[i]);
    return out;
}

char *cc_human_count(double v, char out[static 24])
{
    static const char *const units[] = {"", "k", "M", "G", "T"};
    return human(v, 1000, units, CC_COUNT(units), out);
}

char *cc_human_bytes(double v, char out[static 24])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    return human(v, 1024, units, CC_COUNT(units), out);
}
