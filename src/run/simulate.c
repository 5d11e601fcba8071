#include "simulate.h"
#include "target.h"
#include "../base/map.h"
#include "../base/where.h"
#include "../binary/marks.h"
#include "../isa/isa.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { NOT_EXECUTABLE = 126, NOT_FOUND = 127, ENV_PAGE = 8192 };
#define GUEST_BASE_32 0x100000000 /* where a 32-bit program's address 0 lies on the host */

struct run {
    const struct cc_simulate_request *request;
    struct cc_simulation *result;
    struct cc_sim_shared *shared;
    struct cc_trace_writer *writer;
    struct cc_map seen; /* instruction addresses in the trace */
    char *program, *qemu, *plugin;
    const struct cc_isa *isa;
    int fd; /* the shared memory's */
    bool trace_failed;
};

/* ---- finding things ---- */

static int refuse(int *status, int code, struct cc_err *err, const char *path, const char *why)
{
    *status = code;
    return cc_err_at(err, CC_EINPUT, path, 0, "%s", why);
}

static int read_elf(const char *path, const struct cc_isa **ret, int *status, struct cc_err *err)
{
    struct stat st;
    if (stat(path, &st) != 0)
        return refuse(status, errno == ENOENT || errno == ENOTDIR ? NOT_FOUND : NOT_EXECUTABLE, err, path,
                      strerror(errno));
    if (!S_ISREG(st.st_mode))
        return refuse(status, NOT_EXECUTABLE, err, path, "not a program");
    if (st.st_mode & (S_ISUID | S_ISGID))
        return refuse(status, NOT_EXECUTABLE, err, path, "set-user-id and set-group-id programs are refused");
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return refuse(status, NOT_EXECUTABLE, err, path, strerror(errno));
    uint8_t head[CC_ISA_ELF_HEAD] = {0};
    ssize_t n = read(fd, head, sizeof head);
    close(fd);
    if (n != sizeof head || memcmp(head, ELFMAG, SELFMAG) != 0)
        return refuse(status, NOT_EXECUTABLE, err, path, "not an ELF program");
    *ret = cc_isa_of_elf(head);
    return *ret && (*ret)->classes
               ? 0
               : refuse(status, NOT_EXECUTABLE, err, path, "programs for this processor cannot be simulated");
}

static int find_program(struct run *run, int *status, struct cc_err *err)
{
    const struct cc_simulate_request *r = run->request;
    const char *name = r->firmware ? r->firmware : r->argv[0];
    run->program = r->firmware ? cc_strdup(name) : cc_where_program(name);
    if (!run->program)
        return refuse(status, NOT_FOUND, err, name, "not found in PATH");
    int rc = read_elf(run->program, &run->isa, status, err);
    if (rc < 0)
        return rc;
    if (!r->firmware && access(run->program, X_OK) != 0)
        return refuse(status, NOT_EXECUTABLE, err, run->program, strerror(errno));
    if (r->firmware && !run->isa->cpu)
        return refuse(status, NOT_EXECUTABLE, err, run->program,
                      "firmware must be for aarch64, arm or riscv64");
    CC_CLEANUP(cc_free_ptr)
    char *qemu = cc_asprintf("qemu-%s%s", r->firmware ? "system-" : "", run->isa->name);
    run->qemu = cc_where_program(qemu);
    if (!run->qemu) {
        rc = cc_err_set(err, CC_EENGINE, "'%s' is not installed", qemu);
        cc_err_hint(err, "Debian packages: qemu-user, qemu-system-arm, qemu-system-misc");
        return rc;
    }
    run->plugin = cc_where_engine("simulate/libcorecast-simulate.so");
    return run->plugin ? 0 : cc_err_set(err, CC_EENGINE, "the simulator's plugin is not installed");
}

static int make_shared(struct run *run, struct cc_err *err)
{
    run->fd = memfd_create("corecast-simulate", 0);
    if (run->fd < 0 || ftruncate(run->fd, sizeof(struct cc_sim_shared)) != 0)
        return cc_err_set(err, CC_EENGINE, "no shared memory: %s", strerror(errno));
    void *p = mmap(NULL, sizeof(struct cc_sim_shared), PROT_READ | PROT_WRITE, MAP_SHARED, run->fd, 0);
    if (p == MAP_FAILED)
        return cc_err_set(err, CC_EENGINE, "no shared memory: %s", strerror(errno));
    struct cc_sim_shared *s = run->shared = p;
    s->magic = CC_SIM_MAGIC;
    s->size = sizeof *s;
    s->config = *run->request->config;
    s->look_ahead = run->request->look_ahead;
    s->guest_base = !run->request->firmware && !run->isa->wide ? GUEST_BASE_32 : 0;
    s->seed = 1;
    s->events = run->request->trace ? run->request->events : CC_SIM_EVENTS_NONE;
    return 0;
}

