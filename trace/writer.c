#include "lane.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

/* Of zstd: events are packed while the program runs, names once. */
enum { PACK_EVENTS = 1, PACK_META = 3 };

struct bytes {
    uint8_t *p;
    size_t n, cap;
};

struct cc_trace_writer {
    int fd;
    pthread_mutex_t lock;         /* guards all but the lanes' contents */
    uint64_t at;                  /* size of the file so far */
    struct cc_trace_lane **lanes; /* CC_TRACE_MAX_CPUS of them */
    unsigned cpus;                /* beyond the highest that has one */
    uint64_t events;              /* written */
    struct bytes meta, index, plain, packed;
    uint32_t meta_count;
    uint32_t lost; /* an appended trace had holes */
    ZSTD_CCtx *zstd;
    bool failed;
    char error[CC_TRACE_ERR], refusal[CC_TRACE_ERR];
};

static int fail(struct cc_trace_writer *w, const char *what, int cause)
{
    if (!w->failed)
        snprintf(w->error, sizeof w->error, "%s%s%s", what, cause ? ": " : "", cause ? strerror(cause) : "");
    w->failed = true;
    return -1;
}

static bool reserve(struct bytes *b, size_t more)
{
    if (b->cap - b->n >= more)
        return true;
    size_t cap = b->cap * 2 > b->n + more ? b->cap * 2 : b->n + more + 256;
    uint8_t *p = realloc(b->p, cap);
    if (!p)
        return false;
    b->p = p;
    b->cap = cap;
    return true;
}

/* The caller has reserved VARINT bytes. */
static void put_varint(struct bytes *b, uint64_t v)
{
    b->n += lane_varint(b->p + b->n, v);
}

static int write_all(struct cc_trace_writer *w, const void *data, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t wrote = write(w->fd, (const char *)data + done, n - done);
        if (wrote < 0 && errno == EINTR)
            continue;
        if (wrote <= 0)
            return fail(w, "cannot write", wrote < 0 ? errno : ENOSPC);
        done += (size_t)wrote;
    }
    w->at += n;
    return 0;
}

static int note_in_index(struct cc_trace_writer *w, const struct chunk *c)
{
    if (!reserve(&w->index, INDEX_ENTRY))
        return fail(w, "out of memory", 0);
    uint8_t *p = w->index.p + w->index.n;
    put_le(p, c->offset, 8);
    put_le(p + 8, c->first, 8);
    put_le(p + 16, c->last, 8);
    put_le(p + 24, c->count, 4);
    put_le(p + 28, c->raw, 4);
    put_le(p + 32, c->stored, 4);
    put_le(p + 36, c->cpu, 2);
    p[38] = c->type;
    p[39] = c->packed;
    w->index.n += INDEX_ENTRY;
    return 0;
}

/* Packs w->plain and writes it as one chunk, header and contents in one go so that a kill rarely cuts it.
 * Lock held. */
static int write_chunk(struct cc_trace_writer *w, struct chunk *c)
{
    size_t n = w->plain.n, bound = ZSTD_compressBound(n);
    int level = c->type == CHUNK_EVENTS ? PACK_EVENTS : PACK_META;
    w->packed.n = 0;
    if (w->failed)
        return -1;
    if (!reserve(&w->packed, CHUNK_HEADER + bound))
        return fail(w, "out of memory", 0);
    uint8_t *body = w->packed.p + CHUNK_HEADER;
    size_t stored =
        c->type == CHUNK_INDEX ? n : ZSTD_compressCCtx(w->zstd, body, bound, w->plain.p, n, level);
    c->packed = c->type != CHUNK_INDEX && !ZSTD_isError(stored) && stored < n;
    if (!c->packed) {
        if (n)
            memcpy(body, w->plain.p, n);
        stored = n;
    }
    c->raw = (uint32_t)n;
    c->stored = (uint32_t)stored;
    c->offset = w->at;
    c->sum = cc_trace_sum(body, stored);
    cc_trace_chunk_encode(c, w->packed.p);
    if (write_all(w, w->packed.p, CHUNK_HEADER + stored) < 0)
        return -1;
    return c->type == CHUNK_INDEX ? 0 : note_in_index(w, c);
}

