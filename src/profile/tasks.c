#include "tasks.h"
#include "../base/arena.h"
#include "../base/map.h"
#include "../base/text.h"

#include <inttypes.h>
#include <math.h>

/* Bytes of the trace, all numbers LEB128 varints unless noted.
 * Stream "tasks", chunk 0 (written last): "CCtasks1", clock, ticks per second (IEEE double), incomplete ("" =
 * whole), start, end, counters, names, threads (id, events, chunks), burdens (name, busy, factor, spread);
 * texts and lists are preceded by their length. Stream "tasks.<thread>", any number of chunks: events. Each
 * is kind (2 bits) | time since the thread's last event
 *   << 2, the name for kinds BEGIN and END_OTHER, and the increase of each counter.
 * Stream "copies", if there was a co-run, chunk 0: a list of name, busy and a list of factors (doubles). */
enum kind { BEGIN, END_INNERMOST, END_OTHER };
enum { CHUNK = 1 << 18, MAX_EVENT = 10 * (2 + CC_TASKS_MAX_COUNTERS), MAX_OPEN = 1 << 20 };
static const char magic[8] = "CCtasks1";

static size_t put_varint(unsigned char *out, uint64_t v)
{
    size_t n = 0;
    while (v >= 0x80) {
        out[n++] = (unsigned char)(v | 0x80);
        v >>= 7;
    }
    out[n++] = (unsigned char)v;
    return n;
}

static void add_varint(struct cc_buf *b, uint64_t v)
{
    unsigned char bytes[10];
    cc_buf_add(b, bytes, put_varint(bytes, v));
}

static void add_text(struct cc_buf *b, const char *s)
{
    add_varint(b, strlen(s));
    cc_buf_add(b, s, strlen(s));
}

static void add_double(struct cc_buf *b, double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    unsigned char bytes[8];
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> (8 * i));
    cc_buf_add(b, bytes, sizeof bytes);
}

static void stream_name(uint32_t thread, char out[static 32])
{
    snprintf(out, 32, "tasks.%" PRIu32, thread);
}

/* --- writing --- */

struct thread {
    struct cc_tasks_thread info;
    uint64_t last;
    uint64_t counters[CC_TASKS_MAX_COUNTERS];
    CC_VEC(uint32_t) open;
    unsigned char *data;
    size_t n;
};

struct cc_tasks_writer {
    struct cc_store *store;
    char *clock;
    double ticks_per_second;
    char *counters[CC_TASKS_MAX_COUNTERS];
    size_t ncounters;
    struct cc_strmap names;
    CC_VEC(char *) name_list;
    struct cc_map thread_of; /* id -> index */
    CC_VEC(struct thread) threads;
    CC_VEC(struct cc_tasks_burden) burdens;
    CC_VEC(struct cc_tasks_copies) copies; /* factors owned */
    size_t last_thread;                    /* the last event's, most often the next one's too */
};

struct cc_tasks_writer *cc_tasks_writer_new(struct cc_store *store, const char *clock,
                                            double ticks_per_second, const char *const *counters,
                                            size_t ncounters)
{
    struct cc_tasks_writer *w = cc_alloc(sizeof *w);
    w->store = store;
    w->clock = cc_strdup(clock);
    w->ticks_per_second = ticks_per_second;
    w->ncounters = CC_MIN(ncounters, (size_t)CC_TASKS_MAX_COUNTERS);
    for (size_t i = 0; i < w->ncounters; i++)
        w->counters[i] = cc_strdup(counters[i]);
    return w;
}

void cc_tasks_writer_free(struct cc_tasks_writer *w)
{
    if (!w)
        return;
    for (size_t i = 0; i < w->ncounters; i++)
        free(w->counters[i]);
    for (size_t i = 0; i < w->name_list.n; i++)
        free(w->name_list.v[i]);
    for (size_t i = 0; i < w->threads.n; i++) {
        CC_VEC_FINI(&w->threads.v[i].open);
        free(w->threads.v[i].data);
    }
    CC_VEC_FINI(&w->name_list);
    CC_VEC_FINI(&w->threads);
    CC_VEC_FINI(&w->burdens);
    for (size_t i = 0; i < w->copies.n; i++)
        free((double *)w->copies.v[i].factors);
    CC_VEC_FINI(&w->copies);
    cc_strmap_fini(&w->names);
    cc_map_fini(&w->thread_of);
    free(w->clock);
    free(w);
}

