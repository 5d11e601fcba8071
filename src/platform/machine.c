#include "machine.h"

static uint32_t number(const struct cc_platform *p, const char *section, enum cc_num_key key, double fallback)
{
    double v = cc_platform_num_or(p, section, key, fallback);
    return v < 0 ? 0 : v > UINT32_MAX ? UINT32_MAX : (uint32_t)v;
}

static void cache(const struct cc_platform *p, const char *section, struct cc_sim_cache_config *c,
                  uint32_t size, uint32_t line)
{
    c->size = number(p, section, CC_NUM_CACHE_SIZE, size);
    c->line = number(p, section, CC_NUM_CACHE_LINE, line);
    c->ways = number(p, section, CC_NUM_CACHE_WAYS, 1);
    c->latency = number(p, section, CC_NUM_CACHE_LATENCY, 1);
}

/* "code data" and "0x1000-0x2000", in any mix. */
static int serves(const struct cc_platform *p, const char *section, struct cc_sim_bank_config *b,
                  struct cc_err *err)
{
    static const char *const names[] = {"code", "data", "stack"};
    const char *text = cc_platform_str_or(p, section, CC_STR_BANK_SERVES, "code data stack");
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(text);
    char *save = NULL;
    for (char *word = strtok_r(copy, " ,", &save); word; word = strtok_r(NULL, " ,", &save)) {
        uint32_t bit = 0;
        for (unsigned i = 0; i < CC_COUNT(names); i++)
            if (strcmp(word, names[i]) == 0)
                bit = 1u << i;
        char *dash = strchr(word, '-');
        if (!bit && dash) {
            *dash = 0;
            if (cc_parse_u64(word, &b->from) && cc_parse_u64(dash + 1, &b->to) && b->from < b->to)
                bit = CC_SIM_RANGE;
        }
        if (!bit)
            return cc_err_at(
                err, CC_EINPUT, cc_platform_path(p), cc_platform_line(p, section, CC_STR_BANK_SERVES),
                "'serves' of [%s] takes code, data, stack or FROM-TO, not '%.80s'", section, text);
        b->serves |= bit;
    }
    return 0;
}

/* Adds the banks of one section. */
static int bank(const struct cc_platform *p, const char *name, struct cc_sim_config *c, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *section = cc_asprintf("bank.%s", name);
    uint32_t count = number(p, section, CC_NUM_BANK_COUNT, 1);
    if (c->banks + count > CC_SIM_MAX_BANKS)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0, "more than %d memory banks",
                         CC_SIM_MAX_BANKS);
    for (uint32_t i = 0; i < count; i++) {
        struct cc_sim_bank_config *b = &c->bank[c->banks];
        if (count == 1)
            snprintf(b->name, sizeof b->name, "%s", name);
        else
            snprintf(b->name, sizeof b->name, "%.20s%u", name, i);
        b->latency = number(p, section, CC_NUM_BANK_LATENCY, 10);
        b->bandwidth = number(p, section, CC_NUM_BANK_BANDWIDTH, 4);
        b->node = number(p, section, CC_NUM_BANK_NODE, 0);
        if (c->net != CC_SIM_MESH)
            b->node = c->cores + c->banks; /* a port of its own beside the cores' */
        c->banks++;
        int rc = serves(p, section, b, err);
        if (rc < 0)
            return rc;
    }
    return 0;
}

static int banks(const struct cc_platform *p, struct cc_sim_config *c, struct cc_err *err)
{
    const char *const *names;
    size_t n = cc_platform_list(p, "bank", &names);
    if (!n)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                         "the platform has no memory for a simulation: no [bank.NAME] section");
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < n; i++)
        rc = bank(p, names[i], c, err);
    return rc;
}

