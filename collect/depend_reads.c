/* Reads of a cell, and those for which it has no room. */
#include "depend_internal.h"

enum { MAX_LINKS = 1 << 22 };

static uint32_t link_new(struct cc_depend *d, struct link init)
{
    uint32_t i = d->free_link;
    if (i) {
        d->free_link = d->links[i].next;
    } else {
        d->links = cc_depend_extend(d, d->links, &d->links_cap, d->nlinks + 1, sizeof *d->links);
        i = (uint32_t)d->nlinks++;
    }
    init.behind = init.next ? (uint16_t)(d->links[init.next].behind + 1) : 0;
    d->links[i] = init;
    return i;
}

void cc_depend_links_free(struct cc_depend *d, uint32_t first)
{
    uint32_t last = first;
    while (d->links[last].next)
        last = d->links[last].next;
    d->links[last].next = d->free_link;
    d->free_link = first;
}

void cc_depend_reads_get(const struct cc_depend *d, cell_at c, struct reads *r)
{
    uint32_t slots = has_chain(c) ? c.slots - 1 : c.slots;
    r->n = 0;
    for (uint32_t i = 0; i < slots && c.reads[i]; i++)
        r->v[r->n++] = (struct link){.stamp = c.reads[i], .site = c.read_sites[i]};
    if (slots == c.slots)
        return;
    uint32_t from = r->n;
    for (uint32_t l = c.reads[c.slots - 1]; l && r->n < CELL_READS + MAX_CHAIN; l = d->links[l].next)
        r->v[r->n++] = d->links[l];
    for (uint32_t i = from, k = r->n; i + 1 < k; i++) { /* the chain has the newest first */
        struct link swap = r->v[i];
        r->v[i] = r->v[--k];
        r->v[k] = swap;
    }
}

void cc_depend_reads_put(struct cc_depend *d, cell_at c, const struct reads *r)
{
    cc_depend_drop_reads(d, c);
    uint32_t slots = r->n > c.slots ? c.slots - 1 : c.slots, i = 0;
    for (; i < slots && i < r->n; i++) {
        c.reads[i] = r->v[i].stamp;
        c.read_sites[i] = r->v[i].site;
    }
    uint32_t chain = 0;
    for (; i < r->n; i++)
        chain = link_new(d, (struct link){.stamp = r->v[i].stamp, .site = r->v[i].site, .next = chain});
    if (chain) {
        c.reads[c.slots - 1] = chain;
        c.read_sites[c.slots - 1] = SITE_CHAIN;
    }
}

/* Whether a loop that is under way was entered after a, at b or before. */
static bool entered_between(const struct cc_depend *d, uint32_t a, uint32_t b)
{
    for (const struct cc_depend_thread *x = d->threads; x; x = x->next) {
        size_t low = 0, high = x->nloops; /* the first one entered after a */
        while (low < high) {
            size_t mid = (low + high) / 2;
            if (x->loops[mid].invocation > a)
                high = mid;
            else
                low = mid + 1;
        }
        if (low < x->nloops && x->loops[low].invocation <= b)
            return true;
        for (size_t i = 0; i < x->nloops; i++) /* of a loop that another goes on with too */
            if (x->loops[i].before > a && x->loops[i].before <= b)
                return true;
    }
    return false;
}

/* Reads that no loop under way needs any more go. */
static void reads_compact(const struct cc_depend *d, struct reads *r)
{
    uint32_t kept = 0, before = 0;
    for (uint32_t i = 0; i < r->n; i++) {
        uint32_t stamp = r->v[i].stamp;
        if (entered_between(d, before, stamp))
            r->v[kept++] = r->v[i];
        before = stamp;
    }
    r->n = kept;
}

/* There is no room in its cell. */
static __attribute__((noinline)) void chain_read(struct cc_depend *d, cell_at c, uint16_t site)
{
    struct reads r;
    cc_depend_reads_get(d, c, &r);
    reads_compact(d, &r);
    if (r.n < CELL_READS + MAX_CHAIN - 1 && (d->nlinks < MAX_LINKS || d->free_link))
        r.v[r.n++] = (struct link){.stamp = d->stamp, .site = site};
    else
        d->cut = true;
    cc_depend_reads_put(d, c, &r);
}

/* Whether a loop that is under way was entered between them: the earliest read since then is needed. */
static bool is_needed(const struct cc_depend_thread *x, uint32_t before, uint32_t stamp)
{
    return (cc_depend_where(x, stamp) + 1) / 2 > (cc_depend_where(x, before) + 1) / 2;
}

/* The newest of a chain that were for loops which are over; in a thread by itself there are no others. */
static void chain_drop(struct cc_depend_thread *x, cell_at c)
{
    struct cc_depend *d = x->owner;
    uint32_t last = c.slots - 1;
    while (has_chain(c)) {
        uint32_t n = c.reads[last];
        struct link *l = &d->links[n];
        uint32_t before = l->next ? d->links[l->next].stamp : last ? c.reads[last - 1] : 0;
        if (is_needed(x, before, l->stamp))
            return;
        c.reads[last] = l->next;
        c.read_sites[last] = l->next ? SITE_CHAIN : SITE_NONE;
        l->next = d->free_link;
        d->free_link = n;
    }
}

/* The newest of a chain was for an invocation of the innermost loop that is over, and what is before it is
 * for a loop around: only the newest changes. Whether it was so. */
static bool chain_renew(struct cc_depend_thread *x, cell_at c, uint16_t site)
{
    struct cc_depend *d = x->owner;
    uint32_t last = c.slots - 1;
    if (!has_chain(c) || x->nloops < 2)
        return false;
    uint32_t entered = x->bounds[2 * x->nloops - 4];
    struct link *l = &d->links[c.reads[last]];
    const struct link *older = l->next ? &d->links[l->next] : NULL;
    uint32_t slot = last ? c.reads[last - 1] : 0;
    if (older) {
        uint32_t before = older->next ? d->links[older->next].stamp : slot;
        if (before >= entered || entered > older->stamp)
            return false;
    } else if (entered > slot) {
        return false;
    }
    l->stamp = d->stamp;
    l->site = site;
    return true;
}

void cc_depend_chain_push(struct cc_depend_thread *x, cell_at c, uint16_t site)
{
    struct cc_depend *d = x->owner;
    uint32_t last = c.slots - 1;
    bool longest = has_chain(c) && d->links[c.reads[last]].behind >= MAX_CHAIN - 2;
    if (d->threads->next || x->ncontinued || longest || d->nlinks >= MAX_LINKS) {
        chain_read(d, c, site);
        return;
    }
    if (chain_renew(x, c, site))
        return;
    chain_drop(x, c);
    if (!c.reads[last]) {
        c.reads[last] = d->stamp;
        c.read_sites[last] = site;
        return;
    }
    uint32_t next = has_chain(c)
                        ? c.reads[last]
                        : link_new(d, (struct link){.stamp = c.reads[last], .site = c.read_sites[last]});
    c.reads[last] = link_new(d, (struct link){.stamp = d->stamp, .site = site, .next = next});
    c.read_sites[last] = SITE_CHAIN;
}
