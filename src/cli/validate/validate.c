/* corecast validate: run the user's real parallel program and compare it with the prediction. */
#include "../command.h"
#include "../output.h"
#include "../../analysis/predict/predict.h"
#include "../../run/child.h"
#include "../../run/others.h"

#include <math.h>
#include <sys/wait.h>

enum { MAX_POINTS = 4096, MAX_CORES = 1024, SHELLS = 5 };
#define BUSY 0.05 /* share of the CPUs that others may have before it is told */

struct options {
    struct cc_common common;
    const char *platform, *cores, *command, *serial, *timer;
    struct cc_strs scenarios, set;
    int64_t repeat;
    int contention, count;
    double coverage, max_error;
};

static const char *const count_names[] = {"least", "middle", NULL};
enum { COUNT_LEAST, COUNT_MIDDLE };

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P", offsetof(struct options, platform),
     "platform file: where the program runs"},
    {CC_OPT_LIST, 0, "scenario", "S.omp", offsetof(struct options, scenarios),
     "directives of the parallel program; may be given several times"},
    {CC_OPT_STR, 0, "cores", "LIST", offsetof(struct options, cores), "numbers of processors: 1,2,4 or 1..8"},
    {CC_OPT_STR, 0, "run", "COMMAND", offsetof(struct options, command),
     "shell command of the parallel program; {n} stands for the number of processors, {scenario} for the "
     "scenario's name as one word"},
    {CC_OPT_STR, 0, "serial", "COMMAND", offsetof(struct options, serial),
     "shell command of the serial program, whose time speed-ups are taken from; the profile's by default"},
    {CC_OPT_INT, 0, "repeat", "N", offsetof(struct options, repeat), "runs of each (default 5)", 1, 1000},
    {CC_OPT_CHOICE, 0, "count", "WHICH", offsetof(struct options, count),
     "which of the runs counts: least (default) or middle", 0, 0, count_names},
    {CC_OPT_STR, 0, "timer", "WORD", offsetof(struct options, timer),
     "take the time from the last line 'WORD NANOSECONDS' that a command prints, not the whole command's"},
    {CC_OPT_PERCENT, 0, "coverage", "PCT", offsetof(struct options, coverage),
     "how often the measured time is to lie in the interval that is predicted (default 90 %)", 50, 99},
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct options, set), "override a value of the platform"},
    {CC_OPT_CHOICE, 0, "contention", "HOW", offsetof(struct options, contention),
     "slowdown by busy neighbours: auto, corun, model, locality or off", 0, 0, cc_contention_names},
    {CC_OPT_PERCENT, 0, "max-error", "PCT", offsetof(struct options, max_error),
     "exit with status 1 when an error is larger than this and the spread of its runs", 0, 1e6},
};

struct point {
    const char *scenario; /* name */
    int64_t processors;
    char *command;
    double predicted_time, low, high; /* seconds, 0 if the trace's clock has no rate */
    double predicted, least, most;    /* speed-up, and its interval */
    double seconds;                   /* measured: the run that counts */
    double spread;                    /* how much longer than the least the middle one took */
    double measured, error;
};

struct points {
    struct point v[MAX_POINTS];
    size_t n;
};

/* --- measuring --- */

#define SCENARIO "CORECAST_SCENARIO"

/* How the shell reads the byte before which a text of this command ends: inside which quote, 0 for none. */
static char quote_at(const char *command, const char *end)
{
    char quote = 0;
    for (const char *c = command; c < end; c++) {
        if (*c == '\\' && quote != '\'' && c + 1 < end)
            c++;
        else if (*c == quote)
            quote = 0;
        else if (!quote && (*c == '"' || *c == '\''))
            quote = *c;
    }
    return quote;
}

/* The name of a scenario is data and never becomes a part of the command: the shell finds it in a variable,
 * whose value it does not read as a command. */
