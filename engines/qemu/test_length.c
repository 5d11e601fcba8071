/* Lengths of x86-64's instructions, against the disassembler, whole and cut anywhere. */
#include "../../src/base/rng.h"
#include "../../tests/tap.h"
#include "decode.h"

#include <capstone/capstone.h>
#include <string.h>

/* What no program executes here (EVEX, XOP, 3DNow!, undefined ones, control registers), or the disassembler
 * takes otherwise (a word's jump). */
static bool is_left_out(const cs_insn *i, const uint8_t *bytes)
{
    bool narrow = false;
    for (unsigned k = 0; k < i->size; k++) {
        uint8_t b = bytes[k];
        narrow |= b == 0x66;
        if (b == 0x62 || b == 0x8f || (narrow && (b == 0xe8 || b == 0xe9)))
            return true;
        if (b == 0x0f)
            return strchr("\x0f\xb9\xff\x20\x21\x22\x23", bytes[k + 1]) || (narrow && bytes[k + 1] >> 4 == 8);
    }
    return false;
}

int main(void)
{
    enum { ROUNDS = 400000, LONGEST = 15 };
    struct cc_rng rng = {.state = 1};
    csh handle;
    unsigned whole = 0, wrong = 0, cut = 0, taken_as_whole = 0;
    if (!OK(cs_open(CS_ARCH_X86, CS_MODE_64, &handle) == CS_ERR_OK, "capstone"))
        return TAP_DONE();
    cs_insn *i = cs_malloc(handle);
    for (unsigned r = 0; r < ROUNDS; r++) {
        uint8_t bytes[LONGEST + 1];
        const uint8_t *at = bytes;
        size_t left = LONGEST;
        uint64_t address = 0;
        for (unsigned k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)cc_rng_next(&rng);
        if (!cs_disasm_iter(handle, &at, &left, &address, i) || is_left_out(i, bytes))
            continue;
        size_t length = cc_length_x86(bytes, LONGEST);
        whole++;
        if (length != i->size && wrong++ < 10)
            printf("# %02x %02x %02x %02x %s: %zu bytes, want %u\n", bytes[0], bytes[1], bytes[2], bytes[3],
                   i->mnemonic, length, i->size);
        for (unsigned k = 1; k < i->size; k++, cut++)
            taken_as_whole += cc_length_x86(bytes, k) <= k;
    }
    cs_free(i, 1);
    cs_close(&handle);
    OK(whole > ROUNDS / 4 && !wrong, "%u instructions, %u of another length", whole, wrong);
    OK(cut > whole && !taken_as_whole, "%u cut ones, %u taken as whole", cut, taken_as_whole);
    return TAP_DONE();
}
