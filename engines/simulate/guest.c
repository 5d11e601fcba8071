/* The simulated program's memory: through the kernel, so that a bad pointer is an error here and not a crash.
 */
#include "race.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

enum { MAX_HOST_MAPS = 1024 };

static uint64_t host_map[MAX_HOST_MAPS];
static unsigned host_maps;

static struct {
    uint64_t from, to;
} stack_mapping[CC_SIM_MAX_STACKS];
static unsigned stack_mappings;

static struct {
    uint64_t from, to;
} program;

bool guest_read(uint64_t addr, void *data, size_t n)
{
    struct iovec here = {data, n}, there = {(void *)(uintptr_t)(addr + world.program->guest_base), n};
    return process_vm_readv(getpid(), &here, 1, &there, 1, 0) == (ssize_t)n;
}

bool guest_write(uint64_t addr, const void *data, size_t n)
{
    struct iovec here = {(void *)(uintptr_t)data, n},
                 there = {(void *)(uintptr_t)(addr + world.program->guest_base), n};
    return process_vm_writev(getpid(), &here, 1, &there, 1, 0) == (ssize_t)n;
}

static void turn(void *data, size_t size, unsigned n)
{
    uint8_t *p = data;
    for (unsigned i = 0; world.big && i < n; i++, p += size)
        for (size_t k = 0; k < size / 2; k++) {
            uint8_t b = p[k];
            p[k] = p[size - 1 - k];
            p[size - 1 - k] = b;
        }
}

bool guest_read_numbers(uint64_t addr, void *data, size_t size, unsigned n)
{
    bool there = guest_read(addr, data, size * n);
    turn(data, size, n);
    return there;
}

bool guest_write_numbers(uint64_t addr, const void *data, size_t size, unsigned n)
{
    uint64_t turned[2];
    if (size * n > sizeof turned)
        return false;
    memcpy(turned, data, size * n);
    turn(turned, size, n);
    return guest_write(addr, turned, size * n);
}

struct map_line {
    uint64_t from, to, offset;
    bool writable;
    char path[CC_SIM_PATH];
};

static bool next_map(FILE *f, struct map_line *m)
{
    char line[CC_SIM_PATH + 128];
    if (!fgets(line, sizeof line, f))
        return false;
    int at = 0;
    char rights[5] = "";
    m->path[0] = 0;
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %" SCNx64 " %*s %*s %n", &m->from, &m->to, rights,
               &m->offset, &at) < 4)
        return false;
    m->writable = rights[1] == 'w';
    if (at > 0) {
        line[strcspn(line, "\n")] = 0;
        snprintf(m->path, sizeof m->path, "%s", line + at);
    }
    return true;
}

void guest_note_host_maps(void)
{
    FILE *f = fopen("/proc/self/maps", "r");
    struct map_line m;
    while (f && next_map(f, &m))
        if (host_maps < MAX_HOST_MAPS)
            host_map[host_maps++] = m.from;
    if (f)
        fclose(f);
}

static void add_module(uint64_t from, uint64_t to, uint64_t offset, const char *path)
{
    struct cc_sim_shared *s = world.shared;
    if (s->modules == CC_SIM_MODULES || path[0] != '/')
        return;
    struct cc_sim_module *m = &s->module[s->modules];
    m->from = from;
    m->to = to;
    m->offset = offset;
    m->program = world.number;
    snprintf(m->path, sizeof m->path, "%s", path);
    s->modules++;
    bool known = false; /* one mapping of a file tells where all of it is */
    for (uint32_t i = 0; i + 1 < s->modules; i++)
        known |= s->module[i].program == world.number && strcmp(s->module[i].path, path) == 0 &&
                 from - s->module[i].from < (1u << 30);
    if (!known)
        heap_file(path, from, offset);
}

/* The program's own file is the one we were told of; or the first, since loaders are put behind it. */
static void note_own_file(void)
{
    const struct cc_sim_shared *sh = world.shared;
    const char *own = NULL;
    for (uint32_t i = 0; i < sh->modules; i++)
        if (sh->module[i].program == world.number &&
            (!own || strcmp(sh->module[i].path, world.program->path) == 0))
            own = sh->module[i].path;
    for (uint32_t i = 0; own && i < sh->modules; i++)
        if (sh->module[i].program == world.number && strcmp(sh->module[i].path, own) == 0) {
            program.from = program.to ? program.from : sh->module[i].from;
            program.to = sh->module[i].to;
        }
}

static bool is_host(const struct map_line *m)
{
    bool known = m->from < world.program->guest_base;
    for (unsigned i = 0; i < host_maps && !known; i++)
        known = host_map[i] == m->from;
    return known;
}

/* What is mapped now and was not before is the program and its loader. QEMU 10 finds room for a file by
 * mapping all of it; what is left of that before the first part of the file begins is none of it. */
void guest_note_program(void)
{
    FILE *f = fopen("/proc/self/maps", "r");
    struct map_line m, next;
    bool more = f && next_map(f, &m);
    while (more) {
        more = next_map(f, &next);
        bool room = more && m.writable && !next.writable && next.from == m.to && next.offset == m.offset &&
                    strcmp(next.path, m.path) == 0;
        if (!room && !is_host(&m))
            add_module(m.from - world.program->guest_base, m.to - world.program->guest_base, m.offset,
                       m.path);
        m = next;
    }
    if (f)
        fclose(f);
    note_own_file();
}

bool guest_is_program(uint64_t pc)
{
    return pc >= program.from && pc < program.to;
}

void guest_note_mapping(uint64_t addr, uint64_t size, int fd, uint64_t offset)
{
    char link[64], path[CC_SIM_PATH];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t n = readlink(link, path, sizeof path - 1);
    if (n <= 0)
        return;
    path[n] = 0;
    add_module(addr, addr + size, offset, path);
}

void guest_note_stack_mapping(uint64_t addr, uint64_t size)
{
    unsigned keep = 0;
    for (unsigned i = 0; i < stack_mappings; i++)
        if (stack_mapping[i].to <= addr || stack_mapping[i].from >= addr + size)
            stack_mapping[keep++] = stack_mapping[i];
    stack_mappings = keep;
    if (stack_mappings < CC_SIM_MAX_STACKS) {
        stack_mapping[stack_mappings].from = addr;
        stack_mapping[stack_mappings++].to = addr + size;
    }
}

static void add_stack(uint64_t from, uint64_t to, unsigned thread)
{
    struct cc_sim_shared *s = world.shared;
    cc_sim_add_stack(world.sim, from + world.tag, to + world.tag);
    if (s->stacks < CC_SIM_MAX_STACKS)
        s->stack[s->stacks++] = (struct cc_sim_stack){from, to, thread, world.number};
}

void guest_note_stack(uint64_t sp, unsigned thread)
{
    for (unsigned i = 0; i < stack_mappings; i++)
        if (sp > stack_mapping[i].from && sp <= stack_mapping[i].to) {
            add_stack(stack_mapping[i].from, stack_mapping[i].to, thread);
            return;
        }
}

void guest_note_first_stack(uint64_t addr)
{
    uint64_t host = addr + world.program->guest_base;
    FILE *f = fopen("/proc/self/maps", "r");
    struct map_line m;
    while (f && next_map(f, &m))
        if (host >= m.from && host < m.to)
            add_stack(m.from - world.program->guest_base, m.to - world.program->guest_base, world.number);
    if (f)
        fclose(f);
}
