#include "internal.h"

#include <inttypes.h>
#include <math.h>

/* The name of an address that holds on every platform: code by function and offset, data by object or
 * allocation site and offset. */
static void name_of(const struct cc_trace_reader *t, const struct feature *f, uint64_t cycle,
                    struct cc_buf *key, struct known *k)
{
    const struct cc_trace_symbol *s = NULL;
    const struct cc_trace_object *o = NULL;
    static const char letters[] = {'c', 'd', 'w'};
    k->class = f->class;
    key->n = 0;
    cc_buf_printf(key, "%c|", letters[f->class]);
    uint64_t pc = f->class == CC_SCALING_DATA ? f->pc : f->addr;
    const struct cc_trace_line *l = cc_trace_find_line(t, pc);
    s = cc_trace_find_symbol(t, pc);
    k->function = s ? s->name : NULL;
    k->file = l ? l->file : s ? s->file : NULL;
    k->line = l ? l->line : s ? s->line : 0;
    if (f->class == CC_SCALING_DATA)
        o = cc_trace_find_object(t, f->addr, cycle);
    if (o) {
        cc_buf_printf(key, "%s|%s|%s|%" PRIu32 "+%" PRIu64, o->name ? o->name : "",
                      o->function ? o->function : "", o->file ? o->file : "", o->line, f->addr - o->from);
        k->object = o->name ? o->name : o->function;
    } else if (s && f->class != CC_SCALING_DATA) {
        cc_buf_printf(key, "%s|%s+%" PRIu64, s->name, s->object ? s->object : "", f->addr - s->from);
    } else {
        cc_buf_printf(key, "0x%" PRIx64, f->addr);
    }
}

static struct known *known_at(struct mining *m, const struct cc_buf *key, const struct known *like)
{
    size_t np = m->out->nplatforms;
    bool fresh;
    uint64_t *at = cc_strmap_put(&m->by_key, key->s, &fresh);
    if (fresh) {
        struct cc_arena *a = &m->out->arena;
        struct known k = *like;
        k.key = cc_arena_strdup(a, key->s);
        k.time = cc_arena_alloc(a, np * sizeof *k.time);
        k.accesses = cc_arena_alloc(a, np * sizeof *k.accesses);
        k.addr = cc_arena_alloc(a, np * sizeof *k.addr);
        k.hot = cc_arena_alloc(a, np * sizeof *k.hot);
        CC_VEC_PUSH(&m->known, k);
        *at = m->known.n;
    }
    return &m->known.v[*at - 1];
}

static int hottest_first(const void *a, const void *b)
{
    const struct cc_scaling_point *x = a, *y = b;
    double sx = x->time + x->accesses, sy = y->time + y->accesses;
    return (sx < sy) - (sx > sy);
}

static void keep_points(struct cc_scaling *s, struct cc_scaling_platform *p, const double *x, const double *y,
                        const bool *hot, size_t n)
{
    struct cc_scaling_point *v = cc_alloc_array(n + 1, sizeof *v);
    for (size_t i = 0; i < n; i++)
        v[i] = (struct cc_scaling_point){x[i], y[i], hot[i]};
    qsort(v, n, sizeof *v, hottest_first);
    p->npoints = CC_MIN(n, (size_t)CC_SCALING_POINTS);
    p->points = cc_arena_alloc(&s->arena, (p->npoints + 1) * sizeof *v);
    memcpy(p->points, v, p->npoints * sizeof *v);
    free(v);
}

struct clusters {
    double *x, *y;
    bool *hot;
};

static void cluster(struct cc_scaling *s, struct cc_scaling_platform *p, const struct features *f,
                    struct clusters *k)
{
    double c[4];
    k->x = cc_alloc_array(f->all.n + 1, sizeof *k->x);
    k->y = cc_alloc_array(f->all.n + 1, sizeof *k->y);
    k->hot = cc_alloc_array(f->all.n + 1, sizeof *k->hot);
    for (size_t i = 0; i < f->all.n; i++) {
        k->x[i] = f->latency ? (double)f->all.v[i].latency / (double)f->latency : 0;
        k->y[i] = (double)f->all.v[i].accesses / (double)f->accesses;
    }
    p->events = f->accesses;
    p->cycles = f->last - f->first;
    p->addresses = f->all.n;
    p->block = (uint64_t)1 << f->shift;
    p->hot = cc_scaling_cluster(k->x, k->y, f->all.n, k->hot, c);
    p->normal = f->all.n - p->hot;
    p->normal_time = c[0];
    p->normal_accesses = c[1];
    p->hot_time = c[2];
    p->hot_accesses = c[3];
    p->distance = hypot(c[2] - c[0], c[3] - c[1]);
    keep_points(s, p, k->x, k->y, k->hot, f->all.n);
}

/* Hot addresses become known by name; the shares of known ones are taken on every platform, hot there or not.
 */
static void name_hot(struct mining *m, size_t p, struct cc_trace_reader *t, const struct features *f,
                     const struct clusters *k)
{
    struct cc_buf key = {0};
    for (size_t i = 0; i < f->all.n; i++) {
        struct known like = {0};
        if (!k->hot[i])
            continue;
        name_of(t, &f->all.v[i], f->last, &key, &like);
        struct known *known = known_at(m, &key, &like);
        known->hot[p] = true;
    }
    cc_buf_fini(&key);
}

