/* Memory accesses of translated code. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>

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

/* --- by record --- */

#define BY_CLASS(class)                                                                                  \
    static __attribute__((noinline)) bool read##class(struct cc_thread * t, uint64_t a)                  \
    {                                                                                                    \
        struct cc_spot at;                                                                               \
        return cc_quick_spot(t, a, class, &at) &&                                                        \
               (cc_quick_load(t, a, class, CC_ONE, at) || cc_quick_load_other(t, a, class, CC_ONE, at)); \
    }                                                                                                    \
    static __attribute__((noinline)) bool write##class(struct cc_thread * t, uint64_t a)                 \
    {                                                                                                    \
        struct cc_spot at;                                                                               \
        return cc_quick_spot(t, a, class, &at) && cc_quick_store_other(t, a, class, CC_ONE, at);         \
    }
BY_CLASS(0)
BY_CLASS(1)
BY_CLASS(2)
BY_CLASS(3)
BY_CLASS(4)

/* Loads and stores by one name. */
static inline __attribute__((always_inline)) bool take_read(struct cc_thread *t, uint64_t a,
                                                            const struct cc_record *r, unsigned class,
                                                            enum cc_how how, struct cc_spot at)
{
    return r->known && cc_quick_load(t, a, class, how, at);
}
static inline __attribute__((always_inline)) bool take_write(struct cc_thread *t, uint64_t a,
                                                             const struct cc_record *r, unsigned class,
                                                             enum cc_how how, struct cc_spot at)
{
    return r->known && cc_quick_store(t, a, class, how, at);
}
static inline __attribute__((always_inline)) bool late_read(struct cc_thread *t, uint64_t a,
                                                            struct cc_record *r, unsigned class,
                                                            enum cc_how how, struct cc_spot at)
{
    r->known = true; /* what is not learned does not come here */
    return cc_quick_load_other(t, a, class, how, at);
}
static inline __attribute__((always_inline)) bool late_write(struct cc_thread *t, uint64_t a,
                                                             struct cc_record *r, unsigned class,
                                                             enum cc_how how, struct cc_spot at)
{
    r->known = true;
    return cc_quick_store_other(t, a, class, how, at);
}

/* The record of an access, made where there is none yet; NULL: it is about accesses of another kind. */
static struct cc_record *record_of(struct instruction *x, struct cc_record **at, unsigned class, bool pair)
{
    struct cc_record *r = *at ? *at : calloc(1, sizeof *r);
    if (r && !*at) {
        *r = (struct cc_record){.x = x, .class = (uint8_t)(class + pair), .twice = pair};
        *at = r;
    }
    return r && r->class == class + pair && r->twice == pair ? r : NULL;
}

/* Whether it could be done so. Records are for one thread at a time. */
static bool by_record(struct cc_thread *t, struct instruction *x, unsigned number, uint64_t a, unsigned class,
                      bool write)
{
    static bool (*const take[2][5])(struct cc_thread *, uint64_t) = {
        {read0, read1, read2, read3, read4}, {write0, write1, write2, write3, write4}};
    struct cc_record **records = write ? x->stores : x->loads;
    if (engine.threaded || number > 1 || class > 4 || (number && (!records[0] || records[0]->class != class)))
        return false;
    struct cc_record *r = record_of(x, &records[number], class, false);
    if (!r)
        return false;
    r->known = x->what->seen == CC_INSN_LEARNED;
    return take[write][class](t, a);
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
    if (rw & 1 && !by_record(v->thread, x, v->accesses, a, class, false))
        read_other(v->thread, a, class);
    if (rw & 2) {
        v->stored = a + (1u << class);
        if (!by_record(v->thread, x, v->accesses, a, class, true))
            write_other(v->thread, a, class);
    }
}

static inline void again(struct cc_thread *t, uint64_t a, uint64_t first, bool is_write)
{
    if (is_write)
        cc_again(t, a, first);
    else
        cc_again_read(t, a, first);
}

/* --- in a hurry --- */

/* An instruction's first or second access, like that of the first time it ran, in a program of one thread
 * whose stack is known and whose objects nobody wants. All else is for cc_qemu_access_any. A function for
 * each kind and size, so that nothing has to be told apart; what they call they call last, so that they need
 * to save nothing. */
