/* What translated code calls: calls and returns, marks, time. */
#include "engine.h"

FROM_CODE(on_arrival)
{
    const struct site *site = what;
    struct spare *s = spare_of(guest);
    to_collector(engine.current, s);
    if (engine.current->data) {
        cc_data_clock(engine.current, (const uint64_t *)&s->count);
        s->alloc_ret = cc_alloc_landed(engine.current, GUEST_SP(guest));
    }
    cc_arrive(engine.current, s->count, site->place, site->address,
              GUEST_SP(guest) + (site->place.entry ? CC_VG_CALL_PUSHES : 0));
    from_collector(s, engine.current);
}

static __attribute__((noinline)) void call_other(UInt function, ULong ret, void *guest)
{
    struct spare *s = spare_of(guest);
    to_collector(engine.current, s);
    cc_call(engine.current, s->count, function, ret, GUEST_SP(guest) + CC_VG_CALL_PUSHES);
    from_collector(s, engine.current);
}

/* What cc_call_same and cc_return_same change. */
static inline void from_same(struct spare *s, const struct cc_thread *t)
{
    s->function = t->function;
    s->blocks = (Addr)t->blocks;
    if (t->loops)
        s->loop = (Addr)cc_loop_innermost(t);
}

/* With the short ways of the collector inside them, few registers have to be saved. */
__attribute__((flatten)) void on_call(void *what, void *guest);
__attribute__((flatten)) void on_indirect_call(void *what, void *guest);
__attribute__((flatten)) void on_return(void *what, void *guest);

static inline void call(struct cc_call_memo *memo, ULong ret, void *guest)
{
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    t->function = s->function;
    if (memo->function == CC_OUTSIDE || s->leaf.loop ||
        !cc_call_like(t, s->count, memo, ret, GUEST_SP(guest) + CC_VG_CALL_PUSHES)) {
        call_other(memo->function, ret, guest);
        return;
    }
    from_same(s, t);
}

FROM_CODE(on_call)
{
    struct site *site = what;
    call(&site->call, site->address, guest);
}

/* Calls of addresses from contexts, made lately. */
enum { TARGETS = 1024 };
static struct target {
    ULong address;
    struct cc_call_memo call;
} targets[TARGETS];

void cc_vg_forget_targets(void)
{
    VG_(memset)(targets, 0, sizeof targets);
}

static __attribute__((noinline)) void new_target(struct target *t, ULong address)
{
    *t = (struct target){address, {.function = cc_place_of(engine.collect, address, true).function}};
}

FROM_CODE(on_indirect_call)
{
    const struct site *site = what;
    ULong address = spare_of(guest)->target;
    struct target *t =
        &targets[(address >> 2 ^ address >> 12 ^ engine.current->context * 37) & (TARGETS - 1)];
    if (t->address != address)
        new_target(t, address);
    if (t->call.function != CC_OUTSIDE || (!site->outside && spare_of(guest)->function != CC_OUTSIDE))
        call(&t->call, site->address, guest);
}

static __attribute__((noinline)) void return_other(void *guest)
{
    struct spare *s = spare_of(guest);
    to_collector(engine.current, s);
    cc_return(engine.current, s->count, s->target, GUEST_SP(guest));
    from_collector(s, engine.current);
}

FROM_CODE(on_return)
{
    struct spare *s = spare_of(guest);
    struct cc_thread *t = engine.current;
    t->function = s->function;
    if (s->leaf.loop || !cc_return_same(t, s->count, s->target, GUEST_SP(guest))) {
        return_other(guest);
        return;
    }
    from_same(s, t);
}

FROM_CODE(on_return_for)
{
    struct spare *s = spare_of(guest);
    to_collector(engine.current, s);
    cc_return_for(engine.current, s->count, s->target, GUEST_SP(guest));
    from_collector(s, engine.current);
}

/* A frame begins, or recording is switched, for the whole process: the other threads stand still. */
static void mark(struct cc_mark_site *site, ULong record, void *guest)
{
    struct spare *s = spare_of(guest);
    Bool all = site->what >= CC_MARK_SITE_FRAME && site->what <= CC_MARK_SITE_RECORD_OFF;
    to_collector(engine.current, s);
    if (all)
        cc_vg_sync_threads();
    cc_mark(engine.current, s->count, site, record);
    if (all)
        cc_vg_sync_threads();
    from_collector(s, engine.current);
}

FROM_CODE(on_mark)
{
    mark(what, 0, guest);
}

FROM_CODE(on_record_mark)
{
    mark(what, spare_of(guest)->target, guest);
}

FROM_CODE(on_tick)
{
    struct spare *s = spare_of(guest);
    cc_tick(engine.current, s->count);
    s->tick_at = engine.current->tick_at;
}
