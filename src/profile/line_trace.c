#include "line_trace.h"
#include "../base/base.h"
#include "../base/map.h"

enum { CHUNK = 4 << 20, STEP = 1 << 6, MAX_BYTES = 512 << 20, MAX_UNPACKED = 128 << 20 };
static const char stream[] = "line_trace";

struct head {
    uint32_t thread, version;
};

/* --- writing --- */

struct cc_line_writer {
    struct cc_store *store;
    unsigned char *bytes; /* head, then what was added */
    size_t n;
    uint64_t chunks;
};

struct cc_line_writer *cc_line_writer_new(struct cc_store *store)
{
    struct cc_line_writer *w = cc_alloc(sizeof *w);
    w->store = store;
    return w;
}

static int put_chunk(struct cc_line_writer *w, struct cc_err *err)
{
    if (w->n <= sizeof(struct head))
        return 0;
    int rc = cc_store_put_chunk(w->store, stream, w->chunks++, w->bytes, w->n, err);
    w->n = 0;
    return rc;
}

int cc_line_writer_add(struct cc_line_writer *w, uint32_t thread, const void *bytes, size_t size,
                       struct cc_err *err)
{
    struct head head = {thread, CC_LINES_VERSION}, present = head;
    if (size > CHUNK)
        return cc_err_set(err, CC_EINPUT, "damaged file of task events: a piece of lines is too long");
    if (!w->bytes)
        w->bytes = cc_alloc(sizeof head + 2 * (size_t)CHUNK);
    if (w->n)
        memcpy(&present, w->bytes, sizeof present);
    int rc = w->n > CHUNK || present.thread != thread ? put_chunk(w, err) : 0;
    if (!w->n) {
        memcpy(w->bytes, &head, sizeof head);
        w->n = sizeof head;
    }
    memcpy(w->bytes + w->n, bytes, size);
    w->n += size;
    return rc;
}

int cc_line_writer_finish(struct cc_line_writer *w, struct cc_err *err)
{
    int rc = put_chunk(w, err);
    free(w->bytes);
    free(w);
    return rc;
}

/* --- reading --- */

struct place { /* before the event at `at` */
    uint64_t time, grain;
    size_t at;
};

struct unpacked {
    uint64_t time, grain; /* grain: its address | flags */
};

struct cc_line_trace {
    CC_VEC(unsigned char) bytes;
    CC_VEC(struct place) index; /* by time */
    /* by time, unless there are too many; of a count, where in bytes its event begins */
    CC_VEC(struct unpacked) accesses, counts;
    CC_VEC(size_t) count_at;
    CC_VEC(uint32_t) access_line, count_line; /* the numbers of their lines */
    CC_VEC(uint8_t) count_kinds;
    struct cc_map numbers; /* by line */
    bool packed;
    unsigned shift;
    uint64_t events;
    uint32_t lines;
    uint64_t stack[2]; /* the pages that the stack was seen in: from, to */
    bool checked;      /* all of it */
};

