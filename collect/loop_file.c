/* Where loops are: the file that tells it, and what addresses of mapped files mean. */
#include "internal.h"
#include "loop.h"

enum { MAX_FILE = 1 << 30 };

/* --- the file that tells where loops are --- */

struct piece { /* of that file: of one ELF file */
    const char *path;
    size_t path_size;
    const struct cc_loop_static *loops;
    const struct cc_loop_block *blocks;
    const struct cc_loop_event *events;
    struct cc_loop_file n;
};

/* Takes `size` bytes, rounded up to 8, off the front; NULL: there are not so many. */
static const void *take(const uint8_t **at, size_t *left, uint64_t size)
{
    const uint8_t *p = *at;
    size = (size + 7) & ~UINT64_C(7);
    if (size > *left)
        return NULL;
    *at += size;
    *left -= size;
    return p;
}

static bool next_piece(const uint8_t **at, size_t *left, struct piece *ret)
{
    const struct cc_loop_file *n = take(at, left, sizeof *n);
    if (!n)
        return false;
    *ret = (struct piece){.n = *n, .path_size = n->path_size};
    ret->path = take(at, left, n->path_size);
    ret->loops = ret->path ? take(at, left, (uint64_t)n->loops * sizeof *ret->loops) : NULL;
    ret->blocks = ret->loops ? take(at, left, (uint64_t)n->blocks * sizeof *ret->blocks) : NULL;
    ret->events = ret->blocks ? take(at, left, (uint64_t)n->events * sizeof *ret->events) : NULL;
    return ret->events != NULL;
}

static bool makes_sense(const struct piece *p)
{
    for (uint32_t i = 0; i < p->n.loops; i++)
        if (p->loops[i].outer != CC_NONE && p->loops[i].outer >= i)
            return false;
    for (uint32_t i = 0; i < p->n.blocks; i++)
        if (p->blocks[i].loop >= p->n.loops || (i && p->blocks[i].start < p->blocks[i - 1].end))
            return false;
    for (uint32_t i = 0; i < p->n.events; i++)
        if (p->events[i].loop >= p->n.loops || p->events[i].kind >= CC_LOOP_EVENTS ||
            (i && p->events[i].address < p->events[i - 1].address))
            return false;
    return true;
}

bool cc_loops_read(struct cc_collect *c)
{
    const struct cc_host *h = &c->host;
    const char *path = c->opt.loops_file;
    if (!path || c->opt.loops == CC_LOOPS_NONE)
        return true;
    uint8_t head[8];
    for (size_t size = 1 << 20; size <= MAX_FILE; size *= 8) {
        uint8_t *all = h->map(h->self, size);
        long n = h->read_file(h->self, path, all, size, 0);
        if (n >= (long)sizeof head && (size_t)n < size) {
            c->loops.file = all + sizeof head;
            c->loops.size = (size_t)n - sizeof head;
            return cc_same_bytes(all, CC_LOOP_MAGIC, sizeof head);
        }
        h->unmap(h->self, all, size);
        if (n < (long)sizeof head)
            break;
    }
    return false;
}

/* --- the loops of a file that is mapped --- */

static bool is_path(const struct piece *p, const char *path)
{
    return cc_length(path) == p->path_size && cc_same_bytes(p->path, path, p->path_size);
}

static void make_points(struct cc_collect *c, struct cc_loop_binary *b, const struct piece *p)
{
    struct cc_loop_here *here = cc_pool(c, p->n.events * sizeof *here + 1);
    b->points = cc_pool(c, p->n.events * sizeof *b->points + 1);
    for (uint32_t i = 0; i < p->n.events; i++) {
        const struct cc_loop_event *e = &p->events[i];
        here[i] = (struct cc_loop_here){&b->loops[e->loop], e->kind};
        if (!b->npoints || b->points[b->npoints - 1].address != e->address)
            b->points[b->npoints++] = (struct cc_loop_point){e->address, 0, &here[i]};
        b->points[b->npoints - 1].n++;
    }
}

static void load(struct cc_collect *c, struct cc_loop_binary *b, const struct piece *p, uint32_t binary)
{
    b->loops = cc_pool(c, p->n.loops * sizeof *b->loops + 1);
    for (uint32_t i = 0; i < p->n.loops; i++)
        b->loops[i] =
            (struct cc_loop){.at = p->loops[i],
                             .outer = p->loops[i].outer == CC_NONE ? NULL : &b->loops[p->loops[i].outer],
                             .id = CC_NONE,
                             .binary = binary};
    b->nloops = p->n.loops;
    b->blocks = p->blocks;
    b->nblocks = p->n.blocks;
    make_points(c, b, p);
}

void cc_loops_load(struct cc_collect *c, struct cc_binary *o)
{
    const uint8_t *at = c->loops.file;
    size_t left = c->loops.size;
    struct piece p;
    while (at && next_piece(&at, &left, &p)) {
        if (!is_path(&p, o->path) || !makes_sense(&p))
            continue;
        struct cc_loop_binary *b = cc_pool(c, sizeof *b);
        load(c, b, &p, (uint32_t)(o - c->code.binaries));
        o->loops = b;
        return;
    }
}

static const struct cc_loop_binary *loops_at(struct cc_collect *c, uint64_t address, uint64_t *ret_va)
{
    uint32_t i = c->loops.file ? cc_binary_of(c, address, ret_va) : CC_NONE;
    return i == CC_NONE ? NULL : c->code.binaries[i].loops;
}

const struct cc_loop_point *cc_loop_point_before(struct cc_collect *c, uint64_t address, uint64_t near)
{
    uint64_t va;
    const struct cc_loop_binary *b = loops_at(c, address, &va);
    uint32_t lo = 0, hi = b ? b->npoints : 0; /* the first beyond the address */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (b->points[mid].address <= va)
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo && va - b->points[lo - 1].address < near ? &b->points[lo - 1] : NULL;
}

const struct cc_loop_point *cc_loop_point(struct cc_collect *c, uint64_t address)
{
    return cc_loop_point_before(c, address, 1);
}

struct cc_loop *cc_loop_around(struct cc_collect *c, uint64_t address)
{
    uint64_t va;
    const struct cc_loop_binary *b = loops_at(c, address, &va);
    uint32_t lo = 0, hi = b ? b->nblocks : 0; /* the first beyond the address */
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (b->blocks[mid].start > va)
            hi = mid;
        else
            lo = mid + 1;
    }
    return lo && va < b->blocks[lo - 1].end ? &b->loops[b->blocks[lo - 1].loop] : NULL;
}
