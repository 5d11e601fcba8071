#include "folder.h"
#include "run_file.h"
#include "../base/file.h"
#include "../profile/channels.h"
#include "../profile/import.h"
#include "../profile/records.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

char *cc_folder_file(const struct cc_folder *f, const char *name)
{
    return cc_asprintf("%s/%s", f->path, name);
}

/* --- while it is made --- */

int cc_folder_make(const char *output, struct cc_folder *ret, struct cc_err *err)
{
    struct stat st;
    *ret = (struct cc_folder){.lock = -1};
    if (stat(output, &st) == 0 && !S_ISREG(st.st_mode))
        return cc_err_at(err, CC_EINPUT, output, 0, "cannot write: not a regular file");
    CC_CLEANUP(cc_free_ptr) char *folder = cc_asprintf("%s.XXXXXX", output);
    if (!mkdtemp(folder))
        return cc_err_at(err, CC_EINPUT, output, 0, "cannot write: %s", strerror(errno));
    ret->path = realpath(folder, NULL); /* the program may change its folder */
    if (!ret->path)
        ret->path = cc_strdup(folder);
    return 0;
}

/* Whether nobody else holds it. */
static bool take_lock(struct cc_folder *f)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_folder_file(f, "run");
    f->lock = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    return f->lock >= 0 && flock(f->lock, LOCK_EX | LOCK_NB) == 0;
}

/* Always of one size: how the program ended is to be written also when the disk is full by then. */
static void put_status(const struct cc_folder *f, const char *mode, int wait_status)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_folder_file(f, "status");
    FILE *out = fopen(path, mode);
    if (!out)
        return;
    fprintf(out, "%015d\n", wait_status);
    fclose(out);
}

int cc_folder_tell(struct cc_folder *f, const struct cc_options *told, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_folder_file(f, "run");
    int rc = cc_run_file_write(path, told, err);
    put_status(f, "we", -1);
    if (rc == 0)
        take_lock(f); /* where a file system has no locks, salvaging asks in vain */
    return rc;
}

void cc_folder_ended(const struct cc_folder *f, int wait_status)
{
    put_status(f, "r+e", wait_status);
}

/* --- once it was left --- */

static void *host_map(void *self, size_t size)
{
    (void)self;
    return cc_alloc(size);
}

static void host_unmap(void *self, void *p, size_t size)
{
    (void)self;
    (void)size;
    free(p);
}

static long host_read(void *self, const char *path, void *to, size_t size, uint64_t offset)
{
    (void)self;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    size_t n = 0;
    for (ssize_t got = 1; fd >= 0 && got > 0 && n<size; n += got> 0 ? (size_t)got : 0)
        got = pread(fd, (char *)to + n, size - n, (off_t)(offset + n));
    if (fd < 0)
        return -1;
    close(fd);
    return (long)n;
}

int cc_folder_open(const char *path, struct cc_folder *ret, struct cc_options *ret_told, struct cc_err *err)
{
    static const struct cc_host host = {.map = host_map, .unmap = host_unmap, .read_file = host_read};
    *ret = (struct cc_folder){.path = realpath(path, NULL), .lock = -1};
    if (!ret->path)
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
    CC_CLEANUP(cc_free_ptr) char *run = cc_folder_file(ret, "run");
    int rc = 0;
    if (!take_lock(ret))
        rc = errno == EWOULDBLOCK
                 ? cc_err_at(err, CC_EINPUT, path, 0, "is still being recorded into")
                 : cc_err_at(err, CC_EINPUT, path, 0, "not a folder that 'corecast record' left: %s",
                             strerror(errno));
    else if (!cc_options_read(&host, run, ret_told) || !ret_told->out || !ret_told->program ||
             !ret_told->engine || !ret_told->output)
        rc = cc_err_at(err, CC_EINPUT, run, 0, "not a run file of this version");
    if (rc < 0)
        cc_folder_close(ret);
    return rc;
}

bool cc_folder_status(const struct cc_folder *f, int *ret_wait_status)
{
    CC_CLEANUP(cc_free_ptr) char *path = cc_folder_file(f, "status");
    CC_CLEANUP(cc_free_ptr) char *text = NULL;
    size_t n = 0;
    int64_t status;
    if (cc_file_read(path, 64, &text, &n, NULL) < 0 || !n || text[n - 1] != '\n')
        return false;
    text[n - 1] = 0;
    if (!cc_parse_i64(text, &status) || status < 0 || status > 0xffff)
        return false;
    *ret_wait_status = (int)status;
    return true;
}

/* Whether it is OUTPUT.XXXXXX with a run file, and nobody is at work there. */
static bool was_left(const char *folder)
{
    struct cc_folder f = {.path = cc_strdup(folder), .lock = -1};
    bool left = take_lock(&f);
    cc_folder_close(&f);
    return left;
}

