/* Shared by the files that follow dependences. */
#ifndef CC_COLLECT_DEPEND_INTERNAL_H
#define CC_COLLECT_DEPEND_INTERNAL_H

#include "cell.h"
#include "depend.h"

#ifndef CC_NONE
#define CC_NONE UINT32_MAX
#endif

/* Sites are numbered in 16 bits, so that cells are small. */
enum { SITE_NONE = 0, SITE_SPLIT = 0xfffd, SITE_ANY = 0xfffe, SITE_CHAIN = 0xffff };

enum { CC_WITHIN = 3 }; /* kinds: RAW, WAR, WAW */

/* Of one, four or eight bytes of memory. Reads are those since the write, oldest first, and of those only the
 * earliest, and for each loop that is under way the earliest since it was entered: what is carried by a loop
 * is found by the earliest read inside it. */
struct cell {                           /* eight bytes or four */
    uint32_t write, reads[3];           /* stamps; 0: none */
    uint16_t write_site, read_sites[3]; /* the last may be SITE_CHAIN: reads[] is a link's number */
};
struct byte_cell { /* one */
    uint32_t write, read;
    uint16_t write_site, read_site;
};

/* A word of eight bytes is one cell, or its write_site is SITE_SPLIT: `write` is the number of what it was
 * split into, reads[0] how. */
enum { SPLIT_HALVES = 1, SPLIT_BYTES };
union split {
    struct cell halves[2];
    struct byte_cell bytes[4]; /* of eight bytes there are two, one behind the other */
};
enum { SPLITS_SLAB = 4096, CELLS_PAGE = 4096, CELLS_PAGES = CC_CHUNK_SIZE / CELLS_PAGE };

struct link { /* a read for which there is no room in its cell; the newest first */
    uint32_t stamp, next;
    uint16_t site;
    uint16_t behind; /* how many follow it */
};

/* What is the same of a cell of one byte and of those of more: where things are. */
typedef struct {
    uint32_t *write, *reads;
    uint16_t *write_site, *read_sites;
    uint32_t slots;
} cell_at;

static inline cell_at at_cell(struct cell *c)
{
    return (cell_at){&c->write, c->reads, &c->write_site, c->read_sites, 3};
}

static inline cell_at at_byte(struct byte_cell *c)
{
    return (cell_at){&c->write, &c->read, &c->write_site, &c->read_site, 1};
}

static inline bool has_chain(cell_at c)
{
    return c.read_sites[c.slots - 1] == SITE_CHAIN;
}

enum { CELL_READS = 3, MAX_CHAIN = 64 };
struct reads { /* of a cell, oldest first */
    uint32_t n;
    struct link v[CELL_READS + MAX_CHAIN];
};

struct chunk { /* 4 MiB of addresses; the array is backed as far as it is used */
    struct cell words[CC_CHUNK_SIZE / 8];
    uint64_t used[CELLS_PAGES / 64]; /* a bit each: pages with something in them */
    uint32_t pages;                  /* how many that are */
    bool dense;                      /* on huge pages */
};

struct spot { /* in memory, and what is known of it */
    uint64_t place, base;
    uint32_t area, owner;
    uint32_t object; /* 0: not known */
};

struct edge { /* what a site met last of a kind, and how much of that is not told of yet */
    uint32_t loop, number, distance;
    uint16_t first; /* SITE_NONE: nothing */
    uint64_t count;
};

struct inner {             /* the same in one iteration */
    uint32_t loop, number; /* number: CC_NONE: nobody wants to know */
    uint16_t first, flags;
    uint64_t count;
};
enum { INNER_KEPT = 2, EXPOSED_KEPT = 4 };

