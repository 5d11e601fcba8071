#include "fixture.h"
#include "host.h"
#include "place.h"
#include "profile/import.h"
#include "profile/profile.h"
#include "../collect/data.h"
#include "../collect/locality.h"

#include <stddef.h>
#include <elf.h>
#include <link.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void host_lock(void *self)
{
    (void)self;
}

/* --- code --- */

#define BODY(n) __asm__ volatile("" ::"r"(n))
void run_program(void)
{
    BODY(1);
}
void produce(void)
{
    BODY(2);
}
void filter(void)
{
    BODY(3);
}
void helper(void)
{
    BODY(4);
}
void consume(void)
{
    BODY(5);
}
void dive(void)
{
    BODY(6);
}
void worker(void)
{
    BODY(7);
}

/* This very program is the measured one: its executable mappings. */
static void add_self(struct cc_collect *c)
{
    static char exe[4096];
    if (readlink("/proc/self/exe", exe, sizeof exe - 1) < 0)
        abort();
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[8192];
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long start, end, offset;
        char flags[8];
        if (sscanf(line, "%lx-%lx %7s %lx", &start, &end, flags, &offset) == 4 && flags[2] == 'x' &&
            strstr(line, exe))
            cc_binary_add(c, exe, start, end, offset, true);
    }
    if (maps)
        fclose(maps);
}

static int note_bias(struct dl_phdr_info *info, size_t size, void *ret)
{
    (void)size;
    *(uint64_t *)ret = info->dlpi_addr;
    return 1; /* the first is the program */
}

/* What `filter` reads of `produce`. The options' texts stay as long as the collector. */
static void ask_for_channel(struct cc_options *o)
{
    static char exe[4096], text[64];
    uint64_t bias = 0;
    dl_iterate_phdr(note_bias, &bias);
    snprintf(text, sizeof text, "%llx:%llx", (unsigned long long)((uintptr_t)produce - bias),
             (unsigned long long)((uintptr_t)filter - bias));
    if (readlink("/proc/self/exe", exe, sizeof exe - 1) < 0)
        abort();
    o->program = exe;
    o->channels = text;
}

static void call(struct cc_thread *t, uint64_t now, void (*f)(void))
{
    struct cc_place place = cc_place_of(t->owner, (uint64_t)(uintptr_t)f, true);
    cc_call(t, now, place.function, now, 0); /* the time serves as return address */
}

static void leave(struct cc_thread *t, uint64_t now, uint64_t called)
{
    cc_return(t, now, called, 0);
}

/* --- marks --- */

static void mark(struct cc_thread *t, uint64_t now, uint32_t what, const char *name)
{
    static struct cc_mark_site sites[16]; /* they stay: scopes and problems point to them */
    static size_t used;
    struct cc_mark_site *s = &sites[used++ % CC_COUNT(sites)];
    *s = (struct cc_mark_site){.what = what, .name = name, .file = "fixture.c", .line = 7};
    cc_mark(t, now, s, 0);
}

/* --- data --- */

enum { BASE = 0x10000000, SIZE = 4096, INPUT = BASE, A = BASE + SIZE, B = A + SIZE, C = B + SIZE };
enum { STATIC = 0x20000000, KERNEL = 44 };

static void read_words(struct cc_thread *t, uint64_t at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        cc_read_any(t, at + i, 4);
}

static void write_words(struct cc_thread *t, uint64_t at, uint32_t bytes)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        cc_write_any(t, at + i, 4);
}

/* Code of the current function: ldr x1,[x0],#8; madd x2,x1,x1,x2; subs x3,x3,#1; b.ne, so many times. It says
 * that it lies where `filter` is, so that it has lines. */
