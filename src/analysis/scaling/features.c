#include "internal.h"

/* Beyond this, data are counted in larger blocks: memory stays bounded however large the program's data are.
 */
enum { MAX_ADDRESSES = 2 << 20 };

static struct feature *feature_at(struct features *f, uint64_t addr, unsigned class)
{
    uint64_t key = class == CC_SCALING_WAIT ? addr : addr >> f->shift;
    bool fresh;
    uint64_t *at = cc_map_put(&f->index[class], key, &fresh);
    if (fresh) {
        CC_VEC_PUSH(&f->all, (struct feature){.addr = class == CC_SCALING_WAIT ? addr : key << f->shift,
                                              .class = (uint8_t) class});
        *at = f->all.n;
    }
    return &f->all.v[*at - 1];
}

static void coarsen(struct features *f)
{
    struct features old = *f;
    memset(&f->all, 0, sizeof f->all);
    memset(f->index, 0, sizeof f->index);
    f->shift++;
    for (size_t i = 0; i < old.all.n; i++) {
        struct feature *to = feature_at(f, old.all.v[i].addr, old.all.v[i].class);
        if (old.all.v[i].votes > to->votes) {
            to->votes = old.all.v[i].votes;
            to->pc = old.all.v[i].pc;
        }
        to->latency += old.all.v[i].latency;
        to->accesses += old.all.v[i].accesses;
    }
    scaling_features_fini(&old);
}

/* A majority, if there is one, outlives all others. */
static void vote(struct feature *f, uint64_t pc)
{
    if (!f->votes)
        f->pc = pc;
    if (f->pc != pc)
        f->votes--;
    else if (f->votes < UINT32_MAX)
        f->votes++;
}

void scaling_features_read(struct features *f, struct cc_trace_reader *trace)
{
    struct cc_trace_event e;
    cc_trace_select(trace, NULL);
    f->first = UINT64_MAX;
    while (cc_trace_next(trace, &e)) {
        bool wait = e.kind == CC_TRACE_WAIT;
        if (e.kind == CC_TRACE_IDLE)
            continue;
        unsigned class = wait                       ? CC_SCALING_WAIT
                         : e.kind == CC_TRACE_FETCH ? CC_SCALING_CODE
                                                    : CC_SCALING_DATA;
        struct feature *x = feature_at(f, wait ? e.pc : e.addr, class);
        x->latency += e.latency;
        x->accesses++;
        vote(x, e.pc);
        f->latency += e.latency;
        f->accesses++;
        f->first = CC_MIN(f->first, e.cycle);
        f->last = CC_MAX(f->last, e.cycle);
        while (f->all.n > MAX_ADDRESSES && f->shift < 63)
            coarsen(f);
    }
}

void scaling_features_tell(struct features *f, const struct cc_ranks *ranks, unsigned from)
{
    struct {
        uint64_t shift, latency, accesses, last, first;
    } head = {f->shift, f->latency, f->accesses, f->last, f->first};
    size_t size = sizeof head, bytes = f->all.n * sizeof *f->all.v;
    CC_CLEANUP(cc_free_ptr) void *told = cc_ranks_tell(ranks, from, &head, &size);
    CC_CLEANUP(cc_free_ptr) char *all = cc_ranks_tell(ranks, from, f->all.v, &bytes);
    if (cc_ranks_own(ranks) == from)
        return;
    memcpy(&head, told, sizeof head);
    f->shift = (unsigned)head.shift;
    f->latency = head.latency;
    f->accesses = head.accesses;
    f->last = head.last;
    f->first = head.first;
    for (size_t i = 0; i < bytes; i += sizeof *f->all.v) {
        struct feature one;
        memcpy(&one, all + i, sizeof one);
        CC_VEC_PUSH(&f->all, one);
    }
}

void scaling_features_fini(struct features *f)
{
    CC_VEC_FINI(&f->all);
    for (int i = 0; i < 3; i++)
        cc_map_fini(&f->index[i]);
}

static size_t extreme(const double *x, const double *y, size_t n, double sign)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (sign * (x[i] + y[i]) > sign * (x[best] + y[best]))
            best = i;
    return best;
}

size_t cc_scaling_cluster(const double *x, const double *y, size_t n, bool *hot, double c[static 4])
{
    enum { MOST_ROUNDS = 200 };
    memset(c, 0, 4 * sizeof *c);
    memset(hot, 0, n * sizeof *hot);
    if (!n)
        return 0;
    size_t low = extreme(x, y, n, -1), high = extreme(x, y, n, 1), nhot = 0;
    c[0] = x[low];
    c[1] = y[low];
    c[2] = x[high];
    c[3] = y[high];
    if (c[0] == c[2] && c[1] == c[3])
        return 0;
    for (int round = 0; round < MOST_ROUNDS; round++) {
        double sum[4] = {0};
        bool moved = round == 0;
        nhot = 0;
        for (size_t i = 0; i < n; i++) {
            double cold = (x[i] - c[0]) * (x[i] - c[0]) + (y[i] - c[1]) * (y[i] - c[1]);
            double warm = (x[i] - c[2]) * (x[i] - c[2]) + (y[i] - c[3]) * (y[i] - c[3]);
            bool is_hot = warm < cold;
            moved |= is_hot != hot[i];
            hot[i] = is_hot;
            nhot += is_hot;
            sum[2 * is_hot] += x[i];
            sum[2 * is_hot + 1] += y[i];
        }
        if (nhot == 0 || nhot == n)
            return nhot;
        c[0] = sum[0] / (double)(n - nhot);
        c[1] = sum[1] / (double)(n - nhot);
        c[2] = sum[2] / (double)nhot;
        c[3] = sum[3] / (double)nhot;
        if (!moved)
            break;
    }
    if (c[2] - c[0] + c[3] - c[1] > 0)
        return nhot;
    for (size_t i = 0; i < n; i++) /* the clusters changed places on the way */
        hot[i] = !hot[i];
    double swap[4] = {c[2], c[3], c[0], c[1]};
    memcpy(c, swap, sizeof swap);
    return n - nhot;
}
