#include "../../../tests/tap.h"
#include "decode.h"
#include "../../base/rng.h"

#include <stdlib.h>
#include <time.h>

struct shape {
    size_t tasks, units, cores; /* cores: most of a unit */
    double density;             /* of edges */
    double talk;                /* size of transfers against times */
    bool intervals, memory, energy, identical, missing_options;
};

/* A random problem; freed with cc_map_problem_free. */
static struct cc_map_problem *random_problem(struct cc_rng *rng, const struct shape *s)
{
    struct cc_map_problem *p = cc_alloc(sizeof *p);
    p->path = p->name = "random";
    p->clock = "s";
    p->clock_second = 1;
    for (size_t u = 0; u < s->units; u++) {
        struct cc_map_unit unit = {.name = "u", .cores = 1 + cc_rng_below(rng, s->cores), .memory = INFINITY};
        if (s->memory && cc_rng_below(rng, 2))
            unit.memory = (double)(1 + cc_rng_below(rng, 12));
        if (s->identical)
            unit.cores = s->cores;
        unit.idle_power = s->energy ? cc_rng_unit(rng) * 2 : 0;
        p->idle_power += unit.idle_power;
        CC_VEC_PUSH(&p->units, unit);
    }
    p->byte_energy = s->energy ? cc_rng_unit(rng) : 0;
    p->links = cc_arena_alloc(&p->arena, s->units * s->units * sizeof *p->links);
    for (size_t k = 0; k < s->units * s->units; k++)
        p->links[k] = (struct cc_link){true, s->identical ? 0.2 : cc_rng_unit(rng) * s->talk * 2,
                                       s->identical ? 1 : (0.2 + cc_rng_unit(rng)) / (s->talk + 1e-9)};
    for (size_t i = 0; i < s->tasks; i++) {
        struct cc_map_task t = {.name = "t", .memory = s->memory ? (double)cc_rng_below(rng, 5) : 0};
        double base = 1 + cc_rng_unit(rng) * 9;
        for (size_t u = 0; u < s->units; u++) {
            if (s->missing_options && t.options.n && cc_rng_below(rng, 4) == 0)
                continue;
            double one = s->identical ? base : base * (0.4 + 1.2 * cc_rng_unit(rng));
            for (size_t k = 1; k <= p->units.v[u].cores; k += 1 + cc_rng_below(rng, 2)) {
                struct cc_map_option o = {u, k, one / pow((double)k, 0.8), 0,
                                          s->energy ? cc_rng_unit(rng) * 20 : NAN};
                o.high = o.low * (s->intervals ? 1 + cc_rng_unit(rng) : 1);
                CC_VEC_PUSH(&t.options, o);
            }
        }
        CC_VEC_PUSH(&p->tasks, t);
    }
    for (size_t a = 0; a < s->tasks; a++)
        for (size_t b = a + 1; b < s->tasks; b++)
            if (cc_rng_unit(rng) < s->density) {
                struct cc_map_edge e = {a, b, cc_rng_unit(rng) * 5};
                CC_VEC_PUSH(&p->edges, e);
            }
    return p;
}

/* --- an own, naive reckoning of everything, to compare with --- */

struct naive {
    const struct cc_map_problem *p;
    double best_time, best_energy, best_period, deadline;
    size_t choice[8], order[8];
    bool used[8];
};

