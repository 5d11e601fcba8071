/* What depend clauses make a task wait for, and how many others a runtime's lists name for that. */
#include "replay.h"

/* Somebody may still point at it. */
void cc_job_unref(struct engine *e, struct job *job)
{
    if (--job->refs == 0)
        cc_eng_free(e, job);
}

static void job_list_add(struct engine *e, struct job_list **list, struct job *job)
{
    struct job_list *l = cc_eng_alloc(e, 1, sizeof *l);
    *l = (struct job_list){job, *list};
    *list = l;
    job->refs++;
}

static void job_list_clear(struct engine *e, struct job_list **list)
{
    for (struct job_list *l = *list, *next; l; l = next) {
        next = l->next;
        cc_job_unref(e, l->job);
        cc_eng_free(e, l);
    }
    *list = NULL;
}

static void wait_for(struct engine *e, struct job *job, struct job *before)
{
    if (before->done)
        job->not_before = CC_MAX(job->not_before, before->done_at);
    if (before == job || before->done)
        return;
    job_list_add(e, &before->after, job);
    job->waits++;
}

/* The place a depend names, for the task that makes these tasks. */
static struct place *place_of(struct engine *e, struct job *job, const struct cc_depend *d,
                              const struct cc_clause_names *names)
{
    struct cc_buf key = {0};
    cc_buf_printf(&key, "%llu %s", (unsigned long long)job->context->parent->serial, d->name);
    for (size_t i = 0; i < d->nindexes; i++) {
        const struct cc_clause c = {"depend", d->index[i], INT64_MIN, INT64_MAX};
        int64_t v = 0;
        if (!e->failed && cc_scenario_eval(e->p->s, job->b->d, &c, names, &v, e->err) < 0)
            e->failed = true;
        cc_buf_printf(&key, "[%lld]", (long long)v);
    }
    bool is_new;
    uint64_t *at = cc_strmap_put(&e->place_index, key.s, &is_new);
    if (is_new) {
        *at = e->places.n;
        job->places++;
        CC_VEC_PUSH(&e->places, ((struct place){0}));
    }
    cc_buf_fini(&key);
    return &e->places.v[*at];
}

/* true: the job is not behind it yet; by another of its variables it may be. */
static bool comes_behind(const struct job *job, struct job *before)
{
    bool is_new = before != job && !before->done && before->named != job->number;
    before->named = is_new ? job->number : before->named;
    return is_new;
}

/* gcc's library keeps for each place the last task that writes it and all that read it and are not done, also
 * those that the last writer waits for; a task that writes comes behind each of them, once. */
static void enter_lists(struct engine *e, struct job *job, size_t i, struct place *p)
{
    bool in = job->b->d->depends[i].in;
    job->passed += p->pending + (p->writer && !p->writer->job->done);
    if (p->writer && comes_behind(job, p->writer->job)) {
        p->writer->job->ahead++;
        job->behind++;
    }
    if (in) {
        job->read[i] = (struct job_read){1 + (size_t)(p - e->places.v), p->writers};
        p->pending++;
        return;
    }
    job->behind += p->pending;
    for (struct job_list *l = p->readers; l; l = l->next)
        if (l->job->read && !l->job->done && !comes_behind(job, l->job))
            job->behind -= job->behind > 0;
    p->writers++;
}

/* A task that reads waits for the last that wrote; one that writes also for all that read since. */
void cc_depend_take(struct engine *e, struct job *job, const struct cc_clause_names *names, bool deferred)
{
    struct context *parent = job->context->parent;
    size_t n = job->b->d->ndepends;
    if (n && !parent->serial)
        parent->serial = ++e->serials;
    job->number = n ? ++e->serials : 0;
    job->read = n && deferred ? cc_eng_alloc(e, n, sizeof *job->read) : NULL;
    for (size_t i = 0; i < n; i++) {
        const struct cc_depend *d = &job->b->d->depends[i];
        struct place *p = place_of(e, job, d, names);
        if (deferred)
            enter_lists(e, job, i, p);
        for (struct job_list *l = p->writer; l; l = l->next)
            wait_for(e, job, l->job);
        for (struct job_list *l = p->readers; l && !d->in; l = l->next)
            wait_for(e, job, l->job);
        if (d->in) {
            job_list_add(e, &p->readers, job);
            continue;
        }
        job_list_clear(e, &p->readers);
        job_list_clear(e, &p->writer);
        job_list_add(e, &p->writer, job);
    }
}

uint64_t cc_depend_ahead(const struct engine *e, const struct job *job)
{
    uint64_t n = job->ahead;
    for (size_t i = 0; job->read && i < job->b->d->ndepends; i++)
        if (job->read[i].place)
            n += e->places.v[job->read[i].place - 1].writers - job->read[i].writers;
    return n;
}

struct job_list *cc_depend_after(struct job *job)
{
    struct job_list *front = NULL;
    for (struct job_list *l = job->after, *next; l; l = next) {
        next = l->next;
        l->next = front;
        front = l;
    }
    return job->after = front;
}

void cc_depend_forget(struct engine *e, struct job *job)
{
    job_list_clear(e, &job->after);
    for (size_t i = 0; job->read && i < job->b->d->ndepends; i++)
        if (job->read[i].place)
            e->places.v[job->read[i].place - 1].pending--;
    cc_eng_free(e, job->read);
    job->read = NULL;
}
