/* Reading an engine's record file (collect/record.h), one record at a time. Nothing in the file is trusted.
 */
#ifndef CC_PROFILE_RECORDS_H
#define CC_PROFILE_RECORDS_H

#include "../../collect/record.h"
#include "../base/err.h"

struct cc_records {
    const char *path;
    FILE *f;
    unsigned char *ahead; /* what was read of it and not looked at: from `at` to `filled` */
    size_t at, filled;
    struct cc_rec_head head;
    /* The present record: its fixed struct, then its strings; 8-byte aligned. */
    unsigned char *body;
    uint64_t read; /* records so far */
};

/* Opens a file and checks the magic. The path is borrowed. */
int cc_records_open(struct cc_records *r, const char *path, struct cc_err *err);
void cc_records_close(struct cc_records *r);
/* 1 a record of a known tag with its whole fixed struct, 0 after CC_REC_END at the very end of the file,
 * negative with err. */
int cc_records_next(struct cc_records *r, struct cc_err *err);
/* Goes through the whole file: negative if it is not one whole snapshot. */
int cc_records_check(const char *path, struct cc_rec_run *ret_run, struct cc_err *err);

/* The run, which stands at the begin of a file that may still be written; false: it is not there yet, or this
 * is no such file. Allocates nothing. */
bool cc_records_run(const char *path, struct cc_rec_run *ret);
/* How many instructions had run by then; 0: not known. */
uint64_t cc_records_instructions(const char *path);

/* The string of `size` bytes at `at` bytes after the fixed struct; NULL if the record is too short for it or
 * it holds a NUL. Not terminated. */
const char *cc_records_text(const struct cc_records *r, uint64_t at, uint32_t size);

#endif
