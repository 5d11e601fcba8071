/* Comparing a run with itself, with copies whose changes are known, and random programs whose functions were
 * renamed. */
#include "condition.h"
#include "../../base/rng.h"
#include "../../../tests/fixture.h"
#include "../../../tests/tap.h"

static struct cc_subjects *fixture(void)
{
    struct cc_err err = {0};
    struct cc_subjects *s = NULL;
    struct cc_profile *p = cc_fixture_profile();
    OK(p && cc_subjects_of(p, &s, &err) == 0, "the fixture's subjects");
    cc_profile_free(p);
    return s;
}

static struct cc_subject *find(struct cc_subjects *s, enum cc_subject_kind kind, const char *name)
{
    for (size_t i = 0; i < s->of[kind].n; i++)
        if (strcmp(s->of[kind].v[i].name, name) == 0)
            return &s->of[kind].v[i];
    return NULL;
}

static const struct cc_difference *row(const struct cc_comparison *c, enum cc_subject_kind kind,
                                       const char *name)
{
    for (size_t i = 0; i < c->of[kind].n; i++)
        if (strcmp(cc_difference_name(&c->of[kind].v[i]), name) == 0)
            return &c->of[kind].v[i];
    return NULL;
}

static void test_itself(void)
{
    struct cc_subjects *a = fixture(), *b = fixture();
    struct cc_comparison *c;
    cc_compare(a, b, &c);
    size_t differ = 0, all = 0;
    for (int k = 0; k < CC_OFS; k++) {
        all += c->of[k].n;
        differ += c->of[k].n - c->same[k];
    }
    OK(all > 20, "there is something to compare");
    OK_U64(differ, 0, "nothing differs from itself");
    OK_U64(c->limits.n, 0, "and nothing stands in the way");
    OK_NEAR(a->of[CC_OF_RUN].v[0].value[CC_RUN_INSTRUCTIONS], FIXTURE_INSTRUCTIONS, 0,
            "instructions of the run");
    double sum = 0;
    for (size_t i = 0; i < a->of[CC_OF_FUNCTION].n; i++)
        sum += a->of[CC_OF_FUNCTION].v[i].value[CC_FUNCTION_INSTRUCTIONS];
    OK_NEAR(sum, FIXTURE_INSTRUCTIONS, 0, "are those of all functions");
    cc_comparison_free(c);
    cc_subjects_free(a);
    cc_subjects_free(b);
}

static void test_changes(void)
{
    struct cc_subjects *a = fixture(), *b = fixture();
    find(b, CC_OF_STREAM, "produce -> filter")->value[CC_STREAM_BYTES] *= 1.5;
    find(b, CC_OF_FUNCTION, "consume")->name = "eat";
    struct cc_comparison *c;
    cc_compare(a, b, &c);
    const struct cc_difference *d = row(c, CC_OF_STREAM, "produce -> filter");
    OK(d && d->differs && d->change[CC_STREAM_BYTES] == 0.5 && d->change[CC_STREAM_READS] == 0,
       "a stream of half as much again");
    OK(d == &c->of[CC_OF_STREAM].v[0], "comes first");
    const struct cc_difference *eat = row(c, CC_OF_FUNCTION, "eat");
    OK(eat && eat->a && eat->how == CC_MATCH_RENAMED && strcmp(eat->a->name, "consume") == 0,
       "a function under a new name");
    const struct cc_difference *s =
        row(c, CC_OF_STREAM, "filter -> consume"); /* names of streams were made before */
    OK(s && s->a && s->b && !s->differs, "its streams are those of the old one");
    cc_comparison_free(c);
    cc_subjects_free(a);
    cc_subjects_free(b);
}

static void test_new_and_gone(void)
{
    struct cc_subjects *a = fixture(), *b = fixture();
    struct cc_subject *x = find(b, CC_OF_FUNCTION, "dive");
    x->name = "unlike"; /* and nothing else is like it */
    x->value[CC_FUNCTION_CALLS] = 1e6;
    x->value[CC_FUNCTION_INSTRUCTIONS] = 1e9;
    x->file = "elsewhere.c";
    struct cc_comparison *c;
    cc_compare(a, b, &c);
    const struct cc_difference *new = row(c, CC_OF_FUNCTION, "unlike"),
                               *gone = row(c, CC_OF_FUNCTION, "dive");
    OK(new && !new->a &&isnan(new->change[0]), "what has no match is new");
    OK(gone && !gone->b && gone->differs, "or gone");
    cc_comparison_free(c);
    cc_subjects_free(a);
    cc_subjects_free(b);
}

