/* Units of the chip beside the cores that plans are for: what could go there, and plans that move it.
 * README.md has the rules. */
#ifndef CC_ANALYSIS_EXPLORE_DEVICES_H
#define CC_ANALYSIS_EXPLORE_DEVICES_H

#include "explore.h"
#include "offload.h"

struct cc_device {
    const struct cc_unit *unit;
    bool logic;
    const char *why; /* nothing can go there; NULL: something may */
    struct cc_cut_problem cut;
    struct cc_offload_kernel *kernels;
    double *seconds; /* of the cut: the middles */
    uint64_t able;
};

struct cc_device_budget { /* of logic */
    const char *text;     /* as the user wrote it */
    const char *measure;
    double amount;
    bool percent; /* of what the device has */
};

struct cc_devices {
    const char *why; /* there is nothing to look at; NULL: there is */
    struct cc_unit *units;
    size_t nunits;
    const struct cc_unit *cpu;   /* that plans are for */
    const struct cc_unit *logic; /* the first that is programmable; NULL: none is */
    /* from the caller, between open and build */
    struct cc_sources *sources; /* measured, with their trees joined */
    struct cc_area_model *model;
    struct cc_area_device *part;
    const char *no_logic; /* why there is no model or part; NULL: there are, or no unit is logic */
    const struct cc_device_budget *budgets;
    size_t nbudgets;
    /* Why the user does not want a function or loop moved; NULL: he does. May be NULL. */
    const char *(*unwanted)(void *data, const struct cc_source_function *f);
    void *data;
    /* from build */
    struct cc_cut_input *in;
    struct cc_classes *classes;
    struct cc_device *v;
    size_t n;
    uint32_t *loop; /* by kernel: of the list of loops; CC_NONE: it is none, or not known there */
    const struct cc_source_function **written; /* by loop of the list; NULL: not found in the source */
    uint64_t *apart;  /* by loop of the list: kernels that it is part of, or that are part of it */
    unsigned *effort; /* by kernel: lines */
    size_t *measure;  /* of the cut -> of the model */
    size_t nmeasures, cycles;
    double *area, *budget;
    double cycle; /* of logic, in seconds */
};

/* After a search, of a zeroed one: units, and whether there is anything to look at. */
int cc_devices_open(const struct cc_explore_request *rq, const struct cc_explore_result *r,
                    struct cc_devices *d, struct cc_err *err);
/* What could go where. Texts and tables are the result's. */
int cc_devices_build(const struct cc_explore_request *rq, struct cc_explore_result *r, struct cc_devices *d,
                     struct cc_err *err);
/* moves.c: plans that use them, put among the others. */
int cc_devices_plans(const struct cc_explore_request *rq, struct cc_explore_result *r,
                     const struct cc_devices *d, struct cc_err *err);
void cc_devices_fini(struct cc_devices *d);

/* The loop of the list whose iterations a move shares out among cores or lanes; CC_NONE: none. */
uint32_t cc_devices_shared(const struct cc_devices *d, const struct cc_explore_move *m);
/* What of a plan holds a loop of the list; NULL: nothing. */
const struct cc_explore_move *cc_devices_moved(const struct cc_devices *d, const struct cc_explore_plan *plan,
                                               uint32_t loop);
/* What the blocks of a plan take of a measure (of `measure`), and an interval: errors of kernels are
 * independent. */
struct cc_devices_area {
    double value, low, high;
};
struct cc_devices_area cc_devices_area(const struct cc_devices *d, const struct cc_explore_plan *plan,
                                       size_t measure);
/* Whether a kernel lies inside another. */
bool cc_devices_is_inner(const struct cc_devices *d, uint32_t kernel);

#endif