static int substitute(const char *command, int64_t n, char **ret, struct cc_err *err)
{
    struct cc_buf b = {0};
    for (const char *c = command; *c;) {
        if (strncmp(c, "{n}", 3) == 0) {
            cc_buf_printf(&b, "%lld", (long long)n);
            c += 3;
        } else if (strncmp(c, "{scenario}", 10) == 0) {
            char quote = quote_at(command, c);
            if (quote == '\'') {
                cc_buf_fini(&b);
                return cc_err_set(err, CC_EUSAGE,
                                  "{scenario} stands inside single quotes of '%s': use double quotes there",
                                  command);
            }
            cc_buf_puts(&b, quote ? "${" SCENARIO "}" : "\"${" SCENARIO "}\"");
            c += 10;
        } else {
            cc_buf_add(&b, c++, 1);
        }
    }
    *ret = b.s ? b.s : cc_strdup("");
    return 0;
}

/* The number of the last line "WORD NUMBER" of a text; NAN if there is none. */
static double last_line(const char *text, const char *word)
{
    double found = NAN, v;
    size_t n = strlen(word);
    for (const char *line = text; line && *line; line = strchr(line, '\n'), line = line ? line + 1 : NULL)
        if (strncmp(line, word, n) == 0 && (line[n] == ' ' || line[n] == '\t') &&
            sscanf(line + n, "%lf", &v) == 1 && isfinite(v) && v > 0)
            found = v;
    return found;
}

/* What a command printed, for those who want to see it, and its own time. */
static double own_time(const struct options *o, struct cc_child *child)
{
    double t = NAN;
    struct cc_buf *const bufs[] = {&child->out, &child->err};
    for (int i = 0; i < 2; i++) {
        if (!bufs[i]->n)
            continue;
        double found = last_line(bufs[i]->s, o->timer);
        t = isnan(found) ? t : found;
        if (o->common.verbose)
            fputs(bufs[i]->s, stderr);
    }
    return t * 1e-9;
}

/* Seconds of a shell command: of the wall clock, or by its own timer. What it prints is dropped unless asked
 * for. */
