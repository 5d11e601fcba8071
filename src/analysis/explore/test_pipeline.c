/* Closed forms, and a plain simulation in steps of time on random pipelines. */
#include "pipeline.h"
#include "../../base/rng.h"
#include "../../../tests/tap.h"

#include <math.h>

enum { ITEMS = 5, FRAMES = 9 };

struct random {
    double times[FRAMES * ITEMS];
    struct cc_pipeline_wait waits[3];
    struct cc_pipeline_problem p;
};

static void draw(struct random *x, struct cc_rng *r)
{
    x->p = (struct cc_pipeline_problem){.nitems = 2 + cc_rng_below(r, ITEMS - 1),
                                        .nframes = 1 + cc_rng_below(r, FRAMES),
                                        .times = x->times,
                                        .waits = x->waits,
                                        .nwaits = cc_rng_below(r, 3),
                                        .hand_over = (double)cc_rng_below(r, 2),
                                        .buffers = 1 + (unsigned)cc_rng_below(r, 3)};
    for (size_t i = 0; i < FRAMES * ITEMS; i++)
        x->times[i] = 1 + (double)cc_rng_below(r, 7);
    for (size_t i = 0; i < x->p.nwaits; i++) {
        uint32_t to = (uint32_t)cc_rng_below(r, (unsigned)x->p.nitems - 1);
        x->waits[i] =
            (struct cc_pipeline_wait){to + 1 + (uint32_t)cc_rng_below(r, (unsigned)x->p.nitems - to - 1), to,
                                      1 + (uint32_t)cc_rng_below(r, 2)};
    }
}

/* Tick by tick: each stage is a process that takes, works through its items, gives. */
struct process {
    size_t frame, item; /* what it is at; item nitems: giving; from first on: working */
    double left;
    bool taking, working;
};

struct world {
    const struct cc_pipeline_problem *p;
    unsigned stages, stage[ITEMS];
    size_t first[ITEMS + 1];
    struct process v[ITEMS];
    size_t given[ITEMS], taken[ITEMS]; /* frames that a stage gave, began */
    size_t done[ITEMS];                /* frames that an item was done of */
};

static bool may_work(const struct world *w, size_t item, size_t frame)
{
    for (size_t i = 0; i < w->p->nwaits; i++) {
        const struct cc_pipeline_wait *x = &w->p->waits[i];
        if (x->to == item && frame >= x->frames && w->stage[x->from] != w->stage[item] &&
            w->done[x->from] < frame - x->frames + 1)
            return false;
    }
    return true;
}

/* Everything that can happen now without time passing; whether something did. */
static bool settle(struct world *w, unsigned s)
{
    struct process *x = &w->v[s];
    const struct cc_pipeline_problem *p = w->p;
    if (x->frame >= p->nframes || x->left > 0)
        return false;
    if (!x->taking) {
        bool has = s == 0 || w->given[s - 1] > x->frame;
        bool room = s + 1 == w->stages || x->frame < p->buffers || w->taken[s + 1] > x->frame - p->buffers;
        if (!has || !room)
            return false;
        x->taking = true;
        w->taken[s]++;
        x->item = w->first[s];
        x->left = s ? p->hand_over : 0;
        return true;
    }
    if (x->working) {
        w->done[x->item]++;
        x->item++;
        x->working = false;
        if (x->item == w->first[s + 1])
            x->left = s + 1 < w->stages ? p->hand_over : 0;
        return true;
    }
    if (x->item == w->first[s + 1]) {
        w->given[s]++;
        *x = (struct process){.frame = x->frame + 1};
        return true;
    }
    if (!may_work(w, x->item, x->frame))
        return false;
    x->working = true;
    x->left = p->times[x->frame * p->nitems + x->item];
    return true;
}

static double simulate(const struct cc_pipeline_problem *p, uint32_t cuts)
{
    struct world w = {.p = p, .stages = cc_pipeline_stages(cuts)};
    for (size_t i = 1; i < p->nitems; i++) {
        w.stage[i] = w.stage[i - 1] + (cuts >> (i - 1) & 1);
        if (w.stage[i] != w.stage[i - 1])
            w.first[w.stage[i]] = i;
    }
    w.first[w.stages] = p->nitems;
    for (double now = 0;; now++) {
        for (bool moved = true; moved;) {
            moved = false;
            for (unsigned s = 0; s < w.stages; s++)
                moved = settle(&w, s) || moved;
        }
        if (w.given[w.stages - 1] == p->nframes || now > 1e5)
            return now;
        for (unsigned s = 0; s < w.stages; s++)
            w.v[s].left = fmax(0, w.v[s].left - 1);
    }
}

static void compare(void)
{
    struct cc_rng r = {5};
    size_t wrong = 0, worse = 0;
    for (int round = 0; round < 400; round++) {
        struct random x;
        draw(&x, &r);
        double least = INFINITY;
        for (uint32_t cuts = 0; cuts < UINT32_C(1) << (x.p.nitems - 1); cuts++) {
            double slow = simulate(&x.p, cuts);
            wrong += cc_pipeline_time(&x.p, cuts, NULL) != slow;
            least = cc_pipeline_stages(cuts) <= 3 ? fmin(least, slow) : least;
        }
        uint32_t best = cc_pipeline_best(&x.p, 3);
        worse += cc_pipeline_stages(best) > 3 || cc_pipeline_time(&x.p, best, NULL) > least * (1 + 1e-9);
    }
    OK(wrong == 0, "as a simulation tick by tick, all cuts of 400 random loops (%zu differ)", wrong);
    OK(worse == 0, "the best of at most three stages (%zu are worse)", worse);
}

int main(void)
{
    double equal[40 * 3], busy[3];
    for (size_t f = 0; f < 40; f++)
        for (size_t i = 0; i < 3; i++)
            equal[f * 3 + i] = (double[]){20, 50, 30}[i];
    struct cc_pipeline_problem p = {.nitems = 3, .nframes = 40, .times = equal, .buffers = 2};
    OK_NEAR(cc_pipeline_time(&p, 0, NULL), 40 * 100, 0, "one stage: the sum");
    OK_NEAR(cc_pipeline_time(&p, 3, busy), 100 + 39 * 50, 0, "three: one frame, then the slowest stage");
    OK_NEAR(busy[1], 40 * 50, 0, "which is busy with its work");
    OK(cc_pipeline_best(&p, 2) == 1 || cc_pipeline_best(&p, 2) == 2, "two stages are cut beside the longest");
    OK_U64(cc_pipeline_best(&p, 3), 3, "three where there are three cores");
    p.hand_over = 5;
    OK_NEAR(cc_pipeline_time(&p, 3, NULL), 100 + 4 * 5 + 39 * 60, 0, "handing over costs both sides");
    struct cc_pipeline_wait back = {2, 0, 1};
    p.waits = &back;
    p.nwaits = 1;
    p.hand_over = 0;
    OK_NEAR(cc_pipeline_time(&p, 3, NULL), 40 * 100, 0,
            "flow from the last to the first of the next frame: no gain");
    back.frames = 2;
    OK_NEAR(cc_pipeline_time(&p, 3, NULL), 100 + 39 * 50, 0, "over two frames: two are under way");
    for (size_t i = 0; i < 40 * 3; i += 3) {
        equal[i] = 50;
        equal[i + 1] = 20;
    }
    p.nwaits = 0;
    OK_U64(cc_pipeline_best(&p, 3), 1, "a third stage that brings nothing is not made");
    compare();
    return TAP_DONE();
}
