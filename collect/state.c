/* Interned states of bytes, and what reading does to them. */
#include "internal.h"

static uint64_t reader_hash(uint32_t node)
{
    return cc_mix(node + UINT64_C(0x9e3779b97f4a7c15));
}

/* What an entry of the index has in its upper half, so that others need not be looked at. */
static uint64_t state_hash(const struct cc_state *want)
{
    uint64_t origin =
        (uint64_t)want->writer << 32 ^ (want->frame * 2 + want->stack) * UINT64_C(0x9e3779b97f4a7c15);
    return cc_mix(want->hash ^ origin ^ (uint64_t)want->known << 16);
}

static uint32_t state_slot(const struct cc_collect *c, const struct cc_state *want, uint64_t hash)
{
    uint32_t mask = c->states.index_cap - 1;
    for (uint32_t i = (uint32_t)hash & mask;; i = (i + 1) & mask) {
        uint64_t entry = c->states.index[i];
        if (!entry)
            return i;
        if (entry >> 32 != hash >> 32)
            continue;
        const struct cc_state *s = cc_state_at(c, (uint32_t)entry);
        if (s->writer == want->writer && s->frame == want->frame && s->stack == want->stack &&
            s->hash == want->hash && s->size == want->size && s->known == want->known)
            return i;
    }
}

/* Several may mean the same (cc_states_forget, publish); the first stands for them. */
void cc_states_index(struct cc_collect *c)
{
    __builtin_memset(c->states.index, 0, (size_t)c->states.index_cap * sizeof *c->states.index);
    for (uint32_t id = 1; id < c->states.all.n; id++) {
        const struct cc_state *s = cc_state_at(c, id);
        if (s->writer == CC_NONE || s->alone)
            continue;
        uint64_t hash = state_hash(s);
        uint32_t slot = state_slot(c, s, hash);
        if (!c->states.index[slot])
            c->states.index[slot] = hash >> 32 << 32 | id;
    }
}

static void index_grow(struct cc_collect *c)
{
    uint64_t *old = c->states.index;
    uint32_t old_cap = c->states.index_cap;
    c->states.index_cap = old_cap ? old_cap * 2 : 4096;
    c->states.index = c->host.map(c->host.self, (size_t)c->states.index_cap * sizeof *c->states.index);
    cc_states_index(c);
    cc_give_back(c, old, (size_t)old_cap * sizeof *old);
}

/* Where there are frames it makes no difference who wrote a state: each frame has states of its own. */
static void rewrite_new(struct cc_collect *c, uint32_t id)
{
    struct cc_states *v = &c->states;
    if (id >= v->rewrites_cap) {
        v->rewrites = cc_extend(c, v->rewrites, &v->rewrites_cap, (size_t)id + 1, sizeof *v->rewrites);
        for (uint32_t i = 0; i < c->threads.n; i++)
            c->threads.v[i]->rewrites = v->rewrites;
    }
    const struct cc_state *s = cc_state_at(c, id);
    v->rewrites[id] = (struct cc_rewrite){.owner = c->frames.any ? 0 : cc_owner(s->writer, s->stack)};
}

void cc_rewrites_forget(struct cc_collect *c)
{
    for (uint32_t id = 1; id < c->states.all.n; id++)
        rewrite_new(c, id);
}

static uint32_t number_new(struct cc_collect *c)
{
    uint32_t id = c->states.free;
    c->states.used++;
    c->states.made++;
    if (id) {
        c->states.free = cc_state_at(c, id)->again;
        return id;
    }
    id = c->states.all.n;
    cc_grow_add(c, &c->states.all);
    return id;
}

static uint32_t state_intern(struct cc_collect *c, const struct cc_state *want)
{
    if (c->states.used * 2 >= c->states.index_cap)
        index_grow(c);
    uint64_t hash = state_hash(want);
    uint32_t slot = state_slot(c, want, hash);
    if (c->states.index[slot])
        return (uint32_t)c->states.index[slot];
    uint32_t id = number_new(c);
    *cc_state_at(c, id) = *want;
    rewrite_new(c, id);
    c->states.index[slot] = hash >> 32 << 32 | id;
    return id;
}

/* Lock held. */
static void make_empty(struct cc_collect *c, struct cc_node *n, uint32_t node, uint32_t frame)
{
    for (uint32_t stack = 0; stack < 2; stack++) {
        struct cc_state empty = {.writer = node, .frame = frame, .stack = stack, .added = CC_NONE};
        n->empty[stack] = state_intern(c, &empty);
    }
    n->frame = frame;
}

