/* Kernel description files. */
#include "units.h"
#include "../../base/ini.h"
#include "../../base/map.h"

#include <math.h>

enum { MAX_KERNELS = 100000 };

static const char *const other_keys[] = {"class",      "bytes", "per",    "atomics",
                                         "iterations", "inner", "vector", "halo"};

struct reader {
    const struct cc_ini *ini;
    const struct cc_ini_section *section;
    struct cc_err *err;
};

static int bad(const struct reader *r, const struct cc_ini_key *key, const char *want)
{
    return cc_err_at(r->err, CC_EINPUT, r->ini->path, key->line, "'%s' of [%.80s] must be %s, not '%.80s'",
                     key->name, r->section->name, want, key->value);
}

static int read_number(const struct reader *r, const char *name, double lo, double *ret)
{
    const struct cc_ini_key *key = cc_ini_key(r->section, name);
    if (!key)
        return 0;
    if (!cc_parse_f64(key->value, ret) || *ret < lo || *ret > 1e15)
        return bad(r, key, lo > 0 ? "a number above 0" : "a number, 0 or more");
    return 0;
}

static int read_word(const struct reader *r, const char *name, const char *const *words, int *ret)
{
    const struct cc_ini_key *key = cc_ini_key(r->section, name);
    char all[96] = "";
    for (int i = 0; key && words[i]; i++) {
        if (strcmp(key->value, words[i]) == 0) {
            *ret = i;
            return 0;
        }
        size_t at = strlen(all);
        snprintf(all + at, sizeof all - at, "%s%s", i ? ", " : "one of ", words[i]);
    }
    return key ? bad(r, key, all) : 0;
}

static int check_keys(const struct reader *r)
{
    const char *names[CC_CLASSES + CC_COUNT(other_keys)];
    for (size_t i = 0; i < CC_CLASSES; i++)
        names[i] = cc_class_names[i];
    memcpy(names + CC_CLASSES, other_keys, sizeof other_keys);
    for (size_t k = 0; k < r->section->nkeys; k++) {
        size_t i = 0;
        while (i < CC_COUNT(names) && strcmp(names[i], r->section->keys[k].name) != 0)
            i++;
        if (i < CC_COUNT(names))
            continue;
        int rc = cc_err_at(r->err, CC_EINPUT, r->ini->path, r->section->keys[k].line, "unknown key '%.80s'",
                           r->section->keys[k].name);
        const char *near = cc_nearest(r->section->keys[k].name, names, CC_COUNT(names));
        if (near)
            cc_err_hint(r->err, "did you mean '%s'?", near);
        return rc;
    }
    return 0;
}

static int read_kernel(const struct reader *r, struct cc_kernel *k)
{
    static const char *const classes[] = {"P0", "P1", "P2", "P3", NULL};
    static const char *const vector[] = {"no", "maybe", "yes", NULL};
    double per = 1;
    int parallel = CC_P0, vectorised = CC_VECTOR_NO, rc = check_keys(r);
    k->iterations = k->inner = 1;
    for (int c = 0; rc == 0 && c < CC_CLASSES; c++)
        rc = read_number(r, cc_class_names[c], 0, &k->n[c]);
    if (rc == 0)
        rc = read_number(r, "bytes", 0, &k->bytes);
    if (rc == 0)
        rc = read_number(r, "per", 1e-9, &per);
    if (rc == 0)
        rc = read_number(r, "atomics", 0, &k->atomics);
    bool updates = cc_ini_key(r->section, "atomics") != NULL;
    if (rc == 0)
        rc = read_number(r, "iterations", 1, &k->iterations);
    if (rc == 0)
        rc = read_number(r, "inner", 1, &k->inner);
    if (rc == 0)
        rc = read_number(r, "halo", 0, &k->halo);
    if (rc == 0)
        rc = read_word(r, "class", classes, &parallel);
    if (rc == 0)
        rc = read_word(r, "vector", vector, &vectorised);
    for (int c = 0; c < CC_CLASSES; c++)
        k->n[c] /= per;
    k->bytes /= per;
    if (updates && !cc_ini_key(r->section, "class"))
        parallel = CC_P1;
    if (rc == 0 && k->atomics > 0 && parallel != CC_P1)
        rc = cc_err_at(r->err, CC_EINPUT, r->ini->path, cc_ini_key(r->section, "atomics")->line,
                       "kernels of class %s have no atomic updates: class = P1", classes[parallel]);
    k->parallel = (enum cc_parallel)parallel;
    k->atomics = updates ? k->atomics / per : k->parallel == CC_P1; /* one for each element */
    k->vector = (enum cc_vector)vectorised;
    return rc;
}

