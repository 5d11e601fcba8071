/* Memory that is freed all at once: one arena per profile, platform or analysis result. */
#ifndef CC_BASE_ARENA_H
#define CC_BASE_ARENA_H

#include "base.h"

struct cc_arena {
    struct cc_arena_block *head;
};

void *cc_arena_alloc(struct cc_arena *a, size_t size); /* zeroed, 16-byte aligned */
char *cc_arena_strdup(struct cc_arena *a, const char *s);
char *cc_arena_strndup(struct cc_arena *a, const char *s, size_t n);
char *cc_arena_printf(struct cc_arena *a, const char *fmt, ...) CC_PRINTF(2, 3);
void cc_arena_fini(struct cc_arena *a);

#endif
