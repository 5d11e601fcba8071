/* What must not happen between two recordings: "stream bytes > +5%". */
#ifndef CC_ANALYSIS_COMPARE_CONDITION_H
#define CC_ANALYSIS_COMPARE_CONDITION_H

#include "compare.h"

/* KIND [NAME] FIGURE COMPARISON VALUE, words apart by blanks, a NAME with blanks in quotes:
 *     function instructions > +5%         relative change from a to b
 *     stream 'main -> *' bytes > +1M      absolute change; k, M, G are powers of 1024
 *     loop iterations != +0               any change
 *     run instructions > 2000000          the figure itself, in b
 * KIND is that of subjects.h or `new`, `gone` with no figure: `new function`, `gone loop`. */
struct cc_condition {
    const char *text; /* borrowed */
    enum cc_subject_kind kind;
    char *name; /* a pattern as of the shell; NULL: all */
    size_t figure;
    enum cc_condition_of { CC_ON_VALUE, CC_ON_CHANGE, CC_ON_RELATIVE, CC_ON_NEW, CC_ON_GONE } on;
    enum cc_condition_test {
        CC_LESS,
        CC_LESS_EQUAL,
        CC_EQUAL,
        CC_NOT_EQUAL,
        CC_GREATER,
        CC_GREATER_EQUAL
    } test;
    double value;
};

int cc_condition_parse(const char *text, struct cc_condition *ret, struct cc_err *err);
void cc_condition_fini(struct cc_condition *c);

/* Whether it holds of a thing: whether what must not happen did. Something new or gone has 0 on the other
 * side. A time that differs by noise does not. */
bool cc_condition_holds(const struct cc_condition *c, const struct cc_difference *d);

#endif
