/* Both programs under our own recorder, with what the proof runs. As it is: another input may tell that a
 * loop needs its order after all. With the plan: whether its loops are really shared, and the result stays.
 */
#include "internal.h"
#include "../loop_sources.h"
#include "../../analysis/explore/same.h"
#include "../../base/file.h"
#include "../../base/where.h"
#include "../../run/trial.h"
#include "../../base/text.h"

#include <unistd.h>

/* Whether a shell makes more of this character than a part of a word, or its input from a file. */
static bool is_special(const char *c, char quote)
{
    if (quote == '\'')
        return false;
    bool runs = *c == '`' || (c[0] == '$' && c[1] == '(');
    return runs || (!quote && (strchr("|&;>(){}!#\n", *c) || (c[0] == '<' && c[1] && strchr("<>&(", c[1]))));
}

/* A program and its arguments, quoted or not, and where its input comes from: it can be put behind `record
 * --`. */
static bool is_simple(const char *command)
{
    char quote = 0;
    bool first = true; /* in the first word, where NAME=VALUE is none */
    for (const char *c = command; *c; c++) {
        if (is_special(c, quote) || (first && !quote && *c == '='))
            return false;
        if (*c == '\\' && quote != '\'' && c[1])
            c++;
        else if (quote ? *c == quote : *c == '\'' || *c == '"')
            quote = quote ? 0 : *c;
        first = first && (quote || *c != ' ');
    }
    return *command && *command != ' ' && !quote && strncmp(command, "exec ", 5) != 0;
}

struct recording {
    const char *folder, *command, *cast; /* where the program was built; what to run; where it goes */
    const char *loops;                   /* what to find out about them, and more options */
    const char *out;                     /* for what the program writes */
    const char *library;                 /* our OpenMP, which deals iterations out evenly; NULL: none */
    unsigned threads;
    int status;
    bool late; /* it took longer than it may */
};

static bool record(const struct cc_explore_race *r, struct recording *c)
{
    CC_CLEANUP(cc_free_ptr) char *self = cc_where_self();
    if (!self)
        return false;
    CC_CLEANUP(cc_free_ptr) char *own = cc_asprintf("CORECAST_SELF=%s", self);
    CC_CLEANUP(cc_free_ptr) char *out = cc_asprintf("CORECAST_CAST=%s", c->cast);
    CC_CLEANUP(cc_free_ptr) char *threads = cc_asprintf("OMP_NUM_THREADS=%u", c->threads);
    CC_CLEANUP(cc_free_ptr) char *preload = cc_asprintf("LD_PRELOAD=%s", c->library ? c->library : "");
    CC_CLEANUP(cc_free_ptr)
    char *text = cc_asprintf("exec \"$CORECAST_SELF\" record -q --loops %s -o \"$CORECAST_CAST\" -- %s",
                             c->loops, c->command);
    const char *const environment[] = {own, out, threads, c->library ? preload : NULL, NULL};
    struct cc_trial trial = {.folder = c->folder,
                             .command = text,
                             .environment = environment,
                             .out = c->out,
                             .limit = r->limit,
                             .stop = r->stop};
    struct cc_trial_end e = {0};
    struct cc_err ignored = {0};
    bool done =
        cc_trial_run(&trial, &e, &ignored) == 0 && !e.late && !e.stopped && access(c->cast, R_OK) == 0;
    c->status = e.status;
    c->late = e.late;
    return done;
}

struct seen { /* loops of a plan that were met again, and of these, those that were judged */
    size_t met, free;
};

static const char unrecognised[] = "none of its loops was recognised (build it with -g)";

/* Whether a loop that was changed to be free is so in this run too: the same part of it takes turns. */
static bool is_instead(const struct exploration *x, uint32_t loop, const struct cc_loop *l)
{
    const struct place *p = &x->places[loop];
    const struct cc_loop *instead = p->joined  ? l->joined
                                    : p->walk  ? l->walked
                                    : p->turns ? l->turns
                                               : NULL,
                         *was = &x->loops->v.v[loop];
    if (p->wave)
        return cc_explore_is_wave(l, p->source, true);
    bool same = !p->turns || (l->turn_line == was->turn_line && l->turn_last == was->turn_last);
    return instead && same && instead->verdict <= CC_VERDICT_REDUCTION;
}

