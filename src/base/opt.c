#include "opt.h"

#include <inttypes.h>

static const char *const color_choices[] = {"auto", "always", "never", NULL};

const struct cc_opt cc_common_options[] = {
    {CC_OPT_HEADING, .help = "Common options"},
    {CC_OPT_FLAG, 0, "json", NULL, offsetof(struct cc_common, json), "write the result as JSON"},
    {CC_OPT_MAYBE, 0, "csv", "[=TABLE]", offsetof(struct cc_common, csv),
     "write the main table of the result, or this one, as CSV"},
    {CC_OPT_OUT, 'o', "output", "FILE", offsetof(struct cc_common, output),
     "write to FILE instead of standard output"},
    {CC_OPT_CHOICE, 0, "color", "WHEN", offsetof(struct cc_common, color), "auto, always or never", 0, 0,
     color_choices},
    {CC_OPT_FLAG, 0, "no-pager", NULL, offsetof(struct cc_common, no_pager),
     "do not show long text a page at a time"},
    {CC_OPT_FLAG, 'q', "quiet", NULL, offsetof(struct cc_common, quiet), "no progress and no notes"},
    {CC_OPT_FLAG, 'v', "verbose", NULL, offsetof(struct cc_common, verbose), "say more about what is done"},
    {CC_OPT_FLAG, 'h', "help", NULL, offsetof(struct cc_common, help), "show this help"},
};
const size_t cc_common_option_count = CC_COUNT(cc_common_options);

struct parse {
    const struct cc_opt_table *t;
    uint64_t of;
    void *values;
    struct cc_err *err;
};

static const struct cc_opt *option_at(const struct cc_opt_table *t, size_t i)
{
    return i < t->n ? &t->v[i] : &cc_common_options[i - t->n];
}

static size_t option_count(const struct cc_opt_table *t)
{
    return t->n + cc_common_option_count;
}

static bool takes(uint64_t of, const struct cc_opt *o)
{
    return !of || !o->of || (o->of & of);
}

/* The row of that name, or letter if `name` is NULL, that the owners take; else one that they do not. */
static const struct cc_opt *find(const struct cc_opt_table *t, uint64_t of, const char *name, size_t n,
                                 char letter)
{
    const struct cc_opt *other = NULL;
    for (size_t i = 0; i < option_count(t); i++) {
        const struct cc_opt *o = option_at(t, i);
        if (o->type == CC_OPT_HEADING ||
            !(name ? strlen(o->name) == n && strncmp(o->name, name, n) == 0 : o->letter == letter))
            continue;
        if (takes(of, o))
            return o;
        other = o;
    }
    return other;
}

static int unknown(struct parse *p, const char *arg, const char *name)
{
    const char *names[256];
    size_t n = 0;
    for (size_t i = 0; i < option_count(p->t) && n < CC_COUNT(names); i++)
        if (option_at(p->t, i)->name && takes(p->of, option_at(p->t, i)))
            names[n++] = option_at(p->t, i)->name;
    const char *near = name ? cc_nearest(name, names, n) : NULL;
    int rc = cc_err_set(p->err, CC_EUSAGE, "unknown option '%s'", arg);
    if (near)
        cc_err_hint(p->err, "did you mean '--%s'?", near);
    return rc;
}

static const char *owner_name(const struct cc_opt_table *t, uint64_t of)
{
    size_t i = 0;
    while (t->owners[i] && !(of >> i & 1))
        i++;
    return t->owners[i] ? t->owners[i] : "?";
}

/* "'area metrics' has no option '--model'; it belongs to 'area estimate'" */
static int foreign(const struct cc_opt_table *t, uint64_t of, const char *name, struct cc_err *err)
{
    char all[512] = "";
    uint64_t owners = 0;
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].name && strcmp(t->v[i].name, name) == 0)
            owners |= t->v[i].of;
    for (uint64_t left = owners; left; left &= left - 1) {
        size_t at = strlen(all);
        snprintf(all + at, sizeof all - at, "%s'%s %s'", at ? ", " : "", t->what, owner_name(t, left));
    }
    return cc_err_set(err, CC_EUSAGE, "'%s %s' has no option '--%s'; it belongs to %s", t->what,
                      owner_name(t, of), name, all);
}

bool cc_opt_given(const struct cc_common *common, size_t offset)
{
    return common->given[offset / 64] >> offset % 64 & 1;
}

int cc_opt_check(const struct cc_opt_table *t, uint64_t of, const struct cc_common *values,
                 struct cc_err *err)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].type != CC_OPT_HEADING && !takes(of, &t->v[i]) && cc_opt_given(values, t->v[i].offset))
            return foreign(t, of, t->v[i].name, err);
    return 0;
}

