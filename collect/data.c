/* Accesses to data objects: counts per function and group, and per function and place of a stack frame. */
#include "data_internal.h"

/* --- pairs of function and group --- */

static size_t pair_slot(const struct cc_data_thread *d, uint32_t function, uint32_t group)
{
    size_t mask = d->pair_index_cap - 1;
    size_t i = (size_t)cc_mix((uint64_t)function << 32 | group) & mask;
    for (;; i = (i + 1) & mask) {
        uint32_t at = d->pair_index[i];
        if (!at || (d->pairs[at - 1]->function == function && d->pairs[at - 1]->group == group))
            return i;
    }
}

static void pair_index_grow(struct cc_data_thread *d)
{
    struct cc_collect *c = d->data->c;
    cc_give_back(c, d->pair_index, d->pair_index_cap * sizeof *d->pair_index);
    d->pair_index_cap = d->pair_index_cap ? d->pair_index_cap * 2 : 1024;
    d->pair_index = c->host.map(c->host.self, d->pair_index_cap * sizeof *d->pair_index);
    for (size_t i = 0; i < d->npairs; i++)
        d->pair_index[pair_slot(d, d->pairs[i]->function, d->pairs[i]->group)] = (uint32_t)i + 1;
}

struct cc_pair *cc_pair_find(struct cc_data_thread *d, uint32_t function, uint32_t group)
{
    struct cc_pair **cached = &d->pair_cache[(group ^ function * 37) & (CC_PAIR_CACHE - 1)];
    if (__builtin_expect(*cached && (*cached)->function == function && (*cached)->group == group, 1))
        return *cached;
    if (d->npairs * 2 >= d->pair_index_cap)
        pair_index_grow(d);
    size_t slot = pair_slot(d, function, group);
    if (!d->pair_index[slot]) {
        struct cc_pair *p = cc_thread_pool(d->thread, sizeof *p);
        p->function = function;
        p->group = group;
        p->number = (uint32_t)d->npairs + 1;
        p->first = p->last = *d->hot.clock;
        d->pairs = cc_extend(d->data->c, d->pairs, &d->pairs_cap, d->npairs + 1, sizeof *d->pairs);
        d->pairs[d->npairs++] = p;
        d->pair_index[slot] = (uint32_t)d->npairs;
    }
    return *cached = d->pairs[d->pair_index[slot] - 1];
}

/* --- distinct addresses --- */

static struct cc_bits *bits_slot(struct cc_bits *table, size_t cap, uint64_t key)
{
    size_t mask = cap - 1, i = (size_t)cc_mix(key) & mask;
    while (table[i].key && table[i].key != key)
        i = (i + 1) & mask;
    return &table[i];
}

static uint64_t *bits_find(struct cc_data_thread *d, uint64_t key)
{
    struct cc_collect *c = d->data->c;
    if (d->nbits * 4 >= d->bits_cap * 3) {
        struct cc_bits *old = d->bits;
        size_t old_cap = d->bits_cap;
        d->bits_cap = old_cap ? old_cap * 2 : 1024;
        d->bits = c->host.map(c->host.self, d->bits_cap * sizeof *old);
        for (size_t i = 0; i < old_cap; i++)
            if (old[i].key)
                *bits_slot(d->bits, d->bits_cap, old[i].key) = old[i];
        cc_give_back(c, old, old_cap * sizeof *old);
    }
    struct cc_bits *b = bits_slot(d->bits, d->bits_cap, key);
    if (!b->key) {
        b->key = key;
        b->bits = cc_thread_pool(d->thread, 2 * CC_BITS_WORDS * sizeof(uint64_t));
        d->nbits++;
    }
    return b->bits;
}

uint64_t *cc_data_bits(struct cc_data_thread *d, uint32_t number, uint64_t a)
{
    uint64_t page = (a & ((UINT64_C(1) << CC_ADDRESS_BITS) - 1)) >> CC_BITS_PAGE;
    uint64_t key = page | (uint64_t)number << (CC_ADDRESS_BITS - CC_BITS_PAGE);
    struct cc_bits *recent = &d->bits_cache[(page ^ number * 37) & (CC_BITS_CACHE - 1)];
    if (__builtin_expect(recent->key != key, 0)) {
        recent->bits = bits_find(d, key);
        recent->key = key;
    }
    return recent->bits;
}

