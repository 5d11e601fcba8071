#include "amdahl.h"
#include "../functions/functions.h"

#include <math.h>

static double limit(uint64_t gone, uint64_t total)
{
    return gone < total ? (double)total / (double)(total - gone) : INFINITY;
}

int cc_amdahl_table(const struct cc_profile *p, const struct cc_filter *filter, struct cc_amdahl **ret,
                    struct cc_err *err)
{
    if (p->instructions == 0)
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the profile counts no instructions");
    struct cc_functions *hot;
    struct cc_filter all = *filter;
    all.top = 0;
    int rc = cc_functions_list(p, &all, &hot, err);
    if (rc < 0)
        return rc;
    struct cc_amdahl *a = cc_alloc(sizeof *a);
    a->rows = cc_alloc_array(hot->n + 1, sizeof *a->rows);
    uint64_t gone = 0;
    for (size_t i = 0; i < hot->n && (!filter->top || a->n < filter->top); i++) {
        uint64_t own = p->functions[hot->ids[i]].exclusive;
        if (hot->ids[i] == 0 || own == 0) /* nobody rewrites the loader */
            continue;
        gone += own;
        a->rows[a->n++] = (struct cc_amdahl_row){.function = hot->ids[i],
                                                 .share = (double)own / (double)p->instructions,
                                                 .limit = limit(own, p->instructions),
                                                 .cumulative = limit(gone, p->instructions)};
    }
    cc_functions_free(hot);
    *ret = a;
    return 0;
}

void cc_amdahl_free(struct cc_amdahl *a)
{
    if (!a)
        return;
    free(a->rows);
    free(a);
}
