/* How a directive may be written: #pragma, _Pragma, attributes of C++ and C23, the sentinels of Fortran. What
 * comes out is the text after '#'. */
#include "parse.h"
#include "../../base/text.h"

#include <strings.h>

/* "!$omp", "c$omp" and "*$omp", in small or large letters: where the rest begins, or NULL. */
const char *cc_spelling_sentinel(const char *text)
{
    bool is =
        *text && strchr("!cC*", *text) && strncasecmp(text + 1, "$omp", 4) == 0 && !is_name_char(text[5]);
    return is ? text + 5 : NULL;
}

static bool is_attribute(const char *text)
{
    return text[0] == '[' && *skip_blanks(text + 1) == '[';
}

bool cc_spelling_begins(const char *text)
{
    return *text == '#' || cc_match_words(text, "_Pragma") || cc_match_words(text, "__pragma") ||
           is_attribute(text) || cc_spelling_sentinel(text);
}

bool cc_spelling_alone(const char *line)
{
    return cc_spelling_sentinel(line) ||
           (*line == '#' && cc_match_words(skip_blanks(line + 1), "pragma omp"));
}

/* --- C --- */

/* What stands between '(' and the ')' that belongs to it; from NULL: there is none. */
static struct span inside(const char *text)
{
    text = skip_blanks(text);
    unsigned depth = 0;
    for (const char *p = text; *text == '(' && *p; p++) {
        depth += *p == '(';
        if (*p == ')' && --depth == 0)
            return (struct span){text + 1, p};
    }
    return (struct span){NULL, NULL};
}

static const char *pragma_in(struct scenario *s, const char *before, struct span text)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, before);
    cc_buf_add(&b, text.from, (size_t)(text.to - text.from));
    const char *ret = cc_arena_strdup(&s->arena, b.s);
    cc_buf_fini(&b);
    return ret;
}

static bool quoted(struct scenario *s, const char *rest, struct spelling *ret)
{
    const char *quote = strchr(rest, '"'), *last = strrchr(rest, '"');
    if (!quote || last == quote)
        return false;
    ret->text[ret->n++] = pragma_in(s, "pragma ", (struct span){quote + 1, last});
    return true;
}

/* [[omp::directive(…)]], [[using omp: directive(…)]], and several in omp::sequence(…): each of them, in
 * order. */
static bool attribute(struct scenario *s, const char *text, struct spelling *ret)
{
    for (const char *p = text; (p = strchr(p, 'd'));) {
        const char *rest = cc_match_words(p, "directive");
        struct span in = rest && !is_name_char(p[-1]) ? inside(rest) : (struct span){NULL, NULL};
        if (in.from && ret->n == CC_COUNT(ret->text))
            return false;
        if (in.from)
            ret->text[ret->n++] = pragma_in(s, "pragma omp ", in);
        p = in.from ? in.to : p + 1;
    }
    const char *end = strrchr(text, ']');
    return ret->n && strstr(text, "omp") && end && end[-1] == ']' && !*skip_blanks(end + 1);
}

/* --- Fortran --- */

/* Clauses whose first word is one of the language's, not one of the program's. */
static bool has_word(const char *clause, size_t n)
{
    static const char *const all[] = {"schedule", "depend", "reduction", "default", "proc_bind", "map",
                                      "order",    "bind",   "if",        "device",  "atomic"};
    for (size_t i = 0; i < CC_COUNT(all); i++)
        if (strlen(all[i]) == n && strncasecmp(all[i], clause, n) == 0)
            return true;
    return false;
}

/* In small letters, but for what the program names; "do" is C's "for". '!' begins a comment. */
static const char *fortran(struct scenario *s, const char *text)
{
    CC_CLEANUP(cc_buf_fini) struct cc_buf b = {0};
    unsigned depth = 0;
    bool word = true; /* the next one is the language's */
    cc_buf_puts(&b, "pragma omp");
    for (const char *p = text; *p && *p != '!';) {
        size_t n = 0;
        while (is_name_char(p[n]))
            n++;
        if (depth == 0 && n == 2 && strncasecmp(p, "do", 2) == 0)
            cc_buf_puts(&b, "for");
        for (size_t i = 0; i < n && (depth || n != 2 || strncasecmp(p, "do", 2) != 0); i++)
            cc_buf_printf(&b, "%c", word ? tolower((unsigned char)p[i]) : p[i]);
        if (n) {
            word = depth == 0 && p[n] == '(' ? has_word(p, n) : depth == 0;
        } else {
            depth += *p == '(';
            depth -= *p == ')' && depth;
            word = word || depth == 0;
            cc_buf_add(&b, p, 1);
        }
        p += n ? n : 1;
    }
    return cc_arena_strdup(&s->arena, b.s);
}

/* --- all --- */

/* Without comments as C has them. */
static void without_comments(const char *text, struct cc_buf *b)
{
    for (const char *p = text; *p;) {
        const char *end = strncmp(p, "/*", 2) == 0 ? strstr(p + 2, "*/") : NULL;
        if (strncmp(p, "//", 2) == 0)
            break;
        cc_buf_add(b, end ? " " : p, 1);
        p = end ? end + 2 : p + 1;
    }
}

bool cc_spelling_read(struct scenario *s, const char *text, struct spelling *ret)
{
    CC_CLEANUP(cc_buf_fini) struct cc_buf b = {0};
    const char *sentinel = cc_spelling_sentinel(skip_blanks(text)), *rest;
    *ret = (struct spelling){.n = 0};
    if (sentinel) {
        ret->text[ret->n++] = fortran(s, sentinel);
        return true;
    }
    without_comments(text, &b);
    const char *all = skip_blanks(b.n ? b.s : "");
    if ((rest = cc_match_words(all, "_Pragma")))
        return quoted(s, rest, ret);
    if (is_attribute(all))
        return attribute(s, all, ret);
    if ((rest = cc_match_words(all, "__pragma"))) {
        struct span in = inside(rest);
        if (in.from)
            ret->text[ret->n++] = pragma_in(s, "pragma ", in);
        return in.from;
    }
    ret->text[ret->n++] = cc_arena_strdup(&s->arena, skip_blanks(all + (*all == '#')));
    return true;
}
