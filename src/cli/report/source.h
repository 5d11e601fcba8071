/* The text of source files that a profile names. */
#ifndef CC_CLI_REPORT_SOURCE_H
#define CC_CLI_REPORT_SOURCE_H

#include "../../base/map.h"
#include "../../profile/profile.h"

struct cc_source {
    char *path; /* where it was found; NULL: nowhere */
    char *text; /* of all lines, each ended by NUL */
    const char **lines;
    size_t n;
    bool changed; /* since the recording */
};

/* Reads the file from where it was compiled or, with a folder, from below that: the longest end of its path
 * that is there. One that cannot be read has no lines. */
void cc_source_read(struct cc_source *s, const struct cc_pfile *f, const char *folder);
/* Whether its text may go into a file that others are shown: a profile or a tree of sources from elsewhere
 * may name any file of the reader's, or link to it, as its source. So the file that is read in the end has to
 * be named like a source, or be the system's. */
bool cc_source_may_be_shown(const struct cc_source *s);
void cc_source_fini(struct cc_source *s);
/* Where cc_source_read would look; NULL: nowhere. */
char *cc_source_find(const struct cc_pfile *f, const char *folder);

/* The names that files below a folder had for the compiler. */
struct cc_source_names {
    const struct cc_profile *p;
    struct cc_strmap by_path; /* from where they really are to the profile's file */
    struct cc_strmap by_name; /* from what that calls them */
};
void cc_source_names_init(struct cc_source_names *n, const struct cc_profile *p, const char *folder);
void cc_source_names_fini(struct cc_source_names *n);
/* The name as it was compiled; the given one if the profile has no such file. */
const char *cc_source_name(const struct cc_source_names *n, const char *path);

/* A line from 1 on, tabs as spaces, in *ret (freed by the caller); "" if there is none. */
char *cc_source_line(const struct cc_source *s, uint32_t line);

#endif
