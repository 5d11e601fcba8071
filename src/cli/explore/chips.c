/* Chips: --set with ranges makes many platforms of one. Each is explored, the front of cost against time is
 * told, and the chip that answers the question is the one whose plans are shown. */
#include "internal.h"
#include "../../analysis/explore/front.h"

#include <math.h>

enum { MOST_VALUES = 256, MOST_CHIPS = 4096, FIGURES = 5 };

struct axis {
    const char *name;    /* as it was given */
    const char **assign; /* "cores=3" */
    size_t n;
};

struct chip {
    const char **assign; /* one of each axis */
    const char *text;    /* "cores=3 cache.l2.size=512k" */
    double cores, cost, time, speedup, energy;
    bool front, reaches;
};

struct chips {
    struct axis *axes;
    size_t naxes;
    struct chip *v;
    size_t n, best;   /* best: the one whose plans are shown */
    size_t tried;     /* all of them, unless somebody stopped us */
    double wanted;    /* seconds; 0: nothing is */
    double most;      /* cost; INFINITY: any */
    double core, mib; /* cost of */
    const char *said; /* of the best */
};

/* --- ranges --- */

static bool is_number(const char *s, size_t size, double *ret, bool *ret_suffixed)
{
    char text[40];
    uint64_t whole;
    if (!size || size >= sizeof text)
        return false;
    memcpy(text, s, size);
    text[size] = '\0';
    *ret_suffixed = strchr("kKmMgG", text[size - 1]) != NULL;
    if (!*ret_suffixed)
        return cc_parse_f64(text, ret);
    bool fine = cc_parse_u64(text, &whole);
    *ret = (double)whole;
    return fine;
}

static const char *number_text(struct cc_arena *arena, double v, bool suffixed)
{
    static const struct {
        double of;
        const char *suffix;
    } units[] = {{1 << 30, "G"}, {1 << 20, "M"}, {1 << 10, "k"}};
    for (size_t i = 0; suffixed && i < CC_COUNT(units); i++)
        if (v >= units[i].of && fmod(v, units[i].of) == 0)
            return cc_arena_printf(arena, "%.0f%s", v / units[i].of, units[i].suffix);
    return v == floor(v) && fabs(v) < 1e15 ? cc_arena_printf(arena, "%.0f", v)
                                           : cc_arena_printf(arena, "%.12g", v);
}

static void add_value(struct axis *a, struct cc_arena *arena, const char *value)
{
    a->assign[a->n++] =
        cc_arena_printf(arena, "%s=%s", strcmp(a->name, "cores") == 0 ? "platform.cores" : a->name, value);
}

/* "1..16", "256k..2M:*2", "0.5..2:+0.5" */
static int add_range(struct axis *a, struct cc_arena *arena, const char *text, struct cc_err *err)
{
    const char *dots = strstr(text, ".."), *colon = strchr(text, ':');
    double from, to, by = 1;
    bool suffixed[3] = {false, false, false}, times = colon && colon[1] == '*';
    size_t end = colon ? (size_t)(colon - text) : strlen(text), to_at = (size_t)(dots - text) + 2;
    const char *step = colon ? colon + 1 + (colon[1] == '*' || colon[1] == '+') : NULL;
    if (end < to_at || !is_number(text, (size_t)(dots - text), &from, &suffixed[0]) ||
        !is_number(text + to_at, end - to_at, &to, &suffixed[1]) ||
        (step && !is_number(step, strlen(step), &by, &suffixed[2])) || from > to ||
        (times ? by <= 1 || from <= 0 : by <= 0))
        return cc_err_set(err, CC_EUSAGE, "--set %s=%s: expected FROM..TO, with :*FACTOR or :+STEP behind it",
                          a->name, text);
    for (double v = from; v <= to + 1e-12 * fabs(to); v = times ? v * by : v + by) {
        if (a->n == MOST_VALUES)
            return cc_err_set(err, CC_EUSAGE, "--set %s=%s: more than %d values", a->name, text, MOST_VALUES);
        add_value(a, arena, number_text(arena, v, suffixed[0] || suffixed[1]));
    }
    return 0;
}

/* "1,2,4": numbers only, since some keys are lists by themselves. */
static bool is_list(const char *text)
{
    bool suffixed, any = false;
    double v;
    for (const char *p = text;; p++) {
        size_t size = strcspn(p, ",");
        if (!is_number(p, size, &v, &suffixed))
            return false;
        p += size;
        any = any || *p == ',';
        if (!*p)
            return any;
    }
}

