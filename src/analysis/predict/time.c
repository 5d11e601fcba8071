#include "replay.h"

#include <math.h>
#include <stdarg.h>

enum { MAX_SEGMENTS = 2000000 };
#define TIME_LIMIT (INT64_C(1) << 61)

void cc_eng_segment(struct engine *e, struct cc_predict_segment g)
{
    if (e->segments.n >= MAX_SEGMENTS)
        e->cut = true;
    else
        CC_VEC_PUSH(&e->segments, g);
}

static void record(struct engine *e, struct strand *s, cc_ticks start, enum cc_part part, uint32_t name)
{
    /* strands interleave, so the processor's last segment need not be the last of all: look back a little */
    for (size_t i = e->segments.n, back = 0; i-- > 0 && back < 8; back++) {
        struct cc_predict_segment *g = &e->segments.v[i];
        if (g->processor != s->proc)
            continue;
        if (g->end == start && g->part == part && g->name == name) {
            g->end = s->time;
            return;
        }
        break;
    }
    cc_eng_segment(e, (struct cc_predict_segment){s->proc, name, part, start, s->time});
}

void cc_eng_advance(struct engine *e, struct strand *s, cc_ticks dt, enum cc_part part, uint32_t name)
{
    if (dt == 0)
        return;
    cc_ticks start = s->time;
    s->time += dt;
    s->part[part] += dt;
    if (s->time > TIME_LIMIT || dt > TIME_LIMIT) {
        cc_eng_fail(e, NULL, "the schedule gets longer than can be counted");
        s->time = 0;
        return;
    }
    if (e->record)
        record(e, s, start, part, name);
}

void cc_eng_wait_until(struct engine *e, struct strand *s, cc_ticks t, enum cc_part part)
{
    if (t <= s->time)
        return;
    s->waited = true;
    cc_eng_advance(e, s, t - s->time, part, UINT32_MAX);
}

/* How much of a piece the strand runs, where that goes with what its own iterations left it, and from where.
 */
static double portion_of(const struct engine *e, const struct strand *s, struct piece p, double *ret_from)
{
    size_t i = SIZE_MAX;
    if (e->ran_by && s->team && s->team->outermost)
        i = cc_portion_find(e->portions, p.node, p.kind);
    *ret_from = 0;
    return i == SIZE_MAX ? 1 : cc_portion_share(e->portions, i, e->ran_by, (uint16_t)(s->tid + 1), ret_from);
}

/* What a piece waits for memory: as much as in the sequential run is its own work, what goes beyond is due to
 * others. How long that is nobody knows well, and neither how long it waits for lines that others take: alone
 * it may have waited as long for something else. */
static void add_waiting(const struct engine *e, struct piece *p)
{
    const struct local_run *l = e->local;
    double now = cc_local_stall(l, p->kind, p->node, e->draw ? &e->draw->chance : NULL),
           alone = l->l->stall[p->kind][p->node];
    double own = fmin(now, alone), others = now - own;
    if (e->draw) {
        double off = fmax(others, now * l->taken) * (e->draw->beyond - 1);
        own = fmax(own * e->draw->waiting + fmin(others + off, 0), 0);
        others = fmax(others + off, 0);
    }
    p->base += cc_ticks_of(own * (1 << CC_TICK_BITS));
    p->extra += cc_ticks_of(others * (1 << CC_TICK_BITS));
}

void cc_eng_work(struct engine *e, struct strand *s, struct piece p, uint64_t copies, uint32_t name)
{
    double from = 0, part = p.kind ? portion_of(e, s, p, &from) : 1;
    bool noted = e->local && p.kind && e->local->log &&
                 cc_local_note(e->local, s->proc, CC_TICKS_TO_F64(s->time), s->waited, s->visit,
                               (struct local_code){p.node, name, p.kind, from, part});
    if (noted) {
        s->waited = false;
        s->visit = (struct cc_locality_visit){0};
    }
    if (e->local && p.kind)
        add_waiting(e, &p);
    if (part < 1) {
        p.base = cc_ticks_of((double)p.base * part);
        p.extra = cc_ticks_of((double)p.extra * part);
        p.joules *= part;
    }
    if (e->draw)
        p.base = cc_ticks_of((double)p.base * e->draw->speed[s->proc]);
    e->joules += p.joules * (double)copies;
    cc_code_ran(e, s, name);
    cc_eng_advance(e, s, p.base * (cc_ticks)copies, s->team ? CC_PART_PROCESSING : CC_PART_SEQUENTIAL, name);
    if (p.extra)
        cc_eng_advance(e, s, p.extra * (cc_ticks)copies, CC_PART_CONTENTION, name);
    if (noted)
        cc_local_over(e->local, s->proc, CC_TICKS_TO_F64(s->time));
}

