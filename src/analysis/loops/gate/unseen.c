#include "unseen.h"
#include "../../../base/text.h"

/* By its name; by the line that writes it where that has only one array: heap blocks bear no name of the
 * source. */
static const struct cc_source_array *array_of(const struct cc_source_loop *s, const struct cc_loop_reason *r)
{
    const struct cc_source_array *by_line = NULL;
    unsigned n = 0;
    for (size_t i = 0; i < s->arrays.n; i++) {
        const struct cc_source_array *a = &s->arrays.v[i];
        if (a->name && r->variable && a->write_line && strcmp(a->name, r->variable) == 0)
            return a;
        if (a->write_line == r->first.line) {
            by_line = a;
            n++;
        }
    }
    return n == 1 ? by_line : NULL;
}

static bool is_carried(const struct cc_source_loop *s, const struct cc_loop_reason *r)
{
    for (size_t i = 0; r->variable && i < s->variables.n; i++)
        if (strcmp(s->variables.v[i].name, r->variable) == 0)
            return s->variables.v[i].class == CC_SOURCE_CARRIED;
    for (size_t i = 0; r->variable && i < s->inside.n; i++)
        if (strcmp(s->inside.v[i], r->variable) == 0)
            return false;
    const struct cc_source_array *a = array_of(s, r);
    return a && !a->op && !a->partly;
}

void cc_unseen_reasons(const struct gate_input *in, struct cc_loop *l)
{
    for (size_t i = 0; in->source && i < in->unsure.n; i++)
        if (in->unsure.v[i].kind == CC_REASON_RAW && is_carried(in->source, &in->unsure.v[i]))
            CC_VEC_PUSH(&l->reasons, in->unsure.v[i]);
}

/* Each name once. */
static void put_names(const struct gate_input *in, struct cc_buf *b)
{
    enum { MOST = 4 };
    const char *names[MOST];
    size_t n = 0, more = 0;
    for (size_t i = 0; i < in->unsure.n; i++) {
        const char *name = in->unsure.v[i].variable ? in->unsure.v[i].variable : "something without a name";
        bool known = false;
        for (size_t k = 0; k < n; k++)
            known = known || strcmp(names[k], name) == 0;
        if (known)
            continue;
        if (n < MOST)
            names[n++] = name;
        else
            more++;
    }
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(b, "%s%s", i == 0 ? "" : i + 1 == n && !more ? " and " : ", ", names[i]);
    if (more)
        cc_buf_puts(b, " and others");
}

const char *cc_unseen_sentence(const struct gate_input *in)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "registers not analysed under qemu; ");
    if (in->unsure.n) {
        cc_buf_puts(&b, "through memory iterations need nothing but ");
        put_names(in, &b);
        cc_buf_printf(&b, ", changed at line %u as a counter or a sum is", in->unsure.v[0].first.line);
    } else {
        cc_buf_puts(&b, "no dependence through memory was seen");
    }
    const char *text = cc_arena_strdup(in->arena, b.s);
    cc_buf_fini(&b);
    return text;
}
