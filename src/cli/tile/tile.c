/* corecast tile: the tile size of least time for an image kernel on cores with a local memory and a DMA. */
#include "../command.h"
#include "../output.h"
#include "charts.h"
#include "input.h"
#include "../../analysis/tile/spread.h"
#include "../../base/json.h"

#include <math.h>

enum { MAX_LIST = 64, SHOWN_FRONT = 12 };

struct options {
    struct cc_common common;
    const char *platform;
    struct cc_tile_input input;
    int model;
    bool no_pareto;
    const char *samples;
    const char *profile, *task;
    double task_pixels;
    const char *what_cores, *what_time;
    const char *roofline, *heat, *pareto_bytes, *pareto_memory;
    struct cc_strs set;
};

static const char *const models[] = {"corrected", "closed", "simulate", NULL};
static const enum cc_tile_model model_of[] = {CC_TILE_CORRECTED, CC_TILE_CLOSED, CC_TILE_SIMULATE};

#define SETTING(name, arg, id, help)                                             \
    {                                                                            \
        CC_OPT_STR, 0, name, arg, offsetof(struct options, input.text[id]), help \
    }

static const struct cc_opt table[] = {
    {CC_OPT_STR, 'p', "platform", "P.ini", offsetof(struct options, platform),
     "platform with a [dma] section"},
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct options, set), "override a value of the platform"},
    SETTING("image", "WxH", CC_TILE_IMAGE, "image size in pixels"),
    SETTING("kernel", "WxH", CC_TILE_KERNEL, "input pixels one output pixel needs"),
    SETTING("time", "CYCLES", CC_TILE_TIME,
            "cycles for each output pixel; 'T ± S' for a spread between tiles"),
    {CC_OPT_STR, 0, "time-samples", "FILE", offsetof(struct options, samples),
     "measured cycles per pixel, one a line, drawn for each tile"},
    {CC_OPT_STR, 0, "profile", "F.cast", offsetof(struct options, profile),
     "take the time from a recorded task instead of --time"},
    {CC_OPT_STR, 0, "task", "NAME", offsetof(struct options, task), "that task"},
    {CC_OPT_NUM, 0, "task-pixels", "N", offsetof(struct options, task_pixels),
     "output pixels one call of it makes", 1, 1e12},
    SETTING("cores", "N", CC_TILE_CORES, "processors; the platform's if absent"),
    SETTING("memory", "BYTES", CC_TILE_MEMORY, "local memory for all buffers (k, M, G)"),
    SETTING("pixel", "IN[:OUT]", CC_TILE_PIXEL, "bytes of an input and an output pixel (1:1)"),
    SETTING("planes", "N", CC_TILE_PLANES, "input planes, each read on its own (1)"),
    SETTING("align", "N", CC_TILE_ALIGN, "lines of a tile are a multiple of N bytes"),
    SETTING("aspect", "A:B", CC_TILE_ASPECT, "only tiles of this aspect ratio"),
    SETTING("min", "WxH", CC_TILE_MIN, "no smaller tiles"),
    SETTING("max", "WxH", CC_TILE_MAX, "no larger tiles"),
    SETTING("overhead", "OPEN:SCHED:CLOSE", CC_TILE_OVERHEAD,
            "cycles to open the region, per tile, and to close it; or 'none' (the platform's OpenMP costs)"),
    SETTING("assignment", "HOW", CC_TILE_ASSIGNMENT, "tiles to cores: static (in turn) or dynamic"),
    SETTING("writes", "HOW", CC_TILE_WRITES,
            "free, or blocking: an output buffer is reused only when written"),
    {CC_OPT_FLAG, 0, "double-buffer", NULL, offsetof(struct options, input.double_buffer),
     "two buffers a core: the next tile is read during work on this one"},
    {CC_OPT_CHOICE, 0, "model", "MODEL", offsetof(struct options, model),
     "corrected, closed (the published form) or simulate", 0, 0, models},
    {CC_OPT_FLAG, 0, "no-pareto", NULL, offsetof(struct options, no_pareto), "only the best tile, no fronts"},
    {CC_OPT_STR, 0, "what-if-cores", "LIST", offsetof(struct options, what_cores),
     "the best tile for each of these, as 1,2,4 or 1..8"},
    {CC_OPT_STR, 0, "what-if-time", "LIST", offsetof(struct options, what_time),
     "the best tile for each of these kernel times, as 20,157"},
    {CC_OPT_STR, 0, "roofline", "F.svg", offsetof(struct options, roofline),
     "draw frames per second over tile width"},
    {CC_OPT_STR, 0, "heat", "F.svg", offsetof(struct options, heat), "draw the time over all tile sizes"},
    {CC_OPT_STR, 0, "pareto-bytes", "F.svg", offsetof(struct options, pareto_bytes),
     "draw time against bytes moved"},
    {CC_OPT_STR, 0, "pareto-memory", "F.svg", offsetof(struct options, pareto_memory),
     "draw time against local memory"},
};

