/* Sites, and the pairs of them that depend on each other. */
#include "depend_internal.h"

enum { CALL_PAIRS_KEPT = 1024 };

/* --- indexes --- */

uint32_t *cc_depend_slot(struct cc_depend *d, struct depend_index *x, size_t n, uint64_t hash,
                         const struct depend_items *of, const void *key)
{
    if (n * 2 >= x->cap) {
        struct depend_index old = *x;
        x->cap = old.cap ? old.cap * 2 : 1024;
        x->v = d->host.map(d->host.self, x->cap * sizeof *x->v);
        for (size_t i = 0; i < old.cap; i++) {
            if (!old.v[i])
                continue;
            size_t at = of->hash(d, old.v[i] - 1) & (x->cap - 1);
            while (x->v[at])
                at = (at + 1) & (x->cap - 1);
            x->v[at] = old.v[i];
        }
        if (old.v)
            d->host.unmap(d->host.self, old.v, old.cap * sizeof *old.v);
    }
    size_t at = hash & (x->cap - 1);
    while (x->v[at] && !of->same(d, x->v[at] - 1, key))
        at = (at + 1) & (x->cap - 1);
    return &x->v[at];
}

/* --- sites --- */

static uint64_t site_hash_of(const struct site *s)
{
    return cc_depend_mix(s->address ^ cc_depend_mix(s->callee ^ (uint64_t)s->granule << 50));
}

static bool same_site(const struct cc_depend *d, uint32_t item, const void *key)
{
    const struct site *s = key;
    return d->sites[item].address == s->address && d->sites[item].callee == s->callee &&
           d->sites[item].granule == s->granule;
}

static uint64_t site_hash(const struct cc_depend *d, uint32_t item)
{
    return site_hash_of(&d->sites[item]);
}

static uint16_t intern(struct cc_depend *d, const struct site *s)
{
    static const struct depend_items of = {same_site, site_hash};
    uint32_t *slot = cc_depend_slot(d, &d->site_index, d->nsites, site_hash_of(s), &of, s);
    if (*slot)
        return (uint16_t)(*slot - 1);
    if (d->nsites >= SITE_SPLIT)
        return SITE_ANY;
    d->sites = cc_depend_extend(d, d->sites, &d->sites_cap, d->nsites + 1, sizeof *s);
    d->sites[d->nsites++] = *s;
    *slot = (uint32_t)d->nsites;
    return (uint16_t)(d->nsites - 1);
}

uint16_t cc_depend_intern(struct cc_depend *d, uint64_t address, uint64_t callee)
{
    struct site s = {.address = address, .callee = callee};
    return intern(d, &s);
}

uint16_t cc_depend_intern_stored(struct cc_depend *d, uint16_t base, uint32_t granule)
{
    struct site s = {.address = d->sites[base].address,
                     .callee = d->sites[base].callee,
                     .granule = granule + 1,
                     .base = base};
    return intern(d, &s);
}

uint16_t cc_depend_outside_site(struct cc_depend_thread *x)
{
    x->outside.id = cc_depend_intern(x->owner, x->outside.call, x->outside.callee);
    return (uint16_t)x->outside.id;
}

/* --- what depends on what --- */

static uint64_t found_hash_of(const struct cc_rec_dependence *r)
{
    return cc_depend_mix(
        r->first ^
        cc_depend_mix(r->second ^ cc_depend_mix((uint64_t)r->loop << 8 | r->space << 4 | r->kind)) ^
        cc_depend_mix(r->first_callee + 1) ^ cc_depend_mix(r->second_callee + 3) ^
        (r->space == CC_SPACE_REGISTER || r->kind == CC_DEPENDENCE_SYSTEM ? cc_depend_mix(r->place + 7) : 0));
}

static bool same_found(const struct cc_depend *d, uint32_t item, const void *key)
{
    const struct cc_rec_dependence *a = &d->found[item], *b = key;
    return a->loop == b->loop && a->space == b->space && a->kind == b->kind && a->first == b->first &&
           a->second == b->second && a->first_callee == b->first_callee &&
           a->second_callee == b->second_callee &&
           ((a->space != CC_SPACE_REGISTER && a->kind != CC_DEPENDENCE_SYSTEM) || a->place == b->place);
}

