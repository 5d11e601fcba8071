#include "record.h"
#include "child.h"
#include "run_file.h"
#include "../profile/import.h"
#include "../binary/runtime.h"
#include "../binary/symbols.h"
#include "../base/file.h"
#include "../base/text.h"
#include "../base/where.h"

#include <dirent.h>
#include <errno.h>
#include <libgen.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct run {
    const struct cc_record_options *o;
    const struct cc_target *target;
    char **argv;
    char *folder; /* beside the output, for the engine's files */
    char *engine_file;
    struct cc_words command, environment; /* the latter added to ours */
    struct cc_channel_names channels;
    struct cc_options told; /* what the engine is told */
    char *run_file;
    int wait_status;
};

static char *valgrind_tool(void)
{
#if defined(__aarch64__)
    return cc_where_engine("valgrind/corecast-arm64-linux");
#elif defined(__x86_64__)
    return cc_where_engine("valgrind/corecast-amd64-linux");
#else
    return NULL;
#endif
}

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

/* What the engine is told, into the run file. */
static int tell(struct run *r, struct cc_err *err)
{
    r->told = r->o->collect;
    r->told.out = cc_asprintf("%s/rec", r->folder);
    r->told.program = cc_strdup(r->target->path);
    r->told.own = own_folder(r->target);
    r->told.machine = r->target->isa->machine;
    int rc = cc_channel_names_find(r->o->channels, r->o->nchannels, r->target->path, &r->channels, err);
    r->told.channels = r->channels.addresses;
    if (rc == 0)
        rc = find_regions(r, err);
    if (rc == 0)
        find_runtime(r);
    r->run_file = cc_asprintf("%s/run", r->folder);
    return rc == 0 ? cc_run_file_write(r->run_file, &r->told, err) : rc;
}

static int valgrind_command(struct run *r, struct cc_err *err)
{
    r->engine_file = valgrind_tool();
    if (!r->engine_file) {
        int rc = cc_err_set(err, CC_EENGINE, "the valgrind engine is not installed");
        cc_err_hint(err, "try --engine qemu, or build corecast where valgrind is installed");
        return rc;
    }
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(r->engine_file);
    cc_words_take(&r->environment, cc_asprintf("VALGRIND_LIB=%s", dirname(copy)));
    cc_words_add(&r->environment, "VALGRIND_LAUNCHER=/usr/bin/valgrind");
    cc_words_add(&r->command, "valgrind");
    cc_words_add(&r->command, "--tool=corecast");
    cc_words_add(&r->command, "--command-line-only=yes");
    cc_words_add(&r->command, "-q");
    cc_words_take(&r->command, cc_asprintf("--trace-children=%s", r->told.follow ? "yes" : "no"));
    CC_CLEANUP(cc_free_ptr) char *folder = cc_text_doubled(r->folder, '%');
    cc_words_take(&r->command, cc_asprintf("--log-file=%s/log", folder));
    cc_words_add(&r->command, "--vgdb=no");
    cc_words_take(&r->command, cc_asprintf("--cc-run=%s", r->run_file));
    cc_words_add(&r->command, r->target->path);
    return 0;
}

static int qemu_command(struct run *r, struct cc_err *err)
{
    int rc = cc_target_emulator(r->target, &r->engine_file, err);
    if (rc < 0)
        return rc;
    CC_CLEANUP(cc_free_ptr) char *plugin = cc_where_engine("qemu/libcorecast-qemu.so");
    if (!plugin)
        return cc_err_set(err, CC_EENGINE, "the qemu engine is not installed");
    cc_words_add(&r->command, r->engine_file);
    char *root = cc_target_sysroot(r->target);
    if (root) {
        cc_words_add(&r->command, "-L");
        cc_words_take(&r->command, root);
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
                                       .stay = true};
    struct cc_child child;
    int rc = cc_child_run(&request, &child, err);
    r->wait_status = child.status;
    cc_child_fini(&child);
    return rc;
}

/* --- afterwards --- */

static void remove_folder(const char *folder)
{
    DIR *d = opendir(folder);
    if (!d)
        return;
    for (struct dirent *e; (e = readdir(d));)
        if (e->d_name[0] != '.')
            unlinkat(dirfd(d), e->d_name, 0);
    closedir(d);
    rmdir(folder);
}

static int import(struct run *r, const char *stem, const char *output, const char *engine, bool main_process,
                  struct cc_buf *problems, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *a = cc_asprintf("%s/%s.0", r->folder, stem);
    CC_CLEANUP(cc_free_ptr) char *b = cc_asprintf("%s/%s.1", r->folder, stem);
    const char *files[] = {a, b};
    CC_CLEANUP(cc_free_ptr) char *tasks = cc_asprintf("%s/%s.tasks", r->folder, stem);
    size_t n = 0;
    while (r->argv[n + 1])
        n++;
    bool signalled = main_process && WIFSIGNALED(r->wait_status);
    char reason[96];
    snprintf(reason, sizeof reason, "killed by SIG%s",
             signalled ? sigabbrev_np(WTERMSIG(r->wait_status)) : "");
    struct cc_import_run run = {
        .program = r->target->path,
        .arguments = (const char *const *)r->argv + 1,
        .narguments = n,
        .engine = engine,
        .channels = &r->channels,
        .exit_code = main_process && WIFEXITED(r->wait_status) ? WEXITSTATUS(r->wait_status) : -1,
        .exit_signal = signalled ? WTERMSIG(r->wait_status) : 0,
        .complete = !signalled,
        .reason = signalled ? reason : NULL,
        .tasks = tasks,
        .problems = problems,
    };
    return cc_import(files, 2, &run, output, err);
}

