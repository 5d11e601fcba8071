/* Shared by the collector's own files. */
#ifndef CC_COLLECT_INTERNAL_H
#define CC_COLLECT_INTERNAL_H

#include "collect.h"
#include "slices.h"

struct cc_sum {
    uint64_t operations, bytes;
};

/* Who can write or read: a calling context in a region or task, or one of the special kinds. */
struct cc_node {
    /* what calls and returns need, in one line */
    _Alignas(CC_LINE) uint32_t fold; /* it is among the touched nodes of that fold */
    uint32_t context;
    uint32_t number, function; /* its own; its context's */
    uint32_t empty[2];         /* the states "written by me in that frame, read by nobody" */
    struct cc_find *finds;     /* a power of two of them; cc_finds_none: none yet */
    uint64_t finds_mask;       /* see cc_thread */
    uint64_t *blocks;
    uint64_t calls, exclusive; /* of the context, since the last cc_fold: by the short way, see again.c */
    struct cc_tally tally;
    uint32_t frame, kind, source, scope;
    uint32_t group[CC_LEVELS];
    uint16_t nfinds;
    uint8_t finds_missed, finds_seconds, finds_rare; /* see quick.c */
    struct cc_sum read[2], written[2];               /* up to the last cc_fold */
};

/* The scope of everything while recording is off. */
#define CC_SCOPE_OFF (CC_NONE - 1)

struct cc_context {
    uint32_t parent, function, thread, node; /* node: outside all regions */
    uint32_t scope, scoped;                  /* the scope it was last in, and its node there */
    uint32_t apart, latest;                  /* --calls: calls that have a context, and the last one's */
    uint64_t calls, exclusive;
};

enum { CC_INSIDE = 14 };   /* readers that a state has room for */
#define CC_FULL UINT32_MAX /* size of a set that is no longer kept */

struct cc_state {
    uint32_t writer; /* CC_NONE: the number is free */
    uint32_t frame;
    bool stack;           /* it is on the stack of some thread */
    bool alone;           /* only one place is in it, see `place` */
    uint32_t size, added; /* readers, and the last of them */
    uint32_t known;       /* a state whose readers have read a value of the writer here before; 0: none; see
                             cc_overwrite */
    uint32_t again; /* the state of this writer that nobody has read, and that knows this one's readers; 0:
                       not made */
    union {
        uint32_t readers[CC_INSIDE]; /* as far as they go there; beyond: */
        struct {
            uint32_t parent; /* the set of readers is the parent's and `added` */
            uint32_t family; /* of the set */
            /* of each reader's context and function a bit: who has none here has not read it */
            uint64_t contexts, functions;
        } many;
    } of;
    union {
        uint64_t hash;  /* commutative over the set, so that equal sets meet whatever the order */
        uint64_t place; /* of one that is alone: cc_alone_place */
    };
};

struct cc_family {          /* sets of readers that grew one from the other, see readers.c */
    uint32_t parent, limit; /* it also holds what the parent took in up to the limit; 0: no parent */
    uint32_t tip;           /* size of its largest set; 0: the number is free */
    uint32_t forks;         /* ancestors */
};

struct cc_scope {
    uint32_t parent, kind, region, next; /* next: of the same hash */
    const char *name;
    const struct cc_mark_site *site; /* of its first begin */
    uint64_t calls, exclusive;
};

struct cc_region {
    const char *name;
    uint64_t calls, inclusive;
};

struct cc_frame_flow {
    uint32_t stream, producer_frame, consumer_frame; /* stream: number - 1 */
    uint64_t bytes;
};

struct cc_problem_entry {
    uint32_t kind;
    const char *name, *other_name; /* the latter and other may be NULL */
    const struct cc_mark_site *site, *other;
    uint64_t count;
};

struct cc_slice_sum {
    uint64_t read, written, stack_read, stack_written;
};

struct cc_block_entry {
    uint64_t address, hash;
    const uint8_t *code;
    struct cc_rec_insn *insns;
    uint32_t size, instructions, function, next; /* next: of the same hash */
    uint32_t lent;                               /* its number in tables of other functions; 0: none yet */
    bool thumb;
};