static uint64_t found_hash(const struct cc_depend *d, uint32_t item)
{
    return found_hash_of(&d->found[item]);
}

static struct cc_rec_dependence *found_add(struct cc_depend *d, struct cc_rec_dependence *r)
{
    static const struct depend_items of = {same_found, found_hash};
    uint32_t *slot = cc_depend_slot(d, &d->found_index, d->nfound, found_hash_of(r), &of, r);
    if (*slot)
        return &d->found[*slot - 1];
    uint16_t *kept = &cc_depend_facts(d, r->loop)->kept[r->space][r->kind];
    bool overwrites = r->kind == CC_DEPENDENCE_WAW && r->space == CC_SPACE_MEMORY && !d->opt.calls;
    uint16_t most = d->opt.calls ? CALL_PAIRS_KEPT : overwrites ? OVERWRITES_KEPT : PAIRS_KEPT;
    if (*kept >= most && !(r->flags & CC_DEPENDENCE_FOLDED)) {
        struct cc_rec_dependence all = {.loop = r->loop,
                                        .space = r->space,
                                        .kind = r->kind,
                                        .flags = CC_DEPENDENCE_FOLDED,
                                        .owner = CC_NONE};
        return found_add(d, &all);
    }
    d->found = cc_depend_extend(d, d->found, &d->found_cap, d->nfound + 1, sizeof *d->found);
    d->news = true;
    uint32_t object = 0;
    if (d->locate && r->space == CC_SPACE_MEMORY && r->kind != CC_DEPENDENCE_SYSTEM)
        object = d->locate(d->locate_self, r->place, r);
    d->overwritten =
        cc_depend_extend(d, d->overwritten, &d->overwritten_cap, d->nfound + 1, sizeof *d->overwritten);
    d->overwritten[d->nfound].object = object;
    if (overwrites && *kept <= OVERWRITES_KEPT)
        cc_depend_facts(d, r->loop)->overwrites[*kept] = (uint32_t)d->nfound + 1;
    ++*kept;
    d->found[d->nfound++] = *r;
    *slot = (uint32_t)d->nfound;
    return &d->found[d->nfound - 1];
}

static void set_sites(const struct cc_depend *d, struct cc_rec_dependence *r, uint16_t first, uint16_t second)
{
    if (first < SITE_ANY) {
        r->first = d->sites[first].address;
        r->first_callee = d->sites[first].callee;
    }
    if (second < SITE_ANY) {
        r->second = d->sites[second].address;
        r->second_callee = d->sites[second].callee;
    }
}

bool cc_depend_note_distance(struct cc_rec_dependence *r, uint32_t n)
{
    if (!n) {
        bool news = !(r->flags & CC_DEPENDENCE_FAR);
        r->flags |= CC_DEPENDENCE_FAR;
        return news;
    }
    bool less = !r->distance_min || n<r->distance_min, more = n> r->distance_max;
    if (less)
        r->distance_min = n;
    if (more)
        r->distance_max = n;
    return less || more;
}

static bool is_overwriting(uint32_t kind)
{
    return kind == CC_DEPENDENCE_WAW || kind == CC_DEPENDENCE_WITHIN_WAW || kind == CC_DEPENDENCE_ACROSS_WAW;
}

static void rewritten(struct cc_depend *d, uint32_t loop, uint16_t site)
{
    struct pair *p = cc_depend_pair(d, loop, site);
    if (p)
        p->rewritten = true;
}

static uint64_t memo_key(const struct cc_depend_met *m, uint32_t loop)
{
    return (uint64_t)m->first << 48 | (uint64_t)m->second << 32 | (uint64_t)(loop + 1) << 12 |
           (uint64_t)m->granule << 5 | m->kind << 1 | m->space;
}

static struct cc_rec_dependence *find(struct cc_depend *d, uint32_t loop, const struct cc_depend_met *m)
{
    struct cc_rec_dependence r = {.loop = loop,
                                  .space = m->space,
                                  .kind = m->kind,
                                  .place = m->place,
                                  .owner = CC_NONE,
                                  .flags = m->flags,
                                  .size = m->size};
    set_sites(d, &r, m->first, m->second);
    if (is_overwriting(m->kind)) {
        rewritten(d, loop, m->first);
        rewritten(d, loop, m->second);
    }
    return found_add(d, &r);
}

