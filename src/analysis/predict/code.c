/* Code in small caches: between two visits to the runtime the program drives some of the runtime's code out
 * of the cache of the first level, and the runtime some of the program's. What tasks cost was measured with
 * nothing in between; `task_code` is what as much code as the cache holds adds to a task that is made, taken
 * and waited for. */
#include "replay.h"

#include <math.h>

/* The runtime's for a task, from making it to the end of waiting: 94 lines of 32 bytes, counted by what code
 * of 4 KiB in between costs on a simulated core whose cache it fills, and half as much in each visit. */
static const double runtime_bytes = 3008;

void cc_code_ran(const struct engine *e, struct strand *s, uint32_t name)
{
    if (!e->local || name >= e->h->nnames || !e->cost[COL_PARALLEL][COST_TASK_CODE])
        return;
    for (int k = 0; k < NCODES; k++) {
        struct code_ran *r = &s->ran[k];
        unsigned i = 0;
        while (i < r->n && r->name[i] != name)
            i++;
        if (i < r->n || i == MAX_RAN)
            continue;
        r->name[r->n++] = name;
        r->bytes += e->local->l->code[name];
    }
}

/* That so many or more of things that lie anywhere lie in one set, of which there are `mean`. */
static double at_least(int least, double mean)
{
    double below = 0, term = exp(-mean);
    for (int k = 0; k < least; k++) {
        below += term;
        term *= mean / (k + 1);
    }
    return 1 - below;
}

/* The part of the runtime's lines that so much code drives out: it lies in a row and so takes as many lines
 * of each set as of any other, or one more; the runtime's lie anywhere. */
static double driven_out(const struct cc_sim_cache_config *c, double bytes)
{
    if (!c->size || !c->ways)
        return 0;
    double way = (double)c->size / c->ways, others = runtime_bytes / way;
    double lines = fmin(bytes / way, c->ways), whole = floor(lines), more = lines - whole;
    double before = at_least((int)c->ways, others);
    double now = (1 - more) * at_least((int)c->ways - (int)whole, others) +
                 (more > 0 ? more * at_least((int)c->ways - (int)whole - 1, others) : 0);
    return before < 1 ? (now - before) / (1 - before) : 1;
}

cc_ticks cc_code_visit(const struct engine *e, struct strand *s, enum code what)
{
    cc_ticks all = e->cost[COL_PARALLEL][COST_TASK_CODE];
    double bytes = s->ran[what].bytes;
    s->ran[what] = (struct code_ran){0};
    if (!all || !e->local)
        return 0;
    return llround((double)all / NCODES * driven_out(&e->local->machine.icache, bytes));
}
