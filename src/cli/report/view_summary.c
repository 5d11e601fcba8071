#include "view.h"
#include "summary.h"
#include "../loop_sources.h"
#include "../../analysis/loops/loops.h"

#include <math.h>
#include <signal.h>

/* A plain run with marks (the native engine) counts nothing. */
static bool counted(const struct cc_profile *p)
{
    return p->nthreads > 0;
}

/* --- the figures --- */

static void put_problems(const struct cc_profile *p, struct cc_result *r)
{
    static const struct cc_col cols[] = {{"kind", NULL, CC_COL_STR},
                                         {"text", NULL, CC_COL_STR},
                                         {"file", NULL, CC_COL_STR},
                                         {"line", NULL, CC_COL_INT},
                                         {"count", NULL, CC_COL_INT}};
    struct cc_table *t = cc_result_table(r, "problems", cols, CC_COUNT(cols));
    for (size_t i = 0; i < p->nproblems; i++) {
        const struct cc_pproblem *x = &p->problems[i];
        cc_table_row(t);
        cc_table_str(t, cc_problem_names[x->kind]);
        cc_table_str(t, x->text);
        cc_table_place(t, x->file, x->line);
        cc_table_u64(t, x->count);
    }
}

static void put_exit(const struct cc_profile *p, struct cc_result *r)
{
    cc_result_obj(r, "exit");
    cc_result_u64_if(r, "code", p->exit_code >= 0, (uint64_t)p->exit_code);
    cc_result_u64_if(r, "signal", p->exit_signal != 0, (uint64_t)p->exit_signal);
    cc_result_end(r);
}

static void put_fields(const struct cc_profile *p, const struct cc_summary *s, struct cc_result *r)
{
    cc_result_str(r, "program", p->program);
    cc_result_arr(r, "arguments");
    for (size_t i = 0; i < p->narguments; i++)
        cc_result_str(r, NULL, p->arguments[i]);
    cc_result_end(r);
    cc_result_str(r, "engine", p->engine);
    cc_result_str(r, "isa", p->isa);
    cc_result_bool(r, "complete", p->complete);
    if (!p->complete)
        cc_result_str(r, "reason", p->reason);
    put_exit(p, r);
    cc_result_str(r, "libs", p->libs);
    const struct {
        const char *key;
        uint64_t v;
    } counts[] = {{"instructions", p->instructions},
                  {"reads", s->reads},
                  {"writes", s->writes},
                  {"bytes_read", s->bytes_read},
                  {"bytes_written", s->bytes_written},
                  {"threads", s->threads},
                  {"functions", s->functions},
                  {"edges", s->edges},
                  {"regions", s->regions},
                  {"frames", s->frames}};
    for (size_t i = 0; i < CC_COUNT(counts); i++)
        cc_result_u64_if(r, counts[i].key, counted(p), counts[i].v);
    put_problems(p, r);
}

/* --- the story --- */

static void add_word(struct cc_buf *b, const char *word)
{
    cc_buf_puts(b, " ");
    cc_text_shell(b, word);
}

static void say_program(const struct cc_profile *p, struct cc_result *r)
{
    struct cc_buf line = {0};
    cc_buf_puts(&line, p->program ? p->program : "(unknown program)");
    for (size_t i = 0; i < p->narguments && i < 20; i++)
        add_word(&line, p->arguments[i]);
    cc_result_note(r, "%s%s", line.s, p->narguments > 20 ? " …" : "");
    line.n = 0;
    cc_buf_printf(&line, "  recorded with %s", p->engine ? p->engine : "an unknown engine");
    if (p->isa)
        cc_buf_printf(&line, " on %s", p->isa);
    if (p->exit_signal)
        cc_buf_printf(&line, "; killed by signal %d (%s)", p->exit_signal, strsignal(p->exit_signal));
    else if (p->exit_code >= 0)
        cc_buf_printf(&line, "; exit status %d", p->exit_code);
    cc_result_note(r, "%s", line.s);
    cc_buf_fini(&line);
}

static void say_counts(const struct cc_profile *p, const struct cc_summary *s, struct cc_result *r)
{
    char a[24], b[24], c[24], d[24];
    if (!counted(p)) {
        cc_result_note(r, "  it holds the time stamps of marks, no calls and no data: look at it with "
                          "'corecast predict',");
        cc_result_note(r, "  or record with another engine");
        return;
    }
    cc_result_note(r, "  %s instructions in %zu function%s, %zu thread%s",
                   cc_human_count((double)p->instructions, a), s->functions, cc_view_plural(s->functions),
                   s->threads, cc_view_plural(s->threads));
    cc_result_note(r, "  %s read in %s reads, %s written in %s writes",
                   cc_human_bytes((double)s->bytes_read, a), cc_human_count((double)s->reads, b),
                   cc_human_bytes((double)s->bytes_written, c), cc_human_count((double)s->writes, d));
}

