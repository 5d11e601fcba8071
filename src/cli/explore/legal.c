/* Which loops may be shared out: what the recording and the source say, and what the user adds. */
#include "internal.h"
#include "../../analysis/patch/tasks.h"
#include "../../base/text.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>

/* --- what the user names: FILE:LINE, FILE:LINE#2, a function, a file, or all calls --- */

static const char all_calls[] = "calls";

static bool names(const char *pattern, const struct cc_loop *l)
{
    if (strcmp(pattern, l->id) == 0 || (l->function && strcmp(pattern, l->function) == 0))
        return true;
    if (strcmp(pattern, all_calls) == 0)
        return strncmp(l->id, "calls ", 6) == 0;
    const char *colon = strrchr(pattern, ':');
    if (!colon)
        return l->file && cc_text_same_file(pattern, l->file);
    size_t size = (size_t)(colon - pattern);
    CC_CLEANUP(cc_free_ptr) char *file = cc_strndup(pattern, size);
    const char *hash = strrchr(l->id, ':');
    return l->file && hash && strcmp(hash, colon) == 0 && cc_text_same_file(file, l->file);
}

static int check_names(const struct exploration *x, const struct cc_strs *list, const char *option,
                       size_t skip, struct cc_err *err)
{
    for (size_t i = 0; i < list->n; i++) {
        bool found = strcmp(list->v[i] + skip, all_calls) == 0;
        for (size_t k = 0; k < x->loops->v.n && !found; k++)
            found = names(list->v[i] + skip, &x->loops->v.v[k]);
        if (found)
            continue;
        const char **ids = cc_alloc_array(x->loops->v.n + 1, sizeof *ids);
        for (size_t k = 0; k < x->loops->v.n; k++)
            ids[k] = x->loops->v.v[k].id;
        const char *near = cc_nearest(list->v[i] + skip, ids, x->loops->v.n);
        free(ids);
        int rc = cc_err_set(err, CC_EUSAGE, "%s %s: the recording has no such loop, function or file", option,
                            list->v[i]);
        if (near)
            cc_err_hint(err, "did you mean '%s'?", near);
        return rc;
    }
    return 0;
}

static bool named_by(const struct cc_strs *list, size_t skip, const struct cc_loop *l)
{
    for (size_t i = 0; i < list->n; i++)
        if (names(list->v[i] + skip, l))
            return true;
    return false;
}

const char *cc_explore_left_out(const struct exploration *x, const struct cc_loop *l)
{
    if (named_by(&x->o->leave, 0, l))
        return "left out by --not";
    return x->o->only.n && !named_by(&x->o->only, 0, l) ? "not among --only" : NULL;
}

/* --- where it stands in the source --- */

/* Which of the loops of its line: by its column, or by the number behind its name. */
static unsigned level_of(const struct exploration *x, const struct cc_loop *l)
{
    unsigned before = 0;
    bool known = false;
    for (size_t i = 0; l->column && l->file && i < x->sources->v.n; i++) {
        const struct cc_source_loop *s = &x->sources->v.v[i];
        bool here = s->line == l->line && cc_text_same_file(s->file, l->file);
        before += here && s->column < l->column;
        known = known || (here && s->column == l->column);
    }
    if (known)
        return before;
    const char *colon = strrchr(l->id, ':'), *hash = colon ? strchr(colon, '#') : NULL;
    return hash && l->file ? (unsigned)strtoul(hash + 1, NULL, 10) - 1 : 0;
}

static const struct file *file_of(const struct exploration *x, const char *path)
{
    for (size_t i = 0; path && i < x->p->nfiles; i++)
        if (x->files[i].path && strcmp(x->p->files[i].path, path) == 0)
            return &x->files[i];
    return NULL;
}

