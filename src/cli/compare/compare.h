/* The parts of `corecast compare`. */
#ifndef CC_CLI_COMPARE_COMPARE_H
#define CC_CLI_COMPARE_COMPARE_H

#include "../output.h"
#include "../../analysis/compare/condition.h"

/* A condition that held, and of what. */
struct cc_broken {
    const struct cc_condition *condition;
    const struct cc_difference *d;
};

struct cc_verdicts {
    const struct cc_comparison *c;
    struct cc_condition *conditions;
    size_t nconditions;
    CC_VEC(struct cc_broken) broken; /* by condition, then largest change first */
};

struct cc_compare_shown {
    size_t top;       /* rows of a table in text */
    double min_share; /* of a kind's first figure: lighter things are left out */
    bool all;         /* also what did not change */
    int only;         /* a kind; -1: all */
    size_t most;      /* rows of a table in data; 0: all */
};

void cc_compare_result(const struct cc_verdicts *v, const struct cc_compare_shown *how, struct cc_result *r);
void cc_compare_chart(const struct cc_comparison *c, const struct cc_compare_shown *how, struct cc_buf *svg);
bool cc_compare_shows(const struct cc_compare_shown *how, const struct cc_difference *d);
char *cc_compare_sentence(const struct cc_broken *b); /* owned */

/* What the command prints of two recordings, for whoever wants it as data; owned by the caller. At most so
 * many rows of a kind, 0: all. */
int cc_compare_of(const char *a, const char *b, size_t most, struct cc_result **ret, struct cc_err *err);

/* For CI: what was asked and what became of it. */
int cc_compare_sarif(const struct cc_verdicts *v, const char *path, struct cc_err *err);
int cc_compare_junit(const struct cc_verdicts *v, const char *path, struct cc_err *err);

#endif
