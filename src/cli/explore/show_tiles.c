/* Nests in tiles as a table. */
#include "internal.h"

#include <math.h>

static const struct cc_col tile_cols[] = {
    {"loop", "in tiles", CC_COL_STR},
    {"image", "image", CC_COL_STR},
    {"window", "window", CC_COL_STR, .meaning = "pixels that one needs, taken from the loops inside"},
    {"tile", "tile", CC_COL_STR, .meaning = "on the largest number of cores; null: it does not qualify"},
    {"bytes", "bytes", CC_COL_NUM, 0, .meaning = "that all its buffers need of the local memory"},
    {"seconds", NULL, CC_COL_NUM, .meaning = "of all images; cycles where the clock is not known"},
    {NULL, "takes", CC_COL_STR},
    {"speedup", "by itself", CC_COL_NUM, 2, .meaning = "over the nest on one core"},
    {"pixel_cycles", NULL, CC_COL_NUM, .meaning = "that a pixel takes"},
    {"pixel", NULL, CC_COL_STR, .meaning = "bytes of a pixel, in and out"},
    {"reason", NULL, CC_COL_STR, .meaning = "why it does not qualify; null: it does"},
};

static void put_nest(struct exploration *x, struct cc_table *t, const struct cc_explore_nest *n)
{
    struct cc_arena *a = &x->arena;
    double work = cc_explore_candidate_of(&x->r, n->outer)->work, ticks = 0;
    cc_table_row(t);
    cc_table_str(t, x->loops->v.v[n->outer].id);
    if (n->why) {
        for (int i = 0; i < 3; i++)
            cc_table_str(t, NULL);
        cc_table_num(t, NAN);
        cc_table_num(t, NAN);
        cc_table_str(t, NULL);
        cc_table_num(t, NAN);
        cc_table_num(t, NAN);
        cc_table_str(t, NULL);
        cc_table_str(t, n->why);
        cc_table_row_only(t, CC_ROW_DATA);
        return;
    }
    ticks = n->cycles[x->ncores - 1] / cc_explore_cycles(&x->rq, &x->r);
    cc_table_str(t, cc_arena_printf(a, "%lldx%lld", (long long)n->columns, (long long)n->rows));
    cc_table_str(t, cc_arena_printf(a, "%lldx%lld", (long long)n->window_w, (long long)n->window_h));
    cc_table_str(t, cc_arena_printf(a, "%lldx%lld", (long long)n->best.x, (long long)n->best.y));
    cc_table_num(t, n->best.memory);
    cc_table_num(t, x->r.second > 0 ? ticks * x->r.second : ticks);
    cc_table_str(t, cc_explore_duration(x, ticks, x->r.second));
    cc_table_num(t, work / ticks);
    cc_table_num(t, n->time);
    cc_table_str(t, cc_arena_printf(a, "%lld:%lld", (long long)n->in, (long long)n->out));
    cc_table_str(t, NULL);
    if (!x->tiles.taken)
        cc_table_row_only(t, CC_ROW_DATA);
}

void cc_explore_show_tiles(struct exploration *x, struct cc_result *r)
{
    const struct cc_explore_tiles *all = &x->tiles;
    bool any = false;
    for (size_t i = 0; i < all->n; i++)
        any = any || !all->v[i].why;
    if (any && all->taken)
        cc_result_note(r, "images in tiles, on %lld cores with %.0f bytes of local memory, two buffers each:",
                       (long long)x->cores[x->ncores - 1], all->memory);
    struct cc_table *t = cc_result_table(r, "tiles", tile_cols, CC_COUNT(tile_cols));
    for (size_t i = 0; i < all->n; i++)
        put_nest(x, t, &all->v[i]);
}
