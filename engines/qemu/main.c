/* The QEMU engine: a user-mode plugin (interface 1, QEMU 7.2) that feeds the collector.
 *
 * Guest threads run at once, each in its own cc_thread; what the collector shares between them it takes under
 * a lock. QEMU tells neither register values nor call and return, so each block remembers how its last
 * instruction leaves, and the start of the thread's next block tells where it went. */
#include "plugin.h"
#include "decode.h"
#include "../../collect/collect.h"
#include "../../collect/data.h"
#include "../../collect/transfer.h"

#include <elf.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { MAX_VCPUS = 8192, MAX_HANDLERS = 128 };

struct block {
    uint64_t address, after; /* after: what follows it, where a call returns to */
    struct cc_place place;
    uint32_t instructions;
    uint32_t id; /* of its code, up to the first mark in it */
    bool called; /* has been the target of a call */
    enum cc_flow flow;
};

/* A mark in a block. */
struct mark {
    struct cc_mark_site *site;
    uint32_t left; /* instructions of the block from the mark on */
    uint32_t id;   /* of the code from the mark on, up to the next */
    void *access;  /* as on_access gets it */
};

struct vcpu {
    struct cc_thread *thread;
    const struct block *last; /* block run before, to tell how control came here */
    uint64_t count;
    uint64_t stored;         /* end of the last store, for block-zero instructions */
    const void *instruction; /* of the block, that accessed memory last */
    uint64_t first;          /* where its first access was */
    uint64_t wake;           /* count at which something is due */
    unsigned looks;          /* for the stack, still to do */
    const struct cc_syscall *call;
    uint64_t args[8];
};

static struct {
    struct cc_collect *collect;
    pthread_mutex_t lock;
    bool threaded; /* more than one guest thread has ever run */
    unsigned alive;
    struct cc_options options; /* as the run file has them */
    const char *out;           /* the options' own, or that of a forked child */
    bool silent, loaded;
    uint64_t brk; /* where the heap ends; 0: not asked for yet */
    int task_fd;
    const struct cc_isa *isa;
    uint64_t base; /* guest address 0 in this process */
    uint64_t zero_block;
    pid_t pid;
    unsigned turn;
    uint64_t next_look; /* count at which the clock is looked at */
    time_t next_snapshot;
    uint64_t handlers[MAX_HANDLERS]; /* addresses of signal handlers */
    unsigned nhandlers;
    struct vcpu vcpus[MAX_VCPUS];
} run = {.lock = PTHREAD_MUTEX_INITIALIZER};

QEMU_PLUGIN_EXPORT int qemu_plugin_version = QEMU_PLUGIN_VERSION;

/* --- the collector's host --- */

static void *host_map(void *self, size_t size)
{
    (void)self;
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (p == MAP_FAILED) {
        static const char message[] = "corecast: out of memory\n";
        (void)!write(STDERR_FILENO, message, sizeof message - 1);
        _exit(125);
    }
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
    if (run.threaded)
        pthread_mutex_lock(&run.lock);
}

static void host_unlock(void *self)
{
    (void)self;
    if (run.threaded)
        pthread_mutex_unlock(&run.lock);
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
    struct iovec local = {to, size}, remote = {(void *)(uintptr_t)(run.base + address), size};
    ssize_t n = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return n > 0 ? (size_t)n : 0;
}

static void host_put_tasks(void *self, const void *data, size_t size)
{
    (void)self;
    if (run.silent)
        return;
    if (run.task_fd < 0) {
        char path[4200];
        snprintf(path, sizeof path, "%s.tasks", run.out);
        run.task_fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    }
    (void)!write(run.task_fd, data, size);
}

/* --- what is mapped: read from /proc/self/maps whenever code turns up that no object covers --- */

struct mapping {
    uint64_t start, end, offset;
    char perms[5], path[4096];
};

/* The kernel writes a line break in a path as \012. */
static void unescape(char *path)
{
    for (char *p = path; (p = strstr(p, "\\012")); p++) {
        *p = '\n';
        memmove(p + 1, p + 4, strlen(p + 4) + 1);
    }
}

