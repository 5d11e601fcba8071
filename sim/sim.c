#include "lost.h"

#include <string.h>

/* A line that came from another core's dirty copy, was lost, or whose write took others' copies away: its
 * next hits count as seen by others. Fewer miss the next exchange, more hand over for nothing. */
enum { HOT_HITS = 16 };

/* What a core used of a line before so many losses, twice, no longer counts: another phase may use other
 * words. */
enum { LOSSES = 8 };

static void core_init(struct cc_sim *s, unsigned number)
{
    struct core *c = &s->core[number];
    const struct cc_sim_config *config = &s->config;
    size_t slots = config->write_buffer + 1;
    cc_cache_init(&c->icache, &config->icache, 1, s->pool);
    cc_cache_init(&c->dcache, &config->dcache, 1, s->pool);
    c->fetch_line = UINT64_MAX;
    c->node = number;
    c->buffer.slots = config->write_buffer;
    c->buffer.done = cc_pool_alloc(s->pool, slots, sizeof *c->buffer.done);
    c->buffer.line = cc_pool_alloc(s->pool, slots, sizeof *c->buffer.line);
    c->buffer.alone_done = cc_pool_alloc(s->pool, slots, sizeof *c->buffer.alone_done);
}

struct cc_sim *cc_sim_new_in(struct cc_pool *pool, const struct cc_sim_config *config,
                             struct cc_sim_stats *stats)
{
    struct cc_sim *s = cc_pool_alloc(pool, 1, sizeof *s);
    s->pool = pool;
    s->config = *config;
    s->stats = stats;
    for (unsigned i = 0; i < config->cores; i++)
        core_init(s, i);
    for (unsigned i = 0; i < config->banks; i++) {
        cc_resource_init(&s->bank[i].port, config->cores, &s->horizon, pool);
        cc_resource_init(&s->bank[i].l2_port, config->cores, &s->horizon, pool);
        if (config->l2.size)
            cc_cache_init(&s->bank[i].l2, &config->l2, config->banks, pool);
        for (unsigned k = 0; k < 3; k++)
            if (config->bank[i].serves & (1u << k))
                s->serving[k][s->nserving[k]++] = (uint8_t)i;
        s->ranges |= (config->bank[i].serves & CC_SIM_RANGE) != 0;
    }
    cc_net_init(&s->net, config, stats, &s->horizon, pool);
    s->users = cc_pool_alloc(pool, LINE_USERS, sizeof *s->users);
    s->used = cc_pool_alloc(pool, (size_t)LINE_USERS * config->cores, sizeof *s->used);
    return s;
}

struct cc_sim *cc_sim_new(const struct cc_sim_config *config, struct cc_sim_stats *stats)
{
    return cc_sim_new_in(NULL, config, stats);
}

void cc_sim_free(struct cc_sim *s)
{
    if (!s)
        return;
    size_t slots = s->config.write_buffer + 1;
    for (unsigned i = 0; i < s->config.cores; i++) {
        cc_cache_fini(&s->core[i].icache);
        cc_cache_fini(&s->core[i].dcache);
        cc_pool_free(s->pool, s->core[i].buffer.done, slots, sizeof(uint64_t));
        cc_pool_free(s->pool, s->core[i].buffer.line, slots, sizeof(uint64_t));
        cc_pool_free(s->pool, s->core[i].buffer.alone_done, slots, sizeof(uint64_t));
    }
    for (unsigned i = 0; i < s->config.banks; i++) {
        cc_resource_fini(&s->bank[i].port);
        cc_resource_fini(&s->bank[i].l2_port);
        cc_cache_fini(&s->bank[i].l2);
    }
    cc_net_fini(&s->net);
    cc_pool_free(s->pool, s->users, LINE_USERS, sizeof *s->users);
    cc_pool_free(s->pool, s->used, (size_t)LINE_USERS * s->config.cores, sizeof *s->used);
    cc_pool_free(s->pool, s, 1, sizeof *s);
}

void cc_sim_horizon(struct cc_sim *s, uint64_t t)
{
    s->horizon = t;
}

unsigned cc_sim_node_of_core(const struct cc_sim *s, unsigned core)
{
    return s->core[core].node;
}

/* ---- memory side ---- */

