#include "resource.h"

#include <string.h>

void cc_resource_init(struct cc_resource *r, unsigned cores, const uint64_t *horizon, struct cc_pool *pool)
{
    *r = (struct cc_resource){.cores = cores};
    cc_calendar_init(&r->all, horizon);
    r->all.pool = pool;
}

void cc_resource_share(struct cc_resource *r)
{
    r->own = cc_pool_alloc(r->all.pool, r->cores, sizeof *r->own);
    for (unsigned i = 0; i < r->cores; i++) {
        cc_calendar_init(&r->own[i], r->all.horizon);
        r->own[i].pool = r->all.pool;
    }
}

void cc_resource_fini(struct cc_resource *r)
{
    struct cc_pool *pool = r->all.pool;
    cc_calendar_fini(&r->all);
    for (unsigned i = 0; r->own && i < r->cores; i++)
        cc_calendar_fini(&r->own[i]);
    cc_pool_free(pool, r->own, r->cores, sizeof *r->own);
    memset(r, 0, sizeof *r);
}