static bool next_mapping(FILE *maps, struct mapping *m)
{
    char line[4500];
    while (fgets(line, sizeof line, maps)) {
        unsigned long start, end, offset;
        m->path[0] = 0;
        if (sscanf(line, "%lx-%lx %4s %lx %*s %*s %4095[^\n]", &start, &end, m->perms, &offset, m->path) < 4)
            continue;
        m->start = start;
        m->end = end;
        m->offset = offset;
        unescape(m->path);
        return true;
    }
    return false;
}

static bool is_elf(const char *path)
{
    unsigned char magic[4] = {0};
    return host_read(NULL, path, magic, 4, 0) == 4 && memcmp(magic, "\177ELF", 4) == 0;
}

static bool is_own(const char *path)
{
    return strcmp(path, run.options.program) == 0 ||
           (run.options.own && strncmp(path, run.options.own, strlen(run.options.own)) == 0);
}

/* Lowest executable address in the program file, and the address its first byte is loaded at. */
static bool program_layout(uint64_t *code, uint64_t *head)
{
    unsigned char h[64] = {0}, ph[56] = {0};
    if (host_read(NULL, run.options.program, h, sizeof h, 0) < 52)
        return false;
    const Elf64_Ehdr *e64 = (const void *)h;
    const Elf32_Ehdr *e32 = (const void *)h;
    unsigned n = run.isa->wide ? e64->e_phnum : e32->e_phnum,
             size = run.isa->wide ? sizeof(Elf64_Phdr) : sizeof(Elf32_Phdr);
    uint64_t at = run.isa->wide ? e64->e_phoff : e32->e_phoff;
    *code = UINT64_MAX;
    bool found = false;
    for (unsigned i = 0; i < n; i++, at += size) {
        if (host_read(NULL, run.options.program, ph, size, at) != (long)size)
            return false;
        const Elf64_Phdr *p64 = (const void *)ph;
        const Elf32_Phdr *p32 = (const void *)ph;
        uint64_t va = run.isa->wide ? p64->p_vaddr : p32->p_vaddr,
                 offset = run.isa->wide ? p64->p_offset : p32->p_offset;
        uint32_t flags = run.isa->wide ? p64->p_flags : p32->p_flags;
        if (p64->p_type != PT_LOAD)
            continue;
        if ((flags & PF_X) && va < *code)
            *code = va;
        if (offset == 0) {
            *head = va;
            found = true;
        }
    }
    return found && *code != UINT64_MAX;
}

/* Where guest address 0 lies in this process: QEMU tells the guest's address of the program's code, the
 * kernel where the file is. */
static void find_base(void)
{
    uint64_t code = 0, head = 0;
    FILE *maps = program_layout(&code, &head) ? fopen("/proc/self/maps", "re") : NULL;
    struct mapping m;
    while (maps && next_mapping(maps, &m)) {
        if (strcmp(m.path, run.options.program) != 0 || m.offset != 0)
            continue;
        run.base = m.start - (qemu_plugin_start_code() - code + head);
        break;
    }
    if (maps)
        fclose(maps);
}

/* The file whose mapping holds this code; QEMU does not map guest code executable, so permissions say
 * nothing. */
static void look_for_object(uint64_t address)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    while (maps && next_mapping(maps, &m)) {
        if (m.path[0] != '/' || address + run.base < m.start || address + run.base >= m.end)
            continue;
        cc_binary_add(run.collect, m.path, m.start - run.base, m.end - run.base, m.offset, is_own(m.path));
    }
    if (maps)
        fclose(maps);
}

/* Neither registers nor the threads' stacks are told. But the first memory without a file that a thread
 * touches is its stack, on every machine: where it finds its arguments. */
