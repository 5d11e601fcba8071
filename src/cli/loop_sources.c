#include "loop_sources.h"
#include "source_child.h"
#include "report/source.h"

static void scan(void *unit, FILE *out)
{
    cc_source_loops_write(unit, out);
}

static void ask(struct cc_source_loops *s, const char *path, const char *preprocessor)
{
    struct cc_source_options options = {.preprocessor = preprocessor};
    struct cc_source_unit unit;
    struct cc_source_answer answer = {0};
    struct cc_err ignored = {0};
    if (cc_source_unit_init(&unit, path, &options, &s->arena, &ignored) < 0)
        return;
    if (cc_source_run(&unit, scan, &answer, &ignored) == 0 && answer.bytes)
        cc_source_loops_add(s, answer.bytes, answer.size);
    cc_source_answer_fini(&answer);
    cc_source_unit_fini(&unit);
}

/* Files that loops lie in, and the files of their functions, which include what those lie in. */
static bool *wanted(const struct cc_profile *p)
{
    bool *want = cc_alloc_array(p->nfiles + 1, sizeof *want);
    for (size_t i = 0; i < p->nloops; i++) {
        const char *names[] = {p->loops[i].file, p->functions[p->loops[i].function].file};
        for (size_t k = 0; k < p->nfiles; k++)
            for (size_t n = 0; n < CC_COUNT(names); n++)
                want[k] = want[k] || (names[n] && strcmp(names[n], p->files[k].path) == 0);
    }
    return want;
}

struct cc_source_loops *cc_loop_sources(const struct cc_profile *p, const char *folder)
{
    struct cc_source_loops *s = cc_source_loops_new();
    CC_CLEANUP(cc_free_ptr) bool *want = wanted(p);
    CC_CLEANUP(cc_free_ptr) char *preprocessor = cc_source_preprocessor();
    for (size_t i = 0; i < p->nfiles; i++) {
        struct cc_source text = {0};
        if (!want[i])
            continue;
        cc_source_read(&text, &p->files[i], folder);
        if (text.path && !text.changed)
            ask(s, text.path, preprocessor);
        cc_source_fini(&text);
    }
    return s;
}
