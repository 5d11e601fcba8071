#include "pack.h"
#include "build.h"

#include <limits.h>
#include <math.h>

/* "htg1"; clock, rate, tasks; names; counters; burdens; nodes in their order: gap, length, name, size of the
 * subtree, repeat, counters of the gap, counters of the tail. Whole numbers are LEB128. */
static const char magic[] = "htg1";

/* --- writing --- */

static void put(struct cc_buf *b, uint64_t v)
{
    unsigned char byte;
    do {
        byte = (unsigned char)((v & 0x7f) | (v > 0x7f ? 0x80 : 0));
        cc_buf_add(b, &byte, 1);
        v >>= 7;
    } while (byte & 0x80);
}

static void put_f64(struct cc_buf *b, double v)
{
    cc_buf_add(b, &v, sizeof v);
}

static void put_str(struct cc_buf *b, const char *s)
{
    put(b, strlen(s));
    cc_buf_add(b, s, strlen(s));
}

/* The depth of every node: 0 for the run. */
static unsigned *depths_of(const struct cc_htg *h)
{
    unsigned *depth = cc_alloc_array(h->nnodes, sizeof *depth);
    CC_VEC(size_t) open = {0}; /* ends of the subtrees around the node */
    for (size_t i = 0; i < h->nnodes; i++) {
        while (open.n && open.v[open.n - 1] <= i)
            open.n--;
        depth[i] = (unsigned)open.n;
        CC_VEC_PUSH(&open, (size_t)h->nodes[i].next);
    }
    CC_VEC_FINI(&open);
    return depth;
}

/* The largest depth up to which there are no more than so many nodes. */
static unsigned deepest(const unsigned *depth, size_t n, size_t max_nodes)
{
    unsigned most = 0;
    for (size_t i = 0; i < n; i++)
        most = CC_MAX(most, depth[i]);
    size_t *count = cc_alloc_array((size_t)most + 1, sizeof *count), sum = 0;
    for (size_t i = 0; i < n; i++)
        count[depth[i]]++;
    unsigned fits = 0;
    while (fits <= most && sum + count[fits] <= max_nodes)
        sum += count[fits++];
    free(count);
    return fits ? fits - 1 : 0;
}

struct packing {
    const struct cc_htg *h;
    const unsigned *depth;
    unsigned limit;
    struct cc_buf *out;
};

/* What a task counts outside the tasks that stay: with those that were left out, each as often as it ran. */
static void tail_counts(const struct packing *p, size_t node, uint64_t *ret)
{
    const struct cc_htg *h = p->h;
    for (size_t c = 0; c < h->ncounters; c++)
        ret[c] = cc_htg_tail_count(h, node, c);
    if (p->depth[node] < p->limit)
        return;
    CC_VEC(uint64_t) copies = {0}; /* of the subtrees around a node that is left out, below `node` */
    for (size_t i = node + 1; i < h->nodes[node].next; i++) {
        copies.n = p->depth[i] - p->limit - 1;
        uint64_t times = (copies.n ? copies.v[copies.n - 1] : 1) * h->nodes[i].repeat;
        CC_VEC_PUSH(&copies, times);
        for (size_t c = 0; c < h->ncounters; c++)
            ret[c] += times * (cc_htg_gap_count(h, i, c) + cc_htg_tail_count(h, i, c));
    }
    CC_VEC_FINI(&copies);
}

static void put_node(const struct packing *p, size_t node, size_t size)
{
    const struct cc_htg_node *n = &p->h->nodes[node];
    uint64_t tail[CC_TASKS_MAX_COUNTERS];
    put(p->out, n->gap);
    put(p->out, n->len);
    put(p->out, n->name);
    put(p->out, size);
    put(p->out, n->repeat);
    for (size_t c = 0; c < p->h->ncounters; c++)
        put(p->out, cc_htg_gap_count(p->h, node, c));
    tail_counts(p, node, tail);
    for (size_t c = 0; c < p->h->ncounters; c++)
        put(p->out, tail[c]);
}

/* Tasks that stay, with repeats: the run itself is none. */
static uint64_t tasks_kept(const struct packing *p)
{
    uint64_t sum = 0;
    CC_VEC(uint64_t) copies = {0};
    for (size_t i = 1; i < p->h->nnodes; i++) {
        if (p->depth[i] > p->limit)
            continue;
        copies.n = p->depth[i] - 1;
        uint64_t times = (copies.n ? copies.v[copies.n - 1] : 1) * p->h->nodes[i].repeat;
        CC_VEC_PUSH(&copies, times);
        sum += times;
    }
    CC_VEC_FINI(&copies);
    return sum;
}

