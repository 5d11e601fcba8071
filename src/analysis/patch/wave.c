#include "wave.h"

#include <ctype.h>

/* --- heads --- */

struct piece {
    const char *s;
    int n;
};

struct head { /* for (left = start; test; step) rest */
    struct piece left, start, test, end, step, rest;
    bool inclusive, declared;
    bool plain; /* its start is a number or a name */
};

static struct piece trim(const char *from, const char *to)
{
    while (from < to && isspace((unsigned char)*from))
        from++;
    while (to > from && isspace((unsigned char)to[-1]))
        to--;
    return (struct piece){from, (int)(to - from)};
}

static bool is(struct piece p, const char *word)
{
    return (size_t)p.n == strlen(word) && memcmp(p.s, word, (size_t)p.n) == 0;
}

/* The next of these characters outside parentheses; NULL: there is none before the line ends, or something
 * stands there that is not looked into. */
static const char *find(const char *s, const char *line_end, const char *wanted)
{
    for (int depth = 0; s < line_end; s++) {
        if (strchr("\"'\\#", *s) || (*s == '/' && (s[1] == '/' || s[1] == '*')))
            return NULL;
        if (depth == 0 && strchr(wanted, *s))
            return s;
        depth += strchr("([{", *s) ? 1 : strchr(")]}", *s) ? -1 : 0;
    }
    return NULL;
}

/* `i < n` or `i <= n`, and nothing else. */
static bool read_test(struct head *h, const char *counter)
{
    const char *end = h->test.s + h->test.n, *less = memchr(h->test.s, '<', (size_t)h->test.n);
    if (!less || !is(trim(h->test.s, less), counter))
        return false;
    h->inclusive = less + 1 < end && less[1] == '=';
    h->end = trim(less + 1 + h->inclusive, end);
    return h->end.n > 0 && !find(h->end.s, h->end.s + h->end.n, "<>=!?,&|");
}

/* `int i = 1` or `i = 1`. */
static bool read_start(struct head *h, struct piece init, const char *counter)
{
    const char *equals = memchr(init.s, '=', (size_t)init.n);
    if (!equals || find(init.s, init.s + init.n, ","))
        return false;
    h->left = trim(init.s, equals);
    h->start = trim(equals + 1, init.s + init.n);
    size_t n = strlen(counter);
    h->declared = !is(h->left, counter);
    bool ends = (size_t)h->left.n >= n && memcmp(h->left.s + h->left.n - n, counter, n) == 0;
    h->plain = true;
    for (int i = 0; i < h->start.n; i++)
        h->plain = h->plain && (isalnum((unsigned char)h->start.s[i]) || h->start.s[i] == '_');
    return ends && h->start.n > 0 && (!h->declared || isspace((unsigned char)h->left.s[h->left.n - n - 1]));
}

/* The head of a `for` that its line begins with, all in that line. */
static bool read_head(const struct cc_patch_text *t, unsigned line, const char *counter, struct head *ret)
{
    const char *s = cc_patch_line(t, line), *end = cc_patch_line(t, line + 1);
    while (s < end && isspace((unsigned char)*s))
        s++;
    if (!counter || end - s < 4 || memcmp(s, "for", 3) != 0 || !(s = memchr(s, '(', (size_t)(end - s))))
        return false;
    const char *first = find(s + 1, end, ";"), *second = first ? find(first + 1, end, ";") : NULL,
               *close = second ? find(second + 1, end, ")") : NULL;
    if (!close)
        return false;
    ret->test = trim(first + 1, second);
    ret->step = trim(second + 1, close);
    ret->rest = (struct piece){close + 1, (int)(end - close - 1)};
    return read_test(ret, counter) && read_start(ret, trim(s + 1, first), counter);
}

static bool read_heads(const struct cc_patch_wave *w, struct head ret[2])
{
    return w->loop->line < w->loop->inner && w->nth == 0 &&
           read_head(w->text, w->loop->line, w->loop->counter, &ret[0]) &&
           read_head(w->text, w->loop->inner, w->loop->inner_counter, &ret[1]);
}

const char *cc_patch_refuses_wave(const struct cc_patch_wave *w, struct cc_arena *arena)
{
    struct head heads[2];
    const char *why = cc_patch_refuses_line(w->text, w->loop->inner, arena);
    if (why)
        return why;
    if (!read_heads(w, heads))
        return cc_arena_printf(arena,
                               "the heads in lines %u and %u are not written as for (i = a; i < b; i++)",
                               w->loop->line, w->loop->inner);
    if (cc_patch_ends(w->text, w->loop->line, w->nth) < w->loop->last_line)
        return "something else stands in the line in which the loop ends";
    return NULL;
}

/* --- writing --- */

static const char *keep(struct cc_buf *b, struct cc_arena *arena)
{
    const char *kept = cc_arena_strdup(arena, b->s);
    cc_buf_fini(b);
    return kept;
}

#define PIECE(p) (p).n, (p).s

/* As a number with a sign, whatever the counter's type: tiles may begin further to the left. */
static const char *start_of(const struct head *h, struct cc_arena *arena)
{
    bool number = h->plain;
    for (int i = 0; i < h->start.n; i++)
        number = number && isdigit((unsigned char)h->start.s[i]);
    return cc_arena_printf(arena,
                           number     ? "%.*s"
                           : h->plain ? "(long)%.*s"
                                      : "(long)(%.*s)",
                           PIECE(h->start));
}