static void run_loop(struct cc_thread *t, uint64_t turns)
{
    static const uint8_t loop[] = {0x01, 0x84, 0x40, 0xf8, 0x22, 0x08, 0x01, 0x9b,
                                   0x63, 0x04, 0x00, 0xf1, 0xa1, 0xff, 0xff, 0x54};
    uint32_t id = cc_block(t->owner, (uintptr_t)filter, loop, sizeof loop, 4, false);
    struct cc_rec_insn *insns = cc_block_insns(t->owner, id);
    for (int i = 0; i < 4; i++)
        insns[i] = (struct cc_rec_insn){.size = 4, .read = i == 0 ? 8 : 0};
    struct cc_block_slot slot = cc_block_slot(t->owner, id, t->function);
    (slot.own ? t->own : t->blocks)[slot.at] += turns;
}

/* A heap block of 64 bytes, half of it named, and one that is never freed or touched. */
static void touch_objects(struct cc_thread *t)
{
    enum { BLOCK = 0x60000000, RET = 0x5000, SP = 0x7000 };
    for (uint64_t i = 0; i < 2; i++) {
        cc_alloc_enter(t, CC_ALLOC_MALLOC, (uint64_t[]){64, 0, 0}, CC_OUTSIDE, RET + i, SP);
        cc_alloc_return(t, BLOCK + 128 * i, NULL, SP);
    }
    cc_data_name(t, BLOCK + 32, 32, "half", 4);
    for (uint64_t i = 0; i < 64; i += 4)
        cc_data_access(t->data, BLOCK + i, 4, true);
    cc_data_access(t->data, BLOCK + 12, 8, false);
}

/* Eight lines, each twice in a row, then all in turn: 8 found at once, 8 with seven between, 8 for the first
 * time. */
static void touch_lines(struct cc_thread *t)
{
    for (uint64_t i = 0; i < 24; i++)
        cc_locality_access(t, 2000 + i, A + (i < 16 ? i / 2 : i - 16) * 64, 8, false);
}

void cc_fixture_start(struct cc_fixture *f)
{
    struct cc_host host = cc_test_host;
    host.lock = host.unlock = host_lock;
    struct cc_options options = {.machine = EM_AARCH64, .objects = true, .locality = true};
    ask_for_channel(&options);
    f->c = cc_collect_new(&host, &options);
    add_self(f->c);
    cc_map_range(f->c, STATIC, 4096, CC_NODE_STATIC, CC_NONE);
    f->main = cc_thread_new(f->c, 100, 0);
    call(f->main, 100, run_program);
    cc_input(f->main, INPUT, SIZE, cc_source(f->c, "read", "in.dat"));
    mark(f->main, 800, CC_MARK_SITE_FRAME, "");
    mark(f->main, 900, CC_MARK_SITE_REGION_BEGIN, "making");
    call(f->main, 1000, produce);
    read_words(f->main, INPUT, SIZE);
    write_words(f->main, A, SIZE);
    touch_objects(f->main);
    touch_lines(f->main);
    leave(f->main, 51000, 1000);
    mark(f->main, 51100, CC_MARK_SITE_REGION_END, "making");
    cc_thread_sync(f->main, 51500);
}

void cc_fixture_finish(struct cc_fixture *f)
{
    struct cc_thread *t = f->main;
    f->worker = cc_thread_new(f->c, 101, 51500);
    call(f->worker, 50, worker);
    read_words(f->worker, A, 1024);
    leave(f->worker, 80050, 50);
    cc_thread_end(f->worker, 80100);

    mark(t, 51600, CC_MARK_SITE_FRAME, "");
    mark(t, 51700, CC_MARK_SITE_REGION_BEGIN, "filtering");
    mark(t, 51800, CC_MARK_SITE_REGION_BEGIN, "inner");
    call(t, 52000, filter);
    run_loop(t, 1000);
    for (int pass = 0; pass < 4; pass++)
        read_words(t, A, SIZE);
    for (int i = 0; i < 1024; i++)
        read_words(t, STATIC, KERNEL);
    for (uint64_t now = 60000; now < 60000 + 10 * 3000; now += 3000) {
        call(t, now, helper);
        leave(t, now + 2000, now);
    }
    write_words(t, B, SIZE);
    leave(t, 202000, 52000);
    mark(t, 202100, CC_MARK_SITE_REGION_END, "inner");
    mark(t, 202200, CC_MARK_SITE_REGION_END, "filtering");
    mark(t, 202300, CC_MARK_SITE_REGION_END, "ghost");

    call(t, 203000, consume);
    run_loop(t, 300);
    read_words(t, B, SIZE / 2);
    write_words(t, C, SIZE / 2);
    leave(t, 243000, 203000);

    for (uint64_t i = 0; i < 5; i++)
        call(t, 250000 + i, dive);
    for (uint64_t i = 5; i-- > 0;)
        leave(t, 270000 - i, 250000 + i);
    cc_output(t, C, SIZE / 2);
    leave(t, 299000, 100);
    cc_thread_end(t, 300000);
}

