/* Transfers between units: a straight line, or a measured curve of bytes and seconds. */
#include "units.h"
#include "../../base/file.h"

#include <math.h>

enum { MAX_CURVE = 4 << 20, MAX_POINTS = 4096 };

static int parse_curve(const char *path, char *text, struct cc_link *l, struct cc_err *err)
{
    CC_VEC(double) bytes = {0};
    CC_VEC(double) seconds = {0};
    unsigned line = 0;
    int rc = 0;
    for (char *at = text; rc == 0 && at;) {
        char *next = strchr(at, '\n');
        if (next)
            *next++ = 0;
        line++;
        at[strcspn(at, "#;\r")] = 0;
        char *save = NULL, *first = strtok_r(at, " \t,", &save), *second = strtok_r(NULL, " \t,", &save);
        double b, s;
        at = next;
        if (!first)
            continue;
        if (!second || strtok_r(NULL, " \t,", &save) || !cc_parse_f64(first, &b) ||
            !cc_parse_f64(second, &s) || b < 0 || s < 0 || bytes.n == MAX_POINTS)
            rc = cc_err_at(err, CC_EINPUT, path, line, "expected 'bytes seconds', at most %d lines",
                           MAX_POINTS);
        else if (bytes.n && b <= bytes.v[bytes.n - 1])
            rc = cc_err_at(err, CC_EINPUT, path, line, "the sizes of a curve must rise");
        else {
            CC_VEC_PUSH(&bytes, b);
            CC_VEC_PUSH(&seconds, s);
        }
    }
    if (rc == 0 && bytes.n == 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "the curve has no points");
    l->bytes = bytes.v;
    l->seconds = seconds.v;
    l->n = bytes.n;
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
    ret->latency = cc_platform_num_or(p, section, "latency", 0);
    ret->bandwidth = cc_platform_num_or(p, section, "bandwidth", NAN);
    if (!path) {
        if (isnan(ret->bandwidth))
            return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                             "[%.200s] has neither 'bandwidth' nor a 'curve'", section);
        return 0;
    }
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_CURVE, &text, &size, err);
    if (rc == 0)
        rc = parse_curve(path, text, ret, err);
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
