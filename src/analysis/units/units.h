/* Time intervals of kernels on the units of a chip, before anyone ports them. A kernel is described by how
 * many instructions of each class it needs for each element (pixel); a unit by how many of each it does in a
 * cycle. Times are ticks of the unit's own clock for each element. */
#ifndef CC_ANALYSIS_UNITS_UNITS_H
#define CC_ANALYSIS_UNITS_UNITS_H

#include "../../base/arena.h"
#include "../../base/err.h"
#include "../../isa/class.h"
#include "../../platform/platform.h"

/* How the work divides over cores: independent; through atomics; ending in a reduction; iteration after
 * iteration. */
enum cc_parallel { CC_P0, CC_P1, CC_P2, CC_P3 };
enum cc_vector { CC_VECTOR_NO, CC_VECTOR_MAYBE, CC_VECTOR_YES };

struct cc_kernel {
    const char *name;
    const char *unit;     /* only for this unit; NULL: for every one that has no description of its own */
    double n[CC_CLASSES]; /* instructions for each element */
    double chained;       /* of the accesses, loads that wait for what they loaded before */
    double bytes;         /* moved between the unit and its memory, for each element */
    bool has_missed;
    double missed;       /* the same where a recording shows what misses the caches of a CPU */
    double missed_first; /* lines that miss the first of them */
    enum cc_parallel parallel;
    double atomics;        /* P1: atomic updates for each element; 1 if a file does not say */
    double iterations;     /* P3: dependent iterations over the whole input */
    double inner;          /* P3: cores one iteration can use */
    double halo;           /* rows a core works on beyond its share */
    enum cc_vector vector; /* whether the compiler vectorises it */
    const char *file;
    unsigned line; /* where it is described, 0 if nowhere */
};

struct cc_kernels {
    struct cc_arena arena;
    const char *path;
    CC_VEC(struct cc_kernel) v; /* in the order of the chain */
};

/* A kernel description file: see docs/man/corecast-units.1. */
int cc_kernels_load(const char *path, struct cc_kernels **ret, struct cc_err *err);
int cc_kernels_parse(const char *path, const char *text, size_t size, struct cc_kernels **ret,
                     struct cc_err *err);
/* An empty list to fill from elsewhere (the classes of a recording): push to ->v, names from ->arena. */
struct cc_kernels *cc_kernels_new(const char *path);
void cc_kernels_free(struct cc_kernels *k);

struct cc_unit {
    const char *name, *kind;
    double clock_hz;
    double cores;
    bool superscalar;
    bool gpu;                         /* a core is a multiprocessor: many threads, also on one */
    double per_cycle[CC_CLASSES];     /* of one core; NAN: none given. MEMORY is load_store. */
    double spread[CC_CLASSES];        /* of these: what they may be more or less */
    double vector_load_store;         /* NAN: as load_store */
    double bandwidth, core_bandwidth; /* bytes per second, NAN: unknown */
    double latency;                   /* cycles of an access that nothing hides, 0 if unknown */
    double miss;         /* cycles of a line from the memory when as many are under way as can be */
    double mispredict;   /* cycles; 0 if unknown */
    double second;       /* cycles that a line takes from the second cache, 0 if unknown */
    double alone;        /* and from memory, no other under way */
    double load_latency; /* cycles from a load to one that needs it; 0 if unknown */
    double vector_gain;  /* 1 if unknown */
    double atomic, reduction, barrier; /* cycles, NAN if unknown */
};

/* All [unit.*] of a platform, in file order; names are borrowed from it. */
int cc_units_load(const struct cc_platform *p, struct cc_unit **ret, size_t *ret_n, struct cc_err *err);

struct cc_interval {
    double low, high;
};

struct cc_kernel_time {
    const struct cc_kernel *kernel;
    const struct cc_unit *unit;
    struct cc_interval time;    /* the wider of the two below, end by end */
    struct cc_interval compute; /* between the slowest class and the sum of all */
    struct cc_interval memory;  /* both 0 when nothing is known about it */
    const char *bound;          /* "compute" or "memory": which sets the upper end */
    enum cc_class class;        /* the slowest class */
    double intensity; /* instructions that compute for each that accesses memory; NAN: no accesses */
};

/* `cores` of the unit are used (no more than it has); rows and columns of the image, 0 if there is none. */
int cc_kernel_interval(const struct cc_kernel *k, const struct cc_unit *u, double cores, double columns,
                       double rows, struct cc_kernel_time *ret, struct cc_err *err);

/* Asks the platform once more for the figures that this time rests on, and no others: what
 * cc_platform_assumed then tells is about it. */
void cc_kernel_figures(const struct cc_platform *p, const struct cc_kernel_time *t, double cores);

/* The kernels of the chain as they are on unit u: those described for it, and the general ones. */
size_t cc_kernels_on(const struct cc_kernels *k, const struct cc_unit *u, const struct cc_kernel **out);

#endif
