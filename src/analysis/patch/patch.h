/* Directives put into source text, and the difference as a patch. README.md says what is refused. */
#ifndef CC_ANALYSIS_PATCH_PATCH_H
#define CC_ANALYSIS_PATCH_PATCH_H

#include "facts.h"
#include "../../base/text.h"

struct cc_patch_text; /* a file, with where its `for`s are */

struct cc_patch_text *cc_patch_text_new(const char *text, size_t size);
void cc_patch_text_free(struct cc_patch_text *t);

/* Why no directive can be put in front of the nth loop of the line, of `loops` that the parser saw there;
 * NULL: one can. In the arena. */
const char *cc_patch_refuses(const struct cc_patch_text *t, const struct cc_patch_loop *loop, unsigned nth,
                             unsigned loops, struct cc_arena *arena);
/* The same of `omp atomic` in front of a statement. */
const char *cc_patch_refuses_update(const struct cc_patch_text *t, const struct cc_patch_update *u,
                                    struct cc_arena *arena);
/* How many bytes behind the line's beginning the update begins, 0: nothing stands in front of it. False: it
 * was not found there, or is not known to be the one. */
bool cc_patch_update_column(const struct cc_patch_text *t, const struct cc_patch_update *u, unsigned *ret);

/* A directive, and the comment above it (NULL: none), in front of the nth `for` of a line, or of what the
 * line begins with, or has at `column`. Each may be several lines. */
struct cc_patch_edit {
    unsigned line;
    int nth; /* -1: the line's beginning, or `column` */
    const char *directive, *comment;
    const char *before; /* a statement in front of both; NULL: none */
    /* whole lines that stand in the place of those from `line` to `last`, instead of all that; NULL: none */
    const char *text;
    unsigned last;
    /* text put into the line, so many bytes behind its beginning; or lines put behind it, which begin as
     * another one does */
    const char *splice, *behind;
    unsigned column, like;
};

/* Where the nth `for` of a line ends, if nothing but a comment follows it in that line; 0: it is not so. */
unsigned cc_patch_ends(const struct cc_patch_text *t, unsigned line, unsigned nth);
/* Behind the brace of the only `if` that begins in a line: line and column; false: it has none. */
bool cc_patch_brace(const struct cc_patch_text *t, unsigned line, unsigned *ret_line, unsigned *ret_column);
/* Of statements that begin in a line, the line in which the one ends that ends in the last or behind it; 0:
 * that is not a line's end. */
unsigned cc_patch_statement_ends(const struct cc_patch_text *t, unsigned first, unsigned last);
/* Whether whole statements, and nothing else, stand in the lines from first to last. */
bool cc_patch_statements(const struct cc_patch_text *t, unsigned first, unsigned last);

/* Where a line begins; that behind the last is the end of the text. */
const char *cc_patch_line(const struct cc_patch_text *t, unsigned line);
/* Why nothing can be put in front of a line. */
const char *cc_patch_refuses_line(const struct cc_patch_text *t, unsigned line, struct cc_arena *arena);

/* The line of the text that a line of the changed one comes from; of what is new, the line it stands in front
 * of. Edits are sorted. */
unsigned cc_patch_original(const struct cc_patch_text *t, struct cc_patch_edit *edits, size_t n,
                           unsigned line);

/* Appends the difference in unified form; `name` is the path in it. `ret_text` (may be NULL) gets the new
 * text. Edits are sorted. */
void cc_patch_write(const struct cc_patch_text *t, struct cc_patch_edit *edits, size_t n, const char *name,
                    struct cc_buf *ret_diff, struct cc_buf *ret_text);

#endif
