/* What the search needs of the program's source and of logic, to move code to other units of the chip. */
#include "units.h"
#include "../loop_sources.h"
#include "../source_child.h"
#include "../area/area.h"
#include "../report/source.h"
#include "../../analysis/area/recorded.h"
#include "../../base/text.h"

static const char usual_model[] = "vitis-hls-u280", usual_part[] = "u280";

bool cc_explore_has_logic(const struct cc_platform *p)
{
    const char *const *names;
    bool found = false;
    for (size_t n = cc_platform_list(p, "unit", &names), i = 0; i < n; i++) {
        CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", names[i]);
        found = found || strcmp(cc_platform_str_or(p, section, CC_STR_UNIT_KIND, "cpu"), "fpga") == 0;
    }
    return found;
}

static bool *wanted_files(const struct cc_profile *p)
{
    bool *want = cc_alloc_array(p->nfiles + 1, sizeof *want);
    for (size_t f = 0; f < p->nfunctions; f++)
        for (size_t k = 0; k < p->nfiles; k++)
            want[k] = want[k] || (p->functions[f].file && !p->functions[f].library &&
                                  strcmp(p->functions[f].file, p->files[k].path) == 0 &&
                                  !cc_explore_is_system(p->functions[f].file));
    return want;
}

static int measure(struct exploration *x, struct cc_devices *d, struct cc_err *err)
{
    struct cc_strs files = {0}, given = {0}, flags = {0};
    struct cc_source_options options = {.flags = &flags, .loops = true};
    CC_CLEANUP(cc_free_ptr) bool *want = wanted_files(x->p);
    for (size_t i = 0; i < x->p->nfiles; i++) {
        struct cc_source text = {0};
        if (!want[i])
            continue;
        cc_source_read(&text, &x->p->files[i], x->o->source);
        const char *path = text.path && !text.changed ? cc_arena_strdup(&x->arena, text.path) : NULL;
        if (path)
            CC_VEC_PUSH(&files, path);
        cc_source_fini(&text);
    }
    cc_explore_words(x->o->cflags, &x->arena, &given);
    cc_loop_flags(x->p, &given, x->o->source, &x->arena, &flags);
    cc_area_recorded_trips(x->p, &x->arena, &options.trips);
    int rc = files.n ? cc_area_measure(&files, &options, &d->sources, err) : 0;
    if (d->sources)
        cc_sources_join_trees(d->sources);
    if (rc == 0 && (!d->sources || !d->sources->functions.n))
        d->why = "the program's source was not found, was changed since the recording, or cannot be read";
    cc_strs_fini(&files);
    cc_strs_fini(&given);
    cc_strs_fini(&flags);
    return rc;
}

static int load_logic(struct exploration *x, struct cc_devices *d, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("unit.%s", d->logic->name);
    const char *name = cc_platform_str_or(x->platform, section, CC_STR_UNIT_DEVICE, usual_part);
    CC_CLEANUP(cc_free_ptr) char *part = cc_area_shipped(name, ".ini");
    CC_CLEANUP(cc_free_ptr) char *model = cc_area_shipped(usual_model, ".model");
    int rc = cc_area_model_load(model, &d->model, err);
    if (rc < 0)
        d->model = NULL;
    if (rc == 0)
        rc = cc_area_device_load(part, &d->part, err);
    if (rc < 0)
        d->part = NULL;
    if (rc == 0 || x->logic.n || x->o->objective == CC_EXPLORE_AREA)
        return rc;
    d->no_logic = cc_arena_printf(&x->arena, "no figure: %s", err->msg); /* nobody asked for it */
    *err = (struct cc_err){0};
    return 0;
}

/* A loop is known by its place, a function by its name, both by their file. */
static const char *left_out(void *data, const struct cc_source_function *f)
{
    struct exploration *x = data;
    const char *colon = f->of ? strrchr(f->name, ':') : NULL;
    size_t size = colon ? (size_t)(colon - f->name) : strlen(f->name);
    struct cc_loop l = {.id = f->of ? cc_arena_printf(&x->arena, "%s:%u", cc_text_base(f->file), f->line)
                                    : f->name,
                        .function = cc_arena_strndup(&x->arena, f->name, size),
                        .file = f->file};
    return cc_explore_left_out(x, &l);
}

int cc_explore_units(struct exploration *x, struct cc_err *err)
{
    const char *const *names;
    if (!x->r.complete || cc_platform_list(x->platform, "unit", &names) < 2)
        return 0;
    struct cc_devices *d = x->devices = cc_arena_alloc(&x->arena, sizeof *d);
    *d = (struct cc_devices){.budgets = x->logic.v, .nbudgets = x->logic.n, .unwanted = left_out, .data = x};
    int rc = cc_devices_open(&x->rq, &x->r, d, err);
    if (rc == 0 && !d->why)
        rc = measure(x, d, err);
    if (rc == 0 && !d->why && d->logic)
        rc = load_logic(x, d, err);
    if (rc == 0 && !d->why)
        rc = cc_devices_build(&x->rq, &x->r, d, err);
    return rc < 0 || d->why ? rc : cc_devices_plans(&x->rq, &x->r, d, err);
}