enum { CC_BLOCK_TABLES = 32768 }; /* slots of the hash table of tables */
/* Executions in one scope: of others' code on behalf of one function, or (CC_NONE) of functions' own. There
 * may be thousands of functions that each run a few pieces of code of their own. */
struct cc_block_table {
    uint32_t function, scope;
    uint64_t *counts;
};

struct cc_region_function {
    const char *path;
    uint64_t address;
    struct cc_mark_site site;
};

struct cc_function {
    uint32_t binary; /* CC_NONE: none */
    bool library;
    bool loader;                 /* the dynamic loader's */
    uint64_t address, size;      /* in the file; size 0: unknown */
    struct cc_mark_site *region; /* it is a region as a whole; NULL: it is none */
    uint8_t makes, takes;        /* the channels in which it is producer, consumer */
};

struct cc_watch { /* a function of a channel */
    const char *path;
    uint64_t address;
    uint8_t makes, takes;
};

struct cc_symbol {
    uint64_t address, size; /* size 0: reaches to the next symbol */
    uint64_t part_of;       /* address of the function it is a moved part of; its own otherwise */
    uint32_t function;      /* 0 until it is needed: ids are given in order of first use */
    bool outside;           /* nobody's: start-up code, the C library in a static binary */
    bool thumb;
    bool found; /* by being called */
    bool bound; /* without a name: where code begins and ends is known from elsewhere */
    bool moved; /* a part of a function that is not known */
};

struct cc_code { /* [start, end) in the file's addresses */
    uint64_t start, end;
};

struct cc_allocator {
    uint64_t address; /* in the file */
    uint32_t kind;    /* enum cc_alloc_kind */
};

struct cc_loop_binary { /* the loops of a file (loop.c) */
    struct cc_loop *loops;
    struct cc_loop_point *points;       /* by address */
    const struct cc_loop_block *blocks; /* by address */
    uint32_t nloops, npoints, nblocks;
};

struct cc_binary {
    char *path;
    uint64_t start, end, bias;
    uint64_t entry; /* where a program begins, 0 for most libraries; in the file's addresses */
    bool program, mapped;
    bool shown;                /* its functions are nodes */
    struct cc_symbol *symbols; /* sorted by address */
    uint32_t nsymbols, symbols_cap;
    uint64_t plt[8][2];         /* stubs: [start, end) in the file's addresses */
    struct cc_code startup;     /* where symbols do not tell start-up code: it begins in [start, end) */
    struct cc_mark_site *marks; /* sorted by address */
    uint32_t nmarks;
    struct cc_allocator *allocators; /* with --objects: malloc and its family */
    uint32_t nallocators;
    struct cc_loop_binary *loops; /* NULL: none are known */
};

struct cc_range {
    uint64_t start, end;
    uint32_t node;
    bool shared; /* with other mappings, which keep what is in it */
};

struct cc_source {
    char *call, *file;
    uint32_t node;
};

struct cc_call_entry {
    uint32_t context, thread;
    uint64_t start, length;
};

/* Arrays that only grow, in blocks, so that pointers into them stay valid while other threads read. */
enum { CC_BLOCK_BITS = 16, CC_MAX_BLOCKS = 16384 };
struct cc_grow {
    uint32_t n, item;
    uint8_t *blocks[CC_MAX_BLOCKS]; /* of one that has stopped growing only so many are there as it has */
};

/* Shadow memory (shadow.c, cell.h). */
struct cc_shadow {
    cc_cell **directory, **bytes; /* by word and by byte */
    uint32_t *chunks;             /* those that are there, by word */
    uint32_t nchunks;
    size_t chunks_cap;
    struct cc_range *ranges; /* sorted, disjoint: whose a byte is that nobody wrote */
    uint32_t nranges, ranges_cap;
    struct cc_index pages; /* that were touched: number + 1 */
};

/* States of bytes (state.c, readers.c). */
struct cc_states {
    uint64_t *index; /* hash of (writer, set) -> upper half of the hash, state */
    uint32_t index_cap;
    bool cut;                   /* there were more than the bound allows: `fresh` is a lower bound */
    uint32_t used;              /* numbers that are not free */
    uint32_t free, free_family; /* the first that is, the others by state.again and family.parent; 0: none */
    uint32_t made, least, sweep_due; /* made, or wanted, since the last sweep; see sweep.c */
    struct cc_index members;         /* of families */
    struct cc_grow all, families;
    struct cc_rewrite *rewrites; /* of each state */
    size_t rewrites_cap;
};

