#include "names.h"
#include "../base/map.h"
#include "../base/text.h"

/* Gives equal names a suffix; true if there were any. */
static bool tell_apart(const struct cc_profile *p, const char **names, struct cc_arena *arena, bool by_id)
{
    struct cc_strmap seen = {0};
    bool any = false;
    for (size_t i = 0; i < p->nfunctions; i++)
        ++*cc_strmap_put(&seen, names[i], NULL);
    for (size_t i = 0; i < p->nfunctions; i++) {
        const struct cc_pfunction *f = &p->functions[i];
        if (*cc_strmap_get(&seen, names[i]) < 2)
            continue;
        any = true;
        char *name = NULL;
        if (by_id)
            name = cc_asprintf("%s #%zu", names[i], i);
        else if (f->file)
            name = cc_asprintf("%s (%s:%u)", names[i], cc_text_base(f->file), f->line);
        else if (f->binary != CC_NONE)
            name = cc_asprintf("%s (%s)", names[i], cc_text_base(p->binaries[f->binary].path));
        if (name)
            names[i] = cc_arena_strdup(arena, name);
        free(name);
    }
    cc_strmap_fini(&seen);
    return any;
}

const char **cc_names_functions(const struct cc_profile *p, struct cc_arena *arena)
{
    const char **names = cc_arena_alloc(arena, (p->nfunctions + 1) * sizeof *names);
    for (size_t i = 0; i < p->nfunctions; i++)
        names[i] = p->functions[i].name;
    if (tell_apart(p, names, arena, false))
        tell_apart(p, names, arena, true);
    return names;
}

static bool is_reserved(const char *name)
{
    for (int kind = CC_NODE_INPUT; kind < CC_NODE_KINDS; kind++)
        if (strcmp(name, cc_special_name((enum cc_node_kind)kind)) == 0)
            return true;
    return strcmp(name, CC_OUTSIDE_NAME) == 0;
}

const char **cc_names_regions(const struct cc_profile *p, struct cc_arena *arena)
{
    const char **names = cc_arena_alloc(arena, (p->nregions + 1) * sizeof *names);
    for (size_t i = 0; i < p->nregions; i++) {
        names[i] = p->regions[i].name;
        if (i == 0 || !is_reserved(names[i]))
            continue;
        CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("%s (region)", names[i]);
        names[i] = cc_arena_strdup(arena, name);
    }
    return names;
}

uint32_t *cc_names_paths(const struct cc_profile *p)
{
    uint32_t *first = cc_alloc_array(p->ncontexts + 1, sizeof *first);
    struct cc_map seen = {0}; /* parents come before their children */
    for (uint32_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *x = &p->contexts[i];
        first[i] = i;
        if (x->parent == CC_NONE)
            continue;
        bool is_new;
        uint64_t *at = cc_map_put(&seen, (uint64_t)first[x->parent] << 32 | x->function, &is_new);
        if (is_new)
            *at = i;
        first[i] = (uint32_t)*at;
    }
    cc_map_fini(&seen);
    return first;
}

const char *cc_names_context(const struct cc_profile *p, uint32_t context, const char *const *functions,
                             struct cc_arena *arena)
{
    const struct cc_pcontext *x = &p->contexts[context];
    CC_VEC(uint32_t) path = {0};
    for (uint32_t at = context; p->contexts[at].parent != CC_NONE; at = p->contexts[at].parent)
        CC_VEC_PUSH(&path, p->contexts[at].function);
    if (path.n == 0)
        CC_VEC_PUSH(&path, x->function);
    struct cc_buf b = {0};
    for (size_t i = path.n; i-- > 0;)
        cc_buf_printf(&b, "%s%s", functions[path.v[i]], i ? "/" : "");
    if (x->thread != 0)
        cc_buf_printf(&b, "@%u", x->thread + 1);
    const char *name = cc_arena_strndup(arena, b.s, b.n);
    cc_buf_fini(&b);
    CC_VEC_FINI(&path);
    return name;
}

int cc_names_focus(const char *focus, const char *const *names, size_t n, bool *match, struct cc_err *err)
{
    size_t size = strlen(focus), found = 0;
    for (int pass = 0; pass < 4 && found == 0; pass++) {
        for (size_t i = 0; i < n; i++) {
            bool same = strncmp(names[i], focus, size) == 0;
            match[i] = pass == 0   ? same && names[i][size] == 0
                       : pass == 1 ? same && (names[i][size] == '(' || names[i][size] == ' ')
                       : pass == 2 ? strstr(names[i], focus) != NULL
                                   : cc_text_stands_for(focus, names[i]);
            found += match[i];
        }
    }
    if (found && size)
        return 0;
    cc_err_set(err, CC_EINPUT, "nothing in the profile is called '%s'", focus);
    const char *near = cc_nearest(focus, names, n);
    if (near)
        cc_err_hint(err, "did you mean '%s'?", near);
    return -CC_EINPUT;
}

int cc_names_focus_functions(const char *focus, const struct cc_profile *p, bool *match, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) const char **names = cc_alloc_array(p->nfunctions + 1, sizeof *names);
    for (size_t i = 0; i < p->nfunctions; i++)
        names[i] = p->functions[i].name;
    return cc_names_focus(focus, names, p->nfunctions, match, err);
}

char *cc_names_file(const struct cc_pfile *f)
{
    return f->folder ? cc_asprintf("%s/%s", f->folder, f->path) : cc_strdup(f->path);
}

int cc_names_frames(const struct cc_profile *p, struct cc_err *err)
{
    if (p->nframes)
        return 0;
    if (p->nregions == 0) { /* a plain run with time stamps */
        int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "the profile was recorded without frames");
        cc_err_hint(err, "record with the valgrind or qemu engine");
        return rc;
    }
    int rc = cc_err_at(err, CC_EINPUT, p->path, 0, "the program marked no frames");
    cc_err_hint(err, "put CC_FRAME() of corecast/mark.h where a frame begins and record again; see "
                     "docs/guide/marks.md");
    return rc;
}
