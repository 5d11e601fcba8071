/* Groups of data objects and their blocks: allocation sites, names, files, symbols. */
#include "data_internal.h"
#include "depend.h"
#include "sibling.h"

enum { MAX_SITES = 1 << 16, MAX_NAMES = 1 << 16, MAX_SITE_CALLS = 8 };
#define MAX_NAMED \
    (UINT64_C(1)  \
     << 36) /* bytes that a program gives one name: more is a mistake, and would take us as long */

/* --- groups; the lock is held --- */

uint32_t cc_group_new(struct cc_data *x, const struct cc_group *init)
{
    uint32_t id = x->groups.n;
    struct cc_group *g = cc_grow_add(x->c, &x->groups);
    *g = *init;
    return id;
}

void cc_group_add(struct cc_group *g, uint64_t size)
{
    g->count++;
    g->total += size;
    g->live += size;
    if (g->live > g->peak)
        g->peak = g->live;
}

void cc_group_take(struct cc_group *g, uint64_t size)
{
    g->freed++;
    g->live -= size < g->live ? size : g->live;
}

static bool same_key(const struct cc_group *g, const struct cc_group *key)
{
    if (g->hash != key->hash || g->kind != key->kind || g->alloc != key->alloc || g->ncalls != key->ncalls ||
        g->name_size != key->name_size)
        return false;
    for (uint32_t i = 0; i < g->ncalls; i++)
        if (g->calls[i].ret != key->calls[i].ret)
            return false;
    for (uint32_t i = 0; i < g->name_size; i++)
        if (g->name[i] != key->name[i])
            return false;
    return true;
}

static size_t index_slot(const struct cc_data *x, const struct cc_group *key)
{
    size_t mask = x->index_cap - 1, i = (size_t)key->hash & mask;
    while (x->index[i] && !same_key(cc_group_at(x, x->index[i]), key))
        i = (i + 1) & mask;
    return i;
}

static void index_grow(struct cc_data *x)
{
    struct cc_collect *c = x->c;
    uint32_t *old = x->index;
    size_t old_cap = x->index_cap;
    x->index_cap = old_cap ? old_cap * 2 : 1024;
    x->index = c->host.map(c->host.self, x->index_cap * sizeof *old);
    for (size_t i = 0; i < old_cap; i++)
        if (old[i])
            x->index[index_slot(x, cc_group_at(x, old[i]))] = old[i];
    cc_give_back(c, old, old_cap * sizeof *old);
}

/* The group with these calls or this name, both borrowed; made if there is none. `beyond` is given back once
 * *count has reached max. */
static uint32_t intern(struct cc_data *x, struct cc_group *key, uint32_t *count, uint32_t max,
                       uint32_t beyond)
{
    key->hash = cc_mix((uint64_t)key->kind << 8 | key->alloc);
    for (uint32_t i = 0; i < key->ncalls; i++)
        key->hash = cc_mix(key->hash ^ key->calls[i].ret);
    for (uint32_t i = 0; i < key->name_size; i++)
        key->hash = (key->hash ^ (uint8_t)key->name[i]) * UINT64_C(0x100000001b3);
    if (x->nindexed * 2 >= x->index_cap)
        index_grow(x);
    size_t slot = index_slot(x, key);
    if (x->index[slot])
        return x->index[slot];
    if (*count >= max) {
        x->full = true;
        return beyond;
    }
    if (key->ncalls) {
        struct cc_site_call *calls = cc_pool(x->c, key->ncalls * sizeof *calls);
        __builtin_memcpy(calls, key->calls, key->ncalls * sizeof *calls);
        for (uint32_t i = 0; i < key->ncalls; i++)
            calls[i].binary = cc_binary_of(x->c, calls[i].ret, &calls[i].address);
        key->calls = calls;
    }
    if (key->name_size) {
        char *name = cc_pool(x->c, key->name_size);
        __builtin_memcpy(name, key->name, key->name_size);
        key->name = name;
    }
    (*count)++;
    x->nindexed++;
    return x->index[slot] = cc_group_new(x, key);
}

/* --- sites --- */

/* Where the thread is, as return addresses: innermost first, each function once, so that recursion of any
 * depth is one site. `own`: the allocator's own function, whose activation is passed over. */
