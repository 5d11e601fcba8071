#include "analysis/htg/build.h"
#include "analysis/htg/pack.h"
#include "base/rng.h"
#include "tap.h"

static struct cc_err err;

static struct cc_htg *parse(const char *csv)
{
    struct cc_htg *h = NULL;
    err = (struct cc_err){0};
    cc_htg_parse_csv("t.csv", csv, strlen(csv), &(struct cc_htg_options){.any_thread = true}, &h, &err);
    return h;
}

static struct cc_htg *again(const struct cc_htg *h, size_t max, unsigned *ret_depth)
{
    struct cc_buf b = {0};
    struct cc_htg *out = NULL;
    *ret_depth = cc_htg_pack(h, max, &b);
    cc_htg_unpack(b.s, b.n, &out, &err);
    cc_buf_fini(&b);
    return out;
}

static bool same_node(const struct cc_htg *a, const struct cc_htg *b, size_t i)
{
    const struct cc_htg_node *x = &a->nodes[i], *y = &b->nodes[i];
    bool same = x->gap == y->gap && x->len == y->len && x->name == y->name && x->next == y->next &&
                x->repeat == y->repeat;
    for (size_t c = 0; same && c < a->ncounters; c++)
        same = cc_htg_gap_count(a, i, c) == cc_htg_gap_count(b, i, c) &&
               cc_htg_tail_count(a, i, c) == cc_htg_tail_count(b, i, c);
    return same;
}

static bool same(const struct cc_htg *a, const struct cc_htg *b)
{
    bool same = b && a->nnodes == b->nnodes && a->tasks == b->tasks && a->nnames == b->nnames &&
                a->ncounters == b->ncounters && strcmp(a->clock, b->clock) == 0 &&
                memcmp(&a->ticks_per_second, &b->ticks_per_second, sizeof a->ticks_per_second) == 0;
    for (size_t i = 0; same && i <= a->nnames; i++)
        same = strcmp(a->names[i], b->names[i]) == 0;
    for (size_t i = 0; same && i < a->ncounters; i++)
        same = strcmp(a->counters[i], b->counters[i]) == 0;
    for (size_t i = 0; same && i < a->nnodes; i++)
        same = same_node(a, b, i);
    return same;
}

/* A random tree of tasks with two counters, one of them beyond 32 bits. */
static struct cc_htg *random_graph(struct cc_rng *r)
{
    struct cc_htg_builder *b = cc_htg_builder_new("x", 2, 0);
    uint64_t t = 0, counts[2] = {0, 0};
    unsigned open = 0;
    for (unsigned i = 0, n = 1 + (unsigned)cc_rng_below(r, 200); i < n; i++) {
        t += cc_rng_below(r, 3);
        counts[0] += cc_rng_below(r, 2);
        counts[1] += cc_rng_below(r, 8) ? 0 : UINT64_C(1) << 33;
        if (open && cc_rng_below(r, 2)) {
            cc_htg_builder_end(b, t, counts);
            open--;
        } else {
            cc_htg_builder_begin(b, (uint32_t)cc_rng_below(r, 3), t, counts, &err);
            open++;
        }
    }
    while (open--)
        cc_htg_builder_end(b, t, counts);
    struct cc_htg *h = cc_htg_builder_finish(b, t + 5);
    cc_htg_builder_free(b);
    static const char *names[] = {"a", "b \n\xff", "", "<run>"}, *counters[] = {"l2.read", "l2.write"};
    h->names = names;
    h->nnames = 3;
    h->nodes[0].name = 3;
    h->counters = counters;
    h->clock = "cycles";
    h->ticks_per_second = 1e9 / 3;
    return h;
}

/* All of a counter, each piece as often as it ran. */
static uint64_t total(const struct cc_htg *h, size_t node, size_t c)
{
    uint64_t sum = cc_htg_tail_count(h, node, c);
    for (size_t i = node + 1; i < h->nodes[node].next; i = h->nodes[i].next)
        sum += h->nodes[i].repeat * (cc_htg_gap_count(h, i, c) + total(h, i, c));
    return sum;
}

static size_t depth_of(const struct cc_htg *h, size_t node)
{
    size_t most = 0;
    for (size_t i = node + 1; i < h->nodes[node].next; i = h->nodes[i].next)
        most = CC_MAX(most, 1 + depth_of(h, i));
    return most;
}

static void round_trips(void)
{
    struct cc_rng r = {.state = 7};
    size_t wrong = 0, kept = 0, deep = 0, lost = 0;
    for (int i = 0; i < 300; i++) {
        struct cc_htg *h = random_graph(&r);
        unsigned depth;
        struct cc_htg *copy = again(h, SIZE_MAX, &depth);
        wrong += !same(h, copy) || depth != 0;
        cc_htg_free(copy);
        size_t max = 1 + cc_rng_below(&r, 40);
        copy = again(h, max, &depth);
        if (h->nnodes > max) {
            kept++;
            lost += !copy || copy->nnodes > max || copy->nodes[0].len != h->nodes[0].len ||
                    total(copy, 0, 0) != total(h, 0, 0) || total(copy, 0, 1) != total(h, 0, 1);
            deep += copy && depth_of(copy, 0) != depth;
        }
        cc_htg_free(copy);
        cc_htg_free(h);
    }
    OK_U64(wrong, 0, "300 random graphs come back as they were");
    OK(kept > 50 && lost == 0, "%zu that were too large keep their time and their counts", kept);
    OK_U64(deep, 0, "down to the depth that is told");
}

static void damage(void)
{
    struct cc_htg *h = parse("name,start,end,thread,l2.read\nmain,0,900,0,50\nrow,10,100,0,5\nrow,110,200,0,"
                             "5\nrow,210,300,0,6\nx,220,230,0,1\n");
    struct cc_buf b = {0};
    cc_htg_pack(h, SIZE_MAX, &b);
    size_t taken = 0, tried = 0;
    for (size_t i = 0; i < b.n; i++) {
        struct cc_htg *out = NULL;
        taken += cc_htg_unpack(b.s, i, &out, &err) == 0;
        cc_htg_free(out);
        for (unsigned bit = 0; bit < 8; bit++, tried++) {
            b.s[i] ^= (char)(1 << bit);
            out = NULL;
            if (cc_htg_unpack(b.s, b.n, &out, &err) == 0) /* another graph, and a sound one */
                taken += total(out, 0, 0) > UINT64_MAX / 2 || out->nodes[0].next != out->nnodes;
            cc_htg_free(out);
            b.s[i] ^= (char)(1 << bit);
        }
    }
    OK_U64(taken, 0, "%zu damaged graphs are refused, or sound", tried);
    cc_buf_fini(&b);
    cc_htg_free(h);
}

int main(void)
{
    round_trips();
    damage();
    return TAP_DONE();
}
