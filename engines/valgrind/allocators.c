/* Calls of an allocator, for data objects. */
#include "engine.h"

FROM_CODE(on_allocator)
{
    const struct allocator *a = what;
    struct spare *s = spare_of(guest);
#if defined(VGA_arm64)
    const VexGuestARM64State *g = guest;
    uint64_t args[3] = {g->guest_X0, g->guest_X1, g->guest_X2}, ret = g->guest_X30;
#else
    const VexGuestAMD64State *g = guest;
    uint64_t args[3] = {g->guest_RDI, g->guest_RSI, g->guest_RDX}, ret = *(const ULong *)g->guest_RSP;
#endif
    to_collector(engine.current, s);
    s->alloc_ret =
        cc_alloc_enter(engine.current, a->kind, args, a->function, ret, GUEST_SP(guest) + CC_VG_CALL_PUSHES);
}

static uint64_t load_pointer(uint64_t address)
{
    return *(const ULong *)(Addr)address; /* posix_memalign has just stored it */
}

FROM_CODE(on_allocated)
{
    struct spare *s = spare_of(guest);
    s->alloc_ret = cc_alloc_return(engine.current, GUEST_RESULT(guest), load_pointer, GUEST_SP(guest));
}