static uint32_t site_calls(const struct cc_thread *t, uint32_t own, uint64_t ret, struct cc_site_call *to)
{
    struct cc_collect *c = t->owner;
    uint32_t n = 0;
    size_t i = t->depth;
    uint64_t at = t->function == CC_OUTSIDE && t->out_ret ? t->out_ret : ret;
    if (own != CC_OUTSIDE && i > 1 && cc_context_at(c, t->room.activations[i - 1].context)->function == own)
        i--;
    while (i-- > 0 && n < MAX_SITE_CALLS) {
        uint32_t function = cc_context_at(c, t->room.activations[i].context)->function;
        bool known = false;
        for (uint32_t k = 0; k < n; k++)
            known |= to[k].function == function;
        if (at && !known && (i > 0 || n == 0))
            to[n++] = (struct cc_site_call){.ret = at, .function = function};
        at = t->room.activations[i].ret;
    }
    return n;
}

static uint32_t site_of(struct cc_thread *t, enum cc_alloc_kind kind, uint32_t own, uint64_t ret)
{
    struct cc_site_call calls[MAX_SITE_CALLS];
    struct cc_group key = {.kind = kind == CC_ALLOC_MMAP ? CC_OBJECT_MAPPED : CC_OBJECT_BLOCK,
                           .alloc = kind,
                           .binary = CC_NONE,
                           .thread = CC_NONE,
                           .calls = calls};
    key.ncalls = site_calls(t, own, ret, calls);
    struct cc_data *x = t->owner->data;
    return intern(x, &key, &x->nsites, MAX_SITES, CC_GROUP_HEAP);
}

/* --- names inside of blocks; the lock is held --- */

static bool is_named(const struct cc_data *x, uint64_t a)
{
    return cc_group_at(x, cc_data_group_of(x, a))->kind == CC_OBJECT_NAMED;
}

/* Ends the named stretch [n.start, n.end) as far as it lies in [start, end); what sticks out stays named. */
static void name_cut(struct cc_data *x, struct cc_data_range n, uint64_t start, uint64_t end)
{
    struct cc_group *g = cc_group_at(x, n.group);
    uint64_t lo = n.start > start ? n.start : start, hi = n.end < end ? n.end : end;
    cc_block_remove(&x->names, cc_block_find(&x->names, n.start));
    if (n.start < lo)
        cc_block_put(x, &x->names, (struct cc_data_range){n.start, lo, n.group});
    if (n.end > hi)
        cc_block_put(x, &x->names, (struct cc_data_range){hi, n.end, n.group});
    if (n.start >= lo && n.end <= hi)
        cc_group_take(g, n.end - n.start);
    else
        g->live -= hi - lo < g->live ? hi - lo : g->live;
}

/* The named stretch that began before `start` and reaches into it; NULL: none. Searched for backwards, which
 * is long only where somebody names a part of a huge stretch anew. */
static struct cc_data_range *name_around(struct cc_data *x, uint64_t start)
{
    enum { FAR = 256 << 20 };
    for (uint64_t a = start; a >= 4 && start - a < FAR && is_named(x, a); a -= 4) {
        struct cc_data_range *n = cc_block_find(&x->names, a);
        if (n)
            return n->end > start ? n : NULL;
    }
    return NULL;
}

/* Where the next group may begin. */
static uint64_t next_unit(const struct cc_data *x, uint64_t a)
{
    uint64_t unit = is_named(x, a)                ? 4
                    : cc_data_page_whole(x, a)    ? UINT64_C(1) << CC_PAGE_BITS
                    : cc_data_granule_whole(x, a) ? 16
                                                  : 4;
    return (a & ~(unit - 1)) + unit;
}

/* Names that lie in [start, end) come to their end. */
static void names_end(struct cc_data *x, uint64_t start, uint64_t end)
{
    if (!x->names.n)
        return;
    start &= ~UINT64_C(3);
    struct cc_data_range *around = name_around(x, start);
    if (around)
        name_cut(x, *around, start, end);
    for (uint64_t a = start; a < end && x->names.n;) {
        struct cc_data_range *n = cc_block_find(&x->names, a);
        uint64_t next = n ? (n->end + 3) & ~UINT64_C(3) : next_unit(x, a);
        if (n)
            name_cut(x, *n, start, end);
        a = next > a ? next : a + 4;
    }
}

/* --- blocks --- */

