#include "profile/import.h"
#include "profile/profile.h"
#include "profile/records.h"
#include "profile/store.h"
#include "binary/symbols.h"
#include "base/file.h"
#include "fixture.h"
#include "tap.h"

#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[TAP_FOLDER];
static char rec_a[TAP_FOLDER + 32], rec_b[TAP_FOLDER + 32], cast[TAP_FOLDER + 32], scratch[TAP_FOLDER + 32];

static const char *const arguments[] = {"-x", "a b", ""};
static const struct cc_import_run run = {.program = "./prog",
                                         .arguments = arguments,
                                         .narguments = 3,
                                         .engine = "valgrind",
                                         .exit_code = 3,
                                         .complete = true,
                                         .skip_sync = true};

static const struct cc_pfunction *function(const struct cc_profile *p, const char *name)
{
    for (size_t i = 0; i < p->nfunctions; i++)
        if (strcmp(p->functions[i].name, name) == 0)
            return &p->functions[i];
    static const struct cc_pfunction none = {.name = "none"};
    return &none;
}

static uint32_t function_id(const struct cc_profile *p, const char *name)
{
    return (uint32_t)(function(p, name) - p->functions);
}

static const struct cc_pedge *edge(const struct cc_profile *p, enum cc_level level, uint32_t from,
                                   uint32_t to)
{
    static const struct cc_pedge none;
    for (size_t i = 0; i < p->nedges[level]; i++)
        if (p->edges[level][i].producer == from && p->edges[level][i].consumer == to)
            return &p->edges[level][i];
    return &none;
}

static void test_functions(const struct cc_profile *p)
{
    OK_U64(p->nfunctions, 8, "seven functions and the runtime");
    OK_STR(p->functions[0].name, CC_RUNTIME_NAME, "function 0 is the runtime");
    OK_U64(p->functions[0].inclusive, FIXTURE_INSTRUCTIONS, "which lasts as long as all threads");
    OK_U64(p->functions[0].calls, 2, "and begins once a thread");
    const struct cc_pfunction *f = function(p, "filter");
    OK_U64(f->inclusive, 150000, "inclusive instructions");
    OK_U64(f->exclusive, 130000, "exclusive instructions");
    OK(f->file && strstr(f->file, "fixture.c") && f->line > 10, "file and line of the definition");
    const struct cc_pfunction *h = function(p, "img::helper(int)");
    OK_U64(h->calls, 10, "a C++ name is demangled");
    OK_STR(h->symbol, "_ZN3img6helperEi", "and kept as it is in the binary too");
    const struct cc_pfunction *d = function(p, "dive");
    OK_U64(d->calls, 5, "calls of a recursive function");
    OK_U64(d->inclusive, 20000, "whose time counts once");
    uint64_t sum = 0;
    for (size_t i = 0; i < p->nfunctions; i++)
        sum += p->functions[i].exclusive;
    OK_U64(sum, p->instructions, "exclusive instructions add up to the run's");
}

static void test_tree(const struct cc_profile *p)
{
    OK_U64(p->nthreads, 2, "two threads");
    OK(p->threads[1].tid == 101 && p->threads[1].instructions == 80100, "with their instructions");
    uint64_t roots = 0;
    bool sums = true;
    uint64_t *children = cc_alloc_array(p->ncontexts, sizeof *children);
    for (size_t i = 0; i < p->ncontexts; i++) {
        if (p->contexts[i].parent == CC_NONE)
            roots += p->contexts[i].inclusive;
        else
            children[p->contexts[i].parent] += p->contexts[i].inclusive;
    }
    for (size_t i = 0; i < p->ncontexts; i++)
        sums &= p->contexts[i].inclusive == p->contexts[i].exclusive + children[i];
    free(children);
    OK(sums, "inclusive = exclusive + children");
    OK_U64(roots, FIXTURE_INSTRUCTIONS, "the roots hold everything");
    OK_U64(p->ncalls, FIXTURE_CALLS_ON_TIME_LINE, "calls of at least the threshold are on the time line");
    OK(p->ncalls && p->calls[0].start == 0 && p->calls[0].length == 300000, "the root first");
}

