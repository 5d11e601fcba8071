#include "stages.h"
#include "../../base/text.h"

#include <math.h>

enum { MOST_FRAMES = 1 << 16, MOST_TRIED = 512, BUFFERS = 2 };

static const double least_share = 0.2; /* of the run: a loop over frames is most of it */

struct finder {
    const struct cc_explore_request *rq;
    const struct cc_patch_facts *facts;
    struct cc_explore_result *r;
};

/* --- the frames --- */

/* A line of the loop as an item: the last that begins in it or above; the first for what is above all. */
static uint32_t item_of(const struct cc_stages *l, unsigned line)
{
    uint32_t at = 0;
    for (uint32_t i = 0; i < l->p.nitems; i++)
        if (l->lines[i] <= line)
            at = i;
    return at;
}

/* "call file.c:12", "file.c:12", "file.c:12#2": 12; 0: of another file. */
static unsigned line_of(const char *name, const char *file)
{
    const char *base = cc_text_base(file);
    size_t size = strlen(base);
    if (strncmp(name, "calls ", 6) == 0)
        return 0;
    if (strncmp(name, "call ", 5) == 0)
        name += 5;
    return strncmp(name, base, size) == 0 && name[size] == ':' ? (unsigned)strtoul(name + size + 1, NULL, 10)
                                                               : 0;
}

struct walk {
    const struct finder *x;
    struct cc_stages *l;
    const struct cc_source_loop *source;
    const char *name; /* of its iterations in the graph */
    CC_VEC(double) times;
    bool strange; /* something in it has no line */
};

static bool is_frame(const struct walk *w, uint32_t node)
{
    return strcmp(w->x->rq->h->names[w->x->rq->h->nodes[node].name], w->name) == 0;
}

/* Tasks that are around calls stand for what is in them. */
static bool is_group(const struct walk *w, uint32_t node)
{
    return strncmp(w->x->rq->h->names[w->x->rq->h->nodes[node].name], "calls ", 6) == 0;
}

static void see_lines(struct walk *w, uint32_t frame)
{
    const struct cc_htg_node *v = w->x->rq->h->nodes;
    struct cc_stages *l = w->l;
    for (uint32_t i = frame + 1; i < v[frame].next; i = is_group(w, i) ? i + 1 : v[i].next) {
        if (is_group(w, i))
            continue;
        unsigned line = line_of(w->x->rq->h->names[v[i].name], l->file);
        bool here = line >= w->source->line && line <= w->source->last_line;
        size_t at = 0;
        w->strange = w->strange || !here;
        while (at < l->p.nitems && l->lines[at] < line)
            at++;
        if (!here || (at < l->p.nitems && l->lines[at] == line))
            continue;
        if (l->p.nitems == CC_PIPELINE_ITEMS) {
            l->why = "its body has more calls and loops than stages are looked for in";
            return;
        }
        memmove(l->lines + at + 1, l->lines + at, (l->p.nitems - at) * sizeof *l->lines);
        memmove(l->called + at + 1, l->called + at, (l->p.nitems - at) * sizeof *l->called);
        l->lines[at] = line;
        l->called[at] = strncmp(w->x->rq->h->names[v[i].name], "call ", 5) == 0;
        l->p.nitems++;
    }
}

/* What a frame has of each item: code of its own counts to what it is in front of. */
static void add_frame(struct walk *w, uint32_t frame)
{
    const struct cc_htg_node *v = w->x->rq->h->nodes;
    double row[CC_PIPELINE_ITEMS] = {0}, left = (double)v[frame].len;
    uint32_t last = 0;
    for (uint32_t i = frame + 1; i < v[frame].next; i = is_group(w, i) ? i + 1 : v[i].next) {
        if (is_group(w, i)) {
            left -= (double)v[i].gap;
            row[0] += (double)v[i].gap;
            continue;
        }
        last = item_of(w->l, line_of(w->x->rq->h->names[v[i].name], w->l->file));
        double time = (double)(v[i].gap + v[i].len) * v[i].repeat;
        row[last] += time;
        left -= time;
    }
    row[last] += fmax(0, left);
    for (uint32_t k = 0; k < v[frame].repeat && w->times.n / w->l->p.nitems < MOST_FRAMES; k++)
        for (size_t i = 0; i < w->l->p.nitems; i++)
            CC_VEC_PUSH(&w->times, row[i]);
}

