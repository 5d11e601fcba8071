/* What the loader (platform.c) and the pages about a platform (show.c) share. */
#ifndef CC_PLATFORM_PLATFORM_PRIV_H
#define CC_PLATFORM_PLATFORM_PRIV_H

#include "platform.h"

enum key_type { NUM, STR, CHOICE };

struct schema_key {
    const char *section, *key;
    enum key_type type;
    double min, max;
    const char *fallback;
    const char *help;
};

enum {
#define CC_KEY(...) +1
    CC_PLATFORM_KEYS = 0
#include "schema.def"
#undef CC_KEY
};
extern const struct schema_key cc_platform_schema[CC_PLATFORM_KEYS]; /* by enum cc_platform_key */

struct value {
    const char *section, *key, *text;
    const char *path;
    unsigned line;
    enum cc_platform_origin origin;
    struct cc_quantity number;
    const struct schema_key *schema;
    bool used; /* somebody asked for it */
};

/* "source = TEXT" of a section, or "KEY.source = TEXT" of one of its keys; holds for values of the same file.
 */
struct source {
    const char *section, *key /* NULL: the whole section */, *path, *text;
};

struct section {
    const char *name;
    const char *path;
    unsigned line;
};

struct cc_platform {
    struct cc_arena arena;
    const char *path;
    CC_VEC(struct value) values;
    CC_VEC(struct section) sections;
    CC_VEC(const char *) warnings;
    CC_VEC(struct source) sources;
    CC_VEC(const char *) files; /* it was read from, the nearest first */
};

/* "unit.*" matches unit.NAME with a name that has no further dot; "link.*.*" needs two; "openmp.@(a|b)" one
 * of a, b. */
bool cc_section_matches(const char *pattern, const char *name);
struct value *cc_platform_value(const struct cc_platform *p, const char *section,
                                const struct schema_key *key);
/* The text of a key nobody gives; NULL: none. */
const char *cc_platform_default(const struct cc_platform *p, const struct schema_key *k);

#endif
