/* Sets of readers: who has read a value since it was written.
 *
 * Few readers lie in the state itself. A larger set is its parent's plus one reader. Sets that grew one from
 * the other form a family, in which each reader has a place: the size of the first set that holds it. A state
 * of size n then holds whom the family took in at n or before, so that asking costs one look-up however large
 * the set is. Where a set grows in two ways, the second begins a family of its own, which inherits what its
 * parent held at the fork; beyond a few forks the inheritance is copied. */
#include "internal.h"

enum {
    MAX_FORKS = 6,
    LEVEL_NODE = CC_LEVELS
}; /* readers are kept by node and by their group at each level */

static struct cc_family *family_at(const struct cc_collect *c, uint32_t i)
{
    return cc_grow_at(&c->states.families, i);
}

/* Exact: families are fewer than 2^28 (cc_options.max_states bounds them) and never 0, so no key is 0. */
static uint64_t member_key(uint32_t family, uint32_t level, uint32_t group)
{
    return (uint64_t)family << 35 | (uint64_t)level << 32 | group;
}

static void member_put(struct cc_collect *c, uint64_t key, uint32_t place)
{
    size_t slot = cc_index_slot(c, &c->states.members, key);
    if (c->states.members.keys[slot])
        return;
    c->states.members.keys[slot] = key;
    c->states.members.values[slot] = place;
    c->states.members.n++;
}

static void member_add(struct cc_collect *c, uint32_t family, uint32_t place, uint32_t node, uint8_t levels)
{
    const struct cc_node *n = cc_node_at(c, node);
    for (uint32_t level = 0; level < CC_LEVELS; level++)
        if (levels >> level & 1)
            member_put(c, member_key(family, level, n->group[level]), place);
    member_put(c, member_key(family, LEVEL_NODE, node), place);
}

static bool holds(struct cc_collect *c, const struct cc_state *s, uint32_t level, uint32_t group)
{
    uint32_t limit = s->size;
    for (uint32_t family = s->of.many.family; family;) {
        uint64_t key = member_key(family, level, group);
        size_t slot = cc_index_slot(c, &c->states.members, key);
        if (c->states.members.keys[slot] && c->states.members.values[slot] <= limit)
            return true;
        const struct cc_family *f = family_at(c, family);
        limit = f->limit < limit ? f->limit : limit;
        family = f->parent;
    }
    return false;
}

bool cc_readers_hold(struct cc_collect *c, const struct cc_state *s, uint32_t node)
{
    if (s->size > CC_INSIDE)
        return s->of.many.contexts & cc_reader_bit(cc_node_at(c, node)->group[CC_LEVEL_CONTEXT]) &&
               holds(c, s, LEVEL_NODE, node);
    bool found = false;
    for (uint32_t i = 0; i < s->size; i++)
        found |= s->of.readers[i] == node;
    return found;
}

/* Without looking for it. */
static bool is_new(const struct cc_state *s, uint32_t level, uint32_t group)
{
    return (level == CC_LEVEL_CONTEXT && !(s->of.many.contexts & cc_reader_bit(group))) ||
           (level == CC_LEVEL_FUNCTION && !(s->of.many.functions & cc_reader_bit(group)));
}

static uint8_t fresh_inside(struct cc_collect *c, const struct cc_state *s, const struct cc_node *reader)
{
    uint8_t fresh = (1u << CC_LEVELS) - 1;
    for (uint32_t i = 0; i < s->size; i++) {
        const uint32_t *group = cc_node_at(c, s->of.readers[i])->group;
        for (uint32_t level = 0; level < CC_LEVELS; level++)
            fresh &= (uint8_t) ~((group[level] == reader->group[level]) << level);
    }
    return fresh;
}

uint8_t cc_readers_fresh(struct cc_collect *c, const struct cc_state *s, const struct cc_node *reader)
{
    if (s->size <= CC_INSIDE)
        return fresh_inside(c, s, reader);
    const struct cc_node *last = cc_node_at(c, s->added); /* mostly of the same thread and region */
    uint8_t fresh = 0;
    for (uint32_t level = 0; level < CC_LEVELS; level++)
        if (last->group[level] != reader->group[level] &&
            (is_new(s, level, reader->group[level]) || !holds(c, s, level, reader->group[level])))
            fresh |= (uint8_t)(1u << level);
    return fresh;
}

/* A family without a parent that holds all of the state's chain. */
static void inherit(struct cc_collect *c, uint32_t state, uint32_t family, uint32_t size)
{
    const struct cc_state *link = cc_state_at(c, state);
    for (; link->size > CC_INSIDE; link = cc_state_at(c, link->of.many.parent))
        member_add(c, family, size, link->added, (1u << CC_LEVELS) - 1);
    for (uint32_t i = 0; i < link->size; i++)
        member_add(c, family, size, link->of.readers[i], (1u << CC_LEVELS) - 1);
}

static uint32_t family_new(struct cc_collect *c)
{
    uint32_t id = c->states.free_family;
    if (!id) {
        id = c->states.families.n;
        cc_grow_add(c, &c->states.families);
        return id;
    }
    c->states.free_family = family_at(c, id)->parent;
    *family_at(c, id) = (struct cc_family){0};
    return id;
}

static void add_bits(struct cc_collect *c, struct cc_state *s, uint32_t node)
{
    s->of.many.contexts |= cc_reader_bit(cc_node_at(c, node)->group[CC_LEVEL_CONTEXT]);
    s->of.many.functions |= cc_reader_bit(cc_node_at(c, node)->group[CC_LEVEL_FUNCTION]);
}

void cc_readers_take(struct cc_collect *c, struct cc_state *s, uint32_t state, uint32_t node)
{
    s->added = node;
    if (s->size++ < CC_INSIDE) {
        s->of.readers[s->size - 1] = node;
        return;
    }
    const struct cc_state *before = cc_state_at(c, state);
    if (before->size == CC_INSIDE) {
        __builtin_memset(&s->of, 0, sizeof s->of);
        for (uint32_t i = 0; i < CC_INSIDE; i++)
            add_bits(c, s, before->of.readers[i]);
    }
    s->of.many.parent = state;
    add_bits(c, s, node);
}

void cc_readers_add(struct cc_collect *c, uint32_t state, uint8_t fresh)
{
    struct cc_state *s = cc_state_at(c, state);
    const struct cc_state *before = cc_state_at(c, s->of.many.parent);
    uint32_t from = before->size > CC_INSIDE ? before->of.many.family : 0;
    if (from && family_at(c, from)->tip == s->size - 1) {
        s->of.many.family = from;
        family_at(c, from)->tip = s->size;
        member_add(c, from, s->size, s->added, fresh);
        return;
    }
    uint32_t forks = from ? family_at(c, from)->forks + 1 : 0, family = family_new(c);
    struct cc_family *f = family_at(c, family);
    s->of.many.family = family;
    f->tip = s->size;
    if (!from || forks > MAX_FORKS) {
        inherit(c, state, family, s->size);
        return;
    }
    f->parent = from;
    f->limit = s->size - 1;
    f->forks = forks;
    member_add(c, family, s->size, s->added, fresh);
}