static uint64_t *bits_of(struct cc_data_thread *d, const struct cc_pair *p, uint64_t a, bool write)
{
    uint32_t direction = write ? CC_BITS_WORDS : 0;
    return &cc_data_bits(d, p->number, a)[direction + ((a >> 6) & (CC_BITS_WORDS - 1))];
}

/* word: as bits_of gives it */
static void count_bits(struct cc_pair *p, uint64_t *word, uint64_t bits, bool write)
{
    uint64_t added = bits & ~*word;
    if (!added)
        return;
    const uint64_t *other = write ? word - CC_BITS_WORDS : word + CC_BITS_WORDS;
    *word |= added;
    p->distinct[write] += cc_count_bits(added);
    p->unma += cc_count_bits(added & ~*other);
}

static void touch(struct cc_data_thread *d, struct cc_pair *p, uint64_t a, uint32_t size, bool write)
{
    while (size) {
        uint32_t room = 64 - (uint32_t)(a & 63), n = size < room ? size : room;
        uint64_t bits = (n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << (a & 63);
        count_bits(p, bits_of(d, p, a, write), bits, write);
        a += n;
        size -= n;
    }
}

/* --- the cache of lines --- */

/* Bit i of the result: bits 4i … 4i + 3 are all set. */
static uint64_t whole_words(uint64_t w)
{
    if (w == ~UINT64_C(0))
        return 0xffff;
    w &= w >> 1;
    w &= w >> 2;
    w &= UINT64_C(0x1111111111111111);
    w = (w | w >> 3) & UINT64_C(0x0303030303030303);
    w = (w | w >> 6) & UINT64_C(0x000f000f000f000f);
    w = (w | w >> 12) & UINT64_C(0x000000ff000000ff);
    return (w | w >> 24) & 0xffff;
}

/* Remembers what is counted of 64 bytes of a line; `bits`: of the line, everywhere: all of it is the group's.
 */
static void line_note(struct cc_data_thread *d, struct cc_pair *p, uint64_t a, uint32_t size, uint64_t *bits,
                      bool everywhere, bool write)
{
    uint64_t line = cc_data_line_of(a);
    struct cc_line *l = cc_data_line(&d->hot, line, write);
    if (l->key != (line | d->hot.key) || l->pair != p || (everywhere && !l->bits))
        *l = (struct cc_line){.key = line | d->hot.key, .pair = p, .bits = everywhere ? bits : NULL};
    uint32_t at = (uint32_t)(a >> 6) & 3;
    uint64_t words = size <= 4 ? 1 : size == 8 ? 3 : 15;
    l->seen |= (whole_words(bits[at]) << (16 * at)) & (everywhere ? ~UINT64_C(0) : words << ((a >> 2) & 63));
}

/* --- stack frames --- */

static struct cc_stack_view *view_find(struct cc_data_thread *d, uint32_t function, uint32_t owner,
                                       uint32_t *ret_number)
{
    struct cc_collect *c = d->data->c;
    struct cc_stack_view *last = d->last_view;
    if (last && last->function == function && last->owner == owner) {
        *ret_number = d->last_view_number;
        return last;
    }
    if (d->nviews * 2 >= d->view_index_cap) {
        cc_give_back(c, d->view_index, d->view_index_cap * sizeof *d->view_index);
        d->view_index_cap = d->view_index_cap ? d->view_index_cap * 2 : 512;
        d->view_index = c->host.map(c->host.self, d->view_index_cap * sizeof *d->view_index);
        for (size_t i = 0; i < d->nviews; i++) {
            size_t at = (size_t)cc_mix((uint64_t)d->views[i]->function << 32 | d->views[i]->owner);
            while (d->view_index[at & (d->view_index_cap - 1)])
                at++;
            d->view_index[at & (d->view_index_cap - 1)] = (uint32_t)i + 1;
        }
    }
    size_t mask = d->view_index_cap - 1, at = (size_t)cc_mix((uint64_t)function << 32 | owner) & mask;
    uint32_t n;
    while ((n = d->view_index[at]) &&
           (d->views[n - 1]->function != function || d->views[n - 1]->owner != owner))
        at = (at + 1) & mask;
    if (!n) {
        struct cc_stack_view *v =
            cc_thread_pool(d->thread, function == owner ? sizeof(struct cc_own_view) : sizeof *v);
        v->function = function;
        v->owner = owner;
        d->views = cc_extend(c, d->views, &d->views_cap, d->nviews + 1, sizeof *d->views);
        d->views[d->nviews++] = v;
        n = d->view_index[at] = (uint32_t)d->nviews;
    }
    d->last_view = d->views[n - 1];
    *ret_number = d->last_view_number = n;
    return d->last_view;
}

static struct cc_far_slot *far_slot(struct cc_far_slot *table, size_t cap, uint64_t key)
{
    size_t mask = cap - 1, i = (size_t)cc_mix(key) & mask;
    while (table[i].key && table[i].key != key)
        i = (i + 1) & mask;
    return &table[i];
}

static struct cc_far_slot *far_find(struct cc_data_thread *d, uint64_t key)
{
    struct cc_collect *c = d->data->c;
    if (d->nfar * 4 >= d->far_cap * 3) {
        struct cc_far_slot *old = d->far;
        size_t old_cap = d->far_cap;
        d->far_cap = old_cap ? old_cap * 2 : 256;
        d->far = c->host.map(c->host.self, d->far_cap * sizeof *old);
        for (size_t i = 0; i < old_cap; i++)
            if (old[i].key)
                *far_slot(d->far, d->far_cap, old[i].key) = old[i];
        cc_give_back(c, old, old_cap * sizeof *old);
    }
    struct cc_far_slot *s = far_slot(d->far, d->far_cap, key);
    if (!s->key) {
        s->key = key;
        d->nfar++;
    }
    return s;
}

static void slot_count(struct cc_data_thread *d, struct cc_slot *s, bool write)
{
    s->n[write]++;
    s->last = *d->hot.clock;
    if (!s->first)
        s->first = s->last + 1;
}

static struct cc_stack_view *place_access(struct cc_data_thread *d, uint32_t function, uint32_t owner,
                                          uint64_t below, uint32_t size, bool write)
{
    uint32_t number;
    struct cc_stack_view *v = view_find(d, function, owner, &number);
    bool regular = size <= 16 && (size & (size - 1)) == 0 && (below & (size - 1)) == 0 && below >= size;
    if (regular && below - size < CC_NEAR) {
        uint32_t class = (uint32_t)__builtin_ctz(size);
        if (!v->near[class])
            v->near[class] = cc_thread_pool(d->thread, (CC_NEAR >> class) * sizeof(struct cc_slot));
        slot_count(d, &v->near[class][(below >> class) - 1], write);
        if (function == owner && function == d->function)
            d->hot.own = v;
        return v;
    }
    enum { EXACT = 1 << 20 };
    bool exact = below < EXACT && size < 256;
    uint64_t place =
        exact ? below << 8 | size : (below >> 12 < 0xffffff ? below >> 12 << 12 : UINT64_C(0xffffff000)) << 8;
    struct cc_far_slot *s = far_find(d, (uint64_t)number << 44 | place);
    slot_count(d, &s->slot, write);
    s->bytes[write] += size;
    return v;
}

/* The activation of a thread that an address lies in: the topmost that begins above it. 0: none. */
static size_t activation_of(const struct cc_thread *t, uint64_t a)
{
    size_t i = t->depth;
    for (int steps = 0; i > 1 && steps < 8; i--, steps++)
        if (t->room.activations[i - 1].sp > a)
            return i - 1;
    size_t lo = 1, hi = i; /* the first that does not begin above a, if they are in order */
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->room.activations[mid].sp > a)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo - 1;
}

