/* A pragma's text as a directive: its kind, and the clauses that kind takes. */
#include "parse.h"
#include "../../base/text.h"

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
    C_VECTOR = 1 << 17, /* how wide: the platform's gain holds */
};

static const struct {
    const char *words; /* longest first where one starts another */
    enum cc_omp_kind kind;
    unsigned clauses;
} kinds[] = {
    {"parallel for simd", CC_OMP_PARALLEL_FOR,
     C_SCHEDULE | C_NUM_THREADS | C_IF | C_REDUCTION | C_COLLAPSE | C_DATA | C_VECTOR},
    {"parallel for", CC_OMP_PARALLEL_FOR,
     C_SCHEDULE | C_NUM_THREADS | C_IF | C_ORDERED | C_REDUCTION | C_COLLAPSE | C_DATA},
    {"parallel sections", CC_OMP_PARALLEL_SECTIONS, C_NUM_THREADS | C_IF | C_REDUCTION | C_DATA},
    {"parallel", CC_OMP_PARALLEL, C_NUM_THREADS | C_IF | C_REDUCTION | C_DATA},
    {"for simd", CC_OMP_FOR, C_SCHEDULE | C_NOWAIT | C_REDUCTION | C_COLLAPSE | C_DATA | C_VECTOR},
    {"simd", CC_OMP_REPLACE, C_REDUCTION | C_COLLAPSE | C_DATA | C_VECTOR},
    {"for", CC_OMP_FOR, C_SCHEDULE | C_NOWAIT | C_ORDERED | C_REDUCTION | C_COLLAPSE | C_DATA},
    {"sections", CC_OMP_SECTIONS, C_NOWAIT | C_REDUCTION | C_DATA},
    {"section", CC_OMP_SECTION, 0},
    {"single", CC_OMP_SINGLE, C_NOWAIT | C_DATA},
    {"master", CC_OMP_MASTER, 0},
    {"masked", CC_OMP_MASTER, 0},
    {"critical", CC_OMP_CRITICAL, 0},
    {"barrier", CC_OMP_BARRIER, 0},
    {"ordered", CC_OMP_ORDERED, 0},
    {"taskloop simd", CC_OMP_TASKLOOP,
     C_IF | C_GRAINSIZE | C_NUM_TASKS | C_NOGROUP | C_COLLAPSE | C_DATA | C_HINT | C_VECTOR},
    {"taskloop", CC_OMP_TASKLOOP,
     C_IF | C_GRAINSIZE | C_NUM_TASKS | C_NOGROUP | C_COLLAPSE | C_DATA | C_HINT},
    {"taskwait", CC_OMP_TASKWAIT, 0},
    {"task", CC_OMP_TASK, C_IF | C_DATA | C_HINT},
};

/* How a clause is read. */
enum reading { EXPRESSION, FLAG, SCHEDULE, REDUCTION, TRANSFER, NOTHING };

