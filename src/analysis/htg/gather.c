#include "gather.h"

struct member {     /* by name */
    uint32_t group; /* from 1; 0: of none */
    uint32_t place, times;
};

struct level {      /* an open task */
    uint32_t group; /* that is open in it, from 1; 0: none, */
    uint32_t place; /* the member that ran last, */
    uint32_t times; /* how often in a row, */
    uint64_t time;  /* and how it ended */
    uint64_t counters[CC_TASKS_MAX_COUNTERS];
};

struct cc_htg_gather {
    struct cc_htg_builder *b;
    struct member *members;
    size_t n;
    CC_VEC(struct level) open;
};

struct cc_htg_gather *cc_htg_gather_new(struct cc_htg_builder *b, const struct cc_htg_group *groups,
                                        size_t ngroups, const char *const *names, size_t n)
{
    struct cc_htg_gather *g = cc_alloc(sizeof *g);
    struct cc_strmap ids = {0};
    g->b = b;
    g->n = n;
    g->members = cc_alloc_array(n + 1, sizeof *g->members);
    for (size_t i = 0; i < n; i++)
        *cc_strmap_put(&ids, names[i], NULL) = i;
    for (size_t i = 0; i < ngroups; i++)
        for (size_t k = 0; k < groups[i].n; k++) {
            const uint64_t *id = cc_strmap_get(&ids, groups[i].members[k]);
            if (id)
                g->members[*id] =
                    (struct member){(uint32_t)i + 1, groups[i].places[k], CC_MAX(groups[i].times, 1u)};
        }
    cc_strmap_fini(&ids);
    CC_VEC_PUSH(&g->open, (struct level){0});
    return g;
}

void cc_htg_gather_free(struct cc_htg_gather *g)
{
    if (!g)
        return;
    CC_VEC_FINI(&g->open);
    free(g->members);
    free(g);
}

/* The group ends where its last member did. */
static void close_group(struct cc_htg_gather *g)
{
    struct level *l = &g->open.v[g->open.n - 1];
    if (l->group)
        cc_htg_builder_end(g->b, l->time, l->counters);
    l->group = 0;
}

int cc_htg_gather_event(struct cc_htg_gather *g, const struct cc_task_event *ev, struct cc_err *err)
{
    struct level *l = &g->open.v[g->open.n - 1];
    if (ev->end) {
        close_group(g);
        cc_htg_builder_end(g->b, ev->time, ev->counters);
        if (g->open.n > 1)
            l = &g->open.v[--g->open.n - 1];
        l->time = ev->time;
        memcpy(l->counters, ev->counters, sizeof l->counters);
        return 0;
    }
    struct member m = ev->name < g->n ? g->members[ev->name] : (struct member){0};
    int rc = 0;
    l->times = m.place == l->place ? l->times + 1 : 1;
    if (l->group != m.group || m.place < l->place || l->times > m.times) {
        close_group(g);
        l->times = 1;
    }
    if (m.group && !l->group) {
        rc = cc_htg_builder_begin(g->b, (uint32_t)g->n + m.group - 1, ev->time, ev->counters, err);
        l->group = m.group;
    }
    l->place = m.place;
    if (rc == 0)
        rc = cc_htg_builder_begin(g->b, ev->name, ev->time, ev->counters, err);
    CC_VEC_PUSH(&g->open, (struct level){0});
    return rc;
}

void cc_htg_gather_end(struct cc_htg_gather *g)
{
    g->open.n = 1;
    close_group(g);
}
