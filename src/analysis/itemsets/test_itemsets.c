#include "../../../tests/tap.h"
#include "itemsets.h"

#include <fcntl.h>
#include <unistd.h>

static uint64_t seed = 7;
static uint64_t rnd(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed;
}

/* ---- brute force: intersections of transactions are exactly the closed sets ---- */

enum { MAX_ROWS = 14, MAX_ITEMS = 90 };

struct small_db {
    unsigned rows, items;
    uint32_t weight[MAX_ROWS];
    bool has[MAX_ROWS][MAX_ITEMS];
};

struct answer {
    uint64_t count, sum, longest; /* sum: order-independent hash over items and supports */
};

static uint64_t mix(uint64_t h)
{
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdu;
    h ^= h >> 29;
    h *= 0xc4ceb9fe1a85ec53u;
    return h ^ h >> 32;
}

static uint64_t hash_set(const uint32_t *items, size_t n, uint64_t support)
{
    uint64_t h = mix(support + 0x1234);
    for (size_t i = 0; i < n; i++)
        h = mix(h ^ (items[i] + 1) * 0x9e3779b97f4a7c15u);
    return h;
}

static struct answer brute_force(const struct small_db *db, const uint32_t *name, uint64_t min_support)
{
    struct answer a = {0};
    for (unsigned choice = 1; choice < 1u << db->rows; choice++) {
        bool common[MAX_ITEMS];
        memset(common, 1, sizeof common);
        for (unsigned t = 0; t < db->rows; t++)
            for (unsigned i = 0; i < db->items; i++)
                if (choice >> t & 1)
                    common[i] = common[i] && db->has[t][i];
        uint64_t support = 0;
        unsigned holders = 0;
        for (unsigned t = 0; t < db->rows; t++) {
            bool all = true;
            for (unsigned i = 0; i < db->items && all; i++)
                all = !common[i] || db->has[t][i];
            if (all) {
                support += db->weight[t];
                holders |= 1u << t;
            }
        }
        if (holders != choice || support < min_support)
            continue; /* each closed set is met once: by the whole set of its transactions */
        uint32_t items[MAX_ITEMS];
        size_t n = 0;
        for (unsigned i = 0; i < db->items; i++)
            if (common[i])
                items[n++] = name[i];
        a.count++;
        a.sum += hash_set(items, n, support);
        a.longest = n > a.longest ? n : a.longest;
    }
    return a;
}

static struct answer seen;
static uint64_t order;

static void collect(void *arg, const uint32_t *items, size_t n, uint64_t support)
{
    (void)arg;
    seen.count++;
    seen.sum += hash_set(items, n, support);
    order = mix(order ^ hash_set(items, n, support));
    seen.longest = n > seen.longest ? n : seen.longest;
    for (size_t i = 1; i < n; i++)
        if (items[i - 1] >= items[i])
            seen.sum++; /* not ascending: spoil the answer */
}

static struct cc_itemsets_db *fill(const struct small_db *db, const uint32_t *name)
{
    struct cc_itemsets_db *d = cc_itemsets_db_new();
    for (unsigned t = 0; t < db->rows; t++) {
        uint32_t items[2 * MAX_ITEMS];
        size_t n = 0;
        for (unsigned i = db->items; i-- > 0;) /* out of order, and some twice */
            for (unsigned k = 0; db->has[t][i] && k < 1 + (i + t) % 2; k++)
                items[n++] = name[i];
        cc_itemsets_db_add(d, items, n, db->weight[t]);
    }
    return d;
}

static bool one_random(int round)
{
    struct small_db db = {0};
    uint32_t name[MAX_ITEMS];
    db.rows = 1 + (unsigned)(rnd() % 9);
    db.items = 1 + (unsigned)(rnd() % (round % 4 == 0 ? MAX_ITEMS : 12));
    unsigned density = 1 + (unsigned)(rnd() % 9);
    for (unsigned i = 0; i < db.items; i++)
        name[i] =
            i == 0 ? (uint32_t)(rnd() % 5) : name[i - 1] + 1 + (uint32_t)(rnd() % (round % 3 ? 3 : 40000000));
    for (unsigned t = 0; t < db.rows; t++) {
        db.weight[t] = round % 2 ? 1 : 1 + (uint32_t)(rnd() % 3);
        for (unsigned i = 0; i < db.items; i++)
            db.has[t][i] = rnd() % 10 < density;
    }
    uint64_t min_support = 1 + rnd() % 5;
    struct answer want = brute_force(&db, name, min_support);
    struct cc_itemsets_db *d = fill(&db, name);
    struct cc_itemsets_result got, parts[3];
    struct cc_itemsets_options o = {.min_support = min_support, .threads = 1};
    seen = (struct answer){0};
    order = 0;
    bool ok = cc_itemsets_mine(d, &o, collect, NULL, &got, NULL) == 0 && got.closed == want.count &&
              got.longest == want.longest && seen.count == want.count && seen.sum == want.sum && !got.stopped;
    uint64_t first_order = order;
    order = 0;
    o.threads = 3;
    ok = ok && cc_itemsets_mine(d, &o, collect, NULL, &got, NULL) == 0 && order == first_order;
    ok = ok && cc_itemsets_mine(d, &o, NULL, NULL, &got, NULL) == 0 && got.closed == want.count &&
         got.longest == want.longest;
    uint64_t sum = 0;
    for (o.part = 0, o.parts = 3; ok && o.part < 3; o.part++) {
        ok = cc_itemsets_mine(d, &o, NULL, NULL, &parts[o.part], NULL) == 0;
        sum += parts[o.part].closed;
    }
    ok = ok && sum == want.count;
    if (!ok)
        printf("# round %d: %u rows, %u items, support %llu: want %llu sets, got %llu\n", round, db.rows,
               db.items, (unsigned long long)min_support, (unsigned long long)want.count,
               (unsigned long long)got.closed);
    cc_itemsets_db_free(d);
    return ok;
}