#define AT(field) offsetof(struct cc_directive, field)
static const struct {
    const char *name;
    enum clause clause;
    bool argument;
    enum reading reading;
    size_t at; /* the field it sets */
} clauses[] = {
    {"schedule", C_SCHEDULE, true, SCHEDULE, 0},
    {"num_threads", C_NUM_THREADS, true, EXPRESSION, AT(num_threads)},
    {"if", C_IF, true, EXPRESSION, AT(condition)},
    {"nowait", C_NOWAIT, false, FLAG, AT(nowait)},
    {"ordered", C_ORDERED, false, FLAG, AT(ordered)},
    {"reduction", C_REDUCTION, true, REDUCTION, 0},
    {"collapse", C_COLLAPSE, true, EXPRESSION, AT(collapse)},
    {"grainsize", C_GRAINSIZE, true, EXPRESSION, AT(grainsize)},
    {"num_tasks", C_NUM_TASKS, true, EXPRESSION, AT(num_tasks)},
    {"nogroup", C_NOGROUP, false, FLAG, AT(nogroup)},
    {"private", C_DATA, true, NOTHING, 0},
    {"firstprivate", C_DATA, true, NOTHING, 0},
    {"lastprivate", C_DATA, true, NOTHING, 0},
    {"shared", C_DATA, true, NOTHING, 0},
    {"default", C_DATA, true, NOTHING, 0},
    {"linear", C_DATA, true, NOTHING, 0},
    {"copyin", C_DATA, true, NOTHING, 0},
    {"copyprivate", C_DATA, true, NOTHING, 0},
    {"proc_bind", C_DATA, true, NOTHING, 0},
    {"allocate", C_DATA, true, NOTHING, 0},
    {"simdlen", C_VECTOR, true, NOTHING, 0},
    {"safelen", C_VECTOR, true, NOTHING, 0},
    {"aligned", C_VECTOR, true, NOTHING, 0},
    {"untied", C_HINT, false, NOTHING, 0},
    {"mergeable", C_HINT, false, NOTHING, 0},
    {"priority", C_HINT, true, NOTHING, 0},
    {"time", C_TIME, true, EXPRESSION, AT(time)},
    {"speedup", C_SPEEDUP, true, EXPRESSION, AT(speedup)},
    {"read", C_READ, true, TRANSFER, AT(read)},
    {"write", C_WRITE, true, TRANSFER, AT(write)},
    {"buffers", C_BUFFERS, true, EXPRESSION, AT(buffers)},
};

/* What all the functions below work on. */
struct parse {
    struct scenario *s;
    const struct pragma *p;
    struct cc_directive *d;
    struct cc_err *err;
};

#define FAIL(x, ...) cc_err_at((x)->err, CC_EINPUT, (x)->s->pub.path, (x)->p->line, __VA_ARGS__)

static int expression(const struct parse *x, const char *clause, struct span text, const char **ret)
{
    return cc_define_expression(x->s, x->p, clause, text, ret, x->err);
}

/* The part before the first `c`, and what follows it; false: there is none, and all is before. */
static bool divide(struct span text, char c, struct span *ret_before, struct span *ret_after)
{
    const char *at = memchr(text.from, c, (size_t)(text.to - text.from));
    *ret_before = (struct span){text.from, at ? at : text.to};
    *ret_after = (struct span){at ? at + 1 : text.to, text.to};
    return at;
}

/* --- clauses --- */

static int once(const struct parse *x, bool had, const char *clause)
{
    return had ? FAIL(x, "'%s' is given twice for '%s'", clause, x->p->task) : 0;
}

static int parse_schedule(const struct parse *x, struct span text)
{
    struct cc_directive *d = x->d;
    struct span first, rest, chunk;
    if (once(x, d->has_schedule, "schedule") < 0)
        return -CC_EINPUT;
    if (divide(text, ':', &first, &rest)) {
        const char *modifier = trimmed(x->s, first);
        if (strcmp(modifier, "monotonic") != 0 && strcmp(modifier, "nonmonotonic") != 0)
            return FAIL(x, "unknown schedule modifier '%.40s'", modifier);
        text = rest;
    }
    bool has_chunk = divide(text, ',', &first, &chunk);
    const char *kind = trimmed(x->s, first);
    bool automatic = strcmp(kind, "auto") == 0;
    if (strcmp(kind, "static") == 0 || automatic)
        d->schedule = CC_OMP_STATIC;
    else if (strcmp(kind, "dynamic") == 0)
        d->schedule = CC_OMP_DYNAMIC;
    else if (strcmp(kind, "guided") == 0)
        d->schedule = CC_OMP_GUIDED;
    else if (strcmp(kind, "runtime") == 0)
        return FAIL(x, "schedule(runtime) leaves the schedule open: name it here");
    else
        return FAIL(x, "unknown schedule '%.40s': static, dynamic or guided", kind);
    d->has_schedule = true;
    if (!has_chunk)
        return 0;
    if (automatic)
        return FAIL(x, "schedule(auto) takes no chunk size");
    return expression(x, "schedule", chunk, &d->chunk);
}

/* One item of a reduction: one value for a plain variable, the section's length for an array. Its end is at
 * the comma behind it. */
