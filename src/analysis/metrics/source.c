#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_TEXT = 64 << 20, MAX_SAID = 64 << 10, MAX_CPU_SECONDS = 600, STACK = 512 << 20 };

/* --- compiler flags --- */

/* Flags of a build that change what the source means; the others (warnings, output, optimisation) do not
 * matter here, and some of gcc's are unknown to clang. */
static const char *const keep_with_value[] = {"-I",       "-D",       "-U",         "-include",  "-imacros",
                                              "-isystem", "-iquote",  "-idirafter", "-isysroot", "-x",
                                              "-target",  "-iprefix", NULL};
static const char *const keep_prefix[] = {
    "-std=",         "-ansi",           "-m",           "-fsigned-char",  "-funsigned-char",
    "-fshort-enums", "-fms-extensions", "-nostdinc",    "--target=",      "--sysroot=",
    "-pthread",      "-fopenmp",        "-fno-builtin", "-fgnu89-inline", NULL};

static void build_flag(const struct cc_strs *all, size_t *i, struct cc_strs *flags)
{
    const char *a = all->v[*i];
    for (size_t k = 0; keep_with_value[k]; k++) {
        size_t n = strlen(keep_with_value[k]);
        if (strncmp(a, keep_with_value[k], n) != 0)
            continue;
        CC_VEC_PUSH(flags, a);
        if (!a[n] && *i + 1 < all->n)
            CC_VEC_PUSH(flags, all->v[++*i]);
        return;
    }
    for (size_t k = 0; keep_prefix[k]; k++) {
        if (strncmp(a, keep_prefix[k], strlen(keep_prefix[k])) == 0) {
            CC_VEC_PUSH(flags, a);
            return;
        }
    }
}

static int database_flags(const char *path, const char *source, struct cc_arena *arena, struct cc_strs *flags,
                          const char **ret_folder, struct cc_err *err)
{
    char *dir = cc_arena_strdup(arena, path);
    struct stat st;
    if (stat(dir, &st) < 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
    if (!S_ISDIR(st.st_mode))
        dir = dirname(dir);
    struct cc_strs all = {0};
    int rc = cc_tree_database_flags(dir, source, arena, &all, ret_folder, err);
    for (size_t i = 0; rc == 0 && i < all.n; i++)
        build_flag(&all, &i, flags);
    cc_strs_fini(&all);
    return rc;
}

static bool is_cplusplus(const char *path, const struct cc_strs *flags)
{
    static const char *const endings[] = {".cc", ".cpp", ".cxx", ".c++", ".C", ".hpp", ".hh", ".hxx", ".ii"};
    const char *dot = strrchr(path, '.');
    bool yes = false;
    for (size_t i = 0; dot && i < CC_COUNT(endings); i++)
        yes |= strcmp(dot, endings[i]) == 0;
    for (size_t i = 0; i < flags->n; i++) {
        const char *x = strcmp(flags->v[i], "-x") == 0 && i + 1 < flags->n ? flags->v[i + 1] : NULL;
        if (!x && strncmp(flags->v[i], "-x", 2) == 0 && flags->v[i][2])
            x = flags->v[i] + 2;
        if (x)
            yes = strncmp(x, "c++", 3) == 0;
    }
    return yes;
}

/* For the parser: without -x, which would hide that the text is preprocessed. */
static void parser_flags(const struct cc_strs *flags, struct cc_strs *out)
{
    for (size_t i = 0; i < flags->n; i++) {
        if (strcmp(flags->v[i], "-x") == 0)
            i++;
        else if (strncmp(flags->v[i], "-x", 2) != 0)
            CC_VEC_PUSH(out, flags->v[i]);
    }
}

/* --- child processes --- */

struct pipes {
    int out, said;
};

static void limit_cpu(void)
{
    struct rlimit limit = {MAX_CPU_SECONDS, MAX_CPU_SECONDS};
    setrlimit(RLIMIT_CPU, &limit);
    limit = (struct rlimit){0, 0};
    setrlimit(RLIMIT_CORE, &limit);
}

static void exec_preprocessor(const struct cc_strs *command, const char *folder, int out, int said)
{
    int null = open("/dev/null", O_RDONLY);
    if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(said, 2) < 0 ||
        (folder && chdir(folder) < 0))
        _exit(127);
    limit_cpu();
    execvp(command->v[0], (char *const *)(uintptr_t)command->v);
    _exit(errno == ENOENT ? 126 : 127);
}

