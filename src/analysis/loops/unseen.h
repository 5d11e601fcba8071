/* Recordings of an engine that follows memory and sees neither registers nor what code computes: QEMU's. What
 * flows through memory is a fact all the same; nothing is ever called free. */
#ifndef CC_ANALYSIS_LOOPS_UNSEEN_H
#define CC_ANALYSIS_LOOPS_UNSEEN_H

#include "../../profile/profile.h"

/* Whether registers were not analysed. */
bool cc_unseen(const struct cc_profile *p);
/* Which instructions read a place and then write it. */
struct cc_unseen_code;
struct cc_unseen_code *cc_unseen_new(const struct cc_profile *p);
void cc_unseen_free(struct cc_unseen_code *u);
/* Whether what flows goes through a place that iterations read and then write, each after the other: a
 * counter, a sum, or what is computed from its own last value. Only the code could tell which. */
bool cc_unseen_update(const struct cc_unseen_code *u, const struct cc_pdependence *d);

#endif