static struct cc_other_frame *other_of(struct cc_stack_view *own, uint64_t a)
{
    return &((struct cc_own_view *)own)->others[(a >> CC_OTHER_BITS) & (CC_OTHERS - 1)];
}

/* The running function came to the frame of the activation at that depth, and may come again. */
static void other_note(struct cc_data_thread *d, size_t at, uint64_t a, struct cc_stack_view *view)
{
    const struct cc_thread *t = d->thread;
    struct cc_stack_view *own = d->hot.own;
    if (!own || at + 1 >= t->depth || at < t->base)
        return;
    const struct cc_activation *v = &t->room.activations[at];
    *other_of(own, a) = (struct cc_other_frame){(uint32_t)at, v->context, v->sp, view};
}

/* Whether it was there that the access goes; then it is counted. size: of a class */
static inline bool other_access(struct cc_data_thread *d, uint64_t a, uint32_t size, bool write)
{
    const struct cc_thread *t = d->thread;
    if (!d->hot.own || d->hot.cfa - a - 1 < CC_NEAR)
        return false;
    const struct cc_other_frame *f = other_of(d->hot.own, a);
    const struct cc_activation *v = &t->room.activations[f->at];
    if (!f->at || f->at < t->base || f->at + 1 >= t->depth || v->sp != f->sp || v->context != f->context ||
        v[1].sp > a)
        return false;
    uint64_t below = f->sp - a;
    uint32_t class = (uint32_t)__builtin_ctz(size);
    if (below - size >= CC_NEAR || (below & (size - 1)) != 0 || !f->view->near[class])
        return false;
    slot_count(d, &f->view->near[class][(below >> class) - 1], write);
    return true;
}

