/* A line on the terminal that tells how far a long command is, how fast it goes and how long it will take.
 * The one who owns it begins and ends it; whoever works on it only counts, and may be given none at all. */
#ifndef CC_BASE_PROGRESS_H
#define CC_BASE_PROGRESS_H

#include "base.h"
#include "count.h"

#include <pthread.h>

struct cc_progress {
    const char *what; /* "timing" */
    const char *unit; /* "runs"; NULL: nothing is counted */
    bool program; /* a program of the user's runs: what it uses is told, and it may write to the terminal */
    struct cc_count count;
    /* How much is done, for work that nobody here counts: asked before each line; NULL: nobody knows. It does
     * not allocate. */
    uint64_t (*ask)(void *data);
    void *data;
    /* private */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t stopping;
    bool running, stop, drawn, hidden;
    uint64_t written; /* by the program when it was first looked at */
    double used;      /* CPU time of it when it was last looked at */
    double told;      /* seconds when `ask` last knew more; 0: never */
    double began;
    /* seconds, and what was done, when the present phase was first seen */
    double phase_began;
    uint64_t phase_done;
    uint32_t phase;
};

/* `shown` false: nothing will ever be. Fields above `private` are set before. */
void cc_progress_begin(struct cc_progress *p, bool shown);
void cc_progress_end(struct cc_progress *p);             /* leaves no trace on the terminal */
void cc_progress_add(struct cc_progress *p, uint64_t n); /* p may be NULL; any thread */

/* The line, of at most n - 1 bytes. `used`: bytes of memory of the program, seconds of its CPU time; NULL:
 * not told. */
struct cc_progress_used {
    double seconds, bytes;
};
void cc_progress_line(const struct cc_progress *p, double seconds, const struct cc_progress_used *used,
                      char *out, size_t n);

#endif