int cc_trace_writer_lane(struct cc_trace_writer *w, struct cc_trace_lane *l)
{
    if (!l->count)
        return 0;
    pthread_mutex_lock(&w->lock);
    w->plain.n = 0;
    int rc = reserve(&w->plain, LANE_PLAIN) ? 0 : fail(w, "out of memory", 0);
    if (rc == 0) {
        struct chunk c = {
            .type = CHUNK_EVENTS, .cpu = l->cpu, .count = l->count, .first = l->first, .last = l->last_cycle};
        w->plain.n = cc_trace_lane_plain(l, w->plain.p);
        rc = write_chunk(w, &c);
        w->events += l->count;
    }
    pthread_mutex_unlock(&w->lock);
    cc_trace_lane_clear(l);
    return rc;
}

static int refuse(struct cc_trace_writer *w, const char *fmt, uint64_t a, unsigned b)
{
    pthread_mutex_lock(&w->lock);
    snprintf(w->refusal, sizeof w->refusal, fmt, (unsigned long long)a, b);
    pthread_mutex_unlock(&w->lock);
    return -1;
}

static struct cc_trace_lane *lane_of(struct cc_trace_writer *w, unsigned cpu)
{
    struct cc_trace_lane *l = w->lanes[cpu];
    if (!l && (l = w->lanes[cpu] = calloc(1, sizeof *l))) {
        l->cpu = (uint16_t)cpu;
        cc_trace_lane_clear(l);
        pthread_mutex_lock(&w->lock);
        w->cpus = cpu >= w->cpus ? cpu + 1 : w->cpus;
        pthread_mutex_unlock(&w->lock);
    }
    return l;
}

int cc_trace_writer_add(struct cc_trace_writer *w, const struct cc_trace_event *e)
{
    if (__builtin_expect(w->failed, 0))
        return -1;
    struct cc_trace_lane *l = lane_of(w, e->cpu);
    if (!l) {
        pthread_mutex_lock(&w->lock);
        fail(w, "out of memory", 0);
        pthread_mutex_unlock(&w->lock);
        return -1;
    }
    if (e->kind >= CC_TRACE_KINDS)
        return refuse(w, "event of kind %llu on CPU %u", e->kind, e->cpu);
    if (l->any && e->cycle < l->last_cycle)
        return refuse(w, "cycle %llu of CPU %u comes after a later one", e->cycle, e->cpu);
    if (!cc_trace_lane_add(l, e)) {
        if (cc_trace_writer_lane(w, l) < 0)
            return -1;
        cc_trace_lane_add(l, e);
    }
    return 0;
}

static int meta_flush(struct cc_trace_writer *w)
{
    if (!w->meta.n)
        return 0;
    struct bytes old = w->plain;
    w->plain = w->meta;
    struct chunk c = {.type = CHUNK_META, .count = w->meta_count};
    int rc = write_chunk(w, &c);
    w->meta = w->plain;
    w->plain = old;
    w->meta.n = 0;
    w->meta_count = 0;
    return rc;
}

