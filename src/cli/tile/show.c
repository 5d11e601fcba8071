/* What corecast tile found. */
#include "job.h"
#include "../../base/text.h"

#include <math.h>

enum { SHOWN_FRONT = 12 };

static double fps(const struct job *j, double time)
{
    return j->clock_hz / time;
}

/* The cells of POINT_COLS. */
static void put_point(struct cc_table *t, const struct cc_tile_point *p)
{
    char tile[48];
    snprintf(tile, sizeof tile, "%lldx%lld", (long long)p->x, (long long)p->y);
    cc_table_str(t, tile);
    cc_table_int(t, p->x);
    cc_table_int(t, p->y);
    cc_table_num(t, p->time);
    cc_table_num(t, p->bytes);
    cc_table_num(t, p->memory);
}
#define POINT_COLS(tile)                                                        \
    {NULL, tile, CC_COL_STR}, {"x", NULL, CC_COL_INT}, {"y", NULL, CC_COL_INT}, \
        {"time", "time", CC_COL_NUM}, {"bytes", "bytes moved", CC_COL_BYTES},   \
    {                                                                           \
        "memory", "local memory", CC_COL_BYTES                                  \
    }

static void add_best(const struct job *j, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        POINT_COLS(NULL), {"fps", NULL, CC_COL_NUM}, {"bound", NULL, CC_COL_STR}};
    const struct cc_tile_point *b = &j->r.best;
    const char *bound = cc_tile_bound_name(&j->p, &j->best);
    struct cc_table *t = cc_result_record(r, "best", cols, CC_COUNT(cols));
    cc_table_row(t);
    put_point(t, b);
    cc_table_num(t, fps(j, b->time));
    cc_table_str(t, bound);
    char bytes[24], memory[24];
    cc_result_note(r, "best tile: %lldx%lld pixels, bound by %s", (long long)b->x, (long long)b->y, bound);
    if (isnan(j->clock_hz))
        cc_result_fact(r, "time", "%.0f cycles", b->time);
    else
        cc_result_fact(r, "time", "%.0f cycles, %.2f frames per second", b->time, fps(j, b->time));
    cc_result_fact(r, "data", "%s moved, %s of local memory on %lld cores", cc_human_bytes(b->bytes, bytes),
                   cc_human_bytes(b->memory, memory), (long long)(j->p.cores * j->p.team));
    cc_result_i64(r, "team", j->p.team);
    cc_result_i64(r, "clusters", j->p.clusters);
    if (j->p.clusters > 1)
        cc_result_fact(r, "clusters",
                       "%lld, each with its own memory and DMA; all this is of one with %lld rows",
                       (long long)j->p.clusters, (long long)cc_tile_yi(&j->p));
    if (j->p.team > 1)
        cc_result_fact(r, "team", "all cores work on each tile, at most %lld rows each",
                       (long long)((b->y + j->p.team - 1) / j->p.team));
}

static void add_proof(const struct job *j, struct cc_result *r)
{
    cc_result_bool(r, "proven", true);
    cc_result_u64(r, "evaluated", j->r.evaluated);
    cc_result_u64(r, "space", j->r.space);
    cc_result_fact(r, "proven", "of %llu tiles that fit, %llu were computed and the rest excluded by a bound",
                   (unsigned long long)j->r.space, (unsigned long long)j->r.evaluated);
    cc_result_num(r, "simulated_time", j->run.time);
    cc_result_num(r, "closed_time", j->closed);
    cc_result_num(r, "corrected_time", j->corrected);
    cc_result_fact(r, "models", "simulated %.0f, corrected form %.0f, published closed form %.0f (%+.2f %%)",
                   j->run.time, j->corrected, j->closed, 100 * (j->closed / j->run.time - 1));
}

static void add_classes(const struct job *j, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"tiles", "tiles", CC_COL_INT}, {NULL, "size", CC_COL_STR},   {"x", NULL, CC_COL_INT},
        {"y", NULL, CC_COL_INT},        {"read", "read", CC_COL_NUM}, {"compute", "compute", CC_COL_NUM},
        {"write", "write", CC_COL_NUM},
    };
    struct cc_table *t = cc_result_table(r, "classes", cols, CC_COUNT(cols));
    for (int i = 0; i < CC_TILE_CLASSES; i++) {
        const struct cc_tile_class *k = &j->best.k[i];
        if (!k->n)
            continue;
        char size[48];
        snprintf(size, sizeof size, "%lldx%lld", (long long)k->x, (long long)k->y);
        cc_table_row(t);
        cc_table_int(t, k->n);
        cc_table_str(t, size);
        cc_table_int(t, k->x);
        cc_table_int(t, k->y);
        cc_table_num(t, k->r);
        cc_table_num(t, k->c);
        cc_table_num(t, k->w);
    }
}

