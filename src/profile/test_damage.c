/* Profiles whose seal is right and whose content is not: nothing but the checks of each column keeps them
 * from being believed. What is tried comes from columns.def, so a new column is tried unasked. */
#include "profile/rows.h"
#include "fixture.h"
#include "tap.h"

#include <sqlite3.h>
#include <unistd.h>

static char folder[TAP_FOLDER];
static char whole[TAP_FOLDER + 32], copy[TAP_FOLDER + 32];

/* A sealed copy of the whole profile, changed by SQL; NULL if that was refused by SQLite. */
static struct cc_store *begin_copy(void)
{
    struct cc_store *s;
    struct cc_err err = {0};
    if (cc_store_create(copy, &s, &err) < 0)
        return NULL;
    cc_store_skip_sync(s);
    char sql[TAP_FOLDER + 100];
    snprintf(sql, sizeof sql, "COMMIT; ATTACH '%s' AS o; BEGIN", whole);
    int rc = cc_store_exec(s, sql, &err);
    cc_store_exec(s, "INSERT INTO meta SELECT * FROM o.meta; INSERT INTO chunk SELECT * FROM o.chunk", &err);
    for (size_t i = 0; rc == 0 && i < CC_PTABLES; i++) {
        const char *t = cc_ptables[i].name;
        snprintf(sql, sizeof sql, "INSERT INTO main.%s SELECT * FROM o.%s", t, t);
        rc = cc_ptables[i].order ? cc_store_exec(s, sql, &err) : 0;
    }
    if (rc < 0) {
        cc_store_free(s);
        return NULL;
    }
    return s;
}

enum outcome { REFUSED, LOADED, SILENT, NOT_MADE };

/* Loads what was changed and uses it. */
static enum outcome load(void)
{
    struct cc_profile *p;
    struct cc_err err = {0};
    if (cc_profile_load(copy, &p, &err) < 0)
        return err.msg[0] ? REFUSED : SILENT;
    cc_fixture_walk(p);
    cc_profile_free(p);
    return LOADED;
}

static enum outcome try(const char *sql)
{
    struct cc_store *s = begin_copy();
    if (!s)
        return SILENT;
    if (cc_store_exec(s, sql, NULL) < 0) {
        cc_store_free(s);
        return NOT_MADE; /* SQLite keeps a row id an integer */
    }
    return cc_store_commit(s, NULL) < 0 ? SILENT : load();
}

/* --- cells --- */

#define BIT(kind) (1u << CC_KIND_##kind)
enum {
    IDS = BIT(ID) | BIT(MAYBE_ID) | BIT(EARLIER) | BIT(ANY_ID) | BIT(KEY),
    COUNTS = BIT(COUNT) | BIT(MAYBE_COUNT),
    TEXTS = BIT(TEXT) | BIT(MAYBE_TEXT),
    NUMBERS = IDS | COUNTS | BIT(NUMBER) | BIT(FLAG) | BIT(LINE),
    NEVER_NULL = BIT(KEY) | BIT(ID) | BIT(ANY_ID) | BIT(COUNT) | BIT(NUMBER) | BIT(FLAG) | BIT(ADDRESS) |
                 BIT(TEXT) | BIT(WORD)
};

/* What must be refused in columns of which kinds; in others it may be, or be right. */
static const struct {
    const char *value;
    unsigned kinds;
} cells[] = {
    {"NULL", NEVER_NULL},
    {"-1", NUMBERS | BIT(WORD)},
    {"-9223372036854775807", NUMBERS | BIT(WORD)},
    {"1.5", NUMBERS | BIT(ADDRESS) | BIT(WORD)},
    {"'x'", NUMBERS | BIT(ADDRESS) | BIT(WORD)},
    {"''", NUMBERS | BIT(ADDRESS) | BIT(WORD)},
    {"x'01'", ~0u},
    {"CAST(x'610062' AS TEXT)", ~0u},
    {"4294967295", IDS | BIT(FLAG) | BIT(LINE) | BIT(WORD)},
    {"4294967280", IDS | BIT(FLAG) | BIT(LINE) | BIT(WORD)},
    {"4294967285", IDS | BIT(FLAG) | BIT(LINE) | BIT(WORD)},
    {"4294967296", IDS | BIT(FLAG) | BIT(LINE) | BIT(NUMBER) | BIT(WORD)},
    {"1000000", IDS | BIT(FLAG) | BIT(WORD)},
    {"2", BIT(FLAG) | BIT(WORD)},
};

