/* Units and links from the platform. */
#include "problem.h"
#include "../../base/text.h"

#include <math.h>

void cc_map_problem_free(struct cc_map_problem *p)
{
    if (!p)
        return;
    for (size_t i = 0; i < p->tasks.n; i++)
        CC_VEC_FINI(&p->tasks.v[i].options);
    CC_VEC_FINI(&p->units);
    CC_VEC_FINI(&p->tasks);
    CC_VEC_FINI(&p->edges);
    struct cc_arena arena = p->arena;
    free(p);
    cc_arena_fini(&arena);
}

size_t cc_map_find_unit(const struct cc_map_problem *p, const char *name)
{
    for (size_t u = 0; u < p->units.n; u++)
        if (strcmp(p->units.v[u].name, name) == 0)
            return u;
    return SIZE_MAX;
}

/* Both ends of [link.FROM.TO] must be units. */
static int check_link(const struct cc_map_problem *p, const struct cc_platform *platform, const char *name,
                      struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("link.%s", name);
    CC_CLEANUP(cc_free_ptr) char *from = cc_strdup(name);
    const char *path = cc_platform_path(platform);
    char *dot = strchr(from, '.');
    if (!dot)
        return cc_err_at(err, CC_EINPUT, path, 0, "[%s] must be named [link.FROM.TO]", section);
    *dot = 0;
    size_t u = cc_map_find_unit(p, from), v = cc_map_find_unit(p, dot + 1);
    unsigned line = cc_platform_line(platform, section, CC_NUM_LINK_BANDWIDTH);
    line = line ? line : cc_platform_line(platform, section, CC_STR_LINK_CURVE);
    line = line ? line : cc_platform_line(platform, section, CC_STR_LINK_POINTS);
    line = line ? line : cc_platform_line(platform, section, CC_NUM_LINK_LATENCY);
    if (u == SIZE_MAX || v == SIZE_MAX)
        return cc_err_at(err, CC_EINPUT, path, line, "[%s] joins '%s', which is no unit of the platform",
                         section, u == SIZE_MAX ? from : dot + 1);
    return 0;
}

static int read_units(struct cc_map_problem *p, const struct cc_platform *platform, struct cc_err *err)
{
    const char *const *names;
    size_t n = cc_platform_list(platform, "unit", &names);
    if (n == 0)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(platform), 0,
                         "the platform has no [unit.NAME] section");
    if (n > CC_MAP_MAX_UNITS)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(platform), 0, "more than %d units",
                         CC_MAP_MAX_UNITS);
    p->idle_power = cc_platform_num_or(platform, NULL, CC_NUM_ENERGY_IDLE, 0);
    p->byte_energy = cc_platform_num_or(platform, NULL, CC_NUM_ENERGY_BYTE, 0);
    for (size_t i = 0; i < n; i++) {
        CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", names[i]);
        double cores = cc_platform_num_or(platform, section, CC_NUM_UNIT_CORES, 1);
        if (cores != floor(cores) || cores > CC_MAP_MAX_CORES)
            return cc_err_at(err, CC_EINPUT, cc_platform_path(platform),
                             cc_platform_line(platform, section, CC_NUM_UNIT_CORES),
                             "a unit has 1 to %d whole cores", CC_MAP_MAX_CORES);
        struct cc_map_unit unit = {
            .name = cc_arena_strdup(&p->arena, names[i]),
            .cores = (size_t)cores,
            .memory = cc_platform_num_or(platform, section, CC_NUM_UNIT_MEMORY, INFINITY),
            .power = cc_platform_num_or(platform, section, CC_NUM_UNIT_POWER, NAN),
            .idle_power = cc_platform_num_or(platform, section, CC_NUM_UNIT_IDLE_POWER, 0)};
        p->idle_power += unit.idle_power;
        CC_VEC_PUSH(&p->units, unit);
    }
    return 0;
}

