#include "view.h"
#include "../../draw/graph.h"
#include "../../draw/timeline.h"
#include "../../analysis/comm/comm.h"
#include "../../analysis/objects/objects.h"
#include "../../base/opt.h"

static const char *by_name(const struct cc_comm *c)
{
    return c->objects ? "object" : c->calls ? "call" : cc_level_names[c->by];
}

static void put_nodes(const struct cc_comm *c, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"name", NULL, CC_COL_STR},         {"kind", NULL, CC_COL_STR},
        {"instructions", NULL, CC_COL_INT}, {"size", NULL, CC_COL_BYTES, .meaning = "of a data object"},
        {"peak", NULL, CC_COL_BYTES},
    };
    struct cc_table *t = cc_result_table(r, "nodes", cols, CC_COUNT(cols));
    for (size_t i = 0; i < c->nnodes; i++) {
        cc_table_row(t);
        cc_table_str(t, c->nodes[i].name);
        cc_table_str(t, cc_comm_kind_names[c->nodes[i].kind]);
        cc_table_u64_if(t, c->has_instructions, c->nodes[i].instructions);
        if (c->nodes[i].kind == CC_COMM_OBJECT) {
            cc_table_u64(t, c->nodes[i].size);
            cc_table_u64(t, c->nodes[i].peak);
        } else {
            cc_table_absent(t);
            cc_table_absent(t);
        }
    }
}

static const struct cc_col source_cols[] = {
    {"call", NULL, CC_COL_STR}, {"file", NULL, CC_COL_STR}, {"bytes", NULL, CC_COL_BYTES}};

static const struct cc_col edge_cols[] = {
    {"from", "from", CC_COL_STR},
    {"to", "to", CC_COL_STR},
    {"bytes", "bytes", CC_COL_BYTES, .meaning = "every read counts"},
    {NULL, "share", CC_COL_PERCENT, 1},
    {"unma", "unma", CC_COL_COUNT, .meaning = "distinct addresses"},
    {"reads", "reads", CC_COL_COUNT},
    {"fresh", "fresh", CC_COL_BYTES, .meaning = "values read for the first time"},
    {"critical", NULL, CC_COL_BOOL, .meaning = "on the critical data path of all reads"},
    {"sources", NULL, CC_COL_TABLE, .sub = source_cols, .nsub = CC_COUNT(source_cols)},
    {NULL, "", CC_COL_STR},
    {"critical_fresh", NULL, CC_COL_BOOL, .meaning = "on the critical data path of first reads"},
};

/* Only streams of input have sources. */
static void put_sources(struct cc_table *t, const struct cc_comm *c, const struct cc_comm_edge *e)
{
    if (c->nodes[e->from].kind != CC_COMM_INPUT) {
        cc_table_absent(t);
        return;
    }
    if (!c->has_sources) {
        cc_table_null(t);
        return;
    }
    struct cc_table *sources = cc_table_sub(t);
    for (size_t i = 0; i < e->nsources; i++) {
        cc_table_row(sources);
        cc_table_str(sources, e->sources[i].call);
        cc_table_str(sources, e->sources[i].file);
        cc_table_u64(sources, e->sources[i].bytes);
    }
}

static void put_remark(struct cc_table *t, const struct cc_comm_edge *e)
{
    CC_CLEANUP(cc_free_ptr) char *source = NULL;
    if (e->nsources)
        source = cc_asprintf("%s %s%s", e->sources[0].call, e->sources[0].file ? e->sources[0].file : "",
                             e->nsources > 1 ? ", …" : "");
    cc_table_str(t, source ? source : e->from == e->to ? "self" : e->marked ? "critical path" : "");
}

static void put_edges(const struct cc_comm *c, struct cc_result *r)
{
    struct cc_table *t = cc_result_table(r, "edges", edge_cols, CC_COUNT(edge_cols));
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_edge *e = &c->edges[i];
        cc_table_row(t);
        cc_table_str(t, c->nodes[e->from].name);
        cc_table_str(t, c->nodes[e->to].name);
        cc_table_u64(t, e->bytes);
        if (e->from == e->to || !c->between)
            cc_table_null(t);
        else
            cc_table_num(t, (double)e->bytes / (double)c->between);
        cc_table_u64_if(t, e->has_unma, e->unma);
        cc_table_u64_if(t, e->has_reads, e->reads);
        cc_table_u64_if(t, e->has_reads, e->fresh);
        cc_table_bool(t, e->critical);
        put_sources(t, c, e);
        put_remark(t, e);
        cc_table_bool(t, e->critical_fresh);
    }
}

