/* Races: the patched program under helgrind, on threads that it understands (engines/openmp). */
#include "internal.h"
#include "../../base/file.h"
#include "../../base/where.h"
#include "../../run/trial.h"
#include "../../base/text.h"

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

enum { THREADS = 3, MAX_LOG = 64 << 20 };

unsigned cc_explore_original(struct exploration *x, const struct cc_explore_plan *plan, const char *file,
                             unsigned line)
{
    struct cc_patch_edit *edits;
    size_t n;
    const struct cc_patch_text *text = cc_explore_edits(x, plan, file, &edits, &n);
    unsigned at = text ? cc_patch_original(text, edits, n, line) : line;
    free(edits);
    return at;
}

/* The lines of a loop, or of calls, that a candidate of the plan is about. */
static bool lines_of(const struct exploration *x, uint32_t loop, unsigned *ret_first, unsigned *ret_last)
{
    const struct place *p = &x->places[loop];
    const struct calls *calls = cc_explore_calls_of(x, loop);
    if (!p->file || (!p->fact && !calls))
        return false;
    *ret_first = calls ? calls->of->v.v[calls->from].line : p->fact->line;
    *ret_last = calls ? calls->of->v.v[calls->to - 1].last_line : p->fact->last_line;
    return true;
}

/* The candidate of the plan that holds a line, from 1; 0: none. */
static uint32_t loop_at(const struct exploration *x, const struct cc_explore_plan *plan, const char *file,
                        unsigned line)
{
    for (size_t i = 0; i < plan->parts.n; i++) {
        uint32_t loop = x->r.candidates.v[plan->parts.v[i].candidate].loop;
        unsigned first, last;
        if (lines_of(x, loop, &first, &last) && line >= first && line <= last &&
            cc_text_same_file(x->places[loop].file->path, file))
            return plan->parts.v[i].candidate + 1;
    }
    return 0;
}

/* "   at 0x1234: scale (prog.c:41)" -> "prog.c:38 in scale"; NULL: the line is none of these. */
static const char *place(struct exploration *x, const struct cc_explore_plan *plan, const char *line,
                         uint32_t *ret_culprit)
{
    const char *end = line + strcspn(line, "\n"), *colon = strstr(line, ": "), *open = NULL, *number = NULL;
    if (!colon || colon >= end || !strstr(line, " 0x") || end[-1] != ')')
        return NULL;
    for (const char *p = colon; p < end; p++) {
        open = *p == '(' ? p : open;
        number = *p == ':' ? p : number;
    }
    if (!open)
        return NULL;
    int function = (int)strcspn(colon + 2, ". (");
    if (!number || number < open)
        return cc_arena_printf(&x->arena, "some place in %.*s", function, colon + 2);
    CC_CLEANUP(cc_free_ptr) char *file = cc_strndup(open + 1, (size_t)(number - open - 1));
    unsigned at = cc_explore_original(x, plan, file, (unsigned)strtoul(number + 1, NULL, 10));
    *ret_culprit = *ret_culprit ? *ret_culprit : loop_at(x, plan, file, at);
    return cc_arena_printf(&x->arena, "%s:%u in %.*s", file, at, function, colon + 2);
}

/* The first place that is told in the lines after this one. */
static const char *place_after(struct exploration *x, const struct cc_explore_plan *plan, const char *p,
                               uint32_t *ret_culprit)
{
    const char *found = NULL;
    for (int i = 0; i < 12 && p && !(found && *ret_culprit); i++) { /* callers tell which loop it was in */
        p = strchr(p, '\n');
        const char *here = p ? place(x, plan, ++p, ret_culprit) : NULL;
        if (found && !here)
            break;
        found = found ? found : here;
    }
    return found ? found : "some place";
}

/* The first race that the log tells of; NULL: none. */
static const char *first_race(struct exploration *x, const struct cc_explore_plan *plan, const char *log,
                              uint32_t *ret_culprit)
{
    static const char lead[] = "Possible data race during ", conflict[] = "This conflicts with a previous ";
    const char *race = strstr(log, lead), *other = race ? strstr(race, conflict) : NULL;
    if (!race)
        return NULL;
    bool writes = strncmp(race + strlen(lead), "write", 5) == 0;
    const char *here = place_after(x, plan, race, ret_culprit);
    if (!other)
        return cc_arena_printf(&x->arena, "a race: threads access the same at %s", here);
    bool wrote = strncmp(other + strlen(conflict), "write", 5) == 0;
    return cc_arena_printf(&x->arena, "a race: one thread %s at %s what another %s at %s",
                           writes ? "writes" : "reads", here, wrote ? "writes" : "reads",
                           place_after(x, plan, other, ret_culprit));
}

