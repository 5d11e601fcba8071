/* What the collector needs from whoever runs it. It is freestanding: no libc, no globals, any number of
 * instances. */
#ifndef CC_COLLECT_HOST_H
#define CC_COLLECT_HOST_H

#include <stddef.h>
#include <stdint.h>

struct cc_host {
    void *self;
    /* Zeroed memory that is backed only once it is touched; never fails (the host ends the run with a message
     * instead). */
    void *(*map)(void *self, size_t size);
    void (*unmap)(void *self, void *p, size_t size);
    /* All of this will be used, now here, now there. NULL: does not matter. */
    void (*dense)(void *self, void *p, size_t size);
    /* Only parts of it, and they should take no more memory than they need. NULL: does not matter. */
    void (*sparse)(void *self, void *p, size_t size);
    /* The shadow of addresses below the limit (cell.h), each in one piece of zeroed memory; 0: there is no
     * such piece. */
    uint32_t *words, *bytes;
    uint64_t limit;
    /* Taken on slow paths only; NULL where guest threads never run at once. */
    void (*lock)(void *self);
    void (*unlock)(void *self);
    /* Read `size` bytes at `offset` of a file; the number read, or negative. */
    long (*read_file)(void *self, const char *path, void *to, size_t size, uint64_t offset);
    /* Copy from the program's memory; the number of bytes that could be read. NULL: marks that carry values
     * are not understood. */
    size_t (*read_guest)(void *self, uint64_t address, void *to, size_t size);
    /* Add to the file of task events. NULL: none is wanted. */
    void (*put_tasks)(void *self, const void *data, size_t size);
};

/* Destination of a snapshot. Returns 0, or negative once something could not be written (then nothing more
 * is). */
struct cc_sink {
    void *self;
    int (*write)(void *self, const void *data, size_t size);
};

#endif
