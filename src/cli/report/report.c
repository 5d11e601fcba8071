/* corecast report F: look at a profile. The views are in views.def. */
#include "../command.h"
#include "../output.h"
#include "fail_if.h"
#include "page.h"
#include "view.h"

struct options {
    struct cc_common common;
    int view, by, style, traffic, stack;
    int64_t top, frame;
    double min_share;
    const char *focus, *svg, *html, *from, *to, *annotate, *source;
    struct cc_strs objects;
    const char *platform;
    struct cc_strs scenarios, traces, fail_if;
    bool no_source;
};

static const char *const levels[] = {"auto",   "function", "context", "thread",
                                     "region", "object",   "call",    NULL};
static const enum cc_level level_of[] = {CC_LEVEL_FUNCTION, CC_LEVEL_FUNCTION, CC_LEVEL_CONTEXT,
                                         CC_LEVEL_THREAD,   CC_LEVEL_REGION,   CC_LEVEL_FUNCTION,
                                         CC_LEVEL_CONTEXT};
static const char *const styles[] = {"auto", "graph", "timeline", NULL};

/* Which views take an option: bits, in the order of views.def. */
enum takes {
    FILTER = 1,
    FRAME = 2,
    STYLE = 4,
    ENDS = 8,
    TRAFFIC = 16,
    SOURCE = 32,
    ANNOTATE = 64,
    OBJECTS = 128
};
enum owners {
#define CC_VIEW(name, draws, levels, takes, what) | (WANTED(levels, takes) ? 1 << CC_VIEW_ID_##name : 0)
#define WANTED(levels, takes) (sizeof(levels) > 1)
    OF_BY = 0
#include "views.def"
    ,
#undef WANTED
#define WANTED(levels, takes) ((takes)&FILTER)
    OF_FILTER = 0
#include "views.def"
    ,
#undef WANTED
#define WANTED(levels, takes) ((takes)&FRAME)
    OF_FRAME = 0
#include "views.def"
    ,
#undef WANTED
#define WANTED(levels, takes) ((takes)&STYLE)
    OF_STYLE = 0
#include "views.def"
    ,
#undef WANTED
#define WANTED(levels, takes) ((takes)&ENDS)
    OF_ENDS = 0
#include "views.def"
    ,
#undef WANTED
#define WANTED(levels, takes) ((takes)&TRAFFIC)
    OF_TRAFFIC = 0
#include "views.def"
    ,
#undef WANTED
#define WANTED(levels, takes) ((takes)&SOURCE)
    OF_SOURCE = 0
#include "views.def"
    ,
#undef WANTED
#define WANTED(levels, takes) ((takes)&ANNOTATE)
    OF_ANNOTATE = 0
#include "views.def"
    ,
#undef WANTED
#define WANTED(levels, takes) ((takes)&OBJECTS)
    OF_OBJECTS = 0
#include "views.def"
#undef WANTED
#undef CC_VIEW
};

