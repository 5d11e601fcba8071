/* corecast area metrics|calibrate|estimate|partition|model: hardware estimates from C source. */
#include "area.h"

enum { METRICS = 1, CALIBRATE = 2, ESTIMATE = 4, PARTITION = 8 };

static const char *const transforms[] = {"auto", "linear", "log", NULL};
static const char *const families[] = {"auto", "linear", "penalised", "forest", NULL};
static const char *const zero_rules[] = {"auto", "keep", "drop", NULL};
static const char *const orders[] = {"hot", "source", NULL};

#define AT(field) offsetof(struct cc_area_options, field)

static const struct cc_opt table[] = {
    {CC_OPT_HEADING, .help = "Options of metrics, estimate and partition"},
    {CC_OPT_STR, 0, "compile-commands", "PATH", AT(compile_commands),
     "take compiler flags from this compile_commands.json or its folder",
     .of = METRICS | ESTIMATE | PARTITION},
    {CC_OPT_LIST, 0, "function", "NAME", AT(functions), "only this function; may be given several times",
     .of = METRICS | ESTIMATE | PARTITION},
    {CC_OPT_HEADING, .help = "Options of metrics"},
    {CC_OPT_FLAG, 0, "tree", NULL, AT(tree), "metrics of a function and of all it calls, each once",
     .of = METRICS},
    {CC_OPT_STR, 0, "columns", "LIST", AT(columns), "metrics to show, separated by commas, or 'all'",
     .of = METRICS},
    {CC_OPT_FLAG, 0, "define", NULL, AT(define), "list every metric with its unit and definition",
     .of = METRICS},
    {CC_OPT_HEADING, .help = "Options of calibrate"},
    {CC_OPT_LIST, 0, "target", "LIST", AT(targets), "measures to model, separated by commas; default: all",
     .of = CALIBRATE},
    {CC_OPT_LIST, 0, "input", "LIST", AT(inputs),
     "other columns that explain the measures: unroll,pipeline,clock_ns", .of = CALIBRATE},
    {CC_OPT_STR, 0, "group", "COLUMN", AT(group), "leave out whole groups of kernels, not single ones",
     .of = CALIBRATE},
    {CC_OPT_STR, 0, "key", "COLUMN", AT(key), "column that names the kernel; default: kernel, else function",
     .of = CALIBRATE},
    {CC_OPT_CHOICE, 0, "transform", "HOW", AT(transform), "auto, linear or log", 0, 0, transforms,
     .of = CALIBRATE},
    {CC_OPT_CHOICE, 0, "family", "KIND", AT(family),
     "auto, linear (few terms), penalised (many, small) or forest (trees)", 0, 0, families, .of = CALIBRATE},
    {CC_OPT_STR, 0, "scope", "TEXT", AT(scope), "what the figures are of, said with every estimate",
     .of = CALIBRATE},
    {CC_OPT_NUM, 0, "clock", "NS", AT(clock_ns), "period of the clock that cycles are of", 1e-6, 1e9,
     .of = CALIBRATE},
    {CC_OPT_STR, 0, "folds", "COLUMN", AT(folds), "also try models made without each of the column's parts",
     .of = CALIBRATE},
    {CC_OPT_CHOICE, 0, "zeros", "HOW", AT(zeros), "measures of 0: auto, keep or drop", 0, 0, zero_rules,
     .of = CALIBRATE},
    {CC_OPT_INT, 0, "max-terms", "N", AT(max_terms),
     "most metrics in one model; default: kernels / 5, at most 15", 1, 50, .of = CALIBRATE},
    {CC_OPT_HEADING, .help = "Options of estimate and partition"},
    {CC_OPT_STR, 0, "model", "FILE", AT(model),
     "model written by calibrate, or the name of one that ships; default: vitis-hls-u280",
     .of = ESTIMATE | PARTITION},
    {CC_OPT_LIST, 0, "input", "LIST", AT(inputs),
     "values of the model's inputs: unroll=4,clock_ns=5; default: the table's medians",
     .of = ESTIMATE | PARTITION},
    {CC_OPT_STR, 0, "device", "FILE", AT(device), "capacities of the device, for percentages; u280 ships",
     .of = ESTIMATE | PARTITION},
    {CC_OPT_STR, 0, "profile", "FILE", AT(profile), "recording that gives each function's share of the run",
     .of = ESTIMATE | PARTITION},
    {CC_OPT_STR, 0, "shares", "FILE", AT(shares), "the same as CSV: name,share (per cent, or 0 to 1)",
     .of = ESTIMATE},
    {CC_OPT_INT, 0, "unroll", "N", AT(unroll), "as if each loop were unrolled N times (extrapolated)", 1,
     1024, .of = ESTIMATE},
    {CC_OPT_FLAG, 0, "pipeline", NULL, AT(pipeline),
     "as if innermost loops began an iteration whenever their memories let them (extrapolated)",
     .of = ESTIMATE},
    {CC_OPT_FLAG, 0, "alone", NULL, AT(alone), "functions without what they call", .of = ESTIMATE},
    {CC_OPT_CHOICE, 0, "order", "HOW", AT(order), "hot (by share) or source", 0, 0, orders, .of = ESTIMATE},
    {CC_OPT_PERCENT, 0, "confidence", "PCT", AT(confidence), "of the intervals; default 90", 50, 99,
     .of = ESTIMATE | PARTITION},
    {CC_OPT_HEADING, .help = "Options of partition"},
    {CC_OPT_LIST, 0, "budget", "LIST", AT(budget),
     "at most so much: lut=70%,dsp=500; default: all of the device", .of = PARTITION},
    {CC_OPT_STR, 0, "platform", "FILE", AT(platform), "charge data and calls over this platform's link",
     .of = PARTITION},
    {CC_OPT_STR, 0, "link", "A.B", AT(link),
     "which of its links; default: the one to pl or fpga, or the only one", .of = PARTITION},
    {CC_OPT_NUM, 0, "gain", "N", AT(gain), "hardware is N times as fast; default: it takes no time", 1, 1e9,
     .of = PARTITION},
    {CC_OPT_NUM, 0, "clock", "NS", AT(clock_ns),
     "hardware takes the cycles that are estimated, of this period", 1e-6, 1e9, .of = PARTITION},
    {CC_OPT_FLAG, 0, "loops", NULL, AT(loops), "loops may become hardware too, without their functions",
     .of = PARTITION},
    {CC_OPT_INT, 0, "candidates", "N", AT(candidates),
     "functions to choose among, hottest first; default 16, with loops 24", 1, 40, .of = PARTITION},
    {CC_OPT_OUT, 0, "svg", "FILE", AT(svg), "draw speed-up over area", .of = PARTITION},
};

