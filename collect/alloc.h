/* Functions of allocators, by their names. No libc: engines share it. */
#ifndef CC_COLLECT_ALLOC_H
#define CC_COLLECT_ALLOC_H

enum cc_alloc_kind {
    CC_ALLOC_NONE,
    CC_ALLOC_MALLOC,         /* (size) */
    CC_ALLOC_CALLOC,         /* (n, size) */
    CC_ALLOC_REALLOC,        /* (p, size) */
    CC_ALLOC_REALLOCARRAY,   /* (p, n, size) */
    CC_ALLOC_MEMALIGN,       /* (alignment, size) */
    CC_ALLOC_POSIX_MEMALIGN, /* (&p, alignment, size) */
    CC_ALLOC_VALLOC,         /* (size) */
    CC_ALLOC_NEW,            /* (size, …) */
    CC_ALLOC_NEW_ARRAY,
    CC_ALLOC_FREE, /* (p) */
    CC_ALLOC_MMAP, /* not a function: a site of cc_data_mmap */
    CC_ALLOC_KINDS,
};

enum cc_alloc_kind cc_alloc_kind_of(const char *symbol);

#endif
