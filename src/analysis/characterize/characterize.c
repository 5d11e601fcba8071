#include "characterize.h"

#include <math.h>

enum { MAX_FACTS = 100000, MAX_FIELD = 200 };

/* --- reading --- */

struct line {
    const char *path;
    unsigned number;
    char *fields[9]; /* one more than any line has */
    int n;
    char *rest; /* of a text line: all after the key */
    struct cc_err *err;
};

static int bad(const struct line *l, const char *what)
{
    return cc_err_at(l->err, CC_EINPUT, l->path, l->number, "%s", what);
}

static bool name_ok(const char *s)
{
    size_t n = strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_.");
    return n > 0 && n < MAX_FIELD && s[n] == 0;
}

static bool number_ok(const char *s, double *ret)
{
    return cc_parse_f64(s, ret) && fabs(*ret) < 1e18;
}

static void split(struct line *l, char *s)
{
    l->n = 0;
    l->rest = NULL;
    while (l->n < 9) {
        s += strspn(s, " \t\r");
        if (!*s)
            return;
        if (l->n == 3 && strcmp(l->fields[0], "text") == 0)
            l->rest = s;
        l->fields[l->n++] = s;
        if (l->rest)
            return;
        s += strcspn(s, " \t\r");
        if (*s)
            *s++ = 0;
    }
}

static int add_fact(struct cc_facts *f, const struct line *l)
{
    bool point = strcmp(l->fields[0], "point") == 0, text = strcmp(l->fields[0], "text") == 0;
    struct cc_fact fact = {.samples = 1, .stable = true};
    if (l->n != (text ? 4 : point ? 8 : 7))
        return bad(l, "wrong number of fields");
    if (!name_ok(l->fields[1]) || !name_ok(l->fields[2]))
        return bad(l, "odd section or key");
    if (text) {
        if (strlen(l->rest) > 4000 || strpbrk(l->rest, "[]=;#\"\\"))
            return bad(l, "odd text");
    } else {
        double k = 0, samples;
        char *const *v = l->fields + 3;
        if (point && (!number_ok(*v++, &k) || k < 1 || k > 65536 || k != floor(k)))
            return bad(l, "number of cores is not 1 to 65536");
        if (!number_ok(v[0], &fact.value) || !number_ok(v[1], &fact.spread) || fact.value < 0 ||
            fact.spread < 0)
            return bad(l, "value or spread is no number from 0 up");
        if (!number_ok(v[2], &samples) || samples < 1 || samples > 1e9)
            return bad(l, "number of samples is not 1 or more");
        fact.stable = strcmp(v[3], "stable") == 0;
        if (!fact.stable && strcmp(v[3], "unstable") != 0)
            return bad(l, "expected 'stable' or 'unstable'");
        fact.k = (int)k;
        fact.samples = (int)samples;
    }
    for (size_t i = 0; i < f->v.n; i++)
        if (strcmp(f->v.v[i].section, l->fields[1]) == 0 && strcmp(f->v.v[i].key, l->fields[2]) == 0 &&
            (f->v.v[i].k == fact.k || !point || !f->v.v[i].k))
            return bad(l, "given twice");
    if (f->v.n >= MAX_FACTS)
        return bad(l, "too many lines");
    fact.section = cc_strdup(l->fields[1]);
    fact.key = cc_strdup(l->fields[2]);
    fact.text = text ? cc_strdup(l->rest) : NULL;
    CC_VEC_PUSH(&f->v, fact);
    return 0;
}

static int add_copy(struct cc_facts *f, const struct line *l)
{
    struct cc_copy_time c;
    if (l->n != 4 || !number_ok(l->fields[1], &c.width) || !number_ok(l->fields[2], &c.height) ||
        !number_ok(l->fields[3], &c.ns) || c.width < 1 || c.height < 1 || c.ns <= 0)
        return bad(l, "expected 'grid WIDTH HEIGHT NS'");
    if (f->grid.n >= MAX_FACTS)
        return bad(l, "too many lines");
    CC_VEC_PUSH(&f->grid, c);
    return 0;
}

/* One line; *open: whether a benchmark's output has begun and not ended. */
static int read_line(struct cc_facts *f, struct line *l, char *s, bool *open)
{
    if (*s == '#') {
        if (f->notes.n < 1000)
            CC_VEC_PUSH(&f->notes, cc_text_safe(s + 1 + strspn(s + 1, " ")));
        return 0;
    }
    split(l, s);
    if (l->n == 0)
        return 0;
    const char *word = l->fields[0];
    if (strcmp(word, "corecast-bench") == 0) {
        if (*open)
            return bad(l, "the benchmark before did not end: its run was not whole");
        if (l->n != 3 || strcmp(l->fields[1], "1") != 0)
            return bad(l, "expected 'corecast-bench 1 NAME'");
        *open = true;
        return 0;
    }
    if (!*open)
        return bad(l, "expected 'corecast-bench 1 NAME'");
    if (strcmp(word, "end") == 0) {
        *open = false;
        return l->n == 1 ? 0 : bad(l, "wrong number of fields");
    }
    if (strcmp(word, "grid") == 0)
        return add_copy(f, l);
    if (strcmp(word, "value") == 0 || strcmp(word, "point") == 0 || strcmp(word, "text") == 0)
        return add_fact(f, l);
    return bad(l, "unknown line");
}

