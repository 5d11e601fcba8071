#include "report.h"
#include "../../base/table.h"

#include <math.h>

/* 12,345,678: figures of reports are compared digit by digit. */
static char *grouped(double v, char out[static 40])
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.0f", fabs(v));
    size_t n = strlen(digits), at = 0;
    if (v < 0)
        out[at++] = '-';
    for (size_t i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            out[at++] = ',';
        out[at++] = digits[i];
    }
    out[at] = 0;
    return out;
}

const char *const cc_predict_energy_names[] = {"chip at rest", "cores at work", "cores waiting", "accesses",
                                               "transfers"};

/* --- the table of a scenario --- */

static void print_overview(const struct cc_predict_outcome *o, size_t ncores, bool spread, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "processors", .title = "cores", .type = CC_COL_INT},
        {.key = "time", .title = "time", .type = CC_COL_INT},
        {.key = "time_low", .title = "low", .type = CC_COL_INT},
        {.key = "time_high", .title = "high", .type = CC_COL_INT},
        {.key = "speedup", .title = "speed-up", .type = CC_COL_NUM, .digits = 2},
        {.key = "amdahl", .title = "Amdahl", .type = CC_COL_NUM, .digits = 2},
        {.key = "efficiency", .title = "efficiency", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "sequential", .title = "seq", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "processing", .title = "work", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "imbalance", .title = "imbal", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "limited", .title = "limited", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "overhead", .title = "overh", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "contention", .title = "contend", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "transfer", .title = "dma", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "idle", .title = "idle", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "energy", .title = "energy J", .type = CC_COL_NUM, .digits = 3},
        {.key = "power", .title = "power W", .type = CC_COL_NUM, .digits = 3},
    };
    struct cc_col shown[CC_COUNT(cols)];
    memcpy(shown, cols, sizeof cols);
    if (!spread)
        shown[2].title = shown[3].title = NULL;
    enum { FIRST_PART = 7 };
    for (int k = 0; k < CC_PARTS; k++) { /* what never occurs needs no column */
        double most = 0;
        for (size_t i = 0; i < ncores; i++)
            most = fmax(most, o->schedules[i].stack[k]);
        if (most == 0)
            shown[FIRST_PART + k].title = NULL;
    }
    static const char *const units[] = {"energy J", "energy mJ", "energy uJ", "energy nJ"};
    double largest = 0, scale = 1;
    for (size_t i = 0; i < ncores; i++)
        largest = fmax(largest, o->schedules[i].energy.total);
    size_t unit = 0;
    for (; unit + 1 < CC_COUNT(units) && largest * scale < 1; unit++)
        scale *= 1000;
    shown[FIRST_PART + CC_PARTS].title = units[unit];
    if (!o->schedules[0].energy.known)
        shown[FIRST_PART + CC_PARTS].title = NULL;
    if (!o->schedules[0].energy.known || o->seconds <= 0)
        shown[FIRST_PART + CC_PARTS + 1].title = NULL;
    struct cc_table *t = cc_table_new(shown, CC_COUNT(shown));
    for (size_t i = 0; i < ncores; i++) {
        const struct cc_predict_schedule *s = &o->schedules[i];
        cc_table_row(t);
        cc_table_int(t, s->processors);
        cc_table_int(t, llround(CC_TICKS_TO_F64(s->time)));
        cc_table_int(t, llround(CC_TICKS_TO_F64(s->time_low)));
        cc_table_int(t, llround(CC_TICKS_TO_F64(s->time_high)));
        cc_table_num(t, s->speedup);
        cc_table_num(t, s->amdahl);
        cc_table_num(t, s->efficiency);
        for (int k = 0; k < CC_PARTS; k++)
            cc_table_num(t, s->time ? s->stack[k] / CC_TICKS_TO_F64(s->time) : 0);
        double time = CC_TICKS_TO_F64(s->time) * o->seconds;
        cc_table_num(t, s->energy.total * scale);
        cc_table_num(t, time > 0 ? s->energy.total / time : NAN);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_regions(const struct cc_predict_schedule *s, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "path", .title = "region", .type = CC_COL_STR},
        {.key = "directive", .title = "directive", .type = CC_COL_STR},
        {.key = "calls", .title = "calls", .type = CC_COL_INT},
        {.key = "threads", .title = "threads", .type = CC_COL_NUM, .digits = 1},
        {.key = "time", .title = "time", .type = CC_COL_INT},
        {.key = "share", .title = "of all", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "processing", .title = "work", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "imbalance", .title = "imbal", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "limited", .title = "limited", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "overhead", .title = "overh", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "contention", .title = "contend", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "transfer", .title = "dma", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "idle", .title = "idle", .type = CC_COL_PERCENT, .digits = 1},
    };
    struct cc_col shown[CC_COUNT(cols)];
    memcpy(shown, cols, sizeof cols);
    enum { FIRST_PART = 6, MAX_REGIONS = 100 };
    if (!s->dma.transfers)
        shown[FIRST_PART + CC_PART_TRANSFER - CC_PART_PROCESSING].title = NULL;
    struct cc_table *t = cc_table_new(shown, CC_COUNT(shown));
    for (size_t i = 0; i < CC_MIN(s->nregions, (size_t)MAX_REGIONS); i++) {
        const struct cc_predict_region *r = &s->regions[i];
        cc_table_row(t);
        cc_table_str(t, r->path);
        cc_table_str(t, r->directive);
        cc_table_int(t, (int64_t)r->calls);
        cc_table_num(t, r->processors);
        cc_table_int(t, llround(r->time));
        cc_table_num(t, s->time ? r->time / CC_TICKS_TO_F64(s->time) : 0);
        for (int k = CC_PART_PROCESSING; k < CC_PARTS; k++)
            cc_table_num(t, r->time > 0 ? r->stack[k] / r->time : 0);
    }
    cc_table_print_text(t, out);
    if (s->nregions > MAX_REGIONS)
        fprintf(out, "%zu more regions: --full or --json\n", s->nregions - MAX_REGIONS);
    cc_table_free(t);
}

