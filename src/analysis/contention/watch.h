/* What the feeding half (watch.c) leaves for the naming half (findings.c), and names of places (sites.c). */
#ifndef CC_ANALYSIS_CONTENTION_WATCH_H
#define CC_ANALYSIS_CONTENTION_WATCH_H

#include "findings.h"
#include "internal.h"

enum { WATCH_CPUS = 256, WATCH_BINS = 128, MOST_PROGRAMS = 16 };

/* Why, beside enum cc_trace_cause. */
enum { LOSS_WAIT = CC_TRACE_CAUSES, LOSS_JOIN, LOSS_UNUSED, LOSS_IDLE, LOSS_SPIN, LOSS_REASONS };

/* Cores idle: before there were threads; while they start; after some have ended; after all others have. */
enum idle_kind { IDLE_SERIAL, IDLE_START, IDLE_UNEVEN, IDLE_LAST };

/* By calls, of which the name tells whether they may fail; by an atomic that failed, or that changed nothing,
 * until it succeeded; by looks: the last two tell of a lock only if that is given back. */
enum asked { ASKED_NOT, ASKED_CALL, ASKED_FAILED, ASKED_VAIN, ASKED_LOOK };

/* A word that a loop has looked at, few times or many. */
struct looked {
    uint64_t pc, address;
    uint32_t context;
};

/* Cycles of one instruction on one call path, for one reason, at one place in memory. */
struct loss {
    uint64_t pc, line; /* line: address of the cache line, or of what is waited for; 0: anywhere */
    uint32_t context;
    uint8_t why;
    bool fetch;    /* of instructions */
    bool atomic;   /* of an atomic; a spin that asks by them */
    bool retry;    /* a spin of exchanges that failed, too few to be a loop that waits */
    uint8_t asked; /* enum asked: a spin that is one only if the end shows it (asking.c) */
    bool early;    /* due to threads being started one after the other, if it is at a barrier */
    bool cold;     /* code that the core had never fetched before */
    uint8_t idle;  /* enum idle_kind */
    uint16_t node; /* queued at */
    uint16_t home; /* of the line: the node of an access to it, CC_TRACE_NO_NODE if none had one */
    uint64_t cycles, events, from, to, cycle; /* addresses; one cycle at which it happened */
    uint64_t guard, guarded;                  /* a lock's word, and cycles while the core had that */
    uint64_t held;                            /* of a wait's: whom it waited for had waited longer */
    uint64_t inside;                          /* of a spin's cycles: lost by the accesses it is made of */
    struct looked looked;                     /* before a wait; pc 0: nothing */
    uint64_t cpus[WATCH_CPUS / 64];
};

/* What accesses have lost that may turn out to be part of a longer wait. */
struct pending {
    struct part_lost {
        uint32_t loss, cycles;
    } v[64];
    unsigned n;
};

/* One instruction looks at one word again and again, in a function that is called each time. */
struct asking {
    uint64_t pc, address, first, last;
    uint32_t context;
    uint64_t times;                  /* 0: there is none */
    uint64_t frame;                  /* where it has stored first; 0: nowhere yet */
    unsigned idle;                   /* events since it looked last */
    bool vain;                       /* by an atomic that changed nothing, */
    bool failed;                     /* because it compares */
    bool looks;                      /* in code of any function, and as seldom as it likes */
    uint64_t places[SPIN_ADDRESSES]; /* other words that it has looked at meanwhile */
    unsigned nplaces;
    uint64_t spun; /* cycles that were noted as a spin meanwhile */
    struct pending pending;
};

/* What a core's thread has looked at lately, and its sleeps in between (naps.c). */
struct look {
    uint64_t pc, address, cycle;
    uint64_t before, lost_before; /* naps.others and naps.lost by then */
    uint32_t context, naps;       /* sleeps there had been by then */
    bool waits;                   /* it has been looked at before and after sleeps, */
    uint64_t since, others, lost; /* from then on; what there was of naps.others and naps.lost by then */
};

enum { NAP_LOOKS = 8 /* two to the power of it */ };

struct naps {
    struct look looks[1 << NAP_LOOKS];
    uint32_t naps;
    uint64_t from, to, other; /* the last one, and how long others had its core */
    uint64_t others, lost;    /* all of that; what accesses have lost */
    uint64_t charged;         /* the cycle up to which it is told */
    struct pending pending;   /* what accesses have lost since the first of these sleeps */
};

