#include "sources.h"
#include "../source_child.h"
#include "../../base/parallel.h"

/* One file: prepared and taken in one after the other, preprocessed and parsed beside others. */
struct file {
    const char *path;
    struct cc_source_unit unit;
    struct cc_source_answer answer;
    struct cc_err fault;
    int rc;
};

struct batch {
    struct file *files;
    size_t n;
};

static void measure(void *unit, FILE *out)
{
    cc_source_measure(unit, out);
}

/* Threads only start processes and read what they write: libclang is not run in this one. */
static void run_files(struct cc_parallel *p, void *arg)
{
    struct batch *b = arg;
    size_t i;
    while (cc_parallel_next(p, &i)) {
        struct file *f = &b->files[i];
        if (f->rc < 0)
            continue;
        f->rc = cc_source_run(&f->unit, measure, &f->answer, &f->fault);
        free(f->unit.text); /* of all files at once it might be much */
        f->unit.text = NULL;
        if (f->rc < 0 && f->rc != -CC_EINPUT)
            cc_parallel_stop(p);
    }
}

/* A file that cannot be read or preprocessed is told and passed over; anything else ends it all. */
static int take_in(struct cc_sources *s, struct file *f, struct cc_err *err)
{
    if (f->rc == -CC_EINPUT) {
        cc_sources_fail(s, f->path, &f->fault);
        return 0;
    }
    if (f->rc < 0) {
        *err = f->fault;
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
static int take_in_all(struct cc_sources *s, struct batch *b, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < b->n; i++)
        if (b->files[i].rc < 0 && b->files[i].rc != -CC_EINPUT)
            rc = take_in(s, &b->files[i], err);
    for (size_t i = 0; rc == 0 && i < b->n; i++)
        rc = take_in(s, &b->files[i], err);
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
    struct batch b = {cc_alloc_array(files->n + 1, sizeof *b.files), files->n};
    for (size_t i = 0; i < b.n; i++) {
        struct file *f = &b.files[i];
        f->path = files->v[i];
        f->rc = cc_source_unit_init(&f->unit, f->path, &with, &s->arena, &f->fault);
    }
    cc_parallel_run(b.n, 0, run_files, &b);
    int rc = take_in_all(s, &b, err);
    for (size_t i = 0; i < b.n; i++) {
        cc_source_answer_fini(&b.files[i].answer);
        cc_source_unit_fini(&b.files[i].unit);
    }
    free(b.files);
    if (rc < 0) {
        cc_sources_free(s);
        return rc;
    }
    cc_sources_finish(s);
    *ret = s;
    return 0;
}