static int add_list(struct axis *a, struct cc_arena *arena, const char *text, struct cc_err *err)
{
    for (const char *p = text;; p++) {
        size_t size = strcspn(p, ",");
        if (a->n == MOST_VALUES)
            return cc_err_set(err, CC_EUSAGE, "--set %s: more than %d values", a->name, MOST_VALUES);
        add_value(a, arena, cc_arena_strndup(arena, p, size));
        p += size;
        if (!*p)
            return 0;
    }
}

bool cc_explore_is_range(const char *set)
{
    const char *eq = strchr(set, '=');
    return eq && (strstr(eq, "..") || is_list(eq + 1));
}

int cc_explore_set(const struct options *o, struct cc_platform *p, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < o->set.n; i++) {
        const char *set = o->set.v[i];
        CC_CLEANUP(cc_free_ptr) char *cores = cc_asprintf("platform.%s", set);
        if (!cc_explore_is_range(set))
            rc = cc_platform_override(p, strncmp(set, "cores=", 6) == 0 ? cores : set, err);
    }
    return rc;
}

static int parse_axes(struct exploration *x, struct chips *c, struct cc_err *err)
{
    int rc = 0;
    c->axes = cc_arena_alloc(&x->arena, (x->o->set.n + 1) * sizeof *c->axes);
    for (size_t i = 0; rc == 0 && i < x->o->set.n; i++) {
        const char *set = x->o->set.v[i], *eq = strchr(set, '=');
        if (!cc_explore_is_range(set))
            continue;
        struct axis *a = &c->axes[c->naxes++];
        *a = (struct axis){.name = cc_arena_strndup(&x->arena, set, (size_t)(eq - set)),
                           .assign = cc_arena_alloc(&x->arena, MOST_VALUES * sizeof *a->assign)};
        rc = strstr(eq, "..") ? add_range(a, &x->arena, eq + 1, err) : add_list(a, &x->arena, eq + 1, err);
    }
    return rc;
}

static int make_chips(struct exploration *x, struct chips *c, struct cc_err *err)
{
    c->n = 1;
    for (size_t i = 0; i < c->naxes; i++) {
        if (c->n > MOST_CHIPS / c->axes[i].n)
            return cc_err_set(err, CC_EUSAGE, "--set: more than %d chips", MOST_CHIPS);
        c->n *= c->axes[i].n;
    }
    c->v = cc_arena_alloc(&x->arena, c->n * sizeof *c->v);
    for (size_t i = 0; i < c->n; i++) {
        struct cc_buf text = {0};
        size_t left = i;
        c->v[i] = (struct chip){.assign = cc_arena_alloc(&x->arena, c->naxes * sizeof *c->v[i].assign),
                                .time = NAN};
        for (size_t a = c->naxes; a-- > 0; left /= c->axes[a].n)
            c->v[i].assign[a] = c->axes[a].assign[left % c->axes[a].n];
        for (size_t a = 0; a < c->naxes; a++)
            cc_buf_printf(&text, "%s%s=%s", a ? " " : "", c->axes[a].name,
                          strchr(c->v[i].assign[a], '=') + 1);
        c->v[i].text = cc_arena_strdup(&x->arena, text.s);
        cc_buf_fini(&text);
    }
    return 0;
}

/* --- what is asked --- */

static double frames_of(const struct exploration *x)
{
    return x->o->frames ? (double)x->o->frames : x->p->nframes > 1 ? (double)(x->p->nframes - 1) : 0;
}

/* "30fps", "20ms", "4x" (of the sequential run on the platform as it is). */
static int parse_reach(struct exploration *x, struct chips *c, struct cc_err *err)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}, {"ns", 1e-9}};
    const char *text = x->o->reach;
    double v = 0;
    bool ignored;
    size_t size = text ? strspn(text, "0123456789.eE+-") : 0;
    if (!text)
        return 0;
    if (!is_number(text, size, &v, &ignored) || v <= 0)
        return cc_err_set(err, CC_EUSAGE, "--reach %s: expected a time (20ms) or a rate (30fps)", text);
    if (strcmp(text + size, "fps") == 0) {
        if (frames_of(x) <= 0) {
            int rc = cc_err_set(err, CC_EUSAGE, "--reach %s: the recording has no frames", text);
            cc_err_hint(err, "say how many the run makes (--frames N), or mark them (corecast/mark.h)");
            return rc;
        }
        c->wanted = frames_of(x) / v;
        return 0;
    }
    for (size_t i = 0; i < CC_COUNT(units); i++)
        if (strcmp(text + size, units[i].unit) == 0)
            c->wanted = v * units[i].seconds;
    return c->wanted > 0
               ? 0
               : cc_err_set(err, CC_EUSAGE, "--reach %s: expected a time (20ms) or a rate (30fps)", text);
}

