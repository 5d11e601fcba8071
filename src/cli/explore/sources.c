/* The program's source files: their text, and what the parser says of their loops. */
#include "internal.h"
#include "../loop_sources.h"
#include "../source_child.h"
#include "../report/source.h"
#include "../../base/file.h"
#include "../../profile/names.h"
#include "../../base/text.h"

#include <limits.h>
#include <unistd.h>

static void scan(void *unit, FILE *out)
{
    cc_patch_facts_write(unit, out);
}

/* What the patch wants to know of a function, in lines that are told apart from those about its loops. */
static void tell(void *out, const struct cc_tree *t)
{
    char *bytes = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&bytes, &size);
    if (!f)
        return;
    cc_patch_facts_tell(f, t);
    fclose(f);
    for (size_t i = 0; i < size;) {
        size_t n = strcspn(bytes + i, "\n");
        fprintf(out, "%c%.*s\n", CC_LOOP_BESIDE, (int)n, bytes + i);
        i += n + 1;
    }
    free(bytes);
}

static void scan_both(void *unit, FILE *out)
{
    cc_source_loops_write_beside(unit, out, tell, out);
}

/* What was told of files while their loops were asked for. */
struct told {
    char *path, *bytes;
    size_t size;
};
struct all_told {
    CC_VEC(struct told) v;
};

static void take(void *data, const char *path, const char *bytes, size_t size)
{
    struct told t = {cc_strdup(path), cc_alloc(size + 1), size};
    memcpy(t.bytes, bytes, size);
    CC_VEC_PUSH(&((struct all_told *)data)->v, t);
}

static void all_told_fini(struct all_told *a)
{
    for (size_t i = 0; i < a->v.n; i++) {
        free(a->v.v[i].path);
        free(a->v.v[i].bytes);
    }
    CC_VEC_FINI(&a->v);
}

static void ask(struct exploration *x, const char *path, const struct cc_source_options *with,
                const struct all_told *known)
{
    for (size_t i = 0; i < known->v.n; i++)
        if (strcmp(known->v.v[i].path, path) == 0) {
            cc_patch_facts_add(x->facts, known->v.v[i].bytes, known->v.v[i].size);
            return;
        }
    struct cc_source_options options = *with;
    struct cc_source_unit unit;
    struct cc_source_answer answer = {0};
    struct cc_err ignored = {0};
    if (cc_source_unit_init(&unit, path, &options, &x->facts->arena, &ignored) < 0)
        return;
    if (cc_source_run(&unit, scan, &answer, &ignored) == 0 && answer.bytes)
        cc_patch_facts_add(x->facts, answer.bytes, answer.size);
    cc_source_answer_fini(&answer);
    cc_source_unit_fini(&unit);
}

bool cc_explore_is_system(const char *path)
{
    static const char *const folders[] = {"/usr/include/", "/usr/lib/", "/usr/local/include/"};
    for (size_t i = 0; path && i < CC_COUNT(folders); i++)
        if (strncmp(path, folders[i], strlen(folders[i])) == 0)
            return true;
    return path && strstr(path, "/include/c++/") != NULL;
}

/* Files of functions that make calls which were followed, and of who calls them. */
static void want_calls(const struct exploration *x, bool *want)
{
    const struct cc_profile *p = x->p;
    for (size_t i = 0; i < p->nsiblings; i++) {
        const char *file = p->siblings[i].second_file;
        for (size_t k = 0; k < p->nfiles && p->siblings[i].kind == CC_DEPENDENCE_READS; k++)
            want[k] = want[k] || (file && strcmp(file, p->files[k].path) == 0 && !cc_explore_is_system(file));
    }
}

/* A nest whose tiles along diagonals may be, though nothing else of its file is. */
static bool may_be_wave(const struct exploration *x, const struct cc_loop *l)
{
    for (size_t i = 0; l->file && x->sources && i < x->sources->v.n; i++) {
        const struct cc_source_loop *s = &x->sources->v.v[i];
        if (s->line == l->line && cc_text_same_file(s->file, l->file) && cc_explore_is_wave(l, s, false))
            return true;
    }
    return false;
}

/* Files of the other functions that ran: what they use of the program's globals decides who may have copies
 * of these. Not of a large program: each takes a second, and what is not known is taken to use all. */
static void want_others(const struct exploration *x, bool *want)
{
    const size_t MOST = 40;
    const struct cc_profile *p = x->p;
    CC_CLEANUP(cc_free_ptr) bool *more = cc_alloc_array(p->nfiles + 1, sizeof *more);
    size_t n = 0;
    bool any = false;
    for (size_t k = 0; k < p->nfiles; k++) {
        any = any || want[k];
        for (size_t i = 0; i < p->nfunctions && !more[k] && !want[k]; i++)
            more[k] = p->functions[i].file && strcmp(p->functions[i].file, p->files[k].path) == 0 &&
                      !cc_explore_is_system(p->files[k].path);
        n += more[k] || want[k];
    }
    for (size_t k = 0; any && n <= MOST && k < p->nfiles; k++)
        want[k] = want[k] || more[k];
}

/* Files that hold loops which may be shared out, and those of their functions, which include them. */
static bool *wanted(const struct exploration *x)
{
    const struct cc_profile *p = x->p;
    bool *want = cc_alloc_array(p->nfiles + 1, sizeof *want);
    for (size_t i = 0; i < x->loops->v.n; i++) {
        const struct cc_loop *l = &x->loops->v.v[i];
        bool may = cc_explore_is_free(l) || may_be_wave(x, l) || x->o->assume.n || x->o->force;
        const char *names[] = {l->file, p->functions[p->loops[l->first].function].file};
        for (size_t k = 0; may && k < p->nfiles; k++)
            for (size_t n = 0; n < CC_COUNT(names); n++)
                want[k] = want[k] || (names[n] && strcmp(names[n], p->files[k].path) == 0 &&
                                      !cc_explore_is_system(names[n]));
    }
    want_calls(x, want);
    want_others(x, want);
    return want;
}

