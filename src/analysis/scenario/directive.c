/* A pragma's text as a directive: which one it is, and what it takes. */
#include "directive.h"
#include "../../base/text.h"

#include <ctype.h>

#define PARALLEL_CLAUSES \
    (S(NUM_THREADS) | S(IF) | S(PRIVATE) | S(FIRST) | S(SHARED) | S(REDUCTION) | S(ALLOCATE))
#define SECTIONS_CLAUSES (S(PRIVATE) | S(FIRST) | S(LAST) | S(REDUCTION) | S(ALLOCATE))
#define ANY_FOR_CLAUSES (SECTIONS_CLAUSES | S(SCHEDULE) | S(COLLAPSE) | S(ORDER))
#define FOR_CLAUSES (ANY_FOR_CLAUSES | S(ORDERED) | S(LINEAR))
#define LOOP_CLAUSES (S(LOOP) | S(REDUCTION) | S(COLLAPSE) | S(ORDER) | S(PRIVATE) | S(LAST))
#define SIMD_CLAUSES \
    (S(VECTOR) | S(IF) | S(REDUCTION) | S(COLLAPSE) | S(ORDER) | S(PRIVATE) | S(LAST) | S(LINEAR))
#define TASK_CLAUSES (S(IF) | S(TASK) | S(IN_REDUCTION) | S(PRIVATE) | S(FIRST) | S(SHARED) | S(ALLOCATE))
#define TASKLOOP_CLAUSES (TASK_CLAUSES | S(TASKLOOP) | S(REDUCTION) | S(COLLAPSE) | S(LAST))
#define TEAMS_CLAUSES (S(TEAMS) | S(LIMIT) | S(REDUCTION) | S(PRIVATE) | S(FIRST) | S(SHARED) | S(ALLOCATE))
#define DISTRIBUTE_CLAUSES \
    (S(DISTRIBUTE) | S(COLLAPSE) | S(ORDER) | S(PRIVATE) | S(FIRST) | S(LAST) | S(ALLOCATE))
#define DISTRIBUTE_FOR_CLAUSES (DISTRIBUTE_CLAUSES | PARALLEL_CLAUSES | ANY_FOR_CLAUSES)
#define TARGET_CLAUSES                                                                             \
    (S(IF) | S(NOWAIT) | S(DEPEND) | S(DEVICE) | S(MAP) | S(TARGET) | S(LIMIT) | S(IN_REDUCTION) | \
     S(PRIVATE) | S(FIRST) | S(ALLOCATE))

enum fate { TAKEN, IGNORED, REFUSED };

static const struct {
    const char *words;
    enum fate fate;
    enum cc_omp_kind kind;
    uint64_t clauses;
    const char *why; /* it is refused */
} kinds[] = {
#define CC_DIRECTIVE(words, kind, clauses) {words, TAKEN, CC_OMP_##kind, clauses, NULL},
#define CC_IGNORED(words) {words, IGNORED, CC_OMP_NOTHING, 0, NULL},
#define CC_REFUSED(words, why) {words, REFUSED, CC_OMP_NOTHING, 0, why},
#include "directives.def"
#undef CC_DIRECTIVE
#undef CC_IGNORED
#undef CC_REFUSED
};

static int parse_critical(const struct parse *x, const char **rest)
{
    x->d->critical = "";
    const char *open = skip_blanks(*rest);
    if (*open != '(')
        return 0;
    const char *close = cc_closing(open);
    if (!close)
        return FAIL(x, "a ')' is missing");
    x->d->critical = trimmed(x->s, (struct span){open + 1, close});
    *rest = close + 1;
    return x->d->critical[0] ? 0 : FAIL(x, "critical() has an empty name");
}

const char *cc_directive_text(struct scenario *s, const struct cc_directive *d, const char *words)
{
    static const char *const schedules[] = {"static", "dynamic", "guided"};
    struct cc_buf b = {0};
    cc_buf_puts(&b, words);
    if (d->has_schedule)
        cc_buf_printf(&b, " schedule(%s%s%s)", schedules[d->schedule], d->chunk ? ", " : "",
                      d->chunk ? d->chunk : "");
    if (d->critical && d->critical[0])
        cc_buf_printf(&b, "(%s)", d->critical);
    if (d->device)
        cc_buf_printf(&b, " device(%s)", d->device);
    if (d->nowait)
        cc_buf_puts(&b, " nowait");
    const char *text = cc_arena_strdup(&s->arena, b.s);
    cc_buf_fini(&b);
    return text;
}

/* #pragma corecast dma read(…) write(…) buffers(N) */
static int parse_dma(const struct parse *x, const char *rest)
{
    x->d->kind = CC_OMP_TRANSFER;
    int rc = cc_parse_clauses(x, rest, S(DMA), "#pragma corecast dma");
    if (rc == 0 && !x->d->read[0] && !x->d->write[0])
        rc = FAIL(x, "'#pragma corecast dma' needs read(BYTES) or write(BYTES)");
    return rc;
}