static const char *see_frames(const struct finder *x, struct cc_stages *l, double scale)
{
    const struct cc_loop *loop = &x->rq->loops->v.v[l->loop];
    struct walk w = {.x = x, .l = l, .source = x->rq->inputs[l->loop].source};
    if (!w.source)
        return "its source was not found";
    const struct cc_ploop *first =
        &x->rq->p->loops[loop->first]; /* tasks are named by the line of the test */
    w.name = cc_arena_printf(&x->r->arena, "%s:%u", cc_text_base(first->file ? first->file : loop->file),
                             first->line);
    for (uint32_t i = 1; i < x->rq->h->nnodes && !l->why; i++)
        if (is_frame(&w, i))
            see_lines(&w, i);
    if (l->why || w.strange || l->p.nitems < 2)
        return l->why      ? l->why
               : w.strange ? "what runs in it cannot be told apart by lines"
                           : "it has no two calls or loops that are long enough to be stages";
    for (uint32_t i = 1; i < x->rq->h->nnodes; i++)
        if (is_frame(&w, i))
            add_frame(&w, i);
    l->p.nframes = w.times.n / l->p.nitems;
    l->times = w.times.v;
    for (size_t i = 0; i < w.times.n; i++)
        l->times[i] *= scale;
    l->p.times = l->times;
    if (l->p.nframes < 2 || (double)l->p.nframes * 1.5 < (double)loop->iterations)
        return "its iterations are too short for frames, or too many";
    return NULL;
}

/* --- what flows --- */

static bool is_function(const struct finder *x, const struct cc_loop *l, uint32_t function)
{
    return function < x->rq->p->nfunctions && x->rq->p->functions[function].name && l->function &&
           strcmp(x->rq->p->functions[function].name, l->function) == 0;
}

static bool is_inside(const struct cc_source_loop *s, const char *file, unsigned line)
{
    return file && line >= s->line && line <= s->last_line && cc_text_same_file(file, s->file);
}

static void add_wait(struct cc_stages *l, struct cc_pipeline_wait w, const char *why)
{
    for (size_t i = 0; i < l->waits.n; i++)
        if (l->waits.v[i].w.from == w.from && l->waits.v[i].w.to == w.to) {
            l->waits.v[i].w.frames = l->plain.v[i].frames = CC_MIN(l->waits.v[i].w.frames, w.frames);
            return;
        }
    CC_VEC_PUSH(&l->waits, (struct cc_stage_wait){w, why});
    CC_VEC_PUSH(&l->plain, w);
}

/* How many frames lie between: calls, and stretches of code between them, are counted; if each frame has all
 * items once, that tells. Else it may be the next. */
static uint32_t frames_apart(const struct cc_stages *l, const struct cc_psibling *r, uint32_t from,
                             uint32_t to)
{
    uint32_t period = 2 * (uint32_t)l->p.nitems, d = r->distance_min + 2 * (from - to);
    return l->once && r->distance_min && d % period == 0 ? CC_MAX(d / period, 1u) : 1;
}

static void add_flow(const struct finder *x, struct cc_stages *l, const struct cc_psibling *r)
{
    uint32_t from = item_of(l, r->first_line), to = item_of(l, r->second_line);
    if (from <= to)
        return;
    add_wait(l, (struct cc_pipeline_wait){from, to, frames_apart(l, r, from, to)},
             cc_arena_printf(&x->r->arena,
                             "line %u reads %s at line %u, which line %u wrote at line %u in a frame before",
                             r->second_line, r->variable ? r->variable : "memory", r->to_line, r->first_line,
                             r->from_line));
}

