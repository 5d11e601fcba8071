#include "view.h"
#include "../../draw/bars.h"
#include "../../analysis/objects/objects.h"

static const struct cc_col site_cols[] = {
    {"function", NULL, CC_COL_STR}, {"file", NULL, CC_COL_STR}, {"line", NULL, CC_COL_INT}};

static const struct cc_col object_cols[] = {
    {"id", NULL, CC_COL_INT},
    {NULL, "share", CC_COL_PERCENT, 1},
    {"bytes_read", "read", CC_COL_BYTES},
    {"bytes_written", "written", CC_COL_BYTES},
    {"size", "size", CC_COL_BYTES, .meaning = "of the largest"},
    {"count", "count", CC_COL_INT, .meaning = "blocks or variables"},
    {"peak", "peak", CC_COL_BYTES, .meaning = "most that existed at once"},
    {"kind", "kind", CC_COL_STR},
    {"name", "object", CC_COL_STR},
    {"type", "type", CC_COL_STR},
    {NULL, "functions", CC_COL_INT},
    {"named", NULL, CC_COL_BOOL},
    {"allocator", NULL, CC_COL_STR},
    {"file", NULL, CC_COL_STR},
    {"line", NULL, CC_COL_INT},
    {"freed", NULL, CC_COL_INT},
    {"total", NULL, CC_COL_BYTES},
    {"live", NULL, CC_COL_BYTES},
    {"leaked", NULL, CC_COL_BOOL},
    {"never_accessed", NULL, CC_COL_BOOL},
    {"reads", NULL, CC_COL_COUNT},
    {"writes", NULL, CC_COL_COUNT},
    {"site", NULL, CC_COL_TABLE, .sub = site_cols, .nsub = CC_COUNT(site_cols)},
};

static void put_site(struct cc_table *t, const struct cc_profile *p, const struct cc_pobject *d)
{
    for (uint32_t i = 0; i < d->nsite; i++) {
        const struct cc_pobject_site *s = &p->object_sites[d->site + i];
        cc_table_row(t);
        cc_table_str(t, p->functions[s->function].name);
        cc_table_place(t, s->file, s->line);
    }
}

static void put_object(struct cc_table *t, const struct cc_profile *p, const struct cc_objects *o,
                       const struct cc_objects_item *x)
{
    const struct cc_pobject *d = &p->objects[x->id];
    cc_table_row(t);
    cc_table_row_only(t, x->never ? CC_ROW_DATA : CC_ROW_EVERYWHERE);
    cc_table_u64(t, x->id);
    cc_table_num(t, o->bytes ? (double)(x->bytes_read + x->bytes_written) / (double)o->bytes : 0);
    cc_table_u64(t, x->bytes_read);
    cc_table_u64(t, x->bytes_written);
    cc_table_u64(t, d->size);
    cc_table_u64(t, d->count);
    cc_table_u64(t, d->peak);
    cc_table_str(t, cc_storage_names[d->kind]);
    cc_table_str(t, o->names[x->id]);
    cc_table_str(t, d->named ? d->name : d->type);
    cc_table_show(t, "%s", d->type ? d->type : "");
    cc_table_u64(t, x->functions);
    cc_table_bool(t, d->named);
    cc_table_str(t, d->alloc);
    cc_table_place(t, d->file, d->line);
    cc_table_u64(t, d->freed);
    cc_table_u64(t, d->total);
    cc_table_u64(t, d->live);
    cc_table_bool(t, x->leaked);
    cc_table_bool(t, x->never);
    cc_table_u64(t, x->reads);
    cc_table_u64(t, x->writes);
    put_site(cc_table_sub(t), p, d);
}

static const char *accessor(const struct cc_profile *p, uint32_t function)
{
    return function < p->nfunctions ? p->functions[function].name
                                    : cc_special_name((enum cc_node_kind)(function - CC_SPECIAL));
}