/* Where the program marks its objects. A file whose marks cannot be read is simulated without. */
static void pass_marks(struct run *run)
{
    struct cc_sim_shared *s = run->shared;
    struct cc_marks marks;
    struct cc_err err = {0};
    char path[PATH_MAX];
    if (!realpath(run->program, path) || strlen(path) >= sizeof s->program ||
        !cc_simulate_code_segment(path, &s->code_offset, &s->code_address) ||
        cc_marks_load(path, &marks, &err) < 0)
        return;
    memcpy(s->program, path, strlen(path) + 1);
    for (size_t i = 0; i < marks.n && s->marks < CC_SIM_MARKS; i++)
        if (marks.v[i].kind == CC_MARK_OBJECT && marks.v[i].record)
            s->mark[s->marks++] = marks.v[i].pc;
    cc_marks_fini(&marks);
}

/* ---- starting QEMU ---- */

struct words {
    char **v;
    size_t n, cap;
};

static void word(struct words *w, const char *s)
{
    CC_VEC_PUSH(w, s ? cc_strdup(s) : NULL);
}

static void words_fini(struct words *w)
{
    for (size_t i = 0; i < w->n; i++)
        free(w->v[i]);
    CC_VEC_FINI(w);
}

static void program_words(const struct run *run, struct words *w)
{
    const struct cc_simulate_request *r = run->request;
    word(w, "-seed");
    word(w, "1");
    if (run->shared->guest_base) {
        word(w, "-B");
        CC_VEC_PUSH(w, cc_asprintf("0x%llx", (unsigned long long)run->shared->guest_base));
    }
    if (r->sysroot || run->isa != cc_isa_host()) {
        word(w, "-L");
        CC_VEC_PUSH(w, r->sysroot ? cc_strdup(r->sysroot) : cc_asprintf("/usr/%s", run->isa->triplet));
    }
    word(w, "-0");
    word(w, r->argv[0]);
    word(w, run->program);
    for (size_t i = 1; i < r->argc; i++)
        word(w, r->argv[i]);
}

static void firmware_words(const struct run *run, struct words *w)
{
    const struct cc_simulate_request *r = run->request;
    static const char *const fixed[] = {
        "-display",     "none",   "-serial",          "stdio", "-monitor", "none", "-no-reboot",
        "-semihosting", "-accel", "tcg,thread=multi", "-nic",  "none",     "-m",   "128M"};
    for (size_t i = 0; i < CC_COUNT(fixed); i++)
        word(w, fixed[i]);
    if (run->isa->id == CC_ISA_RISCV) { /* its board would otherwise start a supervisor first */
        word(w, "-bios");
        word(w, "none");
    }
    word(w, "-machine");
    word(w, r->machine);
    word(w, "-cpu");
    word(w, r->cpu ? r->cpu : run->isa->cpu);
    word(w, "-smp");
    CC_VEC_PUSH(w, cc_asprintf("%u", r->config->cores));
    word(w, "-kernel");
    word(w, run->program);
    if (r->argc) {
        size_t n = 1;
        for (size_t i = 0; i < r->argc; i++)
            n += strlen(r->argv[i]) + 1;
        char *line = cc_alloc(n);
        for (size_t i = 0, at = 0; i < r->argc; i++)
            at += (size_t)snprintf(line + at, n - at, "%s%s", i ? " " : "", r->argv[i]);
        word(w, "-append");
        CC_VEC_PUSH(w, line);
    }
}

/* The program's environment is ours, and where its stack begins must not depend on how long that happens to
 * be: a variable of the right length fills it up. libgomp would ask for the host's processors and spin for as
 * long as the host is fast. */
