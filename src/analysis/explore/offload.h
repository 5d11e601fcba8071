/* What functions and loops of a recording would take on another unit of the chip: by the classes of their
 * instructions (../units), or as a block of logic by their source (../area). README.md has the rules. */
#ifndef CC_ANALYSIS_EXPLORE_OFFLOAD_H
#define CC_ANALYSIS_EXPLORE_OFFLOAD_H

#include "../area/cut_recording.h"
#include "../classes/classes.h"
#include "../units/units.h"

/* One kernel of a cut on one unit. */
struct cc_offload_kernel {
    const char *why;          /* it cannot go there; NULL: it can */
    double cores;             /* of the unit that it uses */
    double calls;             /* from software, if it goes there alone */
    double bytes;             /* that it then takes from software and gives to it, in the whole run */
    double low, middle, high; /* seconds of a call */
};

struct cc_offload_request {
    const struct cc_profile *p;
    const struct cc_cut_input *in;
    const struct cc_cut_problem *cut; /* nodes and edges of it; areas and a budget if the unit is logic */
    const bool *free;                 /* by kernel: it is a loop, and its iterations may run at once, */
    const bool *combines;             /* and combine results; */
    const double *trips;              /* how many there are in a call */
};

/* On a unit that runs instructions: a loop that is free on all its cores, anything else on one. GPUs and
 * vector units take only loops that are free. */
void cc_offload_unit(const struct cc_offload_request *rq, const struct cc_classes *classes,
                     const struct cc_unit *unit, struct cc_offload_kernel *ret, struct cc_arena *arena);
/* As logic: the cycles of measure `cycles` of the model, each of so many seconds. */
void cc_offload_logic(const struct cc_offload_request *rq, size_t cycles, double second,
                      struct cc_offload_kernel *ret, struct cc_arena *arena);

/* Whether the code of one is part of the other's, or runs when that is called; both of the same sources, with
 * their trees joined. */
bool cc_offload_holds(const struct cc_sources *s, const struct cc_source_function *outer,
                      const struct cc_source_function *inner);

#endif