static int mesh_size(const struct cc_platform *p, struct cc_sim_config *c, struct cc_err *err)
{
    const char *text = cc_platform_str_or(p, NULL, CC_STR_INTERCONNECT_SIZE, "");
    unsigned x, y;
    char rest;
    if (sscanf(text, "%ux%u%c", &x, &y, &rest) != 2 || !x || !y || x > 32 || y > 32)
        return cc_err_at(err, CC_EINPUT, cc_platform_path(p),
                         cc_platform_line(p, NULL, CC_STR_INTERCONNECT_SIZE),
                         "'size' of a mesh is like 4x4, up to 32x32, not '%.40s'", text);
    c->mesh_x = x;
    c->mesh_y = y;
    return 0;
}

int cc_machine_of(const struct cc_platform *p, unsigned cores, struct cc_sim_config *c, struct cc_err *err)
{
    static const enum cc_num_key classes[CC_SIM_CLASSES] = {
        CC_NUM_CORE_INT,  CC_NUM_CORE_MUL,    CC_NUM_CORE_DIV,        CC_NUM_CORE_FLOAT,
        CC_NUM_CORE_FDIV, CC_NUM_CORE_BRANCH, CC_NUM_CORE_LOAD_STORE, CC_NUM_CORE_SYNC};
    memset(c, 0, sizeof *c);
    if (!cc_platform_has(p, "core")) {
        int rc = cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0,
                           "the platform does not describe a machine to simulate: no [core] section");
        cc_err_hint(err, "'corecast platform list' tells which do");
        return rc;
    }
    c->cores = cores ? cores : number(p, NULL, CC_NUM_PLATFORM_CORES, 1);
    c->clock_mhz = cc_platform_num_or(p, NULL, CC_NUM_PLATFORM_CLOCK_MHZ, 100);
    for (unsigned i = 0; i < CC_SIM_CLASSES; i++)
        c->cost[i] = number(p, NULL, classes[i], 1);
    c->syscall_cost = number(p, NULL, CC_NUM_CORE_SYSCALL, 200);
    c->switch_cost = number(p, NULL, CC_NUM_CORE_SWITCH, 500);
    c->wake_cost = number(p, NULL, CC_NUM_CORE_WAKE, 200);
    c->slice = number(p, NULL, CC_NUM_CORE_SLICE, 100000);
    cache(p, "cache.l1i", &c->icache, 4096, 32);
    cache(p, "cache.l1d", &c->dcache, 4096, 32);
    if (cc_platform_has(p, "cache.l2"))
        cache(p, "cache.l2", &c->l2, 0, c->dcache.line);
    c->write_back =
        strcmp(cc_platform_str_or(p, "cache.l1d", CC_STR_CACHE_POLICY, "write-through"), "write-back") == 0;
    c->write_buffer = number(p, "cache.l1d", CC_NUM_CACHE_WRITE_BUFFER, 8);
    const char *kind = cc_platform_str_or(p, NULL, CC_STR_INTERCONNECT_KIND, "bus");
    c->net = strcmp(kind, "mesh") == 0       ? CC_SIM_MESH
             : strcmp(kind, "crossbar") == 0 ? CC_SIM_CROSSBAR
                                             : CC_SIM_BUS;
    c->net_width = number(p, NULL, CC_NUM_INTERCONNECT_WIDTH, 4);
    c->net_latency = number(p, NULL, CC_NUM_INTERCONNECT_LATENCY, 1);
    c->directory = number(p, NULL, CC_NUM_INTERCONNECT_DIRECTORY, 2);
    c->io_latency = number(p, NULL, CC_NUM_INTERCONNECT_IO, 10);
    c->interleave = number(p, NULL, CC_NUM_INTERCONNECT_INTERLEAVE, CC_MAX(c->icache.line, c->dcache.line));
    int rc = c->net == CC_SIM_MESH ? mesh_size(p, c, err) : 0;
    if (rc == 0)
        rc = banks(p, c, err);
    if (rc < 0)
        return rc;
    const char *bad = cc_sim_config_check(c);
    return bad ? cc_err_at(err, CC_EINPUT, cc_platform_path(p), 0, "%s", bad) : 0;
}
