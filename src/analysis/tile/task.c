/* The kernel's time from a recording: every call of a task, over the pixels one call works on. */
#include "spread.h"
#include "../../profile/tasks.h"

enum { MAX_CALLS = 1 << 20 };

struct calls {
    CC_VEC(double) v; /* cycles per pixel, at most MAX_CALLS kept */
    double sum;
    uint64_t n;
};

static int read_thread(struct cc_store *store, const struct cc_tasks *t, size_t thread, uint32_t name,
                       double factor, struct calls *calls, struct cc_err *err)
{
    struct cc_tasks_cursor *c = cc_tasks_cursor_new(store, t, thread);
    struct cc_task_event e;
    uint64_t start = 0, depth = 0; /* calls inside a call of the same name belong to it */
    int rc;
    while ((rc = cc_tasks_next(c, &e, err)) > 0) {
        if (e.name != name)
            continue;
        if (!e.end && depth++ == 0)
            start = e.time;
        if (!e.end || depth == 0 || --depth > 0)
            continue;
        double each = (double)(e.time - start) * factor;
        calls->sum += each;
        calls->n++;
        if (calls->v.n < MAX_CALLS)
            CC_VEC_PUSH(&calls->v, each);
    }
    cc_tasks_cursor_free(c);
    return rc;
}

static int read_calls(struct cc_store *store, const struct cc_tile_task *task, struct calls *calls,
                      struct cc_err *err)
{
    const char *path = task->path;
    struct cc_tasks *t;
    if (!cc_tasks_present(store))
        return cc_err_at(err, CC_EINPUT, path, 0, "the profile has no task trace");
    int rc = cc_tasks_open(store, &t, err);
    if (rc < 0)
        return rc;
    uint32_t name = 0;
    while (name < t->nnames && strcmp(t->names[name], task->name) != 0)
        name++;
    double factor = 1 / task->pixels; /* counted clocks: a tick is a cycle */
    if (t->ticks_per_second > 0 && strcmp(t->clock, "ns") == 0)
        factor *= task->clock_hz / t->ticks_per_second;
    if (name == t->nnames) {
        rc = cc_err_at(err, CC_EINPUT, path, 0, "the profile has no task '%.80s'", task->name);
        const char *near = cc_nearest(task->name, t->names, t->nnames);
        if (near)
            cc_err_hint(err, "did you mean '%s'?", near);
    }
    for (size_t i = 0; rc == 0 && i < t->nthreads; i++)
        rc = read_thread(store, t, i, name, factor, calls, err);
    cc_tasks_free(t);
    if (rc == 0 && calls->n == 0)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "the task '%.80s' never ran", task->name);
    return rc;
}

int cc_tile_task_time(const struct cc_tile_task *task, double *ret_mean, struct cc_tile_samples *ret,
                      struct cc_err *err)
{
    struct cc_store *store;
    struct calls calls = {0};
    int rc = cc_store_open(task->path, &store, err);
    if (rc < 0)
        return rc;
    rc = read_calls(store, task, &calls, err);
    cc_store_free(store);
    if (rc < 0) {
        CC_VEC_FINI(&calls.v);
        return rc;
    }
    *ret_mean = calls.sum / (double)calls.n;
    *ret = (struct cc_tile_samples){calls.v.v, calls.v.n};
    return 0;
}
