#include "spread.h"
#include "../../base/file.h"

enum { RUNS = 200, MAX_SAMPLES = 1 << 20, MAX_FILE = 64 << 20, MAX_TILES = 2000000 };

struct draw {
    uint64_t seed;
    double low, high;
    const struct cc_tile_samples *samples;
};

static double uniform(struct draw *d)
{
    d->seed ^= d->seed << 13;
    d->seed ^= d->seed >> 7;
    d->seed ^= d->seed << 17;
    return (double)(d->seed >> 11) / 9007199254740992.0;
}

static double compute_time(void *data, int64_t tile, double class_time, int64_t pixels)
{
    (void)tile;
    (void)class_time;
    struct draw *d = data;
    double u = uniform(d);
    double each =
        d->samples->n ? d->samples->v[(size_t)(u * (double)d->samples->n)] : d->low + u * (d->high - d->low);
    return each * (double)pixels;
}

int cc_tile_read_samples(const char *path, struct cc_tile_samples *ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &text, &size, err);
    if (rc < 0)
        return rc;
    CC_VEC(double) v = {0};
    unsigned line = 0;
    for (char *at = text; rc == 0 && at;) {
        char *next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        line++;
        at[strcspn(at, "#;\r")] = 0;
        at += strspn(at, " \t");
        for (size_t n = strlen(at); n && (at[n - 1] == ' ' || at[n - 1] == '\t');)
            at[--n] = 0;
        double value;
        if (*at && (!cc_parse_f64(at, &value) || value < 0 || value > 1e12 || v.n == MAX_SAMPLES))
            rc = cc_err_at(err, CC_EINPUT, path, line,
                           "expected one time, cycles per pixel, at most %d lines", MAX_SAMPLES);
        else if (*at)
            CC_VEC_PUSH(&v, value);
        at = next;
    }
    if (rc == 0 && v.n == 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "no times in the file");
    if (rc < 0)
        CC_VEC_FINI(&v);
    *ret = (struct cc_tile_samples){v.v, v.n};
    return rc;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void cc_tile_spread(const struct cc_tile_problem *p, const struct cc_tiling *t, double spread,
                    const struct cc_tile_samples *samples, struct cc_tile_spread *ret)
{
    struct draw d = {.seed = 0x9e3779b97f4a7c15,
                     .low = p->kernel_time - spread,
                     .high = p->kernel_time + spread,
                     .samples = samples};
    /* Many tiles average out by themselves and would only take long. */
    size_t runs = (size_t)CC_MAX(1, CC_MIN(RUNS, MAX_TILES / CC_MAX(t->tiles, 1)));
    double times[RUNS], sum = 0;
    for (size_t i = 0; i < runs; i++) {
        struct cc_tile_run run;
        cc_tile_simulate(p, t, compute_time, &d, &run);
        sum += times[i] = run.time;
    }
    qsort(times, runs, sizeof *times, by_value);
    *ret = (struct cc_tile_spread){.runs = runs,
                                   .mean = sum / (double)runs,
                                   .p5 = times[runs * 5 / 100],
                                   .p95 = times[(runs - 1) * 95 / 100]};
}
