#include "patch.h"

#include <ctype.h>

struct word { /* a `for` */
    unsigned line;
    uint32_t at;
    bool directive; /* in a line of the preprocessor */
};

struct cc_patch_text {
    char *text;
    size_t size;
    CC_VEC(uint32_t) lines; /* where each begins; the last is the end of the text */
    CC_VEC(struct word) fors;
};

/* --- reading --- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Behind a comment, string or character that begins at i; i if none does. */
static size_t skip(const struct cc_patch_text *t, size_t i)
{
    const char *s = t->text;
    size_t n = t->size;
    if (s[i] == '/' && i + 1 < n && s[i + 1] == '/') {
        while (i < n && (s[i] != '\n' || s[i - 1] == '\\'))
            i++;
        return i;
    }
    if (s[i] == '/' && i + 1 < n && s[i + 1] == '*') {
        for (i += 2; i + 1 < n && !(s[i] == '*' && s[i + 1] == '/'); i++)
            ;
        return CC_MIN(i + 2, n);
    }
    if (s[i] == '"' || s[i] == '\'') {
        char quote = s[i++];
        for (; i < n && s[i] != quote && s[i] != '\n'; i++)
            i += s[i] == '\\';
        return CC_MIN(i + 1, n);
    }
    return i;
}

static unsigned count_lines(const struct cc_patch_text *t, size_t from, size_t to)
{
    unsigned n = 0;
    for (; from < to; from++)
        n += t->text[from] == '\n';
    return n;
}

static size_t skip_blanks(const struct cc_patch_text *t, size_t i)
{
    for (size_t behind; i < t->size; i = behind) {
        bool comment = t->text[i] == '/' && i + 1 < t->size && strchr("/*", t->text[i + 1]);
        behind = isspace((unsigned char)t->text[i]) ? i + 1 : comment ? skip(t, i) : i;
        if (behind == i)
            break;
    }
    return i;
}

/* Behind what closes the parenthesis or brace at i; the end of the text if nothing does. */
static size_t skip_pair(const struct cc_patch_text *t, size_t i)
{
    for (int depth = 0; i < t->size;) {
        size_t behind = skip(t, i);
        if (behind != i) {
            i = behind;
            continue;
        }
        depth += strchr("([{", t->text[i]) ? 1 : strchr(")]}", t->text[i]) ? -1 : 0;
        i++;
        if (depth == 0)
            break;
    }
    return i;
}

static bool is_at(const struct cc_patch_text *t, size_t i, const char *word)
{
    size_t n = strlen(word);
    return t->size - i > n && memcmp(t->text + i, word, n) == 0 && !is_word(t->text[i + n]);
}

/* `while (…)` with something to repeat: not the end of a `do`. Heads are short. */
static bool is_while(const struct cc_patch_text *t, size_t i)
{
    enum { HEAD = 4096 };
    struct cc_patch_text near = *t;
    near.size = CC_MIN(t->size, i + HEAD);
    size_t open = is_at(&near, i, "while") ? skip_blanks(&near, i + strlen("while")) : near.size;
    size_t behind =
        open < near.size && t->text[open] == '(' ? skip_blanks(&near, skip_pair(&near, open)) : near.size;
    return behind < near.size && t->text[behind] != ';';
}

static void find_fors(struct cc_patch_text *t)
{
    unsigned line = 1;
    bool fresh = true, directive = false;
    for (size_t i = 0; i < t->size;) {
        char c = t->text[i];
        size_t behind = skip(t, i);
        if (behind != i) {
            line += count_lines(t, i, behind);
            i = behind;
            continue;
        }
        if (c == '\n') {
            bool goes_on = i > 0 && (t->text[i - 1] == '\\' ||
                                     (t->text[i - 1] == '\r' && i > 1 && t->text[i - 2] == '\\'));
            directive = directive && goes_on;
            fresh = !goes_on;
            line++;
        } else if (c == '#' && fresh) {
            directive = true;
        }
        fresh = fresh && (c == '\n' || isspace((unsigned char)c));
        size_t end = i;
        while (end < t->size && is_word(t->text[end]))
            end++;
        bool is_for = end - i == 3 && memcmp(t->text + i, "for", 3) == 0;
        if (is_for || is_while(t, i))
            CC_VEC_PUSH(&t->fors, (struct word){line, (uint32_t)i, directive});
        i = end > i ? end : i + 1;
    }
}

