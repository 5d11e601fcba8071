/* How much of the machine others have while we measure: what they take is no error of a prediction. */
#ifndef CC_RUN_OTHERS_H
#define CC_RUN_OTHERS_H

#include <stdint.h>

struct cc_others {            /* seconds */
    double when;              /* by the clock */
    double all, busy, stolen; /* that all CPUs had, were at work for anybody, and were kept by a host */
    double own;               /* of this process and its children that have ended */
};

void cc_others_begin(struct cc_others *o);
/* Since then, the share of all CPUs' time that others had: other processes, and a host that took CPUs away.
 * NAN where the system does not tell, or too little time went by. */
double cc_others_share(const struct cc_others *o);
/* The part of it that a host took for its other guests; 0 where it does not tell. */
double cc_others_stolen(const struct cc_others *o);
/* Bytes that programs can have without others having to give way; 0 where the system does not tell. */
uint64_t cc_others_leave_memory(void);

#endif