static void test_random(void)
{
    int good = 0, rounds = tap_rounds(4000);
    for (int i = 0; i < rounds; i++)
        good += one_random(i);
    OK(good == rounds, "closed sets of %d random databases equal a brute-force count (%d do)", rounds, good);
}

/* Larger random databases, too large for subsets of rows: compare the word and the list form through a padded
 * database. */
static void test_forms_agree(void)
{
    int good = 0, rounds = tap_rounds(60);
    for (int round = 0; round < rounds; round++) {
        unsigned rows = 50 + (unsigned)(rnd() % 300), items = 20 + (unsigned)(rnd() % 40);
        struct cc_itemsets_db *plain = cc_itemsets_db_new(), *padded = cc_itemsets_db_new();
        uint64_t padding = 0;
        for (unsigned t = 0; t < rows; t++) {
            uint32_t v[400];
            size_t n = 0;
            for (unsigned i = 0; i < items; i++)
                if (rnd() % (2 + i % 7) == 0)
                    v[n++] = i;
            cc_itemsets_db_add(plain, v, n, 1);
            cc_itemsets_db_add(padded, v, n, 1);
        }
        uint64_t support = 3 + rnd() % 10;
        /* 70 items that only ever come together, in transactions of their own: one more closed set, and no
         * longer fewer than 64 items */
        for (; padding < support; padding++) {
            uint32_t v[70];
            for (uint32_t i = 0; i < 70; i++)
                v[i] = 1000 + i;
            cc_itemsets_db_add(padded, v, 70, 1);
        }
        struct cc_itemsets_options o = {.min_support = support, .threads = 2};
        struct cc_itemsets_result a, b;
        cc_itemsets_mine(plain, &o, NULL, NULL, &a, NULL);
        cc_itemsets_mine(padded, &o, NULL, NULL, &b, NULL);
        /* an item of every transaction makes the empty set closed only in the padded one */
        good += b.closed == a.closed + 1;
        cc_itemsets_db_free(plain);
        cc_itemsets_db_free(padded);
    }
    OK(good == rounds, "rows as words and as lists give the same (%d of %d)", good, rounds);
}

static void test_edges(void)
{
    struct cc_itemsets_db *db = cc_itemsets_db_new();
    struct cc_itemsets_options o = {.min_support = 1};
    struct cc_itemsets_result r;
    OK(cc_itemsets_mine(db, &o, NULL, NULL, &r, NULL) == 0 && r.closed == 0, "no transaction: no set");
    cc_itemsets_db_add(db, NULL, 0, 1);
    cc_itemsets_mine(db, &o, NULL, NULL, &r, NULL);
    OK_U64(r.closed, 1, "an empty transaction: the empty set is closed");
    uint32_t v[] = {3, 3, 1};
    cc_itemsets_db_add(db, v, 3, 1);
    cc_itemsets_mine(db, &o, NULL, NULL, &r, NULL);
    OK(r.closed == 2 && r.longest == 2, "and {1,3}");
    o.min_support = 3;
    cc_itemsets_mine(db, &o, NULL, NULL, &r, NULL);
    OK_U64(r.closed, 0, "support above the number of transactions: none");
    cc_itemsets_db_free(db);
    db = cc_itemsets_db_new();
    for (uint32_t t = 0; t < 40; t++) {
        uint32_t all[40];
        size_t n = 0;
        for (uint32_t i = 0; i < 40; i++)
            if (i != t)
                all[n++] = i;
        cc_itemsets_db_add(db, all, n, 1);
    }
    o = (struct cc_itemsets_options){.min_support = 1, .limit = 5000, .threads = 2};
    cc_itemsets_mine(db, &o, NULL, NULL, &r, NULL);
    OK(r.stopped && r.closed >= 5000 && r.closed < 200000, "a limit stops 2^40 sets");
    cc_itemsets_db_free(db);
}

