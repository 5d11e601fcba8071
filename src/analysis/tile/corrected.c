/* The same pipeline as simulate.c in a few dozen steps, whatever the number of tiles.
 *
 * The published closed form joins the classes of tiles by formulas that forget the state of the pipeline.
 * Here the state itself is carried: when each processor asks for its next tile, and when the channels are
 * free. Inside a class all tiles are equal, so after a round or two the state repeats itself, shifted in time
 * by a constant; the remaining rounds of the class are then one multiplication. The write channel, which
 * (writes not blocking) nothing waits for, may still fall behind by a constant amount a round, and is
 * advanced by its own rule. */
#include "tile.h"

#include <math.h>

enum { SMALL = 64 };

/* A processor's next request, or a write that waits. */
struct slot {
    double key;  /* request: when it is made (dynamic: when the processor is ready); write: end of compute */
    int64_t tie; /* order among equal keys */
    double prev; /* request, two buffers: end of the compute stage served last */
    int64_t prev_tile;
    int64_t tile; /* request, static assignment: the next tile */
    double w;     /* write: length */
    int core;
    unsigned turn; /* tiles this processor had so far; its parity names the output buffer */
};

/* A queue kept in order by insertion at its end: equal tiles arrive in order, so an insertion moves nothing
 * but at the joints of two classes. */
struct ring {
    struct slot *v;
    size_t mask, head, n;
};

struct snapshot {
    struct slot *reads;
    double *written; /* two for each entry of reads */
    double read_free, lock_free, write_free;
    size_t pending;
    bool valid;
};

struct state {
    const struct cc_tile_problem *p;
    const struct cc_tiling *t;
    struct ring reads, writes;
    double read_free, write_free, lock_free;
    double round_writes; /* when this round's writes end if the channel was free before: see jump */
    double *written;     /* [core * 2 + buffer]: when that output buffer was last written back */
    int64_t next_tile;   /* dynamic assignment */
    struct snapshot snap;
};

static struct slot *slot_at(const struct ring *r, size_t i)
{
    return &r->v[(r->head + i) & r->mask];
}

static void insert(struct ring *r, const struct slot *s)
{
    size_t i = r->n++;
    for (; i > 0; i--) {
        const struct slot *b = slot_at(r, i - 1);
        if (b->key < s->key || (b->key == s->key && b->tie < s->tie))
            break;
        *slot_at(r, i) = *b;
    }
    *slot_at(r, i) = *s;
}

static void drop_head(struct ring *r)
{
    r->head = (r->head + 1) & r->mask;
    r->n--;
}

static unsigned buffer_of(const struct state *s, unsigned turn)
{
    return s->p->double_buffer ? turn & 1 : 0;
}

/* Writes whose compute stage ended by `until`: nothing that is still to come can get in before them. */
static void finish_writes(struct state *s, double until)
{
    while (s->writes.n) {
        const struct slot *e = slot_at(&s->writes, 0);
        if (e->key > until)
            break;
        s->write_free = fmax(s->write_free, e->key) + e->w;
        s->round_writes = fmax(s->round_writes, e->key) + e->w;
        s->written[e->core * 2 + (int)buffer_of(s, e->turn)] = s->write_free;
        drop_head(&s->writes);
    }
}

static const struct cc_tile_class *class_of(const struct cc_tiling *t, int64_t tile, int *ret_i)
{
    int i = 0;
    while (tile >= t->k[i].n)
        tile -= t->k[i++].n;
    *ret_i = i;
    return &t->k[i];
}

