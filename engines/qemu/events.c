/* What translated code calls: blocks, accesses, marks. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

/* QEMU does not tell a plugin that the guest crashed, so snapshots are all that is left then: at 32 Ki
 * instructions, each time the count has doubled up to 16 Mi, and every second from then on. Other guest
 * threads would change under our hands: only while there is one. */
static void maybe_snapshot(struct vcpu *v)
{
    enum { STEP = 1 << 24 };
    bool early = v->count < STEP;
    time_t now = time(NULL);
    engine.next_look = early ? v->count * 2 : v->count + STEP;
    if ((now < engine.next_snapshot && !early) || !cc_qemu_alone())
        return;
    cc_thread_sync(v->thread, v->count);
    cc_qemu_snapshot(0);
    time_t took = time(NULL) - now;
    engine.next_snapshot = now + took + (took * 30 > 1 ? took * 30 : 1);
}

struct handler *cc_qemu_handler(uint64_t address)
{
    for (unsigned i = 0; i < engine.nhandlers; i++)
        if (engine.handlers[i].address == address)
            return &engine.handlers[i];
    return NULL;
}

/* What the kernel has put on the stack for a handler: where it returns to, what it is told, the registers of
 * what was interrupted. As much as QEMU writes in any case, from the stack pointer on. */
static void frame_begins(const struct vcpu *v, const struct handler *h)
{
    static const uint16_t sizes[][2] = {/* [SA_SIGINFO] */
                                        [CC_ISA_X86] = {960, 960},
                                        [CC_ISA_AARCH64] = {1136, 1136},
                                        [CC_ISA_ARM] = {760, 888},
                                        [CC_ISA_RISCV] = {816, 816},
                                        [CC_ISA_MIPS] = {632, 784}};
    unsigned isa = engine.isa->id;
    if (isa >= sizeof sizes / sizeof *sizes || !cc_registers_known(&engine.registers, &v->registers))
        return;
    cc_input(v->thread, cc_register_get(&engine.registers, &v->registers, CC_REG_SP),
             sizes[isa][h->wants_all], cc_source(engine.collect, "signal", ""));
}

static void handler_begins(const struct vcpu *v, const struct block *b, const struct handler *h)
{
    cc_signal(v->thread);
    cc_alloc_interrupted(v->thread);
    if (b->asks)
        frame_begins(v, h);
}

/* Control is in the program's code and did not come by a return: where an allocator was running, it may have
 * been left by a jump. */
static void landed(struct vcpu *v)
{
    if (v->alloc_ret && cc_registers_known(&engine.registers, &v->registers))
        v->alloc_ret = cc_alloc_landed(v->thread, cc_qemu_sp(v, false));
}

static void arrive(struct vcpu *v, const struct block *b, enum cc_flow flow)
{
    const struct handler *h =
        engine.nhandlers && b->place.entry && flow != CC_FLOW_CALL ? cc_qemu_handler(b->address) : NULL;
    if (h)
        handler_begins(v, b, h);
    landed(v);
    cc_arrive(v->thread, v->count, b->place, b->address, cc_qemu_sp(v, b->place.entry));
}

/* The block before ended in a call or return, or this block is another function's. */
static void transfer(struct vcpu *v, struct block *b, enum cc_flow flow)
{
    struct cc_thread *t = v->thread;
    bool inside =
        v->last && (v->last->moved ? t->function != CC_OUTSIDE : v->last->place.function != CC_OUTSIDE);
    if (flow == CC_FLOW_CALL && b->address != v->last->after) {
        if (!b->place.entry && !b->called) { /* called, so a function may start here that has no symbol */
            b->called = true;
            b->place = cc_place_of(engine.collect, b->address, true);
            b->slot = cc_block_slot(engine.collect, b->id, b->place.function);
        }
        if (b->place.function != CC_OUTSIDE && b->place.entry)
            cc_call(t, v->count, b->place.function, v->last->after, cc_qemu_sp(v, true));
        else if (inside)
            cc_call(t, v->count, CC_OUTSIDE, v->last->after, cc_qemu_sp(v, true));
    } else if (flow == CC_FLOW_RETURN && inside) {
        cc_return(t, v->count, b->address, cc_qemu_sp(v, false));
    } else if (flow == CC_FLOW_RETURN && t->function != CC_OUTSIDE) {
        cc_return_for(t, v->count, b->address, cc_qemu_sp(v, false));
    }
    if (b->place.function != CC_OUTSIDE && b->place.function != t->function)
        arrive(v, b, flow);
}