/* Who can write or read. */
struct cc_nodes {
    uint32_t of_static, of_unknown;
    struct cc_grow all;
};

/* Calling contexts, and the calls of the time line (stack.c). */
struct cc_calls {
    struct cc_call_entry *line;
    uint32_t nline;
    uint64_t threshold; /* instructions of a call that is put there */
    bool followed;      /* objects, channels or tasks want to know of every call */
    struct cc_grow contexts;
};

struct cc_threads {
    struct cc_thread **v;
    uint32_t n, cap;
    struct cc_room *spare; /* room of threads that have ended */
    uint64_t *inclusive;   /* of those, by function */
    size_t inclusive_cap;
};

/* Where system calls' input comes from. */
struct cc_sources {
    struct cc_source *v;
    uint32_t n, cap;
};

/* ELF files and their functions (symbols.c). */
struct cc_program_code {
    struct cc_binary *binaries;
    uint32_t nbinaries, binaries_cap;
    struct cc_code *runtime; /* of the program, sorted: see options.def */
    uint32_t nruntime;
    struct cc_grow functions;
};

/* Regions and tasks (scope.c). */
struct cc_scopes {
    struct cc_rec_span *spans;
    uint32_t nspans;
    uint64_t span_threshold;
    struct cc_problem_entry *problems; /* with marks */
    uint32_t nproblems;
    struct cc_region_function *functions; /* that are regions as a whole */
    uint32_t nfunctions, functions_cap;
    uint32_t hash[1024]; /* first scope; 0: none */
    struct cc_grow all, regions;
};

/* Frames of the program's own (scope.c). */
struct cc_frames {
    uint32_t present;
    bool any, cut;   /* cut: there were more than the bound allows */
    uint64_t *parts; /* instructions of the present frame, by region */
    size_t parts_cap;
    struct cc_rec_frame_part *over; /* of those that are over */
    size_t nover, over_cap;
};

/* Channels (watch.c). */
struct cc_watching {
    struct cc_channel *channels[CC_CHANNELS];
    uint32_t nchannels;
    struct cc_watch *functions;
    uint32_t nfunctions, functions_cap;
    cc_cell **nothing; /* a directory without shadow memory */
};

/* Slices of time (fold.c). */
struct cc_time {
    uint64_t clock; /* instructions of all threads, as far as they have reported */
    uint64_t slice_length;
    uint32_t slice;           /* the present one */
    struct cc_slice_sum *sum; /* of it, by function */
    size_t sum_cap;
    struct cc_slices slices; /* those before */
};

/* Blocks of code (block.c). */
struct cc_code_blocks {
    struct cc_block_entry *all;
    uint32_t n, nlent;
    uint32_t *lent; /* ids of blocks that others run too, by their number there */
    uint32_t *hash; /* 1 + first block */
    bool cut;       /* there were more than the bound allows */
    struct cc_block_table *tables;
    uint32_t ntables;
    uint64_t *scratch; /* counts that nobody wants */
    uint64_t *slab;
    uint32_t slab_left;
};

/* What the code of loops does (loop_code.c). */
struct cc_loop_codes {
    struct cc_rec_loop_code *v;
    size_t n, cap;
    size_t shared;          /* of so many, loops know which are theirs */
    struct cc_index blocks; /* address -> where it is in v */
    struct cc_index jumps;  /* digest of where an indirect jump is and where it went -> 1 */
    bool cut;               /* there was more than the bound allows */
};

/* The trace of lines (locality.c), of all threads. */
struct cc_lines {
    uint64_t bytes;
    uint32_t shift; /* one colour in 2^shift is kept */
    bool cut;
};

/* Loops (loop.c). */
struct cc_loop_state {
    const uint8_t *file; /* that tells where they are, behind its first bytes; NULL: nobody has asked */
    size_t size;
    struct cc_index children; /* (node, loop) -> node */
    struct cc_grow all;       /* struct cc_loop *, in the order of being entered first */
    struct cc_grow nodes;     /* of the tree of loops inside loops */
};

