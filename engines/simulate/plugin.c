/* QEMU calls in here for every block, memory access, system call and thread of the program. One thread at a
 * time gets through: see race.h. Loaded as: qemu-ISA -plugin libcorecast-simulate.so,shared=PATH PROGRAM */
#include "../qemu/plugin.h"
#include "deeds.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { ZERO_BLOCK = 64 };

static uint64_t line_size;
static bool all_start; /* firmware: every core runs from reset (riscv), not only the first */

/* The token, before any simulated code runs. False: this thread goes on unsimulated. */
static bool take_part(struct thread *t)
{
    if (!t->tid) {
        t->tid = (pid_t)syscall(SYS_gettid);
        if (!world.system)
            host_cpu_keep();
    }
    t->relieved = false;
    if (world.system) {
        pthread_mutex_lock(&world.lock);
        if (t->state == OUTSIDE) {
            thread_wake(t, now_of_all());
            sched_next();
            sched_update_limit();
        }
        pthread_mutex_unlock(&world.lock);
    }
    if (!gate_wait(t, true, false))
        return false;
    if (!world.program->started) {
        world.program->started = 1;
        if (!world.system)
            guest_note_program();
    }
    return true;
}

static void on_call(unsigned vcpu, void *unused)
{
    (void)unused;
    world.thread[vcpu]->called = true;
}

/* A core that firmware has just started comes into the race when its host thread gets there: wait for it, so
 * that it comes at the time of the call in every run. On a busy machine that takes as long as the thread is
 * kept waiting for a processor. */
static void await_started(struct thread *t)
{
    enum { POLLS = 50, MOST = 50000 };
    t->called = false;
    for (int i = 0; i < POLLS || (i < MOST && others_want_to_run()); i++) {
        struct timespec pause = {0, 200000};
        nanosleep(&pause, NULL);
        pthread_mutex_lock(&world.lock);
        unsigned running = 0;
        for (unsigned k = 0; k < world.top; k++)
            running += world.thread[k] && world.thread[k]->state != OUTSIDE;
        bool came = running > world.running;
        world.running = running;
        pthread_mutex_unlock(&world.lock);
        if (came)
            return;
    }
}

/* Before the block's first instruction, while its registers are as they are told. */
static void follow_heap(struct thread *t, const struct block *b)
{
    if (t->call.kind && t->call.back == b->pc)
        heap_back(t);
    if (b->call)
        heap_enter(t, b->call);
}

CC_FROM_CODE(block_from_code, on_block);
void block_from_code(unsigned vcpu, void *data);

__attribute__((used)) void on_block(unsigned vcpu, void *data, const void *cpu_state);

void on_block(unsigned vcpu, void *data, const void *cpu_state)
{
    if (atomic_load_explicit(&world.off, memory_order_relaxed))
        return;
    struct thread *t = world.thread[vcpu];
    t->registers.state = CC_STATE_OF(cpu_state);
    if (t->flushing) {
        t->flushing = false;
        atomic_fetch_sub(&world.exclusive, 1);
    }
    if (!t->holder && take_part(t))
        deeds_resume(t);
    if (t->called && t->holder)
        await_started(t);
    struct deed x = {.kind = DEED_BLOCK, .what = data};
    if (t->holder) {
        context_enter(t, data);
        follow_heap(t, data);
        x.judged = x.alone = true;
        if (t->polls == LOOKS_IN_A_ROW)
            lap_note(t, &x);
    } else if (atomic_load(&world.off))
        return;
    deed_do(t, &x);
}

/* Does an atomic leave what its thread's last one left there? Then it waited, and changed nothing. Does one
 * that can fail leave what was there before it? Then it has. The access has just happened, so the memory is
 * there. */
static uint8_t outcome_of(struct thread *t, const struct insn *i, uint64_t addr, unsigned size)
{
    if (world.system || size > sizeof(uint64_t))
        return 0;
    uint64_t now = guest_peek(addr, size), mask = size == 8 ? UINT64_MAX : ((uint64_t)1 << 8 * size) - 1;
    bool vain = t->seen_at == addr && t->seen == now;
    uint8_t failed = 0;
    for (unsigned k = 0; k < 2; k++) {
        bool same = ((t->before[k].value ^ now) & mask) == 0;
        if (t->before[k].at != addr)
            continue;
        failed = i->compares && same ? CC_TRACE_FAILED : failed;
        vain &= same; /* a counter may only have come back to what it was */
    }
    uint8_t outcome = failed | (vain ? CC_TRACE_VAIN : 0);
    t->seen_at = addr;
    t->seen = now;
    return outcome;
}

