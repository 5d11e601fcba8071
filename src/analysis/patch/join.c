#include "join.h"

/* Who is better, of a thread's and of all: `<` of `<` and `<=`. */
static const char *better(const struct cc_source_choice *c)
{
    return *c->op == '<' ? "<" : ">";
}

/* Whether of two that are as good the one of the later iteration stays. */
static bool last_wins(const struct cc_source_choice *c)
{
    return strlen(c->op) > 1;
}

const char *cc_patch_refuses_join(const struct cc_patch_join *j, struct cc_arena *arena)
{
    const struct cc_patch_loop *l = j->loop;
    unsigned line, column;
    if (2 + j->n > CC_PATCH_JOIN_EDITS)
        return "it keeps too many things";
    if (!l->counter || !l->counts)
        return "which of two that are as good came first cannot be told: it does not count by an integer";
    if (cc_patch_ends(j->text, l->line, j->nth) < l->last_line)
        return cc_arena_printf(arena, "something else stands in the line in which the loop ends");
    for (size_t i = 0; i < j->n; i++)
        if (!cc_patch_brace(j->text, j->choices[i].line, &line, &column))
            return cc_arena_printf(arena, "the if of line %u cannot be found in the text",
                                   j->choices[i].line);
    return NULL;
}

static void put_names(struct cc_buf *b, const struct cc_patch_join *j)
{
    const char *comma = "";
    for (size_t i = 0; i < j->n; i++)
        for (size_t k = 0; k < j->choices[i].names.n; k++, comma = ", ")
            cc_buf_printf(b, "%s%s", comma, j->choices[i].names.v[k]);
}

static const char *keep(struct cc_buf *b, struct cc_arena *arena)
{
    const char *kept = cc_arena_strdup(arena, b->s);
    cc_buf_fini(b);
    return kept;
}

/* What all threads have found, then what this one has. */
static const char *front(const struct cc_patch_join *j, struct cc_arena *arena)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "{\n");
    for (size_t i = 0; i < j->n; i++) {
        const struct cc_source_choice *c = &j->choices[i];
        for (size_t k = 0; k < c->names.n; k++)
            cc_buf_printf(&b, "    __typeof__(%s) corecast_%s = %s;\n", c->names.v[k], c->names.v[k],
                          c->names.v[k]);
        cc_buf_printf(&b, "    long long corecast_at_%s = 0;\n    int corecast_any_%s = 0;\n", c->names.v[0],
                      c->names.v[0]);
    }
    cc_buf_puts(&b, "    #pragma omp parallel firstprivate(");
    put_names(&b, j);
    cc_buf_printf(&b, ")%s\n    {\n", j->parallel);
    for (size_t i = 0; i < j->n; i++)
        cc_buf_printf(&b, "    long long corecast_here_%s = 0;\n    int corecast_found_%s = 0;\n",
                      j->choices[i].names.v[0], j->choices[i].names.v[0]);
    cc_buf_printf(&b, "    #pragma omp for%s nowait", j->share);
    return keep(&b, arena);
}

static void put_better(struct cc_buf *b, const struct cc_patch_loop *l, const struct cc_source_choice *c)
{
    const char *x = c->names.v[0], *op = better(c);
    cc_buf_printf(b,
                  "    if (corecast_found_%s && (!corecast_any_%s || %s %s corecast_%s ||\n"
                  "        (!(corecast_%s %s %s) && corecast_here_%s %s corecast_at_%s))) {\n",
                  x, x, x, op, x, x, op, x, x, l->descends != last_wins(c) ? ">" : "<", x);
    cc_buf_printf(b, "        corecast_any_%s = 1;\n        corecast_at_%s = corecast_here_%s;\n", x, x, x);
    for (size_t k = 0; k < c->names.n; k++)
        cc_buf_printf(b, "        corecast_%s = %s;\n", c->names.v[k], c->names.v[k]);
    cc_buf_puts(b, "    }\n");
}

static const char *back(const struct cc_patch_join *j, struct cc_arena *arena)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "    #pragma omp critical (corecast)\n    {\n");
    for (size_t i = 0; i < j->n; i++)
        put_better(&b, j->loop, &j->choices[i]);
    cc_buf_puts(&b, "    }\n    }\n");
    for (size_t i = 0; i < j->n; i++)
        for (size_t k = 0; k < j->choices[i].names.n; k++)
            cc_buf_printf(&b, "    %s = corecast_%s;\n", j->choices[i].names.v[k], j->choices[i].names.v[k]);
    cc_buf_puts(&b, "}");
    return keep(&b, arena);
}

size_t cc_patch_join(const struct cc_patch_join *j, struct cc_patch_edit ret[CC_PATCH_JOIN_EDITS],
                     struct cc_arena *arena)
{
    const struct cc_patch_loop *l = j->loop;
    size_t n = 0;
    ret[n++] = (struct cc_patch_edit){
        .line = l->line, .nth = (int)j->nth, .directive = front(j, arena), .comment = j->comment};
    for (size_t i = 0; i < j->n; i++) {
        struct cc_patch_edit e = {
            .splice = cc_arena_printf(arena, " corecast_found_%s = 1; corecast_here_%s = %s;",
                                      j->choices[i].names.v[0], j->choices[i].names.v[0], l->counter)};
        cc_patch_brace(j->text, j->choices[i].line, &e.line, &e.column);
        ret[n++] = e;
    }
    ret[n++] = (struct cc_patch_edit){
        .line = cc_patch_ends(j->text, l->line, j->nth), .behind = back(j, arena), .like = l->line};
    return n;
}
