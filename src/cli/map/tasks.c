/* corecast map TASKS.ini --platform P.ini: tasks onto units. */
#include "map.h"
#include "../../draw/chart.h"
#include "../../draw/chrome.h"

#include <math.h>

static const char *const objective_names[] = {"latency", "throughput", "energy", "pareto"};

struct tasks {
    const struct cc_platform *platform;
    const struct cc_map_options *o;
    const struct cc_map_problem *p;
    const struct cc_map_recorded *recorded;
    struct cc_map_result r;
};

static double in_clock(const struct tasks *m, double seconds)
{
    return seconds / m->p->clock_second;
}

static const struct cc_map_option *option_of(const struct tasks *m, const struct cc_map_solution *s,
                                             size_t task)
{
    return &m->p->tasks.v[task].options.v[s->tasks[task].option];
}

static const char *unit_of(const struct tasks *m, const struct cc_map_solution *s, size_t task)
{
    return m->p->units.v[option_of(m, s, task)->unit].name;
}

/* Time a unit's cores are at work, spread over all of them. */
static double load_of(const struct tasks *m, const struct cc_map_solution *s, size_t unit)
{
    double sum = 0;
    for (size_t i = 0; i < m->p->tasks.n; i++) {
        const struct cc_map_option *o = option_of(m, s, i);
        if (o->unit == unit)
            sum += (s->tasks[i].finish - s->tasks[i].start) * (double)o->cores /
                   (double)m->p->units.v[unit].cores;
    }
    return sum;
}

static double crossing_bytes(const struct tasks *m, const struct cc_map_solution *s)
{
    double sum = 0;
    for (size_t e = 0; e < m->p->edges.n; e++)
        if (option_of(m, s, m->p->edges.v[e].from)->unit != option_of(m, s, m->p->edges.v[e].to)->unit)
            sum += m->p->edges.v[e].bytes;
    return sum;
}

/* Most bytes any pair of units exchanges in one direction. */
static double fullest_pair(const struct tasks *m, const struct cc_map_solution *s)
{
    size_t units = m->p->units.n;
    CC_CLEANUP(cc_free_ptr) double *pair = cc_alloc_array(units * units, sizeof *pair);
    double most = 0;
    for (size_t e = 0; e < m->p->edges.n; e++) {
        const struct cc_map_edge *edge = &m->p->edges.v[e];
        size_t u = option_of(m, s, edge->from)->unit, v = option_of(m, s, edge->to)->unit;
        if (u != v)
            most = fmax(most, pair[u * units + v] += edge->bytes);
    }
    return most;
}

/* What an alternative does otherwise: "hough: gpu instead of arm", two of them at most. */
static void describe(const struct tasks *m, const struct cc_map_solution *s, struct cc_buf *b)
{
    size_t n = 0;
    for (size_t i = 0; i < m->p->tasks.n; i++) {
        if (s->tasks[i].option == m->r.best[0].tasks[i].option)
            continue;
        if (++n > 2)
            continue;
        cc_buf_printf(b, "%s%s on ", n > 1 ? ", " : "", m->p->tasks.v[i].name);
        size_t cores = option_of(m, s, i)->cores;
        if (m->p->units.v[option_of(m, s, i)->unit].cores > 1)
            cc_buf_printf(b, "%zu core%s of ", cores, cores == 1 ? "" : "s");
        cc_buf_puts(b, unit_of(m, s, i));
    }
    if (n > 2)
        cc_buf_printf(b, " and %zu more", n - 2);
}

static double value_of(const struct tasks *m, const struct cc_map_solution *s)
{
    return m->o->objective == CC_MAP_THROUGHPUT ? in_clock(m, s->period)
           : m->o->objective == CC_MAP_ENERGY   ? s->energy
                                                : in_clock(m, s->time);
}

/* --- the result --- */

