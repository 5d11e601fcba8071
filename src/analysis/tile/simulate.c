/* The reference: discrete events, one tile at a time. Written for plainness, and on purpose without the
 * shortcuts of corrected.c, which is tested against it.
 *
 * A processor, for each of its tiles: op_sched of loop overhead, then the request for the tile's read; it
 * computes when its input is there, and the write is queued when it is done. Each channel serves its requests
 * one at a time in order of arrival (equal times: lower tile first). Tiles are numbered class by class.
 * Two buffers: the request for a tile leaves as soon as the processor's tile before last is computed. */
#include "tile.h"

#include <math.h>

enum kind { READ_DONE, COMPUTE_DONE, WRITE_DONE, REQUEST }; /* at one instant in this order */

struct event {
    double time;
    enum kind kind;
    int64_t tile;
    int core;
};

struct core {
    int64_t next;    /* the next tile to request (static assignment) */
    int loaded;      /* inputs that are there and not being worked on */
    int64_t tile[2]; /* which, oldest first */
    bool busy;       /* computing */
    double free_at;  /* end of the last compute stage and of the loop overhead after it */
    double compute, overhead, last_end, write_wait;
    double blocked_at; /* since when only an unwritten output holds it up; negative: it does not */
    int unwritten;     /* outputs computed and not yet written back */
    int asked;         /* tiles requested or computing */
};

struct fifo {
    CC_VEC(struct event) q;
    size_t head;
    bool busy;
    double busy_time;
};

struct sim {
    const struct cc_tile_problem *p;
    const struct cc_tiling *t;
    cc_tile_compute_fn *compute;
    void *data;
    CC_VEC(struct event) heap;
    struct core *cores;
    struct fifo read, write;
    int64_t next_tile; /* dynamic assignment */
    double lock_free;
    double now, end;
};

static bool before(const struct event *a, const struct event *b)
{
    if (a->time != b->time)
        return a->time < b->time;
    if (a->kind != b->kind)
        return a->kind < b->kind;
    return a->tile < b->tile;
}

static void push(struct sim *s, struct event e)
{
    CC_VEC_PUSH(&s->heap, e);
    size_t i = s->heap.n - 1;
    for (; i > 0 && before(&e, &s->heap.v[(i - 1) / 2]); i = (i - 1) / 2)
        s->heap.v[i] = s->heap.v[(i - 1) / 2];
    s->heap.v[i] = e;
}

static struct event pop(struct sim *s)
{
    struct event top = s->heap.v[0], last = s->heap.v[--s->heap.n];
    size_t i = 0;
    for (size_t c = 1; c < s->heap.n; c = 2 * i + 1) {
        if (c + 1 < s->heap.n && before(&s->heap.v[c + 1], &s->heap.v[c]))
            c++;
        if (!before(&s->heap.v[c], &last))
            break;
        s->heap.v[i] = s->heap.v[c];
        i = c;
    }
    if (s->heap.n)
        s->heap.v[i] = last;
    return top;
}

static const struct cc_tile_class *class_of(const struct sim *s, int64_t tile)
{
    int i = 0;
    while (tile >= s->t->k[i].n)
        tile -= s->t->k[i++].n;
    return &s->t->k[i];
}

/* The processor is ready for another tile at `when`: loop overhead, then its request. */
static void ask(struct sim *s, int core, double when)
{
    struct core *c = &s->cores[core];
    int64_t tile;
    double at = when + s->p->op_sched;
    if (s->p->dynamic) {
        if (s->next_tile >= s->t->tiles)
            return;
        tile = s->next_tile++;
        at = fmax(when, s->lock_free) + s->p->op_sched;
        s->lock_free = at;
    } else {
        if (c->next >= s->t->tiles)
            return;
        tile = c->next;
        c->next += s->p->cores;
    }
    c->asked++;
    push(s, (struct event){at, REQUEST, tile, core});
}

static void serve(struct sim *s, struct fifo *f, enum kind done)
{
    if (f->busy || f->head == f->q.n)
        return;
    struct event e = f->q.v[f->head++];
    double time = done == READ_DONE ? class_of(s, e.tile)->r : class_of(s, e.tile)->w;
    f->busy = true;
    f->busy_time += time;
    push(s, (struct event){s->now + time, done, e.tile, e.core});
    if (f->head == f->q.n)
        f->head = f->q.n = 0;
}

