/* From one replay to a prediction: what waits on memory settles, and many replays tell how sure it is. */
#include "replay.h"

/* The waiting of pieces depends on when and where they run, and the schedule on how long they wait: a few
 * rounds, each from the schedule of the one before, the first with what they wait in the sequential run.
 * Where processors fall in and out of step, or stacks meet other lines, a cycle more or less or the size of
 * the environment decides what they wait: then rounds differ, the mean of some is taken, and each replay for
 * the interval takes one of them. Two that are alike by chance tell nothing where lines go to and fro. */
static int settle(struct engine e, struct local_run *l)
{
    enum { LEAST = 2, ONE = 4, MOST = 8, SAME = 50, EQUAL = 200 };
    static const double in_step = 0.02;           /* of the time, for lines that others took */
    int rc = 0, most = e.nprocs > 1 ? MOST : ONE; /* one processor's pieces stay in their order */
    cc_ticks before = 0;
    l->log = true;
    for (int round = 0; rc == 0 && round < most; round++) {
        struct cc_predict_schedule s = {0};
        rc = cc_eng_replay(e, &s);
        cc_ticks change = CC_MAX(s.time - before, before - s.time);
        before = s.time;
        cc_predict_schedule_fini(&s);
        bool taken = l->counts.taken > in_step * e.nprocs * CC_TICKS_TO_F64(before);
        if (rc == 0 && round && !taken && change <= before / (round < LEAST ? EQUAL : SAME))
            break;
        if (rc == 0)
            cc_local_measure(l);
    }
    l->log = false;
    return rc;
}

/* Many replays, each with its own draw; the state that each draw was made from. */
struct draws {
    cc_ticks times[CC_DRAWS];
    struct cc_rng from[CC_DRAWS];
};

static int draw_one(struct engine e, struct draw *d, int number, struct cc_rng *rng,
                    struct cc_predict_schedule *ret)
{
    cc_draw_next(d, e.m, e.nprocs, number, rng);
    e.draw = d;
    return cc_eng_replay(e, ret);
}

static int draw_all(struct engine e, struct draw *d, struct draws *ret)
{
    struct cc_rng rng = {.state = 90 + e.nprocs};
    int rc = 0;
    for (int i = 0; rc == 0 && i < CC_DRAWS; i++) {
        struct cc_predict_schedule one = {0};
        ret->from[i] = rng;
        rc = draw_one(e, d, i, &rng, &one);
        ret->times[i] = one.time;
        cc_predict_schedule_fini(&one);
    }
    return rc;
}

/* The draw whose time is the middle one. */
static int middle_of(const struct draws *d)
{
    int best = 0;
    for (int i = 0; i < CC_DRAWS; i++) {
        int below = 0;
        for (int k = 0; k < CC_DRAWS; k++)
            below += d->times[k] < d->times[i] || (d->times[k] == d->times[i] && k < i);
        best = below == CC_DRAWS / 2 ? i : best;
    }
    return best;
}

/* The interval that the draws lie in. Where copies of the program told how different processors are, what is
 * predicted is the middle draw: the slowest of several is slower than the mean of all. And where what the
 * middle costs give is not among the middle half of the draws: something hangs by a thread there (who sleeps
 * when its turn comes, who is first at a task) and mostly goes the other way. */
static int draw_interval(struct engine e, double coverage, bool segments, struct cc_predict_schedule *ret)
{
    struct draws draws;
    cc_ticks low, high;
    struct draw d;
    cc_draw_init(&d, e.nprocs);
    int rc = draw_all(e, &d, &draws);
    if (rc == 0 && (e.m->ncopies || !cc_draw_is_among(draws.times, CC_DRAWS, ret->time))) {
        cc_predict_schedule_fini(ret);
        *ret = (struct cc_predict_schedule){0};
        e.record = segments;
        int middle = middle_of(&draws);
        rc = draw_one(e, &d, middle, &draws.from[middle], ret);
    }
    cc_draw_fini(&d);
    if (rc < 0)
        return rc;
    cc_draw_interval(draws.times, CC_DRAWS, coverage, &low, &high);
    ret->time_low = CC_MIN(low, ret->time);
    ret->time_high = CC_MAX(high, ret->time);
    ret->coverage = coverage;
    return 0;
}

