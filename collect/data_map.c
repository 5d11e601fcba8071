/* Whose each address is: the map from addresses to groups, and the tables of blocks and ranges. */
#include "data_internal.h"

/* --- pages --- */

static uint64_t *pages_of(struct cc_data *x, uint64_t a)
{
    uint64_t **entry = &x->directory[cc_chunk_of(a)];
    if (!*entry)
        *entry = cc_pool(x->c, CC_DATA_PAGES * sizeof(uint64_t));
    return *entry;
}

static inline uint64_t page_of(const struct cc_data *x, uint64_t a)
{
    const uint64_t *pages = x->directory[cc_chunk_of(a)];
    return pages ? pages[(a >> CC_PAGE_BITS) & (CC_DATA_PAGES - 1)] : 0;
}

static inline uint32_t *table_of(uint64_t page)
{
    return (uint32_t *)(uintptr_t)page;
}

static inline uint32_t granule_of(uint64_t a)
{
    return (uint32_t)(a >> CC_GRANULE_BITS) & (CC_PAGE_GRANULES - 1);
}

static uint32_t *quad_at(const struct cc_data *x, uint32_t q)
{
    return cc_grow_at(&x->quads, q);
}

static uint32_t quad_new(struct cc_data *x, uint32_t group)
{
    uint32_t q = x->free_quad;
    if (q) {
        x->free_quad = quad_at(x, q)[0];
    } else {
        q = x->quads.n;
        cc_grow_add(x->c, &x->quads);
    }
    uint32_t *w = quad_at(x, q);
    w[0] = w[1] = w[2] = w[3] = group;
    return q;
}

static void quad_free(struct cc_data *x, uint32_t q)
{
    quad_at(x, q)[0] = x->free_quad;
    x->free_quad = q;
}

static uint32_t *table_new(struct cc_data *x, uint32_t group)
{
    uint32_t *table = x->free_table;
    if (table)
        __builtin_memcpy(&x->free_table, table, sizeof(void *));
    else
        table = cc_pool(x->c, CC_PAGE_GRANULES * sizeof *table);
    for (uint32_t i = 0; i < CC_PAGE_GRANULES; i++)
        table[i] = group;
    return table;
}

static void table_free(struct cc_data *x, uint32_t *table)
{
    for (uint32_t i = 0; i < CC_PAGE_GRANULES; i++)
        if (table[i] & CC_SPLIT)
            quad_free(x, table[i] & ~CC_SPLIT);
    __builtin_memcpy(table, &x->free_table, sizeof(void *));
    x->free_table = table;
}

/* --- looking up --- */

static uint32_t static_at(const struct cc_data *x, uint64_t a)
{
    uint32_t i = cc_range_after(&x->statics, a);
    return i < x->statics.n && x->statics.v[i].start <= a ? x->statics.v[i].group : CC_GROUP_OTHER;
}

uint32_t cc_data_group_of(const struct cc_data *x, uint64_t a)
{
    uint64_t page = page_of(x, a);
    if (page & 1)
        return (uint32_t)(page >> 1);
    if (!page)
        return CC_GROUP_OTHER;
    uint32_t g = table_of(page)[granule_of(a)];
    if (__builtin_expect(g & CC_SPLIT, 0)) {
        g = quad_at(x, g & ~CC_SPLIT)[(a >> 2) & 3];
        if (g == CC_WORD_SHARED)
            g = static_at(x, a);
    }
    return g;
}

bool cc_data_page_whole(const struct cc_data *x, uint64_t a)
{
    uint64_t page = page_of(x, a);
    return page & 1 || !page;
}

bool cc_data_granule_whole(const struct cc_data *x, uint64_t a)
{
    uint64_t page = page_of(x, a);
    return page & 1 || !page || !(table_of(page)[granule_of(a)] & CC_SPLIT);
}

uint32_t cc_data_look(const struct cc_data *x, uint64_t a, enum cc_data_unit *ret_unit)
{
    uint64_t page = page_of(x, a);
    *ret_unit = CC_UNIT_LINE;
    if (page & 1 || !page)
        return (uint32_t)(page >> 1);
    uint32_t at = granule_of(a), g = table_of(page)[at];
    if (__builtin_expect(g & CC_SPLIT, 0)) {
        g = quad_at(x, g & ~CC_SPLIT)[(a >> 2) & 3];
        *ret_unit = g == CC_WORD_SHARED ? CC_UNIT_SHARED : CC_UNIT_WORD;
        return g == CC_WORD_SHARED ? static_at(x, a) : g;
    }
    enum { LINE = 1 << (CC_LINE_BITS - CC_GRANULE_BITS) };
    const uint32_t *line = table_of(page) + (at & ~(uint32_t)(LINE - 1));
    uint32_t differ = 0;
    for (int i = 0; i < LINE; i++)
        differ |= line[i] ^ g;
    *ret_unit = differ ? CC_UNIT_GRANULE : CC_UNIT_LINE;
    return g;
}

