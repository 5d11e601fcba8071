#include "view.h"
#include "../../draw/bars.h"
#include "../../analysis/objects/objects.h"

static void json_object(struct cc_json *j, const struct cc_profile *p, const struct cc_objects *o,
                        const struct cc_objects_item *x)
{
    const struct cc_pobject *d = &p->objects[x->id];
    cc_json_obj(j, NULL);
    cc_json_u64(j, "id", x->id);
    cc_json_str(j, "name", o->names[x->id]);
    cc_json_str(j, "kind", cc_storage_names[d->kind]);
    cc_json_str(j, "type", d->named ? d->name : d->type);
    cc_json_bool(j, "named", d->named);
    cc_json_str(j, "allocator", d->alloc);
    cc_json_str(j, "file", d->file);
    if (d->line)
        cc_json_u64(j, "line", d->line);
    else
        cc_json_null(j, "line");
    cc_json_u64(j, "size", d->size);
    cc_json_u64(j, "count", d->count);
    cc_json_u64(j, "freed", d->freed);
    cc_json_u64(j, "total", d->total);
    cc_json_u64(j, "peak", d->peak);
    cc_json_u64(j, "live", d->live);
    cc_json_bool(j, "leaked", x->leaked);
    cc_json_bool(j, "never_accessed", x->never);
    cc_json_u64(j, "reads", x->reads);
    cc_json_u64(j, "writes", x->writes);
    cc_json_u64(j, "bytes_read", x->bytes_read);
    cc_json_u64(j, "bytes_written", x->bytes_written);
    cc_json_arr(j, "site");
    for (uint32_t i = 0; i < d->nsite; i++) {
        const struct cc_pobject_site *s = &p->object_sites[d->site + i];
        cc_json_obj(j, NULL);
        cc_json_str(j, "function", p->functions[s->function].name);
        cc_json_str(j, "file", s->file);
        if (s->line)
            cc_json_u64(j, "line", s->line);
        else
            cc_json_null(j, "line");
        cc_json_end(j);
    }
    cc_json_end(j);
    cc_json_end(j);
}

static const char *accessor(const struct cc_profile *p, uint32_t function)
{
    return function < p->nfunctions ? p->functions[function].name
                                    : cc_special_name((enum cc_node_kind)(function - CC_SPECIAL));
}

static void json_access(struct cc_json *j, const struct cc_profile *p, const struct cc_pobject_access *a)
{
    cc_json_obj(j, NULL);
    cc_json_str(j, "function", accessor(p, a->function));
    cc_json_u64(j, "object", a->object);
    cc_json_u64(j, "reads", a->reads);
    cc_json_u64(j, "writes", a->writes);
    cc_json_u64(j, "bytes_read", a->bytes_read);
    cc_json_u64(j, "bytes_written", a->bytes_written);
    if (a->has_unma)
        cc_json_u64(j, "unma", a->unma);
    else
        cc_json_null(j, "unma");
    cc_json_u64(j, "first", a->first);
    cc_json_u64(j, "last", a->last);
    cc_json_end(j);
}

static void print_json(const struct cc_profile *p, const struct cc_objects *o, FILE *out)
{
    struct cc_json j;
    CC_CLEANUP(cc_free_ptr) bool *shown = cc_alloc_array(p->nobjects + 1, sizeof *shown);
    cc_json_document(&j, out, "corecast.objects", 1);
    cc_json_u64(&j, "bytes", o->bytes);
    cc_json_arr(&j, "limits");
    for (size_t i = 0; i < o->nlimits; i++)
        cc_json_str(&j, NULL, o->limits[i]);
    cc_json_end(&j);
    cc_json_arr(&j, "objects");
    for (size_t i = 0; i < o->n; i++) {
        json_object(&j, p, o, &o->items[i]);
        shown[o->items[i].id] = true;
    }
    cc_json_end(&j);
    cc_json_arr(&j, "accesses");
    for (size_t i = 0; i < p->nobject_accesses; i++)
        if (shown[p->object_accesses[i].object])
            json_access(&j, p, &p->object_accesses[i]);
    cc_json_end(&j);
    cc_json_end(&j);
}

