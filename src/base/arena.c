#include "arena.h"
#include "ending.h"

#include <stdarg.h>

enum { BLOCK = 64 * 1024 };

struct cc_arena_block {
    struct cc_arena_block *next;
    size_t used, size;
    _Alignas(16) unsigned char data[];
};

void *cc_arena_alloc(struct cc_arena *a, size_t size)
{
    if (size > SIZE_MAX - 64)
        cc_ending_no_memory();
    size = (size + 15) & ~(size_t)15;
    if (!a->head || a->head->size - a->head->used < size) {
        size_t room = CC_MAX(size, (size_t)BLOCK);
        struct cc_arena_block *b = cc_alloc(sizeof *b + room);
        b->size = room;
        b->next = a->head;
        a->head = b;
    }
    void *p = a->head->data + a->head->used;
    a->head->used += size;
    return p;
}

char *cc_arena_strndup(struct cc_arena *a, const char *s, size_t n)
{
    char *p = cc_arena_alloc(a, n + 1);
    memcpy(p, s, n);
    return p;
}

char *cc_arena_strdup(struct cc_arena *a, const char *s)
{
    return cc_arena_strndup(a, s, strlen(s));
}

char *cc_arena_printf(struct cc_arena *a, const char *fmt, ...)
{
    va_list ap, again;
    va_start(ap, fmt);
    va_copy(again, ap);
    int n = vsnprintf(NULL, 0, fmt, ap);
    char *p = cc_arena_alloc(a, (size_t)CC_MAX(n, 0) + 1);
    vsnprintf(p, (size_t)CC_MAX(n, 0) + 1, fmt, again);
    va_end(again);
    va_end(ap);
    return p;
}

void cc_arena_fini(struct cc_arena *a)
{
    while (a->head) {
        struct cc_arena_block *next = a->head->next;
        free(a->head);
        a->head = next;
    }
}
