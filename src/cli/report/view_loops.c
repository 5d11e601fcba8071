/* Loops: how long they run, whether their iterations could run at once, and what forbids it. */
#include "view.h"
#include "loops_chart.h"
#include "../loop_sources.h"
#include "../../analysis/loops/loops.h"

#include <math.h>

static const struct cc_col reason_cols[] = {
    {"kind", NULL, CC_COL_STR,
     .meaning = "raw, war or waw through memory, register, io, call of a library, exit"},
    {"variable", NULL, CC_COL_STR},
    {"from.file", NULL, CC_COL_STR},
    {"from.line", NULL, CC_COL_INT},
    {"to.file", NULL, CC_COL_STR},
    {"to.line", NULL, CC_COL_INT},
    {"distance", NULL, CC_COL_INT, .unit = "iterations", .meaning = "the least; null if unknown"},
    {"count", NULL, CC_COL_COUNT},
};

static const struct cc_col reduction_cols[] = {
    {"operator", NULL, CC_COL_STR},
    {"variable", NULL, CC_COL_STR},
};

static const struct cc_col loop_cols[] = {
    {"id", "loop", CC_COL_STR, .tree = true},
    {"parent", NULL, CC_COL_STR, .meaning = "id of the loop it runs in; null: none"},
    {"function", NULL, CC_COL_STR},
    {NULL, "function", CC_COL_STR, .wrap = 24},
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"column", NULL, CC_COL_INT,
     .meaning = "of the statement, or of its test where there is no source; null if unknown"},
    {"depth", NULL, CC_COL_INT},
    {"share", "share", CC_COL_PERCENT, 1, .meaning = "of the run's instructions, with all it calls"},
    {"invocations", "times", CC_COL_COUNT, .meaning = "it was entered"},
    {"iterations", "iterations", CC_COL_COUNT, .meaning = "in all"},
    {NULL, "instr each", CC_COL_COUNT},
    {"instructions", NULL, CC_COL_COUNT, .unit = "instructions"},
    {"trips.min", NULL, CC_COL_INT, .meaning = "iterations of an invocation"},
    {"trips.max", NULL, CC_COL_INT},
    {"iteration.mean", NULL, CC_COL_NUM, 1, .unit = "instructions"},
    {"iteration.min", NULL, CC_COL_COUNT, .unit = "instructions"},
    {"iteration.max", NULL, CC_COL_COUNT, .unit = "instructions"},
    {"iteration.deviation", NULL, CC_COL_NUM, 1, .unit = "instructions", .meaning = "standard deviation"},
    {"bytes_read", NULL, CC_COL_BYTES, .meaning = "by its own code, calls left out"},
    {"bytes_written", NULL, CC_COL_BYTES},
    {"verdict", "verdict", CC_COL_STR},
    {"self_parallelism", NULL, CC_COL_NUM, 1,
     .meaning = "work of an invocation over its longest chain of iterations: what running them at once could "
                "give; null if "
                "unknown"},
    {"task.iterations", NULL, CC_COL_NUM, .meaning = "that record --tasks loops joins to one task"},
    {"task.share", NULL, CC_COL_NUM,
     .meaning = "of an invocation that one task has: by so much a prediction's balance may be off"},
    {"sentence", "because", CC_COL_STR, .wrap = 60},
    {"reasons", NULL, CC_COL_TABLE, .sub = reason_cols, .nsub = CC_COUNT(reason_cols)},
    {"clauses.private", NULL, CC_COL_LIST},
    {"clauses.firstprivate", NULL, CC_COL_LIST},
    {"clauses.lastprivate", NULL, CC_COL_LIST},
    {"clauses.reduction", NULL, CC_COL_TABLE, .sub = reduction_cols, .nsub = CC_COUNT(reduction_cols)},
    {"pragma", NULL, CC_COL_STR},
    {"coverage", NULL, CC_COL_NUM, .meaning = "share of the iterations in which dependences were followed"},
    {"source", NULL, CC_COL_BOOL, .meaning = "whether the source was asked too"},
};

static void put_figures(struct cc_table *t, const struct cc_loop *l, double mean)
{
    cc_table_u64(t, l->trips_min);
    cc_table_u64(t, l->trips_max);
    cc_table_num(t, mean);
    cc_table_u64(t, l->cost_min);
    cc_table_u64(t, l->cost_max);
    cc_table_num(t, l->cost_deviation);
    cc_table_u64(t, l->bytes_read);
    cc_table_u64(t, l->bytes_written);
}