static const struct cc_source_loop *source_of(const struct exploration *x, const struct cc_loop *l)
{
    const struct cc_source_loop *found = NULL;
    unsigned level = level_of(x, l);
    for (size_t i = x->sources->v.n; i-- > 0;) { /* the outer ones come last */
        const struct cc_source_loop *s = &x->sources->v.v[i];
        if (l->file && s->line == l->line && cc_text_same_file(s->file, l->file)) {
            found = s;
            if (l->column && s->column == l->column)
                break;
            if (level-- == 0)
                break;
        }
    }
    return found;
}

static unsigned loops_of_line(const struct exploration *x, const struct cc_loop *l)
{
    unsigned n = 0;
    while (cc_patch_find(x->facts, l->file, l->line, n))
        n++;
    return n;
}

/* --- whether --- */

static const char *refuses_atomic(struct exploration *x, const struct place *p,
                                  const struct cc_patch_update *u)
{
    const char *why = cc_patch_refuses_update(p->file->text, u, &x->arena);
    return why ? cc_arena_printf(
                     &x->arena,
                     "iterations only combine elements of %s, one at a time would do (omp atomic), "
                     "but %s: write it in a line of its own",
                     u->name, why)
               : NULL;
}

/* Compilers escape such characters in what they tell of a source, which is then not found to be it. */
static bool is_oddly_named(const char *file)
{
    for (const char *c = file ? file : ""; *c; c++)
        if (*c == '"' || *c == '\\' || iscntrl((unsigned char)*c))
            return true;
    return false;
}

/* Of files that the parser of C and C++ is not for; NULL: it may be. */
static const char *language_of(const char *file)
{
    static const struct {
        const char *endings, *name;
    } known[] = {{" f for ftn f77 f90 f95 f03 f08 ", "Fortran"},
                 {" rs ", "Rust"},
                 {" go ", "Go"},
                 {" d ", "D"},
                 {" adb ads ", "Ada"},
                 {" pas pp ", "Pascal"}};
    const char *dot = file ? strrchr(cc_text_base(file), '.') : NULL;
    char ending[8] = " ";
    size_t n = dot ? strlen(dot + 1) : 0;
    if (!n || n > sizeof ending - 3)
        return NULL;
    for (size_t i = 0; i < n; i++)
        ending[1 + i] = (char)tolower((unsigned char)dot[1 + i]);
    ending[1 + n] = ' ';
    for (size_t i = 0; i < CC_COUNT(known); i++)
        if (strstr(known[i].endings, ending))
            return known[i].name;
    return NULL;
}

static const char *unread(struct exploration *x, const struct cc_loop *l)
{
    const char *language = language_of(l->file);
    if (language)
        return cc_arena_printf(&x->arena,
                               "only the binary says that iterations do not need each other: its source is "
                               "%s, and only C and C++ are read",
                               language);
    if (is_oddly_named(l->file))
        return "only the binary says that iterations do not need each other: a source is not read whose name "
               "has a quote, a backslash, a tab or a line break; rename the file";
    if (x->sources->blind)
        return cc_arena_printf(&x->arena, "only the binary says that iterations do not need each other: %s",
                               x->sources->blind);
    return "only the binary says that iterations do not need each other: its source was not found, or could "
           "not be read as it was compiled (--source DIR, --cflags WORDS)";
}

/* Whether other loops of its file were read as they were compiled, but none in its line. */
static bool is_read(const struct exploration *x, const struct cc_loop *l, const struct place *p)
{
    bool others = false;
    for (size_t i = 0; !p->source && p->file && p->file->text && i < x->sources->v.n; i++)
        others = others || cc_text_same_file(x->sources->v.v[i].file, l->file);
    return others;
}

static const char *refuses_calls(struct exploration *x, const struct cc_loop *l, const struct place *p,
                                 const struct calls *c)
{
    if (cc_explore_left_out(x, l))
        return cc_explore_left_out(x, l);
    if (l->verdict != CC_VERDICT_PARALLEL)
        return l->sentence;
    if (!p->file || !p->file->text)
        return "its source was not found, or was changed since the recording (--source DIR)";
    return cc_patch_refuses_calls(p->file->text, c->of, c->from, c->to, &x->arena);
}

