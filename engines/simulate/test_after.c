/* What instructions of aarch64 do with registers, and what comes after an atomic. Words are as an assembler
 * makes them of the text beside. */
#include "../../tests/tap.h"
#include "after.h"

static const uint32_t *code;
static uint64_t words;

static bool read_code(uint64_t addr, uint32_t *ret)
{
    if (addr / 4 >= words)
        return false;
    *ret = code[addr / 4];
    return true;
}

static struct after from(const uint32_t *list, uint64_t n)
{
    code = list;
    words = n;
    return after_code(0, 0, read_code);
}
#define FROM(...) from((const uint32_t[]){__VA_ARGS__}, sizeof(uint32_t[]){__VA_ARGS__} / 4)
#define IS(k, ...) (FROM(__VA_ARGS__).kind == (k))

enum {
    CMP_X19_X20 = 0xeb14027f,
    MOV_W0_1 = 0x52800020,
    MOV_X1_X0 = 0xaa0003e1,
    MOV_X0_X28 = 0xaa1c03e0,
    LDR_X0_X19 = 0xf9400260,
    STR_X0_X19 = 0xf9000260,
    LDP_X0_X1_SP = 0xa94107e0, /* [sp, 16] */
    STP_X29_X30 = 0xa9bd7bfd,  /* [sp, -48]! */
    LDP_X29_X30 = 0xa8c37bfd,  /* [sp], 48 */
    LDAR_W20 = 0x88dffe74,     /* [x19] */
    LDAXR_W0 = 0x885ffc20,     /* [x1] */
    STLXR_W0_W2 = 0x8800fc22,  /* [x1] */
    ADD_SP_32 = 0x910083ff,
    LDR_X30 = 0xf84107fe, /* [sp], 16 */
    MOVK_X0 = 0xf2800020,
    BFI_W0_W1 = 0x33001c20,
    RET = 0xd65f03c0,
    NOP = 0xd503201f,
    SVC = 0xd4000001,
    BR_X17 = 0xd61f0220,
};
#define BNE(by) (0x54000001u | ((uint32_t)(by)&0x7ffff) << 5)
#define CBZ_W0(by) (0x34000000u | ((uint32_t)(by)&0x7ffff) << 5)
#define B(by) (0x14000000u | ((uint32_t)(by)&0x3ffffff))
#define BL(by) (0x94000000u | ((uint32_t)(by)&0x3ffffff))

static void test_uses(void)
{
    OK(use_of(CMP_X19_X20, 0) == USE_NONE && use_of(CMP_X19_X20, 19) == USE_READS &&
           use_of(CMP_X19_X20, 31) == USE_NONE,
       "a comparison reads two and writes none; the register of zeros is not the stack");
    OK(use_of(MOV_W0_1, 0) == USE_WRITES && use_of(MOVK_X0, 0) == USE_UNKNOWN &&
           use_of(BFI_W0_W1, 0) == USE_UNKNOWN,
       "a constant is written, a part of one keeps the rest");
    OK(use_of(LDR_X0_X19, 0) == USE_WRITES && use_of(STR_X0_X19, 0) == USE_READS &&
           use_of(LDP_X0_X1_SP, 1) == USE_WRITES && use_of(LDP_X0_X1_SP, 31) == USE_READS &&
           use_of(STP_X29_X30, 31) == USE_UNKNOWN && use_of(LDAR_W20, 31) == USE_NONE &&
           use_of(LDAXR_W0, 0) == USE_WRITES && use_of(LDAXR_W0, 1) == USE_READS &&
           use_of(STLXR_W0_W2, 0) == USE_WRITES && use_of(STLXR_W0_W2, 2) == USE_READS,
       "loads, stores, pairs, and those that move the stack pointer");
    OK(use_of(SVC, 0) == USE_UNKNOWN && use_of(BR_X17, 0) == USE_UNKNOWN && use_of(0, 0) == USE_UNKNOWN,
       "what is not known may do anything");
}

static void test_after(void)
{
    OK(IS(AFTER_DEAD, CMP_X19_X20, MOV_W0_1) && IS(AFTER_DEAD, NOP, LDR_X0_X19) &&
           IS(AFTER_DEAD, MOV_X0_X28) && IS(AFTER_DEAD, LDP_X0_X1_SP),
       "overwritten before anybody looks");
    OK(IS(AFTER_USED, MOV_X1_X0) && IS(AFTER_USED, CBZ_W0(2), NOP) && IS(AFTER_USED, STR_X0_X19) &&
           IS(AFTER_USED, SVC) && IS(AFTER_USED, MOVK_X0, MOV_W0_1) && IS(AFTER_USED, BR_X17),
       "used, or perhaps");
    OK(IS(AFTER_USED, CMP_X19_X20), "code that ends in nothing");
    OK(IS(AFTER_DEAD, BNE(2), MOV_W0_1, LDR_X0_X19) && IS(AFTER_USED, BNE(2), MOV_W0_1, MOV_X1_X0) &&
           IS(AFTER_DEAD, NOP, BNE(-1), MOV_W0_1) && IS(AFTER_USED, B(2), MOV_W0_1, MOV_X1_X0),
       "both ways of a branch, round a loop, over a jump");
    struct after a = FROM(CMP_X19_X20, BNE(4), LDP_X29_X30, RET, NOP, MOV_W0_1);
    OK(a.kind == AFTER_RETURNS && a.back == 8 && a.up == 48, "one way returns: where to lies on the stack");
    a = FROM(ADD_SP_32, LDR_X30, RET);
    OK(a.kind == AFTER_RETURNS && a.back == 32 && a.up == 48, "the stack pointer is followed");
    a = FROM(NOP, RET);
    OK(a.kind == AFTER_RETURNS && a.back == AFTER_X30 && a.up == 0, "or still in its register");
    OK(IS(AFTER_USED, BNE(3), LDR_X30, RET, RET), "two ways that return differently");
    OK(IS(AFTER_DEAD, BL(2), MOV_X1_X0, STP_X29_X30, MOV_W0_1) &&
           IS(AFTER_USED, BL(2), MOV_W0_1, STP_X29_X30, MOV_X1_X0) && IS(AFTER_USED, BL(2), MOV_W0_1, RET),
       "a function that is called may look at its first argument, or return with it");
}

int main(void)
{
    test_uses();
    test_after();
    return TAP_DONE();
}