struct cc_pool { /* memory.c */
    uint8_t *at;
    size_t left;
};

/* All of a run, by feature. The small ones come first: a cc_grow is 128 KiB, and what lies behind it is
 * further to reach. */
struct cc_rings;

struct cc_collect {
    struct cc_host host;
    struct cc_options opt;
    bool off; /* recording is switched off */
    struct cc_shadow shadow;
    struct cc_frames frames;
    struct cc_threads threads;
    struct cc_time time;
    struct cc_code_blocks blocks;
    struct cc_loop_codes loop_codes;
    struct cc_lines lines;
    struct cc_watching watch;
    struct cc_sources sources;
    struct cc_pool pool;
    struct cc_data *data;      /* NULL: neither objects nor dependences asked for */
    struct cc_depend *depend;  /* NULL: no dependences asked for */
    struct cc_depend *sibling; /* of calls; NULL: not asked for */
    struct cc_nodes nodes;
    struct cc_calls calls;
    struct cc_states states;
    struct cc_program_code code;
    struct cc_scopes scopes;
    struct cc_loop_state loops;
    struct cc_rings *rings; /* NULL: none yet */
};

/* memory.c */
void *cc_pool(struct cc_collect *c, size_t size); /* small, zeroed, never freed; caller holds the lock */
void *cc_thread_pool(struct cc_thread *t, size_t size); /* the same, private to the thread */
void *cc_extend(struct cc_collect *c, void *p, size_t *cap, size_t want,
                size_t item); /* grown copy, rest zeroed */
void cc_give_back(struct cc_collect *c, void *p, size_t size);
void *cc_grow_add(struct cc_collect *c, struct cc_grow *g);
void cc_index_room(struct cc_collect *c, struct cc_index *x,
                   size_t n); /* it is new, and is to hold so many */
/* Where the key is, or would be: then the caller fills the slot and counts it. */
size_t cc_index_slot(struct cc_collect *c, struct cc_index *x, uint64_t key);
/* What is there; NULL: nothing. */
const uint32_t *cc_index_at(const struct cc_index *x, uint64_t key);
static inline void *cc_grow_at(const struct cc_grow *g, uint32_t i)
{
    return g->blocks[i >> CC_BLOCK_BITS] + (size_t)(i & ((1u << CC_BLOCK_BITS) - 1)) * g->item;
}
static inline struct cc_node *cc_node_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->nodes.all, i);
}
static inline struct cc_context *cc_context_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->calls.contexts, i);
}
static inline struct cc_state *cc_state_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->states.all, i);
}
static inline struct cc_function *cc_function_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->code.functions, i);
}
/* The cells of the bytes from this address to the end of its word, which is split. */
static inline cc_cell *cc_bytes_at(const struct cc_collect *c, uint64_t a)
{
    return c->shadow.bytes[cc_chunk_of(a)] + cc_byte_of(a);
}
static inline void cc_lock(struct cc_collect *c)
{
    if (c->host.lock)
        c->host.lock(c->host.self);
}
static inline void cc_unlock(struct cc_collect *c)
{
    if (c->host.unlock)
        c->host.unlock(c->host.self);
}
static inline uint64_t cc_mix(uint64_t x) /* a bijection that spreads every bit (murmur3's finaliser) */
{
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}

/* Processors that all programs are made for need not have an instruction for it. */
static inline uint64_t cc_count_bits(uint64_t x)
{
#if defined(__POPCNT__) || defined(__aarch64__)
    return (uint64_t)__builtin_popcountll(x);
#else
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return ((x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f)) * UINT64_C(0x0101010101010101) >> 56;
#endif
}

static inline bool cc_same_bytes(const void *a, const void *b, size_t n)
{
    const uint8_t *x = a, *y = b;
    size_t i = 0;
    while (i < n && x[i] == y[i])
        i++;
    return i == n;
}

