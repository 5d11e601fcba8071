/* The QEMU engine: a user-mode plugin that feeds the collector. Its life and that of threads. */
#include "engine.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct engine engine = {.lock = PTHREAD_MUTEX_INITIALIZER, .order = PTHREAD_MUTEX_INITIALIZER};

void cc_qemu_share(void)
{
    if (engine.threaded && __atomic_load_n(&engine.alive, __ATOMIC_SEQ_CST) > 1)
        return; /* one that did not come has left the other as it was */
    cc_finds_forget(engine.collect);
    engine.threaded = true;
    engine.reach = 0;
    engine.vcpus[0].stays = CC_NONE; /* so that code that was translated before notices */
}

bool cc_qemu_alone(void)
{
    return __atomic_load_n(&engine.alive, __ATOMIC_SEQ_CST) +
               __atomic_load_n(&engine.coming, __ATOMIC_SEQ_CST) <=
           1;
}

void cc_qemu_came(void)
{
    unsigned n = __atomic_load_n(&engine.coming, __ATOMIC_SEQ_CST);
    while (n &&
           !__atomic_compare_exchange_n(&engine.coming, &n, n - 1, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
        ;
}

static void on_thread(qemu_plugin_id_t id, unsigned vcpu)
{
    (void)id;
    if (vcpu >= MAX_VCPUS)
        _exit(125);
    struct vcpu *v = &engine.vcpus[vcpu];
    uint64_t start = 0;
    if (__atomic_fetch_add(&engine.alive, 1, __ATOMIC_SEQ_CST) > 0) {
        cc_qemu_share(); /* where it was not yet, the first thread is making the second, and waits */
        cc_qemu_came();
    }
    bool taken = cc_qemu_turn();
    for (unsigned i = 0; i < MAX_VCPUS && engine.threaded; i++)
        start += engine.vcpus[i].count;
    memset(v, 0, sizeof *v);
    v->thread = cc_thread_new(engine.collect, vcpu + 1, start);
    v->looks = engine.options.plain ? 0 : 64;
    cc_data_clock(v->thread, &v->count);
    cc_registers_open(&engine.registers, &v->registers);
    cc_qemu_turn_over(taken);
}

static void on_thread_end(qemu_plugin_id_t id, unsigned vcpu)
{
    (void)id;
    struct vcpu *v = &engine.vcpus[vcpu];
    bool taken = cc_qemu_turn();
    if (v->thread && !v->thread->ended)
        cc_thread_end(v->thread, v->count);
    cc_qemu_turn_over(taken);
    __atomic_fetch_sub(&engine.alive, 1, __ATOMIC_SEQ_CST);
}

static void on_exit_all(qemu_plugin_id_t id, void *data)
{
    (void)id;
    (void)data;
    if (getpid() != engine.pid)
        engine.silent = true;
    bool taken = cc_qemu_turn();
    for (unsigned i = 0; i < MAX_VCPUS; i++) {
        struct vcpu *v = &engine.vcpus[i];
        if (v->thread && !v->thread->ended)
            cc_thread_end(v->thread, v->count);
    }
    cc_qemu_snapshot(CC_RUN_FINAL);
    cc_qemu_turn_over(taken);
}

/* Bytes that one DC ZVA writes: of the kind of CPU that QEMU is told to be by its variable, else "max" (also
 * called "any"). Only that and the A64FX differ from what all others have. */
static uint64_t zero_block(const char *cpu)
{
    if (!cpu || strncmp(cpu, "max", 3) == 0 || strncmp(cpu, "any", 3) == 0)
        return 512;
    return strncmp(cpu, "a64fx", 5) == 0 ? 256 : 64;
}

/* Whether there is a run file and it makes sense. */
static bool start(int argc, char **argv)
{
    static const char option[] = "run=";
    if (argc != 1 || strncmp(argv[0], option, sizeof option - 1) != 0 ||
        !cc_options_read(&cc_qemu_host, argv[0] + sizeof option - 1, &engine.options) ||
        !engine.options.program)
        return false;
    cc_qemu_map_shadow();
    engine.collect = cc_collect_new(&cc_qemu_host, &engine.options);
    return engine.collect != NULL;
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv)
{
    if (info->system_emulation || !cc_plugin_begin(info) || !start(argc, argv))
        return -1;
    engine.isa = cc_isa_of_machine((unsigned)engine.options.machine);
    if (!engine.isa)
        return -1;
    engine.out = engine.options.out;
    cc_qemu_depend_begin();
    engine.quick = cc_qemu_host.words && !engine.options.channels && !engine.options.locality;
    engine.reach = CC_PIECE_LIMIT - 16;
    engine.size_at = cc_plugin_size_at();
    engine.registers_size = engine.isa->wide ? 8 : 4;
    cc_register_map_init(&engine.registers, engine.isa);
    engine.zero_block = zero_block(getenv("QEMU_CPU"));
    engine.pid = getpid();
    engine.next_look = 1 << 15;
    engine.next_snapshot = time(NULL) + 1;
    qemu_plugin_register_vcpu_init_cb(id, on_thread);
    qemu_plugin_register_vcpu_exit_cb(id, on_thread_end);
    qemu_plugin_register_vcpu_tb_trans_cb(id, cc_qemu_on_translate);
    cc_qemu_track_syscalls(id);
    qemu_plugin_register_atexit_cb(id, on_exit_all, NULL);
    return 0;
}
