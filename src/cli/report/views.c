#include "view.h"

const struct cc_view cc_views[] = {
#define CC_VIEW(name, draws) {#name, draws, cc_view_##name},
#include "views.def"
#undef CC_VIEW
};

const char *const cc_view_names[] = {
#define CC_VIEW(name, draws) #name,
#include "views.def"
#undef CC_VIEW
    NULL,
};

struct cc_filter cc_view_filter(const struct cc_view_request *rq, size_t top, double min_share)
{
    struct cc_filter f = rq->filter;
    bool plain = !rq->top_given && !rq->share_given && !f.focus && (rq->svg || !rq->json);
    if (plain) {
        f.top = top;
        f.min_share = min_share;
    }
    return f;
}

const char *cc_view_place(const struct cc_profile *p, const struct cc_pfunction *f, char *out, size_t size)
{
    const char *path = f->file ? f->file : f->binary != CC_NONE ? p->binaries[f->binary].path : "";
    const char *slash = strrchr(path, '/');
    if (f->file && f->line)
        snprintf(out, size, "%s:%u", slash ? slash + 1 : path, f->line);
    else
        snprintf(out, size, "%s", slash ? slash + 1 : path);
    return out;
}

void cc_view_caveats(const struct cc_profile *p, FILE *out)
{
    if (!p->complete) {
        fputs("incomplete: ", out);
        cc_text_print_safe(out, p->reason ? p->reason : "the run was cut short");
        fputs("\n\n", out);
    }
    if (p->approximate)
        fputs("note: the run needed more states than the collector keeps; 'fresh' is a lower bound\n\n", out);
}
