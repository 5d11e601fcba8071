/* Shared by the measuring files of level 2. */
#ifndef CC_ANALYSIS_UNITS_MEASURE_H
#define CC_ANALYSIS_UNITS_MEASURE_H

#include "units.h"

/* One size of a copy curve. */
struct cc_copy_point {
    double bytes, seconds;
};
enum { CC_COPY_POINTS = 16 };

double cc_measure_now(void); /* seconds, monotonic */
/* "points = bytes:seconds …" of a [link.*.*] section. */
void cc_measure_print_points(FILE *out, const struct cc_copy_point *v, size_t n);

/* Sections of the first NVIDIA GPU and its link to unit `host`, through the CUDA driver loaded at run time.
 * Returns 0 and says why in a comment when there is no driver or no device. */
int cc_measure_cuda(FILE *out, const char *host, struct cc_err *err);

#endif
