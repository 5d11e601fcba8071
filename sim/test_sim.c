/* The models against sums of their parts, hand-computed loads, and slower but obvious references. */
#include "cache.h"
#include "calendar.h"
#include "net.h"
#include "sim.h"
#include "tap.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static uint64_t seed = 12345;

static uint64_t rnd(uint64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % n;
}

static struct cc_sim_config base_config(unsigned cores, enum cc_sim_net_kind net, bool write_back)
{
    struct cc_sim_config c = {.cores = cores,
                              .clock_mhz = 100,
                              .icache = {4096, 32, 1, 1},
                              .dcache = {4096, 32, 2, 1},
                              .write_back = write_back,
                              .net = net,
                              .net_width = 4,
                              .net_latency = 2,
                              .mesh_x = 4,
                              .mesh_y = 4,
                              .directory = 3,
                              .banks = 1,
                              .interleave = 32};
    c.bank[0] = (struct cc_sim_bank_config){
        .name = "ram", .serves = CC_SIM_CODE | CC_SIM_DATA, .latency = 10, .bandwidth = 4};
    c.bank[0].node = net == CC_SIM_MESH ? 5 : net == CC_SIM_CROSSBAR ? 300 : 0;
    return c;
}

struct machine {
    struct cc_sim_config config;
    struct cc_sim_stats *stats;
    struct cc_sim *sim;
};

static struct machine machine_new(struct cc_sim_config c)
{
    struct machine m = {.config = c, .stats = calloc(1, sizeof *m.stats)};
    const char *bad = cc_sim_config_check(&c);
    if (bad)
        OK(0, "configuration: %s", bad);
    m.sim = cc_sim_new(&c, m.stats);
    return m;
}

static uint64_t drain(struct machine *m, unsigned core, uint64_t now)
{
    struct cc_sim_access a;
    cc_sim_fence(m->sim, core, now, &a);
    return now + a.latency;
}

static void machine_free(struct machine *m)
{
    cc_sim_free(m->sim);
    free(m->stats);
}

/* ---- calendar: against a map of every cycle ---- */

static void test_calendar(void)
{
    enum { SPAN = 160000 };
    static uint8_t busy[SPAN];
    int wrong = 0;
    for (int round = 0; round < 50; round++) {
        memset(busy, 0, sizeof busy);
        uint64_t horizon = 0, total = 0;
        struct cc_calendar c;
        cc_calendar_init(&c, &horizon);
        for (int i = 0; i < 400; i++) {
            horizon += rnd(30);
            uint64_t t = horizon + rnd(round % 2 ? 2000 : 200), want = t;
            uint64_t length = 1 + rnd(round % 5 ? 20 : 300);
            for (uint64_t left = length; left; want++) {
                left -= !busy[want];
                busy[want] = 1;
            }
            want -= length;
            total += length;
            wrong += cc_calendar_book(&c, t, length) != want;
        }
        wrong += c.busy != total;
        cc_calendar_fini(&c);
    }
    OK_U64((unsigned)wrong, 0, "calendar: 20 000 bookings take the first free cycles");
}

static void test_calendar_limits(void)
{
    uint64_t horizon = 0, wrong = 0;
    struct cc_calendar c;
    cc_calendar_init(&c, &horizon);
    for (uint64_t i = 0; i < 300000; i++)
        wrong += cc_calendar_book(&c, i * 1000, 1) != i * 1000;
    OK(c.words * 64 <= 100000000 && c.busy == 300000 && !wrong,
       "calendar: bounded even if nothing can be forgotten (%" PRIu64 " cycles)", c.words * 64);
    OK(cc_calendar_book(&c, 5, 1) >= 100000000, "calendar: what was forgotten counts as busy");
    cc_calendar_fini(&c);
    cc_calendar_init(&c, &horizon);
    for (uint64_t i = 0; i < 1000; i++) {
        horizon = i * 1000000007;
        wrong += cc_calendar_book(&c, horizon, 9) != horizon;
        wrong += cc_calendar_book(&c, horizon, 9) != horizon + 9;
    }
    OK(!wrong && c.words == 64, "calendar: leaps in time neither grow it nor leave anything behind");
    cc_calendar_fini(&c);
}

