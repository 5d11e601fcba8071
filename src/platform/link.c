#include "link.h"

#include <math.h>

static const struct cc_curve_kind sizes = {"sizes", "seconds", 0, 1e18, 0, 1e12};

static int load_curve(const struct cc_platform *p, const char *section, struct cc_arena *a,
                      struct cc_curve *ret, struct cc_err *err)
{
    const char *file = cc_platform_file(p, section, CC_STR_LINK_CURVE);
    const char *points = cc_platform_str_or(p, section, CC_STR_LINK_POINTS, NULL);
    if (file)
        return cc_curve_load(&sizes, file, a, ret, err);
    if (points)
        return cc_curve_parse(&sizes, points, cc_platform_path(p),
                              cc_platform_line(p, section, CC_STR_LINK_POINTS), a, ret, err);
    return 0;
}

int cc_link_load(const struct cc_platform *p, const char *from, const char *to, struct cc_arena *a,
                 struct cc_link *ret, struct cc_err *err)
{
    *ret = (struct cc_link){0};
    char section[600];
    snprintf(section, sizeof section, "link.%s.%s", from, to);
    if (!cc_platform_has(p, section)) {
        snprintf(section, sizeof section, "link.%s.%s", to, from);
        if (!cc_platform_has(p, section) ||
            strcmp(cc_platform_str_or(p, section, CC_STR_LINK_BOTH_WAYS, "yes"), "yes") != 0)
            return 0;
    }
    ret->present = true;
    ret->latency = cc_platform_num_or(p, section, CC_NUM_LINK_LATENCY, 0);
    ret->bandwidth = cc_platform_num_or(p, section, CC_NUM_LINK_BANDWIDTH, INFINITY);
    int rc = load_curve(p, section, a, &ret->curve, err);
    if (rc == 0 && !ret->curve.n && isinf(ret->bandwidth) &&
        !cc_platform_line(p, section, CC_NUM_LINK_LATENCY))
        rc = cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                       "[%.200s] has neither 'bandwidth' nor 'curve' nor 'points'", section);
    return rc;
}

double cc_link_seconds(const struct cc_link *l, double bytes)
{
    const struct cc_curve *c = &l->curve;
    if (!c->n)
        return l->latency + bytes / l->bandwidth;
    double last = c->y[c->n - 1];
    if (bytes <= c->x[c->n - 1])
        return cc_curve_at(c, bytes, 0);
    if (c->n == 1)
        return c->x[0] > 0 ? last * (bytes / c->x[0]) : last;
    return fmax(cc_curve_at(c, bytes, 0), last);
}

const char *cc_link_to_logic(const struct cc_platform *p)
{
    const char *const *names;
    size_t n = cc_platform_list(p, "link", &names);
    for (size_t i = 0; i < n; i++) {
        const char *dot = strchr(names[i], '.');
        if (dot && (strcmp(dot, ".pl") == 0 || strcmp(dot, ".fpga") == 0))
            return names[i];
    }
    return n == 1 ? names[0] : NULL;
}
