/* Measuring a text, for tests. */
#ifndef CC_ANALYSIS_METRICS_TEST_MEASURE_H
#define CC_ANALYSIS_METRICS_TEST_MEASURE_H

#include "../../../tests/place.h"
#include "metrics.h"

#include <unistd.h>

static char folder[TAP_FOLDER];

static struct cc_sources *measure_how(const char *name, const char *text,
                                      const struct cc_source_options *options)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, name);
    FILE *f = fopen(path, "wb");
    fwrite(text, 1, strlen(text), f);
    fclose(f);
    const char *paths[] = {path};
    struct cc_strs files = {paths, 1, 0};
    struct cc_sources *s = NULL;
    struct cc_err err = {0};
    if (cc_area_measure(&files, options, &s, &err) < 0)
        printf("# %s\n", err.msg);
    unlink(path);
    return s;
}

static inline struct cc_sources *measure(const char *name, const char *text)
{
    return measure_how(name, text, &(struct cc_source_options){0});
}

static inline const struct cc_source_function *function(const struct cc_sources *s, const char *name)
{
    for (size_t i = 0; s && i < s->functions.n; i++)
        if (strcmp(s->functions.v[i].name, name) == 0)
            return &s->functions.v[i];
    return NULL;
}

#endif
