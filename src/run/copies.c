#include "copies.h"
#include "../base/where.h"
#include "../../engines/native/trace.h"

#include <errno.h>
#include <sched.h>
#include <unistd.h>

int cc_session_init(struct session *s, char **argv, struct cc_err *err)
{
    const char *tmp = getenv("TMPDIR");
    *s = (struct session){.argv = argv, .file = cc_where_program(argv[0])};
    if (!s->file)
        return cc_err_set(err, CC_ENOT_FOUND, "'%s': command not found", argv[0]);
    s->dir = cc_asprintf("%s/corecast.XXXXXX", tmp && *tmp ? tmp : "/tmp");
    if (!mkdtemp(s->dir)) {
        int rc = cc_err_set(err, CC_EENGINE, "cannot make a folder '%s': %s", s->dir, strerror(errno));
        free(s->file);
        free(s->dir);
        return rc;
    }
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) < 0)
        CPU_ZERO(&set);
    s->cpus = cc_alloc_array(CPU_SETSIZE, sizeof *s->cpus);
    for (int c = 0; c < CPU_SETSIZE; c++)
        if (CPU_ISSET((size_t)c, &set))
            s->cpus[s->ncpus++] = c;
    return 0;
}

void cc_session_fini(struct session *s)
{
    rmdir(s->dir);
    free(s->dir);
    free(s->file);
    free(s->cpus);
}

void cc_copies_init(const struct session *s, struct copy *c, size_t n, const char *what)
{
    for (size_t i = 0; i < n; i++)
        c[i] = (struct copy){.trace = cc_asprintf("%s/%s.%zu", s->dir, what, i)};
}

static void set_environment(const struct copy *c, struct cc_words *w)
{
    cc_words_take(w, cc_asprintf("%s=%s", CC_NT_ENV, c->trace));
    if (c->plan)
        cc_words_take(w, cc_asprintf("%s=%s", CC_NT_CORUN_ENV, c->plan));
}

int cc_copies_run(const struct session *s, struct copy *copies, size_t n, const int *cpus, bool quiet,
                  struct cc_err *err)
{
    struct cc_child_request *requests = cc_alloc_array(n, sizeof *requests);
    struct cc_child *children = cc_alloc_array(n, sizeof *children);
    struct cc_words *environments = cc_alloc_array(n, sizeof *environments);
    enum cc_child_stream streams = quiet ? CC_STREAM_NULL : CC_STREAM_OURS;
    for (size_t i = 0; i < n; i++) {
        set_environment(&copies[i], &environments[i]);
        requests[i] = (struct cc_child_request){.file = s->file,
                                                .argv = s->argv,
                                                .environment = (const char *const *)environments[i].v,
                                                .in = streams,
                                                .out = streams,
                                                .err = streams,
                                                .cpu = cpus ? &cpus[i] : NULL,
                                                .stay = true};
    }
    struct cc_err failed = {0};
    int rc = cc_child_start_all(requests, n, children, &failed);
    for (size_t i = 0; i < n; i++) {
        if (rc == 0)
            cc_child_wait(&children[i]);
        else if (children[i].exec_errno) /* the program's fault, not an engine's */
            failed.code = cc_child_exec_code(children[i].exec_errno);
        copies[i].child = children[i];
        cc_words_fini(&environments[i]);
    }
    free(requests);
    free(children);
    free(environments);
    return rc < 0 ? cc_err_set(err, failed.code, "%s", failed.msg) : 0;
}

void cc_copies_fini(struct copy *c, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (c[i].trace)
            unlink(c[i].trace);
        free(c[i].trace);
        cc_native_times_fini(&c[i].times);
    }
}
