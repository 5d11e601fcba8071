/* What costs less or is faster than all others: the front of cost against time. */
#ifndef CC_ANALYSIS_EXPLORE_FRONT_H
#define CC_ANALYSIS_EXPLORE_FRONT_H

#include "../../base/base.h"

struct cc_front_point {
    double cost, time;
    bool front; /* out: no other one costs no more and takes less, or costs less and takes no more */
};

/* Of equal ones the first is on the front. NaN is never on it. */
void cc_front(struct cc_front_point *v, size_t n);
/* The cheapest that takes no more than `time`, of these the fastest; n: none does. */
size_t cc_front_reach(const struct cc_front_point *v, size_t n, double time);

#endif
