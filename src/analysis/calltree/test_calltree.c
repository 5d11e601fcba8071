#include "analysis/calltree/calltree.h"
#include "fixture.h"
#include "tap.h"

static const char *name(const struct cc_profile *p, const struct cc_calltree *t, size_t row)
{
    return row < t->n ? p->functions[p->contexts[t->rows[row].context].function].name : "(none)";
}

/* Pre-order, depths and parents agree, children sorted. */
static bool consistent(const struct cc_profile *p, const struct cc_calltree *t)
{
    for (size_t i = 0; i < t->n; i++) {
        const struct cc_calltree_row *r = &t->rows[i];
        if (r->parent == SIZE_MAX ? r->depth != 0 : r->parent >= i)
            return false;
        if (r->parent == SIZE_MAX)
            continue;
        const struct cc_calltree_row *up = &t->rows[r->parent];
        if (r->depth != up->depth + 1 || p->contexts[r->context].parent != up->context)
            return false;
        for (size_t k = i + 1; k < t->n && t->rows[k].depth >= r->depth; k++)
            if (t->rows[k].parent == r->parent &&
                p->contexts[t->rows[k].context].inclusive > p->contexts[r->context].inclusive)
                return false;
    }
    return true;
}

static void test_fixture(const struct cc_profile *p)
{
    struct cc_err err = {0};
    struct cc_filter all = {0};
    struct cc_calltree *t;
    if (!OK(cc_calltree_build(p, &all, &t, &err) == 0, "a tree"))
        return;
    OK_U64(t->n, p->ncontexts, "holds every context");
    OK(consistent(p, t), "in order");
    static const char *const want[] = {"<runtime>", "run_program", "filter", "img::helper(int)",
                                       "produce",   "consume",     "dive",   "<runtime>",
                                       "worker"};
    for (size_t i = 0; i < CC_COUNT(want); i++)
        OK_STR(name(p, t, i), want[i], "row %zu", i);
    cc_calltree_free(t);

    struct cc_filter some = {.min_share = 0.15, .top = 1};
    cc_calltree_build(p, &some, &t, &err);
    OK_U64(t->n, 5, "two roots, the heaviest chain and the worker");
    OK(t->rows[1].hidden == 3 && t->rows[1].hidden_inclusive == 50000 + 40000 + 20000, "the rest is counted");
    cc_calltree_free(t);

    struct cc_filter focus = {.focus = "img::helper"};
    cc_calltree_build(p, &focus, &t, &err);
    OK(t->n == 4 && strcmp(name(p, t, 3), "img::helper(int)") == 0, "a focus shows the way to it alone");
    cc_calltree_free(t);

    struct cc_filter wrong = {.focus = "run_progam"};
    OK(cc_calltree_build(p, &wrong, &t, &err) < 0 && strstr(err.hint, "run_program"), "an unknown focus: %s",
       err.hint);
}

static void test_time_line(const struct cc_profile *p)
{
    struct cc_timeline_box *boxes;
    size_t n = cc_timeline(p, SIZE_MAX, &boxes);
    OK_U64(n, FIXTURE_CALLS_ON_TIME_LINE, "all calls");
    uint32_t deepest = 0;
    bool nested = true;
    for (size_t i = 0; i < n; i++) {
        deepest = CC_MAX(deepest, boxes[i].depth);
        if (boxes[i].parent == SIZE_MAX)
            continue;
        const struct cc_timeline_box *up = &boxes[boxes[i].parent];
        nested &= up->depth + 1 == boxes[i].depth && up->start <= boxes[i].start &&
                  boxes[i].start + boxes[i].length <= up->start + up->length && up->thread == boxes[i].thread;
    }
    OK(nested, "boxes lie inside their parents");
    OK_U64(deepest, 6, "recursion nests: root, run_program, five of dive");
    OK_U64(boxes[n - 1].start, 51500 + 50, "a thread's boxes start where it began");
    free(boxes);
    n = cc_timeline(p, 3, &boxes);
    OK(n == 3 && boxes[0].length == 300000 && boxes[1].length == 298900 && boxes[2].length == 150000,
       "the longest of many");
    free(boxes);
}

/* See fixture.h: "making" in frame 1, "filtering" with "inner" inside it in frame 2. */
static void test_regions(const struct cc_profile *p)
{
    struct cc_timeline_box *b;
    size_t n = cc_timeline_regions(p, &(struct cc_filter){0}, SIZE_MAX, &b);
    OK(n == 5 && b[0].context == 0 && b[0].length == 300000 && b[0].parent == SIZE_MAX,
       "a thread is around its regions");
    OK_STR(p->regions[b[1].context].name, "making", "the first");
    OK(b[1].start == 900 && b[1].length == 50200 && b[1].parent == 0 && b[1].depth == 1, "its place");
    OK(b[2].depth == 1 && b[3].depth == 2 && b[3].parent == 2 && b[3].length == 150300, "one inside another");
    OK(b[4].context == 0 && b[4].thread == 1 && b[4].start == 51500, "a thread without");
    free(b);
    n = cc_timeline_regions(p, &(struct cc_filter){.one_frame = true, .frame = 1}, SIZE_MAX, &b);
    OK(n == 2 && b[0].context == 0 && b[0].length == 50200 && b[1].length == 50200, "of one frame");
    free(b);
    n = cc_timeline_regions(p, &(struct cc_filter){0}, 3, &b);
    OK(n == 3 && b[2].thread == 0 && b[2].length == 150300, "the longest of them");
    free(b);
}