static int set_choice(struct parse *p, const struct cc_opt *o, const char *v)
{
    for (int i = 0; o->choices[i]; i++) {
        if (strcmp(o->choices[i], v) == 0) {
            *(int *)((char *)p->values + o->offset) = i;
            return 0;
        }
    }
    char all[256] = "";
    for (int i = 0; o->choices[i]; i++) {
        size_t at = strlen(all);
        snprintf(all + at, sizeof all - at, "%s%s", i ? ", " : "", o->choices[i]);
    }
    int rc = cc_err_set(p->err, CC_EUSAGE, "option '--%s': '%s' is not one of its values", o->name, v);
    cc_err_hint(p->err, "one of: %s", all);
    return rc;
}

static int set_number(struct parse *p, const struct cc_opt *o, const char *v)
{
    void *field = (char *)p->values + o->offset;
    bool ok;
    double value = 0;
    if (o->type == CC_OPT_INT) {
        int64_t i = 0;
        ok = cc_parse_i64(v, &i);
        *(int64_t *)field = i;
        value = (double)i;
    } else if (o->type == CC_OPT_SIZE) {
        uint64_t u = 0;
        ok = cc_parse_u64(v, &u);
        *(uint64_t *)field = u;
        value = (double)u;
    } else {
        ok = cc_parse_f64(v, &value);
        *(double *)field = value;
    }
    if (!ok)
        return cc_err_set(p->err, CC_EUSAGE, "option '--%s': '%s' is not a number it can take", o->name, v);
    if (o->max > o->min && (value < o->min || value > o->max))
        return cc_err_set(p->err, CC_EUSAGE, "option '--%s': '%s' is outside %g to %g", o->name, v, o->min,
                          o->max);
    return 0;
}

static int set_percent(struct parse *p, const struct cc_opt *o, const char *v)
{
    double max = o->max > o->min ? o->max : 100, share;
    if (!cc_parse_percent(v, &share) || share < o->min / 100 || share > max / 100)
        return cc_err_set(p->err, CC_EUSAGE, "option '--%s': '%s' is no percentage from %g to %g", o->name, v,
                          o->min, max);
    *(double *)((char *)p->values + o->offset) = share;
    return 0;
}

static void mark_given(struct parse *p, const struct cc_opt *o)
{
    ((struct cc_common *)p->values)->given[o->offset / 64] |= UINT64_C(1) << o->offset % 64;
}

static int set(struct parse *p, const struct cc_opt *o, const char *v)
{
    void *field = (char *)p->values + o->offset;
    mark_given(p, o);
    switch (o->type) {
    case CC_OPT_FLAG:
        *(bool *)field = true;
        return 0;
    case CC_OPT_PERCENT:
        return set_percent(p, o, v);
    case CC_OPT_STR:
    case CC_OPT_OUT:
    case CC_OPT_MAYBE:
        *(const char **)field = v;
        return 0;
    case CC_OPT_CHOICE:
        return set_choice(p, o, v);
    case CC_OPT_LIST:
        CC_VEC_PUSH((struct cc_strs *)field, v);
        return 0;
    default:
        return set_number(p, o, v);
    }
}

/* -qv: flags after a flag. */
static int parse_letters(struct parse *p, const char *arg, const char *letters)
{
    for (; *letters; letters++) {
        const struct cc_opt *o = find(p->t, p->of, NULL, 0, *letters);
        if (!o || o->type != CC_OPT_FLAG)
            return unknown(p, arg, NULL);
        if (!takes(p->of, o))
            return foreign(p->t, p->of, o->name, p->err);
        set(p, o, NULL);
    }
    return 0;
}

/* The option that an argument names, NULL if none, and its value if that is in the same argument. */
static const struct cc_opt *look_up(const struct cc_opt_table *t, uint64_t of, const char *arg,
                                    const char **ret_value)
{
    if (arg[1] != '-') {
        *ret_value = arg[2] ? arg + 2 : NULL;
        return find(t, of, NULL, 0, arg[1]);
    }
    size_t n = strcspn(arg + 2, "=");
    *ret_value = arg[2 + n] ? arg + 3 + n : NULL;
    return find(t, of, arg + 2, n, 0);
}

/* One argument that starts with '-'; *at is advanced over its value. */
static int parse_one(struct parse *p, int argc, char **argv, int *at)
{
    const char *arg = argv[*at], *value;
    const struct cc_opt *o = look_up(p->t, p->of, arg, &value);
    if (!o)
        return unknown(p, arg, arg[1] == '-' ? arg + 2 : NULL);
    if (!takes(p->of, o))
        return foreign(p->t, p->of, o->name, p->err);
    if (o->type == CC_OPT_FLAG) {
        if (value && arg[1] == '-')
            return cc_err_set(p->err, CC_EUSAGE, "option '--%s' takes no value", o->name);
        set(p, o, NULL);
        return value ? parse_letters(p, arg, value) : 0;
    }
    if (!value && o->type == CC_OPT_MAYBE) {
        value = "";
    } else if (!value) {
        if (*at + 1 >= argc)
            return cc_err_set(p->err, CC_EUSAGE, "option '%s' needs a value", arg);
        value = argv[++*at];
    }
    return set(p, o, value);
}

