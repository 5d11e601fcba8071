/* A schedule in the form of Parana's report: every part of its time and of that of every region. Only text:
 * data have it all anyway. */
#include "show.h"

static void add_figures(const struct cc_predict_schedule *s, const char *clock, struct cc_result *r)
{
    CC_CLEANUP(cc_free_ptr) char *time = cc_predict_whole(CC_TICKS_TO_F64(s->time));
    cc_result_fact(r, "execution time", "%s %s", time, clock);
    cc_result_fact(r, "speed-up", "%.2fx", s->speedup);
    cc_result_fact(r, "Amdahl's law, largest", "%.2fx", s->amdahl);
    cc_result_fact(r, "parallel efficiency", "%.1f %%", 100 * s->efficiency);
    if (s->offload.kernels) {
        CC_CLEANUP(cc_free_ptr) char *moved = cc_predict_whole(s->offload.bytes);
        cc_result_fact(r, "kernels on units", "%llu", (unsigned long long)s->offload.kernels);
        cc_result_fact(r, "bytes to and from them", "%s", moved);
    }
    if (!s->dma.transfers)
        return;
    CC_CLEANUP(cc_free_ptr) char *transfers = cc_predict_whole((double)s->dma.transfers);
    CC_CLEANUP(cc_free_ptr) char *bytes = cc_predict_whole(s->dma.bytes);
    cc_result_fact(r, "DMA transfers", "%s", transfers);
    cc_result_fact(r, "DMA bytes", "%s", bytes);
}

static void put_part(struct cc_table *t, size_t parent, const char *name, double v, double whole)
{
    cc_table_row_under(t, parent);
    cc_table_str(t, name);
    cc_table_num(t, v);
    cc_table_num(t, whole > 0 ? v / whole : 0);
}

static void add_parts(const struct cc_predict_schedule *s, struct cc_result *r)
{
    static const struct cc_col cols[] = {{NULL, "part", CC_COL_STR, .tree = true},
                                         {NULL, "time", CC_COL_INT},
                                         {NULL, "share", CC_COL_PERCENT, 1}};
    double time = CC_TICKS_TO_F64(s->time), sequential = s->stack[CC_PART_SEQUENTIAL];
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    put_part(t, SIZE_MAX, cc_part_names[CC_PART_SEQUENTIAL], sequential, time);
    size_t parallel = cc_table_rows(t);
    put_part(t, SIZE_MAX, "parallel", time - sequential, time);
    for (int k = CC_PART_PROCESSING; k < CC_PARTS; k++)
        put_part(t, parallel, cc_part_names[k], s->stack[k], time);
    if (s->dma.transfers) {
        put_part(t, SIZE_MAX, "DMA reading", s->dma.busy[0], time);
        put_part(t, SIZE_MAX, "DMA writing", s->dma.busy[1], time);
    }
    if (s->offload.kernels)
        put_part(t, SIZE_MAX, "units at work", s->offload.busy, time);
}

static void add_energy(const struct cc_predict_energy *e, struct cc_result *r)
{
    static const struct cc_col cols[] = {{NULL, "energy", CC_COL_STR, .tree = true},
                                         {NULL, "joules", CC_COL_NUM},
                                         {NULL, "share", CC_COL_PERCENT, 1}};
    const double parts[] = {e->total, e->fixed, e->busy, e->waiting, e->accesses, e->transfers, e->units};
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < CC_COUNT(parts) - (e->units == 0); i++) {
        cc_table_row_under(t, i ? 0 : SIZE_MAX);
        cc_table_str(t, i ? cc_predict_energy_names[i - 1] : "total");
        cc_table_num(t, parts[i]);
        cc_table_show(t, "%.6g", parts[i]);
        cc_table_num(t, e->total > 0 ? parts[i] / e->total : 0);
    }
}

static void add_regions(const struct cc_predict_schedule *s, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {NULL, "region", CC_COL_STR, .tree = true},
        {NULL, "directive", CC_COL_STR},
        {NULL, "calls", CC_COL_INT},
        {NULL, "threads", CC_COL_NUM, 1},
        {NULL, "time", CC_COL_INT},
        {NULL, "of all", CC_COL_PERCENT, 1},
        {NULL, "per call", CC_COL_INT},
    };
    double whole = CC_TICKS_TO_F64(s->time);
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < s->nregions; i++) {
        const struct cc_predict_region *x = &s->regions[i];
        double calls = x->calls ? (double)x->calls : 1;
        size_t top = cc_table_row(t);
        cc_table_str(t, x->path);
        cc_table_str(t, x->directive);
        cc_table_u64(t, x->calls);
        cc_table_num(t, x->processors);
        for (int k = -1; k < CC_PARTS; k++) { /* the whole, then its parts */
            if (k >= 0) {
                cc_table_row_under(t, top);
                cc_table_str(t, cc_part_names[k]);
                for (int skipped = 0; skipped < 3; skipped++) {
                    cc_table_null(t);
                    cc_table_show(t, "%s", "");
                }
            }
            double v = k < 0 ? x->time : x->stack[k];
            cc_table_num(t, v);
            cc_table_num(t, whole > 0 ? v / whole : 0);
            cc_table_num(t, v / calls);
        }
    }
}

void cc_predict_show_full(const struct cc_predict_schedule *s, const char *clock, struct cc_result *r)
{
    cc_result_gap(r);
    cc_result_note(r, "Parallel schedule with %u processor%s", s->processors, s->processors == 1 ? "" : "s");
    add_figures(s, clock, r);
    add_parts(s, r);
    if (s->energy.known)
        add_energy(&s->energy, r);
    add_regions(s, r);
}
