#include "loop_sources.h"
#include "source_child.h"
#include "report/source.h"
#include "../base/where.h"
#include "../base/text.h"
#include "../profile/names.h"

#include <sys/stat.h>

static void scan(void *unit, FILE *out)
{
    cc_source_loops_write(unit, out);
}

/* Lines about loops to the one, those of `beside` to the other. */
static void part(struct cc_source_loops *s, const struct cc_source_job *job,
                 const struct cc_loop_beside *beside)
{
    struct cc_buf parts[2] = {{0}};
    const char *end = job->answer.bytes + job->answer.size;
    for (const char *at = job->answer.bytes, *next; at < end; at = next) {
        const char *line = memchr(at, '\n', (size_t)(end - at));
        bool other = *at == CC_LOOP_BESIDE;
        next = line ? line + 1 : end;
        cc_buf_add(&parts[other], at + other, (size_t)(next - at) - other);
    }
    if (parts[0].n)
        cc_source_loops_add(s, parts[0].s, parts[0].n);
    beside->take(beside->data, job->unit.path, parts[1].n ? parts[1].s : "", parts[1].n);
    cc_buf_fini(&parts[0]);
    cc_buf_fini(&parts[1]);
}

/* Functions that could not be parsed, by what cc_source_unread tells of them: only what is not understood is
 * worth another standard. */
static size_t unread(const struct cc_source_answer *a)
{
    static const char mark[] = "\t4\t\nU\t";
    size_t n = 0;
    for (size_t i = 0; a->bytes && i + sizeof mark - 1 <= a->size; i++)
        n += memcmp(a->bytes + i, mark, sizeof mark - 1) == 0;
    return n;
}

/* Half of a file is worse than none: a function that was not reached would pass for one without a source. */
static void leave_out_halves(struct cc_source_job *jobs, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (jobs[i].rc == 0 && jobs[i].answer.signal) {
            cc_source_answer_fini(&jobs[i].answer);
            jobs[i].answer = (struct cc_source_answer){0};
        }
}

struct asked {
    struct cc_source_job *jobs;
    struct cc_strs flags; /* and the standard behind them */
    bool said;            /* which standard it is */
    const struct cc_loop_beside *beside;
};

/* Parses all files, those of C++ by that standard, unless it was said; of jobs that have an answer, those of
 * C++ again which lack something. */
static void ask_by(struct cc_source_loops *s, const struct cc_strs *paths,
                   const struct cc_source_options *with, const char *standard, struct asked *a)
{
    struct cc_source_job *jobs = cc_alloc_array(paths->n + 1, sizeof *jobs);
    struct cc_source_options plain = *with, told = *with;
    a->flags.v[a->flags.n - 1] = standard;
    told.flags = &a->flags;
    for (size_t i = 0; i < paths->n; i++) {
        bool again = a->jobs && a->jobs[i].rc == 0 && a->jobs[i].unit.cplusplus && !a->said &&
                     unread(&a->jobs[i].answer);
        jobs[i].rc = a->jobs && !again
                         ? -CC_EINPUT
                         : cc_source_unit_init(&jobs[i].unit, paths->v[i], &plain, &s->arena, &jobs[i].err);
        if (jobs[i].rc == 0 && jobs[i].unit.cplusplus && !a->said) {
            cc_source_unit_fini(&jobs[i].unit);
            jobs[i].rc = cc_source_unit_init(&jobs[i].unit, paths->v[i], &told, &s->arena, &jobs[i].err);
        }
    }
    cc_source_run_all(jobs, paths->n, a->beside ? a->beside->scan : scan);
    leave_out_halves(jobs, paths->n);
    for (size_t i = 0; a->jobs && i < paths->n; i++) {
        bool better = jobs[i].rc == 0 && jobs[i].answer.bytes && jobs[i].answer.size &&
                      unread(&jobs[i].answer) < unread(&a->jobs[i].answer);
        struct cc_source_job other = better ? a->jobs[i] : jobs[i];
        a->jobs[i] = better ? jobs[i] : a->jobs[i];
        cc_source_answer_fini(&other.answer);
        cc_source_unit_fini(&other.unit);
    }
    if (a->jobs)
        free(jobs);
    else
        a->jobs = jobs;
}