/* Before an atomic. Where it will be is not known yet: most likely where the thread's last
 * atomic was, or what it has just loaded. */
static void look_before(struct thread *t)
{
    const uint64_t places[2] = {t->seen_at, t->last_load};
    for (unsigned k = 0; k < 2; k++) {
        bool whole = places[k] && places[k] % 8 == 0; /* never across a page */
        unsigned size = whole ? 8 : places[k] % 4 == 0 ? 4 : 1;
        t->before[k] = (struct before){places[k], places[k] ? guest_peek(places[k], size) : 0};
        if (size == 1)
            t->before[k].at = 0;
    }
}

static void on_memory(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t addr, void *data)
{
    struct insn *i = data;
    if (atomic_load_explicit(&world.off, memory_order_relaxed))
        return;
    struct thread *t = world.thread[vcpu];
    enum cc_sim_kind kind = i->access;
    if ((kind == CC_SIM_ATOMIC || kind == CC_SIM_SC) && !qemu_plugin_mem_is_store(info))
        return; /* the first of a load and a store, as which QEMU does it while there is one thread */
    if (kind == CC_SIM_LOAD && qemu_plugin_mem_is_store(info)) {
        kind = CC_SIM_STORE;
        t->last_store = addr;
        if (!t->stack_noted && t->number == world.number && !world.system && t->holder) {
            t->stack_noted = true;
            guest_note_first_stack(addr);
        }
    }
    bool io = false;
    if (world.system) {
        struct qemu_plugin_hwaddr *h = qemu_plugin_get_hwaddr(info, addr);
        io = h && qemu_plugin_hwaddr_is_io(h);
    }
    unsigned size = 1u << qemu_plugin_mem_size_shift(info);
    uint8_t outcome = kind > CC_SIM_STORE && t->holder ? outcome_of(t, i, addr, size) : 0;
    if (kind == CC_SIM_LOAD || kind == CC_SIM_LL)
        t->last_load = addr;
    bool adds = (kind == CC_SIM_ATOMIC && i->adds) || (t->adds && (i->result || i->pair));
    deed_do(t, &(struct deed){.what = i,
                              .kind = (uint8_t)kind,
                              .addr = addr,
                              .size = size,
                              .io = io,
                              .adds = adds,
                              .outcome = outcome});
}

static void on_mark(unsigned vcpu, qemu_plugin_meminfo_t info, uint64_t addr, void *data)
{
    on_memory(vcpu, info, addr, data);
    if (atomic_load_explicit(&world.off, memory_order_relaxed))
        return;
    deeds_settle(world.thread[vcpu], true);
    object_marked(world.thread[vcpu], addr);
}

/* Block-zero instructions reach no memory callback. Where registers cannot be read, the blocks follow the
 * store before the first one, as every memset has it. */
static void on_zero(unsigned vcpu, void *data)
{
    if (atomic_load_explicit(&world.off, memory_order_relaxed))
        return;
    struct thread *t = world.thread[vcpu];
    const struct insn *i = data;
    uint64_t addr =
        t->registers.general ? cc_register_general(&t->registers, i->op.to) : t->last_store + ZERO_BLOCK;
    addr &= ~(uint64_t)(ZERO_BLOCK - 1);
    t->last_store = addr;
    deed_do(t, &(struct deed){.what = data, .kind = CC_SIM_STORE, .addr = addr, .size = ZERO_BLOCK});
}

/* Those that copy or set any number of bytes reach none either: a line at a time, as far as there is memory.
 */
