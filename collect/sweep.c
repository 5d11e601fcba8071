/* States that no byte is in any more are thrown away, so that those that are kept stay few: a program whose
 * values pass through many hands makes one at nearly every read and soon leaves it. All of the shadow memory
 * is looked through for them, so it is done when so many were made that this does not count.
 *
 * A state's number stays what it is; the numbers of those that are gone are given out again, so everything
 * that remembers states forgets those. */
#include "internal.h"
#include "quick.h"

enum { CHUNK_WORTH = 1 << 12 }; /* states that take as long to make as a chunk to look through */

struct sweep {
    struct cc_collect *c;
    uint64_t *states, *families; /* a bit of each that is kept */
};

static bool is_kept(const uint64_t *bits, uint32_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static bool keep(uint64_t *bits, uint32_t i) /* whether it was not yet */
{
    uint64_t bit = UINT64_C(1) << (i % 64);
    bool new = !(bits[i / 64] & bit);
    bits[i / 64] |= bit;
    return new;
}

/* With what it refers to. Sets grow by one from parent to child and by half from `known` to who knows, so the
 * latter are few. */
static void keep_state(struct sweep *w, uint32_t state)
{
    while (state && keep(w->states, state)) {
        const struct cc_state *s = cc_state_at(w->c, state);
        if (s->known && s->known != CC_MOVED)
            keep_state(w, s->known);
        if (s->size <= CC_INSIDE || s->size == CC_FULL)
            return;
        for (uint32_t f = s->of.many.family; f && keep(w->families, f);)
            f = ((struct cc_family *)cc_grow_at(&w->c->states.families, f))->parent;
        state = s->of.many.parent;
    }
}

static void keep_bytes(struct sweep *w, uint64_t a)
{
    const cc_cell *bytes = cc_bytes_at(w->c, a);
    for (uint32_t i = 0; i < 4; i++)
        keep_state(w, bytes[i]);
}

static void keep_chunk(struct sweep *w, uint64_t chunk)
{
    const cc_cell *cells = w->c->shadow.directory[chunk];
    cc_cell last = 0;
    for (uint32_t i = 0; i < CC_CHUNK_CELLS; i++) {
        if (cells[i] == last)
            continue;
        last = cells[i];
        if (last == CC_SPLIT) {
            keep_bytes(w, chunk << CC_CHUNK_BITS | (uint64_t)i << 2);
            last = 0;
        } else {
            keep_state(w, last);
        }
    }
}

static void drop_states(struct sweep *w)
{
    struct cc_states *v = &w->c->states;
    v->free = v->used = 0;
    for (uint32_t i = v->all.n - 1; i; i--) {
        struct cc_state *s = cc_state_at(w->c, i);
        if (is_kept(w->states, i)) {
            v->used++;
            s->again = is_kept(w->states, s->again) ? s->again : 0;
        } else {
            *s = (struct cc_state){.writer = CC_NONE, .again = v->free};
            v->free = i;
        }
    }
    cc_states_index(w->c);
}

/* Made anew with room for all: from one table in its order into a smaller one that grows, they would crowd.
 */
static void drop_members(struct sweep *w)
{
    struct cc_states *v = &w->c->states;
    struct cc_index old = v->members;
    size_t n = 0;
    for (size_t i = 0; i < old.cap; i++)
        n += old.keys[i] && is_kept(w->families, cc_member_family(old.keys[i]));
    v->members = (struct cc_index){0};
    cc_index_room(w->c, &v->members, n);
    for (size_t i = 0; i < old.cap; i++) {
        if (!old.keys[i] || !is_kept(w->families, cc_member_family(old.keys[i])))
            continue;
        size_t slot = cc_index_slot(w->c, &v->members, old.keys[i]);
        v->members.keys[slot] = old.keys[i];
        v->members.values[slot] = old.values[i];
        v->members.n++;
    }
    cc_give_back(w->c, old.keys, old.cap * sizeof *old.keys);
    cc_give_back(w->c, old.values, old.cap * sizeof *old.values);
}

static void drop_families(struct sweep *w)
{
    struct cc_states *v = &w->c->states;
    v->free_family = 0;
    for (uint32_t i = v->families.n - 1; i; i--) {
        if (is_kept(w->families, i))
            continue;
        *(struct cc_family *)cc_grow_at(&v->families, i) = (struct cc_family){.parent = v->free_family};
        v->free_family = i;
    }
}

/* The memo finds what lies behind a gap no more; it may forget. */
static void forget(struct sweep *w, struct cc_thread *t)
{
    cc_lookups_forget(t);
    t->nmemo = 0;
    for (size_t i = 0; i < t->room.memo_cap; i++) {
        struct cc_memo *m = &t->room.memo[i];
        if (m->state && is_kept(w->states, m->state) && is_kept(w->states, m->next))
            t->nmemo++;
        else
            m->state = 0;
    }
}

void cc_states_sweep(struct cc_collect *c)
{
    struct cc_states *v = &c->states;
    v->made = 0;
    if (c->host.lock && c->threads.n > 1)
        return; /* others run meanwhile */
    cc_finds_forget(c);
    size_t bits = (v->all.n / 64 + 1) * sizeof(uint64_t),
           families = (v->families.n / 64 + 1) * sizeof(uint64_t);
    struct sweep w = {c, c->host.map(c->host.self, bits), c->host.map(c->host.self, families)};
    for (uint32_t i = 0; i < c->shadow.nchunks; i++)
        keep_chunk(&w, c->shadow.chunks[i]);
    for (uint32_t i = 0; i < c->nodes.all.n; i++)
        for (uint32_t stack = 0; stack < 2; stack++)
            keep_state(&w, cc_node_at(c, i)->empty[stack]);
    drop_states(&w);
    cc_rewrites_forget(c);
    drop_members(&w);
    drop_families(&w);
    for (uint32_t i = 0; i < c->threads.n; i++)
        if (!c->threads.v[i]->ended)
            forget(&w, c->threads.v[i]);
    c->host.unmap(c->host.self, w.states, bits);
    c->host.unmap(c->host.self, w.families, families);
    uint64_t looked = (uint64_t)c->shadow.nchunks * CHUNK_WORTH, due = v->least;
    due = due < v->used / 2 ? v->used / 2 : due;
    v->sweep_due = (uint32_t)(due < looked ? looked : due);
}