static inline bool cc_same_text(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static inline size_t cc_length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

/* state.c */
uint32_t cc_node_new(struct cc_collect *c,
                     const struct cc_node *init);       /* lock held; makes its empty state too */
void cc_node_enter(struct cc_thread *t, uint32_t node); /* the thread's accesses are this node's now */
/* The thread's accesses are this node's, which was entered since the last fold, in the present frame. */
static inline void cc_node_take(struct cc_thread *t, struct cc_node *n, uint32_t node)
{
    t->node = node;
    t->reader_key = (uint64_t)(t->frame & 255) << 56 | (uint64_t)node << 32;
    __builtin_memcpy(t->writer_state, n->empty, sizeof t->writer_state);
    t->tally = &n->tally;
    t->finds = n->finds;
    t->finds_mask = n->finds_mask;
    if (n->blocks)
        t->blocks = n->blocks;
}
void cc_node_refresh(struct cc_collect *c, uint32_t node, uint32_t frame); /* a new frame has begun */
const struct cc_transition *cc_transition_find(struct cc_thread *t, uint32_t state);
/* The same if it is remembered and nothing of it can be another by now; NULL: the others will tell. */
const struct cc_transition *cc_transition_known(struct cc_thread *t, uint32_t state);
/* What reading does where all of a place is in the state and a transition to a state of its own will do: sets
 * that are as good as never met again need not be found. The place is an aligned access, as cc_alone_place
 * tells. NULL: it will not. */
const struct cc_transition *cc_transition_alone(struct cc_thread *t, uint32_t state, uint64_t place);
static inline uint64_t cc_alone_place(uint64_t a, uint32_t class)
{
    return a << 3 | class;
}
static inline void cc_lookups_forget(struct cc_thread *t)
{
    __builtin_memset(t->room.caches->lookup, 0, sizeof t->room.caches->lookup);
    __builtin_memset(t->room.caches->moves, 0, sizeof t->room.caches->moves);
}
#define CC_MOVED CC_NONE /* as `known`: mremap brought it here, so that its readers have read elsewhere */
uint32_t cc_state_moved(struct cc_collect *c, uint32_t state);
void cc_rewrites_forget(struct cc_collect *c); /* states have come to mean something else, or are gone */
void cc_states_forget(struct cc_collect *c);   /* what was read so far was read before the run */
void cc_states_index(struct cc_collect *c);    /* the index of all is made anew; lock held */

/* quick.c */
extern struct cc_find cc_finds_none[2]; /* for nodes that have none */
/* The counts of a node of the thread go to where they belong. */
void cc_finds_flush(struct cc_thread *t, struct cc_node *n);

/* sweep.c; lock held */
enum { CC_SWEEP_LEAST = 1 << 17 }; /* states that are made before it is worth it */
void cc_states_sweep(struct cc_collect *c);

/* readers.c; lock held */
/* The set of a state that is about to be made gets one more. */
void cc_readers_take(struct cc_collect *c, struct cc_state *s, uint32_t state, uint32_t node);
static inline uint32_t cc_member_family(uint64_t key)
{
    return (uint32_t)(key >> 35);
}
bool cc_readers_hold(struct cc_collect *c, const struct cc_state *s, uint32_t node);
/* To whose group at each level the reader's reading is new: a bit per level. */
uint8_t cc_readers_fresh(struct cc_collect *c, const struct cc_state *s, const struct cc_node *reader);
void cc_readers_add(struct cc_collect *c, uint32_t state, uint8_t fresh); /* the state is new */
static inline uint64_t cc_reader_bit(uint32_t group)
{
    return UINT64_C(1) << (group * 2654435769u >> 26);
}

/* levels.c */
/* The streams between groups of a level, one for each pair; unma: of each thread.
 * final: with their addresses where several streams are one. */
struct cc_addresses;
typedef void cc_edge_function(void *self, const struct cc_rec_edge *edge);
void cc_level_edges(struct cc_collect *c, int level, const struct cc_addresses *unma, bool final,
                    cc_edge_function *put, void *self);

/* depend_run.c */
struct cc_data_writer;
void cc_depend_records(struct cc_collect *c, const struct cc_data_writer *w);

/* watch.c */
bool cc_hex(const char **text, uint64_t *ret); /* moves *text behind it; false: there is none */
/* Watches pairs of functions of the file as channels (channel.h), before it is mapped. text: for each channel
 * the producer's and the consumer's address, as HEX:HEX, several of either with +; channels are parted by /.
 * Whether it was understood. */
bool cc_channels(struct cc_collect *c, const char *path, const char *text);
void cc_watch_function(struct cc_collect *c, struct cc_function *f, const char *path);
void cc_watch_enter(struct cc_thread *t, const struct cc_node *n);
void cc_watch_read(struct cc_thread *t, uint64_t a, uint32_t size);
void cc_watch_write(struct cc_thread *t, uint64_t a, uint32_t size);
void cc_watch_forget(struct cc_collect *c);
void cc_watch_result(struct cc_collect *c, uint32_t channel, struct cc_rec_channel *ret);

/* scope.c */
/* HEX=NAME: the file's function at that address is a region of this name; before the file is mapped. Whether
 * it was understood. */
bool cc_region_function(struct cc_collect *c, const char *path, const char *text);
uint64_t cc_now(struct cc_thread *t,
                uint64_t now); /* on the clock of what is recorded; notices marks of other threads */
uint32_t cc_node_of(struct cc_thread *t, uint32_t context); /* in the present scope */
void cc_scope_begin(struct cc_thread *t, uint64_t now, enum cc_scope_kind kind, const char *name,
                    struct cc_mark_site *site);
void cc_scope_end(struct cc_thread *t, uint64_t now, enum cc_scope_kind kind, const char *name,
                  const struct cc_mark_site *site);
void cc_scope_account(struct cc_thread *t, uint64_t now); /* time in the present scope up to now */
void cc_scope_finish(struct cc_thread *t, uint64_t now);  /* the thread ends */
void cc_problem_note(struct cc_collect *c, enum cc_problem kind, const char *name,
                     const struct cc_mark_site *site, const char *other_name,
                     const struct cc_mark_site *other);

/* task.c */
void cc_task_event(struct cc_thread *t, uint64_t now, uint32_t id, bool function, bool end);
void cc_task_flush(struct cc_thread *t);
/* Something begins that may be a task, and needs the thread's totals. `shortly`: all of its kind were too
 * short for one lately; then those of a little earlier have to do. */
void cc_task_begins(struct cc_thread *t, uint64_t now, bool shortly);
/* As it was at an earlier time, though no earlier than the last event: total are the accesses then. */
void cc_task_put(struct cc_thread *t, uint64_t when, uint64_t id, bool end,
                 const uint64_t total[CC_TASK_COUNTS]);

/* loop_task.c */
struct cc_loop_entry;
void cc_loop_task_enter(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e);
void cc_loop_task_iterate(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e);
void cc_loop_task_leave(struct cc_thread *t, uint64_t now, struct cc_loop_entry *e);
void cc_loop_task_announce(struct cc_thread *t); /* all that is active has begun */

/* sibling.c */
void cc_sibling_begin(struct cc_collect *c, const struct cc_depend_machine *m);
void cc_sibling_thread_init(struct cc_thread *t);
void cc_sibling_thread_end(struct cc_thread *t, uint64_t now);

/* fold.c */
void cc_fold(struct cc_thread *t);       /* what nodes counted goes to their totals and the slice */
void cc_fold_frame(struct cc_thread *t); /* the same, and the edges of the frame are over */
/* What the thread has read so far in the present frame, of each frame that it was written in. */
typedef void cc_flow_function(void *self, const struct cc_thread *t, const struct cc_frame_flow *flow);
void cc_flows(const struct cc_thread *t, cc_flow_function *add, void *self);
void cc_clock(struct cc_thread *t, uint64_t now);
uint64_t cc_counts_operations(const struct cc_counts *k);
uint64_t cc_counts_bytes(const struct cc_counts *k);

/* block.c */
void cc_blocks_init(struct cc_collect *c);
uint64_t *cc_block_counts(struct cc_collect *c, uint32_t function, uint32_t scope); /* lock held */

/* loop.c */
struct cc_data_writer;
void cc_loops_init(struct cc_collect *c);
bool cc_loops_read(struct cc_collect *c); /* the file that tells where they are; false: it makes no sense */
void cc_loops_load(struct cc_collect *c, struct cc_binary *o); /* of a file that is mapped; lock held */
void cc_loops_thread_init(struct cc_thread *t);
void cc_loops_forget(struct cc_collect *c);
void cc_loops_write(struct cc_collect *c, const struct cc_data_writer *w);
void cc_loops_unwind(struct cc_thread *t, uint64_t now);           /* those of activations that are gone */
void cc_loops_leave_activation(struct cc_thread *t, uint64_t now); /* and of the present one */
/* Those of the present one that the address is not in. */
void cc_loops_land(struct cc_thread *t, uint64_t now, uint64_t address);
/* What the function called behind an exit of a loop, and would have returned there, was thrown out of. */
void cc_loops_thrown(struct cc_thread *t, uint32_t function, uint64_t ret);

/* notes.c */
struct cc_elf;
void cc_notes_read(const struct cc_elf *e, struct cc_binary *o);

/* marks.c: a copy to look at, in memory that is never freed; lock held */
struct cc_marks cc_marks_packed(struct cc_collect *c, const struct cc_marks *m);

/* edge.c */
void cc_stream_expect(const struct cc_thread *t, uint32_t producer,
                      uint32_t consumer); /* it is looked for soon */
struct cc_stream *cc_stream_find(struct cc_thread *t, uint32_t producer, uint32_t consumer);
/* The bytes of an edge; NULL: there is none, in the first frame, for what was written in it. */
uint64_t *cc_edge_find(struct cc_thread *t, const struct cc_stream *stream, uint32_t producer_frame);
static inline struct cc_stream *cc_stream_at(const struct cc_thread *t, uint32_t number)
{
    return cc_grow_at(t->room.streams, number - 1);
}
/* How many distinct addresses there are: of a thread's wide streams, found once for all threads, and of a
 * stream that may be any. */
struct cc_addresses {
    struct cc_index at; /* number -> where it is in n */
    uint64_t *n;
};
struct cc_addresses *cc_addresses_new(struct cc_collect *c); /* by thread */
void cc_addresses_free(struct cc_collect *c, struct cc_addresses *all);
uint64_t cc_addresses_of(const struct cc_addresses *x, const struct cc_stream *s);
void cc_edge_touch(struct cc_thread *t, struct cc_stream *e, uint64_t a, uint32_t size);
static inline void cc_count_fresh(struct cc_thread *t, struct cc_stream *s, uint8_t levels, uint64_t bytes)
{
    for (uint32_t level = 0; level < CC_LEVELS; level++)
        if (levels >> level & 1)
            cc_stream_add(t, s, CC_COUNTED_FRESH + level, bytes);
}
uint64_t cc_stream_count(const struct cc_thread *t, const struct cc_stream *s, uint32_t which);
/* The bitmap that holds an address; and marking where [a, a + size) lies within one aligned 64-byte stretch.
 */
static inline uint64_t *cc_edge_page(struct cc_thread *t, struct cc_stream *e, uint64_t a)
{
    uint64_t page = cc_page_of(a), key = page | (uint64_t)e->number << CC_NUMBER_SHIFT;
    struct cc_marked *recent = &t->room.caches->recent[(page ^ e->number * 37) & (CC_RECENT - 1)];
    if (__builtin_expect(recent->key != key, 0))
        *recent = (struct cc_marked){key, cc_marks_find(&t->room.marks, &t->owner->host, key)};
    e->wide = true;
    return recent->bits;
}
static inline uint64_t cc_mask_of(uint64_t a, uint32_t size)
{
    return (size >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << size) - 1) << (a & 63);
}
static inline void cc_edge_mark(uint64_t *page, uint64_t a, uint32_t size)
{
    page[(a >> 6) & (CC_MARKS_WORDS - 1)] |= cc_mask_of(a, size);
}
/* Most streams of programs with very many touch few addresses close to each other, and all in units of the
 * first: 64 of those have room in the stream. Whether these are among them; [a, a + size) is as above. */
