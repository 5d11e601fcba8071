/* The trace of lines of a profile (record --locality): which 32-byte grains a thread touched, as far as a
 * cache would notice; collect/locality_record.h has its bytes and what is left out of it. They stay packed in
 * memory, with an index by time; those of a short one are unpacked as well, since they are read many times.
 */
#ifndef CC_PROFILE_LINE_TRACE_H
#define CC_PROFILE_LINE_TRACE_H

#include "store.h"
#include "../../collect/locality_record.h"

/* --- writing, when records are imported --- */

struct cc_line_writer;
struct cc_line_writer *cc_line_writer_new(struct cc_store *store);
int cc_line_writer_add(struct cc_line_writer *w, uint32_t thread, const void *bytes, size_t size,
                       struct cc_err *err);
/* Writes what is left and frees it, whatever the result. */
int cc_line_writer_finish(struct cc_line_writer *w, struct cc_err *err);

/* --- reading --- */

struct cc_line_event {
    uint64_t time;    /* instructions of the thread when it was touched; never goes back */
    uint64_t address; /* of the grain */
    uint32_t flags;   /* CC_LINES_WRITE | … */
    uint32_t line;    /* its line, numbered from 0 as they appear */
    /* With CC_LINES_COUNT, what was left out of the line: between `first` and `last` in time, neither behind
     * `time`; by kind, and the first of them one by one. */
    uint64_t first, last;
    uint32_t kinds; /* 1 << enum cc_line_kind: there were some */
    uint32_t count[CC_LINE_KINDS];
    const unsigned char *pattern;
};

/* The next of an event's pattern: ticks since the line's access before << 2 | enum cc_line_kind. */
uint32_t cc_line_pattern(const unsigned char **pattern);

struct cc_line_trace;
bool cc_line_trace_present(struct cc_store *store); /* of any thread */
/* Of one thread; `shift` as the profile's lines_shift says: what is of other colours is passed over.
 * *ret NULL: there is none. */
int cc_line_trace_load(struct cc_store *store, uint32_t thread, unsigned shift, struct cc_line_trace **ret,
                       struct cc_err *err);
void cc_line_trace_free(struct cc_line_trace *t);
unsigned cc_line_trace_weight(const struct cc_line_trace *t); /* how many lines each stands for */
uint64_t cc_line_trace_events(const struct cc_line_trace *t); /* without counts */
uint32_t cc_line_trace_lines(const struct cc_line_trace *t);  /* how many there are */

/* The pages that the thread's stack was seen in; both 0: in none. */
void cc_line_trace_stack(const struct cc_line_trace *t, uint64_t *ret_from, uint64_t *ret_to);

struct cc_line_cursor {
    const struct cc_line_trace *t;
    size_t at, end;
    uint64_t time, grain;
    size_t access, count; /* where the trace is unpacked */
};
/* From the first event at `time` or later on. */
void cc_line_seek(const struct cc_line_trace *t, uint64_t time, struct cc_line_cursor *ret);
/* The same for one that is in use; quick, if it stands there already. */
void cc_line_go(struct cc_line_cursor *c, uint64_t time);
/* false: there is none before `until`. */
bool cc_line_next(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret);
/* One kind of events alone, of a cursor that reads no other: accesses, or counts. */
bool cc_line_next_access(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret);
bool cc_line_next_count(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret);
/* The next count in two steps: whose it is and of what kinds; then, if that matters, how many and when. */
bool cc_line_find_count(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret);
void cc_line_read_count(const struct cc_line_cursor *c, struct cc_line_event *e);

#endif
