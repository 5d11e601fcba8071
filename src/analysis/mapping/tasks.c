/* Task files: [tasks] and one [task.NAME] a task. See docs/man/corecast-map.1. */
#include "problem.h"
#include "../../base/file.h"
#include "../../base/ini.h"
#include "../../base/map.h"

#include <libgen.h>
#include <math.h>

enum { MAX_FILE = 8 << 20, MAX_EDGES = 200000 };
#define MAX_TIME 1e100           /* sums of them stay finite */
#define MAX_TRANSFERS 16000000.0 /* edges x units x units */

struct reader {
    struct cc_map_problem *p;
    const struct cc_platform *platform;
    const struct cc_ini *ini;
    const struct cc_ini_key *key;
    struct cc_strmap names; /* of tasks */
    bool cycles;            /* times are cycles of the unit's clock */
    struct cc_err *err;
};

static int bad(struct reader *r, const char *what, const char *subject)
{
    return cc_err_at(r->err, CC_EINPUT, r->ini->path, r->key->line, "%s '%.80s'", what, subject);
}

static char *trimmed(char *s)
{
    s += strspn(s, " \t");
    for (size_t n = strlen(s); n && (s[n - 1] == ' ' || s[n - 1] == '\t');)
        s[--n] = 0;
    return s;
}

/* "4", "4 .. 6", "5 ± 1", "5 +- 1" */
static bool parse_span(const char *text, double *low, double *high)
{
    static const char *const marks[] = {"..", "±", "+-"};
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    for (size_t k = 0; k < CC_COUNT(marks); k++) {
        char *mark = strstr(copy, marks[k]);
        if (!mark)
            continue;
        double a, b;
        *mark = 0;
        if (!cc_parse_f64(trimmed(copy), &a) || !cc_parse_f64(trimmed(mark + strlen(marks[k])), &b))
            return false;
        *low = k ? a - b : a;
        *high = k ? a + b : b;
        return *low >= 0 && *high >= *low;
    }
    if (!cc_parse_f64(copy, low) || *low < 0)
        return false;
    *high = *low;
    return true;
}

/* "time.arm" or "time.arm.4" -> unit and cores (0 when not given). */
static int parse_place(struct reader *r, const char *rest, size_t *unit, size_t *cores)
{
    CC_CLEANUP(cc_free_ptr) char *name = cc_strdup(rest);
    char *dot = strchr(name, '.');
    uint64_t k = 0;
    if (dot) {
        *dot = 0;
        if (!cc_parse_u64(dot + 1, &k) || k == 0)
            return bad(r, "expected a number of cores after the unit, got", rest);
    }
    *unit = cc_map_find_unit(r->p, name);
    if (*unit == SIZE_MAX)
        return bad(r, "the platform has no unit", name);
    if (k > r->p->units.v[*unit].cores)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, r->key->line, "unit '%s' has %zu cores, not %llu",
                         name, r->p->units.v[*unit].cores, (unsigned long long)k);
    *cores = (size_t)k;
    return 0;
}

static double seconds_on(const struct reader *r, size_t unit)
{
    if (!r->cycles)
        return r->p->clock_second;
    CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", r->p->units.v[unit].name);
    double mhz = cc_platform_num_or(r->platform, section, CC_NUM_UNIT_CLOCK_MHZ,
                                    cc_platform_num_or(r->platform, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN));
    return 1e-6 / mhz;
}

static struct cc_map_option *find_option(struct cc_map_task *t, size_t unit, size_t cores)
{
    for (size_t k = 0; k < t->options.n; k++)
        if (t->options.v[k].unit == unit && t->options.v[k].cores == cores)
            return &t->options.v[k];
    return NULL;
}

static int add_option(struct reader *r, struct cc_map_task *t, struct cc_map_option o)
{
    if (t->options.n == CC_MAP_MAX_OPTIONS)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, t->line,
                         "task '%.80s' has more than %d ways to run", t->name, CC_MAP_MAX_OPTIONS);
    CC_VEC_PUSH(&t->options, o);
    return 0;
}

