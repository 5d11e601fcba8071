/* corecast map TASKS.ini --platform P.ini: tasks onto units. */
#include "map.h"
#include "../../base/table.h"
#include "../../draw/chart.h"
#include "../../draw/chrome.h"

#include <math.h>

static const char *const objective_names[] = {"latency", "throughput", "energy", "pareto"};

struct tasks {
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

static void print_schedule(const struct tasks *m, const struct cc_map_solution *s, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "task", .title = "task", .type = CC_COL_STR},
        {.key = "unit", .title = "unit", .type = CC_COL_STR},
        {.key = "cores", .title = "cores", .type = CC_COL_INT},
        {.key = "start", .title = "start", .type = CC_COL_NUM, .digits = 3},
        {.key = "end", .title = "end", .type = CC_COL_NUM, .digits = 3},
        {.key = "low", .title = "low", .type = CC_COL_NUM, .digits = 3},
        {.key = "high", .title = "high", .type = CC_COL_NUM, .digits = 3},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    size_t n = m->p->tasks.n, shown = m->o->all ? n : CC_MIN(n, (size_t)m->o->top);
    for (size_t k = 0; k < shown; k++) {
        size_t i = s->order[k];
        const struct cc_map_option *o = option_of(m, s, i);
        cc_table_row(t);
        cc_table_str(t, m->p->tasks.v[i].name);
        cc_table_str(t, unit_of(m, s, i));
        cc_table_int(t, (int64_t)o->cores);
        cc_table_num(t, in_clock(m, s->tasks[i].start));
        cc_table_num(t, in_clock(m, s->tasks[i].finish));
        cc_table_num(t, in_clock(m, o->low));
        cc_table_num(t, in_clock(m, o->high));
    }
    cc_table_print_text(t, out);
    if (shown < n)
        fprintf(out, "and %zu more (--all shows them)\n", n - shown);
    cc_table_free(t);
}

