#include "pool.h"

#include <stdlib.h>
#include <string.h>

enum { SMALLEST = 6 }; /* 64 bytes */

static unsigned power_of(size_t n, size_t size)
{
    uint64_t bytes = (uint64_t)n * size;
    unsigned p = SMALLEST;
    while (((uint64_t)1 << p) < bytes)
        p++;
    return p;
}

struct cc_pool *cc_pool_init(void *memory, uint64_t size)
{
    struct cc_pool *p = memory;
    p->used = (sizeof *p + 63) / 64 * 64;
    p->size = size;
    return p;
}

void *cc_pool_alloc(struct cc_pool *p, size_t n, size_t size)
{
    void *memory = NULL;
    if (!p) {
        memory = calloc(n ? n : 1, size);
    } else {
        unsigned power = power_of(n, size);
        if ((memory = p->spare[power])) {
            memcpy(&p->spare[power], memory, sizeof(void *));
            memset(memory, 0, n * size);
        } else if (p->size - p->used >= (uint64_t)1 << power) {
            memory = (char *)p + p->used;
            p->used += (uint64_t)1 << power;
        }
    }
    if (!memory)
        abort();
    return memory;
}

void cc_pool_free(struct cc_pool *p, void *memory, size_t n, size_t size)
{
    if (!p) {
        free(memory);
    } else if (memory) {
        unsigned power = power_of(n, size);
        memcpy(memory, &p->spare[power], sizeof(void *));
        p->spare[power] = memory;
    }
}