static int read_time(struct reader *r, struct cc_map_task *t, const char *place)
{
    size_t unit, cores;
    struct cc_map_option o = {.energy = NAN};
    int rc = parse_place(r, place, &unit, &cores);
    if (rc < 0)
        return rc;
    if (!parse_span(r->key->value, &o.low, &o.high))
        return bad(r, "a time is 'T', 'LOW .. HIGH' or 'T ± SPREAD' and not negative, got", r->key->value);
    if (o.high > MAX_TIME)
        return bad(r, "a time is at most 1e100, got", r->key->value);
    double scale = seconds_on(r, unit);
    if (!isfinite(scale))
        return bad(r, "times are in cycles, but the platform gives no clock_mhz for unit",
                   r->p->units.v[unit].name);
    o.unit = unit;
    o.cores = cores ? cores : 1;
    o.low *= scale;
    o.high *= scale;
    if (!isfinite(o.high))
        return bad(r, "a time out of range:", r->key->value);
    if (find_option(t, o.unit, o.cores))
        return bad(r, "a second time for the same unit and cores:", place);
    return add_option(r, t, o);
}

/* parallel = yes: independent work (class P0) divides evenly, so one core's time gives those of more. */
static int spread(struct reader *r, struct cc_map_task *t)
{
    for (size_t k = 0, n = t->options.n; k < n; k++) {
        struct cc_map_option one = t->options.v[k];
        if (one.cores != 1)
            continue;
        for (size_t c = 2; c <= r->p->units.v[one.unit].cores; c++) {
            if (find_option(t, one.unit, c))
                continue;
            int rc = add_option(
                r, t, (struct cc_map_option){one.unit, c, one.low / (double)c, one.high / (double)c, NAN});
            if (rc < 0)
                return rc;
        }
    }
    return 0;
}

static int read_energy(struct reader *r, struct cc_map_task *t, const char *place)
{
    size_t unit, cores;
    double joules;
    int rc = parse_place(r, place, &unit, &cores);
    if (rc < 0)
        return rc;
    if (!cc_parse_f64(r->key->value, &joules) || joules < 0)
        return bad(r, "an energy is a number of joules that is not negative, got", r->key->value);
    struct cc_map_option *o = find_option(t, unit, cores ? cores : 1);
    if (!o)
        return bad(r, "an energy without a time for the same unit and cores:", place);
    o->energy = joules;
    return 0;
}

/* Dynamic energy where the file gives none: the unit's power above rest, shared by its cores. */
void cc_map_fill_energy(const struct cc_map_problem *p, struct cc_map_task *t)
{
    for (size_t k = 0; k < t->options.n; k++) {
        struct cc_map_option *o = &t->options.v[k];
        const struct cc_map_unit *u = &p->units.v[o->unit];
        if (isnan(o->energy) && !isnan(u->power))
            o->energy = fmax(0, u->power - u->idle_power) * (double)o->cores / (double)u->cores *
                        (o->low + o->high) / 2;
    }
}

static int keep_units(struct reader *r, struct cc_map_task *t, bool keep)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(r->key->value);
    char *save = NULL;
    bool listed[CC_MAP_MAX_UNITS] = {0};
    for (char *name = strtok_r(copy, ",", &save); name; name = strtok_r(NULL, ",", &save)) {
        size_t u = cc_map_find_unit(r->p, trimmed(name));
        if (u == SIZE_MAX)
            return bad(r, "the platform has no unit", trimmed(name));
        listed[u] = true;
    }
    size_t n = 0;
    for (size_t k = 0; k < t->options.n; k++)
        if (listed[t->options.v[k].unit] == keep)
            t->options.v[n++] = t->options.v[k];
    if (n == 0)
        return bad(r,
                   keep ? "the task has no time on the unit it is pinned to:"
                        : "the task is forbidden on every unit it has a time for:",
                   r->key->value);
    t->options.n = n;
    return 0;
}

static int read_memory(struct reader *r, struct cc_map_task *t)
{
    uint64_t bytes;
    double most = 0;
    if (!cc_parse_u64(r->key->value, &bytes))
        return bad(r, "memory is a number of bytes (k, M, G) that is not negative, got", r->key->value);
    t->memory = (double)bytes;
    for (size_t k = 0; k < t->options.n; k++)
        most = fmax(most, r->p->units.v[t->options.v[k].unit].memory);
    if (t->memory > most)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, r->key->line,
                         "task '%.80s' needs %.0f bytes, but the largest unit it can run on has %.0f",
                         t->name, t->memory, most);
    return 0;
}

