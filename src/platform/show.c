/* Pages about a platform: what it says and where that comes from, what a result assumed, and a file to begin
 * with. */
#include "platform_priv.h"

#include <strings.h>

/* --- where a value comes from --- */

static const char *written(const struct cc_platform *p, const char *section, const char *key,
                           const char *path)
{
    for (size_t i = 0; i < p->sources.n; i++) {
        const struct source *s = &p->sources.v[i];
        if (strcmp(s->section, section) == 0 && strcmp(s->path, path) == 0 &&
            (key ? s->key && strcmp(s->key, key) == 0 : !s->key))
            return s->text;
    }
    return NULL;
}

/* The value's own source, or its section's; NULL: the file names neither. */
static const char *own_source(const struct cc_platform *p, const struct value *v)
{
    const char *own = written(p, v->section, v->key, v->path);
    return own ? own : written(p, v->section, NULL, v->path);
}

static const char *source_of(const struct cc_platform *p, const struct value *v)
{
    const char *own = own_source(p, v);
    return own ? own : written(p, "platform", NULL, v->path);
}

static bool is_assumed(const char *source)
{
    return source && strncasecmp(source, "assumed", 7) == 0;
}

/* What describes the file and not the machine needs no source. */
static bool is_figure(const struct value *v)
{
    unsigned key = (unsigned)(v->schema - cc_platform_schema);
    return key != CC_STR_PLATFORM_NAME && key != CC_STR_PLATFORM_SOURCE && key != CC_STR_PLATFORM_INHERITS &&
           key != CC_STR_OPENMP_UNIT;
}

void cc_platform_figures(const struct cc_platform *p, struct cc_platform_figures *ret)
{
    *ret = (struct cc_platform_figures){0};
    for (size_t i = 0; i < p->values.n; i++) {
        const struct value *v = &p->values.v[i];
        if (!is_figure(v))
            continue;
        ret->values++;
        ret->assumed += is_assumed(source_of(p, v));
        if (own_source(p, v) || v->origin == CC_FROM_OVERRIDE)
            continue;
        ret->unsourced++;
        ret->section = ret->section ? ret->section : v->section;
    }
}

size_t cc_platform_assumed(const struct cc_platform *p, struct cc_arena *a, const struct cc_assumed **ret)
{
    struct cc_assumed *list = cc_arena_alloc(a, (p->values.n + 1) * sizeof *list);
    size_t n = 0;
    for (size_t i = 0; i < p->values.n; i++) {
        const struct value *v = &p->values.v[i];
        const char *source = source_of(p, v);
        if (v->used && is_figure(v) && v->origin != CC_FROM_OVERRIDE && is_assumed(source))
            list[n++] = (struct cc_assumed){cc_arena_strdup(a, v->section), cc_arena_strdup(a, v->key),
                                            cc_arena_strdup(a, v->text), cc_arena_strdup(a, source)};
    }
    *ret = list;
    return n;
}

void cc_platform_forget(const struct cc_platform *p)
{
    for (size_t i = 0; i < p->values.n; i++)
        p->values.v[i].used = false;
}

/* Up to three keys of a section by name, more by number. */
static char *assumed_of(const struct cc_assumed *v, size_t n, size_t first)
{
    struct cc_buf b = {0};
    size_t same = 0;
    for (size_t i = first; i < n; i++)
        same += strcmp(v[i].section, v[first].section) == 0;
    cc_buf_printf(&b, "[%s] ", v[first].section);
    if (same > 3)
        cc_buf_printf(&b, "%zu figures", same);
    for (size_t i = first, shown = 0; same <= 3 && i < n; i++)
        if (strcmp(v[i].section, v[first].section) == 0)
            cc_buf_printf(&b, "%s%s", shown++ ? ", " : "", v[i].key);
    return b.s;
}

static bool seen_before(const struct cc_assumed *v, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(v[i].section, v[at].section) == 0)
            return true;
    return false;
}

