/* From windows to a short list: mine closed sets, measure the promising ones exactly, merge what a reader
 * would call the same. */
#include "internal.h"
#include "../itemsets/itemsets.h"

#include <math.h>

/* More sets than this help nobody: the support is raised until fewer are left. */
enum { MAX_SETS = 200000, CANDIDATES = 128, COUNTED_CPUS = 1024, NEAR_LINES = 3 };
#define NEW_SHARE 0.01 /* of the contention, that an item must cost to make a pattern worth a line */

/* Frequent items get dense numbers: 0 .. nbare-1 are items, the rest items on one CPU. */
struct alphabet {
    uint32_t *item; /* dense -> item */
    size_t nbare, n;
    uint32_t *of_item; /* item -> 1 + dense */
    struct cc_map of_pair;
};

struct candidate {
    uint32_t *ids;
    size_t n, nbare;
    double guess; /* of the contention its items cost, as if spread evenly over their windows */
    uint64_t order;
    /* measured */
    uint64_t windows, excess, saturated, rank; /* rank: its share in steps of two percent */
    struct measure {
        uint64_t events, latency, excess;
        uint32_t *cpus; /* windows in which the item is on that CPU */
    } * items;          /* one a bare id */
    uint64_t *mask;
};

struct finder {
    struct windows *w;
    struct cc_contention *c;
    struct alphabet a;
    struct candidate *best;
    size_t nbest;
    uint64_t found;
};

static void alphabet_build(struct finder *f, uint64_t min_windows, bool pairs)
{
    struct alphabet *a = &f->a;
    const struct items *x = f->w->items;
    const struct cc_map *m = &f->w->pair_windows;
    a->of_item = cc_alloc_array(x->all.n + 1, sizeof *a->of_item);
    a->item = cc_alloc_array(x->all.n + (pairs ? m->n : 0) + 1, sizeof *a->item);
    for (size_t i = 0; i < x->all.n; i++) {
        if (x->all.v[i].windows < min_windows)
            continue;
        a->item[a->n++] = (uint32_t)i;
        a->of_item[i] = (uint32_t)a->n;
    }
    a->nbare = a->n;
    /* in the order of items and CPUs, whatever the map's order is */
    for (size_t k = 0; pairs && k < a->nbare; k++) {
        for (unsigned cpu = 0; cpu < f->w->ncpus; cpu++) {
            uint64_t pair = (uint64_t)a->item[k] << 16 | cpu;
            const uint64_t *windows = cc_map_get(m, pair);
            if (!windows || *windows < min_windows)
                continue;
            a->item[a->n++] = a->item[k];
            *cc_map_put(&a->of_pair, pair, NULL) = a->n;
        }
    }
}

static void alphabet_fini(struct alphabet *a)
{
    free(a->item);
    free(a->of_item);
    cc_map_fini(&a->of_pair);
    memset(a, 0, sizeof *a);
}

static struct cc_itemsets_db *transactions(struct finder *f)
{
    struct cc_itemsets_db *db = cc_itemsets_db_new();
    size_t widest = contention_windows_widest(f->w) + 1;
    struct entry *entries = cc_alloc_array(widest, sizeof *entries);
    uint32_t *ids = cc_alloc_array(2 * widest, sizeof *ids);
    for (size_t at = 0; at < f->w->n;) {
        size_t n = contention_windows_read(f->w, &at, entries), k = 0;
        for (size_t i = 0; i < n; i++) {
            uint32_t bare = f->a.of_item[entries[i].item];
            if (bare && (i == 0 || entries[i - 1].item != entries[i].item))
                ids[k++] = bare - 1;
            const uint64_t *pair =
                f->a.of_pair.n ? cc_map_get(&f->a.of_pair, (uint64_t)entries[i].item << 16 | entries[i].cpu)
                               : NULL;
            if (pair)
                ids[k++] = (uint32_t)*pair - 1;
        }
        cc_itemsets_db_add(db, ids, k, 1);
    }
    free(ids);
    free(entries);
    return db;
}

static bool worse(const struct candidate *a, const struct candidate *b)
{
    return a->guess != b->guess ? a->guess < b->guess : a->order > b->order;
}

