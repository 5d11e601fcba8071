/* What it costs that threads and what describes a team are made anew. */
#include "replay.h"

#include <math.h>

/* Those that make threads at the same time keep each other: each for as much of the time as they both do.
 * Who came first is through with it here already, and pays when its region ends. */
static cc_ticks kept_by_others(struct engine *e, struct strand *s)
{
    cc_ticks kept = 0;
    for (unsigned i = 0; i < e->nprocs; i++) {
        struct strand *w = &e->strands[i];
        cc_ticks both = CC_MIN(w->making.until - s->time, s->making.length);
        if (w == s || both <= 0)
            continue;
        kept += llround((double)s->making.more * (double)both / (double)s->making.length);
        w->making.owes += llround((double)w->making.more * (double)both / (double)w->making.length);
    }
    return kept;
}

void cc_team_make_threads(struct engine *e, struct strand *s, const struct team *t)
{
    cc_eng_own_memory(e, s);
    cc_ticks cost = cc_eng_crowd(e, CROWD_REGION_INSIDE, t->n, 0);
    if (t->n == 1) { /* what describes its team is made anew all the same */
        cc_eng_advance(e, s, cost, CC_PART_OVERHEAD, UINT32_MAX);
        return;
    }
    cc_ticks both = cc_eng_crowd(e, CROWD_REGION_INSIDE_BOTH, t->n, cost);
    s->making.length = CC_MAX(cost, 1);
    s->making.more = CC_MAX(both - cost, 0);
    s->making.until = s->time + cost;
    cost += kept_by_others(e, s);
    for (e->inside += t->n - 1; e->most_inside < e->inside; e->most_inside++)
        cost += e->m->inside_first;
    cc_eng_advance(e, s, cost, CC_PART_OVERHEAD, UINT32_MAX);
}

void cc_team_fresh(struct engine *e, struct strand *s, const struct team *t)
{
    bool kept = t->outermost && t->n > 1, first = t->outermost && !e->had_region;
    if (kept || first || s->made_teams >= e->m->region_fresh_times)
        return;
    s->made_teams++;
    cc_eng_advance(e, s, cc_ticks_of((double)e->m->region_fresh * (e->draw ? e->draw->overhead : 1)),
                   CC_PART_OVERHEAD, UINT32_MAX);
}
