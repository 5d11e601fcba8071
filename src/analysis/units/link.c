/* Transfers between units: a straight line, or a measured curve of bytes and seconds. */
#include "units.h"
#include "../../base/file.h"

#include <math.h>

enum { MAX_CURVE = 4 << 20, MAX_POINTS = 4096 };

struct curve {
    CC_VEC(double) bytes;
    CC_VEC(double) seconds;
};

/* One point; sizes must rise. */
static int add_point(struct curve *c, const char *bytes, const char *seconds, const char *path, unsigned line,
                     struct cc_err *err)
{
    double b, s;
    if (!bytes || !seconds || !cc_parse_f64(bytes, &b) || !cc_parse_f64(seconds, &s) || b < 0 || s < 0 ||
        c->bytes.n == MAX_POINTS)
        return cc_err_at(err, CC_EINPUT, path, line, "a curve has points of bytes and seconds, at most %d",
                         MAX_POINTS);
    if (c->bytes.n && b <= c->bytes.v[c->bytes.n - 1])
        return cc_err_at(err, CC_EINPUT, path, line, "the sizes of a curve must rise");
    CC_VEC_PUSH(&c->bytes, b);
    CC_VEC_PUSH(&c->seconds, s);
    return 0;
}

/* A file: 'bytes seconds' a line. */
static int parse_curve(const char *path, char *text, struct curve *c, struct cc_err *err)
{
    unsigned line = 0;
    int rc = 0;
    for (char *at = text; rc == 0 && at;) {
        char *next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        line++;
        at[strcspn(at, "#;\r")] = 0;
        char *save = NULL, *first = strtok_r(at, " \t,", &save), *second = strtok_r(NULL, " \t,", &save);
        if (first)
            rc = add_point(c, first, strtok_r(NULL, " \t,", &save) ? NULL : second, path, line, err);
        at = next;
    }
    return rc;
}

/* In the platform file: 'bytes:seconds …'. */
static int parse_points(const char *path, unsigned line, const char *value, struct curve *c,
                        struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(value);
    char *save = NULL;
    int rc = 0;
    for (char *word = strtok_r(copy, " \t,", &save); rc == 0 && word; word = strtok_r(NULL, " \t,", &save)) {
        char *colon = strchr(word, ':');
        if (colon)
            *colon++ = 0;
        rc = add_point(c, word, colon, path, line, err);
    }
    return rc;
}

int cc_link_load(struct cc_platform *p, const char *from, const char *to, struct cc_link *ret,
                 struct cc_err *err)
{
    *ret = (struct cc_link){0};
    char section[600];
    snprintf(section, sizeof section, "link.%s.%s", from, to);
    if (!cc_platform_has(p, section)) {
        snprintf(section, sizeof section, "link.%s.%s", to, from);
        if (!cc_platform_has(p, section) ||
            strcmp(cc_platform_str_or(p, section, "both_ways", "yes"), "yes") != 0)
            return 1;
    }
    const char *path = cc_platform_file(p, section, "curve");
    const char *points = cc_platform_str_or(p, section, "points", NULL);
    unsigned line = cc_platform_line(p, section, path ? "curve" : "points");
    ret->latency = cc_platform_num_or(p, section, "latency", 0);
    ret->bandwidth = cc_platform_num_or(p, section, "bandwidth", NAN);
    if (!path && !points) {
        if (isnan(ret->bandwidth))
            return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                             "[%.200s] has neither 'bandwidth' nor 'curve' nor 'points'", section);
        return 0;
    }
    struct curve c = {0};
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = path ? cc_file_read(path, MAX_CURVE, &text, &size, err) : 0;
    if (rc == 0)
        rc = path ? parse_curve(path, text, &c, err)
                  : parse_points(cc_platform_path(p), line, points, &c, err);
    if (rc == 0 && c.bytes.n == 0)
        rc = cc_err_at(err, CC_EINPUT, path ? path : cc_platform_path(p), path ? 0 : line,
                       "the curve has no points");
    ret->bytes = c.bytes.v;
    ret->seconds = c.seconds.v;
    ret->n = c.bytes.n;
    if (rc < 0)
        cc_link_fini(ret);
    return rc;
}

void cc_link_fini(struct cc_link *l)
{
    free(l->bytes);
    free(l->seconds);
    l->bytes = l->seconds = NULL;
    l->n = 0;
}

double cc_link_seconds(const struct cc_link *l, double bytes)
{
    if (l->n == 0)
        return l->latency + bytes / l->bandwidth;
    if (l->n == 1 || bytes <= l->bytes[0])
        return l->seconds[0];
    size_t i = 0;
    while (i + 2 < l->n && l->bytes[i + 1] < bytes)
        i++;
    double part = (bytes - l->bytes[i]) / (l->bytes[i + 1] - l->bytes[i]);
    return fmax(l->seconds[i] + part * (l->seconds[i + 1] - l->seconds[i]), 0);
}
