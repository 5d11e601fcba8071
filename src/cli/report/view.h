/* The views of `corecast report`. A view runs its analysis, fills the result that is then shown
 * (base/result.h) and draws if asked to; it prints nothing. views.def says how to add one. */
#ifndef CC_CLI_REPORT_VIEW_H
#define CC_CLI_REPORT_VIEW_H

#include "../../analysis/bandwidth/bandwidth.h"
#include "../../profile/names.h"
#include "../../base/result.h"
#include "../../draw/svg.h"

enum cc_view_style { CC_STYLE_AUTO, CC_STYLE_GRAPH, CC_STYLE_TIMELINE };

struct cc_view_request {
    const struct cc_profile *p;
    struct cc_filter filter; /* what the user asked for */
    bool top_given, share_given;
    bool data;        /* JSON or CSV is wanted, which leave nothing out unless asked to */
    enum cc_level by; /* function unless given */
    bool by_object;   /* comm: functions and data objects */
    bool by_call;     /* comm: single calls, as far as they are told apart */
    bool by_given;
    enum cc_view_style style;
    enum cc_traffic traffic;
    enum cc_stack_part stack;
    const struct cc_strs *wanted; /* comm by region: objects to put in; NULL: none */
    const char *from, *to;        /* ends of a channel; NULL: any */
    const char *annotate;         /* lines: the file to show whole; NULL: none */
    const char *source;           /* lines: the folder its source is in; NULL: where it was compiled */
    struct cc_buf *svg;           /* the drawing; NULL: none */
};

struct cc_view {
    const char *name;
    bool draws;
    const char *levels; /* words that --by takes; "": it takes none */
    const char *what;
    int (*run)(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err);
};

extern const struct cc_view cc_views[];
extern const char *const cc_view_names[]; /* NULL-terminated, in the order of cc_views */

enum cc_view_id {
#define CC_VIEW(name, ...) CC_VIEW_ID_##name,
#include "views.def"
#undef CC_VIEW
    CC_VIEWS
};

#define CC_VIEW(name, ...) \
    int cc_view_##name(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err);
#include "views.def"
#undef CC_VIEW

/* Runs a view; the result has its schema and is the caller's. */
int cc_view_run(const struct cc_view *view, const struct cc_view_request *rq, struct cc_result **ret,
                struct cc_err *err);

/* Whether the view takes this level. */
bool cc_view_has_level(const struct cc_view *view, const char *level);

/* The filter of a view: data have all unless asked, text and drawings the given defaults. Asking for one of
 * --top and
 * --min-share lifts the other's default. */
struct cc_filter cc_view_filter(const struct cc_view_request *rq, size_t top, double min_share);

/* Fills the columns "file" and "line" of a function; text shows "file.c:12", "file.c" or the object's file.
 */
void cc_view_place(struct cc_table *t, const struct cc_profile *p, const struct cc_pfunction *f);
/* Notes every view starts with: an incomplete run, figures that are bounds. */
void cc_view_caveats(const struct cc_profile *p, struct cc_result *r);
/* A note of a critical data path behind `what`, with the bytes of its streams if asked for. */
struct cc_comm_path;
void cc_view_path(struct cc_result *r, const char *what, const struct cc_comm_path *path, bool bytes);
/* "", or "s" where there are several. */
const char *cc_view_plural(uint64_t n);

#endif