static void print_table(const struct cc_profile *p, const struct cc_objects *o, FILE *out)
{
    static const struct cc_col cols[] = {
        {"share", "SHARE", CC_COL_PERCENT, 1},   {"read", "READ", CC_COL_BYTES, 0},
        {"written", "WRITTEN", CC_COL_BYTES, 0}, {"size", "SIZE", CC_COL_BYTES, 0},
        {"count", "COUNT", CC_COL_INT, 0},       {"peak", "PEAK", CC_COL_BYTES, 0},
        {"kind", "KIND", CC_COL_STR, 0},         {"name", "OBJECT", CC_COL_STR, 0},
        {"type", "TYPE", CC_COL_STR, 0},         {"functions", "FUNCTIONS", CC_COL_INT, 0},
    };
    struct cc_table *t = cc_table_new(cols, CC_COUNT(cols));
    for (size_t i = 0; i < o->n; i++) {
        const struct cc_objects_item *x = &o->items[i];
        const struct cc_pobject *d = &p->objects[x->id];
        if (x->never)
            continue;
        cc_table_row(t);
        cc_table_num(t, o->bytes ? (double)(x->bytes_read + x->bytes_written) / (double)o->bytes : 0);
        cc_table_int(t, (int64_t)x->bytes_read);
        cc_table_int(t, (int64_t)x->bytes_written);
        cc_table_int(t, (int64_t)d->size);
        cc_table_int(t, (int64_t)d->count);
        cc_table_int(t, (int64_t)d->peak);
        cc_table_str(t, cc_storage_names[d->kind]);
        cc_table_str(t, o->names[x->id]);
        cc_table_str(t, d->type ? d->type : "");
        cc_table_int(t, x->functions);
    }
    cc_table_print_text(t, out);
    cc_table_free(t);
}

/* At most 20 names, each with its bytes. */
static void print_list(const struct cc_profile *p, const struct cc_objects *o, bool leaked, FILE *out)
{
    enum { SHOWN = 20 };
    size_t n = 0;
    for (size_t i = 0; i < o->n; i++) {
        const struct cc_objects_item *x = &o->items[i];
        const struct cc_pobject *d = &p->objects[x->id];
        if (leaked ? !x->leaked : !x->never)
            continue;
        char bytes[24];
        if (n++ == 0)
            fputs(leaked ? "\nnot freed at the end:\n" : "\nnever accessed:\n", out);
        if (n > SHOWN)
            continue;
        fprintf(out, "  %-10s ", cc_human_bytes((double)(leaked ? d->live : d->size), bytes));
        cc_text_print_safe(out, o->names[x->id]);
        if (leaked)
            fprintf(out, ", %llu of %llu blocks", (unsigned long long)(d->count - CC_MIN(d->freed, d->count)),
                    (unsigned long long)d->count);
        fputc('\n', out);
    }
    if (n > SHOWN)
        fprintf(out, "  … and %zu more\n", n - SHOWN);
}

static void print_text(const struct cc_profile *p, const struct cc_objects *o, FILE *out)
{
    char a[24];
    cc_view_caveats(p, out);
    for (size_t i = 0; i < o->nlimits; i++)
        fprintf(out, "note: %s\n", o->limits[i]);
    fprintf(out, "%s%s read from and written to data objects\n\n", o->nlimits ? "\n" : "",
            cc_human_bytes((double)o->bytes, a));
    print_table(p, o, out);
    if (o->hidden)
        fprintf(out, "\n%zu more object%s with %s; --min-share 0 shows all\n", o->hidden,
                o->hidden == 1 ? "" : "s", cc_human_bytes((double)o->hidden_bytes, a));
    print_list(p, o, true, out);
    print_list(p, o, false, out);
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

int cc_view_objects(const struct cc_view_request *rq, struct cc_err *err)
{
    struct cc_filter filter = cc_view_filter(rq, 40, 0.001);
    struct cc_objects *o;
    int rc = cc_objects_list(rq->p, &filter, &o, err);
    if (rc < 0)
        return rc;
    if (rq->out && rq->json)
        print_json(rq->p, o, rq->out);
    else if (rq->out)
        print_text(rq->p, o, rq->out);
    if (rq->svg)
        draw(o, rq->svg);
    cc_objects_free(o);
    return 0;
}
