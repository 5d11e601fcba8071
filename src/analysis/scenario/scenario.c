#include "scenario.h"
#include "expr.h"
#include "parse.h"
#include "../../base/file.h"
#include "../../base/map.h"
#include "../../base/text.h"

enum { MAX_FILE = 16 << 20, MAX_LINES = 20000 };

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
    both.spread = par->spread;
    both.line = have->line;
    if (par->nreductions) {
        both.nreductions += par->nreductions;
        both.reductions = cc_arena_alloc(&s->arena, both.nreductions * sizeof *both.reductions);
        memcpy(both.reductions, par->reductions, par->nreductions * sizeof *both.reductions);
        if (share->nreductions)
            memcpy(both.reductions + par->nreductions, share->reductions,
                   share->nreductions * sizeof *both.reductions);
    }
    both.text =
        cc_directive_text(s, &both, both.kind == CC_OMP_PARALLEL_FOR ? "parallel for" : "parallel sections");
    *have = both;
    return 0;
}

/* A task has one directive of OpenMP, one that waits at its end, one hardware block and one set of transfers;
 * what takes no time may stand beside all of them. */
enum kin { KIN_OMP, KIN_BLOCK, KIN_TRANSFER, KIN_END, KIN_NOTHING };

static enum kin kin(const struct cc_directive *d)
{
    switch (d->kind) {
    case CC_OMP_TRANSFER:
        return KIN_TRANSFER;
    case CC_OMP_REPLACE:
        return KIN_BLOCK;
    case CC_OMP_NOTHING:
        return KIN_NOTHING;
    default:
        return d->end ? KIN_END : KIN_OMP;
    }
}

/* Waiting in front of a task that is made is not what anybody means: inside it, for what it makes. */
static void place_waits(struct scenario *s)
{
    struct cc_strmap tasks = {0};
    for (size_t i = 0; i < s->pragmas.n; i++)
        if (!s->pragmas.v[i].own && cc_match_words(skip_blanks(s->pragmas.v[i].text), "task"))
            cc_strmap_put(&tasks, s->pragmas.v[i].task, NULL);
    for (size_t i = 0; i < s->pragmas.n; i++)
        s->pragmas.v[i].of_task = cc_strmap_get(&tasks, s->pragmas.v[i].task) != NULL;
    cc_strmap_fini(&tasks);
}

static int add_directive(struct scenario *s, const struct cc_directive *d, struct cc_err *err)
{
    for (size_t i = 0; i < s->directives.n; i++)
        if (strcmp(s->directives.v[i].task, d->task) == 0 && kin(&s->directives.v[i]) == kin(d) &&
            kin(d) != KIN_NOTHING)
            return merge(s, &s->directives.v[i], d, err);
    CC_VEC_PUSH(&s->directives, *d);
    return 0;
}

/* --- lines --- */

const char *cc_match_words(const char *text, const char *words)
{
    while (*words) {
        if (*words == ' ') {
            if (!isspace((unsigned char)*text))
                return NULL;
            text = skip_blanks(text);
            words++;
        } else if (*text++ != *words++) {
            return NULL;
        }
    }
    return is_name_char(*text) ? NULL : text;
}

/* The '=' between name and directive: the first one with a directive after it, so that operator== can be
 * named. */
static const char *separator(const char *line)
{
    for (const char *p = strchr(line, '='); p; p = strchr(p + 1, '='))
        if (cc_spelling_begins(skip_blanks(p + 1)))
            return p;
    return NULL;
}

static bool is_comment(const char *start)
{
    return *start == '#' || *start == '!' || *start == ';';
}

bool cc_scenario_can_name(const char *task)
{
    size_t n = strlen(task);
    if (!n || isspace((unsigned char)task[0]) || isspace((unsigned char)task[n - 1]) || is_comment(task) ||
        strchr(task, '\n'))
        return false;
    CC_CLEANUP(cc_free_ptr) char *line = cc_asprintf("%s = #", task);
    return separator(line) == line + n + 1;
}

static int not_known(const struct scenario *s, const char *value, unsigned line, struct cc_err *err)
{
    int rc = cc_err_at(err, CC_EINPUT, s->pub.path, line, "'#%.40s' is neither '#pragma omp' nor '#define'",
                       value);
    if (strncasecmp(value, "pragma omp", 10) == 0 || strncasecmp(value, "define", 6) == 0)
        cc_err_hint(err, "compilers want it in small letters");
    return rc;
}

