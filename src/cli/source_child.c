#include "source_child.h"
#include "../base/where.h"
#include "../run/child.h"

#include <errno.h>
#include <sys/wait.h>

enum { MAX_TEXT = 64 << 20, MAX_SAID = 64 << 10, MAX_CPU_SECONDS = 30 };

char *cc_source_preprocessor(void)
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

static int work(struct cc_source_unit *unit, cc_source_work *fn, struct cc_source_answer *ret,
                struct cc_err *err)
{
    struct cc_child child;
    struct cc_child_request request = {
        .work = fn,
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
    if (rc == 0) {
        ret->bytes = child.out.s;
        ret->size = child.out.n;
        ret->signal = WIFSIGNALED(child.status) ? WTERMSIG(child.status) : 0;
        child.out = (struct cc_buf){0};
    }
    cc_child_fini(&child);
    return rc;
}

int cc_source_run(struct cc_source_unit *unit, cc_source_work *fn, struct cc_source_answer *ret,
                  struct cc_err *err)
{
    *ret = (struct cc_source_answer){0};
    int rc = preprocess(unit, &ret->said, err);
    return rc == 0 ? work(unit, fn, ret, err) : rc;
}

void cc_source_answer_fini(struct cc_source_answer *a)
{
    free(a->said);
    free(a->bytes);
}
