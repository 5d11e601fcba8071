#include "native.h"
#include "../base/map.h"
#include "../../engines/native/trace.h"
#include "../base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct cc_native_piece {
    uint32_t thread, stream;
    uint64_t seq;
    uint64_t begun, ready; /* ticks since start */
    size_t first, last;    /* offsets of its events in the file, [first, last) */
};

enum { MAX_THREADS = CC_TASKS_MAX_THREADS };

static int bad(const struct cc_native_trace *t, struct cc_err *err, const char *what)
{
    return cc_err_at(err, CC_EINPUT, t->path, 0, "not a usable native trace: %s", what);
}

static int map_file(struct cc_native_trace *t, struct cc_err *err)
{
    int fd = cc_file_open(t->path, err);
    struct stat st = {0};
    if (fd < 0 || fstat(fd, &st) < 0)
        return fd;
    if (!S_ISREG(st.st_mode) || st.st_size < CC_NT_BLOCK) {
        close(fd);
        return bad(t, err, "too short");
    }
    t->size = (size_t)st.st_size;
    void *p = mmap(NULL, t->size, PROT_READ, MAP_PRIVATE, fd, 0);
    close(fd);
    if (p == MAP_FAILED)
        return cc_err_set(err, CC_EINPUT, "cannot map '%s': %s", t->path, strerror(errno));
    t->data = p;
    return 0;
}

/* Records of one sites piece; stops at the first that is not whole. */
static void read_sites(struct cc_native_trace *t, size_t at, size_t end)
{
    while (end - at >= sizeof(struct cc_nt_site)) {
        struct cc_nt_site s;
        memcpy(&s, t->data + at, sizeof s);
        size_t need = sizeof s + (size_t)s.name_length + s.file_length;
        if (s.length < need || s.length % 8 || s.length > end - at || s.id == 0 || s.id > CC_NT_MAX_SITES)
            return;
        if (s.id >= t->nsites) {
            size_t n = (size_t)s.id + 1;
            t->sites = cc_realloc_array(t->sites, n, sizeof *t->sites);
            memset(t->sites + t->nsites, 0, (n - t->nsites) * sizeof *t->sites);
            t->nsites = n;
        }
        struct cc_native_site *site = &t->sites[s.id];
        if (!site->name) {
            const char *text = (const char *)t->data + at + sizeof s;
            size_t cut = CC_MIN((size_t)s.name_length, (size_t)CC_TASKS_MAX_NAME - 1);
            site->kind = s.kind;
            site->line = s.line;
            site->name = cut ? cc_strndup(text, cut) : cc_strdup("unnamed");
            site->file = cc_strndup(text + s.name_length, s.file_length);
        }
        at += s.length;
    }
}

static int by_place(const void *a, const void *b)
{
    const struct cc_native_piece *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->stream != y->stream)
        return x->stream < y->stream ? -1 : 1;
    return x->seq < y->seq ? -1 : x->seq > y->seq;
}

static size_t events_end(const struct cc_native_trace *t, size_t at, size_t end)
{
    uint64_t e;
    for (; end - at >= sizeof e; at += sizeof e) {
        memcpy(&e, t->data + at, sizeof e);
        if (!e)
            break;
    }
    return at;
}

/* Every piece whose header makes sense; a block that does not start one is passed over and counted. */
static int find_pieces(struct cc_native_trace *t, const struct cc_nt_header *h, struct cc_err *err)
{
    CC_VEC(struct cc_native_piece) v = {0};
    size_t blocks = t->size / CC_NT_BLOCK;
    for (size_t b = 1; b < blocks;) {
        struct cc_nt_piece p;
        size_t at = b * CC_NT_BLOCK;
        memcpy(&p, t->data + at, sizeof p);
        if ((p.type != CC_NT_EVENTS && p.type != CC_NT_SITES) || p.blocks == 0 ||
            p.blocks > CC_NT_MAX_BLOCKS || p.blocks > blocks - b || p.stream > 1 || p.thread >= MAX_THREADS ||
            p.ready < p.begun) {
            t->skipped++;
            b++;
            continue;
        }
        size_t end = at + (size_t)p.blocks * CC_NT_BLOCK;
        if (p.type == CC_NT_SITES) {
            read_sites(t, at + sizeof p, end);
        } else {
            struct cc_native_piece piece = {.thread = p.thread, .stream = p.stream, .seq = p.seq};
            piece.begun = p.begun > h->start ? p.begun - h->start : 0;
            piece.ready = p.ready > h->start ? p.ready - h->start : 0;
            piece.first = at + sizeof p;
            piece.last = events_end(t, piece.first, end);
            CC_VEC_PUSH(&v, piece);
            t->nthreads = CC_MAX(t->nthreads, (size_t)p.thread + 1);
        }
        b += p.blocks;
    }
    t->pieces = v.v;
    t->npieces = v.n;
    if (v.n)
        qsort(v.v, v.n, sizeof *v.v, by_place);
    return v.n || h->complete ? 0 : bad(t, err, "no events");
}

