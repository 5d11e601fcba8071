/* The published closed form (Tilana), with its quirks: see the README for where it is off and by how much. */
#include "tile.h"

#include <math.h>

static double ramp(double v)
{
    return v > 0 ? v : 0;
}

double cc_tile_closed(const struct cc_tile_problem *p, const struct cc_tiling *t)
{
    double end[CC_TILE_CLASSES] = {0}, gap[CC_TILE_CLASSES] = {0}, next_max = 0;
    int64_t sum = 0, off_before = 0; /* gap_off of the class before */
    for (int i = 0; i < CC_TILE_CLASSES; i++) {
        const struct cc_tile_class *k = &t->k[i];
        double end_before = i ? end[i - 1] : 0;
        if (k->n == 0) {
            end[i] = end_before;
            off_before = sum % p->cores;
            continue;
        }
        double ii = fmax(k->r, k->w) + p->op_sched, ts = k->r + k->c + k->w + p->op_sched;
        /* With two buffers a processor's own read no longer adds to its round. */
        gap[i] = ramp(k->c - ii * (double)(p->double_buffer ? p->cores : p->cores - 1));
        int64_t gaps = (k->n - 1 + off_before) / p->cores;
        double exe = ts + (double)(k->n - 1) * ii + (double)gaps * gap[i];
        double start = i ? fmax(end_before - (k->r + k->c), next_max) : 0;
        end[i] = start + exe;
        sum += k->n;
        /* As printed, the offset of the first class is 0 whatever is left over; the text around it speaks of
         * the processor where the next class begins. */
        int64_t off = p->literal && i == 0 ? 0 : sum % p->cores;
        next_max = fmax(next_max, end[i] - k->c - k->w + (off == 0 ? gap[i] : 0));
        off_before = off;
    }
    return end[CC_TILE_CLASSES - 1] + p->op_open + p->op_close;
}