static void say_problem(const struct cc_pproblem *x, struct cc_result *r)
{
    char times[40] = "", line[16] = "";
    if (x->count > 1)
        snprintf(times, sizeof times, " (%llu times)", (unsigned long long)x->count);
    if (x->file)
        snprintf(line, sizeof line, ":%u: ", x->line);
    cc_result_note(r, "  warning: %s%s%s%s", x->file ? x->file : "", line, x->text, times);
}

static void say_marks(const struct cc_profile *p, const struct cc_summary *s, struct cc_result *r)
{
    enum { MOST = 20 };
    if (s->regions || s->frames)
        cc_result_note(r, "  marked: %zu region%s, %zu frame%s%s", s->regions, cc_view_plural(s->regions),
                       s->frames, cc_view_plural(s->frames),
                       p->frames_cut ? ", of which the last stands for all that followed" : "");
    for (size_t i = 0; i < p->nproblems && i < MOST; i++)
        say_problem(&p->problems[i], r);
    if (p->nproblems > MOST)
        cc_result_note(r, "  and %zu more problems with marks; --json lists them", p->nproblems - MOST);
}

/* These two are in the views functions and comm as data; here they are only the gist of them. */
static void show_hot(const struct cc_profile *p, const struct cc_summary *s, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {NULL, "self", CC_COL_PERCENT, 1},  {NULL, "total", CC_COL_PERCENT, 1}, {NULL, "calls", CC_COL_INT},
        {NULL, "hot function", CC_COL_STR}, {NULL, "where", CC_COL_STR},        {NULL, NULL, CC_COL_INT}};
    if (!p->instructions)
        return;
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < s->hot->n; i++) {
        const struct cc_pfunction *f = &p->functions[s->hot->ids[i]];
        cc_table_row(t);
        cc_table_num(t, (double)f->exclusive / (double)p->instructions);
        cc_table_num(t, (double)f->inclusive / (double)p->instructions);
        cc_table_u64(t, f->calls);
        cc_table_str(t, f->name);
        cc_view_place(t, p, f);
    }
}

static void show_streams(const struct cc_summary *s, struct cc_result *r)
{
    static const struct cc_col cols[] = {{NULL, "bytes", CC_COL_BYTES},
                                         {NULL, "share", CC_COL_PERCENT, 1},
                                         {NULL, "addresses", CC_COL_COUNT},
                                         {NULL, "stream from", CC_COL_STR},
                                         {NULL, "to", CC_COL_STR}};
    const struct cc_comm *c = s->streams;
    struct cc_table *t = cc_result_table(r, NULL, cols, CC_COUNT(cols));
    for (size_t i = 0; i < s->nmain; i++) {
        const struct cc_comm_edge *e = &c->edges[s->main_streams[i]];
        cc_table_row(t);
        cc_table_u64(t, e->bytes);
        cc_table_num(t, (double)e->bytes / (double)c->between);
        cc_table_u64_if(t, e->has_unma, e->unma);
        cc_table_str(t, c->nodes[e->from].name);
        cc_table_str(t, c->nodes[e->to].name);
    }
}

static void say_streams(const struct cc_summary *s, struct cc_result *r)
{
    const struct cc_comm *c = s->streams;
    char bytes[24];
    if (!c || !s->nmain)
        return;
    show_streams(s, r);
    cc_result_note(r, "%s flow between functions; %s%.0f %% of that is the same data read again",
                   cc_human_bytes((double)c->between, bytes), s->approximate ? "at most " : "",
                   100 * s->reread);
    cc_view_path(r, "critical data path: ", c->fresh_path.n ? &c->fresh_path : &c->reread_path, false);
}

/* --- loops --- */

static bool could_be_parallel(const struct cc_loop *l)
{
    return l->verdict <= CC_VERDICT_REDUCTION;
}

static int by_share(const void *a, const void *b)
{
    const struct cc_loop *x = *(const struct cc_loop *const *)a, *y = *(const struct cc_loop *const *)b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    return x < y ? -1 : x > y;
}

/* The hottest loops, without those inside one that could be parallel as a whole. Returns how many. */
static size_t choose_loops(const struct cc_loop_list *all, const struct cc_loop **ret)
{
    static const double LEAST = 0.01; /* of the run: what is less is no gist */
    CC_CLEANUP(cc_free_ptr) bool *inside = cc_alloc_array(all->v.n + 1, sizeof *inside);
    CC_CLEANUP(cc_free_ptr) const struct cc_loop **hot = cc_alloc_array(all->v.n + 1, sizeof *hot);
    size_t n = 0;
    for (size_t i = 0; i < all->v.n; i++) {
        const struct cc_loop *l = &all->v.v[i];
        inside[i] = l->parent != CC_NONE && (inside[l->parent] || could_be_parallel(&all->v.v[l->parent]));
        if (!inside[i] && l->share >= LEAST)
            hot[n++] = l;
    }
    qsort(hot, n, sizeof *hot, by_share);
    n = CC_MIN(n, (size_t)CC_SUMMARY_TOP);
    memcpy(ret, hot, n * sizeof *hot);
    return n;
}

