/* The machine that a platform file describes, for the simulator. */
#ifndef CC_PLATFORM_MACHINE_H
#define CC_PLATFORM_MACHINE_H

#include "../base/err.h"
#include "platform.h"
#include "../../sim/sim.h"

/* With this many cores; 0: as many as it says. */
int cc_machine_of(const struct cc_platform *p, unsigned cores, struct cc_sim_config *ret, struct cc_err *err);

#endif