static void look_for_stack(struct vcpu *v, uint64_t a)
{
    enum { MOST = 8 << 20, ABOVE = 1 << 20 }; /* neighbours may be in the same mapping */
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    v->looks--;
    while (maps && next_mapping(maps, &m)) {
        if (a + run.base < m.start || a + run.base >= m.end || m.path[0])
            continue;
        bool first = v == &run.vcpus[0];
        uint64_t start = m.start - run.base, end = m.end - run.base, most = a + (first ? ABOVE : 64);
        if (a - start > MOST)
            start = a - MOST;
        cc_thread_stack(v->thread, start, (end < most ? end : most) - start);
        v->looks = 0;
    }
    if (maps)
        fclose(maps);
}

/* Initial data of the program; what comes later comes through mmap. */
static void look_for_data(void)
{
    FILE *maps = fopen("/proc/self/maps", "re");
    struct mapping m;
    uint64_t bss_after = 0;
    while (maps && next_mapping(maps, &m)) {
        bool program = strcmp(m.path, run.options.program) == 0;
        bool bss = bss_after && m.path[0] == 0 && m.start == bss_after;
        if (program || bss)
            cc_map_range(run.collect, m.start - run.base, m.end - m.start, CC_NODE_STATIC, 0);
        if (program || bss)
            cc_data_file(run.collect, run.options.program, true, m.start - run.base, m.end - m.start);
        bss_after = program || bss ? m.end : 0;
    }
    if (maps)
        fclose(maps);
}

/* --- snapshots --- */

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

static void snapshot(uint32_t flags)
{
    if (run.silent || !run.out)
        return;
    char path[4200];
    snprintf(path, sizeof path, "%s.%u", run.out, run.turn & 1);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0)
        return;
    struct cc_sink sink = {&fd, sink_write};
    if (cc_snapshot(run.collect, &sink, (uint32_t)getpid(), flags) == 0)
        run.turn++; /* a snapshot that failed is written over, the whole one before stays */
    close(fd);
}

/* QEMU does not tell a plugin that the guest crashed, so snapshots are all that is left then: at 32 Ki
 * instructions, each time the count has doubled up to 16 Mi, and every two seconds from then on. Other guest
 * threads would change under our hands: only while there is one. */
static void maybe_snapshot(struct vcpu *v)
{
    enum { STEP = 1 << 24 };
    bool early = v->count < STEP;
    time_t now = time(NULL);
    run.next_look = early ? v->count * 2 : v->count + STEP;
    if ((now < run.next_snapshot && !early) || run.alive > 1)
        return;
    cc_thread_sync(v->thread, v->count);
    snapshot(0);
    time_t took = time(NULL) - now;
    run.next_snapshot = now + took + (took * 30 > 2 ? took * 30 : 2);
}

/* --- control flow --- */

static bool is_handler(uint64_t address)
{
    for (unsigned i = 0; i < run.nhandlers; i++)
        if (run.handlers[i] == address)
            return true;
    return false;
}

/* The block before ended in a call or return, or this block is another function's. */
static void transfer(struct vcpu *v, struct block *b, enum cc_flow flow)
{
    struct cc_thread *t = v->thread;
    if (flow == CC_FLOW_CALL && b->address != v->last->after) {
        if (!b->place.entry && !b->called) { /* called, so a function may start here that has no symbol */
            b->called = true;
            b->place = cc_place_of(run.collect, b->address, true);
        }
        bool inside = v->last->place.function != CC_OUTSIDE;
        if (b->place.function != CC_OUTSIDE && b->place.entry)
            cc_call(t, v->count, b->place.function, v->last->after, 0);
        else if (inside)
            cc_call(t, v->count, CC_OUTSIDE, v->last->after, 0);
    } else if (flow == CC_FLOW_RETURN && v->last->place.function != CC_OUTSIDE) {
        cc_return(t, v->count, b->address, 0);
    }
    if (b->place.function != CC_OUTSIDE && b->place.function != t->function) {
        if (run.nhandlers && b->place.entry && is_handler(b->address) && flow != CC_FLOW_CALL)
            cc_signal(t);
        cc_arrive(t, v->count, b->place, b->address, 0);
    }
}