static double naive_schedule(const struct naive *n)
{
    const struct cc_map_problem *p = n->p;
    double free_at[4][4] = {{0}}, finish[8] = {0}, end = 0;
    for (size_t at = 0; at < p->tasks.n; at++) {
        size_t i = n->order[at];
        const struct cc_map_option *o = &p->tasks.v[i].options.v[n->choice[i]];
        double *cores = free_at[o->unit], start = 0;
        for (size_t e = 0; e < p->edges.n; e++) {
            if (p->edges.v[e].to != i)
                continue;
            size_t j = p->edges.v[e].from, u = p->tasks.v[j].options.v[n->choice[j]].unit;
            const struct cc_link *l = &p->links[u * p->units.n + o->unit];
            start =
                fmax(start, finish[j] + (u == o->unit ? 0 : l->latency + p->edges.v[e].bytes / l->bandwidth));
        }
        for (size_t a = 0; a < p->units.v[o->unit].cores; a++) /* earliest free first */
            for (size_t b = a + 1; b < p->units.v[o->unit].cores; b++)
                if (cores[b] < cores[a]) {
                    double keep = cores[a];
                    cores[a] = cores[b];
                    cores[b] = keep;
                }
        start = fmax(start, cores[o->cores - 1]);
        finish[i] = start + (o->low + o->high) / 2;
        for (size_t k = 0; k < o->cores; k++)
            cores[k] = finish[i];
        end = fmax(end, finish[i]);
    }
    return end;
}

static void naive_orders(struct naive *n, size_t depth, double *best)
{
    const struct cc_map_problem *p = n->p;
    if (depth == p->tasks.n) {
        *best = fmin(*best, naive_schedule(n));
        return;
    }
    for (size_t i = 0; i < p->tasks.n; i++) {
        bool ready = !n->used[i];
        for (size_t e = 0; e < p->edges.n && ready; e++)
            ready = p->edges.v[e].to != i || n->used[p->edges.v[e].from];
        if (!ready)
            continue;
        n->used[i] = true;
        n->order[depth] = i;
        naive_orders(n, depth + 1, best);
        n->used[i] = false;
    }
}

static void naive_costs(const struct naive *n, double *energy, double *period, bool *fits)
{
    const struct cc_map_problem *p = n->p;
    double memory[4] = {0}, load[4] = {0}, pair[16] = {0};
    *energy = *period = 0;
    for (size_t i = 0; i < p->tasks.n; i++) {
        const struct cc_map_option *o = &p->tasks.v[i].options.v[n->choice[i]];
        double t = (o->low + o->high) / 2;
        memory[o->unit] += p->tasks.v[i].memory;
        load[o->unit] += t * (double)o->cores / (double)p->units.v[o->unit].cores;
        *period = fmax(*period, t);
        *energy += isnan(o->energy) ? 0 : o->energy;
    }
    for (size_t e = 0; e < p->edges.n; e++) {
        size_t u = p->tasks.v[p->edges.v[e].from].options.v[n->choice[p->edges.v[e].from]].unit;
        size_t v = p->tasks.v[p->edges.v[e].to].options.v[n->choice[p->edges.v[e].to]].unit;
        if (u == v)
            continue;
        const struct cc_link *l = &p->links[u * p->units.n + v];
        *energy += p->edges.v[e].bytes * p->byte_energy;
        pair[u * 4 + v] += l->latency + p->edges.v[e].bytes / l->bandwidth;
        *period = fmax(*period, pair[u * 4 + v]);
    }
    *fits = true;
    for (size_t u = 0; u < p->units.n; u++) {
        *fits = *fits && memory[u] <= p->units.v[u].memory;
        *period = fmax(*period, load[u]);
    }
}

static void naive_choices(struct naive *n, size_t depth)
{
    const struct cc_map_problem *p = n->p;
    if (depth < p->tasks.n) {
        for (n->choice[depth] = 0; n->choice[depth] < p->tasks.v[depth].options.n; n->choice[depth]++)
            naive_choices(n, depth + 1);
        return;
    }
    double energy, period, time = INFINITY;
    bool fits;
    naive_costs(n, &energy, &period, &fits);
    if (!fits)
        return;
    naive_orders(n, 0, &time);
    n->best_period = fmin(n->best_period, period);
    n->best_time = fmin(n->best_time, time);
    if (time <= n->deadline)
        n->best_energy = fmin(n->best_energy, energy + p->idle_power * time);
}

static void naive_solve(struct naive *n, const struct cc_map_problem *p, double deadline)
{
    *n = (struct naive){.p = p,
                        .best_time = INFINITY,
                        .best_energy = INFINITY,
                        .best_period = INFINITY,
                        .deadline = deadline};
    naive_choices(n, 0);
}

