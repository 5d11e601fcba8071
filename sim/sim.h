/* A shared-memory multiprocessor in simulated time: in-order cores' caches, an interconnect and memory banks.
 * Plain C without QEMU: the simulator's plugin drives it, and so do the unit tests. One instance is driven by
 * one thread at a time. Times are cycles of the cores' clock. What is modelled and what is left out:
 * README.md. */
#ifndef CC_SIM_SIM_H
#define CC_SIM_SIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CC_SIM_MAX_CORES = 256,
    CC_SIM_MAX_BANKS = 64,
    CC_SIM_MAX_NODES = 1024,
    CC_SIM_MAX_LINE = 256, /* bytes; 64 words of 4 bytes fit a mask */
    CC_SIM_BUCKETS =
        24, /* latency histogram: bucket b counts latencies in [2^(b-1), 2^b), bucket 0 is latency 0 */
    CC_SIM_MAX_STACKS = 1024,
};

enum cc_sim_kind {
    CC_SIM_FETCH,
    CC_SIM_LOAD,
    CC_SIM_STORE,
    CC_SIM_LL,
    CC_SIM_SC,
    CC_SIM_ATOMIC,
    CC_SIM_KINDS
};
enum cc_sim_class { /* instruction classes with a cost each */
                    CC_SIM_INT,
                    CC_SIM_MUL,
                    CC_SIM_DIV,
                    CC_SIM_FLOAT,
                    CC_SIM_FDIV,
                    CC_SIM_BRANCH,
                    CC_SIM_LDST,
                    CC_SIM_SYNC, /* fences: wait until the write buffer is empty */
                    CC_SIM_CLASSES,
};
enum cc_sim_net_kind { CC_SIM_BUS, CC_SIM_CROSSBAR, CC_SIM_MESH };
enum cc_sim_serves { CC_SIM_CODE = 1, CC_SIM_DATA = 2, CC_SIM_STACK = 4, CC_SIM_RANGE = 8 };

struct cc_sim_cache_config {
    uint32_t size, line,
        ways;         /* bytes, bytes, ways; size 0: no such cache. sets and line are powers of two */
    uint32_t latency; /* cycles to look up; a hit's whole latency */
};

struct cc_sim_bank_config {
    char name[32];
    uint32_t serves;    /* CC_SIM_CODE | … */
    uint64_t from, to;  /* CC_SIM_RANGE: addresses [from, to) */
    uint32_t latency;   /* cycles before the first byte */
    uint32_t bandwidth; /* bytes a cycle; the bank is busy that long for each access */
    uint32_t node;
};

/* Everything a run depends on besides the program. Fixed size: it travels to the plugin in shared memory. */
struct cc_sim_config {
    uint32_t cores;
    double clock_mhz;
    uint32_t cost[CC_SIM_CLASSES];
    uint32_t syscall_cost, switch_cost,
        wake_cost;  /* a system call, a thread switch on a core, waker to woken thread */
    uint64_t slice; /* cycles after which a waiting thread gets the core */
    struct cc_sim_cache_config icache, dcache, l2; /* l2: shared, sliced over the banks */
    bool write_back;       /* dcache: MESI; otherwise write-through, invalidating others' copies */
    uint32_t write_buffer; /* slots; 0: stores wait until they are done */
    enum cc_sim_net_kind net;
    uint32_t net_width;   /* bytes a link (or the bus) moves in a cycle */
    uint32_t net_latency; /* bus, crossbar: arbitration; mesh: one hop (router and wire) */
    uint32_t mesh_x, mesh_y;
    uint32_t directory;  /* crossbar and mesh: cycles to find the copies of a line at its home bank */
    uint32_t io_latency; /* an uncached device access, beyond the way there and back */
    uint32_t banks;
    uint32_t interleave; /* bytes: granularity over banks that serve the same thing */
    struct cc_sim_bank_config bank[CC_SIM_MAX_BANKS];
};

/* Why an access took longer than it would have with the core alone on the chip: the same in a trace. */
enum cc_sim_cause {
    CC_SIM_LOST_TRUE,     /* the line was taken by another core that writes what this one uses */
    CC_SIM_LOST_FALSE,    /* … that writes only other bytes of the line */
    CC_SIM_LOST_TRANSFER, /* the line had to come from another core's cache, or others had to be told, on
                             first use */
    CC_SIM_LOST_LINK,     /* queued at a bus, link or port */
    CC_SIM_LOST_BANK,     /* queued at a memory bank or a slice of the shared cache */
    CC_SIM_LOST_BUFFER,   /* the write buffer was full of stores that others held up */
    CC_SIM_CAUSES
};

struct cc_sim_core_stats {
    uint64_t instructions, cycles, idle, threads;
    uint64_t fetch_stall, load_stall, store_stall; /* cycles */
    uint64_t fetches, fetch_misses;                /* lines, not instructions */
    uint64_t loads, stores, atomics, load_misses, store_misses, upgrades;
    uint64_t true_sharing, false_sharing; /* of the misses above: lost to another core's write */
    uint64_t invalidated, write_backs;    /* copies lost, dirty lines sent home */
    uint64_t buffer_full;                 /* stores that found no free slot */
    uint64_t lost[CC_SIM_CAUSES];         /* cycles, of the stalls above */
};

struct cc_sim_bank_stats {
    uint64_t reads, writes, busy, wait; /* wait: cycles requests queued for the bank */
    uint64_t l2_hits, l2_misses;
};

