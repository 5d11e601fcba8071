#include "output.h"
#include "../base/terminal.h"
#include "../base/text.h"
#include "../profile/store.h"
#include "../run/pager.h"

#include <libgen.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int cc_output_open(struct cc_outfile *out, const struct cc_common *common, struct cc_err *err)
{
    return cc_outfile_open(out, common->output ? common->output : "-", err);
}

enum cc_format cc_output_format(const struct cc_common *common)
{
    return common->csv ? CC_FORMAT_CSV : common->json ? CC_FORMAT_JSON : CC_FORMAT_TEXT;
}

/* Text for a terminal whose rows it does not fit, in a file without a name; -1: it goes straight to `out`. */
static int long_text(const struct cc_result *r, enum cc_format how, FILE *out)
{
    int fd = memfd_create("corecast", MFD_CLOEXEC), lines = 0, c;
    FILE *f = fd >= 0 ? fdopen(dup(fd), "w+") : NULL;
    char columns[16];
    snprintf(columns, sizeof columns, "%u", cc_terminal_columns(out));
    setenv("CORECAST_COLUMNS", columns, 1);
    bool whole = f && cc_result_print(r, how, NULL, f, NULL) == 0 && fflush(f) == 0;
    unsetenv("CORECAST_COLUMNS");
    if (whole)
        rewind(f);
    while (whole && (c = fgetc(f)) != EOF)
        lines += c == '\n';
    if (f)
        fclose(f);
    if (whole && lines >= (int)cc_terminal_rows(out))
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Whether a pager showed it. */
static bool paged(const struct cc_common *common, const struct cc_result *r, enum cc_format how, FILE *out)
{
    const char *command = cc_pager_command();
    bool text = how == CC_FORMAT_TEXT || how == CC_FORMAT_COLORED;
    if (!text || common->no_pager || !command || out != stdout || !cc_terminal_rows(out))
        return false;
    fflush(out);
    int fd = long_text(r, how, out);
    bool shown = fd >= 0 && cc_pager_show(command, fd);
    if (fd >= 0)
        close(fd);
    return shown;
}

int cc_output_result(const struct cc_common *common, const struct cc_result *r, struct cc_err *err)
{
    struct cc_outfile out = {0};
    int rc = cc_output_open(&out, common, err);
    if (rc < 0)
        return rc;
    enum cc_format how = cc_output_format(common);
    if (how == CC_FORMAT_TEXT && cc_output_colored(common, out.f))
        how = CC_FORMAT_COLORED;
    if (!paged(common, r, how, out.f))
        rc = cc_result_print(r, how, common->csv && *common->csv ? common->csv : NULL, out.f, err);
    if (rc == 0)
        return cc_outfile_commit(&out, err);
    cc_outfile_abort(&out);
    return rc;
}

void cc_output_progress(const struct cc_common *common, struct cc_progress *p)
{
    cc_progress_begin(p, !common->quiet && isatty(STDERR_FILENO));
}

void cc_note(const struct cc_common *common, const char *fmt, ...)
{
    if (common->quiet)
        return;
    va_list ap;
    va_start(ap, fmt);
    char line[2048];
    vsnprintf(line, sizeof line, fmt, ap);
    va_end(ap);
    fflush(stdout);
    fputs("corecast: ", stderr);
    cc_text_print_safe(stderr, line);
    fputc('\n', stderr);
}

int cc_output_file(const char *path, const struct cc_buf *content, struct cc_err *err)
{
    struct cc_outfile out;
    int rc = cc_outfile_open(&out, path, err);
    if (rc < 0)
        return rc;
    fwrite(content->s, 1, content->n, out.f);
    return cc_outfile_commit(&out, err);
}

bool cc_output_colored(const struct cc_common *common, FILE *f)
{
    if (common->color)
        return common->color == 1;
    const char *no = getenv("NO_COLOR");
    return !(no && *no) && isatty(fileno(f));
}

bool cc_input_is_recording(const char *path)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = NULL;
    char head[16] = "";
    return cc_file_open_stream(path, &f, NULL) == 0 && fread(head, 1, sizeof head, f) == sizeof head &&
           memcmp(head, "SQLite format 3", sizeof head) == 0;
}

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && x.st_dev == y.st_dev &&
           x.st_ino == y.st_ino;
}

/* Of a set of recordings: its manifest, or what may be one of them. */
static bool is_of_set(const char *path, const char *folder)
{
    CC_CLEANUP(cc_free_ptr) char *manifest = cc_asprintf("%s/manifest.csv", folder);
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(path);
    const char *base = cc_text_base(path), *kind = strrchr(base, '.');
    struct stat x, y;
    if (!kind || (strcmp(base, "manifest.csv") != 0 && strcmp(kind, ".cast") != 0))
        return false;
    return access(path, F_OK) == 0 && access(manifest, F_OK) == 0 && stat(dirname(copy), &x) == 0 &&
           stat(folder, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static bool is_input(const char *path, const char *input)
{
    return same_file(path, input) || is_of_set(path, input);
}

static const struct cc_opt *row(const struct cc_opt_table *t, size_t i)
{
    return i < t->n ? &t->v[i] : i - t->n < cc_common_option_count ? &cc_common_options[i - t->n] : NULL;
}

/* Whether the file is what an option that is read names. */
static bool is_read(const struct cc_opt_table *t, const void *values, const char *path)
{
    const struct cc_opt *o;
    for (size_t i = 0; (o = row(t, i)); i++) {
        const void *field = (const char *)values + o->offset;
        const char *text = o->type == CC_OPT_STR ? *(const char *const *)field : NULL;
        const struct cc_strs none = {0}, *list = o->type == CC_OPT_LIST ? field : &none;
        if (text && is_input(path, text))
            return true;
        for (size_t k = 0; k < list->n; k++)
            if (is_input(path, list->v[k]))
                return true;
    }
    return false;
}

int cc_output_spare(const char *path, const char *input, struct cc_err *err)
{
    if (!path || !input || !same_file(path, input))
        return 0;
    return cc_err_set(err, CC_EUSAGE, "'%s' is also an input, and would be lost", path);
}

int cc_output_spare_arguments(const char *path, const char *const *arguments, size_t n, struct cc_err *err)
{
    bool given = same_file(path, "/dev/stdin");
    for (size_t i = 0; i < n && !given; i++) {
        const char *value = strchr(arguments[i], '=');
        given = same_file(path, arguments[i]) || (value && same_file(path, value + 1));
    }
    if (!given || cc_store_is_profile(path))
        return 0;
    return cc_err_set(err, CC_EUSAGE, "'%s' is also an input of the program, and would be lost", path);
}

int cc_output_check(const struct cc_opt_table *t, const void *values, const struct cc_strs *operands,
                    size_t n, struct cc_err *err)
{
    const struct cc_opt *o;
    for (size_t i = 0; (o = row(t, i)); i++) {
        const char *path =
            o->type == CC_OPT_OUT ? *(const char *const *)((const char *)values + o->offset) : NULL;
        bool read = path && is_read(t, values, path);
        for (size_t k = 0; path && !read && k < operands->n && k < n; k++)
            read = is_input(path, operands->v[k]);
        if (read)
            return cc_err_set(err, CC_EUSAGE, "option '%s%s': '%s' is also an input, and would be lost",
                              o->letter ? (char[]){'-', o->letter, 0} : "--", o->letter ? "" : o->name, path);
        int rc = path && n < operands->n
                     ? cc_output_spare_arguments(path, operands->v + n, operands->n - n, err)
                     : 0;
        if (rc < 0)
            return rc;
    }
    return 0;
}