static int time_command(const struct options *o, const char *command, const char *scenario, double *ret,
                        struct cc_err *err)
{
    char *argv[] = {"sh", "-c", (char *)command, NULL};
    CC_CLEANUP(cc_free_ptr) char *variable = cc_asprintf(SCENARIO "=%s", scenario);
    const char *const environment[] = {variable, NULL};
    struct cc_child_request request = {.file = "/bin/sh",
                                       .argv = argv,
                                       .environment = environment,
                                       .out = o->common.verbose ? CC_STREAM_TO_STDERR : CC_STREAM_NULL};
    if (o->timer) {
        request.out = request.err = CC_STREAM_CAPTURED;
        request.max_out = request.max_err = 1 << 24;
    }
    struct cc_child child;
    int rc = cc_child_run(&request, &child, err);
    if (rc < 0)
        return rc;
    *ret = o->timer ? own_time(o, &child) : child.seconds;
    if (child.too_long)
        rc = cc_err_set(err, CC_EENGINE, "'%s' prints without end", command);
    else if (WIFSIGNALED(child.status))
        rc = cc_err_set(err, CC_EENGINE, "'%s' was killed by signal %d", command, WTERMSIG(child.status));
    else if (child.status)
        rc = cc_err_set(err, CC_EENGINE, "'%s' ended with status %d", command, WEXITSTATUS(child.status));
    else if (isnan(*ret))
        rc = cc_err_set(err, CC_EENGINE, "'%s' prints no line '%s NANOSECONDS'", command, o->timer);
    cc_child_fini(&child);
    return rc;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The run that counts, and how much longer than the least the middle one took: the machine's own spread,
 * since no prediction can be nearer to one run than the next run is. */
static double one_of(double *times, size_t n, int count, double *ret_spread)
{
    qsort(times, n, sizeof *times, by_size);
    double middle = n % 2 ? times[n / 2] : (times[n / 2 - 1] + times[n / 2]) / 2;
    if (ret_spread)
        *ret_spread = middle / times[0] - 1;
    return count == COUNT_MIDDLE ? middle : times[0];
}

struct timing { /* of one command */
    const char *command, *scenario;
    double *times;
};

/* Rounds outside, commands inside: what drifts hits all alike. What the shell itself takes is taken off. */
static int time_all(const struct options *o, struct timing *t, size_t n, struct cc_progress *progress,
                    struct cc_err *err)
{
    double shell = o->timer ? 0 : INFINITY, one;
    int rc = 0;
    for (int64_t r = 0; rc == 0 && r < o->repeat; r++) {
        for (int i = 0; rc == 0 && !o->timer && i < SHELLS; i++)
            if ((rc = time_command(o, ":", "", &one, err)) == 0)
                shell = CC_MIN(shell, one);
        cc_progress_add(progress, !o->timer);
        for (size_t i = 0; rc == 0 && i < n; i++) {
            rc = time_command(o, t[i].command, t[i].scenario, &t[i].times[r], err);
            cc_progress_add(progress, 1);
        }
    }
    for (size_t i = 0; rc == 0 && i < n; i++)
        for (int64_t r = 0; rc == 0 && r < o->repeat; r++) {
            t[i].times[r] -= shell;
            if (t[i].times[r] <= 0)
                rc = cc_err_set(err, CC_EENGINE, "'%s' is too short to be timed", t[i].command);
        }
    return rc;
}

static int measure(const struct options *o, struct points *p, double *serial, struct cc_err *err)
{
    size_t n = p->n + (o->serial != NULL);
    struct timing *t = cc_alloc_array(n + 1, sizeof *t);
    for (size_t i = 0; i < n; i++)
        t[i] = i < p->n ? (struct timing){p->v[i].command, p->v[i].scenario, NULL}
                        : (struct timing){o->serial, "", NULL};
    for (size_t i = 0; i < n; i++)
        t[i].times = cc_alloc_array((size_t)o->repeat, sizeof *t[i].times);
    struct cc_progress progress = {
        .what = "timing", .unit = "runs", .count.total = (uint64_t)o->repeat * (n + !o->timer)};
    cc_output_progress(&o->common, &progress);
    int rc = time_all(o, t, n, &progress, err);
    cc_progress_end(&progress);
    for (size_t i = 0; rc == 0 && i < p->n; i++)
        p->v[i].seconds = one_of(t[i].times, (size_t)o->repeat, o->count, &p->v[i].spread);
    *serial = rc == 0 && o->serial ? one_of(t[p->n].times, (size_t)o->repeat, o->count, NULL) : INFINITY;
    for (size_t i = 0; i < n; i++)
        free(t[i].times);
    free(t);
    return rc;
}

/* --- predicting --- */

/* What is predicted, and for how many processors. */
struct request {
    const struct cc_htg *h;
    struct cc_predict_model *m;
    const char *command; /* of the parallel program */
    int64_t cores[MAX_CORES];
    size_t ncores;
};

static int predict_scenario(const struct request *r, const struct cc_scenario *s, struct points *p,
                            struct cc_err *err)
{
    struct cc_predict_plan *plan;
    int rc = cc_predict_plan_new(r->h, s, &plan, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; rc == 0 && i < r->ncores; i++) {
        if (p->n == MAX_POINTS) {
            rc = cc_err_set(err, CC_EUSAGE, "more than %d points", MAX_POINTS);
            break;
        }
        struct cc_predict_schedule schedule;
        rc = cc_predict_run(r->m, plan, (unsigned)r->cores[i], false, &schedule, err);
        if (rc < 0)
            break;
        double second = cc_predict_tick_seconds(r->m);
        struct point *pt = &p->v[p->n++];
        *pt = (struct point){.scenario = s->name, .processors = r->cores[i], .predicted = schedule.gain};
        rc = substitute(r->command, r->cores[i], &pt->command, err);
        pt->predicted_time = CC_TICKS_TO_F64(schedule.time) * second;
        pt->low = CC_TICKS_TO_F64(schedule.time_low) * second;
        pt->high = CC_TICKS_TO_F64(schedule.time_high) * second;
        pt->least = schedule.gain * (double)schedule.time / (double)schedule.time_high;
        pt->most = schedule.gain * (double)schedule.time / (double)schedule.time_low;
        cc_predict_schedule_fini(&schedule);
    }
    cc_predict_plan_free(plan);
    return rc;
}

/* Speed-ups are against the serial command if there is one; else against the profile's own length, if its
 * clock is a real one; else both sides are against their first point. */
static int compare(const struct cc_htg *h, const struct cc_predict_model *m, struct points *p, double serial,
                   struct cc_err *err)
{
    bool real = strcmp(h->clock, "ns") == 0 && h->ticks_per_second > 0;
    double base = serial;
    if (!isfinite(base) && real)
        base = CC_TICKS_TO_F64(cc_predict_sequential(m)) / h->ticks_per_second;
    for (size_t i = 0; i < p->n; i++) {
        struct point *pt = &p->v[i];
        if (isfinite(base)) {
            pt->measured = base / pt->seconds;
        } else {
            const struct point *first = pt;
            while (first > p->v && strcmp(first[-1].scenario, pt->scenario) == 0)
                first--;
            pt->measured = first->predicted * first->seconds / pt->seconds;
        }
        if (!(pt->measured > 0))
            return cc_err_set(err, CC_EENGINE, "the serial program is too short to be timed");
        pt->error = pt->predicted / pt->measured - 1;
    }
    return 0;
}

/* --- results --- */

static bool inside(const struct point *pt)
{
    return pt->measured >= pt->least && pt->measured <= pt->most;
}

static void add_points(const struct points *p, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"scenario", "scenario", CC_COL_STR},
        {"processors", "processors", CC_COL_INT},
        {"predicted_time", "predicted s", CC_COL_NUM, 4},
        {"measured_time", "measured s", CC_COL_NUM, 4},
        {"predicted", "predicted speed-up", CC_COL_NUM, 2},
        {"measured", "measured speed-up", CC_COL_NUM, 2},
        {"error", "error", CC_COL_PERCENT, 1},
        {"spread", "spread", CC_COL_PERCENT, 1,
         .meaning = "how much longer than the least of the runs the middle one took"},
        {"low", "from", CC_COL_NUM, 2, .meaning = "interval of the predicted speed-up"},
        {"high", "to", CC_COL_NUM, 2},
        {"inside", "inside", CC_COL_STR, .meaning = "the measured speed-up lies in the interval"},
        {"time_low", NULL, CC_COL_NUM},
        {"time_high", NULL, CC_COL_NUM},
    };
    struct cc_table *t = cc_result_table(r, "points", cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->n; i++) {
        const struct point *pt = &p->v[i];
        bool timed = pt->predicted_time > 0;
        cc_table_row(t);
        cc_table_str(t, pt->scenario);
        cc_table_int(t, pt->processors);
        cc_table_num(t, timed ? pt->predicted_time : NAN);
        cc_table_num(t, pt->seconds);
        cc_table_num(t, pt->predicted);
        cc_table_num(t, pt->measured);
        cc_table_num(t, pt->error);
        cc_table_num(t, pt->spread);
        cc_table_num(t, pt->least);
        cc_table_num(t, pt->most);
        cc_table_str(t, inside(pt) ? "yes" : "no");
        cc_table_num(t, timed ? pt->low : NAN);
        cc_table_num(t, timed ? pt->high : NAN);
    }
}