static void wake(struct vcpu *v)
{
    if (v->count >= v->thread->tick_at && !engine.options.plain)
        cc_tick(v->thread, v->count);
    if (v->count >= engine.next_look)
        maybe_snapshot(v);
    v->wake = v->thread->tick_at < engine.next_look && !engine.options.plain ? v->thread->tick_at
                                                                             : engine.next_look;
}

static inline void count_code(struct cc_thread *t, struct cc_block_slot slot)
{
    (slot.own ? t->own : t->blocks)[slot.at]++;
}

static inline void begin_block(struct vcpu *v, const struct block *b)
{
    v->count += b->instructions;
    count_code(v->thread, b->slot);
    v->last = b;
    v->stays = CC_NONE;
}

static __attribute__((noinline)) void on_block_other(struct vcpu *v, struct block *b)
{
    if (v->count >= v->wake)
        wake(v);
    enum cc_flow flow = v->last ? v->last->flow : CC_FLOW_NONE;
    if (flow != CC_FLOW_NONE || (b->place.function != CC_OUTSIDE && b->place.function != v->thread->function))
        transfer(v, b, flow);
    begin_block(v, b);
}

/* Into, within and out of code that belongs to nobody; `to`: where it is now. */
static inline bool transfer_outside(struct cc_thread *t, const struct block *last, const struct block *to)
{
    if (to->place.function != CC_OUTSIDE) /* back by a return */
        return !last->moved && last->flow == CC_FLOW_RETURN && !to->place.entry &&
               cc_back_same(t, to->place.function, to->address);
    bool known = !last->moved && (last->flow != CC_FLOW_CALL || to->place.entry || to->called);
    if (!known || last->place.function == CC_OUTSIDE)
        return known && (last->flow != CC_FLOW_RETURN || t->function == CC_OUTSIDE);
    return last->flow == CC_FLOW_CALL && to->address != last->after && cc_out_same(t, last->after);
}

/* A call or return that was made before. False: nothing was done. */
static inline bool transfer_same(struct vcpu *v, const struct block *b)
{
    const struct block *last = v->last;
    struct cc_thread *t = v->thread;
    if (v->count >= v->wake || !last || last->flow == CC_FLOW_NONE)
        return false;
    bool outside = b->place.function == CC_OUTSIDE || last->place.function == CC_OUTSIDE;
    if (last->flow == CC_FLOW_CALL && b->place.function != CC_OUTSIDE)
        return b->place.entry && b->address != last->after &&
               cc_call_same(t, v->count, b->place.function, last->after, cc_qemu_sp(v, true));
    if (outside)
        return !engine.options.objects && transfer_outside(t, last, b);
    if (!cc_return_same(t, v->count, b->address, cc_qemu_sp(v, false)))
        return false;
    if (__builtin_expect(b->place.function != t->function, 0))
        arrive(v, b, CC_FLOW_RETURN);
    return true;
}

/* Of code that was translated before there were threads. */
static __attribute__((noinline)) void on_block_settled(unsigned vcpu, struct block *b)
{
    struct vcpu *v = &engine.vcpus[0];
    if (engine.threaded) {
        cc_qemu_on_block(vcpu, b);
        return;
    }
    if (transfer_same(v, b))
        begin_block(v, b);
    else
        on_block_other(v, b);
    b->stays = b->flow == CC_FLOW_NONE ? b->place.function : CC_NONE;
    if (b->place.function == CC_OUTSIDE || b->place.function == v->thread->function)
        v->stays = b->stays;
}

/* Control stays in the function, and nothing is due. */
static inline bool stays(const struct vcpu *v, const struct block *b)
{
    return __builtin_expect((v->stays == b->place.function) & (v->count < v->wake), 1);
}

static inline void stay(struct vcpu *v, const struct block *b)
{
    v->count += b->instructions;
    count_code(v->thread, b->slot);
    v->last = b;
    v->stays = b->stays;
}

void cc_qemu_on_block_alone(unsigned vcpu, void *data)
{
    struct vcpu *v = &engine.vcpus[0];
    struct block *b = data;
    if (stays(v, b))
        stay(v, b);
    else
        on_block_settled(vcpu, b);
}

/* Of a block that ends in no call or return, while lines are not told: if control stays, what is known of the
 * last one is as good as what is known of this. */