static void block_start(struct cc_data *x, uint64_t start, uint64_t size, uint32_t group)
{
    struct cc_data_range *old = cc_block_find(&x->blocks, start);
    if (old) { /* its end was missed */
        cc_group_take(cc_group_at(x, old->group), old->end - old->start);
        cc_block_remove(&x->blocks, old);
    }
    cc_block_put(x, &x->blocks, (struct cc_data_range){start, start + size, group});
    cc_group_add(cc_group_at(x, group), size);
    cc_data_fill(x, start, start + (start & 15 ? size : (size + 15) & ~UINT64_C(15)), group);
}

/* Gives the block's group back, or CC_NONE if there was none. */
static uint32_t block_end(struct cc_data *x, uint64_t start)
{
    struct cc_data_range *b = cc_block_find(&x->blocks, start);
    if (!b)
        return CC_NONE;
    struct cc_data_range was = *b;
    names_end(x, was.start, was.end);
    cc_group_take(cc_group_at(x, was.group), was.end - was.start);
    cc_block_remove(&x->blocks, b);
    cc_data_fill(x, was.start,
                 was.start + (start & 15 ? was.end - start : (was.end - start + 15) & ~UINT64_C(15)),
                 CC_GROUP_HEAP);
    return was.group;
}

/* The new block takes over from the old one, moved or not. A name stays; a site passes on to that of the
 * call. Blocks of one group only grow or shrink. */
static void block_resize(struct cc_data *x, uint64_t old, uint64_t start, uint64_t size, uint32_t site)
{
    const struct cc_data_range *b = cc_block_find(&x->blocks, old);
    uint64_t old_size = b ? b->end - b->start : 0;
    uint32_t before = block_end(x, old);
    bool named = before != CC_NONE && cc_group_at(x, before)->kind == CC_OBJECT_NAMED;
    block_start(x, start, size, named ? before : site);
    if (before == (named ? before : site)) { /* the same object at another size, as far as anybody can tell */
        struct cc_group *g = cc_group_at(x, before);
        g->count--;
        g->freed--;
        g->total -= size < old_size ? size : old_size;
    }
}

/* --- calls of allocators --- */

/* Calls that the stack has left behind are over: nobody returns below where the stack pointer is now. */
static void drop_stale(struct cc_thread *t, uint64_t sp)
{
    enum { SAME_STACK = 64 << 20 };
    struct cc_data_thread *d = t->data;
    while (d->npending) {
        uint64_t at = d->pending[d->npending - 1].sp;
        if (at > sp || sp - at > SAME_STACK)
            break;
        d->npending--;
    }
    d->interrupted &= d->npending > 0;
}

/* The address whose arrival ends the call that is under way; 0: none is. */
static uint64_t awaited(const struct cc_data_thread *d)
{
    if (d->thread->depend)
        cc_depend_allocating(d->thread->depend, d->npending && !d->interrupted);
    if (d->thread->sibling && d->thread->sibling->x)
        cc_depend_allocating(d->thread->sibling->x, d->npending && !d->interrupted);
    return d->npending ? d->pending[d->npending - 1].ret : 0;
}

uint64_t cc_alloc_enter(struct cc_thread *t, enum cc_alloc_kind kind, const uint64_t args[3], uint32_t own,
                        uint64_t ret, uint64_t sp)
{
    struct cc_data_thread *d = t->data;
    const struct cc_pending *top = d->npending ? &d->pending[d->npending - 1] : NULL;
    if (top && top->sp == sp && top->ret == ret && top->kind != kind && kind != CC_ALLOC_FREE)
        return ret; /* one jumps to another, as new[] to new: the first counts */
    drop_stale(t, sp);
    if (d->npending && (!d->interrupted || d->npending == CC_MAX_PENDING))
        return awaited(d); /* an allocator that calls another: the outermost counts */
    struct cc_pending *p = &d->pending[d->npending++];
    *p = (struct cc_pending){.kind = kind, .args = {args[0], args[1], args[2]}, .ret = ret, .sp = sp};
    d->interrupted = false;
    cc_lock(t->owner);
    if (kind == CC_ALLOC_FREE)
        block_end(t->owner->data, args[0]);
    else
        p->group = site_of(t, kind, own, ret);
    cc_unlock(t->owner);
    cc_data_enter(t);
    return awaited(d);
}

static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t r;
    return __builtin_mul_overflow(a, b, &r) ? 0 : r;
}

