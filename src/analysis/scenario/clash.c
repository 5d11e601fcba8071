/* Clauses that OpenMP does not let stand beside each other on one directive. */
#include "directive.h"
#include "expr.h"
#include "../../base/map.h"

/* At most one of each. Those that set a field, and 'if', look after themselves. */
static const char *const single[] = {
    "order",   "bind",      "default",      "proc_bind", "dist_schedule", "priority", "hint",       "simdlen",
    "safelen", "num_teams", "thread_limit", "read",      "write",         "update",   "capture",    "compare",
    "fail",    "weak",      "seq_cst",      "acq_rel",   "acquire",       "release",  "relaxed",    "threads",
    "untied",  "ordered",   "nogroup",      "mergeable", "filter",        "final",    "num_threads"};

/* At most one of all in a row. */
static const char *const exclusive[][5] = {
    {"grainsize", "num_tasks"},  {"ordered", "order"},
    {"nogroup", "reduction"},    {"copyprivate", "nowait"},
    {"read", "write", "update"}, {"read", "capture"},
    {"write", "capture"},        {"read", "compare"},
    {"write", "compare"},        {"read", "release"},
    {"write", "acquire"},        {"seq_cst", "acq_rel", "acquire", "release", "relaxed"},
};

/* The first only with the second. */
static const char *const needs[][2] = {{"fail", "compare"}, {"weak", "compare"}};

/* Each of their variables stands in one of them. */
static const char *const owners[] = {"private",     "firstprivate",  "lastprivate",  "shared",
                                     "linear",      "reduction",     "in_reduction", "task_reduction",
                                     "copyprivate", "is_device_ptr", "copyin"};

static const char *const moves[] = {"map", "to", "from"};

static const struct given *find(const struct given *all, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(all[i].name, name) == 0)
            return &all[i];
    return NULL;
}

static int check_single(const struct parse *x, const struct given *all, size_t n)
{
    for (size_t i = 0; i < CC_COUNT(single); i++) {
        const struct given *first = find(all, n, single[i]);
        if (first && find(first + 1, (size_t)(all + n - first - 1), single[i]))
            return FAIL(x, "'%s' is given twice for '%s'", single[i], x->p->task);
    }
    return 0;
}

static int check_groups(const struct parse *x, const struct given *all, size_t n)
{
    for (size_t g = 0; g < CC_COUNT(exclusive); g++) {
        const char *had = NULL;
        for (size_t i = 0; i < CC_COUNT(exclusive[g]) && exclusive[g][i]; i++) {
            if (!find(all, n, exclusive[g][i]))
                continue;
            if (had)
                return FAIL(x, "'%s' and '%s' exclude each other", had, exclusive[g][i]);
            had = exclusive[g][i];
        }
    }
    for (size_t i = 0; i < CC_COUNT(needs); i++)
        if (find(all, n, needs[i][0]) && !find(all, n, needs[i][1]))
            return FAIL(x, "'%s' goes only with '%s'", needs[i][0], needs[i][1]);
    if (x->d->kind == CC_OMP_TARGET_DATA && !find(all, n, "map") && !find(all, n, "use_device_ptr") &&
        !find(all, n, "use_device_addr"))
        return FAIL(x, "'target data' needs map(…), use_device_ptr(…) or use_device_addr(…)");
    const struct given *hint = find(all, n, "hint");
    if (hint && x->d->critical && !*x->d->critical) {
        const char *what = trimmed(x->s, hint->text);
        if (strcmp(what, "0") != 0 && strcmp(what, "omp_sync_hint_none") != 0)
            return FAIL(x, "'hint' of 'critical' needs a name: critical(NAME) hint(…)");
    }
    return 0;
}

/* What stands in front of the ':' of schedule. */
static int check_schedule(const struct parse *x, const struct given *all, size_t n)
{
    const struct given *g = find(all, n, "schedule");
    const char *colon = g ? memchr(g->text.from, ':', (size_t)(g->text.to - g->text.from)) : NULL;
    if (!colon)
        return 0;
    const char *text = trimmed(x->s, (struct span){g->text.from, colon}), *non = strstr(text, "nonmonotonic");
    bool also = false;
    for (const char *at = strstr(text, "monotonic"); at; at = strstr(at + 1, "monotonic"))
        also = also || at == text || !is_name_char(at[-1]);
    if (non && also)
        return FAIL(x, "schedule: 'monotonic' and 'nonmonotonic' exclude each other");
    return non && find(all, n, "ordered")
               ? FAIL(x, "'ordered' and schedule(nonmonotonic: …) exclude each other")
               : 0;
}

