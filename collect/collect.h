/* The collector: all state of one measured run. Engines feed it calls, returns and memory accesses; it keeps
 * shadow memory, call stacks, calling contexts and streams, and writes them out as records (record.h).
 *
 * Events of one guest thread come from one host thread at a time. What hangs on `struct cc_thread` is private
 * to that guest thread; what threads share is taken under host->lock, on slow paths only. */
#ifndef CC_COLLECT_COLLECT_H
#define CC_COLLECT_COLLECT_H

#include "cell.h"
#include "host.h"
#include "marks.h"
#include "options.h"
#include "record.h"

/* Accesses are counted by size class: 1, 2, 4, 8, 16, 32, 64 bytes. Everything else is counted by operation
 * and byte. */
enum { CC_CLASSES = 7 };

struct cc_counts {
    uint64_t n[CC_CLASSES];
    uint64_t odd, odd_bytes;
};

/* Where there are two of something, the first is for what lies beside the stack, the second for what lies on
 * it. */

/* What a node has accessed since the last cc_fold. */
struct cc_tally {
    struct cc_counts writes[2], reads[2];
    /* second and later accesses of an instruction: beside the stack like the first, on the stack like the
     * first, on different sides; never folded */
    uint64_t again[3];
};

/* What is counted of a stream. Reads that draw on several streams count on each; fresh are bytes whose value
 * is new to the consumer's group at each level. */
enum { CC_COUNTED_BYTES, CC_COUNTED_READS, CC_COUNTED_FRESH, CC_COUNTED = CC_COUNTED_FRESH + CC_LEVELS };

/* A stream from one producer node to one consumer node. There may be millions, and then nearly all of them
 * are small: what does not fit into 16 bits is with the few that are large (cc_stream_carry). */
struct cc_stream {
    uint32_t producer, consumer;
    uint32_t number;          /* 1, 2, … among the thread's streams */
    uint16_t low[CC_COUNTED]; /* of its counts */
    uint64_t place : 62;      /* cc_place_with the first address; 0: none yet */
    uint64_t wide : 1;        /* addresses of it are in cc_thread.marks too */
    uint64_t large : 1;       /* counts of it are in cc_thread.large too */
    uint64_t bits;            /* which units of the place took part */
};

/* The part of a stream that was written in one frame and is read in the present one. Where there are no
 * frames, there are none of these; nor for what is both written and read in the first. */
struct cc_edge {
    uint32_t stream; /* its number */
    uint32_t producer_frame;
    uint64_t bytes;
};

/* The state already holds the consumer: reading it only counts. */
struct cc_lookup {
    uint64_t key; /* see cc_thread.reader_key, with the state in the low half */
    struct cc_stream *stream;
    uint64_t *edge; /* bytes of it; NULL: there is none */
    uint32_t stack;
};

/* What reading does to a state. */
struct cc_transition {
    uint64_t key;
    struct cc_stream *stream;
    uint64_t *edge;
    uint32_t next; /* the state afterwards */
    uint8_t fresh; /* bit per level */
    bool holds;    /* the state already holds the consumer */
    bool known;    /* the address is marked in the stream already */
    bool stack;
};

/* The same, remembered for longer. */
struct cc_memo {
    uint32_t node, state; /* state 0: empty slot */
    uint32_t next, stream;
    uint8_t fresh;
    bool holds, known, stack;
};

/* What loads of a node find, see quick.h. */
struct cc_find {
    uint32_t key; /* cc_find_key; 0: none */
    uint32_t next;
    uint64_t count; /* loads that found it so, not yet told */
};
/* In `next`: */
#define CC_FIND_NEXT 0xffffffu   /* the state afterwards */
#define CC_FIND_MARK 0x80000000u /* the address is to be marked in the stream */
enum { CC_FIND_SIZES = 11 };     /* of tables: powers of two */

/* What writing over a state makes of it, see cc_overwrite; by state. */
struct cc_rewrite {
    uint32_t owner; /* cc_owner of who wrote the state; 0: it makes no difference who did */
    uint32_t next;  /* if the same writes again; 0: not asked for yet */
};

struct cc_collect;
struct cc_context;
struct cc_grow;
struct cc_locality;
struct cc_depend_machine;
struct cc_depend_thread;
struct cc_sibling_thread;
struct cc_node;

