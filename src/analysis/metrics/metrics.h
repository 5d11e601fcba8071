/* Software complexity metrics of C functions, from source. metrics.def defines each; README.md explains them.
 */
#ifndef CC_ANALYSIS_METRICS_METRICS_H
#define CC_ANALYSIS_METRICS_METRICS_H

#include "../../base/arena.h"
#include "../../base/err.h"
#include "../../base/opt.h"
#include "../../base/table.h"

enum cc_metric {
#define CC_METRIC(key, unit, family, definition) CC_M_##key,
#include "metrics.def"
#undef CC_METRIC
    CC_METRIC_COUNT
};

struct cc_metric_info {
    const char *key, *unit, *family, *definition;
};
extern const struct cc_metric_info cc_metric_info[CC_METRIC_COUNT];
int cc_metric_find(const char *key); /* -1 if there is none */

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
    const char *refused; /* why it was not measured, NULL if it was */
    unsigned refused_line;
    double m[CC_METRIC_COUNT];
    struct cc_source_call *calls; /* by name, one an occurrence */
    size_t ncalls;
    struct cc_unfit_reason *unfit;
    size_t nunfit;
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
};

struct cc_sources_options {
    const struct cc_strs *flags;  /* of the compiler, for every file; may be NULL */
    const char *compile_commands; /* file or folder; NULL: none */
    const char *preprocessor;     /* NULL: $CORECAST_CPP, else the clang of libclang's version, else clang */
};

/* Measures every function of the files. A file that cannot be read or parsed becomes a message and counts as
 * failed; only a mistake in the options is an error. Each file is parsed in a process of its own, so that
 * source which crashes the parser costs that file alone. */
int cc_sources_measure(const struct cc_strs *files, const struct cc_sources_options *options,
                       struct cc_sources **ret, struct cc_err *err);
void cc_sources_free(struct cc_sources *s);

#endif
