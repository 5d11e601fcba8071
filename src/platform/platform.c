#include "platform_priv.h"
#include "../base/ini.h"
#include "../base/file.h"
#include "../base/where.h"

#include <assert.h>
#include <libgen.h>
#include <math.h>
#include <unistd.h>

enum { MAX_INHERIT = 8, MAX_SECTIONS = 4096 };

const struct schema_key cc_platform_schema[CC_PLATFORM_KEYS] = {
#define CC_KEY(id, section, key, type, min, max, fallback, help) \
    {section, key, type, min, max, fallback, help},
#include "schema.def"
#undef CC_KEY
};

/* One word between dots: "*", a list "@(a|b)", or itself. */
static bool word_matches(const char *pattern, size_t np, const char *name, size_t n)
{
    if (np == 1 && *pattern == '*')
        return true;
    if (np < 3 || strncmp(pattern, "@(", 2) != 0)
        return np == n && memcmp(pattern, name, n) == 0;
    const char *end = pattern + np - 1; /* the closing parenthesis */
    for (const char *s = pattern + 2; s < end;) {
        const char *bar = memchr(s, '|', (size_t)(end - s));
        bar = bar ? bar : end;
        if ((size_t)(bar - s) == n && memcmp(s, name, n) == 0)
            return true;
        s = bar + 1;
    }
    return false;
}

bool cc_section_matches(const char *pattern, const char *name)
{
    for (;;) {
        size_t np = strcspn(pattern, "."), n = strcspn(name, ".");
        if (!word_matches(pattern, np, name, n) || pattern[np] != name[n])
            return false;
        if (!pattern[np])
            return true;
        pattern += np + 1;
        name += n + 1;
    }
}

static bool section_known(const char *name)
{
    for (size_t i = 0; i < CC_PLATFORM_KEYS; i++)
        if (cc_section_matches(cc_platform_schema[i].section, name))
            return true;
    return false;
}

/* "unit" of "unit.*" */
static bool prefix_known(const char *prefix)
{
    size_t n = strlen(prefix);
    for (size_t i = 0; i < CC_PLATFORM_KEYS; i++)
        if (strncmp(cc_platform_schema[i].section, prefix, n) == 0 && cc_platform_schema[i].section[n] == '.')
            return true;
    return false;
}

static const struct schema_key *schema_find(const char *section, const char *key)
{
    for (size_t i = 0; i < CC_PLATFORM_KEYS; i++)
        if (strcmp(cc_platform_schema[i].key, key) == 0 &&
            cc_section_matches(cc_platform_schema[i].section, section))
            return &cc_platform_schema[i];
    return NULL;
}

/* Offers the nearest section, or the nearest key of a section. */
static void hint_name(const char *name, const char *section, struct cc_err *err)
{
    const char *names[CC_PLATFORM_KEYS];
    size_t n = 0;
    for (size_t i = 0; i < CC_PLATFORM_KEYS; i++)
        if (!section)
            names[n++] = cc_platform_schema[i].section;
        else if (cc_section_matches(cc_platform_schema[i].section, section))
            names[n++] = cc_platform_schema[i].key;
    const char *near = cc_nearest(name, names, n);
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
}

static int unknown_name(const char *what, const char *name, const struct cc_ini *ini, unsigned line,
                        const char *section, struct cc_err *err)
{
    int rc = cc_err_at(err, CC_EINPUT, ini->path, line, "unknown %s '%.80s'", what, name);
    hint_name(name, section, err);
    return rc;
}

/* "371", "371 ± 12", "371 +- 12" */
static bool parse_quantity(const char *text, struct cc_quantity *ret)
{
    const char *mark = strstr(text, "±");
    size_t mark_len = strlen("±");
    if (!mark) {
        mark = strstr(text, "+-");
        mark_len = 2;
    }
    CC_CLEANUP(cc_free_ptr) char *head = cc_strndup(text, mark ? (size_t)(mark - text) : strlen(text));
    for (size_t n = strlen(head); n && head[n - 1] == ' ';)
        head[--n] = 0;
    ret->spread = 0;
    if (!cc_parse_f64(head, &ret->value)) {
        uint64_t u; /* 32k and the like */
        if (!cc_parse_u64(head, &u))
            return false;
        ret->value = (double)u;
    }
    return !mark || (cc_parse_f64(mark + mark_len, &ret->spread) && ret->spread >= 0);
}

