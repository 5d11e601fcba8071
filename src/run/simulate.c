#include "simulate.h"
#include "child.h"
#include "engine.h"
#include "target.h"
#include "trace_names.h"
#include "../base/file.h"
#include "../base/text.h"
#include "../base/where.h"
#include "../binary/marks.h"
#include "../binary/segments.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ENV_PAGE = 8192 };
#define GUEST_BASE_32 0x100000000 /* where a 32-bit program's address 0 lies on the host */

struct run {
    const struct cc_simulate_request *request;
    struct cc_simulation *result;
    struct cc_sim_shared *shared;
    struct cc_outfile out; /* the trace, if one is asked for */
    struct cc_trace_writer *writer;
    struct cc_map seen;    /* instruction addresses in the trace */
    uint64_t lately[1024]; /* some of them, by their last bits */
    struct part {
        struct cc_target target;
        char *qemu;
        struct cc_child child;
        bool ended;
    } part[CC_SIM_PROGRAMS]; /* a program each */
    char *plugin;
    int fd; /* the shared memory's */
    bool trace_failed;
};

/* ---- finding things ---- */

static int find_program(struct run *run, size_t n, struct cc_err *err)
{
    const struct cc_simulate_request *r = run->request;
    struct cc_target *t = &run->part[n].target;
    int rc = r->firmware ? cc_target_find_firmware(r->firmware, t, err)
                         : cc_target_find_simulated(r->programs[n].argv[0], t, err);
    if (rc == 0 && r->firmware && !t->isa->cpu)
        rc = cc_err_set(err, CC_ECANNOT_RUN, "'%s': firmware must be for aarch64, arm or riscv64", t->named);
    if (rc == 0)
        rc = cc_target_emulator(t, &run->part[n].qemu, err);
    return rc;
}

static int find_all(struct run *run, struct cc_err *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < run->request->nprograms; i++)
        rc = find_program(run, i, err);
    return rc < 0 ? rc
                  : cc_engine_file("simulate/libcorecast-simulate.so", "the simulator", &run->plugin, err);
}

static void describe_program(struct run *run, size_t n)
{
    struct cc_sim_program *p = &run->shared->program[n];
    const struct cc_simulate_program *from = &run->request->programs[n];
    p->guest_base = !run->request->firmware && !run->part[n].target.isa->wide ? GUEST_BASE_32 : 0;
    p->cores = from->cores;
    memcpy(p->core, from->core, sizeof p->core);
    run->shared->thread[n].program = (uint32_t)n;
    run->shared->context[n + 1] = (struct cc_trace_context){.site = n}; /* its first thread's */
}

/* Read, not mapped: the mapping goes when the run fails. */
uint64_t cc_simulate_watched(void *watch)
{
    int fd = ((struct cc_simulate_watch *)watch)->fd;
    uint64_t sum = 0;
    for (size_t i = 0; fd >= 0 && i < CC_SIM_MAX_CORES; i++) {
        uint64_t n;
        off_t at = (off_t)(offsetof(struct cc_sim_shared, stats.core) + i * sizeof(struct cc_sim_core_stats) +
                           offsetof(struct cc_sim_core_stats, instructions));
        sum += pread(fd, &n, sizeof n, at) == (ssize_t)sizeof n ? n : 0;
    }
    return sum;
}

void cc_simulate_watch_fini(struct cc_simulate_watch *w)
{
    if (w->fd >= 0)
        close(w->fd);
}

static int make_shared(struct run *run, struct cc_err *err)
{
    size_t n = run->request->nprograms;
    off_t bytes = (off_t)(sizeof(struct cc_sim_shared) + (n > 1 ? CC_SIM_POOL_BYTES : 0));
    run->fd = memfd_create("corecast-simulate", 0);
    if (run->fd < 0 || ftruncate(run->fd, bytes) != 0)
        return cc_err_set(err, CC_EENGINE, "no shared memory: %s", strerror(errno));
    void *p = mmap(NULL, sizeof(struct cc_sim_shared), PROT_READ | PROT_WRITE, MAP_SHARED, run->fd, 0);
    if (p == MAP_FAILED)
        return cc_err_set(err, CC_EENGINE, "no shared memory: %s", strerror(errno));
    struct cc_sim_shared *s = run->shared = p;
    s->magic = CC_SIM_MAGIC;
    s->size = sizeof *s;
    s->config = *run->request->config;
    s->ordered = run->request->ordered;
    s->ahead = run->request->ahead;
    s->seed = 1;
    s->events = run->request->trace || run->request->each ? run->request->events : CC_SIM_EVENTS_NONE;
    s->coded = run->request->trace && !run->request->each;
    s->programs = s->threads = s->contexts = (uint32_t)n;
    s->host_cpu = -1;
    for (size_t i = 0; i < n; i++)
        describe_program(run, i);
    return 0;
}

