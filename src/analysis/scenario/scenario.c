#include "scenario.h"
#include "expr.h"
#include "../../base/arena.h"
#include "../../base/file.h"
#include "../../base/text.h"

#include <ctype.h>

enum { MAX_FILE = 16 << 20, MAX_LINES = 20000, MAX_EXPANSION = 64, MAX_TEXT = 4096 };

struct define {
    const char *scope, *name, *value;
    unsigned line;
};

struct pragma {
    const char *task, *text; /* text: what follows "#pragma omp" */
    unsigned line;
    bool own; /* #pragma corecast */
};

struct scenario {
    struct cc_scenario pub;
    struct cc_arena arena;
    CC_VEC(struct define) defines;
    CC_VEC(struct pragma) pragmas;
    CC_VEC(struct cc_directive) directives;
};

/* --- kinds and clauses --- */

enum clause {
    C_SCHEDULE = 1 << 0,
    C_NUM_THREADS = 1 << 1,
    C_IF = 1 << 2,
    C_NOWAIT = 1 << 3,
    C_ORDERED = 1 << 4,
    C_REDUCTION = 1 << 5,
    C_COLLAPSE = 1 << 6,
    C_GRAINSIZE = 1 << 7,
    C_NUM_TASKS = 1 << 8,
    C_NOGROUP = 1 << 9,
    C_DATA = 1 << 10, /* who sees which variable: no effect on time */
    C_HINT = 1 << 11, /* untied, mergeable and the like: no effect in this model */
    C_TIME = 1 << 12,
    C_SPEEDUP = 1 << 13,
    C_READ = 1 << 14,
    C_WRITE = 1 << 15,
    C_BUFFERS = 1 << 16,
};

static const struct {
    const char *words; /* longest first where one starts another */
    enum cc_omp_kind kind;
    unsigned clauses;
} kinds[] = {
    {"parallel for", CC_OMP_PARALLEL_FOR,
     C_SCHEDULE | C_NUM_THREADS | C_IF | C_ORDERED | C_REDUCTION | C_COLLAPSE | C_DATA},
    {"parallel sections", CC_OMP_PARALLEL_SECTIONS, C_NUM_THREADS | C_IF | C_REDUCTION | C_DATA},
    {"parallel", CC_OMP_PARALLEL, C_NUM_THREADS | C_IF | C_REDUCTION | C_DATA},
    {"for", CC_OMP_FOR, C_SCHEDULE | C_NOWAIT | C_ORDERED | C_REDUCTION | C_COLLAPSE | C_DATA},
    {"sections", CC_OMP_SECTIONS, C_NOWAIT | C_REDUCTION | C_DATA},
    {"section", CC_OMP_SECTION, 0},
    {"single", CC_OMP_SINGLE, C_NOWAIT | C_DATA},
    {"master", CC_OMP_MASTER, 0},
    {"masked", CC_OMP_MASTER, 0},
    {"critical", CC_OMP_CRITICAL, 0},
    {"barrier", CC_OMP_BARRIER, 0},
    {"ordered", CC_OMP_ORDERED, 0},
    {"taskloop", CC_OMP_TASKLOOP,
     C_IF | C_GRAINSIZE | C_NUM_TASKS | C_NOGROUP | C_COLLAPSE | C_DATA | C_HINT},
    {"taskwait", CC_OMP_TASKWAIT, 0},
    {"task", CC_OMP_TASK, C_IF | C_DATA | C_HINT},
};

static const struct {
    const char *name;
    enum clause clause;
    bool argument;
} clauses[] = {
    {"schedule", C_SCHEDULE, true},
    {"num_threads", C_NUM_THREADS, true},
    {"if", C_IF, true},
    {"nowait", C_NOWAIT, false},
    {"ordered", C_ORDERED, false},
    {"reduction", C_REDUCTION, true},
    {"collapse", C_COLLAPSE, true},
    {"grainsize", C_GRAINSIZE, true},
    {"num_tasks", C_NUM_TASKS, true},
    {"nogroup", C_NOGROUP, false},
    {"private", C_DATA, true},
    {"firstprivate", C_DATA, true},
    {"lastprivate", C_DATA, true},
    {"shared", C_DATA, true},
    {"default", C_DATA, true},
    {"linear", C_DATA, true},
    {"copyin", C_DATA, true},
    {"copyprivate", C_DATA, true},
    {"proc_bind", C_DATA, true},
    {"allocate", C_DATA, true},
    {"untied", C_HINT, false},
    {"mergeable", C_HINT, false},
    {"priority", C_HINT, true},
    {"time", C_TIME, true},
    {"speedup", C_SPEEDUP, true},
    {"read", C_READ, true},
    {"write", C_WRITE, true},
    {"buffers", C_BUFFERS, true},
};

