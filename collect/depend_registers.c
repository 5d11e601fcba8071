/* Registers, and calls that leave them as they were. */
#include "depend_internal.h"

enum { MAX_CALLS = 1 << 16, MAX_SAVED = 16 };

static struct cc_depend_met met_register(const struct cc_depend *d, uint32_t granule, uint16_t first,
                                         uint16_t second, uint32_t stamp)
{
    return (struct cc_depend_met){.space = CC_SPACE_REGISTER,
                                  .kind = CC_DEPENDENCE_RAW,
                                  .stamp = stamp,
                                  .size = 8,
                                  .first = first,
                                  .second = second,
                                  .granule = (uint8_t)granule,
                                  .place = d->opt.machine.offset[granule]};
}

/* --- registers in parts: as long as all are the same, the first stands for them --- */

void cc_depend_find_heads(struct cc_depend *d)
{
    for (uint32_t g = 0; g < CC_DEPEND_GRANULES; g++)
        d->head[g] = (uint8_t)g;
    for (uint32_t g = 0; g < CC_DEPEND_GRANULES; g++)
        for (uint32_t i = 1; i < d->opt.machine.parts[g]; i++)
            d->head[g + i] = (uint8_t)g;
}

static inline const struct cc_depend_register *piece_at(const struct cc_depend_thread *x, uint32_t granule)
{
    const struct cc_depend_register *head = &x->registers[x->owner->head[granule]];
    return head->apart ? &x->registers[granule] : head;
}

/* From now on each has its own. */
static void take_apart(struct cc_depend_thread *x, uint32_t granule)
{
    uint32_t head = x->owner->head[granule], parts = x->owner->opt.machine.parts[head];
    struct cc_depend_register *r = &x->registers[head];
    for (uint32_t i = 1; !r->apart && i < parts; i++)
        r[i] = r[0];
    r->apart = parts > 1;
}

static bool is_whole(const struct cc_depend *d, uint32_t granule, uint32_t more)
{
    uint32_t parts = d->opt.machine.parts[granule];
    return d->head[granule] == granule && (parts ? parts : 1) == more + 1;
}

static void write_piece(struct cc_depend_thread *x, uint32_t granule, struct cc_depend_register written)
{
    take_apart(x, granule);
    written.apart = x->registers[granule].apart;
    x->registers[granule] = written;
}

/* --- uses of them --- */

static void tell(struct cc_depend *d, struct cc_depend_use *u)
{
    for (uint32_t i = 0; u->times && i <= u->more; i++) {
        struct cc_depend_met m = met_register(d, u->granule + i, u->first, u->second, 0);
        cc_depend_found_often(d, u->loop, &m, u->times, u->distance);
    }
    u->times = 0;
}

void cc_depend_tell_uses(struct cc_depend *d)
{
    for (const struct cc_depend_piece *p = d->pieces; p; p = p->next)
        for (uint32_t i = 0; i < p->nuses; i++)
            tell(d, &p->uses[i]);
}

void cc_depend_forget_seen(struct cc_depend *d)
{
    for (const struct cc_depend_piece *p = d->pieces; p; p = p->next)
        for (uint32_t i = 0; i < p->nuses; i++)
            p->uses[i].inside = 0;
}

/* What is new is told of at once; what is as it was the last time is counted. */
static __attribute__((noinline)) void found_other(struct cc_depend *d, struct cc_depend_use *u,
                                                  const struct cc_depend_loop *by,
                                                  const struct cc_depend_register *r, uint16_t site)
{
    tell(d, u);
    u->first = r->site;
    u->second = site;
    u->loop = by->loop;
    u->distance = cc_depend_distance(by, r->stamp);
    u->times = 1;
    tell(d, u);
}

static void read_it(struct cc_depend_thread *x, const struct cc_depend_register *r, uint32_t granule,
                    uint16_t site)
{
    struct cc_depend_met m = met_register(x->owner, granule, r->site, site, r->stamp);
    const struct cc_depend_loop *by = cc_depend_carrier(x, r->stamp);
    if (by)
        cc_depend_found(x, by, &m);
    cc_depend_read_after(x, &m);
}

static void read_granule(struct cc_depend_thread *x, uint32_t granule, uint16_t site)
{
    read_it(x, piece_at(x, granule), granule, site);
}

static inline bool same_register(const struct cc_depend_register *a, const struct cc_depend_register *b)
{
    return a->stamp == b->stamp && a->site == b->site;
}