struct cc_patch_text *cc_patch_text_new(const char *text, size_t size)
{
    struct cc_patch_text *t = cc_alloc(sizeof *t);
    t->text = cc_strndup(text, size);
    t->size = strlen(t->text); /* what follows a NUL is no source */
    CC_VEC_PUSH(&t->lines, 0);
    for (size_t i = 0; i < t->size; i++)
        if (t->text[i] == '\n' && i + 1 < t->size)
            CC_VEC_PUSH(&t->lines, (uint32_t)i + 1);
    if (t->size)
        CC_VEC_PUSH(&t->lines, (uint32_t)t->size);
    find_fors(t);
    return t;
}

void cc_patch_text_free(struct cc_patch_text *t)
{
    if (!t)
        return;
    free(t->text);
    CC_VEC_FINI(&t->lines);
    CC_VEC_FINI(&t->fors);
    free(t);
}

static size_t line_count(const struct cc_patch_text *t)
{
    return t->lines.n - 1;
}

static const char *line_at(const struct cc_patch_text *t, unsigned line, size_t *ret_size)
{
    *ret_size = t->lines.v[line] - t->lines.v[line - 1];
    return t->text + t->lines.v[line - 1];
}

/* Without blanks around it; its length in *ret_size. */
static const char *trimmed(const struct cc_patch_text *t, unsigned line, size_t *ret_size)
{
    const char *s = line_at(t, line, ret_size);
    while (*ret_size && isspace((unsigned char)s[*ret_size - 1]))
        --*ret_size;
    while (*ret_size && isspace((unsigned char)*s))
        s++, --*ret_size;
    return s;
}

/* --- refusing --- */

static bool begins(const char *s, size_t size, const char *with)
{
    return size >= strlen(with) && memcmp(s, with, strlen(with)) == 0;
}

enum pragma { PRAGMA_NONE, PRAGMA_OMP, PRAGMA_LOOP, PRAGMA_OTHER };

/* What is said of the loop that follows has to stay with it; what marks a region (`scop`, `diagnostic`) says
 * nothing of a loop. */
static enum pragma pragma_of(const char *words, size_t size)
{
    static const char *const of_loops[] = {"GCC ivdep", "GCC unroll", "GCC novector", "clang loop",
                                           "unroll",    "nounroll",   "ivdep",        "simd",
                                           "vector",    "novector",   "loop",         "acc",
                                           "HLS",       "prefetch",   "distribute",   "parallel"};
    if (begins(words, size, "omp"))
        return PRAGMA_OMP;
    for (size_t i = 0; i < CC_COUNT(of_loops); i++)
        if (begins(words, size, of_loops[i]))
            return PRAGMA_LOOP;
    return PRAGMA_OTHER;
}

static enum pragma pragma_in(const char *s, size_t size)
{
    size_t i = 0;
    if (begins(s, size, "_Pragma"))
        return PRAGMA_LOOP;
    if (!size || s[i++] != '#')
        return PRAGMA_NONE;
    while (i < size && (s[i] == ' ' || s[i] == '\t'))
        i++;
    if (!begins(s + i, size - i, "pragma"))
        return PRAGMA_NONE;
    for (i += 6; i < size && (s[i] == ' ' || s[i] == '\t');)
        i++;
    return pragma_of(s + i, size - i);
}

static bool ends_open(const struct cc_patch_text *t, unsigned line)
{
    size_t size;
    const char *s = trimmed(t, line, &size);
    return size && s[size - 1] == '\\';
}

/* The last line above that has something in it, blank lines, lines of comment and `#endif` left out; of one
 * that goes over several lines the first. */
