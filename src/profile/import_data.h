/* From the records of data objects to the tables of a profile: places in frames become variables, sites get
 * their lines. */
#ifndef CC_PROFILE_IMPORT_DATA_H
#define CC_PROFILE_IMPORT_DATA_H

#include "records.h"
#include "store.h"
#include "../binary/symbols.h"
#include "../base/arena.h"

/* What the records refer to; owned by the import. */
struct cc_data_context {
    const char *const *paths; /* of ELF files */
    const bool *programs;     /* which of them are the program's */
    size_t nobjects;
    const struct cc_rec_function *functions;
    size_t nfunctions;
};

struct cc_data_group {
    struct cc_rec_data rec;
    const char *name; /* NULL: none in the record */
};

struct cc_data_import {
    struct cc_arena arena;
    CC_VEC(struct cc_data_group) groups;
    CC_VEC(struct cc_rec_data_frame) frames;
    CC_VEC(struct cc_rec_data_access) accesses;
    CC_VEC(struct cc_rec_data_slot) slots;
};

/* One record of the four kinds; false: damaged. */
bool cc_data_take(struct cc_data_import *d, const struct cc_records *in, size_t nobjects, size_t nfunctions,
                  size_t nthreads);
int cc_data_put(struct cc_data_import *d, const struct cc_data_context *x, struct cc_symbols *symbols,
                struct cc_store *out, struct cc_err *err);
void cc_data_import_fini(struct cc_data_import *d);

#endif