void cc_qemu_on_block_within(unsigned vcpu, void *data)
{
    struct vcpu *v = &engine.vcpus[0];
    struct block *b = data;
    if (stays(v, b)) {
        v->count += b->instructions;
        count_code(v->thread, b->slot);
    } else {
        on_block_settled(vcpu, b);
    }
}

/* Mostly control stays in the function: that needs no register to be saved. */
void cc_qemu_on_block(unsigned vcpu, void *data)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    struct block *b = data;
    if (__builtin_expect(v->count >= v->wake || !v->last || v->last->flow != CC_FLOW_NONE ||
                             (b->place.function != CC_OUTSIDE && b->place.function != v->thread->function),
                         0)) {
        on_block_other(v, b);
        return;
    }
    begin_block(v, b);
}

CC_FROM_CODE(cc_qemu_entry_from_code, cc_qemu_on_entry_state);
__attribute__((used, visibility("hidden"))) void cc_qemu_on_entry_state(unsigned vcpu, void *data,
                                                                        const void *state);

void cc_qemu_on_entry_state(unsigned vcpu, void *data, const void *state)
{
    engine.vcpus[vcpu].registers.state = CC_STATE_OF(state);
    if (engine.threaded)
        cc_qemu_on_block(vcpu, data);
    else
        cc_qemu_on_block_alone(vcpu, data);
}

CC_FROM_CODE(cc_qemu_block_from_code, cc_qemu_on_block_state);
__attribute__((used, visibility("hidden"))) void cc_qemu_on_block_state(unsigned vcpu, void *data,
                                                                        const void *state);

void cc_qemu_on_block_state(unsigned vcpu, void *data, const void *state)
{
    engine.vcpus[vcpu].registers.state = CC_STATE_OF(state);
    cc_qemu_block_known(vcpu, data);
}

CC_FROM_CODE(cc_qemu_block_alone_from_code, cc_qemu_on_block_alone_state);
__attribute__((used, visibility("hidden"))) void cc_qemu_on_block_alone_state(unsigned vcpu, void *data,
                                                                              const void *state);

void cc_qemu_on_block_alone_state(unsigned vcpu, void *data, const void *state)
{
    struct vcpu *v = &engine.vcpus[0];
    struct block *b = data;
    if (engine.threaded) {
        cc_qemu_on_block_state(vcpu, data, state);
        return;
    }
    if (stays(v, b) && v->alloc_ret != b->address && b->allocator == CC_ALLOC_NONE) {
        stay(v, b);
        return;
    }
    v->registers.state = CC_STATE_OF(state);
    if (v->alloc_ret && v->alloc_ret == b->address)
        cc_qemu_allocated(v);
    on_block_settled(vcpu, b);
    if (b->allocator != CC_ALLOC_NONE)
        cc_qemu_allocates(v, b);
}

void cc_qemu_block_known(unsigned vcpu, void *data)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    const struct block *b = data;
    if (v->alloc_ret && v->alloc_ret == b->address)
        cc_qemu_allocated(v);
    cc_qemu_on_block(vcpu, data);
    if (b->allocator != CC_ALLOC_NONE)
        cc_qemu_allocates(v, b);
}

static void execute_mark(struct vcpu *v, const struct mark *m, uint64_t record)
{
    cc_mark(v->thread, v->count - m->left, m->site, record);
    v->stays = CC_NONE;
    count_code(v->thread, cc_block_slot(engine.collect, m->id, m->block->place.function));
}

void cc_qemu_on_mark(unsigned vcpu, void *data)
{
    bool taken = cc_qemu_turn();
    execute_mark(&engine.vcpus[vcpu], data, 0);
    cc_qemu_turn_over(taken);
}

void cc_qemu_on_loop(unsigned vcpu, void *data)
{
    const struct loop_point *p = data;
    cc_loop_arrive(engine.vcpus[vcpu].thread, engine.vcpus[vcpu].count - p->left, p->point, 0);
}

void cc_qemu_on_mark_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *data)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    const struct mark *m = data;
    bool taken = cc_qemu_turn();
    if (!cc_qemu_accessed(v, m->access)) /* on 32-bit machines too, it is one access */
        execute_mark(v, m, a);
    cc_qemu_on_access(vcpu, info, a, m->access);
    cc_qemu_turn_over(taken);
}

