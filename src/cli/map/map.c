/* corecast map: functions into parts, parts onto a topology, tasks onto units. */
#include "../command.h"
#include "map.h"
#include "../../analysis/growth/graph.h"
#include "../../analysis/partition/recording.h"

#include <sys/stat.h>

/* What is mapped decides which options count: a graph or a recording into parts, a recording or tasks onto
 * units. */
enum { GRAPH = 1, PARTS = 2, UNITS = 4, TASKS = 8, SET = 16 };
static const char *const owners[] = {
    "GRAPH", "RECORDING (into parts)", "RECORDING (onto units)", "TASKS.ini", "SET", NULL};

static const char *const objectives[] = {"latency", "throughput", "energy", "pareto", NULL};
static const char *const nodes[] = {"function", "context", "thread", "region", NULL};
static const enum cc_level levels[] = {CC_LEVEL_FUNCTION, CC_LEVEL_CONTEXT, CC_LEVEL_THREAD, CC_LEVEL_REGION};
static const char *const traffics[] = {"bytes", "fresh", "unma", NULL};
static const char *const plans[] = {"expected", "worst", "best", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P.ini", offsetof(struct cc_map_options, platform),
     "the chip: units and links for tasks, a topology for parts"},
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct cc_map_options, set),
     "override a value of the platform"},
    {CC_OPT_LIST, 0, "pin", "NAME=WHERE", offsetof(struct cc_map_options, pin),
     "a node stays on this part, a task on this unit"},
    {CC_OPT_CHOICE, 0, "by", "WHAT", offsetof(struct cc_map_options, by),
     "nodes of a recording: function, context, thread or region; tasks: function or region", 0, 0, nodes,
     .of = PARTS | UNITS},
    {CC_OPT_FLAG, 0, "all", NULL, offsetof(struct cc_map_options, all), "list every node"},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct cc_map_options, top), "list the N heaviest nodes (30)", 1,
     1e9},
    {CC_OPT_NUM, 0, "effort", "X", offsetof(struct cc_map_options, effort),
     "search X times as long before giving up the proof (1)", 0.001, 1e6},

    {CC_OPT_HEADING, .help = "Partition of a communication graph"},
    {CC_OPT_INT, 0, "parts", "N", offsetof(struct cc_map_options, parts), "number of processors", 1, 1024,
     .of = GRAPH | PARTS | SET},
    {CC_OPT_PERCENT, 0, "tolerance", "PCT", offsetof(struct cc_map_options, tolerance),
     "how far a part's load may exceed the mean (10)", 0, 1e6, .of = GRAPH | PARTS | SET},
    {CC_OPT_CHOICE, 0, "traffic", "WHAT", offsetof(struct cc_map_options, traffic),
     "bytes of a recording's edges: bytes (all read), fresh (first reads) or unma (distinct addresses)", 0, 0,
     traffics, .of = PARTS | UNITS | SET},
    {CC_OPT_STR, 0, "at", "NAME=VALUE,…", offsetof(struct cc_map_options, at),
     "of a set of recordings: the graph that the laws of its figures tell for these values", .of = SET},
    {CC_OPT_LIST, 0, "merge", "A,B…", offsetof(struct cc_map_options, merge),
     "keep these nodes together, as one", .of = GRAPH | PARTS | SET},
    {CC_OPT_NUM, 0, "rate", "R", offsetof(struct cc_map_options, rate),
     "tell which links of the network are too full if the program runs R times a second", 1e-9, 1e9,
     .of = GRAPH | PARTS | SET},

    {CC_OPT_HEADING, .help = "Tasks onto units"},
    {CC_OPT_CHOICE, 0, "objective", "WHAT", offsetof(struct cc_map_options, objective),
     "latency, throughput, energy or pareto", 0, 0, objectives, .of = UNITS | TASKS},
    {CC_OPT_CHOICE, 0, "plan", "WITH", offsetof(struct cc_map_options, plan),
     "expected, worst or best times of each interval; of a set, worst: the envelopes", 0, 0, plans,
     .of = UNITS | TASKS | SET},
    {CC_OPT_NUM, 0, "deadline", "T", offsetof(struct cc_map_options, deadline),
     "the schedule must end by T, in the file's time unit", 1e-300, 1e300, .of = UNITS | TASKS},
    {CC_OPT_LIST, 0, "forbid", "TASK=UNIT", offsetof(struct cc_map_options, forbid),
     "the task must not run on this unit", .of = UNITS | TASKS},
    {CC_OPT_INT, 0, "alternatives", "N", offsetof(struct cc_map_options, alternatives),
     "show the N next best mappings (3)", 1, 100, .of = UNITS | TASKS},
    {CC_OPT_FLAG, 0, "units", NULL, offsetof(struct cc_map_options, units),
     "a recording's functions or regions are tasks for the units, even if the platform has a topology",
     .of = UNITS},
    {CC_OPT_INT, 0, "tasks", "N", offsetof(struct cc_map_options, tasks),
     "of a recording, the N heaviest are tasks and the rest is one more (20)", 1, CC_WORK_MAX_PARTS,
     .of = UNITS},
    {CC_OPT_FLAG, 0, "parallel", NULL, offsetof(struct cc_map_options, parallel),
     "a recording's tasks divide evenly over the cores of a unit", .of = UNITS},
    {CC_OPT_PERCENT, 0, "min-share", "PCT", offsetof(struct cc_map_options, strong),
     "streams with less of a recording's bytes are dropped if they close a cycle (1)", .of = UNITS},
    {CC_OPT_OUT, 0, "svg", "FILE", offsetof(struct cc_map_options, svg),
     "draw the schedule, the Pareto front, or both partitions"},
    {CC_OPT_OUT, 0, "trace", "FILE", offsetof(struct cc_map_options, trace),
     "write the schedule as Chrome trace events", .of = UNITS | TASKS},
};

