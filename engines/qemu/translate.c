/* Translation: what is asked for each piece of the program's code. */
#include "engine.h"
#include "../../src/isa/exclusive.h"

#include <stdlib.h>
#include <string.h>

/* Stands for the instructions of code that is not kept; their place says which of a block they are. */
static struct cc_rec_insn unkept[MAX_INSNS];

static struct instruction any[MAX_INSNS];

/* QEMU translates one piece of code at a time. */
static struct instruction *instructions_of(uint32_t id, size_t n)
{
    if (!id)
        return NULL;
    if (id >= engine.instructions_cap) {
        size_t cap = 2 * (size_t)id + 1024, old = engine.instructions_cap;
        struct instruction **grown = realloc(engine.instructions, cap * sizeof(struct instruction *));
        if (!grown)
            return NULL;
        memset(grown + old, 0, (cap - old) * sizeof(struct instruction *));
        engine.instructions = grown;
        engine.instructions_cap = cap;
    }
    if (!engine.instructions[id]) {
        struct instruction *v = aligned_alloc(CC_LINE, n * sizeof *v);
        engine.instructions[id] = v ? memset(v, 0, n * sizeof *v) : NULL;
    }
    return engine.instructions[id];
}

/* Where what the code's instructions access is learned. */
static void find_insns(struct qemu_plugin_tb *tb, uint32_t id, size_t from, size_t to,
                       struct instruction **ret)
{
    struct cc_rec_insn *insns = cc_block_insns(engine.collect, id);
    struct instruction *mine = insns ? instructions_of(id, to - from) : NULL;
    for (size_t i = from; i < to && i < MAX_INSNS; i++) {
        ret[i] = mine ? &mine[i - from] : &any[i];
        ret[i]->what = mine ? &insns[i - from] : &unkept[i];
        if (engine.options.locality)
            ret[i]->at = (uint32_t)i;
        for (int write = 0; write < 2; write++)
            if (!ret[i]->lane[write] || engine.threaded)
                ret[i]->lane[write] = cc_qemu_access_any;
        if (!mine) {
            ret[i]->what->seen = CC_INSN_LEARNED;
            continue;
        }
        struct cc_plugin_code code = cc_plugin_code(qemu_plugin_tb_get_insn(tb, i));
        ret[i]->what->size = (uint8_t)code.size;
        if (cc_may_access(engine.isa->id, code.bytes, code.size))
            ret[i]->what->flags = CC_INSN_MAY_READ | CC_INSN_MAY_WRITE;
    }
}

/* The id of the code from instruction `from` to before `to`. */
static uint32_t block_id(struct qemu_plugin_tb *tb, size_t from, size_t to)
{
    uint8_t code[4096];
    size_t size = 0;
    bool narrow = false;
    if (from == to || engine.options.plain)
        return 0;
    uint64_t address = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from));
    for (size_t i = from; i < to; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        struct cc_plugin_code one = cc_plugin_code(insn);
        if (size + one.size > sizeof code)
            return 0;
        memcpy(code + size, one.bytes, one.size);
        size += one.size;
        narrow |= one.size == 2;
    }
    if (!size) /* the kernel's page of arm: no code */
        return 0;
    bool thumb = engine.isa->id == CC_ISA_ARM && (narrow || cc_code_is_thumb(engine.collect, address));
    return cc_block(engine.collect, address, code, (uint32_t)size, (uint32_t)(to - from), thumb);
}

static size_t next_mark(struct qemu_plugin_tb *tb, size_t from, size_t n)
{
    while (from < n && !cc_mark_at(engine.collect, qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from))))
        from++;
    return from;
}

/* Cuts the block into pieces between marks, each with a count of its own. */
static void add_marks(struct qemu_plugin_tb *tb, struct block *b, size_t n, struct instruction **insns)
{
    size_t at = next_mark(tb, 0, n);
    b->id = block_id(tb, 0, at);
    b->slot = cc_block_slot(engine.collect, b->id, b->place.function);
    find_insns(tb, b->id, 0, at, insns);
    while (at < n) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, at);
        size_t next = next_mark(tb, at + 1, n);
        struct mark *m = calloc(1, sizeof *m);
        m->site = cc_mark_at(engine.collect, qemu_plugin_insn_vaddr(insn));
        m->left = (uint32_t)(n - at);
        m->id = block_id(tb, at, next);
        m->block = b;
        find_insns(tb, m->id, at, next, insns);
        m->access = insns[at];
        if (m->site->record)
            qemu_plugin_register_vcpu_mem_cb(insn, cc_qemu_on_mark_access, QEMU_PLUGIN_CB_NO_REGS,
                                             QEMU_PLUGIN_MEM_RW, m);
        else
            qemu_plugin_register_vcpu_insn_exec_cb(insn, cc_qemu_on_mark, QEMU_PLUGIN_CB_NO_REGS, m);
        at = next;
    }
}

