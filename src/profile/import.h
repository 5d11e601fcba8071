/* From the records an engine left behind to a sealed .cast file. */
#ifndef CC_PROFILE_IMPORT_H
#define CC_PROFILE_IMPORT_H

#include "channels.h"
#include "../base/text.h"

/* What the program did that is in no record. */
struct cc_import_left {
    bool replaced; /* it became another program (exec), unless that failed */
    bool forked;   /* it made processes */
};

/* What whoever ran the program knows about the run; strings are borrowed. */
struct cc_import_run {
    const char *program;
    const char *const *arguments; /* without the program itself */
    size_t narguments;
    const char *engine;
    int exit_code;   /* negative: it did not exit by itself, or nobody knows */
    int exit_signal; /* 0: none */
    bool complete; /* a snapshot that is not the final one makes the profile incomplete whatever this says */
    const struct cc_channel_names *channels; /* that were asked for; NULL: none */
    const char *reason;                      /* why it is incomplete; NULL: a general one is given */
    const char *tasks;                       /* the file of task events beside the records; NULL: none */
    struct cc_buf *problems;     /* gets a line for each thing wrong with marks; NULL: not wanted */
    struct cc_import_left *left; /* gets what is not there; NULL: not wanted */
    bool skip_sync;              /* for tests: see cc_store_skip_sync */
};

/* `record_files`: one file, or two that an engine wrote in turn. The newest whole snapshot is used: a final
 * one before any other, then the one with more instructions. Files that are absent, cut or damaged are
 * passed over as long as one is whole. `out_path` is replaced only by a whole profile. */
int cc_import(const char *const *record_files, size_t n, const struct cc_import_run *run,
              const char *out_path, struct cc_err *err);

#endif