static int parse_reduction_item(const struct parse *x, struct span *item)
{
    const char *end = item->from, *bracket = NULL, *length = NULL, *close = NULL, *values = "1";
    int depth = 0;
    for (; end < item->to && (*end != ',' || depth); end++) {
        depth += *end == '[';
        depth -= *end == ']';
        if (*end == '[' && depth == 1)
            bracket = end + 1, length = NULL;
        if (*end == ']' && depth == 0)
            close = end;
        if (*end == ':' && depth == 1)
            length = end + 1;
    }
    item->to = end;
    const char *name = trimmed(x->s, *item);
    if (!(isalpha((unsigned char)name[0]) || name[0] == '_') || depth)
        return FAIL(x, "reduction: '%.40s' is no variable", name);
    if (bracket && close) {
        struct span size = {length ? length : bracket, close};
        int rc = expression(x, "reduction", size, &values);
        if (rc < 0)
            return rc;
    }
    struct cc_directive *d = x->d;
    const char **list = cc_arena_alloc(&x->s->arena, (d->nreductions + 1) * sizeof *list);
    if (d->nreductions)
        memcpy(list, d->reductions, d->nreductions * sizeof *list);
    list[d->nreductions++] = values;
    d->reductions = list;
    return 0;
}

/* "+:a,b[:1024],c[0:n]" */
static int parse_reduction(const struct parse *x, struct span text)
{
    struct span operator, variables;
    if (!divide(text, ':', &operator, & variables) || trimmed(x->s, operator)[0] == 0)
        return FAIL(x, "expected reduction(OPERATOR:VARIABLES)");
    while (variables.from <= variables.to) {
        struct span item = variables;
        int rc = parse_reduction_item(x, &item);
        if (rc < 0)
            return rc;
        variables.from = item.to + 1;
    }
    return 0;
}

/* "BYTES" or "BYTES, LINES" */
static int parse_transfer(const struct parse *x, const char *name, const char *place[2], struct span text)
{
    if (once(x, place[0] != NULL, name) < 0)
        return -CC_EINPUT;
    struct span bytes, lines;
    bool has_lines = divide(text, ',', &bytes, &lines);
    place[1] = "1";
    int rc = expression(x, name, bytes, &place[0]);
    return rc == 0 && has_lines ? expression(x, name, lines, &place[1]) : rc;
}

static int parse_clause(const struct parse *x, size_t which, struct span text)
{
    const char *name = clauses[which].name;
    void *at = (char *)x->d + clauses[which].at;
    switch (clauses[which].reading) {
    case SCHEDULE:
        return parse_schedule(x, text);
    case REDUCTION:
        return parse_reduction(x, text);
    case TRANSFER:
        return parse_transfer(x, name, at, text);
    case FLAG: {
        bool *flag = at, had = *flag;
        *flag = true;
        return once(x, had, name);
    }
    case EXPRESSION: {
        const char **place = at;
        int rc = once(x, *place != NULL, name);
        return rc < 0 ? rc : expression(x, name, text, place);
    }
    case NOTHING:
        break;
    }
    return 0;
}