static uint64_t bank_access(struct cc_sim *s, unsigned b, unsigned bytes, bool write, uint64_t t)
{
    const struct cc_sim_bank_config *c = &s->config.bank[b];
    struct cc_sim_bank_stats *st = &s->stats->bank[b];
    uint64_t length = (bytes + c->bandwidth - 1) / c->bandwidth;
    uint64_t start = cc_resource_book(&s->bank[b].port, s->net.core, t, length, &s->bank_lost);
    st->wait += start - t;
    write ? st->writes++ : st->reads++;
    return start + c->latency + length;
}

/* Interleaving gives a slice every n-th line, so the set is chosen by a hash (a bijection: the key is as good
 * a tag as the line). */
static uint64_t l2_key(uint64_t line)
{
    line *= 0x9e3779b97f4a7c15u;
    return line >> 32 | line << 32;
}

/* At the bank: through its slice of the shared cache if there is one. Returns when the data is there or
 * taken. The shared cache is write-back and allocates on writes; it does not know which lines the private
 * caches hold (neither inclusive nor exclusive). */
static uint64_t memory_access(struct cc_sim *s, unsigned b, uint64_t addr, unsigned bytes, bool write,
                              uint64_t t)
{
    struct bank *bank = &s->bank[b];
    if (!s->config.l2.size)
        return bank_access(s, b, bytes, write, t);
    uint64_t key = l2_key(addr >> bank->l2.shift);
    uint64_t start = cc_resource_book(&bank->l2_port, s->net.core, t, 1, &s->bank_lost);
    s->stats->bank[b].wait += start - t;
    t = start + s->config.l2.latency;
    struct cc_cache_line *l = cc_cache_find(&bank->l2, key);
    if (l) {
        s->stats->bank[b].l2_hits++;
        cc_cache_touch(&bank->l2, l);
        if (write)
            l->state = CC_MESI_M;
        return t;
    }
    s->stats->bank[b].l2_misses++;
    l = cc_cache_victim(&bank->l2, key);
    uint64_t done = write && bytes == s->config.l2.line ? t : bank_access(s, b, s->config.l2.line, false, t);
    if (l->state == CC_MESI_M) {
        struct queued then = queued(s);
        bank_access(s, b, s->config.l2.line, true, done);
        unqueue(s, then);
    }
    cc_cache_put(&bank->l2, l, (struct cc_cache_line){.tag = key, .state = write ? CC_MESI_M : CC_MESI_E});
    cc_cache_touch(&bank->l2, l);
    return done;
}

/* ---- fetch ---- */

static inline void count_latency(struct cc_sim *s, enum cc_sim_kind kind, uint64_t latency)
{
    unsigned b = latency ? 64 - (unsigned)__builtin_clzll(latency) : 0;
    s->stats->latency[kind][b < CC_SIM_BUCKETS ? b : CC_SIM_BUCKETS - 1]++;
    s->stats->latency_sum[kind] += latency;
    s->stats->latency_count[kind]++;
}

