/* Where files are that nobody named by their path: our own, and programs in PATH. */
#ifndef CC_BASE_WHERE_H
#define CC_BASE_WHERE_H

#include "base.h"

/* Ours are beside the tool while it runs in its build folder, else where the tool was installed; that tree
 * may have been moved as a whole since. Owned; NULL if there is none. */
char *cc_where_engine(const char *name);   /* of engines/, "qemu/libcorecast-qemu.so" */
char *cc_where_platform(const char *name); /* of platforms/, "manycore.ini" */
char *cc_where_model(const char *name);    /* of models/, "vitis-hls-u280.model" */

/* A program as execvp looks for it: one with a slash in its name is what it says, another the first in PATH
 * that may be run, else the first that is there at all. Owned; NULL if there is none. */
char *cc_where_program(const char *name);

#endif
