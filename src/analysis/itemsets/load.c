/* Transaction files. One thread at a time fetches the next block of whole lines; the blocks are read side by
 * side. The order of transactions does not matter, so each thread fills a database of its own. */
#include "db.h"
#include "../../base/file.h"
#include "../../base/parallel.h"

#include <errno.h>
#include <sys/stat.h>

enum { BLOCK = 256 << 10, TOO_LARGE = -1, FINE = -2 };

struct text {
    char *v;
    size_t n, cap;
};

struct row {
    uint32_t *v;
    size_t n, cap;
};

struct mistake {
    size_t block, line; /* within the block, from 0 */
    int c;              /* the character that does not belong there, or TOO_LARGE */
};

struct load {
    FILE *f;
    int failed;           /* errno of reading */
    struct text left;     /* the beginning of a line whose end has not been fetched yet */
    CC_VEC(size_t) lines; /* of each block */
    struct mistake first; /* in the file; block SIZE_MAX: none */
    struct cc_itemsets_db *db;
};

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == ',' || c == '\r';
}

/* Whether there is anything that no line holds. */
static bool holds_nonsense(const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_blank(s[i]) && (s[i] < '0' || s[i] > '9'))
            return true;
    return false;
}

/* Fetches whole lines, the last of them with its end; false if there are none left. A line may be longer than
 * a block, but what can be no line is not waited for. Lock held. */
static bool next_block(struct load *l, struct text *b)
{
    CC_VEC_RESERVE(b, l->left.n + BLOCK + 1);
    if (l->left.n)
        memcpy(b->v, l->left.v, l->left.n);
    b->n = l->left.n;
    l->left.n = 0;
    for (;;) {
        errno = 0;
        size_t got = fread(b->v + b->n, 1, BLOCK, l->f);
        if (!got && ferror(l->f) && !l->failed)
            l->failed = errno ? errno : EIO;
        const char *from = b->v + b->n, *end = got ? memrchr(from, '\n', got) : NULL;
        b->n += got;
        if (end) {
            l->left.n = (size_t)(b->v + b->n - end - 1);
            CC_VEC_RESERVE(&l->left, l->left.n);
            if (l->left.n)
                memcpy(l->left.v, end + 1, l->left.n);
            b->n -= l->left.n;
            return true;
        }
        if (!got || holds_nonsense(from, got))
            break;
        CC_VEC_RESERVE(b, b->n + BLOCK + 1);
    }
    b->v[b->n++] = '\n';
    return b->n > 1;
}

/* Reads a line and returns where the next one begins, or NULL and what is wrong. */
static const char *read_line(const char *p, struct row *row, int *ret_wrong)
{
    row->n = 0;
    for (;;) {
        while (is_blank(*p))
            p++;
        if (*p == '\n')
            return p + 1;
        const char *from = p;
        uint64_t v = 0;
        for (; *p >= '0' && *p <= '9'; p++)
            v = v > UINT32_MAX ? v : v * 10 + (uint64_t)(*p - '0');
        if (p == from || (!is_blank(*p) && *p != '\n') || v >= UINT32_MAX) {
            *ret_wrong = p == from || (!is_blank(*p) && *p != '\n') ? (unsigned char)*p : TOO_LARGE;
            return NULL;
        }
        CC_VEC_RESERVE(row, row->n + 1);
        row->v[row->n++] = (uint32_t)v;
    }
}

/* How many lines there are up to the end or the first mistake; *ret_wrong is FINE if there is none. */
static size_t read_block(struct cc_itemsets_db *db, const struct text *b, struct row *row, int *ret_wrong)
{
    size_t lines = 0;
    *ret_wrong = FINE;
    for (const char *p = b->v; p < b->v + b->n; lines++) {
        p = read_line(p, row, ret_wrong);
        if (!p)
            return lines;
        if (row->n)
            cc_itemsets_db_add(db, row->v, row->n, 1);
    }
    return lines;
}

static void work(struct cc_parallel *p, void *arg)
{
    struct load *l = arg;
    struct cc_itemsets_db db = {0};
    struct text block = {0};
    struct row row = {0};
    cc_parallel_lock(p);
    while (l->first.block == SIZE_MAX && next_block(l, &block)) {
        size_t number = l->lines.n;
        CC_VEC_PUSH(&l->lines, 0);
        cc_parallel_unlock(p);
        int wrong;
        size_t lines = read_block(&db, &block, &row, &wrong);
        cc_parallel_lock(p);
        l->lines.v[number] = lines;
        if (wrong != FINE && number < l->first.block)
            l->first = (struct mistake){number, lines, wrong};
    }
    lcm_db_absorb(l->db, &db);
    cc_parallel_unlock(p);
    free(row.v);
    free(block.v);
}

static int tell_mistake(const struct load *l, const char *path, struct cc_err *err)
{
    size_t line = l->first.line + 1;
    for (size_t i = 0; i < l->first.block; i++)
        line += l->lines.v[i];
    int c = l->first.c;
    if (c == TOO_LARGE)
        return cc_err_at(err, CC_EINPUT, path, (unsigned)line, "an item is larger than %u", UINT32_MAX - 1);
    return cc_err_at(err, CC_EINPUT, path, (unsigned)line, "items are integers between blanks, found '%c'",
                     c >= ' ' && c < 127 ? c : '?');
}

int cc_itemsets_db_load(const char *path, unsigned threads, struct cc_itemsets_db **ret, struct cc_err *err)
{
    struct load l = {.first = {.block = SIZE_MAX}};
    int rc = cc_file_open_stream(path, &l.f, err);
    if (rc < 0)
        return rc;
    l.db = cc_itemsets_db_new();
    struct stat st;
    bool small = fstat(fileno(l.f), &st) == 0 && S_ISREG(st.st_mode) && st.st_size <= BLOCK;
    cc_parallel_run(small ? 1 : SIZE_MAX, threads, work, &l);
    if (l.first.block != SIZE_MAX)
        rc = tell_mistake(&l, path, err);
    else if (l.failed)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "cannot read: %s", strerror(l.failed));
    else if (!l.db->rows)
        rc = cc_err_at(err, CC_EINPUT, path, 0, "holds no transaction");
    fclose(l.f);
    CC_VEC_FINI(&l.lines);
    free(l.left.v);
    if (rc < 0)
        cc_itemsets_db_free(l.db);
    else
        *ret = l.db;
    return rc;
}
