/* Loops that are free only in another way than by a directive in front of them: what the recording has to
 * show for each. */
#include "legal.h"
#include "../../base/text.h"
#include "../patch/facts.h"

#include <math.h>
#include <string.h>

bool cc_explore_is_free(const struct cc_loop *l)
{
    const struct cc_loop *ways[] = {l, l->joined, l->turns, l->walked};
    bool free = false;
    for (size_t i = 0; i < CC_COUNT(ways); i++)
        free = free || (ways[i] && ways[i]->verdict <= CC_VERDICT_REDUCTION);
    return free;
}

bool cc_explore_could_walk(const struct cc_loop *l)
{
    return l->walked && l->walked->verdict <= CC_VERDICT_REDUCTION && !l->walked->lastprivate.n &&
           l->walked->directive;
}

/* --- tiles along diagonals --- */

static bool is_inside(const struct cc_loop_place *at, const struct cc_source_loop *s, bool moved)
{
    bool same = at->file && (moved ? strcmp(cc_text_base(at->file), cc_text_base(s->file)) == 0
                                   : cc_text_same_file(at->file, s->file));
    return same && at->line >= s->line && at->line <= s->last_line;
}

bool cc_explore_is_wave(const struct cc_loop *l, const struct cc_source_loop *s, bool moved)
{
    bool needs = l->verdict == CC_VERDICT_SEQUENTIAL || l->verdict == CC_VERDICT_ORDERED;
    if (!s || !s->wave_line || !needs || !l->sourced || l->unseen || l->coverage <= 0 || !l->reasons.n)
        return false;
    for (size_t i = 0; i < l->reasons.n;
         i++) { /* all that goes from row to row is what the subscripts tell */
        const struct cc_loop_reason *r = &l->reasons.v[i];
        if (r->kind > CC_REASON_WAW || (r->kind == CC_REASON_WAW && s->wave_rows) ||
            !is_inside(&r->first, s, moved) || !is_inside(&r->second, s, moved))
            return false;
    }
    return true;
}

/* --- turns --- */

/* Instructions of a file's lines in the run, by the loop's own function. */
static double of_lines(const struct cc_profile *p, const struct cc_loop *l, unsigned first, unsigned last)
{
    CC_CLEANUP(cc_free_ptr) double *executed = cc_alloc_array(p->nblocks + 1, sizeof *executed);
    double all = 0;
    for (size_t i = 0; i < p->nexecs; i++)
        if (p->execs[i].block < p->nblocks)
            executed[p->execs[i].block] += (double)p->execs[i].count;
    for (size_t i = 0; i < p->nlines; i++) {
        const struct cc_rec_line *line = &p->lines[i];
        if (line->file != CC_NONE && line->line >= first && line->line <= last && line->block < p->nblocks &&
            strcmp(p->files[line->file].path, l->file) == 0)
            all += executed[line->block] * line->instructions;
    }
    return all;
}

/* "c:@F@printf" and "c:@S@Box@F@add#I#": the name alone. */
static bool is_named(const char *usr, const char *function)
{
    const char *from = strrchr(usr, '@');
    from = from ? from + 1 : usr;
    size_t n = strcspn(from, "#");
    const char *colon = strrchr(function, ':'), *own = colon ? colon + 1 : function;
    return strncmp(own, from, n) == 0 && (own[n] == '\0' || own[n] == '(' || own[n] == '@');
}

/* Instructions of what the function of the loop calls by that name, wherever it does. False: none was seen,
 * so it has no name of its own in the run. */
static bool of_calls(const struct cc_profile *p, const struct cc_loop *l, const char *usr, double *ret)
{
    uint32_t function = p->loops[l->first].function;
    bool found = false;
    for (size_t i = 0; i < p->ncontexts; i++) {
        const struct cc_pcontext *c = &p->contexts[i];
        if (c->parent == CC_NONE || p->contexts[c->parent].function != function ||
            !is_named(usr, p->functions[c->function].name))
            continue;
        *ret += (double)c->inclusive;
        found = true;
    }
    return found;
}

/* What a call in the loop takes in the run: no more than the loop takes beside its own lines, since its
 * function may call the same elsewhere; and a part of that where it is called in several places. */
static double of_call(const struct cc_profile *p, const struct cc_loop *l, const struct cc_source_loop *s,
                      const char *symbol)
{
    double called = 0, beside = (double)l->instructions - of_lines(p, l, s->line, s->last_line), places = 0;
    of_calls(p, l, symbol, &called);
    for (size_t i = 0; i < s->calls.n; i++)
        places += strcmp(s->calls.v[i].symbol, symbol) == 0;
    return fmin(called, fmax(0, beside)) / fmax(1, places);
}

bool cc_explore_turn(const struct cc_profile *p, const struct cc_loop *l, const struct cc_source_loop *s,
                     struct cc_explore_turn *ret)
{
    double turn = of_lines(p, l, l->turn_line, l->turn_last), all = (double)l->instructions;
    double after = l->turn_last < s->last_line ? of_lines(p, l, l->turn_last + 1, s->last_line) : 0;
    for (size_t i = 0; i < s->calls.n; i++) {
        const struct cc_loop_call *c = &s->calls.v[i];
        bool again = false;
        for (size_t k = 0; k < i; k++)
            again = again || (strcmp(s->calls.v[k].symbol, c->symbol) == 0 &&
                              s->calls.v[k].line >= l->turn_line && s->calls.v[k].line <= l->turn_last);
        if (c->line >= l->turn_line && c->line <= l->turn_last && !again && !of_calls(p, l, c->symbol, &turn))
            return false;
        if (c->line > l->turn_last)
            after += of_call(p, l, s, c->symbol);
    }
    if (all <= 0 || turn <= 0)
        return false;
    ret->share = fmin(1, turn / all);
    ret->before = fmax(0, 1 - ret->share - fmin(1, after / all));
    return true;
}