static void on_block_op(unsigned vcpu, void *data)
{
    struct insn *i = data;
    struct thread *t = world.thread[vcpu];
    if (atomic_load_explicit(&world.off, memory_order_relaxed) || !t->registers.general)
        return;
    uint64_t to = cc_register_general(&t->registers, i->op.to),
             from = cc_register_general(&t->registers, i->op.from);
    uint64_t n = cc_register_general(&t->registers, i->op.count);
    char there;
    for (uint64_t done = 0, size; done < n; done += size) {
        size = line_size - (to + done) % line_size;
        size = size < n - done ? size : n - done;
        if (!world.system && !guest_read(to + done, &there, 1))
            return;
        if (i->op.copies)
            deed_do(t, &(struct deed){.what = i, .kind = CC_SIM_LOAD, .addr = from + done, .size = size});
        deed_do(t, &(struct deed){.what = i, .kind = CC_SIM_STORE, .addr = to + done, .size = size});
    }
}

static void on_fence(unsigned vcpu, void *data)
{
    if (atomic_load_explicit(&world.off, memory_order_relaxed))
        return;
    struct thread *t = world.thread[vcpu];
    if (t->holder)
        deed_do(t, &(struct deed){.kind = DEED_FENCE, .what = data, .addr = t->last_store});
}

/* Before an instruction executes that is taken to do what others see. */
static void on_gate(unsigned vcpu, void *data)
{
    struct insn *i = data;
    bool looks = i->access == CC_SIM_ATOMIC || i->compares;
    if ((!i->foretold && !i->talks && !looks && !i->base && !i->result && !i->pair) ||
        atomic_load_explicit(&world.off, memory_order_relaxed))
        return;
    struct thread *t = world.thread[vcpu];
    if (!t->holder) {
        t->adds = place_adds(t, i);
        return;
    }
    if (i->foretold || i->talks || i->base || i->result || i->pair)
        deeds_await(t, i);
    if (looks && t->holder && !world.system)
        look_before(t);
}

/* As on a little-endian machine, whose instructions are decoded. */
static struct cc_plugin_code code_of(const struct qemu_plugin_insn *insn)
{
    struct cc_plugin_code code = cc_plugin_code(insn);
    for (size_t i = 0; world.big && i < code.size / 2; i++) {
        uint8_t b = code.bytes[i];
        code.bytes[i] = code.bytes[code.size - 1 - i];
        code.bytes[code.size - 1 - i] = b;
    }
    return code;
}

static struct insn_kind kind_of(const struct qemu_plugin_insn *insn)
{
    struct insn_kind kind;
    struct cc_plugin_code code = code_of(insn);
    if (classify_quick(code.bytes, code.size, world.isa->id, &kind))
        return kind;
    char *text = qemu_plugin_insn_disas(insn);
    kind = classify(text, code.bytes, code.size, world.isa->id);
    free(text);
    return kind;
}

/* Several vCPUs may translate at a time. */
static void note_length(uint32_t cycles)
{
    uint32_t longest = atomic_load(&world.shared->longest);
    while (cycles > longest && !atomic_compare_exchange_weak(&world.shared->longest, &longest, cycles))
        ;
}

/* How the block ends; MIPS has the branch before the last instruction. */
static void note_flow(struct qemu_plugin_tb *tb, struct block *b)
{
    bool mips = world.isa->id == CC_ISA_MIPS;
    for (size_t i = b->n; i-- > 0 && b->n - i <= (mips ? 2u : 1u) && b->flow == CC_FLOW_NONE;) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        struct cc_plugin_code code = code_of(insn);
        b->flow = (uint8_t)cc_flow_of(world.isa->id, code.bytes, code.size);
        b->site = qemu_plugin_insn_vaddr(insn);
    }
}

/* Is an atomic one of those whose order does not matter? What follows it decides. */
static bool only_adds(struct qemu_plugin_tb *tb, size_t at)
{
    enum { AHEAD = 6 };
    struct cc_plugin_code bytes[AHEAD];
    struct code code[AHEAD];
    size_t n = 0, all = cc_plugin_insns(tb, world.isa->id);
    for (; n < AHEAD && at + n < all; n++) {
        bytes[n] = code_of(qemu_plugin_tb_get_insn(tb, at + n));
        code[n] = (struct code){bytes[n].bytes, bytes[n].size};
    }
    return sums_alone(world.isa->id, code, n);
}