/* Where the first executable segment is in the file, and its address as linked. */
static bool code_segment(const char *path, uint64_t *offset, uint64_t *address)
{
    struct cc_segment *v;
    size_t n = cc_segments_read(path, &v), i = 0;
    while (i < n && !v[i].code)
        i++;
    *offset = i < n ? v[i].offset : 0;
    *address = i < n ? v[i].address : 0;
    free(v);
    return i < n;
}

/* Where the program marks its objects. A file whose marks cannot be read is simulated without. */
static void pass_marks(struct run *run, size_t n)
{
    struct cc_sim_program *s = &run->shared->program[n];
    struct cc_marks marks;
    struct cc_err err = {0};
    const char *path = run->part[n].target.path;
    if (strlen(path) >= sizeof s->path)
        return;
    memcpy(s->path, path, strlen(path) + 1);
    if (!code_segment(path, &s->code_offset, &s->code_address) || cc_marks_load(path, &marks, &err) < 0)
        return;
    for (size_t i = 0; i < marks.n && s->marks < CC_SIM_MARKS; i++)
        if (marks.v[i].kind == CC_MARK_OBJECT && marks.v[i].record)
            s->mark[s->marks++] = marks.v[i].pc;
    cc_marks_fini(&marks);
}

/* ---- starting QEMU ---- */

static void program_words(const struct run *run, size_t n, struct cc_words *w)
{
    const struct cc_simulate_program *p = &run->request->programs[n];
    const struct cc_target *t = &run->part[n].target;
    uint64_t base = run->shared->program[n].guest_base;
    cc_words_add(w, "-seed");
    cc_words_add(w, "1");
    if (base) {
        cc_words_add(w, "-B");
        cc_words_take(w, cc_asprintf("0x%llx", (unsigned long long)base));
    }
    char *sysroot = run->request->sysroot ? cc_strdup(run->request->sysroot) : cc_target_sysroot(t);
    if (sysroot) {
        cc_words_add(w, "-L");
        cc_words_take(w, sysroot);
    }
    char *stack = cc_target_stack_word(t);
    if (stack) {
        cc_words_add(w, "-s");
        cc_words_take(w, stack);
    }
    if (cc_target_cpu(t)) {
        cc_words_add(w, "-cpu");
        cc_words_add(w, cc_target_cpu(t));
    }
    cc_words_add(w, "-0");
    cc_words_add(w, p->argv[0]);
    cc_words_add(w, t->named);
    for (size_t i = 1; i < p->argc; i++)
        cc_words_add(w, p->argv[i]);
}

static void firmware_words(const struct run *run, struct cc_words *w)
{
    const struct cc_simulate_request *r = run->request;
    const struct cc_simulate_program *p = &r->programs[0];
    const struct cc_target *target = &run->part[0].target;
    static const char *const fixed[] = {
        "-display",     "none",   "-serial",          "stdio", "-monitor", "none", "-no-reboot",
        "-semihosting", "-accel", "tcg,thread=multi", "-nic",  "none",     "-m",   "128M"};
    for (size_t i = 0; i < CC_COUNT(fixed); i++)
        cc_words_add(w, fixed[i]);
    if (target->isa->id == CC_ISA_RISCV) { /* its board would otherwise start a supervisor first */
        cc_words_add(w, "-bios");
        cc_words_add(w, "none");
    }
    cc_words_add(w, "-machine");
    cc_words_add(w, r->machine);
    cc_words_add(w, "-cpu");
    cc_words_add(w, r->cpu ? r->cpu : target->isa->cpu);
    cc_words_add(w, "-smp");
    cc_words_take(w, cc_asprintf("%u", r->config->cores));
    cc_words_add(w, "-kernel");
    cc_words_add(w, target->named);
    if (p->argc) {
        size_t n = 1;
        for (size_t i = 0; i < p->argc; i++)
            n += strlen(p->argv[i]) + 1;
        char *line = cc_alloc(n);
        for (size_t i = 0, at = 0; i < p->argc; i++)
            at += (size_t)snprintf(line + at, n - at, "%s%s", i ? " " : "", p->argv[i]);
        cc_words_add(w, "-append");
        cc_words_take(w, line);
    }
}

