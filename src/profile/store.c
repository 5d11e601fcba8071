#include "store.h"
#include "long_path.h"
#include "tables.h"
#include "../base/ending.h"
#include "../base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

enum { APPLICATION_ID = 0x43437374 /* "CCst" */ };

struct cc_store {
    sqlite3 *db;
    char *path, *aside;
    bool skip_sync;
};

static int db_error(struct cc_store *s, struct cc_err *err)
{
    int code = sqlite3_errcode(s->db);
    const char *what = sqlite3_errmsg(s->db);
    if (s->aside)
        return cc_err_at(err, CC_EINPUT, s->path, 0, "cannot write: %s", what);
    if (code == SQLITE_CORRUPT || code == SQLITE_NOTADB)
        return cc_err_at(err, CC_EINPUT, s->path, 0, "damaged profile: %s", what);
    return cc_err_at(err, CC_EINPUT, s->path, 0, "cannot read: %s", what);
}

int cc_store_exec(struct cc_store *s, const char *sql, struct cc_err *err)
{
    return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : db_error(s, err);
}

int cc_store_prepare(struct cc_store *s, const char *sql, struct sqlite3_stmt **ret, struct cc_err *err)
{
    return sqlite3_prepare_v2(s->db, sql, -1, ret, NULL) == SQLITE_OK ? 0 : db_error(s, err);
}

int cc_store_step(struct cc_store *s, struct sqlite3_stmt *st, struct cc_err *err)
{
    int rc = sqlite3_step(st);
    return rc == SQLITE_ROW ? 1 : rc == SQLITE_DONE ? 0 : db_error(s, err);
}

/* --- the seal: behind SQLite's pages, a hash of all of them --- */

struct seal {
    char mark[8];
    XXH64_canonical_t hash;
};

static int cannot_read(const char *path, struct cc_err *err)
{
    return cc_err_at(err, CC_EINPUT, path, 0, "cannot read: %s", strerror(errno));
}

/* Of the first `size` bytes. */
static int seal_of(FILE *f, uint64_t size, struct seal *ret)
{
    enum { BUFFER = 1 << 16 };
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    CC_CLEANUP(cc_free_ptr) char *buffer = cc_alloc(BUFFER);
    bool fine = fseeko(f, 0, SEEK_SET) == 0;
    while (fine && size > 0) {
        size_t n = fread(buffer, 1, CC_MIN(size, (uint64_t)BUFFER), f);
        fine = n > 0;
        XXH3_64bits_update(state, buffer, n);
        size -= n;
    }
    memcpy(ret->mark, "CC seal\n", sizeof ret->mark);
    XXH64_canonicalFromHash(&ret->hash, XXH3_64bits_digest(state));
    XXH3_freeState(state);
    return fine ? 0 : -1;
}

/* Puts it behind what SQLite wrote. */
static int put_seal(const char *path, bool sync, struct cc_err *err)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = fopen(path, "r+e");
    struct stat st;
    struct seal seal;
    if (!f || fstat(fileno(f), &st) != 0 || seal_of(f, (uint64_t)st.st_size, &seal) < 0 ||
        fseeko(f, 0, SEEK_END) != 0 || fwrite(&seal, sizeof seal, 1, f) != 1 || fflush(f) != 0 ||
        (sync && fsync(fileno(f)) != 0))
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", strerror(errno));
    return 0;
}

/* --- the schema: a reader refuses any other --- */

struct schema {
    char *sql[2 + CC_PTABLES];
    size_t n;
};

static void schema_init(struct schema *x)
{
    x->sql[0] = cc_strdup("CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID");
    x->sql[1] =
        cc_strdup("CREATE TABLE chunk (stream TEXT, seq INTEGER, size INTEGER, hash INTEGER, data BLOB, "
                  "PRIMARY KEY (stream, seq)) WITHOUT ROWID");
    x->n = 2;
    for (size_t i = 0; i < CC_PTABLES; i++) {
        struct cc_buf sql = {0};
        if (!cc_ptables[i].order)
            continue;
        cc_ptable_create(&cc_ptables[i], &sql);
        x->sql[x->n++] = sql.s;
    }
}

static void schema_fini(struct schema *x)
{
    for (size_t i = 0; i < x->n; i++)
        free(x->sql[i]);
}

/* --- life --- */