static const struct cc_col schedule_columns[] = {
    {"task", "task", CC_COL_STR},
    {"unit", "unit", CC_COL_STR},
    {"cores", "cores", CC_COL_INT},
    {"start", "start", CC_COL_NUM, .digits = 3},
    {"end", "end", CC_COL_NUM, .digits = 3},
    {NULL, "low", CC_COL_NUM, .digits = 3},
    {NULL, "high", CC_COL_NUM, .digits = 3},
};

static const struct cc_col unit_columns[] = {
    {"unit", "unit", CC_COL_STR},
    {NULL, "cores", CC_COL_INT},
    {NULL, "tasks", CC_COL_INT},
    {"load", "at work", CC_COL_NUM, .digits = 3},
    {NULL, "of the time", CC_COL_PERCENT, .digits = 1},
};

static size_t tasks_on(const struct tasks *m, const struct cc_map_solution *s, size_t unit)
{
    size_t n = 0;
    for (size_t i = 0; i < m->p->tasks.n; i++)
        n += option_of(m, s, i)->unit == unit;
    return n;
}

static void put_task(struct cc_table *t, const struct tasks *m, const struct cc_map_solution *s, size_t i,
                     enum cc_row_where where)
{
    const struct cc_map_option *o = option_of(m, s, i);
    cc_table_row(t);
    cc_table_row_only(t, where);
    cc_table_str(t, m->p->tasks.v[i].name);
    cc_table_str(t, unit_of(m, s, i));
    cc_table_u64(t, o->cores);
    cc_table_num(t, in_clock(m, s->tasks[i].start));
    cc_table_num(t, in_clock(m, s->tasks[i].finish));
    cc_table_num(t, in_clock(m, o->low));
    cc_table_num(t, in_clock(m, o->high));
}

static void put_unit(struct cc_table *t, const struct tasks *m, const struct cc_map_solution *s, size_t u)
{
    cc_table_str(t, m->p->units.v[u].name);
    cc_table_u64(t, m->p->units.v[u].cores);
    cc_table_u64(t, tasks_on(m, s, u));
    cc_table_num(t, in_clock(m, load_of(m, s, u)));
    cc_table_num(t, s->time > 0 ? load_of(m, s, u) / s->time : NAN);
}

/* Text shows the first solution, its tasks in the order in which they run. */
static void add_solution(struct cc_result *r, const struct tasks *m, const struct cc_map_solution *s,
                         bool in_text)
{
    size_t n = m->p->tasks.n, shown = !in_text ? 0 : m->o->all ? n : CC_MIN(n, (size_t)m->o->top);
    struct cc_table *t = cc_result_table(r, "assignment", schedule_columns, CC_COUNT(schedule_columns));
    for (size_t k = 0; k < shown; k++)
        put_task(t, m, s, s->order[k], CC_ROW_TEXT);
    for (size_t i = 0; i < n; i++)
        put_task(t, m, s, i, CC_ROW_DATA);
    if (in_text && shown < n)
        cc_result_note(r, "and %zu more (--all shows them)", n - shown);
    cc_result_num(r, "time", in_clock(m, s->time));
    cc_result_num(r, "time_low", in_clock(m, s->low));
    cc_result_num(r, "time_high", in_clock(m, s->high));
    cc_result_num(r, "period", in_clock(m, s->period));
    cc_result_num(r, "energy", s->energy);
    t = cc_result_table(r, "loads", unit_columns, CC_COUNT(unit_columns));
    for (size_t u = 0; u < m->p->units.n; u++) {
        cc_table_row(t);
        cc_table_row_only(t, in_text ? CC_ROW_EVERYWHERE : CC_ROW_DATA);
        put_unit(t, m, s, u);
    }
    cc_result_num(r, "cut_bytes", crossing_bytes(m, s));
    cc_result_null(r, "hop_bytes");
    cc_result_num(r, "max_link", fullest_pair(m, s));
}