/* Of an atomic of aarch64, from the block's code up to what follows it: what a store-conditional needs. */
static void note_place(struct qemu_plugin_tb *tb, struct block *b, size_t at)
{
    enum { MOST = 512 };
    uint32_t words[MOST];
    size_t n = at + 4 < b->n ? at + 4 : b->n;
    if (world.isa->id != CC_ISA_AARCH64 || b->insn[at].access <= CC_SIM_STORE || n > MOST)
        return;
    for (size_t i = 0; i < n; i++) {
        struct cc_plugin_code code = code_of(qemu_plugin_tb_get_insn(tb, i));
        if (code.size != sizeof *words)
            return;
        memcpy(&words[i], code.bytes, sizeof *words);
    }
    place_insn(b, at, words, n);
}

static void add_block_access(struct qemu_plugin_insn *insn, struct insn *x, bool zeroes)
{
    struct cc_plugin_code code = code_of(insn);
    if (zeroes && code.size == 4) {
        x->op.to = (uint8_t)cc_block_zero_register(code.bytes);
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_zero, CC_REGS_FLAG, x);
    } else if (cc_block_op(world.isa->id, code.bytes, code.size, &x->op))
        qemu_plugin_register_vcpu_insn_exec_cb(insn, on_block_op, CC_REGS_FLAG, x);
}

static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
    (void)id;
    if (atomic_load_explicit(&world.off, memory_order_relaxed))
        return;
    size_t n = cc_plugin_insns(tb, world.isa->id);
    struct block *b =
        calloc(1, sizeof *b + n * sizeof b->insn[0]); /* lives as long as the code may run: until the end */
    if (!b)
        abort();
    b->pc = qemu_plugin_tb_vaddr(tb);
    b->n = (uint32_t)n;
    b->plain = true;
    for (size_t i = 0; i < n; i++) {
        struct qemu_plugin_insn *insn = qemu_plugin_tb_get_insn(tb, i);
        struct insn_kind kind = kind_of(insn);
        struct insn *x = &b->insn[i];
        x->pc = qemu_plugin_insn_vaddr(insn);
        x->access = kind.access;
        x->compares = kind.compares;
        x->adds = kind.access == CC_SIM_ATOMIC && only_adds(tb, i);
        x->foretold = kind.access > CC_SIM_STORE || kind.cost == CC_SIM_SYNC ? FORETELL : kind.memory;
        x->talks = kind.memory; /* nobody knows what of, before it has been seen once */
        b->last = x->pc + qemu_plugin_insn_size(insn) - 1;
        b->cycles += world.shared->config.cost[kind.cost];
        b->plain &= kind.cost == CC_SIM_INT || kind.cost == CC_SIM_BRANCH || kind.cost == CC_SIM_LDST;
        x->after = b->cycles;
        qemu_plugin_register_vcpu_mem_cb(insn, object_mark_at(x->pc) ? on_mark : on_memory,
                                         QEMU_PLUGIN_CB_NO_REGS, QEMU_PLUGIN_MEM_RW, x);
        note_place(tb, b, i);
        if (world.gates && (x->foretold || kind.memory))
            qemu_plugin_register_vcpu_insn_exec_cb(
                insn, on_gate, x->base || x->result ? CC_REGS_FLAG : QEMU_PLUGIN_CB_NO_REGS, x);
        add_block_access(insn, x, kind.zeroes);
        if (kind.calls && world.system)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_call, QEMU_PLUGIN_CB_NO_REGS, NULL);
        if (kind.cost == CC_SIM_SYNC)
            qemu_plugin_register_vcpu_insn_exec_cb(insn, on_fence, QEMU_PLUGIN_CB_NO_REGS, x);
    }
    b->program = guest_is_program(b->pc);
    b->call = heap_call_at(b->pc);
    note_flow(tb, b);
    for (size_t i = 0; i < n; i++)
        b->insn[i].after = b->cycles - b->insn[i].after;
    place_pairs(b);
    note_length(b->cycles);
    qemu_plugin_register_vcpu_tb_exec_cb(tb, block_from_code,
                                         world.system ? QEMU_PLUGIN_CB_NO_REGS : CC_REGS_FLAG, b);
}

/* ---- threads ---- */