/* --- changing --- */

static void set_granule(struct cc_data *x, uint32_t *granule, uint32_t group)
{
    if (*granule & CC_SPLIT)
        quad_free(x, *granule & ~CC_SPLIT);
    *granule = group;
}

/* Words [lo, hi) of a granule. `keep`: a word that a symbol has already becomes shared. */
static void set_words(struct cc_data *x, uint32_t *granule, uint32_t lo, uint32_t hi, uint32_t group,
                      bool keep)
{
    if (!keep && lo == 0 && hi == 4) {
        set_granule(x, granule, group);
        return;
    }
    if (!(*granule & CC_SPLIT)) {
        if (*granule == group)
            return;
        *granule = CC_SPLIT | quad_new(x, *granule);
    }
    uint32_t *w = quad_at(x, *granule & ~CC_SPLIT);
    for (uint32_t i = lo; i < hi; i++) {
        bool taken = keep && w[i] != group &&
                     (w[i] == CC_WORD_SHARED || cc_group_at(x, w[i])->kind == CC_OBJECT_GLOBAL);
        w[i] = taken ? CC_WORD_SHARED : group;
    }
    if (w[0] != CC_WORD_SHARED && w[0] == w[1] && w[1] == w[2] && w[2] == w[3])
        set_granule(x, granule, w[0]);
}

static void fill_page(struct cc_data *x, uint64_t *page, uint64_t start, uint64_t end, uint32_t group,
                      bool keep)
{
    uint64_t base = start & ~((UINT64_C(1) << CC_PAGE_BITS) - 1);
    bool table = *page && !(*page & 1);
    if (!keep && start == base && end - base == UINT64_C(1) << CC_PAGE_BITS) {
        if (table)
            table_free(x, table_of(*page));
        *page = group == CC_GROUP_OTHER ? 0 : (uint64_t)group << 1 | 1;
        return;
    }
    if (!table) {
        if ((uint32_t)(*page >> 1) == group && (*page & 1 || group == CC_GROUP_OTHER))
            return;
        *page = (uint64_t)(uintptr_t)table_new(x, (uint32_t)(*page >> 1));
    }
    uint32_t *granules = table_of(*page);
    while (start < end) {
        uint64_t next = (start | 15) + 1, stop = next < end ? next : end;
        set_words(x, &granules[granule_of(start)], (uint32_t)(start >> 2) & 3,
                  (uint32_t)((stop - (start & ~UINT64_C(15))) >> 2), group, keep);
        start = stop;
    }
}

static void fill(struct cc_data *x, uint64_t start, uint64_t end, uint32_t group, bool keep)
{
    start &= ~UINT64_C(3);
    end = (end + 3) & ~UINT64_C(3);
    for (uint64_t a = start; a < end;) {
        uint64_t next = (a | ((UINT64_C(1) << CC_PAGE_BITS) - 1)) + 1, stop = next < end ? next : end;
        fill_page(x, &pages_of(x, a)[(a >> CC_PAGE_BITS) & (CC_DATA_PAGES - 1)], a, stop, group, keep);
        a = stop;
    }
    cc_data_drop_lines(x, start, end);
}

void cc_data_fill(struct cc_data *x, uint64_t start, uint64_t end, uint32_t group)
{
    fill(x, start, end, group, false);
}

void cc_data_fill_static(struct cc_data *x, uint64_t start, uint64_t end, uint32_t group)
{
    fill(x, start, end, group, true);
}

#define LINE_MASK ((UINT64_C(1) << CC_LINE_KEY) - 1)

static void drop_line(struct cc_line (*ways)[CC_LINE_SETS], uint64_t line)
{
    for (int k = 0; k < CC_LINE_WAYS; k++)
        if ((ways[k][line & (CC_LINE_SETS - 1)].key & LINE_MASK) == line)
            ways[k][line & (CC_LINE_SETS - 1)].key = 0;
}

