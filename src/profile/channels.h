/* Channels as a user asks for them: pairs of functions, by name. */
#ifndef CC_PROFILE_CHANNELS_H
#define CC_PROFILE_CHANNELS_H

#include "../base/err.h"

enum { CC_MAX_CHANNELS = 8 };

struct cc_channel_names {
    char *from[CC_MAX_CHANNELS], *to[CC_MAX_CHANNELS];
    size_t n;
    char *addresses; /* for the engine: see cc_channels in collect/collect.h; NULL if n is 0 */
};

/* texts: "A:B" each, functions of the program at `path` (NULL: it is over, and only the names are wanted);
 * C++ names may have parameters, and "::" parts no pair. */
int cc_channel_names_find(const char *const *texts, size_t n, const char *path, struct cc_channel_names *ret,
                          struct cc_err *err);
void cc_channel_names_fini(struct cc_channel_names *c);

#endif