static unsigned line_above(const struct cc_patch_text *t, unsigned line)
{
    while (--line >= 1) {
        while (line > 1 && ends_open(t, line - 1))
            line--;
        size_t size;
        const char *s = trimmed(t, line, &size);
        bool comment = begins(s, size, "//") || begins(s, size, "/*") || begins(s, size, "*");
        bool directive = size && *s == '#' && pragma_in(s, size) == PRAGMA_NONE;
        if (size && !comment && !directive)
            return line;
    }
    return 0;
}

const char *cc_patch_line(const struct cc_patch_text *t, unsigned line)
{
    return t->text + t->lines.v[CC_MIN((size_t)line, t->lines.n) - 1];
}

const char *cc_patch_refuses_line(const struct cc_patch_text *t, unsigned line, struct cc_arena *arena)
{
    if (line < 1 || line > line_count(t))
        return cc_arena_printf(arena, "the file has no line %u", line);
    if (ends_open(t, line) || (line > 1 && ends_open(t, line - 1)))
        return cc_arena_printf(arena, "line %u is a part of a macro or goes on in the next line", line);
    unsigned above = line_above(t, line);
    size_t size;
    const char *s = above ? trimmed(t, above, &size) : NULL;
    enum pragma pragma = s ? pragma_in(s, size) : PRAGMA_NONE;
    if (pragma == PRAGMA_OMP)
        return cc_arena_printf(arena, "line %u is an OpenMP directive already", above);
    if (pragma == PRAGMA_LOOP)
        return cc_arena_printf(arena, "the pragma of line %u has to stay directly in front of it", above);
    return NULL;
}

/* Whether the line begins with `EACH(`: what a directive in front of it is for, once it is expanded. */
static bool is_macro_call(const struct cc_patch_text *t, unsigned line)
{
    size_t size, i = 0;
    if (line < 1 || line > line_count(t))
        return false;
    const char *s = trimmed(t, line, &size);
    while (i < size && is_word(s[i]))
        i++;
    bool named = i > 0 && !isdigit((unsigned char)*s);
    while (i < size && (s[i] == ' ' || s[i] == '\t'))
        i++;
    return named && i < size && s[i] == '(';
}

const char *cc_patch_refuses(const struct cc_patch_text *t, const struct cc_patch_loop *loop, unsigned nth,
                             unsigned loops, struct cc_arena *arena)
{
    unsigned here = 0;
    for (size_t i = 0; i < t->fors.n; i++) {
        here += t->fors.v[i].line == loop->line;
        if (t->fors.v[i].line == loop->line && t->fors.v[i].directive)
            return cc_arena_printf(arena, "line %u is a line of the preprocessor", loop->line);
    }
    bool macro = here == 0 && loop->leads && nth == 0 && is_macro_call(t, loop->line);
    if (!macro && here && here < loops)
        return cc_arena_printf(arena,
                               "a macro writes loops into line %u beside those that stand there: give each a "
                               "line of its own",
                               loop->line);
    if (!macro && (here != loops || nth >= here))
        return cc_arena_printf(arena, "the loop of line %u is written by a macro", loop->line);
    for (unsigned l = loop->line; l <= loop->last_line && l <= line_count(t); l++) {
        size_t size;
        const char *s = trimmed(t, l, &size);
        if (pragma_in(s, size) == PRAGMA_OMP)
            return cc_arena_printf(arena, "line %u in it is an OpenMP directive already", l);
    }
    return cc_patch_refuses_line(t, loop->line, arena);
}

/* How many bytes of s the words of `want` are, blanks aside, if a semicolon follows; 0: it is something else.
 */
static size_t matches(const char *s, size_t size, const char *want)
{
    size_t k = 0;
    for (; *want; want++) {
        if (*want == ' ')
            continue;
        while (k < size && isspace((unsigned char)s[k]))
            k++;
        if (k >= size || s[k++] != *want)
            return 0;
    }
    size_t end = k;
    while (k < size && isspace((unsigned char)s[k]))
        k++;
    return k < size && s[k] == ';' ? end : 0;
}

