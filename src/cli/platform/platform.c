/* corecast platform show P: what a platform file says, inherits and leaves to defaults. */
#include "../command.h"
#include "../output.h"
#include "../../platform/platform.h"

struct options {
    struct cc_common common;
    struct cc_strs set;
};

static const struct cc_opt table[] = {
    {CC_OPT_LIST, 0, "set", "KEY=VALUE", offsetof(struct options, set), "override a value, as predict does"},
};

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    if (operands->n != 2 || strcmp(operands->v[0], "show") != 0)
        return cc_err_set(err, CC_EUSAGE, "expected 'platform show PLATFORM'");
    struct cc_platform *p;
    int rc = cc_platform_load(operands->v[1], &p, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; rc == 0 && i < o->set.n; i++)
        rc = cc_platform_override(p, o->set.v[i], err);
    struct cc_outfile out = {0};
    if (rc == 0)
        rc = cc_output_open(&out, &o->common, err);
    if (rc == 0) {
        struct cc_table *t = cc_platform_table(p);
        if (o->common.json) {
            struct cc_json j;
            cc_json_document(&j, out.f, "corecast.platform", 1);
            cc_json_str(&j, "path", cc_platform_path(p));
            cc_table_print_json(t, &j, "values");
            cc_json_end(&j);
        } else {
            cc_table_print_text(t, out.f);
        }
        cc_table_free(t);
        rc = cc_outfile_commit(&out, err);
    }
    const char *const *warnings;
    size_t n = cc_platform_warnings(p, &warnings);
    for (size_t i = 0; rc == 0 && i < n; i++)
        cc_note(&o->common, "%s: %s", cc_platform_path(p), warnings[i]);
    cc_platform_free(p);
    cc_strs_fini(&o->set);
    return rc;
}

const struct cc_command cc_cmd_platform = {
    .name = "platform",
    .summary = "show what a platform file says, inherits and defaults",
    .synopsis = "show [OPTIONS] PLATFORM",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .run = run,
};