/* Takes a vCPU into the race. With the lock. */
static void begin_thread(unsigned vcpu)
{
    enum { CLEAR_TID = 0x200000 };
    struct thread *parent = world.cloner;
    struct thread *t = thread_new(vcpu, parent ? now_of(parent) + world.shared->config.wake_cost : 0);
    if (world.system && !all_start && vcpu > 0)
        sched_leave(t, OUTSIDE); /* until it runs its first block */
    else
        world.running++;
    if (parent) {
        const uint64_t *a = parent->args;
        bool x86 = world.isa->id == CC_ISA_X86;
        t->child_tid = a[0] & CLEAR_TID ? a[x86 ? 3 : 4] : 0;
        guest_note_stack(a[1], t->number);
    }
    world.cloner = NULL;
}

/* From version 2 of the interface on, each vCPU tells from a thread of its own that it starts, and of
 * firmware with QEMU's lock, which the others need to tell it too: nobody may wait here. So the first takes
 * all of them into the race, in the order of their numbers, as they come before that version. */
static void on_vcpu_start(qemu_plugin_id_t id, unsigned vcpu)
{
    (void)id;
    if (atomic_load(&world.off))
        return;
    pthread_mutex_lock(&world.lock);
    unsigned together = cc_plugin_starts_later() ? world.cores_told : 0;
    for (unsigned i = 0; i < together; i++)
        if (!world.thread[i])
            begin_thread(i);
    if (vcpu >= together)
        begin_thread(vcpu);
    heap_thread(world.thread[vcpu]);
    sched_next();
    sched_update_limit();
    pthread_cond_broadcast(&world.born);
    pthread_mutex_unlock(&world.lock);
}

/* QEMU clears the word that joiners wait on only after it has told us: whoever waits may go on when it has.
 */
static void *see_off(void *data)
{
    struct thread *t = data;
    uint32_t word = 0;
    for (int i = 0; t->child_tid && i < 200000; i++) {
        if (!guest_read(t->child_tid, &word, sizeof word) || word == 0)
            break;
        struct timespec pause = {0, 20000};
        i < 1000 ? (void)sched_yield() : (void)nanosleep(&pause, NULL);
    }
    pthread_mutex_lock(&world.lock);
    uint64_t when = now_of(t) + world.shared->config.wake_cost;
    if (t->child_tid)
        futex_wake_all(t->child_tid, when);
    if (world.thread[t->vcpu] == t)
        world.thread[t->vcpu] = NULL;
    sched_leave(t, GONE);
    pthread_mutex_unlock(&world.lock);
    free(t->deeds);
    free(t->put_off);
    free(t->lap);
    free(t->frames);
    free(t);
    return NULL;
}

static void on_vcpu_exit(qemu_plugin_id_t id, unsigned vcpu)
{
    (void)id;
    if (atomic_load(&world.off) || world.system)
        return;
    struct thread *t = world.thread[vcpu];
    t->holder = false;
    if (!helper_start(see_off, t))
        abort();
}

static void on_vcpu_idle(qemu_plugin_id_t id, unsigned vcpu)
{
    (void)id;
    struct thread *t = vcpu < MAX_THREADS ? world.thread[vcpu] : NULL;
    if (atomic_load(&world.off) || !t || !t->holder)
        return;
    pthread_mutex_lock(&world.lock);
    t->holder = false;
    sched_leave(t, OUTSIDE);
    pthread_mutex_unlock(&world.lock);
}

static void on_syscall(qemu_plugin_id_t id, unsigned vcpu, int64_t number, uint64_t a1, uint64_t a2,
                       uint64_t a3, uint64_t a4, uint64_t a5, uint64_t a6, uint64_t a7, uint64_t a8)
{
    (void)id, (void)a7, (void)a8;
    const uint64_t args[6] = {a1, a2, a3, a4, a5, a6};
    if (world.thread[vcpu])
        heap_prove(world.thread[vcpu], args);
    syscall_enter(world.thread[vcpu], number, args);
}

static void on_syscall_return(qemu_plugin_id_t id, unsigned vcpu, int64_t number, int64_t result)
{
    (void)id;
    if (world.thread[vcpu])
        syscall_return(world.thread[vcpu], number, result);
}

void world_finish(void)
{
    pthread_mutex_lock(&world.lock);
    if (!atomic_exchange(&world.off, true)) {
        thread_times_end();
        if (world.sim)
            cc_sim_finish(world.sim);
        world.program->finished = 1;
        chip_leave();
    }
    pthread_mutex_unlock(&world.lock);
}