int64_t cc_tasks_name(struct cc_tasks_writer *w, const char *name, struct cc_err *err)
{
    uint64_t *known = cc_strmap_get(&w->names, name);
    if (known)
        return (int64_t)*known;
    size_t n = strlen(name);
    if (n == 0 || n > CC_TASKS_MAX_NAME)
        return cc_err_set(err, CC_EINPUT, "a task's name must have 1 to %d bytes: '%.80s'", CC_TASKS_MAX_NAME,
                          name);
    if (w->name_list.n >= CC_TASKS_MAX_NAMES)
        return cc_err_set(err, CC_EINPUT, "more than %d different task names", CC_TASKS_MAX_NAMES);
    *cc_strmap_put(&w->names, name, NULL) = w->name_list.n;
    CC_VEC_PUSH(&w->name_list, cc_strdup(name));
    return (int64_t)w->name_list.n - 1;
}

static int thread_get(struct cc_tasks_writer *w, uint32_t id, struct thread **ret, struct cc_err *err)
{
    if (w->last_thread < w->threads.n && w->threads.v[w->last_thread].info.id == id) {
        *ret = &w->threads.v[w->last_thread];
        return 0;
    }
    bool is_new;
    uint64_t *index = cc_map_put(&w->thread_of, id, &is_new);
    if (is_new) {
        if (w->threads.n >= CC_TASKS_MAX_THREADS)
            return cc_err_set(err, CC_EINPUT, "more than %d threads with tasks", CC_TASKS_MAX_THREADS);
        *index = w->threads.n;
        struct thread t = {.info.id = id, .data = cc_alloc(CHUNK)};
        CC_VEC_PUSH(&w->threads, t);
    }
    w->last_thread = (size_t)*index;
    *ret = &w->threads.v[w->last_thread];
    return 0;
}

static int flush_thread(struct cc_tasks_writer *w, struct thread *t, struct cc_err *err)
{
    if (t->n == 0)
        return 0;
    char stream[32];
    stream_name(t->info.id, stream);
    int rc = cc_store_put_chunk(w->store, stream, t->info.chunks++, t->data, t->n, err);
    t->n = 0;
    return rc;
}

static int event(struct cc_tasks_writer *w, struct thread *t, enum kind kind, uint32_t name, uint64_t time,
                 const uint64_t *counters, struct cc_err *err)
{
    if (name >= w->name_list.n)
        return cc_err_set(err, CC_EBUG, "task name %" PRIu32 " was never registered", name);
    if (t->info.events && time < t->last)
        return cc_err_set(err, CC_EINPUT,
                          "thread %" PRIu32 ": time goes back from %" PRIu64 " to %" PRIu64 " at '%.80s'",
                          t->info.id, t->last, time, w->name_list.v[name]);
    if (time - t->last >= UINT64_C(1) << 62)
        return cc_err_set(err, CC_EINPUT, "thread %" PRIu32 ": absurd time %" PRIu64, t->info.id, time);
    int rc = t->n + MAX_EVENT > CHUNK ? flush_thread(w, t, err) : 0;
    if (rc < 0)
        return rc;
    t->n += put_varint(t->data + t->n, (time - t->last) << 2 | kind);
    if (kind != END_INNERMOST)
        t->n += put_varint(t->data + t->n, name);
    for (size_t i = 0; i < w->ncounters; i++) {
        if (counters[i] < t->counters[i])
            return cc_err_set(err, CC_EINPUT, "thread %" PRIu32 ": counter '%s' goes back", t->info.id,
                              w->counters[i]);
        t->n += put_varint(t->data + t->n, counters[i] - t->counters[i]);
        t->counters[i] = counters[i];
    }
    t->last = time;
    t->info.events++;
    return 0;
}

int cc_tasks_begin(struct cc_tasks_writer *w, uint32_t thread, uint32_t name, uint64_t time,
                   const uint64_t *counters, struct cc_err *err)
{
    struct thread *t;
    int rc = thread_get(w, thread, &t, err);
    if (rc == 0 && t->open.n >= MAX_OPEN)
        rc = cc_err_set(err, CC_EINPUT, "tasks nested deeper than %d", MAX_OPEN);
    if (rc == 0)
        rc = event(w, t, BEGIN, name, time, counters, err);
    if (rc == 0)
        CC_VEC_PUSH(&t->open, name);
    return rc;
}

