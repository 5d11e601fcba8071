/* Several processes of the tool that mpirun started, on one machine or many. Each takes its share of work
 * that is listed in the same order by all, and all get all results: what they compute from these is the same,
 * bit for bit, as one process would. Open MPI is loaded only then. */
#ifndef CC_BASE_RANKS_H
#define CC_BASE_RANKS_H

#include "err.h"

struct cc_ranks;

/* *ret is NULL if there is but one. */
int cc_ranks_open(struct cc_ranks **ret, struct cc_err *err);
/* Waits for the others; NULL is legal. */
void cc_ranks_close(struct cc_ranks *r);

unsigned cc_ranks_own(const struct cc_ranks *r);   /* 0 for NULL */
unsigned cc_ranks_count(const struct cc_ranks *r); /* 1 for NULL */
/* How many of them share this machine; 1 for NULL. */
unsigned cc_ranks_here(const struct cc_ranks *r);

/* Threads for each, so that those of one machine share its processors; 0 for NULL: as many as it has. */
unsigned cc_ranks_threads(const struct cc_ranks *r);

static inline bool cc_ranks_mine(const struct cc_ranks *r, size_t item)
{
    return item % cc_ranks_count(r) == cc_ranks_own(r);
}

/* Every process has some of the values, the others are -INFINITY in it: afterwards all have all. No NaN. A
 * process that has nothing to say takes part all the same. */
void cc_ranks_join(const struct cc_ranks *r, double *v, size_t n);
/* What the process `from` has, told to all; owned. *size: of it, as `from` says. All call it, with the same
 * `from`; v is of no use in the others. */
void *cc_ranks_tell(const struct cc_ranks *r, unsigned from, const void *v, size_t *size);
/* Whether all have come here without an error (rc is 0 or negative, err is never NULL): the error of the
 * first that has one, for all. */
int cc_ranks_agree(const struct cc_ranks *r, int rc, struct cc_err *err);

#endif