int cc_facts_parse(struct cc_facts *f, const char *path, const char *text, struct cc_err *err)
{
    struct line l = {.path = path, .err = err};
    char *copy = cc_strdup(text), *s = copy;
    bool open = false;
    int rc = 0;
    size_t before = f->v.n;
    while (rc == 0 && *s) {
        size_t n = strcspn(s, "\n");
        bool more = s[n] != 0;
        s[n] = 0;
        l.number++;
        rc = read_line(f, &l, s, &open);
        s += n + more;
    }
    free(copy);
    if (rc == 0 && open)
        rc = bad(&l, "the benchmark did not end: its run was not whole");
    if (rc == 0 && f->v.n == before)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "no measurements in it");
    return rc;
}

void cc_facts_fini(struct cc_facts *f)
{
    for (size_t i = 0; i < f->v.n; i++) {
        free(f->v.v[i].section);
        free(f->v.v[i].key);
        free(f->v.v[i].text);
    }
    for (size_t i = 0; i < f->notes.n; i++)
        free(f->notes.v[i]);
    CC_VEC_FINI(&f->v);
    CC_VEC_FINI(&f->grid);
    CC_VEC_FINI(&f->notes);
}

/* --- several runs --- */

void cc_facts_note(struct cc_facts *f, const char *text)
{
    CC_VEC_PUSH(&f->notes, cc_text_safe(text));
}

void cc_facts_join(struct cc_facts *f, struct cc_facts *more)
{
    for (size_t i = 0; i < more->v.n; i++)
        CC_VEC_PUSH(&f->v, more->v.v[i]);
    for (size_t i = 0; i < more->grid.n; i++)
        CC_VEC_PUSH(&f->grid, more->grid.v[i]);
    for (size_t i = 0; i < more->notes.n; i++)
        CC_VEC_PUSH(&f->notes, more->notes.v[i]);
    more->v.n = more->grid.n = more->notes.n = 0;
}

static const struct cc_fact *same_fact(const struct cc_facts *f, const struct cc_fact *a, size_t hint)
{
    for (size_t i = 0; i < f->v.n; i++) {
        const struct cc_fact *b = &f->v.v[(hint + i) % f->v.n];
        if (b->k == a->k && strcmp(b->section, a->section) == 0 && strcmp(b->key, a->key) == 0)
            return b;
    }
    return NULL;
}

static double relative(const struct cc_fact *a)
{
    return a->value > 0 ? a->spread / a->value : a->spread;
}

static bool steadier(const struct cc_fact *a, const struct cc_fact *b)
{
    return a->stable != b->stable ? a->stable : relative(a) < relative(b);
}

/* The figure that is steadiest; *ret_apart: whether the runs differ by more than they said. */
static struct cc_fact settle_one(const struct cc_facts *runs, size_t n, size_t at, bool *ret_apart)
{
    const struct cc_fact *first = &runs[0].v.v[at], *best = first;
    double low = first->value, high = first->value, spread = first->spread;
    for (size_t r = 1; r < n; r++) {
        const struct cc_fact *b = same_fact(&runs[r], first, at);
        if (!b || b->text)
            continue;
        best = steadier(b, best) ? b : best;
        low = fmin(low, b->value);
        high = fmax(high, b->value);
        spread = fmax(spread, b->spread);
    }
    struct cc_fact ret = *best;
    *ret_apart = high - low > 2 * spread && high - low > 0.05 * high;
    ret.spread = fmax(ret.spread, (high - low) / 2);
    ret.stable = ret.stable && !*ret_apart;
    return ret;
}

static bool all_say(const struct cc_facts *runs, size_t n, size_t at)
{
    for (size_t r = 0; r < n; r++) {
        const struct cc_fact *b = same_fact(&runs[r], &runs[0].v.v[at], at);
        if (!b || !b->text || strcmp(b->text, runs[0].v.v[at].text) != 0)
            return false;
    }
    return true;
}