/* False where the stack frame is not known. */
static bool stack_access(struct cc_data_thread *d, const struct cc_thread *of, uint32_t function, uint64_t a,
                         uint32_t size, bool write)
{
    size_t i = activation_of(of, a);
    if (!i || of->room.activations[i].sp <= a)
        return false;
    const struct cc_activation *v = &of->room.activations[i];
    uint32_t owner = cc_context_at(d->data->c, v->context)->function;
    struct cc_stack_view *view = place_access(d, function, owner, v->sp - a, size, write);
    if (of == d->thread && function == d->function)
        other_note(d, i, a, view);
    return true;
}

/* --- symbols that share a line --- */

static struct cc_word *word_of(struct cc_data_thread *d, uint64_t a, bool write)
{
    return &d->words[write][(a >> 2 ^ (uint64_t)d->function * 37) & (CC_WORDS - 1)];
}

static uint64_t word_place(uint64_t a, uint32_t size)
{
    return a << 3 | (uint32_t)__builtin_ctz(size);
}

/* Whether all was known. */
static inline bool word_access(struct cc_data_thread *d, uint64_t a, uint32_t size, bool write)
{
    const struct cc_word *w = word_of(d, a, write);
    if (w->place != word_place(a, size) || w->key != d->hot.key || d->hot.cfa - a - 1 < CC_NEAR)
        return false;
    w->pair->n[write][__builtin_ctz(size)]++;
    w->pair->last = *d->hot.clock;
    return true;
}

static void word_note(struct cc_data_thread *d, struct cc_pair *p, uint64_t a, uint32_t size, bool write)
{
    uint32_t bit = cc_word_page(a);
    d->word_pages[bit / 64] |= UINT64_C(1) << bit % 64;
    *word_of(d, a, write) = (struct cc_word){word_place(a, size), d->hot.key, p};
}

/* --- any access --- */

/* The group an address is in, or CC_NONE after the access was counted in a stack frame. */
static uint32_t resolve(struct cc_data_thread *d, uint32_t function, uint64_t a, uint32_t size, bool write,
                        enum cc_data_unit *ret_unit)
{
    *ret_unit = CC_UNIT_LINE;
    uint64_t below = d->hot.cfa - a;
    if (below - 1 < CC_NEAR) { /* near the top of the running stack frame, whatever stack that is on */
        place_access(d, function, d->function, below, size, write);
        return CC_NONE;
    }
    if (a - d->hot.stack_low < d->hot.stack_size)
        return stack_access(d, d->thread, function, a, size, write) ? CC_NONE : d->stack_group;
    if (d->npending)
        return CC_GROUP_HEAP;
    uint32_t group = cc_data_look(d->data, a, ret_unit);
    const struct cc_group *g = cc_group_at(d->data, group);
    if (__builtin_expect(g->kind == CC_OBJECT_STACK, 0)) {
        const struct cc_thread *of = d->data->c->threads.v[g->thread];
        if (!of->ended && stack_access(d, of, function, a, size, write))
            return CC_NONE;
    }
    return group;
}

/* A line that is all of one group: its bytes are counted without looking further. Where a program walks
 * through memory every access comes here once. */
