#include "page.h"
#include "page_bundle.h"
#include "page_data.h"
#include "page_time.h"
#include "page_whatif.h"
#include "source.h"
#include "view.h"
#include "../compare/compare.h"
#include "../explore/explore.h"
#include "../mine/mine.h"
#include "../predict/show.h"
#include "../../analysis/objects/objects.h"
#include "../../base/file.h"
#include "../../base/text.h"

enum {
    MAX_STREAMS = 20000,
    MAX_CONTEXT_STREAMS = 3000,
    MAX_LINES = 20000,
    MAX_JOINED = 60,        /* objects among regions */
    MAX_BANDWIDTH = 16,     /* functions: each may have a thousand slices */
    FULL_TREE = 20000,      /* calling contexts: of more, only those with a share */
    MAX_SOURCE = 512 << 10, /* of one file */
    MAX_SOURCES = 2 << 20,
};

struct page {
    const struct cc_page_request *rq;
    struct cc_page_data data;
    bool engine; /* some profile can be replayed */
};

/* --- the views --- */

static void put_missing(struct page *g, const char *key, const struct cc_err *e)
{
    cc_json_obj(&g->data.json, key);
    cc_json_str(&g->data.json, "$missing", e->msg);
    if (e->hint[0])
        cc_json_str(&g->data.json, "hint", e->hint);
    cc_json_end(&g->data.json);
}

static void put_view(struct page *g, const char *key, enum cc_view_id id, const struct cc_view_request *rq)
{
    struct cc_result *r = NULL;
    struct cc_err e = {0};
    if (cc_view_run(&cc_views[id], rq, &r, &e) == 0)
        cc_page_data_result(&g->data, key, r, id == CC_VIEW_ID_lines ? "files" : NULL);
    else
        put_missing(g, key, &e);
    cc_result_free(r);
}

/* A result of another command, or why there is none. */
static void put_result(struct page *g, const char *key, int rc, struct cc_result *r, const struct cc_err *e)
{
    if (rc == 0 && r)
        cc_page_data_result(&g->data, key, r, NULL);
    else
        put_missing(g, key, e);
    cc_result_free(r);
}

static void put_plans(struct page *g, const char *path)
{
    struct cc_result *r = NULL;
    struct cc_err e = {0};
    if (g->rq->platform) {
        int rc = cc_explore_of(path, g->rq->platform, g->rq->source, &r, &e);
        put_result(g, "explore", rc, r, &e);
    }
    r = NULL;
    e = (struct cc_err){0};
    if (g->rq->platform && g->rq->scenarios->n) {
        int rc = cc_predict_of(path, g->rq->platform, g->rq->scenarios, &r, &e);
        put_result(g, "predict", rc, r, &e);
    }
}

/* Contention is that of the last trace: the one with the most cores, as they are usually given. */
static void put_traces(struct page *g)
{
    const struct cc_strs *traces = g->rq->traces;
    struct cc_result *r = NULL;
    struct cc_err e = {0};
    if (traces && traces->n) {
        int rc = cc_mine_contention_of(traces->v[traces->n - 1], &r, &e);
        put_result(g, "contention", rc, r, &e);
    }
    r = NULL;
    e = (struct cc_err){0};
    if (traces && traces->n > 1) {
        int rc = cc_mine_scaling_of(traces, &r, &e);
        put_result(g, "scaling", rc, r, &e);
    }
}

/* What changed since the first profile of the page. */
static void put_differences(struct page *g, const char *path)
{
    const char *first = g->rq->profiles->v[0];
    struct cc_result *r = NULL;
    struct cc_err e = {0};
    if (path != first) {
        int rc = cc_compare_of(first, path, MAX_STREAMS, &r, &e);
        put_result(g, "compare", rc, r, &e);
    }
}

