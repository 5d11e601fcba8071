/* The folder beside a recording's output: there the engine leaves its files, until they are a profile. It
 * holds all that is needed for that, so that a recording whose tool was killed can still become one
 * (`corecast salvage`). */
#ifndef CC_RUN_FOLDER_H
#define CC_RUN_FOLDER_H

#include "../base/err.h"
#include "../base/text.h"
#include "../../collect/options.h"

struct cc_folder {
    char *path; /* absolute */
    int lock;   /* held while somebody records into it or salvages it; -1: not */
};

/* OUTPUT.XXXXXX, and the run file in it, locked. */
int cc_folder_make(const char *output, struct cc_folder *ret, struct cc_err *err);
int cc_folder_tell(struct cc_folder *f, const struct cc_options *told, struct cc_err *err);
char *cc_folder_file(const struct cc_folder *f, const char *name); /* its path; owned */
/* How the program ended, as waitpid tells it. */
void cc_folder_ended(const struct cc_folder *f, int wait_status);

/* One that was left behind. Negative if it is none, or somebody is at work in it. The options' memory is
 * never given back. */
int cc_folder_open(const char *path, struct cc_folder *ret, struct cc_options *ret_told, struct cc_err *err);
/* How its program ended; false: nobody knows. */
bool cc_folder_status(const struct cc_folder *f, int *ret_wait_status);
/* One that an earlier recording of this output left; owned, NULL if there is none. */
char *cc_folder_left(const char *output);

/* The engine's records as profiles. */
struct cc_folder_take {
    const struct cc_options *told;
    const char *output;
    int wait_status;
    bool ended; /* the wait status is known */
    const char
        *reason; /* why the profile is incomplete, if there is more to say than how the program ended */
    struct cc_buf *problems;     /* gets what is wrong with marks; may be NULL */
    struct cc_import_left *left; /* gets what is in no record; may be NULL */
};
bool cc_folder_is_whole(const struct cc_folder *f); /* a whole snapshot is there */
int cc_folder_take(const struct cc_folder *f, const struct cc_folder_take *how, struct cc_err *err);
/* Those of forked children, beside the output as OUTPUT-PID.cast: how many. */
unsigned cc_folder_take_children(const struct cc_folder *f, const struct cc_folder_take *how);

void cc_folder_remove(struct cc_folder *f); /* with what is in it */
void cc_folder_close(struct cc_folder *f);  /* leaves it there */

#endif
