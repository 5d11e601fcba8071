/* Sets of addresses: which took part in which stream. A hash table whose entries hold 64 addresses of one
 * stream each; those of 256 neighbouring addresses lie in one cache line. */
#ifndef CC_COLLECT_MARKS_H
#define CC_COLLECT_MARKS_H

#include "cell.h"
#include "host.h"

struct cc_marks {
    struct cc_marked {
        uint64_t key;  /* line << 22 | number; 0: empty */
        uint64_t bits; /* addresses of the line */
    } * v;
    size_t groups; /* of four entries, a power of two */
    size_t n[4];   /* entries in each of the four places */
};

enum {
    CC_MARKS_LINE = 6,
    CC_MARKS_NUMBERS = 22, /* bits of a number in one table */
};

static inline uint64_t cc_line_of(uint64_t a)
{
    return (a & ((UINT64_C(1) << CC_ADDRESS_BITS) - 1)) >> CC_MARKS_LINE;
}

/* The entry of a line and a number from 1 to 2^22 - 1, made if need be. Entries move when the table grows:
 * *moved is set then. */
struct cc_marked *cc_marks_find(struct cc_marks *m, const struct cc_host *host, uint64_t key, int *moved);
void cc_marks_fini(struct cc_marks *m, const struct cc_host *host);

#endif
