/* Whether tasks fit onto the cores of their units, each within its window and after what it needs: what
 * bounds that treat work as fluid do not see. Which cores of its unit a task takes, and how many, is open. */
#ifndef CC_ANALYSIS_MAPPING_PACKING_H
#define CC_ANALYSIS_MAPPING_PACKING_H

#include "decode.h"

enum { CC_PACKING_CORES = 8, CC_PACKING_UNITS = 16, CC_PACKING_MODES = 8 };

struct packing_task {
    size_t unit;
    double head, tail; /* starts no earlier; as much must follow its end */
    size_t nmodes;
    struct packing_mode {
        uint32_t cores;
        double time;
    } mode[CC_PACKING_MODES];
    double area;     /* least time x cores */
    uint64_t before; /* tasks that end before it starts, one bit each: only earlier ones */
};

struct packing;
struct packing *cc_mapping_packing_new(const uint32_t *unit_cores, size_t units);
void cc_mapping_packing_free(struct packing *p);
/* The task at place `at`, to be filled in; `lag` is the least time between the end of another and its start.
 */
struct packing_task *cc_mapping_packing_task(struct packing *p, size_t at);
void cc_mapping_packing_after(struct packing *p, size_t task, size_t other, double lag);
/* False if the first n tasks cannot all end in time; true if they can, or if `budget` steps did not tell.
 * Adds to *steps. */
bool cc_mapping_packs(struct packing *p, size_t n, double limit, uint64_t budget, uint64_t *steps);

#endif