/* Keeps the best few in a heap whose top is the worst of them. */
static void consider(void *arg, const uint32_t *ids, size_t n, uint64_t support)
{
    struct finder *f = arg;
    struct candidate c = {.n = n, .order = f->found++};
    for (; c.nbare < n && ids[c.nbare] < f->a.nbare; c.nbare++) {
        const struct item *i = &f->w->items->all.v[f->a.item[ids[c.nbare]]];
        c.guess += (double)i->excess * (double)support / (double)i->windows;
    }
    if (!c.nbare || (f->nbest == CANDIDATES && !worse(&f->best[0], &c)))
        return;
    c.ids = cc_alloc_array(n, sizeof *c.ids);
    memcpy(c.ids, ids, n * sizeof *ids);
    size_t at = 0;
    if (f->nbest < CANDIDATES) {
        for (at = f->nbest++; at > 0 && worse(&c, &f->best[(at - 1) / 2]); at = (at - 1) / 2)
            f->best[at] = f->best[(at - 1) / 2];
    } else {
        free(f->best[0].ids);
        for (size_t child; (child = 2 * at + 1) < f->nbest; at = child) {
            if (child + 1 < f->nbest && worse(&f->best[child + 1], &f->best[child]))
                child++;
            if (!worse(&f->best[child], &c))
                break;
            f->best[at] = f->best[child];
        }
    }
    f->best[at] = c;
}

static void candidates_drop(struct finder *f)
{
    for (size_t i = 0; i < f->nbest; i++) {
        struct candidate *c = &f->best[i];
        for (size_t k = 0; c->items && k < c->nbare; k++)
            free(c->items[k].cpus);
        free(c->items);
        free(c->mask);
        free(c->ids);
    }
    f->nbest = 0;
    f->found = 0;
}

/* Mines; raises the support while there are too many sets, and leaves the CPUs out when even full support
 * does not help. */
static int mine(struct finder *f, double wanted, struct cc_err *err)
{
    bool pairs = f->w->options->method == CC_CONTENTION_LATENCY && f->w->ncpus > 1;
    double support = wanted;
    f->c->support_raised = false;
    for (;;) {
        uint64_t min = CC_MAX((uint64_t)ceil(support * (double)f->w->count - 1e-9), 1);
        alphabet_fini(&f->a);
        candidates_drop(f);
        alphabet_build(f, min, pairs);
        struct cc_itemsets_db *db = transactions(f);
        struct cc_itemsets_result r;
        struct cc_itemsets_options o = {
            .min_support = min, .threads = f->w->options->threads, .limit = MAX_SETS};
        int rc = cc_itemsets_mine(db, &o, consider, f, &r, err);
        cc_itemsets_db_free(db);
        if (rc < 0)
            return rc;
        f->c->closed = r.closed;
        f->c->options.support = support;
        if (!r.stopped || (support >= 1 && !pairs))
            return 0;
        f->c->support_raised = true;
        if (support >= 1) {
            pairs = false;
            support = wanted;
        } else {
            support = CC_MIN(support + 0.05, 1.0);
        }
    }
}

/* What a window holds, by dense number. */
struct window_view {
    struct entry *entries;
    uint64_t *mask;
    uint64_t *excess, *latency, *events; /* of bare items */
    uint32_t *first, *count;             /* the item's entries */
};

static void measure_window(struct finder *f, struct candidate *c, const struct window_view *v,
                           double saturation)
{
    uint64_t latency = 0;
    c->windows++;
    for (size_t k = 0; k < c->nbare; k++) {
        uint32_t id = c->ids[k];
        struct measure *m = &c->items[k];
        m->events += v->events[id];
        m->latency += v->latency[id];
        m->excess += v->excess[id];
        c->excess += v->excess[id];
        latency += v->latency[id];
        for (uint32_t i = v->first[id]; i < v->first[id] + v->count[id]; i++)
            if (v->entries[i].cpu < COUNTED_CPUS)
                m->cpus[v->entries[i].cpu]++;
    }
    c->saturated += (double)latency / (double)f->w->length > saturation;
}

static bool holds(const uint64_t *window, const uint64_t *set, size_t words)
{
    for (size_t i = 0; i < words; i++)
        if (set[i] & ~window[i])
            return false;
    return true;
}

static void prepare_candidates(struct finder *f, size_t words)
{
    size_t ncpus = CC_MIN(f->w->ncpus, COUNTED_CPUS);
    for (size_t i = 0; i < f->nbest; i++) {
        struct candidate *c = &f->best[i];
        c->mask = cc_alloc_array(words, sizeof *c->mask);
        c->items = cc_alloc_array(c->nbare, sizeof *c->items);
        for (size_t k = 0; k < c->n; k++)
            c->mask[c->ids[k] / 64] |= (uint64_t)1 << c->ids[k] % 64;
        for (size_t k = 0; k < c->nbare; k++)
            c->items[k].cpus = cc_alloc_array(ncpus, sizeof *c->items[k].cpus);
    }
}