static void call_done(struct cc_thread *t, const struct cc_pending *p, uint64_t result,
                      uint64_t (*load)(uint64_t address))
{
    struct cc_data *x = t->owner->data;
    uint64_t size = p->args[0], old = 0;
    switch (p->kind) {
    case CC_ALLOC_CALLOC:
        size = product(p->args[0], p->args[1]);
        break;
    case CC_ALLOC_REALLOC:
        old = p->args[0];
        size = p->args[1];
        break;
    case CC_ALLOC_REALLOCARRAY:
        old = p->args[0];
        size = product(p->args[1], p->args[2]);
        break;
    case CC_ALLOC_MEMALIGN:
        size = p->args[1];
        break;
    case CC_ALLOC_POSIX_MEMALIGN:
        size = p->args[2];
        result = result == 0 ? load(p->args[0]) : 0;
        break;
    case CC_ALLOC_FREE:
        return;
    default:
        break;
    }
    if (!result) {
        if (old && !size)
            block_end(x, old); /* realloc to nothing frees */
    } else if (old) {
        const struct cc_data_range *b = cc_block_find(&x->blocks, old);
        if (t->depend)
            cc_depend_moved(t->depend, old, b ? b->end - b->start : 0, result, size);
        if (t->sibling && t->sibling->x)
            cc_depend_moved(t->sibling->x, old, b ? b->end - b->start : 0, result, size);
        block_resize(x, old, result, size, p->group);
    } else {
        if (t->owner->depend)
            cc_depend_clear(t->owner->depend, result, size);
        if (t->owner->sibling)
            cc_depend_clear(t->owner->sibling, result, size);
        block_start(x, result, size, p->group);
    }
    if (t->depend && p->kind == CC_ALLOC_POSIX_MEMALIGN && result)
        cc_depend_system(t->depend, p->args[0], sizeof result, true);
}

uint64_t cc_alloc_return(struct cc_thread *t, uint64_t result, uint64_t (*load)(uint64_t address),
                         uint64_t sp)
{
    struct cc_data_thread *d = t->data;
    if (!d->npending || d->pending[d->npending - 1].sp != sp)
        return awaited(d); /* the same address in a deeper call */
    struct cc_pending p = d->pending[--d->npending];
    d->interrupted = d->npending > 0;
    awaited(d);
    cc_lock(t->owner);
    call_done(t, &p, result, load);
    cc_unlock(t->owner);
    cc_data_enter(t);
    return awaited(d);
}

uint64_t cc_alloc_landed(struct cc_thread *t, uint64_t sp)
{
    uint32_t before = t->data->npending;
    drop_stale(t, sp);
    if (t->data->npending != before)
        cc_data_enter(t);
    return awaited(t->data);
}

void cc_alloc_interrupted(struct cc_thread *t)
{
    if (!t->data)
        return;
    t->data->interrupted = t->data->npending > 0;
    awaited(t->data);
}

/* --- names --- */

/* A heap block that is named as a whole changes its group; other bytes become a stretch of their own. */
void cc_data_name(struct cc_thread *t, uint64_t start, uint64_t size, const char *name, size_t length)
{
    struct cc_collect *c = t->owner;
    struct cc_data *x = c->data;
    if (!x || !start || !size || size > MAX_NAMED || start + size < start)
        return;
    struct cc_group key = {.kind = CC_OBJECT_NAMED,
                           .binary = CC_NONE,
                           .thread = CC_NONE,
                           .name = (char *)(uintptr_t)name,
                           .name_size = (uint32_t)(length < CC_DATA_NAME ? length : CC_DATA_NAME)};
    cc_lock(c);
    uint32_t group = intern(x, &key, &x->nnames, MAX_NAMES, CC_GROUP_OTHER);
    struct cc_data_range *b = cc_block_find(&x->blocks, start);
    names_end(x, start, start + size);
    if (b && b->end == start + size) {
        struct cc_group *old = cc_group_at(x, b->group);
        old->count--; /* as if it had never been there */
        old->total -= size;
        old->live -= size;
        if (old->live + size == old->peak)
            old->peak = old->live;
        b->group = group;
        cc_group_add(cc_group_at(x, group), size);
        size = start & 15 ? size : (size + 15) & ~UINT64_C(15);
    } else { /* from a word's beginning */
        size += start & 3;
        start &= ~UINT64_C(3);
        cc_block_put(x, &x->names, (struct cc_data_range){start, start + size, group});
        cc_group_add(cc_group_at(x, group), size);
    }
    cc_data_fill(x, start, start + size, group);
    cc_unlock(c);
}

/* --- mappings; the lock is held --- */