static void test_streams(const struct cc_profile *p)
{
    uint32_t produce_id = function_id(p, "produce"), filter_id = function_id(p, "filter");
    const struct cc_pedge *e = edge(p, CC_LEVEL_FUNCTION, produce_id, filter_id);
    OK_U64(e->bytes, 4 * 4096, "bytes");
    OK_U64(e->unma, 4096, "distinct addresses");
    OK_U64(e->reads, 4 * 1024, "reads");
    OK_U64(e->fresh, 4096, "fresh bytes");
    e = edge(p, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_STATIC), filter_id);
    OK(e->bytes == 44 * 1024 && e->unma == 44, "static data");
    e = edge(p, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_INPUT), produce_id);
    OK_U64(e->bytes, 4096, "input");
    e = edge(p, CC_LEVEL_FUNCTION, function_id(p, "consume"), CC_SPECIAL_ID(CC_NODE_OUTPUT));
    OK_U64(e->bytes, 2048, "output");
    e = edge(p, CC_LEVEL_THREAD, 0, 1);
    OK(e->bytes == 1024 && e->fresh == 1024, "from thread to thread");
    OK(p->nsources == 1 && strcmp(p->sources[0].call, "read") == 0 &&
           strcmp(p->sources[0].file, "in.dat") == 0,
       "where input came from");
    uint64_t level[CC_LEVELS] = {0}, nodes = 0;
    for (int l = 0; l < CC_LEVELS; l++)
        for (size_t i = 0; i < p->nedges[l]; i++)
            level[l] += p->edges[l][i].bytes;
    for (size_t i = 0; i < p->nnodes; i++)
        nodes += p->nodes[i].bytes_read;
    OK(level[0] == nodes && level[1] == nodes && level[2] == nodes, "every level carries the same bytes");
    uint32_t at;
    OK(cc_profile_end(p, CC_LEVEL_FUNCTION, CC_SPECIAL_ID(CC_NODE_OUTPUT), &at) == CC_NODE_OUTPUT &&
           cc_profile_end(p, CC_LEVEL_FUNCTION, filter_id, &at) == CC_NODE_CONTEXT && at == filter_id,
       "ends are told apart");
}

static void test_whole(void)
{
    struct cc_err err = {0};
    const char *files[] = {rec_a, rec_b};
    OK(cc_import(files, 2, &run, cast, &err) == 0, "two snapshots are imported: %s", err.msg);
    struct cc_profile *p = NULL;
    if (!OK(cc_profile_load(cast, &p, &err) == 0, "and read back: %s", err.msg))
        return;
    OK_STR(p->program, "./prog", "program");
    OK(p->narguments == 3 && strcmp(p->arguments[1], "a b") == 0 && p->arguments[2][0] == 0, "arguments");
    OK_STR(p->isa, "aarch64", "instruction set");
    OK(p->exit_code == 3 && p->exit_signal == 0, "exit");
    OK(p->complete && !p->reason, "complete: the final snapshot was taken, whatever the order");
    OK_U64(p->instructions, FIXTURE_INSTRUCTIONS, "instructions of all threads");
    test_functions(p);
    test_tree(p);
    test_streams(p);
    cc_profile_free(p);
}

static void write_file(const char *to, const char *data, size_t n)
{
    FILE *f = fopen(to, "wb");
    fwrite(data, 1, n, f);
    fclose(f);
}