struct what_if {
    int64_t cores;
    double kernel_time;
    struct cc_tile_point best;
    const char *bound;
    bool fits;
};

struct job {
    struct options *o;
    struct cc_platform *platform;
    struct cc_dma dma;
    struct cc_ini *file;
    struct cc_tile_problem p;
    enum cc_tile_model model;
    double clock_hz; /* NAN: unknown */
    struct cc_tile_result r;
    struct cc_tiling best;
    struct cc_tile_run run;
    double closed, corrected;
    struct cc_tile_spread spread;
    bool has_spread;
    struct cc_tile_samples samples;
    char time[32]; /* of a recorded task, as --time would give it */
    CC_VEC(struct what_if) what;
};

static double fps(const struct job *j, double time)
{
    return j->clock_hz / time;
}

static void set_cores(struct cc_tile_problem *p, int64_t cores, void *data)
{
    const struct job *j = data;
    p->cores = cores;
    const struct cc_ini_section *s = j->file ? cc_ini_section(j->file, "tile") : NULL;
    if (!j->o->input.text[CC_TILE_OVERHEAD] && !(s && cc_ini_key(s, "overhead")))
        cc_tile_overheads(j->platform, p);
}

static int number_list(const char *option, const char *text, double *out, size_t *ret_n, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *save = NULL;
    size_t n = 0;
    for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        if (n == MAX_LIST || !cc_parse_f64(word, &out[n]) || out[n] < 0 || out[n] > 1e12)
            return cc_err_set(err, CC_EUSAGE, "option '--%s': '%.80s' is not a list of up to %d times",
                              option, text, MAX_LIST);
        n++;
    }
    *ret_n = n;
    return n ? 0 : cc_err_set(err, CC_EUSAGE, "option '--%s': the list is empty", option);
}

static int what_if(struct job *j, struct cc_err *err)
{
    int64_t cores[MAX_LIST] = {j->p.cores};
    double times[MAX_LIST] = {j->p.kernel_time};
    size_t ncores = 1, ntimes = 1;
    int rc = 0;
    if (!j->o->what_cores && !j->o->what_time)
        return 0;
    if (j->o->what_cores)
        rc = cc_opt_int_list("what-if-cores", j->o->what_cores, 1, CC_TILE_MAX_CORES, cores, MAX_LIST,
                             &ncores, err);
    if (rc == 0 && j->o->what_time)
        rc = number_list("what-if-time", j->o->what_time, times, &ntimes, err);
    for (size_t t = 0; rc == 0 && t < ntimes; t++)
        for (size_t c = 0; rc == 0 && c < ncores; c++) {
            struct cc_tile_problem q = j->p;
            set_cores(&q, cores[c], j);
            q.kernel_time = times[t];
            struct cc_tile_result r;
            struct cc_err ignored = {0};
            struct what_if w = {.cores = cores[c], .kernel_time = times[t]};
            /* More cores need more buffers: one that does not fit is a row of the table, not the end. */
            w.fits = cc_tile_search(&q, j->model, false, &r, &ignored) == 0;
            if (w.fits) {
                struct cc_tiling tiling;
                cc_tile_build(&q, r.best.x, r.best.y, &tiling);
                w.best = r.best;
                w.bound = cc_tile_bound_name(&q, &tiling);
                cc_tile_result_fini(&r);
            }
            CC_VEC_PUSH(&j->what, w);
        }
    return rc;
}