static int sink_write(void *self, const void *data, size_t size)
{
    return fwrite(data, 1, size, self) == size ? 0 : -1;
}

int cc_fixture_snapshot(struct cc_fixture *f, const char *path, uint32_t flags)
{
    FILE *out = fopen(path, "wb");
    if (!out)
        return -1;
    struct cc_sink sink = {out, sink_write};
    int rc = cc_snapshot(f->c, &sink, 4711, flags);
    return fclose(out) == 0 ? rc : -1;
}

/* --- loops: what engines would find in code, put in by hand --- */

static void append(FILE *f, uint32_t tag, const void *body, uint32_t size)
{
    struct cc_rec_head head = {tag, size};
    fwrite(&head, sizeof head, 1, f);
    fwrite(body, size, 1, f);
}

/* The inner loop's: it adds what is at 0x7000 to a register, for ever. */
static uint64_t put_code(FILE *f)
{
    static const struct cc_rec_loop_code code[] = {
        {.kind = CC_CODE_BLOCK, .a = 8, .b = 8, .value = 0x1004},
        {.kind = CC_CODE_INSN, .a = 4, .value = 0x1004},
        {.kind = CC_CODE_CONST, .to = 1, .bits = 64, .value = 0x7000},
        {.kind = CC_CODE_LOAD, .to = 2, .a = 1, .bits = 64},
        {.kind = CC_CODE_GET, .to = 3, .bits = 64, .value = CC_GUEST_ARM64_X0},
        {.kind = CC_CODE_OP, .op = CC_CODE_ADD, .to = 4, .a = 3, .b = 2, .bits = 64},
        {.kind = CC_CODE_PUT, .a = 4, .bits = 64, .value = CC_GUEST_ARM64_X0},
        {.kind = CC_CODE_NEXT, .value = 0x1004}};
    const size_t n = sizeof code / sizeof *code;
    for (size_t i = 0; i < n; i++)
        append(f, CC_REC_LOOP_CODE, &code[i], sizeof code[i]);
    return n;
}