#define BY_RECORD(kind, number, is_write, l, missed)                      \
    struct cc_spot at;                                                    \
    if (is_write)                                                         \
        v->stored = a + (1u << number);                                   \
    if (__builtin_expect(!cc_quick_spot(v->thread, a, number, &at), 0) || \
        !take_##kind(v->thread, a, l, number, CC_ONE, at))                \
        missed(v, x, a);
#define LANE(kind, number, records, is_write)                                                              \
    static __attribute__((noinline)) void missed_##kind##number(struct vcpu *v, struct instruction *x,     \
                                                                uint64_t a)                                \
    {                                                                                                      \
        count_access(v, x, a, number, is_write ? 2 : 1);                                                   \
    }                                                                                                      \
    static __attribute__((noinline)) void second_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, \
                                                                uint64_t a, struct instruction *x)         \
    {                                                                                                      \
        struct vcpu *v = &engine.vcpus[vcpu];                                                              \
        struct cc_record *l = x->records[1];                                                               \
        if (info != x->like[is_write] || engine.threaded || !l || v->accesses) {                           \
            cc_qemu_access_any(vcpu, info, a, x);                                                          \
            return;                                                                                        \
        }                                                                                                  \
        v->accesses = 1;                                                                                   \
        again(v->thread, a, v->first, is_write);                                                           \
        BY_RECORD(kind, number, is_write, l, missed_##kind##number)                                        \
    }                                                                                                      \
    static void lane_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a,                 \
                                    struct instruction *x)                                                 \
    {                                                                                                      \
        struct vcpu *v = &engine.vcpus[vcpu];                                                              \
        if (cc_qemu_accessed(v, x)) {                                                                      \
            second_##kind##number(vcpu, info, a, x);                                                       \
            return;                                                                                        \
        }                                                                                                  \
        if (__builtin_expect((info != x->like[is_write]) | engine.threaded, 0)) {                          \
            cc_qemu_access_any(vcpu, info, a, x);                                                          \
            return;                                                                                        \
        }                                                                                                  \
        v->instruction = x;                                                                                \
        v->at = v->count;                                                                                  \
        v->accesses = 0;                                                                                   \
        v->first = a;                                                                                      \
        BY_RECORD(kind, number, is_write, x->records[0], missed_##kind##number)                            \
    }
#define LANES(number)                \
    LANE(read, number, loads, false) \
    LANE(write, number, stores, true)
LANES(0)
LANES(1)
LANES(2)
LANES(3)
LANES(4)

/* The instruction was learned, and has records of its accesses: those like this one go there from now on. */
static void settle(const struct vcpu *v, struct instruction *x, qemu_plugin_meminfo_t info)
{
    static cc_qemu_lane *const lanes[2][5] = {
        {lane_read0, lane_read1, lane_read2, lane_read3, lane_read4},
        {lane_write0, lane_write1, lane_write2, lane_write3, lane_write4}};
    unsigned class = info >> engine.size_at & 7, rw = info >> CC_PLUGIN_RW_AT & 3;
    if (engine.threaded || v->looks || engine.options.objects || engine.options.locality || rw == 3 ||
        class > 4 || x->what->seen != CC_INSN_LEARNED)
        return;
    bool write = rw == 2;
    if (write ? x->stores[0] && x->stores[0]->class == class : x->loads[0] && x->loads[0]->class == class) {
        x->lane[write] = lanes[write][class];
        x->like[write] = info;
    }
}

static void tell_line(const struct vcpu *v, const struct instruction *x, uint64_t a, uint32_t size,
                      unsigned rw)
{
    uint64_t now = cc_qemu_line_time(v, x);
    for (unsigned write = 0; write < 2; write++) {
        enum cc_line_kind kind = cc_line_kind(x->atomic, write);
        if (rw >> write & 1 && kind != CC_LINE_KINDS)
            cc_locality_access(v->thread, now, a, size, kind);
    }
}

void cc_qemu_access_any(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct instruction *x)
{
    struct vcpu *v = &engine.vcpus[vcpu];
    unsigned class = info >> engine.size_at & 7, rw = info >> CC_PLUGIN_RW_AT & 3;
    if (__builtin_expect(x->what->seen != CC_INSN_LEARNED, 0))
        learn(vcpu, x->what, cc_qemu_accessed(v, x), 1u << class, rw);
    if (__builtin_expect(v->looks, 0))
        cc_qemu_look_for_stack(v, a);
    if (cc_qemu_accessed(v, x)) {
        again(v->thread, a, v->first, rw == 2);
        v->accesses++;
    } else {
        v->instruction = x;
        v->at = v->count;
        v->first = a;
        v->accesses = 0;
    }
    if (rw == 3) /* an atomic instruction, once the program has threads; before, two calls for it */
        cc_again(v->thread, a, v->first);
    if (engine.options.objects)
        count_data(v->thread->data, a, class, rw);
    if (v->thread->locality)
        tell_line(v, x, a, 1u << class, rw);
    count_access(v, x, a, class, rw);
    if (__builtin_expect(x->lane[rw == 2] == cc_qemu_access_any, 0))
        settle(v, x, info);
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

/* It comes as several accesses, one behind the other. */
bool cc_qemu_part_of(const struct vcpu *v, const struct instruction *x, unsigned bytes, uint64_t a,
                     qemu_plugin_meminfo_t *info)
{
    enum { CLASS = 7 };
    uint64_t done = cc_qemu_accessed(v, x) ? a - v->first : 0;
    if (done >= bytes)
        return false;
    unsigned class = *info >> engine.size_at & CLASS, left = (unsigned)(bytes - done);
    if (left < 1u << class)
        *info = (*info & ~((qemu_plugin_meminfo_t)CLASS << engine.size_at)) |
                (qemu_plugin_meminfo_t)__builtin_ctz(left) << engine.size_at;
    return true;
}

void cc_qemu_on_part(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *data)
{
    const struct part_access *p = data;
    if (cc_qemu_part_of(&engine.vcpus[vcpu], p->what, p->bytes, a, &info))
        cc_qemu_on_access(vcpu, info, a, p->what);
}

/* --- of instructions that are known --- */

/* Of those that were decoded when they were translated, in a program of one thread whose stack is known, the
 * callback gets the record itself. The first time its instruction is not known: all that has to be learned or
 * proved is done then. QEMU need not translate anew when a second thread comes (it does not where memory is
 * shared with other processes by then): all that these are called for is `beyond` from then on. */

static inline struct cc_spot spot(uint64_t a)
{
    a &= CC_PIECE_LIMIT - 1;
    return (struct cc_spot){(cc_cell *)(CC_PIECE_WORDS + (a & ~3ul)), (cc_cell *)(CC_PIECE_BYTES + a * 4)};
}

/* It reaches beyond the piece of shadow memory, or there are threads. */
static inline bool beyond(uint64_t a)
{
    return a > engine.reach;
}

static inline bool is_like(qemu_plugin_meminfo_t info, unsigned class, bool write)
{
    return (info >> engine.size_at & 7) == class && (info >> CC_PLUGIN_RW_AT & 3) == (write ? 2 : 1);
}

#define SINGLE(kind, number, is_write)                                                                   \
    static __attribute__((noinline)) void lost_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, \
                                                              uint64_t a, struct cc_record *r)           \
    {                                                                                                    \
        struct cc_thread *t = engine.vcpus[0].thread;                                                    \
        struct cc_spot at;                                                                               \
        bool like = is_like(info, number, is_write);                                                     \
        if (engine.threaded || !like || r->x->what->seen != CC_INSN_LEARNED) {                           \
            cc_qemu_access_any(vcpu, info, a, r->x);                                                     \
            if (!engine.threaded && like && (is_write || !r->update))                                    \
                r->x->what->seen = CC_INSN_LEARNED;                                                      \
            return;                                                                                      \
        }                                                                                                \
        if (is_write)                                                                                    \
            engine.vcpus[0].stored = a + (1u << number);                                                 \
        if (is_write && r->update)                                                                       \
            cc_again(t, a, a);                                                                           \
        if (engine.options.objects)                                                                      \
            cc_data_count(t->data, a, number, is_write);                                                 \
        if (!cc_quick_spot(t, a, number, &at) || !late_##kind(t, a, r, number, CC_ONE, at))              \
            kind##_other(t, a, number);                                                                  \
    }                                                                                                    \
    static inline __attribute__((always_inline)) void kind##_known##number(                              \
        unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct cc_record *r, bool objects)        \
    {                                                                                                    \
        struct cc_thread *t = engine.vcpus[0].thread;                                                    \
        if (__builtin_expect(beyond(a), 0) || !take_##kind(t, a, r, number, CC_ONE, spot(a))) {          \
            lost_##kind##number(vcpu, info, a, r);                                                       \
            return;                                                                                      \
        }                                                                                                \
        if (is_write)                                                                                    \
            engine.vcpus[0].stored = a + (1u << number);                                                 \
        if (objects)                                                                                     \
            cc_data_count(t->data, a, number, is_write);                                                 \
    }                                                                                                    \
    static void on_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *record)   \
    {                                                                                                    \
        kind##_known##number(vcpu, info, a, record, false);                                              \
    }                                                                                                    \
    static void data_##kind##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *record) \
    {                                                                                                    \
        kind##_known##number(vcpu, info, a, record, true);                                               \
    }