/* Times per pixel from a file or from a recorded task, whose mean then stands for --time. */
static int read_samples(struct job *j, struct cc_err *err)
{
    struct options *o = j->o;
    if (!o->profile && !o->task)
        return o->samples ? cc_tile_read_samples(o->samples, &j->samples, err) : 0;
    if (!o->profile || !o->task || !(o->task_pixels > 0) || o->samples || o->input.text[CC_TILE_TIME])
        return cc_err_set(
            err, CC_EUSAGE,
            "'--profile', '--task' and '--task-pixels' go together, without --time and --time-samples");
    double mean, mhz = cc_platform_num_or(j->platform, "platform", "clock_mhz", NAN);
    if (isnan(mhz))
        return cc_err_at(err, CC_EINPUT, cc_platform_path(j->platform), 0, "the platform has no clock_mhz");
    struct cc_tile_task task = {o->profile, o->task, o->task_pixels, mhz * 1e6};
    int rc = cc_tile_task_time(&task, &mean, &j->samples, err);
    if (rc < 0)
        return rc;
    snprintf(j->time, sizeof j->time, "%.17g", mean);
    o->input.text[CC_TILE_TIME] = j->time;
    return 0;
}

static int solve(struct job *j, struct cc_err *err)
{
    double spread = 0;
    int rc = cc_dma_load(j->platform, &j->dma, err);
    if (rc == 0)
        rc = read_samples(j, err);
    if (rc == 0)
        rc = cc_tile_input_read(&j->o->input, j->platform, &j->dma, &j->p, &spread, err);
    if (rc == 0)
        rc = cc_tile_search(&j->p, j->model, !j->o->no_pareto, &j->r, err);
    if (rc < 0)
        return rc;
    double mhz = cc_platform_num_or(j->platform, "platform", "clock_mhz", NAN);
    j->clock_hz = mhz * 1e6;
    cc_tile_build(&j->p, j->r.best.x, j->r.best.y, &j->best);
    cc_tile_simulate(&j->p, &j->best, NULL, NULL, &j->run);
    j->closed = cc_tile_closed(&j->p, &j->best);
    j->corrected = cc_tile_corrected(&j->p, &j->best);
    j->has_spread = j->samples.n > 1 || spread > 0;
    if (j->has_spread)
        cc_tile_spread(&j->p, &j->best, spread, &j->samples, &j->spread);
    return what_if(j, err);
}

static void json_point(struct cc_json *js, const struct cc_tile_point *p)
{
    cc_json_i64(js, "x", p->x);
    cc_json_i64(js, "y", p->y);
    cc_json_num(js, "time", p->time);
    cc_json_num(js, "bytes", p->bytes);
    cc_json_num(js, "memory", p->memory);
}

