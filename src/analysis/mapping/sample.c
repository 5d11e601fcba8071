/* How sure the answer is: times drawn from their intervals. */
#include "solve.h"
#include "../../base/rng.h"

#include <math.h>

enum { MOST_SAMPLES = 20000, FEWEST_SAMPLES = 500 };
#define SAMPLE_WORK 2e8

struct sampler {
    const struct cc_map_problem *p;
    const struct model *x;
    struct decoder *d;
    double *draw; /* [task * units + unit], 0 to 1 */
    double *time; /* of each option in this draw */
};

static void to_plan(const struct model *x, const struct cc_map_solution *s, struct plan *p)
{
    for (size_t i = 0; i < x->n; i++) {
        p->choice[i] = x->first[i] + s->tasks[i].option;
        p->list[i] = (uint32_t)s->order[i];
    }
}

static void draw_times(struct sampler *s, struct cc_rng *rng)
{
    const struct model *x = s->x;
    for (size_t k = 0; k < x->n * x->m; k++)
        s->draw[k] = cc_rng_unit(rng);
    for (size_t i = 0; i < x->n; i++) {
        for (size_t k = 0; k < s->p->tasks.v[i].options.n; k++) {
            const struct cc_map_option *o = &s->p->tasks.v[i].options.v[k];
            s->time[x->first[i] + k] = o->low + s->draw[i * x->m + o->unit] * (o->high - o->low);
        }
    }
}

/* The period and the energy of a plan with drawn times are the planned ones of a model with those times. */
static double value_of(struct sampler *s, enum cc_map_objective objective, struct plan *p)
{
    struct model drawn = *s->x;
    if (objective == CC_MAP_LATENCY || objective == CC_MAP_PARETO)
        return cc_mapping_decode(s->d, p, s->time);
    if (objective == CC_MAP_ENERGY) {
        double sum =
            s->p->idle_power * cc_mapping_decode(s->d, p, s->time) + cc_mapping_model_energy(s->x, p->choice);
        for (size_t i = 0; i < drawn.n; i++) {
            size_t o = p->choice[i];
            if (drawn.time[o] > 0)
                sum += drawn.energy[o] * (s->time[o] / drawn.time[o] - 1);
        }
        return sum;
    }
    double *load = cc_alloc_array(drawn.noptions, sizeof *load);
    for (size_t i = 0; i < drawn.n; i++) {
        size_t o = p->choice[i];
        load[o] = s->time[o] * drawn.cores[o] / drawn.unit_cores[drawn.unit[o]];
    }
    drawn.time = s->time;
    drawn.load = load;
    double period = cc_mapping_model_period(&drawn, p->choice);
    free(load);
    return period;
}

static int ascending(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

void cc_map_sample(const struct cc_map_problem *p, const struct model *x,
                   const struct cc_map_solve_options *o, struct cc_map_result *r)
{
    double work = (double)(x->n * (x->m + 1) + x->nedges) * (double)(r->nalternatives + 2);
    size_t samples = (size_t)fmax(FEWEST_SAMPLES, fmin(MOST_SAMPLES, SAMPLE_WORK / work));
    enum cc_map_objective objective = o->objective;
    if (o->samples)
        samples = o->samples;
    struct sampler s = {.p = p,
                        .x = x,
                        .d = cc_mapping_decoder_new(x),
                        .draw = cc_alloc_array(x->n * x->m, sizeof *s.draw),
                        .time = cc_alloc_array(x->noptions, sizeof *s.time)};
    struct plan **plans = cc_alloc_array(r->nalternatives + 1, sizeof *plans);
    double *wins = cc_alloc_array(r->nalternatives + 1, sizeof *wins),
           *ends = cc_alloc_array(samples, sizeof *ends);
    for (size_t k = 0; k <= r->nalternatives; k++) {
        plans[k] = cc_mapping_plan_new(x);
        to_plan(x, k ? &r->alternatives[k - 1] : &r->best[0], plans[k]);
    }
    struct cc_rng rng = {1};
    for (size_t n = 0; n < samples; n++) {
        draw_times(&s, &rng);
        double mine = value_of(&s, objective, plans[0]);
        ends[n] = objective == CC_MAP_THROUGHPUT ? cc_mapping_decode(s.d, plans[0], s.time) : plans[0]->time;
        for (size_t k = 1; k <= r->nalternatives; k++) {
            double other = value_of(&s, objective, plans[k]), same = MAP_EPSILON * fabs(mine);
            wins[k] += fabs(mine - other) <= same ? 0.5 : mine < other;
        }
    }
    qsort(ends, samples, sizeof *ends, ascending);
    static const double at[] = {0.05, 0.5, 0.95};
    for (size_t k = 0; k < CC_COUNT(at); k++)
        r->quantiles[k] = ends[(size_t)(at[k] * (double)(samples - 1))];
    r->samples = samples;
    for (size_t k = 0; k <= r->nalternatives; k++) {
        if (k)
            r->alternatives[k - 1].better = wins[k] / (double)samples;
        cc_mapping_plan_free(plans[k]);
    }
    cc_mapping_decoder_free(s.d);
    free(plans);
    free(wins);
    free(ends);
    free(s.draw);
    free(s.time);
}