/* A vector is no longer than what is safe. */
static int check_lengths(const struct parse *x, const struct given *all, size_t n)
{
    static const char *const names[2] = {"simdlen", "safelen"};
    int64_t length[2];
    for (unsigned i = 0; i < 2; i++) {
        const struct given *g = find(all, n, names[i]);
        const char *text;
        char why[128];
        if (!g || cc_define_expression(x->s, x->p, names[i], g->text, &text, x->err) < 0 ||
            !cc_expr_eval(text, &(struct cc_clause_names){1, -1, -1}, &length[i], why))
            return 0; /* read before: it has a value, which processors may change */
    }
    return length[0] > length[1] ? FAIL(x, "simdlen is %lld, more than safelen with %lld",
                                        (long long)length[0], (long long)length[1])
                                 : 0;
}

/* --- variables --- */

/* The list's place in a clause: behind the ':' of an operator or a modifier, in front of the one of a step.
 * C++'s '::' is none. */
static struct span list_of(const struct given *g)
{
    bool step = strcmp(g->name, "linear") == 0;
    int depth = 0;
    for (const char *p = g->text.from; p < g->text.to; p++) {
        depth += (*p == '(' || *p == '[') - (*p == ')' || *p == ']');
        if (*p == ':' && p + 1 < g->text.to && p[1] == ':')
            p++;
        else if (*p == ':' && depth == 0)
            return step ? (struct span){g->text.from, p} : (struct span){p + 1, g->text.to};
    }
    return g->text;
}

/* The name that an item begins with: "a" of "a[0:n]", and of linear's "ref(a)". */
static const char *name_of(const struct parse *x, struct span item)
{
    const char *from = item.from;
    for (;;) {
        while (from < item.to && isspace((unsigned char)*from))
            from++;
        const char *to = from;
        while (to < item.to && (is_name_char(*to) || *to == ':'))
            to++;
        struct span rest = {to, item.to};
        if (*trimmed(x->s, rest) != '(')
            return trimmed(x->s, (struct span){from, to});
        from = skip_blanks(to) + 1;
    }
}

static int own_variable(const struct parse *x, struct cc_strmap *seen, const struct given *all,
                        const struct given *g, const char *name)
{
    bool is_new;
    uint64_t *owner = cc_strmap_put(seen, name, &is_new);
    const char *had = is_new ? NULL : all[*owner].name;
    *owner = (uint64_t)(g - all);
    if (!had || !*name)
        return 0;
    if (strcmp(had, g->name) == 0)
        return FAIL(x, "'%.40s' stands in '%s' twice", name, had);
    bool in = strcmp(had, "firstprivate") == 0 || strcmp(g->name, "firstprivate") == 0;
    bool out = strcmp(had, "lastprivate") == 0 || strcmp(g->name, "lastprivate") == 0;
    return in && out ? 0 : FAIL(x, "'%.40s' stands in '%s' and in '%s'", name, had, g->name);
}

static bool is_one_of(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

/* Data that is moved twice by one directive; sections of one array may stand beside each other. */
static int move_once(const struct parse *x, struct cc_strmap *seen, const char *item)
{
    CC_CLEANUP(cc_free_ptr) char *key = cc_asprintf("moved %s", item);
    bool is_new;
    cc_strmap_put(seen, key, &is_new);
    return is_new ? 0 : FAIL(x, "'%.40s' is moved twice", item);
}

static int check_variables(const struct parse *x, const struct given *all, size_t n)
{
    struct cc_strmap seen = {0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        const struct given *g = &all[i];
        bool owns = is_one_of(g->name, owners, CC_COUNT(owners));
        struct span item, rest = list_of(g);
        for (bool again = owns || is_one_of(g->name, moves, CC_COUNT(moves)); again && rc == 0;) {
            again = cc_divide(rest, ',', &item, &rest);
            rc = owns ? own_variable(x, &seen, all, g, name_of(x, item))
                      : move_once(x, &seen, trimmed(x->s, item));
        }
    }
    cc_strmap_fini(&seen);
    return rc;
}

int cc_clauses_clash(const struct parse *x, const struct given *all, size_t n)
{
    int rc = check_single(x, all, n);
    if (rc == 0)
        rc = check_groups(x, all, n);
    if (rc == 0)
        rc = check_schedule(x, all, n);
    if (rc == 0)
        rc = check_lengths(x, all, n);
    return rc < 0 ? rc : check_variables(x, all, n);
}
