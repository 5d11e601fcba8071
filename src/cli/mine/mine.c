/* corecast mine itemsets|contention|scaling: patterns in access traces, and the miner by itself. */
#include "../command.h"
#include "mine.h"
#include "../../analysis/itemsets/itemsets.h"
#include "../../../trace/stats.h"

#include <inttypes.h>
#include <math.h>

enum { CONTENTION = 1, SCALING = 2, ITEMSETS = 4 };

static const char *const methods[] = {"latency", "windows", NULL};
static const char *const places[] = {"line", "function", "page", "address", "object", "path", "loop", NULL};

static const struct cc_opt table[] = {
    {CC_OPT_INT, 'j', "threads", "N", offsetof(struct cc_mine_options, threads),
     "threads of the miner (default: all cores)", 1, 256},
    {CC_OPT_INT, 0, "top", "N", offsetof(struct cc_mine_options, top), "show at most N patterns (default 10)",
     1, 100, .of = CONTENTION | SCALING},
    {CC_OPT_HEADING, .help = "Options of contention"},
    {CC_OPT_PERCENT, 0, "support", "PCT", offsetof(struct cc_mine_options, support),
     "share of the windows that must hold a pattern (default 65, with --method windows 60)", 1e-6, 100,
     .of = CONTENTION},
    {CC_OPT_CHOICE, 0, "method", "M", offsetof(struct cc_mine_options, method),
     "latency: windows around slow accesses (default); windows: fixed windows", 0, 0, methods,
     .of = CONTENTION},
    {CC_OPT_STR, 0, "window", "CYCLES|auto", offsetof(struct cc_mine_options, window),
     "length of a window (default auto)", .of = CONTENTION},
    {CC_OPT_CHOICE, 0, "item", "WHAT", offsetof(struct cc_mine_options, item),
     "what makes two accesses the same: line (default), function, page, address, object, path (of calls), "
     "loop",
     0, 0, places, .of = CONTENTION},
    {CC_OPT_PERCENT, 0, "quantile", "PCT", offsetof(struct cc_mine_options, quantile),
     "latency: slow are latencies from this quantile on (default 75)", 1, 100, .of = CONTENTION},
    {CC_OPT_PERCENT, 0, "explain", "PCT", offsetof(struct cc_mine_options, explain),
     "lower the support, down to 20 %, until patterns explain this share of the contention (default 75; off "
     "with "
     "--support)",
     1, 100, .of = CONTENTION},
    {CC_OPT_INT, 0, "min-cpus", "N", offsetof(struct cc_mine_options, min_cpus),
     "windows: an item must be on more than N CPUs of a window (default 2)", 0, CC_TRACE_MAX_CPUS,
     .of = CONTENTION},
    {CC_OPT_INT, 0, "latency-bin", "CYCLES", offsetof(struct cc_mine_options, latency_bin),
     "width of a latency bin (default 10)", 1, 1e6, .of = CONTENTION},
    {CC_OPT_INT, 0, "latency-max", "CYCLES", offsetof(struct cc_mine_options, latency_max),
     "the last bin starts here (default 250)", 1, 1e9, .of = CONTENTION},
    {CC_OPT_FLAG, 0, "bins", NULL, offsetof(struct cc_mine_options, bins),
     "accesses of different latency bins are different items", .of = CONTENTION},
    {CC_OPT_FLAG, 0, "hits", NULL, offsetof(struct cc_mine_options, hits),
     "cache hits and buffered stores take part too", .of = CONTENTION},
    {CC_OPT_PERCENT, 0, "min-lost", "PCT", offsetof(struct cc_mine_options, min_lost),
     "leave out patterns that cost less of all CPU time (default 0.5)", .of = CONTENTION},
    {CC_OPT_OUT, 0, "svg", "FILE", offsetof(struct cc_mine_options, svg),
     "draw latency over time with the windows", .of = CONTENTION},
    {CC_OPT_OUT, 0, "svg-causes", "FILE", offsetof(struct cc_mine_options, svg_causes),
     "draw what cores lose over time, by cause", .of = CONTENTION},
    {CC_OPT_OUT, 0, "svg-lines", "FILE", offsetof(struct cc_mine_options, svg_lines),
     "draw what cores lose at which cache lines", .of = CONTENTION},
    {CC_OPT_OUT, 0, "svg-instructions", "FILE", offsetof(struct cc_mine_options, svg_instructions),
     "draw in how many windows each instruction is", .of = CONTENTION},
    {CC_OPT_OUT, 0, "svg-cpus", "FILE", offsetof(struct cc_mine_options, svg_cpus),
     "draw what functions each CPU spends its time in", .of = CONTENTION},
    {CC_OPT_OUT, 0, "svg-period", "FILE", offsetof(struct cc_mine_options, svg_period),
     "draw how long after each other an instruction is executed", .of = CONTENTION},
    {CC_OPT_STR, 0, "pc", "ADDRESS", offsetof(struct cc_mine_options, pc),
     "of --svg-period: its address (default: the one that takes longest in all)", .of = CONTENTION},
    {CC_OPT_HEADING, .help = "Options of scaling"},
    {CC_OPT_PERCENT, 0, "support", "PCT", offsetof(struct cc_mine_options, platforms),
     "share of the platforms on which addresses must be hot together (default 50)", 1e-6, 100, .of = SCALING},
    {CC_OPT_OUT, 0, "svg", "FILE", offsetof(struct cc_mine_options, svg_clusters), "draw the clusters",
     .of = SCALING},
    {CC_OPT_OUT, 0, "svg-growth", "FILE", offsetof(struct cc_mine_options, svg_growth),
     "draw the growth rate over the number of cores", .of = SCALING},
    {CC_OPT_OUT, 0, "svg-stack", "FILE", offsetof(struct cc_mine_options, svg_stack),
     "draw the speed-up stacks", .of = SCALING},
    {CC_OPT_HEADING, .help = "Options of itemsets"},
    {CC_OPT_STR, 0, "support", "N|PCT%", offsetof(struct cc_mine_options, transactions),
     "transactions a set must occur in, or their share", .of = ITEMSETS},
    {CC_OPT_FLAG, 0, "list", NULL, offsetof(struct cc_mine_options, list),
     "write the sets, not only their number", .of = ITEMSETS},
    {CC_OPT_STR, 0, "part", "K/N", offsetof(struct cc_mine_options, part),
     "only the K-th of N parts of the search; the parts add up", .of = ITEMSETS},
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
    CC_CLEANUP(cc_free_ptr) char *partial = cc_trace_partial(r);
    if (partial)
        cc_note(&o->common, "%s: %s", path, partial);
}

