#include "record.h"
#include "child.h"
#include "engine.h"
#include "folder.h"
#include "../profile/channels.h"
#include "../profile/records.h"
#include "loops_file.h"
#include "../binary/runtime.h"
#include "../binary/symbols.h"
#include "../base/file.h"
#include "../base/text.h"
#include "../base/where.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
    const struct cc_record_options *o;
    const struct cc_target *target;
    char **argv;
    struct cc_folder folder;
    char *engine_file;
    struct cc_words command, environment; /* the latter added to ours */
    struct cc_options told;               /* what the engine is told */
    char *run_file;
    int wait_status;
};

/* --- the command line of each engine --- */

/* Shared objects below the program's own folder are the program's own, unless that is a folder of the system.
 */
static char *own_folder(const struct cc_target *t)
{
    static const char *const system[] = {"/",        "/bin",      "/sbin",          "/lib", "/usr",
                                         "/usr/bin", "/usr/sbin", "/usr/local/bin", "/tmp"};
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(t->path);
    const char *dir = dirname(copy);
    for (size_t i = 0; i < CC_COUNT(system); i++)
        if (strcmp(dir, system[i]) == 0)
            return NULL;
    return cc_asprintf("%s/", dir);
}

static int find_region(struct run *r, struct cc_symbols *symbols, const char *text, struct cc_err *err)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1])
        return cc_err_set(err, CC_EUSAGE, "--region takes NAME=FUNCTION, not '%s'", text);
    uint64_t *at = NULL;
    size_t n = 0;
    int rc = cc_symbols_named(symbols, r->target->path, equals + 1, &at, &n, err);
    for (size_t i = 0; rc == 0 && i < n; i++)
        CC_VEC_PUSH(&r->told.regions,
                    cc_asprintf("%llx=%.*s", (unsigned long long)at[i], (int)(equals - text), text));
    free(at);
    return rc;
}

static int find_regions(struct run *r, struct cc_err *err)
{
    struct cc_symbols *symbols = cc_symbols_new();
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < r->o->nregions; i++)
        rc = find_region(r, symbols, r->o->regions[i], err);
    cc_symbols_free(symbols);
    return rc;
}

/* A static program holds the libraries it uses. */
static void find_runtime(struct run *r)
{
    struct cc_code_range *v = NULL;
    size_t n = r->target->interpreter ? 0 : cc_runtime_code(r->target->path, &v);
    for (size_t i = 0; i < n; i++)
        CC_VEC_PUSH(&r->told.runtime,
                    cc_asprintf("%llx-%llx", (unsigned long long)v[i].start, (unsigned long long)v[i].end));
    free(v);
}

/* For who makes the profile, be it us or `corecast salvage`. */
static int describe(struct run *r, struct cc_err *err)
{
    for (size_t i = 1; r->argv[i]; i++)
        CC_VEC_PUSH(&r->told.arguments, cc_strdup(r->argv[i]));
    for (size_t i = 0; i < r->o->nchannels; i++)
        CC_VEC_PUSH(&r->told.watched, cc_strdup(r->o->channels[i]));
    char *here = r->o->output[0] == '/' ? NULL : getcwd(NULL, 0);
    r->told.output = here ? cc_asprintf("%s/%s", here, r->o->output) : cc_strdup(r->o->output);
    free(here);
    struct cc_channel_names channels;
    int rc = cc_channel_names_find(r->o->channels, r->o->nchannels, r->target->path, &channels, err);
    if (rc < 0)
        return rc;
    r->told.channels = channels.addresses ? cc_strdup(channels.addresses) : NULL;
    cc_channel_names_fini(&channels);
    return 0;
}

static int find_loops(struct run *r, struct cc_err *err)
{
    if (r->told.tasks >= CC_TASKS_LOOPS && r->told.loops == CC_LOOPS_NONE)
        r->told.loops = CC_LOOPS_COUNT;
    if (r->told.loops == CC_LOOPS_NONE)
        return 0;
    r->told.loops_file = cc_folder_file(&r->folder, "loops");
    struct cc_loops_request q = {
        .target = r->target, .functions = r->o->loops_for, .rests = r->told.loops == CC_LOOPS_DEPENDENCES};
    return cc_loops_file_write(r->told.loops_file, &q, err);
}