static void test_cells(void)
{
    size_t wrong = 0, refused = 0, loaded = 0;
    unsigned number = 0;
    for (size_t t = 0; t < CC_PTABLES; t++) {
        for (size_t c = 0; cc_ptables[t].order && c < cc_ptables[t].ncolumns; c++) {
            const struct cc_pcolumn *column = &cc_ptables[t].columns[c];
            for (size_t i = 0; i < CC_COUNT(cells); i++) {
                if (tap_leaves(number++))
                    continue;
                char sql[240];
                snprintf(sql, sizeof sql, "UPDATE %s SET %s = %s WHERE rowid = (SELECT max(rowid) FROM %s)",
                         cc_ptables[t].name, column->name, cells[i].value, cc_ptables[t].name);
                enum outcome got = try(sql);
                refused += got == REFUSED;
                loaded += got == LOADED;
                bool must = cells[i].kinds & 1u << column->kind;
                if (got == SILENT || (must && got == LOADED) ||
                    (got == NOT_MADE && column->kind != CC_KIND_KEY)) {
                    printf("# %s\n", sql);
                    wrong++;
                }
            }
        }
    }
    OK(wrong == 0, "every cell of another type, NULL, negative or too large: %zu refused, %zu right", refused,
       loaded);
    OK(refused > number / 20 && loaded > number / 100, "there is something to refuse, and to load");
}

/* --- columns that are not there, or of another type --- */