struct cc_activation { /* of a function: its stack frame, where it returns to */
    uint64_t ret, sp, enter;
    uint64_t out_ret, out_sp; /* t->out_ret and out_sp to restore when it is left */
    uint32_t context, flags;
    uint32_t base;        /* if it is the lowest on a stack: t->base to restore */
    struct cc_node *node; /* of the context, outside all regions */
};

struct cc_open {           /* a region or task that is open */
    uint32_t scope, outer; /* outer: the scope around it, which is innermost again when it ends */
    uint32_t frame;        /* it began in */
    const struct cc_mark_site *site;
    uint64_t start;
};

struct cc_activity { /* of one function in one thread */
    uint64_t inclusive;
    uint32_t active, pad;
};

enum { CC_TASK_COUNTS = 3 }; /* of a task event */

struct cc_index { /* a hash table; key 0 is an empty slot */
    uint64_t *keys;
    uint32_t *values;
    size_t n, cap;
};

struct cc_call_memo {        /* a call that was made before, see again.c */
    uint32_t from, function; /* from: context, one more; 0: none */
    struct cc_node *to;
};

enum { CC_CALLS_KEPT = 1024, CC_LOOKUPS = 1024, CC_RECENT = 4096 };

/* What a thread has met lately. */
struct cc_caches {
    struct cc_lookup lookup[CC_LOOKUPS];
    struct cc_transition moves[CC_LOOKUPS];
    struct cc_call_memo calls[CC_CALLS_KEPT];
    struct cc_marked recent[CC_RECENT]; /* in front of its marks */
};

/* What a thread needs for running, which goes to the next one when it ends (ended.c). */
struct cc_room {
    struct cc_caches *caches;
    struct cc_activation *activations; /* the call stack; the first is the thread's root */
    size_t activations_cap;
    struct cc_activity *activity; /* by function */
    size_t activity_cap;
    struct cc_index children; /* (context, function) -> context */

    /* regions and tasks */
    struct cc_open *open;
    size_t open_cap;
    uint32_t *region_active; /* by region */
    size_t region_active_cap;
    struct cc_index scoped; /* (context, scope) -> node */
    uint8_t *task_buffer;   /* events not yet handed to host->put_tasks */

    /* streams this thread consumes */
    struct cc_grow *streams; /* by number - 1 */
    uint32_t *stream_index;  /* hash of (producer, consumer) -> number, above it bits of the hash */
    size_t stream_index_cap;
    struct cc_grow *large;       /* counts of large streams, above the lower 16 bits, */
    struct cc_index large_index; /* and where they are, by number */
    struct cc_grow *edges;       /* of the present frame */
    uint32_t *edge_index;        /* hash of (stream, producer frame) -> 1 + index */
    size_t edge_index_cap;
    uint32_t *touched; /* nodes entered since the last cc_fold */
    size_t touched_cap;
    struct cc_memo *memo; /* of (state, node) */
    size_t memo_cap;
    struct cc_marks marks;                     /* addresses that took part in streams */
    struct cc_find *finds_free[CC_FIND_SIZES]; /* tables that nodes have outgrown */
    uint8_t *pool;                             /* see cc_thread_pool */
    size_t pool_left;
    struct cc_room *spare; /* room that nobody uses, behind this; of a thread: what it came in */
};

struct cc_thread {
    struct cc_find *finds; /* of the current node */
    uint64_t finds_mask;   /* of bytes, for where they are among its finds */
    uint64_t reader_key;   /* current frame modulo 256 << 56 | current node << 32 */
    uint32_t writer_state[2];
    uint64_t stack_start, stack_size;
    struct cc_tally *tally;      /* of the current node */
    struct cc_rewrite *rewrites; /* the collector's, by state */
    cc_cell **directory;         /* of the shadow memory; an empty one in a watched function, see watch.c */
    cc_cell **bytes;             /* and of the second, for split words */
    struct cc_room room;
    struct cc_transition alone; /* the last of cc_transition_alone */
    uint64_t *blocks; /* executions of others' code on behalf of the current function, in the current scope */
    uint64_t *own;    /* and of functions' own code, in that scope */
    uint32_t own_scope;
    uint64_t tick_at; /* thread's count at which cc_tick is due */

