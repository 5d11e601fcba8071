#include "condition.h"
#include "../../base/text.h"

#include <ctype.h>
#include <fnmatch.h>
#include <math.h>

static const char *const tests[] = {"<", "<=", "=", "!=", ">", ">=", "=="};

struct words {
    char *v[8];
    size_t n;
};

static void words_fini(struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->v[i]);
}

/* Words apart by blanks; quotes of either kind keep them together. */
static int split(const char *text, struct words *w, struct cc_err *err)
{
    for (const char *s = text;;) {
        while (isspace((unsigned char)*s))
            s++;
        if (!*s)
            return 0;
        char quote = *s == '\'' || *s == '"' ? *s : 0;
        const char *from = s + (quote != 0), *end = from;
        while (*end && (quote ? *end != quote : !isspace((unsigned char)*end)))
            end++;
        if (quote && !*end)
            return cc_err_set(err, CC_EUSAGE, "condition '%s': a quote is not closed", text);
        if (w->n == CC_COUNT(w->v))
            return cc_err_set(err, CC_EUSAGE, "condition '%s': too many words", text);
        w->v[w->n++] = cc_strndup(from, (size_t)(end - from));
        s = end + (quote != 0);
    }
}

static int fail(struct cc_err *err, const char *text, const char *what, const char *word,
                const char *const *names, size_t n)
{
    int rc = cc_err_set(err, CC_EUSAGE, "condition '%s': no %s is called '%s'", text, what, word);
    const char *near = cc_nearest(word, names, n);
    struct cc_buf all = {0};
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(&all, "%s%s", i ? ", " : "", names[i]);
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    else if (n)
        cc_err_hint(err, "the form is KIND [NAME] FIGURE COMPARISON VALUE; here one of: %s", all.s);
    cc_buf_fini(&all);
    return rc;
}

static int parse_kind(const char *text, const char *word, struct cc_condition *c, struct cc_err *err)
{
    const char *names[CC_OFS];
    for (int k = 0; k < CC_OFS; k++) {
        names[k] = cc_subject_infos[k].name;
        if (strcmp(word, names[k]) == 0 || strcmp(word, cc_subject_infos[k].plural) == 0) {
            c->kind = (enum cc_subject_kind)k;
            return 0;
        }
    }
    return fail(err, text, "kind of thing", word, names, CC_OFS);
}

static int parse_figure(const char *text, const char *word, struct cc_condition *c, struct cc_err *err)
{
    const struct cc_subject_info *info = &cc_subject_infos[c->kind];
    const char *names[CC_FIGURES];
    for (size_t i = 0; i < info->nfigures; i++) {
        names[i] = info->figures[i].name;
        if (strcmp(word, names[i]) == 0) {
            c->figure = i;
            return 0;
        }
    }
    return fail(err, text, "figure of it", word, names, info->nfigures);
}

static int parse_value(const char *text, const char *word, struct cc_condition *c, struct cc_err *err)
{
    static const char suffixes[] = "kMG";
    bool sign = *word == '+' || *word == '-';
    size_t n = strlen(word);
    double scale = 1;
    c->on = sign ? CC_ON_CHANGE : CC_ON_VALUE;
    if (n && word[n - 1] == '%') {
        c->on = CC_ON_RELATIVE;
        scale = 0.01;
        n--;
    } else if (n && strchr(suffixes, word[n - 1])) {
        scale = ldexp(1, 10 * (int)(strchr(suffixes, word[n - 1]) - suffixes + 1));
        n--;
    }
    CC_CLEANUP(cc_free_ptr) char *number = cc_strndup(word, n);
    if (!cc_parse_f64(number[0] == '+' ? number + 1 : number, &c->value))
        return cc_err_set(err, CC_EUSAGE, "condition '%s': '%s' is no number", text, word);
    c->value *= scale;
    return 0;
}

static int parse_test(const char *text, const char *word, struct cc_condition *c, struct cc_err *err)
{
    for (size_t i = 0; i < CC_COUNT(tests); i++)
        if (strcmp(word, tests[i]) == 0) {
            c->test = i == CC_COUNT(tests) - 1 ? CC_EQUAL : (enum cc_condition_test)i;
            return 0;
        }
    return cc_err_set(err, CC_EUSAGE, "condition '%s': '%s' is no comparison (one of < <= = != > >=)", text,
                      word);
}

static int parse(const char *text, const struct words *w, struct cc_condition *c, struct cc_err *err)
{
    bool new = w->n &&strcmp(w->v[0], "new") == 0, gone = w->n &&strcmp(w->v[0], "gone") == 0;
    if (new || gone) {
        c->on = new ? CC_ON_NEW : CC_ON_GONE;
        if (w->n < 2 || w->n > 3)
            return cc_err_set(err, CC_EUSAGE, "condition '%s': expected '%s KIND [NAME]'", text, w->v[0]);
        c->name = w->n == 3 ? cc_strdup(w->v[2]) : NULL;
        return parse_kind(text, w->v[1], c, err);
    }
    if (w->n < 4 || w->n > 5) {
        int rc =
            cc_err_set(err, CC_EUSAGE, "condition '%s': expected KIND [NAME] FIGURE COMPARISON VALUE", text);
        cc_err_hint(err, "as in 'stream bytes > +5%%'; the words are apart by blanks");
        return rc;
    }
    size_t at = w->n - 3;
    int rc = parse_kind(text, w->v[0], c, err);
    if (rc == 0)
        rc = parse_figure(text, w->v[at], c, err);
    if (rc == 0)
        rc = parse_test(text, w->v[at + 1], c, err);
    if (rc == 0)
        rc = parse_value(text, w->v[at + 2], c, err);
    c->name = w->n == 5 ? cc_strdup(w->v[1]) : NULL;
    return rc;
}

int cc_condition_parse(const char *text, struct cc_condition *ret, struct cc_err *err)
{
    CC_CLEANUP(words_fini) struct words w = {0};
    *ret = (struct cc_condition){.text = text};
    int rc = split(text, &w, err);
    if (rc == 0)
        rc = parse(text, &w, ret, err);
    if (rc < 0)
        cc_condition_fini(ret);
    return rc;
}

void cc_condition_fini(struct cc_condition *c)
{
    free(c->name);
    c->name = NULL;
}

static double figure(const struct cc_subject *x, size_t i)
{
    return x ? x->value[i] : 0;
}

bool cc_condition_holds(const struct cc_condition *c, const struct cc_difference *d)
{
    if (c->name && fnmatch(c->name, cc_difference_name(d), 0) != 0 &&
        (!d->a || fnmatch(c->name, d->a->name, 0) != 0))
        return false;
    if (c->on == CC_ON_NEW || c->on == CC_ON_GONE)
        return c->on == CC_ON_NEW ? !d->a : !d->b;
    if (c->on != CC_ON_VALUE && d->noise && c->kind == CC_OF_TASK && c->figure == CC_TASK_TIME)
        return false;
    double a = figure(d->a, c->figure), b = figure(d->b, c->figure);
    double x = c->on == CC_ON_VALUE    ? b
               : c->on == CC_ON_CHANGE ? b - a
               : a == b                ? 0
               : a != 0                ? (b - a) / a
                                       : INFINITY;
    switch (c->test) {
    case CC_LESS:
        return x < c->value;
    case CC_LESS_EQUAL:
        return x <= c->value;
    case CC_EQUAL:
        return x == c->value;
    case CC_NOT_EQUAL:
        return !isnan(x) && x != c->value;
    case CC_GREATER:
        return x > c->value;
    case CC_GREATER_EQUAL:
        return x >= c->value;
    }
    return false;
}