/* --- raw events of one thread: two streams merged by time --- */

struct raw_stream {
    size_t piece, end; /* pieces [piece, end) left */
    size_t at;
};

struct raw_cursor {
    const struct cc_native_trace *t;
    struct raw_stream stream[2];
    size_t setup, setup_end; /* pieces of this thread whose setup time is not yet passed */
    double setup_ticks;
    uint64_t count; /* events so far */
};

static void raw_init(struct raw_cursor *c, const struct cc_native_trace *t, size_t thread)
{
    *c = (struct raw_cursor){.t = t};
    for (int s = 0; s < 2; s++) {
        size_t i = 0;
        while (i < t->npieces && (t->pieces[i].thread < thread ||
                                  (t->pieces[i].thread == thread && t->pieces[i].stream < (uint32_t)s)))
            i++;
        size_t end = i;
        while (end < t->npieces && t->pieces[end].thread == thread && t->pieces[end].stream == (uint32_t)s)
            end++;
        c->stream[s] = (struct raw_stream){.piece = i, .end = end, .at = i < end ? t->pieces[i].first : 0};
    }
    c->setup = c->stream[0].piece;
    c->setup_end = c->stream[0].end;
}

static bool raw_peek(const struct cc_native_trace *t, struct raw_stream *s, uint64_t *ret)
{
    while (s->piece < s->end && s->at >= t->pieces[s->piece].last) {
        s->piece++;
        if (s->piece < s->end)
            s->at = t->pieces[s->piece].first;
    }
    if (s->piece >= s->end)
        return false;
    memcpy(ret, t->data + s->at, sizeof *ret);
    return true;
}

/* The next event: its site, its raw time and its time without the library's own work, all in ns. */
static bool raw_next(struct raw_cursor *c, uint32_t *site, double *raw_ns, double *ns)
{
    uint64_t e[2];
    bool have[2] = {raw_peek(c->t, &c->stream[0], &e[0]), raw_peek(c->t, &c->stream[1], &e[1])};
    if (!have[0] && !have[1])
        return false;
    int s = !have[0] || (have[1] && e[1] >> 16 < e[0] >> 16);
    c->stream[s].at += sizeof(uint64_t);
    uint64_t tick = (e[s] >> 16) - 1;
    *site = (uint32_t)(e[s] & 0xffff);
    while (c->setup < c->setup_end && c->t->pieces[c->setup].ready <= tick) {
        c->setup_ticks += (double)(c->t->pieces[c->setup].ready - c->t->pieces[c->setup].begun);
        c->setup++;
    }
    *raw_ns = (double)tick * c->t->ns_per_tick;
    *ns = ((double)tick - c->setup_ticks) * c->t->ns_per_tick - (double)c->count * c->t->mark_ns;
    c->count++;
    return true;
}

/* --- recording switched off --- */

struct switching {
    double raw;
    bool on;
};

static int by_time(const void *a, const void *b)
{
    const struct switching *x = a, *y = b;
    return x->raw < y->raw ? -1 : x->raw > y->raw;
}