    uint8_t makes, takes; /* the channels in which the current function produces and consumes */
    struct cc_collect *owner;
    uint32_t id, tid;
    uint64_t start;
    bool ended;

    size_t depth;      /* of room.activations */
    uint32_t function; /* of the top activation, or CC_OUTSIDE while in code that belongs to nobody */
    uint64_t out_ret;  /* while outside: where the call out returns to; 0: unknown */
    uint64_t out_sp;   /* the stack pointer then; 0: unknown */
    size_t base;       /* the lowest activation on the present stack */
    struct cc_parking *parking; /* activations of stacks that do not run, see switch.c; NULL: none yet */
    bool signal;                /* a signal handler is about to start */
    bool landing; /* control is where no call or return has led to: loops that it leaves were thrown out of */
    uint32_t context, node;
    uint64_t since;       /* instruction count when the current context last began */
    uint64_t clocked;     /* instruction count that is in collect->clock already */
    uint64_t scope_since; /* instruction count when the current scope last began */
    uint64_t skipped;     /* instructions while recording was off */
    uint64_t off_at;      /* the count when it was switched off */
    bool off;
    uint64_t origin; /* instruction count when counting began: 0, or the fork */
    uint32_t output_node;

    /* regions and tasks */
    size_t nopen;
    uint32_t scope;
    uint32_t frame; /* the process's frame, as far as this thread has noticed */
    size_t task_bytes;
    uint64_t task_time, task_counts[CC_TASK_COUNTS]; /* of the last event */
    uint64_t task_begins;                            /* when cc_task_begins took the totals last */
    uint64_t total[CC_TASK_COUNTS]; /* so far: reads, writes, pages that nobody had touched before */

    struct cc_frame_flow *flows; /* of frames that are over */
    size_t nflows, flows_cap;
    size_t ntouched;
    uint32_t fold; /* number of the next cc_fold */
    size_t nmemo;
    struct cc_data_thread *data;       /* NULL: no objects asked for */
    struct cc_loop_thread *loops;      /* NULL: nobody asked for loops */
    size_t loop_depth;                 /* of the innermost active loop's activation; 0: none is active */
    struct cc_loop_entry *loop_top;    /* the innermost active loop, or one of none */
    struct cc_depend_thread *depend;   /* NULL: no dependences asked for */
    const uint8_t *registers;          /* the guest's state, where loops begin; NULL: not known */
    struct cc_sibling_thread *sibling; /* NULL: calls are no tasks */
    struct cc_locality *locality;      /* NULL: not asked for */
};

/* The function id of code that belongs to nobody: libraries that are charged to their callers, PLT stubs,
 * anonymous code. */
enum { CC_OUTSIDE = 0 };

/* The options' texts must stay. NULL: its regions or channels make no sense. */
struct cc_collect *cc_collect_new(const struct cc_host *host, const struct cc_options *options);

/* Dependences between iterations are to be followed, if the options ask for them; before any thread. */
void cc_depend_begin(struct cc_collect *c, const struct cc_depend_machine *m);
void cc_depend_hold(struct cc_collect *c, bool yes); /* nothing is followed until that is taken back */

/* --- code (symbols.c) --- */

/* An executable mapping [start, end) of a file. Reads its symbols once per file. */
void cc_binary_add(struct cc_collect *c, const char *path, uint64_t start, uint64_t end, uint64_t file_offset,
                   bool program);
bool cc_binary_remove(struct cc_collect *c, uint64_t start, uint64_t end); /* whether there was any */

struct cc_place {
    uint32_t function; /* CC_OUTSIDE: nobody's */
    bool entry;        /* the address is the function's first instruction */
};
/* The function an address belongs to. `called`: it is the target of a call, so that where no symbol covers it
 * a function begins. */
struct cc_place cc_place_of(struct cc_collect *c, uint64_t address, bool called);
bool cc_code_known(struct cc_collect *c, uint64_t address);   /* some object covers it */
bool cc_code_is_stub(struct cc_collect *c, uint64_t address); /* that jumps on to a function */
bool cc_code_is_own(struct cc_collect *c, uint32_t function); /* the program's, not charged to others */
/* Nobody's, but a part of some function that it is reached from by a jump. */
bool cc_code_is_moved(struct cc_collect *c, uint64_t address);
bool cc_code_is_thumb(struct cc_collect *c, uint64_t address); /* ARM: by the symbol it lies under */

