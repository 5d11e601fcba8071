/* When what was lost, in a fixed number of bins whose length doubles as the run gets longer. */
#include "watch.h"

static void lengthen(struct cc_watch *w)
{
    struct cc_map longer = {0};
    for (size_t i = 0; i < w->by_time.cap; i++)
        if (w->by_time.used[i]) {
            uint64_t key = w->by_time.keys[i], bin = key & 255;
            *cc_map_put(&longer, (key & ~(uint64_t)255) | bin / 2, NULL) += w->by_time.values[i];
        }
    cc_map_fini(&w->by_time);
    w->by_time = longer;
    w->bin_cycles *= 2;
}

/* In equal parts over the time it took. */
void contention_times_add(struct cc_watch *w, size_t loss, uint64_t from, uint64_t to, uint64_t cycles)
{
    while (to / w->bin_cycles >= WATCH_BINS)
        lengthen(w);
    uint64_t first = from / w->bin_cycles, last = to / w->bin_cycles, done = 0;
    for (uint64_t bin = first; bin <= last; bin++) {
        uint64_t end = CC_MIN((bin + 1) * w->bin_cycles, to);
        uint64_t upto =
            bin == last ? cycles : (uint64_t)((double)cycles * (double)(end - from) / (double)(to - from));
        upto = CC_MIN(CC_MAX(upto, done), cycles);
        if (upto > done)
            *cc_map_put(&w->by_time, (uint64_t)loss << 8 | bin, NULL) += upto - done;
        done = upto;
    }
}

void contention_times_take(struct cc_watch *w, size_t loss, uint64_t cycles)
{
    uint64_t last = CC_MIN(w->last / w->bin_cycles + 1, (uint64_t)WATCH_BINS);
    for (uint64_t bin = last; bin-- > 0 && cycles;) {
        uint64_t *at = cc_map_get(&w->by_time, (uint64_t)loss << 8 | bin);
        uint64_t part = at ? CC_MIN(*at, cycles) : 0;
        if (at)
            *at -= part;
        cycles -= part;
    }
}