/* Calls of the loop's lines, and whether each item is one call that every frame makes. */
static uint64_t count_calls(const struct finder *x, struct cc_stages *l, const struct cc_source_loop *s)
{
    uint64_t calls[CC_PIPELINE_ITEMS] = {0}, sites[CC_PIPELINE_ITEMS] = {0}, all = 0;
    l->once = true;
    for (size_t i = 0; i < x->rq->p->nsiblings; i++) {
        const struct cc_psibling *r = &x->rq->p->siblings[i];
        if (r->kind != CC_DEPENDENCE_READS || !is_function(x, &x->rq->loops->v.v[l->loop], r->function) ||
            !is_inside(s, r->second_file, r->second_line))
            continue;
        uint32_t at = item_of(l, r->second_line);
        l->once = l->once && (!sites[at] || sites[at] == r->second);
        sites[at] = r->second;
        calls[at] += r->count;
        all += r->count;
    }
    for (size_t i = 0; i < l->p.nitems; i++)
        l->once = l->once && l->called[i] && calls[i] == calls[0];
    return all;
}

/* Who wrote something is known for the last thousand calls and stretches between them: what is older may be
 * of as many frames ago as these are, or of before the loop. */
static void add_unknown(const struct finder *x, struct cc_stages *l, uint64_t calls, unsigned line)
{
    const double kept = 1023;
    double frames = kept * (double)l->p.nframes / fmax(1, 2 * (double)calls);
    uint32_t last = (uint32_t)l->p.nitems - 1;
    add_wait(l, (struct cc_pipeline_wait){last, 0, frames < 1 ? 1 : (uint32_t)fmin(frames, 1e6)},
             cc_arena_printf(&x->r->arena, "who wrote what line %u reads is only known for %.0f frames", line,
                             fmax(0, floor(frames))));
}

static bool is_unknown(const struct cc_psibling *r)
{
    return r->first == 0 && (r->flags & CC_DEPENDENCE_SECOND_CALL || r->area != CC_AREA_STACK);
}

/* What one frame leaves to an earlier place of a later one, through memory. */
static const char *see_siblings(const struct finder *x, struct cc_stages *l, const struct cc_source_loop *s)
{
    const struct cc_loop *loop = &x->rq->loops->v.v[l->loop];
    bool followed[CC_PIPELINE_ITEMS] = {false}, any = false;
    uint64_t calls = count_calls(x, l, s);
    for (size_t i = 0; i < x->rq->p->nsiblings; i++) {
        const struct cc_psibling *r = &x->rq->p->siblings[i];
        bool first = is_inside(s, r->first_file, r->first_line),
             second = is_inside(s, r->second_file, r->second_line);
        if (!is_function(x, loop, r->function))
            continue;
        if (r->flags & CC_DEPENDENCE_FOLDED)
            return "its calls have too many dependences, or the compiler made jumps of some";
        if (r->kind == CC_DEPENDENCE_RAW && first && second)
            add_flow(x, l, r);
        if (r->kind == CC_DEPENDENCE_RAW && second && is_unknown(r))
            add_unknown(x, l, calls, r->second_line);
        if (r->kind == CC_DEPENDENCE_READS && second)
            followed[item_of(l, r->second_line)] = any = true;
    }
    for (size_t i = 0; i < l->p.nitems; i++)
        if (any && l->called[i] && !followed[i])
            return cc_arena_printf(&x->r->arena, "the call in line %u was not followed as a whole",
                                   l->lines[i]);
    return any ? NULL
               : "what its calls need from each other was not recorded (record --tasks all), or the compiler "
                 "put them into its place (-fno-inline)";
}

static bool asks_system(const struct finder *x, const struct cc_stages *l, const struct cc_source_loop *s,
                        uint32_t item)
{
    for (size_t i = 0; i < x->rq->p->nsiblings; i++) {
        const struct cc_psibling *r = &x->rq->p->siblings[i];
        if (r->kind == CC_DEPENDENCE_SYSTEM && is_function(x, &x->rq->loops->v.v[l->loop], r->function) &&
            is_inside(s, r->first_file, r->first_line) && item_of(l, r->first_line) == item)
            return true;
    }
    return false;
}

