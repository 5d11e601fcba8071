#include "internal.h"
#include "../htg/build.h"
#include "../loops/group.h"
#include "../scenario/scenario.h"
#include "../../base/map.h"

/* --- names --- */

struct open_node {
    uint32_t end, name;
};

struct renaming {
    struct cc_htg *h;
    CC_VEC(struct open_node) open;
    struct cc_map levels; /* name << 8 | level: the name of that level */
    CC_VEC(const char *) names;
};

static uint32_t name_at_level(struct renaming *r, uint32_t name, unsigned level)
{
    bool is_new;
    uint64_t *known = cc_map_put(&r->levels, (uint64_t)name << 8 | CC_MIN(level, 255u), &is_new);
    if (is_new) {
        *known = r->names.n;
        CC_VEC_PUSH(&r->names, cc_arena_printf(cc_htg_arena(r->h), "%s#%u", r->h->names[name], level + 1));
    }
    return (uint32_t)*known;
}

/* Calls are told apart by where they stand, and a directive is for all of them. */
static bool is_call(const char *name)
{
    return strncmp(name, "call ", 5) == 0 || strncmp(name, "calls ", 6) == 0;
}

/* A task of the name of one around it, two loops of one line or a recursion: file.c:12#2, as loops are named.
 */
static void tell_levels_apart(struct cc_htg *h)
{
    struct renaming r = {.h = h};
    for (size_t i = 0; i < h->nnames; i++)
        CC_VEC_PUSH(&r.names, h->names[i]);
    const char *run = h->names[h->nnames];
    for (uint32_t i = 1; i < h->nnodes; i++) {
        while (r.open.n && r.open.v[r.open.n - 1].end <= i)
            r.open.n--;
        uint32_t name = h->nodes[i].name;
        unsigned level = 0;
        if (is_call(h->names[name]))
            continue;
        for (size_t k = 0; k < r.open.n; k++)
            level += r.open.v[k].name == name;
        if (h->nodes[i].next > i + 1)
            CC_VEC_PUSH(&r.open, (struct open_node){h->nodes[i].next, name});
        if (level)
            h->nodes[i].name = name_at_level(&r, name, level);
    }
    const char **names = cc_arena_alloc(cc_htg_arena(h), (r.names.n + 1) * sizeof *names);
    memcpy(names, r.names.v, r.names.n * sizeof *names);
    names[r.names.n] = run;
    h->names = names;
    h->nnames = r.names.n;
    h->nodes[0].name = (uint32_t)r.names.n;
    CC_VEC_FINI(&r.open);
    CC_VEC_FINI(&r.names);
    cc_map_fini(&r.levels);
}

/* The name that import gave the iterations of a loop. */
static char *task_of(const struct cc_profile *p, uint32_t loop, unsigned level)
{
    const struct cc_ploop *l = &p->loops[loop];
    char *name = l->file ? cc_asprintf("%s:%llu", cc_text_base(l->file), (unsigned long long)l->line)
                         : cc_asprintf("%s+0x%llx", cc_text_base(p->binaries[l->binary].path),
                                       (unsigned long long)l->test);
    char *full = level ? cc_asprintf("%s#%u", name, level + 1) : cc_strdup(name);
    free(name);
    return full;
}

/* --- which loop is called what --- */

struct naming {
    const struct cc_explore_request *rq;
    struct cc_explore_result *r;
    struct cc_strmap ids; /* name -> its id in the graph */
    uint32_t *owner;      /* by name: the group with most of the work that bears it; CC_NONE: none */
    bool *shared;         /* by name: others have much of it too */
    bool *lost;           /* by group: another has its name */
    struct groups groups;
};

struct claim { /* of a group to a name */
    uint32_t name, group;
    uint64_t work;
};

