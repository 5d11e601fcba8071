#include "corun.h"
#include "../base/text.h"

#include <math.h>
#include <unistd.h>

enum { DEFAULT_REPEATS = 3 };

/* Which CPUs k copies get in a round: drawn anew each time, since which ones share hardware is not known and
 * the operating system does not know either where it puts the threads of a program. */
static void choose_cpus(const struct session *s, size_t k, uint64_t *seed, int *out)
{
    int *deck = cc_alloc_array(s->ncpus, sizeof *deck);
    memcpy(deck, s->cpus, s->ncpus * sizeof *deck);
    for (size_t i = 0; i < k; i++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        size_t j = i + (size_t)(*seed >> 33) % (s->ncpus - i);
        out[i] = deck[j];
        deck[j] = deck[i];
    }
    free(deck);
}

/* --- what names took --- */

/* One name: what every copy took in every round, and the mean over the copies in each. */
struct named {
    char *name; /* NULL: the whole run */
    CC_VEC(double) all, means;
};

struct point {
    size_t copies;
    double cpu_share; /* least of all copies and rounds */
    CC_VEC(struct named) v;
};

/* `hint`: where it probably is; copies of one program meet their names in the same order. */
static double time_of(const struct cc_native_times *t, const char *name, size_t hint)
{
    if (!name)
        return t->total_ns;
    if (hint < t->n && strcmp(t->v[hint].name, name) == 0)
        return t->v[hint].ns;
    for (size_t i = 0; i < t->n; i++)
        if (strcmp(t->v[i].name, name) == 0)
            return t->v[i].ns;
    return NAN;
}

