/* Names people pick things of a profile by, and the filter that most analyses share. */
#ifndef CC_PROFILE_NAMES_H
#define CC_PROFILE_NAMES_H

#include "profile.h"

struct cc_filter {
    size_t top;        /* at most so many items; 0: all */
    double min_share;  /* in [0,1]: items with less are left out */
    const char *focus; /* only what has to do with this name; NULL: everything */
    bool one_frame;    /* streams: only what was read in this frame */
    uint32_t frame;
};

/* One name per function, no two alike: equal names get " (file.c:12)", or " #id" where that does not tell
 * them apart. */
const char **cc_names_functions(const struct cc_profile *p, struct cc_arena *arena);

/* One name per region: as marked, with " (region)" after those that look like the nodes every graph has. */
const char **cc_names_regions(const struct cc_profile *p, struct cc_arena *arena);

/* "main/filter/helper": the path below the thread's root; "<runtime>" for the root itself. Contexts of
 * threads other than the first end in "@2", "@3", … */
/* The first context of each context's path: itself, unless the recording tells calls of a path apart. Owned.
 */
uint32_t *cc_names_paths(const struct cc_profile *p);
const char *cc_names_context(const struct cc_profile *p, uint32_t context, const char *const *functions,
                             struct cc_arena *arena);

/* Where a source file was when it was compiled; owned by the caller. */
char *cc_names_file(const struct cc_pfile *f);
enum { CC_MAX_SOURCE = 64 << 20 }; /* bytes of a source file; larger ones are not read */

/* Fails, saying how to get some, if the profile has no frames. */
int cc_names_frames(const struct cc_profile *p, struct cc_err *err);

/* Which names `focus` means: those equal to it; if none is, those equal to it up to the parameter list; if
 * none is, those that contain it; if none does, those that a table may show like that. Fails, offering the
 * nearest, if there is none at all. `match` has n zeroed entries. */
int cc_names_focus(const char *focus, const char *const *names, size_t n, bool *match, struct cc_err *err);

/* The same over the names of all functions. */
int cc_names_focus_functions(const char *focus, const struct cc_profile *p, bool *match, struct cc_err *err);

#endif