static uint32_t clip(uint64_t v)
{
    return v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

void cc_sim_do_fetch(struct cc_sim *s, unsigned core, uint64_t now, uint64_t addr, struct cc_sim_access *ret)
{
    struct core *c = &s->core[core];
    struct cc_sim_core_stats *st = &s->stats->core[core];
    uint64_t line = addr >> c->icache.shift;
    *ret = (struct cc_sim_access){
        .latency = s->config.icache.latency, .node = (uint16_t)c->node, .flags = CC_SIM_HIT};
    st->fetches++;
    if (line == c->fetch_line)
        return;
    struct cc_cache_line *l = cc_cache_find(&c->icache, line);
    c->fetch_line = line;
    if (!l) {
        unsigned b = cc_sim_bank_of(s, addr, true), home = s->config.bank[b].node;
        s->net.core = core;
        struct queued then = queued(s);
        uint64_t t = cc_net_send(&s->net, c->node, home, 0, now + ret->latency);
        t = memory_access(s, b, addr, s->config.icache.line, false, t);
        t = cc_net_send(&s->net, home, c->node, s->config.icache.line, t);
        *ret = (struct cc_sim_access){.latency = clip(t - now),
                                      .hops = (uint16_t)cc_net_hops(&s->net, c->node, home),
                                      .node = (uint16_t)home};
        blame_queues(s, ret, then, t - now);
        c->lost += count_lost(st, ret);
        st->fetch_misses++;
        st->fetch_stall += t - now;
        count_latency(s, CC_SIM_FETCH, t - now);
        l = cc_cache_victim(&c->icache, line);
        cc_cache_put(&c->icache, l, (struct cc_cache_line){.tag = line, .state = CC_MESI_S});
    }
    cc_cache_touch(&c->icache, l);
}

/* ---- coherence ---- */

struct snoop {
    uint64_t mask;    /* words to be written */
    bool upgrade;     /* the core has the line, but may not write it */
    bool overlap;     /* somebody used these */
    uint64_t late;    /* cycles the last answer came after the data */
    int owner;        /* core that has the line in M or E, -1: none */
    bool dirty;       /* the owner's is M */
    unsigned sharers; /* other cores with a valid copy */
    uint16_t sharer[CC_SIM_MAX_CORES];
};

/* What the owner wrote is news to everyone who lost the line. */
static void publish(struct cc_sim *s, uint64_t line, struct cc_cache_line *owner)
{
    if (owner->words)
        for (unsigned i = 0; i < s->config.cores; i++) {
            struct cc_cache_line *l = cc_cache_find(&s->core[i].dcache, line);
            if (l && l->lost)
                l->words |= owner->words;
        }
    owner->words = 0;
}

/* Looks into every other cache; read: owners become sharers; write: all copies are lost. */
static void snoop(struct cc_sim *s, unsigned core, uint64_t line, bool write, struct snoop *r)
{
    r->owner = -1;
    r->dirty = false;
    r->sharers = 0;
    r->overlap = false;
    r->late = 0;
    for (unsigned i = 0; i < s->config.cores; i++) {
        if (i == core)
            continue;
        struct cc_cache_line *l = cc_cache_find(&s->core[i].dcache, line);
        if (!l || l->state == CC_MESI_I)
            continue;
        r->sharer[r->sharers++] = (uint16_t)i;
        r->overlap |= ((l->touched | l->older) & r->mask) != 0;
        if (l->state >= CC_MESI_E) {
            r->owner = (int)i;
            r->dirty = l->state == CC_MESI_M;
            publish(s, line, l);
        }
        if (write) {
            l->state = CC_MESI_I;
            l->lost = true;
            l->words = 0;
            if (++l->losses == LOSSES) {
                l->older = l->touched;
                l->touched = l->losses = 0;
            }
            s->stats->core[i].invalidated++;
        } else {
            if (l->state == CC_MESI_M)
                l->hot = HOT_HITS;
            l->state = CC_MESI_S;
        }
    }
}

/* A miss on a line another core's write took away: on what was written, or only beside it? */
static uint8_t classify(struct cc_sim *s, unsigned core, uint64_t line, uint64_t mask)
{
    struct cc_cache_line *l = cc_cache_find(&s->core[core].dcache, line);
    if (!l || !l->lost)
        return 0;
    if (l->words & (l->touched | l->older | mask)) {
        s->stats->core[core].true_sharing++;
        return CC_SIM_SHARED;
    }
    s->stats->core[core].false_sharing++;
    return CC_SIM_FALSE;
}

/* Takes a slot for the line, sending a dirty victim home (posted: nobody waits for it). */
static struct cc_cache_line *allocate(struct cc_sim *s, unsigned core, uint64_t line, uint64_t t)
{
    struct core *c = &s->core[core];
    struct cc_cache_line *l = cc_cache_victim(&c->dcache, line);
    if (l->state == CC_MESI_M && l->tag != line) {
        uint64_t addr = l->tag << c->dcache.shift;
        unsigned b = cc_sim_bank_of(s, addr, false), home = s->config.bank[b].node;
        s->stats->core[core].write_backs++;
        publish(s, l->tag, l);
        struct queued then = queued(s);
        uint64_t arrived = cc_net_send(&s->net, c->node, home, s->config.dcache.line, t);
        memory_access(s, b, addr, s->config.dcache.line, true, arrived);
        unqueue(s, then);
    }
    struct cc_cache_line old = l->tag == line ? *l : (struct cc_cache_line){0};
    cc_cache_put(&c->dcache, l,
                 (struct cc_cache_line){.tag = line,
                                        .state = CC_MESI_I,
                                        .touched = old.touched,
                                        .older = old.older,
                                        .losses = old.losses});
    cc_cache_touch(&c->dcache, l);
    return l;
}

/* Telling the sharers to drop their copies. On a bus the request itself tells them; elsewhere the home sends
 * each a message and each answers the requester. Returns when the last answer is there. */
static uint64_t invalidate(struct cc_sim *s, const struct snoop *r, unsigned home, unsigned requester,
                           uint64_t t, bool answers)
{
    uint64_t last = t;
    if (s->config.net == CC_SIM_BUS)
        return t;
    for (unsigned i = 0; i < r->sharers; i++) {
        unsigned node = s->core[r->sharer[i]].node;
        uint64_t at = cc_net_send(&s->net, home, node, 0, t);
        if (answers)
            at = cc_net_send(&s->net, node, requester, 0, at);
        last = at > last ? at : last;
    }
    return last;
}

/* The line itself comes from the cache that owns it, or from memory. Returns when it is there and every other
 * copy is gone if it must be. */
static uint64_t bring(struct cc_sim *s, unsigned core, uint64_t addr, bool write, uint64_t t, struct snoop *r,
                      uint16_t *from)
{
    const unsigned length = s->config.dcache.line, node = s->core[core].node;
    unsigned b = cc_sim_bank_of(s, addr, false), home = s->config.bank[b].node;
    bool bus = s->config.net == CC_SIM_BUS;
    t = cc_net_send(&s->net, node, home, 0, t);
    if (!bus && s->config.write_back)
        t += s->config.directory;
    if (r->owner >= 0) {
        unsigned owner = s->core[r->owner].node;
        if (!bus)
            t = cc_net_send(&s->net, home, owner, 0, t);
        t += s->config.dcache.latency;
        *from = (uint16_t)owner;
        uint64_t done = cc_net_send(&s->net, owner, node, length, t);
        if (r->dirty && !write) { /* memory takes the data too: on a bus as it passes, elsewhere in a message
                                     of its own */
            struct queued then = queued(s);
            uint64_t home_at = bus ? done : cc_net_send(&s->net, owner, home, length, t);
            memory_access(s, b, addr, length, true, home_at);
            unqueue(s, then);
        }
        return done;
    }
    *from = (uint16_t)home;
    uint64_t acked = write ? invalidate(s, r, home, node, t, true) : t;
    t = memory_access(s, b, addr, length, false, t);
    t = cc_net_send(&s->net, home, node, length, t);
    r->late = acked > t ? acked - t : 0;
    return t + r->late;
}

/* Cycles to bring a line from memory when nothing is in the way, from the shared cache if there is one. */
static uint64_t idle_memory(const struct cc_sim *s, unsigned core, uint64_t addr)
{
    unsigned b = cc_sim_bank_of(s, addr, false), home = s->config.bank[b].node, node = s->core[core].node;
    unsigned length = s->config.dcache.line;
    const struct cc_sim_bank_config *bank = &s->config.bank[b];
    uint64_t memory = s->config.l2.size ? s->config.l2.latency
                                        : bank->latency + (length + bank->bandwidth - 1) / bank->bandwidth;
    return cc_net_idle(&s->net, node, home, 0) + s->config.directory + memory +
           cc_net_idle(&s->net, home, node, length);
}

/* A line that had to be asked for: who is to blame for `stall` cycles? A line lost to another core, or whose
 * copies had to go, would still be here without that core: all of it. A first use would have come from
 * memory. */
static void blame_coherence(struct cc_sim *s, unsigned core, uint64_t addr, const struct snoop *r,
                            struct cc_sim_access *a, uint64_t stall, struct queued then)
{
    if (a->flags & (CC_SIM_SHARED | CC_SIM_FALSE)) {
        a->lost[a->flags & CC_SIM_SHARED ? CC_SIM_LOST_TRUE : CC_SIM_LOST_FALSE] += (uint32_t)stall;
    } else if (r->upgrade) {
        enum cc_sim_cause cause = !r->sharers  ? CC_SIM_LOST_TRANSFER
                                  : r->overlap ? CC_SIM_LOST_TRUE
                                               : CC_SIM_LOST_FALSE;
        a->lost[cause] += (uint32_t)stall;
    } else {
        blame_queues(s, a, then, stall);
        uint64_t rest = stall - least(stall, all_lost(a)), memory = idle_memory(s, core, addr);
        uint64_t extra = r->owner < 0 ? least(r->late, rest) : rest > memory ? rest - memory : 0;
        a->lost[CC_SIM_LOST_TRANSFER] += (uint32_t)extra;
    }
}

/* ---- write-back ---- */

/* Returns when the core has the line in a state that allows the access. */
static uint64_t obtain(struct cc_sim *s, unsigned core, uint64_t addr, uint64_t mask, bool write, uint64_t t,
                       struct cc_sim_access *a)
{
    struct core *c = &s->core[core];
    struct cc_sim_core_stats *st = &s->stats->core[core];
    uint64_t line = addr >> c->dcache.shift;
    struct cc_cache_line *l = cc_cache_find(&c->dcache, line);
    t += s->config.dcache.latency;
    const uint64_t asked = t;
    if (l && l->state != CC_MESI_I) {
        cc_cache_touch(&c->dcache, l);
        l->touched |= mask;
        if (!write || l->state >= CC_MESI_E) {
            l->hot -= l->hot > 0;
            if (write) {
                l->state = CC_MESI_M;
                l->words |= mask;
            }
            a->flags |= CC_SIM_HIT;
            return t;
        }
    }
    struct snoop r = {.mask = mask, .upgrade = l && l->state == CC_MESI_S};
    struct queued then = queued(s);
    bool moved = l && l->lost;
    struct cc_sim_access here = {0};
    snoop(s, core, line, write, &r);
    moved |= r.dirty || (write && r.sharers);
    if (r.upgrade) { /* the data is here, the permission is not */
        st->upgrades++;
        unsigned home = s->config.bank[cc_sim_bank_of(s, addr, false)].node;
        a->node = (uint16_t)home;
        t = cc_net_send(&s->net, c->node, home, 0, t);
        if (s->config.net != CC_SIM_BUS) {
            t += s->config.directory;
            uint64_t acked = invalidate(s, &r, home, c->node, t, true);
            t = cc_net_send(&s->net, home, c->node, 0, t);
            t = acked > t ? acked : t;
        }
    } else {
        write ? st->store_misses++ : st->load_misses++;
        here.flags = classify(s, core, line, mask);
        a->flags |= here.flags;
        t = bring(s, core, addr, write, t, &r, &a->node);
        l = allocate(s, core, line, t);
    }
    l->state = write ? CC_MESI_M : r.sharers ? CC_MESI_S : CC_MESI_E;
    l->words = write ? mask : 0;
    l->touched |= mask;
    l->lost = false;
    blame_coherence(s, core, addr, &r, &here, t - asked, then);
    add_lost(a, &here);
    if (moved)
        l->hot = HOT_HITS;
    return t;
}

/* ---- write-through ---- */

/* A write on its way to memory: all other copies are lost. Returns when memory has taken it. */
static uint64_t write_through(struct cc_sim *s, unsigned core, uint64_t addr, unsigned size, uint64_t mask,
                              uint64_t t, struct cc_sim_access *a)
{
    struct core *c = &s->core[core];
    uint64_t line = addr >> c->dcache.shift;
    unsigned b = cc_sim_bank_of(s, addr, false), home = s->config.bank[b].node;
    struct snoop r = {.mask = mask};
    snoop(s, core, line, true, &r);
    for (unsigned i = 0; i < s->config.cores; i++) {
        struct cc_cache_line *l = i == core ? NULL : cc_cache_find(&s->core[i].dcache, line);
        if (l && l->lost)
            l->words |= mask;
    }
    a->node = (uint16_t)home;
    t = cc_net_send(&s->net, c->node, home, size, t);
    struct queued then = queued(s);
    invalidate(s, &r, home, c->node, t, false);
    unqueue(s, then);
    return memory_access(s, b, addr, size, true, t);
}

/* Back from the memory that an access went to. */
static uint64_t answer(struct cc_sim *s, unsigned core, unsigned size, uint64_t t,
                       const struct cc_sim_access *a)
{
    return cc_net_send(&s->net, a->node, s->core[core].node, size, t);
}

static void store_hit_or_miss(struct cc_sim *s, unsigned core, uint64_t line)
{
    struct core *c = &s->core[core];
    struct cc_cache_line *l = cc_cache_find(&c->dcache, line);
    if (l && l->state != CC_MESI_I)
        cc_cache_touch(&c->dcache, l);
    else
        s->stats->core[core].store_misses++; /* no allocation on writes */
}

static uint64_t load_through(struct cc_sim *s, unsigned core, uint64_t addr, uint64_t mask, uint64_t t,
                             struct cc_sim_access *a)
{
    struct core *c = &s->core[core];
    uint64_t line = addr >> c->dcache.shift;
    struct cc_cache_line *l = cc_cache_find(&c->dcache, line);
    t += s->config.dcache.latency;
    if (l && l->state != CC_MESI_I) {
        cc_cache_touch(&c->dcache, l);
        l->touched |= mask;
        l->hot -= l->hot > 0;
        a->flags |= CC_SIM_HIT;
        return t;
    }
    bool moved = l && l->lost;
    struct queued then = queued(s);
    struct cc_sim_access here = {.flags = classify(s, core, line, mask)};
    s->stats->core[core].load_misses++;
    a->flags |= here.flags;
    struct snoop none = {.owner = -1};
    const uint64_t asked = t;
    t = bring(s, core, addr, false, t, &none, &a->node);
    l = allocate(s, core, line, t);
    l->state = CC_MESI_S;
    l->touched |= mask;
    blame_coherence(s, core, addr, &none, &here, t - asked, then);
    add_lost(a, &here);
    if (moved)
        l->hot = HOT_HITS;
    return t;
}

/* ---- the write buffer ---- */

static void retire(struct buffer *b, uint64_t t)
{
    while (b->n && b->done[b->head] <= t) {
        b->head = (b->head + 1) % b->slots;
        b->n--;
    }
    if (!b->n)
        memset(b->owed, 0, sizeof b->owed);
}

static uint64_t after(uint64_t t, uint64_t now)
{
    return t > now ? t - now : 0;
}

/* The core's clock without what it has lost, this access included. */
static uint64_t alone_now(const struct core *c, const struct cc_sim_access *a, uint64_t now)
{
    return after(now, c->lost + all_lost(a));
}

/* The core waits from `now` to `until` for stores which, without others, would have been done at `alone`: the
 * difference is what these stores have lost. */
static void blame_stores(struct core *c, struct cc_sim_access *a, uint64_t now, uint64_t until,
                         uint64_t alone)
{
    struct buffer *b = &c->buffer;
    uint64_t felt = after(after(until, now), after(alone, alone_now(c, a, now))), owed = 0, left = felt;
    for (unsigned i = 0; i < CC_SIM_CAUSES; i++)
        owed += b->owed[i];
    for (unsigned i = 0; i < CC_SIM_CAUSES && owed; i++) {
        uint64_t part = least(left, owed > felt ? b->owed[i] * felt / owed : b->owed[i]);
        b->owed[i] -= part;
        a->lost[i] += (uint32_t)part;
        left -= part;
    }
    a->lost[CC_SIM_LOST_BUFFER] += (uint32_t)left;
}

/* A load of a line whose store is still under way waits for it, unless a write-through cache has the line and
 * the new value. */
static uint64_t after_stores(struct core *c, uint64_t line, uint64_t t, struct cc_sim_access *a)
{
    struct buffer *b = &c->buffer;
    uint64_t wait = t, alone = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        uint32_t at = (b->head + i) % b->slots;
        if (b->line[at] == line && b->done[at] > wait) {
            wait = b->done[at];
            alone = b->alone_done[at];
        }
    }
    if (wait > t)
        blame_stores(c, a, t, wait, alone);
    return wait;
}