/* One invocation after the other: of two at once, in a recursion, nothing is known. */
static void note_overwritten(struct cc_depend *d, uint32_t number, const struct cc_depend_loop *by,
                             const struct cc_depend_met *m)
{
    struct overwritten *w = &d->overwritten[number];
    cc_depend_facts(d, by->loop)->overwrote = d->stamp;
    if (w->invocation != by->invocation) {
        w->partly |= w->invocation || d->found[number].flags & CC_DEPENDENCE_FOLDED;
        w->invocation = by->invocation;
        w->low = m->place;
        w->high = m->place + m->size;
    }
    w->first = m->first;
    w->second = m->second;
    if (m->place < w->low)
        w->low = m->place;
    if (m->place + m->size > w->high)
        w->high = m->place + m->size;
}

void cc_depend_last(struct cc_depend *d, const struct cc_depend_loop *l, uint32_t iteration)
{
    const struct loop_facts *f = cc_depend_facts(d, l->loop);
    const uint32_t *v = f->overwrites;
    if (f->overwrote < l->invocation)
        return; /* none of it since it was entered */
    for (uint32_t i = 0; i <= OVERWRITES_KEPT && v[i]; i++) {
        struct overwritten *w = &d->overwritten[v[i] - 1];
        if (w->invocation != l->invocation)
            continue;
        w->partly |= cc_depend_holds(d, w, l->invocation, iteration);
        w->invocation = 0;
    }
}

/* The number of what was found, for the first time or again. */
static uint32_t number_of(struct cc_depend *d, uint32_t loop, const struct cc_depend_met *m)
{
    uint64_t key = memo_key(m, loop);
    struct found_memo *memo = &d->memos[(key * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - FOUND_BITS)];
    if (memo->key != key || loop >= MAX_LOOPS) {
        const struct cc_rec_dependence *r = find(d, loop, m); /* which may move all that was found */
        *memo = (struct found_memo){key, (uint32_t)(r - d->found)};
    }
    return memo->at;
}

uint32_t cc_depend_number(struct cc_depend *d, struct cc_rec_dependence *r)
{
    uint64_t key = found_hash_of(r) | 1;
    struct found_memo *memo = &d->memos[key >> (64 - FOUND_BITS)];
    if (memo->key != key || !same_found(d, memo->at, r)) {
        const struct cc_rec_dependence *at = found_add(d, r);
        *memo = (struct found_memo){key, (uint32_t)(at - d->found)};
    }
    return memo->at;
}

static void found_again(struct cc_depend *d, uint32_t number, const struct cc_depend_met *m, uint64_t times,
                        uint32_t distance)
{
    struct cc_rec_dependence *to = &d->found[number];
    to->count += times * m->size;
    to->flags &= m->flags | ~(uint32_t)CC_DEPENDENCE_STORED;
    d->news |= cc_depend_note_distance(to, distance);
}

void cc_depend_found_often(struct cc_depend *d, uint32_t loop, const struct cc_depend_met *m, uint32_t times,
                           uint32_t distance)
{
    found_again(d, number_of(d, loop, m), m, times, distance);
}

void cc_depend_found(struct cc_depend_thread *x, const struct cc_depend_loop *by,
                     const struct cc_depend_met *m)
{
    struct cc_depend *d = x->owner;
    if (d->opt.calls) {
        cc_depend_found_call(x, by, m);
        return;
    }
    uint32_t at = number_of(d, by->loop, m);
    found_again(d, at, m, 1, cc_depend_distance(by, m->stamp));
    if (m->kind == CC_DEPENDENCE_WAW)
        note_overwritten(d, at, by, m);
}

static void tell_edge(struct cc_depend *d, struct edge *e)
{
    if (e->count) {
        d->found[e->number].count += e->count;
        d->news |= cc_depend_note_distance(&d->found[e->number], e->distance);
    }
    e->count = 0;
}