void cc_area_split(const struct cc_strs *given, struct cc_arena *arena, struct cc_strs *ret)
{
    for (size_t i = 0; i < given->n; i++) {
        char *save = NULL, *copy = cc_arena_strdup(arena, given->v[i]);
        for (char *t = strtok_r(copy, ", ", &save); t; t = strtok_r(NULL, ", ", &save))
            CC_VEC_PUSH(ret, t);
    }
}

int cc_area_show(const struct cc_common *common, struct cc_result *r, struct cc_err *err)
{
    int rc = cc_output_result(common, r, err);
    cc_result_free(r);
    return rc;
}

/* In the order of the bits above. */
static const struct cc_verb verbs[] = {
    {"metrics", "count what a function's source holds", "FILE… [-- COMPILER-FLAGS]", cc_area_metrics},
    {"calibrate", "fit a model to metrics and measured hardware", "TABLE.csv… -o MODEL", cc_area_calibrate},
    {"estimate", "hardware of functions, from a model", "FILE… [-- COMPILER-FLAGS] | METRICS.csv",
     cc_area_estimate},
    {"partition", "choose which functions become hardware", "FILE… --profile RUN.cast [-- COMPILER-FLAGS]",
     cc_area_partition},
    {"model", "show what a model holds", "show MODEL", cc_area_model_show},
};

const struct cc_command cc_cmd_area = {
    .name = "area",
    .summary = "hardware estimates from C source",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct cc_area_options),
    .results = true,
    .verbs = verbs,
    .nverbs = CC_COUNT(verbs),
};
