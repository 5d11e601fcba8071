#include "hidden.h"
#include "../../base/base.h"

enum { MOST = 1 << 14 }; /* runs that are held at once */

struct hidden_run {
    double next;  /* time of its next access */
    double scale; /* of the distances behind those that were recorded */
    uint64_t address;
    const unsigned char *pattern, *at; /* its accesses, and the next of them */
    const unsigned char *again;        /* those that come again, `cycle` of them, behind the last */
    uint32_t cycle;
    uint32_t left[CC_LINE_KINDS]; /* to come */
    uint32_t done, all;
    enum cc_line_kind kind; /* of the next */
    bool stack, loads;      /* loads: they are made */
};

/* --- one run --- */

static bool is_made(const struct hidden_run *r, enum cc_line_kind kind)
{
    return kind != CC_LINE_LOAD || r->loads;
}

/* Goes on to the next access that is made. false: there is none. */
static bool advance(struct hidden_run *r)
{
    while (r->left[CC_LINE_STORE] || r->left[CC_LINE_ATOMIC] || (r->loads && r->left[CC_LINE_LOAD])) {
        if (r->done >= CC_LINES_PATTERN && (r->done - CC_LINES_PATTERN) % r->cycle == 0)
            r->at = r->again;
        uint32_t entry = cc_line_pattern(&r->at), kind = entry & 3;
        if (r->done)
            r->next += (entry >> 2) * (r->done < CC_LINES_PATTERN ? 1 : r->scale);
        while (!r->left[kind])
            kind = (kind + 1) % CC_LINE_KINDS;
        r->left[kind]--;
        r->done++;
        r->kind = (enum cc_line_kind)kind;
        if (is_made(r, r->kind))
            return true;
    }
    return false;
}

/* Where in the pattern it goes on behind its end: where what comes before is most like its end, so that what
 * is done again and again goes on in step; from its begin if nothing is. */
static uint32_t find_cycle(const uint32_t v[CC_LINES_PATTERN])
{
    enum { ENOUGH = CC_LINES_PATTERN / 4 };
    uint32_t best = 0, length = ENOUGH - 1;
    for (uint32_t at = 1; at < CC_LINES_PATTERN; at++) {
        uint32_t n = 0;
        while (n < at && v[at - 1 - n] == v[CC_LINES_PATTERN - 1 - n])
            n++;
        if (n > length) {
            best = at;
            length = n;
        }
    }
    return best;
}

/* How it goes on behind what was recorded one by one, and what distances are multiplied by there, so that the
 * last access comes when it came. */
static void plan(struct hidden_run *r, uint64_t first, uint64_t last)
{
    if (r->all <= CC_LINES_PATTERN)
        return;
    uint32_t v[CC_LINES_PATTERN], rest = r->all - CC_LINES_PATTERN;
    const unsigned char *at = r->pattern;
    double room = (double)(last - first), sum = 0, part = 0;
    for (uint32_t i = 0; i < CC_LINES_PATTERN; i++) {
        v[i] = cc_line_pattern(&at);
        room -= i ? v[i] >> 2 : 0;
    }
    uint32_t from = find_cycle(v);
    at = r->pattern;
    for (uint32_t i = 0; i < from; i++)
        cc_line_pattern(&at);
    r->again = at;
    r->cycle = CC_LINES_PATTERN - from;
    for (uint32_t i = 0; i < r->cycle; i++) {
        sum += v[from + i] >> 2;
        part += i < rest % r->cycle ? v[from + i] >> 2 : 0;
    }
    double wanted = rest / r->cycle * sum + part;
    r->scale = room > 0 && wanted > 0 ? room / wanted : 0;
}

/* --- all runs of a piece --- */

static void sink(struct hidden *h, size_t i)
{
    struct hidden_next x = h->heap[i];
    for (size_t c; (c = 2 * i + 1) < h->n; i = c) {
        c += c + 1 < h->n && h->heap[c + 1].time < h->heap[c].time;
        if (h->heap[c].time >= x.time)
            break;
        h->heap[i] = h->heap[c];
    }
    h->heap[i] = x;
}

/* Runs that are over leave their places to others. */
static void push(struct hidden *h, const struct hidden_run *r)
{
    if (h->n == h->cap) {
        h->cap = h->cap ? 2 * h->cap : 64;
        h->runs = cc_realloc_array(h->runs, h->cap, sizeof *h->runs);
        h->heap = cc_realloc_array(h->heap, h->cap, sizeof *h->heap);
        for (size_t i = h->n; i < h->cap; i++)
            h->heap[i].run = i;
    }
    size_t at = h->heap[h->n].run;
    h->runs[at] = *r;
    h->heap[h->n++].time = r->next;
}

static void add(struct hidden *h, const struct cc_line_event *e)
{
    struct hidden_run r = {.next = (double)e->first,
                           .address = e->address,
                           .pattern = e->pattern,
                           .at = e->pattern,
                           .stack = e->flags & CC_LINES_STACK,
                           .loads = e->count[CC_LINE_LOAD] && h->wanted && h->wanted(h->self, e)};
    for (unsigned k = 0; k < CC_LINE_KINDS; k++)
        r.all += r.left[k] = e->count[k];
    plan(&r, e->first, e->last);
    if (!advance(&r))
        return;
    push(h, &r);
}

/* Counts stand behind what they count, by little more than the filter of the recorder keeps a line. */
static void look_ahead(struct hidden *h)
{
    struct cc_line_event e;
    size_t before = h->n;
    h->known = h->until;
    while (cc_line_next_count(&h->ahead, h->until, &e)) {
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
    while (h->known < h->until && (!h->n || h->heap[0].time >= (double)h->known))
        look_ahead(h);
    if (!h->n || h->heap[0].time >= before)
        return false;
    struct hidden_next top = h->heap[0];
    struct hidden_run *r = &h->runs[top.run];
    *ret = (struct hidden_access){r->next, r->address, r->kind, r->stack};
    if (advance(r)) {
        h->heap[0].time = r->next;
    } else {
        h->heap[0] = h->heap[--h->n];
        h->heap[h->n] = top;
    }
    if (h->n)
        sink(h, 0);
    return true;
}

void cc_hidden_fini(struct hidden *h)
{
    free(h->runs);
    free(h->heap);
}