/* Reads both pipes to their ends, each up to its bound; false when `out` was larger. */
static bool drain(const struct pipes *p, struct cc_buf *out, struct cc_buf *said)
{
    struct pollfd fds[2] = {{p->out, POLLIN, 0}, {p->said, POLLIN, 0}};
    char *chunk = cc_alloc(1 << 16);
    bool fits = true;
    while (fits && (fds[0].fd >= 0 || fds[1].fd >= 0)) {
        if (poll(fds, 2, -1) < 0 && errno != EINTR)
            break;
        for (int i = 0; i < 2; i++) {
            if (fds[i].fd < 0 || !fds[i].revents)
                continue;
            ssize_t n = read(fds[i].fd, chunk, 1 << 16);
            if (n <= 0 && !(n < 0 && errno == EINTR))
                fds[i].fd = -1;
            else if (n > 0 && i == 0)
                cc_buf_add(out, chunk, (size_t)n);
            else if (n > 0 && said->n < MAX_SAID)
                cc_buf_add(said, chunk, (size_t)n);
        }
        fits = out->n <= MAX_TEXT;
    }
    free(chunk);
    return fits;
}

static int reap(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        continue;
    return status;
}

static int run_preprocessor(const struct cc_strs *command, const char *folder, struct cc_buf *out,
                            struct cc_buf *said, int *ret_status, struct cc_err *err)
{
    int a[2], b[2];
    if (pipe2(a, O_CLOEXEC) < 0)
        return cc_err_set(err, CC_EBUG, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(b, O_CLOEXEC) < 0) {
        close(a[0]);
        close(a[1]);
        return cc_err_set(err, CC_EBUG, "cannot make a pipe: %s", strerror(errno));
    }
    fflush(NULL);
    pid_t child = fork();
    if (child == 0)
        exec_preprocessor(command, folder, a[1], b[1]);
    close(a[1]);
    close(b[1]);
    int rc = 0;
    if (child < 0) {
        rc = cc_err_set(err, CC_EBUG, "cannot start '%s': %s", command->v[0], strerror(errno));
    } else {
        bool fits = drain(&(struct pipes){a[0], b[0]}, out, said);
        if (!fits)
            kill(child, SIGKILL);
        *ret_status = reap(child);
        if (!fits)
            rc = cc_err_set(err, CC_EINPUT, "larger than %d MiB when preprocessed", MAX_TEXT >> 20);
    }
    close(a[0]);
    close(b[0]);
    return rc;
}

static bool in_path(const char *program)
{
    const char *path = getenv("PATH");
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(path ? path : "/usr/bin:/bin");
    char *save = NULL;
    for (char *dir = strtok_r(copy, ":", &save); dir; dir = strtok_r(NULL, ":", &save)) {
        CC_CLEANUP(cc_free_ptr) char *file = cc_asprintf("%s/%s", dir, program);
        if (access(file, X_OK) == 0)
            return true;
    }
    return false;
}

static const char *preprocessor(const struct cc_sources_options *options, struct cc_arena *arena)
{
    const char *named = options->preprocessor ? options->preprocessor : getenv("CORECAST_CPP");
    if (named && *named)
        return named;
    char versioned[32];
    snprintf(versioned, sizeof versioned, "clang-%d", cc_tree_clang_version());
    return in_path(versioned) ? cc_arena_strdup(arena, versioned) : "clang";
}

static void make_command(const char *program, const struct cc_source_unit *unit, const char *source,
                         const struct cc_strs *flags, struct cc_strs *command)
{
    static const char *const fixed[] = {"-E", "-w", "-ferror-limit=0", "-fno-caret-diagnostics",
                                        "-fno-color-diagnostics"};
    bool header = strrchr(source, '.') && strncmp(strrchr(source, '.'), ".h", 2) == 0;
    CC_VEC_PUSH(command, program);
    for (size_t i = 0; i < CC_COUNT(fixed); i++)
        CC_VEC_PUSH(command, fixed[i]);
    if (header) {
        CC_VEC_PUSH(command, "-x");
        CC_VEC_PUSH(command, unit->cplusplus ? "c++" : "c");
    }
    for (size_t i = 0; i < flags->n; i++)
        CC_VEC_PUSH(command, flags->v[i]);
    CC_VEC_PUSH(command, "--");
    CC_VEC_PUSH(command, source);
    CC_VEC_PUSH(command, NULL);
}