static const struct cc_opt_table options = {table, CC_COUNT(table), "map", owners, false};

static void finish_options(struct cc_map_options *o)
{
    o->tolerance = CC_GIVEN(o, tolerance) ? o->tolerance : 0.1;
    o->strong = CC_GIVEN(o, strong) ? o->strong : 0.01;
    o->tasks = o->tasks ? o->tasks : 20;
    o->alternatives = o->alternatives ? o->alternatives : 3;
    o->top = o->top ? o->top : 30;
    o->effort = o->effort > 0 ? o->effort : 1;
}

static int load_platform(const struct cc_map_options *o, struct cc_platform **ret, struct cc_err *err)
{
    if (!o->platform)
        return 0;
    int rc = cc_platform_load(o->platform, ret, err);
    for (size_t i = 0; rc == 0 && i < o->set.n; i++)
        rc = cc_platform_override(*ret, o->set.v[i], err);
    return rc;
}

static int map_graph(const struct cc_map_options *o, const char *path, struct cc_err *err)
{
    struct cc_graph g;
    struct cc_platform *p = NULL;
    int rc = cc_opt_check(&options, GRAPH, &o->common, err);
    if (rc == 0)
        rc = cc_graph_load(path, &g, err);
    if (rc < 0)
        return rc;
    rc = load_platform(o, &p, err);
    if (rc == 0)
        rc = cc_map_parts(o, path, &g, NULL, p, err);
    cc_platform_free(p);
    cc_graph_fini(&g);
    return rc;
}

static int partition_recording(const struct cc_map_options *o, const struct cc_profile *profile,
                               struct cc_platform *p, struct cc_err *err)
{
    struct cc_graph g;
    uint64_t outside;
    int rc = cc_opt_check(&options, PARTS, &o->common, err);
    if (rc == 0)
        rc = cc_graph_from_profile(profile, levels[o->by], (enum cc_graph_traffic)o->traffic, &g, &outside,
                                   err);
    if (rc < 0)
        return rc;
    rc = cc_map_parts(o, profile->path, &g, NULL, p, err);
    if (rc == 0 && outside)
        cc_note(&o->common, "%llu bytes from or to places outside the program's functions belong to no part",
                (unsigned long long)outside);
    cc_graph_fini(&g);
    return rc;
}