/* What the engine is told, into the run file. */
static int tell(struct run *r, enum cc_engine engine, struct cc_err *err)
{
    r->told = r->o->collect;
    r->told.out = cc_folder_file(&r->folder, "rec");
    r->told.program = cc_strdup(r->target->path);
    r->told.own = own_folder(r->target);
    r->told.machine = r->target->isa->machine;
    r->told.engine = engine == CC_ENGINE_VALGRIND ? "valgrind" : "qemu";
    int rc = describe(r, err);
    if (rc == 0)
        rc = find_regions(r, err);
    if (rc == 0)
        find_runtime(r);
    if (rc == 0)
        rc = find_loops(r, err);
    r->run_file = cc_folder_file(&r->folder, "run");
    return rc == 0 ? cc_folder_tell(&r->folder, &r->told, err) : rc;
}

/* Valgrind keeps a copy of the program's command line there, and ends in words of its own where it cannot. */
static int check_temporary(struct cc_err *err)
{
    const char *folder = getenv("TMPDIR");
    if (!folder || !*folder || access(folder, W_OK | X_OK) == 0)
        return 0;
    int rc =
        cc_err_set(err, CC_EINPUT, "TMPDIR is '%s', where no file can be made: %s", folder, strerror(errno));
    cc_err_hint(err, "unset TMPDIR, or make that folder");
    return rc;
}

/* Valgrind calls a program what it is asked to run, and finds that in PATH as we do: programs of several
 * names (unxz, which is a link to xz) do what they are called. */
static const char *called(const struct run *r)
{
    const char *name = r->argv[0];
    return name[0] != '-' && (strchr(name, '/') || cc_where_path_is_plain()) ? name : r->target->path;
}

/* Valgrind 3.19 ends with a message of its own, and is killed, where the option for its log has more. */
static int check_log(const struct run *r, const char *log, struct cc_err *err)
{
    enum { LONGEST = 900 };
    if (strlen(log) <= LONGEST)
        return 0;
    int rc = cc_err_at(err, CC_EINPUT, r->o->output, 0, "the path is too long for Valgrind");
    cc_err_hint(err, "record into a folder with a shorter path, or use --engine qemu");
    return rc;
}

static int valgrind_command(struct run *r, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *folder = cc_text_doubled(r->folder.path, '%');
    CC_CLEANUP(cc_free_ptr) char *log = cc_asprintf("%s/log", folder);
    int rc = check_log(r, log, err);
    if (rc == 0)
        rc = check_temporary(err);
    if (rc == 0)
        rc = cc_engine_valgrind(&r->engine_file, err);
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(r->engine_file);
    cc_words_take(&r->environment, cc_asprintf("VALGRIND_LIB=%s", dirname(copy)));
    cc_words_add(&r->environment, "VALGRIND_LAUNCHER=/usr/bin/valgrind");
    if (r->told.loops ==
        CC_LOOPS_DEPENDENCES) /* else a function that is found late looks like a dependence */
        cc_words_add(&r->environment, "LD_BIND_NOW=1");
    cc_words_add(&r->command, "valgrind");
    cc_words_add(&r->command, "--tool=corecast");
    cc_words_add(&r->command, "--command-line-only=yes");
    cc_words_add(&r->command, "-q");
    cc_words_add(&r->command, "--sigill-diagnostics=yes"); /* see untranslated */
    cc_words_add(&r->command, "--trace-children=no"); /* programs that are executed would write where we do */
    cc_words_take(&r->command, cc_asprintf("--log-file=%s", log));
    cc_words_add(&r->command, "--vgdb=no");
    cc_words_take(&r->command, cc_asprintf("--cc-run=%s", r->run_file));
    cc_words_take(&r->command, cc_asprintf("--main-stacksize=%llu", /* room: the engine keeps to the limit */
                                           (unsigned long long)cc_target_stack(r->target, true)));
    cc_words_add(&r->command, called(r));
    return 0;
}