/* Until the write buffer is empty. */
static uint64_t drain(struct core *c, uint64_t now, struct cc_sim_access *a)
{
    if (c->buffer.last <= now)
        return now;
    blame_stores(c, a, now, c->buffer.last, c->buffer.alone_last);
    return c->buffer.last;
}

void cc_sim_fence(struct cc_sim *s, unsigned core, uint64_t now, struct cc_sim_access *ret)
{
    struct core *c = &s->core[core];
    struct cc_sim_core_stats *st = &s->stats->core[core];
    *ret = (struct cc_sim_access){.node = (uint16_t)c->node, .flags = CC_SIM_STALLED};
    uint64_t t = drain(c, now, ret);
    ret->latency = clip(t - now);
    st->store_stall += t - now;
    c->lost += count_lost(st, ret);
}

static uint64_t perform_store(struct cc_sim *s, unsigned core, uint64_t addr, unsigned size, uint64_t mask,
                              uint64_t t, struct cc_sim_access *a)
{
    if (s->config.write_back)
        return obtain(s, core, addr, mask, true, t, a);
    struct queued then = queued(s);
    uint64_t from = t + s->config.dcache.latency, done = write_through(s, core, addr, size, mask, from, a);
    blame_queues(s, a, then, done - from);
    return done;
}