/* --- text --- */

static const char *skip(const char *p)
{
    while (isspace((unsigned char)*p))
        p++;
    return p;
}

static bool name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static const char *trimmed(struct scenario *s, const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return cc_arena_strndup(&s->arena, from, (size_t)(to - from));
}

/* --- #define --- */

/* "f" reaches f and f.label; "*" everything. A narrower scope wins. */
static const struct define *find_define(const struct scenario *s, const char *task, const char *name,
                                        size_t n)
{
    const struct define *best = NULL;
    size_t best_rank = 0;
    for (size_t i = 0; i < s->defines.n; i++) {
        const struct define *d = &s->defines.v[i];
        if (strlen(d->name) != n || strncmp(d->name, name, n) != 0)
            continue;
        size_t scope = strlen(d->scope), rank = 0;
        if (strcmp(d->scope, "*") == 0)
            rank = 1;
        else if (strcmp(d->scope, task) == 0)
            rank = 3;
        else if (strncmp(task, d->scope, scope) == 0 && task[scope] == '.')
            rank = 2;
        if (rank > best_rank) {
            best = d;
            best_rank = rank;
        }
    }
    return best;
}

/* Puts in every #define, over and over; `via` is the chain of names being expanded. */
static int expand(struct scenario *s, const char *task, unsigned line, const char *text,
                  const struct define **via, size_t depth, struct cc_buf *out, struct cc_err *err)
{
    for (const char *p = text; *p;) {
        if (out->n > MAX_TEXT)
            return cc_err_at(err, CC_EINPUT, s->pub.path, line, "an expression is longer than %d bytes",
                             MAX_TEXT);
        size_t n = 0;
        if (!isdigit((unsigned char)*p))
            while (name_char(p[n]))
                n++;
        if (n == 0) {
            n = 1;
            if (isdigit((unsigned char)*p))
                while (name_char(p[n]))
                    n++;
            cc_buf_add(out, p, n);
            p += n;
            continue;
        }
        const struct define *d = find_define(s, task, p, n);
        if (!d) {
            cc_buf_add(out, p, n);
        } else {
            for (size_t i = 0; i < depth; i++)
                if (via[i] == d)
                    return cc_err_at(err, CC_EINPUT, s->pub.path, d->line, "#define %s is defined by itself",
                                     d->name);
            if (depth == MAX_EXPANSION)
                return cc_err_at(err, CC_EINPUT, s->pub.path, d->line, "#define %s is nested too deep",
                                 d->name);
            via[depth] = d;
            cc_buf_puts(out, "(");
            int rc = expand(s, task, line, d->value, via, depth + 1, out, err);
            if (rc < 0)
                return rc;
            cc_buf_puts(out, ")");
        }
        p += n;
    }
    return 0;
}

/* The text of an expression with the #defines in, checked for its form (its value may depend on the
 * processors). */
static int expression(struct scenario *s, const struct pragma *p, const char *clause, const char *from,
                      const char *to, const char **ret, struct cc_err *err)
{
    const char *raw = trimmed(s, from, to);
    struct cc_buf out = {0};
    const struct define *via[MAX_EXPANSION];
    int rc = expand(s, p->task, p->line, raw, via, 0, &out, err);
    if (rc == 0) {
        int64_t v;
        char why[128];
        if (!cc_expr_eval(out.s ? out.s : "", 4, &v, why) && strcmp(why, "division by zero") != 0)
            rc = cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "%s(%.80s): %s", clause, raw, why);
        else
            *ret = cc_arena_strdup(&s->arena, out.s);
    }
    cc_buf_fini(&out);
    return rc;
}

/* --- clauses --- */

static int once(struct scenario *s, const struct pragma *p, bool had, const char *clause, struct cc_err *err)
{
    return had ? cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "'%s' is given twice for '%s'", clause,
                           p->task)
               : 0;
}

