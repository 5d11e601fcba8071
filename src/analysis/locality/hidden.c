#include "hidden.h"
#include "../../base/base.h"

#include <math.h>

enum { MOST = 1 << 14 }; /* runs that are held at once */

struct hidden_run {
    double next;  /* time of its next access */
    double scale; /* of the distances behind those that were recorded */
    uint64_t address;
    uint32_t line;
    const unsigned char *pattern, *at; /* its accesses, and the next of them */
    const unsigned char *again;        /* those that come again, `cycle` of them, behind the last */
    uint32_t cycle;
    uint32_t left[CC_LINE_KINDS]; /* to come */
    uint32_t done, all;
    enum cc_line_kind kind;          /* of the next */
    bool stack, made[CC_LINE_KINDS]; /* made: those of the kind are */
};

/* --- one run --- */

static bool has_more(const struct hidden_run *r)
{
    for (unsigned k = 0; k < CC_LINE_KINDS; k++)
        if (r->left[k] && r->made[k])
            return true;
    return false;
}

/* Goes on to the next access that is made. false: there is none. */
static bool advance(struct hidden_run *r)
{
    while (has_more(r)) {
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
        if (r->made[kind])
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

/* Of most lines nothing but loads is left out, and those are not made. */
static bool is_made(const struct hidden *h, const struct cc_line_event *e, bool *ret_loads)
{
    *ret_loads = e->kinds & 1u << CC_LINE_LOAD && h->wanted && h->wanted(h->self, e);
    return *ret_loads || e->kinds & ~(1u << CC_LINE_LOAD);
}

static void add(struct hidden *h, struct cc_line_event *e)
{
    bool loads;
    if (!is_made(h, e, &loads))
        return;
    cc_line_read_count(&h->ahead, e);
    struct hidden_run r = {.next = (double)e->first,
                           .address = e->address,
                           .line = e->line,
                           .pattern = e->pattern,
                           .at = e->pattern,
                           .stack = e->flags & CC_LINES_STACK,
                           .made = {[CC_LINE_LOAD] = loads, [CC_LINE_STORE] = true, [CC_LINE_ATOMIC] = true}};
    for (unsigned k = 0; k < CC_LINE_KINDS; k++)
        r.all += r.left[k] = e->count[k];
    plan(&r, e->first, e->last);
    advance(&r);
    push(h, &r);
}

/* Counts stand behind what they count, by little more than the filter of the recorder keeps a line. */
static void look_ahead(struct hidden *h)
{
    struct cc_line_event e;
    size_t before = h->n;
    h->known = h->until;
    while (cc_line_find_count(&h->ahead, h->until, &e)) {
        add(h, &e);
        if (h->n >= before + MOST) {
            h->known = e.time;
            break;
        }
    }
    for (size_t i = h->n; i-- > 0;)
        sink(h, i);
}

/* Whether what is known says nothing about the next access. */
static bool is_behind(const struct hidden *h)
{
    return h->known < h->until && (!h->n || h->heap[0].time >= (double)h->known);
}

static double soon(const struct hidden *h)
{
    return is_behind(h) ? -INFINITY : h->n ? h->heap[0].time : INFINITY;
}

void cc_hidden_begin(struct hidden *h, const struct cc_line_cursor *at, uint64_t until)
{
    h->ahead = *at;
    h->until = until;
    h->n = 0;
    h->given = false;
    look_ahead(h);
    h->soon = soon(h);
}

/* The first run goes on from the access that was given last. */
static void go_on(struct hidden *h)
{
    struct hidden_next top = h->heap[0];
    struct hidden_run *r = &h->runs[top.run];
    h->given = false;
    if (advance(r)) {
        h->heap[0].time = r->next;
    } else {
        h->heap[0] = h->heap[--h->n];
        h->heap[h->n] = top;
    }
    if (h->n)
        sink(h, 0);
}

bool cc_hidden_take(struct hidden *h, double before, struct hidden_access *ret)
{
    if (h->given)
        go_on(h);
    while (is_behind(h))
        look_ahead(h);
    h->soon = soon(h);
    if (h->soon >= before)
        return false;
    const struct hidden_run *r = &h->runs[h->heap[0].run];
    *ret = (struct hidden_access){r->next, r->address, r->line, r->kind, r->stack};
    h->given = true;
    h->soon = -INFINITY;
    return true;
}

void cc_hidden_pass(struct hidden *h, enum cc_line_kind kind)
{
    if (h->given)
        h->runs[h->heap[0].run].made[kind] = false;
}

void cc_hidden_fini(struct hidden *h)
{
    free(h->runs);
    free(h->heap);
}