/* "core=1,mib=2" */
static int parse_cost(struct exploration *x, struct chips *c, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(x->o->cost ? x->o->cost : "");
    c->core = 1;
    c->mib = 2;
    for (char *one = copy, *next; *copy && one; one = next) {
        next = strchr(one, ',');
        if (next)
            *next++ = '\0';
        char *eq = strchr(one, '=');
        double v;
        if (eq)
            *eq++ = '\0';
        bool core = strcmp(one, "core") == 0;
        if (!eq || !cc_parse_f64(eq, &v) || v < 0 || (!core && strcmp(one, "mib") != 0))
            return cc_err_set(err, CC_EUSAGE, "--cost %s: expected core=N,mib=N", x->o->cost);
        *(core ? &c->core : &c->mib) = v;
    }
    return 0;
}

/* --- one chip --- */

/* Cores, and bytes of caches: of the first level every core has its own. Of a platform without caches, what
 * it calls its memories l1, l2 and so on. */
static double cost_of(const struct chips *c, const struct cc_platform *p, double cores)
{
    const char *const *names;
    double bytes = 0;
    size_t n = cc_platform_list(p, "cache", &names);
    bool caches = n > 0;
    if (!caches)
        n = cc_platform_list(p, "memory", &names);
    for (size_t i = 0; i < n; i++) {
        bool level = names[i][0] == 'l' && names[i][1] >= '1' && names[i][1] <= '9';
        CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("%s.%s", caches ? "cache" : "memory", names[i]);
        if (caches || level)
            bytes += cc_platform_num_or(p, section, caches ? CC_NUM_CACHE_SIZE : CC_NUM_MEMORY_SIZE, 0) *
                     (strncmp(names[i], "l1", 2) == 0 ? cores : 1);
    }
    return c->core * cores + c->mib * bytes / (1 << 20);
}

static int platform_of(const struct exploration *x, const struct chips *c, const struct chip *chip,
                       struct cc_platform **ret, struct cc_err *err)
{
    int rc = cc_platform_load(x->o->platform, ret, err);
    if (rc == 0)
        rc = cc_explore_set(x->o, *ret, err);
    for (size_t i = 0; rc == 0 && i < c->naxes; i++)
        rc = cc_platform_override(*ret, chip->assign[i], err);
    return rc;
}

static double cores_of(const struct exploration *x, const struct cc_platform *p)
{
    double cores = cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1);
    return CC_MIN(CC_MIN(cores, (double)x->most_cores), (double)CC_PREDICT_MAX_CORES);
}

static int try_chip(struct exploration *x, const struct chips *c, struct chip *chip, struct cc_err *err)
{
    struct cc_platform *p = NULL;
    struct cc_explore_result r = {0};
    int rc = platform_of(x, c, chip, &p, err);
    int64_t cores = rc == 0 ? (int64_t)cores_of(x, p) : 1;
    chip->cores = (double)cores;
    if (rc == 0) {
        struct cc_explore_request rq = x->rq;
        chip->cost = cost_of(c, p, cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1));
        rq.platform = p;
        rq.cores = &cores;
        rq.ncores = 1;
        rq.progress = NULL;
        rq.ranks = NULL; /* which share the chips */
        rc = chip->cost <= c->most ? cc_explore_run(&rq, &r, err) : 0;
    }
    if (rc == 0 && chip->cost <= c->most) {
        double ticks = r.plans.n ? r.plans.v[0].time : r.sequential;
        ticks = CC_MIN(ticks, r.sequential); /* nobody has to share anything out */
        chip->time = r.second > 0 ? ticks * r.second : ticks;
        chip->speedup = r.sequential / ticks;
        chip->energy = r.plans.n ? r.plans.v[0].speedups[0].energy : r.energy;
        x->timed = r.second > 0;
    }
    cc_explore_fini(&r);
    cc_platform_free(p);
    return rc;
}

