#include "tasks.h"

#include <ctype.h>

/* --- refusing --- */

static bool begins_with_word(const char *s, size_t size, const char *word)
{
    size_t n = strlen(word);
    return size >= n && memcmp(s, word, n) == 0 &&
           (size == n || !(isalnum((unsigned char)s[n]) || s[n] == '_'));
}

/* Semicolons outside strings, characters and comments, and what the text ends with. */
static unsigned count_ends(const char *s, size_t size, char *ret_last)
{
    unsigned n = 0;
    for (size_t i = 0; i < size; i++) {
        if (s[i] == '"' || s[i] == '\'') {
            char quote = s[i++];
            for (; i < size && s[i] != quote; i++)
                i += s[i] == '\\';
        } else if (s[i] == '/' && i + 1 < size && s[i + 1] == '/') {
            while (i + 1 < size && s[i] != '\n')
                i++;
        } else if (s[i] == '/' && i + 1 < size && s[i + 1] == '*') {
            for (i += 2; i + 1 < size && !(s[i] == '*' && s[i + 1] == '/'); i++)
                ;
            i++;
            continue;
        }
        n += s[i] == ';';
        if (!isspace((unsigned char)s[i]))
            *ret_last = s[i];
    }
    return n;
}

static const char *refuses_call(const struct cc_patch_text *t, const struct cc_patch_call *c,
                                struct cc_arena *arena)
{
    static const char *const words[] = {"else",   "case", "default", "for",    "while", "do",      "switch",
                                        "return", "goto", "static",  "extern", "auto",  "register"};
    const char *why = cc_patch_refuses_line(t, c->line, arena);
    for (unsigned l = c->line; !why && l <= c->last_line; l++)
        why = cc_patch_refuses_line(t, l, arena);
    if (why)
        return why;
    size_t size = cc_patch_line(t, c->last_line + 1) - cc_patch_line(t, c->line), blanks = 0;
    const char *s = cc_patch_line(t, c->line);
    while (blanks < size && isspace((unsigned char)s[blanks]))
        blanks++;
    bool odd = blanks == size || !(isalpha((unsigned char)s[blanks]) || strchr("_*(", s[blanks]));
    for (size_t i = 0; i < CC_COUNT(words); i++)
        odd = odd || (begins_with_word(s + blanks, size - blanks, words[i]) &&
                      !(c->inner && strcmp(words[i], "return") == 0));
    char last = 0;
    odd = odd || count_ends(s, size, &last) != 1 || (last != ';' && last != '}') ||
          memchr(s, '#', size) != NULL;
    if (odd)
        return cc_arena_printf(arena, "line %u has more in it than the statement", c->line);
    if (c->declares && (c->line != c->last_line || !cc_patch_declared(t, c, NULL, NULL)))
        return cc_arena_printf(arena, "the declaration in line %u would have to be split by hand", c->line);
    return NULL;
}

/* Where a call stands in a statement's text, blanks apart; false: a macro wrote it, or a comment is in it. */
static bool find_inner(const char *s, size_t size, const char *inner, size_t *ret_at, size_t *ret_end)
{
    for (size_t at = *ret_at; at < size; at++) {
        const char *p = inner;
        size_t i = at;
        bool inside = at && (isalnum((unsigned char)s[at - 1]) || s[at - 1] == '_') &&
                      (isalnum((unsigned char)*inner) || *inner == '_');
        while (*p && i < size && !inside) {
            if (isspace((unsigned char)*p))
                p++;
            else if (isspace((unsigned char)s[i]) && i > at)
                i++;
            else if (*p == s[i])
                p++, i++;
            else
                break;
        }
        if (!inside && !*p) {
            *ret_at = at;
            *ret_end = i;
            return true;
        }
    }
    return false;
}

/* The statement of `from` with its calls replaced by corecast_1 and so on; false: they are not found. */
static bool replace_inner(const char *s, size_t size, const struct cc_patch_calls *c, const size_t span[2],
                          struct cc_buf *ret)
{
    size_t done = 0;
    for (size_t i = span[0]; i < span[1]; i++) {
        size_t at = done, end;
        if (!find_inner(s, size, c->v.v[i].inner, &at, &end))
            return false;
        if (ret) {
            cc_buf_add(ret, s + done, at - done);
            cc_buf_printf(ret, "corecast_%zu", i - span[0] + 1);
        }
        done = end;
    }
    if (ret)
        cc_buf_add(ret, s + done, size - done);
    return true;
}

static const char *refuses_inner(const struct cc_patch_text *t, const struct cc_patch_calls *c, size_t from,
                                 size_t to, struct cc_arena *arena)
{
    const struct cc_patch_call *v = &c->v.v[from];
    const char *why = refuses_call(t, v, arena), *s = cc_patch_line(t, v->line);
    size_t size = (size_t)(cc_patch_line(t, v->last_line + 1) - s);
    if (!why && !replace_inner(s, size, c, (const size_t[]){from, to}, NULL))
        why = cc_arena_printf(arena, "the calls in line %u are written by a macro, or have comments in them",
                              v->line);
    return why;
}

