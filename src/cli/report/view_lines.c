/* Instructions and bytes by line of source: the heaviest lines, or a file with its figures beside it. */
#include "view.h"
#include "source.h"
#include "../loop_sources.h"
#include "../../analysis/lines/lines.h"
#include "../../analysis/loops/loops.h"
#include "../../draw/bars.h"

#include <sys/stat.h>

struct lines {
    const struct cc_view_request *rq;
    struct cc_line_sums *sums;
    const struct cc_line_sum **order; /* heaviest first */
    size_t shown, hidden;
    uint64_t hidden_instructions;
    struct cc_source *sources; /* by file; read when first asked for */
    bool *read;
    struct cc_loop_list *loops; /* NULL: none are asked for, or verdicts are not known */
};

static double share(uint64_t part, uint64_t whole)
{
    return whole ? (double)part / (double)whole : 0;
}

static const struct cc_source *source_of(struct lines *l, uint32_t file)
{
    if (!l->read[file])
        cc_source_read(&l->sources[file], &l->rq->p->files[file], l->rq->source);
    l->read[file] = true;
    return &l->sources[file];
}

static int by_weight(const void *a, const void *b)
{
    const struct cc_line_sum *x = *(const struct cc_line_sum *const *)a,
                             *y = *(const struct cc_line_sum *const *)b;
    if (x->counts.instructions != y->counts.instructions)
        return x->counts.instructions > y->counts.instructions ? -1 : 1;
    return x < y ? -1 : 1; /* by place */
}

static void choose(struct lines *l, const struct cc_filter *filter)
{
    const struct cc_line_sums *s = l->sums;
    l->order = cc_alloc_array(s->n + 1, sizeof *l->order);
    for (size_t i = 0; i < s->n; i++)
        l->order[i] = &s->v[i];
    qsort(l->order, s->n, sizeof *l->order, by_weight);
    for (size_t i = 0; i < s->n; i++) {
        uint64_t weight = l->order[i]->counts.instructions;
        if ((double)weight >= filter->min_share * (double)s->total.instructions &&
            (!filter->top || l->shown < filter->top)) {
            l->order[l->shown++] = l->order[i];
        } else {
            l->hidden++;
            l->hidden_instructions += weight;
        }
    }
}

/* --- the heaviest lines --- */

static const char *trimmed(const char *s)
{
    return s + strspn(s, " ");
}

/* "main.c:12"; for code without a line the file it was loaded from, if that is known. */
static char *name_of(const struct cc_profile *p, const struct cc_line_sum *x)
{
    if (x->file != CC_NONE)
        return cc_asprintf("%s:%u", cc_text_base(p->files[x->file].path), x->line);
    if (x->binary == CC_NONE)
        return cc_strdup("(no line)");
    return cc_asprintf("(no line) %s", cc_text_base(p->binaries[x->binary].path));
}

static void put_counts(struct cc_table *t, const struct cc_line_counts *c)
{
    cc_table_u64(t, c->instructions);
    cc_table_u64(t, c->read);
    cc_table_u64(t, c->written);
}

static void put_line(struct lines *l, struct cc_table *t, const struct cc_line_sum *x)
{
    const struct cc_profile *p = l->rq->p;
    bool known = x->file != CC_NONE;
    cc_table_row(t);
    cc_table_num(t, share(x->counts.instructions, p->instructions));
    put_counts(t, &x->counts);
    if (known) {
        cc_table_place(t, p->files[x->file].path, x->line);
        CC_CLEANUP(cc_free_ptr) char *text = cc_source_line(source_of(l, x->file), x->line);
        cc_table_str(t, trimmed(text));
    } else {
        CC_CLEANUP(cc_free_ptr) char *name = name_of(p, x);
        cc_table_null(t);
        cc_table_show(t, "%s", name);
    }
}

static void put_heaviest(struct lines *l, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {NULL, "share", CC_COL_PERCENT, 1},
        {"instructions", "instr", CC_COL_COUNT, .unit = "instructions"},
        {"bytes_read", "read", CC_COL_BYTES},
        {"bytes_written", "written", CC_COL_BYTES},
        {"file", "where", CC_COL_STR, .meaning = "of inlined code, where it was written"},
        {"line", NULL, CC_COL_INT},
        {NULL, "source", CC_COL_STR, .whole = true},
    };
    struct cc_table *t = cc_result_table(r, "lines", cols, CC_COUNT(cols));
    for (size_t i = 0; i < l->shown; i++)
        put_line(l, t, l->order[i]);
    if (l->hidden)
        cc_result_note(r, "%zu more line%s with %.1f %% of the instructions; --min-share 0 shows all",
                       l->hidden, cc_view_plural(l->hidden),
                       100 * share(l->hidden_instructions, l->rq->p->instructions));
}

