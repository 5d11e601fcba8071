/* The task trace of a profile: what a recorder saw begin and end, with a time stamp each. It lies in the
 * chunks of a .cast file and is written and read in bounded memory; docs/format/tasks.md describes the bytes.
 *
 * A task is named `function` or `function.label`. Time is in ticks of the trace's clock and never goes back
 * within a thread; while collection is switched off the recorder's clock stands still. Counters (accesses per
 * memory, say) are running totals of the thread, given with every event exactly as the time is.
 *
 *     w = cc_tasks_writer_new(store, "ns", 1e9, NULL, 0);
 *     f = cc_tasks_name(w, "main.loop", &err);
 *     cc_tasks_begin(w, 0, f, t, NULL, &err);  cc_tasks_end(w, 0, f, t, NULL, &err);  …
 *     cc_tasks_finish(w, start, end, NULL, &err);   then cc_store_commit
 */
#ifndef CC_PROFILE_TASKS_H
#define CC_PROFILE_TASKS_H

#include "store.h"

enum {
    CC_TASKS_MAX_NAMES = 1 << 20,
    CC_TASKS_MAX_NAME = 4096,    /* bytes */
    CC_TASKS_MAX_THREADS = 4096, /* that recorded tasks */
    CC_TASKS_MAX_COUNTERS = 8,
    CC_TASKS_MAX_BURDENS = 1 << 20,
    CC_TASKS_MAX_BUSY = 65536, /* processors of a burden */
};

/* --- writing --- */

struct cc_tasks_writer;

/* `clock` names a tick: "ns", "cycles", "instructions". ticks_per_second: 0 if unknown. counters: names such
 * as "l1.read", "l1.write", "dram.bytes": the memory of a platform, a dot, what is counted; at most
 * CC_TASKS_MAX_COUNTERS. The store is borrowed. */
struct cc_tasks_writer *cc_tasks_writer_new(struct cc_store *store, const char *clock,
                                            double ticks_per_second, const char *const *counters,
                                            size_t ncounters);
void cc_tasks_writer_free(struct cc_tasks_writer *w);

/* The id of a name, the same for equal names; negative on failure (empty, too long, too many). */
int64_t cc_tasks_name(struct cc_tasks_writer *w, const char *name, struct cc_err *err);

/* `thread` is any number the recorder likes. `counters` has ncounters totals, NULL only if there are none. An
 * end that does not match the innermost open task is stored as it is: reading finds it. */
int cc_tasks_begin(struct cc_tasks_writer *w, uint32_t thread, uint32_t name, uint64_t time,
                   const uint64_t *counters, struct cc_err *err);
int cc_tasks_end(struct cc_tasks_writer *w, uint32_t thread, uint32_t name, uint64_t time,
                 const uint64_t *counters, struct cc_err *err);

/* With `busy` processors at work, the task takes `factor` times as long (measured by a co-run), give or take
 * `spread`. One entry per (name, busy); busy >= 2. Names without entries use those of the name CC_TASKS_REST,
 * if any. */
#define CC_TASKS_REST "*"
int cc_tasks_burden(struct cc_tasks_writer *w, uint32_t name, unsigned busy, double factor, double spread,
                    struct cc_err *err);

/* How many times as long the task took in each of the copies of such a co-run, or in some of them that stand
 * for all (at most CC_TASKS_MAX_COPIES), rising. busy is 1: of CC_TASKS_REST, what whole rounds took against
 * the middle one of their number of copies: how far the machine's runs lie apart. */
enum { CC_TASKS_MAX_COPIES = 64 };
int cc_tasks_copies(struct cc_tasks_writer *w, uint32_t name, unsigned busy, const double *factors, size_t n,
                    struct cc_err *err);

/* The trace covers [start, end]: code outside any task belongs to the whole. Tasks still open end at `end`.
 * `incomplete`: why the trace lacks something (the program was killed, …), NULL if it is whole. */
int cc_tasks_finish(struct cc_tasks_writer *w, uint64_t start, uint64_t end, const char *incomplete,
                    struct cc_err *err);

/* --- reading --- */

struct cc_tasks_thread {
    uint32_t id;
    uint64_t events, chunks;
};

struct cc_tasks_burden {
    uint32_t name;
    unsigned busy;
    double factor, spread;
};

struct cc_tasks_copies {
    uint32_t name;
    unsigned busy;
    const double *factors; /* rising */
    size_t n;              /* 1 or more */
};

struct cc_tasks {
    const char *path; /* of the store */
    const char *clock;
    double ticks_per_second;
    const char *incomplete; /* NULL: the trace is whole */
    uint64_t start, end;
    const char **names;
    size_t nnames;
    const char **counters;
    size_t ncounters;
    struct cc_tasks_thread *threads; /* in order of their first event */
    size_t nthreads;
    struct cc_tasks_burden *burdens; /* by name, then busy */
    size_t nburdens;
    struct cc_tasks_copies *copies; /* likewise */
    size_t ncopies;
};

/* Whether the profile has a task trace at all. */
bool cc_tasks_present(struct cc_store *store);
int cc_tasks_open(struct cc_store *store, struct cc_tasks **ret, struct cc_err *err);
void cc_tasks_free(struct cc_tasks *t);

struct cc_task_event {
    bool end;
    uint32_t name;
    uint64_t time;
    uint64_t counters[CC_TASKS_MAX_COUNTERS];
};

/* The events of one thread (an index into threads), one chunk in memory at a time. next: 1 an event, 0 the
 * end, negative with err. An end always names the innermost open task, and all tasks are closed at the end.
 */
struct cc_tasks_cursor;
struct cc_tasks_cursor *cc_tasks_cursor_new(struct cc_store *store, const struct cc_tasks *t, size_t thread);
int cc_tasks_next(struct cc_tasks_cursor *c, struct cc_task_event *ev, struct cc_err *err);
void cc_tasks_cursor_free(struct cc_tasks_cursor *c);

#endif