static bool near(double a, double b)
{
    return (isinf(a) && isinf(b)) || fabs(a - b) <= 1e-7 * (1 + fabs(b));
}

/* Whether a solution keeps the rules: data before use, cores not taken twice, memory. */
static bool legal(const struct cc_map_problem *p, const struct cc_map_solution *s)
{
    for (size_t e = 0; e < p->edges.n; e++) {
        const struct cc_map_edge *edge = &p->edges.v[e];
        size_t u = p->tasks.v[edge->from].options.v[s->tasks[edge->from].option].unit;
        size_t v = p->tasks.v[edge->to].options.v[s->tasks[edge->to].option].unit;
        double way = u == v ? 0 : cc_link_seconds(&p->links[u * p->units.n + v], edge->bytes);
        if (s->tasks[edge->to].start < s->tasks[edge->from].finish + way - 1e-9)
            return false;
    }
    for (size_t i = 0; i < p->tasks.n; i++) { /* cores in use at each start */
        size_t unit = p->tasks.v[i].options.v[s->tasks[i].option].unit, busy = 0;
        for (size_t j = 0; j < p->tasks.n; j++) {
            const struct cc_map_option *o = &p->tasks.v[j].options.v[s->tasks[j].option];
            if (o->unit == unit && s->tasks[j].start <= s->tasks[i].start + 1e-9 &&
                (j == i || s->tasks[j].finish > s->tasks[i].start + 1e-9))
                busy += o->cores;
        }
        if (busy > p->units.v[unit].cores)
            return false;
    }
    return true;
}

struct tally {
    size_t wrong_time, wrong_energy, wrong_period, unproven, illegal, wrong_bound, cases;
};

static void check_case(struct cc_map_problem *p, struct tally *t, bool energy)
{
    struct naive n;
    struct cc_map_result r;
    struct cc_map_solve_options o = {
        .objective = CC_MAP_LATENCY, .deadline = INFINITY, .effort = 0.02, .samples = 1};
    naive_solve(&n, p, INFINITY);
    int rc = cc_map_solve(p, &o, &r, NULL);
    t->cases++;
    t->wrong_time += rc < 0 ? isfinite(n.best_time) : !near(r.best[0].time, n.best_time);
    if (rc == 0) {
        t->unproven += !r.proven;
        t->illegal += !legal(p, &r.best[0]);
        t->wrong_bound += !(r.lower_bound <= r.best[0].time * (1 + 1e-9));
        cc_map_result_fini(&r);
    }
    o.objective = CC_MAP_THROUGHPUT;
    rc = cc_map_solve(p, &o, &r, NULL);
    t->wrong_period += rc < 0 ? isfinite(n.best_period) : !near(r.best[0].period, n.best_period);
    if (rc == 0) {
        t->unproven += !r.proven;
        t->illegal += !legal(p, &r.best[0]);
        cc_map_result_fini(&r);
    }
    if (!energy || !isfinite(n.best_time))
        return;
    for (int k = 0; k < 2; k++) { /* without and with a deadline */
        o.objective = CC_MAP_ENERGY;
        o.deadline = k ? n.best_time * 1.2 : INFINITY;
        if (k)
            naive_solve(&n, p, o.deadline);
        rc = cc_map_solve(p, &o, &r, NULL);
        t->wrong_energy += rc < 0 ? isfinite(n.best_energy) : !near(r.best[0].energy, n.best_energy);
        if (rc == 0) {
            t->unproven += !r.proven;
            t->illegal += !legal(p, &r.best[0]) || r.best[0].time > o.deadline * (1 + 1e-9);
            cc_map_result_fini(&r);
        }
    }
}