/* The program's environment is ours, and where its stack begins must not depend on how long that happens to
 * be: a variable of the right length fills it up. libgomp would ask for the host's processors and spin for as
 * long as the host is fast. Threads that bind a function of a library at the same moment go different ways by
 * a plain load, which no rule orders: all are bound before main. */
static void environment(const struct run *run, size_t n, struct cc_words *changes)
{
    static const char fill[] = "CORECAST_FILL=";
    cc_words_add(changes, "_");
    cc_words_add(changes, "CORECAST_FILL");
    if (!run->request->firmware) {
        if (!getenv("OMP_NUM_THREADS"))
            cc_words_take(changes, cc_asprintf("OMP_NUM_THREADS=%u", run->request->programs[n].cores));
        if (!getenv("GOMP_SPINCOUNT") && !getenv("OMP_WAIT_POLICY"))
            cc_words_add(changes, "GOMP_SPINCOUNT=1000");
        if (!getenv("OMP_PROC_BIND"))
            cc_words_add(changes, "OMP_PROC_BIND=false");
        if (!getenv("LD_BIND_NOW"))
            cc_words_add(changes, "LD_BIND_NOW=1");
    }
    size_t used = 8 + sizeof fill, pad;
    CC_CLEANUP(cc_free_ptr) char **all = cc_child_environment((const char *const *)changes->v);
    for (size_t i = 0; all[i]; i++)
        used += strlen(all[i]) + 1 + 8; /* its bytes and its pointer */
    pad = ENV_PAGE - used % ENV_PAGE;
    char *word = cc_alloc(sizeof fill + pad);
    memcpy(word, fill, sizeof fill);
    memset(word + sizeof fill - 1, 'x', pad);
    cc_words_take(changes, word);
}

static void words(struct run *run, size_t n, struct cc_words *args, struct cc_words *changes)
{
    CC_CLEANUP(cc_free_ptr) char *shared = cc_asprintf("/proc/self/fd/%d", run->fd);
    cc_words_add(args, run->part[n].qemu);
    cc_words_add(args, "-plugin");
    CC_CLEANUP(cc_free_ptr) char *plugin = cc_target_plugin(run->plugin, "shared", shared);
    cc_words_take(args, cc_asprintf("%s,program=%zu", plugin, n));
    if (run->request->firmware)
        firmware_words(run, args);
    else
        program_words(run, n, args);
    environment(run, n, changes);
}

static int start(struct run *run, struct cc_err *err)
{
    size_t n = run->request->nprograms;
    struct cc_words args[CC_SIM_PROGRAMS] = {{0}}, changes[CC_SIM_PROGRAMS] = {{0}};
    struct cc_child_request request[CC_SIM_PROGRAMS];
    struct cc_child child[CC_SIM_PROGRAMS];
    for (size_t i = 0; i < n; i++) {
        words(run, i, &args[i], &changes[i]);
        request[i] = (struct cc_child_request){
            .argv = args[i].v,
            .environment = (const char *const *)changes[i].v,
            .out = run->request->stdout_to_stderr ? CC_STREAM_TO_STDERR : CC_STREAM_OURS,
            .stay = true,
            .fixed_addresses = true,
        };
    }
    int rc = cc_child_start_all(request, n, child, err);
    for (size_t i = 0; i < n; i++) {
        if (rc == 0)
            run->part[i].child = child[i];
        cc_words_fini(&args[i]);
        cc_words_fini(&changes[i]);
    }
    return rc;
}

/* ---- while it runs ---- */

static void note_seen(struct run *run, uint64_t pc)
{
    uint64_t *lately = &run->lately[pc % CC_COUNT(run->lately)];
    if (*lately != pc)
        cc_map_put(&run->seen, *lately = pc, NULL);
}

