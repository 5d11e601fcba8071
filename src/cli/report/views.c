#include "view.h"
#include "../../analysis/comm/comm.h"

const struct cc_view cc_views[] = {
#define CC_VIEW(name, draws, levels, options, what) {#name, draws, levels, what, cc_view_##name},
#include "views.def"
#undef CC_VIEW
};

const char *const cc_view_names[] = {
#define CC_VIEW(name, ...) #name,
#include "views.def"
#include "../../base/text.h"
#undef CC_VIEW
    NULL,
};

int cc_view_run(const struct cc_view *view, const struct cc_view_request *rq, struct cc_result **ret,
                struct cc_err *err)
{
    char schema[64];
    snprintf(schema, sizeof schema, "corecast.%s", view->name);
    struct cc_result *r = cc_result_new(schema, 1);
    int rc = view->run(rq, r, err);
    if (rc < 0) {
        cc_result_free(r);
        return rc;
    }
    *ret = r;
    return 0;
}

bool cc_view_has_level(const struct cc_view *view, const char *level)
{
    size_t n = strlen(level);
    for (const char *p = view->levels; (p = strstr(p, level)); p += n)
        if ((p == view->levels || p[-1] == ' ') && (!p[n] || p[n] == ' '))
            return true;
    return false;
}

struct cc_filter cc_view_filter(const struct cc_view_request *rq, size_t top, double min_share)
{
    struct cc_filter f = rq->filter;
    bool plain = !rq->top_given && !rq->share_given && !f.focus && (rq->svg || !rq->data);
    if (plain) {
        f.top = top;
        f.min_share = min_share;
    }
    return f;
}

void cc_view_place(struct cc_table *t, const struct cc_profile *p, const struct cc_pfunction *f)
{
    if (f->file || f->binary == CC_NONE) {
        cc_table_place(t, f->file, f->line);
        return;
    }
    cc_table_null(t);
    cc_table_show(t, "%s", cc_text_base(p->binaries[f->binary].path));
    cc_table_u64_if(t, f->line > 0, f->line);
}

void cc_view_caveats(const struct cc_profile *p, struct cc_result *r)
{
    if (!p->complete)
        cc_result_note(r, "incomplete: %s", p->reason ? p->reason : "the run was cut short");
    cc_result_gap(r);
    if (p->forked)
        cc_result_note(r,
                       "note: the program made processes of its own, which are not in this profile ('record "
                       "--follow' makes one of each)");
    cc_result_gap(r);
    if (p->approximate)
        cc_result_note(r,
                       "note: the run needed more states than the collector keeps; 'fresh' is a lower bound");
    cc_result_gap(r);
}

void cc_view_path(struct cc_result *r, const char *what, const struct cc_comm_path *path, bool bytes)
{
    if (path->n < 2)
        return;
    struct cc_arena arena = {0};
    const char **pieces = cc_arena_alloc(&arena, (path->n + 1) * sizeof *pieces);
    pieces[0] = what;
    for (size_t i = 0; i < path->n; i++) {
        char human[24];
        CC_CLEANUP(cc_free_ptr) char *name = cc_text_brief(path->names[i], 64);
        CC_CLEANUP(cc_free_ptr)
        char *step = i + 1 == path->n ? cc_strdup(name)
                     : bytes ? cc_asprintf("%s -(%s)-> ", name, cc_human_bytes((double)path->bytes[i], human))
                             : cc_asprintf("%s -> ", name);
        pieces[i + 1] = cc_arena_strdup(&arena, step);
    }
    cc_result_chain(r, pieces, path->n + 1);
    cc_arena_fini(&arena);
}

const char *cc_view_plural(uint64_t n)
{
    return n == 1 ? "" : "s";
}