uint32_t cc_node_new(struct cc_collect *c, const struct cc_node *init)
{
    uint32_t id = c->nodes.all.n;
    struct cc_node *n = cc_grow_add(c, &c->nodes.all);
    *n = *init;
    if (n->group[CC_LEVEL_CONTEXT] == CC_NONE)
        n->group[CC_LEVEL_CONTEXT] = id;
    n->fold = CC_NONE;
    n->number = id;
    n->function = n->context == CC_NONE ? CC_OUTSIDE : cc_context_at(c, n->context)->function;
    n->finds = cc_finds_none;
    n->finds_mask = sizeof *n->finds;
    make_empty(c, n, id, n->frame);
    return id;
}

void cc_node_refresh(struct cc_collect *c, uint32_t node, uint32_t frame)
{
    struct cc_node *n = cc_node_at(c, node);
    cc_lock(c);
    if (n->frame != frame)
        make_empty(c, n, node, frame);
    cc_unlock(c);
}

void cc_node_enter(struct cc_thread *t, uint32_t node)
{
    struct cc_node *n = cc_node_at(t->owner, node);
    if (__builtin_expect(n->frame != t->frame, 0))
        cc_node_refresh(t->owner, node, t->frame);
    if (n->fold != t->fold) {
        n->fold = t->fold;
        if (t->ntouched == t->room.touched_cap)
            t->room.touched = cc_extend(t->owner, t->room.touched, &t->room.touched_cap, t->ntouched + 1,
                                        sizeof *t->room.touched);
        t->room.touched[t->ntouched++] = node;
    }
    if (n->blocks && (n->scope != t->own_scope || !t->own)) {
        cc_lock(t->owner);
        t->own = cc_block_counts(t->owner, CC_NONE, n->scope);
        cc_unlock(t->owner);
        t->own_scope = n->scope;
    }
    cc_node_take(t, n, node);
    if (t->owner->watch.nchannels)
        cc_watch_enter(t, n);
}

/* Beyond the bound a writer's bytes go to one state that is taken to hold every reader: `fresh` is then too
 * small, which the run says. Addresses are still marked at each read, so that they stay exact. */
static uint32_t full_state(struct cc_collect *c, const struct cc_state *s)
{
    c->states.cut = true;
    c->states.made++;
    struct cc_state full = {.writer = s->writer, .frame = s->frame, .stack = s->stack, .added = CC_NONE};
    full.hash = ~UINT64_C(0);
    full.size = CC_FULL;
    return state_intern(c, &full);
}

/* From now on the state may be anywhere, and stays as it is. */
static void publish(struct cc_state *s)
{
    if (!s->alone)
        return;
    s->alone = false;
    s->hash = 0;
    for (uint32_t i = 0; i < s->size; i++)
        s->hash += reader_hash(s->of.readers[i]);
}

static uint32_t state_after(struct cc_collect *c, uint32_t state, uint32_t reader, uint8_t fresh)
{
    struct cc_state next = *cc_state_at(c, state);
    next.again = 0;
    if (c->states.used >= c->opt.max_states)
        return full_state(c, &next);
    cc_readers_take(c, &next, state, reader);
    next.hash += reader_hash(reader);
    uint32_t used = c->states.used, id = state_intern(c, &next);
    if (c->states.used > used && next.size > CC_INSIDE)
        cc_readers_add(c, id, fresh);
    return id;
}

/* Lock held. */
static void transition_make(struct cc_thread *t, uint32_t state, struct cc_memo *m)
{
    struct cc_collect *c = t->owner;
    struct cc_state *s = cc_state_at(c, state);
    *m = (struct cc_memo){.node = t->node, .state = state, .next = state, .stack = s->stack};
    m->holds = s->size != CC_FULL && cc_readers_hold(c, s, t->node);
    if (!m->holds && s->size != CC_FULL) {
        publish(s);
        m->fresh = cc_readers_fresh(c, s, cc_node_at(c, t->node));
        m->next = state_after(c, state, t->node, m->fresh);
    }
    m->known = s->known && s->known != CC_MOVED && cc_readers_hold(c, cc_state_at(c, s->known), t->node);
    m->stream = cc_stream_find(t, s->writer, t->node)->number;
}

/* --- overwriting --- */

static uint32_t known_again(struct cc_collect *c, uint32_t known)
{
    cc_lock(c);
    struct cc_state *k = cc_state_at(c, known);
    publish(k);
    if (!k->again && c->states.used < c->opt.max_states / 2) {
        struct cc_state nobody = {
            .writer = k->writer, .frame = k->frame, .stack = k->stack, .added = CC_NONE, .known = known};
        k->again = state_intern(c, &nobody);
    }
    uint32_t again = k->again;
    cc_unlock(c);
    return again;
}

/* What is known may be less than what is true. It changes only for a set that is larger by half, so that the
 * states of a value with n readers are n log n at most; and not at all in programs with frames, each of which
 * has states of its own. */
