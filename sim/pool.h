/* Memory of a model: the C library's, or, where several processes drive one model, a piece of memory they all
 * have at the same address. */
#ifndef CC_SIM_POOL_H
#define CC_SIM_POOL_H

#include <stddef.h>
#include <stdint.h>

struct cc_pool { /* lies at the start of what it deals out */
    uint64_t used, size;
    void *spare[64]; /* given back, by power of two; each begins with a pointer to the next */
};

/* `memory` is zeroed, and aligned to 64 bytes. */
struct cc_pool *cc_pool_init(void *memory, uint64_t size);
/* Zeroed. NULL for the pool: the C library's. Running out of it ends the process. */
void *cc_pool_alloc(struct cc_pool *p, size_t n, size_t size);
/* n and size as they were asked for. */
void cc_pool_free(struct cc_pool *p, void *memory, size_t n, size_t size);

#endif
