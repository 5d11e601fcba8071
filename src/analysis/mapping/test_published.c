/* The solver against two published list schedulers, written here on their own from the problem as it is read,
 * not from the searches' model: HEFT (Topcuoglu, Hariri, Wu 2002) and PEFT (Arabnejad, Barbosa 2014), both
 * with insertion. test-mapping-published [GRAPHS TASKS] prints a line for each graph. */
#include "mapping.h"
#include "base/rng.h"
#include "base/text.h"
#include "tap.h"

#include <math.h>
#include <time.h>

enum { UNITS = 4, MAX = 1000 };

/* --- problems: layers of tasks, each with one to three of the layers before --- */

static struct cc_map_problem *layered(struct cc_rng *rng, size_t tasks, double talk)
{
    struct cc_buf chip = {0}, file = {0};
    cc_buf_puts(&chip, "[platform]\nname = t\nsource = test\nclock_mhz = 1000\n");
    for (int u = 0; u < UNITS; u++) {
        cc_buf_printf(&chip, "[unit.u%d]\n", u);
        for (int v = u + 1; v < UNITS; v++)
            cc_buf_printf(&chip, "[link.u%d.u%d]\nbandwidth = %g\nlatency = 0\n", u, v,
                          1000 / (talk * (1 + cc_rng_unit(rng))));
    }
    cc_buf_puts(&file, "[tasks]\nname = layers\ntime = s\n");
    size_t width = 4 + cc_rng_below(rng, 12);
    for (size_t i = 0; i < tasks; i++) {
        cc_buf_printf(&file, "[task.t%zu]\n", i);
        for (int u = 0; u < UNITS; u++)
            cc_buf_printf(&file, "time.u%d = %.4f\n", u, 1 + 9 * cc_rng_unit(rng));
        size_t n = i < width ? 0 : 1 + cc_rng_below(rng, 3), last = tasks;
        for (size_t k = 0; k < n; k++) {
            size_t back = width + cc_rng_below(rng, width), from = i >= back ? i - back : 0;
            if (from == last)
                continue;
            cc_buf_printf(&file, "%s t%zu:%d", last == tasks ? "after =" : ",", from,
                          1000 * (1 + (int)cc_rng_below(rng, 5)));
            last = from;
        }
        cc_buf_puts(&file, "\n");
    }
    struct cc_platform *p = NULL;
    struct cc_map_problem *ret = NULL;
    struct cc_err err = {0};
    int rc = cc_platform_parse("chip", chip.s, chip.n, &p, &err);
    if (rc == 0)
        rc = cc_map_problem_parse("tasks", file.s, file.n, p, &ret, &err);
    if (rc < 0)
        OK(0, "%s", err.msg);
    cc_platform_free(p);
    cc_buf_fini(&chip);
    cc_buf_fini(&file);
    return ret;
}

static double time_on(const struct cc_map_problem *p, size_t task, size_t unit)
{
    for (size_t o = 0; o < p->tasks.v[task].options.n; o++)
        if (p->tasks.v[task].options.v[o].unit == unit)
            return (p->tasks.v[task].options.v[o].low + p->tasks.v[task].options.v[o].high) / 2;
    return INFINITY;
}

static double transfer(const struct cc_map_problem *p, const struct cc_map_edge *e, size_t from, size_t to)
{
    return from == to ? 0 : cc_link_seconds(&p->links[from * UNITS + to], e->bytes);
}

static double mean_transfer(const struct cc_map_problem *p, const struct cc_map_edge *e)
{
    double sum = 0;
    for (size_t u = 0; u < UNITS; u++)
        for (size_t v = 0; v < UNITS; v++)
            sum += u == v ? 0 : transfer(p, e, u, v) / (UNITS * (UNITS - 1));
    return sum;
}

/* --- the schedulers --- */

struct schedule {
    const struct cc_map_problem *p;
    double rank[MAX];
    double oct[MAX][UNITS]; /* 0 for HEFT */
    size_t unit[MAX];
    double start[MAX], end[MAX];
    bool placed[MAX];
};

/* The first gap on the unit that is long enough and not before `ready`. */
static double slot(const struct schedule *s, size_t unit, double ready, double length)
{
    double at = ready;
    for (bool moved = true; moved;) {
        moved = false;
        for (size_t i = 0; i < s->p->tasks.n; i++)
            if (s->placed[i] && s->unit[i] == unit && s->start[i] < at + length && s->end[i] > at) {
                at = s->end[i];
                moved = true;
            }
    }
    return at;
}

static void place(struct schedule *s, size_t task)
{
    double best = INFINITY;
    for (size_t u = 0; u < UNITS; u++) {
        double ready = 0, length = time_on(s->p, task, u);
        for (size_t e = 0; e < s->p->edges.n; e++) {
            const struct cc_map_edge *edge = &s->p->edges.v[e];
            if (edge->to == task)
                ready = fmax(ready, s->end[edge->from] + transfer(s->p, edge, s->unit[edge->from], u));
        }
        double at = slot(s, u, ready, length);
        if (at + length + s->oct[task][u] < best) {
            best = at + length + s->oct[task][u];
            s->unit[task] = u;
            s->start[task] = at;
            s->end[task] = at + length;
        }
    }
    s->placed[task] = true;
}

