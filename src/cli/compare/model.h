/* `corecast compare --model SET`. */
#ifndef CC_CLI_COMPARE_MODEL_H
#define CC_CLI_COMPARE_MODEL_H

#include "../output.h"
#include "../../analysis/growth/models.h"
#include "../../analysis/growth/relate.h"

struct cc_model_request {
    const char *set;      /* a set, or a recording with frames */
    const char *controls; /* of the frames; NULL: none */
    const char *at;       /* "NAME=VALUE,…": also figures for values never run; NULL: no */
    const char
        *focus; /* the stream or function variables are related to; NULL: the heaviest stream that varies */
    double coverage;
    int only;
    size_t top;
    bool check;
    const char *svg, *runs_svg; /* NULL: none */
};

int cc_model_show(const struct cc_common *common, const struct cc_model_request *rq, struct cc_err *err);

#endif
