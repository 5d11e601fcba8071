#include "view.h"
#include "../../analysis/summary/summary.h"

#include <math.h>
#include <signal.h>

/* A plain run with marks (the native engine) counts nothing. */
static bool counted(const struct cc_profile *p)
{
    return p->nthreads > 0;
}

static void json_problems(struct cc_json *j, const struct cc_profile *p)
{
    cc_json_arr(j, "problems");
    for (size_t i = 0; i < p->nproblems; i++) {
        const struct cc_pproblem *x = &p->problems[i];
        cc_json_obj(j, NULL);
        cc_json_str(j, "kind", cc_problem_names[x->kind]);
        cc_json_str(j, "text", x->text);
        cc_json_str(j, "file", x->file);
        if (x->line)
            cc_json_u64(j, "line", x->line);
        else
            cc_json_null(j, "line");
        cc_json_u64(j, "count", x->count);
        cc_json_end(j);
    }
    cc_json_end(j);
}

static void print_json(const struct cc_profile *p, const struct cc_summary *s, FILE *out)
{
    struct cc_json j;
    cc_json_document(&j, out, "corecast.summary", 1);
    cc_json_str(&j, "program", p->program);
    cc_json_arr(&j, "arguments");
    for (size_t i = 0; i < p->narguments; i++)
        cc_json_str(&j, NULL, p->arguments[i]);
    cc_json_end(&j);
    cc_json_str(&j, "engine", p->engine);
    cc_json_str(&j, "isa", p->isa);
    cc_json_bool(&j, "complete", p->complete);
    if (!p->complete)
        cc_json_str(&j, "reason", p->reason);
    cc_json_obj(&j, "exit");
    if (p->exit_code >= 0)
        cc_json_i64(&j, "code", p->exit_code);
    else
        cc_json_null(&j, "code");
    if (p->exit_signal)
        cc_json_i64(&j, "signal", p->exit_signal);
    else
        cc_json_null(&j, "signal");
    cc_json_end(&j);
    cc_json_str(&j, "libs", p->libs_as_nodes ? "node" : "caller");
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
    for (size_t i = 0; i < CC_COUNT(counts); i++) {
        if (counted(p))
            cc_json_u64(&j, counts[i].key, counts[i].v);
        else
            cc_json_null(&j, counts[i].key);
    }
    json_problems(&j, p);
    cc_json_end(&j);
}

static void print_word(FILE *out, const char *word)
{
    bool quote = !*word || strpbrk(word, " \t\n\"'\\$*?");
    fputs(quote ? " '" : " ", out);
    cc_text_print_safe(out, word);
    fputs(quote ? "'" : "", out);
}

static void print_head(const struct cc_profile *p, const struct cc_summary *s, FILE *out)
{
    cc_text_print_safe(out, p->program ? p->program : "(unknown program)");
    for (size_t i = 0; i < p->narguments && i < 20; i++)
        print_word(out, p->arguments[i]);
    fputs(p->narguments > 20 ? " …\n" : "\n", out);
    fprintf(out, "  recorded with %s", p->engine ? p->engine : "an unknown engine");
    if (p->isa)
        fprintf(out, " on %s", p->isa);
    if (p->exit_signal)
        fprintf(out, "; killed by signal %d (%s)", p->exit_signal, strsignal(p->exit_signal));
    else if (p->exit_code >= 0)
        fprintf(out, "; exit status %d", p->exit_code);
    if (!counted(p)) {
        fputs("\n  it holds the time stamps of marks, no calls and no data: look at it with 'corecast "
              "predict',\n"
              "  or record with another engine\n",
              out);
        return;
    }
    char a[24], b[24], c[24], d[24];
    fprintf(out, "\n  %s instructions in %zu functions, %zu thread%s\n",
            cc_human_count((double)p->instructions, a), s->functions, s->threads, s->threads == 1 ? "" : "s");
    fprintf(out, "  %s read in %s reads, %s written in %s writes\n", cc_human_bytes((double)s->bytes_read, a),
            cc_human_count((double)s->reads, b), cc_human_bytes((double)s->bytes_written, c),
            cc_human_count((double)s->writes, d));
}

static void print_marks(const struct cc_profile *p, const struct cc_summary *s, FILE *out)
{
    enum { MOST = 20 };
    if (s->regions || s->frames)
        fprintf(out, "  marked: %zu region%s, %zu frame%s%s\n", s->regions, s->regions == 1 ? "" : "s",
                s->frames, s->frames == 1 ? "" : "s",
                p->frames_cut ? ", of which the last stands for all that followed" : "");
    for (size_t i = 0; i < p->nproblems && i < MOST; i++) {
        const struct cc_pproblem *x = &p->problems[i];
        fputs("  warning: ", out);
        if (x->file) {
            cc_text_print_safe(out, x->file);
            fprintf(out, ":%u: ", x->line);
        }
        cc_text_print_safe(out, x->text);
        if (x->count > 1)
            fprintf(out, " (%llu times)", (unsigned long long)x->count);
        fputc('\n', out);
    }
    if (p->nproblems > MOST)
        fprintf(out, "  and %zu more problems with marks; --json lists them\n", p->nproblems - MOST);
}

