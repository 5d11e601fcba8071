#include "view.h"
#include "../../draw/timeline.h"
#include "../../analysis/calltree/calltree.h"

static const char *name_of(const struct cc_profile *p, uint32_t context)
{
    return p->functions[p->contexts[context].function].name;
}

static void json_thread(struct cc_json *j, const struct cc_profile *p, uint32_t thread)
{
    const struct cc_pthread *t = &p->threads[thread];
    cc_json_obj(j, NULL);
    cc_json_u64(j, "tid", t->tid);
    cc_json_u64(j, "start", t->start);
    cc_json_u64(j, "instructions", t->instructions);
}

/* Rows come in pre-order: before each, the levels that ended are closed. */
static void print_json(const struct cc_profile *p, const struct cc_calltree *t, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.calltree", 1);
    cc_json_arr(&j, "threads");
    for (size_t i = 0; i < t->n; i++) {
        const struct cc_pcontext *x = &p->contexts[t->rows[i].context];
        if (t->rows[i].depth == 0)
            json_thread(&j, p, x->thread);
        cc_json_obj(&j, t->rows[i].depth == 0 ? "root" : NULL);
        cc_json_str(&j, "name", p->functions[x->function].name);
        cc_json_u64(&j, "calls", x->calls);
        cc_json_u64(&j, "inclusive", x->inclusive);
        cc_json_u64(&j, "exclusive", x->exclusive);
        cc_json_arr(&j, "children");
        uint32_t next = i + 1 < t->n ? t->rows[i + 1].depth : 0;
        for (uint32_t depth = t->rows[i].depth + 1; depth > next; depth--) {
            cc_json_end(&j); /* children */
            cc_json_end(&j); /* the node */
        }
        if (next == 0)
            cc_json_end(&j); /* the thread */
    }
    cc_json_end(&j);
    cc_json_end(&j);
}

static void print_text(const struct cc_profile *p, const struct cc_calltree *t, FILE *out)
{
    static const struct cc_col cols[] = {
        {"name", "CALL TREE", CC_COL_STR, 0, .tree = true},
        {"share", "TOTAL", CC_COL_PERCENT, 1},
        {"inclusive", "TOTAL INSTR", CC_COL_COUNT, 0},
        {"own", "SELF", CC_COL_PERCENT, 1},
        {"calls", "CALLS", CC_COL_INT, 0},
    };
    double total = (double)CC_MAX(t->total, UINT64_C(1));
    cc_view_caveats(p, out);
    struct cc_table *table = cc_table_new(cols, CC_COUNT(cols));
    size_t *line = cc_alloc_array(t->n + 1, sizeof *line);
    size_t hidden = 0;
    for (size_t i = 0; i < t->n; i++) {
        const struct cc_calltree_row *r = &t->rows[i];
        const struct cc_pcontext *x = &p->contexts[r->context];
        line[i] = cc_table_row_under(table, r->parent == SIZE_MAX ? SIZE_MAX : line[r->parent]);
        if (r->parent == SIZE_MAX && p->nthreads > 1) {
            CC_CLEANUP(cc_free_ptr)
            char *root = cc_asprintf("thread %u (tid %u)", x->thread + 1, p->threads[x->thread].tid);
            cc_table_str(table, root);
        } else {
            cc_table_str(table, name_of(p, r->context));
        }
        cc_table_num(table, (double)x->inclusive / total);
        cc_table_int(table, (int64_t)x->inclusive);
        cc_table_num(table, (double)x->exclusive / total);
        cc_table_int(table, (int64_t)x->calls);
        hidden += r->hidden;
    }
    cc_table_print_text(table, out);
    cc_table_free(table);
    free(line);
    if (hidden)
        fprintf(out, "\n%zu smaller branch%s not shown; --min-share 0 shows all\n", hidden,
                hidden == 1 ? " is" : "es are");
}

int cc_view_calltree(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 0, 0.01);
    struct cc_calltree *t;
    int rc = cc_calltree_build(rq->p, &filter, &t, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(rq->p, t, rq->out);
    else if (rq->out)
        print_text(rq->p, t, rq->out);
    cc_calltree_free(t);
    return rq->svg ? cc_draw_timeline(rq->p, NULL, rq->svg, err) : 0;
}
