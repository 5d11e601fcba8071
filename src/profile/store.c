#include "store.h"
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

/* --- the seal: a hash over every value of every table, in key order --- */

/* Values are many and small: they are hashed by the buffer. */
struct hash {
    XXH3_state_t *state;
    size_t n;
    unsigned char bytes[1 << 14];
};

static void hash_flush(struct hash *h)
{
    XXH3_64bits_update(h->state, h->bytes, h->n);
    h->n = 0;
}

static void hash_bytes(struct hash *h, const void *data, size_t size)
{
    if (size > sizeof h->bytes - h->n)
        hash_flush(h);
    if (size > sizeof h->bytes) {
        XXH3_64bits_update(h->state, data, size);
        return;
    }
    memcpy(h->bytes + h->n, data, size);
    h->n += size;
}

static void hash_value(struct hash *h, sqlite3_stmt *st, int column)
{
    int type = sqlite3_column_type(st, column);
    hash_bytes(h, &type, sizeof type);
    if (type == SQLITE_INTEGER) {
        sqlite3_int64 v = sqlite3_column_int64(st, column);
        hash_bytes(h, &v, sizeof v);
    } else if (type != SQLITE_NULL) {
        const void *data = sqlite3_column_blob(st, column);
        int size = sqlite3_column_bytes(st, column);
        hash_bytes(h, &size, sizeof size);
        if (size > 0)
            hash_bytes(h, data, (size_t)size);
    }
}

static int hash_table(struct cc_store *s, const char *select, struct hash *h, struct cc_err *err)
{
    sqlite3_stmt *st;
    int rc = cc_store_prepare(s, select, &st, err);
    if (rc < 0)
        return rc;
    while ((rc = cc_store_step(s, st, err)) > 0)
        for (int c = 0; c < sqlite3_column_count(st); c++)
            hash_value(h, st, c);
    sqlite3_finalize(st);
    return rc;
}

