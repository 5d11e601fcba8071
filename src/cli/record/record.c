/* corecast record: run a program and measure it. */
#include "../command.h"
#include "../output.h"
#include "../../run/record.h"
#include "../../run/native.h"
#include "../../run/vary.h"
#include "../../base/parallel.h"

#include <inttypes.h>
#include <libgen.h>
#include <unistd.h>

static const char *const engines[] = {"auto", "valgrind", "qemu", "native", NULL};
static const char *const libs[] = {"auto", "caller", "node", NULL};
static const char *const tasks[] = {"marks", "calls", "none", "loops", "all", NULL};
static const char *const loops[] = {"none", "count", "dependences", NULL};
static const char *const copies[] = {"auto", "forked", "separate", NULL};

/* Whose an option is. */
enum { SEES = 1, NATIVE = 2, IMPORT = 4 };
static const char *const owners[] = {"--engine valgrind|qemu", "--engine native", "--import", NULL};

struct options {
    struct cc_common common;
    int engine, copies;
    struct cc_options collect;
    struct cc_strs regions;
    const char *corun, *import, *loops_for;
    int64_t repeat;
    struct cc_strs channels;
    struct cc_strs vary, inputs;
    int64_t jobs;
};

static const struct cc_opt table[] = {
    {CC_OPT_CHOICE, 0, "engine", "E", offsetof(struct options, engine),
     "auto, valgrind (this machine's programs), qemu (any), or native (marks only, real time)", 0, 0,
     engines},
    {CC_OPT_CHOICE, 0, "libs", "MODE", offsetof(struct options, collect.libs),
     "auto: charge the run-time libraries' code to its callers; caller: all libraries'; node: show all", 0, 0,
     libs, SEES},
    {CC_OPT_FLAG, 0, "follow", NULL, offsetof(struct options, collect.follow),
     "also record forked children, each into its own profile", 0, 0, NULL, SEES},
    {CC_OPT_LIST, 0, "channel", "A:B", offsetof(struct options, channels),
     "watch how function B reads what function A writes; up to eight times", 0, 0, NULL, SEES},
    {CC_OPT_FLAG, 0, "plain", NULL, offsetof(struct options, collect.plain),
     "calls and streams only, a little faster: no intensity, bandwidth or classes", 0, 0, NULL, SEES},
    {CC_OPT_LIST, 0, "region", "NAME=FUNCTION", offsetof(struct options, regions),
     "make a region of a function, without a mark in the source; may be given again", 0, 0, NULL, SEES},
    {CC_OPT_CHOICE, 0, "tasks", "FROM", offsetof(struct options, collect.tasks),
     "make the task trace for predict from marks, from every call of a function (calls), from "
     "iterations of loops (loops), from both (all), or none",
     0, 0, tasks, SEES},
    {CC_OPT_INT, 0, "slice", "N", offsetof(struct options, collect.slice),
     "instructions in a slice of the bandwidth view; chosen as the run goes if not given", 1000,
     INT64_C(1000000000000), NULL, SEES},
    {CC_OPT_FLAG, 0, "objects", NULL, offsetof(struct options, collect.objects),
     "also tell which variable or allocation each access touches", 0, 0, NULL, SEES},
    {CC_OPT_INT, 0, "calls", "N", offsetof(struct options, collect.calls),
     "tell the first N calls of each path apart, for 'report --view comm --by call'", 2, 65535, NULL, SEES},
    {CC_OPT_FLAG, 0, "locality", NULL, offsetof(struct options, collect.locality),
     "also tell how far apart lines are touched again, and keep a trace of them for predict", 0, 0, NULL,
     SEES},
    {CC_OPT_CHOICE, 0, "loops", "WHAT", offsetof(struct options, collect.loops),
     "of loops: count them, their iterations and instructions; dependences: also tell which can run in "
     "parallel (under qemu: which cannot, as far as memory tells); none",
     0, 0, loops, SEES},
    {CC_OPT_STR, 0, "loops-for", "FUNCTION,…", offsetof(struct options, loops_for),
     "only the loops of these functions", 0, 0, NULL, SEES},
    {CC_OPT_FLAG, 0, "exact", NULL, offsetof(struct options, collect.exact),
     "follow every iteration for --loops dependences, not a sample of them: slower", 0, 0, NULL, SEES},
    {CC_OPT_STR, 0, "corun", "K,K…", offsetof(struct options, corun),
     "native: also run K copies at once and store how much slower they get", 0, 0, NULL, NATIVE},
    {CC_OPT_CHOICE, 0, "copies", "HOW", offsetof(struct options, copies),
     "native: copies of a co-run are forked at the first mark and share what they only read, or separate", 0,
     0, copies, NATIVE},
    {CC_OPT_LIST, 0, "vary", "NAME=VALUE,…", offsetof(struct options, vary),
     "record once for each value, which stands for {NAME} in the command, into the folder of -o; given "
     "again: "
     "for all combinations",
     0, 0, NULL, SEES | NATIVE},
    {CC_OPT_LIST, 0, "inputs", "FILES", offsetof(struct options, inputs),
     "the same for each file of a pattern, which stands for {input}; may be given again", 0, 0, NULL,
     SEES | NATIVE},
    {CC_OPT_INT, 0, "jobs", "N", offsetof(struct options, jobs),
     "with --vary or --inputs: so many recordings at once; as many as processors if not given", 1, 1024, NULL,
     SEES},
    {CC_OPT_STR, 0, "import", "TRACE", offsetof(struct options, import),
     "native: run nothing, take the trace that a program left on another machine", 0, 0, NULL, IMPORT},
    {CC_OPT_INT, 0, "repeat", "N", offsetof(struct options, repeat),
     "native: run N times and take each stretch between two marks from the run in which it was shortest", 1,
     16, NULL, NATIVE},
};