static struct cc_filter filter_of(const struct cc_profile *p, enum cc_view_id id)
{
    struct cc_filter f = {0};
    if (id == CC_VIEW_ID_lines)
        f.top = MAX_LINES;
    if (id == CC_VIEW_ID_bandwidth)
        f.top = MAX_BANDWIDTH;
    if (id == CC_VIEW_ID_calltree && p->ncontexts > FULL_TREE)
        f.min_share = 1e-5;
    if (id == CC_VIEW_ID_comm)
        f.top = MAX_STREAMS;
    return f;
}

static void put_timelines(struct page *g, const struct cc_profile *p)
{
    for (int regions = 0; regions < 2; regions++) {
        if (regions && p->nregions < 2)
            continue;
        struct cc_result *r = cc_page_timeline(p, regions);
        cc_page_data_result(&g->data, regions ? "timeline_regions" : "timeline", r, NULL);
        cc_result_free(r);
    }
}

/* Regions with the heaviest objects among them: the page shows those that are chosen. */
static void put_joined(struct page *g, struct cc_view_request rq)
{
    struct cc_filter heaviest = {.top = MAX_JOINED};
    struct cc_objects *o;
    struct cc_err e = {0};
    if (cc_objects_list(rq.p, &heaviest, &o, &e) < 0)
        return;
    struct cc_strs names = {.v = cc_alloc_array(o->n + 1, sizeof *names.v)};
    for (size_t i = 0; i < o->n; i++)
        if (!o->items[i].never)
            names.v[names.n++] = o->names[o->items[i].id];
    rq.wanted = &names;
    if (names.n)
        put_view(g, "comm_joined", CC_VIEW_ID_comm, &rq);
    free(names.v);
    cc_objects_free(o);
}

/* Who gives what to whom on the other levels that the run has. */
static void put_levels(struct page *g, struct cc_view_request rq)
{
    rq.by_given = true;
    rq.by = CC_LEVEL_CONTEXT;
    rq.filter.top = MAX_CONTEXT_STREAMS;
    put_view(g, "comm_context", CC_VIEW_ID_comm, &rq);
    rq.filter.top = MAX_STREAMS;
    rq.by = CC_LEVEL_THREAD;
    if (rq.p->nthreads > 1)
        put_view(g, "comm_thread", CC_VIEW_ID_comm, &rq);
    rq.by = CC_LEVEL_REGION;
    if (rq.p->nregions)
        put_view(g, "comm_region", CC_VIEW_ID_comm, &rq);
    if (rq.p->nregions > 1)
        put_joined(g, rq);
    rq.by = CC_LEVEL_FUNCTION;
    rq.by_object = true;
    put_view(g, "comm_object", CC_VIEW_ID_comm, &rq);
}

static void put_views(struct page *g, const char *path, const struct cc_profile *p)
{
    struct cc_view_request rq = {
        .p = p, .by = CC_LEVEL_FUNCTION, .data = true, .source = g->rq->source, .top_given = true};
    cc_json_obj(&g->data.json, "views");
    for (int id = 0; id < CC_VIEWS; id++) {
        rq.filter = filter_of(p, (enum cc_view_id)id);
        put_view(g, cc_views[id].name, (enum cc_view_id)id, &rq);
    }
    rq.filter = (struct cc_filter){0};
    put_levels(g, rq);
    put_timelines(g, p);
    put_plans(g, path);
    put_traces(g);
    put_differences(g, path);
    cc_json_end(&g->data.json);
}

/* --- the sources --- */

static void put_text(struct page *g, const struct cc_source *s)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (size_t i = 0; i < s->n; i++) {
        cc_buf_puts(&b, s->lines[i]);
        cc_buf_puts(&b, "\n");
    }
    cc_json_str(&g->data.json, "text", b.s);
    cc_buf_fini(&b);
}

static size_t source_size(const struct cc_source *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->n; i++)
        n += strlen(s->lines[i]) + 1;
    return n;
}

/* Files in the order of the profile, those of the program itself among them; what is too large, or not named
 * like a source, is left out. */
