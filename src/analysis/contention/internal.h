/* What the files of this room share. */
#ifndef CC_ANALYSIS_CONTENTION_INTERNAL_H
#define CC_ANALYSIS_CONTENTION_INTERNAL_H

#include "contention.h"
#include "../../../trace/stats.h"
#include "../../base/map.h"
#include "../../base/rng.h"

/* ---- items: what events are counted as the same ---- */

enum { MAX_BINS = 64, MAX_ITEMS = 1 << 20, NO_ITEM = UINT32_MAX };

struct item {
    uint8_t kind;
    uint16_t node;
    const char *function, *file;
    uint32_t line;
    const char *object;
    uint64_t pc_from, pc_to, from, to;
    uint64_t events, waiting, latency, excess;
    uint64_t windows; /* that hold it */
    uint64_t histogram[MAX_BINS];
};

struct place {
    const char *function, *file;
    uint32_t line;
};

struct items {
    struct cc_trace_reader *trace;
    const struct cc_contention_options *options;
    uint64_t page;
    unsigned nbins;
    CC_VEC(struct place) places;
    struct cc_map place_of_pc, place_by_key;
    uint32_t *object_ids; /* objects of one name and site share an id */
    const char **object_names;
    struct cc_map by_key;
    CC_VEC(struct item) all;
    struct sites *sites;    /* names of call paths; only for items with context */
    struct cc_arena *arena; /* of names, as long as the result */
};

void contention_items_init(struct items *x, struct cc_trace_reader *trace,
                           const struct cc_contention_options *o, struct cc_arena *arena);
void contention_items_fini(struct items *x);
/* `context`: of the call, for items that have one. */
uint32_t contention_items_place(struct items *x, uint64_t pc, uint32_t context);
uint32_t contention_items_of(struct items *x,
                             const struct cc_trace_event *e); /* NO_ITEM when there are too many */
void contention_items_count(struct items *x, uint32_t item, const struct cc_trace_event *e, uint32_t excess,
                            bool waiting);
const char *contention_object_name(const struct cc_trace_object *o);

/* ---- spin loops ---- */

/* A spin asks at least SPIN_POLLS times, and no more than SPIN_IDLE events pass in between. */
enum { SPIN_BLOCKS = 6, SPIN_ADDRESSES = 8, SPIN_POLLS = 16, SPIN_IDLE = 64 };

/* One CPU: the code blocks and addresses it has kept to lately. */
struct spin_cpu {
    uint64_t blocks[SPIN_BLOCKS];
    unsigned nblocks, npolled, main, idle; /* main: the address asked for most; idle: events since */
    uint64_t events, since, until;         /* all of them, from the first to the end of the last */
    uint64_t slot;   /* where it stores what is taken for the return address of a call; 0: nowhere */
    uint32_t caller; /* the context that does */
    bool called;     /* and has not been looked at since */
    struct polled {
        uint64_t address, times, first, last, pc;
        uint32_t context;
        uint32_t votes;     /* for pc */
        bool proof, atomic; /* it was taken from the core, or asked for in vain; asked for by atomics */
        bool by_atomic;     /* that instruction is one */
        uint64_t proven, proven_times; /* when that was last, and how often it had been asked for by then */
        uint64_t failed, failed_from;  /* exchanges that found something else; the first one's cycle */
        uint64_t failed_pc;            /* that did last */
        uint32_t failed_context;
    } polled[SPIN_ADDRESSES];
};

struct spin_wait {
    struct cc_contention_wait out;
    uint64_t addresses[SPIN_ADDRESSES];
    unsigned naddresses;
    uint8_t *cpus; /* bit map */
};

struct spins {
    struct items *items;
    unsigned ncpus;
    struct spin_cpu *cpus;
    CC_VEC(struct spin_wait) waits;
    struct cc_map by_place; /* place and address -> 1 + wait */
    struct cc_map writers;  /* polled address -> 1 + the one CPU that wrote it, or MANY_WRITERS */
};

