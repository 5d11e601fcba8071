/* The views of `corecast report`. A view runs its analysis and prints the result as text or JSON, or draws
 * it. To add one: a line in views.def and a file view_<name>.c with int cc_view_<name>(…). */
#ifndef CC_CLI_REPORT_VIEW_H
#define CC_CLI_REPORT_VIEW_H

#include "../../analysis/bandwidth/bandwidth.h"
#include "../../analysis/names/names.h"
#include "../../base/json.h"
#include "../../base/table.h"
#include "../../draw/svg.h"

enum cc_view_style { CC_STYLE_AUTO, CC_STYLE_GRAPH, CC_STYLE_TIMELINE };

struct cc_view_request {
    const struct cc_profile *p;
    struct cc_filter filter; /* what the user asked for */
    bool top_given, share_given;
    enum cc_level by; /* function unless given */
    bool by_object;   /* comm: functions and data objects */
    bool by_given;
    enum cc_view_style style;
    enum cc_traffic traffic;
    enum cc_stack_part stack;
    const char *from, *to; /* ends of a channel; NULL: any */
    FILE *out;             /* text or JSON goes here; NULL: neither */
    bool json;
    struct cc_buf *svg; /* the drawing; NULL: none */
};

struct cc_view {
    const char *name;
    bool draws;
    int (*run)(const struct cc_view_request *rq, struct cc_err *err);
};

extern const struct cc_view cc_views[];
extern const char *const cc_view_names[]; /* NULL-terminated, in the order of cc_views */

#define CC_VIEW(name, draws) int cc_view_##name(const struct cc_view_request *rq, struct cc_err *err);
#include "views.def"
#undef CC_VIEW

/* The filter of a view: JSON shows all unless asked, text and drawings the given defaults. Asking for one of
 * --top and --min-share lifts the other's default. */
struct cc_filter cc_view_filter(const struct cc_view_request *rq, size_t top, double min_share);

/* "file.c:12", "file.c", the object's file, or "". */
const char *cc_view_place(const struct cc_profile *p, const struct cc_pfunction *f, char *out, size_t size);
/* Notes every view starts with: an incomplete run, figures that are bounds. */
void cc_view_caveats(const struct cc_profile *p, FILE *out);

#endif