const char *cc_patch_wave_pragma(const struct cc_patch_wave *w, struct cc_arena *arena)
{
    struct head h[2] = {0};
    bool outside = read_heads(w, h) && !h[0].declared;
    return outside ? cc_arena_printf(arena, "#pragma omp parallel for private(%s)%s schedule(static, 1)",
                                     w->loop->counter, w->clauses)
                   : cc_arena_printf(arena, "#pragma omp parallel for%s schedule(static, 1)", w->clauses);
}

static struct piece indentation(const struct cc_patch_text *t, unsigned line)
{
    const char *s = cc_patch_line(t, line);
    return (struct piece){s, (int)strspn(s, " \t")};
}

/* How many tiles there are in a direction. */
static void put_count(struct cc_buf *b, const struct cc_patch_wave *w, const char *name, const struct head *h)
{
    cc_buf_printf(b, "const long %s = ((long)(%.*s) - (long)(%.*s) + %u", name, PIECE(h->end),
                  PIECE(h->start), w->edge - 1 + h->inclusive);
}

static const char *front(const struct cc_patch_wave *w, const struct head h[2], struct cc_arena *arena)
{
    struct cc_buf b = {0};
    struct piece in = indentation(w->text, w->loop->line);
    if (w->comment)
        cc_buf_printf(&b, "%.*s%s\n", PIECE(in), w->comment);
    cc_buf_printf(&b, "%.*s{\n%.*s    ", PIECE(in), PIECE(in));
    put_count(&b, w, "corecast_rows", &h[0]);
    cc_buf_printf(&b, ") / %u;\n%.*s    ", w->edge, PIECE(in));
    put_count(&b, w, "corecast_columns", &h[1]);
    if (w->reach)
        cc_buf_printf(&b, " + %u * corecast_rows * %u", w->reach, w->edge);
    cc_buf_printf(&b, ") / %u;\n", w->edge);
    cc_buf_printf(
        &b,
        "%.*s    for (long corecast_diagonal = 0; corecast_diagonal < corecast_rows + corecast_columns - 1; "
        "corecast_diagonal++) {\n",
        PIECE(in));
    cc_buf_printf(&b,
                  "%.*s        const long corecast_first = corecast_diagonal < corecast_columns ? 0 : "
                  "corecast_diagonal - "
                  "corecast_columns + 1;\n",
                  PIECE(in));
    cc_buf_printf(
        &b,
        "%.*s        const long corecast_end = corecast_diagonal < corecast_rows ? corecast_diagonal + 1 : "
        "corecast_rows;\n",
        PIECE(in));
    cc_buf_printf(&b, "%.*s        %s\n", PIECE(in), cc_patch_wave_pragma(w, arena));
    cc_buf_printf(
        &b,
        "%.*s        for (long corecast_row = corecast_first; corecast_row < corecast_end; corecast_row++)\n",
        PIECE(in));
    const char *start = start_of(&h[0], arena);
    cc_buf_printf(
        &b,
        "%.*sfor (%.*s = %s + corecast_row * %u; %.*s && (long)%s < %s + (corecast_row + 1) * %u; %.*s)%.*s",
        PIECE(in), PIECE(h[0].left), start, w->edge, PIECE(h[0].test), w->loop->counter, start, w->edge,
        PIECE(h[0].step), PIECE(h[0].rest));
    return keep(&b, arena);
}

/* Columns of the tile; where rows look to the right, each row of it begins further to the left. */
static const char *columns(const struct cc_patch_wave *w, const struct head h[2], struct cc_arena *arena)
{
    struct cc_buf b = {0}, from = {0};
    const char *counter = w->loop->inner_counter;
    const char *start = start_of(&h[1], arena);
    cc_buf_printf(&from, "%s + (corecast_diagonal - corecast_row) * %u", start, w->edge);
    if (w->reach)
        cc_buf_printf(&from, " - %u * ((long)%s - %s)", w->reach, w->loop->counter, start_of(&h[0], arena));
    cc_buf_printf(&b, "%.*sfor (%.*s = ", PIECE(indentation(w->text, w->loop->inner)), PIECE(h[1].left));
    if (w->reach)
        cc_buf_printf(&b, "%s > %s ? %s : %s", from.s, start, from.s, start);
    else
        cc_buf_puts(&b, from.s);
    cc_buf_printf(&b, "; %.*s && (long)%s < %s + %u; %.*s)%.*s", PIECE(h[1].test), counter, from.s, w->edge,
                  PIECE(h[1].step), PIECE(h[1].rest));
    cc_buf_fini(&from);
    return keep(&b, arena);
}

void cc_patch_wave(const struct cc_patch_wave *w, struct cc_patch_edit ret[CC_PATCH_WAVE_EDITS],
                   struct cc_arena *arena)
{
    struct head h[2] = {0};
    read_heads(w, h);
    unsigned line = w->loop->line, inner = w->loop->inner;
    ret[0] = (struct cc_patch_edit){.line = line, .last = line, .nth = -1, .text = front(w, h, arena)};
    ret[1] = (struct cc_patch_edit){.line = inner, .last = inner, .nth = -1, .text = columns(w, h, arena)};
    ret[2] = (struct cc_patch_edit){
        .line = cc_patch_ends(w->text, line, w->nth), .behind = "    }\n}", .like = line};
}
