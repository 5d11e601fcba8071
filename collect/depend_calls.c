/* Calls of one activation, and its code between them, in the place of iterations: who needs whom. */
#include "depend_internal.h"

static struct cc_depend_segments *segments_of(struct cc_depend_thread *x, size_t level)
{
    x->segments = cc_depend_extend(x->owner, x->segments, &x->segments_cap, level + 1, sizeof *x->segments);
    return &x->segments[level];
}

/* As many as there are, up to what is kept. */
static void segments_grow(struct cc_depend *d, struct cc_depend_segments *s, uint64_t number)
{
    struct cc_depend_segments old = *s;
    s->cap = old.cap ? 2 * old.cap : 8;
    s->stamps = d->host.map(d->host.self, s->cap * sizeof *s->stamps);
    s->tags = d->host.map(d->host.self, s->cap * sizeof *s->tags);
    for (uint64_t i = number > old.cap ? number - old.cap : 0; old.cap && i < number; i++) {
        s->stamps[i & (s->cap - 1)] = old.stamps[i & (old.cap - 1)];
        s->tags[i & (s->cap - 1)] = old.tags[i & (old.cap - 1)];
    }
    if (!old.cap)
        return;
    d->host.unmap(d->host.self, old.stamps, old.cap * sizeof *old.stamps);
    d->host.unmap(d->host.self, old.tags, old.cap * sizeof *old.tags);
}

void cc_depend_segment_put(struct cc_depend_thread *x, size_t level)
{
    struct cc_depend_segments *s = segments_of(x, level);
    const struct cc_depend_loop *l = &x->loops[level];
    if (l->number >= s->cap && s->cap < CC_DEPEND_SEGMENTS)
        segments_grow(x->owner, s, l->number);
    s->stamps[l->number & (s->cap - 1)] = l->iteration;
    s->tags[l->number & (s->cap - 1)] = l->tag;
}

/* How many segments ago that was; 0: longer than is kept. */
static uint32_t segments_ago(const struct cc_depend_segments *s, const struct cc_depend_loop *l,
                             uint32_t stamp)
{
    uint64_t low = 1, high = l->number < s->cap - 1 ? l->number : s->cap - 1, none = high + 1;
    for (high++; low < high;) {
        uint64_t mid = (low + high) / 2;
        if (s->stamps[(l->number - mid) & (s->cap - 1)] <= stamp)
            high = mid;
        else
            low = mid + 1;
    }
    return low < none ? (uint32_t)low : 0;
}

/* Who it was: the call, or of code between calls the instruction. */
static uint64_t who(const struct cc_depend *d, uint64_t tag, uint16_t site)
{
    return tag ? tag : site < SITE_ANY ? d->sites[site].address : 0;
}

/* One more row, or the one that is like it. */
static uint32_t row_of(struct cc_depend *d, struct cc_rec_dependence *r, const struct cc_depend_met *m)
{
    size_t before = d->nfound;
    uint32_t at = cc_depend_number(d, r);
    if (d->nfound > before) { /* one example */
        d->overwritten[at].low = m->first < SITE_ANY ? d->sites[m->first].address : 0;
        d->overwritten[at].high = m->second < SITE_ANY ? d->sites[m->second].address : 0;
    }
    return at;
}

/* Code between calls is one thing after the other, whatever becomes of the calls: that it needs itself is
 * nothing new. Two calls go through what they share one access after the other, so mostly it is the row that
 * was found last. */
void cc_depend_found_call(struct cc_depend_thread *x, const struct cc_depend_loop *by,
                          const struct cc_depend_met *m)
{
    struct cc_depend *d = x->owner;
    struct cc_depend_segments *s = &x->segments[by - x->loops];
    uint32_t n = segments_ago(s, by, m->stamp);
    uint64_t tag = n ? s->tags[(by->number - n) & (s->cap - 1)] : 0;
    if (n && !tag && !by->tag)
        return;
    struct cc_rec_dependence r = {.loop = by->loop,
                                  .kind = m->kind,
                                  .place = m->place,
                                  .owner = CC_NONE,
                                  .flags = (tag ? CC_DEPENDENCE_FIRST_CALL : 0) |
                                           (by->tag ? CC_DEPENDENCE_SECOND_CALL : 0),
                                  .first = n ? who(d, tag, m->first) : 0,
                                  .second = who(d, by->tag, m->second),
                                  .size = m->size};
    struct cc_depend_again other, *last = m->kind < CC_DEPEND_AGAIN ? &s->again[m->kind] : &other;
    struct cc_depend_again now = {r.first, r.second, r.loop, last == &other ? 0 : last->row};
    if (!now.row || last->first != now.first || last->second != now.second || last->loop != now.loop)
        now.row = row_of(d, &r, m) + 1;
    *last = now;
    d->found[now.row - 1].count += m->size;
    cc_depend_note_distance(&d->found[now.row - 1], n);
}

void cc_depend_followed(struct cc_depend_thread *x, const struct cc_depend_loop *l)
{
    if (l->iteration < l->whole)
        return;
    const struct cc_depend_segments *s = &x->segments[l - x->loops];
    uint64_t before = 0, last = (l->number - 2) & (s->cap - 1);
    if (l->number >= 2 && s->stamps[last] >= l->whole)
        before = s->tags[last];
    struct cc_rec_dependence r = {.loop = l->loop,
                                  .kind = CC_DEPENDENCE_READS,
                                  .first = before,
                                  .second = l->tag,
                                  .flags = CC_DEPENDENCE_FIRST_CALL | CC_DEPENDENCE_SECOND_CALL,
                                  .owner = CC_NONE};
    uint32_t at = cc_depend_number(x->owner, &r); /* which may move all that was found */
    x->owner->found[at].count++;
}

void cc_depend_unsure(struct cc_depend *d, uint32_t function)
{
    struct cc_rec_dependence r = {
        .loop = function, .kind = CC_DEPENDENCE_EXPOSED, .flags = CC_DEPENDENCE_FOLDED, .owner = CC_NONE};
    uint32_t at = cc_depend_number(d, &r);
    d->found[at].count++;
}

/* Of each activation under way: the call it makes did it. */
void cc_depend_system_call(struct cc_depend_thread *x, uint32_t number, uint64_t call)
{
    if (!x->owner->on)
        return;
    for (size_t i = 0; i < x->nloops; i++) {
        const struct cc_depend_loop *l = &x->loops[i];
        struct cc_rec_dependence r = {.loop = l->loop,
                                      .kind = CC_DEPENDENCE_SYSTEM,
                                      .first = l->tag ? l->tag : call,
                                      .second = l->tag ? l->tag : call,
                                      .flags = l->tag ? CC_DEPENDENCE_FIRST_CALL : 0,
                                      .place = number,
                                      .owner = CC_NONE};
        uint32_t at = cc_depend_number(x->owner, &r);
        x->owner->found[at].count++;
    }
}

void cc_depend_put_calls(const struct cc_depend *d, const struct cc_depend_writer *w)
{
    for (size_t i = 0; i < d->nfound; i++) {
        struct cc_rec_dependence r = d->found[i];
        r.first_callee = d->overwritten[i].low;
        r.second_callee = d->overwritten[i].high;
        if (r.count || r.flags & CC_DEPENDENCE_FOLDED)
            w->put(w->self, &r);
    }
}