/* Whether a statement can begin behind the first n bytes of a line, in which no comment and no text is. */
static bool begins_behind(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        bool comment = i + 1 < n && ((s[i] == '/' && (s[i + 1] == '/' || s[i + 1] == '*')) ||
                                     (s[i] == '*' && s[i + 1] == '/'));
        if (comment || s[i] == '"' || s[i] == '\'' || s[i] == '#')
            return false;
    }
    while (n && isspace((unsigned char)s[n - 1]))
        n--;
    return n && strchr("){};", s[n - 1]);
}

bool cc_patch_update_column(const struct cc_patch_text *t, const struct cc_patch_update *u, unsigned *ret)
{
    size_t size, found = 0;
    if (u->line < 1 || u->line > line_count(t))
        return false;
    const char *s = line_at(t, u->line, &size), *first = trimmed(t, u->line, &size);
    size_t lead = (size_t)(first - s), all = lead + size;
    if (matches(first, size, u->text)) {
        *ret = 0;
        found++;
    }
    for (size_t i = lead + 1; i < all; i++)
        if (!isspace((unsigned char)s[i]) && begins_behind(s, i) && matches(s + i, all - i, u->text)) {
            *ret = (unsigned)i;
            found++;
        }
    return found == 1;
}

const char *cc_patch_refuses_update(const struct cc_patch_text *t, const struct cc_patch_update *u,
                                    struct cc_arena *arena)
{
    unsigned column;
    const char *refused = cc_patch_refuses_line(t, u->line, arena);
    if (refused)
        return refused;
    return cc_patch_update_column(t, u, &column)
               ? NULL
               : cc_arena_printf(arena, "line %u has more in it than the update", u->line);
}

/* --- statements, as far as the text tells --- */

/* Behind `word (...)`; i if there is no such thing. */
static size_t skip_head(const struct cc_patch_text *t, size_t i)
{
    static const char *const words[] = {"for", "while", "if", "switch"};
    for (size_t k = 0; k < CC_COUNT(words); k++) {
        size_t open = is_at(t, i, words[k]) ? skip_blanks(t, i + strlen(words[k])) : t->size;
        if (open < t->size && t->text[open] == '(')
            return skip_pair(t, open);
    }
    return i;
}

static size_t skip_statement(const struct cc_patch_text *t, size_t i, unsigned depth)
{
    i = skip_blanks(t, i);
    if (i >= t->size || depth > 100)
        return t->size;
    if (t->text[i] == '{')
        return skip_pair(t, i);
    bool chooses = is_at(t, i, "if");
    size_t body = is_at(t, i, "do") ? i + 2 : skip_head(t, i);
    if (body != i) {
        bool once = is_at(t, i, "do");
        i = skip_statement(t, body, depth + 1);
        size_t next = skip_blanks(t, i);
        if (chooses && next < t->size && is_at(t, next, "else"))
            return skip_statement(t, next + 4, depth + 1);
        if (!once)
            return i;
    }
    while (i < t->size && t->text[i] != ';' && t->text[i] != '}') {
        size_t behind = skip(t, i);
        i = strchr("([{", t->text[i]) ? skip_pair(t, i) : behind != i ? behind : i + 1;
    }
    return CC_MIN(i + 1, t->size);
}

/* The line of a place, if only blanks and comments follow it there; 0: more does. */
static unsigned ends_line(const struct cc_patch_text *t, size_t i)
{
    unsigned line = 1 + count_lines(t, 0, i);
    return line <= line_count(t) && skip_blanks(t, i) >= t->lines.v[line] ? line : 0;
}

unsigned cc_patch_ends(const struct cc_patch_text *t, unsigned line, unsigned nth)
{
    for (size_t i = 0; i < t->fors.n; i++)
        if (t->fors.v[i].line == line && nth-- == 0)
            return ends_line(t, skip_statement(t, t->fors.v[i].at, 0));
    return 0;
}

