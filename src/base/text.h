/* Text that comes from outside (symbol and file names) is data: every place it is shown escapes it. */
#ifndef CC_BASE_TEXT_H
#define CC_BASE_TEXT_H

#include "base.h"

/* Growable string; `.s` is always NUL-terminated once anything was added. */
struct cc_buf {
    char *s;
    size_t n, cap;
};

void cc_buf_add(struct cc_buf *b, const void *bytes, size_t n);
void cc_buf_puts(struct cc_buf *b, const char *s);
void cc_buf_printf(struct cc_buf *b, const char *fmt, ...) CC_PRINTF(2, 3);
/* "-1234567" as "-1 234 567": whole numbers that are compared digit by digit. */
void cc_buf_grouped(struct cc_buf *b, const char *digits);
void cc_buf_fini(struct cc_buf *b);

/* What a path ends in: all behind its last slash. NULL is NULL. */
const char *cc_text_base(const char *path);
/* Whether two paths are of one file, as far as one of them may be written from another folder: the shorter is
 * what the longer ends in. NULL is no file. */
bool cc_text_same_file(const char *a, const char *b);
/* A function's name for a column: without parameters and template arguments, and, as long as it has more than
 * `most` bytes, without the namespaces and classes in front ("…::Image::blur"). Owned. */
char *cc_text_short_function(const char *name, size_t most);
/* The same string (a copy, owned), or if it has more than `most` bytes and is made of C++ names: as much of
 * their innermost template arguments and parameters as "…" as it takes, at most all: "std::map<…>::find(…)".
 * Text with brackets of another kind stays as it is. */
char *cc_text_brief(const char *s, size_t most);
/* Whether `shown` is what one of the two may have made of a function's name. */
bool cc_text_stands_for(const char *shown, const char *name);

/* The fields of a line, at most `max`, each ended in place where `at` stood; how many. */
size_t cc_text_split(char *line, char at, char **fields, size_t max);

/* Length in bytes (1-4) of the valid UTF-8 sequence at s, 0 if there is none. */
size_t cc_utf8_length(const char *s);

/* Terminal: control characters and invalid UTF-8 become \xNN. */
void cc_text_print_safe(FILE *out, const char *s);
/* The same into a new string (owned by the caller). */
char *cc_text_safe(const char *s);
/* XML/HTML/SVG text and attribute values. Characters XML forbids become \xNN. */
void cc_text_xml(struct cc_buf *b, const char *s);
/* Inside a double-quoted DOT string. */
void cc_text_dot(struct cc_buf *b, const char *s);
/* One word of a POSIX shell's command line, quoted when needed. */
void cc_text_shell(struct cc_buf *b, const char *word);
/* A copy (owned) in which every such character stands twice, as lists that it separates want it. */
char *cc_text_doubled(const char *s, char c);
/* One CSV field of text, quoted when needed (RFC 4180). One that begins with - + = @ or ' gets a ' in front,
 * so that no spreadsheet runs a name as a formula; cc_text_of_csv is the text of such a cell again. */
void cc_text_csv(struct cc_buf *b, const char *s);
const char *cc_text_of_csv(const char *cell);
/* The same for text that is safe already and not to be changed, such as JSON. */
void cc_text_csv_quoted(struct cc_buf *b, const char *s);

/* Whether the word is one of a list like " lut ff ": between blanks, in letters of either case. */
bool cc_text_listed(const char *list, const char *word);

#endif