static void mapped_cut(struct cc_data *x, uint64_t start, uint64_t end)
{
    struct cc_ranges *m = &x->mapped;
    uint32_t i = cc_range_after(m, start);
    while (i < m->n && m->v[i].start < end) {
        struct cc_data_range r = m->v[i];
        struct cc_group *g = cc_group_at(x, r.group);
        uint64_t lo = r.start > start ? r.start : start, hi = r.end < end ? r.end : end;
        if (lo == r.start && hi == r.end)
            cc_group_take(g, r.end - r.start);
        else
            g->live -= hi - lo < g->live ? hi - lo : g->live;
        for (uint32_t k = i; k + 1 < m->n; k++)
            m->v[k] = m->v[k + 1];
        m->n--;
        if (r.start < lo) {
            cc_range_insert(x, m, (struct cc_data_range){r.start, lo, r.group});
            i++;
        }
        if (r.end > hi)
            cc_range_insert(x, m, (struct cc_data_range){hi, r.end, r.group});
        if (r.end > hi)
            break;
    }
}

static void unmap(struct cc_data *x, uint64_t start, uint64_t end)
{
    names_end(x, start, end);
    mapped_cut(x, start, end);
    cc_data_fill(x, start, end, CC_GROUP_OTHER);
}

static void map(struct cc_data *x, uint64_t start, uint64_t end, uint32_t group)
{
    unmap(x, start, end);
    cc_range_insert(x, &x->mapped, (struct cc_data_range){start, end, group});
    cc_group_add(cc_group_at(x, group), end - start);
    cc_data_fill(x, start, end, group);
}

static void lay_statics(struct cc_data *x, uint64_t start, uint64_t end)
{
    for (uint32_t i = cc_range_after(&x->statics, start); i < x->statics.n && x->statics.v[i].start < end;
         i++)
        cc_data_fill_static(x, x->statics.v[i].start, x->statics.v[i].end, x->statics.v[i].group);
}

/* The symbols of a library that is unloaded. */
static void statics_cut(struct cc_data *x, uint64_t start, uint64_t end)
{
    struct cc_ranges *s = &x->statics;
    uint32_t from = cc_range_after(s, start), to = from;
    for (; to < s->n && s->v[to].start < end; to++)
        cc_group_take(cc_group_at(x, s->v[to].group), s->v[to].end - s->v[to].start);
    for (uint32_t i = to; i < s->n; i++)
        s->v[from + i - to] = s->v[i];
    s->n -= to - from;
}

void cc_data_unmap(struct cc_collect *c, uint64_t start, uint64_t size)
{
    if (!c->data || !size)
        return;
    size = (size + 4095) & ~UINT64_C(4095); /* the kernel takes whole pages */
    cc_lock(c);
    unmap(c->data, start, start + size);
    statics_cut(c->data, start, start + size);
    cc_unlock(c);
}

void cc_data_brk(struct cc_collect *c, uint64_t start, uint64_t size)
{
    if (!c->data || !size)
        return;
    cc_lock(c);
    cc_data_fill(c->data, start, start + size, CC_GROUP_HEAP);
    cc_unlock(c);
}

void cc_data_mmap(struct cc_thread *t, uint64_t start, uint64_t size)
{
    struct cc_collect *c = t->owner;
    if (!c->data || !size)
        return;
    cc_lock(c);
    if (t->data->npending || t->depth < 2) {
        unmap(c->data, start, start + size);
        cc_data_fill(c->data, start, start + size, t->data->npending ? CC_GROUP_HEAP : CC_GROUP_OTHER);
    } else {
        map(c->data, start, start + size, site_of(t, CC_ALLOC_MMAP, CC_OUTSIDE, 0));
    }
    cc_unlock(c);
}

void cc_data_move(struct cc_collect *c, uint64_t from, uint64_t to, uint64_t old_size, uint64_t size)
{
    struct cc_data *x = c->data;
    if (!x || !old_size || !size)
        return;
    cc_lock(c);
    uint32_t i = cc_range_after(&x->mapped, from);
    bool whole = i < x->mapped.n && x->mapped.v[i].start == from && x->mapped.v[i].end == from + old_size;
    uint32_t group = whole ? x->mapped.v[i].group : cc_data_group_of(x, from);
    unmap(x, from, from + old_size);
    if (whole) {
        struct cc_group *g = cc_group_at(x, group);
        map(x, to, to + size, group);
        g->count--;
        g->freed--;
        g->total -= size < old_size ? size : old_size;
    } else {
        unmap(x, to, to + size);
        cc_data_fill(x, to, to + size,
                     cc_group_at(x, group)->kind == CC_OBJECT_HEAP ? CC_GROUP_HEAP : CC_GROUP_OTHER);
    }
    cc_unlock(c);
}

