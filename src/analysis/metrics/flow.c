#include "lower.h"

/* Bits the analysis may keep at once; beyond it the function is refused (its source would be megabytes of
 * branches). */
static const double max_bits = 2e9;

struct def {
    uint32_t var, block, stmt;
};

struct flow {
    const struct cc_cfg *cfg;
    size_t nblocks, nvars, ndefs, var_words, def_words;
    uint32_t *order, *rank; /* reachable blocks in reverse postorder; rank UINT32_MAX: not reachable */
    size_t nreached;
    uint32_t *succ, *succ_at, *pred, *pred_at;
    uint32_t *dense;  /* declaration -> variable */
    struct def *defs; /* the last of each variable in each block, sorted by variable */
    uint32_t *defs_at;
    uint32_t *own, *own_at; /* definitions by block */
    uint64_t *live_out, *reach_in;
};

static uint64_t *row(uint64_t *bits, size_t words, size_t i)
{
    return bits + words * i;
}

static bool get(const uint64_t *bits, size_t i)
{
    return bits[i / 64] >> (i % 64) & 1;
}

static void put(uint64_t *bits, size_t i, bool on)
{
    if (on)
        bits[i / 64] |= UINT64_C(1) << (i % 64);
    else
        bits[i / 64] &= ~(UINT64_C(1) << (i % 64));
}

static void clear_range(uint64_t *bits, size_t from, size_t to)
{
    for (size_t i = from; i < to;) {
        size_t n = CC_MIN(to - i, 64 - i % 64);
        uint64_t mask = n == 64 ? UINT64_MAX : ((UINT64_C(1) << n) - 1) << (i % 64);
        bits[i / 64] &= ~mask;
        i += n;
    }
}

/* Adjacency lists in one array: those of block b are list[at[b] .. at[b + 1]). */
static void adjacency(const struct cc_cfg *cfg, bool forward, uint32_t **ret_list, uint32_t **ret_at)
{
    size_t n = cfg->blocks.n;
    uint32_t *start = cc_alloc_array(n + 2, sizeof *start);
    uint32_t *list = cc_alloc_array(cfg->edges.n + 1, sizeof *list);
    for (size_t e = 0; e < cfg->edges.n; e++)
        start[(forward ? cfg->edges.v[e].from : cfg->edges.v[e].to) + 2]++;
    for (size_t b = 1; b < n + 2; b++)
        start[b] += start[b - 1];
    for (size_t e = 0; e < cfg->edges.n; e++) {
        const struct cc_cfg_edge *x = &cfg->edges.v[e];
        list[start[(forward ? x->from : x->to) + 1]++] = forward ? x->to : x->from;
    }
    *ret_list = list;
    *ret_at = start;
}

static void order_blocks(struct flow *f)
{
    size_t n = f->nblocks, top = 0, done = 0;
    uint32_t *stack = cc_alloc_array(n + 1, sizeof *stack), *next = cc_alloc_array(n + 1, sizeof *next);
    f->rank = cc_alloc_array(n + 1, sizeof *f->rank);
    f->order = cc_alloc_array(n + 1, sizeof *f->order);
    for (size_t i = 0; i < n; i++)
        f->rank[i] = UINT32_MAX;
    stack[top++] = CC_CFG_ENTRY;
    f->rank[CC_CFG_ENTRY] = 0;
    next[CC_CFG_ENTRY] = f->succ_at[CC_CFG_ENTRY];
    while (top) {
        uint32_t b = stack[top - 1];
        if (next[b] == f->succ_at[b + 1]) {
            f->order[done++] = b;
            top--;
            continue;
        }
        uint32_t s = f->succ[next[b]++];
        if (f->rank[s] == UINT32_MAX) {
            f->rank[s] = 0;
            next[s] = f->succ_at[s];
            stack[top++] = s;
        }
    }
    for (size_t i = 0; i < done / 2; i++) {
        uint32_t swap = f->order[i];
        f->order[i] = f->order[done - 1 - i];
        f->order[done - 1 - i] = swap;
    }
    f->nreached = done;
    free(stack);
    free(next);
}

/* Blocks that evaluate nothing and lead to one place are no blocks: their edges pass through. */
static void count_blocks(const struct flow *f, double m[CC_METRIC_COUNT])
{
    double blocks = 0, edges = 0;
    for (size_t i = 0; i < f->nreached; i++) {
        uint32_t b = f->order[i];
        uint32_t out = f->succ_at[b + 1] - f->succ_at[b];
        if (b == CC_CFG_EXIT || (f->cfg->blocks.v[b].items == 0 && out == 1))
            continue;
        blocks++;
        edges += out;
    }
    m[CC_M_basic_blocks] = blocks;
    m[CC_M_cfg_edges] = edges;
}

