#include "sources.h"
#include "../source_child.h"

static void measure(void *unit, FILE *out)
{
    cc_source_measure(unit, out);
}

static int measure_file(struct cc_sources *s, const char *path, const struct cc_source_options *options,
                        struct cc_err *err)
{
    struct cc_source_unit unit;
    struct cc_source_answer answer = {0};
    struct cc_err fault = {0};
    int rc = cc_source_unit_init(&unit, path, options, &s->arena, &fault);
    if (rc == 0)
        rc = cc_source_run(&unit, measure, &answer, &fault);
    if (rc == -CC_EINPUT) {
        cc_sources_fail(s, path, &fault);
        rc = 0;
    } else if (rc < 0) {
        *err = fault;
    } else {
        cc_sources_add(
            s, &unit,
            &(struct cc_source_outcome){
                .said = answer.said, .bytes = answer.bytes, .size = answer.size, .signal = answer.signal});
    }
    cc_source_answer_fini(&answer);
    cc_source_unit_fini(&unit);
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