static void print_hot(const struct cc_profile *p, const struct cc_summary *s, FILE *out)
{
    static const struct cc_col cols[] = {{"share", "SELF", CC_COL_PERCENT, 1},
                                         {"total", "TOTAL", CC_COL_PERCENT, 1},
                                         {"calls", "CALLS", CC_COL_INT, 0},
                                         {"name", "HOT FUNCTION", CC_COL_STR, 0},
                                         {"place", "WHERE", CC_COL_STR, 0}};
    if (!p->instructions || !s->hot->n)
        return;
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < s->hot->n; i++) {
        const struct cc_pfunction *f = &p->functions[s->hot->ids[i]];
        char place[256];
        cc_table_row(t);
        cc_table_num(t, (double)f->exclusive / (double)p->instructions);
        cc_table_num(t, (double)f->inclusive / (double)p->instructions);
        cc_table_int(t, (int64_t)f->calls);
        cc_table_str(t, f->name);
        cc_table_str(t, cc_view_place(p, f, place, sizeof place));
    }
    fputc('\n', out);
    cc_table_print_text(t, out);
    cc_table_free(t);
}

static void print_streams(const struct cc_summary *s, FILE *out)
{
    static const struct cc_col cols[] = {{"bytes", "BYTES", CC_COL_BYTES, 0},
                                         {"share", "SHARE", CC_COL_PERCENT, 1},
                                         {"unma", "ADDRESSES", CC_COL_COUNT, 0},
                                         {"from", "STREAM FROM", CC_COL_STR, 0},
                                         {"to", "TO", CC_COL_STR, 0}};
    const struct cc_comm *c = s->streams;
    if (!c || !s->nmain)
        return;
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < s->nmain; i++) {
        const struct cc_comm_edge *e = &c->edges[s->main_streams[i]];
        cc_table_row(t);
        cc_table_int(t, (int64_t)e->bytes);
        cc_table_num(t, (double)e->bytes / (double)c->between);
        if (e->has_unma)
            cc_table_int(t, (int64_t)e->unma);
        else
            cc_table_null(t);
        cc_table_str(t, c->nodes[e->from].name);
        cc_table_str(t, c->nodes[e->to].name);
    }
    fputc('\n', out);
    cc_table_print_text(t, out);
    cc_table_free(t);
    char bytes[24];
    fprintf(out, "%s flow between functions; %.0f %% of that is the same data read again\n",
            cc_human_bytes((double)c->between, bytes), 100 * s->reread);
    if (c->npath > 1) {
        fputs("critical data path: ", out);
        for (size_t i = 0; i < c->npath; i++) {
            cc_text_print_safe(out, c->path[i]);
            fputs(i + 1 < c->npath ? " -> " : "\n", out);
        }
    }
}

/* The hottest function of the program itself, or NULL. */
static const struct cc_pfunction *hottest(const struct cc_profile *p, const struct cc_summary *s)
{
    for (size_t i = 0; i < s->hot->n; i++)
        if (s->hot->ids[i] != 0 && p->functions[s->hot->ids[i]].exclusive)
            return &p->functions[s->hot->ids[i]];
    return NULL;
}

static void print_next(const struct cc_profile *p, const struct cc_summary *s, FILE *out)
{
    const struct cc_pfunction *hot = hottest(p, s);
    if (!hot || !s->streams)
        return;
    fputs("\nwhat to look at next\n  corecast report", out);
    print_word(out, p->path);
    fputs(" --view comm --focus", out);
    print_word(out, hot->name);
    fputs("\n      what the hottest function reads and who reads its results\n  corecast report", out);
    print_word(out, p->path);
    fputs(" --view amdahl\n", out);
    if (isfinite(s->hot_limit)) {
        fputs("      without ", out);
        cc_text_print_safe(out, hot->name);
        fprintf(out, " the run would be at most %.2f times as fast; this shows the next ones\n",
                s->hot_limit);
    }
    fputs("  corecast report", out);
    print_word(out, p->path);
    fputs(" --view comm --svg graph.svg\n      the whole graph as a drawing\n  corecast ", out);
    if (s->regions || s->frames) {
        fputs("report", out);
        print_word(out, p->path);
        fputs(s->frames
                  ? " --view frames\n      how long each region runs in each frame, and whose data it reads\n"
                  : " --view comm --by region\n      the data between the regions you marked\n",
              out);
        fputs("  corecast ", out);
    }
    fputs("map", out);
    print_word(out, p->path);
    fputs(" --parts 4\n      the functions split over four processors, with little data between them\n", out);
}

int cc_view_summary(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_summary *s;
    int rc = cc_summary_build(rq->p, &s, err);
    if (rc < 0)
        return rc;
    if (rq->json) {
        print_json(rq->p, s, rq->out);
    } else {
        cc_view_caveats(rq->p, rq->out);
        print_head(rq->p, s, rq->out);
        print_marks(rq->p, s, rq->out);
        print_hot(rq->p, s, rq->out);
        print_streams(s, rq->out);
        print_next(rq->p, s, rq->out);
    }
    cc_summary_free(s);
    return 0;
}