static void claim(struct naming *x, const struct claim *c, const uint64_t *all)
{
    const double MOST = 0.9;
    if (x->owner[c->name] == CC_NONE || (double)c->work >= MOST * (double)all[c->name])
        x->owner[c->name] = c->group;
    x->shared[c->name] = x->shared[c->name] || ((double)c->work < MOST * (double)all[c->name] &&
                                                (double)c->work > (1 - MOST) * (double)all[c->name]);
}

/* A compiler that takes the first iteration of a loop out of it leaves the loop inside, of the same line, at
 * the outer one's place: whoever has nearly all of the work keeps the name. */
static void claim_all(struct naming *x)
{
    const struct cc_profile *p = x->rq->p;
    CC_VEC(struct claim) claims = {0};
    CC_CLEANUP(cc_free_ptr) uint64_t *all = cc_alloc_array(x->rq->h->nnames + 1, sizeof *all);
    for (uint32_t i = 0; i < p->nloops; i++) {
        CC_CLEANUP(cc_free_ptr) char *task = task_of(p, i, cc_loop_level(p, i));
        uint64_t *id = cc_strmap_get(&x->ids, task);
        uint32_t group = x->groups.of[i];
        size_t k = 0;
        if (!id || group == CC_NONE)
            continue;
        while (k < claims.n && (claims.v[k].name != *id || claims.v[k].group != group))
            k++;
        if (k == claims.n)
            CC_VEC_PUSH(&claims, (struct claim){.name = (uint32_t)*id, .group = group});
        claims.v[k].work += p->loops[i].instructions + 1;
        all[*id] += p->loops[i].instructions + 1;
    }
    for (size_t k = 0; k < claims.n; k++)
        claim(x, &claims.v[k], all);
    for (size_t k = 0; k < claims.n; k++)
        x->lost[claims.v[k].group] =
            x->lost[claims.v[k].group] || x->owner[claims.v[k].name] != claims.v[k].group;
    CC_VEC_FINI(&claims);
}

struct counted {     /* by name */
    uint64_t *tasks; /* as often as they ran */
    uint64_t *in;    /* different tasks that they lie in, as often */
    uint32_t *last;  /* the task around the last one */
};

static struct counted count_tasks(const struct cc_htg *h)
{
    struct counted c = {cc_alloc_array(h->nnames + 1, sizeof *c.tasks),
                        cc_alloc_array(h->nnames + 1, sizeof *c.in),
                        cc_alloc_array(h->nnames + 1, sizeof *c.last)};
    CC_VEC(struct open_node) open = {0};
    CC_VEC(uint64_t) copies = {0};
    for (uint32_t i = 1; i < h->nnodes; i++) {
        while (open.n && open.v[open.n - 1].end <= i)
            open.n--, copies.n--;
        uint64_t around = copies.n ? copies.v[copies.n - 1] : 1, each = around * h->nodes[i].repeat;
        uint32_t name = h->nodes[i].name, parent = open.n ? open.v[open.n - 1].name : 0;
        c.in[name] += !c.tasks[name] || c.last[name] != parent ? around : 0;
        c.last[name] = parent;
        c.tasks[name] += each;
        if (h->nodes[i].next > i + 1) {
            CC_VEC_PUSH(&open, (struct open_node){h->nodes[i].next, i});
            CC_VEC_PUSH(&copies, each);
        }
    }
    CC_VEC_FINI(&open);
    CC_VEC_FINI(&copies);
    return c;
}

/* Iterations in a task. Where there are more invocations than tasks many have none, as those of a loop that
 * runs inside itself: then one that has is as long as any. */
static double iterations_each(const struct cc_loop *l, uint64_t tasks, uint64_t in)
{
    bool all_have = tasks >= l->invocations || !l->invocations || !in;
    double each = all_have ? (double)l->iterations / (double)tasks
                           : (double)l->iterations / (double)l->invocations * (double)in / (double)tasks;
    return CC_MAX(1.0, each);
}