const char *cc_patch_refuses_calls(const struct cc_patch_text *t, const struct cc_patch_calls *c, size_t from,
                                   size_t to, struct cc_arena *arena)
{
    if (c->v.v[from].inner)
        return refuses_inner(t, c, from, to, arena);
    for (size_t i = from; i < to; i++) {
        const char *why = refuses_call(t, &c->v.v[i], arena);
        if (why)
            return why;
        if (i > from && c->v.v[i].line <= c->v.v[i - 1].last_line)
            return cc_arena_printf(arena, "line %u has several of the calls", c->v.v[i].line);
        for (unsigned l = i > from ? c->v.v[i - 1].last_line + 1 : c->v.v[i].line; l < c->v.v[i].line; l++)
            if (memchr(cc_patch_line(t, l), '#', (size_t)(cc_patch_line(t, l + 1) - cc_patch_line(t, l))))
                return cc_arena_printf(arena, "line %u between the calls is one of the preprocessor", l);
    }
    return NULL;
}

/* --- writing --- */

/* `long x = f(n);` as `long x` and `x = f(n);`. */
bool cc_patch_declared(const struct cc_patch_text *t, const struct cc_patch_call *c, struct cc_buf *ret_decl,
                       struct cc_buf *ret_rest)
{
    const char *s = cc_patch_line(t, c->line), *end = cc_patch_line(t, c->line + 1);
    size_t n = strlen(c->declares);
    while (s < end && isspace((unsigned char)*s))
        s++;
    for (const char *p = s; p + n < end; p++) {
        bool word = memcmp(p, c->declares, n) == 0 && p > s && !isalnum((unsigned char)p[-1]) &&
                    p[-1] != '_' && !isalnum((unsigned char)p[n]) && p[n] != '_';
        const char *after = p + n;
        while (after < end && isspace((unsigned char)*after))
            after++;
        if (!word || after >= end || *after != '=')
            continue;
        bool constant = begins_with_word(s, (size_t)(p - s), "const"), star = memchr(s, '*', (size_t)(p - s));
        const char *from = constant && !star ? s + 5 : s;
        while (from < p && isspace((unsigned char)*from))
            from++;
        if (star && memmem(memchr(s, '*', (size_t)(p - s)),
                           (size_t)(p - (const char *)memchr(s, '*', (size_t)(p - s))), "const", 5))
            return false;
        if (ret_decl)
            cc_buf_printf(ret_decl, "%.*s%s;", (int)(p - from), from, c->declares);
        if (ret_rest)
            cc_buf_add(ret_rest, p, (size_t)(end - p));
        return true;
    }
    return false;
}

struct writer {
    const struct cc_patch_text *t;
    struct cc_buf b;
    const char *blanks;
    int nblanks;
};

static void put(struct writer *w, unsigned deeper, const char *text)
{
    cc_buf_printf(&w->b, "%.*s%*s%s\n", w->nblanks, w->blanks, (int)(4 * deeper), "", text);
}

/* The statement's lines, so much deeper. */
static void put_call(struct writer *w, unsigned deeper, const struct cc_patch_call *c)
{
    if (c->declares) {
        cc_buf_printf(&w->b, "%.*s%*s", w->nblanks, w->blanks, (int)(4 * deeper), "");
        cc_patch_declared(w->t, c, NULL, &w->b);
        return;
    }
    for (unsigned l = c->line; l <= c->last_line; l++)
        cc_buf_printf(&w->b, "%*s%.*s", (int)(4 * deeper), "",
                      (int)(cc_patch_line(w->t, l + 1) - cc_patch_line(w->t, l)), cc_patch_line(w->t, l));
}

static void put_declarations(struct writer *w, const struct cc_patch_tasks *x)
{
    for (size_t i = x->from; i < (x->calls->v.v[x->from].inner ? x->from + 1 : x->to); i++) {
        struct cc_buf text = {0};
        if (x->calls->v.v[i].declares && cc_patch_declared(w->t, &x->calls->v.v[i], &text, NULL))
            put(w, 0, text.s);
        cc_buf_fini(&text);
    }
}

/* --- calls of one expression: each in a variable of its own, then the expression of these --- */

static void put_variables(struct writer *w, unsigned deeper, const struct cc_patch_tasks *x)
{
    for (size_t i = x->from; i < x->to && x->calls->v.v[i].inner; i++) {
        struct cc_buf text = {0};
        cc_buf_printf(&text, "__typeof__(%s) corecast_%zu;", x->calls->v.v[i].inner, i - x->from + 1);
        put(w, deeper, text.s);
        cc_buf_fini(&text);
    }
}

static void put_inner(struct writer *w, unsigned deeper, const struct cc_patch_tasks *x, size_t i)
{
    struct cc_buf text = {0};
    cc_buf_printf(&text, "corecast_%zu = %s;", i - x->from + 1, x->calls->v.v[i].inner);
    put(w, deeper, text.s);
    cc_buf_fini(&text);
}

