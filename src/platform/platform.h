/* Platform files: a chip as data. See docs/man/corecast-platform.5 and schema.def for every section and key.
 */
#ifndef CC_PLATFORM_PLATFORM_H
#define CC_PLATFORM_PLATFORM_H

#include "../base/arena.h"
#include "../base/err.h"
#include "../base/result.h"
#include "../base/text.h"

struct cc_platform;

/* Every key of schema.def, and the same again by type: a key that is not in the schema, or a text that is
 * asked for as a number, does not compile. */
enum cc_platform_key {
#define CC_KEY(id, section, key, type, min, max, fallback, help) CC_KEY_##id,
#include "schema.def"
#undef CC_KEY
};
#define CC_NUM_IF_NUM(id) CC_NUM_##id = CC_KEY_##id,
#define CC_NUM_IF_STR(id)
#define CC_NUM_IF_CHOICE(id)
enum cc_num_key {
#define CC_KEY(id, section, key, type, min, max, fallback, help) CC_NUM_IF_##type(id)
#include "schema.def"
#undef CC_KEY
};
#define CC_STR_IF_NUM(id)
#define CC_STR_IF_STR(id) CC_STR_##id = CC_KEY_##id,
#define CC_STR_IF_CHOICE(id) CC_STR_##id = CC_KEY_##id,
enum cc_str_key {
#define CC_KEY(id, section, key, type, min, max, fallback, help) CC_STR_IF_##type(id)
#include "schema.def"
#undef CC_KEY
};

enum cc_platform_origin {
    CC_FROM_FILE,
    CC_FROM_PARENT,   /* a file named by [platform] inherits */
    CC_FROM_OVERRIDE, /* --set */
    CC_FROM_DEFAULT,  /* schema.def */
};

/* A number with its spread (0 when the file gives none): "371", "371 ± 12", "371 +- 12". */
struct cc_quantity {
    double value, spread;
};

/* `name` is a path, or the name of a platform shipped with the tool ("stxp70-asmp"). Unknown sections or
 * keys, values out of range, and keys that are missing but required are errors with file and line; what is
 * odd but usable goes to warnings. */
int cc_platform_load(const char *name, struct cc_platform **ret, struct cc_err *err);
int cc_platform_parse(const char *path, const char *text, size_t size, struct cc_platform **ret,
                      struct cc_err *err);
void cc_platform_free(struct cc_platform *p);
const char *cc_platform_path(const struct cc_platform *p);
/* All that was read for it: its own file, those it inherits from, and the curves and grids they name. */
size_t cc_platform_files(const struct cc_platform *p, const char *const **ret);
size_t cc_platform_warnings(const struct cc_platform *p, const char *const **ret);

/* True if the section is in the file (or a parent's). */
bool cc_platform_has(const struct cc_platform *p, const char *section);
/* The names X of all sections "prefix.X", in file order. */
size_t cc_platform_list(const struct cc_platform *p, const char *prefix, const char *const **ret);

/* The value of a key, from the file, a parent or the schema's default. `section` is NULL for a key of one
 * section, else the whole name ("unit.gpu"). An error names the file, section and key when there is no value.
 * The *_or forms return `fallback` then. */
int cc_platform_num(const struct cc_platform *p, const char *section, enum cc_num_key key,
                    struct cc_quantity *ret, struct cc_err *err);
double cc_platform_num_or(const struct cc_platform *p, const char *section, enum cc_num_key key,
                          double fallback);
const char *cc_platform_str_or(const struct cc_platform *p, const char *section, enum cc_str_key key,
                               const char *fallback);
/* Line of a key of either type, for messages about its value; 0 if it is a default. */
unsigned cc_platform_line(const struct cc_platform *p, const char *section, unsigned key);
/* A path given in the file (curve, grid), resolved against the file's folder. Owned by the platform. */
const char *cc_platform_file(const struct cc_platform *p, const char *section, enum cc_str_key key);
/* What the file calls it. */
const char *cc_platform_key_name(unsigned key);

/* "section.key=value" or, where only one section has the key, "key=value". Validated like the file. */
int cc_platform_override(struct cc_platform *p, const char *assignment, struct cc_err *err);

/* Every value with its origin and source, for `corecast platform show`. */
void cc_platform_show(const struct cc_platform *p, struct cc_result *r);

/* --- where figures come from --- */

/* A figure that nobody measured or published: its source (key 'KEY.source', else 'source' of its section,
 * else of [platform], in the same file) begins with "assumed". */
struct cc_assumed {
    const char *section, *key, *value, *source;
};
/* Those among the values that were asked for so far (cc_platform_num and its like): what a result rests on.
 * In file order; strings are copied into the arena. */
size_t cc_platform_assumed(const struct cc_platform *p, struct cc_arena *a, const struct cc_assumed **ret);
/* Forgets who asked for what, for a command that loads more than it needs and then asks for what it used. */
void cc_platform_forget(const struct cc_platform *p);
/* "assumed" of a result: a table for programs, a sentence for people. */
void cc_assumed_show(const struct cc_assumed *v, size_t n, struct cc_result *r);
void cc_platform_show_assumed(const struct cc_platform *p, struct cc_result *r); /* both in one */

/* How well a file says where its figures come from. */
struct cc_platform_figures {
    size_t values, assumed;
    size_t unsourced;    /* values of sections that name no source of their own */
    const char *section; /* the first of those; NULL: none */
};
void cc_platform_figures(const struct cc_platform *p, struct cc_platform_figures *ret);

/* A file that loads, with every section and key the format has as comments: what `corecast platform new`
 * prints. */
void cc_platform_template(struct cc_buf *out);

/* Names of the platforms that ship with the tool, sorted; owned by the arena. */
size_t cc_platform_shipped(struct cc_arena *a, const char *const **ret);

#endif