void cc_depend_found_memory(struct cc_depend_thread *x, const struct cc_depend_loop *by,
                            const struct cc_depend_met *m)
{
    struct cc_depend *d = x->owner;
    struct edge *e = &d->sites[m->second].edges[m->kind];
    if (!cc_depend_is_again(e, by, m->stamp, m->first)) {
        tell_edge(d, e);
        uint32_t number = number_of(d, by->loop, m);
        e->loop = by->loop;
        e->number = number;
        e->first = m->first;
        e->distance = cc_depend_distance(by, m->stamp);
        e->count = m->size;
        tell_edge(d, e);
    } else {
        e->count += m->size;
    }
    if (m->kind == CC_DEPENDENCE_WAW)
        note_overwritten(d, e->number, by, m);
}

static void tell_inner(struct cc_depend *d, struct inner *e)
{
    if (e->count && e->number != CC_NONE)
        d->found[e->number].count += e->count;
    e->count = 0;
}

/* Between calls of libraries, and through the stack, it is of no use. */
static bool is_plain(const struct cc_depend *d, const struct cc_depend_met *m)
{
    const struct site *first = &d->sites[m->first];
    return !first->callee && !d->sites[m->second].callee && !first->granule;
}

static __attribute__((noinline)) void within_other(struct cc_depend *d, uint32_t loop,
                                                   const struct cc_depend_met *m, struct inner *v)
{
    uint32_t number = CC_NONE;
    if (is_plain(d, m)) {
        number = number_of(d, loop, m);
        d->found[number].flags |= m->flags;
    }
    tell_inner(d, &v[INNER_KEPT - 1]);
    for (uint32_t i = INNER_KEPT - 1; i > 0; i--)
        v[i] = v[i - 1];
    v[0] = (struct inner){
        .loop = loop, .number = number, .first = m->first, .flags = (uint16_t)m->flags, .count = m->size};
}

void cc_depend_tell_edges(struct cc_depend *d)
{
    for (size_t i = 0; i < d->nsites; i++) {
        for (uint32_t kind = 0; kind <= CC_DEPENDENCE_EXPOSED; kind++)
            tell_edge(d, &d->sites[i].edges[kind]);
        for (uint32_t kind = 0; kind < CC_WITHIN; kind++)
            for (uint32_t k = 0; k < INNER_KEPT; k++)
                tell_inner(d, &d->sites[i].inner[kind][k]);
    }
}

void cc_depend_within(struct cc_depend_thread *x, const struct cc_depend_loop *in,
                      const struct cc_depend_met *m)
{
    struct inner *v = x->owner->sites[m->second].inner[m->kind - CC_DEPENDENCE_WITHIN_RAW];
    for (uint32_t i = 0; i < INNER_KEPT; i++)
        if (v[i].first == m->first && v[i].loop == in->loop && v[i].flags == m->flags) {
            v[i].count += m->size;
            return;
        }
    within_other(x->owner, in->loop, m, v);
}

void cc_depend_across_loops(struct cc_depend_thread *x, const struct cc_depend_loop *in,
                            const struct cc_depend_met *m)
{
    if (!is_plain(x->owner, m))
        return;
    uint32_t at = number_of(x->owner, in->loop, m);
    struct cc_rec_dependence *r = &x->owner->found[at];
    r->count += m->size;
    r->flags |= m->flags;
    uint64_t number = m->stamp - in->before;
    uint64_t apart = number < in->number ? in->number - number : number - in->number;
    if (apart || !in->before_plain)
        x->owner->news |=
            cc_depend_note_distance(r, in->before_plain && apart < UINT32_MAX ? (uint32_t)apart : 0);
}

void cc_depend_syscall(struct cc_depend_thread *x, uint32_t number, uint64_t call)
{
    if (x->allocating)
        return;
    if (x->owner->opt.calls) {
        cc_depend_system_call(x, number, call);
        return;
    }
    for (size_t i = 0; i < x->nloops; i++) {
        struct cc_rec_dependence r = {.loop = x->loops[i].loop,
                                      .kind = CC_DEPENDENCE_SYSTEM,
                                      .first = call,
                                      .second = call,
                                      .place = number,
                                      .owner = CC_NONE};
        found_add(x->owner, &r)->count++;
    }
}

/* --- results --- */

