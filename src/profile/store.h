/* A .cast file: one SQLite database with the schema of docs/format/profile.md, plus big arrays as checksummed
 * zstd chunks, and a hash of the whole file behind it. A new store is written aside and takes its name only
 * when it is whole; a read store is verified before anything is believed: the hash must match, and its schema
 * must be ours to the letter. */
#ifndef CC_PROFILE_STORE_H
#define CC_PROFILE_STORE_H

#include "../base/err.h"

struct cc_store;
struct sqlite3;
struct sqlite3_stmt;

enum { CC_STORE_VERSION = 4, CC_STORE_MAX_CHUNK = 64 << 20 };

int cc_store_create(const char *path, struct cc_store **ret, struct cc_err *err);
int cc_store_open(const char *path, struct cc_store **ret, struct cc_err *err);
/* Whether the file begins as a profile of any version does; whether it is whole, cc_store_open tells. */
bool cc_store_is_profile(const char *path);
/* For tests: the commit does not wait for the disk; a power cut may leave an empty file. */
void cc_store_skip_sync(struct cc_store *s);
/* Seals a created store: hash, fsync, rename over `path`. Frees it, whatever the result. */
int cc_store_commit(struct cc_store *s, struct cc_err *err);
void cc_store_free(struct cc_store *s); /* a created store that was not committed leaves nothing behind */
const char *cc_store_path(const struct cc_store *s);

/* Facts about the run. A NULL value is stored as absent. */
int cc_store_set(struct cc_store *s, const char *key, const char *value, struct cc_err *err);
int cc_store_set_u64(struct cc_store *s, const char *key, uint64_t value, struct cc_err *err);
char *cc_store_get(struct cc_store *s, const char *key); /* owned; NULL if absent */
bool cc_store_get_u64(struct cc_store *s, const char *key, uint64_t *ret);

/* Big arrays: chunk `seq` (0, 1, …) of a named stream, at most CC_STORE_MAX_CHUNK bytes each. */
int cc_store_put_chunk(struct cc_store *s, const char *stream, uint64_t seq, const void *data, size_t size,
                       struct cc_err *err);
int cc_store_get_chunk(struct cc_store *s, const char *stream, uint64_t seq, void **ret_data,
                       size_t *ret_size, struct cc_err *err);
uint64_t cc_store_chunks(struct cc_store *s, const char *stream); /* how many chunks the stream has */

/* For src/profile only: statements on the tables. step: 1 a row, 0 done, negative with err. */
int cc_store_prepare(struct cc_store *s, const char *sql, struct sqlite3_stmt **ret, struct cc_err *err);
int cc_store_step(struct cc_store *s, struct sqlite3_stmt *st, struct cc_err *err);
int cc_store_exec(struct cc_store *s, const char *sql, struct cc_err *err);

#endif
