/* Which of the candidates to take: the set with the largest gain, of which none runs inside another, within
 * a number of lines. */
#ifndef CC_ANALYSIS_EXPLORE_CHOOSE_H
#define CC_ANALYSIS_EXPLORE_CHOOSE_H

#include "../../base/base.h"

enum { CC_CHOOSE_MAX_LINES = 64 };

struct cc_choose_item {
    double gain;    /* what is not above 0 is never taken */
    unsigned lines; /* at least 1 */
};

struct cc_choose_problem {
    const struct cc_choose_item *items;
    size_t n;
    /* n rows of cc_choose_words(n) words: bit a of row i is set if item a ever runs around item i */
    const uint64_t *above;
    unsigned lines; /* that may be spent, at most CC_CHOOSE_MAX_LINES */
};

struct cc_choose_answer {
    bool *taken; /* n, the caller's */
    double gain;
    double bound; /* no set within the lines gains more */
    bool proven;  /* gain is the bound */
};

static inline size_t cc_choose_words(size_t n)
{
    return (n + 63) / 64;
}

static inline bool cc_choose_above(const struct cc_choose_problem *p, size_t i, size_t a)
{
    return p->above[i * cc_choose_words(p->n) + a / 64] >> (a % 64) & 1;
}

void cc_choose(const struct cc_choose_problem *p, struct cc_choose_answer *ret);

#endif