/* What it asks for was written by another at that time, or asked for in vain. */
void contention_spin_prove(struct polled *p, uint64_t cycle);
/* Follows a CPU; `ended` gets the state of what this event ended. Returns whether it spins. */
bool contention_spin_follow(struct spin_cpu *c, const struct cc_trace_event *e, struct spin_cpu *ended);
void contention_spins_init(struct spins *s, struct items *items, unsigned ncpus);
void contention_spins_fini(struct spins *s);
/* First pass: notes episodes. Returns whether the event is part of a spin. */
bool contention_spins_feed(struct spins *s, const struct cc_trace_event *e);
void contention_spins_end(struct spins *s);
void contention_spins_restart(struct spins *s); /* for another pass, which notes nothing new */
bool contention_spins_again(struct spins *s, const struct cc_trace_event *e);
void contention_spins_writer(struct spins *s, const struct cc_trace_event *e);
/* Keeps the waits whose variable another CPU writes, and all blocked ones; into the result. */
void contention_spins_report(struct spins *s, struct cc_contention *c);

/* ---- single instructions (instructions.c) ---- */

struct instructions;
struct instructions *contention_instructions_new(struct cc_trace_reader *trace, unsigned ncpus,
                                                 struct cc_arena *arena);
void contention_instructions_free(struct instructions *x);
void contention_instructions_event(struct instructions *x, const struct cc_trace_event *e);
void contention_instructions_window(struct instructions *x, uint64_t pc,
                                    uint64_t stamp); /* it is in that window */
void contention_instructions_report(struct instructions *x, struct cc_contention *c);

/* ---- windows ---- */

/* What a window holds of one item on one CPU. */
struct entry {
    uint32_t item;
    uint16_t cpu;
    uint64_t excess, latency, events;
};

struct windows {
    struct items *items;
    struct instructions *instructions;
    const struct cc_contention_options *options;
    unsigned ncpus;
    uint64_t length;
    uint32_t threshold;
    /* closed windows, coded: every such one, so that they fit into `most` bytes */
    uint8_t *bytes;
    size_t n, cap, most;
    uint64_t every;
    struct cc_rng chance;
    uint64_t count, empty, transactions, total_excess; /* of those that are kept */
    uint64_t laid, covered, covered_to;                /* of all */
    struct cc_map pair_windows; /* item << 16 | cpu -> windows that hold the item on that CPU */
    /* the open one */
    bool open;
    uint64_t from, to;
    CC_VEC(struct entry) entries;
    struct cc_map
        slot; /* item << 16 | cpu -> 1 + place in entries, of this window if the high half says so */
    uint64_t stamp;
    /* latency method: the last half window of events */
    struct past *ring;
    size_t ring_at, ring_n, ring_cap;
    CC_VEC(struct cc_contention_band) bands;
    uint64_t band_gap;
};

struct past {
    uint64_t cycle, pc;
    uint32_t item, latency, excess;
    uint16_t cpu;
};

void contention_windows_init(struct windows *w, struct items *items, const struct cc_contention_options *o,
                             unsigned ncpus, uint64_t length, uint32_t threshold, uint64_t duration);
void contention_windows_fini(struct windows *w);
void contention_windows_feed(struct windows *w, const struct past *event);
void contention_windows_end(struct windows *w);
/* Walks the coded windows: entries of the one at *at, NULL-safe; returns their number and moves *at. */
size_t contention_windows_read(const struct windows *w, size_t *at, struct entry *entries);
size_t contention_windows_widest(const struct windows *w);
/* What was counted in the windows that are kept, as of all. */
uint64_t contention_windows_all(const struct windows *w, uint64_t kept);

/* The shortest window in which the CPUs that take part in a slow access are seen together. */
uint64_t contention_windows_choose(struct cc_trace_reader *trace, const struct cc_contention_options *o,
                                   unsigned ncpus, uint32_t threshold, uint32_t reach);

/* ---- patterns ---- */
int contention_patterns_find(struct windows *w, struct cc_contention *c, uint64_t cpu_cycles,
                             uint64_t excess_all, struct cc_err *err);

bool contention_is_memory(const struct cc_contention_options *o, const struct cc_trace_event *e);
const uint16_t *contention_cpu_list(struct cc_arena *arena, const uint8_t *bits, size_t nbits, size_t *ret_n);

#endif
