/* corecast characterize: measure this machine, or read what the benchmarks printed on another, into a
 * platform file. */
#include "../command.h"
#include "../output.h"
#include "../../analysis/characterize/characterize.h"
#include "../../base/where.h"
#include "../../platform/platform.h"
#include "../../run/child.h"
#include "../../run/others.h"
#include "../../base/text.h"

#include <sys/utsname.h>
#include <time.h>

struct options {
    struct cc_common common;
    struct cc_strs import;
    const char *name;
    int64_t repeat;
    double time, wait;
    bool units;
};

static const struct cc_opt table[] = {
    {CC_OPT_LIST, 0, "import", "FILE", offsetof(struct options, import),
     "take what the benchmarks printed elsewhere instead of measuring; may be given several times"},
    {CC_OPT_STR, 0, "name", "NAME", offsetof(struct options, name),
     "name of the platform; the host's by default"},
    {CC_OPT_NUM, 0, "time", "FACTOR", offsetof(struct options, time),
     "spend this many times the usual time on a figure that is not stable", 0.01, 100},
    {CC_OPT_INT, 0, "repeat", "N", offsetof(struct options, repeat),
     "runs of every benchmark at the least; one more where they differ or the machine was busy (default 2)",
     1, 20},
    {CC_OPT_NUM, 0, "wait", "SECONDS", offsetof(struct options, wait),
     "wait this long at the most for others to leave the machine (default 10)", 0, 3600},
    {CC_OPT_FLAG, 0, "units", NULL, offsetof(struct options, units),
     "also measure the units of this machine, a CUDA GPU included, as corecast units takes them"},
};

static const char *const benchmarks[] = {"openmp", "memory", "cores", "energy",
                                         "units"}; /* the last on demand */

static int run_benchmark(const struct options *o, const char *name, struct cc_facts *facts,
                         struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *file = cc_asprintf("characterize/corecast-bench-%s", name);
    CC_CLEANUP(cc_free_ptr) char *path = cc_where(CC_OWN_ENGINE, file);
    if (!path) {
        CC_CLEANUP(cc_free_ptr) char *looked = cc_where_looked(CC_OWN_ENGINE, file);
        int rc =
            cc_err_set(err, CC_EENGINE, "the benchmark 'corecast-bench-%s' is not installed: there is no %s",
                       name, looked);
        cc_err_hint(err, "it is built with the tool when the compiler knows OpenMP");
        return rc;
    }
    char scale[32];
    snprintf(scale, sizeof scale, "%g", o->time);
    char *argv[] = {path, scale, NULL};
    struct cc_child_request request = {.argv = argv, .out = CC_STREAM_CAPTURED, .max_out = 1 << 20};
    struct cc_child child;
    int rc = cc_child_run(&request, &child, err);
    if (rc == 0 && child.too_long)
        rc = cc_err_set(err, CC_EENGINE, "the benchmark prints without end");
    else if (rc == 0 && child.status)
        rc = cc_err_set(err, CC_EENGINE, "the benchmark '%s' ended with status %d", path,
                        cc_child_exit_status(child.status));
    if (rc == 0)
        rc = cc_facts_parse(facts, path, child.out.s ? child.out.s : "", err);
    cc_child_fini(&child);
    return rc;
}

/* --- until its own spread is known --- */

#define BUSY 0.05 /* share of the CPUs that others may have */
enum { MORE_RUNS = 2 };

struct quiet {            /* what was done about others */
    double waited, worst; /* seconds; share of the CPUs that others had during a run */
    size_t runs, apart;
};

/* Until others have little of the machine, or `most` seconds went by. */
static double wait_for_others(double most)
{
    double waited = 0;
    while (waited < most) {
        struct cc_others o;
        cc_others_begin(&o);
        nanosleep(&(struct timespec){.tv_nsec = 250000000}, NULL);
        waited += 0.25;
        if (!(cc_others_share(&o) > BUSY))
            break;
    }
    return waited;
}

/* One benchmark, as often as asked for; again where runs differ or others were at work. */
static int run_until_known(const struct options *o, const char *name, struct cc_facts *facts, struct quiet *q,
                           struct cc_err *err)
{
    struct cc_facts *runs = cc_alloc_array((size_t)o->repeat + MORE_RUNS, sizeof *runs);
    size_t n = 0, least = (size_t)o->repeat, most = least > 1 ? least + MORE_RUNS : 1;
    double waited = least > 1 ? wait_for_others(o->wait - q->waited) : 0, busy = 0;
    int rc = 0;
    for (bool again = true; rc == 0 && again;) {
        struct cc_others others;
        struct cc_facts settled = {0};
        cc_others_begin(&others);
        rc = run_benchmark(o, name, &runs[n++], err);
        double share = cc_others_share(&others);
        busy = share > busy ? share : busy;
        size_t apart = rc == 0 ? cc_facts_settle(runs, n, &settled) : 0;
        again = n < least || (n < most && (apart > settled.v.n / 10 || share > BUSY));
        if (rc == 0 && !again) {
            q->apart += apart;
            cc_facts_join(facts, &settled);
        }
        cc_facts_fini(&settled);
    }
    q->waited += waited;
    q->worst = CC_MAX(q->worst, busy);
    q->runs = CC_MAX(q->runs, n);
    for (size_t i = 0; i < n; i++)
        cc_facts_fini(&runs[i]);
    free(runs);
    return rc;
}