static const struct cc_opt table[] = {
    {CC_OPT_CHOICE, 0, "view", "VIEW", offsetof(struct options, view), "what to show, see below",
     .choices = cc_view_names},
    {CC_OPT_CHOICE, 0, "by", "LEVEL", offsetof(struct options, by),
     "nodes: function, context, call, thread, region or object (comm), function or region (frames, classes)",
     .choices = levels, .of = OF_BY},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct options, top), "show at most N items (calltree: per caller)",
     1, 1e9, .of = OF_FILTER},
    {CC_OPT_PERCENT, 0, "min-share", "PCT", offsetof(struct options, min_share),
     "leave out items with less than this share; 0 shows all", .of = OF_FILTER},
    {CC_OPT_STR, 0, "focus", "NAME", offsetof(struct options, focus),
     "only what has to do with this function", .of = OF_FILTER},
    {CC_OPT_INT, 0, "frame", "N", offsetof(struct options, frame),
     "comm by function or region: only what was read in frame N (1: the first)", 1, 1e9, .of = OF_FRAME},
    {CC_OPT_LIST, 0, "object", "NAME", offsetof(struct options, objects),
     "comm by region: put this data object into the graph; several may be given", .of = OF_OBJECTS},
    {CC_OPT_OUT, 0, "svg", "FILE", offsetof(struct options, svg), "draw the view instead of printing it"},
    {CC_OPT_LIST, 0, "fail-if", "CONDITION", offsetof(struct options, fail_if),
     "exit with 1 if it holds: 'function instructions > 2M'; may be given several times"},
    {CC_OPT_OUT, 0, "html", "FILE", offsetof(struct options, html),
     "write all views of one or more profiles as a page to look at, opened at this view"},
    {CC_OPT_FLAG, 0, "no-source", NULL, offsetof(struct options, no_source),
     "--html: leave the text of source files out"},
    {CC_OPT_STR, 'p', "platform", "P", offsetof(struct options, platform),
     "--html: with plans for this platform (file, or name of a shipped one)"},
    {CC_OPT_LIST, 's', "scenario", "FILE", offsetof(struct options, scenarios),
     "--html: with predictions of these directives on the platform"},
    {CC_OPT_LIST, 0, "trace", "T", offsetof(struct options, traces),
     "--html: with what a trace of simulate says about contention; of several, also how the program scales"},
    {CC_OPT_CHOICE, 0, "style", "STYLE", offsetof(struct options, style),
     "drawing of comm: graph or timeline (default by context and region)", .choices = styles, .of = OF_STYLE},
    {CC_OPT_STR, 0, "from", "NAME", offsetof(struct options, from), "channel view: the producer",
     .of = OF_ENDS},
    {CC_OPT_STR, 0, "to", "NAME", offsetof(struct options, to), "channel view: the consumer", .of = OF_ENDS},
    {CC_OPT_CHOICE, 0, "traffic", "WHAT", offsetof(struct options, traffic),
     "bandwidth view: all (default), reads or writes", .choices = cc_traffic_names, .of = OF_TRAFFIC},
    {CC_OPT_CHOICE, 0, "stack", "HOW", offsetof(struct options, stack),
     "bandwidth view: with (default), without or only accesses to the stack", .choices = cc_stack_part_names,
     .of = OF_TRAFFIC},
    {CC_OPT_STR, 0, "annotate", "FILE", offsetof(struct options, annotate),
     "lines view: this source file as a whole, with the figures beside it", .of = OF_ANNOTATE},
    {CC_OPT_STR, 0, "source", "DIR", offsetof(struct options, source),
     "lines, loops, --html: where source files are, if not where they were compiled",
     .of = OF_SOURCE | 1 << CC_VIEW_ID_summary},
};

static const struct cc_verb verbs[] = {
#define CC_VIEW(name, draws, levels, takes, what) {#name, what, NULL, NULL},
#include "views.def"
#undef CC_VIEW
};

static int check(const struct options *o, const struct cc_strs *operands, struct cc_err *err)
{
    const struct cc_view *view = &cc_views[o->view];
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE,
                          operands->n ? "expected one profile; only --html takes several"
                                      : "expected one profile");
    const char *of_page = o->no_source     ? "no-source"
                          : o->platform    ? "platform"
                          : o->scenarios.n ? "scenario"
                          : o->traces.n    ? "trace"
                                           : NULL;
    if (of_page)
        return cc_err_set(err, CC_EUSAGE, "option '--%s' is of '--html'", of_page);
    if (o->source && o->view == CC_VIEW_ID_summary)
        return cc_err_set(err, CC_EUSAGE,
                          "option '--source' is of the views lines and loops, and of '--html'");
    if (o->svg && !view->draws)
        return cc_err_set(err, CC_EUSAGE, "the view '%s' has no drawing", view->name);
    if (o->frame && (strcmp(levels[o->by], "object") == 0 || strcmp(levels[o->by], "call") == 0))
        return cc_err_set(err, CC_EUSAGE, "one frame can be shown by function or by region, not by %s",
                          levels[o->by]);
    if (o->objects.n && (strcmp(levels[o->by], "region") != 0 || o->frame))
        return cc_err_set(err, CC_EUSAGE, "--object goes with '--by region', without --frame");
    if (!o->by || cc_view_has_level(view, levels[o->by]))
        return 0;
    int rc = cc_err_set(err, CC_EUSAGE, "'--by %s' is not for the view '%s'", levels[o->by], view->name);
    cc_err_hint(err, "one of: %s", view->levels);
    return rc;
}

