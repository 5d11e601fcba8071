/* corecast mine itemsets|contention|scaling: patterns in access traces, and the miner by itself. */
#include "../command.h"
#include "mine.h"
#include "../../analysis/itemsets/itemsets.h"
#include "../../../trace/traceio.h"

#include <inttypes.h>
#include <math.h>

static const char *const methods[] = {"latency", "windows", NULL};
static const char *const places[] = {"line", "function", "page", "address", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_HEADING, .help = "All"},
    {CC_OPT_STR, 0, "support", "N|PCT%", offsetof(struct cc_mine_options, support),
     "itemsets: transactions a set must occur in, or their share; contention: share of the windows (default "
     "65, with --method "
     "windows 60); scaling: share of the platforms (default 50)"},
    {CC_OPT_INT, 'j', "threads", "N", offsetof(struct cc_mine_options, threads),
     "threads of the miner (default: all cores)", 1, 256},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct cc_mine_options, top),
     "contention, scaling: show at most N patterns (default 10)", 1, 100},
    {CC_OPT_HEADING, .help = "contention"},
    {CC_OPT_CHOICE, 0, "method", "M", offsetof(struct cc_mine_options, method),
     "latency: windows around slow accesses (default); windows: fixed windows", 0, 0, methods},
    {CC_OPT_STR, 0, "window", "CYCLES|auto", offsetof(struct cc_mine_options, window),
     "length of a window (default auto)"},
    {CC_OPT_CHOICE, 0, "item", "WHAT", offsetof(struct cc_mine_options, item),
     "what makes two accesses the same: line (default), function, page, address", 0, 0, places},
    {CC_OPT_NUM, 0, "quantile", "PCT", offsetof(struct cc_mine_options, quantile),
     "latency: slow are latencies from this quantile on (default 75)", 1, 100},
    {CC_OPT_NUM, 0, "explain", "PCT", offsetof(struct cc_mine_options, explain),
     "lower the support, down to 20 %, until patterns explain this share of the contention (default 75; off "
     "with "
     "--support)",
     1, 100},
    {CC_OPT_STR, 0, "min-cpus", "N", offsetof(struct cc_mine_options, min_cpus),
     "windows: an item must be on more than N CPUs of a window (default 2)"},
    {CC_OPT_INT, 0, "latency-bin", "CYCLES", offsetof(struct cc_mine_options, latency_bin),
     "width of a latency bin (default 10)", 1, 1e6},
    {CC_OPT_INT, 0, "latency-max", "CYCLES", offsetof(struct cc_mine_options, latency_max),
     "the last bin starts here (default 250)", 1, 1e9},
    {CC_OPT_FLAG, 0, "bins", NULL, offsetof(struct cc_mine_options, bins),
     "accesses of different latency bins are different items"},
    {CC_OPT_FLAG, 0, "hits", NULL, offsetof(struct cc_mine_options, hits),
     "cache hits and buffered stores take part too"},
    {CC_OPT_STR, 0, "min-lost", "PCT", offsetof(struct cc_mine_options, min_lost),
     "leave out patterns that cost less of all CPU time (default 0.5)"},
    {CC_OPT_STR, 0, "svg", "FILE", offsetof(struct cc_mine_options, svg),
     "contention: draw latency over time with the windows; scaling: draw the clusters"},
    {CC_OPT_HEADING, .help = "scaling"},
    {CC_OPT_STR, 0, "svg-growth", "FILE", offsetof(struct cc_mine_options, svg_growth),
     "draw the growth rate over the number of cores"},
    {CC_OPT_HEADING, .help = "itemsets"},
    {CC_OPT_FLAG, 0, "list", NULL, offsetof(struct cc_mine_options, list),
     "write the sets, not only their number"},
    {CC_OPT_STR, 0, "part", "K/N", offsetof(struct cc_mine_options, part),
     "only the K-th of N parts of the search; the parts add up"},
};

void cc_mine_cpus(struct cc_table *t, const uint16_t *cpus, size_t n)
{
    struct cc_buf b = {0};
    cc_table_list(t);
    for (size_t i = 0; i < n; i++)
        cc_table_u64(t, cpus[i]);
    cc_table_end(t);
    for (size_t i = 0, last; i < n; i = last + 1) {
        for (last = i; last + 1 < n && cpus[last + 1] == cpus[last] + 1;)
            last++;
        cc_buf_printf(&b, "%s%u", i ? "," : "", cpus[i]);
        if (last > i)
            cc_buf_printf(&b, "-%u", cpus[last]);
    }
    cc_table_show(t, "%s", n ? b.s : "varying");
    cc_buf_fini(&b);
}

