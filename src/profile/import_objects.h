/* From the records of data objects to the tables of a profile: places in stack frames become variables, sites
 * get their lines. */
#ifndef CC_PROFILE_IMPORT_OBJECTS_H
#define CC_PROFILE_IMPORT_OBJECTS_H

#include "records.h"
#include "store.h"
#include "../binary/symbols.h"
#include "../base/arena.h"

/* What the records refer to; owned by the import. */
struct cc_objects_context {
    const char *const *paths; /* of ELF files */
    const bool *programs;     /* which of them are the program's */
    size_t nbinaries;
    const struct cc_rec_function *functions;
    size_t nfunctions;
};

struct cc_objects_group {
    struct cc_rec_object rec;
    const char *name; /* NULL: none in the record */
};

struct cc_objects_import {
    struct cc_arena arena;
    CC_VEC(struct cc_objects_group) groups;
    CC_VEC(struct cc_rec_object_site) sites;
    CC_VEC(struct cc_rec_object_access) accesses;
    CC_VEC(struct cc_rec_object_slot) slots;
};

/* One record of the four kinds; false: damaged. */
bool cc_objects_take(struct cc_objects_import *d, const struct cc_records *in, size_t nbinaries,
                     size_t nfunctions, size_t nthreads);
int cc_objects_put(struct cc_objects_import *d, const struct cc_objects_context *x,
                   struct cc_symbols *symbols, struct cc_store *out, struct cc_err *err);
void cc_objects_import_fini(struct cc_objects_import *d);

#endif
