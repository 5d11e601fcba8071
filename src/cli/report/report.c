/* corecast report F: look at a profile. The views are in src/report/views.def. */
#include "../command.h"
#include "../output.h"
#include "view.h"

struct options {
    struct cc_common common;
    int view, by, style, traffic, stack;
    int64_t top, frame;
    double min_share;
    const char *focus, *svg, *from, *to;
};

static const char *const levels[] = {"auto", "function", "context", "thread", "region", "object", NULL};
static const enum cc_level level_of[] = {CC_LEVEL_FUNCTION, CC_LEVEL_FUNCTION, CC_LEVEL_CONTEXT,
                                         CC_LEVEL_THREAD,   CC_LEVEL_REGION,   CC_LEVEL_FUNCTION};
static const char *const styles[] = {"auto", "graph", "timeline", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_CHOICE, 0, "view", "VIEW", offsetof(struct options, view),
     "summary (default), functions, calltree, comm, amdahl, bandwidth, channel, classes, frames, intensity, "
     "objects",
     .choices = cc_view_names},
    {CC_OPT_CHOICE, 0, "by", "LEVEL", offsetof(struct options, by),
     "nodes of the comm view: function (default), context, thread, region, object; of frames: region or "
     "function",
     .choices = levels},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct options, top), "show at most N items (calltree: per caller)",
     1, 1e9},
    {CC_OPT_PERCENT, 0, "min-share", "PCT", offsetof(struct options, min_share),
     "leave out items with less than this share; 0 shows all"},
    {CC_OPT_STR, 0, "focus", "NAME", offsetof(struct options, focus),
     "only what has to do with this function"},
    {CC_OPT_INT, 0, "frame", "N", offsetof(struct options, frame),
     "comm by function or region: only what was read in frame N (1: the first)", 1, 1e9},
    {CC_OPT_STR, 0, "svg", "FILE", offsetof(struct options, svg), "draw the view instead of printing it"},
    {CC_OPT_CHOICE, 0, "style", "STYLE", offsetof(struct options, style),
     "drawing of the comm view: graph or timeline (default by context and region)", .choices = styles},
    {CC_OPT_STR, 0, "from", "NAME", offsetof(struct options, from), "channel view: the producer"},
    {CC_OPT_STR, 0, "to", "NAME", offsetof(struct options, to), "channel view: the consumer"},
    {CC_OPT_CHOICE, 0, "traffic", "WHAT", offsetof(struct options, traffic),
     "bandwidth view: all (default), reads or writes", .choices = cc_traffic_names},
    {CC_OPT_CHOICE, 0, "stack", "HOW", offsetof(struct options, stack),
     "bandwidth view: with (default), without or only accesses to the stack", .choices = cc_stack_part_names},
};

static int check(const struct options *o, const struct cc_strs *operands, struct cc_err *err)
{
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one profile");
    if (o->svg && !cc_views[o->view].draws)
        return cc_err_set(err, CC_EUSAGE, "the view '%s' has no drawing", cc_views[o->view].name);
    if (strcmp(levels[o->by], "object") == 0 && strcmp(cc_views[o->view].name, "comm") != 0)
        return cc_err_set(err, CC_EUSAGE, "'--by object' is for the view 'comm'");
    if (o->frame && strcmp(cc_views[o->view].name, "comm") != 0)
        return cc_err_set(err, CC_EUSAGE, "option '--frame' is for the view 'comm'");
    return 0;
}

/* Text or JSON goes out unless a drawing was asked for; --json asks for both. */
static int show(const struct options *o, struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_outfile out = {0};
    struct cc_buf svg = {0};
    int rc = 0;
    bool text = !o->svg || o->common.json;
    if (text)
        rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    rq->out = text ? out.f : NULL;
    rq->svg = o->svg ? &svg : NULL;
    rc = cc_views[o->view].run(rq, err);
    if (rc == 0 && o->svg)
        rc = cc_output_file(o->svg, &svg, err);
    if (rc == 0 && text)
        rc = cc_outfile_commit(&out, err);
    if (text)
        cc_outfile_abort(&out);
    if (rc == 0 && o->svg && strcmp(o->svg, "-") != 0)
        cc_note(&o->common, "wrote '%s'", o->svg);
    cc_buf_fini(&svg);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = opts;
    struct cc_view_request rq = {.by = level_of[o->by],
                                 .by_object = strcmp(levels[o->by], "object") == 0,
                                 .by_given = o->by > 0,
                                 .style = (enum cc_view_style)o->style,
                                 .traffic = (enum cc_traffic)o->traffic,
                                 .from = o->from,
                                 .to = o->to,
                                 .stack = (enum cc_stack_part)o->stack,
                                 .json = o->common.json,
                                 .filter = {.top = (size_t)o->top,
                                            .min_share = o->min_share,
                                            .focus = o->focus,
                                            .one_frame = o->frame > 0,
                                            .frame = (uint32_t)o->frame},
                                 .top_given = o->top > 0,
                                 .share_given = CC_GIVEN(o, min_share)};
    int rc = check(o, operands, err);
    if (rc < 0)
        return rc;
    struct cc_profile *p;
    rc = cc_profile_load(operands->v[0], &p, err);
    if (rc < 0)
        return rc;
    rq.p = p;
    rc = show(o, &rq, err);
    cc_profile_free(p);
    return rc;
}

const struct cc_command cc_cmd_report = {
    .name = "report",
    .summary = "show what a profile says",
    .synopsis = "[OPTIONS] PROFILE",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .run = run,
};