/* Without, what the least and the largest costs give; and, on a machine whose memory was measured, all that
 * may be. */
static int bracket(struct engine e, double coverage, struct cc_predict_schedule *ret)
{
    int rc = 0;
    struct draw d = {0};
    bool blind = e.m->blind && coverage > 0;
    if (blind)
        cc_draw_init(&d, e.nprocs);
    for (int variant = 0; rc == 0 && (e.m->spreads || blind) && variant <= 2; variant += 2) {
        struct cc_predict_schedule other = {0};
        e.variant = variant;
        if (blind) {
            cc_draw_end(&d, e.m, e.nprocs, variant - 1);
            e.draw = &d;
        }
        rc = cc_eng_replay(e, &other);
        /* a list schedule can get shorter when costs rise: the two bracket the prediction all the same */
        ret->time_low = rc == 0 ? CC_MIN(ret->time_low, other.time) : ret->time_low;
        ret->time_high = rc == 0 ? CC_MAX(ret->time_high, other.time) : ret->time_high;
        cc_predict_schedule_fini(&other);
    }
    cc_draw_fini(&d);
    ret->coverage = blind ? coverage : 0;
    return rc;
}

/* Where the code is what the compiler makes for threads, its frame in the first region tells how far theirs
 * are from it. */
static void place_stacks(struct local_run *l, const struct cc_predict_model *m,
                         const struct cc_predict_plan *p)
{
    const struct cc_htg *h = m->h;
    for (uint32_t i = 1; h->threaded && m->stack_place >= 0 && i < h->nnodes; i++) {
        int32_t d = p->directive[h->nodes[i].name];
        if (d < 0 || p->s->directives[d].kind != CC_OMP_PARALLEL)
            continue;
        cc_local_stacks(l, i, m->stack_place);
        return;
    }
}

int cc_predict_run(const struct cc_predict_model *m, const struct cc_predict_plan *p, unsigned processors,
                   bool segments, struct cc_predict_schedule *ret, struct cc_err *err)
{
    if (processors < 1 || processors > CC_PREDICT_MAX_CORES)
        return cc_err_set(err, CC_EUSAGE, "%u processors: 1 to %d can be predicted", processors,
                          CC_PREDICT_MAX_CORES);
    struct bound *bounds;
    int rc = cc_plan_bind(p, processors, &bounds, err);
    if (rc < 0)
        return rc;
    rc = cc_model_transfers(m, p, bounds, err);
    if (rc == 0)
        rc = cc_model_offload(m, p, bounds, err);
    if (rc < 0) {
        cc_plan_bound_free(bounds, p->s->n);
        return rc;
    }
    *ret = (struct cc_predict_schedule){0};
    struct engine e = {.m = m, .p = p, .bounds = bounds, .nprocs = processors, .variant = 1, .err = err};
    struct local_run local = {0};
    struct portions *portions = NULL;
    if (m->local) {
        rc = cc_local_run_init(&local, m->local, processors, err);
        e.local = &local;
        if (rc == 0)
            place_stacks(&local, m, p);
        e.portions = portions = cc_portions_new(m->local, p, bounds);
        rc = rc == 0 ? settle(e, &local) : rc;
    }
    e.record = segments;
    rc = rc == 0 ? cc_eng_replay(e, ret) : rc;
    e.record = false;
    if (rc == 0)
        ret->time_low = ret->time_high = ret->time;
    bool draws = (m->local || m->ncopies) && m->coverage > 0;
    if (rc == 0 && draws)
        rc = draw_interval(e, m->coverage, segments, ret);
    else if (rc == 0 && !m->local)
        rc = bracket(e, m->coverage, ret);
    cc_plan_bound_free(bounds, p->s->n);
    cc_local_run_fini(&local);
    cc_portions_free(portions);
    if (rc < 0)
        cc_predict_schedule_fini(ret);
    return rc;
}