/* after = TASK, TASK:BYTES: the last ':' counts, and only if a number follows. */
static int read_after(struct reader *r, size_t task)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(r->key->value);
    char *save = NULL;
    for (char *word = strtok_r(copy, ",", &save); word; word = strtok_r(NULL, ",", &save)) {
        word = trimmed(word);
        char *colon = strrchr(word, ':');
        uint64_t bytes = 0;
        if (colon && colon > word && colon[-1] != ':') {
            if (!cc_parse_u64(trimmed(colon + 1), &bytes))
                return bad(r, "the bytes of a dependency are a number (k, M, G) that is not negative, not",
                           trimmed(colon + 1));
            *colon = 0;
            word = trimmed(word);
        }
        uint64_t *from = cc_strmap_get(&r->names, word);
        if (!from)
            return bad(r, "there is no task", word);
        if (*from == task)
            return bad(r, "a task cannot wait for itself:", word);
        if (r->p->edges.n == MAX_EDGES)
            return bad(r, "too many dependencies at", word);
        struct cc_map_edge e = {(size_t)*from, task, (double)bytes};
        CC_VEC_PUSH(&r->p->edges, e);
    }
    return 0;
}

static int unknown_key(struct reader *r, const char *section, const char *const *known, size_t n)
{
    int rc = cc_err_at(r->err, CC_EINPUT, r->ini->path, r->key->line, "unknown key '%.80s' in [%.80s]",
                       r->key->name, section);
    const char *near = cc_nearest(r->key->name, known, n);
    if (near)
        cc_err_hint(r->err, "did you mean '%s'?", near);
    return rc;
}

static int read_general(struct reader *r)
{
    static const char *const known[] = {"name", "time", "platform"};
    static const struct {
        const char *name;
        double second;
    } clocks[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}, {"cycles", 1}};
    struct cc_map_problem *p = r->p;
    p->name = cc_arena_strdup(&p->arena, r->ini->path);
    p->clock = "s";
    p->clock_second = 1;
    const struct cc_ini_section *s = cc_ini_section(r->ini, "tasks");
    for (size_t k = 0; s && k < s->nkeys; k++) {
        r->key = &s->keys[k];
        if (strcmp(r->key->name, "name") == 0) {
            p->name = cc_arena_strdup(&p->arena, r->key->value);
        } else if (strcmp(r->key->name, "time") == 0) {
            size_t c = 0;
            while (c < CC_COUNT(clocks) && strcmp(clocks[c].name, r->key->value) != 0)
                c++;
            if (c == CC_COUNT(clocks))
                return bad(r, "times are in s, ms, us, ns or cycles, not", r->key->value);
            r->cycles = strcmp(clocks[c].name, "cycles") == 0;
            p->clock = r->cycles ? "s" : clocks[c].name;
            p->clock_second = clocks[c].second;
        } else if (strcmp(r->key->name, "platform") != 0) {
            return unknown_key(r, "tasks", known, CC_COUNT(known));
        }
    }
    return 0;
}

static int read_task(struct reader *r, const struct cc_ini_section *s, size_t task)
{
    static const char *const known[] = {"time.UNIT", "energy.UNIT", "parallel", "pin",
                                        "forbid",    "memory",      "after"};
    struct cc_map_task *t = &r->p->tasks.v[task];
    int rc = 0;
    for (size_t k = 0; k < s->nkeys && rc == 0; k++) {
        r->key = &s->keys[k];
        const char *name = r->key->name;
        if (strncmp(name, "time.", 5) == 0)
            rc = read_time(r, t, name + 5);
        else if (strncmp(name, "energy.", 7) != 0 && strcmp(name, "parallel") != 0 &&
                 strcmp(name, "pin") != 0 && strcmp(name, "forbid") != 0 && strcmp(name, "memory") != 0 &&
                 strcmp(name, "after") != 0)
            rc = unknown_key(r, s->name, known, CC_COUNT(known));
    }
    if (rc == 0 && t->options.n == 0)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, s->line, "task '%.80s' has no time on any unit",
                         t->name);
    if (rc == 0 && (r->key = cc_ini_key(s, "parallel")) != NULL) {
        if (strcmp(r->key->value, "yes") == 0)
            rc = spread(r, t);
        else if (strcmp(r->key->value, "no") != 0)
            rc = bad(r, "'parallel' is yes or no, not", r->key->value);
    }
    for (size_t k = 0; k < s->nkeys && rc == 0; k++) {
        r->key = &s->keys[k];
        if (strncmp(r->key->name, "energy.", 7) == 0)
            rc = read_energy(r, t, r->key->name + 7);
    }
    cc_map_fill_energy(r->p, t);
    if (rc == 0 && (r->key = cc_ini_key(s, "pin")) != NULL)
        rc = keep_units(r, t, true);
    if (rc == 0 && (r->key = cc_ini_key(s, "forbid")) != NULL)
        rc = keep_units(r, t, false);
    if (rc == 0 && (r->key = cc_ini_key(s, "memory")) != NULL)
        rc = read_memory(r, t);
    if (rc == 0 && (r->key = cc_ini_key(s, "after")) != NULL)
        rc = read_after(r, task);
    return rc;
}