size_t cc_facts_settle(const struct cc_facts *runs, size_t n, struct cc_facts *ret)
{
    size_t apart = 0;
    for (size_t i = 0; i < runs[0].v.n; i++) {
        struct cc_fact f = runs[0].v.v[i];
        bool differs = false;
        if (f.text && strcmp(f.key, "siblings") == 0 && !all_say(runs, n, i)) {
            cc_facts_note(ret, "siblings float: the pairs that slow each other down are others in every run");
            continue;
        }
        if (!f.text)
            f = settle_one(runs, n, i, &differs);
        apart += differs;
        f.section = cc_strdup(f.section);
        f.key = cc_strdup(f.key);
        f.text = f.text ? cc_strdup(f.text) : NULL;
        CC_VEC_PUSH(&ret->v, f);
    }
    for (size_t i = 0; i < runs[0].grid.n; i++)
        CC_VEC_PUSH(&ret->grid, runs[0].grid.v[i]);
    for (size_t i = 0; i < runs[0].notes.n; i++)
        cc_facts_note(ret, runs[0].notes.v[i]);
    return apart;
}

/* --- copies --- */

/* Solves a 3x3 system in place; false if it is singular. */
static bool solve3(double a[3][4])
{
    for (int i = 0; i < 3; i++) {
        int best = i;
        for (int r = i + 1; r < 3; r++)
            if (fabs(a[r][i]) > fabs(a[best][i]))
                best = r;
        for (int c = 0; c < 4; c++) {
            double t = a[i][c];
            a[i][c] = a[best][c];
            a[best][c] = t;
        }
        if (fabs(a[i][i]) < 1e-30)
            return false;
        for (int r = 0; r < 3; r++) {
            double m = r == i ? 0 : a[r][i] / a[i][i];
            for (int c = 0; c < 4; c++)
                a[r][c] -= m * a[i][c];
        }
    }
    return true;
}

bool cc_facts_fit(const struct cc_facts *f, struct cc_copy_fit *ret)
{
    double a[3][4] = {{0}};
    if (f->grid.n < 3)
        return false;
    for (size_t i = 0; i < f->grid.n; i++) {
        const struct cc_copy_time *c = &f->grid.v[i];
        double x[3] = {1, c->height, c->width * c->height}, w = 1 / (c->ns * c->ns);
        for (int r = 0; r < 3; r++) {
            for (int k = 0; k < 3; k++)
                a[r][k] += w * x[r] * x[k];
            a[r][3] += w * x[r] * c->ns;
        }
    }
    if (!solve3(a))
        return false;
    *ret = (struct cc_copy_fit){a[0][3] / a[0][0], a[1][3] / a[1][1], a[2][3] / a[2][2], 0};
    ret->alpha = CC_MAX(ret->alpha, 0);
    for (size_t i = 0; i < f->grid.n; i++) {
        const struct cc_copy_time *c = &f->grid.v[i];
        double t = ret->i0 + ret->i1 * c->height + ret->alpha * c->width * c->height;
        ret->worst = CC_MAX(ret->worst, fabs(t / c->ns - 1));
    }
    return true;
}

/* --- writing --- */

static double clock_ghz(const struct cc_facts *f)
{
    for (size_t i = 0; i < f->v.n; i++)
        if (strcmp(f->v.v[i].section, "platform") == 0 && strcmp(f->v.v[i].key, "clock_mhz") == 0 &&
            !f->v.v[i].text)
            return f->v.v[i].value / 1000;
    return 0;
}

static void write_curve(const struct cc_facts *f, size_t first, struct cc_buf *out)
{
    const struct cc_fact *a = &f->v.v[first];
    bool stable = true;
    cc_buf_printf(out, "%s =", a->key);
    const char *comma = " ";
    for (size_t i = first; i < f->v.n; i++) {
        const struct cc_fact *b = &f->v.v[i];
        if (!b->k || strcmp(a->section, b->section) != 0 || strcmp(a->key, b->key) != 0)
            continue;
        cc_buf_printf(out, "%s%d:%.6g", comma, b->k, b->value);
        stable &= b->stable;
        comma = ", ";
    }
    cc_buf_printf(out, "%s\n", stable ? "" : "   ; not stable");
}

static bool first_of_curve(const struct cc_facts *f, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(f->v.v[i].section, f->v.v[at].section) == 0 && strcmp(f->v.v[i].key, f->v.v[at].key) == 0)
            return false;
    return true;
}

static void write_fact(const struct cc_facts *f, size_t i, struct cc_buf *out)
{
    const struct cc_fact *a = &f->v.v[i];
    if (a->text) {
        cc_buf_printf(out, "%s = %s\n", a->key, a->text);
    } else if (a->k) {
        if (first_of_curve(f, i))
            write_curve(f, i, out);
    } else {
        cc_buf_printf(out, "%s = %.6g", a->key, a->value);
        if (a->spread > 0)
            cc_buf_printf(out, " ± %.3g", a->spread);
        cc_buf_printf(out, "   ; %d sample%s%s\n", a->samples, a->samples == 1 ? "" : "s",
                      a->stable ? "" : ", not stable");
    }
}

