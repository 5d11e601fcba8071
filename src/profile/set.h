/* A set of recordings of one program over inputs and parameters: a folder with a profile a run and
 * manifest.csv, a row a run: the profile's file, what became of the run, and the value of each control
 * variable. People may add columns of their own: every column but the first two is a variable. */
#ifndef CC_PROFILE_SET_H
#define CC_PROFILE_SET_H

#include "../base/arena.h"
#include "../base/err.h"

#define CC_SET_MANIFEST "manifest.csv"
#define CC_SET_OK "ok" /* the status of a run whose profile is there, whole */

enum { CC_SET_MAX_RUNS = 100000, CC_SET_MAX_VARIABLES = 64 };

struct cc_set_run {
    const char *file;    /* in the folder; "" if there is none */
    const char *status;  /* CC_SET_OK, or a few words; "" before it ran */
    const char **values; /* of each variable, as text */
};

struct cc_set {
    const char *folder;
    const char *command; /* the program and its arguments with {variables}; NULL: not told */
    const char **variables;
    size_t nvariables;
    CC_VEC(struct cc_set_run) runs;
    struct cc_arena arena;
};

struct cc_set *cc_set_new(const char *folder);
bool cc_is_set(const char *path); /* it looks like one: a folder, or a manifest */
/* `path`: the folder, or its manifest. Damage is an error with file and line. */
int cc_set_load(const char *path, struct cc_set **ret, struct cc_err *err);
/* Writes the manifest, whole or not at all. */
int cc_set_save(const struct cc_set *s, struct cc_err *err);
void cc_set_free(struct cc_set *s);

/* The run with these values of the first n variables; NULL: there is none. */
struct cc_set_run *cc_set_find(struct cc_set *s, const char *const *values, size_t n);
/* The path of a run's profile; owned. */
char *cc_set_path(const struct cc_set *s, const struct cc_set_run *r);

#endif
