#include "internal.h"
#include "choose.h"

struct open_candidate {
    uint32_t end, candidate;
};

uint64_t *cc_explore_nest(const struct cc_htg *h, const struct cc_explore_result *r)
{
    size_t n = r->candidates.n, words = cc_choose_words(n);
    uint64_t *above = cc_alloc_array(n * words + 1, sizeof *above);
    uint32_t *of = cc_alloc_array(h->nnames + 1, sizeof *of); /* by name: the candidate, from 1 */
    for (uint32_t i = 0; i < n; i++)
        for (size_t k = 0; k < r->candidates.v[i].names.n; k++)
            of[r->candidates.v[i].names.v[k]] = i + 1;
    CC_VEC(struct open_candidate) open = {0};
    for (uint32_t i = 1; i < h->nnodes; i++) {
        while (open.n && open.v[open.n - 1].end <= i)
            open.n--;
        uint32_t c = of[h->nodes[i].name];
        if (!c)
            continue;
        for (size_t k = 0; k < open.n; k++)
            if (open.v[k].candidate != c)
                above[(c - 1) * words + (open.v[k].candidate - 1) / 64] |=
                    UINT64_C(1) << ((open.v[k].candidate - 1) % 64);
        if (h->nodes[i].next > i + 1)
            CC_VEC_PUSH(&open, (struct open_candidate){h->nodes[i].next, c});
    }
    CC_VEC_FINI(&open);
    free(of);
    return above;
}

size_t cc_explore_layers(const uint64_t *above, size_t n, unsigned *ret)
{
    struct cc_choose_problem p = {.n = n, .above = above};
    size_t layers = 0;
    for (size_t i = 0; i < n; i++) {
        bool fits = false;
        for (ret[i] = 0; !fits; ret[i] += !fits) {
            fits = true;
            for (size_t k = 0; k < i && fits; k++)
                fits = ret[k] != ret[i] || (!cc_choose_above(&p, i, k) && !cc_choose_above(&p, k, i));
        }
        layers = CC_MAX(layers, (size_t)ret[i] + 1);
    }
    return layers;
}
