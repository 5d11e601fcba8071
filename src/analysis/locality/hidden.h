/* Accesses that the trace of lines leaves out and only counts, put back into the order of time, at the
 * distances of the first of them. Inside the room only. */
#ifndef CC_ANALYSIS_LOCALITY_HIDDEN_H
#define CC_ANALYSIS_LOCALITY_HIDDEN_H

#include "../../profile/line_trace.h"

struct hidden_run; /* of one line, from when it was told to when another took its place */

struct hidden_next {
    double time;
    size_t run; /* behind the heap's end: a place that is free */
};

struct hidden {
    struct cc_line_cursor ahead; /* what of the piece was not looked at yet */
    uint64_t until, known;       /* the piece's end; all counts before this time are among the runs */
    struct hidden_run *runs;
    struct hidden_next *heap; /* the next access first */
    size_t n, cap;
    bool given;  /* the first of the heap, by the last call */
    double soon; /* there is none before; -INFINITY: that is not known */
    bool (*wanted)(const void *self, const struct cc_line_event *line); /* loads of it matter */
    const void *self;
};

struct hidden_access {
    double time; /* of the trace */
    uint64_t address;
    uint32_t line;
    enum cc_line_kind kind;
    bool stack;
};

/* The piece from where the cursor stands to `until`. */
void cc_hidden_begin(struct hidden *h, const struct cc_line_cursor *at, uint64_t until);
bool cc_hidden_take(struct hidden *h, double before, struct hidden_access *ret);
/* The next access, which it takes away, if there is one before `before`. */
static inline bool cc_hidden_next(struct hidden *h, double before, struct hidden_access *ret)
{
    return h->soon < before && cc_hidden_take(h, before, ret);
}
/* Of the run that the access given last is from, no more of this kind are made: they would find what it
 * found.
 */
void cc_hidden_pass(struct hidden *h, enum cc_line_kind kind);
void cc_hidden_fini(struct hidden *h);

#endif