static void add_loops(struct qemu_plugin_tb *tb, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const struct cc_loop_point *point = cc_loop_point(engine.collect, qemu_plugin_insn_vaddr(insn));
        if (!point)
            continue;
        struct loop_point *p = calloc(1, sizeof *p);
        *p = (struct loop_point){point, (uint32_t)(n - i)};
        qemu_plugin_register_vcpu_insn_exec_cb(insn, engine.depends ? cc_qemu_depend_loop : cc_qemu_on_loop,
                                               QEMU_PLUGIN_CB_NO_REGS, p);
    }
}

static bool is_thumb(struct qemu_plugin_tb *tb, size_t n)
{
    if (engine.isa->id != CC_ISA_ARM)
        return false;
    for (size_t i = 0; i < n; i++)
        if (qemu_plugin_insn_size(qemu_plugin_tb_get_insn(tb, i)) == 2)
            return true;
    return cc_code_is_thumb(engine.collect, qemu_plugin_tb_vaddr(tb));
}

/* What of an instruction's accesses says something: x86 keeps where a call returns to on the stack. */
static uint8_t followed(const struct cc_plugin_code *code, bool exclusive)
{
    enum { LOADS = 1, STORES = 2 };
    enum cc_flow flow =
        engine.isa->id == CC_ISA_X86 ? cc_flow_of(engine.isa->id, code->bytes, code->size) : CC_FLOW_NONE;
    return flow == CC_FLOW_CALL ? LOADS : flow == CC_FLOW_RETURN || exclusive ? STORES : LOADS | STORES;
}

/* What stands for many instructions has no first access of its own to tell their parts by. */
static uint8_t part_of(const struct instruction *what, const struct cc_plugin_code *code)
{
    return what->what->size ? (uint8_t)cc_part_read(engine.isa->id, code->bytes, code->size) : 0;
}

static void add_followed(struct qemu_plugin_insn *insn, const struct block *b, struct instruction *what,
                         bool exclusive)
{
    struct cc_plugin_code code = cc_plugin_code(insn);
    struct depend_access *x = calloc(1, sizeof *x);
    if (!x)
        return;
    *x = (struct depend_access){.what = what,
                                .site = {.address = qemu_plugin_insn_vaddr(insn), .outside = b->outside},
                                .exclusive = exclusive,
                                .rw = followed(&code, exclusive),
                                .part = part_of(what, &code)};
    qemu_plugin_register_vcpu_mem_cb(insn, cc_qemu_depend_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                     x);
}

static void add_access(struct qemu_plugin_insn *insn, const struct block *b, struct instruction *what,
                       bool thumb)
{
    struct cc_plugin_code code = cc_plugin_code(insn);
    bool exclusive = cc_is_store_exclusive(engine.isa->id, code.bytes, code.size, thumb);
    if (engine.options.locality && what->what->size) /* else it stands for many */
        what->atomic = cc_atomic_of(engine.isa->id, code.bytes, code.size, thumb);
    if (engine.depends) {
        add_followed(insn, b, what, exclusive);
        return;
    }
    if (what->what->size &&
        cc_qemu_add_known(insn, what, cc_access_of(engine.isa->id, code.bytes, code.size)))
        return;
    struct part_access *part = part_of(what, &code) ? malloc(sizeof *part) : NULL;
    if (part) {
        *part = (struct part_access){.what = what, .bytes = part_of(what, &code)};
        qemu_plugin_register_vcpu_mem_cb(insn, cc_qemu_on_part, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                         part);
        return;
    }
    qemu_plugin_register_vcpu_mem_cb(insn, exclusive ? cc_qemu_on_store_exclusive : cc_qemu_on_access,
                                     QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, what);
}

