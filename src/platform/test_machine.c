/* Platform files to machines: what ships is simulated as it says, what is impossible is refused with its
 * place. */
#include "machine.h"
#include "tap.h"

static const char good[] = "[platform]\nname = t\nsource = test\ncores = 3\nclock_mhz = 50\n"
                           "[core]\nmul = 7\n"
                           "[cache.l1i]\nsize = 8k\nline = 16\nways = 2\n"
                           "[cache.l1d]\nsize = 2k\nline = 64\npolicy = write-back\nwrite_buffer = 0\n"
                           "[interconnect]\nkind = mesh\nsize = 3x2\nwidth = 8\n"
                           "[bank.a]\nserves = code, data\nnode = 4\nlatency = 9\n"
                           "[bank.b]\nserves = stack 0x1000-0x2000\n";

static int load(const char *text, size_t size, unsigned cores, struct cc_sim_config *c, struct cc_err *err)
{
    struct cc_platform *p;
    memset(err, 0, sizeof *err);
    int rc = cc_platform_parse("t.ini", text, size, &p, err);
    if (rc < 0)
        return rc;
    rc = cc_machine_of(p, cores, c, err);
    cc_platform_free(p);
    return rc;
}

static int replaced(const char *from, const char *to, struct cc_err *err)
{
    char text[sizeof good + 100];
    const char *at = strstr(good, from);
    int n = snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
    struct cc_sim_config c;
    return load(text, (size_t)n, 0, &c, err);
}

int main(void)
{
    struct cc_sim_config c;
    struct cc_err err;
    OK(load(good, strlen(good), 0, &c, &err) == 0, "a mesh of three cores");
    OK(c.cores == 3 && c.clock_mhz == 50 && c.cost[CC_SIM_MUL] == 7 && c.cost[CC_SIM_INT] == 1,
       "cores and costs, given and default");
    OK(c.icache.size == 8192 && c.icache.line == 16 && c.icache.ways == 2 && c.dcache.line == 64 &&
           c.write_back && c.write_buffer == 0 && !c.l2.size,
       "caches");
    OK(c.net == CC_SIM_MESH && c.mesh_x == 3 && c.mesh_y == 2 && c.net_width == 8 && c.interleave == 64,
       "interconnect");
    OK(c.banks == 2 && c.bank[0].serves == (CC_SIM_CODE | CC_SIM_DATA) && c.bank[0].node == 4 &&
           c.bank[0].latency == 9 && c.bank[1].serves == (CC_SIM_STACK | CC_SIM_RANGE) &&
           c.bank[1].from == 0x1000 && c.bank[1].to == 0x2000,
       "banks and what they serve");
    OK(load(good, strlen(good), 6, &c, &err) == 0 && c.cores == 6, "another number of cores");
    OK(load(good, strlen(good), 7, &c, &err) < 0 && strstr(err.msg, "fewer nodes"),
       "more cores than nodes: '%s'", err.msg);
    OK(replaced("3x2", "3 by 2", &err) < 0 && err.line > 0 && strstr(err.msg, "mesh"),
       "a size that is none: line %u, '%s'", err.line, err.msg);
    OK(replaced("0x1000-0x2000", "0x2000-0x1000", &err) < 0 && err.line > 0, "an empty range: line %u, '%s'",
       err.line, err.msg);
    OK(replaced("code, data", "kode", &err) < 0 && err.line > 0, "a use that is none: line %u, '%s'",
       err.line, err.msg);
    OK(replaced("code, data", "code", &err) < 0, "nobody serves data: '%s'", err.msg);
    OK(replaced("size = 2k", "size = 3000", &err) < 0, "a cache of no power of two: '%s'", err.msg);
    OK(replaced("node = 4", "node = 6", &err) < 0, "a bank beside the mesh: '%s'", err.msg);
    static const char none[] = "[platform]\nname = t\nsource = test\n";
    OK(load(none, strlen(none), 0, &c, &err) < 0 && strstr(err.msg, "[core]"), "no machine at all: '%s'",
       err.msg);

    /* whatever a file says, there is a machine that passes the check, or an error */
    uint32_t seed = 1;
    int tried = 0, machines = 0, wrong = 0;
    for (; tried < 5000; tried++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        for (int k = 0; k < 1 + tried % 3; k++) {
            seed = seed * 1664525 + 1013904223;
            text[(seed >> 8) % (sizeof good - 1)] = "0123456789kMx=-[]\n .az"[(seed >> 3) % 22];
        }
        int rc = load(text, sizeof good - 1, 0, &c, &err);
        machines += rc == 0;
        wrong += rc == 0 ? cc_sim_config_check(&c) != NULL : err.msg[0] == 0;
    }
    OK(wrong == 0 && machines > 100 && machines < tried,
       "%d damaged files: %d machines, the rest refused with a reason", tried, machines);
    return TAP_DONE();
}