/* What the next best do otherwise: their whole schedules are in JSON only. */
static void compare_alternatives(struct cc_result *r, const struct tasks *m)
{
    static const char *const titles[] = {"time", "period", "joules", "time"};
    const struct cc_col cols[] = {
        {NULL, titles[m->o->objective], CC_COL_NUM, .digits = 3},
        {NULL, "worse by", CC_COL_PERCENT, .digits = 2},
        {NULL, "chosen one wins", CC_COL_PERCENT, .digits = 1},
        {NULL, "difference", CC_COL_STR},
    };
    if (!m->r.nalternatives)
        return;
    cc_result_gap(r);
    cc_result_note(r, "next best mappings%s:", m->r.alternatives_proven ? "" : " found");
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t k = 0; k < m->r.nalternatives; k++) {
        const struct cc_map_solution *s = &m->r.alternatives[k];
        struct cc_buf what = {0};
        describe(m, s, &what);
        cc_table_row(t);
        cc_table_num(t, value_of(m, s));
        cc_table_num(t, value_of(m, s) / value_of(m, m->r.best) - 1);
        cc_table_num(t, s->better);
        cc_table_str(t, what.s);
        cc_buf_fini(&what);
    }
}

static void compare_front(struct cc_result *r, const struct tasks *m)
{
    static const struct cc_col cols[] = {
        {NULL, "time", CC_COL_NUM, .digits = 3},
        {NULL, "joules", CC_COL_NUM, .digits = 6},
        {NULL, "tasks on each unit", CC_COL_MAP},
    };
    cc_result_gap(r);
    cc_result_note(r, "front of time and energy (%zu points%s):", m->r.nbest,
                   m->r.proven ? ", proven" : ", not proven");
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t k = 0; k < m->r.nbest; k++) {
        const struct cc_map_solution *s = &m->r.best[k];
        cc_table_row(t);
        cc_table_num(t, in_clock(m, s->time));
        cc_table_num(t, s->energy);
        cc_table_map(t);
        for (size_t u = 0; u < m->p->units.n; u++) {
            cc_table_key(t, m->p->units.v[u].name);
            cc_table_u64(t, tasks_on(m, s, u));
        }
        cc_table_end(t);
    }
    cc_result_note(r, "the fastest of them:");
}

static double lower_bound(const struct tasks *m)
{
    return m->o->objective == CC_MAP_ENERGY ? m->r.lower_bound : in_clock(m, m->r.lower_bound);
}

static void add_words(struct cc_result *r, const struct tasks *m)
{
    const struct cc_map_solution *s = &m->r.best[0];
    const char *clock = m->p->clock;
    if (s->high > s->low)
        cc_result_fact(r, "time", "%.6g %s (%.6g to %.6g; 90 %% of runs in %.6g to %.6g)",
                       in_clock(m, s->time), clock, in_clock(m, s->low), in_clock(m, s->high),
                       in_clock(m, m->r.quantiles[0]), in_clock(m, m->r.quantiles[2]));
    else
        cc_result_fact(r, "time", "%.6g %s", in_clock(m, s->time), clock);
    cc_result_fact(r, "period", "%.6g %s when inputs stream through", in_clock(m, s->period), clock);
    if (!isnan(s->energy))
        cc_result_fact(r, "energy", "%.6g J", s->energy);
    if (m->o->objective == CC_MAP_PARETO)
        return;
    if (m->r.proven)
        cc_result_fact(r, "proven", "no mapping is better");
    else
        cc_result_fact(r, "bound", "no mapping is below %.6g: at most %.1f %% can be gained", lower_bound(m),
                       100 * (1 - lower_bound(m) / value_of(m, s)));
}

static void add_recorded(struct cc_result *r, const struct cc_map_recorded *f)
{
    cc_result_obj(r, "recording");
    cc_result_u64(r, "merged", f->merged);
    cc_result_u64(r, "merged_into", f->groups);
    cc_result_u64(r, "dropped_streams", f->dropped);
    cc_result_num(r, "dropped_bytes", f->dropped_bytes);
    cc_result_u64(r, "rest", f->rest);
    cc_result_num(r, "rest_share", f->rest_share);
    cc_result_str(r, "unable", f->unable);
    cc_result_end(r);
}

