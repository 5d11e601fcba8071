/* Which thing of one recording is which of another. */
#ifndef CC_ANALYSIS_COMPARE_MATCH_H
#define CC_ANALYSIS_COMPARE_MATCH_H

#include "subjects.h"

enum cc_match_how { CC_MATCH_NAME, CC_MATCH_MOVED, CC_MATCH_RENAMED };

struct cc_match {
    uint32_t *to[CC_OFS]; /* [kind][thing of a]: the thing of b; CC_NONE: there is none */
    uint32_t *from[CC_OFS];
    uint8_t *how[CC_OFS]; /* [kind][thing of a] */
};

void cc_match_build(const struct cc_subjects *a, const struct cc_subjects *b, struct cc_match *ret);
void cc_match_fini(struct cc_match *m);

#endif
