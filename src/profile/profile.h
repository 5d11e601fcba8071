/* A profile in memory: what every analysis starts from. All ids are checked when it is loaded, so analyses
 * index the arrays without looking twice; counts fit 63 bits. One arena, freed whole. */
#ifndef CC_PROFILE_PROFILE_H
#define CC_PROFILE_PROFILE_H

#include "../../collect/record.h"
#include "../base/arena.h"
#include "../base/err.h"

/* Function 0: code outside every function of the program (the loader, start-up code, where threads begin). */
#define CC_RUNTIME_NAME "<runtime>"
/* Region 0 and scope 0. */
#define CC_OUTSIDE_NAME "<outside>"

/* Where a data object lies. */
enum cc_storage {
    CC_STORAGE_GLOBAL,
    CC_STORAGE_STACK,
    CC_STORAGE_HEAP,
    CC_STORAGE_FILE, /* mapped */
    CC_STORAGE_OTHER,
    CC_STORAGES
};

/* cc_node_kind_names[], cc_level_names[], …: "context", "input", … */
#define CC_NAMES(name, count, ...) extern const char *const cc_##name##_names[count];
#include "columns.def"

/* The structs of rows: cc_pbinary, cc_pfunction, …, a field for each column. columns.def says what each means
 * and what C type a kind of column has. */
#define CC_FIELD_KEY(column, of)
#define CC_FIELD_ID(column, of) uint32_t column;
#define CC_FIELD_MAYBE_ID(column, of) uint32_t column;
#define CC_FIELD_EARLIER(column, of) uint32_t column;
#define CC_FIELD_ANY_ID(column, of) uint32_t column;
#define CC_FIELD_COUNT(column, of) uint64_t column;
#define CC_FIELD_MAYBE_COUNT(column, of) \
    uint64_t column;                     \
    bool has_##column;
#define CC_FIELD_NUMBER(column, of) uint32_t column;
#define CC_FIELD_FLAG(column, of) bool column;
#define CC_FIELD_LINE(column, of) unsigned column;
#define CC_FIELD_ADDRESS(column, of) uint64_t column;
#define CC_FIELD_TEXT(column, of) const char *column;
#define CC_FIELD_MAYBE_TEXT(column, of) const char *column;
#define CC_FIELD_WORD(column, of) enum cc_##of column;
#define CC_FIELD_STATUS(column, of) int column;

#define CC_TABLE(table, rows, order) struct cc_p##table {
#define CC_COLUMN(table, column, kind, of, meaning) CC_FIELD_##kind(column, of)
#define CC_MEMBER(table, type, member, meaning) type member;
#define CC_TABLE_END(table) \
    }                       \
    ;
#include "columns.def"

/* A straight piece of code that was executed. */
struct cc_pblock {
    uint64_t address;
    uint32_t function;           /* it belongs to; 0: code of nobody, a library's say */
    uint32_t instructions, size; /* size: bytes of code */
    uint32_t mode;               /* 1: Thumb */
    const uint8_t *code;
};

/* Names of enum cc_alloc_kind (collect/data.h). */
extern const char *const cc_object_alloc_names[CC_OBJECT_ALLOCS];

struct cc_profile {
    const char *path; /* of the .cast file */
    const char **arguments;
    size_t narguments;
    /* Facts (program, engine, complete, …); arrays of rows and items with how many there are: binaries and
     * nbinaries, functions and nfunctions, …, calls and ncalls, … Function 0 is <runtime>; regions[0] and
     * scopes[0] exist in a profile of an instrumented run; a profile without calls has none at all. */
#define CC_FACT(key, field, kind, of, meaning) CC_FIELD_##kind(field, of)
#define CC_TABLE(table, rows, order) \
    struct cc_p##table *rows;        \
    size_t n##rows;
#define CC_STREAM(stream, record, row, tag, meaning) \
    struct row *stream;                              \
    size_t n##stream;
#include "columns.def"
    struct cc_pedge *edges[CC_LEVELS]; /* all_edges by level, each by producer and consumer */
    size_t nedges[CC_LEVELS];
    const char **channel_from, **channel_to; /* ends of `channels`, as the user named them; never NULL */
    struct cc_arena arena;
};

int cc_profile_load(const char *path, struct cc_profile **ret, struct cc_err *err);
/* Without the streams between contexts and between threads, which are most of a large profile. */
int cc_profile_load_brief(const char *path, struct cc_profile **ret, struct cc_err *err);
void cc_profile_free(struct cc_profile *p);

/* Whether it tells what the iterations of loops need from each other. */
bool cc_profile_has_dependences(const struct cc_profile *p);
/* The order of `calls`, for qsort: by thread and start, what is around before what is in it. */
int cc_profile_call_order(const void *a, const void *b);
/* What an end of an edge is. For kinds other than CC_NODE_CONTEXT, *ret_id is of no use. At context level
 * *ret_id is the context. */
enum cc_node_kind cc_profile_end(const struct cc_profile *p, enum cc_level level, uint32_t id,
                                 uint32_t *ret_id);
/* "<input>", "<static>", "<unknown>", "<output>". */
const char *cc_special_name(enum cc_node_kind kind);

#endif