static int parse_schedule(struct scenario *s, const struct pragma *p, struct cc_directive *d,
                          const char *from, const char *to, struct cc_err *err)
{
    const char *colon = memchr(from, ':', (size_t)(to - from));
    if (colon) {
        const char *modifier = trimmed(s, from, colon);
        if (strcmp(modifier, "monotonic") != 0 && strcmp(modifier, "nonmonotonic") != 0)
            return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "unknown schedule modifier '%.40s'",
                             modifier);
        from = colon + 1;
    }
    const char *comma = memchr(from, ',', (size_t)(to - from));
    const char *kind = trimmed(s, from, comma ? comma : to);
    bool automatic = strcmp(kind, "auto") == 0;
    if (strcmp(kind, "static") == 0 || automatic)
        d->schedule = CC_OMP_STATIC;
    else if (strcmp(kind, "dynamic") == 0)
        d->schedule = CC_OMP_DYNAMIC;
    else if (strcmp(kind, "guided") == 0)
        d->schedule = CC_OMP_GUIDED;
    else if (strcmp(kind, "runtime") == 0)
        return cc_err_at(err, CC_EINPUT, s->pub.path, p->line,
                         "schedule(runtime) leaves the schedule open: name it here");
    else
        return cc_err_at(err, CC_EINPUT, s->pub.path, p->line,
                         "unknown schedule '%.40s': static, dynamic or guided", kind);
    d->has_schedule = true;
    if (!comma)
        return 0;
    if (automatic)
        return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "schedule(auto) takes no chunk size");
    return expression(s, p, "schedule", comma + 1, to, &d->chunk, err);
}

/* "+:a,b[:1024],c[0:n]": one value for a plain variable, the section's length for an array. */
static int parse_reduction(struct scenario *s, const struct pragma *p, struct cc_directive *d,
                           const char *from, const char *to, struct cc_err *err)
{
    const char *colon = memchr(from, ':', (size_t)(to - from));
    if (!colon || trimmed(s, from, colon)[0] == 0)
        return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "expected reduction(OPERATOR:VARIABLES)");
    for (const char *at = colon + 1; at <= to;) {
        const char *end = at, *bracket = NULL, *length = NULL;
        int depth = 0;
        for (; end < to && (*end != ',' || depth); end++) {
            depth += *end == '[';
            depth -= *end == ']';
            if (*end == '[' && depth == 1)
                bracket = end + 1;
            if (*end == ':' && depth == 1)
                length = end + 1;
        }
        const char *item = trimmed(s, at, end);
        if (!(isalpha((unsigned char)item[0]) || item[0] == '_') || depth)
            return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "reduction: '%.40s' is no variable", item);
        const char *values = "1";
        if (bracket) {
            const char *close = memchr(bracket, ']', (size_t)(end - bracket));
            int rc =
                expression(s, p, "reduction", length ? length : bracket, close ? close : end, &values, err);
            if (rc < 0)
                return rc;
        }
        const char **list = cc_arena_alloc(&s->arena, (d->nreductions + 1) * sizeof *list);
        if (d->nreductions)
            memcpy(list, d->reductions, d->nreductions * sizeof *list);
        list[d->nreductions++] = values;
        d->reductions = list;
        at = end + 1;
    }
    return 0;
}

/* "BYTES" or "BYTES, LINES" */
static int parse_transfer(struct scenario *s, const struct pragma *p, const char *name, const char *place[2],
                          const char *from, const char *to, struct cc_err *err)
{
    if (once(s, p, place[0] != NULL, name, err) < 0)
        return -CC_EINPUT;
    const char *comma = memchr(from, ',', (size_t)(to - from));
    place[1] = "1";
    int rc = expression(s, p, name, from, comma ? comma : to, &place[0], err);
    if (rc == 0 && comma)
        rc = expression(s, p, name, comma + 1, to, &place[1], err);
    return rc;
}

