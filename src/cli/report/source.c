#include "source.h"
#include "../../profile/names.h"
#include "../../base/file.h"
#include "../../base/text.h"

#include <sys/stat.h>

enum { TAB = 8 };

static bool is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

char *cc_source_find(const struct cc_pfile *f, const char *folder)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_names_file(f);
    if (!folder)
        return is_file(path) ? cc_strdup(path) : NULL;
    for (const char *end = path; end; end = strchr(end, '/')) {
        end += strspn(end, "/");
        char *inside = cc_asprintf("%s/%s", folder, end);
        if (*end && is_file(inside))
            return inside;
        free(inside);
    }
    return NULL;
}

static void split(struct cc_source *s, size_t size)
{
    CC_VEC(const char *) lines = {0};
    for (char *at = s->text, *end = s->text + size; at < end;) {
        char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        CC_VEC_PUSH(&lines, at);
        *stop = 0;
        if (stop > at && stop[-1] == '\r')
            stop[-1] = 0;
        at = stop + 1;
    }
    s->lines = lines.v;
    s->n = lines.n;
}

void cc_source_read(struct cc_source *s, const struct cc_pfile *f, const char *folder)
{
    size_t size = 0;
    *s = (struct cc_source){.path = cc_source_find(f, folder)};
    if (!s->path)
        return;
    if (cc_file_read(s->path, CC_MAX_SOURCE, &s->text, &size, NULL) < 0) {
        free(s->path);
        s->path = NULL;
        return;
    }
    s->changed = f->has_content && f->content != cc_file_mark(s->text, size);
    split(s, size);
}

bool cc_source_may_be_shown(const struct cc_source *s)
{
    static const char kinds[] =
        " c h cc cpp cxx c++ hh hpp hxx h++ inl inc ipp tcc tpp def s asm f for f77 f90 f95 f03 f08 "
        "rs go d adb ads pas m mm cu cuh cl y l yy ll zig nim hs ml v sv vhd swift kt java ";
    CC_CLEANUP(cc_free_ptr) char *real = s->path ? realpath(s->path, NULL) : NULL;
    const char *dot = real ? strrchr(cc_text_base(real), '.') : NULL;
    if (real && strncmp(real, "/usr/", 5) == 0)
        return true;
    return dot && cc_text_listed(kinds, dot + 1);
}

void cc_source_fini(struct cc_source *s)
{
    free(s->path);
    free(s->text);
    free(s->lines);
}

void cc_source_names_init(struct cc_source_names *n, const struct cc_profile *p, const char *folder)
{
    *n = (struct cc_source_names){.p = p};
    for (size_t i = 0; i < p->nfiles; i++) {
        CC_CLEANUP(cc_free_ptr) char *found = cc_source_find(&p->files[i], folder);
        CC_CLEANUP(cc_free_ptr) char *real = found ? realpath(found, NULL) : NULL;
        if (real)
            *cc_strmap_put(&n->by_path, real, &(bool){false}) = i;
        *cc_strmap_put(&n->by_name, p->files[i].path, &(bool){false}) = i;
    }
}

void cc_source_names_fini(struct cc_source_names *n)
{
    cc_strmap_fini(&n->by_path);
    cc_strmap_fini(&n->by_name);
}

const char *cc_source_name(const struct cc_source_names *n, const char *path)
{
    if (!path || cc_strmap_get(&n->by_name, path))
        return path;
    CC_CLEANUP(cc_free_ptr) char *real = realpath(path, NULL);
    const uint64_t *file = real ? cc_strmap_get(&n->by_path, real) : NULL;
    return file ? n->p->files[*file].path : path;
}

char *cc_source_line(const struct cc_source *s, uint32_t line)
{
    struct cc_buf b = {0};
    size_t column = 0;
    cc_buf_puts(&b, "");
    for (const char *p = line >= 1 && line <= s->n ? s->lines[line - 1] : ""; *p; p++) {
        size_t wide = *p == '\t' ? TAB - column % TAB : 1;
        if (*p == '\t')
            cc_buf_printf(&b, "%*s", (int)wide, "");
        else
            cc_buf_add(&b, p, 1);
        column += wide;
    }
    return b.s;
}