static void put_accesses(const struct cc_profile *p, const struct cc_objects *o, struct cc_result *r)
{
    static const struct cc_col cols[] = {
        {"function", NULL, CC_COL_STR},
        {"object", NULL, CC_COL_INT, .meaning = "its id"},
        {"reads", NULL, CC_COL_COUNT},
        {"writes", NULL, CC_COL_COUNT},
        {"bytes_read", NULL, CC_COL_BYTES},
        {"bytes_written", NULL, CC_COL_BYTES},
        {"unma", NULL, CC_COL_COUNT, .meaning = "distinct addresses"},
        {"unma_read", NULL, CC_COL_COUNT},
        {"unma_written", NULL, CC_COL_COUNT},
        {"first", NULL, CC_COL_INT, .unit = "instructions"},
        {"last", NULL, CC_COL_INT, .unit = "instructions"},
    };
    struct cc_table *t = cc_result_table(r, "accesses", cols, CC_COUNT(cols));
    CC_CLEANUP(cc_free_ptr) bool *shown = cc_alloc_array(p->nobjects + 1, sizeof *shown);
    for (size_t i = 0; i < o->n; i++)
        shown[o->items[i].id] = true;
    for (size_t i = 0; i < p->nobject_accesses; i++) {
        const struct cc_pobject_access *a = &p->object_accesses[i];
        if (!shown[a->object])
            continue;
        cc_table_row(t);
        cc_table_str(t, accessor(p, a->function));
        cc_table_u64(t, a->object);
        cc_table_u64(t, a->reads);
        cc_table_u64(t, a->writes);
        cc_table_u64(t, a->bytes_read);
        cc_table_u64(t, a->bytes_written);
        cc_table_u64_if(t, a->has_unma, a->unma);
        cc_table_u64_if(t, a->has_unma_read, a->unma_read);
        cc_table_u64_if(t, a->has_unma_written, a->unma_written);
        cc_table_u64(t, a->first);
        cc_table_u64(t, a->last);
    }
}

/* At most 20 names, each with its bytes. */
static void put_list(const struct cc_profile *p, const struct cc_objects *o, bool leaked, struct cc_result *r)
{
    enum { SHOWN = 20 };
    size_t n = 0;
    cc_result_gap(r);
    for (size_t i = 0; i < o->n; i++) {
        const struct cc_objects_item *x = &o->items[i];
        const struct cc_pobject *d = &p->objects[x->id];
        if (leaked ? !x->leaked : !x->never)
            continue;
        char bytes[24], blocks[64] = "";
        if (n++ == 0)
            cc_result_note(r, leaked ? "not freed at the end:" : "never accessed:");
        if (n > SHOWN)
            continue;
        if (leaked)
            snprintf(blocks, sizeof blocks, ", %llu of %llu blocks",
                     (unsigned long long)(d->count - CC_MIN(d->freed, d->count)),
                     (unsigned long long)d->count);
        cc_human_bytes((double)(leaked ? d->live : d->size), bytes);
        cc_result_note(r, "  %-10s %s%s", bytes, o->names[x->id], blocks);
    }
    if (n > SHOWN)
        cc_result_note(r, "  … and %zu more", n - SHOWN);
}

static void build(const struct cc_profile *p, const struct cc_objects *o, struct cc_result *r)
{
    char a[24];
    cc_view_caveats(p, r);
    cc_result_u64(r, "bytes", o->bytes);
    cc_result_arr(r, "limits");
    for (size_t i = 0; i < o->nlimits; i++) {
        cc_result_str(r, NULL, o->limits[i]);
        cc_result_note(r, "note: %s", o->limits[i]);
    }
    cc_result_end(r);
    cc_result_gap(r);
    cc_result_note(r, "%s read from and written to data objects", cc_human_bytes((double)o->bytes, a));
    struct cc_table *t = cc_result_table(r, "objects", object_cols, CC_COUNT(object_cols));
    for (size_t i = 0; i < o->n; i++)
        put_object(t, p, o, &o->items[i]);
    put_accesses(p, o, r);
    if (o->hidden)
        cc_result_note(r, "%zu more object%s with %s; --min-share 0 shows all", o->hidden,
                       cc_view_plural(o->hidden), cc_human_bytes((double)o->hidden_bytes, a));
    put_list(p, o, true, r);
    put_list(p, o, false, r);
}

static void draw(const struct cc_objects *o, struct cc_buf *svg)
{
    struct cc_bar *bars = cc_alloc_array(o->n + 1, sizeof *bars);
    size_t n = 0;
    for (size_t i = 0; i < o->n && n < 40; i++) {
        const struct cc_objects_item *x = &o->items[i];
        if (x->never)
            continue;
        double all = o->bytes ? (double)o->bytes : 1;
        bars[n] = (struct cc_bar){
            o->names[x->id], {(double)x->bytes_read / all, (double)x->bytes_written / all}, {""}};
        cc_human_bytes((double)x->bytes_read, bars[n].text[0]);
        cc_human_bytes((double)x->bytes_written, bars[n].text[1]);
        n++;
    }
    static const char *const legend[] = {"read", "written"};
    cc_draw_bars("Bytes by data object", legend, bars, n, svg);
    free(bars);
}

int cc_view_objects(const struct cc_view_request *rq, struct cc_result *r, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 40, 0.001);
    struct cc_objects *o;
    int rc = cc_objects_list(rq->p, &filter, &o, err);
    if (rc < 0)
        return rc;
    build(rq->p, o, r);
    if (rq->svg)
        draw(o, rq->svg);
    cc_objects_free(o);
    return 0;
}
