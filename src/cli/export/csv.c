/* Tables as CSV (RFC 4180): streams, functions, contexts or the calls of the time line. */
#include "export.h"
#include "../../analysis/comm/comm.h"
#include "../../base/table.h"

static int streams(const struct cc_export_request *rq, struct cc_err *err)
{
    static const struct cc_col cols[] = {
        {"from", NULL, CC_COL_STR, 0}, {"to", NULL, CC_COL_STR, 0},    {"bytes", NULL, CC_COL_INT, 0},
        {"unma", NULL, CC_COL_INT, 0}, {"reads", NULL, CC_COL_INT, 0}, {"fresh", NULL, CC_COL_INT, 0},
    };
    struct cc_filter all = {0};
    struct cc_comm *c;
    int rc = cc_comm_build(rq->p, rq->by, &all, &c, err);
    if (rc < 0)
        return rc;
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_edge *e = &c->edges[i];
        cc_table_row(t);
        cc_table_str(t, c->nodes[e->from].name);
        cc_table_str(t, c->nodes[e->to].name);
        cc_table_int(t, (int64_t)e->bytes);
        if (e->has_unma)
            cc_table_int(t, (int64_t)e->unma);
        else
            cc_table_null(t);
        cc_table_int(t, (int64_t)e->reads);
        cc_table_int(t, (int64_t)e->fresh);
    }
    cc_table_print_csv(t, rq->out);
    cc_table_free(t);
    cc_comm_free(c);
    return 0;
}

static void functions(const struct cc_profile *p, FILE *out)
{
    static const struct cc_col cols[] = {
        {"name", NULL, CC_COL_STR, 0},      {"symbol", NULL, CC_COL_STR, 0},
        {"file", NULL, CC_COL_STR, 0},      {"line", NULL, CC_COL_INT, 0},
        {"object", NULL, CC_COL_STR, 0},    {"calls", NULL, CC_COL_INT, 0},
        {"inclusive", NULL, CC_COL_INT, 0}, {"exclusive", NULL, CC_COL_INT, 0},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->nfunctions; i++) {
        const struct cc_pfunction *f = &p->functions[i];
        cc_table_row(t);
        cc_table_str(t, f->name);
        cc_table_str(t, f->symbol);
        cc_table_str(t, f->file);
        if (f->line)
            cc_table_int(t, f->line);
        else
            cc_table_null(t);
        cc_table_str(t, f->binary == CC_NONE ? NULL : p->binaries[f->binary].path);
        cc_table_int(t, (int64_t)f->calls);
        cc_table_int(t, (int64_t)f->inclusive);
        cc_table_int(t, (int64_t)f->exclusive);
    }
    cc_table_print_csv(t, out);
    cc_table_free(t);
}

static void contexts(const struct cc_profile *p, FILE *out)
{
    static const struct cc_col cols[] = {
        {"id", NULL, CC_COL_INT, 0},        {"parent", NULL, CC_COL_INT, 0},
        {"tid", NULL, CC_COL_INT, 0},       {"function", NULL, CC_COL_STR, 0},
        {"calls", NULL, CC_COL_INT, 0},     {"inclusive", NULL, CC_COL_INT, 0},
        {"exclusive", NULL, CC_COL_INT, 0},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *x = &p->contexts[i];
        cc_table_row(t);
        cc_table_int(t, (int64_t)i);
        if (x->parent == CC_NONE)
            cc_table_null(t);
        else
            cc_table_int(t, x->parent);
        cc_table_int(t, p->threads[x->thread].tid);
        cc_table_str(t, p->functions[x->function].name);
        cc_table_int(t, (int64_t)x->calls);
        cc_table_int(t, (int64_t)x->inclusive);
        cc_table_int(t, (int64_t)x->exclusive);
    }
    cc_table_print_csv(t, out);
    cc_table_free(t);
}

static void calls(const struct cc_profile *p, FILE *out)
{
    static const struct cc_col cols[] = {
        {"tid", NULL, CC_COL_INT, 0},     {"start", NULL, CC_COL_INT, 0},    {"length", NULL, CC_COL_INT, 0},
        {"context", NULL, CC_COL_INT, 0}, {"function", NULL, CC_COL_STR, 0},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->ncalls; i++) {
        const struct cc_rec_call *c = &p->calls[i];
        cc_table_row(t);
        cc_table_int(t, p->threads[c->thread].tid);
        cc_table_int(t, (int64_t)c->start);
        cc_table_int(t, (int64_t)c->length);
        cc_table_int(t, c->context);
        cc_table_str(t, p->functions[p->contexts[c->context].function].name);
    }
    cc_table_print_csv(t, out);
    cc_table_free(t);
}

int cc_export_csv(const struct cc_export_request *rq, struct cc_err *err)
{
    if (rq->p->nfunctions == 0)
        return cc_err_at(err, CC_EINPUT, rq->p->path, 0, "the profile has no functions");
    switch (rq->table) {
    case CC_TABLE_STREAMS:
        return streams(rq, err);
    case CC_TABLE_FUNCTIONS:
        functions(rq->p, rq->out);
        return 0;
    case CC_TABLE_CONTEXTS:
        contexts(rq->p, rq->out);
        return 0;
    case CC_TABLE_CALLS:
        calls(rq->p, rq->out);
        return 0;
    }
    return cc_err_set(err, CC_EBUG, "no such table");
}
