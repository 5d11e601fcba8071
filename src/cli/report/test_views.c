/* Every view and every format, in every combination, on a real profile and on ones with extreme figures and
 * names. */
#include "cli/export/export.h"
#include "cli/report/view.h"
#include "fixture.h"
#include "tap.h"

static size_t runs, failed, empty;

/* What `r` prints, read back; NULL where it refuses. */
static char *printed(const struct cc_result *r, enum cc_format how, const char *table)
{
    char *text = NULL;
    size_t n = 0;
    struct cc_err err = {0};
    FILE *out = open_memstream(&text, &n);
    int rc = cc_result_print(r, how, table, out, &err);
    fclose(out);
    failed += rc < 0;
    return text;
}

static size_t odd_columns, odd_rows;

/* Whether `line` begins with the CSV heading of these columns, after `lead` fields of what the table lies in.
 */
static bool heading_has(const char *line, const struct cc_col *cols, size_t n)
{
    struct cc_buf want = {0};
    cc_cols_csv(cols, n, "", &want);
    size_t end = strcspn(line, "\n");
    bool ok = want.n <= end && strncmp(line + end - want.n, want.s ? want.s : "", want.n) == 0;
    cc_buf_fini(&want);
    return ok;
}

/* A table as CSV has a heading of all its keys, and as many rows as JSON. */
static void check_csv(const struct cc_result *r, const char *path, const struct cc_table *t)
{
    CC_CLEANUP(cc_free_ptr) char *csv = printed(r, CC_FORMAT_CSV, path);
    size_t lines = 0, rows = 0;
    for (const char *p = csv; *p; p++)
        lines += *p == '\n';
    for (size_t i = 0; i < cc_table_rows(t); i++)
        rows += cc_table_where(t, i) != CC_ROW_TEXT;
    odd_columns += !heading_has(csv, cc_table_col(t, 0), cc_table_ncols(t));
    odd_rows += lines != rows + 1;
}

static bool has_key(const char *json, const char *key)
{
    const char *name = strrchr(key, '.');
    CC_CLEANUP(cc_free_ptr) char *quoted = cc_asprintf("\"%s\":", name ? name + 1 : key);
    return strstr(json, quoted) != NULL;
}

/* Titles are lower case, and in text if anything of the table is; keys are in JSON if a row has the field. */
static void check_columns(const struct cc_table *t, const char *text, const char *json)
{
    bool shown = cc_table_print_text_any(t);
    for (size_t c = 0; c < cc_table_ncols(t); c++) {
        const struct cc_col *col = cc_table_col(t, c);
        bool field = false;
        for (size_t i = 0; i < cc_table_rows(t) && !field; i++)
            field = cc_table_where(t, i) != CC_ROW_TEXT && cc_table_cell(t, i, c).kind != CC_CELL_ABSENT;
        bool escaped = col->title && strchr(col->title, '\\'); /* once more by the library that aligns */
        odd_columns += col->title && shown && !escaped && !strstr(text, col->title);
        odd_columns += col->key && field && !has_key(json, col->key);
    }
}

static void check_items(const struct cc_result *r, const struct cc_item *x, const char *text,
                        const char *json)
{
    for (const struct cc_item *i = x->first; i; i = i->next) {
        if (i->kind == CC_ITEM_TABLE)
            check_columns(i->table, text, json);
        if (i->kind == CC_ITEM_TABLE && i->key && x == cc_result_root(r))
            check_csv(r, i->key, i->table);
        if (i->kind == CC_ITEM_VALUE && i->key)
            odd_columns += !has_key(json, i->key);
        check_items(r, i, text, json);
    }
}

/* All three prints of a result, and that they agree about what is in it. */
static void print_all(const struct cc_result *r)
{
    CC_CLEANUP(cc_free_ptr) char *text = printed(r, CC_FORMAT_TEXT, NULL);
    CC_CLEANUP(cc_free_ptr) char *json = printed(r, CC_FORMAT_JSON, NULL);
    CC_CLEANUP(cc_free_ptr) char *csv = printed(r, CC_FORMAT_CSV, NULL);
    empty += !*text || !*json || !*csv;
    check_items(r, cc_result_root(r), text, json);
}

static void all_views(const struct cc_profile *p)
{
    for (int v = 0; cc_view_names[v]; v++) {
        if (!p->isa && strcmp(cc_view_names[v], "classes") == 0) /* whose code is it? */
            continue;
        int levels = cc_views[v].levels[0] ? CC_LEVELS : 1; /* where it takes none, all are the same */
        int styles = strcmp(cc_view_names[v], "comm") == 0 ? 3 : 1;
        for (int k = 0; k < styles * levels * 4; k++) {
            struct cc_buf svg = {0};
            struct cc_err err = {0};
            struct cc_result *r = NULL;
            int mode = k % 4; /* text, data, drawing, drawing and data of a few items */
            struct cc_view_request rq = {.p = p,
                                         .by = (enum cc_level)(k / 4 % levels),
                                         .style = (enum cc_view_style)(k / 4 / levels),
                                         .data = mode & 1,
                                         .filter = {.top = mode == 3 ? 3 : 0},
                                         .top_given = mode == 3,
                                         .svg = cc_views[v].draws && mode > 1 ? &svg : NULL};
            failed += cc_view_run(&cc_views[v], &rq, &r, &err) < 0;
            if (err.msg[0])
                printf("# %s: %s\n", cc_view_names[v], err.msg);
            if (r)
                print_all(r);
            cc_result_free(r);
            empty += rq.svg && (!svg.s || !strstr(svg.s, "</svg>"));
            cc_buf_fini(&svg);
            runs++;
        }
    }
}