static void find_off(struct cc_native_trace *t, double end_raw)
{
    bool any = false;
    for (size_t i = 1; i < t->nsites; i++)
        any |= t->sites[i].kind == CC_NT_RECORD_OFF;
    if (!any)
        return;
    CC_VEC(struct switching) v = {0};
    for (size_t th = 0; th < t->nthreads; th++) {
        struct raw_cursor c;
        uint32_t site;
        double raw, ns;
        raw_init(&c, t, th);
        while (raw_next(&c, &site, &raw, &ns)) {
            uint32_t kind = site < t->nsites ? t->sites[site].kind : 0;
            if (kind == CC_NT_RECORD_OFF || kind == CC_NT_RECORD_ON)
                CC_VEC_PUSH(&v, (struct switching){raw, kind == CC_NT_RECORD_ON});
        }
    }
    if (v.n)
        qsort(v.v, v.n, sizeof *v.v, by_time);
    CC_VEC(struct cc_native_off) off = {0};
    bool on = true;
    for (size_t i = 0; i < v.n; i++) {
        if (on && !v.v[i].on)
            CC_VEC_PUSH(&off, (struct cc_native_off){v.v[i].raw, end_raw});
        else if (!on && v.v[i].on)
            off.v[off.n - 1].to = v.v[i].raw;
        on = v.v[i].on;
    }
    CC_VEC_FINI(&v);
    t->off = off.v;
    t->noff = off.n;
}

/* --- begin and end marks --- */

struct cc_native_cursor {
    struct raw_cursor raw;
    size_t off; /* next interval to pass */
    double off_ns, last;
    CC_VEC(bool) kept; /* for each open mark: was its begin given out? */
};

struct cc_native_cursor *cc_native_cursor_new(const struct cc_native_trace *t, size_t thread)
{
    struct cc_native_cursor *c = cc_alloc(sizeof *c);
    raw_init(&c->raw, t, thread);
    return c;
}

void cc_native_cursor_free(struct cc_native_cursor *c)
{
    if (!c)
        return;
    CC_VEC_FINI(&c->kept);
    free(c);
}

static bool is_begin(uint32_t kind)
{
    return kind == CC_NT_REGION_BEGIN || kind == CC_NT_TASK_BEGIN;
}

bool cc_native_next(struct cc_native_cursor *c, struct cc_native_event *ev)
{
    const struct cc_native_trace *t = c->raw.t;
    double raw, ns;
    while (raw_next(&c->raw, &ev->site, &raw, &ns)) {
        while (c->off < t->noff && t->off[c->off].to <= raw) {
            c->off_ns += t->off[c->off].to - t->off[c->off].from;
            c->off++;
        }
        bool off = c->off < t->noff && t->off[c->off].from <= raw;
        ns -= c->off_ns + (off ? raw - t->off[c->off].from : 0);
        uint32_t kind = ev->site < t->nsites ? t->sites[ev->site].kind : 0;
        if (kind < CC_NT_REGION_BEGIN || kind > CC_NT_TASK_END)
            continue;
        if (is_begin(kind)) {
            CC_VEC_PUSH(&c->kept, !off);
            if (off)
                continue;
        } else if (c->kept.n && !c->kept.v[--c->kept.n]) {
            continue;
        }
        ev->ns = c->last = CC_MAX(ns, c->last); /* a mark that cost less than the average must not go back */
        return true;
    }
    return false;
}

/* --- opening --- */

/* When the run ended, on the compensated clock of the busiest thread (of a serial program: its only one). */
static void find_end(struct cc_native_trace *t, const struct cc_nt_header *h)
{
    double last_raw = h->complete && h->end > h->start ? (double)(h->end - h->start) * t->ns_per_tick : 0;
    double lag = 0;
    uint64_t most = 0;
    for (size_t th = 0; th < t->nthreads; th++) {
        struct raw_cursor c;
        uint32_t site;
        double raw = 0, ns = 0;
        raw_init(&c, t, th);
        while (raw_next(&c, &site, &raw, &ns))
            ;
        if (c.count > most) {
            most = c.count;
            lag = raw - ns + t->mark_ns;
        }
        last_raw = CC_MAX(last_raw, raw);
    }
    find_off(t, last_raw);
    double off = 0;
    for (size_t i = 0; i < t->noff; i++)
        off += t->off[i].to - t->off[i].from;
    t->end_ns = CC_MAX(last_raw - lag - off, 0);
}