/* --- the long form --- */

static void line(FILE *out, const char *what, double v, double whole)
{
    char text[40];
    fprintf(out, "    %-30s %20s (%5.1f%%)\n", what, grouped(v, text), whole > 0 ? 100 * v / whole : 0);
}

static void print_long_parts(FILE *out, const double *stack, double time)
{
    line(out, "Sequential time", stack[CC_PART_SEQUENTIAL], time);
    line(out, "Parallel time", time - stack[CC_PART_SEQUENTIAL], time);
    static const char *const names[CC_PARTS] = {
        NULL,          " - Processing", " - Load imbalance",  " - Limited parallelism",
        " - Overhead", " - Contention", " - Waiting for DMA", " - Idle"};
    for (int k = CC_PART_PROCESSING; k < CC_PARTS; k++)
        line(out, names[k], stack[k], time);
}

static void print_long_region(const struct cc_predict_region *r, double whole, FILE *out)
{
    char total[40], average[40];
    CC_CLEANUP(cc_free_ptr) char *path = cc_text_safe(r->path);
    fprintf(out, "\n    Region: %s [%s]\n", path, r->directive);
    fprintf(out, "    Number of calls %llu, threads %.1f\n", (unsigned long long)r->calls, r->processors);
    fprintf(out, "    %-22s %18s %9s %18s\n", "", "total", "total %", "per call");
    double calls = r->calls ? (double)r->calls : 1;
    fprintf(out, "    %-22s %18s %8.1f%% %18s\n", "Execution time", grouped(r->time, total),
            whole > 0 ? 100 * r->time / whole : 0, grouped(r->time / calls, average));
    for (int k = 0; k < CC_PARTS; k++)
        fprintf(out, "    - %-20s %18s %8.1f%% %18s\n", cc_part_names[k], grouped(r->stack[k], total),
                whole > 0 ? 100 * r->stack[k] / whole : 0, grouped(r->stack[k] / calls, average));
}

static void print_long(const struct cc_predict_schedule *s, const char *clock, FILE *out)
{
    char text[40];
    double time = CC_TICKS_TO_F64(s->time);
    fprintf(out, "\nParallel schedule with %u processor%s\n", s->processors, s->processors == 1 ? "" : "s");
    fprintf(out, "    %-30s %20u\n", "Number of processors", s->processors);
    fprintf(out, "    Execution time (%s)%*s %20s\n", clock,
            (int)(30 - 17 - CC_MIN(strlen(clock), (size_t)13)), "", grouped(time, text));
    fprintf(out, "    %-30s %19.2fx\n", "Speed-up", s->speedup);
    fprintf(out, "    %-30s %19.2fx\n", "Amdahl's law, largest", s->amdahl);
    fprintf(out, "    %-30s %19.1f%%\n", "Parallel efficiency", 100 * s->efficiency);
    print_long_parts(out, s->stack, time);
    if (s->dma.transfers) {
        fprintf(out, "    %-30s %20s\n", "DMA transfers", grouped((double)s->dma.transfers, text));
        fprintf(out, "    %-30s %20s\n", "DMA bytes", grouped(s->dma.bytes, text));
        line(out, "DMA reading", s->dma.busy[0], time);
        line(out, "DMA writing", s->dma.busy[1], time);
    }
    if (s->energy.known) {
        const struct cc_predict_energy *e = &s->energy;
        const double parts[] = {e->fixed, e->busy, e->waiting, e->accesses, e->transfers};
        fprintf(out, "    %-30s %18.6g J\n", "Energy", e->total);
        for (size_t i = 0; i < CC_COUNT(parts); i++)
            fprintf(out, "     - %-27s %18.6g J (%5.1f%%)\n", cc_predict_energy_names[i], parts[i],
                    e->total > 0 ? 100 * parts[i] / e->total : 0);
    }
    for (size_t i = 0; i < s->nregions; i++)
        print_long_region(&s->regions[i], time, out);
}