static uint64_t store(struct cc_sim *s, unsigned core, uint64_t addr, unsigned size, uint64_t mask,
                      uint64_t now, struct cc_sim_access *a)
{
    struct core *c = &s->core[core];
    struct buffer *b = &c->buffer;
    uint64_t line = addr >> c->dcache.shift;
    if (!s->config.write_back)
        store_hit_or_miss(s, core, line);
    if (!b->slots)
        return perform_store(s, core, addr, size, mask, now, a);
    if (s->config.write_back) { /* what the cache can take at once needs no slot */
        struct cc_cache_line *l = cc_cache_find(&c->dcache, line);
        if (l && l->state >= CC_MESI_E)
            return obtain(s, core, addr, mask, true, now, a);
    }
    retire(b, now);
    if (b->n == b->slots) {
        s->stats->core[core].buffer_full++;
        a->flags |= CC_SIM_STALLED;
        blame_stores(c, a, now, b->done[b->head], b->alone_done[b->head]);
        now = b->done[b->head];
        retire(b, now);
    } else {
        a->flags |= CC_SIM_BUFFERED;
    }
    uint64_t start = b->last > now ? b->last : now;
    struct cc_sim_access posted = {.node = a->node};
    uint64_t done = perform_store(s, core, addr, size, mask, start, &posted);
    uint64_t alone = alone_now(c, a, now);
    a->flags |= posted.flags;
    a->node = posted.node;
    for (unsigned i = 0; i < CC_SIM_CAUSES; i++)
        b->owed[i] += posted.lost[i];
    b->alone_last = (b->alone_last > alone ? b->alone_last : alone) + after(done - start, all_lost(&posted));
    uint32_t at = (b->head + b->n++) % b->slots;
    b->alone_done[at] = b->alone_last;
    b->done[at] = done;
    b->line[at] = line;
    b->last = done;
    return now + s->config.dcache.latency;
}

