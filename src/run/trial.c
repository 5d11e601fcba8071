#include "trial.h"
#include "../base/where.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* --- trees --- */

enum { MAX_DEPTH = 64, CHUNK = 1 << 16 };

struct copy {
    size_t files;
    uint64_t bytes;
    unsigned depth;
    struct cc_err *err;
};

static int fail(struct copy *c, const char *what, const char *path)
{
    return cc_err_set(c->err, CC_EINPUT, "cannot %s '%s': %s", what, path, strerror(errno));
}

static int copy_bytes(struct copy *c, int from, int to, const char *path)
{
    CC_CLEANUP(cc_free_ptr) char *buffer = cc_alloc(CHUNK);
    for (ssize_t n; (n = read(from, buffer, CHUNK)) != 0;) {
        if (n < 0)
            return fail(c, "read", path);
        c->bytes += (uint64_t)n;
        if (c->bytes > CC_TRIAL_BYTES)
            return cc_err_set(c->err, CC_EINPUT,
                              "the tree has more than %d MiB: name a smaller one with --source",
                              CC_TRIAL_BYTES >> 20);
        for (ssize_t done = 0, w; done < n; done += w)
            if ((w = write(to, buffer + done, (size_t)(n - done))) < 0)
                return fail(c, "write a copy of", path);
    }
    return 0;
}

/* Times are kept: make looks at them. */
static int copy_file(struct copy *c, const char *from, const char *to, const struct stat *st)
{
    int in = open(from, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    if (in < 0)
        return fail(c, "read", from);
    int out = open(to, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st->st_mode & 0777);
    int rc = out < 0 ? fail(c, "make", to) : copy_bytes(c, in, out, from);
    const struct timespec times[2] = {st->st_atim, st->st_mtim};
    if (rc == 0)
        futimens(out, times);
    close(in);
    if (out >= 0)
        close(out);
    return rc;
}

static int copy_link(struct copy *c, const char *from, const char *to)
{
    char target[4096];
    ssize_t n = readlink(from, target, sizeof target - 1);
    if (n < 0)
        return fail(c, "read", from);
    target[n] = '\0';
    return symlink(target, to) == 0 ? 0 : fail(c, "make", to);
}

static bool version_control(const char *name)
{
    static const char *const known[] = {".git", ".hg", ".svn"};
    for (size_t i = 0; i < CC_COUNT(known); i++)
        if (strcmp(name, known[i]) == 0)
            return true;
    return false;
}

static int copy_folder(struct copy *c, const char *from, const char *to);

static int copy_entry(struct copy *c, const char *from, const char *to)
{
    struct stat st;
    if (lstat(from, &st) != 0)
        return fail(c, "look at", from);
    if (++c->files > CC_TRIAL_FILES)
        return cc_err_set(c->err, CC_EINPUT,
                          "the tree has more than %d files: name a smaller one with --source",
                          CC_TRIAL_FILES);
    if (S_ISDIR(st.st_mode))
        return copy_folder(c, from, to);
    if (S_ISREG(st.st_mode))
        return copy_file(c, from, to, &st);
    if (S_ISLNK(st.st_mode))
        return copy_link(c, from, to);
    return 0; /* sockets, pipes, devices: no source */
}

static int copy_folder(struct copy *c, const char *from, const char *to)
{
    if (++c->depth > MAX_DEPTH)
        return cc_err_set(c->err, CC_EINPUT, "'%s' is more than %d folders deep", from, MAX_DEPTH);
    if (mkdir(to, 0700) != 0)
        return fail(c, "make", to);
    DIR *d = opendir(from);
    if (!d)
        return fail(c, "read", from);
    int rc = 0;
    for (struct dirent *e; rc == 0 && (e = readdir(d));) {
        if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0 || version_control(e->d_name))
            continue;
        CC_CLEANUP(cc_free_ptr) char *source = cc_asprintf("%s/%s", from, e->d_name);
        CC_CLEANUP(cc_free_ptr) char *target = cc_asprintf("%s/%s", to, e->d_name);
        rc = copy_entry(c, source, target);
    }
    closedir(d);
    c->depth--;
    return rc;
}

int cc_trial_copy(const char *from, const char *to, struct cc_err *err)
{
    struct copy c = {.err = err};
    return copy_folder(&c, from, to);
}

static void remove_below(int parent, const char *name, unsigned depth)
{
    int fd =
        depth > 4 * MAX_DEPTH ? -1 : openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *d = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *e; d && (e = readdir(d));)
        if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0 && unlinkat(fd, e->d_name, 0) != 0)
            remove_below(fd, e->d_name, depth + 1);
    if (d)
        closedir(d);
    else if (fd >= 0)
        close(fd);
    unlinkat(parent, name, AT_REMOVEDIR);
}

