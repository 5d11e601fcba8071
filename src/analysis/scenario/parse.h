/* Inside the room: a scenario while it is read. */
#ifndef CC_ANALYSIS_SCENARIO_PARSE_H
#define CC_ANALYSIS_SCENARIO_PARSE_H

#include "scenario.h"
#include "../../base/arena.h"

#include <ctype.h>

struct define {
    const char *scope, *name, *value;
    unsigned line;
};

struct pragma {
    const char *task, *text; /* text: what follows "#pragma omp" */
    unsigned line;
    bool own;     /* #pragma corecast */
    bool of_task; /* the same name is a task: a taskwait is inside it */
};

struct scenario {
    struct cc_scenario pub;
    struct cc_arena arena;
    CC_VEC(struct define) defines;
    CC_VEC(struct pragma) pragmas;
    CC_VEC(struct cc_directive) directives;
};

struct span {
    const char *from, *to;
};

static inline const char *skip_blanks(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static inline bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* A copy without the blanks around it. */
static inline const char *trimmed(struct scenario *s, struct span x)
{
    while (x.from < x.to && isspace((unsigned char)*x.from))
        x.from++;
    while (x.to > x.from && isspace((unsigned char)x.to[-1]))
        x.to--;
    return cc_arena_strndup(&s->arena, x.from, (size_t)(x.to - x.from));
}

/* "parallel  for …" against "parallel for": where the rest begins, or NULL. */
const char *cc_match_words(const char *text, const char *words);

/* spelling.c: what a line says after '=', as the texts that follow '#' where each is a #pragma or a #define.
 */
struct spelling {
    const char *text[4];
    size_t n;
};
bool cc_spelling_read(struct scenario *s, const char *text, struct spelling *ret);
/* ret: a directive may begin so. */
bool cc_spelling_begins(const char *text);
/* ret: the line is a directive without a task, which is no comment. */
bool cc_spelling_alone(const char *line);
/* Of Fortran: what follows !$omp, c$omp or *$omp; NULL: it is none. */
const char *cc_spelling_sentinel(const char *text);

/* "NAME VALUE", for `task`. */
int cc_define_add(struct scenario *s, const char *task, unsigned line, const char *rest, struct cc_err *err);
/* What a name that reaches the task stands for, as it is written; NULL: nothing. */
const char *cc_define_value(const struct scenario *s, const char *task, const char *name);
/* The text of an expression with the #defines in, checked for its form (its value may depend on the
 * processors). */
int cc_define_expression(struct scenario *s, const struct pragma *p, const char *clause, struct span text,
                         const char **ret, struct cc_err *err);

/* After all lines are read: a #define reaches the pragmas before it too. */
int cc_pragma_parse(struct scenario *s, const struct pragma *p, struct cc_directive *ret, struct cc_err *err);
/* What reports show. */
const char *cc_directive_text(struct scenario *s, const struct cc_directive *d, const char *words);

#endif