struct watch_cpu {
    struct spin_cpu spin;
    struct naps naps;
    struct pending pending; /* what the accesses of a possible spin have lost so far */
    struct asking asking, looking;
    struct looked looked;   /* by its last loop */
    struct polled unproven; /* the last loop that polled without a sign of anybody else; times 0: none */
    uint64_t spun_at;       /* what it waited for last, until it writes it, */
    uint64_t spun_pc;       /* other than by the instruction that asked, or an atomic beside it, */
    uint64_t got_pc;        /* or the one that succeeded after others had failed */
    uint64_t compared_pc; /* the last that compared and failed: it asks on any path, as compilers may write a
                             loop's first try apart and call a function for each */
    uint32_t spun_context;
    bool spun_by_atomic; /* it was asked for by atomics */
    bool got;            /* and had */
    uint64_t told;    /* 1 + cycle at which it last wrote what others wait for, or changed what they change */
    uint64_t stalled; /* cycles it waited for memory, less what it lost to others */
    uint64_t misses;  /* accesses that did */
    uint64_t accesses; /* all, but those of loops that wait */
    uint64_t first;    /* 1 + cycle at which its thread began */
    uint64_t lead;     /* cycles it has waited because it began before others */
    int64_t held;      /* cycles it has waited for others, and for what they have */
    uint64_t guard;    /* the word it has changed by an atomic that asks, and not given back; 0: none */
    uint64_t last;     /* cycle of its last event */
    uint64_t worked;   /* of its last access before it waited for others to end */
    bool joined;
    bool only_joins;    /* it does nothing but wait for the threads that had begun by then: */
    uint64_t joins_for; /* w->started when that was found */
};

/* What spin loops wait for. */
struct awaited {
    uint64_t waits, given_back; /* given back: times who had waited wrote it next */
    uint64_t writes;            /* by anybody, since somebody waited */
    uint64_t atomic;            /* waits that asked by atomics */
    uint64_t arrived;           /* waits whose core had just told that it has come */
};

/* A word that cores wait for, from one opening to the next (rounds.c): of each core what it has waited for
 * anything else, up to the last opening and the one before, and for this word. */
struct round {
    uint64_t opened;
    uint64_t written;                /* 1 + cycle at which it was last, */
    unsigned writer;                 /* and by whom */
    uint64_t sleepers;               /* cores */
    uint64_t waits, openings, again; /* of threads that sleep; those that did so soon after they were woken */
    struct in_round {
        int64_t before, now, own;
        uint64_t woken;     /* the cycle at which it last was */
        int64_t woken_held; /* and what it had waited for anything else by then */
    } * cores;
};

/* One wait for such a word. */
struct waited {
    unsigned cpu;
    bool woken; /* it slept until somebody woke it; else it looked, and may have given up */
    uint64_t address, since, until, cycles;
};

/* Where cores wait for memory, whoever is to blame. */
struct stall {
    uint64_t pc, cycles, addr, cycle;
    uint64_t misses;
    uint64_t firsts; /* of the sample (fetches.c): lines that no instruction of the core had fetched before */
    uint32_t context;
};

struct cc_watch {
    unsigned ncpus;
    uint64_t last;    /* cycle */
    uint64_t begun;   /* 1 + cycle of the first event: of who starts the others */
    uint64_t started; /* 1 + cycle at which the last thread began */
    uint64_t calls;   /* cycles busy with calls that wait or wake */
    bool together;    /* more than one CPU has done something */
    bool any;         /* something was lost, or an event has a context: causes are known */
    struct watch_cpu *cpus;
    struct changed {
        uint64_t address;
        unsigned cpu;
    } changed[256];      /* who was the last to change a word by an atomic; some of them */
    struct cc_map index; /* hash of a loss -> 1 + place */
    CC_VEC(struct loss) losses;
    struct cc_map by_address; /* what is waited for -> place in awaited */
    CC_VEC(struct awaited) awaited;
    struct cc_map by_word; /* what is waited for -> place in rounds */
    CC_VEC(struct round) rounds;
    struct cc_map by_pc; /* -> place in stalls */
    CC_VEC(struct stall) stalls;
    struct cc_map
        fetched;          /* hash of a core and a line it has fetched -> the stall that did first; a sample */
    unsigned sampled;     /* of these, one in 2 to the power of this */
    struct cc_map asking; /* atomics that have been in vain */
    struct cc_map code;   /* hash of a core and a line of code it has fetched */
    unsigned line_bytes;
    struct cc_map by_context; /* -> cycles its accesses and fetches waited for memory, whoever is to blame */
    struct cc_map by_cpu;     /* loss << 8 | CPU -> cycles */
    struct cc_map by_asking;  /* (loss that was asked << 32 | one that is part of it) << 8 | CPU -> cycles */
    struct cc_map by_time;    /* loss << 8 | bin -> cycles */
    uint64_t bin_cycles;      /* length of a bin of time: doubled as the run gets longer */
    uint64_t node_accesses[64]; /* data that left the caches, by node (the last one: all beyond) */
};

/* Where in the program an instruction on a call path belongs. */
struct site {
    const char *function, *file; /* of the program's frame; NULL if there is none */
    uint32_t line;
    const char *called;  /* the library's function it calls, NULL: it is the program's own instruction */
    enum cc_cause cause; /* what that function stands for; CC_CAUSES: nothing special */
    bool program;
    bool own;     /* on its path is code of the program's file, with lines or without */
    bool runtime; /* what it calls is OpenMP's run-time library, other than by a name of the standard */
    bool region;  /* the end of an OpenMP region: the line is where that begins */
    bool shared;  /* on its path is a function that threads of the program start with */
};