static void put_nodes(const struct packing *p)
{
    const struct cc_htg *h = p->h;
    /* where each node that stays comes to lie: how many stay before it */
    size_t *before = cc_alloc_array(h->nnodes + 1, sizeof *before);
    for (size_t i = 0; i < h->nnodes; i++)
        before[i + 1] = before[i] + (p->depth[i] <= p->limit);
    put(p->out, before[h->nnodes]);
    for (size_t i = 0; i < h->nnodes; i++)
        if (p->depth[i] <= p->limit)
            put_node(p, i, before[h->nodes[i].next] - before[i]);
    free(before);
}

unsigned cc_htg_pack(const struct cc_htg *h, size_t max_nodes, struct cc_buf *out)
{
    CC_CLEANUP(cc_free_ptr) unsigned *depth = depths_of(h);
    bool whole = h->nnodes <= max_nodes;
    struct packing p = {h, depth, whole ? UINT_MAX : deepest(depth, h->nnodes, max_nodes), out};
    cc_buf_add(out, magic, sizeof magic - 1);
    put_str(out, h->clock);
    put_f64(out, h->ticks_per_second);
    put(out, whole ? h->tasks : tasks_kept(&p));
    put(out, h->nnames);
    for (size_t i = 0; i < h->nnames; i++)
        put_str(out, h->names[i]);
    put(out, h->ncounters);
    for (size_t i = 0; i < h->ncounters; i++)
        put_str(out, h->counters[i]);
    put(out, h->nburdens);
    for (size_t i = 0; i < h->nburdens; i++) {
        put(out, h->burdens[i].name);
        put(out, h->burdens[i].busy);
        put_f64(out, h->burdens[i].factor);
        put_f64(out, h->burdens[i].spread);
    }
    put_nodes(&p);
    return whole ? 0 : p.limit;
}

/* --- reading --- */

struct input {
    const unsigned char *at, *end;
    bool bad; /* something was not there, or not what it has to be */
};

static uint64_t take(struct input *in, uint64_t most)
{
    uint64_t v = 0;
    for (unsigned shift = 0; shift < 64 && in->at < in->end; shift += 7) {
        unsigned char byte = *in->at++;
        v |= (uint64_t)(byte & 0x7f) << shift;
        if (!(byte & 0x80)) {
            in->bad |= v > most;
            return v > most ? 0 : v;
        }
    }
    in->bad = true;
    return 0;
}

/* How many of something follow, each of at least one byte. */
static size_t take_count(struct input *in, uint64_t most)
{
    return (size_t)take(in, CC_MIN(most, (uint64_t)(in->end - in->at)));
}

static double take_f64(struct input *in)
{
    double v = 0;
    if ((size_t)(in->end - in->at) < sizeof v) {
        in->bad = true;
        return 0;
    }
    memcpy(&v, in->at, sizeof v);
    in->at += sizeof v;
    in->bad |= !isfinite(v) || v < 0;
    return in->bad ? 0 : v;
}

static const char *take_str(struct input *in, struct cc_arena *a)
{
    size_t n = take_count(in, CC_TASKS_MAX_NAME);
    n = CC_MIN(n, (size_t)(in->end - in->at));
    const char *s = cc_arena_strndup(a, (const char *)in->at, n);
    in->at += n;
    return s;
}

static const char **take_strs(struct input *in, struct cc_arena *a, size_t n, const char *last)
{
    const char **list = cc_arena_alloc(a, (n + 1) * sizeof *list);
    for (size_t i = 0; i < n; i++)
        list[i] = take_str(in, a);
    list[n] = last;
    return list;
}

static struct cc_tasks_burden *take_burdens(struct input *in, struct cc_arena *a, size_t n, size_t nnames)
{
    struct cc_tasks_burden *list = cc_arena_alloc(a, (n + 1) * sizeof *list);
    for (size_t i = 0; i < n; i++) {
        list[i].name = (uint32_t)take(in, nnames ? nnames - 1 : 0);
        list[i].busy = (unsigned)take(in, CC_TASKS_MAX_BUSY);
        list[i].factor = take_f64(in);
        list[i].spread = take_f64(in);
    }
    return list;
}

