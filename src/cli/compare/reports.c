/* Conditions as SARIF 2.1.0 and as JUnit XML, which CI servers read. */
#include "compare.h"
#include "../../base/json.h"

static size_t count_of(const struct cc_verdicts *v, size_t condition)
{
    size_t n = 0;
    for (size_t i = 0; i < v->broken.n; i++)
        n += v->broken.v[i].condition == &v->conditions[condition];
    return n;
}

static void put_rule(struct cc_json *j, const struct cc_condition *c, size_t i)
{
    CC_CLEANUP(cc_free_ptr) char *id = cc_asprintf("condition-%zu", i + 1);
    cc_json_obj(j, NULL);
    cc_json_str(j, "id", id);
    cc_json_obj(j, "shortDescription");
    cc_json_str(j, "text", c->text);
    cc_json_end(j);
    cc_json_end(j);
}

static void put_place(struct cc_json *j, const struct cc_subject *x)
{
    if (!x || !x->file)
        return;
    cc_json_arr(j, "locations");
    cc_json_obj(j, NULL);
    cc_json_obj(j, "physicalLocation");
    cc_json_obj(j, "artifactLocation");
    cc_json_str(j, "uri", x->file);
    cc_json_end(j);
    cc_json_obj(j, "region");
    cc_json_u64(j, "startLine", CC_MAX(1u, x->line));
    cc_json_end(j);
    cc_json_end(j);
    cc_json_end(j);
    cc_json_end(j);
}

static void put_finding(struct cc_json *j, const struct cc_broken *b, size_t rule)
{
    CC_CLEANUP(cc_free_ptr) char *id = cc_asprintf("condition-%zu", rule + 1);
    CC_CLEANUP(cc_free_ptr) char *sentence = cc_compare_sentence(b);
    cc_json_obj(j, NULL);
    cc_json_str(j, "ruleId", id);
    cc_json_u64(j, "ruleIndex", rule);
    cc_json_str(j, "level", "error");
    cc_json_obj(j, "message");
    cc_json_str(j, "text", sentence);
    cc_json_end(j);
    put_place(j, b->d->b ? b->d->b : b->d->a);
    cc_json_end(j);
}

int cc_compare_sarif(const struct cc_verdicts *v, const char *path, struct cc_err *err)
{
    struct cc_outfile out;
    int rc = cc_outfile_open(&out, path, err);
    if (rc < 0)
        return rc;
    struct cc_json j;
    cc_json_init(&j, out.f);
    cc_json_obj(&j, NULL);
    cc_json_str(&j, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    cc_json_str(&j, "version", "2.1.0");
    cc_json_arr(&j, "runs");
    cc_json_obj(&j, NULL);
    cc_json_obj(&j, "tool");
    cc_json_obj(&j, "driver");
    cc_json_str(&j, "name", "corecast compare");
    cc_json_arr(&j, "rules");
    for (size_t i = 0; i < v->nconditions; i++)
        put_rule(&j, &v->conditions[i], i);
    cc_json_end(&j);
    cc_json_end(&j);
    cc_json_end(&j);
    cc_json_arr(&j, "results");
    for (size_t i = 0; i < v->broken.n; i++)
        put_finding(&j, &v->broken.v[i], (size_t)(v->broken.v[i].condition - v->conditions));
    for (int depth = 0; depth < 4; depth++)
        cc_json_end(&j);
    return cc_outfile_commit(&out, err);
}

/* A test case a condition; its failure lists what broke it. */
static void put_case(const struct cc_verdicts *v, size_t i, struct cc_buf *b)
{
    enum { MOST = 100 };
    size_t n = count_of(v, i), said = 0;
    cc_buf_puts(b, "  <testcase classname=\"corecast.compare\" name=\"");
    cc_text_xml(b, v->conditions[i].text);
    if (n == 0) {
        cc_buf_puts(b, "\"/>\n");
        return;
    }
    cc_buf_printf(b, "\">\n    <failure message=\"%zu\">", n);
    for (size_t k = 0; k < v->broken.n; k++) {
        if (v->broken.v[k].condition != &v->conditions[i] || said++ >= MOST)
            continue;
        CC_CLEANUP(cc_free_ptr) char *sentence = cc_compare_sentence(&v->broken.v[k]);
        cc_text_xml(b, sentence);
        cc_buf_puts(b, "\n");
    }
    if (n > MOST)
        cc_buf_printf(b, "and %zu more\n", n - MOST);
    cc_buf_puts(b, "</failure>\n  </testcase>\n");
}

int cc_compare_junit(const struct cc_verdicts *v, const char *path, struct cc_err *err)
{
    struct cc_buf b = {0};
    size_t failures = 0;
    for (size_t i = 0; i < v->nconditions; i++)
        failures += count_of(v, i) > 0;
    cc_buf_puts(&b, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
    cc_buf_printf(
        &b,
        "<testsuite name=\"corecast compare\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" skipped=\"0\">\n",
        v->nconditions, failures);
    for (size_t i = 0; i < v->nconditions; i++)
        put_case(v, i, &b);
    cc_buf_puts(&b, "</testsuite>\n");
    int rc = cc_output_file(path, &b, err);
    cc_buf_fini(&b);
    return rc;
}