void cc_data_file(struct cc_collect *c, const char *path, bool elf, uint64_t start, uint64_t size)
{
    struct cc_data *x = c->data;
    if (!x || !size)
        return;
    struct cc_group key = {.kind = elf ? CC_OBJECT_IMAGE : CC_OBJECT_FILE,
                           .binary = CC_NONE,
                           .thread = CC_NONE,
                           .name = (char *)(uintptr_t)path,
                           .name_size = (uint32_t)cc_length(path)};
    cc_lock(c);
    map(x, start, start + size, intern(x, &key, &x->nnames, MAX_NAMES, CC_GROUP_OTHER));
    lay_statics(x, start, start + size);
    cc_unlock(c);
}

void cc_data_stack(struct cc_thread *t, uint64_t low, uint64_t high)
{
    struct cc_data_thread *d = t->data;
    if (!d || low >= high)
        return;
    struct cc_data *x = d->data;
    cc_lock(t->owner);
    uint32_t i = cc_range_after(&x->mapped, low);
    if (i < x->mapped.n && x->mapped.v[i].start <= low && x->mapped.v[i].end >= high) {
        struct cc_group *site = cc_group_at(x, x->mapped.v[i].group); /* it was no object of the program's */
        uint64_t bytes = x->mapped.v[i].end - x->mapped.v[i].start;
        struct cc_data_range all = x->mapped.v[i];
        mapped_cut(x, all.start, all.end);
        cc_data_fill(x, all.start, all.end, d->stack_group);
        site->freed--;
        site->count--;
        site->total -= bytes;
        if (site->live + bytes == site->peak)
            site->peak = site->live;
    }
    d->hot.stack_low = low;
    d->hot.stack_size = high - low;
    struct cc_group *g = cc_group_at(x, d->stack_group);
    g->count = 1;
    g->total = g->live = g->peak = high - low;
    cc_data_fill(x, low, high, d->stack_group);
    cc_unlock(t->owner);
}

/* --- symbols; called with the lock held --- */

void cc_data_static(struct cc_collect *c, uint32_t binary, uint64_t bias, uint64_t address, uint64_t size)
{
    struct cc_data *x = c->data;
    if (!x || !size || address + size < address)
        return;
    struct cc_group g = {
        .kind = CC_OBJECT_GLOBAL, .binary = binary, .thread = CC_NONE, .address = address, .size = size};
    struct cc_data_range r = {address + bias, address + bias + size, cc_group_new(x, &g)};
    cc_group_add(cc_group_at(x, r.group), size);
    x->statics.v = cc_extend(c, x->statics.v, &x->statics.cap, x->statics.n + 1, sizeof r);
    x->statics.v[x->statics.n++] = r;
}

static bool range_before(const struct cc_data_range *a, const struct cc_data_range *b)
{
    if (a->start != b->start)
        return a->start < b->start;
    return a->end != b->end ? a->end > b->end : a->group < b->group;
}

static void sift(struct cc_data_range *v, uint32_t i, uint32_t n)
{
    for (uint32_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && range_before(&v[child], &v[child + 1]))
            child++;
        if (!range_before(&v[i], &v[child]))
            return;
        struct cc_data_range swap = v[i];
        v[i] = v[child];
        v[child] = swap;
    }
}

/* Sorts them and lets none overlap: of two names for the same bytes the first stays, of a part the part goes.
 */
void cc_data_statics_done(struct cc_collect *c)
{
    struct cc_data *x = c->data;
    if (!x || !x->statics.n)
        return;
    struct cc_data_range *v = x->statics.v;
    uint32_t n = x->statics.n, kept = 0;
    for (uint32_t i = n / 2; i-- > 0;)
        sift(v, i, n);
    for (uint32_t i = n; i-- > 1;) {
        struct cc_data_range swap = v[0];
        v[0] = v[i];
        v[i] = swap;
        sift(v, 0, i);
    }
    for (uint32_t i = 0; i < n; i++) {
        if (kept && v[i].start < v[kept - 1].end) {
            struct cc_group *g = cc_group_at(x, v[i].group);
            g->kind = CC_OBJECT_ALIAS;
            continue;
        }
        v[kept++] = v[i];
    }
    x->statics.n = kept;
    lay_statics(x, 0, UINT64_MAX);
}
