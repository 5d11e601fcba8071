/* What page/build.mjs makes of page/src: the page before and after its data. */
#ifndef CC_CLI_REPORT_PAGE_BUNDLE_H
#define CC_CLI_REPORT_PAGE_BUNDLE_H

#include <stddef.h>

extern const char cc_page_head[], cc_page_tail[];
extern const size_t cc_page_head_size, cc_page_tail_size;
extern const char cc_page_missing[]; /* why there is none; "": it is there */
/* page/wasm, deflated, as base64: what the page predicts with. */
extern const char cc_page_engine[];
extern const char cc_page_engine_missing[]; /* why there is none; "": it is there */

#endif