/* Serves the oldest request: its read, its compute stage, and the queueing of its write. */
static int serve(struct state *s)
{
    struct slot c = *slot_at(&s->reads, 0);
    double o = s->p->op_sched, request = c.key;
    drop_head(&s->reads);
    int64_t tile = c.tile;
    if (s->p->dynamic) {
        tile = s->next_tile++;
        request = fmax(c.key, s->lock_free) + o;
        s->lock_free = request;
    }
    int i;
    const struct cc_tile_class *k = class_of(s->t, tile, &i);
    double start = fmax(request, s->read_free);
    finish_writes(s, start);
    s->read_free = start + k->r;
    double compute = s->read_free;
    if (s->p->double_buffer)
        compute = fmax(compute, c.prev + o);
    if (s->p->blocking_writes)
        compute = fmax(compute, s->written[c.core * 2 + (int)buffer_of(s, c.turn)]);
    double end = compute + k->c;
    struct slot write = {.key = end, .tie = tile, .w = k->w, .core = c.core, .turn = c.turn};
    insert(&s->writes, &write);

    double ready = s->p->double_buffer ? c.prev : end;
    int64_t ready_tile = s->p->double_buffer ? c.prev_tile : tile;
    c.prev = end;
    c.prev_tile = tile;
    c.turn++;
    if (s->p->dynamic) {
        c.key = ready;
        c.tie = ready_tile;
    } else {
        c.key = ready + o;
        c.tie = c.tile += s->p->cores;
        if (c.tile >= s->t->tiles)
            return i;
    }
    insert(&s->reads, &c);
    return i;
}

static bool writes_all(const struct state *s, double w)
{
    for (size_t i = 0; i < s->writes.n; i++)
        if (slot_at(&s->writes, i)->w != w)
            return false;
    return true;
}

static void take_snapshot(struct state *s, const struct cc_tile_class *k)
{
    struct snapshot *n = &s->snap;
    n->valid = s->reads.n == (size_t)s->p->cores && writes_all(s, k->w);
    s->round_writes = -INFINITY;
    if (!n->valid)
        return;
    for (size_t i = 0; i < s->reads.n; i++) {
        const struct slot *c = slot_at(&s->reads, i);
        n->reads[i] = *c;
        if (s->p->blocking_writes)
            for (unsigned b = 0; b < 2; b++)
                n->written[2 * i + b] = s->written[c->core * 2 + (int)buffer_of(s, c->turn + b)];
    }
    n->read_free = s->read_free;
    n->lock_free = s->lock_free;
    n->write_free = s->write_free;
    n->pending = s->writes.n;
}

/* Whether the state is the snapshot's, later by one and the same time everywhere. */
static bool repeats(const struct state *s, double *ret_shift)
{
    const struct snapshot *n = &s->snap;
    if (!n->valid || s->reads.n != (size_t)s->p->cores || s->writes.n != n->pending)
        return false;
    double shift = slot_at(&s->reads, 0)->key - n->reads[0].key;
    double slack = 2e-15 * slot_at(&s->reads, s->reads.n - 1)->key;
    for (size_t i = 0; i < s->reads.n; i++) {
        const struct slot *c = slot_at(&s->reads, i), *b = &n->reads[i];
        if (fabs(c->key - b->key - shift) > slack)
            return false;
        if (s->p->double_buffer && fabs(c->prev - b->prev - shift) > slack)
            return false;
        if (!s->p->dynamic && c->tile != b->tile + s->p->cores)
            return false;
        if (s->p->blocking_writes)
            for (unsigned w = 0; w < 2; w++)
                if (fabs(s->written[c->core * 2 + (int)buffer_of(s, c->turn + w)] - n->written[2 * i + w] -
                         shift) > slack)
                    return false;
    }
    if (fabs(s->read_free - n->read_free - shift) > slack)
        return false;
    if (s->p->dynamic && fabs(s->lock_free - n->lock_free - shift) > slack)
        return false;
    if (s->p->blocking_writes && fabs(s->write_free - n->write_free - shift) > slack)
        return false;
    *ret_shift = shift;
    return true;
}

