#include "resource.h"

#include <stdlib.h>
#include <string.h>

void cc_resource_init(struct cc_resource *r, unsigned cores, const uint64_t *horizon)
{
    *r = (struct cc_resource){.cores = cores};
    cc_calendar_init(&r->all, horizon);
}

void cc_resource_share(struct cc_resource *r)
{
    r->own = calloc(r->cores, sizeof *r->own);
    if (!r->own)
        abort();
    for (unsigned i = 0; i < r->cores; i++)
        cc_calendar_init(&r->own[i], r->all.horizon);
}

void cc_resource_fini(struct cc_resource *r)
{
    cc_calendar_fini(&r->all);
    for (unsigned i = 0; r->own && i < r->cores; i++)
        cc_calendar_fini(&r->own[i]);
    free(r->own);
    memset(r, 0, sizeof *r);
}
