#include "file.h"
#include "ending.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

/* One that somebody has opened before: reading it waits for him alone. */
static bool is_descriptor(const char *path)
{
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, "/dev/fd/", 8) == 0 ||
           strncmp(path, "/proc/self/fd/", 14) == 0;
}

int cc_file_open(const char *path, struct cc_err *err)
{
    struct stat st;
    bool standard = strcmp(path, "-") == 0;
    int fd =
        standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0 || fstat(fd, &st) != 0) {
        int cause = errno;
        if (fd >= 0)
            close(fd);
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(cause));
    }
    bool pipe = S_ISFIFO(st.st_mode) || S_ISSOCK(st.st_mode);
    if (S_ISREG(st.st_mode) || standard || (pipe && is_descriptor(path))) {
        if (!standard)
            fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
        return fd;
    }
    close(fd);
    return cc_err_at(err, CC_EINPUT, path, 0, S_ISDIR(st.st_mode) ? "is a directory" : "not a regular file");
}

int cc_file_open_stream(const char *path, FILE **ret, struct cc_err *err)
{
    int fd = cc_file_open(path, err);
    if (fd < 0)
        return fd;
    *ret = fdopen(fd, "rb");
    if (*ret)
        return 0;
    close(fd);
    return cc_err_at(err, CC_EINPUT, path, 0, "cannot open: %s", strerror(errno));
}

int cc_file_read(const char *path, size_t max, char **ret_data, size_t *ret_size, struct cc_err *err)
{
    CC_CLEANUP(cc_fclose_ptr) FILE *f = NULL;
    int rc = cc_file_open_stream(path, &f, err);
    if (rc < 0)
        return rc;
    size_t n = 0, cap = 64 * 1024;
    char *data = cc_alloc(cap);
    for (;;) {
        n += fread(data + n, 1, cap - 1 - n, f);
        if (n < cap - 1)
            break;
        if (cap > max) {
            free(data);
            return cc_err_at(err, CC_EINPUT, path, 0, "larger than the limit of %zu bytes", max);
        }
        cap *= 2;
        data = cc_realloc_array(data, cap, 1);
    }
    if (ferror(f)) {
        free(data);
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot read: %s", strerror(errno));
    }
    if (n > max) {
        free(data);
        return cc_err_at(err, CC_EINPUT, path, 0, "larger than the limit of %zu bytes", max);
    }
    data[n] = 0;
    *ret_data = data;
    *ret_size = n;
    return 0;
}

uint64_t cc_file_mark(const char *data, size_t size)
{
    return XXH3_64bits(data, size) >> 1;
}

int cc_outfile_open(struct cc_outfile *o, const char *path, struct cc_err *err)
{
    memset(o, 0, sizeof *o);
    if (strcmp(path, "-") == 0) {
        o->f = stdout;
        return 0;
    }
    struct stat st;
    if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) { /* /dev/stdout, a pipe: nothing to rename over */
        o->f = S_ISDIR(st.st_mode) ? NULL : fopen(path, "wb");
        if (!o->f)
            return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s",
                             strerror(S_ISDIR(st.st_mode) ? EISDIR : errno));
        o->path = cc_strdup(path);
        return 0;
    }
    o->path = cc_strdup(path);
    o->aside = cc_asprintf("%s.XXXXXX", path);
    int fd = cc_ending_mkstemp(o->aside);
    if (fd >= 0) {
        mode_t mask = umask(0);
        umask(mask);
        fchmod(fd, 0666 & ~mask);
        o->f = fdopen(fd, "wb");
    }
    if (!o->f) {
        int cause = errno;
        if (fd >= 0)
            close(fd);
        cc_outfile_abort(o);
        return cc_err_at(err, CC_EINPUT, path, 0, "cannot write: %s", strerror(cause));
    }
    return 0;
}

int cc_outfile_commit(struct cc_outfile *o, struct cc_err *err)
{
    int rc = 0;
    const char *name = o->path ? o->path : "standard output";
    if (fflush(o->f) != 0 || ferror(o->f))
        rc = cc_err_at(err, CC_EINPUT, name, 0, "cannot write: %s", strerror(errno));
    if (o->aside) {
        if (rc == 0 && fsync(fileno(o->f)) != 0)
            rc = cc_err_at(err, CC_EINPUT, name, 0, "cannot write: %s", strerror(errno));
        if (fclose(o->f) != 0 && rc == 0)
            rc = cc_err_at(err, CC_EINPUT, name, 0, "cannot write: %s", strerror(errno));
        o->f = NULL;
        if (rc == 0 && rename(o->aside, o->path) != 0)
            rc = cc_err_at(err, CC_EINPUT, name, 0, "cannot replace: %s", strerror(errno));
        if (rc == 0) {
            cc_ending_drop(o->aside);
            free(o->aside);
            o->aside = NULL;
        }
    }
    cc_outfile_abort(o);
    return rc;
}

void cc_outfile_abort(struct cc_outfile *o)
{
    if (o->f && o->f != stdout)
        fclose(o->f);
    if (o->aside) {
        unlink(o->aside);
        cc_ending_drop(o->aside);
    }
    free(o->aside);
    free(o->path);
    memset(o, 0, sizeof *o);
}
