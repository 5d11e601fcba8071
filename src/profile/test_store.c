#include "profile/store.h"
#include "base/file.h"
#include "tap.h"

#include <sqlite3.h>
#include <unistd.h>

static char folder[TAP_FOLDER];
static char path[TAP_FOLDER + 32], scratch[TAP_FOLDER + 32];
static int syncs;

/* Instead of libc's: what the store asks of the disk. */
int fsync(int fd)
{
    (void)fd;
    syncs++;
    return 0;
}

static void make(void)
{
    struct cc_store *s;
    struct cc_err err = {0};
    OK(cc_store_create(path, &s, &err) == 0, "a store is created");
    cc_store_set(s, "program", "x", &err);
    cc_store_set_u64(s, "instructions", 1234567890123u, &err);
    cc_store_exec(s, "INSERT INTO function VALUES (0, 'main', 'main', 'a.c', 3, 0, 16, 0, 1, 10, 5)", &err);
    unsigned char data[5000];
    for (size_t i = 0; i < sizeof data; i++)
        data[i] = (unsigned char)(i * i);
    cc_store_put_chunk(s, "t", 0, data, sizeof data, &err);
    OK(cc_store_commit(s, &err) == 0, "and committed");
    OK_U64((unsigned)syncs, 1, "once it is on the disk");
    cc_store_create(scratch, &s, &err);
    cc_store_skip_sync(s);
    OK(cc_store_commit(s, &err) == 0 && syncs == 1, "a test need not wait for the disk");
}

/* Whether every fact can be read back as it was put. */
static bool whole(struct cc_store *s)
{
    uint64_t n = 0;
    char *program = cc_store_get(s, "program");
    bool ok = program && strcmp(program, "x") == 0 && cc_store_get_u64(s, "instructions", &n) &&
              n == 1234567890123u;
    free(program);
    sqlite3_stmt *st;
    if (cc_store_prepare(s, "SELECT name FROM function WHERE line = 3", &st, NULL) == 0) {
        ok = ok && cc_store_step(s, st, NULL) > 0 &&
             strcmp((const char *)sqlite3_column_text(st, 0), "main") == 0;
        sqlite3_finalize(st);
    }
    return ok;
}

static bool chunk_whole(struct cc_store *s)
{
    unsigned char *data = NULL;
    size_t size = 0;
    if (cc_store_get_chunk(s, "t", 0, (void **)&data, &size, NULL) < 0)
        return false;
    bool ok = size == 5000;
    for (size_t i = 0; ok && i < size; i++)
        ok = data[i] == (unsigned char)(i * i);
    free(data);
    return ok;
}

static void write_file(const char *to, const char *data, size_t n)
{
    FILE *f = fopen(to, "wb");
    fwrite(data, 1, n, f);
    fclose(f);
}

/* Any damaged copy is either refused with a message or still whole (the damage hit unused space). */
static void test_damage(const char *data, size_t size)
{
    size_t silent = 0, refused = 0;
    write_file(scratch, data, size);
    for (size_t n = size; n-- > 0;) {
        struct cc_store *s;
        struct cc_err err = {0};
        if (truncate(scratch, (off_t)n) != 0)
            break;
        if (cc_store_open(scratch, &s, &err) < 0) {
            refused += err.msg[0] != 0;
            silent += err.msg[0] == 0;
            continue;
        }
        silent++;
        cc_store_free(s);
    }
    OK(silent == 0 && refused > 0, "every truncation is refused with a message (%zu lengths)", refused);
    unsigned seed = 1;
    size_t wrong = 0, accepted = 0;
    char *mutant = cc_alloc(size);
    for (int i = 0; i < 2000; i++) {
        memcpy(mutant, data, size);
        for (int k = 0; k <= i % 3; k++) {
            seed = seed * 1103515245 + 12345;
            mutant[(seed >> 4) % size] ^= (char)(1 << (seed >> 28));
        }
        write_file(scratch, mutant, size);
        struct cc_store *s;
        struct cc_err err = {0};
        if (cc_store_open(scratch, &s, &err) < 0) {
            wrong += err.msg[0] == 0;
            continue;
        }
        accepted++;
        struct cc_err chunk_err = {0};
        void *chunk = NULL;
        size_t n;
        if (cc_store_get_chunk(s, "t", 0, &chunk, &n, &chunk_err) == 0)
            wrong += !chunk_whole(s);
        free(chunk);
        wrong += !whole(s);
        cc_store_free(s);
    }
    free(mutant);
    OK(wrong == 0, "2000 mutations: refused, or still whole (%zu)", accepted);
}

