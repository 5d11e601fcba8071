/* The parser's state and its dealings with libclang below the level of nodes: places in the text, tokens,
 * types, declarations. For tree.c only. */
#ifndef CC_ANALYSIS_METRICS_CLANG_UNIT_H
#define CC_ANALYSIS_METRICS_CLANG_UNIT_H

#include "tree.h"
#include "../../base/map.h"

#include <clang-c/Index.h>

/* One physical line of the preprocessed text. */
struct line {
    uint32_t offset;
    uint32_t number; /* in the source */
    uint32_t file;   /* index into files */
    bool system;
};

struct fault {
    uint32_t offset;
    unsigned line;
    const char *text;
    bool outside; /* not yet found in a function */
};

struct parser {
    const struct cc_source_unit *unit;
    const struct cc_tree_visitor *visitor;
    CXTranslationUnit tu;
    struct cc_arena arena; /* of the unit */
    CC_VEC(struct line) lines;
    CC_VEC(const char *) files;
    CC_VEC(struct fault) faults;
    /* the function being built */
    struct cc_arena scratch;
    CC_VEC(struct cc_tree_node) nodes;
    CC_VEC(struct cc_decl) decls;
    CC_VEC(CXCursor) cursors; /* of the decls, null for labels */
    CC_VEC(uint32_t) chain;   /* next decl with the same cursor hash, 0 ends, else index + 1 */
    CC_VEC(struct cc_token) tokens;
    struct cc_map by_hash;
    struct cc_strmap labels;
    struct cc_tree tree;
    unsigned depth;
};

/* A copy of libclang's string, which is disposed of. */
const char *cc_cu_keep(struct cc_arena *arena, CXString s);

/* Reads the preprocessor's line markers. */
void cc_cu_map_lines(struct parser *p);
const struct line *cc_cu_line_at(const struct parser *p, uint32_t offset);
uint32_t cc_cu_offset(CXSourceLocation at);

void cc_cu_tokenize(struct parser *p, CXSourceRange range);
size_t cc_cu_token_from(const struct parser *p, uint32_t offset); /* the first at or after it */
bool cc_cu_token_is(const struct parser *p, size_t i, const char *text);

struct cc_ctype cc_cu_type(CXType t);
/* An array, or a container or iterator of the C++ library that gets to any element at once. */
bool cc_cu_random_access(CXType t);
bool cc_cu_holds(CXType t); /* holds.c: there may be a pointer or a reference in it */

/* Index of the declaration among the function's, which it joins if it is new; -1 for a null cursor. */
int32_t cc_cu_decl(struct parser *p, CXCursor c);
int32_t cc_cu_label(struct parser *p, CXCursor c);

/* What libclang's evaluator says of an expression, or of a variable's initialiser; false if no integer. */
bool cc_cu_value(CXCursor c, int64_t *ret);

#endif