#define SINGLES(number)         \
    SINGLE(read, number, false) \
    SINGLE(write, number, true)
SINGLES(0)
SINGLES(1)
SINGLES(2)
SINGLES(3)

/* Reads, then writes the same place: that the second is of the same instruction is counted with the second.
 */
#define UPDATE(number)                                                                                   \
    static inline __attribute__((always_inline)) void update##number(                                    \
        unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct cc_record *r, bool objects)        \
    {                                                                                                    \
        if (!(info >> CC_PLUGIN_RW_AT & 2)) {                                                            \
            read_known##number(vcpu, info, a, r, objects);                                               \
            return;                                                                                      \
        }                                                                                                \
        struct cc_thread *t = engine.vcpus[0].thread;                                                    \
        struct cc_record *s = r->x->stores[0];                                                           \
        if (__builtin_expect(beyond(a), 0) || !take_write(t, a, s, number, CC_ONE, spot(a))) {           \
            lost_write##number(vcpu, info, a, s);                                                        \
            return;                                                                                      \
        }                                                                                                \
        engine.vcpus[0].stored = a + (1u << number);                                                     \
        cc_again(t, a, a);                                                                               \
        if (objects)                                                                                     \
            cc_data_count(t->data, a, number, true);                                                     \
    }                                                                                                    \
    static void on_update##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *record)   \
    {                                                                                                    \
        update##number(vcpu, info, a, record, false);                                                    \
    }                                                                                                    \
    static void data_update##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *record) \
    {                                                                                                    \
        update##number(vcpu, info, a, record, true);                                                     \
    }
