/* io_uring: requests as they are handed over, and what those did that the kernel says are over. Looked at
 * when the program makes a system call: what ends between two calls is seen with the second. Buffers that the
 * kernel chooses (IOSQE_BUFFER_SELECT) are not followed. One thread at a time, as Valgrind runs them; QEMU
 * has no rings. */
#include "ring.h"
#include "internal.h"

enum { RINGS = 32, POLLED = 1 << 1, WIDE_REQUESTS = 1 << 10, WIDE_RESULTS = 1 << 11, NO_ARRAY = 1 << 16 };

enum how { INTO, OUT_OF, ADDRESS, WHOLE };

/* A stretch of memory of a request, which has one for each of its iovecs. */
struct cc_ring_part {
    uint64_t user, at, size;
    uint64_t about; /* a msghdr, or an int that tells a length; 0: nothing */
    int32_t fd;     /* -1: none that has a name */
    uint8_t how;    /* enum how */
    bool more;      /* the next part is the same request's */
};

struct cc_ring {
    int64_t fd;
    uint64_t requests, results, entries; /* where they are mapped: both rings, and the requests themselves */
    uint32_t size, flags, features, noted, seen;
    struct {
        uint32_t head, tail, mask, array;
    } in, out; /* offsets; array: of indices, or of results */
    struct cc_ring_part *parts;
    size_t nparts, cap;
};

struct cc_rings {
    struct cc_ring all[RINGS];
    uint32_t n;
};

static uint64_t look(struct cc_collect *c, uint64_t a, unsigned size)
{
    uint64_t v = 0;
    if (!c->host.read_guest || c->host.read_guest(c->host.self, a, &v, size) != size)
        return 0;
    return v;
}

static uint32_t word(struct cc_collect *c, uint64_t a)
{
    return (uint32_t)look(c, a, 4);
}

#define GONE ((uint64_t)INT64_MIN) /* the number of a ring that is not mapped any more */

/* The last with this number: a file that was closed gives its number to others. */
static struct cc_ring *ring_of(struct cc_collect *c, uint64_t fd)
{
    for (uint32_t i = c->rings ? c->rings->n : 0; i-- > 0;)
        if (c->rings->all[i].fd == (int64_t)fd)
            return &c->rings->all[i];
    return NULL;
}

void cc_ring_made(struct cc_collect *c, const struct cc_call *call, int64_t fd)
{
    enum { FLAGS = 8, FEATURES = 20, IN = 40, OUT = 80, TAIL = 4, MASK = 8, ARRAY = 24, RESULTS = 20 };
    uint64_t p = call->args[1];
    if (!call->isa->wide)
        return;
    if (!c->rings)
        c->rings = cc_pool(c, sizeof *c->rings);
    struct cc_ring *r = ring_of(c, (uint64_t)fd);
    r = r ? r : ring_of(c, GONE);
    if (!r && c->rings->n == RINGS)
        return;
    r = r ? r : &c->rings->all[c->rings->n++];
    struct cc_ring_part *parts = r->parts;
    size_t cap = r->cap;
    *r = (struct cc_ring){
        .fd = fd,
        .size = word(c, p),
        .flags = word(c, p + FLAGS),
        .features = word(c, p + FEATURES),
        .in = {word(c, p + IN), word(c, p + IN + TAIL), word(c, p + IN + MASK), word(c, p + IN + ARRAY)},
        .out = {word(c, p + OUT), word(c, p + OUT + TAIL), word(c, p + OUT + MASK),
                word(c, p + OUT + RESULTS)},
        .parts = parts,
        .cap = cap};
}

void cc_ring_mapped(struct cc_collect *c, const struct cc_call *call, uint64_t at)
{
    enum { REQUESTS = 0, RESULTS = 0x8000000, ENTRIES = 0x10000000, SINGLE = 1 };
    struct cc_ring *r = ring_of(c, call->args[4]);
    if (!r)
        return;
    uint64_t offset = call->args[5];
    if (offset == REQUESTS && word(c, at + r->in.mask) != r->size - 1)
        return; /* of a file that has the number now */
    if (offset == REQUESTS)
        r->requests = at;
    else if (offset == RESULTS)
        r->results = at;
    else if (offset == ENTRIES)
        r->entries = at;
    if (offset == REQUESTS && !r->results && r->features & SINGLE)
        r->results = at;
}