static void test_brute(void)
{
    struct cc_rng rng = {2024};
    struct tally t = {0};
    for (int round = 0; round < tap_rounds(800); round++) {
        struct shape s = {.tasks = 1 + cc_rng_below(&rng, 5),
                          .units = 1 + cc_rng_below(&rng, 3),
                          .cores = round % 4 == 3 ? 2 : 1,
                          .density = cc_rng_unit(&rng),
                          .talk = cc_rng_unit(&rng) * cc_rng_unit(&rng) * 3,
                          .intervals = round % 2,
                          .memory = round % 5 == 4,
                          .energy = round % 3 == 2,
                          .identical = round % 7 == 6,
                          .missing_options = round % 2};
        struct cc_map_problem *p = random_problem(&rng, &s);
        check_case(p, &t, s.energy);
        cc_map_problem_free(p);
    }
    for (int round = 0; round < tap_rounds(120);
         round++) { /* three and four cores: some tasks never run side by side */
        struct shape s = {.tasks = 2 + cc_rng_below(&rng, 3),
                          .units = 1 + (size_t)(round % 3 == 2),
                          .cores = round % 3 == 1 ? 4 : 3,
                          .density = cc_rng_unit(&rng) * 0.5,
                          .talk = cc_rng_unit(&rng)};
        struct cc_map_problem *p = random_problem(&rng, &s);
        check_case(p, &t, false);
        cc_map_problem_free(p);
    }
    OK_U64(t.wrong_time, 0, "%zu random problems: the shortest time equals brute force", t.cases);
    OK_U64(t.wrong_period, 0, "the shortest period equals brute force");
    OK_U64(t.wrong_energy, 0, "the least energy, free and with a deadline, equals brute force");
    OK_U64(t.unproven, 0, "all proven");
    OK_U64(t.illegal, 0, "all schedules keep the rules");
    OK_U64(t.wrong_bound, 0, "no lower bound above the optimum");
}

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Every fifth has units of up to three cores and tasks that may use any number of them, every seventh four
 * units that are the same. */
static void test_proven(size_t tasks, int cases, bool only_cores)
{
    struct cc_rng rng = {77};
    size_t unproven = 0;
    double slowest = 0, sum = 0;
    for (int round = 0; round < cases; round++) {
        static const double density[] = {0.05, 0.12, 0.2, 0.35}, talk[] = {0.05, 0.3, 1};
        struct shape s = {.tasks = tasks,
                          .units = 4,
                          .cores = round % 5 == 4 ? 3 : 1,
                          .density = density[round % 4],
                          .talk = talk[round % 3],
                          .identical = round % 7 == 6};
        struct cc_map_problem *p = random_problem(&rng, &s);
        if (only_cores && s.cores == 1) {
            cc_map_problem_free(p);
            continue;
        }
        struct cc_map_result r;
        struct cc_map_solve_options o = {
            .objective = CC_MAP_LATENCY, .deadline = INFINITY, .effort = 1, .samples = 1};
        double before = seconds();
        cc_map_solve(p, &o, &r, NULL);
        double took = seconds() - before;
        printf("# %d: %zu x 4%s%s, density %.2f talk %.2f: %.4f bound %.4f %s, %llu steps, %.2f s\n", round,
               tasks, s.identical ? " identical" : "", s.cores > 1 ? " cores" : "", s.density, s.talk,
               r.best[0].time, r.lower_bound, r.proven ? "proven" : "NOT PROVEN", (unsigned long long)r.steps,
               took);
        unproven += !r.proven;
        slowest = fmax(slowest, took);
        sum += took;
        cc_map_result_fini(&r);
        cc_map_problem_free(p);
    }
    printf("# %d problems, %zu not proven, mean %.2f s, slowest %.2f s\n", cases, unproven, sum / cases,
           slowest);
    if (tasks <= 20)
        OK_U64(unproven, 0, "%d problems of %zu tasks x 4 units are proven", cases, tasks);
}

/* Layered graphs as signal processing has them: wide layers, edges to the next two layers. */
static struct cc_map_problem *layered_problem(struct cc_rng *rng, size_t tasks, size_t units, double talk)
{
    struct shape s = {.tasks = tasks, .units = units, .cores = 1, .density = 0, .talk = talk};
    struct cc_map_problem *p = random_problem(rng, &s);
    size_t width = 4 + cc_rng_below(rng, 12);
    for (size_t i = width; i < tasks; i++) {
        for (size_t k = 1 + cc_rng_below(rng, 3); k-- > 0;) {
            size_t back = width + cc_rng_below(rng, width);
            struct cc_map_edge e = {i >= back ? i - back : 0, i, cc_rng_unit(rng) * 5};
            CC_VEC_PUSH(&p->edges, e);
        }
    }
    return p;
}