/* As many whole rounds at once as leave every tile served in class i. */
static void jump(struct state *s, int i, double shift)
{
    const struct cc_tile_class *k = &s->t->k[i];
    int64_t end = 0, p = s->p->cores, rounds;
    for (int j = 0; j <= i; j++)
        end += s->t->k[j].n;
    if (s->p->dynamic) {
        rounds = (end - s->next_tile) / p;
    } else {
        int64_t last = 0;
        for (size_t j = 0; j < s->reads.n; j++)
            last = CC_MAX(last, slot_at(&s->reads, j)->tile);
        rounds = last < end ? (end - 1 - last) / p + 1 : 0;
    }
    if (rounds <= 0)
        return;
    double by = shift * (double)rounds;
    /* This round's writes, alone, ended at round_writes; each later round's do so a shift later. Either they
     * keep up, or each adds its own length to what is behind. */
    double a = s->round_writes + shift, length = (double)p * k->w;
    if (s->p->blocking_writes)
        s->write_free += by;
    else
        s->write_free =
            fmax(s->write_free + (double)rounds * length, a + (double)(rounds - 1) * fmax(shift, length));
    s->read_free += by;
    s->lock_free += by;
    s->next_tile += rounds * p;
    size_t left = 0; /* processors that still have a tile */
    for (size_t j = 0; j < s->reads.n; j++) {
        struct slot c = *slot_at(&s->reads, j);
        c.key += by;
        c.prev += by;
        c.tile += s->p->dynamic ? 0 : rounds * p;
        c.tie += rounds * p;
        c.prev_tile += rounds * p;
        if (s->p->dynamic || c.tile < s->t->tiles)
            *slot_at(&s->reads, left++) = c;
    }
    s->reads.n = left;
    for (size_t j = 0; j < s->writes.n; j++) {
        slot_at(&s->writes, j)->key += by;
        slot_at(&s->writes, j)->tie += rounds * p;
    }
    for (int64_t j = 0; j < 2 * p; j++)
        s->written[j] += by;
}

static double run(struct state *s)
{
    int64_t p = s->p->cores, warm = (s->p->double_buffer ? 2 : 1) * p;
    int64_t since = 0; /* tiles served in a row that are of one class */
    int last = -1;
    while (s->reads.n && (!s->p->dynamic || s->next_tile < s->t->tiles)) {
        int i = serve(s);
        since = i == last ? since + 1 : 1;
        last = i;
        if (since < warm || (since - warm) % p != 0)
            continue;
        double shift;
        if (since > warm && repeats(s, &shift)) {
            jump(s, i, shift);
            last = -1; /* what is left of the class is less than a round */
        } else {
            take_snapshot(s, &s->t->k[i]);
        }
    }
    finish_writes(s, INFINITY);
    return s->write_free + s->p->op_open + s->p->op_close;
}

double cc_tile_corrected(const struct cc_tile_problem *p, const struct cc_tiling *t)
{
    struct slot small_reads[SMALL], small_writes[2 * SMALL], small_snap[SMALL];
    double small_written[4 * SMALL];
    size_t n = (size_t)p->cores, cap = 1;
    while (cap < n)
        cap *= 2;
    bool big = n > SMALL;
    struct slot *slots = big ? cc_alloc_array(4 * cap, sizeof *slots) : NULL;
    double *written = big ? cc_alloc_array(4 * n, sizeof *written) : small_written;
    struct state s = {.p = p, .t = t, .written = written};
    s.reads = (struct ring){big ? slots : small_reads, cap - 1, 0, 0};
    s.writes = (struct ring){big ? slots + cap : small_writes, 2 * cap - 1, 0, 0};
    s.snap.reads = big ? slots + 3 * cap : small_snap;
    s.snap.written = written + 2 * n;
    for (size_t i = 0; i < n && (int64_t)i < t->tiles; i++) {
        struct slot c = {.tile = (int64_t)i, .core = (int)i};
        c.key = p->dynamic ? 0 : p->op_sched;
        c.tie = p->dynamic ? (int64_t)i - 2 * p->cores : (int64_t)i;
        c.prev_tile = (int64_t)i - p->cores;
        insert(&s.reads, &c);
    }
    for (size_t i = 0; i < 2 * n; i++)
        written[i] = 0;
    double time = run(&s);
    if (big) {
        free(slots);
        free(written);
    }
    return time;
}