void cc_mine_pair(struct cc_table *t, uint64_t a, uint64_t b)
{
    cc_table_list(t);
    cc_table_u64(t, a);
    cc_table_u64(t, b);
    cc_table_end(t);
}

void cc_mine_address(struct cc_table *t, uint64_t v)
{
    char text[24];
    snprintf(text, sizeof text, "0x%" PRIx64, v);
    cc_table_str(t, text);
}

void cc_mine_note_partial(const struct cc_mine_options *o, const char *path, const struct cc_trace_reader *r)
{
    CC_CLEANUP(cc_free_ptr) char *partial = cc_traceio_partial(r);
    if (partial)
        cc_note(&o->common, "%s: %s", path, partial);
}

int cc_mine_percent(const char *text, double otherwise, double *ret, struct cc_err *err)
{
    *ret = otherwise;
    if (!text)
        return 0;
    size_t n = strlen(text);
    CC_CLEANUP(cc_free_ptr) char *digits = cc_strndup(text, n && text[n - 1] == '%' ? n - 1 : n);
    if (!cc_parse_f64(digits, ret) || *ret <= 0 || *ret > 100)
        return cc_err_set(err, CC_EUSAGE, "--support wants a share above 0 and up to 100 %%, got '%s'", text);
    *ret /= 100;
    return 0;
}

/* "N", or "P%" of all transactions. */
static int parse_support(const char *text, uint64_t transactions, uint64_t *ret, struct cc_err *err)
{
    if (!text)
        return cc_err_set(err, CC_EUSAGE, "itemsets wants --support N or --support PCT%%");
    if (text[0] && text[strlen(text) - 1] == '%') {
        double share;
        int rc = cc_mine_percent(text, 1, &share, err);
        *ret = (uint64_t)ceil(share * (double)transactions - 1e-9);
        return rc;
    }
    if (!cc_parse_u64(text, ret) || *ret == 0)
        return cc_err_set(err, CC_EUSAGE,
                          "--support wants a number of transactions above 0 or PCT%%, got '%s'", text);
    return 0;
}

static int parse_part(const char *text, struct cc_itemsets_options *ret, struct cc_err *err)
{
    char *slash = text ? strchr(text, '/') : NULL;
    uint64_t k, n;
    if (!text)
        return 0;
    CC_CLEANUP(cc_free_ptr) char *first = slash ? cc_strndup(text, (size_t)(slash - text)) : NULL;
    if (!slash || !cc_parse_u64(first, &k) || !cc_parse_u64(slash + 1, &n) || !k || k > n || n > 65536)
        return cc_err_set(err, CC_EUSAGE, "--part wants K/N with K from 1 to N, got '%s'", text);
    ret->part = (unsigned)k - 1;
    ret->parts = (unsigned)n;
    return 0;
}

/* --list: there may be millions of sets, so each is written as the miner finds it. */
struct listing {
    enum cc_format how;
    struct cc_json j;
    FILE *out;
};

static void list_set(void *arg, const uint32_t *items, size_t n, uint64_t support)
{
    struct listing *l = arg;
    if (l->how == CC_FORMAT_TEXT) { /* as other miners write them */
        for (size_t i = 0; i < n; i++)
            fprintf(l->out, "%" PRIu32 " ", items[i]);
        fprintf(l->out, "(%" PRIu64 ")\n", support);
        return;
    }
    if (l->how == CC_FORMAT_CSV) {
        fprintf(l->out, "%" PRIu64 ",", support);
        for (size_t i = 0; i < n; i++)
            fprintf(l->out, "%s%" PRIu32, i ? ";" : "", items[i]);
        fputc('\n', l->out);
        return;
    }
    cc_json_obj(&l->j, NULL);
    cc_json_u64(&l->j, "support", support);
    cc_json_arr(&l->j, "items");
    for (size_t i = 0; i < n; i++)
        cc_json_u64(&l->j, NULL, items[i]);
    cc_json_end(&l->j);
    cc_json_end(&l->j);
}

