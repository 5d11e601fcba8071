/* main by the code at the entry point: of this very program, and of thousands of damaged copies. */
#include "binary/entry.h"
#include "base/file.h"
#include "base/rng.h"
#include "tap.h"

#include <link.h>

int main(void);

static int first_object(struct dl_phdr_info *info, size_t size, void *bias)
{
    (void)size;
    *(uint64_t *)bias = info->dlpi_addr;
    return 1;
}

static uint64_t main_of(char *image, size_t n)
{
    Elf *elf = elf_memory(image, n);
    uint64_t found = elf ? cc_entry_main(elf) : 0;
    elf_end(elf);
    return found;
}

/* Every other time one of the bytes at the entry point is hit, else the headers. */
static void test_damage(const char *image, size_t n, uint64_t entry)
{
    enum { ROUNDS = 3000, HEADERS = 1024, CODE = 96 };
    struct cc_rng rng = {.state = 1};
    char *copy = cc_alloc(n);
    unsigned others = 0;
    memcpy(copy, image, n);
    uint64_t right = main_of(copy, n);
    for (int i = 0; i < ROUNDS; i++) {
        memcpy(copy, image, n);
        for (int k = 0; k < 3; k++) {
            uint64_t at = i % 2 ? entry + cc_rng_below(&rng, CODE) : 16 + cc_rng_below(&rng, HEADERS - 16);
            if (at < n)
                copy[at] = (char)cc_rng_below(&rng, 256);
        }
        others += main_of(copy, i % 5 ? n : cc_rng_below(&rng, n)) != right;
    }
    OK(others > 0 && others < ROUNDS, "%d damaged copies, %u without the right answer", ROUNDS, others);
    free(copy);
}

int main(void)
{
    struct cc_err err = {0};
    char *image = NULL;
    size_t n = 0;
    uint64_t bias = 0;
    elf_version(EV_CURRENT);
    dl_iterate_phdr(first_object, &bias);
    OK(cc_file_read("/proc/self/exe", 256 << 20, &image, &n, &err) == 0, "this program");
    ElfW(Ehdr) header;
    memcpy(&header, image, sizeof header);
    OK_U64(main_of(image, n), (uint64_t)(uintptr_t)main - bias, "has main where its entry point says");
    test_damage(image, n, header.e_entry); /* code lies in the file as in memory */
    free(image);
    return TAP_DONE();
}