static void put_sources(struct page *g, const struct cc_profile *p)
{
    size_t room = MAX_SOURCES;
    struct cc_json *j = &g->data.json;
    cc_json_arr(j, "sources");
    for (size_t i = 0; i < p->nfiles && !g->rq->no_source; i++) {
        struct cc_source s;
        cc_source_read(&s, &p->files[i], g->rq->source);
        size_t size = source_size(&s);
        if (s.path && s.n) {
            cc_json_obj(j, NULL);
            cc_page_data_name(&g->data, "file", p->files[i].path);
            cc_json_bool(j, "changed", s.changed);
            if (size <= MAX_SOURCE && size <= room && cc_source_may_be_shown(&s)) {
                put_text(g, &s);
                room -= size;
            } else {
                cc_json_null(j, "text");
            }
            cc_json_end(j);
        }
        cc_source_fini(&s);
    }
    cc_json_end(j);
}

/* --- the page --- */

static int put_profile(struct page *g, const char *path, struct cc_err *err)
{
    struct cc_profile *p;
    int rc = cc_profile_load(path, &p, err);
    if (rc < 0)
        return rc;
    cc_json_obj(&g->data.json, NULL);
    cc_json_str(&g->data.json, "path", path);
    put_views(g, path, p);
    put_sources(g, p);
    g->engine |= cc_page_whatif(&g->data.json, g->rq, path);
    cc_json_end(&g->data.json);
    cc_profile_free(p);
    return 0;
}

static int put_data(struct page *g, FILE *out, struct cc_err *err)
{
    int rc = 0;
    cc_page_data_init(&g->data, out);
    cc_json_str(&g->data.json, "tool", CC_VERSION);
    cc_json_str(&g->data.json, "open", g->rq->open);
    cc_json_bool(&g->data.json, "with_sources", !g->rq->no_source);
    cc_json_arr(&g->data.json, "profiles");
    for (size_t i = 0; rc == 0 && i < g->rq->profiles->n; i++)
        rc = put_profile(g, g->rq->profiles->v[i], err);
    cc_json_end(&g->data.json);
    if (g->engine)
        cc_json_str(&g->data.json, "engine", cc_page_engine);
    cc_page_data_fini(&g->data);
    return rc;
}

/* JSON has < only in strings: written as \u003c, no name can end the element the data stands in. */
static void write_escaped(FILE *out, const char *s, size_t n)
{
    for (const char *end = s + n, *at; s < end; s = at + 1) {
        at = memchr(s, '<', (size_t)(end - s));
        at = at ? at : end;
        fwrite(s, 1, (size_t)(at - s), out);
        if (at < end)
            fputs("\\u003c", out);
    }
}

static int collect(const struct cc_page_request *rq, char **ret, size_t *ret_n, struct cc_err *err)
{
    struct page g = {.rq = rq};
    FILE *f = open_memstream(ret, ret_n);
    if (!f)
        return cc_err_set(err, CC_EMEMORY, "out of memory");
    int rc = put_data(&g, f, err);
    if (fclose(f) != 0 && rc == 0)
        rc = cc_err_set(err, CC_EMEMORY, "out of memory");
    return rc;
}

int cc_page_write(const struct cc_page_request *rq, struct cc_err *err)
{
    if (cc_page_missing[0]) {
        int rc = cc_err_set(err, CC_EUSAGE, "this corecast was built without the report page: %s",
                            cc_page_missing);
        cc_err_hint(err, "'make' installs what it needs and builds again");
        return rc;
    }
    CC_CLEANUP(cc_free_ptr) char *data = NULL;
    size_t n = 0;
    struct cc_outfile out;
    int rc = collect(rq, &data, &n, err);
    if (rc == 0)
        rc = cc_outfile_open(&out, rq->out, err);
    if (rc < 0)
        return rc;
    fwrite(cc_page_head, 1, cc_page_head_size, out.f);
    write_escaped(out.f, data, n);
    fwrite(cc_page_tail, 1, cc_page_tail_size, out.f);
    return cc_outfile_commit(&out, err);
}