static int measure(const struct options *o, struct cc_facts *facts, struct cc_err *err)
{
    struct quiet q = {0};
    int rc = 0;
    size_t n = CC_COUNT(benchmarks) - !o->units;
    struct cc_progress progress = {.what = "measuring", .unit = "benchmarks", .count.total = n};
    cc_output_progress(&o->common, &progress);
    for (size_t i = 0; rc == 0 && i < n; i++) {
        rc = run_until_known(o, benchmarks[i], facts, &q, err);
        cc_progress_add(&progress, 1);
    }
    cc_progress_end(&progress);
    if (rc < 0 || !(q.worst > BUSY))
        return rc;
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_asprintf(
        "busy: others had up to %.0f %% of the CPUs; waited %.1f s for them, measured up to %zu times and "
        "kept the steadiest; %zu figures differed between runs",
        100 * q.worst, q.waited, q.runs, q.apart);
    cc_facts_note(facts, text);
    cc_note(&o->common, "%s", text);
    return 0;
}

static int import(const char *path, struct cc_facts *facts, struct cc_err *err)
{
    char *text;
    size_t size;
    int rc = cc_file_read(path, 16 << 20, &text, &size, err);
    if (rc < 0)
        return rc;
    if (memchr(text, 0, size))
        rc = cc_err_at(err, CC_EINPUT, path, 0, "not a text file");
    else
        rc = cc_facts_parse(facts, path, text, err);
    free(text);
    return rc;
}

/* ini values take no comment characters, quotes or line ends. */
static char *plain(const char *s)
{
    char *copy = cc_strdup(s);
    for (char *c = copy; *c; c++)
        if ((unsigned char)*c < 32 || strchr(";#[]=\"", *c))
            *c = ' ';
    return copy;
}

static char *describe(const struct options *o)
{
    if (o->import.n)
        return cc_asprintf("corecast %s characterize, imported from %s", CC_VERSION, o->import.v[0]);
    struct utsname u;
    char date[16];
    time_t now = time(NULL);
    struct tm tm;
    uname(&u);
    strftime(date, sizeof date, "%Y-%m-%d", gmtime_r(&now, &tm));
    return cc_asprintf("corecast %s characterize, %s %s %s, compiler %s, %s", CC_VERSION, u.machine,
                       u.sysname, u.release, __VERSION__, date);
}

static char *default_name(const struct options *o)
{
    struct utsname u;
    if (o->name)
        return plain(o->name);
    if (o->import.n || uname(&u) < 0)
        return cc_strdup("imported");
    return plain(u.nodename);
}

/* here.ini -> here.grid, beside it; NULL when the result goes to standard output. */
static char *grid_path(const struct options *o)
{
    const char *out = o->common.output;
    if (!out || strcmp(out, "-") == 0)
        return NULL;
    const char *dot = strrchr(out, '.'), *slash = strrchr(out, '/');
    int n = dot && (!slash || dot > slash) ? (int)(dot - out) : (int)strlen(out);
    return cc_asprintf("%.*s.grid", n, out);
}

static int write_platform(const struct options *o, const struct cc_facts *facts, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *source = describe(o);
    CC_CLEANUP(cc_free_ptr) char *name = default_name(o);
    CC_CLEANUP(cc_free_ptr) char *grid = facts->grid.n ? grid_path(o) : NULL;
    CC_CLEANUP(cc_free_ptr) char *clean = plain(source);
    struct cc_buf text = {0}, copies = {0};
    cc_facts_write(facts, name, clean, cc_text_base(grid), &text);
    /* What is written must be a platform file: a fact with a key the format lacks is found here. */
    struct cc_platform *check;
    int rc = cc_platform_parse(o->common.output ? o->common.output : "result", text.s, text.n, &check, err);
    struct cc_outfile out = {0};
    if (rc == 0) {
        cc_platform_free(check);
        if (grid) {
            cc_facts_write_grid(facts, &copies);
            rc = cc_output_file(grid, &copies, err);
        }
    }
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        fwrite(text.s, 1, text.n, out.f);
        rc = cc_outfile_commit(&out, err);
    }
    cc_buf_fini(&text);
    cc_buf_fini(&copies);
    return rc;
}

static int write_figures(const struct options *o, const struct cc_facts *facts, struct cc_err *err)
{
    struct cc_result *r = cc_result_new("corecast.characterize", 1);
    cc_facts_show(facts, r);
    int rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    if (operands->n)
        return cc_err_set(err, CC_EUSAGE, "unexpected operand '%s'", operands->v[0]);
    bool figures = o->common.json || o->common.csv;
    if (o->units && (o->import.n || figures))
        return cc_err_set(err, CC_EUSAGE,
                          "'--units' measures this machine into a platform file: not with '--%s'",
                          o->import.n      ? "import"
                          : o->common.json ? "json"
                                           : "csv");
    o->time = o->time > 0 ? o->time : 1;
    o->repeat = o->repeat ? o->repeat : 2;
    o->wait = CC_GIVEN(o, wait) ? o->wait : 10;
    struct cc_facts facts = {0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < o->import.n; i++)
        rc = import(o->import.v[i], &facts, err);
    if (rc == 0 && !o->import.n)
        rc = measure(o, &facts, err);
    if (rc == 0)
        rc = figures ? write_figures(o, &facts, err) : write_platform(o, &facts, err);
    size_t unstable = cc_facts_unstable(&facts);
    if (rc == 0 && unstable)
        cc_note(&o->common, "%zu of %zu figures did not settle: the machine is busy, or --time is short",
                unstable, facts.v.n);
    cc_facts_fini(&facts);
    return rc;
}

const struct cc_command cc_cmd_characterize = {
    .name = "characterize",
    .summary = "measure this machine into a platform file",
    .synopsis = "[OPTIONS] [-o P.ini]",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .run = run,
};
