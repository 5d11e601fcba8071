/* What threads run of code that goes over what their own iterations left: as much as they left. */
#include "test_run.h"
#include "analysis/predict/portion.h"
#include "tap.h"

#include <unistd.h>

enum { ITERATIONS = 8, INTS = CC_LOCALITY_LINE / 4, MOST_TEXT = 4096, PIECES = 4 * ITERATIONS + 8 };
enum { BUFFER = 0x1000000, OUT = 0x2000100, TABLE = 0x3000240 };

/* One region: code before a loop of eight iterations, each of which leaves a line, and code that joins what
 * they left to what all share. */
struct program {
    const char *scenario;
    bool sets, again, locked; /* the buffer before the loop; the same line each time; in a critical section */
    unsigned table;           /* so much else is read at the end */
    bool atomic, stack;
    unsigned rounds; /* of loop and join, besides the first */
};

static char path[TAP_FOLDER + 32], csv[MOST_TEXT];
static size_t ncsv;
static unsigned char bytes[1 << 16];
static size_t nbytes, nstart;
static uint64_t now, told, grain, start[PIECES];

static void put(uint64_t n)
{
    for (; n >= 128; n >>= 7)
        bytes[nbytes++] = (unsigned char)(n | 128);
    bytes[nbytes++] = (unsigned char)n;
}

static void put_pair(uint64_t address, uint32_t flags)
{
    put(now - told);
    put(cc_lines_pair((int64_t)(address / CC_LOCALITY_GRAIN - grain), flags));
    told = now;
    grain = address / CC_LOCALITY_GRAIN;
}

/* All numbers of a line, one after the other: the first is told, the others are counted. */
static void touch_line(uint64_t address, enum cc_line_kind kind, bool stack)
{
    uint32_t on = stack ? CC_LINES_STACK : 0,
             flags = on | (kind ? CC_LINES_WRITE : 0) | (kind == CC_LINE_ATOMIC ? CC_LINES_ATOMIC : 0);
    put_pair(address, flags);
    now += INTS;
    put_pair(address, CC_LINES_COUNT | on);
    for (int k = 0; k < CC_LINE_KINDS; k++)
        put(k == (int)kind ? INTS - 1 : 0);
    put(1);
    put(INTS - 2);
    for (int i = 1; i < INTS; i++)
        put(1 << 2 | kind);
}

static uint64_t begin(void)
{
    start[nstart++] = now;
    return now;
}

static void end(const char *name, uint64_t from)
{
    ncsv +=
        (size_t)snprintf(csv + ncsv, sizeof csv - ncsv, "%s,%u,%u\n", name, (unsigned)from, (unsigned)now);
}

static void run_loop(const struct program *p)
{
    for (unsigned k = 0; k < ITERATIONS; k++) {
        uint64_t it = begin();
        now++;
        uint64_t lock = p->locked ? begin() : 0;
        touch_line(BUFFER + (p->again ? 0 : k) * CC_LOCALITY_LINE, p->atomic ? CC_LINE_ATOMIC : CC_LINE_STORE,
                   p->stack);
        if (p->locked)
            end("lock", lock);
        now += k % 2; /* neighbours that are equal would be one node */
        end("it", it);
    }
}

static void run_join(const struct program *p)
{
    uint64_t join = begin();
    for (unsigned i = 0; i < (p->again ? 1 : ITERATIONS); i++) {
        touch_line(BUFFER + i * CC_LOCALITY_LINE, CC_LINE_LOAD, p->stack);
        touch_line(OUT + i * CC_LOCALITY_LINE, CC_LINE_STORE, false);
    }
    for (unsigned i = 0; i < p->table; i++)
        touch_line(TABLE + i * CC_LOCALITY_LINE, CC_LINE_LOAD, false);
    end("join", join);
}

