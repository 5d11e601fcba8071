/* Accesses of every kind: what the hot path in collect.h does not take. */
#include "internal.h"
#include "data.h"
#include "depend.h"
#include "sibling.h"

/* --- cells --- */

/* In the host's pieces both chunks of an address lie ready, side by side with the others. */
static void chunk_new(struct cc_collect *c, cc_cell **directory, uint64_t chunk, size_t cells)
{
    cc_lock(c);
    bool new = !c->shadow.directory[chunk];
    if (!directory[chunk] && chunk < c->host.limit >> CC_CHUNK_BITS) {
        c->shadow.bytes[chunk] = c->host.bytes + chunk * CC_CHUNK_SIZE;
        c->shadow.directory[chunk] = c->host.words + chunk * CC_CHUNK_CELLS;
    } else if (!directory[chunk]) {
        directory[chunk] = c->host.map(c->host.self, cells * sizeof(cc_cell));
        if (c->host.dense && directory == c->shadow.directory)
            c->host.dense(c->host.self, directory[chunk], cells * sizeof(cc_cell));
    }
    if (new && c->shadow.directory[chunk]) {
        c->shadow.chunks = cc_extend(c, c->shadow.chunks, &c->shadow.chunks_cap, c->shadow.nchunks + 1,
                                     sizeof *c->shadow.chunks);
        c->shadow.chunks[c->shadow.nchunks++] = (uint32_t)chunk;
    }
    cc_unlock(c);
}

static cc_cell *chunk_in(struct cc_collect *c, cc_cell **directory, uint64_t a, size_t cells)
{
    uint64_t chunk = cc_chunk_of(a);
    if (__builtin_expect(!directory[chunk], 0))
        chunk_new(c, directory, chunk, cells);
    return directory[chunk];
}

static cc_cell *cell_at(struct cc_collect *c, uint64_t a)
{
    return chunk_in(c, c->shadow.directory, a, CC_CHUNK_CELLS) + cc_cell_of(a);
}

void cc_shadow_touch(struct cc_collect *c, uint64_t a, uint32_t size)
{
    cell_at(c, a);
    cell_at(c, a + size - 1);
    chunk_in(c, c->shadow.bytes, a, CC_CHUNK_SIZE);
}

void cc_shadow_fresh(struct cc_thread *t, uint64_t a)
{
    struct cc_collect *c = t->owner;
    if (!c->host.put_tasks)
        return;
    cc_lock(c);
    uint64_t key = a / CC_PAGE + 1;
    size_t slot = cc_index_slot(c, &c->shadow.pages, key);
    if (!c->shadow.pages.keys[slot]) {
        c->shadow.pages.keys[slot] = key;
        c->shadow.pages.n++;
        t->total[2]++;
    }
    cc_unlock(c);
}

static bool alike(const cc_cell four[static 4])
{
    return four[0] == four[1] && four[1] == four[2] && four[2] == four[3];
}

/* Puts `n` bytes at a, all of one word, into a state; splits and merges the word as needed. */
static void set_bytes(struct cc_collect *c, cc_cell *cell, uint64_t a, uint32_t n, uint32_t state)
{
    if (n == 4 || *cell == state) {
        *cell = state;
        return;
    }
    cc_cell *bytes = chunk_in(c, c->shadow.bytes, a, CC_CHUNK_SIZE) + cc_byte_of(a & ~UINT64_C(3));
    cc_lock(c);
    if (*cell != CC_SPLIT) {
        bytes[0] = bytes[1] = bytes[2] = bytes[3] = *cell;
        *cell = CC_SPLIT;
    }
    for (uint32_t i = 0; i < n; i++)
        bytes[(a & 3) + i] = state;
    if (alike(bytes))
        *cell = state;
    cc_unlock(c);
}

/* --- whose an unwritten byte is --- */