static void add_block_access(struct qemu_plugin_insn *insn, struct instruction *what,
                             const struct cc_plugin_code *code)
{
    enum { SET_EIGHT = 0xffff0f60, SET_FOUR = 0xffff0fc0 };
    struct block_access x = {.what = what};
    uint64_t at = qemu_plugin_insn_vaddr(insn);
    bool kernel = engine.isa->id == CC_ISA_ARM && (at == SET_EIGHT || at == SET_FOUR);
    bool zeroes = cc_is_block_zero(engine.isa->id, code->bytes, code->size);
    if (kernel)
        x.op.count = at == SET_FOUR ? 4 : 8;
    else if (zeroes)
        x.op.to = (uint8_t)cc_block_zero_register(code->bytes);
    else if (!cc_block_op(engine.isa->id, code->bytes, code->size, &x.op))
        return;
    struct block_access *kept = malloc(sizeof *kept);
    if (!kept)
        return;
    *kept = x;
    qemu_plugin_register_vcpu_insn_exec_cb(insn,
                                           kernel   ? cc_qemu_kernel_from_code
                                           : zeroes ? cc_qemu_on_block_zero
                                                    : cc_qemu_on_block_op,
                                           CC_REGS_FLAG, kept);
}

/* What arm's kernel does for a program is known by registers alone, which system calls prove: there until
 * they have. */
static bool wants_proof(void)
{
    return engine.isa->id == CC_ISA_ARM && !cc_registers_proven(&engine.registers);
}

void cc_qemu_on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t n = cc_plugin_insns(tb, engine.isa->id);
    struct instruction *insns[MAX_INSNS];
    if (!n)
        return;
    n = n < MAX_INSNS ? n : MAX_INSNS; /* QEMU's own bound */
    if (!engine.loaded) {              /* QEMU makes the first vCPU before it loads the program */
        engine.loaded = true;
        const struct qemu_plugin_insn *first = qemu_plugin_tb_get_insn(tb, 0);
        cc_qemu_look_for_program(qemu_plugin_insn_vaddr(first), qemu_plugin_insn_haddr(first));
    }
    struct block *b = memset(aligned_alloc(CC_LINE, sizeof *b), 0, sizeof *b);
    b->address = qemu_plugin_tb_vaddr(tb);
    b->instructions = (uint32_t)n;
    if (!cc_code_known(engine.collect, b->address))
        cc_qemu_look_for_code(b->address);
    b->place = cc_place_of(engine.collect, b->address, false);
    b->moved = b->place.function == CC_OUTSIDE && cc_code_is_moved(engine.collect, b->address);
    b->outside = !cc_code_is_own(engine.collect, b->place.function);
    b->stub = b->outside && cc_code_is_stub(engine.collect, b->address);
    bool thumb = is_thumb(tb, n);
    add_marks(tb, b, n, insns);
    if (b->place.function != CC_OUTSIDE)
        add_loops(tb, n);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        struct cc_plugin_code code = cc_plugin_code(insn);
        b->after = qemu_plugin_insn_vaddr(insn) + code.size;
        bool delay_slot = engine.isa->id == CC_ISA_MIPS && i + 2 == n;
        if (i + 1 == n || delay_slot) {
            enum cc_flow flow = cc_flow_of(engine.isa->id, code.bytes, code.size);
            b->flow = flow != CC_FLOW_NONE ? flow : b->flow;
            b->call = flow != CC_FLOW_NONE || !b->call ? qemu_plugin_insn_vaddr(insn) : b->call;
        }
        const struct cc_mark_site *mark = cc_mark_at(engine.collect, qemu_plugin_insn_vaddr(insn));
        if (!mark || !mark->record)
            add_access(insn, b, insns[i], thumb);
        add_block_access(insn, insns[i], &code);
    }
    b->stays = b->flow == CC_FLOW_NONE ? b->place.function : CC_NONE;
    b->asks = engine.depends || engine.options.objects || b->place.entry;
    bool near;
    b->allocator = cc_allocator_at(engine.collect, b->address, &near);
    if (engine.depends)
        qemu_plugin_register_vcpu_tb_exec_cb(tb, cc_qemu_depend_block, CC_REGS_FLAG, b);
    else if (engine.options.objects)
        qemu_plugin_register_vcpu_tb_exec_cb(
            tb, engine.threaded ? cc_qemu_block_from_code : cc_qemu_block_alone_from_code, CC_REGS_FLAG, b);
    else if (b->place.entry || wants_proof())
        qemu_plugin_register_vcpu_tb_exec_cb(tb, cc_qemu_entry_from_code, CC_REGS_FLAG, b);
    else
        qemu_plugin_register_vcpu_tb_exec_cb(tb,
                                             engine.threaded ? cc_qemu_on_block
                                             : b->flow != CC_FLOW_NONE || engine.options.locality
                                                 ? cc_qemu_on_block_alone
                                                 : cc_qemu_on_block_within,
                                             QEMU_PLUGIN_CB_NO_REGS, b);
}
