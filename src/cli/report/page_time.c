/* When calls and regions ran, and the data between them: the page draws it, a text could not. */
#include "page_time.h"
#include "../../analysis/calltree/calltree.h"

enum { MAX_BOXES = 3000, MAX_ROWS = 24, MAX_ARROWS = 300, MAX_STREAMS = 3000 };

static const struct cc_col box_cols[] = {
    {"name", NULL, CC_COL_STR},
    {"thread", NULL, CC_COL_INT, .meaning = "from 1 on, as they began"},
    {"depth", NULL, CC_COL_INT, .meaning = "boxes around it"},
    {"start", NULL, CC_COL_INT, .unit = "instructions", .meaning = "since the run began"},
    {"length", NULL, CC_COL_INT, .unit = "instructions"},
};

static const struct cc_col arrow_cols[] = {
    {"from", NULL, CC_COL_INT, .meaning = "row of the boxes"},
    {"to", NULL, CC_COL_INT, .meaning = "row of the boxes"},
    {"special", NULL, CC_COL_STR, .meaning = "the end that is no box"},
    {"bytes", NULL, CC_COL_BYTES, .meaning = "every read counts"},
};

static void put_boxes(struct cc_result *r, const struct cc_profile *p, bool regions,
                      const struct cc_timeline_box *boxes, size_t n)
{
    struct cc_arena arena = {0};
    const char **names = regions ? cc_names_regions(p, &arena) : NULL;
    struct cc_table *t = cc_result_table(r, "boxes", box_cols, CC_COUNT(box_cols));
    for (size_t i = 0; i < n; i++) {
        const struct cc_timeline_box *b = &boxes[i];
        cc_table_row(t);
        cc_table_str(t, regions ? names[b->context] : p->functions[p->contexts[b->context].function].name);
        cc_table_u64(t, (uint64_t)b->thread + 1);
        cc_table_u64(t, b->depth);
        cc_table_u64(t, b->start);
        cc_table_u64(t, b->length);
    }
    cc_arena_fini(&arena);
}

static void put_arrows(struct cc_result *r, const struct cc_timeline_arrow *arrows, size_t n)
{
    struct cc_table *t = cc_result_table(r, "arrows", arrow_cols, CC_COUNT(arrow_cols));
    for (size_t i = 0; i < n && i < MAX_ARROWS; i++) {
        cc_table_row(t);
        cc_table_u64_if(t, arrows[i].from != SIZE_MAX, arrows[i].from);
        cc_table_u64_if(t, arrows[i].to != SIZE_MAX, arrows[i].to);
        cc_table_str(t, arrows[i].special);
        cc_table_u64(t, arrows[i].bytes);
    }
}

struct cc_result *cc_page_timeline(const struct cc_profile *p, bool regions)
{
    CC_CLEANUP(cc_free_ptr) struct cc_timeline_box *boxes = NULL;
    CC_CLEANUP(cc_free_ptr) struct cc_timeline_arrow *arrows = NULL;
    struct cc_filter all = {0}, heaviest = {.top = MAX_STREAMS};
    struct cc_err e = {0};
    struct cc_comm *streams;
    size_t n = regions ? cc_timeline_regions(p, &all, MAX_BOXES, &boxes) : cc_timeline(p, MAX_BOXES, &boxes),
           narrows = 0;
    n = cc_timeline_fold(boxes, n, MAX_ROWS);
    struct cc_result *r = cc_result_new(regions ? "corecast.timeline_regions" : "corecast.timeline", 1);
    cc_result_u64(r, "threshold", regions ? 0 : p->call_threshold);
    cc_result_bool(r, "one_clock", p->nthreads == 1); /* that of frames and slices is the thread's */
    put_boxes(r, p, regions, boxes, n);
    if (cc_comm_build(p, regions ? CC_LEVEL_REGION : CC_LEVEL_CONTEXT, &heaviest, &streams, &e) == 0) {
        narrows = cc_timeline_arrows(p, streams, boxes, n, &arrows);
        put_arrows(r, arrows, narrows);
        cc_comm_free(streams);
    }
    return r;
}