static inline bool line_access(struct cc_data_thread *d, uint64_t a, uint32_t size, bool write)
{
    uint64_t line = cc_data_line_of(a);
    struct cc_line *l = cc_data_line(&d->hot, line, write);
    if (l->key != (line | d->hot.key) || !l->bits || d->hot.cfa - a - 1 < CC_NEAR || (a & (size - 1)) != 0)
        return false;
    struct cc_pair *p = l->pair;
    uint64_t *word = &l->bits[(a >> 6) & 3], bits = ((UINT64_C(1) << size) - 1) << (a & 63);
    if (!(*word & bits)) { /* mostly: no need to count them */
        const uint64_t *other = write ? word - CC_BITS_WORDS : word + CC_BITS_WORDS;
        uint64_t known = *other & bits;
        *word |= bits;
        p->distinct[write] += size;
        p->unma += known ? size - cc_count_bits(known) : size;
    } else {
        count_bits(p, word, bits, write);
    }
    uint64_t words = size <= 4 ? 1 : size == 8 ? 3 : 15;
    if (size >= 4 || (*word >> (a & 60) & 15) == 15)
        l->seen |= words << ((a >> 2) & 63);
    p->n[write][__builtin_ctz(size)]++;
    p->last = *d->hot.clock;
    return true;
}

static inline bool is_plain(uint32_t size)
{
    return size <= 16 && (size & (size - 1)) == 0;
}

static __attribute__((noinline)) void access_other(struct cc_data_thread *d, uint64_t a, uint32_t size,
                                                   bool write)
{
    bool plain = is_plain(size);
    enum cc_data_unit unit;
    uint32_t group = resolve(d, d->function, a, size, write, &unit);
    if (group == CC_NONE)
        return;
    struct cc_pair *p = cc_pair_find(d, d->function, group);
    p->last = *d->hot.clock;
    if (!plain || (a & (size - 1)) != 0) {
        touch(d, p, a, size, write);
        if (plain) {
            p->n[write][__builtin_ctz(size)]++;
        } else {
            p->odd[write]++;
            p->odd_bytes[write] += size;
        }
        return;
    }
    uint64_t *bits = bits_of(d, p, a, write);
    count_bits(p, bits, ((UINT64_C(1) << size) - 1) << (a & 63), write);
    p->n[write][__builtin_ctz(size)]++;
    if (unit < CC_UNIT_LINE && cc_group_at(d->data, group)->kind == CC_OBJECT_GLOBAL)
        word_note(d, p, a, size, write);
    if (group == d->stack_group || (unit < CC_UNIT_GRANULE && (unit != CC_UNIT_WORD || size > 4)) ||
        cc_group_at(d->data, group)->kind == CC_OBJECT_STACK)
        return;
    line_note(d, p, a, size, bits - ((a >> 6) & 3), unit == CC_UNIT_LINE, write);
}

void cc_data_access(struct cc_data_thread *d, uint64_t a, uint32_t size, bool write)
{
    bool known = false;
    if (is_plain(size))
        known = a - d->hot.stack_low < d->hot.stack_size
                    ? other_access(d, a, size, write)
                    : line_access(d, a, size, write) || word_access(d, a, size, write);
    if (!known)
        access_other(d, a, size, write);
}

/* One operation of a system call: counted once on each object it goes through. */
static void range_access(struct cc_thread *t, uint32_t function, uint64_t a, uint64_t size, bool write)
{
    struct cc_data_thread *d = t->data;
    const struct cc_pair *before = NULL;
    while (size) {
        uint64_t room = 16 - (a & 15);
        uint32_t n = (uint32_t)(size < room ? size : room);
        enum cc_data_unit unit;
        uint32_t group = resolve(d, function, a, n, write, &unit);
        if (group != CC_NONE) {
            struct cc_pair *p = cc_pair_find(d, function, group);
            p->last = *d->hot.clock;
            p->odd[write] += p != before;
            p->odd_bytes[write] += n;
            touch(d, p, a, n, write);
            before = p;
        }
        a += n;
        size -= n;
    }
}

void cc_data_input(struct cc_thread *t, uint64_t a, uint64_t size)
{
    if (t->data)
        range_access(t, CC_SPECIAL_ID(CC_NODE_INPUT), a, size, true);
}

void cc_data_output(struct cc_thread *t, uint64_t a, uint64_t size)
{
    if (t->data)
        range_access(t, CC_SPECIAL_ID(CC_NODE_OUTPUT), a, size, false);
}

/* --- life --- */

static __attribute__((noinline)) void own_make(struct cc_data_thread *d, uint32_t function)
{
    uint32_t number;
    d->own = cc_extend(d->data->c, d->own, &d->own_cap, function + 1, sizeof *d->own);
    d->own[function] = view_find(d, function, function, &number);
}

void cc_data_enter(struct cc_thread *t)
{
    if (t->data)
        cc_data_enter_function(t, t->off ? CC_FUNCTION_OFF : cc_context_at(t->owner, t->context)->function);
}

