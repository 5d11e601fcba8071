/* Shares of six kernels on several processors, against caches that see every access: the same misses, though
 * the trace has only what a recorder keeps. */
#include <inttypes.h>

#include "hidden.h"
#include "locality.h"
#include "../../../collect/locality.h"
#include "host.h"
#include "tap.h"

#include <unistd.h>

enum { MAX_ACCESSES = 1 << 21, TASKS = 64, PROCESSORS = 4 };
enum { RUNTIME = 32 }; /* lines of the runtime's that a processor touches between two pieces */

struct access {
    uint64_t address;
    bool write, atomic;
};

static struct access accesses[MAX_ACCESSES];
static size_t naccesses, ends[TASKS + 1]; /* by task */
static char path[TAP_FOLDER + 32];

static void touch(uint64_t address, bool write)
{
    if (naccesses < MAX_ACCESSES)
        accesses[naccesses++] = (struct access){address, write, false};
}

/* --- kernels: what task t of TASKS accesses --- */

enum { A = 0x1000000, B = 0x2000100, C = 0x3000240 };

static void stream(uint64_t t)
{
    for (uint64_t i = t * 256; i < (t + 1) * 256; i++) {
        touch(A + i * 8, false);
        touch(B + i * 8, false);
        touch(C + i * 8, true);
    }
}

static void stencil(uint64_t t)
{
    enum { WIDTH = 200 };
    for (uint64_t x = 1; x + 1 < WIDTH; x++) {
        touch(A + ((t + 0) * WIDTH + x) * 8, false);
        touch(A + ((t + 1) * WIDTH + x - 1) * 8, false);
        touch(A + ((t + 1) * WIDTH + x + 1) * 8, false);
        touch(A + ((t + 2) * WIDTH + x) * 8, false);
        touch(B + ((t + 1) * WIDTH + x) * 8, true);
    }
}

static void product(uint64_t t)
{
    for (uint64_t j = 0; j < TASKS; j++) {
        for (uint64_t k = 0; k < TASKS; k++) {
            touch(A + (t * TASKS + k) * 8, false);
            touch(B + (k * TASKS + j) * 8, false);
        }
        touch(C + (t * TASKS + j) * 8, true);
    }
}

static void transpose(uint64_t t)
{
    for (uint64_t x = 0; x < 512; x++) {
        touch(A + (x * TASKS + t) * 8, false);
        touch(B + (t * 512 + x) * 8, true);
    }
}

static void gather(uint64_t t)
{
    for (uint64_t i = 0; i < 1000; i++) {
        uint64_t at = (t * 1000 + i) * 0x9e3779b97f4a7c15u >> 48;
        touch(A + at * 4, false);
        touch(C + (t * 1000 + i) * 4, true);
    }
}

static void lists(uint64_t t)
{
    uint64_t at = t * 37 % 4096;
    for (uint64_t i = 0; i < 800; i++) {
        touch(A + at * 48, false);
        touch(A + at * 48 + 40, false);
        at = (at * 1103 + 17) % 4096;
    }
}

/* Words side by side that change again and again; every task has one of its own, eight of them a line. */
enum { CHANGES = 200 };

static void counters(uint64_t t)
{
    for (int i = 0; i < CHANGES; i++) {
        touch(A + t * 8, false);
        touch(A + t * 8, true);
    }
}

/* A word of a frame and one that lies a page's multiple away, in turn. */
enum { FRAME = 0x7000000 };

static void frames(uint64_t t)
{
    for (int i = 0; i < CHANGES && t == 0; i++) {
        touch(FRAME, true);
        touch(A, false);
    }
}

/* A word of a frame and three lines of other colours, in turn; then, as a task of its own, the frame alone.
 */
static void beside_frame(uint64_t t)
{
    for (int i = 0; i < CHANGES && t == 0; i++) {
        touch(FRAME, true);
        for (int k = 0; k < 3; k++)
            touch(A + (uint64_t)(16 + k) * 64, false);
    }
    for (int i = 0; i < CHANGES && t == 1; i++)
        touch(FRAME, false);
}

