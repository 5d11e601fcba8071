/* System calls: what they fill and send out, the memory map, forks, signal handlers. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of a file descriptor; "": none. */
static void file_of(uint64_t fd, char *to, size_t size)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", (int)fd);
    ssize_t n = readlink(link, to, size - 1);
    to[n > 0 ? n : 0] = 0;
}

static uint32_t source_of(const struct cc_call *call)
{
    char file[4096] = "";
    if (call->s->kind == CC_SYS_RECEIVE)
        file_of(call->args[0], file, sizeof file);
    return cc_source(engine.collect, call->s->name, file);
}

static uint64_t whole_pages(uint64_t bytes)
{
    return (bytes + 4095) & ~UINT64_C(4095);
}

static void on_mmap(const struct vcpu *v, uint64_t at)
{
    enum { ANONYMOUS = 0x20, ANONYMOUS_MIPS = 0x800 };
    const uint64_t *args = v->call.args;
    uint64_t size = whole_pages(args[1]);
    bool anonymous = args[3] & (engine.isa->id == CC_ISA_MIPS ? ANONYMOUS_MIPS : ANONYMOUS);
    if (anonymous) {
        cc_map_range(engine.collect, at, size, CC_NODE_UNKNOWN, 0);
        cc_data_mmap(v->thread, at, size);
        return;
    }
    char file[4096];
    file_of(args[4], file, sizeof file);
    cc_data_file(engine.collect, file, cc_qemu_is_elf(file), at, size);
    if (cc_qemu_is_elf(file))
        cc_map_range(engine.collect, at, size, CC_NODE_STATIC, 0);
    else
        cc_map_range(engine.collect, at, size, CC_NODE_INPUT, cc_source(engine.collect, "mmap", file));
}

/* struct sigaction starts with the handler, then the flags; on mips the other way round. */
static void note_handler(const struct vcpu *v)
{
    enum { SIGINFO = 4, SIGINFO_MIPS = 8 };
    if (!v->call.args[1])
        return;
    bool mips = engine.isa->id == CC_ISA_MIPS;
    uint64_t at = engine.base + v->call.args[1], handler = 0;
    unsigned word = engine.isa->wide ? 8 : 4;
    uint32_t flags;
    memcpy(&handler, (const void *)(uintptr_t)(at + (mips ? word : 0)), word);
    memcpy(&flags, (const void *)(uintptr_t)(at + (mips ? 0 : word)), sizeof flags);
    if (engine.isa->id == CC_ISA_ARM)
        handler &= ~UINT64_C(1);
    struct handler *h = cc_qemu_handler(handler);
    if (!h && handler > 1 && engine.nhandlers < MAX_HANDLERS)
        h = &engine.handlers[engine.nhandlers++];
    if (h)
        *h = (struct handler){handler, flags & (mips ? SIGINFO_MIPS : SIGINFO)};
}

/* What forbids the program something forbids QEMU the same: room for the last snapshot is made before. */
static void before_restriction(struct vcpu *v)
{
    enum { FILE_SIZE = 1 };
    cc_thread_sync(v->thread, v->count);
    if (cc_qemu_alone() && !engine.boats[0].p)
        cc_qemu_snapshot(0);
    cc_qemu_board();
    enum cc_sys_kind kind = v->call.s->kind;
    engine.no_files |= (kind == CC_SYS_LIMIT && v->call.args[0] == FILE_SIZE) ||
                       (kind == CC_SYS_PRLIMIT && v->call.args[1] == FILE_SIZE);
}

/* Who sends signals may send them to himself and end by that, as abort() does; who sends many does not. */
static void before_signal(struct vcpu *v)
{
    enum { FEW = 8 };
    if (engine.kills++ >= FEW || !cc_qemu_alone())
        return;
    cc_thread_sync(v->thread, v->count);
    cc_qemu_snapshot(0);
}

/* A thread of this process; QEMU makes a process of what shares memory until it executes something. */
static bool makes_thread(const struct cc_call *call)
{
    enum { VM = 0x100, VFORK = 0x4000 };
    return call->s && call->s->race == CC_RACE_CLONE && (call->args[0] & VM) && !(call->args[0] & VFORK);
}

static void begin_call(struct vcpu *v, uint64_t number)
{
    for (unsigned i = 0; i < 8 && !engine.isa->wide; i++)
        v->call.args[i] = (uint32_t)v->call.args[i]; /* QEMU extends their sign */
    cc_qemu_depend_syscall(v, number);
    cc_registers_prove(&engine.registers, &v->registers, v->call.args);
    cc_syscall_enter(engine.collect, &v->call);
    if (v->call.s && v->call.s->kind == CC_SYS_SHMDT)
        v->attached = cc_qemu_mapped_at(v->call.args[0]);
    if (makes_thread(&v->call)) {
        __atomic_fetch_add(&engine.coming, 1, __ATOMIC_SEQ_CST);
        cc_qemu_share();
    }
    if (cc_syscall_restricts(&v->call) && !engine.silent)
        before_restriction(v);
    if (v->call.s && v->call.s->kind == CC_SYS_KILL && !engine.silent)
        before_signal(v);
    if (v->call.s && v->call.s->kind == CC_SYS_EXEC && !engine.silent) {
        cc_thread_sync(v->thread, v->count);
        if (cc_qemu_alone())
            cc_qemu_snapshot(CC_RUN_EXEC);
    }
}