/* The result goes out unless a drawing was asked for; --json and --csv ask for both. */
static int show(const struct options *o, struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_buf svg = {0};
    struct cc_result *r = NULL;
    rq->svg = o->svg ? &svg : NULL;
    int rc = cc_view_run(&cc_views[o->view], rq, &r, err);
    if (rc == 0 && o->svg)
        rc = cc_output_file(o->svg, &svg, err);
    if (rc == 0 && (!o->svg || rq->data))
        rc = cc_output_result(&o->common, r, err);
    if (rc == 0 && o->svg && strcmp(o->svg, "-") != 0)
        cc_note(&o->common, "wrote '%s'", o->svg);
    cc_result_free(r);
    cc_buf_fini(&svg);
    return rc;
}

static int write_page(const struct options *o, const struct cc_strs *operands, struct cc_err *err)
{
    struct cc_page_request rq = {.profiles = operands,
                                 .out = o->html,
                                 .open = CC_GIVEN(o, view) ? cc_view_names[o->view] : NULL,
                                 .source = o->source,
                                 .no_source = o->no_source,
                                 .platform = o->platform,
                                 .scenarios = &o->scenarios,
                                 .traces = &o->traces};
    if (operands->n == 0)
        return cc_err_set(err, CC_EUSAGE, "expected a profile");
    if (o->svg || o->common.json || o->common.csv)
        return cc_err_set(err, CC_EUSAGE, "'--html' writes a page and nothing else");
    if (o->scenarios.n && !o->platform)
        return cc_err_set(err, CC_EUSAGE, "'--scenario' needs '--platform'");
    int rc = cc_page_write(&rq, err);
    if (rc == 0 && strcmp(o->html, "-") != 0)
        cc_note(&o->common, "wrote '%s'", o->html);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = opts;
    struct cc_view_request rq = {.by = level_of[o->by],
                                 .by_object = strcmp(levels[o->by], "object") == 0,
                                 .by_call = strcmp(levels[o->by], "call") == 0,
                                 .by_given = o->by > 0,
                                 .style = (enum cc_view_style)o->style,
                                 .traffic = (enum cc_traffic)o->traffic,
                                 .from = o->from,
                                 .to = o->to,
                                 .wanted = &o->objects,
                                 .annotate = o->annotate,
                                 .source = o->source,
                                 .stack = (enum cc_stack_part)o->stack,
                                 .data = o->common.json || o->common.csv,
                                 .filter = {.top = (size_t)o->top,
                                            .min_share = o->min_share,
                                            .focus = o->focus,
                                            .one_frame = o->frame > 0,
                                            .frame = (uint32_t)o->frame},
                                 .top_given = o->top > 0,
                                 .share_given = CC_GIVEN(o, min_share)};
    if (o->html && o->fail_if.n)
        return cc_err_set(err, CC_EUSAGE, "'--fail-if' goes with a view, not with '--html'");
    if (o->html)
        return write_page(o, operands, err);
    int rc = check(o, operands, err);
    if (rc == 0)
        rc = cc_report_fail_if_check(&o->fail_if, err);
    if (rc < 0)
        return rc;
    struct cc_profile *p;
    rc = cc_profile_load(operands->v[0], &p, err);
    if (rc < 0)
        return rc;
    rq.p = p;
    rc = show(o, &rq, err);
    cc_profile_free(p);
    if (rc < 0 || !o->fail_if.n)
        return rc;
    int broken = cc_report_fail_if(&o->fail_if, operands->v[0], err);
    return broken < 0 ? broken : broken > 0;
}

const struct cc_command cc_cmd_report = {
    .name = "report",
    .summary = "show what a profile says",
    .synopsis = "[OPTIONS] PROFILE...",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .results = true,
    .verbs = verbs,
    .nverbs = CC_COUNT(verbs),
    .verb_option = "view",
    .run = run,
};
