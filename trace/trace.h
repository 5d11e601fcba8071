/* Access traces: what every core of a simulated (or real) multiprocessor asked of its memory, and when.
 * docs/format/trace.md describes the file. Little-endian on disk whatever the host. */
#ifndef CC_TRACE_TRACE_H
#define CC_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cc_err;
struct cc_count;

enum cc_trace_kind {
    CC_TRACE_FETCH, /* instruction fetch; addr is what was fetched (pc, or its line) */
    CC_TRACE_LOAD,
    CC_TRACE_STORE,
    CC_TRACE_LINKED, /* load-linked, load-exclusive */
    CC_TRACE_ATOMIC, /* store-conditional and read-modify-write */
    CC_TRACE_WAIT, /* a thread goes on here after it was blocked for `latency` cycles: addr is what it waited
                      for (a futex) or 0, size says how (enum cc_trace_wait), node who woke it */
    CC_TRACE_IDLE, /* in the last `latency` cycles cores had nobody to run while this one ran at pc; hops: how
                      many cores ran, size: threads alive */
    CC_TRACE_KINDS
};

enum cc_trace_flag {
    CC_TRACE_HIT = 1,    /* served by the core's own cache: does not count as memory latency */
    CC_TRACE_SHARED = 2, /* coherence miss on data another core wrote (true sharing) */
    CC_TRACE_FALSE = 4,  /* coherence miss on a line of which only other bytes were written (false sharing) */
    CC_TRACE_BUFFERED = 8, /* store that found room in the write buffer */
    CC_TRACE_STALLED = 16, /* store that waited for a full write buffer */
    CC_TRACE_VAIN = 32,    /* atomic that left what its core saw there last: it waits, and changes nothing */
    CC_TRACE_ENDED = 64,   /* idle: threads have ended before */
    CC_TRACE_BEGINS = CC_TRACE_BUFFERED, /* idle, of no cycles: a thread begins to run on this core */
    CC_TRACE_FAILED = 128,               /* compare-and-swap or store-conditional that found something else */
};

/* Why an access took longer than on a chip of its own; sim/sim.h has the same list. */
enum cc_trace_cause {
    CC_TRACE_LOST_TRUE,
    CC_TRACE_LOST_FALSE,
    CC_TRACE_LOST_TRANSFER,
    CC_TRACE_LOST_LINK,
    CC_TRACE_LOST_BANK,
    CC_TRACE_LOST_BUFFER,
    CC_TRACE_CAUSES
};

enum cc_trace_wait { CC_TRACE_ON_FUTEX, CC_TRACE_ON_JOIN, CC_TRACE_ON_TIME, CC_TRACE_ON_IO };

/* With several programs on a chip, addresses of the k-th (from 0) have k above this bit. */
enum { CC_TRACE_PROGRAM_BIT = 52 };

enum { CC_TRACE_NO_NODE = 0xffff, CC_TRACE_MAX_CPUS = 65536, CC_TRACE_ERR = 256 };

struct cc_trace_event {
    uint64_t cycle;   /* when it was issued; never smaller than the CPU's previous one */
    uint64_t pc;      /* of the instruction */
    uint64_t addr;    /* data address; for a fetch the address fetched */
    uint32_t latency; /* cycles until the core could go on */
    uint16_t cpu;
    uint16_t node;    /* target node of an interconnect, CC_TRACE_NO_NODE if none */
    uint8_t kind;     /* enum cc_trace_kind */
    uint8_t flags;    /* enum cc_trace_flag */
    uint8_t hops;     /* links crossed one way */
    uint8_t size;     /* bytes accessed, 0 if not known */
    uint32_t context; /* calling context, 0: not known */
    /* Cycles of the latency lost to other cores, by cause. Of a wait or idle cores, [0] alone: cycles of
     * cores that had nothing to run because of it; of a wait, [1]: busy with
     * the system call. */
    uint32_t lost[CC_TRACE_CAUSES];
};

/* Where control came from. Contexts are numbered from 1; a thread's first has parent 0 and the thread as
 * site. */