/* A record is its tag, then numbers and strings in the order of docs/format/trace.md. */
static int put_record(struct cc_trace_writer *w, enum meta_tag tag, const uint64_t *numbers, int nnumbers,
                      const char *const *strings, int nstrings)
{
    size_t need = 1 + VARINT * (size_t)(nnumbers + nstrings), lengths[4] = {0};
    for (int i = 0; i < nstrings; i++) {
        lengths[i] = strings[i] ? strnlen(strings[i], STRING_LIMIT) : 0;
        need += lengths[i];
    }
    pthread_mutex_lock(&w->lock);
    int rc = w->failed ? -1 : 0;
    if (rc == 0 && w->meta.n + need > META_FLUSH)
        rc = meta_flush(w);
    if (rc == 0 && !reserve(&w->meta, need))
        rc = fail(w, "out of memory", 0);
    if (rc == 0) {
        w->meta.p[w->meta.n++] = (uint8_t)tag;
        for (int i = 0; i < nnumbers; i++)
            put_varint(&w->meta, numbers[i]);
        for (int i = 0; i < nstrings; i++) {
            put_varint(&w->meta, lengths[i]);
            if (lengths[i])
                memcpy(w->meta.p + w->meta.n, strings[i], lengths[i]);
            w->meta.n += lengths[i];
        }
        w->meta_count++;
    }
    pthread_mutex_unlock(&w->lock);
    return rc;
}

int cc_trace_writer_fact(struct cc_trace_writer *w, const char *name, const char *value)
{
    return put_record(w, META_FACT, NULL, 0, (const char *const[]){name, value}, 2);
}

int cc_trace_writer_symbol(struct cc_trace_writer *w, const struct cc_trace_symbol *s)
{
    return put_record(w, META_SYMBOL, (const uint64_t[]){s->from, s->to, s->line}, 3,
                      (const char *const[]){s->name, s->file, s->object}, 3);
}

int cc_trace_writer_line(struct cc_trace_writer *w, const struct cc_trace_line *l)
{
    return put_record(w, META_LINE, (const uint64_t[]){l->addr, l->line}, 2, (const char *const[]){l->file},
                      1);
}

int cc_trace_writer_object(struct cc_trace_writer *w, const struct cc_trace_object *o)
{
    return put_record(w, META_OBJECT,
                      (const uint64_t[]){o->from, o->to, o->since, o->until, o->line, o->storage}, 6,
                      (const char *const[]){o->name, o->function, o->file}, 3);
}

int cc_trace_writer_context(struct cc_trace_writer *w, const struct cc_trace_context *c)
{
    return put_record(w, META_CONTEXT, (const uint64_t[]){c->parent, c->site, c->entry}, 3, NULL, 0);
}

int cc_trace_writer_flush(struct cc_trace_writer *w)
{
    int rc = 0;
    for (unsigned cpu = 0; cpu < w->cpus; cpu++)
        if (w->lanes[cpu] && cc_trace_writer_lane(w, w->lanes[cpu]) < 0)
            rc = -1;
    pthread_mutex_lock(&w->lock);
    if (meta_flush(w) < 0)
        rc = -1;
    pthread_mutex_unlock(&w->lock);
    return w->failed ? -1 : rc;
}

static int write_index(struct cc_trace_writer *w)
{
    struct chunk c = {.type = CHUNK_INDEX, .count = (uint32_t)(w->index.n / INDEX_ENTRY), .first = w->lost};
    uint8_t tail[TRAILER];
    put_le(tail, w->at, 8);
    memcpy(tail + 8, TRACE_END_MAGIC, 8);
    w->plain.n = 0;
    if (!reserve(&w->plain, w->index.n + 1))
        return fail(w, "out of memory", 0);
    if (w->index.n)
        memcpy(w->plain.p, w->index.p, w->index.n);
    w->plain.n = w->index.n;
    if (write_chunk(w, &c) < 0)
        return -1;
    return write_all(w, tail, TRAILER);
}

static void writer_free(struct cc_trace_writer *w)
{
    for (unsigned cpu = 0; cpu < w->cpus; cpu++)
        free(w->lanes[cpu]);
    if (w->fd >= 0)
        close(w->fd);
    free(w->lanes);
    free(w->meta.p);
    free(w->index.p);
    free(w->plain.p);
    free(w->packed.p);
    ZSTD_freeCCtx(w->zstd);
    pthread_mutex_destroy(&w->lock);
    free(w);
}