void cc_predict_print_text(const struct cc_predict_result *r, const struct cc_htg *h, bool full, FILE *out)
{
    for (size_t i = 0; i < r->n; i++) {
        const struct cc_predict_outcome *o = &r->outcomes[i];
        char text[40];
        CC_CLEANUP(cc_free_ptr) char *name = cc_text_safe(o->scenario->name);
        fprintf(out, "%sscenario %s%s%s: sequential time %s %s", i ? "\n" : "", name,
                *o->setting->label ? ", " : "", o->setting->label,
                grouped(CC_TICKS_TO_F64(o->sequential), text), h->clock);
        if (o->seconds > 0)
            fprintf(out, " (%.4g s)", CC_TICKS_TO_F64(o->sequential) * o->seconds);
        fputs("\n\n", out);
        bool spread = false;
        for (size_t c = 0; c < r->ncores; c++)
            spread = spread || o->schedules[c].time_low != o->schedules[c].time_high;
        print_overview(o, r->ncores, spread, out);
        const struct cc_predict_schedule *last = &o->schedules[r->ncores - 1];
        if (full) {
            for (size_t c = 0; c < r->ncores; c++)
                print_long(&o->schedules[c], h->clock, out);
        } else if (last->nregions) {
            fprintf(out, "\nregions on %u core%s:\n\n", last->processors, last->processors == 1 ? "" : "s");
            print_regions(last, out);
        }
    }
}

/* --- the profile --- */

/* Text shows a tree that a person can read; JSON has every row. */
enum { MAX_DEPTH = 64, MAX_ROWS = 10000 };

static struct cc_table *profile_table(const struct cc_htg *h, bool all, size_t *ret_left_out)
{
    static const struct cc_col cols[] = {
        {.key = "name", .title = "task", .type = CC_COL_STR, .tree = true},
        {.key = "id", .type = CC_COL_INT},
        {.key = "parent", .type = CC_COL_INT},
        {.key = "depth", .type = CC_COL_INT},
        {.key = "calls", .title = "calls", .type = CC_COL_INT},
        {.key = "cumulative", .title = "cumulative", .type = CC_COL_INT},
        {.key = "average", .title = "average", .type = CC_COL_NUM, .digits = 1},
        {.key = "self", .title = "self", .type = CC_COL_INT},
        {.key = "average_self", .title = "average self", .type = CC_COL_NUM, .digits = 1},
    };
    struct cc_htg_profile_row *rows;
    size_t n = cc_htg_profile(h, &rows);
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    size_t *at = cc_alloc_array(n, sizeof *at);
    for (size_t i = 0; i < n; i++) {
        const struct cc_htg_profile_row *r = &rows[i];
        if (!all && (r->depth > MAX_DEPTH || cc_table_rows(t) >= MAX_ROWS)) {
            ++*ret_left_out;
            continue;
        }
        at[i] = r->parent == SIZE_MAX ? cc_table_row(t) : cc_table_row_under(t, at[r->parent]);
        cc_table_str(t, h->names[r->name]);
        cc_table_int(t, (int64_t)i);
        if (r->parent == SIZE_MAX)
            cc_table_null(t);
        else
            cc_table_int(t, (int64_t)r->parent);
        cc_table_int(t, (int64_t)r->depth);
        cc_table_int(t, (int64_t)r->calls);
        cc_table_int(t, (int64_t)r->cumulative);
        cc_table_num(t, (double)r->cumulative / (double)r->calls);
        cc_table_int(t, (int64_t)r->self);
        cc_table_num(t, (double)r->self / (double)r->calls);
    }
    free(at);
    free(rows);
    return t;
}

void cc_predict_print_tasks(const struct cc_htg *h, FILE *out)
{
    size_t left_out = 0;
    struct cc_table *t = profile_table(h, false, &left_out);
    char total[40];
    fprintf(out, "profile of the sequential run: %llu tasks, %s %s\n\n", (unsigned long long)h->tasks,
            grouped((double)h->nodes[0].len, total), h->clock);
    cc_table_print_text(t, out);
    if (left_out)
        fprintf(out, "\n%zu deeper or further rows are left out; --json has them all\n", left_out);
    cc_table_free(t);
}

void cc_predict_print_tasks_json(const struct cc_htg *h, FILE *out)
{
    struct cc_table *t = profile_table(h, true, NULL);
    struct cc_json j;
    cc_json_document(&j, out, "corecast.profile", 1);
    cc_json_str(&j, "clock", h->clock);
    cc_json_u64(&j, "tasks", h->tasks);
    cc_json_u64(&j, "time", h->nodes[0].len);
    cc_table_print_json(t, &j, "rows");
    cc_json_end(&j);
    cc_table_free(t);
}
