/* Inside the room: a pragma while it is read. */
#ifndef CC_ANALYSIS_SCENARIO_DIRECTIVE_H
#define CC_ANALYSIS_SCENARIO_DIRECTIVE_H

#include "parse.h"

/* The sets that clauses fall into. */
enum set {
    SET_SCHEDULE,
    SET_NUM_THREADS,
    SET_IF,
    SET_NOWAIT,
    SET_ORDERED,
    SET_REDUCTION,
    SET_COLLAPSE,
    SET_ORDER,
    SET_LOOP,
    SET_DISTRIBUTE,
    SET_TASKLOOP,
    SET_TASK,
    SET_TASKGROUP,
    SET_DEPEND,
    SET_END,
    SET_FILTER,
    SET_HINT,
    SET_ATOMIC,
    SET_ORDERING,
    SET_THREADS,
    SET_PRIVATE,
    SET_FIRST,
    SET_LAST,
    SET_SHARED,
    SET_LINEAR,
    SET_COPYPRIVATE,
    SET_ALLOCATE,
    SET_IN_REDUCTION,
    SET_VECTOR,
    SET_DEVICE,
    SET_MAP,
    SET_UPDATE,
    SET_TARGET,
    SET_USE_DEVICE,
    SET_LIMIT,
    SET_TEAMS,
    SET_BLOCK,
    SET_DMA,
    SET_TILE,
};
#define S(name) (UINT64_C(1) << SET_##name)

/* What all functions of the parser work on. */
struct parse {
    struct scenario *s;
    const struct pragma *p;
    struct cc_directive *d;
    struct cc_err *err;
};

#define FAIL(x, ...) cc_err_at((x)->err, CC_EINPUT, (x)->s->pub.path, (x)->p->line, __VA_ARGS__)

/* A clause as it was given: its name, and what its parentheses hold. */
struct given {
    const char *name;
    struct span text;
};
struct givens {
    struct given *v;
    size_t n, cap;
};

/* clash.c: whether clauses of OpenMP exclude each other. */
int cc_clauses_clash(const struct parse *x, const struct given *all, size_t n);

/* The clauses of `words` from `at` on; `allowed`: the sets it takes. */
int cc_parse_clauses(const struct parse *x, const char *at, uint64_t allowed, const char *words);
/* The part before the first `c` outside brackets, and what follows it; false: there is none, and all is
 * before. */
bool cc_divide(struct span text, char c, struct span *ret_before, struct span *ret_after);
/* The ')' that closes the '(' at p, or NULL. */
const char *cc_closing(const char *p);

#endif