static void put_head(const struct cc_profile *p, const struct cc_comm *c, struct cc_result *r)
{
    char a[24], b[24], frame[32] = "all";
    cc_view_caveats(p, r);
    cc_result_str(r, "by", by_name(c));
    if (c->one_frame)
        cc_result_u64(r, "frame", c->frame);
    cc_result_u64(r, "bytes", c->total);
    cc_result_u64(r, "bytes_between", c->between);
    cc_result_bool(r, "fresh_exact", !p->approximate);
    if (c->one_frame)
        snprintf(frame, sizeof frame, "frame %u", c->frame);
    if (c->objects)
        cc_result_note(r, "%s written to and read from data objects; shares are of that",
                       cc_human_bytes((double)c->total, a));
    else
        cc_result_note(r, "%s read in %s, %s of it from another %s; shares are of the latter",
                       cc_human_bytes((double)c->total, a), frame, cc_human_bytes((double)c->between, b),
                       by_name(c));
}

static void put_names(const char *key, const struct cc_comm_path *path, struct cc_result *r)
{
    cc_result_arr(r, key);
    for (size_t i = 0; i < path->n; i++)
        cc_result_str(r, NULL, path->names[i]);
    cc_result_end(r);
}

/* First reads come first: what is read again stays where it is, in a cache or a local memory. */
static void put_paths(const struct cc_comm *c, struct cc_result *r)
{
    put_names("critical_path", &c->reread_path, r);
    put_names("critical_path_fresh", &c->fresh_path, r);
    cc_view_path(r, "critical data path: ", &c->fresh_path, true);
    cc_view_path(r, c->fresh_path.n ? "counting every read: " : "critical data path, every read counted: ",
                 &c->reread_path, true);
}

static void build(const struct cc_profile *p, const struct cc_comm *c, struct cc_result *r)
{
    char bytes[24];
    double share = c->between ? 100 * (double)c->hidden_between / (double)c->between : 0;
    put_head(p, c, r);
    put_nodes(c, r);
    put_edges(c, r);
    if (c->calls && c->joined)
        cc_result_note(
            r, "%zu nodes hold several calls of their path: 'record --calls N' tells the first N apart",
            c->joined);
    put_paths(c, r);
    cc_result_gap(r);
    if (c->hidden)
        cc_result_note(r, "%zu more stream%s with %s, %.1f %% of what flows; --min-share 0 shows all",
                       c->hidden, cc_view_plural(c->hidden), cc_human_bytes((double)c->hidden_bytes, bytes),
                       share);
    cc_result_gap(r);
    cc_result_note(
        r, "bytes: every read counts; unma: distinct addresses; fresh: values read for the first time");
}

static int check_regions(const struct cc_profile *p, struct cc_err *err)
{
    if (p->nregions > 1 || p->nnodes == 0)
        return 0;
    int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "the program marked no regions");
    cc_err_hint(err,
                "put CC_REGION_BEGIN(\"name\") and CC_REGION_END(\"name\") of corecast/mark.h around its "
                "parts; see docs/guide/marks.md");
    return rc;
}

static int streams(const struct cc_view_request *rq, enum cc_level by, const struct cc_filter *filter,
                   struct cc_comm **ret, struct cc_err *err)
{
    if (rq->by_call)
        return cc_comm_calls(rq->p, filter, ret, err);
    if (rq->by_object)
        return cc_objects_comm(rq->p, filter, ret, err);
    int rc = cc_comm_build(rq->p, by, filter, ret, err);
    if (rc == 0 && rq->wanted && rq->wanted->n) {
        rc = cc_objects_join(rq->p, (const char *const *)rq->wanted->v, rq->wanted->n, *ret, err);
        if (rc < 0)
            cc_comm_free(*ret);
    }
    return rc;
}

int cc_view_comm(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 40, 0.01);
    struct cc_comm *c;
    int rc = rq->by == CC_LEVEL_REGION ? check_regions(rq->p, err) : 0;
    if (rc == 0)
        rc = streams(rq, rq->by, &filter, &c, err);
    if (rc < 0)
        return rc;
    build(rq->p, c, r);
    bool timed = rq->by == CC_LEVEL_CONTEXT || rq->by == CC_LEVEL_REGION;
    bool timeline = rq->style == CC_STYLE_TIMELINE || (rq->style == CC_STYLE_AUTO && timed);
    timeline &= !rq->by_object && !(rq->wanted && rq->wanted->n);
    bool calls = timeline && !timed; /* arrows go between calls */
    if (rq->svg && (calls || (!timeline && c->nedges > CC_GRAPH_EDGES))) {
        cc_comm_free(c);
        filter.top = timeline ? filter.top : CC_GRAPH_EDGES;
        rc = streams(rq, calls ? CC_LEVEL_CONTEXT : rq->by, &filter, &c, err);
        if (rc < 0)
            return rc;
    }
    if (rq->svg)
        rc = timeline ? cc_draw_timeline(rq->p, c, rq->svg, err) : cc_draw_graph(c, rq->svg, err);
    cc_comm_free(c);
    return rc;
}
