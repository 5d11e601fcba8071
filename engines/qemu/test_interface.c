/* The plugins in a QEMU that has one version of the interface (INTERFACE) and nothing else: they are loaded,
 * say a version that it takes, and read code, accesses and registers as it tells them. */
#include "tap.h"
#include "decode.h"
#include "registers.h"

#include <dlfcn.h>
#include <string.h>

/* --- what such a QEMU has --- */

struct qemu_plugin_insn {
    uint8_t bytes[4];
};
static const struct qemu_plugin_insn setp = {{0x43, 0x04, 0xc1, 0x19}};

enum { SIZE_AT = INTERFACE >= 5 ? 5 : 4 }; /* QEMU 10.2 moved it */

size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *insn)
{
    return sizeof insn->bytes;
}

unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t info)
{
    return info >> SIZE_AT & 7;
}

bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t info)
{
    return info >> 17 & 1;
}

#if INTERFACE >= 3
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t size);
size_t qemu_plugin_insn_data(const struct qemu_plugin_insn *insn, void *to, size_t size)
{
    memcpy(to, insn->bytes, size);
    return size;
}
#else
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn);
const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *insn)
{
    return insn->bytes;
}
#endif

#if INTERFACE >= 2
struct qemu_plugin_register {
    uint64_t value;
};
static struct qemu_plugin_register file[33];
static char names[33][8];

struct qemu_plugin_array *qemu_plugin_get_registers(void)
{
    static struct qemu_plugin_reg_descriptor all[33];
    static struct qemu_plugin_array array = {(char *)all, 33};
    for (unsigned i = 0; i < 33; i++) {
        if (i < 31)
            snprintf(names[i], sizeof names[i], "x%u", i);
        all[i] = (struct qemu_plugin_reg_descriptor){&file[i],
                                                     i < 31    ? names[i]
                                                     : i == 31 ? "sp"
                                                               : "pc",
                                                     NULL};
        file[i].value = UINT64_C(0x100000000) * i + 7;
    }
    return &array;
}

int qemu_plugin_read_register(struct qemu_plugin_register *handle, struct qemu_plugin_array *to)
{
    memcpy(to->data + to->len, &handle->value, sizeof handle->value);
    to->len += sizeof handle->value;
    return INTERFACE >= 6 ? 1 : 8;
}

struct qemu_plugin_array *g_byte_array_new(void)
{
    static char room[16];
    static struct qemu_plugin_array array = {room, 0};
    return &array;
}

char *g_array_free(struct qemu_plugin_array *array, int and_data)
{
    (void)and_data;
    return array->data;
}
#endif

/* --- tests --- */

static void test_version(void)
{
    static const int wanted[] = {0, 1, 2, 2, 4, 5}; /* 3 cannot be told from 2, which it takes */
    OK_U64(qemu_plugin_version, wanted[INTERFACE], "a version that it takes");
    qemu_info_t info = {.target_name = "aarch64",
                        .version = {.min = INTERFACE > 1 ? 2 : 0, .cur = INTERFACE}};
    OK(cc_plugin_begin(&info), "and whose accesses we can read");
    OK_U64(cc_plugin_size_at(), SIZE_AT, "the size is where it is");
    OK(cc_plugin_starts_later() == (INTERFACE >= 2), "who tells that a thread starts");
    struct cc_plugin_code code = cc_plugin_code(&setp);
    struct cc_block_op op;
    OK(code.size == 4 && memcmp(code.bytes, setp.bytes, 4) == 0, "the bytes of an instruction");
    OK(cc_block_op(CC_ISA_AARCH64, code.bytes, code.size, &op) && op.to == 3 && op.count == 2 && !op.copies,
       "one that sets memory");
    code.bytes[1] = 0x44;
    OK(!cc_block_op(CC_ISA_AARCH64, code.bytes, code.size, &op), "only the first of its three");
    memcpy(code.bytes, (uint8_t[]){0x20, 0x04, 0x02, 0x1d}, 4); /* cpyp [x0]!, [x2]!, x1! */
    OK(cc_block_op(CC_ISA_AARCH64, code.bytes, code.size, &op) && op.copies && op.to == 0 && op.from == 2 &&
           op.count == 1,
       "one that copies");
}

