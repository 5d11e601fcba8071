#include "sources.h"
#include "../../base/where.h"
#include "../../run/child.h"

#include <errno.h>
#include <sys/wait.h>

enum { MAX_TEXT = 64 << 20, MAX_SAID = 64 << 10, MAX_CPU_SECONDS = 600 };

static char *preprocessor(void)
{
    const char *named = getenv("CORECAST_CPP");
    if (named && *named)
        return cc_strdup(named);
    char *versioned = cc_asprintf("clang-%d", cc_source_clang_version());
    CC_CLEANUP(cc_free_ptr) char *found = cc_where_program(versioned);
    if (found)
        return versioned;
    free(versioned);
    return cc_strdup("clang");
}

/* Whether the preprocessor left something to parse: what it said of missing includes is no failure. */
static int check_outcome(const char *path, const struct cc_child *c, struct cc_err *err)
{
    if (c->too_long)
        return cc_err_set(err, CC_EINPUT, "larger than %d MiB when preprocessed", MAX_TEXT >> 20);
    if (WIFSIGNALED(c->status))
        return cc_err_at(err, CC_EINPUT, path, 0, "the preprocessor was ended by signal %d",
                         WTERMSIG(c->status));
    if (c->out.n == 0 && c->status != 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "the preprocessor failed: %.*s",
                         c->err.s ? (int)strcspn(c->err.s, "\n") : 0, c->err.s ? c->err.s : "");
    return 0;
}

static int not_found(const char *program, struct cc_err *err)
{
    *err = (struct cc_err){0};
    int rc = cc_err_set(err, CC_EUSAGE, "cannot find the preprocessor '%s'", program);
    cc_err_hint(err, "install clang, or name one in CORECAST_CPP");
    return rc;
}

static int preprocess(struct cc_source_unit *unit, char **ret_said, struct cc_err *err)
{
    const char *program = unit->command.v[0];
    CC_CLEANUP(cc_free_ptr)
    char *file = cc_where_program(program);
    if (!file)
        return not_found(program, err);
    struct cc_child child;
    struct cc_child_request request = {.file = file,
                                       .argv = (char *const *)(uintptr_t)unit->command.v,
                                       .folder = unit->folder,
                                       .in = CC_STREAM_NULL,
                                       .out = CC_STREAM_CAPTURED,
                                       .err = CC_STREAM_CAPTURED,
                                       .max_out = MAX_TEXT,
                                       .max_err = MAX_SAID,
                                       .cpu_seconds = MAX_CPU_SECONDS};
    int rc = cc_child_run(&request, &child, err);
    if (rc < 0)
        return child.exec_errno == ENOENT ? not_found(program, err) : rc;
    rc = check_outcome(unit->path, &child, err);
    if (rc == 0) {
        cc_buf_puts(&child.out, "");
        cc_buf_puts(&child.err, "");
        unit->text = child.out.s;
        unit->size = child.out.n;
        *ret_said = child.err.s;
        child.out = child.err = (struct cc_buf){0};
    }
    cc_child_fini(&child);
    return rc;
}

static void work(void *data, FILE *out)
{
    cc_source_measure(data, out);
}

static int parse(struct cc_sources *s, struct cc_source_unit *unit, char *said, struct cc_err *err)
{
    struct cc_child child;
    struct cc_child_request request = {
        .work = work,
        .data = unit,
        .stack = CC_SOURCE_STACK,
        .environment = cc_source_environment,
        .in = CC_STREAM_NULL,
        .out = CC_STREAM_CAPTURED,
        .err = CC_STREAM_NULL, /* the parser's crash reports are told in our own words */
        .max_out = MAX_TEXT,
        .cpu_seconds = MAX_CPU_SECONDS};
    int rc = cc_child_run(&request, &child, err);
    cc_buf_puts(&child.out, "");
    if (rc == 0)
        cc_sources_add(s, unit,
                       &(struct cc_source_outcome){
                           .said = said,
                           .bytes = child.out.s,
                           .size = child.out.n,
                           .signal = WIFSIGNALED(child.status) ? WTERMSIG(child.status) : 0,
                       });
    cc_child_fini(&child);
    return rc;
}

static int measure_file(struct cc_sources *s, const char *path, const struct cc_source_options *options,
                        struct cc_err *err)
{
    struct cc_source_unit unit;
    struct cc_err fault = {0};
    char *said = NULL;
    int rc = cc_source_unit_init(&unit, path, options, &s->arena, &fault);
    if (rc == 0)
        rc = preprocess(&unit, &said, &fault);
    if (rc == -CC_EINPUT) {
        cc_sources_fail(s, path, &fault);
        rc = 0;
    } else if (rc < 0) {
        *err = fault;
    } else {
        rc = parse(s, &unit, said, err);
    }
    free(said);
    cc_source_unit_fini(&unit);
    return rc;
}

int cc_area_measure(const struct cc_strs *files, const struct cc_source_options *options,
                    struct cc_sources **ret, struct cc_err *err)
{
    struct cc_source_options with = *options;
    CC_CLEANUP(cc_free_ptr) char *found = with.preprocessor ? NULL : preprocessor();
    if (found)
        with.preprocessor = found;
    struct cc_sources *s = cc_sources_new();
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < files->n; i++)
        rc = measure_file(s, files->v[i], &with, err);
    if (rc < 0) {
        cc_sources_free(s);
        return rc;
    }
    cc_sources_finish(s);
    *ret = s;
    return 0;
}