struct cc_trace_context {
    uint32_t parent; /* smaller than its own number */
    uint64_t site;   /* the call instruction */
    uint64_t entry;  /* what was called, 0: not known */
};

struct cc_trace_symbol {
    uint64_t from, to; /* [from, to) */
    const char *name;
    const char *file;   /* NULL if not known */
    uint32_t line;      /* of the definition, 0 if not known */
    const char *object; /* program or library, NULL if not known */
};

struct cc_trace_line {
    uint64_t addr;    /* the row holds up to the next row */
    const char *file; /* NULL: from here on nothing is known */
    uint32_t line;
};

enum cc_trace_storage {
    CC_TRACE_GLOBAL,
    CC_TRACE_HEAP,
    CC_TRACE_STACK,
    CC_TRACE_OTHER,
    CC_TRACE_LOOP, /* not data: code of a loop and of none inside it; line is the loop's */
    CC_TRACE_AREA, /* memory with many things in it that have no names: a mapping, the heap as a whole, a
                      library's data */
};

/* A variable, a heap block or a stack. Blocks of one allocation site share name, function, file and line. */
struct cc_trace_object {
    uint64_t from, to;           /* [from, to) */
    uint64_t since, until;       /* cycles it lived: [since, until]; 0 and UINT64_MAX for the whole run */
    const char *name;            /* variable name, or NULL */
    const char *function, *file; /* allocation site, or where it is defined; NULL if not known */
    uint32_t line;
    uint8_t storage; /* enum cc_trace_storage */
};

/* ---- writer ----
 * Every function returns 0, or -1 with a reason in cc_trace_writer_error (the first failure is kept; all
 * later calls fail too, except that an event refused for its order or CPU harms nothing but itself). Calls
 * for different CPUs may come from different threads; two calls for one CPU may not overlap. A chunk is
 * written when a CPU has CC_TRACE_CHUNK_EVENTS events, so a killed run loses at most that many of each. */
enum { CC_TRACE_CHUNK_EVENTS = 32768 };

struct cc_trace_writer;

/* Replaces `path`. `err` (CC_TRACE_ERR bytes) gets the reason when NULL is returned. */
struct cc_trace_writer *cc_trace_writer_open(const char *path, char *err);
/* Into an open file, of which the writer keeps a descriptor of its own. */
struct cc_trace_writer *cc_trace_writer_into(int fd, char *err);
/* Adds to an existing trace: the program that ran the simulator adds symbols after the run. Events may be
 * added for any CPU as long as they are not earlier than what the trace holds of it. */
struct cc_trace_writer *cc_trace_writer_append(const char *path, char *err);
int cc_trace_writer_add(struct cc_trace_writer *w, const struct cc_trace_event *e);
/* Events coded elsewhere (lane.h), as a chunk of their own; the lane is empty then. Not for CPUs whose events
 * are added one by one. */
struct cc_trace_lane;
int cc_trace_writer_lane(struct cc_trace_writer *w, struct cc_trace_lane *l);
/* Facts about the run, in any order, the last one of a name holds. Names the tool knows: "program",
 * "arguments", "isa", "platform", "cores" (simulated), "line_bytes", "page_bytes", "clock_mhz", "topology"
 * ("bus", "crossbar", "mesh"), "mesh" ("4x4"), "write_buffer", "incomplete" (why the run stopped early;
 * absent or "" if it did not). */
int cc_trace_writer_fact(struct cc_trace_writer *w, const char *name, const char *value);
int cc_trace_writer_symbol(struct cc_trace_writer *w, const struct cc_trace_symbol *s);
int cc_trace_writer_line(struct cc_trace_writer *w, const struct cc_trace_line *l);
int cc_trace_writer_object(struct cc_trace_writer *w, const struct cc_trace_object *o);
/* In the order of their numbers. */
int cc_trace_writer_context(struct cc_trace_writer *w, const struct cc_trace_context *c);
/* Writes out what is buffered of every CPU (no call for any CPU may be under way). Not needed before close.
 */