static uint32_t overwrite(struct cc_thread *t, uint32_t old, uint32_t stack)
{
    struct cc_collect *c = t->owner;
    uint32_t plain = t->writer_state[stack];
    const struct cc_state *s = cc_state_at(c, old);
    if (s->writer != t->node || s->stack != stack || s->known == CC_MOVED || s->size == CC_FULL)
        return plain;
    uint32_t known = s->known, before = known ? cc_state_at(c, known)->size : 0;
    if (s->size > before + before / 2)
        known = old;
    uint32_t again = known ? known_again(c, known) : 0;
    return again ? again : plain;
}

/* It stays what it was once it is known: states do not change, and if there was no room for a new one, there
 * never is. */
uint32_t cc_overwrite(struct cc_thread *t, uint32_t old, uint32_t stack)
{
    if (!old || old == CC_SPLIT)
        return t->writer_state[stack];
    uint32_t next = cc_rewritten(t, old, stack);
    if (!next) {
        next = overwrite(t, old, stack);
        t->rewrites[old].next = next;
    }
    return next;
}

uint32_t cc_state_moved(struct cc_collect *c, uint32_t state)
{
    publish(cc_state_at(c, state));
    struct cc_state moved = *cc_state_at(c, state);
    if (!state || (moved.size == 0 && !moved.known) || moved.known == CC_MOVED)
        return state;
    moved.known = CC_MOVED;
    moved.again = 0;
    cc_lock(c);
    uint32_t id = state_intern(c, &moved);
    cc_unlock(c);
    return id;
}

/* States keep their numbers, which are all over the shadow memory; several may come to mean the same. */
void cc_states_forget(struct cc_collect *c)
{
    for (uint32_t i = 1; i < c->states.all.n; i++) {
        struct cc_state *s = cc_state_at(c, i);
        if (s->size != CC_FULL && s->writer != CC_NONE)
            *s = (struct cc_state){
                .writer = s->writer, .frame = s->frame, .stack = s->stack, .added = CC_NONE};
    }
    cc_states_index(c);
    cc_rewrites_forget(c);
    for (uint32_t k = 0; k < c->threads.n; k++) {
        struct cc_thread *t = c->threads.v[k];
        if (t->ended)
            continue;
        cc_lookups_forget(t);
        __builtin_memset(t->room.memo, 0, t->room.memo_cap * sizeof *t->room.memo);
        t->nmemo = 0;
    }
}

/* --- the memo of transitions --- */

enum { MEMO_MAX = 1 << 17, MEMO_WAYS = 8 };

/* Where it is, or could go: an empty slot or, where eight others are in its way, one of theirs. A memo may
 * forget, but never all at once. */
static struct cc_memo *memo_slot(struct cc_thread *t, uint32_t node, uint32_t state)
{
    size_t mask = t->room.memo_cap - 1;
    uint64_t h = cc_mix((uint64_t)node << 32 | state);
    for (size_t way = 0; way < MEMO_WAYS; way++) {
        struct cc_memo *m = &t->room.memo[(h + way) & mask];
        if (!m->state || (m->state == state && m->node == node))
            return m;
    }
    return &t->room.memo[(h + (h >> 40) % MEMO_WAYS) & mask];
}

static void memo_grow(struct cc_thread *t)
{
    struct cc_collect *c = t->owner;
    struct cc_memo *old = t->room.memo;
    size_t old_cap = t->room.memo_cap;
    if (old_cap >= MEMO_MAX)
        return;
    t->room.memo_cap = old_cap ? old_cap * 2 : 1024;
    t->room.memo = c->host.map(c->host.self, t->room.memo_cap * sizeof *old);
    for (size_t i = 0; i < old_cap; i++)
        if (old[i].state)
            *memo_slot(t, old[i].node, old[i].state) = old[i];
    cc_give_back(c, old, old_cap * sizeof *old);
}

static uint64_t *edge_of(struct cc_thread *t, const struct cc_stream *stream, uint32_t state)
{
    return cc_edge_find(t, stream, cc_state_at(t->owner, state)->frame);
}

/* What making a transition will look at is out of the cache where there is much of it: it is all fetched at
 * once, not one after the other. */
static void expect(const struct cc_thread *t, uint32_t state)
{
    const struct cc_collect *c = t->owner;
    struct cc_state next = *cc_state_at(c, state);
    cc_stream_expect(t, next.writer, t->node);
    next.hash += reader_hash(t->node);
    __builtin_prefetch(&c->states.index[state_hash(&next) & (c->states.index_cap - 1)]);
}

