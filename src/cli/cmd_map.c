/* corecast map: functions into parts, parts onto a topology, tasks onto units. */
#include "command.h"
#include "map.h"
#include "../analysis/partition/recording.h"

static const char *const objectives[] = {"latency", "throughput", "energy", "pareto", NULL};
static const char *const nodes[] = {"function", "context", "thread", NULL};
static const char *const traffics[] = {"bytes", "fresh", "unma", NULL};
static const char *const plans[] = {"expected", "worst", "best", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P.ini", offsetof(struct cc_map_options, platform),
     "the chip: units and links for tasks, a topology for parts"},
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct cc_map_options, set),
     "override a value of the platform"},
    {CC_OPT_LIST, 0, "pin", "NAME=WHERE", offsetof(struct cc_map_options, pin),
     "a node stays on this part, a task on this unit"},
    {CC_OPT_FLAG, 0, "all", NULL, offsetof(struct cc_map_options, all), "list every node"},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct cc_map_options, top), "list the N heaviest nodes (30)", 1,
     1e9},
    {CC_OPT_NUM, 0, "effort", "X", offsetof(struct cc_map_options, effort),
     "search X times as long before giving up the proof (1)", 0.001, 1e6},

    {CC_OPT_HEADING, .help = "Partition of a communication graph"},
    {CC_OPT_INT, 0, "parts", "N", offsetof(struct cc_map_options, parts), "number of processors", 1, 1024},
    {CC_OPT_STR, 0, "tolerance", "PCT", offsetof(struct cc_map_options, tolerance_text),
     "how far a part's load may exceed the mean (10)"},
    {CC_OPT_CHOICE, 0, "by", "WHAT", offsetof(struct cc_map_options, by),
     "nodes of a recording: function, context or thread", 0, 0, nodes},
    {CC_OPT_CHOICE, 0, "traffic", "WHAT", offsetof(struct cc_map_options, traffic),
     "bytes of a recording's edges: bytes (all read), fresh (first reads) or unma (distinct addresses)", 0, 0,
     traffics},
    {CC_OPT_LIST, 0, "merge", "A,B…", offsetof(struct cc_map_options, merge),
     "keep these nodes together, as one"},

    {CC_OPT_HEADING, .help = "Tasks onto units"},
    {CC_OPT_CHOICE, 0, "objective", "WHAT", offsetof(struct cc_map_options, objective),
     "latency, throughput, energy or pareto", 0, 0, objectives},
    {CC_OPT_CHOICE, 0, "plan", "WITH", offsetof(struct cc_map_options, plan),
     "expected, worst or best times of each interval", 0, 0, plans},
    {CC_OPT_NUM, 0, "deadline", "T", offsetof(struct cc_map_options, deadline),
     "the schedule must end by T, in the file's time unit", 0, 1e300},
    {CC_OPT_LIST, 0, "forbid", "TASK=UNIT", offsetof(struct cc_map_options, forbid),
     "the task must not run on this unit"},
    {CC_OPT_INT, 0, "alternatives", "N", offsetof(struct cc_map_options, alternatives),
     "show the N next best mappings (3)", 1, 100},
    {CC_OPT_STR, 0, "svg", "FILE", offsetof(struct cc_map_options, svg),
     "draw the schedule, the Pareto front, or both partitions"},
    {CC_OPT_STR, 0, "trace", "FILE", offsetof(struct cc_map_options, trace),
     "write the schedule as Chrome trace events"},
};

static int finish_options(struct cc_map_options *o, struct cc_err *err)
{
    o->tolerance = 10;
    if (o->tolerance_text &&
        (!cc_parse_f64(o->tolerance_text, &o->tolerance) || o->tolerance < 0 || o->tolerance > 1e6))
        return cc_err_set(err, CC_EUSAGE, "option '--tolerance': '%s' is not a percentage",
                          o->tolerance_text);
    o->alternatives = o->alternatives ? o->alternatives : 3;
    o->top = o->top ? o->top : 30;
    o->effort = o->effort > 0 ? o->effort : 1;
    return 0;
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
    int rc = cc_graph_load(path, &g, err);
    if (rc < 0)
        return rc;
    rc = load_platform(o, &p, err);
    if (rc == 0)
        rc = cc_map_parts(o, path, &g, p, err);
    cc_platform_free(p);
    cc_graph_fini(&g);
    return rc;
}

