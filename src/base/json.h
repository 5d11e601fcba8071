/* Writer of one JSON document. `key` is NULL for elements of arrays and for the document itself. */
#ifndef CC_BASE_JSON_H
#define CC_BASE_JSON_H

#include "base.h"

struct cc_json {
    FILE *out;
    unsigned depth;
    bool compact; /* all in one line */
    bool first;   /* nothing written yet in the current object or array */
    char *close;  /* of each open level; freed with the document's end */
    size_t cap;
};

void cc_json_init(struct cc_json *j, FILE *out);
/* Opens the document: an object with `schema` and `version`. */
void cc_json_document(struct cc_json *j, FILE *out, const char *schema, int version);
void cc_json_obj(struct cc_json *j, const char *key);
void cc_json_arr(struct cc_json *j, const char *key);
void cc_json_end(struct cc_json *j); /* closes the innermost; the outermost also ends the line */
void cc_json_str(struct cc_json *j, const char *key, const char *v); /* NULL -> null */
void cc_json_u64(struct cc_json *j, const char *key, uint64_t v);
void cc_json_i64(struct cc_json *j, const char *key, int64_t v);
void cc_json_num(struct cc_json *j, const char *key, double v); /* not finite -> null */
void cc_json_bool(struct cc_json *j, const char *key, bool v);
void cc_json_null(struct cc_json *j, const char *key);
/* A finite number as JSON writes it: the shortest of the usual lengths that reads back the same. */
const char *cc_json_number(double v, char out[static 40]);

#endif