/* The first task stores to a line, all others load it. */
static void watchers(uint64_t t)
{
    for (int i = 0; i < CHANGES; i++)
        touch(A + i % 8 * 8, t == 0);
}

/* The first task stores to the second halves of lines, all others load these again and again. */
enum { HALVES = 100 };

static void halves(uint64_t t)
{
    for (uint64_t l = 0; l < HALVES; l++)
        for (int i = 0; i < 4; i++)
            touch(A + l * 64 + 32 + (uint64_t)i * 8, t == 0);
}

/* Words of a frame, which is the first half of the stack: one of a line that changes as variables do, one of
 * another that changes by atomics. */
static void shared_frame(uint64_t t)
{
    for (int i = 0; i < CHANGES; i++) {
        uint64_t word = FRAME + (t < 2 ? 0 : 256) + t % 2 * 8;
        touch(word, false);
        touch(word, true);
        accesses[naccesses - 1].atomic = t >= 2;
    }
}

/* A word that changes every eight accesses: two loads of it, and a store five behind the first. */
static void steady(uint64_t t)
{
    for (int i = 0; i < CHANGES && t == 0; i++)
        for (uint64_t k = 0; k < 8; k++)
            touch(k == 0 || k == 2 || k == 5 ? A : A + 64 * (1 + k), k == 5);
}

static const struct kernel {
    const char *name;
    void (*task)(uint64_t t);
} kernels[] = {{"stream", stream},       {"stencil", stencil}, {"product", product},
               {"transpose", transpose}, {"gather", gather},   {"lists", lists}};

/* --- recorded --- */

static struct cc_line_writer *writer;
static unsigned char pending[1 << 17];
static size_t npending;

/* A piece comes as its head, then its bytes. */
static void host_put(void *self, const void *data, size_t size)
{
    (void)self;
    uint32_t head[2];
    memcpy(pending + npending, data, size);
    npending += size;
    memcpy(head, pending, sizeof head);
    if (npending < sizeof head + head[1])
        return;
    if (head[0] & CC_LINES_OF_THREAD)
        cc_line_writer_add(writer, 0, pending + sizeof head, head[1], NULL);
    npending = 0;
}

static struct cc_line_trace *record(const struct kernel *k)
{
    struct cc_store *s;
    struct cc_line_trace *t = NULL;
    if (cc_store_create(path, &s, NULL) < 0)
        return NULL;
    cc_store_skip_sync(s);
    writer = cc_line_writer_new(s);
    struct cc_host host = cc_test_host;
    host.put_tasks = host_put;
    struct cc_options o = {.locality = true, .program = "", .machine = 183};
    struct cc_thread *thread = cc_thread_new(cc_collect_new(&host, &o), 1, 0);
    thread->stack_start = FRAME;
    thread->stack_size = 4096;
    naccesses = 0;
    for (uint64_t i = 0; i < TASKS; i++) {
        size_t from = naccesses;
        k->task(i);
        ends[i + 1] = naccesses;
        cc_locality_boundary(thread);
        for (size_t a = from; a < naccesses; a++)
            cc_locality_access(thread, a, accesses[a].address, 4,
                               accesses[a].atomic ? CC_LINE_ATOMIC : accesses[a].write);
    }
    cc_thread_end(thread, naccesses);
    if (cc_line_writer_finish(writer, NULL) == 0 && cc_store_commit(s, NULL) == 0 &&
        cc_store_open(path, &s, NULL) == 0) {
        cc_line_trace_load(s, 0, 0, &t, NULL);
        cc_store_free(s);
    }
    return t;
}

/* --- caches that see everything --- */