void cc_ring_unmapped(struct cc_collect *c, uint64_t at, uint64_t size)
{
    for (uint32_t i = 0; c->rings && i < c->rings->n; i++) {
        struct cc_ring *r = &c->rings->all[i];
        if (r->requests - at >= size && r->results - at >= size && r->entries - at >= size)
            continue;
        r->fd = (int64_t)GONE;
        r->requests = r->results = r->entries = 0;
        r->nparts = 0;
    }
}

static void note_part(struct cc_collect *c, struct cc_ring *r, struct cc_ring_part part)
{
    r->parts = cc_extend(c, r->parts, &r->cap, r->nparts + 1, sizeof *r->parts);
    r->parts[r->nparts++] = part;
}

static void note_vector(struct cc_collect *c, struct cc_ring *r, struct cc_ring_part part, uint64_t vector,
                        uint64_t n)
{
    enum { MOST = 1024, EACH = 16 };
    for (uint64_t i = 0; i < n && i < MOST; i++, vector += EACH) {
        part.at = look(c, vector, 8);
        part.size = look(c, vector + 8, 8);
        part.more = i + 1 < n && i + 1 < MOST;
        note_part(c, r, part);
    }
}

/* A request: what (a byte), flags (a byte), file at 4, a second address at 8, memory at 16, bytes at 24, what
 * its result will bear at 32. */
static void note_request(struct cc_collect *c, struct cc_ring *r, uint64_t a)
{
    enum { READV = 1, WRITEV, READ_FIXED = 4, WRITE_FIXED, SENDMSG = 9, RECVMSG, ACCEPT = 13 };
    enum { STATX = 21, READ, WRITE, SEND = 26, RECV, FIXED_FILE = 1, CHOSEN = 32, BYTES_OF_STATX = 256 };
    unsigned what = (unsigned)look(c, a, 1), flags = (unsigned)look(c, a + 1, 1);
    uint64_t memory = look(c, a + 16, 8), second = look(c, a + 8, 8);
    struct cc_ring_part part = {.user = look(c, a + 32, 8),
                                .at = memory,
                                .size = word(c, a + 24),
                                .fd = flags & FIXED_FILE ? -1 : (int32_t)word(c, a + 4)};
    if (flags & CHOSEN)
        return;
    part.how = what == WRITEV || what == WRITE_FIXED || what == SENDMSG || what == WRITE || what == SEND
                   ? OUT_OF
                   : INTO;
    switch (what) {
    case READV:
    case WRITEV:
        note_vector(c, r, part, memory, part.size);
        break;
    case RECVMSG:
        part.about = memory; /* fall through */
    case SENDMSG:
        note_vector(c, r, part, look(c, memory + 16, 8), look(c, memory + 24, 8));
        break;
    case ACCEPT:
        part.how = ADDRESS;
        part.about = second;
        part.size = second ? word(c, second) : 0;
        note_part(c, r, part);
        break;
    case STATX:
        part.how = WHOLE;
        part.at = second;
        part.size = BYTES_OF_STATX;
        note_part(c, r, part);
        break;
    case READ_FIXED:
    case WRITE_FIXED:
    case READ:
    case WRITE:
    case RECV:
    case SEND:
        note_part(c, r, part);
        break;
    default: /* fills nothing and sends nothing, or we do not know it */
        break;
    }
}

void cc_ring_submit(struct cc_collect *c, const struct cc_call *call)
{
    struct cc_ring *r = ring_of(c, call->args[0]);
    if (!r || !r->requests || !r->entries)
        return;
    uint32_t head = word(c, r->requests + r->in.head), tail = word(c, r->requests + r->in.tail),
             mask = word(c, r->requests + r->in.mask), most = (uint32_t)call->args[1];
    uint32_t end = r->flags & POLLED || tail - head < most ? tail : head + most;
    if (tail - head > mask + 1 || mask + 1 != r->size)
        return;
    if ((int32_t)(r->noted - head) > 0) /* these were noted with a call that did not get to them */
        head = r->noted;
    for (; (int32_t)(end - head) > 0; head++) {
        uint32_t i = head & mask;
        if (!(r->flags & NO_ARRAY))
            i = word(c, r->requests + r->in.array + 4ul * i);
        note_request(c, r, r->entries + (uint64_t)i * (r->flags & WIDE_REQUESTS ? 128 : 64));
    }
    r->noted = head;
}

