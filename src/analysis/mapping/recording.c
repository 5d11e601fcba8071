/* Parts that give data to each other in a cycle are one task: strong streams decide that. Weak ones are added
 * after them, heaviest first, and dropped where they would close a cycle. */
#include "recording.h"
#include "problem.h"
#include "../../base/map.h"
#include "../../base/text.h"

#include <math.h>

enum { MAX_DEPENDENCIES_TIMES_UNITS = 16000000 };

struct builder {
    const struct cc_map_recording *how;
    struct cc_work *work;
    struct cc_map_problem *p;
    struct cc_map_recorded *facts;
    size_t *task_of;     /* [part] */
    uint64_t *reach;     /* bit b of row a: data of part a get to part b */
    size_t words;        /* of a row */
    struct cc_map edges; /* from, to -> its place among the problem's */
    double *internal;    /* [task]: bytes between its own parts */
    struct cc_err *err;
};

static uint64_t *row(const struct builder *b, size_t part)
{
    return b->reach + part * b->words;
}

static bool reaches(const struct builder *b, size_t from, size_t to)
{
    return row(b, from)[to / 64] >> to % 64 & 1;
}

/* Keeps `reach` transitively closed. */
static void connect(struct builder *b, size_t from, size_t to)
{
    if (reaches(b, from, to))
        return;
    for (size_t a = 0; a < b->work->nparts; a++)
        if (a == from || reaches(b, a, from)) {
            row(b, a)[to / 64] |= UINT64_C(1) << to % 64;
            for (size_t w = 0; w < b->words; w++)
                row(b, a)[w] |= row(b, to)[w];
        }
}

static double bytes_of(const struct builder *b, const struct cc_work_stream *s)
{
    return (double)(b->how->unma ? s->unma : s->fresh);
}

static bool of_rest(const struct builder *b, const struct cc_work_stream *s)
{
    return s->from == b->work->rest || s->to == b->work->rest;
}

/* A part joins the first one that it reaches and that reaches it. */
static void group(struct builder *b)
{
    const struct cc_work *w = b->work;
    CC_CLEANUP(cc_free_ptr) size_t *members = cc_alloc_array(w->nparts + 1, sizeof *members);
    size_t n = 0;
    for (size_t i = 0; i < w->nparts; i++) {
        size_t k = 0;
        while (k < i && !(reaches(b, i, k) && reaches(b, k, i)))
            k++;
        b->task_of[i] = k < i ? b->task_of[k] : n++;
        members[b->task_of[i]]++;
    }
    for (size_t i = 0; i < n; i++)
        if (members[i] > 1) {
            b->facts->merged += members[i];
            b->facts->groups++;
        }
}