/* The first loop of the plan that is not free in this list, from 1; 0: none. */
static uint32_t not_free(const struct exploration *x, const struct cc_explore_plan *plan,
                         const struct cc_loop_list *loops, struct seen *ret, const char **ret_why)
{
    *ret = (struct seen){0};
    for (size_t i = 0; i < plan->parts.n; i++) {
        uint32_t candidate = plan->parts.v[i].candidate, loop = x->r.candidates.v[candidate].loop;
        for (size_t k = 0; k < loops->v.n; k++) {
            const struct cc_loop *l = &loops->v.v[k];
            if (strcmp(l->id, x->loops->v.v[loop].id) != 0)
                continue;
            if (l->iterations != x->loops->v.v[loop].iterations && cc_explore_calls_of(x, loop))
                continue; /* fewer calls */
            ret->met++;
            bool harmed = l->verdict == CC_VERDICT_ORDERED || l->verdict == CC_VERDICT_SEQUENTIAL;
            bool again = is_instead(x, loop, l);
            harmed = harmed && !again;
            ret->free += l->verdict != CC_VERDICT_UNKNOWN || again;
            if (!harmed)
                continue;
            if (x->places[loop].assumed && !x->places[loop].forced) /* the user knows better */
                continue;
            *ret_why = l->sentence;
            return candidate + 1;
        }
    }
    return 0;
}

static const char *no_recording(struct exploration *x, const struct cc_explore_race *r,
                                const struct recording *c)
{
    if (c->late)
        return cc_arena_printf(
            &x->arena, "not recorded: it took longer than %g s (--limit, or a smaller --race-run)", r->limit);
    return r->stop && *r->stop ? "not recorded: stopped" : "not recorded: the recorder failed";
}

/* What the same calls of the same source did in that run. */
static void judge_calls(const struct exploration *x, struct cc_profile *p, struct cc_loop_list *loops,
                        struct cc_arena *arena)
{
    struct exploration other = {.o = x->o, .p = p, .loops = loops, .facts = x->facts, .all_calls = true};
    cc_explore_calls(&other);
    CC_VEC_FINI(&other.calls);
    *arena = other.arena;
}

static const char *command_of(const struct exploration *x)
{
    return x->o->race_run ? x->o->race_run : x->o->command;
}

const char *cc_explore_record_again(struct exploration *x, const struct cc_explore_race *r,
                                    struct verdict *ret)
{
    const char *command = command_of(x), *why = NULL;
    CC_CLEANUP(cc_free_ptr) char *cast = cc_asprintf("%s/again.cast", r->folder);
    CC_CLEANUP(cc_free_ptr) char *out = cc_asprintf("%s/again.out", r->folder);
    if (!is_simple(command))
        return "not recorded: the command is more than a program and its arguments";
    struct recording c = {.folder = r->tree,
                          .command = command,
                          .cast = cast,
                          .loops = "dependences --tasks all", /* as explore records: followed as far */
                          .out = out,
                          .threads = 1};
    if (access(cast, R_OK) != 0 && !record(r, &c))
        return no_recording(x, r, &c);
    struct cc_profile *p = NULL;
    struct cc_loop_list *loops = NULL;
    struct cc_err ignored = {0};
    struct cc_strs none = {0};
    struct seen seen = {0};
    if (cc_profile_load(cast, &p, &ignored) < 0)
        return "not recorded: the recording cannot be read";
    struct cc_source_loops *sources = cc_loop_sources_with(p, r->tree, &none, NULL);
    struct cc_arena words = {0};
    uint32_t culprit = 0;
    if (cc_loops_analyse(p, sources, &loops, &ignored) == 0) {
        judge_calls(x, p, loops, &words);
        culprit = not_free(x, r->plan, loops, &seen, &why);
    }
    const char *said = !seen.met ? unrecognised
                                 : cc_arena_printf(&x->arena, "%zu of %zu loops were free again", seen.free,
                                                   r->plan->parts.n);
    if (culprit) {
        said = cc_arena_printf(&x->arena, "with '%s' %s needs its order: %s", command,
                               x->loops->v.v[x->r.candidates.v[culprit - 1].loop].id, why);
        ret->culprit = culprit;
        ret->reason = ret->reason ? ret->reason : said;
    }
    cc_loops_free(loops);
    cc_arena_fini(&words);
    cc_source_loops_free(sources);
    cc_profile_free(p);
    return said;
}