UPDATE(0)
UPDATE(1)
UPDATE(2)
UPDATE(3)

/* The second of two neighbours comes, of which only the last is heard of when QEMU begins the instruction
 * anew. */
static inline bool is_second(uint64_t a, unsigned class, const void *record)
{
    struct vcpu *v = &engine.vcpus[0];
    if (v->waits == record && a == v->first + (1u << class)) {
        v->waits = NULL;
        return true;
    }
    v->waits = record;
    v->first = a;
    return false;
}

/* Two neighbours, taken as one when the second comes. Some versions of QEMU tell them as one access. */
#define PAIR(kind, number, both, is_write)                                                                 \
    static __attribute__((noinline)) void parted_##kind##number(qemu_plugin_meminfo_t info, uint64_t a,    \
                                                                struct cc_record *r)                       \
    {                                                                                                      \
        enum { SIZE = 1u << number };                                                                      \
        struct vcpu *v = &engine.vcpus[0];                                                                 \
        struct cc_spot at;                                                                                 \
        if (r->x->what->seen != CC_INSN_LEARNED) {                                                         \
            cc_qemu_access_any(0, info, a, r->x);                                                          \
            cc_qemu_access_any(0, info, a + SIZE, r->x);                                                   \
            r->x->what->seen = CC_INSN_LEARNED;                                                            \
            return;                                                                                        \
        }                                                                                                  \
        if (engine.options.objects) {                                                                      \
            cc_data_count_two(v->thread->data, a, number, is_write);                                       \
        }                                                                                                  \
        if (cc_quick_spot(v->thread, a, both, &at) && late_##kind(v->thread, a, r, both, CC_TWICE, at))    \
            return;                                                                                        \
        again(v->thread, a + SIZE, a, is_write);                                                           \
        v->accesses = 0;                                                                                   \
        count_access(v, r->x, a, number, is_write ? 2 : 1);                                                \
        v->accesses = 1;                                                                                   \
        count_access(v, r->x, a + SIZE, number, is_write ? 2 : 1);                                         \
    }                                                                                                      \
    static inline __attribute__((always_inline)) void pair_##kind##number(                                 \
        unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, struct cc_record *r, bool objects)          \
    {                                                                                                      \
        if (__builtin_expect(((info >> engine.size_at & 7) != number) | engine.threaded, 0)) {             \
            cc_qemu_access_any(vcpu, info, a, r->x);                                                       \
            return;                                                                                        \
        }                                                                                                  \
        if (!is_second(a, number, r))                                                                      \
            return;                                                                                        \
        if (is_write)                                                                                      \
            engine.vcpus[0].stored = a + (1u << number);                                                   \
        a -= 1u << number;                                                                                 \
        if (__builtin_expect(beyond(a), 0) ||                                                              \
            !take_##kind(engine.vcpus[0].thread, a, r, both, CC_TWICE, spot(a))) {                         \
            parted_##kind##number(info, a, r);                                                             \
        } else if (objects) {                                                                              \
            cc_data_count_two(engine.vcpus[0].thread->data, a, number, is_write);                          \
        }                                                                                                  \
    }                                                                                                      \
    static void on_##kind##_pair##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *r)   \
    {                                                                                                      \
        pair_##kind##number(vcpu, info, a, r, false);                                                      \
    }                                                                                                      \
    static void data_##kind##_pair##number(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *r) \
    {                                                                                                      \
        pair_##kind##number(vcpu, info, a, r, true);                                                       \
    }
