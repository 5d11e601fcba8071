/* corecast platform: what platforms there are, what one says, what it can answer, and a file to begin with.
 */
#include "../command.h"
#include "../output.h"
#include "answers.h"

#include <math.h>

enum { LIST = 1, SHOW = 2, CHECK = 4, NEW = 8 };

struct options {
    struct cc_common common;
    struct cc_strs set;
};

static const struct cc_opt table[] = {
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct options, set), "override a value, as predict does",
     .of = SHOW | CHECK},
};

static int load(const struct options *o, const struct cc_strs *operands, struct cc_platform **ret,
                struct cc_err *err)
{
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one platform");
    int rc = cc_platform_load(operands->v[0], ret, err);
    for (size_t i = 0; rc == 0 && i < o->set.n; i++)
        rc = cc_platform_override(*ret, o->set.v[i], err);
    return rc;
}

/* Frees r. */
static int print(const struct options *o, struct cc_result *r, struct cc_err *err)
{
    int rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    return rc;
}

static int show(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    struct cc_platform *p = NULL;
    int rc = load(o, operands, &p, err);
    if (rc == 0) {
        struct cc_result *r = cc_result_new("corecast.platform", 1);
        cc_platform_show(p, r);
        rc = print(o, r, err);
        const char *const *warnings;
        size_t n = cc_platform_warnings(p, &warnings);
        for (size_t i = 0; rc == 0 && i < n; i++)
            cc_note(&o->common, "%s: %s", cc_platform_path(p), warnings[i]);
    }
    cc_platform_free(p);
    return rc;
}

/* --- list --- */

static void list_one(const char *name, struct cc_platform *p, struct cc_table *t)
{
    struct cc_platform_figures figures;
    cc_platform_figures(p, &figures);
    const char *const *units;
    size_t n = cc_platform_list(p, "unit", &units);
    cc_table_row(t);
    cc_table_str(t, name);
    cc_table_num(t, cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CORES, 1));
    cc_table_num(t, cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, NAN));
    cc_table_list(t);
    for (size_t i = 0; i < n; i++)
        cc_table_str(t, units[i]);
    cc_table_end(t);
    for (int q = 0; q < CC_QUESTIONS; q++) {
        struct cc_answer a;
        cc_platform_answer(p, (enum cc_question)q, &a);
        cc_table_bool(t, a.yes);
    }
    cc_table_u64(t, figures.values);
    cc_table_u64(t, figures.assumed);
    cc_table_num(t, figures.values ? (double)figures.assumed / (double)figures.values : NAN);
    cc_table_str(t, cc_platform_str_or(p, NULL, CC_STR_PLATFORM_NAME, NULL));
}

static int list(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    static const struct cc_col cols[] = {
        {"name", "platform", CC_COL_STR},
        {"cores", "cores", CC_COL_INT},
        {"clock_mhz", "MHz", CC_COL_NUM, 0},
        {"units", "units", CC_COL_LIST, .wrap = 9},
        {"answers.predict", "speed", CC_COL_BOOL},
        {"answers.energy", "power", CC_COL_BOOL},
        {"answers.tile", "tile", CC_COL_BOOL},
        {"answers.units", "units", CC_COL_BOOL},
        {"answers.tasks", "tasks", CC_COL_BOOL},
        {"answers.parts", "parts", CC_COL_BOOL},
        {"answers.simulate", "sim", CC_COL_BOOL},
        {"answers.area", "area", CC_COL_BOOL},
        {"values", NULL, CC_COL_INT},
        {"assumed", NULL, CC_COL_INT},
        {NULL, "assumed", CC_COL_PERCENT},
        {"title", NULL, CC_COL_STR},
    };
    struct options *o = opts;
    if (operands->n)
        return cc_err_set(err, CC_EUSAGE, "unexpected operand '%s'", operands->v[0]);
    struct cc_arena arena = {0};
    const char *const *names;
    size_t n = cc_platform_shipped(&arena, &names);
    struct cc_result *r = cc_result_new("corecast.platforms", 1);
    struct cc_table *t = cc_result_table(r, "platforms", cols, CC_COUNT(cols));
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++) {
        struct cc_platform *p = NULL;
        rc = cc_platform_load(names[i], &p, err);
        if (rc == 0)
            list_one(names[i], p, t);
        cc_platform_free(p);
    }
    cc_result_note(r, "assumed: share of the figures that are neither measured nor published;");
    cc_result_note(r, "'corecast platform show NAME' tells which");
    if (rc == 0)
        rc = print(o, r, err);
    else
        cc_result_free(r);
    cc_arena_fini(&arena);
    return rc;
}