/* Of memory that an instruction accesses without QEMU's telling: first = where its first access was. */
static void block_access(struct vcpu *v, const struct instruction *x, uint64_t a, uint64_t size, bool write,
                         uint64_t first)
{
    enum { PIECE = 64 };
    for (uint64_t end = a + size, n; a < end; a += n) {
        n = PIECE - a % PIECE < end - a ? PIECE - a % PIECE : end - a;
        if (write)
            cc_write_any(v->thread, a, (uint32_t)n);
        else
            cc_read_any(v->thread, a, (uint32_t)n);
        if (v->thread->locality)
            cc_locality_access(v->thread, cc_qemu_line_time(v, x), a, (uint32_t)n,
                               write ? CC_LINE_STORE : CC_LINE_LOAD);
        if (engine.options.objects)
            cc_data_access(v->thread->data, a, (uint32_t)n, write);
        if (engine.depends)
            cc_qemu_depend_range(v, a, n, write, v->last ? v->last->call : 0);
        if (!write)
            cc_again_read(v->thread, a, first);
        else if (a != first)
            cc_again(v->thread, a, first);
    }
    if (write)
        v->stored = a;
}

/* DC ZVA. Where registers are not told: it stands in loops of memset that go on where the last store ended.
 */
void cc_qemu_on_block_zero(unsigned vcpu, void *data)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    const struct block_access *x = data;
    struct cc_rec_insn *insn = x->what->what;
    bool taken = cc_qemu_turn();
    if (insn->seen != CC_INSN_LEARNED) {
        insn->written = (uint16_t)engine.zero_block;
        insn->seen = CC_INSN_LEARNED;
    }
    uint64_t a = v->registers.general ? cc_register_general(&v->registers, x->op.to) : v->stored;
    a &= ~(engine.zero_block - 1);
    block_access(v, x->what, a, engine.zero_block, true, a);
    cc_qemu_turn_over(taken);
}

/* As much of it as there is memory: the instruction ends there too, by a fault. */
static uint64_t mapped(uint64_t a, uint64_t size)
{
    enum { STEP = 1 << 20, PAGE = 4096 };
    unsigned char pages[STEP / PAGE + 1];
    uint64_t from = (a + engine.base) & ~(uint64_t)(PAGE - 1), done = 0;
    while (done < size && mincore((void *)(uintptr_t)(from + done), STEP, pages) == 0)
        done += STEP;
    return done + STEP < size ? done + STEP : size;
}

void cc_qemu_on_block_op(unsigned vcpu, void *data)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    const struct block_access *x = data;
    if (!v->registers.general)
        return;
    uint64_t to = cc_register_general(&v->registers, x->op.to),
             n = mapped(to, cc_register_general(&v->registers, x->op.count));
    bool taken = cc_qemu_turn();
    if (x->op.copies)
        block_access(v, x->what, cc_register_general(&v->registers, x->op.from), n, false, to);
    block_access(v, x->what, to, n, true, to);
    cc_qemu_turn_over(taken);
}

/* arm's kernel has functions for programs in a page of its own, which have no code here: QEMU does itself
 * what they do. Two compare and set memory: (old, new, where), of eight bytes by pointers to both. */
CC_FROM_CODE(cc_qemu_kernel_from_code, cc_qemu_on_kernel_state);
__attribute__((used, visibility("hidden"))) void cc_qemu_on_kernel_state(unsigned vcpu, void *data,
                                                                         const void *state);

void cc_qemu_on_kernel_state(unsigned vcpu, void *data, const void *state)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    const struct block_access *x = data;
    v->registers.state = CC_STATE_OF(state);
    if (!cc_registers_known(&engine.registers, &v->registers))
        return;
    const struct cc_register_map *m = &engine.registers;
    uint64_t size = x->op.count, from = cc_register_get(m, &v->registers, CC_REG_ARG),
             to = cc_register_get(m, &v->registers, CC_REG_ARG + 1),
             at = cc_register_get(m, &v->registers, CC_REG_ARG + 2), old = from, is = 0;
    bool taken = cc_qemu_turn();
    if (size == 8) {
        cc_qemu_host.read_guest(NULL, from, &old, size);
        block_access(v, x->what, from, size, false, from);
        block_access(v, x->what, to, size, false, from);
    }
    cc_qemu_host.read_guest(NULL, at, &is, size);
    block_access(v, x->what, at, size, false, at);
    if (is == old)
        block_access(v, x->what, at, size, true, at);
    cc_qemu_turn_over(taken);
}
