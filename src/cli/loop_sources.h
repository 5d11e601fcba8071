/* What the source of a profile's loops says of them. */
#ifndef CC_CLI_LOOP_SOURCES_H
#define CC_CLI_LOOP_SOURCES_H

#include "../analysis/loops/source/source.h"
#include "../base/opt.h"
#include "../profile/profile.h"

/* folder: where source files are, if not where they were compiled; NULL. Files that are not there, were
 * changed since or cannot be parsed say nothing. */
struct cc_source_loops *cc_loop_sources(const struct cc_profile *p, const char *folder);
/* What else is to be told of each file while it is parsed: `scan` writes all of it, what is not about loops
 * in lines that begin with CC_LOOP_BESIDE, which `take` gets without that. */
enum { CC_LOOP_BESIDE = 1 };
struct cc_loop_beside {
    void (*scan)(void *unit, FILE *out);
    void (*take)(void *data, const char *path, const char *bytes, size_t size);
    void *data;
};
/* The same with flags of the compiler (-DNAME, -IFOLDER). beside: NULL, or what else is wanted. */
struct cc_source_loops *cc_loop_sources_with(const struct cc_profile *p, const char *folder,
                                             const struct cc_strs *flags,
                                             const struct cc_loop_beside *beside);
/* Where headers of the program may be, since a profile does not tell what it was compiled with: the folders
 * of files that have code, and the usual ones where the compiler ran. Searched after the system's. Words are
 * in the arena; the list is the caller's. */
void cc_loop_flags(const struct cc_profile *p, const struct cc_strs *flags, const char *folder,
                   struct cc_arena *arena, struct cc_strs *ret);

#endif
