#include "view.h"
#include "../../draw/timeline.h"
#include "../../analysis/calltree/calltree.h"

static const struct cc_col node_cols[] = {
    {"name", "call tree", CC_COL_STR, .tree = true},
    {NULL, "total", CC_COL_PERCENT, 1},
    {"inclusive", "total instr", CC_COL_COUNT, .unit = "instructions",
     .meaning = "instructions of the call and of all below it"},
    {NULL, "self", CC_COL_PERCENT, 1},
    {"exclusive", NULL, CC_COL_COUNT, .unit = "instructions"},
    {"calls", "calls", CC_COL_INT},
    {"children", NULL, CC_COL_CHILDREN},
};

static const struct cc_col thread_cols[] = {
    {"tid", NULL, CC_COL_INT},
    {"start", NULL, CC_COL_INT, .unit = "instructions", .meaning = "since the run began"},
    {"instructions", NULL, CC_COL_INT},
    {"root", NULL, CC_COL_RECORD, .under = true, .sub = node_cols, .nsub = CC_COUNT(node_cols)},
};

static struct cc_table *thread_row(struct cc_table *t, const struct cc_pthread *thread)
{
    cc_table_row(t);
    cc_table_u64(t, thread->tid);
    cc_table_u64(t, thread->start);
    cc_table_u64(t, thread->instructions);
    return cc_table_sub(t);
}

static void node_cells(struct cc_table *t, const struct cc_profile *p, const struct cc_pcontext *x, bool root,
                       double total)
{
    cc_table_str(t, p->functions[x->function].name);
    if (root && p->nthreads > 1)
        cc_table_show(t, "thread %u (tid %u)", x->thread + 1, p->threads[x->thread].tid);
    cc_table_num(t, (double)x->inclusive / total);
    cc_table_u64(t, x->inclusive);
    cc_table_num(t, (double)x->exclusive / total);
    cc_table_u64(t, x->exclusive);
    cc_table_u64(t, x->calls);
}

static void build(const struct cc_profile *p, const struct cc_calltree *tree, struct cc_result *r)
{
    double total = (double)CC_MAX(tree->total, UINT64_C(1));
    CC_CLEANUP(cc_free_ptr) size_t *line = cc_alloc_array(tree->n + 1, sizeof *line);
    size_t hidden = 0;
    cc_view_caveats(p, r);
    struct cc_table *threads = cc_result_table(r, "threads", thread_cols, CC_COUNT(thread_cols)), *t = NULL;
    for (size_t i = 0; i < tree->n; i++) {
        const struct cc_calltree_row *x = &tree->rows[i];
        const struct cc_pcontext *context = &p->contexts[x->context];
        bool root = x->parent == SIZE_MAX;
        if (root)
            t = thread_row(threads, &p->threads[context->thread]);
        line[i] = cc_table_row_under(t, root ? SIZE_MAX : line[x->parent]);
        node_cells(t, p, context, root, total);
        hidden += x->hidden;
    }
    if (hidden)
        cc_result_note(r, "%zu smaller branch%s not shown; --min-share 0 shows all", hidden,
                       hidden == 1 ? " is" : "es are");
}

int cc_view_calltree(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 0, 0.01);
    struct cc_calltree *t;
    int rc = cc_calltree_build(rq->p, &filter, &t, err);
    if (rc < 0)
        return rc;
    build(rq->p, t, r);
    cc_calltree_free(t);
    return rq->svg ? cc_draw_timeline(rq->p, NULL, rq->svg, err) : 0;
}
