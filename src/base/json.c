#include "json.h"
#include "text.h"

#include <inttypes.h>
#include <math.h>

static void write_string(FILE *out, const char *s)
{
    fputc('"', out);
    while (*s) {
        size_t n = cc_utf8_length(s);
        unsigned char c = (unsigned char)*s;
        if (n == 0) { /* not UTF-8: the byte as text, so that no information is lost */
            fprintf(out, "\\\\x%02x", c);
            s++;
        } else if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
            s++;
        } else if (c < 0x20 || c == 0x7f) {
            fprintf(out, "\\u%04x", c);
            s++;
        } else {
            fwrite(s, 1, n, out);
            s += n;
        }
    }
    fputc('"', out);
}

/* Deep trees are not indented ever further: the size of a document stays in proportion to what it holds. */
static void indent(struct cc_json *j)
{
    if (j->compact)
        return;
    fprintf(j->out, "\n%*s", (int)CC_MIN(j->depth, 64u) * 2, "");
}

static void lead(struct cc_json *j, const char *key)
{
    if (!j->first)
        fputc(',', j->out);
    if (j->depth)
        indent(j);
    j->first = false;
    if (key) {
        write_string(j->out, key);
        fputs(j->compact ? ":" : ": ", j->out);
    }
}

static void open(struct cc_json *j, const char *key, char open_char, char close_char)
{
    lead(j, key);
    fputc(open_char, j->out);
    if (j->depth == j->cap) {
        j->cap = j->cap * 2 + 16;
        j->close = cc_realloc_array(j->close, j->cap, 1);
    }
    j->close[j->depth++] = close_char;
    j->first = true;
}

void cc_json_init(struct cc_json *j, FILE *out)
{
    *j = (struct cc_json){.out = out, .first = true};
}

void cc_json_document(struct cc_json *j, FILE *out, const char *schema, int version)
{
    cc_json_init(j, out);
    cc_json_obj(j, NULL);
    cc_json_str(j, "schema", schema);
    cc_json_i64(j, "version", version);
}

void cc_json_obj(struct cc_json *j, const char *key)
{
    open(j, key, '{', '}');
}

void cc_json_arr(struct cc_json *j, const char *key)
{
    open(j, key, '[', ']');
}

void cc_json_end(struct cc_json *j)
{
    j->depth--;
    if (!j->first)
        indent(j);
    fputc(j->close[j->depth], j->out);
    j->first = false;
    if (j->depth == 0) {
        fputc('\n', j->out);
        free(j->close);
        j->close = NULL;
        j->cap = 0;
    }
}

void cc_json_str(struct cc_json *j, const char *key, const char *v)
{
    if (!v) {
        cc_json_null(j, key);
        return;
    }
    lead(j, key);
    write_string(j->out, v);
}

void cc_json_u64(struct cc_json *j, const char *key, uint64_t v)
{
    lead(j, key);
    fprintf(j->out, "%" PRIu64, v);
}

void cc_json_i64(struct cc_json *j, const char *key, int64_t v)
{
    lead(j, key);
    fprintf(j->out, "%" PRId64, v);
}

const char *cc_json_number(double v, char out[static 40])
{
    if (v == rint(v) && fabs(v) < 1e15) { /* a count: 2073600, not 2.0736e+06 */
        snprintf(out, 40, v == 0 && signbit(v) ? "-%lld" : "%lld", (long long)v);
        return out;
    }
    /* The shortest text that is read as v: all decimals of up to 15 digits are told apart, and %g has no
     * zeros at its end. */
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(out, 40, "%.*g", digits, v);
        if (strtod(out, NULL) == v)
            break;
    }
    return out;
}

void cc_json_num(struct cc_json *j, const char *key, double v)
{
    if (!isfinite(v)) {
        cc_json_null(j, key);
        return;
    }
    lead(j, key);
    char text[40];
    fputs(cc_json_number(v, text), j->out);
}

void cc_json_bool(struct cc_json *j, const char *key, bool v)
{
    lead(j, key);
    fputs(v ? "true" : "false", j->out);
}

void cc_json_null(struct cc_json *j, const char *key)
{
    lead(j, key);
    fputs("null", j->out);
}