/* The longest box of a context or of the nearest caller that has one, by looking at all; SIZE_MAX: none. */
static size_t nearest(const struct cc_profile *p, bool regions, const struct cc_timeline_box *b, size_t n,
                      uint32_t id)
{
    size_t best = SIZE_MAX;
    while (best == SIZE_MAX && id != CC_NONE) {
        for (size_t i = 0; i < n; i++)
            if (b[i].context == id && (best == SIZE_MAX || b[i].length > b[best].length))
                best = i;
        id = regions ? CC_NONE : p->contexts[id].parent;
    }
    return best;
}

/* Every byte of a stream between two boxes is in one arrow, and none else. */
static void test_arrows(const struct cc_profile *p, bool regions)
{
    struct cc_timeline_box *b;
    struct cc_timeline_arrow *arrows;
    struct cc_comm *c;
    struct cc_err err = {0};
    struct cc_filter all = {0};
    size_t n = regions ? cc_timeline_regions(p, &all, SIZE_MAX, &b) : cc_timeline(p, SIZE_MAX, &b);
    n = cc_timeline_fold(b, n, 40);
    if (!OK(cc_comm_build(p, regions ? CC_LEVEL_REGION : CC_LEVEL_CONTEXT, &all, &c, &err) == 0, "streams"))
        return;
    size_t narrows = cc_timeline_arrows(p, c, b, n, &arrows);
    uint64_t want = 0, got = 0;
    bool sorted = true, right = true;
    for (size_t i = 0; i < c->nedges; i++) {
        const struct cc_comm_node *from = &c->nodes[c->edges[i].from], *to = &c->nodes[c->edges[i].to];
        size_t x = nearest(p, regions, b, n, from->id), y = nearest(p, regions, b, n, to->id);
        bool there = (x != SIZE_MAX || from->id == CC_NONE) && (y != SIZE_MAX || to->id == CC_NONE);
        want += x != y && there ? c->edges[i].bytes : 0;
        size_t k = 0;
        while (k < narrows && (arrows[k].from != x || arrows[k].to != y))
            k++;
        right = right && (k < narrows || x == y || !there);
    }
    for (size_t k = 0; k < narrows; k++) {
        got += arrows[k].bytes;
        sorted = sorted && (!k || arrows[k].bytes <= arrows[k - 1].bytes);
    }
    OK(narrows > 0 && sorted && right, "streams %s as arrows, heaviest first",
       regions ? "of regions" : "of calls");
    OK_U64(got, want, "and none of their bytes is lost or counted twice");
    free(arrows);
    free(b);
    cc_comm_free(c);
}

/* A call inside another of the same context is no box of its own, nor is what is too deep. */
static void test_fold(void)
{
    struct cc_timeline_box b[] = {{.context = 1, .length = 100, .parent = SIZE_MAX},
                                  {.context = 2, .length = 90, .depth = 1, .parent = 0},
                                  {.context = 1, .length = 80, .depth = 2, .parent = 1},
                                  {.context = 3, .length = 70, .depth = 3, .parent = 2},
                                  {.context = 4, .length = 60, .depth = 4, .parent = 3}};
    size_t n = cc_timeline_fold(b, CC_COUNT(b), 3);
    OK(n == 3 && b[2].context == 3 && b[2].depth == 2 && b[2].parent == 1,
       "recursion and what is too deep are left out, and what is below is put below the nearest kept");
}

/* A chain as deep as a file may make it: no recursion, linear time. */
static void test_deep(void)
{
    enum { DEEP = 200000 };
    struct cc_pfunction function = {.name = "f"};
    struct cc_pthread thread = {0};
    struct cc_pcontext *contexts = cc_alloc_array(DEEP, sizeof *contexts);
    for (uint32_t i = 0; i < DEEP; i++)
        contexts[i] =
            (struct cc_pcontext){.parent = i ? i - 1 : CC_NONE, .inclusive = DEEP - i, .exclusive = 1};
    struct cc_profile p = {.functions = &function,
                           .nfunctions = 1,
                           .threads = &thread,
                           .nthreads = 1,
                           .contexts = contexts,
                           .ncontexts = DEEP,
                           .instructions = DEEP};
    struct cc_filter all = {0};
    struct cc_calltree *t;
    struct cc_err err = {0};
    OK(cc_calltree_build(&p, &all, &t, &err) == 0 && t->n == DEEP && t->rows[DEEP - 1].depth == DEEP - 1,
       "a very deep tree");
    cc_calltree_free(t);
    free(contexts);
    struct cc_profile none = {.path = "x"};
    OK(cc_calltree_build(&none, &all, &t, &err) < 0 && strstr(err.msg, "no calls"),
       "a profile without calls");
}

int main(void)
{
    struct cc_profile *p = cc_fixture_profile();
    if (OK(p, "the fixture")) {
        test_fixture(p);
        test_time_line(p);
        test_regions(p);
        test_arrows(p, false);
        test_arrows(p, true);
    }
    cc_profile_free(p);
    test_fold();
    test_deep();
    return TAP_DONE();
}