/* "kernel.NAME" or "kernel.NAME.UNIT" */
static int read_section(struct cc_kernels *ks, const struct reader *r)
{
    const char *name = r->section->name;
    if (strncmp(name, "kernel.", 7) != 0 || !name[7])
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, r->section->line,
                         "unknown section '%.80s': expected [kernel.NAME] or [kernel.NAME.UNIT]", name);
    const char *dot = strchr(name + 7, '.');
    if (dot && (dot == name + 7 || !dot[1]))
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, r->section->line, "empty name in [%.80s]", name);
    if (ks->v.n == MAX_KERNELS)
        return cc_err_at(r->err, CC_EINPUT, r->ini->path, r->section->line, "more than %d kernels",
                         MAX_KERNELS);
    struct cc_kernel k = {.file = ks->path, .line = r->section->line};
    k.name = cc_arena_strndup(&ks->arena, name + 7, dot ? (size_t)(dot - name - 7) : strlen(name + 7));
    k.unit = dot ? cc_arena_strdup(&ks->arena, dot + 1) : NULL;
    int rc = read_kernel(r, &k);
    if (rc == 0)
        CC_VEC_PUSH(&ks->v, k);
    return rc;
}

struct cc_kernels *cc_kernels_new(const char *path)
{
    struct cc_kernels *ks = cc_alloc(sizeof *ks);
    ks->path = cc_arena_strdup(&ks->arena, path);
    return ks;
}

static int build(struct cc_ini *ini, struct cc_kernels **ret, struct cc_err *err)
{
    struct cc_kernels *ks = cc_kernels_new(ini->path);
    int rc = 0;
    for (size_t s = 0; rc == 0 && s < ini->nsections; s++) {
        struct reader r = {ini, &ini->sections[s], err};
        rc = read_section(ks, &r);
    }
    if (rc == 0 && ks->v.n == 0)
        rc = cc_err_at(err, CC_EINPUT, ini->path, 0, "no [kernel.NAME] section");
    cc_ini_free(ini);
    if (rc < 0) {
        cc_kernels_free(ks);
        return rc;
    }
    *ret = ks;
    return 0;
}

int cc_kernels_load(const char *path, struct cc_kernels **ret, struct cc_err *err)
{
    struct cc_ini *ini;
    int rc = cc_ini_load(path, &ini, err);
    return rc < 0 ? rc : build(ini, ret, err);
}

int cc_kernels_parse(const char *path, const char *text, size_t size, struct cc_kernels **ret,
                     struct cc_err *err)
{
    struct cc_ini *ini;
    int rc = cc_ini_parse(path, text, size, &ini, err);
    return rc < 0 ? rc : build(ini, ret, err);
}

void cc_kernels_free(struct cc_kernels *ks)
{
    if (!ks)
        return;
    CC_VEC_FINI(&ks->v);
    cc_arena_fini(&ks->arena);
    free(ks);
}

size_t cc_kernels_on(const struct cc_kernels *ks, const struct cc_unit *u, const struct cc_kernel **out)
{
    /* A kernel's first section gives its place in the chain, the unit's own one its counts. */
    struct cc_strmap places = {0};
    size_t n = 0;
    for (size_t i = 0; i < ks->v.n; i++) {
        const struct cc_kernel *k = &ks->v.v[i];
        if (k->unit && strcmp(k->unit, u->name) != 0)
            continue;
        bool is_new;
        uint64_t *at = cc_strmap_put(&places, k->name, &is_new);
        if (is_new) {
            *at = n;
            out[n++] = k;
        } else if (k->unit) {
            out[*at] = k;
        }
    }
    cc_strmap_fini(&places);
    return n;
}