static bool choice_allows(const char *choices, const char *text)
{
    size_t n = strlen(text);
    for (const char *s = choices; s; s = strchr(s, '|')) {
        s += *s == '|';
        if (n && strncmp(s, text, n) == 0 && (s[n] == '|' || s[n] == 0))
            return true;
    }
    return false;
}

static int check_value(struct value *v, struct cc_err *err)
{
    const struct schema_key *k = v->schema;
    if (k->type == CHOICE && !choice_allows(k->fallback, v->text))
        return cc_err_at(err, CC_EINPUT, v->path, v->line, "'%s' of [%s] must be one of %s, not '%.80s'",
                         v->key, v->section, k->fallback, v->text);
    if (k->type != NUM)
        return 0;
    if (!parse_quantity(v->text, &v->number))
        return cc_err_at(err, CC_EINPUT, v->path, v->line, "'%s' of [%s] is not a number: '%.80s'", v->key,
                         v->section, v->text);
    if (k->max > k->min && (v->number.value < k->min || v->number.value > k->max))
        return cc_err_at(err, CC_EINPUT, v->path, v->line, "'%s' of [%s] is outside %g to %g: '%.80s'",
                         v->key, v->section, k->min, k->max, v->text);
    return 0;
}

struct value *cc_platform_value(const struct cc_platform *p, const char *section,
                                const struct schema_key *key)
{
    for (size_t i = 0; i < p->values.n; i++)
        if (p->values.v[i].schema == key && strcmp(p->values.v[i].section, section) == 0)
            return &p->values.v[i];
    return NULL;
}

/* Remembers that somebody asked: threads may share a platform. */
static const struct value *use_value(const struct cc_platform *p, const char *section,
                                     const struct schema_key *key)
{
    struct value *v = cc_platform_value(p, section, key);
    if (v)
        __atomic_store_n(&v->used, true, __ATOMIC_RELAXED);
    return v;
}

/* The file that a value names, relative to the folder of the file it stands in. */
static const char *path_of(const struct cc_platform *p, const struct value *v)
{
    if (v->text[0] == '/')
        return v->text;
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(v->path);
    CC_CLEANUP(cc_free_ptr) char *joined = cc_asprintf("%s/%s", dirname(copy), v->text);
    return cc_arena_strdup((struct cc_arena *)&p->arena, joined);
}

bool cc_platform_has(const struct cc_platform *p, const char *section)
{
    assert(section_known(section));
    for (size_t i = 0; i < p->sections.n; i++)
        if (strcmp(p->sections.v[i].name, section) == 0)
            return true;
    return false;
}

/* "source", or "KEY.source" of a key that the same section gives: kept apart from the values. Returns 1 if it
 * was one of them. */
static int absorb_source(struct cc_platform *p, const struct cc_ini *ini, const struct cc_ini_section *sec,
                         const struct cc_ini_key *key, struct cc_err *err)
{
    static const char suffix[] = ".source";
    size_t n = strlen(key->name), tail = sizeof suffix - 1;
    struct source s = {.section = cc_arena_strdup(&p->arena, sec->name),
                       .path = cc_arena_strdup(&p->arena, ini->path),
                       .text = cc_arena_strdup(&p->arena, key->value)};
    if (n > tail && strcmp(key->name + n - tail, suffix) == 0) {
        s.key = cc_arena_strndup(&p->arena, key->name, n - tail);
        if (!cc_ini_key(sec, s.key))
            return cc_err_at(err, CC_EINPUT, ini->path, key->line, "'%.80s': [%.80s] has no '%.80s' here",
                             key->name, sec->name, s.key);
    } else if (strcmp(key->name, "source") != 0) {
        return 0;
    }
    CC_VEC_PUSH(&p->sources, s);
    return s.key || strcmp(sec->name, "platform") != 0;
}