static void wake(struct vcpu *v)
{
    if (v->count >= v->thread->tick_at && !run.options.plain)
        cc_tick(v->thread, v->count);
    if (v->count >= run.next_look)
        maybe_snapshot(v);
    v->wake = v->thread->tick_at < run.next_look && !run.options.plain ? v->thread->tick_at : run.next_look;
}

static void on_block(unsigned vcpu, void *data)
{
    struct vcpu *v = &run.vcpus[vcpu];
    struct block *b = data;
    if (__builtin_expect(v->count >= v->wake, 0))
        wake(v);
    enum cc_flow flow = v->last ? v->last->flow : CC_FLOW_NONE;
    if (__builtin_expect(flow != CC_FLOW_NONE ||
                             (b->place.function != CC_OUTSIDE && b->place.function != v->thread->function),
                         0))
        transfer(v, b, flow);
    v->count += b->instructions;
    v->thread->blocks[b->id]++;
    v->last = b;
    v->instruction = NULL;
}

static void execute_mark(struct vcpu *v, const struct mark *m, uint64_t record)
{
    cc_mark(v->thread, v->count - m->left, m->site, record);
    v->thread->blocks[m->id]++;
}

static void on_mark(unsigned vcpu, void *data)
{
    execute_mark(&run.vcpus[vcpu], data, 0);
}

/* --- memory --- */

static void count_data(struct cc_data_thread *d, uint64_t a, unsigned class, unsigned rw)
{
    for (unsigned write = 0; write < 2; write++) {
        if (!(rw >> write & 1))
            continue;
        if (class == 2)
            cc_data_count(d, a, 2, write);
        else if (class == 3)
            cc_data_count(d, a, 3, write);
        else if (class == 0)
            cc_data_count(d, a, 0, write);
        else
            cc_data_access(d, a, 1u << class, write);
    }
}

static void on_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *data)
{
    struct vcpu *v = &run.vcpus[vcpu];
    if (__builtin_expect(v->looks, 0))
        look_for_stack(v, a);
    if (v->instruction == data) {
        cc_again(v->thread, a, v->first);
    } else {
        v->instruction = data;
        v->first = a;
    }
    /* interface 1: log2 of the size in bits 4-6, read and write in bits 16 and 17; install() checks that */
    unsigned class = info >> 4 & 7, rw = info >> 16 & 3;
    if (v->thread->data)
        count_data(v->thread->data, a, class, rw);
    if (rw & 1) {
        if (class == 2)
            cc_read(v->thread, a, 2);
        else if (class == 3)
            cc_read(v->thread, a, 3);
        else if (class == 0)
            cc_read(v->thread, a, 0);
        else
            cc_read_any(v->thread, a, 1u << class);
    }
    if (rw & 2) {
        v->stored = a + (1u << class);
        if (class == 2)
            cc_write(v->thread, a, 2);
        else if (class == 3)
            cc_write(v->thread, a, 3);
        else if (class == 0)
            cc_write(v->thread, a, 0);
        else
            cc_write_any(v->thread, a, 1u << class);
    }
}

static void on_mark_access(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t a, void *data)
{
    struct vcpu *v = &run.vcpus[vcpu];
    const struct mark *m = data;
    if (v->instruction != m->access) /* on 32-bit machines too, it is one access */
        execute_mark(v, m, a);
    on_access(vcpu, info, a, m->access);
}

/* DC ZVA: its address is in a register that nobody shows us. It stands in loops of memset that go on where
 * the last store ended. */
static void on_block_zero(unsigned vcpu, void *data)
{
    (void)data;
    struct vcpu *v = &run.vcpus[vcpu];
    uint64_t a = v->stored & ~(run.zero_block - 1);
    for (uint64_t i = 0; i < run.zero_block; i += 64) {
        cc_write_any(v->thread, a + i, 64);
        if (v->thread->data)
            cc_data_access(v->thread->data, a + i, 64, true);
        if (i)
            cc_again(v->thread, a + i, a);
    }
    v->stored = a + run.zero_block;
}

/* --- translation --- */