int cc_tasks_end(struct cc_tasks_writer *w, uint32_t thread, uint32_t name, uint64_t time,
                 const uint64_t *counters, struct cc_err *err)
{
    struct thread *t;
    int rc = thread_get(w, thread, &t, err);
    if (rc < 0)
        return rc;
    bool innermost = t->open.n && t->open.v[t->open.n - 1] == name;
    rc = event(w, t, innermost ? END_INNERMOST : END_OTHER, name, time, counters, err);
    if (rc == 0 && innermost)
        t->open.n--;
    return rc;
}

int cc_tasks_burden(struct cc_tasks_writer *w, uint32_t name, unsigned busy, double factor, double spread,
                    struct cc_err *err)
{
    if (name >= w->name_list.n || busy < 2 || busy > CC_TASKS_MAX_BUSY || !(factor > 0 && factor < 1e6) ||
        !(spread >= 0 && spread < 1e6))
        return cc_err_set(err, CC_EBUG, "absurd burden: %g times with %u processors", factor, busy);
    if (w->burdens.n >= CC_TASKS_MAX_BURDENS)
        return cc_err_set(err, CC_EINPUT, "more than %d burdens", CC_TASKS_MAX_BURDENS);
    struct cc_tasks_burden b = {name, busy, factor, spread};
    CC_VEC_PUSH(&w->burdens, b);
    return 0;
}

int cc_tasks_copies(struct cc_tasks_writer *w, uint32_t name, unsigned busy, const double *factors, size_t n,
                    struct cc_err *err)
{
    if (name >= w->name_list.n || busy < 1 || busy > CC_TASKS_MAX_BUSY || n < 1 || n > CC_TASKS_MAX_COPIES)
        return cc_err_set(err, CC_EBUG, "absurd copies: %zu with %u processors", n, busy);
    if (w->copies.n >= CC_TASKS_MAX_BURDENS)
        return cc_err_set(err, CC_EINPUT, "more than %d burdens", CC_TASKS_MAX_BURDENS);
    double *own = cc_alloc_array(n, sizeof *own);
    memcpy(own, factors, n * sizeof *own);
    struct cc_tasks_copies c = {name, busy, own, n};
    CC_VEC_PUSH(&w->copies, c);
    return 0;
}

static int copies_by_name_and_busy(const void *a, const void *b)
{
    const struct cc_tasks_copies *x = a, *y = b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->busy < y->busy ? -1 : x->busy > y->busy;
}

static int put_copies(struct cc_tasks_writer *w, struct cc_err *err)
{
    struct cc_buf b = {0};
    if (!w->copies.n)
        return 0;
    qsort(w->copies.v, w->copies.n, sizeof *w->copies.v, copies_by_name_and_busy);
    add_varint(&b, w->copies.n);
    for (size_t i = 0; i < w->copies.n; i++) {
        const struct cc_tasks_copies *c = &w->copies.v[i];
        add_varint(&b, c->name);
        add_varint(&b, c->busy);
        add_varint(&b, c->n);
        for (size_t k = 0; k < c->n; k++)
            add_double(&b, c->factors[k]);
    }
    int rc = cc_store_put_chunk(w->store, "copies", 0, b.s, b.n, err);
    cc_buf_fini(&b);
    return rc;
}

static int by_name_and_busy(const void *a, const void *b)
{
    const struct cc_tasks_burden *x = a, *y = b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return x->busy < y->busy ? -1 : x->busy > y->busy;
}

static int put_head(struct cc_tasks_writer *w, uint64_t start, uint64_t end, const char *incomplete,
                    struct cc_err *err)
{
    struct cc_buf b = {0};
    cc_buf_add(&b, magic, sizeof magic);
    add_text(&b, w->clock);
    add_double(&b, w->ticks_per_second);
    add_text(&b, incomplete ? incomplete : "");
    add_varint(&b, start);
    add_varint(&b, end);
    add_varint(&b, w->ncounters);
    for (size_t i = 0; i < w->ncounters; i++)
        add_text(&b, w->counters[i]);
    add_varint(&b, w->name_list.n);
    for (size_t i = 0; i < w->name_list.n; i++)
        add_text(&b, w->name_list.v[i]);
    add_varint(&b, w->threads.n);
    for (size_t i = 0; i < w->threads.n; i++) {
        add_varint(&b, w->threads.v[i].info.id);
        add_varint(&b, w->threads.v[i].info.events);
        add_varint(&b, w->threads.v[i].info.chunks);
    }
    if (w->burdens.n)
        qsort(w->burdens.v, w->burdens.n, sizeof *w->burdens.v, by_name_and_busy);
    add_varint(&b, w->burdens.n);
    for (size_t i = 0; i < w->burdens.n; i++) {
        add_varint(&b, w->burdens.v[i].name);
        add_varint(&b, w->burdens.v[i].busy);
        add_double(&b, w->burdens.v[i].factor);
        add_double(&b, w->burdens.v[i].spread);
    }
    int rc = cc_store_put_chunk(w->store, "tasks", 0, b.s, b.n, err);
    cc_buf_fini(&b);
    return rc;
}