static uint64_t misses_of(const struct cc_sim_cache_config *c, size_t from, size_t to)
{
    uint32_t sets = c->size / c->line / c->ways;
    uint64_t *lines = cc_alloc_array((size_t)sets * c->ways, sizeof *lines), misses = 0;
    for (size_t a = from; a < to; a++) {
        uint64_t line = accesses[a].address / c->line + 1, *set = lines + (line - 1) % sets * c->ways;
        unsigned w = 0;
        while (w + 1 < c->ways && set[w] != line)
            w++;
        misses += set[w] != line;
        memmove(set + 1, set, w * sizeof *set);
        set[0] = line;
    }
    free(lines);
    return misses;
}

static struct cc_sim_config machine_of(uint32_t size, uint32_t line, uint32_t ways, unsigned cores)
{
    struct cc_sim_config m = {.cores = cores,
                              .clock_mhz = 100,
                              .icache = {4096, line, 1, 1},
                              .dcache = {size, line, ways, 1},
                              .write_back = true,
                              .write_buffer = 4,
                              .net = CC_SIM_CROSSBAR,
                              .net_width = 8,
                              .interleave = 4096,
                              .banks = 1};
    m.bank[0] = (struct cc_sim_bank_config){
        .serves = CC_SIM_CODE | CC_SIM_DATA, .latency = 20, .bandwidth = 8, .node = cores};
    for (int i = 0; i < CC_SIM_CLASSES; i++)
        m.cost[i] = 1;
    return m;
}

/* Blocks of neighbouring tasks on each processor. */
static double compare(const struct cc_line_trace *t, const struct cc_sim_config *m,
                      struct cc_locality_counts *counts)
{
    struct cc_locality_piece pieces[TASKS];
    double wanted = 0;
    for (unsigned i = 0; i < TASKS; i++) {
        unsigned p = i * m->cores / TASKS;
        pieces[i] = (struct cc_locality_piece){.processor = p,
                                               .from = ends[i],
                                               .to = ends[i + 1],
                                               .store = 4,
                                               .cycles = 3.0 * (double)(ends[i + 1] - ends[i])};
    }
    for (unsigned p = 0; p < m->cores; p++)
        wanted += (double)misses_of(&m->dcache, ends[p * TASKS / m->cores], ends[(p + 1) * TASKS / m->cores]);
    cc_locality_run(t, m, (struct cc_locality_places){0}, pieces, TASKS, counts);
    double stall = 0;
    for (unsigned i = 0; i < TASKS; i++)
        stall += pieces[i].stall;
    if (stall <= 0 || stall != counts->stall)
        return 1;
    return (counts->load_misses + counts->store_misses) / wanted - 1;
}

static void test_kernel(const struct kernel *k)
{
    static const uint32_t shapes[][3] = {{4096, 32, 1}, {16384, 64, 4}, {32768, 64, 2}};
    struct cc_line_trace *t = record(k);
    double worst = 0;
    for (unsigned i = 0; t && i < CC_COUNT(shapes); i++)
        for (unsigned cores = 1; cores <= PROCESSORS; cores *= 2) {
            struct cc_sim_config m = machine_of(shapes[i][0], shapes[i][1], shapes[i][2], cores);
            struct cc_locality_counts counts;
            double off = compare(t, &m, &counts);
            worst = CC_MAX(worst, off < 0 ? -off : off);
        }
    OK(t && worst < 0.02, "%s: misses of shares within %.2f %% of caches that see every access", k->name,
       100 * worst);
    cc_line_trace_free(t);
}