static int absorb_key(struct cc_platform *p, const struct cc_ini *ini, const struct cc_ini_section *sec,
                      const struct cc_ini_key *key, enum cc_platform_origin origin, struct cc_err *err)
{
    int rc = absorb_source(p, ini, sec, key, err);
    if (rc)
        return rc < 0 ? rc : 0;
    struct value v = {.section = cc_arena_strdup(&p->arena, sec->name),
                      .key = cc_arena_strdup(&p->arena, key->name),
                      .text = cc_arena_strdup(&p->arena, key->value),
                      .path = cc_arena_strdup(&p->arena, ini->path),
                      .line = key->line,
                      .origin = origin,
                      .schema = schema_find(sec->name, key->name)};
    if (!v.schema)
        return unknown_name("key", key->name, ini, key->line, sec->name, err);
    rc = check_value(&v, err);
    if (rc == 0 && !cc_platform_value(p, v.section, v.schema))
        CC_VEC_PUSH(&p->values, v);
    return rc;
}

/* Takes over what `ini` says and the platform does not have yet: the nearest file wins. */
static int absorb(struct cc_platform *p, const struct cc_ini *ini, enum cc_platform_origin origin,
                  struct cc_err *err)
{
    const char *path = cc_arena_strdup(&p->arena, ini->path);
    if (ini->nsections > MAX_SECTIONS) /* names are looked up in lists here */
        return cc_err_at(err, CC_EINPUT, ini->path, ini->sections[MAX_SECTIONS].line,
                         "more than %d sections, with '%.80s'", MAX_SECTIONS,
                         ini->sections[MAX_SECTIONS].name);
    for (size_t s = 0; s < ini->nsections; s++) {
        const struct cc_ini_section *sec = &ini->sections[s];
        if (!section_known(sec->name))
            return unknown_name("section", sec->name, ini, sec->line, NULL, err);
        if (!cc_platform_has(p, sec->name)) {
            struct section entry = {cc_arena_strdup(&p->arena, sec->name), path, sec->line};
            CC_VEC_PUSH(&p->sections, entry);
        }
        for (size_t k = 0; k < sec->nkeys; k++) {
            int rc = absorb_key(p, ini, sec, &sec->keys[k], origin, err);
            if (rc < 0)
                return rc;
        }
    }
    return 0;
}

static int check_required(const struct cc_platform *p, struct cc_err *err)
{
    if (!cc_platform_has(p, "platform"))
        return cc_err_at(err, CC_EINPUT, p->path, 0, "no [platform] section: not a platform file");
    for (size_t s = 0; s < p->sections.n; s++) {
        const struct section *sec = &p->sections.v[s];
        for (size_t i = 0; i < CC_PLATFORM_KEYS; i++) {
            const struct schema_key *k = &cc_platform_schema[i];
            if (!k->fallback || strcmp(k->fallback, "!") != 0 || !cc_section_matches(k->section, sec->name))
                continue;
            if (!cc_platform_value(p, sec->name, k))
                return cc_err_at(err, CC_EINPUT, sec->path, sec->line, "[%s] lacks its key '%s'", sec->name,
                                 k->key);
        }
    }
    return 0;
}

