/* Calls of an allocator, for data objects, and the stack pointer: where registers are known (registers.h). */
#include "engine.h"

#include <string.h>

/* Bytes that a call leaves on the stack. */
static uint64_t pushes(void)
{
    return cc_register_back_on_stack(&engine.registers) ? engine.registers_size : 0;
}

uint64_t cc_qemu_sp(const struct vcpu *v, bool entry)
{
    if ((!engine.options.objects && !engine.depends) || !cc_registers_known(&engine.registers, &v->registers))
        return 0;
    return cc_register_get(&engine.registers, &v->registers, CC_REG_SP) + (entry ? pushes() : 0);
}

static uint64_t load_pointer(uint64_t address) /* posix_memalign has just stored it */
{
    uint64_t p = 0;
    memcpy(&p, (const void *)(uintptr_t)(address + engine.base), engine.registers_size);
    return p;
}

void cc_qemu_allocated(struct vcpu *v)
{
    uint64_t result = cc_register_get(&engine.registers, &v->registers, CC_REG_RESULT);
    v->alloc_ret = cc_alloc_return(v->thread, result, load_pointer, cc_qemu_sp(v, false));
}

void cc_qemu_allocates(struct vcpu *v, const struct block *b)
{
    if (!cc_registers_known(&engine.registers, &v->registers))
        return;
    uint64_t args[3];
    for (unsigned i = 0; i < 3; i++)
        args[i] = cc_register_get(&engine.registers, &v->registers, CC_REG_ARG + i);
    uint64_t ret = cc_register_back_on_stack(&engine.registers)
                       ? load_pointer(cc_qemu_sp(v, false))
                       : cc_register_get(&engine.registers, &v->registers, CC_REG_BACK);
    if (engine.isa->id == CC_ISA_ARM)
        ret &= ~UINT64_C(1); /* of Thumb code */
    v->alloc_ret = cc_alloc_enter(v->thread, b->allocator, args, b->place.function, ret, cc_qemu_sp(v, true));
}