/* What one processor wrote in the region before, another has to fetch from it. */
static void test_sharing(void)
{
    struct cc_line_trace *t = record(&kernels[0]);
    struct cc_sim_config m = machine_of(32768, 64, 4, 2);
    struct cc_locality_piece pieces[2];
    double shared[2] = {0}, stall[2] = {0};
    for (unsigned p = 0; t && p < 2; p++) {
        for (unsigned i = 0; i < 2; i++)
            pieces[i] = (struct cc_locality_piece){.processor = i * p,
                                                   .from = ends[0],
                                                   .to = ends[1],
                                                   .start = i * 1e6,
                                                   .store = 4,
                                                   .cycles = 1000};
        pieces[1].visit = (struct cc_locality_visit){RUNTIME - 8, 8};
        struct cc_locality_counts c;
        cc_locality_run(t, &m, (struct cc_locality_places){0}, pieces, 2, &c);
        shared[p] = c.load_misses + c.store_misses;
        stall[p] = pieces[1].stall;
    }
    OK(t && stall[0] == 0 && shared[0] == 96 + RUNTIME, "the same processor finds all it touched (%g)",
       shared[0]);
    OK(t && stall[1] > 500 && shared[1] == 2 * 96 + RUNTIME, "another finds nothing of it (%g, %g cycles)",
       shared[1], stall[1]);
    cc_line_trace_free(t);
}

/* Lines that the runtime only writes come into caches that are written back, and into no others. */
static void test_visit(void)
{
    struct cc_line_trace *t = record(&kernels[0]);
    double misses[2][2] = {0};
    for (unsigned i = 0; t && i < 4; i++) {
        struct cc_sim_config m = machine_of(32768, 64, 4, 1);
        m.write_back = i / 2;
        struct cc_locality_piece piece = {.from = ends[0], .to = ends[1], .store = 4, .cycles = 1000};
        if (i % 2)
            piece.visit = (struct cc_locality_visit){5, 7};
        struct cc_locality_counts c;
        cc_locality_run(t, &m, (struct cc_locality_places){0}, &piece, 1, &c);
        misses[i / 2][i % 2] = c.load_misses;
    }
    OK(t && misses[0][1] == misses[0][0] + 5, "written through: what the runtime loads (%g, %g)",
       misses[0][0], misses[0][1]);
    OK(t && misses[1][1] == misses[1][0] + 12, "written back: what it writes, too (%g, %g)", misses[1][0],
       misses[1][1]);
    cc_line_trace_free(t);
}

/* Records that take turns: as many of them come into the cache as there are, and the first comes back. */
static void test_records(void)
{
    enum { VISITS = 7, LOADED = 5, STORED = 3, RECORDS = 4 };
    struct cc_line_trace *t = record(&kernels[0]);
    double misses[2] = {0};
    for (unsigned i = 0; t && i < 2; i++) {
        struct cc_sim_config m = machine_of(32768, 64, 16, 1);
        struct cc_locality_piece pieces[VISITS];
        for (unsigned v = 0; v < VISITS; v++)
            pieces[v] = (struct cc_locality_piece){.from = ends[0],
                                                   .to = ends[1],
                                                   .start = v * 1e6,
                                                   .store = 4,
                                                   .cycles = 1000,
                                                   .visit = {LOADED, STORED, i * RECORDS}};
        struct cc_locality_counts c;
        cc_locality_run(t, &m, (struct cc_locality_places){0}, pieces, VISITS, &c);
        misses[i] = c.load_misses;
    }
    OK(t && misses[1] == misses[0] + (RECORDS - 1) * STORED, "records of the runtime take turns (%g, %g)",
       misses[0], misses[1]);
    cc_line_trace_free(t);
}

/* Two processors change words, of one line or of two, at the same time: a line goes to and fro as often as
 * they change it in turn, though the trace has each of them once. */