/* Children write rec.PID.0 and rec.PID.1. */
static unsigned import_followed(struct run *r, const char *engine)
{
    unsigned count = 0;
    DIR *d = opendir(r->folder);
    if (!d)
        return 0;
    size_t stem = strlen(r->o->output);
    if (stem > 5 && strcmp(r->o->output + stem - 5, ".cast") == 0)
        stem -= 5;
    for (struct dirent *e; (e = readdir(d));) {
        unsigned pid;
        int end = 0;
        if (sscanf(e->d_name, "rec.%u.0%n", &pid, &end) != 1 || e->d_name[end])
            continue;
        CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("rec.%u", pid);
        CC_CLEANUP(cc_free_ptr) char *output = cc_asprintf("%.*s-%u.cast", (int)stem, r->o->output, pid);
        struct cc_err ignored = {0};
        count += import(r, name, output, engine, false, NULL, &ignored) == 0;
    }
    closedir(d);
    return count;
}

static int engine_failed(struct run *r, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *log = cc_asprintf("%s/log", r->folder);
    char *text = NULL;
    size_t n = 0;
    char first[300] = "";
    if (cc_file_read(log, 1 << 20, &text, &n, NULL) == 0 && n) {
        const char *p = strstr(text, "== ");
        snprintf(first, sizeof first, ": %.*s", (int)strcspn(p ? p + 3 : text, "\n"), p ? p + 3 : text);
    }
    free(text);
    return cc_err_set(err, CC_EENGINE, "the engine left no record of the run%s", first);
}

static int choose_engine(struct run *r, const char **ret_name, struct cc_err *err)
{
    enum cc_engine e = r->o->engine;
    if (e == CC_ENGINE_AUTO) {
        CC_CLEANUP(cc_free_ptr) char *tool = valgrind_tool();
        e = r->target->is_host && tool ? CC_ENGINE_VALGRIND : CC_ENGINE_QEMU;
    }
    if (e == CC_ENGINE_VALGRIND && !r->target->is_host) {
        int rc = cc_err_set(err, CC_EENGINE,
                            "the valgrind engine runs programs of this machine only, and '%s' is for %s",
                            r->target->path, r->target->isa->name);
        cc_err_hint(err, "use --engine qemu, or leave --engine out");
        return rc;
    }
    *ret_name = e == CC_ENGINE_VALGRIND ? "valgrind" : "qemu";
    return e == CC_ENGINE_VALGRIND ? valgrind_command(r, err) : qemu_command(r, err);
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
    cc_channel_names_fini(&r->channels);
    texts_fini(&r->told.regions);
    texts_fini(&r->told.runtime);
    free((char *)r->told.out);
    free((char *)r->told.program);
    free((char *)r->told.own);
    free(r->run_file);
    free(r->folder);
    free(r->engine_file);
}

static int make_folder(struct run *r, struct cc_err *err)
{
    struct stat st;
    if (stat(r->o->output, &st) == 0 && !S_ISREG(st.st_mode))
        return cc_err_at(err, CC_EINPUT, r->o->output, 0, "cannot write: not a regular file");
    CC_CLEANUP(cc_free_ptr) char *folder = cc_asprintf("%s.XXXXXX", r->o->output);
    if (!mkdtemp(folder))
        return cc_err_at(err, CC_EINPUT, r->o->output, 0, "cannot write: %s", strerror(errno));
    r->folder = realpath(folder, NULL); /* the program may change its folder */
    if (!r->folder)
        r->folder = cc_strdup(folder);
    return 0;
}

static int take_records(struct run *r, struct cc_record_result *ret, struct cc_err *err)
{
    struct cc_buf problems = {0};
    ret->status = cc_child_exit_status(r->wait_status);
    ret->complete = !WIFSIGNALED(r->wait_status);
    CC_CLEANUP(cc_free_ptr) char *first = cc_asprintf("%s/rec.0", r->folder);
    if (access(first, R_OK) != 0)
        return engine_failed(r, err);
    int rc = import(r, "rec", r->o->output, ret->engine, true, &problems, err);
    ret->problems = problems.s;
    if (rc == 0 && r->told.follow)
        ret->followed = import_followed(r, ret->engine);
    return rc;
}

int cc_record(const struct cc_record_options *o, const struct cc_target *target, char **argv,
              struct cc_record_result *ret, struct cc_err *err)
{
    struct run r = {.o = o, .target = target, .argv = argv};
    *ret = (struct cc_record_result){.status = CC_EOWN};
    int rc = make_folder(&r, err);
    if (rc == 0)
        rc = tell(&r, err);
    if (rc == 0)
        rc = choose_engine(&r, &ret->engine, err);
    if (rc == 0)
        rc = run_engine(&r, err);
    if (rc == 0)
        rc = take_records(&r, ret, err);
    if (r.folder)
        remove_folder(r.folder);
    run_fini(&r);
    return rc;
}
