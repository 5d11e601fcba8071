/* Files: whole reads with a bound, and outputs that replace an existing file only when they are whole. */
#ifndef CC_BASE_FILE_H
#define CC_BASE_FILE_H

#include "err.h"

/* Opens a file to be read: regular, or a pipe that is open already ("-" is standard input; /dev/stdin,
 * /dev/fd/N). A named pipe could keep us waiting for ever, a device never end: refused. */
int cc_file_open(const char *path, struct cc_err *err); /* a descriptor, or negative */
int cc_file_open_stream(const char *path, FILE **ret, struct cc_err *err);

/* Reads a whole regular file (or pipe) of at most `max` bytes; the result is NUL-terminated and owned. */
int cc_file_read(const char *path, size_t max, char **ret_data, size_t *ret_size, struct cc_err *err);

/* What tells one content from another: 63 bits of a hash. */
uint64_t cc_file_mark(const char *data, size_t size);

/* Writes aside, then fsync and rename. "-" is standard output, which is written straight through. */
struct cc_outfile {
    FILE *f;
    char *path, *aside;
};
int cc_outfile_open(struct cc_outfile *o, const char *path, struct cc_err *err);
int cc_outfile_commit(struct cc_outfile *o,
                      struct cc_err *err);   /* closes; on failure the old file is untouched */
void cc_outfile_abort(struct cc_outfile *o); /* legal after commit */

#endif