static const char *too_short(const struct cc_loop *l, struct cc_arena *arena)
{
    double each = l->invocations ? (double)l->instructions / (double)l->invocations : 0;
    return cc_arena_printf(
        arena,
        "it is entered %llu time%s for %.0f instructions each: less than it takes to begin a parallel "
        "region",
        (unsigned long long)l->invocations, l->invocations == 1 ? "" : "s", each);
}

static const char *same_name(const struct naming *x, const struct cc_loop *l)
{
    return cc_arena_printf(&x->r->arena,
                           "another loop has the same line, %s:%u: their tasks cannot be told apart; write "
                           "them on lines of their own",
                           cc_text_base(l->file ? l->file : "?"), l->line);
}

/* NULL and the candidate, or why it is none. */
static const char *take(struct naming *x, uint32_t loop, const struct counted *counted,
                        struct cc_explore_candidate *ret)
{
    const struct cc_loop *l = &x->rq->loops->v.v[loop];
    uint32_t group = x->groups.of[l->first];
    *ret = (struct cc_explore_candidate){.loop = loop};
    uint64_t all = 0, in = 0;
    for (uint32_t n = 0; n < x->rq->h->nnames; n++) {
        if (x->owner[n] != group || group == CC_NONE)
            continue;
        if (x->shared[n])
            return same_name(x, l);
        if (!cc_scenario_can_name(x->rq->h->names[n]))
            return "a plan cannot write its name: the file's has a line break, a '=' before a '#', or a "
                   "blank, "
                   "'#', '!' or ';' in front; rename the file";
        CC_VEC_PUSH(&ret->names, n);
        all += counted->tasks[n];
        in += counted->in[n];
    }
    if (!all)
        return group != CC_NONE && x->lost[group] ? same_name(x, l) : too_short(l, &x->r->arena);
    ret->per_task = iterations_each(l, all, in);
    return NULL;
}

/* --- calls --- */

bool cc_explore_has_name(const struct cc_htg *h, const char *name)
{
    for (size_t i = 0; i < h->nnames; i++)
        if (strcmp(h->names[i], name) == 0)
            return true;
    return false;
}

/* The innermost open call. */
static uint32_t call_around(const struct cc_htg *h, const struct open_node *open, size_t n)
{
    while (n-- > 0)
        if (strncmp(h->names[open[n].name], "call ", 5) == 0)
            return open[n].name;
    return CC_NONE;
}

