/* What translated code calls: accesses, calls and returns, marks, time. */
#include "engine.h"

/* An access, and a further access of the same instruction, whose first was at `first`; both also for data
 * objects. */
#define DIRECT(kind, bytes, class, what, write)                         \
    static VG_REGPARM(1) void on_##kind##bytes(ULong a)                 \
    {                                                                   \
        what(engine.current, a, class);                                 \
    }                                                                   \
    static VG_REGPARM(2) void again_##kind##bytes(ULong a, ULong first) \
    {                                                                   \
        what(engine.current, a, class);                                 \
        cc_again(engine.current, a, first);                             \
    }                                                                   \
    static VG_REGPARM(1) void data_##kind##bytes(ULong a)               \
    {                                                                   \
        cc_data_count(engine.current->data, a, class, write);           \
        what(engine.current, a, class);                                 \
    }                                                                   \
    static VG_REGPARM(2) void more_##kind##bytes(ULong a, ULong first)  \
    {                                                                   \
        cc_data_count(engine.current->data, a, class, write);           \
        what(engine.current, a, class);                                 \
        cc_again(engine.current, a, first);                             \
    }
DIRECT(read, 1, 0, cc_read, false)
DIRECT(read, 2, 1, cc_read, false)
DIRECT(read, 4, 2, cc_read, false)
DIRECT(read, 8, 3, cc_read, false)
DIRECT(read, 16, 4, cc_read, false)
DIRECT(write, 1, 0, cc_write, true)
DIRECT(write, 2, 1, cc_write, true)
DIRECT(write, 4, 2, cc_write, true)
DIRECT(write, 8, 3, cc_write, true)
DIRECT(write, 16, 4, cc_write, true)
#define ALL(name)                                                                      \
    {                                                                                  \
        {name##_read1, name##_read2, name##_read4, name##_read8, name##_read16},       \
        {                                                                              \
            name##_write1, name##_write2, name##_write4, name##_write8, name##_write16 \
        }                                                                              \
    }
void *const cc_vg_access[2][2][5] = {ALL(on), ALL(data)}; /* [objects][write][class] */
void *const cc_vg_access_again[2][2][5] = {ALL(again), ALL(more)};

VG_REGPARM(2) void cc_vg_again(ULong a, ULong first)
{
    cc_again(engine.current, a, first);
}

VG_REGPARM(2) void cc_vg_read_odd(ULong a, ULong size)
{
    if (engine.current->data)
        cc_data_access(engine.current->data, a, (UInt)size, false);
    cc_read_any(engine.current, a, (UInt)size);
}
VG_REGPARM(2) void cc_vg_write_odd(ULong a, ULong size)
{
    if (engine.current->data)
        cc_data_access(engine.current->data, a, (UInt)size, true);
    cc_write_any(engine.current, a, (UInt)size);
}

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

FROM_CODE(on_call)
{
    const struct site *site = what;
    struct spare *s = spare_of(guest);
    to_collector(engine.current, s);
    cc_call(engine.current, s->count, site->function, site->address, GUEST_SP(guest) + CC_VG_CALL_PUSHES);
    from_collector(s, engine.current);
}

FROM_CODE(on_indirect_call)
{
    struct site *site = what;
    ULong target = spare_of(guest)->target;
    if (site->target != target) {
        site->target = target;
        site->function = cc_place_of(engine.collect, target, true).function;
    }
    if (site->function != CC_OUTSIDE || spare_of(guest)->function != CC_OUTSIDE)
        on_call(site, guest);
}

FROM_CODE(on_return)
{
    struct spare *s = spare_of(guest);
    to_collector(engine.current, s);
    cc_return(engine.current, s->count, s->target, GUEST_SP(guest));
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