/* ---- idle latency is the sum of its parts ---- */

static void test_idle_latency(void)
{
    static const char *const names[] = {"bus", "crossbar", "mesh"};
    for (int net = CC_SIM_BUS; net <= CC_SIM_MESH; net++)
        for (int wb = 0; wb < 2; wb++)
            for (int l2 = 0; l2 < 2; l2++) {
                struct cc_sim_config c = base_config(16, (enum cc_sim_net_kind)net, wb);
                if (l2)
                    c.l2 = (struct cc_sim_cache_config){65536, 32, 4, 6};
                struct machine m = machine_new(c);
                uint64_t wrong = 0, now = 1000;
                for (unsigned core = 0; core < 16; core++, now += 1000) {
                    int home = (int)c.bank[0].node, at = (int)core;
                    uint64_t hops =
                        net == CC_SIM_MESH ? (uint64_t)(abs(at % 4 - home % 4) + abs(at / 4 - home / 4)) : 1;
                    uint64_t way = hops * 2;           /* arbitration or hops, 2 cycles each */
                    uint64_t request = way + 1;        /* a header flit */
                    uint64_t reply = way + 1 + 32 / 4; /* header and a line of 4-byte flits */
                    uint64_t bank = 10 + 32 / 4;       /* latency and the line at 4 bytes a cycle */
                    uint64_t directory = wb && net != CC_SIM_BUS ? 3 : 0;
                    uint64_t want = 1 + request + directory + (l2 ? 6 : 0) + bank + reply;
                    struct cc_sim_access a =
                        cc_sim_access(m.sim, core, CC_SIM_LOAD, now, 0x10000 + core * 4096, 4);
                    wrong += a.latency != want || a.hops != hops || (a.flags & CC_SIM_HIT);
                    a = cc_sim_access(m.sim, core, CC_SIM_LOAD, now + 500, 0x10000 + core * 4096 + 28, 4);
                    wrong += a.latency != 1 || !(a.flags & CC_SIM_HIT);
                    a = cc_sim_fetch(m.sim, core, now + 600, 0x90000 + core * 4096);
                    wrong += a.latency != want - directory;
                    a = cc_sim_fetch(m.sim, core, now + 900, 0x90000 + core * 4096 + 4);
                    wrong += a.latency != 1 || !(a.flags & CC_SIM_HIT);
                }
                OK_U64(wrong, 0, "idle latency on a %s, %s%s: exactly lookup + request + memory + reply",
                       names[net], wb ? "write-back" : "write-through", l2 ? ", shared cache" : "");
                machine_free(&m);
            }
    struct cc_sim_config c = base_config(16, CC_SIM_MESH, true);
    struct machine m = machine_new(c);
    cc_sim_access(m.sim, 0, CC_SIM_ATOMIC, 0, 0x5000, 4); /* core 0 (corner) owns it in M */
    struct cc_sim_access a = cc_sim_access(m.sim, 3, CC_SIM_LOAD, 1000, 0x5000, 4);
    /* lookup; 3 -> home 5 (3 hops); directory; home -> owner 0 (2 hops); lookup there; line 0 -> 3 (3 hops)
     */
    OK_U64(a.latency, 1 + (6 + 1) + 3 + (4 + 1) + 1 + (6 + 9),
           "mesh: a dirty line comes from its owner in three legs");
    a = cc_sim_access(m.sim, 0, CC_SIM_ATOMIC, 2000, 0x5000, 4);
    /* lookup; 0 -> home (2 hops); directory; then the slower of home -> 3 -> 0 (3 + 3 hops) and home -> 0 */
    OK_U64(a.latency, 1 + (4 + 1) + 3 + (6 + 1) + (6 + 1), "mesh: an upgrade waits for the sharer's answer");
    machine_free(&m);
}

/* ---- throughput ---- */