int cc_trace_writer_flush(struct cc_trace_writer *w);
/* Flushes, writes the index, closes and frees, also after a failure; `err` may be NULL. */
int cc_trace_writer_close(struct cc_trace_writer *w, char *err);
const char *cc_trace_writer_error(const struct cc_trace_writer *w);
uint64_t cc_trace_writer_events(const struct cc_trace_writer *w); /* accepted so far */

/* ---- reader ----
 * Holds one chunk of each CPU at a time, the index and the symbols. Damaged chunks are left out and counted.
 */
struct cc_trace_reader;

/* "-" or anything that cannot seek is first copied to an unnamed temporary file. */
int cc_trace_open(const char *path, struct cc_trace_reader **ret, struct cc_err *err);
void cc_trace_close(struct cc_trace_reader *r);

struct cc_trace_summary {
    uint64_t events;      /* of the chunks that can be read */
    uint64_t first, last; /* cycles; first > last when there is no event */
    uint64_t bytes;       /* size of the file */
    uint32_t chunks;      /* event chunks that are there, */
    uint32_t damaged;     /* and of these, or of the places where one must have been, how many are lost */
    uint32_t cpus;        /* the fact "cores", or the highest CPU seen + 1 if that is more */
    bool indexed;         /* the trace was closed properly */
};
/* `damaged` grows while events are read: chunk contents are checked then. */
void cc_trace_summary(const struct cc_trace_reader *r, struct cc_trace_summary *ret);
uint64_t cc_trace_cpu_events(const struct cc_trace_reader *r, unsigned cpu);

struct cc_trace_filter {
    uint64_t from, to;           /* cycles, both inclusive */
    const uint8_t *cpus;         /* bit map of CC_TRACE_MAX_CPUS bits, NULL: all */
    uint32_t kinds;              /* bit 1 << kind, 0: all */
    uint64_t addr_from, addr_to; /* data addresses, inclusive; both 0: all */
    uint64_t pc_from, pc_to;     /* inclusive; both 0: all */
};
/* Starts reading: events come in order of cycle, then CPU, then as issued. filter NULL: everything. -1: out
 * of memory. */
int cc_trace_select(struct cc_trace_reader *r, const struct cc_trace_filter *filter);
bool cc_trace_next(struct cc_trace_reader *r, struct cc_trace_event *ret); /* false at the end */

/* From now on `c` (not owned, until NULL is given) counts the events gone through, in each pass anew. */
void cc_trace_count(struct cc_trace_reader *r, struct cc_count *c);

const char *cc_trace_fact(const struct cc_trace_reader *r, const char *name); /* NULL if absent */
size_t
cc_trace_facts(const struct cc_trace_reader *r); /* number of distinct names, in the order first written */
const char *cc_trace_fact_at(const struct cc_trace_reader *r, size_t i, const char **ret_value);
uint64_t cc_trace_fact_number(const struct cc_trace_reader *r, const char *name, uint64_t otherwise);

/* Borrowed from the reader; sorted by address. NULL where nothing is known. */
size_t cc_trace_symbols(const struct cc_trace_reader *r, const struct cc_trace_symbol **ret);
size_t cc_trace_lines(const struct cc_trace_reader *r, const struct cc_trace_line **ret);
size_t cc_trace_objects(const struct cc_trace_reader *r, const struct cc_trace_object **ret);
/* NULL for 0 and for what is not in the trace. */
const struct cc_trace_context *cc_trace_context(const struct cc_trace_reader *r, uint32_t number);
size_t cc_trace_contexts(const struct cc_trace_reader *r);
const struct cc_trace_symbol *cc_trace_find_symbol(const struct cc_trace_reader *r, uint64_t pc);
const struct cc_trace_line *cc_trace_find_line(const struct cc_trace_reader *r, uint64_t pc);
const struct cc_trace_object *cc_trace_find_object(const struct cc_trace_reader *r, uint64_t addr,
                                                   uint64_t cycle); /* data only */
const struct cc_trace_object *cc_trace_find_loop(const struct cc_trace_reader *r, uint64_t pc);

const char *cc_trace_kind_name(unsigned kind); /* "fetch" … "wait", "?" beyond */
/* "hit+false", "" for none; `out` is returned. */
char *cc_trace_flags(unsigned flags, char out[static 64]);

#endif
