#include "analysis/htg/build.h"
#include "base/rng.h"
#include "base/text.h"
#include "tap.h"

#include <unistd.h>

static struct cc_err err;

static struct cc_htg *parse(const char *csv)
{
    struct cc_htg *h = NULL;
    err = (struct cc_err){0};
    cc_htg_parse_csv("t.csv", csv, strlen(csv), &(struct cc_htg_options){.any_thread = true}, &h, &err);
    return h;
}

static bool refused(const char *csv, unsigned line, const char *message)
{
    struct cc_htg *h = parse(csv);
    bool ok = !h && err.code == CC_EINPUT && err.line == line && strstr(err.msg, message);
    if (!ok)
        printf("# %s:%u: %s\n", err.file, err.line, err.msg);
    cc_htg_free(h);
    return ok;
}

/* Sum of all leaf pieces: gaps and epilogues, with repeats. */
static uint64_t leaves(const struct cc_htg *h, size_t node)
{
    uint64_t sum = 0, left = h->nodes[node].len;
    for (size_t c = node + 1; c != h->nodes[node].next; c = h->nodes[c].next) {
        const struct cc_htg_node *n = &h->nodes[c];
        left -= (n->gap + n->len) * n->repeat;
        sum += (n->gap + leaves(h, c)) * n->repeat;
    }
    return sum + left;
}

static void shape(void)
{
    struct cc_htg *h = parse("name,start,end\nmain,100,5661\nvAdd,190,5561\n\"vAdd.p, 0\",215,5540\n# clock "
                             "= ns\nleaf,300,310\nleaf,320,330\nleaf,340,350\nleaf,400,410\n");
    OK(h && h->tasks == 7, "seven tasks");
    OK_STR(h->clock, "ns", "the clock's name");
    OK_STR(h->names[2], "vAdd.p, 0", "a quoted name");
    OK(h->nodes[0].len == 5561 && h->nodes[1].gap == 0 && h->nodes[2].gap == 90,
       "the run starts with the first task");
    /* leaf at 300 has another gap before it than the next two, the last too */
    OK(h->nnodes == 7 && h->nodes[4].gap == 85 && h->nodes[5].gap == 10 && h->nodes[5].repeat == 2 &&
           h->nodes[6].gap == 50,
       "equal neighbours are stored once");
    OK_U64(leaves(h, 0), 5561, "the leaves tile the run");
    struct cc_htg_profile_row *rows;
    size_t n = cc_htg_profile(h, &rows);
    OK(n == 5 && rows[4].calls == 4 && rows[4].cumulative == 40 && rows[3].self == 5325 - 40 &&
           rows[2].parent == 1 && rows[4].depth == 4,
       "the profile");
    uint64_t self = 0;
    for (size_t i = 0; i < n; i++)
        self += rows[i].self;
    OK_U64(self, 5561, "self times add up to the run");
    free(rows);
    cc_htg_free(h);
}

static void compact(void)
{
    struct cc_htg_builder *b = cc_htg_builder_new("x", 0, 0);
    uint64_t t = 0;
    for (int i = 0; i < 1000000; i++) {
        cc_htg_builder_begin(b, 0, t, NULL, NULL);
        cc_htg_builder_begin(b, 1, t + 2, NULL, NULL);
        cc_htg_builder_end(b, t + 5, NULL);
        cc_htg_builder_end(b, t + 10, NULL);
        t += 12;
    }
    struct cc_htg *h = cc_htg_builder_finish(b, t);
    OK(h->nnodes == 5 && h->tasks == 2000000 && leaves(h, 0) == t, "two million equal tasks take %zu nodes",
       h->nnodes);
    cc_htg_free(h);
    cc_htg_builder_free(b);
    b = cc_htg_builder_new("x", 2, 0);
    uint64_t c[2] = {1000, 5};
    for (int i = 0; i < 1000; i++) {
        cc_htg_builder_begin(b, 0, t, c, NULL);
        c[0] += i % 10 == 0 ? UINT64_C(5000000000) : 7;
        cc_htg_builder_end(b, t += 10, c);
        c[1] += 3;
    }
    h = cc_htg_builder_finish(b, t);
    uint64_t sum[2] = {0, 0};
    for (size_t i = 1; i < h->nnodes; i++)
        for (size_t k = 0; k < 2; k++)
            sum[k] += (cc_htg_gap_count(h, i, k) + cc_htg_tail_count(h, i, k)) * h->nodes[i].repeat;
    OK(sum[0] == 100 * UINT64_C(5000000000) + 900 * 7 && sum[1] == 999 * 3,
       "counters, also beyond 32 bits, are kept through folding");
    OK(cc_htg_memory(h) <= 96 * h->nnodes + 17 * 512, "memory");
    cc_htg_free(h);
    cc_htg_builder_free(b);
}

