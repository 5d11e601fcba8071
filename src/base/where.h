/* Where files are that nobody named by their path: our own, and programs in PATH. */
#ifndef CC_BASE_WHERE_H
#define CC_BASE_WHERE_H

#include "base.h"

enum cc_own {
    CC_OWN_ENGINE,   /* of engines/, "qemu/libcorecast-qemu.so" */
    CC_OWN_PLATFORM, /* of platforms/, "manycore.ini" */
    CC_OWN_MODEL,    /* of models/, "vitis-hls-u280.model" */
};

/* Ours are beside the tool while it runs in its build folder, else where the tool was installed; that tree
 * may have been moved as a whole since. Owned; NULL if there is none. */
char *cc_where(enum cc_own kind, const char *name);
/* The places that were looked at, for the message that there is none: "'A', 'B'". Owned. */
char *cc_where_looked(enum cc_own kind, const char *name);

/* The tool itself. Owned; NULL where that is not known. */
char *cc_where_self(void);

/* A program as execvp looks for it: one with a slash in its name is what it says, another the first in PATH
 * that may be run, else the first that is there at all. Owned; NULL if there is none. */
char *cc_where_program(const char *name);
/* PATH is set and has no empty folder: whoever looks into it finds the same. */
bool cc_where_path_is_plain(void);

#endif