/* --- all of them --- */

static void choose(struct exploration *x, struct chips *c)
{
    struct cc_front_point *points = cc_arena_alloc(&x->arena, c->n * sizeof *points);
    for (size_t i = 0; i < c->n; i++)
        points[i] = (struct cc_front_point){.cost = c->v[i].cost, .time = c->v[i].time};
    cc_front(points, c->n);
    size_t fastest = c->n;
    for (size_t i = 0; i < c->n; i++) {
        c->v[i].front = points[i].front;
        c->v[i].reaches = c->wanted > 0 && c->v[i].time <= c->wanted;
        if (c->v[i].front && (fastest == c->n || c->v[i].time < c->v[fastest].time))
            fastest = i;
    }
    size_t reached = c->wanted > 0 ? cc_front_reach(points, c->n, c->wanted) : c->n;
    c->best = reached < c->n ? reached : fastest;
    if (c->best == c->n)
        return;
    const struct chip *best = &c->v[c->best];
    c->said =
        c->wanted <= 0 ? cc_arena_printf(&x->arena, "the fastest: %s", best->text)
        : reached < c->n
            ? cc_arena_printf(&x->arena, "the smallest chip that reaches %s: %s", x->o->reach, best->text)
            : cc_arena_printf(&x->arena, "no chip reaches %s; the fastest: %s", x->o->reach, best->text);
}

/* What the other processes tried. */
static void gather(struct exploration *x, struct chips *c)
{
    double *told = cc_arena_alloc(&x->arena, (FIGURES * c->n + 1) * sizeof *told);
    for (size_t i = 0; x->ranks && i < c->n; i++) {
        const struct chip *v = &c->v[i];
        const double figures[FIGURES] = {v->cores, v->cost, v->time, v->speedup, v->energy};
        for (int k = 0; k < FIGURES; k++)
            told[FIGURES * i + (size_t)k] =
                !cc_ranks_mine(x->ranks, i) || v->cores <= 0 || isnan(figures[k]) ? -INFINITY : figures[k];
    }
    told[FIGURES * c->n] = x->timed;
    cc_ranks_join(x->ranks, told, FIGURES * c->n + 1);
    for (size_t i = 0; x->ranks && i < c->n; i++) {
        const double *f = told + FIGURES * i;
        c->v[i].cores = isinf(f[0]) ? 0 : f[0]; /* nobody came to it */
        c->v[i].cost = isinf(f[1]) ? NAN : f[1];
        c->v[i].time = isinf(f[2]) ? NAN : f[2];
        c->v[i].speedup = isinf(f[3]) ? 0 : f[3];
        c->v[i].energy = isinf(f[4]) ? NAN : f[4];
    }
    x->timed = told[FIGURES * c->n] > 0;
}

static bool varies_caches(const struct chips *c)
{
    for (size_t i = 0; i < c->naxes; i++)
        if (strncmp(c->axes[i].name, "cache.", 6) == 0)
            return true;
    return false;
}

static int prepare(struct exploration *x, struct chips *c, struct cc_err *err)
{
    int rc = parse_axes(x, c, err);
    c->most = x->area > 0 ? x->area : INFINITY;
    if (rc == 0)
        rc = parse_reach(x, c, err);
    if (rc == 0)
        rc = parse_cost(x, c, err);
    if (rc == 0)
        rc = make_chips(x, c, err);
    return rc;
}

/* Of several processes, each is only a part: then nobody tells how far they are. */
static int try_chips(struct exploration *x, struct chips *c, const volatile sig_atomic_t *stop,
                     struct cc_err *err)
{
    struct cc_progress progress = {.what = "exploring", .unit = "chips"};
    int rc = 0;
    atomic_store(&progress.count.total, c->n);
    if (!x->ranks)
        cc_output_progress(&x->o->common, &progress);
    for (size_t i = 0; rc == 0 && i < c->n && !*stop; i++) {
        if (cc_ranks_mine(x->ranks, i))
            rc = try_chip(x, c, &c->v[i], err);
        if (!x->ranks)
            cc_progress_add(&progress, 1);
    }
    if (!x->ranks)
        cc_progress_end(&progress);
    return rc;
}

