#include "opt.h"

#include <inttypes.h>

static const char *const color_choices[] = {"auto", "always", "never", NULL};

const struct cc_opt cc_common_options[] = {
    {CC_OPT_HEADING, .help = "Common options"},
    {CC_OPT_FLAG, 0, "json", NULL, offsetof(struct cc_common, json), "write the result as JSON"},
    {CC_OPT_MAYBE, 0, "csv", "[=TABLE]", offsetof(struct cc_common, csv),
     "write the main table of the result, or this one, as CSV"},
    {CC_OPT_STR, 'o', "output", "FILE", offsetof(struct cc_common, output),
     "write to FILE instead of standard output"},
    {CC_OPT_CHOICE, 0, "color", "WHEN", offsetof(struct cc_common, color), "auto, always or never", 0, 0,
     color_choices},
    {CC_OPT_FLAG, 'q', "quiet", NULL, offsetof(struct cc_common, quiet), "no progress and no notes"},
    {CC_OPT_FLAG, 'v', "verbose", NULL, offsetof(struct cc_common, verbose), "say more about what is done"},
    {CC_OPT_FLAG, 'h', "help", NULL, offsetof(struct cc_common, help), "show this help"},
};
const size_t cc_common_option_count = CC_COUNT(cc_common_options);

struct parse {
    const struct cc_opt *own;
    size_t nown;
    void *values;
    struct cc_err *err;
};

static const struct cc_opt *option_at(const struct parse *p, size_t i)
{
    return i < p->nown ? &p->own[i] : &cc_common_options[i - p->nown];
}

static size_t option_count(const struct parse *p)
{
    return p->nown + cc_common_option_count;
}

static const struct cc_opt *find(const struct parse *p, const char *name, size_t n, char letter)
{
    for (size_t i = 0; i < option_count(p); i++) {
        const struct cc_opt *o = option_at(p, i);
        if (o->type == CC_OPT_HEADING)
            continue;
        if (name ? strlen(o->name) == n && strncmp(o->name, name, n) == 0 : o->letter == letter)
            return o;
    }
    return NULL;
}

static int unknown(struct parse *p, const char *arg, const char *name)
{
    const char *names[256];
    size_t n = 0;
    for (size_t i = 0; i < option_count(p) && n < CC_COUNT(names); i++)
        if (option_at(p, i)->name)
            names[n++] = option_at(p, i)->name;
    const char *near = name ? cc_nearest(name, names, n) : NULL;
    int rc = cc_err_set(p->err, CC_EUSAGE, "unknown option '%s'", arg);
    if (near)
        cc_err_hint(p->err, "did you mean '--%s'?", near);
    return rc;
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

static int set(struct parse *p, const struct cc_opt *o, const char *v)
{
    void *field = (char *)p->values + o->offset;
    switch (o->type) {
    case CC_OPT_STR:
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

/* One argument that starts with '-'; *at is advanced over its value. */
static int parse_one(struct parse *p, int argc, char **argv, int *at)
{
    const char *arg = argv[*at];
    const struct cc_opt *o;
    const char *value = NULL;
    if (arg[1] == '-') {
        size_t n = strcspn(arg + 2, "=");
        o = find(p, arg + 2, n, 0);
        if (!o)
            return unknown(p, arg, arg + 2);
        value = arg[2 + n] ? arg + 3 + n : NULL;
    } else {
        o = find(p, NULL, 0, arg[1]);
        if (!o)
            return unknown(p, arg, NULL);
        value = arg[2] ? arg + 2 : NULL;
    }
    if (o->type == CC_OPT_FLAG) {
        if (value && arg[1] == '-')
            return cc_err_set(p->err, CC_EUSAGE, "option '--%s' takes no value", o->name);
        *(bool *)((char *)p->values + o->offset) = true;
        for (; value && *value; value++) { /* -qv */
            o = find(p, NULL, 0, *value);
            if (!o || o->type != CC_OPT_FLAG)
                return unknown(p, arg, NULL);
            *(bool *)((char *)p->values + o->offset) = true;
        }
        return 0;
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

int cc_opt_parse(const struct cc_opt *options, size_t n, int argc, char **argv, bool stop_at_operand,
                 void *values, struct cc_strs *rest, struct cc_err *err)
{
    struct parse p = {options, n, values, err};
    for (int i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--") == 0) {
            for (i++; i < argc; i++)
                CC_VEC_PUSH(rest, argv[i]);
            break;
        }
        if (argv[i][0] == '-' && argv[i][1]) {
            int rc = parse_one(&p, argc, argv, &i);
            if (rc < 0)
                return rc;
            continue;
        }
        if (stop_at_operand) {
            for (; i < argc; i++)
                CC_VEC_PUSH(rest, argv[i]);
            break;
        }
        CC_VEC_PUSH(rest, argv[i]);
    }
    return 0;
}

static void print_options(const struct cc_opt *options, size_t n, FILE *out)
{
    for (size_t i = 0; i < n; i++) {
        const struct cc_opt *o = &options[i];
        if (o->type == CC_OPT_HEADING) {
            fprintf(out, "\n%s:\n", o->help);
            continue;
        }
        char left[64];
        char letter[8] = "    ";
        if (o->letter)
            snprintf(letter, sizeof letter, "-%c, ", o->letter);
        snprintf(left, sizeof left, "  %s--%s%s%s", letter, o->name,
                 o->arg && o->type != CC_OPT_MAYBE ? " " : "", o->arg ? o->arg : "");
        fprintf(out, "%-32s%s%s\n", left, strlen(left) > 31 ? " " : "", o->help);
    }
}

void cc_opt_print_help(const struct cc_opt *options, size_t n, FILE *out)
{
    if (n && options[0].type != CC_OPT_HEADING)
        fputs("\nOptions:\n", out);
    print_options(options, n, out);
    print_options(cc_common_options, cc_common_option_count, out);
}

void cc_strs_fini(struct cc_strs *s)
{
    CC_VEC_FINI(s);
}

int cc_opt_int_list(const char *option, const char *text, int64_t min, int64_t max, int64_t *out, size_t cap,
                    size_t *ret_n, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *save = NULL;
    size_t n = 0;
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
            if (n == cap)
                return cc_err_set(err, CC_EUSAGE, "option '--%s': more than %zu values", option, cap);
            out[n++] = v;
        }
    }
    if (n == 0)
        return cc_err_set(err, CC_EUSAGE, "option '--%s': the list is empty", option);
    *ret_n = n;
    return 0;
}
