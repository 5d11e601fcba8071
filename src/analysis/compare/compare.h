/* Two recordings side by side: what is the same thing in both, and what became of its figures. README.md says
 * what counts as the same and what as noise. */
#ifndef CC_ANALYSIS_COMPARE_COMPARE_H
#define CC_ANALYSIS_COMPARE_COMPARE_H

#include "match.h"

struct cc_difference {
    const struct cc_subject *a, *b; /* NULL: only in the other */
    enum cc_match_how how;          /* if in both */
    double change[CC_FIGURES]; /* (b - a) / a; infinite from 0 to something; NAN: not known, or in one only */
    bool differs;              /* some figure does */
    bool noise;                /* its time does, by no more than times vary */
    double weight;             /* share of the first figure, of all of its kind, the larger of both runs */
};

struct cc_comparison {
    const struct cc_subjects *a, *b;         /* borrowed */
    CC_VEC(struct cc_difference) of[CC_OFS]; /* largest absolute change of the first figure first */
    size_t same[CC_OFS];                     /* of those, how many do not differ */
    CC_VEC(const char *) limits;             /* what these two cannot tell, as sentences */
    bool instructions;                       /* both count instructions of one kind */
    struct cc_match match;
    struct cc_arena arena;
};

void cc_compare(const struct cc_subjects *a, const struct cc_subjects *b, struct cc_comparison **ret);
void cc_comparison_free(struct cc_comparison *c);

const char *cc_difference_name(const struct cc_difference *d); /* of b where it is there */

#endif