static int show(const struct options *o, const struct points *p, const struct cc_platform *platform,
                double others, double *ret_worst, struct cc_err *err)
{
    double sum = 0, worst = 0, spread = 0, beyond = 0, held = 0;
    for (size_t i = 0; i < p->n; i++) {
        sum += fabs(p->v[i].error);
        spread += p->v[i].spread;
        held += inside(&p->v[i]);
        worst = CC_MAX(worst, fabs(p->v[i].error));
        beyond = CC_MAX(beyond, fabs(p->v[i].error) - p->v[i].spread);
    }
    double mean = p->n ? sum / (double)p->n : 0;
    spread /= p->n ? (double)p->n : 1;
    *ret_worst = CC_MAX(beyond, 0);
    struct cc_result *r = cc_result_new("corecast.validate", 1);
    add_points(p, r);
    cc_result_num(r, "mean_abs_error", mean);
    cc_result_num(r, "max_abs_error", worst);
    cc_result_num(r, "mean_spread", spread);
    cc_result_num(r, "max_error_beyond_spread", *ret_worst);
    cc_result_num(r, "interval_held", p->n ? held / (double)p->n : NAN);
    cc_result_num(r, "others", others);
    cc_result_note(
        r,
        "mean error %.1f %%, largest %.1f %%; the machine's own spread %.1f %%; %.0f of %zu measured "
        "speed-ups lie in the interval",
        mean * 100, worst * 100, spread * 100, held, p->n);
    if (others > BUSY)
        cc_result_note(r,
                       "the machine was busy: others had %.0f %% of its CPUs; part of the errors is theirs",
                       others * 100);
    cc_platform_show_assumed(platform, r);
    int rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    return rc;
}