/* C++ is parsed by the standard that leaves least out: the binary does not tell which it was. */
static void ask(struct cc_source_loops *s, const struct cc_strs *paths, const struct cc_source_options *with,
                const struct cc_loop_beside *beside)
{
    static const char *const standards[] = {"-std=gnu++17", "-std=gnu++20"};
    struct asked a = {.beside = beside};
    for (size_t i = 0; i < with->flags->n; i++) {
        a.said = a.said || strncmp(with->flags->v[i], "-std=", 5) == 0;
        CC_VEC_PUSH(&a.flags, with->flags->v[i]);
    }
    CC_VEC_PUSH(&a.flags, standards[0]);
    for (size_t i = 0; i < CC_COUNT(standards); i++)
        ask_by(s, paths, with, standards[i], &a);
    for (size_t i = 0; i < paths->n; i++) {
        if (a.jobs[i].rc == 0 && a.jobs[i].answer.bytes && beside)
            part(s, &a.jobs[i], beside);
        else if (a.jobs[i].rc == 0 && a.jobs[i].answer.bytes)
            cc_source_loops_add(s, a.jobs[i].answer.bytes, a.jobs[i].answer.size);
        cc_source_answer_fini(&a.jobs[i].answer);
        cc_source_unit_fini(&a.jobs[i].unit);
    }
    free(a.jobs);
    cc_strs_fini(&a.flags);
}

/* Files that loops lie in, and the files of their functions, which include what those lie in. */
static bool *wanted(const struct cc_profile *p)
{
    bool *want = cc_alloc_array(p->nfiles + 1, sizeof *want);
    for (size_t i = 0; i < p->nloops; i++) {
        const char *names[] = {p->loops[i].file, p->functions[p->loops[i].function].file};
        for (size_t k = 0; k < p->nfiles; k++)
            for (size_t n = 0; n < CC_COUNT(names); n++)
                want[k] = want[k] || (names[n] && strcmp(names[n], p->files[k].path) == 0);
    }
    return want;
}

enum { MOST_FOLDERS = 64 };

static void add_word(struct cc_strs *to, const char *word)
{
    CC_VEC_PUSH(to, word);
}

static void add_folder(struct cc_strs *to, size_t from, const char *folder, struct cc_arena *arena)
{
    struct stat st;
    if (to->n - from >= 2 * MOST_FOLDERS || strncmp(folder, "/usr/", 5) == 0 || stat(folder, &st) != 0 ||
        !S_ISDIR(st.st_mode))
        return;
    for (size_t i = from + 1; i < to->n; i += 2)
        if (strcmp(to->v[i], folder) == 0)
            return;
    add_word(to, "-idirafter");
    add_word(to, cc_arena_strdup(arena, folder));
}

/* A folder that was around the compiler, and those that usually have a program's headers. */
static void add_usual(struct cc_strs *to, size_t from, const char *around, struct cc_arena *arena)
{
    static const char *const usual[] = {"", "/include", "/inc", "/src"};
    for (size_t i = 0; i < CC_COUNT(usual); i++) {
        CC_CLEANUP(cc_free_ptr) char *folder = cc_asprintf("%s%s", around, usual[i]);
        add_folder(to, from, folder, arena);
    }
}

/* Two folders around that of a file that was compiled by its whole path: nobody knows where that was. */
static void add_above(struct cc_strs *to, size_t from, char *folder, struct cc_arena *arena)
{
    enum { LEVELS = 2 };
    char *slash;
    for (int i = 0;
         i < LEVELS && (slash = strrchr(folder, '/')) && memchr(folder, '/', (size_t)(slash - folder)); i++) {
        *slash = '\0';
        add_usual(to, from, folder, arena);
    }
}

/* The folder of a file and those around it, up to where the compiler ran: "lib/vec.h" may be included from
 * there. */
static void add_folders(struct cc_strs *to, size_t from, const struct cc_pfile *f, const char *moved_to,
                        struct cc_arena *arena)
{
    CC_CLEANUP(cc_free_ptr) char *path = moved_to ? cc_source_find(f, moved_to) : cc_names_file(f);
    const char *around = moved_to ? moved_to : f->folder;
    if (!path)
        return;
    size_t top = around ? strlen(around) : 0;
    for (char *slash; (slash = strrchr(path, '/')) && slash > path;) {
        *slash = '\0';
        if (top && (strlen(path) < top || strncmp(path, around, top) != 0))
            break;
        add_folder(to, from, path, arena);
        if (!top)
            break;
    }
    if (around)
        add_usual(to, from, around, arena);
    else if (strncmp(path, "/usr/", 5) != 0)
        add_above(to, from, path, arena);
}

void cc_loop_flags(const struct cc_profile *p, const struct cc_strs *flags, const char *folder,
                   struct cc_arena *arena, struct cc_strs *ret)
{
    for (size_t i = 0; flags && i < flags->n; i++)
        add_word(ret, flags->v[i]);
    size_t from = ret->n;
    for (size_t i = 0; i < p->nfiles; i++)
        add_folders(ret, from, &p->files[i], folder, arena);
}

/* What the parser says of a file, by its whole path or in another folder, is of the file that was compiled:
 * the recording has the compiler's name for it (`g++ -g src/a.cc`). */