static void test_choice(const char *data, size_t size)
{
    struct cc_err err = {0};
    struct cc_profile *p = NULL;
    write_file(scratch, data, size - 1);
    const char *cut_first[] = {scratch, rec_a}, *only_cut[] = {scratch},
               *absent[] = {"/nonexistent/r", rec_a};
    OK(cc_import(cut_first, 2, &run, cast, &err) == 0 && cc_profile_load(cast, &p, &err) == 0,
       "a cut file is passed over for a whole one: %s", err.msg);
    OK(p && !p->complete && p->reason, "a snapshot that is not final makes an incomplete profile");
    OK_U64(p ? p->instructions : 0, 51500, "with what was known then");
    cc_profile_free(p);
    OK(cc_import(absent, 2, &run, cast, &err) == 0, "an absent file too");
    struct stat before, after;
    stat(cast, &before);
    OK(cc_import(only_cut, 1, &run, cast, &err) < 0 && strstr(err.msg, "damaged record file"),
       "a cut file alone is refused: %s", err.msg);
    stat(cast, &after);
    OK(before.st_ino == after.st_ino && before.st_size == after.st_size, "and the old profile stays");
    memset(&err, 0, sizeof err);
    const char *other[] = {"/etc/passwd"};
    OK(cc_import(other, 1, &run, cast, &err) < 0 && strstr(err.msg, "not a record file"), "a foreign file");
    memset(&err, 0, sizeof err);
    const char *fine[] = {rec_b};
    OK(cc_import(fine, 1, &run, "/nonexistent/x.cast", &err) < 0 && err.msg[0], "an unwritable output");
}

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 8;
}

/* A copy whose binaries are nowhere to be found: reading their debug information takes most of an import. */
static void hide_binaries(const char *data, size_t size, char *copy)
{
    memcpy(copy, data, size);
    struct cc_rec_head head;
    for (size_t at = 8; at + sizeof head < size; at += sizeof head + head.size) {
        memcpy(&head, copy + at, sizeof head);
        if (head.tag == CC_REC_BINARY)
            copy[at + sizeof head + sizeof(struct cc_rec_binary)] = '!'; /* of the path */
    }
}

static void test_record_damage(const char *data, size_t size)
{
    size_t silent = 0, accepted = 0, unreadable = 0;
    const char *files[] = {scratch};
    for (size_t n = 0; n < size; n += 7) { /* the parser's view of a cut file; the whole import on some */
        if (tap_leaves((unsigned)n))
            continue;
        write_file(scratch, data, n);
        struct cc_err err = {0};
        struct cc_rec_run r;
        silent += cc_records_check(scratch, &r, &err) >= 0 || !err.msg[0];
    }
    OK(silent == 0, "no truncation passes for whole");
    unsigned seed = 7;
    char *mutant = cc_alloc(size), *nameless = cc_alloc(size);
    hide_binaries(data, size, nameless);
    static const uint32_t odd[] = {0, 1, 0x7fffffff, 0x80000000, 0xffffffff, CC_SPECIAL, CC_SPECIAL_ID(5)};
    int rounds = tap_rounds(1000);
    for (int i = 0; i < rounds; i++) {
        memcpy(mutant, i % 16 ? nameless : data, size);
        for (int k = 0; k <= i % 3; k++) {
            size_t at = next_random(&seed) % (size - 8);
            uint32_t word = odd[next_random(&seed) % CC_COUNT(odd)];
            if (i & 1)
                memcpy(mutant + (at & ~(size_t)3), &word, 4);
            else
                mutant[at] ^= (char)(1 << next_random(&seed) % 8);
        }
        write_file(scratch, mutant, size);
        struct cc_err err = {0};
        if (cc_import(files, 1, &run, cast, &err) < 0) {
            silent += !err.msg[0];
            continue;
        }
        accepted++;
        struct cc_profile *p;
        if (cc_profile_load(cast, &p, &err) < 0) {
            unreadable++;
            continue;
        }
        cc_fixture_walk(p);
        cc_profile_free(p);
    }
    free(mutant);
    free(nameless);
    OK(silent == 0, "%d mutations of a record file: refused with a message or imported (%zu)", rounds,
       accepted);
    OK_U64(unreadable, 0, "and what was imported can be read");
    OK(accepted > (size_t)rounds / 30, "some damage hits only counts");
}