struct cc_sim_stats {
    struct cc_sim_core_stats core[CC_SIM_MAX_CORES];
    struct cc_sim_bank_stats bank[CC_SIM_MAX_BANKS];
    uint64_t messages, bytes, hops, net_wait; /* net_wait: cycles messages queued for links */
    uint64_t link_busy[CC_SIM_MAX_NODES * 4]; /* bus: [0]; crossbar: [node]; mesh: [node * 4 + direction] */
    uint32_t links;
    uint64_t latency[CC_SIM_KINDS][CC_SIM_BUCKETS];
    uint64_t latency_sum[CC_SIM_KINDS], latency_count[CC_SIM_KINDS];
    uint64_t late; /* accesses beyond the core's own cache, from before the horizon: what they wait for may be
                      wrong */
};

enum { CC_SIM_EAST, CC_SIM_WEST, CC_SIM_NORTH, CC_SIM_SOUTH };

enum cc_sim_flag {                      /* the same bits as in a trace */
                   CC_SIM_HIT = 1,      /* served by the core's own cache */
                   CC_SIM_SHARED = 2,   /* coherence miss, true sharing */
                   CC_SIM_FALSE = 4,    /* coherence miss, false sharing */
                   CC_SIM_BUFFERED = 8, /* store that found room in the write buffer */
                   CC_SIM_STALLED = 16, /* store that waited for a slot */
};

struct cc_sim_access {
    uint32_t latency; /* cycles from issue until the core may go on; a hit takes the cache's latency */
    uint16_t hops;    /* from the core to the node that answered */
    uint16_t node;    /* that node; the core's own when the access stayed in its cache */
    uint8_t flags;    /* enum cc_sim_flag */
    uint32_t lost[CC_SIM_CAUSES]; /* cycles of the latency */
};

enum cc_mesi { CC_MESI_I, CC_MESI_S, CC_MESI_E, CC_MESI_M };

struct cc_sim;

/* Several programs on one chip: each has its addresses; the number of the program is above this bit of what
 * the model (and the trace) sees. */
enum { CC_SIM_PROGRAM_BIT = 52 }; /* trace/trace.h has the same */

/* NULL when the configuration is fine, else what is wrong with it (static text). */
const char *cc_sim_config_check(const struct cc_sim_config *c);
/* `stats` is borrowed and zeroed by the caller; the configuration must have passed the check. */
struct cc_sim *cc_sim_new(const struct cc_sim_config *config, struct cc_sim_stats *stats);
/* In memory that several processes share; pool NULL: the C library's. */
struct cc_pool;
struct cc_sim *cc_sim_new_in(struct cc_pool *pool, const struct cc_sim_config *config,
                             struct cc_sim_stats *stats);
void cc_sim_free(struct cc_sim *s);

/* No later call will carry a time before `t`: lets calendars forget what is over. */
void cc_sim_horizon(struct cc_sim *s, uint64_t t);
/* Addresses [from, to) are a stack (for banks that serve stacks). */
void cc_sim_add_stack(struct cc_sim *s, uint64_t from, uint64_t to);

/* Instruction fetch of the line that holds `addr`; a hit costs nothing beyond the instruction's own cycles.
 */
void cc_sim_do_fetch(struct cc_sim *s, unsigned core, uint64_t now, uint64_t addr, struct cc_sim_access *ret);
/* A data access of up to a line's length; one that crosses a line is done line after line. */
void cc_sim_do_access(struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t now, uint64_t addr,
                      unsigned size, struct cc_sim_access *ret);

/* A data access of one line that the core's own cache serves at once, which nobody else can tell: takes the
 * cache's latency. false: it is none of these, and nothing happened. */
bool cc_sim_hit(struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t now, uint64_t addr,
                unsigned size);

static inline struct cc_sim_access cc_sim_fetch(struct cc_sim *s, unsigned core, uint64_t now, uint64_t addr)
{
    struct cc_sim_access a;
    cc_sim_do_fetch(s, core, now, addr, &a);
    return a;
}

static inline struct cc_sim_access cc_sim_access(struct cc_sim *s, unsigned core, enum cc_sim_kind kind,
                                                 uint64_t now, uint64_t addr, unsigned size)
{
    struct cc_sim_access a;
    cc_sim_do_access(s, core, kind, now, addr, size, &a);
    return a;
}

/* What an access would show to the other cores, for whoever keeps the cores in order. */
enum cc_sim_reach {
    CC_SIM_PRIVATE, /* stays in the core's own cache, in a state no other core's access has to change */
    CC_SIM_LONELY, /* leaves the cache, but nobody else has the line or lost it: only its time can be wrong */
    CC_SIM_GLOBAL,
};
enum cc_sim_reach cc_sim_reach(const struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t addr,
                               unsigned size);
/* What the core has done since its figures were `before`, which was served by its own caches, again: so many
 * times. */
void cc_sim_repeat(struct cc_sim *s, unsigned core, const struct cc_sim_core_stats *before, uint64_t times);
/* Has another core had a part in the line lately? */
bool cc_sim_contended(const struct cc_sim *s, unsigned core, uint64_t addr);
bool cc_sim_fetch_hits(const struct cc_sim *s, unsigned core, uint64_t addr);
/* Uncached device access. */
struct cc_sim_access cc_sim_io(struct cc_sim *s, unsigned core, uint64_t now, uint64_t addr, bool store);
/* Until the core's write buffer is empty. */
void cc_sim_fence(struct cc_sim *s, unsigned core, uint64_t now, struct cc_sim_access *ret);
/* Copies the interconnect's and the banks' busy cycles into the statistics. */
void cc_sim_finish(struct cc_sim *s);

/* For tests and reports. */
enum cc_mesi cc_sim_state(const struct cc_sim *s, unsigned core, uint64_t addr);
unsigned cc_sim_bank_of(const struct cc_sim *s, uint64_t addr, bool fetch);
unsigned cc_sim_node_of_core(const struct cc_sim *s, unsigned core);

#endif