static uint32_t range_after(const struct cc_collect *c, uint64_t a) /* first range that ends after a */
{
    uint32_t lo = 0, hi = c->shadow.nranges;
    while (lo < hi) {
        uint32_t mid = (lo + hi) / 2;
        if (c->shadow.ranges[mid].end > a)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo;
}

static uint32_t unwritten_state(struct cc_thread *t, uint64_t a)
{
    struct cc_collect *c = t->owner;
    cc_lock(c);
    uint32_t i = range_after(c, a);
    uint32_t node = i < c->shadow.nranges && c->shadow.ranges[i].start <= a ? c->shadow.ranges[i].node
                                                                            : c->nodes.of_unknown;
    cc_unlock(c);
    if (cc_may_be_fresh(a, 4))
        cc_shadow_fresh(t, a);
    return cc_node_at(c, node)->empty[cc_on_stack(t, a)];
}

/* As reads of it are counted. */
static uint32_t side_of(const struct cc_thread *t, uint64_t a)
{
    const cc_cell *chunk = t->directory[cc_chunk_of(a)];
    cc_cell s = chunk ? chunk[cc_cell_of(a)] : 0;
    if (s == CC_SPLIT)
        s = *cc_bytes_at(t->owner, a);
    return s ? cc_state_at(t->owner, s)->stack : cc_on_stack(t, a);
}

void cc_again_read(struct cc_thread *t, uint64_t a, uint64_t first)
{
    uint32_t here = side_of(t, a), there = side_of(t, first);
    t->tally->again[here == there ? here : 2]++;
}

static void range_insert(struct cc_collect *c, uint32_t at, struct cc_range r)
{
    size_t cap = c->shadow.ranges_cap;
    c->shadow.ranges = cc_extend(c, c->shadow.ranges, &cap, c->shadow.nranges + 1, sizeof *c->shadow.ranges);
    c->shadow.ranges_cap = (uint32_t)cap;
    for (uint32_t i = c->shadow.nranges; i > at; i--)
        c->shadow.ranges[i] = c->shadow.ranges[i - 1];
    c->shadow.ranges[at] = r;
    c->shadow.nranges++;
}

static void range_cut(struct cc_collect *c, uint64_t start, uint64_t end)
{
    uint32_t i = range_after(c, start);
    while (i < c->shadow.nranges && c->shadow.ranges[i].start < end) {
        struct cc_range *r = &c->shadow.ranges[i];
        if (r->start < start && r->end > end) {
            struct cc_range tail = {end, r->end, r->node, r->shared};
            r->end = start;
            range_insert(c, i + 1, tail);
            return;
        }
        if (r->start < start) {
            r->end = start;
            i++;
        } else if (r->end > end) {
            r->start = end;
            return;
        } else {
            for (uint32_t k = i; k + 1 < c->shadow.nranges; k++)
                c->shadow.ranges[k] = c->shadow.ranges[k + 1];
            c->shadow.nranges--;
        }
    }
}

void cc_map_range(struct cc_collect *c, uint64_t start, uint64_t size, enum cc_node_kind kind,
                  uint32_t source)
{
    cc_unmap_range(c, start, size);
    if (kind == CC_NODE_UNKNOWN)
        return; /* what no range covers is unknown */
    uint32_t node = kind == CC_NODE_INPUT ? c->sources.v[source].node : c->nodes.of_static;
    cc_lock(c);
    range_insert(c, range_after(c, start), (struct cc_range){start, start + size, node, false});
    cc_unlock(c);
}

/* Most of a stack that a thread gives back was never touched, and is not to be backed by memory for this. */
static void clear_cells(cc_cell *cell, size_t n)
{
    uint64_t w[8];
    enum { LINE = 16 };
    for (; n >= LINE; cell += LINE, n -= LINE) {
        __builtin_memcpy(w, cell, sizeof w);
        if ((w[0] | w[1] | w[2] | w[3]) | (w[4] | w[5] | w[6] | w[7]))
            __builtin_memset(cell, 0, sizeof w);
    }
    for (size_t i = 0; i < n; i++)
        if (cell[i])
            cell[i] = 0;
}

/* Nobody has written it. */
static void clear(struct cc_collect *c, uint64_t start, uint64_t end)
{
    if (c->depend)
        cc_depend_clear(c->depend, start, end - start);
    if (c->sibling)
        cc_depend_clear(c->sibling, start, end - start);
    for (uint64_t a = start & ~UINT64_C(3), next; a < end; a = next) {
        next = (a | (CC_CHUNK_SIZE - 1)) + 1;
        cc_cell *chunk = c->shadow.directory[cc_chunk_of(a)];
        if (chunk) /* else nothing was ever touched here */
            clear_cells(chunk + cc_cell_of(a), ((next < end ? next : end) - a + 3) / 4);
    }
}

void cc_unmap_range(struct cc_collect *c, uint64_t start, uint64_t size)
{
    cc_lock(c);
    range_cut(c, start, start + size);
    clear(c, start, start + size);
    cc_unlock(c);
}

void cc_share_range(struct cc_collect *c, uint64_t start, uint64_t size)
{
    cc_lock(c);
    uint32_t i = range_after(c, start), node = c->nodes.of_unknown;
    if (i < c->shadow.nranges && c->shadow.ranges[i].start <= start)
        node = c->shadow.ranges[i].node;
    range_cut(c, start, start + size);
    range_insert(c, range_after(c, start), (struct cc_range){start, start + size, node, true});
    cc_unlock(c);
}

void cc_empty_range(struct cc_collect *c, uint64_t start, uint64_t size)
{
    uint64_t end = start + size;
    cc_lock(c);
    for (uint32_t i = range_after(c, start); i < c->shadow.nranges && c->shadow.ranges[i].start < end; i++) {
        const struct cc_range *r = &c->shadow.ranges[i];
        if (!r->shared)
            continue;
        if (r->start > start)
            clear(c, start, r->start);
        start = r->end;
    }
    if (start < end)
        clear(c, start, end);
    cc_unlock(c);
}

/* Of the pieces that are mapped alike between two addresses, the first. */
static bool range_within(const struct cc_collect *c, uint64_t start, uint64_t end, struct cc_range *piece)
{
    uint32_t i = range_after(c, start);
    if (start >= end || i == c->shadow.nranges || c->shadow.ranges[i].start >= end)
        return false;
    *piece = c->shadow.ranges[i];
    if (piece->start < start)
        piece->start = start;
    if (piece->end > end)
        piece->end = end;
    return true;
}

/* Both addresses are page-aligned. */
void cc_copy_range(struct cc_collect *c, uint64_t from, uint64_t to, uint64_t size)
{
    struct cc_range r;
    cc_unmap_range(c, to, size);
    cc_lock(c);
    for (uint64_t a = from; range_within(c, a, from + size, &r); a = r.end) {
        struct cc_range there = {r.start - from + to, r.end - from + to, r.node, r.shared};
        range_insert(c, range_after(c, there.start), there);
    }
    cc_unlock(c);
    for (uint64_t i = 0; i < size; i += 4) {
        const cc_cell *chunk = c->shadow.directory[cc_chunk_of(from + i)];
        cc_cell old = chunk ? chunk[cc_cell_of(from + i)] : 0;
        if (!old)
            continue;
        cc_cell *cell = cell_at(c, to + i);
        if (old != CC_SPLIT)
            *cell = cc_state_moved(c, old);
        for (uint32_t k = 0; old == CC_SPLIT && k < 4; k++)
            set_bytes(c, cell, to + i + k, 1, cc_state_moved(c, *cc_bytes_at(c, from + i + k)));
    }
}

void cc_grow_range(struct cc_collect *c, uint64_t start, uint64_t old_size, uint64_t size)
{
    struct cc_range last;
    uint64_t end = start + old_size;
    if (!old_size || size <= old_size)
        return;
    cc_unmap_range(c, end, size - old_size);
    cc_lock(c);
    if (range_within(c, end - 1, end, &last))
        range_insert(c, range_after(c, end), (struct cc_range){end, start + size, last.node, last.shared});
    cc_unlock(c);
}

/* --- reading --- */

/* One read operation may draw on several streams; it counts once on each. */
enum { MAX_STREAMS = 64 };
struct piece {
    struct cc_stream *stream;
    uint32_t bytes, stack;
};
struct operation {
    struct piece pieces[MAX_STREAMS];
    uint32_t n, size; /* bytes */
    uint32_t stack;   /* CC_NONE, or as the first piece says */
};

/* A stream's first piece: its bytes on the stack and beside it are still one stream. */
static bool op_first(const struct operation *op, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (op->pieces[k].stream == op->pieces[i].stream)
            return false;
    return true;
}

static void op_flush(struct cc_thread *t, struct operation *op)
{
    for (uint32_t i = 0; i < op->n; i++) {
        const struct piece *p = &op->pieces[i];
        cc_stream_add(t, p->stream, CC_COUNTED_BYTES, p->bytes);
        cc_stream_add(t, p->stream, CC_COUNTED_READS, op_first(op, i));
        t->tally->reads[p->stack].odd_bytes += p->bytes;
    }
    op->n = 0;
}

/* The node has read once, however many streams that drew on. */
static void op_count(struct cc_thread *t, struct operation *op)
{
    uint32_t size = op->size;
    const struct piece *p = &op->pieces[0];
    if (op->n == 1 && p->bytes == size && (size & (size - 1)) == 0 && size <= 1u << (CC_CLASSES - 1)) {
        cc_count_read(t, p->stream, NULL, (uint32_t)__builtin_ctz(size), 1);
        t->tally->reads[p->stack].n[__builtin_ctz(size)]++;
        return;
    }
    op_flush(t, op);
    t->tally->reads[op->stack].odd++;
}

static void op_add(struct cc_thread *t, struct operation *op, const struct cc_transition *m, uint32_t bytes)
{
    if (m->edge)
        *m->edge += bytes;
    for (uint32_t i = 0; i < op->n; i++) {
        struct piece *p = &op->pieces[i];
        if (p->stream == m->stream && p->stack == m->stack) {
            p->bytes += bytes;
            return;
        }
    }
    if (op->n == MAX_STREAMS)
        op_flush(t, op);
    if (op->stack == CC_NONE)
        op->stack = m->stack;
    op->pieces[op->n++] = (struct piece){m->stream, bytes, m->stack};
}

/* The current node reads `n` bytes at a, all in state s; returns the state they are in now. */
static inline uint32_t consume(struct cc_thread *t, struct operation *op, uint32_t s, uint64_t a, uint32_t n)
{
    if (__builtin_expect(!s, 0))
        s = unwritten_state(t, a);
    const struct cc_transition *m = &t->room.caches->moves[(s ^ cc_salt(t->node)) & (CC_LOOKUPS - 1)];
    if (__builtin_expect(m->key != (t->reader_key | s), 0))
        m = cc_transition_find(t, s);
    if (!m->holds) {
        cc_count_fresh(t, m->stream, m->fresh, n);
        if (!m->known)
            cc_edge_touch(t, m->stream, a, n);
    }
    op_add(t, op, m, n);
    return m->next;
}

/* `n` bytes of one word. */
static void read_word(struct cc_thread *t, struct operation *op, cc_cell *cell, uint64_t a, uint32_t n)
{
    struct cc_collect *c = t->owner;
    if (*cell != CC_SPLIT) {
        cc_cell s = *cell;
        uint32_t next = consume(t, op, s, a, n);
        if (next != s)
            set_bytes(c, cell, a, n, next);
        return;
    }
    const cc_cell *bytes = cc_bytes_at(c, a);
    for (uint32_t i = 0, end; i < n; i = end) { /* runs of bytes in the same state */
        cc_cell s = bytes[i];
        for (end = i + 1; end < n && bytes[end] == s; end++)
            ;
        uint32_t next = consume(t, op, s, a + i, end - i);
        if (next != s)
            set_bytes(c, cell, a + i, end - i, next);
    }
}

static __attribute__((noinline)) void read_general(struct cc_thread *t, uint64_t a, uint32_t size)
{
    struct operation op;
    op.n = 0;
    op.size = size;
    op.stack = CC_NONE;
    for (uint32_t done = 0; done < size;) {
        uint64_t at = a + done;
        uint32_t room = 4 - (uint32_t)(at & 3), n = size - done < room ? size - done : room;
        read_word(t, &op, cell_at(t->owner, at), at, n);
        done += n;
    }
    op_count(t, &op);
}

/* The counts of a read in one state that the cache knows. */
static inline void count_known(struct cc_thread *t, const struct cc_transition *m, uint64_t a, uint32_t size)
{
    uint32_t class = (uint32_t)__builtin_ctz(size);
    struct cc_stream *stream = m->stream;
    cc_count_read(t, stream, m->edge, class, 1);
    t->tally->reads[m->stack].n[class]++;
    if (m->holds)
        return;
    cc_count_fresh(t, stream, m->fresh, size);
    if (m->known)
        return;
    if (__builtin_expect((a & 63) + size <= 64, 1))
        cc_edge_touch_within(t, stream, a, size);
    else
        cc_edge_touch(t, stream, a, size);
}

void cc_read_word(struct cc_thread *t, uint64_t a, cc_cell *cell)
{
    cc_cell s = *cell;
    const struct cc_transition *m = &t->room.caches->moves[(s ^ cc_salt(t->node)) & (CC_LOOKUPS - 1)];
    if (__builtin_expect(m->key != (t->reader_key | s), 0)) {
        read_general(t, a, 4);
        return;
    }
    *cell = m->next;
    count_known(t, m, a, 4);
}

/* First the common cases: whole words or a part of one, all in one state that the cache knows; streaming code
 * does little else. */
void cc_read_any(struct cc_thread *t, uint64_t a, uint32_t size)
{
    if (__builtin_expect(t->takes, 0))
        cc_watch_read(t, a, size);
    cc_cell *chunk = t->owner->shadow.directory[cc_chunk_of(a)];
    uint32_t lo = (uint32_t)(a & 3);
    bool words = (size == 4 || size == 8) && lo == 0 && (a & (CC_CHUNK_SIZE - 1)) <= CC_CHUNK_SIZE - size;
    bool part = size <= 2 && lo + size <= 4;
    if (!chunk || !(words || part)) {
        read_general(t, a, size);
        return;
    }
    cc_cell *cell = chunk + cc_cell_of(a);
    cc_cell s = cell[0];
    if (part && s == CC_SPLIT) {
        const cc_cell *bytes = cc_bytes_at(t->owner, a);
        s = bytes[0] == bytes[size - 1] ? bytes[0] : 0;
    }
    const struct cc_transition *m = &t->room.caches->moves[(s ^ cc_salt(t->node)) & (CC_LOOKUPS - 1)];
    if (m->key != (t->reader_key | s) || (size == 8 && cell[1] != s)) {
        read_general(t, a, size);
        return;
    }
    count_known(t, m, a, size);
    if (m->next == s)
        return;
    if (part) {
        set_bytes(t->owner, cell, a, size, m->next);
    } else {
        cell[0] = m->next;
        if (size == 8)
            cell[1] = m->next;
    }
}

void cc_shadow_put(struct cc_collect *c, uint64_t a, uint32_t size, uint32_t state)
{
    for (uint32_t done = 0; done < size;) {
        uint64_t at = a + done;
        uint32_t room = 4 - (uint32_t)(at & 3), n = size - done < room ? size - done : room;
        set_bytes(c, cell_at(c, at), at, n, state);
        done += n;
    }
}

void cc_write_any(struct cc_thread *t, uint64_t a, uint32_t size)
{
    if (__builtin_expect(t->makes, 0))
        cc_watch_write(t, a, size);
    uint32_t stack = cc_on_stack(t, a);
    cc_shadow_put(t->owner, a, size, t->writer_state[stack]);
    if ((size & (size - 1)) == 0 && size <= 1u << (CC_CLASSES - 1)) {
        t->tally->writes[stack].n[__builtin_ctz(size)]++;
    } else {
        t->tally->writes[stack].odd++;
        t->tally->writes[stack].odd_bytes += size;
    }
}

/* --- system calls --- */

static bool same(const char *a, const char *b)
{
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return *a == *b;
}

static char *copy(struct cc_collect *c, const char *s)
{
    size_t n = 0;
    while (s[n] && n < 4095)
        n++;
    char *p = cc_pool(c, n + 1);
    __builtin_memcpy(p, s, n);
    return p;
}

uint32_t cc_source(struct cc_collect *c, const char *call, const char *file)
{
    cc_lock(c);
    uint32_t i = 0;
    while (i < c->sources.n && !(same(c->sources.v[i].call, call) && same(c->sources.v[i].file, file)))
        i++;
    if (i == c->sources.n) {
        size_t cap = c->sources.cap;
        c->sources.v = cc_extend(c, c->sources.v, &cap, i + 1, sizeof *c->sources.v);
        c->sources.cap = (uint32_t)cap;
        uint32_t id = CC_SPECIAL_ID(CC_NODE_INPUT);
        struct cc_node n = {
            .kind = CC_NODE_INPUT, .context = CC_NONE, .source = i, .group = {CC_NONE, id, id, id}};
        c->sources.v[i] = (struct cc_source){copy(c, call), copy(c, file), cc_node_new(c, &n)};
        c->sources.n++;
    }
    cc_unlock(c);
    return i;
}

void cc_input(struct cc_thread *t, uint64_t a, uint64_t size, uint32_t source)
{
    struct cc_collect *c = t->owner;
    struct cc_node *n = cc_node_at(c, c->sources.v[source].node);
    if (n->frame != c->frames.present)
        cc_node_refresh(c, c->sources.v[source].node, c->frames.present);
    cc_data_input(t, a, size);
    if (t->depend)
        cc_depend_system(t->depend, a, size, true);
    if (t->sibling && t->sibling->x)
        cc_depend_system(t->sibling->x, a, size, true);
    uint32_t stack = cc_on_stack(t, a), w = n->empty[stack];
    n->tally.writes[stack].odd++;
    n->tally.writes[stack].odd_bytes += size;
    while (size) {
        uint32_t part = size < UINT32_MAX ? (uint32_t)size : UINT32_MAX & ~3u;
        cc_shadow_put(c, a, part, w);
        a += part;
        size -= part;
    }
}

void cc_output(struct cc_thread *t, uint64_t a, uint64_t size)
{
    uint32_t node = t->node;
    cc_data_output(t, a, size);
    if (t->depend)
        cc_depend_system(t->depend, a, size, false);
    if (t->sibling && t->sibling->x)
        cc_depend_system(t->sibling->x, a, size, false);
    cc_node_enter(t, t->output_node);
    while (size) {
        uint32_t room = 64 - (uint32_t)(a & 63), n = size < room ? (uint32_t)size : room;
        cc_read_any(t, a, n);
        a += n;
        size -= n;
    }
    cc_node_enter(t, node);
}
