/* The figures of a set of recordings, thing by thing over its runs. */
#ifndef CC_ANALYSIS_GROWTH_SAMPLES_H
#define CC_ANALYSIS_GROWTH_SAMPLES_H

#include "law.h"
#include "../compare/subjects.h"
#include "../../base/ranks.h"
#include "../../profile/set.h"

/* One thing of the program, in all runs. */
struct cc_thing {
    enum cc_subject_kind kind;
    const char *name, *file;
    unsigned line;
    const char *ends[2];   /* of a stream: names of the functions; NULL: outside the program */
    double *y[CC_FIGURES]; /* [run]: 0 where a run does not have it; NULL: not known in some run */
};

struct cc_samples {
    struct cc_controls controls;
    const char **runs;              /* file of each */
    size_t nruns, skipped;          /* skipped: rows of the manifest without a whole recording */
    CC_VEC(struct cc_thing) things; /* by kind, heaviest first */
    CC_VEC(const char *) limits;    /* what keeps runs from being alike, as sentences */
    struct cc_arena arena;
};

/* The control variables of the runs that have a whole recording; run[i], with room for all: which of the
 * manifest. An error if they are too few for a law. */
int cc_controls_of_set(const struct cc_set *set, struct cc_arena *arena, size_t *run, struct cc_controls *ret,
                       struct cc_err *err);

/* Objects, classes and tasks are left out: the former have names with addresses or lines that vary. An error
 * names the file. ranks: the processes that read a share each; NULL: this one alone. */
int cc_samples_load(const struct cc_set *set, const struct cc_ranks *ranks, struct cc_samples **ret,
                    struct cc_err *err);
/* The frames of one recording instead of runs: streams between regions (functions, without regions) as each
 * frame reads them, and the regions' instructions. controls: a CSV file with a row a frame, in order or with
 * a column `frame` (1 is the first); NULL: the frame's number is the variable. */
int cc_samples_of_frames(const char *path, const char *controls, struct cc_samples **ret, struct cc_err *err);
void cc_samples_free(struct cc_samples *s);

#endif
