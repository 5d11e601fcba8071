#include "set.h"
#include "../base/csv.h"
#include "../base/file.h"
#include "../base/text.h"

#include <sys/stat.h>

static const char head[] = "# corecast set: ";

struct cc_set *cc_set_new(const char *folder)
{
    struct cc_set *s = cc_alloc(sizeof *s);
    s->folder = cc_arena_strdup(&s->arena, folder);
    return s;
}

void cc_set_free(struct cc_set *s)
{
    if (!s)
        return;
    CC_VEC_FINI(&s->runs);
    cc_arena_fini(&s->arena);
    free(s);
}

static const char *text_of(struct cc_set *s, const char *cell)
{
    return cc_arena_strdup(&s->arena, cc_text_of_csv(cell));
}

/* A file name, not a path: a manifest from elsewhere must not lead out of its folder. */
static bool is_name(const char *file)
{
    return !strchr(file, '/') && strcmp(file, "..") != 0;
}

static int take_header(struct cc_set *s, const struct cc_csv_reader *r, struct cc_err *err)
{
    if (r->n < 3 || strcmp(r->cells[0], "file") != 0 || strcmp(r->cells[1], "status") != 0)
        return cc_err_at(err, CC_EINPUT, r->path, r->line,
                         "a set has the columns file, status and at least one variable");
    if (r->n - 2 > CC_SET_MAX_VARIABLES)
        return cc_err_at(err, CC_EINPUT, r->path, r->line, "more than %d variables", CC_SET_MAX_VARIABLES);
    s->nvariables = r->n - 2;
    s->variables = cc_arena_alloc(&s->arena, s->nvariables * sizeof *s->variables);
    for (size_t i = 0; i < s->nvariables; i++) {
        s->variables[i] = text_of(s, r->cells[i + 2]);
        for (size_t k = 0; k < i; k++)
            if (strcmp(s->variables[i], s->variables[k]) == 0)
                return cc_err_at(err, CC_EINPUT, r->path, r->line, "two variables are called '%s'",
                                 s->variables[i]);
        if (!*s->variables[i])
            return cc_err_at(err, CC_EINPUT, r->path, r->line, "column %zu has no name", i + 3);
    }
    return 0;
}

static int take_run(struct cc_set *s, const struct cc_csv_reader *r, struct cc_err *err)
{
    if (r->n != s->nvariables + 2)
        return cc_err_at(err, CC_EINPUT, r->path, r->line, "%zu cells instead of %zu", r->n,
                         s->nvariables + 2);
    struct cc_set_run run = {text_of(s, r->cells[0]), text_of(s, r->cells[1]),
                             cc_arena_alloc(&s->arena, s->nvariables * sizeof *run.values)};
    if (!is_name(run.file))
        return cc_err_at(err, CC_EINPUT, r->path, r->line, "'%s' is not in the folder of the set", run.file);
    if (s->runs.n == CC_SET_MAX_RUNS)
        return cc_err_at(err, CC_EINPUT, r->path, r->line, "more than %d runs", CC_SET_MAX_RUNS);
    for (size_t i = 0; i < s->nvariables; i++)
        run.values[i] = text_of(s, r->cells[i + 2]);
    CC_VEC_PUSH(&s->runs, run);
    return 0;
}

static int take(struct cc_set *s, struct cc_csv_reader *r, struct cc_err *err)
{
    for (;;) {
        int rc = cc_csv_next(r, err);
        if (rc == CC_CSV_COMMENT) {
            if (!s->command && strncmp(r->cells[0], head, sizeof head - 1) == 0)
                s->command = cc_arena_strdup(&s->arena, r->cells[0] + sizeof head - 1);
            continue;
        }
        if (rc == CC_CSV_END)
            return s->nvariables ? 0 : cc_err_at(err, CC_EINPUT, r->path, 0, "the set is empty");
        if (rc == CC_CSV_ROW)
            rc = s->nvariables ? take_run(s, r, err) : take_header(s, r, err);
        if (rc < 0)
            return rc;
    }
}

bool cc_is_set(const char *path)
{
    struct stat st;
    return (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) || strcmp(cc_text_base(path), CC_SET_MANIFEST) == 0;
}

int cc_set_load(const char *path, struct cc_set **ret, struct cc_err *err)
{
    struct stat st;
    bool folder = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    CC_CLEANUP(cc_free_ptr)
    char *manifest = folder ? cc_asprintf("%s/%s", path, CC_SET_MANIFEST) : cc_strdup(path);
    CC_CLEANUP(cc_free_ptr)
    char *of = folder ? cc_strdup(path) : cc_strndup(path, (size_t)(cc_text_base(path) - path));
    struct cc_set *s = cc_set_new(*of ? of : ".");
    struct cc_csv_reader r;
    int rc = cc_csv_open(&r, manifest, err);
    if (rc == 0) {
        rc = take(s, &r, err);
        cc_csv_close(&r);
    } else if (folder) {
        cc_err_hint(err, "corecast record --vary makes sets");
    }
    if (rc < 0)
        cc_set_free(s);
    else
        *ret = s;
    return rc;
}

int cc_set_save(const struct cc_set *s, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", s->folder, CC_SET_MANIFEST);
    struct cc_outfile out;
    int rc = cc_outfile_open(&out, path, err);
    if (rc < 0)
        return rc;
    struct cc_buf b = {0};
    if (s->command)
        cc_buf_printf(&b, "%s%s\n", head, s->command);
    cc_buf_puts(&b, "file,status");
    for (size_t i = 0; i < s->nvariables; i++) {
        cc_buf_puts(&b, ",");
        cc_text_csv(&b, s->variables[i]);
    }
    cc_buf_puts(&b, "\n");
    for (size_t k = 0; k < s->runs.n; k++) {
        const struct cc_set_run *r = &s->runs.v[k];
        cc_text_csv(&b, r->file);
        cc_buf_puts(&b, ",");
        cc_text_csv(&b, r->status);
        for (size_t i = 0; i < s->nvariables; i++) {
            cc_buf_puts(&b, ",");
            cc_text_csv(&b, r->values[i]);
        }
        cc_buf_puts(&b, "\n");
    }
    fwrite(b.s, 1, b.n, out.f); /* the commit finds a failure */
    cc_buf_fini(&b);
    return cc_outfile_commit(&out, err);
}

struct cc_set_run *cc_set_find(struct cc_set *s, const char *const *values, size_t n)
{
    for (size_t k = 0; k < s->runs.n; k++) {
        bool same = true;
        for (size_t i = 0; same && i < n; i++)
            same = strcmp(s->runs.v[k].values[i], values[i]) == 0;
        if (same)
            return &s->runs.v[k];
    }
    return NULL;
}

char *cc_set_path(const struct cc_set *s, const struct cc_set_run *r)
{
    return cc_asprintf("%s/%s", s->folder, r->file);
}