/* The memo's or one like it, where it is looked for first. */
static const struct cc_transition *transition_put(struct cc_thread *t, const struct cc_memo *m)
{
    struct cc_stream *stream = cc_stream_at(t, m->stream);
    uint64_t key = t->reader_key | m->state;
    uint32_t at = (m->state ^ cc_salt(t->node)) & (CC_LOOKUPS - 1);
    t->room.caches->moves[at] =
        (struct cc_transition){.key = key,
                               .stream = stream,
                               .edge = t->owner->frames.any ? edge_of(t, stream, m->state) : NULL,
                               .next = m->next,
                               .fresh = m->fresh,
                               .holds = m->holds,
                               .known = m->known,
                               .stack = m->stack};
    if (m->holds)
        t->room.caches->lookup[at] =
            (struct cc_lookup){key, stream, t->room.caches->moves[at].edge, m->stack};
    return &t->room.caches->moves[at];
}

const struct cc_transition *cc_transition_known(struct cc_thread *t, uint32_t state)
{
    if (!t->room.memo_cap || cc_state_at(t->owner, state)->alone)
        return NULL;
    const struct cc_memo *m = memo_slot(t, t->node, state);
    return m->state == state && m->node == t->node && m->next ? transition_put(t, m) : NULL;
}

const struct cc_transition *cc_transition_find(struct cc_thread *t, uint32_t state)
{
    if (t->nmemo * 2 >= t->room.memo_cap)
        memo_grow(t);
    expect(t, state);
    struct cc_memo *m = memo_slot(t, t->node, state);
    if (m->state != state || m->node != t->node || !m->next) {
        t->nmemo += !m->state;
        cc_lock(t->owner);
        if (__builtin_expect(t->owner->states.made >= t->owner->states.sweep_due, 0)) {
            cc_states_sweep(t->owner);
            m = memo_slot(t, t->node, state);
        }
        transition_make(t, state, m);
        cc_unlock(t->owner);
    }
    return transition_put(t, m);
}

/* --- states of one place --- */

/* Whether the transition was wanted lately; from now on it was. */
static bool remember(struct cc_thread *t, uint32_t state)
{
    if (t->nmemo * 2 >= t->room.memo_cap)
        memo_grow(t);
    struct cc_memo *m = memo_slot(t, t->node, state);
    if (m->state == state && m->node == t->node)
        return true;
    t->nmemo += !m->state;
    *m = (struct cc_memo){.node = t->node, .state = state};
    return false;
}

/* The state that is alone at the place: this one, or a new one like it. 0: there is to be none. */
static uint32_t alone_at(struct cc_thread *t, uint32_t state, uint64_t place)
{
    struct cc_collect *c = t->owner;
    const struct cc_state *s = cc_state_at(c, state);
    if (s->alone && s->place == place)
        return state;
    if (c->states.used >= c->opt.max_states / 4 || c->states.made >= c->states.sweep_due ||
        remember(t, state))
        return 0;
    uint32_t id = number_new(c);
    struct cc_state *own = cc_state_at(c, id);
    *own = *cc_state_at(c, state);
    own->again = 0;
    own->alone = true;
    own->place = place;
    rewrite_new(c, id);
    return id;
}

/* One that holds the reader, as looking at it told: there is nothing to remember for long. */
static const struct cc_transition *read_again(struct cc_thread *t, uint32_t state)
{
    const struct cc_state *s = cc_state_at(t->owner, state);
    cc_lock(t->owner);
    uint32_t stream = cc_stream_find(t, s->writer, t->node)->number;
    cc_unlock(t->owner);
    return transition_put(t, &(struct cc_memo){.node = t->node,
                                               .state = state,
                                               .next = state,
                                               .stream = stream,
                                               .holds = true,
                                               .stack = s->stack});
}

/* What is remembered of such a state is only that it holds readers, which stays true while it takes more. */
const struct cc_transition *cc_transition_alone(struct cc_thread *t, uint32_t state, uint64_t place)
{
    struct cc_collect *c = t->owner;
    const struct cc_state *before = cc_state_at(c, state);
    if (before->size >= CC_INSIDE || c->frames.any)
        return NULL;
    cc_stream_expect(t, before->writer, t->node);
    if (cc_readers_hold(c, before, t->node))
        return before->alone ? read_again(t, state) : NULL;
    cc_lock(c);
    uint32_t id = alone_at(t, state, place);
    if (id) {
        struct cc_state *s = cc_state_at(c, id);
        t->alone = (struct cc_transition){.next = id,
                                          .fresh = cc_readers_fresh(c, s, cc_node_at(c, t->node)),
                                          .known = s->known && s->known != CC_MOVED &&
                                                   cc_readers_hold(c, cc_state_at(c, s->known), t->node),
                                          .stack = s->stack,
                                          .stream = cc_stream_find(t, s->writer, t->node)};
        cc_readers_take(c, s, id, t->node);
    }
    cc_unlock(c);
    return id ? &t->alone : NULL;
}
