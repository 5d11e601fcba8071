#include "sources.h"
#include "../source_child.h"

static void measure(void *unit, FILE *out)
{
    cc_source_measure(unit, out);
}

/* A file that cannot be read or preprocessed is told and passed over; anything else ends it all. */
static int take_in(struct cc_sources *s, const char *path, struct cc_source_job *f, struct cc_err *err)
{
    if (f->rc == -CC_EINPUT) {
        cc_sources_fail(s, path, &f->err);
        return 0;
    }
    if (f->rc < 0) {
        *err = f->err;
        return f->rc;
    }
    cc_sources_add(s, &f->unit,
                   &(struct cc_source_outcome){.said = f->answer.said,
                                               .bytes = f->answer.bytes,
                                               .size = f->answer.size,
                                               .signal = f->answer.signal});
    return 0;
}

/* The failure to tell: that of the first file whose process could not be started, since what was stopped
 * behind it has no answer. */
static int take_in_all(struct cc_sources *s, const struct cc_strs *files, struct cc_source_job *jobs,
                       struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < files->n; i++)
        if (jobs[i].rc < 0 && jobs[i].rc != -CC_EINPUT)
            rc = take_in(s, files->v[i], &jobs[i], err);
    for (size_t i = 0; rc == 0 && i < files->n; i++)
        rc = take_in(s, files->v[i], &jobs[i], err);
    return rc;
}

int cc_area_measure(const struct cc_strs *files, const struct cc_source_options *options,
                    struct cc_sources **ret, struct cc_err *err)
{
    struct cc_source_options with = *options;
    CC_CLEANUP(cc_free_ptr) char *found = with.preprocessor ? NULL : cc_source_preprocessor();
    if (found)
        with.preprocessor = found;
    struct cc_sources *s = cc_sources_new();
    CC_CLEANUP(cc_free_ptr) struct cc_source_job *jobs = cc_alloc_array(files->n + 1, sizeof *jobs);
    for (size_t i = 0; i < files->n; i++)
        jobs[i].rc = cc_source_unit_init(&jobs[i].unit, files->v[i], &with, &s->arena, &jobs[i].err);
    cc_source_run_all(jobs, files->n, measure);
    int rc = take_in_all(s, files, jobs, err);
    for (size_t i = 0; i < files->n; i++) {
        cc_source_answer_fini(&jobs[i].answer);
        cc_source_unit_fini(&jobs[i].unit);
    }
    if (rc < 0) {
        cc_sources_free(s);
        return rc;
    }
    cc_sources_finish(s);
    *ret = s;
    return 0;
}