static void run_program(const struct program *p)
{
    nstart = ncsv = nbytes = 0;
    now = told = grain = 0;
    start[nstart++] = 0;
    uint64_t region = begin();
    for (unsigned i = 0; p->sets && i < ITERATIONS; i++)
        touch_line(BUFFER + i * CC_LOCALITY_LINE, CC_LINE_STORE, p->stack);
    for (unsigned r = 0; r <= p->rounds; r++) {
        run_loop(p);
        run_join(p);
    }
    end("region", region);
}

static struct cc_line_trace *record(const struct program *p)
{
    struct cc_store *s;
    struct cc_line_trace *t = NULL;
    if (cc_store_create(path, &s, NULL) < 0)
        return NULL;
    cc_store_skip_sync(s);
    struct cc_line_writer *writer = cc_line_writer_new(s);
    run_program(p);
    cc_line_writer_add(writer, 0, bytes, nbytes, NULL);
    if (cc_line_writer_finish(writer, NULL) == 0 && cc_store_commit(s, NULL) == 0 &&
        cc_store_open(path, &s, NULL) == 0) {
        cc_line_trace_load(s, 0, 0, &t, NULL);
        cc_store_free(s);
    }
    return t;
}

/* How much of the last join a thread runs that had the first `n` iterations of each round (1), or all others
 * (2); 1 if nothing tells. */
static double share_at(const struct program *p, unsigned n, uint16_t of, double *from)
{
    double ret = NAN, store[] = {4, 4, 4, 4, 4, 4};
    uint16_t ran_by[PIECES] = {0};
    struct cc_htg *h = NULL;
    struct cc_scenario *s = NULL;
    struct cc_predict_plan *plan = NULL;
    struct bound *bounds = NULL;
    struct cc_line_trace *t = record(p);
    if (t &&
        cc_htg_parse_csv("t.csv", csv, ncsv, &(struct cc_htg_options){.any_thread = true}, &h, &last) == 0 &&
        cc_scenario_parse("s.omp", p->scenario, strlen(p->scenario), &s, &last) == 0 &&
        cc_predict_plan_new(h, s, &plan, &last) == 0 && cc_plan_bind(plan, 4, &bounds, &last) == 0) {
        h->lines = t;
        uint32_t join = 0;
        for (uint32_t i = 1, k = 0; i < h->nnodes; i++) {
            if (strcmp(h->names[h->nodes[i].name], "it") == 0)
                ran_by[i] = k++ % ITERATIONS < n ? 1 : 2;
            join = strcmp(h->names[h->nodes[i].name], "join") == 0 ? i : join;
        }
        struct local l = {.h = h, .start = start, .store = store};
        struct portions *found = cc_portions_new(&l, plan, bounds);
        size_t at = cc_portion_find(found, join, PIECE_ALL);
        ret = at == SIZE_MAX ? 1 : cc_portion_share(found, at, ran_by, of, from);
        cc_portions_free(found);
        h->lines = NULL;
    }
    if (bounds)
        cc_plan_bound_free(bounds, s->n);
    cc_predict_plan_free(plan);
    cc_scenario_free(s);
    cc_htg_free(h);
    cc_line_trace_free(t);
    return ret;
}

static double share_of(const struct program *p, unsigned n)
{
    double from;
    return share_at(p, n, 1, &from);
}

#define REGION "region = #pragma omp parallel\n"
#define NOWAIT "it = #pragma omp for schedule(static) nowait\n"
#define WAIT "it = #pragma omp for schedule(static)\n"
#define JOIN "join = #pragma omp critical\n"

