#include "format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* A file of nothing but empty chunks must not make the reader hold a list as large as the file. */
enum { MAX_CHUNKS = 4 << 20 };

uint64_t cc_trace_sum(const void *data, size_t n)
{
    return XXH3_64bits(data, n);
}

void cc_trace_chunk_encode(const struct chunk *c, uint8_t head[CHUNK_HEADER])
{
    memcpy(head, CHUNK_MAGIC, 8);
    head[8] = c->type;
    head[9] = c->packed;
    put_le(head + 10, c->cpu, 2);
    put_le(head + 12, c->count, 4);
    put_le(head + 16, c->raw, 4);
    put_le(head + 20, c->stored, 4);
    put_le(head + 24, c->first, 8);
    put_le(head + 32, c->last, 8);
    put_le(head + 40, c->sum, 8);
    put_le(head + 48, cc_trace_sum(head, 48), 8);
}

bool cc_trace_chunk_decode(const uint8_t head[CHUNK_HEADER], struct chunk *ret)
{
    if (memcmp(head, CHUNK_MAGIC, 8) != 0 || get_le(head + 48, 8) != cc_trace_sum(head, 48))
        return false;
    *ret = (struct chunk){
        .type = head[8],
        .packed = head[9],
        .cpu = (uint16_t)get_le(head + 10, 2),
        .count = (uint32_t)get_le(head + 12, 4),
        .raw = (uint32_t)get_le(head + 16, 4),
        .stored = (uint32_t)get_le(head + 20, 4),
        .first = get_le(head + 24, 8),
        .last = get_le(head + 32, 8),
        .sum = get_le(head + 40, 8),
    };
    if (ret->packed > 1 || (!ret->packed && ret->raw != ret->stored))
        return false;
    if (ret->type == CHUNK_INDEX)
        return true;
    if (ret->raw > RAW_LIMIT || ret->stored > RAW_LIMIT)
        return false;
    return ret->type != CHUNK_EVENTS ||
           (ret->first <= ret->last && ret->count > 0 && ret->count <= CC_TRACE_CHUNK_EVENTS &&
            ret->raw >= (uint64_t)ret->count * FULL_COLUMNS);
}

bool cc_trace_read_at(int fd, void *data, size_t n, uint64_t offset)
{
    size_t done = 0;
    while (done < n) {
        ssize_t got = pread(fd, (char *)data + done, n - done, (off_t)(offset + done));
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        done += (size_t)got;
    }
    return true;
}

static int push(struct trace_index *x, const struct chunk *c, char *err)
{
    if (x->n == x->cap) {
        size_t cap = x->cap * 2 + 64;
        struct chunk *v = x->n < MAX_CHUNKS ? realloc(x->v, cap * sizeof *v) : NULL;
        if (!v) {
            snprintf(err, CC_TRACE_ERR, x->n < MAX_CHUNKS ? "out of memory" : "more than %d chunks",
                     MAX_CHUNKS);
            return -1;
        }
        x->v = v;
        x->cap = cap;
    }
    x->v[x->n++] = *c;
    return 0;
}

static void entry_decode(const uint8_t *p, struct chunk *c)
{
    *c = (struct chunk){
        .offset = get_le(p, 8),
        .first = get_le(p + 8, 8),
        .last = get_le(p + 16, 8),
        .count = (uint32_t)get_le(p + 24, 4),
        .raw = (uint32_t)get_le(p + 28, 4),
        .stored = (uint32_t)get_le(p + 32, 4),
        .cpu = (uint16_t)get_le(p + 36, 2),
        .type = p[38],
        .packed = p[39],
    };
}

/* The index says where chunks are; each chunk's own header is compared with it when the chunk is read. */
static bool entry_sane(const struct chunk *c, uint64_t after, uint64_t end)
{
    if (c->offset < after || c->offset > end || end - c->offset < CHUNK_HEADER ||
        end - c->offset - CHUNK_HEADER < c->stored)
        return false;
    uint8_t head[CHUNK_HEADER];
    struct chunk again;
    cc_trace_chunk_encode(c, head);
    return (c->type == CHUNK_EVENTS || c->type == CHUNK_META) && cc_trace_chunk_decode(head, &again);
}