/* --- with the plan --- */

enum { THREADS = 2 };

/* What the sequential and the patched program wrote under the recorder. */
static const char *compare(struct exploration *x, const struct cc_explore_race *r, const char *got_path)
{
    struct cc_same_text text[3] = {{0}}; /* sequential, once more without the recorder, patched */
    CC_CLEANUP(cc_free_ptr) char *want = cc_asprintf("%s/again.out", r->folder);
    CC_CLEANUP(cc_free_ptr) char *plain = cc_asprintf("%s/again.plain", r->folder);
    CC_CLEANUP(cc_free_ptr) bool *varying = NULL;
    const char *const paths[] = {want, plain, got_path}, *why = NULL;
    CC_CLEANUP(cc_free_ptr) char *base = cc_asprintf("%s/base", r->folder);
    struct cc_trial trial = {
        .folder = base, .command = command_of(x), .out = plain, .limit = r->limit, .stop = r->stop};
    struct cc_trial_end e;
    struct cc_err ignored = {0};
    size_t n = 0;
    bool known = access(plain, R_OK) == 0 || cc_trial_run(&trial, &e, &ignored) == 0;
    for (size_t i = 0; known && i < CC_COUNT(paths); i++) {
        char *bytes = NULL;
        known = cc_file_read(paths[i], 256 << 20, &bytes, &text[i].n, &ignored) == 0;
        text[i].s = bytes;
    }
    if (known && cc_same_varying(text[0], text[1], &varying, &n))
        why = cc_same(text[0], text[2], varying, n, cc_explore_tolerance(x, r->plan), &x->arena);
    for (size_t i = 0; i < CC_COUNT(paths); i++)
        free((char *)text[i].s);
    return why;
}

static bool is_called(const struct calls *c, const char *function)
{
    for (size_t i = c->from; function && i < c->to; i++)
        if (c->of->v.v[i].callee && strcmp(c->of->v.v[i].callee, function) == 0)
            return true;
    return false;
}

/* Instructions of the called functions in the thread that had them first, and in all others. */
static void add_calls(const struct calls *c, const struct cc_profile *p, uint64_t own[THREADS])
{
    uint32_t first = CC_NONE;
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *at = &p->contexts[i];
        if (at->function >= p->nfunctions || !is_called(c, p->functions[at->function].name) || !at->exclusive)
            continue;
        first = first == CC_NONE ? at->thread : first;
        own[at->thread == first ? 0 : 1] += at->exclusive;
    }
}

/* Functions that a compiler made of the loop's lines: those that have code of them, but for the one that the
 * loop is written in. */
static bool *made_of(struct exploration *x, const struct cc_explore_race *r, const struct cc_profile *p,
                     const struct place *place)
{
    bool *made = cc_alloc_array(p->nfunctions + 1, sizeof *made);
    for (size_t i = 0; place->file && place->file->shown && i < p->nlines; i++) {
        const struct cc_rec_line *at = &p->lines[i];
        uint32_t function = at->block < p->nblocks ? p->blocks[at->block].function : CC_NONE;
        if (at->file == CC_NONE || function >= p->nfunctions || made[function] ||
            !cc_text_same_file(place->file->shown, p->files[at->file].path) ||
            strcmp(p->functions[function].name, place->fact->function) == 0)
            continue;
        unsigned line = cc_explore_original(x, r->plan, place->file->shown, at->line);
        made[function] = line >= place->fact->line && line <= place->fact->last_line;
    }
    return made;
}

