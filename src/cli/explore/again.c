/* The program once more under our own recorder, with what the proof runs: another input may tell that a loop
 * needs its order after all. */
#include "internal.h"
#include "../loop_sources.h"
#include "../../base/where.h"
#include "../../run/trial.h"

#include <unistd.h>

/* A program and its arguments, and nothing that a shell would have to understand. */
static bool is_simple(const char *command)
{
    return *command && !strpbrk(command, "|&;<>()$`\\\"'*?[]#~=%!{}\n") && strncmp(command, "exec ", 5) != 0;
}

static bool record(struct exploration *x, const struct cc_explore_race *r, const char *command,
                   const char *cast)
{
    CC_CLEANUP(cc_free_ptr) char *self = cc_where_self();
    if (!self)
        return false;
    CC_CLEANUP(cc_free_ptr) char *own = cc_asprintf("CORECAST_SELF=%s", self);
    CC_CLEANUP(cc_free_ptr) char *out = cc_asprintf("CORECAST_CAST=%s", cast);
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_asprintf(
        "exec \"$CORECAST_SELF\" record -q --loops dependences -o \"$CORECAST_CAST\" -- %s", command);
    const char *const environment[] = {own, out, "OMP_NUM_THREADS=1", NULL};
    struct cc_trial trial = {
        .folder = r->folder, .command = text, .environment = environment, .limit = r->limit, .stop = r->stop};
    struct cc_trial_end e;
    struct cc_err ignored = {0};
    (void)x;
    return cc_trial_run(&trial, &e, &ignored) == 0 && !e.late && !e.stopped && access(cast, R_OK) == 0;
}

/* The first loop of the plan that is not free in this list, from 1; 0: none. */
static uint32_t not_free(const struct exploration *x, const struct cc_explore_plan *plan,
                         const struct cc_loop_list *loops, size_t *ret_seen, const char **ret_why)
{
    *ret_seen = 0;
    for (size_t i = 0; i < plan->parts.n; i++) {
        uint32_t candidate = plan->parts.v[i].candidate, loop = x->r.candidates.v[candidate].loop;
        for (size_t k = 0; k < loops->v.n; k++) {
            const struct cc_loop *l = &loops->v.v[k];
            if (strcmp(l->id, x->loops->v.v[loop].id) != 0)
                continue;
            *ret_seen += l->verdict != CC_VERDICT_UNKNOWN;
            if (l->verdict != CC_VERDICT_ORDERED && l->verdict != CC_VERDICT_SEQUENTIAL)
                continue;
            if (x->places[loop].assumed) /* the user knows better */
                continue;
            *ret_why = l->sentence;
            return candidate + 1;
        }
    }
    return 0;
}

const char *cc_explore_record_again(struct exploration *x, const struct cc_explore_race *r,
                                    struct verdict *ret)
{
    const char *command = x->o->race_run ? x->o->race_run : x->o->command, *why = NULL;
    CC_CLEANUP(cc_free_ptr) char *cast = cc_asprintf("%s/again.cast", r->tree);
    if (!is_simple(command))
        return "not recorded again: the command is more than a program and its arguments";
    if (access(cast, R_OK) != 0 && !record(x, r, command, cast))
        return r->stop && *r->stop ? "not recorded again: stopped"
                                   : "not recorded again: the recorder failed";
    struct cc_profile *p = NULL;
    struct cc_loop_list *loops = NULL;
    struct cc_err ignored = {0};
    struct cc_strs none = {0};
    size_t seen = 0;
    if (cc_profile_load(cast, &p, &ignored) < 0)
        return "not recorded again: the recording cannot be read";
    struct cc_source_loops *sources = cc_loop_sources_with(p, r->folder, &none);
    uint32_t culprit =
        cc_loops_analyse(p, sources, &loops, &ignored) == 0 ? not_free(x, r->plan, loops, &seen, &why) : 0;
    const char *said = cc_arena_printf(&x->arena, "%zu of %zu loops were free again", seen, r->plan->parts.n);
    if (culprit) {
        said = cc_arena_printf(&x->arena, "with '%s' %s needs its order: %s", command,
                               x->loops->v.v[x->r.candidates.v[culprit - 1].loop].id, why);
        ret->culprit = culprit;
        ret->reason = ret->reason ? ret->reason : said;
    }
    cc_loops_free(loops);
    cc_source_loops_free(sources);
    cc_profile_free(p);
    return said;
}