/* The id of the code from instruction `from` to before `to`. */
static uint32_t block_id(struct qemu_plugin_tb *tb, size_t from, size_t to)
{
    uint8_t code[4096];
    size_t size = 0;
    bool narrow = false;
    if (from == to || run.options.plain)
        return 0;
    uint64_t address = qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from));
    for (size_t i = from; i < to; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        size_t n = qemu_plugin_insn_size(insn);
        if (size + n > sizeof code)
            return 0;
        memcpy(code + size, qemu_plugin_insn_data(insn), n);
        size += n;
        narrow |= n == 2;
    }
    bool thumb = run.isa->id == CC_ISA_ARM && (narrow || cc_code_is_thumb(run.collect, address));
    return cc_block(run.collect, address, code, (uint32_t)size, (uint32_t)(to - from), thumb);
}

static size_t next_mark(struct qemu_plugin_tb *tb, size_t from, size_t n)
{
    while (from < n && !cc_mark_at(run.collect, qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from))))
        from++;
    return from;
}

/* Cuts the block into pieces between marks, each with a count of its own. */
static void add_marks(struct qemu_plugin_tb *tb, struct block *b, size_t n)
{
    size_t at = next_mark(tb, 0, n);
    b->id = block_id(tb, 0, at);
    while (at < n) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, at);
        size_t next = next_mark(tb, at + 1, n);
        struct mark *m = calloc(1, sizeof *m);
        m->site = cc_mark_at(run.collect, qemu_plugin_insn_vaddr(insn));
        m->left = (uint32_t)(n - at);
        m->id = block_id(tb, at, next);
        m->access = (void *)(uintptr_t)(at + 1);
        if (m->site->record)
            qemu_plugin_register_vcpu_mem_cb(insn, on_mark_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                             m);
        else
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_mark, QEMU_PLUGIN_CB_NO_REGS, m);
        at = next;
    }
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    size_t n = qemu_plugin_tb_n_insns(tb);
    if (!n)
        return;
    if (!run.loaded) { /* QEMU makes the first vCPU before it loads the program */
        run.loaded = true;
        find_base();
        look_for_data();
    }
    struct block *b = calloc(1, sizeof *b);
    b->address = qemu_plugin_tb_vaddr(tb);
    b->instructions = (uint32_t)n;
    if (!cc_code_known(run.collect, b->address))
        look_for_object(b->address);
    b->place = cc_place_of(run.collect, b->address, false);
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        const uint8_t *bytes = qemu_plugin_insn_data(insn);
        size_t size = qemu_plugin_insn_size(insn);
        b->after = qemu_plugin_insn_vaddr(insn) + size;
        bool delay_slot = run.isa->id == CC_ISA_MIPS && i + 2 == n;
        if (i + 1 == n || delay_slot) {
            enum cc_flow flow = cc_flow_of(run.isa->id, bytes, size);
            b->flow = flow != CC_FLOW_NONE ? flow : b->flow;
        }
        const struct cc_mark_site *mark = cc_mark_at(run.collect, qemu_plugin_insn_vaddr(insn));
        if (!mark || !mark->record)
            qemu_plugin_register_vcpu_mem_cb(insn, on_access, QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW,
                                             (void *)(uintptr_t)(i + 1));
        if (cc_is_block_zero(run.isa->id, bytes, size))
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_block_zero, QEMU_PLUGIN_CB_NO_REGS, NULL);
    }
    add_marks(tb, b, n);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, QEMU_PLUGIN_CB_NO_REGS, b);
}

/* --- threads --- */

static void on_thread(qemu_plugin_id_t id, unsigned vcpu)
{
    (void)id;
    if (vcpu >= MAX_VCPUS)
        _exit(125);
    struct vcpu *v = &run.vcpus[vcpu];
    uint64_t start = 0;
    if (__atomic_fetch_add(&run.alive, 1, __ATOMIC_SEQ_CST) > 0)
        run.threaded = true;
    for (unsigned i = 0; i < MAX_VCPUS && run.threaded; i++)
        start += run.vcpus[i].count;
    memset(v, 0, sizeof *v);
    v->thread = cc_thread_new(run.collect, vcpu + 1, start);
    v->looks = run.options.plain ? 0 : 64;
    cc_data_clock(v->thread, &v->count);
}