static const struct cc_opt_table options = {table, CC_COUNT(table), "record", owners, true};

static char *default_output(const char *program)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(program);
    return cc_asprintf("%s.cast", basename(copy));
}

static int record_native(const struct options *o, const char *output, char **argv, struct cc_err *err)
{
    unsigned counts[32];
    int64_t values[32];
    struct cc_int_list list = {values, CC_COUNT(values), 0};
    if (o->corun && cc_opt_int_list("corun", o->corun, 2, 1024, &list, err) < 0)
        return -CC_EUSAGE;
    for (size_t i = 0; i < list.n; i++)
        counts[i] = (unsigned)values[i];
    struct cc_native_options native = {.output = output,
                                       .corun = counts,
                                       .ncorun = list.n,
                                       .copies = (enum cc_native_copies)o->copies,
                                       .repeat = (unsigned)o->repeat,
                                       .quiet_copies = true};
    struct cc_native_result result;
    int rc = cc_native_record(&native, argv, &result, err);
    if (rc == 0 && result.note[0])
        cc_note(&o->common, "%s", result.note);
    return rc < 0 ? rc : result.status;
}

static int import_native(const struct options *o, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_native_result result;
    if (operands->n || (o->engine != CC_ENGINE_AUTO && o->engine != CC_ENGINE_NATIVE))
        return cc_err_set(err, CC_EUSAGE, "--import runs no program and takes only -o");
    CC_CLEANUP(cc_free_ptr)
    char *output = o->common.output ? cc_strdup(o->common.output) : default_output(o->import);
    int rc = cc_native_import(o->import, output, &result, err);
    if (rc == 0 && result.note[0])
        cc_note(&o->common, "%s", result.note);
    return rc;
}

/* Marks that do not pair up make figures by region doubtful: said whether or not a person is watching. */
static void say_problems(const struct options *o, const char *output, const char *problems)
{
    enum { MOST = 5 };
    size_t said = 0, left = 0;
    for (const char *line = problems, *end; line && (end = strchr(line, '\n')); line = end + 1) {
        if (said < MOST)
            cc_note(&o->common, "%.*s", (int)CC_MIN(end - line, 400), line);
        said++;
        left += said > MOST;
    }
    if (left)
        cc_note(&o->common, "and %zu more problem%s with marks: corecast report %s lists them", left,
                left == 1 ? "" : "s", output);
}

