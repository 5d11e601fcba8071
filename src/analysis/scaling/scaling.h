/* Scalability bottlenecks: addresses that take more and more of the time as cores are added. See README.md.
 */
#ifndef CC_ANALYSIS_SCALING_SCALING_H
#define CC_ANALYSIS_SCALING_SCALING_H

#include "../../../trace/trace.h"
#include "../../base/arena.h"
#include "../../base/err.h"
#include "../../base/ranks.h"

struct cc_scaling_options {
    double support; /* share of the platforms a hot spot must be hot on; never fewer than two, unless there is
                       only one */
    size_t top;
    unsigned threads;
    const struct cc_ranks *ranks; /* processes that share the traces; NULL: this one reads all */
};

enum { CC_SCALING_POINTS = 400 };

struct cc_scaling_platform {
    unsigned cores;
    uint64_t events, cycles, addresses;
    uint64_t block;                /* bytes of data that count as one address: 1 unless there are too many */
    uint64_t hot, normal;          /* addresses in each cluster */
    double hot_time, hot_accesses; /* centroids, shares in [0, 1] */
    double normal_time, normal_accesses;
    double distance,
        growth; /* between the centroids; over that on the platform with the fewest cores; NAN if that is 0 */
    /* the addresses with the largest shares, for a picture */
    struct cc_scaling_point {
        double time, accesses;
        bool hot;
    } * points;
    size_t npoints;
};

enum cc_scaling_class { CC_SCALING_CODE, CC_SCALING_DATA, CC_SCALING_WAIT };

struct cc_scaling_item {
    enum cc_scaling_class class;
    const char *function, *file; /* of code and waits; of data, what asks for it most; NULL if not known */
    uint32_t line, line_to;
    const char *object;
    uint64_t from, to; /* on the platform with the most cores among those where it is hot */
    size_t addresses;
    const double *time, *accesses; /* shares on every platform */
};

struct cc_scaling_hotspot {
    size_t support;                /* platforms it is hot on */
    const size_t *platforms;       /* their numbers, ascending */
    const double *time, *accesses; /* share of its addresses on every platform */
    double growth; /* time on the largest of its platforms over that on the smallest platform; INFINITY if it
                      is 0 there */
    const struct cc_scaling_item *items; /* the largest share of the time first */
    size_t nitems;
};

struct cc_scaling {
    struct cc_scaling_platform *platforms; /* by number of cores */
    size_t *order;                         /* platform -> number of the trace given */
    size_t nplatforms;
    size_t min_platforms;
    bool loss; /* both coordinates of the hot centroid grow from the fewest to the most cores */
    struct cc_scaling_hotspot *hotspots;
    size_t nhotspots;
    struct cc_arena arena;
};

/* Names in the result are borrowed from the traces. */
int cc_scaling_mine(struct cc_trace_reader *const *traces, size_t n, const struct cc_scaling_options *options,
                    struct cc_scaling **ret, struct cc_err *err);
void cc_scaling_free(struct cc_scaling *s);

/* k-means with k = 2 on points (x[i], y[i]), from the points with the smallest and the largest x + y. hot[i]
 * tells the cluster whose centroid has the larger x + y. centroids: normal x, y, hot x, y. Returns how many
 * are hot; none if all points are alike. */
size_t cc_scaling_cluster(const double *x, const double *y, size_t n, bool *hot, double centroids[static 4]);

#endif