static int content_hash(struct cc_store *s, uint64_t *ret, struct cc_err *err)
{
    struct hash *h = cc_alloc(sizeof *h);
    h->state = XXH3_createState();
    XXH3_64bits_reset(h->state);
    /* the seal itself lies in meta; chunks carry their own hash, checked when they are read */
    int rc = hash_table(s, "SELECT * FROM meta WHERE key <> 'seal'", h, err);
    if (rc == 0)
        rc = hash_table(s, "SELECT stream, seq, size, hash, length(data) FROM chunk", h, err);
    for (size_t i = 0; rc == 0 && i < CC_PTABLES; i++) {
        char select[64];
        snprintf(select, sizeof select, "SELECT * FROM %s", cc_ptables[i].name);
        if (cc_ptables[i].order)
            rc = hash_table(s, select, h, err);
    }
    hash_flush(h);
    *ret = XXH3_64bits_digest(h->state);
    XXH3_freeState(h->state);
    free(h);
    return rc;
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
    int rc = sqlite3_open_v2(s->aside, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL) == SQLITE_OK
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
    uint64_t seal;
    int rc = content_hash(s, &seal, err);
    char text[24];
    snprintf(text, sizeof text, "%016" PRIx64, seal);
    if (rc == 0)
        rc = cc_store_set(s, "seal", text, err);
    if (rc == 0)
        rc = cc_store_exec(s, "COMMIT", err);
    if (sqlite3_close(s->db) != SQLITE_OK && rc == 0)
        rc = cc_err_at(err, CC_EBUG, s->path, 0, "a statement was left open on the store");
    s->db = NULL;
    int fd = rc == 0 ? open(s->aside, O_RDWR | O_CLOEXEC) : -1;
    if (rc == 0 && (fd < 0 || (!s->skip_sync && fsync(fd) != 0) || rename(s->aside, s->path) != 0))
        rc = cc_err_at(err, CC_EINPUT, s->path, 0, "cannot write: %s", strerror(errno));
    if (fd >= 0)
        close(fd);
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

static int pragma_number(struct cc_store *s, const char *sql, sqlite3_int64 *ret, struct cc_err *err)
{
    sqlite3_stmt *st;
    int rc = cc_store_prepare(s, sql, &st, err);
    if (rc < 0)
        return rc;
    rc = cc_store_step(s, st, err);
    if (rc > 0)
        *ret = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return rc < 0 ? rc : 0;
}

static int check_kind(struct cc_store *s, struct cc_err *err)
{
    sqlite3_int64 id = 0, version = 0;
    int rc = pragma_number(s, "PRAGMA application_id", &id, err);
    if (rc == 0)
        rc = pragma_number(s, "PRAGMA user_version", &version, err);
    if (rc < 0)
        return rc;
    if (id != APPLICATION_ID)
        return cc_err_at(err, CC_EINPUT, s->path, 0, "not a corecast profile");
    if (version < CC_STORE_VERSION)
        return cc_err_at(err, CC_EINPUT, s->path, 0,
                         "recorded by an older corecast (profile format %d, this one reads %d); record again",
                         (int)version, CC_STORE_VERSION);
    if (version > CC_STORE_VERSION)
        return cc_err_at(err, CC_EINPUT, s->path, 0,
                         "recorded by a newer corecast (profile format %d, this one reads %d)", (int)version,
                         CC_STORE_VERSION);
    return 0;
}

static int check_seal(struct cc_store *s, struct cc_err *err)
{
    uint64_t hash;
    int rc = content_hash(s, &hash, err);
    if (rc < 0)
        return rc;
    char want[24];
    snprintf(want, sizeof want, "%016" PRIx64, hash);
    char *have = cc_store_get(s, "seal");
    bool same = have && strcmp(have, want) == 0;
    free(have);
    return same ? 0 : cc_err_at(err, CC_EINPUT, s->path, 0, "damaged profile: its checksum does not match");
}

static int check_header(const char *path, struct cc_err *err)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = NULL;
    int rc = cc_file_open_stream(path, &f, err);
    if (rc < 0)
        return rc;
    struct stat st;
    if (fstat(fileno(f), &st) != 0 || !S_ISREG(st.st_mode))
        return cc_err_at(err, CC_EINPUT, path, 0, "not a regular file");
    unsigned char head[100] = {0}; /* SQLite's file header: page size at 16, pages at 28, big-endian */
    size_t n = fread(head, 1, sizeof head, f);
    if (n == 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "not a corecast profile: the file is empty");
    if (n < 16 || memcmp(head, "SQLite format 3", 16) != 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "not a corecast profile");
    uint64_t page = (uint64_t)head[16] << 8 | head[17];
    uint64_t pages = (uint64_t)head[28] << 24 | (uint64_t)head[29] << 16 | (uint64_t)head[30] << 8 | head[31];
    if ((uint64_t)st.st_size != (page == 1 ? 65536 : page) * pages)
        return cc_err_at(err, CC_EINPUT, path, 0, "damaged profile: the file is cut short or has grown");
    return 0;
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
    int rc = check_header(path, err);
    if (rc < 0)
        return rc;
    struct cc_store *s = cc_alloc(sizeof *s);
    s->path = cc_strdup(path);
    CC_CLEANUP(cc_free_ptr) char *uri = immutable_uri(path);
    rc = sqlite3_open_v2(uri, &s->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL) ==
                 SQLITE_OK
             ? 0
             : db_error(s, err);
    if (rc == 0) {
        sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, CC_STORE_MAX_CHUNK * 2);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        sqlite3_db_config(s->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        rc = cc_store_exec(s, "PRAGMA cell_size_check=ON", err);
    }
    if (rc == 0)
        rc = check_kind(s, err);
    if (rc == 0)
        rc = check_schema(s, err);
    if (rc == 0)
        rc = check_seal(s, err);
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