int cc_map_read_platform(struct cc_map_problem *p, const struct cc_platform *platform, struct cc_err *err)
{
    int rc = read_units(p, platform, err);
    if (rc < 0)
        return rc;
    size_t m = p->units.n;
    p->links = cc_arena_alloc(&p->arena, m * m * sizeof *p->links);
    const char *const *names;
    size_t n = cc_platform_list(platform, "link", &names);
    for (size_t i = 0; i < n && rc == 0; i++)
        rc = check_link(p, platform, names[i], err);
    for (size_t u = 0; u < m && rc == 0; u++)
        for (size_t v = 0; v < m && rc == 0; v++)
            rc = cc_link_load(platform, p->units.v[u].name, p->units.v[v].name, &p->arena,
                              &p->links[u * m + v], err);
    return rc;
}

/* Units that tasks may use must reach each other, over other units if need be. */
int cc_map_check_connected(const struct cc_map_problem *p, const struct cc_platform *platform,
                           struct cc_err *err)
{
    size_t m = p->units.n;
    bool used[CC_MAP_MAX_UNITS] = {0};
    for (size_t i = 0; i < p->tasks.n; i++)
        for (size_t k = 0; k < p->tasks.v[i].options.n; k++)
            used[p->tasks.v[i].options.v[k].unit] = true;
    for (size_t u = 0; u < m && p->edges.n; u++) {
        bool reached[CC_MAP_MAX_UNITS] = {0};
        size_t queue[CC_MAP_MAX_UNITS], head = 0, tail = 0;
        reached[u] = true;
        queue[tail++] = u;
        while (head < tail) {
            size_t a = queue[head++];
            for (size_t b = 0; b < m; b++) {
                if (reached[b] || !p->links[a * m + b].present)
                    continue;
                reached[b] = true;
                queue[tail++] = b;
            }
        }
        for (size_t v = 0; v < m; v++) {
            if (!used[u] || !used[v] || reached[v])
                continue;
            CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", p->units.v[v].name);
            unsigned line = cc_platform_line(platform, section, CC_STR_UNIT_KIND);
            line = line ? line : cc_platform_line(platform, section, CC_NUM_UNIT_CORES);
            int rc = cc_err_at(
                err, CC_EINPUT, cc_platform_path(platform), line,
                "units '%s' and '%s' are not connected: no [link.FROM.TO] leads from the first to the second",
                p->units.v[u].name, p->units.v[v].name);
            cc_err_hint(err, "add [link.%s.%s] with 'bandwidth' and 'latency', or a 'curve'",
                        p->units.v[u].name, p->units.v[v].name);
            return rc;
        }
    }
    return 0;
}

static int find_both(const struct cc_map_problem *p, const char *task, const char *unit, size_t *ret_task,
                     size_t *ret_unit, struct cc_err *err)
{
    *ret_unit = cc_map_find_unit(p, unit);
    for (*ret_task = 0; *ret_task < p->tasks.n; ++*ret_task)
        if (strcmp(p->tasks.v[*ret_task].name, task) == 0)
            break;
    if (*ret_task == p->tasks.n)
        return cc_err_set(err, CC_EUSAGE, "there is no task '%s'", task);
    if (*ret_unit == SIZE_MAX)
        return cc_err_set(err, CC_EUSAGE, "the platform has no unit '%s'", unit);
    return 0;
}

static int restrict_to(struct cc_map_problem *p, const char *task, const char *unit, bool keep,
                       struct cc_err *err)
{
    size_t i, u;
    int rc = find_both(p, task, unit, &i, &u, err);
    if (rc < 0)
        return rc;
    struct cc_map_task *t = &p->tasks.v[i];
    size_t n = 0;
    for (size_t k = 0; k < t->options.n; k++)
        if ((t->options.v[k].unit == u) == keep)
            t->options.v[n++] = t->options.v[k];
    if (n == 0)
        return cc_err_set(err, CC_EUSAGE,
                          keep ? "task '%s' has no time on unit '%s'"
                               : "task '%s' has no unit left beside '%s'",
                          task, unit);
    t->options.n = n;
    return 0;
}

int cc_map_problem_pin(struct cc_map_problem *p, const char *task, const char *unit, struct cc_err *err)
{
    return restrict_to(p, task, unit, true, err);
}

int cc_map_problem_forbid(struct cc_map_problem *p, const char *task, const char *unit, struct cc_err *err)
{
    return restrict_to(p, task, unit, false, err);
}