struct cc_depend_counts cc_depend_sampled(const struct cc_depend *d, uint32_t loop)
{
    struct cc_depend_counts n = loop < d->loops_cap ? d->loops[loop].sampled : (struct cc_depend_counts){0};
    if (n.iterations > 1 && d->loops[loop].followed < 2)
        n.iterations = 1; /* never two in a row: nothing can have been seen between them */
    return n;
}

/* What is overwritten could be each thread's own: so it matters what else the loop does to the same object.
 * Sorted. */
struct keys {
    uint64_t *v;
    size_t n, cap;
};

static size_t keys_at(const struct keys *k, uint64_t key)
{
    size_t low = 0, high = k->n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (k->v[mid] < key)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static bool keys_have(const struct keys *k, uint64_t key)
{
    size_t at = keys_at(k, key);
    return at < k->n && k->v[at] == key;
}

static void keys_add(struct cc_depend *d, struct keys *k, uint64_t key)
{
    size_t at = keys_at(k, key);
    if (at < k->n && k->v[at] == key)
        return;
    k->v = cc_depend_extend(d, k->v, &k->cap, k->n + 1, sizeof *k->v);
    for (size_t i = k->n++; i > at; i--)
        k->v[i] = k->v[i - 1];
    k->v[at] = key;
}

struct overwritten_keys {
    struct keys objects; /* of each loop */
    struct keys left;    /* objects in which a loop leaves what it wrote but once */
};

static uint64_t object_key(uint32_t loop, uint32_t object)
{
    return (uint64_t)loop << 32 | object;
}

static bool of_overwritten(const struct overwritten_keys *o, uint32_t loop, const struct spot *at)
{
    return at->object && keys_have(&o->objects, object_key(loop, at->object));
}

static void put(const struct cc_depend *d, const struct cc_depend_writer *w, const struct pair *p,
                struct cc_rec_dependence r, const struct spot *at)
{
    uint32_t space = r.space;
    r.loop = p->loop;
    r.place = at->place;
    r.base = at->base;
    r.area = at->area;
    r.owner = at->owner;
    r.size = r.count = 1;
    set_sites(d, &r, p->site, r.kind == CC_DEPENDENCE_LIVE_OUT ? p->reader[space] : p->site);
    w->put(w->self, &r);
}

static void put_pair(const struct cc_depend *d, const struct cc_depend_writer *w, const struct pair *p,
                     const struct overwritten_keys *o)
{
    static const struct cc_rec_dependence memory = {.kind = CC_DEPENDENCE_LIVE_OUT},
                                          registers = {.kind = CC_DEPENDENCE_LIVE_OUT,
                                                       .space = CC_SPACE_REGISTER},
                                          exposed = {.kind = CC_DEPENDENCE_EXPOSED};
    const struct spot *at = &p->live_at[CC_SPACE_MEMORY];
    if (p->live[CC_SPACE_MEMORY] && (p->rewritten || of_overwritten(o, p->loop, at)))
        put(d, w, p, memory, at);
    if (p->live[CC_SPACE_REGISTER])
        put(d, w, p, registers, &p->live_at[CC_SPACE_REGISTER]);
    at = &p->exposed_at;
    if (p->exposed && of_overwritten(o, p->loop, at))
        put(d, w, p, exposed, at);
}

static void put_found(struct cc_depend *d, const struct cc_depend_writer *w, size_t i,
                      struct overwritten_keys *o)
{
    struct cc_rec_dependence r = d->found[i];
    if (!r.count)
        return;
    if (r.kind == CC_DEPENDENCE_WAW &&
        (d->overwritten[i].partly || keys_have(&o->left, object_key(r.loop, d->overwritten[i].object))))
        r.flags |= CC_DEPENDENCE_PARTLY | (d->cut ? CC_DEPENDENCE_CUT : 0);
    w->put(w->self, &r);
    if (!is_overwriting(r.kind))
        return;
    keys_add(d, &o->objects, object_key(r.loop, d->overwritten[i].object));
}

static void keys_free(struct cc_depend *d, struct keys *k)
{
    if (k->v)
        d->host.unmap(d->host.self, k->v, k->cap * sizeof *k->v);
}

/* Who reads it may come after the sample. Frames have many objects: there each stands for itself. */
static void find_left(struct cc_depend *d, struct keys *k)
{
    for (size_t i = 0; i < d->npairs; i++) {
        const struct spot *at = &d->pairs[i].wrote_at;
        if (!d->pairs[i].rewritten && at->place && at->object && at->area != CC_AREA_STACK)
            keys_add(d, k, object_key(d->pairs[i].loop, at->object));
    }
}

/* Objects that some loop writes. */
static void find_written(struct cc_depend *d, struct keys *k)
{
    for (size_t i = 0; i < d->npairs; i++)
        if (d->pairs[i].wrote_at.object)
            keys_add(d, k, d->pairs[i].wrote_at.object);
}

/* What the program's own code reads of them, and of static objects and blocks that no loop writes
 * (CC_DEPENDENCE_BEFORE).
 */
static void put_reads(struct cc_depend *d, const struct cc_depend_writer *w, const struct keys *written)
{
    for (size_t i = 1; i < d->nsites; i++) {
        const struct spot *at = &d->sites[i].read_at;
        struct cc_rec_dependence r = {.loop = d->sites[i].read_in,
                                      .kind = CC_DEPENDENCE_READS,
                                      .place = at->place,
                                      .base = at->base,
                                      .area = at->area,
                                      .owner = at->owner,
                                      .size = 1,
                                      .count = 1};
        set_sites(d, &r, (uint16_t)i, (uint16_t)i);
        bool constant = !keys_have(written, at->object);
        r.flags |= constant ? CC_DEPENDENCE_BEFORE : 0;
        if (at->place && (!constant || at->area == CC_AREA_IMAGE || at->area == CC_AREA_HEAP))
            w->put(w->self, &r);
    }
}

/* What the program's own code writes in each loop. */
static void put_writes(struct cc_depend *d, const struct cc_depend_writer *w)
{
    for (size_t i = 0; i < d->npairs; i++) {
        const struct pair *p = &d->pairs[i];
        if (p->wrote_at.place && !d->sites[p->site].callee)
            put(d, w, p, (struct cc_rec_dependence){.kind = CC_DEPENDENCE_WRITES}, &p->wrote_at);
    }
}

void cc_depend_results(struct cc_depend *d, const struct cc_depend_writer *w)
{
    if (d->opt.calls) {
        cc_depend_put_calls(d, w);
        return;
    }
    cc_depend_tell_uses(d);
    cc_depend_tell_edges(d);
    struct overwritten_keys o = {0};
    struct keys written = {0};
    find_written(d, &written);
    put_reads(d, w, &written);
    keys_free(d, &written);
    put_writes(d, w);
    find_left(d, &o.left);
    for (size_t i = 0; i < d->nfound; i++)
        put_found(d, w, i, &o);
    for (size_t i = 0; i < d->npairs; i++)
        put_pair(d, w, &d->pairs[i], &o);
    keys_free(d, &o.objects);
    keys_free(d, &o.left);
}

void cc_depend_locate(struct cc_depend *d, void *self,
                      uint32_t (*locate)(void *self, uint64_t address, struct cc_rec_dependence *r))
{
    d->locate_self = self;
    d->locate = locate;
}

/* Numbers of what was found stay: they are remembered elsewhere. */
void cc_depend_forget(struct cc_depend *d)
{
    cc_depend_tell_uses(d);
    cc_depend_tell_edges(d);
    for (size_t i = 0; i < d->nfound; i++) {
        struct cc_rec_dependence *r = &d->found[i];
        r->count = 0;
        r->distance_min = r->distance_max = 0;
        r->flags &= ~(uint32_t)CC_DEPENDENCE_FAR;
    }
    for (size_t i = 0; i < d->overwritten_cap; i++)
        d->overwritten[i] = (struct overwritten){.object = d->overwritten[i].object};
    cc_depend_forget_pairs(d);
    __builtin_memset(d->memos, 0, sizeof d->memos);
    for (size_t i = 0; i < d->loops_cap; i++) {
        struct loop_facts kept = {0};
        __builtin_memcpy(kept.kept, d->loops[i].kept, sizeof kept.kept);
        __builtin_memcpy(kept.overwrites, d->loops[i].overwrites, sizeof kept.overwrites);
        d->loops[i] = kept;
    }
    d->total = d->followed = 0;
    d->nlate = 0;
    if (d->on)
        cc_depend_stop(d);
    d->cut = false;
}
