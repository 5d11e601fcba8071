/* Units of the chip beside the cores that plans are for, and what could go there. */
#ifndef CC_CLI_EXPLORE_DEVICES_H
#define CC_CLI_EXPLORE_DEVICES_H

#include "internal.h"
#include "../../analysis/area/cut_recording.h"
#include "../../analysis/explore/offload.h"

struct device {
    const struct cc_unit *unit;
    bool logic;
    const char *why; /* nothing can go there; NULL: something may */
    struct cc_cut_problem cut;
    struct cc_offload_kernel *kernels;
    double *seconds; /* of the cut: the middles */
    uint64_t able;
};

struct devices {
    const char *why; /* there is nothing to look at; NULL: there is */
    struct cc_sources *sources;
    struct cc_cut_input *in;
    struct cc_classes *classes;
    struct cc_unit *units;
    size_t nunits;
    const struct cc_unit *cpu; /* that plans are for */
    struct device *v;
    size_t n;
    uint32_t *loop; /* by kernel: of the list of loops; CC_NONE: it is none, or not known there */
    const struct cc_source_function **written; /* by loop of the list; NULL: not found in the source */
    uint64_t *apart;  /* by loop of the list: kernels that it is part of, or that are part of it */
    unsigned *effort; /* by kernel: lines */
    /* logic */
    const char *no_logic; /* why it cannot be estimated; NULL: it can */
    struct cc_area_model *model;
    struct cc_area_device *part;
    size_t *measure; /* of the cut -> of the model */
    size_t nmeasures, cycles;
    double *area, *budget;
    double cycle; /* seconds */
};

bool cc_explore_has_logic(const struct cc_platform *p);
/* x->devices; after the search. An error only if the user asked for something that is not there. */
int cc_explore_devices(struct exploration *x, struct cc_err *err);
void cc_explore_devices_fini(struct exploration *x);

/* moves.c: plans that use them, put among the others; nothing for a platform without other units. */
int cc_explore_moves(struct exploration *x, struct cc_err *err);
extern const struct cc_col cc_explore_move_cols[], cc_explore_area_cols[];
enum { CC_EXPLORE_MOVE_COLS = 14, CC_EXPLORE_AREA_COLS = 5 };
#define CC_EXPLORE_MOVE_COLUMNS                                                                   \
    {"unwritten", NULL, CC_COL_STR, .meaning = "why it is not only directives; null: it is"},     \
        {"moves", NULL, CC_COL_TABLE, .sub = cc_explore_move_cols, .nsub = CC_EXPLORE_MOVE_COLS}, \
    {                                                                                             \
        "area", NULL, CC_COL_TABLE, .sub = cc_explore_area_cols, .nsub = CC_EXPLORE_AREA_COLS     \
    }
void cc_explore_put_moves(struct exploration *x, struct cc_table *t, const struct cc_explore_plan *plan);
void cc_explore_show_moves(struct exploration *x, size_t plan, struct cc_result *r);
/* Hot functions and loops that cannot go to a unit, and why. */
void cc_explore_show_left(struct exploration *x, struct cc_result *r);
/* The loop of the list whose iterations a move shares out among cores or lanes; CC_NONE: none. */
uint32_t cc_explore_shared_there(const struct exploration *x, const struct cc_explore_move *m);
/* What of a plan holds a loop of the list; NULL: nothing. */
const struct cc_explore_move *cc_explore_moved(const struct exploration *x,
                                               const struct cc_explore_plan *plan, uint32_t loop);
/* Why none of them was looked at; NULL: they were, or there are none. */
const char *cc_explore_units_untried(const struct exploration *x);

#endif