static void add_search(struct cc_result *r, const struct tasks *m)
{
    cc_result_num(r, "lower_bound", lower_bound(m));
    cc_result_bool(r, "proven", m->r.proven);
    cc_result_u64(r, "steps", m->r.steps);
    cc_result_arr(r, "quantiles");
    for (size_t k = 0; k < CC_COUNT(m->r.quantiles); k++)
        cc_result_num(r, NULL, in_clock(m, m->r.quantiles[k]));
    cc_result_end(r);
    cc_result_u64(r, "samples", m->r.samples);
    cc_result_bool(r, "alternatives_proven", m->r.alternatives_proven);
}

/* The other solutions, as data. */
static void add_others(struct cc_result *r, const struct tasks *m)
{
    cc_result_arr(r, "alternatives");
    for (size_t k = 0; k < m->r.nalternatives; k++) {
        cc_result_obj(r, NULL);
        cc_result_num(r, "probability", m->r.alternatives[k].better);
        add_solution(r, m, &m->r.alternatives[k], false);
        cc_result_end(r);
    }
    cc_result_end(r);
    if (m->o->objective != CC_MAP_PARETO)
        return;
    cc_result_arr(r, "pareto");
    for (size_t k = 0; k < m->r.nbest; k++) {
        cc_result_obj(r, NULL);
        add_solution(r, m, &m->r.best[k], false);
        cc_result_end(r);
    }
    cc_result_end(r);
}

static struct cc_result *build(const struct tasks *m)
{
    struct cc_result *r = cc_result_new("corecast.map", 1);
    const char *objective = objective_names[m->o->objective];
    cc_result_note(r, "%s: %zu tasks on %zu units, %s, times in %s", m->p->name, m->p->tasks.n, m->p->units.n,
                   objective, m->p->clock);
    cc_result_str(r, "kind", "mapping");
    cc_result_str(r, "input", m->p->path);
    cc_result_str(r, "name", m->p->name);
    cc_result_str(r, "clock", m->p->clock);
    cc_result_str(r, "objective", objective);
    if (m->recorded)
        add_recorded(r, m->recorded);
    if (m->o->objective == CC_MAP_PARETO)
        compare_front(r, m);
    add_solution(r, m, &m->r.best[0], true);
    add_search(r, m);
    add_words(r, m);
    compare_alternatives(r, m);
    add_others(r, m);
    cc_platform_show_assumed(m->platform, r);
    return r;
}

/* --- pictures and the trace --- */

/* Bars of a Gantt chart: one row for each core in use (tasks on several cores show on the first of them), so
 * that bars of one row never overlap. */
struct rows {
    size_t *row; /* of each task */
    const char **names;
    size_t n;
    struct cc_arena arena;
};

static void assign_rows(const struct tasks *m, const struct cc_map_solution *s, struct rows *r)
{
    size_t n = m->p->tasks.n;
    *r = (struct rows){.row = cc_alloc_array(n, sizeof *r->row),
                       .names = cc_alloc_array(n + m->p->units.n, sizeof *r->names)};
    double *until = cc_alloc_array(n + m->p->units.n, sizeof *until);
    for (size_t u = 0; u < m->p->units.n; u++) {
        size_t first = r->n;
        r->names[r->n++] = m->p->units.v[u].name;
        for (size_t k = 0; k < n; k++) {
            size_t i = s->order[k];
            if (option_of(m, s, i)->unit != u)
                continue;
            size_t at = first;
            while (at < r->n && until[at] > s->tasks[i].start * (1 + 1e-9))
                at++;
            if (at == r->n) {
                char name[80];
                snprintf(name, sizeof name, "%.60s (%zu)", m->p->units.v[u].name, at - first + 1);
                r->names[r->n++] = cc_arena_strdup(&r->arena, name);
            }
            r->row[i] = at;
            until[at] = s->tasks[i].finish;
        }
    }
    free(until);
}