static void print_units(const struct tasks *m, const struct cc_map_solution *s, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "unit", .title = "unit", .type = CC_COL_STR},
        {.key = "cores", .title = "cores", .type = CC_COL_INT},
        {.key = "tasks", .title = "tasks", .type = CC_COL_INT},
        {.key = "load", .title = "at work", .type = CC_COL_NUM, .digits = 3},
        {.key = "share", .title = "of the time", .type = CC_COL_PERCENT, .digits = 1},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t u = 0; u < m->p->units.n; u++) {
        int64_t n = 0;
        for (size_t i = 0; i < m->p->tasks.n; i++)
            n += option_of(m, s, i)->unit == u;
        cc_table_row(t);
        cc_table_str(t, m->p->units.v[u].name);
        cc_table_int(t, (int64_t)m->p->units.v[u].cores);
        cc_table_int(t, n);
        cc_table_num(t, in_clock(m, load_of(m, s, u)));
        cc_table_num(t, s->time > 0 ? load_of(m, s, u) / s->time : NAN);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
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

static void print_alternatives(const struct tasks *m, FILE *out)
{
    struct cc_col cols[] = {
        {.key = "value",
         .title = m->o->objective == CC_MAP_THROUGHPUT ? "period"
                  : m->o->objective == CC_MAP_ENERGY   ? "joules"
                                                       : "time",
         .type = CC_COL_NUM,
         .digits = 3},
        {.key = "worse", .title = "worse by", .type = CC_COL_PERCENT, .digits = 2},
        {.key = "better", .title = "chosen one wins", .type = CC_COL_PERCENT, .digits = 1},
        {.key = "what", .title = "difference", .type = CC_COL_STR},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
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
    fprintf(out, "\nnext best mappings%s:\n", m->r.alternatives_proven ? "" : " found");
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_front(const struct tasks *m, FILE *out)
{
    static const struct cc_col cols[] = {
        {.key = "time", .title = "time", .type = CC_COL_NUM, .digits = 3},
        {.key = "energy", .title = "joules", .type = CC_COL_NUM, .digits = 6},
        {.key = "units", .title = "tasks on each unit", .type = CC_COL_STR},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t k = 0; k < m->r.nbest; k++) {
        const struct cc_map_solution *s = &m->r.best[k];
        struct cc_buf b = {0};
        for (size_t u = 0; u < m->p->units.n; u++) {
            size_t n = 0;
            for (size_t i = 0; i < m->p->tasks.n; i++)
                n += option_of(m, s, i)->unit == u;
            cc_buf_printf(&b, "%s%s %zu", u ? ", " : "", m->p->units.v[u].name, n);
        }
        cc_table_row(t);
        cc_table_num(t, in_clock(m, s->time));
        cc_table_num(t, s->energy);
        cc_table_str(t, b.s);
        cc_buf_fini(&b);
    }
    fprintf(out, "front of time and energy (%zu points%s):\n", m->r.nbest,
            m->r.proven ? ", proven" : ", not proven");
    cc_table_print_text(t, out);
    fputs("\nthe fastest of them:\n", out);
    cc_table_free(t);
}

static void print_text(const struct tasks *m, FILE *out)
{
    const struct cc_map_solution *s = &m->r.best[0];
    const char *clock = m->p->clock;
    cc_text_print_safe(out, m->p->name);
    fprintf(out, ": %zu tasks on %zu units, %s, times in %s\n\n", m->p->tasks.n, m->p->units.n,
            objective_names[m->o->objective], clock);
    if (m->o->objective == CC_MAP_PARETO)
        print_front(m, out);
    print_schedule(m, s, out);
    fputc('\n', out);
    print_units(m, s, out);
    fprintf(out, "\ntime     %.6g %s", in_clock(m, s->time), clock);
    if (s->high > s->low)
        fprintf(out, " (%.6g to %.6g; 90 %% of runs in %.6g to %.6g)", in_clock(m, s->low),
                in_clock(m, s->high), in_clock(m, m->r.quantiles[0]), in_clock(m, m->r.quantiles[2]));
    fprintf(out, "\nperiod   %.6g %s when inputs stream through\n", in_clock(m, s->period), clock);
    if (!isnan(s->energy))
        fprintf(out, "energy   %.6g J\n", s->energy);
    if (m->o->objective != CC_MAP_PARETO) {
        double value = value_of(m, s),
               bound = m->o->objective == CC_MAP_ENERGY ? m->r.lower_bound : in_clock(m, m->r.lower_bound);
        if (m->r.proven)
            fputs("proven   no mapping is better\n", out);
        else
            fprintf(out, "bound    no mapping is below %.6g: at most %.1f %% can be gained\n", bound,
                    100 * (1 - bound / value));
    }
    if (m->r.nalternatives)
        print_alternatives(m, out);
}

static void json_solution(struct cc_json *j, const struct tasks *m, const struct cc_map_solution *s)
{
    cc_json_arr(j, "assignment");
    for (size_t i = 0; i < m->p->tasks.n; i++) {
        cc_json_obj(j, NULL);
        cc_json_str(j, "task", m->p->tasks.v[i].name);
        cc_json_str(j, "unit", unit_of(m, s, i));
        cc_json_u64(j, "cores", option_of(m, s, i)->cores);
        cc_json_num(j, "start", in_clock(m, s->tasks[i].start));
        cc_json_num(j, "end", in_clock(m, s->tasks[i].finish));
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_num(j, "time", in_clock(m, s->time));
    cc_json_num(j, "time_low", in_clock(m, s->low));
    cc_json_num(j, "time_high", in_clock(m, s->high));
    cc_json_num(j, "period", in_clock(m, s->period));
    cc_json_num(j, "energy", s->energy);
    cc_json_arr(j, "loads");
    for (size_t u = 0; u < m->p->units.n; u++) {
        cc_json_obj(j, NULL);
        cc_json_str(j, "unit", m->p->units.v[u].name);
        cc_json_num(j, "load", in_clock(m, load_of(m, s, u)));
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_num(j, "cut_bytes", crossing_bytes(m, s));
    cc_json_null(j, "hop_bytes");
    cc_json_num(j, "max_link", fullest_pair(m, s));
}

static void json_recorded(struct cc_json *j, const struct cc_map_recorded *r)
{
    cc_json_obj(j, "recording");
    cc_json_u64(j, "merged", r->merged);
    cc_json_u64(j, "merged_into", r->groups);
    cc_json_u64(j, "dropped_streams", r->dropped);
    cc_json_num(j, "dropped_bytes", r->dropped_bytes);
    cc_json_u64(j, "rest", r->rest);
    cc_json_num(j, "rest_share", r->rest_share);
    cc_json_str(j, "unable", r->unable);
    cc_json_end(j);
}

static void print_json(const struct tasks *m, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.map", 1);
    cc_json_str(&j, "kind", "mapping");
    cc_json_str(&j, "input", m->p->path);
    cc_json_str(&j, "name", m->p->name);
    cc_json_str(&j, "clock", m->p->clock);
    cc_json_str(&j, "objective", objective_names[m->o->objective]);
    if (m->recorded)
        json_recorded(&j, m->recorded);
    json_solution(&j, m, &m->r.best[0]);
    bool joules = m->o->objective == CC_MAP_ENERGY;
    cc_json_num(&j, "lower_bound", joules ? m->r.lower_bound : in_clock(m, m->r.lower_bound));
    cc_json_bool(&j, "proven", m->r.proven);
    cc_json_u64(&j, "steps", m->r.steps);
    cc_json_arr(&j, "quantiles");
    for (size_t k = 0; k < CC_COUNT(m->r.quantiles); k++)
        cc_json_num(&j, NULL, in_clock(m, m->r.quantiles[k]));
    cc_json_end(&j);
    cc_json_u64(&j, "samples", m->r.samples);
    cc_json_arr(&j, "alternatives");
    for (size_t k = 0; k < m->r.nalternatives; k++) {
        cc_json_obj(&j, NULL);
        cc_json_num(&j, "probability", m->r.alternatives[k].better);
        json_solution(&j, m, &m->r.alternatives[k]);
        cc_json_end(&j);
    }
    cc_json_end(&j);
    cc_json_bool(&j, "alternatives_proven", m->r.alternatives_proven);
    if (m->o->objective == CC_MAP_PARETO) {
        cc_json_arr(&j, "pareto");
        for (size_t k = 0; k < m->r.nbest; k++) {
            cc_json_obj(&j, NULL);
            json_solution(&j, m, &m->r.best[k]);
            cc_json_end(&j);
        }
        cc_json_end(&j);
    }
    cc_json_end(&j);
}

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

static int apply_pins(const struct cc_strs *list, const char *option, struct cc_map_problem *p,
                      int (*apply)(struct cc_map_problem *, const char *, const char *, struct cc_err *),
                      struct cc_err *err)
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
    struct cc_outfile out = {0};
    int rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    if (o->common.json)
        print_json(m, out.f);
    else
        print_text(m, out.f);
    rc = cc_outfile_commit(&out, err);
    if (rc == 0 && o->svg)
        rc = o->objective == CC_MAP_PARETO ? write_front(m, o->svg, err) : write_gantt(m, o->svg, err);
    if (rc == 0 && o->trace)
        rc = write_trace(m, o->trace, err);
    return rc;
}

int cc_map_tasks(const struct cc_map_options *o, struct cc_map_problem *p,
                 const struct cc_map_recorded *recorded, struct cc_err *err)
{
    int rc = apply_pins(&o->pin, "pin", p, cc_map_problem_pin, err);
    if (rc == 0)
        rc = apply_pins(&o->forbid, "forbid", p, cc_map_problem_forbid, err);
    if (rc < 0)
        return rc;
    struct tasks m = {.o = o, .p = p, .recorded = recorded};
    struct cc_map_solve_options so = {.objective = (enum cc_map_objective)o->objective,
                                      .plan = (enum cc_map_plan)o->plan,
                                      .deadline = o->deadline > 0 ? o->deadline * p->clock_second : INFINITY,
                                      .effort = o->effort,
                                      .alternatives = (size_t)o->alternatives};
    rc = cc_map_solve(p, &so, &m.r, err);
    if (rc < 0)
        return rc;
    rc = show(&m, err);
    cc_map_result_fini(&m.r);
    return rc;
}
