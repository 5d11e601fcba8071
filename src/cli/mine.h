/* What the three verbs of `corecast mine` share. */
#ifndef CC_CLI_MINE_H
#define CC_CLI_MINE_H

#include "../base/opt.h"

struct cc_mine_options {
    struct cc_common common;
    const char *support, *part;
    int64_t threads;
    bool list;
};

/* --support as a share: "65" or "65%". */
int cc_mine_percent(const char *text, double otherwise, double *ret, struct cc_err *err);

#endif
