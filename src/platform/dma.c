#include "dma.h"
#include "../base/file.h"

#include <math.h>

enum { MAX_GRID_FILE = 4 << 20 };

static size_t axis_find(const double *axis, size_t n, double v)
{
    for (size_t i = 0; i < n; i++)
        if (axis[i] == v)
            return i;
    return n;
}

static int axis_add(double *axis, size_t *n, double v)
{
    if (axis_find(axis, *n, v) < *n)
        return 0;
    if (*n == CC_DMA_AXIS)
        return -1;
    size_t at = (*n)++;
    for (; at > 0 && axis[at - 1] > v; at--)
        axis[at] = axis[at - 1];
    axis[at] = v;
    return 0;
}

static int parse_line(char *line, struct cc_dma_point *ret)
{
    double v[3];
    size_t n = 0;
    for (char *save = NULL, *word = strtok_r(line, " \t,\r", &save); word;
         word = strtok_r(NULL, " \t,\r", &save)) {
        if (n == 3 || !cc_parse_f64(word, &v[n]))
            return -1;
        n++;
    }
    if (n == 0)
        return 0;
    if (n != 3 || v[0] < 1 || v[1] < 1 || v[2] < 0 || v[0] > 1e12 || v[1] > 1e12 || v[2] > 1e15)
        return -1;
    *ret = (struct cc_dma_point){v[0], v[1], v[2]};
    return 1;
}

static int fill_grid(const struct cc_dma_point *points, size_t n, const unsigned *lines, const char *path,
                     struct cc_dma_channel *ret, struct cc_err *err)
{
    for (size_t i = 0; i < n; i++)
        if (axis_add(ret->w, &ret->nw, points[i].w) < 0 || axis_add(ret->h, &ret->nh, points[i].h) < 0)
            return cc_err_at(err, CC_EINPUT, path, lines[i], "more than %d different widths or heights",
                             CC_DMA_AXIS);
    ret->t = cc_alloc_array(ret->nw * ret->nh, sizeof *ret->t);
    for (size_t i = 0; i < ret->nw * ret->nh; i++)
        ret->t[i] = NAN;
    for (size_t i = 0; i < n; i++) {
        double *cell = &ret->t[axis_find(ret->h, ret->nh, points[i].h) * ret->nw +
                               axis_find(ret->w, ret->nw, points[i].w)];
        if (!isnan(*cell))
            return cc_err_at(err, CC_EINPUT, path, lines[i], "the transfer %g x %g is given twice",
                             points[i].w, points[i].h);
        *cell = points[i].t;
    }
    return 0;
}

int cc_dma_parse_grid(const char *path, const char *text, struct cc_dma_channel *ret, struct cc_err *err)
{
    CC_VEC(struct cc_dma_point) points = {0};
    CC_VEC(unsigned) lines = {0};
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    int rc = 0;
    unsigned line = 0;
    for (char *at = copy; rc == 0 && at;) {
        char *next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        line++;
        at[strcspn(at, "#;")] = 0;
        struct cc_dma_point p;
        int got = parse_line(at, &p);
        if (got < 0)
            rc = cc_err_at(err, CC_EINPUT, path, line, "expected 'width_bytes height cycles'");
        if (got > 0) {
            CC_VEC_PUSH(&points, p);
            CC_VEC_PUSH(&lines, line);
        }
        at = next;
    }
    if (rc == 0 && points.n == 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "the DMA grid has no points");
    if (rc == 0)
        rc = fill_grid(points.v, points.n, lines.v, path, ret, err);
    CC_VEC_FINI(&points);
    CC_VEC_FINI(&lines);
    return rc;
}

/* Gaussian elimination with pivoting on a 3 x 4 system; false when it is singular. */
static bool solve3(double m[3][4])
{
    for (int c = 0; c < 3; c++) {
        int best = c;
        for (int r = c + 1; r < 3; r++)
            if (fabs(m[r][c]) > fabs(m[best][c]))
                best = r;
        if (fabs(m[best][c]) < 1e-12)
            return false;
        for (int k = 0; k < 4; k++) {
            double swap = m[c][k];
            m[c][k] = m[best][k];
            m[best][k] = swap;
        }
        for (int r = 0; r < 3; r++) {
            double f = r == c ? 0 : m[r][c] / m[c][c];
            for (int k = c; k < 4; k++)
                m[r][k] -= f * m[c][k];
        }
    }
    return true;
}