struct cc_patch_join cc_explore_join(const struct place *p)
{
    return (struct cc_patch_join){.text = p->file->text,
                                  .loop = p->fact,
                                  .nth = p->nth,
                                  .choices = p->source->choices.v,
                                  .n = p->source->choices.n};
}

struct cc_patch_walk cc_explore_walk(const struct place *p)
{
    return (struct cc_patch_walk){.text = p->file->text,
                                  .loop = p->fact,
                                  .source = p->source,
                                  .nth = p->nth,
                                  .clauses = p->clauses.data};
}

/* Whether the statements that take turns can be put into a block, and are known to be the lesser part. */
static bool has_turn(struct exploration *x, const struct cc_loop *l, struct place *p)
{
    const double MOST = 0.4; /* of an iteration: with more, more than two threads would wait */
    p->turn_end = cc_patch_statement_ends(p->file->text, l->turn_line, l->turn_last);
    return p->turn_end && cc_patch_statements(p->file->text, l->turn_line, p->turn_end) && p->source &&
           cc_explore_turn(x->p, l, p->source, &p->turn) && p->turn.share < MOST;
}

/* What else stands in the way of a directive in the text itself. */
static const char *refuses_text(struct exploration *x, const struct cc_loop *l, struct place *p)
{
    const char *why = cc_patch_refuses(p->file->text, p->fact, p->nth, loops_of_line(x, l), &x->arena);
    for (size_t i = 0; !why && i < p->clauses.natomics; i++)
        why = refuses_atomic(x, p, p->clauses.atomics[i]);
    if (!why && p->joined) {
        struct cc_patch_join j = cc_explore_join(p);
        why = cc_patch_refuses_join(&j, &x->arena);
    }
    if (!why && p->walk) {
        struct cc_patch_walk w = cc_explore_walk(p);
        why = cc_patch_refuses_walk(&w, &x->arena);
    }
    if (!why && p->turns && !has_turn(x, l, p))
        why = l->sentence;
    return why;
}

/* In which way it is free, if not as it is. */
static bool choose_way(const struct cc_loop *l, struct place *p)
{
    bool other = cc_explore_is_free(l) && l->verdict > CC_VERDICT_REDUCTION && !p->assumed;
    p->joined = other && l->joined && l->joined->verdict <= CC_VERDICT_REDUCTION;
    p->walk = other && !p->joined && cc_explore_could_walk(l);
    p->turns = other && !p->joined && !p->walk && l->turns && l->turns->verdict <= CC_VERDICT_REDUCTION;
    return cc_explore_is_free(l) &&
           (l->verdict <= CC_VERDICT_REDUCTION || p->joined || p->walk || p->turns || p->assumed);
}

/* What the run shows is then about iterations of the loop around, each of which would begin a region. */
static const char *refuses_trips(struct exploration *x, const struct cc_loop *l, const struct place *p)
{
    if (!p->source || !p->source->trips || l->trips_max <= p->source->trips + 1)
        return NULL;
    return cc_arena_printf(&x->arena,
                           "the compiler made one loop of it and the one around it: it goes round %llu times "
                           "there, and %u times by its head",
                           (unsigned long long)l->trips_max, p->source->trips);
}

