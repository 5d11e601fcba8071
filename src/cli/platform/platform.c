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

static int show(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    struct options *o = opts;
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one platform");
    struct cc_platform *p;
    int rc = cc_platform_load(operands->v[0], &p, err);
    if (rc < 0)
        return rc;
    for (size_t i = 0; rc == 0 && i < o->set.n; i++)
        rc = cc_platform_override(p, o->set.v[i], err);
    if (rc == 0) {
        struct cc_result *r = cc_result_new("corecast.platform", 1);
        cc_platform_show(p, r);
        rc = cc_output_result(&o->common, r, err);
        cc_result_free(r);
    }
    const char *const *warnings;
    size_t n = cc_platform_warnings(p, &warnings);
    for (size_t i = 0; rc == 0 && i < n; i++)
        cc_note(&o->common, "%s: %s", cc_platform_path(p), warnings[i]);
    cc_platform_free(p);
    return rc;
}

static const struct cc_verb verbs[] = {
    {"show", "what a platform file says, inherits and leaves to defaults", "[OPTIONS] PLATFORM", show},
};

const struct cc_command cc_cmd_platform = {
    .name = "platform",
    .summary = "show what a platform file says, inherits and defaults",
    .options = table,
    .noptions = CC_COUNT(table),
    .size = sizeof(struct options),
    .verbs = verbs,
    .nverbs = CC_COUNT(verbs),
    .results = true,
};