static inline bool cc_edge_mark_inside(struct cc_stream *e, uint64_t a, uint32_t size)
{
    if (!e->place)
        e->place = cc_place_with(a, (uint32_t)__builtin_ctzll(a | size | 8));
    uint32_t unit = cc_place_unit(e->place);
    if (e->place != cc_place_with(a, unit) || ((a | size) & ((1u << unit) - 1)))
        return false;
    e->bits |= cc_mask_of(a >> unit, size >> unit);
    return true;
}
/* Lines of a stream's own place; the addresses of one of them, as cc_edge_mark has them. */
static inline uint32_t cc_stream_lines(const struct cc_stream *s)
{
    return s->place ? 1u << cc_place_unit(s->place) : 0;
}
static inline uint64_t cc_stream_first_line(const struct cc_stream *s)
{
    return (s->place >> 3) << cc_place_unit(s->place);
}
uint64_t cc_stream_line(const struct cc_stream *s, uint32_t line);
static inline void cc_edge_touch_within(struct cc_thread *t, struct cc_stream *e, uint64_t a, uint32_t size)
{
    if (!cc_edge_mark_inside(e, a, size))
        cc_edge_mark(cc_edge_page(t, e, a), a, size);
}
/* shadow.c */
void cc_shadow_put(struct cc_collect *c, uint64_t a, uint32_t size,
                   uint32_t state); /* all bytes are in it now */