static void see_system(const struct finder *x, struct cc_stages *l, const struct cc_source_loop *s)
{
    for (uint32_t a = 1; a < l->p.nitems; a++)
        for (uint32_t b = 0; b < a; b++)
            if (asks_system(x, l, s, a) && asks_system(x, l, s, b))
                add_wait(l, (struct cc_pipeline_wait){a, b, 1},
                         cc_arena_printf(&x->r->arena,
                                         "lines %u and %u both make system calls, which keep their order",
                                         l->lines[b], l->lines[a]));
}

/* What goes from one iteration to the next in registers, and what decides whether it goes on. */
static void see_registers(const struct finder *x, struct cc_stages *l, const struct cc_source_loop *s)
{
    const struct cc_loop *loop = &x->rq->loops->v.v[l->loop];
    for (size_t i = 0; i < x->rq->p->ndependences; i++) {
        const struct cc_pdependence *d = &x->rq->p->dependences[i];
        const struct cc_ploop *of = &x->rq->p->loops[d->loop];
        bool ours = of->line == loop->line && of->file && loop->file && strcmp(of->file, loop->file) == 0;
        if (!ours || d->kind != CC_DEPENDENCE_RAW || d->space != CC_SPACE_REGISTER ||
            d->flags & CC_DEPENDENCE_STORED || !is_inside(s, d->first_file, d->first_line) ||
            !is_inside(s, d->second_file, d->second_line))
            continue;
        uint32_t from = item_of(l, d->first_line), to = item_of(l, d->second_line);
        if (from > to)
            add_wait(l, (struct cc_pipeline_wait){from, to, CC_MAX(d->distance_min, 1u)},
                     cc_arena_printf(&x->r->arena, "line %u needs what line %u had in a frame before",
                                     d->second_line, d->first_line));
    }
    for (size_t i = 0; i < loop->reasons.n; i++) {
        const struct cc_loop_reason *r = &loop->reasons.v[i];
        uint32_t from = r->kind == CC_REASON_EXIT ? item_of(l, r->first.line) : 0;
        if (r->kind == CC_REASON_EXIT && !is_inside(s, r->first.file, r->first.line))
            from = (uint32_t)l->p.nitems - 1;
        if (from)
            add_wait(l, (struct cc_pipeline_wait){from, 0, 1},
                     cc_arena_printf(&x->r->arena, "line %u decides whether there is a next frame",
                                     l->lines[from]));
    }
}

/* Whether a context is the call of an item, or below it. */
static bool *contexts_of(const struct finder *x, const struct cc_stages *l, size_t from, size_t to)
{
    const struct cc_profile *p = x->rq->p;
    bool *in = cc_alloc_array(p->ncontexts + 1, sizeof *in);
    for (size_t c = 0; c < p->ncontexts; c++) {
        uint32_t up = p->contexts[c].parent;
        in[c] = up != CC_NONE && in[up];
        for (size_t i = from; i < to && up != CC_NONE && !in[c]; i++)
            in[c] = l->callees[i] && is_function(x, &x->rq->loops->v.v[l->loop], p->contexts[up].function) &&
                    strcmp(p->functions[p->contexts[c].function].name, l->callees[i]) == 0;
    }
    return in;
}

/* Bytes of a frame that the items from `first` up to `end` read for the first time and earlier ones wrote;
 * NaN: some item's function is not known. */
static double received(const struct finder *x, const struct cc_stages *l, size_t first, size_t end)
{
    const struct cc_profile *p = x->rq->p;
    for (size_t i = 0; i < end; i++)
        if (!l->callees[i])
            return NAN;
    CC_CLEANUP(cc_free_ptr) bool *from = contexts_of(x, l, 0, first);
    CC_CLEANUP(cc_free_ptr) bool *to = contexts_of(x, l, first, end);
    double bytes = 0;
    for (size_t i = 0; i < p->nedges[CC_LEVEL_CONTEXT]; i++) {
        const struct cc_pedge *e = &p->edges[CC_LEVEL_CONTEXT][i];
        uint32_t a, b;
        if (cc_profile_end(p, CC_LEVEL_CONTEXT, e->producer, &a) == CC_NODE_CONTEXT && a != CC_NONE &&
            cc_profile_end(p, CC_LEVEL_CONTEXT, e->consumer, &b) == CC_NODE_CONTEXT && b != CC_NONE &&
            from[a] && to[b])
            bytes += (double)e->fresh;
    }
    return bytes / (double)l->p.nframes;
}