static bool is_among(const char *name, const char *const *names, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static void add_once(struct cc_explore_candidate *c, uint32_t name)
{
    for (size_t i = 0; i < c->names.n; i++)
        if (c->names.v[i] == name)
            return;
    CC_VEC_PUSH(&c->names, name);
}

/* Why a call cannot have the region. */
static const char *refuses_top(struct naming *x, const struct cc_explore_calls *calls, const char *top)
{
    if (is_among(top, calls->others, calls->nothers))
        return cc_arena_printf(
            &x->r->arena,
            "the compiler put the function into the place of its call, so that the %s leads "
            "there: record a build with -fno-inline",
            top);
    return cc_arena_printf(&x->r->arena,
                           "the %s that leads there is no statement of its own: a parallel region cannot be "
                           "put around it",
                           top);
}

/* The calls from outside that lead to a group, in which no other of it is open. */
static const char *find_tops(struct naming *x, uint32_t group, const struct cc_explore_calls *calls,
                             struct cc_explore_candidate *ret)
{
    const struct cc_htg *h = x->rq->h;
    CC_VEC(struct open_node) open = {0};
    const char *why = NULL;
    uint32_t inside = 0; /* nodes up to there lie in one */
    for (uint32_t i = 1; i < h->nnodes && !why; i++) {
        while (open.n && open.v[open.n - 1].end <= i)
            open.n--;
        bool here = calls->hidden ? is_among(h->names[h->nodes[i].name], calls->group.members, calls->group.n)
                                  : h->nodes[i].name == group;
        if (here && i >= inside) {
            uint32_t top = call_around(h, open.v, open.n);
            inside = h->nodes[i].next;
            if (top == CC_NONE)
                why = "who calls it was not recorded";
            else if (!is_among(h->names[top], calls->tops, calls->ntops))
                why = refuses_top(x, calls, h->names[top]);
            else
                add_once(ret, top);
        }
        if (h->nodes[i].next > i + 1)
            CC_VEC_PUSH(&open, (struct open_node){h->nodes[i].next, h->nodes[i].name});
    }
    CC_VEC_FINI(&open);
    return why;
}

static const char *take_calls(struct naming *x, uint32_t loop, const uint64_t *tasks,
                              struct cc_explore_candidate *ret)
{
    const struct cc_explore_calls *calls = x->rq->inputs[loop].calls;
    const uint64_t *id = cc_strmap_get(&x->ids, calls->group.name);
    *ret = (struct cc_explore_candidate){.loop = loop, .per_task = 1};
    bool any = id && tasks[*id];
    for (size_t i = 0; calls->hidden && !any && i < calls->group.n; i++)
        any = cc_explore_has_name(x->rq->h, calls->group.members[i]);
    if (!any)
        return "its calls are too short for tasks";
    if (!cc_scenario_can_name(calls->group.name))
        return "a plan cannot write the name of its file";
    if (calls->recursive) {
        const char *why = find_tops(x, id ? (uint32_t)*id : CC_NONE, calls, ret);
        for (size_t i = 0; !why && i < x->r->candidates.n; i++) /* two blocks of one function */
            for (size_t k = 0; k < x->r->candidates.v[i].names.n; k++)
                if (x->r->candidates.v[i].names.v[k] == ret->names.v[0])
                    why = "the same call leads to other calls that could be tasks: only the first are";
        return why;
    }
    if (!id)
        return "its last call is a jump in the binary: record a build with -fno-optimize-sibling-calls";
    CC_VEC_PUSH(&ret->names, (uint32_t)*id);
    return NULL;
}

void cc_explore_candidates(const struct cc_explore_request *rq, struct cc_explore_result *ret)
{
    tell_levels_apart(rq->h);
    struct naming x = {.rq = rq, .r = ret};
    x.owner = cc_alloc_array(rq->h->nnames + 1, sizeof *x.owner);
    x.shared = cc_alloc_array(rq->h->nnames + 1, sizeof *x.shared);
    for (uint32_t n = 0; n < rq->h->nnames; n++) {
        x.owner[n] = CC_NONE;
        *cc_strmap_put(&x.ids, rq->h->names[n], NULL) = n;
    }
    cc_loop_groups(rq->p, rq->sources, &x.groups);
    x.lost = cc_alloc(x.groups.v.n + 1);
    claim_all(&x);
    struct counted counted = count_tasks(rq->h);
    ret->refused = cc_arena_alloc(&ret->arena, (rq->loops->v.n + 1) * sizeof *ret->refused);
    for (uint32_t i = 0; i < rq->loops->v.n; i++) {
        struct cc_explore_candidate c = {0};
        ret->refused[i] = rq->inputs[i].refused;
        if (!ret->refused[i])
            ret->refused[i] =
                rq->inputs[i].calls ? take_calls(&x, i, counted.tasks, &c) : take(&x, i, &counted, &c);
        if (!ret->refused[i])
            CC_VEC_PUSH(&ret->candidates, c);
        else
            CC_VEC_FINI(&c.names);
    }
    free(counted.tasks);
    free(counted.in);
    free(counted.last);
    free(x.owner);
    free(x.shared);
    free(x.lost);
    cc_strmap_fini(&x.ids);
    cc_loop_groups_fini(&x.groups);
}

const struct cc_explore_candidate *cc_explore_candidate_of(const struct cc_explore_result *r, uint32_t loop)
{
    for (size_t i = 0; i < r->candidates.n; i++)
        if (r->candidates.v[i].loop == loop)
            return &r->candidates.v[i];
    return NULL;
}