/* As the view loops has them, which says more. */
static int show_loops(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    static const struct cc_col cols[] = {{NULL, "share", CC_COL_PERCENT, 1},
                                         {NULL, "iterations", CC_COL_COUNT},
                                         {NULL, "hot loop", CC_COL_STR},
                                         {NULL, "verdict", CC_COL_STR},
                                         {NULL, "because", CC_COL_STR, .wrap = 60}};
    if (!cc_profile_has_dependences(rq->p))
        return 0;
    struct cc_source_loops *sources = cc_loop_sources(rq->p, rq->source);
    struct cc_loop_list *all = NULL;
    int rc = cc_loops_analyse(rq->p, sources, &all, err);
    if (rc == 0) {
        const struct cc_loop *hot[CC_SUMMARY_TOP];
        size_t n = choose_loops(all, hot);
        struct cc_table *t = n ? cc_result_table(r, NULL, cols, CC_COUNT(cols)) : NULL;
        for (size_t i = 0; i < n; i++) {
            cc_table_row(t);
            cc_table_num(t, hot[i]->share);
            cc_table_u64(t, hot[i]->iterations);
            cc_table_str(t, hot[i]->id);
            cc_table_str(t, cc_verdict_names[hot[i]->verdict]);
            cc_table_str(t, hot[i]->sentence);
        }
    }
    cc_loops_free(all);
    cc_source_loops_free(sources);
    return rc;
}

/* --- what next --- */

/* The hottest function of the program itself, or NULL. */
static const struct cc_pfunction *hottest(const struct cc_profile *p, const struct cc_summary *s)
{
    for (size_t i = 0; i < s->hot->n; i++)
        if (s->hot->ids[i] != 0 && p->functions[s->hot->ids[i]].exclusive)
            return &p->functions[s->hot->ids[i]];
    return NULL;
}

/* "  corecast COMMAND PROFILE OPTIONS", and what that shows. */
static void say_command(struct cc_result *r, const char *command, const char *path, const char *options,
                        const char *word, const char *what)
{
    struct cc_buf line = {0};
    cc_buf_printf(&line, "  corecast %s", command);
    add_word(&line, path);
    cc_buf_printf(&line, " %s", options);
    if (word)
        add_word(&line, word);
    cc_result_note(r, "%s", line.s);
    cc_result_note(r, "      %s", what);
    cc_buf_fini(&line);
}

/* Loops are what most people come for. */
static void say_loops(const struct cc_profile *p, struct cc_result *r)
{
    if (cc_profile_has_dependences(p))
        say_command(r, "report", p->path, "--view loops", NULL,
                    "all loops: which could run in parallel, with which pragma, and what stops the others");
    if (!p->program)
        return;
    struct cc_buf line = {0};
    cc_buf_puts(&line, "  corecast explore --platform cortex-a53-quad --");
    add_word(&line, p->program);
    for (size_t i = 0; i < p->narguments; i++)
        add_word(&line, p->arguments[i]);
    cc_result_note(r, "%s", line.s);
    cc_result_note(
        r, "      which loops to run in parallel, how, and what that gives on a chip with four cores");
    cc_buf_fini(&line);
}

static void say_next(const struct cc_profile *p, const struct cc_summary *s, struct cc_result *r)
{
    const struct cc_pfunction *hot = hottest(p, s);
    if (!hot || !s->streams)
        return;
    CC_CLEANUP(cc_free_ptr)
    char *limit = isfinite(s->hot_limit)
                      ? cc_asprintf("without %s the run would be at most %.2f times as fast; this shows the "
                                    "next ones",
                                    hot->name, s->hot_limit)
                      : cc_asprintf("what the run would gain if its hot functions cost nothing");
    cc_result_gap(r);
    cc_result_note(r, "what to look at next");
    say_loops(p, r);
    say_command(r, "report", p->path, "--html page.html", NULL, "all of it as one page for a browser");
    say_command(r, "report", p->path, "--view comm --focus", hot->name,
                "what the hottest function reads and who reads its results");
    say_command(r, "report", p->path, "--view amdahl", NULL, limit);
    if (s->frames)
        say_command(r, "report", p->path, "--view frames", NULL,
                    "how long each region runs in each frame, and whose data it reads");
    else if (s->regions)
        say_command(r, "report", p->path, "--view comm --by region", NULL,
                    "the data between the regions you marked");
    say_command(r, "map", p->path, "--parts 4", NULL,
                "the functions split over four processors, with little data between them");
}

int cc_view_summary(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_summary *s;
    int rc = cc_summary_build(rq->p, &s, err);
    if (rc < 0)
        return rc;
    put_fields(rq->p, s, r);
    cc_view_caveats(rq->p, r);
    say_program(rq->p, r);
    say_counts(rq->p, s, r);
    say_marks(rq->p, s, r);
    show_hot(rq->p, s, r);
    rc = show_loops(rq, r, err);
    say_streams(s, r);
    say_next(rq->p, s, r);
    cc_summary_free(s);
    return rc;
}