static void note_recorded(const struct cc_map_options *o, const struct cc_map_recorded *f)
{
    char bytes[24];
    const char *what = levels[o->by] == CC_LEVEL_REGION ? "region" : "function";
    if (f->merged)
        cc_note(&o->common, "%zu %ss give data to each other and are %zu task%s (A+B)", f->merged, what,
                f->groups, f->groups == 1 ? "" : "s");
    if (f->dropped)
        cc_note(&o->common,
                "%zu weak stream%s that would close a cycle, %s, left out; --min-share 0 keeps all",
                f->dropped, f->dropped == 1 ? "" : "s", cc_human_bytes(f->dropped_bytes, bytes));
    if (f->rest)
        cc_note(&o->common, "<rest>: %zu %s%s with %.1f %% of the instructions, taken to depend on nothing",
                f->rest, what, f->rest == 1 ? "" : "s", 100 * f->rest_share);
    if (f->nunable)
        cc_note(&o->common, "%s%s; give it with --set unit.NAME.CLASS=PER_CYCLE", f->unable,
                f->nunable > 1 ? ", and more like that" : "");
}

static int recording_tasks(const struct cc_map_options *o, const struct cc_profile *profile,
                           const struct cc_platform *p, struct cc_err *err)
{
    struct cc_map_recording how = {levels[o->by], (size_t)o->tasks, o->strong, o->parallel,
                                   o->traffic == CC_GRAPH_UNMA};
    struct cc_map_recorded facts;
    struct cc_map_problem *problem;
    int rc = cc_opt_check(&options, UNITS, &o->common, err);
    if (rc < 0)
        return rc;
    if (how.level != CC_LEVEL_FUNCTION && how.level != CC_LEVEL_REGION)
        return cc_err_set(err, CC_EUSAGE, "option '--by': tasks are functions or regions");
    rc = cc_map_problem_from_profile(profile, p, &how, &problem, &facts, err);
    if (rc < 0)
        return rc;
    note_recorded(o, &facts);
    rc = cc_map_tasks(o, problem, p, &facts, err);
    cc_map_problem_free(problem);
    return rc;
}

/* Parts if a number or a topology is given, tasks if the platform has only units. */
static bool wants_tasks(const struct cc_map_options *o, const struct cc_platform *p)
{
    const char *const *names;
    return o->units ||
           (p && !o->parts && cc_platform_list(p, "unit", &names) > 0 && !cc_platform_has(p, "topology"));
}

static int map_recording(const struct cc_map_options *o, const char *path, struct cc_err *err)
{
    struct cc_profile *profile;
    struct cc_platform *p = NULL;
    if (o->units && !o->platform)
        return cc_err_set(err, CC_EUSAGE, "option '--units' needs --platform, the chip with the units");
    if (o->units && o->parts)
        return cc_err_set(err, CC_EUSAGE, "'--parts' and '--units' exclude each other");
    int rc = cc_profile_load(path, &profile, err);
    if (rc < 0)
        return rc;
    if (!profile->complete)
        cc_note(&o->common, "%s: the run was cut short: %s", path,
                profile->reason ? profile->reason : "no reason given");
    rc = load_platform(o, &p, err);
    if (rc == 0)
        rc =
            wants_tasks(o, p) ? recording_tasks(o, profile, p, err) : partition_recording(o, profile, p, err);
    cc_platform_free(p);
    cc_profile_free(profile);
    return rc;
}

