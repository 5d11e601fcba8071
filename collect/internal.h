/* Shared by the collector's own files. */
#ifndef CC_COLLECT_INTERNAL_H
#define CC_COLLECT_INTERNAL_H

#include "collect.h"

/* Who can write or read: a calling context, or one of the special kinds. */
struct cc_node {
    uint32_t kind, context, source, empty; /* empty: the state "written by me, read by nobody" */
    uint32_t group[CC_LEVELS];
    struct cc_counts writes;
    uint64_t over_reads; /* reads that were counted on k streams: k - 1 each */
};

struct cc_context {
    uint32_t parent, function, thread, node;
    uint64_t calls, exclusive;
};

struct cc_state {
    uint32_t writer, parent, added, size; /* the set of readers is a chain: parent's readers plus `added` */
    uint64_t hash; /* commutative over the set, so that equal sets meet whatever the order */
};

struct cc_function {
    uint32_t object; /* CC_NONE: none */
    bool library;
    uint64_t address, size; /* in the file; size 0: unknown */
};

struct cc_symbol {
    uint64_t address, size; /* size 0: reaches to the next symbol */
    uint64_t part_of;       /* address of the function it is a moved part of; its own otherwise */
    uint32_t function;      /* 0 until it is needed: ids are given in order of first use */
    bool outside;           /* nobody's: start-up code, the C library in a static binary */
};

struct cc_object {
    char *path;
    uint64_t start, end, bias;
    bool program, mapped;
    struct cc_symbol *symbols; /* sorted by address */
    uint32_t nsymbols, symbols_cap;
    uint64_t plt[4][2]; /* stubs: [start, end) in the file's addresses */
};

struct cc_range {
    uint64_t start, end;
    uint32_t node;
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
    uint8_t *blocks[CC_MAX_BLOCKS];
    uint32_t n, item;
};

struct cc_collect {
    cc_cell **directory; /* of the shadow memory; see cell.h */
    struct cc_host host;
    struct cc_options opt;
    struct cc_grow nodes, contexts, states, functions, quads;
    struct cc_thread **threads;
    uint32_t nthreads, threads_cap;
    struct cc_object *objects;
    uint32_t nobjects, objects_cap;
    struct cc_source *sources;
    uint32_t nsources, sources_cap;
    struct cc_range *ranges; /* sorted, disjoint: whose a byte is that nobody wrote */
    uint32_t nranges, ranges_cap;
    uint32_t *state_index; /* hash of (writer, set) -> state */
    uint32_t state_index_cap;
    uint32_t *full_states; /* by writer: where `max_states` sends its bytes; 0: none yet */
    uint32_t full_cap;
    uint32_t free_quad; /* list through quad[0]; 0: none */
    uint32_t static_node, unknown_node;
    struct cc_call_entry *calls;
    uint32_t ncalls;
    uint64_t threshold;
    bool approximate;
    uint8_t *pool;
    size_t pool_left;
};

/* memory.c */
void *cc_pool(struct cc_collect *c, size_t size); /* small, zeroed, never freed; caller holds the lock */
void *cc_thread_pool(struct cc_thread *t, size_t size); /* the same, private to the thread */
void *cc_extend(struct cc_collect *c, void *p, size_t *cap, size_t want,
                size_t item); /* grown copy, rest zeroed */
void cc_give_back(struct cc_collect *c, void *p, size_t size);
void *cc_grow_add(struct cc_collect *c, struct cc_grow *g);
static inline void *cc_grow_at(const struct cc_grow *g, uint32_t i)
{
    return g->blocks[i >> CC_BLOCK_BITS] + (size_t)(i & ((1u << CC_BLOCK_BITS) - 1)) * g->item;
}
static inline struct cc_node *cc_node_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->nodes, i);
}
static inline struct cc_context *cc_context_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->contexts, i);
}
static inline struct cc_state *cc_state_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->states, i);
}
static inline struct cc_function *cc_function_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->functions, i);
}
static inline cc_cell *cc_quad_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->quads, i);
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
const struct cc_transition *cc_transition_find(struct cc_thread *t, uint32_t state);

/* edge.c */
struct cc_edge *cc_edge_find(struct cc_thread *t, uint32_t producer, uint32_t consumer);
void cc_edge_touch(struct cc_thread *t, struct cc_edge *e, uint64_t a, uint32_t size);
uint64_t *cc_edge_bits(struct cc_thread *t, uint64_t key); /* the bitmap of that key, made if need be */
enum { BITMAP_BITS = 9, BITMAP_WORDS = (1 << BITMAP_BITS) / 64 };
/* The same where [a, a + size) lies within one aligned 64-byte stretch. */
static inline void cc_edge_touch_within(struct cc_thread *t, struct cc_edge *e, uint64_t a, uint32_t size)
{
    uint64_t chunk = (a & ((UINT64_C(1) << CC_ADDRESS_BITS) - 1)) >> BITMAP_BITS,
             key = chunk | e->number << 40;
    struct cc_bitmap *recent = &t->recent[(chunk ^ e->number * 37) & (CC_RECENT - 1)];
    if (__builtin_expect(recent->key != key, 0)) {
        recent->bits = cc_edge_bits(t, key);
        recent->key = key;
    }
    uint64_t mask = (size >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << size) - 1) << (a & 63);
    uint64_t *word = &recent->bits[(a >> 6) & (BITMAP_WORDS - 1)];
    uint64_t added = mask & ~*word;
    if (added) {
        e->unma += (uint64_t)__builtin_popcountll(added);
        *word |= added;
    }
}
/* Sets the bits in the bitmap of (group, address >> 9) of a table; the number that were new. */
uint32_t cc_bitmap_or(struct cc_collect *c, struct cc_thread *pool, struct cc_bitmap **table, size_t *n,
                      size_t *cap, uint64_t key, const uint64_t *bits);

/* stack.c */
uint32_t cc_context_child(struct cc_thread *t, uint32_t parent, uint32_t function);

#endif
