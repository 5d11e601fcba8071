/* Shared by data*.c. */
#ifndef CC_COLLECT_DATA_INTERNAL_H
#define CC_COLLECT_DATA_INTERNAL_H

#include "data.h"
#include "internal.h"

enum { CC_GROUP_OTHER, CC_GROUP_HEAP, CC_GROUP_FIRST }; /* the groups that are always there */

#define CC_FUNCTION_OFF 0x7ffffffeu /* accesses while recording is off: counted here and thrown away */

struct cc_site_call {
    uint64_t ret; /* where the call returns to */
    uint32_t function;
    uint32_t binary;  /* the ELF file that holds `ret`; CC_NONE: none */
    uint64_t address; /* of `ret` in that file */
};

struct cc_group {
    uint32_t kind;  /* enum cc_object_kind */
    uint32_t alloc; /* enum cc_alloc_kind of a site */
    uint32_t binary, thread;
    uint64_t address, size; /* of a symbol, in its file */
    uint64_t count, freed, total, live, peak;
    uint64_t hash;
    char *name;
    uint32_t name_size, ncalls;
    struct cc_site_call *calls; /* innermost first */
};

struct cc_data_range {
    uint64_t start, end;
    uint32_t group;
};

struct cc_ranges { /* sorted, disjoint */
    struct cc_data_range *v;
    uint32_t n;
    size_t cap;
};

struct cc_blocks {           /* hash of start -> block */
    struct cc_data_range *v; /* start 0: empty */
    size_t n, cap;
};

/* The pages of one chunk of 4 MiB: 0 nobody's; 2 * group + 1 all of one group; else a table of granules. */
enum { CC_PAGE_BITS = 16, CC_GRANULE_BITS = 4, CC_PAGE_GRANULES = 1 << (CC_PAGE_BITS - CC_GRANULE_BITS) };
enum { CC_DATA_PAGES = 1 << (CC_CHUNK_BITS - CC_PAGE_BITS) };
#define CC_WORD_SHARED 0x7fffffffu /* of several symbols */

struct cc_data {
    struct cc_collect *c;
    uint64_t **directory;
    struct cc_grow groups, quads;
    uint32_t free_quad;
    uint32_t *free_table; /* of a page that became whole again; a list through their first words */
    struct cc_ranges statics, mapped;
    struct cc_blocks blocks, names; /* names: parts of blocks, and names of what is no heap block */
    uint32_t *index;                /* hash -> group, of sites, names and files */
    size_t nindexed, index_cap;
    uint32_t nsites, nnames;
    bool full;             /* a bound was hit */
    struct cc_thread *sum; /* all threads' counts together, for snapshots */
};

struct cc_bits {    /* which bytes of 4 KiB took part */
    uint64_t key;   /* address >> 12 | pair's number << 36; 0: empty */
    uint64_t *bits; /* CC_BITS_WORDS of those read, as many of those written */
};
enum {
    CC_BITS_PAGE = 12,
    CC_BITS_WORDS = (1 << CC_BITS_PAGE) / 64,
    CC_BITS_CACHE = 8192,
    CC_PAIR_CACHE = 512
};

/* An access to a symbol that shares its line with others: its bytes are counted, and whose they are is known.
 */
struct cc_word {
    uint64_t place; /* address << 3 | log2 of the size; 0: empty */
    uint64_t key;   /* cc_data_hot.key */
    struct cc_pair *pair;
};
enum { CC_WORDS = 1024, CC_WORD_PAGES = 4096 };
static inline uint32_t cc_word_page(uint64_t a) /* a hash of its page */
{
    return (uint32_t)(a >> CC_BITS_PAGE ^ a >> (CC_BITS_PAGE + 12)) & (CC_WORD_PAGES - 1);
}

/* A function's view of its own frames, with frames of others that it came to last: each is there while the
 * activation at that depth is the same. */
struct cc_other_frame {
    uint32_t at; /* depth; 0: none */
    uint32_t context;
    uint64_t sp;
    struct cc_stack_view *view;
};
enum { CC_OTHERS = 4, CC_OTHER_BITS = 8 }; /* by address: stretches of so many bytes in turn */
struct cc_own_view {
    struct cc_stack_view view;
    struct cc_other_frame others[CC_OTHERS];
};

