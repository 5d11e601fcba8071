/* INI files with the line of every key, for platform, kernel, task and scenario files.
 * "[section]" headers, "key = value" pairs, comments from ';' or '#' at the start of a line or after a space.
 */
#ifndef CC_BASE_INI_H
#define CC_BASE_INI_H

#include "arena.h"
#include "err.h"
#include "map.h"

struct cc_ini_key {
    const char *name, *value;
    unsigned line;
};

struct cc_ini_section {
    const char *name;
    unsigned line;
    struct cc_ini_key *keys;
    size_t nkeys;
};

struct cc_ini {
    const char *path;
    struct cc_ini_section *sections;
    size_t nsections;
    struct cc_strmap index; /* name -> section */
    struct cc_arena arena;
};

/* A section or key that appears twice in one file is an error. */
int cc_ini_load(const char *path, struct cc_ini **ret, struct cc_err *err);
int cc_ini_parse(const char *path, const char *text, size_t size, struct cc_ini **ret, struct cc_err *err);
void cc_ini_free(struct cc_ini *ini);

const struct cc_ini_section *cc_ini_section(const struct cc_ini *ini, const char *name);
const struct cc_ini_key *cc_ini_key(const struct cc_ini_section *s, const char *name);

#endif