/* Where a section's figures come from, unless the program that measured them said so. */
static void write_source(const struct cc_facts *f, const char *section, struct cc_buf *out)
{
    struct cc_copy_fit fit;
    for (size_t i = 0; i < f->v.n; i++)
        if (strcmp(f->v.v[i].section, section) == 0 && strcmp(f->v.v[i].key, "source") == 0)
            return;
    if (strcmp(section, "dma") == 0 && clock_ghz(f) && cc_facts_fit(f, &fit))
        cc_buf_printf(out,
                      "source = measured with memcpy by one core, there is no DMA for this: cycles = i0 + i1 "
                      "* lines + alpha * bytes, "
                      "off by up to %.0f %%\n",
                      fit.worst * 100);
    else if (strcmp(section, "dma") == 0)
        cc_buf_puts(out, "source = measured with memcpy by one core, there is no DMA for this\n");
    else
        cc_buf_puts(out, "source = measured, see [platform]\n");
}

static void write_copies(const struct cc_facts *f, const char *grid_file, struct cc_buf *out)
{
    struct cc_copy_fit fit;
    double ghz = clock_ghz(f);
    if (!ghz || !cc_facts_fit(f, &fit))
        return;
    if (grid_file)
        cc_buf_printf(out, "model = grid\ngrid = %s\n", grid_file);
    cc_buf_printf(out, "i0 = %.6g\ni1 = %.6g\nalpha = %.6g\n", fit.i0 * ghz, fit.i1 * ghz, fit.alpha * ghz);
}

void cc_facts_write(const struct cc_facts *f, const char *name, const char *source, const char *grid_file,
                    struct cc_buf *out)
{
    bool *done = cc_alloc_array(f->v.n + 1, sizeof *done);
    cc_buf_printf(out, "[platform]\nname = %s\nsource = %s\n", name, source);
    for (int pass = 0; pass < 2; pass++) /* [platform] first, the others as they come */
        for (size_t i = 0; i < f->v.n; i++) {
            const char *section = f->v.v[i].section;
            bool platform = strcmp(section, "platform") == 0;
            if (done[i] || platform != (pass == 0))
                continue;
            if (!platform) {
                cc_buf_printf(out, "\n[%s]\n", section);
                write_source(f, section, out);
            }
            for (size_t j = i; j < f->v.n; j++)
                if (strcmp(f->v.v[j].section, section) == 0) {
                    write_fact(f, j, out);
                    done[j] = true;
                }
            if (strcmp(section, "dma") == 0)
                write_copies(f, grid_file, out);
        }
    for (size_t i = 0; i < f->notes.n; i++)
        cc_buf_printf(out, "%s; %s\n", i ? "" : "\n", f->notes.v[i]);
    free(done);
}

void cc_facts_write_grid(const struct cc_facts *f, struct cc_buf *out)
{
    double ghz = clock_ghz(f);
    cc_buf_puts(out, "# memcpy: width_bytes height cycles\n");
    for (size_t i = 0; i < f->grid.n; i++)
        cc_buf_printf(out, "%.0f %.0f %.6g\n", f->grid.v[i].width, f->grid.v[i].height,
                      f->grid.v[i].ns * ghz);
}

void cc_facts_show(const struct cc_facts *f, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"section", "section", CC_COL_STR},  {"key", "key", CC_COL_STR},
        {"cores", "cores", CC_COL_INT},      {"value", "value", CC_COL_NUM, 2},
        {"spread", "spread", CC_COL_NUM, 2}, {"samples", "samples", CC_COL_INT},
        {"stable", "stable", CC_COL_STR},    {"text", "text", CC_COL_STR},
    };
    struct cc_table *t = cc_result_table(r, "values", cols, CC_COUNT(cols));
    for (size_t i = 0; i < f->v.n; i++) {
        const struct cc_fact *a = &f->v.v[i];
        cc_table_row(t);
        cc_table_str(t, a->section);
        cc_table_str(t, a->key);
        cc_table_u64_if(t, a->k, (uint64_t)a->k);
        if (a->text) {
            for (int k = 0; k < 4; k++)
                cc_table_null(t);
            cc_table_str(t, a->text);
            continue;
        }
        cc_table_num(t, a->value);
        cc_table_num(t, a->spread);
        cc_table_int(t, a->samples);
        cc_table_str(t, a->stable ? "yes" : "no");
        cc_table_null(t);
    }
}

size_t cc_facts_unstable(const struct cc_facts *f)
{
    size_t n = 0;
    for (size_t i = 0; i < f->v.n; i++)
        n += !f->v.v[i].stable;
    return n;
}
