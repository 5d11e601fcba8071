/* What differs between versions of QEMU's plugin interface. */
#include "plugin.h"

#include "decode.h"

#include <string.h>

/* Of version 2, 4 and 5: only whether they are there. */
QEMU_PLUGIN_SINCE void qemu_plugin_scoreboard_new(void);
QEMU_PLUGIN_SINCE void qemu_plugin_read_memory_vaddr(void);
QEMU_PLUGIN_SINCE void qemu_plugin_write_register(void);
/* Before version 3: where the instruction's bytes are. Since then they are copied. */
void qemu_plugin_insn_data(void);

/* QEMU looks at it once the plugin is loaded, and takes none that is older or newer than it can do with. */
static int version = 1;
extern QEMU_PLUGIN_EXPORT int qemu_plugin_version
    __attribute__((alias("version"))); /* ours, whoever else has one */

typedef const void *(*find_data)(const struct qemu_plugin_insn *);
typedef size_t (*copy_data)(const struct qemu_plugin_insn *, void *, size_t);

static int interface;
static find_data find; /* one of both */
static copy_data copy;

__attribute__((constructor)) static void choose_version(void)
{
    if (qemu_plugin_scoreboard_new)
        version = 2;
    if (qemu_plugin_scoreboard_new && qemu_plugin_read_memory_vaddr)
        version = 4;
    if (qemu_plugin_scoreboard_new && qemu_plugin_write_register)
        version = 5;
}

bool cc_plugin_begin(const qemu_info_t *info)
{
    interface = info->version.cur;
    if (interface >= 3)
        copy = (copy_data)qemu_plugin_insn_data;
    else
        find = (find_data)qemu_plugin_insn_data;
    return interface >= 1 && cc_plugin_size_at() != 0;
}

bool cc_plugin_starts_later(void)
{
    return interface >= 2;
}

struct cc_plugin_code cc_plugin_code(const struct qemu_plugin_insn *insn)
{
    struct cc_plugin_code code = {.size = qemu_plugin_insn_size(insn)};
    if (code.size > sizeof code.bytes)
        code.size = sizeof code.bytes;
    if (copy)
        copy(insn, code.bytes, code.size);
    else
        memcpy(code.bytes, find(insn), code.size);
    return code;
}

size_t cc_plugin_insns(const struct qemu_plugin_tb *tb, enum cc_isa_id isa)
{
    size_t n = qemu_plugin_tb_n_insns(tb);
    if (isa != CC_ISA_X86 || n < 2)
        return n;
    struct cc_plugin_code last = cc_plugin_code(qemu_plugin_tb_get_insn(tb, n - 1));
    return cc_length_x86(last.bytes, last.size) > last.size ? n - 1 : n;
}

unsigned cc_plugin_size_at(void)
{
    enum { FIRST = 4, LAST = 8, READ = 1, WRITE = 2 };
    if (qemu_plugin_mem_is_store((qemu_plugin_meminfo_t)READ << CC_PLUGIN_RW_AT) ||
        !qemu_plugin_mem_is_store((qemu_plugin_meminfo_t)WRITE << CC_PLUGIN_RW_AT))
        return 0;
    for (unsigned at = FIRST; at <= LAST; at++) {
        bool fits = true;
        for (qemu_plugin_meminfo_t class = 0; class < 8; class ++)
            fits &= qemu_plugin_mem_size_shift(class << at) == class;
        if (fits)
            return at;
    }
    return 0;
}