static void environment(const struct run *run, struct words *w)
{
    extern char **environ;
    size_t used = 0;
    for (char **e = environ; *e; e++) {
        if (strncmp(*e, "CORECAST_FILL=", 14) == 0 || strncmp(*e, "_=", 2) == 0)
            continue;
        word(w, *e);
    }
    if (!run->request->firmware) {
        if (!getenv("OMP_NUM_THREADS"))
            CC_VEC_PUSH(w, cc_asprintf("OMP_NUM_THREADS=%u", run->request->config->cores));
        if (!getenv("GOMP_SPINCOUNT") && !getenv("OMP_WAIT_POLICY"))
            word(w, "GOMP_SPINCOUNT=1000");
        if (!getenv("OMP_PROC_BIND"))
            word(w, "OMP_PROC_BIND=false");
    }
    for (size_t i = 0; i < w->n; i++)
        used += strlen(w->v[i]) + 1 + 8; /* its bytes and its pointer */
    used += 8 + strlen("CORECAST_FILL=") + 1;
    size_t fill = ENV_PAGE - used % ENV_PAGE;
    char *pad = cc_alloc(strlen("CORECAST_FILL=") + fill + 1);
    memcpy(pad, "CORECAST_FILL=", 14);
    memset(pad + 14, 'x', fill);
    CC_VEC_PUSH(w, pad);
    word(w, NULL);
}

static pid_t start(struct run *run)
{
    struct words args = {0}, env = {0};
    word(&args, run->qemu);
    word(&args, "-plugin");
    CC_CLEANUP(cc_free_ptr) char *shared = cc_asprintf("/proc/self/fd/%d", run->fd);
    CC_VEC_PUSH(&args, cc_target_plugin(run->plugin, "shared", shared));
    if (run->request->firmware)
        firmware_words(run, &args);
    else
        program_words(run, &args);
    word(&args, NULL);
    environment(run, &env);
    fflush(NULL);
    pid_t parent = getpid(), pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(125);
        personality(ADDR_NO_RANDOMIZE);
        if (run->request->stdout_to_stderr)
            dup2(STDERR_FILENO, STDOUT_FILENO);
        execve(run->qemu, args.v, env.v);
        _exit(125);
    }
    words_fini(&args);
    words_fini(&env);
    return pid;
}

/* ---- while it runs ---- */

static volatile pid_t child;

static void pass_on(int sig)
{
    if (child > 0)
        kill(child, sig);
}

struct signals {
    struct sigaction old[4];
};
static const int handled[4] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP};

/* The terminal sends SIGINT and SIGQUIT to the program as well: it decides, and its figures are still shown.
 */
static void signals_take(struct signals *s)
{
    for (size_t i = 0; i < CC_COUNT(handled); i++) {
        struct sigaction a = {.sa_handler = i < 2 ? SIG_IGN : pass_on};
        sigaction(handled[i], &a, &s->old[i]);
    }
}

static void signals_give_back(const struct signals *s)
{
    for (size_t i = 0; i < CC_COUNT(handled); i++)
        sigaction(handled[i], &s->old[i], NULL);
}

static bool drain(struct run *run)
{
    struct cc_sim_shared *s = run->shared;
    uint64_t tail = atomic_load_explicit(&s->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&s->head, memory_order_acquire);
    if (head == tail || head - tail > CC_SIM_RING)
        return false;
    uint64_t last_pc = 0;
    for (; tail != head; tail++) {
        const struct cc_trace_event *e = &s->ring[tail % CC_SIM_RING];
        if (!run->trace_failed && cc_trace_writer_add(run->writer, e) < 0)
            run->trace_failed = true;
        if (e->pc != last_pc)
            cc_map_put(&run->seen, e->pc, NULL);
        last_pc = e->pc;
        if (tail % 4096 == 0)
            atomic_store_explicit(&s->tail, tail, memory_order_release);
    }
    atomic_store_explicit(&s->tail, tail, memory_order_release);
    return true;
}

