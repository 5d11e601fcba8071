/* The patch of a plan. */
#include "internal.h"
#include "../../base/text.h"

#include <errno.h>

static bool has_source(const struct exploration *x, const struct cc_explore_plan *plan)
{
    for (size_t i = 0; i < plan->parts.n; i++) {
        uint32_t loop = x->r.candidates.v[plan->parts.v[i].candidate].loop;
        const struct place *p = &x->places[loop];
        if (!p->file || !p->file->shown || (!p->fact && !cc_explore_calls_of(x, loop)))
            return false;
    }
    return plan->parts.n > 0;
}

static void put_joined(struct exploration *x, const struct cc_explore_candidate *c,
                       struct cc_explore_edits *ret)
{
    struct cc_patch_join j = cc_explore_join(&x->places[c->loop]);
    struct cc_patch_edit edits[CC_PATCH_JOIN_EDITS];
    j.comment = cc_explore_comment(x, c);
    j.parallel = c->threads ? cc_arena_printf(&x->arena, " num_threads(%u)", c->threads) : "";
    j.share = cc_explore_share(x, c);
    size_t n = cc_patch_join(&j, edits, &x->arena);
    for (size_t i = 0; i < n; i++)
        CC_VEC_PUSH(ret, edits[i]);
}

static void put_wave(struct exploration *x, const struct cc_explore_candidate *c,
                     struct cc_explore_edits *ret)
{
    struct cc_patch_wave w = cc_explore_wave(&x->places[c->loop], c->edge);
    struct cc_patch_edit edits[CC_PATCH_WAVE_EDITS];
    w.comment = cc_explore_comment(x, c);
    cc_patch_wave(&w, edits, &x->arena);
    for (size_t i = 0; i < CC_COUNT(edits); i++)
        CC_VEC_PUSH(ret, edits[i]);
}

/* In front of each update but one that is the first statement of a block: whether that is among them. */
static bool put_atomics(const struct place *p, unsigned block, struct cc_explore_edits *ret)
{
    bool both = false;
    for (size_t k = 0; k < p->clauses.natomics; k++) {
        const unsigned at = p->clauses.atomics[k]->line;
        unsigned column = 0;
        cc_patch_update_column(p->file->text, p->clauses.atomics[k], &column);
        if (at == block && !column)
            both = true;
        else
            CC_VEC_PUSH(ret,
                        ((struct cc_patch_edit){
                            .line = at, .nth = -1, .column = column, .directive = "#pragma omp atomic"}));
    }
    return both;
}

static void put_walk(struct exploration *x, const struct cc_explore_candidate *c,
                     struct cc_explore_edits *ret)
{
    const struct place *p = &x->places[c->loop];
    struct cc_patch_walk w = cc_explore_walk(p);
    struct cc_patch_edit edits[CC_PATCH_WALK_EDITS];
    w.atomic = put_atomics(p, p->source->walk_line, ret);
    w.comment = cc_explore_comment(x, c);
    cc_patch_walk(&w, edits, &x->arena);
    for (size_t i = 0; i < CC_COUNT(edits); i++)
        CC_VEC_PUSH(ret, edits[i]);
}

static void put_loop(struct exploration *x, const struct cc_explore_candidate *c,
                     struct cc_explore_edits *ret)
{
    const struct place *p = &x->places[c->loop];
    if (p->joined) {
        put_joined(x, c, ret);
        return;
    }
    if (p->wave) {
        put_wave(x, c, ret);
        return;
    }
    if (p->walk) {
        put_walk(x, c, ret);
        return;
    }
    const unsigned line = p->turns ? x->loops->v.v[c->loop].turn_line : 0;
    bool both = put_atomics(p, line, ret);
    if (p->turns) {
        CC_VEC_PUSH(ret,
                    ((struct cc_patch_edit){.line = line,
                                            .nth = -1,
                                            .directive = both ? "#pragma omp ordered\n{\n#pragma omp atomic"
                                                              : "#pragma omp ordered\n{"}));
        CC_VEC_PUSH(ret, ((struct cc_patch_edit){.line = p->turn_end, .behind = "}", .like = line}));
    }
    CC_VEC_PUSH(ret, ((struct cc_patch_edit){.line = p->fact->line,
                                             .nth = (int)p->nth,
                                             .directive = cc_explore_pragma(x, c),
                                             .comment = cc_explore_comment(x, c),
                                             .before = p->clauses.before}));
}

/* The edits of one file. */
static void edits_of(struct exploration *x, const struct cc_explore_plan *plan, const struct file *f,
                     struct cc_explore_edits *ret)
{
    for (size_t i = 0; i < plan->parts.n; i++) {
        const struct cc_explore_candidate *c = &x->r.candidates.v[plan->parts.v[i].candidate];
        if (cc_explore_calls_of(x, c->loop))
            cc_explore_calls_edits(x, c, f, ret);
        else if (x->places[c->loop].file == f)
            put_loop(x, c, ret);
    }
}

const struct cc_patch_text *cc_explore_edits(struct exploration *x, const struct cc_explore_plan *plan,
                                             const char *path, struct cc_patch_edit **ret, size_t *ret_n)
{
    struct cc_explore_edits edits = {0};
    const struct cc_patch_text *found = NULL;
    for (size_t i = 0; !found && i < x->p->nfiles; i++) {
        const struct file *f = &x->files[i];
        if (f->text && cc_text_same_file(f->path, path))
            edits_of(x, plan, f, &edits);
        found = edits.n ? f->text : NULL;
    }
    *ret = edits.v;
    *ret_n = edits.n;
    return found;
}

static int write_file(const char *folder, const char *shown, const struct cc_buf *text, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, shown);
    FILE *f = fopen(path, "wb");
    bool written = f && fwrite(text->s, 1, text->n, f) == text->n;
    if (f && fclose(f) != 0)
        written = false;
    return written ? 0 : cc_err_set(err, CC_EINPUT, "cannot write '%s': %s", path, strerror(errno));
}

static int each_file(struct exploration *x, const struct cc_explore_plan *plan, struct cc_buf *diff,
                     const char *folder, struct cc_err *err)
{
    struct cc_explore_edits edits = {0};
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < x->p->nfiles; i++) {
        struct cc_buf text = {0}, ignored = {0};
        edits.n = 0;
        if (x->files[i].text)
            edits_of(x, plan, &x->files[i], &edits);
        if (!edits.n)
            continue;
        cc_patch_write(x->files[i].text, edits.v, edits.n, x->files[i].shown, diff ? diff : &ignored,
                       folder ? &text : NULL);
        if (folder)
            rc = write_file(folder, x->files[i].shown, &text, err);
        cc_buf_fini(&text);
        cc_buf_fini(&ignored);
    }
    CC_VEC_FINI(&edits);
    return rc;
}

bool cc_explore_diff(struct exploration *x, const struct cc_explore_plan *plan, struct cc_buf *ret)
{
    struct cc_err ignored = {0};
    return has_source(x, plan) && each_file(x, plan, ret, NULL, &ignored) == 0;
}

int cc_explore_patch_into(struct exploration *x, const struct cc_explore_plan *plan, const char *folder,
                          struct cc_err *err)
{
    if (!has_source(x, plan))
        return cc_err_set(err, CC_EINPUT, "some of its loops have no source to be changed");
    return each_file(x, plan, NULL, folder, err);
}
