#include "export.h"

const struct cc_export cc_exports[] = {
#define CC_EXPORT(name) {#name, cc_export_##name},
#include "exports.def"
#undef CC_EXPORT
};

const char *const cc_export_names[] = {
#define CC_EXPORT(name) #name,
#include "exports.def"
#undef CC_EXPORT
    NULL,
};