/* The best of many long searches from random starts, with nothing of HEFT in them. */
static double random_restarts(const struct cc_map_problem *p, size_t restarts, size_t steps)
{
    struct model x;
    cc_mapping_model_init(&x, p, CC_MAP_EXPECTED, NULL);
    struct decoder *d = cc_mapping_decoder_new(&x);
    struct plan *plan = cc_mapping_plan_new(&x);
    struct cc_rng rng = {4711};
    double best = INFINITY;
    for (size_t k = 0; k < restarts; k++) {
        for (size_t i = 0; i < x.n; i++)
            plan->choice[i] = x.first[i] + cc_rng_below(&rng, x.first[i + 1] - x.first[i]);
        memcpy(plan->list, x.topo, x.n * sizeof *plan->list);
        cc_mapping_model_cost(d, plan, false);
        cc_mapping_anneal(d, plan, 1000 + k, steps, k % 2 ? 0.5 : 1.0);
        best = fmin(best, plan->time);
    }
    cc_mapping_plan_free(plan);
    cc_mapping_decoder_free(d);
    cc_mapping_model_fini(&x);
    return best;
}

static void test_large(int cases, size_t tasks, size_t restarts, size_t steps)
{
    static const double talks[] = {0.05, 0.3, 1};
    struct cc_rng rng = {500};
    double worst = 0;
    for (int round = 0; round < cases; round++) {
        struct cc_map_problem *p = layered_problem(&rng, tasks, 4, talks[round % 3]);
        struct cc_map_result r;
        struct cc_map_solve_options o = {
            .objective = CC_MAP_LATENCY, .deadline = INFINITY, .effort = 1, .samples = 1};
        double before = seconds();
        cc_map_solve(p, &o, &r, NULL);
        double took = seconds() - before, others = random_restarts(p, restarts, steps);
        printf("# %zu tasks x 4, talk %.2f: %.3f (bound %.3f, gap %.1f %%) in %.1f s; %zu restarts of %zu "
               "steps: %.3f, ours is %+.2f %%\n",
               tasks, talks[round % 3], r.best[0].time, r.lower_bound,
               100 * (r.best[0].time / r.lower_bound - 1), took, restarts, steps, others,
               100 * (r.best[0].time / others - 1));
        worst = fmax(worst, r.best[0].time / others - 1);
        cc_map_result_fini(&r);
        cc_map_problem_free(p);
    }
    OK(worst <= 0.05, "%d graphs of %zu tasks: within 5 %% of the best of random restarts (worst %+.2f %%)",
       cases, tasks, 100 * worst);
}

static const char two_units[] =
    "[platform]\nname = t\nsource = test\n[unit.a]\ncores = 2\nclock_mhz = 1\npower = 3\nidle_power = 1\n"
    "[unit.b]\nclock_mhz = 2\nmemory = 1000\n[link.a.b]\nbandwidth = 1e6\nlatency = 1e-3\n";
static const char good_tasks[] =
    "[tasks]\nname = t\ntime = ms\n[task.x]\ntime.a = 4 .. 6\ntime.b = 2 +- 0.5\nenergy.b = 2e-3\n"
    "[task.y]\ntime.a = 3\nparallel = yes\nafter = x:1000\nmemory = 10\n"
    "[task.z]\ntime.a.2 = 1\ntime.b = 9\nafter = x, y:5k\nforbid = b\n";

static int parse(const char *platform, const char *tasks, size_t size, struct cc_map_problem **ret,
                 struct cc_err *err)
{
    struct cc_platform *p;
    int rc = cc_platform_parse("p.ini", platform, strlen(platform), &p, err);
    if (rc < 0)
        return rc;
    rc = cc_map_problem_parse("t.ini", tasks, size, p, ret, err);
    cc_platform_free(p);
    return rc;
}

