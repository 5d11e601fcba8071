/* One source file on its way to metrics: what to run the preprocessor with, and the parsing of what it wrote.
 * Nothing here starts a process: the caller runs `command`, and cc_source_measure in a child of its own. */
#ifndef CC_ANALYSIS_METRICS_SOURCE_H
#define CC_ANALYSIS_METRICS_SOURCE_H

#include "../../base/arena.h"
#include "../../base/err.h"
#include "../../base/opt.h"

/* How often a loop went round, where a run was watched: iterations of an invocation, on average. */
struct cc_source_trip {
    const char *file;
    unsigned line; /* of the loop, or of its test */
    double trips;
    unsigned level; /* loops around it that stand on the same line */
};

struct cc_source_trips {
    const struct cc_source_trip *v;
    size_t n;
};

struct cc_source_line {
    const char
        *file; /* its name without folders: the recording and the parser may know it in different ones */
    unsigned line;
};

/* Lines whose code ran, by file and line; none: nobody watched. */
struct cc_source_lines {
    struct cc_source_line *v;
    size_t n;
};

struct cc_source_options {
    const struct cc_strs *flags;  /* of the compiler, for every file; may be NULL */
    const char *compile_commands; /* file or folder; NULL: none */
    const char *preprocessor;     /* the program to run: a clang, best of libclang's version */
    struct cc_source_trips trips; /* of loops whose text does not tell */
    struct cc_source_lines ran;   /* loops of functions that did not are left out where only those count */
    bool loops;                   /* loops are kernels of their own, behind their functions */
    bool own_headers; /* those outside /usr are the program's, in whichever folder they were found */
};

struct cc_source_unit {
    const char *path; /* as given by the user */
    bool cplusplus;
    struct cc_strs flags;   /* of the parser; strings are borrowed */
    struct cc_strs command; /* of the preprocessor, NULL at its end; strings are borrowed */
    const char *folder;     /* where the command runs; NULL: here */
    struct cc_source_trips trips;
    struct cc_source_lines ran;
    bool loops;
    bool own_headers;
    char *text; /* what it wrote: the caller fills this in, the unit owns it */
    size_t size;
};

/* A recording has the names the compiler was given, perhaps in another folder. */
bool cc_source_same_file(const char *recorded, const char *source);

/* Strings are in the arena or the options'. A file that cannot be read is -CC_EINPUT. */
int cc_source_unit_init(struct cc_source_unit *unit, const char *path,
                        const struct cc_source_options *options, struct cc_arena *arena, struct cc_err *err);
void cc_source_unit_fini(struct cc_source_unit *unit);

/* Parses the unit's text and writes its functions and messages to `out`, for cc_sources_add. libclang may
 * crash on hostile source, and goes as deep into the stack as the source is nested: give it a process of its
 * own with this environment and stack. */
void cc_source_measure(const struct cc_source_unit *unit, FILE *out);
extern const char *const cc_source_environment[]; /* NAME=VALUE, ends with NULL */
enum { CC_SOURCE_STACK = 512 << 20 };

/* The major version of libclang, for choosing the preprocessor that fits it. */
int cc_source_clang_version(void);

#endif
