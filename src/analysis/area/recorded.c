#include "recorded.h"
#include "../../base/map.h"

struct place {
    uint64_t invocations, iterations;
};

/* Loops of one line are one: the compiler may have made several of it. */
void cc_area_recorded_trips(const struct cc_profile *p, struct cc_arena *arena, struct cc_source_trips *ret)
{
    struct cc_source_trip *v = cc_arena_alloc(arena, (p->nloops + 1) * sizeof *v);
    struct place *places = cc_alloc_array(p->nloops + 1, sizeof *places);
    struct cc_strmap seen = {0};
    *ret = (struct cc_source_trips){.v = v};
    for (size_t i = 0; i < p->nloops; i++) {
        const struct cc_ploop *l = &p->loops[i];
        if (!l->file || !l->line || !l->invocations)
            continue;
        CC_CLEANUP(cc_free_ptr) char *key = cc_asprintf("%u:%s", l->line, l->file);
        bool fresh;
        uint64_t *at = cc_strmap_put(&seen, key, &fresh);
        if (fresh) {
            *at = ret->n++;
            v[*at] = (struct cc_source_trip){cc_arena_strdup(arena, l->file), l->line, 0};
        }
        places[*at].invocations += l->invocations;
        places[*at].iterations += l->iterations;
    }
    for (size_t i = 0; i < ret->n; i++)
        v[i].trips = (double)places[i].iterations / (double)places[i].invocations;
    cc_strmap_fini(&seen);
    free(places);
}