bool cc_patch_brace(const struct cc_patch_text *t, unsigned line, unsigned *ret_line, unsigned *ret_column)
{
    size_t found = t->size;
    if (line < 1 || line > line_count(t))
        return false;
    for (size_t i = t->lines.v[line - 1], behind; i < t->lines.v[line]; i = behind) {
        behind = skip(t, i);
        if (behind != i)
            continue;
        while (behind < t->size && is_word(t->text[behind]))
            behind++;
        if (is_at(t, i, "if") && found < t->size)
            return false;
        found = is_at(t, i, "if") ? i : found;
        behind = CC_MAX(behind, i + 1);
    }
    size_t open = found < t->size ? skip_blanks(t, skip_head(t, found)) : t->size;
    if (open >= t->size || t->text[open] != '{')
        return false;
    *ret_line = 1 + count_lines(t, 0, open);
    *ret_column = (unsigned)(open + 1 - t->lines.v[*ret_line - 1]);
    return true;
}

unsigned cc_patch_statement_ends(const struct cc_patch_text *t, unsigned first, unsigned last)
{
    if (first < 1 || last < first || last > line_count(t))
        return 0;
    size_t i = t->lines.v[first - 1];
    for (unsigned line = 0; line < last; line = 1 + count_lines(t, 0, i)) {
        if (i >= t->size)
            return 0;
        i = skip_statement(t, i, 0);
    }
    return ends_line(t, i);
}

bool cc_patch_statements(const struct cc_patch_text *t, unsigned first, unsigned last)
{
    if (first < 1 || last < first || last > line_count(t))
        return false;
    for (unsigned l = first; l <= last; l++) {
        size_t size;
        const char *s = trimmed(t, l, &size);
        if (size && (*s == '#' || s[size - 1] == '\\'))
            return false;
    }
    size_t i = t->lines.v[first - 1], end = t->lines.v[last];
    for (size_t next; (next = skip_blanks(t, i)) < end;) {
        if (t->text[next] == '}')
            return false;
        i = skip_statement(t, next, 0);
    }
    return i > t->lines.v[first - 1] && i <= end;
}

/* --- writing --- */

/* In a line: directives by the `for` they stand in front of, what is put into it by its place, what stands
 * behind it. */
static int by_place(const void *a, const void *b)
{
    const struct cc_patch_edit *x = a, *y = b;
    if (x->line != y->line)
        return x->line < y->line ? -1 : 1;
    int i = x->behind ? 2 : x->splice ? 1 : 0, k = y->behind ? 2 : y->splice ? 1 : 0;
    if (i != k)
        return i - k;
    if (i < 2 && x->column != y->column)
        return x->column < y->column ? -1 : 1;
    return (x->nth > y->nth) - (x->nth < y->nth);
}

/* A line of the result: `old` of them stay as they are, or one of the source becomes some others. */
struct change {
    unsigned line, old; /* old: lines that it takes the place of */
    struct cc_buf text; /* what stands in its place */
    unsigned lines;
};

static size_t indentation(const struct cc_patch_text *t, unsigned line)
{
    size_t size, blanks = 0;
    const char *s = line_at(t, line, &size);
    while (blanks < size && (s[blanks] == ' ' || s[blanks] == '\t'))
        blanks++;
    return blanks;
}

static size_t column_of(const struct cc_patch_text *t, const struct cc_patch_edit *e)
{
    int left = e->nth;
    for (size_t i = 0; e->nth >= 0 && i < t->fors.n; i++)
        if (t->fors.v[i].line == e->line && left-- == 0)
            return t->fors.v[i].at - t->lines.v[e->line - 1];
    return e->nth < 0 && !e->splice ? e->column : 0;
}

static void sort(const struct cc_patch_text *t, struct cc_patch_edit *edits, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (edits[i].nth >= 0 && !edits[i].splice)
            edits[i].column = (unsigned)column_of(t, &edits[i]);
    if (n)
        qsort(edits, n, sizeof *edits, by_place);
}

static unsigned count_text(const char *text)
{
    unsigned n = 0;
    for (; *text; text++)
        n += *text == '\n';
    return n;
}

static unsigned lines_of(const char *text)
{
    return text ? count_text(text) + 1 : 0;
}

static unsigned added(const struct cc_patch_text *t, const struct cc_patch_edit *e)
{
    if (e->text)
        return count_text(e->text) - (e->last - e->line + 1);
    if (e->splice || e->behind)
        return lines_of(e->behind);
    return (column_of(t, e) > indentation(t, e->line)) + lines_of(e->directive) + lines_of(e->comment) +
           lines_of(e->before);
}

