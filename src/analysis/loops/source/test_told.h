/* For tests: what is told of a source, read again as the command reads it. */
#ifndef CC_LOOPS_TEST_TOLD_H
#define CC_LOOPS_TEST_TOLD_H

#include "source.h"
#include "../../metrics/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline struct cc_source_loops *told_of_unit(const struct cc_source_unit *unit)
{
    char *told = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&told, &size);
    cc_source_loops_write(unit, out);
    fclose(out);
    struct cc_source_loops *s = cc_source_loops_new();
    cc_source_loops_add(s, told, size);
    free(told);
    return s;
}

static inline struct cc_source_loops *told_of(const char *text)
{
    return told_of_unit(&(struct cc_source_unit){.path = "t.c", .text = (char *)text, .size = strlen(text)});
}

#endif