/* --- a file --- */

static bool ends_in(const char *path, const char *name)
{
    size_t n = strlen(path), k = strlen(name);
    return k && k <= n && strcmp(path + n - k, name) == 0 &&
           (k == n || name[0] == '/' || path[n - k - 1] == '/');
}

/* "../src/f.c", or by a link: the file that was compiled under another path. */
static bool is_same_file(const struct cc_pfile *f, const char *folder, const struct stat *st)
{
    struct stat other;
    CC_CLEANUP(cc_free_ptr) char *path = st->st_ino ? cc_source_find(f, folder) : NULL;
    return path && stat(path, &other) == 0 && other.st_dev == st->st_dev && other.st_ino == st->st_ino;
}

/* The file a name means: the one of this path, or the only one whose path ends in it. */
static int find_file(const struct cc_view_request *rq, uint32_t *ret, struct cc_err *err)
{
    const struct cc_profile *p = rq->p;
    const char *name = rq->annotate;
    size_t found = 0;
    struct stat st;
    if (stat(name, &st) != 0)
        st.st_ino = 0;
    while (name[0] == '.' && name[1] == '/') /* as shells complete it */
        name += 2;
    for (uint32_t i = 0; i < p->nfiles; i++) {
        if (strcmp(p->files[i].path, name) == 0 || is_same_file(&p->files[i], rq->source, &st)) {
            *ret = i;
            return 0;
        }
        if (ends_in(p->files[i].path, name)) {
            *ret = i;
            found++;
        }
    }
    if (found == 1)
        return 0;
    if (found > 1) {
        int rc = cc_err_set(err, CC_EUSAGE, "option '--annotate': %zu files are called '%s'", found, name);
        cc_err_hint(err, "write more of the path, such as '%s'", p->files[*ret].path);
        return rc;
    }
    int rc =
        cc_err_set(err, CC_EINPUT,
                   "option '--annotate': no code of '%s' was executed, or it has no debug information", name);
    CC_CLEANUP(cc_free_ptr) const char **names = cc_alloc_array(p->nfiles + 1, sizeof *names);
    for (size_t i = 0; i < p->nfiles; i++)
        names[i] = cc_text_base(p->files[i].path);
    const char *near = p->nfiles ? cc_nearest(cc_text_base(name), names, p->nfiles) : NULL;
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    return rc;
}

/* --- loops, beside the line they are written in --- */

/* The outermost comes first. NULL: no loop. */
static const struct cc_loop *loop_at(const struct lines *l, uint32_t file, uint32_t line)
{
    const char *path = l->rq->p->files[file].path;
    for (size_t i = 0; l->loops && i < l->loops->v.n; i++) {
        const struct cc_loop *x = &l->loops->v.v[i];
        if (x->line == line && x->file && strcmp(x->file, path) == 0)
            return x;
    }
    return NULL;
}

static void find_loops(struct lines *l)
{
    const struct cc_profile *p = l->rq->p;
    struct cc_err ignored = {0};
    if (!cc_profile_has_dependences(p))
        return;
    struct cc_source_loops *sources = cc_loop_sources(p, l->rq->source);
    if (cc_loops_analyse(p, sources, &l->loops, &ignored) < 0)
        l->loops = NULL;
    cc_source_loops_free(sources);
}

static void put_loops(struct lines *l, uint32_t file, struct cc_result *r)
{
    static const struct cc_col cols[] = {{"line", NULL, CC_COL_INT},         {"id", NULL, CC_COL_STR},
                                         {"iterations", NULL, CC_COL_COUNT}, {"verdict", NULL, CC_COL_STR},
                                         {"sentence", NULL, CC_COL_STR},     {"pragma", NULL, CC_COL_STR}};
    if (!l->loops)
        return;
    struct cc_table *t = cc_result_table(r, "loops", cols, CC_COUNT(cols));
    for (size_t i = 0; i < l->loops->v.n; i++) {
        const struct cc_loop *x = &l->loops->v.v[i];
        if (!x->file || strcmp(x->file, l->rq->p->files[file].path) != 0)
            continue;
        cc_table_row(t);
        cc_table_u64(t, x->line);
        cc_table_str(t, x->id);
        cc_table_u64(t, x->iterations);
        cc_table_str(t, cc_verdict_names[x->verdict]);
        cc_table_str(t, x->sentence);
        cc_table_str(t, x->pragma);
    }
}