static void number_variables(struct flow *f, const struct cc_tree *t)
{
    f->dense = cc_alloc_array(t->ndecls + 1, sizeof *f->dense);
    for (size_t i = 0; i < t->ndecls; i++)
        if (cc_flow_tracks(&t->decls[i]))
            f->dense[i] = (uint32_t)f->nvars++;
    f->var_words = f->nvars / 64 + 1;
}

static uint32_t var_of(const struct flow *f, const struct cc_cfg_event *e)
{
    return f->dense[e->var];
}

static int by_variable(const void *a, const void *b)
{
    const struct def *x = a, *y = b;
    return x->var != y->var ? (x->var > y->var) - (x->var < y->var)
                            : (x->block > y->block) - (x->block < y->block);
}

/* The definitions that can leave their block. */
static void collect_defs(struct flow *f)
{
    uint32_t *seen = cc_alloc_array(f->nvars + 1, sizeof *seen);
    CC_VEC(struct def) defs = {0};
    for (size_t i = 0; i < f->nreached; i++) {
        uint32_t b = f->order[i];
        const struct cc_cfg_block *block = &f->cfg->blocks.v[b];
        for (uint32_t e = block->count; e > 0; e--) {
            const struct cc_cfg_event *event = &f->cfg->events.v[block->first + e - 1];
            uint32_t v = var_of(f, event);
            if (!event->def || seen[v] == i + 1)
                continue;
            seen[v] = (uint32_t)i + 1;
            CC_VEC_PUSH(&defs, (struct def){v, b, event->stmt});
        }
    }
    free(seen);
    if (defs.n)
        qsort(defs.v, defs.n, sizeof *defs.v, by_variable);
    f->defs = defs.v;
    f->ndefs = defs.n;
    f->def_words = defs.n / 64 + 1;
    f->defs_at = cc_alloc_array(f->nvars + 2, sizeof *f->defs_at);
    for (size_t d = 0; d < defs.n; d++)
        f->defs_at[defs.v[d].var + 1]++;
    for (size_t v = 0; v < f->nvars; v++)
        f->defs_at[v + 1] += f->defs_at[v];
}

static void index_by_block(struct flow *f)
{
    f->own = cc_alloc_array(f->ndefs + 1, sizeof *f->own);
    f->own_at = cc_alloc_array(f->nblocks + 2, sizeof *f->own_at);
    for (size_t d = 0; d < f->ndefs; d++)
        f->own_at[f->defs[d].block + 2]++;
    for (size_t b = 1; b < f->nblocks + 2; b++)
        f->own_at[b] += f->own_at[b - 1];
    for (size_t d = 0; d < f->ndefs; d++)
        f->own[f->own_at[f->defs[d].block + 1]++] = (uint32_t)d;
}

static void solve_live(struct flow *f)
{
    f->live_out = cc_alloc_array(f->nblocks * f->var_words, sizeof(uint64_t));
    uint64_t *in = cc_alloc_array(f->nblocks * f->var_words, sizeof *in);
    uint64_t *now = cc_alloc_array(f->var_words, sizeof *now);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = f->nreached; i > 0; i--) {
            uint32_t b = f->order[i - 1];
            uint64_t *out = row(f->live_out, f->var_words, b), *mine = row(in, f->var_words, b);
            for (uint32_t s = f->succ_at[b]; s < f->succ_at[b + 1]; s++)
                for (size_t w = 0; w < f->var_words; w++)
                    out[w] |= row(in, f->var_words, f->succ[s])[w];
            memcpy(now, out, f->var_words * sizeof *now);
            const struct cc_cfg_block *block = &f->cfg->blocks.v[b];
            for (uint32_t e = block->count; e > 0; e--) {
                const struct cc_cfg_event *event = &f->cfg->events.v[block->first + e - 1];
                put(now, var_of(f, event), !event->def);
            }
            changed |= memcmp(now, mine, f->var_words * sizeof *now) != 0;
            memcpy(mine, now, f->var_words * sizeof *now);
        }
    }
    free(in);
    free(now);
}

static void solve_reach(struct flow *f)
{
    size_t words = f->def_words;
    f->reach_in = cc_alloc_array(f->nblocks * words, sizeof(uint64_t));
    uint64_t *out = cc_alloc_array(f->nblocks * words, sizeof *out);
    uint64_t *now = cc_alloc_array(words, sizeof *now);
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < f->nreached; i++) {
            uint32_t b = f->order[i];
            uint64_t *in = row(f->reach_in, words, b), *mine = row(out, words, b);
            for (uint32_t p = f->pred_at[b]; p < f->pred_at[b + 1]; p++)
                for (size_t w = 0; w < words; w++)
                    in[w] |= row(out, words, f->pred[p])[w];
            memcpy(now, in, words * sizeof *now);
            for (uint32_t k = f->own_at[b]; k < f->own_at[b + 1]; k++) {
                uint32_t v = f->defs[f->own[k]].var;
                clear_range(now, f->defs_at[v], f->defs_at[v + 1]);
                put(now, f->own[k], true);
            }
            changed |= memcmp(now, mine, words * sizeof *now) != 0;
            memcpy(mine, now, words * sizeof *now);
        }
    }
    free(out);
    free(now);
}

