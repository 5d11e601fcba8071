/* Which control variables a figure goes with, the combination of them it goes with best, the line no run
 * exceeded, and runs that behave alike. */
#ifndef CC_ANALYSIS_GROWTH_RELATE_H
#define CC_ANALYSIS_GROWTH_RELATE_H

#include "samples.h"

struct cc_relation {
    double weight;      /* share in the principal component; all add up to 1 */
    double correlation; /* of ranks (Spearman); NAN: the variable is no number, or never varies */
    double chance; /* that ranks of unrelated numbers go together as much, allowing for how many were asked */
    bool matters;  /* chance below 5 % */
};

/* One for each variable; scores[run]: what the variables have in the principal component of them and the
 * figure, each first made alike in spread and then weighted by how much the figure goes with it. Variables
 * that do not go with each other all count, which a component of them alone would not give. */
void cc_relate(const struct cc_controls *c, const double *y, struct cc_relation *ret, double *scores);

/* The line above all points that is lowest at their mean x: y <= a + b x. */
void cc_upper_line(const double *x, const double *y, size_t n, double *a, double *b);

/* Groups of runs whose streams are alike: group[run], and how many. 1: no grouping is clear (a silhouette of
 * 0.5). */
size_t cc_group_runs(const struct cc_samples *s, uint32_t *group, double *ret_silhouette);

#endif
