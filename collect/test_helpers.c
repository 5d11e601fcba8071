/* Names of the compiler's own functions, and names that only look like them. */
#include "helpers.h"
#include "tap.h"

#include <string.h>

static const char *const listed[] = {
#include "helpers.def"
};

static const char *const helpers[] = {"__aarch64_ldadd4_acq_rel",
                                      "__aarch64_cas8_relax",
                                      "__udivti3",
                                      "__aeabi_ldivmod",
                                      "__sync_fetch_and_add_4",
                                      "__multi3",
                                      "__riscv_save_4",
                                      "init_have_lse_atomics",
                                      "__popcountdi2",
                                      "__absvdi2",
                                      "pthread_atfork",
                                      "__atomic_load_16",
                                      "__atomic_compare_exchange",
                                      "libat_compare_exchange_16_i1",
                                      "__aarch64_have_lse_atomics",
                                      "__avx_savms64f_12",
                                      "__sse_resms64x_18",
                                      "__riscv_restore_12",
                                      "__bid128dd_add",
                                      "__bid_extendddtd2",
                                      "__bid_floatunsditd",
                                      "__gnu_Unwind_Resume",
                                      "__gnu_h2f_ieee",
                                      "__gnu_ssadddq3",
                                      "__gnu_fractunsudqudq",
                                      "__gnu_saturate1uha",
                                      "__gnu_mulhelperudq",
                                      "__sync_synchronize"};
static const char *const own[] = {"main",
                                  "",
                                  "_",
                                  "__udivti",
                                  "__udivti33",
                                  "__aarch65_x",
                                  "udivti3",
                                  "zebra",
                                  "atomic_add",
                                  "__mine",
                                  "__avx_dot",
                                  "__sse_fill",
                                  "__atomic_counter_bump",
                                  "__atomic_load_all",
                                  "__gnu_solver",
                                  "__gnu_divider",
                                  "__gnu_cmp",
                                  "__sync_queue",
                                  "__riscv_model_step",
                                  "__riscv_save_all",
                                  "__bid_price",
                                  "__bid_add",
                                  "__aarch64_emulate",
                                  "__aarch64_cas"};

int main(void)
{
    size_t unsorted = 0, lost = 0;
    for (size_t i = 0; i < sizeof listed / sizeof *listed; i++) {
        unsorted += i && strcmp(listed[i - 1], listed[i]) >= 0;
        lost += !cc_is_helper(listed[i]);
    }
    OK_U64(unsorted, 0, "the list is sorted");
    OK_U64(lost, 0, "and all of it is found");
    for (size_t i = 0; i < sizeof helpers / sizeof *helpers; i++)
        OK(cc_is_helper(helpers[i]), "'%s' is the compiler's", helpers[i]);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        OK(!cc_is_helper(own[i]), "'%s' is not", own[i]);
    return TAP_DONE();
}
