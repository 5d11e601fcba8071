#ifndef CC_CLI_SIMULATE_PROGRAMS_H
#define CC_CLI_SIMULATE_PROGRAMS_H

#include "../command.h"
#include "../../run/simulate.h"

struct cc_programs {
    struct cc_simulate_program v[CC_SIM_PROGRAMS];
    size_t n;
    const char **words; /* what their argv point into */
};

/* The words of the command line, with "--" between programs, and a list of cores for each: "0-3,8". Without
 * lists the cores are dealt out in equal parts. */
int cc_programs_read(const struct cc_strs *operands, const struct cc_strs *bind, unsigned cores,
                     struct cc_programs *ret, struct cc_err *err);
void cc_programs_fini(struct cc_programs *p);

#endif