static void json_details(const struct job *j, struct cc_json *js)
{
    cc_json_arr(js, "classes");
    for (int i = 0; i < CC_TILE_CLASSES; i++) {
        const struct cc_tile_class *k = &j->best.k[i];
        if (!k->n)
            continue;
        cc_json_obj(js, NULL);
        cc_json_i64(js, "tiles", k->n);
        cc_json_i64(js, "x", k->x);
        cc_json_i64(js, "y", k->y);
        cc_json_num(js, "read", k->r);
        cc_json_num(js, "compute", k->c);
        cc_json_num(js, "write", k->w);
        cc_json_end(js);
    }
    cc_json_end(js);
    cc_json_obj(js, "stack");
    cc_json_num(js, "compute", j->run.compute);
    cc_json_num(js, "read_wait", j->run.read_wait);
    cc_json_num(js, "write_wait", j->run.write_wait);
    cc_json_num(js, "overhead", j->run.overhead);
    cc_json_num(js, "idle", j->run.idle);
    cc_json_end(js);
    cc_json_num(js, "read_channel_busy", j->run.read_busy);
    cc_json_num(js, "write_channel_busy", j->run.write_busy);
    if (j->has_spread) {
        cc_json_obj(js, "spread");
        cc_json_u64(js, "runs", j->spread.runs);
        cc_json_num(js, "mean", j->spread.mean);
        cc_json_num(js, "low", j->spread.p5);
        cc_json_num(js, "high", j->spread.p95);
        cc_json_end(js);
    }
    if (j->what.n == 0)
        return;
    cc_json_arr(js, "what_if");
    for (size_t i = 0; i < j->what.n; i++) {
        const struct what_if *w = &j->what.v[i];
        cc_json_obj(js, NULL);
        cc_json_i64(js, "cores", w->cores);
        cc_json_num(js, "kernel_time", w->kernel_time);
        cc_json_bool(js, "fits", w->fits);
        if (w->fits) {
            json_point(js, &w->best);
            cc_json_num(js, "fps", fps(j, w->best.time));
            cc_json_str(js, "bound", w->bound);
        }
        cc_json_end(js);
    }
    cc_json_end(js);
}

static void print_json(const struct job *j, FILE *out)
{
    struct cc_json js;
    cc_json_document(&js, out, "corecast.tile", 1);
    cc_json_str(&js, "clock", "cycles");
    cc_json_str(&js, "model", models[j->o->model]);
    cc_json_obj(&js, "best");
    json_point(&js, &j->r.best);
    cc_json_num(&js, "fps", fps(j, j->r.best.time));
    cc_json_str(&js, "bound", cc_tile_bound_name(&j->p, &j->best));
    cc_json_end(&js);
    cc_json_bool(&js, "proven", true);
    cc_json_u64(&js, "evaluated", j->r.evaluated);
    cc_json_u64(&js, "space", j->r.space);
    cc_json_num(&js, "simulated_time", j->run.time);
    cc_json_num(&js, "closed_time", j->closed);
    cc_json_num(&js, "corrected_time", j->corrected);
    cc_json_arr(&js, "pareto");
    for (size_t i = 0; i < j->r.pareto.n; i++) {
        const struct cc_tile_point *p = &j->r.pareto.v[i];
        cc_json_obj(&js, NULL);
        json_point(&js, p);
        cc_json_str(&js, "front", !p->on_memory ? "bytes" : p->on_bytes ? "both" : "memory");
        cc_json_end(&js);
    }
    cc_json_end(&js);
    json_details(j, &js);
    cc_json_end(&js);
}

