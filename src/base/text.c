#include "text.h"

#include <stdarg.h>

void cc_buf_add(struct cc_buf *b, const void *bytes, size_t n)
{
    if (b->cap - b->n <= n) {
        b->cap = CC_MAX(b->cap * 2, b->n + n + 64);
        b->s = cc_realloc_array(b->s, b->cap, 1);
    }
    if (n)
        memcpy(b->s + b->n, bytes, n);
    b->n += n;
    b->s[b->n] = 0;
}

void cc_buf_puts(struct cc_buf *b, const char *s)
{
    cc_buf_add(b, s, strlen(s));
}

void cc_buf_grouped(struct cc_buf *b, const char *digits)
{
    size_t n = strlen(digits);
    for (size_t i = 0; i < n; i++) {
        size_t left = n - 1 - i;
        cc_buf_add(b, digits + i, 1);
        if (left && left % 3 == 0 && digits[i] != '-')
            cc_buf_puts(b, " ");
    }
}

void cc_buf_printf(struct cc_buf *b, const char *fmt, ...)
{
    char small[256];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(small, sizeof small, fmt, ap);
    va_end(ap);
    if (n < 0)
        return;
    if ((size_t)n < sizeof small) {
        cc_buf_add(b, small, (size_t)n);
        return;
    }
    char *big = cc_alloc((size_t)n + 1);
    va_start(ap, fmt);
    vsnprintf(big, (size_t)n + 1, fmt, ap);
    va_end(ap);
    cc_buf_add(b, big, (size_t)n);
    free(big);
}

void cc_buf_fini(struct cc_buf *b)
{
    free(b->s);
    memset(b, 0, sizeof *b);
}

size_t cc_utf8_length(const char *s)
{
    const unsigned char *u = (const unsigned char *)s;
    if (u[0] < 0x80)
        return u[0] ? 1 : 0;
    size_t n = u[0] >= 0xc2 && u[0] < 0xe0   ? 2
               : (u[0] & 0xf0) == 0xe0       ? 3
               : u[0] >= 0xf0 && u[0] < 0xf5 ? 4
                                             : 0;
    for (size_t i = 1; i < n; i++)
        if ((u[i] & 0xc0) != 0x80)
            return 0;
    if (n == 3 && ((u[0] == 0xe0 && u[1] < 0xa0) || (u[0] == 0xed && u[1] >= 0xa0)))
        return 0; /* overlong or surrogate */
    if (n == 4 && ((u[0] == 0xf0 && u[1] < 0x90) || (u[0] == 0xf4 && u[1] >= 0x90)))
        return 0; /* overlong or beyond U+10FFFF */
    return n;
}

/* U+0080..U+009F are control characters of terminals too; U+FFFE/U+FFFF are not XML. */
static bool is_plain(const char *s, size_t n)
{
    const unsigned char *u = (const unsigned char *)s;
    if (n == 1)
        return u[0] >= 0x20 && u[0] != 0x7f;
    if (n == 2 && u[0] == 0xc2 && u[1] < 0xa0)
        return false;
    if (n == 3 && u[0] == 0xef && u[1] == 0xbf && u[2] >= 0xbe)
        return false;
    return n > 0;
}

static void escape(struct cc_buf *b, const char *s, void (*plain)(struct cc_buf *, const char *, size_t))
{
    while (*s) {
        size_t n = cc_utf8_length(s);
        if (is_plain(s, n)) {
            plain(b, s, n);
            s += n;
        } else {
            for (size_t i = 0; i < CC_MAX(n, (size_t)1); i++)
                cc_buf_printf(b, "\\x%02x", (unsigned char)*s++);
        }
    }
}

static void plain_text(struct cc_buf *b, const char *s, size_t n)
{
    cc_buf_add(b, s, n);
}

static void plain_xml(struct cc_buf *b, const char *s, size_t n)
{
    switch (*s) {
    case '&':
        cc_buf_puts(b, "&amp;");
        break;
    case '<':
        cc_buf_puts(b, "&lt;");
        break;
    case '>':
        cc_buf_puts(b, "&gt;");
        break;
    case '"':
        cc_buf_puts(b, "&quot;");
        break;
    case '\'':
        cc_buf_puts(b, "&#39;");
        break;
    default:
        cc_buf_add(b, s, n);
    }
}