static void take_event(struct run *run, const struct cc_trace_event *e)
{
    if (run->request->trace && !run->trace_failed && cc_trace_writer_add(run->writer, e) < 0)
        run->trace_failed = true;
    run->request->each(run->request->arg, e);
    note_seen(run, e->pc);
}

static void take_lane(struct run *run, struct cc_trace_lane *l)
{
    for (uint32_t i = 0; i < l->npcs; i++)
        note_seen(run, l->pcs[i]);
    if (!run->trace_failed && cc_trace_writer_lane(run->writer, l) < 0)
        run->trace_failed = true;
}

/* What has come since the last time. Was it so much that more will have come? */
static bool drain(struct run *run)
{
    struct cc_sim_shared *s = run->shared;
    uint64_t tail = atomic_load_explicit(&s->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&s->head, memory_order_acquire);
    uint64_t n = head - tail, most = s->coded ? CC_SIM_LANES : CC_SIM_RING;
    if (n > most)
        return false;
    for (; tail != head; tail++) {
        unsigned lane = s->full[tail % CC_SIM_LANES];
        if (!s->coded)
            take_event(run, &s->ring[tail % CC_SIM_RING]);
        else if (lane < CC_SIM_LANES) {
            take_lane(run, &s->lane[lane]);
            atomic_store_explicit(&s->lane_used[lane], false, memory_order_release);
        }
        if (tail % 4096 == 0)
            atomic_store_explicit(&s->tail, tail, memory_order_release);
    }
    atomic_store_explicit(&s->tail, tail, memory_order_release);
    return n >= (s->coded ? CC_SIM_SPARE_LANES : CC_SIM_RING) / 8;
}

/* The programs have ended, each core's lane perhaps in the middle of an event. */
static void drain_rest(struct run *run)
{
    struct cc_sim_shared *s = run->shared;
    drain(run);
    for (unsigned i = 0; s->coded && i < CC_SIM_MAX_CORES; i++) {
        struct cc_trace_lane *l = &s->lane[s->lane_of[i] ? s->lane_of[i] - 1 : 0];
        if (!s->lane_of[i] || l->cpu != i)
            continue;
        cc_trace_lane_trim(l);
        take_lane(run, l);
    }
}

/* A program that is gone, however it ended, holds up nobody. One that never began has made no model either.
 */