static bool load_text_by(unsigned threads, const char *text, size_t n, struct cc_itemsets_db **db,
                         struct cc_err *err)
{
    char path[TAP_FOLDER];
    tap_file(path);
    int fd = open(path, O_WRONLY);
    bool ok = write(fd, text, n) == (ssize_t)n;
    close(fd);
    *db = NULL;
    memset(err, 0, sizeof *err);
    ok = cc_itemsets_db_load(path, threads, db, err) == 0 && ok;
    unlink(path);
    return ok;
}

static bool load_text(const char *text, size_t n, struct cc_itemsets_db **db, struct cc_err *err)
{
    return load_text_by(2, text, n, db, err);
}

/* Files of many blocks, read by several threads: what is told by the numbers that went in. */
static void test_long_files(void)
{
    enum { LINES = 200000, LONG = 700000 };
    char *text = cc_alloc(LINES * 16 + LONG);
    size_t n = 0, middle = 0;
    for (uint32_t i = 0; i < LINES; i++) {
        middle = i == LINES / 2 ? n : middle;
        n += (size_t)snprintf(text + n, 16, "%u %u 7\n", i % 100 + 10, i % 7 + 200);
    }
    struct cc_itemsets_db *db;
    struct cc_err err;
    struct cc_itemsets_options o = {.min_support = LINES / 14};
    int good = 0;
    for (unsigned threads = 1; threads <= 4; threads++) {
        bool ok = load_text_by(threads, text, n, &db, &err);
        struct cc_itemsets_result r = {0};
        o.threads = threads;
        if (ok && cc_itemsets_mine(db, &o, NULL, NULL, &r, NULL) == 0)
            good += cc_itemsets_db_transactions(db) == LINES && cc_itemsets_db_items(db) == 108 &&
                    cc_itemsets_db_entries(db) == 3 * (uint64_t)LINES && r.closed == 8;
        cc_itemsets_db_free(db);
    }
    OK(good == 4, "a file of many blocks, one to four threads (%d of 4)", good);
    char was = text[middle];
    text[middle] = 'x';
    text[n - 3] = 'y';
    OK(!load_text_by(3, text, n, &db, &err) && err.line == LINES / 2 + 1 && strstr(err.msg, "'x'"),
       "the first mistake is told, with its line");
    text[middle] = was;
    OK(!load_text_by(3, text, n, &db, &err) && err.line == LINES, "and one at the end");
    for (n = 0; n < LONG; n += 3)
        memcpy(text + n, (char[]){' ', '1', (char)('0' + n % 10)}, 3);
    memcpy(text + n, "\n5\n", 3);
    OK(load_text_by(3, text, n + 3, &db, &err) && cc_itemsets_db_items(db) == 11 &&
           cc_itemsets_db_transactions(db) == 2 && cc_itemsets_db_entries(db) == 11,
       "a line longer than a block");
    cc_itemsets_db_free(db);
    memset(text, 'z', LONG);
    OK(!load_text_by(3, text, LONG, &db, &err) && err.line == 1, "what never becomes a line is refused");
    free(text);
}

static void test_files(void)
{
    struct cc_itemsets_db *db;
    struct cc_err err;
    const char good[] = "1 2 3\n\n 4,5\t5 \r\n4294967294";
    OK(load_text(good, sizeof good - 1, &db, &err), "blanks, commas, empty lines, no last newline");
    OK(cc_itemsets_db_transactions(db) == 3 && cc_itemsets_db_items(db) == 6 &&
           cc_itemsets_db_entries(db) == 6,
       "counts");
    cc_itemsets_db_free(db);
    OK(!load_text("1 2\n3 x\n", 8, &db, &err) && err.line == 2 && strstr(err.msg, "'x'"),
       "a word: error with its line");
    OK(!load_text("1\n4294967295\n", 13, &db, &err) && err.line == 2, "too large an item");
    OK(!load_text("1 99999999999999999999999\n", 26, &db, &err), "far too large an item");
    OK(!load_text("-1\n", 3, &db, &err), "a sign");
    OK(!load_text("\n\n", 2, &db, &err) && strstr(err.msg, "no transaction"), "nothing in it");
    int harmless = 0, files = tap_rounds(2000);
    for (int i = 0; i < files; i++) {
        char text[64];
        static const char letters[] = "0123456789 \n,\t-x\0\xff";
        size_t n = rnd() % sizeof text;
        for (size_t k = 0; k < n; k++)
            text[k] = rnd() % 8 ? letters[rnd() % 12] : letters[rnd() % (sizeof letters - 1)];
        bool ok = load_text(text, n, &db, &err);
        harmless += ok ? cc_itemsets_db_transactions(db) > 0 : err.msg[0] != 0;
        cc_itemsets_db_free(db);
    }
    OK(harmless == files, "%d random files are read or refused with a reason", files);
}

int main(void)
{
    test_random();
    test_forms_agree();
    test_edges();
    test_files();
    test_long_files();
    return TAP_DONE();
}