static void test_registers(void)
{
    struct cc_register_map map;
    struct cc_registers r = {0};
    uint64_t state[48] = {0}, args[4] = {1, 2, 3, 4};
    cc_register_map_init(&map, cc_isa_named("aarch64"));
    cc_registers_open(&map, &r);
#if INTERFACE >= 2
    (void)state;
    (void)args;
    OK(cc_registers_known(&map, &r), "registers by their names");
    OK_U64(cc_register_get(&map, &r, CC_REG_ARG + 2), UINT64_C(0x200000007), "an argument");
    OK_U64(cc_register_get(&map, &r, CC_REG_SP), UINT64_C(0x1f00000007), "the stack pointer");
    OK_U64(cc_register_general(&r, 30), UINT64_C(0x1e00000007), "one by its number");
    OK_U64(cc_register_general(&r, 31), 0, "the one that is zero");
#else
    OK(!r.general && !cc_registers_known(&map, &r), "no names");
    r.state = state;
    memcpy(state + 8, args, sizeof args);
    for (int i = 0; i < 4; i++) {
        OK(!cc_registers_known(&map, &r), "not before they are proven");
        cc_registers_prove(&map, &r, args);
    }
    OK(cc_registers_known(&map, &r) && cc_register_get(&map, &r, CC_REG_ARG + 1) == 2, "then they are");
    args[3]++;
    cc_registers_prove(&map, &r, args);
    OK(!cc_registers_known(&map, &r), "until something else turns up there");
#endif
    cc_register_map_init(&map, cc_isa_named("x86_64"));
    OK(cc_register_back_on_stack(&map), "calls of x86 push");
}

/* What instructions access, as far as it has to be known beforehand: wrongly said to be once, or two side by
 * side, an access would be lost. */