/* Where the program may take away our right to write files, an engine makes room in advance: megabytes of 0
 * behind the end. */
static void test_room(const char *data, size_t size)
{
    enum { ROOM = (2 << 20) + 5 };
    static const size_t bytes[] = {0, 1, 4096, (1 << 20) - 1, 1 << 20, (2 << 20) + 1, ROOM - 1};
    char *larger = cc_alloc(size + ROOM);
    memcpy(larger, data, size);
    struct cc_rec_run r;
    struct cc_err err = {0};
    write_file(scratch, larger, size + ROOM);
    OK(cc_records_check(scratch, &r, &err) == 0, "room behind the end: %s", err.msg);
    size_t passed = 0;
    for (size_t i = 0; i < CC_COUNT(bytes); i++) {
        larger[size + bytes[i]] = 1;
        write_file(scratch, larger, size + ROOM);
        passed += cc_records_check(scratch, &r, NULL) >= 0;
        larger[size + bytes[i]] = 0;
    }
    OK_U64(passed, 0, "but nothing else, wherever it stands");
    free(larger);
}

static void test_symbols(void)
{
    char exe[4096] = "", command[8400];
    if (readlink("/proc/self/exe", exe, sizeof exe - 1) < 0)
        return;
    struct cc_symbols *s = cc_symbols_new();
    struct cc_symbol_info info;
    cc_symbols_find(s, "/nonexistent/lib.so", 0x1139, &info);
    OK_STR(info.name, "lib.so+0x1139", "an absent file");
    OK(!info.symbol && !info.file && info.line == 0, "has no symbols");
    cc_symbols_find(s, "/etc/passwd", 0x10, &info);
    OK_STR(info.name, "passwd+0x10", "nor has a text file");
    struct cc_err err = {0};
    struct cc_profile *p;
    const char *files[] = {rec_b};
    cc_import(files, 1, &run, cast, &err);
    if (cc_profile_load(cast, &p, &err) < 0)
        return;
    uint64_t at = function(p, "filter")->offset;
    cc_symbols_find(s, exe, at, &info);
    OK_STR(info.name, "filter", "a symbol's start");
    cc_symbols_find(s, exe, at + 4, &info);
    OK_STR(info.name, "filter+0x4", "inside a symbol");
    snprintf(command, sizeof command, "strip --strip-all -o '%s' '%s' 2>/dev/null", scratch, exe);
    if (system(command) == 0) {
        char want[96];
        snprintf(want, sizeof want, "%s+0x%llx", strrchr(scratch, '/') + 1, (unsigned long long)at);
        cc_symbols_find(s, scratch, at, &info);
        OK_STR(info.name, want, "a stripped file");
    } else {
        SKIP("no strip(1) here");
    }
    cc_profile_free(p);
    cc_symbols_free(s);
}

int main(void)
{
    tap_folder(folder);
    snprintf(rec_a, sizeof rec_a, "%s/a", folder);
    snprintf(rec_b, sizeof rec_b, "%s/b", folder);
    snprintf(cast, sizeof cast, "%s/p.cast", folder);
    snprintf(scratch, sizeof scratch, "%s/scratch", folder);
    struct cc_fixture f;
    cc_fixture_start(&f);
    cc_fixture_snapshot(&f, rec_a, 0);
    cc_fixture_finish(&f);
    OK(cc_fixture_snapshot(&f, rec_b, CC_RUN_FINAL) == 0, "a record file is written");
    test_whole();
    char *data;
    size_t size;
    struct cc_err err = {0};
    if (cc_file_read(rec_b, 1 << 24, &data, &size, &err) < 0)
        return 99;
    test_choice(data, size);
    test_room(data, size);
    test_symbols();
    test_record_damage(data, size);
    free(data);
    unlink(rec_a);
    unlink(rec_b);
    unlink(cast);
    unlink(scratch);
    rmdir(folder);
    return TAP_DONE();
}