unsigned cc_patch_original(const struct cc_patch_text *t, struct cc_patch_edit *edits, size_t n,
                           unsigned line)
{
    unsigned moved = 0;
    sort(t, edits, n);
    for (size_t i = 0; i < n && line >= edits[i].line + moved + (edits[i].behind != NULL); i++) {
        moved += added(t, &edits[i]);
        if (edits[i].behind && line <= edits[i].line + moved)
            return edits[i].line;
        unsigned end = edits[i].text ? edits[i].last + 1 : edits[i].line;
        if (line < end + moved)
            return edits[i].line;
    }
    return line - moved;
}

static void add_line(struct change *c, const char *blanks, size_t nblanks, const char *text, bool crlf)
{
    for (const char *end; text; text = *end ? end + 1 : NULL) {
        end = strchrnul(text, '\n');
        cc_buf_add(&c->text, blanks, nblanks);
        cc_buf_add(&c->text, text, (size_t)(end - text));
        cc_buf_puts(&c->text, crlf ? "\r\n" : "\n");
        c->lines++;
    }
}

static void put_behind(const struct cc_patch_text *t, const struct cc_patch_edit *first,
                       const struct cc_patch_edit *end, bool crlf, struct change *ret)
{
    for (const struct cc_patch_edit *e = first; e < end; e++)
        if (e->behind)
            add_line(ret, cc_patch_line(t, e->like), indentation(t, e->like), e->behind, crlf);
}

/* The edits of one line: from first up to but not with `end`. */
static void change_line(const struct cc_patch_text *t, const struct cc_patch_edit *first,
                        const struct cc_patch_edit *end, struct change *ret)
{
    size_t size, blanks = indentation(t, first->line), done = 0;
    const char *s = line_at(t, first->line, &size);
    bool crlf = size > 1 && s[size - 1] == '\n' && s[size - 2] == '\r';
    *ret = (struct change){.line = first->line, .old = 1, .lines = 1};
    if (first->text) {
        ret->old = first->last - first->line + 1;
        ret->lines = count_text(first->text);
        cc_buf_puts(&ret->text, first->text);
        put_behind(t, first + 1, end, crlf, ret);
        return;
    }
    for (const struct cc_patch_edit *e = first; e < end && !e->behind; e++) {
        size_t column = CC_MAX(column_of(t, e), blanks);
        if (e->splice) {
            cc_buf_add(&ret->text, s + done, e->column - done);
            cc_buf_puts(&ret->text, e->splice);
            done = e->column;
            continue;
        }
        if (column > blanks) { /* the line goes on behind the directive */
            size_t keep = column;
            while (keep > done && (s[keep - 1] == ' ' || s[keep - 1] == '\t'))
                keep--;
            cc_buf_add(&ret->text, s + done, keep - done);
            cc_buf_puts(&ret->text, crlf ? "\r\n" : "\n");
            ret->lines++;
        }
        if (e->before)
            add_line(ret, s, blanks, e->before, crlf);
        if (e->comment)
            add_line(ret, s, blanks, e->comment, crlf);
        add_line(ret, s, blanks, e->directive, crlf);
        if (column > blanks)
            cc_buf_add(&ret->text, s, blanks);
        done = column > blanks ? column : 0;
    }
    cc_buf_add(&ret->text, s + done, size - done);
    if (end[-1].behind && (!size || s[size - 1] != '\n'))
        cc_buf_puts(&ret->text, "\n");
    put_behind(t, first, end, crlf, ret);
}

enum { CONTEXT = 3 };

static void put_lines(struct cc_buf *b, char sign, const char *text, size_t size)
{
    for (size_t i = 0; i < size;) {
        const char *newline = memchr(text + i, '\n', size - i);
        size_t n = newline ? (size_t)(newline - text) + 1 - i : size - i;
        cc_buf_add(b, &sign, 1);
        cc_buf_add(b, text + i, n);
        if (!newline)
            cc_buf_puts(b, "\n\\ No newline at end of file\n");
        i += n;
    }
}

