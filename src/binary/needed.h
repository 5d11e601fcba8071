/* The shared libraries that a program is linked with, and where they are. */
#ifndef CC_BINARY_NEEDED_H
#define CC_BINARY_NEEDED_H

#include "../base/base.h"

struct cc_needed {
    CC_VEC(char *) paths; /* absolute, symbolic links resolved; each once */
};

/* As the dynamic loader would look for them: run paths, $LD_LIBRARY_PATH, then the folders of the system
 * below `root` (NULL: this machine's) for Debian's `triplet`. The C library and its like are left out; what
 * is not found is not there. */
void cc_needed_find(struct cc_needed *n, const char *program, const char *root, const char *triplet);
void cc_needed_fini(struct cc_needed *n);

#endif