static void test_limits(void)
{
    struct cc_subjects *a = fixture(), *b = fixture();
    b->isa = "riscv64";
    b->engine = "qemu";
    b->libs = "node";
    b->complete = false;
    struct cc_comparison *c;
    cc_compare(a, b, &c);
    OK_U64(c->limits.n, 4, "another ISA, engine, --libs, and a run cut short are said");
    OK(!c->instructions, "instructions are not comparable");
    cc_comparison_free(c);
    cc_subjects_free(a);
    cc_subjects_free(b);
}

static void test_names(void)
{
    static const char *const names[][2] = {
        {"foo", "foo"},
        {"foo.constprop.0", "foo"},
        {"foo.part.0.cold", "foo"},
        {"foo.isra.12", "foo"},
        {"foo.cold", "foo"},
        {"foo.c.12", "foo.c.12"},
        {".part.0", ".part.0"},
        {"a::b(int) [clone .cold]", "a::b(int)"},
        {"foo.part", "foo"},
        {"v1.2", "v1.2"},
        {"", ""},
    };
    CC_CLEANUP(cc_arena_fini) struct cc_arena arena = {0};
    for (size_t i = 0; i < CC_COUNT(names); i++)
        OK_STR(cc_subject_plain_name(names[i][0], &arena), names[i][1], "name '%s'", names[i][0]);
}

static void test_noise(void)
{
    struct cc_subjects *a = fixture(), *b = fixture(), *both[2] = {a, b};
    for (int s = 0; s < 2; s++) {
        both[s]->clock = "ns";
        both[s]->timed = true;
        for (int k = 0; k < 2; k++)
            CC_VEC_PUSH(&both[s]->of[CC_OF_TASK], (struct cc_subject){.name = k ? "steady" : "noisy",
                                                                      .ends = {CC_NONE, CC_NONE},
                                                                      .value = {1000 + 100 * s, 5},
                                                                      .spread = k ? 10 : 50});
    }
    struct cc_comparison *c;
    cc_compare(a, b, &c);
    const struct cc_difference *noisy = row(c, CC_OF_TASK, "noisy"), *steady = row(c, CC_OF_TASK, "steady");
    OK(noisy->noise && !noisy->differs, "100 with a spread of 71 is noise"); /* sqrt(50² + 50²) */
    OK(!steady->noise && steady->differs, "100 with a spread of 14 is not");
    struct cc_condition x;
    struct cc_err err = {0};
    cc_condition_parse("task time > +5%", &x, &err);
    OK(!cc_condition_holds(&x, noisy) && cc_condition_holds(&x, steady),
       "a condition is not broken by noise");
    cc_condition_fini(&x);
    cc_comparison_free(c);
    cc_subjects_free(a);
    cc_subjects_free(b);
}

/* --- conditions --- */

static void test_conditions(void)
{
    const struct cc_subject a = {.name = "f", .value = {1000, 2000, 10, NAN}},
                            b = {.name = "g", .value = {1060, 2000, 9, NAN}};
    const struct cc_difference both = {.a = &a, .b = &b, .differs = true}, new = {.b = &b}, gone = {.a = &a};
    static const struct {
        const char *text;
        bool both, new, gone;
    } trials[] = {
        {"function instructions > +5%", true, true, false},
        {"function instructions > +6%", false, true, false},
        {"function instructions >= +6%", true, true, false},
        {"function instructions > +60", false, true, false},
        {"function instructions >= +60", true, true, false},
        {"function instructions > 1059", true, true, false},
        {"function instructions < -50%", false, false, true},
        {"function inclusive != +0", false, true, true},
        {"function inclusive = 2000", true, true, false},
        {"function inclusive == 2000", true, true, false},
        {"function calls < +0", true, false, true},
        {"function calls <= -1", true, false, true},
        {"functions calls <= -1", true, false, true},
        {"function f instructions > +5%", true, false, false},
        {"function 'g*' calls > 8", true, true, false},
        {"function h instructions > +5%", false, false, false},
        {"new function", false, true, false},
        {"gone function", false, false, true},
        {"gone function 'x*'", false, false, false},
        {"function instructions > 1k", true, true, false},
        {"function instructions > 2k", false, false, false},
    };
    for (size_t i = 0; i < CC_COUNT(trials); i++) {
        struct cc_condition c;
        struct cc_err err = {0};
        OK(cc_condition_parse(trials[i].text, &c, &err) == 0 &&
               cc_condition_holds(&c, &both) == trials[i].both &&
               cc_condition_holds(&c, &new) == trials[i].new &&cc_condition_holds(&c, &gone) ==
                   trials[i].gone,
           "%s", trials[i].text);
        cc_condition_fini(&c);
    }
}