static void put_reasons(struct cc_table *t, const struct cc_loop *l)
{
    for (size_t i = 0; i < l->reasons.n; i++) {
        const struct cc_loop_reason *r = &l->reasons.v[i];
        const struct cc_loop_place places[] = {r->first, r->second};
        cc_table_row(t);
        cc_table_str(t, cc_reason_names[r->kind]);
        cc_table_str(t, r->variable);
        for (int k = 0; k < 2; k++) {
            cc_table_str(t, places[k].file);
            cc_table_u64_if(t, places[k].file != NULL, places[k].line);
        }
        cc_table_u64_if(t, r->distance != 0, r->distance);
        cc_table_u64(t, r->count);
    }
}

static void put_names(struct cc_table *t, const char *const *names, size_t n)
{
    cc_table_list(t);
    for (size_t i = 0; i < n; i++)
        cc_table_str(t, names[i]);
    cc_table_end(t);
}

static void put_clauses(struct cc_table *t, const struct cc_loop *l)
{
    put_names(t, l->private.v, l->private.n);
    put_names(t, l->firstprivate.v, l->firstprivate.n);
    put_names(t, l->lastprivate.v, l->lastprivate.n);
    struct cc_table *sub = cc_table_sub(t);
    for (size_t i = 0; i < l->reductions.n; i++) {
        cc_table_row(sub);
        cc_table_str(sub, l->reductions.v[i].op);
        cc_table_str(sub, l->reductions.v[i].variable);
    }
}

static void put_loop(struct cc_table *t, const struct cc_loop_list *all, const struct cc_loop *l)
{
    double mean = l->iterations ? (double)l->instructions / (double)l->iterations : 0;
    cc_table_str(t, l->id);
    cc_table_str(t, l->parent == CC_NONE ? NULL : all->v.v[l->parent].id);
    CC_CLEANUP(cc_free_ptr) char *function = l->function ? cc_text_short_function(l->function, 20) : NULL;
    cc_table_str(t, l->function);
    cc_table_str(t, function);
    cc_table_str(t, l->file);
    cc_table_u64_if(t, l->file != NULL, l->line);
    cc_table_u64_if(t, l->column != 0, l->column);
    cc_table_u64(t, l->depth);
    cc_table_num(t, l->share);
    cc_table_u64(t, l->invocations);
    cc_table_u64(t, l->iterations);
    cc_table_num(t, mean);
    cc_table_u64(t, l->instructions);
    put_figures(t, l, mean);
    cc_table_str(t, cc_verdict_names[l->verdict]);
    cc_table_num(t, l->self_parallelism > 0 ? l->self_parallelism : NAN);
    cc_table_num(t, l->task_iterations);
    cc_table_num(t, l->task_share);
    cc_table_str(t, l->sentence);
    put_reasons(cc_table_sub(t), l);
    put_clauses(t, l);
    cc_table_str(t, l->pragma);
    cc_table_num(t, l->coverage);
    cc_table_bool(t, l->sourced);
}

/* --- which --- */

static bool in_focus(const struct cc_loop *l, const char *focus)
{
    return !focus || strstr(l->id, focus) ||
           (l->function && (strstr(l->function, focus) || cc_text_stands_for(focus, l->function)));
}

static int check_focus(const struct cc_loop_list *l, const char *focus, struct cc_err *err)
{
    for (size_t i = 0; i < l->v.n; i++)
        if (in_focus(&l->v.v[i], focus))
            return 0;
    return focus ? cc_err_set(err, CC_EINPUT, "no loop is called '%s', nor is in a function of that name",
                              focus)
                 : 0;
}

/* Loops beyond the filter are left out, but not around one that stays. */
static size_t choose(const struct cc_view_request *rq, const struct cc_loop_list *l, bool *keep)
{
    struct cc_filter filter = cc_view_filter(rq, 40, 0.005);
    size_t kept = 0;
    for (size_t i = 0; i < l->v.n; i++) {
        const struct cc_loop *x = &l->v.v[i];
        keep[i] = in_focus(x, rq->filter.focus) && x->share >= filter.min_share &&
                  (!filter.top || kept < filter.top);
        kept += keep[i];
    }
    for (size_t i = l->v.n; i-- > 0;)
        if (keep[i] && l->v.v[i].parent != CC_NONE)
            keep[l->v.v[i].parent] = true;
    kept = 0;
    for (size_t i = 0; i < l->v.n; i++)
        kept += keep[i];
    return kept;
}

