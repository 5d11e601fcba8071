/* corecast export F --to FORMAT: a profile for other tools. The formats are in exports.def. */
#include "../command.h"
#include "../loop_sources.h"
#include "../output.h"
#include "export.h"

struct options {
    struct cc_common common;
    const char *to;
    int by, table;
    int64_t top;
    double min_share;
    bool loops;
};

static const char *const levels[] = {"function", "context", "thread", "region", NULL};
static const enum cc_level level_of[] = {CC_LEVEL_FUNCTION, CC_LEVEL_CONTEXT, CC_LEVEL_THREAD,
                                         CC_LEVEL_REGION};
static const char *const tables[] = {"streams", "functions", "contexts", "calls", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_STR, 0, "to", "FORMAT", offsetof(struct options, to),
     "callgrind, dot, graphml, csv, collapsed, speedscope or chrome"},
    {CC_OPT_CHOICE, 0, "by", "LEVEL", offsetof(struct options, by),
     "nodes in dot, graphml and csv: function (default), context, thread, region", .choices = levels},
    {CC_OPT_CHOICE, 0, "table", "TABLE", offsetof(struct options, table),
     "what csv holds: streams (default), functions, contexts, calls", .choices = tables},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct options, top),
     "dot, graphml, csv: only the N heaviest streams and what they join", 1, 1e9},
    {CC_OPT_PERCENT, 0, "min-share", "PCT", offsetof(struct options, min_share),
     "dot, graphml, csv: only streams with at least this share of the bytes between nodes"},
    {CC_OPT_FLAG, 0, "loops", NULL, offsetof(struct options, loops),
     "callgrind, collapsed, speedscope: loops are frames below their functions"},
};

static const struct cc_export *find(const char *name, struct cc_err *err)
{
    size_t n = 0;
    for (; cc_export_names[n]; n++)
        if (name && strcmp(cc_export_names[n], name) == 0)
            return &cc_exports[n];
    if (!name) {
        cc_err_set(err, CC_EUSAGE, "which format? give --to FORMAT");
    } else {
        cc_err_set(err, CC_EUSAGE, "option '--to': no format '%s'", name);
        const char *near = cc_nearest(name, cc_export_names, n);
        if (near)
            cc_err_hint(err, "did you mean '%s'?", near);
    }
    return NULL;
}

/* Only what is a graph, or the streams of one, can leave streams out. */
static int check_filter(const struct options *o, struct cc_err *err)
{
    bool graph = strcmp(o->to, "dot") == 0 || strcmp(o->to, "graphml") == 0 ||
                 (strcmp(o->to, "csv") == 0 && o->table == CC_TABLE_STREAMS);
    if (graph || (!o->top && !CC_GIVEN(o, min_share)))
        return 0;
    return cc_err_set(err, CC_EUSAGE,
                      "option '--%s' is of dot, graphml and the streams of csv, which %s is not",
                      o->top ? "top" : "min-share", strcmp(o->to, "csv") == 0 ? "this table" : o->to);
}

/* Only what has a function's own instructions can tell its loops apart. */
static int check_loops(const struct options *o, struct cc_err *err)
{
    static const char *const having[] = {"callgrind", "collapsed", "speedscope"};
    for (size_t i = 0; i < CC_COUNT(having); i++)
        if (!o->loops || strcmp(o->to, having[i]) == 0)
            return 0;
    return cc_err_set(err, CC_EUSAGE, "option '--loops' is of callgrind, collapsed and speedscope, not of %s",
                      o->to);
}

static int find_loops(const struct options *o, const struct cc_profile *p, struct cc_loop_own **ret,
                      struct cc_err *err)
{
    if (!o->loops)
        return 0;
    struct cc_source_loops *sources = cc_loop_sources(p, NULL);
    int rc = cc_loop_own(p, sources, ret, err);
    cc_source_loops_free(sources);
    if (rc == 0 && (*ret)->estimated && strcmp(o->to, "callgrind") != 0)
        cc_note(&o->common, "functions that are called in several ways have their loops in the same "
                            "proportion in each: the recording does not tell");
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = opts;
    const struct cc_export *format = find(o->to, err);
    if (!format)
        return -CC_EUSAGE;
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one profile");
    if (o->common.json)
        return cc_err_set(err, CC_EUSAGE,
                          "export writes the format of --to; for JSON use 'corecast report --json'");
    struct cc_profile *p;
    int rc = check_filter(o, err);
    if (rc == 0)
        rc = check_loops(o, err);
    if (rc == 0)
        rc = cc_profile_load(operands->v[0], &p, err);
    if (rc < 0)
        return rc;
    struct cc_outfile out = {0};
    struct cc_loop_own *loops = NULL;
    rc = find_loops(o, p, &loops, err);
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        struct cc_export_request rq = {p,
                                       level_of[o->by],
                                       (enum cc_export_table)o->table,
                                       out.f,
                                       {.top = (size_t)o->top, .min_share = o->min_share},
                                       loops};
        rc = format->run(&rq, err);
        if (rc == 0)
            rc = cc_outfile_commit(&out, err);
        cc_outfile_abort(&out);
    }
    if (rc == 0 && !p->complete)
        cc_note(&o->common, "the profile is incomplete: %s", p->reason ? p->reason : "the run was cut short");
    cc_loop_own_free(loops);
    cc_profile_free(p);
    return rc;
}

const struct cc_command cc_cmd_export = {
    .name = "export",
    .summary = "write a profile in the format of another tool",
    .synopsis = "--to FORMAT [OPTIONS] PROFILE",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .run = run,
};