static void rows_fini(struct rows *r)
{
    free(r->row);
    free(r->names);
    cc_arena_fini(&r->arena);
}

static int write_gantt(const struct tasks *m, const char *path, struct cc_err *err)
{
    const struct cc_map_solution *s = &m->r.best[0];
    struct rows rows;
    assign_rows(m, s, &rows);
    size_t n = m->p->tasks.n;
    struct cc_gantt_bar *bars = cc_alloc_array(n, sizeof *bars);
    for (size_t i = 0; i < n; i++)
        bars[i] = (struct cc_gantt_bar){.row = rows.row[i],
                                        .start = in_clock(m, s->tasks[i].start),
                                        .end = in_clock(m, s->tasks[i].finish),
                                        .label = m->p->tasks.v[i].name,
                                        .color = option_of(m, s, i)->unit};
    CC_CLEANUP(cc_free_ptr) const char **legend = cc_alloc_array(m->p->units.n, sizeof *legend);
    for (size_t u = 0; u < m->p->units.n; u++)
        legend[u] = m->p->units.v[u].name;
    struct cc_gantt_chart chart = {.title = m->p->name,
                                   .x_label = m->p->clock,
                                   .rows = rows.names,
                                   .nrows = rows.n,
                                   .bars = bars,
                                   .nbars = n,
                                   .legend = legend,
                                   .nlegend = m->p->units.n};
    struct cc_buf svg;
    cc_chart_gantt(&chart, &svg);
    int rc = cc_output_file(path, &svg, err);
    cc_buf_fini(&svg);
    free(bars);
    rows_fini(&rows);
    return rc;
}

static int write_front(const struct tasks *m, const char *path, struct cc_err *err)
{
    size_t n = m->r.nbest;
    double *x = cc_alloc_array(n, sizeof *x), *y = cc_alloc_array(n, sizeof *y);
    for (size_t k = 0; k < n; k++) {
        x[k] = in_clock(m, m->r.best[k].time);
        y[k] = m->r.best[k].energy;
    }
    struct cc_series series[] = {
        {.name = NULL, .style = CC_SERIES_STEP, .x = x, .y = y, .n = n, .color = "#bbbbbb"},
        {.name = "mapping", .style = CC_SERIES_POINTS, .x = x, .y = y, .n = n}};
    char label[32];
    snprintf(label, sizeof label, "time, %.8s", m->p->clock);
    struct cc_xy_chart chart = {
        .title = m->p->name, .x_label = label, .y_label = "energy, J", .series = series, .nseries = 2};
    struct cc_buf svg;
    cc_chart_xy(&chart, &svg);
    int rc = cc_output_file(path, &svg, err);
    cc_buf_fini(&svg);
    free(x);
    free(y);
    return rc;
}

static struct cc_chrome_event task_event(const struct tasks *m, const struct cc_map_solution *s,
                                         const struct rows *rows, size_t i)
{
    return (struct cc_chrome_event){.name = m->p->tasks.v[i].name,
                                    .category = "task",
                                    .process = option_of(m, s, i)->unit,
                                    .thread = rows->row[i],
                                    .start = s->tasks[i].start * 1e6,
                                    .length = (s->tasks[i].finish - s->tasks[i].start) * 1e6};
}

/* Each row that has a task, in the process of its unit. */
static void name_threads(const struct tasks *m, const struct cc_map_solution *s, const struct rows *rows,
                         struct cc_chrome *c)
{
    CC_CLEANUP(cc_free_ptr) bool *named = cc_alloc_array(rows->n + 1, sizeof *named);
    for (size_t i = 0; i < m->p->tasks.n; i++) {
        size_t row = rows->row[i];
        if (!named[row])
            cc_chrome_thread(c, option_of(m, s, i)->unit, row, rows->names[row]);
        named[row] = true;
    }
}

