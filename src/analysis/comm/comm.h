/* The communication graph: which data flows from whom to whom. */
#ifndef CC_ANALYSIS_COMM_COMM_H
#define CC_ANALYSIS_COMM_COMM_H

#include "../../profile/names.h"

enum cc_comm_kind {
    CC_COMM_FUNCTION,
    CC_COMM_CONTEXT,
    CC_COMM_THREAD,
    CC_COMM_REGION,
    CC_COMM_INPUT,
    CC_COMM_STATIC,
    CC_COMM_UNKNOWN,
    CC_COMM_OUTPUT,
    CC_COMM_RUNTIME, /* function 0, or a thread's root context */
    CC_COMM_OBJECT,  /* data objects, in the graph of analysis/objects */
    CC_COMM_KINDS,
};
extern const char *const cc_comm_kind_names[CC_COMM_KINDS];

struct cc_comm_node {
    const char *name; /* no two alike */
    enum cc_comm_kind kind;
    uint32_t id;                  /* function, context, thread or region; CC_NONE for the special kinds */
    uint64_t instructions;        /* exclusive; of a thread: all */
    uint64_t bytes_in, bytes_out; /* from and to others, over all streams, shown or not */
    uint64_t bytes_self;
    uint64_t size, peak; /* of an object: bytes of all its blocks; most at once */
};

struct cc_comm_source {      /* where bytes of <input> came from */
    const char *call, *file; /* file NULL: unknown */
    uint64_t bytes;
};

struct cc_comm_edge {
    uint32_t from, to; /* nodes */
    uint64_t bytes, reads, fresh;
    uint64_t unma;
    bool has_unma;
    bool has_reads;                 /* false: `reads` and `fresh` are not known for one frame */
    bool critical_fresh, critical;  /* on the critical data path of first reads, and on that of all reads */
    bool marked;                    /* on the one that is shown: of first reads where they are known */
    struct cc_comm_source *sources; /* if `from` is <input>; most bytes first */
    size_t nsources;
};

/* A critical data path. */
struct cc_comm_path {
    const char **names;
    uint64_t *bytes; /* of the edge to the next name; n - 1 of them */
    size_t n;
};

struct cc_comm {
    enum cc_level by;
    bool objects;  /* by object: functions and objects are the nodes */
    bool calls;    /* by call: contexts that hold one call each, as far as the recording tells calls apart */
    size_t joined; /* of those, how many hold several */
    struct cc_comm_node
        *nodes; /* those of the shown edges; functions, contexts, threads or regions by id, then specials */
    struct cc_comm_edge *edges; /* most bytes first */
    size_t nnodes, nedges;
    uint64_t total;   /* bytes of all streams */
    uint64_t between; /* of those between different nodes: what shares are of */
    size_t hidden;    /* edges the filter left out */
    uint64_t hidden_bytes;
    uint64_t hidden_between;   /* of those, between different nodes */
    struct cc_comm_edge *ties; /* hidden, but the heaviest that join what is shown into fewer pieces */
    size_t nties;
    size_t pieces; /* that the shown streams and the ties leave apart, of nodes that have one to another */
    struct cc_comm_path
        fresh_path; /* of values read for the first time: what has to be moved; none for one frame */
    struct cc_comm_path reread_path; /* of every byte read */
    bool has_instructions;           /* of nodes: not known for one frame by function */
    uint64_t instructions;           /* of the run or the frame */
    bool has_sources;                /* where <input> came from is known: not by region, nor for one frame */
    bool one_frame;                  /* only what was read in it */
    uint32_t frame;
    struct cc_arena arena;
};

/* min_share is of the bytes between different nodes. focus: only streams with such an end. A single frame is
 * known by function and by region only. */
int cc_comm_build(const struct cc_profile *p, enum cc_level by, const struct cc_filter *filter,
                  struct cc_comm **ret, struct cc_err *err);
/* By single calls, PinComm's nodes: record --calls tells the first calls of each path apart. */
int cc_comm_calls(const struct cc_profile *p, const struct cc_filter *filter, struct cc_comm **ret,
                  struct cc_err *err);
void cc_comm_free(struct cc_comm *c);

/* For those who fill a struct cc_comm: finds ties and pieces. Edges, and the hidden ones, heaviest first,
 * have ends below nends. */
void cc_comm_tie(struct cc_comm *c, const struct cc_comm_edge *hidden, size_t n, uint32_t nends);

/* For comm.c: a stream between ends numbered from 0 to n, and the heaviest path through such streams. */
struct cc_comm_stream {
    uint32_t from, to;
    struct cc_pedge e;
    bool merged; /* of several: UnMA is not known */
};
/* By first reads (`fresh`) or by all. Sets *ret_path (owned) to the indices of the streams on the path. */
size_t cc_comm_path(const struct cc_comm_stream *streams, size_t n, uint32_t nends, bool fresh,
                    size_t **ret_path);

#endif