/* Sums of the window's n entries by item, and the mask of the items that occur. */
static void view_window(const struct finder *f, struct window_view *v, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        const struct entry *e = &v->entries[i];
        uint32_t id = f->a.of_item[e->item];
        if (!id)
            continue;
        id--;
        if (!(v->mask[id / 64] >> id % 64 & 1)) {
            v->mask[id / 64] |= (uint64_t)1 << id % 64;
            v->excess[id] = v->latency[id] = v->events[id] = v->count[id] = 0;
            v->first[id] = (uint32_t)i;
        }
        v->excess[id] += e->excess;
        v->latency[id] += e->latency;
        v->events[id] += e->events;
        v->count[id]++;
        const uint64_t *pair =
            f->a.of_pair.n ? cc_map_get(&f->a.of_pair, (uint64_t)e->item << 16 | e->cpu) : NULL;
        if (pair)
            v->mask[(*pair - 1) / 64] |= (uint64_t)1 << (*pair - 1) % 64;
    }
}

static void measure(struct finder *f)
{
    size_t words = (f->a.n + 63) / 64 + 1, bare = f->a.nbare + 1;
    struct window_view v = {.entries = cc_alloc_array(contention_windows_widest(f->w) + 1, sizeof *v.entries),
                            .mask = cc_alloc_array(words, sizeof *v.mask),
                            .excess = cc_alloc_array(bare, sizeof *v.excess),
                            .latency = cc_alloc_array(bare, sizeof *v.latency),
                            .events = cc_alloc_array(bare, sizeof *v.events),
                            .first = cc_alloc_array(bare, sizeof *v.first),
                            .count = cc_alloc_array(bare, sizeof *v.count)};
    prepare_candidates(f, words);
    for (size_t at = 0; at < f->w->n;) {
        size_t n = contention_windows_read(f->w, &at, v.entries);
        memset(v.mask, 0, words * sizeof *v.mask);
        view_window(f, &v, n);
        for (size_t i = 0; i < f->nbest; i++)
            if (holds(v.mask, f->best[i].mask, words))
                measure_window(f, &f->best[i], &v, f->c->bound);
    }
    free(v.entries);
    free(v.mask);
    free(v.excess);
    free(v.latency);
    free(v.events);
    free(v.first);
    free(v.count);
}

/* Of two that explain about as much, the one that names more comes first. */
static int costliest_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->rank != y->rank)
        return x->rank > y->rank ? -1 : 1;
    if (x->nbare != y->nbare)
        return x->nbare > y->nbare ? -1 : 1;
    if (x->excess != y->excess)
        return x->excess > y->excess ? -1 : 1;
    if (x->windows != y->windows)
        return x->windows > y->windows ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

static int saturating_first(const void *a, const void *b)
{
    const struct candidate *x = a, *y = b;
    if (x->saturated != y->saturated)
        return x->saturated > y->saturated ? -1 : 1;
    return costliest_first(a, b);
}

/* ---- for people ---- */

static int same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool joins(const struct cc_contention_item *a, const struct cc_contention_item *b)
{
    return a->kind == b->kind && a->node == b->node && same_text(a->function, b->function) &&
           same_text(a->file, b->file) && same_text(a->object, b->object) &&
           (a->function || a->pc_to + 64 >= b->pc_from) && b->line_from <= a->line_to + NEAR_LINES &&
           a->line_from <= b->line_to + NEAR_LINES;
}

struct merged {
    struct cc_contention_item out;
    uint64_t excess, costliest, waiting, all_events;
    uint64_t histogram[MAX_BINS];
    uint32_t *cpus;
};

static void merge_into(struct merged *a, const struct merged *b, size_t ncpus)
{
    if (b->costliest > a->costliest) {
        a->out.line = b->out.line;
        a->costliest = b->costliest;
    }
    a->out.line_from = CC_MIN(a->out.line_from, b->out.line_from);
    a->out.line_to = CC_MAX(a->out.line_to, b->out.line_to);
    a->out.pc_from = CC_MIN(a->out.pc_from, b->out.pc_from);
    a->out.pc_to = CC_MAX(a->out.pc_to, b->out.pc_to);
    a->out.from = CC_MIN(a->out.from, b->out.from);
    a->out.to = CC_MAX(a->out.to, b->out.to);
    a->out.events += b->out.events;
    a->out.latency += b->out.latency;
    a->excess += b->excess;
    a->waiting += b->waiting;
    a->all_events += b->all_events;
    for (size_t i = 0; i < MAX_BINS; i++)
        a->histogram[i] += b->histogram[i];
    for (size_t i = 0; i < ncpus; i++)
        a->cpus[i] = CC_MAX(a->cpus[i], b->cpus[i]);
}