static int map_recording(const struct cc_map_options *o, const char *path, struct cc_err *err)
{
    static const enum cc_level levels[] = {CC_LEVEL_FUNCTION, CC_LEVEL_CONTEXT, CC_LEVEL_THREAD};
    struct cc_profile *profile;
    struct cc_platform *p = NULL;
    struct cc_graph g;
    uint64_t outside;
    int rc = cc_profile_load(path, &profile, err);
    if (rc < 0)
        return rc;
    if (!profile->complete)
        cc_note(&o->common, "%s: the run was cut short: %s", path,
                profile->reason ? profile->reason : "no reason given");
    rc = cc_graph_from_profile(profile, levels[o->by], (enum cc_graph_traffic)o->traffic, &g, &outside, err);
    cc_profile_free(profile);
    if (rc < 0)
        return rc;
    rc = load_platform(o, &p, err);
    if (rc == 0)
        rc = cc_map_parts(o, path, &g, p, err);
    if (rc == 0 && outside)
        cc_note(&o->common, "%llu bytes from or to places outside the program's functions belong to no part",
                (unsigned long long)outside);
    cc_platform_free(p);
    cc_graph_fini(&g);
    return rc;
}

static int map_tasks(struct cc_map_options *o, const char *path, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *named = NULL;
    if (o->parts || o->merge.n)
        return cc_err_set(err, CC_EUSAGE, "options '--parts' and '--merge' are for graphs, not for tasks");
    if (!o->platform)
        o->platform = named = cc_map_problem_platform(path);
    if (!o->platform)
        return cc_err_set(err, CC_EUSAGE,
                          "tasks need a chip: name it with --platform, or as 'platform' in [tasks]");
    struct cc_platform *p = NULL;
    struct cc_map_problem *problem = NULL;
    int rc = load_platform(o, &p, err);
    if (rc == 0)
        rc = cc_map_problem_load(path, p, &problem, err);
    if (rc == 0)
        rc = cc_map_tasks(o, problem, err);
    cc_map_problem_free(problem);
    cc_platform_free(p);
    return rc;
}

static bool is_recording(const char *path)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = fopen(path, "rb");
    char head[16] = "";
    return f && fread(head, 1, sizeof head, f) == sizeof head &&
           memcmp(head, "SQLite format 3", sizeof head) == 0;
}

/* A task file has a section that starts with "[task"; whatever else is text is a graph. */
static bool has_tasks(const char *path)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = fopen(path, "r");
    char line[512];
    while (f && fgets(line, sizeof line, f)) {
        const char *s = line + strspn(line, " \t");
        if (*s == '[')
            return strncmp(s, "[task", 5) == 0;
    }
    return false;
}

static int map_file(struct cc_map_options *o, const char *path, struct cc_err *err)
{
    if (is_recording(path))
        return map_recording(o, path, err);
    return has_tasks(path) ? map_tasks(o, path, err) : map_graph(o, path, err);
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_map_options *o = opts;
    int rc = finish_options(o, err);
    if (rc == 0 && operands->n != 1)
        rc = cc_err_set(err, CC_EUSAGE, "expected one recording, graph or task file");
    if (rc == 0)
        rc = map_file(o, operands->v[0], err);
    cc_strs_fini(&o->pin);
    cc_strs_fini(&o->merge);
    cc_strs_fini(&o->forbid);
    cc_strs_fini(&o->set);
    return rc;
}

const struct cc_command cc_cmd_map = {
    .name = "map",
    .summary = "split a program over processors, or map tasks onto the units of a chip",
    .synopsis = "[OPTIONS] RECORDING|GRAPH|TASKS.ini",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct cc_map_options),
    .run = run,
};
