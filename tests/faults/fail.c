/* Preloaded: the CC_FAULT_AT-th call of what CC_FAULT names fails. Counted in the process that was started,
 * not in those it starts. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

static atomic_long calls;

/* Whether this call is the one; each function of the group counts. */
static bool fails(const char *group)
{
    static const char *wanted;
    static long at;
    if (!wanted) {
        const char *name = getenv("CC_FAULT"), *number = getenv("CC_FAULT_AT");
        at = number ? atol(number) : 0;
        wanted = name ? name : "";
    }
    return strcmp(wanted, group) == 0 && atomic_fetch_add(&calls, 1) + 1 == at;
}

#define REAL(type, name, ...)         \
    static type (*real)(__VA_ARGS__); \
    if (!real)                        \
    real = (type(*)(__VA_ARGS__))(uintptr_t)dlsym(RTLD_NEXT, #name)

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);

static void *no_memory(void)
{
    errno = ENOMEM;
    return NULL;
}

void *malloc(size_t n)
{
    return fails("malloc") ? no_memory() : __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
    return fails("malloc") ? no_memory() : __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
    return fails("malloc") ? no_memory() : __libc_realloc(p, n);
}

static int fault(int cause)
{
    errno = cause;
    return -1;
}

ssize_t write(int fd, const void *data, size_t n)
{
    REAL(ssize_t, write, int, const void *, size_t);
    return fails("write") ? fault(ENOSPC) : real(fd, data, n);
}

/* As the stream itself does it: nothing is written, and the stream remembers. */
size_t fwrite(const void *data, size_t size, size_t n, FILE *f)
{
    enum { ERROR_SEEN = 0x20 }; /* glibc's */
    REAL(size_t, fwrite, const void *, size_t, size_t, FILE *);
    if (!fails("write"))
        return real(data, size, n, f);
    f->_flags |= ERROR_SEEN;
    errno = ENOSPC;
    return 0;
}

ssize_t pwrite64(int fd, const void *data, size_t n, off64_t at)
{
    REAL(ssize_t, pwrite64, int, const void *, size_t, off64_t);
    return fails("write") ? fault(ENOSPC) : real(fd, data, n, at);
}

ssize_t read(int fd, void *data, size_t n)
{
    REAL(ssize_t, read, int, void *, size_t);
    return fails("read") ? fault(EIO) : real(fd, data, n);
}

int fsync(int fd)
{
    REAL(int, fsync, int);
    return fails("fsync") ? fault(EIO) : real(fd);
}

int rename(const char *from, const char *to)
{
    REAL(int, rename, const char *, const char *);
    return fails("rename") ? fault(EACCES) : real(from, to);
}

int open64(const char *path, int flags, ...)
{
    REAL(int, open64, const char *, int, ...);
    va_list ap;
    va_start(ap, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0;
    va_end(ap);
    return fails("open") ? fault(EMFILE) : real(path, flags, mode);
}

int open(const char *path, int flags, ...)
{
    REAL(int, open, const char *, int, ...);
    va_list ap;
    va_start(ap, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, int) : 0;
    va_end(ap);
    return fails("open") ? fault(EMFILE) : real(path, flags, mode);
}

FILE *fopen64(const char *path, const char *mode)
{
    REAL(FILE *, fopen64, const char *, const char *);
    return fails("open") ? (fault(EMFILE), NULL) : real(path, mode);
}

int mkstemp64(char *path)
{
    REAL(int, mkstemp64, char *);
    return fails("open") ? fault(EMFILE) : real(path);
}

FILE *fdopen(int fd, const char *mode)
{
    REAL(FILE *, fdopen, int, const char *);
    return fails("malloc") ? (fault(ENOMEM), NULL) : real(fd, mode);
}

pid_t fork(void)
{
    REAL(pid_t, fork, void);
    return fails("fork") ? fault(EAGAIN) : real();
}