static bool alter(const char *sql)
{
    struct cc_buf command = {0};
    struct cc_store *s = begin_copy();
    if (!s || cc_store_commit(s, NULL) < 0)
        return false;
    sqlite3 *db;
    sqlite3_open(copy, &db);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    cc_buf_printf(&command, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; %s", sql);
    char *message = NULL;
    bool done = sqlite3_exec(db, command.s, NULL, NULL, &message) == SQLITE_OK;
    if (!done)
        printf("# %s: %s\n", sql, message);
    sqlite3_free(message);
    sqlite3_close(db);
    cc_buf_fini(&command);
    return done;
}

static void test_columns(void)
{
    size_t wrong = 0, tried = 0;
    unsigned number = 0;
    for (size_t t = 0; t < CC_PTABLES; t++) {
        for (size_t c = 0; cc_ptables[t].order && c < cc_ptables[t].ncolumns; c++) {
            const char *table = cc_ptables[t].name, *column = cc_ptables[t].columns[c].name;
            const char *type = cc_kind_is_text(cc_ptables[t].columns[c].kind) ? "TEXT" : "INTEGER";
            bool key = cc_ptables[t].columns[c].kind == CC_KIND_KEY;
            char sql[3][256];
            snprintf(sql[0], sizeof sql[0], "ALTER TABLE %s RENAME COLUMN %s TO other", table, column);
            snprintf(sql[1], sizeof sql[1],
                     "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '%s %s', '%s "
                     "BLOB') "
                     "WHERE name = '%s'",
                     column, type, column, table);
            snprintf(sql[2], sizeof sql[2], "ALTER TABLE %s DROP COLUMN %s", table, column);
            for (int i = 0; i < (key ? 2 : 3); i++) { /* a key cannot be dropped */
                if (tap_leaves(number++))
                    continue;
                tried++;
                if (!alter(sql[i]) || load() != REFUSED) {
                    printf("# %s\n", sql[i]);
                    wrong++;
                }
            }
        }
    }
    OK(wrong == 0 && number > 200 && tried > 0,
       "a column renamed, of another type, or missing is refused (%zu)", tried);
}

/* --- facts --- */

static void test_facts(void)
{
    static const struct {
        const char *value;
        unsigned kinds; /* that must refuse it */
    } values[] = {
        {"''", ~TEXTS},
        {"'x'", ~TEXTS},
        {"'-1'", ~TEXTS},
        {"'1.5'", ~TEXTS},
        {"'99999999999999999999'", ~TEXTS},
        {"'9223372036854775808'", ~TEXTS},
        {"'4294967296'", ~(TEXTS | BIT(COUNT))},
        {"'2000'", BIT(FLAG) | BIT(STATUS)},
        {"'2'", BIT(FLAG)},
        {"x'ff'", ~TEXTS},
        {"NULL", 0},
    };
    size_t wrong = 0;
    for (size_t f = 0; f < cc_nfacts; f++) {
        for (size_t i = 0; i < CC_COUNT(values); i++) {
            if (tap_leaves((unsigned)(f * CC_COUNT(values) + i)))
                continue;
            char sql[160];
            snprintf(sql, sizeof sql, "INSERT OR REPLACE INTO meta VALUES ('%s', %s)", cc_facts[f].name,
                     values[i].value);
            enum outcome got = try(sql);
            bool must = values[i].kinds & 1u << cc_facts[f].kind;
            if (got == SILENT || got == NOT_MADE || (must && got == LOADED)) {
                printf("# %s\n", sql);
                wrong++;
            }
        }
    }
    OK(wrong == 0, "every fact that is not of its kind is refused");
}

/* --- streams --- */

/* The first chunk of a stream in a fresh copy, cut to `size` bytes with `n` of them at `at` changed. */
static enum outcome try_chunk(const char *stream, size_t at, const void *bytes, size_t n, size_t cut)
{
    struct cc_store *s = begin_copy();
    unsigned char *data = NULL;
    size_t size = 0;
    if (!s || cc_store_get_chunk(s, stream, 0, (void **)&data, &size, NULL) < 0)
        return SILENT;
    if (at + n <= size && n)
        memcpy(data + at, bytes, n);
    char sql[100];
    snprintf(sql, sizeof sql, "DELETE FROM chunk WHERE stream = '%s'", stream);
    int rc = cc_store_exec(s, sql, NULL);
    if (rc == 0)
        rc = cc_store_put_chunk(s, stream, 0, data, size - CC_MIN(cut, size), NULL);
    free(data);
    if (rc < 0) {
        cc_store_free(s);
        return SILENT;
    }
    return cc_store_commit(s, NULL) < 0 ? SILENT : load();
}

static size_t try_item(const struct cc_ptable *t, const struct cc_pcolumn *c)
{
    static const struct {
        uint64_t value;
        unsigned kinds; /* that must refuse it */
    } values[] = {
        {UINT64_MAX, COUNTS | BIT(ID) | BIT(INDEX) | BIT(WORD)},
        {UINT64_C(1) << 63, COUNTS},
        {INT64_MAX, BIT(ID) | BIT(INDEX) | BIT(WORD)},
        {1000000, BIT(ID) | BIT(MAYBE_ID) | BIT(INDEX) | BIT(WORD)},
        {CC_SPECIAL, BIT(ID) | BIT(MAYBE_ID) | BIT(ANY_ID) | BIT(INDEX) | BIT(WORD)},
        {0, 0},
    };
    size_t wrong = 0;
    for (size_t i = 0; i < CC_COUNT(values); i++) {
        enum outcome got = try_chunk(t->name, c->at, &values[i].value, c->size, 0);
        bool must = values[i].kinds & 1u << c->kind;
        if (got == SILENT || (must && got == LOADED)) {
            printf("# %s.%s = %llx\n", t->name, c->name, (unsigned long long)values[i].value);
            wrong++;
        }
    }
    return wrong;
}

static void test_streams(void)
{
    size_t wrong = 0, gaps = 0;
    for (size_t t = 0; t < CC_PTABLES; t++) {
        const struct cc_ptable *stream = &cc_ptables[t];
        if (stream->order)
            continue;
        size_t at = 0;
        for (size_t c = 0; c < stream->ncolumns; c++) {
            if (!tap_leaves((unsigned)(t * 32 + c)))
                wrong += try_item(stream, &stream->columns[c]);
            bool wide =
                stream->columns[c].kind == CC_KIND_COUNT || stream->columns[c].kind == CC_KIND_ADDRESS;
            gaps += stream->columns[c].at != at || stream->columns[c].size != (wide ? 8 : 4);
            at += stream->columns[c].size;
        }
        gaps += at != stream->size && t != CC_P_channels;
        for (size_t cut = 1; cut < 8; cut += 3)
            wrong += try_chunk(stream->name, 0, NULL, 0, cut) != REFUSED;
    }
    OK(wrong == 0, "items of streams that refer to nothing, overflow or are cut are refused");
    OK(gaps == 0, "columns.def has every field of the records, in order");
}

/* --- what one column cannot tell --- */

static void test_rows(void)
{
    static const char *const changes[] = {
        "UPDATE function SET id = 1000 WHERE id = 2",
        "UPDATE context SET parent = 5 WHERE id = 3",
        "UPDATE context SET parent = id WHERE id = 3",
        "UPDATE context SET thread = 1 WHERE id = 1",
        "UPDATE context SET inclusive = 9223372036854775807 WHERE parent IS NOT NULL",
        "UPDATE context SET inclusive = 0 WHERE exclusive > 0",
        "UPDATE scope SET parent = NULL",
        "UPDATE scope SET parent = 0",
        "UPDATE node SET kind = 'cat' WHERE id = 0",
        "UPDATE node SET context = NULL",
        "UPDATE node SET kind = 'input' WHERE kind = 'context'",
        "UPDATE node SET stack_reads = reads + 1",
        "UPDATE node SET stack_writes = writes + 1",
        "UPDATE node SET stack_bytes_read = bytes_read + 1",
        "UPDATE node SET stack_bytes_written = bytes_written + 1",
        "UPDATE edge SET level = 'cat'",
        "UPDATE edge SET producer = 4294967281 WHERE level = 'context'",
        "UPDATE edge SET consumer = 4294967280",
        "UPDATE object_site SET level = level + 1",
        "INSERT INTO object_site SELECT * FROM object_site",
        "UPDATE object_access SET function = 4294967282",
        "DELETE FROM thread",
        "DELETE FROM function WHERE id = 1",
        "DELETE FROM region",
        "DELETE FROM object",
        "UPDATE chunk SET size = -1",
        "UPDATE chunk SET size = size + 1",
        "UPDATE chunk SET size = 1 << 40",
        "UPDATE chunk SET hash = hash + 1",
        "UPDATE chunk SET hash = NULL",
        "UPDATE chunk SET data = NULL",
        "UPDATE chunk SET data = 'text'",
        "UPDATE chunk SET seq = 7",
        "UPDATE meta SET value = 'x' WHERE key = 'complete'",
    };
    size_t wrong = 0;
    for (size_t i = 0; i < CC_COUNT(changes); i++) {
        if (try(changes[i]) != REFUSED) {
            printf("# %s\n", changes[i]);
            wrong++;
        }
    }
    OK(wrong == 0, "rows that contradict each other are refused");
}

/* --- anything --- */

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 8;
}

