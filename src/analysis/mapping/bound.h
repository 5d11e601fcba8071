/* What can be said about all mappings that pick from given sets of options: used by the search and for lower
 * bounds. */
#ifndef CC_ANALYSIS_MAPPING_BOUND_H
#define CC_ANALYSIS_MAPPING_BOUND_H

#include "decode.h"
#include "packing.h"

enum { CC_MAPPING_WAYS = 8 };

#define EACH_OPTION(bits, o, base)                                                                \
    for (uint64_t rest_ = (bits); rest_ && ((o) = (base) + (size_t)__builtin_ctzll(rest_), true); \
         rest_ &= rest_ - 1)

struct bounder {
    const struct model *x;
    bool energetic; /* some option or edge costs energy */
    double *ready;  /* [task * m + unit]: earliest start there */
    double *done;   /* [task * m + unit]: earliest end there, INFINITY if it has no option there */
    double *tail;   /* [task * m + unit]: what follows its end, at least */
    double lambda[CC_MAP_MAX_UNITS]; /* weights of the units in the bound on volume; kept from node to node */
    double gap, room; /* of the last bound on volume: weighted load less weighted windows, and the windows */
    struct unit_task *scratch;
    /* Ways through the graph that bound the time beside the volume, where tasks can trade one for the other:
     * on more cores they take less time and more work. Their weights are kept from node to node, too. */
    struct way {
        uint32_t *task;
        size_t n;
        double mu, room; /* weight; the time that transfers on it leave */
    } way[CC_MAPPING_WAYS];
    size_t nways;
    bool trade;        /* some task has options with different loads and times on one unit */
    double *weight;    /* of each task's time: the sum of its ways' */
    double *longest;   /* scratch of the longest way */
    double *least_way; /* [edge]: the least its transfer may take */
    size_t *chosen, *from;
    /* Tasks bound to units have to be packed onto their cores. */
    struct packing *packing; /* NULL: not tried */
    double
        *lag; /* [from][unit][to][unit]: from the end of the one to the start of the other; < 0: unrelated */
    uint64_t packing_steps; /* since the bounder was made */
};

void cc_mapping_bounder_init(struct bounder *b, const struct model *x);
void cc_mapping_bounder_fini(struct bounder *b);

/* Sets of options, one bit each, for every task. Removes what cannot be part of a mapping that ends by
 * `limit` (or has a period of at most `limit`); false if some task is left with nothing or the rest cannot
 * fit. `thorough` spends more on the bound on volume. */
bool cc_mapping_bound_filter(struct bounder *b, uint64_t *options, double limit, bool thorough);
/* Parts of it: false if what is bound to units cannot be placed on their cores. */
void cc_mapping_bound_packing_init(struct bounder *b);
bool cc_mapping_bound_packs(struct bounder *b, const uint64_t *options, double limit);
/* Energy of the cheapest choice from the sets, each task and each edge on its own. */
double cc_mapping_bound_energy(const struct bounder *b, const uint64_t *options);
/* What an option costs under the weights: its load, and its time if its task is on a way. */
double cc_mapping_bound_weighed(const struct bounder *b, size_t task, size_t o);
/* Units a task may still go to, one bit each. */
uint64_t cc_mapping_bound_units(const struct model *x, size_t task, uint64_t options);

#endif
