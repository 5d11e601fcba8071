#include "charts.h"
#include "../../draw/chart.h"

#include <math.h>

/* A roofline is drawn at up to ROOF_POINTS widths, about evenly in ratio. */
enum { HEAT_X = 60, HEAT_Y = 40, ROOF_POINTS = 400 };

static int64_t gcd(int64_t a, int64_t b)
{
    return b ? gcd(b, a % b) : a;
}

/* Up to `cap` different whole numbers from lo to hi, growing about evenly in ratio, `with` among them. */
static size_t spread(int64_t lo, int64_t hi, int64_t with, size_t cap, double *out)
{
    size_t n = 0;
    bool had = false;
    for (size_t i = 0; i < cap; i++) {
        double v = (double)lo * pow((double)hi / (double)lo, (double)i / (double)CC_MAX(cap - 1, 1));
        int64_t k = llround(v);
        if (n && k <= (int64_t)out[n - 1])
            continue;
        if (!had && k >= with && n + 1 < cap) {
            had = true;
            if (k > with)
                k = with;
        }
        out[n++] = (double)k;
    }
    return n;
}

/* fps, NAN where the tile is not allowed. */
static double fps_at(const struct cc_tile_problem *p, enum cc_tile_model model, double clock_hz, int64_t x,
                     int64_t y)
{
    struct cc_tiling t;
    if (!cc_tile_allowed(p, x, y) || !cc_tile_build(p, x, y, &t))
        return NAN;
    double time = cc_tile_time(p, &t, model);
    return time > 0 ? clock_hz / time : NAN;
}

struct aspect {
    int64_t x, y;
};

/* The problem's, else the image's. */
static struct aspect aspect_of(const struct cc_tile_problem *p)
{
    struct aspect a = {p->aspect_x ? p->aspect_x : p->image_w, p->aspect_x ? p->aspect_y : p->image_h};
    int64_t divisor = gcd(a.x, a.y);
    return (struct aspect){a.x / divisor, a.y / divisor};
}

enum roof { NO_ROOF, MEMORY_ROOF, COMPUTE_ROOF };

/* fps over the widths xs, with one part of the machine instant for a roof. */
static void fill_curve(const struct cc_tile_roofline *r, int64_t cores, enum roof roof, const double *xs,
                       double *ys, size_t n)
{
    struct aspect a = aspect_of(r->p);
    struct cc_tile_problem q = *r->p;
    r->with_cores(&q, cores, r->data);
    q.aspect_x = q.aspect_y = 0;
    q.instant_dma = roof == COMPUTE_ROOF;
    q.instant_compute = roof == MEMORY_ROOF;
    if (roof != NO_ROOF) /* the roofs know no overheads */
        q.op_open = q.op_sched = q.op_close = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t x = (int64_t)xs[i], y = CC_MAX((2 * x * a.y + a.x) / (2 * a.x), 1);
        ys[i] = fps_at(&q, r->model, r->clock_hz, x, CC_MIN(y, cc_tile_yi(r->p)));
    }
}

static void draw_roofline(const struct cc_tile_problem *p, const struct cc_series *series, size_t n,
                          struct cc_buf *out)
{
    struct aspect a = aspect_of(p);
    char title[96], label[64];
    snprintf(title, sizeof title, "%lldx%lld image, %g cycles per pixel", (long long)p->image_w,
             (long long)p->image_h, p->kernel_time);
    snprintf(label, sizeof label, "tile width (pixels), aspect %lld:%lld", (long long)a.x, (long long)a.y);
    struct cc_xy_chart c = {.title = title,
                            .x_label = label,
                            .y_label = "frames per second",
                            .x_log = true,
                            .y_log = true,
                            .series = series,
                            .nseries = n};
    cc_chart_xy(&c, out);
}

