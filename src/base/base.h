/* Small things every layer uses: attributes, array size, allocation that cannot fail. */
#ifndef CC_BASE_BASE_H
#define CC_BASE_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "banned.h"

#define CC_PRINTF(fmt_at, args_at) __attribute__((format(printf, fmt_at, args_at)))
#define CC_CLEANUP(fn) __attribute__((cleanup(fn), unused)) /* unused: some only hold what is freed */
#define CC_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CC_MIN(a, b) ((a) < (b) ? (a) : (b))
#define CC_MAX(a, b) ((a) > (b) ? (a) : (b))

/* Running out of memory is the one failure no caller can handle: these print a line and end the process.
 * Sizes that come from input must be checked against a bound before they get here. */
void *cc_alloc(size_t size);                 /* zeroed */
void *cc_alloc_array(size_t n, size_t size); /* zeroed, overflow-checked */
void *cc_realloc_array(void *p, size_t n, size_t size);
char *cc_strdup(const char *s);
char *cc_strndup(const char *s, size_t n);
char *cc_asprintf(const char *fmt, ...) CC_PRINTF(1, 2);

void cc_free_ptr(void *pointer_to_pointer); /* for CC_CLEANUP on heap pointers */
void cc_fclose_ptr(FILE **f);

/* A growable array of any element type:
 *     CC_VEC(struct foo) foos = {0};  CC_VEC_PUSH(&foos, x);  foos.v[i], foos.n;  CC_VEC_FINI(&foos); */
#define CC_VEC(T)      \
    struct {           \
        T *v;          \
        size_t n, cap; \
    }
#define CC_VEC_RESERVE(vec, want)                                                 \
    do {                                                                          \
        if ((vec)->cap < (want)) {                                                \
            (vec)->cap = CC_MAX((size_t)(want), (vec)->cap * 2 + 8);              \
            (vec)->v = cc_realloc_array((vec)->v, (vec)->cap, sizeof(*(vec)->v)); \
        }                                                                         \
    } while (0)
#define CC_VEC_PUSH(vec, ...)                 \
    do {                                      \
        CC_VEC_RESERVE(vec, (vec)->n + 1);    \
        (vec)->v[(vec)->n++] = (__VA_ARGS__); \
    } while (0)
#define CC_VEC_FINI(vec) (free((vec)->v), (vec)->v = NULL, (vec)->n = (vec)->cap = 0)

/* i becomes the first of 0..n-1 for which `holds`, an expression of i, is true, n if it is for none. Binary:
 * it must be false for all before and true for all behind. */
#define CC_FIRST(i, n, holds)                               \
    do {                                                    \
        size_t first_low = 0, first_high = (n);             \
        while (first_low < first_high) {                    \
            (i) = first_low + (first_high - first_low) / 2; \
            if (holds)                                      \
                first_high = (i);                           \
            else                                            \
                first_low = (i) + 1;                        \
        }                                                   \
        (i) = first_low;                                    \
    } while (0)

/* Parse a whole string as a number; false when anything is left over or out of range. */
bool cc_parse_i64(const char *s, int64_t *ret);
bool cc_parse_u64(const char *s, uint64_t *ret);   /* accepts 0x and the suffixes k M G (powers of 1024) */
bool cc_parse_f64(const char *s, double *ret);     /* finite only */
bool cc_parse_percent(const char *s, double *ret); /* "5", "5%" and "5 %" give 0.05 */

/* Edit distance for "did you mean"; the nearest of `names` within a third of the word's length, or NULL. */
const char *cc_nearest(const char *word, const char *const *names, size_t n);

/* "1.2 M", "3.4 KiB": for people only, never for JSON. `out` is returned. */
char *cc_human_count(double v, char out[static 24]);
char *cc_human_bytes(double v, char out[static 24]);

#endif