static void put_context(const struct cc_patch_text *t, struct cc_buf *b, unsigned from, unsigned to)
{
    for (unsigned l = from; l < to; l++) {
        size_t size;
        const char *s = line_at(t, l, &size);
        put_lines(b, ' ', s, size);
    }
}

/* What of a change is new: the line itself often stays as it is, at the end. */
static void put_change(const struct cc_patch_text *t, struct cc_buf *b, const struct change *c)
{
    const char *s = cc_patch_line(t, c->line);
    size_t size = (size_t)(cc_patch_line(t, c->line + c->old) - s);
    bool stays = c->text.n > size && memcmp(c->text.s + c->text.n - size, s, size) == 0 &&
                 c->text.s[c->text.n - size - 1] == '\n';
    bool leads = !stays && c->text.n > size && memcmp(c->text.s, s, size) == 0 && size && s[size - 1] == '\n';
    if (!stays)
        put_lines(b, leads ? ' ' : '-', s, size);
    if (leads)
        put_lines(b, '+', c->text.s + size, c->text.n - size);
    else
        put_lines(b, '+', c->text.s, stays ? c->text.n - size : c->text.n);
    if (stays)
        put_lines(b, ' ', s, size);
}

static void put_hunk(const struct cc_patch_text *t, const struct change *first, const struct change *end,
                     long moved, struct cc_buf *b)
{
    unsigned from = first->line > CONTEXT ? first->line - CONTEXT : 1, at = from;
    unsigned to = CC_MIN(end[-1].line + end[-1].old + CONTEXT, (unsigned)line_count(t) + 1);
    unsigned more = 0;
    for (const struct change *c = first; c < end; c++)
        more += c->lines - c->old;
    cc_buf_printf(b, "@@ -%u,%u +%ld,%u @@\n", from, to - from, (long)from + moved, to - from + more);
    for (const struct change *c = first; c < end; c++) {
        put_context(t, b, at, c->line);
        put_change(t, b, c);
        at = c->line + c->old;
    }
    put_context(t, b, at, to);
}

static void put_text(const struct cc_patch_text *t, const struct change *changes, size_t n,
                     struct cc_buf *ret)
{
    uint32_t done = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t from = t->lines.v[changes[i].line - 1];
        cc_buf_add(ret, t->text + done, from - done);
        cc_buf_add(ret, changes[i].text.s, changes[i].text.n);
        done = (uint32_t)(cc_patch_line(t, changes[i].line + changes[i].old) - t->text);
    }
    cc_buf_add(ret, t->text + done, t->size - done);
}

void cc_patch_write(const struct cc_patch_text *t, struct cc_patch_edit *edits, size_t n, const char *name,
                    struct cc_buf *ret_diff, struct cc_buf *ret_text)
{
    CC_VEC(struct change) changes = {0};
    sort(t, edits, n);
    for (size_t i = 0, k; i < n; i = k) {
        struct change c;
        for (k = i + 1; k < n && edits[k].line == edits[i].line; k++)
            ;
        change_line(t, &edits[i], &edits[k], &c);
        CC_VEC_PUSH(&changes, c);
    }
    const char *end =
        strchr(name, ' ') ? "\t" : ""; /* patch(1) takes a name to end at a blank unless a tab follows */
    if (changes.n)
        cc_buf_printf(ret_diff, "--- a/%s%s\n+++ b/%s%s\n", name, end, name, end);
    long moved = 0;
    for (size_t i = 0, k; i < changes.n; i = k) {
        for (k = i + 1;
             k < changes.n && changes.v[k].line < changes.v[k - 1].line + changes.v[k - 1].old + 2 * CONTEXT;
             k++)
            ;
        put_hunk(t, &changes.v[i], &changes.v[k], moved, ret_diff);
        for (size_t c = i; c < k; c++)
            moved += (long)changes.v[c].lines - (long)changes.v[c].old;
    }
    if (ret_text)
        put_text(t, changes.v, changes.n, ret_text);
    for (size_t i = 0; i < changes.n; i++)
        cc_buf_fini(&changes.v[i].text);
    CC_VEC_FINI(&changes);
}