static int qemu_command(struct run *r, struct cc_err *err)
{
    int rc = cc_target_emulator(r->target, &r->engine_file, err);
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) char *plugin = NULL;
    rc = cc_engine_file("qemu/libcorecast-qemu.so", "the qemu engine", &plugin, err);
    if (rc < 0)
        return rc;
    cc_words_add(&r->command, r->engine_file);
    char *root = cc_target_sysroot(r->target);
    if (root) {
        cc_words_add(&r->command, "-L");
        cc_words_take(&r->command, root);
    }
    const char *cpu = cc_target_cpu(r->target);
    if (cpu) {
        cc_words_add(&r->command, "-cpu");
        cc_words_add(&r->command, cpu);
    }
    char *stack = cc_target_stack_word(r->target);
    if (stack) {
        cc_words_add(&r->command, "-s");
        cc_words_take(&r->command, stack);
    }
    if (r->told.loops == CC_LOOPS_DEPENDENCES) {
        cc_words_add(&r->command, "-E");
        cc_words_add(&r->command, "LD_BIND_NOW=1"); /* as under Valgrind */
    }
    cc_words_add(&r->command, "-plugin");
    cc_words_take(&r->command, cc_target_plugin(plugin, "run", r->run_file));
    cc_words_add(&r->command, "-0");
    cc_words_add(&r->command, r->argv[0]);
    cc_words_add(&r->command, r->target->path);
    return 0;
}

/* --- running --- */

static int run_engine(struct run *r, struct cc_err *err)
{
    for (size_t i = 1; r->argv[i]; i++)
        cc_words_add(&r->command, r->argv[i]);
    struct cc_child_request request = {.file = r->engine_file,
                                       .argv = r->command.v,
                                       .environment = (const char *const *)r->environment.v,
                                       /* QEMU hands it to the program the other way round */
                                       .turned = strcmp(r->told.engine, "qemu") == 0,
                                       .stay = true};
    struct cc_child child;
    int rc = cc_child_run(&request, &child, err);
    r->wait_status = child.status;
    cc_child_fini(&child);
    if (rc == 0)
        cc_folder_ended(&r->folder, r->wait_status);
    return rc;
}

/* --- afterwards --- */

/* What keeps anybody from writing there, 0 if nothing does: a disk that is full, a quota, a limit. */
static int cannot_write(const struct run *r)
{
    enum { SIZE = 64 << 10 };
    CC_CLEANUP(cc_free_ptr) char *path = cc_folder_file(&r->folder, "probe"), *bytes = cc_alloc(SIZE);
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600), cause = fd < 0 ? errno : 0;
    ssize_t done = 0;
    for (ssize_t n = 0; !cause && done < SIZE; done += n) /* what stopped a short one is told by the next */
        if ((n = write(fd, bytes + done, (size_t)(SIZE - done))) <= 0)
            cause = n < 0 ? errno : ENOSPC;
    if (!cause && fsync(fd) != 0)
        cause = errno;
    if (fd >= 0)
        close(fd);
    unlink(path);
    return cause;
}

/* What Valgrind said; owned, NULL: nothing. */
static char *log_text(const struct run *r)
{
    CC_CLEANUP(cc_free_ptr) char *log = cc_folder_file(&r->folder, "log");
    char *text = NULL;
    size_t n = 0;
    if (cc_file_read(log, 1 << 20, &text, &n, NULL) == 0 && n)
        return text;
    free(text);
    return NULL;
}

/* The program was killed because of an instruction that the engine does not know: why, owned; NULL: it was
 * not. Programs may also try instructions and handle the signal. */