static void test_reader(void)
{
    struct cc_map_problem *p = NULL;
    struct cc_err err = {0};
    OK(parse(two_units, good_tasks, sizeof good_tasks - 1, &p, &err) == 0, "a task file loads %s", err.msg);
    OK(p->units.n == 2 && p->tasks.n == 3 && p->edges.n == 3, "all of it");
    OK_NEAR(p->tasks.v[0].options.v[1].low, 1.5e-3, 1e-12, "2 +- 0.5 ms");
    OK_NEAR(p->tasks.v[0].options.v[0].energy, (3 - 1) * 0.5 * 5e-3, 1e-12,
            "energy from power: one of two cores for 5 ms");
    OK_NEAR(p->tasks.v[0].options.v[1].energy, 2e-3, 1e-12, "energy as given");
    OK(p->tasks.v[1].options.n == 2 && p->tasks.v[1].options.v[1].low == 1.5e-3,
       "parallel work on two cores takes half");
    OK(p->tasks.v[2].options.n == 1 && p->tasks.v[2].options.v[0].cores == 2, "forbidden units are gone");
    OK_NEAR(p->edges.v[2].bytes, 5120, 0, "bytes with a suffix");
    OK_NEAR(cc_link_seconds(&p->links[1], 1000), 2e-3, 1e-12, "latency and bandwidth");
    OK(p->links[2].present, "links hold both ways unless said");
    cc_map_problem_free(p);
    struct cc_link curve = {.present = true,
                            .curve = {3, (double[]){100, 200, 400}, (double[]){1, 3, 4}, NULL}};
    OK(cc_link_seconds(&curve, 10) == 1 && cc_link_seconds(&curve, 150) == 2 &&
           cc_link_seconds(&curve, 400) == 4 && cc_link_seconds(&curve, 600) == 5,
       "a curve: flat before, interpolated within, its last slope beyond");
}

static void test_fuzz(void)
{
    int cases = tap_rounds(2000);
    struct cc_rng rng = {31};
    size_t good = 0, silent = 0, worse = 0;
    for (int i = 0; i < cases; i++) {
        char text[sizeof good_tasks];
        size_t n = sizeof good_tasks - 1;
        memcpy(text, good_tasks, sizeof text);
        for (size_t k = 1 + cc_rng_below(&rng, 3); k-- > 0;) {
            if (cc_rng_below(&rng, 10) == 0)
                n = cc_rng_below(&rng, n + 1);
            else if (n)
                text[cc_rng_below(&rng, n)] =
                    (char)(cc_rng_below(&rng, 3) ? "\n=.[]:,-9e xyzab"[cc_rng_below(&rng, 16)]
                                                 : (char)cc_rng_below(&rng, 256));
            text[n] = 0;
        }
        struct cc_map_problem *p = NULL;
        struct cc_err err = {0};
        if (parse(two_units, text, n, &p, &err) < 0) {
            silent += !err.msg[0] || err.code != CC_EINPUT;
            continue;
        }
        good++;
        struct cc_map_result r;
        struct cc_map_solve_options o = {.deadline = INFINITY, .effort = 0.01, .samples = 2};
        err = (struct cc_err){0};
        if (cc_map_solve(p, &o, &r, &err) == 0) {
            worse += !legal(p, &r.best[0]);
            cc_map_result_fini(&r);
        } else {
            silent += !err.msg[0];
        }
        cc_map_problem_free(p);
    }
    OK(good > (size_t)cases / 60 && good < (size_t)cases - (size_t)cases / 60,
       "%d mutations of a task file: %zu still load", cases, good);
    OK_U64(silent, 0, "all others say why");
    OK_U64(worse, 0, "what loads is solved by the rules");
}

