/* corecast tile: the tile size of least time for an image kernel on cores with a local memory and a DMA. */
#include "../command.h"
#include "../output.h"
#include "charts.h"
#include "input.h"
#include "job.h"

#include <math.h>

enum { MAX_LIST = 64 };

struct options {
    struct cc_common common;
    const char *platform;
    struct cc_tile_input input;
    int model;
    bool no_pareto, literal;
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
    SETTING("transfers", "HOW", CC_TILE_TRANSFERS,
            "individual: each core has tiles of its own; collaborative: all work on one tile, by rows"),
    SETTING("clusters", "N", CC_TILE_CLUSTERS,
            "clusters with a memory and a DMA each share the rows of the image; the platform's if absent"),
    {CC_OPT_FLAG, 0, "literal", NULL, offsetof(struct options, literal),
     "with --model closed: equation 6.49 as printed, not as its text reads"},
    {CC_OPT_CHOICE, 0, "model", "MODEL", offsetof(struct options, model),
     "corrected, closed (the published form) or simulate", 0, 0, models},
    {CC_OPT_FLAG, 0, "no-pareto", NULL, offsetof(struct options, no_pareto), "only the best tile, no fronts"},
    {CC_OPT_STR, 0, "what-if-cores", "LIST", offsetof(struct options, what_cores),
     "the best tile for each of these, as 1,2,4 or 1..8"},
    {CC_OPT_STR, 0, "what-if-time", "LIST", offsetof(struct options, what_time),
     "the best tile for each of these kernel times, as 20,157"},
    {CC_OPT_OUT, 0, "roofline", "F.svg", offsetof(struct options, roofline),
     "draw frames per second over tile width"},
    {CC_OPT_OUT, 0, "heat", "F.svg", offsetof(struct options, heat), "draw the time over all tile sizes"},
    {CC_OPT_OUT, 0, "pareto-bytes", "F.svg", offsetof(struct options, pareto_bytes),
     "draw time against bytes moved"},
    {CC_OPT_OUT, 0, "pareto-memory", "F.svg", offsetof(struct options, pareto_memory),
     "draw time against local memory"},
};

static void set_cores(struct cc_tile_problem *p, int64_t cores, void *data)
{
    const struct job *j = data;
    cc_tile_processors(p, cores, p->team > 1);
    const struct cc_ini_section *s = j->file ? cc_ini_section(j->file, "tile") : NULL;
    if (!j->o->input.text[CC_TILE_OVERHEAD] && !(s && cc_ini_key(s, "overhead")))
        cc_tile_platform_overheads(j->platform, p, &(struct cc_err){0}); /* it has a clock: see input.c */
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
    int64_t room[MAX_LIST] = {j->p.cores * j->p.team};
    struct cc_int_list cores = {room, MAX_LIST, 1};
    double times[MAX_LIST] = {j->p.kernel_time};
    size_t ntimes = 1;
    int rc = 0;
    if (!j->o->what_cores && !j->o->what_time)
        return 0;
    if (j->o->what_cores)
        rc = cc_opt_int_list("what-if-cores", j->o->what_cores, 1, CC_TILE_MAX_CORES, &cores, err);
    if (rc == 0 && j->o->what_time)
        rc = number_list("what-if-time", j->o->what_time, times, &ntimes, err);
    for (size_t t = 0; rc == 0 && t < ntimes; t++)
        for (size_t c = 0; rc == 0 && c < cores.n; c++) {
            struct cc_tile_problem q = j->p;
            set_cores(&q, cores.v[c], j);
            q.kernel_time = times[t];
            struct cc_tile_result r;
            struct cc_err ignored = {0};
            struct what_if w = {.cores = cores.v[c], .kernel_time = times[t]};
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
    double mean, mhz = cc_platform_num_or(j->platform, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN);
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

static int solve(struct job *j, struct cc_count *count, struct cc_err *err)
{
    double spread = 0;
    int rc = cc_dma_load(j->platform, &j->dma, err);
    if (rc == 0)
        rc = read_samples(j, err);
    if (rc == 0)
        rc = cc_tile_input_read(&j->o->input, j->platform, &j->dma, &j->p, &spread, err);
    j->p.literal = j->o->literal;
    j->p.count = count;
    if (rc == 0 && j->o->literal && j->model != CC_TILE_CLOSED)
        rc = cc_err_set(err, CC_EUSAGE, "'--literal' goes with '--model closed'");
    if (rc == 0 && j->p.team > 1 && (j->samples.n > 1 || spread > 0))
        rc =
            cc_err_set(err, CC_EUSAGE,
                       "collaborative transfers take one kernel time: its spread is not divided over a team");
    if (rc == 0)
        rc = cc_tile_search(&j->p, j->model, !j->o->no_pareto, &j->r, err);
    if (rc < 0)
        return rc;
    double mhz = cc_platform_num_or(j->platform, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN);
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

static int solve_and_tell(struct job *j, struct cc_err *err)
{
    struct cc_progress progress = {.what = "searching", .unit = "tile sizes"};
    cc_output_progress(&j->o->common, &progress);
    int rc = solve(j, &progress.count, err);
    cc_progress_end(&progress);
    j->p.count = NULL;
    return rc;
}

static int write_chart(const char *path, struct cc_buf *svg, struct cc_err *err)
{
    int rc = cc_output_file(path, svg, err);
    cc_buf_fini(svg);
    return rc;
}

static int roofline(struct job *j, struct cc_err *err)
{
    int64_t room[MAX_LIST];
    struct cc_int_list cores = {room, MAX_LIST, 0};
    if (j->o->what_cores) {
        int rc = cc_opt_int_list("what-if-cores", j->o->what_cores, 1, CC_TILE_MAX_CORES, &cores, err);
        if (rc < 0)
            return rc;
    } else {
        int64_t all = j->p.cores * j->p.team;
        for (int64_t c = 1; c < all; c *= 2)
            room[cores.n++] = c;
        room[cores.n++] = all;
    }
    struct cc_buf svg = {0};
    struct cc_tile_roofline chart = {.p = &j->p,
                                     .model = j->model,
                                     .clock_hz = isnan(j->clock_hz) ? 1e6 : j->clock_hz,
                                     .cores = cores.v,
                                     .ncores = cores.n,
                                     .with_cores = set_cores,
                                     .data = j};
    cc_tile_chart_roofline(&chart, &svg);
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
    struct job j = {.o = o, .model = model_of[o->model], .model_name = models[o->model]};
    int rc = load(&j, operands, err);
    if (rc == 0)
        rc = solve_and_tell(&j, err);
    if (rc == 0)
        rc = charts(&j, err);
    if (rc == 0) {
        struct cc_result *r = cc_tile_show(&j);
        rc = cc_output_result(&o->common, r, err);
        cc_result_free(r);
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
    .results = true,
    .run = run,
};