/* Looks random, and depends on nothing but x. */
static uint64_t scatter(uint64_t x)
{
    x = (x ^ x >> 31) * 0x9e3779b97f4a7c15u;
    x = (x ^ x >> 29) * 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

/* Every core walks its own lines, with up to `work` cycles between, always the one that is behind in time;
 * returns the last one's time after `each` misses. */
static uint64_t stream(struct machine *m, unsigned cores, unsigned each, uint64_t ahead, uint64_t work,
                       uint64_t *first)
{
    uint64_t clock[CC_SIM_MAX_CORES] = {0}, done[CC_SIM_MAX_CORES] = {0};
    unsigned core = 0;
    for (uint64_t left = (uint64_t)cores * each; left;) {
        uint64_t low = UINT64_MAX, second = UINT64_MAX;
        for (unsigned i = 0; i < cores; i++)
            if (done[i] < each && clock[i] < low)
                low = clock[i], core = i;
        for (unsigned i = 0; i < cores; i++)
            if (i != core && done[i] < each && clock[i] < second)
                second = clock[i];
        cc_sim_horizon(m->sim, low);
        do {
            uint64_t i = done[core]++, addr = ((uint64_t)core + 1) * 0x1000000 + i * m->config.dcache.line;
            clock[core] += scatter(core * 1000003 + i) % (work + 1);
            clock[core] += cc_sim_access(m->sim, core, CC_SIM_LOAD, clock[core], addr, 4).latency;
            left--;
        } while (done[core] < each && (second == UINT64_MAX || clock[core] <= second + ahead));
    }
    uint64_t last = 0;
    *first = UINT64_MAX;
    for (unsigned i = 0; i < cores; i++) {
        last = clock[i] > last ? clock[i] : last;
        *first = clock[i] < *first ? clock[i] : *first;
    }
    cc_sim_finish(m->sim);
    return last;
}

static void test_one_bank(void)
{
    for (unsigned n = 1; n <= 16; n *= 2) {
        struct cc_sim_config c = base_config(n, CC_SIM_CROSSBAR, false);
        c.net_width = 32; /* the ports are faster than the bank */
        c.bank[0].latency = 4;
        c.bank[0].bandwidth = 1; /* 32 cycles a line */
        struct machine m = machine_new(c);
        uint64_t first, each = 2000, idle = 1 + (2 + 1) + 4 + 32 + (2 + 2);
        uint64_t t = stream(&m, n, (unsigned)each, 0, 0, &first);
        uint64_t bound =
            n * 32 > idle ? n * 32 : idle; /* cycles a round of all cores takes: the bank's, or one latency */
        OK(t >= bound * each - bound && t <= bound * each + idle,
           "%u cores on one bank: %llu cycles, its bandwidth allows %llu", n, (unsigned long long)t,
           (unsigned long long)(bound * each));
        OK(first >= t - bound, "%u cores get the same share of it", n);
        OK_U64(m.stats->bank[0].busy, (uint64_t)n * each * 32,
               "%u cores: the bank was busy for exactly the lines it sent", n);
        machine_free(&m);
    }
}

/* A row of four: cores 0, 1, 2 read from the bank at node 3. */
static void test_mesh_row(void)
{
    struct cc_sim_config c = base_config(3, CC_SIM_MESH, false);
    c.mesh_y = 1;
    c.bank[0].node = 3;
    c.bank[0].bandwidth = 256;
    c.bank[0].latency = 1;
    struct machine m = machine_new(c);
    uint64_t first, each = 3000, t = stream(&m, 3, (unsigned)each, 0, 0, &first);
    const uint64_t *busy = m.stats->link_busy;
    uint64_t reply = 1 + 32 / 4;
    OK(busy[0 * 4 + CC_SIM_EAST] == each && busy[1 * 4 + CC_SIM_EAST] == 2 * each &&
           busy[2 * 4 + CC_SIM_EAST] == 3 * each,
       "mesh row: requests pile up hop by hop: n, 2n, 3n flits");
    OK(busy[3 * 4 + CC_SIM_WEST] == 3 * each * reply && busy[2 * 4 + CC_SIM_WEST] == 2 * each * reply &&
           busy[1 * 4 + CC_SIM_WEST] == each * reply,
       "mesh row: replies thin out: 3n, 2n, n lines");
    uint64_t two = 1 + 2 * (2 + 2 + 1) +
                   9; /* a rough round trip: less than three replies on the last link, so that link is full */
    OK(t >= 3 * each * reply && t <= 3 * each * reply + 10 * two,
       "mesh row: the link beside the bank is full (%llu cycles, %llu of load)", (unsigned long long)t,
       (unsigned long long)(3 * each * reply));
    machine_free(&m);
}

/* From (0,0) to (2,1) east, east, south; back west, west, north. */
static void test_mesh_way(void)
{
    struct cc_sim_config c = base_config(1, CC_SIM_MESH, false);
    c.bank[0].node = 6;
    struct machine m = machine_new(c);
    cc_sim_access(m.sim, 0, CC_SIM_LOAD, 0, 0x100, 4);
    cc_sim_finish(m.sim);
    const uint64_t *busy = m.stats->link_busy;
    uint64_t all = 0, reply = 1 + 32 / 4;
    for (unsigned i = 0; i < m.stats->links; i++)
        all += busy[i];
    OK(busy[0 * 4 + CC_SIM_EAST] == 1 && busy[1 * 4 + CC_SIM_EAST] == 1 && busy[2 * 4 + CC_SIM_SOUTH] == 1,
       "XY there: x first, then y");
    OK(busy[6 * 4 + CC_SIM_WEST] == reply && busy[5 * 4 + CC_SIM_WEST] == reply &&
           busy[4 * 4 + CC_SIM_NORTH] == reply,
       "XY back: x first, then y");
    OK_U64(all, 3 + 3 * reply, "no other link was used");
    machine_free(&m);
}

/* Two flows that share no link do not disturb each other; a third that crosses one does. */
static void test_mesh_flows(void)
{
    struct cc_sim_config c = base_config(16, CC_SIM_MESH, false);
    c.banks = 2;
    c.bank[0].serves = CC_SIM_CODE | CC_SIM_DATA;
    c.bank[0].node = 3;
    c.bank[1] = c.bank[0];
    c.bank[1].serves = CC_SIM_RANGE;
    c.bank[1].from = 0x80000000;
    c.bank[1].to = 0x90000000;
    c.bank[1].node = 15;
    struct machine m = machine_new(c);
    uint64_t a = cc_sim_access(m.sim, 0, CC_SIM_LOAD, 0, 0x1000, 4).latency;
    uint64_t b = cc_sim_access(m.sim, 12, CC_SIM_LOAD, 0, 0x80001000, 4).latency;
    OK(a == b && m.stats->net_wait == 0, "two rows of the mesh do not disturb each other");
    uint64_t d = cc_sim_access(m.sim, 13, CC_SIM_LOAD, 0, 0x80002000, 4).latency;
    OK(d > b - 4 && m.stats->net_wait + m.stats->bank[1].wait > 0, "a third on the same row waits");
    machine_free(&m);
}

/* With a calendar the order in which slightly-ahead cores book hardly matters, if they do something between
 * their misses. Without, all cores walk in step and wait for the bank together, which look-ahead breaks up.
 */
static void test_look_ahead(void)
{
    static const char *const names[] = {"bus", "crossbar", "mesh"};
    uint64_t at[3], first, ahead[3] = {0, 100, 1000};
    for (int net = CC_SIM_BUS; net <= CC_SIM_MESH; net++) {
        for (int i = 0; i < 3; i++) {
            struct machine m = machine_new(base_config(4, (enum cc_sim_net_kind)net, false));
            at[i] = stream(&m, 4, 3000, ahead[i], 32, &first);
            machine_free(&m);
        }
        OK(at[1] < at[0] * 1.04 && at[1] > at[0] * 0.96 && at[2] < at[0] * 1.06 && at[2] > at[0] * 0.94,
           "%s, streaming with look-ahead 0, 100, 1000: %llu, %llu, %llu cycles", names[net],
           (unsigned long long)at[0], (unsigned long long)at[1], (unsigned long long)at[2]);
    }
    for (int i = 0; i < 3; i++) {
        struct machine m = machine_new(base_config(4, CC_SIM_BUS, false));
        at[i] = stream(&m, 4, 3000, ahead[i], 0, &first);
        machine_free(&m);
    }
    OK(at[1] < at[0] * 1.01 && at[1] > at[0] * 0.75 && at[2] < at[0] * 1.01 && at[2] > at[0] * 0.75,
       "bus, streaming in step with look-ahead 0, 100, 1000: %llu, %llu, %llu cycles",
       (unsigned long long)at[0], (unsigned long long)at[1], (unsigned long long)at[2]);
}

/* ---- coherence against a table ---- */

enum event { OWN_READ, OWN_READ_SHARED, OWN_WRITE, OTHER_READ, OTHER_WRITE };
static const uint8_t table[4][5] = {
    /*            read alone  read shared  write       other reads  other writes */
    [CC_MESI_I] = {CC_MESI_E, CC_MESI_S, CC_MESI_M, CC_MESI_I, CC_MESI_I},
    [CC_MESI_S] = {CC_MESI_S, CC_MESI_S, CC_MESI_M, CC_MESI_S, CC_MESI_I},
    [CC_MESI_E] = {CC_MESI_E, CC_MESI_E, CC_MESI_M, CC_MESI_S, CC_MESI_I},
    [CC_MESI_M] = {CC_MESI_M, CC_MESI_M, CC_MESI_M, CC_MESI_S, CC_MESI_I},
};

enum { REF_CORES = 6, REF_LINES = 96, REF_WAYS = 2, REF_SETS = 8 };

/* The reference: states per (core, line), replacement by a list of the lines each set holds, oldest first.
 * Its caches keep the slot of a lost line for that line until the set needs it, as the models' do. */
struct reference {
    uint8_t state[REF_CORES][REF_LINES];
    int held[REF_CORES][REF_SETS][REF_WAYS]; /* line or -1; order: least recently used first */
    uint64_t written[REF_LINES][8];          /* step of the last write to each word, */
    int writer[REF_LINES][8];                /* by whom */
    uint64_t lost[REF_CORES][REF_LINES];     /* step at which another's write took the line, 0: not lost */
    uint8_t used[REF_CORES][REF_LINES], older[REF_CORES][REF_LINES], losses[REF_CORES][REF_LINES];
    /* words this core used since the last but one generation of eight losses, or it has a slot for the line
     */
    uint64_t true_sharing, false_sharing, write_backs, misses;
};

static void ref_use(struct reference *r, int core, int line)
{
    int *set = r->held[core][line % REF_SETS], at = -1;
    for (int w = 0; w < REF_WAYS; w++)
        if (set[w] == line)
            at = w;
    if (at < 0) { /* never used, else lost, else the oldest */
        for (int w = 0; w < REF_WAYS && at < 0; w++)
            at = set[w] < 0 ? w : -1;
        for (int w = 0; w < REF_WAYS && at < 0; w++)
            at = r->state[core][set[w]] == CC_MESI_I ? w : -1;
        at = at < 0 ? 0 : at;
        if (set[at] >= 0) {
            r->write_backs += r->state[core][set[at]] == CC_MESI_M;
            r->state[core][set[at]] = CC_MESI_I;
            r->lost[core][set[at]] = 0;
            r->used[core][set[at]] = r->older[core][set[at]] = r->losses[core][set[at]] = 0;
        }
    }
    for (int w = at; w + 1 < REF_WAYS; w++)
        set[w] = set[w + 1];
    set[REF_WAYS - 1] = line;
}

static void ref_access(struct reference *r, int core, int line, int word, bool write, uint64_t step)
{
    bool shared = false, miss = r->state[core][line] == CC_MESI_I;
    for (int i = 0; i < REF_CORES; i++)
        shared |= i != core && r->state[i][line] != CC_MESI_I;
    if (miss && r->lost[core][line]) {
        bool news = false;
        for (int w = 0; w < 8; w++)
            news |= (w == word || (r->used[core][line] | r->older[core][line]) >> w & 1) &&
                    r->written[line][w] >= r->lost[core][line] && r->writer[line][w] != core;
        news ? r->true_sharing++ : r->false_sharing++;
    }
    r->misses += miss;
    for (int i = 0; i < REF_CORES; i++)
        if (i != core) {
            uint8_t old = r->state[i][line];
            r->state[i][line] = table[old][write ? OTHER_WRITE : OTHER_READ];
            if (write && old != CC_MESI_I) {
                r->lost[i][line] = step;
                if (++r->losses[i][line] == 8) {
                    r->older[i][line] = r->used[i][line];
                    r->used[i][line] = r->losses[i][line] = 0;
                }
            }
        }
    ref_use(r, core, line);
    r->state[core][line] = table[r->state[core][line]][write    ? OWN_WRITE
                                                       : shared ? OWN_READ_SHARED
                                                                : OWN_READ];
    r->lost[core][line] = 0;
    r->used[core][line] |= (uint8_t)(1u << word);
    if (write) {
        r->written[line][word] = step;
        r->writer[line][word] = core;
    }
}

static void test_coherence(void)
{
    uint64_t wrong = 0, steps = 0, sharing = 0, backs = 0, counts = 0;
    for (int round = 0; round < 60; round++) {
        struct cc_sim_config c = base_config(REF_CORES, (enum cc_sim_net_kind)(round % 3), true);
        c.dcache = (struct cc_sim_cache_config){REF_SETS * REF_WAYS * 32, 32, REF_WAYS, 1};
        c.write_buffer = round % 2 ? 4 : 0;
        struct machine m = machine_new(c);
        struct reference *r = calloc(1, sizeof *r);
        memset(r->held, 0xff, sizeof r->held);
        uint64_t lines = round % 4 ? 4 + rnd(REF_LINES - 4) : 3, now = 0;
        for (uint64_t step = 1; step <= 4000; step++, steps++) {
            int core = (int)rnd(REF_CORES), line = (int)rnd(lines), word = (int)rnd(8);
            unsigned what = (unsigned)rnd(10);
            enum cc_sim_kind kind = what < 6 ? CC_SIM_LOAD : what < 9 ? CC_SIM_STORE : CC_SIM_ATOMIC;
            cc_sim_access(m.sim, (unsigned)core, kind, now, (uint64_t)line * 32 + (uint64_t)word * 4, 4);
            ref_access(r, core, line, word, kind != CC_SIM_LOAD, step);
            for (unsigned i = 0; i < REF_CORES; i++)
                wrong += (uint64_t)(cc_sim_state(m.sim, i, (uint64_t)line * 32) != r->state[i][line]);
            now += rnd(40);
        }
        uint64_t t = 0, f = 0, w = 0, misses = 0;
        for (unsigned i = 0; i < REF_CORES; i++) {
            t += m.stats->core[i].true_sharing;
            f += m.stats->core[i].false_sharing;
            w += m.stats->core[i].write_backs;
            misses += m.stats->core[i].load_misses + m.stats->core[i].store_misses;
            for (uint64_t l = 0; l < lines; l++)
                wrong += (uint64_t)(cc_sim_state(m.sim, i, l * 32) != r->state[i][l]);
        }
        sharing += t != r->true_sharing || f != r->false_sharing;
        backs += w != r->write_backs;
        counts += misses != r->misses;
        free(r);
        machine_free(&m);
    }
    OK_U64(wrong, 0, "MESI: %llu random accesses leave the states of the table", (unsigned long long)steps);
    OK_U64(counts, 0, "MESI: the same number of misses as the reference in every round");
    OK_U64(sharing, 0, "true and false sharing as counted word by word");
    OK_U64(backs, 0, "the same dirty lines are written back");
}

/* Two cores load and store `size` bytes in turn, `apart` bytes from each other: misses by false sharing, or
 * less the ones by true; 0: there were both. */
static int meet_in_line(struct cc_sim_config c, unsigned size, unsigned apart)
{
    struct machine m = machine_new(c);
    for (int i = 0; i < 10; i++)
        for (unsigned core = 0; core < 2; core++) {
            uint64_t now = (uint64_t)i * 1000 + core * 500, addr = core * apart;
            cc_sim_access(m.sim, core, CC_SIM_LOAD, now, addr, size);
            cc_sim_access(m.sim, core, CC_SIM_STORE, now + 100, addr, size);
        }
    int f = (int)(m.stats->core[0].false_sharing + m.stats->core[1].false_sharing);
    int t = (int)(m.stats->core[0].true_sharing + m.stats->core[1].true_sharing);
    machine_free(&m);
    return f && t ? 0 : f - t;
}

static void test_write_through_sharing(void)
{
    uint64_t wrong = 0, stale = 0;
    struct cc_sim_config c = base_config(4, CC_SIM_BUS, false);
    struct machine m = machine_new(c);
    uint64_t have[4][64] = {{0}},
             version[64] = {0}; /* each cached copy's version against the line's newest */
    for (int i = 0; i < 50000; i++) {
        unsigned core = (unsigned)rnd(4), line = (unsigned)rnd(64), kind = (unsigned)rnd(3);
        uint64_t addr = line * 32 + rnd(8) * 4;
        bool valid = cc_sim_state(m.sim, core, addr) != CC_MESI_I;
        stale += valid && have[core][line] != version[line];
        struct cc_sim_access a =
            cc_sim_access(m.sim, core, kind ? CC_SIM_LOAD : CC_SIM_STORE, (uint64_t)i * 100, addr, 4);
        wrong += kind && !(a.flags & CC_SIM_HIT) == valid;
        if (!kind) {
            version[line]++;
            if (valid)
                have[core][line] = version[line];
        } else if (!valid) {
            have[core][line] = version[line];
        }
    }
    OK_U64(stale, 0, "write-through: no cache ever holds an old value");
    OK_U64(wrong, 0, "write-through: loads hit exactly when the line is valid");
    machine_free(&m);

    /* neighbours in one line, words and bytes: false; the same word: true */
    OK(meet_in_line(c, 4, 4) == 18 && meet_in_line(c, 1, 1) == 18, "two counters in one line: false sharing");
    OK(meet_in_line(c, 4, 1) == -18 && meet_in_line(c, 4, 0) == -18, "one that both use: true sharing");
}

static void test_write_buffer(void)
{
    uint64_t mean[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        struct cc_sim_config c = base_config(4, CC_SIM_BUS, false);
        c.write_buffer = k ? 16 : 8;
        struct machine m = machine_new(c);
        if (!k) { /* alone: eight slots take eight stores at once, the ninth waits for the first */
            uint64_t each =
                1 + (2 + 2) + 10 + 1; /* lookup, arbitration, header and word, latency, the word */
            uint64_t slow = 0;
            for (int i = 0; i < 8; i++)
                slow += cc_sim_access(m.sim, 0, CC_SIM_STORE, (uint64_t)i, (uint64_t)i * 4, 4).latency != 1;
            OK_U64(slow, 0, "write buffer: eight stores do not wait");
            OK_U64(cc_sim_access(m.sim, 0, CC_SIM_STORE, 8, 64, 4).latency, each - 8 + 1,
                   "the ninth waits until the first is done");
            OK_U64(drain(&m, 0, 8), 9 * each, "a fence waits for all nine, one after the other");
        }
        uint64_t clock[4] = {100000, 100000, 100000, 100000};
        for (int burst = 0; burst < 50; burst++) {
            for (int i = 0; i < 24; i++)
                for (unsigned core = 0; core < 4; core++)
                    clock[core] += cc_sim_access(m.sim, core, CC_SIM_STORE, clock[core],
                                                 0x8000 * (core + 1) + (uint64_t)i * 4, 4)
                                       .latency;
            for (unsigned core = 0; core < 4; core++)
                clock[core] += 4000;
        }
        mean[k] = m.stats->latency_sum[CC_SIM_STORE] * 100 / m.stats->latency_count[CC_SIM_STORE];
        machine_free(&m);
    }
    OK(mean[1] < mean[0], "store bursts: 16 slots instead of 8 cut the mean store latency (%.2f to %.2f)",
       (double)mean[0] / 100, (double)mean[1] / 100);
}

static void test_map_and_check(void)
{
    struct cc_sim_config c = base_config(2, CC_SIM_BUS, false);
    c.banks = 4;
    for (unsigned b = 1; b < 4; b++)
        c.bank[b] = c.bank[0];
    c.bank[0].serves = CC_SIM_CODE;
    c.bank[1].serves = c.bank[2].serves = CC_SIM_DATA;
    c.bank[3].serves = CC_SIM_STACK;
    struct machine m = machine_new(c);
    cc_sim_add_stack(m.sim, 0x9000, 0xa000);
    cc_sim_add_stack(m.sim, 0x5000, 0x6000);
    OK(cc_sim_bank_of(m.sim, 0x9004, true) == 0 && cc_sim_bank_of(m.sim, 0x9004, false) == 3 &&
           cc_sim_bank_of(m.sim, 0x5fff, false) == 3 && cc_sim_bank_of(m.sim, 0x6000, false) == 1 &&
           cc_sim_bank_of(m.sim, 0x6020, false) == 2,
       "addresses go to the code, stack and interleaved data banks");
    machine_free(&m);
    struct cc_sim_config bad[9];
    for (int i = 0; i < 9; i++)
        bad[i] = c;
    bad[0].cores = 0;
    bad[1].dcache.line = 48;
    bad[2].dcache.size = 5000;
    bad[3].net_width = 0;
    bad[4].bank[0].serves = 0;
    bad[5].net = CC_SIM_MESH, bad[5].bank[1].node = 16;
    bad[6].interleave = 16;
    bad[7].l2 = (struct cc_sim_cache_config){65536, 64, 4, 4};
    bad[8].dcache = (struct cc_sim_cache_config){1u << 31, 4, 1, 1}, bad[8].interleave = 32;
    int refused = 0;
    for (int i = 0; i < 9; i++)
        refused += cc_sim_config_check(&bad[i]) != NULL;
    OK(refused == 9 && !cc_sim_config_check(&c), "impossible machines are refused");
    m = machine_new(base_config(1, CC_SIM_BUS, true));
    struct cc_sim_access a = cc_sim_access(m.sim, 0, CC_SIM_LOAD, 0, 30, 4);
    OK(m.stats->core[0].load_misses == 2 && !(a.flags & CC_SIM_HIT),
       "an access across two lines is two accesses");
    machine_free(&m);
}

/* A loop that looks at what its core has: round by round, and one round as many times. */
static void look(struct machine *m, uint64_t *now)
{
    struct cc_sim_access a;
    m->stats->core[1].instructions += 3;
    cc_sim_do_fetch(m->sim, 1, *now, 0x1000, &a);
    *now = m->stats->core[1].cycles += 3;
    cc_sim_do_access(m->sim, 1, CC_SIM_LOAD, *now, 0x2000, 4, &a);
}

static void test_repeat(void)
{
    enum { TIMES = 1000 };
    struct machine m[2];
    for (unsigned i = 0; i < 2; i++) {
        uint64_t now = 0;
        m[i] = machine_new(base_config(2, CC_SIM_BUS, i > 0));
        for (unsigned k = 0; k < 3; k++)
            look(&m[i], &now);
    }
    for (unsigned i = 0; i < 2; i++) {
        struct machine other = machine_new(m[i].config);
        uint64_t now = 0;
        for (unsigned k = 0; k < 3 + TIMES; k++)
            look(&other, &now);
        uint64_t here = m[i].stats->core[1].cycles;
        struct cc_sim_core_stats before = m[i].stats->core[1];
        look(&m[i], &here);
        cc_sim_repeat(m[i].sim, 1, &before, TIMES - 1);
        OK(memcmp(m[i].stats, other.stats, sizeof *other.stats) == 0,
           "a round of hits, repeated, leaves the figures of as many rounds");
        machine_free(&other);
        machine_free(&m[i]);
    }
}

int main(void)
{
    test_calendar();
    test_calendar_limits();
    test_idle_latency();
    test_one_bank();
    test_mesh_row();
    test_mesh_way();
    test_mesh_flows();
    test_look_ahead();
    test_coherence();
    test_write_through_sharing();
    test_write_buffer();
    test_map_and_check();
    test_repeat();
    return TAP_DONE();
}