static void name_as_compiled(struct cc_source_loops *s, const struct cc_profile *p, const char *folder)
{
    struct cc_source_names names;
    cc_source_names_init(&names, p, folder);
    for (size_t i = 0; i < s->v.n; i++)
        s->v.v[i].file = cc_source_name(&names, s->v.v[i].file);
    for (size_t i = 0; i < s->functions.n; i++)
        s->functions.v[i].file = cc_source_name(&names, s->functions.v[i].file);
    cc_source_names_fini(&names);
}

/* What others include, and what they see of it may depend on what they say before. */
static bool is_header(const char *path)
{
    static const char *const compiled[] = {".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cp"};
    const char *dot = strrchr(cc_text_base(path), '.');
    for (size_t i = 0; dot && i < CC_COUNT(compiled); i++)
        if (strcmp(dot, compiled[i]) == 0)
            return false;
    return true;
}

/* Whether files that include it have told of it: these know what it says there. */
static bool is_known(const struct cc_source_loops *s, const char *file)
{
    for (size_t i = 0; i < s->functions.n; i++)
        if (cc_text_same_file(file, s->functions.v[i].file))
            return true;
    return false;
}

struct program {
    const struct cc_profile *p;
    const char *folder;
    const struct cc_loop_beside *beside;
};

/* Asks the files that are compiled by themselves, or the headers that none of these has told all about. */
static void ask_of(struct cc_source_loops *s, const struct program *from,
                   const struct cc_source_options *with, const bool *want, bool headers)
{
    const struct cc_profile *p = from->p;
    struct cc_strs paths = {0};
    for (size_t i = 0; i < p->nfiles; i++) {
        struct cc_source text = {0};
        const char *path = p->files[i].path;
        if (!want[i] || is_header(path) != headers || (headers && is_known(s, path)))
            continue;
        cc_source_read(&text, &p->files[i], from->folder);
        if (text.path && !text.changed)
            CC_VEC_PUSH(&paths, cc_arena_strdup(&s->arena, text.path));
        cc_source_fini(&text);
    }
    ask(s, &paths, with, from->beside);
    cc_strs_fini(&paths);
}

static int by_place(const void *a, const void *b)
{
    const struct cc_source_line *x = a, *y = b;
    int order = strcmp(x->file, y->file);
    return order ? order : (x->line > y->line) - (x->line < y->line);
}

/* All lines that ran, loops' own too; none if the recording does not have them all. */
static void lines_that_ran(const struct cc_profile *p, struct cc_source_lines *ret)
{
    *ret = (struct cc_source_lines){0};
    if (p->blocks_cut || !p->nlines)
        return;
    ret->v = cc_alloc_array(p->nlines + p->nloops + 1, sizeof *ret->v);
    for (size_t i = 0; i < p->nlines; i++)
        if (p->lines[i].file != CC_NONE)
            ret->v[ret->n++] =
                (struct cc_source_line){cc_text_base(p->files[p->lines[i].file].path), p->lines[i].line};
    for (size_t i = 0; i < p->nloops; i++)
        if (p->loops[i].file)
            ret->v[ret->n++] = (struct cc_source_line){cc_text_base(p->loops[i].file), p->loops[i].line};
    if (ret->n)
        qsort(ret->v, ret->n, sizeof *ret->v, by_place);
}

struct cc_source_loops *cc_loop_sources(const struct cc_profile *p, const char *folder)
{
    return cc_loop_sources_with(p, folder, NULL, NULL);
}

struct cc_source_loops *cc_loop_sources_with(const struct cc_profile *p, const char *folder,
                                             const struct cc_strs *given, const struct cc_loop_beside *beside)
{
    struct cc_source_loops *s = cc_source_loops_new();
    struct cc_strs flags = {0};
    cc_loop_flags(p, given, folder, &s->arena, &flags);
    CC_CLEANUP(cc_free_ptr) bool *want = wanted(p);
    CC_CLEANUP(cc_free_ptr) char *preprocessor = cc_source_preprocessor();
    struct cc_source_options options = {.preprocessor = preprocessor, .flags = &flags, .own_headers = true};
    const struct program from = {p, folder, beside};
    CC_CLEANUP(cc_free_ptr) char *found = cc_where_program(preprocessor);
    if (!found)
        s->blind = cc_arena_printf(&s->arena, "no source can be read: there is no '%s' (install clang)",
                                   preprocessor);
    lines_that_ran(p, &options.ran);
    ask_of(s, &from, &options, want, false);
    ask_of(s, &from, &options, want, true);
    free(options.ran.v);
    cc_strs_fini(&flags);
    name_as_compiled(s, p, folder);
    return s;
}