static bool is_option(const char *arg)
{
    return arg[0] == '-' && arg[1];
}

int cc_opt_parse(const struct cc_opt_table *t, uint64_t of, int argc, char **argv, void *values,
                 struct cc_strs *rest, struct cc_err *err)
{
    struct parse p = {t, of, values, err};
    int i = 0;
    for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
        if (is_option(argv[i])) {
            int rc = parse_one(&p, argc, argv, &i);
            if (rc < 0)
                return rc;
        } else if (t->stop_at_operand) {
            break;
        } else {
            CC_VEC_PUSH(rest, argv[i]);
        }
    }
    if (i < argc && strcmp(argv[i], "--") == 0)
        i++;
    for (; i < argc; i++)
        CC_VEC_PUSH(rest, argv[i]);
    return 0;
}

const char *cc_opt_peek(const struct cc_opt_table *t, const char *name, int argc, char **argv)
{
    const char *last = NULL;
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0)
            return name || i + 1 == argc ? last : argv[i + 1];
        if (!is_option(argv[i])) {
            if (!name)
                return argv[i];
            if (t->stop_at_operand)
                break;
            continue;
        }
        const char *value;
        const struct cc_opt *o = look_up(t, 0, argv[i], &value);
        if (!o)
            return NULL; /* the parser will say so */
        if (o->type != CC_OPT_FLAG && o->type != CC_OPT_MAYBE && !value)
            value = ++i < argc ? argv[i] : NULL;
        if (name && strcmp(o->name, name) == 0)
            last = value;
    }
    return last;
}

static void print_option(const struct cc_opt *o, FILE *out)
{
    char left[64];
    char letter[8] = "    ";
    if (o->letter)
        snprintf(letter, sizeof letter, "-%c, ", o->letter);
    snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name, o->arg && o->type != CC_OPT_MAYBE ? " " : "",
             o->arg ? o->arg : "");
    fprintf(out, "%-32s%s%s\n", left, strlen(left) > 31 ? " " : "", o->help);
}

static void print_options(const struct cc_opt *options, size_t n, uint64_t of, FILE *out)
{
    const char *heading = "Options";
    for (size_t i = 0; i < n; i++) {
        const struct cc_opt *o = &options[i];
        if (o->type == CC_OPT_HEADING) {
            heading = o->help;
        } else if (takes(of, o)) {
            if (heading)
                fprintf(out, "\n%s:\n", heading);
            heading = NULL;
            print_option(o, out);
        }
    }
}

void cc_opt_print_help(const struct cc_opt_table *t, uint64_t of, FILE *out)
{
    print_options(t->v, t->n, of, out);
    print_options(cc_common_options, cc_common_option_count, 0, out);
}

void cc_opt_fini(const struct cc_opt_table *t, void *values)
{
    for (size_t i = 0; i < t->n; i++)
        if (t->v[i].type == CC_OPT_LIST)
            cc_strs_fini((struct cc_strs *)((char *)values + t->v[i].offset));
}

void cc_strs_fini(struct cc_strs *s)
{
    CC_VEC_FINI(s);
}

int cc_opt_int_list(const char *option, const char *text, int64_t min, int64_t max, struct cc_int_list *ret,
                    struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *save = NULL;
    ret->n = 0;
    for (char *part = strtok_r(copy, ",", &save); part; part = strtok_r(NULL, ",", &save)) {
        int64_t first, last;
        char *dots = strstr(part, "..");
        if (dots)
            *dots = 0;
        if (!cc_parse_i64(part, &first) || (dots && !cc_parse_i64(dots + 2, &last)))
            return cc_err_set(err, CC_EUSAGE, "option '--%s': '%s' is not a list of numbers", option, text);
        if (!dots)
            last = first;
        if (first < min || last > max || first > last)
            return cc_err_set(err, CC_EUSAGE, "option '--%s': '%s' is outside %" PRId64 " to %" PRId64,
                              option, text, min, max);
        for (int64_t v = first; v <= last; v++) {
            if (ret->n == ret->max)
                return cc_err_set(err, CC_EUSAGE, "option '--%s': more than %zu values", option, ret->max);
            ret->v[ret->n++] = v;
        }
    }
    if (ret->n == 0)
        return cc_err_set(err, CC_EUSAGE, "option '--%s': the list is empty", option);
    return 0;
}