PAIR(read, 2, 3, false)
PAIR(read, 3, 4, false)
PAIR(write, 2, 3, true)
PAIR(write, 3, 4, true)

/* Of one access; of one that is both; of pairs. */
#define ALL(name)                                                             \
    {                                                                         \
        {name##_read0, name##_read1, name##_read2, name##_read3},             \
            {name##_write0, name##_write1, name##_write2, name##_write3},     \
            {name##_update0, name##_update1, name##_update2, name##_update3}, \
            {NULL, NULL, name##_read_pair2, name##_read_pair3},               \
        {                                                                     \
            NULL, NULL, name##_write_pair2, name##_write_pair3                \
        }                                                                     \
    }

bool cc_qemu_add_known(struct qemu_plugin_insn *insn, struct instruction *x, struct cc_access what)
{
    enum { READ, WRITE, UPDATE, READ_PAIR, WRITE_PAIR, KINDS };
    static const qemu_plugin_vcpu_mem_cb_t known[2][KINDS][4] = {ALL(on), ALL(data)}; /* [objects] */
    if (!engine.quick || engine.threaded || engine.vcpus[0].looks || !what.times || what.class > 3)
        return false;
    bool pair = what.times == 2;
    unsigned kind = what.update ? UPDATE : pair ? READ_PAIR + what.write : READ + what.write;
    qemu_plugin_vcpu_mem_cb_t call = known[engine.options.objects][kind][what.class];
    struct cc_record *load = NULL, *store = NULL;
    if (!what.write && (load = record_of(x, pair ? &x->both_loads : &x->loads[0], what.class, pair)))
        load->update = what.update;
    if ((what.write || what.update) &&
        (store = record_of(x, pair ? &x->both_stores : &x->stores[0], what.class, pair)))
        store->update = what.update;
    struct cc_record *record = what.update && !store ? NULL : what.write ? store : load;
    if (call && record)
        qemu_plugin_register_vcpu_mem_cb(insn, call, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, record);
    return call && record;
}
