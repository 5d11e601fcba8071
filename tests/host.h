/* What the collector needs from whoever runs it, for tests: plain memory, files read as they are. */
#ifndef CC_TESTS_HOST_H
#define CC_TESTS_HOST_H

#include "../collect/host.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static size_t cc_test_mapped; /* bytes that were not given back yet */

static inline void *cc_test_map(void *self, size_t size)
{
    (void)self;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED)
        abort();
    cc_test_mapped += size;
    return p;
}

static inline void cc_test_unmap(void *self, void *p, size_t size)
{
    (void)self;
    munmap(p, size);
    cc_test_mapped -= size;
}

static inline long cc_test_read_file(void *self, const char *path, void *to, size_t size, uint64_t offset)
{
    (void)self;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    long n = pread(fd, to, size, (off_t)offset);
    close(fd);
    return n;
}

static const struct cc_host cc_test_host = {
    .map = cc_test_map, .unmap = cc_test_unmap, .read_file = cc_test_read_file};

#endif