static void test_false_sharing(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"counters", counters});
    struct cc_sim_config m = machine_of(32768, 64, 4, 2);
    double stall[2] = {0}, taken = 0;
    for (unsigned apart = 0; t && apart < 2; apart++) {
        struct cc_locality_piece pieces[2];
        for (unsigned i = 0; i < 2; i++) {
            unsigned task = i * (apart ? 8 : 1);
            pieces[i] = (struct cc_locality_piece){.processor = i,
                                                   .from = ends[task],
                                                   .to = ends[task + 1],
                                                   .store = 4,
                                                   .cycles = 100 * CHANGES};
        }
        struct cc_locality_counts c;
        cc_locality_run(t, &m, (struct cc_locality_places){0}, pieces, 2, &c);
        stall[apart] = pieces[0].stall + pieces[1].stall;
        taken = apart ? taken : c.shared / (2 * CHANGES);
    }
    OK(t && stall[1] < 4 * 40, "words in two lines disturb nobody (%g cycles)", stall[1]);
    OK(t && stall[0] > 10 * stall[1] && taken > 0.4 && taken < 1.2,
       "words in one line are taken away most of the times (%g of the changes, %g cycles)", taken, stall[0]);
    cc_line_trace_free(t);
}

/* Of the changes of two processors to words of one recorded stack line, the part for which it went from one
 * to the other; `above`: it is known to be the opener's. */
static double taken_by_others(const struct cc_line_trace *t, bool atomic, bool above)
{
    struct cc_sim_config m = machine_of(32768, 64, 4, 2);
    struct cc_locality_piece pieces[2];
    for (unsigned i = 0; i < 2; i++)
        pieces[i] = (struct cc_locality_piece){.processor = i,
                                               .from = ends[2 * atomic + i],
                                               .to = ends[2 * atomic + i + 1],
                                               .store = 4,
                                               .shared = above ? FRAME : 0,
                                               .cycles = 100 * CHANGES};
    struct cc_locality_counts c;
    cc_locality_run(t, &m, (struct cc_locality_places){0}, pieces, 2, &c);
    return c.shared / (2 * CHANGES);
}

/* What two processors change on a recorded stack is each one's own, but not what they change by atomics or
 * lies above the region's frame: that is a variable of the function that opened their region, and its line
 * goes to and fro. */
static void test_common_stack(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"shared frame", shared_frame});
    double own = t ? taken_by_others(t, false, false) : 1, atomic = t ? taken_by_others(t, true, false) : 0,
           above = t ? taken_by_others(t, false, true) : 0;
    OK(own == 0, "what is on the stack is each processor's own (%g of the changes)", own);
    OK(atomic > 0.4 && atomic < 1.2, "but what atomics change there is everybody's (%g)", atomic);
    OK(above > 0.4 && above < 1.2, "and what lies above the region's frame (%g)", above);
    cc_line_trace_free(t);
}

/* Two lines of one set: where they lie in another environment is elsewhere, and they meet in one place of
 * all.
 */
static void test_places(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"frames", frames});
    struct cc_sim_config m = machine_of(4096, 64, 1, 1);
    unsigned meet = 0, apart = 0;
    for (unsigned chance = 0; t && chance < 64; chance++) {
        struct cc_locality_piece x = {.from = ends[0], .to = ends[1], .store = 4, .cycles = 1000};
        struct cc_locality_counts c;
        cc_locality_run(t, &m, (struct cc_locality_places){chance}, &x, 1, &c);
        meet += c.load_misses + c.store_misses == 2 * CHANGES;
        apart += c.load_misses + c.store_misses == 2;
    }
    OK(meet == 1 && apart == 63, "a stack has all places of a page (meets another line in %u, not in %u)",
       meet, apart);
    cc_line_trace_free(t);
}

/* Misses of a thread whose stack lies so many lines behind the recorded one, or one line off. */
static double missed_at(const struct cc_line_trace *t, unsigned lines, uint32_t ways)
{
    struct cc_sim_config m = machine_of(4096 * ways, 64, ways, 2);
    struct cc_locality_piece pieces[2] = {
        {.processor = 1, .from = ends[0], .to = ends[1], .end = 1000, .store = 4, .cycles = 1000},
        {.processor = 1, .from = ends[1], .to = ends[2], .start = 1000, .store = 4, .cycles = 1000}};
    struct cc_locality_counts c;
    cc_locality_run(t, &m, (struct cc_locality_places){0, 1 + lines}, pieces, 2, &c);
    return c.load_misses + c.store_misses;
}

