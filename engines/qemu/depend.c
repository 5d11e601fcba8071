/* Dependences between iterations (collect/depend.h): of memory alone. QEMU shows what instructions access,
 * not what they compute, nor which registers they use; src/analysis/loops knows that.
 *
 * Nothing is followed before registers that tell of calls are known (registers.h): without the stack pointer
 * frames of calls that are over would count, and without results and arguments what allocators return. */
#include "engine.h"

#include <string.h>

bool cc_qemu_turn(void)
{
    if (!engine.depends || !engine.threaded)
        return false;
    pthread_mutex_lock(&engine.order);
    return true;
}

void cc_qemu_turn_over(bool taken)
{
    if (taken)
        pthread_mutex_unlock(&engine.order);
}

void cc_qemu_depend_begin(void)
{
    enum { X86_RED_ZONE = 128 };
    struct cc_depend_machine m = {.red_zone = engine.isa->id == CC_ISA_X86 ? X86_RED_ZONE : 0};
    if (engine.options.loops != CC_LOOPS_DEPENDENCES)
        return;
    engine.depends = true;
    cc_depend_begin(engine.collect, &m);
    cc_depend_hold(engine.collect, true);
}

static inline bool loops_on(const struct vcpu *v)
{
    return cc_depend_on(v->thread->depend->owner);
}

static inline bool calls_on(const struct vcpu *v)
{
    return cc_sibling_on(v->thread->sibling);
}

/* Before v->last becomes this block: how control came here. */
static void follow_flow(struct vcpu *v, const struct block *b, struct cc_depend_thread *x)
{
    const struct block *last = v->last;
    enum cc_flow flow = last ? last->flow : CC_FLOW_NONE;
    if (flow == CC_FLOW_CALL && b->address != last->after)
        cc_depend_call(x, last->call, last->outside, last->after, cc_qemu_sp(v, true));
    else if (flow == CC_FLOW_RETURN)
        cc_depend_return(x, b->address, v->sp);
    else if (flow == CC_FLOW_NONE && b->outside && last && !last->outside)
        cc_depend_jump(x, last->call);
    if (b->outside)
        cc_depend_outside_here(
            x, &(struct cc_depend_piece){.address = b->address, .outside = true, .stub = b->stub});
}

/* Whether registers are known changes once, after some system calls; they may be refuted by a later one. */
static void look_at_registers(struct vcpu *v)
{
    bool known = cc_registers_known(&engine.registers, &v->registers);
    if (known && !engine.follows) {
        engine.follows = true;
        cc_depend_hold(engine.collect, false);
    } else if (!known && engine.follows) {
        engine.follows = false;
        cc_depend_hold(engine.collect, true);
    }
}

CC_FROM_CODE(cc_qemu_depend_block, cc_qemu_depend_block_state);
__attribute__((used, visibility("hidden"))) void cc_qemu_depend_block_state(unsigned vcpu, void *data,
                                                                            const void *state);

void cc_qemu_depend_block_state(unsigned vcpu, void *data, const void *state)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    bool taken = cc_qemu_turn();
    v->registers.state = CC_STATE_OF(state);
    look_at_registers(v);
    v->sp = cc_qemu_sp(v, false);
    if (loops_on(v))
        follow_flow(v, data, v->thread->depend);
    if (calls_on(v))
        follow_flow(v, data, v->thread->sibling->x);
    cc_qemu_block_known(vcpu, data);
    cc_qemu_turn_over(taken);
}

/* The stack pointer is that of the block's beginning: a loop in the middle of a block is entered there, and
 * its later iterations begin behind a branch, so with a block. */
void cc_qemu_depend_loop(unsigned vcpu, void *data)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    const struct loop_point *p = data;
    bool taken = cc_qemu_turn();
    cc_loop_arrive(v->thread, v->count - p->left, p->point, v->sp);
    cc_qemu_turn_over(taken);
}

static void follow(struct cc_depend_thread *x, uint64_t a, unsigned size, unsigned rw,
                   struct cc_depend_site *site)
{
    if (rw & 1)
        cc_depend_read(x, a, size, site);
    if (rw & 2)
        cc_depend_write(x, a, size, site);
}

void cc_qemu_depend_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *data)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    struct depend_access *x = data;
    if (x->part && !cc_qemu_part_of(v, x->what, x->part, a, &info))
        return;
    unsigned size = 1u << (info >> engine.size_at & 7), rw = info >> CC_PLUGIN_RW_AT & 3;
    bool taken = cc_qemu_turn();
    if (x->exclusive)
        cc_qemu_on_store_exclusive(vcpu, info, a, x->what);
    else
        cc_qemu_on_access(vcpu, info, a, x->what);
    rw &= x->rw;
    if (loops_on(v))
        follow(v->thread->depend, a, size, rw, &x->site);
    if (calls_on(v))
        follow(v->thread->sibling->x, a, size, rw, &x->site);
    cc_qemu_turn_over(taken);
}

void cc_qemu_depend_range(struct vcpu *v, uint64_t a, uint64_t size, bool write, uint64_t address)
{
    struct cc_depend_site site = {.address = address, .outside = v->last && v->last->outside};
    if (loops_on(v))
        follow(v->thread->depend, a, (unsigned)size, write ? 2 : 1, &site);
    if (calls_on(v))
        follow(v->thread->sibling->x, a, (unsigned)size, write ? 2 : 1, &site);
}

/* What ends a handler is none of the program's own. */
static bool ends_handler(uint64_t number)
{
    switch (engine.isa->id) {
    case CC_ISA_X86:
        return number == 15;
    case CC_ISA_ARM:
        return number == 119 || number == 173;
    case CC_ISA_MIPS:
        return number == 4119 || number == 4193;
    default:
        return number == 139;
    }
}

void cc_qemu_depend_syscall(struct vcpu *v, uint64_t number)
{
    bool outside = v->last && v->last->place.function == CC_OUTSIDE && v->thread->out_ret;
    uint64_t call = outside ? v->thread->out_ret - 1 : v->last ? v->last->call : 0;
    if (!engine.depends || ends_handler(number))
        return;
    cc_depend_syscall(v->thread->depend, (uint32_t)number, call);
    if (v->thread->sibling && v->thread->sibling->x)
        cc_depend_syscall(v->thread->sibling->x, (uint32_t)number, call);
}
