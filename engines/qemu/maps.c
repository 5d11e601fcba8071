/* What is mapped: read from /proc/self/maps whenever code turns up that no binary covers. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct mapping {
    uint64_t start, end, offset;
    char path[4096];
};

/* The kernel writes a line break in a path as \012. */
static void unescape(char *path)
{
    for (char *p = path; (p = strstr(p, "\\012")); p++) {
        *p = '\n';
        memmove(p + 1, p + 4, strlen(p + 4) + 1);
    }
}

/* Behind the next blanks. */
static const char *word_after(const char *p)
{
    p += strcspn(p, " \n");
    return p + strspn(p, " ");
}

/* "START-END PERMS OFFSET DEVICE INODE PATH"; there may be thousands of lines for each thread that begins. */
static bool next_mapping(FILE *maps, struct mapping *m)
{
    char line[4500], *p;
    while (fgets(line, sizeof line, maps)) {
        m->start = strtoul(line, &p, 16);
        if (*p != '-')
            continue;
        m->end = strtoul(p + 1, &p, 16);
        p = (char *)word_after(word_after(p));
        m->offset = strtoul(p, &p, 16);
        const char *path = word_after(word_after(word_after(p)));
        size_t n = strcspn(path, "\n");
        n = n < sizeof m->path ? n : sizeof m->path - 1;
        memcpy(m->path, path, n);
        m->path[n] = 0;
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

uint64_t cc_qemu_mapped_at(uint64_t address)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    uint64_t size = 0;
    while (maps && next_mapping(maps, &m))
        if (m.start == address + engine.base)
            size = m.end - m.start;
    if (maps)
        fclose(maps);
    return size;
}

static uint64_t word_at(uint64_t a)
{
    uint64_t v = 0;
    memcpy(&v, (const void *)(uintptr_t)(engine.base + a), engine.isa->wide ? 8 : 4);
    return v;
}

/* Where the arguments begin that the program was started with, and behind them its environment: their number,
 * a pointer to each, and 0. Nothing but what has just been called lies between an address of the stack and
 * them. 0: not found. */
static uint64_t find_arguments(uint64_t a, uint64_t end)
{
    enum { AWAY = 1 << 16, MOST = 1 << 16 };
    uint64_t word = engine.isa->wide ? 8 : 4, last = end - a < AWAY ? end : a + AWAY;
    for (uint64_t at = (a + word - 1) & -word; at + 3 * word <= last; at += word) {
        uint64_t n = word_at(at), i = 0;
        if (n == 0 || n > MOST || (n + 2) * word > end - at || word_at(at + (n + 1) * word))
            continue;
        while (i < n && word_at(at + (i + 1) * word) > at && word_at(at + (i + 1) * word) < end)
            i++;
        if (i == n)
            return at;
    }
    return 0;
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
        if (!first && a - start > MOST) /* below the first there is a guard page of QEMU's */
            start = a - MOST;
        cc_thread_stack(v->thread, start, (end < most ? end : most) - start);
        v->looks = 0;
        uint64_t arguments = first ? find_arguments(a, end) : 0;
        if (arguments)
            cc_map_range(engine.collect, arguments, end - arguments, CC_NODE_INPUT,
                         cc_source(engine.collect, "execve", ""));
    }
    if (maps)
        fclose(maps);
}

/* Initial data of a file that QEMU itself has mapped, the program or its loader; what comes later comes
 * through mmap. QEMU has been loaded by the same loader, maybe, but far away from `here` (0: wherever it is).
 */
static void look_for_data(const char *path, uint64_t here)
{
    enum { FAR = 1 << 30 };
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    uint64_t bss_after = 0;
    while (maps && next_mapping(maps, &m)) {
        bool program =
            strcmp(m.path, path) == 0 && (!here || (m.start < here ? here - m.start : m.start - here) < FAR);
        bool bss = bss_after && m.path[0] == 0 && m.start == bss_after;
        if (program || bss)
            cc_map_range(engine.collect, m.start - engine.base, m.end - m.start, CC_NODE_STATIC, 0);
        if (program || bss)
            cc_data_file(engine.collect, path, true, m.start - engine.base, m.end - m.start);
        bss_after = program || bss ? m.end : 0;
    }
    if (maps)
        fclose(maps);
}

static bool file_at(uint64_t here, char path[static 4096])
{
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    path[0] = 0;
    while (maps && next_mapping(maps, &m))
        if (m.start <= here && here < m.end)
            memcpy(path, m.path, sizeof m.path);
    if (maps)
        fclose(maps);
    return path[0] == '/';
}

void cc_qemu_look_for_program(uint64_t address, const void *here)
{
    engine.base = here ? (uint64_t)(uintptr_t)here - address : 0;
    look_for_data(engine.options.program, 0);
    char path[4096];
    if (here && file_at((uint64_t)(uintptr_t)here, path) && strcmp(path, engine.options.program) != 0)
        look_for_data(path, (uint64_t)(uintptr_t)here);
}
