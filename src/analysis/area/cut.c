#include "cut.h"

#include <math.h>

enum { USUAL_MOST = 1000000 };

enum side { SOFTWARE, EITHER, HARDWARE };

struct search {
    const struct cc_cut_problem *p;
    uint32_t *order; /* kernels, those with most time first */
    uint8_t *side;   /* of each node */
    uint64_t most;
    struct cc_cut best;
    bool cut_short;
};

static double taken(const struct cc_cut_problem *p, double time)
{
    return isinf(p->gain) ? 0 : time / p->gain;
}

/* Of a place in hardware, or of one that may be: then no more than any choice makes it. What a kernel calls
 * is in the time of its own call. */
static double hardware_time(const struct cc_cut_problem *p, size_t node, const uint8_t *side)
{
    const struct cc_cut_node *n = &p->nodes[node];
    if (!p->kernel_seconds)
        return taken(p, n->time);
    if (side[n->parent] != SOFTWARE)
        return 0;
    double time = n->calls * p->kernel_seconds[n->kernel];
    return side[node] == EITHER ? fmin(time, n->time) : time;
}

/* Least seconds of all sets that hold `in` and nothing outside `in` and `open`; the seconds if nothing is
 * open. */
static double least_time(const struct cc_cut_problem *p, uint64_t in, uint64_t open, uint8_t *side)
{
    double sum = 0;
    for (size_t i = 0; i < p->nnodes; i++) {
        const struct cc_cut_node *n = &p->nodes[i];
        uint64_t bit = UINT64_C(1) << n->kernel;
        side[i] = SOFTWARE;
        if (i > 0)
            side[i] = in & bit                                      ? HARDWARE
                      : (open & bit) && side[n->parent] != HARDWARE ? EITHER
                                                                    : side[n->parent];
        sum += side[i] == SOFTWARE ? n->time : hardware_time(p, i, side);
        if (i > 0 && side[i] == HARDWARE && side[n->parent] == SOFTWARE)
            sum += n->calls * p->call_seconds;
    }
    for (size_t i = 0; i < p->nedges; i++) {
        const struct cc_cut_edge *e = &p->edges[i];
        if (side[e->from] + side[e->to] == SOFTWARE + HARDWARE && side[e->from] != side[e->to])
            sum += e->bytes * p->byte_seconds;
    }
    return sum;
}

double cc_cut_time(const struct cc_cut_problem *p, uint64_t set)
{
    uint8_t *side = cc_alloc_array(p->nnodes + 1, sizeof *side);
    double time = least_time(p, set, 0, side);
    free(side);
    return time;
}

double cc_cut_calls(const struct cc_cut_problem *p, uint64_t set, uint32_t kernel)
{
    uint8_t *side = cc_alloc_array(p->nnodes + 1, sizeof *side);
    double calls = 0;
    least_time(p, set, 0, side);
    for (size_t i = 1; i < p->nnodes; i++)
        if (side[i] == HARDWARE && side[p->nodes[i].parent] == SOFTWARE && p->nodes[i].kernel == kernel)
            calls += p->nodes[i].calls;
    free(side);
    return calls;
}

bool cc_cut_fits(const struct cc_cut_problem *p, uint64_t set)
{
    for (size_t m = 0; m < p->nmeasures; m++) {
        double sum = 0;
        for (size_t k = 0; k < p->nkernels; k++)
            if (set >> k & 1)
                sum += p->area[k * p->nmeasures + m];
        if (sum > p->budget[m])
            return false;
    }
    return true;
}

/* Kernels from the at-th on that would fit beside those in the set, each alone. */
static uint64_t still_open(const struct search *s, size_t at, uint64_t in)
{
    uint64_t open = 0;
    for (size_t i = at; i < s->p->nkernels; i++) {
        uint64_t bit = UINT64_C(1) << s->order[i];
        if (cc_cut_fits(s->p, in | bit))
            open |= bit;
    }
    return open;
}

static void branch(struct search *s, size_t at, uint64_t in)
{
    if (s->best.judged++ >= s->most) {
        s->cut_short = true;
        return;
    }
    double time = least_time(s->p, in, 0, s->side);
    if (time < s->best.time) {
        s->best.set = in;
        s->best.time = time;
    }
    uint64_t open = still_open(s, at, in);
    while (at < s->p->nkernels && !(open >> s->order[at] & 1))
        at++;
    if (at == s->p->nkernels || least_time(s->p, in, open, s->side) >= s->best.time)
        return;
    branch(s, at + 1, in | UINT64_C(1) << s->order[at]);
    branch(s, at + 1, in);
}

static void order_kernels(struct search *s)
{
    double *time = cc_alloc_array(s->p->nkernels + 1, sizeof *time);
    for (size_t i = 1; i < s->p->nnodes; i++)
        time[s->p->nodes[i].kernel] += s->p->nodes[i].time;
    for (size_t k = 0; k < s->p->nkernels; k++) {
        size_t at = k;
        for (; at > 0 && time[s->order[at - 1]] < time[k]; at--)
            s->order[at] = s->order[at - 1];
        s->order[at] = (uint32_t)k;
    }
    free(time);
}

struct cc_cut cc_cut_solve(const struct cc_cut_problem *p, uint64_t most)
{
    struct search s = {.p = p, .most = most ? most : USUAL_MOST};
    s.order = cc_alloc_array(p->nkernels + 1, sizeof *s.order);
    s.side = cc_alloc_array(p->nnodes + 1, sizeof *s.side);
    s.best.time = least_time(p, 0, 0, s.side);
    order_kernels(&s);
    branch(&s, 0, 0);
    /* a kernel that brings nothing is not made */
    for (size_t k = 0; k < p->nkernels; k++) {
        uint64_t without = s.best.set & ~(UINT64_C(1) << k);
        if (without != s.best.set && least_time(p, without, 0, s.side) <= s.best.time)
            s.best.set = without;
    }
    free(s.order);
    free(s.side);
    s.best.proven = !s.cut_short;
    return s.best;
}