int cc_tasks_finish(struct cc_tasks_writer *w, uint64_t start, uint64_t end, const char *incomplete,
                    struct cc_err *err)
{
    if (end < start)
        return cc_err_set(err, CC_EINPUT, "the trace ends before it starts");
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < w->threads.n; i++) {
        struct thread *t = &w->threads.v[i];
        end = CC_MAX(end, t->last);
        while (rc == 0 && t->open.n) {
            rc = event(w, t, END_INNERMOST, t->open.v[t->open.n - 1], end, t->counters, err);
            t->open.n--;
        }
        if (rc == 0)
            rc = flush_thread(w, t, err);
    }
    if (rc == 0)
        rc = put_copies(w, err);
    return rc < 0 ? rc : put_head(w, start, end, incomplete, err);
}

/* --- reading --- */

/* A cursor over bytes; what is wrong is remembered in `bad` and reads as zero from then on. */
struct bytes {
    const unsigned char *p, *end;
    bool bad;
};

static uint64_t get_varint(struct bytes *b)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
        if (b->p == b->end)
            break;
        unsigned char c = *b->p++;
        if (shift == 63 && c > 1)
            break;
        v |= (uint64_t)(c & 0x7f) << shift;
        if (!(c & 0x80))
            return v;
    }
    b->bad = true;
    b->p = b->end;
    return 0;
}

static uint64_t get_bounded(struct bytes *b, uint64_t max)
{
    uint64_t v = get_varint(b);
    if (v > max) {
        b->bad = true;
        b->p = b->end;
        return 0;
    }
    return v;
}

static double get_double(struct bytes *b)
{
    if (b->end - b->p < 8) {
        b->bad = true;
        return 0;
    }
    uint64_t bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)*b->p++ << (8 * i);
    double v;
    memcpy(&v, &bits, sizeof v);
    if (!isfinite(v))
        b->bad = true;
    return v;
}

struct reader {
    struct cc_tasks pub;
    struct cc_arena arena;
};

static const char *get_text(struct reader *r, struct bytes *b, size_t max)
{
    size_t n = (size_t)get_bounded(b, max);
    if ((size_t)(b->end - b->p) < n) {
        b->bad = true;
        return "";
    }
    const char *s = cc_arena_strndup(&r->arena, (const char *)b->p, n);
    b->p += n;
    return s;
}

/* A list of n things takes at least n bytes, so n never makes us allocate more than the chunk's size allows.
 */
static size_t get_count(struct bytes *b, uint64_t max)
{
    uint64_t n = get_bounded(b, CC_MIN(max, (uint64_t)(b->end - b->p)));
    return (size_t)n;
}

static void get_lists(struct reader *r, struct bytes *b)
{
    struct cc_tasks *t = &r->pub;
    t->ncounters = get_count(b, CC_TASKS_MAX_COUNTERS);
    t->counters = cc_arena_alloc(&r->arena, (t->ncounters + 1) * sizeof *t->counters);
    for (size_t i = 0; i < t->ncounters; i++)
        t->counters[i] = get_text(r, b, CC_TASKS_MAX_NAME);
    t->nnames = get_count(b, CC_TASKS_MAX_NAMES);
    t->names = cc_arena_alloc(&r->arena, (t->nnames + 1) * sizeof *t->names);
    for (size_t i = 0; i < t->nnames; i++)
        t->names[i] = get_text(r, b, CC_TASKS_MAX_NAME);
    t->nthreads = get_count(b, CC_TASKS_MAX_THREADS);
    t->threads = cc_arena_alloc(&r->arena, (t->nthreads + 1) * sizeof *t->threads);
    for (size_t i = 0; i < t->nthreads; i++) {
        t->threads[i].id = (uint32_t)get_bounded(b, UINT32_MAX);
        t->threads[i].events = get_varint(b);
        t->threads[i].chunks = get_varint(b);
    }
    t->nburdens = get_count(b, CC_TASKS_MAX_BURDENS);
    t->burdens = cc_arena_alloc(&r->arena, (t->nburdens + 1) * sizeof *t->burdens);
    for (size_t i = 0; i < t->nburdens; i++) {
        struct cc_tasks_burden *e = &t->burdens[i];
        e->name = (uint32_t)get_bounded(b, t->nnames ? t->nnames - 1 : 0);
        e->busy = (unsigned)get_bounded(b, CC_TASKS_MAX_BUSY);
        e->factor = get_double(b);
        e->spread = get_double(b);
        if (e->busy < 2 || !(e->factor > 0) || !(e->spread >= 0) || t->nnames == 0 ||
            (i > 0 && by_name_and_busy(e - 1, e) >= 0))
            b->bad = true;
    }
}