struct site {
    /* What accesses look at comes first: */
    uint32_t granule; /* 1 + the register it wrote, which another site put onto the stack; 0: no such thing */
    uint32_t path[CC_SPACES]; /* loops it was last seen to write in; 0: none */
    uint32_t
        pending[CC_SPACES]; /* 1 + first of the pairs whose value nobody was seen to read after the loop */
    uint32_t exposed_path;  /* loops in which all it reads was last seen to be from before them; 0: none */
    uint32_t exposed_in[EXPOSED_KEPT]; /* the same of some of the loops, by how many are around those */
    uint32_t within_loop[CC_WITHIN];   /* in which loop it met that one: */
    uint16_t within[CC_WITHIN]; /* whom it last met in the same iteration, by kind; SITE_NONE: nobody */
    bool reads;                 /* read_at is known */
    struct edge edges[CC_DEPENDENCE_EXPOSED + 1]; /* between iterations, through memory */
    uint64_t address, callee;
    uint16_t base;                             /* the site it stands for, if it has a granule */
    struct inner inner[CC_WITHIN][INNER_KEPT]; /* as within: those before, the last first */
    struct spot read_at;                       /* one place that it read in a loop; place 0: none */
    uint32_t read_in;                          /* that loop, the innermost */
} __attribute__((aligned(64)));

struct pair { /* a site that writes in a loop, or reads there what is from before it */
    uint32_t loop;
    uint32_t next[CC_SPACES]; /* of those that are pending */
    uint16_t site;
    bool rewritten;             /* what it wrote was written in another iteration too */
    bool exposed;               /* it has read something from before the loop, */
    bool live[CC_SPACES];       /* what an iteration wrote that was not the last was read after the loop */
    uint16_t reader[CC_SPACES]; /* by that site, */
    struct spot live_at[CC_SPACES], exposed_at; /* there, and there */
    struct spot wrote_at;                       /* one place that it wrote; place 0: none of memory */
};

/* Without optimisation, every mention of a counter in a long body is a load of its own, hence another pair.
 */
enum { INVOCATIONS_KEPT = 64, OVERWRITES_KEPT = 64, PAIRS_KEPT = 512 };
struct ended { /* an invocation: stamps */
    uint32_t began, last, end;
};
enum { SIGNS_KEPT = 32 };  /* a loop with more is never the same */
enum { SHARED_KEPT = 64 }; /* mappings that others see */

struct loop_facts {
    uint64_t nended;    /* invocations that are over, of this window; the last of them are kept: */
    uint32_t overwrote; /* stamp at which some pair of it was last seen to */
    uint32_t end;       /* stamp of the last that ended; 0: none */
    uint32_t quiet_from,
        quiet_to;      /* stamps between which none before the last iteration of an invocation is */
    bool overlaps;     /* some began before another of them was over: recursion, threads */
    uint32_t followed; /* most iterations in a row */
    struct cc_depend_counts sampled;
    uint64_t invocations, iterations, instructions; /* of all */
    bool granted;                                   /* it has had its little */
    bool asked;                                     /* it was switched on for it once */
    bool late, too_late; /* code of it was not followed; the same, and it is not even known which */
    bool wanted;         /* code of it ran first while nothing was followed: it may do so again */
    uint64_t cost;       /* instructions of the longest invocation since; 0: none has ended */
    bool strange;        /* some entry of a sign of its own was not followed to its end */
    uint32_t nsigns;
    uint64_t signs[SIGNS_KEPT];
    struct ended ended[INVOCATIONS_KEPT];
    uint16_t kept[CC_SPACES][CC_DEPENDENCE_KINDS];
    uint32_t overwrites[OVERWRITES_KEPT + 1]; /* of memory: 1 + numbers of what was found; 0: no more */
};

struct late { /* code that ran first while nothing was followed, and a loop that was under way */
    const struct cc_depend_piece *piece;
    uint32_t loop;
};

enum { CODE_LINE = 64 };
struct code_line {  /* which bytes of code were followed */
    uint64_t line;  /* 1 + its address / CODE_LINE; 0: none */
    uint64_t bytes; /* a bit each */
};

struct depend_index { /* of a growing array: hash -> 1 + index */
    uint32_t *v;
    size_t cap;
};

struct depend_items { /* what tells about the item of that number */
    bool (*same)(const struct cc_depend *d, uint32_t item, const void *key);
    uint64_t (*hash)(const struct cc_depend *d, uint32_t item);
};

struct known_loops;

struct found_memo { /* what was found lately */
    uint64_t key;   /* 0: none */
    uint32_t at;    /* its number */
};
enum { FOUND_BITS = 13, FOUND_MEMOS = 1 << FOUND_BITS, NOTED_KEPT = 1 << 15, OUTLIVES_KEPT = 1 << 28 };

