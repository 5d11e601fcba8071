/* Results as text, for people. */
#include "result.h"
#include "terminal.h"
#include "text.h"

enum printed { NOTHING, LINES, TABLE };

static int width_of(const char *s)
{
    int n = 0;
    for (; *s; s++)
        n += ((unsigned char)*s & 0xc0) != 0x80;
    return n;
}

static bool is_shown_table(const struct cc_item *x)
{
    return x->kind == CC_ITEM_TABLE && cc_table_print_text_any(x->table);
}

/* Facts that follow each other are a block; what text does not show between them does not part them. */
static bool ends_facts(const struct cc_item *x)
{
    return x->kind == CC_ITEM_NOTE || x->kind == CC_ITEM_GAP || is_shown_table(x);
}

/* Width of the labels of the block of facts that begins at x. */
static int label_width(const struct cc_item *x, const struct cc_item *root)
{
    int width = 0;
    for (; x && !ends_facts(x); x = cc_result_after(x, root, NULL, NULL))
        if (x->kind == CC_ITEM_FACT)
            width = CC_MAX(width, width_of(x->label));
    return width;
}

static int columns_of(FILE *out)
{
    unsigned columns = cc_terminal_columns(out);
    return columns ? (int)columns : 100;
}

/* Spaces at the end of a line are left out. */
static void print_chain(const char *text, FILE *out)
{
    enum { INDENT = 4 };
    int columns = columns_of(out), at = 0, spaces = 0;
    while (*text) {
        size_t n = strcspn(text, "\n"), end = n;
        while (end && text[end - 1] == ' ')
            end--;
        CC_CLEANUP(cc_free_ptr) char *piece = cc_strndup(text, end);
        int width = width_of(piece);
        if (at > INDENT && at + spaces + width > columns) {
            fprintf(out, "\n%*s", INDENT, "");
            at = INDENT;
            spaces = 0;
        }
        fprintf(out, "%*s%s", spaces, "", piece);
        at += spaces + width;
        spaces = (int)(n - end);
        text += n + (text[n] == '\n');
    }
    fputc('\n', out);
}

/* Caveats and commands stand out; NULL: nothing of the kind. */
static const char *line_color(const char *text)
{
    static const struct {
        const char *begin, *color;
    } colors[] = {{"incomplete: ", "\033[33m"}, {"note: ", "\033[33m"},
                  {"warning: ", "\033[33m"},    {"  warning: ", "\033[33m"},
                  {"  corecast ", "\033[36m"},  {"what to look at next", "\033[1m"}};
    for (size_t i = 0; i < CC_COUNT(colors); i++)
        if (strncmp(text, colors[i].begin, strlen(colors[i].begin)) == 0)
            return colors[i].color;
    return NULL;
}

static void print_line(const struct cc_item *x, int width, FILE *out, bool colored)
{
    if (x->chain) {
        print_chain(x->text, out);
        return;
    }
    if (x->kind == CC_ITEM_FACT)
        fprintf(out, "  %s%s%s%*s  ", colored ? "\033[1m" : "", x->label, colored ? "\033[0m" : "",
                width - width_of(x->label), "");
    const char *color = colored && x->kind == CC_ITEM_NOTE ? line_color(x->text) : NULL;
    if (color)
        fputs(color, out);
    cc_text_print_safe(out, x->text);
    if (color)
        fputs("\033[0m", out);
    fputc('\n', out);
}

void cc_result_print_text(const struct cc_result *r, FILE *out, bool colored)
{
    enum printed last = NOTHING;
    bool gap = false;
    int width = 0; /* of the labels of this block of facts; 0: none has begun */
    const struct cc_item *root = cc_result_root(r);
    for (const struct cc_item *x = root; x; x = cc_result_after(x, root, NULL, NULL)) {
        bool line = x->kind == CC_ITEM_NOTE || x->kind == CC_ITEM_FACT;
        bool table = is_shown_table(x);
        gap |= x->kind == CC_ITEM_GAP;
        if (ends_facts(x))
            width = 0;
        else if (x->kind == CC_ITEM_FACT && !width)
            width = label_width(x, root);
        if (!line && !table)
            continue;
        if (last == TABLE || (last == LINES && (gap || table)))
            fputc('\n', out);
        gap = false;
        last = table ? TABLE : LINES;
        if (line)
            print_line(x, width, out, colored);
        else
            cc_table_print_text(x->table, out, colored);
    }
}