/* Symbols come and go with files: other memory that changes hands is in other pages. */
static void drop_words(struct cc_data_thread *d, uint64_t start, uint64_t end)
{
    enum { MOST = 15 }; /* bytes of an access behind its first */
    uint64_t first = (start - MOST) >> CC_BITS_PAGE, last = (end - 1) >> CC_BITS_PAGE;
    bool any = last - first >= CC_WORD_PAGES;
    for (uint64_t page = first; page <= last && !any; page++) {
        uint32_t bit = cc_word_page(page << CC_BITS_PAGE);
        any = d->word_pages[bit / 64] >> bit % 64 & 1;
    }
    if (!any)
        return;
    for (int write = 0; write < 2; write++)
        for (struct cc_word *w = d->words[write]; w < d->words[write] + CC_WORDS; w++)
            if (w->place && (w->place >> 3) - (start - MOST) < end - start + MOST)
                w->place = 0;
}

void cc_data_drop_lines(struct cc_data *x, uint64_t start, uint64_t end)
{
    uint64_t first = start >> CC_LINE_BITS & LINE_MASK,
             n = ((end - 1) >> CC_LINE_BITS) - (start >> CC_LINE_BITS) + 1;
    for (uint32_t i = 0; i < x->c->threads.n; i++) {
        struct cc_data_thread *d = x->c->threads.v[i]->data;
        if (!d || x->c->threads.v[i]->ended)
            continue;
        drop_words(d, start, end);
        if (n >= CC_LINE_SETS) {
            __builtin_memset(d->hot.lines, 0, sizeof d->hot.lines);
            continue;
        }
        for (uint64_t line = first; line < first + n; line++)
            for (int write = 0; write < 2; write++)
                drop_line(d->hot.lines[write], line);
    }
}

/* --- sorted ranges --- */

uint32_t cc_range_after(const struct cc_ranges *r, uint64_t a)
{
    uint32_t lo = 0, hi = r->n;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (r->v[mid].end > a)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

void cc_range_insert(struct cc_data *x, struct cc_ranges *r, struct cc_data_range range)
{
    uint32_t at = cc_range_after(r, range.start);
    r->v = cc_extend(x->c, r->v, &r->cap, r->n + 1, sizeof *r->v);
    for (uint32_t i = r->n; i > at; i--)
        r->v[i] = r->v[i - 1];
    r->v[at] = range;
    r->n++;
}

/* --- blocks by their start --- */

/* Those that lie close to each other do so here too: they are allocated and freed one after the other. */
static size_t block_home(const struct cc_blocks *b, uint64_t start)
{
    enum { NEAR = 1024, APART = 32 };
    return (size_t)(cc_mix(start / NEAR) / (NEAR / APART) * (NEAR / APART) + start % NEAR / APART) &
           (b->cap - 1);
}

struct cc_data_range *cc_block_find(struct cc_blocks *b, uint64_t start)
{
    if (!b->cap || !start)
        return NULL;
    for (size_t i = block_home(b, start);; i = (i + 1) & (b->cap - 1)) {
        if (b->v[i].start == start)
            return &b->v[i];
        if (!b->v[i].start)
            return NULL;
    }
}

static void block_insert(struct cc_blocks *b, struct cc_data_range block)
{
    size_t i = block_home(b, block.start);
    while (b->v[i].start)
        i = (i + 1) & (b->cap - 1);
    b->v[i] = block;
    b->n++;
}

void cc_block_put(struct cc_data *x, struct cc_blocks *b, struct cc_data_range block)
{
    if (b->n * 3 >= b->cap * 2) {
        struct cc_blocks old = *b;
        b->cap = old.cap ? old.cap * 2 : 1024;
        b->n = 0;
        b->v = x->c->host.map(x->c->host.self, b->cap * sizeof *b->v);
        for (size_t i = 0; i < old.cap; i++)
            if (old.v[i].start)
                block_insert(b, old.v[i]);
        cc_give_back(x->c, old.v, old.cap * sizeof *old.v);
    }
    block_insert(b, block);
}

/* The entries after it move up, so that searches never cross a hole. */
void cc_block_remove(struct cc_blocks *b, struct cc_data_range *block)
{
    size_t mask = b->cap - 1, hole = (size_t)(block - b->v);
    for (size_t i = (hole + 1) & mask; b->v[i].start; i = (i + 1) & mask) {
        size_t home = block_home(b, b->v[i].start);
        if (((i - home) & mask) < ((i - hole) & mask))
            continue;
        b->v[hole] = b->v[i];
        hole = i;
    }
    b->v[hole].start = 0;
    b->n--;
}