/* Where threads have their stacks the library knows: there they meet the lines of the program that are of
 * those colours, also by what the trace leaves out. What they wrote there is their own in all they do. */
static void test_thread_places(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"beside a frame", beside_frame});
    double met = t ? missed_at(t, 17, 1) : 0, apart = t ? missed_at(t, 40, 1) : 0;
    OK(met >= 2 * CHANGES && met < 2 * CHANGES + 4, "a stack drives out a line and is driven out (%g misses)",
       met);
    OK(apart == 4, "elsewhere all are at hand, and what it wrote before as well (%g misses)", apart);
    OK(t && missed_at(t, 17, 2) == 4, "and in a cache of two ways (%g misses)", t ? missed_at(t, 17, 2) : 0);
    cc_line_trace_free(t);
}

/* Two processors that begin together and change one line: by a few cycles they wait for it more or less. */
static void test_moments(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"counters", counters});
    struct cc_sim_config m = machine_of(32768, 64, 4, 2);
    double stall[8] = {0}, again = 0;
    unsigned others = 0;
    for (unsigned i = 0; t && i < CC_COUNT(stall) + 1; i++) {
        struct cc_locality_piece pieces[2] = {
            {.processor = 0, .from = ends[0], .to = ends[1], .store = 4, .cycles = 100 * CHANGES},
            {.processor = 1, .from = ends[1], .to = ends[2], .store = 4, .cycles = 100 * CHANGES}};
        struct cc_locality_counts c;
        cc_locality_run(t, &m, (struct cc_locality_places){i % CC_COUNT(stall)}, pieces, 2, &c);
        *(i < CC_COUNT(stall) ? &stall[i] : &again) = c.stall;
        others += i < CC_COUNT(stall) && c.stall != stall[0];
    }
    OK(others > 3 && again == stall[0], "moments differ, and repeat (%u of 7 others, %g and %g)", others,
       stall[0], again);
    cc_line_trace_free(t);
}

/* Pieces of "counters": the first and second word of one line on two processors, the latter behind something
 * else that the schedule thinks is over at 1e6 or lets it wait for. */
static double changed_together(const struct cc_line_trace *t, bool waited, unsigned who)
{
    struct cc_sim_config m = machine_of(32768, 64, 4, 3);
    struct cc_locality_piece pieces[3] = {
        {.processor = who, .from = ends[8], .to = ends[9], .end = 1e6, .cycles = 10},
        {.processor = 0, .from = ends[0], .to = ends[1], .cycles = 100 * CHANGES, .end = 1e5},
        {.processor = 1, .from = ends[1], .to = ends[2], .cycles = 100 * CHANGES, .waited = waited}};
    pieces[2].start = 1e6;
    pieces[2].end = 1.1e6;
    struct cc_locality_counts c = {0};
    if (t)
        cc_locality_run(t, &m, (struct cc_locality_places){0}, pieces, 3, &c);
    return c.shared / CHANGES;
}

/* What is scheduled for later begins when what is before it is over: the schedule may have been wrong about
 * how long that takes. */
static void test_following(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"counters", counters});
    double follows = changed_together(t, false, 1), released = changed_together(t, true, 2);
    OK(t && follows > 0.4, "a piece follows the one before on its processor (%g)", follows);
    OK(t && released > 0.4, "a piece that waited follows the one that let it go (%g)", released);
    double late = changed_together(t, true, 1);
    OK(t && late < 0.1, "no other's: its own piece before lets nobody go (%g)", late);
    cc_line_trace_free(t);
}

/* A processor that slept while another worked has been in the runtime when it wakes, and nothing that it did
 * there comes before what the model has done with: it would seem to have waited for others all that time.
 */