static void all_exports(const struct cc_profile *p, FILE *out)
{
    for (int x = 0; cc_export_names[x]; x++) {
        for (int k = 0; k < CC_LEVELS * 4; k++) {
            struct cc_err err = {0};
            struct cc_export_request rq = {p, (enum cc_level)(k % CC_LEVELS),
                                           (enum cc_export_table)(k / CC_LEVELS), out};
            long before = ftell(out);
            failed += cc_exports[x].run(&rq, &err) < 0;
            empty += ftell(out) == before;
            runs++;
        }
    }
}

static void try_all(const struct cc_profile *p, const char *what)
{
    runs = failed = empty = odd_columns = odd_rows = 0;
    FILE *out = tmpfile();
    all_views(p);
    all_exports(p, out);
    fclose(out);
    OK(failed == 0 && empty == 0, "%s: %zu views and exports, %zu failed, %zu empty", what, runs, failed,
       empty);
    OK(odd_columns == 0 && odd_rows == 0,
       "%s: text, JSON and CSV have the same columns (%zu not) and rows (%zu tables not)", what, odd_columns,
       odd_rows);
}

/* The largest and smallest figures a profile may hold. */
static void set_counts(struct cc_profile *p, uint64_t v)
{
    p->instructions = v;
    for (size_t i = 0; i < p->nfunctions; i++)
        p->functions[i].calls = p->functions[i].inclusive = p->functions[i].exclusive = v;
    for (size_t i = 0; i < p->ncontexts; i++)
        p->contexts[i].calls = p->contexts[i].inclusive = p->contexts[i].exclusive = v;
    for (size_t i = 0; i < p->nthreads; i++)
        p->threads[i].start = p->threads[i].instructions = v;
    for (int l = 0; l < CC_LEVELS; l++) {
        for (size_t i = 0; i < p->nedges[l]; i++) {
            struct cc_pedge *e = &p->edges[l][i];
            e->bytes = e->reads = e->fresh = e->unma = v;
        }
    }
    for (size_t i = 0; i < p->ncalls; i++)
        p->calls[i].length = v / 2;
    for (size_t i = 0; i < p->nregions; i++)
        p->regions[i].calls = p->regions[i].exclusive = p->regions[i].inclusive = v;
    for (size_t i = 0; i < p->nspans; i++)
        p->spans[i].length = v / 2;
    for (size_t i = 0; i < p->nframes; i++)
        p->frames[i].start = p->frames[i].length = v;
    for (size_t i = 0; i < p->nframe_parts; i++)
        p->frame_parts[i].instructions = v;
    for (size_t i = 0; i < p->nflows; i++)
        p->flows[i].bytes = v;
    for (size_t i = 0; i < p->nproblems; i++)
        p->problems[i].count = v;
    for (size_t i = 0; i < p->nnodes; i++) {
        struct cc_pnode *n = &p->nodes[i];
        n->reads = n->writes = n->bytes_read = n->bytes_written = v;
        n->memory_instructions = n->other_instructions = v;
    }
}

static bool summary_says(const struct cc_profile *p, const char *what)
{
    struct cc_view_request rq = {.p = p};
    struct cc_result *r = NULL;
    struct cc_err err = {0};
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_view_run(&cc_views[CC_VIEW_ID_summary], &rq, &r, &err) == 0
                     ? printed(r, CC_FORMAT_TEXT, NULL)
                     : cc_strdup("");
    cc_result_free(r);
    return strstr(text, what) != NULL;
}

/* Where first reads are a lower bound, what is read again is an upper one. */
static void test_bounds(struct cc_profile *p)
{
    static const char exact[] = "between functions; 81", most[] = "between functions; at most 81";
    OK(summary_says(p, exact) && !summary_says(p, most), "how much is read again");
    p->approximate = true;
    OK(!summary_says(p, exact) && summary_says(p, most), "at most, where some first reads were not told");
    p->approximate = false;
}

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    if (!OK(p, "the fixture"))
        return TAP_DONE();
    test_bounds(p);
    try_all(p, "the fixture");
    char *name = cc_alloc(7000);
    memset(name, '<', 6999);
    p->functions[1].name = name;
    p->functions[2].name = "\xff\x01\x1b[31m\"'&;|{}\\N%n\n\t\xe2\x80\xae";
    p->functions[3].name = "";
    p->files[0].path = name;
    p->regions[1].name = name;
    p->regions[2].name = p->functions[2].name;
    p->regions[3].name = p->scopes[1].name = p->problems[0].text = "";
    p->program = p->engine = p->isa = NULL;
    p->complete = false;
    try_all(p, "odd names");
    set_counts(p, INT64_MAX);
    try_all(p, "the largest counts");
    set_counts(p, 1);
    try_all(p, "ones");
    cc_profile_free(p);
    free(name);
    return TAP_DONE();
}