static void on_thread_end(qemu_plugin_id_t id, unsigned vcpu)
{
    (void)id;
    struct vcpu *v = &run.vcpus[vcpu];
    if (v->thread && !v->thread->ended)
        cc_thread_end(v->thread, v->count);
    __atomic_fetch_sub(&run.alive, 1, __ATOMIC_SEQ_CST);
}

/* --- system calls --- */

static uint32_t source_of(const struct cc_syscall *s, uint64_t fd)
{
    char link[64], file[4096] = "";
    if (s->kind <= CC_SYS_IN_MESSAGE || s->kind == CC_SYS_MMAP) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", (int)fd);
        ssize_t n = readlink(link, file, sizeof file - 1);
        file[n > 0 ? n : 0] = 0;
    }
    return cc_source(run.collect, s->kind == CC_SYS_MMAP ? "mmap" : s->name, file);
}

static void on_mmap(const struct vcpu *v, uint64_t at)
{
    enum { ANONYMOUS = 0x20, ANONYMOUS_MIPS = 0x800 };
    uint64_t size = (v->args[1] + 4095) & ~UINT64_C(4095);
    bool anonymous = v->args[3] & (run.isa->id == CC_ISA_MIPS ? ANONYMOUS_MIPS : ANONYMOUS);
    if (anonymous) {
        cc_map_range(run.collect, at, size, CC_NODE_UNKNOWN, 0);
        cc_data_mmap(v->thread, at, size);
        return;
    }
    char link[64], file[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", (int)v->args[4]);
    ssize_t n = readlink(link, file, sizeof file - 1);
    file[n > 0 ? n : 0] = 0;
    cc_data_file(run.collect, file, is_elf(file), at, size);
    if (is_elf(file))
        cc_map_range(run.collect, at, size, CC_NODE_STATIC, 0);
    else
        cc_map_range(run.collect, at, size, CC_NODE_INPUT, source_of(v->call, v->args[4]));
}

/* struct sigaction starts with the handler, on mips after the flags. */
static void note_handler(const struct vcpu *v)
{
    if (!v->args[1] || run.nhandlers == MAX_HANDLERS)
        return;
    uint64_t at = run.base + v->args[1] + (run.isa->id == CC_ISA_MIPS ? 4 : 0), handler = 0;
    memcpy(&handler, (const void *)(uintptr_t)at, run.isa->wide ? 8 : 4);
    if (run.isa->id == CC_ISA_ARM)
        handler &= ~UINT64_C(1);
    if (handler > 1 && !is_handler(handler))
        run.handlers[run.nhandlers++] = handler;
}

static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t num, uint64_t a1, uint64_t a2, uint64_t a3,
                       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id;
    struct vcpu *v = &run.vcpus[vcpu];
    const uint64_t args[8] = {a1, a2, a3, a4, a5, a6, a7, a8};
    memcpy(v->args, args, sizeof args);
    v->call = cc_syscall(run.isa, (uint64_t)num);
    if (v->call && v->call->kind == CC_SYS_EXEC && !run.silent) {
        cc_thread_sync(v->thread, v->count);
        if (run.alive == 1)
            snapshot(CC_RUN_EXEC);
    }
}

static void after_fork(struct vcpu *self)
{
    run.silent = !run.options.follow;
    run.pid = getpid();
    if (run.silent)
        return;
    char *path = malloc(strlen(run.out) + 16);
    sprintf(path, "%s.%d", run.out, (int)run.pid);
    run.out = path;
    run.turn = 0;
    if (run.task_fd >= 0)
        close(run.task_fd);
    run.task_fd = -1;
    for (unsigned i = 0; i < MAX_VCPUS; i++) {
        struct vcpu *v = &run.vcpus[i];
        if (v->thread && !v->thread->ended) {
            cc_thread_sync(v->thread, v->count);
            v->thread->ended = v != self;
        }
    }
    cc_forget(run.collect);
}