struct cc_far_slot { /* places of stack frames that have no counters by index */
    uint64_t key;    /* view << 44 | distance << 8 | size; size 0: a stretch of 4 KiB */
    struct cc_slot slot;
    uint64_t bytes[2];
};

struct cc_pending { /* a call of an allocator */
    enum cc_alloc_kind kind;
    uint64_t args[3], ret, sp;
    uint32_t group;
};
enum { CC_MAX_PENDING = 8 };

struct cc_data_thread {
    struct cc_data_hot hot;
    struct cc_thread *thread;
    struct cc_data *data;
    uint32_t function;
    uint32_t stack_group;
    uint64_t zero; /* a clock before there is one */

    struct cc_stack_view **views; /* all of them */
    size_t nviews, views_cap;
    struct cc_stack_view **own; /* by function */
    size_t own_cap;
    uint32_t *view_index; /* hash -> 1 + index */
    size_t view_index_cap;
    struct cc_stack_view *last_view;
    uint32_t last_view_number;
    struct cc_far_slot *far;
    size_t nfar, far_cap;

    struct cc_pair **pairs;
    size_t npairs, pairs_cap;
    uint32_t *pair_index; /* hash -> 1 + index */
    size_t pair_index_cap;
    struct cc_pair *pair_cache[CC_PAIR_CACHE];
    struct cc_bits *bits;
    size_t nbits, bits_cap;
    struct cc_bits bits_cache[CC_BITS_CACHE];

    struct cc_word words[2][CC_WORDS];       /* [read, write] */
    uint64_t word_pages[CC_WORD_PAGES / 64]; /* bit per hash of a page that they may be in */

    struct cc_pending pending[CC_MAX_PENDING];
    uint32_t npending;
    bool interrupted; /* a signal came while a call was pending */
};

static inline struct cc_group *cc_group_at(const struct cc_data *x, uint32_t g)
{
    return cc_grow_at(&x->groups, g);
}

/* data_map.c */
uint32_t cc_data_group_of(const struct cc_data *x, uint64_t a);
/* Whether the whole page, or the granule, of an address is of one group. */
bool cc_data_page_whole(const struct cc_data *x, uint64_t a);
bool cc_data_granule_whole(const struct cc_data *x, uint64_t a);
/* The group of an address, and how far around it all is of that group. */
enum cc_data_unit { CC_UNIT_SHARED, CC_UNIT_WORD, CC_UNIT_GRANULE, CC_UNIT_LINE };
uint32_t cc_data_look(const struct cc_data *x, uint64_t a, enum cc_data_unit *ret_unit);
/* Words that [start, end) touches become the group's. */
void cc_data_fill(struct cc_data *x, uint64_t start, uint64_t end, uint32_t group);
void cc_data_fill_static(struct cc_data *x, uint64_t start, uint64_t end, uint32_t group);
void cc_data_drop_lines(struct cc_data *x, uint64_t start, uint64_t end);
uint32_t cc_range_after(const struct cc_ranges *r, uint64_t a); /* first that ends after a */
void cc_range_insert(struct cc_data *x, struct cc_ranges *r, struct cc_data_range range);
struct cc_data_range *cc_block_find(struct cc_blocks *b, uint64_t start); /* NULL: none */
void cc_block_put(struct cc_data *x, struct cc_blocks *b, struct cc_data_range block);
void cc_block_remove(struct cc_blocks *b, struct cc_data_range *block);

/* data.c */
struct cc_pair *cc_pair_find(struct cc_data_thread *d, uint32_t function, uint32_t group);
struct cc_data_thread *cc_data_thread_new(struct cc_data *x, struct cc_thread *t);
uint64_t *cc_data_bits(struct cc_data_thread *d, uint32_t number, uint64_t a); /* of a's 4 KiB */

/* data_heap.c */
uint32_t cc_group_new(struct cc_data *x, const struct cc_group *init);
void cc_group_add(struct cc_group *g, uint64_t size);
void cc_group_take(struct cc_group *g, uint64_t size);

#endif