/* The logs of all processes that ran. */
static const char *find_race(struct exploration *x, const struct cc_explore_plan *plan, const char *folder,
                             uint32_t *ret_culprit)
{
    DIR *d = opendir(folder);
    const char *found = NULL;
    for (struct dirent *e; d && !found && (e = readdir(d));) {
        CC_CLEANUP(cc_free_ptr) char *text = NULL;
        CC_CLEANUP(cc_free_ptr) char *path = cc_asprintf("%s/%s", folder, e->d_name);
        size_t size;
        if (e->d_name[0] != '.' && cc_file_read(path, MAX_LOG, &text, &size, NULL) == 0)
            found = first_race(x, plan, text, ret_culprit);
    }
    if (d)
        closedir(d);
    return found;
}

static int run_under(struct exploration *x, const struct cc_explore_race *r, const char *library,
                     const char *note, struct cc_trial_end *ret)
{
    CC_CLEANUP(cc_free_ptr) char *threads = cc_asprintf("OMP_NUM_THREADS=%d", THREADS);
    CC_CLEANUP(cc_free_ptr) char *preload = cc_asprintf("LD_PRELOAD=%s", library);
    CC_CLEANUP(cc_free_ptr) char *told = cc_asprintf("CORECAST_OPENMP_NOTE=%s", note);
    CC_CLEANUP(cc_free_ptr) char *log = cc_asprintf("--log-file=%s/race/%%p", r->folder);
    /* A stack that the C library keeps for the next thread looks like one that two threads write to. */
    const char *own = getenv("GLIBC_TUNABLES");
    CC_CLEANUP(cc_free_ptr)
    char *tunables = cc_asprintf("GLIBC_TUNABLES=%s%sglibc.pthread.stack_cache_size=0", own ? own : "",
                                 own && *own ? ":" : "");
    const char *const environment[] = {threads, preload, told, tunables, NULL};
    const char *const tool[] = {"valgrind", "-q", "--tool=helgrind", "--trace-children=yes", log, NULL};
    struct cc_trial trial = {.folder = r->tree,
                             .command = x->o->race_run ? x->o->race_run : x->o->command,
                             .environment = environment,
                             .before = tool,
                             .limit = r->limit,
                             .stop = r->stop};
    struct cc_err ignored = {0};
    return cc_trial_run(&trial, ret, &ignored);
}

const char *cc_explore_race(struct exploration *x, const struct cc_explore_race *r, struct verdict *ret)
{
    CC_CLEANUP(cc_free_ptr) char *library = cc_where(CC_OWN_ENGINE, "openmp/libcorecast-openmp.so");
    CC_CLEANUP(cc_free_ptr)
    char *link = cc_asprintf("%s/openmp.so", r->folder); /* LD_PRELOAD takes no blanks */
    CC_CLEANUP(cc_free_ptr) char *note = cc_asprintf("%s/note", r->folder);
    CC_CLEANUP(cc_free_ptr) char *logs = cc_asprintf("%s/race", r->folder);
    CC_CLEANUP(cc_free_ptr) char *valgrind = cc_where_program("valgrind");
    struct cc_trial_end e;
    unlink(link);
    unlink(note);
    cc_trial_remove(logs); /* of an earlier plan */
    if (!valgrind || !library || symlink(library, link) != 0 || mkdir(logs, 0700) != 0)
        return "not looked for: there is no valgrind, or our OpenMP library is missing";
    if (run_under(x, r, link, note, &e) < 0)
        return "not looked for: valgrind cannot be run";
    /* Other OpenMP libraries synchronise in ways that the detector takes for races. */
    bool ours = access(note, F_OK) == 0;
    const char *found = ours ? find_race(x, r->plan, logs, &ret->culprit) : NULL;
    if (found) {
        ret->reason = ret->reason ? ret->reason : found;
        return found;
    }
    if (e.stopped)
        return "not looked for: stopped";
    if (!ours)
        return e.late ? "not looked for: the time was over before a region that gcc built (--race-run takes "
                        "a smaller input)"
                      : "not looked for: the program does not use gcc's OpenMP library";
    if (e.late)
        return cc_arena_printf(
            &x->arena, "none seen in %.0f s, then the time was over (--race-run takes a smaller input)",
            r->limit);
    return cc_arena_printf(&x->arena, "none seen by helgrind with %d threads", THREADS);
}