static int heavier(const void *a, const void *b)
{
    const struct cc_map_edge *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes > y->bytes ? -1 : 1;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

static void add_edge(struct builder *b, size_t from, size_t to, double bytes)
{
    bool is_new;
    uint64_t *at = cc_map_put(&b->edges, from * b->work->nparts + to, &is_new);
    if (is_new) {
        *at = b->p->edges.n;
        CC_VEC_PUSH(&b->p->edges, (struct cc_map_edge){from, to, 0});
    }
    b->p->edges.v[*at].bytes += bytes;
}

/* Streams are parts' until they are added; edges are tasks'. */
static void add_streams(struct builder *b)
{
    const struct cc_work *w = b->work;
    double all = 0;
    for (size_t i = 0; i < w->nstreams; i++)
        all += of_rest(b, &w->streams[i]) ? 0 : bytes_of(b, &w->streams[i]);
    struct cc_map_edge *s = cc_alloc_array(w->nstreams + 1, sizeof *s);
    size_t n = 0, strong = 0;
    for (size_t i = 0; i < w->nstreams; i++)
        if (!of_rest(b, &w->streams[i]) && bytes_of(b, &w->streams[i]) > 0)
            s[n++] = (struct cc_map_edge){w->streams[i].from, w->streams[i].to, bytes_of(b, &w->streams[i])};
    qsort(s, n, sizeof *s, heavier);
    for (; strong < n && s[strong].bytes >= b->how->strong * all; strong++)
        connect(b, s[strong].from, s[strong].to);
    group(b);
    for (size_t i = 0; i < n; i++) {
        size_t from = b->task_of[s[i].from], to = b->task_of[s[i].to];
        if (from == to) {
            b->internal[to] += s[i].bytes;
        } else if (i >= strong && reaches(b, s[i].to, s[i].from)) {
            b->facts->dropped++;
            b->facts->dropped_bytes += s[i].bytes;
        } else {
            connect(b, s[i].from, s[i].to);
            add_edge(b, from, to, s[i].bytes);
        }
    }
    free(s);
    cc_map_fini(&b->edges);
}

/* "a+b+c", the heaviest three. */
static const char *name_task(struct builder *b, size_t task)
{
    struct cc_buf name = {0};
    size_t n = 0;
    for (size_t i = 0; i < b->work->nparts; i++) {
        if (b->task_of[i] != task)
            continue;
        if (n++ < 3)
            cc_buf_printf(&name, "%s%s", n > 1 ? "+" : "", b->work->parts[i].name);
    }
    if (n > 3)
        cc_buf_printf(&name, "+%zu", n - 3);
    const char *copy = cc_arena_strdup(&b->p->arena, name.s ? name.s : "?");
    cc_buf_fini(&name);
    return copy;
}

static struct cc_kernel kernel_of(const struct builder *b, size_t task, const char *name)
{
    struct cc_kernel k = {.name = name, .file = b->p->path, .iterations = 1, .inner = 1};
    double bytes = 0;
    for (size_t i = 0; i < b->work->nparts; i++) {
        const struct cc_work_part *part = &b->work->parts[i];
        if (b->task_of[i] != task)
            continue;
        for (size_t c = 0; c < CC_CLASSES; c++)
            k.n[c] += (double)part->counts.n[c];
        bytes += (double)part->in + (double)part->out;
    }
    k.bytes = fmax(0, bytes - 2 * b->internal[task]); /* both ends counted them */
    return k;
}

/* On one core of a unit; with `parallel` also on 2, 4, 8 … and all of them. */
static int add_options(struct builder *b, struct cc_map_task *t, const struct cc_kernel *k,
                       const struct cc_unit *u, size_t unit)
{
    size_t most = b->how->parallel ? b->p->units.v[unit].cores : 1;
    if (isnan(u->clock_hz))
        return cc_err_at(b->err, CC_EINPUT, b->p->path, 0, "unit '%.80s' has no clock_mhz", u->name);
    for (size_t cores = 1;; cores = CC_MIN(cores * 2, most)) {
        struct cc_kernel_time time;
        struct cc_err why = {0};
        if (cc_kernel_interval(k, u, (double)cores, 0, 0, &time, &why) < 0) {
            if (!b->facts->nunable++)
                b->facts->unable = cc_arena_strdup(&b->p->arena, why.msg);
            return 0;
        }
        if (t->options.n == CC_MAP_MAX_OPTIONS)
            return cc_err_at(b->err, CC_EINPUT, b->p->path, 0, "task '%.80s' has more than %d ways to run",
                             t->name, CC_MAP_MAX_OPTIONS);
        CC_VEC_PUSH(&t->options, (struct cc_map_option){unit, cores, time.time.low / u->clock_hz,
                                                        time.time.high / u->clock_hz, NAN});
        if (cores >= most)
            return 0;
    }
}

static int add_tasks(struct builder *b, const struct cc_unit *units)
{
    size_t n = 0;
    for (size_t i = 0; i < b->work->nparts; i++)
        n = CC_MAX(n, b->task_of[i] + 1);
    for (size_t i = 0; i < n; i++) {
        struct cc_map_task t = {.name = name_task(b, i)};
        struct cc_kernel k = kernel_of(b, i, t.name);
        int rc = 0;
        for (size_t u = 0; rc == 0 && u < b->p->units.n; u++)
            rc = add_options(b, &t, &k, &units[u], u);
        cc_map_fill_energy(b->p, &t);
        size_t options = t.options.n;
        CC_VEC_PUSH(&b->p->tasks, t);
        if (rc < 0)
            return rc;
        if (options == 0) {
            rc = cc_err_at(b->err, CC_EINPUT, b->p->path, 0, "task '%.80s' has no time on any unit: %s",
                           t.name, b->facts->unable ? b->facts->unable : "no throughput");
            cc_err_hint(b->err, "give the throughput with --set unit.NAME.CLASS=PER_CYCLE");
            return rc;
        }
    }
    return 0;
}

static int build(struct builder *b, const struct cc_platform *platform)
{
    struct cc_unit *units;
    size_t n, parts = b->work->nparts;
    b->words = (parts + 63) / 64;
    b->reach = cc_arena_alloc(&b->work->arena, (parts * b->words + 1) * sizeof *b->reach);
    b->task_of = cc_arena_alloc(&b->work->arena, (parts + 1) * sizeof *b->task_of);
    b->internal = cc_arena_alloc(&b->work->arena, (parts + 1) * sizeof *b->internal);
    int rc = cc_map_read_platform(b->p, platform, b->err);
    if (rc == 0)
        rc = cc_units_load(platform, &units, &n, b->err);
    if (rc < 0)
        return rc;
    add_streams(b);
    if (b->work->rest != SIZE_MAX && b->work->total.instructions) {
        const struct cc_work_part *rest = &b->work->parts[b->work->rest];
        b->facts->rest = rest->members;
        b->facts->rest_share = (double)rest->counts.instructions / (double)b->work->total.instructions;
    }
    rc = add_tasks(b, units);
    free(units);
    if (rc == 0 && (double)b->p->edges.n * (double)(n * n) > MAX_DEPENDENCIES_TIMES_UNITS)
        rc = cc_err_at(b->err, CC_EINPUT, b->p->path, 0, "%zu dependencies on %zu units are too many",
                       b->p->edges.n, n);
    if (rc == 0)
        rc = cc_map_check_connected(b->p, platform, b->err);
    return rc;
}

int cc_map_problem_from_profile(const struct cc_profile *profile, const struct cc_platform *platform,
                                const struct cc_map_recording *how, struct cc_map_problem **ret,
                                struct cc_map_recorded *facts, struct cc_err *err)
{
    *facts = (struct cc_map_recorded){0};
    struct builder b = {.how = how, .facts = facts, .err = err};
    int rc = cc_work_build(profile, how->level, how->tasks, &b.work, err);
    if (rc < 0)
        return rc;
    b.p = cc_alloc(sizeof *b.p);
    b.p->path = cc_arena_strdup(&b.p->arena, profile->path);
    b.p->name = b.p->path;
    b.p->clock = "ms";
    b.p->clock_second = 1e-3;
    for (size_t i = 0; rc == 0 && how->unma && i < b.work->nstreams; i++)
        if (!b.work->streams[i].has_unma)
            rc = cc_err_at(err, CC_EINPUT, profile->path, 0,
                           "the run was cut short: its distinct addresses are not known");
    if (rc == 0)
        rc = build(&b, platform);
    cc_work_free(b.work);
    if (rc < 0)
        cc_map_problem_free(b.p);
    else
        *ret = b.p;
    return rc;
}