void cc_assumed_show(const struct cc_assumed *v, size_t n, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"section", NULL, CC_COL_STR},
        {"key", NULL, CC_COL_STR},
        {"value", NULL, CC_COL_STR},
        {"source", NULL, CC_COL_STR},
    };
    struct cc_table *t = cc_result_table(r, "assumed", cols, CC_COUNT(cols));
    CC_VEC(char *) pieces = {0};
    CC_VEC_PUSH(&pieces, cc_strdup("rests on assumed figures: "));
    for (size_t i = 0; i < n; i++) {
        cc_table_row(t);
        cc_table_str(t, v[i].section);
        cc_table_str(t, v[i].key);
        cc_table_str(t, v[i].value);
        cc_table_str(t, v[i].source);
        if (seen_before(v, i))
            continue;
        CC_CLEANUP(cc_free_ptr) char *section = assumed_of(v, n, i);
        CC_VEC_PUSH(&pieces, cc_asprintf("%s; ", section));
    }
    if (n) {
        CC_VEC_PUSH(&pieces, cc_strdup("'corecast platform show' tells why"));
        cc_result_gap(r);
        cc_result_chain(r, (const char *const *)pieces.v, pieces.n);
    }
    for (size_t i = 0; i < pieces.n; i++)
        free(pieces.v[i]);
    CC_VEC_FINI(&pieces);
}

void cc_platform_show_assumed(const struct cc_platform *p, struct cc_result *r)
{
    struct cc_arena arena = {0};
    const struct cc_assumed *v;
    size_t n = cc_platform_assumed(p, &arena, &v);
    cc_assumed_show(v, n, r);
    cc_arena_fini(&arena);
}

/* --- every value --- */

static void show_section(const struct cc_platform *p, const char *section, struct cc_table *t)
{
    size_t up = cc_table_row(t);
    cc_table_row_only(t, CC_ROW_TEXT);
    cc_table_null(t);
    cc_table_str(t, section);
    for (int skipped = 0; skipped < 2; skipped++)
        cc_table_null(t);
    const char *source = NULL;
    for (size_t i = 0; i < p->sources.n; i++)
        if (!source && !p->sources.v[i].key && strcmp(p->sources.v[i].section, section) == 0)
            source = p->sources.v[i].text;
    cc_table_str(t, source);
    static const char *const origins[] = {"file", "inherited", "override", "default"};
    for (size_t i = 0; i < CC_PLATFORM_KEYS; i++) {
        const struct schema_key *k = &cc_platform_schema[i];
        const struct value *v =
            cc_section_matches(k->section, section) ? cc_platform_value(p, section, k) : NULL;
        const char *text = v                                         ? v->text
                           : cc_section_matches(k->section, section) ? cc_platform_default(p, k)
                                                                     : NULL;
        if (!text)
            continue;
        source = v && v->origin != CC_FROM_OVERRIDE && is_figure(v) ? source_of(p, v) : NULL;
        const char *own = v ? written(p, section, v->key, v->path) : NULL;
        cc_table_row_under(t, up);
        if (i == CC_STR_PLATFORM_SOURCE) /* stands beside the section already */
            cc_table_row_only(t, CC_ROW_DATA);
        cc_table_str(t, section);
        cc_table_str(t, k->key);
        cc_table_str(t, text);
        cc_table_str(t, origins[v ? v->origin : CC_FROM_DEFAULT]);
        if (is_assumed(source))
            cc_table_show(t, "assumed");
        cc_table_str(t, k->help);
        if (own)
            cc_table_show(t, "%s; %s", k->help, own);
        cc_table_str(t, source);
        cc_table_bool(t, is_assumed(source));
    }
}