static int check_header(struct cc_native_trace *t, const struct cc_nt_header *h, struct cc_err *err)
{
    if (memcmp(h->magic, CC_NT_MAGIC, sizeof h->magic) != 0)
        return bad(t, err, "wrong magic");
    if (h->order != 0x01020304)
        return bad(t, err, "written by a machine of the other byte order");
    if (!isfinite(h->hz) || h->hz < 1e3 || h->hz > 1e12 || !isfinite(h->mark_ticks) || h->mark_ticks < 0 ||
        h->mark_ticks / h->hz > 1e-3)
        return bad(t, err, "absurd clock");
    return 0;
}

int cc_native_trace_open(const char *path, struct cc_native_trace **ret, struct cc_err *err)
{
    struct cc_native_trace *t = cc_alloc(sizeof *t);
    t->path = cc_strdup(path);
    int rc = map_file(t, err);
    struct cc_nt_header h;
    if (rc == 0) {
        memcpy(&h, t->data, sizeof h);
        rc = check_header(t, &h, err);
    }
    if (rc == 0) {
        t->ns_per_tick = 1e9 / h.hz;
        t->mark_ns = h.mark_ticks * t->ns_per_tick;
        t->complete = h.complete == 1;
        t->lost = h.lost;
        t->cpu_share = 1;
        if (t->complete && h.end > h.start)
            t->cpu_share = CC_MIN((double)h.cpu_ns / ((double)(h.end - h.start) * t->ns_per_tick), 1);
        if (t->complete && h.begun <= h.start && h.start <= h.end)
            t->inside_ns = (double)(h.end - h.begun) * t->ns_per_tick;
        t->pid = h.pid;
        rc = find_pieces(t, &h, err);
    }
    if (rc == 0)
        find_end(t, &h);
    if (rc < 0) {
        cc_native_trace_free(t);
        return rc;
    }
    *ret = t;
    return 0;
}

void cc_native_trace_free(struct cc_native_trace *t)
{
    if (!t)
        return;
    if (t->data)
        munmap((void *)t->data, t->size);
    for (size_t i = 0; i < t->nsites; i++) {
        free(t->sites[i].name);
        free(t->sites[i].file);
    }
    free(t->sites);
    free(t->pieces);
    free(t->off);
    free(t->path);
    free(t);
}

/* --- self times --- */

static size_t time_slot(struct cc_native_times *r, struct cc_strmap *index, const char *name)
{
    bool fresh;
    uint64_t *at = cc_strmap_put(index, name, &fresh);
    if (fresh) {
        *at = r->n;
        r->v = cc_realloc_array(r->v, r->n + 1, sizeof *r->v);
        r->v[r->n++] = (struct cc_native_time){.name = cc_strdup(name)};
    }
    return (size_t)*at;
}

void cc_native_times_of(const struct cc_native_trace *t, struct cc_native_times *ret)
{
    *ret = (struct cc_native_times){.total_ns = t->end_ns, .cpu_share = t->cpu_share};
    struct cc_strmap index = {0};
    size_t *slot = cc_alloc_array(t->nsites + 1, sizeof *slot);
    for (size_t i = 1; i < t->nsites; i++)
        slot[i] = t->sites[i].name ? time_slot(ret, &index, t->sites[i].name) : 0;
    for (size_t th = 0; th < t->nthreads; th++) {
        struct cc_native_cursor *c = cc_native_cursor_new(t, th);
        struct cc_native_event ev;
        CC_VEC(size_t) open = {0};
        double last = 0;
        while (cc_native_next(c, &ev)) {
            if (open.n)
                ret->v[open.v[open.n - 1]].ns += ev.ns - last;
            last = ev.ns;
            if (is_begin(t->sites[ev.site].kind))
                CC_VEC_PUSH(&open, slot[ev.site]);
            else if (open.n)
                open.n--;
        }
        CC_VEC_FINI(&open);
        cc_native_cursor_free(c);
    }
    free(slot);
    cc_strmap_fini(&index);
}

void cc_native_times_fini(struct cc_native_times *t)
{
    for (size_t i = 0; i < t->n; i++)
        free(t->v[i].name);
    free(t->v);
    *t = (struct cc_native_times){0};
}
