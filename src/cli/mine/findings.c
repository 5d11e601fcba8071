/* Findings as words and tables. */
#include "../../base/text.h"
#include "findings.h"
#include "mine.h"
#include "views.h"

#include <inttypes.h>

static const struct cc_col frame_columns[] = {{"function", NULL, CC_COL_STR},
                                              {"file", NULL, CC_COL_STR},
                                              {"line", NULL, CC_COL_INT},
                                              {"loop_file", NULL, CC_COL_STR},
                                              {"loop", NULL, CC_COL_INT}};

static const struct cc_col columns[] = {
    {"cause", "cause", CC_COL_STR},
    {"function", NULL, CC_COL_STR},
    {"file", "line", CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"called", NULL, CC_COL_STR},
    {"object", "object", CC_COL_STR},
    {"from", NULL, CC_COL_STR},
    {"to", NULL, CC_COL_STR},
    {"node", NULL, CC_COL_INT},
    {"cycles", "cycles", CC_COL_COUNT},
    {"events", NULL, CC_COL_INT},
    {"share", "cpu time", CC_COL_PERCENT, .digits = 1},
    {"cpus", "cpus", CC_COL_LIST},
    {"gain", "gain", CC_COL_NUM, .digits = 2},
    {"advice", NULL, CC_COL_STR},
    {"path", NULL, CC_COL_TABLE, .sub = frame_columns, .nsub = CC_COUNT(frame_columns)},
};

static void put_finding(struct cc_table *t, const struct cc_finding *x)
{
    cc_table_row(t);
    cc_table_str(t, cc_causes[x->cause].name);
    cc_table_str(t, x->function);
    cc_table_place(t, x->file, x->line);
    cc_table_str(t, x->called);
    cc_table_str(t, x->object);
    cc_mine_address(t, x->from);
    cc_mine_address(t, x->to);
    if (x->node >= 0)
        cc_table_int(t, x->node);
    else
        cc_table_null(t);
    cc_table_u64(t, x->cycles);
    cc_table_u64(t, x->events);
    cc_table_num(t, x->share);
    cc_mine_cpus(t, x->cpus, x->ncpus);
    cc_table_num(t, x->gain);
    cc_table_str(t, cc_causes[x->cause].advice);
    struct cc_table *path = cc_table_sub(t);
    for (size_t i = 0; i < x->npath; i++) {
        cc_table_row(path);
        cc_table_str(path, x->path[i].function);
        cc_table_place(path, x->path[i].file, x->path[i].line);
        cc_table_str(path, x->path[i].loop_file);
        cc_table_u64_if(path, x->path[i].loop, x->path[i].loop);
    }
}

/* Where it comes from, if that is more than the line itself. */
static void say_path(struct cc_result *r, const struct cc_finding *x)
{
    struct cc_buf b = {0};
    if (x->npath < 2 && (!x->npath || !x->path[0].loop))
        return;
    for (size_t i = 0; i < x->npath; i++) {
        const struct cc_frame *f = &x->path[i];
        cc_buf_printf(&b, "%s%s (%s:%" PRIu32, i ? " > " : "", f->function, cc_text_base(f->file), f->line);
        if (f->loop && strcmp(f->loop_file, f->file) == 0)
            cc_buf_printf(&b, ", in the loop at %" PRIu32, f->loop);
        else if (f->loop)
            cc_buf_printf(&b, ", in the loop at %s:%" PRIu32, cc_text_base(f->loop_file), f->loop);
        cc_buf_puts(&b, ")");
    }
    cc_result_note(r, "   on the path %s", b.s);
    cc_buf_fini(&b);
}

static void say(struct cc_result *r, size_t n, const struct cc_finding *x)
{
    struct cc_buf b = {0};
    char cycles[24];
    cc_buf_printf(&b, "%zu. %s", n, cc_causes[x->cause].name);
    if (x->object)
        cc_buf_printf(&b, ": '%s'", x->object);
    if (x->file)
        cc_buf_printf(&b, " at %s%s:%" PRIu32, x->region ? "the end of the parallel region " : "",
                      cc_text_base(x->file), x->line);
    if (x->function)
        cc_buf_printf(&b, " in %s", x->function);
    if (x->called)
        cc_buf_printf(&b, " (calling %s)", x->called);
    if (x->node >= 0)
        cc_buf_printf(&b, ", queued at node %d", x->node);
    cc_buf_printf(&b, " costs %s cycles, %.1f %% of all CPU time; without it about %.2f times as fast",
                  cc_human_count((double)x->cycles, cycles), 100 * x->share, x->gain);
    cc_result_note(r, "%s", b.s);
    say_path(r, x);
    cc_result_note(r, "   %s", cc_causes[x->cause].advice);
    cc_buf_fini(&b);
}

void cc_mine_add_findings(struct cc_result *r, const struct cc_findings *f)
{
    cc_result_u64_if(r, "lost", f->known, f->lost);
    if (f->known)
        cc_result_num(r, "share", f->share);
    else
        cc_result_null(r, "share");
    cc_result_obj(r, "causes");
    for (size_t i = 0; f->known && i < CC_CAUSES; i++)
        if (f->causes[i])
            cc_result_u64(r, cc_causes[i].name, f->causes[i]);
    cc_result_end(r);
    if (!f->known)
        cc_result_note(
            r, "the trace does not say what accesses wait for: what follows is estimated from latencies");
    else if (!f->nfindings)
        cc_result_note(r, "no contention: %.1f %% of CPU time is lost", 100 * f->share);
    else
        cc_result_note(r, "%.1f %% of all CPU time is lost to other cores", 100 * f->share);
    for (size_t i = 0; f->known && i < f->nfindings; i++)
        say(r, i + 1, &f->findings[i]);
    cc_result_gap(r);
    struct cc_table *t = cc_result_table(r, "findings", columns, CC_COUNT(columns));
    for (size_t i = 0; f->known && i < f->nfindings; i++) {
        put_finding(t, &f->findings[i]);
        cc_table_row_only(t, CC_ROW_DATA);
    }
    cc_mine_add_views(r, f);
}