/* --- check --- */

static size_t add_answers(struct cc_platform *p, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"question", NULL, CC_COL_STR},    {NULL, "question", CC_COL_STR},
        {"answer", "answer", CC_COL_BOOL}, {"why", "because", CC_COL_STR, .wrap = 44},
        {"broken", NULL, CC_COL_BOOL},
    };
    size_t broken = 0;
    struct cc_table *t = cc_result_table(r, "answers", cols, CC_COUNT(cols));
    for (int q = 0; q < CC_QUESTIONS; q++) {
        struct cc_answer a;
        cc_platform_answer(p, (enum cc_question)q, &a);
        broken += a.broken;
        cc_table_row(t);
        cc_table_str(t, cc_question_keys[q]);
        cc_table_str(t, cc_question_texts[q]);
        cc_table_bool(t, a.yes);
        cc_table_str(t, a.yes ? NULL : a.why);
        cc_table_bool(t, a.broken);
    }
    return broken;
}

static int check(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    struct cc_platform *p = NULL;
    int rc = load(o, operands, &p, err);
    if (rc < 0) {
        cc_platform_free(p);
        return rc;
    }
    struct cc_arena arena = {0};
    struct cc_platform_figures f;
    const char *const *odd;
    cc_platform_figures(p, &f);
    size_t nodd = cc_platform_odd(p, &arena, &odd);
    struct cc_result *r = cc_result_new("corecast.platform.check", 1);
    cc_result_str(r, "path", cc_platform_path(p));
    size_t broken = add_answers(p, r);
    cc_result_u64(r, "values", f.values);
    cc_result_u64(r, "assumed", f.assumed);
    cc_result_u64(r, "unsourced", f.unsourced);
    cc_result_note(r, "%zu figures, %zu of them assumed", f.values, f.assumed);
    if (f.unsourced)
        cc_result_note(r, "%zu figures are in sections that name no source of their own, the first in [%s]",
                       f.unsourced, f.section);
    cc_result_arr(r, "odd");
    for (size_t i = 0; i < nodd; i++) {
        cc_result_str(r, NULL, odd[i]);
        cc_result_note(r, "odd: %s", odd[i]);
    }
    cc_result_end(r);
    rc = print(o, r, err);
    if (rc == 0 && (broken || nodd))
        rc = cc_err_at(err, CC_ETHRESHOLD, cc_platform_path(p), 0, "%zu thing%s wrong with it", broken + nodd,
                       broken + nodd == 1 ? " is" : "s are");
    cc_arena_fini(&arena);
    cc_platform_free(p);
    return rc;
}

/* --- new --- */

static int new (void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    if (operands->n)
        return cc_err_set(err, CC_EUSAGE, "unexpected operand '%s': name the file with -o", operands->v[0]);
    if (o->common.json || o->common.csv)
        return cc_err_set(err, CC_EUSAGE, "a platform file is neither JSON nor CSV");
    struct cc_buf text = {0};
    cc_platform_template(&text);
    struct cc_outfile out = {0};
    int rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        fwrite(text.s, 1, text.n, out.f);
        rc = cc_outfile_commit(&out, err);
    }
    cc_buf_fini(&text);
    return rc;
}

static const struct cc_verb verbs[] = {
    {"list", "the platforms that ship, and what each can answer", "[OPTIONS]", list},
    {"show", "what a platform file says, inherits and leaves to defaults, and where it comes from",
     "[OPTIONS] PLATFORM", show},
    {"check", "whether a platform file is sound, and what it can answer", "[OPTIONS] PLATFORM", check},
    {"new", "a platform file to fill in", "[-o FILE]", new},
};

const struct cc_command cc_cmd_platform = {
    .name = "platform",
    .summary = "list, show, check and begin platform files",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .verbs = verbs,
    .nverbs = CC_COUNT(verbs),
    .results = true,
};
