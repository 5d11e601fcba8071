#include "walk.h"

/* The line in which the body's statements end; 0: they do not fill their lines. */
static unsigned body_ends(const struct cc_patch_walk *w)
{
    unsigned first = w->source->walk_line,
             last = first > w->loop->line ? cc_patch_statement_ends(w->text, first, w->source->walk_last) : 0;
    return last && last <= cc_patch_ends(w->text, w->loop->line, w->nth) &&
                   cc_patch_statements(w->text, first, last)
               ? last
               : 0;
}

const char *cc_patch_refuses_walk(const struct cc_patch_walk *w, struct cc_arena *arena)
{
    if (body_ends(w))
        return cc_patch_refuses_line(w->text, w->source->walk_line, arena);
    return cc_arena_printf(arena,
                           "it goes from element to element by %s, and each could be a task, but its body "
                           "does not stand in lines of its own: put it there",
                           w->source->walk);
}

const char *cc_patch_walk_pragma(const struct cc_patch_walk *w, struct cc_arena *arena)
{
    return cc_arena_printf(arena, "#pragma omp task firstprivate(%s)%s", w->source->walk, w->clauses);
}

void cc_patch_walk(const struct cc_patch_walk *w, struct cc_patch_edit ret[CC_PATCH_WALK_EDITS],
                   struct cc_arena *arena)
{
    unsigned first = w->source->walk_line, last = body_ends(w);
    ret[0] = (struct cc_patch_edit){.line = w->loop->line,
                                    .nth = (int)w->nth,
                                    .directive = "#pragma omp parallel\n#pragma omp single",
                                    .comment = w->comment};
    ret[1] = (struct cc_patch_edit){
        .line = first,
        .nth = -1,
        .directive = cc_arena_printf(arena, w->atomic ? "%s\n{\n#pragma omp atomic" : "%s\n{",
                                     cc_patch_walk_pragma(w, arena))};
    ret[2] = (struct cc_patch_edit){.line = last, .behind = "}", .like = first};
}