static int unknown_clause(const struct parse *x, const char *word)
{
    int rc = FAIL(x, "unknown clause '%.40s'", word);
    const char *names[CC_COUNT(clauses)];
    for (size_t i = 0; i < CC_COUNT(clauses); i++)
        names[i] = clauses[i].name;
    const char *near = cc_nearest(word, names, CC_COUNT(names));
    if (near)
        cc_err_hint(x->err, "did you mean '%s'?", near);
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

/* The clauses of `words` from `at` on; `allowed`: those it takes. */
static int parse_clauses(const struct parse *x, const char *at, unsigned allowed, const char *words)
{
    for (at = skip_blanks(at); *at; at = skip_blanks(at)) {
        const char *word = at;
        while (is_name_char(*at))
            at++;
        if (at == word && *at == ',') {
            at++;
            continue;
        }
        if (at == word)
            return FAIL(x, "'%.40s' is no clause", at);
        const char *name = trimmed(x->s, (struct span){word, at}), *open = skip_blanks(at), *close = NULL;
        size_t which = 0;
        while (which < CC_COUNT(clauses) && strcmp(clauses[which].name, name) != 0)
            which++;
        if (which == CC_COUNT(clauses))
            return unknown_clause(x, name);
        if (!(clauses[which].clause & allowed))
            return FAIL(x, "'%s' does not go with '%s'", name, words);
        if (*open == '(' && !clauses[which].argument)
            return FAIL(x, "'%s' takes no argument", name);
        if (clauses[which].argument && (*open != '(' || !(close = closing(open))))
            return FAIL(x, "'%s' lacks its '(…)'", name);
        struct span argument = {close ? open + 1 : at, close ? close : at};
        int rc = parse_clause(x, which, argument);
        if (rc < 0)
            return rc;
        if (close)
            at = close + 1;
    }
    return 0;
}

/* --- directives --- */

static int parse_critical(const struct parse *x, const char **rest)
{
    x->d->critical = "";
    const char *open = skip_blanks(*rest);
    if (*open != '(')
        return 0;
    const char *close = closing(open);
    if (!close)
        return FAIL(x, "a ')' is missing");
    x->d->critical = trimmed(x->s, (struct span){open + 1, close});
    *rest = close + 1;
    return x->d->critical[0] ? 0 : FAIL(x, "critical() has an empty name");
}

const char *cc_directive_text(struct scenario *s, const struct cc_directive *d, const char *words)
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

/* #pragma corecast dma read(…) write(…) buffers(N) */
static int parse_dma(const struct parse *x, const char *rest)
{
    x->d->kind = CC_OMP_TRANSFER;
    int rc = parse_clauses(x, rest, C_READ | C_WRITE | C_BUFFERS, "#pragma corecast dma");
    if (rc == 0 && !x->d->read[0] && !x->d->write[0])
        rc = FAIL(x, "'#pragma corecast dma' needs read(BYTES) or write(BYTES)");
    return rc;
}

/* #pragma corecast time(N), speedup(N), or dma */
static int parse_own(const struct parse *x)
{
    const char *text = x->p->text;
    x->d->kind = CC_OMP_REPLACE;
    x->d->text = trimmed(x->s, (struct span){text, text + strlen(text)});
    const char *dma = cc_match_words(skip_blanks(text), "dma");
    if (dma)
        return parse_dma(x, dma);
    int rc = parse_clauses(x, text, C_TIME | C_SPEEDUP, "#pragma corecast");
    if (rc == 0 && !x->d->time == !x->d->speedup)
        rc = FAIL(x, "'#pragma corecast' takes either time(N) or speedup(N), or dma");
    return rc;
}

int cc_pragma_parse(struct scenario *s, const struct pragma *p, struct cc_directive *d, struct cc_err *err)
{
    *d = (struct cc_directive){.task = p->task, .line = p->line};
    struct parse x = {s, p, d, err};
    if (p->own)
        return parse_own(&x);
    const char *text = skip_blanks(p->text), *rest = NULL;
    size_t k = 0;
    for (; k < CC_COUNT(kinds); k++)
        if ((rest = cc_match_words(text, kinds[k].words)))
            break;
    if (!rest) {
        size_t n = strcspn(text, " \t(");
        return FAIL(&x, "unknown directive '%.*s'", (int)CC_MIN(n, (size_t)40), text);
    }
    d->kind = kinds[k].kind;
    d->simd = kinds[k].clauses & C_VECTOR;
    int rc = d->kind == CC_OMP_CRITICAL ? parse_critical(&x, &rest) : 0;
    if (rc == 0)
        rc = parse_clauses(&x, rest, kinds[k].clauses, kinds[k].words);
    if (rc == 0 && d->grainsize && d->num_tasks)
        rc = FAIL(&x, "'grainsize' and 'num_tasks' exclude each other");
    d->text = cc_directive_text(s, d, kinds[k].words);
    return rc;
}