int cc_explore_chips(struct exploration *x, const volatile sig_atomic_t *stop, struct cc_err *err)
{
    struct chips *c = cc_arena_alloc(&x->arena, sizeof *c);
    *c = (struct chips){0};
    int rc = prepare(x, c, err);
    if (rc == 0)
        rc = try_chips(x, c, stop, err);
    rc = cc_ranks_agree(x->ranks, rc, err);
    if (rc < 0)
        return rc;
    gather(x, c);
    for (size_t i = 0; i < c->n; i++)
        c->tried += c->v[i].cores > 0;
    if (c->wanted > 0 && !x->timed)
        return cc_err_set(err, CC_EUSAGE, "--reach: the platform does not tell its clock (clock_mhz)");
    choose(x, c);
    if (c->best == c->n && c->tried < c->n)
        return cc_err_set(err, CC_EUSAGE, "stopped before the first chip was explored");
    if (c->best == c->n)
        return cc_err_set(err, CC_EUSAGE, "--budget area=%g: no chip costs so little", x->area);
    if (varies_caches(c) && !x->h->lines)
        cc_note(&x->o->common, "sizes of caches change nothing here: the recording has no lines (record "
                               "--locality with --loops dependences --tasks loops)");
    x->chips = c;
    cc_platform_free(x->platform);
    x->platform = NULL;
    return platform_of(x, c, &c->v[c->best], &x->platform, err);
}

/* --- showing --- */

void cc_explore_show_chips(struct exploration *x, struct cc_result *r)
{
    static const struct cc_col data[] = {
        {"chip", NULL, CC_COL_STR},
        {"cores", NULL, CC_COL_INT, .meaning = "processors the chip has"},
        {"cost", NULL, CC_COL_NUM, .meaning = "a core and a MiB of cache cost what --cost says"},
        {"time", NULL, CC_COL_NUM, .meaning = "of its best plan; seconds where the clock is known"},
        {"speedup", NULL, CC_COL_NUM, .meaning = "over one core of the same chip"},
        {"energy", NULL, CC_COL_NUM, .unit = "J"},
        {"front", NULL, CC_COL_BOOL, .meaning = "no other chip is as fast for less, or faster for as much"},
        {"reaches", NULL, CC_COL_BOOL},
        {"chosen", NULL, CC_COL_BOOL, .meaning = "plans are of this one"},
    };
    static const struct cc_col text[] = {
        {NULL, "chip", CC_COL_STR},        {NULL, "cost", CC_COL_NUM, 2},   {NULL, "time", CC_COL_STR},
        {NULL, "speed-up", CC_COL_NUM, 2}, {NULL, "energy", CC_COL_NUM, 4}, {NULL, "", CC_COL_STR},
    };
    const struct chips *c = x->chips;
    struct cc_table *all = cc_result_table(r, "chips", data, CC_COUNT(data));
    for (size_t i = 0; c && i < c->n; i++) {
        cc_table_row(all);
        cc_table_str(all, c->v[i].text);
        cc_table_u64(all, (uint64_t)c->v[i].cores);
        cc_table_num(all, c->v[i].cost);
        cc_table_num(all, c->v[i].time);
        cc_table_num(all, c->v[i].speedup > 0 ? c->v[i].speedup : NAN);
        cc_table_num(all, c->v[i].speedup > 0 ? c->v[i].energy : NAN);
        cc_table_bool(all, c->v[i].front);
        cc_table_bool(all, c->v[i].reaches);
        cc_table_bool(all, i == c->best);
    }
    if (!c)
        return;
    if (c->tried < c->n)
        cc_result_note(r, "stopped: of %zu chips, %zu were explored", c->n, c->tried);
    cc_result_note(r, "%zu chips, a core costs %g, a MiB of cache %g%s; those that nothing beats:", c->tried,
                   c->core, c->mib, x->o->cost ? "" : " (assumed)");
    struct cc_table *t = cc_result_table(r, NULL, text, CC_COUNT(text));
    for (size_t i = 0; i < c->n; i++) {
        if (!c->v[i].front && i != c->best)
            continue;
        cc_table_row(t);
        cc_table_str(t, c->v[i].text);
        cc_table_num(t, c->v[i].cost);
        cc_table_str(t, cc_explore_duration(x, c->v[i].time, x->timed ? 1 : 0));
        cc_table_num(t, c->v[i].speedup);
        cc_table_num(t, c->v[i].energy);
        cc_table_str(t, i == c->best ? "chosen" : c->v[i].reaches ? "reaches it" : "");
    }
    cc_result_note(r, "%s", c->said);
}
