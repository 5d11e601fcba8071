/* What charts show: losses over time by cause, and cache lines by core. */
#include "groups.h"

enum { MOST_LINES = 64, LINE = 64, NODE_UNKNOWN = -2, NODE_SEVERAL = -1 };

/* What each loss was found to be; CC_CAUSES: nothing. */
static uint8_t *causes_of_losses(const struct grouping *g)
{
    uint8_t *of = cc_alloc_array(g->w->losses.n + 1, sizeof *of);
    memset(of, CC_CAUSES, g->w->losses.n + 1);
    for (size_t i = 0; i < g->groups.n; i++) {
        const struct group *x = &g->groups.v[i];
        for (size_t k = 0; k < x->losses.n && !x->folded; k++)
            of[x->losses.v[k]] = (uint8_t)x->out.cause;
    }
    return of;
}

static void fill_bins(struct grouping *g, const uint8_t *causes)
{
    struct cc_findings *f = g->out;
    const struct cc_map *m = &g->w->by_time;
    f->bin_cycles = g->w->bin_cycles;
    f->nbins = (size_t)CC_MIN(f->cycles / f->bin_cycles + 1, (uint64_t)WATCH_BINS);
    f->bins = cc_arena_alloc(&f->arena, WATCH_BINS * sizeof *f->bins);
    memset(f->bins, 0, WATCH_BINS * sizeof *f->bins);
    for (size_t i = 0; i < m->cap; i++)
        if (m->used[i] && causes[m->keys[i] >> 8] < CC_CAUSES)
            f->bins[m->keys[i] & 255][causes[m->keys[i] >> 8]] += m->values[i];
    uint64_t skew = g->skew; /* of the end, so the latest first */
    for (size_t i = WATCH_BINS; i-- > 0 && skew;) {
        uint64_t part = CC_MIN(skew, f->bins[i][g->skewed]);
        f->bins[i][g->skewed] -= part;
        f->bins[i][CC_CAUSE_START] += part;
        skew -= part;
    }
}

static bool has_line(const struct loss *l, uint8_t cause)
{
    return l->line && l->cycles && !l->fetch && l->why != LOSS_JOIN && l->why != LOSS_IDLE &&
           cause < CC_CAUSES;
}

static int costliest_first(const void *a, const void *b)
{
    const struct cc_hot_line *x = a, *y = b;
    if (x->cycles != y->cycles)
        return x->cycles > y->cycles ? -1 : 1;
    return (x->address > y->address) - (x->address < y->address);
}

/* Two homes of a line are none. */
static void meet_node(struct cc_hot_line *line, uint16_t node)
{
    if (node == CC_TRACE_NO_NODE)
        return;
    line->node = line->node == NODE_UNKNOWN || line->node == node ? node : NODE_SEVERAL;
}

/* Every line once, with what was lost there. */
static void sum_lines(struct grouping *g, const uint8_t *causes)
{
    struct cc_findings *f = g->out;
    struct cc_map at = {0};
    f->lines = cc_arena_alloc(&f->arena, (g->w->losses.n + 1) * sizeof *f->lines);
    for (size_t i = 0; i < g->w->losses.n; i++) {
        const struct loss *l = &g->w->losses.v[i];
        if (!has_line(l, causes[i]))
            continue;
        bool fresh;
        uint64_t *index = cc_map_put(&at, l->line / LINE, &fresh);
        if (fresh) {
            *index = f->nlines++;
            f->lines[*index] = (struct cc_hot_line){
                .address = l->line / LINE * LINE,
                .object = contention_object_name(cc_trace_find_object(g->trace, l->from, l->cycle)),
                .cause = (enum cc_cause)causes[i],
                .node = NODE_UNKNOWN};
        }
        f->lines[*index].cycles += l->cycles;
        meet_node(&f->lines[*index], l->home);
    }
    cc_map_fini(&at);
    for (size_t i = 0; i < f->nlines; i++)
        f->lines[i].node = CC_MAX(f->lines[i].node, -1);
    qsort(f->lines, f->nlines, sizeof *f->lines, costliest_first);
    f->nlines = CC_MIN(f->nlines, (size_t)MOST_LINES);
}

static void split_lines(struct grouping *g, const uint8_t *causes)
{
    struct cc_findings *f = g->out;
    uint64_t *cells = cc_arena_alloc(&f->arena, (f->nlines * f->cores + 1) * sizeof *cells);
    struct cc_map at = {0};
    memset(cells, 0, (f->nlines * f->cores + 1) * sizeof *cells);
    for (size_t i = 0; i < f->nlines; i++) {
        f->lines[i].by_cpu = cells + i * f->cores;
        *cc_map_put(&at, f->lines[i].address / LINE, NULL) = i;
    }
    const struct cc_map *m = &g->w->by_cpu;
    for (size_t i = 0; i < m->cap; i++) {
        uint64_t loss = m->used[i] ? m->keys[i] >> 8 : 0, cpu = m->keys[i] & 255;
        if (!m->used[i] || !has_line(&g->w->losses.v[loss], causes[loss]) || cpu >= f->cores)
            continue;
        const uint64_t *line = cc_map_get(&at, g->w->losses.v[loss].line / LINE);
        if (line)
            cells[*line * f->cores + cpu] += m->values[i];
    }
    cc_map_fini(&at);
}

void contention_views(struct grouping *g)
{
    uint8_t *causes = causes_of_losses(g);
    fill_bins(g, causes);
    sum_lines(g, causes);
    split_lines(g, causes);
    free(causes);
}
