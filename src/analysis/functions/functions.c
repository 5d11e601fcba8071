#include "functions.h"

#include <math.h>

static int by_exclusive(const void *a, const void *b, void *functions)
{
    const struct cc_pfunction *sorting = functions;
    const struct cc_pfunction *x = &sorting[*(const uint32_t *)a], *y = &sorting[*(const uint32_t *)b];
    if (x->exclusive != y->exclusive)
        return x->exclusive > y->exclusive ? -1 : 1;
    if (x->inclusive != y->inclusive)
        return x->inclusive > y->inclusive ? -1 : 1;
    return x < y ? -1 : 1;
}

int cc_functions_list(const struct cc_profile *p, const struct cc_filter *filter, struct cc_functions **ret,
                      struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) bool *match = cc_alloc_array(p->nfunctions + 1, sizeof *match);
    int rc = filter->focus ? cc_names_focus_functions(filter->focus, p, match, err) : 0;
    if (rc < 0)
        return rc;
    struct cc_functions *f = cc_alloc(sizeof *f);
    f->ids = cc_alloc_array(p->nfunctions + 1, sizeof *f->ids);
    f->total = p->instructions;
    uint32_t *all = f->ids;
    for (uint32_t i = 0; i < p->nfunctions; i++)
        all[i] = i;
    qsort_r(all, p->nfunctions, sizeof *all, by_exclusive, p->functions);
    for (size_t i = 0; i < p->nfunctions; i++) {
        const struct cc_pfunction *x = &p->functions[all[i]];
        bool shown =
            filter->focus ? match[all[i]] : (double)x->exclusive >= filter->min_share * (double)f->total;
        if (shown && (!filter->top || f->n < filter->top)) {
            f->ids[f->n++] = all[i];
        } else {
            f->hidden++;
            f->hidden_exclusive += x->exclusive;
        }
    }
    *ret = f;
    return 0;
}

void cc_functions_free(struct cc_functions *f)
{
    if (!f)
        return;
    free(f->ids);
    free(f);
}

/* --- limits --- */

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
