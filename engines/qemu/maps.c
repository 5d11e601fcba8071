/* What is mapped: read from /proc/self/maps whenever code turns up that no binary covers. */
#include "engine.h"

#include <stdio.h>
#include <string.h>

struct mapping {
    uint64_t start, end, offset;
    char perms[5], path[4096];
};

/* The kernel writes a line break in a path as \012. */
static void unescape(char *path)
{
    for (char *p = path; (p = strstr(p, "\\012")); p++) {
        *p = '\n';
        memmove(p + 1, p + 4, strlen(p + 4) + 1);
    }
}

static bool next_mapping(FILE *maps, struct mapping *m)
{
    char line[4500];
    while (fgets(line, sizeof line, maps)) {
        unsigned long start, end, offset;
        m->path[0] = 0;
        if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %4095[^\n]", &start, &end, m->perms, &offset, m->path) < 4)
            continue;
        m->start = start;
        m->end = end;
        m->offset = offset;
        unescape(m->path);
        return true;
    }
    return false;
}

bool cc_qemu_is_elf(const char *path)
{
    unsigned char magic[4] = {0};
    return cc_qemu_host.read_file(NULL, path, magic, 4, 0) == 4 && memcmp(magic, "\177ELF", 4) == 0;
}

static bool is_own(const char *path)
{
    return strcmp(path, engine.options.program) == 0 ||
           (engine.options.own && strncmp(path, engine.options.own, strlen(engine.options.own)) == 0);
}

/* The file whose mapping holds this code; QEMU does not map guest code executable, so permissions say
 * nothing. */
void cc_qemu_look_for_code(uint64_t address)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    while (maps && next_mapping(maps, &m)) {
        if (m.path[0] != '/' || address + engine.base < m.start || address + engine.base >= m.end)
            continue;
        cc_binary_add(engine.collect, m.path, m.start - engine.base, m.end - engine.base, m.offset,
                      is_own(m.path));
    }
    if (maps)
        fclose(maps);
}

/* Neither registers nor the threads' stacks are told. But the first memory without a file that a thread
 * touches is its stack, on every machine: where it finds its arguments. */
void cc_qemu_look_for_stack(struct vcpu *v, uint64_t a)
{
    enum { MOST = 8 << 20, ABOVE = 1 << 20 }; /* neighbours may be in the same mapping */
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    v->looks--;
    while (maps && next_mapping(maps, &m)) {
        if (a + engine.base < m.start || a + engine.base >= m.end || m.path[0])
            continue;
        bool first = v == &engine.vcpus[0];
        uint64_t start = m.start - engine.base, end = m.end - engine.base, most = a + (first ? ABOVE : 64);
        if (a - start > MOST)
            start = a - MOST;
        cc_thread_stack(v->thread, start, (end < most ? end : most) - start);
        v->looks = 0;
    }
    if (maps)
        fclose(maps);
}

/* Initial data of the program; what comes later comes through mmap. */
static void look_for_data(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    uint64_t bss_after = 0;
    while (maps && next_mapping(maps, &m)) {
        bool program = strcmp(m.path, engine.options.program) == 0;
        bool bss = bss_after && m.path[0] == 0 && m.start == bss_after;
        if (program || bss)
            cc_map_range(engine.collect, m.start - engine.base, m.end - m.start, CC_NODE_STATIC, 0);
        if (program || bss)
            cc_data_file(engine.collect, engine.options.program, true, m.start - engine.base,
                         m.end - m.start);
        bss_after = program || bss ? m.end : 0;
    }
    if (maps)
        fclose(maps);
}

void cc_qemu_look_for_program(uint64_t address, const void *here)
{
    engine.base = here ? (uint64_t)(uintptr_t)here - address : 0;
    look_for_data();
}