static void on_brk(uint64_t to)
{
    if (run.brk && to > run.brk)
        cc_data_brk(run.collect, run.brk, to - run.brk);
    else if (to < run.brk)
        cc_data_unmap(run.collect, to, run.brk - to);
    run.brk = to;
}

static void on_syscall_return(qemu_plugin_id_t id, unsigned vcpu, int64_t num, int64_t ret)
{
    (void)id;
    (void)num;
    struct vcpu *v = &run.vcpus[vcpu];
    const struct cc_syscall *s = v->call;
    v->call = NULL;
    if (!s)
        return;
    if (s->kind == CC_SYS_FORK && getpid() != run.pid)
        after_fork(v);
    bool error = run.isa->wide ? ret < 0 && ret >= -4095 : (int32_t)ret < 0 && (int32_t)ret >= -4095;
    uint64_t result = run.isa->wide ? (uint64_t)ret : (uint32_t)ret;
    if (error)
        return;
    if (s->kind <= CC_SYS_IN_FIRST && ret > 0)
        cc_syscall_input(v->thread, s, v->args, ret, run.base, run.isa->wide, source_of(s, v->args[0]));
    else if (s->kind <= CC_SYS_OUT_MESSAGE)
        cc_syscall_output(v->thread, s, v->args, ret, run.base, run.isa->wide);
    else if (s->kind == CC_SYS_MMAP) {
        struct vcpu with = *v;
        with.call = s;
        on_mmap(&with, result);
    } else if (s->kind == CC_SYS_MUNMAP) {
        cc_unmap_range(run.collect, v->args[0], v->args[1]);
        cc_data_unmap(run.collect, v->args[0], v->args[1]);
        cc_binary_remove(run.collect, v->args[0], v->args[0] + v->args[1]);
    } else if (s->kind == CC_SYS_MREMAP && result != v->args[0]) {
        uint64_t size = v->args[1] < v->args[2] ? v->args[1] : v->args[2];
        cc_copy_range(run.collect, v->args[0], result, size);
        cc_data_move(run.collect, v->args[0], result, v->args[1], v->args[2]);
        cc_unmap_range(run.collect, v->args[0], v->args[1]);
    } else if (s->kind == CC_SYS_SIGACTION) {
        note_handler(v);
    } else if (s->kind == CC_SYS_BRK) {
        on_brk(result);
    }
}

static void on_exit_all(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    if (getpid() != run.pid)
        run.silent = true;
    for (unsigned i = 0; i < MAX_VCPUS; i++) {
        struct vcpu *v = &run.vcpus[i];
        if (v->thread && !v->thread->ended)
            cc_thread_end(v->thread, v->count);
    }
    snapshot(CC_RUN_FINAL);
}

/* --- life --- */

/* Whether there is a run file and it makes sense. */
static bool start(int argc, char **argv)
{
    static const char option[] = "run=";
    struct cc_host host = {.map = host_map,
                           .unmap = host_unmap,
                           .lock = host_lock,
                           .unlock = host_unlock,
                           .read_file = host_read,
                           .read_guest = host_read_guest,
                           .put_tasks = host_put_tasks};
    if (argc != 1 || strncmp(argv[0], option, sizeof option - 1) != 0 ||
        !cc_options_read(&host, argv[0] + sizeof option - 1, &run.options) || !run.options.program)
        return false;
    run.collect = cc_collect_new(&host, &run.options);
    return run.collect != NULL;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv)
{
    if (info->system_emulation || !start(argc, argv))
        return -1;
    run.isa = cc_isa_of_machine((unsigned)run.options.machine);
    if (!run.isa)
        return -1;
    run.out = run.options.out;
    run.zero_block = 512; /* QEMU's "max" CPU */
    run.pid = getpid();
    run.next_look = 1 << 15;
    run.next_snapshot = time(NULL) + 1;
    run.task_fd = -1;
    qemu_plugin_register_vcpu_init_cb(id, on_thread);
    qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_return);
    qemu_plugin_register_atexit_cb(id, on_exit_all, NULL);
    return 0;
}
