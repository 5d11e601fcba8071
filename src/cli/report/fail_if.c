#include "fail_if.h"
#include "../compare/compare.h"

/* A change takes two recordings. */
static int parse(const char *text, struct cc_condition *ret, struct cc_err *err)
{
    int rc = cc_condition_parse(text, ret, err);
    if (rc < 0 || ret->on == CC_ON_VALUE)
        return rc;
    rc = cc_err_set(err, CC_EUSAGE, "condition '%s' is about a change, which takes two recordings", text);
    cc_err_hint(err, "'corecast compare A B --fail-if'; of one, 'function instructions > 2M'");
    return rc;
}

int cc_report_fail_if_check(const struct cc_strs *conditions, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < conditions->n; i++) {
        struct cc_condition one = {0};
        rc = parse(conditions->v[i], &one, err);
        cc_condition_fini(&one);
    }
    return rc;
}

/* A condition on what this recording does not tell must not pass in silence. */
static int check(const struct cc_condition *c, const struct cc_subjects *s, struct cc_err *err)
{
    if ((c->kind == CC_OF_LOOP && !s->loops) || (c->kind == CC_OF_OBJECT && !s->objects) ||
        (c->kind == CC_OF_TASK && !s->clock))
        return cc_err_set(err, CC_EINPUT, "condition '%s': the recording does not have %s", c->text,
                          cc_subject_infos[c->kind].plural);
    return 0;
}

static int judge(const struct cc_condition *c, const struct cc_comparison *all)
{
    enum { MOST_SAID = 10 };
    int broken = 0;
    for (size_t k = 0; k < all->of[c->kind].n; k++) {
        const struct cc_difference *d = &all->of[c->kind].v[k];
        if (!cc_condition_holds(c, d) || broken++ >= MOST_SAID)
            continue;
        fputs("corecast: ", stderr);
        cc_text_print_safe(stderr, cc_subject_infos[c->kind].name);
        fputs(" '", stderr);
        cc_text_print_safe(stderr, cc_difference_name(d));
        fputs("': ", stderr);
        cc_text_print_safe(stderr, c->text);
        fputc('\n', stderr);
    }
    if (broken > MOST_SAID)
        fprintf(stderr, "corecast: and %d more\n", broken - MOST_SAID);
    return broken;
}

/* The recording is compared with itself: each figure is there, and nothing changed. */
int cc_report_fail_if(const struct cc_strs *conditions, const char *profile, struct cc_err *err)
{
    struct cc_subjects *s = NULL;
    struct cc_comparison *c = NULL;
    int broken = 0, rc = cc_subjects_load(profile, true, &s, err);
    if (rc == 0)
        cc_compare(s, s, &c);
    for (size_t i = 0; rc == 0 && i < conditions->n; i++) {
        struct cc_condition one = {0};
        rc = parse(conditions->v[i], &one, err);
        if (rc == 0)
            rc = check(&one, s, err);
        if (rc == 0)
            broken += judge(&one, c);
        cc_condition_fini(&one);
    }
    cc_comparison_free(c);
    cc_subjects_free(s);
    return rc < 0 ? rc : broken;
}
