#include "cmd_area.h"
int cc_area_calibrate(struct cc_area_options *o, const struct cc_strs *operands, struct cc_err *err)
{
    (void)o;
    (void)operands;
    return cc_err_set(err, CC_EUSAGE, "todo");
}
int cc_area_estimate(struct cc_area_options *o, const struct cc_strs *operands, struct cc_err *err)
{
    (void)o;
    (void)operands;
    return cc_err_set(err, CC_EUSAGE, "todo");
}
int cc_area_model_show(struct cc_area_options *o, const struct cc_strs *operands, struct cc_err *err)
{
    (void)o;
    (void)operands;
    return cc_err_set(err, CC_EUSAGE, "todo");
}
