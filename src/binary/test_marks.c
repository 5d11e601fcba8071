/* Reads the marks of this very program, and of damaged copies of it. */
#include "../../include/corecast/mark.h"
#include "marks.h"
#include "../base/file.h"
#include "tap.h"

#include <elf.h>
#include <time.h>

#include <link.h>

static volatile int sink;

static __attribute__((noinline)) void marked(const char *name, int n)
{
    CC_REGION_BEGIN("a region");
    for (int i = 0; i < n; i++) {
        CC_FRAME();
        CC_TASK_BEGIN("50% \"odd\" @name:1\n");
        sink += i;
        CC_TASK_END("50% \"odd\" @name:1\n");
    }
    CC_REGION_END("a region");
    CC_TASK_BEGIN_NAMED(name);
    CC_OBJECT(&sink, sizeof sink, name);
    CC_TASK_END_NAMED(name);
    CC_RECORD_OFF();
    CC_RECORD_ON();
}

static const struct cc_mark *first_of(const struct cc_marks *m, enum cc_mark_kind kind, bool record)
{
    for (size_t i = 0; i < m->n; i++)
        if (m->v[i].kind == kind && m->v[i].record == record)
            return &m->v[i];
    return NULL;
}

/* The program itself comes first: its bias is what links link-time and run-time addresses. */
static int first_object(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uintptr_t *)bias = info->dlpi_addr;
    return 1;
}

static void test_self(const struct cc_marks *m)
{
    marked("dynamic", 1);
    for (int k = 0; k < CC_MARK_KINDS; k++)
        OK(first_of(m, (enum cc_mark_kind)k, k == CC_MARK_OBJECT), "%s is found",
           cc_mark_kind_name((enum cc_mark_kind)k));
    OK(first_of(m, CC_MARK_TASK_BEGIN, true) && first_of(m, CC_MARK_TASK_END, true),
       "named tasks have records");
    const struct cc_mark *r = first_of(m, CC_MARK_REGION_BEGIN, false),
                         *t = first_of(m, CC_MARK_TASK_BEGIN, false);
    if (!r || !t)
        return;
    OK_STR(r->name, "a region", "name of a region");
    OK(strstr(r->file, "test_marks.c") != NULL, "its file: %s", r->file);
    OK(r->line > 10 && r->line < 40, "its line: %u", r->line);
    OK_STR(t->name, "50% \"odd\" @name:1\n", "a name with everything in it");
    OK_STR(first_of(m, CC_MARK_FRAME, false)->name, "", "frames have no name");
    OK(cc_marks_at(m, r->pc) && cc_marks_at(m, r->pc)->pc == r->pc && !cc_marks_at(m, r->pc + 1),
       "found by address");
    OK_U64(m->unknown, 0, "nothing unknown");
    uintptr_t bias = 0;
    dl_iterate_phdr(first_object, &bias);
    uint64_t at = bias + r->pc, function = (uint64_t)(uintptr_t)marked;
    OK(at >= function && at < function + 4096, "the mark lies in the function it is in");
}

static void test_damage(const char *data, size_t size, size_t good)
{
    char *copy = cc_alloc(size);
    uint64_t seed = 5;
    unsigned refused = 0, same = 0, bad = 0;
    for (int round = 0; round < 3000; round++) {
        memcpy(copy, data, size);
        for (int k = 0; k < 1 + round % 8; k++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            /* headers at the front and section headers at the back matter most */
            size_t where = (size_t)(seed >> 20) % (round % 2 ? 1024 : 4096);
            copy[round % 3 ? where % size : size - 1 - where % size] = (char)(seed >> 11);
        }
        struct cc_marks m;
        struct cc_err err = {0};
        size_t n = round % 5 ? size : (size_t)(seed >> 16) % size;
        if (cc_marks_parse("damaged", copy, n, &m, &err) < 0) {
            refused++;
            bad += err.msg[0] == 0;
        }
        same += m.n == good;
        for (size_t i = 0; i < m.n; i++)
            bad += !m.v[i].record && (!m.v[i].name || !m.v[i].file);
        cc_marks_fini(&m);
    }
    OK(bad == 0 && refused > 10 && same > 10, "3000 damaged files: %u refused, %u with all marks", refused,
       same);
    free(copy);
}

/* As core files do, a header may say that how many program headers there are is told by the first section:
 * four thousand million here, of which none is in the file. */
static void test_headers(void)
{
    union {
        Elf64_Ehdr header;
        char bytes[sizeof(Elf64_Ehdr) + sizeof(Elf64_Shdr)];
    } file = {.header = {.e_machine = EM_AARCH64,
                         .e_type = ET_EXEC,
                         .e_version = EV_CURRENT,
                         .e_ehsize = sizeof(Elf64_Ehdr),
                         .e_phoff = 1u << 30,
                         .e_phentsize = sizeof(Elf64_Phdr),
                         .e_phnum = PN_XNUM,
                         .e_shoff = sizeof(Elf64_Ehdr),
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = 1}};
    const Elf64_Shdr first = {.sh_info = UINT32_MAX};
    const unsigned char ident[] = {0x7f, 'E', 'L', 'F', ELFCLASS64, ELFDATA2LSB, EV_CURRENT};
    memcpy(file.header.e_ident, ident, sizeof ident);
    memcpy(file.bytes + sizeof(Elf64_Ehdr), &first, sizeof first);
    struct cc_marks m = {0};
    clock_t before = clock();
    cc_marks_parse("many", file.bytes, sizeof file.bytes, &m, NULL);
    cc_marks_fini(&m);
    OK(clock() - before < 2 * CLOCKS_PER_SEC, "a count of program headers that no file has is not believed");
}

int main(void)
{
    struct cc_marks m;
    struct cc_err err = {0};
    char *data;
    size_t size;
    OK(cc_marks_load("/proc/self/exe", &m, &err) == 0, "this program's marks are read: %s", err.msg);
    test_self(&m);
    if (cc_file_read("/proc/self/exe", 64 << 20, &data, &size, &err) == 0) {
        test_damage(data, size, m.n);
        free(data);
    }
    cc_marks_fini(&m);
    OK(cc_marks_load("/etc/passwd", &m, &err) == -CC_EINPUT, "what is no ELF file is refused");
    OK(cc_marks_parse("empty", "", 0, &m, &err) == -CC_EINPUT, "nothing is refused");
    OK(cc_marks_load("/bin/sh", &m, &err) == 0 && m.n == 0, "a program without marks has none");
    cc_marks_fini(&m);
    test_headers();
    return TAP_DONE();
}