/* symbols.c */
bool cc_runtime_ranges(struct cc_collect *c); /* takes them from the options; false: they make no sense */
/* The ELF file whose code holds an address, and the address in that file; CC_NONE: none. Lock held. */
bool cc_runtime_library(const char *soname); /* libraries.c: of the system or of a language */
uint32_t cc_binary_of(struct cc_collect *c, uint64_t address, uint64_t *ret_va);

/* ended.c */
struct cc_thread *cc_thread_place(struct cc_collect *c); /* for a new one; lock held */
void cc_thread_make_room(struct cc_thread *t);           /* for what it needs while it runs; lock held */
void cc_thread_leave(struct cc_thread *t);               /* it has ended */

/* again.c */
void cc_call_learn(struct cc_thread *t, uint32_t from,
                   uint32_t function); /* it has been made, from that context */

/* stack.c */
enum {
    CC_ACTIVATION_TAIL = 1,    /* entered by a jump: leaves together with the one below */
    CC_ACTIVATION_OUTSIDE = 2, /* entered from outside: go back there */
    CC_ACTIVATION_REGION = 4,  /* the function is a region as a whole */
    CC_ACTIVATION_STACK = 8,   /* the lowest on a stack that the thread has switched to */
    CC_ACTIVATION_STUB = 16,   /* a jump of a library led to it: a stub, or the end of a function there */
};
/* Bytes of stack from one activation to the next; beyond this it may be another stack. */
enum { CC_STACK_NEAR = 6 << 10 };
void cc_activation_pop(struct cc_thread *t, uint64_t now);
void cc_activation_restore(struct cc_thread *t, uint64_t now, const struct cc_activation *a);
static inline uint32_t cc_activation_function(const struct cc_thread *t, size_t at)
{
    return cc_context_at(t->owner, t->room.activations[at].context)->function;
}

