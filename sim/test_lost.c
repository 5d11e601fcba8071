/* What is lost to other cores: nothing for a core that is alone, the exact difference to an idle machine for
 * one that is not. */
#include "sim.h"
#include "tap.h"

#include <stdlib.h>

static uint64_t seed = 88172645463325252u;

static uint64_t rnd(uint64_t n)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed % n;
}

static struct cc_sim_config config_of(unsigned cores, enum cc_sim_net_kind net, bool write_back,
                                      unsigned slots)
{
    struct cc_sim_config c = {.cores = cores,
                              .clock_mhz = 100,
                              .icache = {1024, 32, 1, 1},
                              .dcache = {1024, 32, 2, 1},
                              .write_back = write_back,
                              .write_buffer = slots,
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

static uint64_t sum(const struct cc_sim_access *a)
{
    uint64_t lost = 0;
    for (unsigned i = 0; i < CC_SIM_CAUSES; i++)
        lost += a->lost[i];
    return lost;
}

struct totals {
    uint64_t lost, excess; /* cycles; accesses that lost more than they took beyond a hit */
};

/* Random accesses of the first `active` cores, each at its own time. */
static struct totals wander(struct cc_sim *s, unsigned active, unsigned lines)
{
    struct totals out = {0};
    uint64_t now[16] = {0};
    for (unsigned i = 0; i < 20000; i++) {
        unsigned core = 0;
        for (unsigned k = 1; k < active; k++)
            core = now[k] < now[core] ? k : core;
        struct cc_sim_access a;
        uint64_t addr = 4 * rnd(lines * 8), what = rnd(20);
        cc_sim_horizon(s, now[core]);
        if (what == 0)
            cc_sim_fence(s, core, now[core], &a);
        else if (what == 1)
            cc_sim_do_fetch(s, core, now[core], addr, &a);
        else
            cc_sim_do_access(s, core,
                             what < 10   ? CC_SIM_LOAD
                             : what < 18 ? CC_SIM_STORE
                                         : CC_SIM_ATOMIC,
                             now[core], addr, 4, &a);
        out.lost += sum(&a);
        out.excess += sum(&a) > a.latency - (what && a.latency ? 1u : 0u);
        now[core] += a.latency + rnd(8);
    }
    return out;
}

static void test_alone(void)
{
    for (unsigned net = CC_SIM_BUS; net <= CC_SIM_MESH; net++)
        for (unsigned k = 0; k < 8; k++) {
            bool write_back = k & 1;
            unsigned cores = k & 2 ? 4 : 1, slots = k & 4 ? 4 : 0;
            struct cc_sim_config c = config_of(cores, (enum cc_sim_net_kind)net, write_back, slots);
            struct cc_sim_stats *stats = calloc(1, sizeof *stats);
            struct cc_sim *s = cc_sim_new(&c, stats);
            OK_U64(wander(s, 1, 200).lost, 0, "net %u, %s, %u cores, %u slots: a core alone loses nothing",
                   net, write_back ? "write-back" : "write-through", cores, slots);
            cc_sim_free(s);
            free(stats);
        }
}

static void test_bounds(void)
{
    for (unsigned net = CC_SIM_BUS; net <= CC_SIM_MESH; net++)
        for (unsigned k = 0; k < 4; k++) {
            struct cc_sim_config c = config_of(4, (enum cc_sim_net_kind)net, k & 1, k & 2 ? 4 : 0);
            struct cc_sim_stats *stats = calloc(1, sizeof *stats);
            struct cc_sim *s = cc_sim_new(&c, stats);
            struct totals t = wander(s, 4, 40);
            uint64_t counted = 0;
            for (unsigned i = 0; i < 4; i++)
                for (unsigned j = 0; j < CC_SIM_CAUSES; j++)
                    counted += stats->core[i].lost[j];
            OK(t.lost > 0 && t.excess == 0, "net %u, %u: no access loses more than it waits (%llu lost)", net,
               k, (unsigned long long)t.lost);
            OK_U64(counted, t.lost, "net %u, %u: the cores' sums are the accesses'", net, k);
            cc_sim_free(s);
            free(stats);
        }
}

/* Loads of lines of their own: what is lost is what an idle machine would not have taken. */
static void test_queues(void)
{
    for (unsigned net = CC_SIM_BUS; net <= CC_SIM_MESH; net++) {
        struct cc_sim_config c = config_of(8, (enum cc_sim_net_kind)net, true, 0);
        struct cc_sim_stats *stats = calloc(2, sizeof *stats);
        struct cc_sim *busy = cc_sim_new(&c, stats), *idle = cc_sim_new(&c, stats + 1);
        uint64_t wrong = 0, waited = 0, now[8] = {0};
        for (unsigned i = 0; i < 400 * 8; i++) {
            unsigned core = 0;
            for (unsigned k = 1; k < 8; k++)
                core = now[k] < now[core] ? k : core;
            uint64_t addr = ((uint64_t)core << 20) + i * 32u;
            struct cc_sim_access a = cc_sim_access(busy, core, CC_SIM_LOAD, now[core], addr, 4);
            struct cc_sim_access b = cc_sim_access(idle, core, CC_SIM_LOAD, i * 10000u, addr, 4);
            wrong += a.latency - sum(&a) != b.latency ||
                     sum(&a) != a.lost[CC_SIM_LOST_LINK] + a.lost[CC_SIM_LOST_BANK];
            waited += sum(&a);
            now[core] += a.latency;
        }
        OK(waited > 10000, "net %u: eight cores on one bank queue", net);
        OK_U64(wrong, 0, "net %u: latency is that of an idle machine and what is lost in queues", net);
        cc_sim_free(busy);
        cc_sim_free(idle);
        free(stats);
    }
}

/* Two cores in turn write the same word, or words beside each other. */
static void test_sharing(void)
{
    for (unsigned apart = 0; apart < 2; apart++) {
        struct cc_sim_config c = config_of(2, CC_SIM_BUS, true, 0);
        struct cc_sim_stats *stats = calloc(1, sizeof *stats);
        struct cc_sim *s = cc_sim_new(&c, stats);
        unsigned cause = apart ? CC_SIM_LOST_FALSE : CC_SIM_LOST_TRUE;
        uint64_t wrong = 0;
        for (unsigned i = 0; i < 100; i++) {
            struct cc_sim_access a =
                cc_sim_access(s, i % 2, CC_SIM_STORE, i * 1000u, apart ? 4 * (i % 2) : 0, 4);
            wrong += i > 1 && (a.lost[cause] != a.latency - 1 || sum(&a) != a.lost[cause]);
        }
        OK_U64(wrong, 0, "%s sharing is all that is lost, and all of the miss", apart ? "false" : "true");
        cc_sim_free(s);
        free(stats);
    }
}

int main(void)
{
    test_alone();
    test_bounds();
    test_queues();
    test_sharing();
    return TAP_DONE();
}