/* Whether a context, or one that it runs in, is of such a function. */
static bool runs_in(const struct cc_profile *p, uint32_t context, const bool *made)
{
    for (uint32_t c = context; c != CC_NONE; c = p->contexts[c].parent)
        if (p->contexts[c].function < p->nfunctions && made[p->contexts[c].function])
            return true;
    return false;
}

/* Instructions of each thread in what a loop of the patched program has become. */
static bool add_shares(struct exploration *x, const struct cc_explore_race *r, const struct cc_profile *p,
                       uint32_t candidate, uint64_t all[THREADS])
{
    const struct place *place = &x->places[x->r.candidates.v[candidate].loop];
    const struct calls *calls = cc_explore_calls_of(x, x->r.candidates.v[candidate].loop);
    uint64_t own[THREADS] = {0};
    if (calls) {
        add_calls(calls, p, own);
    } else {
        CC_CLEANUP(cc_free_ptr) bool *made = made_of(x, r, p, place);
        for (uint32_t i = 0; i < p->ncontexts; i++)
            if (runs_in(p, i, made))
                own[p->contexts[i].thread ? 1 : 0] += p->contexts[i].exclusive;
    }
    for (int t = 0; t < THREADS; t++)
        all[t] += own[t];
    return own[0] && own[1];
}

/* How many loops of the plan ran on several threads, and how evenly. */
static const char *tell_shares(struct exploration *x, const struct cc_explore_race *r, const char *cast)
{
    struct cc_profile *p = NULL;
    struct cc_err ignored = {0};
    uint64_t all[THREADS] = {0};
    size_t shared = 0;
    if (cc_profile_load(cast, &p, &ignored) < 0)
        return "not recorded: the recording cannot be read";
    for (size_t i = 0; i < r->plan->parts.n; i++)
        shared += add_shares(x, r, p, r->plan->parts.v[i].candidate, all);
    cc_profile_free(p);
    if (!all[0] && !all[1])
        return unrecognised;
    if (!shared)
        return cc_arena_printf(&x->arena, "0 of %zu loops ran on both threads", r->plan->parts.n);
    return cc_arena_printf(&x->arena, "%zu of %zu loops ran on both threads, the busier one did %.0f %%",
                           shared, r->plan->parts.n,
                           100.0 * (double)CC_MAX(all[0], all[1]) / (double)(all[0] + all[1]));
}

const char *cc_explore_record_patched(struct exploration *x, const struct cc_explore_race *r,
                                      struct verdict *ret)
{
    CC_CLEANUP(cc_free_ptr) char *cast = cc_asprintf("%s/patched.cast", r->folder);
    CC_CLEANUP(cc_free_ptr) char *out = cc_asprintf("%s/patched.out", r->folder);
    CC_CLEANUP(cc_free_ptr) char *library = cc_asprintf("%s/openmp.so", r->folder);
    struct recording c = {.folder = r->tree,
                          .command = command_of(x),
                          .cast = cast,
                          .loops = "count",
                          .out = out,
                          .library = access(library, R_OK) == 0 ? library : NULL,
                          .threads = THREADS};
    if (!is_simple(c.command))
        return "not recorded: the command is more than a program and its arguments";
    unlink(cast); /* of an earlier plan */
    if (!record(r, &c))
        return no_recording(x, r, &c);
    const char *why = x->o->compare ? NULL : compare(x, r, out);
    if (why) {
        why = cc_arena_printf(&x->arena, "recorded with '%s' and %d threads it is wrong: %s", c.command,
                              THREADS, why);
        ret->reason = ret->reason ? ret->reason : why;
        return why;
    }
    return tell_shares(x, r, cast);
}