/* --- one loop --- */

/* Ticks to lock, put or take a frame, and unlock. */
static double hand_over(const struct finder *x)
{
    bool ns = strcmp(cc_platform_str_or(x->rq->platform, "openmp", CC_STR_OPENMP_UNIT, "cycles"), "ns") == 0;
    double cost = cc_platform_num_or(x->rq->platform, "openmp.parallel", CC_NUM_COST_CRITICAL_OVH, 0);
    double mhz = cc_platform_num_or(x->rq->platform, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 0);
    double seconds = ns ? cost * 1e-9 : mhz > 0 ? cost / (mhz * 1e6) : 0;
    return x->r->second > 0 ? seconds / x->r->second : cost;
}

static void name_items(const struct finder *x, struct cc_stages *l)
{
    for (size_t i = 0; x->facts && i < x->facts->calls.v.n; i++) {
        const struct cc_patch_calls *of = &x->facts->calls.v.v[i];
        for (size_t k = 0; k < of->v.n && cc_text_same_file(of->file, l->file); k++)
            for (size_t at = 0; at < l->p.nitems; at++)
                if (of->v.v[k].line <= l->lines[at] && l->lines[at] <= of->v.v[k].last_line)
                    l->callees[at] = of->v.v[k].callee;
    }
    for (size_t i = 0; i < l->p.nitems; i++)
        l->names[i] = l->callees[i]
                          ? l->callees[i]
                          : cc_arena_printf(&x->r->arena, "%s:%u", cc_text_base(l->file), l->lines[i]);
}

static void look(const struct finder *x, struct cc_stages *l)
{
    const struct cc_loop *loop = &x->rq->loops->v.v[l->loop];
    double ticks = (double)x->rq->h->nodes[0].len;
    l->file = loop->file;
    l->why = see_frames(x, l, ticks > 0 ? x->r->sequential / ticks : 1);
    const struct cc_source_loop *s = x->rq->inputs[l->loop].source;
    if (!l->why)
        l->why = see_siblings(x, l, s);
    if (l->why)
        return;
    see_system(x, l, s);
    see_registers(x, l, s);
    name_items(x, l);
    l->p.waits = l->plain.v;
    l->p.nwaits = l->plain.n;
    l->p.buffers = BUFFERS;
    l->p.hand_over = hand_over(x);
    l->all = cc_pipeline_time(&l->p, 0, NULL);
    l->cuts = cc_arena_alloc(&x->r->arena, x->rq->ncores * sizeof *l->cuts);
    l->seconds = cc_arena_alloc(&x->r->arena, x->rq->ncores * sizeof *l->seconds);
    struct cc_pipeline_problem few = l->p;
    few.nframes = CC_MIN(few.nframes, (size_t)MOST_TRIED);
    for (size_t c = 0; c < x->rq->ncores; c++) {
        l->cuts[c] = cc_pipeline_best(&few, (unsigned)x->rq->cores[c]);
        l->seconds[c] = cc_pipeline_time(&l->p, l->cuts[c], NULL);
        if (l->seconds[c] > l->all) {
            l->cuts[c] = 0;
            l->seconds[c] = l->all;
        }
    }
}

/* The loop that the marks are in, or the outermost with most of the run that has several calls. */
static bool is_candidate(const struct finder *x, uint32_t loop)
{
    const struct cc_loop *l = &x->rq->loops->v.v[loop];
    const struct cc_explore_input *in = &x->rq->inputs[loop];
    return !in->group && !in->unwanted && l->file && l->share >= least_share && l->iterations >= 2 &&
           l->iterations <= MOST_FRAMES;
}

void cc_stages_fini(struct cc_stages *l)
{
    free(l->times);
    CC_VEC_FINI(&l->waits);
    CC_VEC_FINI(&l->plain);
    *l = (struct cc_stages){0};
}

/* --- the plan --- */