/* Where one invocation wrote what another of its iterations had written, for one pair of sites: did its last
 * iteration write all of it again? */
struct overwritten {
    uint64_t low, high;
    uint32_t invocation; /* stamp */
    uint16_t first, second;
    bool partly; /* in some invocation the last iteration did not */
    uint32_t object;
};

/* No iteration was followed from its beginning yet. */
#define CC_DEPEND_NOT_WHOLE UINT32_MAX

/* A chain is a number in this base, modulo 2^32: what chains end with can be told from two of them. */
#define CC_DEPEND_CHAIN (31 * 0x9e3779b1u)

struct cc_depend {
    struct cc_host host;
    struct cc_depend_options opt;
    uint8_t
        head[CC_DEPEND_GRANULES]; /* of a register with parts: the first of these; else the piece itself */
    bool on;
    bool never; /* on again */
    bool waits; /* off for a while */
    bool cut;   /* it was off after something was followed */
    bool twice; /* two addresses lead to one thing */
    size_t nshared;
    uint64_t shared[SHARED_KEPT][2];
    uint32_t wholes;          /* see cc_depend_thread.wholes */
    uint32_t stamp, window;   /* window: stamp at which it was last switched on */
    uint32_t outlived;        /* stamps from here on are of no iteration before the last of an ended loop, */
    uint64_t *outlives;       /* and of those below it, which are: a bit each, of the first OUTLIVES_KEPT */
    uint32_t newest;          /* when the loop that was entered last, of those under way, began */
    uint64_t total, followed; /* instructions, */
    uint64_t granted;         /* and those that loops got beyond their share */
    bool news;                /* something was found that was not known before */
    uint64_t learnt;          /* what had been followed when that was last looked at and so */
    uint64_t quiet, patience; /* so much without news, and it is enough for now; and while a loop waits */
    struct cc_depend_thread *asker; /* it stays on until that thread's loop */
    size_t asker_level;             /* there is left or has made */
    uint32_t asker_left;            /* that many iterations */
    struct cc_depend_thread *threads;
    struct cc_depend_piece *pieces; /* whose uses have something that is not told of yet, maybe */
    struct chunk **directory;
    uint64_t *chunks; /* indexes of those that are there */
    size_t nchunks, chunks_cap;
    union split **slabs;
    size_t nslabs, slabs_cap;
    uint32_t nsplits;         /* 0: none */
    uint32_t free_splits[3];  /* by how they are split: numbers, chained through `write`; 0: none */
    uint64_t touched, memory; /* bytes of pages that are followed; bytes of cells for them */
    struct link *links;
    size_t nlinks, links_cap;
    uint32_t free_link;
    struct site *sites;
    size_t nsites, sites_cap;
    struct pair *pairs;
    size_t npairs, pairs_cap;
    struct known_loops *known; /* by hash of the site and of some loops */
    size_t nknown, known_cap;
    struct cc_rec_dependence *found;
    size_t nfound, found_cap;
    struct overwritten *overwritten; /* by number of what was found */
    size_t overwritten_cap;
    struct loop_facts *loops; /* by loop */
    size_t loops_cap;
    struct depend_index site_index, pair_index, found_index;
    bool wanted; /* some loop is */
    struct late *late;
    size_t nlate, late_cap;
    struct code_line *code; /* by hash of the line */
    size_t ncode, code_cap;
    uint64_t *noted; /* what was noted of sites lately, NOTED_KEPT of them; NULL: nothing yet */
    struct found_memo memos[FOUND_MEMOS];
    void *locate_self;
    uint32_t (*locate)(void *self, uint64_t address, struct cc_rec_dependence *r);
};

/* depend.c */
void *cc_depend_grow(struct cc_depend *d, void *p, size_t *cap, size_t want, size_t item);
static inline void *cc_depend_extend(struct cc_depend *d, void *p, size_t *cap, size_t want, size_t item)
{
    return want <= *cap ? p : cc_depend_grow(d, p, cap, want, item);
}
void cc_depend_stop(struct cc_depend *d);
void cc_depend_code_followed(struct cc_depend *d, uint64_t from, uint64_t to); /* to: the last byte */

