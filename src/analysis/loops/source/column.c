/* Where a loop's keyword stands in its line. The tree is made of preprocessed text: what macros are replaced
 * by moves all behind them, and compilers tell columns of the file. */
#include "scan.h"
#include "../../../base/text.h"

#include <ctype.h>

static bool in_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

/* Past a string, a character or a comment that begins there; `s` itself: none does. */
static const char *past_quoted(const char *s, const char *end)
{
    if (end - s > 1 && s[0] == '/' && s[1] == '/')
        return end;
    if (end - s > 1 && s[0] == '/' && s[1] == '*') {
        for (s += 2; s < end; s++)
            if (s[-1] == '*' && s[0] == '/' && s[-2] != '/')
                return s + 1;
        return end;
    }
    if (*s != '"' && *s != '\'')
        return s;
    const char quote = *s++;
    while (s < end && *s != quote)
        s += *s == '\\' && s + 1 < end ? 2 : 1;
    return s < end ? s + 1 : end;
}

/* How often a keyword stands in a line; the one of that number is put into ret. */
static unsigned count_words(const char *line, const char *end, const char *word, unsigned nth,
                            const char **ret)
{
    size_t size = strlen(word);
    unsigned n = 0;
    *ret = NULL;
    for (const char *s = line; s < end;) {
        const char *past = past_quoted(s, end);
        if (past != s) {
            s = past;
            continue;
        }
        bool is = (size_t)(end - s) >= size && memcmp(s, word, size) == 0 && (s == line || !in_word(s[-1])) &&
                  (s + size == end || !in_word(s[size]));
        if (is && n++ == nth)
            *ret = s;
        s += is ? size : 1;
    }
    return n;
}

/* A line of a file, owned by the caller; NULL: there is none. */
static char *line_of(const char *path, unsigned line)
{
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    ssize_t n = -1;
    for (unsigned i = 0; f && i < line && (i == 0 || n >= 0); i++)
        n = getline(&text, &room, f);
    if (f)
        fclose(f);
    if (n >= 0)
        return text;
    free(text);
    return NULL;
}

/* The keyword before the test of a `do`, or that the statement begins with. */
static uint32_t keyword_at(const struct cc_tree *t, uint32_t n, uint32_t test, const char **word)
{
    uint32_t at = cc_tree_at(t, n)->begin;
    *word = strncmp(t->text + at, "for", 3) == 0 ? "for" : "while";
    if (cc_tree_at(t, n)->kind != CC_N_DO || test == CC_NODE_NONE)
        return at;
    for (uint32_t i = cc_tree_at(t, test)->begin; i > at; i--)
        if (strncmp(t->text + i, "while", strlen("while")) == 0)
            return i;
    return at;
}

unsigned cc_source_column(const struct cc_tree *t, uint32_t n, uint32_t test)
{
    const char *word, *at, *ignored;
    uint32_t begin = keyword_at(t, n, test, &word);
    const char *here = t->text + begin, *start = here, *end = here + strcspn(here, "\n");
    while (start > t->text && start[-1] != '\n')
        start--;
    unsigned before = count_words(start, here, word, 0, &ignored);
    unsigned all = count_words(start, end, word, 0, &ignored);
    if (count_words(start, end, "for", 0, &ignored) + count_words(start, end, "while", 0, &ignored) < 2)
        return (unsigned)(here - start) + 1;
    bool behind = cc_tree_at(t, n)->kind == CC_N_DO && test != CC_NODE_NONE;
    CC_CLEANUP(cc_free_ptr) char *line = line_of(t->file, cc_tree_at(t, behind ? test : n)->line);
    if (!line || count_words(line, line + strlen(line), word, before, &at) != all || !at)
        return 0;
    return (unsigned)(at - line) + 1;
}
