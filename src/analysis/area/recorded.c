#include "recorded.h"
#include "../../base/map.h"

struct place {
    uint64_t invocations, iterations;
};

unsigned cc_area_loop_level(const struct cc_profile *p, uint32_t loop)
{
    const struct cc_ploop *l = &p->loops[loop];
    unsigned level = 0;
    for (uint32_t up = l->outer; up != CC_NONE; up = p->loops[up].outer)
        level += p->loops[up].line == l->line && p->loops[up].file && l->file &&
                 strcmp(p->loops[up].file, l->file) == 0;
    return level;
}

/* Loops of one line are one unless they are nested: the compiler may have made several of it. */
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
        unsigned level = cc_area_loop_level(p, (uint32_t)i);
        CC_CLEANUP(cc_free_ptr) char *key = cc_asprintf("%u:%u:%s", l->line, level, l->file);
        bool fresh;
        uint64_t *at = cc_strmap_put(&seen, key, &fresh);
        if (fresh) {
            *at = ret->n++;
            v[*at] = (struct cc_source_trip){cc_arena_strdup(arena, l->file), l->line, 0, level};
        }
        places[*at].invocations += l->invocations;
        places[*at].iterations += l->iterations;
    }
    for (size_t i = 0; i < ret->n; i++)
        v[i].trips = (double)places[i].iterations / (double)places[i].invocations;
    cc_strmap_fini(&seen);
    free(places);
}