static void try_compute(struct sim *s, int core)
{
    struct core *c = &s->cores[core];
    int buffers = s->p->double_buffer ? 2 : 1;
    if (c->busy || !c->loaded || s->now < c->free_at)
        return;
    if (s->p->blocking_writes && c->unwritten >= buffers) {
        c->blocked_at = c->blocked_at < 0 ? s->now : c->blocked_at;
        return;
    }
    if (c->blocked_at >= 0)
        c->write_wait += s->now - c->blocked_at;
    c->blocked_at = -1;
    int64_t tile = c->tile[0];
    c->tile[0] = c->tile[1];
    c->loaded--;
    c->busy = true;
    const struct cc_tile_class *k = class_of(s, tile);
    double time = s->compute ? s->compute(s->data, tile, k->c, k->x * k->y) : k->c;
    c->compute += time;
    push(s, (struct event){s->now + time, COMPUTE_DONE, tile, core});
}

static void on_compute_done(struct sim *s, const struct event *e)
{
    struct core *c = &s->cores[e->core];
    c->busy = false;
    c->unwritten++;
    c->asked--;
    c->last_end = s->now;
    CC_VEC_PUSH(&s->write.q, *e);
    serve(s, &s->write, WRITE_DONE);
    ask(s, e->core, s->now);
    if (!c->asked)
        return;
    /* With two buffers the next input may be there already; the loop's own overhead still comes first. */
    c->overhead += s->p->op_sched;
    c->free_at = s->now + s->p->op_sched;
    push(s, (struct event){c->free_at, READ_DONE, -1, e->core});
}

static void on_event(struct sim *s, const struct event *e)
{
    struct core *c = &s->cores[e->core];
    switch (e->kind) {
    case REQUEST:
        CC_VEC_PUSH(&s->read.q, *e);
        serve(s, &s->read, READ_DONE);
        break;
    case READ_DONE:
        if (e->tile >= 0) { /* -1: only a wake-up after overhead */
            s->read.busy = false;
            c->tile[c->loaded++] = e->tile;
            serve(s, &s->read, READ_DONE);
        }
        try_compute(s, e->core);
        break;
    case COMPUTE_DONE:
        on_compute_done(s, e);
        break;
    case WRITE_DONE:
        s->write.busy = false;
        s->end = s->now;
        c->unwritten--;
        serve(s, &s->write, WRITE_DONE);
        try_compute(s, e->core);
        break;
    }
}

static void summarise(const struct sim *s, struct cc_tile_run *ret)
{
    double n = (double)s->p->cores;
    double fixed = s->p->op_open + s->p->op_close;
    *ret = (struct cc_tile_run){.time = s->end + fixed, .overhead = fixed};
    for (int64_t i = 0; i < s->p->cores; i++) {
        const struct core *c = &s->cores[i];
        ret->compute += c->compute / n;
        ret->overhead += c->overhead / n;
        ret->idle += (s->end - c->last_end) / n;
        ret->read_wait += (c->last_end - c->compute - c->overhead - c->write_wait) / n;
        ret->write_wait += c->write_wait / n;
    }
    ret->read_busy = s->read.busy_time;
    ret->write_busy = s->write.busy_time;
}

void cc_tile_simulate(const struct cc_tile_problem *p, const struct cc_tiling *t, cc_tile_compute_fn *compute,
                      void *data, struct cc_tile_run *ret)
{
    struct sim s = {.p = p, .t = t, .compute = compute, .data = data};
    s.cores = cc_alloc_array((size_t)p->cores, sizeof *s.cores);
    for (int64_t i = 0; i < p->cores; i++) {
        s.cores[i].next = i;
        s.cores[i].blocked_at = -1;
    }
    for (int round = 0; round < (p->double_buffer ? 2 : 1); round++)
        for (int64_t i = 0; i < p->cores; i++) {
            ask(&s, (int)i, 0);
            s.cores[i].overhead = s.cores[i].asked ? p->op_sched : 0;
        }
    while (s.heap.n) {
        struct event e = pop(&s);
        s.now = e.time;
        on_event(&s, &e);
    }
    summarise(&s, ret);
    CC_VEC_FINI(&s.heap);
    CC_VEC_FINI(&s.read.q);
    CC_VEC_FINI(&s.write.q);
    free(s.cores);
}
