#include "ini.h"
#include "file.h"
#include "text.h"

#include <ctype.h>

/* Whoever reads a file looks keys up in lists, which must not become long. */
enum { MAX_FILE = 16 << 20, MAX_SECTIONS = 32768, MAX_KEYS = 4096, MAX_NAME = 1024 };

struct parse {
    struct cc_ini *ini;
    struct cc_err *err;
    unsigned line;
    size_t section_cap, key_cap;
};

static int bad(struct parse *p, const char *what, const char *subject)
{
    return cc_err_at(p->err, CC_EINPUT, p->ini->path, p->line, "%s '%.80s'", what, subject);
}

static char *trim(char *s)
{
    while (isspace((unsigned char)*s))
        s++;
    size_t n = strlen(s);
    while (n && isspace((unsigned char)s[n - 1]))
        s[--n] = 0;
    return s;
}

static void cut_comment(char *s)
{
    for (char *p = s; *p; p++) {
        if ((*p == ';' || *p == '#') && (p == s || isspace((unsigned char)p[-1]))) {
            *p = 0;
            return;
        }
    }
}

static void *append(struct parse *p, void *old, size_t n, size_t *cap, size_t size)
{
    if (n < *cap)
        return old;
    size_t cap_new = *cap * 2 + 8;
    void *grown = cc_arena_alloc(&p->ini->arena, cap_new * size);
    if (n)
        memcpy(grown, old, n * size);
    *cap = cap_new;
    return grown;
}

static int parse_section(struct parse *p, char *s)
{
    char *end = strrchr(s, ']');
    if (!end || *trim(end + 1))
        return bad(p, "unfinished section header", s);
    *end = 0;
    char *name = trim(s + 1);
    if (!*name)
        return bad(p, "section without a name", "[]");
    if (strlen(name) > MAX_NAME)
        return bad(p, "a name of more than 1024 bytes:", name);
    if (p->ini->nsections == MAX_SECTIONS)
        return bad(p, "more than 32768 sections, with", name);
    struct cc_ini *ini = p->ini;
    bool is_new;
    uint64_t *at = cc_strmap_put(&ini->index, name, &is_new);
    if (!is_new)
        return bad(p, "section appears twice:", name);
    *at = ini->nsections;
    ini->sections = append(p, ini->sections, ini->nsections, &p->section_cap, sizeof *ini->sections);
    ini->sections[ini->nsections++] =
        (struct cc_ini_section){.name = cc_arena_strdup(&ini->arena, name), .line = p->line};
    p->key_cap = 0;
    return 0;
}

static int parse_key(struct parse *p, char *s)
{
    char *eq = strchr(s, '=');
    if (!eq)
        return bad(p, "expected 'key = value', got", s);
    *eq = 0;
    char *name = trim(s), *value = trim(eq + 1);
    if (!*name)
        return bad(p, "value without a key:", value);
    if (p->ini->nsections == 0)
        return bad(p, "key outside any section:", name);
    struct cc_ini_section *sec = &p->ini->sections[p->ini->nsections - 1];
    if (strlen(name) > MAX_NAME)
        return bad(p, "a name of more than 1024 bytes:", name);
    if (sec->nkeys == MAX_KEYS)
        return bad(p, "more than 4096 keys in a section, with", name);
    if (cc_ini_key(sec, name))
        return bad(p, "key appears twice:", name);
    size_t n = strlen(value);
    if (n >= 2 && value[0] == '"' && value[n - 1] == '"') {
        value[n - 1] = 0;
        value++;
    }
    sec->keys = append(p, sec->keys, sec->nkeys, &p->key_cap, sizeof *sec->keys);
    sec->keys[sec->nkeys++] = (struct cc_ini_key){.name = cc_arena_strdup(&p->ini->arena, name),
                                                  .value = cc_arena_strdup(&p->ini->arena, value),
                                                  .line = p->line};
    return 0;
}

int cc_ini_parse(const char *path, const char *text, size_t size, struct cc_ini **ret, struct cc_err *err)
{
    struct cc_ini *ini = cc_alloc(sizeof *ini);
    ini->path = cc_arena_strdup(&ini->arena, path);
    struct parse p = {.ini = ini, .err = err};
    int rc = 0;
    if (memchr(text, 0, size))
        rc = cc_err_at(err, CC_EINPUT, path, 0, "not a text file");
    for (size_t at = 0; rc == 0 && at < size;) {
        size_t n = strcspn(text + at, "\n");
        CC_CLEANUP(cc_free_ptr) char *line = cc_strndup(text + at, n);
        p.line++;
        at += n + 1;
        cut_comment(line);
        char *s = trim(line);
        if (*s)
            rc = *s == '[' ? parse_section(&p, s) : parse_key(&p, s);
    }
    if (rc < 0) {
        cc_ini_free(ini);
        return rc;
    }
    *ret = ini;
    return 0;
}

int cc_ini_load(const char *path, struct cc_ini **ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t size;
    int rc = cc_file_read(path, MAX_FILE, &text, &size, err);
    return rc < 0 ? rc : cc_ini_parse(path, text, size, ret, err);
}

void cc_ini_free(struct cc_ini *ini)
{
    if (!ini)
        return;
    struct cc_arena arena = ini->arena;
    cc_strmap_fini(&ini->index);
    free(ini);
    cc_arena_fini(&arena);
}

const struct cc_ini_section *cc_ini_section(const struct cc_ini *ini, const char *name)
{
    const uint64_t *at = cc_strmap_get(&ini->index, name);
    return at ? &ini->sections[*at] : NULL;
}

const struct cc_ini_key *cc_ini_key(const struct cc_ini_section *s, const char *name)
{
    for (size_t i = 0; s && i < s->nkeys; i++)
        if (strcmp(s->keys[i].name, name) == 0)
            return &s->keys[i];
    return NULL;
}
