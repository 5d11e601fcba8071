/* corecast area metrics|calibrate|estimate|model: hardware estimates from C source. */
#include "area.h"

enum { METRICS = 1, CALIBRATE = 2, ESTIMATE = 4, SHOW = 8 };

static const char *const transforms[] = {"auto", "linear", "log", NULL};
static const char *const zero_rules[] = {"auto", "keep", "drop", NULL};
static const char *const orders[] = {"hot", "source", NULL};

#define AT(field) offsetof(struct cc_area_options, field)

static const struct cc_opt table[] = {
    {CC_OPT_HEADING, .help = "Options of metrics and estimate"},
    {CC_OPT_STR, 0, "compile-commands", "PATH", AT(compile_commands),
     "take compiler flags from this compile_commands.json or its folder"},
    {CC_OPT_LIST, 0, "function", "NAME", AT(functions), "only this function; may be given several times"},
    {CC_OPT_FLAG, 0, "csv", NULL, AT(csv), "write CSV"},
    {CC_OPT_HEADING, .help = "Options of metrics"},
    {CC_OPT_STR, 0, "columns", "LIST", AT(columns), "metrics to show, separated by commas, or 'all'"},
    {CC_OPT_FLAG, 0, "define", NULL, AT(define), "list every metric with its unit and definition"},
    {CC_OPT_HEADING, .help = "Options of calibrate"},
    {CC_OPT_LIST, 0, "target", "LIST", AT(targets), "measures to model, separated by commas; default: all"},
    {CC_OPT_STR, 0, "group", "COLUMN", AT(group), "leave out whole groups of kernels, not single ones"},
    {CC_OPT_STR, 0, "key", "COLUMN", AT(key), "column that names the kernel; default: kernel, else function"},
    {CC_OPT_CHOICE, 0, "transform", "HOW", AT(transform), "auto, linear or log", 0, 0, transforms},
    {CC_OPT_CHOICE, 0, "zeros", "HOW", AT(zeros), "measures of 0: auto, keep or drop", 0, 0, zero_rules},
    {CC_OPT_INT, 0, "max-terms", "N", AT(max_terms),
     "most metrics in one model; default: kernels / 5, at most 15", 1, 50},
    {CC_OPT_HEADING, .help = "Options of estimate"},
    {CC_OPT_STR, 0, "model", "FILE", AT(model), "model written by calibrate"},
    {CC_OPT_STR, 0, "device", "FILE", AT(device), "capacities of the device, for percentages"},
    {CC_OPT_STR, 0, "profile", "FILE", AT(profile), "recording that gives each function's share of the run"},
    {CC_OPT_STR, 0, "shares", "FILE", AT(shares), "the same as CSV: name,share (per cent, or 0 to 1)"},
    {CC_OPT_CHOICE, 0, "order", "HOW", AT(order), "hot (by share) or source", 0, 0, orders},
    {CC_OPT_NUM, 0, "confidence", "PCT", AT(confidence), "of the intervals; default 90", 50, 99},
};

/* Which subcommands each option is for. */
static const struct {
    const char *name;
    unsigned of;
} belongs[] = {
    {"compile-commands", METRICS | ESTIMATE},
    {"function", METRICS | ESTIMATE},
    {"csv", METRICS | ESTIMATE},
    {"columns", METRICS},
    {"define", METRICS},
    {"target", CALIBRATE},
    {"group", CALIBRATE},
    {"key", CALIBRATE},
    {"transform", CALIBRATE},
    {"zeros", CALIBRATE},
    {"max-terms", CALIBRATE},
    {"model", ESTIMATE},
    {"device", ESTIMATE},
    {"profile", ESTIMATE},
    {"shares", ESTIMATE},
    {"order", ESTIMATE},
    {"confidence", ESTIMATE},
};

static bool was_given(const struct cc_area_options *o, const struct cc_opt *opt)
{
    const void *field = (const char *)o + opt->offset;
    switch (opt->type) {
    case CC_OPT_FLAG:
        return *(const bool *)field;
    case CC_OPT_STR:
        return *(const char *const *)field != NULL;
    case CC_OPT_LIST:
        return ((const struct cc_strs *)field)->n > 0;
    case CC_OPT_INT:
        return *(const int64_t *)field != 0;
    case CC_OPT_NUM:
        return *(const double *)field != 0;
    case CC_OPT_CHOICE:
        return *(const int *)field != 0;
    default:
        return false;
    }
}

static unsigned users_of(const char *option)
{
    for (size_t i = 0; i < CC_COUNT(belongs); i++)
        if (strcmp(belongs[i].name, option) == 0)
            return belongs[i].of;
    return 0;
}

static int check_options(const struct cc_area_options *o, unsigned subcommand, const char *name,
                         struct cc_err *err)
{
    for (size_t i = 0; i < CC_COUNT(table); i++)
        if (table[i].type != CC_OPT_HEADING && was_given(o, &table[i]) &&
            !(users_of(table[i].name) & subcommand))
            return cc_err_set(err, CC_EUSAGE, "'area %s' has no option '--%s'", name, table[i].name);
    return 0;
}

static const struct subcommand {
    const char *name;
    unsigned id;
    int (*run)(struct cc_area_options *o, const struct cc_strs *operands, struct cc_err *err);
} subcommands[] = {
    {"metrics", METRICS, cc_area_metrics},
    {"calibrate", CALIBRATE, cc_area_calibrate},
    {"estimate", ESTIMATE, cc_area_estimate},
    {"model", SHOW, cc_area_model_show},
};

static int unknown(const char *name, struct cc_err *err)
{
    const char *names[CC_COUNT(subcommands)];
    for (size_t i = 0; i < CC_COUNT(subcommands); i++)
        names[i] = subcommands[i].name;
    int rc = cc_err_set(err, CC_EUSAGE, "unknown subcommand 'area %s'", name);
    const char *near = cc_nearest(name, names, CC_COUNT(names));
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_area_options *o = opts;
    const struct subcommand *sub = NULL;
    int rc;
    if (operands->n == 0) {
        rc = cc_err_set(err, CC_EUSAGE, "expected 'area metrics', 'calibrate', 'estimate' or 'model show'");
    } else {
        for (size_t i = 0; i < CC_COUNT(subcommands); i++)
            if (strcmp(operands->v[0], subcommands[i].name) == 0)
                sub = &subcommands[i];
        rc = sub ? check_options(o, sub->id, sub->name, err) : unknown(operands->v[0], err);
    }
    if (rc == 0) {
        struct cc_strs rest = {operands->v + 1, operands->n - 1, 0};
        rc = sub->run(o, &rest, err);
    }
    cc_strs_fini(&o->functions);
    cc_strs_fini(&o->targets);
    return rc;
}

const struct cc_command cc_cmd_area = {
    .name = "area",
    .summary = "hardware estimates from C source",
    .synopsis = "metrics FILE… [-- COMPILER-FLAGS]\n"
                "       corecast area calibrate TABLE.csv… -o MODEL\n"
                "       corecast area estimate FILE… --model MODEL [-- COMPILER-FLAGS]\n"
                "       corecast area model show MODEL",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct cc_area_options),
    .run = run,
};
