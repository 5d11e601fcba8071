/* Software complexity metrics of C functions, from source. metrics.def defines each; README.md explains them.
 */
#ifndef CC_ANALYSIS_METRICS_METRICS_H
#define CC_ANALYSIS_METRICS_METRICS_H

#include "source.h"
#include "../../base/map.h"

enum cc_metric {
#define CC_METRIC(key, unit, family, definition) CC_M_##key,
#include "metrics.def"
#undef CC_METRIC
    CC_METRIC_COUNT,
    CC_VALUE_COUNT = CC_METRIC_COUNT + 8 /* with what else explains a model's measures: its inputs */
};

struct cc_metric_info {
    const char *key, *unit, *family, *definition;
};
extern const struct cc_metric_info cc_metric_info[CC_METRIC_COUNT];
int cc_metric_find(const char *key); /* -1 if there is none */
/* Version of the definitions: tables and models carry it, and what was measured with another is said so. */
#define CC_METRIC_SET 2
/* The metrics a metric follows from; NULL if it is measured itself. */
const enum cc_metric *cc_metric_parts(enum cc_metric m, size_t *ret_n);
/* It counts DSP blocks that units would take, and says nothing of other measures. */
bool cc_metric_of_blocks(enum cc_metric m);
/* It is 1 or 0: whether there are units of a kind. */
bool cc_metric_is_presence(enum cc_metric m);
/* Fills those that follow from others. */
void cc_metrics_derive(double m[CC_METRIC_COUNT]);

/* Why a function cannot become hardware as it stands. */
enum cc_unfit {
    CC_UNFIT_RECURSION,
    CC_UNFIT_ALLOCATION,
    CC_UNFIT_INDIRECT_CALL,
    CC_UNFIT_IO,
    CC_UNFIT_VARARGS,
    CC_UNFIT_JUMP, /* setjmp, computed goto, exceptions */
    CC_UNFIT_ASM,
    CC_UNFIT_SYSTEM,   /* process, threads, time: needs an operating system */
    CC_UNFIT_EXTERNAL, /* calls a function whose source was not given */
    CC_UNFIT_COUNT
};
const char *cc_unfit_name(enum cc_unfit kind); /* "recursion" */

struct cc_unfit_reason {
    enum cc_unfit kind;
    unsigned line;
    const char *detail; /* the function called, the way of the recursion; "" if none */
};

struct cc_source_call {
    const char *usr, *name;
    unsigned line;
    bool system; /* declared in a system header */
};

struct cc_source_function {
    const char *name, *usr, *file;
    unsigned line, last_line;
    const char *of;      /* a loop: the usr of the function it stands in; NULL: a function */
    unsigned test_line;  /* a loop: where its test is written */
    const char *refused; /* why it was not measured, NULL if it was */
    unsigned refused_line;
    unsigned untold; /* loops, of its tree once trees are joined, whose trips are a guess */
    double m[CC_METRIC_COUNT];
    const double *inputs;         /* of a table, one an input of the model; NaN: not told; NULL: none is */
    struct cc_source_call *calls; /* by name, one an occurrence */
    size_t ncalls;
    struct cc_unfit_reason *unfit;
    size_t nunfit;
    size_t nown_unfit; /* of those: its own, once trees are joined */
    uint32_t *tree;    /* functions in its tree, itself first, once trees are joined */
    size_t ntree;
};

struct cc_source_message {
    const char *file;
    unsigned line;
    const char *text;
};

struct cc_sources {
    CC_VEC(struct cc_source_function) functions; /* in the order of the files, then of the lines */
    CC_VEC(struct cc_source_message) messages;
    size_t files, failed; /* files given; those nothing could be read from */
    struct cc_arena arena;
    struct cc_strmap seen; /* functions, by file, line and name */
};

struct cc_sources *cc_sources_new(void);
void cc_sources_free(struct cc_sources *s);

/* The file cannot be read or preprocessed. */
void cc_sources_fail(struct cc_sources *s, const char *path, const struct cc_err *why);
/* What became of a file: what the preprocessor said, what cc_source_measure wrote and the signal that ended
 * it early, 0 if none. */
struct cc_source_outcome {
    char *said;
    const char *bytes;
    size_t size;
    int signal;
};
void cc_sources_add(struct cc_sources *s, const struct cc_source_unit *unit,
                    const struct cc_source_outcome *outcome);
/* reach.c: fills tree_functions. */
void cc_sources_count_trees(struct cc_sources *s);
/* Every function's metrics become those of all it reaches by calls, each once: counts are added, sizes of one
 * place (depths, ports, chains) are the largest, the signature is its own. What keeps a callee from being
 * hardware keeps it too.
 */
void cc_sources_join_trees(struct cc_sources *s);
/* Metrics of this set as an earlier one defined them, as far as they follow from each other. */
void cc_metrics_as_set(double m[CC_METRIC_COUNT], int set);

/* As if every loop's body stood n times and ran an n-th as often; a function without loops stays. Statements
 * outside loops are multiplied too: the metrics do not tell them apart. */
void cc_metrics_unroll(double m[CC_METRIC_COUNT], double n);
/* As if an iteration began as soon as the memories have ports for it (two each): chains of operations overlap
 * with those of other iterations, and only that interval counts. Values carried from one iteration to the
 * next are not looked at. A function without loops stays. */
void cc_metrics_pipeline(double m[CC_METRIC_COUNT]);

/* After the last file: metrics that need all functions (fan-in), recursion, calls out of the source given. */
void cc_sources_finish(struct cc_sources *s);

#endif