static void put_source_line(struct lines *l, struct cc_table *t, uint32_t line, const char *text,
                            const struct cc_line_sum *x, const struct cc_loop *loop)
{
    cc_table_row(t);
    if (x) {
        cc_table_num(t, share(x->counts.instructions, l->rq->p->instructions));
        put_counts(t, &x->counts);
    } else {
        for (int k = 0; k < 4; k++) {
            cc_table_null(t);
            cc_table_show(t, ".");
        }
    }
    if (l->loops)
        cc_table_str(t, loop ? cc_verdict_names[loop->verdict] : "");
    cc_table_u64(t, line);
    cc_table_str(t, text);
}

/* Lines that have figures but are not in the text (it changed, or is missing) come too. */
static void put_annotated(struct lines *l, uint32_t file, struct cc_result *r)
{
    static const struct cc_col all[] = {
        {NULL, "share", CC_COL_PERCENT, 1},
        {NULL, "instr", CC_COL_COUNT},
        {NULL, "read", CC_COL_BYTES},
        {NULL, "written", CC_COL_BYTES},
        {NULL, "loop", CC_COL_STR},
        {NULL, "line", CC_COL_INT},
        {NULL, "source", CC_COL_STR, .whole = true},
    };
    enum { LOOP = 4 };
    struct cc_col cols[CC_COUNT(all)];
    find_loops(l);
    size_t ncols = 0;
    for (size_t i = 0; i < CC_COUNT(all); i++)
        if (i != LOOP || l->loops)
            cols[ncols++] = all[i];
    const struct cc_source *s = source_of(l, file);
    const struct cc_line_sum *x = l->sums->v, *end = x + l->sums->n;
    CC_CLEANUP(cc_free_ptr) char *compiled = cc_names_file(&l->rq->p->files[file]);
    cc_result_note(r, "%s", s->path ? s->path : compiled);
    if (!s->path)
        cc_result_note(r, "note: the source cannot be read%s; --source DIR looks elsewhere",
                       l->rq->source ? " there" : "");
    if (s->changed)
        cc_result_note(r, "note: the source was changed after the recording; lines may have moved");
    struct cc_table *t = cc_result_table(r, NULL, cols, ncols);
    while (x < end && x->file != file)
        x++;
    for (uint32_t line = 1; line <= s->n || (x < end && x->file == file); line++) {
        bool mine = x < end && x->file == file;
        if (line > s->n)
            line = x->line;
        CC_CLEANUP(cc_free_ptr) char *text = cc_source_line(s, line);
        bool here = mine && x->line == line;
        put_source_line(l, t, line, text, here ? x : NULL, loop_at(l, file, line));
        x += here;
    }
}

/* --- all --- */

static void put_files(struct lines *l, struct cc_result *r, uint32_t only)
{
    static const struct cc_col line_cols[] = {{"line", NULL, CC_COL_INT},
                                              {"instructions", NULL, CC_COL_COUNT},
                                              {"bytes_read", NULL, CC_COL_BYTES},
                                              {"bytes_written", NULL, CC_COL_BYTES}};
    static const struct cc_col cols[] = {
        {"file", NULL, CC_COL_STR},
        {"object", NULL, CC_COL_STR, .meaning = "of code without a line: the program or library it is in"},
        {"lines", NULL, CC_COL_TABLE, .sub = line_cols, .nsub = CC_COUNT(line_cols)}};
    CC_CLEANUP(cc_free_ptr) bool *chosen = cc_alloc_array(l->sums->n + 1, sizeof *chosen);
    for (size_t i = 0; i < l->shown; i++)
        chosen[l->order[i] - l->sums->v] = true;
    struct cc_table *t = cc_result_table(r, "files", cols, CC_COUNT(cols)), *sub = NULL;
    const struct cc_line_sum *last = NULL;
    for (size_t i = 0; i < l->sums->n; i++) {
        const struct cc_line_sum *x = &l->sums->v[i];
        if (only == CC_NONE ? !chosen[i] : x->file != only)
            continue;
        if (!last || last->file != x->file || last->binary != x->binary) {
            cc_table_row(t);
            cc_table_str(t, x->file == CC_NONE ? NULL : l->rq->p->files[x->file].path);
            cc_table_str(t, x->binary == CC_NONE ? NULL : l->rq->p->binaries[x->binary].path);
            sub = cc_table_sub(t);
        }
        cc_table_row(sub);
        cc_table_u64_if(sub, x->file != CC_NONE, x->line);
        put_counts(sub, &x->counts);
        last = x;
    }
}