static int check_outcome(const char *path, const char *program, int status, const struct cc_buf *out,
                         const struct cc_buf *said, struct cc_err *err)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 126) {
        int rc = cc_err_set(err, CC_EUSAGE, "cannot find the preprocessor '%s'", program);
        cc_err_hint(err, "install clang, or name one in CORECAST_CPP");
        return rc;
    }
    if (WIFSIGNALED(status))
        return cc_err_at(err, CC_EINPUT, path, 0, "the preprocessor was ended by signal %d",
                         WTERMSIG(status));
    if (out->n == 0 && status != 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "the preprocessor failed: %.*s",
                         said->s ? (int)strcspn(said->s, "\n") : 0, said->s ? said->s : "");
    return 0;
}

int cc_source_preprocess(const char *path, const struct cc_sources_options *options, struct cc_arena *arena,
                         struct cc_source_unit *unit, char **ret_said, struct cc_err *err)
{
    struct cc_strs flags = {0}, command = {0};
    struct cc_buf out = {0}, said = {0};
    const char *folder = NULL, *source = path;
    struct stat st;
    int rc = 0, status = 0;
    if (stat(path, &st) < 0)
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
    if (!S_ISREG(st.st_mode))
        return cc_err_at(err, CC_EINPUT, path, 0, "not a regular file");
    CC_CLEANUP(cc_free_ptr) char *absolute = realpath(path, NULL);
    if (!absolute)
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
    if (options->compile_commands) {
        rc = database_flags(options->compile_commands, absolute, arena, &flags, &folder, err);
        source = absolute; /* the commands hold in their own folder */
    }
    for (size_t i = 0; options->flags && i < options->flags->n; i++)
        CC_VEC_PUSH(&flags, options->flags->v[i]);
    *unit = (struct cc_source_unit){.path = path, .cplusplus = is_cplusplus(path, &flags)};
    parser_flags(&flags, &unit->flags);
    const char *program = preprocessor(options, arena);
    make_command(program, unit, source, &flags, &command);
    if (rc == 0)
        rc = run_preprocessor(&command, folder, &out, &said, &status, err);
    if (rc == 0)
        rc = check_outcome(path, program, status, &out, &said, err);
    cc_strs_fini(&flags);
    cc_strs_fini(&command);
    if (rc < 0) {
        cc_buf_fini(&out);
        cc_buf_fini(&said);
        cc_strs_fini(&unit->flags);
        return rc;
    }
    cc_buf_add(&out, "", 0);
    cc_buf_add(&said, "", 0);
    unit->text = out.s;
    unit->size = out.n;
    *ret_said = said.s;
    return 0;
}

struct job {
    void (*work)(void *data, FILE *out);
    void *data;
    FILE *out;
};

static void *on_large_stack(void *arg)
{
    struct job *job = arg;
    job->work(job->data, job->out);
    return NULL;
}

static void child_main(struct job *job)
{
    int null = open("/dev/null", O_RDWR);
    if (null >= 0) {
        dup2(null, 0);
        dup2(null, 1);
        dup2(null, 2); /* the parser's crash reports are told in our own words */
    }
    limit_cpu();
    setenv("LIBCLANG_NOTHREADS", "1", 1); /* parse on our stack, not on one of 8 MiB */
    setenv("LIBCLANG_DISABLE_CRASH_RECOVERY", "1", 1);
    pthread_attr_t attr;
    pthread_t thread;
    pthread_attr_init(&attr);
    if (pthread_attr_setstacksize(&attr, STACK) != 0 ||
        pthread_create(&thread, &attr, on_large_stack, job) != 0)
        on_large_stack(job);
    else
        pthread_join(thread, NULL);
    fflush(job->out);
    _exit(0);
}

int cc_source_isolate(void (*work)(void *data, FILE *out), void *data, char **ret_bytes, size_t *ret_size,
                      int *ret_signal, struct cc_err *err)
{
    int fds[2];
    if (pipe2(fds, O_CLOEXEC) < 0)
        return cc_err_set(err, CC_EBUG, "cannot make a pipe: %s", strerror(errno));
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        close(fds[0]);
        struct job job = {work, data, fdopen(fds[1], "wb")};
        if (!job.out)
            _exit(127);
        child_main(&job);
    }
    close(fds[1]);
    if (child < 0) {
        close(fds[0]);
        return cc_err_set(err, CC_EBUG, "cannot start a process: %s", strerror(errno));
    }
    struct cc_buf out = {0};
    bool fits = drain(&(struct pipes){fds[0], -1}, &out, &out);
    close(fds[0]);
    if (!fits)
        kill(child, SIGKILL);
    int status = reap(child);
    cc_buf_add(&out, "", 0);
    *ret_bytes = out.s;
    *ret_size = out.n;
    *ret_signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return 0;
}
