/* corecast mine itemsets|contention|scaling: patterns in access traces, and the miner by itself. */
#include "command.h"
#include "mine.h"
#include "output.h"
#include "../analysis/itemsets/itemsets.h"
#include "../base/json.h"

#include <inttypes.h>
#include <math.h>

static const struct cc_opt table[] = {
    {CC_OPT_HEADING, .help = "All"},
    {CC_OPT_STR, 0, "support", "N|PCT%", offsetof(struct cc_mine_options, support),
     "itemsets: transactions a set must occur in, or their share; contention and scaling: share of windows "
     "or platforms in percent"},
    {CC_OPT_INT, 'j', "threads", "N", offsetof(struct cc_mine_options, threads),
     "threads of the miner (default: all cores)", 1, 256},
    {CC_OPT_HEADING, .help = "itemsets"},
    {CC_OPT_FLAG, 0, "list", NULL, offsetof(struct cc_mine_options, list),
     "write the sets, not only their number"},
    {CC_OPT_STR, 0, "part", "K/N", offsetof(struct cc_mine_options, part),
     "only the K-th of N parts of the search; the parts add up"},
};

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

struct listing {
    bool json;
    struct cc_json *j;
    FILE *out;
};

static void list_set(void *arg, const uint32_t *items, size_t n, uint64_t support)
{
    struct listing *l = arg;
    if (!l->json) {
        for (size_t i = 0; i < n; i++)
            fprintf(l->out, "%" PRIu32 " ", items[i]);
        fprintf(l->out, "(%" PRIu64 ")\n", support);
        return;
    }
    cc_json_obj(l->j, NULL);
    cc_json_u64(l->j, "support", support);
    cc_json_arr(l->j, "items");
    for (size_t i = 0; i < n; i++)
        cc_json_u64(l->j, NULL, items[i]);
    cc_json_end(l->j);
    cc_json_end(l->j);
}

static int write_itemsets(const struct cc_mine_options *o, const struct cc_itemsets_db *db,
                          const struct cc_itemsets_options *how, FILE *out, struct cc_err *err)
{
    struct cc_json j;
    struct cc_itemsets_result r;
    struct listing l = {.json = o->common.json, .j = &j, .out = out};
    if (o->common.json) {
        cc_json_document(&j, out, "corecast.itemsets", 1);
        cc_json_u64(&j, "transactions", cc_itemsets_db_transactions(db));
        cc_json_u64(&j, "items", cc_itemsets_db_items(db));
        cc_json_u64(&j, "minimum_support", how->min_support);
        if (o->list)
            cc_json_arr(&j, "itemsets");
    }
    int rc = cc_itemsets_mine(db, how, o->list ? list_set : NULL, &l, &r, err);
    if (rc < 0)
        return rc;
    if (o->common.json) {
        if (o->list)
            cc_json_end(&j);
        cc_json_u64(&j, "frequent_items", r.frequent);
        cc_json_u64(&j, "longest", r.longest);
        cc_json_u64(&j, "closed", r.closed);
        cc_json_end(&j);
    } else if (!o->list) {
        fprintf(out,
                "%" PRIu64 " transactions, %zu items, %zu of them in at least %" PRIu64 " transactions\n",
                cc_itemsets_db_transactions(db), cc_itemsets_db_items(db), r.frequent, how->min_support);
        fprintf(out, "%" PRIu64 " closed frequent itemsets, the longest with %zu items\n", r.closed,
                r.longest);
    }
    return 0;
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
    struct cc_outfile out = {0};
    rc = parse_support(o->support, cc_itemsets_db_transactions(db), &how.min_support, err);
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        rc = write_itemsets(o, db, &how, out.f, err);
        if (rc == 0)
            rc = cc_outfile_commit(&out, err);
        else
            cc_outfile_abort(&out);
    }
    cc_itemsets_db_free(db);
    return rc;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    static const struct {
        const char *name;
        int (*run)(const struct cc_mine_options *o, const struct cc_strs *files, struct cc_err *err);
    } verbs[] = {{"itemsets", run_itemsets}};
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
    .run = run,
};