static int list_itemsets(const struct cc_mine_options *o, const struct cc_itemsets_db *db,
                         const struct cc_itemsets_options *how, FILE *out, struct cc_err *err)
{
    struct cc_itemsets_result found;
    struct listing l = {.how = cc_output_format(&o->common), .out = out};
    if (l.how == CC_FORMAT_JSON) {
        cc_json_document(&l.j, out, "corecast.itemsets", 1);
        cc_json_u64(&l.j, "transactions", cc_itemsets_db_transactions(db));
        cc_json_u64(&l.j, "items", cc_itemsets_db_items(db));
        cc_json_u64(&l.j, "minimum_support", how->min_support);
        cc_json_arr(&l.j, "itemsets");
    } else if (l.how == CC_FORMAT_CSV) {
        fputs("support,items\n", out);
    }
    int rc = cc_itemsets_mine(db, how, list_set, &l, &found, err);
    if (rc < 0 || l.how != CC_FORMAT_JSON)
        return rc;
    cc_json_end(&l.j);
    cc_json_u64(&l.j, "frequent_items", found.frequent);
    cc_json_u64(&l.j, "longest", found.longest);
    cc_json_u64(&l.j, "closed", found.closed);
    cc_json_end(&l.j);
    return 0;
}

static int write_list(const struct cc_mine_options *o, const struct cc_itemsets_db *db,
                      const struct cc_itemsets_options *how, struct cc_err *err)
{
    struct cc_outfile out = {0};
    int rc = cc_output_open(&out, &o->common, err);
    if (rc < 0)
        return rc;
    rc = list_itemsets(o, db, how, out.f, err);
    if (rc == 0)
        return cc_outfile_commit(&out, err);
    cc_outfile_abort(&out);
    return rc;
}

static int count_itemsets(const struct cc_mine_options *o, const struct cc_itemsets_db *db,
                          const struct cc_itemsets_options *how, struct cc_err *err)
{
    struct cc_itemsets_result found;
    int rc = cc_itemsets_mine(db, how, NULL, NULL, &found, err);
    if (rc < 0)
        return rc;
    struct cc_result *r = cc_result_new("corecast.itemsets", 1);
    cc_result_u64(r, "transactions", cc_itemsets_db_transactions(db));
    cc_result_u64(r, "items", cc_itemsets_db_items(db));
    cc_result_u64(r, "minimum_support", how->min_support);
    cc_result_u64(r, "frequent_items", found.frequent);
    cc_result_u64(r, "longest", found.longest);
    cc_result_u64(r, "closed", found.closed);
    cc_result_note(r, "%" PRIu64 " transactions, %zu items, %zu of them in at least %" PRIu64 " transactions",
                   cc_itemsets_db_transactions(db), cc_itemsets_db_items(db), found.frequent,
                   how->min_support);
    cc_result_note(r, "%" PRIu64 " closed frequent itemsets, the longest with %zu items", found.closed,
                   found.longest);
    rc = cc_output_result(&o->common, r, err);
    cc_result_free(r);
    return rc;
}

static int run_itemsets(const struct cc_mine_options *o, const struct cc_strs *files, struct cc_err *err)
{
    if (files->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected 'mine itemsets FILE'");
    struct cc_itemsets_options how = {.threads = (unsigned)o->threads};
    struct cc_itemsets_db *db;
    int rc = parse_part(o->part, &how, err);
    if (rc == 0 && !o->support)
        rc = parse_support(NULL, 0, &how.min_support, err);
    if (rc < 0 || (rc = cc_itemsets_db_load(files->v[0], &db, err)) < 0)
        return rc;
    rc = parse_support(o->support, cc_itemsets_db_transactions(db), &how.min_support, err);
    if (rc == 0)
        rc = o->list ? write_list(o, db, &how, err) : count_itemsets(o, db, &how, err);
    cc_itemsets_db_free(db);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    static const struct {
        const char *name;
        int (*run)(const struct cc_mine_options *o, const struct cc_strs *files, struct cc_err *err);
    } verbs[] = {
        {"contention", cc_mine_contention}, {"scaling", cc_mine_scaling}, {"itemsets", run_itemsets}};
    if (operands->n == 0)
        return cc_err_set(err, CC_EUSAGE, "expected 'mine contention|scaling|itemsets FILE…'");
    for (size_t i = 0; i < CC_COUNT(verbs); i++) {
        struct cc_strs files = {.v = operands->v + 1, .n = operands->n - 1};
        if (strcmp(operands->v[0], verbs[i].name) == 0)
            return verbs[i].run(opts, &files, err);
    }
    return cc_err_set(err, CC_EUSAGE, "'%s' is none of contention, scaling, itemsets", operands->v[0]);
}

const struct cc_command cc_cmd_mine = {
    .name = "mine",
    .summary = "find contention, scalability bottlenecks and frequent itemsets",
    .synopsis = "contention|scaling|itemsets [OPTIONS] FILE…",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct cc_mine_options),
    .results = true,
    .run = run,
};