static const char *refusal(struct exploration *x, const struct cc_loop *l, struct place *p)
{
    const struct calls *calls = cc_explore_calls_of(x, (uint32_t)(l - x->loops->v.v));
    if (calls)
        return refuses_calls(x, l, p, calls);
    bool free = choose_way(l, p);
    if (cc_explore_left_out(x, l))
        return cc_explore_left_out(x, l);
    if (!free && !p->assumed && cc_explore_try_as_wave(x, (uint32_t)(l - x->loops->v.v), p))
        return cc_patch_refuses(p->file->text, p->fact, p->nth, loops_of_line(x, l), &x->arena);
    if (!free && !p->assumed && l->verdict == CC_VERDICT_UNKNOWN && !l->sourced &&
        cc_explore_is_system(l->file))
        return cc_arena_printf(
            &x->arena,
            "it is written in %s, which is not the program's own: as a loop of the program, "
            "it could be judged and shared out",
            cc_text_base(l->file));
    if (!free && !p->assumed)
        return l->sentence;
    if (cc_explore_is_system(l->file))
        return cc_arena_printf(&x->arena, "it is written in %s, which is not the program's own",
                               cc_text_base(l->file));
    const char *trips = refuses_trips(x, l, p);
    if (trips)
        return trips;
    struct cc_patch_clauses_input in = {.facts = x->facts,
                                        .fact = p->fact,
                                        .source = p->source,
                                        .joined = p->joined,
                                        .walked = p->walk,
                                        .assumed = p->assumed,
                                        .alone = !p->turns && !p->assumed,
                                        .arena = &x->arena};
    const struct cc_loop *instead = p->joined ? l->joined : p->walk ? l->walked : p->turns ? l->turns : l;
    cc_patch_clauses(instead, &in, &p->clauses);
    if (!l->sourced && free && !p->assumed) { /* the binary alone: it can be predicted, not written */
        if ((x->o->patch || x->o->verify) && is_read(x, l, p))
            return "only the binary says that iterations do not need each other: the source has no loop in "
                   "that line (a goto, or a loop of the compiler's own)";
        if ((x->o->patch || x->o->verify) && (!l->file || !l->line))
            return "only the binary says that iterations do not need each other: the compiler left no line "
                   "of the source for it (with less optimisation it may)";
        if (x->o->patch || x->o->verify) {
            x->unread = true;
            return unread(x, l);
        }
        p->clauses = (struct cc_patch_clauses){.data = "", .costs = "", .rounds = l->reductions.n > 0};
        return NULL;
    }
    if (p->clauses.refused && p->forced)
        return l->sentence;
    if (p->clauses.refused) /* what keeps its order says more than what turns lack */
        return p->turns ? l->sentence : p->clauses.refused;
    if (!p->file || !p->file->text)
        return "its source was not found, or was changed since the recording (--source DIR)";
    return refuses_text(x, l, p);
}

/* Whether code of a line stored anything: of several updates the compiler may have made one. */
static bool has_stored(const struct exploration *x, const struct cc_loop *l, unsigned line)
{
    for (size_t i = 0; i < x->p->nlines; i++) {
        const struct cc_rec_line *at = &x->p->lines[i];
        if (at->line == line && at->written && at->file != CC_NONE &&
            cc_text_same_file(l->file, x->p->files[at->file].path))
            return true;
    }
    return false;
}

/* Updates that are made one at a time: as often as the innermost loop around the statement turned. */
static double count_atomics(const struct exploration *x, const struct cc_loop *l, const struct place *p)
{
    double n = 0, most = 0;
    for (size_t i = 0; i < p->clauses.natomics; i++) {
        unsigned line = p->clauses.atomics[i]->line, span = UINT_MAX;
        uint64_t turns = l->iterations;
        for (size_t k = 0; k < x->loops->v.n; k++) {
            const struct cc_patch_loop *f = x->places[k].fact;
            if (f && x->places[k].file == p->file && line >= f->line && line <= f->last_line &&
                f->last_line - f->line < span) {
                span = f->last_line - f->line;
                turns = x->loops->v.v[k].iterations;
            }
        }
        most = fmax(most, (double)turns);
        n += has_stored(x, l, line) ? (double)turns : 0;
    }
    return fmax(n, most);
}

/* Whether the loop and the one that is all of its body may be made one. */
static bool collapsible(const struct exploration *x, uint32_t loop, const struct place *p)
{
    const struct cc_patch_loop *f = p->fact;
    if (x->loops->v.v[loop].firstprivate.n || p->joined || p->walk ||
        p->wave) /* the last of its iterations is no longer that of both */
        return false;
    if (!f || !f->inner || !f->rectangular || f->inner_after || p->clauses.rounds || p->clauses.natomics ||
        !p->file)
        return false;
    for (size_t i = 0; i < x->loops->v.n; i++) {
        const struct cc_loop *l = &x->loops->v.v[i];
        if (l->parent == loop && l->line == f->inner && l->directive && l->reductions.n == 0)
            return true;
    }
    return false;
}