static int parse_clause(struct scenario *s, const struct pragma *p, struct cc_directive *d, size_t which,
                        const char *from, const char *to, struct cc_err *err)
{
    const char **place = NULL;
    bool had;
    const char *name = clauses[which].name;
    switch (clauses[which].clause) {
    case C_SCHEDULE:
        if (once(s, p, d->has_schedule, name, err) < 0)
            return -CC_EINPUT;
        return parse_schedule(s, p, d, from, to, err);
    case C_REDUCTION:
        return parse_reduction(s, p, d, from, to, err);
    case C_READ:
        return parse_transfer(s, p, name, d->read, from, to, err);
    case C_WRITE:
        return parse_transfer(s, p, name, d->write, from, to, err);
    case C_NOWAIT:
        had = d->nowait;
        d->nowait = true;
        return once(s, p, had, name, err);
    case C_ORDERED:
        had = d->ordered;
        d->ordered = true;
        return once(s, p, had, name, err);
    case C_NOGROUP:
        had = d->nogroup;
        d->nogroup = true;
        return once(s, p, had, name, err);
    case C_NUM_THREADS:
        place = &d->num_threads;
        break;
    case C_IF:
        place = &d->condition;
        break;
    case C_COLLAPSE:
        place = &d->collapse;
        break;
    case C_GRAINSIZE:
        place = &d->grainsize;
        break;
    case C_NUM_TASKS:
        place = &d->num_tasks;
        break;
    case C_TIME:
        place = &d->time;
        break;
    case C_SPEEDUP:
        place = &d->speedup;
        break;
    case C_BUFFERS:
        place = &d->buffers;
        break;
    case C_DATA:
    case C_HINT:
        return 0;
    }
    int rc = once(s, p, *place != NULL, name, err);
    return rc < 0 ? rc : expression(s, p, name, from, to, place, err);
}

static int unknown_clause(struct scenario *s, const struct pragma *p, const char *word, struct cc_err *err)
{
    int rc = cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "unknown clause '%.40s'", word);
    const char *names[CC_COUNT(clauses)];
    for (size_t i = 0; i < CC_COUNT(clauses); i++)
        names[i] = clauses[i].name;
    const char *near = cc_nearest(word, names, CC_COUNT(names));
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    return rc;
}

/* The ')' that closes the '(' at p, or NULL. */
static const char *closing(const char *p)
{
    int depth = 0;
    for (; *p; p++) {
        depth += *p == '(';
        depth -= *p == ')';
        if (depth == 0)
            return p;
    }
    return NULL;
}

static int parse_clauses(struct scenario *s, const struct pragma *p, struct cc_directive *d, const char *at,
                         unsigned allowed, const char *words, struct cc_err *err)
{
    for (at = skip(at); *at; at = skip(at)) {
        const char *word = at;
        while (name_char(*at))
            at++;
        if (at == word && *at == ',') {
            at++;
            continue;
        }
        if (at == word)
            return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "'%.40s' is no clause", at);
        const char *name = trimmed(s, word, at), *open = skip(at), *close = NULL;
        size_t which = 0;
        while (which < CC_COUNT(clauses) && strcmp(clauses[which].name, name) != 0)
            which++;
        if (which == CC_COUNT(clauses))
            return unknown_clause(s, p, name, err);
        if (!(clauses[which].clause & allowed))
            return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "'%s' does not go with '%s'", name, words);
        if (*open == '(' && !clauses[which].argument)
            return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "'%s' takes no argument", name);
        if (clauses[which].argument && (*open != '(' || !(close = closing(open))))
            return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "'%s' lacks its '(…)'", name);
        int rc = parse_clause(s, p, d, which, close ? open + 1 : at, close ? close : at, err);
        if (rc < 0)
            return rc;
        if (close)
            at = close + 1;
    }
    return 0;
}

/* --- directives --- */

/* "parallel  for …" against "parallel for": where the rest begins, or NULL. */
static const char *match_words(const char *text, const char *words)
{
    while (*words) {
        if (*words == ' ') {
            if (!isspace((unsigned char)*text))
                return NULL;
            text = skip(text);
            words++;
        } else if (*text++ != *words++) {
            return NULL;
        }
    }
    return name_char(*text) ? NULL : text;
}

static int parse_critical(struct scenario *s, const struct pragma *p, struct cc_directive *d,
                          const char **rest, struct cc_err *err)
{
    d->critical = "";
    const char *open = skip(*rest);
    if (*open != '(')
        return 0;
    const char *close = closing(open);
    if (!close)
        return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "a ')' is missing");
    d->critical = trimmed(s, open + 1, close);
    *rest = close + 1;
    return d->critical[0] ? 0
                          : cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "critical() has an empty name");
}

