/* In place of what a page has not: threads, a terminal, profiles and the trace of lines. What needs those is
 * never asked of it: a packed graph has no lines, and without a profile there are no classes of code. */
#include "analysis/classes/classes.h"
#include "analysis/locality/locality.h"
#include "analysis/locality/pace.h"
#include "base/ending.h"
#include "base/parallel.h"
#include "base/result.h"
#include "platform/machine.h"

/* --- threads: the calling one does it all --- */

struct cc_parallel {
    size_t n, next;
    bool stop;
};

unsigned cc_parallel_run(size_t n, unsigned threads, cc_parallel_work *work, void *arg)
{
    struct cc_parallel p = {.n = n};
    (void)threads;
    work(&p, arg);
    return 0;
}

bool cc_parallel_next(struct cc_parallel *p, size_t *ret)
{
    *ret = p->next++;
    return !p->stop && *ret < p->n;
}

void cc_parallel_stop(struct cc_parallel *p)
{
    p->stop = true;
}

void cc_parallel_lock(struct cc_parallel *p)
{
    (void)p;
}

void cc_parallel_unlock(struct cc_parallel *p)
{
    (void)p;
}

/* --- an end, and text for a terminal --- */

_Noreturn void cc_ending_no_memory(void)
{
    __builtin_trap();
}

void cc_result_print_text(const struct cc_result *r, FILE *out, bool colored)
{
    (void)r, (void)out, (void)colored;
    __builtin_trap();
}

/* --- profiles --- */

int cc_profile_load(const char *path, struct cc_profile **ret, struct cc_err *err)
{
    (void)ret;
    return cc_err_at(err, CC_EINPUT, path, 0, "a page has no profile");
}

void cc_profile_free(struct cc_profile *p)
{
    (void)p;
}

int cc_classes_build(const struct cc_profile *p, struct cc_classes **ret, struct cc_err *err)
{
    (void)p, (void)ret;
    return cc_err_set(err, CC_EINPUT, "a page has no code");
}

void cc_classes_free(struct cc_classes *c)
{
    (void)c;
}

/* --- the trace of lines --- */

void cc_line_trace_free(struct cc_line_trace *t)
{
    (void)t;
}

void cc_line_seek(const struct cc_line_trace *t, uint64_t time, struct cc_line_cursor *ret)
{
    (void)t, (void)time, (void)ret;
    __builtin_trap();
}

bool cc_line_next(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret)
{
    (void)c, (void)until, (void)ret;
    __builtin_trap();
}

bool cc_line_next_access(struct cc_line_cursor *c, uint64_t until, struct cc_line_event *ret)
{
    (void)c, (void)until, (void)ret;
    __builtin_trap();
}

void cc_pace_free(struct cc_pace *pace)
{
    (void)pace;
}

double cc_pace_of(const struct cc_pace *pace, const char *task, const uint32_t cost[CC_SIM_CLASSES])
{
    (void)pace, (void)task, (void)cost;
    __builtin_trap();
}

double cc_pace_code(const struct cc_pace *pace, const char *task)
{
    (void)pace, (void)task;
    __builtin_trap();
}

double cc_pace_store(const struct cc_pace *pace, const char *task)
{
    (void)pace, (void)task;
    __builtin_trap();
}

int cc_machine_of(const struct cc_platform *p, unsigned cores, struct cc_sim_config *ret, struct cc_err *err)
{
    (void)p, (void)cores, (void)ret;
    return cc_err_set(err, CC_EINPUT, "a page has no trace of lines");
}

const char *cc_sim_config_check(const struct cc_sim_config *c)
{
    (void)c;
    __builtin_trap();
}

void cc_locality_run(const struct cc_line_trace *t, const struct cc_sim_config *machine,
                     struct cc_locality_places where, struct cc_locality_piece *pieces, size_t n,
                     struct cc_locality_counts *ret)
{
    (void)t, (void)machine, (void)where, (void)pieces, (void)n, (void)ret;
    __builtin_trap();
}