/* An atomic at memory. If another core's used the line last, that it has to go there is the sharing's doing:
 * data of the core's own needs no atomic. Which kind of sharing is told by the words both have used lately.
 */
static enum cc_sim_cause note_user(struct cc_sim *s, unsigned core, uint64_t line, uint64_t mask)
{
    enum { FORGET = 64 };
    struct cc_sim_line_user *u = &s->users[line % LINE_USERS];
    uint64_t *used = s->used + line % LINE_USERS * s->config.cores;
    bool known = u->line == line, taken = known && u->core != core;
    u->taken += taken;
    if (!known || u->taken == FORGET) {
        uint64_t kept = known ? used[u->core] : 0;
        memset(used, 0, s->config.cores * sizeof *used);
        used[u->core] = kept;
        u->taken = 0;
    }
    used[core] |= mask;
    enum cc_sim_cause cause = !taken                       ? CC_SIM_CAUSES
                              : used[core] & used[u->core] ? CC_SIM_LOST_TRUE
                                                           : CC_SIM_LOST_FALSE;
    u->line = line;
    u->core = core;
    return cause;
}

static uint64_t atomic_through(struct cc_sim *s, unsigned core, uint64_t addr, unsigned size, uint64_t mask,
                               uint64_t t, struct cc_sim_access *a)
{
    enum cc_sim_cause cause = note_user(s, core, addr >> s->core[core].dcache.shift, mask);
    struct queued then = queued(s);
    t += s->config.dcache.latency;
    uint64_t done = answer(s, core, size, write_through(s, core, addr, size, mask, t, a), a);
    struct cc_sim_access here = {0};
    blame_queues(s, &here, then, done - t);
    if (cause < CC_SIM_CAUSES)
        a->lost[cause] += (uint32_t)(done - t);
    else
        add_lost(a, &here);
    return done;
}