static void measure_live(const struct flow *f, double m[CC_METRIC_COUNT])
{
    uint64_t *now = cc_alloc_array(f->var_words, sizeof *now);
    for (size_t i = 0; i < f->nreached; i++) {
        uint32_t b = f->order[i];
        const struct cc_cfg_block *block = &f->cfg->blocks.v[b];
        int alive = 0;
        memcpy(now, row(f->live_out, f->var_words, b), f->var_words * sizeof *now);
        for (size_t w = 0; w < f->var_words; w++)
            alive += __builtin_popcountll(now[w]);
        m[CC_M_live_max] = CC_MAX(m[CC_M_live_max], alive);
        for (uint32_t e = block->count; e > 0; e--) {
            const struct cc_cfg_event *event = &f->cfg->events.v[block->first + e - 1];
            uint32_t v = var_of(f, event);
            alive += (int)!event->def - (int)get(now, v);
            put(now, v, !event->def);
            m[CC_M_live_max] = CC_MAX(m[CC_M_live_max], alive);
        }
    }
    free(now);
}

static double distance(uint32_t a, uint32_t b)
{
    return a > b ? a - b : b - a;
}

static void measure_pairs(const struct flow *f, double m[CC_METRIC_COUNT])
{
    /* per variable: 1 + its last definition's statement in this block, and whether a use came before any */
    uint32_t *defined = cc_alloc_array(f->nvars + 1, sizeof *defined);
    uint32_t *defined_in = cc_alloc_array(f->nvars + 1, sizeof *defined_in);
    uint32_t *exposed_in = cc_alloc_array(f->nvars + 1, sizeof *exposed_in);
    for (size_t i = 0; i < f->nreached; i++) {
        uint32_t b = f->order[i], stamp = (uint32_t)i + 1;
        const uint64_t *in = row(f->reach_in, f->def_words, b);
        const struct cc_cfg_block *block = &f->cfg->blocks.v[b];
        for (uint32_t e = 0; e < block->count; e++) {
            const struct cc_cfg_event *event = &f->cfg->events.v[block->first + e];
            uint32_t v = var_of(f, event);
            if (event->def) {
                defined[v] = event->stmt;
                defined_in[v] = stamp;
                continue;
            }
            if (defined_in[v] == stamp) {
                m[CC_M_def_use_pairs]++;
                m[CC_M_dataflow_distance] += distance(event->stmt, defined[v]);
                continue;
            }
            bool first = exposed_in[v] != stamp;
            exposed_in[v] = stamp;
            for (uint32_t d = f->defs_at[v]; d < f->defs_at[v + 1]; d++) {
                if (!get(in, d))
                    continue;
                m[CC_M_def_use_pairs]++;
                m[CC_M_dataflow_distance] += distance(event->stmt, f->defs[d].stmt);
                m[CC_M_oviedo] += first;
            }
        }
    }
    double pairs = m[CC_M_def_use_pairs];
    m[CC_M_dataflow_distance_mean] = pairs > 0 ? m[CC_M_dataflow_distance] / pairs : 0;
    free(defined);
    free(defined_in);
    free(exposed_in);
}

bool cc_flow_measure(const struct cc_tree *tree, const struct cc_cfg *cfg, double m[CC_METRIC_COUNT])
{
    struct flow f = {.cfg = cfg, .nblocks = cfg->blocks.n};
    adjacency(cfg, true, &f.succ, &f.succ_at);
    adjacency(cfg, false, &f.pred, &f.pred_at);
    order_blocks(&f);
    count_blocks(&f, m);
    number_variables(&f, tree);
    collect_defs(&f);
    bool fits = (double)f.nblocks * (double)(2 * f.nvars + 2 * f.ndefs) < max_bits;
    if (fits) {
        index_by_block(&f);
        solve_live(&f);
        solve_reach(&f);
        measure_live(&f, m);
        measure_pairs(&f, m);
    }
    free(f.succ);
    free(f.succ_at);
    free(f.pred);
    free(f.pred_at);
    free(f.order);
    free(f.rank);
    free(f.dense);
    free(f.defs);
    free(f.defs_at);
    free(f.own);
    free(f.own_at);
    free(f.live_out);
    free(f.reach_in);
    return fits;
}