static int by_place(const void *a, const void *b)
{
    const struct cc_contention_item *x = &((const struct merged *)a)->out,
                                    *y = &((const struct merged *)b)->out;
    int c = strcmp(x->function ? x->function : "", y->function ? y->function : "");
    c = c ? c : (x->kind > y->kind) - (x->kind < y->kind);
    c = c ? c : strcmp(x->object ? x->object : "", y->object ? y->object : "");
    c = c ? c : (x->node > y->node) - (x->node < y->node);
    c = c ? c : (x->line_from > y->line_from) - (x->line_from < y->line_from);
    return c ? c : (x->pc_from > y->pc_from) - (x->pc_from < y->pc_from);
}

static int by_cost(const void *a, const void *b)
{
    const struct merged *x = a, *y = b;
    if (x->excess != y->excess)
        return x->excess > y->excess ? -1 : 1;
    return by_place(a, b);
}

/* All but a twentieth at either end, in whole bins. */
static void latency_range(const struct items *x, struct merged *m)
{
    uint64_t all = 0, seen = 0;
    unsigned lo = 0, hi = x->nbins - 1;
    for (unsigned i = 0; i < x->nbins; i++)
        all += m->histogram[i];
    while (lo < hi && seen + m->histogram[lo] <= all / 20)
        seen += m->histogram[lo++];
    for (seen = 0; hi > lo && seen + m->histogram[hi] <= all / 20;)
        seen += m->histogram[hi--];
    m->out.latency_from = lo * x->options->bin;
    m->out.latency_to = (hi + 1) * x->options->bin;
}

static struct merged as_merged(const struct finder *f, const struct candidate *c, size_t k, size_t ncpus)
{
    const struct item *i = &f->w->items->all.v[f->a.item[c->ids[k]]];
    const struct measure *m = &c->items[k];
    struct merged out = {
        .excess = m->excess, .costliest = m->excess, .waiting = i->waiting, .all_events = i->events};
    out.out = (struct cc_contention_item){.kind = i->kind,
                                          .node = i->node == CC_TRACE_NO_NODE ? -1 : i->node,
                                          .function = i->function,
                                          .file = i->file,
                                          .line = i->line,
                                          .line_from = i->line,
                                          .line_to = i->line,
                                          .object = i->object,
                                          .pc_from = i->pc_from,
                                          .pc_to = i->pc_to,
                                          .from = i->from,
                                          .to = i->to,
                                          .events = m->events,
                                          .latency = m->latency};
    memcpy(out.histogram, i->histogram, sizeof out.histogram);
    out.cpus = cc_alloc_array(ncpus + 1, sizeof *out.cpus);
    memcpy(out.cpus, m->cpus, ncpus * sizeof *out.cpus);
    return out;
}

static void describe(struct finder *f, const struct candidate *c, double total,
                     struct cc_contention_pattern *p)
{
    size_t ncpus = CC_MIN(f->w->ncpus, COUNTED_CPUS), n = 0;
    struct merged *v = cc_alloc_array(c->nbare, sizeof *v);
    struct cc_arena *arena = &f->c->arena;
    for (size_t k = 0; k < c->nbare; k++)
        v[k] = as_merged(f, c, k, ncpus);
    qsort(v, c->nbare, sizeof *v, by_place);
    for (size_t k = 0; k < c->nbare; k++) {
        if (n && joins(&v[n - 1].out, &v[k].out)) {
            merge_into(&v[n - 1], &v[k], ncpus);
            free(v[k].cpus);
        } else if (n++ != k) {
            v[n - 1] = v[k];
        }
    }
    qsort(v, n, sizeof *v, by_cost);
    struct cc_contention_item *items = cc_arena_alloc(arena, n * sizeof *items);
    uint8_t *any = cc_alloc(ncpus / 8 + 1);
    for (size_t k = 0; k < n; k++) {
        uint8_t *bits = cc_alloc(ncpus / 8 + 1);
        for (size_t cpu = 0; cpu < ncpus; cpu++)
            if (2 * (uint64_t)v[k].cpus[cpu] >= c->windows)
                bits[cpu / 8] |= (uint8_t)(1 << cpu % 8);
        for (size_t b = 0; b <= ncpus / 8; b++)
            any[b] |= bits[b];
        latency_range(f->w->items, &v[k]);
        items[k] = v[k].out;
        items[k].events = contention_windows_all(f->w, items[k].events);
        items[k].latency = contention_windows_all(f->w, items[k].latency);
        items[k].share = total > 0 ? (double)v[k].excess / total : 0;
        items[k].waiting = 2 * v[k].waiting > v[k].all_events;
        items[k].cpus = contention_cpu_list(arena, bits, ncpus, &items[k].ncpus);
        free(bits);
        free(v[k].cpus);
    }
    p->items = items;
    p->nitems = n;
    p->cpus = contention_cpu_list(arena, any, ncpus, &p->ncpus);
    free(any);
    free(v);
}

