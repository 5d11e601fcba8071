/* Stages of a pipeline as tables. */
#include "internal.h"

#include <math.h>

static const struct cc_col stage_cols[] = {
    {"stage", "stage", CC_COL_INT},
    {"does", "does", CC_COL_STR, .wrap = 40},
    {"lines", NULL, CC_COL_STR},
    {"time", NULL, CC_COL_NUM, .meaning = "ticks of a frame, on average, handing over paid"},
    {NULL, "each frame", CC_COL_STR},
    {"busy", "busy", CC_COL_PERCENT, 0, .meaning = "of the loop's time"},
    {"received", "from before", CC_COL_NUM, 0,
     .meaning = "bytes of a frame that earlier stages wrote and it reads for the first time; null: unknown"},
};

static void put_stage(struct exploration *x, struct cc_table *t, const struct cc_stages *l,
                      const struct cc_stage *s)
{
    struct cc_buf does = {0}, lines = {0};
    double each = s->busy / (double)l->p.nframes;
    for (size_t i = s->first; i < s->end; i++) {
        cc_buf_printf(&does, "%s%s", i > s->first ? ", " : "", l->names[i]);
        cc_buf_printf(&lines, "%s%u", i > s->first ? ", " : "", l->lines[i]);
    }
    cc_table_row(t);
    cc_table_u64(t, (uint64_t)(s - l->v) + 1);
    cc_table_str(t, does.s);
    cc_table_str(t, lines.s);
    cc_table_num(t, each);
    cc_table_str(t, cc_explore_duration(x, each, x->r.second));
    cc_table_num(t, s->busy / l->seconds[x->ncores - 1]);
    cc_table_num(t, s->received);
    cc_buf_fini(&does);
    cc_buf_fini(&lines);
}

static void put_waits(struct cc_result *r, const struct cc_stages *l)
{
    static const struct cc_col cols[] = {{"from", NULL, CC_COL_INT, .meaning = "line"},
                                         {"to", NULL, CC_COL_INT, .meaning = "line, of a later frame"},
                                         {"frames", NULL, CC_COL_INT, .meaning = "that much later"},
                                         {"reason", NULL, CC_COL_STR}};
    struct cc_table *t = cc_result_table(r, "waits", cols, CC_COUNT(cols));
    for (size_t i = 0; i < l->waits.n; i++) {
        cc_table_row(t);
        cc_table_u64(t, l->lines[l->waits.v[i].w.from]);
        cc_table_u64(t, l->lines[l->waits.v[i].w.to]);
        cc_table_u64(t, l->waits.v[i].w.frames);
        cc_table_str(t, l->waits.v[i].why);
    }
    for (size_t i = 0; i < l->waits.n && i < 4; i++)
        cc_result_note(r, "not cut between lines %u and %u without waiting: %s", l->lines[l->waits.v[i].w.to],
                       l->lines[l->waits.v[i].w.from], l->waits.v[i].why);
}

void cc_explore_show_stages(struct exploration *x, struct cc_result *r)
{
    const struct cc_stages *l = &x->stages;
    bool any = l->loop != CC_NONE, found = any && !l->why;
    cc_result_obj(r, "pipeline");
    cc_result_str(r, "loop", any ? x->loops->v.v[l->loop].id : NULL);
    cc_result_str(r, "reason", any ? l->why : NULL);
    cc_result_num(r, "frames", found ? (double)l->p.nframes : NAN);
    cc_result_num(r, "interval", found ? l->seconds[x->ncores - 1] / (double)l->p.nframes : NAN);
    cc_result_num(r, "frames_per_second",
                  found && x->r.second > 0 ? (double)l->p.nframes / (l->seconds[x->ncores - 1] * x->r.second)
                                           : NAN);
    if (found)
        cc_result_note(r, "frames of %s, %zu of them, on %lld cores: one every %s (now %s)",
                       x->loops->v.v[l->loop].id, l->p.nframes, (long long)x->cores[x->ncores - 1],
                       cc_explore_duration(x, l->seconds[x->ncores - 1] / (double)l->p.nframes, x->r.second),
                       cc_explore_duration(x, l->all / (double)l->p.nframes, x->r.second));
    else if (any && x->p->nframes > 1)
        cc_result_note(r, "no pipeline over the frames of %s: %s", x->loops->v.v[l->loop].id, l->why);
    struct cc_table *t = cc_result_table(r, "stages", stage_cols, CC_COUNT(stage_cols));
    for (size_t i = 0; found && i < l->n; i++)
        put_stage(x, t, l, &l->v[i]);
    put_waits(r, found ? l : &(struct cc_stages){0});
    cc_result_end(r);
}