/* One curve for each number of cores, the memory roof of the most, and a compute roof for each. */
void cc_tile_chart_roofline(const struct cc_tile_roofline *r, struct cc_buf *out)
{
    int64_t xi = cc_tile_xi(r->p);
    size_t n = (size_t)CC_MIN(xi, ROOF_POINTS), nseries = 2 * r->ncores + 1;
    double *xs = cc_alloc_array(n, sizeof *xs), *ys = cc_alloc_array(n * nseries, sizeof *ys);
    struct cc_series *series = cc_alloc_array(nseries, sizeof *series);
    char(*names)[48] = cc_alloc_array(nseries, sizeof *names);
    n = spread(1, xi, 1, n, xs);
    for (size_t s = 0; s < nseries; s++) {
        enum roof roof = s < r->ncores ? NO_ROOF : s == r->ncores ? MEMORY_ROOF : COMPUTE_ROOF;
        size_t which = roof == NO_ROOF ? s : roof == MEMORY_ROOF ? r->ncores - 1 : s - r->ncores - 1;
        int64_t cores = r->cores[which];
        fill_curve(r, cores, roof, xs, ys + s * n, n);
        snprintf(names[s], sizeof names[s], cores == 1 ? "%lld core" : "%lld cores", (long long)cores);
        series[s] = (struct cc_series){.name = names[s],
                                       .style = roof == NO_ROOF ? CC_SERIES_LINE : CC_SERIES_DASHED,
                                       .x = xs,
                                       .y = ys + s * n,
                                       .n = n,
                                       .color = roof == MEMORY_ROOF ? "#555555" : cc_svg_color(which)};
        if (roof == MEMORY_ROOF)
            series[s].name = "memory roof";
        if (roof == COMPUTE_ROOF)
            series[s].name = which == 0 ? "compute roofs" : NULL;
    }
    draw_roofline(r->p, series, nseries, out);
    free(xs);
    free(ys);
    free(series);
    free(names);
}

static size_t index_of(const double *v, size_t n, int64_t want)
{
    for (size_t i = 0; i < n; i++)
        if ((int64_t)v[i] == want)
            return i;
    return SIZE_MAX;
}

void cc_tile_chart_heat(const struct cc_tile_problem *p, enum cc_tile_model model,
                        const struct cc_tile_point *best, struct cc_buf *out)
{
    double xs[HEAT_X], ys[HEAT_Y];
    size_t nx = spread(1, cc_tile_xi(p), best->x, HEAT_X, xs),
           ny = spread(1, cc_tile_yi(p), best->y, HEAT_Y, ys);
    double *values = cc_alloc_array(nx * ny, sizeof *values);
    struct cc_tile_problem q = *p; /* the map shows all shapes, not one line of them */
    q.aspect_x = q.aspect_y = 0;
    q.align = 0;
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i < nx; i++) {
            struct cc_tiling t;
            int64_t x = (int64_t)xs[i], y = (int64_t)ys[j];
            bool ok = cc_tile_allowed(&q, x, y) && cc_tile_build(&q, x, y, &t);
            values[j * nx + i] = ok ? cc_tile_time(&q, &t, model) : NAN;
        }
    struct cc_heat_chart c = {.title = "execution time (cycles) over the tile's size",
                              .x_label = "tile width (pixels)",
                              .y_label = "tile height (pixels)",
                              .xs = xs,
                              .ys = ys,
                              .nx = nx,
                              .ny = ny,
                              .values = values,
                              .log = true,
                              .mark_x = index_of(xs, nx, best->x),
                              .mark_y = index_of(ys, ny, best->y)};
    cc_chart_heat(&c, out);
    free(values);
}

void cc_tile_chart_pareto(const struct cc_tile_result *r, bool memory, struct cc_buf *out)
{
    size_t n = 0;
    double *xs = cc_alloc_array(r->pareto.n + 1, sizeof *xs),
           *ys = cc_alloc_array(r->pareto.n + 1, sizeof *ys);
    for (size_t i = r->pareto.n; i-- > 0;) { /* from the cheapest to the fastest */
        const struct cc_tile_point *p = &r->pareto.v[i];
        if (memory ? !p->on_memory : !p->on_bytes)
            continue;
        xs[n] = memory ? p->memory : p->bytes;
        ys[n++] = p->time;
    }
    struct cc_series series[] = {
        {.name = "front", .style = CC_SERIES_STEP, .x = xs, .y = ys, .n = n},
        {.name = "tiles on it", .style = CC_SERIES_POINTS, .x = xs, .y = ys, .n = n},
        {.name = "best time",
         .style = CC_SERIES_POINTS,
         .x = memory ? &r->best.memory : &r->best.bytes,
         .y = &r->best.time,
         .n = 1,
         .color = "#d55e00"},
    };
    struct cc_xy_chart c = {.title = memory ? "time against local memory" : "time against bytes moved",
                            .x_label = memory ? "local memory (bytes)" : "bytes moved",
                            .y_label = "time (cycles)",
                            .x_log = true,
                            .y_log = true,
                            .series = series,
                            .nseries = CC_COUNT(series)};
    cc_chart_xy(&c, out);
    free(xs);
    free(ys);
}
