/* Memory that dies with a replay. */
#include "replay.h"

void *cc_eng_alloc(struct engine *e, size_t n, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(n, size, &bytes))
        bytes = SIZE_MAX / 2; /* fails in cc_alloc */
    struct owned *o = cc_alloc(bytes + sizeof *o);
    o->next = e->owned;
    if (o->next)
        o->next->prev = o;
    e->owned = o;
    return o + 1;
}

void cc_eng_free(struct engine *e, void *p)
{
    if (!p)
        return;
    struct owned *o = (struct owned *)p - 1;
    if (o->prev)
        o->prev->next = o->next;
    else
        e->owned = o->next;
    if (o->next)
        o->next->prev = o->prev;
    free(o);
}