/* switch.c; sp is known, except where it says so */
/* Whether a thread whose stack pointer was `from` is on another stack now, where nothing is known of yet. */
bool cc_stack_is_new(const struct cc_thread *t, uint64_t from, uint64_t sp);
/* The activation is the top; those above it are gone, or parked where they are on other stacks. */
void cc_stack_leave(struct cc_thread *t, uint64_t now, size_t top);
/* Control is where an activation returns to, or where one waits for code outside, perhaps on another stack:
 * whether that was found and gone to. place: of the address; NULL: a return instruction went there. sp may be
 * 0. */
bool cc_stack_resume(struct cc_thread *t, uint64_t now, const struct cc_place *place, uint64_t address,
                     uint64_t sp);
/* Without a stack pointer, a return that does not fit: whether another stack that waited where the present
 * one did was meant, and now has returned there. */
bool cc_stack_second_guess(struct cc_thread *t, uint64_t now, uint64_t target);
void cc_stack_forget_parked(struct cc_thread *t);
/* Control is somewhere on the stack that holds sp: what runs on others waits or is parked. */
void cc_stack_find(struct cc_thread *t, uint64_t now, uint64_t sp);
/* Activations from this one on are another stack's, which goes on some other time. */
void cc_stack_park(struct cc_thread *t, uint64_t now, size_t from);

/* stack.c */
uint32_t cc_context_child(struct cc_thread *t, uint32_t parent, uint32_t function);
void cc_context_switch(struct cc_thread *t, uint64_t now, uint32_t context);

#endif
