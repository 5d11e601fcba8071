/* Sets of addresses: which took part in which stream. A hash table of bitmaps, each of 512 addresses of one
 * stream. */
#ifndef CC_COLLECT_MARKS_H
#define CC_COLLECT_MARKS_H

#include "cell.h"
#include "host.h"

struct cc_marked {
    uint64_t key; /* page | number << 40; 0: empty */
    uint64_t *bits;
};

struct cc_marks {
    struct cc_marked *v;
    size_t n, cap;                /* cap: a power of two */
    struct cc_mark_block *blocks; /* the bitmaps; the newest */
};

enum { CC_MARKS_PAGE = 9, CC_MARKS_WORDS = (1 << CC_MARKS_PAGE) / 64, CC_NUMBER_SHIFT = 40 };

static inline uint64_t cc_page_of(uint64_t a)
{
    return (a & ((UINT64_C(1) << CC_ADDRESS_BITS) - 1)) >> CC_MARKS_PAGE;
}

/* 64 units of 1, 2, 4 or 8 bytes: their number << 3 | log2 of the unit << 1 | 1, so that it is never 0. */
static inline uint64_t cc_place_with(uint64_t a, uint32_t unit)
{
    return (a & ((UINT64_C(1) << CC_ADDRESS_BITS) - 1)) >> (6 + unit) << 3 | unit << 1 | 1;
}

static inline uint32_t cc_place_unit(uint64_t place)
{
    return place >> 1 & 3;
}

/* The bitmap of that key; NULL: there is none. */
uint64_t *cc_marks_at(const struct cc_marks *m, uint64_t key);
/* The bitmap of that key, made if need be; it stays where it is. */
uint64_t *cc_marks_find(struct cc_marks *m, const struct cc_host *host, uint64_t key);
typedef void cc_marked_function(void *self, uint64_t key, uint64_t *bits);
void cc_marks_all(const struct cc_marks *m, cc_marked_function *visit, void *self);
/* None are in it any more; what it needs for some is kept. */
void cc_marks_empty(struct cc_marks *m, const struct cc_host *host);
void cc_marks_fini(struct cc_marks *m, const struct cc_host *host);

#endif