static struct cc_map_result solved(const char *platform, const char *tasks, enum cc_map_objective objective,
                                   struct cc_map_problem **ret)
{
    struct cc_map_result r = {0};
    struct cc_err err = {0};
    struct cc_map_solve_options o = {
        .objective = objective, .deadline = INFINITY, .effort = 1, .alternatives = 2};
    if (parse(platform, tasks, strlen(tasks), ret, &err) < 0 || cc_map_solve(*ret, &o, &r, &err) < 0)
        printf("# %s\n", err.msg);
    return r;
}

static void test_closed_forms(void)
{
    static const char platform[] =
        "[platform]\nname = t\nsource = s\n[unit.a]\n[unit.b]\n[link.a.b]\nbandwidth = 1e3\n";
    struct cc_map_problem *p;
    /* 2 + 2 on one unit against 1 + 1 on the other but a second of transfer between: all on b, 2 s */
    struct cc_map_result r = solved(
        platform, "[task.x]\ntime.a = 2\ntime.b = 1\n[task.y]\ntime.a = 2\ntime.b = 1\nafter = x:1000\n",
        CC_MAP_LATENCY, &p);
    OK_NEAR(r.best[0].time, 2, 1e-9, "a chain on its faster unit");
    OK(r.proven && r.nalternatives == 2, "proven, two alternatives");
    OK_NEAR(r.alternatives[0].time, 4, 1e-9, "next: all on the other, or one moved and a transfer");
    OK_NEAR(r.alternatives[0].better, 1, 0, "certain times: the chosen one always wins");
    cc_map_result_fini(&r);
    cc_map_problem_free(p);
    /* uniform 1..3 against uniform 2..4: the first wins with probability 1 - 1/8 */
    r = solved(platform, "[task.x]\ntime.a = 1 .. 3\ntime.b = 2 .. 4\n", CC_MAP_LATENCY, &p);
    OK_NEAR(r.alternatives[0].better, 0.875, 0.01, "uniform 1..3 beats uniform 2..4 in 7 of 8 cases");
    OK_NEAR(r.quantiles[1], 2, 0.03, "median of uniform 1..3");
    OK_NEAR(r.quantiles[2], 2.9, 0.03, "95 %% of uniform 1..3");
    cc_map_result_fini(&r);
    cc_map_problem_free(p);
    /* a pipeline of two equal stages: both units, period 1; for latency the transfer decides for one unit */
    static const char stages[] =
        "[task.x]\ntime.a = 1\ntime.b = 1\n[task.y]\ntime.a = 1\ntime.b = 1\nafter = x:500\n";
    r = solved(platform, stages, CC_MAP_THROUGHPUT, &p);
    OK_NEAR(r.best[0].period, 1, 1e-9, "a pipeline of two stages on two units");
    OK_NEAR(r.best[0].time, 2.5, 1e-9, "its latency includes the transfer");
    cc_map_result_fini(&r);
    cc_map_problem_free(p);
    r = solved(platform, stages, CC_MAP_LATENCY, &p);
    OK_NEAR(r.best[0].time, 2, 1e-9, "for latency one unit is better");
    OK_U64(p->tasks.v[0].options.v[r.best[0].tasks[0].option].unit,
           p->tasks.v[1].options.v[r.best[0].tasks[1].option].unit, "both on the same");
    cc_map_result_fini(&r);
    cc_map_problem_free(p);
}

/* Work that transfers dominate stays together, however many units there are. */
static void test_dominated(void)
{
    struct cc_rng rng = {8};
    size_t split = 0;
    for (int round = 0; round < tap_rounds(20); round++) {
        struct shape s = {.tasks = 12, .units = 4, .cores = 1, .density = 0.3, .talk = 0};
        struct cc_map_problem *p = random_problem(&rng, &s);
        for (size_t k = 0; k < 16; k++)
            p->links[k].latency = 1000;
        for (size_t i = 1; i < 12; i++) { /* connected */
            struct cc_map_edge e = {i - 1, i, 1};
            CC_VEC_PUSH(&p->edges, e);
        }
        struct cc_map_result r;
        struct cc_map_solve_options o = {.deadline = INFINITY, .effort = 1, .samples = 1};
        cc_map_solve(p, &o, &r, NULL);
        for (size_t i = 1; i < 12; i++)
            split += p->tasks.v[i].options.v[r.best[0].tasks[i].option].unit !=
                     p->tasks.v[0].options.v[r.best[0].tasks[0].option].unit;
        cc_map_result_fini(&r);
        cc_map_problem_free(p);
    }
    OK_U64(split, 0, "%d problems whose transfers dominate stay on one unit", tap_rounds(20));
}