/* How many of the bounds are at s or before. Odd: the loop of half that level carries what goes from s to
 * now. Even: s is in the present iteration of the loops below half that level, and of no other. */
static inline size_t cc_depend_where(const struct cc_depend_thread *x, uint32_t s)
{
    const uint32_t *bounds = x->bounds;
    enum { NEAR = 8 };
    size_t high = 2 * x->nloops, low = high > NEAR ? high - NEAR : 0, among = 0;
    if (high < NEAR) {
        while (high && bounds[high - 1] > s)
            high--;
        return high;
    }
    for (size_t i = 0; i < NEAR; i++) /* nobody knows where: so without a choice */
        among += bounds[low + i] <= s;
    if (among || !low)
        return low + among;
    size_t at = 0;
    while (low > 1) {
        size_t half = low / 2;
        at += bounds[at + half - 1] <= s ? half : 0;
        low -= half;
    }
    return at + (bounds[at] <= s);
}

/* The loop that carries what goes from s to now; NULL: none. */
static inline struct cc_depend_loop *cc_depend_carrier(const struct cc_depend_thread *x, uint32_t s)
{
    size_t where = cc_depend_where(x, s);
    return where & 1 ? &x->loops[where / 2] : NULL;
}

/* Bytes below its stack pointer that belong to the frame of a loop's function: where it calls, to others. */
static inline uint32_t cc_depend_red_zone(const struct cc_depend_thread *x, const struct cc_depend_loop *l)
{
    return l->calls ? 0 : x->owner->opt.machine.red_zone;
}

/* The innermost loop in whose present iteration that stamp is; NULL: none. */
static inline struct cc_depend_loop *cc_depend_common(const struct cc_depend_thread *x, uint32_t s)
{
    size_t where = cc_depend_where(x, s);
    return where > 1 ? &x->loops[where / 2 - 1] : NULL;
}

/* The loop that goes on with the iterations of another, in which that stamp is; NULL: none. */
static inline struct cc_depend_loop *cc_depend_across(const struct cc_depend_thread *x, uint32_t s)
{
    for (size_t i = x->ncontinued ? x->nloops : 0; i-- > 0 && s < x->loops[i].invocation;)
        if (s >= x->loops[i].before && s < x->loops[i].before_end)
            return &x->loops[i];
    return NULL;
}

enum { MAX_LOOPS = 1 << 20 };
static inline struct loop_facts *cc_depend_facts(struct cc_depend *d, uint32_t loop)
{
    if (loop >= MAX_LOOPS)
        loop = MAX_LOOPS - 1;
    d->loops = cc_depend_extend(d, d->loops, &d->loops_cap, (size_t)loop + 1, sizeof *d->loops);
    return &d->loops[loop];
}

/* How many iterations ago that stamp was; 0: more than is kept. */
static inline uint32_t cc_depend_distance(const struct cc_depend_loop *l, uint32_t stamp)
{
    uint64_t far = l->number < CC_DEPEND_RING - 1 ? l->number : CC_DEPEND_RING - 1;
    if (l->ring[(l->number - far) % CC_DEPEND_RING] > stamp)
        return 0;
    for (uint64_t n = 1; n <= far; n++)
        if (l->ring[(l->number - n) % CC_DEPEND_RING] <= stamp)
            return (uint32_t)n;
    return 0;
}

/* Whether that is what cc_depend_distance tells. */
static inline bool cc_depend_is_distance(const struct cc_depend_loop *l, uint32_t stamp, uint32_t distance)
{
    uint64_t far = l->number < CC_DEPEND_RING - 1 ? l->number : CC_DEPEND_RING - 1;
    if (!distance)
        return l->ring[(l->number - far) % CC_DEPEND_RING] > stamp;
    return distance <= far && l->ring[(l->number - distance) % CC_DEPEND_RING] <= stamp &&
           l->ring[(l->number - distance + 1) % CC_DEPEND_RING] > stamp;
}