static int read_names(struct reader *r)
{
    struct cc_map_problem *p = r->p;
    for (size_t i = 0; i < r->ini->nsections; i++) {
        const struct cc_ini_section *s = &r->ini->sections[i];
        if (strcmp(s->name, "tasks") == 0)
            continue;
        if (strncmp(s->name, "task.", 5) != 0 || !s->name[5])
            return cc_err_at(r->err, CC_EINPUT, r->ini->path, s->line,
                             "unknown section '%.80s': a task file has [tasks] and [task.NAME]", s->name);
        if (p->tasks.n == CC_MAP_MAX_TASKS)
            return cc_err_at(r->err, CC_EINPUT, r->ini->path, s->line, "more than %d tasks",
                             CC_MAP_MAX_TASKS);
        struct cc_map_task t = {.name = cc_arena_strdup(&p->arena, s->name + 5), .line = s->line};
        *cc_strmap_put(&r->names, t.name, NULL) = p->tasks.n;
        CC_VEC_PUSH(&p->tasks, t);
    }
    if (p->tasks.n == 0)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, 0, "there is no [task.NAME] section");
    return 0;
}

static int read_all(struct reader *r)
{
    struct cc_map_problem *p = r->p;
    int rc = cc_map_read_platform(p, r->platform, r->err);
    if (rc == 0)
        rc = read_general(r);
    if (rc == 0)
        rc = read_names(r);
    for (size_t i = 0, task = 0; i < r->ini->nsections && rc == 0; i++)
        if (strcmp(r->ini->sections[i].name, "tasks") != 0)
            rc = read_task(r, &r->ini->sections[i], task++);
    if (rc == 0 && (double)p->edges.n * (double)p->units.n * (double)p->units.n > MAX_TRANSFERS)
        rc = cc_err_at(r->err, CC_EINPUT, p->path, 0, "%zu dependencies on %zu units are too many",
                       p->edges.n, p->units.n);
    if (rc == 0)
        rc = cc_map_check_connected(p, r->platform, r->err);
    return rc;
}

static int read_problem(struct cc_ini *ini, const struct cc_platform *platform, struct cc_map_problem **ret,
                        struct cc_err *err)
{
    struct cc_map_problem *p = cc_alloc(sizeof *p);
    p->path = cc_arena_strdup(&p->arena, ini->path);
    struct reader r = {.p = p, .platform = platform, .ini = ini, .err = err};
    int rc = read_all(&r);
    cc_strmap_fini(&r.names);
    cc_ini_free(ini);
    if (rc < 0)
        cc_map_problem_free(p);
    else
        *ret = p;
    return rc;
}

int cc_map_problem_parse(const char *path, const char *text, size_t size, const struct cc_platform *p,
                         struct cc_map_problem **ret, struct cc_err *err)
{
    struct cc_ini *ini;
    int rc = cc_ini_parse(path, text, size, &ini, err);
    return rc < 0 ? rc : read_problem(ini, p, ret, err);
}

int cc_map_problem_load(const char *path, const struct cc_platform *p, struct cc_map_problem **ret,
                        struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &text, &size, err);
    return rc < 0 ? rc : cc_map_problem_parse(path, text, size, p, ret, err);
}

char *cc_map_problem_platform(const char *path)
{
    struct cc_ini *ini;
    if (cc_ini_load(path, &ini, NULL) < 0)
        return NULL;
    const struct cc_ini_key *key = cc_ini_key(cc_ini_section(ini, "tasks"), "platform");
    char *found = NULL;
    if (key && strchr(key->value, '/') == key->value) {
        found = cc_strdup(key->value);
    } else if (key && (strchr(key->value, '/') || strstr(key->value, ".ini"))) {
        CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(path);
        found = cc_asprintf("%s/%s", dirname(copy), key->value);
    } else if (key) {
        found = cc_strdup(key->value); /* one that ships with the tool */
    }
    cc_ini_free(ini);
    return found;
}
