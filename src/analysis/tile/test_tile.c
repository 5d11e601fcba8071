/* Tile sizing: DMA models, the three models of time against each other, and the search against brute force.
 * With an argument N the program prints the error distribution of the closed form over N cases instead. */
#include "spread.h"
#include "tile.h"
#include "../../../tests/tap.h"

#include "../../profile/tasks.h"

#include <inttypes.h>
#include <unistd.h>

static uint64_t seed = 88172645463325252u;

static uint64_t next_random(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

static int64_t between(int64_t a, int64_t b)
{
    return a + (int64_t)(next_random() % (uint64_t)(b - a + 1));
}

static struct cc_dma linear_dma(double i0, double i1, double alpha)
{
    struct cc_dma d = {0};
    d.read.limit = INFINITY;
    d.read.line = (struct cc_dma_line){i0, i1, alpha};
    d.write = d.read;
    return d;
}

static struct cc_dma random_dma(bool same)
{
    struct cc_dma d =
        linear_dma((double)between(0, 500), (double)between(0, 40), (double)between(0, 100) / 100);
    if (!same)
        d.write.line = (struct cc_dma_line){(double)between(0, 500), (double)between(0, 40),
                                            (double)between(0, 100) / 100};
    return d;
}

static struct cc_tile_problem random_problem(const struct cc_dma *d, int mode, int64_t side)
{
    struct cc_tile_problem p = {.image_w = between(8, side),
                                .image_h = between(8, side),
                                .kernel_w = between(1, 7),
                                .kernel_h = between(1, 7),
                                .in_bytes = between(1, 4),
                                .planes = 1,
                                .kernel_time = (double)between(0, 200) / (double)between(1, 10),
                                .cores = between(1, 12),
                                .memory = INFINITY,
                                .double_buffer = mode & 1,
                                .dynamic = mode & 2,
                                .blocking_writes = mode & 4,
                                .dma = d};
    p.out_bytes = mode & 8 ? between(1, 4) : p.in_bytes;
    if (mode & 16) {
        p.op_open = (double)between(0, 3000);
        p.op_sched = (double)between(0, 400);
        p.op_close = (double)between(0, 3000);
    }
    return p;
}

static void random_tile(const struct cc_tile_problem *p, struct cc_tiling *t)
{
    int64_t xi = cc_tile_xi(p), yi = cc_tile_yi(p);
    bool small = between(0, 1);
    cc_tile_build(p, between(1, small ? CC_MIN(20, xi) : xi), between(1, small ? CC_MIN(20, yi) : yi), t);
}

/* --- DMA --- */

static const char grid_text[] =
    "# measured\n1 1 100\n2 1 110\n4 1 130\n1 2 120\n2 2 140\n4 2 190\n1 4 160\n2 4 210\n";

static void test_dma_grid(void)
{
    struct cc_dma_channel c = {.model = CC_DMA_MIXED, .limit = 100};
    struct cc_err err = {0};
    OK(cc_dma_parse_grid("g", grid_text, &c, &err) == 0 && c.nw == 3 && c.nh == 3, "a grid is read");
    bool exact = true;
    static const double want[][3] = {{1, 1, 100}, {2, 1, 110}, {4, 1, 130}, {1, 2, 120},
                                     {2, 2, 140}, {4, 2, 190}, {1, 4, 160}, {2, 4, 210}};
    c.line = (struct cc_dma_line){50, 10, 7};
    for (size_t i = 0; i < CC_COUNT(want); i++)
        exact &= cc_dma_time(&c, want[i][0], want[i][1]) == want[i][2];
    OK(exact, "measured points come out as measured");
    OK_NEAR(cc_dma_time(&c, 3, 1), 120, 1e-12, "between two widths: the middle");
    OK_NEAR(cc_dma_time(&c, 3, 1.5), (110 + 130 + 140 + 190) / 4.0, 1e-12, "inside a cell: bilinear");
    OK_NEAR(cc_dma_time(&c, 4, 4), 50 + 40 + 7 * 16, 1e-12, "a point beyond the edge is the regression's");
    OK_NEAR(cc_dma_time(&c, 3, 3), (140 + 190 + 210 + 50 + 40 + 7 * 16) / 4.0, 1e-12,
            "a cell at the edge mixes measured points and the regression's");
    OK_NEAR(cc_dma_time(&c, 6, 1), (130 + (50 + 10 + 56)) / 2.0, 1e-12,
            "beyond the axis it goes on by doubling");
    OK(isnan(cc_dma_time(&c, 51, 2)), "a transfer over the limit has no time");
    double row[12];
    bool same = true;
    for (double h = 1; h < 9; h++) {
        cc_dma_row(&c, 1, 1, 12, h, row);
        for (int i = 0; i < 12; i++)
            same &= fabs(row[i] - cc_dma_time(&c, i + 1, h)) < 1e-9;
    }
    OK(same, "a row at once is the points one by one");
    c.model = CC_DMA_GRID;
    OK(isnan(cc_dma_time(&c, 4, 4)) && isnan(cc_dma_time(&c, 3, 3)),
       "the plain table has nothing beyond its edge");
    free(c.t);
}

static void test_dma_fit(void)
{
    struct cc_dma_point points[40];
    size_t n = 0;
    for (int w = 1; w <= 64; w *= 2)
        for (int h = 1; h <= 16; h *= 2)
            points[n++] = (struct cc_dma_point){w, h, 321 + 17 * h + 0.375 * w * h};
    struct cc_dma_line l;
    struct cc_err err = {0};
    OK(cc_dma_fit(points, n, &l, &err) == 0, "a regression is found");
    OK_NEAR(l.i0, 321, 1e-8, "exact data give i0 back");
    OK_NEAR(l.i1, 17, 1e-8, "and i1");
    OK_NEAR(l.alpha, 0.375, 1e-9, "and alpha");
    OK(cc_dma_fit(points, 2, &l, &err) < 0, "two points are not enough");
    struct cc_dma d = linear_dma(-50, 1, 1);
    OK_NEAR(cc_dma_time(&d.read, 2, 2), 0, 0, "a regression below zero is cut at zero");
}

static void test_dma_hostile(void)
{
    static const char *const bad[] = {"",    "1 1",    "1 1 1 1",      "a b c",     "0 1 1",
                                      "# x", "1 1 -1", "1 1 5\n1 1 5", "1e300 1 1", "1 1 nan"};
    bool all = true;
    for (size_t i = 0; i < CC_COUNT(bad); i++) {
        struct cc_dma_channel c = {0};
        struct cc_err err = {0};
        all &= cc_dma_parse_grid("g", bad[i], &c, &err) < 0 && err.code == CC_EINPUT;
        free(c.t);
    }
    OK(all, "bad grids are refused");
    char text[sizeof grid_text];
    size_t read = 0;
    for (int i = 0; i < 20000; i++) {
        memcpy(text, grid_text, sizeof text);
        for (int64_t k = between(1, 4); k-- > 0;)
            text[between(0, (int64_t)sizeof text - 2)] = (char)between(1, 255);
        struct cc_dma_channel c = {.model = CC_DMA_MIXED, .limit = INFINITY};
        struct cc_err err = {0};
        if (cc_dma_parse_grid("g", text, &c, &err) == 0) {
            read++;
            all &= cc_dma_time(&c, 3, 3) >= 0;
        }
        free(c.t);
    }
    OK(all && read > 100 && read < 20000, "20000 mutated grids: read or refused (%zu read)", read);
}

/* --- geometry --- */

static void test_geometry(void)
{
    struct cc_dma d = linear_dma(10, 2, 0.5);
    struct cc_tile_problem p = {.image_w = 100,
                                .image_h = 50,
                                .kernel_w = 3,
                                .kernel_h = 5,
                                .in_bytes = 2,
                                .out_bytes = 1,
                                .planes = 2,
                                .kernel_time = 7,
                                .cores = 4,
                                .memory = 1e9,
                                .dma = &d};
    struct cc_tiling t;
    OK(cc_tile_build(&p, 30, 20, &t), "a tiling is built");
    OK(t.k[0].n == 6 && t.k[1].n == 2 && t.k[2].n == 3 && t.k[3].n == 1, "classes are counted");
    OK(t.k[1].x == 8 && t.k[2].y == 6, "and sized");
    OK_NEAR(t.k[0].r, 2 * (10 + 2 * 24 + 0.5 * 64 * 24), 1e-9, "reads: footprint, bytes, planes");
    OK_NEAR(t.k[3].w, 10 + 2 * 6 + 0.5 * 8 * 6, 1e-9, "writes: output pixels");
    double in = 0, out = 0;
    for (int i = 0; i < CC_TILE_CLASSES; i++) {
        in += (double)(t.k[i].n * (t.k[i].x + 2) * (t.k[i].y + 4) * 2 * 2);
        out += (double)(t.k[i].n * t.k[i].x * t.k[i].y);
    }
    OK_NEAR(cc_tile_bytes(&p, 30, 20), in + out, 1e-9, "bytes are the sum over tiles");
    OK_NEAR(out, 98 * 46, 0, "tiles cover the iteration space once");
    OK_NEAR(cc_tile_memory(&p, 30, 20), 4 * (2 * 2 * 32 * 24 + 30 * 20), 0, "buffers");
    struct cc_err err = {0};
    p.memory = 10;
    OK(cc_tile_check(&p, &err) < 0 && strstr(err.msg, "needs 244 bytes"),
       "too little memory: says how much (%s)", err.msg);
    p.memory = 1e9;
    p.kernel_w = 101;
    err = (struct cc_err){0};
    OK(cc_tile_check(&p, &err) < 0 && strstr(err.msg, "larger than the image"),
       "kernel larger than the image");
}

/* --- the models --- */

/* One processor, one class, worked out by hand: read 100, compute 1000, write 50, one after another; writes
 * overlap with the next read. */
static void test_by_hand(void)
{
    struct cc_dma d = linear_dma(0, 0, 0);
    struct cc_tile_problem p = {.cores = 1, .memory = INFINITY, .dma = &d};
    struct cc_tiling t = {.tiles = 3, .k = {{.n = 3, .x = 1, .y = 1, .r = 100, .c = 1000, .w = 50}}};
    struct cc_tile_run run;
    cc_tile_simulate(&p, &t, NULL, NULL, &run);
    OK_NEAR(run.time, 3 * 1100 + 50, 0, "one core: three reads and computes, one write");
    OK_NEAR(cc_tile_closed(&p, &t), 3350, 0, "closed form agrees");
    p.cores = 2;
    cc_tile_simulate(&p, &t, NULL, NULL, &run);
    OK_NEAR(run.time, 1100 + 1100 + 50, 0, "two cores: the third tile follows the first");
    OK_NEAR(cc_tile_closed(&p, &t), 2250, 0, "closed form agrees");
    p.cores = 1;
    p.double_buffer = true;
    cc_tile_simulate(&p, &t, NULL, NULL, &run);
    OK_NEAR(run.time, 100 + 3000 + 50, 0, "two buffers hide the reads");
    t.k[0].w = 5000;
    cc_tile_simulate(&p, &t, NULL, NULL, &run);
    OK_NEAR(run.time, 1100 + 15000, 0, "bound by writes");
    p.blocking_writes = true;
    p.double_buffer = false;
    cc_tile_simulate(&p, &t, NULL, NULL, &run);
    OK_NEAR(run.time, 1100 + 2 * 6000 + 5000, 0, "one output buffer: the next compute waits for its write");
    OK_NEAR(cc_tile_corrected(&p, &t), run.time, 0, "corrected form agrees");
    t.k[0].w = 50;
    p = (struct cc_tile_problem){
        .cores = 2, .op_open = 7, .op_sched = 10, .op_close = 9, .dynamic = true, .dma = &d};
    cc_tile_simulate(&p, &t, NULL, NULL, &run);
    OK_NEAR(run.time, 7 + 10 + 1100 + 10 + 1100 + 50 + 9, 0, "overheads add up on the critical path");
}

static void test_models_agree(void)
{
    double worst = 0, worst_sum = 0;
    size_t unsound = 0, cases = 0;
    for (int i = 0; i < 12800; i++) {
        struct cc_dma d = random_dma(i & 1);
        struct cc_tile_problem p = random_problem(&d, i % 32, 200);
        struct cc_tiling t;
        struct cc_tile_run run;
        random_tile(&p, &t);
        cc_tile_simulate(&p, &t, NULL, NULL, &run);
        worst = fmax(worst, fabs(cc_tile_corrected(&p, &t) / run.time - 1));
        unsound += cc_tile_bound(&p, &t, INFINITY) > run.time * (1 + 1e-12);
        double sum = run.compute + run.read_wait + run.write_wait + run.overhead + run.idle;
        worst_sum = fmax(worst_sum, fabs(sum / run.time - 1));
        cases++;
    }
    OK(worst < 1e-10, "corrected form equals the simulation on %zu cases in all modes (worst %g)", cases,
       worst);
    OK_U64(unsound, 0, "the lower bound is never above the simulated time");
    OK(worst_sum < 1e-9, "the parts of a core's time add up (worst %g)", worst_sum);
}

static void test_many_cores(void)
{
    double worst = 0;
    for (int i = 0; i < 300; i++) {
        struct cc_dma d = random_dma(true);
        struct cc_tile_problem p = random_problem(&d, i % 32, 300);
        p.cores = between(60, 200);
        struct cc_tiling t;
        struct cc_tile_run run;
        random_tile(&p, &t);
        cc_tile_simulate(&p, &t, NULL, NULL, &run);
        worst = fmax(worst, fabs(cc_tile_corrected(&p, &t) / run.time - 1));
    }
    OK(worst < 1e-10, "60 to 200 cores: corrected form equals the simulation (worst %g)", worst);
}

/* The closed form is right for one class when writes are no longer than reads and there is no loop overhead.
 */
static void test_closed_exact_cases(void)
{
    double worst = 0;
    for (int i = 0; i < 3000; i++) {
        struct cc_dma d = linear_dma(0, 0, 0);
        struct cc_tile_problem p = {.cores = between(1, 12), .dma = &d};
        struct cc_tiling t = {.tiles = between(1, 300)};
        t.k[0] = (struct cc_tile_class){
            .n = t.tiles, .x = 1, .y = 1, .r = (double)between(1, 1000), .c = (double)between(0, 9000)};
        t.k[0].w = (double)between(0, (int64_t)t.k[0].r);
        struct cc_tile_run run;
        cc_tile_simulate(&p, &t, NULL, NULL, &run);
        worst = fmax(worst, fabs(cc_tile_closed(&p, &t) / run.time - 1));
    }
    OK(worst < 1e-12, "one class, W <= R, no overhead: the published form is exact (worst %g)", worst);
}

static struct cc_tile_point brute_force(const struct cc_tile_problem *p, enum cc_tile_model model,
                                        uint64_t *ret_n);

/* Equations 6.42 to 6.71 written down once more, as they stand, with gap_off of 6.49 as printed or as its
 * text reads. */
static double equations(const struct cc_tile_problem *p, const struct cc_tiling *t, bool printed)
{
    double start[4], end[4], next[4], n[4], sum = 0;
    int64_t off[4];
    for (int i = 0; i < 4; i++) {
        const struct cc_tile_class *k = &t->k[i];
        n[i] = (double)k->n;
        sum += n[i];
        off[i] = printed && i == 0 ? 0 : (int64_t)sum % p->cores;
        double ii = fmax(k->r, k->w) + p->op_sched, single = k->r + k->c + k->w + p->op_sched;
        double gap = fmax(k->c - ii * fmax((double)p->cores - 1, 0), 0);
        double h = n[i] >= 1, ramp = fmax(n[i] - 1, 0);
        double gaps = floor((ramp + (i ? (double)off[i - 1] : 0)) / (double)p->cores);
        start[i] = i ? end[i - 1] - h * (k->r + k->c) : 0;
        for (int j = 0; j < i; j++)
            start[i] = fmax(start[i], next[j]);
        end[i] = start[i] + h * single + ramp * ii + h * gaps * gap;
        next[i] = h * (end[i] - k->c - k->w + (off[i] == 0 ? gap : 0));
    }
    return end[3] - start[0] + p->op_open + p->op_close;
}

static void test_literal(void)
{
    double worst = 0, apart = 0;
    size_t differ = 0;
    for (int i = 0; i < 2000; i++) {
        struct cc_dma d = random_dma(i & 1);
        struct cc_tile_problem p = random_problem(&d, (i & 1) * 24, 200);
        struct cc_tiling t;
        random_tile(&p, &t);
        double read = cc_tile_closed(&p, &t);
        p.literal = true;
        double printed = cc_tile_closed(&p, &t);
        worst = fmax(worst, fabs(read / equations(&p, &t, false) - 1));
        worst = fmax(worst, fabs(printed / equations(&p, &t, true) - 1));
        differ += fabs(printed / read - 1) > 1e-12;
        apart = fmax(apart, fabs(printed / read - 1));
    }
    OK(worst < 1e-12, "both readings are the equations (worst %g)", worst);
    OK(differ > 100 && differ < 1000, "they differ in %zu of 2000 cases, by up to %.0f %%", differ,
       100 * apart);
}

/* A team works on one tile at a time: by hand, and against brute force. */
static void test_team(void)
{
    struct cc_dma d = linear_dma(100, 0, 1);
    struct cc_tile_problem p = {.image_w = 8,
                                .image_h = 10,
                                .kernel_w = 1,
                                .kernel_h = 1,
                                .in_bytes = 1,
                                .out_bytes = 1,
                                .planes = 1,
                                .kernel_time = 5,
                                .cores = 1,
                                .team = 4,
                                .team_cost = 30,
                                .memory = INFINITY,
                                .dma = &d};
    struct cc_tiling t;
    cc_tile_build(&p, 8, 10, &t);
    OK_NEAR(t.k[0].c, 5 * 8 * 3 + 30, 0, "ten rows on four cores: three for some, and the team's cost");
    OK_NEAR(cc_tile_time(&p, &t, CC_TILE_SIMULATE), 180 + 150 + 180, 0, "one tile: read, work, write");
    OK_NEAR(cc_tile_memory(&p, 8, 10), 160, 0, "one buffer for all");
    cc_tile_build(&p, 8, 4, &t);
    /* Tiles of 4, 4 and 2 rows: 132, 132 and 116 to read and to write, 70 to work on. */
    OK_NEAR(cc_tile_time(&p, &t, CC_TILE_SIMULATE), 2 * (132 + 70) + 116 + 70 + 116, 1e-9,
            "three tiles one after the other");
    size_t wrong = 0;
    for (int i = 0; i < 100; i++) {
        struct cc_dma e = random_dma(i & 1);
        struct cc_tile_problem q = random_problem(&e, i % 32, 40);
        q.cores = 1;
        q.team = between(2, 16);
        q.team_cost = (double)between(0, 500);
        struct cc_tile_result r;
        struct cc_err err = {0};
        uint64_t n;
        if (cc_tile_search(&q, CC_TILE_CORRECTED, false, &r, &err) < 0)
            continue;
        wrong += fabs(r.best.time / brute_force(&q, CC_TILE_CORRECTED, &n).time - 1) > 1e-12;
        cc_tile_result_fini(&r);
    }
    OK_U64(wrong, 0, "teams: the search finds what brute force does");
}

/* --- search --- */

static struct cc_tile_point brute_force(const struct cc_tile_problem *p, enum cc_tile_model model,
                                        uint64_t *ret_n)
{
    struct cc_tile_point best = {.time = INFINITY};
    *ret_n = 0;
    for (int64_t y = 1; y <= cc_tile_yi(p); y++)
        for (int64_t x = 1; x <= cc_tile_xi(p); x++) {
            struct cc_tiling t;
            if (!cc_tile_allowed(p, x, y) || !cc_tile_build(p, x, y, &t))
                continue;
            ++*ret_n;
            double time = cc_tile_time(p, &t, model);
            if (time < best.time)
                best = (struct cc_tile_point){.x = x, .y = y, .time = time};
        }
    return best;
}

static void add_constraints(struct cc_tile_problem *p)
{
    if (between(0, 1))
        p->memory = cc_tile_memory(p, between(1, cc_tile_xi(p)), between(1, cc_tile_yi(p)));
    if (between(0, 4) == 0)
        p->align = 1 << between(1, 3);
    if (between(0, 5) == 0) {
        p->aspect_x = between(1, 4);
        p->aspect_y = between(1, 4);
    }
    if (between(0, 4) == 0) {
        p->min_x = between(1, CC_MIN(6, cc_tile_xi(p)));
        p->max_y = between(3, 40);
    }
    p->planes = between(1, 3);
}

static void test_search(void)
{
    size_t wrong = 0, counted = 0, cases = 0, refused = 0, pruned = 0, space = 0;
    for (int i = 0; i < 600; i++) {
        struct cc_dma d = random_dma(i & 1);
        struct cc_tile_problem p = random_problem(&d, i % 32, 48);
        add_constraints(&p);
        enum cc_tile_model model = (enum cc_tile_model)(i % 3);
        struct cc_tile_result r;
        struct cc_err err = {0};
        uint64_t n;
        struct cc_tile_point want = brute_force(&p, model, &n);
        if (cc_tile_search(&p, model, i & 1, &r, &err) < 0) {
            refused++;
            wrong += n != 0;
            continue;
        }
        cases++;
        wrong += !(fabs(r.best.time / want.time - 1) < 1e-9);
        counted += r.space != n;
        pruned += r.space - CC_MIN(r.evaluated, r.space);
        space += r.space;
        cc_tile_result_fini(&r);
    }
    OK(wrong == 0, "the optimum is brute force's on %zu problems (%zu more have no tile)", cases, refused);
    OK_U64(counted, 0, "and the size of the space is");
    OK(pruned > space / 3, "the bound spares work: %zu of %zu points", pruned, space);
}

/* A front by its definition: no tile is better in one and no worse in the other. */
static bool front_right(const struct cc_tile_problem *p, const struct cc_tile_result *r, bool memory)
{
    size_t on = 0;
    for (size_t i = 0; i < r->pareto.n; i++)
        on += memory ? r->pareto.v[i].on_memory : r->pareto.v[i].on_bytes;
    bool right = on > 0;
    for (int64_t y = 1; y <= cc_tile_yi(p); y++)
        for (int64_t x = 1; x <= cc_tile_xi(p); x++) {
            struct cc_tiling t;
            if (!cc_tile_allowed(p, x, y) || !cc_tile_build(p, x, y, &t))
                continue;
            double time = cc_tile_corrected(p, &t);
            double cost = memory ? cc_tile_memory(p, x, y) : cc_tile_bytes(p, x, y);
            bool covered = false;
            for (size_t i = 0; i < r->pareto.n; i++) {
                const struct cc_tile_point *f = &r->pareto.v[i];
                if (memory ? !f->on_memory : !f->on_bytes)
                    continue;
                double fc = memory ? f->memory : f->bytes;
                covered |= f->time <= time * (1 + 1e-9) && fc <= cost;
                /* nothing dominates a point of the front */
                right &= !(time < f->time * (1 - 1e-9) && cost <= fc);
                right &= !(time <= f->time && cost < fc);
            }
            right &= covered;
        }
    return right;
}

static void test_fronts(void)
{
    size_t wrong = 0, points = 0;
    for (int i = 0; i < 60; i++) {
        struct cc_dma d = random_dma(i & 1);
        struct cc_tile_problem p = random_problem(&d, i % 32, 30);
        struct cc_tile_result r;
        struct cc_err err = {0};
        if (cc_tile_search(&p, CC_TILE_CORRECTED, true, &r, &err) < 0)
            continue;
        wrong += !front_right(&p, &r, false) || !front_right(&p, &r, true);
        points += r.pareto.n;
        cc_tile_result_fini(&r);
    }
    OK(wrong == 0 && points > 100, "both fronts are brute force's (%zu points)", points);
}

/* --- the thesis's case: binomial filter, 157 cycles, 500 MHz --- */

static double fps_43(struct cc_tile_problem p, int64_t x)
{
    struct cc_tiling t;
    cc_tile_build(&p, x, CC_MIN((2 * x * 3 + 4) / 8 + ((2 * x * 3 + 4) / 8 == 0), cc_tile_yi(&p)), &t);
    return 500e6 / cc_tile_corrected(&p, &t);
}

static int64_t best_width(const struct cc_tile_problem *p)
{
    int64_t best = 1;
    for (int64_t x = 1; x <= cc_tile_xi(p); x++)
        if (fps_43(*p, x) > fps_43(*p, best))
            best = x;
    return best;
}

static void test_thesis_shape(void)
{
    struct cc_dma d = linear_dma(400, 20, 0.25);
    struct cc_tile_problem qvga = {.image_w = 320,
                                   .image_h = 240,
                                   .kernel_w = 5,
                                   .kernel_h = 5,
                                   .in_bytes = 1,
                                   .out_bytes = 1,
                                   .planes = 1,
                                   .kernel_time = 157,
                                   .cores = 8,
                                   .memory = INFINITY,
                                   .dma = &d};
    struct cc_tile_problem vga = qvga, one = qvga, roof = qvga;
    vga.image_w = 640;
    vga.image_h = 480;
    one.cores = 1;
    roof.instant_dma = true;
    int64_t bq = best_width(&qvga), bv = best_width(&vga), b1 = best_width(&one);
    OK(bq > 4 && bq < 200, "8 cores: the best width is in between (%" PRId64 ")", bq);
    OK(fps_43(qvga, bq) > 0.95 * fps_43(roof, 16), "near the compute roof there");
    OK_NEAR(fps_43(qvga, 316) / fps_43(one, 316), 1, 0.001, "one tile: back to the speed of one core");
    OK(b1 > bq && bv > bq,
       "fewer cores or a larger image: wider tiles (%" PRId64 ", %" PRId64 " against %" PRId64 ")", b1, bv,
       bq);
    struct cc_tile_problem over = one;
    over.op_sched = 371;
    OK(fps_43(over, 4) < 0.9 * fps_43(one, 4) && fps_43(over, 40) > 0.99 * fps_43(one, 40),
       "overheads weigh on small tiles and vanish in large ones");
}

static void test_spread(void)
{
    struct cc_dma d = linear_dma(10, 0, 0);
    struct cc_tile_problem p = {.image_w = 64,
                                .image_h = 64,
                                .kernel_w = 1,
                                .kernel_h = 1,
                                .in_bytes = 1,
                                .out_bytes = 1,
                                .planes = 1,
                                .kernel_time = 100,
                                .cores = 1,
                                .memory = INFINITY,
                                .dma = &d};
    struct cc_tiling t;
    struct cc_tile_spread s;
    const struct cc_tile_samples none = {0};
    cc_tile_build(&p, 8, 8, &t);
    cc_tile_spread(&p, &t, 50, &none, &s);
    OK(s.p5 < s.mean && s.mean < s.p95, "varying times spread");
    OK_NEAR(s.mean, cc_tile_corrected(&p, &t), 0.02 * s.mean, "around the time of the mean");
}

/* Three calls of a task of 50 pixels, in nanoseconds, one with a call of itself inside. */
static void test_task(void)
{
    char path[TAP_FOLDER];
    tap_file(path);
    struct cc_store *store;
    struct cc_err err = {0};
    int rc = cc_store_create(path, &store, &err);
    if (!OK(rc == 0, "a profile is made (%s)", err.msg))
        return;
    struct cc_tasks_writer *w = cc_tasks_writer_new(store, "ns", 1e9, NULL, 0);
    uint32_t filter = (uint32_t)cc_tasks_name(w, "filter", &err),
             other = (uint32_t)cc_tasks_name(w, "other", &err);
    static const struct {
        bool end, other;
        uint64_t time;
    } events[] = {{0, 0, 0},    {1, 0, 1000}, {0, 1, 1000}, {0, 0, 1500}, {0, 0, 1600},
                  {1, 0, 1700}, {1, 0, 3500}, {1, 1, 4000}, {0, 0, 5000}, {1, 0, 8000}};
    for (size_t i = 0; i < CC_COUNT(events); i++)
        rc |= (events[i].end ? cc_tasks_end : cc_tasks_begin)(w, 0, events[i].other ? other : filter,
                                                              events[i].time, NULL, &err);
    rc |= cc_tasks_finish(w, 0, 8000, NULL, &err);
    cc_tasks_writer_free(w);
    rc |= cc_store_commit(store, &err); /* frees it */
    double mean = 0;
    struct cc_tile_samples samples = {0};
    struct cc_tile_task task = {path, "filter", 50, 5e8};
    OK(rc == 0 && cc_tile_task_time(&task, &mean, &samples, &err) == 0, "its task is read (%s)", err.msg);
    OK_NEAR(mean, (1000 + 2000 + 3000) / 3.0 / 50 / 2, 1e-12, "cycles per pixel at 500 MHz");
    OK(samples.n == 3 && samples.v[1] == 20, "each call is a sample");
    free(samples.v);
    err = (struct cc_err){0};
    task.name = "filtre";
    OK(cc_tile_task_time(&task, &mean, &samples, &err) < 0 && strstr(err.msg, "no task"),
       "an unknown task is refused");
    unlink(path);
}

/* --- what the README reports --- */

static int by_size(const void *a, const void *b)
{
    double x = fabs(*(const double *)a), y = fabs(*(const double *)b);
    return (x > y) - (x < y);
}

static void distribution(const char *name, int mode, bool same, int n)
{
    double *e = cc_alloc_array((size_t)n, sizeof *e), sum = 0, worst = 0, low = 0;
    for (int i = 0; i < n; i++) {
        struct cc_dma d = random_dma(same);
        struct cc_tile_problem p = random_problem(&d, mode, 200);
        struct cc_tiling t;
        struct cc_tile_run run;
        random_tile(&p, &t);
        cc_tile_simulate(&p, &t, NULL, NULL, &run);
        e[i] = cc_tile_closed(&p, &t) / run.time - 1;
        worst = fmax(worst, fabs(cc_tile_corrected(&p, &t) / run.time - 1));
        sum += fabs(e[i]);
        low += e[i] < -1e-9;
    }
    qsort(e, (size_t)n, sizeof *e, by_size);
    size_t exact = 0;
    while (exact < (size_t)n && fabs(e[exact]) < 1e-9)
        exact++;
    printf("| %s | %.1f %% | %.2f %% | %.2f %% | %.2f %% | %.2f %% | %.1f %% | %.0f %% | %.1e |\n", name,
           100.0 * (double)exact / n, 100 * sum / n, 100 * fabs(e[n / 2]), 100 * fabs(e[n * 9 / 10]),
           100 * fabs(e[n * 99 / 100]), 100 * fabs(e[n - 1]), 100 * low / n, worst);
    free(e);
}

static void print_distributions(int n)
{
    printf("| %d cases each | exact | mean | median | 90 %% | 99 %% | worst | too low | corrected form: "
           "worst |\n",
           n);
    puts("|---|---|---|---|---|---|---|---|---|");
    distribution("same channel speeds, same pixel sizes, no overhead", 0, true, n);
    distribution("+ overheads", 16, true, n);
    distribution("different channel speeds and pixel sizes", 8, false, n);
    distribution("+ overheads", 8 + 16, false, n);
    distribution("two buffers, different speeds, overheads", 1 + 8 + 16, false, n);
    distribution("dynamic assignment, different speeds, overheads", 2 + 8 + 16, false, n);
    distribution("blocking writes, different speeds, overheads", 4 + 8 + 16, false, n);
}

int main(int argc, char **argv)
{
    int64_t n;
    if (argc > 1 && cc_parse_i64(argv[1], &n) && n > 0 && n < 100000000) {
        print_distributions((int)n);
        return 0;
    }
    test_dma_grid();
    test_dma_fit();
    test_dma_hostile();
    test_geometry();
    test_by_hand();
    test_models_agree();
    test_many_cores();
    test_closed_exact_cases();
    test_literal();
    test_team();
    test_search();
    test_fronts();
    test_thesis_shape();
    test_spread();
    test_task();
    return TAP_DONE();
}