/* Two loops, one inside the other, and what the outer one carries. */
static void put_loops(FILE *f, struct cc_rec_end end)
{
    const struct cc_rec_loop loops[] = {{.outer = CC_NONE,
                                         .function = 1,
                                         .header = 0x1000,
                                         .tick = 0x1000,
                                         .test = 0x1010,
                                         .invocations = 1,
                                         .iterations = 4,
                                         .instructions = 400,
                                         .trips_min = 4,
                                         .trips_max = 4,
                                         .cost_min = 90,
                                         .cost_max = 110,
                                         .cost_deviation = 8,
                                         .sampled_invocations = 1,
                                         .sampled_iterations = 4},
                                        {.id = 1,
                                         .function = 1,
                                         .header = 0x1004,
                                         .tick = 0x1004,
                                         .test = 0x1008,
                                         .invocations = 4,
                                         .iterations = 40,
                                         .instructions = 320,
                                         .trips_min = 10,
                                         .trips_max = 10,
                                         .cost_min = 8,
                                         .cost_max = 8,
                                         .sampled_invocations = 4,
                                         .sampled_iterations = 40}};
    const struct cc_rec_loop_node nodes[] = {
        {.parent = CC_NONE, .invocations = 1, .iterations = 4, .instructions = 400},
        {.id = 1, .loop = 1, .invocations = 4, .iterations = 40, .instructions = 320}};
    const struct cc_rec_loop_block blocks[] = {{.start = 0x1000, .end = 0x1004},
                                               {.loop = 1, .start = 0x1004, .end = 0x100c}};
    const struct cc_rec_dependence carried = {.kind = CC_DEPENDENCE_RAW,
                                              .first = 0x1008,
                                              .second = 0x1004,
                                              .place = 0x7000,
                                              .size = 8,
                                              .owner = CC_NONE,
                                              .distance_min = 1,
                                              .distance_max = 1,
                                              .count = 3};
    for (int i = 0; i < 2; i++) {
        append(f, CC_REC_LOOP, &loops[i], sizeof loops[i]);
        append(f, CC_REC_LOOP_NODE, &nodes[i], sizeof nodes[i]);
        append(f, CC_REC_LOOP_BLOCK, &blocks[i], sizeof blocks[i]);
    }
    append(f, CC_REC_ALLOCATION, &(struct cc_rec_allocation){.id = 3, .returns = {0x1008}},
           sizeof(struct cc_rec_allocation));
    append(f, CC_REC_DEPENDENCE, &carried, sizeof carried);
    struct cc_rec_dependence called = carried;
    called.loop = 1; /* the first function */
    called.flags = CC_DEPENDENCE_FIRST_CALL | CC_DEPENDENCE_SECOND_CALL;
    append(f, CC_REC_SIBLING, &called, sizeof called);
    end.records += 9 + put_code(f);
    append(f, CC_REC_END, &end, sizeof end);
}

/* In place of the last record, which ends the file. */
static int add_loops(const char *path)
{
    struct cc_rec_end end;
    const long tail = (long)(sizeof(struct cc_rec_head) + sizeof end);
    FILE *f = fopen(path, "r+b");
    if (!f)
        return -1;
    bool there = fseek(f, -(long)sizeof end, SEEK_END) == 0 && fread(&end, sizeof end, 1, f) == 1 &&
                 fseek(f, -tail, SEEK_END) == 0;
    if (there)
        put_loops(f, end);
    const uint32_t known = CC_LOOPS_DEPENDENCES; /* says the run */
    there = there &&
            fseek(f, (long)(8 + sizeof(struct cc_rec_head) + offsetof(struct cc_rec_run, loops)), SEEK_SET) ==
                0 &&
            fwrite(&known, sizeof known, 1, f) == 1;
    return fclose(f) == 0 && there ? 0 : -1;
}

int cc_fixture_cast(const char *path)
{
    char records[TAP_FOLDER];
    tap_file(records);
    struct cc_fixture f;
    cc_fixture_start(&f);
    cc_fixture_finish(&f);
    const char *const files[] = {records}, *const arguments[] = {"in.dat", "--fast"};
    struct cc_import_run run = {.program = "./fixture",
                                .arguments = arguments,
                                .narguments = 2,
                                .engine = "valgrind",
                                .complete = true,
                                .skip_sync = true};
    struct cc_err err = {0};
    int rc = cc_fixture_snapshot(&f, records, CC_RUN_FINAL);
    if (rc == 0)
        rc = add_loops(records);
    if (rc == 0)
        rc = cc_import(files, 1, &run, path, &err);
    unlink(records);
    if (rc < 0)
        fprintf(stderr, "%s\n", err.msg);
    return rc;
}

struct cc_profile *cc_fixture_profile(void)
{
    char cast[TAP_FOLDER];
    tap_file(cast);
    struct cc_profile *p = NULL;
    struct cc_err err = {0};
    if (cc_fixture_cast(cast) == 0)
        cc_profile_load(cast, &p, &err);
    unlink(cast);
    return p;
}