static const char *display(struct scenario *s, const struct cc_directive *d, const char *words)
{
    static const char *const schedules[] = {"static", "dynamic", "guided"};
    struct cc_buf b = {0};
    cc_buf_puts(&b, words);
    if (d->has_schedule)
        cc_buf_printf(&b, " schedule(%s%s%s)", schedules[d->schedule], d->chunk ? ", " : "",
                      d->chunk ? d->chunk : "");
    if (d->critical && d->critical[0])
        cc_buf_printf(&b, "(%s)", d->critical);
    if (d->nowait)
        cc_buf_puts(&b, " nowait");
    const char *text = cc_arena_strdup(&s->arena, b.s);
    cc_buf_fini(&b);
    return text;
}

/* #pragma corecast time(N), speedup(N), or dma read(…) write(…) buffers(N) */
static int parse_own(struct scenario *s, const struct pragma *p, struct cc_directive *d, struct cc_err *err)
{
    *d = (struct cc_directive){.kind = CC_OMP_REPLACE, .task = p->task, .line = p->line};
    d->text = trimmed(s, p->text, p->text + strlen(p->text));
    const char *dma = match_words(skip(p->text), "dma");
    if (dma) {
        d->kind = CC_OMP_TRANSFER;
        int failed = parse_clauses(s, p, d, dma, C_READ | C_WRITE | C_BUFFERS, "#pragma corecast dma", err);
        if (failed == 0 && !d->read[0] && !d->write[0])
            failed = cc_err_at(err, CC_EINPUT, s->pub.path, p->line,
                               "'#pragma corecast dma' needs read(BYTES) or write(BYTES)");
        return failed;
    }
    int rc = parse_clauses(s, p, d, p->text, C_TIME | C_SPEEDUP, "#pragma corecast", err);
    if (rc == 0 && !d->time == !d->speedup)
        rc = cc_err_at(err, CC_EINPUT, s->pub.path, p->line,
                       "'#pragma corecast' takes either time(N) or speedup(N), or dma");
    return rc;
}

static int parse_pragma(struct scenario *s, const struct pragma *p, struct cc_directive *d,
                        struct cc_err *err)
{
    if (p->own)
        return parse_own(s, p, d, err);
    const char *text = skip(p->text), *rest = NULL;
    size_t k = 0;
    for (; k < CC_COUNT(kinds); k++)
        if ((rest = match_words(text, kinds[k].words)))
            break;
    if (!rest) {
        size_t n = strcspn(text, " \t(");
        return cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "unknown directive '%.*s'",
                         (int)CC_MIN(n, (size_t)40), text);
    }
    *d = (struct cc_directive){.kind = kinds[k].kind, .task = p->task, .line = p->line};
    int rc = d->kind == CC_OMP_CRITICAL ? parse_critical(s, p, d, &rest, err) : 0;
    if (rc == 0)
        rc = parse_clauses(s, p, d, rest, kinds[k].clauses, kinds[k].words, err);
    if (rc == 0 && d->grainsize && d->num_tasks)
        rc =
            cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "'grainsize' and 'num_tasks' exclude each other");
    d->text = display(s, d, kinds[k].words);
    return rc;
}

/* "parallel" and "for" (or "sections") on one task in two lines are one "parallel for"; anything else
 * contradicts. */
static int merge(struct scenario *s, struct cc_directive *have, const struct cc_directive *add,
                 struct cc_err *err)
{
    struct cc_directive *par = have->kind == CC_OMP_PARALLEL ? have : NULL;
    const struct cc_directive *share = add;
    struct cc_directive swapped;
    if (!par && add->kind == CC_OMP_PARALLEL) {
        swapped = *add;
        par = &swapped;
        share = have;
    }
    if (!par || (share->kind != CC_OMP_FOR && share->kind != CC_OMP_SECTIONS))
        return cc_err_at(err, CC_EINPUT, s->pub.path, add->line, "'%s' for '%s' contradicts '%s' of line %u",
                         add->text, add->task, have->text, have->line);
    if (share->nowait)
        return cc_err_at(err, CC_EINPUT, s->pub.path, share->line,
                         "'nowait' does not go with 'parallel' on the same task");
    struct cc_directive both = *share;
    both.kind = share->kind == CC_OMP_FOR ? CC_OMP_PARALLEL_FOR : CC_OMP_PARALLEL_SECTIONS;
    both.num_threads = par->num_threads;
    both.condition = par->condition;
    both.line = have->line;
    if (par->nreductions) {
        both.nreductions += par->nreductions;
        both.reductions = cc_arena_alloc(&s->arena, both.nreductions * sizeof *both.reductions);
        memcpy(both.reductions, par->reductions, par->nreductions * sizeof *both.reductions);
        if (share->nreductions)
            memcpy(both.reductions + par->nreductions, share->reductions,
                   share->nreductions * sizeof *both.reductions);
    }
    both.text = display(s, &both, both.kind == CC_OMP_PARALLEL_FOR ? "parallel for" : "parallel sections");
    *have = both;
    return 0;
}

