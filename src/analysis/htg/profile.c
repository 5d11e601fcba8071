#include "htg.h"

struct level {
    size_t node; /* the task whose children are being visited */
    size_t child;
    size_t row;
    uint64_t copies; /* how often the task ran: product of the repeats above */
};

typedef CC_VEC(struct cc_htg_profile_row) row_list;

static size_t row_of(row_list *rows, struct cc_map *index, uint32_t name, size_t parent)
{
    bool is_new;
    uint64_t *at = cc_map_put(index, (uint64_t)(parent + 1) << 24 | name, &is_new);
    if (is_new) {
        *at = rows->n;
        struct cc_htg_profile_row r = {
            .name = name, .parent = parent, .depth = parent == SIZE_MAX ? 0 : rows->v[parent].depth + 1};
        CC_VEC_PUSH(rows, r);
    }
    return (size_t)*at;
}

/* Rows came in order of discovery; children go under their parents. */
static void order_rows(row_list *rows)
{
    size_t n = rows->n;
    size_t *first = cc_alloc_array(n, sizeof *first), *last = cc_alloc_array(n, sizeof *last),
           *sibling = cc_alloc_array(n, sizeof *sibling), *place = cc_alloc_array(n, sizeof *place);
    for (size_t i = 1; i < n; i++) { /* 0 stands for "none": the root is nobody's child */
        size_t p = rows->v[i].parent;
        if (!first[p])
            first[p] = i;
        else
            sibling[last[p]] = i;
        last[p] = i;
    }
    struct cc_htg_profile_row *sorted = cc_alloc_array(n, sizeof *sorted);
    size_t out = 0;
    for (size_t i = 0;;) {
        place[i] = out;
        sorted[out] = rows->v[i];
        if (i)
            sorted[out].parent = place[rows->v[i].parent];
        out++;
        if (first[i]) {
            i = first[i];
            continue;
        }
        while (i && !sibling[i])
            i = rows->v[i].parent;
        if (!i)
            break;
        i = sibling[i];
    }
    free(rows->v);
    rows->v = sorted;
    free(first);
    free(last);
    free(sibling);
    free(place);
}

static void count_row(row_list *rows, size_t row, const struct cc_htg_node *n, uint64_t copies)
{
    rows->v[row].calls += copies;
    rows->v[row].cumulative += copies * n->len;
    rows->v[row].self += copies * n->len;
    if (rows->v[row].parent != SIZE_MAX)
        rows->v[rows->v[row].parent].self -= copies * n->len;
}

size_t cc_htg_profile(const struct cc_htg *h, struct cc_htg_profile_row **ret)
{
    row_list rows = {0};
    struct cc_map index = {0};
    CC_VEC(struct level) stack = {0};
    size_t root = row_of(&rows, &index, h->nodes[0].name, SIZE_MAX);
    count_row(&rows, root, &h->nodes[0], 1);
    struct level start = {0, 1, root, 1};
    CC_VEC_PUSH(&stack, start);
    while (stack.n) {
        struct level *l = &stack.v[stack.n - 1];
        if (l->child == h->nodes[l->node].next) {
            stack.n--;
            continue;
        }
        size_t child = l->child;
        const struct cc_htg_node *n = &h->nodes[child];
        uint64_t copies = l->copies * n->repeat;
        size_t row = row_of(&rows, &index, n->name, l->row);
        count_row(&rows, row, n, copies);
        l->child = n->next;
        if (!cc_htg_leaf(h, child)) {
            struct level down = {child, child + 1, row, copies};
            CC_VEC_PUSH(&stack, down);
        }
    }
    order_rows(&rows);
    CC_VEC_FINI(&stack);
    cc_map_fini(&index);
    *ret = rows.v;
    return rows.n;
}
