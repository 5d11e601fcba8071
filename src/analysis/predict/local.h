/* Predictions with the recorded trace of lines: what each piece of code waits for memory, alone and with
 * other processors at work, on the caches and the interconnect of the platform. A tick is a cycle of the
 * platform then. Inside the room only. */
#ifndef CC_ANALYSIS_PREDICT_LOCAL_H
#define CC_ANALYSIS_PREDICT_LOCAL_H

#include "predict.h"
#include "../locality/locality.h"

/* Times that differ by less of themselves are the same. */
#define CC_LOCAL_SAME 0.005

/* What a piece is of a node: the gap before it, what follows its last child (all of a leaf), all of it. */
enum piece_kind { PIECE_NONE, PIECE_GAP, PIECE_TAIL, PIECE_ALL, PIECE_KINDS };

struct local {
    const struct cc_htg *h;
    struct cc_sim_config machine;
    double *pace;               /* by name: ticks that an instruction takes with its data at hand */
    double *store;              /* by name: bytes of an average store */
    double *code;               /* by name: bytes of code */
    uint64_t *start;            /* by node: when it began */
    double *stall[PIECE_KINDS]; /* by node: ticks it waits in the sequential run */
    double *work[PIECE_KINDS];  /* ticks without waiting */
    struct cc_locality_counts counts;
};

/* NULL: what the platform says is not enough for it, *why has the reason. */
struct local *cc_local_new(const struct cc_htg *h, const struct cc_platform *p, struct cc_err *why);
void cc_local_free(struct local *l);

/* Which pieces ran where and when, and what they wait. */
struct local_run {
    const struct local *l;
    struct cc_sim_config machine;
    double *stall[PIECE_KINDS]; /* by node, ticks: the mean of the samples */
    CC_VEC(double *) samples;   /* of rounds, by kind and node */
    bool log;
    unsigned rounds; /* measured so far */
    uint64_t shared; /* by the region that runs, as struct cc_locality_piece says */
    unsigned stacks; /* of threads, as struct cc_locality_places says */
    double taken;    /* how much of the waiting is for lines that others took */
    CC_VEC(struct cc_locality_piece) pieces;
    CC_VEC(uint32_t) node;
    CC_VEC(uint8_t) kind;
    CC_VEC(double) part; /* of the piece that was run: 1 is all */
    size_t *last;        /* by processor: its last piece, counted from 1; 0: none */
    struct cc_locality_counts counts;
};

int cc_local_run_init(struct local_run *r, const struct local *l, unsigned processors, struct cc_err *err);
void cc_local_run_fini(struct local_run *r);
/* What runs from now on is of a region; `combined`: whose node is its first iteration. What lies on the stack
 * above its frame is everybody's. */
void cc_local_region(struct local_run *r, uint32_t region, bool combined);
/* Threads' frames of a region lie at `place` of a page: so far from where the region's was recorded. */
void cc_local_stacks(struct local_run *r, uint32_t region, double place);
/* What runs: a piece of a node, whose code is the task `owner`'s; of it `part` (1: all), from `from` on. */
struct local_code {
    uint32_t node, owner;
    enum piece_kind kind;
    double from, part;
};
/* It starts on the processor at `start` ticks, which `waited` for others and was in the runtime before it;
 * false: it is none. */
bool cc_local_note(struct local_run *r, uint32_t processor, double start, bool waited,
                   struct cc_locality_visit visit, struct local_code code);
/* The processor's last piece is over. */
void cc_local_over(struct local_run *r, uint32_t processor, double end);
/* Others may go on now, with what the processor's pieces so far stored. */
void cc_local_publish(struct local_run *r, uint32_t processor);
/* From what was noted, the waiting of each piece, with stacks and moments of this round's own, and the mean
 * of the rounds, on several processors without the first; a piece that was not noted keeps what it had.
 * Forgets what was noted. */
void cc_local_measure(struct local_run *r);
/* Ticks that all of a piece waits: the mean, or that of one of the rounds. */
double cc_local_stall(const struct local_run *r, enum piece_kind kind, uint32_t node, const uint64_t *sample);

#endif