int cc_dma_fit(const struct cc_dma_point *points, size_t n, struct cc_dma_line *ret, struct cc_err *err)
{
    /* Columns are scaled to about 1 so that the normal equations stay well conditioned. */
    double scale[3] = {1, 1, 1};
    for (size_t i = 0; i < n; i++) {
        scale[1] = fmax(scale[1], points[i].h);
        scale[2] = fmax(scale[2], points[i].w * points[i].h);
    }
    double m[3][4] = {{0}};
    for (size_t i = 0; i < n; i++) {
        double x[3] = {1, points[i].h / scale[1], points[i].w * points[i].h / scale[2]};
        for (int r = 0; r < 3; r++) {
            for (int c = 0; c < 3; c++)
                m[r][c] += x[r] * x[c];
            m[r][3] += x[r] * points[i].t;
        }
    }
    if (n < 3 || !solve3(m))
        return cc_err_set(err, CC_EINPUT, "%zu points of the DMA grid do not determine a regression", n);
    *ret =
        (struct cc_dma_line){m[0][3] / m[0][0], m[1][3] / m[1][1] / scale[1], m[2][3] / m[2][2] / scale[2]};
    return 0;
}

static double line_time(const struct cc_dma_line *l, double w, double h)
{
    return fmax(l->i0 + l->i1 * h + l->alpha * w * h, 0);
}

/* The grid lines below and above v, and how far between them v lies. Beyond the last measured line the axis
 * goes on by doubling, as the measurements do; below the first one v is taken to be there. */
static void axis_cell(const double *axis, size_t n, double v, double *lo, double *hi, size_t *at,
                      double *part)
{
    if (v <= axis[0]) {
        *lo = *hi = axis[0];
        *at = 0;
        *part = 0;
        return;
    }
    size_t i = 0;
    while (i + 1 < n && axis[i + 1] <= v)
        i++;
    *at = i;
    *lo = axis[i];
    *hi = i + 1 < n ? axis[i + 1] : 2 * axis[i];
    while (i + 1 >= n && *hi <= v) {
        *lo = *hi;
        *hi *= 2;
        *at = n;
    }
    *part = (v - *lo) / (*hi - *lo);
}

static double grid_point(const struct cc_dma_channel *c, size_t wi, size_t hi, double w, double h)
{
    if (wi < c->nw && hi < c->nh && !isnan(c->t[hi * c->nw + wi]))
        return c->t[hi * c->nw + wi];
    return c->model == CC_DMA_MIXED ? line_time(&c->line, w, h) : NAN;
}

static double grid_time(const struct cc_dma_channel *c, double w, double h)
{
    double w0, w1, h0, h1, pw, ph;
    size_t wi, hi;
    axis_cell(c->w, c->nw, w, &w0, &w1, &wi, &pw);
    axis_cell(c->h, c->nh, h, &h0, &h1, &hi, &ph);
    double t = grid_point(c, wi, hi, w0, h0) * (1 - pw) * (1 - ph);
    if (pw > 0)
        t += grid_point(c, wi + 1, hi, w1, h0) * pw * (1 - ph);
    if (ph > 0)
        t += grid_point(c, wi, hi + 1, w0, h1) * (1 - pw) * ph;
    if (pw > 0 && ph > 0)
        t += grid_point(c, wi + 1, hi + 1, w1, h1) * pw * ph;
    return t;
}

double cc_dma_time(const struct cc_dma_channel *c, double width, double height)
{
    if (width * height > c->limit)
        return NAN;
    return c->model == CC_DMA_LINEAR ? line_time(&c->line, width, height) : grid_time(c, width, height);
}

/* Along a row of the grid the time is straight between two of its widths. */
void cc_dma_row(const struct cc_dma_channel *c, double first, double step, size_t n, double height,
                double *out)
{
    double lo = 0, hi = -1, at_lo = 0, slope = 0;
    for (size_t i = 0; i < n; i++) {
        double w = first + step * (double)i;
        if (c->model == CC_DMA_LINEAR) {
            out[i] = line_time(&c->line, w, height);
        } else if (w <= c->w[0]) {
            out[i] = grid_time(c, w, height);
        } else {
            if (w >= hi) {
                size_t at;
                double part;
                axis_cell(c->w, c->nw, w, &lo, &hi, &at, &part);
                at_lo = grid_time(c, lo, height);
                slope = (grid_time(c, hi, height) - at_lo) / (hi - lo);
            }
            out[i] = w == lo ? at_lo : at_lo + slope * (w - lo);
        }
        if (w * height > c->limit)
            out[i] = NAN;
    }
}

