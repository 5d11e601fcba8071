#include "source.h"
#include "tree.h"

#include <errno.h>
#include <libgen.h>
#include <sys/stat.h>

/* Flags of a build that change what the source means; the others (warnings, output, optimisation) do not
 * matter here, and some of gcc's are unknown to clang. */
static const char *const keep_with_value[] = {"-I",       "-D",       "-U",         "-include",  "-imacros",
                                              "-isystem", "-iquote",  "-idirafter", "-isysroot", "-x",
                                              "-target",  "-iprefix", NULL};
static const char *const keep_prefix[] = {
    "-std=",         "-ansi",           "-m",           "-fsigned-char",  "-funsigned-char",
    "-fshort-enums", "-fms-extensions", "-nostdinc",    "--target=",      "--sysroot=",
    "-pthread",      "-fopenmp",        "-fno-builtin", "-fgnu89-inline", NULL};

static void build_flag(const struct cc_strs *all, size_t *i, struct cc_strs *flags)
{
    const char *a = all->v[*i];
    for (size_t k = 0; keep_with_value[k]; k++) {
        size_t n = strlen(keep_with_value[k]);
        if (strncmp(a, keep_with_value[k], n) != 0)
            continue;
        CC_VEC_PUSH(flags, a);
        if (!a[n] && *i + 1 < all->n)
            CC_VEC_PUSH(flags, all->v[++*i]);
        return;
    }
    for (size_t k = 0; keep_prefix[k]; k++) {
        if (strncmp(a, keep_prefix[k], strlen(keep_prefix[k])) == 0) {
            CC_VEC_PUSH(flags, a);
            return;
        }
    }
}

static int database_flags(const char *path, const char *source, struct cc_arena *arena, struct cc_strs *flags,
                          const char **ret_folder, struct cc_err *err)
{
    char *dir = cc_arena_strdup(arena, path);
    struct stat st;
    if (stat(dir, &st) < 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
    if (!S_ISDIR(st.st_mode))
        dir = dirname(dir);
    struct cc_strs all = {0};
    int rc = cc_tree_database_flags(dir, source, arena, &all, ret_folder, err);
    for (size_t i = 0; rc == 0 && i < all.n; i++)
        build_flag(&all, &i, flags);
    cc_strs_fini(&all);
    if (rc == 0 && (stat(*ret_folder, &st) < 0 || !S_ISDIR(st.st_mode)))
        rc = cc_err_at(err, CC_EINPUT, source, 0, "the folder of its command, '%s', is not there",
                       *ret_folder);
    return rc;
}

static bool is_cplusplus(const char *path, const struct cc_strs *flags)
{
    static const char *const endings[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp", ".hh", ".hxx", ".ii"};
    const char *dot = strrchr(path, '.');
    bool yes = false;
    for (size_t i = 0; dot && i < CC_COUNT(endings); i++)
        yes |= strcmp(dot, endings[i]) == 0;
    for (size_t i = 0; i < flags->n; i++) {
        const char *x = strcmp(flags->v[i], "-x") == 0 && i + 1 < flags->n ? flags->v[i + 1] : NULL;
        if (!x && strncmp(flags->v[i], "-x", 2) == 0 && flags->v[i][2])
            x = flags->v[i] + 2;
        if (x)
            yes = strncmp(x, "c++", 3) == 0;
    }
    return yes;
}

/* For the parser: without -x, which would hide that the text is preprocessed. */
static void parser_flags(const struct cc_strs *flags, struct cc_strs *out)
{
    for (size_t i = 0; i < flags->n; i++) {
        if (strcmp(flags->v[i], "-x") == 0)
            i++;
        else if (strncmp(flags->v[i], "-x", 2) != 0)
            CC_VEC_PUSH(out, flags->v[i]);
    }
}

static void make_command(const char *program, const char *source, const struct cc_strs *flags,
                         struct cc_source_unit *unit)
{
    static const char *const fixed[] = {"-E", "-w", "-ferror-limit=0", "-fno-caret-diagnostics",
                                        "-fno-color-diagnostics"};
    bool header = strrchr(source, '.') && strncmp(strrchr(source, '.'), ".h", 2) == 0;
    struct cc_strs *command = &unit->command;
    CC_VEC_PUSH(command, program);
    for (size_t i = 0; i < CC_COUNT(fixed); i++)
        CC_VEC_PUSH(command, fixed[i]);
    if (header) {
        CC_VEC_PUSH(command, "-x");
        CC_VEC_PUSH(command, unit->cplusplus ? "c++" : "c");
    }
    for (size_t i = 0; i < flags->n; i++)
        CC_VEC_PUSH(command, flags->v[i]);
    CC_VEC_PUSH(command, "--");
    CC_VEC_PUSH(command, source);
    CC_VEC_PUSH(command, NULL);
}

/* The file's absolute name, owned by the caller; NULL with an error if it is no regular file. */
static char *absolute_name(const char *path, struct cc_err *err)
{
    struct stat st;
    char *absolute = realpath(path, NULL);
    if (!absolute || stat(absolute, &st) < 0)
        cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
    else if (!S_ISREG(st.st_mode))
        cc_err_at(err, CC_EINPUT, path, 0, "not a regular file");
    else
        return absolute;
    free(absolute);
    return NULL;
}

static const char *last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool cc_source_same_file(const char *a, const char *b)
{
    return strcmp(last_part(a), last_part(b)) == 0 && (*a != '/' || *b != '/' || strcmp(a, b) == 0);
}

int cc_source_unit_init(struct cc_source_unit *unit, const char *path,
                        const struct cc_source_options *options, struct cc_arena *arena, struct cc_err *err)
{
    struct cc_strs flags = {0};
    const char *source = path;
    int rc = 0;
    *unit = (struct cc_source_unit){.path = path,
                                    .trips = options->trips,
                                    .ran = options->ran,
                                    .loops = options->loops,
                                    .own_headers = options->own_headers};
    CC_CLEANUP(cc_free_ptr) char *absolute = absolute_name(path, err);
    if (!absolute)
        return -CC_EINPUT;
    if (options->compile_commands) {
        source = cc_arena_strdup(arena, absolute); /* the commands hold in their own folder */
        rc = database_flags(options->compile_commands, source, arena, &flags, &unit->folder, err);
    }
    for (size_t i = 0; options->flags && i < options->flags->n; i++)
        CC_VEC_PUSH(&flags, options->flags->v[i]);
    unit->cplusplus = is_cplusplus(path, &flags);
    parser_flags(&flags, &unit->flags);
    make_command(options->preprocessor, source, &flags, unit);
    cc_strs_fini(&flags);
    if (rc < 0)
        cc_source_unit_fini(unit);
    return rc;
}

void cc_source_unit_fini(struct cc_source_unit *unit)
{
    cc_strs_fini(&unit->flags);
    cc_strs_fini(&unit->command);
    free(unit->text);
    *unit = (struct cc_source_unit){0};
}