static void on_exit_of_qemu(qemu_plugin_id_t id, void *unused)
{
    (void)id, (void)unused;
    if (getpid() == world.pid)
        world_finish();
}

/* With several programs it must be where the others have it. */
static struct cc_sim_shared *map_shared(const char *path)
{
    struct cc_sim_shared *s = NULL;
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return NULL;
    void *p = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (p != MAP_FAILED && ((struct cc_sim_shared *)p)->magic == CC_SIM_MAGIC &&
        ((struct cc_sim_shared *)p)->size == sizeof *s)
        s = p;
    if (s && s->programs > 1) {
        munmap(p, sizeof *s);
        p = mmap((void *)CC_SIM_SHARED_AT, sizeof *s + CC_SIM_POOL_BYTES, PROT_READ | PROT_WRITE,
                 MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
        s = p == (void *)CC_SIM_SHARED_AT ? p : NULL;
    }
    close(fd);
    int inherited; /* "/proc/self/fd/N": the program must not see it */
    if (sscanf(path, "/proc/self/fd/%d", &inherited) == 1)
        close(inherited);
    return s;
}

static bool find_world(int argc, char **argv)
{
    const char *path = NULL;
    for (int i = 0; i < argc; i++) {
        if (strncmp(argv[i], "shared=", 7) == 0)
            path = argv[i] + 7;
        if (strncmp(argv[i], "program=", 8) == 0)
            world.number = (unsigned)strtoul(argv[i] + 8, NULL, 10);
    }
    world.shared = path ? map_shared(path) : NULL;
    if (!world.shared || cc_sim_config_check(&world.shared->config) || world.number >= world.shared->programs)
        return false;
    world.program = &world.shared->program[world.number];
    world.tag = cc_sim_tag(world.number);
    return true;
}

/* The first of several programs makes the model for all. */
static void find_model(void)
{
    struct cc_sim_shared *s = world.shared;
    if (s->programs == 1)
        world.sim = cc_sim_new(&s->config, &s->stats);
    else if (world.number == 0)
        world.sim = s->sim = cc_sim_new_in(
            cc_pool_init(cc_sim_pool(s), CC_SIM_POOL_BYTES - CC_SIM_POOL_ALIGN), &s->config, &s->stats);
}

QEMU_PLUGIN_EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const qemu_info_t *info, int argc,
                                           char **argv)
{
    if (!find_world(argc, argv)) {
        fputs("corecast: the simulator's plugin was not started by 'corecast simulate'\n", stderr);
        return -1;
    }
    world.pid = getpid();
    if (!cc_plugin_begin(info)) {
        fputs("corecast: the simulator's plugin does not know what this QEMU tells of accesses\n", stderr);
        return -1;
    }
    world.system = info->system_emulation;
    world.cores_told = world.system && info->system.smp_vcpus > 0 ? (unsigned)info->system.smp_vcpus : 0;
    world.big = strcmp(info->target_name, "mips") == 0;
    world.isa = cc_isa_named(world.big ? "mipsel" : info->target_name);
    if (!world.isa) {
        fprintf(stderr, "corecast: programs for '%s' cannot be simulated\n", info->target_name);
        return -1;
    }
    all_start = world.isa->id == CC_ISA_RISCV;
    world.gates = world.shared->ordered && world.system;
    world.owes = world.shared->ordered && world.shared->ahead && !world.system && world.shared->programs == 1;
    world.slack =
        world.shared->ordered && !world.owes && !world.shared->config.write_back ? WRITE_THROUGH_SLACK : 0;
    find_model();
    line_size = world.shared->config.icache.line;
    cores_begin();
    guest_note_host_maps();
    heap_begin();
    qemu_plugin_register_vcpu_init_cb(id, on_vcpu_start);
    qemu_plugin_register_vcpu_exit_cb(id, on_vcpu_exit);
    qemu_plugin_register_vcpu_idle_cb(id, on_vcpu_idle);
    qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
    if (!world.system) {
        qemu_plugin_register_vcpu_syscall_cb(id, on_syscall);
        qemu_plugin_register_vcpu_syscall_ret_cb(id, on_syscall_return);
    }
    qemu_plugin_register_atexit_cb(id, on_exit_of_qemu, NULL);
    watchdog_start();
    chip_start();
    return 0;
}