static int add_directive(struct scenario *s, const struct cc_directive *d, struct cc_err *err)
{
    for (size_t i = 0; i < s->directives.n; i++)
        if (strcmp(s->directives.v[i].task, d->task) == 0 &&
            (s->directives.v[i].kind == CC_OMP_TRANSFER) == (d->kind == CC_OMP_TRANSFER))
            return merge(s, &s->directives.v[i], d, err);
    CC_VEC_PUSH(&s->directives, *d);
    return 0;
}

/* --- lines --- */

static int add_define(struct scenario *s, const char *task, unsigned line, const char *rest,
                      struct cc_err *err)
{
    const char *name = skip(rest), *end = name;
    while (name_char(*end))
        end++;
    if (end == name || isdigit((unsigned char)*name))
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "#define lacks a name");
    if (*end == '(')
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "a #define with arguments is not supported");
    struct define d = {task, cc_arena_strndup(&s->arena, name, (size_t)(end - name)),
                       trimmed(s, end, end + strlen(end)), line};
    if (!d.value[0])
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "#define %s has no value", d.name);
    for (size_t i = 0; i < s->defines.n; i++)
        if (strcmp(s->defines.v[i].scope, task) == 0 && strcmp(s->defines.v[i].name, d.name) == 0)
            return cc_err_at(err, CC_EINPUT, s->pub.path, line, "#define %s contradicts line %u", d.name,
                             s->defines.v[i].line);
    CC_VEC_PUSH(&s->defines, d);
    return 0;
}

/* The '=' between name and directive: the first one with '#' after it, so that operator== can be named. */
static const char *separator(const char *line)
{
    for (const char *p = strchr(line, '='); p; p = strchr(p + 1, '='))
        if (*skip(p + 1) == '#')
            return p;
    return NULL;
}

static int add_line(struct scenario *s, const char *text, unsigned line, struct cc_err *err)
{
    const char *start = skip(text);
    if (!*start || *start == '#' || *start == '!' || *start == ';')
        return 0;
    const char *eq = separator(start);
    if (!eq)
        return cc_err_at(err, CC_EINPUT, s->pub.path, line,
                         "expected 'TASK = #pragma omp …' or 'TASK = #define …'");
    const char *task = trimmed(s, start, eq), *value = skip(skip(eq + 1) + 1);
    if (!task[0])
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "the task's name is missing before '='");
    const char *rest = match_words(value, "define");
    if (rest)
        return add_define(s, task, line, rest, err);
    rest = match_words(value, "pragma omp");
    bool own = !rest && (rest = match_words(value, "pragma corecast"));
    if (!rest)
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "'#%.40s' is neither '#pragma omp' nor '#define'",
                         value);
    struct pragma p = {task, cc_arena_strdup(&s->arena, rest), line, own};
    CC_VEC_PUSH(&s->pragmas, p);
    return 0;
}

/* Splits into lines; one that ends in a backslash goes on with the next. */
static int read_lines(struct scenario *s, const char *text, size_t size, struct cc_err *err)
{
    struct cc_buf whole = {0};
    unsigned line = 0, first = 1;
    int rc = 0;
    if (memchr(text, 0, size))
        rc = cc_err_at(err, CC_EINPUT, s->pub.path, 0, "not text: a zero byte");
    for (const char *p = text, *end = text + size; rc == 0 && p < end;) {
        const char *stop = memchr(p, '\n', (size_t)(end - p));
        size_t n = (size_t)((stop ? stop : end) - p);
        if (++line > MAX_LINES)
            rc = cc_err_at(err, CC_EINPUT, s->pub.path, line, "more than %d lines", MAX_LINES);
        if (n && p[n - 1] == '\r')
            n--;
        if (whole.n == 0)
            first = line;
        bool more = n && p[n - 1] == '\\' && stop;
        cc_buf_add(&whole, p, more ? n - 1 : n);
        if (more)
            cc_buf_puts(&whole, " ");
        if (!more && rc == 0) {
            rc = whole.n ? add_line(s, whole.s, first, err) : 0;
            whole.n = 0;
        }
        p = stop ? stop + 1 : end;
    }
    cc_buf_fini(&whole);
    return rc;
}