static void share_known(struct mining *m, size_t p, struct cc_trace_reader *t, const struct features *f)
{
    struct cc_buf key = {0};
    for (size_t i = 0; i < f->all.n; i++) {
        struct known like = {0};
        name_of(t, &f->all.v[i], f->last, &key, &like);
        const uint64_t *at = cc_strmap_get(&m->by_key, key.s);
        if (!at)
            continue;
        struct known *known = &m->known.v[*at - 1];
        known->time[p] += f->latency ? (double)f->all.v[i].latency / (double)f->latency : 0;
        known->accesses[p] += (double)f->all.v[i].accesses / (double)f->accesses;
        known->addr[p] = f->all.v[i].addr;
    }
    cc_buf_fini(&key);
}

static unsigned cores_of(const struct cc_trace_reader *t)
{
    struct cc_trace_summary s;
    cc_trace_summary(t, &s);
    return CC_MAX(s.cpus, 1u);
}

static void sort_by_cores(struct cc_scaling *s, struct cc_trace_reader *const *traces)
{
    for (size_t i = 0; i < s->nplatforms; i++) {
        size_t k = i;
        for (; k > 0 && cores_of(traces[s->order[k - 1]]) > cores_of(traces[i]); k--)
            s->order[k] = s->order[k - 1];
        s->order[k] = i;
    }
}

static void compare(struct cc_scaling *s)
{
    double base = s->platforms[0].distance;
    for (size_t p = 0; p < s->nplatforms; p++)
        s->platforms[p].growth = base > 0 ? s->platforms[p].distance / base : NAN;
    const struct cc_scaling_platform *few = &s->platforms[0], *many = &s->platforms[s->nplatforms - 1];
    s->loss = s->nplatforms > 1 && many->hot_time > few->hot_time && many->hot_accesses > few->hot_accesses;
}

/* Which process reads which trace: always one that has least to do so far. The first one, which tells the
 * result, also has to find where all traces lose time: measured, about half as much work. */
static void share_traces(const struct cc_scaling *s, struct cc_trace_reader *const *traces,
                         unsigned processes, unsigned *ret)
{
    struct cc_trace_summary sum;
    double *load = cc_alloc_array(processes, sizeof *load);
    for (size_t p = 0; p < s->nplatforms; p++) {
        cc_trace_summary(traces[p], &sum);
        load[0] += 0.5 * (double)sum.events;
    }
    for (size_t p = 0; p < s->nplatforms; p++) {
        ret[p] = 0;
        for (unsigned k = 1; k < processes; k++)
            ret[p] = load[k] < load[ret[p]] ? k : ret[p];
        cc_trace_summary(traces[s->order[p]], &sum);
        load[ret[p]] += (double)sum.events;
    }
    free(load);
}

/* Each process reads some of the traces, and tells the others. */
static void read_features(const struct cc_scaling *s, struct cc_trace_reader *const *traces,
                          const struct cc_ranks *ranks, struct features *ret)
{
    CC_CLEANUP(cc_free_ptr) unsigned *reader = cc_alloc_array(s->nplatforms + 1, sizeof *reader);
    share_traces(s, traces, cc_ranks_count(ranks), reader);
    for (size_t p = 0; p < s->nplatforms; p++)
        if (reader[p] == cc_ranks_own(ranks))
            scaling_features_read(&ret[p], traces[s->order[p]]);
    for (size_t p = 0; ranks && p < s->nplatforms; p++)
        scaling_features_tell(&ret[p], ranks, reader[p]);
}

int cc_scaling_mine(struct cc_trace_reader *const *traces, size_t n, const struct cc_scaling_options *options,
                    struct cc_scaling **ret, struct cc_err *err)
{
    struct cc_trace_summary sum;
    for (size_t i = 0; i < n; i++) {
        cc_trace_summary(traces[i], &sum);
        if (!sum.events)
            return cc_err_set(err, CC_EINPUT, "trace %zu holds no events", i + 1);
    }
    struct cc_scaling *s = cc_alloc(sizeof *s);
    s->nplatforms = n;
    s->platforms = cc_arena_alloc(&s->arena, n * sizeof *s->platforms);
    s->order = cc_arena_alloc(&s->arena, n * sizeof *s->order);
    s->min_platforms = CC_MAX((size_t)ceil(options->support * (double)n - 1e-9), CC_MIN(n, (size_t)2));
    sort_by_cores(s, traces);
    struct mining m = {.out = s, .options = options};
    struct features *f = cc_alloc_array(n, sizeof *f);
    read_features(s, traces, options->ranks, f);
    for (size_t p = 0; p < n; p++) {
        struct clusters k;
        struct cc_trace_reader *t = traces[s->order[p]];
        s->platforms[p].cores = cores_of(t);
        cluster(s, &s->platforms[p], &f[p], &k);
        name_hot(&m, p, t, &f[p], &k);
        free(k.x);
        free(k.y);
        free(k.hot);
        for (int i = 0; i < 3; i++)
            cc_map_fini(&f[p].index[i]);
    }
    compare(s);
    for (size_t p = 0; p < n; p++) {
        share_known(&m, p, traces[s->order[p]], &f[p]);
        scaling_features_fini(&f[p]);
    }
    int rc = scaling_hotspots_find(&m, err);
    free(f);
    CC_VEC_FINI(&m.known);
    cc_strmap_fini(&m.by_key);
    if (rc < 0)
        cc_scaling_free(s);
    else
        *ret = s;
    return rc;
}

void cc_scaling_free(struct cc_scaling *s)
{
    if (!s)
        return;
    cc_arena_fini(&s->arena);
    free(s);
}
