#include "internal.h"
#include "../itemsets/itemsets.h"

#include <math.h>

enum { NEAR_LINES = 3, MAX_HOTSPOTS = 4096 };

struct set {
    uint32_t *items;
    size_t n;
    uint64_t support;
};

struct sets {
    CC_VEC(struct set) all;
};

static void keep_set(void *arg, const uint32_t *items, size_t n, uint64_t support)
{
    struct sets *s = arg;
    if (!n || s->all.n >= MAX_HOTSPOTS)
        return;
    struct set one = {.items = cc_alloc_array(n, sizeof *one.items), .n = n, .support = support};
    memcpy(one.items, items, n * sizeof *items);
    CC_VEC_PUSH(&s->all, one);
}

/* Slope of a share over log2 of the cores: whether it rises as cores are added. */
static double slope(const struct cc_scaling *s, const double *v)
{
    double n = (double)s->nplatforms, sx = 0, sy = 0, sxx = 0, sxy = 0;
    for (size_t p = 0; p < s->nplatforms; p++) {
        double x = log2(s->platforms[p].cores);
        sx += x;
        sy += v[p];
        sxx += x * x;
        sxy += x * v[p];
    }
    double d = n * sxx - sx * sx;
    return d > 0 ? (n * sxy - sx * sy) / d : 0;
}

/* A thread that sleeps longer makes no more accesses. */
static bool rises(const struct cc_scaling *s, const struct known *k)
{
    return s->nplatforms == 1 ||
           (slope(s, k->time) > 0 && (k->class == CC_SCALING_WAIT || slope(s, k->accesses) > 0));
}

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool joins(const struct cc_scaling_item *a, const struct known *k)
{
    if (a->class != k->class || !same_text(a->function, k->function) || !same_text(a->file, k->file) ||
        !same_text(a->object, k->object))
        return false;
    return a->class == CC_SCALING_DATA ? a->object != NULL
                                       : a->function && k->line <= a->line_to + NEAR_LINES;
}

static int by_place(const void *a, const void *b, void *arg)
{
    const struct mining *m = arg;
    const struct known *x = &m->known.v[*(const uint32_t *)a], *y = &m->known.v[*(const uint32_t *)b];
    int c = (x->class > y->class) - (x->class < y->class);
    c = c ? c : strcmp(x->function ? x->function : "", y->function ? y->function : "");
    c = c ? c : strcmp(x->object ? x->object : "", y->object ? y->object : "");
    c = c ? c : (x->line > y->line) - (x->line < y->line);
    return c ? c : strcmp(x->key, y->key);
}

static int by_time(const void *a, const void *b, void *arg)
{
    const struct mining *m = arg;
    const struct cc_scaling_item *x = a, *y = b;
    size_t last = m->out->nplatforms - 1;
    if (x->time[last] != y->time[last])
        return x->time[last] > y->time[last] ? -1 : 1;
    return (x->from > y->from) - (x->from < y->from);
}

static void describe(struct mining *m, struct set *s, struct cc_scaling_hotspot *h)
{
    struct cc_arena *a = &m->out->arena;
    size_t np = m->out->nplatforms, n = 0, largest = 0;
    struct cc_scaling_item *items = cc_arena_alloc(a, s->n * sizeof *items);
    for (size_t i = 0; i < h->support; i++)
        largest = h->platforms[i];
    qsort_r(s->items, s->n, sizeof *s->items, by_place, m);
    for (size_t i = 0; i < s->n; i++) {
        const struct known *k = &m->known.v[s->items[i]];
        uint64_t at = k->addr[largest];
        if (!n || !joins(&items[n - 1], k)) {
            items[n++] = (struct cc_scaling_item){.class = k->class,
                                                  .function = k->function,
                                                  .file = k->file,
                                                  .line = k->line,
                                                  .line_to = k->line,
                                                  .object = k->object,
                                                  .from = at,
                                                  .to = at,
                                                  .time = cc_arena_alloc(a, np * sizeof(double)),
                                                  .accesses = cc_arena_alloc(a, np * sizeof(double))};
        }
        struct cc_scaling_item *x = &items[n - 1];
        x->from = CC_MIN(x->from, at);
        x->to = CC_MAX(x->to, at);
        x->line_to = CC_MAX(x->line_to, k->line);
        x->addresses++;
        for (size_t p = 0; p < np; p++) {
            ((double *)x->time)[p] += k->time[p];
            ((double *)x->accesses)[p] += k->accesses[p];
        }
    }
    qsort_r(items, n, sizeof *items, by_time, m);
    h->items = items;
    h->nitems = n;
}

/* Fills in what is said of the whole set. */
static void weigh(struct mining *m, const struct set *s, struct cc_scaling_hotspot *h)
{
    size_t np = m->out->nplatforms, *platforms = cc_arena_alloc(&m->out->arena, np * sizeof *platforms);
    double *time = cc_arena_alloc(&m->out->arena, np * sizeof *time),
           *accesses = cc_arena_alloc(&m->out->arena, np * sizeof *accesses);
    for (size_t p = 0; p < np; p++) {
        bool all = true;
        for (size_t i = 0; i < s->n; i++) {
            const struct known *k = &m->known.v[s->items[i]];
            time[p] += k->time[p];
            accesses[p] += k->accesses[p];
            all = all && k->hot[p];
        }
        if (all)
            platforms[h->support++] = p;
    }
    h->platforms = platforms;
    h->time = time;
    h->accesses = accesses;
    h->growth = time[0] > 0 ? time[platforms[h->support - 1]] / time[0] : INFINITY;
}

static int most_time_first(const void *a, const void *b)
{
    const struct cc_scaling_hotspot *x = a, *y = b;
    double tx = x->time[x->platforms[x->support - 1]], ty = y->time[y->platforms[y->support - 1]];
    if (tx != ty)
        return tx > ty ? -1 : 1;
    return (x->support < y->support) - (x->support > y->support);
}

int scaling_hotspots_find(struct mining *m, struct cc_err *err)
{
    struct cc_scaling *out = m->out;
    struct cc_itemsets_db *db = cc_itemsets_db_new();
    uint32_t *row = cc_alloc_array(m->known.n + 1, sizeof *row);
    for (size_t p = 0; p < out->nplatforms; p++) {
        size_t n = 0;
        for (size_t i = 0; i < m->known.n; i++)
            if (m->known.v[i].hot[p] && rises(out, &m->known.v[i]))
                row[n++] = (uint32_t)i;
        cc_itemsets_db_add(db, row, n, 1);
    }
    free(row);
    struct sets found = {0};
    struct cc_itemsets_result r;
    struct cc_itemsets_options o = {
        .min_support = out->min_platforms, .threads = m->options->threads, .limit = MAX_HOTSPOTS};
    int rc = cc_itemsets_mine(db, &o, keep_set, &found, &r, err);
    cc_itemsets_db_free(db);
    out->hotspots = cc_arena_alloc(&out->arena, (found.all.n + 1) * sizeof *out->hotspots);
    for (size_t i = 0; rc == 0 && i < found.all.n; i++) {
        struct cc_scaling_hotspot h = {0};
        weigh(m, &found.all.v[i], &h);
        describe(m, &found.all.v[i], &h);
        out->hotspots[out->nhotspots++] = h;
    }
    qsort(out->hotspots, out->nhotspots, sizeof *out->hotspots, most_time_first);
    if (m->options->top)
        out->nhotspots = CC_MIN(out->nhotspots, m->options->top);
    for (size_t i = 0; i < found.all.n; i++)
        free(found.all.v[i].items);
    CC_VEC_FINI(&found.all);
    return rc;
}
