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

bool cc_qemu_is_handler(uint64_t address)
{
    for (unsigned i = 0; i < engine.nhandlers; i++)
        if (engine.handlers[i] == address)
            return true;
    return false;
}

static void handler_begins(struct vcpu *v)
{
    cc_signal(v->thread);
    cc_alloc_interrupted(v->thread);
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
    if (engine.nhandlers && b->place.entry && cc_qemu_is_handler(b->address) && flow != CC_FLOW_CALL)
        handler_begins(v);
    landed(v);
    cc_arrive(v->thread, v->count, b->place, b->address, cc_qemu_sp(v, b->place.entry));
}

/* The block before ended in a call or return, or this block is another function's. */
static void transfer(struct vcpu *v, struct block *b, enum cc_flow flow)
{
    struct cc_thread *t = v->thread;
    if (flow == CC_FLOW_CALL && b->address != v->last->after) {
        if (!b->place.entry && !b->called) { /* called, so a function may start here that has no symbol */
            b->called = true;
            b->place = cc_place_of(engine.collect, b->address, true);
            b->slot = cc_block_slot(engine.collect, b->id, b->place.function);
        }
        bool inside = v->last->place.function != CC_OUTSIDE;
        if (b->place.function != CC_OUTSIDE && b->place.entry)
            cc_call(t, v->count, b->place.function, v->last->after, cc_qemu_sp(v, true));
        else if (inside)
            cc_call(t, v->count, CC_OUTSIDE, v->last->after, cc_qemu_sp(v, true));
    } else if (flow == CC_FLOW_RETURN && v->last->place.function != CC_OUTSIDE) {
        cc_return(t, v->count, b->address, cc_qemu_sp(v, false));
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
    v->instruction = NULL;
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

/* A call or return that was made before. False: nothing was done. */
static inline bool transfer_same(struct vcpu *v, const struct block *b)
{
    const struct block *last = v->last;
    struct cc_thread *t = v->thread;
    if (v->count >= v->wake || !last || b->place.function == CC_OUTSIDE)
        return false;
    if (last->flow == CC_FLOW_CALL)
        return b->place.entry && b->address != last->after &&
               cc_call_same(t, v->count, b->place.function, last->after, 0);
    if (last->flow != CC_FLOW_RETURN || last->place.function == CC_OUTSIDE ||
        !cc_return_same(t, v->count, b->address, 0))
        return false;
    if (__builtin_expect(b->place.function != t->function, 0))
        arrive(v, b, CC_FLOW_RETURN);
    return true;
}

static __attribute__((noinline)) void on_block_settled(struct vcpu *v, struct block *b)
{
    if (transfer_same(v, b))
        begin_block(v, b);
    else
        on_block_other(v, b);
    b->stays = b->flow == CC_FLOW_NONE ? b->place.function : CC_NONE;
    if (b->place.function == CC_OUTSIDE || b->place.function == v->thread->function)
        v->stays = b->stays;
}

void cc_qemu_on_block_alone(unsigned vcpu, void *data)
{
    struct vcpu *v = &engine.vcpus[0];
    struct block *b = data;
    (void)vcpu;
    if (__builtin_expect((v->stays != b->place.function) | (v->count >= v->wake), 0)) {
        on_block_settled(v, b);
        return;
    }
    v->count += b->instructions;
    count_code(v->thread, b->slot);
    v->last = b;
    v->stays = b->stays;
    v->instruction = NULL;
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

CC_FROM_CODE(cc_qemu_block_from_code, cc_qemu_on_block_state);
__attribute__((used, visibility("hidden"))) void cc_qemu_on_block_state(unsigned vcpu, void *data,
                                                                        const void *state);

void cc_qemu_on_block_state(unsigned vcpu, void *data, const void *state)
{
    engine.vcpus[vcpu].registers.state = CC_STATE_OF(state);
    cc_qemu_block_known(vcpu, data);
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

static void count_data(struct cc_data_thread *d, uint64_t a, unsigned class, unsigned rw)
{
    for (unsigned write = 0; write < 2; write++) {
        if (!(rw >> write & 1))
            continue;
        if (class == 2)
            cc_data_count(d, a, 2, write);
        else if (class == 3)
            cc_data_count(d, a, 3, write);
        else if (class == 0)
            cc_data_count(d, a, 0, write);
        else
            cc_data_access(d, a, 1u << class, write);
    }
}

static uint16_t add_bytes(uint16_t sum, unsigned more)
{
    return (uint16_t)(sum + more < UINT16_MAX ? sum + more : UINT16_MAX);
}

/* QEMU does not say what an instruction will access: the vCPU that first executes it counts that once.
 * again: it is not the instruction's first access in this execution. */
static void learn(unsigned vcpu, struct cc_rec_insn *insn, bool again, unsigned size, unsigned rw)
{
    uint16_t nobody = 0, me = (uint16_t)(vcpu + 1);
    bool mine =
        __atomic_compare_exchange_n(&insn->seen, &nobody, me, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
        (nobody == me && again);
    if (!mine && nobody == me)
        insn->seen = CC_INSN_LEARNED;
    if (!mine)
        return;
    if (rw & 1)
        insn->read = add_bytes(insn->read, size);
    if (rw & 2)
        insn->written = add_bytes(insn->written, size);
}

/* --- by site --- */

#define BY_SITE(kind, class, record)                                                                \
    static __attribute__((noinline)) bool other_##kind##class(struct cc_thread * t, uint64_t a,     \
                                                              struct record * l, struct cc_spot at) \
    {                                                                                               \
        return cc_site_##kind##_other(t, a, l, class, at);                                          \
    }                                                                                               \
    static inline bool kind##class(struct cc_thread * t, uint64_t a, struct record * l)             \
    {                                                                                               \
        struct cc_spot at;                                                                          \
        return cc_site_spot(t, a, class, &at) &&                                                    \
               (cc_site_##kind(t, a, l, class, at) || other_##kind##class(t, a, l, at));            \
    }
#define BOTH(class)                    \
    BY_SITE(read, class, cc_load_site) \
    BY_SITE(write, class, cc_store_site)
BOTH(0)
BOTH(1)
BOTH(2)
BOTH(3)
BOTH(4)

static __attribute__((noinline)) void *site_new(size_t size)
{
    void *p = aligned_alloc(CC_LINE, size);
    return p ? memset(p, 0, size) : NULL;
}

/* Whether the access's own record could do it. Records are for one thread at a time. */
static inline bool read_by_site(struct cc_thread *t, struct instruction *x, unsigned number, uint64_t a,
                                unsigned class)
{
    if (engine.threaded || number > 1 || class > 4)
        return false;
    struct cc_load_site *l = x->loads[number];
    if (__builtin_expect(!l, 0)) {
        if (number && (!x->loads[0] || x->loads[0]->class != class))
            return false;
        l = x->loads[number] = site_new(sizeof *l);
        if (!l)
            return false;
        l->class = (uint8_t) class;
    }
    if (l->class != class)
        return false;
    return class == 3   ? read3(t, a, l)
           : class == 2 ? read2(t, a, l)
           : class == 0 ? read0(t, a, l)
           : class == 4 ? read4(t, a, l)
                        : read1(t, a, l);
}

static inline bool write_by_site(struct cc_thread *t, struct instruction *x, unsigned number, uint64_t a,
                                 unsigned class)
{
    if (engine.threaded || number > 1 || class > 4)
        return false;
    struct cc_store_site *l = x->stores[number];
    if (__builtin_expect(!l, 0)) {
        if (number && (!x->stores[0] || x->stores[0]->class != class))
            return false;
        l = x->stores[number] = site_new(sizeof *l);
        if (!l)
            return false;
        l->class = (uint8_t) class;
    }
    if (l->class != class)
        return false;
    return class == 3   ? write3(t, a, l)
           : class == 2 ? write2(t, a, l)
           : class == 0 ? write0(t, a, l)
           : class == 4 ? write4(t, a, l)
                        : write1(t, a, l);
}

/* Next time there is shadow memory where it was missing. */
static __attribute__((noinline)) void read_other(struct cc_thread *t, uint64_t a, unsigned class)
{
    if (!engine.threaded)
        cc_shadow_touch(engine.collect, a, 1u << class);
    if (class == 2)
        cc_read(t, a, 2);
    else if (class == 3)
        cc_read(t, a, 3);
    else if (class == 0)
        cc_read(t, a, 0);
    else
        cc_read_any(t, a, 1u << class);
}

static __attribute__((noinline)) void write_other(struct cc_thread *t, uint64_t a, unsigned class)
{
    if (!engine.threaded)
        cc_shadow_touch(engine.collect, a, 1u << class);
    if (class == 2)
        cc_write(t, a, 2);
    else if (class == 3)
        cc_write(t, a, 3);
    else if (class == 0)
        cc_write(t, a, 0);
    else
        cc_write_any(t, a, 1u << class);
}

static inline void count_access(struct vcpu *v, struct instruction *x, uint64_t a, unsigned class,
                                unsigned rw)
{
    if (rw & 1 && !read_by_site(v->thread, x, v->accesses, a, class))
        read_other(v->thread, a, class);
    if (rw & 2) {
        v->stored = a + (1u << class);
        if (!write_by_site(v->thread, x, v->accesses, a, class))
            write_other(v->thread, a, class);
    }
}

/* --- in a hurry --- */

/* An instruction's first or second access, like that of the first time it ran, in a program of one thread
 * whose stack is known and whose objects nobody wants. All else is for cc_qemu_access_any. A function for
 * each kind and size, so that nothing has to be told apart; what they call they call last, so that they need
 * to save nothing. */
#define BY_RECORD(kind, number, is_write, l, missed)                     \
    struct cc_spot at;                                                   \
    if (is_write)                                                        \
        v->stored = a + (1u << number);                                  \
    if (__builtin_expect(!cc_site_spot(v->thread, a, number, &at), 0) || \
        !cc_site_##kind(v->thread, a, l, number, at))                    \
        missed(v, x, a);
#define LANE(kind, number, record, sites, is_write)                                                        \
    static __attribute__((noinline)) void missed_##kind##number(struct vcpu *v, struct instruction *x,     \
                                                                uint64_t a)                                \
    {                                                                                                      \
        count_access(v, x, a, number, is_write ? 2 : 1);                                                   \
    }                                                                                                      \
    static __attribute__((noinline)) void second_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, \
                                                                uint64_t a, struct instruction *x)         \
    {                                                                                                      \
        struct vcpu *v = &engine.vcpus[vcpu];                                                              \
        struct record *l = x->sites[1];                                                                    \
        if (info != x->like[is_write] || engine.threaded || !l || v->accesses) {                           \
            cc_qemu_access_any(vcpu, info, a, x);                                                          \
            return;                                                                                        \
        }                                                                                                  \
        v->accesses = 1;                                                                                   \
        cc_again(v->thread, a, v->first);                                                                  \
        BY_RECORD(kind, number, is_write, l, missed_##kind##number)                                        \
    }                                                                                                      \
    static void lane_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a,                 \
                                    struct instruction *x)                                                 \
    {                                                                                                      \
        struct vcpu *v = &engine.vcpus[vcpu];                                                              \
        if (v->instruction == x) {                                                                         \
            second_##kind##number(vcpu, info, a, x);                                                       \
            return;                                                                                        \
        }                                                                                                  \
        if (__builtin_expect((info != x->like[is_write]) | engine.threaded, 0)) {                          \
            cc_qemu_access_any(vcpu, info, a, x);                                                          \
            return;                                                                                        \
        }                                                                                                  \
        v->instruction = x;                                                                                \
        v->accesses = 0;                                                                                   \
        v->first = a;                                                                                      \
        BY_RECORD(kind, number, is_write, x->sites[0], missed_##kind##number)                              \
    }                                                                                                      \
    static __attribute__((noinline)) void lost_##kind##number(struct vcpu *v, struct instruction *x,       \
                                                              uint64_t a)                                  \
    {                                                                                                      \
        struct cc_spot at;                                                                                 \
        if (!cc_site_spot(v->thread, a, number, &at) ||                                                    \
            !cc_site_##kind##_other(v->thread, a, x->sites[0], number, at))                                \
            kind##_other(v->thread, a, number);                                                            \
    }                                                                                                      \
    static void single_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a,               \
                                      struct instruction *x)                                               \
    {                                                                                                      \
        struct vcpu *v = &engine.vcpus[0];                                                                 \
        (void)vcpu, (void)info;                                                                            \
        BY_RECORD(kind, number, is_write, x->sites[0], lost_##kind##number)                                \
    }
#define LANES(number)                              \
    LANE(read, number, cc_load_site, loads, false) \
    LANE(write, number, cc_store_site, stores, true)
LANES(0)
LANES(1)
LANES(2)
LANES(3)
LANES(4)

/* Two neighbours, taken as one when the second comes. Of an instruction that is interrupted between them, and
 * begins anew, the first was none. */
#define PAIR(kind, way, number, both, record, is_write)                                                \
    static __attribute__((noinline)) void parted_##kind##number(struct vcpu *v, struct instruction *x) \
    {                                                                                                  \
        struct cc_spot at;                                                                             \
        if (cc_site_spot(v->thread, v->first, both, &at) &&                                            \
            cc_site_##kind##_other(v->thread, v->first, x->record, both, at))                          \
            return;                                                                                    \
        uint64_t second = v->first + (1u << number);                                                   \
        cc_again(v->thread, second, v->first);                                                         \
        v->accesses = 0;                                                                               \
        count_access(v, x, v->first, number, is_write ? 2 : 1);                                        \
        v->accesses = 1;                                                                               \
        count_access(v, x, second, number, is_write ? 2 : 1);                                          \
    }                                                                                                  \
    static void pair_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a,             \
                                    struct instruction *x)                                             \
    {                                                                                                  \
        struct vcpu *v = &engine.vcpus[0];                                                             \
        struct cc_spot at;                                                                             \
        if (__builtin_expect((info != x->like[is_write]) | engine.threaded, 0)) {                      \
            cc_qemu_access_any(vcpu, info, a, x);                                                      \
            return;                                                                                    \
        }                                                                                              \
        if (v->waits != x || a != v->first + (1u << number)) {                                         \
            v->waits = x;                                                                              \
            v->first = a;                                                                              \
            return;                                                                                    \
        }                                                                                              \
        v->waits = NULL;                                                                               \
        if (is_write)                                                                                  \
            v->stored = a + (1u << number);                                                            \
        if (__builtin_expect(!cc_site_spot(v->thread, v->first, both, &at), 0) ||                      \
            !cc_site_##way(v->thread, v->first, x->record, both, at))                                  \
            parted_##kind##number(v, x);                                                               \
    }
PAIR(read, read, 2, 3, both_loads, false)
PAIR(read, read, 3, 4, both_loads, false)
PAIR(write, write_pair, 2, 3, both_stores, true)
PAIR(write, write_pair, 3, 4, both_stores, true)

/* The instruction was learned, and has records of its accesses: those like this one go there from now on. */
static void settle(const struct vcpu *v, struct instruction *x, qemu_plugin_meminfo_t info, bool single)
{
    static cc_qemu_lane *const lanes[2][2][5] = {
        {{lane_read0, lane_read1, lane_read2, lane_read3, lane_read4},
         {lane_write0, lane_write1, lane_write2, lane_write3, lane_write4}},
        {{single_read0, single_read1, single_read2, single_read3, single_read4},
         {single_write0, single_write1, single_write2, single_write3, single_write4}}};
    unsigned class = info >> engine.size_at & 7, rw = info >> CC_PLUGIN_RW_AT & 3;
    if (engine.threaded || v->looks || engine.options.objects || engine.options.locality || rw == 3 ||
        class > 4 || x->what->seen != CC_INSN_LEARNED)
        return;
    bool write = rw == 2;
    if (write ? x->stores[0] && x->stores[0]->class == class : x->loads[0] && x->loads[0]->class == class) {
        x->lane[write] = lanes[single][write][class];
        x->like[write] = info;
    }
}

void cc_qemu_access_any(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct instruction *x)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    unsigned class = info >> engine.size_at & 7, rw = info >> CC_PLUGIN_RW_AT & 3;
    if (__builtin_expect(x->what->seen != CC_INSN_LEARNED, 0))
        learn(vcpu, x->what, v->instruction == x, 1u << class, rw);
    if (__builtin_expect(v->looks, 0))
        cc_qemu_look_for_stack(v, a);
    if (v->instruction == x) {
        cc_again(v->thread, a, v->first);
        v->accesses++;
    } else {
        v->instruction = x;
        v->first = a;
        v->accesses = 0;
    }
    if (rw == 3) /* an atomic instruction, once the program has threads; before, two calls for it */
        cc_again(v->thread, a, v->first);
    if (engine.options.objects)
        count_data(v->thread->data, a, class, rw);
    if (v->thread->locality)
        cc_locality_access(v->thread, v->count, a, 1u << class, rw & 2);
    count_access(v, x, a, class, rw);
    if (__builtin_expect(x->lane[rw == 2] == cc_qemu_access_any, 0))
        settle(v, x, info, false);
}

/* Both of its accesses were as they are to be, just now. */
static void settle_pair(struct instruction *x, qemu_plugin_meminfo_t info, unsigned class, bool write)
{
    static cc_qemu_lane *const lanes[2][2] = {{pair_read2, pair_read3}, {pair_write2, pair_write3}};
    if (write ? !x->both_stores : !x->both_loads) {
        void *p = site_new(write ? sizeof *x->both_stores : sizeof *x->both_loads);
        if (!p)
            return;
        if (write) {
            x->both_stores = p;
            x->both_stores->class = (uint8_t)(class + 1);
            x->both_stores->twice = 1;
        } else {
            x->both_loads = p;
            x->both_loads->class = (uint8_t)(class + 1);
            x->both_loads->twice = 1;
        }
    }
    x->lane[write] = lanes[write][class - 2];
    x->like[write] = info;
}

void cc_qemu_access_pair(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct instruction *x)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    unsigned class = info >> engine.size_at & 7, rw = info >> CC_PLUGIN_RW_AT & 3;
    cc_qemu_access_any(vcpu, info, a, x);
    if (engine.threaded || v->looks || engine.options.objects || engine.options.locality ||
        v->accesses != 1 || a != v->first + (1u << class) || rw == 3 || x->what->seen != CC_INSN_LEARNED ||
        (class != 2 && class != 3))
        return;
    settle_pair(x, info, class, rw == 2);
}

void cc_qemu_access_single(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct instruction *x)
{
    cc_qemu_access_any(vcpu, info, a, x);
    settle(&engine.vcpus[vcpu], x, info, true);
}

void cc_qemu_on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *data)
{
    struct instruction *x = data;
    x->lane[info >> (CC_PLUGIN_RW_AT + 1) & 1](vcpu, info, a, x);
}

/* QEMU carries it out as compare-and-swap, whose load is none of the program's. */
void cc_qemu_on_store_exclusive(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *data)
{
    enum { READ = 1 << CC_PLUGIN_RW_AT, WRITE = 2 << CC_PLUGIN_RW_AT };
    if (info & WRITE)
        cc_qemu_on_access(vcpu, info & ~(qemu_plugin_meminfo_t)READ, a, data);
}

void cc_qemu_on_mark_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *data)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    const struct mark *m = data;
    bool taken = cc_qemu_turn();
    if (v->instruction != m->access) /* on 32-bit machines too, it is one access */
        execute_mark(v, m, a);
    cc_qemu_on_access(vcpu, info, a, m->access);
    cc_qemu_turn_over(taken);
}

/* Of memory that an instruction accesses without QEMU's telling: first = where its first access was. */
static void block_access(struct vcpu *v, uint64_t a, uint64_t size, bool write, uint64_t first)
{
    enum { PIECE = 64 };
    for (uint64_t end = a + size, n; a < end; a += n) {
        n = PIECE - a % PIECE < end - a ? PIECE - a % PIECE : end - a;
        if (write)
            cc_write_any(v->thread, a, (uint32_t)n);
        else
            cc_read_any(v->thread, a, (uint32_t)n);
        if (v->thread->locality)
            cc_locality_access(v->thread, v->count, a, (uint32_t)n, write);
        if (engine.options.objects)
            cc_data_access(v->thread->data, a, (uint32_t)n, write);
        if (engine.depends)
            cc_qemu_depend_range(v, a, n, write, v->last ? v->last->call : 0);
        if (a != first || !write)
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
        insn->written = add_bytes(0, (unsigned)engine.zero_block);
        insn->seen = CC_INSN_LEARNED;
    }
    uint64_t a = v->registers.general ? cc_register_general(&v->registers, x->op.to) : v->stored;
    a &= ~(engine.zero_block - 1);
    block_access(v, a, engine.zero_block, true, a);
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
        block_access(v, cc_register_general(&v->registers, x->op.from), n, false, to);
    block_access(v, to, n, true, to);
    cc_qemu_turn_over(taken);
}
