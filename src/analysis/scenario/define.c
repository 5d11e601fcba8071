/* #define: which name reaches which task, and expressions with their values put in. */
#include "expr.h"
#include "parse.h"
#include "../../base/text.h"

enum { MAX_EXPANSION = 64, MAX_TEXT = 4096 };

int cc_define_add(struct scenario *s, const char *task, unsigned line, const char *rest, struct cc_err *err)
{
    const char *name = skip_blanks(rest), *end = name;
    while (is_name_char(*end))
        end++;
    if (end == name || isdigit((unsigned char)*name))
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "#define lacks a name");
    if (*end == '(')
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "a #define with arguments is not supported");
    struct define d = {task, cc_arena_strndup(&s->arena, name, (size_t)(end - name)),
                       trimmed(s, (struct span){end, end + strlen(end)}), line};
    if (!d.value[0])
        return cc_err_at(err, CC_EINPUT, s->pub.path, line, "#define %s has no value", d.name);
    for (size_t i = 0; i < s->defines.n; i++)
        if (strcmp(s->defines.v[i].scope, task) == 0 && strcmp(s->defines.v[i].name, d.name) == 0)
            return cc_err_at(err, CC_EINPUT, s->pub.path, line, "#define %s contradicts line %u", d.name,
                             s->defines.v[i].line);
    CC_VEC_PUSH(&s->defines, d);
    return 0;
}

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

const char *cc_define_value(const struct scenario *s, const char *task, const char *name)
{
    const struct define *d = find_define(s, task, name, strlen(name));
    return d ? d->value : NULL;
}

/* What is being put in: for one pragma, through a chain of names that must not meet itself. */
struct expansion {
    struct scenario *s;
    const struct pragma *p;
    const struct define *via[MAX_EXPANSION];
    size_t depth;
    struct cc_buf out;
    struct cc_err *err;
};

static int expand(struct expansion *e, const char *text);

static int expand_define(struct expansion *e, const struct define *d)
{
    const char *path = e->s->pub.path;
    for (size_t i = 0; i < e->depth; i++)
        if (e->via[i] == d)
            return cc_err_at(e->err, CC_EINPUT, path, d->line, "#define %s is defined by itself", d->name);
    if (e->depth == MAX_EXPANSION)
        return cc_err_at(e->err, CC_EINPUT, path, d->line, "#define %s is nested too deep", d->name);
    e->via[e->depth++] = d;
    cc_buf_puts(&e->out, "(");
    int rc = expand(e, d->value);
    cc_buf_puts(&e->out, ")");
    e->depth--;
    return rc;
}

/* Puts in every #define, over and over. */
static int expand(struct expansion *e, const char *text)
{
    int rc = 0;
    for (const char *p = text; rc == 0 && *p;) {
        if (e->out.n > MAX_TEXT)
            return cc_err_at(e->err, CC_EINPUT, e->s->pub.path, e->p->line,
                             "an expression is longer than %d bytes", MAX_TEXT);
        size_t n = 0;
        while (is_name_char(p[n]))
            n++;
        bool name = n && !isdigit((unsigned char)*p);
        n = n ? n : 1;
        const struct define *d = name ? find_define(e->s, e->p->task, p, n) : NULL;
        if (d)
            rc = expand_define(e, d);
        else
            cc_buf_add(&e->out, p, n);
        p += n;
    }
    return rc;
}

int cc_define_expression(struct scenario *s, const struct pragma *p, const char *clause, struct span text,
                         const char **ret, struct cc_err *err)
{
    const char *raw = trimmed(s, text);
    struct expansion e = {.s = s, .p = p, .err = err};
    int rc = expand(&e, raw);
    if (rc == 0) {
        int64_t v;
        char why[128];
        if (!cc_expr_eval(e.out.s ? e.out.s : "", &(struct cc_clause_names){4, 0, 0}, &v, why) &&
            strcmp(why, "division by zero") != 0)
            rc = cc_err_at(err, CC_EINPUT, s->pub.path, p->line, "%s(%.80s): %s", clause, raw, why);
        else
            *ret = cc_arena_strdup(&s->arena, e.out.s);
    }
    cc_buf_fini(&e.out);
    return rc;
}