/* `record env A=1 ./prog` records env: said whether or not a person is watching. */
static void say_left(const struct options *o, const char *name, const struct cc_import_left *left)
{
    CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(name);
    if (left->replaced)
        cc_note(
            &o->common,
            "'%s' executed another program, which is not in this profile; put 'corecast record' in front of "
            "that one: %s ... corecast record ... PROGRAM",
            safe, safe);
    else if (left->forked)
        cc_note(
            &o->common,
            "'%s' made processes, which are not in this profile; --follow makes a profile of each until it "
            "executes another program, of which 'corecast record' in front of it makes one",
            safe);
}

/* Standard error belongs to the program: a word of ours appears there only when a person reads along. */
static void say_done(const struct options *o, const char *output, const struct cc_record_result *r)
{
    if (!isatty(STDERR_FILENO) && !o->common.verbose)
        return;
    cc_note(&o->common, "%s profile in '%s' (%s engine); next: corecast report %s",
            r->complete ? "whole" : "incomplete", output, r->engine, output);
    if (r->followed)
        cc_note(&o->common, "%u profiles of its children beside it", r->followed);
}

static int record_instrumented(const struct options *o, const char *output, const struct cc_target *target,
                               char **argv, struct cc_err *err)
{
    struct cc_record_options record = {.engine = (enum cc_engine)o->engine,
                                       .output = output,
                                       .regions = o->regions.v,
                                       .nregions = o->regions.n,
                                       .channels = o->channels.v,
                                       .nchannels = o->channels.n,
                                       .loops_for = o->loops_for,
                                       .collect = o->collect};
    /* arrays that are read in turns are told apart by that */
    record.collect.objects |= o->channels.n > 0 && !o->collect.plain;
    struct cc_record_watch watch = {.known = false};
    record.watch = &watch;
    struct cc_record_result result = {0};
    CC_CLEANUP(cc_free_ptr) char *what = cc_asprintf("recording %s", argv[0]);
    CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(what);
    struct cc_progress progress = {
        .what = safe, .unit = "instructions", .program = true, .ask = cc_record_watched, .data = &watch};
    if (!o->vary.n && !o->inputs.n) /* of a set, several run at once */
        cc_output_progress(&o->common, &progress);
    int rc = cc_record(&record, target, argv, &result, err);
    cc_progress_end(&progress);
    if (rc == 0) {
        if (result.untranslated)
            cc_note(&o->common, "%s%s", result.untranslated,
                    strcmp(result.engine, "qemu") == 0 ? "" : "; try --engine qemu");
        if (result.refused_gib)
            cc_note(&o->common,
                    "the program asked for %" PRIu64
                    " GiB of addresses at once, for which Valgrind has no room; try --engine qemu",
                    result.refused_gib);
        say_problems(o, output, result.problems);
        say_left(o, argv[0], &result.not_there);
        say_done(o, output, &result);
    } else if (result.ran && result.status) { /* its failure is worth more than ours */
        cc_err_print(err, stderr);
    }
    if (result.left)
        cc_note(&o->common, "an earlier recording was cut short; corecast salvage %s makes a profile of it",
                result.left);
    free(result.problems);
    free(result.left);
    free(result.untranslated);
    return rc < 0 && (!result.ran || !result.status) ? rc : result.status;
}