/* ---- data accesses ---- */

static uint64_t access_line(struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t now,
                            uint64_t addr, unsigned size, struct cc_sim_access *a)
{
    struct core *c = &s->core[core];
    struct cc_sim_core_stats *st = &s->stats->core[core];
    uint64_t mask = cc_cache_words(&c->dcache, addr, size), t = now;
    switch (kind) {
    case CC_SIM_LOAD:
    case CC_SIM_LL:
        st->loads++;
        if (c->buffer.n && c->buffer.last > now &&
            (s->config.write_back || cc_sim_state(s, core, addr) == CC_MESI_I))
            t = after_stores(c, addr >> c->dcache.shift, now, a);
        t = s->config.write_back ? obtain(s, core, addr, mask, false, t, a)
                                 : load_through(s, core, addr, mask, t, a);
        st->load_stall += t - now - s->config.dcache.latency;
        return t;
    case CC_SIM_STORE:
        st->stores++;
        t = store(s, core, addr, size, mask, now, a);
        st->store_stall += t - now - s->config.dcache.latency;
        return t;
    default: /* atomics order everything before them and are done when memory or the owned line has them */
        st->atomics++;
        t = drain(c, now, a);
        t = s->config.write_back ? obtain(s, core, addr, mask, true, t, a)
                                 : atomic_through(s, core, addr, size, mask, t, a);
        st->store_stall += t - now - s->config.dcache.latency;
        return t;
    }
}

