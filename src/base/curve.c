#include "curve.h"
#include "file.h"

enum { MAX_FILE = 4 << 20, MAX_POINTS = 10000 };

struct points {
    const struct cc_curve_kind *kind;
    const char *path;
    unsigned line;
    CC_VEC(double) x;
    CC_VEC(double) y;
    struct cc_err *err;
};

static int add_point(struct points *p, const char *x_text, const char *y_text)
{
    const struct cc_curve_kind *k = p->kind;
    double x, y;
    if (!x_text || !y_text || !cc_parse_f64(x_text, &x) || !cc_parse_f64(y_text, &y) || x < k->min_x ||
        x > k->max_x || y < k->min_y || y > k->max_y)
        return cc_err_at(p->err, CC_EINPUT, p->path, p->line,
                         "not a point of %s and %s (%g to %g, %g to %g): '%.40s %.40s'", k->x, k->y, k->min_x,
                         k->max_x, k->min_y, k->max_y, x_text ? x_text : "", y_text ? y_text : "");
    if (p->x.n && x <= p->x.v[p->x.n - 1])
        return cc_err_at(p->err, CC_EINPUT, p->path, p->line, "the %s of a curve must rise: %g after %g",
                         k->x, x, p->x.v[p->x.n - 1]);
    if (p->x.n == MAX_POINTS)
        return cc_err_at(p->err, CC_EINPUT, p->path, p->line, "a curve of more than %d points", MAX_POINTS);
    CC_VEC_PUSH(&p->x, x);
    CC_VEC_PUSH(&p->y, y);
    return 0;
}

static int finish(struct points *p, int rc, struct cc_arena *a, struct cc_curve *ret)
{
    *ret = (struct cc_curve){0};
    if (rc == 0 && p->x.n == 0)
        rc = cc_err_at(p->err, CC_EINPUT, p->path, p->line, "the curve has no points");
    if (rc == 0) {
        ret->n = p->x.n;
        ret->x = cc_arena_alloc(a, ret->n * sizeof *ret->x);
        ret->y = cc_arena_alloc(a, ret->n * sizeof *ret->y);
        memcpy(ret->x, p->x.v, ret->n * sizeof *ret->x);
        memcpy(ret->y, p->y.v, ret->n * sizeof *ret->y);
    }
    CC_VEC_FINI(&p->x);
    CC_VEC_FINI(&p->y);
    return rc;
}

int cc_curve_parse(const struct cc_curve_kind *kind, const char *text, const char *path, unsigned line,
                   struct cc_arena *a, struct cc_curve *ret, struct cc_err *err)
{
    struct points p = {.kind = kind, .path = path, .line = line, .err = err};
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *save = NULL;
    int rc = 0;
    for (char *word = strtok_r(copy, " \t,", &save); rc == 0 && word; word = strtok_r(NULL, " \t,", &save)) {
        char *colon = strchr(word, ':');
        if (colon)
            *colon++ = 0;
        rc = add_point(&p, word, colon);
    }
    return finish(&p, rc, a, ret);
}

int cc_curve_load(const struct cc_curve_kind *kind, const char *path, struct cc_arena *a,
                  struct cc_curve *ret, struct cc_err *err)
{
    struct points p = {.kind = kind, .path = path, .err = err};
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &text, &size, err);
    for (char *at = text; rc == 0 && at;) {
        char *next = strchr(at, '\n'), *save = NULL;
        if (next)
            *next++ = 0;
        p.line++;
        at[strcspn(at, "#;\r")] = 0;
        char *x = strtok_r(at, " \t,", &save), *y = x ? strtok_r(NULL, " \t,", &save) : NULL;
        if (x)
            rc = add_point(&p, x, strtok_r(NULL, " \t,", &save) ? NULL : y);
        at = next;
    }
    if (rc == 0 && p.x.n == 0)
        p.line = 0;
    return finish(&p, rc, a, ret);
}

double cc_curve_at(const struct cc_curve *c, double x, double spreads)
{
#define Y(i) (c->y[i] + (c->spread ? spreads * c->spread[i] : 0))
    if (c->n == 1 || x <= c->x[0])
        return Y(0);
    size_t i = 1;
    while (i + 1 < c->n && c->x[i] < x)
        i++;
    double share = (x - c->x[i - 1]) / (c->x[i] - c->x[i - 1]);
    return Y(i - 1) + share * (Y(i) - Y(i - 1));
#undef Y
}