/* Of the tasks whose predecessors are all placed, the one of the highest rank comes next. */
static double run(struct schedule *s)
{
    double end = 0;
    for (size_t step = 0; step < s->p->tasks.n; step++) {
        size_t pick = MAX;
        for (size_t i = 0; i < s->p->tasks.n; i++) {
            bool ready = !s->placed[i];
            for (size_t e = 0; ready && e < s->p->edges.n; e++)
                ready = s->p->edges.v[e].to != i || s->placed[s->p->edges.v[e].from];
            if (ready && (pick == MAX || s->rank[i] > s->rank[pick]))
                pick = i;
        }
        place(s, pick);
        end = fmax(end, s->end[pick]);
    }
    return end;
}

/* Tasks are numbered so that data only goes to later ones. */
static double heft(const struct cc_map_problem *p)
{
    struct schedule *s = cc_alloc(sizeof *s);
    s->p = p;
    for (size_t i = p->tasks.n; i-- > 0;) {
        double mean = 0;
        for (size_t u = 0; u < UNITS; u++)
            mean += time_on(p, i, u) / UNITS;
        for (size_t e = 0; e < p->edges.n; e++)
            if (p->edges.v[e].from == i)
                s->rank[i] = fmax(s->rank[i], mean_transfer(p, &p->edges.v[e]) + s->rank[p->edges.v[e].to]);
        s->rank[i] += mean;
    }
    double end = run(s);
    free(s);
    return end;
}

static double peft(const struct cc_map_problem *p)
{
    struct schedule *s = cc_alloc(sizeof *s);
    s->p = p;
    for (size_t i = p->tasks.n; i-- > 0;) {
        for (size_t e = 0; e < p->edges.n; e++) {
            const struct cc_map_edge *edge = &p->edges.v[e];
            for (size_t u = 0; edge->from == i && u < UNITS; u++) {
                double least = INFINITY;
                for (size_t v = 0; v < UNITS; v++)
                    least = fmin(least, s->oct[edge->to][v] + time_on(p, edge->to, v) +
                                            (u == v ? 0 : mean_transfer(p, edge)));
                s->oct[i][u] = fmax(s->oct[i][u], least);
            }
        }
        for (size_t u = 0; u < UNITS; u++)
            s->rank[i] += s->oct[i][u] / UNITS;
    }
    double end = run(s);
    free(s);
    return end;
}

/* A chain on one unit, and two tasks side by side: what both must find. */
static void test_by_hand(void)
{
    struct cc_rng rng = {5};
    struct cc_map_problem *p = layered(&rng, 1, 1);
    double least = INFINITY;
    for (size_t u = 0; u < UNITS; u++)
        least = fmin(least, time_on(p, 0, u));
    OK(heft(p) == least && peft(p) == least, "one task: its fastest unit");
    cc_map_problem_free(p);
}

static void compare(int graphs, size_t tasks, bool print)
{
    struct cc_rng rng = {20151};
    static const double talks[] = {0.05, 0.5, 2};
    int worse = 0;
    double sum[2] = {0, 0};
    for (int g = 0; g < graphs; g++) {
        struct cc_map_problem *p = layered(&rng, tasks, talks[g % 3]);
        struct cc_map_solve_options o = {
            .objective = CC_MAP_LATENCY, .deadline = INFINITY, .effort = 1, .samples = 1};
        struct cc_map_result r;
        cc_map_solve(p, &o, &r, NULL);
        double ours = r.best[0].time, h = heft(p), q = peft(p);
        worse += ours > fmin(h, q) * (1 + 1e-9) || r.lower_bound > fmin(h, q) * (1 + 1e-9);
        sum[0] += h / ours - 1;
        sum[1] += q / ours - 1;
        if (print)
            printf("# %zu tasks x %d, talk %.2f: ours %.2f (bound %.2f), HEFT %.2f (%+.1f %%), PEFT %.2f "
                   "(%+.1f %%)\n",
                   tasks, UNITS, talks[g % 3], ours, r.lower_bound, h, 100 * (h / ours - 1), q,
                   100 * (q / ours - 1));
        cc_map_result_fini(&r);
        cc_map_problem_free(p);
    }
    OK(worse == 0,
       "%d graphs of %zu tasks: never longer than HEFT (%.1f %% longer on average) or PEFT (%.1f %%)", graphs,
       tasks, 100 * sum[0] / graphs, 100 * sum[1] / graphs);
}

int main(int argc, char **argv)
{
    int64_t graphs, tasks;
    test_by_hand();
    if (argc > 2 && cc_parse_i64(argv[1], &graphs) && cc_parse_i64(argv[2], &tasks) && graphs > 0 &&
        tasks > 0 && tasks < MAX)
        compare((int)graphs, (size_t)tasks, true);
    else
        compare(tap_rounds(3), tap_percent() < 100 ? 30 : 60, true);
    return TAP_DONE();
}