static void print_classes(const struct job *j, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "tiles", .title = "tiles", .type = CC_COL_INT},
        {.key = "size", .title = "size", .type = CC_COL_STR},
        {.key = "read", .title = "read", .type = CC_COL_NUM},
        {.key = "compute", .title = "compute", .type = CC_COL_NUM},
        {.key = "write", .title = "write", .type = CC_COL_NUM},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (int i = 0; i < CC_TILE_CLASSES; i++) {
        const struct cc_tile_class *k = &j->best.k[i];
        if (!k->n)
            continue;
        char size[48];
        snprintf(size, sizeof size, "%lldx%lld", (long long)k->x, (long long)k->y);
        cc_table_row(t);
        cc_table_int(t, k->n);
        cc_table_str(t, size);
        cc_table_num(t, k->r);
        cc_table_num(t, k->c);
        cc_table_num(t, k->w);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_part(FILE *out, const char *name, double part, double whole)
{
    fprintf(out, "  %-22s %14.0f  %5.1f %%\n", name, part, 100 * part / whole);
}

static void print_front(const struct job *j, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "tile", .title = "tile", .type = CC_COL_STR},
        {.key = "time", .title = "time", .type = CC_COL_NUM},
        {.key = "slower", .title = "slower by", .type = CC_COL_PERCENT, .digits = 2},
        {.key = "bytes", .title = "bytes moved", .type = CC_COL_BYTES},
        {.key = "memory", .title = "local memory", .type = CC_COL_BYTES},
        {.key = "front", .title = "on the front of", .type = CC_COL_STR},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    /* Some of many: in equal steps through the front, which runs from the fastest to the smallest. */
    size_t n = j->r.pareto.n, shown = CC_MIN(n, SHOWN_FRONT);
    for (size_t i = 0; i < shown; i++) {
        const struct cc_tile_point *p = &j->r.pareto.v[shown > 1 ? i * (n - 1) / (shown - 1) : 0];
        char tile[48];
        snprintf(tile, sizeof tile, "%lldx%lld", (long long)p->x, (long long)p->y);
        cc_table_row(t);
        cc_table_str(t, tile);
        cc_table_num(t, p->time);
        cc_table_num(t, p->time / j->r.best.time - 1);
        cc_table_int(t, (int64_t)p->bytes);
        cc_table_int(t, (int64_t)p->memory);
        cc_table_str(t, !p->on_memory ? "bytes" : p->on_bytes ? "both" : "memory");
    }
    fprintf(out, "\nTrade-offs: %zu of the %zu tiles on the fronts of time against bytes and memory\n", shown,
            n);
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_what_if(const struct job *j, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "cores", .title = "cores", .type = CC_COL_INT},
        {.key = "kernel_time", .title = "cycles/pixel", .type = CC_COL_NUM, .digits = 2},
        {.key = "tile", .title = "best tile", .type = CC_COL_STR},
        {.key = "time", .title = "time", .type = CC_COL_NUM},
        {.key = "fps", .title = "fps", .type = CC_COL_NUM, .digits = 2},
        {.key = "bound", .title = "bound by", .type = CC_COL_STR},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < j->what.n; i++) {
        const struct what_if *w = &j->what.v[i];
        char tile[48];
        snprintf(tile, sizeof tile, "%lldx%lld", (long long)w->best.x, (long long)w->best.y);
        cc_table_row(t);
        cc_table_int(t, w->cores);
        cc_table_num(t, w->kernel_time);
        cc_table_str(t, w->fits ? tile : "does not fit");
        if (!w->fits)
            continue;
        cc_table_num(t, w->best.time);
        cc_table_num(t, fps(j, w->best.time));
        cc_table_str(t, w->bound);
    }
    fputs("\nWhat if\n", out);
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_text(const struct job *j, FILE *out)
{
    const struct cc_tile_point *b = &j->r.best;
    char bytes[24], memory[24];
    fprintf(out, "Best tile: %lldx%lld pixels, bound by %s\n", (long long)b->x, (long long)b->y,
            cc_tile_bound_name(&j->p, &j->best));
    fprintf(out, "  time %.0f cycles", b->time);
    if (!isnan(j->clock_hz))
        fprintf(out, ", %.2f frames per second", fps(j, b->time));
    fprintf(out, "; %s moved, %s of local memory on %lld cores\n", cc_human_bytes(b->bytes, bytes),
            cc_human_bytes(b->memory, memory), (long long)j->p.cores);
    fprintf(out, "  proven: of %llu tiles that fit, %llu were computed and the rest excluded by a bound\n",
            (unsigned long long)j->r.space, (unsigned long long)j->r.evaluated);
    fprintf(out, "  simulated %.0f, corrected form %.0f, published closed form %.0f (%+.2f %%)\n\n",
            j->run.time, j->corrected, j->closed, 100 * (j->closed / j->run.time - 1));
    print_classes(j, out);
    fputs("\nWhere an average core's time goes (cycles)\n", out);
    print_part(out, "computing", j->run.compute, j->run.time);
    print_part(out, "waiting for reads", j->run.read_wait, j->run.time);
    print_part(out, "waiting for writes", j->run.write_wait, j->run.time);
    print_part(out, "overhead", j->run.overhead, j->run.time);
    print_part(out, "idle at the end", j->run.idle, j->run.time);
    fprintf(out, "  read channel busy %.1f %%, write channel %.1f %% of the time\n",
            100 * j->run.read_busy / j->run.time, 100 * j->run.write_busy / j->run.time);
    if (j->has_spread)
        fprintf(out, "\nWith kernel times that vary: mean %.0f, 90 %% of %zu runs within %.0f to %.0f\n",
                j->spread.mean, j->spread.runs, j->spread.p5, j->spread.p95);
    if (j->r.pareto.n)
        print_front(j, out);
    if (j->what.n)
        print_what_if(j, out);
}