static void plain_dot(struct cc_buf *b, const char *s, size_t n)
{
    if (*s == '"' || *s == '\\')
        cc_buf_puts(b, "\\");
    cc_buf_add(b, s, n);
}

char *cc_text_safe(const char *s)
{
    struct cc_buf b = {0};
    cc_buf_add(&b, "", 0);
    escape(&b, s, plain_text);
    return b.s;
}

void cc_text_print_safe(FILE *out, const char *s)
{
    char *safe = cc_text_safe(s);
    fputs(safe, out);
    free(safe);
}

void cc_text_xml(struct cc_buf *b, const char *s)
{
    escape(b, s, plain_xml);
}

void cc_text_dot(struct cc_buf *b, const char *s)
{
    escape(b, s, plain_dot);
}

void cc_text_shell(struct cc_buf *b, const char *word)
{
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789%+,-./:=@_";
    if (*word && !word[strspn(word, PLAIN)]) {
        cc_buf_puts(b, word);
        return;
    }
    cc_buf_puts(b, "'");
    for (const char *p = word; *p; p++)
        if (*p == '\'')
            cc_buf_puts(b, "'\\''");
        else
            cc_buf_printf(b, "%c", *p);
    cc_buf_puts(b, "'");
}

void cc_text_csv_quoted(struct cc_buf *b, const char *s)
{
    if (!strpbrk(s, ",\"\n\r") && s[0] != ' ') {
        cc_buf_puts(b, s);
        return;
    }
    cc_buf_puts(b, "\"");
    for (const char *p = s; *p; p++) {
        if (*p == '"')
            cc_buf_puts(b, "\"");
        cc_buf_add(b, p, 1);
    }
    cc_buf_puts(b, "\"");
}

/* A spreadsheet takes what begins so for a formula; with the quote in front it is text there. */
static bool begins_formula(char c)
{
    return c && strchr("-+=@'", c);
}

void cc_text_csv(struct cc_buf *b, const char *s)
{
    CC_CLEANUP(cc_free_ptr) char *safe = cc_text_safe(s);
    CC_CLEANUP(cc_free_ptr) char *cell = cc_asprintf("%s%s", begins_formula(safe[0]) ? "'" : "", safe);
    cc_text_csv_quoted(b, cell);
}

const char *cc_text_of_csv(const char *cell)
{
    return cell[0] == '\'' && begins_formula(cell[1]) ? cell + 1 : cell;
}

char *cc_text_doubled(const char *s, char c)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (; *s; s++)
        cc_buf_add(&b, (const char[]){*s, c}, *s == c ? 2 : 1);
    return b.s;
}

const char *cc_text_base(const char *path)
{
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash && slash[1] ? slash + 1 : path;
}

bool cc_text_same_file(const char *a, const char *b)
{
    if (!a || !b)
        return false;
    while (strncmp(a, "./", 2) == 0)
        a += 2;
    while (strncmp(b, "./", 2) == 0)
        b += 2;
    size_t m = strlen(a), n = strlen(b), more = m < n ? n - m : m - n;
    const char *longer = m < n ? b : a, *shorter = m < n ? a : b;
    return strcmp(longer + more, shorter) == 0 && (more == 0 || longer[more - 1] == '/');
}

size_t cc_text_split(char *line, char at, char **fields, size_t max)
{
    size_t n = 0;
    for (char *p = line; p && n < max; n++) {
        fields[n] = p;
        p = strchr(p, at);
        if (p)
            *p++ = '\0';
    }
    return n;
}

/* Behind what a bracket at p opens; the end if nothing closes it. */
static const char *behind(const char *p, char open, char close)
{
    int depth = 0;
    do {
        depth += *p == open ? 1 : *p == close ? -1 : 0;
        p++;
    } while (*p && depth > 0);
    return p;
}