static void test_random(void)
{
    static const char *const values[] = {"0",
                                         "1",
                                         "2",
                                         "3",
                                         "7",
                                         "63",
                                         "4294967281",
                                         "4294967284",
                                         "9223372036854775807",
                                         "NULL",
                                         "'heap'",
                                         "'context'",
                                         "'function'",
                                         "random()",
                                         "abs(random() % 1000)",
                                         "rowid",
                                         "randomblob(3)",
                                         "hex(randomblob(4))"};
    unsigned seed = 1;
    size_t silent = 0, loaded = 0;
    int tries = tap_rounds(200);
    for (int i = 0; i < tries; i++) {
        struct cc_buf sql = {0};
        for (int k = 0; k <= i % 3; k++) {
            const struct cc_ptable *t = &cc_ptables[next_random(&seed) % CC_P_calls];
            const char *column = t->columns[next_random(&seed) % t->ncolumns].name;
            if (i % 20 == 19)
                cc_buf_printf(&sql, "DELETE FROM %s WHERE rowid %% 5 = %u;", t->name, next_random(&seed) % 5);
            else
                cc_buf_printf(&sql, "UPDATE OR IGNORE %s SET %s = %s WHERE rowid %% 5 = %u;", t->name, column,
                              values[next_random(&seed) % CC_COUNT(values)], next_random(&seed) % 5);
        }
        enum outcome got = try(sql.s);
        loaded += got == LOADED;
        silent += got == SILENT;
        cc_buf_fini(&sql);
    }
    OK(silent == 0, "%d random changes: refused with a message, or loaded (%zu)", tries, loaded);
    OK(loaded > (size_t)tries / 20 && loaded < (size_t)tries * 9 / 10, "some hit only counts and names");
}

int main(void)
{
    tap_folder(folder);
    snprintf(whole, sizeof whole, "%s/whole.cast", folder);
    snprintf(copy, sizeof copy, "%s/copy.cast", folder);
    OK(cc_fixture_cast(whole) == 0, "a profile is written");
    struct cc_profile *p = NULL;
    struct cc_err err = {0};
    OK(cc_profile_load(whole, &p, &err) == 0, "and read: %s", err.msg);
    for (enum cc_ptable_id t = 0; p && t < CC_PTABLES; t++)
        OK(*cc_ptable_count(p, t) > 0, "it has something of '%s'", cc_ptables[t].name);
    cc_profile_free(p);
    OK(try("SELECT 1") == LOADED, "a copy that is not changed is loaded");
    test_cells();
    test_columns();
    test_facts();
    test_streams();
    test_rows();
    test_random();
    unlink(whole);
    unlink(copy);
    rmdir(folder);
    return TAP_DONE();
}
