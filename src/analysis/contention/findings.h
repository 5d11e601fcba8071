/* What cores lose to each other, from what the simulator knows of every access: no latency is judged, nothing
 * is extrapolated. Events are fed one by one, in any number and bounded memory, from a trace or while it is
 * made. See README.md. */
#ifndef CC_ANALYSIS_CONTENTION_FINDINGS_H
#define CC_ANALYSIS_CONTENTION_FINDINGS_H

#include "../../../trace/trace.h"
#include "../../base/arena.h"

enum cc_cause {
#define CC_CAUSE(id, ...) CC_CAUSE_##id,
#include "causes.def"
#undef CC_CAUSE
    CC_CAUSES
};

/* What a speed-up stack counts a cause as. */
enum cc_cause_part {
    CC_PART_COHERENCE,
    CC_PART_QUEUES,
    CC_PART_LOCKS,
    CC_PART_BARRIERS,
    CC_PART_SERIAL,
    CC_PART_IDLE
};

struct cc_cause_info {
    const char *name, *advice;
    enum cc_cause_part part;
};
extern const struct cc_cause_info cc_causes[CC_CAUSES];

enum cc_finding_item {
    CC_ITEM_FAULT,
    CC_ITEM_LINE,
    CC_ITEM_FUNCTION,
    CC_ITEM_OBJECT,
    CC_ITEM_ADDRESS,
    CC_ITEM_PATH, /* the call path inside the program */
    CC_ITEM_LOOP, /* the innermost loop on it */
};

/* Of a call path, inside the program. */
struct cc_frame {
    const char *function, *file; /* file: NULL if not known */
    uint32_t line;
    const char *loop_file; /* of the innermost loop around it in its function; NULL: none */
    uint32_t loop;
};

struct cc_finding {
    enum cc_cause cause;
    const char *function, *file; /* NULL if not known */
    uint32_t line;
    const char *object; /* NULL if not known */
    const char *called; /* the library's function that the line calls, NULL: none */
    bool region;        /* at the end of an OpenMP region, which begins at the line */
    uint64_t from, to;  /* addresses */
    uint64_t cycles, events;
    double share, gain; /* of cores x cycles; times as fast without it */
    int node;           /* where queued, -1: none */
    const uint16_t *cpus;
    size_t ncpus;
    const struct cc_frame *path; /* to the costliest of its instructions, the outermost first */
    size_t npath;
};

/* A line of the caches, or what is waited for, and which cores lost how much there. */
struct cc_hot_line {
    uint64_t address;
    const char *object; /* NULL if not known */
    enum cc_cause cause;
    uint64_t cycles;
    int node;               /* its home; -1: not known, or several */
    const uint64_t *by_cpu; /* of `cores` */
};

struct cc_findings {
    bool known; /* the trace has causes: there is something to say */
    unsigned cores;
    uint64_t cycles, lost; /* of the run; of all cores */
    double share;          /* lost, of cores x cycles */
    uint64_t causes[CC_CAUSES];
    uint64_t spinning; /* of these, in spin loops */
    uint64_t
        busy; /* of these, what cores were busy with: spin loops, calls that wait or wake, slow accesses */
    struct cc_finding *findings; /* the costliest first */
    size_t nfindings;
    uint64_t bin_cycles; /* what was lost when: bins of this length */
    uint64_t (*bins)[CC_CAUSES];
    size_t nbins;
    struct cc_hot_line *lines; /* the costliest first */
    size_t nlines;
    struct cc_arena arena;
};

struct cc_watch; /* what is fed */

struct cc_watch *cc_watch_new(unsigned cpus, unsigned line_bytes); /* of the data caches, 0: 64 */
void cc_watch_feed(struct cc_watch *w, const struct cc_trace_event *e);
void cc_watch_free(struct cc_watch *w);

struct cc_findings_options {
    enum cc_finding_item item;
    double least; /* share of cores x cycles that is worth naming */
    size_t top;
};

/* Names are borrowed from `trace`, whose events are not read; it may have none. */
struct cc_findings *cc_findings_of(struct cc_watch *w, struct cc_trace_reader *trace,
                                   const struct cc_findings_options *o);
/* Reads all events of the trace first. */
struct cc_findings *cc_findings_read(struct cc_trace_reader *trace, const struct cc_findings_options *o);
void cc_findings_free(struct cc_findings *f);

#endif
