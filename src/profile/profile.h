/* A profile in memory: what every analysis starts from. All ids are checked when it is loaded, so analyses
 * index the arrays without looking twice; counts fit 63 bits. One arena, freed whole. */
#ifndef CC_PROFILE_PROFILE_H
#define CC_PROFILE_PROFILE_H

#include "../../collect/record.h"
#include "../base/arena.h"
#include "../base/err.h"

/* The stream of chunks that holds the time line: an array of struct cc_rec_call. */
#define CC_CALLS_STREAM "calls"
/* Function 0: code outside every function of the program (the loader, start-up code, where threads begin). */
#define CC_RUNTIME_NAME "<runtime>"
/* Region 0 and scope 0. */
#define CC_OUTSIDE_NAME "<outside>"

extern const char *const cc_node_kind_names[CC_NODE_KINDS];   /* "context", "input", … */
extern const char *const cc_level_names[CC_LEVELS];           /* "context", "function", "thread", "region" */
extern const char *const cc_scope_kind_names[CC_SCOPE_KINDS]; /* "outside", "region", "task" */
extern const char *const cc_problem_names[CC_PROBLEMS];

struct cc_pbinary {
    const char *path;
    bool program; /* the program itself, or part of it */
};

struct cc_pfunction {
    const char *name;   /* demangled; never NULL */
    const char *symbol; /* as in the binary; NULL: none */
    const char *file;   /* NULL: unknown */
    unsigned line;      /* 0: unknown */
    uint32_t binary;    /* CC_NONE: none */
    uint64_t offset;    /* virtual address in the binary */
    bool library;
    uint64_t calls;
    uint64_t inclusive; /* instructions while it was on a thread's stack, recursion counted once */
    uint64_t exclusive;
};

struct cc_pthread {
    uint32_t tid;
    uint64_t start; /* instructions of all threads when it began */
    uint64_t instructions;
};

struct cc_pcontext {
    uint32_t parent; /* CC_NONE: a thread's root; otherwise a lower id */
    uint32_t function, thread;
    uint64_t calls, exclusive, inclusive;
};

struct cc_psource {
    const char *call; /* the system call that filled memory; "mmap" for mapped files */
    const char *file; /* NULL: unknown */
};

struct cc_pnode {
    enum cc_node_kind kind;
    uint32_t context; /* CC_NONE unless kind is CC_NODE_CONTEXT */
    uint32_t source;  /* CC_NONE: none */
    uint32_t scope;   /* region or task it was in */
    uint64_t reads, writes, bytes_read, bytes_written;
    uint64_t stack_reads, stack_writes, stack_bytes_read, stack_bytes_written; /* of those, on the stack */
    /* Instructions that access memory; that touch the stack; that touch anything else. One that does both
     * counts in both. */
    uint64_t memory_instructions, stack_instructions, other_instructions;
};

/* producer and consumer: node ids at context level; at the others ids of functions, threads or regions, or
 * CC_SPECIAL_ID(kind). */
struct cc_pedge {
    uint32_t producer, consumer;
    uint64_t bytes, reads, fresh;
    uint64_t unma;
    bool has_unma; /* false: a run that was cut short knows it only for some streams */
};

/* One call of the time line. `start` counts the thread's own instructions. */
struct cc_pcall {
    uint32_t context, thread;
    uint64_t start, length;
};

struct cc_pregion { /* by name; [0] is what lies outside all */
    const char *name;
    uint64_t calls, exclusive;
    uint64_t inclusive; /* with regions and tasks inside it; recursion counts once */
};

struct cc_pscope {   /* regions and tasks as they nest; [0] is what lies outside all */
    uint32_t parent; /* CC_NONE: of [0] only; otherwise a lower id */
    enum cc_scope_kind kind;
    uint32_t region;  /* the region it is, or is in */
    const char *name; /* never NULL */
    const char *file; /* of its first begin; NULL: unknown, or a function made a region */
    unsigned line;
    uint64_t calls, exclusive;
};

struct cc_pproblem { /* marks that do not pair up */
    enum cc_problem kind;
    const char *text; /* a sentence for people */
    const char *file; /* NULL: unknown */
    unsigned line;
    uint64_t count;
};

/* A straight piece of code that was executed. */
struct cc_pblock {
    uint64_t address;
    uint32_t function;           /* it belongs to; 0: code of nobody, a library's say */
    uint32_t instructions, size; /* size: bytes of code */
    uint32_t mode;               /* 1: Thumb */
    const uint8_t *code;
};

