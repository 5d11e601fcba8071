/* A source file, preprocessed and then parsed in a process of its own, which may crash or take too much. */
#ifndef CC_CLI_SOURCE_CHILD_H
#define CC_CLI_SOURCE_CHILD_H

#include "../analysis/metrics/source.h"

typedef void cc_source_work(void *unit, FILE *out); /* unit: the struct cc_source_unit */

struct cc_source_answer {
    char *said;  /* by the preprocessor */
    char *bytes; /* that the work wrote */
    size_t size;
    int signal; /* that ended it; 0: none */
};

/* The name of the program; owned by the caller. */
char *cc_source_preprocessor(void);

struct cc_source_job {
    struct cc_source_unit unit; /* its text is freed once it has been parsed: of all files it might be much */
    struct cc_source_answer answer;
    struct cc_err err;
    int rc; /* negative: with err; a job that begins with one is passed over */
};
/* As many at a time as there are processors. A file that cannot be preprocessed is -CC_EINPUT; any other
 * failure ends it: jobs behind it have no answer. */
void cc_source_run_all(struct cc_source_job *jobs, size_t n, cc_source_work *fn);
/* One. */
int cc_source_run(struct cc_source_unit *unit, cc_source_work *fn, struct cc_source_answer *ret,
                  struct cc_err *err);
void cc_source_answer_fini(struct cc_source_answer *a);

#endif