void cc_platform_show(const struct cc_platform *p, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {.key = "section", .type = CC_COL_STR},
        {.key = "key", .title = "key", .type = CC_COL_STR, .tree = true},
        {.key = "value", .title = "value", .type = CC_COL_STR, .wrap = 16},
        {.key = "origin", .title = "from", .type = CC_COL_STR},
        {.key = "help", .title = "meaning, source", .type = CC_COL_STR, .wrap = 42},
        {.key = "source", .type = CC_COL_STR},
        {.key = "assumed", .type = CC_COL_BOOL},
    };
    cc_result_str(r, "path", p->path);
    struct cc_table *t = cc_result_table(r, "values", cols, CC_COUNT(cols));
    for (size_t s = 0; s < p->sections.n; s++)
        show_section(p, p->sections.v[s].name, t);
}

/* --- a file to begin with --- */

/* "unit.*" -> "unit.NAME", "openmp.@(parallel|static…)" -> its first. */
static char *example_section(const char *pattern)
{
    struct cc_buf b = {0};
    const char *at = strstr(pattern, "@(");
    if (at)
        cc_buf_printf(&b, "%.*s%.*s", (int)(at - pattern), pattern, (int)strcspn(at + 2, "|)"), at + 2);
    for (const char *s = pattern; !at && *s; s++)
        cc_buf_puts(&b, *s == '*' ? (s[1]                     ? "FROM"
                                     : strstr(pattern, "*.*") ? "TO"
                                                              : "NAME")
                                  : (char[]){*s, 0});
    return b.s;
}

static void template_key(const struct schema_key *k, struct cc_buf *out)
{
    CC_CLEANUP(cc_free_ptr) char *first = NULL;
    const char *value = k->fallback && strcmp(k->fallback, "!") != 0 ? k->fallback : "";
    if (k->type == CHOICE)
        value = first = cc_strndup(value, strcspn(value, "|"));
    cc_buf_printf(out, ";%s = %s\t; %s", k->key, value, k->help);
    if (k->type == CHOICE)
        cc_buf_printf(out, " (%s)", k->fallback);
    else if (k->type == NUM && k->max > k->min)
        cc_buf_printf(out, " (%g to %g)", k->min, k->max);
    cc_buf_puts(out, k->fallback && strcmp(k->fallback, "!") == 0 ? "; required\n" : "\n");
}

static void template_platform(struct cc_buf *out)
{
    cc_buf_puts(out,
                "; A platform: a chip or machine as data. corecast-platform(5) has the format.\n"
                "; Take the ';' off the keys you know. Every section may say where its figures come from "
                "(source = TEXT), and every\n; key as well (KEY.source = TEXT); one that begins with "
                "'assumed' marks them so in results that rest on them.\n"
                "; 'corecast platform check FILE' tells what the file can answer already.\n\n"
                "[platform]\nname = new platform\nsource = assumed: nothing is known about it yet\n"
                "clock_mhz = 1000\ncores = 4\n");
    for (size_t i = 0; i < CC_PLATFORM_KEYS; i++) {
        const struct schema_key *k = &cc_platform_schema[i];
        bool given = i == CC_STR_PLATFORM_NAME || i == CC_STR_PLATFORM_SOURCE ||
                     i == CC_NUM_PLATFORM_CLOCK_MHZ || i == CC_NUM_PLATFORM_CORES;
        if (!given && strcmp(k->section, "platform") == 0)
            template_key(k, out);
    }
}

static bool section_before(size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (strcmp(cc_platform_schema[i].section, cc_platform_schema[at].section) == 0)
            return true;
    return false;
}

void cc_platform_template(struct cc_buf *out)
{
    template_platform(out);
    for (size_t s = 0; s < CC_PLATFORM_KEYS; s++) {
        const char *section = cc_platform_schema[s].section;
        if (strcmp(section, "platform") == 0 || section_before(s))
            continue;
        CC_CLEANUP(cc_free_ptr) char *name = example_section(section);
        cc_buf_printf(out, "\n;[%s]\n;source = \n", name);
        for (size_t i = s; i < CC_PLATFORM_KEYS; i++)
            if (strcmp(cc_platform_schema[i].section, section) == 0)
                template_key(&cc_platform_schema[i], out);
    }
}