static int write_chart(const char *path, struct cc_buf *svg, struct cc_err *err)
{
    int rc = cc_output_file(path, svg, err);
    cc_buf_fini(svg);
    return rc;
}

static int roofline(struct job *j, struct cc_err *err)
{
    int64_t cores[MAX_LIST];
    size_t n = 0;
    if (j->o->what_cores) {
        int rc = cc_opt_int_list("what-if-cores", j->o->what_cores, 1, CC_TILE_MAX_CORES, cores, MAX_LIST, &n,
                                 err);
        if (rc < 0)
            return rc;
    } else {
        for (int64_t c = 1; c < j->p.cores; c *= 2)
            cores[n++] = c;
        cores[n++] = j->p.cores;
    }
    struct cc_buf svg = {0};
    cc_tile_chart_roofline(&j->p, j->model, isnan(j->clock_hz) ? 1e6 : j->clock_hz, cores, n, set_cores, j,
                           &svg);
    return write_chart(j->o->roofline, &svg, err);
}

static int charts(struct job *j, struct cc_err *err)
{
    struct cc_buf svg = {0};
    int rc = j->o->roofline ? roofline(j, err) : 0;
    if (rc == 0 && j->o->heat) {
        cc_tile_chart_heat(&j->p, j->model, &j->r.best, &svg);
        rc = write_chart(j->o->heat, &svg, err);
    }
    if (rc == 0 && j->o->pareto_bytes) {
        cc_tile_chart_pareto(&j->r, false, &svg);
        rc = write_chart(j->o->pareto_bytes, &svg, err);
    }
    if (rc == 0 && j->o->pareto_memory) {
        cc_tile_chart_pareto(&j->r, true, &svg);
        rc = write_chart(j->o->pareto_memory, &svg, err);
    }
    return rc;
}

static int load(struct job *j, const struct cc_strs *operands, struct cc_err *err)
{
    if (operands->n > 1)
        return cc_err_set(err, CC_EUSAGE, "expected at most one file, got '%s' too", operands->v[1]);
    if (!j->o->platform)
        return cc_err_set(err, CC_EUSAGE, "give --platform, the chip whose DMA is used");
    int rc = operands->n ? cc_ini_load(operands->v[0], &j->file, err) : 0;
    if (rc == 0)
        rc = cc_platform_load(j->o->platform, &j->platform, err);
    for (size_t i = 0; rc == 0 && i < j->o->set.n; i++)
        rc = cc_platform_override(j->platform, j->o->set.v[i], err);
    j->o->input.file = j->file;
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    struct job j = {.o = o, .model = model_of[o->model]};
    int rc = load(&j, operands, err);
    if (rc == 0)
        rc = solve(&j, err);
    if (rc == 0)
        rc = charts(&j, err);
    struct cc_outfile out = {0};
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        if (o->common.json)
            print_json(&j, out.f);
        else
            print_text(&j, out.f);
        rc = cc_outfile_commit(&out, err);
    }
    cc_tile_result_fini(&j.r);
    CC_VEC_FINI(&j.what);
    free(j.samples.v);
    cc_dma_fini(&j.dma);
    cc_ini_free(j.file);
    cc_platform_free(j.platform);
    return rc;
}

const struct cc_command cc_cmd_tile = {
    .name = "tile",
    .summary = "find the tile size of least time for an image kernel with a DMA",
    .synopsis = "[OPTIONS] --platform P.ini [TILE.ini]",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .run = run,
};
