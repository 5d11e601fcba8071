#include "front.h"

struct ranked {
    double cost, time;
    size_t at;
};

static int by_cost(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->cost != y->cost)
        return x->cost < y->cost ? -1 : 1;
    if (x->time != y->time)
        return x->time < y->time ? -1 : 1;
    return x->at < y->at ? -1 : 1;
}

void cc_front(struct cc_front_point *v, size_t n)
{
    struct ranked *order = cc_alloc_array(n + 1, sizeof *order);
    size_t known = 0;
    for (size_t i = 0; i < n; i++) {
        v[i].front = false;
        if (v[i].cost == v[i].cost && v[i].time == v[i].time)
            order[known++] = (struct ranked){v[i].cost, v[i].time, i};
    }
    if (known)
        qsort(order, known, sizeof *order, by_cost);
    for (size_t i = 0, last = known; i < known; i++)
        if (last == known || order[i].time < order[last].time) {
            v[order[i].at].front = true;
            last = i;
        }
    free(order);
}

size_t cc_front_reach(const struct cc_front_point *v, size_t n, double time)
{
    size_t best = n;
    for (size_t i = 0; i < n; i++) {
        if (!(v[i].time <= time) || v[i].cost != v[i].cost)
            continue;
        if (best == n || v[i].cost < v[best].cost || (v[i].cost == v[best].cost && v[i].time < v[best].time))
            best = i;
    }
    return best;
}