/* A proven optimum may not be beaten by a long search of another kind. */
static void test_proofs(void)
{
    struct cc_rng rng = {99};
    size_t beaten = 0, proven = 0;
    const int rounds = tap_rounds(40);
    for (int round = 0; round < rounds; round++) {
        struct shape s = {.tasks = 9 + cc_rng_below(&rng, 8),
                          .units = 3,
                          .cores = 1 + cc_rng_below(&rng, 2),
                          .density = cc_rng_unit(&rng) * 0.4,
                          .talk = cc_rng_unit(&rng)};
        struct cc_map_problem *p = random_problem(&rng, &s);
        struct cc_map_result r;
        struct cc_map_solve_options o = {.deadline = INFINITY, .effort = 0.05, .samples = 1};
        cc_map_solve(p, &o, &r, NULL);
        proven += r.proven;
        double other = random_restarts(p, 3, 10000);
        beaten += other < (r.proven ? r.best[0].time : r.lower_bound) * (1 - 1e-7);
        cc_map_result_fini(&r);
        cc_map_problem_free(p);
    }
    printf("# %zu of %d mid-sized problems proven in a twentieth of the usual budget\n", proven, rounds);
    OK_U64(beaten, 0, "%d mid-sized problems: no random search beats a proof or a bound", rounds);
    OK((int)proven >= rounds / 2, "at least half of them proven");
}

/* What is not proven may be found wanting while runners-up are looked for: then they come first. */
static void test_runners_up(void)
{
    struct cc_rng rng = {14};
    size_t better = 0, cases = 0;
    for (int round = 0; round < tap_rounds(12); round++) {
        struct cc_map_problem *p = layered_problem(&rng, 120, 4, 0.3);
        struct cc_map_result r;
        struct cc_map_solve_options o = {.objective = round % 2 ? CC_MAP_LATENCY : CC_MAP_THROUGHPUT,
                                         .deadline = INFINITY,
                                         .effort = 0.002,
                                         .alternatives = 3,
                                         .samples = 1};
        cc_map_solve(p, &o, &r, NULL);
        for (size_t k = 0; k < r.nalternatives; k++, cases++)
            better += round % 2 ? r.alternatives[k].time < r.best[0].time
                                : r.alternatives[k].period < r.best[0].period;
        cc_map_result_fini(&r);
        cc_map_problem_free(p);
    }
    OK_U64(better, 0, "none of %zu runners-up is better than the mapping that is told", cases);
}

static size_t number(int argc, char **argv, int at, long otherwise)
{
    return (size_t)(argc > at ? strtol(argv[at], NULL, 10) : otherwise);
}

/* Without arguments what `make check` runs; `tasks N CASES [cores]` and `large RESTARTS STEPS` are for
 * `make bench-map`. */
int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "tasks") == 0) {
        setvbuf(stdout, NULL, _IOLBF, 0);
        test_proven(number(argc, argv, 2, 20), (int)number(argc, argv, 3, 210), argc > 4);
        return TAP_DONE();
    }
    if (argc > 1 && strcmp(argv[1], "large") == 0) {
        test_large(6, 500, number(argc, argv, 2, 8), number(argc, argv, 3, 1000000));
        return TAP_DONE();
    }
    test_reader();
    test_fuzz();
    test_closed_forms();
    test_dominated();
    test_brute();
    test_proofs();
    test_runners_up();
    test_proven(20, tap_rounds(12), false);
    test_proven(20, tap_rounds(45), true);
    test_large(tap_rounds(2), tap_percent() < 100 ? 60 : 150, 2, 60000);
    return TAP_DONE();
}