static uint32_t source_of(const struct cc_ring_part *part, cc_source_of *source)
{
    static const struct cc_syscall of_file = {.name = "io_uring_enter", .kind = CC_SYS_RECEIVE},
                                   of_none = {.name = "io_uring_enter", .kind = CC_SYS_NONE};
    struct cc_call call = {.s = part && part->fd >= 0 ? &of_file : &of_none,
                           .args = {part ? (uint64_t)part->fd : 0}};
    return source(&call);
}

static void finish_part(struct cc_thread *t, const struct cc_ring_part *p, uint64_t bytes, uint32_t source)
{
    uint64_t size = p->size < bytes ? p->size : bytes, told;
    if (p->how == ADDRESS) {
        told = word(t->owner, p->about);
        size = told < p->size ? told : p->size;
    } else if (p->how == WHOLE) {
        size = p->size;
    }
    if (p->how == OUT_OF && size)
        cc_output(t, p->at, size);
    else if (p->at && size)
        cc_input(t, p->at, size, source);
    if (p->how == ADDRESS && p->about)
        cc_input(t, p->about, 4, source);
}

/* Of a message: who sent it, how long that is, and its flags. */
static void finish_message(struct cc_thread *t, uint64_t header, uint32_t source)
{
    enum { NAME_SIZE = 8, CONTROL = 32, CONTROL_SIZE = 40, FLAGS = 48, MOST = 128 };
    struct cc_collect *c = t->owner;
    uint64_t name = look(c, header, 8), size = word(c, header + NAME_SIZE),
             control = look(c, header + CONTROL, 8), control_size = look(c, header + CONTROL_SIZE, 8);
    if (name && size)
        cc_input(t, name, size < MOST ? size : MOST, source);
    if (control && control_size)
        cc_input(t, control, control_size, source);
    cc_input(t, header + NAME_SIZE, 4, source);
    cc_input(t, header + CONTROL_SIZE, 8, source);
    cc_input(t, header + FLAGS, 4, source);
}

/* The first that was handed over with this mark. */
static void finish(struct cc_thread *t, struct cc_ring *r, uint64_t user, int32_t result,
                   cc_source_of *source)
{
    size_t from = 0, to;
    while (from < r->nparts && r->parts[from].user != user)
        from++;
    if (from == r->nparts)
        return;
    uint64_t bytes = result > 0 ? (uint64_t)result : 0;
    const struct cc_ring_part *first = &r->parts[from];
    uint32_t s = first->how == OUT_OF || result < 0 ? 0 : source_of(first, source);
    if (first->about && first->how == INTO && result >= 0)
        finish_message(t, first->about, s);
    for (to = from;; to++) {
        const struct cc_ring_part *p = &r->parts[to];
        if (result >= 0)
            finish_part(t, p, bytes, s);
        bytes -= p->size < bytes ? p->size : bytes;
        if (!p->more)
            break;
    }
    to++;
    __builtin_memmove(&r->parts[from], &r->parts[to], (r->nparts - to) * sizeof *r->parts);
    r->nparts -= to - from;
}

void cc_ring_look(struct cc_thread *t, cc_source_of *source)
{
    enum { MORE = 2 };
    struct cc_collect *c = t->owner;
    for (uint32_t i = 0; c->rings && i < c->rings->n; i++) {
        struct cc_ring *r = &c->rings->all[i];
        uint32_t tail = r->results ? word(c, r->results + r->out.tail) : r->seen,
                 size = r->flags & WIDE_RESULTS ? 32 : 16;
        if (tail == r->seen)
            continue;
        uint32_t mask = word(c, r->results + r->out.mask), s = source_of(NULL, source);
        if (tail - r->seen > mask + 1)
            r->seen = tail - mask - 1;
        for (; r->seen != tail; r->seen++) {
            uint64_t a = r->results + r->out.array + (uint64_t)(r->seen & mask) * size;
            cc_input(t, a, size, s);
            if (!(word(c, a + 12) & MORE))
                finish(t, r, look(c, a, 8), (int32_t)word(c, a + 8), source);
        }
        cc_input(t, r->results + r->out.tail, 4, s);
        if (r->requests)
            cc_input(t, r->requests + r->in.head, 4, s);
    }
}