/* One recording. Returns the program's status, or negative. */
static int record_one(const struct options *o, const char *to, const char *const *words, size_t n,
                      struct cc_err *err)
{
    struct cc_target target;
    int rc = cc_target_find(words[0], &target, err);
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) char *output = to ? cc_strdup(to) : default_output(target.path);
    struct cc_strs program = {(const char *[]){target.path}, 1, 0};
    rc = cc_output_check(&options, o, &program, 1, err); /* it may have been found in PATH */
    if (rc == 0)
        rc = cc_output_spare_arguments(output, words + 1, n - 1, err);
    if (rc == 0) {
        CC_CLEANUP(cc_free_ptr) char **argv = cc_alloc_array(n + 1, sizeof *argv);
        memcpy(argv, words, n * sizeof *argv);
        rc = o->engine == CC_ENGINE_NATIVE ? record_native(o, output, argv, err)
                                           : record_instrumented(o, output, &target, argv, err);
    }
    cc_target_fini(&target);
    return rc;
}

/* --- over inputs and parameters --- */

static int record_varied(void *data, const char *output, char **argv, size_t n, struct cc_err *err)
{
    return record_one(data, output, (const char *const *)argv, n, err);
}

static void say_ended(void *data, const struct cc_set *s, const struct cc_set_run *r, size_t done, size_t all)
{
    const struct options *o = data;
    bool well = strcmp(r->status, CC_SET_OK) == 0;
    if (well && !isatty(STDERR_FILENO) && !o->common.verbose)
        return;
    struct cc_buf b = {0};
    for (size_t i = 0; i < s->nvariables; i++)
        cc_buf_printf(&b, "%s%s=%s", i ? " " : "", s->variables[i], r->values[i]);
    cc_note(&o->common, "%zu of %zu: %s: %s", done, all, b.s, r->status);
    cc_buf_fini(&b);
}

static int record_set(const struct options *o, const struct cc_strs *operands, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *program = cc_strdup(operands->v[0]);
    CC_CLEANUP(cc_free_ptr)
    char *folder = o->common.output ? cc_strdup(o->common.output) : cc_asprintf("%s.set", basename(program));
    /* Times would not be those of a program that has the machine for itself. */
    unsigned jobs = o->engine == CC_ENGINE_NATIVE ? 1 : o->jobs ? (unsigned)o->jobs : cc_processors();
    struct cc_vary_options vary = {folder, o->vary.v,     o->vary.n, o->inputs.v, o->inputs.n,
                                   jobs,   record_varied, say_ended, (void *)o};
    CC_CLEANUP(cc_free_ptr) char **argv = cc_alloc_array(operands->n + 1, sizeof *argv);
    memcpy(argv, operands->v, operands->n * sizeof *argv);
    struct cc_vary_result result;
    int rc = cc_vary(&vary, argv, operands->n, &result, err);
    if (rc < 0)
        return rc;
    size_t left = result.all - result.kept - result.recorded - result.failed;
    cc_note(&o->common,
            "%zu recordings in '%s': %zu new, %zu kept, %zu failed%s; next: corecast compare --model %s",
            result.kept + result.recorded, folder, result.recorded, result.kept, result.failed,
            left ? ", the rest when it is run again" : "", folder);
    return result.interrupted ? 130 : result.failed ? CC_EOWN : 0;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    bool native = o->engine == CC_ENGINE_NATIVE;
    int rc = cc_opt_check(&options, o->import ? IMPORT : native ? NATIVE : SEES, &o->common, err);
    if (rc < 0)
        return rc;
    if (o->import)
        return import_native(o, operands, err);
    if (operands->n == 0)
        return cc_err_set(err, CC_EUSAGE, "no program to record");
    if (o->vary.n || o->inputs.n)
        return record_set(o, operands, err);
    if (o->jobs)
        return cc_err_set(err, CC_EUSAGE, "option '--jobs' goes with --vary or --inputs");
    return record_one(o, o->common.output, operands->v, operands->n, err);
}

const struct cc_command cc_cmd_record = {
    .name = "record",
    .summary = "run a program and measure who calls whom and where its data goes",
    .synopsis = "[OPTIONS] [--] PROGRAM [ARGUMENTS]",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .stop_at_operand = true,
    .raw_exit = true,
    .run = run,
};
