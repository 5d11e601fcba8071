/* From the records of data objects to the tables of a profile: places in stack frames become variables, sites
 * get their lines. */
#ifndef CC_PROFILE_IMPORT_OBJECTS_H
#define CC_PROFILE_IMPORT_OBJECTS_H

#include "records.h"
#include "writer.h"
#include "../binary/symbols.h"

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

/* One record of the four kinds; false: damaged. p: the binaries, functions and threads it may refer to. */
bool cc_objects_take(struct cc_objects_import *d, const struct cc_records *in, const struct cc_profile *p);
/* p's functions have their names by now. */
int cc_objects_put(struct cc_objects_import *d, const struct cc_profile *p, struct cc_symbols *symbols,
                   struct cc_writer *out);
void cc_objects_import_fini(struct cc_objects_import *d);

#endif