/* Most accesses. */
bool cc_sim_hit(struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t now, uint64_t addr,
                unsigned size)
{
    struct core *c = &s->core[core];
    bool reads = kind == CC_SIM_LOAD, back = s->config.write_back;
    if (!(reads || (kind == CC_SIM_STORE && back)) || ((addr ^ (addr + size - 1)) >> c->dcache.shift))
        return false;
    struct cc_cache_line *l = cc_cache_find(&c->dcache, addr >> c->dcache.shift);
    if (!l || l->state < (reads ? CC_MESI_S : CC_MESI_E) || (reads && back && c->buffer.last > now))
        return false;
    uint64_t mask = cc_cache_words(&c->dcache, addr, size);
    cc_cache_touch(&c->dcache, l);
    l->touched |= mask;
    l->hot -= l->hot > 0;
    if (reads) {
        s->stats->core[core].loads++;
    } else {
        l->state = CC_MESI_M;
        l->words |= mask;
        s->stats->core[core].stores++;
    }
    count_latency(s, kind, s->config.dcache.latency);
    return true;
}

void cc_sim_do_access(struct cc_sim *s, unsigned core, enum cc_sim_kind kind, uint64_t now, uint64_t addr,
                      unsigned size, struct cc_sim_access *ret)
{
    struct core *c = &s->core[core];
    *ret = (struct cc_sim_access){.node = (uint16_t)c->node};
    uint64_t length = s->config.dcache.line, t = now;
    size = size ? size : 1;
    if (cc_sim_hit(s, core, kind, now, addr, size)) {
        ret->flags = CC_SIM_HIT;
        ret->latency = s->config.dcache.latency;
        return;
    }
    s->net.core = core;
    s->stats->late += now < s->horizon;
    bool all_hit = true;
    for (uint64_t left = size; left;) {
        uint64_t here = length - (addr & (length - 1));
        here = here < left ? here : left;
        ret->flags &= (uint8_t)~CC_SIM_HIT;
        t = access_line(s, core, kind, t, addr, (unsigned)here, ret);
        all_hit &= (ret->flags & CC_SIM_HIT) != 0;
        addr += here;
        left -= here;
    }
    if (!all_hit)
        ret->flags &= (uint8_t)~CC_SIM_HIT;
    c->lost += count_lost(&s->stats->core[core], ret);
    ret->latency = clip(t - now);
    ret->hops = ret->flags & CC_SIM_HIT ? 0 : (uint16_t)cc_net_hops(&s->net, c->node, ret->node);
    count_latency(s, kind, t - now);
}

struct cc_sim_access cc_sim_io(struct cc_sim *s, unsigned core, uint64_t now, uint64_t addr, bool is_store)
{
    unsigned node = s->core[core].node, home = s->config.bank[cc_sim_bank_of(s, addr, false)].node;
    s->net.core = core;
    uint64_t t = cc_net_send(&s->net, node, home, is_store ? 4 : 0, now) + s->config.io_latency;
    t = cc_net_send(&s->net, home, node, is_store ? 0 : 4, t);
    count_latency(s, is_store ? CC_SIM_STORE : CC_SIM_LOAD, t - now);
    return (struct cc_sim_access){
        .latency = clip(t - now), .hops = (uint16_t)cc_net_hops(&s->net, node, home), .node = (uint16_t)home};
}

void cc_sim_finish(struct cc_sim *s)
{
    for (uint32_t i = 0; i < s->net.nlinks; i++)
        s->stats->link_busy[i] = s->net.links[i].all.busy;
    for (uint32_t b = 0; b < s->config.banks; b++)
        s->stats->bank[b].busy = s->bank[b].port.all.busy;
}