/* Where an average core's time goes. */
static void add_stack(const struct job *j, struct cc_result *r)
{
    static const struct cc_col cols[] = {{NULL, "an average core", CC_COL_STR},
                                         {NULL, "cycles", CC_COL_NUM},
                                         {NULL, "share", CC_COL_PERCENT, 1}};
    const struct {
        const char *key, *name;
        double cycles;
    } parts[] = {
        {"compute", "computes", j->run.compute},
        {"read_wait", "waits for reads", j->run.read_wait},
        {"write_wait", "waits for writes", j->run.write_wait},
        {"overhead", "pays overhead", j->run.overhead},
        {"idle", "is idle at the end", j->run.idle},
    };
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    cc_result_obj(r, "stack");
    for (size_t i = 0; i < CC_COUNT(parts); i++) {
        cc_result_num(r, parts[i].key, parts[i].cycles);
        cc_table_row(t);
        cc_table_str(t, parts[i].name);
        cc_table_num(t, parts[i].cycles);
        cc_table_num(t, parts[i].cycles / j->run.time);
    }
    cc_result_end(r);
    cc_result_num(r, "read_channel_busy", j->run.read_busy);
    cc_result_num(r, "write_channel_busy", j->run.write_busy);
    cc_result_note(r, "read channel busy %.1f %%, write channel %.1f %% of the time",
                   100 * j->run.read_busy / j->run.time, 100 * j->run.write_busy / j->run.time);
}

static void add_spread(const struct job *j, struct cc_result *r)
{
    cc_result_obj(r, "spread");
    cc_result_u64(r, "runs", j->spread.runs);
    cc_result_num(r, "mean", j->spread.mean);
    cc_result_num(r, "low", j->spread.p5);
    cc_result_num(r, "high", j->spread.p95);
    cc_result_end(r);
    cc_result_note(r, "with kernel times that vary: mean %.0f, 90 %% of %zu runs within %.0f to %.0f",
                   j->spread.mean, j->spread.runs, j->spread.p5, j->spread.p95);
}

static void add_front(const struct job *j, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        POINT_COLS("tile"), {"front", "on the front of", CC_COL_STR}, {NULL, "slower by", CC_COL_PERCENT, 2}};
    /* Text has some of many: in equal steps through the front, which runs from the fastest to the smallest.
     */
    size_t n = j->r.pareto.n, shown = CC_MIN(n, SHOWN_FRONT), next = 0;
    if (n) {
        cc_result_gap(r);
        cc_result_note(r, "trade-offs: %zu of the %zu tiles on the fronts of time against bytes and memory",
                       shown, n);
    }
    struct cc_table *t = cc_result_table(r, "pareto", cols, CC_COUNT(cols));
    for (size_t i = 0; i < n; i++) {
        const struct cc_tile_point *p = &j->r.pareto.v[i];
        bool step = i == (shown > 1 ? next * (n - 1) / (shown - 1) : 0);
        next += step;
        cc_table_row(t);
        cc_table_row_only(t, step ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
        put_point(t, p);
        cc_table_str(t, !p->on_memory ? "bytes" : p->on_bytes ? "both" : "memory");
        cc_table_num(t, p->time / j->r.best.time - 1);
    }
}

static void add_what_if(const struct job *j, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"cores", "cores", CC_COL_INT}, {"kernel_time", "cycles/pixel", CC_COL_NUM, 2},
        {"fits", NULL, CC_COL_BOOL},    POINT_COLS("best tile"),
        {"fps", "fps", CC_COL_NUM, 2},  {"bound", "bound by", CC_COL_STR}};
    cc_result_gap(r);
    cc_result_note(r, "what if");
    struct cc_table *t = cc_result_table(r, "what_if", cols, CC_COUNT(cols));
    for (size_t i = 0; i < j->what.n; i++) {
        const struct what_if *w = &j->what.v[i];
        cc_table_row(t);
        cc_table_int(t, w->cores);
        cc_table_num(t, w->kernel_time);
        cc_table_bool(t, w->fits);
        if (w->fits) {
            put_point(t, &w->best);
            cc_table_num(t, fps(j, w->best.time));
            cc_table_str(t, w->bound);
            continue;
        }
        cc_table_str(t, "does not fit");
        for (size_t k = 4; k < CC_COUNT(cols); k++)
            cc_table_absent(t);
    }
}

struct cc_result *cc_tile_show(const struct job *j)
{
    struct cc_result *r = cc_result_new("corecast.tile", 1);
    cc_result_str(r, "clock", "cycles");
    cc_result_str(r, "model", j->model_name);
    add_best(j, r);
    add_proof(j, r);
    add_classes(j, r);
    add_stack(j, r);
    if (j->has_spread)
        add_spread(j, r);
    add_front(j, r);
    if (j->what.n)
        add_what_if(j, r);
    cc_platform_show_assumed(j->platform, r);
    return r;
}