/* #pragma corecast tile(auto) image(W, H) kernel(W, H) pixel(IN, OUT) buffers(N) memory(BYTES) */
static int finish_tile(const struct parse *x)
{
    x->d->kind = CC_OMP_TILE;
    if (!x->d->tiled || x->d->time || x->d->speedup)
        return FAIL(x, "'#pragma corecast tile' takes auto or a size, and no hardware block");
    if (!x->d->image[0])
        return FAIL(x, "'#pragma corecast tile' needs image(W, H): the picture that '%s' works on",
                    x->p->task);
    return 0;
}

/* #pragma corecast time(N), speedup(N), tile(auto) or dma */
static int parse_own(const struct parse *x)
{
    const char *text = x->p->text;
    struct cc_directive *d = x->d;
    d->kind = CC_OMP_REPLACE;
    d->text = trimmed(x->s, (struct span){text, text + strlen(text)});
    const char *dma = cc_match_words(skip_blanks(text), "dma");
    if (dma)
        return parse_dma(x, dma);
    int rc = cc_parse_clauses(x, text, S(BLOCK) | S(TILE), "#pragma corecast");
    if (rc < 0)
        return rc;
    if (d->tiled || d->image[0] || d->kernel[0] || d->pixel[0] || d->memory || d->buffers)
        return finish_tile(x);
    if (!d->time == !d->speedup)
        return FAIL(x, "'#pragma corecast' takes either time(N) or speedup(N), or dma or tile");
    return 0;
}

static int check(const struct parse *x)
{
    const struct cc_directive *d = x->d;
    if (d->kind == CC_OMP_TARGET_UPDATE && !d->nmaps)
        return FAIL(x, "'target update' needs to(…) or from(…)");
    if ((d->kind == CC_OMP_TARGET_ENTER || d->kind == CC_OMP_TARGET_EXIT) && !d->nmaps)
        return FAIL(x, "'%s' needs map(…)", d->text);
    for (size_t i = 0; i < d->nmaps; i++) {
        const struct cc_map_item *m = &d->maps[i];
        if (d->kind == CC_OMP_TARGET_ENTER ? m->from && !m->to
                                           : d->kind == CC_OMP_TARGET_EXIT && m->to && !m->from)
            return FAIL(x, "'%s' does not map '%.40s' %s", d->text, m->name, m->to ? "to" : "from");
    }
    return 0;
}

static int unknown_directive(const struct parse *x, const char *text)
{
    const char *names[CC_COUNT(kinds)],
        *word = trimmed(x->s, (struct span){text, text + strcspn(text, " \t(")});
    char small[32] = {0};
    for (size_t i = 0; word[i] && i + 1 < sizeof small; i++)
        small[i] = (char)tolower((unsigned char)word[i]);
    int rc = FAIL(x, "unknown directive '%.40s'", word);
    for (size_t i = 0; i < CC_COUNT(kinds); i++)
        names[i] = kinds[i].words;
    const char *near = cc_nearest(small, names, CC_COUNT(names));
    if (near)
        cc_err_hint(x->err, "did you mean '%s'?", near);
    return rc;
}

int cc_pragma_parse(struct scenario *s, const struct pragma *p, struct cc_directive *d, struct cc_err *err)
{
    *d = (struct cc_directive){.task = p->task, .line = p->line};
    struct parse x = {s, p, d, err};
    if (p->own)
        return parse_own(&x);
    const char *text = skip_blanks(p->text), *rest = NULL;
    size_t best = CC_COUNT(kinds);
    for (size_t k = 0; k < CC_COUNT(kinds); k++) {
        const char *after = cc_match_words(text, kinds[k].words);
        if (after && (!rest || after > rest)) {
            rest = after;
            best = k;
        }
    }
    if (!rest)
        return unknown_directive(&x, text);
    if (kinds[best].fate == REFUSED)
        return FAIL(&x, "'%s' for '%.100s' is not modelled: %s", kinds[best].words, p->task, kinds[best].why);
    d->kind = kinds[best].kind;
    d->text = kinds[best].words;
    d->simd = kinds[best].clauses & S(VECTOR) && !(kinds[best].clauses & (S(TARGET) | S(TEAMS)));
    d->one_core = kinds[best].clauses & S(TARGET) && !(kinds[best].clauses & S(TEAMS)) &&
                  strcmp(kinds[best].words, "target") != 0; /* what is inside a plain target decides there */
    if (kinds[best].fate == IGNORED)
        return 0;
    int rc = d->kind == CC_OMP_CRITICAL ? parse_critical(&x, &rest) : 0;
    if (rc == 0)
        rc = cc_parse_clauses(&x, rest, kinds[best].clauses, kinds[best].words);
    if (rc == 0)
        rc = check(&x);
    d->text = cc_directive_text(s, d, kinds[best].words);
    return rc;
}
