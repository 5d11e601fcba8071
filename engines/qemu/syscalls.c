/* System calls: what they fill and send out, the memory map, forks, signal handlers. */
#include "engine.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint32_t source_of(const struct cc_syscall *s, uint64_t fd)
{
    char link[64], file[4096] = "";
    if (s->kind <= CC_SYS_IN_MESSAGE || s->kind == CC_SYS_MMAP) {
        snprintf(link, sizeof link, "/proc/self/fd/%d", (int)fd);
        ssize_t n = readlink(link, file, sizeof file - 1);
        file[n > 0 ? n : 0] = 0;
    }
    return cc_source(engine.collect, s->kind == CC_SYS_MMAP ? "mmap" : s->name, file);
}

static void on_mmap(const struct vcpu *v, uint64_t at)
{
    enum { ANONYMOUS = 0x20, ANONYMOUS_MIPS = 0x800 };
    uint64_t size = (v->args[1] + 4095) & ~UINT64_C(4095);
    bool anonymous = v->args[3] & (engine.isa->id == CC_ISA_MIPS ? ANONYMOUS_MIPS : ANONYMOUS);
    if (anonymous) {
        cc_map_range(engine.collect, at, size, CC_NODE_UNKNOWN, 0);
        cc_data_mmap(v->thread, at, size);
        return;
    }
    char link[64], file[4096] = "";
    snprintf(link, sizeof link, "/proc/self/fd/%d", (int)v->args[4]);
    ssize_t n = readlink(link, file, sizeof file - 1);
    file[n > 0 ? n : 0] = 0;
    cc_data_file(engine.collect, file, cc_qemu_is_elf(file), at, size);
    if (cc_qemu_is_elf(file))
        cc_map_range(engine.collect, at, size, CC_NODE_STATIC, 0);
    else
        cc_map_range(engine.collect, at, size, CC_NODE_INPUT, source_of(v->call, v->args[4]));
}

/* struct sigaction starts with the handler, on mips after the flags. */
static void note_handler(const struct vcpu *v)
{
    if (!v->args[1] || engine.nhandlers == MAX_HANDLERS)
        return;
    uint64_t at = engine.base + v->args[1] + (engine.isa->id == CC_ISA_MIPS ? 4 : 0), handler = 0;
    memcpy(&handler, (const void *)(uintptr_t)at, engine.isa->wide ? 8 : 4);
    if (engine.isa->id == CC_ISA_ARM)
        handler &= ~UINT64_C(1);
    if (handler > 1 && !cc_qemu_is_handler(handler))
        engine.handlers[engine.nhandlers++] = handler;
}

static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t num, uint64_t a1, uint64_t a2, uint64_t a3,
                       uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id;
    struct vcpu *v = &engine.vcpus[vcpu];
    const uint64_t args[8] = {a1, a2, a3, a4, a5, a6, a7, a8};
    memcpy(v->args, args, sizeof args);
    v->call = cc_syscall(engine.isa, (uint64_t)num);
    if (v->call && v->call->kind == CC_SYS_EXEC && !engine.silent) {
        cc_thread_sync(v->thread, v->count);
        if (engine.alive == 1)
            cc_qemu_snapshot(CC_RUN_EXEC);
    }
}

static void after_fork(struct vcpu *self)
{
    engine.silent = !engine.options.follow;
    engine.pid = getpid();
    if (engine.silent)
        return;
    char *path = malloc(strlen(engine.out) + 16);
    sprintf(path, "%s.%d", engine.out, (int)engine.pid);
    engine.out = path;
    engine.turn = 0;
    if (engine.task_fd >= 0)
        close(engine.task_fd);
    engine.task_fd = -1;
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
    else if (to < engine.brk)
        cc_data_unmap(engine.collect, to, engine.brk - to);
    engine.brk = to;
}

static void on_syscall_return(qemu_plugin_id_t id, unsigned vcpu, int64_t num, int64_t ret)
{
    (void)id;
    (void)num;
    struct vcpu *v = &engine.vcpus[vcpu];
    const struct cc_syscall *s = v->call;
    v->call = NULL;
    if (!s)
        return;
    if (s->kind == CC_SYS_FORK && getpid() != engine.pid)
        after_fork(v);
    bool error = engine.isa->wide ? ret < 0 && ret >= -4095 : (int32_t)ret < 0 && (int32_t)ret >= -4095;
    uint64_t result = engine.isa->wide ? (uint64_t)ret : (uint32_t)ret;
    if (error)
        return;
    if (s->kind <= CC_SYS_IN_FIRST && ret > 0)
        cc_syscall_input(v->thread, s, v->args, ret, engine.base, engine.isa->wide, source_of(s, v->args[0]));
    else if (s->kind <= CC_SYS_OUT_MESSAGE)
        cc_syscall_output(v->thread, s, v->args, ret, engine.base, engine.isa->wide);
    else if (s->kind == CC_SYS_MMAP) {
        struct vcpu with = *v;
        with.call = s;
        on_mmap(&with, result);
    } else if (s->kind == CC_SYS_MUNMAP) {
        cc_unmap_range(engine.collect, v->args[0], v->args[1]);
        cc_data_unmap(engine.collect, v->args[0], v->args[1]);
        cc_binary_remove(engine.collect, v->args[0], v->args[0] + v->args[1]);
    } else if (s->kind == CC_SYS_MREMAP && result != v->args[0]) {
        uint64_t size = v->args[1] < v->args[2] ? v->args[1] : v->args[2];
        cc_copy_range(engine.collect, v->args[0], result, size);
        cc_data_move(engine.collect, v->args[0], result, v->args[1], v->args[2]);
        cc_unmap_range(engine.collect, v->args[0], v->args[1]);
    } else if (s->kind == CC_SYS_SIGACTION) {
        note_handler(v);
    } else if (s->kind == CC_SYS_BRK) {
        on_brk(result);
    }
}

void cc_qemu_track_syscalls(qemu_plugin_id_t id)
{
    qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
    qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_return);
}