/* Data objects (record --objects): all blocks of one allocation site, a variable, … */
struct cc_pobject {
    const char *kind;  /* "global", "stack", "heap", "file", "other" */
    const char *name;  /* never NULL; several may have the same */
    const char *type;  /* NULL: unknown */
    const char *alloc; /* "malloc", "new[]", …, "mmap"; NULL: not allocated */
    const char *file;  /* of its definition, or of the allocation; NULL: unknown */
    unsigned line;
    uint32_t function;          /* whose stack frame it is in; CC_NONE */
    bool named;                 /* by a mark */
    uint64_t size;              /* bytes: of a variable's type; else the most that was live at once */
    uint64_t count, freed;      /* blocks; of a variable in a stack frame: calls of the function */
    uint64_t total, live, peak; /* bytes: of all blocks; at the end of the run; most at once */
    uint32_t site, nsite;       /* into object_sites, innermost first */
};

struct cc_pobject_site { /* one call on the way to an allocation */
    uint32_t object, function;
    const char *file; /* NULL: unknown */
    unsigned line;
};

/* function: an id, or CC_SPECIAL_ID of CC_NODE_INPUT or CC_NODE_OUTPUT. */
struct cc_pobject_access {
    uint32_t function, object;
    uint64_t reads, writes, bytes_read, bytes_written;
    uint64_t unma; /* distinct byte addresses; in a stack frame: places in it */
    bool has_unma;
    uint64_t first, last; /* instructions of the thread, plus those of all threads when it began */
};

/* Names of enum cc_alloc_kind (collect/data.h). */
extern const char *const cc_object_alloc_names[CC_OBJECT_ALLOCS];

struct cc_profile {
    const char *path;                   /* of the .cast file */
    const char *program, *engine, *isa; /* NULL: unknown */
    const char **arguments;
    size_t narguments;
    bool complete;
    const char *reason; /* NULL if complete */
    int exit_code;      /* negative: unknown or killed */
    int exit_signal;    /* 0: none */
    uint64_t instructions, call_threshold;
    bool libs_as_nodes;
    bool approximate; /* `fresh` is a lower bound */
    struct cc_pbinary *binaries;
    struct cc_pfunction *functions; /* [0] is <runtime>; none at all in a profile without calls */
    struct cc_pthread *threads;
    struct cc_pcontext *contexts;
    struct cc_psource *sources;
    struct cc_pnode *nodes;
    struct cc_pedge *edges[CC_LEVELS]; /* sorted by producer, consumer */
    struct cc_pcall *calls;            /* sorted by thread, start, then length, longest first */
    size_t nbinaries, nfunctions, nthreads, ncontexts, nsources, nnodes, ncalls;
    size_t nedges[CC_LEVELS];

    /* From marks; regions[0] and scopes[0] always exist in a profile of an instrumented run. */
    struct cc_pregion *regions;
    struct cc_pscope *scopes;
    struct cc_pproblem *problems;
    struct cc_rec_span *spans;             /* the time line of regions and tasks; as recorded, by end */
    struct cc_rec_frame *frames;           /* none: the program marked no frames */
    struct cc_rec_frame_part *frame_parts; /* by frame, region */
    struct cc_rec_flow
        *flows;      /* levels function and region, mixed; by level, consumer frame, producer frame */
    bool frames_cut; /* the last frame stands for all that followed */
    /* Traffic of functions over time, by slice, function. */
    struct cc_rec_slice *slices;
    uint64_t slice_length; /* instructions */
    /* Code, and how often it was executed for whom. */
    struct cc_pblock *blocks;
    struct cc_rec_exec *execs;
    struct cc_rec_channel *channels;         /* pairs that were watched */
    const char **channel_from, **channel_to; /* their ends, as the user named them; never NULL */
    bool blocks_cut;                         /* some of the code that was executed is not among them */
    bool plain;                              /* recorded without slices, blocks and the stack told apart */
    size_t nregions, nscopes, nproblems, nspans, nframes, nframe_parts, nflows, nslices, nblocks, nexecs,
        nchannels;
    /* Data objects; none at all unless they were asked for. */
    bool has_objects, objects_cut; /* cut: more sites or names than are kept */
    struct cc_pobject *objects;
    struct cc_pobject_site *object_sites;      /* by object, innermost call first */
    struct cc_pobject_access *object_accesses; /* by function, object */
    size_t nobjects, nobject_sites, nobject_accesses;
    struct cc_arena arena;
};

int cc_profile_load(const char *path, struct cc_profile **ret, struct cc_err *err);
void cc_profile_free(struct cc_profile *p);

/* What an end of an edge is. For kinds other than CC_NODE_CONTEXT, *ret_id is of no use. At context level
 * *ret_id is the context. */
enum cc_node_kind cc_profile_end(const struct cc_profile *p, enum cc_level level, uint32_t id,
                                 uint32_t *ret_id);
/* "<input>", "<static>", "<unknown>", "<output>". */
const char *cc_special_name(enum cc_node_kind kind);

#endif