/* Nothing is written over a source. */
static int spare(const struct exploration *x, const char *source, struct cc_err *err)
{
    const char *const outputs[] = {x->o->patch, x->o->scenario, x->o->common.output, x->o->keep};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < CC_COUNT(outputs); i++)
        rc = cc_output_spare(outputs[i], source, err);
    return rc;
}

static int read_file(struct exploration *x, size_t i, const struct cc_source_options *with,
                     const struct all_told *known, struct cc_err *err)
{
    struct cc_source text = {0};
    struct file *f = &x->files[i];
    *f = (struct file){.f = &x->p->files[i]};
    cc_source_read(&text, f->f, x->o->source);
    int rc = spare(x, text.path, err);
    if (rc == 0 && text.path && !text.changed &&
        cc_file_read(text.path, CC_MAX_SOURCE, &f->bytes, &f->size, NULL) == 0) {
        f->path = realpath(text.path, NULL);
        if (!f->path)
            f->path = cc_strdup(text.path);
        f->text = cc_patch_text_new(f->bytes, f->size);
        ask(x, text.path, with, known);
    }
    cc_source_fini(&text);
    return rc;
}

static bool below(const char *path, const char *folder, size_t size)
{
    return strncmp(path, folder, size) == 0 && (path[size] == '/' || (size && folder[size - 1] == '/'));
}

/* Where a patch is applied: --source, or the present folder, or the deepest that holds all files. */
static char *root_of(const struct exploration *x)
{
    char here[PATH_MAX];
    char *root = x->o->source                ? realpath(x->o->source, NULL)
                 : getcwd(here, sizeof here) ? cc_strdup(here)
                                             : NULL;
    bool all = root != NULL;
    for (size_t i = 0; all && i < x->p->nfiles; i++)
        all = !x->files[i].path || below(x->files[i].path, root, strlen(root));
    if (all || !root)
        return root;
    free(root);
    root = NULL;
    for (size_t i = 0; i < x->p->nfiles; i++) {
        const char *path = x->files[i].path;
        if (!path)
            continue;
        if (!root) {
            root = cc_strdup(path);
            *strrchr(root, '/') = '\0';
        }
        while (*root && !below(path, root, strlen(root)))
            *strrchr(root, '/') = '\0';
    }
    return root;
}

void cc_explore_words(const char *text, struct cc_arena *arena, struct cc_strs *ret)
{
    for (const char *p = text ? text + strspn(text, " \t") : ""; *p;) {
        size_t n = strcspn(p, " \t");
        const char *word = cc_arena_strndup(arena, p, n);
        CC_VEC_PUSH(ret, word);
        p += n + strspn(p + n, " \t");
    }
}

/* What the parser says of a file in another folder is of the file that was compiled. */
static void name_as_compiled(struct exploration *x)
{
    struct cc_source_names names;
    cc_source_names_init(&names, x->p, x->o->source);
    for (size_t i = 0; i < x->facts->v.n; i++)
        x->facts->v.v[i].file = cc_source_name(&names, x->facts->v.v[i].file);
    for (size_t i = 0; i < x->facts->calls.v.n; i++)
        x->facts->calls.v.v[i].file = cc_source_name(&names, x->facts->calls.v.v[i].file);
    cc_source_names_fini(&names);
}

int cc_explore_sources(struct exploration *x, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *preprocessor = cc_source_preprocessor();
    struct cc_strs given = {0}, flags = {0};
    cc_explore_words(x->o->cflags, &x->arena, &given);
    cc_loop_flags(x->p, &given, x->o->source, &x->arena, &flags);
    struct cc_source_options with = {.preprocessor = preprocessor, .flags = &flags};
    struct all_told known = {0};
    x->sources =
        cc_loop_sources_with(x->p, x->o->source, &given, &(struct cc_loop_beside){scan_both, take, &known});
    x->facts = cc_patch_facts_new();
    x->files = cc_alloc_array(x->p->nfiles + 1, sizeof *x->files);
    int rc = cc_loops_analyse(x->p, x->sources, &x->loops, err);
    CC_CLEANUP(cc_free_ptr) bool *want = rc == 0 ? wanted(x) : NULL;
    for (size_t i = 0; rc == 0 && i < x->p->nfiles; i++)
        if (want[i])
            rc = read_file(x, i, &with, &known, err);
    cc_strs_fini(&given);
    cc_strs_fini(&flags);
    all_told_fini(&known);
    if (rc < 0)
        return rc;
    if (x->o->source)
        name_as_compiled(x);
    cc_explore_calls(x);
    x->root = root_of(x);
    for (size_t i = 0; i < x->p->nfiles; i++)
        if (x->files[i].path && x->root && below(x->files[i].path, x->root, strlen(x->root)))
            x->files[i].shown =
                cc_strdup(x->files[i].path + strlen(x->root) + (*x->root == '/' && x->root[1] ? 1 : 0));
    return 0;
}

void cc_explore_sources_fini(struct exploration *x)
{
    for (size_t i = 0; x->files && i < x->p->nfiles; i++) {
        free(x->files[i].path);
        free(x->files[i].shown);
        free(x->files[i].bytes);
        cc_patch_text_free(x->files[i].text);
    }
    free(x->files);
    free(x->root);
    cc_patch_facts_free(x->facts);
    cc_loops_free(x->loops);
    cc_source_loops_free(x->sources);
}