int cc_store_create(const char *path, struct cc_store **ret, struct cc_err *err)
{
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: not a regular file");
    struct cc_store *s = cc_alloc(sizeof *s);
    s->path = cc_strdup(path);
    s->aside = cc_asprintf("%s.XXXXXX", path);
    int fd = cc_ending_mkstemp(s->aside);
    if (fd < 0) {
        int cause = errno;
        free(s->aside);
        s->aside = NULL;
        cc_store_free(s);
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", strerror(cause));
    }
    close(fd); /* its mode stays 0600: a profile has arguments, paths and names that are nobody else's
                  business */
    char pragma[160];
    snprintf(pragma, sizeof pragma,
             "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; PRAGMA application_id=%d; PRAGMA "
             "user_version=%d; BEGIN",
             APPLICATION_ID, CC_STORE_VERSION);
    int rc = sqlite3_open_v2(s->aside, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX,
                             cc_long_path_vfs()) == SQLITE_OK
                 ? 0
                 : db_error(s, err);
    if (rc == 0)
        rc = cc_store_exec(s, pragma, err);
    struct schema schema;
    schema_init(&schema);
    for (size_t i = 0; rc == 0 && i < schema.n; i++)
        rc = cc_store_exec(s, schema.sql[i], err);
    schema_fini(&schema);
    if (rc < 0) {
        cc_store_free(s);
        return rc;
    }
    *ret = s;
    return 0;
}

void cc_store_skip_sync(struct cc_store *s)
{
    s->skip_sync = true;
}

int cc_store_commit(struct cc_store *s, struct cc_err *err)
{
    int rc = cc_store_exec(s, "COMMIT", err);
    if (sqlite3_close(s->db) != SQLITE_OK && rc == 0)
        rc = cc_err_at(err, CC_EBUG, s->path, 0, "a statement was left open on the store");
    s->db = NULL;
    if (rc == 0)
        rc = put_seal(s->aside, !s->skip_sync, err);
    if (rc == 0 && rename(s->aside, s->path) != 0)
        rc = cc_err_at(err, CC_EINPUT, s->path, 0, "cannot write: %s", strerror(errno));
    if (rc == 0) {
        cc_ending_drop(s->aside);
        free(s->aside);
        s->aside = NULL;
    }
    cc_store_free(s);
    return rc;
}

void cc_store_free(struct cc_store *s)
{
    if (!s)
        return;
    sqlite3_close(s->db);
    if (s->aside) {
        unlink(s->aside);
        cc_ending_drop(s->aside);
    }
    free(s->aside);
    free(s->path);
    free(s);
}

const char *cc_store_path(const struct cc_store *s)
{
    return s->path;
}

/* A file made by somebody else could bring views or triggers along; only our own tables are accepted. */
static int check_schema(struct cc_store *s, struct cc_err *err)
{
    sqlite3_stmt *st;
    int rc = cc_store_prepare(s, "SELECT sql FROM sqlite_schema ORDER BY rowid", &st, err);
    if (rc < 0)
        return rc;
    struct schema schema;
    schema_init(&schema);
    size_t n = 0;
    bool same = true;
    while ((rc = cc_store_step(s, st, err)) > 0) {
        const char *sql = (const char *)sqlite3_column_text(st, 0);
        same = same && sql && n < schema.n && strcmp(sql, schema.sql[n]) == 0;
        n++;
    }
    sqlite3_finalize(st);
    same = same && n == schema.n;
    schema_fini(&schema);
    if (rc == 0 && !same)
        rc = cc_err_at(err, CC_EINPUT, s->path, 0, "damaged profile: its tables are not those of a profile");
    return rc;
}

/* SQLite's file header, big-endian. */
enum { AT_PAGE_SIZE = 16, AT_PAGES = 28, AT_VERSION = 60, AT_APPLICATION = 68, HEADER = 100 };

static uint32_t header_number(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | at[3];
}

static int check_kind(const unsigned char *head, const char *path, struct cc_err *err)
{
    int version = (int)header_number(head + AT_VERSION);
    if (header_number(head + AT_APPLICATION) != APPLICATION_ID)
        return cc_err_at(err, CC_EINPUT, path, 0, "not a corecast profile");
    if (version < CC_STORE_VERSION)
        return cc_err_at(err, CC_EINPUT, path, 0,
                         "recorded by an older corecast (profile format %d, this one reads %d); record again",
                         version, CC_STORE_VERSION);
    if (version > CC_STORE_VERSION)
        return cc_err_at(err, CC_EINPUT, path, 0,
                         "recorded by a newer corecast (profile format %d, this one reads %d)", version,
                         CC_STORE_VERSION);
    return 0;
}

