#include "export.h"

const struct cc_export cc_exports[] = {
#define CC_EXPORT(name) {#name, cc_export_##name},
#include "exports.def"
#undef CC_EXPORT
};

const char *const cc_export_names[] = {
#define CC_EXPORT(name) #name,
#include "exports.def"
#undef CC_EXPORT
    NULL,
};

void cc_export_loop_name(const struct cc_loop_path *x, struct cc_buf *ret)
{
    cc_buf_printf(ret, "loop %s", x->id);
}

size_t cc_export_shares(const struct cc_export_request *rq, struct cc_loop_share **ret)
{
    const struct cc_profile *p = rq->p;
    size_t n = 0, most = rq->loops ? rq->loops->shares.n : p->ncontexts;
    struct cc_loop_share *all = cc_alloc_array(most + 1, sizeof *all);
    for (; rq->loops && n < most; n++)
        all[n] = rq->loops->shares.v[n];
    for (uint32_t i = 0; !rq->loops && i < p->ncontexts; i++)
        if (p->contexts[i].exclusive)
            all[n++] = (struct cc_loop_share){i, CC_NONE, p->contexts[i].exclusive};
    *ret = all;
    return n;
}
