#include "boat.h"

void cc_boat_begin(struct cc_boat *b)
{
    __builtin_memset(b->p, 0, CC_BOAT_HEAD);
    b->used = b->at > b->used ? b->at : b->used;
    b->at = 0;
}

int cc_boat_write(void *self, const void *data, size_t size)
{
    struct cc_boat *b = self;
    const uint8_t *from = data;
    for (; size && b->at < CC_BOAT_HEAD; size--)
        b->head[b->at++] = *from++;
    if (size > b->size - b->at)
        return -1;
    __builtin_memcpy(b->p + b->at, from, size);
    b->at += size;
    return 0;
}

void cc_boat_end(struct cc_boat *b)
{
    if (b->used > b->at)
        __builtin_memset(b->p + b->at, 0, b->used - b->at);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __builtin_memcpy(b->p, b->head, CC_BOAT_HEAD);
}

bool cc_boat_snapshot(struct cc_boat *b, bool (*larger)(struct cc_boat *b), struct cc_collect *c,
                      uint32_t pid, uint32_t flags)
{
    struct cc_sink sink = {b, cc_boat_write};
    cc_boat_begin(b);
    while (cc_snapshot(c, &sink, pid, flags) < 0) {
        if (!larger(b))
            return false;
        cc_boat_begin(b);
    }
    cc_boat_end(b);
    return true;
}