struct sites {
    struct cc_trace_reader *trace;
    struct cc_arena *arena;
    /* names of the programs' files; of one that is not known, NULL */
    const char *program[MOST_PROGRAMS];
    unsigned programs;
    struct cc_map known;
    CC_VEC(struct site) all;
    struct cc_map others; /* functions on the paths of threads other than the first */
    struct cc_map starts; /* functions (their addresses) that threads other than the first start with */
};

void contention_sites_init(struct sites *x, struct cc_trace_reader *trace, struct cc_arena *arena);
void contention_sites_fini(struct sites *x);
/* Before the first is asked for: which functions do other threads use, and start with? */
void contention_sites_learn(struct sites *x);
/* The innermost frame of the program; `phase`: the outermost below main, which is what a whole phase of the
 * program is known by. By value: the table may move. */
struct site contention_site(struct sites *x, uint64_t pc, uint32_t context, bool phase);

/* The frames of the program on a call path (paths.c), the innermost first; returns how many, at most `most`.
 */
enum { MOST_FRAMES = 32 };
size_t contention_path(struct sites *x, uint64_t pc, uint32_t context, struct cc_frame *out, size_t most);
/* "main > work > add"; the loop: its file and line, or the innermost frame's own where there is none. */
const char *contention_path_name(struct sites *x, const struct cc_frame *path, size_t n);
struct cc_frame contention_loop_of(const struct cc_frame *path, size_t n);
bool contention_in_program(const struct sites *x, uint64_t pc, struct cc_frame *ret);

/* ---- what is fed (watch.c) ---- */

/* Lost from `since` on, up to the event; returns the loss's place. */
size_t contention_add(struct cc_watch *w, struct loss like, const struct cc_trace_event *e, uint64_t since,
                      uint64_t cycles);
void contention_take_back(struct cc_watch *w, size_t loss, unsigned cpu, uint64_t cycles);
/* The CPU has waited for what lies there (since l->cycle); does who has waited for it mostly write it next?
 */
void contention_awaited(struct cc_watch *w, unsigned cpu, const struct loss *l, uint64_t address,
                        bool by_atomic);
bool contention_given_back(const struct cc_watch *w, uint64_t address);
/* Remembers that the loss is part of what is going on, as far as there is room; and that it is not. */
void contention_pend(struct pending *list, size_t loss, uint32_t cycles);
void contention_unpend(struct pending *list, const struct part_lost *p);

/* ---- calls that ask in vain (asking.c) ---- */

void contention_ask(struct cc_watch *w, const struct cc_trace_event *e);
/* A spin was noted for the cycles from `from` to `to`; and so was a loss that is part of it. */
void contention_ask_spun(struct watch_cpu *c, uint64_t from, uint64_t to);
void contention_ask_taken(struct watch_cpu *c, const struct part_lost *p);
void contention_ask_pend(struct watch_cpu *c, size_t loss, uint32_t cycles); /* an access has lost so much */
/* What they are is known by their names: those that may fail take over what is part of them, others were
 * none. */
void contention_asked(struct cc_watch *w, struct sites *sites);

void contention_nap(struct cc_watch *w, const struct cc_trace_event *e); /* naps.c */
void contention_nap_pend(struct watch_cpu *c, size_t loss, uint32_t cycles);

/* ---- who comes last (rounds.c) ---- */

/* Is it waiting for others, or for what they have? */
bool contention_holds_up(const struct loss *l);
void contention_round(struct cc_watch *w, size_t loss, const struct waited *x);
void contention_round_write(struct cc_watch *w, const struct cc_trace_event *e);
/* Are nearly all woken at a time that sleep on it, and go on? */
bool contention_woken_together(const struct cc_watch *w, uint64_t address);
void contention_rounds_fini(struct cc_watch *w);

/* ---- what locks guard (guards.c) ---- */

void contention_guard(struct cc_watch *w, struct watch_cpu *c, const struct cc_trace_event *e);
/* So much of the loss was while the core had that word. */
void contention_guarded(struct loss *l, uint64_t guard, uint64_t cycles);

/* ---- what is fetched again (fetches.c) ---- */

void contention_fetched(struct cc_watch *w, size_t stall, const struct cc_trace_event *e);
/* Is it the first time that the core fetches this code? */
bool contention_cold(struct cc_watch *w, const struct cc_trace_event *e);
/* Of the misses of that stall, the part whose line the core had before. */
double contention_refetched(const struct cc_watch *w, const struct stall *s);

/* ---- over time (times.c) ---- */

void contention_times_add(struct cc_watch *w, size_t loss, uint64_t from, uint64_t to, uint64_t cycles);
/* The latest first. */
void contention_times_take(struct cc_watch *w, size_t loss, uint64_t cycles);

#endif