static inline bool is_one(const struct cc_depend_register *r, uint32_t more)
{
    for (const struct cc_depend_register *last = r + more; r < last; r++)
        if (!same_register(r, r + 1))
            return false;
    return true;
}

static void read_apart(struct cc_depend_thread *x, const struct cc_depend_use *u, uint16_t site)
{
    for (uint32_t i = 0; i <= u->more; i++) {
        uint32_t stamp = x->registers[u->granule + i].stamp;
        if (stamp && stamp != x->owner->stamp)
            read_granule(x, u->granule + i, site);
    }
}

static __attribute__((noinline)) void live_after(struct cc_depend_thread *x, const struct cc_depend_use *u,
                                                 uint16_t site)
{
    for (uint32_t i = 0; i <= u->more; i++) {
        const struct cc_depend_register *r = piece_at(x, u->granule + i);
        struct cc_depend_met m = met_register(x->owner, u->granule + i, r->site, site, r->stamp);
        cc_depend_read_after(x, &m);
    }
}

static inline __attribute__((always_inline)) void read_register(struct cc_depend_thread *x,
                                                                struct cc_depend_use *u,
                                                                const struct cc_depend_register *r,
                                                                uint16_t site, uint32_t inside)
{
    struct cc_depend *d = x->owner;
    bool outlived = cc_depend_is_outlived(d, r->stamp);
    if (r->stamp >= x->calm && !outlived)
        return;
    if (u->inside == inside && inside && u->seen == r->stamp && u->seen_site == r->site &&
        (!u->counts || u->second == site)) {
        u->times += u->counts;
        return;
    }
    size_t where = cc_depend_where(x, r->stamp);
    if (where & 1) {
        const struct cc_depend_loop *by = &x->loops[where / 2];
        if (u->first == r->site && u->second == site && u->loop == by->loop &&
            cc_depend_is_distance(by, r->stamp, u->distance))
            u->times++;
        else
            found_other(d, u, by, r, site);
    }
    if (outlived)
        live_after(x, u, site);
    /* the loops around the innermost one stay where they are until it is over */
    u->inside = r->stamp < inside && !outlived ? inside : 0;
    u->seen = r->stamp;
    u->seen_site = r->site;
    u->counts = where & 1;
}

/* What a called function puts into its own frame is followed there; what the loop's own function does, it
 * uses. */
static void store_granule(struct cc_depend_thread *x, uint64_t a, uint32_t size, uint16_t site,
                          uint32_t granule)
{
    struct cc_depend *d = x->owner;
    const struct cc_depend_register *r = &x->stored[granule];
    const struct cc_depend_loop *by = r->stamp ? cc_depend_carrier(x, r->stamp) : NULL;
    if (!by || r->inherited)
        return;
    uint64_t below = by->sp - cc_depend_red_zone(x, by);
    if (a >= x->stack_start && a + size <= below && by->sp <= x->stack_end && r->site < SITE_ANY) {
        cc_depend_set_origin(d, a, size, r->stamp, cc_depend_intern_stored(d, r->site, granule));
        return;
    }
    struct cc_depend_met m = {.space = CC_SPACE_REGISTER,
                              .kind = CC_DEPENDENCE_RAW,
                              .stamp = r->stamp,
                              .size = size,
                              .first = r->site,
                              .second = site,
                              .granule = (uint8_t)granule,
                              .place = d->opt.machine.offset[granule],
                              .flags = CC_DEPENDENCE_STORED};
    cc_depend_found(x, by, &m);
}

void cc_depend_store(struct cc_depend_thread *x, uint64_t a, uint32_t size, struct cc_depend_site *site,
                     uint32_t granule)
{
    const uint16_t *offset = x->owner->opt.machine.offset;
    uint32_t from = offset[granule];
    cc_depend_write(x, a, size, site);
    for (uint32_t g = granule; !x->allocating && g < CC_DEPEND_GRANULES; g++) {
        if (offset[g] < from || offset[g] - from >= size)
            break;
        uint32_t word = (offset[g] - from) & ~7u; /* that it lies in */
        store_granule(x, a + word, size - word < 8 ? size - word : 8, cc_depend_site_of(x, site), g);
    }
}

static void write_here(struct cc_depend_thread *x, uint16_t site)
{
    if (site < SITE_ANY && x->owner->sites[site].path[CC_SPACE_REGISTER] != cc_depend_path(x))
        cc_depend_writes_here(x, site, 0);
}