static void bad(void)
{
    OK(refused("a,0,10\nb,5,20\n", 2, "'b' (5 to 20) overruns 'a' of line 1"),
       "a child that overruns its parent");
    OK(refused("a,10,5\n", 1, "ends before it starts"), "end before start");
    OK(refused("a,0,10\nb,x,20\n", 2, "whole numbers"), "not a number");
    OK(refused("a,0,10\nb,1\n", 2, "expected name"), "a line cut short");
    OK(refused("a,0,10\n\"b,1,2\n", 2, "quote"), "an open quote");
    OK(refused(",0,10\n", 1, "name"), "an empty name");
    OK(refused("", 0, "no task"), "an empty file");
    OK(refused("a,0,99999999999999999999\n", 1, "whole numbers"), "an absurd time");
    struct cc_htg *h = parse("a,0,10,1\nb,3,20,2\n");
    OK(h && h->tasks == 1 && h->nwarnings == 1, "another thread is left out with a warning");
    cc_htg_free(h);
}

static uint64_t rnd(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

static void mutations(const char *base)
{
    size_t n = strlen(base);
    uint64_t seed = 3;
    unsigned good = 0, tiled = 0;
    for (int round = 0; round < 20000; round++) {
        char *copy = cc_strdup(base);
        for (unsigned k = 0, flips = 1 + (unsigned)(rnd(&seed) % 6); k < flips; k++)
            copy[rnd(&seed) % n] = rnd(&seed) % 3 ? "0123456789,\"\n#kx"[rnd(&seed) % 16] : (char)rnd(&seed);
        struct cc_htg *h = NULL;
        struct cc_err e = {0};
        if (cc_htg_parse_csv("t.csv", copy, rnd(&seed) % 3 ? n : rnd(&seed) % n,
                             &(struct cc_htg_options){.any_thread = true}, &h, &e) == 0) {
            good++;
            tiled += leaves(h, 0) == h->nodes[0].len;
        }
        cc_htg_free(h);
        free(copy);
    }
    OK(good == tiled && good > 100, "20000 damaged files: %u still nest, and all those tile", good);
}

/* Counts of whole tasks: what its children do not have is the task's own, at its end. */
static void counts(void)
{
    struct cc_htg *h = parse("name,start,end,thread,l2.read,dram.bytes\nmain,0,100,0,50,1000\nf,10,20,0,7,"
                             "100\nf,30,50,0,13,200\ng,35,40,0,5,0\n");
    OK(h && h->ncounters == 2 && strcmp(h->counters[1], "dram.bytes") == 0, "counters by the heading");
    if (!h)
        return;
    /* nodes: run, main, f, f, g */
    OK(cc_htg_tail_count(h, 2, 0) == 7 && cc_htg_tail_count(h, 4, 0) == 5 &&
           cc_htg_tail_count(h, 3, 0) == 8 && cc_htg_tail_count(h, 1, 0) == 30 &&
           cc_htg_tail_count(h, 1, 1) == 700,
       "each task's own");
    OK(cc_htg_gap_count(h, 3, 0) == 0, "none between tasks");
    cc_htg_free(h);
    h = parse("name,start,end,l2.read\nmain,0,10,3\n");
    OK(h && h->ncounters == 1 && cc_htg_tail_count(h, 1, 0) == 3, "without threads");
    cc_htg_free(h);
    OK(refused("name,start,end,l2.read\nmain,0,10,3\nf,0,5,4\n", 2, "less 'l2.read'"),
       "children with more than their parent");
    OK(refused("name,start,end,l2.read\nmain,0,10\n", 2, "fields"), "a count is missing");
    OK(refused("name,start,end,l2.read\nmain,0,10,-3\n", 2, "whole number"), "a negative count");
    OK(refused("name,start,end,thread,a,b,c,d,e,f,g,h,i\nmain,0,10,0,1,1,1,1,1,1,1,1,1\n", 1, ""),
       "too many counters");
}

/* --- order of rows --- */

struct line {
    unsigned name;
    uint64_t start, end, count;
};

/* Tasks inside [start, end), nested at random, in the order they begin; returns what they count. */
static uint64_t grow(struct cc_rng *r, uint64_t start, uint64_t end, unsigned depth, struct line *v,
                     size_t *n)
{
    uint64_t all = 0;
    for (uint64_t t = start; t < end && *n < 400;) {
        uint64_t from = t + cc_rng_below(r, 3), most = from + 1 + cc_rng_below(r, 1 + (end - start) / 2);
        uint64_t to = CC_MIN(most, end);
        if (from >= to)
            break;
        size_t mine = (*n)++;
        v[mine] = (struct line){(unsigned)cc_rng_below(r, 4), from, to, 0};
        v[mine].count = cc_rng_below(r, 5) + (depth ? grow(r, from, to, depth - 1, v, n) : 0);
        all += v[mine].count;
        t = to;
    }
    return all;
}

static struct cc_htg *parse_lines(const struct line *v, size_t n)
{
    struct cc_buf b = {0};
    cc_buf_puts(&b, "name,start,end,l1.read\n");
    for (size_t i = 0; i < n; i++)
        cc_buf_printf(&b, "t%u,%llu,%llu,%llu\n", v[i].name, (unsigned long long)v[i].start,
                      (unsigned long long)v[i].end, (unsigned long long)v[i].count);
    struct cc_htg *h = parse(b.s);
    cc_buf_fini(&b);
    return h;
}

static bool same_graph(const struct cc_htg *a, const struct cc_htg *b)
{
    if (!a || !b || a->nnodes != b->nnodes || a->tasks != b->tasks)
        return false;
    for (size_t i = 0; i < a->nnodes; i++) {
        const struct cc_htg_node *x = &a->nodes[i], *y = &b->nodes[i];
        if (x->gap != y->gap || x->len != y->len || x->next != y->next || x->repeat != y->repeat ||
            strcmp(a->names[x->name], b->names[y->name]) != 0 ||
            cc_htg_tail_count(a, i, 0) != cc_htg_tail_count(b, i, 0))
            return false;
    }
    return true;
}

/* A file in the order tasks begin is read as it comes, any other one is sorted: the same graph. Tasks of one
 * start and end are left out: there the order of lines decides. */
static void orders(void)
{
    struct cc_rng r = {.state = 20};
    unsigned same = 0, rounds = 60;
    for (unsigned k = 0; k < rounds; k++) {
        struct line v[400], u[400];
        size_t n = 0, m = 0;
        grow(&r, 10, 60 + cc_rng_below(&r, 3000), 3, v, &n);
        for (size_t i = 0; i < n; i++)
            if (!m || u[m - 1].start != v[i].start || u[m - 1].end != v[i].end)
                u[m++] = v[i];
        struct cc_htg *sorted = parse_lines(u, m);
        for (size_t i = m; i > 1; i--) {
            size_t at = cc_rng_below(&r, i);
            struct line swap = u[i - 1];
            u[i - 1] = u[at];
            u[at] = swap;
        }
        struct cc_htg *shuffled = parse_lines(u, m);
        same += same_graph(sorted, shuffled) && leaves(sorted, 0) == sorted->nodes[0].len;
        cc_htg_free(sorted);
        cc_htg_free(shuffled);
    }
    OK(same == rounds, "rows in any order make the same graph (%u of %u)", same, rounds);
}

static void bounded(void)
{
    struct cc_htg_builder *b = cc_htg_builder_new("x", 0, 0);
    struct cc_err why = {0};
    uint64_t t = 0;
    int rc = 0, taken = 0;
    cc_htg_builder_limit(b, 11);
    for (; rc == 0 && taken < 100; taken += rc == 0) { /* no two of the same length */
        rc = cc_htg_builder_begin(b, 0, t, NULL, &why);
        if (rc == 0)
            cc_htg_builder_end(b, t += 10 + (uint64_t)taken, NULL);
    }
    OK(rc < 0 && taken == 10 && strstr(why.msg, "more than 10 tasks"), "ten tasks and no more: %s", why.msg);
    cc_htg_builder_free(b);
}

int main(void)
{
    orders();
    shape();
    compact();
    bad();
    mutations("name,start,end,thread\n# clock = "
              "cycles\nmain,0,1000,0\n\"f,g\",10,500,0\nh,20,30,0\nh,40,50,0\nh,60,70,0\nk,600,700,"
              "0\nk,700,800,0\n");
    mutations("name,start,end,l2.read,l1.write\nmain,0,1000,90,8\nf,10,500,40,4\nh,20,30,9,0\nh,40,50,9,0\n");
    counts();
    bounded();
    return TAP_DONE();
}