/* The file that a name means to the file `beside`: relative to that one's folder. NULL: there is none. */
static char *near_to(const char *beside, const char *name)
{
    if (!beside || name[0] == '/')
        return NULL;
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(beside);
    char *path = cc_asprintf("%s/%s", dirname(copy), name);
    if (access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

/* A name with a slash or a suffix is the file that is there. A plain one is a shipped platform's if there is
 * one of it: a file that happens to lie around must not take its place. */
static char *resolve(const char *name, const char *beside)
{
    bool plain = !strchr(name, '/'),
         is_file = strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".ini") == 0;
    CC_CLEANUP(cc_free_ptr) char *file = cc_asprintf("%s%s", name, !plain || is_file ? "" : ".ini");
    char *path = plain && !is_file ? cc_where(CC_OWN_PLATFORM, file) : NULL;
    if (!path)
        path = near_to(beside, file);
    if (!path && plain && is_file && access(name, F_OK) != 0)
        path = cc_where(CC_OWN_PLATFORM, file);
    return path ? path : cc_strdup(name);
}

static int inherit(struct cc_platform *p, struct cc_err *err)
{
    const struct value *parent =
        cc_platform_value(p, "platform", &cc_platform_schema[CC_STR_PLATFORM_INHERITS]);
    for (int depth = 0; parent; depth++) {
        if (depth == MAX_INHERIT)
            return cc_err_at(err, CC_EINPUT, parent->path, parent->line,
                             "platforms inherit from each other in a circle");
        CC_CLEANUP(cc_free_ptr) char *path = resolve(parent->text, parent->path);
        struct cc_ini *ini;
        int rc = cc_ini_load(path, &ini, err);
        if (rc < 0) {
            cc_err_context(err, "inherited by %s:%u", parent->path, parent->line);
            return rc;
        }
        CC_VEC_PUSH(&p->files, cc_arena_strdup(&p->arena, path));
        rc = absorb(p, ini, CC_FROM_PARENT, err);
        const struct cc_ini_key *next = cc_ini_key(cc_ini_section(ini, "platform"), "inherits");
        struct value *step = NULL;
        if (next) {
            step = cc_arena_alloc(&p->arena, sizeof *step);
            step->text = cc_arena_strdup(&p->arena, next->value);
            step->path = cc_arena_strdup(&p->arena, path);
            step->line = next->line;
        }
        cc_ini_free(ini);
        if (rc < 0)
            return rc;
        parent = step;
    }
    return 0;
}

static int build(struct cc_ini *ini, struct cc_platform **ret, struct cc_err *err)
{
    struct cc_platform *p = cc_alloc(sizeof *p);
    p->path = cc_arena_strdup(&p->arena, ini->path);
    CC_VEC_PUSH(&p->files, p->path);
    int rc = absorb(p, ini, CC_FROM_FILE, err);
    if (rc == 0)
        rc = inherit(p, err);
    if (rc == 0)
        rc = check_required(p, err);
    cc_ini_free(ini);
    if (rc < 0) {
        cc_platform_free(p);
        return rc;
    }
    if (!cc_platform_value(p, "platform", &cc_platform_schema[CC_STR_PLATFORM_SOURCE]))
        CC_VEC_PUSH(&p->warnings, "[platform] has no 'source': nobody can tell where its figures come from");
    *ret = p;
    return 0;
}

/* A plain name that is neither a file nor one of ours: what there is. */
static int no_such_platform(const char *name, struct cc_err *err)
{
    struct cc_arena arena = {0};
    const char *const *names;
    size_t n = cc_platform_shipped(&arena, &names);
    struct cc_buf list = {0};
    if (!n) {
        CC_CLEANUP(cc_free_ptr) char *looked = cc_where_looked(CC_OWN_PLATFORM, "");
        cc_buf_printf(&list, "none, they are not installed in %s", looked);
    }
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(&list, "%s%s", i ? ", " : "", names[i]);
    int rc = cc_err_set(err, CC_EINPUT,
                        "cannot open '%.80s': no such file, and not one of the platforms that ship: %.800s",
                        name, list.s);
    const char *near = n ? cc_nearest(name, names, n) : NULL;
    CC_CLEANUP(cc_free_ptr) char *file = cc_asprintf("%s.ini", name);
    if (access(file, F_OK) == 0)
        cc_err_hint(err, "there is a file '%.80s': did you mean that?", file);
    else if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    cc_buf_fini(&list);
    cc_arena_fini(&arena);
    return rc;
}

int cc_platform_load(const char *name, struct cc_platform **ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *path = resolve(name, NULL);
    if (!strchr(path, '/') && access(path, F_OK) != 0)
        return no_such_platform(name, err);
    struct cc_ini *ini;
    int rc = cc_ini_load(path, &ini, err);
    return rc < 0 ? rc : build(ini, ret, err);
}

int cc_platform_parse(const char *path, const char *text, size_t size, struct cc_platform **ret,
                      struct cc_err *err)
{
    struct cc_ini *ini;
    int rc = cc_ini_parse(path, text, size, &ini, err);
    return rc < 0 ? rc : build(ini, ret, err);
}

void cc_platform_free(struct cc_platform *p)
{
    if (!p)
        return;
    CC_VEC_FINI(&p->values);
    CC_VEC_FINI(&p->sections);
    CC_VEC_FINI(&p->warnings);
    CC_VEC_FINI(&p->sources);
    CC_VEC_FINI(&p->files);
    cc_arena_fini(&p->arena);
    free(p);
}

const char *cc_platform_path(const struct cc_platform *p)
{
    return p->path;
}

size_t cc_platform_files(const struct cc_platform *p, const char *const **ret)
{
    struct cc_arena *a = (struct cc_arena *)&p->arena;
    const char **list = cc_arena_alloc(a, (p->files.n + p->values.n + 1) * sizeof *list);
    size_t n = p->files.n;
    memcpy(list, p->files.v, n * sizeof *list);
    for (size_t i = 0; i < p->values.n; i++) {
        const struct value *v = &p->values.v[i];
        enum cc_str_key key = (enum cc_str_key)(v->schema - cc_platform_schema);
        if (key == CC_STR_LINK_CURVE || key == CC_STR_DMA_GRID || key == CC_STR_DMA_WRITE_GRID)
            list[n++] = path_of(p, v);
    }
    *ret = list;
    return n;
}

size_t cc_platform_warnings(const struct cc_platform *p, const char *const **ret)
{
    *ret = p->warnings.v;
    return p->warnings.n;
}

size_t cc_platform_list(const struct cc_platform *p, const char *prefix, const char *const **ret)
{
    size_t n = strlen(prefix);
    assert(prefix_known(prefix));
    const char **names = cc_arena_alloc((struct cc_arena *)&p->arena, (p->sections.n + 1) * sizeof *names);
    size_t found = 0;
    for (size_t i = 0; i < p->sections.n; i++)
        if (strncmp(p->sections.v[i].name, prefix, n) == 0 && p->sections.v[i].name[n] == '.')
            names[found++] = p->sections.v[i].name + n + 1;
    *ret = names;
    return found;
}

/* The section that holds a key. Code that asks a section for a key of another is wrong, whatever the file
 * says. */
static const char *section_for(const char *section, unsigned key)
{
    assert(key < CC_PLATFORM_KEYS);
    if (!section) {
        assert(!strpbrk(cc_platform_schema[key].section, "*@"));
        return cc_platform_schema[key].section;
    }
    assert(cc_section_matches(cc_platform_schema[key].section, section));
    return section;
}

int cc_platform_num(const struct cc_platform *p, const char *section, enum cc_num_key key,
                    struct cc_quantity *ret, struct cc_err *err)
{
    const struct schema_key *k = &cc_platform_schema[key];
    section = section_for(section, key);
    const struct value *v = use_value(p, section, k);
    if (v)
        *ret = v->number;
    else if (!k->fallback || !parse_quantity(k->fallback, ret))
        return cc_err_at(err, CC_EINPUT, p->path, 0, "the platform gives no '%s' in [%s]", k->key, section);
    return 0;
}

double cc_platform_num_or(const struct cc_platform *p, const char *section, enum cc_num_key key,
                          double fallback)
{
    struct cc_quantity q;
    return cc_platform_num(p, section, key, &q, NULL) == 0 ? q.value : fallback;
}

const char *cc_platform_default(const struct cc_platform *p, const struct schema_key *k)
{
    if (k->type == CHOICE) /* the first choice */
        return cc_arena_strndup((struct cc_arena *)&p->arena, k->fallback, strcspn(k->fallback, "|"));
    return k->fallback && strcmp(k->fallback, "!") != 0 ? k->fallback : NULL;
}

const char *cc_platform_str_or(const struct cc_platform *p, const char *section, enum cc_str_key key,
                               const char *fallback)
{
    const struct value *v = use_value(p, section_for(section, key), &cc_platform_schema[key]);
    const char *text = v ? v->text : cc_platform_default(p, &cc_platform_schema[key]);
    return text ? text : fallback;
}

unsigned cc_platform_line(const struct cc_platform *p, const char *section, unsigned key)
{
    const struct value *v = cc_platform_value(p, section_for(section, key), &cc_platform_schema[key]);
    return v ? v->line : 0;
}

const char *cc_platform_file(const struct cc_platform *p, const char *section, enum cc_str_key key)
{
    const struct value *v = use_value(p, section_for(section, key), &cc_platform_schema[key]);
    return v ? path_of(p, v) : NULL;
}

const char *cc_platform_key_name(unsigned key)
{
    assert(key < CC_PLATFORM_KEYS);
    return cc_platform_schema[key].key;
}

/* The only section that has the key, or, with `may`, that may have it; NULL in *ret when there is none. */
static int section_of(const struct cc_platform *p, const char *key, bool may, const char **ret,
                      struct cc_err *err)
{
    *ret = NULL;
    for (size_t i = 0; i < p->sections.n; i++) {
        const char *name = p->sections.v[i].name;
        const struct schema_key *k = schema_find(name, key);
        if (!k || !(may || cc_platform_value(p, name, k)))
            continue;
        if (*ret)
            return cc_err_set(err, CC_EUSAGE, "'%s' is in [%s] and in [%s]: write SECTION.KEY=VALUE", key,
                              *ret, name);
        *ret = name;
    }
    return 0;
}

int cc_platform_override(struct cc_platform *p, const char *assignment, struct cc_err *err)
{
    const char *eq = strchr(assignment, '=');
    if (!eq || eq == assignment || !eq[1])
        return cc_err_set(err, CC_EUSAGE, "'%s' is not KEY=VALUE", assignment);
    char *name = cc_arena_strndup(&p->arena, assignment, (size_t)(eq - assignment));
    char *dot = strrchr(name, '.');
    const char *section = NULL, *key = name;
    if (dot) {
        *dot = 0;
        section = name;
        key = dot + 1;
    } else {
        int rc = section_of(p, key, false, &section, err);
        if (rc == 0 && !section)
            rc = section_of(p, key, true, &section, err);
        if (rc < 0)
            return rc;
    }
    const struct schema_key *k = section ? schema_find(section, key) : NULL;
    if (!k) {
        int rc =
            cc_err_set(err, CC_EUSAGE, "the platform has no key '%.*s'", (int)(eq - assignment), assignment);
        if (section && section_known(section))
            hint_name(key, section, err);
        return rc;
    }
    struct value v = {.section = cc_arena_strdup(&p->arena, section),
                      .key = cc_arena_strdup(&p->arena, key),
                      .text = cc_arena_strdup(&p->arena, eq + 1),
                      .path = "--set",
                      .origin = CC_FROM_OVERRIDE,
                      .schema = k};
    int rc = check_value(&v, err);
    if (rc < 0)
        return rc;
    struct value *old = cc_platform_value(p, section, k);
    if (old)
        *old = v;
    else
        CC_VEC_PUSH(&p->values, v);
    if (!cc_platform_has(p, section)) {
        struct section entry = {v.section, "--set", 0};
        CC_VEC_PUSH(&p->sections, entry);
    }
    return 0;
}