static void add_granules(uint64_t *all, uint32_t first, uint32_t more)
{
    for (uint32_t g = first; g <= first + more; g++)
        all[g / 64] |= UINT64_C(1) << g % 64;
}

/* What is stored has to be looked at each time. */
static void note_all(struct cc_depend_piece *p)
{
    for (uint32_t i = 0; i < p->nuses; i++)
        add_granules(p->all, p->uses[i].flags & CC_USE_STORED ? 0 : p->uses[i].granule,
                     p->uses[i].flags & CC_USE_STORED ? CC_DEPEND_GRANULES - 1 : p->uses[i].more);
    for (uint32_t i = 0; i < p->nputs; i++)
        add_granules(p->all, p->puts[i].granule, p->puts[i].more);
}

static void number(struct cc_depend_thread *x, struct cc_depend_piece *p)
{
    p->numbered = true;
    for (uint32_t i = 0; i < p->nuses; i++)
        p->uses[i].whole = is_whole(x->owner, p->uses[i].granule, p->uses[i].more);
    for (uint32_t i = 0; i < p->nputs; i++)
        p->puts[i].whole = is_whole(x->owner, p->puts[i].granule, p->puts[i].more);
    note_all(p);
    if (p->nuses) {
        p->next = x->owner->pieces;
        x->owner->pieces = p;
    }
    if (p->outside)
        return;
    for (uint32_t i = 0; i < p->nuses; i++)
        p->uses[i].site = cc_depend_site_of(x, p->sites[p->uses[i].site]);
    for (uint32_t i = 0; i < p->nputs; i++)
        p->puts[i].site = cc_depend_site_of(x, p->sites[p->puts[i].site]);
    cc_depend_code_followed(x->owner, p->address, p->last);
}

/* All of an outside piece is one site. */
static uint16_t outside_site(struct cc_depend_thread *x, const struct cc_depend_piece *p)
{
    if (!p->stub && !x->outside.callee) {
        x->outside.callee = p->address;
        x->outside.id = 0;
    }
    return x->outside.id ? (uint16_t)x->outside.id : cc_depend_outside_site(x);
}

void cc_depend_outside_here(struct cc_depend_thread *x, const struct cc_depend_piece *p)
{
    if (p->outside)
        outside_site(x, p);
}

static __attribute__((noinline)) void use_parts(struct cc_depend_thread *x, struct cc_depend_use *u,
                                                uint32_t now, uint16_t site, uint32_t inside)
{
    uint32_t head = x->owner->head[u->granule];
    const struct cc_depend_register *r = piece_at(x, u->granule);
    bool same = x->owner->opt.machine.parts[head] && !x->registers[head].apart;
    if (!same && !is_one(r, u->more))
        read_apart(x, u, site);
    else if (r->stamp != now && r->stamp)
        read_register(x, u, r, site, inside);
}

static inline void use_read(struct cc_depend_thread *x, struct cc_depend_use *u, uint32_t now, uint16_t site,
                            uint32_t inside)
{
    const struct cc_depend_register *r = &x->registers[u->granule];
    if (u->flags & CC_USE_STORED)
        for (uint32_t i = 0; i <= u->more; i++)
            x->stored[u->granule + i] = *piece_at(x, u->granule + i);
    else if (!u->whole || r->apart)
        use_parts(x, u, now, site, inside);
    else if (r->stamp != now && r->stamp)
        read_register(x, u, r, site, inside);
}

static inline void put(struct cc_depend_thread *x, const struct cc_depend_put *u, uint32_t now, uint16_t site)
{
    const struct cc_depend_register written = {.stamp = now, .site = site};
    if (u->whole)
        x->registers[u->granule] = written;
    else
        for (uint32_t i = 0; i <= u->more; i++)
            write_piece(x, u->granule + i, written);
}

/* The same call into such code wrote all of the piece's registers, in this iteration: it changes nothing. */
static bool is_theirs(const struct cc_depend_thread *x, const struct cc_depend_piece *p, uint32_t now,
                      uint16_t site)
{
    const struct cc_depend_theirs *t = &x->theirs;
    return t->stamp == now && t->site == site && !(p->all[0] & ~t->all[0]) && !(p->all[1] & ~t->all[1]);
}