/* 1: taken from the index, 0: there is no usable one, -1: out of memory. */
static int load_indexed(int fd, struct trace_index *x, char *err)
{
    uint8_t tail[TRAILER], head[CHUNK_HEADER];
    struct chunk c;
    if (x->bytes < FILE_HEADER + CHUNK_HEADER + TRAILER ||
        !cc_trace_read_at(fd, tail, TRAILER, x->bytes - TRAILER) || memcmp(tail + 8, TRACE_END_MAGIC, 8) != 0)
        return 0;
    uint64_t at = get_le(tail, 8), room = x->bytes - TRAILER - CHUNK_HEADER;
    if (at < FILE_HEADER || at > room || !cc_trace_read_at(fd, head, CHUNK_HEADER, at) ||
        !cc_trace_chunk_decode(head, &c) || c.type != CHUNK_INDEX || c.packed || c.stored != room - at ||
        c.stored % INDEX_ENTRY != 0)
        return 0;
    uint8_t *data = malloc(c.stored + 1);
    if (!data) {
        snprintf(err, CC_TRACE_ERR, "out of memory");
        return -1;
    }
    int rc = cc_trace_read_at(fd, data, c.stored, at + CHUNK_HEADER) && cc_trace_sum(data, c.stored) == c.sum;
    uint64_t after = FILE_HEADER;
    for (uint32_t i = 0; rc == 1 && i < c.stored / INDEX_ENTRY; i++) {
        struct chunk e;
        entry_decode(data + (size_t)i * INDEX_ENTRY, &e);
        rc = entry_sane(&e, after, at);
        if (rc == 1 && push(x, &e, err) < 0)
            rc = -1;
        after = e.offset + CHUNK_HEADER + e.stored;
    }
    free(data);
    x->end = at;
    x->lost = rc == 1 ? (uint32_t)c.first : 0;
    x->indexed = rc == 1;
    if (rc == 0)
        x->n = 0;
    return rc;
}

/* The place of the next chunk magic at or after `from`, or the end of the file. */
static uint64_t next_magic(int fd, uint64_t from, uint64_t bytes)
{
    enum { BLOCK = 64 << 10, OVERLAP = 7 };
    uint8_t *block = malloc(BLOCK);
    uint64_t found = bytes;
    while (block && found == bytes && bytes - from >= CHUNK_HEADER) {
        size_t n = bytes - from < BLOCK ? (size_t)(bytes - from) : BLOCK;
        if (!cc_trace_read_at(fd, block, n, from))
            break;
        const uint8_t *p = memmem(block, n, CHUNK_MAGIC, 8);
        if (p)
            found = from + (uint64_t)(p - block);
        from += n - OVERLAP;
    }
    free(block);
    return found;
}

static int load_scanned(int fd, struct trace_index *x, char *err)
{
    uint64_t at = FILE_HEADER;
    while (at < x->bytes) {
        uint8_t head[CHUNK_HEADER];
        struct chunk c;
        uint64_t left = x->bytes - at;
        if (left >= CHUNK_HEADER && cc_trace_read_at(fd, head, CHUNK_HEADER, at) &&
            cc_trace_chunk_decode(head, &c)) {
            if (c.type == CHUNK_INDEX) { /* what follows can only be the trailer, or its remains */
                x->end = at;
                return 0;
            }
            if (c.stored <= left - CHUNK_HEADER) {
                c.offset = at;
                at += CHUNK_HEADER + c.stored;
                x->end = at;
                if ((c.type == CHUNK_EVENTS || c.type == CHUNK_META) && push(x, &c, err) < 0)
                    return -1;
                continue;
            }
        }
        x->lost++;
        at = next_magic(fd, at + 1, x->bytes);
    }
    return 0;
}

int cc_trace_index_load(int fd, struct trace_index *x, char *err)
{
    memset(x, 0, sizeof *x);
    struct stat st;
    uint8_t head[FILE_HEADER];
    if (fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        snprintf(err, CC_TRACE_ERR, "not a regular file");
        return -1;
    }
    x->bytes = (uint64_t)st.st_size;
    x->end = FILE_HEADER;
    if (x->bytes == 0) {
        snprintf(err, CC_TRACE_ERR, "the file is empty");
        return -1;
    }
    if (x->bytes < FILE_HEADER || !cc_trace_read_at(fd, head, FILE_HEADER, 0) ||
        memcmp(head, TRACE_MAGIC, 8) != 0) {
        snprintf(err, CC_TRACE_ERR, "not an access trace");
        return -1;
    }
    if (get_le(head + 8, 4) != FORMAT_VERSION) {
        snprintf(err, CC_TRACE_ERR, "format version %u, this tool reads version %d",
                 (unsigned)get_le(head + 8, 4), FORMAT_VERSION);
        return -1;
    }
    int rc = load_indexed(fd, x, err);
    if (rc == 0)
        rc = load_scanned(fd, x, err);
    if (rc < 0)
        cc_trace_index_fini(x);
    return rc < 0 ? -1 : 0;
}

void cc_trace_index_fini(struct trace_index *x)
{
    free(x->v);
    memset(x, 0, sizeof *x);
}