int cc_trace_writer_close(struct cc_trace_writer *w, char *err)
{
    int rc = cc_trace_writer_flush(w);
    if (rc == 0)
        rc = write_index(w);
    /* after an append there may be remains of the old index behind the new end */
    if (rc == 0 && ftruncate(w->fd, (off_t)w->at) != 0 && errno != EINVAL)
        rc = fail(w, "cannot write", errno);
    int fd = w->fd;
    w->fd = -1;
    if (close(fd) != 0 && rc == 0)
        rc = fail(w, "cannot write", errno);
    if (rc < 0 && err)
        snprintf(err, CC_TRACE_ERR, "%s", w->error);
    writer_free(w);
    return rc;
}

/* Owns the descriptor; one below 0 is what errno tells. */
static struct cc_trace_writer *writer_new(int fd, char *err)
{
    int cause = errno;
    struct cc_trace_writer *w = calloc(1, sizeof *w);
    if (!w) {
        snprintf(err, CC_TRACE_ERR, "out of memory");
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    pthread_mutex_init(&w->lock, NULL);
    w->lanes = calloc(CC_TRACE_MAX_CPUS, sizeof *w->lanes);
    w->zstd = ZSTD_createCCtx();
    w->fd = fd;
    if (w->fd >= 0 && w->lanes && w->zstd)
        return w;
    snprintf(err, CC_TRACE_ERR, "%s", w->fd < 0 ? strerror(cause) : "out of memory");
    writer_free(w);
    return NULL;
}

static struct cc_trace_writer *writer_begin(int fd, char *err)
{
    struct cc_trace_writer *w = writer_new(fd, err);
    uint8_t head[FILE_HEADER] = {0};
    memcpy(head, TRACE_MAGIC, 8);
    put_le(head + 8, FORMAT_VERSION, 4);
    if (w && write_all(w, head, sizeof head) < 0) {
        snprintf(err, CC_TRACE_ERR, "%s", w->error);
        writer_free(w);
        return NULL;
    }
    return w;
}

struct cc_trace_writer *cc_trace_writer_open(const char *path, char *err)
{
    return writer_begin(open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), err);
}

struct cc_trace_writer *cc_trace_writer_into(int fd, char *err)
{
    return writer_begin(fcntl(fd, F_DUPFD_CLOEXEC, 0), err);
}

struct cc_trace_writer *cc_trace_writer_append(const char *path, char *err)
{
    struct cc_trace_writer *w = writer_new(open(path, O_RDWR | O_CLOEXEC), err);
    struct trace_index x;
    if (!w)
        return NULL;
    if (cc_trace_index_load(w->fd, &x, err) < 0) {
        writer_free(w);
        return NULL;
    }
    w->at = x.end;
    w->lost = x.lost;
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < x.n; i++) {
        const struct chunk *c = &x.v[i];
        rc = note_in_index(w, c);
        struct cc_trace_lane *l = rc == 0 && c->type == CHUNK_EVENTS ? lane_of(w, c->cpu) : NULL;
        if (l) {
            l->any = true;
            w->events += c->count;
            if (c->last > l->last_cycle)
                l->last_cycle = c->last;
        }
    }
    cc_trace_index_fini(&x);
    /* drop the old index now: a kill from here on leaves a trace that is read chunk by chunk */
    if (rc == 0 && (ftruncate(w->fd, (off_t)w->at) != 0 || lseek(w->fd, (off_t)w->at, SEEK_SET) < 0))
        rc = fail(w, "cannot write", errno);
    if (rc < 0) {
        snprintf(err, CC_TRACE_ERR, "%s", w->error);
        writer_free(w);
        return NULL;
    }
    return w;
}

const char *cc_trace_writer_error(const struct cc_trace_writer *w)
{
    return w->failed ? w->error : w->refusal;
}

uint64_t cc_trace_writer_events(const struct cc_trace_writer *w)
{
    uint64_t n = w->events;
    for (unsigned cpu = 0; cpu < w->cpus; cpu++)
        n += w->lanes[cpu] ? w->lanes[cpu]->count : 0;
    return n;
}
