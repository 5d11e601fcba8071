/* The report page: one HTML file with everything the views say of some profiles. */
#ifndef CC_CLI_REPORT_PAGE_H
#define CC_CLI_REPORT_PAGE_H

#include "../../base/opt.h"

struct cc_page_request {
    const struct cc_strs *profiles; /* paths */
    const char *out;
    const char *open;   /* the view it opens at; NULL: its start */
    const char *source; /* the folder source files are in; NULL: where they were compiled */
    bool no_source;
    const char *platform;            /* plans and predictions for it; NULL: none */
    const struct cc_strs *scenarios; /* predictions of these */
    const struct cc_strs
        *traces; /* of simulations, NULL: none; several: of one program on more and more cores */
};

int cc_page_write(const struct cc_page_request *rq, struct cc_err *err);

#endif
