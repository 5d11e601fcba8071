/* The trace that a plain program leaves whose marks take time stamps (-DCORECAST_NATIVE, libcorecast-native;
 * engines/native/trace.h): reading it. Running such programs is run/native.h's. */
#ifndef CC_PROFILE_NATIVE_H
#define CC_PROFILE_NATIVE_H

#include "tasks.h"

struct cc_native_site {
    uint32_t kind, line; /* kind: enum cc_nt_kind */
    char *name, *file;
};

struct cc_native_trace {
    char *path;
    const unsigned char *data; /* the file, mapped */
    size_t size;
    double ns_per_tick;
    double mark_ns;         /* own cost of one mark, taken out of all times below */
    bool complete;          /* the program left through exit() */
    uint64_t lost, skipped; /* marks the library had to drop; damaged blocks passed over */
    uint32_t pid;
    double
        cpu_share; /* CPU time of the run / its length, at most 1: less when it waited or was kept waiting */
    double inside_ns; /* from the library's first moment to its last, nothing taken out; 0 if not complete */
    double end_ns;    /* of the run, compensated like the events of the thread with most marks */
    struct cc_native_site *sites; /* by id; [0] is unused */
    size_t nsites;
    size_t nthreads;
    struct cc_native_piece *pieces; /* by thread, stream, seq */
    size_t npieces;
    struct cc_native_off { /* recording was off, raw ns */
        double from, to;
    } * off;
    size_t noff;
};

struct cc_native_event {
    uint32_t site;
    double ns; /* since the start, without the marks' own cost and without the time recording was off */
};

int cc_native_trace_open(const char *path, struct cc_native_trace **ret, struct cc_err *err);
void cc_native_trace_free(struct cc_native_trace *t);

/* The begin and end marks of one thread in time order; what happened while recording was off is left out. */
struct cc_native_cursor;
struct cc_native_cursor *cc_native_cursor_new(const struct cc_native_trace *t, size_t thread);
bool cc_native_next(struct cc_native_cursor *c, struct cc_native_event *ev);
void cc_native_cursor_free(struct cc_native_cursor *c);

/* Time spent in each name itself, without what is nested in it; by site name. For co-runs. */
struct cc_native_times {
    struct cc_native_time {
        char *name;
        double ns;
    } * v;
    size_t n;
    double total_ns;
    double cpu_share; /* of the trace */
};
void cc_native_times_of(const struct cc_native_trace *t, struct cc_native_times *ret);
void cc_native_times_fini(struct cc_native_times *t);

#endif