void cc_trial_remove(const char *folder)
{
    remove_below(AT_FDCWD, folder, 0);
}

/* --- commands --- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Whether it has ended, its time is over or somebody asks us to stop; then nothing of it is left. */
static bool look(struct cc_child *child, const struct cc_trial *t, double end, struct cc_trial_end *ret)
{
    if (!cc_child_ended(child)) {
        ret->stopped = t->stop && *t->stop;
        ret->late = now() > end;
        if (!ret->stopped && !ret->late)
            return false;
        kill(-child->pid, SIGKILL);
    }
    cc_child_wait(child);
    kill(-child->pid, SIGKILL); /* what it left running in the background */
    ret->status = cc_child_exit_status(child->status);
    ret->seconds = child->seconds;
    ret->user = child->user;
    ret->system = child->system;
    ret->memory = child->memory;
    return true;
}

static void watch(const struct cc_trial *t, size_t n, struct cc_child *children, struct cc_trial_end *ret)
{
    CC_CLEANUP(cc_free_ptr) struct pollfd *ends = cc_alloc_array(n, sizeof *ends);
    CC_CLEANUP(cc_free_ptr) bool *over = cc_alloc_array(n, sizeof *over);
    double began = now();
    int wait = 200;
    for (size_t i = 0; i < n; i++) {
        ends[i] = (struct pollfd){(int)syscall(SYS_pidfd_open, children[i].pid, 0), POLLIN, 0};
        wait = ends[i].fd < 0 ? 1 : wait; /* no file tells its end */
    }
    for (size_t running = n;;) {
        for (size_t i = 0; i < n; i++) {
            if (over[i] || !look(&children[i], &t[i], began + t[i].limit, &ret[i]))
                continue;
            over[i] = true;
            running--;
            if (ends[i].fd >= 0)
                close(ends[i].fd);
            ends[i].fd = -1; /* poll looks past it */
        }
        if (!running)
            return;
        poll(ends, n, wait);
    }
}

/* The shell's words, and its program's path; owned. */
static char *words_of(const struct cc_trial *t, struct cc_words *ret, struct cc_err *err)
{
    static const char script[] = "exec >\"$1\" 2>\"$2\"; eval \"$3\"";
    const char *const shell[] = {
        "/bin/sh", "-c", script, "sh", t->out ? t->out : "/dev/null", t->err ? t->err : "/dev/null",
        t->command};
    for (size_t i = 0; t->before && t->before[i]; i++)
        cc_words_add(ret, t->before[i]);
    for (size_t i = 0; i < CC_COUNT(shell); i++)
        cc_words_add(ret, shell[i]);
    char *file = t->before ? cc_where_program(t->before[0]) : cc_strdup("/bin/sh");
    if (!file)
        cc_err_set(err, CC_EENGINE, "there is no '%s' in PATH", t->before[0]);
    return file;
}

int cc_trial_run_all(const struct cc_trial *t, size_t n, struct cc_trial_end *ret, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) struct cc_words *words = cc_alloc_array(n, sizeof *words);
    CC_CLEANUP(cc_free_ptr) struct cc_child_request *requests = cc_alloc_array(n, sizeof *requests);
    CC_CLEANUP(cc_free_ptr) struct cc_child *children = cc_alloc_array(n, sizeof *children);
    int rc = 0;
    for (size_t i = 0; i < n && rc == 0; i++) {
        ret[i] = (struct cc_trial_end){0};
        requests[i] = (struct cc_child_request){.file = words_of(&t[i], &words[i], err),
                                                .argv = words[i].v,
                                                .environment = t[i].environment,
                                                .folder = t[i].folder,
                                                .in = CC_STREAM_NULL,
                                                .out = CC_STREAM_TO_STDERR,
                                                .group = true};
        rc = requests[i].file ? 0 : -CC_EENGINE;
    }
    if (rc == 0 && (rc = cc_child_start_all(requests, n, children, err)) == 0) {
        watch(t, n, children, ret);
        for (size_t i = 0; i < n; i++)
            cc_child_fini(&children[i]);
    }
    for (size_t i = 0; i < n; i++) {
        cc_words_fini(&words[i]);
        free((char *)requests[i].file);
    }
    return rc;
}

int cc_trial_run(const struct cc_trial *t, struct cc_trial_end *ret, struct cc_err *err)
{
    return cc_trial_run_all(t, 1, ret, err);
}
