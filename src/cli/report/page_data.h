/* Results as the report page reads them: JSON in which tables stay tables, so that the page knows each
 * column's unit and meaning, and every name is written once. page/README.md describes it. */
#ifndef CC_CLI_REPORT_PAGE_DATA_H
#define CC_CLI_REPORT_PAGE_DATA_H

#include "../../base/arena.h"
#include "../../base/map.h"
#include "../../base/result.h"

enum { CC_PAGE_MAX_ROWS = 50000 }; /* of one table; what is beyond is counted */

struct cc_page_data {
    struct cc_json json;
    struct cc_strmap ids; /* of strings, in the order of their first use */
    CC_VEC(const char *) strings;
    struct cc_arena arena;
};

void cc_page_data_init(struct cc_page_data *d, FILE *out); /* opens the document */
/* A result as one object. `without`: a table of the document that is left out, because others hold the same;
 * NULL: none. */
void cc_page_data_result(struct cc_page_data *d, const char *key, const struct cc_result *r,
                         const char *without);
/* A string's number. */
void cc_page_data_name(struct cc_page_data *d, const char *key, const char *s);
void cc_page_data_fini(struct cc_page_data *d); /* writes the strings and closes the document */

#endif
