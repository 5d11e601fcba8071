/* One loop over the numbers below n, run by several threads: the only place that starts threads to compute
 * with. */
#ifndef CC_BASE_PARALLEL_H
#define CC_BASE_PARALLEL_H

#include "base.h"

struct cc_parallel;

/* Each thread calls this once; what it needs for itself lives on its stack. It takes numbers with
 * cc_parallel_next until there is none. */
typedef void cc_parallel_work(struct cc_parallel *p, void *arg);

/* Runs `work` on `threads` threads (0: as many as processors), the calling one among them, never more than n.
 * If the system makes fewer, those that there are do all the work; returns how many are missing. */
unsigned cc_parallel_run(size_t n, unsigned threads, cc_parallel_work *work, void *arg);

unsigned cc_processors(void); /* that are there, at least 1 */

/* The next number that no thread has had, in rising order; false when all are taken or one called stop. */
bool cc_parallel_next(struct cc_parallel *p, size_t *ret);
void cc_parallel_stop(struct cc_parallel *p);

/* For results the threads share. */
void cc_parallel_lock(struct cc_parallel *p);
void cc_parallel_unlock(struct cc_parallel *p);

#endif