static char *untranslated(const struct run *r)
{
    static const char said[] = "Unrecognised instruction at address ";
    if (!WIFSIGNALED(r->wait_status) || WTERMSIG(r->wait_status) != SIGILL)
        return NULL;
    if (strcmp(r->told.engine, "qemu") == 0 && cc_target_cpu(r->target))
        return cc_strdup(
            "killed by SIGILL; SVE and SME are switched off, as QEMU does not show their accesses");
    CC_CLEANUP(cc_free_ptr) char *text = log_text(r);
    const char *p = NULL;
    for (const char *next = text; next && (next = strstr(next, said)); next = p) /* the last */
        p = next + strlen(said);
    return p ? cc_asprintf("killed by SIGILL, which Valgrind raised: it cannot translate the instruction at "
                           "%.*s",
                           (int)strspn(p, "0123456789abcdefxABCDEFX"), p)
             : NULL;
}

/* GiB of the first large mapping that the program was refused. */
static uint64_t refused_gib(const struct run *r)
{
    static const char said[] = "corecast: no room for ";
    CC_CLEANUP(cc_free_ptr) char *text = log_text(r);
    const char *p = text ? strstr(text, said) : NULL;
    return p ? strtoull(p + strlen(said), NULL, 10) : 0;
}

/* A limit that the engine, which has files of its own, meets sooner than the program. */
static void explain_limit(struct cc_err *err)
{
    struct rlimit size;
    if (getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur != RLIM_INFINITY)
        cc_err_hint(err, "no file may have more than %llu KiB: see 'ulimit -f'",
                    (unsigned long long)size.rlim_cur / 1024);
}

static int engine_failed(struct run *r, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *text = log_text(r);
    char first[300] = "";
    const char *p = text ? strstr(text, "== ") : NULL;
    p = p ? p + 3 : text;
    if (p)
        snprintf(first, sizeof first, ": %.*s", (int)strcspn(p, "\n"), p);
    if (text && (strstr(text, "LibVEX called failure_exit") || strstr(text, "vex: "))) {
        int rc = cc_err_set(err, CC_EENGINE, "Valgrind itself cannot translate the program's code%s", first);
        cc_err_hint(err, "try --engine qemu");
        return rc;
    }
    int rc = cc_err_set(err, CC_EENGINE, "the engine left no record of the run%s", first);
    explain_limit(err);
    if (!err->hint[0] && strcmp(r->told.engine, "qemu") == 0)
        cc_engine_explain_qemu(r->engine_file, err);
    return rc;
}

static int choose_engine(const struct run *r, enum cc_engine *ret, struct cc_err *err)
{
    *ret = r->o->engine;
    if (*ret == CC_ENGINE_AUTO) {
        CC_CLEANUP(cc_free_ptr) char *tool = NULL;
        bool can = r->target->is_host && cc_engine_valgrind(&tool, NULL) == 0;
        *ret = can ? CC_ENGINE_VALGRIND : CC_ENGINE_QEMU;
    }
    if (*ret == CC_ENGINE_VALGRIND && !r->target->is_host) {
        int rc = cc_err_set(err, CC_EENGINE,
                            "the valgrind engine runs programs of this machine only, and '%s' is for %s",
                            r->target->path, r->target->isa->name);
        cc_err_hint(err, "use --engine qemu, or leave --engine out");
        return rc;
    }
    return 0;
}

static void texts_fini(struct cc_texts *t)
{
    for (size_t i = 0; i < t->n; i++)
        free((char *)t->v[i]);
    CC_VEC_FINI(t);
}

static void run_fini(struct run *r)
{
    cc_words_fini(&r->command);
    cc_words_fini(&r->environment);
    texts_fini(&r->told.regions);
    texts_fini(&r->told.runtime);
    texts_fini(&r->told.arguments);
    texts_fini(&r->told.watched);
    free((char *)r->told.out);
    free((char *)r->told.program);
    free((char *)r->told.own);
    free((char *)r->told.output);
    free((char *)r->told.channels);
    free((char *)r->told.loops_file);
    free(r->run_file);
    free(r->engine_file);
}