/* Each pragma is meant for a loop by itself: where threads run the one around it, what an inner one joins at
 * its end is written by all of them. */
static void put_pragmas(const struct cc_loop_list *l, const bool *keep, struct cc_result *r)
{
    bool nested = false;
    for (size_t i = 0; i < l->v.n; i++) {
        if (!keep[i] || !l->v.v[i].pragma)
            continue;
        cc_result_fact(r, l->v.v[i].id, "%s", l->v.v[i].pragma);
        for (uint32_t up = l->v.v[i].parent; up != CC_NONE && !nested; up = l->v.v[up].parent)
            nested = l->v.v[up].pragma;
    }
    if (nested)
        cc_result_note(
            r, "of loops inside each other only one gets its pragma; corecast explore tells which pays");
}

static void put_caveats(const struct cc_profile *p, struct cc_result *r)
{
    cc_view_caveats(p, r);
    if (strcmp(p->loops_known, "count") == 0)
        cc_result_note(r,
                       "only counted: corecast record --loops dependences tells which could run in parallel");
    else if (p->engine && strcmp(p->engine, "qemu") == 0)
        cc_result_note(r,
                       "for this input%s; under qemu memory is followed and registers are not, so no loop is "
                       "called parallel (corecast record --engine valgrind can, on this machine's programs)",
                       p->loops_exact ? "" : ", followed in samples");
    else
        cc_result_note(r, "for this input%s; what was not executed is not known",
                       p->loops_exact ? "" : ", followed in samples");
}

/* Without dependences every verdict is unknown, for the same reason: the note says it once. */
static struct cc_table *table(const struct cc_profile *p, struct cc_result *r)
{
    struct cc_col cols[CC_COUNT(loop_cols)];
    memcpy(cols, loop_cols, sizeof cols);
    for (size_t i = 0; strcmp(p->loops_known, "count") == 0 && i < CC_COUNT(cols); i++)
        if (cols[i].key && (strcmp(cols[i].key, "verdict") == 0 || strcmp(cols[i].key, "sentence") == 0))
            cols[i].title = NULL;
    return cc_result_table(r, "loops", cols, CC_COUNT(cols));
}

static void build(const struct cc_view_request *rq, const struct cc_loop_list *l, struct cc_result *r)
{
    CC_CLEANUP(cc_free_ptr) bool *keep = cc_alloc_array(l->v.n + 1, sizeof *keep);
    CC_CLEANUP(cc_free_ptr) size_t *row = cc_alloc_array(l->v.n + 1, sizeof *row);
    size_t kept = choose(rq, l, keep);
    put_caveats(rq->p, r);
    cc_result_u64(r, "instructions", rq->p->instructions);
    struct cc_table *t = table(rq->p, r);
    for (size_t i = 0; i < l->v.n; i++) {
        const struct cc_loop *x = &l->v.v[i];
        if (!keep[i])
            continue;
        row[i] = cc_table_row_under(t, x->parent == CC_NONE ? SIZE_MAX : row[x->parent]);
        put_loop(t, l, x);
    }
    put_pragmas(l, keep, r);
    if (kept < l->v.n)
        cc_result_note(r, "%zu smaller loop%s not shown; --min-share 0 shows all", l->v.n - kept,
                       l->v.n - kept == 1 ? " is" : "s are");
}

int cc_view_loops(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_source_loops *sources = cc_loop_sources(rq->p, rq->source);
    struct cc_loop_list *l = NULL;
    int rc = cc_loops_analyse(rq->p, sources, &l, err);
    if (rc == 0)
        rc = check_focus(l, rq->filter.focus, err);
    if (rc == 0)
        build(rq, l, r);
    if (rc == 0 && sources->blind)
        cc_result_note(r, "%s, so that verdicts are of this binary alone", sources->blind);
    if (rc == 0 && rq->svg)
        cc_loops_chart(l, rq->svg);
    cc_loops_free(l);
    cc_source_loops_free(sources);
    return rc;
}
