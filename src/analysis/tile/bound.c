/* A lower bound of the time of a tiling: what each resource needs at the very least. Sound for the simulated
 * pipeline (and so for corrected.c), not for the published closed form. */
#include "tile.h"

#include <math.h>

struct floors {
    double read, write, load, longest, overhead;
};

/* The work of processor q in a round-robin deal (tile k goes to processor k mod p), after its wait for the
 * first reads of the processors before it. */
static double load_of(const struct cc_tile_problem *p, const struct cc_tiling *t, const int64_t *from,
                      int64_t q, double read_share)
{
    double load = (double)CC_MIN(q, t->k[0].n) * t->k[0].r;
    if (read_share == 0) /* two buffers: beside its computing only its first read is sure to count */
        load += q < t->k[0].n ? t->k[0].r : 0;
    for (int i = 0; i < CC_TILE_CLASSES; i++) {
        if (t->k[i].n == 0)
            continue;
        int64_t first = q - from[i] % p->cores;
        first = from[i] + (first < 0 ? first + p->cores : first);
        int64_t n = first < from[i + 1] ? (from[i + 1] - 1 - first) / p->cores + 1 : 0;
        load += (double)n * (t->k[i].c + read_share * t->k[i].r + p->op_sched);
    }
    return load;
}

/* The load changes only where a class starts or ends: those processors are looked at. */
static double busiest(const struct cc_tile_problem *p, const struct cc_tiling *t, double read_share)
{
    int64_t from[CC_TILE_CLASSES + 1] = {0};
    for (int i = 0; i < CC_TILE_CLASSES; i++)
        from[i + 1] = from[i] + t->k[i].n;
    double most = load_of(p, t, from, CC_MIN(p->cores, t->tiles) - 1, read_share);
    for (int j = 0; j < CC_TILE_CLASSES; j++) {
        if (t->k[j].n == 0)
            continue;
        most = fmax(most, load_of(p, t, from, from[j] % p->cores, read_share));
        most = fmax(most, load_of(p, t, from, (from[j + 1] - 1) % p->cores, read_share));
    }
    return most;
}

/* The sums come first, the busiest processor, which costs more, only if they do not reach `enough`. */
static void compute_floors(const struct cc_tile_problem *p, const struct cc_tiling *t, double enough,
                           struct floors *f)
{
    double reads = 0, writes = 0, work = 0, least_w = INFINITY, least_cw = INFINITY, least_rc = INFINITY;
    double read_share = p->double_buffer ? 0 : 1; /* a single buffer: the processor waits for its own reads */
    *f = (struct floors){0};
    for (int i = 0; i < CC_TILE_CLASSES; i++) {
        const struct cc_tile_class *k = &t->k[i];
        if (k->n == 0)
            continue;
        double n = (double)k->n;
        reads += n * k->r;
        writes += n * k->w;
        work += n * (k->c + read_share * k->r + p->op_sched);
        least_w = fmin(least_w, k->w);
        least_cw = fmin(least_cw, k->c + k->w);
        least_rc = fmin(least_rc, k->r + k->c);
        f->longest = fmax(f->longest, p->op_sched + k->r + k->c + k->w);
        /* Of the classes so far: whichever tile is read last still has to be worked on and written, and
         * nothing is written before one has been read and worked on. */
        f->read = fmax(f->read, p->op_sched + reads + least_cw);
        f->write = fmax(f->write, p->op_sched + writes + least_rc);
    }
    f->load = work / (double)p->cores + least_w;
    f->overhead = p->dynamic ? p->op_sched * (double)t->tiles + least_rc + least_w : 0;
    if (!p->dynamic && fmax(fmax(f->read, f->write), fmax(f->load, f->longest)) <= enough)
        f->load = fmax(f->load, busiest(p, t, read_share) + least_w);
}

double cc_tile_bound(const struct cc_tile_problem *p, const struct cc_tiling *t, double enough)
{
    struct floors f;
    double fixed = p->op_open + p->op_close;
    compute_floors(p, t, enough - fixed, &f);
    return fmax(fmax(fmax(f.read, f.write), fmax(f.load, f.longest)), f.overhead) + fixed;
}

const char *cc_tile_bound_name(const struct cc_tile_problem *p, const struct cc_tiling *t)
{
    struct floors f;
    compute_floors(p, t, INFINITY, &f);
    double fixed = p->op_open + p->op_close, most = fmax(fmax(f.read, f.write), fmax(f.load, f.longest));
    double sched = p->op_sched * (double)t->tiles / (double)CC_MIN(p->cores, t->tiles);
    if (fixed + fmax(f.overhead, sched) > 0.5 * (most + fixed))
        return "overhead";
    if (fmax(f.load, f.longest) >= fmax(f.read, f.write))
        return "compute";
    return f.read >= f.write ? "read" : "write";
}