static bool take_long(const unsigned char *v, size_t *at, size_t end, uint64_t *ret)
{
    *ret = 0;
    for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
        unsigned char byte = v[(*at)++];
        *ret |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

static inline bool take(const unsigned char *v, size_t *at, size_t end, uint64_t *ret)
{
    if (*at >= end || v[*at] >= 128)
        return take_long(v, at, end, ret);
    *ret = v[(*at)++];
    return true;
}

/* Passes by `n` numbers of a trace that was checked: each ends with the only byte of its that is below 128.
 */
static void pass(const unsigned char *v, size_t *at, size_t end, uint64_t n)
{
    uint64_t word;
    for (; n > sizeof word && end - *at >= sizeof word; *at += sizeof word) {
        memcpy(&word, v + *at, sizeof word);
        n -= (unsigned)__builtin_popcountll(~word & UINT64_C(0x8080808080808080));
    }
    while (n)
        n -= v[(*at)++] < 128;
}

static bool check_pattern(struct cc_line_cursor *c, uint64_t n)
{
    uint64_t one;
    for (uint64_t i = 0; i < n; i++)
        if (!take(c->t->bytes.v, &c->at, c->end, &one) || one > UINT32_MAX || (one & 3) >= CC_LINE_KINDS)
            return false;
    return true;
}

/* *ret_pattern: how many numbers stand behind them. */
static bool take_counts(struct cc_line_cursor *c, struct cc_line_event *e, uint64_t *ret_pattern)
{
    uint64_t since, span, all = 0, one;
    for (unsigned k = 0; k < CC_LINE_KINDS; all += e->count[k++]) {
        if (!take(c->t->bytes.v, &c->at, c->end, &one) || one > UINT32_MAX)
            return false;
        e->count[k] = (uint32_t)one;
        e->kinds |= one ? 1u << k : 0;
    }
    if (!take(c->t->bytes.v, &c->at, c->end, &since) || !take(c->t->bytes.v, &c->at, c->end, &span) ||
        since > c->time || span > c->time - since || all > UINT32_MAX)
        return false;
    e->last = c->time - since;
    e->first = e->last - span;
    e->pattern = c->t->bytes.v + c->at;
    *ret_pattern = CC_MIN(all, (uint64_t)CC_LINES_PATTERN);
    return true;
}

/* The counts, and what stands behind them. */
static bool take_pattern(struct cc_line_cursor *c, struct cc_line_event *e)
{
    uint64_t n;
    if (!take_counts(c, e, &n))
        return false;
    if (!c->t->checked)
        return check_pattern(c, n);
    pass(c->t->bytes.v, &c->at, c->end, n);
    return true;
}

uint32_t cc_line_pattern(const unsigned char **pattern)
{
    uint32_t v = 0;
    for (unsigned shift = 0;; shift += 7) {
        unsigned char byte = *(*pattern)++;
        v |= (uint32_t)(byte & 127) << shift;
        if (byte < 128)
            return v;
    }
}

static bool step(struct cc_line_cursor *c, struct cc_line_event *ret)
{
    uint64_t ticks, pair;
    if (!take(c->t->bytes.v, &c->at, c->end, &ticks) || !take(c->t->bytes.v, &c->at, c->end, &pair))
        return false;
    c->time += ticks;
    c->grain += (uint64_t)cc_lines_step(pair);
    *ret = (struct cc_line_event){c->time, c->grain * CC_LOCALITY_GRAIN, pair & CC_LINES_FLAGS};
    return !(ret->flags & CC_LINES_COUNT) || take_pattern(c, ret);
}

static uint32_t number_of(const struct cc_line_trace *t, uint64_t address)
{
    const uint64_t *number = cc_map_get(&t->numbers, address / CC_LOCALITY_LINE);
    return number ? (uint32_t)*number : 0;
}

static const size_t UNKNOWN = SIZE_MAX; /* a cursor of which only the time was asked for */

static void seek_packed(const struct cc_line_trace *t, uint64_t time, struct cc_line_cursor *ret)
{
    size_t lo = 0, hi = t->index.n; /* the last place whose time is before */
    while (lo + 1 < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (t->index.v[mid].time < time)
            lo = mid;
        else
            hi = mid;
    }
    const struct place *p = &t->index.v[lo];
    *ret =
        (struct cc_line_cursor){.t = t, .at = p->at, .end = t->bytes.n, .time = p->time, .grain = p->grain};
    struct cc_line_event e;
    struct cc_line_cursor before = *ret;
    while (ret->at < ret->end && step(ret, &e)) {
        if (ret->time >= time) {
            *ret = before;
            return;
        }
        before = *ret;
    }
}

bool cc_line_next(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret)
{
    if (c->at == UNKNOWN)
        seek_packed(c->t, c->time, c);
    struct cc_line_cursor before = *c;
    while (c->at < c->end && step(c, ret)) {
        if (c->time >= until) {
            *c = before;
            return false;
        }
        if (cc_lines_rank(c->grain) < (unsigned)CC_LINES_COLOURS >> c->t->shift) {
            ret->line = number_of(c->t, ret->address);
            return true;
        }
        before = *c;
    }
    return false;
}

/* --- what was unpacked --- */

_Static_assert(CC_LOCALITY_GRAIN > (int)CC_LINES_FLAGS, "flags fit into the bits that an address leaves");

static void forget_unpacked(struct cc_line_trace *t)
{
    CC_VEC_FINI(&t->accesses);
    CC_VEC_FINI(&t->access_line);
    CC_VEC_FINI(&t->counts);
    CC_VEC_FINI(&t->count_line);
    CC_VEC_FINI(&t->count_kinds);
    CC_VEC_FINI(&t->count_at);
}

static void unpack(struct cc_line_trace *t, const struct cc_line_event *e, size_t at)
{
    struct unpacked u = {e->time, e->address | e->flags};
    if (t->packed)
        return;
    if (e->flags & CC_LINES_COUNT) {
        CC_VEC_PUSH(&t->counts, u);
        CC_VEC_PUSH(&t->count_line, e->line);
        CC_VEC_PUSH(&t->count_kinds, (uint8_t)e->kinds);
        CC_VEC_PUSH(&t->count_at, at);
    } else {
        CC_VEC_PUSH(&t->accesses, u);
        CC_VEC_PUSH(&t->access_line, e->line);
    }
    t->packed = (t->accesses.n + t->counts.n) * sizeof u > MAX_UNPACKED;
    if (t->packed)
        forget_unpacked(t);
}

/* Gives each line a number, the first time that it is seen. */
static void number(struct cc_line_trace *t, struct cc_line_event *e)
{
    bool first;
    uint64_t *n = cc_map_put(&t->numbers, e->address / CC_LOCALITY_LINE, &first);
    if (first)
        *n = t->lines++;
    e->line = (uint32_t)*n;
}

/* The first at `time` or later; `near` it, most likely. */
static size_t first_of(const struct unpacked *v, size_t n, uint64_t time, size_t near)
{
    size_t lo = 0;
    if (near <= n && (near == n || v[near].time >= time) && (!near || v[near - 1].time < time))
        return near;
    while (lo < n) {
        size_t mid = lo + (n - lo) / 2;
        if (v[mid].time < time)
            lo = mid + 1;
        else
            n = mid;
    }
    return lo;
}

static void take_unpacked(const struct unpacked *u, struct cc_line_event *ret)
{
    ret->time = u->time;
    ret->address = u->grain & ~(uint64_t)CC_LINES_FLAGS;
    ret->flags = u->grain & CC_LINES_FLAGS;
}

bool cc_line_next_access(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret)
{
    const struct cc_line_trace *t = c->t;
    if (t->packed) {
        while (cc_line_next(c, until, ret))
            if (!(ret->flags & CC_LINES_COUNT))
                return true;
        return false;
    }
    if (c->access == t->accesses.n || t->accesses.v[c->access].time >= until)
        return false;
    ret->line = t->access_line.v[c->access];
    take_unpacked(&t->accesses.v[c->access++], ret);
    return true;
}

bool cc_line_find_count(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret)
{
    const struct cc_line_trace *t = c->t;
    if (t->packed) {
        while (cc_line_next(c, until, ret))
            if (ret->flags & CC_LINES_COUNT)
                return true;
        return false;
    }
    if (c->count == t->counts.n || t->counts.v[c->count].time >= until)
        return false;
    take_unpacked(&t->counts.v[c->count], ret);
    ret->line = t->count_line.v[c->count];
    ret->kinds = t->count_kinds.v[c->count++];
    return true;
}

void cc_line_read_count(const struct cc_line_cursor *c, struct cc_line_event *e)
{
    const struct cc_line_trace *t = c->t;
    uint64_t ignored;
    if (t->packed)
        return;
    struct cc_line_cursor event = {
        .t = t, .at = t->count_at.v[c->count - 1], .end = t->bytes.n, .time = e->time};
    pass(t->bytes.v, &event.at, event.end, 2);
    take_counts(&event, e, &ignored);
}

bool cc_line_next_count(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret)
{
    if (!cc_line_find_count(c, until, ret))
        return false;
    cc_line_read_count(c, ret);
    return true;
}

void cc_line_go(struct cc_line_cursor *c, uint64_t time)
{
    const struct cc_line_trace *t = c->t;
    c->at = UNKNOWN;
    c->time = time;
    c->access = first_of(t->accesses.v, t->accesses.n, time, c->access);
    c->count = first_of(t->counts.v, t->counts.n, time, c->count);
}

void cc_line_seek(const struct cc_line_trace *t, uint64_t time, struct cc_line_cursor *ret)
{
    *ret = (struct cc_line_cursor){.t = t, .end = t->bytes.n};
    cc_line_go(ret, time);
}

static void count(struct cc_line_trace *t, const struct cc_line_event *e)
{
    enum { PAGE = 4096 };
    t->events += !(e->flags & CC_LINES_COUNT);
    if (!(e->flags & CC_LINES_STACK))
        return;
    uint64_t page = e->address & ~(uint64_t)(PAGE - 1);
    t->stack[0] = t->stack[1] ? CC_MIN(t->stack[0], page) : page;
    t->stack[1] = CC_MAX(t->stack[1], page + PAGE);
}

/* Checks every byte once, so that reading later cannot fail. */
static int make_index(struct cc_line_trace *t, const char *path, struct cc_err *err)
{
    struct cc_line_cursor c = {.t = t, .end = t->bytes.n};
    for (uint64_t i = 0; c.at < c.end; i++) {
        if (i % STEP == 0)
            CC_VEC_PUSH(&t->index, ((struct place){c.time, c.grain, c.at}));
        uint64_t before = c.time;
        size_t at = c.at;
        struct cc_line_event e;
        if (!step(&c, &e) || c.time < before || c.time > INT64_MAX)
            return cc_err_at(err, CC_EINPUT, path, 0, "the trace of lines is damaged");
        if (cc_lines_rank(c.grain) < (unsigned)CC_LINES_COLOURS >> t->shift) {
            count(t, &e);
            number(t, &e);
            unpack(t, &e, at);
        }
    }
    t->checked = true;
    return 0;
}

static int refuse_version(struct cc_store *store, struct cc_err *err)
{
    cc_err_at(err, CC_EINPUT, cc_store_path(store), 0, "the trace of lines is of another version");
    cc_err_hint(err, "record the program again");
    return -CC_EINPUT;
}

static int read_chunks(struct cc_store *store, uint32_t thread, struct cc_line_trace *t, struct cc_err *err)
{
    uint64_t n = cc_store_chunks(store, stream);
    int rc = 0;
    for (uint64_t i = 0; rc == 0 && i < n; i++) {
        void *data;
        size_t size;
        struct head head;
        rc = cc_store_get_chunk(store, stream, i, &data, &size, err);
        if (rc < 0)
            break;
        if (size < sizeof head || size + t->bytes.n > MAX_BYTES) {
            rc = cc_err_at(err, CC_EINPUT, cc_store_path(store), 0, "the trace of lines is damaged");
        } else {
            memcpy(&head, data, sizeof head);
            if (head.version != CC_LINES_VERSION)
                rc = refuse_version(store, err);
            size_t more = head.thread == thread ? size - sizeof head : 0;
            CC_VEC_RESERVE(&t->bytes, t->bytes.n + more);
            if (more)
                memcpy(t->bytes.v + t->bytes.n, (const unsigned char *)data + sizeof head, more);
            t->bytes.n += more;
        }
        free(data);
    }
    return rc;
}

bool cc_line_trace_present(struct cc_store *store)
{
    return cc_store_chunks(store, stream) > 0;
}

int cc_line_trace_load(struct cc_store *store, uint32_t thread, unsigned shift, struct cc_line_trace **ret,
                       struct cc_err *err)
{
    *ret = NULL;
    if (shift > 6)
        return cc_err_at(err, CC_EINPUT, cc_store_path(store), 0, "the trace of lines is damaged");
    struct cc_line_trace *t = cc_alloc(sizeof *t);
    t->shift = shift;
    int rc = read_chunks(store, thread, t, err);
    if (rc == 0 && t->bytes.n)
        rc = make_index(t, cc_store_path(store), err);
    if (rc < 0 || !t->bytes.n) {
        cc_line_trace_free(t);
        return rc;
    }
    *ret = t;
    return 0;
}

void cc_line_trace_free(struct cc_line_trace *t)
{
    if (!t)
        return;
    CC_VEC_FINI(&t->bytes);
    CC_VEC_FINI(&t->index);
    forget_unpacked(t);
    cc_map_fini(&t->numbers);
    free(t);
}

unsigned cc_line_trace_weight(const struct cc_line_trace *t)
{
    return 1u << t->shift;
}

void cc_line_trace_stack(const struct cc_line_trace *t, uint64_t *ret_from, uint64_t *ret_to)
{
    *ret_from = t->stack[0];
    *ret_to = t->stack[1];
}

uint64_t cc_line_trace_events(const struct cc_line_trace *t)
{
    return t->events;
}

uint32_t cc_line_trace_lines(const struct cc_line_trace *t)
{
    return t->lines;
}