static void get_copies(struct reader *r, struct bytes *b)
{
    struct cc_tasks *t = &r->pub;
    t->ncopies = get_count(b, CC_TASKS_MAX_BURDENS);
    t->copies = cc_arena_alloc(&r->arena, (t->ncopies + 1) * sizeof *t->copies);
    for (size_t i = 0; i < t->ncopies; i++) {
        struct cc_tasks_copies *c = &t->copies[i];
        c->name = (uint32_t)get_bounded(b, t->nnames ? t->nnames - 1 : 0);
        c->busy = (unsigned)get_bounded(b, CC_TASKS_MAX_BUSY);
        c->n = get_count(b, CC_TASKS_MAX_COPIES);
        double *factors = cc_arena_alloc(&r->arena, (c->n + 1) * sizeof *factors);
        for (size_t k = 0; k < c->n; k++) {
            factors[k] = get_double(b);
            b->bad |= !(factors[k] > 0 && factors[k] < 1e6) || (k > 0 && factors[k] < factors[k - 1]);
        }
        c->factors = factors;
        b->bad |=
            c->n < 1 || c->busy < 1 || t->nnames == 0 || (i > 0 && copies_by_name_and_busy(c - 1, c) >= 0);
    }
}

/* Profiles from before there were copies have none. */
static int open_copies(struct cc_store *store, struct reader *r, struct cc_err *err)
{
    void *data;
    size_t size;
    if (cc_store_chunks(store, "copies") == 0)
        return 0;
    int rc = cc_store_get_chunk(store, "copies", 0, &data, &size, err);
    if (rc < 0)
        return rc;
    struct bytes b = {data, (unsigned char *)data + size, false};
    get_copies(r, &b);
    if (b.bad || b.p != b.end)
        rc = cc_err_at(err, CC_EINPUT, cc_store_path(store), 0,
                       "damaged profile: the co-run's copies are no such thing");
    free(data);
    return rc;
}

bool cc_tasks_present(struct cc_store *store)
{
    return cc_store_chunks(store, "tasks") > 0;
}

int cc_tasks_open(struct cc_store *store, struct cc_tasks **ret, struct cc_err *err)
{
    if (!cc_tasks_present(store)) {
        int rc = cc_err_at(err, CC_EINPUT, cc_store_path(store), 0, "the profile has no task trace");
        cc_err_hint(err, "mark tasks with CC_TASK_BEGIN/END (corecast/mark.h), build with -DCORECAST_NATIVE "
                         "and record with --engine native");
        return rc;
    }
    void *data;
    size_t size;
    int rc = cc_store_get_chunk(store, "tasks", 0, &data, &size, err);
    if (rc < 0)
        return rc;
    struct reader *r = cc_alloc(sizeof *r);
    struct bytes b = {data, (unsigned char *)data + size, false};
    if (size < sizeof magic || memcmp(data, magic, sizeof magic) != 0) {
        b.bad = true;
    } else {
        b.p += sizeof magic;
        r->pub.path = cc_arena_strdup(&r->arena, cc_store_path(store));
        r->pub.clock = get_text(r, &b, 64);
        r->pub.ticks_per_second = get_double(&b);
        const char *why = get_text(r, &b, 65536);
        r->pub.incomplete = why[0] ? why : NULL;
        r->pub.start = get_varint(&b);
        r->pub.end = get_varint(&b);
        get_lists(r, &b);
    }
    bool bad = b.bad || b.p != b.end || r->pub.end < r->pub.start;
    free(data);
    if (bad) {
        cc_tasks_free(&r->pub);
        return cc_err_at(err, CC_EINPUT, cc_store_path(store), 0,
                         "damaged profile: the task trace's head is no such thing");
    }
    rc = open_copies(store, r, err);
    if (rc < 0) {
        cc_tasks_free(&r->pub);
        return rc;
    }
    *ret = &r->pub;
    return 0;
}