static void pass_token(struct run *run, size_t from)
{
    struct cc_sim_shared *s = run->shared;
    uint32_t holder = (uint32_t)from, to = CC_SIM_PROGRAMS;
    if (s->programs == 1)
        return;
    atomic_store(&s->program[from].next, UINT64_MAX);
    for (size_t i = 0; i < s->programs && !s->sim; i++)
        if (!run->part[i].ended)
            kill(run->part[i].child.pid, SIGKILL);
    for (uint32_t i = 0; i < s->programs; i++) {
        uint64_t next = atomic_load(&s->program[i].next);
        if (next != UINT64_MAX && (to == CC_SIM_PROGRAMS || next < atomic_load(&s->program[to].next)))
            to = i;
    }
    if (!atomic_compare_exchange_strong(&s->holder, &holder, to) || to == CC_SIM_PROGRAMS)
        return;
    atomic_fetch_add(&s->program[to].turn, 1);
    syscall(SYS_futex, &s->program[to].turn, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static bool all_ended(struct run *run)
{
    bool all = true;
    for (size_t i = 0; i < run->request->nprograms; i++) {
        struct part *p = &run->part[i];
        if (!p->ended && cc_child_ended(&p->child)) {
            p->ended = true;
            pass_token(run, i);
        }
        all &= p->ended;
    }
    return all;
}

/* Events are taken many at a time: to look for every few of them costs more than to write them. Cores take
 * longer than the longer pause to fill the lanes that are to spare. */
static void wait_for(struct run *run)
{
    const struct timespec pause = {0, run->shared->coded ? 4000000 : 500000};
    bool alone = run->request->nprograms == 1;
    while ((run->writer || !alone) && !all_ended(run))
        if (!run->writer || !drain(run))
            nanosleep(&pause, NULL);
    for (size_t i = 0; i < run->request->nprograms; i++)
        cc_child_wait(&run->part[i].child);
    if (run->writer)
        drain_rest(run);
}

/* ---- afterwards ---- */

static void fact(struct cc_trace_writer *w, const char *name, const char *fmt, ...) CC_PRINTF(3, 4);
static void fact(struct cc_trace_writer *w, const char *name, const char *fmt, ...)
{
    char text[1024];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    cc_trace_writer_fact(w, name, text);
}

/* Where the memory is that serves data. */
static void data_nodes(struct cc_trace_writer *w, const struct cc_sim_config *c)
{
    struct cc_buf b = {0};
    for (uint32_t i = 0; i < c->banks; i++)
        if (c->bank[i].serves & (CC_SIM_DATA | CC_SIM_RANGE))
            cc_buf_printf(&b, "%s%u", b.n ? "," : "", c->bank[i].node);
    fact(w, "data_nodes", "%s", b.n ? b.s : "");
    cc_buf_fini(&b);
}

/* What speed-up stacks are made from. */
static void work_facts(struct cc_trace_writer *w, const struct cc_sim_shared *s)
{
    uint64_t busy = 0, instructions = 0;
    for (uint32_t i = 0; i < s->config.cores; i++) {
        busy += s->stats.core[i].cycles - s->stats.core[i].idle;
        instructions += s->stats.core[i].instructions;
    }
    fact(w, "busy", "%llu", (unsigned long long)busy);
    fact(w, "instructions", "%llu", (unsigned long long)instructions);
    fact(w, "start_skew", "%llu", (unsigned long long)s->start_skew);
}

/* How long threads executed where, of all places that matter: "context:cycles …". */
static void context_facts(struct cc_trace_writer *w, const struct cc_sim_shared *s)
{
    enum { LEAST = 2000 }; /* one part of so many; the list stays within what a fact can hold */
    uint64_t all = 0;
    struct cc_buf b = {0};
    for (uint32_t i = 1; i <= s->contexts && i < CC_SIM_CONTEXTS; i++)
        all += s->own_cycles[i];
    for (uint32_t i = 1; i <= s->contexts && i < CC_SIM_CONTEXTS; i++)
        if (s->own_cycles[i] && s->own_cycles[i] >= all / LEAST)
            cc_buf_printf(&b, "%s%u:%llu", b.n ? " " : "", i, (unsigned long long)s->own_cycles[i]);
    if (b.n)
        cc_trace_writer_fact(w, "context_cycles", b.s);
    cc_buf_fini(&b);
}

/* Of several programs the others follow behind " -- ", as on the command line. */
static void program_facts(const struct run *run, struct cc_trace_writer *w)
{
    const struct cc_simulate_request *r = run->request;
    struct cc_buf arguments = {0};
    for (size_t k = 0; k < r->nprograms; k++) {
        if (k)
            cc_buf_printf(&arguments, "%s-- %s", arguments.n ? " " : "", r->programs[k].argv[0]);
        for (size_t i = r->firmware ? 0 : 1; i < r->programs[k].argc; i++)
            cc_buf_printf(&arguments, "%s%s", arguments.n ? " " : "", r->programs[k].argv[i]);
    }
    fact(w, "program", "%s", run->part[0].target.named);
    fact(w, "arguments", "%s", arguments.n ? arguments.s : "");
    fact(w, "isa", "%s", cc_target_machine(&run->part[0].target));
    if (r->nprograms > 1)
        fact(w, "programs", "%zu", r->nprograms);
    for (size_t k = 1; k < r->nprograms; k++) {
        char name[32];
        snprintf(name, sizeof name, "program %zu", k + 1);
        fact(w, name, "%s", run->part[k].target.named);
    }
    cc_buf_fini(&arguments);
}

static void write_facts(struct run *run)
{
    static const char *const nets[] = {"bus", "crossbar", "mesh"};
    const struct cc_simulate_request *r = run->request;
    const struct cc_sim_config *c = r->config;
    struct cc_trace_writer *w = run->writer;
    program_facts(run, w);
    fact(w, "platform", "%s", r->platform);
    fact(w, "cores", "%u", c->cores);
    fact(w, "line_bytes", "%u", c->dcache.line);
    fact(w, "l1d_bytes", "%u", c->dcache.size);
    fact(w, "l1d_ways", "%u", c->dcache.ways);
    fact(w, "l1d_policy", "%s", c->write_back ? "write-back" : "write-through");
    fact(w, "cycles", "%llu", (unsigned long long)run->result->cycles);
    work_facts(w, run->shared);
    context_facts(w, run->shared);
    data_nodes(w, c);
    fact(w, "clock_mhz", "%g", c->clock_mhz);
    fact(w, "topology", "%s", nets[c->net]);
    if (c->net == CC_SIM_MESH)
        fact(w, "mesh", "%ux%u", c->mesh_x, c->mesh_y);
    fact(w, "write_buffer", "%u", c->write_buffer);
    if (run->result->reason[0])
        fact(w, "incomplete", "%s", run->result->reason);
}

/* Contexts and blocks of the heap, whose programs are known by the thread: from here on their addresses are
 * those of the chip. */
static void tag_contexts(struct cc_sim_shared *s)
{
    uint8_t *program = cc_alloc(CC_SIM_CONTEXTS);
    for (uint32_t i = 1; i <= s->contexts && i < CC_SIM_CONTEXTS; i++) {
        struct cc_trace_context *c = &s->context[i];
        bool known = !c->parent && c->site < CC_SIM_THREADS;
        program[i] = c->parent ? program[c->parent < i ? c->parent : 0]
                     : known   ? (uint8_t)s->thread[c->site].program
                               : 0;
        c->site += c->parent ? cc_sim_tag(program[i]) : 0;
        c->entry += c->entry ? cc_sim_tag(program[i]) : 0;
    }
    for (uint32_t i = 0; i < s->blocks && i < CC_SIM_BLOCKS; i++) {
        struct cc_sim_block *b = &s->block[i];
        uint64_t tag = cc_sim_tag(program[b->context < CC_SIM_CONTEXTS ? b->context : 0]);
        b->from += tag;
        b->to += tag;
        b->back += tag;
    }
    free(program);
}

static int finish_trace(struct run *run, struct cc_err *err)
{
    if (!run->writer)
        return 0;
    char why[CC_TRACE_ERR];
    if (run->trace_failed)
        snprintf(why, sizeof why, "%s", cc_trace_writer_error(run->writer));
    write_facts(run);
    tag_contexts(run->shared);
    for (uint32_t i = 1; i <= run->shared->contexts && i < CC_SIM_CONTEXTS; i++)
        if (run->shared->context[i].parent) {
            cc_map_put(&run->seen, run->shared->context[i].site, NULL);
            cc_map_put(&run->seen, run->shared->context[i].entry, NULL);
        }
    cc_trace_names_write(run->writer, run->shared, &run->seen, run->request->firmware);
    run->result->events = cc_trace_writer_events(run->writer);
    int rc = cc_trace_writer_close(run->writer, run->trace_failed ? NULL : why);
    run->writer = NULL;
    if (rc < 0 || run->trace_failed)
        return cc_err_at(err, CC_EINPUT, run->request->trace, 0, "the trace cannot be written: %s", why);
    rc = run->out.f ? cc_outfile_commit(&run->out, err) : 0;
    run->result->traced = rc == 0;
    return rc;
}

static void conclude_program(const struct cc_sim_shared *s, size_t n, int status, struct cc_simulated *x)
{
    const struct cc_sim_program *p = &s->program[n];
    x->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    x->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    x->status = cc_child_exit_status(status);
    for (uint32_t i = 0; i < p->cores; i++)
        x->cycles = CC_MAX(x->cycles, s->stats.core[p->core[i]].cycles);
    if (x->signal)
        snprintf(x->reason, sizeof x->reason, "killed by signal %d (%s)", x->signal, strsignal(x->signal));
    else if (p->executed)
        snprintf(x->reason, sizeof x->reason, "the program replaced itself by another (exec)");
    else if (!p->finished)
        snprintf(x->reason, sizeof x->reason, "QEMU ended before the program did");
}

static void conclude(struct run *run)
{
    struct cc_simulation *x = run->result;
    const struct cc_simulated *told = &x->program[0];
    size_t n = run->request->nprograms;
    x->shared = run->shared;
    x->isa = cc_target_machine(&run->part[0].target);
    for (size_t i = 0; i < n; i++) {
        struct cc_simulated *p = &x->program[i];
        conclude_program(run->shared, i, run->part[i].child.status, p);
        p->isa = cc_target_machine(&run->part[i].target);
        x->cycles = CC_MAX(x->cycles, p->cycles);
        x->seconds = CC_MAX(x->seconds, run->part[i].child.seconds);
    }
    for (size_t i = n; i-- > 0;)
        told = x->program[i].status || x->program[i].reason[0] ? &x->program[i] : told;
    x->status = told->status;
    x->exit_code = told->exit_code;
    x->signal = told->signal;
    memcpy(x->reason, told->reason, sizeof x->reason);
}

/* QEMU's own failures; a program that failed is none. */
static int check_started(const struct run *run, struct cc_err *err)
{
    for (size_t i = 0; i < run->request->nprograms; i++) {
        const struct cc_simulated *x = &run->result->program[i];
        if (run->shared->program[i].started || x->signal)
            continue;
        int rc = cc_err_set(err, CC_EENGINE, "'%s' did not run the program (status %d)", run->part[i].qemu,
                            x->exit_code);
        cc_engine_explain_qemu(run->part[i].qemu, err);
        return rc;
    }
    return 0;
}

/* Where names and facts go when no trace is asked for but somebody listens: memory. */
static int open_names(struct run *run)
{
    struct cc_simulation *x = run->result;
    x->names_fd = memfd_create("corecast-names", MFD_CLOEXEC);
    if (x->names_fd >= 0)
        snprintf(x->names, sizeof x->names, "/proc/self/fd/%d", x->names_fd);
    return x->names_fd;
}

static int open_trace(struct run *run, struct cc_err *err)
{
    char why[CC_TRACE_ERR] = "no memory";
    const char *path = run->request->trace;
    if (path && cc_outfile_open(&run->out, path, err) < 0)
        return CC_EINPUT;
    int fd = path ? fileno(run->out.f) : open_names(run);
    run->writer = fd >= 0 ? cc_trace_writer_into(fd, why) : NULL;
    if (!run->writer)
        return cc_err_at(err, CC_EINPUT, path ? path : "names", 0, "%s", why);
    for (size_t i = 0; i < run->request->nprograms && !run->request->firmware; i++)
        pass_marks(run, i);
    return 0;
}

static int run_all(struct run *run, struct cc_err *err)
{
    int rc = find_all(run, err);
    if (rc == 0)
        rc = make_shared(run, err);
    if (rc == 0 && run->request->watch)
        run->request->watch->fd = fcntl(run->fd, F_DUPFD_CLOEXEC, 3);
    if (rc == 0 && (run->request->trace || run->request->each))
        rc = open_trace(run, err);
    if (rc == 0)
        rc = start(run, err);
    if (rc < 0)
        return rc;
    wait_for(run);
    conclude(run);
    rc = check_started(run, err);
    return rc == 0 ? finish_trace(run, err) : rc;
}

int cc_simulate_run(const struct cc_simulate_request *r, struct cc_simulation **ret, struct cc_err *err)
{
    struct run run = {.request = r, .fd = -1, .result = cc_alloc(sizeof *run.result)};
    run.result->names_fd = -1;
    int rc = run_all(&run, err);
    if (run.writer)
        cc_trace_writer_close(run.writer, NULL);
    cc_outfile_abort(&run.out);
    if (run.fd >= 0)
        close(run.fd);
    cc_map_fini(&run.seen);
    for (size_t i = 0; i < r->nprograms; i++) {
        cc_target_fini(&run.part[i].target);
        free(run.part[i].qemu);
    }
    free(run.plugin);
    if (rc < 0 && !run.result->shared && run.shared)
        munmap(run.shared, sizeof *run.shared);
    if (rc < 0 && !(run.result->shared && run.shared->program[0].started)) { /* nothing worth showing */
        cc_simulation_free(run.result);
        run.result = NULL;
    }
    *ret = run.result;
    return rc;
}

void cc_simulation_free(struct cc_simulation *s)
{
    if (s && s->shared)
        munmap((void *)s->shared, sizeof *s->shared);
    if (s && s->names_fd >= 0)
        close(s->names_fd);
    free(s);
}
