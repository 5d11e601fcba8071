/* Tables as CSV (RFC 4180): streams, functions, contexts or the calls of the time line. */
#include "export.h"
#include "../../analysis/comm/comm.h"
#include "../../base/result.h"

static int streams(const struct cc_export_request *rq, struct cc_result *r, struct cc_err *err)
{
    static const struct cc_col cols[] = {
        {"from", NULL, CC_COL_STR}, {"to", NULL, CC_COL_STR},    {"bytes", NULL, CC_COL_INT},
        {"unma", NULL, CC_COL_INT}, {"reads", NULL, CC_COL_INT}, {"fresh", NULL, CC_COL_INT},
    };
    struct cc_comm *c;
    int rc = cc_comm_build(rq->p, rq->by, &rq->filter, &c, err);
    if (rc < 0)
        return rc;
    struct cc_table *t = cc_result_table(r, "streams", cols, CC_COUNT(cols));
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_edge *e = &c->edges[i];
        cc_table_row(t);
        cc_table_str(t, c->nodes[e->from].name);
        cc_table_str(t, c->nodes[e->to].name);
        cc_table_u64(t, e->bytes);
        cc_table_u64_if(t, e->has_unma, e->unma);
        cc_table_u64(t, e->reads);
        cc_table_u64(t, e->fresh);
    }
    cc_comm_free(c);
    return 0;
}

static void functions(const struct cc_profile *p, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"name", NULL, CC_COL_STR},      {"symbol", NULL, CC_COL_STR},    {"file", NULL, CC_COL_STR},
        {"line", NULL, CC_COL_INT},      {"object", NULL, CC_COL_STR},    {"calls", NULL, CC_COL_INT},
        {"inclusive", NULL, CC_COL_INT}, {"exclusive", NULL, CC_COL_INT},
    };
    struct cc_table *t = cc_result_table(r, "functions", cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->nfunctions; i++) {
        const struct cc_pfunction *f = &p->functions[i];
        cc_table_row(t);
        cc_table_str(t, f->name);
        cc_table_str(t, f->symbol);
        cc_table_place(t, f->file, f->line);
        cc_table_str(t, f->binary == CC_NONE ? NULL : p->binaries[f->binary].path);
        cc_table_u64(t, f->calls);
        cc_table_u64(t, f->inclusive);
        cc_table_u64(t, f->exclusive);
    }
}

static void contexts(const struct cc_profile *p, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"id", NULL, CC_COL_INT},        {"parent", NULL, CC_COL_INT}, {"tid", NULL, CC_COL_INT},
        {"function", NULL, CC_COL_STR},  {"calls", NULL, CC_COL_INT},  {"inclusive", NULL, CC_COL_INT},
        {"exclusive", NULL, CC_COL_INT},
    };
    struct cc_table *t = cc_result_table(r, "contexts", cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *x = &p->contexts[i];
        cc_table_row(t);
        cc_table_u64(t, i);
        cc_table_u64_if(t, x->parent != CC_NONE, x->parent);
        cc_table_int(t, p->threads[x->thread].tid);
        cc_table_str(t, p->functions[x->function].name);
        cc_table_u64(t, x->calls);
        cc_table_u64(t, x->inclusive);
        cc_table_u64(t, x->exclusive);
    }
}

static void calls(const struct cc_profile *p, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"tid", NULL, CC_COL_INT},     {"start", NULL, CC_COL_INT},    {"length", NULL, CC_COL_INT},
        {"context", NULL, CC_COL_INT}, {"function", NULL, CC_COL_STR},
    };
    struct cc_table *t = cc_result_table(r, "calls", cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->ncalls; i++) {
        const struct cc_rec_call *c = &p->calls[i];
        cc_table_row(t);
        cc_table_int(t, p->threads[c->thread].tid);
        cc_table_u64(t, c->start);
        cc_table_u64(t, c->length);
        cc_table_u64(t, c->context);
        cc_table_str(t, p->functions[p->contexts[c->context].function].name);
    }
}

static int fill(const struct cc_export_request *rq, struct cc_result *r, struct cc_err *err)
{
    switch (rq->table) {
    case CC_TABLE_STREAMS:
        return streams(rq, r, err);
    case CC_TABLE_FUNCTIONS:
        functions(rq->p, r);
        return 0;
    case CC_TABLE_CONTEXTS:
        contexts(rq->p, r);
        return 0;
    case CC_TABLE_CALLS:
        calls(rq->p, r);
        return 0;
    }
    return cc_err_set(err, CC_EBUG, "no such table");
}

int cc_export_csv(const struct cc_export_request *rq, struct cc_err *err)
{
    static const char *const names[] = {"streams", "functions", "contexts", "calls"};
    if (rq->p->nfunctions == 0)
        return cc_err_at(err, CC_EINPUT, rq->p->path, 0, "the profile has no functions");
    struct cc_result *r = cc_result_new("corecast.export", 1);
    int rc = fill(rq, r, err);
    if (rc == 0)
        rc = cc_result_print(r, CC_FORMAT_CSV, names[rq->table], rq->out, err);
    cc_result_free(r);
    return rc;
}
