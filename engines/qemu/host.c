/* What the collector needs from this process, and where its results go. */
#include "engine.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

static void host_dense(void *self, void *p, size_t size)
{
    (void)self;
    madvise(p, size, MADV_HUGEPAGE); /* fewer misses of the TLB */
}

static void host_sparse(void *self, void *p, size_t size)
{
    (void)self;
    madvise(p, size, MADV_NOHUGEPAGE);
}

static void *host_map(void *self, size_t size)
{
    enum { HUGE = 2 << 20 };
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        static const char message[] = "corecast: out of memory\n";
        (void)!write(STDERR_FILENO, message, sizeof message - 1);
        _exit(125);
    }
    if (size >= HUGE && size <= 16 * HUGE)
        host_dense(self, p, size);
    return p;
}

static void host_unmap(void *self, void *p, size_t size)
{
    (void)self;
    munmap(p, size);
}

static void host_lock(void *self)
{
    (void)self;
    if (engine.threaded)
        pthread_mutex_lock(&engine.lock);
}

static void host_unlock(void *self)
{
    (void)self;
    if (engine.threaded)
        pthread_mutex_unlock(&engine.lock);
}

static long host_read(void *self, const char *path, void *to, size_t size, uint64_t offset)
{
    (void)self;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return -1;
    size_t done = 0;
    while (done < size) {
        ssize_t n = pread(fd, (char *)to + done, size - done, (off_t)(offset + done));
        if (n <= 0)
            break;
        done += (size_t)n;
    }
    close(fd);
    return (long)done;
}

static size_t host_read_guest(void *self, uint64_t address, void *to, size_t size)
{
    (void)self;
    struct iovec local = {to, size}, remote = {(void *)(uintptr_t)(engine.base + address), size};
    ssize_t n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return n > 0 ? (size_t)n : 0;
}

static void host_put_tasks(void *self, const void *data, size_t size)
{
    (void)self;
    if (engine.silent)
        return;
    if (engine.no_files)
        return;
    char path[4200];
    snprintf(path, sizeof path, "%s.tasks", engine.out);
    /* not kept open: the program may close it, or put another file in its place */
    int fd = open(path, O_WRONLY | O_CREAT | (engine.has_tasks ? O_APPEND : O_TRUNC) | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    engine.has_tasks = true;
    (void)!write(fd, data, size);
    close(fd);
}

static int sink_write(void *self, const void *data, size_t size)
{
    const char *p = data;
    while (size) {
        ssize_t n = write(*(int *)self, p, size);
        if (n <= 0)
            return -1;
        p += n;
        size -= (size_t)n;
    }
    return 0;
}

static void board(unsigned i, int how, size_t size)
{
    char path[4200];
    snprintf(path, sizeof path, "%s.%u", engine.out, i);
    int fd = open(path, O_RDWR | how | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    off_t used = lseek(fd, 0, SEEK_END);
    void *p = fallocate(fd, 0, 0, (off_t)size) == 0
                  ? mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)
                  : MAP_FAILED;
    if (p != MAP_FAILED && used <= (off_t)size)
        engine.boats[i] = (struct cc_boat){.p = p, .size = size, .used = (size_t)used};
    close(fd);
}

void cc_qemu_board(void)
{
    if (engine.silent || !engine.out || engine.boats[0].p)
        return;
    board(0, O_CREAT, CC_BOAT_SIZE);
    board(1, O_CREAT, CC_BOAT_SIZE);
}

/* A larger one, if the program has left us the right to have it. */
static bool board_larger(struct cc_boat *b)
{
    size_t before = b->size;
    if (!engine.no_files && before < CC_BOAT_MOST)
        board((unsigned)(b - engine.boats), 0, before * 2);
    return b->size > before;
}

void cc_qemu_snapshot(uint32_t flags)
{
    if (engine.silent || !engine.out)
        return;
    if (cc_registers_known(&engine.registers, &engine.vcpus[0].registers))
        flags |= CC_RUN_REGISTERS;
    if (engine.forked)
        flags |= CC_RUN_FORKED;
    struct cc_boat *boat = &engine.boats[engine.turn & 1];
    if (boat->p) {
        engine.turn += cc_boat_snapshot(boat, board_larger, engine.collect, (uint32_t)getpid(), flags);
        return;
    }
    char path[4200];
    snprintf(path, sizeof path, "%s.%u", engine.out, engine.turn & 1);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    struct cc_sink sink = {&fd, sink_write};
    if (cc_snapshot(engine.collect, &sink, (uint32_t)getpid(), flags) == 0)
        engine.turn++; /* a snapshot that failed is written over, the whole one before stays */
    close(fd);
}

struct cc_host cc_qemu_host = {.map = host_map,
                               .dense = host_dense,
                               .sparse = host_sparse,
                               .unmap = host_unmap,
                               .lock = host_lock,
                               .unlock = host_unlock,
                               .read_file = host_read,
                               .read_guest = host_read_guest,
                               .put_tasks = host_put_tasks};

static bool map_at(uint64_t at, uint64_t size)
{
    void *wanted = (void *)(uintptr_t)at;
    void *p = mmap(wanted, size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
    if (p == wanted)
        return true;
    if (p != MAP_FAILED)
        munmap(p, size); /* a kernel that takes the address for a wish */
    return false;
}

void cc_qemu_map_shadow(void)
{
    if (!map_at(CC_PIECE_WORDS, CC_PIECE_LIMIT))
        return;
    if (!map_at(CC_PIECE_BYTES, CC_PIECE_LIMIT * 4)) {
        munmap((void *)CC_PIECE_WORDS, CC_PIECE_LIMIT);
        return;
    }
    cc_qemu_host.words = (cc_cell *)CC_PIECE_WORDS;
    cc_qemu_host.bytes = (cc_cell *)CC_PIECE_BYTES;
    cc_qemu_host.limit = CC_PIECE_LIMIT;
    host_dense(NULL, cc_qemu_host.words, CC_PIECE_LIMIT);
}
