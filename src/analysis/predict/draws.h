/* An interval around a prediction: many replays, each with its own draw of what is not known exactly. Inside
 * the room only. */
#ifndef CC_ANALYSIS_PREDICT_DRAWS_H
#define CC_ANALYSIS_PREDICT_DRAWS_H

#include "model.h"
#include "../../base/rng.h"

enum { CC_DRAWS = 39 }; /* replays: the 2nd and the 38th bound nine tenths */

struct draw {
    cc_ticks cost[NCOLUMNS][NCOSTS];
    double overhead;        /* factor of what the runtime costs by the number of threads */
    double lock;            /* and of what handing on a lock takes */
    double waiting, beyond; /* factors of what pieces wait in the sequential run, and of what goes beyond */
    double share;    /* logarithm of what a share of the data takes against a copy, with many at work */
    double late;     /* how long whoever is woken for a task takes, 0 to 1; the middle as measured */
    uint64_t chance; /* which times those are */
    double bound;    /* how much of the work is bound by what memory gives, where nothing tells: 0 to 1 */
    double *speed;   /* by processor: factor of what its work takes */
    double *rank;    /* by processor: where it stands among the copies of a co-run, 0 to 1 */
};

void cc_draw_init(struct draw *d, unsigned processors);
void cc_draw_fini(struct draw *d);
/* A new one, the how-many-th of CC_DRAWS. */
void cc_draw_next(struct draw *d, const struct cc_predict_model *m, unsigned processors, int number,
                  struct cc_rng *rng);
/* The ends of what may be where nothing tells how much of its memory a program wants: side -1: none, and
 * quick code; 1: all it gives, and slow code. */
void cc_draw_end(struct draw *d, const struct cc_predict_model *m, unsigned processors, int side);
/* The interval that so much of the draws lies in; sorts the times. */
void cc_draw_interval(cc_ticks *times, size_t n, double coverage, cc_ticks *ret_low, cc_ticks *ret_high);
/* Whether it is among the middle half of them. */
bool cc_draw_is_among(const cc_ticks *times, size_t n, cc_ticks time);

#endif
