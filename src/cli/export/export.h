/* Profiles in the formats of other tools. Each exporter is a file export_<name>.c and a line in exports.def.
 */
#ifndef CC_CLI_EXPORT_EXPORT_H
#define CC_CLI_EXPORT_EXPORT_H

#include "../../analysis/loops/own.h"
#include "../../base/text.h"
#include "../../profile/names.h"

enum cc_export_table { CC_TABLE_STREAMS, CC_TABLE_FUNCTIONS, CC_TABLE_CONTEXTS, CC_TABLE_CALLS };

struct cc_export_request {
    const struct cc_profile *p;
    enum cc_level by;           /* dot, graphml and the streams of csv */
    enum cc_export_table table; /* csv */
    FILE *out;
    struct cc_filter filter;         /* of the streams in dot, graphml and csv */
    const struct cc_loop_own *loops; /* of callgrind, collapsed and speedscope; NULL: loops are no frames */
};

/* "loop main.c:12". */
void cc_export_loop_name(const struct cc_loop_path *x, struct cc_buf *ret);
/* What each context executed itself, apart for each of its loops if these are frames. Free the array. */
size_t cc_export_shares(const struct cc_export_request *rq, struct cc_loop_share **ret);

struct cc_export {
    const char *name;
    int (*run)(const struct cc_export_request *rq, struct cc_err *err);
};

extern const struct cc_export cc_exports[];
extern const char *const cc_export_names[]; /* NULL-terminated, in the order of cc_exports */

#define CC_EXPORT(name) int cc_export_##name(const struct cc_export_request *rq, struct cc_err *err);
#include "exports.def"
#undef CC_EXPORT

#endif