/* "independent=FILE:LINE" */
static int check_assumptions(const struct exploration *x, struct cc_err *err)
{
    static const char lead[] = "independent=";
    for (size_t i = 0; i < x->o->assume.n; i++)
        if (strncmp(x->o->assume.v[i], lead, sizeof lead - 1) != 0)
            return cc_err_set(err, CC_EUSAGE, "--assume %s: expected independent=FILE:LINE",
                              x->o->assume.v[i]);
    return check_names(x, &x->o->assume, "--assume", sizeof lead - 1, err);
}

int cc_explore_legal(struct exploration *x, struct cc_err *err)
{
    int rc = check_names(x, &x->o->only, "--only", 0, err);
    if (rc == 0)
        rc = check_names(x, &x->o->leave, "--not", 0, err);
    if (rc == 0)
        rc = check_assumptions(x, err);
    if (rc < 0)
        return rc;
    size_t n = x->loops->v.n;
    x->places = cc_arena_alloc(&x->arena, (n + 1) * sizeof *x->places);
    x->inputs = cc_arena_alloc(&x->arena, (n + 1) * sizeof *x->inputs);
    for (uint32_t i = 0; i < n; i++) {
        const struct cc_loop *l = &x->loops->v.v[i];
        struct place *p = &x->places[i];
        p->nth = level_of(x, l);
        p->file = file_of(x, l->file);
        p->fact =
            l->file && !cc_explore_calls_of(x, i) ? cc_patch_find(x->facts, l->file, l->line, p->nth) : NULL;
        p->source = source_of(x, l);
        p->assumed = named_by(&x->o->assume, strlen("independent="), l);
        p->forced =
            !p->assumed && x->o->force && l->verdict == CC_VERDICT_UNKNOWN && !cc_explore_calls_of(x, i);
        p->assumed = p->assumed || p->forced;
        p->clauses = (struct cc_patch_clauses){.data = "", .costs = ""};
        x->inputs[i] = (struct cc_explore_input){.source = p->source,
                                                 .group = cc_explore_calls_of(x, i) != NULL,
                                                 .unwanted = cc_explore_left_out(x, l) != NULL,
                                                 .assumed = p->assumed};
        x->inputs[i].refused = refusal(x, l, p);
    }
    for (uint32_t i = 0; i < n; i++) {
        const struct calls *calls = cc_explore_calls_of(x, i);
        if (calls) { /* directives: a pragma each, one to wait or to begin with, and a region */
            x->inputs[i].lines = (unsigned)(calls->to - calls->from) + 1 + 2 * calls->recursive;
            x->inputs[i].clauses = "";
            continue;
        }
        x->inputs[i].collapsible = !x->inputs[i].refused && collapsible(x, i, &x->places[i]);
        x->inputs[i].lines = 1 + (x->places[i].clauses.before != NULL) +
                             (unsigned)x->places[i].clauses.natomics +
                             2 * x->places[i].joined + /* the region, and what joins */
                             x->places[i].turns + 4 * x->places[i].wave + 2 * x->places[i].walk;
        x->inputs[i].walk = x->places[i].walk && !x->inputs[i].refused;
        if (x->places[i].wave && !x->inputs[i].refused)
            x->inputs[i].wave = cc_explore_wave_sizes(x, i);
        if (x->places[i].turns && !x->inputs[i].refused)
            x->inputs[i].turn = x->places[i].turn;
        x->inputs[i].atomics = count_atomics(x, &x->loops->v.v[i], &x->places[i]);
        x->inputs[i].clauses = x->places[i].clauses.costs;
    }
    return 0;
}
