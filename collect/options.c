/* Reading the run file. */
#include "options.h"

enum { FIRST_SIZE = 64 << 10, MAX_SIZE = 256 << 20 };

enum kind { FLAG, NUMBER, CHOICE, TEXT, TEXTS };

static const struct field {
    const char *name;
    enum kind kind;
    size_t offset;
} fields[] = {
#define CC_FLAG(name) {#name, FLAG, offsetof(struct cc_options, name)},
#define CC_NUMBER(name) {#name, NUMBER, offsetof(struct cc_options, name)},
#define CC_CHOICE(name) {#name, CHOICE, offsetof(struct cc_options, name)},
#define CC_TEXT(name) {#name, TEXT, offsetof(struct cc_options, name)},
#define CC_TEXTS(name) {#name, TEXTS, offsetof(struct cc_options, name)},
#include "options.def"
};

/* The whole file, with a 0 behind it; NULL: it cannot be read or is too long. */
static char *read_whole(const struct cc_host *host, const char *path, size_t *ret_n)
{
    for (size_t size = FIRST_SIZE; size <= MAX_SIZE; size *= 4) {
        char *text = host->map(host->self, size + 1);
        long n = host->read_file(host->self, path, text, size, 0);
        if (n >= 0 && (size_t)n < size) {
            *ret_n = (size_t)n;
            return text;
        }
        host->unmap(host->self, text, size + 1);
        if (n < 0)
            break;
    }
    return NULL;
}

/* Of the text before `end`; NULL: no option has that name. */
static const struct field *field_of(const char *name, const char *end)
{
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        const char *a = fields[i].name, *b = name;
        while (b < end && *a && *a == *b)
            a++, b++;
        if (b == end && !*a)
            return &fields[i];
    }
    return NULL;
}

/* In place, up to `end`, which becomes the 0 behind the text or follows it. */
static bool unescape(char *text, char *end)
{
    char *to = text;
    for (const char *from = text; from < end; from++) {
        if (*from != '\\') {
            *to++ = *from;
            continue;
        }
        if (++from == end || (*from != 'n' && *from != '\\'))
            return false;
        *to++ = *from == 'n' ? '\n' : '\\';
    }
    *to = 0;
    return true;
}

static bool number(const char *text, uint64_t *ret)
{
    uint64_t v = 0;
    if (!*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || v > (UINT64_MAX - 9) / 10)
            return false;
        v = v * 10 + (uint64_t)(*text - '0');
    }
    *ret = v;
    return true;
}

static void add_text(const struct cc_host *host, struct cc_texts *list, const char *text)
{
    if (list->n == list->cap) {
        size_t cap = list->cap ? list->cap * 2 : 64;
        const char **v = host->map(host->self, cap * sizeof *v);
        for (size_t i = 0; i < list->n; i++)
            v[i] = list->v[i];
        if (list->v)
            host->unmap(host->self, list->v, list->cap * sizeof *v);
        list->v = v;
        list->cap = cap;
    }
    list->v[list->n++] = text;
}

static bool set(const struct cc_host *host, struct cc_options *o, const struct field *f, const char *text)
{
    char *field = (char *)o + f->offset;
    uint64_t value = 0;
    switch (f->kind) {
    case TEXT:
        *(const char **)field = text;
        return true;
    case TEXTS:
        add_text(host, (struct cc_texts *)field, text);
        return true;
    case FLAG:
        *(bool *)field = number(text, &value) && value == 1;
        return value <= 1;
    case CHOICE:
        *(int *)field = number(text, &value) && value <= INT16_MAX ? (int)value : -1;
        return *(int *)field >= 0;
    case NUMBER:
        return number(text, (uint64_t *)field);
    }
    return false;
}

bool cc_options_read(const struct cc_host *host, const char *path, struct cc_options *ret)
{
    size_t n = 0;
    char *text = read_whole(host, path, &n);
    *ret = (struct cc_options){0};
    if (!text)
        return false;
    for (char *line = text, *stop = text + n; line < stop;) {
        char *equals = line, *end = line;
        while (end < stop && *end != '\n')
            end++;
        while (equals < end && *equals != '=')
            equals++;
        const struct field *f = field_of(line, equals);
        if (end == stop || equals == end || !f || !unescape(equals + 1, end) ||
            !set(host, ret, f, equals + 1))
            return false;
        line = end + 1;
    }
    return true;
}