static const char *stages_text(const struct finder *x, const struct cc_stages *l, uint32_t cuts)
{
    struct cc_buf b = {0};
    cc_buf_printf(&b, "frames of %s in stages: ", x->rq->loops->v.v[l->loop].id);
    for (size_t i = 0; i < l->p.nitems; i++)
        cc_buf_printf(&b, "%s%s", !i ? "" : cuts >> (i - 1) & 1 ? " | " : "+", l->names[i]);
    const char *kept = cc_arena_strdup(&x->r->arena, b.s);
    cc_buf_fini(&b);
    return kept;
}

/* From nothing paid for handing over to twice of what is. */
static void put_speedups(const struct finder *x, const struct cc_stages *l, struct cc_explore_plan *plan)
{
    double all = x->r->sequential;
    for (size_t c = 0; c < x->rq->ncores; c++) {
        struct cc_pipeline_problem ends = l->p;
        struct cc_explore_speedup *s = &plan->speedups[c];
        s->time = all - l->all + l->seconds[c];
        ends.hand_over = 0;
        s->high = all / (all - l->all + cc_pipeline_time(&ends, l->cuts[c], NULL));
        ends.hand_over = 2 * l->p.hand_over;
        s->low = all / (all - l->all + cc_pipeline_time(&ends, l->cuts[c], NULL));
        s->speedup = all / s->time;
        s->energy = NAN;
    }
}

static int add_plan(const struct finder *x, const struct cc_stages *l, struct cc_err *err)
{
    struct cc_explore_plan plan;
    CC_CLEANUP(cc_free_ptr) bool *none = cc_alloc_array(x->r->candidates.n + 1, sizeof *none);
    size_t last = x->rq->ncores - 1;
    unsigned lines = 6 * cc_pipeline_stages(l->cuts[last]); /* a thread, its loop, put and take */
    if (!l->cuts[last] || (x->rq->lines && lines > x->rq->lines) ||
        l->all - l->seconds[last] < x->rq->min_gain * x->r->sequential)
        return 0;
    int rc = cc_explore_replay(x->rq, x->r, none, &plan, err);
    if (rc < 0)
        return rc;
    put_speedups(x, l, &plan);
    plan.also = stages_text(x, l, l->cuts[last]);
    plan.unwritten = "its stages are threads of their own, with queues between them";
    plan.lines = lines;
    cc_explore_add(x->rq, x->r, &plan);
    return 0;
}

/* The stages on the largest number of cores. */
static void list_stages(const struct finder *x, struct cc_stages *l)
{
    uint32_t cuts = l->cuts[x->rq->ncores - 1];
    double busy[CC_PIPELINE_ITEMS];
    cc_pipeline_time(&l->p, cuts, busy);
    for (size_t from = 0, i = 1; i <= l->p.nitems; i++) {
        if (i < l->p.nitems && !(cuts >> (i - 1) & 1))
            continue;
        l->v[l->n] = (struct cc_stage){from, i, busy[l->n], received(x, l, from, i)};
        l->n++;
        from = i;
    }
}

int cc_stages_find(const struct cc_explore_request *rq, const struct cc_patch_facts *facts,
                   struct cc_explore_result *r, struct cc_stages *best, struct cc_err *err)
{
    struct finder x = {rq, facts, r};
    *best = (struct cc_stages){.loop = CC_NONE};
    if (!r->complete || !rq->p->nsiblings || rq->p->nthreads > 1)
        return 0;
    for (uint32_t i = 0; i < rq->loops->v.n; i++) {
        struct cc_stages l = {.loop = i};
        if (!is_candidate(&x, i))
            continue;
        look(&x, &l);
        bool better = best->loop == CC_NONE || (best->why && !l.why) ||
                      (!l.why && !best->why &&
                       l.all - l.seconds[rq->ncores - 1] > best->all - best->seconds[rq->ncores - 1]);
        if (better) {
            cc_stages_fini(best);
            *best = l;
        } else {
            cc_stages_fini(&l);
        }
    }
    if (best->loop == CC_NONE || best->why)
        return 0;
    list_stages(&x, best);
    return add_plan(&x, best, err);
}