/* --- the whole --- */

static int check(struct options *o, const struct cc_strs *operands, struct cc_err *err)
{
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one profile");
    if (!o->platform || !o->scenarios.n || !o->command || !o->cores)
        return cc_err_set(err, CC_EUSAGE, "--platform, --scenario, --cores and --run are needed");
    if (!strstr(o->command, "{n}"))
        cc_note(&o->common, "the command has no {n}: every run uses the same number of processors");
    o->repeat = o->repeat ? o->repeat : 5;
    return 0;
}

static int validate(struct options *o, const struct cc_htg *h, struct cc_platform *platform, struct points *p,
                    struct cc_err *err)
{
    struct request r = {.h = h, .command = o->command};
    struct cc_int_list cores = {r.cores, MAX_CORES, 0};
    int rc = cc_opt_int_list("cores", o->cores, 1, CC_PREDICT_MAX_CORES, &cores, err);
    r.ncores = cores.n;
    for (size_t i = 0; rc == 0 && i < o->set.n; i++)
        rc = cc_platform_override(platform, o->set.v[i], err);
    struct cc_predict_options po = {.contention = (enum cc_contention)o->contention, .coverage = o->coverage};
    if (rc == 0)
        rc = cc_predict_model_new(h, platform, &po, &r.m, err);
    struct cc_scenario **scenarios = cc_alloc_array(o->scenarios.n, sizeof *scenarios);
    for (size_t i = 0; rc == 0 && i < o->scenarios.n; i++) {
        rc = cc_scenario_load(o->scenarios.v[i], &scenarios[i], err);
        if (rc == 0)
            rc = predict_scenario(&r, scenarios[i], p, err);
    }
    double serial, worst = 0;
    struct cc_others others;
    cc_others_begin(&others);
    if (rc == 0)
        rc = measure(o, p, &serial, err);
    double share = cc_others_share(&others);
    if (rc == 0)
        rc = compare(h, r.m, p, serial, err);
    if (rc == 0)
        rc = show(o, p, platform, share, &worst, err);
    if (rc == 0 && CC_GIVEN(o, max_error) && worst > o->max_error)
        rc = cc_err_set(err, CC_ETHRESHOLD,
                        "an error is %.1f %% beyond the spread of its runs, more than %g %%", worst * 100,
                        100 * o->max_error);
    for (size_t i = 0; i < o->scenarios.n; i++)
        cc_scenario_free(scenarios[i]);
    free(scenarios);
    cc_predict_model_free(r.m);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    int rc = check(o, operands, err);
    struct cc_htg *h = NULL;
    struct cc_platform *platform = NULL;
    struct points *p = cc_alloc(sizeof *p);
    struct cc_htg_options any = {.any_thread = true};
    if (rc == 0)
        rc = cc_platform_load(o->platform, &platform, err);
    if (rc == 0)
        rc = cc_htg_load(operands->v[0], &any, &h, err);
    if (rc == 0)
        rc = validate(o, h, platform, p, err);
    for (size_t i = 0; i < p->n; i++)
        free(p->v[i].command);
    free(p);
    cc_htg_free(h);
    cc_platform_free(platform);
    return rc;
}

const struct cc_command cc_cmd_validate = {
    .name = "validate",
    .summary = "run the real parallel program and compare it with the prediction",
    .synopsis = "PROFILE --platform P --scenario S.omp --cores LIST --run COMMAND [OPTIONS]",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .run = run,
};