static void test_waking(void)
{
    enum { BEFORE = 20, ALL = BEFORE + 2 };
    struct cc_line_trace *t = record(&(struct kernel){"counters", counters});
    struct cc_sim_config m = machine_of(32768, 64, 4, 2);
    struct cc_locality_piece pieces[ALL];
    for (unsigned i = 0; i < ALL; i++)
        pieces[i] = (struct cc_locality_piece){.from = ends[0],
                                               .to = ends[1],
                                               .start = CC_MIN(i, BEFORE) * 1e6,
                                               .end = CC_MIN(i + 1, BEFORE + 1) * 1e6,
                                               .store = 4,
                                               .cycles = 100 * CHANGES};
    struct cc_locality_piece *last = &pieces[ALL - 1];
    last->processor = 1;
    last->from = ends[1];
    last->to = ends[2];
    last->waited = true;
    last->visit = (struct cc_locality_visit){RUNTIME, 0, 0};
    struct cc_locality_counts c = {0};
    if (t)
        cc_locality_run(t, &m, (struct cc_locality_places){0}, pieces, ALL, &c);
    OK(t && c.late == 0, "who wakes does nothing in the past (%" PRIu64 " accesses)", c.late);
    OK(t && c.shared > 1.9 * CHANGES, "and shares a line from then on (%g)", c.shared);
    cc_line_trace_free(t);
}

static bool wants(const void *self, const struct cc_line_event *e)
{
    (void)self;
    return e->address == A;
}

/* What the trace leaves out of a line comes when it came: no more than one access early or late. */
static void test_hidden(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"steady", steady});
    struct hidden h = {.wanted = wants};
    struct cc_line_cursor from;
    struct hidden_access a;
    unsigned n = 0, late = 0;
    if (t) {
        cc_line_seek(t, 0, &from);
        cc_hidden_begin(&h, &from, ends[1]);
        for (; cc_hidden_next(&h, (double)ends[1], &a); n++) {
            bool near = false;
            for (double at = a.time - 1; at <= a.time + 1; at++) {
                uint64_t i = (uint64_t)CC_MAX(at + 0.5, 0.0);
                near |= i < naccesses && accesses[i].address == A &&
                        accesses[i].write == (a.kind == CC_LINE_STORE);
            }
            late += !near;
        }
    }
    OK(t && n >= 3 * (CHANGES - 1) && late == 0, "changes come when they came (%u, %u of them not)", n, late);
    cc_hidden_fini(&h);
    cc_line_trace_free(t);
}

/* A line that one processor stores to while another loads it: every access is made once, and the loads wait,
 * up to the last store; the loads behind that find what the first of them found. A line that nobody stores to
 * is loaded as often as the trace has it, the rest finds it. */
static void test_watching(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"watchers", watchers});
    struct cc_sim_config m = machine_of(32768, 64, 4, 2);
    struct cc_locality_counts c[2] = {0};
    double stall[2] = {0};
    for (unsigned first = 0; t && first < 2; first++) {
        struct cc_locality_piece pieces[2];
        for (unsigned i = 0; i < 2; i++)
            pieces[i] = (struct cc_locality_piece){.processor = i,
                                                   .from = ends[first + i],
                                                   .to = ends[first + i + 1],
                                                   .store = 8,
                                                   .cycles = 100 * CHANGES};
        cc_locality_run(t, &m, (struct cc_locality_places){0}, pieces, 2, &c[first]);
        stall[first] = pieces[1].stall;
    }
    OK(t && c[0].stores == CHANGES && c[0].loads <= CHANGES && c[0].loads > 0.8 * CHANGES &&
           c[0].shared > 0.5 * CHANGES && stall[0] > 10 * stall[1],
       "loads wait for a line that another stores to (%g of %d, %g cycles)", c[0].shared, CHANGES, stall[0]);
    OK(t && c[1].stores == 0 && c[1].loads == 4 && c[1].shared == 0, "and find one that nobody does (%g)",
       c[1].loads);
    cc_line_trace_free(t);
}

