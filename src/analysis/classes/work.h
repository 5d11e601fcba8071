/* The work of a recorded run in parts, functions or regions: what each computes, what it moves, who gives how
 * much to whom. What units and mapping start from. */
#ifndef CC_ANALYSIS_CLASSES_WORK_H
#define CC_ANALYSIS_CLASSES_WORK_H

#include "classes.h"
#include "../units/units.h"
#include "../../profile/line_trace.h"

enum { CC_WORK_MAX_PARTS = 500 };

struct cc_work_part {
    const char *name; /* no two alike */
    struct cc_class_counts counts;
    uint64_t in, out; /* bytes from others that it read for the first time; its own that others so read,
                         counted for each reader */
    size_t members;   /* functions or regions: 1, but for the rest */
    uint64_t reuse[CC_REUSE_KINDS]; /* its accesses by reuse distance, where the recording has them */
};

struct cc_work_stream { /* between two different parts */
    size_t from, to;
    uint64_t fresh, unma; /* bytes read for the first time; distinct addresses */
    bool has_unma;
};

struct cc_work {
    struct cc_arena arena;
    struct cc_work_part *parts;     /* heaviest first, then the rest */
    struct cc_work_stream *streams; /* by from, to; one for each pair */
    size_t nparts, nstreams;
    size_t rest; /* the part of all that is too light for one of its own; SIZE_MAX: there is none */
    struct cc_class_counts total;
    bool has_reuse;
};

/* `level`: CC_LEVEL_FUNCTION or CC_LEVEL_REGION. The `top` heaviest are parts (at most CC_WORK_MAX_PARTS);
 * what lies outside all functions is never one. */
int cc_work_build(const struct cc_profile *p, enum cc_level level, size_t top, struct cc_work **ret,
                  struct cc_err *err);
void cc_work_free(struct cc_work *w);

/* Bytes of the caches in front of a CPU's memory; 0: not told. */
struct cc_work_caches {
    double first, last;
};

/* Each part as a kernel: its counts and bytes for each of `elements` (1: the whole run). A recording does not
 * tell how work divides over cores: it is taken to be independent (P0) and not vectorised. Where it has reuse
 * distances, what misses a cache of `cache` bytes is told too; 0: it is not known how large it is. */
struct cc_kernels *cc_work_kernels(const struct cc_work *w, const char *path, double elements,
                                   const struct cc_work_caches *caches);

#endif
