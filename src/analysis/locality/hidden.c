#include "hidden.h"
#include "../../base/base.h"

enum { MOST = 1 << 14 }; /* runs that are held at once */

struct hidden_run {
    double next;     /* time of its next access */
    double changing; /* from a load to the next, or to the store of what was made of them */
    double length;   /* of a group with its loads */
    uint64_t address, first, last;
    uint32_t loads, stores, groups; /* groups: of stores that follow each other at once */
    uint32_t loaded, stored;        /* of these, done */
    bool stack;
};

/* --- one run --- */

/* Loads that come before its store `i`: it changes what it finds. */
static uint32_t loads_before(const struct hidden_run *r, uint32_t i)
{
    return (uint32_t)((uint64_t)r->loads * (i + 1) / r->stores);
}

static bool is_store(const struct hidden_run *r)
{
    return r->stored < r->stores && r->loaded == loads_before(r, r->stored);
}

static uint32_t group_of(const struct hidden_run *r, uint32_t i)
{
    return (uint32_t)((uint64_t)i * r->groups / r->stores);
}

/* Begin of group or load `i` of `n`: the first begins with the run, the last ends with it. */
static double part(const struct hidden_run *r, uint32_t i, uint32_t n)
{
    double room = CC_MAX((double)(r->last - r->first) - r->length, 0.0);
    return (double)r->first + (n > 1 ? room * i / (n - 1) : 0);
}

/* When its next access is, now that one was done. */
static void plan(struct hidden_run *r, bool stored)
{
    double next = r->next;
    if (!r->stores)
        next = part(r, r->loaded, r->loads);
    else if (!stored)
        next += r->changing;
    else if (group_of(r, r->stored) == group_of(r, r->stored - 1))
        next += 1;
    else
        next = part(r, group_of(r, r->stored), r->groups);
    r->next = CC_MAX(r->next, next);
}

static bool is_over(const struct hidden_run *r)
{
    return r->stored == r->stores && (r->stores || r->loaded == r->loads);
}

/* --- all runs of a piece --- */

static void sink(struct hidden *h, size_t i)
{
    struct hidden_run r = h->runs[i];
    for (size_t c; (c = 2 * i + 1) < h->n; i = c) {
        c += c + 1 < h->n && h->runs[c + 1].next < h->runs[c].next;
        if (h->runs[c].next >= r.next)
            break;
        h->runs[i] = h->runs[c];
    }
    h->runs[i] = r;
}

static void push(struct hidden *h, struct hidden_run r)
{
    if (h->n == h->cap) {
        h->cap = h->cap ? 2 * h->cap : 64;
        h->runs = cc_realloc_array(h->runs, h->cap, sizeof *h->runs);
    }
    r.next = (double)r.first;
    r.length = r.stores ? r.changing * r.loads / r.stores + (double)r.stores / r.groups - 1 : 0;
    h->runs[h->n++] = r;
}

/* Lines that are changed again and again: loads at even distances before each change. Else there are loads,
 * then stores, or the other way round. */
static void add(struct hidden *h, const struct cc_line_event *e)
{
    bool wanted = e->loads && h->wanted && h->wanted(h->self, e);
    struct hidden_run r = {.address = e->address,
                           .first = e->first,
                           .last = e->last,
                           .stores = (uint32_t)e->stores,
                           .groups = (uint32_t)CC_MAX(CC_MIN(e->bursts + 1, e->stores), UINT64_C(1)),
                           .stack = e->flags & CC_LINES_STACK};
    if (e->changes > 1 && e->stores) {
        uint64_t changing = e->changing / e->changes;
        r.loads = wanted ? (uint32_t)CC_MAX(e->loads, UINT64_C(1)) : 0;
        r.changing = wanted ? (double)e->changing / (double)CC_MAX(e->loads, e->changes) : 0;
        r.first += wanted ? 0 : CC_MIN(changing, r.last - r.first);
        wanted = false;
    }
    uint64_t middle =
        e->first + (e->last - e->first) / (e->loads + e->stores + 1) * (e->changes ? e->loads : e->stores);
    if (wanted && r.stores)
        *(e->changes ? &r.first : &r.last) = middle;
    if (r.stores)
        push(h, r);
    if (!wanted)
        return;
    struct hidden_run loads = {.address = e->address,
                               .first = r.stores && !e->changes ? middle : e->first,
                               .last = r.stores && e->changes ? middle : e->last,
                               .loads = (uint32_t)e->loads,
                               .stack = r.stack};
    push(h, loads);
}

/* Counts stand behind what they count, by little more than the filter of the recorder keeps a line. */
static void look_ahead(struct hidden *h)
{
    struct cc_line_event e;
    size_t before = h->n;
    h->known = h->until;
    while (cc_line_next(&h->ahead, h->until, &e)) {
        if (!(e.flags & CC_LINES_COUNT))
            continue;
        add(h, &e);
        if (h->n >= before + MOST) {
            h->known = e.time;
            break;
        }
    }
    for (size_t i = h->n; i-- > 0;)
        sink(h, i);
}

void cc_hidden_begin(struct hidden *h, const struct cc_line_cursor *at, uint64_t until)
{
    h->ahead = *at;
    h->until = until;
    h->n = 0;
    look_ahead(h);
}

bool cc_hidden_next(struct hidden *h, double before, struct hidden_access *ret)
{
    while (h->known < h->until && (!h->n || h->runs[0].next >= (double)h->known))
        look_ahead(h);
    if (!h->n || h->runs[0].next >= before)
        return false;
    struct hidden_run *r = &h->runs[0];
    bool store = is_store(r);
    *ret = (struct hidden_access){r->next, r->address, store, r->stack};
    r->stored += store;
    r->loaded += !store;
    if (is_over(r))
        *r = h->runs[--h->n];
    else
        plan(r, store);
    if (h->n)
        sink(h, 0);
    return true;
}

void cc_hidden_fini(struct hidden *h)
{
    free(h->runs);
}