void cc_data_enter_function(struct cc_thread *t, uint32_t function)
{
    struct cc_data_thread *d = t->data;
    if (!t->owner->opt.objects) /* dependences want to know whose an address is, and count nothing */
        return;
    enum { FUNCTIONS = 1 << 23 }; /* what the key of a line holds; nobody has so many */
    uint64_t in = (uint64_t)(function & (FUNCTIONS - 1)) << 1 | (d->npending != 0);
    d->function = function;
    d->hot.key = in << CC_LINE_KEY;
    d->hot.way = (function ^ function >> 2) & (CC_LINE_WAYS - 1);
    d->hot.cfa = t->off ? 0 : t->room.activations[t->depth - 1].sp;
    d->hot.own = NULL;
    if (!d->hot.cfa)
        return;
    if (function >= d->own_cap || !d->own[function])
        own_make(d, function);
    d->hot.own = d->own[function];
}

struct cc_data_thread *cc_data_thread_new(struct cc_data *x, struct cc_thread *t)
{
    struct cc_data_thread *d = t->data = x->c->host.map(x->c->host.self, sizeof *d);
    if (x->c->host.dense && t->id == 0) /* many threads would take much memory for it */
        x->c->host.dense(x->c->host.self, d, sizeof *d);
    d->thread = t;
    d->data = x;
    d->hot.clock = &d->zero;
    return d;
}

void cc_data_thread_init(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    if (!c->data)
        return;
    struct cc_data_thread *d = cc_data_thread_new(c->data, t);
    cc_lock(c);
    struct cc_group g = {.kind = CC_OBJECT_STACK, .binary = CC_NONE, .thread = t->id};
    d->stack_group = cc_group_new(c->data, &g);
    cc_unlock(c);
}

void cc_data_init(struct cc_collect *c)
{
    struct cc_data *x = c->data = c->host.map(c->host.self, sizeof *x);
    x->c = c;
    x->directory = c->host.map(c->host.self, CC_DIRECTORY * sizeof *x->directory);
    x->groups.item = sizeof(struct cc_group);
    x->quads.item = 4 * sizeof(uint32_t);
    cc_grow_add(c, &x->quads); /* 0 ends the free list */
    for (uint32_t i = 0; i < CC_GROUP_FIRST; i++) {
        struct cc_group g = {.kind = i == CC_GROUP_HEAP ? CC_OBJECT_HEAP : CC_OBJECT_OTHER,
                             .binary = CC_NONE,
                             .thread = CC_NONE};
        cc_group_new(x, &g);
    }
}

void cc_data_clock(struct cc_thread *t, const uint64_t *count)
{
    if (t->data)
        t->data->hot.clock = count;
}

static void forget_thread(struct cc_data_thread *d)
{
    for (size_t i = 0; i < d->npairs; i++) {
        struct cc_pair *p = d->pairs[i];
        *p = (struct cc_pair){.function = p->function,
                              .group = p->group,
                              .number = p->number,
                              .first = *d->hot.clock,
                              .last = *d->hot.clock};
    }
    for (size_t i = 0; i < d->bits_cap; i++)
        if (d->bits[i].key)
            __builtin_memset(d->bits[i].bits, 0, 2 * CC_BITS_WORDS * sizeof(uint64_t));
    for (size_t i = 0; i < d->nviews; i++)
        for (uint32_t k = 0; k < CC_DATA_CLASSES; k++)
            if (d->views[i]->near[k])
                __builtin_memset(d->views[i]->near[k], 0, (CC_NEAR >> k) * sizeof(struct cc_slot));
    if (d->far)
        __builtin_memset(d->far, 0, d->far_cap * sizeof *d->far);
    d->nfar = 0;
    __builtin_memset(d->hot.lines, 0, sizeof d->hot.lines);
    __builtin_memset(d->words, 0, sizeof d->words);
}

void cc_data_forget(struct cc_collect *c)
{
    if (!c->data)
        return;
    for (uint32_t i = 0; i < c->threads.n; i++)
        forget_thread(c->threads.v[i]->data);
    for (uint32_t i = 0; i < c->data->groups.n; i++) {
        struct cc_group *g = cc_group_at(c->data, i);
        g->count -= g->freed;
        g->freed = 0;
        g->total = g->peak = g->live;
    }
}