static int add_value(struct scenario *s, const char *task, const char *value, unsigned line,
                     struct cc_err *err)
{
    const char *rest = cc_match_words(value, "define");
    if (rest)
        return cc_define_add(s, task, line, rest, err);
    rest = cc_match_words(value, "pragma omp");
    bool own = !rest && (rest = cc_match_words(value, "pragma corecast"));
    if (!rest)
        return not_known(s, value, line, err);
    struct pragma p = {task, cc_arena_strdup(&s->arena, rest), line, own, false};
    CC_VEC_PUSH(&s->pragmas, p);
    return 0;
}

static int add_line(struct scenario *s, const char *text, unsigned line, struct cc_err *err)
{
    const char *start = skip_blanks(text);
    if (cc_spelling_alone(start)) {
        int rc = cc_err_at(err, CC_EINPUT, s->pub.path, line,
                           "a directive without a task: expected 'TASK = %.40s'", start);
        cc_err_hint(err, "a second '#' in front of it makes it a comment");
        return rc;
    }
    if (!*start || is_comment(start))
        return 0;
    const char *eq = separator(start);
    if (!eq) {
        int rc = cc_err_at(err, CC_EINPUT, s->pub.path, line,
                           "expected 'TASK = #pragma omp …' or 'TASK = #define …'");
        if (start[0] == '/' && (start[1] == '/' || start[1] == '*'))
            cc_err_hint(err, "a comment is a line that begins with '#'");
        return rc;
    }
    const char *task = trimmed(s, (struct span){start, eq});
    struct spelling said;
    if (!task[0])
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "the task's name is missing before '='");
    if (!cc_spelling_read(s, eq + 1, &said))
        return cc_err_at(
            err, CC_EINPUT, s->pub.path, line,
            "expected _Pragma(\"omp …\"), [[omp::directive(…)]] or [[omp::sequence(directive(…), …)]]");
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < said.n; i++)
        rc = add_value(s, task, said.text[i], line, err);
    return rc;
}

/* Fortran goes on behind '&' on a line that begins with the sentinel, and maybe another '&'. */
static bool is_fortran(const char *line)
{
    const char *eq = separator(line);
    return eq && cc_spelling_sentinel(skip_blanks(eq + 1));
}

static void join(struct cc_buf *whole, const char *p, size_t n)
{
    CC_CLEANUP(cc_free_ptr) char *line = cc_asprintf("%.*s", (int)n, p);
    const char *from = line, *sentinel = cc_spelling_sentinel(skip_blanks(line));
    if (whole->n && sentinel && is_fortran(whole->s)) {
        from = skip_blanks(sentinel);
        from += *from == '&';
    }
    cc_buf_puts(whole, from);
}

/* Splits into lines; one that ends in a backslash goes on with the next, and Fortran's in '&'. */
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
        join(&whole, p, n);
        bool more = stop && n && (p[n - 1] == '\\' || (p[n - 1] == '&' && is_fortran(whole.s)));
        if (more)
            whole.s[whole.n - 1] = ' ';
        if (!more && rc == 0) {
            rc = whole.n ? add_line(s, whole.s, first, err) : 0;
            whole.n = 0;
        }
        p = stop ? stop + 1 : end;
    }
    if (rc == 0 && whole.n) /* the last line ends in a backslash */
        rc = add_line(s, whole.s, first, err);
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
    place_waits(s);
    for (size_t i = 0; rc == 0 && i < s->pragmas.n; i++) {
        struct cc_directive d;
        rc = cc_pragma_parse(s, &s->pragmas.v[i], &d, err);
        if (rc == 0 && d.kind == CC_OMP_TASKWAIT && s->pragmas.v[i].of_task)
            d.end = true;
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

int cc_scenario_eval(const struct cc_scenario *s, const struct cc_directive *d, const struct cc_clause *c,
                     const struct cc_clause_names *names, int64_t *ret, struct cc_err *err)
{
    char why[128];
    if (!cc_expr_eval(c->text, names, ret, why))
        return cc_err_at(err, CC_EINPUT, s->path, d->line, "%s of '%s': %s", c->name, d->task, why);
    if (*ret < c->min || *ret > c->max)
        return cc_err_at(err, CC_EINPUT, s->path, d->line, "%s of '%s' is %lld, outside %lld to %lld",
                         c->name, d->task, (long long)*ret, (long long)c->min, (long long)c->max);
    return 0;
}
