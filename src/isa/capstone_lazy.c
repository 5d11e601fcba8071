/* The capstone library, loaded when an instruction is first decoded (base/lazy.h): 3 MB of tables. */
#include "../base/lazy.h"

#include <capstone/capstone.h>

static const char *const names[] = {CC_SONAME_CAPSTONE, NULL};
static struct cc_lazy capstone = {.names = names};

/* clang-format off */
CC_LAZY(capstone, CS_ERR_MEM, cs_err, cs_regs_access, (csh a, const cs_insn *b, cs_regs c, uint8_t *d, cs_regs e, uint8_t *f), (a, b, c, d, e, f))
CC_LAZY(capstone, CS_ERR_MEM, cs_err, cs_open, (cs_arch a, cs_mode b, csh *c), (a, b, c))
CC_LAZY(capstone, CS_ERR_MEM, cs_err, cs_close, (csh *a), (a))
CC_LAZY(capstone, CS_ERR_MEM, cs_err, cs_option, (csh a, cs_opt_type b, size_t c), (a, b, c))
CC_LAZY(capstone, NULL, cs_insn *, cs_malloc, (csh a), (a))
CC_LAZY_VOID(capstone, cs_free, (cs_insn *a, size_t b), (a, b))
CC_LAZY(capstone, false, bool, cs_disasm_iter, (csh a, const uint8_t **b, size_t *c, uint64_t *d, cs_insn *e), (a, b, c, d, e))
CC_LAZY(capstone, NULL, const char *, cs_insn_name, (csh a, unsigned b), (a, b))