char *cc_folder_left(const char *output)
{
    enum { SUFFIX = 6 };
    CC_CLEANUP(cc_free_ptr) char *copy = cc_strdup(output), *other = cc_strdup(output);
    const char *name = basename(copy), *folder = dirname(other);
    size_t n = strlen(name);
    char *found = NULL;
    DIR *d = opendir(folder);
    for (struct dirent *e; d && !found && (e = readdir(d));) {
        if (strlen(e->d_name) != n + 1 + SUFFIX || strncmp(e->d_name, name, n) != 0 || e->d_name[n] != '.')
            continue;
        char *path = strchr(output, '/') ? cc_asprintf("%s/%s", folder, e->d_name) : cc_strdup(e->d_name);
        if (was_left(path))
            found = path;
        else
            free(path);
    }
    if (d)
        closedir(d);
    return found;
}

/* --- what is in it --- */

bool cc_folder_is_whole(const struct cc_folder *f)
{
    static const char *const names[] = {"rec.0", "rec.1"};
    bool whole = false;
    for (size_t i = 0; !whole && i < CC_COUNT(names); i++) {
        CC_CLEANUP(cc_free_ptr) char *path = cc_folder_file(f, names[i]);
        struct cc_rec_run run;
        whole = cc_records_check(path, &run, NULL) == 0;
    }
    return whole;
}

static int take(const struct cc_folder *f, const struct cc_folder_take *how, const char *stem,
                const char *output, bool main_process, struct cc_err *err)
{
    CC_CLEANUP(cc_free_ptr) char *a = cc_asprintf("%s/%s.0", f->path, stem);
    CC_CLEANUP(cc_free_ptr) char *b = cc_asprintf("%s/%s.1", f->path, stem);
    CC_CLEANUP(cc_free_ptr) char *tasks = cc_asprintf("%s/%s.tasks", f->path, stem);
    const char *files[] = {a, b};
    bool known = main_process && how->ended, signalled = known && WIFSIGNALED(how->wait_status);
    char killed[96];
    snprintf(killed, sizeof killed, "killed by SIG%s",
             signalled ? sigabbrev_np(WTERMSIG(how->wait_status)) : "");
    struct cc_channel_names channels = {0};
    int rc = cc_channel_names_find(how->told->watched.v, how->told->watched.n, NULL, &channels, err);
    struct cc_import_run run = {
        .program = how->told->program,
        .arguments = how->told->arguments.v,
        .narguments = how->told->arguments.n,
        .engine = how->told->engine,
        .channels = &channels,
        .exit_code = known && WIFEXITED(how->wait_status) ? WEXITSTATUS(how->wait_status) : -1,
        .exit_signal = signalled ? WTERMSIG(how->wait_status) : 0,
        .complete = !signalled && !how->reason,
        .reason = how->reason ? how->reason
                  : signalled ? killed
                              : NULL,
        .tasks = tasks,
        .problems = main_process ? how->problems : NULL,
        .left = main_process ? how->left : NULL,
    };
    if (rc == 0)
        rc = cc_import(files, CC_COUNT(files), &run, output, err);
    cc_channel_names_fini(&channels);
    return rc;
}

int cc_folder_take(const struct cc_folder *f, const struct cc_folder_take *how, struct cc_err *err)
{
    return take(f, how, "rec", how->output, true, err);
}

/* Children write rec.PID.0 and rec.PID.1. */
unsigned cc_folder_take_children(const struct cc_folder *f, const struct cc_folder_take *how)
{
    unsigned count = 0;
    DIR *d = opendir(f->path);
    if (!d)
        return 0;
    size_t stem = strlen(how->output);
    if (stem > 5 && strcmp(how->output + stem - 5, ".cast") == 0)
        stem -= 5;
    for (struct dirent *e; (e = readdir(d));) {
        unsigned pid;
        int end = 0;
        if (sscanf(e->d_name, "rec.%u.0%n", &pid, &end) != 1 || e->d_name[end])
            continue;
        CC_CLEANUP(cc_free_ptr) char *name = cc_asprintf("rec.%u", pid);
        CC_CLEANUP(cc_free_ptr) char *output = cc_asprintf("%.*s-%u.cast", (int)stem, how->output, pid);
        struct cc_err ignored = {0};
        count += take(f, how, name, output, false, &ignored) == 0;
    }
    closedir(d);
    return count;
}

/* --- at last --- */

void cc_folder_close(struct cc_folder *f)
{
    if (f->lock >= 0)
        close(f->lock);
    f->lock = -1;
    free(f->path);
    f->path = NULL;
}

void cc_folder_remove(struct cc_folder *f)
{
    DIR *d = f->path ? opendir(f->path) : NULL;
    if (d) {
        for (struct dirent *e; (e = readdir(d));)
            if (e->d_name[0] != '.')
                unlinkat(dirfd(d), e->d_name, 0);
        closedir(d);
        rmdir(f->path);
    }
    cc_folder_close(f);
}