/* Units are processes, cores in use are threads, transfers arrows. */
static int write_trace(const struct tasks *m, const char *path, struct cc_err *err)
{
    const struct cc_map_solution *s = &m->r.best[0];
    struct cc_outfile out;
    int rc = cc_outfile_open(&out, path, err);
    if (rc < 0)
        return rc;
    struct rows rows;
    assign_rows(m, s, &rows);
    struct cc_chrome c;
    cc_chrome_begin(&c, out.f, "ms", NULL);
    for (size_t u = 0; u < m->p->units.n; u++)
        cc_chrome_process(&c, u, m->p->units.v[u].name);
    name_threads(m, s, &rows, &c);
    for (size_t i = 0; i < m->p->tasks.n; i++) {
        struct cc_chrome_event e = task_event(m, s, &rows, i);
        cc_json_u64(cc_chrome_event_open(&c, &e), "cores", option_of(m, s, i)->cores);
        cc_chrome_event_close(&c);
    }
    for (size_t e = 0; e < m->p->edges.n; e++) {
        struct cc_chrome_event from = task_event(m, s, &rows, m->p->edges.v[e].from);
        struct cc_chrome_event to = task_event(m, s, &rows, m->p->edges.v[e].to);
        cc_chrome_arrow(&c, "data", "transfer", &from, &to);
    }
    cc_chrome_end(&c);
    rows_fini(&rows);
    return cc_outfile_commit(&out, err);
}

typedef int apply_pin(struct cc_map_problem *p, const char *task, const char *unit, struct cc_err *err);

static int apply_pins(const struct cc_strs *list, const char *option, struct cc_map_problem *p,
                      apply_pin *apply, struct cc_err *err)
{
    for (size_t i = 0; i < list->n; i++) {
        CC_CLEANUP(cc_free_ptr) char *task = NULL;
        CC_CLEANUP(cc_free_ptr) char *unit = NULL;
        int rc = cc_map_assignment(option, list->v[i], &task, &unit, err);
        if (rc == 0 && (rc = apply(p, task, unit, err)) < 0)
            cc_err_context(err, "option '--%s'", option);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int show(const struct tasks *m, struct cc_err *err)
{
    const struct cc_map_options *o = m->o;
    struct cc_result *r = build(m);
    int rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    if (rc == 0 && o->svg)
        rc = o->objective == CC_MAP_PARETO ? write_front(m, o->svg, err) : write_gantt(m, o->svg, err);
    if (rc == 0 && o->trace)
        rc = write_trace(m, o->trace, err);
    return rc;
}

int cc_map_tasks(const struct cc_map_options *o, struct cc_map_problem *p, const struct cc_platform *platform,
                 const struct cc_map_recorded *recorded, struct cc_err *err)
{
    int rc = apply_pins(&o->pin, "pin", p, cc_map_problem_pin, err);
    if (rc == 0)
        rc = apply_pins(&o->forbid, "forbid", p, cc_map_problem_forbid, err);
    if (rc < 0)
        return rc;
    struct tasks m = {.o = o, .p = p, .platform = platform, .recorded = recorded};
    struct cc_progress progress = {.what = "mapping", .unit = "steps"};
    struct cc_map_solve_options so = {.objective = (enum cc_map_objective)o->objective,
                                      .plan = (enum cc_map_plan)o->plan,
                                      .deadline = o->deadline > 0 ? o->deadline * p->clock_second : INFINITY,
                                      .effort = o->effort,
                                      .alternatives = (size_t)o->alternatives,
                                      .count = &progress.count};
    cc_output_progress(&o->common, &progress);
    rc = cc_map_solve(p, &so, &m.r, err);
    cc_progress_end(&progress);
    if (rc < 0)
        return rc;
    rc = show(&m, err);
    cc_map_result_fini(&m.r);
    return rc;
}