static int fit_channel(struct cc_dma_channel *c, struct cc_err *err)
{
    CC_VEC(struct cc_dma_point) points = {0};
    for (size_t h = 0; h < c->nh; h++)
        for (size_t w = 0; w < c->nw; w++)
            if (!isnan(c->t[h * c->nw + w]))
                CC_VEC_PUSH(&points, (struct cc_dma_point){c->w[w], c->h[h], c->t[h * c->nw + w]});
    int rc = cc_dma_fit(points.v, points.n, &c->line, err);
    CC_VEC_FINI(&points);
    return rc;
}

static int load_channel(struct cc_platform *p, enum cc_str_key grid, const enum cc_num_key line[3],
                        struct cc_dma_channel *c, struct cc_err *err)
{
    double given[3] = {NAN, NAN, NAN};
    for (int i = 0; i < 3; i++)
        given[i] = cc_platform_num_or(p, NULL, line[i], NAN);
    bool any = !isnan(given[0]) || !isnan(given[1]) || !isnan(given[2]);
    const char *path = cc_platform_file(p, NULL, grid);
    if (path) {
        CC_CLEANUP(cc_free_ptr) char *text = NULL;
        size_t size;
        int rc = cc_file_read(path, MAX_GRID_FILE, &text, &size, err);
        if (rc == 0)
            rc = cc_dma_parse_grid(path, text, c, err);
        if (rc < 0)
            return rc;
    }
    if (c->model != CC_DMA_LINEAR && !path)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), cc_platform_line(p, NULL, CC_STR_DMA_MODEL),
                         "this DMA model needs measured times: [dma] has no '%s'",
                         cc_platform_key_name(grid));
    if (any)
        c->line = (struct cc_dma_line){isnan(given[0]) ? 0 : given[0], isnan(given[1]) ? 0 : given[1],
                                       isnan(given[2]) ? 0 : given[2]};
    else if (path && c->model != CC_DMA_GRID)
        return fit_channel(c, err);
    else if (!path)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                         "[dma] gives neither i0, i1, alpha nor a grid to derive them from");
    return 0;
}

int cc_dma_load(struct cc_platform *p, struct cc_dma *ret, struct cc_err *err)
{
    *ret = (struct cc_dma){0};
    if (!cc_platform_has(p, "dma"))
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0, "the platform has no [dma] section");
    const char *model = cc_platform_str_or(p, NULL, CC_STR_DMA_MODEL, "linear");
    ret->read.model = strcmp(model, "grid") == 0    ? CC_DMA_GRID
                      : strcmp(model, "mixed") == 0 ? CC_DMA_MIXED
                                                    : CC_DMA_LINEAR;
    ret->read.limit = cc_platform_num_or(p, NULL, CC_NUM_DMA_LIMIT, INFINITY);
    static const enum cc_num_key rd[] = {CC_NUM_DMA_I0, CC_NUM_DMA_I1, CC_NUM_DMA_ALPHA};
    static const enum cc_num_key wr[] = {CC_NUM_DMA_WRITE_I0, CC_NUM_DMA_WRITE_I1, CC_NUM_DMA_WRITE_ALPHA};
    int rc = load_channel(p, CC_STR_DMA_GRID, rd, &ret->read, err);
    if (rc < 0)
        return rc;
    ret->write = ret->read;
    ret->write.t = NULL;
    if (cc_platform_file(p, NULL, CC_STR_DMA_WRITE_GRID)) {
        ret->write.nw = ret->write.nh = 0;
        return load_channel(p, CC_STR_DMA_WRITE_GRID, wr, &ret->write, err);
    }
    ret->write.line.i0 = cc_platform_num_or(p, NULL, wr[0], ret->read.line.i0);
    ret->write.line.i1 = cc_platform_num_or(p, NULL, wr[1], ret->read.line.i1);
    ret->write.line.alpha = cc_platform_num_or(p, NULL, wr[2], ret->read.line.alpha);
    if (ret->read.t) {
        size_t n = ret->read.nw * ret->read.nh;
        ret->write.t = cc_alloc_array(n, sizeof *ret->write.t);
        memcpy(ret->write.t, ret->read.t, n * sizeof *ret->write.t);
    }
    return 0;
}

void cc_dma_fini(struct cc_dma *d)
{
    free(d->read.t);
    free(d->write.t);
    d->read.t = d->write.t = NULL;
}
