#include "pipeline.h"

#include <math.h>

struct line { /* the pipeline while it runs */
    const struct cc_pipeline_problem *p;
    uint32_t cuts;
    unsigned stages;
    unsigned stage[CC_PIPELINE_ITEMS]; /* of an item */
    size_t depth;                      /* frames that are remembered */
    double *done;                      /* of the last frames, each item: when it was */
    double *begun;                     /* of the last frames, each stage */
    double end[CC_PIPELINE_ITEMS];     /* of each stage */
};

static double *row(double *v, const struct line *x, size_t frame)
{
    return v + frame % x->depth * CC_PIPELINE_ITEMS;
}

/* When an item may begin, for those it waits for. */
static double waits_until(const struct line *x, size_t frame, uint32_t item)
{
    double at = 0;
    for (size_t i = 0; i < x->p->nwaits; i++) {
        const struct cc_pipeline_wait *w = &x->p->waits[i];
        if (w->to == item && frame >= w->frames && x->stage[w->from] != x->stage[item])
            at = fmax(at, row(x->done, x, frame - w->frames)[w->from]);
    }
    return at;
}

/* One stage does one frame. */
static void run_stage(struct line *x, size_t frame, unsigned s, double *busy)
{
    const struct cc_pipeline_problem *p = x->p;
    double *done = row(x->done, x, frame), now = x->end[s];
    size_t first = 0, end = p->nitems;
    for (size_t i = 0; i < p->nitems; i++) {
        first += x->stage[i] < s;
        end -= x->stage[i] > s;
    }
    double took = (s > 0) * p->hand_over + (s + 1 < x->stages) * p->hand_over;
    if (s > 0) /* it is given the frame, */
        now = fmax(now, x->end[s - 1]);
    if (s + 1 < x->stages && frame >= p->buffers) /* and has room for its own */
        now = fmax(now, row(x->begun, x, frame - p->buffers)[s + 1]);
    row(x->begun, x, frame)[s] = now;
    now += (s > 0) * p->hand_over;
    for (size_t i = first; i < end; i++) {
        now = fmax(now, waits_until(x, frame, (uint32_t)i)) + p->times[frame * p->nitems + i];
        took += p->times[frame * p->nitems + i];
        done[i] = now;
    }
    x->end[s] = now + (s + 1 < x->stages) * p->hand_over;
    if (busy)
        busy[s] += took;
}

static size_t most_behind(const struct cc_pipeline_problem *p)
{
    size_t depth = p->buffers;
    for (size_t i = 0; i < p->nwaits; i++)
        depth = CC_MAX(depth, (size_t)p->waits[i].frames);
    return depth + 1;
}

double cc_pipeline_time(const struct cc_pipeline_problem *p, uint32_t cuts, double *busy)
{
    struct line x = {.p = p, .cuts = cuts, .stages = cc_pipeline_stages(cuts), .depth = most_behind(p)};
    for (size_t i = 1; i < p->nitems; i++)
        x.stage[i] = x.stage[i - 1] + (cuts >> (i - 1) & 1);
    x.done = cc_alloc_array(x.depth * CC_PIPELINE_ITEMS, sizeof *x.done);
    x.begun = cc_alloc_array(x.depth * CC_PIPELINE_ITEMS, sizeof *x.begun);
    for (unsigned s = 0; busy && s < x.stages; s++)
        busy[s] = 0;
    for (size_t f = 0; f < p->nframes; f++)
        for (unsigned s = 0; s < x.stages; s++)
            run_stage(&x, f, s, busy);
    free(x.done);
    free(x.begun);
    return x.end[x.stages - 1];
}

uint32_t cc_pipeline_best(const struct cc_pipeline_problem *p, unsigned stages)
{
    uint32_t best = 0;
    double least = cc_pipeline_time(p, 0, NULL);
    for (uint32_t cuts = 1; cuts < UINT32_C(1) << (p->nitems - 1); cuts++) {
        if (cc_pipeline_stages(cuts) > stages)
            continue;
        double time = cc_pipeline_time(p, cuts, NULL);
        bool fewer = cc_pipeline_stages(cuts) < cc_pipeline_stages(best);
        if (time < least * (1 - 1e-9) || (time <= least * (1 + 1e-9) && fewer)) {
            best = cuts;
            least = time;
        }
    }
    return best;
}