static uint64_t walk_streams(const struct cc_profile *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->ncalls; i++)
        sum += p->contexts[p->calls[i].context].calls + p->threads[p->calls[i].thread].tid;
    for (size_t i = 0; i < p->nspans; i++)
        sum += p->scopes[p->spans[i].scope].calls + p->threads[p->spans[i].thread].tid;
    for (size_t i = 0; i < p->nframe_parts; i++)
        sum += p->regions[p->frame_parts[i].region].calls;
    for (size_t i = 0; i < p->nslices; i++)
        sum += p->functions[p->slices[i].function].calls;
    for (size_t i = 0; i < p->nexecs; i++)
        sum += p->blocks[p->execs[i].block].address + p->functions[p->execs[i].function].calls +
               p->scopes[p->execs[i].scope].calls;
    for (size_t i = 0; i < p->nlines; i++)
        sum += p->blocks[p->lines[i].block].address +
               (p->lines[i].file == CC_NONE ? 0 : strlen(p->files[p->lines[i].file].path));
    for (size_t i = 0; i < p->nblocks; i++)
        for (uint32_t k = 0; k < p->blocks[i].size; k++)
            sum += p->blocks[i].code[k];
    for (size_t i = 0; i < p->nchannels; i++)
        sum += strlen(p->channel_from[i]) + strlen(p->channel_to[i]);
    return sum;
}

static uint64_t walk_edges(const struct cc_profile *p)
{
    uint64_t sum = 0;
    for (int l = 0; l < CC_LEVELS; l++) {
        for (size_t i = 0; i < p->nedges[l]; i++) {
            const uint32_t ends[] = {p->edges[l][i].producer, p->edges[l][i].consumer};
            for (int k = 0; k < 2; k++) {
                uint32_t at;
                if (cc_profile_end(p, (enum cc_level)l, ends[k], &at) == CC_NODE_CONTEXT)
                    sum += l == CC_LEVEL_CONTEXT    ? p->contexts[at].calls
                           : l == CC_LEVEL_FUNCTION ? p->functions[at].calls
                           : l == CC_LEVEL_REGION   ? p->regions[at].calls
                                                    : p->threads[at].tid;
            }
        }
    }
    return sum;
}

static uint64_t walk_objects(const struct cc_profile *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->nobjects; i++) {
        const struct cc_pobject *o = &p->objects[i];
        sum += strlen(o->name) + strlen(cc_storage_names[o->kind]);
        sum += o->function != CC_NONE ? p->functions[o->function].calls : 0;
        for (uint32_t k = 0; k < o->nsite; k++)
            sum += p->functions[p->object_sites[o->site + k].function].calls;
    }
    for (size_t i = 0; i < p->nobject_accesses; i++) {
        uint32_t f = p->object_accesses[i].function;
        sum += p->objects[p->object_accesses[i].object].size + (f > CC_SPECIAL ? 0 : p->functions[f].calls);
    }
    return sum;
}

uint64_t cc_fixture_walk(const struct cc_profile *p)
{
    uint64_t sum = walk_edges(p) + walk_objects(p) + walk_streams(p);
    for (size_t i = 0; i < p->ncontexts; i++)
        sum += p->functions[p->contexts[i].function].calls + p->threads[p->contexts[i].thread].tid;
    for (size_t i = 0; i < p->nfunctions; i++)
        sum += strlen(p->functions[i].name) +
               (p->functions[i].binary != CC_NONE ? strlen(p->binaries[p->functions[i].binary].path) : 0);
    for (size_t i = 0; i < p->nnodes; i++) {
        const struct cc_pnode *n = &p->nodes[i];
        sum += strlen(cc_node_kind_names[n->kind]) + p->scopes[n->scope].calls;
        sum += n->source != CC_NONE ? strlen(p->sources[n->source].call) : 0;
    }
    for (size_t i = 0; i < p->nscopes; i++)
        sum += strlen(p->scopes[i].name) + p->regions[p->scopes[i].region].calls;
    for (size_t i = 0; i < p->nregions; i++)
        sum += strlen(p->regions[i].name);
    for (size_t i = 0; i < p->nproblems; i++)
        sum += strlen(p->problems[i].text) + strlen(cc_problem_names[p->problems[i].kind]);
    return sum;
}