static int wait_for(struct run *run, pid_t pid)
{
    int status = 0;
    for (;;) {
        bool moved = run->writer && drain(run);
        int flags = run->writer ? WNOHANG : 0;
        pid_t done = waitpid(pid, &status, flags);
        if (done == pid)
            break;
        if (done < 0 && errno != EINTR)
            break;
        if (!moved && run->writer) {
            struct timespec pause = {0, 200000};
            nanosleep(&pause, NULL);
        }
    }
    while (run->writer && drain(run))
        ;
    return status;
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

static void write_facts(struct run *run)
{
    static const char *const nets[] = {"bus", "crossbar", "mesh"};
    const struct cc_simulate_request *r = run->request;
    const struct cc_sim_config *c = r->config;
    struct cc_trace_writer *w = run->writer;
    size_t n = 0;
    char arguments[1024] = "";
    for (size_t i = r->firmware ? 0 : 1; i < r->argc && n < sizeof arguments; i++)
        n += (size_t)snprintf(arguments + n, sizeof arguments - n, "%s%s", n ? " " : "", r->argv[i]);
    fact(w, "program", "%s", run->program);
    fact(w, "arguments", "%s", arguments);
    fact(w, "isa", "%s", run->isa->name);
    fact(w, "platform", "%s", r->platform);
    fact(w, "cores", "%u", c->cores);
    fact(w, "line_bytes", "%u", c->dcache.line);
    fact(w, "clock_mhz", "%g", c->clock_mhz);
    fact(w, "topology", "%s", nets[c->net]);
    if (c->net == CC_SIM_MESH)
        fact(w, "mesh", "%ux%u", c->mesh_x, c->mesh_y);
    fact(w, "write_buffer", "%u", c->write_buffer);
    if (run->result->reason[0])
        fact(w, "incomplete", "%s", run->result->reason);
}

static int finish_trace(struct run *run, struct cc_err *err)
{
    if (!run->writer)
        return 0;
    char why[CC_TRACE_ERR];
    if (run->trace_failed)
        snprintf(why, sizeof why, "%s", cc_trace_writer_error(run->writer));
    write_facts(run);
    cc_simulate_write_symbols(run->writer, run->shared, &run->seen, run->request->firmware);
    run->result->events = cc_trace_writer_events(run->writer);
    int rc = cc_trace_writer_close(run->writer, run->trace_failed ? NULL : why);
    run->writer = NULL;
    return rc < 0 || run->trace_failed
               ? cc_err_at(err, CC_EINPUT, run->request->trace, 0, "the trace is incomplete: %s", why)
               : 0;
}

static void conclude(struct run *run, int status)
{
    struct cc_simulation *x = run->result;
    const struct cc_sim_shared *s = run->shared;
    x->shared = s;
    x->isa = run->isa->name;
    x->signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    x->exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : 0;
    x->status = x->signal ? 128 + x->signal : x->exit_code;
    for (uint32_t i = 0; i < s->config.cores; i++)
        x->cycles = CC_MAX(x->cycles, s->stats.core[i].cycles);
    if (x->signal)
        snprintf(x->reason, sizeof x->reason, "killed by signal %d (%s)", x->signal, strsignal(x->signal));
    else if (s->executed)
        snprintf(x->reason, sizeof x->reason, "the program replaced itself by another (exec)");
    else if (!s->finished)
        snprintf(x->reason, sizeof x->reason, "QEMU ended before the program did");
}

static int run_all(struct run *run, int *status, struct cc_err *err)
{
    int rc = find_program(run, status, err);
    if (rc == 0)
        rc = make_shared(run, err);
    if (rc < 0)
        return rc;
    if (run->request->trace) {
        char why[CC_TRACE_ERR];
        run->writer = cc_trace_writer_open(run->request->trace, why);
        if (!run->writer)
            return cc_err_at(err, CC_EINPUT, run->request->trace, 0, "%s", why);
    }
    if (run->request->trace && !run->request->firmware)
        pass_marks(run);
    struct timespec from, to;
    clock_gettime(CLOCK_MONOTONIC, &from);
    struct signals signals;
    child = 0;
    pid_t pid = start(run);
    if (pid < 0)
        return cc_err_set(err, CC_EENGINE, "cannot start '%s': %s", run->qemu, strerror(errno));
    child = pid;
    signals_take(&signals);
    int ended = wait_for(run, pid);
    signals_give_back(&signals);
    clock_gettime(CLOCK_MONOTONIC, &to);
    run->result->seconds = (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9;
    conclude(run, ended);
    if (!run->shared->started && !run->result->signal) {
        rc = cc_err_set(err, CC_EENGINE, "'%s' did not run the program (status %d)", run->qemu,
                        run->result->exit_code);
        cc_err_hint(
            err, "if it does not know plugins: QEMU 7.2 has them (Debian 12), Debian 13's qemu-user has not");
        return rc;
    }
    return finish_trace(run, err);
}

int cc_simulate_run(const struct cc_simulate_request *r, struct cc_simulation **ret, int *ret_status,
                    struct cc_err *err)
{
    struct run run = {.request = r, .fd = -1, .result = cc_alloc(sizeof *run.result)};
    *ret_status = 125;
    int rc = run_all(&run, ret_status, err);
    if (run.writer)
        cc_trace_writer_close(run.writer, NULL);
    if (run.fd >= 0)
        close(run.fd);
    cc_map_fini(&run.seen);
    free(run.program);
    free(run.qemu);
    free(run.plugin);
    if (rc < 0 && !run.result->shared && run.shared)
        munmap(run.shared, sizeof *run.shared);
    if (rc < 0 && !(run.result->shared && run.shared->started)) { /* nothing worth showing */
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
    free(s);
}
