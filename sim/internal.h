/* What the files of the model share. */
#ifndef CC_SIM_INTERNAL_H
#define CC_SIM_INTERNAL_H

#include "cache.h"
#include "net.h"
#include "sim.h"

/* Stores on their way: the slots are a ring, drained in order, one after the other. */
struct buffer {
    uint64_t *done; /* [slot]: when its write is complete */
    uint64_t *line;
    uint32_t slots, head, n;
    uint64_t last; /* when the newest store will be complete */
    /* The same without other cores, on a clock that stands still while the core loses cycles to them. */
    uint64_t *alone_done, alone_last;
    uint64_t owed[CC_SIM_CAUSES]; /* lost by stores under way, not yet felt by the core */
};

struct core {
    struct cc_cache icache, dcache;
    struct buffer buffer;
    uint64_t fetch_line; /* the line fetched last, which is still there */
    unsigned node;
    uint64_t lost; /* cycles, so far, to other cores */
};

struct range {
    uint64_t from, to;
};

/* Who used a line by an atomic last. */
struct cc_sim_line_user {
    uint64_t line;
    unsigned core;
    unsigned taken; /* times it went from one core to another since what they used was forgotten */
};
enum { LINE_USERS = 4096 };

struct bank {
    struct cc_resource port, l2_port;
    struct cc_cache l2;
};

struct cc_sim {
    struct cc_sim_config config;
    struct cc_sim_stats *stats;
    struct cc_pool *pool; /* of all its memory */
    uint64_t horizon;
    struct core core[CC_SIM_MAX_CORES];
    struct bank bank[CC_SIM_MAX_BANKS];
    struct cc_net net;
    uint64_t bank_lost;             /* cycles the access under way has queued at banks behind other cores */
    struct cc_sim_line_user *users; /* who wrote a line by an atomic last, a table that forgets */
    uint64_t *used;                 /* by user and core: words of that line */
    uint8_t serving[3][CC_SIM_MAX_BANKS]; /* banks that serve code, data, stacks */
    uint32_t nserving[3];
    bool ranges;
    struct range stack[CC_SIM_MAX_STACKS]; /* sorted */
    uint32_t nstacks;
};

#endif