static void test_bad_conditions(void)
{
    static const char *const bad[] = {"",
                                      "function",
                                      "function instructions > ",
                                      "function instructions > +x%",
                                      "funktion instructions > 1",
                                      "function bytes > 1",
                                      "function instructions ~ 1",
                                      "function 'f instructions > 1",
                                      "new",
                                      "new thing",
                                      "function a b c d e f g h i j",
                                      "function instructions > 1e999",
                                      "function instructions > %",
                                      "function instructions > nan"};
    for (size_t i = 0; i < CC_COUNT(bad); i++) {
        struct cc_condition c;
        struct cc_err err = {0};
        OK(cc_condition_parse(bad[i], &c, &err) < 0, "refused: '%s'", bad[i]);
        cc_condition_fini(&c);
    }
}

/* --- random programs --- */

enum { FUNCTIONS = 40 };

/* Functions of three files that call each other; b has a tenth of them under new names and in another order.
 */
static void random_program(struct cc_rng *rng, struct cc_subjects *a, struct cc_subjects *b,
                           uint32_t truth[FUNCTIONS], size_t *ret_renamed)
{
    static char names[2][FUNCTIONS][16];
    *ret_renamed = 0;
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        truth[i] = i;
    for (uint32_t i = FUNCTIONS; i-- > 1;) {
        uint32_t k = (uint32_t)cc_rng_below(rng, i + 1), t = truth[i];
        truth[i] = truth[k];
        truth[k] = t;
    }
    struct cc_subject in_b[FUNCTIONS];
    for (uint32_t i = 0; i < FUNCTIONS; i++) {
        bool renamed = cc_rng_below(rng, 10) == 0;
        *ret_renamed += renamed;
        snprintf(names[0][i], sizeof names[0][i], "f%u", i);
        snprintf(names[1][i], sizeof names[1][i], renamed ? "new%u" : "f%u", i);
        struct cc_subject x = {.name = names[0][i],
                               .file = i % 3 ? i % 3 == 1 ? "a.c" : "b.c" : "c.c",
                               .ends = {CC_NONE, CC_NONE}};
        for (int f = 0; f < 3; f++)
            x.value[f] = (double)cc_rng_below(rng, 100000);
        CC_VEC_PUSH(&a->of[CC_OF_FUNCTION], x);
        x.name = names[1][i];
        in_b[truth[i]] = x;
    }
    for (uint32_t i = 0; i < FUNCTIONS; i++)
        CC_VEC_PUSH(&b->of[CC_OF_FUNCTION], in_b[i]);
    for (uint32_t i = 0; i < 4 * FUNCTIONS; i++) {
        struct cc_subject_call c = {(uint32_t)cc_rng_below(rng, FUNCTIONS),
                                    (uint32_t)cc_rng_below(rng, FUNCTIONS)};
        CC_VEC_PUSH(&a->calls, c);
        CC_VEC_PUSH(&b->calls, (struct cc_subject_call){truth[c.from], truth[c.to]});
    }
}

static void test_random(void)
{
    struct cc_rng rng = {7};
    size_t wrong = 0, found = 0, renamed = 0;
    for (int round = 0; round < 200; round++) {
        struct cc_subjects a = {0}, b = {0};
        uint32_t truth[FUNCTIONS];
        size_t n;
        random_program(&rng, &a, &b, truth, &n);
        renamed += n;
        struct cc_match m;
        cc_match_build(&a, &b, &m);
        for (uint32_t i = 0; i < FUNCTIONS; i++) {
            uint32_t to = m.to[CC_OF_FUNCTION][i];
            wrong += to != CC_NONE && to != truth[i];
            found += to == truth[i] && m.how[CC_OF_FUNCTION][i] == CC_MATCH_RENAMED;
        }
        cc_match_fini(&m);
        CC_VEC_FINI(&a.of[CC_OF_FUNCTION]);
        CC_VEC_FINI(&b.of[CC_OF_FUNCTION]);
        CC_VEC_FINI(&a.calls);
        CC_VEC_FINI(&b.calls);
    }
    printf("# %zu of %zu renamed functions found, %zu wrong\n", found, renamed, wrong);
    OK_U64(wrong, 0, "no function is taken for another");
    OK((double)found > 0.9 * (double)renamed, "more than nine of ten renamed ones are found");
}

int main(void)
{
    test_itself();
    test_changes();
    test_new_and_gone();
    test_limits();
    test_names();
    test_noise();
    test_conditions();
    test_bad_conditions();
    test_random();
    return TAP_DONE();
}