static int check_seal(FILE *f, uint64_t size, const char *path, struct cc_err *err)
{
    struct seal want, have;
    if (seal_of(f, size, &want) < 0 || fread(&have, sizeof have, 1, f) != 1)
        return cannot_read(path, err);
    if (memcmp(&want, &have, sizeof want) != 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "damaged profile: its checksum does not match");
    return 0;
}

static bool is_database(const unsigned char *head, size_t n)
{
    return n >= 16 && memcmp(head, "SQLite format 3", 16) == 0;
}

bool cc_store_is_profile(const char *path)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = NULL;
    unsigned char head[HEADER] = {0};
    return cc_file_open_stream(path, &f, NULL) == 0 && is_database(head, fread(head, 1, sizeof head, f)) &&
           header_number(head + AT_APPLICATION) == APPLICATION_ID;
}

/* Before SQLite sees anything of it. */
static int check_file(const char *path, struct cc_err *err)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = NULL;
    int rc = cc_file_open_stream(path, &f, err);
    if (rc < 0)
        return rc;
    struct stat st;
    if (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode))
        return cc_err_at(err, CC_EINPUT, path, 0, "not a regular file");
    unsigned char head[HEADER] = {0};
    size_t n = fread(head, 1, sizeof head, f);
    if (n == 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "not a corecast profile: the file is empty");
    if (!is_database(head, n))
        return cc_err_at(err, CC_EINPUT, path, 0, "not a corecast profile");
    rc = check_kind(head, path, err);
    if (rc < 0)
        return rc;
    uint64_t page = (uint64_t)head[AT_PAGE_SIZE] << 8 | head[AT_PAGE_SIZE + 1];
    uint64_t size = (page == 1 ? 65536 : page) * header_number(head + AT_PAGES);
    if ((uint64_t)st.st_size != size + sizeof(struct seal))
        return cc_err_at(err, CC_EINPUT, path, 0, "damaged profile: the file is cut short or has grown");
    return check_seal(f, size, path, err);
}

/* immutable: no journal of a stranger is ever replayed; the path is percent-encoded for SQLite's URI form */
static char *immutable_uri(const char *path)
{
    struct cc_buf uri = {0};
    cc_buf_puts(&uri, "file:");
    for (const char *p = path; *p; p++) {
        if (strchr("%?#", *p))
            cc_buf_printf(&uri, "%%%02x", (unsigned char)*p);
        else
            cc_buf_add(&uri, p, 1);
    }
    cc_buf_puts(&uri, "?immutable=1");
    return uri.s;
}

int cc_store_open(const char *path, struct cc_store **ret, struct cc_err *err)
{
    int rc = check_file(path, err);
    if (rc < 0)
        return rc;
    struct cc_store *s = cc_alloc(sizeof *s);
    s->path = cc_strdup(path);
    CC_CLEANUP(cc_free_ptr) char *uri = immutable_uri(path);
    rc = sqlite3_open_v2(uri, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
                         cc_long_path_vfs()) == SQLITE_OK
             ? 0
             : db_error(s, err);
    if (rc == 0) {
        sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, CC_STORE_MAX_CHUNK * 2);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        rc = cc_store_exec(s, "PRAGMA cell_size_check=ON", err);
    }
    if (rc == 0)
        rc = check_schema(s, err);
    if (rc < 0) {
        cc_store_free(s);
        return rc;
    }
    *ret = s;
    return 0;
}

/* --- facts --- */

int cc_store_set(struct cc_store *s, const char *key, const char *value, struct cc_err *err)
{
    if (!value)
        return 0;
    sqlite3_stmt *st;
    int rc = cc_store_prepare(s, "INSERT OR REPLACE INTO meta VALUES (?, ?)", &st, err);
    if (rc < 0)
        return rc;
    sqlite3_bind_text(st, 1, key, -1, SQLITE_STATIC);
    sqlite3_bind_text(st, 2, value, -1, SQLITE_STATIC);
    rc = cc_store_step(s, st, err);
    sqlite3_finalize(st);
    return rc;
}

int cc_store_set_u64(struct cc_store *s, const char *key, uint64_t value, struct cc_err *err)
{
    char text[24];
    snprintf(text, sizeof text, "%" PRIu64, value);
    return cc_store_set(s, key, text, err);
}

