/* A recording on its way to a problem: for cut_recording.c and cut_loops.c. */
#ifndef CC_ANALYSIS_AREA_CUT_BUILD_H
#define CC_ANALYSIS_AREA_CUT_BUILD_H

#include "cut_recording.h"

/* A loop that may become hardware, in one context of the function it was compiled into. */
struct cc_cut_place {
    uint32_t context, loop; /* of the profile */
    uint32_t node;          /* of the problem */
    uint32_t outer;         /* place of the loop around it; CC_NONE: none */
    double time;            /* instructions, with all inside; then its own */
    double reads, writes;   /* its part of what the context reads and writes, loops inside it left out */
};

struct cc_cut_build {
    const struct cc_cut_request *rq;
    struct cc_cut_input *in;
    uint32_t *source; /* function of the profile -> 1 + function of the source */
    uint32_t *kernel; /* function or loop of the source -> 1 + kernel */
    double *time;     /* instructions of each of those, with all it calls */
    uint32_t *node;   /* context -> node */
    /* loops */
    uint32_t *written; /* loop of the profile -> 1 + loop of the source */
    size_t nwritten;   /* those that are there */
    uint32_t *first;   /* context -> its first place; ncontexts + 1 of them */
    CC_VEC(struct cc_cut_place) places;
    CC_VEC(struct cc_cut_edge) edges;
};

/* Finds the loops of the recording in the source and adds up their time. */
void cc_cut_match_loops(struct cc_cut_build *b);
/* Nodes for the candidates among the context's loops, inside the node of the context. */
void cc_cut_open_loops(struct cc_cut_build *b, uint32_t context);
/* The node that a call from the context to the function is in: that of a loop if all such calls of the source
 * are. */
uint32_t cc_cut_caller(const struct cc_cut_build *b, uint32_t context, uint32_t function);
/* After all contexts: takes the loops' time out of their contexts'. */
void cc_cut_share_time(struct cc_cut_build *b);

#endif
