#include "draws.h"

#include <math.h>

/* How far predictions with the trace of lines are off, one standard deviation of each cause: what
 * bench/truth.py showed for the programs of bench/truth. Waiting: the trace's own error, and lines of the
 * runtime that are only guessed. Beyond: when processors meet at links and lines is a matter of cycles.
 * Overhead: the runtime's costs were measured in loops where its own lines are at hand. Code: the compiler
 * makes other code of a loop that it moves into a function of its own. Processor: threads do not start
 * together. Chosen by the programs of bench/truth.py that are neither held out nor strangers, which 0.9 times
 * the former intervals held in 95 % of their points (aarch64, the middle of several layouts); those of code,
 * processors and waiting then halved, which left 94 % of theirs and 87 % of others' (docs/guide/accuracy.md).
 */
static const double waiting_error = 0.0142, beyond_error = 0.2025, overhead_error = 0.144, code_error = 0.004,
                    processor_error = 0.004;

/* From one thread to the next, by the place of its line: 47 to 161 ns on two cores of manycore, 98 to 177 on
 * eight, in eight places; where a program's lock comes to lie nobody knows. As far apart as even parts of
 * such a range are. */
static const double lock_error = 0.3;

/* On a real machine, from a recording with co-runs: its cores make more of other code than simulated ones,
 * and copies of a program are not its threads: each has all the data where a thread has its share, and none
 * writes what others read. Both as bench/truth-machine.sh showed them for the programs that are not held out,
 * on two machines; the latter for many at work, and less for few. How far runs lie apart is in the recording.
 */
static const double machine_code_error = 0.065, share_error = 0.2, machine_overhead_error = 0.18,
                    machine_processor_error = 0.01;

static double normal(struct cc_rng *r)
{
    double u = 1 - cc_rng_unit(r), v = cc_rng_unit(r);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static double factor(struct cc_rng *r, double error)
{
    return exp(error * normal(r));
}

/* How many standard deviations to both sides hold so much. */
static double deviations(double coverage)
{
    double low = 0, high = 8;
    for (int i = 0; i < 40; i++) {
        double z = (low + high) / 2;
        *(erf(z / sqrt(2)) < coverage ? &low : &high) = z;
    }
    return low;
}

/* What holds for all of a run: all that it may be, evenly over the draws, in an order of each cause's own.
 * Drawn by chance, few draws lie to one side by luck, and the interval with them (two cores: -7 and +13 %
 * where -11 and +10 was meant). */
enum cause { OVERHEAD = 1, CODE, WAITING, BEYOND, LOCK };

static double even(enum cause cause, int number, double error)
{
    int order[CC_DRAWS];
    struct cc_rng r = {.state = cause};
    for (int i = 0; i < CC_DRAWS; i++) {
        int k = (int)cc_rng_below(&r, (size_t)i + 1);
        order[i] = order[k];
        order[k] = i;
    }
    double share = (2 * order[number] + 1) / (double)CC_DRAWS - 1;
    return exp(error * copysign(deviations(fabs(share)), share));
}

void cc_draw_init(struct draw *d, unsigned processors)
{
    *d = (struct draw){.speed = cc_alloc_array(processors, sizeof *d->speed),
                       .rank = cc_alloc_array(processors, sizeof *d->rank)};
}

void cc_draw_fini(struct draw *d)
{
    free(d->speed);
    free(d->rank);
}

/* What holds for a whole run on a real machine, in pairs that are as far to one side as to the other, and the
 * first of all in the middle: the middle draw is then about processors, not about what nobody knows. */
static void draw_run(struct draw *d, const struct cc_predict_model *m, int number, double *ret_code)
{
    struct cc_rng pair = {.state = (uint64_t)(number + 1) / 2};
    double side = number == 0 ? 0 : number % 2 ? 1 : -1;
    *ret_code = exp(side * hypot(machine_code_error, m->run_error) * normal(&pair));
    d->share = side * share_error * normal(&pair);
}

void cc_draw_next(struct draw *d, const struct cc_predict_model *m, unsigned processors, int number,
                  struct cc_rng *rng)
{
    bool machine = m->ncopies > 0;
    double overhead = even(OVERHEAD, number, machine ? machine_overhead_error : overhead_error),
           code = even(CODE, number, code_error);
    for (int column = 0; column < NCOLUMNS; column++)
        for (int cost = 0; cost < NCOSTS; cost++) {
            double given = (double)m->cost[1][column][cost],
                   spread = (double)(m->cost[2][column][cost] - m->cost[1][column][cost]);
            d->cost[column][cost] = llround(fmax(given + spread * normal(rng), 0) * overhead);
        }
    d->overhead = overhead;
    d->waiting = even(WAITING, number, waiting_error);
    d->beyond = even(BEYOND, number, beyond_error);
    d->lock = even(LOCK, number, lock_error);
    d->share = d->bound = 0;
    d->chance = (uint64_t)number;
    d->late =
        ((double)(number * 16 % CC_DRAWS) + 0.5) / CC_DRAWS; /* all of it, evenly, whatever else is drawn */
    if (machine)
        draw_run(d, m, number, &code);
    for (unsigned i = 0; i < processors; i++) {
        d->speed[i] = code * factor(rng, machine ? machine_processor_error : processor_error);
        d->rank[i] = 1 - cc_rng_unit(rng); /* never 0: that is no rank */
    }
}

void cc_draw_end(struct draw *d, const struct cc_predict_model *m, unsigned processors, int side)
{
    double code = exp(side * deviations(m->coverage) * machine_code_error);
    memcpy(d->cost, m->cost[1 + side], sizeof d->cost);
    d->overhead = d->waiting = d->beyond = d->lock = 1;
    d->share = d->late = 0;
    d->bound = side > 0;
    for (unsigned i = 0; i < processors; i++) {
        d->speed[i] = code;
        d->rank[i] = 1;
    }
}

static int by_time(const void *a, const void *b)
{
    cc_ticks x = *(const cc_ticks *)a, y = *(const cc_ticks *)b;
    return x < y ? -1 : x > y;
}

void cc_draw_interval(cc_ticks *times, size_t n, double coverage, cc_ticks *ret_low, cc_ticks *ret_high)
{
    qsort(times, n, sizeof *times, by_time);
    double below = (1 - coverage) / 2 * (double)(n + 1) - 1; /* rank from 0, between two of them */
    below = fmin(fmax(below, 0), (double)(n - 1) / 2);
    size_t at = (size_t)below, next = CC_MIN(at + 1, n - 1);
    double part = below - (double)at;
    *ret_low = times[at] + llround(part * (double)(times[next] - times[at]));
    *ret_high = times[n - 1 - at] - llround(part * (double)(times[n - 1 - at] - times[n - 1 - next]));
}

bool cc_draw_is_among(const cc_ticks *times, size_t n, cc_ticks time)
{
    size_t below = 0, above = 0;
    for (size_t i = 0; i < n; i++) {
        below += times[i] < time;
        above += times[i] > time;
    }
    return below <= n - n / 4 - 1 && above <= n - n / 4 - 1;
}