static void note_theirs(struct cc_depend_thread *x, const struct cc_depend_piece *p, uint32_t now,
                        uint16_t site)
{
    struct cc_depend_theirs *t = &x->theirs;
    if (t->stamp != now || t->site != site)
        *t = (struct cc_depend_theirs){.stamp = now, .site = site};
    for (uint32_t i = 0; i < p->nputs; i++)
        add_granules(t->all, p->puts[i].granule, p->puts[i].more);
}

void cc_depend_registers(struct cc_depend_thread *x, struct cc_depend_piece *p)
{
    uint32_t now = x->owner->stamp, inside = x->nloops ? x->bounds[2 * x->nloops - 2] : 0;
    uint16_t outside = p->outside ? outside_site(x, p) : 0;
    if (!p->numbered)
        number(x, p);
    if (!outside)
        x->theirs.stamp = 0;
    else if (is_theirs(x, p, now, outside))
        return;
    else
        note_theirs(x, p, now, outside);
    for (uint32_t i = 0; i < p->nuses; i++)
        use_read(x, &p->uses[i], now, outside ? outside : p->uses[i].site, inside);
    if (outside)
        write_here(x, outside);
    else if (p->path != cc_depend_path(x))
        for (uint32_t i = 0; i < p->nputs; i++)
            write_here(x, p->puts[i].site);
    p->path = cc_depend_path(x);
    for (uint32_t i = 0; i < p->nputs; i++)
        put(x, &p->puts[i], now, outside ? outside : p->puts[i].site);
}

void cc_depend_left(struct cc_depend_thread *x, uint32_t granule, struct cc_depend_site *site)
{
    const struct cc_depend_register *r = &x->stored[granule];
    if (r->stamp && r->stamp != x->owner->stamp)
        read_it(x, r, granule, cc_depend_site_of(x, site));
}

void cc_depend_register_use(struct cc_depend_thread *x, uint32_t granule, uint32_t flags,
                            struct cc_depend_site *site)
{
    const struct cc_depend_register *r = piece_at(x, granule);
    uint16_t id = cc_depend_site_of(x, site);
    x->theirs.stamp = 0;
    if (flags & CC_USE_STORED) {
        x->stored[granule] = *r;
    } else if (flags & CC_USE_WRITE) {
        write_here(x, id);
        write_piece(x, granule, (struct cc_depend_register){.stamp = x->owner->stamp, .site = id});
    } else if (r->stamp && r->stamp != x->owner->stamp) {
        read_granule(x, granule, id);
    }
}

/* --- calls --- */

void cc_depend_no_frames(struct cc_depend_thread *x, size_t level)
{
    for (size_t i = level; i < x->nloops; i++) {
        struct cc_depend_loop *l = &x->loops[i];
        uint64_t around = i ? l[-1].low : x->stack_end;
        l->low = l->sp < around ? l->sp : around;
        l->dead = 0;
    }
    x->dead = 0;
}

void cc_depend_frames_of_innermost(struct cc_depend_thread *x)
{
    const struct cc_depend_loop *l = x->nloops ? &x->loops[x->nloops - 1] : NULL;
    x->dead = l && l->dead_call < x->ncalls ? l->dead : 0;
}

/* The innermost loop makes a call. Other threads may look at the frames of this one. */
static void frames_begin(struct cc_depend_thread *x, uint64_t sp)
{
    const struct cc_depend *d = x->owner;
    struct cc_depend_loop *l = x->nloops ? &x->loops[x->nloops - 1] : NULL;
    if (!l || d->threads->next || d->opt.calls)
        return;
    l->dead = x->dead = sp < l->low ? sp : l->low;
    l->dead_call = x->ncalls - 1;
}

/* What lies below the stack pointer was left without a return. */
static void drop_below(struct cc_depend_thread *x, uint64_t sp)
{
    while (x->ncalls && x->calls[x->ncalls - 1].sp < sp)
        x->ncalls--;
    cc_depend_frames_of_innermost(x);
}

/* The pieces of a register that is kept, from that one on, as far as they are not the same. */
static inline uint32_t own_pieces(const struct cc_depend_thread *x, const struct cc_depend_register *first,
                                  uint32_t granule)
{
    uint32_t parts = x->owner->opt.machine.parts[granule];
    return parts && first->apart ? parts : 1;
}

static inline uint32_t pieces_of(const struct cc_depend_thread *x, uint32_t granule)
{
    uint32_t parts = x->owner->opt.machine.parts[granule];
    return parts ? parts : 1;
}

