/* How much of the machine others have while we measure: what they take is no error of a prediction. */
#ifndef CC_RUN_OTHERS_H
#define CC_RUN_OTHERS_H

struct cc_others {
    double when, busy; /* seconds: the clock's, and those that all CPUs have been at work for anybody */
    double own;        /* of this process and its children that have ended */
};

void cc_others_begin(struct cc_others *o);
/* Since then, the share of all CPUs' time that others had: other processes, and a host that took CPUs away.
 * NAN where the system does not tell, or too little time went by. */
double cc_others_share(const struct cc_others *o);

#endif