char *cc_text_short_function(const char *name, size_t most)
{
    static const char nameless[] = "(anonymous namespace)";
    struct cc_buf b = {0};
    cc_buf_puts(&b, "");
    for (const char *p = name; *p;) {
        bool operates = b.n >= 8 && memcmp(b.s + b.n - 8, "operator", 8) == 0;
        if (operates && strncmp(p, "()", 2) == 0) {
            cc_buf_puts(&b, "()");
            p += 2;
        } else if (strncmp(p, nameless, sizeof nameless - 1) == 0) {
            cc_buf_puts(&b, "(anonymous)");
            p += sizeof nameless - 1;
        } else if (*p == '(') {
            break;
        } else if (*p == '<' && !operates) {
            cc_buf_puts(&b, "<>");
            p = behind(p, '<', '>');
        } else {
            cc_buf_add(&b, p++, 1);
        }
    }
    const char *from = b.s;
    for (const char *next; strlen(from) > most && (next = strstr(from, "::")); from = next + 2)
        ;
    char *kept = from == b.s ? cc_strdup(from) : cc_asprintf("…::%s", from);
    cc_buf_fini(&b);
    return kept;
}

/* Bytes at p that look like brackets and are none: of an operator's name, an arrow, an anonymous namespace.
 */
static size_t no_brackets(const char *p)
{
    static const char *const whole[] = {"operator()", "(anonymous namespace)", "->"};
    for (size_t i = 0; i < CC_COUNT(whole); i++)
        if (strncmp(p, whole[i], strlen(whole[i])) == 0)
            return strlen(whole[i]);
    size_t word = strlen("operator");
    if (strncmp(p, "operator", word) != 0)
        return 0;
    size_t name = word + strspn(p + word, "<>=-*");
    return name + (strncmp(p + name, " <", 2) == 0); /* "operator<< <char>" */
}

/* What stands in brackets inside `most` - 1 others as "…". False if they do not pair, or are a sentence's. */
static bool fold(const char *s, size_t most, struct cc_buf *b)
{
    size_t depth = 0, literal = 0;
    for (const char *p = s; *p; p += literal ? literal : 1) {
        bool name_before = literal || (p > s && p[-1] != ' ');
        literal = no_brackets(p);
        bool open = !literal && (*p == '<' || *p == '('), close = !literal && (*p == '>' || *p == ')');
        if (depth == 0 && ((open && !name_before) || close))
            return false;
        depth += open;
        if (depth < most || (depth == most && (open || close)))
            cc_buf_add(b, p, literal ? literal : 1);
        if (open && depth == most && p[1] != '>' && p[1] != ')')
            cc_buf_puts(b, "…");
        depth -= close;
    }
    return depth == 0;
}

char *cc_text_brief(const char *s, size_t most)
{
    enum { DEEPEST = 4 };
    char *kept = cc_strdup(s);
    for (size_t depth = DEEPEST; depth > 0 && strlen(kept) > most; depth--) {
        struct cc_buf b = {0};
        if (!fold(s, depth, &b)) {
            cc_buf_fini(&b);
            break;
        }
        free(kept);
        kept = b.s;
    }
    return kept;
}

bool cc_text_listed(const char *list, const char *word)
{
    CC_CLEANUP(cc_free_ptr) char *between = cc_asprintf(" %s ", word);
    return *word && !strchr(word, ' ') && strcasestr(list, between);
}

/* What of a shown name stands for something longer: its length, and at least what. 0: this does not. */
static size_t left_out(const char *p, const char **ret_min)
{
    static const struct {
        const char *shown, *min;
    } all[] = {{"…", ""}, {"<>", "<"}, {"(anonymous)", "(anonymous namespace)"}};
    for (size_t i = 0; i < CC_COUNT(all); i++)
        if (strncmp(p, all[i].shown, strlen(all[i].shown)) == 0) {
            *ret_min = all[i].min;
            return strlen(all[i].shown);
        }
    return 0;
}

bool cc_text_stands_for(const char *shown, const char *name)
{
    const char *again = NULL, *from = NULL, *min;
    for (size_t n;;) {
        if ((n = left_out(shown, &min)) && strncmp(name, min, strlen(min)) == 0) {
            name += strlen(min);
            again = shown += n; /* anything may come before the rest; if it does not fit here, then later */
            from = name;
        } else if (!*shown && (!*name || *name == '(' || *name == ' ')) {
            return true;
        } else if (*shown && *shown == *name) {
            shown++;
            name++;
        } else if (from && *from) {
            shown = again;
            name = ++from;
        } else {
            return false;
        }
    }
}