/* Whether a site meets what it met last. */
static inline bool cc_depend_is_again(const struct edge *e, const struct cc_depend_loop *by, uint32_t stamp,
                                      uint16_t first)
{
    return e->first == first && e->loop == by->loop && cc_depend_is_distance(by, stamp, e->distance) &&
           first != SITE_NONE;
}

/* depend_reads.c */
void cc_depend_reads_get(const struct cc_depend *d, cell_at c, struct reads *r);
void cc_depend_reads_put(struct cc_depend *d, cell_at c, const struct reads *r);
void cc_depend_links_free(struct cc_depend *d, uint32_t first);
void cc_depend_chain_push(struct cc_depend_thread *x, cell_at c, uint16_t site); /* one more, and no room */
static inline void cc_depend_drop_reads(struct cc_depend *d, cell_at c)
{
    if (has_chain(c))
        cc_depend_links_free(d, c.reads[c.slots - 1]);
    for (uint32_t i = 0; i < c.slots; i++)
        c.reads[i] = c.read_sites[i] = 0;
}
/* depend_chunks.c */
struct chunk *cc_depend_chunk_new(struct cc_depend *d, uint64_t number);
void cc_depend_page_new(struct cc_depend *d, struct chunk *k, uint32_t page);
/* depend_inside.c: NULL: beyond the bound, and nothing is known of it. */
struct pair *cc_depend_pair(struct cc_depend *d, uint32_t loop, uint16_t site);
void cc_depend_forget_pairs(struct cc_depend *d);
void cc_depend_not_under_way(struct cc_depend_thread *x, const struct cc_depend_loop *l); /* any more */
void cc_depend_none_under_way(struct cc_depend_thread *x);

/* depend_pairs.c: the slot where the key is, or would be */
uint32_t *cc_depend_slot(struct cc_depend *d, struct depend_index *x, size_t n, uint64_t hash,
                         const struct depend_items *of, const void *key);
static inline uint64_t cc_depend_mix(uint64_t x)
{
    x = (x ^ x >> 33) * UINT64_C(0xff51afd7ed558ccd);
    x = (x ^ x >> 33) * UINT64_C(0xc4ceb9fe1a85ec53);
    return x ^ x >> 33;
}
uint16_t cc_depend_intern_stored(struct cc_depend *d, uint16_t base, uint32_t granule);
struct cc_depend_met { /* what is met */
    uint32_t space, kind;
    uint32_t stamp; /* of the first access */
    uint32_t size;
    uint16_t first, second; /* sites */
    uint8_t granule;        /* of a register */
    uint64_t place;
    uint32_t flags;
};
void cc_depend_found(struct cc_depend_thread *x, const struct cc_depend_loop *by,
                     const struct cc_depend_met *m);
/* In one iteration; in two loops that are one. */
void cc_depend_within(struct cc_depend_thread *x, const struct cc_depend_loop *in,
                      const struct cc_depend_met *m);
void cc_depend_across_loops(struct cc_depend_thread *x, const struct cc_depend_loop *in,
                            const struct cc_depend_met *m);
/* The same where it may be as it was the last time. */
void cc_depend_found_memory(struct cc_depend_thread *x, const struct cc_depend_loop *by,
                            const struct cc_depend_met *m);
void cc_depend_tell_edges(struct cc_depend *d); /* all that sites have met */
/* That many times, so many iterations apart; 0: more than is kept. */
void cc_depend_found_often(struct cc_depend *d, uint32_t loop, const struct cc_depend_met *m, uint32_t times,
                           uint32_t distance);