static int open_error(const char *text, size_t n, const char *part)
{
    struct cc_store *s;
    struct cc_err err = {0};
    write_file(scratch, text, n);
    int rc = cc_store_open(scratch, &s, &err);
    return rc < 0 && strstr(err.msg, part) != NULL;
}

/* Files of other versions are told apart before their tables are looked at. */
static void test_versions(void)
{
    static const struct {
        int version;
        const char *want;
    } tries[] = {
        {0, "older corecast"},
        {CC_STORE_VERSION - 1,
         "recorded by an older corecast (profile format 3, this one reads 4); record again"},
        {CC_STORE_VERSION + 1, "newer corecast"},
    };
    for (size_t i = 0; i < CC_COUNT(tries); i++) {
        sqlite3 *db;
        sqlite3_open(scratch, &db);
        char sql[100];
        snprintf(sql, sizeof sql, "PRAGMA application_id = %d; PRAGMA user_version = %d", 0x43437374,
                 tries[i].version);
        sqlite3_exec(db, sql, NULL, NULL, NULL);
        sqlite3_close(db);
        struct cc_store *s;
        struct cc_err err = {0};
        OK(cc_store_open(scratch, &s, &err) < 0 && strstr(err.msg, tries[i].want), "version %d: %s",
           tries[i].version, err.msg);
    }
}

static void test_foreign(void)
{
    unlink(scratch);
    sqlite3 *db;
    sqlite3_open(scratch, &db);
    sqlite3_exec(db, "CREATE TABLE t(x)", NULL, NULL, NULL);
    sqlite3_close(db);
    struct cc_store *s;
    struct cc_err err = {0};
    OK(cc_store_open(scratch, &s, &err) < 0 && strstr(err.msg, "not a corecast profile"),
       "another program's database");
    test_versions();
    OK(open_error("", 0, "empty"), "an empty file");
    OK(open_error("hello, world, hello", 19, "not a corecast profile"), "a text file");
    memset(&err, 0, sizeof err);
    OK(cc_store_open("/nonexistent/x.cast", &s, &err) < 0 && strstr(err.msg, "cannot open"),
       "an absent file");
    memset(&err, 0, sizeof err);
    OK(cc_store_create("/nonexistent/x.cast", &s, &err) < 0 && strstr(err.msg, "cannot write"),
       "an unwritable place");
}

int main(void)
{
    tap_folder(folder);
    snprintf(path, sizeof path, "%s/s.cast", folder);
    snprintf(scratch, sizeof scratch, "%s/scratch", folder);
    make();
    struct cc_store *s;
    struct cc_err err = {0};
    OK(cc_store_open(path, &s, &err) == 0 && whole(s) && chunk_whole(s), "it reads back whole");
    OK(cc_store_chunks(s, "t") == 1 && cc_store_chunks(s, "u") == 0, "chunks are counted");
    OK(!cc_store_get(s, "absent"), "an absent fact");
    cc_store_free(s);
    OK(cc_store_create(path, &s, &err) == 0, "a second store of the same name");
    cc_store_free(s);
    OK(cc_store_open(path, &s, &err) == 0 && whole(s), "that is given up leaves the first alone");
    cc_store_free(s);
    char *data;
    size_t size;
    cc_file_read(path, 1 << 20, &data, &size, &err);
    test_damage(data, size);
    free(data);
    test_foreign();
    unlink(path);
    unlink(scratch);
    rmdir(folder);
    return TAP_DONE();
}