/* The region's first store on the stack is at the begin of a page: there its frame is, within 32 bytes. */
static void test_frame(void)
{
    struct program p = {.sets = true, .stack = true};
    struct cc_line_trace *t = record(&p);
    struct cc_htg *h = NULL;
    struct local l = {.start = start};
    struct local_run r = {.l = &l}, serial = {.l = &l};
    if (t &&
        cc_htg_parse_csv("t.csv", csv, ncsv, &(struct cc_htg_options){.any_thread = true}, &h, &last) == 0) {
        h->lines = t;
        l.h = h;
        cc_local_stacks(&serial, 1, 416);
        cc_local_region(&serial, 1, false);
        h->threaded = true;
        cc_local_stacks(&r, 1, 416);
        cc_local_region(&r, 1, false);
        h->lines = NULL;
    }
    OK(r.stacks == 1 + 6, "at 416 of a page threads' stacks are six lines behind it (%u)", r.stacks);
    OK(r.shared == BUFFER + CC_LOCALITY_LINE, "above its line the stack is the opener's");
    OK(serial.stacks == 0 && serial.shared == 0, "code of the serial program has no frame of a region");
    cc_htg_free(h);
    cc_line_trace_free(t);
}

int main(void)
{
    char folder[TAP_FOLDER];
    tap_folder(folder);
    snprintf(path, sizeof path, "%s/portion.cast", folder);
    struct program p = {.scenario = REGION NOWAIT JOIN};
    OK_NEAR(share_of(&p, ITERATIONS), 1, 1e-12, "a thread that had all iterations joins all");
    OK_NEAR(share_of(&p, 2), 0.25, 1e-12, "of a quarter of them a quarter");
    OK_NEAR(share_of(&p, 0), 0, 1e-12, "of none nothing");
    double from = 0;
    share_at(&p, 2, 1, &from);
    OK_NEAR(from, 0, 0.01, "the first iterations left what lies first");
    OK_NEAR(share_at(&p, ITERATIONS - 2, 2, &from), 0.25, 1e-12, "the last ones as much");
    OK_NEAR(from, 0.75, 0.01, "at the end");
    p.scenario = REGION NOWAIT;
    OK_NEAR(share_of(&p, 2), 0.25, 1e-12, "without a lock as well");
    p.scenario = REGION NOWAIT JOIN;
    p.table = 2 * ITERATIONS;
    OK_NEAR(share_of(&p, 2), 1 - 0.5 * 0.75, 1e-12, "what it reads besides it reads whatever they left");
    p = (struct program){.scenario = REGION NOWAIT JOIN, .again = true};
    OK_NEAR(share_of(&p, 2), 1 - pow(0.75, ITERATIONS), 1e-12, "what each writes anew is nearly all there");
    p = (struct program){.scenario = REGION NOWAIT JOIN, .rounds = 2};
    OK_NEAR(share_of(&p, 2), 0.25, 1e-12, "of what was left since the same was done before");
    p = (struct program){.scenario = REGION WAIT JOIN, .stack = true};
    OK_NEAR(share_of(&p, 2), 0.25, 1e-12, "on the stack and with a lock behind a barrier as well");

    p = (struct program){.scenario = REGION WAIT JOIN};
    OK_NEAR(share_of(&p, 2), 1, 0, "behind a barrier it may be everybody's");
    p = (struct program){.scenario = REGION WAIT, .stack = true};
    OK_NEAR(share_of(&p, 2), 1, 0, "on the stack as well, where there is no lock");
    p = (struct program){.scenario = REGION WAIT JOIN, .stack = true, .sets = true};
    OK_NEAR(share_of(&p, 2), 1, 0, "and where it was set before");
    p = (struct program){.scenario = REGION NOWAIT JOIN, .sets = true};
    OK_NEAR(share_of(&p, 2), 1, 0, "what was set before the loop is there without iterations");
    p = (struct program){.scenario = REGION NOWAIT "lock = #pragma omp critical\n" JOIN, .locked = true};
    OK_NEAR(share_of(&p, 2), 1, 0, "what iterations write with a lock is everybody's");
    p = (struct program){.scenario = REGION NOWAIT JOIN, .atomic = true};
    OK_NEAR(share_of(&p, 2), 1, 0, "so is what atomics change");
    p = (struct program){.scenario = REGION NOWAIT "join = #pragma omp single\n"};
    OK_NEAR(share_of(&p, 2), 1, 0, "what one thread does is no share");
    test_frame();
    unlink(path);
    rmdir(folder);
    return TAP_DONE();
}