/* A pattern whose items of any weight are all in better ones already says nothing new. */
static void choose(struct finder *f, uint64_t cpu_cycles, uint64_t excess_all)
{
    const struct cc_contention_options *o = f->w->options;
    double total = (double)f->w->total_excess;
    struct cc_contention_pattern *out = cc_arena_alloc(&f->c->arena, CANDIDATES * sizeof *out);
    bool *named = cc_alloc_array(f->a.nbare + 1, sizeof *named);
    uint64_t *cost = cc_alloc_array(f->a.nbare + 1, sizeof *cost), explained = 0;
    size_t n = 0;
    for (size_t i = 0; i < f->nbest && n < o->top; i++) {
        const struct candidate *c = &f->best[i];
        struct cc_contention_pattern p = {.windows = contention_windows_all(f->w, c->windows),
                                          .saturated = contention_windows_all(f->w, c->saturated)};
        p.support = (double)c->windows / (double)f->w->count;
        p.share = total > 0 ? (double)c->excess / total : 0;
        p.lost = cpu_cycles ? p.share * (double)excess_all / (double)cpu_cycles : 0;
        bool fresh = false;
        for (size_t k = 0; k < c->nbare; k++)
            fresh |= !named[c->ids[k]] && (double)c->items[k].excess >= NEW_SHARE * total;
        if (!fresh || p.lost < o->min_lost || c->excess == 0 ||
            (o->method == CC_CONTENTION_WINDOWS && !c->saturated))
            continue;
        for (size_t k = 0; k < c->nbare; k++) {
            named[c->ids[k]] = true;
            cost[c->ids[k]] = CC_MAX(cost[c->ids[k]], c->items[k].excess);
        }
        describe(f, c, total, &p);
        out[n++] = p;
    }
    for (size_t k = 0; k < f->a.nbare; k++)
        explained += cost[k];
    f->c->explained = total > 0 ? (double)explained / total : 0;
    free(cost);
    free(named);
    f->c->patterns = out;
    f->c->npatterns = n;
}

static int find_at(struct finder *f, double support, uint64_t cpu_cycles, uint64_t excess_all,
                   struct cc_err *err)
{
    int rc = mine(f, support, err);
    if (rc < 0)
        return rc;
    measure(f);
    for (size_t i = 0; i < f->nbest; i++)
        f->best[i].rank =
            f->w->total_excess
                ? (uint64_t)(50.0 * (double)f->best[i].excess / (double)f->w->total_excess + 0.5)
                : 0;
    if (f->nbest)
        qsort(f->best, f->nbest, sizeof *f->best,
              f->w->options->method == CC_CONTENTION_WINDOWS ? saturating_first : costliest_first);
    choose(f, cpu_cycles, excess_all);
    return 0;
}

/* Phases that alternate are each in few of the windows: what no pattern explains is looked for in fewer. */
int contention_patterns_find(struct windows *w, struct cc_contention *c, uint64_t cpu_cycles,
                             uint64_t excess_all, struct cc_err *err)
{
    const double step = 0.15;
    struct finder f = {.w = w, .c = c, .best = cc_alloc_array(CANDIDATES, sizeof *f.best)};
    double support = w->options->support;
    int rc = w->count ? find_at(&f, support, cpu_cycles, excess_all, err) : 0;
    while (rc == 0 && w->count && c->explained < w->options->explain && !c->support_raised &&
           support > CC_CONTENTION_RAREST) {
        support = CC_MAX(support - step, CC_CONTENTION_RAREST);
        c->support_lowered = true;
        rc = find_at(&f, support, cpu_cycles, excess_all, err);
    }
    candidates_drop(&f);
    alphabet_fini(&f.a);
    free(f.best);
    return rc;
}