/* Stores that find the line changed by a store before, which nobody can take: they are made no more where
 * caches are written back, and each of them goes out where they are written through. */
static void test_changed_again(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"counters", counters});
    double stores[2] = {0}, stall[2] = {0};
    for (unsigned back = 0; t && back < 2; back++) {
        struct cc_sim_config m = machine_of(32768, 64, 4, 1);
        struct cc_locality_piece x = {.from = ends[0], .to = ends[1], .store = 4, .cycles = 1000 * CHANGES};
        struct cc_locality_counts c;
        m.write_back = back;
        cc_locality_run(t, &m, (struct cc_locality_places){0}, &x, 1, &c);
        stores[back] = c.stores;
        stall[back] = x.stall;
    }
    OK(t && stores[0] == CHANGES && stores[1] <= 2,
       "a line that is changed already is not changed again (%g, %g)", stores[0], stores[1]);
    OK(t && stall[1] > 0 && stall[1] < 100, "and waits for once (%g cycles)", stall[1]);
    cc_line_trace_free(t);
}

/* Where lines have 32 bytes, loads that the trace leaves out touch no half that the program did not. */
static void test_halves(void)
{
    struct cc_line_trace *t = record(&(struct kernel){"halves", halves});
    struct cc_sim_config m = machine_of(32768, 32, 4, 2);
    struct cc_locality_piece pieces[2];
    struct cc_locality_counts c = {0};
    for (unsigned i = 0; i < 2; i++)
        pieces[i] = (struct cc_locality_piece){
            .processor = i, .from = ends[i], .to = ends[i + 1], .start = i * 1e5, .store = 8, .cycles = 4000};
    if (t)
        cc_locality_run(t, &m, (struct cc_locality_places){0}, pieces, 2, &c);
    OK(c.loads > HALVES && c.load_misses + c.store_misses == 2 * HALVES,
       "halves of lines: each misses once on each processor (%g)", c.load_misses + c.store_misses);
    cc_line_trace_free(t);
}

/* One task with its data at hand nowhere: what it waits more when others wait for its stores. */
static double publishing(const struct cc_line_trace *t, uint32_t write_buffer)
{
    struct cc_sim_config m = machine_of(32768, 64, 4, 2);
    double stall[2] = {0};
    m.write_buffer = write_buffer;
    for (unsigned i = 0; i < 2; i++) {
        struct cc_locality_piece x = {
            .from = ends[0], .to = ends[1], .published = i, .store = 4, .cycles = 10};
        struct cc_locality_counts c;
        cc_locality_run(t, &m, (struct cc_locality_places){0}, &x, 1, &c);
        stall[i] = x.stall;
    }
    return stall[1] - stall[0];
}

/* Stores on their way are nothing to their own processor, but whom it lets go has to find them. */
static void test_published(void)
{
    struct cc_line_trace *t = record(&kernels[0]);
    double few = t ? publishing(t, 1) : 0, many = t ? publishing(t, 4) : 0;
    OK(t && publishing(t, 0) == 0, "without a write buffer there is nothing left to wait for");
    OK(few > 0 && many >= few, "with one, as long as it takes to empty it (%g cycles, four slots: %g)", few,
       many);
    cc_line_trace_free(t);
}

int main(void)
{
    char folder[TAP_FOLDER];
    tap_folder(folder);
    snprintf(path, sizeof path, "%s/share.cast", folder);
    for (size_t i = 0; i < CC_COUNT(kernels); i++)
        test_kernel(&kernels[i]);
    test_sharing();
    test_visit();
    test_records();
    test_false_sharing();
    test_common_stack();
    test_places();
    test_thread_places();
    test_moments();
    test_following();
    test_waking();
    test_hidden();
    test_watching();
    test_changed_again();
    test_halves();
    test_published();
    unlink(path);
    rmdir(folder);
    return TAP_DONE();
}
