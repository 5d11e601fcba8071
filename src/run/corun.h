/* Co-runs: how much slower each task gets when copies of the program share the machine. */
#ifndef CC_RUN_CORUN_H
#define CC_RUN_CORUN_H

#include "copies.h"
#include "native.h"

/* Runs them, slowdowns to the profile. ns: how long the program takes alone; cpu_share is lowered to the
 * least seen; note: what the user should know, "" if nothing. */
int cc_corun(const struct session *s, const struct cc_native_options *o, double ns, struct cc_tasks_writer *w,
             double *cpu_share, char note[static 256], struct cc_err *err);

#endif