static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t num, uint64_t a1, uint64_t a2, uint64_t a3,
                       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id;
    struct vcpu *v = &engine.vcpus[vcpu];
    bool taken = cc_qemu_turn();
    v->call = (struct cc_call){.s = cc_syscall(engine.isa, (uint64_t)num),
                               .isa = engine.isa,
                               .args = {a1, a2, a3, a4, a5, a6, a7, a8}};
    begin_call(v, (uint64_t)num);
    cc_qemu_turn_over(taken);
}

static void after_fork(struct vcpu *self)
{
    engine.silent = !engine.options.follow;
    engine.pid = getpid();
    engine.order = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; /* who had it did not come along */
    if (engine.silent)
        return;
    char *path = malloc(strlen(engine.out) + 16);
    sprintf(path, "%s.%d", engine.out, (int)engine.pid);
    engine.out = path;
    engine.turn = 0;
    engine.has_tasks = false;
    engine.boats[0].p = engine.boats[1].p = NULL; /* its parent's */
    for (unsigned i = 0; i < MAX_VCPUS; i++) {
        struct vcpu *v = &engine.vcpus[i];
        if (v->thread && !v->thread->ended) {
            cc_thread_sync(v->thread, v->count);
            v->thread->ended = v != self;
        }
    }
    cc_forget(engine.collect);
}

static void on_brk(uint64_t to)
{
    if (engine.brk && to > engine.brk)
        cc_data_brk(engine.collect, engine.brk, to - engine.brk);
    if (to < engine.brk) {
        cc_unmap_range(engine.collect, to, engine.brk - to);
        cc_data_unmap(engine.collect, to, engine.brk - to);
    }
    engine.brk = to;
}

static void forget(uint64_t at, uint64_t bytes)
{
    uint64_t size = whole_pages(bytes);
    cc_unmap_range(engine.collect, at, size);
    cc_data_unmap(engine.collect, at, size);
    cc_binary_remove(engine.collect, at, at + size);
}

static void on_mremap(const uint64_t *args, uint64_t to)
{
    uint64_t from = args[0], old_size = whole_pages(args[1]), size = whole_pages(args[2]);
    if (to == from && size < old_size) {
        forget(to + size, old_size - size);
        return;
    }
    if (to != from) {
        cc_copy_range(engine.collect, from, to, old_size < size ? old_size : size);
        cc_unmap_range(engine.collect, from, old_size);
    }
    cc_data_move(engine.collect, from, to, old_size, size);
}

static void on_attached(struct vcpu *v, uint64_t at)
{
    uint64_t size = cc_qemu_mapped_at(at);
    cc_map_range(engine.collect, at, size, CC_NODE_UNKNOWN, 0);
    cc_data_mmap(v->thread, at, size);
}

static void change_map(struct vcpu *v, enum cc_sys_kind kind, uint64_t result)
{
    const uint64_t *args = v->call.args;
    if (kind == CC_SYS_MMAP) {
        on_mmap(v, result);
    } else if (kind == CC_SYS_MUNMAP) {
        forget(args[0], args[1]);
    } else if (kind == CC_SYS_SHMAT) {
        on_attached(v, cc_syscall_attached(engine.collect, &v->call, (int64_t)result));
    } else if (kind == CC_SYS_SHMDT) {
        forget(args[0], v->attached);
    } else if (kind == CC_SYS_MREMAP) {
        on_mremap(args, result);
    } else if (kind == CC_SYS_BRK) {
        on_brk(result);
    }
}

static void end_call(struct vcpu *v, int64_t ret)
{
    const struct cc_syscall *s = v->call.s;
    bool error = engine.isa->wide ? ret < 0 && ret >= -4095 : (int32_t)ret < 0 && (int32_t)ret >= -4095;
    int64_t result = engine.isa->wide ? ret : error ? (int32_t)ret : (int64_t)(uint32_t)ret;
    if (error && makes_thread(&v->call))
        cc_qemu_came();
    cc_syscall_input(v->thread, &v->call, result, source_of);
    if (!error) {
        cc_syscall_output(v->thread, &v->call, result);
        change_map(v, s->kind, (uint64_t)result);
        cc_syscall_mapped(engine.collect, &v->call, result);
        if (s->kind == CC_SYS_SIGACTION)
            note_handler(v);
    }
    v->call.s = NULL;
}

static void on_syscall_return(qemu_plugin_id_t id, unsigned vcpu, int64_t num, int64_t ret)
{
    (void)id;
    (void)num;
    struct vcpu *v = &engine.vcpus[vcpu];
    if (!v->call.s)
        return;
    if (v->call.s->kind == CC_SYS_FORK && getpid() != engine.pid)
        after_fork(v);
    else if (v->call.s->kind == CC_SYS_FORK && ret > 0 && v->call.s->race != CC_RACE_HOLD &&
             !makes_thread(&v->call)) /* clone3 may make a thread, which is not looked at */
        engine.forked = !engine.options.follow;
    bool taken = cc_qemu_turn();
    end_call(v, ret);
    cc_qemu_turn_over(taken);
}

void cc_qemu_track_syscalls(qemu_plugin_id_t id)
{
    qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_return);
}