static void keep(const struct cc_depend_thread *x, struct cc_depend_call *c)
{
    const struct cc_depend_machine *m = &x->owner->opt.machine;
    for (uint32_t i = 0; i < m->nkept; i += pieces_of(x, m->kept[i])) {
        const struct cc_depend_register *r = &x->registers[m->kept[i]];
        for (uint32_t k = 0; k < own_pieces(x, r, m->kept[i]); k++)
            c->kept[i + k] = r[k];
    }
}

static void inherit(struct cc_depend_thread *x)
{
    const struct cc_depend_machine *m = &x->owner->opt.machine;
    for (uint32_t i = 0; i < m->nkept; i += pieces_of(x, m->kept[i])) {
        struct cc_depend_register *r = &x->registers[m->kept[i]];
        for (uint32_t k = 0; k < own_pieces(x, r, m->kept[i]); k++)
            r[k].inherited = true;
    }
}

static void put_back(struct cc_depend_thread *x, const struct cc_depend_call *c)
{
    const struct cc_depend_machine *m = &x->owner->opt.machine;
    for (uint32_t i = 0; i < m->nkept; i += pieces_of(x, m->kept[i])) {
        struct cc_depend_register *r = &x->registers[m->kept[i]];
        for (uint32_t k = 0; k < own_pieces(x, &c->kept[i], m->kept[i]); k++)
            r[k] = c->kept[i + k];
    }
}

void cc_depend_call(struct cc_depend_thread *x, uint64_t call, bool outside, uint64_t ret, uint64_t sp)
{
    struct cc_depend *d = x->owner;
    x->left.statement = x->theirs.stamp = 0;
    for (size_t i = x->nloops; i-- > 0 && !x->loops[i].calls;) /* all that are under way lead to this call */
        x->loops[i].calls = true;
    drop_below(x, sp);
    if (x->ncalls < MAX_CALLS) {
        x->calls = cc_depend_extend(d, x->calls, &x->calls_cap, x->ncalls + 1, sizeof *x->calls);
        struct cc_depend_call *c = &x->calls[x->ncalls++];
        c->sp = sp;
        c->ret = ret;
        c->outside = x->outside;
        keep(x, c);
        if (!x->dead)
            frames_begin(x, sp);
    } else {
        d->cut = true;
    }
    inherit(x);
    if (!outside)
        x->outside = (struct cc_depend_outside){.call = call};
}

void cc_depend_jump(struct cc_depend_thread *x, uint64_t jump)
{
    x->outside = (struct cc_depend_outside){.call = jump};
}

/* The call that returns there; the number of calls: none. */
static size_t call_of(const struct cc_depend_thread *x, uint64_t target, uint64_t sp)
{
    for (size_t i = x->ncalls; i-- > 0 && x->calls[i].sp == sp;)
        if (x->calls[i].ret == target)
            return i;
    return x->ncalls;
}

void cc_depend_return(struct cc_depend_thread *x, uint64_t target, uint64_t sp)
{
    const struct cc_depend_machine *m = &x->owner->opt.machine;
    x->left.statement = x->theirs.stamp = 0;
    drop_below(x, sp);
    size_t at = call_of(x, target, sp);
    if (at == x->ncalls) {
        if (at) /* a jump that looks like a return */
            return;
        /* called before all this began: what it kept is from before too */
        for (uint32_t i = 0; i < m->nkept; i++)
            x->registers[m->kept[i]] = (struct cc_depend_register){0};
        return;
    }
    put_back(x, &x->calls[at]);
    x->outside = x->calls[at].outside;
    x->ncalls = at;
    cc_depend_frames_of_innermost(x);
}

/* --- signals: the kernel keeps all registers --- */

void cc_depend_signal(struct cc_depend_thread *x)
{
    if (x->nsaved >= MAX_SAVED)
        x->nsaved = 0; /* handlers that never return: nobody will ask for those */
    x->saved = cc_depend_extend(x->owner, x->saved, &x->saved_cap, (x->nsaved + 1) * CC_DEPEND_GRANULES,
                                sizeof *x->saved);
    __builtin_memcpy(&x->saved[x->nsaved++ * CC_DEPEND_GRANULES], x->registers, sizeof x->registers);
}

void cc_depend_resumed(struct cc_depend_thread *x)
{
    x->theirs.stamp = 0;
    if (x->nsaved)
        __builtin_memcpy(x->registers, &x->saved[--x->nsaved * CC_DEPEND_GRANULES], sizeof x->registers);
}