static const struct {
    enum cc_isa_id isa;
    uint32_t code;
    unsigned size;
    struct cc_access is;
    const char *what;
} accesses[] = {{CC_ISA_AARCH64, 0xf9400020, 4, {1, 3, false}, "ldr x0, [x1]"},
                {CC_ISA_AARCH64, 0x3dc00020, 4, {2, 3, false}, "ldr q0, [x1]"},
                {CC_ISA_AARCH64, 0x3ca26820, 4, {2, 3, true}, "str q0, [x1, x2]"},
                {CC_ISA_AARCH64, 0xf8626820, 4, {1, 3, false}, "ldr x0, [x1, x2]"},
                {CC_ISA_AARCH64, 0xfc62d820, 4, {1, 3, false}, "ldr d0, [x1, w2, sxtw #3]"},
                {CC_ISA_AARCH64, 0xb8004420, 4, {1, 2, true}, "str w0, [x1], #4"},
                {CC_ISA_AARCH64, 0x39400c20, 4, {1, 0, false}, "ldrb w0, [x1, #3]"},
                {CC_ISA_AARCH64, 0xa94007e0, 4, {2, 3, false}, "ldp x0, x1, [sp]"},
                {CC_ISA_AARCH64, 0x29be0440, 4, {2, 2, true}, "stp w0, w1, [x2, #-16]!"},
                {CC_ISA_AARCH64, 0x6d0127e8, 4, {2, 3, true}, "stp d8, d9, [sp, #16]"},
                {CC_ISA_AARCH64, 0xa8400440, 4, {2, 3, false}, "ldnp x0, x1, [x2]"},
                {CC_ISA_AARCH64, 0xad400440, 4, {0}, "ldp q0, q1, [x2]"},
                {CC_ISA_AARCH64, 0x69400440, 4, {0}, "ldpsw x0, x1, [x2]"},
                {CC_ISA_AARCH64, 0x885f7c20, 4, {0}, "ldxr w0, [x1]"},
                {CC_ISA_AARCH64, 0x4c407000, 4, {0}, "ld1 {v0.16b}, [x0]"},
                {CC_ISA_AARCH64, 0xb8200041, 4, {0}, "ldadd w0, w1, [x2]"},
                {CC_ISA_AARCH64, 0x88a07c41, 4, {0}, "cas w0, w1, [x2]"},
                {CC_ISA_AARCH64, 0xf8208041, 4, {0}, "swp x0, x1, [x2]"},
                {CC_ISA_AARCH64, 0xd50b7420, 4, {0}, "dc zva, x0"},
                {CC_ISA_AARCH64, 0x79800020, 4, {1, 1, false}, "ldrsh x0, [x1]"},
                {CC_ISA_AARCH64, 0x39c00020, 4, {1, 0, false}, "ldrsb w0, [x1]"},
                {CC_ISA_AARCH64, 0xb9800020, 4, {1, 2, false}, "ldrsw x0, [x1]"},
                {CC_ISA_AARCH64, 0x3d000020, 4, {1, 0, true}, "str b0, [x1]"},
                {CC_ISA_AARCH64, 0x7d400020, 4, {1, 1, false}, "ldr h0, [x1]"},
                {CC_ISA_AARCH64, 0x3d800020, 4, {2, 3, true}, "str q0, [x1]"},
                {CC_ISA_AARCH64, 0x2d400440, 4, {2, 2, false}, "ldp s0, s1, [x2]"},
                {CC_ISA_RISCV, 0x00a58023, 4, {1, 0, true}, "sb a0, 0(a1)"},
                {CC_ISA_RISCV, 0x0005d503, 4, {1, 1, false}, "lhu a0, 0(a1)"},
                {CC_ISA_RISCV, 0x00a5a027, 4, {1, 2, true}, "fsw fa0, 0(a1)"},
                {CC_ISA_RISCV, 0xe42a, 2, {1, 3, true}, "c.sdsp a0, 8(sp)"},
                {CC_ISA_RISCV, 0x0005b503, 4, {1, 3, false}, "ld a0, 0(a1)"},
                {CC_ISA_RISCV, 0x6188, 2, {1, 3, false}, "c.ld a0, 0(a1)"},
                {CC_ISA_RISCV, 0xc1c8, 2, {1, 2, true}, "c.sw a0, 4(a1)"},
                {CC_ISA_RISCV, 0x2588, 2, {1, 3, false}, "c.fld fa0, 8(a1)"},
                {CC_ISA_RISCV, 0x4502, 2, {1, 2, false}, "c.lwsp a0, 0(sp)"},
                {CC_ISA_RISCV, 0xa42a, 2, {0}, "c.fsdsp fa0, 8(sp), or cm.push"},
                {CC_ISA_RISCV, 0x1005b52f, 4, {0}, "lr.d a0, (a1)"},
                {CC_ISA_RISCV, 0x00b6352f, 4, {0}, "amoadd.d a0, a1, (a2)"},
                {CC_ISA_RISCV, 0x02056007, 4, {0}, "vle32.v v0, (a0)"},
                {CC_ISA_RISCV, 0x852e, 2, {0}, "c.mv a0, a1"},
                {CC_ISA_X86, 0x008b, 2, {1, 2, false, false}, "mov (%rax), %eax"},
                {CC_ISA_X86, 0x008b48, 3, {1, 3, false, false}, "mov (%rax), %rax"},
                {CC_ISA_X86, 0x008966, 3, {1, 1, true, false}, "mov %ax, (%rax)"},
                {CC_ISA_X86, 0xc08b, 2, {0}, "mov %eax, %eax"},
                {CC_ISA_X86, 0x008d48, 3, {0}, "lea (%rax), %rax"},
                {CC_ISA_X86, 0x0001, 2, {1, 2, false, true}, "add %eax, (%rax)"},
                {CC_ISA_X86, 0x0000, 2, {1, 0, false, true}, "add %al, (%rax)"},
                {CC_ISA_X86, 0x0039, 2, {1, 2, false, false}, "cmp %eax, (%rax)"},
                {CC_ISA_X86, 0x013883, 3, {1, 2, false, false}, "cmpl $1, (%rax)"},
                {CC_ISA_X86, 0x010083, 3, {1, 2, false, true}, "addl $1, (%rax)"},
                {CC_ISA_X86, 0x0001f0, 3, {0}, "lock add %eax, (%rax)"},
                {CC_ISA_X86, 0x0087, 2, {0}, "xchg %eax, (%rax)"},
                {CC_ISA_X86, 0x00b60f, 3, {1, 0, false, false}, "movzbl (%rax), %eax"},
                {CC_ISA_X86, 0x001f0f, 3, {0}, "nopl (%rax)"},
                {CC_ISA_X86, 0x55, 1, {1, 3, true, false}, "push %rbp"},
                {CC_ISA_X86, 0xc3, 1, {1, 3, false, false}, "ret"},
                {CC_ISA_X86, 0xd0ff, 2, {1, 3, true, false}, "call *%rax"},
                {CC_ISA_X86, 0x10ff, 2, {0}, "call *(%rax)"},
                {CC_ISA_X86, 0x30ff, 2, {0}, "push (%rax)"},
                {CC_ISA_X86, 0xa548f3, 3, {0}, "rep movsq"},
                {CC_ISA_X86, 0x00280f, 3, {2, 3, false, false}, "movaps (%rax), %xmm0"},
                {CC_ISA_X86, 0x00110ff2, 4, {1, 3, true, false}, "movsd %xmm0, (%rax)"},
                {CC_ISA_X86, 0x00580ff3, 4, {1, 2, false, false}, "addss (%rax), %xmm0"},
                {CC_ISA_X86, 0x0010f8c5, 4, {2, 3, false, false}, "vmovups (%rax), %xmm0"},
                {CC_ISA_X86, 0x0010fcc5, 4, {0}, "vmovups (%rax), %ymm0"},
                {CC_ISA_X86, 0x0090f8c5, 4, {0}, "kmovw (%rax), %k0"}};