enum { CC_CHANNELS = 8 }; /* at most, that can be watched */

/* --- marks (notes.c finds them, scope.c does what they say) --- */

enum cc_mark_what {
    CC_MARK_SITE_REGION_BEGIN,
    CC_MARK_SITE_REGION_END,
    CC_MARK_SITE_TASK_BEGIN,
    CC_MARK_SITE_TASK_END,
    CC_MARK_SITE_FRAME,
    CC_MARK_SITE_RECORD_ON,
    CC_MARK_SITE_RECORD_OFF,
    CC_MARK_SITE_OBJECT,
};

struct cc_mark_site {
    uint64_t address; /* in the file */
    enum cc_mark_what what;
    bool record;      /* the instruction loads from a struct corecast_mark */
    const char *name; /* NULL if record */
    const char *file;
    uint32_t line;
    uint64_t known; /* a scope << 32 | what the name is inside it; 0: not yet known */
};

/* The mark whose instruction is at this address; NULL: none. */
struct cc_mark_site *cc_mark_at(struct cc_collect *c, uint64_t address);
/* The mark is executed; `now` does not count its own instruction yet. record: the address that its
 * instruction loads from. */
void cc_mark(struct cc_thread *t, uint64_t now, struct cc_mark_site *site, uint64_t record);

/* --- blocks of code (block.c) --- */

/* The id of a straight piece of code; id 0 takes what is beyond the bound. */
uint32_t cc_block(struct cc_collect *c, uint64_t address, const uint8_t *code, uint32_t size,
                  uint32_t instructions, bool thumb);
/* Where it is counted when it runs in a function: in t->own[at] where the code is that function's own, else
 * in t->blocks[at]. */
struct cc_block_slot {
    uint32_t at;
    bool own;
};
struct cc_block_slot cc_block_slot(struct cc_collect *c, uint32_t id, uint32_t function);
/* What its instructions access, to be filled in by the engine; NULL for id 0. */
struct cc_rec_insn *cc_block_insns(struct cc_collect *c, uint32_t id);
/* What a piece of code does; the first record is its BLOCK. */
void cc_loop_code_add(struct cc_collect *c, const struct cc_rec_loop_code *v, uint32_t n);
/* The indirect jump at `from` went to `to`. */
void cc_loop_code_jump(struct cc_collect *c, uint64_t from, uint64_t to);

/* --- threads and calls (stack.c); `now` is the thread's own count of instructions; sp is 0 where the engine
 * cannot tell --- */

struct cc_thread *cc_thread_new(struct cc_collect *c, uint32_t tid, uint64_t start);
void cc_thread_end(struct cc_thread *t, uint64_t now);
void cc_thread_sync(struct cc_thread *t, uint64_t now); /* before a snapshot of a thread that goes on */
/* A call instruction, to a target that belongs to `function`, returning to `ret`. */
void cc_call(struct cc_thread *t, uint64_t now, uint32_t function, uint64_t ret, uint64_t sp);
/* A return instruction in one of our functions. */
void cc_return(struct cc_thread *t, uint64_t now, uint64_t target, uint64_t sp);
/* A return instruction in code of nobody's that runs for one of our functions, which ended by a jump there
 * (`return strcmp(a, b);`) if it returns to where that was called. */
void cc_return_for(struct cc_thread *t, uint64_t now, uint64_t target, uint64_t sp);
/* The same where all is as it was before, in a hurry (again.c); function is none of CC_OUTSIDE. Of what the
 * engine mirrors, only t->function need be up to date, and only that and t->blocks change. False: nothing was
 * done, and it is for the two above. */
bool cc_call_same(struct cc_thread *t, uint64_t now, uint32_t function, uint64_t ret, uint64_t sp);
/* The same of a call that the engine keeps a memo of, with its function in it, for engines that run one
 * thread at a time: where that is from the present context, nothing has to be looked for. */