char *cc_store_get(struct cc_store *s, const char *key)
{
    sqlite3_stmt *st;
    if (cc_store_prepare(s, "SELECT value FROM meta WHERE key = ?", &st, NULL) < 0)
        return NULL;
    sqlite3_bind_text(st, 1, key, -1, SQLITE_STATIC);
    char *value = NULL;
    if (cc_store_step(s, st, NULL) > 0 && sqlite3_column_text(st, 0))
        value = cc_strdup((const char *)sqlite3_column_text(st, 0));
    sqlite3_finalize(st);
    return value;
}

bool cc_store_get_u64(struct cc_store *s, const char *key, uint64_t *ret)
{
    CC_CLEANUP(cc_free_ptr) char *text = cc_store_get(s, key);
    return text && cc_parse_u64(text, ret);
}

/* --- chunks --- */

int cc_store_put_chunk(struct cc_store *s, const char *stream, uint64_t seq, const void *data, size_t size,
                       struct cc_err *err)
{
    if (size > CC_STORE_MAX_CHUNK)
        return cc_err_set(err, CC_EBUG, "chunk of stream '%s' is too large", stream);
    size_t bound = ZSTD_compressBound(size);
    CC_CLEANUP(cc_free_ptr) void *packed = cc_alloc(bound);
    size_t n = ZSTD_compress(packed, bound, data, size, 3);
    if (ZSTD_isError(n))
        return cc_err_set(err, CC_EBUG, "cannot compress: %s", ZSTD_getErrorName(n));
    sqlite3_stmt *st;
    int rc = cc_store_prepare(s, "INSERT INTO chunk VALUES (?, ?, ?, ?, ?)", &st, err);
    if (rc < 0)
        return rc;
    sqlite3_bind_text(st, 1, stream, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 2, (sqlite3_int64)seq);
    sqlite3_bind_int64(st, 3, (sqlite3_int64)size);
    sqlite3_bind_int64(st, 4, (sqlite3_int64)XXH3_64bits(packed, n));
    sqlite3_bind_blob64(st, 5, packed, n, SQLITE_STATIC);
    rc = cc_store_step(s, st, err);
    sqlite3_finalize(st);
    return rc;
}

static int unpack(struct cc_store *s, sqlite3_stmt *st, void **ret_data, size_t *ret_size, struct cc_err *err)
{
    sqlite3_int64 size = sqlite3_column_int64(st, 0);
    uint64_t hash = (uint64_t)sqlite3_column_int64(st, 1);
    const void *packed = sqlite3_column_blob(st, 2);
    size_t n = (size_t)sqlite3_column_bytes(st, 2);
    if (size < 0 || size > CC_STORE_MAX_CHUNK || !packed || XXH3_64bits(packed, n) != hash)
        return cc_err_at(err, CC_EINPUT, s->path, 0, "damaged profile: a chunk's checksum does not match");
    void *data = cc_alloc((size_t)size);
    size_t got = ZSTD_decompress(data, (size_t)size, packed, n);
    if (ZSTD_isError(got) || got != (size_t)size) {
        free(data);
        return cc_err_at(err, CC_EINPUT, s->path, 0, "damaged profile: a chunk does not unpack");
    }
    *ret_data = data;
    *ret_size = (size_t)size;
    return 0;
}

int cc_store_get_chunk(struct cc_store *s, const char *stream, uint64_t seq, void **ret_data,
                       size_t *ret_size, struct cc_err *err)
{
    sqlite3_stmt *st;
    int rc = cc_store_prepare(s, "SELECT size, hash, data FROM chunk WHERE stream = ? AND seq = ?", &st, err);
    if (rc < 0)
        return rc;
    sqlite3_bind_text(st, 1, stream, -1, SQLITE_STATIC);
    sqlite3_bind_int64(st, 2, (sqlite3_int64)seq);
    rc = cc_store_step(s, st, err);
    if (rc > 0)
        rc = unpack(s, st, ret_data, ret_size, err);
    else if (rc == 0)
        rc = cc_err_at(err, CC_EINPUT, s->path, 0, "the profile has no chunk %" PRIu64 " of '%s'", seq,
                       stream);
    sqlite3_finalize(st);
    return rc;
}

uint64_t cc_store_chunks(struct cc_store *s, const char *stream)
{
    sqlite3_stmt *st;
    if (cc_store_prepare(s, "SELECT count(*) FROM chunk WHERE stream = ?", &st, NULL) < 0)
        return 0;
    sqlite3_bind_text(st, 1, stream, -1, SQLITE_STATIC);
    uint64_t n = cc_store_step(s, st, NULL) > 0 ? (uint64_t)sqlite3_column_int64(st, 0) : 0;
    sqlite3_finalize(st);
    return n;
}