static void put_expression(struct writer *w, unsigned deeper, const struct cc_patch_tasks *x)
{
    struct writer own = *w;
    struct cc_buf text = {0};
    own.b = (struct cc_buf){0};
    put_call(&own, deeper, &x->calls->v.v[x->from]);
    replace_inner(own.b.s, own.b.n, x->calls, (const size_t[]){x->from, x->to}, &text);
    cc_buf_add(&w->b, text.s, text.n);
    cc_buf_fini(&text);
    cc_buf_fini(&own.b);
}

static void put_one(struct writer *w, unsigned deeper, const struct cc_patch_tasks *x, size_t i)
{
    if (x->calls->v.v[i].inner)
        put_inner(w, deeper, x, i);
    else
        put_call(w, deeper, &x->calls->v.v[i]);
}

static void put_task(struct writer *w, const struct cc_patch_tasks *x, size_t at)
{
    const struct cc_patch_call *c = &x->calls->v.v[at];
    struct cc_buf text = {0};
    cc_buf_puts(&text, "#pragma omp task");
    for (size_t i = 0; i < c->shared.n; i++)
        cc_buf_printf(&text, "%s%s", i ? ", " : " shared(", c->shared.v[i]);
    if (c->inner)
        cc_buf_printf(&text, "%scorecast_%zu", c->shared.n ? ", " : " shared(", at - x->from + 1);
    cc_buf_puts(&text, c->shared.n || c->inner ? ")" : "");
    put(w, 2, text.s);
    cc_buf_fini(&text);
    put(w, 2, "{");
    put(w, 3, "corecast_depth = corecast_level;");
    put_one(w, 3, x, at);
    put(w, 3, "corecast_depth = 0;");
    put(w, 2, "}");
}

static void put_recursion(struct writer *w, const struct cc_patch_tasks *x)
{
    struct cc_buf text = {0};
    cc_buf_printf(&text, "if (corecast_depth >= %u) {", x->depth);
    put(w, 0, "{");
    put(w, 1, "static int corecast_depth; /* of tasks in tasks */");
    put(w, 1, "#pragma omp threadprivate(corecast_depth)");
    put(w, 1, text.s);
    cc_buf_fini(&text);
    bool inner = x->calls->v.v[x->from].inner != NULL;
    for (size_t i = x->from; i < (inner ? x->from + 1 : x->to); i++)
        put_call(w, 2, &x->calls->v.v[i]);
    put(w, 1, "} else {");
    put(w, 2, "const int corecast_level = corecast_depth + 1;");
    put_variables(w, 2, x);
    for (size_t i = x->from; i < x->to; i++)
        put_task(w, x, i);
    if (!x->loose)
        put(w, 2, "#pragma omp taskwait");
    put(w, 2, "corecast_depth = corecast_level - 1;");
    if (inner)
        put_expression(w, 2, x);
    put(w, 1, "}");
    put(w, 0, "}");
}

static void put_sections(struct writer *w, const struct cc_patch_tasks *x)
{
    struct cc_buf text = {0};
    const unsigned inner = x->calls->v.v[x->from].inner != NULL;
    cc_buf_puts(&text, "#pragma omp parallel sections");
    if (x->threads)
        cc_buf_printf(&text, " num_threads(%u)", x->threads);
    if (inner)
        put(w, 0, "{");
    put_variables(w, 1, x);
    put(w, inner, text.s);
    cc_buf_fini(&text);
    put(w, inner, "{");
    for (size_t i = x->from; i < x->to; i++) {
        put(w, inner + 1, "#pragma omp section");
        put_one(w, inner + 1, x, i);
    }
    put(w, inner, "}");
    if (!inner)
        return;
    put_expression(w, 1, x);
    put(w, 0, "}");
}

static struct writer writer_at(const struct cc_patch_text *t, unsigned line)
{
    struct writer w = {.t = t, .blanks = cc_patch_line(t, line)};
    while (w.blanks[w.nblanks] == ' ' || w.blanks[w.nblanks] == '\t')
        w.nblanks++;
    return w;
}

static const char *finish(struct writer *w, struct cc_arena *arena)
{
    const char *kept = cc_arena_strdup(arena, w->b.s);
    cc_buf_fini(&w->b);
    return kept;
}

const char *cc_patch_tasks(const struct cc_patch_text *t, const struct cc_patch_tasks *x,
                           struct cc_arena *arena)
{
    struct writer w = writer_at(t, x->calls->v.v[x->from].line);
    if (x->comment)
        put(&w, 0, x->comment);
    put_declarations(&w, x);
    if (x->depth)
        put_recursion(&w, x);
    else
        put_sections(&w, x);
    return finish(&w, arena);
}

const char *cc_patch_region(const struct cc_patch_text *t, const struct cc_patch_call *call, unsigned threads,
                            struct cc_arena *arena)
{
    struct writer w = writer_at(t, call->line);
    struct cc_buf text = {0};
    if (call->declares && cc_patch_declared(t, call, &text, NULL))
        put(&w, 0, text.s);
    cc_buf_fini(&text);
    cc_buf_puts(&text, "#pragma omp parallel");
    if (threads)
        cc_buf_printf(&text, " num_threads(%u)", threads);
    put(&w, 0, text.s);
    cc_buf_fini(&text);
    put(&w, 0, "#pragma omp single");
    put_call(&w, 0, call);
    return finish(&w, arena);
}