void cc_tasks_free(struct cc_tasks *t)
{
    if (!t)
        return;
    struct reader *r = (struct reader *)t;
    cc_arena_fini(&r->arena);
    free(r);
}

struct cc_tasks_cursor {
    struct cc_store *store;
    const struct cc_tasks *t;
    const struct cc_tasks_thread *thread;
    char stream[32];
    uint64_t chunk, event;
    void *data;
    struct bytes b;
    uint64_t time;
    uint64_t counters[CC_TASKS_MAX_COUNTERS];
    CC_VEC(uint32_t) open;
};

struct cc_tasks_cursor *cc_tasks_cursor_new(struct cc_store *store, const struct cc_tasks *t, size_t thread)
{
    struct cc_tasks_cursor *c = cc_alloc(sizeof *c);
    c->store = store;
    c->t = t;
    c->thread = &t->threads[thread];
    stream_name(c->thread->id, c->stream);
    return c;
}

void cc_tasks_cursor_free(struct cc_tasks_cursor *c)
{
    if (!c)
        return;
    free(c->data);
    CC_VEC_FINI(&c->open);
    free(c);
}

static int cursor_error(struct cc_tasks_cursor *c, const char *what, const char *name, struct cc_err *err)
{
    const char *inner = c->open.n ? c->t->names[c->open.v[c->open.n - 1]] : NULL;
    return cc_err_at(err, CC_EINPUT, c->t->path, 0,
                     "event %" PRIu64 " of thread %" PRIu32 ": %s%s%.80s%s%s%.80s%s", c->event + 1,
                     c->thread->id, what, name ? " '" : "", name ? name : "", name ? "'" : "",
                     inner ? " (inside '" : "", inner ? inner : "", inner ? "')" : "");
}

static int cursor_end(struct cc_tasks_cursor *c, struct cc_err *err)
{
    if (c->event != c->thread->events)
        return cursor_error(c, "the trace is cut short here", NULL, err);
    if (c->open.n)
        return cursor_error(c, "the trace ends inside a task", NULL, err);
    return 0;
}

static int decode(struct cc_tasks_cursor *c, struct cc_task_event *ev, struct cc_err *err)
{
    uint64_t v = get_varint(&c->b);
    enum kind kind = (enum kind)(v & 3);
    if (__builtin_add_overflow(c->time, v >> 2, &c->time))
        return cursor_error(c, "damaged profile: time overflows", NULL, err);
    uint32_t name = 0;
    if (kind != END_INNERMOST)
        name = (uint32_t)get_bounded(&c->b, c->t->nnames ? c->t->nnames - 1 : 0);
    for (size_t i = 0; i < c->t->ncounters; i++)
        if (__builtin_add_overflow(c->counters[i], get_varint(&c->b), &c->counters[i]))
            c->b.bad = true;
    if (c->b.bad || kind > END_OTHER || c->t->nnames == 0)
        return cursor_error(c, "damaged profile: no such event", NULL, err);
    if (kind == END_OTHER)
        return cursor_error(c, "a task ends that is not the innermost open one:", c->t->names[name], err);
    if (kind == END_INNERMOST && c->open.n == 0)
        return cursor_error(c, "a task ends that never began", NULL, err);
    if (kind == BEGIN && c->open.n >= MAX_OPEN)
        return cursor_error(c, "tasks are nested too deep", NULL, err);
    if (kind == BEGIN)
        CC_VEC_PUSH(&c->open, name);
    else
        name = c->open.v[--c->open.n];
    ev->end = kind == END_INNERMOST;
    ev->name = name;
    ev->time = c->time;
    memcpy(ev->counters, c->counters, sizeof ev->counters);
    c->event++;
    return 1;
}

int cc_tasks_next(struct cc_tasks_cursor *c, struct cc_task_event *ev, struct cc_err *err)
{
    while (c->b.p == c->b.end) {
        free(c->data);
        c->data = NULL;
        c->b = (struct bytes){0};
        if (c->chunk == c->thread->chunks)
            return cursor_end(c, err);
        size_t size;
        int rc = cc_store_get_chunk(c->store, c->stream, c->chunk++, &c->data, &size, err);
        if (rc < 0)
            return rc;
        c->b = (struct bytes){c->data, (unsigned char *)c->data + size, false};
    }
    return decode(c, ev, err);
}