bool cc_call_like(struct cc_thread *t, uint64_t now, struct cc_call_memo *memo, uint64_t ret, uint64_t sp);
bool cc_return_same(struct cc_thread *t, uint64_t now, uint64_t target, uint64_t sp);
/* The same of a call to CC_OUTSIDE, which returns to `ret`, and of coming back there; where the engine cannot
 * tell the stack pointer. */
bool cc_out_same(struct cc_thread *t, uint64_t ret);
bool cc_back_same(struct cc_thread *t, uint32_t function, uint64_t address);
/* A block of a function other than t->function starts: back from a library, tail call, longjmp, exception,
 * signal handler. */
void cc_arrive(struct cc_thread *t, uint64_t now, struct cc_place place, uint64_t address, uint64_t sp);
void cc_signal(struct cc_thread *t); /* the next block is a signal handler's first */
/* [start, start + size) is the thread's stack. */
void cc_thread_stack(struct cc_thread *t, uint64_t start, uint64_t size);
/* When t->tick_at has come: what was counted goes to the slice of time it belongs to. Also whenever a thread
 * stops running for a while. */
void cc_tick(struct cc_thread *t, uint64_t now);

/* --- memory (shadow.c) --- */

void cc_map_range(struct cc_collect *c, uint64_t start, uint64_t size, enum cc_node_kind kind,
                  uint32_t source);
void cc_unmap_range(struct cc_collect *c, uint64_t start, uint64_t size);
/* It is mapped, and others may map the same. */
void cc_share_range(struct cc_collect *c, uint64_t start, uint64_t size);
/* It stays mapped, and where it is not shared nobody has written it any more. */
void cc_empty_range(struct cc_collect *c, uint64_t start, uint64_t size);
/* mremap moved it; what was there is gone. */
void cc_copy_range(struct cc_collect *c, uint64_t from, uint64_t to, uint64_t size);
/* It goes on as far as `size`, in the same file. */
void cc_grow_range(struct cc_collect *c, uint64_t start, uint64_t old_size, uint64_t size);
uint32_t cc_source(struct cc_collect *c, const char *call, const char *file); /* interned */
void cc_input(struct cc_thread *t, uint64_t a, uint64_t size,
              uint32_t source);                                 /* a system call filled this */
void cc_output(struct cc_thread *t, uint64_t a, uint64_t size); /* a system call sent this out */
/* Accesses of any size and alignment. */
void cc_read_any(struct cc_thread *t, uint64_t a, uint32_t size);
void cc_read_word(struct cc_thread *t, uint64_t a, cc_cell *cell); /* four aligned bytes */
void cc_write_any(struct cc_thread *t, uint64_t a, uint32_t size);
void cc_shadow_touch(struct cc_collect *c, uint64_t a, uint32_t size); /* there is shadow memory for it */
/* Something in a page was in no state yet: the first time the page counts. */
void cc_shadow_fresh(struct cc_thread *t, uint64_t a);

/* The state of a value that the current node writes over one in state `old`. It knows who has read the node's
 * values here before, so that their next first reads need not mark the address again. */
uint32_t cc_overwrite(struct cc_thread *t, uint32_t old, uint32_t stack);

/* Who wrote a state, on the stack or beside it; never 0. (Nodes have 23 bits, scope.c.) */
static inline uint32_t cc_owner(uint32_t node, uint32_t stack)
{
    return node * 2 + stack + 1;
}

/* The same as cc_overwrite of a state that is one, where it was asked for before; 0: it was not. It depends
 * on the state alone, or not on it at all, so no site remembers it. */
static inline uint32_t cc_rewritten(const struct cc_thread *t, uint32_t old, uint32_t stack)
{
    struct cc_rewrite r = t->rewrites[old];
    return r.owner == cc_owner((uint32_t)(t->reader_key >> 32), stack) ? r.next : t->writer_state[stack];
}

/* --- results (snapshot.c) --- */

void cc_forget(struct cc_collect *c); /* a forked child starts to count anew; what is in memory stays known */

int cc_snapshot(struct cc_collect *c, const struct cc_sink *sink, uint32_t pid,
                uint32_t flags); /* CC_RUN_* */

/* Spreads nodes over small tables. */
static inline uint32_t cc_salt(uint64_t node)
{
    return (uint32_t)node * 2654435761u >> 7;
}