/* Functions of an input that was never run, by the laws of those that were. */
static int map_set(const struct cc_map_options *o, const char *path, struct cc_err *err)
{
    struct cc_set *set;
    struct cc_samples *s = NULL;
    struct cc_models *m = NULL;
    struct cc_platform *p = NULL;
    struct cc_graph g, worst = {0};
    struct cc_models_graph how = {
        .at = o->at, .traffic = (enum cc_graph_traffic)o->traffic, .bounds = o->plan == 1};
    if (!o->at)
        return cc_err_set(err, CC_EUSAGE, "a set of recordings needs --at, the values to map for");
    int rc = cc_opt_check(&options, SET, &o->common, err);
    if (rc == 0)
        rc = cc_set_load(path, &set, err);
    if (rc < 0)
        return rc;
    rc = cc_samples_load(set, NULL, &s, err);
    if (rc == 0) {
        cc_models_build(s, &(struct cc_models_options){.coverage = 0.95, .only = -1, .pieces = 200}, &m);
        rc = cc_models_to_graph(m, &how, &g, err);
    }
    if (rc == 0) {
        struct cc_models_graph bounds = {.at = o->at, .traffic = how.traffic, .bounds = true};
        cc_models_to_graph(m, &bounds, &worst, NULL); /* empty where envelopes are beyond counting */
        free(bounds.beyond);
        rc = load_platform(o, &p, err);
        if (rc == 0)
            rc = cc_map_parts(o, path, &g, &worst, p, err);
        cc_graph_fini(&g);
        cc_graph_fini(&worst);
        if (rc == 0)
            cc_note(&o->common, "figures are those of %s, %s of %zu recordings%s", o->at,
                    how.bounds ? "envelopes" : "laws", s->nruns,
                    how.unknown ? "; what no law tells there is left out" : "");
        if (rc == 0 && how.beyond)
            cc_note(&o->common, "beyond what was recorded, where envelopes promise nothing: %s", how.beyond);
    }
    free(how.beyond);
    cc_platform_free(p);
    cc_models_free(m);
    cc_samples_free(s);
    cc_set_free(set);
    return rc;
}

static int map_tasks(struct cc_map_options *o, const char *path, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *named = NULL;
    int rc = cc_opt_check(&options, TASKS, &o->common, err);
    if (rc < 0)
        return rc;
    if (!o->platform)
        o->platform = named = cc_map_problem_platform(path);
    if (!o->platform)
        return cc_err_set(err, CC_EUSAGE,
                          "tasks need a chip: name it with --platform, or as 'platform' in [tasks]");
    struct cc_platform *p = NULL;
    struct cc_map_problem *problem = NULL;
    rc = load_platform(o, &p, err);
    if (rc == 0)
        rc = cc_map_problem_load(path, p, &problem, err);
    if (rc == 0)
        rc = cc_map_tasks(o, problem, p, NULL, err);
    cc_map_problem_free(problem);
    cc_platform_free(p);
    return rc;
}

/* A task file has a section that starts with "[task"; whatever else is text is a graph. */
static bool has_tasks(const char *path)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = NULL;
    char line[512];
    while ((f || cc_file_open_stream(path, &f, NULL) == 0) && fgets(line, sizeof line, f)) {
        const char *s = line + strspn(line, " \t");
        if (*s == '[')
            return strncmp(s, "[task", 5) == 0;
    }
    return false;
}

static int map_file(struct cc_map_options *o, const char *path, struct cc_err *err)
{
    if (cc_is_set(path))
        return map_set(o, path, err);
    if (cc_input_is_recording(path))
        return map_recording(o, path, err);
    return has_tasks(path) ? map_tasks(o, path, err) : map_graph(o, path, err);
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_map_options *o = opts;
    finish_options(o);
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one recording, graph or task file");
    return map_file(o, operands->v[0], err);
}

const struct cc_command cc_cmd_map = {
    .name = "map",
    .summary = "split a program over processors, or map tasks onto the units of a chip",
    .synopsis = "[OPTIONS] RECORDING|GRAPH|TASKS.ini",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct cc_map_options),
    .results = true,
    .run = run,
};