static void put_caveats(const struct lines *l, struct cc_result *r)
{
    const struct cc_profile *p = l->rq->p;
    const struct cc_line_counts *c = &l->sums->total;
    cc_view_caveats(p, r);
    if (p->blocks_cut)
        cc_result_note(r, "note: more code ran than a profile keeps; these are the counts of what it kept");
    if (share(c->conditional, c->read + c->written) >= 0.001) /* the loader always has some */
        cc_result_note(
            r,
            "note: accesses with %.2g %% of these bytes depend on a condition and count each time: "
            "read and written are upper bounds",
            100 * share(c->conditional, c->read + c->written));
    cc_result_gap(r);
    cc_result_u64(r, "instructions", p->instructions);
    cc_result_obj(r, "total");
    cc_result_u64(r, "instructions", c->instructions);
    cc_result_u64(r, "bytes_read", c->read);
    cc_result_u64(r, "bytes_written", c->written);
    cc_result_u64(r, "bytes_conditional", c->conditional);
    cc_result_end(r);
}

static void note_changed(const struct lines *l, struct cc_result *r)
{
    for (size_t i = 0; i < l->rq->p->nfiles; i++)
        if (l->read[i] && l->sources[i].changed)
            cc_result_note(r, "note: '%s' was changed after the recording; lines may have moved",
                           l->sources[i].path);
}

static void draw(struct lines *l, struct cc_buf *svg)
{
    const struct cc_profile *p = l->rq->p;
    const struct cc_line_counts *all = &l->sums->total;
    struct cc_bar *bars = cc_alloc_array(l->shown + 1, sizeof *bars);
    char **names = cc_alloc_array(l->shown + 1, sizeof *names);
    for (size_t i = 0; i < l->shown; i++) {
        const struct cc_line_sum *x = l->order[i];
        names[i] = name_of(p, x);
        bars[i] = (struct cc_bar){names[i],
                                  {share(x->counts.instructions, p->instructions),
                                   share(x->counts.read + x->counts.written, all->read + all->written)},
                                  {""}};
        for (int k = 0; k < 2; k++)
            snprintf(bars[i].text[k], sizeof bars[i].text[k], "%.1f %%", 100 * bars[i].value[k]);
    }
    static const char *const legend[] = {"instructions", "bytes read and written"};
    cc_draw_bars("Instructions and bytes by line", legend, bars, l->shown, svg);
    for (size_t i = 0; i < l->shown; i++)
        free(names[i]);
    free(names);
    free(bars);
}

static void fini(struct lines *l)
{
    for (size_t i = 0; i < l->rq->p->nfiles; i++)
        cc_source_fini(&l->sources[i]);
    free(l->sources);
    free(l->read);
    free(l->order);
    cc_line_sums_free(l->sums);
    cc_loops_free(l->loops);
}

static void show(struct lines *l, uint32_t file, struct cc_result *r)
{
    struct cc_filter filter = cc_view_filter(l->rq, 30, 0.001);
    choose(l, &filter);
    put_caveats(l, r);
    if (file != CC_NONE) {
        put_annotated(l, file, r);
        put_loops(l, file, r);
    } else {
        put_heaviest(l, r);
        note_changed(l, r);
    }
    put_files(l, r, file);
    if (l->rq->svg)
        draw(l, l->rq->svg);
}

int cc_view_lines(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    const struct cc_profile *p = rq->p;
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nfunctions + 1, sizeof *match);
    struct cc_line_request what = {.match = rq->filter.focus ? match : NULL};
    struct lines l = {.rq = rq};
    uint32_t file = CC_NONE;
    int rc = rq->filter.focus ? cc_names_focus_functions(rq->filter.focus, p, match, err) : 0;
    if (rc == 0)
        rc = cc_line_sums(p, &what, &l.sums, err);
    if (rc == 0 && rq->annotate)
        rc = find_file(rq, &file, err);
    l.sources = cc_alloc_array(p->nfiles + 1, sizeof *l.sources);
    l.read = cc_alloc_array(p->nfiles + 1, sizeof *l.read);
    if (rc == 0)
        show(&l, file, r);
    fini(&l);
    return rc;
}
