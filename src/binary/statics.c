#include "statics.h"
#include "../base/base.h"

#include <stdlib.h>
#include <string.h>

struct variable {
    struct cc_symbol_range at;
    size_t number;  /* in the file's table */
    uint64_t reach; /* up to where it, or one before it in this order, goes */
};
struct file {
    char *path;
    CC_VEC(struct variable) v; /* by where they begin */
};
struct cc_statics {
    struct cc_symbols *symbols;
    CC_VEC(struct file) files;
};

struct cc_statics *cc_statics_new(struct cc_symbols *symbols)
{
    struct cc_statics *s = cc_alloc(sizeof *s);
    *s = (struct cc_statics){.symbols = symbols};
    return s;
}

void cc_statics_free(struct cc_statics *s)
{
    for (size_t i = 0; s && i < s->files.n; i++) {
        free(s->files.v[i].path);
        CC_VEC_FINI(&s->files.v[i].v);
    }
    if (s)
        CC_VEC_FINI(&s->files);
    free(s);
}

static void add(const struct cc_symbol_range *r, void *data)
{
    struct file *f = data;
    if (r->data)
        CC_VEC_PUSH(&f->v, ((struct variable){.at = *r, .number = f->v.n}));
}

static int by_start(const void *a, const void *b)
{
    const struct variable *x = a, *y = b;
    if (x->at.from != y->at.from)
        return x->at.from < y->at.from ? -1 : 1;
    return (x->number > y->number) - (x->number < y->number);
}

static const struct file *file_of(struct cc_statics *s, const char *path)
{
    for (size_t i = 0; i < s->files.n; i++)
        if (strcmp(s->files.v[i].path, path) == 0)
            return &s->files.v[i];
    struct file f = {.path = cc_strdup(path)};
    uint64_t reach = 0;
    cc_symbols_each(s->symbols, path, add, &f);
    if (f.v.n)
        qsort(f.v.v, f.v.n, sizeof *f.v.v, by_start);
    for (size_t i = 0; i < f.v.n; i++)
        f.v.v[i].reach = reach = CC_MAX(reach, f.v.v[i].at.to);
    CC_VEC_PUSH(&s->files, f);
    return &s->files.v[s->files.n - 1];
}

static bool is_better(const struct variable *x, const struct variable *than)
{
    uint64_t size = x->at.to - x->at.from, other = than ? than->at.to - than->at.from : 0;
    return !than || size < other || (size == other && x->number < than->number);
}

const char *cc_statics_find(struct cc_statics *s, const char *path, uint64_t address, uint64_t *ret_from)
{
    const struct file *f = file_of(s, path);
    const struct variable *best = NULL;
    size_t low; /* the first that begins behind the address */
    CC_FIRST(low, f->v.n, f->v.v[low].at.from > address);
    for (size_t i = low; i-- > 0 && f->v.v[i].reach > address;)
        if (f->v.v[i].at.to > address && is_better(&f->v.v[i], best))
            best = &f->v.v[i];
    *ret_from = best ? best->at.from : 0;
    return best ? best->at.name : NULL;
}
