#include "source_child.h"
#include "../base/parallel.h"
#include "../base/where.h"
#include "../run/child.h"

#include <errno.h>
#include <sys/wait.h>

enum { MAX_TEXT = 64 << 20, MAX_SAID = 64 << 10, MAX_CPU_SECONDS = 30, MAX_SLOTS = 256 };

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

/* --- one file on its way: preprocessed, then parsed --- */

struct slot {
    struct cc_source_job *job; /* NULL: free */
    struct cc_child child;
    bool parsing;
};

static int start_preprocessor(struct slot *s)
{
    struct cc_source_unit *unit = &s->job->unit;
    const char *program = unit->command.v[0];
    CC_CLEANUP(cc_free_ptr) char *file = cc_where_program(program);
    if (!file)
        return not_found(program, &s->job->err);
    struct cc_child_request request = {.file = file,
                                       .argv = (char *const *)(uintptr_t)unit->command.v,
                                       .folder = unit->folder,
                                       .in = CC_STREAM_NULL,
                                       .out = CC_STREAM_CAPTURED,
                                       .err = CC_STREAM_CAPTURED,
                                       .max_out = MAX_TEXT,
                                       .max_err = MAX_SAID,
                                       .cpu_seconds = MAX_CPU_SECONDS};
    int rc = cc_child_start(&request, &s->child, &s->job->err);
    return rc < 0 && s->child.exec_errno == ENOENT ? not_found(program, &s->job->err) : rc;
}

static int take_text(struct slot *s)
{
    struct cc_source_job *job = s->job;
    struct cc_child *c = &s->child;
    int rc = cc_child_heard(c, job->unit.command.v[0], &job->err);
    if (rc == 0)
        rc = check_outcome(job->unit.path, c, &job->err);
    if (rc == 0) {
        cc_buf_puts(&c->out, "");
        cc_buf_puts(&c->err, "");
        job->unit.text = c->out.s;
        job->unit.size = c->out.n;
        job->answer.said = c->err.s;
        c->out = c->err = (struct cc_buf){0};
    }
    cc_child_fini(c);
    return rc;
}

static int start_work(struct slot *s, cc_source_work *fn)
{
    struct cc_child_request request = {
        .work = fn,
        .data = &s->job->unit,
        .stack = CC_SOURCE_STACK,
        .environment = cc_source_environment,
        .in = CC_STREAM_NULL,
        .out = CC_STREAM_CAPTURED,
        .err = CC_STREAM_NULL, /* the parser's crash reports are told in our own words */
        .max_out = MAX_TEXT,
        .cpu_seconds = MAX_CPU_SECONDS};
    s->parsing = true;
    return cc_child_start(&request, &s->child, &s->job->err);
}

static int take_answer(struct slot *s)
{
    struct cc_source_answer *ret = &s->job->answer;
    struct cc_child *c = &s->child;
    int rc = cc_child_heard(c, "the parser", &s->job->err);
    if (rc == 0) {
        cc_buf_puts(&c->out, "");
        ret->bytes = c->out.s;
        ret->size = c->out.n;
        ret->signal = WIFSIGNALED(c->status) ? WTERMSIG(c->status) : 0;
        c->out = (struct cc_buf){0};
    }
    cc_child_fini(c);
    return rc;
}

/* --- as many as there are processors --- */

static void begin(struct slot *s, struct cc_source_job *job)
{
    *s = (struct slot){.job = job};
    job->rc = start_preprocessor(s);
    if (job->rc < 0)
        s->job = NULL;
}

/* Its process has ended: the next one, or it is done. */
static void go_on(struct slot *s, cc_source_work *fn)
{
    struct cc_source_job *job = s->job;
    bool parsed = s->parsing;
    job->rc = parsed ? take_answer(s) : take_text(s);
    if (job->rc == 0 && !parsed)
        job->rc = start_work(s, fn);
    if (job->rc == 0 && !parsed)
        return;
    free(job->unit.text);
    job->unit.text = NULL;
    s->job = NULL;
}

static size_t wait_for_one(struct slot *slots, size_t n)
{
    struct cc_child *running[MAX_SLOTS];
    size_t of[MAX_SLOTS], k = 0;
    for (size_t i = 0; i < n; i++)
        if (slots[i].job) {
            of[k] = i;
            running[k++] = &slots[i].child;
        }
    return k ? of[cc_child_wait_any(running, k)] : n;
}

void cc_source_run_all(struct cc_source_job *jobs, size_t n, cc_source_work *fn)
{
    struct slot slots[MAX_SLOTS] = {0};
    size_t next = 0, width = CC_MIN(CC_MIN(cc_processors(), MAX_SLOTS), n), at = 0;
    do {
        for (size_t i = 0; i < width; i++)
            while (!slots[i].job && next < n) {
                struct cc_source_job *job = &jobs[next++];
                if (job->rc == 0)
                    begin(&slots[i], job);
                if (job->rc < 0 && job->rc != -CC_EINPUT)
                    next = n;
            }
        at = wait_for_one(slots, width);
        if (at < width) {
            struct cc_source_job *job = slots[at].job;
            go_on(&slots[at], fn);
            if (job->rc < 0 && job->rc != -CC_EINPUT)
                next = n;
        }
    } while (at < width);
}

int cc_source_run(struct cc_source_unit *unit, cc_source_work *fn, struct cc_source_answer *ret,
                  struct cc_err *err)
{
    struct cc_source_job job = {.unit = *unit};
    cc_source_run_all(&job, 1, fn);
    *unit = job.unit;
    *ret = job.answer;
    if (job.rc < 0)
        *err = job.err;
    return job.rc;
}

void cc_source_answer_fini(struct cc_source_answer *a)
{
    free(a->said);
    free(a->bytes);
}