/* Children lie inside their parent, in the list and in time. */
static bool nested(const struct cc_htg_node *nodes, size_t n)
{
    struct around {
        size_t end;
        uint64_t left; /* ticks not yet taken by children */
    };
    CC_VEC(struct around) open = {0};
    bool ok = nodes[0].next == n;
    for (size_t i = 0; ok && i < n; i++) {
        while (open.n && open.v[open.n - 1].end <= i)
            open.n--;
        struct around *parent = open.n ? &open.v[open.n - 1] : NULL;
        uint64_t all;
        ok = nodes[i].next > i && nodes[i].next <= (parent ? parent->end : n) && (parent || i == 0) &&
             !__builtin_mul_overflow(nodes[i].gap + nodes[i].len, nodes[i].repeat, &all) &&
             (!parent || all <= parent->left);
        if (ok && parent)
            parent->left -= all;
        CC_VEC_PUSH(&open, (struct around){nodes[i].next, nodes[i].len});
    }
    CC_VEC_FINI(&open);
    return ok;
}

/* Nodes with `counts`, 2 x ncounters for each. */
static void take_nodes(struct input *in, size_t n, size_t nnames, size_t ncounters, struct cc_htg_node *nodes,
                       uint64_t *counts)
{
    const uint64_t long_ago = UINT64_C(1) << 62;
    for (size_t i = 0; i < n && !in->bad; i++) {
        nodes[i].gap = take(in, long_ago);
        nodes[i].len = take(in, long_ago);
        nodes[i].name = (uint32_t)take(in, i ? CC_MAX(nnames, (size_t)1) - 1 : nnames);
        nodes[i].next = (uint32_t)(i + take(in, n - i));
        nodes[i].repeat = (uint32_t)take(in, UINT32_MAX);
        in->bad |= nodes[i].repeat == 0 || (i && !nnames) || (!i && nodes[i].name != nnames);
        for (size_t c = 0; c < 2 * ncounters; c++)
            counts[2 * ncounters * i + c] = take(in, long_ago);
    }
    in->bad |= in->at != in->end;
}

static struct cc_htg *unpack(struct input *in)
{
    struct cc_arena a = {0};
    const char *clock = take_str(in, &a);
    double rate = take_f64(in);
    uint64_t tasks = take(in, UINT64_MAX);
    size_t nnames = take_count(in, CC_TASKS_MAX_NAMES);
    const char **names = take_strs(in, &a, nnames, "<run>");
    size_t ncounters = take_count(in, CC_TASKS_MAX_COUNTERS);
    const char **counters = take_strs(in, &a, ncounters, NULL);
    size_t nburdens = take_count(in, CC_TASKS_MAX_BURDENS);
    const struct cc_tasks_burden *burdens = take_burdens(in, &a, nburdens, nnames);
    size_t n = take_count(in, UINT32_MAX - 1);
    struct cc_htg_node *nodes = cc_alloc_array(n + 1, sizeof *nodes);
    uint64_t *counts = cc_alloc_array(n * 2 * ncounters + 1, sizeof *counts);
    take_nodes(in, n, nnames, ncounters, nodes, counts);
    struct cc_htg *h = NULL;
    if (!in->bad && n && nested(nodes, n)) {
        h = cc_htg_of_nodes(nodes, n, counts, ncounters);
        *cc_htg_arena(h) = a;
        h->path = "page";
        h->clock = clock;
        h->ticks_per_second = rate;
        h->tasks = tasks;
        h->names = names;
        h->nnames = nnames;
        h->counters = counters;
        h->burdens = burdens;
        h->nburdens = nburdens;
    } else {
        cc_arena_fini(&a);
    }
    free(nodes);
    free(counts);
    return h;
}

int cc_htg_unpack(const void *bytes, size_t n, struct cc_htg **ret, struct cc_err *err)
{
    struct input in = {bytes, (const unsigned char *)bytes + n, false};
    size_t head = sizeof magic - 1;
    bool known = n >= head && memcmp(bytes, magic, head) == 0;
    in.at += known ? head : 0;
    *ret = known ? unpack(&in) : NULL;
    return *ret ? 0 : cc_err_set(err, CC_EINPUT, "these bytes are no task graph");
}