/* There is no profile. Whole records are kept, so that only writing is to be done again. */
static int explain(struct run *r, struct cc_record_result *ret, struct cc_err *err)
{
    int cause;
    ret->ran = true;
    if (cc_folder_is_whole(&r->folder)) {
        cc_err_hint(err, "what was recorded is kept: corecast salvage %s -o FILE", r->folder.path);
        cc_folder_close(&r->folder);
        return -(int)err->code;
    }
    *err = (struct cc_err){0};
    if ((cause = cannot_write(r)))
        return cc_err_at(err, CC_EINPUT, r->o->output, 0, "the run could not be recorded: %s",
                         strerror(cause));
    if (WIFSIGNALED(r->wait_status))
        return cc_err_set(err, CC_EENGINE, "killed by SIG%s before anything was recorded",
                          sigabbrev_np(WTERMSIG(r->wait_status)));
    ret->ran = false; /* as far as anybody can tell */
    return engine_failed(r, err);
}

static int take_records(struct run *r, struct cc_record_result *ret, struct cc_err *err)
{
    struct cc_buf problems = {0};
    ret->status = cc_child_exit_status(r->wait_status);
    ret->complete = !WIFSIGNALED(r->wait_status);
    ret->untranslated = untranslated(r);
    ret->refused_gib = refused_gib(r);
    struct cc_folder_take how = {.told = &r->told,
                                 .output = r->o->output,
                                 .wait_status = r->wait_status,
                                 .reason = ret->untranslated,
                                 .ended = true,
                                 .problems = &problems,
                                 .left = &ret->not_there};
    int rc = cc_folder_take(&r->folder, &how, err);
    ret->problems = problems.s;
    if (rc < 0)
        return explain(r, ret, err);
    ret->ran = true;
    how.reason = NULL; /* children have their own */
    if (r->told.follow)
        ret->followed = cc_folder_take_children(&r->folder, &how);
    return 0;
}

static int prepare(struct run *r, struct cc_record_result *ret, struct cc_err *err)
{
    enum cc_engine engine;
    int rc = choose_engine(r, &engine, err);
    if (rc == 0)
        rc = cc_folder_make(r->o->output, &r->folder, err);
    if (rc == 0)
        rc = tell(r, engine, err);
    if (rc < 0)
        return rc;
    ret->engine = r->told.engine;
    return engine == CC_ENGINE_VALGRIND ? valgrind_command(r, err) : qemu_command(r, err);
}

/* --- how far it is --- */

/* Snapshots go to two files in turn; the count is at the begin of each, so that a half-written one will do.
 */
uint64_t cc_record_watched(void *watch)
{
    const struct cc_record_watch *w = watch;
    uint64_t most = 0;
    for (int i = 0; w->known && i < 2; i++) {
        char path[sizeof w->path + 16];
        snprintf(path, sizeof path, "%s.%d", w->path, i);
        most = CC_MAX(most, cc_records_instructions(path));
    }
    return most;
}

static void let_watch(const struct run *r)
{
    struct cc_record_watch *w = r->o->watch;
    if (!w || strlen(r->told.out) >= sizeof w->path)
        return;
    snprintf(w->path, sizeof w->path, "%s", r->told.out);
    w->known = true;
}

/* Signals that come once the program has ended would find us making its profile: that is finished first. */
int cc_record(const struct cc_record_options *o, const struct cc_target *target, char **argv,
              struct cc_record_result *ret, struct cc_err *err)
{
    struct run r = {.o = o, .target = target, .argv = argv, .folder = {.lock = -1}};
    *ret = (struct cc_record_result){.status = CC_EOWN, .left = cc_folder_left(o->output)};
    cc_child_hold();
    int rc = prepare(&r, ret, err);
    if (rc == 0) {
        let_watch(&r);
        rc = run_engine(&r, err);
    }
    if (rc == 0)
        rc = take_records(&r, ret, err);
    cc_folder_remove(&r.folder);
    run_fini(&r);
    cc_child_release();
    return rc;
}