/* --- the hot path: aligned accesses to uniform words whose state is known; all else goes to the functions
 * above. `class` is log2 of the size, at most 4, and a constant where it matters. --- */

static inline uint32_t cc_on_stack(const struct cc_thread *t, uint64_t a)
{
    return a - t->stack_start < t->stack_size;
}

/* Counts; what is to be carried. */
static inline uint64_t cc_stream_put(struct cc_stream *s, uint32_t which, uint64_t n)
{
    uint64_t sum = s->low[which] + n;
    s->low[which] = (uint16_t)sum;
    return sum >> 16;
}

void cc_stream_carry(struct cc_thread *t, struct cc_stream *s, uint32_t which, uint64_t carry);

static inline void cc_stream_add(struct cc_thread *t, struct cc_stream *s, uint32_t which, uint64_t n)
{
    uint64_t carry = cc_stream_put(s, which, n);
    if (__builtin_expect(carry != 0, 0))
        cc_stream_carry(t, s, which, carry);
}

/* `n` reads of the stream; the node's tally counts them too. */
static inline void cc_count_read(struct cc_thread *t, struct cc_stream *s, uint64_t *edge, uint32_t class,
                                 uint64_t n)
{
    cc_stream_add(t, s, CC_COUNTED_READS, n);
    cc_stream_add(t, s, CC_COUNTED_BYTES, n << class);
    if (__builtin_expect(edge != NULL, 0))
        *edge += n << class;
}

/* A second or later access of one instruction, whose first was at `first`: so that instructions can be told
 * from accesses. A read is on the stack if that was one for whoever wrote there. */
void cc_again_read(struct cc_thread *t, uint64_t a, uint64_t first);
static inline void cc_again(struct cc_thread *t, uint64_t a, uint64_t first)
{
    uint32_t here = cc_on_stack(t, a), there = cc_on_stack(t, first);
    t->tally->again[here == there ? here : 2]++;
}

static inline bool cc_awkward(uint64_t a, uint32_t class)
{
    if (class <= 2)
        return (a & ((1u << class) - 1)) != 0;
    return (a & 3) != 0 || (a & (CC_CHUNK_SIZE - 1)) > CC_CHUNK_SIZE - (1u << class);
}

static inline __attribute__((always_inline)) void cc_read(struct cc_thread *t, uint64_t a, uint32_t class)
{
    cc_cell *chunk = t->directory[cc_chunk_of(a)];
    if (__builtin_expect(!cc_awkward(a, class) && chunk, 1)) {
        cc_cell *cell = chunk + cc_cell_of(a);
        cc_cell s = cell[0];
        uint32_t differ = class < 3    ? 0
                          : class == 3 ? s ^ cell[1]
                                       : (s ^ cell[1]) | (s ^ cell[2]) | (s ^ cell[3]);
        const struct cc_lookup *l = &t->room.caches->lookup[(s ^ cc_salt(t->node)) & (CC_LOOKUPS - 1)];
        if (__builtin_expect(differ == 0 && l->key == (t->reader_key | s), 1)) {
            cc_count_read(t, l->stream, l->edge, class, 1);
            t->tally->reads[l->stack].n[class]++;
            return;
        }
        if (class == 2) {
            cc_read_word(t, a, cell);
            return;
        }
    }
    cc_read_any(t, a, 1u << class);
}

static inline __attribute__((always_inline)) void cc_write(struct cc_thread *t, uint64_t a, uint32_t class)
{
    cc_cell *chunk = t->directory[cc_chunk_of(a)];
    if (__builtin_expect(!cc_awkward(a, class) && chunk, 1)) {
        cc_cell *cell = chunk + cc_cell_of(a);
        uint32_t stack = cc_on_stack(t, a), w = t->writer_state[stack];
        if (class < 2) { /* part of a word: nothing changes if the whole word is ours already */
            if (__builtin_expect(cell[0] == w, 1)) {
                t->tally->writes[stack].n[class]++;
                return;
            }
        } else {
            cell[0] = w;
            if (class >= 3)
                cell[1] = w;
            if (class >= 4)
                cell[2] = cell[3] = w;
            t->tally->writes[stack].n[class]++;
            return;
        }
    }
    cc_write_any(t, a, 1u << class);
}

#endif