static const char *base_name(struct scenario *s, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    return cc_arena_strndup(&s->arena, name, dot && dot > name ? (size_t)(dot - name) : strlen(name));
}

int cc_scenario_parse(const char *path, const char *text, size_t size, struct cc_scenario **ret,
                      struct cc_err *err)
{
    struct scenario *s = cc_alloc(sizeof *s);
    s->pub.path = cc_arena_strdup(&s->arena, path);
    s->pub.name = base_name(s, path);
    int rc = read_lines(s, text, size, err);
    for (size_t i = 0; rc == 0 && i < s->pragmas.n; i++) {
        struct cc_directive d;
        rc = parse_pragma(s, &s->pragmas.v[i], &d, err);
        if (rc == 0)
            rc = add_directive(s, &d, err);
    }
    if (rc == 0 && s->directives.n == 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "no directive in the scenario");
    s->pub.directives = s->directives.v;
    s->pub.n = s->directives.n;
    if (rc < 0)
        cc_scenario_free(&s->pub);
    else
        *ret = &s->pub;
    return rc;
}

int cc_scenario_load(const char *path, struct cc_scenario **ret, struct cc_err *err)
{
    char *text;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &text, &size, err);
    if (rc < 0)
        return rc;
    rc = cc_scenario_parse(path, text, size, ret, err);
    free(text);
    return rc;
}

void cc_scenario_free(struct cc_scenario *pub)
{
    if (!pub)
        return;
    struct scenario *s = (struct scenario *)pub;
    CC_VEC_FINI(&s->defines);
    CC_VEC_FINI(&s->pragmas);
    CC_VEC_FINI(&s->directives);
    cc_arena_fini(&s->arena);
    free(s);
}

/* --- against a trace --- */

static int unknown_task(const struct scenario *s, const char *task, unsigned line, const char *const *names,
                        size_t n, struct cc_err *err)
{
    int rc = cc_err_at(err, CC_EINPUT, s->pub.path, line, "the trace has no task '%.200s'", task);
    const char *near = cc_nearest(task, names, n);
    if (near)
        cc_err_hint(err, "did you mean '%.200s'?", near);
    else
        cc_err_hint(err, "'corecast predict --tasks' lists the tasks");
    return rc;
}

int cc_scenario_check_names(const struct cc_scenario *pub, const char *const *names, size_t n,
                            struct cc_err *err)
{
    const struct scenario *s = (const struct scenario *)pub;
    for (size_t i = 0; i < s->directives.n; i++) {
        size_t k = 0;
        while (k < n && strcmp(names[k], s->directives.v[i].task) != 0)
            k++;
        if (k == n)
            return unknown_task(s, s->directives.v[i].task, s->directives.v[i].line, names, n, err);
    }
    for (size_t i = 0; i < s->defines.n; i++) {
        const char *scope = s->defines.v[i].scope;
        size_t length = strlen(scope), k = 0;
        while (k < n && strcmp(scope, "*") != 0 &&
               !(strncmp(names[k], scope, length) == 0 && (names[k][length] == 0 || names[k][length] == '.')))
            k++;
        if (k == n && n)
            return unknown_task(s, scope, s->defines.v[i].line, names, n, err);
    }
    return 0;
}

int cc_scenario_eval(const struct cc_scenario *s, const struct cc_directive *d, const char *clause,
                     const char *text, int64_t processors, int64_t min, int64_t max, int64_t *ret,
                     struct cc_err *err)
{
    char why[128];
    if (!cc_expr_eval(text, processors, ret, why))
        return cc_err_at(err, CC_EINPUT, s->path, d->line, "%s of '%s': %s", clause, d->task, why);
    if (*ret < min || *ret > max)
        return cc_err_at(err, CC_EINPUT, s->path, d->line, "%s of '%s' is %lld, outside %lld to %lld", clause,
                         d->task, (long long)*ret, (long long)min, (long long)max);
    return 0;
}