/* "N", or "P%" of all transactions. */
static int parse_support(const char *text, uint64_t transactions, uint64_t *ret, struct cc_err *err)
{
    double share;
    if (!strchr(text, '%')) {
        if (!cc_parse_u64(text, ret) || *ret == 0)
            return cc_err_set(err, CC_EUSAGE,
                              "--support wants a number of transactions above 0 or PCT%%, got '%s'", text);
        return 0;
    }
    if (!cc_parse_percent(text, &share) || share <= 0 || share > 1)
        return cc_err_set(err, CC_EUSAGE, "--support wants a share above 0 and up to 100 %%, got '%s'", text);
    *ret = (uint64_t)ceil(share * (double)transactions - 1e-9);
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

static void note_threads(const struct cc_mine_options *o, const struct cc_itemsets_result *found)
{
    if (found->missing)
        cc_note(&o->common, "%u threads could not be started: this took longer", found->missing);
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
                          const struct cc_itemsets_options *how, struct cc_progress *progress,
                          struct cc_err *err)
{
    struct cc_itemsets_result found;
    int rc = cc_itemsets_mine(db, how, NULL, NULL, &found, err);
    cc_progress_end(progress);
    if (rc < 0)
        return rc;
    note_threads(o, &found);
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

static int itemsets(void *options, const struct cc_strs *files, struct cc_err *err)
{
    const struct cc_mine_options *o = options;
    if (files->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected 'mine itemsets FILE'");
    if (!o->transactions)
        return cc_err_set(err, CC_EUSAGE, "itemsets wants --support N or --support PCT%%");
    struct cc_progress progress = {.what = "mining", .unit = "branches"};
    struct cc_itemsets_options how = {.threads = (unsigned)o->threads, .count = &progress.count};
    struct cc_itemsets_db *db;
    int rc = parse_part(o->part, &how, err);
    if (rc < 0 || (rc = cc_itemsets_db_load(files->v[0], how.threads, &db, err)) < 0)
        return rc;
    rc = parse_support(o->transactions, cc_itemsets_db_transactions(db), &how.min_support, err);
    bool shown = rc == 0 && (!o->list || o->common.output); /* else sets are written meanwhile */
    if (shown)
        cc_output_progress(&o->common, &progress);
    if (rc == 0)
        rc = o->list ? write_list(o, db, &how, err) : count_itemsets(o, db, &how, &progress, err);
    cc_progress_end(&progress);
    cc_itemsets_db_free(db);
    return rc;
}

/* In the order of the bits above. */
static const struct cc_verb verbs[] = {
    {"contention", "what goes on when memory gets slow", "[OPTIONS] TRACE", cc_mine_contention},
    {"scaling", "addresses that take more of the time as cores are added", "[OPTIONS] TRACE TRACE…",
     cc_mine_scaling},
    {"itemsets", "closed frequent itemsets of a file with a transaction a line",
     "--support N|PCT% [OPTIONS] FILE", itemsets},
};

const struct cc_command cc_cmd_mine = {
    .name = "mine",
    .summary = "find contention, scalability bottlenecks and frequent itemsets",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct cc_mine_options),
    .results = true,
    .verbs = verbs,
    .nverbs = CC_COUNT(verbs),
};
