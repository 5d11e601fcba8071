/* corecast salvage: a profile from what a recording left whose tool was killed. */
#include "../command.h"
#include "../output.h"
#include "../../run/folder.h"

#include <unistd.h>

struct options {
    struct cc_common common;
};

static int salvage(const struct options *o, struct cc_folder *f, const struct cc_options *told,
                   struct cc_err *err)
{
    const char *output = o->common.output ? o->common.output : told->output;
    if (!o->common.output && access(output, F_OK) == 0) {
        int rc = cc_err_at(err, CC_EINPUT, output, 0, "is there already");
        cc_err_hint(err, "name another one: -o FILE");
        return rc;
    }
    struct cc_folder_take how = {.told = told, .output = output};
    how.ended = cc_folder_status(f, &how.wait_status);
    how.reason = how.ended ? NULL : "salvaged: corecast was killed while the program ran";
    int rc = cc_folder_take(f, &how, err);
    if (rc < 0) {
        if (!cc_folder_is_whole(f))
            cc_err_hint(err, "it was killed before anything was recorded; the folder is of no use");
        return rc;
    }
    unsigned children = told->follow ? cc_folder_take_children(f, &how) : 0;
    cc_note(&o->common, "%s profile in '%s'", how.reason ? "incomplete" : "whole", output);
    if (children)
        cc_note(&o->common, "%u profiles of its children beside it", children);
    cc_folder_remove(f);
    return 0;
}

static int run(void *opts, const struct cc_strs *operands, struct cc_err *err)
{
    const struct options *o = opts;
    struct cc_folder f;
    struct cc_options told;
    if (operands->n != 1)
        return cc_err_set(err, CC_EUSAGE, "expected one folder, PROFILE.XXXXXX, that a recording left");
    if (o->common.json)
        return cc_err_set(err, CC_EUSAGE, "option '--json': 'salvage' writes a profile");
    int rc = cc_folder_open(operands->v[0], &f, &told, err);
    if (rc < 0)
        return rc;
    rc = salvage(o, &f, &told, err);
    cc_folder_close(&f);
    return rc;
}

const struct cc_command cc_cmd_salvage = {
    .name = "salvage",
    .summary = "make a profile of what a recording left that was killed",
    .synopsis = "[-o PROFILE] FOLDER",
    .size = sizeof(struct options),
    .run = run,
};