/* Counted in traces of gcc's library on simulated cores, see README.md. */
void cc_eng_visit(struct strand *s, enum visit what, unsigned threads)
{
    static const struct cc_locality_visit of[] = {
        [VISIT_FIRST] = {80, 0},  [VISIT_REGION] = {24, 4},    [VISIT_JOIN] = {12, 0},
        [VISIT_BARRIER] = {7, 0}, [VISIT_FETCH] = {4, 0},      [VISIT_GUIDED] = {6, 0},
        [VISIT_LOCK] = {4, 0},    [VISIT_TASK] = {16, 14, 16},
    };
    struct cc_locality_visit v = of[what];
    if (what == VISIT_FIRST || what == VISIT_REGION) { /* the master sets up each thread's */
        v.loaded += (what == VISIT_FIRST ? 6 : 1) * threads;
        v.stored += (what == VISIT_FIRST ? 18 : 6) * threads;
    }
    s->visit.loaded = CC_MAX(s->visit.loaded, v.loaded);
    s->visit.stored = CC_MAX(s->visit.stored, v.stored);
    s->visit.records = CC_MAX(s->visit.records, v.records);
}

void cc_eng_publish(struct engine *e, const struct strand *s)
{
    if (e->local && e->local->log)
        cc_local_publish(e->local, s->proc);
}

struct load cc_eng_load(const struct engine *e, const struct strand *s)
{
    return (struct load){.busy = e->running,
                         .near = e->near[cc_eng_cluster(e, s)],
                         .sibling = s->sibling && s->sibling->busy && !s->sibling->blocked,
                         .rank = e->draw ? e->draw->rank[s->proc] : 0,
                         .share = e->draw ? e->draw->share : 0,
                         .bound = e->draw ? e->draw->bound : 0};
}

unsigned cc_eng_cluster(const struct engine *e, const struct strand *s)
{
    return e->m->cluster_cores ? s->proc / e->m->cluster_cores : 0;
}

void cc_eng_cost(struct engine *e, struct strand *s, enum column column, enum cost cost)
{
    cc_eng_advance(e, s, e->cost[column][cost], CC_PART_OVERHEAD, UINT32_MAX);
}

cc_ticks cc_eng_crowd(const struct engine *e, enum crowd c, unsigned threads, cc_ticks otherwise)
{
    if (!e->m->crowd[c])
        return otherwise;
    cc_ticks cost = cc_model_crowd(e->m, c, threads, 0);
    if (!e->draw)
        return cost;
    bool lock = c == CROWD_CRITICAL || c == CROWD_CRITICAL_NAMED;
    return cc_ticks_of((double)cost * e->draw->overhead * (lock && threads > 1 ? e->draw->lock : 1));
}

void cc_eng_fail(struct engine *e, const struct bound *b, const char *fmt, ...)
{
    if (e->failed)
        return;
    e->failed = true;
    char text[900];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    cc_err_at(e->err, CC_EINPUT, e->p->s->path, b ? b->d->line : 0, "%s", text);
}

struct frame *cc_eng_push(struct strand *s, enum frame_kind kind, uint32_t node, uint32_t path,
                          const struct bound *b)
{
    struct frame f = {.kind = kind, .node = node, .path = path, .b = b};
    CC_VEC_PUSH(&s->frames, f);
    return &s->frames.v[s->frames.n - 1];
}

/* --- the order of strands: a binary heap, the earliest on top --- */

static inline bool earlier(const struct strand *a, const struct strand *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    if (a->looked != b->looked)
        return b->looked;
    return a->order != b->order ? a->order < b->order : a->proc < b->proc;
}

void cc_eng_shuffle(struct engine *e, struct strand **v, size_t n)
{
    for (size_t i = 0; e->local && i < n; i++) {
        size_t k = i + cc_rng_below(&e->order, n - i);
        struct strand *s = v[k];
        v[k] = v[i];
        v[i] = s;
        s->order = (unsigned)i;
    }
}

static void push(struct engine *e, struct strand *s)
{
    size_t i = e->nheap++;
    while (i && earlier(s, e->heap[(i - 1) / 2])) {
        e->heap[i] = e->heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    e->heap[i] = s;
}

struct strand *cc_eng_pop(struct engine *e)
{
    if (e->nheap == 0)
        return NULL;
    struct strand *top = e->heap[0], *last = e->heap[--e->nheap];
    size_t i = 0;
    for (;;) {
        size_t c = 2 * i + 1;
        if (c >= e->nheap)
            break;
        if (c + 1 < e->nheap && earlier(e->heap[c + 1], e->heap[c]))
            c++;
        if (!earlier(e->heap[c], last))
            break;
        e->heap[i] = e->heap[c];
        i = c;
    }
    e->heap[i] = last;
    return top;
}

bool cc_eng_yield(struct engine *e, struct strand *s)
{
    if (e->nheap == 0 || !earlier(e->heap[0], s))
        return false;
    push(e, s);
    return true;
}

void cc_eng_rest(struct engine *e, const struct strand *s)
{
    e->running--;
    e->near[cc_eng_cluster(e, s)]--;
}

void cc_eng_block(struct engine *e, struct strand *s)
{
    s->blocked = true;
    cc_eng_rest(e, s);
}

void cc_eng_wake(struct engine *e, struct strand *s, cc_ticks t)
{
    cc_eng_wait_until(e, s, t, s->wait);
    s->blocked = false;
    e->running++;
    e->near[cc_eng_cluster(e, s)]++;
    push(e, s);
}