static bool same_name(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static struct named *find_named(struct point *p, const char *name, size_t hint)
{
    if (hint < p->v.n && same_name(p->v.v[hint].name, name))
        return &p->v.v[hint];
    for (size_t i = 0; i < p->v.n; i++)
        if (same_name(p->v.v[i].name, name))
            return &p->v.v[i];
    CC_VEC_PUSH(&p->v, (struct named){.name = name ? cc_strdup(name) : NULL});
    return &p->v.v[p->v.n - 1];
}

static void keep(struct point *p, const struct copy *copies, const char *name, size_t hint)
{
    double sum = 0;
    for (size_t i = 0; i < p->copies; i++)
        sum += time_of(&copies[i].times, name, hint);
    if (!isfinite(sum)) /* a copy did not meet the name */
        return;
    struct named *n = find_named(p, name, hint);
    sum = 0;
    for (size_t i = 0; i < p->copies; i++) {
        /* What other processes took from the copy is not the other copies' doing: count the time it had a
         * CPU. */
        double t = time_of(&copies[i].times, name, hint) * copies[i].times.cpu_share;
        CC_VEC_PUSH(&n->all, t);
        sum += t;
    }
    CC_VEC_PUSH(&n->means, sum / (double)p->copies);
}

static int read_copies(struct point *p, struct copy *copies, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < p->copies; i++) {
        struct cc_native_trace *t;
        rc = cc_native_trace_open(copies[i].trace, &t, err);
        if (rc < 0)
            break;
        cc_native_times_of(t, &copies[i].times);
        cc_native_trace_free(t);
        p->cpu_share = CC_MIN(p->cpu_share, copies[i].times.cpu_share);
    }
    if (rc == 0) {
        for (size_t i = 0; i < copies[0].times.n; i++)
            keep(p, copies, copies[0].times.v[i].name, i);
        keep(p, copies, NULL, copies[0].times.n);
    }
    return rc;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The middle round. Not the least: one copy alone is disturbed less often than one of many are, so least
 * against least would call the disturbances of the machine a slowdown by the copies. */
static double middle(struct named *n)
{
    if (!n->means.n)
        return NAN;
    qsort(n->means.v, n->means.n, sizeof *n->means.v, by_size);
    return n->means.v[(n->means.n - 1) / 2];
}

static double deviation(const struct named *n)
{
    double sum = 0, squares = 0, count = (double)n->all.n;
    for (size_t i = 0; i < n->all.n; i++) {
        sum += n->all.v[i];
        squares += n->all.v[i] * n->all.v[i];
    }
    return sqrt(CC_MAX(squares / count - sum / count * (sum / count), 0));
}

/* More copies do not make any of them faster: where means say so, it is noise, and neighbours share their
 * mean (weighted by copies). NAN: not measured, passed over. */
static void make_rising(const struct point *points, double *factor, size_t n)
{
    size_t *first = cc_alloc_array(n + 1, sizeof *first), blocks = 0; /* of each block of equal values */
    double *sum = cc_alloc_array(n + 1, sizeof *sum), *weight = cc_alloc_array(n + 1, sizeof *weight);
    for (size_t k = 0; k < n; k++) {
        if (isnan(factor[k]))
            continue;
        first[blocks] = k;
        weight[blocks] = (double)points[k].copies;
        sum[blocks] = factor[k] * weight[blocks];
        for (blocks++;
             blocks > 1 && sum[blocks - 2] / weight[blocks - 2] > sum[blocks - 1] / weight[blocks - 1];
             blocks--) {
            sum[blocks - 2] += sum[blocks - 1];
            weight[blocks - 2] += weight[blocks - 1];
        }
    }
    for (size_t b = 0; b < blocks; b++)
        for (size_t k = first[b]; k < (b + 1 < blocks ? first[b + 1] : n); k++)
            factor[k] = isnan(factor[k]) ? NAN : sum[b] / weight[b];
    free(first);
    free(sum);
    free(weight);
}

/* What copies took, against `base`, as so many values that stand for all. */
static int write_copies(struct cc_tasks_writer *w, uint32_t id, const struct point *p, struct named *n,
                        double base, struct cc_err *err)
{
    double v[CC_TASKS_MAX_COPIES];
    size_t use = CC_MIN(n->all.n, (size_t)CC_TASKS_MAX_COPIES);
    qsort(n->all.v, n->all.n, sizeof *n->all.v, by_size);
    for (size_t i = 0; i < use; i++)
        v[i] = n->all.v[use > 1 ? i * (n->all.n - 1) / (use - 1) : 0] / base;
    return cc_tasks_copies(w, id, (unsigned)p->copies, v, use, err);
}

/* NAN where the name was not met, or a copy was over before its CPU time could be told. */
static double measured(struct named *n)
{
    for (size_t i = 0; i < n->all.n; i++)
        if (!(n->all.v[i] > 0))
            return NAN;
    return middle(n);
}

/* How many times longer `name` took in the co-runs than alone. */
static int write_burden(struct cc_tasks_writer *w, struct point *points, size_t n, const char *name,
                        size_t hint, struct cc_err *err)
{
    double base = middle(find_named(&points[0], name, hint)),
           whole = middle(find_named(&points[0], NULL, points[0].v.n - 1));
    if (!(base > 0.01 * whole)) /* too little time for its ratio to mean anything */
        return 0;
    int64_t id = cc_tasks_name(w, name ? name : CC_TASKS_REST, err);
    int rc = id < 0 ? (int)id : 0;
    double *factor = cc_alloc_array(n, sizeof *factor), *raw = cc_alloc_array(n, sizeof *raw);
    for (size_t k = 1; k < n; k++)
        factor[k] = raw[k] = measured(find_named(&points[k], name, hint)) / base;
    make_rising(points + 1, factor + 1, n - 1);
    for (size_t k = 1; rc == 0 && k < n; k++) {
        struct named *of = find_named(&points[k], name, hint);
        if (isnan(factor[k]))
            continue;
        double unit = base * raw[k] / factor[k];
        rc = cc_tasks_burden(w, (uint32_t)id, (unsigned)points[k].copies, factor[k], deviation(of) / unit,
                             err);
        if (rc == 0)
            rc = write_copies(w, (uint32_t)id, &points[k], of, unit, err);
    }
    free(factor);
    free(raw);
    return rc;
}

/* Whole rounds against the middle one: how far the machine's runs lie apart. */
static int write_rounds(struct cc_tasks_writer *w, struct point *points, size_t n, struct cc_err *err)
{
    CC_VEC(double) v = {0};
    for (size_t k = 0; k < n; k++) {
        struct named *whole = find_named(&points[k], NULL, points[k].v.n - 1);
        double base = middle(whole);
        for (size_t r = 0; base > 0 && r < whole->means.n && v.n < CC_TASKS_MAX_COPIES; r++)
            CC_VEC_PUSH(&v, whole->means.v[r] / base);
    }
    qsort(v.v, v.n, sizeof *v.v, by_size);
    int64_t id = cc_tasks_name(w, CC_TASKS_REST, err);
    int rc = id < 0 ? (int)id : 0;
    if (rc == 0 && v.n && v.v[0] > 0)
        rc = cc_tasks_copies(w, (uint32_t)id, 1, v.v, v.n, err);
    CC_VEC_FINI(&v);
    return rc;
}

static int write_burdens(struct cc_tasks_writer *w, struct point *points, size_t n, struct cc_err *err)
{
    int rc = write_rounds(w, points, n, err);
    for (size_t i = 0, names = points[0].v.n; rc == 0 && i < names; i++)
        rc = write_burden(w, points, n, points[0].v.v[i].name, i, err);
    return rc;
}

/* --- separate copies --- */

static int run_point(const struct session *s, struct point *p, uint64_t *seed, struct cc_err *err)
{
    struct copy *copies = cc_alloc_array(p->copies, sizeof *copies);
    int *cpus = cc_alloc_array(p->copies, sizeof *cpus);
    cc_copies_init(s, copies, p->copies, "corun");
    choose_cpus(s, p->copies, seed, cpus);
    int rc = cc_copies_run(s, copies, p->copies, cpus, true, err);
    for (size_t i = 0; rc == 0 && i < p->copies; i++)
        if (cc_child_exit_status(copies[i].child.status) != 0)
            rc = cc_err_set(err, CC_EENGINE, "copy %zu of %zu ended with status %d", i + 1, p->copies,
                            cc_child_exit_status(copies[i].child.status));
    if (rc == 0)
        rc = read_copies(p, copies, err);
    cc_copies_fini(copies, p->copies);
    free(copies);
    free(cpus);
    return rc;
}

/* --- forked copies --- */

/* Copies do the same at the same time, threads do not: with no distance between them, one copy would bring in
 * for all what threads, each in its own part of the data, fetch for themselves. In two milliseconds several
 * copies stream more than caches hold. Little against the whole run, so that all are at work at once. */
static double skew(double ns, size_t copies)
{
    return copies > 1 ? CC_MIN(2e6, ns / (20 * (double)copies)) : 0;
}

static int write_plan(const struct session *s, const struct point *points, size_t n, double ns,
                      uint64_t *seed, const char *path, struct cc_err *err)
{
    struct cc_buf b = {0};
    int *cpus = cc_alloc_array(s->ncpus, sizeof *cpus);
    for (size_t k = 0; k < n; k++) {
        choose_cpus(s, points[k].copies, seed, cpus);
        cc_buf_printf(&b, "%.0f", skew(ns, points[k].copies));
        for (size_t i = 0; i < points[k].copies; i++)
            cc_buf_printf(&b, " %d", cpus[i]);
        cc_buf_puts(&b, "\n");
    }
    FILE *f = fopen(path, "w");
    bool ok = f && fwrite(b.s, 1, b.n, f) == b.n;
    ok = f && fclose(f) == 0 && ok;
    cc_buf_fini(&b);
    free(cpus);
    return ok ? 0 : cc_err_set(err, CC_EENGINE, "cannot write '%s'", path);
}

/* Why the program made no copies; false when it did. */
static bool no_copies(const struct copy *first, char why[static 160])
{
    char text[128] = "";
    int status = cc_child_exit_status(first->child.status);
    FILE *f = fopen(first->trace, "r");
    if (f && !fgets(text, sizeof text, f))
        text[0] = 0;
    if (f)
        fclose(f);
    CC_CLEANUP(cc_free_ptr) char *trace = cc_asprintf("%s.0.0", first->trace);
    if (strncmp(text, "CCNATIV", 7) == 0)
        snprintf(why, 160, "its libcorecast-native is older");
    else if (text[0])
        snprintf(why, 160, "%s", text);
    else if (status)
        snprintf(why, 160, "it ended with status %d", status);
    else if (access(trace, R_OK) < 0)
        snprintf(why, 160, "it has no mark");
    else
        return false;
    return true;
}

/* One round of all points in one process; 1 with `why` when it cannot be done. */
static int run_forked(const struct session *s, struct point *points, size_t n, double ns, uint64_t *seed,
                      char why[static 160], struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *plan = cc_asprintf("%s/plan", s->dir);
    struct copy first;
    cc_copies_init(s, &first, 1, "forked");
    first.plan = plan;
    int rc = write_plan(s, points, n, ns, seed, plan, err);
    if (rc == 0)
        rc = cc_copies_run(s, &first, 1, NULL, true, err);
    if (rc == 0 && no_copies(&first, why))
        rc = 1;
    for (size_t k = 0; rc >= 0 && k < n; k++) {
        struct copy *copies = cc_alloc_array(points[k].copies, sizeof *copies);
        for (size_t i = 0; i < points[k].copies; i++)
            copies[i].trace = cc_asprintf("%s.%zu.%zu", first.trace, k, i);
        if (rc == 0)
            rc = read_copies(&points[k], copies, err);
        cc_copies_fini(copies, points[k].copies);
        free(copies);
    }
    unlink(plan);
    cc_copies_fini(&first, 1);
    return rc;
}

/* --- all rounds --- */

int cc_corun(const struct session *s, const struct cc_native_options *o, double ns, struct cc_tasks_writer *w,
             double *cpu_share, char note[static 256], struct cc_err *err)
{
    size_t n = o->ncorun + 1, rounds = o->repeat ? o->repeat : DEFAULT_REPEATS;
    struct point *points = cc_alloc_array(n, sizeof *points);
    for (size_t k = 0; k < n; k++)
        points[k] = (struct point){.copies = k ? o->corun[k - 1] : 1, .cpu_share = 1};
    int rc = 0;
    uint64_t seed = 1;
    bool forked = o->copies != CC_NATIVE_SEPARATE;
    for (size_t r = 0; rc == 0 && r < rounds; r++) { /* rounds outside: slow drifts hit all points alike */
        char why[160];
        if (forked)
            rc = run_forked(s, points, n, ns, &seed, why, err);
        if (rc > 0 && (r > 0 || o->copies == CC_NATIVE_FORKED)) {
            rc = cc_err_set(err, CC_EENGINE, "'%s' cannot be forked for a co-run: %s", s->argv[0], why);
        } else if (rc > 0) {
            if (!note[0])
                snprintf(note, 256, "co-runs with separate copies: %s", why);
            forked = false;
            rc = 0;
        }
        for (size_t k = 0; rc == 0 && !forked && k < n; k++)
            rc = run_point(s, &points[k], &seed, err);
    }
    if (rc == 0)
        rc = write_burdens(w, points, n, err);
    for (size_t k = 0; k < n; k++) {
        *cpu_share = CC_MIN(*cpu_share, points[k].cpu_share);
        for (size_t i = 0; i < points[k].v.n; i++) {
            free(points[k].v.v[i].name);
            CC_VEC_FINI(&points[k].v.v[i].all);
            CC_VEC_FINI(&points[k].v.v[i].means);
        }
        CC_VEC_FINI(&points[k].v);
    }
    free(points);
    return rc;
}
