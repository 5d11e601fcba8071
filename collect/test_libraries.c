/* Which shared libraries are the system's and the languages', and reading a file's SONAME. */
#include "../tests/collect.h"
#include "elf.h"

static void test_names(void)
{
    static const char *const theirs[] = {"libc.so.6",
                                         "libm.so.6",
                                         "libm.so.6.1",
                                         "ld-linux-x86-64.so.2",
                                         "ld-linux-aarch64.so.1",
                                         "ld-linux-riscv64-lp64d.so.1",
                                         "ld.so.1",
                                         "libc.so",
                                         "libc.musl-x86_64.so.1",
                                         "libpthread.so.0",
                                         "libgcc_s.so.1",
                                         "libstdc++.so.6",
                                         "libc++.so.1",
                                         "libc++.so.1.0",
                                         "libc++abi.so.1",
                                         "libgomp.so.1",
                                         "libomp.so",
                                         "libomp.so.5",
                                         "libatomic.so.1",
                                         "libgnat-12.so.1",
                                         "libgnat-12.so",
                                         "libnss_files.so.2",
                                         "linux-vdso.so.1",
                                         "vgpreload_core-arm64-linux.so"};
    static const char *const programs[] = {
        "libmath.so", "libcalc.so",      "libm.so",        "librt.so",       "libm.so.60",    "libm.so.6x",
        "libc.so.7",  "libcc.so.6",      "libdl.so",       "libdlib.so.2",   "libbz2.so.1.0", "liblzma.so.5",
        "libz.so.1",  "libstdc++x.so.6", "mylibc.so.6",    "libunwind.so.8", "libcrypt.so.1", "libc.so.6-own",
        "",           "ld-linux",        "libomp-tools.so"};
    for (size_t i = 0; i < sizeof theirs / sizeof *theirs; i++)
        OK(cc_runtime_library(theirs[i]), "'%s' is the system's or a language's", theirs[i]);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        OK(!cc_runtime_library(programs[i]), "'%s' is not", programs[i]);
}

/* --- a file whose dynamic section names it --- */

enum { STRINGS = 0x200, DYNAMIC = 0x100, SIZE = 0x220, BASE = 0x10000 };

static void put(uint8_t *to, unsigned n, uint64_t v)
{
    for (; n--; v >>= 8)
        *to++ = (uint8_t)v;
}

static void put_segment(uint8_t *to, uint32_t type, uint64_t offset, uint64_t size)
{
    put(to, 4, type);
    put(to + 8, 8, offset);
    put(to + 16, 8, BASE + offset);
    put(to + 32, 8, size);
}

static void make_file(uint8_t image[SIZE])
{
    memset(image, 0, SIZE);
    memcpy(image, "\177ELF\2\1\1", 7);
    put(image + 32, 8, 64); /* program headers */
    put(image + 54, 2, 56);
    put(image + 56, 2, 2);
    put_segment(image + 64, CC_SEGMENT_LOAD, 0, SIZE);
    put_segment(image + 120, CC_SEGMENT_DYNAMIC, DYNAMIC, 64);
    put(image + DYNAMIC, 8, 14); /* DT_SONAME */
    put(image + DYNAMIC + 8, 8, 1);
    put(image + DYNAMIC + 16, 8, 5); /* DT_STRTAB */
    put(image + DYNAMIC + 24, 8, BASE + STRINGS);
    memcpy(image + STRINGS + 1, "libown.so.3", 12);
}

static const char *soname_of(struct cc_collect *c, const uint8_t *image, size_t size, char *to, size_t room)
{
    static const char path[] = "soname.test";
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(image, 1, size, f) != size)
        abort();
    fclose(f);
    struct cc_elf e = {.c = c, .path = path};
    bool found = cc_elf_open(&e) && cc_elf_soname(&e, to, room);
    remove(path);
    return found ? to : "";
}

static void test_soname(void)
{
    uint8_t image[SIZE], damaged[SIZE];
    char name[64];
    struct cc_collect *c = plain();
    unsigned rounds = 0, wrong = 0;
    make_file(image);
    OK_STR(soname_of(c, image, SIZE, name, sizeof name), "libown.so.3", "the name in the dynamic section");
    OK_STR(soname_of(c, image, SIZE, name, 12), "libown.so.3", "that just fits");
    OK_STR(soname_of(c, image, SIZE, name, 11), "", "that does not");
    OK_STR(soname_of(c, image, STRINGS + 5, name, sizeof name), "", "that is cut short");
    for (size_t at = 0; at < SIZE; at += at < 0x130 ? 1 : 7)
        for (int k = 0; k < 3; k++, rounds++) {
            memcpy(damaged, image, SIZE);
            damaged[at] = (uint8_t)(k == 0 ? 0xff : k == 1 ? 0x80 : damaged[at] + 1);
            const char *got = soname_of(c, damaged, SIZE, name, sizeof name);
            wrong += strlen(got) >= sizeof name;
        }
    OK(!wrong, "%u damaged files", rounds);
}

int main(void)
{
    test_names();
    test_soname();
    return TAP_DONE();
}