static void test_accesses(void)
{
    for (size_t i = 0; i < sizeof accesses / sizeof *accesses; i++) {
        uint8_t bytes[4];
        memcpy(bytes, &accesses[i].code, sizeof bytes);
        struct cc_access is = cc_access_of(accesses[i].isa, bytes, accesses[i].size);
        bool same = is.class == accesses[i].is.class && is.write == accesses[i].is.write &&
                    is.update == accesses[i].is.update;
        OK(is.times == accesses[i].is.times && (!is.times || same), "%s", accesses[i].what);
    }
}

static void test_parts(void)
{
    static const struct {
        uint8_t bytes[6];
        unsigned size, part;
        const char *what;
    } v[] = {{{0xc4, 0xe2, 0xf9, 0xa9, 0x08}, 5, 8, "vfmadd213sd (%rax), %xmm0, %xmm1"},
             {{0xc4, 0xe2, 0x79, 0xbf, 0x08}, 5, 4, "vfnmsub231ss (%rax), %xmm0, %xmm1"},
             {{0xc4, 0xe2, 0x79, 0xa8, 0x08}, 5, 0, "vfmadd213ps (%rax), %xmm0, %xmm1"},
             {{0xc4, 0xe2, 0x79, 0x96, 0x08}, 5, 0, "vfmaddsub132ps (%rax), %xmm0, %xmm1"},
             {{0xc4, 0xe2, 0xf9, 0xa9, 0xc8}, 5, 0, "vfmadd213sd %xmm0, %xmm0, %xmm1"},
             {{0xc4, 0xe2, 0x79, 0x9b}, 4, 0, "no more than its beginning"},
             {{0xf3, 0x0f, 0xe6, 0x00}, 4, 8, "cvtdq2pd (%rax), %xmm0"},
             {{0xc5, 0xfe, 0xe6, 0x00}, 4, 16, "vcvtdq2pd (%rax), %ymm0"},
             {{0xf2, 0x0f, 0xe6, 0x00}, 4, 0, "cvtpd2dq (%rax), %xmm0"},
             {{0xc5, 0xf5, 0xf2, 0x00}, 4, 16, "vpslld (%rax), %ymm1, %ymm0"},
             {{0xc5, 0xf1, 0xf2, 0x00}, 4, 0, "vpslld (%rax), %xmm1, %xmm0"},
             {{0xc5, 0xf5, 0xe3, 0x00}, 4, 0, "vpavgw (%rax), %ymm1, %ymm0"}};
    for (size_t i = 0; i < sizeof v / sizeof *v; i++)
        OK_U64(cc_part_read(CC_ISA_X86, v[i].bytes, v[i].size), v[i].part, "%s", v[i].what);
    OK_U64(cc_part_read(CC_ISA_ARM, v[0].bytes, 4), 0, "and nothing of other machines");
}

static void test_repeats(void)
{
    static const uint8_t stosq[] = {0xf3, 0x48, 0xab}, once[] = {0x48, 0xab},
                         addsd[] = {0xf2, 0x0f, 0x58, 0xc1};
    OK(cc_may_access(CC_ISA_X86, stosq, sizeof stosq) && !cc_may_access(CC_ISA_X86, once, sizeof once) &&
           !cc_may_access(CC_ISA_X86, addsd, sizeof addsd) && !cc_may_access(CC_ISA_ARM, stosq, sizeof stosq),
       "rep stos may access nothing, stos does");
}

static void test_load(const char *plugin)
{
    void *so = dlopen(plugin, RTLD_NOW | RTLD_LOCAL);
    if (!so)
        printf("# %s\n", dlerror());
    const int *version = so ? dlsym(so, "qemu_plugin_version") : NULL;
    OK(version && *version == qemu_plugin_version, "%s is loaded", strrchr(plugin, '/') + 1);
    OK(so && dlsym(so, "qemu_plugin_install"), "and can be installed");
}

int main(int argc, char **argv)
{
    test_version();
    test_registers();
    test_accesses();
    test_parts();
    test_repeats();
    for (int i = 1; i < argc; i++)
        test_load(argv[i]);
    return TAP_DONE();
}