void cc_depend_find_heads(struct cc_depend *d); /* depend_registers.c */
/* Iterations of the loops from that level on begin, where no call is under way yet; */
void cc_depend_no_frames(struct cc_depend_thread *x, size_t level);
void cc_depend_frames_of_innermost(struct cc_depend_thread *x); /* the one inside it was left; */
/* all that uses of registers have found is told of. */
void cc_depend_tell_uses(struct cc_depend *d);
void cc_depend_forget_seen(struct cc_depend *d); /* stamps begin anew */
uint16_t cc_depend_intern(struct cc_depend *d, uint64_t address, uint64_t callee);
uint16_t cc_depend_outside_site(struct cc_depend_thread *x);
/* The invocation is over, or nobody sees what follows: its last iteration began at that stamp. */
void cc_depend_last(struct cc_depend *d, const struct cc_depend_loop *l, uint32_t iteration);
void cc_depend_drop_cells(struct cc_depend *d);
/* Whether the bytes hold something that was written in [from, to) by one of the sites. */
/* The bytes, just written, hold what was written at that stamp. */
void cc_depend_set_origin(struct cc_depend *d, uint64_t a, uint32_t size, uint32_t stamp, uint16_t site);
bool cc_depend_holds(struct cc_depend *d, const struct overwritten *w, uint32_t from, uint32_t to);
/* The site writes in the loops that are under way. */
void cc_depend_writes_here(struct cc_depend_thread *x, uint16_t site, uint64_t place); /* 0: no memory */
/* The site reads there in a loop, for the first time. */
void cc_depend_reads_here(struct cc_depend_thread *x, uint16_t site, uint64_t place);
/* A read of something that was written before the loops from that level on, which are under way. */
void cc_depend_exposed(struct cc_depend_thread *x, size_t level, uint16_t site, uint64_t place);
/* The loops from that level on, as a site remembers them. */
static inline uint32_t cc_depend_from(const struct cc_depend_thread *x, size_t level)
{
    uint32_t key = x->loops[x->nloops - 1].chain + (uint32_t)level * 0x85ebca6bu;
    return key ? key : 1;
}
struct spot cc_depend_spot(const struct cc_depend *d, uint64_t place, uint32_t space);
/* depend_live.c: a read of what was written at that stamp by that site: live after a loop? */
void cc_depend_live_after(struct cc_depend_thread *x, const struct cc_depend_met *m);
/* Iterations began at these stamps that were not the last of their invocation, which is over now. */
void cc_depend_outlived(struct cc_depend *d, uint32_t from, uint32_t to);
void cc_depend_forget_outlived(struct cc_depend *d);
static inline bool cc_depend_is_outlived(const struct cc_depend *d, uint32_t stamp)
{
    return stamp < d->outlived &&
           (stamp >= OUTLIVES_KEPT || (d->outlives && d->outlives[stamp / 64] >> stamp % 64 & 1));
}
static inline void cc_depend_read_after(struct cc_depend_thread *x, const struct cc_depend_met *m)
{
    const struct cc_depend *d = x->owner;
    if (cc_depend_is_outlived(d, m->stamp) && m->first != SITE_NONE && m->first < SITE_ANY &&
        d->sites[m->first].pending[m->space] && m->stamp >= d->window)
        cc_depend_live_after(x, m);
}

/* The number of what was found, for the first time or again, which may move all that was found. */
uint32_t cc_depend_number(struct cc_depend *d, struct cc_rec_dependence *r);
bool cc_depend_note_distance(struct cc_rec_dependence *r, uint32_t n); /* whether it is new */

/* depend_calls.c: where calls are followed. The activation at that level does something new; */
void cc_depend_segment_put(struct cc_depend_thread *x, size_t level);
/* the present call was followed from its beginning to its end; */
void cc_depend_followed(struct cc_depend_thread *x, const struct cc_depend_loop *l);
void cc_depend_found_call(struct cc_depend_thread *x, const struct cc_depend_loop *by,
                          const struct cc_depend_met *m);
void cc_depend_system_call(struct cc_depend_thread *x, uint32_t number, uint64_t call);
void cc_depend_put_calls(const struct cc_depend *d, const struct cc_depend_writer *w);

static inline uint16_t cc_depend_site_of(struct cc_depend_thread *x, struct cc_depend_site *site)
{
    if (site->outside)
        return x->outside.id ? (uint16_t)x->outside.id : cc_depend_outside_site(x);
    uint32_t *id = x->owner->opt.calls ? &site->call : &site->id;
    if (!*id) {
        *id = cc_depend_intern(x->owner, site->address, 0);
        cc_depend_code_followed(x->owner, site->address, site->address);
    }
    return (uint16_t)*id;
}

static inline uint32_t cc_depend_path(const struct cc_depend_thread *x)
{
    return x->nloops ? x->loops[x->nloops - 1].path : 0;
}

#endif
